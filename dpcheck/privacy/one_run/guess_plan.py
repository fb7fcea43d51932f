"""How many canaries to guess: fixed before any score is seen, from the claim, the level and the number of canaries.

The more guesses, the less sure the last ones are; the fewer, the less they prove. The best number is that which
refutes the smallest leak, where scores are as those of the leakiest noise are: two normal laws, or two Laplace laws
under a claim without delta. Where no number refutes twice the claim, it is that which certifies most of a learner that
is just as private as it claims. Half of the guesses are "in", for the highest scores, half "out", for the lowest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpcheck.model.claims import Claim, GaussianDP, GridClaim, claim_point, parameter_reaching
from dpcheck.privacy.one_run.lower_bounds import certified_epsilon, certified_parameter
from dpcheck.privacy.one_run.right_guesses import refutes

#: The probability with which a leak that "would have been caught" is.
POWER = 0.95
#: Numbers of guesses that are tried, and the largest of them.
CHOICES, MOST_GUESSES = 28, 4000
#: No leak above this (spreads between normal laws, or epsilon) is looked for.
LARGEST_LEAK = 60.0
#: Where only a leak of more than so many times the claim is refuted, what is certified matters more.
WORTH = 2.0
_HALVINGS = 40


@dataclass(frozen=True)
class GuessPlan:
    """How many canaries are guessed to be in and out, and what that would find.

    ``needed`` right guesses refute the claim (more than ``guesses`` where none do); ``detectable_epsilon`` is the
    epsilon, at the delta of the claim's point, of the least leak that would be caught with probability 0.95 if the
    scores told canaries apart as well as they can (``inf``: none).
    """

    guesses_in: int
    guesses_out: int
    needed: int
    detectable_epsilon: float

    @property
    def guesses(self) -> int:
        """All guesses."""
        return self.guesses_in + self.guesses_out


@lru_cache(maxsize=256)
def plan_guesses(canaries: int, claim: Claim, alpha: float, detect: float | None = None) -> GuessPlan:
    """The number of guesses that refutes the smallest leak.

    Parameters
    ----------
    canaries : int, at least 2
    claim : Claim
    alpha : float
    detect : float, optional
        The epsilon that must not be missed (twice the claim's): where no number of guesses shows it, the number is
        chosen by what is certified.

    Examples
    --------
    >>> plan = plan_guesses(1000, GaussianDP(1.0), 0.05)
    >>> plan.guesses < 500, plan.needed <= plan.guesses
    (True, True)
    """
    most = min(canaries - canaries % 2, MOST_GUESSES)
    sizes = np.unique(2 * np.round(np.geomspace(2, most, CHOICES) / 2).astype(int)).tolist()
    plans = [plan_of(size - size // 2, size // 2, canaries, claim, alpha) for size in sizes]
    best = min(plans, key=lambda plan: (plan.detectable_epsilon, -plan.guesses))
    if best.detectable_epsilon <= (WORTH * claim_point(claim)[0] if detect is None else detect):
        return best
    return max(plans, key=lambda plan: _certified(plan, canaries, claim, alpha))


def plan_of(guesses_in: int, guesses_out: int, canaries: int, claim: Claim, alpha: float) -> GuessPlan:
    """What so many guesses of either kind would find.

    >>> plan_of(5, 5, 100, GaussianDP(3.0), 1e-6).detectable_epsilon
    inf
    """
    guesses = guesses_in + guesses_out
    needed = least_right(guesses, canaries, claim, alpha)
    leak = _least_leak(guesses_in, guesses_out, canaries, needed, _survival_of(claim))
    delta = claim_point(claim)[1]
    epsilon = leak if delta == 0.0 or not math.isfinite(leak) else GaussianDP(leak).epsilon(delta)
    return GuessPlan(guesses_in, guesses_out, needed, epsilon)


def _certified(plan: GuessPlan, canaries: int, claim: Claim, alpha: float) -> float:
    """What a run is expected to certify of a learner that is just as private as it claims."""
    epsilon, delta = claim_point(claim)
    leak = epsilon if delta == 0.0 else parameter_reaching(GaussianDP(1.0), epsilon, delta)
    share = _share_of_both(plan.guesses_in, plan.guesses_out, canaries, leak, _survival_of(claim))
    right = round(plan.guesses * share)
    if isinstance(claim, GridClaim):  # by normal laws, whatever the curve: other curves cost a thousand times as much
        return certified_parameter(GaussianDP(1.0), right, plan.guesses, canaries, alpha)
    return certified_epsilon(right, plan.guesses, canaries, delta, alpha)


def least_right(guesses: int, canaries: int, claim: Claim, alpha: float) -> int:
    """The least number of right guesses that refutes a claim; one more than there are where none does.

    >>> from dpcheck.model.claims import PureDP
    >>> least_right(10, 10, PureDP(0.0), 0.001), least_right(9, 9, PureDP(0.0), 0.001)
    (10, 10)
    """
    low, high = guesses // 2, guesses + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refutes(middle, guesses, canaries, claim, alpha) else (middle, high)
    return high


def _survival_of(claim: Claim) -> Callable[[float, float], float]:
    """P(score > at) of a canary that is out, for a leak of this size, which moves those that are in by 1."""
    from scipy.special import ndtr

    def normal(at: float, leak: float) -> float:
        return float(ndtr(-at * leak))

    def laplace(at: float, leak: float) -> float:
        return 0.5 * math.exp(-leak * at) if at >= 0.0 else 1.0 - 0.5 * math.exp(leak * at)

    return laplace if claim_point(claim)[1] == 0.0 else normal


def _least_leak(
    guesses_in: int, guesses_out: int, canaries: int, needed: int, survival: Callable[[float, float], float]
) -> float:
    """The least leak with which so many guesses are right with probability 0.95."""
    from scipy.stats import binom

    guesses = guesses_in + guesses_out
    if needed > guesses:
        return math.inf

    def caught(leak: float) -> bool:
        share = _share_of_both(guesses_in, guesses_out, canaries, leak, survival)
        return float(binom.sf(needed - 1, guesses, share)) >= POWER

    if not caught(LARGEST_LEAK):
        return math.inf
    low, high = 0.0, LARGEST_LEAK
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if caught(middle) else (middle, high)
    return high


def _share_of_both(
    guesses_in: int, guesses_out: int, canaries: int, leak: float, survival: Callable[[float, float], float]
) -> float:
    """The share of right guesses to expect of a leak."""
    counts = [count for count in (guesses_in, guesses_out) if count]
    right = sum(count * _share_right(count / canaries, leak, survival) for count in counts)
    return min(right / sum(counts), 1.0)


def _share_right(part: float, leak: float, survival: Callable[[float, float], float]) -> float:
    """The share of those that are in among the highest ``part`` of scores, half of which are moved by 1."""
    if leak <= 0.0:
        return 0.5
    low, high = -800.0 / leak, 1.0 + 800.0 / leak
    for _ in range(_HALVINGS + 20):
        middle = 0.5 * (low + high)
        above = 0.5 * (survival(middle, leak) + survival(middle - 1.0, leak))
        low, high = (middle, high) if above > part else (low, middle)
    of_in, of_out = survival(high - 1.0, leak), survival(high, leak)
    return of_in / (of_in + of_out) if of_in + of_out > 0.0 else 1.0
