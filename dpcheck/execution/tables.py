"""What tables of pandas hold beside their cells: names, types, masks, categories, and what somebody hung on them."""

from __future__ import annotations

import types
from typing import Any

import numpy as np

#: What tables and series, indices of levels, other indices, and arrays of pandas, and tables of polars are made of,
#: by an attribute that tells them. It is drawn as columns, index, names and cells.
_MADE_OF = (
    ("_mgr", frozenset({"_flags"})),
    ("_levels", frozenset({"_codes", "_references"})),
    ("_id", frozenset({"_data", "_references"})),
    ("_mask", frozenset({"_data"})),
    ("_sparse_index", frozenset({"_dtype"})),
    ("_left", frozenset({"_right", "_dtype"})),
    ("_df", frozenset[str]()),
    ("_s", frozenset[str]()),
)
#: Of these, what an array of NumPy may be.
_CELLS = frozenset({"_data", "_mask"})
#: Caches of pandas, which what is asked of a table fills.
_CACHES = frozenset({"_cache", "_item_cache"})
_LIBRARIES = frozenset({"pandas", "polars"})


def roots_of(kind: type) -> set[str]:
    """The libraries that a type and those it comes of are of."""
    return {str(base.__module__).partition(".")[0] for base in type.__dict__["__mro__"].__get__(kind)}


def hung_on(kind: type, state: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Of the attributes of a table or matrix those that are no part of what it is made of anyway.

    >>> hung_on(np.ndarray, [("rows", 1)])
    [('rows', 1)]
    """
    if not roots_of(kind) & _LIBRARIES:
        return state
    names = {name for name, _ in state}
    made_of = next(({first, *others} for first, others in _MADE_OF if first in names), set[str]())
    return [(name, part) for name, part in state if not _is_told(name, part, made_of)]


def _is_told(name: Any, part: Any, made_of: set[str]) -> bool:
    """Whether an attribute is what a table is made of, of the type that it then has, or drawn apart, or a cache."""
    if name in _CACHES:
        return type(part) is dict
    if name == "_id":
        return type(part) is object
    if name == "_attrs":
        return not part
    if name == "_name":
        return "_df" not in made_of
    if name not in made_of:
        return False
    return bool(roots_of(type(part)) & _LIBRARIES) or (name in _CELLS and type(part) is np.ndarray)


def beside_cells(value: Any) -> list[tuple[str, Any]]:
    """What no cell of a table, series or index of pandas shows, and what is not as usual: names, frequencies, types,
    values below masks, categories and levels, used or not.

    Raises
    ------
    Exception
        Whatever reading it raises.
    """
    found: list[tuple[str, Any]] = []
    shape: tuple[int, ...] = getattr(value, "shape", ())
    columns = [value.iloc[:, place] for place in range(shape[1])] if len(shape) == 2 else [value]
    kinds = [_said_of_type(column) for column in columns]
    if any(kinds) and len(shape) == 2:
        found.append(("types", kinds))
    for place, column in enumerate(columns):
        found += _below_cells(f"column {place}", column)
    for axis in ("labels", "index", "columns"):
        labels: Any = value if axis == "labels" else getattr(value, axis, None)
        if not hasattr(labels, "names") or isinstance(labels, types.MethodType):
            continue
        found += _labels_of(axis, labels)
        if any(name is not None for name in labels.names):
            found.append((f"names of {axis}", list(labels.names)))
        if getattr(labels, "freq", None) is not None:
            found.append((f"frequency of {axis}", repr(labels.freq)))
        if axis != "labels" and _said_of_type(labels) and not _is_text(labels.dtype):
            found.append((f"type of {axis}", _said_of_type(labels)))
    if getattr(getattr(value, "flags", None), "allows_duplicate_labels", True) is False:
        found.append(("flags", "no duplicate labels"))
    return found


def _below_cells(name: str, column: Any) -> list[tuple[str, Any]]:
    if hasattr(column, "levels"):  # an index of levels, which is no array
        return []
    held = getattr(column, "array", column)
    found = _labels_of(name, column)
    mask, data = getattr(held, "_mask", None), getattr(held, "_data", None)
    if type(mask) is np.ndarray and type(data) is np.ndarray and mask.shape == data.shape and mask.any():
        found.append((f"below the mask of {name}", data[mask]))
    if hasattr(held, "sp_index") and hasattr(held, "sp_values"):
        places = held.sp_index.to_int_index().indices
        stored = [type(held.sp_index).__name__, np.asarray(places), np.asarray(held.sp_values)]
        found.append((f"stored of {name}", stored))
    return found


def _said_of_type(column: Any) -> str:
    """The type of a column that is none of NumPy's, in words; else nothing."""
    dtype = getattr(column, "dtype", None)
    if isinstance(dtype, np.dtype | None):
        return ""
    return f"str {dtype.storage} {dtype.na_value}" if _is_text(dtype) else repr(dtype)


def _is_text(dtype: Any) -> bool:
    """Whether a type is that of texts, of which there are few; of types that are made of anything there are many."""
    return type(dtype).__name__ == "StringDtype" and hasattr(dtype, "storage") and hasattr(dtype, "na_value")


def said_of_axes(value: Any) -> str:
    """What kind of index and columns a table or series has."""
    axes = [(axis, getattr(value, axis)) for axis in ("index", "columns") if hasattr(value, axis)]
    kinds = [(axis, type(labels).__name__, getattr(labels, "dtype", None)) for axis, labels in axes]
    return "; ".join(
        f"{axis} {kind} {dtype}" for axis, kind, dtype in kinds if isinstance(dtype, np.dtype | None) or _is_text(dtype)
    )


def _labels_of(name: str, labels: Any) -> list[tuple[str, Any]]:
    """The categories of categorical values, the range of a short index, and the levels of one of several."""
    categories = getattr(getattr(labels, "dtype", None), "categories", None)
    found: list[tuple[str, Any]] = []
    if categories is not None:
        found.append((f"categories of {name}", np.asarray(categories)))
    if type(labels).__name__ == "RangeIndex" and len(labels) < 2:  # more labels say which range they are of
        found.append((f"range of {name}", (labels.start, labels.stop, labels.step)))
    levels = getattr(labels, "levels", None)
    return found if levels is None else [*found, (f"levels of {name}", [np.asarray(level) for level in levels])]
