"""The rows of a table in a text file, as they stand."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from dpcheck.model.errors import InvalidArgument

#: What may stand between cells, as spreadsheets write it; the first line tells which of them does.
SEPARATORS = (",", ";", "\t")
#: What stands for a value that is not there.
MISSING = frozenset({"", "na", "n/a", "nan", "null", "none"})


def separator_of(path: Path) -> str:
    """The separator that the first line has most of."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return max(SEPARATORS, key=file.readline().count)


def csv_rows(option: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """The number of each line that is not empty, and its cells.

    Raises
    ------
    InvalidArgument
        When it is no such text; ``option`` is what names the file.
    """
    try:
        separator = separator_of(path)
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=separator)
            for cells in reader:
                if cells:
                    yield reader.line_num, cells
    except UnicodeDecodeError as error:
        raise InvalidArgument(
            f"{option} must be UTF-8 text, got {path}: {error.reason} at byte {error.start}"
        ) from error
    except csv.Error as error:
        raise InvalidArgument(f"{option} must be CSV, got {path}: {error}") from error
