"""dpcheck's own computations, whatever numpy's error state and the filters of warnings; and the learner's under them.

Outputs near the largest double overflow in sums and middles that dpcheck takes of them, which it looks for itself where
it matters. Where a user turns warnings or numpy's errors into exceptions (``python -W error``, ``numpy.seterr``,
pytest's ``filterwarnings``), that is meant for the learner: it has the user's settings back for as long as it runs.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class _Settings:
    """numpy's error state, what it calls, and the filters of warnings."""

    errors: Any
    call: Any
    filters: tuple[Any, ...]


_users: ContextVar[_Settings | None] = ContextVar("users", default=None)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Within, numpy's errors and warnings are neither shown nor raised; also a decorator of functions.

    Examples
    --------
    >>> with np.errstate(all="raise"), undisturbed():
    ...     float(np.float64(1e308) * 10)
    inf
    """
    users = _users.get()
    if users is None:
        users = _Settings(np.geterr(), np.geterrcall(), tuple(warnings.filters))
    token = _users.set(users)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        _users.reset(token)


@contextmanager
def as_the_user_set() -> Iterator[None]:
    """Within, numpy's errors and warnings are what they were where dpcheck was called; outside of that, what they are.

    Examples
    --------
    >>> with np.errstate(over="raise"), undisturbed(), as_the_user_set():
    ...     np.geterr()["over"]
    'raise'
    """
    users = _users.get()
    if users is None:
        with np.errstate(), warnings.catch_warnings():
            yield
        return
    token = _users.set(None)
    try:
        with np.errstate(call=users.call, **users.errors), warnings.catch_warnings():
            warnings.resetwarnings()  # which says that they changed: what was shown once is decided anew
            warnings.filters[:] = users.filters  # type: ignore[index]
            yield
    finally:
        _users.reset(token)
