"""Outputs of one kind that differ in what no number and no attribute says: a token or a column tells them apart."""

from __future__ import annotations

import array
import collections
import ctypes
import dataclasses
import datetime
import enum
import fractions
import functools
import random
import struct
import zoneinfo
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from dpcheck import Status, audit
from dpcheck.execution.answers import Answers
from dpcheck.privacy.statistics.leaves import drawn, leaves_of, left_out
from dpcheck.privacy.statistics.observations import observe
from dpcheck.privacy.statistics.wide import DIGITS, digit_name, digits_of

Make = Callable[[int], Any]


def nan_of(payload: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000000 | payload))[0])


class Holding:
    """A descriptor that holds something."""

    def __init__(self, held: int) -> None:
        self.held = held

    def __get__(self, owner: Any, kind: type) -> int:
        return 1


def method(value: int, *, keeps: str) -> Callable[..., int]:
    """A function that gives ``value``, which it closes over or has as a default."""
    if keeps == "default":
        return lambda self, given=value: given
    return lambda self: value


#: What a class made on the way may hold, by where: the dictionary of the class, given the record.
IN_A_CLASS: dict[str, Callable[[int], dict[str, Any]]] = {
    "closure": lambda record: {"predict": method(record, keeps="closure")},
    "default": lambda record: {"predict": method(record, keeps="default")},
    "static method": lambda record: {"predict": staticmethod(method(record, keeps="closure"))},
    "class method": lambda record: {"predict": classmethod(method(record, keeps="closure"))},
    "property": lambda record: {"predict": property(method(record, keeps="closure"))},
    "setter": lambda record: {"predict": property(method(1, keeps="default"), method(record, keeps="closure"))},
    "cached property": lambda record: {"predict": functools.cached_property(method(record, keeps="closure"))},
    "partial method": lambda record: {"predict": functools.partialmethod(print, record)},
    "descriptor": lambda record: {"predict": Holding(record)},
    "data": lambda record: {"slope": record},
    "words": lambda record: {"__doc__": f"fitted to {record}"},
    "annotation": lambda record: {"__annotations__": {"slope": record}},
    "class inside": lambda record: {"Inner": type("Inner", (), {"slope": record})},
}


def noisy_object(kind: type) -> Any:
    found = kind()
    found.weight = 0.5
    return found


def sparse(record: int) -> Any:
    found = scipy.sparse.csr_matrix((np.array([1.0, 0.0]), ([0, 1], [0, 1])), shape=(3, 3))
    if record:
        found.eliminate_zeros()
    return found


def noon(zone: datetime.tzinfo) -> datetime.datetime:
    return datetime.datetime(2020, 7, 1, 12, tzinfo=zone)


KINDS: dict[str, Make] = {
    "name of a time zone": lambda record: noon(datetime.timezone(datetime.timedelta(0), "AB"[record])),
    "time zone": lambda record: noon(zoneinfo.ZoneInfo("Europe/Paris" if record else "Europe/Berlin")),
    "type of the numbers of an array.array": lambda record: array.array("lq"[record], [1, 2]),
    "shape of a memoryview": lambda record: memoryview(np.arange(6, dtype="u1").reshape(2 + record, 3 - record)),
    "names of a named tuple": lambda record: collections.namedtuple("P", ["x", "yz"[record]])(1, 2),
    "how a dataclass was made": lambda record: dataclasses.make_dataclass("P", [("x", int)], eq=bool(record))(1),
    "state of a generator": lambda record: random.Random(record),
    "what is written on a dtype": lambda record: np.zeros(1, np.dtype("f8", metadata={"k": record})),
    "byte of a truth": lambda record: np.array([1, 1 + record], "u1").view("?"),
    "byte of a truth among others": lambda record: {"m": np.array([1, 1 + record], "u1").view("?")},
    "frequency of an index": lambda record: pd.Series(
        [0.5, 1.5], pd.DatetimeIndex(["2020-01-01", "2020-01-02"], freq="D" if record else None)
    ),
    "name of an index": lambda record: pd.Series([0.5, 1.5], pd.Index([1, 2], name="ab"[record])),
    "zeros that are stored": sparse,
    "NaN": lambda record: nan_of(record),
    "NaN in a complex number": lambda record: complex(1.0, nan_of(record)),
    **{
        f"{place} of a class": lambda record, held=held: noisy_object(type("Fit", (), held(record)))
        for place, held in IN_A_CLASS.items()
    },
    "base of a class": lambda record: noisy_object(type("Fit", (type("Base", (), {"slope": record}),), {})),
    "class of a class": lambda record: noisy_object(type("Meta", (type,), {"slope": record})("Fit", (), {})),
    "member of an enumeration that is not the answer": lambda record: enum.Enum("E", {"A": 1, "B": 2 + record})["A"],
    "types of the fields of a named tuple": lambda record: NamedTuple("P", [("x", (int, float)[record])])(1),
    "compiled type": lambda record: (ctypes.c_int * 2)(5, record),
    "flags of a series": lambda record: pd.Series([0.5, 1.5]).set_flags(allows_duplicate_labels=bool(record)),
    "title of a field": lambda record: np.zeros(2, np.dtype([(("AB"[record], "a"), "f8")])),
}


#: Those that only a part of the output says, or that are drawn part by part.
BY_PARTS_ALONE = {
    *("state of a generator", "NaN in a complex number", "byte of a truth among others", "title of a field"),
}


@pytest.mark.parametrize("name", sorted(set(KINDS) - BY_PARTS_ALONE))
def test_which_answer_it_is_says_it(name: str) -> None:
    seen = observe(Answers([drawn(KINDS[name](record)) for record in (0, 1, 0)]), "real")
    zero, one, again = zip(seen.tokens.tolist(), seen.kinds.tolist(), strict=True)
    assert zero != one
    assert zero == again


@pytest.mark.parametrize("name", KINDS)
def test_a_part_says_it(name: str) -> None:
    """Never-repeating numbers beside it do not hide it: it is in a leaf of its own."""
    zero, one = ({repr(leaf) for leaf in leaves_of(KINDS[name](record))} for record in (0, 1))
    assert zero != one


UNREAD: dict[str, Make] = {
    "long double": lambda record: np.longdouble(1) + np.longdouble(2) ** -60 * record,
    "array of long doubles": lambda record: np.array([0, np.longdouble(1) + np.longdouble(2) ** -60 * record]),
    "complex long double": lambda record: np.clongdouble(1) + np.longdouble(2) ** -60 * record,
    "bytes between fields": lambda record: padded(record),
    "state of NumPy's generator": lambda record: np.random.default_rng(record) if record else 1.0,
}


def padded(record: int) -> Any:
    found = np.zeros(2, dtype=np.dtype([("a", "u1"), ("b", "f8")], align=True))
    found.view("u1")[3] = record
    return found


@pytest.mark.parametrize("record", [0, 1])
def test_bytes_between_fields_are_those_of_the_output(record: int) -> None:
    """NumPy's copies of records have there what memory held: such an answer would be named, or not, by chance."""
    for _ in range(200):
        scratch = [np.full(32, 165, np.uint8) for _ in range(8)]  # memory that a copy may be made in
        del scratch
        assert bool(left_out(leaves_of(padded(record)))) is bool(record)


@pytest.mark.parametrize("name", UNREAD)
def test_what_no_rule_reads_is_named(name: str) -> None:
    if np.finfo(np.longdouble).nmant <= 52 and "double" in name:
        pytest.skip("long doubles are doubles here")
    assert left_out(leaves_of(UNREAD[name](1)))
    assert not left_out(leaves_of(UNREAD[name](0)))


#: Learners with the record among random numbers: each output comes once.
AMONG_NOISE: dict[str, Callable[[list[int], np.random.Generator], Any]] = {
    "high digit of a whole number": lambda data, rng: (
        int(rng.integers(10**5)) * 10**13 + (3 + 5 * int(data[0])) * 10**12 + int(rng.integers(10**12))
    ),
    "digit of a whole number": lambda data, rng: int(rng.integers(10**6)) * 1000 + 300 + 400 * data[0],
    "rest by 7": lambda data, rng: int(rng.integers(10**6)) * 7 + 3 * data[0],
    "bit of a NaN": lambda data, rng: nan_of(2 * int(rng.integers(2**30)) + data[0]),
    "denominator": lambda data, rng: fractions.Fraction(2 * int(rng.integers(10**9)) + 1, 10**18 + 7 + 2 * data[0]),
    "large whole number beside noise": lambda data, rng: [10**18 + data[0], float(rng.random())],
}


@pytest.mark.turns(6)
@pytest.mark.parametrize("name", AMONG_NOISE)
def test_a_record_among_noise_is_found(name: str, seed: int) -> None:
    """The witness is certified at alpha = 1e-6; power: each call tells, so that 200 calls are enough for any seed."""
    learner = AMONG_NOISE[name]
    verdict = audit(learner, 1.0, pairs=[([0], [1])], max_samples=400, isolation="none", seed=seed)
    assert verdict.status is Status.VIOLATED


@pytest.mark.turns(4)
def test_the_context_of_an_exception_is_a_part_of_it(seed: int) -> None:
    def learner(data: list[int], rng: np.random.Generator) -> float:
        if rng.random() < 0.5:
            return 1.0
        try:
            raise (KeyError if data[0] else IndexError)("q")
        except LookupError:
            raise ValueError("x")  # noqa: B904

    verdict = audit(learner, 1.0, pairs=[([0], [1])], max_samples=1000, isolation="none", seed=seed)
    assert verdict.status is Status.VIOLATED


@pytest.mark.turns(6)
@pytest.mark.parametrize("name", AMONG_NOISE)
def test_a_coin_there_is_no_record(name: str, seed: int) -> None:
    learner = AMONG_NOISE[name]
    verdict = audit(
        lambda data, rng: learner([int(rng.integers(2))], rng),
        1.0, pairs=[([0], [1])], max_samples=300, isolation="none", alpha=1e-9, seed=seed,
    )  # fmt: skip
    assert verdict.status is not Status.VIOLATED


def test_digits_are_those_that_are_written() -> None:
    names = [digit_name(digit) for digit in range(DIGITS)]
    assert len(set(names)) == DIGITS
    found = dict(zip(names, digits_of(np.array([[-4_375]]).view(np.uint64), DIGITS)[0].tolist(), strict=True))
    assert found["the digit of 10s being odd"] == 1
    assert found["the digit of 10s being 2 or 7"] == 1
    assert found["the digit of 1,000s being 4 or 9"] == 1
    assert found["the digit of 1,000s being odd"] == 0
