"""Learners of canaries that keep a claim with nothing to spare, played many times at once, and audits that are unsound.

A learner is a function of coins, array of bool of shape (runs, canaries), and a generator; it gives scores of that
shape. What is said of it is exact: its claim, and the epsilon of its output at the delta that bounds are said at.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.optimize import brentq, linprog
from scipy.special import ndtr, ndtri

from dpcheck.model.claims import ApproxDP, Claim, GaussianDP, ProfileDP, PureDP, RenyiDP, ZeroConcentratedDP

Floats = NDArray[np.float64]
Coins = NDArray[np.bool_]
Play = Callable[[Coins, Generator], Floats]

#: Part of records that a subsampled step takes, and its noise.
SAMPLED, SPREAD = 0.2, 0.7


@dataclass(frozen=True)
class Kept:
    """A learner that just keeps a claim; ``epsilon`` is its own at the delta of its bound, where that is known."""

    title: str
    claim: Claim
    play: Play
    epsilon: float


def response(epsilon: float) -> Play:
    """Each coin, turned around with probability 1 / (1 + e^epsilon)."""

    def play(coins: Coins, rng: Generator) -> Floats:
        kept = rng.random(coins.shape) < 1.0 / (1.0 + math.exp(-epsilon))
        return np.where(coins == kept, 1.0, -1.0) + 1e-9 * rng.random(coins.shape)

    return play


def laplace(epsilon: float) -> Play:
    """Each coin with Laplace noise."""
    return lambda coins, rng: coins + rng.laplace(scale=1.0 / epsilon, size=coins.shape)


def normal(mu: float) -> Play:
    """Each coin with normal noise."""
    return lambda coins, rng: mu * coins + rng.normal(size=coins.shape)


def shown(epsilon: float, delta: float, *, at_once: bool = False) -> Play:
    """Randomised response, but each coin, or all of them at once, are shown with probability ``delta``."""
    respond = response(epsilon)

    def play(coins: Coins, rng: Generator) -> Floats:
        bare = rng.random((len(coins), 1) if at_once else coins.shape) < delta
        return np.where(bare, np.where(coins, 2.0, -2.0) + 1e-9 * rng.random(coins.shape), respond(coins, rng))

    return play


def answered_at_once(epsilon: float, part: float) -> Play:
    """With probability ``part`` all coins are answered by randomised response, else nothing is said; it shows which."""
    respond = response(epsilon)

    def play(coins: Coins, rng: Generator) -> Floats:
        answers = rng.random((len(coins), 1)) < part
        return np.where(answers, respond(coins, rng), 1e-9 * rng.random(coins.shape))

    return play


def part_within(mu: float, epsilon: float) -> float:
    """How often :func:`answered_at_once` may answer under mu-GDP: the vertices of its curve are within that of mu.

    >>> round(part_within(2.0, 3.0), 3)
    0.549
    """
    wrong = 1.0 / (1.0 + math.exp(epsilon))
    return float(brentq(lambda part: part * (1.0 - wrong) - ndtr(mu + ndtri(part * wrong)), 1e-6, 1.0))


def subsampled(coins: Coins, rng: Generator) -> Floats:
    """Each coin is looked at with probability ``SAMPLED`` and shown with normal noise; its log-likelihood ratio."""
    seen = coins * (rng.random(coins.shape) < SAMPLED) + SPREAD * rng.normal(size=coins.shape)
    return np.asarray(np.log1p(SAMPLED * np.expm1((seen - 0.5) / SPREAD**2)))


@cache
def of_subsampled() -> ProfileDP:
    """The exact privacy profile of :func:`subsampled`, the larger of both ways round, at 60 epsilons."""
    epsilons = np.linspace(0.0, 6.0, 60).tolist()
    return ProfileDP([(one, max(_in_over_out(one), _out_over_in(one))) for one in epsilons], "exact")


def _cut(log_ratio: float) -> float:
    """Where the density with the record is e^log_ratio times that without; minus infinity where it is always above."""
    left = math.exp(log_ratio) - 1.0 + SAMPLED
    return -math.inf if left <= 0.0 else 0.5 + SPREAD**2 * math.log(left / SAMPLED)


def _in_over_out(epsilon: float) -> float:
    at = _cut(epsilon)
    above, moved = float(ndtr(-at / SPREAD)), float(ndtr((1.0 - at) / SPREAD))
    return (1.0 - SAMPLED) * above + SAMPLED * moved - math.exp(epsilon) * above


def _out_over_in(epsilon: float) -> float:
    at = _cut(-epsilon)
    if at == -math.inf:
        return 0.0
    below, moved = float(ndtr(at / SPREAD)), float(ndtr((at - 1.0) / SPREAD))
    return below - math.exp(epsilon) * ((1.0 - SAMPLED) * below + SAMPLED * moved)


def mu_of(epsilon: float, delta: float) -> float:
    """The normal laws that are just (epsilon, delta)-DP."""
    return float(brentq(lambda mu: GaussianDP(mu).delta(epsilon) - delta, 1e-3, 50.0))


def kept() -> tuple[Kept, ...]:
    """All learners at their boundary."""
    tight, loose = ApproxDP(1.0, 1e-5), ApproxDP(1.0, 0.01)
    found = [
        Kept(f"randomised response, {claim}", claim, response(claim.epsilon_value), claim.epsilon_value)
        for claim in (PureDP(1.0), PureDP(0.2), PureDP(4.0))
    ]
    found.append(Kept("Laplace, 1-DP", PureDP(1.0), laplace(1.0), 1.0))
    found += [
        Kept(f"normal, {claim}", claim, normal(mu_of(claim.epsilon_value, claim.delta_value)), claim.epsilon_value)
        for claim in (tight, loose, ApproxDP(4.0, 1e-3))
    ]
    found += [
        Kept(f"some shown, {tight}", tight, shown(1.0, 1e-5), 1.0),
        Kept(f"some shown, {loose}", loose, shown(1.0, 0.01), 1.0),
        Kept(f"all shown at once, {loose}", loose, shown(1.0, 0.01, at_once=True), 1.0),
    ]
    found += [
        Kept(f"normal, {claim}", claim, normal(mu), GaussianDP(mu).epsilon(1e-5))
        for claim, mu in (
            (GaussianDP(1.0), 1.0),
            (GaussianDP(0.3), 0.3),
            (GaussianDP(2.0), 2.0),
            (ZeroConcentratedDP(0.5), 1.0),
            (RenyiDP(4.0, 0.5), 0.5),
        )
    ]
    part = part_within(2.0, 3.0)
    shown_epsilon = math.log((1.0 + math.exp(3.0)) * (1.0 - 1e-5 / part) - 1.0)
    found.append(Kept("answered at once, 2-GDP", GaussianDP(2.0), answered_at_once(3.0, part), shown_epsilon))
    found.append(Kept("a subsampled step, its profile", of_subsampled(), subsampled, math.inf))
    return tuple(found)


def worst_law(guesses: int, canaries: int, needed: int, epsilon: float, delta: float) -> Floats:
    """The law of right guesses that has most of them from ``needed`` on, of all under (epsilon, delta)."""
    size = guesses + 1 + 2 * guesses
    rows, limits = [], []
    total, odds = np.zeros(size), math.exp(epsilon)
    for k in range(guesses):
        for side in range(2):
            row = np.zeros(size)
            up, down = (k + 1) / canaries, (guesses - k) / canaries
            row[k + 1], row[k] = (up, -odds * down) if side == 0 else (-odds * up, down)
            excess = guesses + 1 + 2 * k + side
            row[excess], total[excess] = -1.0, 1.0
            rows.append(row)
            limits.append(0.0)
    aim, whole = np.zeros(size), np.zeros((1, size))
    aim[needed : guesses + 1], whole[0, : guesses + 1] = -1.0, 1.0
    found = linprog(aim, A_ub=np.array([*rows, total]), b_ub=[*limits, delta], A_eq=whole, b_eq=[1.0], method="highs")
    law = np.maximum(found.x[: guesses + 1], 0.0)
    return np.asarray(law / law.sum())


def in_blocks(coins: Coins, size: int) -> Coins:
    """One coin for each ``size`` canaries in turn."""
    return np.repeat(coins[:, ::size], size, axis=1)[:, : coins.shape[1]]


def one_of_two(coins: Coins) -> Coins:
    """Of each two canaries just one is in: as many as are out."""
    made = coins.copy()
    made[:, 1::2] = ~coins[:, : made.shape[1] - 1 : 2]
    return made
