"""How likely the coin chose D in each part of the line, where neighbouring parts may be alike: a mean over cuttings.

A cutting halves the line, its halves, and so on; each part that is left whole has one probability of its own, from a
Beta law, and a part is cut with probability 1/2. The mean over all cuttings is exact and takes a pass up and one down
(context tree weighting: Willems, Shtarkov and Tjalkens 1995, over places instead of contexts). Where halves begin is
arbitrary, so that three places are tried and averaged by how well they explain what was seen.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Where the line begins in the part that is halved, in lengths of the line.
STARTS = (0.0, 1 / 3, 2 / 3)
#: Log-odds that refute a claim of epsilon are taken to lie below so many times it, or this far above a small one.
REACH, LEAST_REACH = 2.0, 0.2
#: Logarithms of Gamma are looked up for counts below this, and worked out anew for others.
MOST_LOOKED_UP = 1 << 16
#: A prior is never weaker than Jeffreys's.
WEAKEST = 0.5


@lru_cache(maxsize=256)
def prior_strength(epsilon: float) -> float:
    """The Beta law's parameter: the spread of probabilities whose log-odds are uniform as far as leaks are expected.

    >>> [round(prior_strength(epsilon), 1) for epsilon in (0.0, 0.1, 1.0, 4.0)]
    [148.6, 66.1, 1.6, 0.5]
    """
    log_odds = max(REACH * epsilon, epsilon + LEAST_REACH) * np.linspace(-1.0, 1.0, 201)
    variance = float(np.mean((0.5 * np.tanh(0.5 * log_odds)) ** 2))
    return max(WEAKEST, 0.5 * (0.25 / variance - 1.0))


@lru_cache(maxsize=64)
def _log_gammas(shift: float, count: int) -> Floats:
    from scipy.special import gammaln

    return np.asarray(gammaln(np.arange(count) + shift))


def _log_gamma(counts: Integers, shift: float, most: int) -> Floats:
    """The logarithm of Gamma(counts + shift), where no count is above ``most``: small ones are looked up."""
    if most < MOST_LOOKED_UP:
        return np.asarray(_log_gammas(shift, 1 << most.bit_length())[counts])
    from scipy.special import gammaln

    return np.asarray(gammaln(counts + shift))


def over_cuttings(left: Integers, right: Integers, prior: float) -> Floats:
    """The probability of D per bin, after so many outputs per bin on D and on D'; shape (..., B), line by line.

    Examples
    --------
    >>> over_cuttings(np.array([9, 8, 1, 0]), np.array([1, 0, 9, 8]), 0.5).round(1).tolist()
    [0.9, 0.9, 0.1, 0.1]
    """
    *lines, count = left.shape
    if count == 0:
        return np.zeros(left.shape)
    size = 1 << math.ceil(math.log2(count))
    starts = sorted({int(start * size) for start in STARTS}) if count > 2 else [0]
    ons, offs = np.zeros((2, *lines, len(starts), 2 * size if count > 2 else size), np.int64)
    for row, start in enumerate(starts):
        ons[..., row, start : start + count], offs[..., row, start : start + count] = left, right
    most = int((left.sum(axis=-1) + right.sum(axis=-1)).max(initial=0))
    nothing = 2.0 * math.lgamma(prior) - math.lgamma(2.0 * prior)
    means, alone = [], []
    while True:
        means.append((ons + prior) / (ons + offs + 2.0 * prior))
        both = _log_gamma(ons + offs, 2.0 * prior, most)
        alone.append(_log_gamma(ons, prior, most) + _log_gamma(offs, prior, most) - both - nothing)
        if ons.shape[-1] == 1:
            break
        ons, offs = ons[..., ::2] + ons[..., 1::2], offs[..., ::2] + offs[..., 1::2]
    likely, whole = alone[0], []
    for one in alone[1:]:
        likely = np.logaddexp(one, likely[..., ::2] + likely[..., 1::2]) - math.log(2.0)
        whole.append(np.exp(one - likely - math.log(2.0)))  # the probability that this part is not cut
    reached, found = np.ones((len(starts), 1)), np.zeros((len(starts), 1))
    for mean, kept in zip(means[:0:-1], whole[::-1], strict=True):
        found = np.repeat(found + reached * kept * mean, 2, axis=-1)
        reached = np.repeat(reached * (1.0 - kept), 2, axis=-1)
    found = found + reached * means[0]
    explains = np.exp(likely[..., 0] - likely[..., 0].max(axis=-1, keepdims=True))
    explains /= explains.sum(axis=-1, keepdims=True)
    rows = np.stack([found[..., row, start : start + count] for row, start in enumerate(starts)], axis=-2)
    return np.asarray((explains[..., None] * rows).sum(axis=-2))
