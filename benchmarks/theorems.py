"""The registry of theorems in numbers: reports/theorems.{json,md}.

    python benchmarks/theorems.py --json reports/theorems.json

For every paper: the shares of the steps' statuses, the errata by severity, the statuses of all results, what holds on
finite families only and what a proof would need. Then how long it takes, each in a process of its own: all certificates
and enumerations again (``dpcheck theorems --recheck``), the whole list, and the slowest single results. Last, what came
of encoding a random twentieth of the steps a second time (tests/proof/second_encoding.json).

Rules: every id and label of the inventories is there; undecided below 5% of a paper's steps, on instances at most 20%;
a recheck under five minutes; one result under five seconds; no disagreement of the two encodings is open.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench import settings, show, write_json

from dpcheck.proof.inventory import load_inventory
from dpcheck.proof.records import instances_words
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Paper, Status
from dpcheck.proof.status import Evaluation, claims_of, shares

SECOND = Path(__file__).resolve().parent.parent / "tests" / "proof" / "second_encoding.json"
#: Seconds: what a recheck and one result may take.
RECHECK, SINGLE = 300.0, 5.0
#: How many of the slowest results are timed from the command line.
TIMED = 6


def paper_record(paper: Paper, evaluation: Evaluation) -> dict[str, Any]:
    """One paper's statuses, errata and gaps."""
    inventory = load_inventory(paper.key)
    steps = [evaluation.step(step.label) for step in paper.steps]
    counts = shares(steps)
    results, seconds = [], {}
    for theorem in paper.theorems:
        began = time.perf_counter()
        results.append(evaluation.theorem(theorem.id))
        seconds[theorem.id] = time.perf_counter() - began
    refuted = [found.step for found in steps if found.status is Status.REFUTED]
    errata = [step.erratum for step in refuted] + [
        found.theorem.erratum for found in results if found.status is Status.REFUTED
    ]
    claims = [evaluation.claim(claim) for claim in claims_of(paper)]
    return {
        "paper": paper.key,
        "title": paper.title,
        "results": [
            {
                "id": found.theorem.id,
                "kind": inventory.result(found.theorem.id).kind,
                "learners": [name.rpartition(":")[2] for name in found.theorem.learners],
                "checks": list(found.theorem.checks),
                "title": found.theorem.title,
                "statement": found.status.value,
                "proof": found.proof.value,
                "repaired": found.repaired.value,
                "steps": len(found.steps),
            }
            for found in results
        ],
        "complete": sorted(result.id for result in inventory.results) == sorted(t.id for t in paper.theorems)
        and [line.label for line in inventory.steps] == [step.label for step in paper.steps],
        "steps": len(paper.steps),
        "counted": sum(counts.values()),
        "shares": {status.value: count for status, count in counts.items()},
        "repairs": dict(Counter(found.repaired.value for found in steps if found.status is Status.REFUTED)),
        "severities": dict(Counter(each.severity for each in errata if each is not None)),
        "clean": sum(each is not None and each.quality == "clean" for each in errata),
        "readings": sum(each is not None and each.quality == "reading" for each in errata),
        "refuted_statements": sum(found.status is Status.REFUTED for found in results),
        "holds": [
            {"label": found.step.label, "status": instances_words(found.printed), "needed": found.step.needed}
            for found in steps
            if found.status is Status.HOLDS
        ],
        "undecided": [found.step.label for found in steps if found.status is Status.UNDECIDED],
        "formulas": len(claims),
        "rules": dict(Counter(rule for found in claims for rule in found.rules).most_common()),
        "slowest": max(seconds, key=lambda id: seconds[id]),
    }


def timed(*arguments: str) -> tuple[float, int]:
    """The seconds of one command, in a process of its own, and its exit status."""
    began = time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", "theorems", *arguments], capture_output=True, check=False, text=True
    )
    return round(time.monotonic() - began, 2), ran.returncode


def second_encoding() -> dict[str, Any]:
    """How many steps were encoded twice, and what came of the comparison."""
    entries = json.loads(SECOND.read_text(encoding="utf-8"))["steps"] if SECOND.exists() else []
    found = [entry for entry in entries if entry["disagreement"]]
    return {
        "steps": len(entries),
        "agreed": len(entries) - len(found),
        "disagreements": [
            {
                "label": f"{entry['paper']} {entry['label']}",
                "what": entry["disagreement"],
                "resolved": entry["resolved"],
            }
            for entry in found
        ],
    }


def render(document: Mapping[str, Any]) -> str:
    """The Markdown view."""
    lines = [
        "# Theorems: what the machine knows of five papers",
        "",
        f"Written by `{document['command']}`. Every numbered result and every printed line of its proof, as formulas "
        "or finite families, decided by machine (`dpcheck theorems`); [errata](errata.md) has what fails and what "
        "holds instead, [bounds](bounds.md) upper against lower bounds.",
        "",
        *summary_table(document),
        "",
        "Shares are of the lines that are not definitions.",
        "",
        f"All certificates replayed and all enumerations run again: {document['recheck']:.0f} s; the list of all "
        f"results {document['list']:.1f} s; the slowest single results "
        + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in document["singles"].items())
        + ".",
        "",
        "## A second encoding",
        "",
        f"{document['second']['steps']} lines drawn at random were encoded again from the papers' text, without a look "
        f"at the first encoding, and compared numerically: {document['second']['agreed']} agreed.",
        "",
        *(
            f"- {each['label']}: {each['what']} Resolved: {each['resolved']}"
            for each in document["second"]["disagreements"]
        ),
    ]
    lines += [
        "",
        "## Privacy claims of algorithms",
        "",
        "Decided on the algorithm as printed, end to end: by a proof for all parameters, by an instance that breaks "
        "it, and by the exact laws of the learner here in the tests named.",
        "",
        "| claim | what it says | as printed | repaired | learners | tests |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {each['id']} | {each['title']} | {each['statement']} | "
        f"{each['repaired'] if each['repaired'] != each['statement'] else ''} | {', '.join(each['learners'])} | "
        f"{', '.join(each['checks'])} |"
        for paper in document["papers"]
        for each in paper["results"]
        if "privacy" in each["kind"] and each["learners"]
    ]
    for paper in document["papers"]:
        lines += [
            "",
            f"## {paper['paper']}: {paper['title']}",
            "",
            "| result | what it says | statement | printed proof | repaired proof | lines |",
            "|---|---|---|---|---|---:|",
        ]
        lines += [
            f"| {each['id'].partition(':')[2]} | {each['title']} | {each['statement']} | {each['proof']} | "
            f"{each['repaired'] if each['repaired'] != each['proof'] else ''} | {each['steps'] or ''} |"
            for each in paper["results"]
        ]
        if paper["holds"]:
            lines += ["", "Holds on finite families; a proof would need:", ""]
            lines += [f"- {each['label']} ({each['status'].lower()}): {each['needed']}" for each in paper["holds"]]
        if paper["undecided"]:
            lines += ["", f"Undecided: {', '.join(paper['undecided'])}."]
    return "\n".join(lines) + "\n"


def summary_table(document: Mapping[str, Any]) -> list[str]:
    """A row for each paper."""
    lines = [
        "| paper | results | lines | proved | argued | on instances | cited | undecided | refuted | "
        "repairs proved or argued | statements refuted |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for paper in document["papers"]:
        shown, whole = paper["shares"], paper["counted"] or 1
        cells = [
            f"{shown[name]} ({shown[name] / whole:.0%})"
            for name in ("PROVED", "ARGUED", Status.HOLDS.value, "CITED", "UNDECIDED", "REFUTED")
        ]
        lines.append(
            f"| {paper['paper']} | {len(paper['results'])} | {paper['steps']} | {' | '.join(cells)} | "
            f"{paper['repairs'].get('PROVED', 0) + paper['repairs'].get('ARGUED', 0)} of "
            f"{sum(paper['repairs'].values())} | {paper['refuted_statements']} |"
        )
    return lines


def main() -> int:
    """Count, time, and write the report."""
    chosen = settings(__doc__ or "")
    began = time.monotonic()
    registry = Registry()
    papers = [paper_record(paper, registry.evaluations[key]) for key, paper in registry.papers.items()]
    recheck, status = timed("--recheck", "--jobs", str(chosen.jobs), "--quiet")
    listed, _ = timed("--quiet")
    asked = dict.fromkeys([paper["slowest"] for paper in papers][:TIMED])
    singles = {name: timed(name)[0] for name in asked}
    second = second_encoding()
    passed = (
        all(
            paper["complete"]
            and paper["shares"]["UNDECIDED"] < 0.05 * paper["counted"]
            and paper["shares"][Status.HOLDS.value] <= 0.2 * paper["counted"]
            for paper in papers
        )
        and status == 0
        and recheck < RECHECK
        and max(singles.values()) < SINGLE
        and all(each["resolved"] for each in second["disagreements"])
    )
    show(
        "theorems",
        ["paper", "shares", "recheck"],
        [[paper["paper"], str(paper["shares"]), f"{recheck:.0f} s"] for paper in papers],
        left=2,
    )
    cells = {"papers": papers, "recheck": recheck, "list": listed, "singles": singles, "second": second}
    write_json(chosen, began, passed, cells, {".md": render})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
