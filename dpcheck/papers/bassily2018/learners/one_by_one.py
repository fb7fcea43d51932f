"""The object that answers online as a learner that runs a whole sequence, so that it is audited like one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.model.claims import ApproxDP
from dpcheck.model.errors import BudgetSpent
from dpcheck.model.law import Law
from dpcheck.model.neighbours import Relation
from dpcheck.papers.bassily2018.learners.answers import coded, decoded
from dpcheck.papers.bassily2018.learners.online import OnlineAnswers, Terms
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.steps import Steps
from dpcheck.papers.bassily2018.learners.votes import UNANSWERED, as_distance
from dpcheck.parts.mechanisms.mixtures import mixture


@dataclass(frozen=True, eq=False)
class OneByOne:
    """Alg-2 with its queries asked one by one of an :class:`~dpcheck.papers.bassily2018.learners.online.OnlineAnswers`.

    What it outputs has the law of the learner inside, and so its claim; all that is answered, charged and refused goes
    through the object.

    Parameters
    ----------
    answers : PrivateAnswers
        The models, the queries and the scales.

    Source: bassily2018:alg-2, which is online.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> learner = OneByOne(PrivateAnswers(ChunkMajority(), [0, 1], Scales(50.0, 1.0, 2.0, models=200, cutoff=1)))
    >>> learner(([0.5] * 4000, [1] * 4000), np.random.default_rng())
    (1, 1)
    """

    answers: PrivateAnswers

    @property
    def claim(self) -> ApproxDP:
        """That of alg-2 on the sequence."""
        return self.answers.claim

    @property
    def neighbours(self) -> Relation:
        """That of alg-2."""
        return self.answers.neighbours

    def steps(self) -> Steps:
        """Steps 2, 5, 8 and 9, one query at a time."""
        return Steps(self.answers.noise(), self.answers.guard)

    def online(self, dataset: Any, rng: np.random.Generator) -> OnlineAnswers:
        """Steps 1 to 4: an object with models of its own, that may be asked all the queries."""
        inside = self.answers
        rule = dataclasses.replace(as_distance(inside.distance), of=inside.distances)
        terms = Terms(
            self.steps(), max(1, len(inside.queries)), tuple(inside.classes), inside.tie, rule, None,
            inside.epsilon, inside.delta,
        )  # fmt: skip
        return OnlineAnswers.opened(terms, inside.trained_models(dataset, rng), rng)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """For each query a label, "⊥" or None."""
        online = self.online(dataset, rng)
        said: list[Any] = []
        for query in self.answers.queries:
            try:
                said.append(online.answer(query))
            except BudgetSpent:
                said.append(UNANSWERED)
        return tuple(said)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent runs: the models of each split trained once, the steps of all runs taken together."""
        tables, which = self.answers.drawn_tables(dataset, size, rng)
        found = np.empty((size, len(self.answers.queries)), dtype=np.int32)
        for table in np.unique(which).tolist():
            runs = np.flatnonzero(which == table)
            patterns = self.steps().patterns(self.answers.distances(tables[table]), len(runs), rng)
            found[runs] = coded(patterns, self.answers.labels(tables[table]))
        return decoded(found, self.answers.classes)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the law of the outputs, step by step; where ``answers`` declares one."""
        _ = self.answers.distribution
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        inside = self.answers

        def law(counts: Any) -> Law:
            labels = [inside.classes[place] for place in inside.labels(counts).tolist()]
            return self.steps().law(inside.distances(counts), labels)

        tables, weights = inside.vote_tables(dataset)
        return mixture(weights, map(law, tables))
