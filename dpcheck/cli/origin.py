"""Where a wrong value stands that nobody typed: every line of trouble about arguments says it, whoever writes it."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar

_Words = Callable[[str], str]
# Set once the settings of the command that runs are known, and read wherever a line of trouble is made.
_WORDS: ContextVar[_Words | None] = ContextVar("dpcheck_origin", default=None)


def remember(words: _Words | None) -> None:
    """Give every line from here on these words; None: as they are."""
    _WORDS.set(words)


def with_origin(line: str) -> str:
    """The line, with where the value that it blames stands, where that is the settings.

    >>> with_origin("--size must be a number, got 'x'")
    "--size must be a number, got 'x'"
    """
    words = _WORDS.get()
    return line if words is None else words(line)
