"""What checks have found, kept as it comes: the same checks, begun again, go on from the one that was under way.

A check that is done is a part of the run, and is not made again; one that is not finds what its learner answered. Not
kept is that a learner died or hung, or that a check raised: whoever ends a run may end the learner's process first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from dpcheck.checks.discovery import Check
from dpcheck.checks.outcome import Outcome
from dpcheck.checks.result import CheckStatus
from dpcheck.checks.subject import Subject
from dpcheck.execution.call_journal import digest_of_sent
from dpcheck.execution.kept_parts import Part, Parts, whose
from dpcheck.model.errors import InvalidArgument, RecordCorrupt
from dpcheck.model.verdict import Verdict
from dpcheck.privacy.run.question import Question


@dataclass(frozen=True)
class Found:
    """What came of a check: its outcome, the calls, whether any of its level was spent, and how long it took."""

    outcome: Outcome
    calls: int
    by_chance: bool
    seconds: float


@dataclass(frozen=True)
class KeptResults:
    """The results of one learner's checks in a journal.

    Parameters
    ----------
    parts : Parts, the journal
    settings : bytes, a digest of all that checks are told: the claim, the data, the limits
    """

    parts: Parts
    settings: bytes

    def part(self, check: Check) -> Part:
        """That of a check."""
        return self.parts.part(check.name, check.origin, self.settings)


@contextmanager
def results_kept(subject: Subject) -> Iterator[KeptResults | None]:
    """Where the results of a subject's checks are kept; None where no journal was asked for.

    Raises
    ------
    InvalidArgument
        Where another run has the journal, it cannot be kept, or the learner or its data cannot be told from others.
    """
    directory = subject.question.limits.journal
    if directory is None:
        yield None
        return
    target, settings = subject.target, _settings(subject.question)
    if settings is None:
        raise InvalidArgument(
            f"journal must be None for {target.name}: its data cannot be told from others', since they, or what says "
            "which of them are neighbours, cannot be pickled"
        )
    options = json.dumps(dict(target.options), sort_keys=True, default=str)
    with Parts(directory, f"{target.name} checks", {**whose(target), "options": options}) as parts:
        yield KeptResults(parts, settings)


def _settings(question: Question) -> bytes | None:
    limits = replace(question.limits, jobs=1, journal=None)
    told: Any = replace(question, target=None, limits=limits)  # type: ignore[arg-type]
    return digest_of_sent(told)


def found_before(part: Part) -> Found | None:
    """What an earlier run found of a check; None where it did not come so far."""
    kept = part.found(dict)
    if kept is None:
        return None
    try:
        evidence = None if kept["evidence"] is None else Verdict.from_json(kept["evidence"])
        outcome = Outcome(CheckStatus(kept["status"]), kept["sentence"], kept["hint"], evidence)
        return Found(outcome, kept["calls"], kept["by_chance"], kept["seconds"])
    except (KeyError, ValueError, TypeError, RecordCorrupt):  # made again
        return None


def keep_found(part: Part, found: Found) -> None:
    """Keep what came of a check, where that is for the next run too."""
    outcome = found.outcome
    if outcome.status is CheckStatus.ERROR or outcome.learner_failed:
        return
    part.keep(
        {
            "status": outcome.status.value,
            "sentence": outcome.sentence,
            "hint": outcome.hint,
            "evidence": None if outcome.evidence is None else outcome.evidence.to_json(),
            "calls": found.calls,
            "by_chance": found.by_chance,
            "seconds": found.seconds,
        },
        max(1.0, found.seconds),
    )
