"""Losses of the General Learning Setting: l(h, z) of a hypothesis on a record, their range and how far they swing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import describe_value, private_part, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import HypothesisClass, mistakes
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.parameters import count, real

#: Cells of the tables of losses that are worked on at once: they stay within some tens of megabytes.
_CELLS = 1 << 22
#: Sums of powers of so many bits add up and multiply in 64.
_WHOLE_BITS = 59
#: Bits of a double's significand.
_SIGNIFICAND = 53


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of losses: ``values`` times ``unit``. Integers are exact; doubles are rounded.

    Parameters
    ----------
    values : array of integers or doubles, shape (k,)
    unit : Fraction above 0

    Examples
    --------
    >>> Sums(np.array([3, 4]), Fraction(1, 2)).as_floats().tolist()
    [1.5, 2.0]
    """

    values: NDArray[Any]
    unit: Fraction

    def as_floats(self) -> NDArray[np.float64]:
        """The sums as doubles, shape (k,)."""
        return np.asarray(self.values * float(self.unit), dtype=np.float64)


@runtime_checkable
class Loss(Protocol):
    """A loss l(h, z); hypotheses are rows of an array (or callables in a list), records those of a dataset."""

    def bounds(self, hypotheses: Any) -> tuple[Any, Any]:
        """The least and the largest value over these hypotheses and all records (infinite where there is none)."""
        ...

    def swing(self, hypotheses: Any) -> Any:
        """``sup |l(h, z) - l(h, z')|`` over these hypotheses and all records; ``inf`` where there is none."""
        ...

    def values(self, hypotheses: Any, dataset: Any) -> NDArray[Any]:
        """The losses, shape (hypotheses, records)."""
        ...


@runtime_checkable
class AddsUp(Protocol):
    """The optional ability to add up losses faster, or more exactly, than by listing them."""

    def sums(self, hypotheses: Any, dataset: Any) -> Sums:
        """The sum of the losses on all records, for each hypothesis."""
        ...


def sums_of(loss: Loss, hypotheses: Any, dataset: Any) -> Sums:
    """``sum_i l(h, z_i)`` for each hypothesis: n times its empirical risk.

    Examples
    --------
    >>> sums_of(PowerLoss(), [0.0, 0.5], [0, 1, 1]).as_floats().tolist()
    [2.0, 1.5]
    """
    if isinstance(loss, AddsUp):
        return cast(AddsUp, loss).sums(hypotheses, dataset)
    rows = max(1, _CELLS // max(1, size_of(dataset)))
    parts = [
        loss.values(hypotheses[start : start + rows], dataset).sum(axis=1) for start in range(0, len(hypotheses), rows)
    ]
    return Sums(np.concatenate(parts).astype(np.float64) if parts else np.zeros(0), Fraction(1))


def checked_loss(loss: Any) -> Loss:
    """A loss as given.

    Raises
    ------
    InvalidArgument
        When it lacks one of the protocol's methods.
    """
    if not isinstance(loss, Loss):
        raise InvalidArgument(f"loss must have the methods bounds, swing and values, got {loss!r}")
    return loss


@dataclass(frozen=True)
class ZeroOneLoss:
    """``1(h(x) != y)`` for the hypotheses of a class, on labelled records.

    Parameters
    ----------
    family : HypothesisClass

    Raises
    ------
    InvalidArgument
        When it is no hypothesis class.

    Source: wang2016:tab-1, binary classification.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> ZeroOneLoss(GridThresholds(4)).sums([0, 2, 4], ([1, 2, 3], [0, 1, 0])).values.tolist()
    [2, 1, 1]
    """

    family: HypothesisClass

    def __post_init__(self) -> None:
        if not isinstance(self.family, HypothesisClass):
            raise InvalidArgument(f"family must be a hypothesis class, got {self.family!r}")

    def bounds(self, hypotheses: Any) -> tuple[int, int]:
        """0 and 1."""
        return 0, 1

    def swing(self, hypotheses: Any) -> int:
        """1: the same point with another label."""
        return 1

    def values(self, hypotheses: Any, dataset: Any) -> NDArray[np.uint8]:
        """0 or 1, shape (hypotheses, records)."""
        x, y = private_records(dataset)
        found = self.family.predict(np.asarray(hypotheses), self.family.points(x))
        return np.asarray(found != np.asarray(y)[None, :], dtype=np.uint8)

    def sums(self, hypotheses: Any, dataset: Any) -> Sums:
        """Mistakes: integers in units of 1."""
        return Sums(mistakes(self.family, np.asarray(hypotheses), *private_records(dataset)), Fraction(1))


@dataclass(frozen=True)
class PowerLoss:
    """``|h - z|^power`` for numbers h and records z in an interval; records beyond it are moved to its ends.

    The range is [0, (high - low)^power] while hypotheses are inside too; ``Rescaled`` brings it to [0, 1]. Doubles
    of few bits (0.5, 0.25) are added up as integers, exactly.

    Parameters
    ----------
    power : int, at least 1
        1 the absolute loss, 2 the squared one, 10 that of the paper's appendix B.
    low, high : float, ends of the interval of records

    Raises
    ------
    InvalidArgument
        When the power is no such integer, or low is not below high.

    Source: wang2016 section 4 (ex-21), appendix B.

    Examples
    --------
    >>> loss = PowerLoss(10)
    >>> loss.swing([0.25, 0.5])  # at h = 1/4, between z = 1 and z = h
    Fraction(59049, 1048576)
    """

    power: int = 1
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "power", count("power", self.power))
        object.__setattr__(self, "low", real("low", self.low))
        object.__setattr__(self, "high", real("high", self.high))
        if not self.low < self.high:
            raise InvalidArgument(f"low must be below high, got low {self.low:g} and high {self.high:g}")

    def bounds(self, hypotheses: Any) -> tuple[Fraction, Fraction]:
        """The least and the largest ``|h - z|^power``, exactly."""
        ends = [self._ends(h) for h in self._extremes(hypotheses)]
        inside = np.asarray(hypotheses, dtype=np.float64)
        near = Fraction(0) if ((inside >= self.low) & (inside <= self.high)).any() else min(a for a, _ in ends)
        return near, max(b for _, b in ends)

    def swing(self, hypotheses: Any) -> Fraction:
        """The largest ``max_z |h - z|^power - min_z |h - z|^power``, exactly.

        For each h it is between an end of the interval and its point nearest to h, and convex in h: the outermost
        hypotheses have the largest.
        """
        return max(b - a for a, b in (self._ends(h) for h in self._extremes(hypotheses)))

    def _extremes(self, hypotheses: Any) -> tuple[Fraction, Fraction]:
        array = self._hypotheses(hypotheses)
        return Fraction(float(array.min())), Fraction(float(array.max()))

    def _ends(self, h: Fraction) -> tuple[Fraction, Fraction]:
        low, high = Fraction(self.low), Fraction(self.high)
        near = max(low - h, h - high, Fraction(0))
        return near**self.power, max(h - low, high - h) ** self.power

    def _hypotheses(self, hypotheses: Any) -> NDArray[np.float64]:
        array = np.asarray(hypotheses, dtype=np.float64)
        if array.ndim != 1 or not array.size or not np.isfinite(array).all():
            raise InvalidArgument(f"hypotheses must be finite numbers, at least one, got {describe_value(hypotheses)}")
        return array

    def records(self, dataset: Any) -> NDArray[np.float64]:
        """The records as numbers of the interval, shape (n,).

        Raises
        ------
        InvalidArgument
            When they are no numbers, or one is not a number.
        """
        return numbers_in(dataset, self.low, self.high)

    def values(self, hypotheses: Any, dataset: Any) -> NDArray[np.float64]:
        """``|h - z|^power``, shape (hypotheses, records)."""
        apart = np.abs(self._hypotheses(hypotheses)[:, None] - self.records(dataset)[None, :])
        return np.asarray(apart**self.power)

    def sums(self, hypotheses: Any, dataset: Any) -> Sums:
        """The sums; exact where hypotheses and records have few bits, O((k + n) log n) for powers 1 and 2."""
        h, z = self._hypotheses(hypotheses), self.records(dataset)
        bits = _bits_behind_the_point(np.concatenate([h, z]))
        widest = np.log2(np.abs(h).max() + max(abs(self.low), abs(self.high)) + 1) + bits
        if widest * self.power + np.log2(len(z) + 1) < _WHOLE_BITS:
            h, z = np.rint(h * 2.0**bits).astype(np.int64), np.rint(z * 2.0**bits).astype(np.int64)
        else:
            bits, h, z = 0, h - self.low, z - self.low  # sums of what is near 0 cancel less
        found = _SHORTER[self.power](h, z) if self.power in _SHORTER else _sums_of_powers(h, z, self.power)
        return Sums(found, Fraction(1, 2 ** (bits * self.power)))


def numbers_in(dataset: Any, low: float, high: float) -> NDArray[np.float64]:
    """A dataset's private part as numbers, those beyond an interval moved to its ends; shape (n,).

    Raises
    ------
    InvalidArgument
        When a record is no number, or not a number (NaN).

    Examples
    --------
    >>> numbers_in([0.5, 3, -1], 0.0, 1.0).tolist()
    [0.5, 1.0, 0.0]
    """
    array = np.asarray(private_part(dataset))
    if array.size == 0:
        return np.zeros(0)
    if array.ndim != 1 or array.dtype.kind not in "buif" or np.isnan(array.astype(np.float64)).any():
        raise InvalidArgument(f"dataset must hold numbers, got {describe_value(dataset)}")
    return np.clip(array.astype(np.float64), low, high)


def _bits_behind_the_point(values: NDArray[np.float64]) -> int:
    """The least b with ``2^b`` times each value an integer."""
    significands, exponents = np.frexp(values[values != 0])
    if not significands.size:
        return 0
    whole = np.abs(np.ldexp(significands, _SIGNIFICAND).astype(np.int64))
    lowest = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    return max(0, int((_SIGNIFICAND - exponents - lowest).max()))


def _sums_of_distances(h: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
    """``sum_i |h - z_i|`` for each h, by sums over sorted records."""
    z = np.sort(z)
    up_to = np.concatenate([np.zeros(1, dtype=z.dtype), np.cumsum(z)])
    below = np.searchsorted(z, h, side="left")
    return np.asarray(h * (2 * below - len(z)) + up_to[-1] - 2 * up_to[below])


def _sums_of_squares(h: NDArray[Any], z: NDArray[Any]) -> NDArray[Any]:
    """``sum_i (h - z_i)^2`` for each h; doubles around their mean, where nothing cancels."""
    if z.dtype.kind == "i":
        return np.asarray(len(z) * h**2 - 2 * h * z.sum() + (z**2).sum())
    middle = z.mean() if len(z) else 0.0
    return np.asarray(len(z) * (h - middle) ** 2 + ((z - middle) ** 2).sum())


#: The powers whose sums need not list all distances.
_SHORTER: dict[int, Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]] = {
    1: _sums_of_distances,
    2: _sums_of_squares,
}


def _sums_of_powers(h: NDArray[Any], z: NDArray[Any], power: int) -> NDArray[Any]:
    """``sum_i |h - z_i|^power`` for each h."""
    z, times = np.unique(z, return_counts=True)
    rows = max(1, _CELLS // max(1, len(z)))
    parts = [
        (np.abs(h[start : start + rows, None] - z[None, :]) ** power * times).sum(axis=1)
        for start in range(0, len(h), rows)
    ]
    return np.concatenate(parts)


@dataclass(frozen=True)
class Clipped:
    """A loss of which values beyond a range are moved to its ends: bounded, whatever the loss.

    Parameters
    ----------
    loss : Loss
    low, high : number, the range

    Raises
    ------
    InvalidArgument
        When loss is no loss, or low is not below high.

    Source: the assumption 0 <= l <= 1 of wang2016:asm-A1.

    Examples
    --------
    >>> Clipped(PowerLoss(2, 0, 10), 0, 1).values([0.0], [0.5, 3.0]).tolist()
    [[0.25, 1.0]]
    """

    loss: Loss
    low: Any = 0
    high: Any = 1

    def __post_init__(self) -> None:
        _checked_range(self.loss, self.low, self.high)

    def bounds(self, hypotheses: Any) -> tuple[Any, Any]:
        """Those of the loss, moved into the range."""
        low, high = self.loss.bounds(hypotheses)
        return min(max(low, self.low), self.high), min(max(high, self.low), self.high)

    def swing(self, hypotheses: Any) -> Any:
        """At most that of the loss, and at most the width of the values in the range: an upper bound."""
        low, high = self.bounds(hypotheses)
        return min(self.loss.swing(hypotheses), _exact(high) - _exact(low))

    def values(self, hypotheses: Any, dataset: Any) -> NDArray[np.float64]:
        """The losses, shape (hypotheses, records)."""
        found = np.asarray(self.loss.values(hypotheses, dataset), dtype=np.float64)
        return np.clip(found, float(self.low), float(self.high))


@dataclass(frozen=True)
class Rescaled:
    """``(l - low) / (high - low)`` for a loss with values from low to high: a loss with values in [0, 1].

    Parameters
    ----------
    loss : Loss
    low, high : number
        The range of the loss on the hypotheses in use; where it has values beyond it, clip it first.

    Raises
    ------
    InvalidArgument
        When loss is no loss, low is not below high, or (at the first use) a loss can lie outside.

    Source: the assumption 0 <= l <= 1 of wang2016:asm-A1.

    Examples
    --------
    >>> Rescaled(PowerLoss(1, 0, 4), 0, 4).sums([1.0], [0, 4]).as_floats().tolist()
    [1.0]
    """

    loss: Loss
    low: Any
    high: Any

    def __post_init__(self) -> None:
        _checked_range(self.loss, self.low, self.high)

    @property
    def _width(self) -> Fraction:
        return Fraction(self.high) - Fraction(self.low)

    def bounds(self, hypotheses: Any) -> tuple[Fraction, Fraction]:
        """Those of the loss, rescaled."""
        low, high = self.loss.bounds(hypotheses)
        if not self.low <= low <= high <= self.high:
            raise InvalidArgument(
                f"low and high must enclose the loss, which is from {float(low):g} to {float(high):g}, got "
                f"{float(self.low):g} and {float(self.high):g}"
            )
        return (Fraction(low) - Fraction(self.low)) / self._width, (Fraction(high) - Fraction(self.low)) / self._width

    def swing(self, hypotheses: Any) -> Fraction:
        """That of the loss, rescaled."""
        return Fraction(self.loss.swing(hypotheses)) / self._width

    def values(self, hypotheses: Any, dataset: Any) -> NDArray[np.float64]:
        """The losses, shape (hypotheses, records)."""
        return np.asarray((self.loss.values(hypotheses, dataset) - float(self.low)) / float(self._width))

    def sums(self, hypotheses: Any, dataset: Any) -> Sums:
        """The sums; integers stay integers where ``low`` is 0."""
        found = sums_of(self.loss, hypotheses, dataset)
        if self.low == 0:
            return Sums(found.values, found.unit / self._width)
        return Sums((found.as_floats() - float(self.low) * size_of(dataset)) / float(self._width), Fraction(1))


def _exact(value: Any) -> Any:
    return Fraction(value) if np.isfinite(float(value)) else value


def _checked_range(loss: Any, low: Any, high: Any) -> None:
    checked_loss(loss)
    if not real("low", low) < real("high", high):
        raise InvalidArgument(f"low must be below high, got low {low!r} and high {high!r}")
