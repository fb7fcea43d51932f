"""The number of labels 1 after randomised response: a private algorithm that shows what relabelling does."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.data import UNLABELLED
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.parts.mechanisms.mixtures import LEAST_BITS
from dpcheck.parts.mechanisms.parameters import positive_as_given


@dataclass(frozen=True)
class NoisyLabelCount:
    """How many labels are 1 when each is told truly with probability ``e^epsilon / (1 + e^epsilon)``, else wrongly.

    Epsilon-DP for one entry replaced, and no more: where k labels change together, the loss is ``k epsilon``. An
    algorithm on labelled databases as lem-4.1 allows, and the one that shows best how many labels an entry moves; the
    exponential mechanism shows half as much. Entries without a label are not counted.

    Parameters
    ----------
    epsilon : float or Fraction, nats, above 0

    Raises
    ------
    InvalidArgument
        When epsilon is no finite number above 0.

    Source: Warner 1965, doi:10.1080/01621459.1965.10480775.

    Examples
    --------
    >>> law = NoisyLabelCount(1.0).distribution([(0, 1), (5, 1), (7, -1)])
    >>> law.outputs, [round(float(chance), 4) for chance in law.exact]
    ([0, 1, 2], [0.0723, 0.3932, 0.5344])
    """

    epsilon: float | Fraction = 1.0
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def labels(self, dataset: Any) -> NDArray[Any]:
        """The labels that there are."""
        labels = np.asarray(private_records(dataset)[1])
        return np.asarray(labels[labels != UNLABELLED])

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        """One count."""
        return int(self.sample(dataset, 1, rng)[0])

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """``size`` independent counts."""
        labels = self.labels(dataset)
        ones, true = int(np.count_nonzero(labels)), 1 / (1 + math.exp(-float(self.epsilon)))
        return rng.binomial(ones, true, size) + rng.binomial(len(labels) - ones, 1 - true, size)

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the count, in balls."""
        from flint import arb, ctx

        labels = self.labels(dataset)
        with ctx.workprec(max(ctx.prec, LEAST_BITS)):
            odds = ball(Fraction(self.epsilon)).exp()
            true, wrong = odds / (1 + odds), 1 / (1 + odds)
            chances = [arb(1)]
            for label in labels.tolist():
                one, zero = (true, wrong) if label else (wrong, true)
                chances = [
                    zero * (chances[k] if k < len(chances) else 0) + one * (chances[k - 1] if k else 0)
                    for k in range(len(chances) + 1)
                ]
        return Law(list(range(len(chances))), exact=chances)
