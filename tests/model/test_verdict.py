"""Verdicts: values that are neither true nor false, that say what they are, and never say "private"."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest

from dpcheck.model.claims import (
    ApproxDP,
    Claim,
    GaussianDP,
    PureDP,
    RenyiDP,
    ZeroConcentratedDP,
    claim_point,
    parameter_of,
)
from dpcheck.model.verdict import (
    Counts,
    Finding,
    Status,
    Stop,
    Verdict,
    as_number,
    confidence,
)
from dpcheck.model.verdict.descriptions import describe, describe_measurement
from dpcheck.privacy.statistics.judge import default_detect
from tests.handmade import WITNESS, measurement, verdict

EVERY_STATUS = pytest.mark.parametrize("status", list(Status))


@EVERY_STATUS
def test_a_verdict_is_neither_true_nor_false(status: Status) -> None:
    with pytest.raises(TypeError, match=r"a verdict is neither true nor false: compare verdict\.status with"):
        bool(verdict(status))
    with pytest.raises(TypeError, match="assert_private"):
        assert verdict(status)


@EVERY_STATUS
def test_no_verdict_says_private(status: Status) -> None:
    for text in (str(verdict(status)), status.meaning, verdict(status)._repr_html_()):
        assert not re.search(r"\bis private\b|\bprivate:", text.lower())


def test_the_four_statuses() -> None:
    assert [s.value for s in Status] == ["learner failed", "violated", "inconclusive", "no violation found"]
    assert Status("violated") is Status.VIOLATED
    assert str(Status.VIOLATED) == "violated"
    assert len({s.meaning for s in Status}) == 4
    assert all(s.meaning.endswith(".") and "\n" not in s.meaning for s in Status)
    assert all("\n" not in stop.value for stop in Stop)


@EVERY_STATUS
def test_a_verdict_says_what_was_asked_and_found(status: Status) -> None:
    made = verdict(status)
    text = str(made)
    assert text == describe(made)
    assert text.startswith(f"mylearner.py:Learner: {status.value.upper()} (claim: 1-DP, replace-one)")
    assert made.stop.value in text
    assert "alpha = 1e-06, seed = 0" in text
    assert "Finding (prints): The learner printed 12 characters." in text
    assert (WITNESS.change in text) == (status is not Status.LEARNER_FAILED)
    if status is Status.VIOLATED:
        assert "any valid epsilon exceeds 1.3" in text
        assert "With confidence 99.9999% any valid" in text
        assert f"\nPair: {WITNESS.change}; D = {WITNESS.left}, D' = {WITNESS.right}\n" in text
        assert f"\nEvent: {WITNESS.event}" in text
    elif status is Status.LEARNER_FAILED:
        assert "The learner hung on pair 0." in text
    else:
        assert "caught with probability 0.95" in text
        assert "Not covered: a larger loss in rarer outputs" in text
        assert f"\nPair with most evidence: {WITNESS.change}" in text


@EVERY_STATUS
def test_the_parts_of_a_verdict_stand_in_the_order_in_which_they_are_read(status: Status) -> None:
    text = str(verdict(status))
    parts = ["Asked: ", "Answer: "]
    if status is not Status.LEARNER_FAILED:
        parts += ["Evidence against the claim: ", "Calls: ", "Pair", "Event", "Seen: "]
    if status in (Status.NO_VIOLATION_FOUND, Status.INCONCLUSIVE):
        parts += ["Power: ", "Not covered: "]
    parts += ["Stopped because ", "Finding (", "Next: "]
    heads = [line for line in text.splitlines()[1:] if line.startswith(tuple(parts))]
    places = [next(place for place, line in enumerate(heads) if line.startswith(part)) for part in parts]
    assert places == sorted(places)
    assert text.splitlines()[-1].startswith("Next: ")


def test_counts_are_told_by_the_side_on_which_the_event_was_seen() -> None:
    """420 and 80 of 900 calls: on the side where it is likelier, and on the other one."""
    one_side = dataclasses.replace(WITNESS, direction="likelier on D'")
    text = str(verdict(Status.VIOLATED, witness=one_side))
    assert "in 500 of 900 calls, each on D or D' with probability 1/2: 420 on D', 80 on D;" in text
    assert f"Event: {WITNESS.event} (likelier on D')\n" in text
    two_sided = str(verdict(Status.VIOLATED, witness=dataclasses.replace(WITNESS, direction="likelier where it says")))
    assert "420 on the likelier dataset, 80 on the other one" in two_sided
    assert "a likelihood ratio of about 5.25, a privacy loss of about 1.66 (an estimate for this event)" in two_sided
    never = dataclasses.replace(WITNESS, counts=Counts(420, 0, 900))
    assert "likelihood ratio" not in str(verdict(Status.VIOLATED, witness=never))
    assert "told apart every time" in str(verdict(Status.VIOLATED, witness=never))


def test_an_estimate_is_told_apart_from_what_is_certified() -> None:
    """One bound, which is certified, and an estimate that says so; where nothing is refuted, luck may be all of it."""
    violated, found = str(verdict(Status.VIOLATED)), str(verdict(Status.NO_VIOLATION_FOUND))
    assert "any valid epsilon exceeds 1.3" in violated
    assert "a privacy loss of about 1.66 (an estimate for this event)" in violated
    assert "Certified lower bound: epsilon > 0.4 with confidence 99.9999%" in found
    assert (
        "a privacy loss of about 1.66 (an estimate for this event, which luck can put above a claim that holds)"
        in found
    )


def test_an_event_that_proves_nothing_is_not_shown() -> None:
    """Counts alone that bound nothing would look like a finding."""
    nothing = dataclasses.replace(WITNESS, epsilon_alone=0.0)
    text = str(verdict(Status.NO_VIOLATION_FOUND, witness=nothing))
    assert not re.search(r"^(Pair|Event|Seen)", text, re.MULTILINE)
    assert WITNESS.event not in text
    assert WITNESS.event in str(verdict(Status.VIOLATED, witness=nothing))


@pytest.mark.parametrize(
    ("claim", "words"),
    [(ZeroConcentratedDP(2.0), "rho = "), (GaussianDP(1.0), "mu = "), (RenyiDP(4, 2.0), "Rényi epsilon = ")],
)
def test_power_is_told_in_the_unit_of_the_claim(claim: Claim, words: str) -> None:
    epsilon, _ = claim_point(claim)
    text = str(verdict(claim=claim, detectable_epsilon=1.5 * epsilon, detect=2.0 * epsilon))
    assert re.search(rf"Power: a privacy loss of {words}[\d.]+ \(epsilon = [\d.]+ at delta = [\d.]+\), in all", text)
    assert f"claimed: {words}{parameter_of(claim)[1]:.3g}." in text
    assert re.search(rf"Needed \(detect\): {words}[\d.]+;", text)


def test_delta_is_named_where_there_is_one() -> None:
    text = str(verdict(Status.VIOLATED, claim=ApproxDP(1.0, 1e-5)))
    assert "any valid epsilon at delta = 1e-05 exceeds" in text
    assert "(1, 1e-05)-DP" in text


def test_a_verdict_without_witness_or_bound_is_said_too() -> None:
    text = str(verdict(Status.INCONCLUSIVE, witness=None, detectable_epsilon=math.inf, epsilon_lower=0.0))
    assert (
        "even an unlimited privacy loss would have been caught with a probability below 0.95 (needed, detect: 2)"
        in text
    )
    assert "Event" not in text


def test_evidence_is_the_exponential_and_never_overflows() -> None:
    assert verdict(log_evidence=math.log(5.0)).evidence == pytest.approx(5.0)
    assert verdict(log_evidence=1e6).evidence == math.inf
    assert verdict(log_evidence=-1e6).evidence == 0.0
    assert verdict(log_evidence=709.0).evidence > 1e300


def test_verdicts_are_frozen_values() -> None:
    made = verdict()
    assert made == verdict()
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.status = Status.VIOLATED  # type: ignore[misc]
    assert {f.name for f in dataclasses.fields(Verdict)} >= {
        "status",
        "claim",
        "epsilon_lower",
        "delta_lower",
        "parameter_lower",
        "detectable_epsilon",
        "threshold",
        "witness",
        "findings",
        "stop",
        "samples",
        "seconds",
        "method",
        "reproducible",
        "environment",
        "detect",
        "alpha",
        "seed",
        "phases",
    }


def test_html_is_escaped() -> None:
    html = verdict(target="<script>alert(1)</script>", findings=(Finding("a", "<b>&"),))._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    assert "&lt;b&gt;&amp;" in html


@pytest.mark.parametrize(
    ("log_evidence", "text"),
    [
        (0.0, "1"),
        (math.log(4100), "4.1e+03"),
        (-math.inf, "0"),
        (1000.0, "1e+434"),
        (600.0, "3.8e+260"),
    ],
)
def test_odds_in_words(log_evidence: float, text: str) -> None:
    assert as_number(log_evidence) == text


@pytest.mark.parametrize("alpha", [0.5, 0.1, 0.05, 0.025, 0.015, 0.001, 5e-4, 2.5e-6, 1e-6, 1e-9, 1e-12, 0.3, 0.999])
def test_a_confidence_is_never_overstated(alpha: float) -> None:
    text = confidence(alpha)
    assert text.endswith("%")
    said = float(text.removesuffix("%"))
    assert said <= 100.0 * (1.0 - alpha) + 1e-12
    assert said >= 100.0 * (1.0 - 2.0 * alpha) - 1.0 or alpha > 0.3
    assert said < 100.0


def test_the_usual_confidences() -> None:
    assert [confidence(a) for a in (0.05, 0.01, 0.001, 1e-6, 1e-9)] == [
        "95%",
        "99%",
        "99.9%",
        "99.9999%",
        "99.9999999%",
    ]


@pytest.mark.parametrize(("epsilon", "detect"), [(0.0, 0.1), (0.05, 0.15), (0.1, 0.2), (1.0, 2.0), (10.0, 20.0)])
def test_the_leak_asked_for_is_twice_the_claim_and_never_closer_than_a_tenth(epsilon: float, detect: float) -> None:
    assert default_detect(epsilon) == pytest.approx(detect)


def test_a_measurement_in_words() -> None:
    made = measurement(findings=(Finding("prints", "much"),))
    text = str(made)
    assert text == describe_measurement(made)
    assert text.startswith("mylearner.py:Learner: epsilon above 0.9 (confidence 95%, 1,000 calls, replace-one)")
    assert WITNESS.event in text
    assert "Finding (prints): much" in text
    assert "A lower bound" in text
    assert text.splitlines()[-1].startswith("Next: ")
    assert "at delta = 0.01 above" in str(measurement(delta=0.01))
    assert "LEARNER FAILED. It hung." in str(measurement(failure="It hung.", stop=Stop.LEARNER))
    assert "nothing is certified" in str(measurement(stop=Stop.INTERRUPTED))
    assert str(measurement(profile=(), tradeoff=(), witness=None))


def test_claims_and_counts_are_plain_values() -> None:
    assert Counts(1, 2, 3) == Counts(correct=1, wrong=2, calls=3)
    assert verdict().claim == PureDP(1.0)
