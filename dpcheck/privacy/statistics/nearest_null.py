"""The best bet against a bound on a Rényi divergence: the e-variable of the null that is nearest to what was learned.

For each call a fair coin chooses the dataset, and the output falls into one of K cells: law P of the cells on D, Q on
D'. The power divergence of order a, ``sum_k q f(p / q)`` with ``f(x) = (x^a - 1 - a (x - 1)) / (a - 1)`` (order 1:
``x log x - x + 1``), is jointly convex in (P, Q), so that its tangent at *any* ratios r per cell lies below it
(Birrell et al. 2021, arXiv:2007.03814): where the divergence is at most C,

    E_P[g(r)] - E_Q[h(r)] <= C,     g(r) = a (r^(a - 1) - 1) / (a - 1),   h(r) = r^a - 1     (order 1: log r, r - 1).

Hence a bet multiplies the wealth, for any ``stake >= 0`` and any ``tilt``, by

    1 + stake (g(r) - C / 2) + tilt   where the coin chose D,      1 - stake (h(r) + C / 2) - tilt   where it chose D',

and where neither can be negative the wealth has mean at most 1 under *every* null: it is an e-variable, whatever r,
stake and tilt were learned from earlier calls. The growth-optimal e-variable against all nulls (the numeraire, Larsson,
Ramdas & Ruf 2024, arXiv:2402.18810) is of this form, with r the ratios of the null nearest to the truth in relative
entropy. :func:`best_bets` finds it by Newton's method: a concave problem in (stake, tilt), with r in closed form or by
a monotone iteration. A search that stops early costs growth only, never validity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Newton steps for stake and tilt, for the ratios, and halvings of a step that leaves the domain or falls.
_STEPS, _RATIO_STEPS, _SHORTER = 12, 30, 25
#: Nats of growth that one more step would win at most where the search ends: of 10^6 calls, a hundredth of a nat.
_ENOUGH = 1e-8
#: Ratios of more nats are not told apart: no number of calls shows them; and their powers have to be doubles.
_FARTHEST, _LARGEST_POWER = 30.0, 200.0
#: What a wealth keeps in the worst cell, at least.
_KEPT = 1e-9


@dataclass(frozen=True)
class Bets:
    """What the wealth is multiplied by in each cell, minus 1, where the coin chose D and where it chose D'.

    ``on_left`` and ``on_right`` have shape (T, K), for T bets; all entries are above -1. ``growth`` (T,) are the nats a
    call is expected to win under the laws that the bets were made for.
    """

    on_left: Floats
    on_right: Floats
    growth: Floats


def tangents(ratios: Floats, orders: Floats) -> tuple[Floats, Floats]:
    """The functions g and h of the likelihood ratios: a lower bound on the divergence is ``E_P[g] - E_Q[h]``.

    Parameters
    ----------
    ratios : shape (T, K), or (K,)
    orders : shape (T,), at least 1

    Examples
    --------
    >>> left, right = np.array([0.8, 0.2]), np.array([0.2, 0.8])
    >>> g, h = tangents(left / right, np.array([2.0]))
    >>> round(float(g[0] @ left - h[0] @ right), 9), round(float(((left / right) ** 2) @ right - 1.0), 9)
    (2.25, 2.25)
    """
    order = orders[:, None]
    return _tangents(np.log(ratios), order)


def best_bets(left: Floats, right: Floats, orders: Floats, allowed: Floats) -> Bets:
    """The growth-optimal bets against "the power divergence of this order is at most so much", for laws of the cells.

    Parameters
    ----------
    left, right : shape (T, K)
        Probabilities of the cells on D and on D', all above 0, with sum 1.
    orders : shape (T,)
        At least 1.
    allowed : shape (T,)
        Power divergences, at least 0; one that the laws do not exceed is not bet against (``inf``: never).

    Examples
    --------
    >>> left, right = np.array([[0.8, 0.2]]), np.array([[0.2, 0.8]])
    >>> bets = best_bets(left, right, np.array([2.0]), np.array([1.0]))
    >>> null = np.array([0.7236068, 0.2763932])  # of divergence 1: no bet may win from it
    >>> bool(null @ bets.on_left[0] + null[::-1] @ bets.on_right[0] < 1e-6), bool(bets.growth[0] > 0.01)
    (True, True)
    """
    order, start = orders[:, None], np.log(left / right)
    farthest = np.minimum(_FARTHEST, _LARGEST_POWER / order)
    start = np.clip(start, -farthest, farthest)
    rows = np.flatnonzero(np.isfinite(allowed) & (_divergence(left, right, start, order) > allowed))
    nothing = np.zeros(left.shape)
    bets = Bets(nothing, nothing.copy(), np.zeros(len(left)))
    if len(rows):
        search = _Search(left[rows], right[rows], np.exp(start[rows]), order[rows], allowed[rows, None])
        found = search.run()
        bets.on_left[rows], bets.on_right[rows], bets.growth[rows] = found.on_left, found.on_right, found.growth
    return bets


def _tangents(log_ratios: Floats, order: Floats) -> tuple[Floats, Floats]:
    excess = order - 1.0
    near = excess == 0.0
    with np.errstate(over="ignore"):
        left = np.where(near, log_ratios, order * np.expm1(excess * log_ratios) / np.where(near, 1.0, excess))
        return left, np.expm1(order * log_ratios)


def _divergence(left: Floats, right: Floats, log_ratios: Floats, order: Floats) -> Floats:
    g, h = _tangents(log_ratios, order)
    return np.asarray((left * g - right * h).sum(axis=1))


@dataclass(frozen=True)
class _Point:
    """Where a search stands: per problem stake, tilt (T, 1) and growth (T,), per cell what follows from them (T, K)."""

    stake: Floats
    tilt: Floats
    ratios: Floats
    on_left: Floats
    on_right: Floats
    gains: Floats
    losses: Floats
    growth: Floats

    def of(self, rows: NDArray[np.intp]) -> _Point:
        """Some of the problems, as arrays of their own."""
        return _Point(*(array[rows] for array in vars(self).values()))

    def put(self, rows: NDArray[np.intp], new: _Point) -> None:
        """Some of the problems are somewhere else now."""
        for array, fresh in zip(vars(self).values(), vars(new).values(), strict=True):
            array[rows] = fresh


@dataclass(frozen=True)
class _Search:
    """The concave problem: laws (T, K), their ratios, orders and divergences allowed (T, 1)."""

    left: Floats
    right: Floats
    learned: Floats
    order: Floats
    allowed: Floats

    def run(self) -> _Point:
        """Newton's method from a small stake; problems that are solved are left out of further steps."""
        best = self._start()
        rows = np.flatnonzero(best.stake[:, 0] > 0.0)
        for _ in range(_STEPS):
            part, point = self.of(rows), best.of(rows)
            by_stake, by_tilt, promised = part._step(point)
            going = np.flatnonzero(promised > _ENOUGH)
            if not len(going):
                break
            part, point = part.of(going), point.of(going)
            moved, taken = part._moved(point, by_stake[going], by_tilt[going])
            rows = rows[going][taken]
            best.put(rows, moved.of(np.flatnonzero(taken)))
        return best

    def of(self, rows: NDArray[np.intp]) -> _Search:
        """Some of the problems."""
        return _Search(*(array[rows] for array in vars(self).values()))

    def _start(self) -> _Point:
        """The stake that is best where it is small, as small as need be."""
        g, h = _tangents(np.log(self.learned), self.order)
        mean_left = (self.left * g).sum(axis=1, keepdims=True)
        mean_right = (self.right * h).sum(axis=1, keepdims=True)
        with np.errstate(over="ignore", invalid="ignore"):
            spread = (self.left * (g - mean_left) ** 2 + self.right * (h - mean_right) ** 2).sum(axis=1, keepdims=True)
            stake = (mean_left - mean_right - self.allowed) / (spread + (mean_left - self.allowed / 2.0) ** 2)
        stake = np.where(np.isfinite(stake) & (stake > 0.0), stake, 1e-12)
        tilt = stake * (self.allowed / 2.0 - mean_left)
        point = self._at(stake, tilt)
        for _ in range(_SHORTER):
            bad = ~np.isfinite(point.growth[:, None])
            if not bad.any():
                break
            shorter = np.where(bad, 0.3, 1.0)
            stake, tilt = stake * shorter, tilt * shorter
            point = self._at(stake, tilt)
        lost = ~np.isfinite(point.growth)
        if lost.any():  # no bet at all is always one
            for array in (point.on_left, point.on_right, point.growth, point.stake, point.tilt):
                array[lost] = 0.0
        return point

    def _moved(self, point: _Point, by_stake: Floats, by_tilt: Floats) -> tuple[_Point, NDArray[np.bool_]]:
        """The step, made shorter where it leaves the domain or wins nothing, and where any of it was taken."""
        moved = point.of(np.arange(len(point.growth)))
        left, length = np.arange(len(point.growth)), 1.0
        for _ in range(_SHORTER):
            part, here = self.of(left), point.of(left)
            stake = here.stake + length * by_stake[left]
            inside = stake > 0.0
            tilt = np.where(inside, here.tilt + length * by_tilt[left], here.tilt)
            new = part._at(np.where(inside, stake, here.stake), tilt)
            better = inside[:, 0] & (new.growth >= here.growth)
            moved.put(left[better], new.of(np.flatnonzero(better)))
            left, length = left[~better], 0.4 * length
            if not len(left):
                break
        taken = np.ones(len(point.growth), bool)
        taken[left] = False
        return moved, taken

    def _step(self, point: _Point) -> tuple[Floats, Floats, Floats]:
        """The Newton step for stake and tilt, and the growth it promises; the ratios follow (a Schur complement)."""
        wealth_left, wealth_right = 1.0 + point.on_left, 1.0 + point.on_right
        p, q = self.left / wealth_left, self.right / wealth_right
        p_again, q_again = p / wealth_left, q / wealth_right
        left, right = point.gains - self.allowed / 2.0, -point.losses - self.allowed / 2.0
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            bend = point.stake * self.order * point.ratios ** (self.order - 2.0)
            curvature = p_again * bend + q + q_again * point.ratios**2 * bend
            cross_stake = -p_again * left + point.ratios * q_again * right
            cross_tilt = -p_again - point.ratios * q_again
            first = (p * left + q * right).sum(axis=1), (p - q).sum(axis=1)
            follow = bend / curvature
            second = (
                -(p_again * left**2 + q_again * right**2 - follow * cross_stake**2).sum(axis=1),
                -(p_again * left - q_again * right - follow * cross_stake * cross_tilt).sum(axis=1),
                -(p_again + q_again - follow * cross_tilt**2).sum(axis=1),
            )
            scale = second[0] * second[2] - second[1] ** 2
            by_stake = -(second[2] * first[0] - second[1] * first[1]) / scale
            by_tilt = -(second[0] * first[1] - second[1] * first[0]) / scale
            promised = 0.5 * (first[0] * by_stake + first[1] * by_tilt)
        lost = ~np.isfinite(promised) | (scale <= 0.0)
        by_stake, by_tilt, promised = (np.where(lost, 0.0, array) for array in (by_stake, by_tilt, promised))
        return by_stake[:, None], by_tilt[:, None], promised

    def _at(self, stake: Floats, tilt: Floats) -> _Point:
        """Everything at a stake and a tilt: the ratios that are best there, what is won, and the growth."""
        base_left, base_right = 1.0 - stake * self.allowed / 2.0 + tilt, 1.0 - stake * self.allowed / 2.0 - tilt
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            ratios = self._ratios(base_left, base_right, stake)
            gains, losses = _tangents(np.log(ratios), self.order)
            on_left, on_right = base_left - 1.0 + stake * gains, base_right - 1.0 - stake * losses
            growth = 0.5 * (self.left * np.log1p(on_left) + self.right * np.log1p(on_right)).sum(axis=1)
            safe = (np.minimum(on_left, on_right) > _KEPT - 1.0).all(axis=1) & np.isfinite(growth)
        growth = np.where(safe, growth, -math.inf)
        return _Point(stake, tilt, ratios, on_left, on_right, gains, losses, growth)

    def _ratios(self, base_left: Floats, base_right: Floats, stake: Floats) -> Floats:
        """The best ratio of each cell: ``r (base_left + stake g(r)) = t (base_right - stake h(r))``, t as learned."""
        from scipy.special import wrightomega

        ratios = np.empty(self.learned.shape)
        whole = self.learned * (base_right + stake)
        one = (self.order == 1.0).ravel()
        if one.any():
            shift = base_left[one] / stake[one] + self.learned[one]
            part = whole[one] / stake[one]
            ratios[one] = part / wrightomega(np.log(part) + shift)
        if one.all():
            return ratios
        order = self.order[~one]
        excess = order - 1.0
        slope = base_left[~one] - stake[~one] * order / excess
        power = stake[~one] * (order / excess + self.learned[~one])
        whole = whole[~one]
        # slope r + power r^a rises through ``whole`` once; Newton's method from above it never overshoots
        reach = np.where(
            slope < 0.0,
            np.maximum(
                (2.0 * whole / power) ** (1.0 / order), (-2.0 * np.minimum(slope, 0.0) / power) ** (1.0 / excess)
            ),
            np.minimum((whole / power) ** (1.0 / order), whole / np.where(slope > 0.0, slope, 1e-300)),
        )
        for _ in range(_RATIO_STEPS):
            term = power * reach**excess
            closer = reach - (slope * reach + term * reach - whole) / (slope + order * term)
            done = np.abs(closer / reach - 1.0) < 1e-6
            reach = closer
            if done.all():
                break
        ratios[~one] = reach
        return ratios
