"""The rules of the SARIF view: one per thing a result may say. Their ids never change; readers track alerts by them."""

from __future__ import annotations

from dataclasses import dataclass

from dpcheck.model.verdict import Finding, Status
from dpcheck.report.exit_status import Exit, exit_of
from dpcheck.report.finished import Audited, NotAudited, Trouble


@dataclass(frozen=True)
class Rule:
    """What a kind of result means: ``short`` is a heading, ``full`` one sentence more, ``advice`` what to do about it.

    ``level`` is SARIF's: error, warning or note.
    """

    id: str
    name: str
    level: str
    short: str
    full: str
    advice: str
    tags: tuple[str, ...] = ()


_PRIVACY = ("privacy", "differential-privacy", "security")
_RUN = ("dpcheck-run",)

VIOLATED = Rule(
    "dpcheck/violated",
    "PrivacyClaimViolated",
    "error",
    "The privacy claim is false",
    Status.VIOLATED.meaning,
    "Look at the two neighbouring datasets and the event in the message: the event is likelier on one of them than the "
    "claim allows. Correct the noise, the sensitivity or the claim, and run the same command again.",
    _PRIVACY,
)
NOT_AS_EXPECTED = Rule(
    "dpcheck/not-as-expected",
    "VerdictNotAsExpected",
    "error",
    "The verdict is not the expected one",
    "The audit was told which verdict to expect and came to another one.",
    "If the learner was mended, change what is expected of it. If it should be caught, give the audit more calls.",
    _PRIVACY,
)
INCONCLUSIVE = Rule(
    "dpcheck/inconclusive",
    "AuditInconclusive",
    "warning",
    "The audit could not have caught the privacy loss asked for",
    Status.INCONCLUSIVE.meaning,
    "Give it more calls or time (--max-samples, --max-seconds), ask for a larger privacy loss (--detect), or "
    "let it pass by "
    "name (--allow-inconclusive).",
    _PRIVACY,
)
LEARNER_FAILED = Rule(
    "dpcheck/learner-failed",
    "LearnerFailed",
    "error",
    "The learner could not be audited",
    Status.LEARNER_FAILED.meaning,
    "Run the learner on the dataset in the message. A learner that is slow needs a longer --call-timeout.",
    ("reliability",),
)
USAGE_ERROR = Rule(
    "dpcheck/usage-error",
    "UsageError",
    "error",
    "The target could not be audited as asked",
    "A target, an option or a setting is not one that can be used; nothing was run.",
    "Correct what the message names, on the command line or in [tool.dpcheck] of pyproject.toml.",
    _RUN,
)
INTERNAL_ERROR = Rule(
    "dpcheck/internal-error",
    "InternalError",
    "error",
    "An error in dpcheck itself",
    "dpcheck came to a state that it should not; nothing is said about the learner.",
    "Run the same command with --traceback, and report what it prints.",
    _RUN,
)
INTERRUPTED = Rule(
    "dpcheck/interrupted",
    "AuditInterrupted",
    "warning",
    "The audit was interrupted",
    "Somebody stopped the run before this target's audit was finished.",
    "Run it again.",
    _RUN,
)
_ADVICE_OF_FINDINGS = (
    "A finding is no verdict: it never changes the exit status. The message says what was seen and, where there is "
    "something, what to do."
)


def _finding(kind: str, name: str, level: str, short: str, full: str, *tags: str) -> Rule:
    return Rule(f"dpcheck/finding/{kind.replace(' ', '-')}", name, level, short, full, _ADVICE_OF_FINDINGS, tags)


#: Findings that are about the learner; those about the run (pairs, budgets) stay in the result's properties.
OF_FINDINGS = {
    "floating point": _finding(
        "floating point",
        "FloatingPointLeak",
        "warning",
        "Low-order bits of the output leak",
        "Whoever sees the doubles that come out learns more than from the real numbers that the claim is about.",
        *_PRIVACY,
    ),
    "terminates differently": _finding(
        "terminates differently",
        "TerminatesDifferently",
        "warning",
        "It ends on one of two neighbours only",
        "Whether the learner answers at all depends on one record.",
        *_PRIVACY,
    ),
    "ignores rng": _finding(
        "ignores rng",
        "IgnoresRng",
        "note",
        "It does not draw from the generator it is given",
        "Its randomness comes from elsewhere, so that a run may not be repeatable from a seed.",
        "reproducibility",
    ),
    "changes its input": _finding(
        "changes its input",
        "ChangesItsInput",
        "warning",
        "It changes the dataset it is given",
        "A learner that alters its input may leak through it, and its next run sees other data.",
        "correctness",
    ),
    "prints": _finding(
        "prints",
        "Prints",
        "note",
        "It prints",
        "What a learner prints is seen by others and is no part of what was audited.",
        "correctness",
    ),
    "warns": _finding(
        "warns",
        "Warns",
        "note",
        "It warns",
        "Its warnings are part of an answer: they leak where they depend on a record.",
        "correctness",
    ),
    "opaque outputs": _finding(
        "opaque outputs",
        "OpaqueOutputs",
        "note",
        "Nothing can be learned from its outputs",
        "The answers hold no numbers to look at, so that hardly any leak would be seen.",
        "testing",
    ),
    "one output": _finding(
        "one output",
        "OneOutput",
        "warning",
        "All of its outputs are one and the same",
        "What never changes keeps any claim: the learner most likely does not return what it learned.",
        "correctness",
    ),
}

#: All rules, in a fixed order.
RULES: tuple[Rule, ...] = (
    VIOLATED,
    NOT_AS_EXPECTED,
    INCONCLUSIVE,
    LEARNER_FAILED,
    USAGE_ERROR,
    INTERNAL_ERROR,
    INTERRUPTED,
    *OF_FINDINGS.values(),
)

_OF_TROUBLE = {
    Trouble.USAGE: USAGE_ERROR,
    Trouble.LEARNER: LEARNER_FAILED,
    Trouble.INTERNAL: INTERNAL_ERROR,
    Trouble.INTERRUPTED: INTERRUPTED,
}
_OF_STATUS = {
    Status.VIOLATED: VIOLATED,
    Status.INCONCLUSIVE: INCONCLUSIVE,
    Status.LEARNER_FAILED: LEARNER_FAILED,
    Status.NO_VIOLATION_FOUND: NOT_AS_EXPECTED,
}


def rule_of_result(result: Audited | NotAudited) -> Rule | None:
    """The rule that a target's result falls under; None where it is as expected and no news.

    >>> from dpcheck.report.finished import NotAudited
    >>> rule_of_result(NotAudited("a:b", Trouble.USAGE, "there is no module")).id
    'dpcheck/usage-error'
    """
    if isinstance(result, NotAudited):
        return _OF_TROUBLE[result.trouble]
    if result.was_interrupted:
        return INTERRUPTED
    status = result.verdict.status
    if exit_of(result) is Exit.AS_EXPECTED:
        # Inconclusive and allowed: nothing fails, and still somebody should know.
        return INCONCLUSIVE if status is Status.INCONCLUSIVE and result.expected is not status else None
    return _OF_STATUS[status]


def rule_of_finding(finding: Finding) -> Rule | None:
    """The rule of a finding about the learner; None for one about the run."""
    return OF_FINDINGS.get(finding.kind)
