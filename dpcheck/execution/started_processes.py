"""How many processes a worker has started: those in its session, and those that descend from it.

The kernel has a limit of its own, of all threads of a user, which does not hold for root. A learner that starts
processes without end is found by looking: rarely, and only while the whole system has many more threads than before.
"""

from __future__ import annotations

import os
from contextlib import suppress

#: Where the kernel tells how many threads there are, in one line, which is quick to read.
_LOAD = "/proc/loadavg"


def tasks_of_the_system() -> int | None:
    """How many threads there are, of everybody; None where the system does not say.

    >>> tasks = tasks_of_the_system()
    >>> tasks is None or tasks > 0
    True
    """
    with suppress(OSError, ValueError, IndexError), open(_LOAD, encoding="ascii") as load:
        return int(load.read().split()[3].split("/")[1])
    return None


def started_by(leader: int) -> int:
    """How many processes there are in the session of this one, or below it, beside itself.

    >>> started_by(2**22 + 1)
    0
    """
    parents: dict[int, int] = {}
    found = {leader}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as stat:
            # the name, in brackets, may hold anything
            parent, _, session = stat.read().rpartition(b")")[2].split()[1:4]
            parents[int(name)] = int(parent)
            if int(session) == leader:
                found.add(int(name))
    grown = True
    while grown:
        below = {child for child, parent in parents.items() if parent in found} - found
        found |= below
        grown = bool(below)
    return len(found) - 1
