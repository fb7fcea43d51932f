"""How long does an exhaustive exact audit take, and can it be fooled at the boundary?

* enumeration: the exponential mechanism over 16 kinds of records and 20 hypotheses, all neighbouring pairs of
  multisets (1,920 for n = 2, 16,320 for n = 3, 97,920 for n = 4, 465,120 for n = 5), through
  `dpcheck.audit(exhaustive=True)`;
* boundary: random finite mechanisms exactly at their claim (none may be violated) and a hair above it (all must be),
  by kind of law.

    python benchmarks/exact.py
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from boundary_laws import KINDS, Case, cases

import dpcheck
from dpcheck.model.claims import exact_point
from dpcheck.privacy.exact.decision import TwoLaws, decide
from dpcheck.privacy.exact.declared import declared


@dataclass(frozen=True)
class RandomHypotheses:
    """The exponential mechanism over hypotheses that each agree with half of the kinds of records."""

    epsilon: float = 1.0
    kinds: int = 16
    hypotheses: int = 20
    order_blind = True

    def _scores(self, dataset: list[int]) -> np.ndarray[Any, np.dtype[np.int64]]:
        agrees = _agreement(self.kinds, self.hypotheses)
        return agrees[dataset].sum(axis=0)

    def __call__(self, dataset: list[int], rng: np.random.Generator) -> int:
        weights = np.exp(self.epsilon / 2 * self._scores(dataset))
        return int(rng.choice(self.hypotheses, p=weights / weights.sum()))

    def distribution(self, dataset: list[int]) -> dpcheck.Law:
        scores = self._scores(dataset)
        return dpcheck.Law(range(self.hypotheses), exact=dpcheck.IntegerScores(self.epsilon, scores))


_KNOWN: dict[tuple[int, int], Any] = {}


def _agreement(kinds: int, hypotheses: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    if (kinds, hypotheses) not in _KNOWN:
        _KNOWN[kinds, hypotheses] = np.random.default_rng(7).integers(0, 2, (kinds, hypotheses))
    return _KNOWN[kinds, hypotheses]


def enumeration() -> Iterator[str]:
    """A line per size; the first one starts the worker process too."""
    for size in (2, 3, 4, 5):
        where = {"neighbours": dpcheck.ReplaceOne(records=range(16), size=size), "exhaustive": True}
        began = time.perf_counter()
        verdict = dpcheck.audit(RandomHypotheses(), 1.0, max_seconds=600.0, **where)
        seconds = time.perf_counter() - began
        began = time.process_time()
        dpcheck.audit(RandomHypotheses(), 1.0, max_seconds=600.0, isolation="none", **where)
        cpu = time.process_time() - began
        assert verdict.exact is not None
        yield (
            f"n = {size}: {verdict.pairs_tried:>7,} pairs, largest epsilon {verdict.epsilon_lower:.4f}, "
            f"{verdict.exact.answer}, {verdict.exact.compared:,} calls compared; {seconds:.2f} s with a worker "
            f"process, {cpu:.2f} s of CPU in one process"
        )


def boundary(count: int, rng: np.random.Generator) -> Iterator[str]:
    """A line per kind: answers exactly at the claim and above it."""
    for kind in KINDS:
        began = time.perf_counter()
        at = _answers(cases(kind, count, rng), lambda case: case.claim)
        milliseconds = 1e3 * (time.perf_counter() - began) / count
        below = _answers(cases(kind, count, rng), lambda case: case.smaller)
        yield f"{kind:<10} at the claim {at}; claimed a hair less {below}; {milliseconds:.2f} ms a mechanism"


def _answers(found: Iterator[Case], claim: Callable[[Case], Any]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for case in found:
        laws = TwoLaws.of(declared(case.left), declared(case.right))
        answer = decide(laws, exact_point(claim(case))).answer
        counts[answer] = counts.get(answer, 0) + 1
    return counts


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000, help="mechanisms per kind")
    parser.add_argument("--seed", type=int, default=None)
    given = parser.parse_args()
    for line in enumeration():
        print(line, flush=True)
    for line in boundary(given.count, np.random.default_rng(given.seed)):
        print(line, flush=True)
