"""Pairs of output laws drawn at random, known exactly: what leaks on mechanisms that nobody tuned for.

A pair has a sampler (outputs for coins) and the masses of its privacy loss, from which follow its true epsilon at any
delta and the null nearest to it (:mod:`limit`). :data:`FITTED` are the kinds with which the engine's rules were chosen,
:data:`APART` those that it was then tried on once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from limit import Atoms
from numpy.typing import NDArray
from scipy.special import log_expit, ndtr

Floats = NDArray[np.float64]
Coins = NDArray[np.int8]
#: Outputs for coins: 1 draws from D, 0 from D'.
Sampler = Callable[[np.random.Generator, Coins], NDArray[np.generic]]

#: Cells of a density, and how far from its centre they reach, in scales of the noise.
CELLS, REACH = 20_001, 40.0
#: Values of the loss kept when laws of coordinates are joined.
JOINED = 600
#: True epsilons are drawn between these, evenly in the logarithm.
SMALLEST, LARGEST = 0.4, 4.0


@dataclass(frozen=True)
class DrawnPair:
    """A pair of laws: its kind, the delta of the claims made of it, its sampler and the masses of its loss."""

    kind: str
    delta: float
    sample: Sampler
    atoms: Atoms

    @property
    def epsilon(self) -> float:
        """The true epsilon at ``delta``."""
        return epsilon_of(self.atoms, self.delta)


def epsilon_of(atoms: Atoms, delta: float) -> float:
    """The smallest epsilon with which a pair is (epsilon, delta)-indistinguishable, in both directions.

    >>> one = Atoms(np.array([-1.0, 1.0]), 1 / (1 + np.exp([1.0, -1.0])), 1 / (1 + np.exp([-1.0, 1.0])))
    >>> epsilon_of(one, 0.0)
    1.0
    """
    if delta == 0.0:
        return float(np.abs(atoms.loss).max())

    def spent(epsilon: float) -> float:
        ratio = math.exp(epsilon)
        return max(
            float(np.maximum(one - ratio * other, 0.0).sum()) for one, other in ((atoms.p, atoms.q), (atoms.q, atoms.p))
        )

    low, high = 0.0, 60.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if spent(middle) > delta else (low, middle)
    return high


def drawn_pair(kind: str, rng: np.random.Generator) -> DrawnPair:
    """A pair of this kind.

    >>> found = drawn_pair("k answers", np.random.default_rng(0))
    >>> 0.4 <= found.epsilon <= 4.0
    True
    """
    return KINDS[kind](kind, rng)


def _size(rng: np.random.Generator, low: float = SMALLEST, high: float = LARGEST) -> float:
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def _delta(rng: np.random.Generator) -> float:
    return _size(rng, 1e-3, 5e-2)


def _finite(kind: str, p: Floats, q: Floats, values: NDArray[np.generic], delta: float = 0.0) -> DrawnPair:
    """A pair of laws on a list of values."""
    reached = np.cumsum(np.stack([q, p]), axis=1)

    def sample(rng: np.random.Generator, coins: Coins) -> NDArray[np.generic]:
        at = rng.random(len(coins))
        both = np.stack([np.searchsorted(row, at) for row in reached])
        return values[np.minimum(both[coins.astype(np.intp), np.arange(len(coins))], len(values) - 1)]

    seen = (p > 0) & (q > 0)
    return DrawnPair(kind, delta, sample, Atoms(np.log(p[seen] / q[seen]), p[seen], q[seen]))


def _response(kind: str, rng: np.random.Generator) -> DrawnPair:
    truth = math.exp(log_expit(_size(rng)))
    return _finite(kind, np.array([1 - truth, truth]), np.array([truth, 1 - truth]), np.arange(2))


def _answers(kind: str, rng: np.random.Generator) -> DrawnPair:
    count, odds = int(rng.integers(3, 31)), math.exp(_size(rng))
    laws = np.ones((2, count)) / (count - 1 + odds)
    laws[0, 1] *= odds
    laws[1, 0] *= odds
    order = rng.permutation(count)
    return _finite(kind, laws[1][order], laws[0][order], np.arange(count))


def _law(kind: str, rng: np.random.Generator) -> DrawnPair:
    count = int(rng.integers(3, 13))
    p = rng.dirichlet(np.full(count, 2.0))
    q = p * np.exp(0.5 * _size(rng) * rng.uniform(-1.0, 1.0, count))
    return _finite(kind, p, q / q.sum(), np.arange(count))


def _lattice(kind: str, rng: np.random.Generator) -> DrawnPair:
    shift = int(rng.integers(1, 5))
    per_step = _size(rng) / shift
    reach = math.ceil(REACH / per_step) + shift
    places = np.arange(-reach, reach + 1)
    q = np.exp(-per_step * np.abs(places))
    p = np.exp(-per_step * np.abs(places - shift))
    return _finite(kind, p / p.sum(), q / q.sum(), places)


def _truncated(kind: str, rng: np.random.Generator) -> DrawnPair:
    top, per_step = int(rng.integers(2, 12)), _size(rng)
    at = int(rng.integers(0, top))
    places = np.arange(top + 1)
    laws = np.exp(-0.5 * per_step * np.abs(places - np.array([[at], [at + 1]])))
    laws /= laws.sum(axis=1, keepdims=True)
    return _finite(kind, laws[1], laws[0], places)


def _choice(kind: str, rng: np.random.Generator) -> DrawnPair:
    """The exponential mechanism on random scores, each of which may change by one."""
    count, epsilon = int(rng.integers(4, 40)), _size(rng)
    scores = rng.integers(0, 6, count)
    logs = 0.5 * epsilon * np.stack([scores, scores + rng.choice([-1, 0, 1], count)])
    laws = np.exp(logs - logs.max())
    laws /= laws.sum(axis=1, keepdims=True)
    return _finite(kind, laws[1], laws[0], np.arange(count))


def _rare(kind: str, rng: np.random.Generator) -> DrawnPair:
    """One answer among many, of a few per cent, that is likelier on D."""
    count, odds, rare = int(rng.integers(5, 40)), math.exp(_size(rng, 1.0)), _size(rng, 0.01, 0.1)
    q = np.append(rng.dirichlet(np.full(count - 1, 3.0)) * (1 - rare / odds), rare / odds)
    p = np.append(q[:-1] * (1 - rare) / (1 - rare / odds), rare)
    order = rng.permutation(count)
    return _finite(kind, p[order], q[order], np.arange(count))


def _density(
    kind: str, edges: Floats, cdf_p: Callable[[Floats], Floats], cdf_q: Callable[[Floats], Floats], sample: Sampler,
    delta: float = 0.0,
) -> DrawnPair:  # fmt: skip
    """A pair of densities, by their distribution functions at the edges of fine cells."""
    p, q = np.diff(cdf_p(edges)), np.diff(cdf_q(edges))
    seen = (p > 1e-13) & (q > 1e-13)
    p, q = p[seen], q[seen]
    p, q = p / p.sum(), q / q.sum()
    loss = np.log(p / q)
    order = np.argsort(loss)
    return DrawnPair(kind, delta, sample, Atoms(loss[order], p[order], q[order]))


def _laplace_cdf(x: Floats) -> Floats:
    tail = 0.5 * np.exp(-np.abs(x))
    return np.where(x < 0, tail, 1.0 - tail)


def _logistic_cdf(x: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-x)))


def _shifted(kind: str, rng: np.random.Generator, cdf: Callable[[Floats], Floats], noise: str) -> DrawnPair:
    epsilon = _size(rng)
    edges = np.linspace(-20.0, 20.0 + epsilon, CELLS)

    def sample(draws: np.random.Generator, coins: Coins) -> Floats:
        return np.asarray(epsilon * coins + getattr(draws, noise)(size=len(coins)))

    return _density(kind, edges, lambda x: cdf(x - epsilon), cdf, sample)


def _laplace(kind: str, rng: np.random.Generator) -> DrawnPair:
    return _shifted(kind, rng, _laplace_cdf, "laplace")


def _logistic(kind: str, rng: np.random.Generator) -> DrawnPair:
    return _shifted(kind, rng, _logistic_cdf, "logistic")


def _mixture(kind: str, rng: np.random.Generator) -> DrawnPair:
    """Laplace noise around one of several places, which all move."""
    count, epsilon = int(rng.integers(2, 5)), _size(rng)
    weights = rng.dirichlet(np.full(count, 2.0))
    where = np.stack([places := rng.uniform(-6.0, 6.0, count), places + rng.uniform(-epsilon, epsilon, count)])
    edges = np.linspace(-26.0, 26.0, CELLS)

    def cdf(side: int) -> Callable[[Floats], Floats]:
        return lambda x: np.asarray(sum(w * _laplace_cdf(x - at) for w, at in zip(weights, where[side], strict=True)))

    def sample(draws: np.random.Generator, coins: Coins) -> Floats:
        return np.asarray(where[coins, draws.choice(count, len(coins), p=weights)] + draws.laplace(size=len(coins)))

    return _density(kind, edges, cdf(1), cdf(0), sample)


def _staircase(kind: str, rng: np.random.Generator) -> DrawnPair:
    """The staircase mechanism (Geng and Viswanath 2014, arXiv:1212.1186) for a sensitivity of 1."""
    epsilon = _size(rng)
    part, falls = rng.uniform(0.2, 0.8), math.exp(-epsilon)
    steps = math.ceil(30.0 / epsilon) + 1
    rights = np.concatenate([[k, k + part] for k in range(steps)] + [[float(steps)]])  # right half: where it falls
    heights = np.repeat(falls ** np.arange(steps), 2) * np.tile([1.0, falls], steps)
    edges = np.concatenate([-rights[:0:-1], rights])
    density = np.concatenate([heights[::-1], heights])
    mass = density * np.diff(edges)
    mass /= mass.sum()
    reached = np.concatenate([[0.0], np.cumsum(mass)])

    def cdf(x: Floats) -> Floats:
        return np.asarray(np.interp(x, edges, reached))

    def sample(draws: np.random.Generator, coins: Coins) -> Floats:
        return np.asarray(coins + np.interp(draws.random(len(coins)), reached, edges))

    cells = np.unique(np.concatenate([edges, edges + 1.0]))
    inside = cells[(cells >= edges[0] + 1.0) & (cells <= edges[-1])]
    return _density(kind, inside, lambda x: cdf(x - 1.0), cdf, sample)


def _steps(kind: str, rng: np.random.Generator) -> DrawnPair:
    """Densities with steps."""
    count = int(rng.integers(4, 13))
    edges = np.concatenate([[0.0], np.cumsum(rng.dirichlet(np.full(count, 2.0)))])
    p = rng.dirichlet(np.full(count, 2.0))
    q = p * np.exp(0.5 * _size(rng) * rng.uniform(-1.0, 1.0, count))
    return _on_cells(kind, edges, p, q / q.sum())


def _peak(kind: str, rng: np.random.Generator) -> DrawnPair:
    """A narrow peak in wide noise, likelier on D."""
    odds, peak, width = math.exp(_size(rng, 0.7)), _size(rng, 0.03, 0.3), _size(rng, 1e-4, 1e-2)
    at = rng.uniform(0.1, 0.9)
    edges = np.array([0.0, at, at + width, 1.0])
    q = np.array([at, peak / odds / (1 - peak / odds), 1.0 - at - width])
    p = np.array([at, peak / (1 - peak), 1.0 - at - width])
    return _on_cells(kind, edges, p / p.sum(), q / q.sum())


def _on_cells(kind: str, edges: Floats, p: Floats, q: Floats) -> DrawnPair:
    chosen = _finite(kind, p, q, np.arange(len(p)))

    def sample(draws: np.random.Generator, coins: Coins) -> Floats:
        cell = np.asarray(chosen.sample(draws, coins), dtype=np.intp)
        return np.asarray(edges[cell] + draws.random(len(coins)) * (edges[cell + 1] - edges[cell]))

    return DrawnPair(kind, 0.0, sample, chosen.atoms)


def _gaussian(kind: str, rng: np.random.Generator) -> DrawnPair:
    return _normal(kind, _size(rng, 0.3, 1.5), 1.0, _delta(rng))


def _subsampled(kind: str, rng: np.random.Generator) -> DrawnPair:
    return _normal(kind, _size(rng, 1.5, 4.0), rng.uniform(0.2, 0.9), _delta(rng))


def _normal(kind: str, shift: float, part: float, delta: float) -> DrawnPair:
    edges = np.linspace(-9.0, 9.0 + shift, CELLS)

    def sample(draws: np.random.Generator, coins: Coins) -> Floats:
        moved = coins * (draws.random(len(coins)) < part)
        return np.asarray(shift * moved + draws.normal(size=len(coins)))

    return _density(kind, edges, lambda x: part * ndtr(x - shift) + (1 - part) * ndtr(x), ndtr, sample, delta)


def _vector(kind: str, rng: np.random.Generator) -> DrawnPair:
    """Normal noise on 2 to 6 coordinates, moved in some direction."""
    shift, delta = _size(rng, 0.3, 1.5), _delta(rng)
    direction = rng.normal(size=int(rng.integers(2, 7)))
    direction *= shift / np.linalg.norm(direction)

    def sample(draws: np.random.Generator, coins: Coins) -> Floats:
        return np.asarray(coins[:, None] * direction + draws.normal(size=(len(coins), len(direction))))

    return replace(_normal(kind, shift, 1.0, delta), sample=sample)


def _product(kind: str, rng: np.random.Generator) -> DrawnPair:
    """Laplace noise on 2 to 10 coordinates, the shift spread over all."""
    shifts = _size(rng, 0.8) * rng.dirichlet(np.full(int(rng.integers(2, 11)), 2.0))
    parts = [_moved(kind, float(shift)) for shift in shifts]

    def sample(draws: np.random.Generator, coins: Coins) -> Floats:
        return np.asarray(coins[:, None] * shifts + draws.laplace(size=(len(coins), len(shifts))))

    return DrawnPair(kind, 0.0, sample, _joined(parts))


def _moved(kind: str, shift: float) -> Atoms:
    """The loss of one coordinate with Laplace noise."""
    edges = np.linspace(-20.0, 20.0 + shift, CELLS)
    return _density(kind, edges, lambda x: _laplace_cdf(x - shift), _laplace_cdf, _nothing).atoms


def _bits(kind: str, rng: np.random.Generator) -> DrawnPair:
    """Randomised response of 2 to 8 bits."""
    return _coordinates(kind, [_response(kind, rng) for _ in range(int(rng.integers(2, 9)))], rng)


def _lattices(kind: str, rng: np.random.Generator) -> DrawnPair:
    """Whole-number noise on 2 to 5 coordinates."""
    return _coordinates(kind, [_lattice(kind, rng) for _ in range(int(rng.integers(2, 6)))], rng)


def _coordinates(kind: str, each: list[DrawnPair], rng: np.random.Generator) -> DrawnPair:
    """Independent coordinates, most of which do not depend on the coin so that the loss stays what one of them has."""
    which = rng.random(len(each)) < 1.5 / len(each)
    which[rng.integers(len(each))] = True
    parts = list(zip(each, which.tolist(), strict=True))

    def sample(draws: np.random.Generator, coins: Coins) -> NDArray[np.generic]:
        return np.stack([one.sample(draws, coins if told else coins * 0) for one, told in parts], axis=1)

    return DrawnPair(kind, 0.0, sample, _joined([one.atoms for one, told in parts if told]))


def _nothing(rng: np.random.Generator, coins: Coins) -> Floats:
    return np.zeros(len(coins))


def _joined(parts: list[Atoms]) -> Atoms:
    """The loss of independent coordinates: the sum of theirs, in cells that keep both masses."""
    found = parts[0]
    for part in parts[1:]:
        found, part = _fewer(found), _fewer(part)
        loss = np.add.outer(found.loss, part.loss).ravel()
        p, q = np.outer(found.p, part.p).ravel(), np.outer(found.q, part.q).ravel()
        found = Atoms(loss, p, q)
    return _fewer(found)


def _fewer(atoms: Atoms) -> Atoms:
    low, high = atoms.loss.min(), atoms.loss.max()
    cell = np.minimum(((atoms.loss - low) / max(high - low, 1e-12) * JOINED + 0.5).astype(np.int64), JOINED)
    p, q = (np.bincount(cell, mass, JOINED + 1).astype(np.float64) for mass in (atoms.p, atoms.q))
    seen = (p > 1e-15) & (q > 1e-15)
    return Atoms(np.log(p[seen] / q[seen]), p[seen], q[seen])


KINDS: dict[str, Callable[[str, np.random.Generator], DrawnPair]] = {
    "randomised response": _response,
    "k answers": _answers,
    "finite law": _law,
    "whole numbers": _lattice,
    "laplace": _laplace,
    "staircase": _staircase,
    "mixture of laplace": _mixture,
    "density with steps": _steps,
    "peak": _peak,
    "gaussian": _gaussian,
    "subsampled gaussian": _subsampled,
    "laplace on coordinates": _product,
    "bits": _bits,
    "logistic": _logistic,
    "truncated lattice": _truncated,
    "exponential mechanism": _choice,
    "rare answer": _rare,
    "gaussian on coordinates": _vector,
    "lattice on coordinates": _lattices,
}
APART = (
    "logistic",
    "truncated lattice",
    "exponential mechanism",
    "rare answer",
    "gaussian on coordinates",
    "lattice on coordinates",
)
FITTED = tuple(kind for kind in KINDS if kind not in APART)
