"""Copies that a stranger's code forks do what they were forked for, and end where they would come back to dpcheck."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpcheck
import dpcheck.execution.returning_copies  # (for what its import does)
from dpcheck.execution.shipment import shipped
from dpcheck.model.learner import as_target

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

US = os.getpid()


class ForksWhenAsked:
    """Each attribute that it lacks forks; what goes on leaves its mark."""

    def __init__(self, marks: Path) -> None:
        self.marks = marks

    def __getattr__(self, name: str) -> Any:
        mark(self.marks, "asked")
        fork_and_return()
        mark(self.marks, "inside")
        raise AttributeError(name)

    def __call__(self, dataset: list[int], rng: Any) -> float:
        return float(sum(dataset) + rng.laplace())


class AsksInAPool:
    """Its signature is found by a copy of the process, as multiprocessing makes them."""

    def __init__(self) -> None:
        self.answers: list[Any] = []

    @property
    def __signature__(self) -> Any:
        with multiprocessing.get_context("fork").Pool(1) as pool:
            self.answers.append((pool.apply(len, ["ab"]), pool.apply(has_tracer)))
        raise AttributeError("__signature__")

    def __call__(self, dataset: list[int], rng: Any) -> float:
        return float(sum(dataset) + rng.laplace())


def has_tracer() -> bool:
    return sys.gettrace() is not None


def mark(marks: Path, words: str) -> None:
    (marks / f"{words}-{os.getpid()}-{time.monotonic_ns()}").touch()
    if os.getpid() != US and len(list(marks.iterdir())) > 300:  # for the machine's sake
        os.kill(os.getpid(), 9)


def fork_and_return() -> None:
    os.fork()


@dataclass
class ForksWhenPacked:
    """One of many parts of a learner, each of which forks while it is packed."""

    marks: Path

    def __reduce__(self) -> tuple[Any, ...]:
        mark(self.marks, "asked")
        fork_and_return()
        return float, (1.0,)


@dataclass
class ForksWhenDropped:
    marks: Path

    def __del__(self) -> None:
        mark(self.marks, "dropped")
        fork_and_return()


@pytest.fixture(params=[False, True], ids=["", "traced"])
def traced(request: pytest.FixtureRequest) -> Iterator[None]:
    """As under coverage or a debugger, which would leave the copies alone."""
    before = sys.gettrace()
    if request.param:
        sys.settrace(lambda frame, event, argument: None)
    yield
    sys.settrace(before)


def leave_if_copy(marks: Path) -> None:
    """A copy that came back to the test is told of, and ended."""
    if os.getpid() != US:
        mark(marks, "back")
        os._exit(1)


@pytest.mark.usefixtures("traced")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_copy_ends_where_it_comes_back_and_not_before(tmp_path: Path) -> None:
    as_target(ForksWhenAsked(tmp_path))

    leave_if_copy(tmp_path)
    asked = len(list(tmp_path.glob(f"asked-{US}-*")))
    deadline = time.monotonic() + 60.0
    while len(list(tmp_path.glob("inside-*"))) < 2 * asked and time.monotonic() < deadline:
        time.sleep(0.01)
    # Each copy came back from its helper, did what follows there, and asked nothing again.
    assert asked > 1
    assert len(list(tmp_path.glob("asked-*"))) == asked
    assert len(list(tmp_path.glob("inside-*"))) == 2 * asked


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_copy_does_not_go_on_in_a_library_between(tmp_path: Path) -> None:
    parts = 6

    packed = shipped(None, [[ForksWhenPacked(tmp_path) for _ in range(parts)]])

    leave_if_copy(tmp_path)
    assert pickle.loads(packed.datasets) == ([1.0] * parts,)
    time.sleep(0.5)  # for copies that should not be there
    assert len(list(tmp_path.glob("asked-*"))) == parts


@pytest.mark.turns(4)
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_copy_made_while_an_input_is_dropped_does_not_go_on_with_the_run(tmp_path: Path) -> None:
    calls = 60

    def keeps(dataset: list[Any], rng: np.random.Generator) -> float:
        dataset.append(ForksWhenDropped(tmp_path))
        return float(rng.laplace())

    dpcheck.audit(keeps, 1.0, pairs=[([0.0], [1.0])], max_samples=calls, max_seconds=60.0, isolation="none")

    leave_if_copy(tmp_path)
    assert len(list(tmp_path.glob("dropped-*"))) == calls
    assert not list(tmp_path.glob("back-*"))


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_copy_that_answers_is_left_alone_and_as_fast_as_elsewhere() -> None:
    asked = AsksInAPool()

    assert as_target(asked) is not None
    assert set(asked.answers) == {(2, has_tracer())}
