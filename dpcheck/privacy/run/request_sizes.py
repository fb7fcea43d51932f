"""How many calls one learner that is made serves: many where calls are cheap, few where they are dear.

Each request is of one worker, and many workers would wait for one that has many dear calls. The sizes follow from what
calls cost when a run began, and from how many are made, and never from the number of workers: on one or on thirty a run
of one seed makes the same requests.
"""

from __future__ import annotations

import math

from dpcheck.privacy.statistics.places import CALLS_OF_ONE_LEARNER

#: Calls of one ``sample``: large enough that its cost is that of the draws, small enough to fit anywhere.
BULK_CHUNK = 10_000
#: Seconds from which a call is dear: beside so many of them what a request costs (a millisecond) is little.
DEAR = 0.005
#: Calls that a learner serves at least where they are dear: what it keeps from one for the next is still seen.
LEAST_CALLS = 4


def is_dear(seconds: float) -> bool:
    """Whether calls of so many seconds are worth requests of their own.

    >>> is_dear(1e-4), is_dear(0.05)
    (False, True)
    """
    return seconds >= DEAR


def largest_request(count: int, *, dear: bool = False) -> int:
    """The calls of one request of so many: where they are dear both its size and how many there are grow with them.

    >>> largest_request(10_000), largest_request(10_000, dear=True)
    (500, 50)
    """
    return min(CALLS_OF_ONE_LEARNER, max(LEAST_CALLS, math.isqrt(count) // 2)) if dear else CALLS_OF_ONE_LEARNER


def request_sizes(count: int, *, bulk: bool = False, dear: bool = False) -> list[int]:
    """The calls of each request for one side of an analysis: at least two learners serve it, so that state is seen.

    Parameters
    ----------
    count : int, calls of the side
    bulk : bool, whether ``sample`` is used
    dear : bool, whether calls are

    Examples
    --------
    >>> request_sizes(1_100), request_sizes(90), request_sizes(3)
    ([500, 500, 100], [45, 45], [3])
    >>> request_sizes(10, dear=True), request_sizes(900, dear=True)[:3], len(request_sizes(900, dear=True))
    ([4, 4, 2], [15, 15, 15], 60)
    """
    if count < LEAST_CALLS:
        return [count] if count else []
    size = min(BULK_CHUNK if bulk else largest_request(count, dear=dear), -(-count // 2))
    return [size] * (count // size) + ([count % size] if count % size else [])
