"""A score of how far an output lies from the middle of each side: what no linear score, and no sum, has the shape of.

Where noise is drawn by its norm, with density proportional to exp(-||b|| / scale), the log-likelihood ratio of two
datasets is a difference of two distances. Which norm it was nobody says, so that several are measured and a logistic
regression weighs them: the largest of the coordinates, their sum (independent Laplace noise has exactly that form), the
Euclidean one after turning the noise round, and its logarithm for noise of heavy tails. Two sums of the distances to
both middles say how large the noise is, where it is its size that depends on the data.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.scores import RIDGE, LinearScore, brought_to_size, fit_logistic

Floats = NDArray[np.float64]

#: What the score is called.
DISTANCES = "a score of distances"
#: In spreads: how far a value pulls at the middle of its side, so that noise of heavy tails has one.
PULL = 4.0
#: Middles closer to each other than so many standard errors count as one: many that say nothing must not add up.
BEYOND = 1.0
#: The penalty of a squared coefficient (of features of size 1): a few outputs' worth.
PENALTY = 1.0
#: Past outputs on each side below which middles are luck.
LEAST_EACH = 15


@dataclass(frozen=True)
class Middles:
    """The middle of each side, shape (d,), in coordinates brought to one size, and what turns their noise round."""

    centre: Floats
    spread: Floats
    left: Floats
    right: Floats
    whitening: Floats

    def features(self, columns: Floats) -> Floats:
        """Distances to the middle of D' less those to that of D, then how far from both, shape (n, 6)."""
        padded = np.full((len(columns), len(self.centre)), np.nan)
        width = min(columns.shape[1], len(self.centre))
        padded[:, :width] = columns[:, :width]
        sized = brought_to_size(padded, self.centre, self.spread)
        right, left = (_distances(sized - middle, self.whitening) for middle in (self.right, self.left))
        return np.column_stack([right - left, (right + left)[:, [1, 3]]])


def _distances(gaps: Floats, whitening: Floats) -> Floats:
    sizes = np.abs(gaps)
    turned = gaps @ whitening
    squares = np.einsum("ij,ij->i", turned, turned)
    return np.column_stack([sizes.max(axis=1), sizes.sum(axis=1), np.sqrt(squares), np.log1p(squares)])


@dataclass(frozen=True)
class DistanceScore:
    """Logistic regression on distances."""

    middles: Middles
    centre: Floats
    spread: Floats
    slope: Floats

    def log_odds(self, columns: Floats) -> Floats:
        """The log-odds that D was drawn, per row of ``columns`` (n, d); missing coordinates count as their median."""
        sized = (self.middles.features(columns) - self.centre) / self.spread
        return np.asarray(sized @ self.slope[1:] + self.slope[0])


def fit_distances(columns: Floats, coins: NDArray[np.int8], linear: LinearScore) -> DistanceScore | None:
    """Fit middles and weights to past outputs; None while a side has too few of them.

    Parameters
    ----------
    columns : shape (n, d)
        Two coordinates or more, which are numbers of the output itself.
    coins : shape (n,)
    linear : LinearScore
        Fitted to these and perhaps more coordinates: their medians and spreads are taken from it.

    Examples
    --------
    >>> from dpcheck.privacy.statistics.scores import fit_linear
    >>> rng = np.random.default_rng(0); coins = rng.integers(0, 2, 5_000).astype(np.int8)
    >>> columns = rng.laplace(size=(5_000, 2)) + coins[:, None]
    >>> score = fit_distances(columns, coins, fit_linear(columns, coins))
    >>> low, middle, high = score.log_odds(np.array([[-9.0, -9.0], [0.5, 0.5], [9.0, 9.0]]))
    >>> bool(low < -1.0 < middle < 1.0 < high)
    True
    """
    left = int(coins.sum())
    if min(left, len(coins) - left) < LEAST_EACH:
        return None
    centre, spread = linear.centre[: columns.shape[1]], linear.spread[: columns.shape[1]]
    sized = brought_to_size(columns, centre, spread)
    # each half is measured from the middles of the other: an output lies nearer to a middle that it helped to make
    first = np.empty(len(coins), bool)
    for side in (0, 1):
        first[coins == side] = np.arange(int((coins == side).sum())) % 2 == 0
    parts = [(ours, _middles(sized[~ours], coins[~ours], linear)) for ours in (first, ~first)]
    measured = [(ours, middles.features(columns[ours])) for ours, middles in parts]
    features = np.empty((len(coins), measured[0][1].shape[1]))
    for ours, some in measured:
        features[ours] = some
    middle, size = features.mean(axis=0), features.std(axis=0)
    size = np.where(size > 0, size, 1.0)
    slope = fit_logistic((features - middle) / size, coins, PENALTY)
    return DistanceScore(_middles(sized, coins, linear), middle, size, slope)


def _middles(sized: Floats, coins: NDArray[np.int8], linear: LinearScore) -> Middles:
    width = sized.shape[1]
    pulled = np.clip(sized, -PULL, PULL)
    on_left, on_right = pulled[coins == 1], pulled[coins == 0]
    left, right = on_left.mean(axis=0), on_right.mean(axis=0)
    error = np.sqrt(on_left.var(axis=0) / len(on_left) + on_right.var(axis=0) / len(on_right))
    both, gap = 0.5 * (left + right), left - right
    gap = np.where(np.abs(gap) > BEYOND * error, gap, 0.0)
    left, right = both + 0.5 * gap, both - 0.5 * gap
    rest = pulled - np.where(coins[:, None] == 1, left, right)
    covariance = rest.T @ rest / len(rest) + RIDGE * np.eye(width)
    whitening = np.linalg.inv(np.linalg.cholesky(covariance)).T
    return Middles(linear.centre[:width], linear.spread[:width], left, right, whitening)
