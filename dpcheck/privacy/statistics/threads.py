"""One thread for linear algebra on small matrices: threads that wait for each other cost ten times on busy machines."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.util import find_spec
from typing import Any


def one_thread_of_linear_algebra() -> AbstractContextManager[object]:
    """One thread for numpy and scipy while it is entered, where threadpoolctl is installed (scikit-learn brings it).

    >>> with one_thread_of_linear_algebra():
    ...     pass
    """
    pools = _pools()
    if pools is None:
        return nullcontext()
    limits: AbstractContextManager[object] = pools.limit(limits=1, user_api="blas")
    return limits


@cache
def _pools() -> Any:
    """The thread pools of this process; looking for them takes milliseconds, and they stay once loaded."""
    if find_spec("threadpoolctl") is None:
        return None
    import scipy.linalg  # noqa: F401  # loads them
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
