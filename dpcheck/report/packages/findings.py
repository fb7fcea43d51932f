"""What is told of a subject that broke its promise: the pair, the event, the source, the mended copy, the versions."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from dpcheck.model.verdict import Status
from dpcheck.report.packages.document import SurveyedRow, SurveyedSubject, SurveyedWitness, SurveyOfPackages
from dpcheck.report.packages.trends import sentence

#: A cause of its own: the mechanism is right on real numbers, and what leaks are the numbers of the machine.
FLOATING_POINT = "floating point"
#: How the cause begins of what the package's own documents tell, so that it is a warning and no error.
DOCUMENTED = "documented"
#: How ``known`` begins where the tracker was searched and knows nothing.
NOT_FOUND = "not found"


@dataclass(frozen=True)
class Finding:
    """A broken promise in words; ``witness`` is the shortest pair of any environment, ``command`` makes it again."""

    subject: str
    package: str
    target: str
    claim: str
    relation: str
    bound: str
    witness: SurveyedWitness | None
    event: str
    promise: str
    error: str
    cause: str
    known: str
    mended: str
    mended_is_clean: bool
    versions: str
    command: str


def findings(survey: SurveyOfPackages) -> tuple[Finding, ...]:
    """One for each subject that broke its promise somewhere, in the order of the file."""
    return tuple(_finding(subject, survey) for subject in survey.findings)


def _finding(subject: SurveyedSubject, survey: SurveyOfPackages) -> Finding:
    row = min(subject.violated, key=_length)
    shown = row.shown
    own = [one for one in subject.rows if not one.mended]
    versions = [survey.environment(one.environment) for one in own]
    words, clean = _mended(subject)
    return Finding(
        subject.name,
        subject.package,
        row.target,
        row.claim,
        row.relation,
        "" if shown is None else f"any valid {shown.bound}, after {shown.calls:,} calls on seed {shown.seed}",
        None if shown is None else shown.witness,
        "" if shown is None or shown.witness is None else event_words(shown.witness),
        subject.promise,
        subject.finding or "the source was not read: nothing is said here of where the error is",
        subject.cause or "not said",
        subject.known or "their tracker was not searched",
        words,
        clean,
        sentence([f"{one.package} {one.version}".strip() for one in versions], [one.found for one in own]),
        again(survey, subject.name, row.environment, survey.seed if shown is None else shown.seed),
    )


def headline(survey: SurveyOfPackages) -> str:
    """How many promises were broken in how many packages, and how many of these errors nobody had told of.

    An error counts where the source was read and a mended copy is clean on each seed.
    """
    found = findings(survey)
    told = [one for one in found if one.cause.lower().startswith(DOCUMENTED)]
    floats = [one for one in found if one.cause == FLOATING_POINT]
    errors = [one for one in found if one not in told and one not in floats]
    whole = [one for one, of in zip(found, survey.findings, strict=True) if of.finding and one.mended_is_clean]
    whole = [one for one in whole if one in errors]
    new = [one for one in whole if one.known.lower().startswith(NOT_FOUND)]
    packages = len({one.package for one in errors})
    return (
        f"{_many(len(errors), 'subject')} of {_many(packages, 'package')} broke "
        f"{'its' if len(errors) == 1 else 'their'} promise; of {len(whole)} the error is pointed at and a mended copy "
        f"is clean, {len(new)} of which were not found in the tracker of the package; "
        f"{len(told)} more as their documents tell, {len(floats)} by floating point alone."
    )


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'s' if count != 1 else ''}"


def event_words(witness: SurveyedWitness) -> str:
    """The event, on which dataset it is likelier, and the guesses where any are counted."""
    guesses = (
        f": {witness.correct:,} right and {witness.wrong:,} wrong guesses in {witness.calls:,} calls"
        if witness.correct + witness.wrong
        else ""
    )
    return f"{witness.event}, {witness.direction}{guesses}"


def again(survey: SurveyOfPackages, subject: str, environment: str, seed: int) -> str:
    """What makes one audit again."""
    return f"dpcheck survey {shlex.quote(survey.file)} {subject} --only {environment} --seed {seed}"


def _mended(subject: SurveyedSubject) -> tuple[str, bool]:
    """Whether the smallest change mends it, in words."""
    rows = [row for row in subject.rows if row.mended]
    if not rows:
        return "no mended copy was audited", False
    results = [result for row in rows for result in row.results]
    clean = [result for result in results if result.found == Status.NO_VIOLATION_FOUND.value]
    words = f"no violation found in the mended copy ({rows[0].target}) on {len(clean)} of {len(results)} audits"
    if len(clean) == len(results):
        caught = max(result.detectable_epsilon for result in results)
        return f"{words}; a leak above epsilon {caught:.3g} of such a kind would have been seen (an estimate)", True
    others = ", ".join(dict.fromkeys(result.found for result in results if result not in clean))
    return f"{words}; else {others}", False


def _length(row: SurveyedRow) -> int:
    shown = row.shown
    witness = None if shown is None else shown.witness
    return 10**9 if witness is None else len(witness.left) + len(witness.right)
