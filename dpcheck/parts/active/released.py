"""What of an active learner's run is released: the hypothesis alone, or the questions asked with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dpcheck.model.claims import Claim, as_claim
from dpcheck.model.data.kinds import is_pandas
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import EntryAndTranscript, Relation, ReplaceOne, as_relation
from dpcheck.parts.active.oracle import LabelOracle
from dpcheck.parts.active.protocol import ActiveLearner, is_active
from dpcheck.parts.learners.records import private_records


def run(learner: ActiveLearner, dataset: Any, rng: np.random.Generator) -> tuple[Any, tuple[int, ...]]:
    """One run on a fully labelled sample: the hypothesis, and the indices of the labels asked for.

    Raises
    ------
    InvalidArgument
        When the dataset has no labels, or the learner asks for more of them than it said.
    """
    points, labels = points_and_labels(dataset)
    oracle = oracle_for(learner, labels)
    return learner.learn(points, oracle, rng), oracle.transcript


def points_and_labels(dataset: Any) -> tuple[Any, Any]:
    """The points and labels of a fully labelled sample by place: columns of pandas as arrays, whatever their index.

    Raises
    ------
    InvalidArgument
        When it has no labels.

    Examples
    --------
    >>> points_and_labels([(3, 1), (5, 0)])
    ([3, 5], [1, 0])
    """
    points, labels = (np.asarray(part) if is_pandas(part) else part for part in private_records(dataset))
    return points, labels


def oracle_for(learner: ActiveLearner, labels: Any) -> LabelOracle:
    """The oracle of a sample's labels, with the limit that the learner says."""
    repeats_cost = getattr(learner, "repeats_cost", True)
    return LabelOracle(labels, learner.most_labels(len(labels)), repeats_cost=repeats_cost)


@dataclass(frozen=True)
class HypothesisOnly:
    """An active learner of which the hypothesis is released, and its questions are not seen.

    Datasets are fully labelled samples. Draws and law are the active learner's own, where it has them.

    Parameters
    ----------
    learner : ActiveLearner

    Raises
    ------
    InvalidArgument
        When it is none.

    Source: beimel2015:def-5.3.
    """

    learner: Any

    def __post_init__(self) -> None:
        _checked(self.learner)

    @property
    def claim(self) -> Claim:
        """What the learner promises of its hypothesis."""
        return _claim(self.learner, "claim")

    @property
    def neighbours(self) -> Relation:
        """One entry of the sample replaced."""
        found = _relation(self.learner)
        return ReplaceOne(found.records, found.size) if isinstance(found, EntryAndTranscript) else found

    @property
    def sample(self) -> Callable[[Any, int, np.random.Generator], Any]:
        """``sample(dataset, size, rng)``: independent hypotheses."""
        return _method(self.learner, "sample")

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``: the law of the hypothesis."""
        return _method(self.learner, "distribution")

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One hypothesis."""
        return run(self.learner, dataset, rng)[0]


@dataclass(frozen=True)
class WithTranscript:
    """An active learner whose outputs are pairs (hypothesis, transcript): its questions are seen.

    A transcript is the tuple of the indices asked for, in order, counted from 0. Datasets are fully labelled samples.

    Parameters
    ----------
    learner : ActiveLearner

    Raises
    ------
    InvalidArgument
        When it is none.

    Source: beimel2015:def-5.4.

    Examples
    --------
    >>> class Curious:
    ...     "Asks for labels until one is 1."
    ...     def most_labels(self, examples):
    ...         return examples
    ...     def learn(self, points, oracle, rng):
    ...         return any(oracle.ask(index) for index in range(len(points)))
    >>> WithTranscript(Curious())([(5, 0), (6, 1), (7, 0)], np.random.default_rng())
    (True, (0, 1))
    """

    learner: Any
    #: Outputs are pairs (hypothesis, transcript).
    releases_transcript: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _checked(self.learner)

    @property
    def claim(self) -> Claim:
        """What the learner promises of both together.

        Its ``transcript_claim``; else its ``claim``, unless the relation that it names says that this is about the
        hypothesis alone.

        Raises
        ------
        AttributeError
            When it promises nothing of both.
        """
        if _has(self.learner, "transcript_claim"):
            return _claim(self.learner, "transcript_claim")
        if _has(self.learner, "neighbours") and not isinstance(_relation(self.learner), EntryAndTranscript):
            raise AttributeError(f"the claim of {type(self.learner).__name__} is about its hypothesis alone")
        return _claim(self.learner, "claim")

    @property
    def neighbours(self) -> EntryAndTranscript:
        """One entry of the sample replaced, the questions seen."""
        found = _relation(self.learner)
        return EntryAndTranscript(found.records, found.size)

    @property
    def sample(self) -> Callable[[Any, int, np.random.Generator], Any]:
        """``sample(dataset, size, rng)``: independent pairs."""
        return _method(self.learner, "sample_with_transcript")

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``: the law of the pair."""
        return _method(self.learner, "law_with_transcript")

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, tuple[int, ...]]:
        """One pair."""
        return run(self.learner, dataset, rng)


def with_transcript(learner: Any) -> Any:
    """The learner whose outputs are pairs (hypothesis, transcript): what is audited under ``EntryAndTranscript``.

    Raises
    ------
    InvalidArgument
        When the learner asks no questions: the law of its outputs alone would be taken for that of a pair.

    Examples
    --------
    >>> with_transcript(lambda dataset, rng: 0)
    Traceback (most recent call last):
    ...
    dpcheck.InvalidArgument: learner must be active for EntryAndTranscript (learn(points, oracle, rng) and \
most_labels(examples)), or have releases_transcript = True if its outputs are (hypothesis, transcript), got function
    """
    if getattr(learner, "releases_transcript", False) is True:
        return learner
    if isinstance(learner, HypothesisOnly):
        raise InvalidArgument(
            "learner must release its transcript for EntryAndTranscript, got HypothesisOnly: audit "
            f"{type(learner.learner).__name__} itself, or this under ReplaceOne"
        )
    if not is_active(learner):
        raise InvalidArgument(
            "learner must be active for EntryAndTranscript (learn(points, oracle, rng) and most_labels(examples)), or "
            f"have releases_transcript = True if its outputs are (hypothesis, transcript), got {type(learner).__name__}"
        )
    return WithTranscript(learner)


def _checked(learner: Any) -> None:
    if not is_active(learner):
        raise InvalidArgument(
            f"learner must be active, with learn(points, oracle, rng) and most_labels(examples), got {learner!r}"
        )


def _relation(learner: Any) -> Relation:
    found = getattr(learner, "neighbours", None)
    return ReplaceOne() if found is None else as_relation(found)


def _has(learner: Any, name: str) -> bool:
    return getattr(learner, name, None) is not None


def _claim(learner: Any, name: str) -> Claim:
    found = getattr(learner, name, None)
    if found is None:
        raise AttributeError(f"{type(learner).__name__} has no {name}")
    return as_claim(found)


def _method(learner: Any, name: str) -> Callable[..., Any]:
    found = getattr(learner, name, None)
    if not callable(found):
        raise AttributeError(f"{type(learner).__name__} has no {name}")
    method: Callable[..., Any] = found
    return method
