"""From the file that ``dpcheck audit --json`` or ``dpcheck measure --json`` wrote to the record of its page."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from dpcheck.model.errors import RecordCorrupt
from dpcheck.model.verdict import Measurement, Stop, Verdict
from dpcheck.model.written_json import read_json_file
from dpcheck.report.whole.curves import claim_numbers, claimed_curves, measured_curves
from dpcheck.report.whole.encoding import decoded
from dpcheck.report.whole.learners import witness_shown
from dpcheck.report.whole.model import AuditReport, Count, Noted
from dpcheck.report.whole.paths import file_name
from dpcheck.report.whole.version import installed_version

#: A file larger than this is not read: far beyond any that dpcheck writes.
_MOST_BYTES = 256 * 1024 * 1024
#: No measurement certifies more: what is beyond is no point of a curve, and cannot be drawn.
_LARGEST_EPSILON = 1e6
_WANTED = "what dpcheck audit --json or dpcheck measure --json wrote"


def audit_reports(path: Path, shown: str) -> tuple[AuditReport, ...]:
    """The records of a file, one for each audit in it.

    Parameters
    ----------
    path : the file
    shown : how the report names it

    Raises
    ------
    RecordCorrupt
        When it cannot be read, is none of dpcheck's records, or holds none.
    """
    found = _document(path, shown)
    schema = found.get("schema")
    try:
        if schema == "dpcheck-record/1":
            return (_of_verdict(_verdict(found), shown, schema, ()),)
        if schema == "dpcheck-run/1":
            argv = found.get("argv", [])
            if not (isinstance(argv, list) and all(isinstance(word, str) for word in argv)):
                raise RecordCorrupt(f"{shown} must have a command line of texts, got argv {str(argv)[:60]!r}")
            verdicts = [_verdict(one) for one in found.get("records", ())]
            if not verdicts:
                raise RecordCorrupt(f"{shown} holds no audit: none of its targets was audited")
            return _named(_of_verdict(verdict, shown, schema, tuple(argv)) for verdict in verdicts)
        if schema == "dpcheck-measurement/1":
            return (_of_measurement(decoded(json.dumps(found.get("measurement")), Measurement), shown),)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        if isinstance(error, RecordCorrupt) and str(error).startswith(shown):
            raise
        raise RecordCorrupt(f"{shown} is not {_WANTED}: {' '.join(str(error).split())[:200]}") from error
    raise RecordCorrupt(f"{shown} must be {_WANTED}, got the schema {schema!r}")


def _document(path: Path, shown: str) -> dict[str, Any]:
    try:
        if path.exists() and not path.is_file():  # a pipe might never end
            raise RecordCorrupt(f"{shown} must be {_WANTED}, and is no file")
        if path.stat().st_size > _MOST_BYTES:
            raise RecordCorrupt(f"{shown} must have at most {_MOST_BYTES:,} bytes, got {path.stat().st_size:,}")
        found = read_json_file(path)
    except (OSError, ValueError) as error:
        if isinstance(error, RecordCorrupt):
            raise
        why = (getattr(error, "strerror", None) or str(error)).splitlines()
        raise RecordCorrupt(f"{shown} must be {_WANTED}, and cannot be read: {why[0] if why else ''}") from error
    if not isinstance(found, dict):
        raise RecordCorrupt(f"{shown} must be {_WANTED}, got {type(found).__name__}")
    return found


def _verdict(document: Any) -> Verdict:
    from dpcheck.model.verdict.record import verdict_from_document

    return verdict_from_document(document)


def _named(reports: Iterable[AuditReport]) -> tuple[AuditReport, ...]:
    """With a number behind a name that came before."""
    seen: dict[str, int] = {}
    made = []
    for report in reports:
        seen[report.name] = seen.get(report.name, 0) + 1
        number = seen[report.name]
        made.append(report if number == 1 else replace(report, name=f"{report.name}-{number}"))
    return tuple(made)


def _of_verdict(verdict: Verdict, shown: str, schema: str, argv: tuple[str, ...]) -> AuditReport:
    epsilon, delta = claim_numbers(verdict.claim)
    exact = verdict.exact
    known = None if verdict.record is None else getattr(verdict.record, "argv", None)
    return AuditReport(
        name=file_name(verdict.target),
        file=shown,
        record=schema,
        kind="audit",
        target=verdict.target,
        claim=str(verdict.claim),
        claimed_epsilon=epsilon,
        claimed_delta=delta,
        relation=verdict.relation,
        status=verdict.status.value,
        meaning=verdict.status.meaning,
        words=str(verdict),
        level=verdict.alpha,
        epsilon_lower=verdict.epsilon_lower,
        delta_lower=verdict.delta_lower,
        detectable_epsilon=verdict.detectable_epsilon,
        exact=exact is not None,
        arithmetic="" if exact is None else exact.arithmetic,
        witness=witness_shown(verdict.witness, verdict),
        found=witness_shown(verdict.found),
        findings=tuple(Noted(one.kind, one.detail) for one in verdict.findings),
        curves=claimed_curves(verdict.claim),
        phases=tuple(Count(one.phase, one.calls) for one in verdict.phases),
        samples=verdict.samples,
        pairs_tried=verdict.pairs_tried,
        pairs_not_tried=verdict.pairs_not_tried,
        stop=verdict.stop.value,
        method=verdict.method,
        reproducible=verdict.reproducible,
        environment=tuple(asdict(verdict.environment).items()),
        problem=verdict.failure,
        command=_command(argv or tuple(known or ())),
        seed=verdict.seed,
        seconds=verdict.seconds,
        version=installed_version(),
    )


def _command(argv: tuple[str, ...]) -> str:
    from shlex import join

    return join(argv)


def _of_measurement(measured: Measurement, shown: str) -> AuditReport:
    for name, curve, largest in (("profile", measured.profile, _LARGEST_EPSILON), ("tradeoff", measured.tradeoff, 1.0)):
        for point in curve:
            if not (0.0 <= point.x <= largest and 0.0 <= point.y <= 1.0):
                raise RecordCorrupt(
                    f"{shown} must have points of its {name} from 0 to {largest:g} and from 0 to 1, got ({point.x:g}, "
                    f"{point.y:g})"
                )
    status = "learner failed" if measured.failure else "measured"
    meaning = "How much it leaks at least; no claim was tested."
    if measured.failure:
        meaning = (
            "The learner hung, died, gave no usable output, or does not do what it declares: its claim is not decided."
        )
    elif measured.stop is Stop.INTERRUPTED:
        status, meaning = "interrupted", "It was interrupted before its number of calls was reached: it says nothing."
    return AuditReport(
        name=file_name(measured.target),
        file=shown,
        record="dpcheck-measurement/1",
        kind="measurement",
        target=measured.target,
        claim=None,
        claimed_epsilon=None,
        claimed_delta=measured.delta,
        relation=measured.relation,
        status=status,
        meaning=meaning,
        words=str(measured),
        level=measured.alpha,
        epsilon_lower=measured.epsilon_lower,
        delta_lower=None,
        detectable_epsilon=None,
        exact=False,
        arithmetic="",
        witness=witness_shown(measured.witness),
        found=None,
        findings=tuple(Noted(one.kind, one.detail) for one in measured.findings),
        curves=measured_curves(measured, None),
        phases=tuple(Count(one.phase, one.calls) for one in measured.phases),
        samples=measured.samples,
        pairs_tried=1,
        pairs_not_tried=0,
        stop=measured.stop.value,
        method=measured.method,
        reproducible=measured.reproducible,
        environment=tuple(asdict(measured.environment).items()),
        problem=measured.failure,
        command="",
        seed=measured.seed,
        seconds=measured.seconds,
        version=installed_version(),
    )
