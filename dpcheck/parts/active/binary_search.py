"""An active learner of thresholds whose hypothesis is private, and whose questions give the labels away."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.active.oracle import LabelOracle
from dpcheck.parts.active.released import oracle_for, points_and_labels, run
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.parameters import positive_as_given

#: Laws with more outputs are not declared, and classes with more hypotheses not listed to be drawn from.
MOST_OUTPUTS = 1 << 12


@dataclass(frozen=True)
class PrivateBinarySearch:
    """Binary search for a threshold among the sorted points; the one found is kept with a private choice.

    The search asks for ``ceil(log2(n + 1))`` labels and finds the point from which on labels are 1. The hypothesis is
    that threshold with a probability ``e^epsilon`` times that of each other one of the grid: whatever the search found,
    no output is more than ``e^epsilon`` times likelier than on another sample, so the hypothesis is epsilon-DP
    (a private active learner, beimel2015:def-5.3). The questions are no part of that: after a label 0 the search goes
    right, after a label 1 left, and who sees the next question knows the label. The pair (hypothesis, transcript) is
    private for no epsilon.

    Parameters
    ----------
    family : GridThresholds, of at most 4096 hypotheses in one orientation
    epsilon : float or Fraction, nats, above 0

    Raises
    ------
    InvalidArgument
        When the class is another one, or epsilon is no finite number above 0.

    Source: the randomised response of Warner 1965 over hypotheses; beimel2015:rem-5.a for the two notions.

    Examples
    --------
    >>> from dpcheck.parts.active import WithTranscript
    >>> learner = PrivateBinarySearch(GridThresholds(8), epsilon=50)
    >>> sample = [(6, 1), (1, 0), (3, 0), (5, 1)]
    >>> learner(sample, np.random.default_rng()), WithTranscript(learner)(sample, np.random.default_rng())
    (5, (5, (3, 2)))
    """

    family: GridThresholds
    epsilon: float | Fraction = 1.0

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        if not isinstance(self.family, GridThresholds) or self.family.orientation == "both":
            raise InvalidArgument(f"family must be GridThresholds in one orientation, got {self.family!r}")
        if self.family.size > MOST_OUTPUTS:
            raise InvalidArgument(f"family must have at most {MOST_OUTPUTS:,} hypotheses, got {self.family.size:,}")

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy of the hypothesis, at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One entry of the labelled sample replaced."""
        return ReplaceOne()

    def most_labels(self, examples: int) -> int:
        """``ceil(log2(n + 1))``: the search ends at one of n + 1 places."""
        return examples.bit_length()

    def found(self, points: Any, oracle: LabelOracle) -> int:
        """The threshold that the search ends at."""
        x = self.family.points(points)
        order = np.argsort(x, kind="stable")
        above = self._label_above()
        low, high = 0, len(x)
        while low < high:
            middle = (low + high) // 2
            if oracle.ask(int(order[middle])) == above:
                high = middle
            else:
                low = middle + 1
        return int(x[order[low]]) if low < len(x) else self.family.size - 1

    def choice(self, found: int) -> tuple[NDArray[Any], Choice]:
        """All thresholds, shape (k,), and the choice among them: the one found scores 1."""
        candidates = self.family.everything()
        return candidates, Choice(Fraction(self.epsilon), (np.asarray(candidates) == found).astype(np.int64))

    def learn(self, points: Any, oracle: LabelOracle, rng: np.random.Generator) -> int:
        """One hypothesis."""
        candidates, choice = self.choice(self.found(points, oracle))
        return int(candidates[choice.sample(1, rng)[0]])

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        """One hypothesis on a fully labelled sample; the questions are not released."""
        hypothesis: int = run(self, dataset, rng)[0]
        return hypothesis

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size,)."""
        (candidates, choice), _ = self._searched(dataset)
        return np.asarray(candidates[choice.sample(size, rng)])

    def sample_with_transcript(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` independent pairs (hypothesis, transcript)."""
        (candidates, choice), transcript = self._searched(dataset)
        return [(h, transcript) for h in candidates[choice.sample(size, rng)].tolist()]

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the hypothesis."""
        (candidates, choice), _ = self._searched(dataset)
        return choice.law(candidates.tolist())

    def law_with_transcript(self, dataset: Any) -> Law:
        """The exact law of (hypothesis, transcript): the transcript is a function of the sample."""
        (candidates, choice), transcript = self._searched(dataset)
        return choice.law([(h, transcript) for h in candidates.tolist()])

    def _searched(self, dataset: Any) -> tuple[tuple[NDArray[Any], Choice], tuple[int, ...]]:
        points, labels = points_and_labels(dataset)
        oracle = oracle_for(self, labels)
        return self.choice(self.found(points, oracle)), oracle.transcript

    def _label_above(self) -> int:
        """The label that a threshold gives to the points from itself on."""
        return 0 if self.family.orientation == "down" else 1
