"""A digest of a learner: the same in every process and before and after it was called, another where it was edited."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcheck import from_sampler
from dpcheck.execution.learner_code import digest_of_learner
from dpcheck.model.learner import Target, as_target

MODULE = """
import functools
import threading
import numpy as np

SCALE = 1.0
CACHE = {}
LOCK = threading.Lock()

def noise(rng):
    return rng.laplace(scale=SCALE)

@functools.lru_cache
def total(data):
    return sum(data)

def function(data, rng):
    CACHE[len(CACHE)] = 1
    with LOCK:
        return total(tuple(data)) + noise(rng)

class Learner:
    KINDS = frozenset({"a", "b", 3})

    def __init__(self, weight=1.0):
        self.weights = np.full(3, weight)
        self.rng = np.random.default_rng()
        self.table = {"names": {"a", "b"}, "again": self}

    def __call__(self, data, rng):
        return float(self.weights @ self.weights) + self.answer(data)

    def answer(self, data):
        return sum(data) + noise(self.rng)

class Slotted(Learner):
    __slots__ = ("shift",)

    def __init__(self, shift=0.5):
        super().__init__()
        self.shift = shift

learner, slotted, wrapped = Learner(), Slotted(), functools.partial(function)
method = learner.__call__
NAMES = ("function", "Learner", "learner", "slotted", "wrapped", "method")
"""

TOLD = """
import sys
import numpy as np
import mine
from dpcheck.execution.learner_code import digest_of_learner
from dpcheck.model.learner import as_target
for name in mine.NAMES:
    target = as_target(getattr(mine, name))
    before = digest_of_learner(target)
    target.make()([0, 1], np.random.default_rng())
    assert digest_of_learner(target) == before, name
    print(name, before)
"""

#: What is edited, and the learners that are others then.
EDITS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("SCALE = 1.0", "SCALE = 2.0", ("function", "Learner", "learner", "slotted", "wrapped", "method")),
    ("return rng.laplace(scale=SCALE)", "return 0 * SCALE", ("function", "learner", "wrapped", "method")),
    ("return sum(data)\n", "return max(data)\n", ("function", "wrapped")),
    ("weight=1.0", "weight=2.0", ("Learner", "learner", "slotted", "method")),
    ("shift=0.5", "shift=0.25", ("slotted",)),
    ('"b", 3}', '"b", 4}', ()),  # a set that no code reads: no part of a learner
    ('"again"', '"once more"', ("Learner", "learner")),
)


def _told(folder: Path, module: str, hashing: str) -> dict[str, str]:
    (folder / "mine.py").write_text(module)
    said = subprocess.run(
        [sys.executable, "-c", TOLD],
        cwd=folder,
        # a file of the same size and second would be taken for the one that was compiled before
        env={
            "PYTHONHASHSEED": hashing,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return dict(line.split() for line in said.splitlines())


@pytest.mark.turns(4)
def test_it_is_the_same_in_every_process_and_another_where_something_was_edited(tmp_path: Path) -> None:
    before = _told(tmp_path, MODULE, "1")
    assert len(set(before.values())) == 6
    assert _told(tmp_path, MODULE, "2") == before
    for old, new, others in EDITS:
        assert MODULE.count(old) == 1, old
        after = _told(tmp_path, MODULE.replace(old, new), "3")
        for name in others:
            assert after[name] != before[name], (old, name)
    assert _told(tmp_path, "# a comment\n" + MODULE, "4") == before


class Touchy:
    """Asked for anything it raises."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("touched")

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return 0


def test_looking_runs_nothing_of_the_learner() -> None:
    touchy = Touchy()
    target = as_target(lambda data, rng: touchy)
    assert digest_of_learner(target)


@pytest.mark.parametrize("count", [10, 20_000])
def test_learners_of_any_size_have_one(count: int) -> None:
    chain: Any = None
    for _ in range(count):
        chain = [chain]
    assert digest_of_learner(as_target(lambda data, rng: chain))


def _digest(learner: Any) -> str:
    return digest_of_learner(Target(learner, False, "learner"))


def _of(code: str, **names: Any) -> Any:
    space = {"np": np, **names}
    exec(f"def learner(data, rng):\n    {code}", space)
    return space["learner"]


class Held:
    def __init__(self, held: Any) -> None:
        self.held = held

    def __call__(self, data: Any, rng: np.random.Generator) -> int:
        return 0


@pytest.mark.parametrize(("one", "other"), [
    (_of("return 1"), _of("return 2")),
    (_of("return SCALE", SCALE=(2.0,)), _of("return SCALE", SCALE=(0.1,))),
    (from_sampler(_of("return 1")), from_sampler(_of("return 2"))),
    (Held(np.log), Held(np.exp)),
    (Held([[0] * 400] * 20 + [1.0]), Held([[0] * 400] * 20 + [2.0])),
    (Held(list(range(600))), Held([*range(599), 0])),
    (Held(Fraction(1, 2)), Held(Fraction(1, 3))),
    (Held(SimpleNamespace(a=1)), Held(SimpleNamespace(a=2))),
    (Held(np.zeros(3)), Held(np.ones(3))),
])  # fmt: skip
def test_learners_that_differ_have_others(one: Any, other: Any) -> None:
    assert _digest(one) == _digest(one) != _digest(other)


@pytest.mark.parametrize("code", [
    "global COUNT; COUNT += 1; return COUNT",
    "return len(TABLE) + TABLE.setdefault(len(TABLE), 1)",
])  # fmt: skip
def test_what_a_learner_keeps_while_it_is_called_is_no_part_of_it(code: str) -> None:
    learner = _of(code, COUNT=0, TABLE={})
    before = _digest(learner)
    learner([], None)
    assert _digest(learner) == before

    def with_default(data: Any, rng: Any, seen: dict[int, int] = {}) -> int:  # noqa: B006
        seen[len(seen)] = 1
        return 0

    before = _digest(with_default)
    with_default([], None)
    assert _digest(with_default) == before


def test_what_cannot_be_said_is_said_to_be_unknown() -> None:
    assert _digest(Held(2**20000)) == ""  # Python writes no number of so many digits

    class Lying(list[int]):
        __class__ = property(lambda self: dict)  # type: ignore[assignment]

    assert _digest(Held(Lying([1]))) != _digest(Held(Lying([2])))
