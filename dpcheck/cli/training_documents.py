"""What is written of an audit of a training: as text, as JSON or as a page, and where."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeVar

from dpcheck.model.option_words import as_options


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
    verdict: Found,
    written: Written,
    page: Callable[[Found], str],
    output: Path | None,
    json_file: Path | None,
    *others: tuple[str, Path | None, Callable[[], str]],
) -> None:
    """Print a verdict, or write it to a file; and to others its JSON, and what else is asked for."""
    from dpcheck.cli.documents import hand_out

    def view() -> str:
        if written is Written.HTML:
            return page(verdict)
        if written is Written.JSON:
            return verdict.to_json()
        return "".join(f"{as_options(line)}\n" for line in str(verdict).split("\n"))

    hand_out(view, output, ("--json", json_file, verdict.to_json), *others, words=written is Written.TEXT)
