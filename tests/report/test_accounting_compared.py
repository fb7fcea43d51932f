"""The comparison of accountants: its truth, its judge, its views, and that the committed report is its own."""

from __future__ import annotations

import copy
import json
import math
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import asdict
from pathlib import Path
from typing import Any

import accounting_compared as benchmark
import accounting_compared_audits as audits
import accounting_compared_findings as findings
import accounting_compared_laws as laws
import accounting_compared_truth as truth
import accounting_compared_views as views
import mpmath
import numpy as np
import pytest
from accounting_compared_accountants import PACKAGES, Asking, ask
from accounting_compared_events import events, pairs
from accounting_compared_judge import ABOVE, BELOW, FAILED, HAIR, TIGHT, judged
from bench import Settings
from peers import accounts

from dpcheck.parts.mechanisms.gaussian import GaussianProfile

ROOT = Path(__file__).resolve().parents[2]
#: Fewer points than a report's: enclosures are wider, and must hold all the same.
POINTS = 2**14
DELTAS = (1e-2, 1e-5, 1e-8, 1e-12)
RATE, SIGMA = 0.1, 2.0


def assert_encloses(curve: truth.Curve, exact: truth.Curve, width: float) -> None:
    for delta in DELTAS:
        low, high = truth.epsilon_bounds(curve, delta)
        exactly = truth.epsilon_bounds(exact, delta)
        assert low <= exactly[1]
        assert exactly[0] <= high
        assert high - low <= width


# --- the truth


def test_the_closed_form_of_gaussian_noise_is_that_of_the_mechanism() -> None:
    for shift in (0.1, 1.0, 5.0):
        for epsilon in (0.0, 0.5, 3.0):
            assert laws.GaussianLoss(shift).delta(epsilon) == pytest.approx(GaussianProfile(shift).delta(epsilon))


@pytest.mark.parametrize("count", [1, 10, 100])
def test_a_grid_encloses_the_closed_form_of_gaussian_steps(count: int) -> None:
    shift = 1 / math.sqrt(count)
    steps = ((laws.GaussianLoss(shift), count),)
    assert truth.curve_of(steps).way == "closed form"
    assert_encloses(truth.composed(steps, POINTS), truth.curve_of(steps), 0.005 * count)


@pytest.mark.parametrize("removed", [True, False])
def test_a_grid_encloses_the_closed_form_of_one_sampled_step(removed: bool) -> None:
    for rate, sigma in ((0.01, 1.0), (0.1, 0.5), (0.5, 1.0)):
        steps = ((laws.SampledGaussianLoss(rate, 1 / sigma, removed), 1),)
        assert_encloses(truth.composed(steps, POINTS), truth.curve_of(steps), 0.02)


def test_a_grid_encloses_the_closed_form_of_a_sampled_replacement() -> None:
    steps = ((laws.SampledReplacementLoss(RATE, 1 / SIGMA), 1),)
    assert_encloses(truth.composed(steps, POINTS), truth.curve_of(steps), 0.01)


@pytest.mark.parametrize("count", [1, 10, 1000])
def test_a_lattice_is_the_exact_sum_of_randomised_responses(count: int) -> None:
    truthful, other = mpmath.mpf(3) / 4, mpmath.mpf(1) / 4
    curve = truth.composed(((laws.randomised_response(0.5, 2), count),))
    assert curve.way == "lattice"

    def exact(epsilon: float) -> Any:
        return mpmath.fsum(
            mpmath.binomial(count, lies)
            * truthful ** (count - lies)
            * other**lies
            * (1 - mpmath.exp(epsilon - (count - 2 * lies) * mpmath.log(3)))
            for lies in range(count + 1)
            if (count - 2 * lies) * mpmath.log(3) > epsilon
        )

    with mpmath.workdps(50):
        for delta in DELTAS:
            low, high = truth.epsilon_bounds(curve, delta)
            assert high - low < 1e-4
            assert exact(high) <= delta <= exact(low)


def test_laplace_steps_are_those_of_a_formula_and_of_quadrature() -> None:
    """One step has a formula; of two the loss is convolved by quadrature."""
    one = ((laws.LaplaceLoss(1.0), 1),)
    assert_encloses(truth.composed(one, POINTS), truth.curve_of(one), 0.02)
    two = truth.composed(((laws.LaplaceLoss(1.0), 2),), POINTS)
    places = np.linspace(-14, 15, 4001)
    weights = np.exp(-np.abs(places)) / 2 * (places[1] - places[0])
    loss = np.abs(places - 1) - np.abs(places)
    for epsilon in (0.2, 1.0):
        sums = loss[:, None] + loss[None, :]
        found = float(weights @ np.maximum(0.0, -np.expm1(epsilon - sums)) @ weights)
        assert two.low(epsilon) - 1e-3 <= found <= two.high(epsilon) + 1e-3


def test_the_law_of_a_loss_agrees_with_draws_of_it() -> None:
    """Null: the law is right; a gap of 5.5 deviations somewhere has a probability below 1e-6."""
    rng, size = np.random.default_rng(7), 40_000
    for removed in (True, False):
        taken = rng.random(size) < (RATE if removed else 0.0)
        drawn = rng.normal(size=size) + taken / SIGMA
        mixed = np.log1p(RATE * np.expm1(drawn / SIGMA - 1 / (2 * SIGMA**2)))
        losses = mixed if removed else -mixed
        law = laws.SampledGaussianLoss(RATE, 1 / SIGMA, removed)
        for loss in (-0.05, 0.0, 0.05):
            chance = float(law.above(np.array([loss]))[0])
            assert abs(np.mean(losses > loss) - chance) < 5.5 * math.sqrt(chance * (1 - chance) / size) + 1e-9
            assert chance + float(law.below(np.array([loss]))[0]) == pytest.approx(1.0)


def test_a_truth_with_losses_rounded_the_wrong_way_would_be_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = truth.rounded
    monkeypatch.setattr(
        truth, "rounded", lambda loss, width, up, lattice, cut: right(loss, width, not up, lattice, cut)
    )
    with pytest.raises(AssertionError):
        test_a_grid_encloses_the_closed_form_of_gaussian_steps(100)


def test_no_enclosure_is_empty_on_any_event() -> None:
    made = events()
    assert len(made) >= 30
    assert len({event["name"] for event in made}) == len(made)
    for event in events(quick=True):
        curve = truth.worst(pairs(event), POINTS)
        for delta in DELTAS:
            low, high = truth.epsilon_bounds(curve, delta)
            assert 0 <= low <= high < math.inf


# --- the judge


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        (0.5, BELOW),
        (0.9995, HAIR),
        (1.0, TIGHT),
        (1.0005, TIGHT),
        (1.01, TIGHT),
        (1.1, ABOVE),
        ("infinite", ABOVE),
        (None, FAILED),
    ],
)
def test_verdicts(value: Any, verdict: str) -> None:
    assert judged({"question": "epsilon", "value": value, "failed": ""}, 1.0, 1.001)["verdict"] == verdict


def test_a_planted_accountant_is_named() -> None:
    """Half the noise, on every quick event of Gaussian noise: it says what twice the noise has."""
    for event in events(quick=True):
        if event["kind"] not in ("gaussian", "Poisson Gaussian", "without replacement Gaussian"):
            continue
        curve = truth.worst(pairs(event), POINTS)
        twice = {**event, "parts": [{**part, "sigma": 2 * part["sigma"]} for part in event["parts"]]}
        wrong = truth.worst(pairs(twice), POINTS)
        for delta in (1e-5, 1e-8):
            said = {"question": "epsilon", "value": truth.epsilon_bounds(wrong, delta)[1]}
            right = {"question": "epsilon", "value": truth.epsilon_bounds(curve, delta)[1]}
            assert judged(said, *truth.epsilon_bounds(curve, delta))["verdict"] == BELOW
            assert judged(right, *truth.epsilon_bounds(curve, delta))["verdict"] == TIGHT


def test_a_row_below_the_truth_without_a_cause_breaks_the_rules() -> None:
    event = {"name": "e", "kind": "gaussian", "relation": "add-remove", "parts": [{"count": 1}], "truth": []}
    row = {"accountant": "dp-accounting PLD", "event": "e", "question": "epsilon", "verdict": BELOW}
    assert findings.finding_of(row, event) == ""
    broken = {rule["rule"]: rule["verdict"] for rule in benchmark.rules([{**row, "finding": ""}], [], [])}
    assert broken["every row below the truth has a cause"] == "FAILS"
    response = {**event, "kind": "randomised response", "relation": "replace-one", "parts": [{"count": 10}]}
    assert findings.finding_of(row, response) == "randomised response is counted once"
    assert findings.finding_of(row, {**response, "parts": [{"count": 1}]}) == ""


# --- how packages are asked


def test_an_accountant_that_fails_has_rows_that_say_so() -> None:
    event = {"name": "e", "deltas": [0.1, 0.2], "epsilons": [1.0]}

    def fails(_: Any) -> accounts.Asked:
        raise RuntimeError("no\nlaw")

    assert [row["failed"] for row in accounts.answers("a", fails, event)] == ["RuntimeError: no law"] * 3
    said = list(accounts.answers("a", lambda _: accounts.Asked(lambda delta: math.inf), event))
    assert [row["value"] for row in said] == ["infinite", "infinite"]

    def not_offered(_: Any) -> accounts.Asked:
        raise accounts.NotOffered

    assert not list(accounts.answers("a", not_offered, event))


def test_an_accountant_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "SECONDS", 0.05)

    def hangs(_: float) -> float:
        while True:
            pass

    event = {"name": "e", "deltas": [0.1], "epsilons": []}
    (row,) = accounts.answers("a", lambda _: accounts.Asked(hangs), event)
    assert row["failed"] == "TimeoutError: took longer than 0.05 s of the processor"


def test_a_package_whose_process_ends_has_a_row_for_each_event(tmp_path: Path) -> None:
    """An environment whose Python ends at once."""
    (tmp_path / "bin").mkdir()
    python = tmp_path / "bin" / "python"
    python.write_text("#!/bin/sh\necho broken >&2\nexit 3\n", encoding="utf-8")
    python.chmod(0o755)
    rows = ask(Asking("prv_accountant", str(tmp_path), ({"name": "e", "deltas": [1e-5]},)))
    assert [(row["event"], row["value"], row["failed"]) for row in rows] == [("e", None, "ended with 3: broken")]


def test_what_was_kept_is_gone_on_from_with_the_same_seed_only(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    kept = benchmark.Kept.read(Settings(1, 1, True, None, kept=file))
    kept.bounds.append(0.5)
    kept.answers["autodp"] = [{"value": 1.0}]
    kept.write()
    assert benchmark.Kept.read(Settings(1, 1, True, None, kept=file)).bounds == [0.5]
    assert benchmark.Kept.read(Settings(2, 1, True, None, kept=file)).answers == {}


def test_an_unknown_package_is_refused_in_one_line() -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "accounting_compared.py"), "--only", "nobody"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [f"--only must name packages of {', '.join(PACKAGES)}, got 'nobody'"]


# --- audits


def test_an_audit_certifies_less_than_the_truth_and_refutes_half_the_noise() -> None:
    """A bound exceeds the truth with probability 1e-4; half the noise makes the shift 2, and shows."""
    (event,) = [one for one in events() if one["name"] == "gaussian, sigma 1, 1 step"]
    curve = truth.worst(pairs(event))
    low, high = truth.epsilon_bounds(curve, 1e-2)
    honest = audits.certified(event, audits.Audit(event["name"], 1e-2), seed=5, outputs=20_000)
    halved = audits.certified(event, audits.Audit(event["name"], 1e-2, noise=0.5), seed=5, outputs=20_000)
    assert honest <= high
    assert halved > high
    row = audits.compared(audits.Audit(event["name"], 1e-2, 0.5), halved, (0.0, 99.0), {"right": low, "loose": 90.0})
    assert (row["refuted"], row["not_refuted"], row["holds"]) == (["right"], ["loose"], True)


@pytest.mark.parametrize("audit", audits.AUDITS, ids=lambda audit: f"{audit.event} {audit.noise:g}")
def test_every_audit_has_an_event_and_draws_from_two_laws(audit: audits.Audit) -> None:
    (event,) = [one for one in events() if one["name"] == audit.event]
    sample = audits.sampler(event, audit.noise)
    rng = np.random.default_rng(3)
    one, other = sample([1], 4000, rng), sample([0], 4000, rng)
    assert one.shape == other.shape == (4000,)
    assert one.mean() > other.mean()


# --- the views


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """Three events, of which one accountant is right, one counts once, one fails, and one audit."""
    asked = [
        benchmark.enclosed(benchmark.Enclosing(event, POINTS))
        for event in events()
        if event["name"]
        in (
            "gaussian, sigma 1, 1 step",
            "gaussian, sigma 2, 1 step, replace-one",
            "randomised response, noise 0.5, buckets 2, 10 steps, replace-one",
        )
    ]
    answers: list[dict[str, Any]] = []
    for event in asked:
        for one in event["truth"]:
            base = {"event": event["name"], "question": one["question"], "at": one["at"]}
            answers.append({**base, "accountant": "autodp exact Gaussian", "value": one["high"]})
            counted_once = one["high"] / 10 if event["kind"] == "randomised response" else one["high"]
            answers.append({**base, "accountant": "dp-accounting PLD", "value": counted_once})
            answers.append({**base, "accountant": "opacus PRV", "value": None, "failed": "no | law"})
    rows = json.loads(json.dumps(benchmark.rows(answers, asked)))
    audit = audits.Audit("gaussian, sigma 1, 1 step", 1e-2, 0.5)
    checked = [audits.compared(audit, 4.0, (5.0, 5.1), {"autodp exact Gaussian": 2.3, "opacus RDP": 9.0})]
    return {
        "command": "python benchmarks/accounting_compared.py",
        "seed": 1,
        "seconds": 1.0,
        "hairs": {"epsilon": 0.001, "delta": 0.01},
        "tightness": {"epsilon": 0.01, "delta": 0.05},
        "alpha": audits.ALPHA,
        "outputs": audits.OUTPUTS,
        "goes_on": False,
        "theorems": {"gaussian": "a theorem"},
        "attained_only": [["Poisson Gaussian", "replace-one"]],
        "accountants": ["dp-accounting PLD", "autodp exact Gaussian", "opacus PRV"],
        "packages": [{"package": "opacus", "versions": ["opacus==1.6.0"], "stated": "none", "failed": ""}],
        "findings": [asdict(finding) for finding in findings.FINDINGS],
        "events": asked,
        "rules": benchmark.rules(rows, asked, checked),
        "rows": rows,
        "audits": checked,
    }


def test_the_page_says_first_who_is_below_the_truth(document: dict[str, Any]) -> None:
    (first, last) = views.summary(document)
    assert first.startswith("- **An error: randomised response is counted once** (dp-accounting PLD): ")
    assert last == "- Never below the truth here: autodp exact Gaussian, opacus PRV."
    page = views.render(document)
    assert (
        page.index(first)
        < page.index("## Causes")
        < page.index("pld_privacy_accountant.py:82")
        < page.index("## Truth")
    )
    assert "no \\| law" in page
    assert "| half the noise | 4 | 5 to 5.1 | autodp exact Gaussian | opacus RDP |" in page


def test_the_tables_are_whole(document: dict[str, Any]) -> None:
    assert {len(row) for row in views.event_rows(document, "epsilon")} == {3 + len(document["accountants"])}
    assert len(views.event_rows(document, "epsilon")) == 3 * len(DELTAS)
    assert {row[0]: row[1] != "0" for row in views.summary_rows(document)} == {
        "dp-accounting PLD": True,
        "autodp exact Gaussian": False,
        "opacus PRV": False,
    }


def test_the_plot_names_its_numbers(document: dict[str, Any]) -> None:
    text = views.svg(document)
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert views.digest(document) in text
    changed = copy.deepcopy(document)
    changed["rows"][0]["value"] = 0.123
    assert views.digest(changed) not in text


def test_rules_of_audits_can_fail(document: dict[str, Any]) -> None:
    def verdicts(checked: list[dict[str, Any]]) -> dict[str, str]:
        found = benchmark.rules(document["rows"], document["events"], checked)
        return {rule["rule"]: rule["verdict"] for rule in found}

    audit = document["audits"][0]
    good = verdicts([{**audit, "not_refuted": []}])
    assert set(good.values()) == {"holds"}
    assert verdicts([audit])[list(good)[-1]] == "FAILS"
    assert verdicts([{**audit, "not_refuted": [], "holds": False}])["no audit certifies more than the truth"] == "FAILS"
