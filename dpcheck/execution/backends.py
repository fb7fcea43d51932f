"""Executors by what people have: pools of ``concurrent.futures``, joblib's, clients of Dask, addresses of clusters.

``dask://host:port`` is a Dask scheduler, ``ray://host:port`` a Ray cluster's server for clients, ``ray://auto`` the Ray
cluster that this machine is of. All of them become what submits single calls.
"""

from __future__ import annotations

import atexit
import os
import re
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

from dpcheck.execution.elsewhere import Submits
from dpcheck.model.errors import InvalidArgument, in_words

_ADDRESS = re.compile(r"(dask|ray)://(.+)")
_WANTED = (
    "executor must be dask://HOST:PORT, ray://HOST:PORT, ray://auto, or an executor of concurrent.futures, joblib or "
    "Dask (something with submit)"
)
#: Seconds in which a cluster must be reached.
_CONNECT_SECONDS = 20


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """What submits calls, and how many workers it has; None where it does not say."""

    submits: Submits
    workers: int | None


def submitting(executor: Any) -> Elsewhere:
    """What submits calls, and how many it runs at a time where it says so.

    Parameters
    ----------
    executor : str, an executor of ``concurrent.futures``, ``joblib.Parallel``, a Dask client, or what this gave

    Raises
    ------
    InvalidArgument
        For anything else, and where a cluster cannot be reached.

    Examples
    --------
    >>> with ThreadPoolExecutor(3) as pool:
    ...     submitting(pool).workers
    3
    >>> submitting("spark://there")
    Traceback (most recent call last):
    dpcheck.InvalidArgument: executor must be dask://HOST:PORT, ray://HOST:PORT, ray://auto, or an executor of \
concurrent.futures, joblib or Dask (something with submit), got 'spark://there'
    """
    if isinstance(executor, Elsewhere):
        return executor
    if isinstance(executor, str):
        found = _ADDRESS.fullmatch(executor)
        if found is None:
            raise InvalidArgument(f"{_WANTED}, got {executor!r}")
        return _connected(found[1], found[2])
    if type(executor).__module__.partition(".")[0] == "joblib" and callable(executor):
        return Elsewhere(_OfJoblib(executor), _count(executor.n_jobs))
    if hasattr(executor, "get_executor") and hasattr(executor, "nthreads"):  # a client of Dask
        return Elsewhere(executor.get_executor(pure=False), sum(executor.nthreads().values()) or None)
    if callable(getattr(executor, "submit", None)):
        return Elsewhere(executor, _count(getattr(executor, "_max_workers", None)))
    raise InvalidArgument(f"{_WANTED}, got {executor!r}")


def is_address(text: str) -> bool:
    """Whether a text is the address of a cluster.

    >>> is_address("dask://10.0.0.7:8786"), is_address("dask")
    (True, False)
    """
    return _ADDRESS.fullmatch(text) is not None


def _count(workers: Any) -> int | None:
    """A number of workers; joblib's are negative where they are counted from the processors there are."""
    if isinstance(workers, bool) or not isinstance(workers, int) or workers == 0:
        return None
    return workers if workers > 0 else max(1, (os.cpu_count() or 1) + 1 + workers)


@cache
def _connected(kind: str, address: str) -> Elsewhere:
    return _dask(address) if kind == "dask" else _ray(address)


def _dask(address: str) -> Elsewhere:
    try:
        from distributed import Client
    except ImportError as error:
        raise InvalidArgument("executor dask:// needs Dask: pip install 'dpcheck[dask]'") from error
    try:
        client = Client(f"tcp://{address}", timeout=_CONNECT_SECONDS)
        atexit.register(client.close)
    except Exception as error:
        raise InvalidArgument(
            f"executor must be a cluster that answers, got 'dask://{address}': {in_words(error)}"
        ) from (error)
    return submitting(client)


def _ray(address: str) -> Elsewhere:
    try:
        import ray
    except ImportError as error:
        raise InvalidArgument("executor ray:// needs Ray: pip install 'dpcheck[ray]'") from error
    where = address if address == "auto" else f"ray://{address}"
    try:
        if not ray.is_initialized():
            ray.init(where, log_to_driver=False, logging_level="error")
    except Exception as error:
        raise InvalidArgument(
            f"executor must be a cluster that answers, got 'ray://{address}': {in_words(error)}"
        ) from (error)
    return Elsewhere(_OfRay(ray), int(ray.cluster_resources().get("CPU", 0)) or None)


class _OfRay:
    """Submits calls to a Ray cluster; a call whose worker dies is made again by who waits for it, not by Ray."""

    def __init__(self, ray: Any) -> None:
        self._call = ray.remote(max_retries=0)(_called)

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        """Begin a call in the cluster."""
        future: Future[Any] = self._call.remote(function, arguments).future()
        return future


def _called(function: Any, arguments: tuple[Any, ...]) -> Any:
    return function(*arguments)


class _OfJoblib:
    """Submits calls through ``joblib.Parallel``, which takes lists: those that wait go together, one list at a time."""

    def __init__(self, parallel: Any) -> None:
        self._parallel = parallel
        self._waiting: list[tuple[Future[Any], Any, tuple[Any, ...]]] = []
        self._lock = threading.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="dpcheck-joblib")

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        """Begin a call with those that are submitted meanwhile."""
        future: Future[Any] = Future()
        with self._lock:
            self._waiting.append((future, function, arguments))
        self._thread.submit(self._run)
        return future

    def _run(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        asked = [one for one in waiting if one[0].set_running_or_notify_cancel()]
        if not asked:
            return
        try:
            import joblib

            given = list(self._parallel(joblib.delayed(function)(*arguments) for _, function, arguments in asked))
        except BaseException as error:  # a worker that dies takes the list along: who waits asks again
            for future, *_ in asked:
                future.set_exception(error)
        else:
            for (future, *_), value in zip(asked, given, strict=True):
                future.set_result(value)
