"""Datasets from files and from scikit-learn; nothing in a file is ever executed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.cli.arrays import array_from_npy, arrays_from_npz, check_size
from dpcheck.cli.csv_rows import MISSING, csv_rows, separator_of
from dpcheck.model.data.forms import has_pandas
from dpcheck.model.errors import InvalidArgument, nearest

SKLEARN = "sklearn:"
#: Each column is drawn, and looked at, by itself: with more of them that takes minutes before the first call.
MOST_COLUMNS = 20_000
_KINDS = "file.csv, file.npz, file.npy or sklearn:NAME"


def load_dataset(text: str, label: str | None, option: str = "--dataset", label_option: str = "--label") -> Any:
    """The dataset an option names: an array, or a pair ``(X, y)`` when it has labels.

    Parameters
    ----------
    text : str
        ``file.csv``, ``file.npz`` (arrays X and y, or one array), ``file.npy`` or ``sklearn:NAME``.
    label : str, optional
        The label column: its name, or its number from 0 (negative: from the end); for .npz an array's name.
    option, label_option : str
        The options that named them, for messages.

    Returns
    -------
    array (n, d), array (n,) if there is one column, or a pair of ``X`` (n, d) and ``y`` (n,); of a .csv with texts
    beside numbers a DataFrame of n rows takes the array's place, as pandas reads it

    Raises
    ------
    InvalidArgument
        When there is no such file or dataset, a label is missing, or something else is neither a finite number nor
        missing (an empty cell, NA, NaN) nor, in a .csv, a text; the line says where.
    """
    try:
        return _loaded(text, label)
    except InvalidArgument as error:
        told = str(error).replace("--label", label_option).replace("--dataset", option)
        raise InvalidArgument(told) from error


def _loaded(text: str, label: str | None) -> Any:
    if text.startswith(SKLEARN):
        return _from_sklearn(text.removeprefix(SKLEARN), label)
    path = Path(text)
    loaders = {".csv": _from_csv, ".npz": _from_npz, ".npy": _from_npy}
    loader = loaders.get(path.suffix.lower())
    if loader is None:
        raise InvalidArgument(f"--dataset must be {_KINDS}, got {text!r}")
    check_size("--dataset", path)
    return _of_width(loader(path, label), path)


def _of_width(loaded: Any, path: Path) -> Any:
    """A dataset of so few numbers a record that each column can be looked at by itself."""
    width = math.prod((loaded[0] if isinstance(loaded, tuple) else loaded).shape[1:])
    if width > MOST_COLUMNS:
        raise InvalidArgument(
            f"--dataset must have at most {MOST_COLUMNS:,} columns, got {path} of {width:,}: give those that the "
            "learner uses"
        )
    return loaded


def header_of(text: str, label: str | None) -> tuple[tuple[str, ...] | None, str | None]:
    """The names of a dataset's columns of features, and of its label, where its file has a header.

    Parameters
    ----------
    text, label : as for :func:`load_dataset`, which has read the file already
    """
    path = Path(text)
    if text.startswith(SKLEARN) or path.suffix.lower() != ".csv":
        return None, None
    _, cells = next(csv_rows("--dataset", path))
    if not _is_header(cells, label):
        return None, None
    names = [cell.strip() for cell in cells]
    place = None if label is None else _label_column(label, names, len(names), path)
    features = tuple(name for j, name in enumerate(names) if j != place)
    return (features if len(set(features)) == len(features) else None), None if place is None else names[place]


def _from_csv(path: Path, label: str | None) -> Any:
    rows = csv_rows("--dataset", path)
    first = next(rows, None)
    if first is None:
        raise InvalidArgument(f"--dataset must have rows, got the empty file {path}")
    line, cells = first
    width = len(cells)
    names = [cell.strip() for cell in cells] if _is_header(cells, label) else None
    column = None if label is None else _label_column(label, names, width, path)
    if column is not None and width < 2:
        raise InvalidArgument(f"--label needs a table of at least two columns, got {path} of {width}")
    table: list[list[float | None]] = []
    labels: list[tuple[int, str]] = []
    text: tuple[int, int, str] | None = None
    for line, cells in rows if names else itertools.chain([first], rows):
        if len(cells) != width:
            raise InvalidArgument(f"{path}, line {line}: it must have {width} cells like line 1, got {len(cells)}")
        if all(map(_is_missing, cells)) and width > 1:
            raise InvalidArgument(f"{path}, line {line}: it must hold something, got {width} cells that are missing")
        row = [0.0 if j == column else _cell(cell, path, line, j, names) for j, cell in enumerate(cells)]
        if text is None and None in row:
            place = row.index(None)
            text = line, place, cells[place]
        table.append([number for j, number in enumerate(row) if j != column])
        if column is not None:
            labels.append((line, cells[column].strip()))
    if not table:
        raise InvalidArgument(f"--dataset must have rows, got {path} with nothing below its header")
    if text is not None:
        frame = _frame(path, names, column, text)
        return frame if column is None else (frame, _labels_of_csv(labels, path, column, names))
    features = _with_numbers(np.array(table, dtype=float), path, names, column)
    if column is None:
        return _with_label(features, names, None, path)
    return features, _labels_of_csv(labels, path, column, names)


def _with_numbers(
    features: NDArray[Any], path: Path, names: Sequence[str] | None = None, label: int | None = None
) -> NDArray[Any]:
    """Features each column of which has a number; ``label`` is the column left out of them."""
    if features.dtype.kind != "f" or not features.size:
        return features
    empty = np.flatnonzero(np.isnan(features.reshape(len(features), -1)).all(axis=0))
    if len(empty):
        place = int(empty[0]) + (label is not None and label <= empty[0])
        raise InvalidArgument(
            f"--dataset must have a number in each column, got none in {_place(place, names)} of {path}"
        )
    return features


def _frame(path: Path, names: Sequence[str] | None, label: int | None, text: tuple[int, int, str]) -> Any:
    """A table with texts as pandas reads it, without the label's column."""
    line, column, cell = text
    where = f"{path}, line {line}, {_place(column, names)}"
    if not has_pandas():
        raise InvalidArgument(
            f"{where}: it must be a number, or pandas be there to read texts (pip install 'dpcheck[dataframe]'), "
            f"got {cell[:40]!r}; give --label {names[column] if names else column} if it is the label"
        )
    numbers = [name for name in names or () if _is_number(name)]
    if names is None or numbers:  # the first row is as likely one of the data
        raise InvalidArgument(
            f"{path}, line 1: it must name the columns of a table with texts (as {cell[:40]!r} in line {line}), "
            f"got {numbers[0] if numbers else 'numbers'!r}"
        )
    import pandas

    try:
        frame = pandas.read_csv(path, sep=separator_of(path), encoding="utf-8-sig", skipinitialspace=True)
    except ValueError as error:  # its own parser's errors are such
        raise InvalidArgument(f"--dataset must be CSV, got {path}: {error}") from error
    frame.columns = frame.columns.str.strip()
    return frame if label is None else frame.drop(columns=frame.columns[label])


def _is_header(cells: Sequence[str], label: str | None) -> bool:
    """Whether a first row holds names: the label's name does, and so does text anywhere but in the label column.

    Of words for what is missing alone (NA) no data are made.
    """
    if label is not None and label in [cell.strip() for cell in cells]:
        return not all(map(_is_number, cells))
    try:
        place = None if label is None else int(label) % len(cells)
    except ValueError:
        place = None
    features = [cell for j, cell in enumerate(cells) if j != place]
    return all(map(_is_missing, features)) or not all(_is_number(cell) or _is_missing(cell) for cell in features)


def _labels_of_csv(
    labels: Sequence[tuple[int, str]], path: Path, column: int, names: Sequence[str] | None
) -> NDArray[Any]:
    """Numbers where all labels are, else text as it stands."""
    numbers = all(_is_number(text) for _, text in labels)
    for line, text in labels:
        if _is_missing(text) or (numbers and not math.isfinite(float(text))):
            raise InvalidArgument(f"{path}, line {line}, {_place(column, names)}: it must be a label, got {text!r}")
    if numbers:
        return _as_labels(np.array([float(text) for _, text in labels]))
    return np.array([text for _, text in labels])


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _is_missing(cell: str) -> bool:
    return cell.strip().lower() in MISSING


def _cell(cell: str, path: Path, line: int, column: int, names: Sequence[str] | None) -> float | None:
    """The number in a cell, NaN where it is missing; None of a text."""
    try:
        number = float(cell)
    except ValueError:
        return math.nan if _is_missing(cell) else None
    if math.isinf(number):
        raise InvalidArgument(
            f"{path}, line {line}, {_place(column, names)}: it must be a finite number, or empty where it is missing, "
            f"got {cell[:40]!r}; leave such rows out, or hand the table over in Python (dataset=pandas.read_csv(...)), "
            "where cells may hold anything"
        )
    return number


def _place(column: int, names: Sequence[str] | None) -> str:
    return f"column {names[column]!r}" if names else f"column {column}"


def _with_label(table: NDArray[Any], names: Sequence[str] | None, label: str | None, path: Path) -> Any:
    if label is None:
        return table[:, 0] if table.ndim == 2 and table.shape[1] == 1 else table
    if table.ndim != 2 or table.shape[1] < 2:
        raise InvalidArgument(f"--label needs a table of at least two columns, got {path} of shape {table.shape}")
    column = _label_column(label, names, table.shape[1], path)
    return np.delete(table, column, axis=1), _as_labels(_none_missing(table[:, column], path))


def _label_column(label: str, names: Sequence[str] | None, width: int, path: Path) -> int:
    if names is not None and label in names:
        return list(names).index(label)
    try:
        column = int(label)
    except ValueError:
        known = f"; its columns are {', '.join(names)}" if names else ": it has no header, so give a number"
        raise InvalidArgument(
            f"--label must be a column of {path}, got {label!r}{nearest(label, names or [])}{known}"
        ) from None
    if not -width <= column < width:
        raise InvalidArgument(f"--label must be a column from 0 to {width - 1} of {path}, got {label}")
    return column % width


def _as_labels(column: NDArray[Any]) -> NDArray[Any]:
    # Classes are written 0, 1, 2; a learner that compares them with integers should find integers.
    if column.dtype.kind != "f":
        return column
    # Beyond 2^53 (an infinity too) no number is one class; what is compared before is no signalling NaN.
    small = bool(np.all(np.abs(column) <= 2.0**53))
    whole = small and bool(np.all(column == np.round(column)))
    return column.astype(np.int64) if whole else column


def _from_npy(path: Path, label: str | None) -> Any:
    array = array_from_npy("--dataset", path)
    if array.ndim == 0:
        raise InvalidArgument(f"--dataset must have records on its first axis, got a single number in {path}")
    _with_numbers(array, path)
    return _with_label(array, None, label, path)


def _from_npz(path: Path, label: str | None) -> Any:
    arrays = arrays_from_npz("--dataset", path)
    names = list(arrays)
    if label is not None:
        if label not in arrays:
            raise InvalidArgument(
                f"--label must be an array of {path}, got {label!r}{nearest(label, names)}; it has {', '.join(names)}"
            )
        features = [name for name in names if name != label]
        if len(features) != 1:
            raise InvalidArgument(
                f"--dataset with --label must hold records and labels, two arrays, got {', '.join(names)}"
            )
        return _pair_of(arrays[features[0]], arrays[label], path)
    lower = {name.lower(): name for name in names}
    if set(lower) == {"x", "y"}:
        return _pair_of(arrays[lower["x"]], arrays[lower["y"]], path)
    if len(names) == 1:
        return _with_numbers(arrays[names[0]], path)
    raise InvalidArgument(f"--dataset must hold one array, or X and y, got {', '.join(names) or 'none'} in {path}")


def _pair_of(x: NDArray[Any], y: NDArray[Any], path: Path) -> tuple[NDArray[Any], NDArray[Any]]:
    if x.ndim == 0 or y.ndim == 0 or len(x) != len(y):
        raise InvalidArgument(f"--dataset must have a label per record, got {x.shape} and {y.shape} in {path}")
    return _with_numbers(x, path), _none_missing(y, path)


def _none_missing(labels: NDArray[Any], path: Path) -> NDArray[Any]:
    missing = labels.dtype.kind == "f" and np.isnan(labels).any(axis=tuple(range(1, labels.ndim)))
    if np.any(missing):
        where = int(np.argmax(missing))
        raise InvalidArgument(f"--dataset must have a label per record, got nan for record {where} in {path}")
    return labels


def _from_sklearn(name: str, label: str | None) -> Any:
    if label is not None:
        raise InvalidArgument(f"--label must be left out for {SKLEARN}{name}: its labels are known")
    try:
        from sklearn import datasets
    except ImportError as error:
        raise InvalidArgument(
            f"--dataset {SKLEARN}{name} needs scikit-learn: pip install 'dpcheck[sklearn]'"
        ) from error
    # The ones that come with scikit-learn and need no download.
    known = ("iris", "digits", "wine", "breast_cancer", "diabetes")
    if name not in known:
        raise InvalidArgument(
            f"--dataset must be one of scikit-learn's {', '.join(known)}, got {name!r}{nearest(name, known)}"
        )
    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    return np.asarray(x, dtype=float), np.asarray(y)
