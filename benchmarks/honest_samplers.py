"""Samplers that draw what the calls draw, over outputs of any kind: none may be failed or accused.

Cases are those of ``hidden_records.py``, with a fair coin in the place of the record: the calls have no leak, and
``sample`` makes the same calls in a loop. Each is audited with enough calls for ``sample`` to be used, and measured.
Cases of other seeds are held apart. A case takes half a minute of a processor.

    python benchmarks/honest_samplers.py --count 40 --seed 1

The exit status is 1 where a sampler was failed, a learner accused, or a bound above 0 certified.
"""

from __future__ import annotations

import collections
import json
import sys
import time
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import numpy as np
from bench import settings, spread
from hidden_places import Hidden
from hidden_records import cases

import dpcheck
from dpcheck import Status

#: ``--quick`` takes so many cases.
QUICK = 3
#: Budgets at which an audit and a measurement turn to ``sample``.
CALLS, CALLS_MEASURED, ALPHA = 32_000, 21_000, 1e-9


@dataclass(frozen=True)
class Sampled:
    """Puts a fair coin into the place of a case, in single calls and in bulk alike."""

    case: Hidden

    def __call__(self, dataset: list[int], rng: np.random.Generator) -> Any:
        return self.case.output(int(rng.integers(0, 2)), rng)

    def sample(self, dataset: list[int], size: int, rng: np.random.Generator) -> list[Any]:
        return [self(dataset, rng) for _ in range(size)]


@dataclass(frozen=True)
class Result:
    """What came of a case; ``wrong`` in words, or nothing."""

    words: str
    status: str
    epsilon_lower: float
    wrong: str
    seconds: float


@dataclass(frozen=True)
class Task:
    """One case of those that a number of them and a seed make."""

    count: int
    seed: int
    place: int


_cases = cache(cases)


def result(task: Task) -> Result:
    case, seed = _cases(task.count, task.seed)[task.place], task.seed + task.place
    began = time.process_time()
    asked: dict[str, Any] = {"pairs": [([0], [1])], "numerics": case.numerics, "isolation": "none", "alpha": ALPHA}
    asked |= {"max_seconds": 3600.0, "seed": seed}
    verdict = dpcheck.audit(Sampled(case), 1.0, max_samples=CALLS, **asked)
    measured = dpcheck.measure(Sampled(case), max_samples=CALLS_MEASURED, **asked)
    wrong = "; ".join(
        words
        for words, happened in (
            (f"audit: {verdict.failure}", verdict.status is Status.LEARNER_FAILED),
            ("audit: violated", verdict.status is Status.VIOLATED),
            (f"measure: {measured.failure}", bool(measured.failure)),
            (f"measure: {measured.epsilon_lower} certified", measured.epsilon_lower > 0.0),
        )
        if happened
    )
    return Result(case.words, verdict.status.value, measured.epsilon_lower, wrong, time.process_time() - began)


def main() -> int:
    asked = settings(__doc__ or "", numbers={"count": (40, "how many samplers")})
    count = QUICK if asked.quick else int(asked.numbers["count"])
    results = spread(result, [Task(count, asked.seed, place) for place in range(count)], asked.jobs, "samplers")
    for found in results:
        if found.wrong:
            print(f"WRONG {found.words}: {found.wrong}")
    counted = collections.Counter(found.status for found in results)
    print(f"{len(results)} samplers: " + ", ".join(f"{times} {status}" for status, times in counted.items()))
    if asked.json:
        asked.json.write_text(json.dumps([asdict(found) for found in results], indent=1))
    return 1 if any(found.wrong for found in results) else 0


if __name__ == "__main__":
    sys.exit(main())
