"""What plans promise against what audits do: calls until a diluted randomised response is refuted.

For each claim, leak, coverage and kind of output (one of few values, or hidden among numbers), runs of the game with
the engine's interim analyses, until the leak is refuted or three times the plan's calls are used up. A plan is right
where at least 95% of the runs are refuted within its calls for power 0.95.

    python benchmarks/planning.py [--quick] [--jobs 2] [--seed N] [--json FILE]
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass

import bench
import numpy as np
from drawn_leaks import Law
from numpy.typing import NDArray

from dpcheck.execution.answers import Answers
from dpcheck.privacy.run.allocation import interim_size
from dpcheck.privacy.run.power_analysis import COVERAGES, MULTIPLES, Cost, leak_of
from dpcheck.privacy.statistics.evidence import log_evidence
from dpcheck.privacy.statistics.game import Batch, Shape, certify, learn, new_game, tally
from dpcheck.privacy.statistics.observations import observe

RUNS, QUICK_RUNS = 200, 10
POWER = 0.95
#: A run that has not refuted the leak by then counts as infinite.
LONGEST = 3
#: Plans of more calls would take hours to try.
MOST_CALLS = 60_000
FEW_VALUES, NUMBERS = Shape(1, repeats=True, others=False), Shape(1, repeats=False, others=False)


@dataclass(frozen=True)
class Cell:
    """A leak of one size and coverage against one claim at one level, in one kind of output."""

    outputs: str
    alpha: float
    epsilon: float
    delta: float
    leak: float
    coverage: float

    @property
    def shape(self) -> Shape:
        """The kind of output."""
        return NUMBERS if self.outputs == "numbers" else FEW_VALUES

    def planned(self, power: float) -> int | None:
        """The plan's calls."""
        cost = Cost(self.epsilon, self.delta, self.alpha, power, self.shape, self.leak)
        return cost.calls(self.leak, self.coverage)


def cells() -> list[Cell]:
    """All cells that can be tried."""
    found = [
        Cell(outputs, alpha, epsilon, delta, leak_of(epsilon, multiple), coverage)
        for outputs in ("few values", "numbers")
        for alpha in (1e-6, 0.05)
        for epsilon, delta in ((1.0, 0.0), (1.0, 1e-5), (0.1, 0.0))
        for multiple in MULTIPLES
        for coverage in COVERAGES
    ]
    return [cell for cell in found if (calls := cell.planned(POWER)) is not None and calls <= MOST_CALLS]


def calls_needed(cell: Cell, seed: int) -> float:
    """The calls after which one run refutes the leak (infinite where it does not)."""
    truth = 1.0 / (1.0 + math.exp(-cell.leak))

    def law(rng: np.random.Generator, coins: NDArray[np.int8]) -> NDArray[np.float64]:
        said = np.where(rng.random(len(coins)) < truth, coins, 1 - coins)
        outputs = np.where(rng.random(len(coins)) < cell.coverage, said, 2).astype(np.float64)
        return outputs + rng.random(len(coins)) if cell.outputs == "numbers" else outputs

    horizon = LONGEST * (cell.planned(POWER) or 0)
    claim = (cell.epsilon, cell.delta)
    return refuted_after(law, cell.shape, claim, cell.alpha, horizon, np.random.default_rng(seed))


def refuted_after(
    law: Law, shape: Shape, claim: tuple[float, float], alpha: float, horizon: int, rng: np.random.Generator
) -> float:
    """The calls after which a run with the engine's analyses refutes the claim; infinite where it does not."""
    game, made = new_game(shape, *claim), 0
    while size := interim_size(made, horizon - made):
        coins = rng.integers(0, 2, size).astype(np.int8)
        batch = Batch(observe(Answers(law(rng, coins)), "real"), coins)
        game, made = certify(game, batch), made + size
        if log_evidence(tally(game), *claim) >= -math.log(alpha):
            return made
        game = learn(game, batch)
    return math.inf


def tried(task: tuple[Cell, tuple[int, ...]]) -> list[float]:
    """The calls of several runs of one cell."""
    cell, seeds = task
    return [calls_needed(cell, seed) for seed in seeds]


def main() -> None:
    """Run all cells, print a table, write the JSON."""
    given = bench.settings(__doc__ or "")
    runs = QUICK_RUNS if given.quick else RUNS
    listed = cells()
    tasks = [
        (cell, tuple(bench.child_seed(given.seed, place, run) for run in range(runs)))
        for place, cell in enumerate(listed)
    ]
    rows, told = [], []
    for cell, needed in zip(listed, _spread(tasks, given.jobs), strict=True):
        planned = cell.planned(POWER)
        assert planned is not None
        caught = sum(calls <= planned for calls in needed) / runs
        quantile = float(np.quantile(needed, POWER, method="higher"))
        middle = float(np.quantile(needed, 0.5, method="lower"))
        rows.append((cell, middle, cell.planned(0.5), quantile, planned, caught))
        told.append(
            {
                **asdict(cell),
                "median": middle if math.isfinite(middle) else None,
                "planned_median": cell.planned(0.5),
                "quantile": quantile if math.isfinite(quantile) else None,
                "planned": planned,
                "caught": caught,
            }
        )
    print("outputs     alpha  claim         leak   coverage   median (plan)     95% (plan)        caught")
    for cell, middle, half, quantile, planned, caught in rows:
        claim = f"({cell.epsilon:g}, {cell.delta:g})"
        print(
            f"{cell.outputs:<10}  {cell.alpha:<5g}  {claim:<12}  {cell.leak:<5.3g}  {cell.coverage:<8g}   "
            f"{f'{middle:.0f} ({half})':<16}  {f'{quantile:.0f} ({planned})':<16}  {caught:.3f}"
        )
    least = min(caught for *_, caught in rows)
    print(f"{runs} runs a cell, power planned for {POWER:g}: least {least:.3f} of the runs of a cell caught in time")
    if given.json is not None:
        given.json.write_text(json.dumps({"seed": given.seed, "runs": runs, "cells": told}, indent=1) + "\n")


def _spread(tasks: list[tuple[Cell, tuple[int, ...]]], jobs: int) -> list[list[float]]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    if jobs == 1:
        return list(map(tried, tasks))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        return list(pool.map(tried, tasks))


if __name__ == "__main__":
    main()
