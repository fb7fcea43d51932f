"""What alg-2 is compared with, for ``dpcheck learners``."""

from __future__ import annotations

from dpcheck.model.neighbours import AddRemove, Records
from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority, LeastPositive
from dpcheck.papers.bassily2018.learners.noisy_majority import ConstantAnswers, Majority, NoisyMajority
from dpcheck.parts.learners.entry import LearnerEntry

_QUERIES = (0.4, 0.8, 0.9)
_THREE = ("a", "b", "c")


def laplace(*, epsilon: float = 1.0, models: int = 3, split: str = "by_record") -> NoisyMajority:
    """Thresholds' noisy majorities on three queries: Laplace noise, basic composition."""
    return NoisyMajority.for_privacy(
        LeastPositive(), _QUERIES, models=models, epsilon=epsilon, noise="laplace", accounting="basic", split=split
    )


def gaussian(
    *,
    epsilon: float = 1.0,
    delta: float = 0.01,
    models: int = 3,
    accounting: str = "advanced",
    split: str = "by_record",
) -> NoisyMajority:
    """Thresholds' noisy majorities on three queries: Gaussian noise."""
    return NoisyMajority.for_privacy(
        LeastPositive(), _QUERIES, models=models, epsilon=epsilon, delta=delta, accounting=accounting, split=split
    )


def several_classes(*, epsilon: float = 1.0, models: int = 3) -> NoisyMajority:
    """Noisy majorities of three labels: Laplace noise, basic composition, a random split."""
    return NoisyMajority.for_privacy(
        ChunkMajority(_THREE),
        _QUERIES[:1],
        models=models,
        epsilon=epsilon,
        noise="laplace",
        accounting="basic",
        classes=_THREE,
    )


def majority(*, models: int = 3, split: str = "by_record") -> Majority:
    """Thresholds' majorities on three queries without noise."""
    return Majority(LeastPositive(), _QUERIES, models, split=split)


def constant(*, label: int = 1) -> ConstantAnswers:
    """One label for three queries."""
    return ConstantAnswers(_QUERIES, label)


def _points() -> AddRemove:
    return AddRemove(Records.labelled(features=[0.2, 0.6], labels=[0, 1]), size=range(4))


def _labels() -> AddRemove:
    return AddRemove(Records.labelled(features=[0.5], labels=list(_THREE)), size=range(4))


_ALGORITHM, _NO_CLASS = "bassily2018:alg-2", "it answers queries, with any base learner"
ENTRIES = (
    LearnerEntry(
        "bassily2018.noisy_majority",
        laplace,
        _points,
        algorithm=_ALGORITHM,
        summary="the baseline: noisy majorities on public queries; Laplace noise, basic composition",
        not_about_classes=_NO_CLASS,
    ),
    LearnerEntry(
        "bassily2018.noisy_majority_gaussian",
        gaussian,
        _points,
        algorithm=_ALGORITHM,
        summary="the baseline with Gaussian noise and advanced composition; --option accounting=pld for dp-accounting",
        not_about_classes=_NO_CLASS,
    ),
    LearnerEntry(
        "bassily2018.noisy_majority_classes",
        several_classes,
        _labels,
        algorithm=_ALGORITHM,
        summary="the baseline with three labels and a random split",
        not_about_classes=_NO_CLASS,
    ),
    LearnerEntry(
        "bassily2018.majority",
        majority,
        _points,
        algorithm=_ALGORITHM,
        summary="majorities without noise: no claim, and none is kept",
        not_about_classes=_NO_CLASS,
    ),
)
