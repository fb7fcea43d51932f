"""Counts of failures in, statements about the failure probability out.

*Fixed number of trials*: the Clopper-Pearson interval, whose ends are proved with ball arithmetic. *Any stopping time*:
e-processes against "the failure probability is at most this" (a mixture of bets) and "at least this" (a Beta mixture
truncated where the claim holds), and the confidence sequence of the Beta mixture. Each is valid whatever the outcomes
made one do next; the e-processes are functions of two integers, so that they can be had for all prefixes at once.

Source: the two kinds of mixture are Ville's and Robbins's; which one goes where was measured (a truncated Beta mixture
needs a fifth fewer trials to show that a claim holds, bets fewer to show that it does not).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

#: Slack against rounding in scipy's incomplete beta function (off by up to 1.3e-6 relative).
ROUNDING_SLACK = 1e-5
#: The Beta mixture's two parameters: Jeffreys's. Of (1, 1), (1/2, 1/2) and (1/4, 1) the middle one decides soonest
#: where the truth is between none and a tenth of the claim, and costs 4% more trials at half of it.
MIXTURE = 0.5
#: Alternatives that are bet on: failure probabilities of 1 + 2^r times the claim, from 3% more than claimed upwards.
FINEST_ALTERNATIVE = -5.0
#: The largest bet: one success must not end the game.
LARGEST_BET = 0.999
#: Bits at which Clopper-Pearson bounds are proved.
PRECISION = 128
#: First step outwards from scipy's bound when ball arithmetic cannot confirm it, relative; doubled until it can.
FIRST_STEP = 2.0**-45


def log_evidence_contradicted(failures: ArrayLike, trials: ArrayLike, failure: float) -> Floats:
    """The logarithm of an e-process against "fails with probability at most ``failure``".

    Parameters
    ----------
    failures, trials : integers, broadcastable: counts so far
    failure : float, probability, in (0, 1)

    Returns
    -------
    array, nats: at least ``log(1 / level)`` at any time with probability at most ``level`` where the claim is true.

    Examples
    --------
    >>> float(log_evidence_contradicted(0, 0, 0.1))
    0.0
    >>> bool(log_evidence_contradicted(60, 100, 0.1) > 20)
    True
    """
    failed, n = np.asarray(failures, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    odds = failure / (1.0 - failure)
    multiples = 2.0 ** np.arange(FINEST_ALTERNATIVE, max(1.0, math.ceil(-math.log2(odds))))
    bets = np.append((bet := odds * multiples)[bet < LARGEST_BET], LARGEST_BET)
    won, lost = np.log1p(bets / odds), np.log1p(-bets)
    logs = failed[..., None] * won + (n - failed)[..., None] * lost
    top = logs.max(axis=-1)
    return np.asarray(top + np.log(np.exp(logs - top[..., None]).mean(axis=-1)))


def log_evidence_holds(failures: ArrayLike, trials: ArrayLike, failure: float) -> Floats:
    """The logarithm of an e-process against "fails with probability at least ``failure``".

    The likelihood, averaged over failure probabilities below ``failure`` with the weights of a truncated Beta law,
    over that at ``failure``.

    Parameters
    ----------
    failures, trials : integers, broadcastable: counts so far
    failure : float, probability, in (0, 1)

    Returns
    -------
    array, nats: at least ``log(1 / level)`` at any time with probability at most ``level`` where the claim is false.

    Examples
    --------
    >>> bool(abs(log_evidence_holds(0, 0, 0.1)) < 1e-9)
    True
    >>> bool(log_evidence_holds(0, 100, 0.1) > 6.9)
    True
    """
    from scipy.special import betainc, betaln

    failed, n = np.asarray(failures, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    a, b = failed + MIXTURE, n - failed + MIXTURE
    with np.errstate(divide="ignore"):  # far more failures than claimed: no evidence at all, minus infinity
        mixed = betaln(a, b) + np.log(betainc(a, b, failure))
    prior = betaln(MIXTURE, MIXTURE) + np.log(betainc(MIXTURE, MIXTURE, failure))
    return np.asarray(mixed - prior - failed * math.log(failure) - (n - failed) * math.log1p(-failure))


def threshold(level: float) -> float:
    """The logarithm that evidence must reach at this level, with room for rounding.

    Examples
    --------
    >>> round(threshold(1e-9), 2)
    20.72
    """
    return -math.log(level * (1.0 - ROUNDING_SLACK))


def fixed_interval(failures: int, trials: int, level: float) -> tuple[float, float]:
    """The Clopper-Pearson interval, for a number of trials fixed in advance: each end is missed at half the level.

    Both ends are doubles at which ball arithmetic has proved that the tail is no larger than that.

    Parameters
    ----------
    failures, trials : int
    level : float, probability that the interval misses the truth

    Returns
    -------
    (low, high) : probabilities

    Examples
    --------
    >>> low, high = fixed_interval(10, 100, 0.1)
    >>> round(low, 4), round(high, 4)
    (0.0553, 0.1637)
    >>> fixed_interval(0, 0, 0.05)
    (0.0, 1.0)
    """
    rest = _proved_lower(trials - failures, trials, level)
    # the difference is rounded to nearest: one unit in the last place further out is the safe side
    return _proved_lower(failures, trials, level), 1.0 - max(0.0, rest - 2.0**-53)


def _proved_lower(successes: int, trials: int, level: float) -> float:
    """A double p with P(Binomial(trials, p) >= successes) <= level / 2, for certain, and nearly the largest one."""
    from flint import arb, ctx
    from scipy.special import betaincinv

    if successes == 0:
        return 0.0
    guess = float(betaincinv(successes, trials - successes + 1, 0.5 * level))
    with ctx.workprec(PRECISION):
        allowed = arb(level) / 2

        def proved(p: float) -> bool:
            tail = arb(p).beta_lower(arb(successes), arb(trials - successes + 1), regularized=1)
            return bool(tail <= allowed)

        step = FIRST_STEP
        while step < 1.0:
            if proved(candidate := guess * (1.0 - step)):
                return candidate
            step *= 2.0
    return 0.0


def anytime_interval(failures: int, trials: int, level: float) -> tuple[float, float]:
    """The confidence sequence of the Beta mixture: an interval that holds at any stopping time.

    Parameters
    ----------
    failures, trials : int
    level : float, probability that the interval ever misses the truth

    Returns
    -------
    (low, high) : probabilities

    Source: Robbins 1970, doi:10.1214/aoms/1177696786.

    Examples
    --------
    >>> low, high = anytime_interval(10, 100, 0.1)
    >>> low < fixed_interval(10, 100, 0.1)[0] < 0.1 < fixed_interval(10, 100, 0.1)[1] < high
    True
    """
    from scipy.special import betaln

    if trials == 0:
        return 0.0, 1.0
    missed, rate = trials - failures, failures / trials
    mixed = float(betaln(failures + MIXTURE, missed + MIXTURE) - betaln(MIXTURE, MIXTURE))
    needed = threshold(level)

    def kept(p: float) -> bool:
        likelihood = (failures * math.log(p) if failures else 0.0) + (missed * math.log1p(-p) if missed else 0.0)
        return mixed - likelihood < needed

    low = _end(kept, 0.0, rate) if failures else 0.0
    high = _end(kept, 1.0, rate) if missed else 1.0
    return low, high


def _end(kept: Callable[[float], bool], outside: float, inside: float) -> float:
    """The last point outside, seen from a point inside: the likelihood has one peak, so that there is one crossing."""
    for _ in range(200):
        middle = 0.5 * (outside + inside)
        if middle in (outside, inside):
            break
        outside, inside = (outside, middle) if kept(middle) else (middle, inside)
    return outside
