"""Convex losses of a vector in a box: what Algorithm 1 needs to know of them to draw from a log-concave density."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import describe_value, private_part
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import labels_of
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.parameters import count, real
from dpcheck.parts.risk.losses import PowerLoss

Floats = NDArray[np.float64]
#: Cells of the tables of losses that are worked on at once: they stay within some tens of megabytes.
_CELLS = 1 << 22


@dataclass(frozen=True)
class CoordinateDistances:
    """``sum_j |h_j - z_j|^power`` for vectors h and records z of the box [low, high]^dimension.

    Records beyond the box are moved into it, coordinate by coordinate. The loss adds up over coordinates, so that a
    density of its exponential is a product.

    Parameters
    ----------
    dimension : int, at least 1
    power : int, at least 1
        1 the absolute loss, 2 the squared Euclidean distance.
    low, high : float

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range.

    Source: wang2016 section 4 (ex-21).

    Examples
    --------
    >>> loss = CoordinateDistances(dimension=2)
    >>> loss.sums(np.array([[0.5, 0.5], [0.0, 1.0]]), loss.records([[0.0, 1.0], [0.5, 7.0]])).tolist()
    [1.5, 0.5]
    >>> loss.swing
    Fraction(2, 1)
    """

    dimension: int = 2
    power: int = 1
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimension", count("dimension", self.dimension))
        for name in ("power", "low", "high"):
            object.__setattr__(self, name, getattr(self.of_a_coordinate, name))

    @property
    def of_a_coordinate(self) -> PowerLoss:
        """``|h_j - z_j|^power``."""
        return PowerLoss(self.power, self.low, self.high)

    @property
    def swing(self) -> Fraction:
        """``sup |l(h, z) - l(h, z')|``: from a corner of the box, which costs 0, to the opposite one."""
        return self.dimension * (Fraction(self.high) - Fraction(self.low)) ** self.power

    @property
    def largest(self) -> Fraction:
        """B, the largest loss: the swing."""
        return self.swing

    @property
    def slope(self) -> float:
        """A bound on the absolute partial derivatives."""
        return float(self.power * (self.high - self.low) ** (self.power - 1))

    def records(self, dataset: Any) -> Floats:
        """The records inside the box, shape (n, dimension)."""
        given = private_part(dataset)
        if isinstance(given, tuple):  # a pair (x, y) would be read as two rows, where it has two columns of two
            raise InvalidArgument(f"dataset must be a list or an array of rows, got {describe_value(given)}")
        return _rows(given, self.dimension, self.low, self.high)

    def sums(self, points: Floats, records: Floats) -> Floats:
        """``sum_i l(h, z_i)`` for each point h, shape (k,); powers 1 and 2 without listing all distances."""
        alone = self.of_a_coordinate
        return np.asarray(sum(alone.sums(h, z).as_floats() for h, z in zip(points.T, records.T, strict=True)))

    def kinks(self, records: Floats) -> list[Floats]:
        """For each coordinate, where the sum is not analytic."""
        return [np.unique(z) if self.power % 2 else np.zeros(0) for z in records.T]

    def extremes(self, one: Floats, other: Floats) -> Floats:
        """Points at which ``l(h, one) - l(h, other)`` is largest and smallest, among others; shape (m, dimension).

        The difference of two convex powers of a coordinate is monotone in it: corners.
        """
        return corners(self.dimension, self.low, self.high)


@dataclass(frozen=True)
class LogisticLoss:
    """``log(1 + exp(-y <h, x>))`` for weights h of the box [low, high]^dimension, x in [-1, 1]^dimension.

    Labels 0 stand for y = -1. Points beyond the box [-1, 1]^dimension are moved into it, coordinate by coordinate. A
    record is the vector ``y x``: of no other parts of it the loss knows.

    Parameters
    ----------
    dimension : int, at least 1
    low, high : float

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range.

    Source: wang2016:prop-26 (a convex F).

    Examples
    --------
    >>> loss = LogisticLoss(dimension=2)
    >>> records = loss.records(([[1.0, 0.0], [0.0, 1.0]], [1, 0]))
    >>> loss.sums(np.array([[0.0, 0.0], [1.0, -1.0]]), records).round(3).tolist()
    [1.386, 0.627]
    """

    dimension: int = 2
    low: float = -1.0
    high: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "dimension", count("dimension", self.dimension))
        for name in ("low", "high"):
            object.__setattr__(self, name, real(name, getattr(self, name)))
        if not self.low < self.high:
            raise InvalidArgument(f"low must be below high, got low {self.low:g} and high {self.high:g}")

    @property
    def swing(self) -> Fraction:
        """``sup |l(h, z) - l(h, z')|``: for R the largest ``<h, x>``, ``log(1 + e^R) - log(1 + e^-R) = R``."""
        return self.dimension * max(abs(Fraction(self.low)), abs(Fraction(self.high)))

    @property
    def largest(self) -> Fraction:
        """B, the largest loss, ``log(1 + e^R)``, as a double."""
        far = float(self.swing)
        return Fraction(far + math.log1p(math.exp(-far)))

    @property
    def slope(self) -> float:
        """A bound on the absolute partial derivatives."""
        return 1.0

    def records(self, dataset: Any) -> Floats:
        """The vectors ``y x``, shape (n, dimension)."""
        x, y = private_records(dataset)
        signs = 2.0 * labels_of(y) - 1
        return np.asarray(_rows(x, self.dimension, -1.0, 1.0) * signs[:, None])

    def sums(self, points: Floats, records: Floats) -> Floats:
        """``sum_i l(h, z_i)`` for each point h, shape (k,)."""
        distinct, times = np.unique(records, axis=0, return_counts=True)
        rows = max(1, _CELLS // max(1, len(distinct)))
        parts = [
            np.logaddexp(0.0, -(points[start : start + rows] @ distinct.T)) @ times.astype(np.float64)
            for start in range(0, len(points), rows)
        ]
        return np.concatenate(parts) if parts else np.zeros(0)

    def gradient(self, point: Floats, records: Floats) -> Floats:
        """The gradient of the sum at one point, shape (dimension,)."""
        # 1 / (1 + e^t) by tanh, which does not overflow
        shares = (1 - np.tanh(records @ point / 2)) / 2
        return np.asarray(-(shares @ records))

    def kinks(self, records: Floats) -> list[Floats]:
        """For each coordinate, where the sum is not analytic: nowhere."""
        return [np.zeros(0)] * self.dimension

    def extremes(self, one: Floats, other: Floats) -> Floats:
        """Points at which ``l(h, one) - l(h, other)`` is largest and smallest, among others; shape (m, dimension).

        Inside a face of the box the derivative vanishes only where the two records are parallel on that face, and
        then the difference is a function of one linear form, which takes all its values on the edges too: it is enough
        to look at edges. There the derivative has the sign of a sum of three exponentials, with two zeros at most.
        """
        from scipy.optimize import brentq

        found = [corners(self.dimension, self.low, self.high)]
        for axis in range(self.dimension):
            rest = corners(self.dimension - 1, self.low, self.high) if self.dimension > 1 else np.zeros((1, 0))
            b, c = float(one[axis]), float(other[axis])
            for at in rest:
                edge = np.insert(at, axis, 0.0)
                u, v = float(one @ edge), float(other @ edge)

                def sign(t: float, b: float = b, c: float = c, u: float = u, v: float = v) -> float:
                    # the derivative of l(h, one) - l(h, other) along the edge, by factors above 0; nothing overflows
                    left, right = u + b * t, v + c * t
                    top = max(0.0, left, right)
                    return (c - b) * math.exp(-top) + c * math.exp(left - top) - b * math.exp(right - top)

                turn = [(u - v) / (c - b)] if b != c else []  # where the derivative of that vanishes
                cuts = [self.low, *(t for t in turn if self.low < t < self.high), self.high]
                zeros = [brentq(sign, start, stop) for start, stop in pairwise(cuts) if sign(start) * sign(stop) < 0]
                found.extend(
                    np.insert(at, axis, zero)[None, :] for zero in [*zeros, *turn] if self.low <= zero <= self.high
                )
        return np.concatenate(found)


#: The losses there are for a box.
BoxLoss: TypeAlias = CoordinateDistances | LogisticLoss


def corners(dimension: int, low: float, high: float) -> Floats:
    """The corners of [low, high]^dimension, shape (2^dimension, dimension).

    Examples
    --------
    >>> corners(2, 0.0, 1.0).tolist()
    [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    """
    return np.array(list(product((low, high), repeat=dimension)))


def _rows(given: Any, columns: int, low: float, high: float) -> Floats:
    """Rows of numbers, those beyond the interval moved to its ends; shape (n, columns)."""
    array = np.asarray(given)
    if array.size == 0:
        return np.zeros((0, columns))
    if columns == 1 and array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[1] != columns or array.dtype.kind not in "buif":
        raise InvalidArgument(f"dataset must hold rows of {columns} numbers, got {describe_value(given)}")
    rows = array.astype(np.float64)
    if np.isnan(rows).any():
        raise InvalidArgument(f"dataset must hold numbers, got one that is none in {describe_value(given)}")
    return np.clip(rows, low, high)
