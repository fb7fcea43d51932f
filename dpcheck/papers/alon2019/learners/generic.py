"""The generic private learner: the exponential mechanism over a finite class, scored by mistakes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, TypeGuard

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.classes import FiniteHypothesisClass, GridThresholds, mistakes
from dpcheck.parts.learners.families import checked_family
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.choice import Choice, as_outputs
from dpcheck.parts.mechanisms.parameters import positive_as_given

#: Classes with more hypotheses are not listed to be drawn from (thresholds on a grid need no list).
MOST_LISTED = 1 << 22
#: Laws with more outputs are not declared.
MOST_OUTPUTS = 1 << 12


@dataclass(frozen=True)
class GenericLearner:
    """A hypothesis h of a finite class with probability proportional to ``exp(-(epsilon / 2) mistakes(h))``.

    Replacing a record moves every count of mistakes by at most 1, which makes it epsilon-DP. Thresholds on a grid are
    drawn by runs: mistakes are constant between neighbouring sample points, so a grid of 2^60 costs no more than one
    of 2^10. ``distribution`` is there for classes of at most 4096 hypotheses; ``runs`` has the law on any grid.

    Parameters
    ----------
    family : FiniteHypothesisClass
    epsilon : float or Fraction, nats, above 0

    Raises
    ------
    InvalidArgument
        When the class is not finite or too large to be listed, or epsilon is no finite number above 0.

    Source: alon2019:alg-gen; Kasiviswanathan et al. 2008, arXiv:0803.0924, theorem 3.4.

    Examples
    --------
    >>> from dpcheck.model.data import Labelled
    >>> learner = GenericLearner(GridThresholds(2**60), epsilon=2.0)
    >>> data = Labelled([2**59] * 200 + [2**59 + 1] * 200, [0] * 200 + [1] * 200)
    >>> learner(data, np.random.default_rng()) - 2**59  # all others are e^100 times less likely, and 2^60 of them
    1
    >>> learner.claim
    PureDP(epsilon=2.0)
    """

    family: FiniteHypothesisClass
    epsilon: float | Fraction = 1.0
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        checked_family(self.family)
        if not isinstance(self.family, FiniteHypothesisClass):
            raise InvalidArgument(f"family must be a finite hypothesis class, got {self.family!r}")
        if self.family.size > MOST_LISTED and not _has_runs(self.family):
            raise InvalidArgument(f"family must have at most {MOST_LISTED:,} hypotheses, got {self.family.size:,}")

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    @property
    def neighbours(self) -> ReplaceOne:
        """One labelled record replaced."""
        return ReplaceOne()

    def scores(self, dataset: Any, candidates: Any) -> NDArray[np.int64]:
        """Minus the mistakes of each candidate on the private records, shape (k,)."""
        return -mistakes(self.family, candidates, *private_records(dataset))

    def rate(self, dataset: Any) -> Fraction:
        """Nats per mistake: half of epsilon, for a record is one mistake more on one side, one less on the other."""
        return Fraction(self.epsilon) / 2

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis; of a :class:`~dpcheck.SemiPrivate` dataset only the private part is read."""
        drawn = self.sample(dataset, 1, rng)[0]
        return drawn.item() if isinstance(drawn, np.generic) else drawn

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """``size`` independent hypotheses, shape (size, ...)."""
        if not _has_runs(self.family):
            hypotheses = self.family.everything()
            return np.asarray(hypotheses[self._choice(dataset, hypotheses).sample(size, rng)])
        lows, highs = self.family.cells(private_records(dataset)[0])
        run = self._choice(dataset, lows, highs - lows + 1).sample(size, rng)
        return rng.integers(lows[run], highs[run], endpoint=True)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the hypothesis, for classes of at most 4096 of them."""
        if self.family.size > MOST_OUTPUTS:
            raise AttributeError(f"a law of {self.family.size:,} hypotheses is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        hypotheses = self.family.everything()
        return self._choice(dataset, hypotheses).law(as_outputs(hypotheses))

    def _choice(self, dataset: Any, candidates: Any, multiplicities: Any = None) -> Choice:
        return Choice(self.rate(dataset), self.scores(dataset, candidates), multiplicities)

    def runs(self, dataset: Any, cuts: Any = ()) -> Law:
        """The exact law of the run (low, high) of thresholds that the output falls in, on a grid of any size.

        Parameters
        ----------
        dataset : labelled dataset
        cuts : points at which runs are cut besides those of the dataset, shape (m,)
            With the points of a neighbour both laws have the same runs, and the loss on runs is that on thresholds.

        Raises
        ------
        InvalidArgument
            When the class is not :class:`~dpcheck.parts.classes.GridThresholds` in one orientation.

        Examples
        --------
        >>> law = GenericLearner(GridThresholds(2**60)).runs(([5], [1]), cuts=[9])
        >>> law.outputs[:2], law.exact.scores, law.exact.multiplicities[:2]
        ([(0, 5), (6, 9)], (0, -1, -1), (6, 4))
        """
        if not _has_runs(self.family):
            raise InvalidArgument(f"family must be GridThresholds for runs, got {self.family!r}")
        x, _ = private_records(dataset)
        lows, highs = self.family.cells(np.concatenate([self.family.points(x), self.family.points(cuts)]))
        outputs = [*zip(lows.tolist(), highs.tolist(), strict=True)]
        return self._choice(dataset, lows, highs - lows + 1).law(outputs)


def _has_runs(family: FiniteHypothesisClass) -> TypeGuard[GridThresholds]:
    """Whether the hypotheses are the integers from 0 to N, alike between neighbouring points."""
    return isinstance(family, GridThresholds) and family.orientation != "both"
