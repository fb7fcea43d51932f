"""What past outputs say of each bin: a posterior law of the log-odds that the coin chose D.

A best guess per bin would make the luckiest of many rare bins look best. A posterior is drawn towards what bins have in
common, as far as the counts themselves call for it (empirical Bayes), so that what is chosen by it needs no correction
for how many bins there were. Three models of what bins have in common: answers without an order
(:func:`shrunken_answers`), numbers whose log-odds are constant in pieces (:mod:`.segments`) or smooth
(:mod:`.gaussian_process`); the evidence of each, the probability of the coins given the outputs, says which to believe.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Draws from a posterior: the spread of a sum over bins is known from them to a tenth.
DRAWS = 64
#: Draws are points of a quadrature, the same in every process: they decide nothing but how finely a spread is known.
QUADRATURE_SEED = 0
#: Log-odds that an answer may have: so far, and farther where counts speak for more; the step.
REACH, STEP = 6, 0.1
#: Spreads of the normal laws that the prior of an answer's log-odds is mixed of; one more where counts reach farther.
SCALES: Floats = np.array([0.0, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 2.0])
FAR_SCALE = 4.0
#: As many answers without any difference are added to those seen: else the luckiest few of many get a law of their own.
UNDIFFERING = 3.0
#: The best of n like choices has about this part of log n by luck: they are not independent of each other.
LUCK = 0.5
#: Steps of the fit of the mixture, and the change of a weight at which it ends.
STEPS, SETTLED = 200, 1e-5


@dataclass(frozen=True)
class Posterior:
    """Log-odds per bin that the coin chose D, given past outputs.

    Parameters
    ----------
    model : str, what bins have in common
    probability : shape (B,), the probability that the coin chose D, given an output in the bin
    draws : shape (DRAWS, B), log-odds drawn from the posterior
    mass : shape (B,), the part of the past outputs in each bin
    evidence : float, the log-probability of the coins given the outputs (nats)
    """

    model: str
    probability: Floats
    draws: Floats
    mass: Floats
    evidence: float

    @property
    def log_odds(self) -> Floats:
        """The log-odds of the probability."""
        inside = np.clip(self.probability, 1e-12, 1.0 - 1e-12)
        return np.asarray(np.log(inside) - np.log1p(-inside))


def middle_of(histogram: Integers) -> float:
    """The log-odds of some bins together: of all bins they are known to be 0, for the coin is fair.

    >>> middle_of(np.array([[1, 1], [2, 2]]))
    0.0
    """
    right, left = histogram.sum(axis=0)
    return float(np.log((left + 0.5) / (right + 0.5)))


def likelihoods(histogram: Integers, grid: Floats) -> tuple[Floats, Floats]:
    """The likelihood of each bin's counts at each log-odds, over its largest, shape (B, G), and the log of that.

    ``grid`` has shape (G,), or (B, G) where each bin has log-odds of its own.
    """
    logs = -histogram[:, 1:] * np.logaddexp(0.0, -grid) - histogram[:, :1] * np.logaddexp(0.0, grid)
    top = logs.max(axis=1)
    return np.exp(logs - top[:, None]), top


def offsets(histogram: Integers, reach: int) -> Floats:
    """Log-odds that bins may have: up to ``reach``, or as far as the counts of any speak for.

    >>> few, many = np.array([[90, 10], [10, 90]]), np.array([[3, 10_000], [30_000, 0]])
    >>> [round(float(offsets(counts, 6)[-1]), 1) for counts in (few, many)]
    [6.0, 12.0]
    """
    right, left = histogram[:, 0] + 0.5, histogram[:, 1] + 0.5
    farthest = float(np.abs(np.log(left / right)).max(initial=0.0))
    widest = max(reach, math.ceil(farthest))
    return np.linspace(-widest, widest, round(2 * widest / STEP) + 1)


def expit(log_odds: Floats) -> Floats:
    """The probability with these log-odds.

    >>> expit(np.array([0.0])).tolist()
    [0.5]
    """
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0))))


def shrunken_answers(histogram: Integers, around: Floats | None = None) -> Posterior:
    """Answers without an order: log-odds from a mixture of normal laws around 0, whose weights are fitted.

    Or around what something else says of each: then it is asked what answers have of their own beside that.

    Source: Stephens 2017, "False discovery rates: a new deal", Biostatistics 18 (adaptive shrinkage), with the
    binomial likelihood of the counts in place of a normal one.

    Parameters
    ----------
    histogram : integers, shape (B, 2): past outputs per answer on D' (column 0) and on D (column 1)
    around : shape (B,), optional: log-odds that answers have where they have nothing of their own

    Examples
    --------
    >>> rare = np.array([[500, 500], [480, 520], [2, 6], [515, 485]])
    >>> bool(0.0 < shrunken_answers(rare).log_odds[2] < 0.2 * np.log(6.5 / 2.5))
    True
    """
    mass = histogram.sum(axis=1).astype(np.float64)
    seen = mass > 0
    grid = offsets(histogram, REACH)
    scales = np.append(SCALES, FAR_SCALE) if grid[-1] > REACH else SCALES
    middle = np.zeros(len(mass)) if around is None else around
    likelihood, top = likelihoods(histogram[seen], middle[seen, None] + grid)
    laws = np.exp(-0.5 * (grid / np.maximum(scales[:, None], 1e-9)) ** 2)
    laws /= laws.sum(axis=1, keepdims=True)
    of_law = likelihood @ laws.T
    weights = np.full(len(scales), 1.0 / len(scales))
    added = np.where(scales == 0.0, UNDIFFERING, 0.0)
    for _ in range(STEPS):
        shares = of_law * weights
        new = (shares / shares.sum(axis=1, keepdims=True)).sum(axis=0) + added
        new /= new.sum()
        change = float(np.abs(new - weights).max())
        weights = new
        if change < SETTLED:
            break
    evidence = float((np.log(of_law @ weights) + top).sum())
    after = likelihood * (weights @ laws)
    after /= after.sum(axis=1, keepdims=True)
    probability = expit(middle)
    probability[seen] = (after * expit(middle[seen, None] + grid)).sum(axis=1)
    draws = np.tile(middle, (DRAWS, 1))
    chances = np.random.default_rng(QUADRATURE_SEED).random((DRAWS, int(seen.sum())))
    reached = np.cumsum(after, axis=1)
    places = np.stack([np.searchsorted(row, chances[:, k]) for k, row in enumerate(reached)], axis=1)
    draws[:, seen] += grid[np.minimum(places, len(grid) - 1)]
    return Posterior("answers by themselves", probability, draws, mass / max(mass.sum(), 1.0), evidence)


def taken(whole: Posterior, places: NDArray[np.intp]) -> Posterior:
    """What a posterior says of some of its bins, where nothing was seen: they add no mass and no evidence."""
    nothing = np.zeros(len(places))
    return Posterior(whole.model, whole.probability[places], whole.draws[:, places], nothing, 0.0)


def joined(model: str, parts: list[tuple[NDArray[np.intp], Posterior]], histogram: Integers) -> Posterior:
    """One posterior of bins that were looked at apart: each part with its places."""
    mass = histogram.sum(axis=1).astype(np.float64)
    probability, draws = np.full(len(mass), 0.5), np.zeros((DRAWS, len(mass)))
    for places, part in parts:
        probability[places], draws[:, places] = part.probability, part.draws
    evidence = sum(part.evidence for _, part in parts)
    return Posterior(model, probability, draws, mass / max(mass.sum(), 1.0), evidence)
