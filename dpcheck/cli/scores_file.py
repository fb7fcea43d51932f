"""Scores of canaries, and who was in, from a file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.cli.arrays import arrays_from_npz, check_size
from dpcheck.cli.csv_rows import MISSING, csv_rows
from dpcheck.model.errors import InvalidArgument, nearest

#: The columns of a table of scores; the last may be left out.
SCORE, INCLUDED, RUN = "score", "included", "run"
_IN = {"1", "1.0", "true", "t", "in", "yes"}
_OUT = {"0", "0.0", "false", "f", "out", "no"}


def load_scores(option: str, path: Path) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The scores and coins in a file, arrays of shape (m,) or, of several runs, (runs, m).

    Parameters
    ----------
    option : str
        What names the file, for messages.
    path : Path
        A table (.csv; commas, semicolons or tabs) with columns ``score`` and ``included`` (1 or 0, true or false, in or
        out), and ``run`` where there are several; or a .npz file with arrays ``scores`` and ``included``.

    Raises
    ------
    InvalidArgument
        When it is neither, or what is in it is no score or coin.
    """
    check_size(option, path)
    if path.suffix.lower() == ".npz":
        arrays = arrays_from_npz(option, path)
        if set(arrays) != {"scores", "included"}:
            found = ", ".join(sorted(arrays)) or "none"
            raise InvalidArgument(f"{option} must hold the arrays scores and included, got {found} in {path}")
        return np.asarray(arrays["scores"], dtype=np.float64), arrays["included"]
    if path.suffix.lower() != ".csv":
        raise InvalidArgument(f"{option} must be a file that ends in .csv or .npz, got {str(path)!r}")
    return _of_table(option, path)


def _of_table(option: str, path: Path) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    rows = csv_rows(option, path)
    header = [cell.strip().lower() for cell in next(rows, (1, []))[1]]
    places = {name: _place(option, header, name, path) for name in (SCORE, INCLUDED)}
    run = _place(option, header, RUN, path) if RUN in header else None
    scores: dict[str, list[float]] = {}
    coins: dict[str, list[bool]] = {}
    for line, cells in rows:
        if len(cells) != len(header):
            raise InvalidArgument(
                f"{path}, line {line}: it must have {len(header)} cells like line 1, got {len(cells)}"
            )
        key = cells[run].strip() if run is not None else ""
        scores.setdefault(key, []).append(_number(cells[places[SCORE]], path, line))
        coins.setdefault(key, []).append(_coin(cells[places[INCLUDED]], path, line))
    if not scores:
        raise InvalidArgument(f"{option} must have rows, got {path} with nothing below its header")
    sizes = {key: len(one) for key, one in scores.items()}
    if len(set(sizes.values())) > 1:
        least, most = min(sizes, key=lambda key: sizes[key]), max(sizes, key=lambda key: sizes[key])
        raise InvalidArgument(
            f"{option} must have as many canaries in each run, got {sizes[least]:,} in run {least!r} and "
            f"{sizes[most]:,} in run {most!r} of {path}"
        )
    table = np.array(list(scores.values()), dtype=np.float64), np.array(list(coins.values()), dtype=np.bool_)
    return table if run is not None else (table[0][0], table[1][0])


def _place(option: str, header: list[str], name: str, path: Path) -> int:
    if header.count(name) != 1:
        shown = ", ".join(header)[:80] or "nothing"
        raise InvalidArgument(
            f"{option} must have one column {name!r} in its first line, got {shown} in {path}{nearest(name, header)}"
        )
    return header.index(name)


def _number(cell: str, path: Path, line: int) -> float:
    try:
        return float(cell)
    except ValueError:
        if cell.strip().lower() in MISSING:
            return math.nan
        raise InvalidArgument(f"{path}, line {line}: score must be a number, got {cell[:40]!r}") from None


def _coin(cell: Any, path: Path, line: int) -> bool:
    word = cell.strip().lower()
    if word in _IN or word in _OUT:
        return word in _IN
    raise InvalidArgument(f"{path}, line {line}: included must be 1 or 0 (true or false, in or out), got {cell[:40]!r}")
