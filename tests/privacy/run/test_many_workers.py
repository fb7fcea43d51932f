"""Slow learners on several workers: requests that hold few calls, begun before they are asked for, change nothing."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from killed import without_clock

import dpcheck
from dpcheck import Status, Verdict
from dpcheck.execution.answers import Request
from dpcheck.execution.supervisor import Worker
from dpcheck.execution.worker_pool import WorkerRunner
from dpcheck.privacy.run import certification
from dpcheck.privacy.run.caller import Caller
from dpcheck.privacy.run.request_sizes import LEAST_OF_TWO, graded, least_calls, mean_cost, request_sizes

PAUSE = 0.006
PAIRS = [([0], [1]), ([1], [2]), ([0, 0], [0, 1])]


class Slow:
    """A sum with noise of the right size, or a tenth of it, that takes its time."""

    def __init__(self, part: float = 1.0) -> None:
        self.part = part

    def __call__(self, dataset: Sequence[float], rng: Any) -> float:
        time.sleep(PAUSE)
        return float(sum(dataset) + self.part * rng.laplace())


class Quick(Slow):
    """The same, at once."""

    def __call__(self, dataset: Sequence[float], rng: Any) -> float:
        return float(sum(dataset) + self.part * rng.laplace())


class SlowSum:
    """The sum as it is, after a while."""

    def __call__(self, dataset: Sequence[float], rng: Any) -> float:
        time.sleep(2 * PAUSE)
        return float(sum(dataset))


class QuickSum:
    """The same, at once."""

    def __call__(self, dataset: Sequence[float], rng: Any) -> float:
        return float(sum(dataset))


class KeepsAShift(Slow):
    """Its first call draws what all its answers are shifted by."""

    shift: float | None = None

    def __call__(self, dataset: Sequence[float], rng: Any) -> float:
        if self.shift is None:
            self.shift = float(rng.normal(0, 20.0))
        return super().__call__(dataset, rng) + self.shift


def seen(verdict: Verdict) -> Any:
    return without_clock(json.loads(verdict.to_json()))


def audited(learner: Any, jobs: int, seed: int, pairs: Any = PAIRS, calls: int = 260, **settings: Any) -> Verdict:
    given = {"max_samples": calls, "max_seconds": 600.0, "isolation": "process", "name": "slow", "detect": 4.0}
    return dpcheck.audit(learner, 1.0, pairs=pairs, seed=seed, jobs=jobs, **{**given, **settings})


@pytest.mark.turns(4)
@pytest.mark.parametrize("pairs", [PAIRS[:1], PAIRS])
def test_one_seed_gives_one_verdict_whatever_the_number_of_workers(seed: int, pairs: Any) -> None:
    one = audited(Slow(), 1, seed, pairs)
    assert seen(one) == seen(audited(Slow(), 3, seed, pairs))
    assert seen(one) != seen(audited(Slow(), 3, seed + 1, pairs))
    assert any("a learner that is made serves 4 of them" in finding.detail for finding in one.findings)


@pytest.mark.turns(4)
def test_a_search_comes_to_the_same_pairs(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    begun: list[Request] = []
    expect = WorkerRunner.expect

    def expected(self: WorkerRunner, requests: Sequence[Request]) -> None:
        begun.extend(requests)
        expect(self, requests)

    def searched(jobs: int) -> Any:
        return seen(
            dpcheck.audit(
                Slow(),
                1.0,
                neighbours=dpcheck.ReplaceOne(records=(0, 1)),
                max_samples=1_500,
                max_seconds=600.0,
                isolation="process",
                seed=seed,
                jobs=jobs,
                name="slow",
            )
        )

    one = searched(1)
    assert not begun
    monkeypatch.setattr(WorkerRunner, "expect", expected)
    assert searched(3) == one
    assert len(begun) > 20


@pytest.mark.turns(4)
def test_a_leak_is_found_with_the_same_calls(seed: int) -> None:
    one, several = (audited(Slow(0.1), jobs, seed, PAIRS[:1], 2_000) for jobs in (1, 3))
    assert one.status is several.status is Status.VIOLATED
    assert seen(one) == seen(several)


@pytest.mark.turns(4)
def test_a_measurement_is_the_same_too(seed: int) -> None:
    def measured(jobs: int) -> Any:
        found = dpcheck.measure(Slow(), pairs=PAIRS[:1], max_samples=300, seed=seed, jobs=jobs, isolation="process")
        return without_clock(json.loads(found.to_json()))

    assert measured(1) == measured(3)


def test_state_between_few_calls_is_still_seen(seed: int) -> None:
    found = audited(KeepsAShift(), 2, seed, PAIRS[:1], 1_200)
    assert found.status is Status.LEARNER_FAILED, found
    assert "fresh" in found.failure


@pytest.mark.turns(4)
@pytest.mark.parametrize(("pairs", "part"), [(PAIRS[:1], 0.95), (PAIRS, 0.5)])
def test_what_comes_next_is_foreseen(monkeypatch: pytest.MonkeyPatch, seed: int, pairs: Any, part: float) -> None:
    """Of the requests that are foreseen so many are asked for: on one pair all but those after the end."""
    foreseen: set[str] = set()
    wanted: set[str] = set()
    expect, run = WorkerRunner.expect, WorkerRunner.run

    def expected(self: WorkerRunner, requests: Sequence[Request]) -> None:
        foreseen.update(request.asked for request in requests)
        expect(self, requests)

    def ran(self: WorkerRunner, requests: list[Request], heard: Any = None) -> Any:
        wanted.update(request.asked for request in requests)
        return run(self, requests, heard)

    monkeypatch.setattr(WorkerRunner, "expect", expected)
    monkeypatch.setattr(WorkerRunner, "run", ran)
    audited(Slow(), 2, seed, pairs, 400)
    assert len(foreseen & wanted) >= part * len(foreseen) > 20
    foreseen.clear()
    audited(Slow(), 1, seed, pairs, 100)
    assert not foreseen  # nothing is gained with one worker


@pytest.mark.turns(4)
@pytest.mark.parametrize("pairs", [PAIRS[:1], PAIRS])
def test_nothing_is_run_twice(monkeypatch: pytest.MonkeyPatch, seed: int, pairs: Any) -> None:
    """What was begun before it is asked for is not forgotten when it is."""
    sent: list[str] = []
    send = Worker.send

    def counted(self: Worker, kind: str, content: Any, patience: float) -> None:
        if kind == "run":
            sent.append(content.asked)
        send(self, kind, content, patience)

    monkeypatch.setattr(Worker, "send", counted)
    learn = certification.learn

    def slowly(*given: Any) -> Any:
        time.sleep(0.05)  # so that what was begun is done when the next is asked for
        return learn(*given)

    monkeypatch.setattr(certification, "learn", slowly)
    audited(Slow(), 6, seed, pairs, 400)
    assert len(sent) > 40
    assert len(sent) == len(set(sent))


def test_a_wrong_guess_changes_nothing(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """The pairs foreseen are never those that are tried."""
    right = audited(Slow(), 1, seed)
    coming = certification._coming

    def wrong(run: Any, caller: Any, chosen: Any, sides: Any, *given: Any, **more: Any) -> Any:
        return [
            (sides[0], calls + 1, (*key, 7)) for _, calls, key in coming(run, caller, chosen, sides, *given, **more)
        ]

    monkeypatch.setattr(certification, "_coming", wrong)
    assert seen(audited(Slow(), 3, seed)) == seen(right)


def test_time_is_planned_by_the_clock_of_all_workers() -> None:
    """Of four workers calls of 10 ms take 2.5 ms of the clock; one worker's are never faster than what they cost."""
    run = object.__new__(certification.Run)
    run.per_call, run.pace = 0.01, math.inf
    assert run.clock_per_call == 0.01
    run.pace = 0.0025
    assert run.clock_per_call == 0.0025
    run.pace = 0.02
    assert run.clock_per_call == 0.01


def test_sizes_follow_from_costs_and_counts() -> None:
    costs = (0.0, 0.00029, 0.0003, 0.00124, 0.00125, 0.0049, 0.005, 10.0)
    assert [least_calls(seconds) for seconds in costs] == [500, 500, 64, 64, 16, 16, 4, 4]
    assert [graded(seconds) for seconds in (0.0, 0.003, 0.0031, 0.012)] == [0.003, 0.003, 0.012, 0.012]
    for least in (4, 16, 64, 500):
        for count in (*range(2_500), 9_999, 20_000, 123_457):
            sizes = request_sizes(count, least=least)
            assert sum(sizes) == count
            assert all(size > 0 for size in sizes)
            assert sorted(sizes, reverse=True) == sizes
            assert count < LEAST_OF_TWO or sizes[-1] <= max(least, -(-count // 2))
            assert len(sizes) >= min(2, count // LEAST_OF_TWO)
            assert max(sizes, default=0) <= 500
    assert len(request_sizes(1_000, least=4)) > 32 > len(request_sizes(1_000))


@given(st.floats(1e-7, 100.0), st.floats(0.0, 1e4))
def test_making_a_learner_takes_no_longer_than_the_calls_that_it_serves(seconds: float, making: float) -> None:
    least = least_calls(seconds, making)
    assert least_calls(seconds) <= least <= 500
    assert making <= least * seconds * (1.0 + 1e-9) or least == 500
    if least > least_calls(seconds):  # and no more calls than that takes, to the step
        assert making > least * seconds / 4.0 * (1.0 - 1e-9)
    assert mean_cost(seconds, making) * least <= (seconds * least + making) * (1.0 + 1e-9)


@pytest.mark.parametrize("more", [{"max_seconds": math.inf}, {"isolation": "none"}])
def test_without_a_clock_or_a_worker_nothing_depends_on_what_a_call_costs(
    monkeypatch: pytest.MonkeyPatch, seed: int, more: dict[str, Any]
) -> None:
    """A slow learner's requests are then those of a quick one; else they are others, so that this can fail."""
    asked = partial(all_asked, monkeypatch, seed=seed)
    assert asked(Slow(), **more) == asked(Quick(), **more)
    assert asked(Slow()) != asked(Quick())


def test_without_a_clock_a_learner_is_asked_as_often_whether_its_runs_are_fresh(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Outputs that are all alike are asked for again and again, of dear learners less often; else this can fail."""
    asked = partial(all_asked, monkeypatch, seed=seed, calls=2_000)
    assert asked(SlowSum(), max_seconds=math.inf) == asked(QuickSum(), max_seconds=math.inf)
    assert asked(SlowSum(), isolation="none") != asked(QuickSum(), isolation="none")


def all_asked(monkeypatch: pytest.MonkeyPatch, learner: Any, *, seed: int, calls: int = 300, **given: Any) -> list[str]:
    """All requests of an audit."""
    made: list[str] = []
    answers = Caller.answers

    def told(self: Caller, requests: list[Request]) -> Any:
        made.extend(request.asked for request in requests)
        return answers(self, requests)

    with monkeypatch.context() as patched:
        patched.setattr(Caller, "answers", told)
        audited(learner, 1, seed, PAIRS[:1], calls, **given)
    return made
