"""Samplers that draw what the calls draw, over outputs of any kind: none may be failed or accused.

Cases are those of ``hidden_records.py``, with a fair coin in the place of the record: the calls have no leak, and
``sample`` makes the same calls in a loop. Each is audited with enough calls for ``sample`` to be used, and measured.
Cases of other seeds are held apart.

    python benchmarks/honest_samplers.py --count 120 --seed 1

The exit status is 1 where a sampler was failed, a learner accused, or a bound above 0 certified.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hidden_places import Hidden
from hidden_records import cases

import dpcheck
from dpcheck import Status

#: More than an audit makes one by one before it turns to ``sample``.
CALLS, ALPHA = 36_000, 1e-9


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


def result(case: Hidden, seed: int) -> Result:
    began = time.process_time()
    asked: dict[str, Any] = {"pairs": [([0], [1])], "numerics": case.numerics, "isolation": "none", "alpha": ALPHA}
    asked |= {"max_samples": CALLS, "max_seconds": 3600.0, "seed": seed}
    verdict = dpcheck.audit(Sampled(case), 1.0, **asked)
    measured = dpcheck.measure(Sampled(case), **asked)
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


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args(arguments)
    results: list[Result] = []
    for place, case in enumerate(cases(asked.count, asked.seed)):
        results.append(result(case, asked.seed + place))
        if results[-1].wrong:
            print(f"WRONG {results[-1].words}: {results[-1].wrong}", flush=True)
    counted = collections.Counter(found.status for found in results)
    print(f"{len(results)} samplers: " + ", ".join(f"{count} {status}" for status, count in counted.items()))
    if asked.json:
        asked.json.write_text(json.dumps([asdict(found) for found in results], indent=1))
    return 1 if any(found.wrong for found in results) else 0


if __name__ == "__main__":
    sys.exit(main())
