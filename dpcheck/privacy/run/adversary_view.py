"""What a relation lets an observer see: under ``EntryAndTranscript`` the questions of an active learner too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from dpcheck.execution.introspection import RELEASES
from dpcheck.model.learner import Target
from dpcheck.model.neighbours import EntryAndTranscript, as_relation


def target_under(target: Target, neighbours: Any) -> Target:
    """The target as it is audited under a relation: with its transcript where that is seen, else as it is.

    Parameters
    ----------
    target : Target
    neighbours : Relation, its class or its name, or None

    Raises
    ------
    InvalidArgument
        When the transcript is seen, and the learner asks no questions.
    """
    if neighbours is None or not isinstance(as_relation(neighbours), EntryAndTranscript):
        return target
    if target.described is not None and (target.is_factory or target.died):
        # Made elsewhere: whether it asks questions is seen where this factory makes it.
        if target.died or target.described.values.get(RELEASES) is True:
            return target
        return replace(target, original=_WithTranscript(target.original), described=None)
    from dpcheck.parts.active import with_transcript

    seen = with_transcript(target.make() if target.is_factory else target.original)
    if getattr(target.original, "releases_transcript", False) is True:
        return target
    return replace(target, original=_WithTranscript(target.original) if target.is_factory else seen, described=None)


@dataclass(frozen=True)
class _WithTranscript:
    """A factory of active learners, as one of learners that release their transcript."""

    factory: Callable[..., Any]

    def __call__(self, **options: Any) -> Any:
        """A fresh learner."""
        from dpcheck.parts.active import with_transcript

        return with_transcript(self.factory(**options))
