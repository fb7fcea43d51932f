"""Log-odds that are constant in pieces: noise with flat tails, steps, a peak in wide noise.

A hidden Markov chain along the bins: from one bin to the next the log-odds stay, or jump to a new value of the prior.
With jumps everywhere each bin stands for itself; how often it jumps, and how large jumps are, the counts decide.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.posterior import (
    DRAWS,
    LUCK,
    QUADRATURE_SEED,
    Floats,
    Integers,
    Posterior,
    expit,
    likelihoods,
    offsets,
)

#: Log-odds that a piece may have: so far, and farther where counts speak for more.
REACH = 4
#: Probabilities of a jump between neighbouring bins; of no difference in a piece; spreads of a difference.
JUMPS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
UNDIFFERING = (0.0, 0.5, 0.9, 0.98, 0.996)
SPREADS = (0.1, 0.3, 1.0)
#: One more where counts reach farther.
FAR_SPREAD = 3.0
#: No state has a prior of 0: counts may speak for it alone.
LEAST_LIKELY = 1e-250


def in_pieces(histogram: Integers, *, charged: bool = False, middle: float = 0.0) -> Posterior:
    """The posterior of bins in the order of a number, where their log-odds are constant in pieces.

    Source: Rabiner 1989, "A tutorial on hidden Markov models" (forward, backward); the chain's parameters are those
    of the largest evidence.

    Parameters
    ----------
    histogram : integers, shape (B, 2), each bin with an output at least: past outputs on D' (column 0) and on D
    charged : bool
        Whether the evidence has less by what the best of so many choices has by luck.
    middle : float
        The log-odds that pieces without a difference have.

    Examples
    --------
    >>> steps = np.array([[30, 30]] * 20 + [[15, 45]] * 5 + [[30, 30]] * 20)
    >>> found = in_pieces(steps).log_odds
    >>> bool(abs(found[5]) < 0.2), bool(0.8 < found[22] < 1.2)
    (True, True)
    """
    states = offsets(histogram, REACH)
    spreads = (*SPREADS, FAR_SPREAD) if states[-1] > REACH else SPREADS
    grid = states + middle
    likelihood, top = likelihoods(histogram, grid)
    choices = list(product(JUMPS, UNDIFFERING, spreads))
    priors = np.stack([_prior(states, still, spread) for _, still, spread in choices])
    jumps = np.array([jump for jump, _, _ in choices])[:, None]
    state, evidence = priors, np.zeros(len(choices))
    for place, of_bin in enumerate(likelihood):
        state = (state if place == 0 else (1.0 - jumps) * state + jumps * priors) * of_bin
        size = state.sum(axis=1)
        evidence += np.log(size)
        state = state / size[:, None]
    best = int(np.argmax(evidence))
    luck = LUCK * math.log(len(choices)) if charged else 0.0
    jump, prior = choices[best][0], priors[best]
    forward = np.empty_like(likelihood)
    for place, of_bin in enumerate(likelihood):
        before = prior if place == 0 else (1.0 - jump) * forward[place - 1] + jump * prior
        forward[place] = before * of_bin / (before * of_bin).sum()
    probability = _smoothed(forward, likelihood, jump, prior) @ expit(grid)
    draws = grid[_drawn(forward, jump, prior)]
    mass = histogram.sum(axis=1).astype(np.float64)
    return Posterior("pieces", probability, draws, mass / mass.sum(), float(evidence[best] + top.sum()) - luck)


def _prior(states: Floats, still: float, spread: float) -> Floats:
    """The law of the log-odds of a piece: no difference with probability ``still``, else normal."""
    law = np.exp(-0.5 * (states / spread) ** 2)
    law = still * (np.abs(states) < 1e-9) + (1.0 - still) * law / law.sum()
    return np.asarray(np.maximum(law, LEAST_LIKELY))


def _smoothed(forward: Floats, likelihood: Floats, jump: float, prior: Floats) -> Floats:
    """The law of the state of each bin given all outputs, shape (B, states)."""
    backward = np.ones(forward.shape[1])
    smoothed = np.empty_like(forward)
    for place in range(len(forward) - 1, -1, -1):
        both = forward[place] * backward
        smoothed[place] = both / both.sum()
        later = likelihood[place] * backward
        later = (1.0 - jump) * later + jump * float(prior @ later)
        backward = later / later.max()
    return smoothed


def _drawn(forward: Floats, jump: float, prior: Floats) -> NDArray[np.int64]:
    """States drawn from their joint law given all outputs, from the last bin to the first, shape (DRAWS, B)."""
    rng = np.random.default_rng(QUADRATURE_SEED)
    chances, stays = rng.random((2, len(forward), DRAWS))
    reached = np.cumsum(forward, axis=1)
    drawn = np.empty((DRAWS, len(forward)), dtype=np.int64)
    last = forward.shape[1] - 1
    for place in range(len(forward) - 1, -1, -1):
        fresh = np.minimum(np.searchsorted(reached[place], chances[place]), last)
        if place == len(forward) - 1:
            drawn[:, place] = fresh
            continue
        following = drawn[:, place + 1]
        kept = (1.0 - jump) * forward[place][following]
        drawn[:, place] = np.where(stays[place] * (kept + jump * prior[following]) < kept, following, fresh)
    return drawn
