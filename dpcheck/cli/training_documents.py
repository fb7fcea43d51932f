"""What is written of an audit of a training: as text, as JSON or as a page, and where."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeVar


class Written(StrEnum):
    """What is written."""

    TEXT = "text"
    JSON = "json"
    HTML = "html"


class Outside(StrEnum):
    """What a record that is out means."""

    ADD_REMOVE = "add-remove"
    REPLACE_ONE = "replace-one"


class _Verdict(Protocol):
    """What a verdict says of itself."""

    def __str__(self) -> str: ...

    def to_json(self) -> str:
        """As JSON."""
        ...


Found = TypeVar("Found", bound=_Verdict)


def write_verdict(
    verdict: Found, written: Written, page: Callable[[Found], str], output: Path | None, json_file: Path | None
) -> None:
    """Print a verdict, or write it to a file; and its JSON to another one where that is asked for."""
    from dpcheck.cli.documents import put, write_document

    if written is Written.HTML:
        text = page(verdict)
    else:
        text = verdict.to_json() if written is Written.JSON else f"{verdict}\n"
    if output is None:
        put(text)
    else:
        write_document("--output", output, text)
    if json_file is not None:
        write_document("--json", json_file, verdict.to_json())
