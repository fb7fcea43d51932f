"""JSON that somebody wrote, read as the standard has it: each name once, no NaN, no number that no double is near."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any


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
