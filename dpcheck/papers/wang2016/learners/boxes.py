"""Algorithm 1 for a convex loss on a box: a log-concave density, drawn from exactly, or with a stated distance."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.wang2016.learners.convex_losses import BoxLoss, CoordinateDistances, LogisticLoss
from dpcheck.papers.wang2016.learners.regularised import checked_rounding, checked_size
from dpcheck.parts.mechanisms.amplification import approximated_claim
from dpcheck.parts.mechanisms.cells import PublicGrid, less_rounding
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.logconcave import MOST_TRIALS, BoxRejection, LogConcave
from dpcheck.parts.mechanisms.parameters import at_least_zero, count, positive_as_given

Floats = NDArray[np.float64]
#: Points of Gauss and Legendre's rule on each piece: on pieces so short an analytic density is a polynomial.
_POINTS = 12
#: Nodes of a rule in all dimensions together, at most.
_MOST_NODES = 1 << 22
#: Dimensions of a box whose corners are looked at.
_MOST_DIMENSIONS = 12


@dataclass(frozen=True)
class LogConcaveOnBox:
    """A vector h of a box with density proportional to ``exp((epsilon / 2s) n q(h))``, ``q = -(risk + ridge |h|^2)``.

    The loss is convex, and replacing a record moves ``n q`` by at most its swing s: epsilon-DP. Draws are exact where
    the density is a product (:class:`~dpcheck.papers.wang2016.learners.convex_losses.CoordinateDistances`, or one
    dimension): each coordinate by rejection from an envelope, whatever the number of records. For
    :class:`~dpcheck.papers.wang2016.learners.convex_losses.LogisticLoss` in more dimensions they are made by rejection
    from the uniform distribution, and expect up to ``prod L / (1 - e^-L)`` trials, ``L = epsilon n (high - low) / (2
    s)`` in each dimension: exact too, refused where 10^7 are not enough. With a limit on trials a draw may be uniform
    instead, and the claim is ``(epsilon, (1 + e^epsilon) eta)`` with eta the total variation that costs at most.

    As printed the exponent is ``epsilon n q / B``, B the largest loss. That is not epsilon-DP: for distances, whose s
    is B, the loss tends to 2 epsilon with n, as on an interval.

    Parameters
    ----------
    loss : CoordinateDistances or LogisticLoss
        With the box: its dimension, low and high.
    epsilon : float or Fraction, nats, above 0
    ridge : float, at least 0
        g_n is ``ridge |h|^2``.
    trials, most_records : int, at least 1, optional
        The limit on the trials of a draw, and the number of records up to which eta is promised: both or neither.
    as_printed : bool
        Whether the exponent is the paper's, which does not keep the claim.

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range, or the trials leave no delta below 1; at a call when there is no record,
        more than ``most_records``, sums too large for doubles, or more than 10^7 trials to be expected.

    Source: wang2016:prop-26 (alg-logconcave).

    Examples
    --------
    >>> learner = LogConcaveOnBox(CoordinateDistances(dimension=2, power=2), epsilon=1.0)
    >>> drawn = learner.sample([(0.25, 0.75)] * 4000, 100, np.random.default_rng())
    >>> bool(abs(drawn.mean(axis=0) - [0.25, 0.75]).max() < 0.1)
    True
    >>> pair = [(0.0, 0.0)] * 6, [(0.0, 0.0)] * 5 + [(1.0, 1.0)]
    >>> [round(LogConcaveOnBox(as_printed=kind).exact_loss(*pair), 3) for kind in (False, True)]
    [0.601, 1.378]
    >>> limited = LogConcaveOnBox(LogisticLoss(), trials=400, most_records=10)
    >>> limited.claim.epsilon_value, float(f"{limited.claim.delta_value:.3g}")
    (1.0, 3.83e-07)
    """

    loss: BoxLoss = field(default_factory=CoordinateDistances)
    epsilon: float | Fraction = 1.0
    ridge: float = 0.0
    trials: int | None = None
    most_records: int | None = None
    as_printed: bool = False
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.loss, CoordinateDistances | LogisticLoss):
            raise InvalidArgument(f"loss must be CoordinateDistances or LogisticLoss, got {self.loss!r}")
        positive_as_given("epsilon", self.epsilon)
        object.__setattr__(self, "ridge", at_least_zero("ridge", self.ridge))
        if (self.trials is None) != (self.most_records is None):
            raise InvalidArgument(
                f"trials and most_records must be given together, got {self.trials!r} and {self.most_records!r}: what "
                f"a limit on trials costs depends on how many records there may be"
            )
        if self.trials is not None and self.most_records is not None:
            object.__setattr__(self, "trials", count("trials", self.trials))
            object.__setattr__(self, "most_records", count("most_records", self.most_records))
            if self.is_a_product:
                raise InvalidArgument(
                    f"trials must be left out where the density is a product, got {self.trials}: draws are exact "
                    f"without a limit"
                )
            accepted = 1 / self.expected_trials(self.most_records)
            enough = math.log(1 + math.exp(float(self.epsilon))) / -math.log1p(-accepted) if accepted > 0 else math.inf
            if self.trials <= enough:
                raise InvalidArgument(f"trials must be above {enough:.3g} for a delta below 1, got {self.trials}")

    @property
    def is_a_product(self) -> bool:
        """Whether coordinates are independent."""
        return self.loss.dimension == 1 or isinstance(self.loss, CoordinateDistances)

    @property
    def distance(self) -> float:
        """eta, a bound on the total variation between a draw and the density: 0 without a limit on trials."""
        if self.trials is None or self.most_records is None:
            return 0.0
        return self._proposals(self.most_records, self.trials).distance

    @property
    def claim(self) -> PureDP | ApproxDP:
        """Pure differential privacy at epsilon; with a limit on trials ``(epsilon, (1 + e^epsilon) eta)``."""
        return approximated_claim(PureDP(self.epsilon), self.distance)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def records(self, dataset: Any) -> Floats:
        """The records as the loss takes them, shape (n, dimension)."""
        n = checked_size(dataset)
        if self.most_records is not None and n > self.most_records:
            raise InvalidArgument(f"dataset must hold at most most_records = {self.most_records} records, got {n}")
        loss = self.loss
        extra = self.ridge * loss.dimension * max(abs(loss.low), abs(loss.high)) ** 2
        checked_rounding(n, float(loss.largest) + extra, loss.swing)
        return loss.records(dataset)

    def rate(self, dataset: Any) -> Fraction:
        """Nats per unit of ``n q``."""
        return self._rate

    @property
    def _rate(self) -> Fraction:
        return Fraction(self.epsilon) / (self.loss.largest if self.as_printed else 2 * self.loss.swing)

    def scores(self, dataset: Any, points: Floats) -> Floats:
        """``n q`` at some points of shape (k, dimension), shape (k,)."""
        z = self.records(dataset)
        return np.asarray(-self.loss.sums(points, z) - len(z) * self.ridge * (points**2).sum(axis=1))

    def log_density(self, dataset: Any) -> Callable[[Floats], Floats]:
        """The logarithm of the density, up to a constant: a function of points of shape (k, dimension)."""
        rate = float(self.rate(dataset))
        return lambda points: rate * self.scores(dataset, np.asarray(points, dtype=np.float64))

    def coordinates(self, dataset: Any) -> tuple[LogConcave, ...]:
        """The law of each coordinate, where they are independent, that of its cells approaches as they get smaller."""
        low, high = self.loss.low, self.loss.high
        return tuple(LogConcave(along, low, high) for along in self._along(dataset))

    def nats(self, dataset: Any) -> float:
        """By how much the logarithm of the density may vary on so many records, whatever they are."""
        width = self.loss.high - self.loss.low
        return self._slope(checked_size(dataset)) * width * self.loss.dimension

    def cells(self, dataset: Any) -> PublicGrid:
        """The grid along each coordinate, the same for all datasets of one size; where coordinates are independent."""
        return PublicGrid.fit_for(self.loss.low, self.loss.high, self.nats(dataset) / self.loss.dimension)

    def laws_of_cells(self, dataset: Any) -> tuple[Choice, ...]:
        """The law of the released cell of each coordinate: the mechanism on the middles of the grid's cells.

        At a rate that leaves room for rounding.
        """
        share, grid = self._share(dataset), self.cells(dataset)
        laws = self._along(dataset)
        return tuple(grid.values(lambda points, along=along: share * along(points)) for along in laws)  # type: ignore[misc]

    def _share(self, dataset: Any) -> float:
        terms = checked_size(dataset) * self.loss.dimension
        return float(less_rounding(self.epsilon, terms, self.nats(dataset)))

    def _along(self, dataset: Any) -> list[Callable[[Floats], Floats]]:
        """The logarithm of the density along each coordinate, the others in the middle."""
        log_density = self.log_density(dataset)
        centre = np.full(self.loss.dimension, (self.loss.low + self.loss.high) / 2)

        def along(axis: int) -> Callable[[Floats], Floats]:
            def values(x: Floats) -> Floats:
                points = np.tile(centre, (len(x), 1))
                points[:, axis] = x
                return log_density(points)

            return values

        return [along(axis) for axis in range(self.loss.dimension)]

    def expected_trials(self, records: int) -> float:
        """How many trials a draw by rejection expects at most on so many records, whatever they are."""
        return self._proposals(records, 1).expected_trials

    def _proposals(self, records: int, trials: int) -> BoxRejection:
        """Rejection whose density does not matter: its acceptance is bounded by slopes alone."""
        d = self.loss.dimension
        return BoxRejection(
            lambda points: np.zeros(len(points)),
            np.zeros_like,
            [self.loss.low] * d,
            [self.loss.high] * d,
            self._slope(records),
            trials,
        )

    def _slope(self, records: int) -> float:
        """A bound on the partial derivatives of the log density on so many records, whatever they are."""
        steepest = self.loss.slope + 2 * self.ridge * max(abs(self.loss.low), abs(self.loss.high))
        return float(self._rate) * records * steepest

    def box(self, dataset: Any) -> BoxRejection:
        """The law of the vector, drawn from by rejection, at a rate that leaves room for rounding.

        Proposals are doubles that do not depend on the data, so that no bit of one tells more than its density does.
        """
        loss = self.loss
        assert isinstance(loss, LogisticLoss)
        z, share = self.records(dataset), self._share(dataset)
        rate, log_density = share * float(self.rate(dataset)), self.log_density(dataset)
        expected = self.expected_trials(len(z))
        if self.trials is None and not expected <= MOST_TRIALS:
            raise InvalidArgument(
                f"dataset must hold at most {self._most_feasible()} records for {MOST_TRIALS:g} expected trials for "
                f"each draw, got {len(z)} records and {expected:.3g} trials: fewer records or dimensions, a smaller "
                f"box or a smaller epsilon would do, or a limit on trials, which delta pays for"
            )
        return BoxRejection(
            lambda points: share * log_density(points),
            lambda point: -rate * (loss.gradient(point, z) + 2 * len(z) * self.ridge * point),
            [loss.low] * loss.dimension,
            [loss.high] * loss.dimension,
            self._slope(len(z)),
            self.trials,
        )

    def _most_feasible(self) -> int:
        """The largest number of records for which rejection is feasible."""
        low, high = 0, 1
        while self.expected_trials(high) <= MOST_TRIALS:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.expected_trials(middle) <= MOST_TRIALS else (low, middle)
        return low

    def log_normaliser(self, dataset: Any) -> float:
        """The logarithm of the integral of ``exp(log_density)``, by quadrature on pieces where it is analytic.

        Raises
        ------
        InvalidArgument
            When that takes more than four million points.
        """
        z, log_density = self.records(dataset), self.log_density(dataset)
        d, kinks = self.loss.dimension, self.loss.kinks(z)
        if self.is_a_product:
            laws = self.coordinates(dataset)
            centre = np.full((1, d), (self.loss.low + self.loss.high) / 2)
            parts = [
                _log_integral(_of_columns(law.log_density), [np.union1d(law.bounds[0].edges, cuts)])
                for law, cuts in zip(laws, kinks, strict=True)
            ]
            return float(np.sum(parts)) - (d - 1) * float(log_density(centre)[0])
        # pieces over which the logarithm varies by at most 2, of at most 1/2: the loss is analytic within pi of the box
        width = self.loss.high - self.loss.low
        pieces = math.ceil(width * max(2.0, self._slope(len(z)) / 2))
        if (pieces * _POINTS) ** d > _MOST_NODES:
            raise InvalidArgument(
                f"dataset must be small enough for a quadrature with {_MOST_NODES:,} points, got {len(z)} records in "
                f"{d} dimensions, which take {float((pieces * _POINTS) ** d):.3g}"
            )
        return _log_integral(log_density, [np.linspace(self.loss.low, self.loss.high, pieces + 1)] * d)

    def exact_loss(self, left: Any, right: Any) -> float:
        """The largest absolute log ratio of the densities on two datasets that differ in one record, to rounding.

        Of the densities: what a limit on trials adds is in delta.

        Raises
        ------
        InvalidArgument
            When they differ in more than one record, or the box has more than 12 dimensions.
        """
        problem = ReplaceOne().distance_problem(left, right)
        if problem is not None:
            raise InvalidArgument(f"left and right must be neighbours, but the pair {problem}")
        if self.loss.dimension > _MOST_DIMENSIONS:
            raise InvalidArgument(
                f"loss must have at most {_MOST_DIMENSIONS} dimensions for its corners, got {self.loss.dimension}"
            )
        logs, normalisers = zip(
            *((self.log_density(one), self.log_normaliser(one)) for one in (left, right)), strict=True
        )
        places = self.loss.extremes(*_differing(self.loss.records(left), self.loss.records(right)))
        return float(np.abs(logs[0](places) - logs[1](places) - (normalisers[0] - normalisers[1])).max())

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Floats:
        """One vector, shape (dimension,)."""
        return np.asarray(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent vectors, shape (size, dimension)."""
        if self.is_a_product:
            grid = self.cells(dataset)
            return np.column_stack([grid.sample(law, size, rng) for law in self.laws_of_cells(dataset)])
        return self.box(dataset).sample(size, rng)


def _differing(left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """The record of each of two datasets that the other has not; any, where they are the same."""
    apart = np.flatnonzero((left != right).any(axis=1))
    place = int(apart[0]) if apart.size else 0
    return left[place], right[place]


def _of_columns(log_density: Callable[[Floats], Any]) -> Callable[[Floats], Floats]:
    """A function of numbers as one of rows of one number."""
    return lambda points: np.asarray(log_density(points[:, 0]))


def _log_integral(log_density: Callable[[Floats], Floats], edges: list[Floats]) -> float:
    """The logarithm of the integral of an exponential over a box, by a product of Gauss and Legendre's rules."""
    at, weights = np.polynomial.legendre.leggauss(_POINTS)
    axes, sizes = [], []
    for cuts in edges:
        half = np.diff(cuts)[:, None] / 2
        axes.append((cuts[:-1, None] + half * (1 + at[None, :])).ravel())
        sizes.append((half * weights[None, :]).ravel())
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(edges))
    logs = log_density(points).reshape([len(axis) for axis in axes])
    top = float(logs.max())
    total: Any = np.exp(logs - top)
    for size in reversed(sizes):
        total = total @ size
    return top + math.log(float(total))
