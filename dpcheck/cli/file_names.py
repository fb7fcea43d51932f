"""Names that no file can have."""

from __future__ import annotations

import errno
from pathlib import Path

from dpcheck.model.errors import InvalidArgument

# A name that is longer than a file's may be, or links that lead in a circle.
NO_NAME = frozenset({errno.ENAMETOOLONG, errno.ELOOP})
# Of such a name no more characters are shown.
_LONGEST = 60


def shown_name(name: str) -> str:
    """A name as it is shown: all of it, or how it begins and how long it is.

    >>> shown_name("data.csv"), shown_name("a" * 5000)[-27:]
    ("'data.csv'", "aaa'... of 5,000 characters")
    """
    return repr(name) if len(name) <= _LONGEST else f"{name[:_LONGEST]!r}... of {len(name):,} characters"


def check_name(option: str, path: Path) -> None:
    """Refuse a name that no file can have, whether or not there is one.

    Raises
    ------
    InvalidArgument
        Naming the option, with the start of the name.
    """
    try:
        path.stat()
    except OSError as error:
        if error.errno in NO_NAME:
            raise InvalidArgument(
                f"{option} must be a name that a file can have, got {shown_name(str(path))}: {error.strerror}"
            ) from error
