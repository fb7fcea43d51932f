"""What a process has had of the processors: what tells one that works on and on from one that is not given its turn.

A limit of seconds on the clock ends, on a machine that is busy with something else, what would have been done in time
alone. Where the system tells processor time, that is limited, and the clock is only a net far behind it: for what
sleeps, or waits for something that never comes.
"""

from __future__ import annotations

import os
from contextlib import suppress

#: So many times the limit may pass on the clock where the processor's time is limited, and no more seconds beyond it.
_TIMES_BEHIND, _SECONDS_BEHIND = 10.0, 240.0


def clock_behind(limit: float) -> float:
    """The seconds on the clock that end what has not had so many seconds of the processor: it waits, or is slow.

    >>> clock_behind(1.5), clock_behind(120.0)
    (15.0, 360.0)
    """
    return min(_TIMES_BEHIND * limit, limit + _SECONDS_BEHIND)


def processor_seconds(process: int, *, with_children: bool = False) -> float | None:
    """The seconds that a process has had of the processors; None where the system does not say.

    Parameters
    ----------
    process : int, its number
    with_children : bool, also those of the processes below it, and of those that it waited for

    Examples
    --------
    >>> seconds = processor_seconds(os.getpid())
    >>> seconds is None or seconds > 0
    True
    """
    total = 0.0
    known = False
    left = [process]
    while left:
        one = left.pop()
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{one}/stat", "rb") as stat:
            # the name, in brackets, may hold anything
            fields = stat.read().rpartition(b")")[2].split()
            ticks = [int(field) for field in fields[11 : 15 if with_children else 13]]
            total += sum(ticks) / os.sysconf("SC_CLK_TCK")
            known = known or one == process
        if with_children:
            with suppress(OSError, ValueError):
                for thread in os.listdir(f"/proc/{one}/task"):
                    with open(f"/proc/{one}/task/{thread}/children", "rb") as listed:
                        left += [int(child) for child in listed.read().split()]
    return total if known else None
