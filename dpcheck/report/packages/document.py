"""The record ``dpcheck-survey-of-packages/1``: environments, subjects, and what was found of each, as plain data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.verdict import Status
from dpcheck.report.exit_status import Exit, exit_of
from dpcheck.report.finished import Audited, NotAudited

if TYPE_CHECKING:
    from dpcheck.model.verdict import Verdict, Witness

SCHEMA: Literal["dpcheck-survey-of-packages/1"] = "dpcheck-survey-of-packages/1"
#: Where a report has it, from its folder.
RECORD, PAGE, MARKDOWN = "packages/survey.json", "packages/survey.html", "packages/survey.md"
#: What is found of a row whose audits could not be made.
FAILED = "failed"


@dataclass(frozen=True)
class SurveyedEnvironment:
    """An environment: what was asked for, and the versions that it has; ``problem`` says why it could not be made.

    ``seconds`` is what its making took, 0 where it was there before.
    """

    name: str
    package: str
    version: str
    python: str
    requirements: tuple[str, ...]
    packages: tuple[str, ...]
    problem: str
    seconds: float


@dataclass(frozen=True)
class SurveyedLeftOut:
    """A package that was tried and could not be surveyed, and why."""

    package: str
    version: str
    why: str


@dataclass(frozen=True)
class SurveyedWitness:
    """The pair and the event that show most, with its guesses."""

    change: str
    left: str
    right: str
    event: str
    direction: str
    correct: int
    wrong: int
    calls: int


@dataclass(frozen=True)
class SurveyedResult:
    """What one audit found: a status, or the kind of trouble with its line in ``problem``."""

    seed: int
    found: str
    as_expected: bool
    problem: str
    bound: str
    epsilon_lower: float
    detectable_epsilon: float
    calls: int
    seconds: float
    reproducible: bool
    witness: SurveyedWitness | None


@dataclass(frozen=True)
class SurveyedRow:
    """A subject, or its mended copy, in an environment: what its audits found on all seeds."""

    environment: str
    mended: bool
    target: str
    claim: str
    relation: str
    expected: str
    results: tuple[SurveyedResult, ...]

    @property
    def found(self) -> str:
        """What its audits found together: one violation is one, whatever other seeds found."""
        words = {result.found for result in self.results}
        known = [Status.VIOLATED.value, Status.LEARNER_FAILED.value]
        first = next((word for word in known if word in words), None)
        if first is not None:
            return first
        if words - {status.value for status in Status} or not words:
            return FAILED
        return (Status.INCONCLUSIVE if Status.INCONCLUSIVE.value in words else Status.NO_VIOLATION_FOUND).value

    @property
    def as_expected(self) -> bool:
        """Whether each of its audits found what was expected."""
        return all(result.as_expected for result in self.results)

    @property
    def shown(self) -> SurveyedResult | None:
        """The result whose pair is shown: of the violations the first with the shortest pair."""
        violated = [one for one in self.results if one.found == Status.VIOLATED.value and one.witness is not None]
        return min(violated, key=_length, default=None)


@dataclass(frozen=True)
class SurveyedSubject:
    """A learner, what its package promises of it and, where somebody read the source, what is wrong with it.

    ``cause`` says in a few words of what kind the error is, ``known`` what the package's tracker knows of it.
    """

    name: str
    package: str
    promise: str
    finding: str
    cause: str
    known: str
    rows: tuple[SurveyedRow, ...]

    @property
    def violated(self) -> tuple[SurveyedRow, ...]:
        """Where it broke its promise."""
        return tuple(row for row in self.rows if not row.mended and row.found == Status.VIOLATED.value)


@dataclass(frozen=True)
class SurveyOfPackages:
    """What ``dpcheck survey FILE --output`` writes.

    ``alpha`` is the level of each audit, ``level`` their sum: it bounds the probability of any false accusation in the
    survey. ``seconds`` are those of making environments and of audits; side by side less time passed.
    """

    schema: Literal["dpcheck-survey-of-packages/1"]
    title: str
    file: str
    command: str
    dpcheck: str
    seed: int
    seeds: int
    alpha: float
    level: float
    exit_status: Exit
    seconds: float
    environments: tuple[SurveyedEnvironment, ...]
    subjects: tuple[SurveyedSubject, ...]
    left_out: tuple[SurveyedLeftOut, ...]

    @property
    def rows(self) -> tuple[SurveyedRow, ...]:
        """All rows, of mended copies too."""
        return tuple(row for subject in self.subjects for row in subject.rows)

    @property
    def findings(self) -> tuple[SurveyedSubject, ...]:
        """The subjects that broke their promise somewhere."""
        return tuple(subject for subject in self.subjects if subject.violated)

    def environment(self, name: str) -> SurveyedEnvironment:
        """The environment of this name."""
        return next(one for one in self.environments if one.name == name)

    def to_json(self) -> str:
        """The document as JSON."""
        from dpcheck.model.verdict.record import plain

        return json.dumps(plain(self), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


@dataclass(frozen=True)
class Tally:
    """How many rows there are of each kind; ``violated`` are of subjects, not of mended copies."""

    rows: int
    violated: int
    as_expected: int
    not_as_expected: int
    failed: int


def tally(survey: SurveyOfPackages) -> Tally:
    """The counts that stand first."""
    rows = survey.rows
    failed = sum(row.found == FAILED for row in rows)
    right = sum(row.as_expected for row in rows)
    violated = sum(len(subject.violated) for subject in survey.subjects)
    return Tally(len(rows), violated, right, len(rows) - right - failed, failed)


def surveyed_row(
    environment: str,
    target: str,
    expected: Status,
    results: Sequence[Audited | NotAudited],
    seed: int,
    *,
    mended: bool = False,
) -> SurveyedRow:
    """A row made of the results on successive seeds."""
    verdicts = [result.verdict for result in results if isinstance(result, Audited)]
    return SurveyedRow(
        environment,
        mended,
        target,
        str(verdicts[0].claim) if verdicts else "",
        verdicts[0].relation if verdicts else "",
        expected.value,
        tuple(_result(result, seed + number) for number, result in enumerate(results)),
    )


def _result(result: Audited | NotAudited, seed: int) -> SurveyedResult:
    if isinstance(result, NotAudited):
        return SurveyedResult(seed, result.trouble.value, False, result.problem, "", 0.0, 0.0, 0, 0.0, True, None)
    verdict = result.verdict
    return SurveyedResult(
        seed,
        verdict.status.value,
        exit_of(result) is Exit.AS_EXPECTED,
        verdict.failure,
        _bound(verdict),
        float(at_least(verdict.epsilon_lower, ".4f")),
        round(verdict.detectable_epsilon, 4),
        verdict.samples,
        round(verdict.seconds, 1),
        verdict.reproducible,
        None if verdict.witness is None else _witness(verdict.witness),
    )


def _bound(verdict: Verdict) -> str:
    """What is certified, in words; nothing where nothing is."""
    from dpcheck.model.claims import claim_point

    if not verdict.epsilon_lower:
        return ""
    delta = claim_point(verdict.claim)[1]
    return f"epsilon{f' at delta = {delta:.3g}' if delta else ''} above {at_least(verdict.epsilon_lower)}"


def _witness(witness: Witness) -> SurveyedWitness:
    counts = witness.counts
    return SurveyedWitness(
        witness.change,
        witness.left,
        witness.right,
        witness.event,
        witness.direction,
        counts.correct,
        counts.wrong,
        counts.calls,
    )


def _length(result: SurveyedResult) -> int:
    return 0 if result.witness is None else len(result.witness.left) + len(result.witness.right)
