"""Learners of which a budget allows few calls: all of them are used, in an order that can be repeated."""

from __future__ import annotations

import math
import re
import time
from typing import Any

import pytest

import dpcheck
from dpcheck.model.verdict import Status, Stop, Verdict
from dpcheck.privacy.run import allocation, by_calls, caller
from dpcheck.privacy.run.caller import runner_of
from dpcheck.privacy.statistics.judge import LEAST_REPEATED
from tests.clocks import only_sleeping_takes_time

PAIR = ([0.0, 1.0], [1.0, 1.0])
NAP = 0.02


def bare(dataset: Any, rng: Any) -> float:
    return float(sum(dataset))


def napping(dataset: Any, rng: Any) -> float:
    time.sleep(NAP)
    return float(sum(dataset) + rng.laplace())


def made_slowly() -> Any:
    """A factory that compiles something, for 0.3 s: its learners take no time at all."""
    time.sleep(0.3)
    return lambda dataset, rng: float(sum(dataset) + rng.laplace())


def audited(learner: Any, claim: float, **options: Any) -> Verdict:
    return dpcheck.audit(learner, claim, **{"pairs": [PAIR], "isolation": "none", **options})


def test_a_learner_that_hides_nothing_is_caught_in_a_hundred_calls(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)  # so that whether its runs are fresh is not waited for
    options: dict[str, Any] = {"max_samples": 100, "alpha": 1e-3, "seed": seed}
    assert audited(bare, 0.1, **options).status is Status.VIOLATED
    # what is learned from is not counted: a first interim analysis of nearly all calls would leave too little
    monkeypatch.setattr(allocation, "SMALL_INTERIM", 90)
    assert audited(bare, 0.1, **options).status is Status.INCONCLUSIVE


def test_a_run_stopped_by_the_clock_is_repeated_by_its_calls(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)
    timed = audited(napping, 1.0, max_seconds=2.0, seed=seed)
    assert timed.stop is Stop.MAX_SECONDS
    assert timed.seconds <= 2.0
    assert 90 <= timed.samples <= 100
    assert f"{timed.samples} calls fitted into 2 s" in str(timed)
    again = audited(napping, 1.0, max_samples=timed.samples, max_seconds=math.inf, seed=seed)
    assert again.stop is Stop.MAX_SAMPLES
    assert again.samples == timed.samples
    assert again.log_evidence == timed.log_evidence
    assert again.witness == timed.witness


def test_a_run_is_said_to_be_repeated_by_its_calls_only_where_looks_are_as_large() -> None:
    assert LEAST_REPEATED == allocation.FEW_CALLS


def test_a_learner_that_is_dear_to_make_serves_many_calls(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)
    asked: dict[str, Any] = {"max_seconds": 24.0, "max_samples": 20_000, "seed": seed}
    verdict = audited(made_slowly, 1.0, **asked)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert "making a learner takes many times as long as a call of it" in str(verdict)
    # as many looks as of one that is made at once: nearly all of the time goes into making learners
    monkeypatch.setattr(caller, "DEAR_MAKING", math.inf)
    assert audited(made_slowly, 1.0, **asked).status is Status.INCONCLUSIVE


@pytest.mark.parametrize("making", [0.12, 0.5, 2.0])
def test_makings_count_against_the_limit_and_a_run_that_they_end_is_not_said_to_be_repeated(
    seed: int, making: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_sleeping_takes_time(monkeypatch)

    def compiled() -> Any:
        time.sleep(making)
        return napping

    timed = audited(compiled, 1.0, max_seconds=60.0, seed=seed)
    assert timed.stop is Stop.MAX_SECONDS
    assert 50.0 < timed.seconds < 61.0
    assert f"{timed.samples:,} calls fitted into 60 s" in str(timed)


def test_a_first_analysis_is_no_larger_than_memory_allows() -> None:
    for most in (1, 30, 5000):
        assert allocation.interim_size(0, 10**6, most=most, dear=True) <= most
        assert allocation.interim_size(10**4, 10**6, most=most, dear=True) <= most


def test_what_is_quickly_made_is_not_said_to_be_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)
    assert "making a learner" not in str(audited(lambda: napping, 1.0, max_samples=200, max_seconds=600.0))


def test_with_few_calls_the_first_pair_alone_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)
    verdict = audited(napping, 1.0, max_samples=60, pairs=[PAIR] * 7)
    assert (verdict.pairs_tried, verdict.pairs_not_tried) == (1, 6)
    assert verdict.status is Status.INCONCLUSIVE
    (finding,) = [finding for finding in verdict.findings if finding.kind == "too few calls"]
    assert "a privacy loss of 2 in 25% of outputs takes" in finding.detail
    assert verdict.calls_needed > verdict.samples
    assert f"about {verdict.calls_needed:,} calls" in str(verdict)
    assert "dpcheck plan --epsilon 1 --alpha 1e-06 --detect 2 --seconds-per-call" in str(verdict)


def test_a_few_calls_say_nothing_of_the_speed_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first call may import for seconds what the others find there."""
    only_sleeping_takes_time(monkeypatch)
    monkeypatch.setattr(by_calls, "ENOUGH_TIMED", 100)
    verdict = audited(napping, 1.0, max_samples=60, pairs=[PAIR])
    (finding,) = [finding for finding in verdict.findings if finding.kind == "too few calls"]
    assert str(verdict).endswith("dpcheck plan --epsilon 1 --alpha 1e-06 --detect 2")
    assert "at the speed of these" not in finding.detail


def test_less_than_a_second_is_not_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)

    def quick(dataset: Any, rng: Any) -> float:
        time.sleep(1e-5)
        return float(dataset[0]) + float(rng.laplace())

    verdict = audited(quick, 1.0, max_samples=600, pairs=[PAIR])
    (finding,) = [finding for finding in verdict.findings if finding.kind == "too few calls"]
    found = re.search(r"takes ([0-9,]+) calls, (0\.\d+) s at the speed of these$", finding.detail)
    assert found is not None, finding.detail
    assert float(found[2]) == pytest.approx(float(found[1].replace(",", "")) * 1e-5, rel=0.1)


def test_a_further_call_costs_neither_the_import_of_the_learner_nor_the_start_of_its_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    only_sleeping_takes_time(monkeypatch)
    called: list[int] = []

    def importing_first(dataset: Any, rng: Any) -> float:
        if not called:
            time.sleep(30.0)
        called.append(1)
        return napping(dataset, rng)

    # what is done before the first call, as the start of a worker is
    monkeypatch.setattr(
        by_calls, "runner_of", lambda *asked, **options: (time.sleep(5.0), runner_of(*asked, **options))[1]
    )
    verdict = audited(importing_first, 1.0, max_samples=60, max_seconds=600.0)
    assert verdict.samples == len(called) == 60
    assert verdict.seconds == pytest.approx(35.0 + 60 * NAP)
    assert verdict.seconds_per_call == pytest.approx(NAP)
    assert Verdict.from_json(verdict.to_json()) == verdict
    (finding,) = [finding for finding in verdict.findings if finding.kind == "too few calls"]
    needed = int(re.findall("takes ([0-9,]+) calls", finding.detail)[0].replace(",", ""))
    assert finding.detail.endswith(f", {needed * NAP:,.0f} s at the speed of these")
    assert str(verdict).endswith(f"--seconds-per-call {NAP:g}")


def test_a_learner_too_slow_for_a_second_call_is_called_once(monkeypatch: pytest.MonkeyPatch) -> None:
    only_sleeping_takes_time(monkeypatch)
    calls = []

    def slower_than_the_budget(dataset: Any, rng: Any) -> float:
        calls.append(1)
        time.sleep(0.3)
        return float(sum(dataset) + rng.laplace())

    verdict = audited(slower_than_the_budget, 1.0, max_seconds=0.5)
    assert (verdict.status, verdict.samples, verdict.pairs_tried) == (Status.INCONCLUSIVE, 1, 0)
    assert len(calls) == 1


@pytest.mark.turns(4)
def test_a_budget_that_was_enough_is_not_called_too_small() -> None:
    verdict = audited(lambda dataset, rng: sum(dataset) + rng.laplace(), 1.0, max_samples=20_000)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert "too few calls" not in {finding.kind for finding in verdict.findings}
