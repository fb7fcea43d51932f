"""Answers made fit to be handed over: copied as soon as they are given, and never able to take anything down.

A learner may return its own buffer and overwrite it in the next call, or an object whose methods raise. Each answer
is therefore settled on its own, right after its call: plain data stay what they are, of everything else a portrait is
drawn (:mod:`dpcheck.execution.portrait`).
"""

from __future__ import annotations

import hashlib
import math
import re
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from types import MemberDescriptorType
from typing import Any

import numpy as np

from dpcheck.execution.answers import Opaque, Portrait, Raised

#: Buffers inside pickles are worth it from this protocol on (Python 3.8).
PICKLE_PROTOCOL = 5
#: An exception's message says what happened in its first words; a longer one is cut so that answers stay
#: small.
LONGEST_MESSAGE = 300
#: Plain containers nested deeper than this go the way of objects: drawn part by part, to a limit.
DEEPEST_NESTING = 16
#: The flag of types that were made by a class statement or a call, and not by the interpreter.
MADE_BY_CODE = 1 << 9
#: dtype kinds that become one array over the runs: bool, signed, unsigned, float, complex.
NUMERIC_KINDS = "biufc"

_NUMPY_SCALARS = (
    np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
    np.float16, np.float32, np.float64, np.longdouble, np.complex64, np.complex128, np.clongdouble,
    np.str_, np.bytes_, np.datetime64, np.timedelta64,
)  # fmt: skip
#: Values of exactly these types cannot change, hold nothing foreign and can be handed over as they are.
PLAIN_TYPES = frozenset(
    {bool, int, float, complex, str, bytes, type(None), Fraction, Decimal, Raised, Opaque, Portrait}
).union(_NUMPY_SCALARS, (np.longlong, np.ulonglong))

#: Numbers of a message are looked for in so much of it.
LONGEST_TEXT = 10_000
#: Below this nothing of a process lies in memory: a smaller hexadecimal number is one that somebody wrote.
LOWEST_ADDRESS = 1 << 20

#: Numbers as text has them, in digits of ASCII: masking others would hide which script they are of.
WRITTEN = re.compile(r"(?<![0-9])0[xX][0-9a-fA-F]+|[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?")
_DIGITS = re.compile(r"(?<![0-9])0[xX][0-9a-fA-F]+|[0-9]+")
_ADDRESS = re.compile(r" (?:at|@) (0x[0-9a-fA-F]+)")
_HEXADECIMAL = re.compile(r"(?<![0-9])0[xX][0-9a-fA-F]+")

#: Exceptions that are never an answer, in the place where the learner runs.
Passing = tuple[type[BaseException], ...]


def masked(text: str, most: int = LONGEST_MESSAGE) -> str:
    """Text without its numbers and addresses, which would make each message an answer of its own; its first characters.

    >>> masked("row 12 of <object at 0x7f3a> is 3.5")
    'row # of <object at #> is #.#'
    """
    return _DIGITS.sub("#", text[:most])


def unmasked(answer: Raised) -> str:
    """The message of an exception with its numbers, as it was raised.

    >>> unmasked(Raised("ValueError", "wants # features, got #", ("3", "4")))
    'wants 3 features, got 4'
    """
    if answer.message.count("#") != len(answer.written):
        return answer.message
    numbers = iter(answer.written)
    return re.sub("#", lambda _: next(numbers), answer.message)


def _whole_message(text: str) -> str:
    """A message of an exception with its numbers masked, and a digest for what is too long to be looked at."""
    if len(text) <= LONGEST_TEXT:
        return masked(text, LONGEST_TEXT)
    digest = hashlib.sha256(without_places(text)[0].encode("utf-8", "backslashreplace")).hexdigest()[:16]
    return f"{masked(text, LONGEST_TEXT)}... ({len(text)} characters, digest {digest})"


def masked_warning(text: str) -> str:
    """The text of a warning as :func:`masked` gives it, and a digest of what is masked of the rest.

    >>> masked_warning("row 7"), len(masked_warning("a" * 301)) < 350
    ('row #', True)
    """
    if len(text) <= LONGEST_MESSAGE:
        return masked(text)
    digest = hashlib.sha256(masked(text, len(text)).encode("utf-8", "backslashreplace")).hexdigest()[:16]
    return f"{masked(text)}... (digest {digest})"


def without_address(text: str) -> str:
    """The text of an object without its place in memory, which is not part of an answer.

    >>> without_address("<a.Tree object at 0x7f0000>"), without_address("<a failure at 0x1>")
    ('<a.Tree object>', '<a failure at 0x1>')
    """
    if " 0x" not in text:
        return text
    return _ADDRESS.sub(lambda found: "" if int(found[1], 16) >= LOWEST_ADDRESS else found[0], text)


def addresses_in(text: str) -> list[int]:
    """What may be places in memory among the hexadecimal numbers of a text.

    >>> addresses_in("<a.Tree object at 0x7f0000>, status 0x1")
    [8323072]
    """
    found = [int(one, 16) for one in _HEXADECIMAL.findall(text)] if "0x" in text.lower() else []
    return [place for place in found if place >= LOWEST_ADDRESS]


def without_places(text: str) -> tuple[str, bool]:
    """A text without what may be a place in memory, and whether there was any: nobody can tell it from a number.

    >>> without_places("bad <Tree object at 0x7f0000>, status 0x1"), without_places("row 2")
    (('bad <Tree object at 0x#>, status 0x1', True), ('row 2', False))
    """
    if not addresses_in(text):
        return text, False
    return _HEXADECIMAL.sub(lambda found: "0x#" if int(found[0], 16) >= LOWEST_ADDRESS else found[0], text), True


def name_of(kind: type) -> str:
    """The qualified name of a type, past its metaclass.

    >>> name_of(np.ndarray)
    'ndarray'
    """
    return str.__str__(type.__dict__["__qualname__"].__get__(kind))


def written_in(text: str) -> tuple[str, ...]:
    """The numbers that masking takes out of a text, as they are written; what may be a place in memory apart.

    >>> written_in("row 012 of <object at 0x7f3a0000> is 3.50, status 0x1f")
    ('012', '3.50', '0x1f')
    """
    return tuple(WRITTEN.findall(_HEXADECIMAL.sub(_no_place, text[:LONGEST_TEXT])))


def _no_place(found: re.Match[str]) -> str:
    return "#" if int(found[0], 16) >= LOWEST_ADDRESS else found[0]


def raised(error: BaseException, passing: Passing, carry: Callable[[Any], Any] | None = None) -> Raised:
    """An exception as an answer, even when its own ``__str__`` raises; ``carry`` draws what it holds beside it."""
    kind = name_of(type(error))
    try:
        message = str.__str__(str(error))  # plain text, whatever its own ``__str__`` gives
        more = carry is not None and _holds_more(error, message)
        held = carry(error) if carry is not None and more else None
        return Raised(kind, _whole_message(message), written_in(message), held, bool(addresses_in(message)))
    except passing:
        raise
    except BaseException as again:
        return Raised(kind, f"(its message could not be read: {name_of(type(again))})")


def built_in_parts(error: BaseException) -> list[tuple[str, Any]]:
    """What an exception of Python's own types holds beside its arguments: the name that is missing, a line, a code.

    The object that an AttributeError speaks of is left out: it may be the learner, or the data.

    >>> built_in_parts(ImportError("no such thing", name="numpy"))
    [('msg', 'no such thing'), ('name', 'numpy')]
    """
    found = []
    for base in type.__dict__["__mro__"].__get__(type(error)):
        own = type.__dict__["__dict__"].__get__(base)
        if issubclass(base, BaseException) and base is not BaseException and "__slots__" not in own:
            members = {name: one for name, one in own.items() if type(one) is MemberDescriptorType and name != "obj"}
            found += [(name, one.__get__(error)) for name, one in members.items()]
    return [(name, part) for name, part in found if part is not None]


def _holds_more(error: BaseException, message: str) -> bool:
    """Whether an exception of Python's own is not made of its message alone, which then says all about it."""
    kind = type(error)
    own = BaseException.__dict__
    behind = ("__cause__", "__context__", "__suppress_context__", "__dict__")
    if kind.__flags__ & MADE_BY_CODE or any(own[name].__get__(error) for name in behind):
        return True
    given = own["args"].__get__(error)
    alone = (given == () and not message) or (len(given) == 1 and type(given[0]) is str and given[0] == message)
    return not alone or any(type(part) is not str or part not in message for _, part in built_in_parts(error))


def settle(value: Any, passing: Passing, carry: Callable[[Any], Any]) -> Any:
    """An answer that later calls cannot change; ``carry`` takes what is not plain data, else it is Opaque.

    ``passing`` exceptions go through, and so does MemoryError.
    """
    try:
        return _settled(value, carry, DEEPEST_NESTING)
    except passing:
        raise
    except MemoryError:
        raise
    except BaseException:
        return opaque(value, passing)


def _settled(value: Any, carry: Callable[[Any], Any], depth: int) -> Any:
    kind = type(value)
    if kind in PLAIN_TYPES:
        return value
    if kind is np.ndarray and _only_data(value.dtype):
        return copied(value)
    # Containers of plain data stay themselves; one that holds anything foreign is carried whole.
    if is_plain(value, depth):
        return plain_copy(value)
    return carry(value)


def is_plain(value: Any, depth: int) -> bool:
    """Whether a value is plain data, in containers at most ``depth`` deep."""
    kind = type(value)
    if kind in PLAIN_TYPES:
        return True
    if kind is np.ndarray:
        return _only_data(value.dtype)
    if depth == 0:
        return False
    if kind in (list, tuple, set, frozenset):
        return PLAIN_TYPES.issuperset(map(type, value)) or all(is_plain(part, depth - 1) for part in value)
    if kind is dict:
        if PLAIN_TYPES.issuperset(map(type, value)) and PLAIN_TYPES.issuperset(map(type, value.values())):
            return True
        return all(is_plain(key, depth - 1) and is_plain(part, depth - 1) for key, part in value.items())
    return False


def _only_data(dtype: np.dtype[Any]) -> bool:
    """Whether arrays of a type hold no objects, and nothing is written on the type itself."""
    return not dtype.hasobject and (dtype.metadata is None if dtype.names is None else is_unmarked(dtype))


def is_unmarked(dtype: np.dtype[Any]) -> bool:
    """Whether a type of arrays says nothing but where its fields are: no metadata, titles or flags, in none of them.

    >>> is_unmarked(np.dtype("f8")), is_unmarked(np.dtype([(("title", "a"), "f8")]))
    (True, False)
    """
    if dtype.metadata is not None or dtype.isalignedstruct:
        return False
    if dtype.subdtype is not None:
        return is_unmarked(dtype.subdtype[0])
    if dtype.names is None:
        return True
    return all(len(field) == 2 and is_unmarked(field[0]) for field in dtype.fields.values())  # type: ignore[union-attr]


def without_padding(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Numbers with zeros in the bytes that are no part of them: long doubles have 6 in 16, which nobody writes.

    >>> without_padding(np.ones(2)).tolist()
    [1.0, 1.0]
    """
    if numbers.dtype.kind not in "fc" or numbers.dtype.char not in "gG" or not _PADDED:
        return numbers
    held: Any = np.frombuffer(numbers.tobytes(), np.uint8).reshape(-1, np.dtype(np.longdouble).itemsize).copy()
    held[:, _PADDED] = 0
    found: np.ndarray[Any, Any] = held.reshape(-1).view(numbers.dtype).reshape(numbers.shape)
    return found


def _padded_bytes() -> list[int]:
    """The places in a long double of 80 bits that hold nothing."""
    extended = np.finfo(np.longdouble).nmant == 63 and sys.byteorder == "little"
    return list(range(10, np.dtype(np.longdouble).itemsize)) if extended else []


_PADDED = _padded_bytes()


def between_fields(records: np.ndarray[Any, Any]) -> bool:
    """Whether anything but zeros stands in the bytes of records that belong to no field.

    >>> between_fields(np.zeros(2, np.dtype([("a", "i1"), ("b", "i4")], align=True)))
    False
    """
    if records.dtype.names is None or records.dtype.hasobject:
        return False
    used = np.zeros(records.dtype.itemsize, bool)
    _use(used, records.dtype, 0)
    if used.all():
        return False
    held = np.frombuffer(records.tobytes(), np.uint8).reshape(-1, len(used))
    return bool(held[:, ~used].any())


def _use(used: np.ndarray[Any, Any], dtype: np.dtype[Any], start: int) -> None:
    """Mark the bytes of a type's fields, and of theirs."""
    if dtype.subdtype is not None:
        inner, size = dtype.subdtype[0], dtype.subdtype[0].itemsize
        for place in range(dtype.itemsize // max(1, size)):
            _use(used, inner, start + place * size)
    elif dtype.names is None:
        used[start : start + dtype.itemsize] = True
    else:
        for name in dtype.names:
            kind, offset = dtype.fields[name][:2]  # type: ignore[index]
            _use(used, kind, start + offset)


def copied(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy of an array, of records byte by byte: NumPy's own has whatever memory held between their fields.

    >>> copied(np.zeros(2, np.dtype([("a", "i1"), ("b", "i4")], align=True))).tolist()
    [(0, 0), (0, 0)]
    """
    if array.dtype.names is None or array.dtype.hasobject:
        return array.copy()
    return np.frombuffer(bytearray(array.tobytes()), array.dtype).reshape(array.shape)


def plain_copy(value: Any) -> Any:
    """A copy of plain data that shares nothing that can change with it."""
    kind = type(value)
    if kind in PLAIN_TYPES:
        return value
    if kind is np.ndarray:
        return copied(value)
    if kind is set or kind is frozenset:
        return value.copy()
    if kind is dict:
        return {key: plain_copy(part) for key, part in value.items()}
    if PLAIN_TYPES.issuperset(map(type, value)):
        return value[:]
    return kind(map(plain_copy, value))


def opaque(value: Any, passing: Passing = ()) -> Opaque:
    """What can be said of an answer that cannot be handed over: its type, and what its attributes hold.

    >>> opaque(x for x in [])
    Opaque(kind='generator', digest='')
    """
    kind = type(value)
    try:
        attributes = vars(value)
        readable = sorted(
            (str(name), repr(part)) for name, part in attributes.items() if is_plain(part, DEEPEST_NESTING)
        )
    except passing:
        raise
    except BaseException:
        readable = []
    digest = hashlib.sha256(repr(readable).encode("utf-8", "backslashreplace")).hexdigest() if readable else ""
    return Opaque(name_of(kind), digest)


def type_name(value: Any) -> str:
    """The type of an answer, such that types that print alike differ; of an array also its byte order and size.

    >>> type_name(1), type_name(np.int64(1)), type_name(np.bool_(True)), type_name(np.zeros((), ">f4"))
    ('int', 'numpy.int64', 'numpy.bool', 'numpy.ndarray >f4')
    """
    kind = type(value)
    if kind.__module__ != "numpy":
        return name_of(kind)
    sized = kind is np.ndarray or kind in (np.datetime64, np.timedelta64)
    return f"numpy.{name_of(kind)} {value.dtype.str}" if sized else f"numpy.{name_of(kind)}"


def packed_type(values: list[Any], packed: Any) -> str:
    """The type of answers that are one number each in an array, which does not tell; else nothing.

    >>> packed_type([1, 2], compact([1, 2])), packed_type([np.zeros(3)], np.zeros((1, 3)))
    ('int', '')
    """
    return type_name(values[0]) if isinstance(packed, np.ndarray) and packed.ndim == 1 and len(values) else ""


def compact(values: list[Any]) -> Any:
    """Answers as one array where nothing is lost by it: numbers of one type, arrays of one shape and dtype.

    Mixed types stay a list, so that 1 and 1.0 remain two answers; so do integers beyond 64 bits. Which type the
    numbers had is not in the array: :func:`packed_type` says it.

    >>> compact([1, 2]), compact([1, 2.0])
    (array([1, 2]), [1, 2.0])
    """
    try:
        kinds = set(map(type, values))
    except TypeError:  # a class whose own class cannot be hashed
        return values
    if len(kinds) != 1:
        return values
    (kind,) = kinds
    if kind is float:
        return np.array(values, dtype=np.float64)
    if kind is bool:
        return np.array(values, dtype=np.bool_)
    if kind is int:
        try:
            return np.array(values, dtype=np.int64)
        except OverflowError:
            return values
    if kind is complex:
        return np.array(values, dtype=np.complex128)
    if issubclass(kind, np.generic) and kind in PLAIN_TYPES and np.dtype(kind).kind in NUMERIC_KINDS:
        return np.array(values, dtype=kind)
    if kind is np.ndarray:
        first = values[0]
        alike = all(value.dtype == first.dtype and value.shape == first.shape for value in values)
        if alike and first.dtype.isnative and first.dtype.kind in NUMERIC_KINDS and math.prod(first.shape) > 0:
            return np.stack(values)
    return values
