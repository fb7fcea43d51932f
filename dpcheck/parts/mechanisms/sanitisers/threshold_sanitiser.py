"""The sanitiser of Blum, Ligett and Roth for thresholds and for intervals, on domains too large to list databases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations_with_replacement
from math import comb
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.parameters import count, positive_as_given
from dpcheck.parts.mechanisms.sanitisers.bands import Reference
from dpcheck.parts.mechanisms.sanitisers.blum_ligett_roth import MOST_OUTPUTS, orders
from dpcheck.parts.mechanisms.sanitisers.layers import Layers
from dpcheck.parts.mechanisms.sanitisers.queries import points_of_domain
from dpcheck.parts.mechanisms.sanitisers.sizes import accuracy_reached

#: Points are 64-bit integers with room for one bit more, and so is the product of the numbers of points.
LARGEST_DOMAIN, MOST_STEPS = 2**60, 2**60


@dataclass(frozen=True)
class ThresholdSanitiser:
    """:class:`~dpcheck.parts.mechanisms.sanitisers.BlumLigettRoth` for thresholds or intervals on {0, ..., N - 1}, N
    large.

    The largest error of a database S in a threshold ``{x : x < t}`` is the largest ``|F_D(t) - F_S(t)|``, F being the
    part of the points below t; in an interval ``{x : i <= x < j}`` it is the largest ``F_D - F_S`` minus the smallest.
    A database is drawn with probability proportional to ``exp(-(epsilon n / 2) error)``, exactly and without listing
    any (:mod:`~dpcheck.parts.mechanisms.sanitisers.layers`): the work grows with the number k of points drawn, about as
    k^3, and hardly with n and N. It also grows with ``epsilon n / k`` for intervals, to some seconds where that is
    10,000.

    The symmetric differences of thresholds are the intervals: they are what
    :class:`~dpcheck.papers.beimel2015.learners.GenericLearner` needs for thresholds.

    Parameters
    ----------
    domain_size : int, 1 to 2^60
        N.
    epsilon : float or Fraction, nats, above 0
    size : int, at least 1
        k, how many points are drawn. For thresholds ``1 / (2 k)`` is the error of the best database at worst, for
        intervals ``1 / k``: k need not be the size of the theorem.
    queries : "intervals" (the default) or "thresholds"
    ordered : bool
        Whether databases are k-tuples, as in the paper, or multisets.

    Raises
    ------
    InvalidArgument
        When an argument is none of these; at a call when a record is no point of the domain, or n k above 2^60.

    Source: beimel2015:thm-A.3; Blum, Ligett & Roth 2013, doi:10.1145/2450142.2450148. For the counting: Steck 1971,
    doi:10.1214/aoms/1177693490.

    Examples
    --------
    >>> sanitiser = ThresholdSanitiser(2**20, epsilon=1.0, size=10)
    >>> database = sanitiser(np.arange(100_000), np.random.default_rng())
    >>> len(database), database[5] < 100_000  # as are all points of the dataset: any other is e^1000 times less likely
    (10, True)
    >>> sanitiser.claim, round(sanitiser.accuracy(100_000, failure=1e-6), 4)
    (PureDP(epsilon=1.0), 0.103)
    """

    domain_size: int
    epsilon: float | Fraction = 1.0
    size: int = 20
    queries: Literal["intervals", "thresholds"] = "intervals"
    ordered: bool = True
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if count("domain_size", self.domain_size) > LARGEST_DOMAIN:
            raise InvalidArgument(f"domain_size must be at most 2^60, got {self.domain_size}")
        positive_as_given("epsilon", self.epsilon)
        count("size", self.size)
        if self.queries not in ("intervals", "thresholds"):
            raise InvalidArgument(f"queries must be 'intervals' or 'thresholds', got {self.queries!r}")

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One point replaced."""
        return ReplaceOne()

    @property
    def outputs(self) -> int:
        """How many multisets of k points there are: ``binom(N + k - 1, k)``."""
        return comb(self.domain_size + self.size - 1, self.size)

    def accuracy(self, records: int, failure: float) -> float:
        """The largest error on any dataset of n points, but for a probability of ``failure``.

        That of the best database is at most ``1 / k`` for intervals (``1 / 2k`` for thresholds), at the quantiles
        ``(i - 1/2) / k``; the choice adds at most ``2 (k ln N + ln(1 / failure)) / (epsilon n)``.
        """
        best = Fraction(1, self.size if self.queries == "intervals" else 2 * self.size)
        return accuracy_reached(records, self.size, self.domain_size, float(self.epsilon), failure, float(best))

    def points(self, dataset: Any) -> NDArray[np.int64]:
        """The records as sorted points of the domain, shape (n,)."""
        return np.sort(points_of_domain(dataset, self.domain_size))

    def reference(self, dataset: Any) -> Reference:
        """The points of the dataset beside the databases that are drawn from: N, k, and what they are counted as."""
        points = self.points(dataset)
        if len(points) * self.size > MOST_STEPS:
            raise InvalidArgument(f"dataset must have at most 2^60 / {self.size} points, got {len(points)}")
        return Reference(points, self.domain_size, self.size, self.ordered)

    def rate(self, dataset: Any) -> Fraction:
        """Nats per 1 / (n k) of the largest error: ``epsilon n / 2`` for one of 1."""
        return Fraction(self.epsilon) / (2 * self.size)

    def layers(self, dataset: Any) -> Layers:
        """The law of the database, as an object that draws: for many draws from one dataset."""
        return Layers(self.reference(dataset), self.rate(dataset), self.queries == "intervals")

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[int, ...]:
        """One database: k points, increasing."""
        return tuple(self.layers(dataset).sample(1, rng)[0].tolist())

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """``size`` independent databases, each increasing: integers of shape (size, k)."""
        return self.layers(dataset).sample(size, rng)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law by listing all databases, where there are at most 4096."""
        if self.outputs > MOST_OUTPUTS:
            raise AttributeError(f"a law of {self.outputs:,} databases is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        layers = self.layers(dataset)
        n, k = layers.reference.domain_size, layers.reference.size
        every = chain.from_iterable(combinations_with_replacement(range(n), k))
        databases = np.fromiter(every, dtype=np.int64).reshape(-1, k)
        errors = layers.largest(databases).sum(axis=1)
        times = orders(databases) if layers.reference.ordered else None
        return Choice(layers.rate, -errors, times).law(as_outputs(databases))
