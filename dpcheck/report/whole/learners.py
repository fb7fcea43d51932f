"""Makes a learner's report: what it promises, what its audit found, and its curves."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Any

from dpcheck.model.claims import as_claim, claim_point
from dpcheck.model.learner import Target, declares_law
from dpcheck.model.verdict import Status, Verdict, Witness
from dpcheck.privacy.run.events import Compared, Finished
from dpcheck.report.whole.curves import (
    PROFILE_POINTS,
    QUICK_POINTS,
    claim_numbers,
    claimed_curves,
    exact_curves,
    measured_curves,
)
from dpcheck.report.whole.model import LearnerReport, Noted, OptionShown, PrivacyCurves, WitnessShown
from dpcheck.report.whole.units import Level, command_of
from dpcheck.report.whole.version import installed_version
from dpcheck.report.whole.workers import Failed

if TYPE_CHECKING:
    from dpcheck.model.claims import Claim
    from dpcheck.model.neighbours import Pair
    from dpcheck.parts.learners.entry import LearnerEntry

#: The level of an audit, and of a region of curves.
ALPHA, CURVES_ALPHA = 1e-6, 0.05
#: Calls of a learner without a declared law, full and quick; of one whose claim is false as printed, full.
CALLS, QUICK_CALLS, PRINTED_CALLS = 200_000, 8_000, 1_000_000
#: Calls with which a declared law is compared, quick; full it is as many as an audit takes by itself.
QUICK_COMPARED = 1_000
#: Calls of the measurement of the curves, full and quick.
CURVES_CALLS, CURVES_QUICK_CALLS = 100_000, 4_000
#: Calls alone end a run, so that its numbers are the same on every machine, however busy; what takes too long is ended
#: from outside, and has no numbers (``limit_of``).
MAX_SECONDS = math.inf
#: The loss of a declared law does not depend on it: it stands in where nothing is claimed.
ANY_EPSILON = 1.0
NOTHING_CLAIMED = "nothing is claimed"


@dataclass(frozen=True, eq=False)
class Subject:
    """A learner as it is reported: the target, what it promises under which relation, and the paper's entry if any."""

    name: str
    target: Target
    claim: Any
    relation: Any
    pairs: Any = None
    entry: LearnerEntry | None = None
    source: str = ""


@dataclass
class _Heard:
    """What the events of an audit told."""

    compared: Compared | None = None
    pair: Pair | None = None

    def __call__(self, event: Any) -> None:
        if isinstance(event, Compared):
            self.compared = event
        elif isinstance(event, Finished):
            self.pair = event.pair


def learner_report(subject: Subject, level: Level) -> LearnerReport:
    """Audit a learner and measure its curves: exactly over all pairs where it declares its law, else by calls.

    Raises
    ------
    InvalidArgument
        When it cannot be audited as it is, such as for want of records.
    """
    begun = time.perf_counter()
    claim = None if subject.claim is None else as_claim(subject.claim)
    heard = _Heard()
    verdict = _audited(subject, claim, level, heard)
    curves = _curves(subject, claim, verdict, heard, level)
    made = _report(subject, claim, verdict, level)
    return replace(made, curves=curves, seconds=time.perf_counter() - begun)


def _audited(subject: Subject, claim: Claim | None, level: Level, heard: Callable[[Any], None]) -> Verdict:
    from dpcheck.model.errors import InvalidArgument
    from dpcheck.privacy.run.audit import audit

    law = declares_law(subject.target)
    calls = _calls(subject, level)
    effort: dict[str, Any] = {
        "alpha": ALPHA,
        "max_samples": QUICK_COMPARED if law and level.quick else calls,
        "max_seconds": MAX_SECONDS,
        "seed": level.seed,
        "on_event": heard,
    }
    asked = ANY_EPSILON if claim is None else claim
    given = {"neighbours": subject.relation} | ({} if subject.pairs is None else {"pairs": subject.pairs})
    if law and subject.pairs is None:
        try:
            return audit(subject.target, asked, exhaustive=True, **given, **effort)
        except InvalidArgument:
            # its domain is not finite, or its claim is not decided at one point: an entry's always is
            if subject.entry is not None:
                raise
    return audit(subject.target, asked, **given, **effort)


def _calls(subject: Subject, level: Level) -> int:
    as_printed = subject.entry is not None and subject.entry.as_printed
    return QUICK_CALLS if level.quick else PRINTED_CALLS if as_printed else CALLS


def _curves(subject: Subject, claim: Claim | None, verdict: Verdict, heard: _Heard, level: Level) -> PrivacyCurves:
    if verdict.status is Status.LEARNER_FAILED:
        return claimed_curves(claim)
    if heard.compared is not None:
        points = QUICK_POINTS if level.quick else PROFILE_POINTS
        return exact_curves(heard.compared, claim, verdict.epsilon_lower, points=points)
    from dpcheck.privacy.run.measure import measure

    pair = heard.pair
    given: dict[str, Any] = (
        {"pairs": [(pair.left, pair.right)]}
        if pair is not None
        else {"neighbours": subject.relation} | ({} if subject.pairs is None else {"pairs": subject.pairs})
    )
    measured = measure(
        subject.target,
        delta=0.0 if claim is None else claim_point(claim)[1],
        alpha=CURVES_ALPHA,
        max_samples=CURVES_QUICK_CALLS if level.quick else CURVES_CALLS,
        max_seconds=MAX_SECONDS,
        # calls of its own: the pair was chosen by those of the audit
        seed=level.seed + 1,
        **given,
    )
    found = measured_curves(measured, claim)
    return replace(found, pair=pair.change) if pair is not None and found.profile else found


def _report(subject: Subject, claim: Claim | None, verdict: Verdict, level: Level) -> LearnerReport:
    from dpcheck.model.verdict.descriptions import found_in_words
    from dpcheck.report.finished import Audited
    from dpcheck.report.learners.document import expected_of, how_words, listed, loss_words

    entry = subject.entry
    expected = Status.NO_VIOLATION_FOUND if entry is None else expected_of(entry, verdict.status)
    epsilon, delta = claim_numbers(claim)
    failed = verdict.status is Status.LEARNER_FAILED
    silent = claim is None and verdict.status in (Status.VIOLATED, Status.NO_VIOLATION_FOUND)
    shown = None if entry is None else listed(entry, Audited(verdict, expected))
    exact = verdict.exact is not None
    made_by = subject.source if shown is None else shown.made_by
    return LearnerReport(
        name=subject.name,
        title=_title(subject) if shown is None else shown.summary,
        description=_described(subject.target) if shown is None else shown.description,
        paper="" if entry is None else entry.paper,
        algorithm="" if entry is None else entry.algorithm,
        theorem="" if entry is None else entry.theorem,
        theorem_statement=_statement(entry),
        as_printed=entry is not None and entry.as_printed,
        claim=None if claim is None else str(claim),
        claimed_epsilon=epsilon,
        claimed_delta=delta,
        assumptions=() if claim is None else tuple(claim.assumptions),
        relation=verdict.relation,
        domain="" if shown is None else shown.domain,
        law=declares_law(subject.target),
        source=made_by,
        options=() if shown is None else tuple(OptionShown(one.name, one.default) for one in shown.options),
        status=NOTHING_CLAIMED if silent else verdict.status.value,
        expected=NOTHING_CLAIMED if claim is None else expected.value,
        as_expected=silent or verdict.status is expected,
        verdict=found_in_words(verdict),
        exact=exact,
        loss=None if failed else verdict.epsilon_lower,
        loss_words="" if shown is None or shown.audit is None else loss_words(shown.audit),
        how="" if shown is None or shown.audit is None else how_words(shown.audit),
        pairs=verdict.pairs_tried,
        calls=verdict.samples,
        level=verdict.alpha,
        witness=None if failed else witness_shown(verdict.witness, verdict),
        findings=tuple(Noted(one.kind, one.detail) for one in verdict.findings),
        curves=PrivacyCurves(),
        problem=verdict.failure,
        version=installed_version(),
        command=command_of([subject.name], level),
        audit_command=_audit_command(subject, level),
        seed=level.seed,
        quick=level.quick,
        seconds=0.0,
    )


def failed_learner(failed: Failed, level: Level) -> LearnerReport:
    """What stands in a report for a learner that could not be reported: nothing is said of it but why."""
    name = failed.unit.name
    what = f"{failed.kind}: {failed.message}" if failed.kind else failed.message
    return LearnerReport(
        name=name,
        title="It could not be run",
        description="",
        paper="",
        algorithm="",
        theorem="",
        theorem_statement="",
        as_printed=False,
        claim=None,
        claimed_epsilon=None,
        claimed_delta=None,
        assumptions=(),
        relation="",
        domain="",
        law=False,
        source=name,
        options=(),
        status=Status.LEARNER_FAILED.value,
        expected=Status.NO_VIOLATION_FOUND.value,
        as_expected=False,
        verdict=f"It could not be run: {what}",
        exact=False,
        loss=None,
        loss_words="",
        how="",
        pairs=0,
        calls=0,
        level=ALPHA,
        witness=None,
        findings=(),
        curves=PrivacyCurves(),
        problem=what,
        version=installed_version(),
        command=command_of([name], level),
        audit_command=f"dpcheck audit {quote(name if ':' in name else f'learner:{name}')} --seed {level.seed}",
        seed=level.seed,
        quick=level.quick,
        seconds=failed.seconds,
    )


def witness_shown(witness: Witness | None, verdict: Verdict | None = None) -> WitnessShown | None:
    """A witness as data for a page; of an exact verdict with the probabilities of its event."""
    if witness is None:
        return None
    counts = witness.counts
    exact = None if verdict is None else verdict.exact
    return WitnessShown(
        witness.change,
        witness.left,
        witness.right,
        witness.event,
        witness.direction,
        counts.correct,
        counts.wrong,
        counts.calls,
        witness.epsilon_alone,
        "" if exact is None else exact.left_probability,
        "" if exact is None else exact.right_probability,
    )


def _title(subject: Subject) -> str:
    return _described(subject.target).partition(". ")[0] or subject.name


def _described(target: Target) -> str:
    import inspect

    return " ".join((inspect.getdoc(target.original) or "").split("\n\n")[0].split())


def _statement(entry: LearnerEntry | None) -> str:
    from dpcheck.proof.inventory import load_inventory, papers

    if entry is None or not entry.theorem or entry.paper not in papers():
        return ""
    return next((one.statement for one in load_inventory(entry.paper).results if one.id == entry.theorem), "")


def _audit_command(subject: Subject, level: Level) -> str:
    name = subject.name if subject.entry is None else f"learner:{subject.entry.name}"
    law = declares_law(subject.target) and subject.pairs is None
    printed = subject.entry is not None and subject.entry.as_printed
    options = f"{' --exhaustive' if law else f' --max-samples {_calls(subject, level)}'}"
    options += " --expect violated" if printed else ""
    return f"dpcheck audit {quote(name)}{options} --seed {level.seed}"
