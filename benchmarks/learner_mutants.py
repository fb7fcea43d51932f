"""The papers' learners audited, and every broken version of them caught by the public audit with its defaults.

Each entry of `dpcheck learners` is audited over all neighbouring pairs of its small domain (by calls where it declares
no law), and once more with its law hidden. Each mutant (`mutants.py`: one step of a right learner replaced by a broken
one) is audited as it declares its law, and by calls alone (`dpcheck.by_calls`). "exact loss" is the largest over all
pairs of the mutant's domain, "calls" those that the audit made until it was sure, its search for pairs among them.
Leaks of less than a twentieth above the claim are not tried by calls: no default budget shows them.

Rule: no entry is accused but those kept as printed, and every mutant is caught as it declares its law, or by calls
where it declares none. Whether calls alone show a declared law's leak is told, not judged. Writes
`reports/learners.json` (or where --json says), and the same as Markdown beside it.

With `--only` the rows whose name ("paper.learner: defect") has one of the words in it are run, and all others are taken
over from the report that is there; it says which command and commit each earlier part is from.
"""

from __future__ import annotations

import json
import math
import sys
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import Settings, child_seed, settings, show, spread, write_json

import dpcheck
from dpcheck.cli.learner_targets import audit_of_learner, resolved_learner
from dpcheck.model.claims import claim_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import as_target, declares_law
from dpcheck.model.neighbours import Relation
from dpcheck.model.verdict import Status, Verdict
from dpcheck.model.verdict.record import plain
from dpcheck.parts.learners.discovery import entries
from dpcheck.parts.learners.entry import LearnerEntry
from dpcheck.parts.learners.mutants import Mutant, mutants
from dpcheck.parts.learners.table_of_classes import ClassRow, ClassTable, class_table
from dpcheck.report.finished import Audited, NotAudited, Trouble
from dpcheck.report.learners.document import (
    LearnerAudit,
    LearnerOption,
    ListedLearner,
    how_words,
    listed,
    loss_words,
    witness_words,
)
from dpcheck.report.learners.markdown import against_classes, audits, table, verdict_words

ALPHA = 1e-6
#: What a right learner's audit by calls may use; every mutant that is caught needs less.
CONTROL_CALLS, QUICK_CONTROL_CALLS = 200_000, 20_000
#: The number of calls ends an audit (the default's million), the clock only where a machine is far too busy.
MAX_SECONDS = 300.0
#: The clock of what is told and not judged, the leaks of declared laws by calls alone: of 280 learners, some of which
#: train models in each call.
CALLS_SECONDS = 20.0
REPORT = Path(__file__).resolve().parent.parent / "reports" / "learners.json"
NO_LAW = "no finite law"
TOO_SMALL = "too small for calls"
#: The exact loss is so many times the claim, at least, where calls are tried.
WORTH_CALLS = 1.05


@dataclass(frozen=True)
class Task:
    """The audits of a mutant, or one audit of an entry (by calls, or as declared), by its place in the list."""

    mutant: bool
    place: int
    by_calls: bool
    calls: int
    seed: int


@dataclass(frozen=True)
class Caught:
    """What one audit said; ``epsilon`` is the largest loss where ``exact``, else what was certified."""

    status: str
    exact: bool
    epsilon: float
    pairs: int
    calls: int
    seconds: float
    witness: str
    problem: str


def play(task: Task) -> Audited | NotAudited | Caught | tuple[Caught, Caught]:
    """Run the audits of one task; of a mutant two: as it declares its law, and by calls."""
    if task.mutant:
        return _of_mutant(mutants()[task.place], task.seed)
    return _of_entry(entries()[task.place], task)


def _of_entry(entry: LearnerEntry, task: Task) -> Audited | NotAudited | Caught:
    effort: dict[str, Any] = {"alpha": ALPHA, "max_seconds": MAX_SECONDS, "isolation": "none", "seed": task.seed}
    if not task.by_calls:
        expected = Status.VIOLATED if entry.as_printed else Status.NO_VIOLATION_FOUND
        try:
            few = {"max_samples": task.calls} if task.calls < CONTROL_CALLS else {}
            verdict = audit_of_learner(entry, **few, **effort)
        except InvalidArgument as error:
            return NotAudited(entry.name, Trouble.USAGE, str(error))
        unclaimed = getattr(entry.learner(), "claim", None) is None
        return Audited(verdict, verdict.status if unclaimed else expected)
    found = resolved_learner(entry)
    target = dpcheck.by_calls(entry.learner)
    effort["max_seconds"] = CALLS_SECONDS if declares_law(as_target(entry.learner())) else MAX_SECONDS
    verdict = dpcheck.audit(target, found.claim, neighbours=found.domain, max_samples=task.calls, **effort)
    return _caught(verdict)


def _of_mutant(mutant: Mutant, seed: int) -> tuple[Caught, Caught]:
    learner, relation = mutant.learner(), mutant.neighbours()
    effort: dict[str, Any] = {"max_seconds": MAX_SECONDS, "isolation": "none", "seed": seed}
    declared = Caught(NO_LAW, False, 0.0, 0, 0, 0.0, "", "")
    if declares_law(as_target(learner)):
        declared = _declared(learner, relation, effort)
        caught = declared.status == Status.VIOLATED.value
        if caught and declared.epsilon < WORTH_CALLS * claim_point(learner.claim)[0]:
            return declared, Caught(TOO_SMALL, False, 0.0, 0, 0, 0.0, "", "")
        effort["max_seconds"] = CALLS_SECONDS
    return declared, _caught(dpcheck.audit(dpcheck.by_calls(learner), neighbours=relation, **effort))


def _declared(learner: Any, relation: Relation, effort: Mapping[str, Any]) -> Caught:
    """What the audit with its defaults said; where it caught the learner, with the loss over all pairs."""
    defaults = dpcheck.audit(learner, neighbours=relation, **effort)
    if defaults.status is Status.VIOLATED:
        try:
            every = dpcheck.audit(learner, neighbours=relation, exhaustive=True, **effort)
        except InvalidArgument:  # not to be enumerated: the loss is that over the pairs searched
            return _caught(defaults)
        if every.status is Status.VIOLATED:
            return _caught(every)
    return _caught(defaults)


def _caught(verdict: Verdict) -> Caught:
    return Caught(
        verdict.status.value,
        verdict.exact is not None,
        verdict.epsilon_lower,
        verdict.pairs_tried,
        verdict.samples,
        round(verdict.seconds, 2),
        witness_words(verdict),
        verdict.failure,
    )


def main() -> int:
    """Run, print, write; 1 when the rule is broken."""
    asked = settings(__doc__ or "", only="run the rows with one of these words in their name, keep the others")
    began = time.monotonic()
    known, broken = entries(), mutants()
    file = asked.json if asked.json is not None else _default(asked.quick)
    before = json.loads(file.read_text(encoding="utf-8")) if asked.only and file is not None else {}
    calls = QUICK_CONTROL_CALLS if asked.quick else CONTROL_CALLS
    claiming = [place for place, entry in enumerate(known) if getattr(entry.learner(), "claim", None) is not None]
    chosen = [place for place, one in enumerate(broken) if not asked.quick or _first(place, broken)]
    tasks = [
        Task(mutant, place, by_calls, 0 if mutant else calls, child_seed(asked.seed, kind, zlib.crc32(name.encode())))
        for kind, (mutant, by_calls, places) in enumerate(
            ((False, False, range(len(known))), (False, True, claiming), (True, True, chosen))
        )
        for place in places
        if _is_asked(name := named(broken[place]) if mutant else known[place].name, asked.only)
    ]
    results = dict(zip(tasks, spread(play, tasks, asked.jobs, "audits"), strict=True))
    of_entries = {task.place: result for task, result in results.items() if not task.mutant and not task.by_calls}
    controls = {task.place: result for task, result in results.items() if not task.mutant and task.by_calls}
    of_mutants = {task.place: result for task, result in results.items() if isinstance(result, tuple)}
    kept_entries = {one["name"]: one for one in before.get("learners", ())}
    kept_controls = {one["name"]: one for one in before.get("by_calls", ())}
    kept_mutants = {f"{one['entry']}: {one['defect']}": one for one in before.get("mutants", ())}
    document = {
        "alpha": ALPHA,
        "control_calls": calls,
        "earlier": [*before.get("earlier", ()), _run(before)] if before else [],
        "learners": [
            plain(listed(entry, result))
            if isinstance(result := of_entries.get(place), Audited | NotAudited)
            else kept_entries[entry.name]
            for place, entry in enumerate(known)
        ],
        "classes": plain(class_table(known)),
        "by_calls": [
            {"name": known[place].name, **plain(controls[place])}
            if place in controls
            else kept_controls[known[place].name]
            for place in claiming
        ],
        "mutants": [
            {
                "entry": broken[place].entry,
                "defect": broken[place].defect,
                "field": broken[place].field,
                "options": {name: str(value) for name, value in broken[place].options.items()},
                "declared": plain(of_mutants[place][0]),
                "by_calls": plain(of_mutants[place][1]),
            }
            if place in of_mutants
            else kept_mutants[named(broken[place])]
            for place in chosen
        ],
    }
    passed = not wrong(document)
    _print(document)
    written = Settings(asked.seed, asked.jobs, asked.quick, file)
    write_json(written, began, passed, document, {".md": markdown})
    return 0 if passed else 1


def named(mutant: Mutant) -> str:
    """The name of a mutant's row."""
    return f"{mutant.entry}: {mutant.defect}"


def _is_asked(name: str, words: Sequence[str]) -> bool:
    """Whether a row is to be run: where words are given, whether one is in its name."""
    return not words or any(word in name for word in words)


def _run(before: Mapping[str, Any]) -> dict[str, Any]:
    """The run whose rows a report had."""
    return {"command": before["command"], "commit": before["versions"]["commit"], "seconds": before["seconds"]}


def _first(place: int, broken: Sequence[Mutant]) -> bool:
    """Whether it is the first mutant of its learner."""
    return all(other.entry != broken[place].entry for other in broken[:place])


def _default(quick: bool) -> Path | None:
    """A quick run leaves the report alone."""
    return None if quick else REPORT


def wrong(document: Mapping[str, Any]) -> list[str]:
    """What breaks the rule, a line each."""
    violated = Status.VIOLATED.value
    lines = [f"{one.name}: {verdict_words(one)}" for one in learners_of(document) if not _right(one)]
    printed = {one.name for one in learners_of(document) if one.as_printed}
    lines += [
        f"{one['name']}, by calls: {one['status']}"
        for one in document["by_calls"]
        if one["name"] not in printed and one["status"] == violated
    ]
    for one in document["mutants"]:
        how = "by_calls" if one["declared"]["status"] == NO_LAW else "declared"
        if one[how]["status"] != violated:
            told = "by calls" if how == "by_calls" else "as declared"
            problem = one[how]["problem"]
            lines.append(f"{one['entry']}, {one['defect']}, {told}: {one[how]['status']} {problem}".rstrip())
    return lines


def _right(one: ListedLearner) -> bool:
    return one.audit is not None and one.audit.as_expected


def learners_of(document: Mapping[str, Any]) -> list[ListedLearner]:
    """The learners of the report as they were listed."""
    return [
        ListedLearner(
            **{
                **one,
                "assumptions": tuple(one["assumptions"]),
                "options": tuple(LearnerOption(**option) for option in one["options"]),
                "audit": LearnerAudit(**{**one["audit"], "epsilon": _number(one["audit"]["epsilon"])}),
            }
        )
        for one in document["learners"]
    ]


def classes_of(document: Mapping[str, Any]) -> ClassTable:
    """The report's table of class against learner."""
    made = document["classes"]
    return ClassTable(tuple(made["learners"]), tuple(ClassRow(**row) for row in made["rows"]), made["apart"])


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _rows(document: Mapping[str, Any]) -> list[list[str]]:
    return [
        [
            one["entry"],
            one["defect"],
            one["field"],
            _loss(one["declared"]),
            _calls(one["by_calls"]),
            one["by_calls"]["witness"] or one["declared"]["witness"],
        ]
        for one in document["mutants"]
    ]


def _loss(said: Mapping[str, Any]) -> str:
    if said["status"] != Status.VIOLATED.value:
        return str(said["status"])
    epsilon = float(said["epsilon"])
    return "infinite" if math.isinf(epsilon) else f"{epsilon:.4f}"


def _calls(said: Mapping[str, Any]) -> str:
    if said["status"] == Status.VIOLATED.value:
        return f"{said['calls']:,}"
    return f"{said['status']} in {said['calls']:,}" if said["calls"] else str(said["status"])


_HEADINGS = ("learner", "defect", "what is replaced", "exact loss", "calls", "witness of the audit by calls")


def _print(document: Mapping[str, Any]) -> None:
    rows = [
        [one.name, one.claim or "nothing", loss_words(one.audit), how_words(one.audit), verdict_words(one)]
        for one in learners_of(document)
        if one.audit is not None
    ]
    show("learners", ("learner", "claim", "epsilon", "how", "verdict"), rows, left=2)
    show(f"mutants, alpha {ALPHA:g}", _HEADINGS[:-1], [row[:-1] for row in _rows(document)], left=3)
    for line in wrong(document):
        print(f"WRONG: {line}")


def markdown(document: Mapping[str, Any]) -> str:
    """The report, made of its record alone."""
    learners = learners_of(document)
    broken = wrong(document)
    caught = [one for one in document["mutants"] if one["by_calls"]["status"] == Status.VIOLATED.value]
    most = max((one["by_calls"]["calls"] for one in caught), default=0)
    control = table(
        ("learner", "certified above", "calls", "verdict"),
        [
            [one["name"], f"{float(one['epsilon']):.3f}", f"{one['calls']:,}", one["status"]]
            for one in document["by_calls"]
        ],
        right=("certified above", "calls"),
    )
    lines = [
        "# The papers' learners: claims, audits, and broken versions",
        "",
        f"Written by `{document['command']}` (seed {document['seed']}, dpcheck {document['versions']['dpcheck']}). "
        f"The rule: no learner is accused but those kept as printed, and each of the {len(document['mutants'])} broken "
        f"versions is caught by the public audit with its defaults (alpha {document['alpha']:g}), exactly where it "
        f"declares its law, by calls where it does not: {'BROKEN' if broken else 'kept'}. {len(caught)} of them are "
        "caught by calls alone.",
        "",
        *(f"* {line}" for line in broken),
        *([""] if broken else []),
        *_of_earlier_runs(document),
        "## Claims, and what was found",
        "",
        "The largest epsilon over all neighbouring pairs of a small domain, exactly, from the declared laws; by calls "
        "where a learner declares none. `dpcheck learners --audit` makes this table again.",
        "",
        *audits(learners),
        "",
        "## Learner against hypothesis class",
        "",
        *against_classes(classes_of(document)),
        "",
        "## Broken versions",
        "",
        "One step of a right learner is replaced by a broken one (`mutants` in the folder of each paper). The exact "
        "loss is the largest over all pairs of the domain; calls are all that the audit made, its search for pairs "
        f"among them, until it was sure (at most {most:,}); the witness is the pair and the event that it shows. "
        f"Leaks of less than {WORTH_CALLS - 1:.0%} above the claim are not tried by calls.",
        "",
        *table(_HEADINGS, _rows(document), right=("exact loss", "calls")),
        "",
        "## The right learners by calls",
        "",
        f"The same audits of the learners themselves, their laws hidden, with {document['control_calls']:,} calls.",
        "",
        *control,
        "",
    ]
    return "\n".join(lines)


def _of_earlier_runs(document: Mapping[str, Any]) -> list[str]:
    """Which rows were taken over, where some were."""
    runs = document.get("earlier", [])
    if not runs:
        return []
    told = "; ".join(f"`{run['command']}` at {run['commit']}" for run in runs)
    return [f"Rows that this command does not name are of earlier runs: {told}.", ""]


if __name__ == "__main__":
    sys.exit(main())
