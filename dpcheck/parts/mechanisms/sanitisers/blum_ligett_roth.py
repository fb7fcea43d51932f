"""The sanitiser of Blum, Ligett and Roth: the exponential mechanism over all databases of k points."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations_with_replacement
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.parameters import count, positive_as_given
from dpcheck.parts.mechanisms.sanitisers.queries import checked_queries, points_of_domain

#: More databases than this are not listed to be drawn from, and laws of more are not declared.
MOST_LISTED, MOST_OUTPUTS = 1 << 20, 1 << 12
#: Entries of a table of the errors of databases in queries that are made at once.
_BLOCK = 1 << 24
#: Multiplicities are 64-bit integers, and so are the cells in which they are drawn from.
_MOST_TUPLES = 2**60


@dataclass(frozen=True, eq=False)
class BlumLigettRoth:
    """A database S of k points with probability proportional to ``exp(-(epsilon n / 2) max_c |Q_c(D) - Q_c(S)|)``.

    ``Q_c(D)`` is the part of the n points of the dataset D that lie in c. Replacing one point moves every ``Q_c(D)`` by
    at most 1/n, and so the score by as much, which makes the choice epsilon-DP. Databases are counted as k-tuples: a
    multiset has the weight of all the orders it can be written in (``ordered``), or of one, which is another sanitiser
    with the same promise. ``n k |Q_c(D) - Q_c(S)|`` is an integer, and the law exact: the rate is ``epsilon / 2k`` per
    unit of it. All multisets are listed, so the domain is a small one; for thresholds and intervals
    :class:`~dpcheck.parts.mechanisms.sanitisers.ThresholdSanitiser` draws from the same law on large ones.

    An empty dataset moves no query: every k-tuple has the same probability.

    Parameters
    ----------
    queries : matrix of truth values, shape (q, N)
        The sets c on the domain, a row each: the whole of the public class, so that the score has the sensitivity.
    epsilon : float or Fraction, nats, above 0
    size : int, at least 1
        k, how many points are drawn.
    ordered : bool
        Whether databases are k-tuples, as in the paper, or multisets.
    domain : sequence of N distinct hashable points, optional
        What the columns of the queries stand for; 0, ..., N - 1 when left out.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or there are more than 2^20 multisets or 2^60 k-tuples; at a call when a
        record is no point of the domain.

    Source: beimel2015:thm-A.3; Blum, Ligett & Roth 2013, doi:10.1145/2450142.2450148.

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.sanitisers import threshold_queries
    >>> sanitiser = BlumLigettRoth(threshold_queries(4), epsilon=1.0, size=2)
    >>> law = sanitiser.distribution([3, 3, 3])
    >>> law.outputs[-2:], law.exact.scores[-2:], law.exact.multiplicities[-2:]
    ([(2, 3), (3, 3)], (-3, 0), (2, 1))
    >>> len(sanitiser([3, 3, 3], np.random.default_rng())), sanitiser.claim
    (2, PureDP(epsilon=1.0))
    """

    queries: NDArray[np.bool_]
    epsilon: float | Fraction = 1.0
    size: int = 1
    ordered: bool = True
    domain: Sequence[Hashable] | None = None
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        matrix = checked_queries(self.queries)
        matrix.flags.writeable = False
        object.__setattr__(self, "queries", matrix)
        positive_as_given("epsilon", self.epsilon)
        k, points = count("size", self.size), self.domain_size
        if self.domain is not None and not len(self._places) == len(self.domain) == points:
            raise InvalidArgument(
                f"domain must have {points} distinct points, one for each column of the queries, got {self.domain!r}"
            )
        if self.outputs > MOST_LISTED or points**k > _MOST_TUPLES:
            raise InvalidArgument(
                f"size must leave at most {MOST_LISTED:,} multisets and 2^60 tuples on a domain of {points:,} points, "
                f"got {k} with {self.outputs:,} multisets"
            )

    @property
    def domain_size(self) -> int:
        """N, how many points the domain has."""
        return int(self.queries.shape[1])

    @property
    def outputs(self) -> int:
        """How many multisets of k points there are: ``binom(N + k - 1, k)``."""
        return comb(self.domain_size + self.size - 1, self.size)

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One point replaced."""
        return ReplaceOne()

    def points(self, dataset: Any) -> NDArray[np.int64]:
        """The records as places in the domain, shape (n,)."""
        if self.domain is None:
            return points_of_domain(dataset, self.domain_size)
        records = [tuple(record) if isinstance(record, list) else record for record in _listed(dataset)]
        try:
            return np.array([self._places[record] for record in records], dtype=np.int64)
        except (KeyError, TypeError):
            row = next(row for row, record in enumerate(records) if not _is_in(record, self._places))
            raise InvalidArgument(
                f"dataset must hold points of the domain, got {records[row]!r} in record {row}"
            ) from None

    @cached_property
    def _places(self) -> dict[Any, int]:
        return {point: place for place, point in enumerate(self.domain or ())}

    def databases(self, dataset: Any) -> NDArray[np.int64]:
        """All multisets of k places in the domain, each in its order, shape (C, k); the same for every dataset."""
        return self._databases

    @cached_property
    def _databases(self) -> NDArray[np.int64]:
        every = chain.from_iterable(combinations_with_replacement(range(self.domain_size), self.size))
        return np.fromiter(every, dtype=np.int64, count=self.outputs * self.size).reshape(-1, self.size)

    def queries_asked(self, dataset: Any) -> NDArray[np.bool_]:
        """The queries whose errors are looked at, shape (q, N); the same for every dataset."""
        return self.queries

    def errors(self, dataset: Any, databases: NDArray[np.int64]) -> NDArray[np.int64]:
        """``n k max_c |Q_c(D) - Q_c(S)|`` of each database S, integers of shape (C,)."""
        points, queries = self.points(dataset), self.queries_asked(dataset)
        k = databases.shape[1]
        wanted = k * (queries @ np.bincount(points, minlength=self.domain_size))
        step = max(1, _BLOCK // (len(queries) * k))
        found = [
            np.abs(len(points) * queries[:, block].sum(axis=2, dtype=np.int64) - wanted[:, None]).max(axis=0)
            for block in (databases[start : start + step] for start in range(0, len(databases), step))
        ]
        return np.concatenate(found)

    def multiplicities(self, dataset: Any, databases: NDArray[np.int64]) -> NDArray[np.int64] | None:
        """In how many orders each database can be written, shape (C,); None where each counts once."""
        return orders(databases) if self.ordered else None

    def rate(self, dataset: Any) -> Fraction:
        """Nats per unit of the errors: ``epsilon n / 2`` per unit of the score, which is ``n k`` of these."""
        return Fraction(self.epsilon) / (2 * self.size)

    def choice(self, dataset: Any, databases: NDArray[np.int64]) -> Choice:
        """The choice among these databases."""
        return Choice(self.rate(dataset), -self.errors(dataset, databases), self.multiplicities(dataset, databases))

    def released(self, databases: NDArray[np.int64]) -> list[tuple[Any, ...]]:
        """Databases as they are put out: tuples of points."""
        if self.domain is None:
            return as_outputs(databases)
        return [tuple(self.domain[place] for place in row) for row in databases.tolist()]

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """One database: k points in the order of the domain."""
        drawn = self.sample(dataset, 1, rng)[0]
        return tuple(drawn.tolist()) if isinstance(drawn, np.ndarray) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent databases: integers of shape (size, k), or tuples of the points listed."""
        databases = self.databases(dataset)
        drawn = databases[self.choice(dataset, databases).sample(size, rng)]
        return drawn if self.domain is None else self.released(drawn)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, where there are at most 4096 multisets."""
        if self.outputs > MOST_OUTPUTS:
            raise AttributeError(f"a law of {self.outputs:,} databases is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        databases = self.databases(dataset)
        return self.choice(dataset, databases).law(self.released(databases))


def orders(databases: NDArray[np.int64]) -> NDArray[np.int64]:
    """In how many orders the points of each row can be written: multinomial coefficients, shape (C,).

    Parameters
    ----------
    databases : integers of shape (C, k), each row sorted
        The coefficients must be below 2^63.

    Examples
    --------
    >>> orders(np.array([[0, 0, 0], [0, 1, 1], [0, 1, 2]])).tolist()
    [1, 3, 6]
    """
    found = np.ones(len(databases), dtype=np.int64)
    run = np.ones(len(databases), dtype=np.int64)
    for place in range(1, databases.shape[1]):
        run = np.where(databases[:, place] == databases[:, place - 1], run + 1, 1)
        # the coefficient of the first places: (i + 1)! over the factorials of the runs so far; i + 1 times the last
        # one may be more than an integer holds, its quotient by the run is not
        shared = np.gcd(found, run)
        found = (found // shared) * ((place + 1) // (run // shared))
    return found


def _listed(dataset: Any) -> list[Any]:
    return list(dataset.tolist() if isinstance(dataset, np.ndarray) else dataset)


def _is_in(record: Any, places: dict[Any, int]) -> bool:
    try:
        return record in places
    except TypeError:
        return False
