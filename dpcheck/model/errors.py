"""Everything dpcheck raises: one root, one leaf per kind of trouble.

Each message is one line that names the argument, what it got, what it wants and, where it helps, what to do.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class DpcheckError(Exception):
    """The root of what dpcheck raises on purpose; anything else that escapes is a bug in dpcheck."""


class InvalidArgument(DpcheckError, ValueError):
    """An argument that cannot be used: the message names it, what it got and what it wants."""


class NoHypothesis(InvalidArgument):
    """A learner that raises, or returns no hypothesis, in every one of its first trials: it is the learner's fault."""


class TargetNotFound(DpcheckError, LookupError):
    """A target such as ``package.module:name`` that cannot be imported or does not exist."""


class LearnerDied(DpcheckError, RuntimeError):
    """The learner hung past its time limit, or its process died: no verdict about privacy follows from it.

    The second argument, where there is one, is the number of the dataset it ran on.
    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""

    @property
    def dataset(self) -> int | None:
        """The number of the dataset it ran on, where known."""
        return int(self.args[1]) if len(self.args) > 1 else None


#: How the words begin, after "the learner", where nothing was seen of it but that it was not done.
ONLY_SLOW = "was not done in"


def only_slow(failure: str) -> bool:
    """Whether a learner that could not be run is known to be slow, and no more: nothing was decided then.

    >>> only_slow("the learner was not done in 1200 s"), only_slow("the learner was ended by SIGKILL")
    (True, False)
    """
    return failure.startswith(f"the learner {ONLY_SLOW} ")


class RecordCorrupt(DpcheckError, ValueError):
    """A record that is not one: truncated, altered, or written by an unknown version."""


class BudgetSpent(DpcheckError, RuntimeError):
    """What was promised of so many answers would not hold of one more: nothing is answered any longer."""


class StaleHandle(DpcheckError, RuntimeError):
    """An object that may not answer: closed, copied, forked, or no longer what stands in its file."""


def nearest(name: str, candidates: Iterable[str]) -> str:
    """The words " (did you mean ...?)" for the candidate nearest to a misspelt name, or nothing.

    >>> nearest("epsilom", ["epsilon", "delta"])
    " (did you mean 'epsilon'?)"
    """
    found = difflib.get_close_matches(name, list(candidates), n=1, cutoff=0.7)
    return f" (did you mean {found[0]!r}?)" if found else ""


#: Of what a stranger's exception says no more characters are shown.
_LONGEST_TEXT = 500


def true_or_false(name: str, value: Any) -> bool:
    """The truth value that an argument is.

    Raises
    ------
    InvalidArgument
        For anything else: 1 and "no" are mistakes.

    Examples
    --------
    >>> true_or_false("shrink", "no")
    Traceback (most recent call last):
    dpcheck.InvalidArgument: shrink must be True or False, got 'no'
    """
    if not isinstance(value, bool):
        raise InvalidArgument(f"{name} must be True or False, got {value!r}")
    return value


def in_words(error: BaseException) -> str:
    """A stranger's exception in one line, whatever its ``__str__`` does, and whatever its metaclass says of its name.

    >>> in_words(ValueError("two\\n lines")), in_words(KeyError())
    ('ValueError: two lines', 'KeyError')
    """
    kind = str(type.__dict__["__name__"].__get__(type(error)))
    try:
        message = " ".join(str(error).split())[:_LONGEST_TEXT]
    except BaseException:
        message = ""
    return f"{kind}: {message}" if message else kind


for _public in (DpcheckError, InvalidArgument, TargetNotFound, LearnerDied, RecordCorrupt):
    _public.__module__ = "dpcheck"  # a traceback says the name by which they are caught
