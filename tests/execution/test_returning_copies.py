"""Copies that a stranger's code forks do what they were forked for, and end where they would come back to dpcheck."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import dpcheck.execution.returning_copies  # noqa: F401 (for what its import does)
from dpcheck.model.learner import as_target

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


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


class CountsInAPool:
    """Its signature is found by a copy of the process, as multiprocessing makes them."""

    @property
    def __signature__(self) -> Any:
        with multiprocessing.get_context("fork").Pool(1) as pool:
            (length,) = pool.map(len, ["ab"])
        if length != 2:
            raise RuntimeError("the copy did not answer")
        raise AttributeError("__signature__")

    def __call__(self, dataset: list[int], rng: Any) -> float:
        return float(sum(dataset) + rng.laplace())


def mark(marks: Path, words: str) -> None:
    (marks / f"{words}-{os.getpid()}-{time.monotonic_ns()}").touch()
    if len(list(marks.iterdir())) > 300:  # for the machine's sake
        os.kill(os.getpid(), 9)


def fork_and_return() -> None:
    os.fork()


@pytest.mark.skipif(sys.gettrace() is not None, reason="a traced process keeps its tracer")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_copy_ends_where_it_comes_back_and_not_before(tmp_path: Path) -> None:
    us = os.getpid()

    as_target(ForksWhenAsked(tmp_path))

    assert os.getpid() == us
    asked = len(list(tmp_path.glob(f"asked-{us}-*")))
    deadline = time.monotonic() + 60.0
    while len(list(tmp_path.glob("inside-*"))) < 2 * asked and time.monotonic() < deadline:
        time.sleep(0.01)
    # Each copy came back from its helper, did what follows there, and asked nothing again.
    assert asked > 1
    assert len(list(tmp_path.glob("asked-*"))) == asked
    assert len(list(tmp_path.glob("inside-*"))) == 2 * asked


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_copy_that_answers_is_left_alone() -> None:
    assert as_target(CountsInAPool()) is not None
