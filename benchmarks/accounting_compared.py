"""Privacy accountants on the same events, held against exact laws and against audits.

dp-accounting, autodp, prv-accountant, opacus and jax-privacy are asked for epsilon at four deltas, and for delta at two
epsilons, of each event of `accounting_compared_events.py`. Each package has an environment of its own, which is made in
the user's cache (uv where it is to be had, else pip). A package that does not install, or fails, is a row that says so.

**Truth** is an enclosure of the privacy curve, not another accountant (`accounting_compared_truth.py`): closed forms,
finite laws, and losses that are rounded down and up. It is of the worst pair of laws; where that is not proved to be
worst, of pairs that are attained, so that who says less is wrong.

**Judged**: below the truth (more privacy is claimed than there is), below by a hair (0.1% of epsilon, 1% of delta),
tight (within 1% of epsilon, 5% of delta), above. What is below has a cause, read in the source
(`accounting_compared_findings.py`).

**Audits** of the worst pairs by `dpcheck.measure` never certify more than the truth, and refute who says less than they
do.

    python benchmarks/accounting_compared.py

writes reports/accounting_compared.json (or where --json says), and beside it the tables as Markdown and the plot as
SVG.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from accounting_compared_accountants import PACKAGES, Asking, accountants, ask, default_folder, make, not_made
from accounting_compared_audits import ALPHA, AUDITS, OUTPUTS, Audit, certified, compared
from accounting_compared_events import (
    ATTAINED_ONLY,
    DELTAS,
    EPSILONS_NEAR,
    THEOREMS,
    events,
    pairs,
    rounded_down,
)
from accounting_compared_findings import FINDINGS, finding_of
from accounting_compared_judge import ALLOWED, BELOW, HAIR, HAIRS, TIGHTNESS, VERDICTS, judged
from accounting_compared_truth import POINTS, epsilon_bounds, worst
from accounting_compared_views import render, summary_rows, svg
from bench import Settings, child_seed, settings, show, spread, write_json

from dpcheck.execution.environments import NotMade

REPORT = Path(__file__).resolve().parent.parent / "reports" / "accounting_compared.json"
#: Points of grids; those of a quick run. Long compositions take more, for a narrow enclosure.
QUICK_POINTS, LONG, LONG_POINTS = 2**18, 1000, 2**23
#: Events that one process is asked.
TOGETHER = 8


@dataclass(frozen=True)
class Enclosing:
    """An event whose truth is wanted."""

    event: Mapping[str, Any]
    points: int


@dataclass(frozen=True)
class Auditing:
    """An audit that is run."""

    event: Mapping[str, Any]
    audit: Audit
    seed: int
    outputs: int


@dataclass(frozen=True)
class Kept:
    """What was found so far, in a file if one was asked for."""

    file: Path | None
    asked: list[Any]
    events: list[dict[str, Any]]
    answers: dict[str, list[dict[str, Any]]]
    bounds: list[float]

    @staticmethod
    def read(asked: Settings) -> Kept:
        """What the file has of the same seed and mode; nothing where there is none."""
        kept = Kept(asked.kept, [asked.seed, asked.quick], [], {}, [])
        if asked.kept is not None and asked.kept.exists():
            there = json.loads(asked.kept.read_text(encoding="utf-8"))
            if there["asked"] == kept.asked:
                return Kept(asked.kept, kept.asked, there["events"], there["answers"], there["bounds"])
        return kept

    def write(self) -> None:
        """Into the file, where one was asked for."""
        if self.file is not None:
            body = {name: getattr(self, name) for name in ("asked", "events", "answers", "bounds")}
            self.file.write_text(json.dumps(body) + "\n", encoding="utf-8")


def enclosed(task: Enclosing) -> dict[str, Any]:
    """The event with its questions, and the truth of each from both sides."""
    event = task.event
    longest = max(part["count"] for part in event["parts"])
    points = max(task.points, LONG_POINTS) if longest >= LONG and task.points >= POINTS else task.points
    curve = worst(pairs(event), points)
    epsilons = sorted({rounded_down(epsilon_bounds(curve, delta)[1]) for delta in EPSILONS_NEAR} - {0.0})
    truth = []
    for delta in DELTAS:
        low, high = epsilon_bounds(curve, delta)
        truth.append({"question": "epsilon", "at": delta, "low": low, "high": _number(high)})
    truth += [
        {"question": "delta", "at": epsilon, "low": curve.low(epsilon), "high": curve.high(epsilon)}
        for epsilon in epsilons
    ]
    return {**event, "deltas": list(DELTAS), "epsilons": epsilons, "way": curve.way, "truth": truth}


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else "infinite"


def audited(task: Auditing) -> float:
    """The certified bound."""
    return certified(task.event, task.audit, task.seed, task.outputs)


def rows(answers: Sequence[Mapping[str, Any]], asked: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Each answer with its verdict, and the cause where it is below the truth."""
    truths = {(e["name"], t["question"], t["at"]): t for e in asked for t in e["truth"]}
    by_name = {event["name"]: event for event in asked}
    made = []
    for answer in answers:
        truth = truths[answer["event"], answer["question"], answer["at"]]
        row = judged(answer, float(truth["low"]), float("inf") if truth["high"] == "infinite" else float(truth["high"]))
        if row["verdict"] in (BELOW, HAIR):
            row["finding"] = finding_of(row, by_name[answer["event"]])
        made.append(row)
    return made


def rules(
    found: Sequence[Mapping[str, Any]], asked: Sequence[Mapping[str, Any]], audits: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """What must hold of a whole report."""
    below = [row for row in found if row["verdict"] in (BELOW, HAIR)]
    planted = [audit for audit in audits if audit["noise"] != 1]
    judged_rules = {
        "every event has an enclosure of every question": all(len(e["truth"]) >= len(DELTAS) for e in asked),
        "an enclosure's lower end is at most its upper end": all(
            truth["high"] == "infinite" or truth["low"] <= truth["high"] for event in asked for truth in event["truth"]
        ),
        "every row below the truth has a cause": all(row["finding"] for row in below),
        "no audit certifies more than the truth": all(audit["holds"] for audit in audits),
        "audits refute every accountant of the mechanisms that are run with half the noise": bool(planted)
        and all(not audit["not_refuted"] for audit in planted),
    }
    return [{"rule": name, "verdict": "holds" if kept else "FAILS"} for name, kept in judged_rules.items()]


def audit_rows(
    asked: Sequence[Mapping[str, Any]],
    found: Sequence[Mapping[str, Any]],
    bounds: Sequence[float],
    audits: Sequence[Audit],
) -> list[dict[str, Any]]:
    """Each certified bound beside the truth of what was run and what the accountants say of the event."""
    by_name = {event["name"]: event for event in asked}
    made = []
    for audit, bound in zip(audits, bounds, strict=True):
        said = {
            row["accountant"]: float("inf") if row["value"] == "infinite" else float(row["value"])
            for row in found
            if (row["event"], row["question"], row["at"]) == (audit.event, "epsilon", audit.delta)
            and row["value"] is not None
        }
        event = by_name[audit.event]
        run = {**event, "parts": [_with_noise(part, audit.noise) for part in event["parts"]]}
        truth = epsilon_bounds(worst(pairs(run), QUICK_POINTS), audit.delta)
        made.append(compared(audit, bound, truth, said))
    return made


def _with_noise(part: Mapping[str, Any], noise: float) -> dict[str, Any]:
    return {key: value * noise if key in ("sigma", "scale", "noise") else value for key, value in part.items()}


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    asked_for = settings(
        __doc__ or "",
        only="packages to ask, of " + ", ".join(PACKAGES),
        kept="keep truths, answers and bounds here, and go on from there (with --seed)",
    )
    for name in asked_for.only:
        if name not in PACKAGES:
            print(f"--only must name packages of {', '.join(PACKAGES)}, got {name!r}", file=sys.stderr)
            return 2
    began = time.monotonic()
    kept = Kept.read(asked_for)
    goes_on = bool(kept.events)
    chosen = events(asked_for.quick)
    if not kept.events:
        enclosing = [Enclosing(event, QUICK_POINTS if asked_for.quick else POINTS) for event in chosen]
        kept.events.extend(spread(enclosed, enclosing, asked_for.jobs, "exact laws"))
        kept.write()
    asked = kept.events
    packages, answers = [], []
    folder = default_folder()
    for name in asked_for.only or PACKAGES:
        package = PACKAGES[name]
        row = {"package": name, "requirements": list(package.requirements), "stated": package.stated}
        try:
            row |= {"versions": make(folder, name), "failed": ""}
        except NotMade as error:
            row |= {"versions": [], "failed": str(error)[:160]}
            answers += not_made(name, asked, error)
        else:
            if name not in kept.answers:
                parts = [asked[start::TOGETHER] for start in range(min(TOGETHER, len(asked)))]
                tasks = [Asking(name, str(folder / name), tuple(part)) for part in parts]
                kept.answers[name] = [one for some in spread(ask, tasks, asked_for.jobs, name) for one in some]
                kept.write()
            answers += kept.answers[name]
        packages.append(row)
    order = {name: place for place, name in enumerate(accountants())}
    place = {event["name"]: number for number, event in enumerate(asked)}
    answers.sort(key=lambda a: (place[a["event"]], order[a["accountant"]], a["question"] == "delta", -a["at"]))
    found = rows(answers, asked)
    audits = [audit for audit in AUDITS if audit.event in place]
    outputs = 20_000 if asked_for.quick else OUTPUTS
    if not kept.bounds:
        auditing = [
            Auditing(asked[place[audit.event]], audit, child_seed(asked_for.seed, number), outputs)
            for number, audit in enumerate(audits)
        ]
        kept.bounds.extend(spread(audited, auditing, asked_for.jobs, "audits"))
        kept.write()
    checked = audit_rows(asked, found, kept.bounds, audits)
    judged_rules = rules(found, asked, checked)
    passed = all(rule["verdict"] == "holds" for rule in judged_rules)
    body = {
        "deltas": list(DELTAS),
        "allowed": ALLOWED,
        "hairs": HAIRS,
        "tightness": TIGHTNESS,
        "alpha": ALPHA,
        "outputs": outputs,
        "goes_on": goes_on,
        "theorems": THEOREMS,
        "attained_only": [list(one) for one in ATTAINED_ONLY],
        "accountants": [name for name in accountants() if any(row["accountant"] == name for row in found)],
        "packages": packages,
        "findings": [asdict(finding) for finding in FINDINGS],
        "events": asked,
        "rules": judged_rules,
        "rows": found,
        "audits": checked,
    }
    show("What accountants say beside the truth", ("accountant", *VERDICTS), summary_rows(body))
    for rule in judged_rules:
        print(f"{rule['rule']}: {rule['verdict']}")
    target = asked_for.json if asked_for.json is not None else None if asked_for.quick else REPORT
    write_json(
        Settings(asked_for.seed, asked_for.jobs, asked_for.quick, target),
        began,
        passed,
        body,
        {".md": render, ".svg": svg},
    )
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
