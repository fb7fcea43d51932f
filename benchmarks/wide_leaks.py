"""Leaks in outputs of many numbers: the calls that dpcheck takes, and those of a test that knows the place.

Standard normal noise in every number; the record stands in one number as it is, shifts one number by four standard
deviations, or shifts all by four in all (4 / sqrt(size) each). The test that knows is dpcheck's own audit of that one
number (of a leak in one place: at alpha / size, since it is one among that many), or of the sum of all.

    python benchmarks/wide_leaks.py --sizes 257 1000 100000 --count 10

The exit status is 1 where a leak was not refuted, or a median ratio is above 3.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import dpcheck
from dpcheck import Status

ALPHA, MOST_RATIO, SHIFT, CALLS = 1e-6, 3.0, 4.0, 20_000
#: Where the record is: which number, and whether it stands there itself.
LEAKS = ("record first", "record in the middle", "record last", "shift in the middle", "shift last", "shift of all")


@dataclass(frozen=True)
class Wide:
    """Releases so many numbers; ``known``: only what tells."""

    size: int
    leak: str
    known: bool

    @property
    def place(self) -> int:
        """The number that the record is in."""
        return {"first": 0, "middle": self.size // 2, "last": self.size - 1}.get(self.leak.split()[-1], -1)

    def __call__(self, dataset: list[int], rng: np.random.Generator) -> Any:
        if self.leak == "shift of all":
            if self.known:
                return float(rng.normal()) + SHIFT * dataset[0]
            return rng.normal(size=self.size) + SHIFT * dataset[0] / np.sqrt(self.size)
        raw = self.leak.startswith("record")
        if self.known:
            return float(dataset[0]) if raw else float(rng.normal()) + SHIFT * dataset[0]
        found = rng.normal(size=self.size)
        found[self.place] = dataset[0] if raw else found[self.place] + SHIFT * dataset[0]
        return found


def calls(learner: Wide, alpha: float, seed: int) -> int | None:
    """The calls until the claim is refuted; None where it is not."""
    verdict = dpcheck.audit(
        learner, 1.0, pairs=[([0], [1])], alpha=alpha, seed=seed, isolation="none", max_samples=CALLS, max_seconds=900.0
    )
    return verdict.samples if verdict.status is Status.VIOLATED else None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[257, 1000, 100_000])
    parser.add_argument("--count", type=int, default=10, help="seeds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args(arguments)
    rows = []
    for size in asked.sizes:
        for leak in LEAKS:
            began = time.process_time()
            seeds = range(asked.seed, asked.seed + asked.count)
            alpha = ALPHA if leak == "shift of all" else ALPHA / size
            ours = [calls(Wide(size, leak, False), ALPHA, seed) for seed in seeds]
            knowing = [calls(Wide(size, leak, True), alpha, seed) for seed in seeds]
            refuted = sum(one is not None for one in ours)
            ratio = float(np.median([a or CALLS for a in ours]) / np.median([b or CALLS for b in knowing]))
            row = {"size": size, "leak": leak, "refuted": refuted, "of": asked.count, "calls": ours, "knowing": knowing}
            rows.append({**row, "ratio": ratio, "seconds": time.process_time() - began})
            shown = [f"{np.median([one or CALLS for one in some]):6.0f}" for some in (ours, knowing)]
            print(f"{size:7,} {leak:22} {refuted:2}/{asked.count} {shown[0]} {shown[1]} {ratio:5.2f}", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return int(any(row["ratio"] > MOST_RATIO or row["refuted"] < row["of"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
