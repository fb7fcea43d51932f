"""Is the prover ever wrong, and what does it decide? On statements it was not written for.

* statements: true and false by construction (tests/prover_statements.py), with room and by nothing; every PROVED and
  every REFUTED is replayed by the checker;
* mutants: proved claims of alon2019 with one constant, relation or assumption changed. Where a point exists at which
  the mutant certainly fails, the search without its refuter must not find a certificate that the checker accepts, and
  the certificate of the true claim must be rejected.

    python benchmarks/prover.py --count 115 --mutants 300 --json prover.json
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from prover_statements import KINDS, judge, mutants_of_registry, statements, try_mutant

COLUMNS = ("PROVED", "REFUTED", "VACUOUS", "UNDECIDED")


def by_construction(count: int, seconds: float, rng: np.random.Generator, found: dict[str, Any]) -> Iterator[str]:
    """A line per family, then per kind, then whatever is wrong."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    spent: Counter[str] = Counter()
    wrong = []
    for statement in statements(count, rng):
        began = time.perf_counter()
        answer, complaint = judge(statement, seconds=seconds, seed=int(rng.integers(2**31)))
        for row in (statement.family, statement.kind):
            counts[row][answer] += 1
            spent[row] += time.perf_counter() - began
        if complaint:
            wrong.append(f"{complaint}: {statement.kind} {statement.formula}")
    for row in (*sorted(set(counts) - set(KINDS)), *KINDS):
        numbers = ", ".join(f"{counts[row][name]:>4} {name}" for name in COLUMNS if counts[row][name])
        yield f"{row:<24} {sum(counts[row].values()):>5}: {numbers}; {spent[row]:.1f} s"
    found["statements"] = {row: dict(counter) for row, counter in counts.items()}
    found["seconds"] = {row: round(value, 2) for row, value in spent.items()}
    found["wrong"] = wrong
    yield f"wrong: {len(wrong)}"
    yield from wrong


def of_mutants(count: int, seconds: float, rng: np.random.Generator, found: dict[str, Any]) -> Iterator[str]:
    """What became of that many mutants of the registry's proved claims."""
    counts: Counter[str] = Counter()
    wrong = []
    began = time.perf_counter()
    for mutant in mutants_of_registry(count, rng):
        outcome = try_mutant(mutant, seconds=seconds, seed=int(rng.integers(2**31)))
        counts[outcome] += 1
        if outcome.startswith("WRONG"):
            wrong.append(f"{outcome}: {mutant.formula}")
    found["mutants"] = dict(counts)
    found["wrong mutants"] = wrong
    for outcome, number in sorted(counts.items()):
        yield f"mutants: {number:>5} {outcome}"
    yield f"mutants: {len(wrong)} wrong of {count}; {time.perf_counter() - began:.1f} s"
    yield from wrong


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=115, help="statements of each of the four kinds")
    parser.add_argument("--mutants", type=int, default=0, help="mutants of the registry")
    parser.add_argument("--seconds", type=float, default=3.0, help="most seconds for each search")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    given = parser.parse_args()
    entropy = np.random.SeedSequence(given.seed).entropy
    print(f"--seed {entropy}")
    rng = np.random.default_rng(np.random.SeedSequence(entropy))
    result: dict[str, Any] = {"seed": str(entropy), "count": given.count, "seconds each": given.seconds}
    for line in by_construction(given.count, given.seconds, rng, result):
        print(line, flush=True)
    if given.mutants:
        for line in of_mutants(given.mutants, given.seconds, rng, result):
            print(line, flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    sys.exit(bool(result["wrong"] or result.get("wrong mutants")))
