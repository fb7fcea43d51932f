"""Running learners: in a worker process and in this one, with the same answers."""

from __future__ import annotations

import gc
import os
import random
import re
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import PCG64, Generator, SeedSequence

from dpcheck.execution import Isolation, worker_pool
from dpcheck.execution.answers import Answers, Raised, Request
from dpcheck.execution.calls import KEPT_WARNINGS_PER_CALL, patience
from dpcheck.execution.executor import Executor
from dpcheck.execution.frames import HEADER_BYTES, framed, length_in, read_frame
from dpcheck.execution.handover import compact, masked
from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import as_target, from_sampler

PAIR = (np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0]))
#: Long enough for a call on a machine that is busy with other things, short enough to wait for in a test.
SHORT_TIMEOUT = 0.5


@pytest.fixture(params=["process", "none"])
def isolation(request: pytest.FixtureRequest) -> Isolation:
    return request.param


def asked(count: int = 5, requests: int = 2, bulk: bool = False, seed: int = 0) -> list[Request]:
    return [Request(i % 2, count, SeedSequence(seed, spawn_key=(i,)), bulk) for i in range(requests)]


def run(
    learner: Any,
    requests: list[Request],
    datasets: Any = PAIR,
    *,
    isolation: Isolation = "process",
    jobs: int = 1,
    **rest: Any,
) -> list[Answers]:
    with Executor(jobs, isolation).runner(as_target(learner), datasets, **rest) as runner:
        return runner.run(requests)


def noisy(dataset: Any, rng: Generator) -> float:
    return float(dataset.sum() + rng.laplace())


class Remembering:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, dataset: Any, rng: Generator) -> int:
        self.calls += 1
        return self.calls


def same(left: Answers, right: Answers) -> bool:
    return type(left.values) is type(right.values) and bool(np.array_equal(left.values, right.values))


# --- one request
# ------------------------------------------------------------------------------------------------


def test_answers_are_those_of_one_generator_handed_on(isolation: Isolation) -> None:
    (answers,) = run(noisy, asked(requests=1), isolation=isolation)
    rng = Generator(PCG64(SeedSequence(0, spawn_key=(0,))))
    assert answers.values.tolist() == [noisy(PAIR[0], rng) for _ in range(5)]
    assert answers.count == 5
    assert answers.used_rng
    assert not answers.changed_input
    assert answers.printed == 0
    assert answers.warned == {}
    assert answers.seconds > 0


def test_both_isolations_give_the_same_answers() -> None:
    here, there = (run(noisy, asked(50, 4), isolation=name) for name in ("none", "process"))
    assert all(map(same, here, there))


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_number_of_workers_changes_nothing(jobs: int) -> None:
    def from_everywhere(dataset: Any, rng: Generator) -> tuple[float, ...]:
        order = float(next(iter({"a", "b", "c", "d"})) == "a")
        return (float(rng.random()), float(np.random.random()), random.random(), order)  # noqa: NPY002

    requests = asked(7, 12)
    one = run(from_everywhere, requests, jobs=1)
    many = run(from_everywhere, requests, jobs=jobs)
    assert [a.values for a in one] == [a.values for a in many]


def test_order_of_requests_changes_nothing(isolation: Isolation) -> None:
    requests = asked(7, 6)
    forwards = run(noisy, requests, isolation=isolation)
    backwards = run(noisy, requests[::-1], isolation=isolation)[::-1]
    assert all(map(same, forwards, backwards))


def test_a_seed_repeats_and_another_does_not(isolation: Isolation) -> None:
    with Executor(isolation=isolation).runner(as_target(noisy), PAIR) as runner:
        first, again, other = (runner.run(asked(seed=seed))[0] for seed in (0, 0, 1))
    assert same(first, again)
    assert not same(first, other)


def test_global_generators_are_seeded_per_request_and_put_back() -> None:
    def from_globals(dataset: Any, rng: Any) -> tuple[float, float]:
        return float(np.random.random()), random.random()  # noqa: NPY002

    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    expected = np.random.random(), random.random()  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    answers = run(from_globals, asked(3, 4), isolation="none")
    assert (np.random.random(), random.random()) == expected  # noqa: NPY002
    assert all(not given.used_rng for given in answers)
    drawn = [value for given in answers for value in given.values]
    assert len(set(drawn)) == len(drawn)


def test_spawning_counts_as_using_the_generator_and_spares_the_request(isolation: Isolation) -> None:
    requests = asked(requests=1)
    with Executor(isolation=isolation).runner(
        as_target(lambda dataset, rng: float(rng.spawn(1)[0].random())), PAIR
    ) as runner:
        first, again = (runner.run(requests)[0] for _ in range(2))
    assert first.used_rng
    assert same(first, again)


def test_a_constant_ignores_its_generator(isolation: Isolation) -> None:
    (answers,) = run(lambda dataset, rng: 1, asked(requests=1), isolation=isolation)
    assert not answers.used_rng


def test_each_request_has_a_fresh_learner(isolation: Isolation) -> None:
    for learner in (Remembering, Remembering()):
        assert [a.values.tolist() for a in run(learner, asked(3), isolation=isolation)] == [[1, 2, 3]] * 2


def test_what_cannot_be_copied_is_read_anew_in_a_worker_and_noted_here() -> None:
    calls = []

    def counting(dataset: Any, rng: Any) -> int:
        calls.append(1)
        return len(calls)

    assert [a.values.tolist() for a in run(counting, asked(2))] == [[1, 2], [1, 2]]
    with Executor(isolation="none").runner(as_target(counting), PAIR) as runner:
        assert [a.values.tolist() for a in runner.run(asked(2))] == [[1, 2], [3, 4]]
        assert "share one instance" in " ".join(runner.notes)


def test_every_call_gets_its_own_copy(isolation: Isolation) -> None:
    def spoils(dataset: Any, rng: Any) -> float:
        first = float(dataset[0])
        dataset[0] = 7.0
        return first

    pair = ([0.0, 1.0], [1.0, 1.0])
    answers = run(spoils, asked(6), pair, isolation=isolation)
    assert [a.values.tolist() for a in answers] == [[0.0] * 6, [1.0] * 6]
    assert all(a.changed_input for a in answers)
    assert pair == ([0.0, 1.0], [1.0, 1.0])


@pytest.mark.parametrize("calls", [1, 2, 3, 4, 9])
def test_a_change_in_the_last_call_is_noticed(calls: int, isolation: Isolation) -> None:
    class SpoilsLate:
        def __init__(self) -> None:
            self.calls = 0

        def __call__(self, dataset: Any, rng: Any) -> int:
            self.calls += 1
            if self.calls == calls:
                dataset[0] = 7.0
            return self.calls

    (answers,) = run(SpoilsLate, asked(calls, 1), isolation=isolation)
    assert answers.changed_input
    assert answers.values.tolist() == list(range(1, calls + 1))


@pytest.mark.parametrize(
    "dataset",
    [
        [1, 2],
        (1, "a", None),
        ([[0.5], [0.1]], [0, 1]),
        np.array([{"a": 1}, None], dtype=object),
        Labelled(np.zeros((2, 2)), np.array([0, 1])),
        {"anything": [1, {2}]},
        np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    ],
    ids=lambda dataset: type(dataset).__name__,
)
def test_datasets_of_any_kind_arrive(dataset: Any, isolation: Isolation) -> None:
    (answers,) = run(lambda dataset, rng: type(dataset).__name__, asked(2, 1), [dataset], isolation=isolation)
    assert answers.values == [type(dataset).__name__] * 2
    assert not answers.changed_input


def test_a_dataset_without_equality_is_not_called_changed(isolation: Isolation) -> None:
    class Odd:
        pass

    (answers,) = run(lambda dataset, rng: 1, asked(2, 1), [Odd()], isolation=isolation)
    assert not answers.changed_input


# --- answers
# ----------------------------------------------------------------------------------------------------


def test_exceptions_are_answers(isolation: Isolation) -> None:
    def raises(dataset: Any, rng: Generator) -> float:
        if rng.random() < 0.5:
            raise ValueError(f"row 12 is {rng.random()}")
        return 1.0

    (answers,) = run(raises, asked(60, 1), isolation=isolation)
    assert set(answers.values) == {1.0, Raised("ValueError", "row # is #.#")}


def test_system_exit_is_an_answer(isolation: Isolation) -> None:
    (answers,) = run(lambda dataset, rng: sys.exit(3), asked(2, 1), isolation=isolation)
    assert answers.values == [Raised("SystemExit", "#")] * 2


def test_keyboard_interrupt_goes_through_here() -> None:
    def interrupted(dataset: Any, rng: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(interrupted, asked(), isolation="none")
    (answers,) = run(interrupted, asked(1, 1), isolation="process")
    assert answers.values == [Raised("KeyboardInterrupt", "")]


@pytest.mark.parametrize(
    ("answer", "dtype"),
    [
        (1.5, np.float64), (True, np.bool_), (3, np.int64), (-(2**63), np.int64), (1j, np.complex128),
        (np.float32(1.5), np.float32), (np.int8(3), np.int8), (np.bool_(True), np.bool_),
        (np.float16(0.1), np.float16), (np.uint64(2**63), np.uint64),
    ],
)  # fmt: skip
def test_numbers_of_one_type_become_an_array(answer: Any, dtype: Any, isolation: Isolation) -> None:
    (answers,) = run(lambda dataset, rng: answer, asked(3, 1), isolation=isolation)
    assert isinstance(answers.values, np.ndarray)
    assert answers.values.dtype == dtype
    assert answers.values.tolist() == [answer] * 3


@pytest.mark.parametrize(
    "answer",
    [None, "text", b"bytes", 2**63, 10**5000, (1, 2), [1.0], {"a": 1}, {1, 2}],
    ids=lambda answer: type(answer).__name__,
)
def test_anything_else_stays_a_list(answer: Any, isolation: Isolation) -> None:
    (answers,) = run(lambda dataset, rng: answer, asked(3, 1), isolation=isolation)
    assert answers.values == [answer] * 3
    assert [type(value) for value in answers.values] == [type(answer)] * 3


def test_mixed_types_can_be_told_apart() -> None:
    for values in (
        [1, 1.0],
        [True, 1],
        [1.0, np.float64(1)],
        [np.zeros(2), np.zeros(3)],
        [np.zeros(2), [0.0, 0.0]],
    ):
        assert compact(values) is values
    assert compact([]) == []


def test_arrays_of_one_shape_are_stacked(isolation: Isolation) -> None:
    (answers,) = run(lambda dataset, rng: rng.random((2, 3)), asked(4, 1), isolation=isolation)
    assert isinstance(answers.values, np.ndarray)
    assert answers.values.shape == (4, 2, 3)
    (texts,) = run(lambda dataset, rng: np.array(["a", "b"]), asked(2, 1), isolation=isolation)
    assert isinstance(texts.values, list)


def test_a_buffer_that_is_used_again_is_copied_in_time(isolation: Isolation) -> None:
    class Reusing:
        def __init__(self) -> None:
            self.array, self.list, self.inner = np.zeros(1), [0.0], {"a": np.zeros(1)}

        def __call__(self, dataset: Any, rng: Generator) -> Any:
            self.array[0] = self.list[0] = self.inner["a"][0] = rng.random()
            return (self.array, self.list, self.inner)

    (answers,) = run(Reusing, asked(5, 1), isolation=isolation)
    assert len({float(array[0]) for array, _, _ in answers.values}) == 5
    assert all(array[0] == listed[0] == inner["a"][0] for array, listed, inner in answers.values)


def test_objects_come_back_as_objects(isolation: Isolation) -> None:
    from fractions import Fraction

    (answers,) = run(lambda dataset, rng: [Fraction(1, 3), Path("a")], asked(2, 1), isolation=isolation)
    assert answers.values[0][0] == Fraction(1, 3)
    path = answers.values[1][1]
    assert (path.kind, path.form, path.parts, path.cut) == ("PosixPath", "is", (("", "a"),), False)


def test_functions_come_back_with_what_they_hold(isolation: Isolation) -> None:
    def classifier(dataset: Any, rng: Generator) -> Any:
        threshold = float(rng.random())
        return lambda x: x > threshold

    (answers,) = run(classifier, asked(2, 1), isolation=isolation)
    assert {portrait.kind for portrait in answers.values} == {"function"}
    assert all(portrait.parts[0][0] == "threshold" and 0 < portrait.parts[0][1] < 1 for portrait in answers.values)


def test_what_cannot_be_pickled_is_told_by_what_could_be_read(isolation: Isolation) -> None:
    class Stubborn:
        def __init__(self, number: int) -> None:
            self.number = number

        def __reduce__(self) -> Any:
            raise RuntimeError("no")

    (answers,) = run(lambda dataset, rng: Stubborn(int(rng.integers(2))), asked(30, 1), isolation=isolation)
    assert {value.kind for value in answers.values} == {"Stubborn"}
    assert {value.parts for value in answers.values} == {(("number", 0),), (("number", 1),)}


def test_warnings_are_recorded_per_call(isolation: Isolation) -> None:
    def warning(dataset: Any, rng: Generator) -> int:
        if rng.random() < 0.5:
            warnings.warn("divided by 0", RuntimeWarning, stacklevel=1)
            return 1
        return 0

    (answers,) = run(warning, asked(40, 1), isolation=isolation)
    assert set(answers.warned) == set(np.flatnonzero(answers.values).tolist())
    assert set(answers.warned.values()) == {("RuntimeWarning: divided by #",)}


def test_a_flood_of_warnings_is_cut(isolation: Isolation) -> None:
    def flood(dataset: Any, rng: Any) -> None:
        for _ in range(100):
            warnings.warn("again", UserWarning, stacklevel=1)

    (answers,) = run(flood, asked(1, 1), isolation=isolation)
    assert len(answers.warned[0]) == KEPT_WARNINGS_PER_CALL


def test_printing_is_counted_and_kept_away(isolation: Isolation, capfd: pytest.CaptureFixture[str]) -> None:
    def printing(dataset: Any, rng: Any) -> int:
        print("twelve bytes")
        sys.stderr.write("ä")
        sys.stdout.flush()
        sys.stdout.buffer.write(b"!!")
        return 1

    first, second = run(printing, asked(3), isolation=isolation)
    assert first.printed == second.printed == 3 * (13 + 2 + 2)
    assert capfd.readouterr() == ("", "")


def test_other_threads_may_print_meanwhile(capsys: pytest.CaptureFixture[str]) -> None:
    def waits(dataset: Any, rng: Any) -> int:
        other = threading.Thread(target=print, args=("still here",))
        other.start()
        other.join()
        return 1

    (answers,) = run(waits, asked(1, 1), isolation="none")
    assert answers.printed == 0
    assert capsys.readouterr().out == "still here\n"


# --- bulk
# -------------------------------------------------------------------------------------------------------


def test_sample_is_called_once(isolation: Isolation) -> None:
    sampler = from_sampler(lambda dataset, size, rng: dataset.sum() + rng.laplace(size=size))
    with Executor(isolation=isolation).runner(as_target(sampler), PAIR) as runner:
        assert runner.bulk_available
        first, second = runner.run(asked(1000, 2, bulk=True))
    rng = Generator(PCG64(SeedSequence(0, spawn_key=(0,))))
    assert first.values.tolist() == (1.0 + rng.laplace(size=1000)).tolist()
    assert second.count == 1000


def test_sample_is_looked_for_and_not_required(isolation: Isolation) -> None:
    class OtherSample:
        def __call__(self, dataset: Any, rng: Any) -> int:
            return 0

        def sample(self, count: int) -> list[int]:
            return [0] * count

    class Asked:
        def __call__(self, dataset: Any, rng: Any) -> int:
            return 0

        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(name) if name == "sample" else AttributeError(name)

    for learner in (noisy, OtherSample, Asked):
        with Executor(isolation=isolation).runner(as_target(learner), PAIR) as runner:
            assert not runner.bulk_available


@pytest.mark.parametrize(
    ("outputs", "wanted"),
    [
        (lambda size: [None] * size, [None] * 4),
        (lambda size: tuple("abcd"), ["a", "b", "c", "d"]),
        (lambda size: range(size), [0, 1, 2, 3]),
        (lambda size: np.array(["a"] * size), ["a"] * 4),
        (
            lambda size: np.arange(size * 2.0).reshape(size, 2),
            [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0]],
        ),
    ],
)
def test_samples_of_any_kind(outputs: Any, wanted: Any, isolation: Isolation) -> None:
    learner = from_sampler(lambda dataset, size, rng: outputs(size))
    (answers,) = run(learner, asked(4, 1, bulk=True), isolation=isolation)
    assert list(map(_listed, answers.values)) == wanted


def _listed(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        (lambda size: [0] * (size - 1), "sample must return 4 outputs .*, got 3 in sample"),
        (lambda size: None, "sample must return 4 outputs .*, got NoneType, which has no length"),
        (lambda size: np.float64(1.0), "got ndarray, which has no length"),
        (lambda size: iter([0] * size), "got list_iterator, which has no length"),
    ],
)
def test_a_sample_of_another_length_is_an_error(outputs: Any, message: str, isolation: Isolation) -> None:
    learner = from_sampler(lambda dataset, size, rng: outputs(size))
    with pytest.raises(InvalidArgument, match=message):
        run(learner, asked(4, 1, bulk=True), isolation=isolation)


def test_a_sample_that_raises_is_no_answer(isolation: Isolation) -> None:
    def fails(dataset: Any, size: int, rng: Any) -> Any:
        raise InvalidArgument("size 4 is too much")

    with pytest.raises(LearnerDied, match="sample raised InvalidArgument: size # is too much") as caught:
        run(from_sampler(fails), asked(4, 1, bulk=True), isolation=isolation)
    assert caught.value.args[1] == 0


def test_patience_of_a_bulk_call_grows_and_ends() -> None:
    seed = SeedSequence(0)
    assert [patience(Request(0, n, seed, bulk=True), 2.0) for n in (1, 100, 250, 10**6)] == [
        2.0,
        2.0,
        5.0,
        20.0,
    ]
    assert patience(Request(0, 10**6, seed), 2.0) == 2.0


# --- failing
# ----------------------------------------------------------------------------------------------------


@pytest.mark.turns(4)
def test_a_hang_is_found_and_the_runner_goes_on(isolation: Isolation) -> None:
    def hangs(dataset: Any, rng: Any) -> int:
        while dataset.sum() > 1:
            time.sleep(0.01)
        return 0

    with Executor(isolation=isolation).runner(as_target(hangs), PAIR, call_timeout=SHORT_TIMEOUT) as runner:
        with pytest.raises(LearnerDied, match=r"no sign of life for 0.5 s in call 1 of 5 on dataset 1") as caught:
            runner.run(asked())
        assert caught.value.args[1] == 1
        assert runner.run(asked(requests=1))[0].count == 5


@pytest.mark.turns(4)
def test_slow_calls_are_no_hang(isolation: Isolation) -> None:
    def slow(dataset: Any, rng: Any) -> int:
        time.sleep(SHORT_TIMEOUT / 5)
        return 0

    (answers,) = run(slow, asked(8, 1), isolation=isolation, call_timeout=SHORT_TIMEOUT)
    assert answers.count == 8


@pytest.mark.turns(4)
def test_the_earliest_failure_counts_whatever_the_number_of_workers() -> None:
    def dies(dataset: Any, rng: Any) -> int:
        if dataset > 0:
            time.sleep(0.3 if dataset == 1 else 0)
            os._exit(int(dataset))
        return 0

    for jobs in (1, 3):
        with Executor(jobs, "process").runner(as_target(dies), [0, 1, 2]) as runner:
            requests = [Request(i, 1, SeedSequence(i)) for i in (0, 1, 2, 0)]
            with pytest.raises(LearnerDied, match="exit status 1 in call 1 of 1 on dataset 1"):
                runner.run(requests)
            assert [a.values.tolist() for a in runner.run(requests[:1])] == [[0]]


def test_memory_that_runs_out_is_no_answer(isolation: Isolation) -> None:
    with pytest.raises(
        LearnerDied, match=r"ran out of memory( \(max_memory = .* [GM]iB\))? in call 1 of 5 on dataset 0"
    ):
        run(lambda dataset, rng: np.zeros(1 << 57), asked(), isolation=isolation)


def test_a_learner_that_cannot_be_made_again(isolation: Isolation) -> None:
    class Once:
        made: list[int] = []  # noqa: RUF012

        def __init__(self) -> None:
            self.made.append(1)
            if len(self.made) > 3:
                raise RuntimeError("3 were enough")

        def __call__(self, dataset: Any, rng: Any) -> int:
            return 0

    with pytest.raises(LearnerDied, match=r"could not be made for dataset [01]: RuntimeError: # were enough"):
        run(Once, asked(1, 4), isolation=isolation)


def test_an_alarm_of_somebody_else_is_left_alone() -> None:
    import signal

    before = signal.getsignal(signal.SIGALRM)
    signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        with Executor(isolation="none").runner(as_target(noisy), PAIR) as runner:
            runner.run(asked())
            assert "hangs are not noticed" in " ".join(runner.notes)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 900
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    with Executor(isolation="none").runner(as_target(noisy), PAIR) as runner:
        runner.run(asked())
        assert runner.notes == ()
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_another_thread_has_no_alarm_and_says_so() -> None:
    notes: list[str] = []

    def audit() -> None:
        with Executor(isolation="none").runner(as_target(noisy), PAIR) as runner:
            runner.run(asked())
            notes.extend(runner.notes)

    thread = threading.Thread(target=audit)
    thread.start()
    thread.join()
    assert len(notes) == 1


def test_workers_serve_other_threads() -> None:
    results: list[Answers] = []
    thread = threading.Thread(target=lambda: results.extend(run(noisy, asked())))
    thread.start()
    thread.join()
    assert all(map(same, results, run(noisy, asked())))


# --- isolation
# --------------------------------------------------------------------------------------------------


def test_auto_takes_a_worker_where_it_can() -> None:
    with Executor().runner(as_target(lambda dataset, rng: os.getpid()), PAIR) as runner:
        assert runner.run(asked(1, 1))[0].values[0] != os.getpid()
        assert runner.notes == ()


def test_auto_runs_here_what_cannot_be_sent_and_says_why() -> None:
    lock = threading.Lock()

    def locked(dataset: Any, rng: Any) -> int:
        with lock:
            return os.getpid()

    with Executor().runner(as_target(locked), PAIR) as runner:
        assert runner.run(asked(1, 1))[0].values[0] == os.getpid()
        assert "the learner cannot be pickled: TypeError: cannot pickle '_thread.lock' object" in runner.notes[0]
    with pytest.raises(InvalidArgument, match=r"isolation='process' wants .* cannot be pickled"):
        Executor(isolation="process").runner(as_target(locked), PAIR)
    with pytest.raises(InvalidArgument, match="but a dataset cannot be pickled"):
        Executor(isolation="process").runner(as_target(noisy), [lock])


def test_what_cannot_be_unpacked_there_runs_here() -> None:
    class Homebound:
        def __call__(self, dataset: Any, rng: Any) -> int:
            return os.getpid()

        def __reduce__(self) -> Any:
            return int, ("not at home",)

    with Executor().runner(as_target(Homebound()), PAIR) as runner:
        assert runner.run(asked(1, 1))[0].values[0] == os.getpid()
        assert "cannot be loaded in another process: ValueError" in runner.notes[0]


def test_dying_while_loaded_is_told() -> None:
    class Deadly:
        def __call__(self, dataset: Any, rng: Any) -> int:
            return 0

        def __reduce__(self) -> Any:
            return os._exit, (5,)

    with pytest.raises(LearnerDied, match="exit status 5 while it was loaded") as caught:
        Executor().runner(as_target(Deadly()), PAIR)
    assert caught.value.args[1] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"isolation": "proces"},
            r"isolation must be one of auto, process, container, none, got 'proces' \(did you mean",
        ),
        ({"call_timeout": 0}, "call_timeout must be a positive, finite number of seconds, got 0"),
        ({"call_timeout": float("nan")}, "call_timeout"),
        ({"call_timeout": float("inf")}, "call_timeout"),
        ({"call_timeout": True}, "call_timeout"),
        ({"jobs": 0}, "jobs must be an integer of at least 1, got 0"),
        ({"jobs": 1.5}, "jobs"),
    ],
)
def test_arguments_are_checked(arguments: dict[str, Any], message: str) -> None:
    timeout = {name: arguments[name] for name in arguments if name == "call_timeout"}
    others = {name: arguments[name] for name in arguments if name != "call_timeout"}
    with pytest.raises(InvalidArgument, match=message):
        Executor(**others).runner(as_target(noisy), PAIR, **timeout)


def test_a_closed_runner_says_so() -> None:
    runner = Executor(isolation="process").runner(as_target(noisy), PAIR)
    runner.close()
    runner.close()
    with pytest.raises(InvalidArgument, match="closed"):
        runner.run(asked())


def test_no_requests_no_answers(isolation: Isolation) -> None:
    assert run(noisy, [], isolation=isolation) == []
    (answers,) = run(noisy, asked(0, 1), isolation=isolation)
    assert answers.count == 0
    assert not answers.used_rng


# --- warm workers
# -----------------------------------------------------------------------------------------------


@pytest.fixture
def no_idle_workers() -> Iterator[None]:
    worker_pool._end_idle()
    yield
    worker_pool._end_idle()


def process_of_worker(**arguments: Any) -> int:
    return int(run(lambda dataset, rng: os.getpid(), asked(1, 1), **arguments)[0].values[0])


@pytest.mark.usefixtures("no_idle_workers")
def test_a_warm_worker_serves_again_unless_a_fresh_one_is_wanted() -> None:
    first = process_of_worker()
    assert process_of_worker() == first
    assert process_of_worker(fresh=True) != first
    assert process_of_worker() == first
    assert len(worker_pool._idle) == 1


@pytest.mark.usefixtures("no_idle_workers")
def test_few_workers_wait() -> None:
    run(noisy, asked(1, 8), jobs=4)
    assert len(worker_pool._idle) == worker_pool.MOST_IDLE


@pytest.mark.usefixtures("no_idle_workers")
def test_as_many_workers_as_jobs_wait_in_a_search_and_no_longer() -> None:
    with worker_pool.workers_kept(3):
        run(noisy, asked(1, 8), jobs=4)
        assert len(worker_pool._idle) == 3
        waiting = set(worker_pool._idle)
        run(noisy, asked(1, 8), jobs=3)
        assert set(worker_pool._idle) == waiting
    assert len(worker_pool._idle) == worker_pool.MOST_IDLE
    assert sum(worker.alive for worker in waiting) == worker_pool.MOST_IDLE


@pytest.mark.usefixtures("no_idle_workers")
def test_a_worker_with_threads_or_children_left_is_not_used_again() -> None:
    def leaves_a_thread(dataset: Any, rng: Any) -> int:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
        return os.getpid()

    def leaves_a_child(dataset: Any, rng: Any) -> int:
        return subprocess.Popen(["sleep", "1000"]).pid

    for learner in (leaves_a_thread, leaves_a_child):
        (answers,) = run(learner, asked(1, 1))
        assert worker_pool._idle == []
        assert gone(int(answers.values[0]))


def gone(pid: int) -> bool:
    """Whether a process ends within seconds; a zombie that nobody reaps in a container counts as ended."""
    for _ in range(100):
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.usefixtures("no_idle_workers")
def test_a_worker_that_died_while_it_waited_is_replaced() -> None:
    first = process_of_worker()
    os.kill(first, 9)
    assert process_of_worker() != first


@pytest.mark.usefixtures("no_idle_workers")
def test_an_edited_module_is_imported_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    source = tmp_path / "edited_learner.py"
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    try:
        for number in (1, 2):
            source.write_text(f"def learner(dataset, rng):\n    return {number}\n")
            later = time.time() + number
            os.utime(source, (later, later))
            importlib.invalidate_caches()
            sys.modules.pop("edited_learner", None)
            module = importlib.import_module("edited_learner")
            assert run(module.learner, asked(1, 1))[0].values.tolist() == [number]
    finally:
        sys.modules.pop("edited_learner", None)


@pytest.mark.usefixtures("no_idle_workers")
def test_directory_environment_and_path_are_those_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def place(dataset: Any, rng: Any) -> tuple[str, str | None, str | None, bool]:
        return (
            os.getcwd(),
            os.environ.get("DPCHECK_TEST"),
            os.environ.get("PYTHONPATH"),
            "/nowhere" in sys.path,
        )

    assert run(place, asked(1, 1))[0].values == [(os.getcwd(), None, os.environ.get("PYTHONPATH"), False)]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DPCHECK_TEST", "1")
    monkeypatch.setattr(sys, "path", [*sys.path, "/nowhere"])
    assert run(place, asked(1, 1))[0].values == [(str(tmp_path), "1", os.environ.get("PYTHONPATH"), True)]


@pytest.mark.usefixtures("no_idle_workers")
def test_a_forgotten_runner_ends_its_workers() -> None:
    runner = Executor(isolation="process").runner(as_target(lambda dataset, rng: os.getpid()), PAIR)
    pid = int(runner.run(asked(1, 1))[0].values[0])
    del runner
    gc.collect()
    assert gone(pid)


def test_modules_that_a_worker_cannot_import_are_sent_as_code(tmp_path: Path) -> None:
    import importlib.util

    source = tmp_path / "unfindable_learner.py"
    source.write_text(
        textwrap.dedent(
            """
            SCALE = 2

            class Answer:
                def __init__(self, value):
                    self.value = value

            def learner(dataset, rng):
                return Answer(SCALE)
            """
        )
    )
    spec = importlib.util.spec_from_file_location("unfindable_learner", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["unfindable_learner"] = module
    try:
        spec.loader.exec_module(module)
        (answers,) = run(module.learner, asked(2, 1), isolation="process")
        assert [(value.kind, value.parts) for value in answers.values] == [("Answer", (("value", 2),))] * 2
    finally:
        del sys.modules["unfindable_learner"]


# --- other processes
# --------------------------------------------------------------------------------------------

SCRIPT = """
import os, sys
import numpy as np
from numpy.random import SeedSequence
from dpcheck.execution.executor import Executor
from dpcheck.execution.answers import Request
from dpcheck.model.learner import as_target

print("main runs")

class Model:
    def __init__(self, value):
        self.value = value

class Learner:
    def __call__(self, dataset, rng):
        return Model((SCALE * rng.random(), os.getpid()))

SCALE = 10
runner = Executor(2, "process").runner(as_target(Learner), [np.zeros(2)])
answers = runner.run([Request(0, 3, SeedSequence(i)) for i in range(4)])
models = [value for answer in answers for value in answer.values]
assert all(model.kind == "Model" for model in models)
pids = {dict(model.parts)["value"][1] for model in models}
assert os.getpid() not in pids
print(*pids)
"""


def script(tmp_path: Path, text: str, *flags: str) -> subprocess.CompletedProcess[str]:
    file = tmp_path / "a script with spaces ä.py"
    file.write_text(text)
    return subprocess.run(
        [sys.executable, *flags, str(file)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


@pytest.mark.some(1)
@pytest.mark.parametrize("flags", [(), ("-O",), ("-W", "error")])
def test_a_script_without_main_guard(tmp_path: Path, flags: tuple[str, ...]) -> None:
    done = script(tmp_path, SCRIPT, *flags)
    assert done.stderr == ""
    main, pids = done.stdout.splitlines()
    assert main == "main runs"
    assert all(gone(int(pid)) for pid in pids.split())


def test_workers_end_when_the_audit_is_killed(tmp_path: Path) -> None:
    done = script(tmp_path, SCRIPT + "\nsys.stdout.flush(); os.kill(os.getpid(), 9)\n")
    assert done.returncode == -9
    assert all(gone(int(pid)) for pid in done.stdout.splitlines()[1].split())


@pytest.mark.turns(4)
def test_an_interrupt_ends_the_call_under_way(tmp_path: Path) -> None:
    done = script(
        tmp_path,
        """
import os, signal, sys, threading, time
from numpy.random import SeedSequence
from dpcheck.execution.executor import Executor
from dpcheck.execution.answers import Request
from dpcheck.model.learner import as_target

def slow(dataset, rng):
    time.sleep(dataset)
    return os.getpid()

runner = Executor(isolation="process").runner(as_target(slow), [0, 1000], call_timeout=1000)
print(runner.run([Request(0, 1, SeedSequence(0))])[0].values[0])
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    runner.run([Request(1, 1, SeedSequence(0))])
except KeyboardInterrupt:
    print("interrupted")
print(runner.run([Request(0, 1, SeedSequence(0))])[0].count)
""",
    )
    assert done.stderr == ""
    pid, *rest = done.stdout.split()
    assert rest == ["interrupted", "1"]
    assert gone(int(pid))


@pytest.mark.turns(4)
def test_a_forked_child_has_its_own_workers(tmp_path: Path) -> None:
    done = script(
        tmp_path,
        """
import os, sys
from numpy.random import SeedSequence
from dpcheck.execution.executor import Executor
from dpcheck.execution.answers import Request
from dpcheck.model.learner import as_target

def audit():
    with Executor(isolation="process").runner(as_target(lambda dataset, rng: os.getpid()), [0]) as runner:
        return int(runner.run([Request(0, 1, SeedSequence(0))])[0].values[0])

first = audit()
child = os.fork()
if child == 0:
    sys.exit(0 if audit() != first else 1)
assert os.waitpid(child, 0)[1] == 0
assert audit() == first
print("well")
""",
    )
    assert (done.stdout, done.stderr) == ("well\n", "")


def test_a_worker_imports_little() -> None:
    heavy = (
        "scipy",
        "sklearn",
        "sympy",
        "pandas",
        "matplotlib",
        "statsmodels",
        "hypothesis",
        "pydantic",
        "rich",
    )
    code = (
        "import sys, dpcheck.execution.worker\n"
        f"print([name for name in {heavy!r} + ('subprocess', 'cloudpickle') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"


# --- frames
# -----------------------------------------------------------------------------------------------------


def test_frames() -> None:
    out, into = os.pipe()
    try:
        os.write(into, framed(b"") + framed(b"abc"))
        assert read_frame(out) == b""
        assert read_frame(out) == b"abc"
        os.close(into)
        assert read_frame(out) is None
    finally:
        os.close(out)
    with pytest.raises(ValueError, match="not a frame"):
        length_in(b"x" * HEADER_BYTES)


def test_masked_text_is_short() -> None:
    assert masked("at 0x7f1A, 12.5e-3") == "at #, #.#e-#"
    assert len(masked("a" * 10_000)) < 1000


@pytest.mark.turns(4)
def test_a_worker_hung_in_c_ends_when_the_audit_is_killed(tmp_path: Path) -> None:
    done = script(
        tmp_path,
        """
import ctypes, os, signal, threading
from numpy.random import SeedSequence
from dpcheck.execution.executor import Executor
from dpcheck.execution.answers import Request
from dpcheck.model.learner import as_target

def hangs(dataset, rng):
    if dataset:
        signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        ctypes.PyDLL(None).sleep(100_000)
    return os.getpid()

runner = Executor(isolation="process").runner(as_target(hangs), [0, 1], call_timeout=1000)
print(runner.run([Request(0, 1, SeedSequence(0))])[0].values[0], flush=True)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGKILL)).start()
runner.run([Request(1, 1, SeedSequence(0))])
""",
    )
    assert (done.returncode, done.stderr) == (-9, "")
    assert gone(int(done.stdout))


def test_where_no_worker_starts_learners_run_here(monkeypatch: pytest.MonkeyPatch) -> None:
    for executable, reason in (
        ("/bin/false", "did not start: it ended its process with exit status 1"),
        ("/nowhere/python", "cannot be started: .*No such file"),
    ):
        monkeypatch.setattr(sys, "executable", executable)
        with Executor().runner(as_target(noisy), PAIR, fresh=True) as runner:
            assert runner.run(asked())[0].count == 5
            assert re.search(reason, runner.notes[0])


@pytest.mark.usefixtures("no_idle_workers")
def test_a_worker_that_was_changed_for_good_is_not_used_again() -> None:
    import resource
    import signal

    def limits(dataset: Any, rng: Any) -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.umask(0o777)

    def ignores(dataset: Any, rng: Any) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def closes(dataset: Any, rng: Any) -> None:
        os.close(1)

    for learner in (limits, ignores, closes):
        assert run(learner, asked(1, 1))[0].values == [None]
        assert worker_pool._idle == []


def test_a_worker_that_closes_its_output_is_not_polled_for_ever(isolation: Isolation) -> None:
    def closes(dataset: Any, rng: Any) -> float:
        if isolation == "process":
            os.close(1)
            os.close(2)
        before = time.process_time()
        time.sleep(0.3)
        return time.process_time() - before

    before = time.process_time()
    (answers,) = run(closes, asked(1, 1), isolation=isolation)
    assert answers.count == 1
    # A loop that spins on a closed pipe takes all of the time slept; a quiet one next to nothing.
    assert time.process_time() - before < 0.2


@pytest.mark.usefixtures("no_idle_workers")
def test_fewer_workers_than_jobs_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    with Executor(3, "process").runner(as_target(noisy), PAIR) as runner:
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        answers = runner.run(asked(5, 6))
    assert all(map(same, answers, run(noisy, asked(5, 6), isolation="none")))


@pytest.mark.usefixtures("no_idle_workers")
def test_no_worker_to_go_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(dataset: Any, rng: Any) -> None:
        os._exit(1)

    with Executor(isolation="process").runner(as_target(dies), PAIR) as runner:
        with pytest.raises(LearnerDied, match="exit status 1"):
            runner.run(asked())
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        with pytest.raises(LearnerDied, match="could not be loaded in another worker process"):
            runner.run(asked())


def test_a_class_that_is_defined_again_is_the_new_one(tmp_path: Path) -> None:
    done = script(
        tmp_path,
        """
import time
from numpy.random import SeedSequence
from dpcheck.execution.executor import Executor
from dpcheck.execution.answers import Request
from dpcheck.model.learner import as_target

for number in (1, 2):
    class Model:
        NUMBER = number

    def learner(dataset, rng):
        return Model.NUMBER

    with Executor(isolation="process").runner(as_target(learner), [0]) as runner:
        (answers,) = runner.run([Request(0, 2, SeedSequence(0))])
    assert all(value == number for value in answers.values)
print("well")
""",
    )
    assert (done.stdout, done.stderr) == ("well\n", "")


@pytest.mark.parametrize("given", [None, "3"])
def test_a_library_that_a_worker_loads_late_reads_one_thread(
    given: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As torch does when the learner's module is imported; a user's own number wins."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    if given is not None:
        monkeypatch.setenv("OMP_NUM_THREADS", given)
    with Executor(isolation="process").runner(as_target(threads_read), PAIR, fresh=True) as runner:
        (answers,) = runner.run(asked(1, 1)[:1])
    assert list(answers.values) == [(given or "1", "1")]


def threads_read(dataset: Any, rng: Any) -> tuple[str | None, ...]:
    import os

    return os.environ.get("OMP_NUM_THREADS"), os.environ.get("MKL_NUM_THREADS")
