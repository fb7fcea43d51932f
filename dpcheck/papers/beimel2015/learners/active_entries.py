"""SubSampling, the transcript wrapper, subsampling and resampling of beimel2015 for ``dpcheck learners``."""

from __future__ import annotations

from typing import Any

from dpcheck.model.neighbours import EntryAndTranscript, Records, ReplaceEntry, ReplaceOne
from dpcheck.papers.beimel2015.learners.exponential import ExponentialLearner
from dpcheck.papers.beimel2015.learners.resampled import IndependentResampling
from dpcheck.papers.beimel2015.learners.sub_sampling import SubSampling
from dpcheck.papers.beimel2015.learners.subsampled import UniformSubsampling
from dpcheck.papers.beimel2015.learners.transcript_wrapper import TranscriptWrapper
from dpcheck.parts.active import WithTranscript
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry

#: Thresholds on so many points, of which records have the lowest two: most of them label all records 0, and a choice
#: among them loses most of epsilon.
_GRID = 8


def _base(epsilon: Any, domain_size: int) -> ExponentialLearner:
    return ExponentialLearner(GridThresholds(domain_size), epsilon)


def _records() -> Records:
    return Records.labelled(features=[0, 1], labels=[0, 1])


def sub_sampling(
    *, base_epsilon: Any = 1.0, examples: int = 4, asked: Any = "first", domain_size: int = _GRID
) -> SubSampling:
    """SubSampling of the exponential mechanism: two of ``examples`` entries are drawn, one label is asked for."""
    return SubSampling(_base(base_epsilon, domain_size), 1, 1, examples, asked=asked)


def sub_sampling_transcript(
    *, base_epsilon: Any = 1.0, examples: int = 4, asked: Any = "first", domain_size: int = _GRID
) -> WithTranscript:
    """SubSampling whose question is released beside the hypothesis: what it gains from sampling is lost."""
    return WithTranscript(
        sub_sampling(base_epsilon=base_epsilon, examples=examples, asked=asked, domain_size=domain_size)
    )


def transcript_wrapper(*, base_epsilon: Any = 1.0, domain_size: int = _GRID) -> TranscriptWrapper:
    """The exponential mechanism as an active learner that asks for the first two of three labels."""
    return TranscriptWrapper(_base(base_epsilon, domain_size), 2, 1)


def subsampled(*, base_epsilon: Any = 1.0, domain_size: int = _GRID) -> UniformSubsampling:
    """The exponential mechanism on one of two labelled entries and one of two others."""
    return UniformSubsampling(_base(base_epsilon, domain_size), 1, 1, of_labelled=2, of_unlabelled=2)


def resampled(*, base_epsilon: Any = 1.0, domain_size: int = _GRID) -> IndependentResampling:
    """The exponential mechanism on entries drawn with replacement, two labelled ones and one other."""
    return IndependentResampling(_base(base_epsilon, domain_size), 2, 1)


def _sub_sampling_of(instance: ClassInstance) -> SubSampling:
    return SubSampling(ExponentialLearner(instance.family), 1, 1, instance.size)


def _transcript_wrapper_of(instance: ClassInstance) -> TranscriptWrapper:
    return TranscriptWrapper(ExponentialLearner(instance.family), instance.size - 1, 1)


def _subsampled_of(instance: ClassInstance) -> UniformSubsampling:
    base = ExponentialLearner(instance.family)
    return UniformSubsampling(base, 2, 0, of_labelled=instance.size, of_unlabelled=0)


def _resampled_of(instance: ClassInstance) -> IndependentResampling:
    return IndependentResampling(ExponentialLearner(instance.family), instance.size, 0)


ACTIVE_ENTRIES = (
    LearnerEntry(
        "beimel2015.sub_sampling",
        sub_sampling,
        lambda: ReplaceOne(_records(), size=4),
        algorithm="beimel2015:alg-4",
        theorem="beimel2015:clm-5.7",
        summary="active: a private learner on a random part, few labels asked for; the hypothesis is released",
        for_class=_sub_sampling_of,
    ),
    LearnerEntry(
        "beimel2015.sub_sampling_transcript",
        sub_sampling_transcript,
        lambda: EntryAndTranscript(_records(), size=4),
        algorithm="beimel2015:alg-4",
        summary="SubSampling whose questions are seen too: only the inner learner's epsilon is left (rem-5.a)",
    ),
    LearnerEntry(
        "beimel2015.transcript_wrapper",
        transcript_wrapper,
        lambda: EntryAndTranscript(_records(), size=3),
        algorithm="beimel2015:alg-TP",
        theorem="beimel2015:thm-5.5",
        summary="active: asks for the first labels, in order; hypothesis and questions are released",
        for_class=_transcript_wrapper_of,
    ),
    LearnerEntry(
        "beimel2015.subsampled",
        subsampled,
        lambda: ReplaceEntry(_records(), size=4, labelled=2),
        algorithm="beimel2015:alg-sub",
        theorem="beimel2015:clm-4.3",
        summary="a private learner on a random part of the labelled entries and one of the others",
        for_class=_subsampled_of,
    ),
    LearnerEntry(
        "beimel2015.resampled",
        resampled,
        lambda: ReplaceEntry(_records(), size=3, labelled=2),
        algorithm="beimel2015:alg-iid",
        theorem="beimel2015:clm-4.5",
        summary="a private learner on entries drawn with replacement, from either part by itself",
        for_class=_resampled_of,
    ),
)
