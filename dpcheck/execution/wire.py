"""Plain data as bytes and back, so that reading them runs nothing but this module.

What comes through a worker's pipe was written where the learner runs, and may be anything. It is read by an
unpickler that knows numbers, texts, containers, arrays without objects, and dpcheck's own plain dataclasses; every
other name in it is refused, and so is a message that would take too long to walk.
"""

from __future__ import annotations

import functools
import gc
import io
import math
import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import FORMS, Answers, Opaque, Portrait, Raised
from dpcheck.execution.handover import PICKLE_PROTOCOL, PLAIN_TYPES, copied

#: What answers are made of besides numbers, texts, arrays and containers.
ANSWERS: tuple[type, ...] = (Answers, Portrait, Raised, Opaque)
#: Messages hold at most one part a byte and so many more, those counted twice that are there twice ...
MOST_PARTS = 1_000_000
#: ... nested at most this deep: portraits go 32 deep, with two containers and a pair for each.
DEEPEST_MESSAGE = 160

#: What has no parts.
_ATOMS = frozenset({*(kind for kind in PLAIN_TYPES if not is_dataclass(kind)), bytearray, np.ndarray, np.void})


#: Arrays from this size on are written without a copy.
_SMALL_BYTES = 4096


class NotPlain(ValueError):
    """Bytes that are no message of plain data, or data that cannot be one; the text says why."""


@functools.cache
def _fields_of(classes: tuple[type, ...]) -> dict[type, tuple[str, ...]]:
    return {kind: tuple(field.name for field in fields(kind)) for kind in classes}


class _Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, classes: tuple[type, ...]) -> None:
        super().__init__(file, PICKLE_PROTOCOL)
        self._fields = _fields_of(classes)

    def reducer_override(self, value: Any) -> Any:
        """How what is no plain Python data is written; an error for anything that is not known."""
        kind = type(value)
        if kind is np.ndarray:
            return array, (_descr(value.dtype), value.shape, _bytes_of(value))
        if kind is Fraction:
            return fraction, (value.numerator, value.denominator)
        if kind is Decimal:
            return decimal, (str(value),)
        if kind is complex:
            return number, (value.real, value.imag)
        if kind is np.bytes_ or kind is np.str_:  # their bytes in an array would not say how many zeros end them
            return characters, (str.__str__(value) if kind is np.str_ else bytes.__getitem__(value, slice(None)),)
        if issubclass(kind, np.generic) and kind.__module__ == "numpy":
            return scalar, (_descr(value.dtype), value.tobytes())
        if kind in self._fields:
            return instance, (kind.__name__, *[getattr(value, name) for name in self._fields[kind]])
        if any(value is maker for maker in (array, fraction, decimal, number, scalar, characters, instance)):
            return NotImplemented  # by name
        raise NotPlain(f"an object of type {kind.__qualname__} is no plain data")


class _Reader(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, classes: tuple[type, ...]) -> None:
        super().__init__(file)
        self._makers: Mapping[str, Callable[..., Any]] = {
            "array": array, "fraction": fraction, "decimal": decimal, "number": number, "scalar": scalar,
            "characters": characters, "instance": _Instances(classes).make,
        }  # fmt: skip

    def find_class(self, module: str, name: str) -> Any:
        """One of this module's makers, in a wrapping that nothing can be written to."""
        if module != __name__ or name not in self._makers:
            raise NotPlain(f"{module}.{name} is no plain data")
        return _Maker(self._makers[name]).make


class _Maker:
    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def make(self, *arguments: Any) -> Any:
        return self._function(*arguments)


class _Instances:
    def __init__(self, classes: tuple[type, ...]) -> None:
        self._classes = {kind.__name__: (kind, len(names)) for kind, names in _fields_of(classes).items()}

    def make(self, name: Any, *values: Any) -> Any:
        if type(name) is not str or name not in self._classes:
            raise NotPlain("an unknown dataclass")
        kind, size = self._classes[name]
        if len(values) != size:
            raise NotPlain(f"a {name} of {len(values)} fields")
        made: Any = kind(*values)
        if kind is Portrait:
            _check_portrait(made)
        return made


def write_plain(value: Any, classes: tuple[type, ...] = ANSWERS) -> bytes:
    """Plain data as bytes.

    Parameters
    ----------
    value : any
        Numbers, texts, arrays without objects, and containers of them.
    classes : tuple of dataclasses
        Those whose instances may be in it.

    Raises
    ------
    NotPlain
        When there is anything else in it.

    Examples
    --------
    >>> read_plain(write_plain([1, {"a": np.arange(2.0)}]))
    [1, {'a': array([0., 1.])}]
    """
    file = io.BytesIO()
    with _no_collections():
        _Writer(file, classes).dump(value)
    return file.getvalue()


def read_plain(data: bytes | bytearray, classes: tuple[type, ...] = ANSWERS) -> Any:
    """The data that were written; nothing that these bytes name is imported or called.

    Raises
    ------
    NotPlain
        When they are no such message.

    Examples
    --------
    >>> read_plain(pickle.dumps(print))
    Traceback (most recent call last):
    ...
    dpcheck.execution.wire.NotPlain: builtins.print is no plain data
    """
    try:
        with _no_collections():
            value = _Reader(io.BytesIO(data), classes).load()
    except NotPlain:
        raise
    except Exception as error:
        raise NotPlain(f"no message: {type(error).__name__}") from error
    _Walk(_fields_of(classes), MOST_PARTS + len(data)).check(value, DEEPEST_MESSAGE)
    return value


@contextmanager
def _no_collections() -> Iterator[None]:
    """The garbage collector rests: it would go through thousands of new parts again and again, and find none."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class _Walk:
    """Goes through a message as whoever reads it will: shared parts as often as they are there."""

    def __init__(self, classes: dict[type, tuple[str, ...]], parts: int) -> None:
        self._classes = classes
        self._left = parts

    def check(self, value: Any, depth: int) -> None:
        kind = type(value)
        if kind in _ATOMS:
            return
        if depth == 0:
            raise NotPlain("nested too deep")
        if kind in (list, tuple, set, frozenset):
            self._spend(len(value))
            if not _ATOMS.issuperset(map(type, value)):
                for part in value:
                    if type(part) not in _ATOMS:
                        self.check(part, depth - 1)
        elif kind is Portrait:  # its other fields were looked at when it was made
            self._spend(2 * len(value.parts))
            for name, part in value.parts:
                if type(name) not in _ATOMS:
                    self.check(name, depth - 1)
                if type(part) not in _ATOMS:
                    self.check(part, depth - 1)
        elif kind is dict:
            self._spend(2 * len(value))
            for key, part in value.items():
                self.check(key, depth - 1)
                self.check(part, depth - 1)
        elif kind in self._classes:
            for name in self._classes[kind]:
                self.check(getattr(value, name), depth - 1)
        else:  # one of the makers themselves
            raise NotPlain(f"an object of type {kind.__qualname__}")

    def _spend(self, parts: int) -> None:
        self._left -= parts
        if self._left < 0:
            raise NotPlain("more parts than it has bytes")


def _check_portrait(made: Portrait) -> None:
    parts = made.parts
    pairs = type(parts) is tuple and all(type(part) is tuple and len(part) == 2 for part in parts)
    known = type(made.kind) is str and made.form in FORMS and type(made.text) is str and type(made.cut) is bool
    asked = made.predicted is None or (type(made.predicted) is np.ndarray and made.predicted.dtype == np.float64)
    if not (pairs and known and asked) or (made.form in ("is", "frame") and not parts):
        raise NotPlain("an altered portrait")


def _bytes_of(values: NDArray[Any]) -> bytes | pickle.PickleBuffer:
    if values.nbytes < _SMALL_BYTES:
        return values.tobytes()
    flat: Any = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
    return pickle.PickleBuffer(flat)


def _descr(dtype: np.dtype[Any]) -> Any:
    """A dtype as text, or field by field: plain data."""
    if dtype.hasobject:
        raise NotPlain("an array of objects is no plain data")
    return dtype.str if dtype.names is None and dtype.subdtype is None else np.lib.format.dtype_to_descr(dtype)


def _dtype(descr: Any) -> np.dtype[Any]:
    dtype = np.dtype(descr) if type(descr) is str else np.lib.format.descr_to_dtype(descr)
    if dtype.hasobject:
        raise NotPlain("an array of objects")
    return dtype


def array(descr: Any, shape: Any, data: Any) -> NDArray[Any]:
    """An array from what was written of it; part of the format."""
    dtype = _dtype(descr)
    if type(shape) is not tuple or any(type(size) is not int or size < 0 for size in shape):
        raise NotPlain("an array of no shape")
    if type(data) not in (bytes, bytearray) or len(data) != math.prod(shape) * dtype.itemsize:
        raise NotPlain("an array of another length")
    if not data:
        return np.zeros(shape, dtype)
    held = np.frombuffer(data, dtype=dtype).reshape(shape)
    return held if held.flags.writeable else copied(held)


def scalar(descr: Any, data: Any) -> Any:
    """A NumPy scalar from what was written of it; part of the format."""
    return array(descr, (), data)[()]


def characters(held: Any) -> np.str_ | np.bytes_:
    """A NumPy text from what was written of it; part of the format."""
    if type(held) not in (str, bytes):
        raise NotPlain("a text of no characters")
    return np.str_(held) if type(held) is str else np.bytes_(held)


def fraction(numerator: Any, denominator: Any) -> Fraction:
    """A fraction from what was written of it; part of the format."""
    if type(numerator) is not int or type(denominator) is not int:
        raise NotPlain("a fraction of no integers")
    return Fraction(numerator, denominator)


def decimal(text: Any) -> Decimal:
    """A decimal number from what was written of it; part of the format."""
    if type(text) is not str:
        raise NotPlain("a decimal number of no text")
    return Decimal(text)


def number(real: Any, imaginary: Any) -> complex:
    """A complex number from what was written of it; part of the format."""
    return complex(float(real), float(imaginary))


def instance(*_: Any) -> Any:
    """A dataclass from what was written of it: the reader has one that knows which; part of the format."""
    raise NotPlain("a dataclass outside a message")
