"""Every hostile learner, in a worker and, where that can be survived, in this process."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from numpy.random import SeedSequence

from dpcheck.execution import Isolation
from dpcheck.execution.answers import Answers, Raised, Request
from dpcheck.execution.executor import Executor
from dpcheck.model.errors import DpcheckError, InvalidArgument, LearnerDied
from dpcheck.model.learner import as_target
from dpcheck.parts.zoo.hostile import HOSTILE, Hostile, hostile

#: A hang is waited for this long; calls that answer take far less, even on a busy machine.
HANG_SECONDS = 1.0
#: What nobody expects to hang gets time to print a gigabyte.
PATIENT_SECONDS = 60.0
CALLS = 6


def requests(entry: Hostile, calls: int) -> list[Request]:
    return [
        Request(side, calls, SeedSequence(0, spawn_key=(side, chunk)), bulk=entry.in_sample)
        for chunk in range(2)
        for side in range(2)
    ]


def run(entry: Hostile, isolation: Isolation) -> list[Answers]:
    timeout = HANG_SECONDS if entry.name.startswith(("hangs", "stops", "prints_for")) else PATIENT_SECONDS
    target = as_target(entry.factory)
    with Executor(isolation=isolation).runner(target, entry.pair, call_timeout=timeout) as runner:
        return runner.run(requests(entry, CALLS))


def quiet(dataset: Any, rng: Any) -> float:
    return float(rng.random())


def test_names_are_unique_and_say_what_is_wrong() -> None:
    assert len({entry.name for entry in HOSTILE}) == len(HOSTILE)
    assert all(entry.factory.__doc__ for entry in HOSTILE)


SURVIVABLE = [
    pytest.param(entry, isolation, id=f"{entry.name}-{isolation}")
    for entry in HOSTILE
    if entry.name != "prints_a_gigabyte"  # takes seconds, and has a test of its own
    for isolation in ("process", "none")
    if isolation == "process" or not entry.needs_worker
]


@pytest.mark.some(13)
@pytest.mark.parametrize(("entry", "isolation"), SURVIVABLE)
def test_survived(entry: Hostile, isolation: Isolation) -> None:
    before = surroundings()
    if entry.expected == "answers":
        answers = run(entry, isolation)
        assert [given.count for given in answers] == [CALLS] * 4
    else:
        with pytest.raises((LearnerDied, InvalidArgument)) as caught:
            run(entry, isolation)
        assert isinstance(caught.value, DpcheckError)
        assert "\n" not in str(caught.value.args[0])
        if isinstance(caught.value, LearnerDied):
            assert caught.value.args[1] in (0, 1)
    assert surroundings() == before
    # Others go on, and get what they would have got.
    with Executor(isolation=isolation).runner(as_target(quiet), entry.pair) as runner:
        (after,) = runner.run([Request(0, 3, SeedSequence(7))])
    rng = np.random.Generator(np.random.PCG64(SeedSequence(7)))
    assert after.values.tolist() == [quiet(None, rng) for _ in range(3)]
    assert (after.changed_input, after.printed, after.warned, after.used_rng) == (False, 0, {}, True)


def surroundings() -> tuple[Any, ...]:
    return os.getcwd(), dict(os.environ), np.geterr()


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hangs", r"gave no sign of life for 1 s in call 1 of 6 on dataset 0"),
        ("hangs_on_one_neighbour", r"no sign of life for 1 s in call 1 of 6 on dataset 1"),
        ("hangs_in_c", r"no sign of life"),
        ("hangs_with_sigterm_ignored", r"no sign of life"),
        ("leaves_without_a_word", r"ended its process with exit status 3 in call 1 of 6 on dataset 0"),
        ("leaves_as_if_all_were_well", r"ended its process with exit status 0"),
        ("segfaults", r"was ended by SIGSEGV in call 1"),
        ("aborts", r"was ended by SIGABRT .*; it had printed 'free\(\): invalid pointer'"),
        ("kills_itself", r"was ended by SIGKILL \(out of memory\?\)"),
        ("dies_on_one_neighbour", r"exit status 3 in call 1 of 6 on dataset 1"),
        ("dies_and_leaves_a_child", r"ended its process with exit status 3"),
        ("eats_memory", r"ran out of memory"),
        ("writes_into_every_pipe", r"wrote into dpcheck's own pipe"),
        ("RaisesInSample", r"sample raised ValueError: cannot draw #"),
        ("SamplesTooFew", r"sample must return 6 outputs .*, got 5 "),
        ("SamplesNothing", r"sample must return 6 outputs .*, got generator, which has no length"),
    ],
)
def test_the_cause_is_told(name: str, message: str) -> None:
    with pytest.raises((LearnerDied, InvalidArgument), match=message):
        run(hostile(name), "process")


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_answers_are_what_was_answered(isolation: Isolation) -> None:
    def values(name: str) -> Any:
        return run(hostile(name), isolation)[0].values

    assert values("raises_always") == [Raised("ValueError", "row # is bad")] * CALLS
    assert values("exits") == [Raised("SystemExit", "done here")] * CALLS
    assert {value.kind for value in values("recurses_forever")} == {"RecursionError"}
    assert {value.kind for value in values("answers_a_generator")} == {"generator"}
    assert {value.parts[0][1] for value in values("answers_unpleasant_objects")} <= {0.0, 1.0}
    assert {value.kind for value in values("answers_unreadable_objects")} == {"RaisesWhenRead"}
    assert {value.kind for value in values("answers_explosive_objects")} == {"Explosive"}
    assert "could not be read" in values("raises_what_cannot_be_read")[0].message
    assert values("answers_huge_arrays").shape == (CALLS, 1 << 17)
    assert set(map(type, values("answers_huge_numbers"))) == {int}
    assert len(np.unique(values("ReusesItsBuffer"))) == 3 * CALLS
    assert values("CountsItsCalls").tolist() == list(range(1, CALLS + 1))
    assert values("mutates_its_dataset").tolist() == [0.0] * CALLS
    assert [given.values.dtype.kind for given in run(hostile("answers_in_the_type_of_the_data"), isolation)] == [
        *"fifi"
    ]


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_what_was_noticed(isolation: Isolation) -> None:
    def noticed(name: str) -> Answers:
        return run(hostile(name), isolation)[1]

    assert noticed("mutates_its_dataset").changed_input
    assert noticed("prints_much").printed == CALLS << 20
    assert noticed("warns").warned == dict.fromkeys(range(CALLS), ("RuntimeWarning: the sum is #.#",))
    assert not noticed("ignores_rng").used_rng
    assert not noticed("has_its_own_seed").used_rng
    assert noticed("spawns_its_generators").used_rng


@pytest.mark.parametrize("isolation", ["process", "none"])
@pytest.mark.parametrize("name", ["ignores_rng", "draws_from_random"])
def test_global_generators_do_not_repeat_across_requests(name: str, isolation: Isolation) -> None:
    answers = run(hostile(name), isolation)
    drawn = np.concatenate([given.values for given in answers])
    assert len(np.unique(drawn)) == len(drawn)
    assert [given.values.tolist() for given in run(hostile(name), isolation)] == [
        given.values.tolist() for given in answers
    ]


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_surroundings_are_put_back_after_each_request(isolation: Isolation) -> None:
    for given in run(hostile("changes_its_surroundings"), isolation):
        first = given.values[0]
        assert first == (os.getcwd() == os.sep, None, False, False, False)


def test_a_gigabyte_is_counted() -> None:
    entry = hostile("prints_a_gigabyte")
    with Executor(isolation="process").runner(as_target(entry.factory), entry.pair) as runner:
        (answers,) = runner.run(requests(entry, 1)[:1])
    assert answers.printed == 1 << 30


@pytest.mark.parametrize("name", ["opens_all_files", "patches_numpy"])
def test_what_a_learner_keeps_or_replaces_is_not_the_next_ones(name: str) -> None:
    """Its worker process is not used again; in a used one the next learner could open no file, or draw nothing."""
    with suppress(LearnerDied):
        run(hostile(name), "process")

    def next_one(dataset: Any, rng: Any) -> float:
        with open(os.devnull) as file:
            return float(np.random.default_rng().random()) + len(file.read())

    with Executor(isolation="process").runner(as_target(next_one), hostile(name).pair) as runner:
        (answers,) = runner.run([Request(0, 3, SeedSequence(7))])
    assert len(np.unique(answers.values)) == 3
