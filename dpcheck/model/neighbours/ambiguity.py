"""Pairs of numbers where records are declared: bounds of columns for one reader, records for another.

A list of pairs such as ``[(0, 1), (18, 99)]`` could say that the first column goes from 0 to 1 and the second from 18
to 99, or that every record is (0, 1) or (18, 99). Nothing in it says which, and the wrong guess is another domain: an
audit of it would look where nobody asked. It is refused at every door, with the right spelling of each reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.domains import is_number

#: Pairs that are spelt out in the message; of more the first ones.
SHOWN = 6


def refuse_pairs(records: Any, name: str) -> None:
    """Nothing, unless the records are given as pairs of numbers.

    Parameters
    ----------
    records : any
        A list, tuple, set, range or array, as it was given.
    name : str
        The argument.

    Raises
    ------
    InvalidArgument
        One line with both right spellings, for a list, tuple, set or array of pairs. ``([0, 0], [1, 5])``, two rows of
        bounds in a tuple, is ``(low, high)`` where it cannot be a pair per column.

    Examples
    --------
    >>> refuse_pairs([(0, 1), (18, 99)], "records")
    Traceback (most recent call last):
        ...
    dpcheck.InvalidArgument: records must say what its pairs are, bounds of columns: Records.bounded([0, 18], \
[1, 99]), or records as values: Records.of([(0, 1), (18, 99)]); got the list [(0, 1), (18, 99)], which could be either
    >>> refuse_pairs([(0, 1, 2), (3, 4, 5)], "records"), refuse_pairs((0, 1), "records")
    (None, None)
    """
    pairs = _pairs_of(records)
    if pairs is None or (isinstance(records, tuple) and _are_low_and_high(records)):
        return
    low, high = [low for low, _ in pairs], [high for _, high in pairs]
    columns = _bounded(low, high) if _ordered(low, high) else "Records.bounded([low, ...], [high, ...])"
    readings = [f"bounds of columns: {columns}"]
    if isinstance(records, tuple) and len(pairs) == 2:
        whole = _bounded(*pairs) if _ordered(*pairs) else "Records.bounded(low, high)"
        readings.append(f"or with all low bounds first: {whole}")
    values = f"records as values: Records.of([{_values_text(pairs, '({}, {})')}])"
    raise InvalidArgument(
        f"{name} must say what its pairs are, {', '.join(readings)}, or {values}; got {_given(records, pairs)}, "
        "which could be either"
    )


def _pairs_of(records: Any) -> list[tuple[Any, Any]] | None:
    """The pairs of a collection that holds nothing else."""
    if not isinstance(records, list | tuple | set | frozenset | np.ndarray):
        return None
    if isinstance(records, np.ndarray) and (records.ndim == 0 or records.dtype.names is not None):
        return None
    listed = list(records)
    if not listed or not all(map(_is_pair, listed)):
        return None
    return [(pair[0], pair[1]) for pair in listed]


def _is_pair(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        if value.shape != (2,):
            return False
    elif not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return all(_could_be_bound(part) for part in value)


def _could_be_bound(value: Any) -> bool:
    """Whether somebody may mean a bound by it, if only one that is missing."""
    return value is None or is_number(value) or isinstance(value, Decimal | Fraction)


def _are_low_and_high(records: tuple[Any, ...]) -> bool:
    """Whether a tuple of two lists (or arrays) of two is ``(low, high)`` and cannot be a pair per column.

    A pair whose ends are equal declares a constant, which nobody does in order to look for leaks.
    """
    if len(records) != 2 or any(isinstance(side, tuple) for side in records):
        return False
    low, high = (list(side) for side in records)
    if any(value is None for value in (*low, *high)):
        return False
    return not (_ordered(low, high) and low[0] < low[1] and high[0] < high[1])


def _ordered(low: Sequence[Any], high: Sequence[Any]) -> bool:
    """Whether these are lows and highs of columns."""
    return all(a is not None and b is not None and a <= b for a, b in zip(low, high, strict=True))


def _bounded(low: Sequence[Any], high: Sequence[Any]) -> str:
    return f"Records.bounded([{_values_text(low)}], [{_values_text(high)}])"


def _values_text(values: Sequence[Any], form: str = "{}") -> str:
    words = [form.format(*map(_number, value if isinstance(value, tuple) else (value,))) for value in values[:SHOWN]]
    return ", ".join([*words, *(["..."] if len(values) > SHOWN else [])])


def _number(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)


def _given(records: Any, pairs: Sequence[tuple[Any, Any]]) -> str:
    kind = "array" if isinstance(records, np.ndarray) else "set" if isinstance(records, set | frozenset) else None
    if kind is None:
        kind = "tuple" if isinstance(records, tuple) else "list"
    return f"the {kind} [{_values_text(pairs, '({}, {})')}]"
