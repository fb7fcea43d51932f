"""Requests that workers begin with before they are asked for: what comes is the same, and nobody sees what is not."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numpy.random import SeedSequence

from dpcheck import LearnerDied
from dpcheck.execution import worker_pool
from dpcheck.execution.answers import Answers, Request
from dpcheck.execution.executor import Executor
from dpcheck.execution.worker_pool import WorkerRunner
from dpcheck.model.learner import as_target

DATA = [0, 1, 2]


def noisy(dataset: int, rng: Any) -> float:
    time.sleep(0.002)
    return float(dataset + rng.random())


def asked(*seeds: int, dataset: int = 0, count: int = 3) -> list[Request]:
    return [Request(dataset, count, SeedSequence(seed)) for seed in seeds]


def runner_of(learner: Any, jobs: int, call_timeout: float = 10.0) -> WorkerRunner:
    runner = Executor(jobs, "process").runner(as_target(learner), DATA, call_timeout=call_timeout)
    assert isinstance(runner, WorkerRunner)
    return runner


def values(answers: list[Answers]) -> list[Any]:
    return [list(one.values) for one in answers]


@pytest.fixture
def plain() -> Iterator[Any]:
    with runner_of(noisy, 1) as runner:
        yield lambda requests: values(runner.run(requests))


@pytest.mark.parametrize("jobs", [1, 3])
def test_expected_requests_have_the_same_answers(plain: Any, jobs: int) -> None:
    with runner_of(noisy, jobs) as runner:
        runner.expect(asked(2, 3, 4, 5))
        assert values(runner.run(asked(1))) == plain(asked(1))
        assert values(runner.run(asked(5, 2))) == plain(asked(5, 2))
        runner.expect(asked(6))
        assert values(runner.run(asked(3, 6, 7))) == plain(asked(3, 6, 7))
        assert values(runner.run(asked(8, 8))) == plain(asked(8, 8))


def test_what_differs_in_anything_is_not_what_was_expected(plain: Any) -> None:
    with runner_of(noisy, 3) as runner:
        runner.expect([*asked(1), *asked(2, dataset=1), *asked(3, count=2)])
        runner.run(asked(9, count=40))
        wanted = [*asked(1, dataset=1), *asked(2, dataset=0), *asked(3, count=3), *asked(1)]
        assert values(runner.run(wanted)) == plain(wanted)


def test_it_is_begun_before_it_is_asked_for(tmp_path: Path) -> None:
    """Else nothing is gained: the count of calls says that they were made meanwhile."""
    made = tmp_path / "made"

    def counts(dataset: int, rng: Any) -> int:
        with open(made, "ab", buffering=0) as file:
            file.write(b".")
        time.sleep(0.01)
        return dataset

    with runner_of(counts, 2) as runner:
        runner.run(asked(1, 2))  # both workers are there
        before = made.stat().st_size
        runner.expect(asked(4, 5, count=1))
        runner.run(asked(3, count=60))
        assert made.stat().st_size == before + 62
        assert values(runner.run(asked(4, 5, count=1))) == [[0], [0]]
        assert made.stat().st_size == before + 62


def test_a_failure_counts_once_it_is_asked_for() -> None:
    def dies(dataset: int, rng: Any) -> int:
        time.sleep(0.02)
        if dataset == 1:
            os._exit(3)
        return dataset

    with runner_of(dies, 2) as runner:
        runner.run(asked(1, 2, count=1))
        runner.expect(asked(3, dataset=1, count=1))
        assert values(runner.run(asked(4, count=10))) == [[0] * 10]  # it died meanwhile
        assert values(runner.run(asked(5, count=1))) == [[0]]
        with pytest.raises(LearnerDied, match="exit status 3 in call 1 of 1 on dataset 1"):
            runner.run(asked(3, dataset=1, count=1))
        assert values(runner.run(asked(6, 7, count=1))) == [[0], [0]]


def test_other_datasets_end_what_was_expected() -> None:
    def slow(dataset: int, rng: Any) -> int:
        time.sleep(0.05)
        return dataset

    with runner_of(slow, 2) as runner:
        runner.run(asked(1, 2, count=1))
        runner.expect(asked(3, 4, count=30))
        runner.run(asked(5, count=1))
        runner.serve([7, 8, 9])
        assert values(runner.run(asked(3, 4, count=1))) == [[7], [7]]


def test_time_in_which_nobody_looked_is_not_the_learner_s() -> None:
    """It prints more than a pipe holds, so that it waits for whoever reads; then it is asked for."""

    def floods(dataset: int, rng: Any) -> int:
        if dataset == 1:
            sys.stdout.write("x" * 300_000)
            sys.stdout.flush()
        return dataset

    with runner_of(floods, 2, call_timeout=0.5) as runner:
        runner.run(asked(1, 2))
        runner.expect(asked(3, dataset=1, count=1))
        runner.run(asked(4, count=1))
        time.sleep(1.0)  # an analysis that takes its time
        assert values(runner.run(asked(3, dataset=1, count=1))) == [[1]]


def test_answers_are_heard_as_they_come() -> None:
    heard: list[tuple[str, list[Any]]] = []
    with runner_of(noisy, 2) as runner:
        requests = asked(1, 2, 3)
        answers = runner.run(requests, lambda request, answers: heard.append((request.asked, list(answers.values))))
    assert sorted(heard) == sorted(zip([one.asked for one in requests], values(answers), strict=True))


def test_others_go_on_without_a_worker_that_cannot_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left() -> Any:
        raise worker_pool.CannotShip("a worker process cannot be started: no more processes")

    with runner_of(noisy, 4) as runner:
        monkeypatch.setattr(worker_pool, "_take", lambda *given: none_left())
        assert len(runner.run(asked(1, 2, 3))) == 3
        assert runner.notes == ("1 of 4 workers: a worker process cannot be started: no more processes",)


@pytest.mark.parametrize("broken", ["another seed", "another dataset"])
def test_answers_of_another_request_would_be_noticed(plain: Any, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """The comparison above can fail: requests that are told apart too little give each other's answers."""

    def too_little(request: Request) -> str:
        return str(request.dataset if broken == "another seed" else request.seed.entropy)

    monkeypatch.setattr(Request, "asked", property(too_little))
    with runner_of(noisy, 3) as runner:
        runner.expect(asked(2, dataset=1))
        runner.run(asked(9, dataset=2, count=40))
        wanted = asked(1, dataset=1) if broken == "another seed" else asked(2, dataset=0)
        assert values(runner.run(wanted)) != plain(wanted)
