"""What of a stranger's code runs in dpcheck's own process after all: whoever limits it is told.

An object that lives here is packed here, by its own ``__reduce__``; a learner that cannot be sent elsewhere, or shall
not be, is made here. The command line gives both a limit of seconds and says what was under way if the process ends.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Watch = Callable[[str], AbstractContextManager[object]]

_watch: list[Watch] = []


def watch_with(watch: Watch) -> None:
    """Let ``watch`` be told, from now on: it is given words that follow "while", and its context holds meanwhile."""
    _watch[:] = [watch]


def watched(words: str) -> AbstractContextManager[object]:
    """The context in which a stranger's code runs in this process.

    Examples
    --------
    >>> with watched("the learner was being packed for a worker process"):
    ...     1 + 1
    2
    """
    return _watch[0](words) if _watch else nullcontext()


def is_watched() -> bool:
    """Whether somebody limits what runs here, and says how it ended."""
    return bool(_watch)
