"""Learners made anew by their class: what it draws is drawn again, and nothing else changes."""

from __future__ import annotations

import os
import pickle
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import cloudpickle
import numpy as np
import pytest

from dpcheck.execution.imported_anew import imported_anew
from dpcheck.execution.made_anew import MadeAnew, made_anew
from dpcheck.model.learner import as_target


class Keyed:
    def __init__(self, added: float = 0, *, shift: float = 0.0) -> None:
        self.added, self.shift, self.key = added, shift, os.urandom(8)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self.key, self.added, self.shift


@dataclass(frozen=True)
class Pooled:
    size: int
    pool: tuple[float, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "pool", tuple(np.random.default_rng().laplace(size=self.size)))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self.pool


class Otherwise(Keyed):
    """Its arguments are kept under other names."""

    def __init__(self, amount: float, further: float = 0.25) -> None:
        super().__init__(amount, shift=further)


class OfLength:
    """Its argument is kept nowhere but in the length of what it holds."""

    def __init__(self, how_many: int, /, scale: float = 1.0) -> None:
        self.scale, self.pool = scale, np.random.default_rng().laplace(size=how_many)


class Many(OfLength):
    def __init__(self, how_many: int) -> None:
        super().__init__(how_many)


class Hidden(Keyed):
    """Its argument is not to be seen in what it holds."""

    def __init__(self, amount: int) -> None:
        super().__init__(2 * amount + 1)


class Refusing(Keyed):
    made = 0

    def __init__(self) -> None:
        super().__init__()
        type(self).made += 1
        if type(self).made > 1:
            raise RuntimeError("one is enough")


class Slotted:
    __slots__ = ("key",)

    def __init__(self) -> None:
        self.key = os.urandom(8)

    def answer(self, dataset: Any, rng: np.random.Generator) -> bytes:
        return self.key


class Slow(Hidden):
    made = 0

    def __init__(self, amount: int, one: int, two: int, three: int) -> None:
        type(self).made += 1
        time.sleep(0.3)
        super().__init__(amount + one + two + three)


def test_what_it_draws_is_drawn_again_and_what_it_was_given_stays() -> None:
    keyed = Keyed(3, shift=0.5)
    again = made_anew(keyed)
    assert (again.added, again.shift) == (3, 0.5)
    assert again.key != keyed.key
    pooled = Pooled(5)
    assert len(made_anew(pooled).pool) == 5
    assert made_anew(pooled).pool != pooled.pool


def _changed() -> Keyed:
    changed = Keyed()
    changed.added = 7
    return changed


def _without() -> Keyed:
    without = Keyed()
    del without.shift
    return without


def _default_of_another() -> Keyed:
    """Noise of its own on a learner whose class would give none: only what is drawn may be another's."""
    wide = Keyed(2)
    wide.shift = 4.0
    return wide


@pytest.mark.parametrize("learner", [_without(), Hidden(1), OfLength(3), Refusing(), 5, len])
def test_where_it_is_not_to_be_had_the_learner_itself_is_taken(learner: Any) -> None:
    assert made_anew(learner) is learner


def test_arguments_are_found_under_other_names_and_in_lengths() -> None:
    otherwise = Otherwise(3.0, 0.5)
    again = made_anew(otherwise)
    assert (again.added, again.shift) == (3.0, 0.5)
    assert again.key != otherwise.key
    many = Many(20)
    assert len(made_anew(many).pool) == 20
    assert not np.array_equal(made_anew(many).pool, many.pool)


class Writes:
    """What it is given names a file, and another file is named beside it."""

    def __init__(self, log: str, width: float) -> None:
        self.target, self.width, self.other = "log:" + log, width, "results.csv"
        self.table = np.random.default_rng().laplace(scale=width, size=40).tolist()
        with open(log, "w") as file:
            file.write("log")


class Grows:
    made: ClassVar[list[int]] = []

    def __init__(self, rounds: int) -> None:
        self.made.append(rounds)
        self.seed, self.table = 2 * 10**7, np.random.default_rng().laplace(size=rounds)


def test_arguments_are_guessed_where_that_harms_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that writes is given another text or number; nothing is given a whole number that is no length."""
    monkeypatch.chdir(tmp_path)
    Path("results.csv").write_text("my data")
    writes = Writes("run.log", 1.5)
    assert made_anew(writes) is writes
    assert Path("results.csv").read_text() == "my data"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.csv", "run.log"]
    grows = Grows(7)
    assert len(made_anew(grows).table) == 7
    assert set(Grows.made) == {7}


def test_slots_and_methods_are_made_anew() -> None:
    slotted = Slotted()
    assert made_anew(slotted).key != slotted.key
    assert made_anew(slotted.answer)([], None) != slotted.key
    changed = Keyed()
    changed.added = 7
    changed.shift = -1.0
    assert made_anew(changed.__call__).__self__.added == 7


def test_a_class_that_is_slow_is_not_called_on_and_on() -> None:
    slow = Slow(1, 2, 3, 4)
    assert made_anew(slow) is slow
    assert Slow.made < 12


def test_what_was_changed_after_it_was_made_stays_as_it_is() -> None:
    for learner in (_changed(), _default_of_another()):  # names of arguments: they are given to its class again
        again = made_anew(learner)
        assert (again.added, again.shift) == (learner.added, learner.shift)
    counted = Pooled(3)
    object.__setattr__(counted, "calls", 1)
    assert made_anew(counted) is counted


def test_a_target_that_is_an_object_is_made_anew_where_it_is_sent() -> None:
    keyed = Keyed(3)
    there = pickle.loads(cloudpickle.dumps(imported_anew(as_target(keyed))))
    assert isinstance(there.original, MadeAnew)
    key, added, _ = there.make()([], None)
    assert added == 3
    assert key != keyed.key
