"""How promising the low bits of a pair's outputs look after a few calls: a score that ranks pairs, in no verdict.

Events of bits are rare where a density is steep (one output in sixty, say), and single values of a column of few, which
the equal parts of :mod:`dpcheck.privacy.statistics.promise` cut away.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.low_order import lowest_bits
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.promise import either_way, said, simple_events

#: Numbers of an output whose bits are looked at.
NUMBERS = 32
#: Bits of a double's fraction, each an event of its own.
FRACTION = 52


def bit_promise(left: Observations, right: Observations, epsilon: float, delta: float) -> float:
    """The most that any event of bits, or of those of ``promise``, speaks against (epsilon, delta), in nats.

    Events: the lowest set bit of each number, of all numbers the least, and how many bits each has below its first:
    each value, at least and at most it; each bit of the fraction.

    Parameters
    ----------
    left, right : Observations
        Outputs on the two datasets, under exact numerics and without a layout.
    epsilon, delta : float
        The claim.

    Examples
    --------
    >>> from dpcheck.execution.answers import Answers
    >>> from dpcheck.privacy.statistics.observations import observe
    >>> rng = np.random.default_rng()
    >>> flat, steep, again = (rng.random(500), rng.standard_exponential(500) / 2, rng.random(500))
    >>> coarse, fine, same = (observe(Answers(x), "exact") for x in (flat, steep, again))
    >>> bit_promise(coarse, fine, 1.0, 0.0) > 10 > bit_promise(coarse, same, 1.0, 0.0)
    True
    """
    events = simple_events(left, right, delta)
    width = min(left.columns.shape[1], right.columns.shape[1], NUMBERS)
    if width:
        charge = delta * len(left)
        ours, theirs = (_codes(seen.columns[:, :width]) for seen in (left, right))
        for k, n in (_counted(one, other) for one, other in zip(ours.T, theirs.T, strict=True)):
            below_k, below_n = np.cumsum(k), np.cumsum(n)
            for one, other in ((k, n), (below_k, below_n), (k.sum() - below_k, n.sum() - below_n)):
                events += either_way(one, other, charge)
        ones, others = (_ones(seen.columns[:, :width]) for seen in (left, right))
        for k, n in ((ones, others), (len(left) - ones, len(right) - others)):
            events += either_way(k, n, charge)
    return max((float(said(more, less, epsilon).max(initial=0.0)) for more, less in events), default=0.0)


def _codes(columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is counted of each output: lowest bits, bits below the first, the least of the lowest bits."""
    low = lowest_bits(columns)
    first = np.frexp(np.where(np.isfinite(columns), columns, 0.0))[1]
    low = np.where(np.isnan(low), np.inf, low)
    return np.column_stack([low, first - low, low.min(axis=1)])


def _counted(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often each value was seen on either side, from the smallest."""
    known, places = np.unique(np.concatenate([ours, theirs]), return_inverse=True)
    parts = places[: len(ours)], places[len(ours) :]
    k, n = (np.bincount(part, minlength=len(known)) for part in parts)
    return k, n


def _ones(columns: NDArray[np.float64]) -> NDArray[np.int64]:
    """How often each bit of the fraction of each number is 1."""
    raw = np.ascontiguousarray(columns, dtype="<f8").view(np.uint8).reshape(*columns.shape, 8)
    bits = np.unpackbits(raw, axis=2, count=FRACTION, bitorder="little")
    return np.asarray(bits.sum(axis=0, dtype=np.int64).reshape(-1))
