"""How much epsilon any test could certify: the yardstick that `tightness.py` holds `measure` against.

The setting. A pair of output laws is known: P on D, Q on D'. One label-coin call draws b ~ Bernoulli(1/2)
and an output y, from P if b = 1 and else from Q. The *limit* of N independent calls at level alpha is the
largest epsilon0 such that the most powerful level-alpha test of

    H0(epsilon0, delta): the laws of y given b = 1 and given b = 0 are (epsilon0, delta)-indistinguishable

has power 1/2 at the true pair: the median of the best lower bound on epsilon that anyone could state.

**The least favourable null.** Of all pairs (P', Q') in H0 we take the one nearest to the truth, the
minimiser of

    KL(true || null) = [KL(P || P') + KL(Q || Q')] / 2       (the reverse-KL projection; a convex problem)

With E = e^epsilon0 the constraints are the two masses, int P' = int Q' = 1, and the two hockey sticks, int
(P' - E Q')_+ <= delta and int (Q' - E P')_+ <= delta: one per direction, for each may spend all of delta.
With multipliers a, c for the masses and m1, m2 >= 0 for the hockey sticks the minimum is pointwise in p/q:

    p/q above E (a + m1)/(c - E m1)       P' = p / 2(a + m1)       Q' = q / 2(c - E m1)      (spends delta)
    then down to E a/c                    P' = E Q'                Q' = (p + q) / 2(a E + c)
    in the middle                         P' = p / 2a              Q' = q / 2c
    and the mirror image below            (a, p, P') and (c, q, Q') exchanged, m2 for m1.

For delta = 0 the first region is empty. If moreover the pair is symmetric, a = c = 1/2, and the null keeps
the marginal of y and clips the posterior of b at E/(1 + E). *In general it keeps neither*: multiplying the
stationarity conditions by (P', Q') and integrating gives a + c = 1 - delta (m1 + m2), so for delta > 0 the
middle gains mass from the tails; and for an asymmetric pair a and c differ, so that the coin stays fair.
The multipliers maximise the dual, a smooth concave function of four numbers (Newton's method). The
certificate that the minimum is reached: the mean of true/null is at most 1 under every member of H0, a
linear programme (in the tests).

**The power.** The test of the true law against that null adds N log likelihood ratios. The law of the sum
is one discrete Fourier transform to the power N; its mass outside the window is below e^-35 (Chernoff). The
two discretisations err to one side (Blackwell): outputs are split to the ends of their cells, and log
likelihood ratios to the points of their grid, so that what is on the grid can be garbled into the truth and
hence has more power. With `inner=True` both go the other way: cells are merged, the statistic is rounded at
random.

**What is proved, and what is computed.**
Proved: the null used lies in H0, so by Neyman and Pearson *no* level-alpha test of H0(epsilon0, delta) has
more power than the one computed (up to rounding errors, about 1e-10). As H0 grows with epsilon0, none has
power 1/2 beyond the limit: it bounds what any method can reach.
Proved for randomised response with delta = 0: the bound is attained (under every null the number of correct
guesses is at most, in law, what it is under the clipped posterior).
Computed: that the bound is all but attained for the others. The test against the one null would have to
keep its level on all of H0; `worst_level` searches H0 for a null under which it does not, from the nearest
one on (a local search). It found at most 0.0504 for 0.05 in the rows of the table.

Run `python benchmarks/limit.py --json` to print the table and write `benchmarks/limits.json` (a minute).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from laws import Cells, Floats, GaussianShift, LaplaceShift, Law, RandomisedResponse
from numpy.typing import NDArray
from scipy.fft import irfft, next_fast_len, rfft
from scipy.optimize import brentq, linprog
from scipy.special import logsumexp

DEFAULT_CELLS = 4096
# Grid steps in one standard deviation of a single call's log likelihood ratio. Splitting a value over two
# grid points adds at most a quarter of a squared step to that variance: 1e-4 of it, or 3e-5 of power.
STEPS_PER_DEVIATION = 50.0
# Mass of the sum that may fall outside the grid's window, in nats: e^-35 is below a double's rounding error.
WINDOW_NATS = 35.0
CHERNOFF_EXPONENTS = np.geomspace(1e-3, 64.0, 60)
# The limit is found to this share of the true epsilon.
RELATIVE_PRECISION = 1e-5
NEWTON_STEPS = 200
# A stationary point is accepted when masses are met to the first, hockey sticks to the second share of
# delta: N times either is far below one call.
MASS_TOLERANCE, SPEND_TOLERANCE = 1e-10, 1e-6
# A Newton step covers at most this share of the way to the edge of the dual's domain.
STEP_TO_BOUNDARY = 0.9
# A step may end where the slope along it is at most this share of the first slope, downwards. (At one half
# the steps between regions cycled in 4 of 3,000 random pairs, at a tenth in none of 9,000.)
OVERSHOOT = 0.1
# Keeps exp finite where the truth's mass is 0 and the product does not matter.
LARGEST_EXPONENT = 700.0
# Keeps a division defined where every reward is the same.
TINY = 1e-300
# The smallest feasibility tolerance that HiGHS accepts.
TIGHTEST_TOLERANCE = 1e-10
# The search for a worse null: its cells, rounds, shares of the way to the next null, the gain worth a round.
SEARCH_CELLS = 200
SEARCH_STEPS = 12
SEARCH_SHARES = tuple(2.0**-k for k in range(16, -1, -1))
SEARCH_GAIN = 1e-4

TABLE_ALPHA = 0.05
TABLE_EPSILONS = (0.1, 1.0, 3.0)
TABLE_CALLS = (10_000, 100_000)
TABLE_DELTAS = (1e-2, 1e-5)
TABLE_FILE = Path(__file__).with_name("limits.json")


class Losses(Protocol):
    """A pair of laws known by its privacy loss alone."""

    def epsilon_at(self, delta: float) -> float:
        """The smallest epsilon at this delta."""
        ...

    def cells(self, count: int) -> Cells:
        """About ``count`` cells that cover the outputs."""
        ...


@dataclass(frozen=True)
class Atoms:
    """A pair of discrete laws: masses under P and Q of the outputs with each value of the loss log P/Q."""

    loss: Floats
    p: Floats
    q: Floats


@dataclass(frozen=True)
class Null:
    """The member of H0(epsilon, delta) nearest to a pair.

    ``mass`` holds the multipliers (a, c) and ``spend`` the multipliers (m1, m2) of the module's docstring.
    """

    epsilon: float
    delta: float
    mass: tuple[float, float]
    spend: tuple[float, float]

    def log_ratios(self, loss: Floats) -> tuple[Floats, Floats]:
        """log P/P' and log Q/Q' where log P/Q is ``loss``: one call's statistic for b = 1 and for b = 0."""
        (a, c), (m1, m2) = self.mass, self.spend
        E = math.exp(self.epsilon)
        regions = _regions(loss, self)
        share_p, share_q = -np.logaddexp(0.0, -loss), -np.logaddexp(0.0, loss)  # log p/(p+q), log q/(p+q)
        high, low = math.log(2 * (a * E + c)), math.log(2 * (a + c * E))
        for_p: list[Floats | float] = [
            math.log(2 * (a + m1)),
            share_p + high - self.epsilon,
            math.log(2 * a),
            share_p + low,
        ]
        for_q: list[Floats | float] = [
            math.log(2 * (c - E * m1)),
            share_q + high,
            math.log(2 * c),
            share_q + low - self.epsilon,
        ]
        return (
            np.select(regions, [np.full_like(loss, 1.0) * x for x in (*for_p, math.log(2 * (a - E * m2)))]),
            np.select(regions, [np.full_like(loss, 1.0) * x for x in (*for_q, math.log(2 * (c + m2)))]),
        )


def _regions(loss: Floats, null: Null) -> list[NDArray[np.bool_]]:
    """Where the null spends delta, is clipped, is free, is clipped, spends delta: from high losses to low."""
    (a, c), (m1, m2) = null.mass, null.spend
    E, centre = math.exp(null.epsilon), math.log(a / c)
    spends = null.delta > 0
    top = null.epsilon + math.log((a + m1) / (c - E * m1)) if spends else math.inf
    bottom = -null.epsilon - math.log((c + m2) / (a - E * m2)) if spends else -math.inf
    high, low = loss > top, loss < bottom
    above, below = (loss > centre + null.epsilon) & ~high, (loss < centre - null.epsilon) & ~low
    return [high, above, ~(high | above | below | low), below, low]


def atoms_of(cells: Cells, inner: bool = False) -> Atoms:
    """Discrete laws that stand for a pair: each cell split to its ends, or (``inner``) merged to one point.

    The split keeps both masses of every cell, so the true outputs are a garbling of the split ones; the
    merged outputs are a garbling of the true ones.
    """
    if inner:
        with np.errstate(divide="ignore"):
            return Atoms(np.log(cells.p) - np.log(cells.q), cells.p, cells.q)
    discrete = cells.loss_low == cells.loss_high
    span = np.where(discrete, 1.0, -np.expm1(cells.loss_low - cells.loss_high))
    low_q = np.clip((cells.q - cells.p * np.exp(-cells.loss_high)) / span, 0.0, cells.q)
    high_p = np.clip((cells.p - cells.q * np.exp(cells.loss_low)) / span, 0.0, cells.p)
    high_p[discrete], low_q[discrete] = 0.0, cells.q[discrete]
    loss, where = np.unique(np.concatenate((cells.loss_low, cells.loss_high)), return_inverse=True)
    p = _gather(where, np.concatenate((cells.p - high_p, high_p)), loss.size)
    q = _gather(where, np.concatenate((low_q, cells.q - low_q)), loss.size)
    seen = p + q > 0
    return Atoms(loss[seen], p[seen], q[seen])


def _gather(index: NDArray[np.intp], mass: Floats, size: int) -> Floats:
    """The total mass at each index."""
    return np.bincount(index, mass, size).astype(np.float64)


def least_favourable(pair: Atoms, epsilon: float, delta: float) -> Null:
    """The reverse-KL projection of a pair on H0(epsilon, delta), by Newton's method on the dual.

    Parameters:
        pair: the true laws.
        epsilon, delta: what the null promises; epsilon in nats, at least 0.

    Raises:
        ArithmeticError: the dual did not converge.
    """
    E = math.exp(epsilon)
    # A region's term of the dual is half its mass times the logarithm of a linear form in (a, c, m1, m2).
    forms = np.array(
        [
            [1, 0, 1, 0], [0, 1, -E, 0],  # spends delta: P, Q
            [E, 1, 0, 0],                 # clipped: P + Q
            [1, 0, 0, 0], [0, 1, 0, 0],   # free: P, Q
            [1, E, 0, 0],                 # clipped: P + Q
            [1, 0, 0, -E], [0, 1, 0, 1],  # spends delta: P, Q
        ]
    )  # fmt: skip
    prices = np.array([1.0, 1.0, delta, delta])
    spend_tolerance = min(MASS_TOLERANCE, SPEND_TOLERANCE * delta)
    tolerance = np.array([MASS_TOLERANCE, MASS_TOLERANCE, spend_tolerance, spend_tolerance])

    def null_at(theta: Floats) -> Null:
        a, c, m1, m2 = (float(x) for x in theta)
        return Null(epsilon, delta, (a, c), (m1, m2))

    def derivatives(theta: Floats) -> tuple[Floats, Floats]:
        p, q = (np.array([w[r].sum() for r in _regions(pair.loss, null_at(theta))]) for w in (pair.p, pair.q))
        masses = np.array([p[0], q[0], p[1] + q[1], p[2], q[2], p[3] + q[3], p[4], q[4]])
        per_form = 0.5 * masses / (forms @ theta)
        return forms.T @ per_form - prices, (forms.T * (per_form / (forms @ theta))) @ forms

    theta = np.array([0.5, 0.5, 0.0, 0.0])
    gradient, curvature = derivatives(theta)
    for _ in range(NEWTON_STEPS):
        # With delta = 0 nothing is spent; otherwise a multiplier rests at 0 while its constraint has room.
        moves = np.array([True, True, *((theta[2:] > 0) | (gradient[2:] > 0)) & (delta > 0)])
        if np.all(np.abs(gradient[moves]) <= tolerance[moves]):
            return null_at(theta)
        step = np.zeros(4)
        # Where no cell spends delta the dual is linear in its multiplier, and falls: back towards 0, alone.
        idle = moves & (np.diag(curvature) <= np.finfo(float).tiny)
        if idle.any():
            step[idle] = -theta[idle]
        else:
            inside = curvature[np.ix_(moves, moves)]
            step[moves] = np.linalg.lstsq(inside, gradient[moves], rcond=None)[0]
        length = _longest_step(forms, theta, step)
        ascent = gradient @ step
        while True:
            candidate = theta + length * step
            candidate[2:] = np.maximum(candidate[2:], 0.0)
            if np.min(forms @ candidate) <= 0.0:
                break  # rounding has reached the edge of the domain
            new_gradient, new_curvature = derivatives(candidate)
            # The dual is concave: along the step its slope only falls; far below 0 is too far.
            if new_gradient @ step >= -OVERSHOOT * abs(ascent) or length < np.finfo(float).eps:
                break
            length /= 2
        if np.array_equal(candidate, theta) or np.min(forms @ candidate) <= 0.0:
            break
        theta, gradient, curvature = candidate, new_gradient, new_curvature
    raise ArithmeticError(f"the projection on H0({epsilon}, {delta}) did not converge: residuals {gradient.tolist()}")


def _longest_step(forms: Floats, theta: Floats, step: Floats) -> float:
    """A step of at most 1 that keeps every linear form positive."""
    now, change = forms @ theta, forms @ step
    falling = change < 0
    room = np.min(now[falling] / -change[falling]) if falling.any() else math.inf
    return min(1.0, STEP_TO_BOUNDARY * room)


@dataclass(frozen=True)
class Statistic:
    """The law of one call's log likelihood ratio true/null: its values and their masses under the truth."""

    value: Floats
    mass: Floats

    @property
    def mean(self) -> float:
        """The Kullback-Leibler divergence of one call, in nats."""
        return float(self.mass @ self.value)

    @property
    def deviation(self) -> float:
        """The standard deviation under the truth."""
        return math.sqrt(float(self.mass @ (self.value - self.mean) ** 2))


def statistic_of(pair: Atoms, null: Null) -> Statistic:
    """One call's log likelihood ratio under the truth; the null's masses are ``mass * exp(-value)``."""
    for_p, for_q = null.log_ratios(pair.loss)
    value, mass = np.concatenate((for_p, for_q)), 0.5 * np.concatenate((pair.p, pair.q))
    possible = mass > 0
    value, where = np.unique(value[possible], return_inverse=True)
    return Statistic(value, _gather(where, mass[possible], value.size))


@dataclass(frozen=True)
class Sums:
    """The law of the summed log likelihood ratios: masses at equally spaced points, under truth and null."""

    points: Floats
    under_truth: Floats
    under_null: Floats

    def power(self, alpha: float) -> float:
        """The power of the test that rejects large sums, randomised so that it spends all of its level."""
        level, detected = np.cumsum(self.under_null[::-1]), np.cumsum(self.under_truth[::-1])
        return float(np.interp(alpha, level, detected))

    def critical(self, alpha: float) -> float:
        """The value that the sum exceeds with probability alpha under the null."""
        return float(np.interp(alpha, np.cumsum(self.under_null[::-1]), self.points[::-1]))


def sums_of(statistic: Statistic, calls: int, inner: bool = False) -> Sums:
    """The law of the sum of ``calls`` independent copies of a statistic.

    Parameters:
        statistic: one call's log likelihood ratio; not a constant.
        calls: the number of independent calls.
        inner: round so that the power is at most, not at least, that of the exact law.
    """
    value, mass = statistic.value, statistic.mass
    step = statistic.deviation / STEPS_PER_DEVIATION
    if inner:
        null_mass = mass * np.exp(-value)
        grid = _Grid.covering(value, [mass, null_mass], calls, step)
        under_truth, under_null = (grid.law_of_sum(value, each, calls) for each in (mass, null_mass))
    else:
        grid = _Grid.covering(value, [mass], calls, step)
        under_truth = grid.law_of_sum(value, mass, calls, keep_ratio=True)
        under_null = under_truth * np.exp(np.minimum(-grid.points, LARGEST_EXPONENT))
    return Sums(grid.points, under_truth, under_null)


@dataclass(frozen=True)
class _Grid:
    """Equally spaced values of the sum; sums are formed modulo its length, which they all but never leave."""

    step: float
    first: int
    size: int

    @classmethod
    def covering(cls, value: Floats, masses: Sequence[Floats], calls: int, step: float) -> _Grid:
        """A grid whose ends the sum passes with probability at most e^-WINDOW_NATS each (Chernoff)."""

        def reach(direction: float) -> float:
            tilted = np.outer(direction * CHERNOFF_EXPONENTS, value)
            bounds = [calls * logsumexp(tilted, axis=1, b=mass) for mass in masses]
            return max(float(np.min((bound + WINDOW_NATS) / CHERNOFF_EXPONENTS)) for bound in bounds)

        first, last = math.floor(-reach(-1.0) / step), math.ceil(reach(1.0) / step)
        return cls(step, first, next_fast_len(last - first + 1, real=True))

    @property
    def points(self) -> Floats:
        return self.step * np.arange(self.first, self.first + self.size, dtype=np.float64)

    def law_of_sum(self, value: Floats, mass: Floats, calls: int, keep_ratio: bool = False) -> Floats:
        """The masses at ``points`` of the sum of ``calls`` independent values, each split over two points.

        The split keeps the mean of the value (a rounding at random); or, with ``keep_ratio``, the mean of
        exp(-value): then the mass under the null is kept too, and the value remains the log likelihood ratio.
        """
        below = np.floor(value / self.step)
        part = value / self.step - below
        upper = np.expm1(-part * self.step) / math.expm1(-self.step) if keep_ratio else part
        index = np.concatenate((below, below + 1)).astype(np.intp) % self.size
        single = _gather(index, np.concatenate((mass * (1 - upper), mass * upper)), self.size)
        total = irfft(rfft(single) ** calls, self.size)
        return np.asarray(np.maximum(np.roll(total, -(self.first % self.size)), 0.0), dtype=np.float64)


def worst_level(law: Law, calls: int, alpha: float, epsilon: float, delta: float, cells: int = SEARCH_CELLS) -> float:
    """The largest level found on H0(epsilon, delta) of the test that has level alpha at the nearest null.

    A local search (Frank and Wolfe): the level's derivative towards another null is linear in it, and a
    linear function is maximised over H0 by a linear programme. Above alpha, the limit is not quite attained.

    Parameters:
        law, calls, alpha, delta: as for `limit`.
        epsilon: where to look, in nats; of interest is the limit.
        cells: into how many cells the outputs are cut.
    """
    pair = atoms_of(law.cells(cells), inner=True)
    null = least_favourable(pair, epsilon, delta)
    step = statistic_of(pair, null).deviation / STEPS_PER_DEVIATION
    value = np.concatenate(null.log_ratios(pair.loss))
    current = 0.5 * np.concatenate((pair.p, pair.q)) * np.exp(-value)

    def tail(masses: Floats, terms: int, at: Floats) -> Floats:
        """P(sum >= at) for each value in ``at``, with the terms rounded at random to the grid."""
        grid = _Grid.covering(value, [masses], terms, step)
        upper = np.cumsum(grid.law_of_sum(value, masses, terms)[::-1])[::-1]
        return np.asarray(np.interp(at, grid.points, upper))

    grid = _Grid.covering(value, [current], calls, step)
    critical = float(np.interp(-alpha, -tail(current, calls, grid.points), grid.points))
    best = alpha
    for _ in range(SEARCH_STEPS):
        needed = tail(current, calls - 1, critical - value)
        target = _best_null(needed, epsilon, delta)
        before, origin = best, current
        for share in SEARCH_SHARES:
            masses = (1 - share) * origin + share * target
            level = float(tail(masses, calls, np.array([critical]))[0])
            if level <= best:
                break
            best, current = level, masses
        if best <= before * (1 + SEARCH_GAIN):
            break
    return best


def _best_null(reward: Floats, epsilon: float, delta: float) -> Floats:
    """The label-and-output masses in H0(epsilon, delta) with the largest mean reward.

    A linear programme: in each cell (P', Q') is a sum of multiples of (E, 1), (1, E), (1, 0) and (0, 1), of
    which the last two spend delta.
    """
    for_p, for_q = np.split((reward - reward.mean()) / max(float(np.ptp(reward)), TINY), 2)
    E, one, zero = math.exp(epsilon), np.ones_like(for_p), np.zeros_like(for_p)
    found = linprog(
        -np.concatenate((E * for_p + for_q, for_p + E * for_q, for_p, for_q)),
        A_ub=[np.concatenate((zero, zero, one, zero)), np.concatenate((zero, zero, zero, one))],
        b_ub=[delta, delta],
        A_eq=[np.concatenate((E * one, one, one, zero)), np.concatenate((one, E * one, zero, one))],
        b_eq=[1.0, 1.0],
        options={"primal_feasibility_tolerance": TIGHTEST_TOLERANCE},
    )
    if not found.success:
        raise ArithmeticError(f"the linear programme over H0({epsilon}, {delta}) failed: {found.message}")
    u, v, w, z = np.split(found.x, 4)
    return 0.5 * np.concatenate((E * u + v + w, u + E * v + z))


def limit(
    law: Losses, calls: int, alpha: float, delta: float, cells: int = DEFAULT_CELLS, inner: bool = False
) -> float:
    """The largest epsilon0 such that the best level-alpha test of H0(epsilon0, delta) has power 1/2.

    Parameters:
        law: the pair of output laws, both known to the test.
        calls: the number of label-coin calls.
        alpha: the level of the test, below 1/2.
        delta: the delta of the null.
        cells: into how many cells the outputs are cut.
        inner: approach from below (a merged pair, a rounded statistic) instead of from above.

    Returns:
        epsilon0 in nats, 0.0 where not even H0(0, delta) is rejected with probability 1/2.
    """
    if calls < 1 or not 0 < alpha < 0.5 or not 0 <= delta < 1:
        raise ValueError(f"calls must be at least 1, alpha in (0, 1/2), delta in [0, 1), got {calls}, {alpha}, {delta}")
    truth = law.epsilon_at(delta)
    pair = atoms_of(law.cells(cells), inner)

    def excess(epsilon: float) -> float:
        if epsilon >= truth:
            return alpha - 0.5  # the truth is in H0
        statistic = statistic_of(pair, least_favourable(pair, epsilon, delta))
        # Pinsker's inequality: this close no test has power 1/2 (and the grid would be too fine).
        most = alpha + math.sqrt(max(0.0, calls * statistic.mean / 2))
        return min(most, sums_of(statistic, calls, inner).power(alpha) if most >= 0.5 else 1.0) - 0.5

    if truth == 0.0 or excess(0.0) <= 0.0:
        return 0.0
    return float(brentq(excess, 0.0, truth, xtol=RELATIVE_PRECISION * truth))


def table_laws() -> list[Law]:
    """The pairs of the table: Laplace, Gaussian at each delta, randomised response, at each epsilon."""
    laws: list[Law] = [LaplaceShift(epsilon) for epsilon in TABLE_EPSILONS]
    laws += [GaussianShift(epsilon, delta) for delta in TABLE_DELTAS for epsilon in TABLE_EPSILONS]
    return laws + [RandomisedResponse(epsilon) for epsilon in TABLE_EPSILONS]


def table(alpha: float = TABLE_ALPHA) -> list[dict[str, float | int | str]]:
    """One row per pair and number of calls: the limit from above and below, and the worst level found."""
    rows: list[dict[str, float | int | str]] = []
    for law in table_laws():
        for calls in TABLE_CALLS:
            found = limit(law, calls, alpha, law.delta)
            rows.append(
                {
                    "law": law.name,
                    "epsilon": law.epsilon,
                    "delta": law.delta,
                    "calls": calls,
                    "alpha": alpha,
                    "limit": found,
                    "limit_from_below": limit(law, calls, alpha, law.delta, inner=True),
                    "worst_level": worst_level(law, calls, alpha, found, law.delta),
                }
            )
    return rows


def main(arguments: list[str]) -> int:
    """Print the table; with ``--json`` as JSON, and write it to limits.json."""
    parser = argparse.ArgumentParser(description="The limit of any test, for known pairs of output laws.")
    parser.add_argument("--json", action="store_true", help="print JSON and write benchmarks/limits.json")
    options = parser.parse_args(arguments)
    rows = table()
    if options.json:
        record = {
            "command": "python benchmarks/limit.py --json",
            "limit": "largest epsilon0 where the best level-alpha test of H0(epsilon0, delta) has power 1/2",
            "limit_from_below": "the same with every discretisation against the test",
            "worst_level": "largest level found on H0(limit, delta) of the test against the nearest null",
            "cells": DEFAULT_CELLS,
            "rows": rows,
        }
        text = json.dumps(record, indent=1)
        TABLE_FILE.write_text(text + "\n", encoding="utf-8")
        print(text)
        return 0
    print(f"{'law':<20}{'epsilon':>8}{'delta':>8}{'calls':>8}{'limit':>10}{'share':>8}{'worst level':>13}")
    for row in rows:
        share = float(row["limit"]) / float(row["epsilon"])
        print(
            f"{row['law']:<20}{row['epsilon']:>8g}{row['delta']:>8g}{row['calls']:>8}"
            f"{row['limit']:>10.5f}{share:>8.1%}{row['worst_level']:>13.4f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
