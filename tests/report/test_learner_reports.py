"""The reports on what learners cost and on real data are whole, keep their rules, and are of this code."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import learners
import numpy as np
import pytest
import real_data
import real_data_views
from learner_cases import cases
from scipy.stats import t

REPORTS = Path(__file__).resolve().parents[2] / "reports"


@pytest.fixture(scope="module")
def cost() -> dict[str, Any]:
    """What a fit costs."""
    found: dict[str, Any] = json.loads((REPORTS / "learners_cost.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def real() -> dict[str, Any]:
    """What privacy costs on real data."""
    found: dict[str, Any] = json.loads((REPORTS / "real_data.json").read_text(encoding="utf-8"))
    return found


def test_every_case_was_measured_at_every_size(cost: dict[str, Any]) -> None:
    assert not cost["quick"]
    assert cost["rounds"] >= 5
    listed = {case.name: case for case in cases()}
    assert [curve["name"] for curve in cost["curves"]] == list(listed)
    for curve in cost["curves"]:
        case = listed[curve["name"]]
        assert curve["sizes"] == list(case.sizes)
        assert any(curve["seconds_of_many_draws"]) == case.repeated
        for rounds in (*curve["seconds_of_rounds"], *(curve["seconds_of_many_draws"] if case.repeated else ())):
            assert len(rounds) == cost["rounds"]
            assert min(rounds) > 0


def test_the_exponents_and_ratios_are_those_of_the_rounds(cost: dict[str, Any]) -> None:
    for curve in cost["curves"]:
        medians = [float(np.median(rounds)) for rounds in curve["seconds_of_rounds"]]
        assert curve["seconds"] == medians
        sizes = curve["sizes"] if curve["grows"] in ("records", "queries") else curve["hypotheses"]
        exponent, error = np.polyfit(np.log(sizes), np.log(medians), 1)[0], curve["exponent_error"]
        assert curve["exponent"] == pytest.approx(exponent, abs=1e-6)
        assert error > 0
        rounds = zip(curve["seconds_of_rounds"], curve["seconds_of_many_draws"], strict=True)
        ratios = [np.median(np.array(many) / np.array(one)) for one, many in rounds if many]
        assert curve["ratios"] == pytest.approx(ratios)


def test_the_rules_of_cost_are_kept(cost: dict[str, Any]) -> None:
    assert cost["rules"] == learners.rules(cost["curves"])
    assert {rule["verdict"] for rule in cost["rules"]} == {"holds"}
    assert cost["passed"]
    for curve in cost["curves"]:
        if curve["family"].startswith("thresholds") and learners.MILLION in curve["sizes"]:
            assert curve["seconds"][-1] < 2
        assert all(ratio < 2 for ratio in curve["ratios"][-1:])


def test_a_slow_learner_would_break_the_rules(cost: dict[str, Any]) -> None:
    for name in ("seconds", "ratios"):
        slow = json.loads(json.dumps(cost["curves"]))
        slow[0][name][-1] = 2.5
        assert "FAILS" in {rule["verdict"] for rule in learners.rules(slow)}


def test_the_table_of_costs_is_that_of_the_numbers(cost: dict[str, Any]) -> None:
    assert learners.render(cost) == (REPORTS / "learners_cost.md").read_text(encoding="utf-8")


def test_every_learner_and_epsilon_is_there_for_both_classes(real: dict[str, Any]) -> None:
    assert not real["quick"]
    assert real["epsilons"] == [0.1, 1.0, 10.0]
    assert real["repetitions"] == 5
    wanted = {(name, epsilon) for name in real_data.PRIVATE_LEARNERS for epsilon in real["epsilons"]}
    wanted |= {(name, None) for name in real_data.BASELINES}
    for family in real_data.FAMILIES:
        found = [(cell["learner"], cell["epsilon"]) for cell in real["cells"] if cell["family"] == family]
        assert set(found) == wanted
        assert len(found) == len(wanted)
    assert len(real["cells"]) == len(real_data.FAMILIES) * len(wanted)


def test_the_intervals_are_those_of_the_splits(real: dict[str, Any]) -> None:
    least = {cell["family"]: cell for cell in real["cells"] if cell["learner"] == real_data.MINIMISER}
    for cell in real["cells"]:
        errors = np.array(cell["test_errors"])
        assert len(errors) == real["repetitions"]
        assert ((errors >= 0) & (errors <= 1)).all()
        above = errors - least[cell["family"]]["test_errors"]
        for name, values in (("test_error", errors), ("above_minimiser", above)):
            half = t.ppf((1 + real["level"]) / 2, len(values) - 1) * values.std(ddof=1) / math.sqrt(len(values))
            interval = (values.mean(), values.mean() - half, values.mean() + half)
            assert (cell[name], cell[f"{name}_low"], cell[f"{name}_high"]) == pytest.approx(interval, abs=1e-12)


def test_the_rules_of_the_real_data_are_kept(real: dict[str, Any]) -> None:
    assert real["rules"] == real_data.rules(real["cells"])
    assert {rule["verdict"] for rule in real["rules"]} == {"holds"}
    assert real["passed"]


def test_a_learner_with_too_many_mistakes_would_break_the_rules(real: dict[str, Any]) -> None:
    broken = json.loads(json.dumps(real["cells"]))
    cell = next(cell for cell in broken if cell["epsilon"] == max(real["epsilons"]))
    cell["mistakes"] = [count + real["private"] for count in cell["mistakes"]]
    assert [rule["verdict"] for rule in real_data.rules(broken)] == ["FAILS", "FAILS", "holds"]


def test_the_first_split_gives_the_same_numbers_again(real: dict[str, Any]) -> None:
    outcomes = real_data.repetition(real_data.Task("stumps", 0, real["seed"]))
    cells = {(cell["learner"], cell["epsilon"]): cell for cell in real["cells"] if cell["family"] == "stumps"}
    for outcome in outcomes:
        cell = cells[outcome.learner, outcome.epsilon]
        assert cell["test_errors"][0] == pytest.approx(outcome.test_error, abs=1e-12)
        assert cell["mistakes"][0] == pytest.approx(outcome.mistakes, abs=1e-9)
        assert (cell["candidates"][0], cell["fewest"][0]) == (outcome.candidates, outcome.fewest)


def test_a_split_uses_each_record_once(real: dict[str, Any]) -> None:
    parts = real_data.split(3)
    sizes = (len(parts.public.y), len(parts.private.y), len(parts.test.y))
    assert sizes == (real["public"], real["private"], real["test"])
    assert sum(sizes) == 569
    every = np.concatenate([parts.public.x, parts.private.x, parts.test.x])
    again = real_data.split(4)
    other = np.concatenate([again.public.x, again.private.x, again.test.x])
    assert sorted(map(tuple, every.tolist())) == sorted(map(tuple, other.tolist()))
    assert every.tolist() != other.tolist()


def test_the_table_and_the_plot_are_those_of_the_numbers(real: dict[str, Any]) -> None:
    assert real_data_views.render(real) == (REPORTS / "real_data.md").read_text(encoding="utf-8")
    text = (REPORTS / "real_data.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert real_data_views.digest(real) in text
    assert all(name in text for name in (*real_data.FAMILIES, *real_data.PRIVATE_LEARNERS, *real_data.BASELINES))
    changed = json.loads(json.dumps(real))
    changed["cells"][0]["test_error"] += 1e-9
    assert real_data_views.digest(changed) not in text


def test_no_folder_of_a_machine_is_named() -> None:
    for name in ("learners_cost.json", "learners_cost.md", "real_data.json", "real_data.md", "real_data.svg"):
        text = (REPORTS / name).read_text(encoding="utf-8")
        assert "/work/" not in text
        assert "/tmp/" not in text
