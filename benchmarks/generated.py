"""How close does `dpcheck.measure` come to the limit of any test on mechanisms that nobody tuned for?

Mechanisms are drawn at random (`generated_laws.py`: finite laws, lattices, steps, peaks, shifts, products, subsampled
steps, ...), each with its exact loss, from which `limit.py` has the limit of any test that knows both laws. Measured
once each, of a learner with `sample`, at 200,000 and at 10,000 outputs, as shares of that limit. Mechanisms whose limit
is below a fifth of the truth are left out.

Rules: the median share is at least 0.97 and 0.90, that of the worst decile at least 0.93 and 0.80, none is 0, and the
interval of the number of bounds above the truth does not lie above alpha.

The limit is what the best test shows in half of the runs. Beside the shares stand those of one run of who knows both
laws, and guesses by them from as many outputs: what chance alone makes of the worst decile.

    python benchmarks/generated.py --mechanisms 300
    python benchmarks/generated.py --mechanisms 300 --apart     # the part of the family that is kept for a last look

`--apart` draws from seeds that no other run uses: what is chosen by looking is not chosen by these.
"""

from __future__ import annotations

import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from bench import Rate, child_seed, settings, show, spread, write_json
from generated_laws import KINDS, Mechanism, generate
from limit import limit
from numpy.random import Generator
from numpy.typing import NDArray

import dpcheck
from dpcheck.privacy.statistics.evidence import Graded
from dpcheck.privacy.statistics.expected_bound import Goal, best_rule
from dpcheck.privacy.statistics.posterior import DRAWS, Posterior
from dpcheck.privacy.statistics.staged_bound import Stage, staged_epsilon_lower

ALPHA = 0.05
CALLS = (200_000, 10_000)
#: Limits below this part of the truth say little.
TELLING = 0.2
#: The median share and that of the worst decile, by calls.
REQUIRED = {200_000: (0.97, 0.93), 10_000: (0.90, 0.80)}
#: The interval of the number of bounds above the truth holds with this confidence.
CONFIDENCE = 0.99
#: Cells into which the losses of a known law are cut: so many, and finer at both ends.
CELLS, FINER = 300, 20
#: Mechanisms kept apart are drawn from this key of the seed.
APART = 77


@dataclass(frozen=True)
class Task:
    """One mechanism of a family at one number of calls."""

    family: int
    number: int
    calls: int
    seed: int


@dataclass(frozen=True)
class Found:
    """What was measured of one mechanism; ``share`` is None where its limit says little.

    ``known`` is the share of one who knows both laws, from a run of its own.
    """

    kind: str
    words: str
    calls: int
    truth: float
    limit: float
    bound: float
    share: float | None
    known: float | None
    seconds: float


@dataclass(frozen=True)
class Learner:
    """A mechanism as a user would write it: one record that is 1 or 0, an output, and many at once."""

    mechanism: Mechanism

    def __call__(self, dataset: Any, rng: Generator) -> Any:
        """One output."""
        return self.mechanism.sample(np.array([dataset[0]], dtype=np.int8), rng)[0]

    def sample(self, dataset: Any, size: int, rng: Generator) -> NDArray[Any]:
        """``size`` outputs."""
        return self.mechanism.sample(np.full(size, dataset[0], dtype=np.int8), rng)


def measured(mechanism: Mechanism, calls: int, seed: int) -> float:
    """The bound that `dpcheck.measure` certifies from so many calls."""
    found = dpcheck.measure(
        Learner(mechanism),
        delta=mechanism.delta,
        pairs=[(np.array([1]), np.array([0]))],
        alpha=ALPHA,
        max_samples=calls,
        max_seconds=1e6,  # the number of calls decides, never the clock
        isolation="none",
        seed=seed,
    )
    if found.failure:
        raise RuntimeError(f"{mechanism.name}, seed {seed}: {found.failure}")
    return found.epsilon_lower


def known(mechanism: Mechanism, calls: int, seed: int) -> float:
    """The bound from so many outputs of the best guesses by one who knows both laws, and has nothing to learn."""
    p, q = mechanism.atoms.p, mechanism.atoms.q
    reached = (0.5 * np.cumsum(p + q) - 0.25 * (p + q)) / (0.5 * (p + q).sum())
    fine = CELLS * reached + FINER * np.log((reached + 1e-7) / (1.0 - reached + 1e-7))
    cell = np.unique(np.floor(fine).astype(np.int64), return_inverse=True)[1]
    p, q = np.bincount(cell, p), np.bincount(cell, q)
    chance = np.clip(p / (p + q), 1e-12, 1.0 - 1e-12)
    draws = np.tile(np.log(chance) - np.log1p(-chance), (DRAWS, 1))
    posterior = Posterior("known", chance, draws, 0.5 * (p + q), 0.0)
    rule = best_rule(posterior, Goal(mechanism.delta, ALPHA, calls))
    rng = np.random.default_rng(seed)
    on_left = int(rng.binomial(calls, 0.5))
    left, right = rng.multinomial(on_left, p / p.sum()), rng.multinomial(calls - on_left, q / q.sum())
    correct = np.where(rule.weights > 0, left, np.where(rule.weights < 0, right, 0))
    wrong = np.where(rule.weights > 0, right, np.where(rule.weights < 0, left, 0))
    levels = np.abs(rule.weights)
    if mechanism.delta > 0.0:  # as plans count them
        levels = np.where(levels > 0, 9 * levels - 4, 0)
    guesses = Graded(levels, correct, wrong, calls, rule.share)
    return staged_epsilon_lower([Stage(guesses, 1.0)], ALPHA, delta=mechanism.delta)


def play(task: Task) -> Found:
    """Draw a mechanism, find its limit, measure it once."""
    mechanism = generate(task.family, task.number)
    truth = mechanism.epsilon
    most = limit(mechanism, task.calls, ALPHA, mechanism.delta)
    if most < TELLING * truth:
        return Found(mechanism.kind, mechanism.words, task.calls, truth, most, 0.0, None, None, 0.0)
    began = time.process_time()
    bound = measured(mechanism, task.calls, task.seed)
    seconds = time.process_time() - began
    of_known = known(mechanism, task.calls, child_seed(task.seed, 1)) / most
    return Found(mechanism.kind, mechanism.words, task.calls, truth, most, bound, bound / most, of_known, seconds)


@dataclass(frozen=True)
class Cell:
    """The shares of one kind, or of all, at one number of calls."""

    kind: str
    calls: int
    judged: int
    median: float
    decile: float
    known_decile: float
    worst: float
    zeros: int
    seconds: float
    above: dict[str, Any]


def cell_of(kind: str, calls: int, found: list[Found]) -> Cell:
    """The cell of some mechanisms."""
    judged = [one for one in found if one.share is not None]
    shares = np.array([one.share for one in judged], dtype=np.float64)
    above = Rate.of(sum(one.bound > one.truth for one in judged), len(judged), 1.0 - CONFIDENCE)
    return Cell(
        kind,
        calls,
        len(judged),
        float(np.median(shares)),
        float(np.quantile(shares, 0.1)),
        float(np.quantile([one.known or 0.0 for one in judged], 0.1)),
        float(shares.min()),
        int((shares <= 0.0).sum()),
        float(np.median([one.seconds for one in judged])),
        asdict(above),
    )


def passes(cell: Cell) -> bool:
    """Whether a cell of all kinds keeps the rules."""
    median, decile = REQUIRED[cell.calls]
    return cell.median >= median and cell.decile >= decile and cell.zeros == 0 and cell.above["low"] <= ALPHA


def main() -> int:
    """Run, print, write; 1 when a rule is broken."""
    arguments = sys.argv[1:]
    apart = "--apart" in arguments
    sys.argv[1:] = [word for word in arguments if word != "--apart"]
    asked = settings(__doc__ or "", numbers={"mechanisms": (300, "how many are drawn")})
    began = time.monotonic()
    family = child_seed(asked.seed, APART) if apart else child_seed(asked.seed, 0)
    count = len(KINDS) if asked.quick else int(asked.numbers["mechanisms"])
    tasks = [
        Task(family, number, calls, child_seed(asked.seed, 1, number, calls))
        for calls in CALLS
        for number in range(count)
    ]
    found = spread(play, tasks, asked.jobs, "mechanisms")
    cells: list[Cell] = []
    for calls in CALLS:
        some = [one for one in found if one.calls == calls]
        groups = [*((kind, [one for one in some if one.kind == kind]) for kind in KINDS), ("all", some)]
        cells += [cell_of(kind, calls, of) for kind, of in groups if any(one.share is not None for one in of)]
    show(
        f"shares of the limit of any test, {'kept apart, ' if apart else ''}{count} mechanisms",
        (
            "kind",
            "calls",
            "judged",
            "median",
            "worst decile",
            "of who knows",
            "worst",
            "zeros",
            "above the truth",
            "CPU s",
        ),
        [
            (
                cell.kind,
                f"{cell.calls:,}",
                str(cell.judged),
                f"{cell.median:.3f}",
                f"{cell.decile:.3f}",
                f"{cell.known_decile:.3f}",
                f"{cell.worst:.3f}",
                str(cell.zeros),
                f"{cell.above['events']}/{cell.above['runs']}",
                f"{cell.seconds:.2f}",
            )
            for cell in cells
        ],
    )
    whole = [cell for cell in cells if cell.kind == "all"]
    passed = all(passes(cell) for cell in whole)
    for cell in whole:
        print(f"{cell.calls:,} calls: {'keeps the rules' if passes(cell) else 'breaks a rule'} {REQUIRED[cell.calls]}")
    record = {"alpha": ALPHA, "apart": apart, "family": family, "cells": [asdict(cell) for cell in cells]}
    write_json(asked, began, passed, {**record, "mechanisms": [asdict(one) for one in found]})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
