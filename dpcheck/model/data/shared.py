"""What a copy of a dataset shares with it although it can change: what a learner does to that is done to the data.

A record's ``__deepcopy__``, ``__copy__`` or ``__reduce__`` may return the record itself. That is well where it never
changes; so what is shared is looked at before and after, and nothing of a stranger's is called for it.
"""

from __future__ import annotations

import array
import datetime
import decimal
import fractions
import types
import uuid
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.model.data.kinds import is_frame, is_pandas

#: What cannot change, or is looked up by its name and is nobody's data.
_FIXED = (
    int | float | complex | str | bytes | bool | range | slice | np.generic | np.dtype | decimal.Decimal
    | fractions.Fraction | uuid.UUID | datetime.date | datetime.time | datetime.timedelta | datetime.tzinfo
    | type | None | types.EllipsisType | types.NotImplementedType | types.ModuleType
    | types.FunctionType | types.BuiltinFunctionType
)  # fmt: skip
#: Types of which the most values are: subclasses may hold more, and are looked at.
_PLAIN = frozenset({int, float, complex, str, bytes, bool, type(None), np.float64, np.int64, np.bool_})
#: Where types are from that are told by their text.
_SPELLED = frozenset({"builtins", "datetime", "decimal", "fractions", "uuid"})
#: So many objects are looked at.
MOST_OBJECTS = 200_000


def shared_parts(made: Any, original: Any) -> tuple[Any, ...]:
    """The objects that a copy shares with its original, and that can change.

    Examples
    --------
    >>> import copy
    >>> record = [1]
    >>> shared_parts(copy.copy([record, 2]), [record, 2])
    ([1],)
    >>> shared_parts(copy.deepcopy([record, 2]), [record, 2])
    ()
    """
    found: list[Any] = []
    waiting: list[tuple[Any, Any]] = [(made, original)]
    seen: set[int] = set()
    while waiting and len(seen) < MOST_OBJECTS:
        one, other = waiting.pop()
        if type(other) in _PLAIN or _is_fixed(other) or id(other) in seen:
            continue
        seen.add(id(other))
        if one is other and not isinstance(other, tuple | frozenset):
            found.append(other)
        elif isinstance(other, np.ndarray) and isinstance(one, np.ndarray) and not other.dtype.hasobject:
            if np.may_share_memory(one, other):
                found.append(other)
        elif isinstance(other, set | frozenset) and isinstance(one, set | frozenset):
            held = {id(value) for value in _parts(other)}
            waiting += [(value, value) for value in _parts(one) if id(value) in held]
        elif type(one) is type(other):
            waiting += zip(_parts(one), _parts(other), strict=False)
    return tuple(found)


@dataclass(frozen=True, eq=False)
class State:
    """What some objects hold: each with its own content, what must stay in its place, and what must stay if it is set.

    Of the latter, attributes and what a dictionary of another type than Python's own keeps, more may come to be: a
    record that works something out of itself when it is first asked, and keeps it, is no other record.
    """

    objects: tuple[tuple[Any, Any, list[Any], dict[Any, Any]], ...]

    def has_changed(self) -> bool:
        """Whether any of them holds something else now."""
        for value, content, placed, named in self.objects:
            now_placed, now_named = _members(value)
            if _own_content(value) != content or len(now_placed) != len(placed):
                return True
            if not all(map(_is_same, placed, now_placed)):
                return True
            for name, before in named.items():
                if before is not None and not (name in now_named and _is_same(before, now_named[name])):
                    return True
        return False


def state_of(parts: tuple[Any, ...]) -> State:
    """What some objects hold, and what these hold, to be compared with what they hold later.

    Examples
    --------
    >>> record = {"values": [1, 2]}
    >>> before = state_of((record,))
    >>> before.has_changed()
    False
    >>> record["values"][0] = 3
    >>> before.has_changed()
    True
    """
    found: list[tuple[Any, Any, list[Any], dict[Any, Any]]] = []
    seen: set[int] = set()
    waiting = list(reversed(parts))
    while waiting and len(seen) < MOST_OBJECTS:
        value = waiting.pop()
        if type(value) in _PLAIN or id(value) in seen:
            continue
        placed, named = ([], {}) if _is_fixed(value) else _members(value)
        found.append((value, _own_content(value), placed, named))  # kept alive: another may have its number later
        seen.add(id(value))
        waiting += [*reversed(list(named.values())), *reversed(placed)]
    return State(tuple(found))


def _is_same(one: Any, other: Any) -> bool:
    """Whether two parts are one, or equal ones that cannot change, or arrays of the same numbers.

    A dictionary of a type of its own may have become another of the same entries and more.
    """
    if one is other:
        return True
    if isinstance(one, dict) and type(one) is type(other) and type(one) is not dict:
        grown = dict(dict.items(other))
        return all(before is None or grown.get(key) is before for key, before in dict.items(one))
    told_by_content = type(one) in _PLAIN or _is_fixed(one) or isinstance(one, np.ndarray)
    return told_by_content and type(one) is type(other) and _own_content(one) == _own_content(other)


def _members(value: Any) -> tuple[list[Any], dict[Any, Any]]:
    """What an object holds in places, and what it holds by names that more may be added to."""
    if isinstance(value, dict) and type(value) is not dict:
        entries = {("entry", id(key)): held for key, held in dict.items(value)}
        return [], {**entries, **_attributes(value)}
    return list(_parts(value, attributes=False)), {} if is_pandas(value) else dict(_attributes(value))


def _is_fixed(value: Any) -> bool:
    # what a subclass adds may change
    return isinstance(value, _FIXED) and not (_attributes(value) and not isinstance(value, type | types.FunctionType))


def _own_content(value: Any) -> Any:
    """What an object holds beside other objects."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, b"" if value.dtype.hasobject else value.tobytes()
    if isinstance(value, bytearray | array.array | memoryview):
        return bytes(value)
    if isinstance(value, type | types.ModuleType | types.FunctionType | types.BuiltinFunctionType):
        return id(value)
    if isinstance(value, np.generic):
        return value.tobytes()
    if type(value) in _PLAIN:
        return repr(value)
    return repr(value) if isinstance(value, _FIXED) and type(value).__module__ in _SPELLED else None


def _parts(value: Any, *, attributes: bool = True) -> Iterator[Any]:
    """The objects that one holds: elements, keys and values, and attributes if asked for."""
    if is_pandas(value):
        columns = [value.iloc[:, place] for place in range(value.shape[1])] if is_frame(value) else [value]
        for column in columns:
            if column.dtype == object:
                yield from column.to_numpy()
            else:
                yield np.asarray(column).copy()
        return
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            yield from value.ravel().tolist()
    elif isinstance(value, list):
        yield from list.__iter__(value)
    elif isinstance(value, tuple):
        yield from tuple.__iter__(value)
    elif isinstance(value, dict):
        for key, held in dict.items(value):
            yield key
            yield held
    elif isinstance(value, deque):
        yield from deque.__iter__(value)
    elif isinstance(value, set):
        yield from set.__iter__(value)
    elif isinstance(value, frozenset):
        yield from frozenset.__iter__(value)
    for name, held in _attributes(value).items() if attributes else ():
        yield name
        yield held


def _attributes(value: Any) -> dict[str, Any]:
    """The attributes in an object's ``__dict__`` and slots, without asking the object."""
    found: dict[str, Any] = {}
    with suppress(AttributeError, TypeError, ValueError):
        found.update(object.__getattribute__(value, "__dict__"))
    for kind in type(value).__mro__:
        for name, slot in vars(kind).items():
            if isinstance(slot, types.MemberDescriptorType) and kind.__module__ != "builtins":
                try:
                    found[f"{kind.__qualname__}.{name}"] = slot.__get__(value)
                except AttributeError:
                    continue
    return found
