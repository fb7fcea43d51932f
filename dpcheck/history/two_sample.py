"""Did it change? Exact two-sample tests on counts and ranks: valid for any number of calls, at any level.

Every p-value is super-uniform where nothing changed: at most t with probability at most t, for every t.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

#: Slack against rounding of log-factorials: of a million calls they are off by less than 1e-8.
ROUNDING_SLACK = 1e-5
#: The probability with which a change of the size that :func:`detectable_shift` names is found.
POWER = 0.95
#: Steps between the smallest and the largest sum that :func:`permutation_test` tells apart.
STEPS_OF_SUMS = 1_000


def risen(hits_before: int, calls_before: int, hits_now: int, calls_now: int) -> float:
    """The p-value of Fisher's exact test against "the probability of a hit is no larger now than before".

    Parameters
    ----------
    hits_before, calls_before, hits_now, calls_now : int
        Independent calls, and those of them in which it happened.

    Returns
    -------
    float
        The hypergeometric tail: given all hits, how likely at least so many of them are to be among those of now.
        1.0 where there is nothing to compare.

    Source: Fisher 1935; conditional on all hits, and so valid without.

    Examples
    --------
    >>> risen(5, 10, 5, 10) > 0.5, risen(0, 1000, 60, 1000) < 1e-15, risen(60, 1000, 0, 1000)
    (True, True, 1.0)
    """
    from scipy.stats import hypergeom

    hits, calls = hits_before + hits_now, calls_before + calls_now
    if hits_now <= max(0, hits - calls_before):
        return 1.0
    tail = math.exp(min(0.0, float(hypergeom.logsf(hits_now - 1, calls, hits, calls_now))))
    return min(1.0, tail * (1.0 + ROUNDING_SLACK))


@dataclass(frozen=True)
class Drift:
    """Two p-values, each for one direction: that it rose, that it fell; each is held to half of a level."""

    rose: float
    fell: float

    @property
    def p_value(self) -> float:
        """For a change of either kind."""
        return min(1.0, 2.0 * min(self.rose, self.fell))

    def has_risen(self, level: float) -> bool:
        """Whether a rise is shown, at half of the level."""
        return 2.0 * self.rose <= level

    def has_fallen(self, level: float) -> bool:
        """Whether a fall is shown, at half of the level."""
        return 2.0 * self.fell <= level


def drift(hits_before: int, calls_before: int, hits_now: int, calls_now: int) -> Drift:
    """Fisher's exact test in both directions.

    >>> drift(500, 1000, 900, 1000).has_risen(1e-6), drift(500, 1000, 510, 1000).has_risen(0.05)
    (True, False)
    """
    return Drift(
        risen(hits_before, calls_before, hits_now, calls_now),
        risen(calls_before - hits_before, calls_before, calls_now - hits_now, calls_now),
    )


def drift_of_histograms(before: Sequence[int], now: Sequence[int]) -> Drift:
    """Whether values grew or shrank, from their counts in ordered bins: Fisher's test above every cut, Bonferroni.

    Parameters
    ----------
    before, now : counts, shape (bins,)
        The bins were fixed before either was counted. Values that are equal fall into one bin, so that ties are no
        case of their own.

    Examples
    --------
    >>> drift_of_histograms([500, 300, 200], [400, 300, 300]).has_risen(1e-3)
    True
    >>> drift_of_histograms([500, 300, 200], [500, 300, 200]).p_value
    1.0
    """
    if len(before) != len(now):
        raise ValueError(f"histograms must have the same bins, got {len(before)} and {len(now)}")
    cuts = max(1, len(before) - 1)
    calls_before, calls_now = sum(before), sum(now)
    tests = [drift(sum(before[cut:]), calls_before, sum(now[cut:]), calls_now) for cut in range(1, len(before))] or [
        Drift(1.0, 1.0)
    ]
    return Drift(min(1.0, cuts * min(test.rose for test in tests)), min(1.0, cuts * min(test.fell for test in tests)))


def ranked_higher(before: Sequence[float], now: Sequence[float], factor: float = 1.0) -> float:
    """The p-value of the exact rank-sum test against "values of now are no larger than ``factor`` times those before".

    Equal values count for nothing changed, which keeps the level.

    Source: Mann & Whitney 1947.

    Examples
    --------
    >>> ranked_higher([1.0] * 12, [2.0] * 12) < 1e-6, ranked_higher([1.0] * 12, [2.0] * 12, factor=2.0)
    (True, 1.0)
    """
    if not before or not now:
        return 1.0
    wins = int((np.asarray(now)[:, None] > factor * np.asarray(before)[None, :]).sum())
    counts = _rank_sums(len(before), len(now))
    return sum(counts[wins:]) / sum(counts)


@lru_cache(maxsize=64)
def _rank_sums(first: int, second: int) -> tuple[int, ...]:
    """In how many orders of the values there are 0, 1, ... wins: the coefficients of a Gaussian binomial."""
    ways = [1] + [0] * (first * second)
    for step in range(1, second + 1):
        for place in range(len(ways) - 1, first + step - 1, -1):  # times 1 - x^(first + step)
            ways[place] -= ways[place - first - step]
        for place in range(step, len(ways)):  # over 1 - x^step
            ways[place] += ways[place - step]
    return tuple(ways)


def permutation_test(before: Sequence[int], now: Sequence[int]) -> Drift:
    """Whether values of now are larger or smaller in the mean, by the exact permutation test of their sum.

    Parameters
    ----------
    before, now : whole numbers
        Independent, and of one law where nothing changed, whatever it is.

    Returns
    -------
    Drift
        The part of all ways to call as many of the values "now" whose sum is at least (at most) the one found. Values
        are rounded to a thousandth of what lies between the smallest and the largest, which knows no labels.

    Source: Fisher 1935; Lehmann & Romano 2005, section 15.2.

    Examples
    --------
    >>> permutation_test([0] * 24, [1] * 24).has_risen(1e-12), permutation_test([1, 2, 3], [3, 2, 1]).p_value
    (True, 1.0)
    """
    if not before or not now:
        return Drift(1.0, 1.0)
    values = np.array([*before, *now], dtype=np.int64)
    values -= values.min()
    values //= max(1, int(values.max()) // STEPS_OF_SUMS)
    ways = _ways(tuple(sorted(values.tolist())), len(now))
    total, found = sum(ways), int(values[len(before) :].sum())
    return Drift(sum(ways[found:]) / total, sum(ways[: found + 1]) / total)


def _ways(values: tuple[int, ...], chosen: int) -> list[int]:
    """In how many ways so many of the values have a sum of 0, 1, ...

    >>> _ways((0, 1, 1), 2)
    [0, 2, 1]
    """
    # Python's own integers where those of a machine could overflow
    kind = np.int64 if math.comb(len(values), min(chosen, len(values) // 2)) < 2**62 else object
    ways = np.zeros((chosen + 1, sum(values[-chosen:]) + 1), dtype=kind)
    ways[0, 0] = 1
    for value in values:
        ways[1:, value:] += ways[:-1, : ways.shape[1] - value].copy()
    found: list[int] = ways[chosen].tolist()
    return found


def fewest_p(before: int, now: int) -> float:
    """The smallest p-value for a change of either kind that :func:`permutation_test` can give for so many values.

    >>> fewest_p(24, 24) < 1e-12, fewest_p(24, 5) > 1e-6
    (True, True)
    """
    return min(1.0, 2.0 / math.comb(before + now, now))


def detectable_shift(values: Sequence[int], again: int, level: float) -> float:
    """By how much the mean of so many values again must be above that of these to be found with probability 0.95.

    By Student's law, whose tails those of the permutation test are near to: an estimate, by which nothing is decided.
    """
    from scipy.stats import t

    count = len(values)
    if count < 2 or again < 1:
        return math.inf
    spread = float(np.std(np.asarray(values, dtype=np.float64), ddof=1))
    reach = float(t.isf(0.5 * level, count + again - 2)) + float(t.ppf(POWER, count + again - 2))
    return reach * spread * math.sqrt(1.0 / count + 1.0 / again)
