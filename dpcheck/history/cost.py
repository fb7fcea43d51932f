"""What a call costs: CPU time in ratio to a fixed computation, run in turns with it in the same process.

A busy machine slows both down alike, which seconds would not forgive. Only ratios of one machine are compared.
"""

from __future__ import annotations

import contextlib
import os
import platform
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.random import SeedSequence

from dpcheck.execution import Isolation
from dpcheck.execution.answers import Request
from dpcheck.execution.executor import Executor
from dpcheck.history.baseline import Cost
from dpcheck.history.subject import Subject, settled_form, target_of
from dpcheck.model.data import copy_dataset
from dpcheck.model.learner import Target

#: Blocks that are counted: with 24 of each, complete separation has a p-value of 3e-14.
BLOCKS = 24
#: Fewer could not reach a level of 1e-6: of 12 and 12, complete separation has a p-value of 4e-7.
LEAST_BLOCKS = 12
#: CPU seconds of the learner in a block, and of the fixed computation before and after it: far above a clock's grain.
BLOCK_SECONDS = 0.006
#: Calls of a block at most: copies of the dataset are made beforehand, and must fit into memory.
MOST_CALLS = 512
#: Seconds for all blocks.
MOST_SECONDS = 30.0
#: A block may take as long as a call may, and then some: it holds many.
PATIENCE = 6.0
#: How much dearer a call must be to be named: medians within a fifth of each other are what machines do by themselves.
MARGIN = 1.25
#: First word of the keys of the stream.
COST_KEY = 4_200_001


@cache
def machine() -> str:
    """What identifies this machine for cost: its processor and what runs Python on it; no name, no address."""
    return f"{platform.system()} {platform.machine()}, {_processor()}, {os.cpu_count()} CPUs, {_python()}"


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or "unknown processor"


def _python() -> str:
    major, minor, _ = platform.python_version_tuple()
    return f"{platform.python_implementation()} {major}.{minor}, numpy {np.__version__}"


@dataclass(frozen=True)
class _MakesBlocks:
    """A factory of :class:`_Blocks`."""

    target: Target

    def __call__(self) -> _Blocks:
        return _Blocks(self.target.make())


class _Blocks:
    """A learner whose answer is the ratio of what a call of another costs to what the fixed computation costs."""

    def __init__(self, learner: Any) -> None:
        self.learner = learner
        self.calls = 1
        self.repeats = 1
        self.warm = False

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """One block: the fixed computation, the learner, the fixed computation."""
        if not self.warm:  # how many of each make a block, after the first ones have loaded what they load
            self._cpu_of_calls(dataset, rng, 1)
            once = self._cpu_of_calls(dataset, rng, 2) / 2
            if once < BLOCK_SECONDS / 8:
                once = self._cpu_of_calls(dataset, rng, 8) / 8
            self.calls = int(min(MOST_CALLS, max(1.0, BLOCK_SECONDS / max(once, 1e-9))))
            fixed = _cpu_of_reference(8) / 8
            self.repeats = int(max(1.0, 0.5 * BLOCK_SECONDS / max(fixed, 1e-9)))
            self.warm = True
        before = _cpu_of_reference(self.repeats)
        learned = self._cpu_of_calls(dataset, rng, self.calls)
        after = _cpu_of_reference(self.repeats)
        return (learned / self.calls) / max((before + after) / (2 * self.repeats), 1e-9)

    def _cpu_of_calls(self, dataset: Any, rng: np.random.Generator, calls: int) -> float:
        copies = [copy_dataset(dataset) for _ in range(calls)]
        learner = self.learner
        started = time.process_time()
        for copy in copies:
            with contextlib.suppress(Exception):  # an exception is an answer, and costs what it costs
                learner(copy, rng)
        return time.process_time() - started


def _cpu_of_reference(repeats: int) -> float:
    started = time.process_time()
    for _ in range(repeats):
        reference_computation()
    return time.process_time() - started


def reference_computation() -> float:
    """The fixed computation: a little of what learners do, in the interpreter and in numpy. Never change it.

    >>> reference_computation() == reference_computation()
    True
    """
    total = 0.0
    for number in range(60):
        total += number * number % 7
    values = np.arange(64, dtype=np.float64)
    values = np.sort(values * 1.5 - total) + 1.0
    return float(values @ values + total)


def measure_cost(subject: Subject, dataset: Any, seed: int, *, fresh: bool = False) -> Cost:
    """The cost of a call on a dataset.

    Raises
    ------
    LearnerDied
        When the learner hangs or dies.
    """
    form = settled_form(subject)
    runner = Executor(1, cast(Isolation, subject.isolation)).runner(
        Target(_MakesBlocks(target_of(subject)), True, subject.name),
        [dataset if form is None else form.of(dataset)],
        call_timeout=PATIENCE * subject.call_timeout,
        fresh=fresh,
    )
    try:
        began = time.monotonic()
        # one learner serves all blocks; the first two show how long one takes
        answers = runner.run([Request(0, 2, SeedSequence(seed, spawn_key=(COST_KEY, 0)))])[0].values
        each = (time.monotonic() - began) / 2
        blocks = int(min(BLOCKS, max(1.0, MOST_SECONDS / max(each, 1e-9))))
        answers = runner.run([Request(0, blocks + 1, SeedSequence(seed, spawn_key=(COST_KEY, 1)))])[0].values
    finally:
        runner.close()
    ratios = [float(value) for value in list(answers)[1:] if isinstance(value, float | np.floating) and value > 0]
    return Cost(machine(), tuple(float(f"{ratio:.4g}") for ratio in ratios))
