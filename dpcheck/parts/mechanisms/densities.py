"""The exponential mechanism on an interval, where utilities are piecewise constant or piecewise linear: closed forms.

Between two edges the logarithm of such a density is linear, so masses, quantiles and the largest log ratio of two of
them have closed forms; the largest log ratio is attained at an edge of one of the two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import IntegerScores, Law
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.parameters import exact_at_least_zero, real

Floats = NDArray[np.float64]


def doubles(name: str, values: Any) -> Floats:
    """Numbers as an array of doubles.

    Raises
    ------
    InvalidArgument
        When they are none.

    Examples
    --------
    >>> doubles("edges", [0, 1]).tolist()
    [0.0, 1.0]
    """
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{name} must be numbers, got {values!r}") from error


@dataclass(frozen=True, eq=False)
class LogLinearPieces:
    """A density on an interval whose logarithm is linear on each of m pieces, and may jump between them.

    Parameters
    ----------
    edges : array of doubles, rising, shape (m + 1,), m at least 1
        Pieces of length 0 are allowed, and dropped.
    lefts, rights : arrays of doubles, shape (m,), nats
        The logarithm of the density, up to a constant, at the left and at the right end of each piece.

    Raises
    ------
    InvalidArgument
        When edges do not rise or all are one, or shapes do not match, or something is no finite number.

    Examples
    --------
    >>> triangle = LogLinearPieces([0.0, 1.0, 3.0], [0.0, 2.0], [2.0, 0.0])
    >>> round(math.exp(triangle.log_probability(0.0, 1.0)), 6)
    0.333333
    >>> round(triangle.loss(LogLinearPieces([0.0, 3.0], [1.0], [1.0])), 6)
    1.161439
    """

    edges: Floats
    lefts: Floats
    rights: Floats

    def __init__(self, edges: Any, lefts: Any, rights: Any) -> None:
        ends, one, other = doubles("edges", edges), doubles("lefts", lefts), doubles("rights", rights)
        if ends.ndim != 1 or len(ends) < 2 or not np.isfinite(ends).all() or not (np.diff(ends) >= 0).all():
            raise InvalidArgument(f"edges must be rising finite numbers, at least 2, shape (m + 1,), got {edges!r}")
        if not ends[-1] > ends[0]:
            raise InvalidArgument(f"edges must span an interval, got {ends[0]} at both ends")
        if not one.shape == other.shape == (len(ends) - 1,) or not (np.isfinite(one) & np.isfinite(other)).all():
            raise InvalidArgument(f"scores must be finite numbers, one for each of {len(ends) - 1} pieces")
        kept = np.diff(ends) > 0
        object.__setattr__(self, "edges", np.append(ends[:-1][kept], ends[-1]))
        object.__setattr__(self, "lefts", one[kept])
        object.__setattr__(self, "rights", other[kept])

    @property
    def low(self) -> float:
        """The left end of the interval."""
        return float(self.edges[0])

    @property
    def high(self) -> float:
        """The right end of the interval."""
        return float(self.edges[-1])

    @cached_property
    def log_masses(self) -> Floats:
        """The logarithms of the integrals over the pieces, before they are normalised; shape (m,)."""
        return _log_masses(np.diff(self.edges), self.lefts, self.rights)

    @cached_property
    def log_normaliser(self) -> float:
        """The logarithm of the integral over the interval."""
        return _log_sum(self.log_masses)

    @property
    def error(self) -> float:
        """A bound on how far logarithms of densities and probabilities are from the truth, nats.

        With A the largest logarithm on the way and m pieces: a few roundings of numbers of size A, and a sum of m
        exponentials; ``(16 A + m + 32) 2^-52``, of which a loss takes two.
        """
        largest = max(float(np.abs(each).max()) for each in (self.lefts, self.rights, self.log_masses))
        return (16.0 * largest + len(self.lefts) + 32.0) * 2.0**-52

    def cut(self, cuts: Any) -> LogLinearPieces:
        """The same density, up to a constant, with more edges; those outside the interval are ignored."""
        wanted = doubles("cuts", cuts)
        edges = np.union1d(self.edges, wanted[(wanted > self.low) & (wanted < self.high)])
        place = self.edges.searchsorted(edges[:-1], side="right") - 1
        return LogLinearPieces(edges, self._at(place, edges[:-1]), self._at(place, edges[1:]))

    def log_density(self, points: Any) -> Floats:
        """The logarithm of the density at points of any shape, nats; ``-inf`` outside the interval.

        At a jump the piece on the right counts.
        """
        x = np.asarray(points, dtype=np.float64)
        place = np.clip(self.edges.searchsorted(x, side="right") - 1, 0, len(self.lefts) - 1)
        found = self._at(place, x) - self.log_normaliser
        return np.asarray(np.where((x >= self.low) & (x <= self.high), found, -np.inf))

    def _at(self, place: NDArray[np.intp], x: Floats) -> Floats:
        """The unnormalised logarithm at x, by the piece given, its value at the nearer end kept exactly."""
        start, stop = self.edges[place], self.edges[place + 1]
        before, after = (x - start) / (stop - start), (stop - x) / (stop - start)
        left, right = self.lefts[place], self.rights[place]
        rise = right - left
        return np.asarray(np.where(before <= 0.5, left + rise * before, right - rise * after))

    def log_probability(self, low: float, high: float) -> float:
        """The logarithm of the probability of [low, high], nats; ``-inf`` where it is 0.

        Raises
        ------
        InvalidArgument
            When low is above high, or one is no number.
        """
        if not low <= high:
            raise InvalidArgument(f"low must be at most high, got {low!r} and {high!r}")
        starts, stops = np.maximum(self.edges[:-1], low), np.minimum(self.edges[1:], high)
        inside = np.flatnonzero(starts < stops)
        if not inside.size:
            return -math.inf
        starts, stops = starts[inside], stops[inside]
        masses = _log_masses(stops - starts, self._at(inside, starts), self._at(inside, stops))
        return min(0.0, _log_sum(masses) - self.log_normaliser)

    def sample(self, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent points, shape (size,).

        Which piece is drawn by :class:`~dpcheck.parts.mechanisms.choice.Choice`: none is lost, however small its mass,
        which is right to within ``error``. Where in it, as doubles allow: their low bits tell flat pieces from steep
        ones, so what must be private in every bit is a cell of a public grid
        (:class:`~dpcheck.parts.mechanisms.cells.PublicGrid`).
        """
        place = Choice(1, self.log_masses).sample(size, rng)
        slope = self.rights[place] - self.lefts[place]
        steep = np.abs(slope)
        uniform = rng.random(size)
        # an exponential variate modulo d is one that is cut off at d; for small d the inverse is sharper
        with np.errstate(invalid="ignore", divide="ignore"):
            gentle = np.where(steep > 0, -np.log1p(uniform * np.expm1(-steep)) / steep, uniform)
            share = np.where(steep > 1, np.fmod(rng.standard_exponential(size), steep) / steep, gentle)
        start, stop = self.edges[place], self.edges[place + 1]
        length = (stop - start) * share  # from the end where the density is larger
        return np.asarray(np.clip(np.where(slope > 0, stop - length, start + length), start, stop))

    def loss(self, other: LogLinearPieces) -> float:
        """The largest absolute log ratio of the two densities, nats; ``inf`` where the intervals differ.

        Between edges of either the log ratio is linear, so it is largest at one of them, from one of its sides. Right
        to within ``self.error + other.error``.
        """
        if (self.low, self.high) != (other.low, other.high):
            return math.inf
        edges = np.union1d(self.edges, other.edges)
        ends = [each._beside(edges) for each in (self, other)]
        return float(max(np.abs(one - two).max() for one, two in zip(*ends, strict=True)))

    def _beside(self, edges: Floats) -> tuple[Floats, Floats]:
        """Normalised logarithms just right of all edges but the last, and just left of all but the first."""
        place = self.edges.searchsorted(edges[:-1], side="right") - 1
        return (
            self._at(place, edges[:-1]) - self.log_normaliser,
            self._at(place, edges[1:]) - self.log_normaliser,
        )


def _log_masses(lengths: Floats, lefts: Floats, rights: Floats) -> Floats:
    """``log of length (e^b - e^a) / (b - a)``, which is ``length e^max (1 - e^-d) / d`` with d = |b - a|."""
    steep = np.abs(rights - lefts)
    with np.errstate(invalid="ignore", divide="ignore"):
        shape = np.where(steep > 0, np.log(-np.expm1(-steep) / steep), 0.0)
    return np.asarray(np.log(lengths) + np.maximum(lefts, rights) + shape)


def _log_sum(logs: Floats) -> float:
    top = float(logs.max())
    return top + math.log(float(np.exp(logs - top).sum()))


@dataclass(frozen=True, eq=False)
class PiecewiseConstant:
    """The exponential mechanism on an interval for a utility that is constant on each of m pieces: uniforms, mixed.

    The density is proportional to ``exp(rate utility)``; a piece has log-weight ``log length + rate score``.

    Parameters
    ----------
    edges : array of doubles, rising, shape (m + 1,), m at least 1
    scores : array of integers or doubles, shape (m,)
        The utility on each piece, higher is better.
    rate : Fraction or float (taken as the exact double), at least 0
        Nats per unit of the utility: ``epsilon / (2 sensitivity)``.

    Raises
    ------
    InvalidArgument
        When edges do not rise, scores are not one finite number for each piece, or the rate is negative.

    Source: McSherry & Talwar 2007, doi:10.1109/FOCS.2007.66; wang2016:alg-1 with Lebesgue's measure.

    Examples
    --------
    >>> thresholds = PiecewiseConstant([0.0, 0.5, 1.0], [0, -2], rate=Fraction(1, 2))
    >>> round(math.exp(thresholds.log_probability(0.0, 0.5)), 6)  # e / (e + 1)
    0.731059
    >>> thresholds.cells().exact.multiplicities
    (1, 1)
    """

    edges: Floats
    scores: NDArray[Any]
    rate: Fraction

    def __init__(self, edges: Any, scores: Any, rate: float | Fraction) -> None:
        values = np.asarray(scores)
        if values.dtype.kind not in "iuf" or values.ndim != 1:
            raise InvalidArgument(f"scores must be numbers, one for each piece, got {scores!r}")
        object.__setattr__(self, "edges", doubles("edges", edges))
        object.__setattr__(self, "scores", values)
        object.__setattr__(self, "rate", exact_at_least_zero("rate", rate))
        self.pieces  # noqa: B018  # refuses what is none

    @cached_property
    def pieces(self) -> LogLinearPieces:
        """The density itself."""
        logs = _scaled(self.scores, self.rate)
        return LogLinearPieces(self.edges, logs, logs)

    def log_density(self, points: Any) -> Floats:
        """The logarithm of the density at points of any shape, nats; ``-inf`` outside the interval."""
        return self.pieces.log_density(points)

    def log_probability(self, low: float, high: float) -> float:
        """The logarithm of the probability of [low, high], nats."""
        return self.pieces.log_probability(low, high)

    def sample(self, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent points, shape (size,)."""
        return self.pieces.sample(size, rng)

    def loss(self, other: PiecewiseConstant | PiecewiseExponential) -> float:
        """The largest absolute log ratio of the two densities, nats."""
        return self.pieces.loss(other.pieces)

    def cells(self, cuts: Iterable[float] = ()) -> Law:
        """The exact law of the cell (low, high) that the output falls in.

        With the edges of a neighbour's density as cuts both laws have the same cells, both densities are constant on
        them, and the loss on cells, which integer scores let an audit decide exactly, is that of the densities.

        Parameters
        ----------
        cuts : doubles at which cells are cut besides the edges; those outside the interval are ignored

        Raises
        ------
        InvalidArgument
            When scores are no integers.
        """
        if self.scores.dtype.kind == "f":
            raise InvalidArgument(f"scores must be integers for an exact law, got an array {self.scores.dtype}")
        wanted = np.asarray(list(cuts), dtype=np.float64)
        inside = wanted[(wanted > self.edges[0]) & (wanted < self.edges[-1])]
        ends = np.union1d(self.edges, inside)
        place = self.edges.searchsorted(ends[:-1], side="right") - 1
        exact = [Fraction(end) for end in ends.tolist()]
        unit = math.lcm(*(end.denominator for end in exact))
        lengths = [int((b - a) * unit) for a, b in pairwise(exact)]
        shared = math.gcd(*lengths)
        outputs = list(zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True))
        scores = IntegerScores(2 * self.rate, self.scores[place].tolist(), [each // shared for each in lengths])
        return Law(outputs, exact=scores)


@dataclass(frozen=True, eq=False)
class PiecewiseExponential:
    """The exponential mechanism on an interval for a continuous utility that is linear between m + 1 edges.

    The density is proportional to ``exp(rate utility)``: exponential on each piece.

    Parameters
    ----------
    edges : array of doubles, rising, shape (m + 1,), m at least 1
    utilities : array of doubles, shape (m + 1,)
        The utility at the edges, higher is better.
    rate : Fraction or float (taken as the exact double), at least 0
        Nats per unit of the utility: ``epsilon / (2 sensitivity)``.

    Raises
    ------
    InvalidArgument
        When edges do not rise, utilities are not one finite number for each edge, or the rate is negative.

    Source: wang2016:alg-1, ex-21 (absolute loss).

    Examples
    --------
    >>> median = PiecewiseExponential.of_absolute_loss([0.2, 0.4, 0.9], rate=10.0)
    >>> round(float(median.log_density(0.4) - median.log_density(0.2)), 12)  # 10 (0.9 - 0.7), the sums of distances
    2.0
    >>> round(median.loss(PiecewiseExponential.of_absolute_loss([0.2, 0.9, 0.9], rate=10.0)), 3)
    5.37
    """

    edges: Floats
    utilities: Floats
    rate: Fraction

    def __init__(self, edges: Any, utilities: Any, rate: float | Fraction) -> None:
        values, ends = doubles("utilities", utilities), doubles("edges", edges)
        if values.shape != ends.shape:
            raise InvalidArgument(f"utilities must be one for each edge ({ends.size}), got {values.size}")
        object.__setattr__(self, "edges", ends)
        object.__setattr__(self, "utilities", values)
        object.__setattr__(self, "rate", exact_at_least_zero("rate", rate))
        self.pieces  # noqa: B018  # refuses what is none

    @classmethod
    def of_absolute_loss(
        cls, records: Any, rate: float | Fraction, low: float = 0.0, high: float = 1.0
    ) -> PiecewiseExponential:
        """The utility ``-sum_i |h - z_i|`` of h in [low, high]; of n records in O(n log n).

        Parameters
        ----------
        records : array of doubles, shape (n,), anywhere
        rate : Fraction or float
        low, high : float, the interval

        Raises
        ------
        InvalidArgument
            When the interval is none, or a record no finite number.
        """
        points = np.sort(np.asarray(records, dtype=np.float64).reshape(-1))
        start, stop = real("low", low), real("high", high)
        if not start < stop or not np.isfinite(points).all():
            raise InvalidArgument(f"records must be finite and low below high, got {records!r} in [{low}, {high}]")
        inside = np.unique(points[(points > start) & (points < stop)])
        edges = np.concatenate([[start], inside, [stop]])
        # slopes are integers: records on the right less records on the left of the piece
        below = points.searchsorted(edges[:-1], side="right")
        slopes = (len(points) - 2 * below).astype(np.float64)
        first = -float(np.abs(points - start).sum())
        return cls(edges, np.concatenate([[first], first + np.cumsum(slopes * np.diff(edges))]), rate)

    @cached_property
    def pieces(self) -> LogLinearPieces:
        """The density itself."""
        logs = _scaled(self.utilities, self.rate)
        return LogLinearPieces(self.edges, logs[:-1], logs[1:])

    def log_density(self, points: Any) -> Floats:
        """The logarithm of the density at points of any shape, nats; ``-inf`` outside the interval."""
        return self.pieces.log_density(points)

    def log_probability(self, low: float, high: float) -> float:
        """The logarithm of the probability of [low, high], nats."""
        return self.pieces.log_probability(low, high)

    def sample(self, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent points, shape (size,)."""
        return self.pieces.sample(size, rng)

    def loss(self, other: PiecewiseConstant | PiecewiseExponential) -> float:
        """The largest absolute log ratio of the two densities, nats."""
        return self.pieces.loss(other.pieces)


def _scaled(scores: NDArray[Any], rate: Fraction) -> Floats:
    """``rate (score - best)``: a large constant of the utility does not cost digits."""
    if not scores.size or not np.isfinite(scores).all():
        raise InvalidArgument(f"scores must be finite numbers, at least one, got {scores!r}")
    if scores.dtype.kind == "f":
        return np.asarray((scores - scores.max()).astype(np.float64) * float(rate))
    whole = scores.astype(np.uint64 if scores.dtype.kind == "u" else np.int64)
    return np.asarray((whole.max() - whole).view(np.uint64).astype(np.float64) * -float(rate))
