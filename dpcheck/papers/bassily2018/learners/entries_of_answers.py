"""Alg-1 and alg-2 for ``dpcheck learners``, on domains where neighbours are told apart as far as they ever are.

What the paper's formulas ask for (20,522 chunks for epsilon = 1) no small domain has: there the noise is the least that
is proved, and the chunks are so many that the threshold is reached when all but one or two of them agree. Most of them
have no record, and vote for the first class.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from dpcheck.model.neighbours import AddRemove, Records
from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority, EmpiricalMinimiser, LeastPositive
from dpcheck.papers.bassily2018.learners.printed import PrintedAnswers
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.sizes import printed_scales, proved_scales
from dpcheck.papers.bassily2018.learners.sparse_vector import SparseVector
from dpcheck.papers.bassily2018.learners.stability import StableRelease
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry
from dpcheck.parts.mechanisms.parameters import count

#: Queries take turns among these points.
_POINTS = (0.4, 0.9)
_THREE = ("a", "b", "c")


def majority(dataset: Any) -> int:
    """Whether more of the records are 1 than 0."""
    return int(2 * sum(dataset) > len(dataset))


def distance_of_majority(dataset: Any) -> int:
    """The distance to instability of the majority: so many records may come or go, and it stays."""
    lead = int(2 * sum(dataset)) - len(dataset)
    return lead - 1 if lead > 0 else -lead


def stable_majority(*, epsilon: float = 1.0, delta: float = 0.05) -> StableRelease:
    """A_stab for the majority of zeros and ones."""
    return StableRelease(majority, distance_of_majority, epsilon, delta)


def sparse_vector(
    *, epsilon: float = 1.0, cutoff: int = 1, threshold: float = 1.0, guard: str = "printed"
) -> SparseVector:
    """The sparse vector over the sums of columns."""
    rounds = Scales(threshold, 1.0, 2.0, cutoff=cutoff).rounds(guard)  # type: ignore[arg-type]
    scale = 2 * rounds / epsilon
    return SparseVector(Scales(threshold, scale, 2 * scale, cutoff=cutoff), guard=guard)  # type: ignore[arg-type]


def answers(
    *,
    epsilon: float = 4.0,
    delta: float = 1e-3,
    queries: int = 3,
    cutoff: int = 1,
    models: int | None = None,
    guard: str = "printed",
    distance: str = "printed",
    split: str = "by_record",
) -> PrivateAnswers:
    """A_binClas over the consistent learner of thresholds, with the least noise that is proved."""
    asked = [_POINTS[place % len(_POINTS)] for place in range(count("queries", queries))]
    return _private(LeastPositive(), asked, epsilon, delta, cutoff, models, guard=guard, distance=distance, split=split)


def answers_of_random_chunks(
    *,
    epsilon: float = 16.0,
    delta: float = 0.1,
    queries: int = 2,
    cutoff: int = 1,
    models: int = 3,
    split: str = "random",
) -> PrivateAnswers:
    """A_binClas over the majority of a chunk, the chunk of each record drawn; T abstentions end it, not T + 1."""
    asked = list(range(count("queries", queries)))
    return _private(ChunkMajority(), asked, epsilon, delta, cutoff, models, guard="strict", split=split)


def several_classes(
    *, epsilon: float = 4.0, delta: float = 1e-3, queries: int = 2, cutoff: int = 1, models: int | None = None
) -> PrivateAnswers:
    """A_binClas with three labels, over the majority of a chunk."""
    base, asked = ChunkMajority(_THREE), list(range(count("queries", queries)))
    return _private(base, asked, epsilon, delta, cutoff, models, classes=_THREE, split="by_record")


def printed_answers(
    *, epsilon: float = 20.0, delta: float = 0.1, queries: int = 1, cutoff: int = 1, models: int = 4
) -> PrintedAnswers:
    """A_binClas with the printed scales, over the majorities of blocks of consecutive records."""
    formula = printed_scales(epsilon, delta, 0.05, queries, cutoff)
    scales = Scales(formula.threshold, formula.threshold_scale, formula.query_scale, models, cutoff)
    return PrintedAnswers(PrivateAnswers(ChunkMajority(), list(range(queries)), scales, split="blocks"), epsilon, delta)


def _private(
    base: Any,
    queries: list[Any],
    epsilon: float,
    delta: float,
    cutoff: int,
    models: int | None,
    *,
    guard: str = "printed",
    distance: str = "printed",
    **options: Any,
) -> PrivateAnswers:
    formula = proved_scales(
        epsilon,
        delta,
        0.05,
        len(queries),
        cutoff,
        guard=guard,  # type: ignore[arg-type]
        distance=distance,
        models=1,
    )
    # all but one agree: as near to the threshold as a distance comes from above
    per_vote = 1 if distance == "votes" else 2
    number = round(formula.threshold * 2 / per_vote) + 3 if models is None else models
    scales = Scales(formula.threshold, formula.threshold_scale, formula.query_scale, number, cutoff)
    return PrivateAnswers(
        base,
        queries,
        scales,
        guard=guard,  # type: ignore[arg-type]
        distance=distance,
        epsilon=epsilon,
        delta=delta,
        **options,
    )


def _answers_of(instance: ClassInstance) -> PrivateAnswers:
    scales = Scales(threshold=1.0, threshold_scale=1.0, query_scale=2.0, models=3)
    return PrivateAnswers(EmpiricalMinimiser(instance.family), instance.points, scales, delta=0.9)


def _of_thresholds() -> AddRemove:
    return AddRemove(Records.labelled(features=[0.2, 0.6], labels=[0, 1]), size=range(1, 3))


_ALGORITHM, _THEOREM = "bassily2018:alg-2", "bassily2018:thm-3.1"
ENTRIES = (
    LearnerEntry(
        "bassily2018.A_stab",
        stable_majority,
        lambda: AddRemove(Records.of([0, 1]), size=range(1, 7)),
        algorithm="bassily2018:alg-1",
        theorem="bassily2018:thm-2.4",
        summary="A_stab: a function's value, released where it is far from changing; the majority",
        not_about_classes="it releases the value of any function",
    ),
    LearnerEntry(
        "bassily2018.sparse_vector",
        sparse_vector,
        lambda: AddRemove(Records.of(list(product((-1, 1), repeat=3))), size=2),
        algorithm=_ALGORITHM,
        summary="the sparse vector of alg-2: which of a sequence of statistics lie above a threshold",
        not_about_classes="it compares statistics with a threshold",
    ),
    LearnerEntry(
        "bassily2018.A_binClas",
        answers,
        _of_thresholds,
        algorithm=_ALGORITHM,
        theorem=_THEOREM,
        summary="A_binClas: labels for public queries by the votes of models of chunks; abstains without consensus",
        for_class=_answers_of,
        answers_queries=True,
    ),
    LearnerEntry(
        "bassily2018.A_binClas_random",
        answers_of_random_chunks,
        lambda: AddRemove(Records.labelled(features=[0], labels=[0, 1]), size=range(1, 4)),
        algorithm=_ALGORITHM,
        theorem=_THEOREM,
        summary="A_binClas with random chunks, few of them, so that one record changes the leading label",
    ),
    LearnerEntry(
        "bassily2018.A_binClas_multiclass",
        several_classes,
        lambda: AddRemove(Records.labelled(features=[0, 1], labels=list(_THREE)), size=range(1, 3)),
        algorithm=_ALGORITHM,
        theorem=_THEOREM,
        summary="A_binClas with three labels: the margin of the first label over the second",
    ),
    LearnerEntry(
        "bassily2018.A_binClas_as_printed",
        printed_answers,
        lambda: AddRemove(Records.labelled(features=[0], labels=[0, 1]), size=8),
        algorithm=_ALGORITHM,
        theorem=_THEOREM,
        summary="A_binClas as printed: chunks of n/k consecutive records, under add/remove",
        as_printed=True,
    ),
)
