"""The losses and deltas of many pairs of laws in doubles, each with a proven slack: which pairs need more than that."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.exact.table import Table

Floats = NDArray[np.float64]
Pairs = NDArray[np.int64]

#: Cells of the arrays that are worked on at once: they stay within a few megabytes.
_CELLS = 1 << 20


def distinct_pairs(table: Table, pairs: Pairs) -> tuple[Pairs, NDArray[np.intp]]:
    """Pairs of different laws, each unordered pair of laws once, and the first dataset pair that has it.

    Parameters
    ----------
    pairs : array of shape (P, 2), numbers of datasets with known laws
    """
    laws = np.sort(table.of[pairs], axis=1)
    codes = laws[:, 0] * len(table.laws) + laws[:, 1]
    _, first = np.unique(codes, return_index=True)
    first = first[laws[first, 0] != laws[first, 1]]
    return table.of[pairs[first]], first


def losses(table: Table, pairs: Pairs, tell: Callable[[int], None]) -> tuple[Floats, Floats]:
    """The largest |log p - log p'| of each pair of laws, ``inf`` where supports differ, and its slack; shape (P,)."""
    logs = table.logs
    full = bool(np.isfinite(logs).all())
    found = np.empty(len(pairs))
    for part in _parts(table, len(pairs)):
        one, other = logs[pairs[part, 0]], logs[pairs[part, 1]]
        if full:
            gap = np.abs(one - other)
        else:
            with np.errstate(invalid="ignore"):
                gap = np.abs(one - other)
            gap[np.isnan(gap)] = 0.0  # in neither support
        found[part] = gap.max(axis=1)
        tell(part.stop)
    slack = table.slack[pairs].sum(axis=1)
    # the difference itself is rounded: half a unit in the last place of at most twice the largest logarithm
    return found, slack * (1 + 2.0**-50) + 2.0**-52


def deltas(table: Table, pairs: Pairs, epsilon: float, tell: Callable[[int], None]) -> tuple[Floats, Floats]:
    """The larger of the two ``sum (p - e^epsilon p')_+`` of each pair of laws, and its slack; shape (P,).

    A term counts only where p exceeds e^epsilon p', so its error is at most 2 r p with r the relative error of p and
    of e^epsilon p'; the terms together at most 2 r, doubled for the sum's own rounding.
    """
    found = np.empty(len(pairs))
    for part in _parts(table, len(pairs)):
        one, other = table.logs[pairs[part, 0]], table.logs[pairs[part, 1]]
        found[part] = np.maximum(_positive_part(one, other, epsilon), _positive_part(other, one, epsilon))
        tell(part.stop)
    relative = table.slack[pairs].sum(axis=1) + (len(table.outputs) + 8.0 + 2.0 * abs(epsilon)) * 2.0**-52
    return found, 4.0 * np.expm1(relative)


def _positive_part(one: Floats, other: Floats, epsilon: float) -> Floats:
    terms = np.exp(one) - np.exp(np.minimum(other + epsilon, 1.0))  # beyond p <= 1 the term is negative anyway
    total: Floats = np.maximum(terms, 0.0).sum(axis=1)
    return total


def worst_epsilon(table: Table, pairs: Pairs, delta: float, tell: Callable[[int], None]) -> tuple[float, int]:
    """The largest, over pairs of laws, of the smallest epsilon at this delta; and the place of such a pair.

    One pair's epsilon has a closed form; then only pairs whose delta there is still larger can beat it, and the worst
    of those is next.
    """
    place, best = 0, -1.0
    left = np.arange(len(pairs))
    start = 0.0
    while len(left):
        over, slack = deltas(table, pairs[left], start, tell)
        left = left[over > delta + slack]
        if not len(left):
            break
        worst = int(left[int(np.argmax((over - slack)[over > delta + slack]))])
        epsilon = pair_epsilon(table, pairs[worst], delta)
        if epsilon <= best:  # rounding: nothing better is to be had in doubles
            break
        place, best = worst, epsilon
        if math.isinf(best):
            break
        start = best
    return max(best, 0.0), place


def pair_epsilon(table: Table, pair: NDArray[np.int64], delta: float) -> float:
    """The smallest epsilon of one pair of laws at this delta, both ways: ``log max_S (P(S) - delta) / P'(S)``."""
    return max(_one_way(table.logs[a], table.logs[b], delta) for a, b in ((pair[0], pair[1]), (pair[1], pair[0])))


def ratio_order(one: Floats, other: Floats) -> NDArray[np.intp]:
    """The outputs of the first law by falling likelihood ratio, outputs of its own first."""
    with np.errstate(invalid="ignore"):
        gap = one - other
    gap[np.isneginf(one)] = -np.inf
    order = np.argsort(-gap, kind="stable")
    return order[np.isfinite(one[order])]


def _one_way(one: Floats, other: Floats, delta: float) -> float:
    order = ratio_order(one, other)
    above = np.cumsum(np.exp(one[order])) - delta
    below = np.cumsum(np.exp(other[order]))
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = np.where(above > 0, above / below, 0.0)
    largest = float(needed.max(initial=0.0))
    return math.log(largest) if largest > 0 else 0.0


def _parts(table: Table, count: int) -> list[slice]:
    rows = max(1, _CELLS // max(1, len(table.outputs)))
    return [slice(start, min(start + rows, count)) for start in range(0, count, rows)]
