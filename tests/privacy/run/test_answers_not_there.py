"""Iterators and coroutines are no answers: a learner that gives nothing else is told what to return, at once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import dpcheck
from dpcheck import ReplaceOne, Status
from dpcheck.privacy.run.agreement_phase import DATASETS_TRIED, OPENING_CALLS, REPEATED_CALLS

RELATION = ReplaceOne(records=(0.0, 1.0))
#: Calls that show that nothing comes of a learner.
FIRST_CALLS = 1 + 2 * OPENING_CALLS + REPEATED_CALLS + DATASETS_TRIED


def one_by_one(dataset: list[float], rng: Any) -> Any:
    for record in dataset:
        yield record + rng.laplace()


async def later(dataset: list[float], rng: Any) -> Any:
    return sum(dataset) + rng.laplace()


async def one_by_one_later(dataset: list[float], rng: Any) -> Any:
    for record in dataset:
        yield record + rng.laplace()


def mapped(dataset: list[float], rng: Any) -> Any:
    return map(str, dataset)


def paired(dataset: list[float], rng: Any) -> Any:
    return zip(dataset, rng.laplace(size=len(dataset)), strict=True)


def an_iterator(dataset: list[float], rng: Any) -> Any:
    return iter([sum(dataset) + rng.laplace()])


LIST, RUN = "return what it gives, as list(...).", "return what it comes to, as asyncio.run(...)."
FILLED = "return what it gives, as a list that is filled by async for."


@pytest.mark.parametrize("isolation", ["none", "process"])
@pytest.mark.parametrize(
    ("learner", "advice"),
    [(one_by_one, LIST), (one_by_one_later, FILLED), (mapped, LIST), (paired, LIST), (an_iterator, LIST), (later, RUN)],
)
@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited")
def test_what_is_not_there_yet_is_no_answer(
    learner: Callable[..., Any], advice: str, isolation: Any, seed: int
) -> None:
    found = dpcheck.audit(learner, 1.0, neighbours=RELATION, isolation=isolation, seed=seed)
    assert found.status is Status.LEARNER_FAILED
    assert found.failure.endswith(advice), found.failure
    assert sum(phase.calls for phase in found.phases) <= FIRST_CALLS


def test_a_measurement_says_so_too(seed: int) -> None:
    found = dpcheck.measure(mapped, pairs=[([0.0], [1.0])], seed=seed)
    assert LIST in str(found)
    assert sum(phase.calls for phase in found.phases) <= FIRST_CALLS


def test_an_iterator_on_some_datasets_is_an_event_like_others(seed: int) -> None:
    """Whether it comes tells the two sides apart."""

    def of_ones(dataset: list[float], rng: Any) -> Any:
        return iter(dataset) if sum(dataset) == 0 else rng.laplace()

    found = dpcheck.audit(of_ones, 1.0, pairs=[([0.0], [1.0])], seed=seed, max_samples=20_000)
    assert found.status is Status.VIOLATED


@pytest.mark.parametrize("otherwise", [map, None])
def test_two_kinds_of_no_answer_tell_the_sides_apart(otherwise: Any, seed: int) -> None:
    def either(dataset: list[float], rng: Any) -> Any:
        if sum(dataset) == 0:
            if otherwise is None:
                raise ValueError("nothing there")
            return otherwise(str, dataset)
        return iter(dataset)

    found = dpcheck.audit(either, 1.0, pairs=[([0.0], [1.0])], seed=seed, max_samples=3_000)
    assert found.status is Status.VIOLATED, str(found)


def test_an_iterator_beside_a_record_hides_nothing(seed: int) -> None:
    def beside(dataset: list[float], rng: Any) -> Any:
        return iter([rng.laplace()]) if rng.random() < 0.5 else dataset[0]

    found = dpcheck.audit(beside, 1.0, pairs=[([0.0], [1.0])], seed=seed, max_samples=20_000)
    assert found.status is Status.VIOLATED


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "async def learner(dataset, rng):\n    return sum(dataset) + rng.laplace()\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "dpcheck", "audit", "mine.py:learner", "--epsilon", "1", "--bounds", "0,1"]
    run = subprocess.run([*command, "--seed", "1"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert run.returncode == 4, run.stdout + run.stderr
    said = " ".join(run.stdout.split())
    assert RUN in said
    assert "Next: make it return what that gives; then dpcheck audit mine.py:learner" in said
