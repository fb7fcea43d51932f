"""The full report in `reports/`: complete, and each of its contradictions explained by a line that is refuted."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Status

REPORTS = Path(__file__).resolve().parents[2] / "reports"
PAPERS = ("alon2019", "bassily2018", "beimel2015", "chaudhuri2011", "wang2016")


@pytest.fixture(scope="module")
def refuted() -> set[str]:
    """Ids of refuted results and labels of refuted lines, with their papers."""
    registry = Registry()
    found = set()
    for key, evaluation in registry.evaluations.items():
        for result in evaluation.everything():
            if result.status is Status.REFUTED:
                found.add(result.theorem.id)
            found |= {f"{key}:{one.step.label}" for one in result.steps if one.printed.status is Status.REFUTED}
    return found


def record(paper: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REPORTS / paper / f"{paper}.json").read_text(encoding="utf-8"))
    return found


def unexplained(report: dict[str, Any], refuted: set[str]) -> list[str]:
    """The contradictions whose reason, up to its colon, names no refuted result or line of the paper."""
    wrong = []
    for measurement in report["measurements"]:
        for outcome in measurement["outcomes"]:
            if outcome["word"] in ("contradicted", "not compatible"):
                why = outcome["expected"].removeprefix(f"{report['paper']}:").partition(": ")[0]
                names = {f"{report['paper']}:{word}" for word in re.split(r"[ ,]+", why)}
                names |= {name.replace("(", "").rstrip(")") for name in names}
                names.add(f"{report['paper']}:{why}")
                if not names & refuted:
                    wrong.append(f"{measurement['key']}: {outcome['claim']} ({outcome['expected']})")
    return wrong


@pytest.mark.parametrize("paper", PAPERS)
def test_the_report_is_full_and_covers_every_entry(paper: str) -> None:
    report = record(paper)
    assert not report["quick"]
    assert report["missing"] == report["uncovered"] == []
    assert report["part"] == ""
    words = {outcome["word"] for measurement in report["measurements"] for outcome in measurement["outcomes"]}
    assert "failed" not in words


@pytest.mark.turns(12)
@pytest.mark.parametrize("paper", PAPERS)
def test_each_contradiction_is_explained_by_something_refuted(paper: str, refuted: set[str]) -> None:
    assert unexplained(record(paper), refuted) == []


@pytest.mark.parametrize("why", ["", "beimel2015:thm-3.1: another paper's", "because it is so"])
def test_a_contradiction_that_nothing_refuted_explains_is_found(why: str, refuted: set[str]) -> None:
    made = {"word": "contradicted", "claim": "too good", "expected": why}
    assert unexplained({"paper": "alon2019", "measurements": [{"key": "made", "outcomes": [made]}]}, refuted)
