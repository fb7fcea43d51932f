"""Pairs of neighbouring datasets from a .npz file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from dpcheck.cli.arrays import arrays_from_npz, check_size
from dpcheck.model.errors import InvalidArgument

_NAME = re.compile(r"(left|right)(?:_([0-9]{1,6}))?(?:_(x|y))?")
_WANTED = (
    "left and right (pairs stacked on the first axis) or left_0, right_0, left_1, ...; "
    "with labels left_x, left_y, right_x, right_y or left_0_x, left_0_y, ..."
)


def load_pairs(path: Path) -> list[tuple[Any, Any]]:
    """The pairs in a file, in order.

    Parameters
    ----------
    path : Path
        A .npz file with arrays ``left`` and ``right`` of shape ``(pairs, n, ...)``, or one array per dataset,
        named ``left_0``, ``right_0``, ``left_1`` and so on, where sizes differ. The names of datasets with
        labels end in ``_x`` and ``_y``.

    Raises
    ------
    InvalidArgument
        When an array has another name, a side or a part is missing, or the numbers of pairs differ.
    """
    check_size("--pairs", path)
    arrays = arrays_from_npz("--pairs", path)
    if not arrays:
        raise InvalidArgument(f"--pairs must hold arrays {_WANTED}, got none in {path}")
    datasets: dict[tuple[int, str], dict[str, NDArray[Any]]] = {}
    for name, array in arrays.items():
        matched = _NAME.fullmatch(name)
        if matched is None:
            raise InvalidArgument(f"--pairs must hold arrays {_WANTED}, got {name!r} in {path}")
        side, number, part = matched.groups()
        for index, one in [(int(number), array)] if number is not None else list(_stacked(array, name, path)):
            parts = datasets.setdefault((index, side), {})
            if (part or "") in parts:
                raise InvalidArgument(f"--pairs names dataset {side} of pair {index + 1} twice in {path}")
            parts[part or ""] = one
    return [
        (_dataset(datasets, (index, "left"), path), _dataset(datasets, (index, "right"), path))
        for index in sorted({index for index, _ in datasets})
    ]


def _stacked(array: NDArray[Any], name: str, path: Path) -> list[tuple[int, NDArray[Any]]]:
    if array.ndim < 2:
        raise InvalidArgument(
            f"--pairs must stack datasets on the first axis of {name!r}, got shape {array.shape} in {path}; "
            f"for a single pair, {name}[None]"
        )
    return list(enumerate(array))


def _dataset(datasets: dict[tuple[int, str], dict[str, NDArray[Any]]], key: tuple[int, str], path: Path) -> Any:
    parts = datasets.get(key, {})
    index, side = key
    if set(parts) == {""}:
        return parts[""]
    if set(parts) == {"x", "y"}:
        if parts["x"].ndim == 0 or parts["y"].ndim == 0 or len(parts["x"]) != len(parts["y"]):
            raise InvalidArgument(
                f"--pairs must have a label per record, got another in pair {_named(index)} of {path}"
            )
        return parts["x"], parts["y"]
    found = ", ".join(sorted(part or side for part in parts)) or "nothing"
    raise InvalidArgument(f"--pairs must have both sides of pair {_named(index)}, got {found} on the {side} in {path}")


def _named(index: int) -> str:
    """A pair counted from 1, as everywhere; the names of arrays count from 0."""
    return f"{index + 1} (left_{index}, right_{index})"
