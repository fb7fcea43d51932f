"""The minimiser of the sum of even powers of distances, plus Laplace noise (the paper's appendix B)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument, true_or_false
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.papers.wang2016.learners.regularised import checked_size
from dpcheck.parts.mechanisms.cells import NoiseOfCells
from dpcheck.parts.mechanisms.laplace import LaplaceProfile
from dpcheck.parts.mechanisms.parameters import count, positive_as_given
from dpcheck.parts.risk.losses import PowerLoss, numbers_in

#: Halvings of an interval that leave neighbouring doubles, wherever in it they are.
_HALVINGS = 1100


@dataclass(frozen=True)
class PerturbedMinimiser:
    """``argmin_h sum_i |x_i - h|^power`` of records in an interval, plus Laplace noise of scale sensitivity / epsilon.

    With w the width of the interval, d = power - 1 and n records, the minimiser moves by at most
    ``s(n) = 2 w / (2 + (2 (n - 1))^(1/d))`` when one is replaced. Proof, for w = 1. The minimiser is nondecreasing in
    every record, so let one go from 0 to 1 and the minimiser from b to a, and write ``f(t) = sign(t) |t|^d``. The two
    derivatives are 0: ``sum_j f(a - y_j) = f(1 - a)`` and ``sum_j f(y_j - b) = f(b)`` over the other n - 1 records. Of
    two numbers with sum a - b >= 0 the values of f have a sum of at least ``2 f((a - b)/2)``, of two numbers of at
    least 0 of at most f(their sum); so ``2 (n - 1) f((a - b)/2) <= f(1 - a) + f(b) <= f(1 - (a - b))``. Take roots.

    It is exact for power 2 (1/n). ``reached(n) = w / (1 + (n - 1)^(1/d))`` is attained (n - 1 records at one end, one
    moved to the other), so the bound is less than twice too large, and cannot fall as fast as 1/n. At power 10 no pair
    of up to some 40 records is known to move it farther than that; of 1001, ten at one end and the others near it are
    (0.3202 against 0.3170), which is why the scale is the bound's.

    The noise is drawn in steps of a public grid, a millionth of the scale or less, by exact choices, and what is
    released is a multiple of the step: the claim holds for the bits that come out.

    As printed the scale is ``2 w / (epsilon n)``. That is not epsilon-DP: at power 10 the loss is at least
    ``reached(n) n / 2`` times epsilon: 1.15 epsilon for 5 records, 18.8 for 100, 159 for 1000.

    Parameters
    ----------
    epsilon : float or Fraction, nats, above 0
    power : even int, at least 2
    low, high : float, ends of the interval; records beyond it are moved to its ends
    clip : bool
        Whether outputs are moved into the interval too.
    as_printed : bool
        Whether the noise has the paper's scale, which does not keep the claim.

    Raises
    ------
    InvalidArgument
        When a parameter is outside its range; at a call when there is no record.

    Source: wang2016:alg-laplace10 (as_printed, with epsilon = n^(-9/10)).

    Examples
    --------
    >>> learner = PerturbedMinimiser(epsilon=1.0)
    >>> learner.minimiser([0.0, 0.0, 1.0, 1.0])
    0.5
    >>> round(learner.sensitivity(10), 3), round(learner.reached(10), 3)
    (0.592, 0.439)
    >>> five = [0.0] * 4
    >>> round(PerturbedMinimiser(1.0, as_printed=True).profile([*five, 0.0], [*five, 1.0]).epsilon(0.0), 3)
    1.154
    """

    epsilon: float | Fraction = 1.0
    power: int = 10
    low: float = 0.0
    high: float = 1.0
    clip: bool = False
    as_printed: bool = False
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        object.__setattr__(self, "power", count("power", self.power, least=2))
        if self.power % 2:
            raise InvalidArgument(f"power must be even, got {self.power}")
        true_or_false("clip", self.clip)
        interval = PowerLoss(self.power, self.low, self.high)
        object.__setattr__(self, "low", interval.low)
        object.__setattr__(self, "high", interval.high)

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def records(self, dataset: Any) -> NDArray[np.float64]:
        """The records inside the interval, shape (n,)."""
        return numbers_in(dataset, self.low, self.high)

    def minimiser(self, dataset: Any) -> float:
        """``argmin_h sum_i |x_i - h|^power``, to the last bits, by bisection of the derivative."""
        checked_size(dataset)
        x, times = np.unique(self.records(dataset), return_counts=True)
        low, high = float(x[0]), float(x[-1])
        for _ in range(_HALVINGS):
            middle = low + (high - low) / 2
            if not low < middle < high:
                break
            # an error of rounding moves the zero by less than as many units in the last place as there are terms
            slope = float((np.sign(middle - x) * np.abs(middle - x) ** (self.power - 1) * times).sum())
            if slope == 0:
                return middle
            low, high = (low, middle) if slope > 0 else (middle, high)
        return low

    def sensitivity(self, size: int) -> float:
        """An upper bound on how far replacing one of ``size`` records moves the minimiser."""
        others = count("size", size) - 1
        return float((self.high - self.low) * 2 / (2 + (2.0 * others) ** (1 / (self.power - 1))))

    def reached(self, size: int) -> float:
        """How far it moves when all records but one are at one end, and one is moved there from the other."""
        others = count("size", size) - 1
        return float((self.high - self.low) / (1 + float(others) ** (1 / (self.power - 1))))

    def scale(self, dataset: Any) -> float:
        """The scale of the noise."""
        return self._moved(dataset) / float(self.epsilon)

    def _moved(self, dataset: Any) -> float:
        n = checked_size(dataset)
        return float(2 * (self.high - self.low) / n if self.as_printed else self.sensitivity(n))

    def noise(self, dataset: Any) -> NoiseOfCells:
        """The noise, the same for all datasets of one size."""
        return NoiseOfCells(self._moved(dataset), self.epsilon)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """One perturbed minimiser."""
        return float(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """``size`` independent perturbed minimisers, shape (size,)."""
        found = self.noise(dataset).sample(self.minimiser(dataset), size, rng)
        return np.clip(found, self.low, self.high) if self.clip else found

    def profile(self, left: Any, right: Any) -> LaplaceProfile:
        """The exact profile of the laws on two datasets of one size, before outputs are clipped.

        Clipped, the loss is the same while both minimisers are inside the interval: its ends keep their half-lines.
        """
        return LaplaceProfile(abs(self.minimiser(left) - self.minimiser(right)) / self.scale(left))

    def exact_loss(self, left: Any, right: Any) -> float:
        """The largest absolute log ratio of the densities on two datasets of one size, nats, before clipping.

        That of the released steps is at most the claim, and within a few steps' share of this.
        """
        return self.profile(left, right).epsilon(0.0)
