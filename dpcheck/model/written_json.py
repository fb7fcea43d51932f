"""JSON that somebody wrote, read as the standard has it: each name once, no NaN, no number that no double is near."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

#: How numbers are written that JSON has none for.
_NOT_FINITE = ("inf", "-inf", "nan")


def read_json(text: str) -> Any:
    """The data in a text.

    Python's own reader takes the last of two entries of one name, words for NaN and infinity, and infinity for numbers
    that are too large: a file of which a person cannot tell what it says is read as if it said something.

    Raises
    ------
    ValueError
        When it is no JSON, or says one thing twice; also of brackets that are nested too deep.

    Examples
    --------
    >>> read_json('{"a": [1, 2.5e3]}')
    {'a': [1, 2500.0]}
    >>> read_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ValueError: the name 'a' is there twice
    """
    try:
        return json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_constant, parse_float=_double)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error


def read_json_file(path: Path) -> Any:
    """The data in a file.

    Raises
    ------
    OSError
        When there is none that can be read.
    ValueError
        When it is no JSON in UTF-8, or no file: a pipe might never end.
    """
    if path.exists() and not path.is_file():
        raise ValueError("it is a folder" if path.is_dir() else "it is no file")
    return read_json(path.read_text(encoding="utf-8"))


def check_types(read: Any, made: Any, place: str = "") -> None:
    """Refuse data that were taken for something else than what they say: true for 1, a text for a number.

    Parameters
    ----------
    read : data as JSON has them
    made : what was made of them: dataclasses, mappings, sequences, enumerations and plain values
    place : where they stand, for the message

    Raises
    ------
    ValueError
        Naming the first place where they differ.

    Examples
    --------
    >>> check_types({"counts": [1, 2.0], "most": "inf"}, {"counts": (1, 2), "most": math.inf})
    >>> check_types({"counts": [True]}, {"counts": (1,)})
    Traceback (most recent call last):
    ValueError: counts > 0 must be a number, got true
    """
    if is_dataclass(made) and isinstance(read, dict):
        made = {field.name: getattr(made, field.name) for field in fields(made)}
    if isinstance(made, Mapping) and isinstance(read, dict):
        for name in read.keys() & made.keys():
            check_types(read[name], made[name], f"{place} > {name}" if place else str(name))
    elif isinstance(made, list | tuple) and isinstance(read, list):
        for number, (one, other) in enumerate(zip(read, made, strict=False)):
            check_types(one, other, f"{place} > {number}" if place else str(number))
    elif isinstance(made, bool) and not isinstance(read, bool):
        raise _other(place, "true or false", read)
    elif isinstance(made, int | float) and not isinstance(made, bool | Enum):
        number = isinstance(read, int | float) and not isinstance(read, bool)
        endless = isinstance(made, float) and not math.isfinite(made) and read in _NOT_FINITE
        if not number and not endless:
            raise _other(place, "a number", read)


def _other(place: str, wanted: str, read: Any) -> ValueError:
    return ValueError(f"{place[:200]} must be {wanted}, got {json.dumps(read)[:60]}")


def _each_once(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(entries)
    if len(found) < len(entries):
        names = [name for name, _ in entries]
        raise ValueError(f"the name {next(name for name in names if names.count(name) > 1)[:60]!r} is there twice")
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no number of JSON")


def _double(text: str) -> float:
    found = float(text)
    if math.isinf(found):
        raise ValueError(f"{text[:60]} is too large for a double")
    return found
