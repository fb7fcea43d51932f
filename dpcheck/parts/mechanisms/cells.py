"""Cells of public grids: what a learner with continuous hypotheses releases, so that no bit of it tells of the data.

Noise and densities in doubles give away what they depend on: which doubles can come out differs between neighbours
(Mironov 2012). The number of a cell of a grid that does not depend on the data, drawn by exact choices, cannot.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.densities import LogLinearPieces
from dpcheck.parts.mechanisms.parameters import count, positive, real

Floats = NDArray[np.float64]

#: Cells of a grid: at least 2^12; so many that a density of ``nats`` over the interval changes by 1/64 in each; at
#: most 2^20, some 50 ms of work. Beyond 2^14 nats the grid is coarser than the noise, and still private.
_LEAST_BITS, _MOST_BITS, _FINER = 12, 20, 64
#: Grids (with what rounding takes of their rates) and laws of cells that are kept: calls ask for one or two of them.
_KEPT_GRIDS, _KEPT_LAWS = 8, 4
#: Digits of a geometric variate, and from how many nats of its unit one digit more is the last: beyond it lies a
#: probability of exp(-65536), which no generator of random bits reaches.
_DIGITS, _LAST = 1024, 64
#: Bits by which a grid of noise is finer than the noise and than what it hides.
_FINER_BITS = 20


@dataclass(frozen=True)
class PublicGrid:
    """Equal cells of an interval, each released as its middle.

    Parameters
    ----------
    low, high : float, ends of the interval
    cells : int, at least 1

    Raises
    ------
    InvalidArgument
        When the interval is none, or so short that middles are not distinct doubles.

    Examples
    --------
    >>> PublicGrid(0.0, 1.0, 4).middles.tolist()
    [0.125, 0.375, 0.625, 0.875]
    """

    low: float
    high: float
    cells: int

    def __post_init__(self) -> None:
        if not real("low", self.low) < real("high", self.high):
            raise InvalidArgument(f"low must be below high, got {self.low!r} and {self.high!r}")
        count("cells", self.cells)
        if not _distinct(self.low, self.high, self.cells):
            raise InvalidArgument(
                f"high must be farther from low than {self.cells:,} doubles, got {self.low!r} and {self.high!r}"
            )

    @classmethod
    def fit_for(cls, low: float, high: float, nats: float) -> PublicGrid:
        """The grid for a density whose logarithm varies by up to ``nats``, a number that no record may change."""
        wanted = math.log2(_FINER * (1 + min(nats, 2.0**_MOST_BITS)))
        return cls(low, high, 1 << min(_MOST_BITS, max(_LEAST_BITS, math.ceil(wanted))))

    @property
    def edges(self) -> Floats:
        """Where cells begin and end, shape (cells + 1,); not to be written to."""
        return _between(self.low, self.high, self.cells, 0.0)

    @property
    def middles(self) -> Floats:
        """What is released, shape (cells,); not to be written to."""
        return _between(self.low, self.high, self.cells, 0.5)

    def masses(self, pieces: LogLinearPieces) -> Choice:
        """The law of the cell that a draw from the density falls into; its loss is at most that of the densities.

        Raises
        ------
        InvalidArgument
            When the density is on another interval.
        """
        if (pieces.low, pieces.high) != (self.low, self.high):
            raise InvalidArgument(
                f"pieces must lie on [{self.low:g}, {self.high:g}], got [{pieces.low}, {pieces.high}]"
            )
        return _masses(self, *(ends.tobytes() for ends in (pieces.edges, pieces.lefts, pieces.rights)))

    def values(self, log_density: Callable[[Floats], Any]) -> Choice:
        """The exponential mechanism on the middles alone: weights ``exp(log_density)``."""
        found = np.asarray(log_density(self.middles), dtype=np.float64)
        return Choice(1, found - found.max())

    def sample(self, law: Choice, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent middles of cells, shape (size,): exact choices of a law of cells."""
        return np.asarray(self.middles[law.sample(size, rng)])


@lru_cache(maxsize=_KEPT_GRIDS)
def _between(low: float, high: float, cells: int, offset: float) -> Floats:
    """Points of a grid: the ends of its cells, or what lies by a part of a cell to the right of where each begins."""
    shares = np.arange(cells + (offset == 0.0)) + offset
    shares /= cells
    found = np.asarray(low * (1 - shares) + high * shares)
    found.setflags(write=False)
    return found


@lru_cache(maxsize=_KEPT_GRIDS)
def _distinct(low: float, high: float, cells: int) -> bool:
    return bool((np.diff(_between(low, high, cells, 0.0)) > 0).all())


@lru_cache(maxsize=_KEPT_LAWS)
def _masses(grid: PublicGrid, *ends: bytes) -> Choice:
    """The law of the cells of a grid under the density with these edges and logarithms at both ends of its pieces."""
    cuts, cut = grid.edges, LogLinearPieces(*map(np.frombuffer, ends)).cut(grid.edges)
    return Choice(1, np.logaddexp.reduceat(cut.log_masses, cut.edges[:-1].searchsorted(cuts[:-1])))


@lru_cache(maxsize=_KEPT_GRIDS)
def less_rounding(epsilon: float | Fraction, records: int, nats: float) -> Fraction:
    """The share of epsilon that a rate may spend, so that what doubles round away is paid for as well.

    A score is a sum of ``records`` terms; its doubles, the product with the rate and the mass of a cell err by at most
    ``2^-50 (records + 16) (nats + 16)`` nats, four of which a loss takes. No record changes this.

    Parameters
    ----------
    epsilon : float or Fraction, nats, above 0
    records : int, how many terms a score adds up
    nats : float, by how much the logarithm of the density may vary, whatever the records are

    Raises
    ------
    InvalidArgument
        When rounding takes more than half of epsilon.

    Examples
    --------
    >>> 0 < 1 - less_rounding(1.0, 10, 5.0) < Fraction(1, 10**11)
    True
    """
    lost = Fraction(real("nats", nats) + 16) * (records + 16) / 2**48
    share = 1 - lost / Fraction(epsilon)
    if 2 * share < 1:
        raise InvalidArgument(
            f"epsilon must be above {float(2 * lost):.3g} for {records:,} records, got {float(epsilon):g}: doubles "
            f"would round away what keeps the claim"
        )
    return share


@dataclass(frozen=True)
class NoiseOfCells:
    """Laplace noise in whole steps of a public grid, drawn by exact choices: epsilon-DP for the doubles that come out.

    An answer is moved to the nearest multiple of the step, which adds at most a step to how far apart neighbours' are;
    another is for the rounding of the answer itself. Multiples of a power of 2 are doubles, so nothing else rounds.

    Parameters
    ----------
    sensitivity : float, above 0, a number that no record may change
    epsilon : float or Fraction, nats, above 0

    Raises
    ------
    InvalidArgument
        When one is not above 0.

    Source: Ghosh, Roughgarden & Sundararajan 2012, doi:10.1137/09076828X (geometric noise).

    Examples
    --------
    >>> noise = NoiseOfCells(sensitivity=0.5, epsilon=1.0)
    >>> noise.step, noise.steps
    (4.76837158203125e-07, 1048578)
    >>> bool((noise.sample(0.3, 5, np.random.default_rng()) % noise.step == 0).all())
    True
    """

    sensitivity: float
    epsilon: float | Fraction

    def __post_init__(self) -> None:
        positive("sensitivity", self.sensitivity)
        positive("epsilon", self.epsilon)

    @property
    def step(self) -> float:
        """The grid's step: a power of 2, a millionth of the sensitivity and of the noise's scale, or less."""
        smaller = self.sensitivity * min(1.0, 1 / float(self.epsilon))
        return math.ldexp(1.0, math.frexp(smaller)[1] - 1 - _FINER_BITS)

    @property
    def steps(self) -> int:
        """How many steps apart the moved answers on neighbours may be."""
        return math.ceil(Fraction(self.sensitivity) / Fraction(self.step)) + 2

    def sample(self, answer: float, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent noisy answers, shape (size,)."""
        noise = whole_laplace(Fraction(self.epsilon) / self.steps, size, rng)
        return np.asarray((noise + round(Fraction(answer) / Fraction(self.step))) * self.step)


def whole_laplace(rate: Fraction, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Integers k with probability proportional to ``exp(-rate |k|)``, by exact choices; shape (size,).

    Parameters
    ----------
    rate : Fraction, nats a step, above 0
    size : int
    rng : numpy Generator

    Examples
    --------
    >>> whole_laplace(Fraction(1, 1000), 3, np.random.default_rng()).shape
    (3,)
    """
    found = np.zeros(size, dtype=np.int64)
    waiting = np.arange(size)
    while waiting.size:
        length = _geometric(rate, waiting.size, rng)
        negative = rng.integers(2, size=waiting.size) == 1
        found[waiting] = np.where(negative, -length, length)
        waiting = waiting[negative & (length == 0)]  # 0 has one sign
    return found


def _geometric(rate: Fraction, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Integers of at least 0 with probability proportional to ``exp(-rate k)``: their digits are independent."""
    found = np.zeros(size, dtype=np.int64)
    for place, digit in enumerate(_digits(rate)):
        found += _DIGITS**place * digit.sample(size, rng)
    return found


@lru_cache(maxsize=256)
def _digits(rate: Fraction) -> tuple[Choice, ...]:
    """The law of each digit, the lowest first; kept, since a learner draws one number a call at the same rate."""
    found, unit = [Choice(rate, -np.arange(_DIGITS))], 1
    while rate * unit <= _LAST:
        unit *= _DIGITS
        found.append(Choice(rate * unit, -np.arange(_DIGITS)))
    return tuple(found)
