"""How many calls one learner that is made serves: many where calls are cheap, few where they are dear.

Each request is of one worker, and many workers would wait for one that has many dear calls. Where a learner is compiled
or loaded when it is made, it serves so many calls that this takes no longer than they do. The sizes follow from what
calls cost when a run began, and from how many are made, and never from the number of workers: on one or on thirty a run
of one seed makes the same requests.
"""

from __future__ import annotations

import math

from dpcheck.privacy.statistics.places import CALLS_OF_ONE_LEARNER

#: Calls of one ``sample``: large enough that its cost is that of the draws, small enough to fit anywhere.
BULK_CHUNK = 10_000
#: Where a call takes so many seconds, so many are made of one learner at least: about 20 ms, beside which what a
#: request costs (a millisecond) is little. Never fewer than four: what a learner keeps for the next call is still seen.
GRADES = ((0.005, 4), (0.00125, 16), (0.0003, 64))
#: Seconds of a call below which nothing else that is asked of a learner depends on them; above they count in steps of
#: this factor.
NEXT_TO_NOTHING, COST_STEP = 0.003, 4.0
#: Seconds that a call takes at the least: clocks tell no shorter times.
LEAST_COST = 1e-7
#: Calls of a learner whose making is dear grow in steps of this factor.
MAKING_STEP = 4
#: Seconds of making a learner that are worth a word, where it takes longer than the calls that it serves.
DEAR_MAKING = 0.1
#: Learners that an interim analysis takes at the least: two on each side.
LEARNERS_OF_AN_INTERIM = 4
#: With fewer calls on a side than this one learner serves it.
LEAST_OF_TWO = 4


def least_calls(seconds: float, making: float = 0.0) -> int:
    """The calls that one learner serves at least, where a call and making a learner take so many seconds.

    Where it is made for longer than so many calls take it serves more, in coarse steps.

    >>> [least_calls(seconds) for seconds in (1e-5, 0.001, 0.002, 1.0)]
    [500, 64, 16, 4]
    >>> [least_calls(0.01, making) for making in (0.02, 0.1, 1.0, 100.0)]
    [4, 16, 256, 500]
    """
    least = next((least for cost, least in GRADES if seconds >= cost), CALLS_OF_ONE_LEARNER)
    calls = making / seconds if seconds > 0.0 else 0.0
    while least < min(calls, CALLS_OF_ONE_LEARNER):
        least = min(CALLS_OF_ONE_LEARNER, least * MAKING_STEP)
    return least


def mean_cost(seconds: float, making: float) -> float:
    """Seconds of a call, with its share of the making of a learner that serves as many as :func:`least_calls` says.

    >>> mean_cost(1.0, 0.0), round(mean_cost(0.001, 64.0), 3)
    (1.0, 0.129)
    """
    return seconds + making / least_calls(seconds, making)


def graded(seconds: float) -> float:
    """Seconds of a call in coarse steps, never less than they are: two runs of one learner mostly count the same.

    >>> [graded(seconds) for seconds in (0.0, 0.002, 0.004, 0.011, 1.0)]
    [0.003, 0.003, 0.012, 0.012, 3.072]
    """
    steps = math.ceil(math.log(max(seconds, NEXT_TO_NOTHING) / NEXT_TO_NOTHING, COST_STEP))
    return float(NEXT_TO_NOTHING * COST_STEP**steps)


def largest_request(count: int, least: int = CALLS_OF_ONE_LEARNER) -> int:
    """The calls of one request of so many: where they are dear both its size and how many there are grow with them.

    >>> largest_request(10_000), largest_request(10_000, 4), largest_request(100, 16)
    (500, 50, 20)
    """
    return min(CALLS_OF_ONE_LEARNER, max(least, least * math.isqrt(count) // 8))


def request_sizes(count: int, *, bulk: bool = False, least: int = CALLS_OF_ONE_LEARNER) -> list[int]:
    """The calls of each request for one side of an analysis: at least two learners serve it, so that state is seen.

    Parameters
    ----------
    count : int, calls of the side
    bulk : bool, whether ``sample`` is used
    least : int, calls that one learner serves at least where there are as many

    Examples
    --------
    >>> request_sizes(1_100), request_sizes(90), request_sizes(3)
    ([500, 500, 100], [45, 45], [3])
    >>> request_sizes(10, least=4), request_sizes(200, least=16)
    ([4, 4, 2], [28, 28, 28, 16, 16, 16, 16, 16, 16, 16, 4])
    """
    if count < LEAST_OF_TWO:
        return [count] if count else []
    size = min(BULK_CHUNK if bulk else largest_request(count, least), -(-count // 2))
    sizes: list[int] = []
    left = count
    while size > least and not bulk:
        # half of what is left, and smaller ones then: at the end no worker has much while others have nothing
        together = left // (2 * size)
        sizes += [size] * together
        left -= together * size
        size = max(least, size // 2)
    return sizes + [size] * (left // size) + ([left % size] if left % size else [])
