"""A private learner made non-private at next to no cost in risk: whatever can be learnt privately can be so learnt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import features_and_labels, is_labelled, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import IntegerScores, Law
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.mechanisms.choice import as_outputs
from dpcheck.parts.mechanisms.inner import law_method
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.risk.problems import FiniteProblem


@dataclass(frozen=True)
class Unprivate:
    """A learner that shows whether one record, the marker, is in the data, and otherwise answers as a private one.

    Without the marker it is the private learner A. With it, on n records:

    - where some hypothesis h0 is never A's answer (A is continuous, or its atoms are not all of H: the paper's cases
      (i), (ii)), it answers h0 with probability 1/n and else as A;
    - where all are, and #H > n (iii), it answers as A does given that the answer is not the least likely hypothesis;
    - where #H <= n (iv), it minimises the empirical risk.

    In the first three the law moves by at most 1/n in total variation, and with it any risk between 0 and 1. An answer
    that is possible on one side only has an infinite likelihood ratio. It claims nothing.

    Parameters
    ----------
    learner : learner
        The paper's A; its law, where declared, makes the law of this.
    marker : record
        The paper's z0.
    outside : hypothesis, optional
        The paper's h0.
    problem : FiniteProblem, optional
        In place of ``outside``, where there is no such hypothesis.

    Raises
    ------
    InvalidArgument
        When neither or both of ``outside`` and ``problem`` are given.

    Source: wang2016:alg-unprivate, prop-11.

    Examples
    --------
    >>> from dpcheck.papers.wang2016.learners.generic import OptimalPrivateLearner
    >>> from dpcheck.parts.risk.problems import absolute_loss
    >>> learner = Unprivate(OptimalPrivateLearner(absolute_loss([0, 1]), 1.0, 4), marker=1, outside=2)
    >>> learner.distribution([0, 0, 0, 0]).get(2), learner.distribution([0, 0, 1, 0]).exact[-1]
    (None, Fraction(1, 4))
    """

    learner: Any
    marker: Any
    outside: Any = None
    problem: FiniteProblem | None = None

    def __post_init__(self) -> None:
        if not callable(self.learner):
            raise InvalidArgument(f"learner must be a callable (dataset, rng) -> output, got {self.learner!r}")
        if (self.outside is None) == (self.problem is None):
            raise InvalidArgument(
                "outside must be a hypothesis that the learner never answers, or problem a FiniteProblem where there "
                f"is none, got outside={self.outside!r} and problem={self.problem!r}"
            )
        if self.problem is not None and not isinstance(self.problem, FiniteProblem):
            raise InvalidArgument(f"problem must be a FiniteProblem, got {self.problem!r}")

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter."""
        return getattr(self.learner, "order_blind", False) is True

    def marked(self, dataset: Any) -> bool:
        """Whether the marker is among the records."""
        if is_labelled(dataset):
            x, y = features_and_labels(dataset)
            return bool((_equal(x, self.marker[0]) & _equal(y, self.marker[1])).any())
        return bool(_equal(dataset, self.marker).any())

    def way(self, size: int) -> Literal["outside", "conditioned", "minimiser"]:
        """What is done on so many records with the marker among them."""
        if self.problem is None:
            return "outside"
        return "conditioned" if len(self.problem.hypotheses) > size else "minimiser"

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` independent hypotheses."""
        if not self.marked(dataset):
            return self._drawn(dataset, size, rng)
        records = size_of(dataset)
        way = self.way(records)
        if way == "minimiser":
            assert self.problem is not None
            return [self.problem.minimisers(dataset)[0]] * size
        if way == "outside":
            replaced = rng.random(size) < 1 / records
            return [self.outside if r else h for r, h in zip(replaced, self._drawn(dataset, size, rng), strict=True)]
        avoided = self.least_likely(dataset)
        kept: list[Any] = []
        while len(kept) < size:  # the answer avoided has a probability below 1/n, so few rounds are needed
            kept += [h for h in self._drawn(dataset, size, rng) if h != avoided]
        return kept[:size]

    def least_likely(self, dataset: Any) -> Any:
        """The least likely answer of the private learner, the first of those that tie.

        Raises
        ------
        AttributeError
            When the learner declares no law.
        """
        law = mixture([1], [law_method(self.learner)(dataset)])
        chances = [float(p) for p in law.exact] if law.exact is not None else list(law.log_probabilities)
        return law.outputs[int(np.argmin(chances))]

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``, where the private learner declares its law."""
        law_method(self.learner)
        return self._distribution

    def _distribution(self, dataset: Any) -> Any:
        law = law_method(self.learner)(dataset)
        if not self.marked(dataset):
            return law
        records = size_of(dataset)
        way = self.way(records)
        if way == "minimiser":
            assert self.problem is not None
            return {self.problem.minimisers(dataset)[0]: Fraction(1)}
        if way == "outside":
            return mixture([1 - Fraction(1, records), Fraction(1, records)], [law, {self.outside: Fraction(1)}])
        return _without(law, self.least_likely(dataset))

    def _drawn(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        if callable(getattr(self.learner, "sample", None)):
            return as_outputs(self.learner.sample(dataset, size, rng))
        return [self.learner(dataset, rng) for _ in range(size)]


def _equal(column: Any, value: Any) -> NDArray[np.bool_]:
    """Which entries of a column, rows where it has several, equal a value."""
    if isinstance(column, np.ndarray):
        same = column == np.asarray(value)
        return np.asarray(same.reshape(len(column), -1).all(axis=1))
    return np.array([entry == value for entry in column], dtype=bool)


def _without(law: Any, avoided: Any) -> Law:
    """A law given that one output does not occur."""
    if isinstance(law, Law) and isinstance(law.exact, IntegerScores):
        kept = [place for place, output in enumerate(law.outputs) if output != avoided]
        scores, times = law.exact.scores, law.exact.multiplicities
        exact = IntegerScores(law.exact.epsilon, [scores[i] for i in kept], [times[i] for i in kept])
        return Law([law.outputs[place] for place in kept], exact=exact)
    plain = mixture([1], [law])
    kept = [place for place, output in enumerate(plain.outputs) if output != avoided]
    outputs = [plain.outputs[place] for place in kept]
    if plain.exact is None:
        logs = np.asarray(plain.log_probabilities)[kept]
        return Law(outputs, log_probabilities=logs - np.logaddexp.reduce(logs), error=2 * plain.error)
    whole = sum((plain.exact[place] for place in kept[1:]), plain.exact[kept[0]])
    return Law(outputs, exact=[plain.exact[place] / whole for place in kept])
