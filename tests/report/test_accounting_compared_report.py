"""The committed comparison of accountants is whole, and its views are those of its numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import accounting_compared as benchmark
import accounting_compared_truth as truth
import accounting_compared_views as views
import pytest
from accounting_compared_events import events, pairs

REPORT = Path(__file__).resolve().parents[2] / "reports" / "accounting_compared.json"


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(REPORT.read_text(encoding="utf-8"))
    return found


def test_the_committed_report_is_whole_and_keeps_its_rules(report: dict[str, Any]) -> None:
    assert not report["quick"]
    assert report["passed"]
    assert [event["name"] for event in report["events"]] == [event["name"] for event in events()]
    assert report["rules"] == benchmark.rules(report["rows"], report["events"], report["audits"])
    answers = [
        {key: row[key] for key in ("accountant", "event", "question", "at", "value", "failed") if key in row}
        for row in report["rows"]
    ]
    assert json.loads(json.dumps(benchmark.rows(answers, report["events"]))) == report["rows"]


def test_the_committed_truths_of_closed_forms_are_made_again(report: dict[str, Any]) -> None:
    for event in report["events"]:
        if event["way"] == "closed form":
            curve = truth.worst(pairs(event))
            for one in event["truth"]:
                if one["question"] == "epsilon":
                    low, high = truth.epsilon_bounds(curve, one["at"])
                    assert (low, high) == pytest.approx((one["low"], one["high"]), abs=1e-7)


def test_the_committed_views_are_those_of_the_numbers(report: dict[str, Any]) -> None:
    assert views.render(report) == REPORT.with_suffix(".md").read_text(encoding="utf-8")
    assert views.digest(report) in REPORT.with_suffix(".svg").read_text(encoding="utf-8")
    for suffix in (".json", ".md", ".svg"):
        text = REPORT.with_suffix(suffix).read_text(encoding="utf-8")
        assert "/tmp/" not in text
        assert "/work/" not in text
