"""Alg-2 with all that the paper prints, its claim under add/remove too: not as private as it says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.model.claims import ApproxDP
from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import AddRemove
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.parts.mechanisms.parameters import positive, probability


@dataclass(frozen=True, eq=False)
class PrintedAnswers:
    """A_binClas with (epsilon, delta) claimed under add/remove, however the records are split.

    The paper splits "arbitrarily", into chunks of n/k records. Where these are blocks of consecutive records, one more
    record moves the bounds of all blocks, so that all votes may change at once, and nothing is left of the claim. With
    chunks of two records that vote their majority, and records labelled 1 1 0 0 1 1 0 0 ..., the votes are split
    evenly and the query is abstained from; without the first record no chunk has two ones, and 0 is released. With
    the printed scales for epsilon = 1, delta = 1e-6 and one query, 15,750 chunks of two records, the exact delta at
    epsilon = 1 is above 1 - 1e-39 (``benchmarks/vote_tables.py``); on the small domain of the entry, at epsilon = 20,
    it is 0.52.

    The learner of the claim that holds is
    :class:`~dpcheck.papers.bassily2018.learners.private_answers.PrivateAnswers`: it
    claims blocks under replace-one, and add/remove for splits in which one record changes one chunk.

    Parameters
    ----------
    answers : PrivateAnswers
        The algorithm, with its split.
    epsilon, delta : float
        What the paper claims of it.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: bassily2018:alg-2, thm-3.1, def-2.2.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners import ChunkMajority, Scales
    >>> inner = PrivateAnswers(ChunkMajority(), [0], Scales(2.0, 0.5, 1.0, models=4), split="blocks")
    >>> learner = PrintedAnswers(inner, 20.0, 0.1)
    >>> learner.claim, learner.neighbours.name
    (ApproxDP(epsilon=20.0, delta=0.1), 'add-remove')
    """

    answers: PrivateAnswers
    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        if not isinstance(self.answers, PrivateAnswers):
            raise InvalidArgument(f"answers must be PrivateAnswers, got {describe_value(self.answers)}")
        positive("epsilon", self.epsilon)
        probability("delta", self.delta)

    @property
    def claim(self) -> ApproxDP:
        """What the paper claims."""
        return ApproxDP(self.epsilon, self.delta)

    @property
    def neighbours(self) -> AddRemove:
        """One record added or removed."""
        return AddRemove()

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """For each query a label, "⊥" or None."""
        return self.answers(dataset, rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent runs."""
        return self.answers.sample(dataset, size, rng)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law, where the algorithm has one."""
        return self.answers.distribution
