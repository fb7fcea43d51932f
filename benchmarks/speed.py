"""How many calls until a plain mistake is refuted, and what does the harness itself cost?

Calls: Laplace noise of half the scale (true epsilon 2, claim 1), pair given, a plain callable: the median over fresh
seeds of all calls of the verdict, opening calls included. At most 320 at alpha 0.05, at most 900 at 1e-6.

Processor time: 200,000 outputs judged, scalar (Laplace) and discrete (randomised response), by `measure` in at most
0.2 s and by `audit` (at the boundary, so that nothing ends it early) in at most 1 s of the harness's own time. The
learner draws in bulk (`from_sampler`), and its own time is taken by the processor's clock around each draw and
subtracted; what remains is the process's. Everything is imported and run once before. A plain callable is shown beside
it: one output per call, so that the loop around 200,000 Python calls counts as the harness's, and is not judged.

`import dpcheck` is timed in fresh processes, and shown.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

# One thread: the time of two threads of linear algebra would be counted twice. Before numpy is imported.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
from bench import child_seed, settings, show, spread, write_json  # noqa: E402
from boundary import LEFT, RIGHT, LaplaceLearner, ResponseLearner  # noqa: E402
from numpy.random import Generator  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

import dpcheck  # noqa: E402

#: The most calls (median) that a half-scale Laplace may take, by alpha.
MOST_CALLS = {0.05: 320, 1e-6: 900}
RUNS, QUICK_RUNS = 221, 11
#: Runs in one task of a worker.
CHUNK = 20
#: Outputs judged, and the most seconds of the harness's own processor time.
OUTPUTS = 200_000
MOST_SECONDS = {"measure": 0.2, "audit": 1.0}
REPEATS = 5
ALPHA = 0.05
#: The calls of the run before the measured ones: it imports and allocates what a run needs.
WARM_CALLS = 20_000
TRUTH_KEPT = 1.0 / (1.0 + math.exp(-1.0))
IMPORT = "import time; t = time.perf_counter(); import dpcheck; print(time.perf_counter() - t)"
BARE = "import time; t = time.perf_counter(); import numpy; print(time.perf_counter() - t)"


@dataclass(frozen=True)
class Task:
    """Some refutations at one alpha."""

    alpha: float
    first: int
    last: int
    seed: int


def refute(task: Task) -> list[int]:
    """The calls that each audit made; one that ends without a violation is an error, or a false alarm left out."""
    calls: list[int] = []
    for number in range(task.first, task.last):
        seed = child_seed(task.seed, int(task.alpha == ALPHA), number)
        verdict = dpcheck.audit(
            LaplaceLearner(0.5), 1.0, pairs=[(LEFT, RIGHT)], alpha=task.alpha, isolation="none", seed=seed
        )
        if verdict.status is dpcheck.Status.VIOLATED:
            calls.append(verdict.samples)
        elif "depend on each other" not in verdict.failure:  # that check has a level of its own: no refutation
            raise RuntimeError(f"seed {seed}: {verdict}")
    return calls


@dataclass
class TimedSampler:
    """A bulk sampler that adds up its own processor time."""

    draw: Callable[[Any, int, Generator], NDArray[Any]]
    seconds: float = field(default=0.0)

    def __call__(self, dataset: Any, size: int, rng: Generator) -> NDArray[Any]:
        """``size`` outputs."""
        began = time.process_time()
        drawn = self.draw(dataset, size, rng)
        self.seconds += time.process_time() - began
        return drawn


def laplace(dataset: Any, size: int, rng: Generator) -> NDArray[Any]:
    """The record plus Laplace noise."""
    return dataset[0] + rng.laplace(size=size)


def response(dataset: Any, size: int, rng: Generator) -> NDArray[Any]:
    """Randomised response."""
    return np.where(rng.random(size) < TRUTH_KEPT, dataset[0], 1 - dataset[0])


@dataclass(frozen=True)
class Cost:
    """Processor seconds of one door on one kind of outputs."""

    door: str
    outputs: str
    learner: str
    own_seconds: float
    learner_seconds: float
    runs: tuple[float, ...]
    limit: float | None
    calls: int

    @property
    def verdict(self) -> str:
        """The word in the last column."""
        return "shown" if self.limit is None else "holds" if self.own_seconds <= self.limit else "FAILS"


def cost(door: str, kind: str, draw: Any, plain: Any, seed: int, *, bulk: bool) -> Cost:
    """The median of a few runs."""
    own: list[float] = []
    learners: list[float] = []
    calls = 0
    for repeat in range(REPEATS):
        sampler = TimedSampler(draw)
        # A function is not copied, so that its time adds up in one place.
        learner = dpcheck.from_sampler(lambda data, size, rng, one=sampler: one(data, size, rng)) if bulk else plain
        began = time.process_time()
        calls = _run(door, learner, OUTPUTS, child_seed(seed, 2, repeat))
        own.append(time.process_time() - began - sampler.seconds)
        learners.append(sampler.seconds)
    return Cost(
        door,
        kind,
        "sample" if bulk else "one by one",
        float(np.median(own)),
        float(np.median(learners)) if bulk else _loop_seconds(plain),
        tuple(own),
        MOST_SECONDS[door] if bulk else None,
        calls,
    )


def _loop_seconds(plain: Any) -> float:
    """What a bare loop of so many calls costs: for plain callables, which are not timed one by one."""
    rng, began = np.random.default_rng(0), time.process_time()
    for _ in range(OUTPUTS):
        plain(LEFT, rng)
    return time.process_time() - began


def _run(door: str, learner: Any, calls: int, seed: int) -> int:
    common: dict[str, Any] = {
        "pairs": [(LEFT, RIGHT)],
        "max_samples": calls,
        "alpha": ALPHA,
        "isolation": "none",
        "seed": seed,
    }
    if door == "measure":
        found = dpcheck.measure(learner, **common)
        ended = not found.failure
    else:
        found = dpcheck.audit(learner, 1.0, detect=None, **common)
        ended = found.status is dpcheck.Status.NO_VIOLATION_FOUND
    if not ended:  # a false alarm (at most 1 run of 20 at this alpha) ends early, and would be fast
        return _run(door, learner, calls, seed + 1)
    return int(found.samples)


def import_seconds(program: str) -> list[float]:
    """The time of an import in fresh processes, the first of which fills the caches and is dropped."""
    asked = [sys.executable, "-c", program]
    return [
        float(subprocess.run(asked, capture_output=True, text=True, check=True).stdout) for _ in range(REPEATS + 1)
    ][1:]


def main() -> int:
    """Run, print, write; 1 when a limit is exceeded."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    imports = {"dpcheck": import_seconds(IMPORT), "numpy alone": import_seconds(BARE)}
    learners = {
        "scalar": (laplace, LaplaceLearner(1.0)),
        "discrete": (response, ResponseLearner(TRUTH_KEPT, 0.0)),
    }
    costs: list[Cost] = []
    for door in MOST_SECONDS:
        for kind, (draw, plain) in learners.items():
            _run(door, dpcheck.from_sampler(draw), WARM_CALLS, child_seed(asked.seed, 3))
            costs += [cost(door, kind, draw, plain, asked.seed, bulk=bulk) for bulk in (True, False)]
    runs = QUICK_RUNS if asked.quick else RUNS
    tasks = [
        Task(alpha, first, min(first + CHUNK, runs), asked.seed)
        for alpha in MOST_CALLS
        for first in range(0, runs, CHUNK)
    ]
    results = spread(refute, tasks, asked.jobs, "refutations", lambda task: task.last - task.first)
    calls: dict[float, list[int]] = {}
    for task, some in zip(tasks, results, strict=True):
        calls.setdefault(task.alpha, []).extend(some)
    refutations = [
        {
            "alpha": alpha,
            "median": float(np.median(some)),
            "quantiles": [float(q) for q in np.quantile(some, (0.05, 0.25, 0.75, 0.95))],
            "limit": MOST_CALLS[alpha],
            "calls": some,
            "verdict": "holds" if np.median(some) <= MOST_CALLS[alpha] else "FAILS",
        }
        for alpha, some in calls.items()
    ]
    show(
        f"Calls until a half-scale Laplace is refuted ({min(len(some) for some in calls.values())} seeds)",
        ("alpha", "median", "5%, 25%, 75%, 95% of runs", "at most", ""),
        [
            (
                f"{r['alpha']:g}",
                f"{r['median']:,.0f}",
                ", ".join(f"{q:,.0f}" for q in r["quantiles"]),
                f"{r['limit']:,}",
                str(r["verdict"]),
            )
            for r in refutations
        ],
    )
    show(
        f"Processor seconds for {OUTPUTS:,} outputs (median of {REPEATS})",
        ("door", "outputs", "learner", "the harness's own", "the learner's", "at most", ""),
        [
            (
                c.door,
                c.outputs,
                c.learner,
                f"{c.own_seconds if c.limit else c.own_seconds - c.learner_seconds:.3f}",
                f"{c.learner_seconds:.3f}",
                f"{c.limit:g}" if c.limit else "",
                c.verdict,
            )
            for c in costs
        ],
        left=3,
    )
    show(
        f"Seconds to import (median of {REPEATS} fresh processes)",
        ("module", "seconds"),
        [(name, f"{np.median(some):.3f}") for name, some in imports.items()],
    )
    verdicts = [str(r["verdict"]) for r in refutations] + [c.verdict for c in costs]
    failed = verdicts.count("FAILS")
    print(f"{failed} limits exceeded")
    cells = {
        "refutations": refutations,
        "processor_seconds": [{**asdict(c), "verdict": c.verdict} for c in costs],
        "import_seconds": imports,
    }
    write_json(asked, began, failed == 0, cells)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
