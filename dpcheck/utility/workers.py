"""Worker processes that serve many measurements: starting them takes longer than most measurements do."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from dpcheck.utility.arguments import whole


class Workers:
    """A number of processes, started at their first use and ended with the block.

    Parameters
    ----------
    jobs : int, processes; with 1 nothing is started, and the work is done where it is asked for

    Raises
    ------
    InvalidArgument
        When ``jobs`` is not an integer of at least 1.

    Examples
    --------
    >>> with Workers(1) as workers:
    ...     workers.jobs
    1
    """

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = whole("jobs", jobs, 1)
        self._pool: Any = None
        self._blocks = 0

    @classmethod
    def of(cls, jobs: int | Workers) -> Workers:
        """These workers, or as many new ones as the number says."""
        return jobs if isinstance(jobs, Workers) else cls(jobs)

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any:
        """The future of a call in one of the processes."""
        if self._pool is None:
            from concurrent.futures import ProcessPoolExecutor
            from multiprocessing import get_context

            self._pool = ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"))
        return self._pool.submit(function, *arguments)

    def __enter__(self) -> Workers:
        self._blocks += 1
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._blocks -= 1  # whoever opened the first block ends the processes, not a call in between
        if self._blocks == 0 and self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None
