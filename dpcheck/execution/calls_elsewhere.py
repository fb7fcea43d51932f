"""Calls of functions in the workers of somebody's executor, each in a process of its own there.

What ends its process, or takes longer than it may, costs only itself. A worker that is lost costs the calls that it was
at: they are made again somewhere else, and what comes of each is told once.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from multiprocessing import current_process
from typing import Any

from dpcheck.execution.elsewhere import MOST_LOST, QUEUED, Submits, submitted
from dpcheck.execution.function_calls import Begun, Call, Ended
from dpcheck.execution.processes import run_in_processes
from dpcheck.execution.surroundings_there import MadeOf, differences, made_of, words_of_differences
from dpcheck.model.errors import InvalidArgument, in_words

#: How long nothing may come before who waits is told so.
_LOOK_SECONDS = 0.5


def run_elsewhere(
    calls: Sequence[Call], executor: Submits, at_once: int
) -> Generator[Begun | Ended | None, None, None]:
    """What comes of calls, as it comes; None where nothing came for half a second.

    Parameters
    ----------
    calls : sequence of calls that can be pickled, of functions that modules have there too
    executor : what has ``submit`` as :class:`concurrent.futures.Executor` has it
    at_once : int, so many workers are reckoned with

    Examples
    --------
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from math import factorial
    >>> with ThreadPoolExecutor(2) as pool:
    ...     events = list(run_elsewhere([Call(factorial, (5,))], pool, 2))
    >>> [event.value for event in events if isinstance(event, Ended)]
    [120]
    """
    waiting = deque(range(len(calls)))
    lost = [0] * len(calls)
    under_way: dict[Future[Any], int] = {}
    made: dict[Callable[..., Any], MadeOf] = {}
    try:
        while waiting or under_way:
            while waiting and len(under_way) < QUEUED * at_once:
                place = waiting.popleft()
                call = calls[place]
                parts = made[call.function] = made.get(call.function) or made_of(call.function)
                under_way[submitted(executor, ended_here, call, parts)] = place
                if not lost[place]:
                    yield Begun(place)
            done, _ = wait(under_way, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
            if not done:
                yield None
            for future in done:
                place = under_way.pop(future)
                try:
                    seconds, value, error, why = future.result()
                except (Exception, CancelledError) as gone:
                    lost[place] += 1
                    if lost[place] <= MOST_LOST:
                        waiting.appendleft(place)
                        continue
                    yield Ended(place, 0.0, lost=f"its workers were lost {lost[place]} times: {in_words(gone)}")
                else:
                    yield Ended(place, seconds, value, error, why)
    finally:
        for future in under_way:
            with contextlib.suppress(Exception):
                future.cancel()


def ended_here(call: Call, wanted: MadeOf) -> tuple[float, Any, BaseException | None, str]:
    """What came of a call in a process of its own: its seconds, its value, what it raised, and why it was lost.

    Nothing is run where what the function is made of is another here.
    """
    if other := differences(wanted):
        return 0.0, None, InvalidArgument(words_of_differences(other)), ""
    # Dask's workers are daemons, which may have no children; what is begun here ends when its worker does.
    vars(current_process()).get("_config", {}).pop("daemon", None)
    (ended,) = (event for event in run_in_processes([call], 1) if isinstance(event, Ended))
    return ended.seconds, ended.value, ended.error, ended.lost
