"""The report on how the harness's own cost grows: what it says is what was measured, and its rules can be broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import growth
import growth_cell
import growth_views
import pytest

REPORTS = Path(__file__).resolve().parents[2] / "reports"


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """The committed report."""
    found: dict[str, Any] = json.loads((REPORTS / "growth.json").read_text(encoding="utf-8"))
    return found


def test_every_cell_was_measured(report: dict[str, Any]) -> None:
    assert not report["quick"]
    wanted = {(cell.curve, cell.door, cell.outputs, cell.coordinates, cell.pairs) for cell in growth.cells(False)}
    for version in ("before", "now"):
        found = {
            tuple(row[key] for key in ("curve", "door", "outputs", "coordinates", "pairs"))
            for row in report["rows"]
            if row["version"] == version
        }
        assert found == {cell for cell in wanted if version == "now" or cell[3] <= growth.MOST_BEFORE}


def test_bounds_are_the_same_before_and_now(report: dict[str, Any]) -> None:
    """Of the runs that fit into memory: what is faster says the same."""
    bounds: dict[Any, dict[str, Any]] = {}
    for row in report["rows"]:
        key = tuple(row[name] for name in ("curve", "door", "outputs", "coordinates", "pairs", "form"))
        bounds.setdefault(key, {})[row["version"]] = [run.get("bound") for run in row["runs"]]
    compared = 0
    for key, both in bounds.items():
        # interim analyses of outputs of so many numbers are smaller now; and how many draws of ``sample`` join an audit
        # of many outputs depends on what they cost
        if "before" in both and key[3] <= 1_000 and (key[1] == "measure" or key[2] <= 10_000):
            pairs = list(zip(both["before"], both["now"], strict=False))
            assert all(one == pytest.approx(other, abs=1e-6) for one, other in pairs)
            compared += len(pairs)
    assert compared > 20


def test_rules_can_be_broken(report: dict[str, Any]) -> None:
    assert report["rules"] == growth.judged(report["rows"])
    slow = [{**row, "own": 1e3 * row["own"]} if "own" in row else row for row in report["rows"]]
    assert {rule["verdict"] for rule in growth.judged(slow)} == {"FAILS"}


def test_the_views_are_those_of_the_record(report: dict[str, Any]) -> None:
    assert growth_views.render(report) == (REPORTS / "growth.md").read_text(encoding="utf-8")
    text = (REPORTS / "growth.svg").read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert growth_views.digest(report) in text
    changed = {**report, "rows": report["rows"][1:]}
    assert growth_views.digest(changed) not in text


@pytest.mark.turns(4)
@pytest.mark.parametrize("form", ["numbers", "dictionaries", "", "texts", "sets"])
def test_a_cell_is_measured_without_the_learners_own_time(form: str) -> None:
    draw = growth_cell.FORMS.get(form) or growth_cell.vectors(3)
    own, wall, outputs, bound = growth_cell.run("measure", draw, 400, 1, 5)
    assert own > 0.0
    assert wall > 0.0
    assert 300 < outputs <= 400
    assert 0.0 <= bound < 3.0
