"""Algorithm 1 for a convex loss on an interval: a log-concave density, drawn from exactly by rejection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.wang2016.learners.regularised import checked_rounding, checked_size
from dpcheck.parts.mechanisms.cells import PublicGrid, less_rounding
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.logconcave import LogConcave
from dpcheck.parts.mechanisms.parameters import at_least_zero, positive_as_given
from dpcheck.parts.risk.losses import PowerLoss

Floats = NDArray[np.float64]
#: Points of Gauss and Legendre's rule on each piece: on pieces so short an analytic density is a polynomial.
_POINTS = 12


@dataclass(frozen=True)
class LogConcaveExponential:
    """A number h with density proportional to ``exp((epsilon / (2 B)) n q(h))``, ``q = -(risk + ridge h^2)``.

    The loss is ``|h - z|^power`` for records and hypotheses in [low, high], at most B = (high - low)^power; replacing
    a record moves ``n q`` by at most B, which makes it epsilon-DP. The density is log-concave. What is released is the
    middle of a cell of a public grid, by the mechanism on the middles alone: an exact choice, so that the claim holds
    for the bits that come out, and there is no error of a Markov chain to account for.

    As printed the exponent is ``epsilon n q / B``, twice as large. That is not epsilon-DP but 2 epsilon-DP, and no
    less: for the absolute loss at epsilon 1 the exact loss is 1 for one record, 1.161 for 2, 1.611 for 6, 1.980 for
    100, 1.998 for 1000.

    In more than one dimension the proposition wants a Markov chain, whose distance in total variation from the density
    would have to be proved and paid for in delta; no chain is run here, but in a box
    :class:`~dpcheck.papers.wang2016.learners.boxes.LogConcaveOnBox` draws by rejection.

    Parameters
    ----------
    power : int, at least 1
    epsilon : float or Fraction, nats, above 0
    low, high : float, ends of the interval; records beyond it are moved to its ends
    ridge : float, at least 0
        g_n is ``ridge h^2``.
    as_printed : bool
        Whether the exponent is the paper's, which does not keep the claim.

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range; at a call when there is no record.

    Source: wang2016:prop-26 (alg-logconcave).

    Examples
    --------
    >>> learner = LogConcaveExponential(power=2, epsilon=1.0)
    >>> drawn = learner.sample([0.25] * 4000, 100, np.random.default_rng())
    >>> bool(abs(drawn.mean() - 0.25) < 0.1)
    True
    >>> pair = [0.0] * 6, [0.0] * 5 + [1.0]
    >>> [round(LogConcaveExponential(1, as_printed=kind).exact_loss(*pair), 3) for kind in (False, True)]
    [0.689, 1.611]
    """

    power: int = 2
    epsilon: float | Fraction = 1.0
    low: float = 0.0
    high: float = 1.0
    ridge: float = 0.0
    as_printed: bool = False
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        loss = PowerLoss(self.power, self.low, self.high)
        for name in ("power", "low", "high"):
            object.__setattr__(self, name, getattr(loss, name))
        object.__setattr__(self, "ridge", at_least_zero("ridge", self.ridge))

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    @property
    def loss(self) -> PowerLoss:
        """The loss."""
        return PowerLoss(self.power, self.low, self.high)

    def records(self, dataset: Any) -> Floats:
        """The records inside the interval, shape (n,)."""
        checked_size(dataset)
        return self.loss.records(dataset)

    def rate(self, dataset: Any) -> Fraction:
        """Nats per unit of ``n q``."""
        largest = (Fraction(self.high) - Fraction(self.low)) ** self.power
        return Fraction(self.epsilon) / (largest if self.as_printed else 2 * largest)

    def scores(self, dataset: Any, points: Floats) -> Floats:
        """``n q`` at some points, shape (k,)."""
        z = self.records(dataset)
        return np.asarray(-self.loss.sums(points, z).as_floats() - len(z) * self.ridge * points**2)

    def log_density(self, dataset: Any) -> Callable[[Floats], Floats]:
        """The logarithm of the density, up to a constant: a function of points."""
        rate = float(self.rate(dataset))
        return lambda points: rate * self.scores(dataset, np.asarray(points, dtype=np.float64))

    def density(self, dataset: Any) -> LogConcave:
        """The law that the released number's approaches as cells get smaller."""
        self._checked(dataset)
        return LogConcave(self.log_density(dataset), self.low, self.high)

    def _checked(self, dataset: Any) -> None:
        largest = (self.high - self.low) ** self.power
        ridge = self.ridge * max(abs(self.low), abs(self.high)) ** 2
        checked_rounding(checked_size(dataset), largest + ridge, largest)

    def nats(self, dataset: Any) -> float:
        """By how much the logarithm of the density may vary on so many records, whatever they are."""
        largest = (self.high - self.low) ** self.power + self.ridge * max(abs(self.low), abs(self.high)) ** 2
        return float(self.rate(dataset)) * checked_size(dataset) * largest

    def cells(self, dataset: Any) -> PublicGrid:
        """The grid, the same for all datasets of one size."""
        return PublicGrid.fit_for(self.low, self.high, self.nats(dataset))

    def law_of_cells(self, dataset: Any) -> Choice:
        """The law of the released cell: the mechanism on the middles, at a rate that leaves room for rounding."""
        self._checked(dataset)
        share = float(less_rounding(self.epsilon, checked_size(dataset), self.nats(dataset)))
        log_density = self.log_density(dataset)
        return self.cells(dataset).values(lambda points: share * log_density(points))

    def log_normaliser(self, dataset: Any) -> float:
        """The logarithm of the integral of ``exp(log_density)``, by quadrature between the envelope's points."""
        log_density = self.log_density(dataset)
        kinks = self.records(dataset) if self.power % 2 else np.zeros(0)
        edges = np.unique(np.concatenate([self.density(dataset).bounds[0].edges, kinks]))
        at, weights = np.polynomial.legendre.leggauss(_POINTS)
        half = np.diff(edges)[:, None] / 2
        points = edges[:-1, None] + half * (1 + at[None, :])
        logs = log_density(points.ravel()).reshape(points.shape)
        top = float(logs.max())
        return top + float(np.log((np.exp(logs - top) * weights[None, :] * half).sum()))

    def exact_loss(self, left: Any, right: Any) -> float:
        """The largest absolute log ratio of the densities on two datasets that differ in one record, to rounding.

        ``|h - z|^power - |h - z'|^power`` is monotone in h (the derivative of a convex power of h - z rises with it),
        so the log ratio is largest at an end of the interval. That of the released cells is within what the log ratio
        changes over half a cell of it, and at most the claim.

        Raises
        ------
        InvalidArgument
            When they differ in more than one record.
        """
        problem = ReplaceOne().distance_problem(left, right)
        if problem is not None:
            raise InvalidArgument(f"left and right must be neighbours, but the pair {problem}")
        ends = np.array([self.low, self.high])
        logs = [self.log_density(data)(ends) - self.log_normaliser(data) for data in (left, right)]
        return float(np.abs(logs[0] - logs[1]).max())

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """One number."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent numbers, shape (size,)."""
        return self.cells(dataset).sample(self.law_of_cells(dataset), size, rng)
