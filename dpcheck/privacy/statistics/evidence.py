"""Counts in, evidence out, and back: the one module in which counts become statements.

The game: for each call a fair coin chooses the dataset, the learner runs, and a rule guesses the coin from the
output or abstains. A rule is summarised by three integers: ``correct``, ``wrong`` and ``calls`` (it abstained on
the rest). Under (epsilon, delta)-DP, for every rule fixed before the call,
``E[1{correct} - e^epsilon 1{wrong}] <= charge``, with ``charge = delta`` for a rule that may guess either dataset and
``delta / 2`` for one that only ever guesses one of them.

*Anytime* (``log_evidence`` and what inverts it): a mixture over betting fractions gives an e-process, valid at every
stopping time. *Fixed horizon* (``graded_*``, ``binomial_*``): exact tests for a number of calls chosen in advance.
Source: the label game of sequential privacy auditing (arXiv 2509.07055) with integer sufficient statistics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcheck.model.claims import TestedPoint
from dpcheck.privacy.statistics.divergence_game import Wealth
from dpcheck.privacy.statistics.wagers import Bets, log_wealth

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Betting fractions: growth-optimal for error rates from 0.1% below the claim's to none at all.
BETS: Floats = np.concatenate([2.0 ** np.arange(-10.0, -0.9, 0.75), [0.62, 0.75, 0.85, 0.93, 0.97, 0.99, 0.999]])
#: Weights of the betting fractions when delta > 0: the events that matter are then rare and the bets that win on them
#: moderate, so that these get most of the weight. For delta = 0 all are equal.
MODERATE = (BETS >= 0.1) & (BETS <= 0.5)
RARE_EVENT_WEIGHTS: Floats = np.where(MODERATE, 0.6 / MODERATE.sum(), 0.4 / (~MODERATE).sum())
#: Grades of a guess: stakes of 1/8, 2/8, ..., 8/8; finer ones gain nothing measurable.
GRADES = 8
GRADE_STAKES: Floats = np.arange(1.0, GRADES + 1.0) / GRADES
#: Candidates for a lower bound when delta > 0, where evidence need not be monotone in epsilon: fixed once for all.
EPSILON_GRID: Floats = np.concatenate([np.arange(0.0, 2.0, 0.02), np.arange(2.0, 12.05, 0.1)])
#: No lower bound above this is reported from samples: e^40 exceeds any number of calls.
EPSILON_CEILING = 40.0
#: No lower bound on rho, mu or a Rényi epsilon above this is reported from samples.
PARAMETER_CEILING = 2.0**12
#: Smaller bounds than this are reported as 0.
PARAMETER_FLOOR = 2.0**-20
#: Share of alpha spent on the nuisance probability of guessing at all, when delta > 0 (fixed horizon).
NUISANCE_SHARE = 0.005
#: Slack against rounding in scipy's incomplete beta function (off by up to 1.3e-6 relative) and the FFT.
ROUNDING_SLACK = 1e-5
#: Keeps the normal quantile of a tail finite.
TINY = 1e-300
#: Stands for minus infinity where a stage saw nothing that speaks for a leak.
FAR_SHORT = 1e3


@dataclass(frozen=True)
class Tally:
    """Counts of K rules with the weights fixed for them before the first call.

    ``correct`` and ``wrong`` have shape (K, GRADES): column g counts guesses made with a stake of (g + 1) / GRADES
    of the rule's full stake (a rule that does not grade its guesses uses the last column only). ``calls`` has
    shape (K,). ``weight`` sums to at most 1 (what is missing is not staked: rules not yet fitted, pairs not yet tried);
    ``share`` is 1.0 for rules that guess either dataset, 0.5 for rules that only ever guess one of them (the part
    of delta they are charged). ``wealth`` is that of bets against bounds on Rényi divergences, where the claim
    makes such: :mod:`dpcheck.privacy.statistics.claim_evidence` joins the two. ``wagers`` are bets on all outputs at
    once, each with its weight, beside the rules.
    """

    correct: Integers
    wrong: Integers
    calls: Integers
    weight: Floats
    share: Floats
    wealth: Wealth | None = None
    wagers: tuple[tuple[Bets, float], ...] = ()

    @staticmethod
    def join(tallies: list[Tally], weights: ArrayLike) -> Tally:
        """One tally of several (neighbouring pairs), each scaled by a weight fixed in advance."""
        scale = np.asarray(weights, dtype=np.float64)
        if not tallies:
            nothing = np.zeros((0, GRADES), dtype=np.int64)
            return Tally(nothing, nothing, np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0))
        rich = [(t.wealth, float(s)) for t, s in zip(tallies, scale, strict=True) if t.wealth is not None]
        return Tally(
            np.concatenate([t.correct for t in tallies]),
            np.concatenate([t.wrong for t in tallies]),
            np.concatenate([t.calls for t in tallies]),
            np.concatenate([t.weight * s for t, s in zip(tallies, scale, strict=True)]),
            np.concatenate([t.share for t in tallies]),
            Wealth.join([wealth for wealth, _ in rich], [s for _, s in rich]) if rich else None,
            tuple(
                (bets, weight * s) for t, s in zip(tallies, scale.tolist(), strict=True) for bets, weight in t.wagers
            ),
        )

    def only(self, rule: int) -> Tally:
        """The counts of one rule, as if it had been the only one from the start."""
        one = slice(rule, rule + 1)
        return Tally(self.correct[one], self.wrong[one], self.calls[one], np.ones(1), self.share[one])


def full_stakes(correct: ArrayLike, wrong: ArrayLike, calls: ArrayLike, share: ArrayLike = 1.0) -> Tally:
    """A tally of rules that do not grade their guesses, with equal weights.

    Examples
    --------
    >>> full_stakes([30], [10], [100]).correct[0, -1]
    np.int64(30)
    """
    v, w, n = (np.atleast_1d(np.asarray(x, dtype=np.int64)) for x in (correct, wrong, calls))
    graded = np.zeros((2, len(v), GRADES), dtype=np.int64)
    graded[0, :, -1], graded[1, :, -1] = v, w
    return Tally(graded[0], graded[1], n, np.full(len(v), 1.0 / len(v)), np.full(len(v), share))


def log_e_processes(tally: Tally, epsilon: float, delta: float) -> Floats:
    """The logarithm of each rule's e-process against (epsilon, delta), from its counts alone; shape (K,).

    With the bet ``lam = h / (e^eps + charge)`` a right guess of grade g multiplies the wealth by
    ``1 + lam (g - charge)``, a wrong one by ``1 - lam (e^eps g + charge)``, an abstention by ``1 - lam charge``;
    the wealth is averaged over the betting fractions h.

    Examples
    --------
    >>> float(log_e_processes(full_stakes(0, 0, 100), 1.0, 0.0)[0])
    0.0
    >>> bool(log_e_processes(full_stakes(100, 0, 100), 1.0, 0.0)[0] > 20)
    True
    """
    correct, wrong = tally.correct.astype(np.float64), tally.wrong.astype(np.float64)
    if delta == 0.0:  # nobody is charged for guessing, whichever side
        gain, loss, _ = _log_factors(epsilon, 0.0)
        return np.asarray(_log_sum_exp(correct @ gain + wrong @ loss - math.log(len(BETS))))
    logs = np.empty((len(tally.calls), len(BETS)))
    silent = tally.calls - correct.sum(axis=1) - wrong.sum(axis=1)
    for share in set(tally.share.tolist()):
        rows = tally.share == share
        gain, loss, nothing = _log_factors(epsilon, delta * share)
        logs[rows] = correct[rows] @ gain + wrong[rows] @ loss + silent[rows, None] * nothing
    return np.asarray(_log_sum_exp(logs + np.log(bet_weights(delta))))


@lru_cache(maxsize=64)
def _log_factors(epsilon: float, charge: float) -> tuple[Floats, Floats, Floats]:
    """The logarithms of what a right guess, a wrong one and none multiply the wealth by: (GRADES, bets) twice, (bets,).

    A whole audit asks for those of one claim.
    """
    odds = math.exp(epsilon)
    stake = BETS / (odds + charge)
    gain = np.log1p(stake * (GRADE_STAKES[:, None] - charge))
    loss = np.log1p(-stake * (odds * GRADE_STAKES[:, None] + charge))
    return gain, loss, np.log1p(-stake * charge)


def log_e_processes_at(tally: Tally, points: Sequence[TestedPoint]) -> Floats:
    """The logarithm of each rule's e-process against a claim: the weighted average over the points it is tested at.

    Shape (K,). Weights that sum to less than 1 leave the rest of the wealth unstaked. A claim implies all its points,
    so that each of them is a true null where the claim holds, and an average of e-processes is one.

    Examples
    --------
    >>> points, counts = (TestedPoint(0.0, 0.4, 0.5), TestedPoint(1.0, 0.1, 0.5)), full_stakes(900, 100, 1000)
    >>> first, second = (log_e_processes(counts, point.epsilon, point.delta)[0] for point in points)
    >>> bool(np.isclose(log_e_processes_at(counts, points)[0], np.logaddexp(first, second) + np.log(0.5)))
    True
    """
    if len(points) == 1 and points[0].weight == 1.0:
        return log_e_processes(tally, points[0].epsilon, points[0].delta)
    # all points in one product of matrices: the counts are the same for all of them
    odds = np.exp([point.epsilon for point in points])[:, None]
    deltas = np.array([point.delta for point in points])
    weights = np.array([point.weight for point in points])
    with np.errstate(divide="ignore"):
        prior = np.log(weights)[:, None] + np.log([bet_weights(delta) for delta in deltas])
        log_unstaked = math.log(unstaked) if (unstaked := 1.0 - float(weights.sum())) > 1e-12 else -math.inf
    logs = np.empty((len(tally.calls), prior.size + 1))
    for share in np.unique(tally.share):
        rows = tally.share == share
        charge = (deltas * float(share))[:, None]
        stake = BETS / (odds + charge)
        grades = GRADE_STAKES[:, None, None]
        gain = np.log1p(stake * (grades - charge)).reshape(GRADES, -1)
        loss = np.log1p(-stake * (odds * grades + charge)).reshape(GRADES, -1)
        correct, wrong = tally.correct[rows].astype(np.float64), tally.wrong[rows].astype(np.float64)
        silent = tally.calls[rows] - correct.sum(axis=1) - wrong.sum(axis=1)
        logs[rows, :-1] = correct @ gain + wrong @ loss + silent[:, None] * np.log1p(-stake * charge).ravel()
    logs[:, :-1] += prior.ravel()
    logs[:, -1] = log_unstaked
    return _log_sum_exp(logs)


def bet_weights(delta: float) -> Floats:
    """The fixed weights of the betting fractions in a test at this delta; they sum to 1."""
    return RARE_EVENT_WEIGHTS if delta > 0 else np.full(len(BETS), 1.0 / len(BETS))


def log_evidence(tally: Tally, epsilon: float, delta: float) -> float:
    """The logarithm of the audit's evidence against (epsilon, delta): the weighted average, with what is not staked.

    Examples
    --------
    >>> log_evidence(full_stakes(0, 0, 10), 1.0, 0.0)
    0.0
    """
    return log_evidence_at(tally, (TestedPoint(epsilon, delta, 1.0),))


def log_evidence_at(tally: Tally, points: Sequence[TestedPoint]) -> float:
    """The logarithm of the audit's evidence against a claim that is tested at these points.

    Examples
    --------
    >>> log_evidence_at(full_stakes(0, 0, 10), (TestedPoint(1.0, 0.0, 1.0),))
    0.0
    """
    if len(tally.weight) == 0:
        return 0.0
    logs = log_e_processes_at(tally, points)
    waged = [_log_wager(bets, points) + math.log(weight) for bets, weight in tally.wagers]
    unstaked = max(0.0, 1.0 - float(tally.weight.sum()) - sum(weight for _, weight in tally.wagers))
    with np.errstate(divide="ignore"):
        terms = np.concatenate([logs + np.log(tally.weight), waged, [np.log(unstaked)]])
    return float(_log_sum_exp(terms))


def _log_wager(bets: Bets, points: Sequence[TestedPoint]) -> float:
    """The logarithm of a wager's wealth, averaged over the points; what their weights lack of 1 is not staked."""
    weights = np.array([point.weight for point in points])
    logs = log_wealth(bets, points)
    with np.errstate(divide="ignore"):
        return float(_log_sum_exp(np.append(logs + np.log(weights), np.log(max(0.0, 1.0 - weights.sum())))))


def epsilon_lower(tally: Tally, delta: float, alpha: float) -> float:
    """The certified lower bound on epsilon at ``delta``, valid at any stopping time with confidence 1 - alpha.

    For delta = 0 evidence falls with epsilon, so the bound is found by bisection; for delta > 0 it need not, so a
    fixed grid is scanned upwards and the bound is the grid value before the first one that is not rejected.

    Examples
    --------
    >>> 4.0 < epsilon_lower(full_stakes(1000, 0, 1000), 0.0, 0.001) < 5.0
    True
    """
    threshold = -math.log(alpha)

    def rejected(epsilon: float) -> bool:
        return log_evidence(tally, epsilon, delta) >= threshold

    if not rejected(0.0):
        return 0.0
    if delta == 0.0:
        return last_true(rejected, 0.0, EPSILON_CEILING)
    bound = 0.0
    for candidate in EPSILON_GRID[1:]:
        if not rejected(float(candidate)):
            break
        bound = float(candidate)
    return bound


def delta_lower(tally: Tally, epsilon: float, alpha: float) -> float:
    """The certified lower bound on delta at ``epsilon``, valid at any stopping time with confidence 1 - alpha.

    Evidence falls with delta above 0 at fixed epsilon, so this is a bisection; where the test at delta = 0, whose bets
    are weighted otherwise, refutes nothing, the bound is 0.

    Examples
    --------
    >>> delta_lower(full_stakes(1000, 0, 1000), 0.0, 0.05) > 0.95
    True
    """
    threshold = -math.log(alpha)

    def rejected(delta: float) -> bool:
        return log_evidence(tally, epsilon, delta) >= threshold

    return last_true(rejected, 0.0, 1.0) if rejected(0.0) else 0.0


def binomial_lower(successes: ArrayLike, trials: ArrayLike, alpha: ArrayLike) -> Floats:
    """The Clopper-Pearson lower bound on a probability, one-sided, with confidence 1 - alpha.

    Parameters
    ----------
    successes, trials : numbers, broadcastable (fractions are allowed, for planning)
    alpha : float or array, the probability of exceeding the truth

    Examples
    --------
    >>> round(float(binomial_lower(90, 100, 0.05)), 4)
    0.8363
    """
    from scipy.special import betaincinv

    k, n, level = (np.asarray(x, dtype=np.float64) for x in (successes, trials, alpha))
    with np.errstate(invalid="ignore"):
        bound = betaincinv(np.maximum(k, 1e-300), np.maximum(n - k, 0.0) + 1.0, level * (1.0 - ROUNDING_SLACK))
    return np.where(k <= 0, 0.0, bound)


def binomial_upper(successes: ArrayLike, trials: ArrayLike, alpha: ArrayLike) -> Floats:
    """The Clopper-Pearson upper bound on a probability, one-sided, with confidence 1 - alpha.

    Examples
    --------
    >>> round(float(binomial_upper(0, 100, 0.05)), 4)
    0.0295
    """
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    return np.asarray(1.0 - binomial_lower(n - k, n, alpha))


def graded_tail(levels: Integers, sizes: Integers, observed: int, right: ArrayLike) -> float:
    """P(sum over strata of level * Binomial(size, right) >= observed), to about nine digits at any size of tail.

    The law of the sum is exponentially tilted so that its mean is ``observed`` and then found by a Fourier
    transform, so that small tails keep their relative precision; frequencies at which the characteristic function
    is below e^-60 are left out.

    Parameters
    ----------
    levels, sizes : integers, shape (S,)
        The weight of a right guess in each stratum (at least 1), and the number of guesses there.
    observed : int
    right : float or shape (S,), the probability of a right guess

    Examples
    --------
    >>> round(graded_tail(np.array([1]), np.array([10]), 8, 0.5), 9)  # 56 / 1024
    0.0546875
    """
    p = np.broadcast_to(np.asarray(right, dtype=np.float64), levels.shape)
    never = p <= 0.0
    if never.any():
        return graded_tail(levels[~never], sizes[~never], observed, p[~never])
    sure = p >= 1.0
    if sure.any():
        rest = observed - int((levels * sizes)[sure].sum())
        return graded_tail(levels[~sure], sizes[~sure], rest, p[~sure])
    top = int((levels * sizes).sum())
    if observed <= 0:
        return 1.0
    if observed > top:
        return 0.0
    if float((levels * sizes * p).sum()) >= observed:  # below the mean: count the wrong guesses instead
        return 1.0 - graded_tail(levels, sizes, top - observed + 1, 1.0 - p)
    tilt = _tilt(levels, sizes, observed, p)
    log_scale = tilt * levels
    shift = np.maximum(log_scale, 0.0)
    grown, kept = p * np.exp(log_scale - shift), (1.0 - p) * np.exp(-shift)
    tilted = grown / (grown + kept)
    log_mass = float((sizes * (np.log(grown + kept) + shift)).sum())
    spread = math.sqrt(float((levels**2 * sizes * tilted * (1.0 - tilted)).sum()))
    # +-14 standard deviations and the largest step hold all but a vanishing part of the tilted mass.
    width = min(1 << math.ceil(math.log2(28.0 * spread + 4.0 * levels.max() + 16.0)), 1 << 24)
    phases = 2.0 * math.pi * np.arange(width // 2 + 1) / width
    waves = 2.0 * (tilted * (1.0 - tilted))[:, None] * (1.0 - np.cos(levels[:, None] * phases))
    decay = 0.5 * (sizes[:, None] * np.log1p(-np.minimum(waves, 1.0 - 1e-16))).sum(axis=0)
    live = np.flatnonzero(decay > -60.0)
    turn = 1j * phases[live]
    logs = (sizes[:, None] * np.log1p(tilted[:, None] * np.expm1(levels[:, None] * turn))).sum(axis=0)
    spectrum = np.zeros(len(phases), dtype=np.complex128)
    spectrum[live] = np.conj(np.exp(logs - turn * observed))
    law = np.maximum(np.fft.irfft(spectrum, width), 0.0)
    steps = min(width // 2, top - observed + 1)
    inner = float((law[:steps] * np.exp(-tilt * np.arange(steps))).sum())
    return min(1.0, inner * math.exp(min(0.0, log_mass - tilt * observed)) if inner > 0 else 0.0)


def _tilt(levels: Integers, sizes: Integers, observed: int, right: Floats) -> float:
    """The exponential tilt (at least 0) under which the weighted sum has mean ``observed``."""

    def mean(tilt: float) -> float:
        odds = np.exp(np.minimum(tilt * levels, 700.0)) * right
        return float((levels * sizes * odds / (odds + 1.0 - right)).sum())

    low, high = 0.0, 1.0
    goal = min(float(observed), float((levels * sizes).sum()) - 0.5)
    while mean(high) < goal and high < 600.0:
        high *= 2.0
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if mean(middle) < goal else (low, middle)
    return low


def graded_epsilon_lower(
    levels: Integers,
    correct: Integers,
    wrong: Integers,
    alpha: float,
    *,
    calls: int = 0,
    delta: float = 0.0,
    share: float = 1.0,
) -> float:
    """The lower bound on epsilon from graded guesses at a number of calls fixed in advance.

    Guesses fall into strata; a right one in stratum s counts ``levels[s]``. Given the outputs, each is right,
    independently, with probability at most ``(e^eps + c_s) / (1 + e^eps)``: c_s = 0 for delta = 0, else the charge
    for delta over the probability of stratum s, bounded below at a share of alpha. So the sum is dominated by a
    weighted sum of binomials, whose tail is exact and grows with epsilon: the bound is where it crosses alpha.

    Parameters
    ----------
    levels, correct, wrong : integers, shape (S,); strata of level 0 are ignored
    alpha : float
    calls : int, all calls including those without a guess (needed when delta > 0)
    delta : float
    share : 1.0 for guesses of either dataset, 0.5 for guesses of only one

    Examples
    --------
    >>> bound = graded_epsilon_lower(np.array([1, 2]), np.array([600, 800]), np.array([400, 200]), 0.05)
    >>> 0.8 < bound < 1.2
    True
    """
    guesses = Graded(levels, correct, wrong, calls, share)
    nuisance = NUISANCE_SHARE * alpha if delta > 0.0 else 0.0
    level = alpha * (1.0 - ROUNDING_SLACK) - nuisance
    tail = stage_tail(guesses, delta, nuisance)

    def rejected(epsilon: float) -> bool:
        return tail(epsilon, 1.0) <= level

    if not rejected(0.0):
        return 0.0
    return last_true(rejected, 0.0, EPSILON_CEILING, precision=1e-5)


@dataclass(frozen=True)
class Graded:
    """Graded guesses of a number of calls fixed in advance, by stratum; see :func:`graded_epsilon_lower`."""

    levels: Integers
    correct: Integers
    wrong: Integers
    calls: int
    share: float = 1.0


def last_above_zero(falling: Callable[[float], float], ceiling: float) -> float:
    """A point at most 1e-4 below the root of a falling function, at which it is known not to be negative yet."""
    from scipy.optimize import brentq

    if falling(0.0) < 0.0:
        return 0.0
    low, high = 0.0, 1.0
    while falling(high) >= 0.0:
        if high >= ceiling:
            return ceiling
        low, high = high, min(2.0 * high, ceiling)
    bound = float(brentq(falling, low, high, xtol=1e-5))
    while bound > low and falling(bound) < 0.0:
        bound -= 1e-5
    return max(bound, low)


def stage_tail(guesses: Graded, delta: float, nuisance: float) -> Callable[[float, float], float]:
    """P(more right guesses than seen) + tie * P(just as many), as a function of (epsilon, tie); rising in epsilon.

    With delta it holds where each stratum is at least as probable as its lower bound, which fails with probability
    at most ``nuisance``.
    """
    used = guesses.levels > 0
    if not used.any():
        return lambda epsilon, tie: tie  # nothing was guessed: as many right as could be
    correct, wrong = guesses.correct[used], guesses.wrong[used]
    grade, right, made = _merged(guesses.levels[used], correct, correct + wrong)
    extra = np.zeros(len(grade))
    if delta > 0.0:
        with np.errstate(divide="ignore"):
            extra = delta * guesses.share / binomial_lower(made, guesses.calls, nuisance / len(grade))
    observed = int((grade * right).sum())
    live = made > 0
    grade, made, extra = grade[live], made[live], extra[live]
    if len(grade) == 0:
        return lambda epsilon, tie: tie  # nothing was guessed: as many right as could be

    def tail(epsilon: float, tie: float) -> float:
        at_most = 1.0 - np.maximum(0.0, 1.0 - extra) / (1.0 + math.exp(epsilon))
        whole = graded_tail(grade, made, observed, at_most)
        if tie >= 1.0:
            return whole
        return tie * whole + (1.0 - tie) * graded_tail(grade, made, observed + 1, at_most)

    return tail


def _merged(grade: Integers, right: Integers, guesses: Integers) -> tuple[Integers, Integers, Integers]:
    """Strata of one level joined into one, levels divided by their common divisor."""
    grade = grade // np.gcd.reduce(grade)
    levels, place = np.unique(grade, return_inverse=True)
    return (
        levels,
        np.bincount(place, weights=right, minlength=len(levels)).astype(np.int64),
        np.bincount(place, weights=guesses, minlength=len(levels)).astype(np.int64),
    )


def last_true(holds: Callable[[float], bool], low: float, high: float, precision: float = 1e-6) -> float:
    """The largest point known to satisfy a condition that holds at ``low`` and, once false, stays false."""
    if holds(high):
        return high
    while high - low > precision:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _log_sum_exp(logs: Floats) -> Floats:
    """log(sum(exp(logs))) over the last axis, stable."""
    top = np.max(logs, axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.exp(logs - top).sum(axis=-1)) + top[..., 0])
