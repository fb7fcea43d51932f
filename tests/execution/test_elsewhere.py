"""Learners in the workers of somebody's executor: the same answers, also where workers are lost, or are not as here."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from killed import without_clock
from numpy.random import SeedSequence

import dpcheck
from dpcheck import InvalidArgument, LearnerDied
from dpcheck.execution import answered_elsewhere, calls_elsewhere, surroundings_there
from dpcheck.execution.answers import Request
from dpcheck.execution.backends import submitting
from dpcheck.execution.executor import Executor
from dpcheck.execution.function_calls import Begun, Call, CallLost, Ended
from dpcheck.execution.surroundings_there import MadeOf
from dpcheck.model.learner import as_target

DATA = [0, 1, 2]


def noisy(dataset: int, rng: Any) -> float:
    return float(dataset + rng.random())


def asked(*seeds: int, dataset: int = 0, count: int = 3) -> list[Request]:
    return [Request(dataset, count, SeedSequence(seed)) for seed in seeds]


class Pool:
    """Threads as an executor; ``lost`` says which submissions (from 1) come to nothing, ``changed`` what is sent."""

    _max_workers = 3

    def __init__(
        self, lost: Callable[[int], bool] = lambda number: False, changed: Callable[[Any], Any] = lambda asked: asked
    ) -> None:
        self.pool, self.count, self.lost, self.changed = ThreadPoolExecutor(3), 0, lost, changed

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        self.count += 1
        if self.lost(self.count):
            future: Future[Any] = Future()
            future.set_exception(ConnectionError("worker 7 is gone"))
            return future
        return self.pool.submit(function, *map(self.changed, arguments))


@contextmanager
def runner_of(learner: Any, executor: Any, call_timeout: float = 10.0) -> Iterator[Any]:
    runner = Executor(elsewhere=executor).runner(as_target(learner), DATA, call_timeout=call_timeout)
    with runner as given:
        yield given


@pytest.fixture(autouse=True)
def nothing_waits() -> Iterator[None]:
    yield
    for _, runner in answered_elsewhere._idle:
        runner.close()
    answered_elsewhere._idle.clear()


def values(answers: Any) -> list[Any]:
    return [list(one.values) for one in answers]


def here(requests: list[Request], learner: Any = noisy) -> list[Any]:
    with Executor(1, "process").runner(as_target(learner), DATA) as runner:
        return values(runner.run(requests))


def test_the_answers_are_those_of_here() -> None:
    with runner_of(noisy, Pool()) as runner:
        runner.expect(asked(3, 4))
        assert values(runner.run(asked(1, 2))) == here(asked(1, 2))
        assert values(runner.run(asked(4, 5, 3))) == here(asked(4, 5, 3))
        runner.serve([7, 8, 9])
        assert values(runner.run(asked(1)))[0][0] == here(asked(1))[0][0] + 7


@pytest.mark.parametrize("every", [2, 3, 5])
def test_a_lost_worker_costs_its_request(every: int) -> None:
    pool = Pool()
    with runner_of(noisy, pool) as runner:
        pool.count, pool.lost = 0, lambda number: number % every == 0
        assert values(runner.run(asked(*range(20)))) == here(asked(*range(20)))
    assert pool.count > 21


def test_a_request_that_ends_all_workers_is_given_up() -> None:
    pool = Pool()
    with runner_of(noisy, pool) as runner:
        pool.count, pool.lost = 0, lambda number: True
        with pytest.raises(LearnerDied, match=r"lost with one request, 6 times: .*is gone"):
            runner.run(asked(1))
    assert pool.count == 6
    with (
        pytest.raises(InvalidArgument, match=r"executor must run calls, and could not: ConnectionError: worker 7"),
        runner_of(noisy, Pool(lambda number: True)),
    ):
        pass


def test_an_answer_that_comes_twice_counts_once() -> None:
    class Twice(Pool):
        def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
            super().submit(function, *arguments)
            return super().submit(function, *arguments)

    with runner_of(noisy, Twice()) as runner:
        assert values(runner.run(asked(1, 2, 3))) == here(asked(1, 2, 3))


def test_a_learner_that_dies_or_hangs_is_named_as_here() -> None:
    def ends(dataset: int, rng: Any) -> int:
        if dataset == 1:
            os._exit(3)
        if dataset == 2:
            time.sleep(60)
        return dataset

    with runner_of(ends, Pool(), call_timeout=0.5) as runner:
        with pytest.raises(LearnerDied, match="exit status 3 in call 1 of 3 on dataset 1"):
            runner.run([*asked(1), *asked(2, dataset=1), *asked(3, dataset=1)])
        with pytest.raises(LearnerDied, match=r"no sign of life for 0.5 s in call 1 of 3 on dataset 2"):
            runner.run(asked(2, dataset=2))
        assert values(runner.run(asked(4))) == [[0, 0, 0]]


def test_workers_with_other_versions_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(asked: Any) -> Any:
        if asked.made_of is None:
            return asked
        wanted = {**asked.made_of.versions, "numpy": "1.0"}
        return replace(asked, made_of=MadeOf(wanted, asked.made_of.modules))

    with (
        pytest.raises(
            InvalidArgument, match=r"^executor must have .* that are here: there numpy is 2[^ ]* and not 1.0$"
        ),
        runner_of(noisy, Pool(changed=other)),
    ):
        pass
    monkeypatch.setattr(answered_elsewhere, "differences", lambda made_of: {})  # a worker that does not look
    with runner_of(noisy, Pool(changed=other)) as runner:
        assert runner.run(asked(1))


def test_a_module_of_the_author_s_that_is_another_there_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part_of_it.py").write_text("SHIFT = 1.0\n")
    (tmp_path / "learner_of_parts.py").write_text(
        "import numpy as np\nimport part_of_it\ndef learner(dataset, rng):\n    return dataset + part_of_it.SHIFT\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import learner_of_parts

    made = surroundings_there.made_of(learner_of_parts.learner)
    assert set(made.modules) == {"learner_of_parts", "part_of_it"}
    assert {"numpy", "python", "dpcheck"} <= set(made.versions)
    assert surroundings_there.differences(made) == {}
    (tmp_path / "part_of_it.py").write_text("SHIFT = 2.0\n")
    assert set(surroundings_there.differences(made)) == {"part_of_it"}


def test_modules_that_are_not_there_are_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on another machine: the folder of the learner is on no import path there."""
    (tmp_path / "here_alone.py").write_text("SHIFT = 10.0\n")
    (tmp_path / "learner_of_here.py").write_text(
        "import here_alone\ndef learner(dataset, rng):\n    return dataset + here_alone.SHIFT\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    import learner_of_here

    def settled(shipment: Any) -> Any:
        path = [entry for entry in sys.path if Path(entry) != tmp_path]
        return replace(shipment, path=path, directory=os.sep)

    monkeypatch.setattr(answered_elsewhere, "_settled_here", settled)
    with runner_of(learner_of_here.learner, Pool()) as runner:
        assert values(runner.run(asked(1, dataset=1))) == [[11.0, 11.0, 11.0]]


@pytest.mark.turns(4)
def test_processes_and_joblib_come_to_the_verdict_of_here(seed: int) -> None:
    import joblib

    def found(**more: Any) -> Any:
        verdict = dpcheck.audit(
            noisy, 1.0, pairs=[(0, 1)], max_samples=150, detect=5.0, seed=seed, name="noisy", **more
        )
        return without_clock(json.loads(verdict.to_json()))

    wanted = found()
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert found(executor=pool) == wanted
        measured = [
            dpcheck.measure(noisy, pairs=[(0, 1)], max_samples=150, seed=seed, executor=executor).epsilon_lower
            for executor in (None, pool)
        ]
        assert measured[0] == measured[1]
    assert found(executor=joblib.Parallel(n_jobs=2)) == wanted


#: In a file of its own: a worker's process imports it.
CALLED = """
import os, time

def square(number):
    if number == 4:
        os._exit(3)
    if number == 5:
        time.sleep(60)
    if number < 0:
        raise ValueError(f"no square of {number}")
    return number**2
"""


@pytest.fixture
def square(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "called_elsewhere.py").write_text(CALLED)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("called_elsewhere").square


def test_calls_run_in_processes_of_their_own_there(square: Any) -> None:
    calls = [Call(square, (number,), limit=2.0) for number in (1, -2, 3, 4, 5)]
    ended = {event.place: event for event in Executor(elsewhere=Pool()).run(calls) if isinstance(event, Ended)}
    assert [ended[place].value for place in (0, 2)] == [1, 9]
    assert str(ended[1].error) == "no square of -2"
    assert "its process died (status 3)" in ended[3].lost
    assert "took longer than 2 s" in ended[4].lost


def test_calls_are_not_made_where_something_is_another(square: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls_elsewhere, "differences", lambda made: {"numpy": (made.versions["numpy"], "1.0")})
    (ended,) = [one for one in Executor(elsewhere=Pool()).run([Call(square, (3,))]) if isinstance(one, Ended)]
    assert str(ended.error).startswith("executor must have workers with the versions that are here: there numpy is 1.0")
    broken = ThreadPoolExecutor(1)
    broken.shutdown()
    with pytest.raises(InvalidArgument, match=r"^executor must take calls, and does not"):
        list(Executor(elsewhere=broken).run([Call(square, (3,))]))


def test_calls_of_a_lost_worker_are_made_again_and_told_once(square: Any) -> None:
    calls = [Call(square, (number,)) for number in (1, 2, 3, 6, 7)]
    pool = Pool(lambda number: number % 3 == 0)
    events = [event for event in Executor(elsewhere=pool).run(calls) if event is not None]
    assert sorted(event.value for event in events if isinstance(event, Ended)) == [1, 4, 9, 36, 49]
    assert sorted(event.place for event in events if isinstance(event, Begun)) == [0, 1, 2, 3, 4]
    (gone,) = [one for one in Executor(elsewhere=Pool(lambda number: True)).run(calls[:1]) if isinstance(one, Ended)]
    assert "its workers were lost 6 times: ConnectionError: worker 7 is gone" in gone.lost
    with pytest.raises(CallLost), Executor(elsewhere=Pool(lambda number: True)).submitted(calls) as value:
        value(0)


def test_what_is_no_executor_is_refused() -> None:
    for wrong in ("dask", "ray:/x", 7, object()):
        with pytest.raises(InvalidArgument, match=r"^executor must be dask://HOST:PORT, .*, got "):
            submitting(wrong)
    with pytest.raises(InvalidArgument, match=r"^isolation must not be none with an executor"):
        dpcheck.audit(noisy, 1.0, pairs=[(0, 1)], executor=Pool(), isolation="none")
    broken = ThreadPoolExecutor(1)
    broken.shutdown()
    with pytest.raises(
        InvalidArgument, match=r"^executor must take calls, and does not: RuntimeError: cannot schedule"
    ):
        dpcheck.audit(noisy, 1.0, pairs=[(0, 1)], executor=broken)


@pytest.mark.parametrize("address", ["spark://there", "dask://127.0.0.1:1"])
def test_a_cluster_that_is_none_is_one_line_at_the_command_line(address: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def learner(dataset, rng):\n    return 0\n")
    command = [sys.executable, "-m", "dpcheck", "audit", "mine.py:learner", "--epsilon", "1", "--bounds", "0,1"]
    ended = subprocess.run([*command, "--backend", address], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert len(ended.stderr.strip().splitlines()) == 1
    assert "--backend" in ended.stderr


@contextmanager
def dask_cluster() -> Iterator[tuple[str, Callable[[], None]]]:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (pip install -e '.[dask]')")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        address = cluster.scheduler_address.removeprefix("tcp://")
        yield f"dask://{address}", lambda: os.kill(next(iter(client.run(os.getpid).values())), 9)


@contextmanager
def ray_cluster() -> Iterator[tuple[str, Callable[[], None]]]:
    ray = pytest.importorskip("ray", reason="Ray is not installed (pip install -e '.[ray]')")
    import psutil

    def kill() -> None:
        names = ("ray::_called", "ray::IDLE")
        found = [
            one for one in psutil.process_iter(["cmdline"]) if str((one.info["cmdline"] or [""])[0]).startswith(names)
        ]
        found[0].kill()

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        yield "ray://auto", kill
    finally:
        ray.shutdown()


def slow(dataset: int, rng: Any) -> float:
    time.sleep(0.01)
    return float(dataset + rng.laplace())


@pytest.mark.extra
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("cluster", [dask_cluster, ray_cluster])
def test_a_real_cluster_that_loses_a_worker_comes_to_the_verdict_of_here(cluster: Any, seed: int) -> None:
    import threading

    def found(**more: Any) -> Any:
        verdict = dpcheck.audit(slow, 1.0, pairs=[(0, 1)], max_samples=600, detect=5.0, seed=seed, name="slow", **more)
        return without_clock(json.loads(verdict.to_json()))

    wanted = found()
    with cluster() as (address, kill):
        assert found(executor=address) == wanted
        threading.Timer(2.0, kill).start()
        assert found(executor=address) == wanted
