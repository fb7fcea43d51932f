"""A bound on epsilon from calls certified in stages, each by a rule that was learned from all calls before it.

After each stage the level at which the rest is tested is the conditional probability of a rejection by the plan made
before it (Mueller & Schaefer 2001, "Adaptive group sequential designs for clinical trials"). That keeps the level
whatever later rules and shares are, as long as they come from earlier calls. Of a stage that shows nothing no more is
counted than a little: a first rule may have been a wrong guess, and must not spoil what later ones show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.evidence import (
    EPSILON_CEILING,
    FAR_SHORT,
    NUISANCE_SHARE,
    ROUNDING_SLACK,
    TINY,
    Graded,
    last_above_zero,
    stage_tail,
)

#: A stage counts as no less than so many standard deviations below the middle of its null.
FLOOR = 0.5
#: Points and weights by which the normal law above the floor is integrated (Gauss and Legendre).
_POINTS, _WIDTHS = np.polynomial.legendre.leggauss(400)
FARTHEST = 40.0
NODES: NDArray[np.float64] = 0.5 * (FARTHEST + FLOOR) * (_POINTS + 1.0) - FLOOR
LAW: NDArray[np.float64] = 0.5 * (FARTHEST + FLOOR) * _WIDTHS * np.exp(-0.5 * NODES**2) / math.sqrt(2.0 * math.pi)
#: No level is taken to be closer to 1 than this, which is on the safe side.
CLOSEST = 1e-6


@dataclass(frozen=True)
class Stage:
    """Graded guesses of one stage.

    ``share`` is its part of the variance of what is left (at least 0 and below 1; the last stage has all), and ``tie``
    is uniform on [0, 1]; both are fixed before the stage's first call.
    """

    guesses: Graded
    share: float
    tie: float = 1.0


def staged_epsilon_lower(stages: Sequence[Stage], alpha: float, *, delta: float = 0.0) -> float:
    """The lower bound on epsilon from stages, with confidence 1 - alpha.

    Given all that came before it, each stage has a p-value of its own: the tail of the law that dominates its right
    guesses. Ties of all but the last are broken by ``tie`` (Stevens 1950), so that a lattice costs nothing.

    Parameters
    ----------
    stages : sequence of Stage, at least one
    alpha : float
    delta : float

    Examples
    --------
    >>> counts = Graded(np.array([1]), np.array([900]), np.array([300]), 1200)
    >>> once = staged_epsilon_lower([Stage(counts, 1.0)], 0.05)
    >>> once < staged_epsilon_lower([Stage(counts, 0.5, 0.5), Stage(counts, 1.0)], 0.05) < math.log(3)
    True

    A stage that guessed at random costs little:

    >>> idle = Graded(np.array([1]), np.array([60]), np.array([60]), 120)
    >>> 0.95 * once < staged_epsilon_lower([Stage(idle, 0.05, 0.5), Stage(counts, 1.0)], 0.05) < once
    True
    """
    from scipy.special import ndtr, ndtri

    nuisance = NUISANCE_SHARE * alpha / len(stages) if delta > 0.0 else 0.0
    whole = alpha * (1.0 - ROUNDING_SLACK) - len(stages) * nuisance
    tails = [stage_tail(stage.guesses, delta, nuisance) for stage in stages]

    def surplus(epsilon: float) -> float:
        """How far the last stage lies beyond what the earlier ones leave to be shown: falling in epsilon."""
        level = whole
        for stage, tail in zip(stages[:-1], tails[:-1], strict=True):
            if stage.share <= 0.0:
                continue
            chance = min(max(tail(epsilon, stage.tie), TINY), 1.0 - CLOSEST)
            root = math.sqrt(stage.share)
            beyond = root * max(-float(ndtri(chance)), -FLOOR) - _threshold(level, root)
            level = min(max(float(ndtr(beyond / math.sqrt(1.0 - stage.share))), TINY), 1.0 - CLOSEST)
        chance = tails[-1](epsilon, 1.0)
        if chance >= 1.0:
            return -FAR_SHORT
        return float(ndtri(level) - ndtri(max(chance, TINY)))

    return last_above_zero(surplus, EPSILON_CEILING)


def _threshold(level: float, root: float) -> float:
    """What the floored sum of a stage, of weight ``root``, and of the rest exceeds with probability ``level``."""
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    rest = math.sqrt(1.0 - root * root)
    plain = -float(ndtri(level))  # what it would be without a floor

    def beyond(at: float) -> float:
        below = float(ndtr(-FLOOR) * ndtr((-root * FLOOR - at) / rest))
        return (below + float(LAW @ ndtr((root * NODES - at) / rest))) / level - 1.0

    # on the safe side of the root, by more than its tolerance and the quadrature are off
    return float(brentq(beyond, plain - 0.1, plain + 2.0 * root + 0.1, xtol=1e-9)) + 1e-7
