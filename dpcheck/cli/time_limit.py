"""The limit of seconds for a stranger's code that runs in dpcheck's own process."""

from __future__ import annotations

from contextlib import AbstractContextManager

from dpcheck.cli.child_process import under_way


def limited(words: str) -> AbstractContextManager[object]:
    """Say what is under way, and end the run where it takes longer than an import may.

    Examples
    --------
    >>> with limited("target x.py:f was being imported"):
    ...     1 + 1
    2
    """
    # Read where it is wanted: an environment variable that is no number is then refused in one line.
    from dpcheck.execution.import_limit import import_seconds

    return under_way(words, import_seconds())
