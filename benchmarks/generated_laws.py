"""Pairs of output laws that nobody tuned for: drawn at random, kind by kind, each with its exact privacy loss.

A mechanism gives outputs for given coins (1: ran on D) and the atoms of its privacy loss, from which its privacy
profile and the limit of any test (`limit.py`) follow exactly, or to the fineness of a grid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from laws import Cells, Floats
from limit import Atoms
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import stats
from scipy.optimize import brentq

Coins = NDArray[np.int8]
Sampler = Callable[[Coins, Generator], NDArray[Any]]

#: Points of the grid on which a density is cut into cells, and of the grid of the losses of a product.
DENSITY_CELLS, LOSS_CELLS = 20_000, 8_192
#: Mass that a grid may leave out on each end.
LEFT_OUT = 1e-12
#: Calls of a measurement that deltas must not be too small for.
DELTAS = (1e-2, 1e-3, 1e-5)


@dataclass(frozen=True)
class Mechanism:
    """One pair of laws: how outputs are drawn, the atoms of its loss, the delta at which epsilon is asked for."""

    kind: str
    words: str
    delta: float
    atoms: Atoms
    sample: Sampler

    @property
    def name(self) -> str:
        """Kind and words."""
        return f"{self.kind}: {self.words}"

    @property
    def epsilon(self) -> float:
        """The exact epsilon at its delta."""
        return self.epsilon_at(self.delta)

    def delta_at(self, epsilon: float) -> float:
        """The exact privacy profile."""
        p, q, growth = self.atoms.p, self.atoms.q, math.exp(epsilon)
        return float(max(np.maximum(p - growth * q, 0.0).sum(), np.maximum(q - growth * p, 0.0).sum()))

    def epsilon_at(self, delta: float) -> float:
        """The smallest epsilon at this delta."""
        if delta <= 0.0:
            return float(np.abs(self.atoms.loss).max())
        if delta >= self.delta_at(0.0):
            return 0.0
        return float(brentq(lambda e: self.delta_at(e) - delta, 0.0, 60.0, xtol=1e-12))

    def cells(self, count: int) -> Cells:
        """The atoms as cells of no width: what `limit.py` asks of a law."""
        return Cells(self.atoms.p, self.atoms.q, self.atoms.loss, self.atoms.loss)


def atoms_of_loss(p: Floats, q: Floats) -> Atoms:
    """The atoms of the loss of a finite pair of laws, where both give something."""
    kept = (p > 0) & (q > 0)
    p, q = p[kept] / p[kept].sum(), q[kept] / q[kept].sum()
    loss = np.log(p) - np.log(q)
    order = np.argsort(loss, kind="stable")
    return Atoms(loss[order], p[order], q[order])


def choices_of(p: Floats, q: Floats, values: NDArray[Any]) -> Sampler:
    """Independent outputs of a finite pair of laws."""
    reach = np.cumsum(p) / p.sum(), np.cumsum(q) / q.sum()

    def sample(coins: Coins, rng: Generator) -> NDArray[Any]:
        u = rng.random(len(coins))
        places = np.where(coins == 1, np.searchsorted(reach[0], u), np.searchsorted(reach[1], u))
        return np.asarray(values[np.minimum(places, len(values) - 1)])

    return sample


def _scale_to(losses: Floats, q: Floats, epsilon: float) -> tuple[Floats, Floats]:
    """The pair whose log-ratios are these, scaled so that the largest of them is epsilon."""

    def pair(scale: float) -> tuple[Floats, Floats]:
        p = q * np.exp(scale * losses)
        return p / p.sum(), q

    def excess(scale: float) -> float:
        p, _ = pair(scale)
        return float(np.abs(np.log(p / q)).max()) - epsilon

    high = 1.0
    while excess(high) < 0.0 and high < 1e6:
        high *= 2.0
    return pair(float(brentq(excess, 0.0, high, xtol=1e-12)))


def finite(rng: Generator) -> Mechanism:
    """Answers without order: how many, how frequent, and how their log-ratios are spread, all at random."""
    count = int(np.exp(rng.uniform(math.log(2.0), math.log(1000.0))))
    epsilon = float(np.exp(rng.uniform(math.log(0.3), math.log(3.0))))
    evenness = float(rng.choice([0.5, 2.0, 20.0, 1e4]))
    q = rng.dirichlet(np.full(count, evenness)) + 0.05 / count
    q /= q.sum()
    shape = str(rng.choice(["uniform", "two values", "few differ", "normal"]))
    if shape == "uniform":
        losses = rng.uniform(-1.0, 1.0, count)
    elif shape == "two values":
        losses = np.where(rng.random(count) < rng.uniform(0.1, 0.9), 1.0, -1.0)
    elif shape == "normal":
        losses = rng.normal(size=count)
    else:
        losses = np.zeros(count)
        some = rng.permutation(count)[: max(1, count // 50)]
        losses[some] = rng.choice([-1.0, 1.0], len(some))
    if np.ptp(losses) == 0.0:
        losses[0] -= 1.0
    p, q = _scale_to(losses, q, epsilon)
    words = f"{count} answers, {shape}, evenness {evenness:g}, epsilon {epsilon:.2f}"
    values = rng.permutation(count).astype(np.int64)
    return Mechanism("finite", words, 0.0, atoms_of_loss(p, q), choices_of(p, q, values))


def k_ary(values: NDArray[np.int64], epsilon: float) -> Mechanism:
    """k-ary randomised response among these answers: only two of them differ."""
    count = len(values)
    p = np.ones(count)
    q = np.ones(count)
    p[0], q[1] = math.exp(epsilon), math.exp(epsilon)
    p, q = p / p.sum(), q / q.sum()
    return Mechanism(
        "k-ary response", f"{count} answers, epsilon {epsilon:.2f}", 0.0, atoms_of_loss(p, q), choices_of(p, q, values)
    )


def random_response(rng: Generator) -> Mechanism:
    """k-ary randomised response: how many answers, and the loss, at random."""
    count = int(np.exp(rng.uniform(math.log(2.0), math.log(1000.0))))
    epsilon = float(rng.uniform(0.5, 3.0))
    return k_ary(rng.permutation(count).astype(np.int64), epsilon)


def one_rare(values: NDArray[np.int64], rare: float, others: Floats, epsilon: float) -> Mechanism:
    """The first of these answers is rare and leaks; ``others`` are the parts of the others, which hardly differ."""
    q = np.concatenate([[rare], others * ((1.0 - rare) / others.sum())])
    p = q.copy()
    p[0] = rare * math.exp(epsilon)
    p[1:] *= (1.0 - p[0]) / p[1:].sum()
    words = f"{len(values)} answers, one of {rare:.4f}, epsilon {epsilon:.2f}"
    return Mechanism("rare answer", words, 0.0, atoms_of_loss(p, q), choices_of(p, q, values))


def rare_answer(rng: Generator) -> Mechanism:
    """One rare answer leaks, among many that do not: how rare, how many, and the loss, at random."""
    count = int(rng.integers(5, 100))
    epsilon = float(rng.uniform(0.7, 3.0))
    rare = float(np.exp(rng.uniform(math.log(0.002), math.log(0.05))))
    others = rng.dirichlet(np.full(count, 5.0))[1:]
    return one_rare(rng.permutation(count).astype(np.int64), rare, others, epsilon)


def lattice(rng: Generator) -> Mechanism:
    """Whole numbers with noise that falls at one to four rates on each side, shifted by one to three."""
    epsilon = float(np.exp(rng.uniform(math.log(0.1), math.log(3.0))))
    shift = int(rng.integers(1, 4))
    reach = math.ceil(35.0 * shift / epsilon / 0.2) + 10
    least = float(rng.uniform(0.2, 1.0))
    rates = int(rng.integers(1, 5))
    turns = np.sort(rng.integers(1, max(2, int(4.0 * shift / epsilon)), (2, rates - 1)), axis=1)
    place = [np.searchsorted(turn, np.arange(reach), side="right") for turn in turns]
    rate = rng.uniform(least, 1.0, (2, rates))
    slopes = np.stack([rate[side][place[side]] for side in (0, 1)]) / rate.max() * epsilon / shift
    log_mass = np.concatenate([-np.cumsum(slopes[0])[::-1], [0.0], -np.cumsum(slopes[1])])
    mass = np.exp(log_mass)
    mass /= mass.sum()
    base = np.arange(-reach, reach + 1)
    kept = mass > 1e-13
    base, mass = base[kept], mass[kept] / mass[kept].sum()
    low, high = int(base[0]), int(base[-1]) + shift
    values = np.arange(low, high + 1)
    p, q = np.zeros(len(values)), np.zeros(len(values))
    q[: len(mass)] = mass
    p[shift : shift + len(mass)] = mass
    p, q = p + 1e-18, q + 1e-18
    centre = int(rng.integers(-50, 50))
    inside = slice(shift, len(mass))
    atoms = atoms_of_loss(p[inside], q[inside])
    words = f"shift {shift}, {rates} rates from {least:.2f}, epsilon {epsilon:.2f}"
    return Mechanism("whole numbers", words, 0.0, atoms, choices_of(p, q, values + centre))


def steps(rng: Generator) -> Mechanism:
    """A density of steps on an interval: each piece has a log-ratio of its own."""
    pieces = int(rng.integers(2, 40))
    epsilon = float(np.exp(rng.uniform(math.log(0.3), math.log(3.0))))
    q = rng.dirichlet(np.full(pieces, 2.0)) + 0.02 / pieces
    q /= q.sum()
    losses = rng.uniform(-1.0, 1.0, pieces) if rng.random() < 0.5 else rng.choice([-1.0, 0.0, 1.0], pieces)
    if np.ptp(losses) == 0.0:
        losses[0] -= 1.0
    p, q = _scale_to(losses, q, epsilon)
    edges = np.concatenate([[0.0], np.cumsum(rng.dirichlet(np.full(pieces, 2.0)))])
    choose = choices_of(p, q, np.arange(pieces))
    size, middle = float(np.exp(rng.normal(0.0, 3.0))), float(rng.normal(0.0, 10.0))

    def sample(coins: Coins, rng: Generator) -> NDArray[Any]:
        piece = choose(coins, rng)
        return np.asarray(middle + size * (edges[piece] + rng.random(len(coins)) * (edges[piece + 1] - edges[piece])))

    return Mechanism("steps", f"{pieces} pieces, epsilon {epsilon:.2f}", 0.0, atoms_of_loss(p, q), sample)


def cells_cut(ppf_low: float, ppf_high: float, cdf_p: Any, cdf_q: Any, knots: list[float]) -> Atoms:
    """Cells of a density on a line between two far quantiles, with the knots as edges."""
    edges = np.unique(np.concatenate([np.linspace(ppf_low, ppf_high, DENSITY_CELLS), knots]))
    p, q = (np.diff(np.concatenate([[0.0], cdf(edges), [1.0]])) for cdf in (cdf_p, cdf_q))
    return atoms_of_loss(np.maximum(p, 0.0), np.maximum(q, 0.0))


WIDE = {"normal": stats.norm(), "laplace": stats.laplace(), "logistic": stats.logistic(), "t": stats.t(4)}


def peaked(wide_name: str, parts: tuple[float, float], place: float, width: float) -> Mechanism:
    """Wide noise with a narrow peak, whose part depends on the dataset."""
    wide = WIDE[wide_name]
    narrow = stats.uniform(place - width / 2, width)

    def cdf(own: float) -> Callable[[Floats], Floats]:
        return lambda x: (1.0 - own) * wide.cdf(x) + own * narrow.cdf(x)

    edges = np.array([place - width / 2, place + width / 2])
    inside = np.linspace(edges[0], edges[1], 4000)
    atoms = cells_cut(-40.0, 40.0, cdf(parts[0]), cdf(parts[1]), list(inside))

    def sample(coins: Coins, rng: Generator) -> NDArray[Any]:
        own = np.where(coins == 1, parts[0], parts[1])
        sharp = rng.random(len(coins)) < own
        return np.where(sharp, narrow.rvs(len(coins), random_state=rng), wide.rvs(len(coins), random_state=rng))

    words = f"{parts[0]:.3f} or {parts[1]:.3f} in {width:.3f} of {wide_name}"
    return Mechanism("peak", words, 0.0, atoms, sample)


def peak(rng: Generator) -> Mechanism:
    """Wide noise with a narrow peak: its parts, place and width, and the noise, at random."""
    wide_name = str(rng.choice(list(WIDE)))
    part = float(np.exp(rng.uniform(math.log(0.01), math.log(0.2))))
    width = float(np.exp(rng.uniform(math.log(0.002), math.log(0.1))))
    place = float(rng.uniform(-1.5, 1.5))
    return peaked(wide_name, (part, float(part * rng.uniform(0.1, 0.6))), place, width)


def shifted(rng: Generator) -> Mechanism:
    """Noise added to a number: its law, scale and delta at random."""
    name = str(rng.choice(["laplace", "logistic", "t", "normal", "two scales"]))
    delta = 0.0 if name in ("laplace", "logistic", "t") and rng.random() < 0.7 else float(rng.choice(DELTAS))
    scale = float(np.exp(rng.uniform(math.log(0.5), math.log(3.0))))
    if name == "two scales":

        def cdf(x: Floats) -> Floats:
            return np.asarray(0.7 * stats.norm.cdf(x / scale) + 0.3 * stats.norm.cdf(x / (3.0 * scale)))

        def noise(size: int, rng: Generator) -> Floats:
            return np.asarray(rng.normal(size=size) * scale * np.where(rng.random(size) < 0.7, 1.0, 3.0))
    else:
        law = WIDE[name]

        def cdf(x: Floats) -> Floats:
            return np.asarray(law.cdf(x / scale))

        def noise(size: int, rng: Generator) -> Floats:
            return np.asarray(law.rvs(size, random_state=rng) * scale)

    far = 30.0 * scale if name in ("normal", "two scales") else 200.0 * scale
    far = 9.0 * scale * (3.0 if name == "two scales" else 1.0) if name in ("normal", "two scales") else far
    edges = np.concatenate([np.linspace(-far, far, DENSITY_CELLS), np.linspace(-1.0, 2.0, DENSITY_CELLS // 4)])
    edges = np.unique(edges)

    def mass(where: Floats) -> Floats:
        upper = np.diff(np.concatenate([[0.0], cdf(where), [1.0]]))
        lower = np.diff(np.concatenate([[1.0], cdf(-where), [0.0]])) * -1.0  # symmetric: keeps the digits of the tail
        return np.where(np.concatenate([where, [np.inf]]) > 0, lower, upper)

    atoms = atoms_of_loss(mass(edges - 1.0), mass(edges))

    def sample(coins: Coins, rng: Generator) -> NDArray[Any]:
        return coins + noise(len(coins), rng)

    return Mechanism("shift", f"{name}, scale {scale:.2f}, delta {delta:g}", delta, atoms, sample)


def convolved(parts: list[tuple[Floats, Floats]]) -> Atoms:
    """The loss of independent parts: laws of losses on one grid, added. ``parts`` are (loss, p) of each."""
    reach = sum(float(np.abs(loss[p > 0]).max()) for loss, p in parts)
    step = 2.0 * reach / LOSS_CELLS
    size = 2 * LOSS_CELLS
    total = np.zeros(size // 2 + 1) + 1.0 + 0j
    for loss, p in parts:
        place = np.floor(loss / step)
        part = loss / step - place
        upper = np.expm1(-part * step) / math.expm1(-step)  # keeps the mass of Q as well
        index = np.concatenate([place, place + 1]).astype(np.int64) % size
        single = np.bincount(index, np.concatenate([p * (1.0 - upper), p * upper]), size)
        total = total * np.fft.rfft(single)
    p = np.maximum(np.fft.irfft(total, size), 0.0)
    values = np.concatenate([np.arange(size // 2), np.arange(-size // 2, 0)]) * step
    p[p < 1e-15] = 0.0
    q = p * np.exp(-values)
    kept = p > 0
    order = np.argsort(values[kept])
    p, q, values = p[kept][order], q[kept][order], values[kept][order]
    return Atoms(values, p / p.sum(), q / q.sum())


def product(rng: Generator) -> Mechanism:
    """A vector of two to twenty numbers, the shift spread over some of them, each with noise of its own kind."""
    width = int(rng.integers(2, 21))
    told = int(rng.integers(1, width + 1))
    name = str(rng.choice(["laplace", "logistic", "normal", "t"]))
    total = float(rng.uniform(0.7, 3.0))
    shares = rng.dirichlet(np.full(told, 3.0))
    shifts = np.zeros(width)
    shifts[:told] = shares if name != "normal" else np.sqrt(shares)
    scale = 1.0 / total
    law = WIDE[name]
    parts = []
    for shift in shifts[shifts > 0]:
        far = 9.0 if name == "normal" else 60.0 if name != "t" else 2000.0
        grid = np.linspace(-far, far, 60_001) if name != "t" else np.sinh(np.linspace(-8.0, 8.0, 60_001))
        edges = np.unique(np.concatenate([grid, np.linspace(0.0, shift / scale, 2001)]))
        mid = 0.5 * (edges[1:] + edges[:-1])
        loss = law.logpdf(mid - shift / scale) - law.logpdf(mid)
        p = np.diff(law.cdf(edges - shift / scale))
        parts.append((loss, p / p.sum()))
    delta = 0.0 if name in ("laplace", "logistic") else float(rng.choice([1e-2, 1e-3]))
    atoms = convolved(parts)
    places = rng.permutation(width)

    def sample(coins: Coins, rng: Generator) -> NDArray[Any]:
        noise = law.rvs((len(coins), width), random_state=rng) * scale
        return np.asarray((coins[:, None] * shifts + noise)[:, places])

    if delta == 0.0:  # far losses have no mass that any test could see: the truth is the sum of the bounds
        delta = 1e-3 if told > 3 else 0.0
    words = f"{width} {name}, shift in {told}, size {total:.2f}, delta {delta:g}"
    return Mechanism("product", words, delta, atoms, sample)


def steps_with_sampling(count: int, rate: float, sigma: float, delta: float) -> Mechanism:
    """Steps of a Gaussian mechanism with subsampling: all partial answers are given out."""
    edges = np.linspace(-9.0 * sigma, 1.0 + 9.0 * sigma, 40_001)
    mid = 0.5 * (edges[1:] + edges[:-1])
    q = stats.norm.pdf(mid / sigma)
    p = (1.0 - rate) * q + rate * stats.norm.pdf((mid - 1.0) / sigma)
    loss = np.log1p(rate * np.expm1((mid - 0.5) / sigma**2))
    atoms = convolved([(loss, p / p.sum())] * count) if count > 1 else atoms_of_loss(p, q)

    def sample(coins: Coins, rng: Generator) -> NDArray[Any]:
        inside = (rng.random((len(coins), count)) < rate) & (coins[:, None] == 1)
        drawn = inside + rng.normal(size=(len(coins), count)) * sigma
        return drawn[:, 0] if count == 1 else drawn

    words = f"{count} steps, rate {rate:g}, sigma {sigma:.2f}, delta {delta:g}"
    return Mechanism("subsampled steps", words, delta, atoms, sample)


def subsampled(rng: Generator) -> Mechanism:
    """Steps of a Gaussian mechanism with subsampling: how many, their rate, noise and delta at random."""
    count = int(rng.choice([1, 3, 10, 30]))
    rate = float(rng.choice([0.05, 0.2, 0.5, 1.0])) if count > 1 else float(rng.choice([0.2, 0.5]))
    sigma = float(rng.uniform(0.7, 1.5)) * math.sqrt(count) * (0.5 + rate / 2)
    return steps_with_sampling(count, rate, sigma, float(rng.choice([1e-2, 1e-3, 1e-5])))


KINDS: dict[str, Callable[[Generator], Mechanism]] = {
    "finite": finite,
    "k-ary response": random_response,
    "rare answer": rare_answer,
    "whole numbers": lattice,
    "steps": steps,
    "peak": peak,
    "shift": shifted,
    "product": product,
    "subsampled steps": subsampled,
}


def generate(seed: int, number: int) -> Mechanism:
    """Mechanism ``number`` of a family: kinds take turns."""
    kinds = list(KINDS)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))
    return KINDS[kinds[number % len(kinds)]](rng)
