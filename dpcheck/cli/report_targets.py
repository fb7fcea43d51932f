"""What ``dpcheck report`` is asked for: papers and parts of them, learners, a user's own paper, recorded audits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dpcheck.cli.learner_targets import LEARNER, learner_names
from dpcheck.model.errors import TargetNotFound, nearest
from dpcheck.proof.registry import Registry
from dpcheck.report.whole.audits import audit_reports
from dpcheck.report.whole.papers import PaperTarget
from dpcheck.trial.measurements import runs_of

if TYPE_CHECKING:
    from dpcheck.report.whole.model import AuditReport

_FORMS = "a paper, PAPER:ID, PAPER/MEASUREMENT, a learner, FILE.py or FILE.json"


@dataclass(frozen=True)
class Plan:
    """What is to be reported, each once, in the order in which it was asked for; ``whole`` where nothing was named."""

    papers: tuple[PaperTarget, ...]
    learners: tuple[str, ...]
    audits: tuple[AuditReport, ...]
    whole: bool
    targets: tuple[str, ...]


def plan_of(targets: Sequence[str], registry: Registry) -> Plan:
    """Find what each target names.

    Raises
    ------
    TargetNotFound
        When one names nothing; the nearest is named.
    InvalidArgument
        When a file of a user's declares a paper with a fault, or a record cannot be read.
    """
    if not targets:
        everything = tuple(_paper(key) for key in registry.papers)
        return Plan(everything, learner_names(), (), True, ())
    papers: list[PaperTarget] = []
    learners: list[str] = []
    audits: list[AuditReport] = []
    for text in targets:
        found = _found(text, registry)
        if isinstance(found, PaperTarget):
            papers.append(found)
        elif isinstance(found, str):
            learners.append(found)
        else:
            audits += found
    return Plan(
        tuple(dict.fromkeys(papers)),
        tuple(dict.fromkeys(learners)),
        _apart(audits),
        False,
        tuple(dict.fromkeys(targets)),
    )


def _apart(audits: Sequence[AuditReport]) -> tuple[AuditReport, ...]:
    """Audits of one name in several files get a number each."""
    from dataclasses import replace

    made: list[AuditReport] = []
    for audit in dict.fromkeys(audits):
        taken = {one.name for one in made}
        name, number = audit.name, 2
        while name in taken:
            name, number = f"{audit.name}-{number}", number + 1
        made.append(replace(audit, name=name))
    return tuple(made)


def _found(text: str, registry: Registry) -> PaperTarget | str | tuple[AuditReport, ...]:
    if text in registry.papers:
        return _paper(text)
    of_file = re.fullmatch(r"(?s)(.+\.py)(?:/([^/]+))?", text)
    if of_file is not None and (of_file.group(2) is None or Path(of_file.group(1)).is_file()):
        return _own_paper(Path(of_file.group(1)), of_file.group(2) or "")
    if text.endswith(".json"):
        return audit_reports(Path(text), text)
    paper, slash, key = text.partition("/")
    if slash and paper in registry.papers:
        return _measurement(_paper(paper), key)
    paper, colon, id = text.partition(":")
    if colon and paper in registry.papers:
        return _entry(registry, paper, id)
    name = text.removeprefix(f"{LEARNER}:")
    spelt = name if name in learner_names() else name.replace("-", "_")
    if spelt in learner_names():
        return spelt
    if colon and paper != LEARNER:
        from dpcheck.cli.targets import resolve

        resolve(text, {})
        return text
    raise TargetNotFound(f"there is nothing to report named {text!r}{_nearest(text, registry)}: give {_FORMS}")


def _nearest(text: str, registry: Registry) -> str:
    ids = [theorem.id for paper in registry.papers.values() for theorem in paper.theorems]
    files = [str(file) for file in (*Path().glob("*.py"), *Path().glob("*.json"))]
    learners = learner_names()
    return nearest(text, [*registry.papers, *learners, *ids, *files]) or nearest(
        f"{LEARNER}:{text}".removeprefix(f"{LEARNER}:{LEARNER}:"), [f"{LEARNER}:{name}" for name in learners]
    )


def _paper(key: str) -> PaperTarget:
    return PaperTarget(key, "", tuple(run.key for run in runs_of(key)))


def _own_paper(path: Path, key: str) -> PaperTarget:
    from dpcheck.cli.file_names import check_name, shown_name
    from dpcheck.trial.declared import load

    check_name(f"target {shown_name(str(path))}", path)
    declared = load(path)
    whole = PaperTarget(declared.paper.key, "", tuple(run.key for run in declared.runs), file=declared.source)
    return _measurement(whole, key) if key else whole


def _measurement(paper: PaperTarget, key: str) -> PaperTarget:
    runs = {run.key: run for run in runs_of(paper.source)}
    if key not in runs:
        raise TargetNotFound(
            f"{paper.paper} has no measurement {key!r}{nearest(key, runs)}; it has {', '.join(runs) or 'none'}"
        )
    return PaperTarget(paper.paper, key, (key,), tuple(runs[key].results), paper.file)


def _entry(registry: Registry, paper: str, id: str) -> PaperTarget:
    known = [theorem.id for theorem in registry.papers[paper].theorems]
    full = f"{paper}:{id}"
    if full not in known:
        raise TargetNotFound(f"{paper} has no entry {id!r}{nearest(full, known)}; see dpcheck theorems --paper {paper}")
    return PaperTarget(paper, id, tuple(run.key for run in runs_of(paper) if full in run.results), (full,))
