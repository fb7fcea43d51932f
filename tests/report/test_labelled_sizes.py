"""The report on labelled sizes: what it says is what was measured, and its rules can be broken."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import labelled_sizes
import labelled_sizes_views
import numpy as np
import pytest
from scipy.stats import t

REPORTS = Path(__file__).resolve().parents[2] / "reports"


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """The committed report."""
    found: dict[str, Any] = json.loads((REPORTS / "labelled_sizes.json").read_text(encoding="utf-8"))
    return found


def test_every_learner_was_measured_at_every_d(report: dict[str, Any]) -> None:
    assert not report["quick"]
    wanted = {
        (name, d, learner)
        for name in ("uniform", "skewed")
        for d in labelled_sizes.BITS
        for learner in report["learners"]
    }
    assert {(cell["distribution"], cell["bits"], cell["learner"]) for cell in report["cells"]} == wanted
    assert all(len(cell["sizes"]) == report["repetitions"] == 5 for cell in report["cells"])


def test_the_intervals_are_those_of_the_repetitions(report: dict[str, Any]) -> None:
    for cell in report["cells"]:
        logs = np.log(cell["sizes"])
        half = t.ppf((1 + report["level"]) / 2, 4) * logs.std(ddof=1) / math.sqrt(5)
        interval = [math.exp(x) for x in (logs.mean(), logs.mean() - half, logs.mean() + half)]
        assert [cell["labelled"], cell["labelled_low"], cell["labelled_high"]] == pytest.approx(interval)


def test_the_rules_are_kept_and_can_be_broken(report: dict[str, Any]) -> None:
    assert {rule["verdict"] for rule in report["rules"]} == {"holds"}
    assert report["passed"]
    assert report["steps"] == labelled_sizes.printed_steps()
    good = labelled_sizes.Curve("one", 1.0, [8], [0.0], [8], 1.0, -1.0, -1.0)
    task = labelled_sizes.Task("uniform", 8, 0, 1, False)
    cells = [{"sizes": [8.0], "theorem_labelled": 8}]

    def verdicts(curve: Any, cells: Any, steps: Any) -> list[str]:
        return [rule["verdict"] for rule in labelled_sizes.rules([(task, [curve])], cells, steps)]

    assert verdicts(good, cells, report["steps"]) == ["holds"] * 5
    for place, broken in enumerate(({"claim": 1.01}, {"mistakes": 0.01}, {"tail": 0.01})):
        found = verdicts(replace(good, **broken), cells, report["steps"])  # type: ignore[arg-type]
        assert [each == "FAILS" for each in found] == [i == place for i in range(5)]
    assert verdicts(good, [{"sizes": [9.0], "theorem_labelled": 8}], report["steps"])[3] == "FAILS"
    assert verdicts(good, cells, [{**report["steps"][0], "epsilon": 1.1}])[4] == "FAILS"


def test_the_first_repetition_gives_the_same_numbers_again(report: dict[str, Any]) -> None:
    task = labelled_sizes.Task("skewed", 8, 0, report["seed"], False)
    source = labelled_sizes.Distribution.of("skewed", 8)
    rng = np.random.default_rng(labelled_sizes.child_seed(task.seed, True, 8, 0))
    curve = labelled_sizes.base_curve(source, task, rng)
    least = labelled_sizes.least_size(curve)
    (cell,) = (
        c for c in report["cells"] if (c["distribution"], c["bits"], c["learner"]) == ("skewed", 8, curve.learner)
    )
    assert least is not None
    assert least.labelled == pytest.approx(cell["sizes"][0])


def test_failing_thresholds_are_counted() -> None:
    for name in ("uniform", "skewed"):
        source = labelled_sizes.Distribution.of(name, 6)
        x = np.arange(source.support)
        bad = np.array([((x >= h) != (x >= source.target)).mean() > 0.1 for h in range(source.grid + 1)])
        for low, high in ((0, source.grid), (5, 9), (30, 40), (11, 64)):
            wanted = bad[low : high + 1].mean()
            assert source.failing(np.array([low]), np.array([high]))[0] == pytest.approx(wanted)


def test_the_tables_and_the_plot_are_those_of_the_numbers(report: dict[str, Any]) -> None:
    assert labelled_sizes_views.render(report) == (REPORTS / "labelled_sizes.md").read_text(encoding="utf-8")
    text = (REPORTS / "labelled_sizes.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert labelled_sizes_views.digest(report) in text
    changed = json.loads(json.dumps(report))
    changed["cells"][0]["labelled"] += 1
    assert labelled_sizes_views.digest(changed) not in text
