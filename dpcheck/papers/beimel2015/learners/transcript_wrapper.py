"""The transcript wrapper: a private learner of partially labelled data as an active learner of constant questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcheck.model.claims import Claim
from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import EntryAndTranscript
from dpcheck.papers.beimel2015.learners.boost_claim import entry_claim
from dpcheck.papers.beimel2015.learners.databases import as_listed, checked_parts, database
from dpcheck.parts.active.oracle import LabelOracle
from dpcheck.parts.active.released import oracle_for, points_and_labels, run
from dpcheck.parts.mechanisms.inner import checked_learner, drawn, law_method


@dataclass(frozen=True)
class TranscriptWrapper:
    """A learner of partially labelled data as an active learner that asks for the first m labels, in order.

    The transcript is always (0, ..., m - 1), so the law of (hypothesis, transcript) is that of the hypothesis, and what
    the learner promises when an entry is replaced holds for the pair, with the same epsilon and delta
    (beimel2015:thm-5.5). Labels that are not asked for are not read: where only one of them changes, nothing does.

    Parameters
    ----------
    learner : learner of partially labelled databases, of n entries of which the first m are labelled
    labelled : int, at least 0
        m.
    unlabelled : int, at least 0
        n - m; not both may be 0.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or a dataset has not n examples.

    Source: beimel2015:alg-TP, thm-5.5.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.parts.active import WithTranscript
    >>> from dpcheck.papers.beimel2015.learners import ExponentialLearner
    >>> learner = TranscriptWrapper(ExponentialLearner(GridThresholds(9), epsilon=60), labelled=2, unlabelled=1)
    >>> WithTranscript(learner)([(3, 0), (4, 1), (8, 0)], np.random.default_rng())
    (4, (0, 1))
    >>> learner.neighbours.name, learner.claim
    ('entry-and-transcript', PureDP(epsilon=60.0))
    """

    learner: Any
    labelled: int
    unlabelled: int

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        for name, number in checked_parts(self.labelled, self.unlabelled).items():
            object.__setattr__(self, name, number)

    @property
    def size(self) -> int:
        """n."""
        return self.labelled + self.unlabelled

    @property
    def claim(self) -> Claim:
        """The learner's own, of the pair.

        Raises
        ------
        AttributeError
            When the learner promises nothing for such databases.
        """
        return entry_claim(self.learner, self.size, self.labelled)

    @property
    def neighbours(self) -> EntryAndTranscript:
        """One of the n labelled examples replaced, the questions seen."""
        return EntryAndTranscript(size=self.size)

    def most_labels(self, examples: int) -> int:
        """m."""
        return self.labelled

    # --- the steps

    def questions(self, points: Any, oracle: LabelOracle) -> list[int]:
        """The indices to be asked for, in order."""
        return list(range(self.labelled))

    def database(self, points: Any, oracle: LabelOracle) -> Labelled:
        """What the learner is given: the first m entries with the answers, the others without."""
        asked = self.questions(points, oracle)
        answers = dict(zip(asked, oracle.ask_all(asked), strict=True))
        return database(points, answers, asked, [row for row in range(len(points)) if row not in answers])

    # --- one run, many, and the law

    def learn(self, points: Any, oracle: LabelOracle, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        if len(points) != self.size:
            raise InvalidArgument(f"dataset must hold {self.size} labelled records, got {len(points)}")
        return self.learner(self.database(points, oracle), rng)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis on a fully labelled sample."""
        return run(self, dataset, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent hypotheses."""
        return drawn(self.learner, self._given(dataset)[0], size, rng)

    def sample_with_transcript(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` independent pairs (hypothesis, transcript)."""
        data, transcript = self._given(dataset)
        return [(output, transcript) for output in as_listed(drawn(self.learner, data, size, rng))]

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``: the law of the hypothesis, where the learner declares its own."""
        method = law_method(self.learner)
        return lambda dataset: method(self._given(dataset)[0])

    @property
    def law_with_transcript(self) -> Callable[[Any], Any]:
        """``law_with_transcript(dataset)``: the law of the pair (hypothesis, transcript)."""
        method = law_method(self.learner)

        def law(dataset: Any) -> Any:
            data, transcript = self._given(dataset)
            found = method(data)
            if isinstance(found, Law):
                return replace(found, outputs=[(output, transcript) for output in found.outputs])
            return {(output, transcript): probability for output, probability in found.items()}

        return law

    def _given(self, dataset: Any) -> tuple[Labelled, tuple[int, ...]]:
        points, labels = points_and_labels(dataset)
        if len(points) != self.size:
            raise InvalidArgument(f"dataset must hold {self.size} labelled records, got {len(points)}")
        oracle = oracle_for(self, labels)
        return self.database(points, oracle), oracle.transcript
