"""Which guesses to certify: those whose bound is expected to be largest, judged by the posterior of past outputs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.evidence import NUISANCE_SHARE
from dpcheck.privacy.statistics.posterior import Posterior, expit

Floats = NDArray[np.float64]

#: Integer weights of graded guesses: finer ones gain nothing measurable.
WEIGHTS = 8
#: Candidates for the epsilon that a graded rule is made for.
AIMS: Floats = np.concatenate([np.arange(0.0, 0.2, 0.005), np.arange(0.2, 1.0, 0.02), np.arange(1.0, 12.0, 0.1)])
#: So many of the bins that lean most, and fewer of them, are guessed by themselves too.
FOREMOST = 6
#: The top level of graded guesses holds at least this many outputs: each level is charged for delta by itself.
TOP_LEVEL_OUTPUTS = 60
#: Standard deviations of the posterior by which a bound is held to fall short when the best is chosen.
CAUTION = 1.0
#: ... and to be sure of, or hoped for, when it is asked whether more calls may show something better.
SURE, HOPED = 2.0, -1.0
#: Standard deviations by which the probability of a stratum may be bounded too low, which delta is charged by.
STRATUM_SLACK = 3.0
#: Bisections for a bound.
HALVINGS = 40


@dataclass(frozen=True)
class Goal:
    """The statement to come: its delta and alpha, and the calls it is certified on."""

    delta: float
    alpha: float
    calls: int


@dataclass(frozen=True)
class Rule:
    """Signed integer weights per bin (above 0: guess D), and what they are expected to certify.

    ``share`` is the part of delta they are charged: half of it where only one side is guessed. ``sure`` is the bound
    that they all but surely certify, ``hoped`` the largest that any weights would with luck. ``chance`` orders those of
    which no bound is expected: the mean of the bounds that draws of the posterior lead to expect.
    """

    weights: NDArray[np.int64]
    share: float
    expected: float
    sure: float
    hoped: float
    chance: float = 0.0


def best_rule(posterior: Posterior, goal: Goal) -> Rule:
    """The weights with the largest expected bound: log-odds beyond an aim, in levels, of both sides or of one.

    Examples
    --------
    >>> from dpcheck.privacy.statistics.posterior import shrunken_answers
    >>> counts = np.array([[250, 740], [500, 510], [750, 250]])
    >>> rule = best_rule(shrunken_answers(counts), Goal(0.0, 0.05, 10_000))
    >>> np.sign(rule.weights).tolist(), 0.95 < rule.expected < 1.1
    ([1, 0, -1], True)
    """
    if goal.delta == 0.0:
        choices = [(1, 0), (WEIGHTS, 0)]
    else:  # each level is charged for delta by itself, so that few levels are better the more delta matters
        choices = [(levels, side) for levels in (1, 2, 3, 4) for side in (0, 1, -1)]
    cap = _cap(posterior, goal.calls) if goal.delta > 0.0 else math.inf
    chance, hoped = expit(posterior.draws), 0.0
    best, furthest = Rule(np.zeros(len(posterior.mass), np.int64), 1.0, -1.0, 0.0, 0.0), -math.inf
    for levels, side in choices:
        weights = _weights(posterior.log_odds, levels, side, cap)
        share = 1.0 if side == 0 else 0.5
        prospect = _prospect(weights, levels, share, posterior, chance, goal)
        bounds = prospect.bounds(CAUTION, goal)
        hoped = max(hoped, float(prospect.bounds(HOPED, goal).max()))
        aim = int(np.argmax(bounds))
        better = bounds[aim] > best.expected
        if max(bounds[aim], best.expected) <= 0.0:
            # no bound is to be counted on so far: what shows one if the posterior's better draws are true
            chances = prospect.chances(goal)
            aim = int(np.argmax(chances))
            better, furthest = chances[aim] > furthest, max(furthest, float(chances[aim]))
        if better:
            sure = float(prospect.bounds(SURE, goal)[aim])
            best = Rule(weights[aim].astype(np.int64), share, float(bounds[aim]), sure, 0.0)
    return replace(best, sure=max(best.sure, 0.0), hoped=hoped, chance=max(furthest, -1.0))


def _cap(posterior: Posterior, calls: int) -> float:
    """The log-odds beyond which too few outputs fall to be worth a level of their own."""
    size = np.abs(posterior.log_odds)
    order = np.argsort(-size, kind="stable")
    reached = int(np.searchsorted(np.cumsum(posterior.mass[order]) * calls, TOP_LEVEL_OUTPUTS))
    return float(size[order[min(reached, len(order) - 1)]])


def _weights(log_odds: Floats, levels: int, side: int, cap: float) -> Floats:
    """Signed integer weights per aim and bin, shape (aims, B): by log-odds beyond the aim, up to the cap."""
    if side:
        log_odds = side * np.maximum(side * log_odds, 0.0)
    size = np.minimum(np.abs(log_odds), cap)
    # the foremost bins alone, however near to each other: where it is not known which leaks, all lean little
    falling = np.sort(size)[::-1][: FOREMOST + 1]
    aims = np.concatenate([AIMS, 0.5 * (falling[1:] + falling[:-1])])
    excess = np.maximum(0.0, size - aims[:, None])
    top = excess.max(axis=1, keepdims=True)
    return np.asarray(np.sign(log_odds) * np.ceil(levels * excess / np.where(top > 0, top, 1.0) - 1e-9))


@dataclass(frozen=True)
class _Prospect:
    """Per aim: mean weight of right guesses of a call, its posterior spread and draws, of all guesses, squares, ...

    ``drawn`` has shape (aims, draws), all others (aims,).
    """

    right: Floats
    spread: Floats
    drawn: Floats
    made: Floats
    squares: Floats
    charged: Floats
    guessed: Floats
    levels: int

    def bounds(self, caution: float, goal: Goal) -> Floats:
        """The bound of each aim, by the normal approximation, if right guesses fall short by so many spreads."""
        return self._bounds((self.right - caution * self.spread)[:, None], goal)[:, 0]

    def chances(self, goal: Goal) -> Floats:
        """What draws of the posterior lead to expect of each aim: the mean of their bounds; below 0 where all are none.

        Where it is unknown which of a few answers leak, no bound is to be counted on, and some is likely.
        """
        mean = self._bounds(self.drawn, goal).mean(axis=1)
        return np.where(mean > 0.0, mean, -expit(-self.apart(goal)))

    def _bounds(self, right: Floats, goal: Goal) -> Floats:
        """The bounds if these were the mean weights of right guesses, shape (aims, any)."""
        from scipy.special import ndtri

        calls = goal.calls
        quantile = -float(ndtri(goal.alpha * (1.0 - (NUISANCE_SHARE if goal.delta > 0.0 else 0.0))))
        made, charged, squares, guessed = (
            column[:, None] for column in (self.made, self.charged, self.squares, self.guessed)
        )
        low, high = np.full(right.shape, 0.5), np.full(right.shape, 1.0 - 1e-12)
        for _ in range(HALVINGS):
            q = 0.5 * (low + high)
            surplus = calls * (right - made * q - charged * (1.0 - q))
            # half a step of the lattice: what counts too small to be normal lose to discreteness
            rejected = surplus > quantile * np.sqrt(calls * squares * q * (1.0 - q)) + 0.5 * self.levels
            low, high = np.where(rejected, q, low), np.where(rejected, high, q)
        # so many guesses certify no more than when all of them are right, whatever the normal approximation says
        all_right = np.exp(math.log(goal.alpha) / np.maximum(calls * guessed, 1e-9))
        low = np.minimum(low, np.maximum(all_right, 0.5))
        return np.where(calls * made >= 1.0, np.log(low / (1.0 - low)), -1.0)

    def apart(self, goal: Goal) -> Floats:
        """By how many standard deviations right guesses are expected to be more than half of them, per aim."""
        calls = goal.calls
        surplus = calls * (self.right - 0.5 * self.made - 0.5 * self.charged) - 0.5 * self.levels
        return np.where(calls * self.made >= 1.0, surplus / np.sqrt(np.maximum(calls * self.squares, 1.0)), -np.inf)


def _prospect(
    weights: Floats, levels: int, share: float, posterior: Posterior, chance: Floats, goal: Goal
) -> _Prospect:
    """What to expect of weights, shape (aims, B)."""
    size, mass = np.abs(weights), posterior.mass
    of_left, of_right = np.where(weights > 0, size, 0.0), np.where(weights < 0, size, 0.0)
    mean = of_left @ (mass * posterior.probability) + of_right @ (mass * (1.0 - posterior.probability))
    drawn = of_left @ (mass * chance).T + of_right @ (mass * (1.0 - chance)).T
    charged = np.zeros(len(weights))
    if goal.delta > 0.0:
        for level in range(1, levels + 1):
            held = (size == level) @ mass
            least = held - STRATUM_SLACK * np.sqrt(held / goal.calls)
            over = np.where(held > 0.0, np.minimum(held / np.maximum(least, 1e-12), 1e6), 0.0)
            charged += goal.delta * share * level * over
    guessed = (size > 0.0) @ mass
    return _Prospect(mean, drawn.std(axis=1), drawn, size @ mass, size**2 @ mass, charged, guessed, levels)
