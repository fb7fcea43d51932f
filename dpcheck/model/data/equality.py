"""Whether two datasets, or two records, are the same: NaN equals NaN, and nothing raises."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from dpcheck.model.data.kinds import is_frame, is_pandas

# Values that are compared as they are.
_ATOMS = frozenset({int, float, str, bool, complex, bytes, type(None), np.float64, np.int64, np.bool_})


def same_dataset(left: Any, right: Any) -> bool:
    """Whether two datasets (or records) hold the same values in the same order; NaN equals NaN; never raises.

    An array equals no list, and a pair no array: to a learner these are different inputs.

    Examples
    --------
    >>> same_dataset([1.0, float("nan")], [1.0, float("nan")]), same_dataset([1, 2], [2, 1])
    (True, False)
    """
    try:
        return _same(left, right)
    except Exception:
        # A value whose comparison raises: the same object is the same, anything else cannot be told to be.
        return left is right


def _same(left: Any, right: Any) -> bool:
    if left is right:
        return True
    if isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return isinstance(left, np.ndarray) and isinstance(right, np.ndarray) and _same_array(left, right)
    if is_pandas(left) or is_pandas(right):
        return type(left) is type(right) and _same_pandas(left, right)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        alike = isinstance(left, list) == isinstance(right, list) and len(left) == len(right)
        return alike and all(map(_same, left, right))
    if is_dataclass(left) and is_dataclass(right):  # Labelled and SemiPrivate, whose own equality asks this function
        names = [field.name for field in fields(left)]
        alike = type(left) is type(right)
        return alike and all(_same(getattr(left, name), getattr(right, name)) for name in names)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(left[key], right[key]) for key in left)
    equal = left == right
    if isinstance(equal, bool | np.bool_):
        return bool(equal) or bool(left != left and right != right)
    return bool(np.all(equal))


def _same_array(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> bool:
    if left.shape != right.shape:
        return False
    if left.dtype.hasobject or right.dtype.hasobject:
        return all(map(_same, left.ravel().tolist(), right.ravel().tolist()))
    if left.dtype.names is not None or right.dtype.names is not None:
        return left.dtype == right.dtype and left.tobytes() == right.tobytes()
    equal = left == right
    return bool(np.all(equal) or np.all(equal | ((left != left) & (right != right))))


def _same_pandas(left: Any, right: Any) -> bool:
    if not left.equals(right):  # pandas takes NaN for equal to NaN, and compares dtypes
        return False
    return not is_frame(left) or list(left.columns) == list(right.columns)


def same_record(left: Any, right: Any) -> bool:
    """Whether two records are equal as values, whatever holds them (a list, a tuple, an array row).

    Examples
    --------
    >>> same_record((1.0, 2.0), np.array([1.0, 2.0])), same_record(([0.5], 1), ([0.5], 0))
    (True, False)
    """
    if type(left) in _ATOMS and type(right) in _ATOMS:
        return bool(left == right) or (left != left and right != right)
    if isinstance(left, list | tuple | np.ndarray) and isinstance(right, list | tuple | np.ndarray):
        if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
            return same_dataset(left, right)
        try:
            return len(left) == len(right) and all(map(same_record, left, right))
        except Exception:
            return same_dataset(left, right)
    return same_dataset(left, right)
