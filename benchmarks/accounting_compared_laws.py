"""Privacy losses of one step, of the pairs of laws that dominate the mechanisms of `accounting_compared.py`.

The loss of an ordered pair (P, Q) is log dP/dQ under P. A law here says how likely the loss is above any number, under
P and under Q; atoms, where a loss has positive probability, stand apart. What is said of each pair's place:

* Gaussian and Laplace noise: the two centres as far apart as a neighbour can move them (Balle & Wang 2018, theorem 8,
  for the Gaussian; the Laplace law's loss is monotone in the output).
* Poisson sampling, one record added or removed: ((1-q) N + q N', N) and the same the other way round (Zhu, Dong & Wang
  2022, theorem 11). Both are attained: one record at the norm, all others at 0.
* One record replaced: for a sum of records of norm at most C the centres are 2C apart, attained by C and -C. Under
  Poisson sampling the pair of C and -C is attained as well; that no other pair is worse is not claimed here.
* Sampling without replacement, one record replaced: ((1-q) N + q N', N) and its reverse with centres 2C apart, attained
  where all other records are at C and one is C or -C.

Random responses and discrete noise have finite or lattice laws, given by their atoms.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

Floats = NDArray[np.float64]
#: Lattice laws go on until what is left has a probability below this, which is then counted as an infinite loss.
_LEFT_OUT = 1e-40


class Loss(Protocol):
    """The privacy loss of one step, of one ordered pair of laws."""

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """Losses of positive probability under P, with it."""
        ...

    def above(self, loss: Floats) -> Floats:
        """P(loss < L), without the atoms."""
        ...

    def below(self, loss: Floats) -> Floats:
        """P(L <= loss), without the atoms; as exact in its tail as ``above`` is in the other."""
        ...


class OneStep(Protocol):
    """A loss of which the privacy profile of a single step is a closed form."""

    def delta(self, epsilon: float) -> float:
        """P(L > epsilon) - e^epsilon Q(L > epsilon)."""
        ...


@dataclass(frozen=True)
class GaussianLoss:
    """Two normal laws whose centres are ``shift`` standard deviations apart: the loss is N(shift^2 / 2, shift^2)."""

    shift: float
    atoms: tuple[tuple[float, float], ...] = ()

    def above(self, loss: Floats) -> Floats:
        """P(loss < L)."""
        return np.asarray(ndtr(self.shift / 2 - loss / self.shift))

    def below(self, loss: Floats) -> Floats:
        """P(L <= loss)."""
        return np.asarray(ndtr(loss / self.shift - self.shift / 2))

    def delta(self, epsilon: float) -> float:
        """Balle & Wang 2018, theorem 8."""
        likelier = math.exp(log_ndtr(self.shift / 2 - epsilon / self.shift))
        return max(0.0, likelier - math.exp(epsilon + log_ndtr(-self.shift / 2 - epsilon / self.shift)))


@dataclass(frozen=True)
class LaplaceLoss:
    """Two Laplace laws of scale 1 whose centres are ``shift`` apart."""

    shift: float

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """Both ends: the outputs that are not between the centres."""
        return ((self.shift, 0.5), (-self.shift, math.exp(-self.shift) / 2))

    def below(self, loss: Floats) -> Floats:
        """P(L <= loss) of the outputs between the centres."""
        within = np.clip(loss, -self.shift, self.shift)
        return np.asarray(np.exp(-self.shift) * np.expm1((within + self.shift) / 2) / 2)

    def above(self, loss: Floats) -> Floats:
        """P(loss < L) of the outputs between the centres."""
        within = np.clip(loss, -self.shift, self.shift)
        return np.asarray(-np.expm1((within - self.shift) / 2) / 2)

    def delta(self, epsilon: float) -> float:
        """1 - exp((epsilon - shift) / 2) up to the shift, 0 from there on."""
        return max(0.0, -math.expm1((epsilon - self.shift) / 2))


@dataclass(frozen=True)
class SampledGaussianLoss:
    """A normal law, and its mixture of weight ``rate`` with one that is ``shift`` standard deviations away.

    ``removed``: P is the mixture; else Q is.
    """

    rate: float
    shift: float
    removed: bool
    atoms: tuple[tuple[float, float], ...] = ()

    def _output(self, loss: Floats) -> Floats:
        """The output, in standard deviations, at which log(mixture / normal) is ``loss``; -inf where all are above."""
        with np.errstate(divide="ignore", invalid="ignore"):
            inner = np.log1p(np.expm1(loss) / self.rate)
        reached = np.expm1(loss) > -self.rate
        return np.where(reached, np.where(reached, inner, 0.0) / self.shift + self.shift / 2, -np.inf)

    def _mixture(self, output: Floats) -> Floats:
        return (1 - self.rate) * ndtr(output) + self.rate * ndtr(output - self.shift)

    def _mixture_above(self, output: Floats) -> Floats:
        return (1 - self.rate) * ndtr(-output) + self.rate * ndtr(self.shift - output)

    def above(self, loss: Floats) -> Floats:
        """P(loss < L)."""
        if self.removed:
            return np.asarray(self._mixture_above(self._output(loss)))
        return np.asarray(ndtr(self._output(-loss)))

    def below(self, loss: Floats) -> Floats:
        """P(L <= loss)."""
        if self.removed:
            return np.asarray(self._mixture(self._output(loss)))
        return np.asarray(ndtr(-self._output(-loss)))

    def delta(self, epsilon: float) -> float:
        """P(L > epsilon) - e^epsilon Q(L > epsilon), both of them normal tails."""
        output = self._output(np.array([epsilon if self.removed else -epsilon]))
        if self.removed:
            likelier, other = self._mixture_above(output)[0], ndtr(-output)[0]
        else:
            likelier, other = ndtr(output)[0], self._mixture(output)[0]
        return max(0.0, float(likelier - math.exp(epsilon) * other))


@dataclass(frozen=True)
class SampledReplacementLoss:
    """Mixtures of weight ``rate`` of a normal law with those ``shift`` deviations above (P) and below (Q) it."""

    rate: float
    shift: float
    atoms: tuple[tuple[float, float], ...] = ()

    def _output(self, loss: Floats) -> Floats:
        """The output at which the loss is this: odd in it, and a root of a quadratic in exp(shift * output)."""
        size = np.abs(loss)
        weight = self.rate * math.exp(-(self.shift**2) / 2)
        half = (1 - self.rate) * np.expm1(size) / (2 * weight)
        return np.asarray(np.sign(loss) * np.log(half + np.sqrt(half**2 + np.exp(size))) / self.shift)

    def above(self, loss: Floats) -> Floats:
        """P(loss < L)."""
        output = self._output(loss)
        return np.asarray((1 - self.rate) * ndtr(-output) + self.rate * ndtr(self.shift - output))

    def below(self, loss: Floats) -> Floats:
        """P(L <= loss)."""
        output = self._output(loss)
        return np.asarray((1 - self.rate) * ndtr(output) + self.rate * ndtr(output - self.shift))

    def delta(self, epsilon: float) -> float:
        """P(L > epsilon) - e^epsilon Q(L > epsilon)."""
        output = self._output(np.array([epsilon]))
        other = (1 - self.rate) * ndtr(-output) + self.rate * ndtr(-self.shift - output)
        return max(0.0, float(self.above(np.array([epsilon]))[0] - math.exp(epsilon) * other[0]))


@dataclass(frozen=True)
class SampledLaplaceLoss:
    """As :class:`SampledGaussianLoss`, of Laplace laws of scale 1."""

    rate: float
    shift: float
    removed: bool

    def _ends(self) -> tuple[float, float]:
        """The losses of outputs beyond the centre of the record (upper), and beyond the other (lower)."""
        return math.log1p(self.rate * math.expm1(self.shift)), math.log1p(self.rate * math.expm1(-self.shift))

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """Both ends, as for the Laplace law."""
        upper, lower = self._ends()
        rare, often = math.exp(-self.shift) / 2, 0.5
        if self.removed:
            keep, take = 1 - self.rate, self.rate
            return ((upper, keep * rare + take * often), (lower, keep * often + take * rare))
        return ((-lower, often), (-upper, rare))

    def _between(self, loss: Floats, above: bool) -> Floats:
        """The probability of log(mixture / Laplace) above or at most a loss, of outputs between the centres."""
        upper, lower = self._ends()
        inside = np.log1p(np.expm1(np.clip(loss, lower, upper)) / self.rate)
        one = np.where(loss <= lower, -self.shift, np.where(loss >= upper, self.shift, inside))
        own = LaplaceLoss(self.shift)
        with_record = own.above(one) if above else own.below(one)
        without = own.below(-one) if above else own.above(-one)
        return np.asarray((1 - self.rate) * without + self.rate * with_record if self.removed else without)

    def above(self, loss: Floats) -> Floats:
        """P(loss < L) of outputs between the centres."""
        return self._between(loss, above=True) if self.removed else self._between(-loss, above=False)

    def below(self, loss: Floats) -> Floats:
        """P(L <= loss) of outputs between the centres."""
        return self._between(loss, above=False) if self.removed else self._between(-loss, above=True)


@dataclass(frozen=True)
class AtomLoss:
    """A finite law of losses, or a lattice's up to a probability that is left out (``infinite``)."""

    atoms: tuple[tuple[float, float], ...]
    spacing: float
    infinite: float = 0.0

    def above(self, loss: Floats) -> Floats:
        """Nothing beside the atoms."""
        return np.zeros_like(loss)

    def below(self, loss: Floats) -> Floats:
        """Nothing beside the atoms."""
        return np.zeros_like(loss)

    def delta(self, epsilon: float) -> float:
        """The sum over the atoms."""
        return math.fsum(p * -math.expm1(epsilon - loss) for loss, p in self.atoms if loss > epsilon)


def randomised_response(noise: float, buckets: int) -> AtomLoss:
    """The truth with probability ``1 - noise``, else one of all buckets; one record's bucket is replaced."""
    other = noise / buckets
    truth = 1 - noise + other
    loss = math.log(truth / other)
    rest = () if buckets == 2 else ((0.0, (buckets - 2) * other),)
    return AtomLoss(((loss, truth), *rest, (-loss, other)), loss)


def discrete_laplace(parameter: float) -> AtomLoss:
    """Noise on whole numbers with weights exp(-parameter |x|), moved by 1."""
    upper = 1 / (1 + math.exp(-parameter))
    return AtomLoss(((parameter, upper), (-parameter, 1 - upper)), parameter)


def discrete_gaussian(sigma: float) -> AtomLoss:
    """Noise on whole numbers with weights exp(-x^2 / (2 sigma^2)), moved by 1 (Canonne, Kamath & Steinke 2020)."""
    most = math.ceil(sigma * math.sqrt(-2 * math.log(_LEFT_OUT))) + 1
    places = range(-most, most + 1)
    total = math.fsum(math.exp(-(place**2) / (2 * sigma**2)) for place in places)
    atoms = tuple(
        ((1 - 2 * place) / (2 * sigma**2), math.exp(-(place**2) / (2 * sigma**2)) / total) for place in places
    )
    return AtomLoss(atoms, 1 / (2 * sigma**2), _LEFT_OUT)
