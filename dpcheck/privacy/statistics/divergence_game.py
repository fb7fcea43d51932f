"""The part of the label game that bets against bounds on Rényi divergences: zCDP and Rényi DP tested for what they are.

Beside the guessing rules, which bet against (epsilon, delta) points, one process for each order and direction bets
against "the divergence is at most that" by :mod:`dpcheck.privacy.statistics.nearest_null`, for the claim's own
parameter and for a fixed grid of others, from which the bound on the parameter follows. Its cells are those of the
one view (a feature and a table that turns its past into a posterior) that has foretold the coins best so far.

All of it is a function of earlier calls: a view is judged on calls that it had not seen when it foretold them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.divergences import BoundedDivergences, power_divergence
from dpcheck.privacy.statistics.nearest_null import best_bets

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Cells are bins of like posterior: about so many of equal mass, and the tails, halved so often.
CELLS, HALVED = 40, 9
#: A posterior is never taken for surer than this.
SUREST = 1e-6
#: The mass of a bin that has seen nothing, in outputs.
UNSEEN = 1e-3
#: No wealth is smaller: so deep a loss is never won back, and stays a number.
LEAST_LOG_WEALTH = -1e6


@dataclass(frozen=True)
class View:
    """What a table makes of a feature: the past per bin on D' and on D (B, 2), and the posterior of D (B,)."""

    past: Integers
    posterior: Floats


@dataclass(frozen=True)
class DivergenceGame:
    """Wealth of all bets and how well each view foretold.

    ``log_wealth`` has shape (2 T, G): orders of D from D' and then of D' from D, parameters.
    ``foretold`` (V,) is the log-likelihood of the coins that each view gained over a fair coin's. ``leader`` is the
    view whose bets were last made (-1: none yet).
    """

    log_wealth: Floats
    foretold: Floats
    leader: int = -1


def new_divergence_game(bounded: BoundedDivergences, views: int) -> DivergenceGame:
    """Before the first call: all wealth is 1.

    Examples
    --------
    >>> from dpcheck.model.claims import ZeroConcentratedDP
    >>> from dpcheck.privacy.statistics.divergences import divergences_bounded
    >>> new_divergence_game(divergences_bounded(ZeroConcentratedDP(0.5)), 3).log_wealth.shape
    (12, 35)
    """
    orders, parameters = bounded.bounds.shape
    return DivergenceGame(np.zeros((2 * orders, parameters)), np.zeros(views))


def played(
    game: DivergenceGame, bounded: BoundedDivergences, views: Sequence[View | None], hits: Sequence[Integers | None]
) -> DivergenceGame:
    """After more calls: the leading view's bets pay, then all views are judged by them.

    Parameters
    ----------
    game : DivergenceGame
    bounded : BoundedDivergences
    views : sequence of View or None
        Made from earlier calls alone; None where nothing is known yet.
    hits : sequence of integers, shape (B, 2)
        The new outputs per bin of each view, all of them, on D' and on D; None where there is no view.
    """
    there = [i for i, view in enumerate(views) if view is not None]
    if not there:
        return game
    leader = max(there, key=lambda i: game.foretold[i])
    view, hit = views[leader], hits[leader]
    assert view is not None
    assert hit is not None
    wealth = np.maximum(game.log_wealth + _paid(view, hit, bounded), LEAST_LOG_WEALTH)
    foretold = game.foretold.copy()
    for i in there:
        foretold[i] += _foretold(views[i], hits[i])
    return DivergenceGame(wealth, foretold, leader)


def uncounted_bets(game: DivergenceGame) -> DivergenceGame:
    """The same with all wealth at 1; what views foretold stays."""
    return replace(game, log_wealth=np.zeros_like(game.log_wealth))


def _foretold(view: View | None, hits: Integers | None) -> float:
    assert view is not None
    assert hits is not None
    posterior = np.clip(view.posterior, SUREST, 1.0 - SUREST)
    return float((hits[:, 1] * np.log(2.0 * posterior) + hits[:, 0] * np.log(2.0 - 2.0 * posterior)).sum())


def _paid(view: View, hits: Integers, bounded: BoundedDivergences) -> Floats:
    """The logarithm of what all wealth is multiplied by, (2 T, G)."""
    cell, left, right = cells(view)
    fallen = np.stack([np.bincount(cell, weights=hits[:, side], minlength=len(left)) for side in (0, 1)])
    orders, parameters = bounded.bounds.shape
    order = np.repeat(bounded.orders, parameters)
    allowed = power_divergence(order, bounded.bounds.ravel())
    size = (len(order), len(left))
    laws = np.broadcast_to(left, size), np.broadcast_to(right, size)
    both = np.concatenate([laws[0], laws[1]]), np.concatenate([laws[1], laws[0]])
    bets = best_bets(*both, np.tile(order, 2), np.tile(allowed, 2))
    sides = [
        (bets.on_left[: len(order)], bets.on_right[: len(order)]),
        (bets.on_right[len(order) :], bets.on_left[len(order) :]),
    ]
    paid = [np.log1p(on_d) @ fallen[1] + np.log1p(on_other) @ fallen[0] for on_d, on_other in sides]
    return np.concatenate(paid).reshape(2 * orders, parameters)


def cells(view: View) -> tuple[Integers, Floats, Floats]:
    """The cell of each bin, and the probabilities of the cells on D and on D', as they were learned.

    Examples
    --------
    >>> view = View(np.array([[30, 10], [10, 30], [0, 0]]), np.array([0.25, 0.75, 0.5]))
    >>> cell, left, right = cells(view)
    >>> cell.tolist(), left.round(3).tolist(), right.round(3).tolist()
    ([0, 2, 1], [0.25, 0.0, 0.75], [0.75, 0.0, 0.25])
    """
    posterior = np.clip(view.posterior, SUREST, 1.0 - SUREST)
    mass = view.past.sum(axis=1) + UNSEEN
    order = np.argsort(posterior, kind="stable")
    before = np.cumsum(mass[order]) - 0.5 * mass[order]
    cuts = _levels() * mass.sum()
    part = np.searchsorted(cuts, before)
    new = (np.diff(part, prepend=-1) != 0) & (np.diff(posterior[order], prepend=-1.0) > 0.0)
    cell = np.empty(len(mass), np.int64)
    cell[order] = np.cumsum(new) - 1
    left, right = np.bincount(cell, mass * posterior), np.bincount(cell, mass * (1.0 - posterior))
    return cell, left / left.sum(), right / right.sum()


def _levels() -> Floats:
    """Where the mass is cut: into equal parts, the outermost halved again and again."""
    tails = 2.0 ** -np.arange(1.0, HALVED) / CELLS
    return np.unique(np.concatenate([tails, np.arange(1, CELLS) / CELLS, 1.0 - tails]))


@dataclass(frozen=True)
class Wealth:
    """What divergence games of J pairs hold: ``log_wealth`` (J, 2 T, G), and the weights of the pairs (J,)."""

    log_wealth: Floats
    weight: Floats

    @staticmethod
    def of(game: DivergenceGame) -> Wealth:
        """The wealth of one pair."""
        return Wealth(game.log_wealth[None], np.ones(1))

    @staticmethod
    def join(parts: Sequence[Wealth], scales: Sequence[float]) -> Wealth:
        """That of several, each scaled by a weight fixed in advance."""
        scaled = [part.weight * scale for part, scale in zip(parts, scales, strict=True)]
        return Wealth(np.concatenate([part.log_wealth for part in parts]), np.concatenate(scaled))

    def log_by_order(self, bounded: BoundedDivergences) -> Floats:
        """The logarithm of the evidence by order and direction (2 T, G), each weighted; they sum to the evidence.

        What is not staked (pairs not tried) is left out.
        """
        shares = np.log(0.5 * np.tile(bounded.weights, 2))[:, None]
        with np.errstate(divide="ignore"):
            terms = self.log_wealth + shares + np.log(self.weight)[:, None, None]
        return np.asarray(np.logaddexp.reduce(terms, axis=0))

    def log_evidence(self, bounded: BoundedDivergences) -> Floats:
        """The logarithm of the evidence against each parameter, (G,), with what is not staked."""
        found = np.logaddexp.reduce(self.log_by_order(bounded), axis=0)
        unstaked = 1.0 - float(self.weight.sum())
        return np.asarray(np.logaddexp(found, math.log(unstaked)) if unstaked > 1e-12 else found)
