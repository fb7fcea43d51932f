"""Pairs of finite laws with their exact Rényi divergences: named ones, compositions, and a family made at random."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp, ndtr

Floats = NDArray[np.float64]

#: Orders at which the supremum of a zCDP claim is sought: from near 1, where it is the KL divergence, to far beyond all
#: that are tested (whose own orders join, so that a claim made with it bounds them exactly).
ORDERS: Floats = np.unique(np.concatenate([1.0 + np.logspace(-6, 3, 400), [1.0, 1.25, 1.5, 2.0, 3.0, 8.0]]))
#: Width of the cells of a Gaussian, in its spreads, and how far they reach.
WIDTH, REACH = 0.25, 4.0
#: Laws of the random family have cells of at least this probability, so that they are seen at all.
LEAST = 1e-3
KINDS = ("finite", "lattice", "mixture", "product")


@dataclass(frozen=True)
class FinitePair:
    """The probabilities of the cells on D and on D', all above 0."""

    name: str
    left: Floats = field(repr=False)
    right: Floats = field(repr=False)

    def renyi(self, orders: Floats) -> Floats:
        """The exact Rényi divergence of each order (1: Kullback and Leibler), the larger of both directions."""
        return np.maximum(_renyi(self.left, self.right, orders), _renyi(self.right, self.left, orders))

    @property
    def rho(self) -> float:
        """The least rho of zCDP."""
        return float((self.renyi(ORDERS) / ORDERS).max())


def _renyi(first: Floats, second: Floats, orders: Floats) -> Floats:
    loss = np.log(first / second)
    excess = orders[:, None] - 1.0
    near = np.abs(excess[:, 0]) < 1e-9
    with np.errstate(divide="ignore", invalid="ignore"):
        above = logsumexp(excess * loss, b=first, axis=1) / excess[:, 0]
    return np.asarray(np.where(near, first @ loss, above))


def response(epsilon: float) -> FinitePair:
    """Randomised response."""
    p = 1.0 / (1.0 + math.exp(-epsilon))
    return FinitePair(f"RR {epsilon:g}", np.array([p, 1.0 - p]), np.array([1.0 - p, p]))


def gaussian(mu: float) -> FinitePair:
    """A normal law and the same moved by ``mu`` spreads, in cells."""
    edges = np.concatenate([[-np.inf], np.arange(-REACH, REACH + mu, WIDTH), [np.inf]])
    return FinitePair(f"Gaussian {mu:.3g}", np.diff(ndtr(edges - mu)), np.diff(ndtr(edges)))


def lattice(epsilon: float, size: int = 25) -> FinitePair:
    """Two-sided geometric noise on ``size`` whole numbers, what lies beyond at the ends, moved by one."""
    places = np.arange(size) - size // 2
    weights = [np.exp(-epsilon * np.abs(places - shift)) for shift in (0, 1)]
    return FinitePair(f"lattice {epsilon:.3g}", weights[1] / weights[1].sum(), weights[0] / weights[0].sum())


def product(*pairs: FinitePair) -> FinitePair:
    """Independent outputs of several, composed; cells of equal loss joined."""
    name = " x ".join(pair.name for pair in pairs)
    left = reduce(lambda a, b: np.outer(a, b).ravel(), [pair.left for pair in pairs])
    right = reduce(lambda a, b: np.outer(a, b).ravel(), [pair.right for pair in pairs])
    levels, place = np.unique(np.round(np.log(left / right), 9), return_inverse=True)
    joined = [np.bincount(place, law, minlength=len(levels)).astype(np.float64) for law in (left, right)]
    return FinitePair(name, joined[0], joined[1])


def generated(rng: np.random.Generator, most: int = 24) -> FinitePair:
    """A pair of the random family, with at most so many cells; its name says its kind."""
    kind = KINDS[int(rng.integers(len(KINDS)))]
    if kind == "finite":
        pair = _random(rng, int(rng.integers(2, 13)), float(rng.choice([0.3, 1.0, 5.0])))
    elif kind == "lattice":
        pair = lattice(float(np.exp(rng.uniform(-1.5, 0.8))), int(rng.integers(5, most + 1)))
    elif kind == "mixture":  # a rare leak in outputs that say little
        wide, rare = _random(rng, int(rng.integers(2, 9)), 20.0), response(float(rng.uniform(0.5, 4.0)))
        part = float(rng.uniform(0.02, 0.5))
        pair = FinitePair(
            kind,
            np.concatenate([(1.0 - part) * wide.left, part * rare.left]),
            np.concatenate([(1.0 - part) * wide.right, part * rare.right]),
        )
    else:
        pair = product(*(_random(rng, int(rng.integers(2, 4)), 2.0) for _ in range(int(rng.integers(2, 4)))))
    left, right = np.maximum(pair.left, LEAST), np.maximum(pair.right, LEAST)
    return FinitePair(kind, left / left.sum(), right / right.sum())


def _random(rng: np.random.Generator, cells: int, concentration: float) -> FinitePair:
    one, other = rng.dirichlet(np.full(cells, concentration), 2) + LEAST
    return FinitePair("finite", one / one.sum(), other / other.sum())
