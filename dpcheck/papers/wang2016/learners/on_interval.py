"""Algorithm 1 on an interval of hypotheses with Lebesgue's measure, where the density has closed forms."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.wang2016.learners.regularised import (
    Sensitivity,
    checked_rounding,
    checked_sensitivity,
    checked_size,
)
from dpcheck.parts.classes.points import labels_of
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.cells import PublicGrid, less_rounding
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.densities import LogLinearPieces
from dpcheck.parts.mechanisms.parameters import positive_as_given, real
from dpcheck.parts.risk.losses import numbers_in

Floats = NDArray[np.float64]
#: Thresholds ``1(x > h)`` with the 0-1 loss, or numbers h with the loss ``|h - z|``.
Problem = Literal["thresholds", "absolute"]


@dataclass(frozen=True)
class ExponentialOnInterval:
    """A hypothesis h of [low, high] with density proportional to ``exp((epsilon / 2 Dq) q(h))``: epsilon-DP.

    ``q = -(risk + regulariser)``. For ``thresholds`` (h labels x with 1 iff x > h, strictly) the risk is piecewise
    constant, for the ``absolute`` loss ``|h - z|`` it is piecewise linear, and the regulariser is piecewise linear: the
    density is exponential on each piece, its masses and largest log ratio have closed forms.

    What is released is the middle of the cell of a public grid that h falls into, drawn by an exact choice: the claim
    holds for the bits that come out. The grid depends on the number of records, never on them.

    Parameters
    ----------
    problem : "thresholds" (labelled records) or "absolute" (numbers; those beyond the interval are moved to its ends)
    epsilon : float or Fraction, nats, above 0
    low, high : float, ends of the interval
    regulariser : sequence of pairs (h, value), optional
        g_n, linear between the pairs' h and constant beyond them; a function of the data never. May be negative.
    sensitivity : "exact" (n Dq is 1 for thresholds, the width for the absolute loss) or "paper_bound" (twice that)

    Raises
    ------
    InvalidArgument
        When an end is infinite (q is bounded, so its exponential has no finite integral: an improper problem), the
        regulariser is no such sequence, or a parameter is outside its range; at a call when there is no record.

    Source: wang2016:alg-1 with Lebesgue's measure; section 3.3 (thresholds), ex-21 (absolute loss), rem-5.3.

    Examples
    --------
    >>> learner = ExponentialOnInterval("thresholds", epsilon=2.0)
    >>> density = learner.density(([0.25, 0.75], [0, 1]))
    >>> [round(math.exp(density.log_probability(a, b)), 3) for a, b in ((0, 0.25), (0.25, 0.75), (0.75, 1))]
    [0.134, 0.731, 0.134]
    >>> 0.0 < learner.exact_loss(([0.25, 0.75], [0, 1]), ([0.25, 0.75], [0, 0])) < 2.0
    True
    """

    problem: Problem = "thresholds"
    epsilon: float | Fraction = 1.0
    low: float = 0.0
    high: float = 1.0
    regulariser: tuple[tuple[float, float], ...] = ()
    sensitivity: Sensitivity = "exact"
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.problem not in ("thresholds", "absolute"):
            raise InvalidArgument(f"problem must be 'thresholds' or 'absolute', got {self.problem!r}")
        positive_as_given("epsilon", self.epsilon)
        checked_sensitivity(self.sensitivity)
        if any(isinstance(end, float) and math.isinf(end) for end in (self.low, self.high)):
            raise InvalidArgument(
                f"low and high must be finite, got {self.low:g} and {self.high:g}: the exponential of a bounded "
                f"utility has no finite integral over an infinite interval"
            )
        object.__setattr__(self, "low", real("low", self.low))
        object.__setattr__(self, "high", real("high", self.high))
        if not self.low < self.high:
            raise InvalidArgument(f"low must be below high, got low {self.low:g} and high {self.high:g}")
        object.__setattr__(self, "regulariser", _pairs(self.regulariser))

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def records(self, dataset: Any) -> tuple[Floats, NDArray[np.uint8] | None]:
        """The points inside the interval, sorted, with their labels where the problem has labels; shapes (n,)."""
        if self.problem == "absolute":
            return np.sort(numbers_in(dataset, self.low, self.high)), None
        x, y = private_records(dataset)
        points, labels = numbers_in(x, self.low, self.high), labels_of(y)
        order = np.argsort(points, kind="stable")
        return points[order], labels[order]

    def edges(self, dataset: Any) -> Floats:
        """Where the utility bends or jumps, the ends of the interval included; rising, shape (m + 1,)."""
        knots = [h for h, _ in self.regulariser if self.low < h < self.high]
        return np.unique(np.concatenate([[self.low, self.high], self.records(dataset)[0], knots]))

    def scores(self, dataset: Any, edges: Floats) -> tuple[Floats, Floats]:
        """``n q`` just right of all edges but the last, and just left of all but the first; shapes (m,)."""
        n = checked_size(dataset)
        x, y = self.records(dataset)
        if y is None:
            sums = np.concatenate([[0.0], np.cumsum(x - self.low)])  # of what is near 0: they cancel less
            below = np.searchsorted(x, edges)
            risks = (edges - self.low) * (2 * below - n) + sums[-1] - 2 * sums[below]
            lefts, rights = risks[:-1], risks[1:]
        else:
            ones = np.concatenate([[0], np.cumsum(y, dtype=np.int64)])
            labelled_0 = np.searchsorted(x, edges[:-1], side="right")
            wrong = ones[labelled_0] + (n - labelled_0) - (ones[-1] - ones[labelled_0])
            lefts = rights = wrong.astype(np.float64)
        extra = self.penalties(dataset, edges)
        return -(lefts + extra[:-1]), -(rights + extra[1:])

    def penalties(self, dataset: Any, edges: Floats) -> Floats:
        """n times the regulariser at the edges, less its least value, which no law depends on; shape (m + 1,)."""
        if not self.regulariser:
            return np.zeros(len(edges))
        at, values = np.array(self.regulariser).T
        values = values - values.min()
        n = checked_size(dataset)
        checked_rounding(n, values.max(), self._swing)
        return np.asarray(n * np.interp(edges, at, values))

    def rate(self, dataset: Any) -> Fraction:
        """``epsilon / (2 n Dq)``: nats per unit of ``n q``."""
        return Fraction(self.epsilon) / (2 * self._swing * (1 if self.sensitivity == "exact" else 2))

    @property
    def _swing(self) -> Fraction:
        """n Dq: by how much replacing a record moves the sum of the losses."""
        return Fraction(1) if self.problem == "thresholds" else Fraction(self.high) - Fraction(self.low)

    def density(self, dataset: Any) -> LogLinearPieces:
        """The law of the hypothesis, of which the cell is released."""
        return self._density(dataset, float(self.rate(dataset)))

    def _density(self, dataset: Any, rate: float) -> LogLinearPieces:
        checked_size(dataset)
        edges = self.edges(dataset)
        lefts, rights = self.scores(dataset, edges)
        best = max(lefts.max(), rights.max())
        return LogLinearPieces(edges, rate * (lefts - best), rate * (rights - best))

    def nats(self, dataset: Any) -> float:
        """By how much the logarithm of the density may vary on so many records, whatever they are."""
        values = [value for _, value in self.regulariser]
        extra = Fraction(max(values)) - Fraction(min(values)) if values else Fraction(0)
        return float(self.rate(dataset) * checked_size(dataset) * (self._swing + extra))

    def cells(self, dataset: Any) -> PublicGrid:
        """The grid, the same for all datasets of one size."""
        return PublicGrid.fit_for(self.low, self.high, self.nats(dataset))

    def law_of_cells(self, dataset: Any) -> Choice:
        """The law of the released cell: its mass under the density, at a rate that leaves room for rounding."""
        share = less_rounding(self.epsilon, checked_size(dataset), self.nats(dataset))
        return self.cells(dataset).masses(self._density(dataset, float(self.rate(dataset) * share)))

    def exact_loss(self, left: Any, right: Any) -> float:
        """The largest absolute log ratio of the densities on two datasets, nats, to rounding.

        That of the released cells is at most so large: a cell's mass is an integral of the density.
        """
        return self.density(left).loss(self.density(right))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """One hypothesis."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent hypotheses, shape (size,)."""
        return self.cells(dataset).sample(self.law_of_cells(dataset), size, rng)


def _pairs(given: Any) -> tuple[tuple[float, float], ...]:
    try:
        found = tuple(sorted((real("regulariser", h), real("regulariser", value)) for h, value in given))
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"regulariser must be pairs (h, value), got {given!r}") from error
    if len({h for h, _ in found}) < len(found):
        raise InvalidArgument(f"regulariser must give one value for each h, got {given!r}")
    return found
