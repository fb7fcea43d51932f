"""Stability, generalisation and empirical risk of a learner, exactly: on finite problems, from its declared law.

Everything here is a function of one table, the expected loss of the learner's output at each record, for each dataset
of a size. How much it changes when a record is replaced is the stability; averaged over the dataset itself it is the
empirical risk, over a distribution the risk. Entries are fractions where laws are, else balls, so that every number
is exact or enclosed. :mod:`dpcheck.utility.measured_stability` does the same by trials where no law is declared.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.inner import law_method
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.risk import linear_program
from dpcheck.parts.risk.problems import FiniteProblem
from dpcheck.utility.arguments import whole

#: Tables of more datasets are not made.
MOST_DATASETS = 1 << 17
#: Two numbers that differ by more than this in doubles differ in truth: entries are right to far less.
_CLEARLY = 1e-9
#: Entries are to be enclosed at least so narrowly.
_NARROW = 1e-12
_BITS = 128


@dataclass(frozen=True)
class Bounds:
    """A number that is from ``low`` to ``high``, both fractions; equal where it is known exactly.

    Examples
    --------
    >>> Bounds(Fraction(1, 3), Fraction(1, 3)).exact, float(Bounds(Fraction(1, 4), Fraction(3, 4)))
    (True, 0.5)
    """

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        """Whether it is one fraction."""
        return self.low == self.high

    def __float__(self) -> float:
        return float((self.low + self.high) / 2)

    def __add__(self, other: Bounds) -> Bounds:
        return Bounds(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Bounds) -> Bounds:
        return Bounds(self.low - other.high, self.high - other.low)

    def magnitude(self) -> Bounds:
        """The absolute value."""
        low = max(self.low, -self.high, Fraction(0))
        return Bounds(low, max(self.high, -self.low))


@dataclass(frozen=True)
class Risks:
    """Expectations over a sample from a distribution and the learner's coins.

    ``excess`` is the risk above the best one in the class, ``empirical`` the risk on the sample itself,
    ``above_minimum`` the empirical risk above the least one on the sample (the AERM rate), ``gap`` the risk minus the
    empirical risk (the generalisation gap).
    """

    risk: Bounds
    excess: Bounds
    empirical: Bounds
    above_minimum: Bounds
    gap: Bounds


@dataclass(frozen=True, eq=False)
class ExpectedLosses:
    """``E l(A(Z), z)`` for each dataset Z and record z of a finite problem; see :func:`expected_losses`.

    ``counts`` (datasets, records) says how often each record occurs in each dataset, ``weights`` (datasets,) in how
    many orders, ``pairs`` (pairs, 2) which datasets are neighbours, ``entries`` are fractions or balls.
    """

    problem: FiniteProblem
    size: int
    counts: NDArray[np.int64]
    weights: tuple[int, ...]
    pairs: NDArray[np.int64]
    entries: tuple[tuple[Any, ...], ...]

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """The entries as doubles, shape (datasets, records)."""
        return np.array([[float(entry) for entry in row] for row in self.entries])

    def stability(self) -> Bounds:
        """The largest change of an expected loss when one record is replaced: strongly uniform RO-stability.

        Source: wang2016:def-6.
        """
        return self.stability_at()[0]

    def stability_at(self) -> tuple[Bounds, tuple[int, int], int]:
        """The same with a pair of datasets (their rows) and a record (its place) that attain it."""
        if not len(self.pairs):
            raise InvalidArgument("problem must have two records for datasets to differ in")
        gaps = np.abs(self.values[self.pairs[:, 0]] - self.values[self.pairs[:, 1]])
        near = np.argwhere(gaps >= gaps.max() - _CLEARLY)
        ones = [self.pairs[pair].tolist() for pair, _ in near.tolist()]
        found = _largest(
            as_bounds(abs(self.entries[a][z] - self.entries[b][z]))
            for (a, b), (_, z) in zip(ones, near.tolist(), strict=True)
        )
        place = int(np.argmax(gaps))
        pair = self.pairs[place // gaps.shape[1]]
        return found, (int(pair[0]), int(pair[1])), place % gaps.shape[1]

    def above_minimum(self, row: int) -> Bounds:
        """The expected empirical risk on one dataset, less the least one."""
        return as_bounds(_minus(self._empirical(row), self._least[row]))

    def always_above_minimum(self) -> Bounds:
        """The largest of them over all datasets: the rate at which the learner is always AERM.

        Source: wang2016:def-5.
        """
        about = np.array([float(_minus(self._empirical(row), self._least[row])) for row in range(len(self.entries))])
        near = np.flatnonzero(about >= about.max() - _CLEARLY).tolist()
        return _largest(self.above_minimum(row) for row in near)

    def under(self, distribution: Sequence[Any]) -> Risks:
        """Risks and gaps under a distribution of records.

        Parameters
        ----------
        distribution : a probability for each record, in fractions or integers, of sum 1

        Raises
        ------
        InvalidArgument
            When it is no such sequence.
        """
        chances = _checked(distribution, len(self.problem.records))
        risk: Any = Fraction(0)
        empirical: Any = Fraction(0)
        least = Fraction(0)
        for row, counts in enumerate(self.counts.tolist()):
            weight = self.weights[row] * math.prod(
                (p**k for p, k in zip(chances, counts, strict=True)), start=Fraction(1)
            )
            if weight:
                of_row = _total(_times(p, e) for p, e in zip(chances, self.entries[row], strict=True))
                risk = _sum(risk, _times(weight, of_row))
                empirical = _sum(empirical, _times(weight, self._empirical(row)))
                least += weight * self._least[row]
        best = min(sum(p * loss for p, loss in zip(chances, losses, strict=True)) for losses in self.problem.losses)
        return Risks(
            as_bounds(risk),
            as_bounds(_minus(risk, best)),
            as_bounds(empirical),
            as_bounds(_minus(empirical, least)),
            as_bounds(_minus(risk, empirical)),
        )

    def largest_excess(self, tolerance: float | Fraction = Fraction(1, 10**6)) -> Bounds:
        """The largest excess risk over all distributions, for problems with two records.

        The excess over each hypothesis is a polynomial in the probability of the second record; its coefficients in
        Bernstein's basis bound it, and halving the interval sharpens them.

        Raises
        ------
        InvalidArgument
            When there are not two records, or the tolerance is below 10^-12.
        """
        if not tolerance >= _NARROW:
            raise InvalidArgument(f"tolerance must be at least {_NARROW:g}, got {tolerance!r}")
        return _largest(
            _largest_of_bernstein(coefficients, Fraction(tolerance)) for coefficients in self._excess_coefficients()
        )

    def _excess_coefficients(self) -> Iterable[list[Any]]:
        if len(self.problem.records) != 2:
            raise InvalidArgument(f"problem must have two records, got {len(self.problem.records)}")
        n = self.size
        total: list[Any] = [Fraction(0)] * (n + 2)
        for row, (_, ones) in enumerate(self.counts.tolist()):
            for place in (0, 1):
                share = Fraction(self.weights[row], math.comb(n + 1, ones + place))
                total[ones + place] = _sum(total[ones + place], _times(share, self.entries[row][place]))
        for zero, one in self.problem.losses:
            yield [_minus(c, zero + (one - zero) * Fraction(i, n + 1)) for i, c in enumerate(total)]

    @cached_property
    def _least(self) -> list[Fraction]:
        sums = (self.counts @ self.problem.table.T).min(axis=1)
        return [int(value) * self.problem.unit / self.size for value in sums]

    def _empirical(self, row: int) -> Any:
        counts = self.counts[row].tolist()
        terms = (_times(Fraction(k, self.size), e) for k, e in zip(counts, self.entries[row], strict=True) if k)
        return _total(terms)


def expected_losses(
    learner: Any, problem: FiniteProblem, size: int, *, form: Literal["auto", "histogram", "tuples"] = "auto"
) -> ExpectedLosses:
    """The expected loss at each record of what a learner makes of each dataset of a size, from its declared law.

    Parameters
    ----------
    learner : learner with ``distribution(dataset)``, over hypotheses of the problem
    problem : FiniteProblem
    size : int, at least 1: records of a dataset
    form : "auto", "histogram" or "tuples"
        Whether datasets that differ in the order of their records are told apart; "auto": unless the learner says
        ``order_blind``.

    Raises
    ------
    InvalidArgument
        When the learner declares no law, answers something that is no hypothesis, or there are too many datasets.

    Source: wang2016 section 2, def-5, def-6.

    Examples
    --------
    >>> from dpcheck.papers.wang2016.learners import OptimalPrivateLearner, absolute_loss
    >>> coin = absolute_loss([0, 1])
    >>> table = expected_losses(OptimalPrivateLearner(coin, epsilon=1.0, dataset_size=4), coin, 4)
    >>> table.stability().high <= Fraction(math.tanh(0.5)) + Fraction(1, 10**9)
    True
    >>> found = table.under([Fraction(1, 2), Fraction(1, 2)])
    >>> float(found.risk), found.gap.low > 0
    (0.5, True)
    """
    size = whole("size", size, 1)
    if form not in ("auto", "histogram", "tuples"):
        raise InvalidArgument(f"form must be 'auto', 'histogram' or 'tuples', got {form!r}")
    try:
        law = law_method(learner)
    except AttributeError as error:
        raise InvalidArgument(f"learner must declare its law, got {learner!r}: measure it instead") from error
    kinds = len(problem.records)
    by_order = form == "tuples" or (form == "auto" and getattr(learner, "order_blind", False) is not True)
    number = kinds**size if by_order else math.comb(size + kinds - 1, kinds - 1)
    if number > MOST_DATASETS:
        raise InvalidArgument(f"size must give at most {MOST_DATASETS:,} datasets, got {number:,}")
    datasets, pairs = (linear_program.tuples if by_order else linear_program.histograms)(size, kinds)
    rows = datasets if by_order else [np.repeat(np.arange(kinds), row) for row in datasets]
    entries = tuple(_entries(problem, law(_dataset(problem, places))) for places in rows)
    counts = np.array([np.bincount(places, minlength=kinds) for places in rows], dtype=np.int64)
    weights = tuple(1 if by_order else _orders(row) for row in counts.tolist())
    return ExpectedLosses(problem, size, counts, weights, pairs[pairs[:, 0] < pairs[:, 1]], entries)


def _dataset(problem: FiniteProblem, places: NDArray[np.int64]) -> Any:
    records = [problem.records[place] for place in places.tolist()]
    return Labelled([x for x, _ in records], [y for _, y in records]) if problem.labelled else records


def _orders(counts: Sequence[int]) -> int:
    return math.factorial(sum(counts)) // math.prod(map(math.factorial, counts))


def _entries(problem: FiniteProblem, answer: Any) -> tuple[Any, ...]:
    """The expected loss at each record under a law: fractions, or balls where it is not in fractions."""
    from flint import arb, ctx, fmpq

    with ctx.workprec(max(ctx.prec, _BITS)):
        law = mixture([1], [answer])
        places = {hypothesis: place for place, hypothesis in enumerate(problem.hypotheses)}
        try:
            rows = problem.table[[places[output] for output in law.outputs]]
        except (KeyError, TypeError) as error:
            raise InvalidArgument(f"learner must answer hypotheses of the problem, got {error.args[0]!r}") from error
        if law.exact is None:
            chances = [
                arb(float(p), abs(float(p)) * math.expm1(law.error) + 2.0**-50) for p in np.exp(law.log_probabilities)
            ]
        else:
            chances = list(law.exact)
            if all(isinstance(chance, Fraction) for chance in chances):
                unit = problem.unit
                return tuple(
                    sum((c * v for c, v in zip(chances, column, strict=True)), Fraction(0)) * unit
                    for column in rows.T.tolist()
                )
            chances = [arb(fmpq(c.numerator, c.denominator)) if isinstance(c, Fraction) else c for c in chances]
        unit_ = arb(fmpq(problem.unit.numerator, problem.unit.denominator))
        found = tuple(
            sum((c * v for c, v in zip(chances, column, strict=True)), arb(0)) * unit_ for column in rows.T.tolist()
        )
    if any(float(entry.rad()) > _NARROW for entry in found):
        raise InvalidArgument(f"learner must declare a law to within {_NARROW:g}, got one that is wider")
    return found


# --- fractions and balls together


def _ball(number: Any) -> Any:
    from flint import arb, fmpq

    return arb(fmpq(number.numerator, number.denominator)) if isinstance(number, Fraction | int) else number


def _times(share: Fraction, entry: Any) -> Any:
    return share * entry if isinstance(entry, Fraction) else _ball(share) * entry


def _sum(one: Any, other: Any) -> Any:
    return one + other if isinstance(one, Fraction) and isinstance(other, Fraction | int) else _ball(one) + _ball(other)


def _total(terms: Iterable[Any]) -> Any:
    return reduce(_sum, terms, Fraction(0))


def _minus(one: Any, other: Any) -> Any:
    return _sum(one, -other)


def as_bounds(value: Any) -> Bounds:
    """A fraction, or a ball of flint, as the fractions between which it is.

    >>> as_bounds(Fraction(1, 3)).low
    Fraction(1, 3)
    """
    if isinstance(value, Fraction | int):
        return Bounds(Fraction(value), Fraction(value))
    return Bounds(_fraction(value.lower()), _fraction(value.upper()))


def _fraction(point: Any) -> Fraction:
    mantissa, exponent = point.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def _largest(values: Iterable[Bounds]) -> Bounds:
    every = list(values)
    return Bounds(max(each.low for each in every), max(each.high for each in every))


def _largest_of_bernstein(coefficients: list[Any], tolerance: Fraction) -> Bounds:
    """The largest value on [0, 1] of a polynomial with these coefficients in Bernstein's basis."""
    import heapq
    from itertools import count, pairwise

    number = count()

    def bounds(row: list[Any]) -> tuple[Fraction, Fraction]:
        return max(as_bounds(row[0]).low, as_bounds(row[-1]).low), max(as_bounds(each).high for each in row)

    low, high = bounds(coefficients)
    waiting = [(-high, next(number), coefficients)]
    while -waiting[0][0] - low > tolerance:
        _, _, row = heapq.heappop(waiting)
        left, right = [row[0]], [row[-1]]
        while len(row) > 1:
            row = [_halved(a, b) for a, b in pairwise(row)]
            left.append(row[0])
            right.append(row[-1])
        for part in (left, right[::-1]):
            least, most = bounds(part)
            low = max(low, least)
            heapq.heappush(waiting, (-most, next(number), part))
    return Bounds(low, max(low, -waiting[0][0]))


def _halved(one: Any, other: Any) -> Any:
    return _sum(one, other) / 2


def _checked(distribution: Sequence[Any], kinds: int) -> list[Fraction]:
    good = len(distribution) == kinds and all(isinstance(p, Fraction | int) and p >= 0 for p in distribution)
    if not good or sum(distribution) != 1:
        raise InvalidArgument(
            f"distribution must give a fraction for each of {kinds} records, of sum 1, got {distribution!r}"
        )
    return [Fraction(p) for p in distribution]
