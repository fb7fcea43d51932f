"""How many processes a worker has started: those in its session, and those that descend from it.

The kernel has a limit of its own, of all threads of a user, which does not hold for root. A learner that starts
processes without end is found by looking: often at those that descend from its worker, which the kernel lists, and at
all others, in its session or left by their parents, only while the whole system has many more threads than before.
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


def below(leader: int, most: int) -> int:
    """How many processes descend from this one; no more are looked for once there are more than ``most``.

    >>> below(2**22 + 1, 10)
    0
    """
    left, found = [leader], 0
    while left and found <= most:
        process = left.pop()
        with suppress(OSError, ValueError):  # it has ended, or this kernel does not list them
            for thread in os.listdir(f"/proc/{process}/task"):
                with suppress(OSError, ValueError), open(f"/proc/{process}/task/{thread}/children", "rb") as listed:
                    children = [int(child) for child in listed.read().split()]
                    found += len(children)
                    left += children
    return found


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
