"""Outputs made of noise with one raw record in one place: the family that ``hidden_records.py`` goes through.

A case is a *kind* of place (a bit, a key, a dtype, a closure's cell, ...) with sizes and positions that hypothesis
draws, put into containers that it draws too, among noise. The same case with a fair coin in the place of the record has
no leak: whoever accuses it is wrong.
"""

from __future__ import annotations

import array
import collections
import ctypes
import dataclasses
import datetime
import enum
import functools
import ipaddress
import math
import os
import pathlib
import re
import string
import threading
import time
import types
import uuid
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

Rng = np.random.Generator


@dataclass(frozen=True)
class Drawn:
    """What hypothesis draws for a case; each kind takes what it needs."""

    size: int
    place: int
    bits: int
    text: int
    choice: int

    @property
    def at(self) -> int:
        """A place among ``size`` others."""
        return self.place % (self.size + 1)


#: Makes a value with this record (0 or 1) in the place of the kind.
Kind = Callable[[Drawn, Rng, int], Any]
KINDS: dict[str, Kind] = {}
#: Kinds whose place is the whole output: nothing is put around them.
BARE: set[str] = set()
#: Kinds that are events under exact numerics only.
EXACT: set[str] = set()


def kind(name: str, *, bare: bool = False, exact: bool = False) -> Callable[[Kind], Kind]:
    """Enter a kind under its name."""

    def enter(make: Kind) -> Kind:
        assert name not in KINDS, name
        KINDS[name] = make
        if bare:
            BARE.add(name)
        if exact:
            EXACT.add(name)
        return make

    return enter


def letters(rng: Rng, count: int) -> str:
    return "".join(rng.choice(list(string.ascii_lowercase), count))


def either(name: str, one: Callable[[Rng], Any], other: Callable[[Rng], Any], *, bare: bool = False) -> None:
    """Enter a kind that tells the record by which of two makers made the value, from the same noise."""

    def make(drawn: Drawn, rng: Rng, record: int) -> Any:
        seed = int(rng.integers(0, 2**60))
        return (one, other)[record](np.random.default_rng(seed))

    kind(name, bare=bare)(make)


# --- numbers -----------------------------------------------------------------------------------------------------


@kind("bit of an int")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    place = drawn.place % drawn.bits
    noise = int.from_bytes(rng.bytes(-(-drawn.bits // 8)), "little") % (1 << drawn.bits)
    return noise & ~(1 << place) | record << place


@kind("bit of a negative int")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return -1 - KINDS["bit of an int"](drawn, rng, record)


@kind("rest of an int")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return int(rng.integers(0, 10**9)) * (3, 5, 10)[drawn.choice % 3] + record


@kind("bit of an integer in an array")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    dtype = np.dtype(("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8")[drawn.choice % 10])
    values = np.frombuffer(rng.bytes((drawn.size + 1) * dtype.itemsize), dtype).copy()
    place = dtype.type(1 << (drawn.bits % (8 * dtype.itemsize - 1)))
    values[drawn.at] = values[drawn.at] | place if record else values[drawn.at] & ~place
    return values


@kind("bit of a numpy integer")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return KINDS["bit of an integer in an array"](dataclasses.replace(drawn, size=0), rng, record)[0]


@kind("number in an array")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values = rng.laplace(size=drawn.size + 1)
    values[drawn.at] = record
    return values.astype(("f8", "f4", "f2", ">f8", "g", "c16", "c8", "O")[drawn.choice % 8])


@kind("number in a matrix")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values = rng.normal(size=(3, drawn.size + 1))
    values[drawn.choice % 3, drawn.at] = record
    return values if drawn.choice % 2 else values.tolist()


@kind("shift of a number in an array")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values = rng.normal(size=drawn.size + 1)
    values[drawn.at] += 6.0 * record
    return values


@kind("number in a list")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values = rng.laplace(size=drawn.size).tolist()
    values.insert(drawn.at, float(record))
    return values if drawn.choice % 2 else tuple(values)


@kind("sign of a number")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return math.copysign(float(rng.exponential()), 1 - 2 * record)


@kind("bit of a double", exact=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    bits = np.array([rng.laplace()]).view(np.uint64)
    place = np.uint64(drawn.place % 52)
    bits[0] = bits[0] & ~(np.uint64(1) << place) | np.uint64(record) << place
    return float(bits.view(np.float64)[0])


@kind("bit of a double above the low ones")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    bits = np.array([rng.laplace()]).view(np.uint64)
    place = np.uint64(14 + drawn.place % 26)
    bits[0] = bits[0] & ~(np.uint64(1) << place) | np.uint64(record) << place
    return float(bits.view(np.float64)[0])


@kind("digit of a rounded number")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    digits = 1 + drawn.place % 6
    return round((2 * int(rng.laplace(scale=10.0**digits)) + record) / 10**digits, digits)


@kind("sign of zero")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    zero = -0.0 if record else 0.0
    values = rng.laplace(size=drawn.size).tolist()
    values.insert(drawn.at, zero)
    shown = (zero, np.float64(zero), np.float32(zero), values, np.array(values), np.array(values, "f2"), Decimal(zero))
    return (*shown, complex(0.5, zero), complex(zero, 1.0), np.array([complex(1.0, zero)]))[drawn.choice % 10]


@kind("bits of NaN")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    whole = np.uint64(0x7FF8000000000000 | record << (drawn.place % 51))
    if drawn.choice % 3 == 0:
        whole = np.uint64(0x7FF8000000000000 | record << 63)
    payload = np.array([whole]).view(np.float64)
    among = np.concatenate([rng.laplace(size=drawn.size), payload])
    single = np.array([0x7FC00000 | record << (drawn.place % 22)], np.uint32).view(np.float32)
    shown = (payload[0], among, float(payload[0]), single[0], {"a": payload}, [1.0, float(payload[0])])
    return shown[drawn.choice % 6]


@kind("what is not finite")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    odd = (math.nan, math.inf, -math.inf)
    values = rng.laplace(size=drawn.size).tolist()
    values.insert(drawn.at, odd[drawn.choice % 3] if record else odd[(drawn.choice + 1) % 3])
    return values if drawn.choice % 2 else np.array(values)


@kind("part of a complex number")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = complex(rng.laplace(), record) if drawn.choice % 2 else complex(record, rng.laplace())
    return (found, np.complex128(found), np.array([found, 1j]), np.complex64(found))[drawn.choice % 4]


@kind("part of a fraction")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    odd = 2 * int(rng.integers(0, 2**40)) + 1
    return Fraction(odd, 2 * 3**40 if record else 3**41) if drawn.choice % 2 else Fraction(odd, 2 + record)


@kind("digit of a decimal")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    noise = int(rng.integers(0, 10**9))
    shown = (f"{noise}.{record}", f"{noise}E{record}", f"{noise}.50" if record else f"{noise}.5", f"{record}.{noise}")
    return Decimal(shown[drawn.choice % 4])


@kind("sort of decimal NaN")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return Decimal(("NaN", "sNaN")[record] if drawn.choice % 2 else ("NaN1", "NaN2")[record])


either("bool or int", lambda rng: True, lambda rng: 1)
either("int or float", lambda rng: int(rng.integers(9)), lambda rng: float(rng.integers(9)))
either("int or np.int64", lambda rng: int(rng.integers(99)), lambda rng: rng.integers(99))
either("float or np.float64", lambda rng: float(rng.laplace()), lambda rng: np.float64(rng.laplace()))
either("bool or np.bool_", lambda rng: bool(rng.integers(2)), lambda rng: np.bool_(rng.integers(2)))
either("complex or np.complex128", lambda rng: complex(rng.laplace()), lambda rng: np.complex128(rng.laplace()))
either("np.float32 or np.float64", lambda rng: np.float32(rng.integers(9)), lambda rng: np.float64(rng.integers(9)))
either("np.int64 or np.uint64", lambda rng: np.int64(rng.integers(9)), lambda rng: np.uint64(rng.integers(9)))
either("np.int32 or np.int64", lambda rng: np.int32(rng.integers(9)), lambda rng: np.int64(rng.integers(9)))
either("np.longlong or np.int64", lambda rng: np.longlong(rng.integers(9)), lambda rng: np.int64(rng.integers(9)))
either("np.longdouble or np.float64", lambda rng: np.longdouble(rng.laplace()), lambda rng: np.float64(rng.laplace()))
either("scalar or array of none", lambda rng: np.float64(rng.laplace()), lambda rng: np.array(rng.laplace()))
either("number or array of one", lambda rng: float(rng.laplace()), lambda rng: np.array([rng.laplace()]))
either("str or np.str_", lambda rng: letters(rng, 3), lambda rng: np.str_(letters(rng, 3)))
either("str or subclass", lambda rng: letters(rng, 3), lambda rng: Label(letters(rng, 3)))
either("bytes or np.bytes_", lambda rng: rng.bytes(3), lambda rng: np.bytes_(rng.bytes(3)))
either("bytes or bytearray", lambda rng: rng.bytes(3), lambda rng: bytearray(rng.bytes(3)))
either("str or bytes", lambda rng: letters(rng, 3), lambda rng: letters(rng, 3).encode())
either("float or Fraction", lambda rng: rng.integers(9) / 8, lambda rng: Fraction(int(rng.integers(9)), 8))
either("float or Decimal", lambda rng: rng.integers(9) / 8, lambda rng: Decimal(int(rng.integers(9))) / 8)
either("int or IntEnum", lambda rng: int(rng.integers(2)), lambda rng: Grade(int(rng.integers(2))))
either("None or NaN", lambda rng: None, lambda rng: math.nan)
either("None or text", lambda rng: None, lambda rng: "None")
either("None or Ellipsis", lambda rng: None, lambda rng: ...)
either("NotImplemented or Ellipsis", lambda rng: NotImplemented, lambda rng: ...)
either("tuple or list", lambda rng: tuple(rng.laplace(size=2).tolist()), lambda rng: rng.laplace(size=2).tolist())
either("list or array", lambda rng: rng.laplace(size=2).tolist(), lambda rng: rng.laplace(size=2))
either("tuple or named tuple", lambda rng: (1, letters(rng, 3)), lambda rng: Point(1, letters(rng, 3)))
either("set or frozenset", lambda rng: {int(rng.integers(9))}, lambda rng: frozenset({int(rng.integers(9))}))
either("dict or OrderedDict", lambda rng: {"a": rng.laplace()}, lambda rng: collections.OrderedDict(a=rng.laplace()))
either("dict or Counter", lambda rng: {"a": 1}, lambda rng: collections.Counter(a=1))
either("list or deque", lambda rng: [rng.laplace()], lambda rng: collections.deque([rng.laplace()]))
either("range or list", lambda rng: range(3), lambda rng: list(range(3)))
either("length of deque", lambda rng: collections.deque([1], 3), lambda rng: collections.deque([1], 4))
either("empty list or nested", lambda rng: [], lambda rng: [[]])
either("empty list or tuple", lambda rng: [], lambda rng: ())
either("empty text or none", lambda rng: "", lambda rng: None)
either("empty dict or set", lambda rng: {}, lambda rng: set())


class Label(str):
    """A text of another type."""


class Grade(enum.IntEnum):
    LOW, HIGH = 0, 1


class Point(NamedTuple):
    x: Any
    y: Any


# --- texts -------------------------------------------------------------------------------------------------------


@kind("character of a text")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return letters(rng, drawn.text) + "ab"[record] + letters(rng, drawn.size)


@kind("case of a character")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = letters(rng, drawn.text)
    return found[:-1] + (found[-1].upper() if record else found[-1]) + letters(rng, drawn.size)


@kind("space in a text")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    between = ((" ", "  "), ("", "\n"), (" ", "\t"), ("", "\u200b"), (" ", "\u00a0"))[drawn.choice % 5][record]
    return letters(rng, drawn.text) + between + letters(rng, 1 + drawn.size)


@kind("form of a character")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return letters(rng, drawn.text) + ("\u00e9", "e\u0301")[record] + letters(rng, drawn.size)


@kind("length of a text")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return letters(rng, 2 * int(rng.integers(1, 20)) + record)


@kind("number in a text")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return f"{letters(rng, drawn.text)} {2 * int(rng.integers(0, 10**9)) + record} {letters(rng, 3)}"


@kind("word in a text")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    words = [letters(rng, 4) for _ in range(drawn.size)]
    words.insert(int(rng.integers(0, drawn.size + 1)), ("no", "yes")[record])
    return " ".join(words)


@kind("byte")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = bytearray(rng.bytes(drawn.size + 1))
    found[drawn.at] = found[drawn.at] & 0xFE | record
    return (bytes(found), found, memoryview(bytes(found)), np.frombuffer(bytes(found), np.uint8))[drawn.choice % 4]


@kind("far in a text")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return letters(rng, 2) + " " * 12_000 + "ab"[record]


@kind("beyond a text's limit")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return letters(rng, 2) + " " * 150_000 + "ab"[record]


@kind("text in an array")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values = [letters(rng, 4) for _ in range(drawn.size + 1)]
    values[drawn.at] = values[drawn.at][:3] + "ab"[record]
    return np.array(values, ("U4", "S4", "O", "U9")[drawn.choice % 4])


# --- lists, sets, dictionaries -----------------------------------------------------------------------------------


@kind("length of a list")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return rng.normal(size=drawn.size + record).tolist()


@kind("parity of a length")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return rng.normal(size=2 * int(rng.integers(1, 9)) + record).tolist()


@kind("order of a list")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return sorted(rng.normal(size=drawn.size + 2).tolist(), reverse=bool(record))


@kind("two neighbours in order")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values = rng.normal(size=drawn.size + 2)
    two = np.sort(values[drawn.at : drawn.at + 2])
    values[drawn.at : drawn.at + 2] = two[::-1] if record else two
    return values


@kind("type of an element")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values: list[Any] = rng.normal(size=drawn.size).tolist()
    pairs = ((1, 1.0), (1, True), (1, np.int64(1)), (0.5, np.float64(0.5)), (True, np.bool_(True)), ("a", b"a"))
    values.insert(drawn.at, pairs[drawn.choice % 6][record])
    return values if drawn.place % 2 else tuple(values)


@kind("element that is none")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values: list[Any] = rng.normal(size=drawn.size).tolist()
    values.insert(drawn.at, (None, float(rng.normal()))[record])
    return values


@kind("text among numbers")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values: list[Any] = rng.normal(size=drawn.size).tolist()
    values.insert(drawn.at, ("no", "yes")[record])
    return values


@kind("label among many")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = rng.choice(["fire", "pond"], drawn.size).tolist()
    found.insert(drawn.at, ("fire", "pond")[record])
    return found


@kind("row of rows")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    rows = rng.normal(size=(drawn.size + 1, 2)).tolist()
    rows[drawn.at] = rows[drawn.at] + [0.0] * record
    return rows


@kind("deep in a list")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found: Any = [float(record), float(rng.normal())]
    for _ in range(drawn.bits % 40):
        found = [found] if drawn.choice % 2 else (found,)
    return found


@kind("member of a set")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = {*rng.integers(0, 10**6, drawn.size).tolist(), -1 - record}
    return found if drawn.choice % 2 else frozenset(found)


@kind("type of a member")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {*rng.integers(10, 10**6, drawn.size).tolist(), ((1, True), (1, 1.0), (1, "1"))[drawn.choice % 3][record]}


@kind("parity of a set's sum")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {2 * int(rng.integers(0, 10**6)) + record}


@kind("key")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found: dict[Any, Any] = {f"k{i}": float(x) for i, x in enumerate(rng.laplace(size=drawn.size))}
    keys = (("a", "b"), (0, 1), (1, 1.0), (1, True), (1, "1"), ((0,), (1,)), (None, "None"), (b"a", "a"))
    return {**found, keys[drawn.choice % 8][record]: 0.0}


@kind("number in a key")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {2 * int(rng.integers(0, 10**6)) + record: 1.0}


@kind("value of a key")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {f"k{i}": float(x) for i, x in enumerate(rng.laplace(size=drawn.size))} | {f"k{drawn.at}": float(record)}


@kind("order of keys")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = {f"k{i}": float(x) for i, x in enumerate(rng.laplace(size=drawn.size + 2))}
    return dict(sorted(found.items(), reverse=bool(record)))


@kind("two keys in order")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    keys = [f"k{i:03}" for i in range(drawn.size + 2)]
    if record:
        keys[drawn.at], keys[drawn.at + 1] = keys[drawn.at + 1], keys[drawn.at]
    return {key: float(rng.normal()) for key in keys}


@kind("dictionary's own default")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return collections.defaultdict((int, float)[record], a=rng.normal())


# --- arrays ------------------------------------------------------------------------------------------------------


@kind("shape")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values = rng.normal(size=2 * (drawn.size + 1))
    shapes = ((-1,), (1, -1)), ((-1, 1), (1, -1)), ((2, -1), (-1, 2)), ((-1,), (-1, 1)), ((1, 1, -1), (1, -1))
    return values.reshape(shapes[drawn.choice % 5][record])


@kind("shape of nothing")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return np.zeros(((0, 2), (0, 3))[record]) if drawn.choice % 2 else np.zeros(0, ("f8", "f4")[record])


@kind("dtype")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    pairs = (("f8", "f4"), ("i8", "i4"), ("i8", "u8"), ("f8", ">f8"), ("i4", "f4"), ("?", "u1"), ("f2", "f4"))
    more = (("f8", "g"), ("c16", "c8"), ("U4", "U5"), ("S4", "S5"), ("i8", "O"), ("M8[s]", "M8[ms]"), ("i8", "m8[s]"))
    return rng.integers(0, 2, drawn.size + 1).astype((*pairs, *more)[drawn.choice % 14][record])


@kind("array of no size, its dtype")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return np.array(rng.integers(0, 9), (("i8", "i4"), ("f8", "f4"), ("i8", "f8"))[drawn.choice % 3][record])


@kind("field of a structured array")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = np.zeros(drawn.size + 1, [("a", "f8"), ("b", "i4"), ("c", "U3")])
    found["a"], found["b"] = rng.laplace(size=drawn.size + 1), rng.integers(0, 10**6, drawn.size + 1)
    if drawn.choice % 3 == 0:
        found["a"][drawn.at] = record
    elif drawn.choice % 3 == 1:
        found["b"][drawn.at] = found["b"][drawn.at] // 2 * 2 + record
    else:
        found["c"][drawn.at] = "ab"[record]
    return found if drawn.place % 3 else found[drawn.at] if drawn.place % 2 else found.view(np.recarray)


@kind("name of a field")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = np.zeros(drawn.size + 1, [("a", "f8"), ("bc"[record], "i4")])
    found["a"] = rng.laplace(size=drawn.size + 1)
    return found


@kind("order of fields")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return np.zeros(3, [("a", "f8"), ("b", "f8")][:: 1 - 2 * record])


@kind("mask")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    mask = np.zeros(drawn.size + 2, bool)
    mask[drawn.at] = record
    mask[-1] = True
    return np.ma.MaskedArray(rng.normal(size=drawn.size + 2), mask)


@kind("what a mask covers")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    values = rng.normal(size=drawn.size + 1)
    values[drawn.at] = record
    return np.ma.MaskedArray(values, np.arange(drawn.size + 1) == drawn.at)


@kind("fill value")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return np.ma.MaskedArray(rng.normal(size=3), [0, 1, 0], fill_value=float(record))


@kind("datetime")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    when = np.datetime64("2020-01-01", "us") + np.timedelta64(2 * int(rng.integers(0, 10**9)) + record, "us")
    many = np.full(drawn.size + 1, when)
    day = datetime.datetime(2020, 1, 1) + datetime.timedelta(microseconds=2 * int(rng.integers(0, 10**9)) + record)
    zone = datetime.timezone(datetime.timedelta(hours=record))
    shown = (when, many, day, day.time(), day - datetime.datetime(2019, 1, 1), day.replace(microsecond=0, fold=record))
    plain = datetime.datetime(2020, 1, 1, int(rng.integers(0, 24)))
    more = (
        plain.replace(tzinfo=zone),
        when - when + np.timedelta64(record, "s"),
        np.datetime64("NaT", ("s", "ms")[record]),
    )
    dates = (datetime.date(2020, int(rng.integers(1, 13)), 1 + 2 * int(rng.integers(0, 14)) + record),)
    times = (day.time().replace(microsecond=0, fold=record), day.time().replace(tzinfo=zone))
    return (*shown, *more, *dates, *times)[drawn.choice % 12]


@kind("unit of a datetime")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = np.datetime64(int(rng.integers(0, 10**4)), "D")
    return (
        found.astype(f"M8[{('s', 'ms')[record]}]")
        if drawn.choice % 2
        else np.array([found]).astype(("M8[s]", "M8[ms]")[record])
    )


@kind("element of an object array")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = np.empty(drawn.size + 1, object)
    found[:] = rng.normal(size=drawn.size + 1)
    found[drawn.at] = (record, "ab"[record], [record], {"a": record}, (1, 1.0)[record], Fraction(record))[
        drawn.choice % 6
    ]
    return found.reshape((1, -1)) if drawn.place % 2 else found


either("matrix or array", lambda rng: np.asmatrix(rng.normal(size=(2, 2))), lambda rng: rng.normal(size=(2, 2)))
either(
    "recarray or array",
    lambda rng: np.zeros(2, [("a", "f8")]).view(np.recarray),
    lambda rng: np.zeros(2, [("a", "f8")]),
)


@kind("number of array.array")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    if drawn.choice % 3 == 0:
        return array.array("df"[record], rng.integers(0, 4, 3).tolist())
    if drawn.choice % 3 == 1:
        return array.array("il"[record], rng.integers(0, 4, 3).tolist())
    return array.array("d", [*rng.normal(size=drawn.size), record])


# --- objects -----------------------------------------------------------------------------------------------------


@dataclass
class Fit:
    weight: Any
    name: str = "a"
    hidden: Any = dataclasses.field(default=0, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Frozen:
    weight: Any
    more: Any


class Slotted:
    __slots__ = ("_secret", "weight")

    def __init__(self, weight: Any, secret: Any) -> None:
        self.weight, self._secret = weight, secret


class Model:
    shared: Any = None

    def __init__(self, **held: Any) -> None:
        self.__dict__.update(held)

    def answer(self) -> None: ...


class Equal(Model):
    """Equal to all, shown as all others, of one hash."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "Equal()"

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


class Colour(enum.Enum):
    RED, GREEN = 0.5, 1.5


class Rights(enum.Flag):
    READ, WRITE, RUN = 1, 2, 4


@kind("field of a dataclass")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    noise = float(rng.laplace())
    shown = (Fit(noise, "ab"[record]), Fit(record), Fit(noise, hidden=record), Frozen(noise, record))
    return (*shown, Frozen(noise, Fit(record)))[drawn.choice % 5]


@kind("attribute beside a dataclass's fields")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = Fit(float(rng.laplace()))
    setattr(found, ("extra", "_fitted")[drawn.choice % 2], record)
    return found


@kind("name of an attribute")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return Model(weight=rng.laplace(), **{"ab"[record]: 1})


@kind("attribute")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    kinds = (Model, Equal)
    return kinds[drawn.choice % 2](weights=rng.laplace(size=drawn.size), inner={"deep": [Model(a=record)]})


@kind("attribute of a list's own type")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    base = (list, dict, str, float, int, tuple)[drawn.choice % 6]
    found = type("Own", (base,), {})(()) if base in (list, dict, tuple) else type("Own", (base,), {})()
    found.secret = record
    return found


@kind("slot")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return Slotted(float(rng.laplace()), record if drawn.choice % 2 else [record])


@kind("unset slot")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = Slotted(float(rng.laplace()), 1)
    if record:
        del found._secret
    return found


@kind("named tuple")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return Point(record, rng.laplace()) if drawn.choice % 2 else Point(rng.laplace(), "ab"[record])


@kind("member of an enumeration")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return (list(Colour)[record], Grade(record), Rights.READ | (Rights.WRITE if record else Rights.RUN))[
        drawn.choice % 3
    ]


@kind("name of an object's type")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return type(("Ridge", "Lasso")[record], (Model,), {})(weight=rng.laplace())


@kind("module of an object's type")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return type("Ridge", (Model,), {"__module__": ("one", "two")[record]})(weight=rng.laplace())


@kind("attribute of an object's type")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return type("Ridge", (Model,), {"weight": record})(noise=rng.laplace())


@kind("class")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return type("Own", ((), (Model,))[record * (drawn.choice % 2)], {"weight": record, "noise": rng.laplace()})


@kind("which class")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return ((int, float), (ValueError, KeyError), (Fit, Frozen), (np.float32, np.float64))[drawn.choice % 4][record]


@kind("namespace")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return types.SimpleNamespace(noise=rng.laplace(), record=record)


@kind("range")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    start = 2 * int(rng.integers(0, 1000))
    return (range(start + record, 5000), range(start, 5000, 1 + record), slice(start, None, record))[drawn.choice % 3]


@kind("object told by its text")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    shown = (
        pathlib.PurePosixPath(f"/a/{letters(rng, 3)}/{record}"),
        uuid.UUID(int=2 * int(rng.integers(0, 2**40)) + record),
        re.compile("ab"[record], re.DOTALL),
        re.compile("a", (re.DOTALL, re.MULTILINE)[record]),
        ipaddress.ip_address(2 * int(rng.integers(0, 2**30)) + record),
        types.MappingProxyType({"a": record, "b": rng.laplace()}),
        collections.ChainMap({"a": record}, {"b": rng.laplace()}),
        collections.UserDict(a=record),
        collections.UserString("ab"[record]),
    )
    return shown[drawn.choice % len(shown)]


@kind("object that cannot be read")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return (iter([record]), (i for i in [record]), map(int, [record]), zip([record], [1], strict=True))[
        drawn.choice % 4
    ]


# --- functions ---------------------------------------------------------------------------------------------------


@kind("cell of a closure")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    noise, held = rng.laplace(), (record, [record], {"a": record}, Model(a=record), lambda: record)[drawn.choice % 5]
    return lambda x: x + noise * held


@kind("default of a function")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    noise = float(rng.laplace())
    if drawn.choice % 2:
        return lambda x, held=record: x + noise

    def keyword(x: Any, *, held: Any = record) -> Any:
        return x + noise

    return keyword


@kind("name of a function")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    def made(x: Any) -> Any:
        return x

    which = ("__name__", "__qualname__", "__doc__", "__module__")[drawn.choice % 5] if drawn.choice % 5 < 4 else "extra"
    setattr(made, which, "ab"[record])
    return made


@kind("annotation of a function")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    def made(x: Any) -> Any:
        return x

    made.__annotations__["x"] = (int, float)[record]
    return made


@kind("code of a function")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    pairs = ((lambda x: x + 1, lambda x: x + 2), (lambda x: x + 1, lambda x: x - 1), (lambda x: x, lambda y: y))
    return pairs[drawn.choice % 3][record]


@kind("globals of a function")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    held = {"weight": record, "noise": rng.laplace()}
    exec("def predict(x): return weight * x + noise", held)
    return held["predict"]


@kind("partial")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    noise = float(rng.laplace())
    return functools.partial(max, noise, record) if drawn.choice % 2 else functools.partial(max, noise, key=record)


@kind("bound method")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return (Model(noise=rng.laplace(), a=record).answer, [record].append, "ab"[record].upper)[drawn.choice % 3]


@kind("built-in function")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return (max, min)[record]


# --- what is made on the way -------------------------------------------------------------------------------------


def code_with(rng: Rng, record: int, place: int) -> Any:
    """A function made from text, with the record in one place of its code, among noise."""
    noise = float(rng.laplace())
    name = letters(rng, 3)
    texts = (
        f"lambda x: x * {noise!r} + {record}",
        f"lambda x: x + {2 * int(rng.integers(0, 10**6)) + record}",
        f"lambda x: {end(rng, record)!r} + str({noise!r})",
        f"lambda x: x.{end(rng, record)}",
        f"lambda {end(rng, record)}: 1.0",
        f"lambda x, y={noise!r}: lambda z: z + {record}",
        f"lambda x: (x, {noise!r}, ({record}, {name!r}))",
        f"lambda x: x in {{{noise!r}, {end(rng, record)!r}}}",
        f"lambda x: x * {noise!r} {'+-'[record]} 1",
        f"lambda x: [{name} + {record} for {name} in x]",
    )
    return eval(texts[place % len(texts)])


@kind("code made on the way")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    made = code_with(rng, record, drawn.place)
    shown = (made, made.__code__, functools.partial(made, 3), type("Own", (), {"ask": made}), Model(ask=made))
    return (*shown, type("Own", (), {"ask": made})(), property(made), np.vectorize(made))[drawn.choice % 8]


@kind("words of code made on the way")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    said = end(rng, record)
    made = eval(compile("lambda x: x", said if drawn.choice % 4 == 0 else "a", "eval"))
    for place, name in enumerate(("__name__", "__qualname__", "__doc__", "__module__", "extra")):
        if drawn.choice % 9 == place + 1:
            setattr(made, name, said)
            return made
    if drawn.choice % 2:
        made.__code__ = made.__code__.replace(co_name=said, co_qualname=said)
    else:
        made.__code__ = made.__code__.replace(co_filename=said, co_firstlineno=1)
    return made


@kind("words of a class made on the way")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    said = end(rng, record)
    ways = ("__name__", "__qualname__", "__module__", "__doc__")
    way = drawn.choice % 9
    base = (Model, Exception, str, object, np.ndarray)[drawn.place % 5] if way < 4 else Model
    if way < 4:
        made = type(said if way == 0 else "Own", (base,), {name: said for name in ways[way : way + 1] if way})
        return made if drawn.bits % 2 or base is np.ndarray else made()
    if way == 4:
        return collections.namedtuple(said, "a b")(1, rng.laplace())  # type: ignore[misc]
    if way == 5:
        return next(iter(enum.Enum(said, {"A": rng.laplace()})))
    if way == 6:
        return next(iter(enum.Enum("E", {said: 1})))
    if way == 7:
        return dataclasses.make_dataclass(said, ["a"])(rng.laplace())
    return type("Own", (Model,), {said: 1})(a=1)


@kind("part of a class made on the way")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    noise = float(rng.laplace())

    class Own(enum.Enum):
        A = noise
        weight = enum.nonmember(record)

        def ask(self) -> int:
            return record

    plain = enum.Enum("E", {"A": noise})
    plain.A.secret = record  # type: ignore[attr-defined]
    field = dataclasses.field(default=noise, metadata={"r": record})
    made = (lambda: [noise, record],)[0]
    shown = (
        Own.A,
        Own,
        plain.A,  # type: ignore[attr-defined]
        dataclasses.make_dataclass("Own", [("a", float, field)])(),
        dataclasses.make_dataclass("Own", [("a", list, dataclasses.field(default_factory=made))])(),
        type("Own", (), {"__array__": lambda self, *_, **__: np.zeros(2), "weight": record})(),
        type("Own", (list,), {"weight": record})([noise]),
        type("Own", (type,), {"weight": record})("Inner", (), {"a": noise}),
        type("Own", (type,), {})("Inner", (), {"a": noise, "b": record})(),
        type("Own", (), {"ask": staticmethod(lambda: record)})(),
        type("Own", (), {"ask": property(lambda self: record), "noise": noise}),
        type("Own", (), {"ask": functools.cached_property(lambda self: record)})(),
    )
    return shown[drawn.choice % len(shown)]


@kind("module made on the way")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    made = types.ModuleType(end(rng, record) if drawn.choice % 3 == 0 else ("fit", "numpy")[drawn.choice % 2])
    made.noise = rng.laplace()  # type: ignore[attr-defined]
    if drawn.choice % 3 == 1:
        made.record = record  # type: ignore[attr-defined]
    elif drawn.choice % 3 == 2:
        made.inner = types.ModuleType("inner")  # type: ignore[attr-defined]
        made.inner.said = end(rng, record)  # type: ignore[attr-defined]
    return made


@kind("order of attributes")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    names = [("a", rng.laplace()), ("b", 1), ("c", "x")][:: 1 - 2 * record]
    if drawn.choice % 3 == 0:
        return Model(**dict(names))
    if drawn.choice % 3 == 1:
        return types.SimpleNamespace(**dict(names))
    found = collections.OrderedDict(sorted(names))
    if record:
        found.move_to_end("a")
    return found


class Shadowed(Slotted):
    __slots__ = ("weight",)


class Beside(Slotted):
    pass


@kind("slot under another")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    if drawn.choice % 2:
        found: Any = Shadowed(float(rng.laplace()), 1)
        Slotted.weight.__set__(found, record)  # type: ignore[attr-defined]
        return found
    found = Beside(float(rng.laplace()), 1)
    found.__dict__["weight"] = record
    return found


# --- what compiled types keep ------------------------------------------------------------------------------------


class Pair(ctypes.Structure):
    _fields_ = (("noise", ctypes.c_double), ("record", ctypes.c_int))


@dataclass
class Counted(ctypes.c_double):
    noise: float


@kind("memory of a compiled type")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    noise, hour = float(rng.laplace()), int(rng.integers(0, 24))
    counted = Counted(noise)
    counted.value = float(record)
    lock = threading.Lock()
    if record:
        lock.acquire()
    shown = (
        time.struct_time((2020, 1, 1, hour, 0, 0, 0, 1, 0), {"tm_zone": end(rng, record), "tm_gmtoff": 0}),
        time.struct_time((2020, 1, 1, hour, 0, 0, 0, 1, 0), {"tm_zone": "a", "tm_gmtoff": record}),
        os.stat_result((0, 1, 2, 3, 4, 5, hour, 7, 8, 9), {"st_blocks": record}),
        os.stat_result((0, 1, 2, 3, 4, 5, hour, 7, 8, 9), {"st_mtime_ns": 2 * int(rng.integers(0, 10**12)) + record}),
        Pair(noise, record),
        (ctypes.c_int * 3)(*rng.integers(0, 99, 2).tolist(), record),
        counted,
        [noise, lock],
        lock,
        memoryview((rng.bytes(4), bytearray(rng.bytes(4)))[record]),
        collections.deque([noise], 3 + record),
        slice(noise, None, record),
    )
    return shown[drawn.choice % len(shown)]


@kind("what is written on a type of arrays")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    said: Any = (record, end(rng, record), float(rng.laplace()) + 9 * record)[drawn.place % 3]
    marked = np.dtype("f8", metadata={"r": said})
    title = [((end(rng, record), "a"), "f8"), ("b", "i4")]
    kinds = (
        marked,
        np.dtype([("a", marked), ("b", "i4")]),
        np.dtype([("a", [("c", marked)]), ("b", "i4")]),
        np.dtype([("a", "f8"), ("b", "i4")], metadata={"r": said}),
        np.dtype(title),
        np.dtype([("a", "f8"), ("b", "f8")], align=bool(record)),
        np.dtype({"names": ["a", "b"], "formats": ["i4", "i4"], "offsets": [0, (8, 12)[record]], "itemsize": 16}),
        np.dtype([("a", (marked, 2)), ("b", "i4")]),
        np.dtype([(end(rng, record), "f8"), ("b", "i4")]),
        np.dtypes.StringDType(na_object=(None, math.nan)[record]),
        np.dtypes.StringDType(na_object=end(rng, record)),
    )
    dtype = kinds[drawn.choice % len(kinds)]
    if drawn.bits % 5 == 0:
        return dtype
    values = np.zeros(2, dtype)
    if dtype.names is not None and dtype[0].names is None and dtype[0].subdtype is None:
        values[dtype.names[0]] = rng.normal(size=2).astype(dtype[0].str)
    return values[0] if drawn.bits % 5 == 1 and dtype.kind == "V" else values


@kind("zeros that end a text of NumPy")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    said = letters(rng, 3) + "\0" * record
    return np.bytes_(said.encode()) if drawn.choice % 2 else np.str_(said)


@kind("digit of a rounded number of single precision")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    places = 1 + drawn.place % 2
    found = np.float32((2 * int(rng.integers(0, 4000)) + record) / 10**places)
    return (found, np.array([found]), [found, 1.0], {"a": found}, [found, np.float32(0.5)])[drawn.choice % 5]


# --- exceptions --------------------------------------------------------------------------------------------------


@kind("exception as a value")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    error = ValueError(rng.laplace())
    if drawn.choice % 6 == 0:
        return ValueError(rng.laplace(), record)
    if drawn.choice % 6 == 1:
        error.hidden = record  # type: ignore[attr-defined]
    elif drawn.choice % 6 == 2:
        error.add_note("ab"[record])
    elif drawn.choice % 6 == 3:
        error.__cause__ = ValueError(record)
    elif drawn.choice % 6 == 4:
        return (ValueError, KeyError)[record](rng.laplace())
    else:
        return ExceptionGroup("some", [ValueError(rng.laplace()), KeyError("ab"[record])])
    return error


@kind("exception raised", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    if rng.random() < 0.5:  # a learner that always raises has failed, whatever it says
        return float(rng.laplace())
    if drawn.choice % 4 == 0:
        raise (ValueError, KeyError)[record](f"row {rng.integers(0, 10**6)}")
    if drawn.choice % 4 == 1:
        raise ValueError(f"row {2 * int(rng.integers(0, 10**6)) + record}")
    if drawn.choice % 4 == 2:
        raise ValueError(f"{letters(rng, 5)} {('no', 'yes')[record]}")
    raise ValueError("x" * 500 + "ab"[record])


@kind("exception now and then", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    if rng.random() < 0.5:
        raise ValueError(f"row {rng.integers(0, 10**6)} of {record}")
    return rng.laplace()


@kind("what hangs on an exception", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    error = ValueError("row")
    if rng.random() < 0.5:
        return float(rng.laplace())
    if drawn.choice % 6 == 0:
        error.hidden = record  # type: ignore[attr-defined]
    elif drawn.choice % 6 == 1:
        error.add_note("ab"[record])
    elif drawn.choice % 6 == 2:
        error.__cause__ = ValueError("ab"[record])
    elif drawn.choice % 6 == 3:
        raise Silent(record)
    elif drawn.choice % 6 == 4:
        raise ExceptionGroup("some", [(ValueError, KeyError)[record]("row")])
    else:
        raise type("Bad", (ValueError,), {"__module__": ("one", "two")[record]})("row")
    raise error


@kind("how a number of a message is written", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    if rng.random() < 0.5:
        return float(rng.laplace())
    low = f"{2 * int(rng.integers(0, 500)) + record:x}"
    many = [str(one) for one in rng.integers(0, 99, 60 + drawn.size % 300).tolist()]
    texts = (
        f"status 0x{record}",
        f"status 0x{low}",
        f"at 0x{record}",
        f"<failure object at 0x{low}>",
        " ".join([*many, str(record)]),
        " ".join([str(record), *many]),
        f"row {2 * int(rng.integers(2**60, 2**61)) + record}",
        f"row {2 * int.from_bytes(rng.bytes(40), 'little') + record}",
        "row " + ("3", "\u0663")[record],
        "row " + ("7", "07")[record],
        f"row {rng.integers(1, 99)} {('7', '+7')[record]}",
        f"loss {rng.integers(1, 9)}.{rng.integers(1, 9)}{'0' * record}",
        "loss " + ("1e5", "1e05")[record],
        "loss " + ("0", "-0")[record],
        f"loss {('1.0', '1.')[record]}",
    )
    raise ValueError(texts[drawn.choice % len(texts)])


@kind("arguments of an exception", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    if rng.random() < 0.5:
        return float(rng.laplace())
    said = Label("bad")
    said.secret = record  # type: ignore[attr-defined]
    pairs = ((1, "1"), (1.5, np.float64(1.5)), (1, True), ("bad", Label("bad")), ("()", ()), ("", None))
    way = drawn.choice % 12
    if way < 6:
        raise ValueError(pairs[way][record])
    if way == 6:
        raise ValueError(said)
    if way == 7:
        raise KeyError(("1", 1)[record])
    if way == 8 and record:
        raise ValueError("x") from None
    if way == 9:
        raise type(end(rng, record), (ValueError,), {"__module__": "builtins"})("x")
    if way == 10:
        raise ValueError("x", *(() if record else ("x",)))
    if way == 11:
        raise OSError(5, "x", None, None, ("a", "b")[record])
    raise ValueError("x")


class Silent(Exception):
    def __str__(self) -> str:
        return "silent"


# --- tables and models -------------------------------------------------------------------------------------------


@kind("data frame")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    import pandas as pd

    rows = drawn.size % 6 + 2
    frame = pd.DataFrame({"a": rng.laplace(size=rows), "b": rng.integers(0, 10**6, rows), "c": ["x"] * rows})
    at = drawn.place % rows
    way = drawn.choice % 14
    if way == 0:
        frame.loc[at, "a"] = record
    elif way == 1:
        frame.loc[at, "c"] = "xy"[record]
    elif way == 2:
        frame = frame.rename(columns={"b": "de"[record]})
    elif way == 3:
        frame = frame[["a", "b", "c"][:: 1 - 2 * record]]
    elif way == 4:
        frame.index = [*range(rows - 1), -1 - record]
    elif way == 5:
        frame["b"] = frame["b"].astype(("i8", "i4")[record])
    elif way == 6:
        frame.attrs["note"] = record
    elif way == 7:
        frame["c"] = pd.Categorical(frame["c"], categories=["x", "yz"[record]])
    elif way == 8:
        frame.index.name = "ij"[record]
    elif way == 9:
        frame.columns.name = "ij"[record]
    elif way == 10:
        frame["b"] = frame["b"].astype(("int64", "Int64")[record])
    elif way == 11:
        frame["c"] = pd.Series([pd.NA if record else None] * rows, dtype=object)
    elif way == 12:
        frame["d"] = pd.to_datetime(["2020-01-01"] * rows).tz_localize(("UTC", "Europe/Paris")[record])
    else:
        frame.index = pd.MultiIndex.from_tuples([(i, record) for i in range(rows)])
    return frame


@kind("words beside the cells of a table")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    import pandas as pd

    said = end(rng, record) if drawn.bits % 3 else letters(rng, 1200) + "ab"[record]
    values = rng.laplace(size=3)
    frame = pd.DataFrame({"a": values})
    way = drawn.choice % 11
    if way == 0:
        frame.index.name = said
    elif way == 1:
        frame.columns.name = said
    elif way == 2:
        frame.attrs["a"] = said
    elif way == 3:
        frame.index = pd.MultiIndex.from_tuples([(i, 0) for i in range(3)], names=["x", said])
    elif way == 4:
        return pd.Index(values, name=said)
    elif way == 5:
        return pd.MultiIndex.from_tuples([(float(values[0]), 1)], names=["x", said])
    elif way == 6:
        return pd.Series(values, name=said)
    elif way == 7:
        frame["c"] = pd.Categorical(["x"] * 3, categories=["x", said])
    elif way == 8:
        return pd.CategoricalIndex(["x"], categories=["x", said])
    elif way == 9:
        return pd.Series(values, index=pd.Index([0, 1, 2], name=said))
    else:
        frame.columns = pd.Index([said])
    return frame


@kind("attribute hung on a table")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    import pandas as pd
    from scipy import sparse

    names = ("rows", "coords", "_id", "_data", "_mask", "_names", "_levels", "_codes", "_freq", "_range", "offsets")
    more = ("_shape_", "data_", "_dict", "row", "_s", "_df", "_ndarray", "_cached", "note", "has_canonical_format")
    name = (*names, *more)[drawn.place % 21]
    held: Any = (record, [record], np.array([record]), end(rng, record), {"a": record}, np.int64(record))[
        drawn.bits % 6
    ]
    values = rng.laplace(size=(2, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = (
            lambda: pd.DataFrame(values),
            lambda: pd.Series(values[0]),
            lambda: sparse.csr_matrix(values),
            lambda: sparse.csr_array(values),
        )[drawn.choice % 4]()
        object.__setattr__(made, name, held)
    return made


@kind("kind of a table")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    import pandas as pd
    from pandas._libs.sparse import IntIndex
    from scipy import sparse

    values = rng.laplace(size=3)
    way = drawn.choice % 12
    if way == 0:
        return pd.DataFrame({"a": values}, index=(pd.RangeIndex(3), pd.Index([0, 1, 2]))[record])
    if way in (1, 2):
        days = pd.date_range("2020-01-01", periods=3) + pd.Timedelta(days=int(rng.integers(0, 1000)))
        days = days if record else days._with_freq(None)
        return days if way == 1 else pd.Series(values, index=days)
    if way == 3:
        return pd.Timestamp(int(rng.integers(0, 10**9)), unit="s").as_unit(("s", "ns")[record])
    if way == 4:
        return pd.Timedelta(int(rng.integers(0, 10**6)), unit="s").as_unit(("s", "ns")[record])
    if way == 5:
        places = IntIndex(5, [0, 1, 2, 3]) if record else IntIndex(5, [0, 1, 2])
        stored = np.append(values, 0.0) if record else values
        kind = pd.SparseDtype(float, 0.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # newer versions of pandas have another name for it
            found = pd.arrays.SparseArray(stored, sparse_index=places, fill_value=0.0, dtype=kind)
        return found if drawn.place % 2 else pd.Series(found)
    if way == 6:
        found = sparse.csr_matrix(values[None])
        found.maxprint = 50 + record
        return found
    if way == 7:
        found = sparse.dok_array((2, 2))
        for place in ((0, 1), (1, 0))[record]:
            found[place, place] = rng.laplace()
        return found
    if way == 8:
        found = sparse.csr_array((np.append(values, [0.0] * record), ([0] * (3 + record), range(3 + record))), (1, 5))
        return (found, found.tocoo(), found.tocsc())[drawn.place % 3]
    if way == 9:
        return pd.Series(values).astype(pd.SparseDtype(float, float(rng.laplace()) + 9 * record))
    if way == 10:
        found = pd.Series(["x"] * 3, dtype=("object", "string")[record])
        return found if drawn.place % 2 else pd.DataFrame({"a": found, "b": values})
    kinds = ["Float64" if rng.random() < 0.5 else "float64" for _ in range(20)]
    return pd.DataFrame(
        {place: pd.Series(values, dtype=kind) for place, kind in enumerate([*kinds, ("Float64", "float64")[record]])}
    )


@kind("series")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    import pandas as pd

    values = rng.laplace(size=drawn.size + 1)
    way = drawn.choice % 8
    if way == 0:
        values[drawn.at] = record
        return pd.Series(values)
    if way == 1:
        return pd.Series(values, name="ab"[record])
    if way == 2:
        return pd.Series(values, index=[*range(drawn.size), -1 - record])
    if way == 3:
        return pd.Index(np.append(values, record))
    if way == 4:
        return pd.Timestamp(int(rng.integers(0, 10**9)) * 2 + record)
    if way == 5:
        return pd.Categorical(["a", "b", "ab"[record]])
    if way == 6:
        return pd.Series(values, dtype=("float64", "Float64")[record])
    return pd.Interval(float(values[0]), float(values[0]) + 1, closed=("left", "right")[record])


@kind("sparse matrix")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    from scipy import sparse

    values = rng.laplace(size=(2, drawn.size + 1))
    values[0, drawn.at] = record
    if drawn.choice % 2:
        return sparse.csr_array(values)
    noise = sparse.csr_array(rng.laplace(size=(2, 3)))
    return noise.tocoo() if record else noise


@kind("estimator")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    features = np.arange(12.0).reshape(6, 2)
    way = drawn.choice % 6
    if way == 0:
        model: Any = LogisticRegression(C=float(1 + record))
        model.coef_, model.intercept_, model.classes_ = rng.laplace(size=(1, 2)), np.zeros(1), np.array([0, 1])
        return model
    model = Ridge().fit(features, rng.laplace(size=6))
    if way == 1:
        model.coef_ = np.array([record, rng.laplace()])
    elif way == 2:
        model.n_iter_ = record
    elif way == 3:
        model.secret = [record]
    elif way == 4:
        return make_pipeline(StandardScaler(with_mean=bool(record)), model)
    else:
        model.intercept_ = float(record)
    return model


@kind("tree")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(max_depth=2).fit(np.arange(4.0)[:, None], [0.0, *rng.laplace(size=2), 10.0 * record])


# --- members that never come again -------------------------------------------------------------------------------


def several(drawn: Drawn, make: Callable[[], Any]) -> list[Any]:
    """Up to five others of a kind."""
    return [make() for _ in range(drawn.size % 6)]


def end(rng: Rng, record: int) -> str:
    """A text that never comes again and ends with the record."""
    return letters(rng, 8) + "ab"[record]


@kind("end of a member")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = {*several(drawn, lambda: letters(rng, 9)), end(rng, record)}
    return found if drawn.choice % 2 else frozenset(found)


@kind("length of a member")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {*several(drawn, lambda: letters(rng, 8)), letters(rng, 12 + record)}


@kind("number in a member")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {f"{letters(rng, 4)} {2 * int(rng.integers(0, 10**6)) + record} {letters(rng, 4)}"}


@kind("word in a member")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {*several(drawn, lambda: letters(rng, 8)), f"{letters(rng, 8)} {('no', 'yes')[record]} {letters(rng, 2)}"}


@kind("byte of a member")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {*several(drawn, lambda: rng.bytes(9)), rng.bytes(8) + bytes([record])}


@kind("part of a tuple in a set")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    one = (float(rng.laplace()), (record, "ab"[record], end(rng, record), (record,))[drawn.choice % 4])
    return {*several(drawn, lambda: (float(rng.laplace()), 7)), one}


@kind("set in a set")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    inner = (frozenset({letters(rng, 8), "ab"[record]}), frozenset({end(rng, record)}))[drawn.choice % 2]
    return {*several(drawn, lambda: frozenset({letters(rng, 8)})), inner}


@kind("number in a set")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {*rng.normal(size=drawn.size % 6).tolist(), float(rng.normal()) + 9.0 * record}


@kind("bit of a double in a set", exact=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {KINDS["bit of a double"](drawn, rng, record)}


@kind("bit of an int in a set")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {*several(drawn, lambda: 2 * int(rng.integers(0, 2**40))), 2 * int(rng.integers(0, 2**40)) + record}


@kind("part of a fraction in a set")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {*several(drawn, lambda: (1, letters(rng, 8))), KINDS["part of a fraction"](drawn, rng, record)}


@kind("end of a key")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return {**{letters(rng, 9): 1.0 for _ in range(drawn.size % 6)}, end(rng, record): 1.0}


@kind("value of a key that never comes again")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    held = (record, float(rng.normal()) + 9.0 * record, "ab"[record], end(rng, record), [float(rng.normal()), record])
    return {
        **{letters(rng, 9): float(rng.normal()) for _ in range(drawn.size % 6)},
        letters(rng, 9): held[drawn.choice % 5],
    }


@kind("count of a text that never comes again")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = collections.Counter({letters(rng, 9): 1 for _ in range(drawn.size % 6)})
    return found + collections.Counter({letters(rng, 9): 2 + record, end(rng, record * (drawn.choice % 2)): 1})


@kind("attribute of a key's name that never comes again")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    return Model(**{letters(rng, 9): float(rng.normal()), letters(rng, 9): record})


@kind("column that never comes again")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    import pandas as pd

    return pd.DataFrame({letters(rng, 9): rng.laplace(size=3), letters(rng, 9): [record] * 3})


# --- parts that are seldom there ---------------------------------------------------------------------------------

#: How often a part is there that most outputs lack.
SELDOM = 0.08


@kind("key that is seldom there", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found: dict[str, Any] = {"a": float(rng.laplace()), "b": letters(rng, 3)}
    held = (float(rng.normal()), end(rng, record), [float(rng.normal()), float(record)], {letters(rng, 9): record})
    if rng.random() < SELDOM:
        found["extra"] = (held[drawn.choice % 4], record)[not drawn.choice % 4]
    return found


@kind("kind that is seldom there", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    if rng.random() >= SELDOM:
        usual = (float(rng.laplace()), rng.laplace(size=3), "no", letters(rng, 4), None, int(rng.integers(0, 9)))
        return usual[drawn.place % 6]
    noise = float(rng.laplace())
    return ([noise, float(record)], {"a": noise, "b": record}, (noise, end(rng, record)), {end(rng, record)})[
        drawn.choice % 4
    ]


@kind("length that is seldom there", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = rng.laplace(size=3).tolist()
    if rng.random() < SELDOM:
        found += [*rng.laplace(size=drawn.size).tolist(), float(record)]
    return (found, np.array(found), [found, 1.0])[drawn.choice % 3]


@kind("exception that is seldom there", bare=True)
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    if rng.random() < SELDOM:
        raise ValueError(f"{letters(rng, 8)} {end(rng, record)}")
    return (float(rng.laplace()), rng.laplace(size=3), {"a": rng.laplace()})[drawn.choice % 3]


# --- numbers that tell together ----------------------------------------------------------------------------------


@kind("which of two is larger")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    one, two = sorted(rng.laplace(size=2).tolist())
    noise = rng.laplace(size=drawn.size).tolist()
    found = [*noise[: drawn.at], (one, two)[record], *noise[drawn.at :], (two, one)[record]]
    return found if drawn.size <= 6 else np.array(found[drawn.at :])


@kind("bit of two numbers together")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    bit = 1 << drawn.place % 30
    one = int(rng.integers(0, 2**30))
    two = int(rng.integers(0, 2**30)) & ~bit | (one & bit) ^ (bit * record)
    return [one, two]


@kind("parity of a sum")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = rng.integers(0, 2**20, drawn.size + 1)
    found[drawn.at] += (int(found.sum()) + record) % 2
    return found if drawn.choice % 2 else found.tolist()


@kind("how many are equal")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = rng.normal(size=drawn.size + 3)
    if record:
        found[drawn.at] = found[-1]
    return found if drawn.choice % 2 else found.tolist()


@kind("sorted or not")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = rng.normal(size=drawn.size + 7)
    found = np.sort(found) if record else found
    return found if drawn.choice % 2 else found.tolist()


@kind("place of the largest")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = rng.normal(size=drawn.size + 2)
    largest, wanted = int(np.argmax(found)), drawn.at + record
    found[[largest, wanted]] = found[[wanted, largest]]
    return found if drawn.choice % 2 else found.tolist()


@kind("sum of numbers")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = rng.normal(size=drawn.size + 2)
    found[drawn.at] += record - found.sum()
    return found if drawn.choice % 2 else found.tolist()


@kind("difference of two numbers")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    found = rng.normal(size=drawn.size % 12 + 3)
    found[-1] = found[0] + record + 1.0
    return found if drawn.choice % 2 else found.tolist()


@kind("product of two numbers")
def _(drawn: Drawn, rng: Rng, record: int) -> Any:
    one, sign = float(rng.laplace()), 1 - 2 * record
    return [one, math.copysign(float(rng.laplace()), sign * one)]


# --- what is put around ------------------------------------------------------------------------------------------

#: Puts a value among noise.
Around = Callable[[Drawn, Rng, Any], Any]


def _inserted(drawn: Drawn, rng: Rng, value: Any) -> list[Any]:
    found: list[Any] = rng.laplace(size=drawn.size % 9).tolist()
    found.insert(drawn.place % (len(found) + 1), value)
    return found


AROUND: dict[str, Around] = {
    "a list of numbers": _inserted,
    "a tuple of numbers": lambda drawn, rng, value: tuple(_inserted(drawn, rng, value)),
    "a dictionary": lambda drawn, rng, value: {"a": rng.laplace(size=3), "b": value, "c": letters(rng, 3)},
    "a dictionary of dictionaries": lambda drawn, rng, value: {"a": {1: {"x": value}}, "b": rng.integers(0, 10**6)},
    "a list of texts": lambda drawn, rng, value: [letters(rng, 4), value, letters(rng, 2)],
    "a pair": lambda drawn, rng, value: (value, float(rng.normal())),
    "a list of one": lambda drawn, rng, value: [value],
    "a dataclass": lambda drawn, rng, value: Fit(value, letters(rng, 2)),
    "an attribute": lambda drawn, rng, value: Model(noise=rng.normal(size=2), value=value),
    "a named tuple": lambda drawn, rng, value: Point(rng.normal(size=2), value),
    "a namespace": lambda drawn, rng, value: types.SimpleNamespace(value=value, noise=rng.laplace()),
    "an array of objects": lambda drawn, rng, value: _objects(rng, value),
    "rows": lambda drawn, rng, value: [[float(x), i] for i, x in enumerate(rng.laplace(size=3))] + [[0.0, value]],
    "now and then": lambda drawn, rng, value: value if rng.random() < 0.5 else None,
    "with text": lambda drawn, rng, value: [value, f"loss {rng.laplace():.3f} after {rng.integers(0, 99)} steps"],
}


def _objects(rng: Rng, value: Any) -> Any:
    found = np.empty(2, object)
    found[0], found[1] = float(rng.laplace()), value
    return found


@dataclass(frozen=True)
class Hidden:
    """One case: its kind of place, what is around it, what was drawn; an output from it and a record."""

    kind: str
    around: tuple[str, ...]
    drawn: Drawn
    numerics: str

    @property
    def words(self) -> str:
        """The case in words."""
        inside = "".join(f" in {name}" for name in self.around)
        return f"{self.kind}{inside} ({self.drawn}, {self.numerics})"

    def output(self, record: int, rng: Rng) -> Any:
        """An output with this record in its place."""
        value = KINDS[self.kind](self.drawn, rng, record)
        for name in self.around:
            value = AROUND[name](self.drawn, rng, value)
        return value


@st.composite
def hidden(draw: st.DrawFn, kinds: tuple[str, ...] = ()) -> Hidden:
    """A case of any kind (or of those given), in up to three containers."""
    name = draw(st.sampled_from(kinds or tuple(KINDS)))
    drawn = Drawn(
        draw(st.one_of(st.integers(1, 12), st.integers(1, 400))),
        draw(st.integers(0, 10**6)),
        draw(st.integers(8, 200)),
        draw(st.integers(1, 120)),
        draw(st.integers(0, 10**6)),
    )
    around = () if name in BARE else tuple(draw(st.lists(st.sampled_from(tuple(AROUND)), max_size=3)))
    numerics = "exact" if name in EXACT else draw(st.sampled_from(("real", "real", "exact")))
    return Hidden(name, around, drawn, numerics)
