"""What a verdict tells to do next: a command that runs, and that does what is said of it."""

from __future__ import annotations

import dataclasses
import json
import math
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import dpcheck
from dpcheck import measure
from dpcheck.cli.app import app
from dpcheck.model.claims import ApproxDP, ZeroConcentratedDP, claim_point
from dpcheck.model.verdict import Finding, Status, Stop, Verdict
from dpcheck.model.verdict.next_steps import (
    FLAGS,
    TWO_VALUES,
    command_line,
    next_steps,
    next_steps_of_measurement,
    two_digits,
)
from tests.handmade import WITNESS, verdict

LEARNERS = """
import os
import time
from fractions import Fraction


def half(dataset, rng):
    return sum(dataset) + rng.laplace(scale=0.5)


def right(dataset, rng):
    return sum(dataset) + rng.laplace(scale=1.0)


def moments(dataset, rng):
    noise = rng.laplace(scale=2.0)
    return [sum(dataset) + noise, sum(x * x for x in dataset) + noise]


def slow_at_first(dataset, rng):
    time.sleep(0.12)
    return sum(dataset) + rng.laplace(scale=0.1)


class Bit:
    def __call__(self, dataset, rng):
        truth = int(dataset[0])
        return truth if rng.random() < 0.75 else 1 - truth

    def distribution(self, dataset):
        truth = int(dataset[0])
        return {truth: Fraction(3, 4), 1 - truth: Fraction(1, 4)}
"""


HARMED = """
import time
from fractions import Fraction

import numpy as np


def leaves_the_time(dataset, rng):
    return [sum(dataset) + rng.laplace(scale=9.0), time.monotonic()]


def replaces(dataset, rng):
    np.sort = lambda given: given
    return rng.laplace()


class Lies:
    def __call__(self, dataset, rng):
        return int(rng.random() < 0.5)

    def distribution(self, dataset):
        return {0: Fraction(1, 8), 1: Fraction(7, 8)}
"""
#: Audits that end in every way, with the status that their next command may end with.
ENDS = {
    "violated, bits": ["mine.py:half", "--numerics", "exact", "--max-samples", "3000"],
    "nothing found": ["mine.py:right", "--max-samples", "3000", "--detect", "1.9"],
    "inconclusive": ["mine.py:right", "--max-samples", "100"],
    "the time": ["harmed.py:leaves_the_time", "--max-samples", "1000"],
    "replaced": ["harmed.py:replaces", "--max-samples", "200"],
    "a law that lies": ["harmed.py:Lies", "--max-samples", "3000"],
}


@pytest.mark.some(1)
@pytest.mark.parametrize("end", ENDS)
def test_every_verdict_ends_with_a_command_that_runs_as_printed(end: str, tmp_path: Path) -> None:
    (tmp_path / "harmed.py").write_text(HARMED, encoding="utf-8")
    asked = ["--epsilon", "1", "--records", "0,1", "--size", "1..2", "--quiet"]
    found = run(tmp_path, shlex.join(["dpcheck", "audit", *ENDS[end], *asked]))
    steps = [line for line in found.stdout.splitlines() if line.startswith("Next: ")]
    commands = [f"dpcheck {line.rpartition('dpcheck ')[2]}" for line in steps if "dpcheck " in line]
    assert commands, found.stdout + found.stderr
    assert steps[-1].endswith(commands[-1]), steps
    # no command is only printed: each is understood, and none ends in an error of use or of dpcheck's own
    for command in commands:
        again = run(tmp_path, f"{command}{'' if command.startswith('dpcheck plan') else ' --max-seconds 2'}")
        assert again.returncode in (0, 1, 3, 4), (command, again.stderr)


def run(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run a line as it is printed, in a folder with the learners."""
    program, *arguments = shlex.split(command)
    assert program == "dpcheck"
    (folder / "mine.py").write_text(LEARNERS, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "dpcheck", *arguments], capture_output=True, text=True, cwd=folder, check=False
    )


def steps_of(printed: str) -> list[str]:
    return [line.removeprefix("Next: ") for line in printed.splitlines() if line.startswith("Next: ")]


def commands_of(printed: str) -> list[str]:
    return ["dpcheck " + step.partition("dpcheck ")[2] for step in steps_of(printed) if "dpcheck " in step]


# --- through the door: every line that is printed runs, and does what it says


@pytest.mark.turns(6)
def test_after_a_violation_the_loss_is_measured_and_the_verdict_can_be_expected(tmp_path: Path) -> None:
    first = run(tmp_path, "dpcheck audit mine.py:half --epsilon 1 --records 0,1 --size 1 --seed 5 --json a.json")
    assert first.returncode == 1, first.stdout + first.stderr
    kept = (tmp_path / "a.json").read_bytes()
    measured, expected = (run(tmp_path, command) for command in commands_of(first.stdout))
    assert measured.returncode == 0, measured.stderr
    assert "Answer: with confidence 95% more than " in measured.stdout
    assert expected.returncode == 0, expected.stderr
    assert "1 violated" in expected.stdout
    assert (tmp_path / "a.json").read_bytes() == kept  # a next step writes over no result


@pytest.mark.turns(6)
def test_after_too_few_calls_the_number_that_is_told_decides(tmp_path: Path) -> None:
    first = run(tmp_path, "dpcheck audit mine.py:right --epsilon 1 --records 0,1 --size 1 --max-samples 300")
    assert first.returncode == 3, first.stdout + first.stderr
    decided, planned = (run(tmp_path, command) for command in commands_of(first.stdout))
    assert decided.returncode == 0, decided.stdout + decided.stderr
    assert planned.returncode == 0, planned.stderr
    assert "Plan for a claim of 1-DP" in planned.stdout


@pytest.mark.turns(12)
def test_after_no_violation_a_smaller_loss_is_looked_for(tmp_path: Path) -> None:
    first = run(tmp_path, "dpcheck audit mine.py:right --epsilon 1 --records 0,1 --size 1 --max-samples 20000")
    assert first.returncode == 0, first.stdout + first.stderr
    # whether the low bits of these few outputs tell is chance: where they do, they are what is looked at first
    *doubles, smaller, planned = (run(tmp_path, command) for command in commands_of(first.stdout))
    assert len(doubles) == ("Finding (floating point)" in first.stdout)
    assert smaller.returncode == 0, smaller.stdout + smaller.stderr
    assert planned.returncode == 0, planned.stderr


@pytest.mark.turns(12)
def test_where_only_whole_numbers_were_tried_those_between_come_next(tmp_path: Path) -> None:
    """One draw of noise for both moments: their difference is bare, and is 0 on whole records alone."""
    first = run(
        tmp_path, "dpcheck audit mine.py:moments --epsilon 1 --bounds 0,1 --size 1 --alpha 0.01 --max-samples 8000"
    )
    assert first.returncode == 0, first.stdout + first.stderr
    between = next(command for command in commands_of(first.stdout) if command.endswith("--bounds 0.0,1.0"))
    found = run(tmp_path, between)
    assert found.returncode == 1, found.stdout + found.stderr
    assert not any(step.startswith("where records lie between") for step in steps_of(found.stdout))


@pytest.mark.turns(12)
def test_after_a_hang_calls_get_more_time(tmp_path: Path) -> None:
    asked = "--epsilon 1 --records 0,1 --size 1 --max-samples 60 --allow-inconclusive"
    first = run(tmp_path, f"dpcheck audit mine.py:slow_at_first {asked} --call-timeout 0.1")
    assert first.returncode == 4, first.stdout + first.stderr
    (command,) = commands_of(first.stdout)
    assert command.endswith("--call-timeout 1")
    again = run(tmp_path, command)
    assert "LEARNER FAILED" not in again.stdout


@pytest.mark.turns(6)
def test_after_an_exact_answer_the_claim_that_holds_and_all_pairs_are_told(tmp_path: Path) -> None:
    first = run(tmp_path, "dpcheck audit mine.py:Bit --epsilon 1 --records 0,1 --size 1")
    assert first.returncode == 1, first.stdout + first.stderr
    holds = run(tmp_path, commands_of(first.stdout)[0])
    assert holds.returncode == 0, holds.stdout + holds.stderr
    every = run(tmp_path, commands_of(holds.stdout)[0])
    assert every.returncode == 0, every.stdout + every.stderr
    larger = run(tmp_path, commands_of(every.stdout)[0])
    assert larger.returncode == 0, larger.stdout + larger.stderr
    assert "datasets of 2 records" in larger.stdout


@pytest.mark.turns(6)
def test_a_plan_ends_with_the_audit_it_is_for(tmp_path: Path) -> None:
    planned = run(tmp_path, "dpcheck plan mine.py:right --epsilon 1 --records 0,1 --detect 2 --coverage 0.25")
    assert planned.returncode == 0, planned.stderr
    (command,) = commands_of(planned.stdout)
    audited = run(tmp_path, f"{command} --size 1")
    assert audited.returncode == 0, audited.stdout + audited.stderr


# --- the words alone


def test_every_option_that_stands_alone_is_known() -> None:
    """A flag taken for an option with a value would swallow the next word; the lists are those of the commands."""
    group = get_command(app)
    alone, two = set(), set()
    for name in ("audit", "measure", "plan"):
        for option in group.commands[name].params:  # type: ignore[attr-defined]
            spelled = {text for text in (*option.opts, *option.secondary_opts) if text.startswith("--")}
            if option.param_type_name == "option":
                alone |= spelled if option.is_flag else set()
                two |= spelled if option.nargs == 2 else set()
                assert option.nargs <= 2
    assert alone - {"--help"} == FLAGS
    assert two == TWO_VALUES


def test_a_command_line_is_read_as_the_program_reads_it() -> None:
    line = "dpcheck audit a.py:b --renyi 4 2 --exhaustive c.py:d --seed=3 --option depth=2"
    read = command_line(tuple(shlex.split(line)))
    assert read is not None
    assert read.targets == ("a.py:b", "c.py:d")
    assert read.options == (
        ("--renyi", "4", "2"),
        ("--exhaustive",),
        ("--seed", "3"),
        ("--option", "depth=2"),
    )
    assert read.changed("c.py:d", {"--seed": "4"}) == (
        "dpcheck audit c.py:d --renyi 4 2 --exhaustive --option depth=2 --seed 4"
    )


@pytest.mark.parametrize("argv", [(), ("dpcheck",), ("pytest", "audit"), ("dpcheck", "zoo", "--audit")])
def test_another_program_s_arguments_are_no_command_line(argv: tuple[str, ...]) -> None:
    assert command_line(argv) is None


@pytest.mark.parametrize("status", list(Status))
def test_every_verdict_says_what_to_do_next_in_python_too(status: Status) -> None:
    for stop in (verdict(status).stop, Stop.INTERRUPTED):
        steps = next_steps(verdict(status, stop=stop, detectable_epsilon=math.inf, calls_needed=4100))
        assert steps or status is Status.NO_VIOLATION_FOUND
        assert all("\n" not in step for step in steps)


def test_where_the_bits_of_the_outputs_tell_the_doubles_are_audited_first() -> None:
    told = Finding("floating point", "a leak was seen in the last bits of the numbers")
    steps = next_steps(verdict(Status.NO_VIOLATION_FOUND, findings=(told,)))
    assert steps[0].startswith("to hold the claim to the doubles that come out")
    assert steps[0].endswith("call it again with numerics='exact'")
    unread = Finding("not looked at", "single bits of doubles: one tells")
    steps = next_steps(verdict(Status.INCONCLUSIVE, findings=(unread,)))
    assert steps == (
        "to hold the claim to the doubles that come out, to their last bit: call it again with numerics='exact'",
    )


def test_numbers_between_whole_bounds_are_told_in_python_too() -> None:
    looked = dpcheck.audit(
        lambda dataset, rng: 0, 1.0, neighbours=dpcheck.ReplaceOne(records=(-2, 5), size=1), max_samples=900
    )
    steps = next_steps(dataclasses.replace(verdict(Status.NO_VIOLATION_FOUND), looked=looked.looked))
    assert "where records lie between -2.0 and 5.0 too: call it again with records=(-2.0, 5.0) in neighbours=" in steps


def test_rows_that_are_written_as_tuples_are_not_told_as_the_data_of_a_measurement() -> None:
    """(X, y), tables and data frames are all written as rows: a learner of these raises when it is handed the text."""
    plain = dataclasses.replace(WITNESS, left="[0, 1]", right="[1, 1]")
    rows = dataclasses.replace(WITNESS, left="[((0, 0), 0), ((1, 1), 0)]", right="[((0, 0), 0), ((1, 1), 1)]")
    assert "measure(learner, pairs=[([0, 1], [1, 1])])" in next_steps(verdict(Status.VIOLATED, witness=plain))[0]
    told = next_steps(verdict(Status.VIOLATED, witness=rows))[0]
    assert told.endswith("dpcheck.measure(learner, ...) with the pairs, dataset, neighbours and form of this call")


def test_sides_that_are_only_described_are_not_told_as_the_data_of_a_measurement() -> None:
    many = dataclasses.replace(WITNESS, left="12 records, the first ((0.2), 1.4)", right="12 records, the first (0, 1)")
    told = next_steps(verdict(Status.VIOLATED, witness=many))[0]
    assert told.endswith("dpcheck.measure(learner, ...) with the pairs, dataset, neighbours and form of this call")


@pytest.mark.parametrize("command", ["survey", "demo"])
def test_what_is_no_target_of_its_own_is_told_as_options(command: str) -> None:
    """A survey's subject cannot be named to dpcheck audit: its options can, for an audit of one's own."""
    found = dpcheck.audit(
        lambda dataset, rng: 0, 1.0, neighbours=dpcheck.ReplaceOne(records=(0, 1), size=1), max_samples=900
    )
    assert found.record is not None
    asked = dataclasses.replace(found, record=dataclasses.replace(found.record, argv=("dpcheck", command)))
    told = "\n".join(next_steps(asked))
    assert "dpcheck audit TARGET ... --max-samples" in told
    assert "call it again" not in told
    learner = dataclasses.replace(asked, target="learner:alon2019.cover")
    assert "dpcheck audit learner:alon2019.cover --max-samples" in "\n".join(next_steps(learner))


def test_only_a_finite_loss_is_one_to_claim_more_for() -> None:
    assert "fix the learner, or claim a larger epsilon; then run it again" in next_steps(verdict(Status.VIOLATED))
    certain = dataclasses.replace(WITNESS, counts=dataclasses.replace(WITNESS.counts, wrong=0))
    assert "fix the learner; then run it again" in next_steps(verdict(Status.VIOLATED, witness=certain))


def test_calls_that_would_take_days_are_not_what_to_do_next() -> None:
    slow = verdict(
        Status.INCONCLUSIVE, detectable_epsilon=math.inf, samples=1000, seconds_per_call=10.0, calls_needed=1_000_000
    )
    step = next_steps(slow)[0]
    assert "(116 days at the speed of these)" in step
    assert "less data" in step
    assert step.endswith("call it again with detect=4")


def test_where_delta_allows_whatever_shows_no_more_seconds_are_asked_for() -> None:
    """More time never decides such a claim: it was told to run ten times as long."""
    allowed = verdict(
        Status.INCONCLUSIVE,
        claim=ApproxDP(0.1, 0.5),
        detectable_epsilon=math.inf,
        detectable_coverage=0.25,
        calls_needed=0,
    )
    (step,) = next_steps(allowed)
    assert step.startswith("a delta of 0.5 lets a learner reveal all in 50% of outputs")
    assert "max_seconds" not in step


def test_a_limit_of_seconds_allows_for_the_audits_own_work() -> None:
    """Calls of 10 microseconds, and 0.1 s of work on each output; of few calls nearly all of it is the start."""
    known = {"detectable_epsilon": math.inf, "calls_needed": 10_000, "seconds_per_call": 1e-5}
    step = next_steps(verdict(Status.INCONCLUSIVE, samples=1000, seconds=100.0, **known))[0]
    assert "about 10,000 calls (0.1 s)" in step
    assert step.endswith("call it again with max_samples=10000, max_seconds=2000")
    step = next_steps(verdict(Status.INCONCLUSIVE, samples=999, seconds=100.0, **known))[0]
    assert step.endswith("call it again with max_samples=10000")


def test_a_claim_of_a_curve_is_told_in_its_own_unit() -> None:
    claim = ZeroConcentratedDP(2.0)
    epsilon, _ = claim_point(claim)
    few = verdict(
        Status.INCONCLUSIVE, claim=claim, detectable_epsilon=math.inf, detect=2 * epsilon, calls_needed=62_000
    )
    assert next_steps(few)[0].startswith("to reach a loss of rho = 4.55, about 62,000 calls")


def test_two_digits_are_never_below_the_number() -> None:
    for number in (1, 9, 10, 99, 100, 101, 1234, 99_001, 1e9 + 1):
        assert number <= two_digits(number) <= 1.1 * number + 1


@pytest.mark.turns(6)
def test_a_record_that_is_read_again_tells_the_same(tmp_path: Path) -> None:
    """The steps come from the record alone: a report made of it elsewhere says what the run said."""
    line = "dpcheck audit mine.py:right --epsilon 1 --records 0,1 --size 1 --max-samples 300 --json a.json --quiet"
    printed = run(tmp_path, line).stdout
    document = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    again = Verdict.from_json(json.dumps(document["records"][0]))
    assert [f"Next: {step}" for step in next_steps(again)] == [
        line for line in printed.splitlines() if line.startswith("Next: ")
    ]


class HasABrokenSample:
    def __call__(self, dataset: list[int], rng: Any) -> float:
        return float(sum(dataset) + rng.laplace())

    def sample(self, dataset: list[int], count: int, rng: Any) -> Any:
        raise ValueError("no draws today")


def test_after_a_failed_measurement_more_calls_are_not_what_is_told() -> None:
    found = measure(HasABrokenSample(), pairs=[([0], [1])], max_samples=200_000, isolation="none")
    assert found.failure
    assert next_steps_of_measurement(found) == ("fix sample or calls, or leave its sample out; then measure it again",)


FAILURES = {
    "It raises ValueError('needs fresh samples of a distribution') on every dataset tried, the first being [0].": (
        "give data that it takes, or fix the error; then measure it again"
    ),
    "It returns an iterator, which is used up by reading it (type map), on every dataset tried: return what it gives, "
    "as list(...).": "make it return what that gives; then measure it again",
    "It raises ValueError('n_samples=1, max_samples=3, distribution') on dataset 0. The dataset was [0].": (
        "call it by hand on the dataset above (with less data if memory ran out), fix it; then measure it again"
    ),
    "the learner gave no sign of life for 2.5 s on dataset 0.": (
        "if it is only slow, give it smaller data (sizes can be declared: --size 1..8; in Python size=range(1, 9) of "
        "the relation) or more time: measure it again with call_timeout=25"
    ),
    "It raises ValueError('no sign of life for 5.. s') on every dataset tried, the first being [0].": (
        "give data that it takes, or fix the error; then measure it again"
    ),
    "Its sample does not follow the law of its calls (evidence 9e9).": (
        "fix sample or calls, or leave its sample out; then measure it again"
    ),
    "it keeps state between calls, so that its runs are not fresh.": (
        "draw all noise anew in each call, from the rng it is given, and keep nothing (what is random and public, as a "
        "hash is, needs a seed that is fixed); then measure it again"
    ),
}


@pytest.mark.turns(6)
@pytest.mark.parametrize("failure", FAILURES)
def test_what_is_to_be_mended_follows_from_what_dpcheck_says_not_from_the_words_of_the_learner(failure: str) -> None:
    found = measure(lambda dataset, rng: 0.0, pairs=[([0], [1])], max_samples=100, isolation="none")
    assert next_steps_of_measurement(dataclasses.replace(found, failure=failure)) == (FAILURES[failure],)
