"""Time and memory against the number of records: growth, in ratios, with a margin that no busy machine fills."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from dpcheck.checks import careless
from dpcheck.checks.defects import must_fail
from dpcheck.checks.outcome import Outcome, failed, not_applicable, passed
from dpcheck.checks.rows import rows_taken
from dpcheck.checks.situations import CpuSeconds, PeakBytes, Situation, Way
from dpcheck.checks.subject import Subject
from dpcheck.execution import introspection
from dpcheck.execution.answers import Raised
from dpcheck.model.data.rows import size_of

#: Sizes grow by this factor from the smallest on, up to the largest or the declared ones.
FACTOR, SMALLEST, LARGEST = 4, 64, 1 << 16
#: Exponents that are taken for granted; a learner may claim its own (``time_exponent``, ``memory_exponent``). Kernels
#: and comparisons of all pairs take quadratic time; few things need more memory than their data.
TIME_EXPONENT, MEMORY_EXPONENT = 2.0, 1.0
#: Above the claim by this much: at a factor of 4 in size twice as much as claimed, and processor time, of which the
#: least of some runs counts, is not doubled by what else runs.
MARGIN = 0.5
#: Less than this says more about the interpreter than about the learner.
LEAST_SECONDS, LEAST_BYTES = 2e-3, 1 << 18
#: Sizes grow no further once one call costs this much.
ENOUGH_SECONDS, ENOUGH_BYTES = 0.1, 1 << 24
#: Calls of each size, of which the least counts; and measurements that all must be over the limit.
CALLS, REPETITIONS = 3, 3


@must_fail(careless.compares_all_triples)
def check_time_against_n(subject: Subject) -> Outcome:
    """The processor time of a call grows with the records as claimed (``time_exponent``), else at most as n^2."""
    return _growth(
        subject,
        introspection.TIME_EXPONENT,
        TIME_EXPONENT,
        CpuSeconds(),
        LEAST_SECONDS,
        ENOUGH_SECONDS,
        "processor time",
        _seconds,
    )


@must_fail(careless.holds_all_differences)
def check_memory_against_n(subject: Subject) -> Outcome:
    """The memory a call takes grows with the records as claimed (``memory_exponent``), else at most as n."""
    return _growth(
        subject,
        introspection.MEMORY_EXPONENT,
        MEMORY_EXPONENT,
        PeakBytes(),
        LEAST_BYTES,
        ENOUGH_BYTES,
        "memory",
        _bytes,
    )


def _growth(
    subject: Subject,
    attribute: str,
    usual: float,
    way: Way,
    least: float,
    enough: float,
    what: str,
    shown: Callable[[float], str],
) -> Outcome:
    declared = subject.said(attribute)
    claimed = float(declared) if isinstance(declared, int | float) and not isinstance(declared, bool) else None
    exponent = usual if claimed is None else claimed
    sizes = _sizes(subject)
    if len(sizes) < 2:
        return not_applicable("the claim is about datasets of so few sizes that growth cannot be seen")
    costs: list[float] = []
    for size in sizes:
        cost = _cost(subject, size, way)
        if cost is None:
            return not_applicable(f"it gives no answer on {size:,} records made of the rows of the data at hand")
        costs.append(cost)
        if cost >= enough:
            break
    sizes = sizes[: len(costs)]
    if len(costs) < 2 or costs[-2] < least:
        if len(costs) >= 2 and costs[-1] > _most(costs[-2:], sizes[-2:], exponent, least):
            sizes, costs = sizes[-2:], [least, costs[-1]]
        else:
            return passed(f"{what} is too small to be seen growing: {shown(costs[-1])} on {sizes[-1]:,} records")
    seen = _exponent(costs, sizes)
    limit = exponent + MARGIN
    for _ in range(REPETITIONS - 1):
        if seen <= limit:
            break
        again = [_cost(subject, size, way) or 0.0 for size in sizes[-2:]]
        seen = min(seen, _exponent([max(again[0], least), again[1]], sizes[-2:]))
    measured = f"{shown(costs[-2])} on {sizes[-2]:,} records, {shown(costs[-1])} on {sizes[-1]:,}"
    words = f"{what} grows about as n^{seen:.1f} ({measured})"
    basis = f"claimed: n^{exponent:g}" if claimed is not None else f"taken for granted: n^{exponent:g}"
    if seen > limit:
        return failed(f"{words}; {basis}", f"claim it ({attribute} = {math.ceil(seen - 0.5)}), or mend it")
    return passed(f"{words}; {basis}")


def _most(costs: Sequence[float], sizes: Sequence[int], exponent: float, least: float) -> float:
    """What the larger size may cost where the smaller costs less than can be measured."""
    return least * float((sizes[1] / sizes[0]) ** (exponent + MARGIN))


def _exponent(costs: Sequence[float], sizes: Sequence[int]) -> float:
    return math.log(max(costs[-1], 1e-12) / max(costs[-2], 1e-12)) / math.log(sizes[-1] / sizes[-2])


def _sizes(subject: Subject) -> list[int]:
    declared = None if subject.relation is None else subject.relation.size
    if size_of(subject.dataset) == 0 or isinstance(declared, int):
        return []
    largest, smallest = (max(declared), min(declared)) if declared is not None else (LARGEST, 1)
    found = []
    size = max(SMALLEST, smallest)
    while size <= min(largest, LARGEST):
        if subject.allows_size(size):
            found.append(size)
        size *= FACTOR
    return found


def _cost(subject: Subject, size: int, way: Way) -> float | None:
    """The least cost of some calls on so many records; None where it gives no answer."""
    dataset: Any = subject.dataset
    known = size_of(dataset)
    grown = rows_taken(dataset, [row % known for row in range(size)])
    given = subject.answers([Situation(grown, way, f"{size:,} records")], CALLS)[0]
    costs = [float(value) for value in given.values if not isinstance(value, Raised)]
    return min(costs) if costs else None


def _seconds(value: float) -> str:
    return f"{1000 * value:.3g} ms"


def _bytes(value: float) -> str:
    return f"{value / 1e6:.3g} MB"
