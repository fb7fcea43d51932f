"""Places of an output in which one raw record was not seen: two outputs that differ there alone are told apart.

No leaf of the one is a leaf of the other by chance: what is compared is part by part, since noise makes each whole
answer a new one. What says nothing (addresses, hashes, the process) tells nothing apart.
"""

from __future__ import annotations

import collections
import ctypes
import dataclasses
import enum
import math
import os
import subprocess
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.execution.answers import Raised
from dpcheck.execution.handover import addresses_in, masked_warning, raised, settle, written_in
from dpcheck.execution.made_code import digest_of, know_code_of, stands_in
from dpcheck.execution.portrait import cut_off, own_state, portray
from dpcheck.execution.wire import read_plain, write_plain
from dpcheck.privacy.statistics.leaves import leaves_of, left_out
from dpcheck.privacy.statistics.observations import canonical
from dpcheck.privacy.statistics.whole import decimals_of, whole_of

Leaves = set[tuple[str, tuple[str, ...], bytes | None]]


def parts_of(value: Any) -> Leaves:
    """What is looked at of a value, part by part."""
    drawn = read_plain(write_plain(settle(value, (), portray)))
    return {
        (leaf.path, leaf.members, None if leaf.numbers is None else leaf.numbers.tobytes()) for leaf in leaves_of(drawn)
    }


def message(text: str) -> Raised:
    return raised(ValueError(text), (), portray)


def given(*arguments: Any) -> Raised:
    return raised(ValueError(*arguments), (), portray)


MESSAGES = {
    "hexadecimal": ("status 0x0", "status 0x1"),
    "place that is none": ("failed at 0x10", "failed at 0x11"),
    "65th number": ("1 " * 70 + "0", "1 " * 70 + "1"),
    "many digits": (f"row {2**60}", f"row {2**60 + 1}"),
    "more digits": (f"row {2**600}", f"row {2**600 + 1}"),
    "zero before": ("row 7", "row 07"),
    "zero after": ("loss 1.5", "loss 1.50"),
    "sign": ("row 7", "row +7"),
    "exponent": ("loss 1e5", "loss 1e05"),
    "other script": ("row 3", "row \u0663"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_numbers_of_messages_are_told_apart_as_they_are_written(name: str) -> None:
    one, other = (parts_of(message(text)) for text in MESSAGES[name])
    assert one != other


def test_numbers_of_messages_make_no_other_event() -> None:
    assert message("row 7, status 0x1f") == message("row 8, status 0xab")
    assert written_in("row 007 of 3.50, 0x1f") == ("007", "3.50", "0x1f")


class Text(str):
    """A text of another type."""


@pytest.mark.parametrize(
    ("one", "other"), [(1, "1"), (1, True), (1.5, np.float64(1.5)), ("a", Text("a")), ("()", ()), ("", None)]
)
def test_arguments_of_exceptions_are_told_apart_by_type(one: Any, other: Any) -> None:
    assert parts_of(given(one)) != parts_of(given(other))


def test_an_exception_that_is_shown_alone_is_another() -> None:
    alone = ValueError("x")
    alone.__suppress_context__ = True
    assert parts_of(raised(alone, (), portray)) != parts_of(given("x"))
    made = type("Bad", (ValueError,), {"__module__": "builtins"})("x")  # says that it is Python's own
    assert raised(made, (), portray).held is not None
    assert given("x").held is None


class Bad(Exception):
    """Not Python's own, so that its arguments are drawn."""


@pytest.mark.parametrize("kind", [ValueError, Bad])
def test_a_place_in_memory_in_a_message_is_no_event_and_is_said_not_to_be_looked_at(kind: type[Exception]) -> None:
    one, other = (raised(kind(f"bad <Tree object at 0x7f00{n}a40>"), (), portray) for n in (11, 22))
    assert parts_of(one) == parts_of(other)
    assert canonical(one) == canonical(other)
    assert left_out(leaves_of(one))
    assert not left_out(leaves_of(message("status 0x11")))
    assert addresses_in("1920x1080 at 0x7f0012345678") == [0x7F0012345678]


def test_an_address_that_is_not_the_objects_own_is_said_not_to_be_looked_at() -> None:
    class Liar:
        __slots__ = ()

        def __repr__(self) -> str:
            return "<Liar object at 0x7f0000000001>"

    assert cut_off(portray(Liar()))
    assert not cut_off(portray(object()))


@pytest.mark.turns(6)
def test_a_correct_learner_that_tells_where_an_object_lies_is_not_accused(seed: int) -> None:
    kept = [[object() for _ in range(4)] for _ in range(2)]

    def learner(data: list[int], rng: np.random.Generator) -> float:
        if rng.random() < 0.5:
            raise Bad(f"bad {kept[data[0]][0]!r}")
        return float(rng.laplace())

    verdict = dpcheck.audit(
        learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=1500, detect=30.0, alpha=1e-9, seed=seed
    )
    assert verdict.status is Status.INCONCLUSIVE
    assert any(finding.kind == "not looked at" for finding in verdict.findings)


def test_long_warnings_are_told_by_a_digest_of_what_is_masked() -> None:
    assert masked_warning("x" * 400 + "a") != masked_warning("x" * 400 + "b")
    assert masked_warning("x" * 400 + "1") == masked_warning("x" * 400 + "2")


def test_warnings_that_never_come_again_are_said_not_to_be_looked_at(seed: int) -> None:
    def learner(data: list[int], rng: np.random.Generator) -> float:
        warnings.warn("".join(rng.choice(list("abcdefgh"), 9)) + "ab"[data[0]], stacklevel=1)
        return float(rng.laplace())

    verdict = dpcheck.audit(
        learner, 1.0, pairs=[([0], [1])], isolation="none", max_samples=700, detect=30.0, warnings="output", seed=seed
    )
    assert verdict.status is not Status.NO_VIOLATION_FOUND


def made_code(text: str) -> Any:
    return eval(f"lambda x: {text}")


def compiled(file: str) -> Any:
    return eval(compile("lambda x: x", file, "eval"))


def named(name: str) -> Any:
    def made() -> None: ...

    made.__qualname__ = name
    return made


def module(**held: Any) -> types.ModuleType:
    found = types.ModuleType("numpy")  # not the one that is loaded under this name
    vars(found).update(held)
    return found


def ordered(first: str, second: str) -> types.SimpleNamespace:
    return types.SimpleNamespace(**{first: 1, second: 1})


def moved(last: str) -> Any:
    found = collections.OrderedDict(a=1, b=2)
    found.move_to_end(last)
    return found


def enumerated(held: int) -> Any:
    class Own(enum.Enum):
        A = 1

        def ask(self) -> int:
            return held

    return Own.A


def hung(held: int) -> Any:
    found = enum.Enum("E", "A")
    found.A.secret = held  # type: ignore[attr-defined]
    return found.A  # type: ignore[attr-defined]


class Slotted:
    __slots__ = ("x",)


class Shadowed(Slotted):
    __slots__ = ("x",)


def shadowed(held: int) -> Any:
    found = Shadowed()
    found.x = 1
    Slotted.x.__set__(found, held)  # type: ignore[attr-defined]
    return found


@dataclasses.dataclass
class Counted(ctypes.c_double):
    noise: float = 0.5


def counted(value: float) -> Counted:
    found = Counted()
    found.value = value
    return found


def lock(locked: int) -> Any:
    found = threading.Lock()
    if locked:
        found.acquire()
    return found


def when(**zone: Any) -> time.struct_time:
    return time.struct_time((2020, 1, 1, 0, 0, 0, 0, 1, 0), {"tm_zone": "a", "tm_gmtoff": 0, **zone})


def marked(place: str, said: Any) -> Any:
    inner = np.dtype("f8", metadata={"r": said})
    kinds = {
        "field": [("a", inner)],
        "nested": [("a", [("b", inner)])],
        "row": [("a", (inner, 2))],
        "title": [((f"t{said}", "a"), "f8")],
    }
    return np.zeros(2, kinds[place])


def aligned(flag: bool) -> Any:
    return np.zeros(2, np.dtype([("a", "f8"), ("b", "f8")], align=flag))


def frame(**hung_on: Any) -> Any:
    import pandas as pd

    found = pd.DataFrame({"a": [0.5]})
    for name, value in hung_on.items():
        object.__setattr__(found, name, value)
    return found


def titled(name: str) -> Any:
    found = frame()
    found.index.name = name
    return found


def indexed(kind: int) -> Any:
    import pandas as pd

    return pd.DataFrame({"a": [0.5]}, index=(pd.RangeIndex(1), pd.Index([0]))[kind])


def index(**said: Any) -> Any:
    import pandas as pd

    return pd.Index([0.5], **said)


def days(freq: str | None) -> Any:
    import pandas as pd

    return pd.DatetimeIndex(["2020-01-01", "2020-01-02"], freq=freq)


def stamp(unit: Any) -> Any:
    import pandas as pd

    return [pd.Timestamp(0).as_unit(unit), pd.Timedelta(0).as_unit(unit)]


def stored(count: int) -> Any:
    import pandas as pd
    from pandas._libs.sparse import IntIndex

    kind = pd.SparseDtype(float, 0.0)
    places = IntIndex(3, range(count))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer versions of pandas have another name for it
        found = pd.arrays.SparseArray(np.zeros(count), sparse_index=places, fill_value=0.0, dtype=kind)
    return pd.Series(found)


def sparse(**hung_on: Any) -> Any:
    from scipy.sparse import csr_matrix

    found = csr_matrix(np.eye(2))
    for name, value in hung_on.items():
        setattr(found, name, value)
    return found


def keyed(*places: int) -> Any:
    from scipy.sparse import dok_array

    found = dok_array((2, 2))
    for place in places:
        found[place, place] = 1.0
    return found


PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "constant of a lambda": (lambda: made_code("0.5 * x"), lambda: made_code("1.5 * x")),
    "constant within a lambda": (lambda: made_code("lambda: 1"), lambda: made_code("lambda: 2")),
    "constant of code": (lambda: made_code("1").__code__, lambda: made_code("2").__code__),
    "name in a lambda": (lambda: made_code("x.aa"), lambda: made_code("x.ab")),
    "file of code": (lambda: compiled("a"), lambda: compiled("b")),
    "name of a function": (lambda: named("a"), lambda: named("b")),
    "name of a class": (lambda: type("a", (), {}), lambda: type("b", (), {})),
    "name of an object's class": (lambda: type("a", (list,), {})(), lambda: type("b", (list,), {})()),
    "method": (
        lambda: type("A", (), {"ask": made_code("1")})(),
        lambda: type("A", (), {"ask": made_code("2")})(),
    ),
    "class of an array": (
        lambda: type("A", (), {"__array__": lambda *_, **__: np.zeros(1), "held": 0})(),
        lambda: type("A", (), {"__array__": lambda *_, **__: np.zeros(1), "held": 1})(),
    ),
    "metadata of a field": (
        lambda: dataclasses.make_dataclass("A", [("x", int, dataclasses.field(default=1, metadata={"r": 0}))])(),
        lambda: dataclasses.make_dataclass("A", [("x", int, dataclasses.field(default=1, metadata={"r": 1}))])(),
    ),
    "method of an enumeration": (lambda: enumerated(0), lambda: enumerated(1)),
    "attribute of a member": (lambda: hung(0), lambda: hung(1)),
    "attribute of a module": (lambda: module(r=0), lambda: module(r=1)),
    "order of attributes": (lambda: ordered("a", "b"), lambda: ordered("b", "a")),
    "order of an OrderedDict": (lambda: moved("a"), lambda: moved("b")),
    "slot under another": (lambda: shadowed(0), lambda: shadowed(1)),
    "zone of a time": (lambda: when(tm_zone="a"), lambda: when(tm_zone="b")),
    "offset of a time": (lambda: when(tm_gmtoff=0), lambda: when(tm_gmtoff=1)),
    "status of a file": (
        lambda: os.stat_result(range(10), {"st_blocks": 0}),
        lambda: os.stat_result(range(10), {"st_blocks": 1}),
    ),
    "lock": (lambda: lock(0), lambda: lock(1)),
    "memory of a dataclass": (lambda: counted(0.0), lambda: counted(1.0)),
    "memory that can be written": (lambda: memoryview(b"a"), lambda: memoryview(bytearray(b"a"))),
    "metadata of an array's field": (lambda: marked("field", 0), lambda: marked("field", 1)),
    "metadata of a nested field": (lambda: marked("nested", 0), lambda: marked("nested", 1)),
    "metadata of a row": (lambda: marked("row", 0), lambda: marked("row", 1)),
    "title of a field": (lambda: marked("title", 0), lambda: marked("title", 1)),
    "metadata of a record": (lambda: marked("field", 0)[0], lambda: marked("field", 1)[0]),
    "alignment": (lambda: aligned(False), lambda: aligned(True)),
    "what stands for no text": (
        lambda: np.zeros(1, np.dtypes.StringDType(na_object=None)),
        lambda: np.zeros(1, np.dtypes.StringDType(na_object=math.nan)),
    ),
    "last zero of a text": (lambda: np.bytes_(b"a"), lambda: np.bytes_(b"a\0")),
    "last zero of a str": (lambda: np.str_("a"), lambda: np.str_("a\0")),
    "long name of an index": (lambda: titled("x" * 1200 + "a"), lambda: titled("x" * 1200 + "b")),
    "name of an index": (lambda: index(name="a"), lambda: index(name="b")),
    "frequency of days": (lambda: days("D"), lambda: days(None)),
    "kind of an index": (lambda: indexed(0), lambda: indexed(1)),
    "unit of a time": (lambda: stamp("s"), lambda: stamp("ns")),
    "zero that is stored": (lambda: stored(1), lambda: stored(2)),
    "attribute of a frame": (lambda: frame(rows=0), lambda: frame(rows=1)),
    "attribute of a frame as pandas calls one": (lambda: frame(_id=0), lambda: frame(_id=1)),
    "attribute of a matrix": (lambda: sparse(rows=0), lambda: sparse(rows=1)),
    "how much of a matrix is shown": (lambda: sparse(maxprint=5), lambda: sparse(maxprint=6)),
    "order of a matrix's keys": (lambda: keyed(0, 1), lambda: keyed(1, 0)),
    "rounded single among others": (lambda: [np.float32(0.1), 1.0], lambda: [np.float32(0.2), 1.0]),
}


@pytest.mark.parametrize("name", PAIRS)
def test_outputs_that_differ_in_one_place_are_told_apart(name: str) -> None:
    one, other = (parts_of(make()) for make in PAIRS[name])
    assert one != other


@pytest.mark.parametrize("name", PAIRS)
def test_outputs_that_are_alike_are_not_told_apart(name: str) -> None:
    for make in PAIRS[name]:
        assert parts_of(make()) == parts_of(make())
        assert canonical(settle(make(), (), portray)) == canonical(settle(make(), (), portray))


IN_WORDS = [
    ("name of an index", lambda said: titled(said)),
    ("name of a column", lambda said: index(name=said)),
    ("constant", lambda said: made_code(repr(said))),
    ("name", lambda said: made_code(f"x.{said}")),
    ("function", named),
    ("class", lambda said: type(said, (), {})()),
    ("exception", lambda said: raised(type(said, (ValueError,), {})("x"), (), portray)),
    ("module", lambda said: types.ModuleType(said)),
    ("zone", lambda said: when(tm_zone=said)),
    ("title", lambda said: np.zeros(1, [((said, "a"), "f8")])),
]


@pytest.mark.parametrize(("name", "make"), IN_WORDS, ids=[name for name, _ in IN_WORDS])
def test_words_that_never_come_again_are_looked_at_character_by_character(
    name: str, make: Callable[[str], Any]
) -> None:
    one, other = (parts_of(make(f"noise{end}")) for end in "ab")
    characters = [part for part in one ^ other if part[0].endswith(" character")]
    assert characters, name


def test_the_same_code_gives_the_same_digest_in_every_process() -> None:
    """The order of a set is made from hashes, which are others in each process."""
    script = (
        "from dpcheck.execution.made_code import digest_of\n"
        "from dpcheck.execution.portrait import portray\n"
        "from dpcheck.privacy.statistics.observations import canonical\n"
        "made = eval(\"lambda x: x in {'aa', 'bb', 'cc', 'dd'}\")\n"
        "print(digest_of(made.__code__), hash(()), canonical(portray(made)))\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(dpcheck.__file__).parents[1])},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]


def test_code_that_stands_in_a_module_is_told_by_a_digest() -> None:
    def local() -> int:
        return 1

    assert stands_in(__name__, local.__code__)
    assert stands_in("dpcheck.execution.portrait", portray.__code__)
    assert not stands_in(__name__, made_code("1").__code__)
    assert digest_of(local.__code__) in portray(local).text
    assert "instructions" not in str(portray(local))


def test_a_slot_under_another_has_a_name_of_its_own() -> None:
    assert own_state(shadowed(7)) == {"x": 1, "x (slot of Slotted)": 7}


def test_the_bytes_that_no_long_double_uses_are_no_event() -> None:
    one = np.array([0.5, 1.5], np.longdouble)
    other = one.copy()
    if np.finfo(np.longdouble).nmant == 63:
        other.view(np.uint8).reshape(2, -1)[:, 10:] = 7
    assert canonical(one) == canonical(other)
    assert canonical(one[0]) == canonical(other[0])


def test_singles_rounded_to_places_are_whole_numbers_of_units() -> None:
    rounded = np.array([0.1, 99.99, 3.14, 41.0], np.float32)
    assert decimals_of([rounded]) == 2
    assert whole_of(rounded, [2]).tolist() == [10, 9999, 314, 4100]
    noise = np.random.default_rng(0).laplace(size=12).astype(np.float32)
    assert decimals_of([noise]) == -1


LEARNER = '''
def predicts(dataset, rng):
    """Publishes its record in the text of a function."""
    return eval(f"lambda x: {dataset[0]!r} * x + {rng.laplace()!r}")


def fails(dataset, rng):
    """Publishes its record in the number of an error."""
    if rng.random() < 0.5:
        return 0.0
    raise ValueError(f"status 0x{int(dataset[0])}")
'''


@pytest.mark.turns(6)
@pytest.mark.parametrize("learner", ["predicts", "fails"])
def test_on_the_command_line_the_claim_is_refuted(learner: str, tmp_path: Path) -> None:
    (tmp_path / "leaks.py").write_text(LEARNER, encoding="utf-8")
    command = [sys.executable, "-m", "dpcheck", "audit", f"leaks.py:{learner}", "--epsilon", "1"]
    command += ["--bounds", "0,1", "--size", "1", "--max-samples", "3000", "--seed", "3"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(dpcheck.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "VIOLATED" in done.stdout


def test_code_that_a_learner_came_with_is_the_same_for_all() -> None:
    """A learner that was sent as code, as one of a notebook is, has no module where it runs."""
    held: dict[str, Any] = {"__name__": "nowhere"}
    exec("class Fit:\n    def ask(self): return 7\ndef learner(data, rng):\n    return Fit()\n", held)
    know_code_of(held["learner"])
    assert "instructions" not in str(portray(held["Fit"]()))
    assert "instructions" in str(portray(type("Fit", (), {"ask": made_code("8")})()))
