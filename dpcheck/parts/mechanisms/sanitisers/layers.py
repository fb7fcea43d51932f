"""Exact draws of a database with probability proportional to the exponential of its largest error.

With ``q = exp(-rate)`` and E a geometric number, ``q^M = Pr[E >= M]``. So a database S with the weight
``q^(M(S))``, M the largest ``|G|`` (:mod:`~dpcheck.parts.mechanisms.sanitisers.bands`), comes of drawing (E, S) with
the weight ``(1 - q) q^E`` where ``M(S) <= E``: S is then uniform among the databases of a band, which can be counted.
With ``q^(max G - min G)`` there are two such numbers, one for each side of the band.

The values of E are too many to count the databases for each. They are cut in cells: intervals, or rectangles for
two numbers. A cell ``a <= E < b`` is proposed with the weight ``(q^a - q^b) N(b - 1)``, N(e) being the number of
databases in the band e; a database is drawn uniformly among these N(b - 1), and kept with the probability that E is at
least M(S), given that it is in the cell. That is the law exactly, whatever the cells are: they only decide how often a
proposal is kept. Those that lose most are halved, as long as it is worth it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.sanitisers.bands import BandTable, Reference
from dpcheck.parts.mechanisms.uniform_integers import integers_below

#: Cells are halved until so much of what is proposed is certain to be kept (of one number, and of two), or they have so
#: many segments together: some seconds of work.
_KEPT = {1: 0.5, 2: 0.03}
_MOST_SEGMENTS = 1 << 22
#: Cells are halved at a time whose loss is at least this part of an even share of the whole.
_SHARE = 0.25
#: Where all scores together weigh less than this many nats, there is nothing to be gained by cells.
_FLAT = 2.0**-20
#: More nats than this, of all scores together, are not known to a thousandth.
_STEEPEST = 2.0**36
#: Weights are integers of together a little less than 2 to this power.
_BITS = 60
_ONE = 1 << _BITS
#: Relative error of the exponentials, products and quotients of a few doubles, besides that of their logarithms.
_ROUNDING = 2.0**-46
#: Bits drawn at once.
_WORD = 64
#: Tables of so many cells are kept: each may have megabytes.
_TABLES = 16


@dataclass(frozen=True, eq=False)
class Layers:
    """The law of a database S of k points with the weight ``exp(-rate M(S))``.

    Parameters
    ----------
    reference : Reference
        The dataset, and the databases that are counted.
    rate : Fraction, at least 0
        Nats per unit of G.
    two_sided : bool
        Whether M is ``max G - min G``, which is the largest error in an interval, or ``max |G|``, that in a threshold.

    Examples
    --------
    >>> layers = Layers(Reference(np.array([1, 1, 2]), 4, 2), Fraction(1, 4))
    >>> layers.sample(3, np.random.default_rng()).shape
    (3, 2)
    """

    reference: Reference
    rate: Fraction
    two_sided: bool = False

    def largest(self, databases: NDArray[np.int64]) -> NDArray[np.int64]:
        """M of each database, or its two parts: shape (C, 1) or (C, 2)."""
        above, under = self.reference.extremes(databases)
        if self.two_sided:
            return np.stack([above, under], axis=1)
        return np.maximum(above, under)[:, None]

    @cached_property
    def cells(self) -> Cells:
        """The cells, halved until enough of what is proposed is kept.

        Raises
        ------
        InvalidArgument
            When the rate is so large that the logarithms of weights are not known well enough.
        """
        cells = self._whole()
        nats = float(self.rate) * self.reference.widest
        if not nats <= _STEEPEST:
            raise InvalidArgument(
                f"epsilon must be at most {2 * _STEEPEST:g} divided by the number of points, so that epsilon n / 2 is "
                f"at most {_STEEPEST:g}, got {nats:g} for this"
            )
        if nats < _FLAT:
            return cells
        while len(cells.starts) * (2 * self.reference.size + 1) < _MOST_SEGMENTS:
            weights = np.exp(cells.log_weights - cells.log_weights.max())
            loss = weights * -np.expm1(np.minimum(cells.floors - cells.tops, 0.0))
            loss[(cells.ends - cells.starts == 1).all(axis=1)] = 0.0
            if loss.sum() <= (1 - _KEPT[cells.starts.shape[1]]) * weights.sum():
                break
            cells = self._halved(cells, loss >= _SHARE * loss.sum() / max(1, np.count_nonzero(loss)))
        return cells

    def _whole(self) -> Cells:
        """One cell of all there is."""
        starts = np.zeros((1, 2 if self.two_sided else 1), dtype=np.int64)
        ends = starts + self.reference.widest + 1
        tops, error = self._counts(ends - 1)
        floors, error_of_floors = self._counts(starts)
        return Cells(starts, ends, self._geometric(starts, ends), tops, floors, max(error, error_of_floors))

    def _halved(self, cells: Cells, which: NDArray[np.bool_]) -> Cells:
        """The cells after some are halved, each along its longest side; those without a database are left out."""
        starts, ends = cells.starts[which], cells.ends[which]
        rows = np.arange(len(starts))
        side = (ends - starts).argmax(axis=1)
        middles = (starts[rows, side] + ends[rows, side]) // 2
        before, after = ends.copy(), starts.copy()
        before[rows, side] = middles
        after[rows, side] = middles
        # a lower half has its first corner in common with the whole, an upper half its last
        counts, error = self._counts(np.concatenate([before - 1, after]))
        tops = np.concatenate([counts[: len(rows)], cells.tops[which]])
        floors = np.concatenate([cells.floors[which], counts[len(rows) :]])
        starts, ends = np.concatenate([starts, after]), np.concatenate([before, ends])
        geometric = self._geometric(starts, ends)
        kept = tops > -np.inf
        return Cells(
            np.concatenate([cells.starts[~which], starts[kept]]),
            np.concatenate([cells.ends[~which], ends[kept]]),
            np.concatenate([cells.geometric[~which], geometric[kept]]),
            np.concatenate([cells.tops[~which], tops[kept]]),
            np.concatenate([cells.floors[~which], floors[kept]]),
            max(cells.error, error),
        )

    def _counts(self, corners: NDArray[np.int64]) -> tuple[NDArray[np.float64], float]:
        """The logarithms of the numbers of databases where E is at most this, shape (C,), and their error.

        The error is that of the sum with the logarithm of a cell's probability, too.
        """
        counts, error = self.reference.log_counts(corners[:, 0], corners[:, -1])
        return counts, error + 16 * 2.0**-53 * (float(self.rate) * self.reference.widest + 8)

    def _geometric(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
        """The logarithms of the probabilities that E is in each cell, shape (C,)."""
        rate = float(self.rate)
        with np.errstate(divide="ignore"):
            within = np.log(-np.expm1(-rate * (ends - starts)))
        return np.asarray((np.where(ends > self.reference.widest, 0.0, within) - rate * starts).sum(axis=1))

    @cached_property
    def _proposals(self) -> tuple[NDArray[np.int64], float, int]:
        """Where the integers of each cell end, the logarithm of the unit, and how many powers of 2 it is cut in."""
        cells = self.cells
        top = float(cells.log_weights.max())
        weights = np.exp(cells.log_weights - top)
        shift = _BITS - math.frexp(float(weights.sum()))[1] - 1
        integers = (weights * 2.0**shift * (1 + 4 * cells.error + _ROUNDING)).astype(np.int64) + 1
        return np.cumsum(integers), top, shift

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """``size`` independent databases, each sorted, shape (size, k); exact: see the module.

        The cells and their tables serve all of them.
        """
        parts, left = [np.empty((0, self.reference.size), dtype=np.int64)], size
        while left:
            kept = self._kept_of(left, rng)
            parts.append(kept)
            left -= len(kept)
        return np.concatenate(parts)

    def _kept_of(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Those kept of so many proposals, in the order they were made."""
        ends, _, _ = self._proposals
        cells = ends.searchsorted(integers_below(int(ends[-1]), size, rng), side="right")
        low, high = self._shares
        proposed = self._happen(low[cells], high[cells], lambda row: self._share(int(cells[row])), rng)
        return self._drawn_in(cells[proposed], rng)

    def _drawn_in(self, cells: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.int64]:
        """A database for each of these cells, uniform in its band; those that are kept."""
        databases = np.empty((len(cells), self.reference.size), dtype=np.int64)
        for cell in np.unique(cells).tolist():
            here = cells == cell
            databases[here] = self._table(cell).sample(int(here.sum()), rng)
        starts, ends, largest = self.cells.starts[cells], self.cells.ends[cells], self.largest(databases)
        rate, reached = float(self.rate), np.maximum(largest, starts)
        steps = rate * (reached - starts)
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.expm1(-rate * (ends - reached)) / np.expm1(-rate * (ends - starts))
        left[(reached == starts) | (ends > self.reference.widest)] = 1.0
        shares = np.exp(-steps.sum(axis=1)) * left.prod(axis=1)
        slack = np.where((reached == starts).all(axis=1), 0.0, _ROUNDING * (1 + steps.sum(axis=1)))

        def exactly(row: int) -> Any:
            return self._part_kept(starts[row].tolist(), ends[row].tolist(), reached[row].tolist())

        return databases[self._happen(shares * (1 - slack), shares * (1 + slack), exactly, rng)]

    def _happen(
        self,
        low: NDArray[np.float64],
        high: NDArray[np.float64],
        exactly: Callable[[int], Any],
        rng: np.random.Generator,
    ) -> NDArray[np.bool_]:
        """Which of several things of known probabilities happen; those in doubt are settled one by one."""
        drawn = rng.integers(_ONE, size=len(low))
        found = drawn < np.floor(low * _ONE).astype(np.int64)
        for row in np.flatnonzero(~found & (drawn < np.ceil(np.minimum(high, 1.0) * _ONE).astype(np.int64))).tolist():
            found[row] = settled(int(drawn[row]), partial(exactly, row), rng)
        return found

    @cached_property
    def _table(self) -> Callable[[int], BandTable]:
        @lru_cache(maxsize=_TABLES)
        def table(cell: int) -> BandTable:
            corner = (self.cells.ends[cell] - 1).tolist()
            return self.reference.table(corner[0], corner[-1])

        return table

    @cached_property
    def _shares(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Between what the exact weight of each cell, as part of the integers it has, is known to lie."""
        ends, top, shift = self._proposals
        lengths = np.diff(ends, prepend=0)
        shares = np.exp(self.cells.log_weights - top - np.log(lengths) + shift * math.log(2))
        slack = 4 * self.cells.error + _ROUNDING
        return shares * (1 - slack), shares * (1 + slack)

    def _share(self, cell: int) -> Any:
        """That part as a ball."""
        from flint import arb

        ends, top, shift = self._proposals
        length = int(ends[cell]) - (int(ends[cell - 1]) if cell else 0)
        weight = arb(self._table(cell).count)
        for start, stop in zip(self.cells.starts[cell].tolist(), self.cells.ends[cell].tolist(), strict=True):
            weight *= self._power(start) - self._power(stop)
        return weight * arb(-top).exp() * arb(2) ** shift / length

    def _part_kept(self, starts: list[int], ends: list[int], reached: list[int]) -> Any:
        """The probability that E, drawn within a cell, is at least so much; both, for two numbers: as a ball."""
        from flint import arb

        found = arb(1)
        for start, end, value in zip(starts, ends, reached, strict=True):
            over = self._power(end)
            found *= (self._power(value) - over) / (self._power(start) - over)
        return found

    def _power(self, exponent: int) -> Any:
        """``exp(-rate exponent)`` as a ball; 0 for the end of the last cell, which stands for infinity."""
        from flint import arb, fmpq

        if exponent > self.reference.widest:
            return arb(0)
        return arb(fmpq(-self.rate.numerator * exponent, self.rate.denominator)).exp()


@dataclass(frozen=True, eq=False)
class Cells:
    """Intervals, or rectangles, of the geometric numbers: from ``starts`` to before ``ends``, shapes (C, 1 or 2).

    ``geometric`` are the logarithms of the probabilities of the cells, ``tops`` and ``floors`` those of the numbers of
    databases in the bands of their last and first corners, shapes (C,); ``error`` is how far a sum of two may be off.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    geometric: NDArray[np.float64]
    tops: NDArray[np.float64]
    floors: NDArray[np.float64]
    error: float

    @cached_property
    def log_weights(self) -> NDArray[np.float64]:
        """The logarithms of the weights that the cells are proposed with, shape (C,)."""
        return self.geometric + self.tops


def settled(drawn: int, exactly: Callable[[], Any], rng: np.random.Generator) -> bool:
    """Whether a uniform number, of which the first bits are known, is below a probability; exact, given random bits.

    Parameters
    ----------
    drawn : int
        The first 60 bits of the number.
    exactly : callable without arguments
        The probability as a ball, at the precision of ``flint.ctx``.

    Examples
    --------
    >>> from flint import arb
    >>> settled(0, lambda: arb("0.5"), np.random.default_rng()), settled(2**60 - 1, lambda: arb("0.5"), None)
    (True, False)
    """
    from flint import arb, ctx

    bits = _BITS
    while True:
        with ctx.workprec(2 * bits + _WORD):
            scaled = exactly() * arb(2) ** bits
            if arb(drawn + 1) <= scaled:
                return True
            if arb(drawn) >= scaled:
                return False
        drawn = (drawn << _WORD) + int(rng.integers(1 << _WORD, dtype=np.uint64))
        bits += _WORD
