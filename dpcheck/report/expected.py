"""The verdict a user expects, however it is spelt."""

from __future__ import annotations

from typing import Any

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.verdict import Status

# What people write for the longest of them.
_SHORT = {"no violation": Status.NO_VIOLATION_FOUND}


def expected_status(name: str, expect: Any) -> Status:
    """The status of these words, with blanks, hyphens or underscores between them.

    Raises
    ------
    InvalidArgument
        For other words, naming the argument and the nearest status.

    Examples
    --------
    >>> [expected_status("expect", text).value for text in ("no-violation", "no violation found", "Learner_Failed")]
    ['no violation found', 'no violation found', 'learner failed']
    """
    known = {**_SHORT, **{status.value: status for status in Status}}
    words = " ".join(expect.lower().replace("-", " ").replace("_", " ").split()) if isinstance(expect, str) else ""
    if words in known:
        return known[words]
    wanted = ", ".join(repr(status.value) for status in reversed(Status))
    hint = nearest(words, known)
    raise InvalidArgument(f"{name} must be one of {wanted} (or with hyphens), got {expect!r}{hint}")
