"""Bets that follow the likelihood ratio: one e-variable for a feature, fitted to earlier outputs.

A *wager* gives each output of a call a factor that depends on the coin. With E = e^epsilon, a bet ``h`` in [0, 1) on
the dataset that an output speaks for, a lean ``a`` of the coin in (0, 2), and ``alpha = a k``, ``beta = (2 - a) k``,

    the output speaks for D     coin on D: alpha + beta h/E      coin on D': beta (1 - h)
    it speaks for D'            coin on D': beta + alpha h/E     coin on D: alpha (1 - h)
    it is not bet on            coin on D: alpha                 coin on D': beta

    k = 1 / (1 + delta ((2 - a) H + a H') / 2E)                  (H, H': the largest bets on D and on D')

**Why that is fair.** Let P, Q be (epsilon, delta)-indistinguishable, s = beta h/E where an output speaks for D and t =
alpha h/E where it speaks for D'. The mean factor is (alpha + beta)/2 + [int s (P - E Q) + int t (Q - E P)]/2 with
0 <= s <= beta H/E and 0 <= t <= alpha H'/E, hence at most (alpha + beta)/2 + delta (beta H + alpha H')/2E = 1. So the
product over calls is an e-process whatever earlier outputs decided, and its factors depend on the level of the bet, the
lean and the largest bets alone: their counts give the evidence at *any* (epsilon, delta).

**Why these.** The largest growth of any e-variable is the likelihood ratio of the truth and the null nearest to it
(Gruenwald, de Heide and Koolen, Safe testing, 2024), whose form this is: without delta the posterior is clipped at
E/(1 + E), the lean keeps the null's coin fair where the laws are not symmetric, and with delta bets are capped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import TestedPoint

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Sizes of bets: squares, so that small ones are finer; the largest loses nearly all.
BET_LEVELS = 24
BET_SIZES: Floats = 0.999 * (np.arange(BET_LEVELS + 1) / BET_LEVELS) ** 2
#: Leans of the coin: 1 plus or minus these.
LEAN_LEVELS = 12
LEANS: Floats = 1.0 + 0.8 * np.sign(steps := np.arange(-LEAN_LEVELS, LEAN_LEVELS + 1) / LEAN_LEVELS) * steps**2
#: Sweeps over lean and caps: each is chosen best for the others.
SWEEPS = 3
#: Where nothing is bet.
NO_TERMS = (LEAN_LEVELS, 0, 0)


@dataclass(frozen=True)
class Bets:
    """What was bet and what came of it: R rows of like terms.

    ``terms`` (R, 3): the places of the lean and of the largest bets on D and D' in :data:`LEANS`, :data:`BET_SIZES`.
    ``counts`` (R, 2 * BET_LEVELS + 1, 2): calls by signed level of their bet (in the middle: none) and coin.
    """

    terms: Integers
    counts: Integers

    @staticmethod
    def none() -> Bets:
        """Before the first bet."""
        return Bets(np.zeros((0, 3), np.int64), np.zeros((0, 2 * BET_LEVELS + 1, 2), np.int64))

    def and_also(self, terms: tuple[int, int, int], counts: Integers) -> Bets:
        """With further calls under these terms."""
        same = np.flatnonzero((self.terms == terms).all(axis=1))
        if len(same):
            grown = self.counts.copy()
            grown[same[0]] += counts
            return replace(self, counts=grown)
        return Bets(np.append(self.terms, [terms], axis=0), np.append(self.counts, counts[None], axis=0))


def log_wealth(bets: Bets, points: Sequence[TestedPoint]) -> Floats:
    """The logarithm of what the bets came to against each (epsilon, delta); shape (points,).

    Examples
    --------
    >>> nothing = Bets.none()
    >>> log_wealth(nothing, (TestedPoint(1.0, 0.0, 1.0),))
    array([0.])
    """
    if len(bets.terms) == 0:
        return np.zeros(len(points))
    lean, top, bottom = bets.terms.T
    odds = np.exp([point.epsilon for point in points])
    deltas = np.array([point.delta for point in points])
    a = LEANS[lean]
    kept = 1.0 / (1.0 + deltas[:, None] * ((2.0 - a) * BET_SIZES[top] + a * BET_SIZES[bottom]) / (2.0 * odds[:, None]))
    whole = bets.counts.sum(axis=(1, 2))
    sizes = BET_SIZES[:, None]
    on_d, on_other = bets.counts[:, BET_LEVELS:], bets.counts[:, BET_LEVELS::-1]  # by level from 0 up
    silent = bets.counts[:, BET_LEVELS]
    total = np.log(kept) @ whole
    total += silent[:, 1] @ np.log(a) + silent[:, 0] @ np.log(2.0 - a)
    total += (on_d[:, 1:, 0] * np.log((2.0 - a)[:, None] * (1.0 - sizes[1:, 0]))).sum()
    total += (on_other[:, 1:, 1] * np.log(a[:, None] * (1.0 - sizes[1:, 0]))).sum()
    for place, one in enumerate(odds):
        total[place] += (on_d[:, 1:, 1] * np.log(a[:, None] + (2.0 - a)[:, None] * sizes[1:, 0] / one)).sum()
        total[place] += (on_other[:, 1:, 0] * np.log((2.0 - a)[:, None] + a[:, None] * sizes[1:, 0] / one)).sum()
    return np.asarray(total)


def best_bets(p: Floats, q: Floats, epsilon: float, delta: float) -> tuple[NDArray[np.int8], Integers]:
    """The bets that grow fastest where the laws are ``p`` on D and ``q`` on D'.

    Parameters
    ----------
    p, q : shape (F, B), each row summing to 1
        The laws of each of several features.
    epsilon, delta : float

    Returns
    -------
    signed levels (F, B), and the terms (F, 3)

    Examples
    --------
    >>> levels, terms = best_bets(np.array([[0.9, 0.1]]), np.array([[0.1, 0.9]]), 1.0, 0.0)
    >>> levels.tolist(), terms.tolist()
    ([[19, -19]], [[12, 19, 19]])
    """
    odds = math.exp(epsilon)
    right = (p / np.maximum(p + q, 1e-300))[:, None, :]
    a = LEANS[:, None]
    # p log(alpha + s) + q log(beta - E s) is greatest here, and its mirror image there
    wanted_d = right - odds * (1.0 - right) * a / (2.0 - a)
    wanted_other = (1.0 - right) - odds * right * (2.0 - a) / a
    wanted = np.where(wanted_d > 0.0, wanted_d, -np.maximum(wanted_other, 0.0))
    levels = (np.sign(wanted) * _level(np.abs(wanted))).astype(np.int64)

    def best(lean: Integers, top: Integers, bottom: Integers) -> Integers:
        """The place of the candidate that grows fastest in each row; each is (F, candidates), or (F, 1) of all."""
        some = np.take_along_axis(levels, lean[:, :, None], axis=1)
        some = np.clip(some, -bottom[:, :, None], top[:, :, None])
        tilt, h = LEANS[lean][:, :, None], BET_SIZES[np.abs(some)]
        back = 2.0 - tilt
        on_p = np.where(some > 0, tilt + back * h / odds, tilt * (1.0 - np.where(some < 0, h, 0.0)))
        on_q = np.where(some < 0, back + tilt * h / odds, back * (1.0 - np.where(some > 0, h, 0.0)))
        charge = delta * (back[:, :, 0] * BET_SIZES[top] + tilt[:, :, 0] * BET_SIZES[bottom]) / (2.0 * odds)
        grown = (np.log(on_p) @ p[:, :, None] + np.log(on_q) @ q[:, :, None])[:, :, 0]
        return np.asarray(np.argmax(0.5 * grown - np.log1p(charge), axis=1)[:, None])

    rows = len(p)
    caps, leans = (np.tile(np.arange(count), (rows, 1)) for count in (BET_LEVELS + 1, len(LEANS)))
    lean, top, bottom = (np.full((rows, 1), place) for place in (LEAN_LEVELS, BET_LEVELS, BET_LEVELS))
    if delta > 0.0:
        for _ in range(SWEEPS):
            top = best(lean, caps, bottom)
            bottom = best(lean, top, caps)
            lean = best(leans, top, bottom)
    else:
        lean = best(leans, top, bottom)
    found = np.clip(np.take_along_axis(levels, lean[:, :, None], axis=1)[:, 0], -bottom, top)
    largest = [np.maximum(side.max(axis=1, initial=0), 0) for side in (found, -found)]
    return found.astype(np.int8), np.column_stack([lean[:, 0], *largest])


def _level(sizes: Floats) -> Floats:
    """The place of the nearest bet."""
    return np.round(BET_LEVELS * np.sqrt(np.clip(sizes, 0.0, 1.0)))
