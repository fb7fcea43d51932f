"""The comparison of learners: its decision rule, its views, its command, and that the committed report is its own."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from pathlib import Path
from typing import Any

import learners_compared
import learners_compared_data as data
import learners_compared_decisions as decisions
import learners_compared_methods as methods
import learners_compared_regressions as regressions
import learners_compared_views as views
import numpy as np
import pytest
from bench import Settings

from dpcheck import SemiPrivate
from dpcheck.papers.alon2019.learners import CoverLearner, GenericLearner
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner
from dpcheck.parts.classes import Stumps, mistakes
from dpcheck.parts.learners.logistic_regression import minimiser

ROOT = Path(__file__).resolve().parents[2]
REPORT = ROOT / "reports" / "learners_compared.json"
#: Ten splits, of which some are easy: what is common to all learners.
EASE = np.linspace(0.0, 0.3, 10)
WIGGLE = 0.01 * np.array([1, -1, 2, -2, 1, -1, 2, -2, 1, -1])


def made_up_document() -> dict[str, Any]:
    """Two data sets of ten splits: on the first dpcheck's stumps lead, on the second what is elsewhere does."""
    errors: dict[tuple[str, str, float | None], list[float]] = {}
    for place, dataset in enumerate(("one", "two")):
        for number, method in enumerate(methods.METHODS):
            for epsilon in learners_compared.EPSILONS if method.private else (None,):
                ahead = (method.group == methods.OURS) == (place == 0)
                level = 0.2 if ahead else 0.4
                errors[dataset, method.name, epsilon] = (level + 0.005 * number + EASE + WIGGLE).tolist()
    results: dict[str, list[learners_compared.Found]] = {
        dataset: [
            {(name, epsilon): some[split] for (d, name, epsilon), some in errors.items() if d == dataset}
            for split in range(10)
        ]
        for dataset in ("one", "two")
    }
    described = {"source": "nowhere", "question": "which", "records": 100, "features": 2, "share": 0.5}
    sizes = {"public": 20, "private": 50, "test": 30}
    return {
        "command": "python benchmarks/learners_compared.py",
        "seed": 1,
        "seconds": 1.0,
        "repetitions": 10,
        "draws": 2,
        "epsilons": list(learners_compared.EPSILONS),
        "delta": methods.DELTA,
        "accuracy": methods.ACCURACY,
        "cuts": methods.CUTS,
        "level": decisions.LEVEL,
        "made_up": [[100, 2, 2]],
        "choosing": 1,
        "datasets": [{"name": name, **described, **sizes} for name in ("one", "two")],
        "learners": json.loads(json.dumps(learners_compared.learners())),
        "chosen": [{"learner": methods.OUTPUT, "epsilon": 1.0, "setting": {"regularisation": 0.01}}],
        "rules": [],
        "cells": learners_compared.cells(results),
    }


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return made_up_document()


# --- the decision rule


def test_the_best_has_the_lowest_mean_and_the_next_is_told_apart_split_by_split() -> None:
    # by themselves the intervals overlap: what makes a split easy is common to both
    errors = {"a": 0.25 + EASE + WIGGLE, "b": 0.20 + EASE, "c": 0.9 + EASE}
    found = decisions.decide({name: some.tolist() for name, some in errors.items()})
    assert (found.best, found.following, found.seen, found.alike) == ("b", "a", True, ())
    assert found.above.mean == pytest.approx(0.05)
    apart = [decisions.Interval.of(errors[name]) for name in ("a", "b")]
    assert apart[0].low < apart[1].high


def test_no_difference_is_seen_where_the_interval_contains_0() -> None:
    errors = {"a": (0.2 + EASE).tolist(), "b": (0.2001 + EASE + WIGGLE).tolist(), "c": (0.5 + EASE).tolist()}
    found = decisions.decide(errors)
    assert (found.best, found.following, found.seen, found.alike) == ("a", "b", False, ("b",))
    assert found.above.contains_zero


@pytest.mark.parametrize("shift", [0.05, -0.05, 0.0])
def test_the_lead_of_a_group_has_its_sign(shift: float) -> None:
    ours = {"ours": (0.3 + EASE).tolist(), "worse": (0.9 + EASE).tolist()}
    theirs = {"theirs": (0.3 + shift + EASE + WIGGLE).tolist()}
    found = decisions.between(ours, theirs)
    assert (found.ours, found.theirs) == ("ours", "theirs")
    assert found.word == {0.05: "ahead", -0.05: "behind", 0.0: decisions.NO_DIFFERENCE}[shift]


def test_a_broken_rule_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Differences the wrong way round, and intervals that are not paired, give other decisions."""
    right = decisions.difference
    monkeypatch.setattr(decisions, "difference", lambda one, other: right(other, one))
    with pytest.raises(AssertionError):
        test_the_lead_of_a_group_has_its_sign(0.05)
    monkeypatch.setattr(decisions, "difference", lambda one, other: right(one, np.sort(other)[::-1]))
    with pytest.raises(AssertionError):
        test_the_best_has_the_lowest_mean_and_the_next_is_told_apart_split_by_split()


def test_intervals_refuse_what_has_none() -> None:
    with pytest.raises(ValueError, match="at least 2 numbers"):
        decisions.Interval.of([0.1])
    with pytest.raises(ValueError, match="same splits"):
        decisions.difference([0.1, 0.2], [0.1])


# --- the views


def test_the_summary_says_who_leads_where(document: dict[str, Any]) -> None:
    said = views.summary(document)
    assert sum("ahead of the best elsewhere on 1 (one), behind on 1 (two)" in line for line in said) == 9
    turned = copy.deepcopy(document)
    for learner in turned["learners"]:
        swap = {"dpcheck": "elsewhere", "elsewhere": "dpcheck"}
        learner["group"] = swap.get(learner["group"], learner["group"])
    turned_said = views.summary(turned)
    assert sum("ahead of the best elsewhere on 1 (two), behind on 1 (one)" in line for line in turned_said) == 9


def test_only_learners_that_protect_what_is_asked_are_taken(document: dict[str, Any]) -> None:
    labels = {methods.A2, methods.RESPONSE}
    assert not labels & set(views.candidates(document, "records"))
    assert labels <= set(views.candidates(document, "labels"))
    assert set(views.candidates(document, "records")) - set(views.candidates(document, "pure")) == {
        methods.STUDENT,
        methods.SGD,
    }
    taken = {one.best for one in views.decisions(document, "records").values()}
    assert taken == {methods.A_SSPP, methods.THEIR_REGRESSION}
    assert views.decisions(document, "labels")["one", 0.1].best == methods.A2


def test_the_tables_are_whole(document: dict[str, Any]) -> None:
    assert len(views.decision_rows(document, "records")) == 6
    assert {len(row) for row in views.decision_rows(document, "labels")} == {len(views.HEADINGS)}
    assert {len(row) for row in views.error_rows(document, "one")} == {7}
    page = views.render(document)
    for name in methods.BY_NAME:
        assert views.as_cell(name) in page
    assert "0.001" not in views.without_privacy(document)


def test_the_plot_names_its_numbers(document: dict[str, Any]) -> None:
    text = views.svg(document)
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert views.digest(document) in text
    changed = copy.deepcopy(document)
    changed["cells"][0]["test_error"] += 1e-9
    assert views.digest(changed) not in text


# --- the measurement


def test_settings_are_those_of_the_lowest_mean_error() -> None:
    results = [
        {
            (method.name, epsilon, which): abs(which - 1) + 0.1 * split
            for method in methods.METHODS
            if len(method.settings) > 1
            for which in range(len(method.settings))
            for epsilon in learners_compared.EPSILONS
        }
        for split in range(2)
    ]
    chosen = learners_compared.choice_of_settings(results)
    assert {chosen[method.name, 1.0] for method in methods.METHODS if len(method.settings) > 1} == {1}
    assert chosen[methods.A2, 1.0] == 0


def test_a_split_uses_each_record_once_and_bounds_are_those_of_the_public_part() -> None:
    parts = data.split("iris", 3)
    x, _ = data.records("iris")
    every = np.concatenate([parts.public.x, parts.private.x, parts.test.x])
    assert sorted(map(tuple, every.tolist())) == sorted(map(tuple, x.tolist()))
    assert (parts.bounds.low == parts.public.x.min(axis=0)).all()
    assert data.split("iris", 4).public.x.tolist() != parts.public.x.tolist()
    flat = data.Bounds.of(np.ones((3, 2)))
    assert (flat.high > flat.low).all()
    assert (flat.standardised(np.ones((3, 2))) == 0).all()


@pytest.mark.parametrize("epsilon", [0.1, 10.0])
def test_expected_errors_are_those_of_the_declared_laws(epsilon: float) -> None:
    parts = data.split("iris", 5)
    family, declared = Stumps(4), methods.DeclaredStumps(parts.bounds.low, parts.bounds.high)
    laws = {
        methods.A2: LabelPrivateLearner(family, epsilon, methods.ACCURACY).distribution(parts.private),
        methods.A_SSPP: CoverLearner(family, epsilon).distribution(SemiPrivate(parts.private, parts.public.x)),
        methods.DECLARED: GenericLearner(declared, epsilon).distribution(parts.private),
    }
    for name, law in laws.items():
        wrong = mistakes(family, np.array(law.outputs), parts.test.x, parts.test.y) / len(parts.test.y)
        scores = np.array(law.exact.scores)
        weights = np.exp(float(Fraction(epsilon) / 2) * (scores - scores.max()))
        error = methods.BY_NAME[name].error(parts, epsilon, {}, np.random.default_rng(0), 1)
        assert error == pytest.approx(float(weights @ wrong / weights.sum()), abs=1e-9)


def test_declared_stumps_are_as_many_as_they_say() -> None:
    family = methods.DeclaredStumps(np.zeros(3), np.ones(3))
    every = family.everything()
    assert len(every) == family.size == len(np.unique(every, axis=0))
    assert {tuple(row) for row in family.predict(every, [[0.5, 0.5, 0.5]])} == {(0,), (1,)}


def test_no_private_learner_reads_labels_of_the_public_part() -> None:
    parts = data.split("iris", 6)
    turned = data.Split(data.Labelled(parts.public.x, 1 - parts.public.y), parts.private, parts.test)
    noise = {pair: {10.0: 2.0} for pair in {(s["rate"], s["steps"]) for s in methods.BY_NAME[methods.SGD].settings}}
    changed = []
    for method in methods.METHODS:
        one, other = (
            learners_compared._error(method, 0, each, 10.0, np.random.default_rng(1), 1, noise)
            for each in (parts, turned)
        )
        changed += [method.name] if one != other else []
    assert changed == [methods.PUBLIC_ALONE]


def test_objective_perturbation_is_the_minimiser_where_epsilon_is_large() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(200, 3))
    x /= np.maximum(1, np.linalg.norm(x, axis=1))[:, None]
    y = (x[:, 0] + 0.3 * rng.normal(size=200) > 0).astype(np.int64)
    found = regressions.objective_perturbed(x, y, 1e7, 0.05, rng)
    assert found == pytest.approx(minimiser((x, y), 0.05), abs=1e-4)
    # where the regularisation is too small for epsilon, more of it is added
    strong = [np.linalg.norm(regressions.objective_perturbed(x, y, 0.1, 1e-9, rng)) for _ in range(20)]
    assert np.isfinite(strong).all()


def test_noise_of_steps_without_sampling_composes_to_one_release() -> None:
    one, many = (regressions.noise_for(1.0, 1e-5, 1.0, steps) for steps in (1, 25))
    assert many == pytest.approx(5 * one)
    assert one == pytest.approx(3.7306, abs=1e-3)


def test_what_was_kept_is_gone_on_from_with_the_same_seed_only(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    asked = Settings(1, 1, True, None, kept=file)
    kept = learners_compared.Kept.read(asked)
    kept.chosen[methods.A2, 1.0] = 0
    kept.found["iris"] = [{(methods.A2, 1.0): 0.25, (methods.MAJORITY, None): 0.5}]
    kept.write()
    again = learners_compared.Kept.read(asked)
    assert (again.chosen, again.found) == (kept.chosen, kept.found)
    assert not learners_compared.Kept.read(Settings(2, 1, True, None, kept=file)).found


def test_the_command_writes_its_report(tmp_path: Path) -> None:
    target = tmp_path / "found.json"
    command = [sys.executable, str(ROOT / "benchmarks" / "learners_compared.py"), "--quick", "--jobs", "1"]
    done = subprocess.run(
        [*command, "--seed", "7", "--json", str(target)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert "FAILS" not in done.stdout
    found = json.loads(target.read_text(encoding="utf-8"))
    assert found["quick"]
    assert found["seed"] == 7
    assert target.with_suffix(".md").read_text(encoding="utf-8") == views.render(found)
    assert views.digest(found) in target.with_suffix(".svg").read_text(encoding="utf-8")


def test_a_report_that_lacks_a_learner_breaks_the_rules(document: dict[str, Any]) -> None:
    whole = document["cells"]
    assert {rule["verdict"] for rule in learners_compared.rules(whole, ["one", "two"], 10)} == {"holds"}
    assert learners_compared.rules(whole[1:], ["one", "two"], 10)[0]["verdict"] == "FAILS"
    wrong = copy.deepcopy(whole)
    wrong[0]["test_errors"][0] = 1.5
    assert learners_compared.rules(wrong, ["one", "two"], 10)[2]["verdict"] == "FAILS"


# --- what the page on learners says


def test_the_numbers_of_which_to_take_are_those_of_the_report_on_answers() -> None:
    page = (ROOT / "docs" / "howto" / "papers_learners.md").read_text(encoding="utf-8")
    said = page[page.index("**Which to take.**") :].split("```")[0]
    rows = [
        [cell.strip() for cell in line.strip("| ").split(" | ")]
        for line in (ROOT / "reports" / "answers.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ")
    ]

    def one(*beginning: str, last: int) -> str:
        (found,) = [row[last] for row in rows if tuple(row[: len(beginning)]) == beginning]
        return found

    wanted = [
        one("10^5", "1", "0.99", "Gaussian, exact", last=6),
        one("10^5", "1", "0.99", "sparse vector, proved noise", last=6),
        one("breast cancer", "logistic regression", "30", "Gaussian, PLD", "2", last=5),
        one("breast cancer", "logistic regression", "30", "sparse vector, proved noise", "2", last=5),
        one("10^8", "1", "0.9999", "sparse vector, proved noise", last=6),
        one("10^8", "1", "0.9999", "Gaussian, exact", last=6),
    ]
    for number in wanted:
        assert f" {number}" in said.replace("\n", " ")


# --- the committed report


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(REPORT.read_text(encoding="utf-8"))
    return found


def test_the_committed_report_is_whole_and_keeps_its_rules(report: dict[str, Any]) -> None:
    names = [each["name"] for each in report["datasets"]]
    assert not report["quick"]
    assert names == list(data.DATA)
    assert len(names) >= 6
    assert report["repetitions"] >= 20
    assert report["rules"] == learners_compared.rules(report["cells"], names, report["repetitions"])
    assert report["passed"]
    assert report["learners"] == json.loads(json.dumps(learners_compared.learners()))


def test_the_committed_intervals_are_those_of_the_splits(report: dict[str, Any]) -> None:
    by = {(cell["dataset"], cell["learner"], cell["epsilon"]): cell for cell in report["cells"]}
    for (dataset, _, epsilon), cell in by.items():
        one = decisions.Interval.of(cell["test_errors"])
        assert (cell["test_error"], cell["test_error_low"]) == pytest.approx((one.mean, one.low), abs=1e-12)
        if epsilon is not None:
            other = by[dataset, cell["best_other"], epsilon]
            above = decisions.difference(cell["test_errors"], other["test_errors"])
            assert cell["above_best_other_high"] == pytest.approx(above.high, abs=1e-12)


def test_the_committed_views_are_those_of_the_numbers(report: dict[str, Any]) -> None:
    assert views.render(report) == REPORT.with_suffix(".md").read_text(encoding="utf-8")
    assert views.digest(report) in REPORT.with_suffix(".svg").read_text(encoding="utf-8")
    for suffix in (".json", ".md", ".svg"):
        text = REPORT.with_suffix(suffix).read_text(encoding="utf-8")
        assert "/work/" not in text
        assert "/tmp/" not in text


def test_the_first_split_gives_the_same_numbers_again(report: dict[str, Any]) -> None:
    """Of the smallest data set, by the report's seed, settings and noise: whatever --jobs was."""
    chosen = {}
    for method in methods.METHODS:
        for epsilon in report["epsilons"] if method.private else ():
            some = [o["setting"] for o in report["chosen"] if (o["learner"], o["epsilon"]) == (method.name, epsilon)]
            chosen[method.name, epsilon] = [dict(one) for one in method.settings].index(some[0]) if some else 0
    noise: dict[tuple[float, int], dict[float, float]] = {}
    for one in report["noise_multipliers"]:
        noise.setdefault((one["rate"], one["steps"]), {})[one["epsilon"]] = one["noise"]
    task = learners_compared.Task("iris", 0, report["seed"], report["draws"], chosen, noise)
    cells = {(c["learner"], c["epsilon"]): c["test_errors"][0] for c in report["cells"] if c["dataset"] == "iris"}
    # random trees and noise are the same to the last bit on one version of numpy; a regression's solver is not promised
    assert learners_compared.of_split(task) == pytest.approx(cells, abs=0.05)
