"""Outputs as keys: what a law lists and what a call gave, looked up without merging what can be told apart.

Two keys: :func:`plain_output` is the cell of a law that an output belongs to, and forgives how numbers and sequences
are packed (``np.int64(1)`` and ``1``, ``[1]`` and ``(1,)``: laws list hashable outputs, calls give arrays);
:func:`form_of` forgives nothing. A cell whose outputs come in one form only leaks nothing by it; one that comes in two
is two outputs, whatever ``==`` says.
"""

from __future__ import annotations

import math
import re
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Portrait
from dpcheck.execution.handover import PLAIN_TYPES

#: What is looked at part by part here, and needs no portrait.
_KNOWN = PLAIN_TYPES | {list, tuple, set, frozenset, np.ndarray, Fraction, Decimal}
#: Objects are shown with at most so many characters.
_SHOWN_OBJECT = 120
#: Types whose equal values are one and the same, so that they are counted without being looked at.
_SAME_WHEN_EQUAL = frozenset({int, str, bytes, bool, type(None)})
#: Python's own numbers, which come packed into arrays.
_PYTHONS_OWN = ("bool", "int", "float", "complex")
#: How the type of arrays without axes begins, which are packed as the numbers they hold.
_NO_AXES = "numpy.ndarray"
#: How a portrait says the shape of an array.
_SHAPE, _SIZE = re.compile(r"shape \((.*)\)"), re.compile(r"\d+")
#: Arrays without elements may claim any shape: one of more places than this is looked at as an object.
_MOST_CELLS = 1_000_000
#: Nested deeper than this, an output is told from others by its text.
_DEEPEST = 30


@dataclass(frozen=True)
class OfType:
    """An output that equals one of another type."""

    kind: str
    value: Any

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True)
class Object:
    """An output that is an object: how it is shown, and all that its portrait holds."""

    text: str
    value: tuple[Any, ...]

    def __repr__(self) -> str:
        return self.text


def plain_output(output: Any) -> Any:
    """An output as the cell of a law: what it is equal to, told from what it only seems equal to.

    Examples
    --------
    >>> plain_output(np.array([1, 2])) == plain_output([1, 2]) == (1, 2)
    True
    >>> plain_output({1, 2}) == plain_output(frozenset({1, 2}))
    True
    >>> plain_output(0.0) == plain_output(-0.0), plain_output(0.5) == plain_output(Fraction(1, 2))
    (False, False)
    """
    from dpcheck.privacy.statistics.leaves import drawn
    from dpcheck.privacy.statistics.observations import canonical

    if isinstance(output, np.generic):
        output = output.item()
    if isinstance(output, OfType | Object):  # a cell already
        return output
    if type(output) not in _KNOWN:
        output = drawn(output)  # as calls give it
    if type(output) is Portrait:
        return _cell_of(output)
    if isinstance(output, float):
        if output != output:
            return ("not a number",)  # NaN is not equal to itself
        if output == 0.0 and math.copysign(1.0, output) < 0:
            return OfType("negative zero", output)
        # True, 1 and 1.0 are equal, and different answers
        return OfType("float", output) if output.is_integer() else output
    if isinstance(output, bool | complex | Fraction | Decimal):
        return OfType(type(output).__name__, output)
    if isinstance(output, np.ndarray):
        output = output.tolist()
    if isinstance(output, list | tuple):
        return tuple(map(plain_output, output))
    if isinstance(output, set | frozenset):
        return frozenset(map(plain_output, output))
    return output if type(output) in PLAIN_TYPES else canonical(output)


def _cell_of(portrait: Portrait) -> Any:
    """The cell of an object: all that its portrait holds; of an array or a set of objects that of its parts.

    Calls give those as portraits, and a law lists the same answer as an array, a tuple or a ``frozenset``.
    """
    from dpcheck.privacy.statistics.observations import canonical

    shape = _SHAPE.fullmatch(portrait.text)
    if portrait.kind in ("set", "frozenset") and portrait.form == "members":
        return frozenset(plain_output(part) for _, part in portrait.parts)
    if portrait.kind == "ndarray" and portrait.form == "is" and len(portrait.parts) == 1 and shape is not None:
        content, sizes = portrait.parts[0][1], [int(size) for size in _SIZE.findall(shape[1])]
        whole = type(content) is list and math.prod(sizes) == len(content)  # else only its beginning was kept
        if whole and math.prod(max(1, size) for size in sizes) <= _MOST_CELLS:
            return _nested(list(map(plain_output, content)), sizes)
    return Object(repr(portrait)[:_SHOWN_OBJECT], canonical(portrait))


def _nested(cells: Sequence[Any], sizes: Sequence[int]) -> Any:
    """Cells in a row as nested tuples of a shape.

    >>> _nested([1, 2, 3, 4], [2, 2]), _nested([1], []), _nested([], [2, 0])
    (((1, 2), (3, 4)), 1, ((), ()))
    """
    if not sizes:
        return cells[0]
    inner = math.prod(sizes[1:])
    return tuple(_nested(cells[place * inner : (place + 1) * inner], sizes[1:]) for place in range(sizes[0]))


def loose_output(output: Any) -> Any:
    """The cell of an output for laws that list it in another form: equal numbers that are no ``bool`` as one.

    Whole floats and integers stay apart, as do ``True`` and ``1``: those are different answers to any reader.

    >>> loose_output(-0.0) == loose_output(0.0), loose_output(0.5) == loose_output(Fraction(1, 2))
    (True, True)
    >>> loose_output(1.0) == loose_output(1)
    False
    """
    plain = plain_output(output)
    if isinstance(plain, OfType):
        if plain.kind == "negative zero":
            return OfType("float", 0.0)
        if plain.kind not in ("bool", "float"):
            return plain.value
        return plain
    if isinstance(plain, tuple) and isinstance(output, list | tuple | np.ndarray):
        return tuple(map(loose_output, output.tolist() if isinstance(output, np.ndarray) else output))
    return plain


def form_of(output: Any, depth: int = 0) -> Any:
    """A hashable value that is equal for two outputs only where nothing tells them apart: types, signs, payloads.

    Examples
    --------
    >>> form_of(0.0) == form_of(-0.0), form_of([1]) == form_of((1,)), form_of("a") == form_of(np.str_("a"))
    (False, False, False)
    >>> form_of(frozenset({1})) == form_of(frozenset({True})), form_of({"a": 1, "b": 2}) == form_of({"b": 2, "a": 1})
    (False, False)
    """
    kind = type(output)
    if kind in _SAME_WHEN_EQUAL:
        return (kind, output)
    if kind is float:
        return (kind, struct.pack("<d", output))
    named = f"{kind.__module__}.{kind.__qualname__}"
    if depth >= _DEEPEST:
        return (named, repr(output))
    if isinstance(output, np.generic) and output.dtype.kind != "O":
        return (named, str(output.dtype), output.tobytes())
    if isinstance(output, np.ndarray):
        if output.dtype.kind == "O":
            inner = tuple(form_of(part, depth + 1) for part in output.reshape(-1).tolist())
            return (named, "object", output.shape, inner)
        return (named, str(output.dtype), output.shape, output.tobytes())
    if isinstance(output, list | tuple):
        return (named, tuple(form_of(part, depth + 1) for part in output))
    if isinstance(output, set | frozenset):
        return (named, frozenset(form_of(part, depth + 1) for part in output))
    if isinstance(output, Mapping):  # in its order, which a reader sees
        return (named, tuple((form_of(k, depth + 1), form_of(v, depth + 1)) for k, v in output.items()))
    if isinstance(output, int | float | str | bytes | complex | Fraction | Decimal):
        base = next(one for one in (int, float, str, bytes, complex, Fraction, Decimal) if isinstance(output, one))
        value = struct.pack("<d", output) if isinstance(output, float) else repr(output)
        return (named, base, value)
    from dpcheck.privacy.statistics.observations import canonical

    return (named, canonical(output))


def counted(values: NDArray[Any] | Sequence[Any], packed: str = "") -> list[tuple[Any, Any, int]]:
    """Answers of some calls as (form, output, how often), by form; numbers in arrays without a loop over them.

    ``packed`` is the type of numbers that come as one array, which does not tell
    (:func:`dpcheck.execution.handover.packed_type`).

    Examples
    --------
    >>> [(output, times) for _, output, times in counted(np.array([3, 5, 3]), "int")]
    [(3, 2), (5, 1)]
    >>> [(output, times) for _, output, times in counted([0.0, -0.0, 0.0])]
    [(0.0, 2), (-0.0, 1)]
    >>> counted(np.array([3, 3]), "int") == counted([3, 3]), counted(np.array([3]), "int") == counted([3, None])[:1]
    (True, True)
    >>> counted(np.array([3]), "int") == counted(np.array([3]), "numpy.int64")
    False
    >>> counted(np.array([3]), "numpy.ndarray <i8")[0][0] == form_of(np.array(3))
    True
    """
    own = packed in _PYTHONS_OWN
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "biuf":
        if values.dtype.kind == "f":  # by their bits: signs of zero and payloads stay
            if values.dtype.itemsize not in (2, 4, 8):
                return _one_by_one([_as_given(one, own=own, alone=packed.startswith(_NO_AXES)) for one in values])
            bits, places, times = np.unique(
                values.view(f"u{values.dtype.itemsize}"), return_index=True, return_counts=True
            )
            del bits
        else:
            _, places, times = np.unique(values, return_index=True, return_counts=True)
        found = [values[place] for place in places]
        given = [_as_given(output, own=own, alone=packed.startswith(_NO_AXES)) for output in found]
        return [(form_of(output), output, int(n)) for output, n in zip(given, times.tolist(), strict=True)]
    if isinstance(values, np.ndarray):
        alone = values.ndim == 1 and packed.startswith(_NO_AXES)
        return _one_by_one([_as_given(one, own=own and values.ndim == 1, alone=alone) for one in values])
    kinds = set(map(type, values))
    if len(kinds) == 1 and kinds <= _SAME_WHEN_EQUAL:
        kind = next(iter(kinds))
        return [((kind, output), output, times) for output, times in Counter(values).items()]
    return _one_by_one(values)


def _as_given(number: Any, *, own: bool, alone: bool) -> Any:
    """A number out of an array as it was before it was packed: Python's own, an array without axes, or itself."""
    if own:
        return number.item()
    return np.asarray(number) if alone else number


def _one_by_one(values: Sequence[Any]) -> list[tuple[Any, Any, int]]:
    found: dict[Any, list[Any]] = {}
    for value in values:
        known = found.setdefault(form_of(value), [value, 0])
        known[1] += 1
    return [(form, output, times) for form, (output, times) in found.items()]
