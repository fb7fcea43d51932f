"""Learners that take their time, on more and more workers: how much of the ideal speed is had?

A learner that sleeps so long a call, and uses no processor, is audited with the same seed on one number of workers
after the other; each time the verdict must be the same, bit by bit, but for what the clock says. The ideal is the
seconds of all calls by the number of workers. What it costs once to begin (a process, its imports, the first calls,
which are made one after the other) is part of the time; an audit of few calls is mostly that. One learner computes
instead of sleeping, on as many workers as there are processors.

    python benchmarks/many_workers.py
    python benchmarks/many_workers.py --seed 7 --calls 4000 --seconds 0.01 --most 8
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from bench import settings, show, write_json
from killed import without_clock

import dpcheck

#: Numbers of workers.
WORKERS = (1, 2, 4, 8, 16, 32)


class Sleeps:
    """A sum with noise, after so many seconds of sleep."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, dataset: Sequence[float], rng: Any) -> float:
        time.sleep(self.seconds)
        return float(sum(dataset) + rng.laplace())


class Computes(Sleeps):
    """The same, after so many seconds of work."""

    def __call__(self, dataset: Sequence[float], rng: Any) -> float:
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            np.linalg.eigvalsh(np.eye(20))
        return float(sum(dataset) + rng.laplace())


@dataclass(frozen=True)
class Line:
    """One audit: its workers, its calls, its seconds and the part of the ideal speed that it had."""

    learner: str
    jobs: int
    calls: int
    seconds: float
    ideal: float
    part: float
    same: bool


def audited(learner: Sleeps, calls: int, seed: int, **where: Any) -> tuple[Any, int, float]:
    """The verdict without what the clock says, the calls, and the seconds of the clock."""
    began = time.monotonic()
    given = {"max_samples": calls, "max_seconds": 1e6, "detect": 1.05, "seed": seed, "name": "learner", **where}
    verdict = dpcheck.audit(learner, 1.0, pairs=[([0], [1])], **given)
    return without_clock(json.loads(verdict.to_json())), verdict.samples, time.monotonic() - began


def lines(calls: int, seconds: float, least: int, most: int, seed: int) -> list[Line]:
    """One audit after the other; each on its own, since the time is what is measured."""
    found: list[Line] = []
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    for learner, numbers in ((Sleeps(seconds), WORKERS), (Computes(seconds), [n for n in WORKERS if n <= cores])):
        first: Any = None
        alone = 0.0
        for jobs in [number for number in numbers if least <= number <= most]:
            verdict, made, took = audited(learner, calls, seed, jobs=jobs, isolation="process")
            first = verdict if first is None else first
            alone = alone or (made * seconds if type(learner) is Sleeps else took)
            ideal = alone / jobs
            name = type(learner).__name__.lower()
            found.append(Line(name, jobs, made, took, ideal, ideal / took, verdict == first))
            print(f"{name} on {jobs}: {took:.1f} s, {ideal / took:.0%} of the ideal", flush=True)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit on each number of workers, print the table, and say whether all verdicts were the same."""
    began = time.monotonic()
    asked = settings(
        __doc__ or "",
        arguments,
        numbers={
            "calls": (20_000, "calls of each audit"),
            "seconds": (0.05, "seconds of a call"),
            "least": (1, "workers at least"),
            "most": (32, "workers at most"),
        },
    )
    numbers = asked.numbers
    found = lines(
        200 if asked.quick else int(numbers["calls"]),
        numbers["seconds"],
        int(numbers["least"]),
        int(numbers["most"]),
        asked.seed,
    )
    rows = [
        (one.learner, f"{one.jobs}", f"{one.calls:,}", f"{one.seconds:.1f}", f"{one.ideal:.1f}", f"{one.part:.0%}",
         "yes" if one.same else "NO")
        for one in found
    ]  # fmt: skip
    show("Workers", ("learner", "workers", "calls", "seconds", "ideal", "part of ideal", "same verdict"), rows)
    same = all(one.same for one in found)
    write_json(asked, began, same, {"lines": [asdict(one) for one in found]})
    return 0 if same else 1


if __name__ == "__main__":
    raise SystemExit(main())
