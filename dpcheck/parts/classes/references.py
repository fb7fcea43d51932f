"""Reference distributions over unlabelled points, under which hypotheses have distances."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import whole_number
from dpcheck.parts.classes.representatives import as_summable, integer_weights
from dpcheck.parts.classes.thresholds import LARGEST_GRID

#: A CDF and its quantile function may disagree by so much: both are computed in doubles.
_ROUNDING = 1e-9
#: Spheres of more dimensions than this are a mistake.
_MOST_DIMENSIONS = 1 << 20
#: Bits drawn beyond those of the total mass, where it does not fit 64: no probability is off by more than 2^-64.
_SPARE_BITS = 64


@runtime_checkable
class OrderedReference(Protocol):
    """A distribution of numbers, by the exact mass below each."""

    @property
    def description(self) -> str:
        """What the distribution is, in a few words."""
        ...

    def below(self, values: Any) -> list[Fraction]:
        """The mass of ``(-inf, t)`` for each t."""
        ...

    def up_to(self, values: Any) -> list[Fraction]:
        """The mass of ``(-inf, t]`` for each t."""
        ...

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent points, shape (size,)."""
        ...


@runtime_checkable
class LineReference(OrderedReference, Protocol):
    """A distribution of the line; infinities are among its t."""

    def roughly_below(self, values: Any) -> NDArray[np.float64]:
        """The same in doubles, off by less than 2^-50."""
        ...

    def first_above(self, masses: Sequence[Fraction]) -> NDArray[np.float64]:
        """For each of some masses below 1 the least double t with ``below(t)`` above it."""
        ...

    def quantile(self, levels: Any) -> NDArray[np.float64]:
        """The least t with at least so much mass up to it, for each level strictly between 0 and 1; to rounding."""
        ...


@dataclass(frozen=True)
class Atoms:
    """Finitely many points with rational masses; points that are given twice carry both masses.

    Parameters
    ----------
    points : array or list of m points of the class's domain, at least 1
    weights : m numbers of at least 0, optional
        Proportional to the masses, taken as exact; equal by default. Kept as integers without a common factor.

    Raises
    ------
    InvalidArgument
        When there is no point, or the weights are no such numbers.

    Source: rho_X of chaudhuri2011:def-rho is the distance under the points of X with equal weights.

    Examples
    --------
    >>> reference = Atoms([0, 3, 3], weights=[0.5, 0.25, 0.25])
    >>> reference.weights, reference.description
    ((2, 1, 1), '3 atoms')
    >>> bool(set(reference.sample(100, np.random.default_rng()).tolist()) <= {0, 3})
    True
    """

    points: tuple[Any, ...]
    weights: tuple[int, ...]

    def __init__(self, points: Any, weights: Sequence[Any] | NDArray[Any] | None = None) -> None:
        listed = points.tolist() if isinstance(points, np.ndarray) else list(points)
        if not listed:
            raise InvalidArgument("points must hold at least 1 point, got none")
        # plain tuples: they can be compared, hashed and sent to another process; numbers need no look at each
        if not (isinstance(points, np.ndarray) and points.ndim == 1 and points.dtype != object):
            listed = [tuple(p) if isinstance(p, list | tuple | np.ndarray) else p for p in listed]
        rows = tuple(listed)
        object.__setattr__(self, "points", rows)
        object.__setattr__(self, "weights", integer_weights(weights, len(rows)))

    @property
    def name(self) -> str:
        """``atoms``."""
        return "atoms"

    @property
    def description(self) -> str:
        """How many points it was given."""
        return f"{len(self.points):,} atom{'s' if len(self.points) > 1 else ''}"

    @cached_property
    def mass(self) -> NDArray[Any]:
        """The weights as an array whose sums are exact: 64-bit integers, or Python's where these do not suffice."""
        return as_summable(self.weights)

    @cached_property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.weights)

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent points, shape (size, ...)."""
        ends = np.cumsum(self.mass)
        if ends.dtype != object:
            drawn = rng.integers(0, self.total, size)
        else:
            words = -(-(self.total.bit_length() + _SPARE_BITS) // 32)
            bits = rng.integers(0, 1 << 32, (size, words)).astype(object) @ [1 << (32 * i) for i in range(words)]
            drawn = bits * self.total >> (32 * words)
        values = np.asarray(self.points)
        return np.asarray(values[np.searchsorted(ends, drawn, side="right")])


@dataclass(frozen=True)
class UniformLine:
    """The uniform distribution on the interval from ``low`` to ``high``.

    Raises
    ------
    InvalidArgument
        When they are no finite numbers, or low is not below high.

    Source: Unif[0,1] of chaudhuri2011:ex-1.

    Examples
    --------
    >>> UniformLine(0, 2).below([-1.0, 0.5, 9.0])
    [Fraction(0, 1), Fraction(1, 4), Fraction(1, 1)]
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        try:
            low, high = float(self.low), float(self.high)
        except (TypeError, ValueError) as error:
            raise InvalidArgument(f"low and high must be numbers, got {self.low!r} and {self.high!r}") from error
        if not (math.isfinite(low) and math.isfinite(high) and low < high and math.isfinite(high - low)):
            raise InvalidArgument(f"low must be below high, both finite, got {self.low!r} and {self.high!r}")
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    @property
    def name(self) -> str:
        """``uniform``."""
        return "uniform"

    @property
    def description(self) -> str:
        """The interval."""
        return f"uniform on [{self.low:g}, {self.high:g}]"

    def below(self, values: Any) -> list[Fraction]:
        """The mass of ``(-inf, t)`` for each t, exact."""
        low, width = Fraction(self.low), Fraction(self.high) - Fraction(self.low)
        inside = np.clip(np.asarray(values, dtype=np.float64), self.low, self.high)
        return [(Fraction(t) - low) / width for t in inside.tolist()]

    def roughly_below(self, values: Any) -> NDArray[np.float64]:
        """The same in doubles."""
        inside = np.clip(np.asarray(values, dtype=np.float64), self.low, self.high)
        return np.asarray((inside - self.low) / (self.high - self.low))

    def up_to(self, values: Any) -> list[Fraction]:
        """The mass of ``(-inf, t]``, the same."""
        return self.below(values)

    def first_above(self, masses: Sequence[Fraction]) -> NDArray[np.float64]:
        """The least double with more than so much mass below it, for each of some masses below 1."""
        low, width = Fraction(self.low), Fraction(self.high) - Fraction(self.low)
        return np.array([np.nextafter(float_at_most(low + width * mass), np.inf) for mass in masses])

    def quantile(self, levels: Any) -> NDArray[np.float64]:
        """``low + (high - low) level``, to rounding."""
        return np.clip(self.low + (self.high - self.low) * np.asarray(levels, dtype=np.float64), self.low, self.high)

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` independent points, shape (size,)."""
        return rng.uniform(self.low, self.high, size)


@dataclass(frozen=True)
class LineLaw:
    """Any distribution of the line, by its CDF and quantile function.

    The masses are what the CDF returns, doubles taken as exact.

    Parameters
    ----------
    cdf : function of an array of doubles to an array of doubles
        The mass of ``(-inf, t]``, nondecreasing.
    quantile : function of an array of levels between 0 and 1 to an array of doubles
        The least t with ``cdf(t) >= level``.
    atoms : sequence of doubles, optional
        All points that have a mass of their own, where the CDF jumps.
    description : str, optional

    Raises
    ------
    InvalidArgument
        When the two functions do not belong together, or an atom is not listed where one was seen.

    Source: chaudhuri2011:alg-1, step 2, for thresholds and a general U.

    Examples
    --------
    >>> square = LineLaw(lambda t: np.clip(t, 0, 1) ** 2, np.sqrt)
    >>> square.below([0.5])
    [Fraction(1, 4)]
    """

    cdf: Callable[[Any], Any]
    quantile: Callable[[Any], Any]
    atoms: tuple[float, ...] = ()
    description: str = "distribution of the line"

    def __post_init__(self) -> None:
        object.__setattr__(self, "atoms", tuple(sorted({float(a) for a in self.atoms})))
        levels = np.arange(1, 16) / 16
        try:
            at = np.asarray(self.quantile(levels), dtype=np.float64)
            under, reached = self._below(at), self._cdf(at)
        except (TypeError, ValueError) as error:
            raise InvalidArgument(f"cdf and quantile must map an array of doubles to one: {error}") from error
        wrong = np.flatnonzero((reached < levels - _ROUNDING) | (under > levels + _ROUNDING))
        if at.shape != levels.shape or len(wrong):
            place = int(wrong[0]) if len(wrong) else 0
            raise InvalidArgument(
                f"quantile must give the least t with cdf(t) >= level, got quantile({levels[place]}) = {at[place]} "
                f"with cdf {reached[place]}: a point with a mass of its own must be listed in atoms"
            )

    @property
    def name(self) -> str:
        """``law``."""
        return "law"

    def below(self, values: Any) -> list[Fraction]:
        """The mass of ``(-inf, t)`` for each t: the CDF there, at an atom that of the double before it."""
        return [Fraction(mass) for mass in self._below(np.asarray(values, dtype=np.float64)).tolist()]

    def roughly_below(self, values: Any) -> NDArray[np.float64]:
        """The same in doubles."""
        return self._below(np.asarray(values, dtype=np.float64))

    def up_to(self, values: Any) -> list[Fraction]:
        """The mass of ``(-inf, t]`` for each t."""
        return [Fraction(mass) for mass in self._cdf(np.asarray(values, dtype=np.float64)).tolist()]

    def first_above(self, masses: Sequence[Fraction]) -> NDArray[np.float64]:
        """The least double with more than so much mass below it, for each of some masses below 1; by bisection."""
        target = np.array([float_at_most(mass) for mass in masses])
        low = np.full(len(target), _rank(np.array([-np.inf]))[0])
        high = np.full(len(target), _rank(np.array([np.inf]))[0])
        while (low + 1 < high).any():  # the mass below is at most the target at low, above it at high
            middle = (low >> 1) + (high >> 1) + (low & high & 1)
            above = self._below(_double(middle)) > target
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return _double(high)

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` independent points, shape (size,)."""
        return np.asarray(self.quantile(1.0 - rng.random(size)), dtype=np.float64)

    def _cdf(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        finite = np.isfinite(t)
        with np.errstate(all="ignore"):
            mass = np.asarray(self.cdf(np.where(finite, t, 0.0)), dtype=np.float64)
        mass = np.where(finite, mass, t > 0)
        if mass.shape != t.shape or not ((mass >= 0) & (mass <= 1)).all():
            raise InvalidArgument(f"cdf must give a probability for each of {len(t)} points, got {mass.ravel()[:3]}")
        return mass

    def _below(self, t: NDArray[np.float64]) -> NDArray[np.float64]:
        jumps = np.isin(t, self.atoms)
        before = t.copy()
        before[jumps] = np.nextafter(t[jumps], -np.inf)
        return self._cdf(before)


@dataclass(frozen=True)
class UniformGrid:
    """The uniform distribution on {0, ..., N - 1}, without listing them.

    Parameters
    ----------
    domain_size : int, 1 to 2^61
        N.

    Examples
    --------
    >>> UniformGrid(8).description
    'uniform on {0, ..., 7}'
    """

    domain_size: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "domain_size", whole_number("domain_size", self.domain_size, 1, LARGEST_GRID))

    @property
    def name(self) -> str:
        """``grid``."""
        return "grid"

    @property
    def description(self) -> str:
        """The points."""
        return f"uniform on {{0, ..., {self.domain_size - 1}}}"

    def below(self, values: Any) -> list[Fraction]:
        """The part of the points below t, for each t."""
        t = np.asarray(values)
        held = np.clip(np.ceil(t) if t.dtype.kind == "f" else t, 0, self.domain_size)
        return [Fraction(int(points), self.domain_size) for points in held.tolist()]

    def up_to(self, values: Any) -> list[Fraction]:
        """The part of the points up to t, for each t."""
        t = np.asarray(values)
        return self.below((np.floor(t) if t.dtype.kind == "f" else t) + 1)

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """``size`` independent points, shape (size,)."""
        return rng.integers(0, self.domain_size, size)


@dataclass(frozen=True)
class UniformSphere:
    """The uniform distribution on the unit sphere S^(n-1) of R^n; the circle for n = 2.

    Parameters
    ----------
    dimension : int, at least 2
        n.

    Source: chaudhuri2011:ex-2.

    Examples
    --------
    >>> UniformSphere(3).sample(5, np.random.default_rng()).shape
    (5, 3)
    """

    dimension: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimension", whole_number("dimension", self.dimension, 2, _MOST_DIMENSIONS))

    @property
    def name(self) -> str:
        """``sphere``."""
        return "sphere"

    @property
    def description(self) -> str:
        """The sphere."""
        return "uniform on the circle" if self.dimension == 2 else f"uniform on the sphere of R^{self.dimension}"

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` independent points, shape (size, dimension)."""
        drawn = rng.standard_normal((size, self.dimension))
        return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))


@dataclass(frozen=True)
class Product:
    """Independent coordinates, each with a distribution of the line.

    Parameters
    ----------
    factors : sequence of ``UniformLine``, ``LineLaw`` or ``UniformGrid``, at least 1

    Raises
    ------
    InvalidArgument
        When one is no distribution of the line.

    Examples
    --------
    >>> Product([UniformLine(), UniformLine(0, 2)]).description
    'product of uniform on [0, 1], uniform on [0, 2]'
    """

    factors: tuple[OrderedReference, ...]

    def __init__(self, factors: Sequence[OrderedReference]) -> None:
        listed = tuple(factors)
        if not listed or not all(isinstance(factor, OrderedReference) for factor in listed):
            raise InvalidArgument(f"factors must be distributions of numbers, at least 1, got {listed!r}")
        object.__setattr__(self, "factors", listed)

    @property
    def name(self) -> str:
        """``product``."""
        return "product"

    @property
    def description(self) -> str:
        """The factors."""
        return f"product of {', '.join(factor.description for factor in self.factors)}"

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent points, shape (size, number of factors)."""
        return np.stack([factor.sample(size, rng) for factor in self.factors], axis=1)


#: What hypotheses have distances under.
Reference: TypeAlias = Atoms | UniformLine | LineLaw | UniformGrid | UniformSphere | Product


def float_at_most(value: Fraction) -> float:
    """The largest double that is at most a fraction.

    Examples
    --------
    >>> float_at_most(Fraction(1, 10)) < Fraction(1, 10) < 0.1
    True
    """
    rounded = float(value)
    return rounded if Fraction(rounded) <= value else math.nextafter(rounded, -math.inf)


def _rank(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Doubles as integers in the same order, neighbours next to each other (both zeros are 0)."""
    bits = values.view(np.int64)
    return np.where(bits < 0, -(bits & np.int64(2**63 - 1)), bits)


def _double(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """The doubles of such integers."""
    return np.copysign(np.abs(ranks).view(np.float64), np.where(ranks < 0, -1.0, 1.0))
