"""Learners that keep what should be drawn anew, audited: none may be accused.

The ways are those of ``tests/ways_to_keep.py``: generators that can be found and seeded anew, noise that starts again
with each learner, noise that comes back after so many calls of one instance, answers that are remembered, in the
process and outside it, and noise from a clock of whole seconds. Each has Laplace noise that keeps the claim: whoever
accuses it is wrong, whatever it keeps.

    python benchmarks/kept_randomness.py --count 20 --seed 1 --isolation auto none

The exit status is 1 where a learner was accused.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from ways_to_keep import CYCLED, FOUND, NOT_FOUND, OUTSIDE, from_the_clock, remembering

from dpcheck import Status, audit

#: The way that is no class: its noise is of scale 1, whatever is asked.
CLOCK = "clock of whole seconds"
PAIR = [([0.0, 1.0], [1.0, 1.0])]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20, help="seeds of each way")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--scale", type=float, default=1.0, help="of the noise: 1 keeps the claim exactly")
    parser.add_argument("--isolation", nargs="+", default=["auto", "none"])
    parser.add_argument("--ways", nargs="*", default=[], help="only ways whose name holds one of these words")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args(arguments)
    rows, accused = [], 0
    for isolation in asked.isolation:
        for name in (*FOUND, *NOT_FOUND, *CYCLED, *remembering(""), *OUTSIDE, CLOCK):
            if asked.ways and not any(word in name for word in asked.ways):
                continue
            if name in CYCLED and isolation != "none":
                continue  # an instance that cannot be copied is not sent anywhere either
            row = _row(name, isolation, asked)
            rows.append(row)
            accused += row["outcomes"].get(str(Status.VIOLATED), 0)
            print(f"{isolation:5} {name:26} {row['outcomes']} {row['seconds']:.1f} s", flush=True)
    print(f"{accused} of {sum(sum(row['outcomes'].values()) for row in rows)} audits accused a learner")
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return int(accused > 0)


def _learner(name: str, directory: str, scale: float) -> Any:
    if name == CLOCK:
        return from_the_clock
    if name in OUTSIDE:
        return OUTSIDE[name](Path(directory))
    return (FOUND | NOT_FOUND | CYCLED | remembering(directory))[name](scale)


def _row(name: str, isolation: str, asked: argparse.Namespace) -> dict[str, Any]:
    began = time.process_time()
    outcomes: collections.Counter[str] = collections.Counter()
    reasons: collections.Counter[str] = collections.Counter()
    for seed in range(asked.seed, asked.seed + asked.count):
        with tempfile.TemporaryDirectory() as directory:
            verdict = audit(
                _learner(name, directory, asked.scale),
                1.0,
                pairs=PAIR,
                seed=seed,
                isolation=isolation,  # type: ignore[arg-type]
                max_samples=asked.calls,
                max_seconds=600.0,
            )
        outcomes[str(verdict.status)] += 1
        reasons[verdict.failure.partition("(")[0]] += 1
    return {
        "way": name,
        "isolation": isolation,
        "calls": asked.calls,
        "outcomes": dict(outcomes),
        "reasons": dict(reasons),
        "seconds": time.process_time() - began,
    }


if __name__ == "__main__":
    sys.exit(main())
