"""Fixed horizon: certified lower bounds on Rényi divergences and on rho, from a number of calls fixed in advance.

Calls come in stages; the ratios r per cell, the stake and what is subtracted come from all calls before a stage. For
each order and direction ``Y = m + 2 (g - mean g)`` where the coin chose D and ``m - 2 (h - mean h)`` where it chose D'
(g and h of :mod:`dpcheck.privacy.statistics.nearest_null`, the means as learned, m their difference) has mean at most
the power divergence whatever was learned. So ``prod (1 + stake (Y - C))`` has mean at most 1 where the divergence is at
most C; it falls with C, and by Markov's inequality the C at which it reaches ``1 / alpha`` is a lower bound. The stake
is the best one for the number of all calls, ``sqrt(2 log(1 / alpha) / (n var Y))`` and its half and double: what stages
win is multiplied, and the stakes averaged (Waudby-Smith & Ramdas 2024, arXiv:2010.09686, for a horizon known in
advance).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.divergence_game import View, cells
from dpcheck.privacy.statistics.divergences import power_divergence, renyi_of_power
from dpcheck.privacy.statistics.nearest_null import tangents

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Orders of the curve; those between have at least the divergence of the next smaller one.
ORDERS: Floats = np.array([1.0, 1.25, 1.5, 2.0, 3.0, 4.0, 8.0, 16.0, 32.0, 64.0])
#: Weights of the orders in the evidence on rho: noise with tails shows it at small ones.
RHO_WEIGHTS: Floats = np.array([0.4, 0.1, 0.1, 0.1, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05])
#: Multiples of the planned stake, and their weights.
STAKES, STAKE_WEIGHTS = (0.5, 1.0, 2.0), (0.25, 0.5, 0.25)
#: Nats at which ratios are cut: cells that are rarer than the calls count are worth less than their weight.
CUTS: Floats = np.concatenate([np.arange(0.05, 1.0, 0.05), np.arange(1.0, 12.1, 0.5)])
#: No stake takes more than this part of the wealth.
MOST_STAKED = 0.99
#: Rho is searched between these.
LEAST_RHO, LARGEST_RHO = 1e-7, 1e4
#: Keeps stakes finite where outputs tell the datasets apart every time.
CERTAIN = 1e-6
_HALVINGS = 40


@dataclass(frozen=True)
class DivergenceBounds:
    """Two statements, each at alpha: Rényi divergences, of several orders together, and the rho of zCDP.

    ``orders`` and ``lower`` have shape (A,): the larger of the two directions has at least the divergence ``lower``.
    """

    orders: Floats
    lower: Floats
    rho_lower: float


def divergence_bounds(stages: Sequence[tuple[View, Integers]], alpha: float) -> DivergenceBounds:
    """Certify on outputs that had no part in what was learned.

    Parameters
    ----------
    stages : sequence of (View, integers of shape (B, 2))
        What was learned from all calls before a stage, and the stage's outputs per bin, on D' and on D; how many they
        are was fixed in advance.
    alpha : float
        Of each statement.

    Examples
    --------
    >>> learned = View(np.array([[270, 730], [730, 270]]), np.array([0.73, 0.27]))
    >>> found = divergence_bounds([(learned, np.array([[26_900, 73_100], [73_100, 26_900]]))], 0.05)
    >>> bool(0.44 < found.rho_lower < 0.462), bool(0.70 < found.lower[3] < 0.7354)  # truth: 0.4621 and 0.7353
    (True, True)
    """
    orders, calls = len(ORDERS), float(sum(hits.sum() for _, hits in stages))
    needed = math.log(2 * orders / alpha)
    of_left: list[_Bets] = []
    of_right: list[_Bets] = []
    for learned, hits in stages:
        cell, left, right = cells(learned)
        on_left, on_right = (np.bincount(cell, hits[:, side], len(left)).astype(np.float64) for side in (1, 0))
        of_left.append(_Bets.planned(left, right, calls, needed, np.stack([on_left, on_right])))
        of_right.append(_Bets.planned(right, left, calls, needed, np.stack([on_right, on_left])))
    bets = [of_left, of_right]
    lower = np.maximum.accumulate(renyi_of_power(ORDERS, _crossing(bets, alpha / orders)))
    return DivergenceBounds(ORDERS, lower, _rho(bets, alpha))


@dataclass(frozen=True)
class _Bets:
    """What is bet on, by order.

    ``first`` and ``second`` (A, K) are Y per cell where the coin chose the one or the other dataset, ``stake`` and
    ``least`` (A,) the planned stake and a lower bound on Y and 0, ``fallen`` (2, K) the outputs in the cells.
    """

    first: Floats
    second: Floats
    stake: Floats
    least: Floats
    fallen: Floats

    @staticmethod
    def planned(first: Floats, second: Floats, calls: float, needed: float, fallen: Floats) -> _Bets:
        """Bets on the divergence of the first law from the second, as learned, where all stages have so many calls.

        Ratios are cut where the bound to expect, of normal sums, is best.
        """
        ratios = np.exp(np.clip(np.log(first / second), -CUTS[:, None], CUTS[:, None]))  # (cuts, K)
        values = []
        for order in ORDERS:
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
                g, h = tangents(ratios, np.full(len(CUTS), order))
                mean_g, mean_h = g @ first, h @ second
                variance = 2.0 * ((g - mean_g[:, None]) ** 2 @ first + (h - mean_h[:, None]) ** 2 @ second)
                expected = mean_g - mean_h
                one = expected[:, None] + 2.0 * (g - mean_g[:, None])
                other = expected[:, None] - 2.0 * (h - mean_h[:, None])
                least = np.minimum(np.minimum(one.min(axis=1), other.min(axis=1)), 0.0) - CERTAIN
                variance += CERTAIN**2
                stake = np.minimum(np.sqrt(2.0 * needed / (calls * variance)), 0.5 / (expected - least))
                bound = expected - needed / (calls * stake) - 0.5 * stake * variance
            best = int(np.argmax(np.where(np.isfinite(bound), bound, -math.inf)))
            values.append((one[best], other[best], stake[best], least[best]))
        whole = [np.array(part) for part in zip(*values, strict=True)]
        return _Bets(whole[0], whole[1], whole[2], whole[3], fallen)

    def log_wealth(self, allowed: Floats) -> Floats:
        """The logarithm of what each of ``STAKES`` wins against these power divergences (A,): it falls with each."""
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            most = MOST_STAKED / (allowed - self.least)
            logs = []
            for times in STAKES:
                stake = np.minimum(times * self.stake, most)[:, None]
                on_first = np.log1p(stake * (self.first - allowed[:, None])) @ self.fallen[0]
                on_second = np.log1p(stake * (self.second - allowed[:, None])) @ self.fallen[1]
                logs.append(on_first + on_second)
        return np.where(np.isnan(logs), -math.inf, logs)


def _log_wealth(stages: Sequence[_Bets], allowed: Floats) -> Floats:
    """The logarithm of what all stages win, by order: of each stake they are multiplied, stakes are averaged once."""
    total = sum((stage.log_wealth(allowed) for stage in stages), np.zeros((len(STAKES), len(allowed))))
    return np.asarray(np.logaddexp.reduce(total + np.log(STAKE_WEIGHTS)[:, None], axis=0))


def _crossing(bets: Sequence[Sequence[_Bets]], alpha: float) -> Floats:
    """Per order, the largest power divergence that is refuted, both directions sharing the level; 0 where none is."""
    needed = -math.log(alpha) + math.log(len(bets))
    parts = [part for stages in bets for part in stages]
    high = np.maximum.reduce([np.maximum(part.first.max(axis=1), part.second.max(axis=1)) for part in parts])
    low, high = np.zeros(len(high)), np.maximum(high, 1e-12)

    def refuted(allowed: Floats) -> NDArray[np.bool_]:
        return np.asarray(np.logaddexp.reduce([_log_wealth(stages, allowed) for stages in bets], axis=0) >= needed)

    start = refuted(low)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        holds = refuted(middle)
        low, high = np.where(holds, middle, low), np.where(holds, high, middle)
    return np.where(start, low, 0.0)


def _rho(bets: Sequence[Sequence[_Bets]], alpha: float) -> float:
    """The largest rho that is refuted by all orders together, both directions sharing the level; 0.0 where none is."""
    needed = -math.log(alpha)
    weights = np.log(RHO_WEIGHTS / len(bets))

    def refuted(rho: float) -> bool:
        allowed = power_divergence(ORDERS, rho * ORDERS)
        known = np.isfinite(allowed)
        finite = np.where(known, allowed, 1.0)
        logs = [np.where(known, _log_wealth(stages, finite), -math.inf) + weights for stages in bets]
        return float(np.logaddexp.reduce(np.concatenate(logs))) >= needed

    if not refuted(LEAST_RHO):
        return 0.0
    low, high = math.log(LEAST_RHO), math.log(LARGEST_RHO)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if refuted(math.exp(middle)) else (low, middle)
    return math.exp(low)
