"""Objects become plain data where the learner runs: what portraits hold, their limits, and how they are read."""

from __future__ import annotations

import _queue
import array
import csv
import ctypes
import datetime
import enum
import functools
import hashlib
import io
import os
import pickle
import random
import re
import sqlite3
import struct
import subprocess
import sys
import threading
import types
import uuid
import weakref
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.random import SeedSequence

import dpcheck
from dpcheck import Status
from dpcheck.execution import Isolation, made_code
from dpcheck.execution.answers import Answers, Opaque, Portrait, Raised, Request
from dpcheck.execution.executor import Executor
from dpcheck.execution.handover import is_plain, raised
from dpcheck.execution.portrait import MOST_ARRAY_BYTES, MOST_OBJECTS, cut_off, portray, predictor
from dpcheck.execution.wire import DEEPEST_MESSAGE, NotPlain, read_plain, write_plain
from dpcheck.model.errors import LearnerDied
from dpcheck.model.learner import as_target
from dpcheck.parts.zoo.hostile import HOSTILE_OUTPUTS, Hostile
from dpcheck.parts.zoo.hostile.outputs import ASKED, FATAL, NEVER_ASKED, AnswersWith, output_class
from dpcheck.privacy.statistics.leaves import leaves_of
from dpcheck.privacy.statistics.observations import bare, canonical, describe_answer, observe

Point = namedtuple("Point", "x y")


class Colour(enum.Enum):
    RED = 1


class Money(float):
    currency: str

    def __float__(self) -> float:
        raise RuntimeError("not asked")

    def __repr__(self) -> str:
        raise RuntimeError("not asked")


class Rows(list[Any]):
    def __len__(self) -> int:
        return -1

    def __iter__(self) -> Any:
        return iter(int, 1)


class Table(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError("not asked")


@dataclass
class Fit:
    weights: Any
    note: str = "converged"
    hidden: int = field(default=3, repr=False)


class Slotted:
    __slots__ = ("__secret", "open")

    def __init__(self) -> None:
        self.__secret, self.open = 1.5, "x"


class Tensor:
    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values, dtype=np.float32)

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self._values


class Shy:
    """Says something else of itself than what it holds."""

    def __init__(self) -> None:
        self.number = 7.0

    def __getattribute__(self, name: str) -> Any:
        if name == "number":
            return 0.0
        raise AttributeError(name)

    @property
    def __class__(self) -> Any:
        return int


def money() -> Money:
    found = Money(1.5)
    found.currency = "EUR"
    return found


def closure(threshold: float = 0.5, *, scale: float = 2.0) -> Any:
    inner = 4.25
    return lambda x, y=threshold: x > y * scale + inner


# --- what a portrait holds ---------------------------------------------------------------------------------------


def shape_of(value: Any) -> Any:
    drawn = portray(value)
    assert type(drawn) is Portrait
    assert is_plain(drawn, 0)
    return (drawn.kind, drawn.form, drawn.parts)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Fit([1.0]), ("Fit", "fields", (("weights", [1.0]), ("note", "converged"), ("hidden", 3)))),
        (money(), ("Money", "is", (("", 1.5), ("currency", "EUR")))),
        (Rows([1, 2]), ("Rows", "is", (("", [1, 2]),))),
        (Table(a=1), ("Table", "is", (("", {"a": 1}),))),
        (Point(1.0, "a"), ("Point", "is", (("", (1.0, "a")),))),
        (Slotted(), ("Slotted", "fields", (("_Slotted__secret", 1.5), ("open", "x")))),
        (Shy(), ("Shy", "fields", (("number", 7.0),))),
        (Colour.RED, ("Colour", "is", (("", 1),))),
        (range(0, 10, 2), ("range", "is", (("", (0, 10, 2)),))),
        (deque([1, "a"], 5), ("deque", "is", (("", [1, "a"]), ("maxlen", 5)))),
        (OrderedDict(a=1), ("OrderedDict", "is", (("", {"a": 1}),))),
        (defaultdict(None, a=1), ("defaultdict", "is", (("", {"a": 1}), ("default_factory", None)))),
        (Counter("aab"), ("Counter", "is", (("", {"a": 2, "b": 1}),))),
        (MappingProxyType({"a": 1}), ("mappingproxy", "is", (("", {"a": 1}),))),
        (bytearray(b"ab"), ("bytearray", "is", (("", b"ab"),))),
        (memoryview(b"ab"), ("memoryview", "is", (("", b"ab"), ("shape", (2,)), ("format", "B"), ("readonly", True)))),
        (datetime.date(2000, 1, 2), ("date", "is", (("", "2000-01-02"),))),
        (datetime.datetime(2000, 1, 2, 3, 4, 5, 6), ("datetime", "is", (("", "2000-01-02 03:04:05.000006"),))),
        (datetime.timedelta(1), ("timedelta", "is", (("", "1 day, 0:00:00"),))),
        (PurePosixPath("a/b"), ("PurePosixPath", "is", (("", "a/b"),))),
        (uuid.UUID(int=5), ("UUID", "is", (("", str(uuid.UUID(int=5))),))),
        (
            uuid.UUID(int=5, is_safe=uuid.SafeUUID.unsafe),
            ("UUID", "is", (("", f"{uuid.UUID(int=5)} (unsafe)"),)),
        ),
        ({"a": 1}.keys(), ("dict_keys", "fields", (("mapping", {"a": 1}),))),
        ({"a": 1}.items(), ("dict_items", "fields", (("mapping", {"a": 1}),))),
        (OrderedDict(a=1).values(), ("odict_values", "fields", (("mapping", {"a": 1}),))),
        (ValueError("bad", 3), ("ValueError", "fields", (("args", ("bad", 3)),))),
        (np.int64, ("type", "text", ())),
        ({Point(1, 2): 1}, ("dict", "items", ((portray(Point(1, 2)), 1),))),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_drawn_of_objects(value: Any, expected: Any) -> None:
    kind, form, parts = shape_of(value)
    assert (kind, form) == expected[:2]
    assert canonical(parts) == canonical(expected[2])
    assert not cut_off(portray(value))


def test_what_a_compiled_object_is_made_from_is_drawn_where_its_state_leaves_it_out() -> None:
    pandas = pytest.importorskip("pandas")
    weeks = [portray(pandas.offsets.Week(weekday=day)) for day in (0, 1)]
    assert [dict(week.parts)["(made from)"] for week in weeks] == [(1, False, 0), (1, False, 1)]
    assert not any(map(cut_off, weeks))


def test_methods_of_a_class_that_a_learner_makes_are_drawn_though_its_code_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def learner(record: int) -> Any:
        class Fitted:
            def predict(self) -> int:
                return record

            @property
            def weight(self) -> int:
                return record

        return Fitted()

    monkeypatch.setattr(made_code, "_known_code", set())
    monkeypatch.setattr(made_code, "_known_names", set())
    made_code.know_code_of(learner)
    parts = dict(portray(learner(3)).parts)
    assert [dict(parts[f"(class).{name}"].parts)["record"] for name in ("predict", "weight")] == [3, 3]
    point = portray(namedtuple("Inner", "x")(1)).parts  # what namedtuple writes says nothing
    assert "(class).__new__" not in dict(point)


def test_plain_data_stay_what_they_are() -> None:
    for value in (1, 1.5, "a", b"a", None, True, 2j, Fraction(1, 3), Decimal("0.1"), np.float32(1), [1, (2.0, {"a"})]):
        drawn = portray(value)
        assert type(drawn) is type(value)
        assert drawn == value


def test_functions_are_told_by_what_they_hold_and_do() -> None:
    drawn = portray(closure())
    assert drawn.parts == (("inner", 4.25), ("scale", 2.0), ("__defaults__", (0.5,)))
    assert drawn.text == portray(closure()).text != portray(lambda x: 1).text
    assert portray(functools.partial(closure, 3.0)).parts[1:] == (("args", (3.0,)), ("keywords", {}))
    assert portray(Fit([2.0]).__init__).parts[0][1].kind == "Fit"  # type: ignore[misc]


def test_tables_matrices_and_tensors() -> None:
    import pandas as pd
    import scipy.sparse as sp

    frame = portray(pd.DataFrame({"b": [1.0, 2.0], "a": ["x", "y"]}, index=[5, 6], dtype=object))
    assert (frame.kind, frame.form, [name for name, _ in frame.parts]) == ("DataFrame", "frame", ["b", "a", "index"])
    twice = pd.DataFrame(np.arange(4.0).reshape(2, 2), columns=["a", "a"])
    assert [part.tolist() for _, part in portray(twice).parts[:2]] == [[0, 2], [1, 3]]
    series = portray(pd.Series([1.0, 2.0], name="s"))
    assert (series.kind, series.parts[0][1].tolist(), series.parts[2]) == ("Series", [1, 2], ("name", "s"))
    assert portray(sp.csr_matrix(np.eye(2))).parts[0][1].tolist() == [[1, 0], [0, 1]]
    wide = portray(sp.csr_matrix(([1.0], ([0], [0])), shape=(10**6, 10**6)))
    assert dict(wide.parts)["data"].tolist() == [1.0]
    tensor = portray(Tensor([1.0, 2.0]))
    assert (tensor.kind, tensor.parts[0][1].dtype) == ("Tensor", np.float32)
    masked = portray(np.ma.masked_array([1.0, 2.0], mask=[False, True]))
    assert dict(masked.parts)["_mask"].tolist() == [False, True]
    numbers = portray(array.array("d", [1.0, 2.0]))
    assert numbers.parts[0][1].tolist() == [1.0, 2.0]
    objects = portray(np.array([[None, Fit([1.0])]], dtype=object))
    assert (objects.kind, objects.text, len(objects.parts[0][1])) == ("ndarray", "shape (1, 2)", 2)


def test_a_model_is_asked_once_and_its_own_models_are_not() -> None:
    asked: list[int] = []

    class Model:
        def __init__(self, inner: Any = None) -> None:
            self.inner = inner

        def predict_proba(self, x: Any) -> Any:
            asked.append(len(x))
            return np.full((len(x), 2), 0.25)

    drawn = portray([Model(Model())], predictor(np.zeros((3, 1))))
    assert asked == [3]
    assert "[0].predict_proba" in [leaf.path for leaf in leaves_of(drawn)]
    assert canonical(drawn) == canonical(portray([Model(Model())]))  # what follows from the rest is no part of it


def test_a_tensor_is_rounded_as_its_array_is() -> None:
    near = np.nextafter(np.float32(0.1), np.float32(1))
    seen = observe(Answers([portray(Tensor([0.1])), portray(Tensor([near])), portray(Tensor([0.2]))]), "real")
    assert seen.tokens[0] == seen.tokens[1] != seen.tokens[2]


# --- limits ------------------------------------------------------------------------------------------------------


@pytest.mark.turns(6)
def test_circles_depths_and_heaps_are_drawn_in_bounded_parts() -> None:
    circle: dict[str, Any] = {"a": 1.0}
    circle["itself"] = circle
    assert "one that it is part of" in repr(portray(circle))
    assert not cut_off(portray(circle))
    deep: Any = Fit(0)
    for _ in range(1000):
        deep = Fit(deep)
    assert cut_off(portray(deep))
    shared: Any = [object()]
    for _ in range(60):
        shared = [shared, shared]
    assert cut_off(portray(shared))
    heap = portray([Fit(number) for number in range(2 * MOST_OBJECTS)])
    assert cut_off(heap)
    assert len(heap.parts[0][1]) <= MOST_OBJECTS
    assert len(read_plain(write_plain(heap)).parts) == 1


def test_long_texts_and_large_arrays_are_cut_and_say_so() -> None:
    class Long:
        def __init_subclass__(cls) -> None: ...
        def __repr__(self) -> str:
            return "x" * 10**6

    drawn = portray(Long())
    assert cut_off(drawn)
    assert len(drawn.text) < 2000
    large = portray(Tensor(np.zeros(MOST_ARRAY_BYTES // 4 + 1, np.float32)))
    assert cut_off(large)
    assert not cut_off(portray(Tensor(np.zeros(8))))
    assert cut_off([portray(number for number in range(3))])


# --- on the wire -------------------------------------------------------------------------------------------------

_ATOMS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | st.binary(max_size=5)
    | st.complex_numbers(allow_nan=False) | st.fractions() | st.decimals(allow_nan=False)
)  # fmt: skip
_ARRAYS = hnp.arrays(
    st.one_of(hnp.scalar_dtypes(), hnp.array_dtypes(max_size=3)), hnp.array_shapes(min_dims=0, min_side=0, max_side=3)
)
_PLAIN = st.recursive(
    _ATOMS | _ARRAYS | _ARRAYS.filter(lambda a: a.ndim == 0 and a.dtype.names is None).map(lambda a: a[()]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        | st.tuples(inner, inner)
        | st.builds(
            lambda part, cut: Portrait("T", "fields", (("a", part),), "t", cut), inner, st.booleans()
        )
    ),
    max_leaves=8,
)  # fmt: skip


@pytest.mark.turns(6)
@given(_PLAIN)
def test_plain_data_come_back_as_they_went(value: Any) -> None:
    again = read_plain(write_plain(value))
    assert type(again) is type(value)
    assert canonical(again) == canonical(value)


class _Evil:
    def __init__(self, call: Any) -> None:
        self.call = call

    def __reduce__(self) -> Any:
        return self.call


@pytest.mark.parametrize(
    "call",
    [
        (os._exit, (0,)),
        (eval, ("1",)),
        (np.dtype, ("O",)),
        (pickle.loads, (b"",)),
        (getattr, (np.ndarray, "tofile")),
        (Portrait, ("a", "is")),
        (functools.partial, (print,)),
        (np.frombuffer, (b"",)),
    ],
    ids=lambda call: call[0].__name__,
)
def test_nothing_that_a_message_names_is_called(call: Any) -> None:
    with pytest.raises(NotPlain):
        read_plain(pickle.dumps(_Evil(call)))
    with pytest.raises(NotPlain):
        write_plain(_Evil(call))


def test_altered_messages_are_refused() -> None:
    good = write_plain([Portrait("T", "is", (("", 1.0),)), np.arange(3.0), Fraction(1, 2), Raised("a", "b")])
    assert read_plain(good)[1].tolist() == [0, 1, 2]
    rng = np.random.default_rng(0)
    for _ in range(500):
        altered = bytearray(good)
        for place in rng.integers(0, len(good), 3):
            altered[place] = rng.integers(256)
        try:
            read_plain(altered)
        except NotPlain:
            continue
    shared: Any = []
    for _ in range(DEEPEST_MESSAGE - 10):
        shared = [shared, shared]
    for bad in (shared, Portrait("T", "is", ()), Portrait("T", "nothing", ()), Portrait(1, "is", ())):  # type: ignore[arg-type]
        with pytest.raises(NotPlain):
            read_plain(write_plain(bad))
    with pytest.raises(NotPlain):
        write_plain(np.array([object()]))
    with pytest.raises(NotPlain):
        write_plain(Opaque("a", object()))  # type: ignore[arg-type]


def patches_the_writer(dataset: Any, rng: Any) -> float:
    sys.modules["__main__"]._written = lambda reply: pickle.dumps(  # type: ignore[attr-defined]
        ("answers", _Evil((os._exit, (0,))))
    )
    return 1.0


def answers_too_few(dataset: Any, rng: Any) -> float:
    sys.modules["__main__"]._written = lambda reply: write_plain(("answers", Answers([1.0])))  # type: ignore[attr-defined]
    return 1.0


def answers_a_stuffed_portrait(dataset: Any, rng: Any) -> Portrait:
    return Portrait("T", "is", (("", _Evil((os._exit, (0,)))),))


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (patches_the_writer, "wrote into dpcheck's own pipe"),
        (answers_too_few, "wrote into dpcheck's own pipe"),
        (answers_a_stuffed_portrait, "cannot be handed over"),
    ],
)
def test_a_worker_that_the_learner_altered_ends_nothing_but_itself(learner: Any, message: str) -> None:
    with (
        Executor(isolation="process").runner(as_target(learner), [np.zeros(2)], fresh=True) as runner,
        pytest.raises(LearnerDied, match=message),
    ):
        runner.run([Request(0, 3, SeedSequence(0))])


# --- outputs that misbehave when they are looked at --------------------------------------------------------------

HANG_SECONDS = 1.0


def outcome(entry: Hostile, isolation: Isolation) -> str:
    try:
        with Executor(isolation=isolation).runner(
            as_target(entry.factory), entry.pair, call_timeout=HANG_SECONDS
        ) as runner:
            (answers,) = runner.run([Request(0, 2, SeedSequence(0))])
    except LearnerDied:
        return "learner failed"
    assert all(is_plain(value, 16) for value in answers.values)
    assert len(observe(answers, "real")) == 2
    assert len(describe_answer(answers.values[0])) <= 120
    return "answers"


#: A worker ends and another starts for each of these, so that only some are tried in every run.
ENDING = [entry for entry in HOSTILE_OUTPUTS if entry.expected == "learner failed"]
HARMLESS = [entry for entry in HOSTILE_OUTPUTS if entry.expected == "answers"]


@pytest.mark.some(2)
@pytest.mark.parametrize("method", ["__repr__", "__getstate__", "__array__", "__getattribute__"])
@pytest.mark.parametrize("misdeed", ["exits", "hangs"])
def test_outputs_that_exit_or_hang_end_their_worker_alone(method: str, misdeed: Any) -> None:
    entry = next(one for one in ENDING if one.factory == AnswersWith(method, misdeed))
    assert outcome(entry, "process") == "learner failed"


@pytest.mark.turns(4)
def test_it_is_told_that_an_answer_was_looked_at() -> None:
    learner = as_target(AnswersWith("__repr__", "hangs"))
    with (
        Executor(isolation="process").runner(learner, [np.zeros(2)], call_timeout=HANG_SECONDS) as runner,
        pytest.raises(LearnerDied, match="no sign of life for 1 s while its answer was looked at in call 1 of 2"),
    ):
        runner.run([Request(0, 2, SeedSequence(0))])


#: Memory is filled for each answer that is asked for it: these take long, and all say the same.
QUICK = [
    entry
    for entry in HARMLESS
    if not (entry.factory.misdeed == "allocates" and entry.factory.method in ASKED)  # type: ignore[attr-defined]
]
#: Those whose answers are the same in the caller's process, which they leave whole.
ALSO_HERE = [
    entry
    for entry in HARMLESS
    if not (entry.needs_worker or entry.factory.misdeed in ("allocates", "prints", "leaves"))  # type: ignore[attr-defined]
]


@pytest.mark.some(6)
@pytest.mark.parametrize("entry", QUICK, ids=lambda entry: entry.name)
def test_the_other_outputs_are_answers(entry: Hostile) -> None:
    assert outcome(entry, "process") == "answers"


@pytest.mark.some(3)
@pytest.mark.parametrize("entry", ALSO_HERE, ids=lambda entry: entry.name)
def test_in_process_and_in_a_worker_the_answers_are_the_same(entry: Hostile) -> None:
    given = []
    for isolation in ("process", "none"):
        with Executor(isolation=isolation).runner(as_target(entry.factory), entry.pair) as runner:  # type: ignore[arg-type]
            given.append(runner.run([Request(0, 1, SeedSequence(0))])[0].values)
    assert canonical(given[0]) == canonical(given[1])


def test_every_method_is_one_that_is_asked_or_one_that_is_not() -> None:
    assert not set(ASKED) & set(NEVER_ASKED)
    assert {"exits", "hangs", "spins"} == FATAL
    assert output_class("__len__", "exits").__name__ == "ExitsInLen"


@pytest.mark.some(1)
@pytest.mark.parametrize("misdeed", ["exits", "hangs", "leaves", "lies"])
def test_an_audit_of_such_outputs_is_never_clean(misdeed: Any) -> None:
    verdict = dpcheck.audit(
        AnswersWith("__repr__", misdeed),
        1.0,
        pairs=[(np.array([0.0]), np.array([1.0]))],
        max_samples=400,
        call_timeout=HANG_SECONDS,
    )
    assert verdict.status in (Status.LEARNER_FAILED, Status.INCONCLUSIVE)


PROGRAM = """
import os, time
class Exits:
    def __repr__(self):
        os._exit(0)
class Hangs:
    def __array__(self, *_, **__):
        time.sleep(3600)
def exits(dataset, rng):
    return Exits()
def hangs(dataset, rng):
    return Hangs()
class Law:
    def __call__(self, dataset, rng):
        return Exits()
    def distribution(self, dataset):
        return {Exits(): 0.5, "b": 0.5}
"""


@pytest.mark.some(1)
@pytest.mark.parametrize("learner", ["exits", "hangs", "Law"])
def test_on_the_command_line_the_status_is_that_of_a_failed_learner(learner: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PROGRAM)
    np.savez(tmp_path / "pairs.npz", left=[[1.0, 0.5]], right=[[0.0, 0.5]])
    asked = ["audit", f"mine.py:{learner}", "--epsilon", "1", "--pairs", "pairs.npz", "--call-timeout", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", *asked], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 4, done.stderr
    assert "LEARNER FAILED" in done.stdout


@pytest.mark.turns(6)
def test_in_pytest_the_test_fails_and_the_others_run(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(PROGRAM)
    (tmp_path / "test_mine.py").write_text(
        "import numpy as np\nfrom mine import exits\n"
        "def test_it(dp_audit):\n"
        "    dp_audit(exits, 1.0, pairs=[(np.zeros(1), np.ones(1))])\n"
        "def test_other():\n    pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "1 failed, 1 passed" in done.stdout


# --- laws, and what is compared with them ------------------------------------------------------------------------


@dataclass(frozen=True)
class Threshold:
    at: float


class DrawsThresholds:
    """A declared law over objects, which calls follow."""

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        share = Fraction(2, 3) if dataset[0] else Fraction(1, 3)
        return {Threshold(0.5): share, Point(1, "a"): 1 - share}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return Threshold(0.5) if rng.random() < (2 / 3 if dataset[0] else 1 / 3) else Point(1, "a")


@pytest.mark.turns(6)
def test_laws_over_objects_are_those_of_their_portraits() -> None:
    verdict = dpcheck.audit(
        DrawsThresholds(), 1.0, pairs=[(np.array([0.0]), np.array([1.0]))], max_samples=1500, isolation="process"
    )
    assert verdict.exact is not None
    assert verdict.exact.compared > 0
    assert verdict.status is Status.NO_VIOLATION_FOUND, verdict.failure
    refuted = dpcheck.audit(
        DrawsThresholds(), 0.5, pairs=[(np.array([0.0]), np.array([1.0]))], max_samples=1500, isolation="process"
    )
    assert refuted.status is Status.VIOLATED
    assert "Threshold(at=0.5)" in refuted.to_json() or "Threshold" in str(refuted.witness)


def test_a_named_tuple_of_a_call_is_the_row_of_a_sample() -> None:
    (one,) = bare(Answers([portray(Point(1.0, 2.0))])).values
    (other,) = bare(Answers([(1.0, 2.0)])).values
    assert one.tolist() == other.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("loaded", [True, False])
def test_a_class_that_names_a_module_of_its_own_is_code_wherever_it_stands(
    loaded: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NumPy's record arrays say that they are of ``numpy.rec``, which is loaded when somebody asks for it."""
    import numpy.rec

    if not loaded:
        monkeypatch.delitem(sys.modules, "numpy.rec")
    drawn = portray(np.zeros(2, [("a", "f8")]).view(numpy.rec.recarray))
    assert [name for name, _ in drawn.parts] == [""]


@pytest.mark.parametrize(
    "make",
    [
        lambda: _queue.SimpleQueue(),
        lambda: type("Queue", (_queue.SimpleQueue,), {})(),
        lambda: hashlib.sha256(b"record"),
        lambda: struct.Struct("<i"),
        lambda: csv.writer(io.StringIO()),
        lambda: sqlite3.connect(":memory:"),
        lambda: threading.local(),
        lambda: types.CellType(1),
        lambda: weakref.ref(Fraction),
        lambda: np.frompyfunc(lambda x: x + 1, 1, 1),
        lambda: ctypes.pointer(ctypes.c_int(1)),
        lambda: staticmethod(lambda: 1),
        lambda: np.random.RandomState(1),
    ],
)
def test_what_compiled_code_holds_and_does_not_spell_is_said_not_to_be_looked_at(make: Any) -> None:
    assert cut_off(portray(make()))


@pytest.mark.parametrize(
    "value",
    [np.sin, len, re.compile("a"), threading.Lock(), np.random.default_rng, Fraction(1, 2), types.SimpleNamespace(a=1)],
)
def test_code_and_what_spells_itself_is_whole(value: Any) -> None:
    assert not cut_off(portray(value))


def test_the_generator_that_a_module_draws_from_is_not_part_of_an_answer() -> None:
    from scipy.stats import norm

    before = portray(norm(1.0, 2.0))
    np.random.random()  # noqa: NPY002  (its state goes on)
    assert canonical(portray(norm(1.0, 2.0))) == canonical(before)
    assert not cut_off(portray(random._inst))  # type: ignore[attr-defined]
    assert not cut_off(before)


def test_an_address_is_no_part_of_a_text() -> None:
    assert portray(hashlib.md5()).text == portray(hashlib.md5()).text == "<md5 _hashlib.HASH object>"


def _arrays(value: Any) -> list[Any]:
    if isinstance(value, Portrait):
        return [one for name, part in value.parts for one in (str(name), *_arrays(part))]
    if isinstance(value, list | tuple):
        return [one for part in value for one in _arrays(part)]
    return value.tolist() if isinstance(value, np.ndarray) else [value]


def test_what_stands_behind_the_cells_of_tables_is_drawn() -> None:
    import pandas as pd

    masked = pd.arrays.IntegerArray(np.array([1, 77]), np.array([False, True]))
    levels = pd.MultiIndex.from_product([["a"], ["b", "unused"]])
    many = pd.Categorical(["k1"], categories=[f"k{place}" for place in range(400)])
    for value, hidden in (
        (pd.DataFrame({"x": masked}), 77),
        (pd.Series(masked), 77),
        (masked, 77),
        (pd.DataFrame({"x": [1, 2]}, index=levels).iloc[:1], "unused"),
        (pd.DataFrame([[1, 2]], columns=levels).iloc[:, :1], "unused"),
        (pd.Series(many), "k200"),
        (many, "k200"),
        (pd.Series([1.0], index=pd.RangeIndex(0, 1, 7)), 7),
    ):
        assert hidden in _arrays(portray(value)), value


@pytest.mark.parametrize(
    ("error", "held"),
    [
        (ImportError("no", name="numpy"), "numpy"),
        (NameError("no", name="x"), "x"),
        (SyntaxError("no", ("file", 3, 1, "text", 4, 2)), 4),
        (StopIteration(7), 7),
    ],
)
def test_what_exceptions_of_python_hold_beside_their_message_is_drawn(error: BaseException, held: Any) -> None:
    assert held in _arrays(portray(error))
    assert raised(ImportError("no", name="numpy"), (), portray).held is not None
    assert raised(ImportError("No module named numpy", name="numpy"), (), portray).held is None


ORDERED = {
    "an attribute": lambda made: types.SimpleNamespace(held=made),
    "beside noise": lambda made: types.SimpleNamespace(held=made, noise=float(np.random.default_rng().normal())),
    "in a list": lambda made: [types.SimpleNamespace(held=[made])],
    "keys that are tuples": lambda made: types.SimpleNamespace(held={(key, 0): one for key, one in made.items()}),
}


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ORDERED)
def test_the_order_of_keys_that_an_object_holds_is_looked_at(name: str, seed: int) -> None:
    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        first = int(dataset[0]) if dataset[1] else int(rng.integers(0, 2))
        return ORDERED[name](dict.fromkeys((1, 2) if first else (2, 1), 1.0))

    few: dict[str, Any] = {"max_samples": 2_000, "detect": 30.0, "isolation": "none", "seed": seed}
    assert dpcheck.audit(learner, 1.0, pairs=[([0, 1], [1, 1])], **few).status is dpcheck.Status.VIOLATED
    fair = dpcheck.audit(learner, 1.0, pairs=[([0, 0], [1, 0])], **few)
    assert fair.status is dpcheck.Status.NO_VIOLATION_FOUND, str(fair)
