"""How often is a learner accused that keeps its claim exactly, when its answers are more than one number?

Every audit is of a mechanism at the boundary of its claim, epsilon 1, at alpha 0.05: the phases of an audit (opening,
certify, learn) with the interim analyses of `dpcheck.audit`, on vectors, dictionaries, sets, lists, texts, and
floats of 4 and 8 bytes; the floats under exact numerics are noise on a lattice, which is private bit for bit. The same
answers go past the watch over low-order bits, which must not find floating point to blame: its level is 1e-6.

Rules. The interval of every path's false alarms lies below alpha; no path has a finding in more runs than its level
explains (none). All intervals hold together with confidence 99%. As a check that can fail, the same paths are played
with rules that have seen the answers they guess on, and must be accused in more than half of the runs.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from bench import Rate, child_seed, settings, show, spread, write_json
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.execution.answers import Answers
from dpcheck.privacy.run.agreement_phase import OPENING_CALLS
from dpcheck.privacy.run.allocation import interim_size
from dpcheck.privacy.run.caller import shape_of, usual_size
from dpcheck.privacy.statistics.evidence import log_evidence
from dpcheck.privacy.statistics.game import Batch, certify, learn, new_game, tally
from dpcheck.privacy.statistics.layout import fit_layout
from dpcheck.privacy.statistics.low_bits import LowBits
from dpcheck.privacy.statistics.observations import Numerics, observe

ALPHA = 0.05
EPSILON = 1.0
CONFIDENCE = 0.99
#: Calls of an audit: rules have been refitted a dozen times by then.
HORIZON = 2_000
RUNS, QUICK_RUNS = 600, 6
#: Runs of the check that can fail.
BROKEN_RUNS, QUICK_BROKEN_RUNS = 20, 2
#: Runs in one task of a worker.
CHUNK = 10
TRUTH = 1.0 / (1.0 + math.exp(-EPSILON))
#: A lattice finer than what real numerics keeps of numbers near 1, coarser than the spacing of doubles there.
FINE = 2.0**-45

Coins = NDArray[np.int8]


def _response(coins: Coins, rng: Generator) -> NDArray[np.bool_]:
    """Randomised response: exactly epsilon."""
    return (rng.random(len(coins)) < TRUTH) == (coins == 1)


def _lattice(coins: Coins, rng: Generator, step: float) -> NDArray[np.float64]:
    """Two-sided geometric noise on a lattice, a shift of 1: exactly epsilon, bit for bit."""
    stop = -math.expm1(-EPSILON * step)
    steps = rng.geometric(stop, len(coins)) - rng.geometric(stop, len(coins))
    return (coins.astype(np.int64) * round(1 / step) + steps) * step


def vector(coins: Coins, rng: Generator) -> Any:
    """Five coordinates of Laplace noise, one of them around the coin."""
    found = rng.laplace(size=(len(coins), 5))
    found[:, 2] += coins
    return found


def agreeing_signs(coins: Coins, rng: Generator) -> Any:
    """Two coordinates whose signs agree as randomised response does."""
    signs = rng.choice((-1.0, 1.0), (len(coins), 1)) * np.column_stack(
        [np.ones(len(coins)), np.where(_response(coins, rng), 1.0, -1.0)]
    )
    return np.abs(rng.normal(size=(len(coins), 2))) * signs


def equal_parts(coins: Coins, rng: Generator) -> Any:
    """Three coordinates, two of them equal as randomised response says."""
    found = rng.normal(size=(len(coins), 3))
    return np.where((np.arange(3) == 2) & _response(coins, rng)[:, None], found[:, :1], found)


def dictionary(coins: Coins, rng: Generator) -> Any:
    """A key that is there as randomised response says, and numbers."""
    return [
        {"mean": float(x), "count": int(n), **({"extra": float(x) + 1.0} if there else {})}
        for x, n, there in zip(
            rng.laplace(size=len(coins)), rng.integers(0, 9, len(coins)), _response(coins, rng), strict=True
        )
    ]


def members(coins: Coins, rng: Generator) -> Any:
    """A set of numbers, one of them a member as randomised response says."""
    inside = rng.random((len(coins), 6)) < 0.3
    inside[:, 4] = _response(coins, rng)
    return [{int(one) for one in np.flatnonzero(row)} for row in inside]


def lengths(coins: Coins, rng: Generator) -> Any:
    """A list whose length is even or odd as randomised response says."""
    sizes = 2 * rng.integers(1, 4, len(coins)) + _response(coins, rng)
    return [[float(x) for x in rng.normal(size=size)] for size in sizes]


def texts(coins: Coins, rng: Generator) -> Any:
    """A sentence with a Laplace answer."""
    return [f"the mean is {x:.6f}, as asked" for x in coins + rng.laplace(size=len(coins))]


def single(coins: Coins, rng: Generator) -> Any:
    """Laplace noise in single precision, on a lattice."""
    return _lattice(coins, rng, 2.0**-10).astype(np.float32)


def fine_lattice(coins: Coins, rng: Generator) -> Any:
    """Laplace noise rounded to a fine lattice before the shift: private, and its low-order bits are not idle."""
    return coins + np.round(rng.laplace(size=len(coins)) / FINE) * FINE


def coarse_lattice(coins: Coins, rng: Generator) -> Any:
    """Geometric noise on a lattice of 1/8."""
    return _lattice(coins, rng, 0.125)


def lattice_vector(coins: Coins, rng: Generator) -> Any:
    """Two coordinates on a lattice, one around the coin."""
    nothing = np.zeros(len(coins), np.int8)
    return np.column_stack([_lattice(coins, rng, 2.0**-8), _lattice(nothing, rng, 2.0**-8)])


def anywhere(coins: Coins, rng: Generator) -> Any:
    """A shuffled list of twelve whole numbers, with 7 among them as randomised response says."""
    found = rng.integers(10, 60, (len(coins), 12))
    found[_response(coins, rng), 0] = 7
    return [[int(one) for one in row] for row in rng.permuted(found, axis=1)]


@dataclass(frozen=True)
class Case:
    """A path: answers of one kind at the boundary, and the numerics under which they are read."""

    name: str
    answers: Callable[[Coins, Generator], Any]
    numerics: Numerics = "real"


CASES = (
    Case("vector of 5", vector),
    Case("two signs", agreeing_signs),
    Case("equal coordinates", equal_parts),
    Case("dictionary", dictionary),
    Case("set", members),
    Case("list of varying length", lengths),
    Case("text", texts),
    Case("float32", single),
    Case("float32, exact", single, "exact"),
    Case("lattice of 2^-45", fine_lattice),
    Case("lattice of 2^-45, exact", fine_lattice, "exact"),
    Case("lattice of 1/8, exact", coarse_lattice, "exact"),
    Case("vector on a lattice, exact", lattice_vector, "exact"),
    Case("one of a shuffled list", anywhere),
)


@dataclass(frozen=True)
class Outcome:
    """One audit: whether it accused, and whether it blamed low-order bits."""

    accused: bool
    finding: bool


def played(case: Case, seed: int, *, broken: bool = False) -> Outcome:
    """One audit; a ``broken`` one learns from each call before its guesses on it are counted."""
    coins_from, drawn, order = (np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(3))
    opening = np.arange(2 * OPENING_CALLS, dtype=np.int8) % 2
    first = Answers(case.answers(opening, drawn))
    unlaid = observe(first, case.numerics)
    layout = fit_layout(list(unlaid.answers), exact=case.numerics == "exact")
    scale = usual_size(unlaid)
    game = new_game(shape_of(unlaid, layout), EPSILON, 0.0)
    watch = LowBits()
    accused = False
    while not accused and (calls := interim_size(game.calls, HORIZON - game.calls)):
        coins = coins_from.integers(0, 2, calls).astype(np.int8)
        batch = Batch(observe(Answers(case.answers(coins, drawn)), case.numerics, scale, layout), coins)
        if case.numerics == "real":
            watch.see(batch, order)
        game = certify(learn(game, batch), batch) if broken else learn(certify(game, batch), batch)
        accused = log_evidence(tally(game), EPSILON, 0.0) >= -math.log(ALPHA)
    return Outcome(accused, watch.finding() is not None)


@dataclass(frozen=True)
class Task:
    """Some audits of one case."""

    place: int
    first: int
    last: int
    seed: int
    broken: bool


def play(task: Task) -> list[Outcome]:
    """The outcomes of a task; a run depends on the benchmark's seed, its case and its number alone."""
    case = CASES[task.place]
    return [
        played(case, child_seed(task.seed, int(task.broken), task.place, number), broken=task.broken)
        for number in range(task.first, task.last)
    ]


@dataclass(frozen=True)
class Row:
    """What was seen on one path."""

    case: Case
    accused: Rate
    findings: int
    broken: int
    broken_runs: int

    @property
    def holds(self) -> bool:
        """Whether the path keeps its rules (the interval's only when its runs are enough for it)."""
        below = self.accused.high < ALPHA if self.accused.runs >= RUNS else self.accused.low <= ALPHA
        return below and self.findings == 0 and 2 * self.broken > self.broken_runs


def main() -> int:
    """Run, print, write; 1 when a rule does not hold."""
    asked = settings(__doc__ or "", only="paths whose name holds one of these words (all)")
    began = time.monotonic()
    runs = QUICK_RUNS if asked.quick else RUNS
    broken_runs = QUICK_BROKEN_RUNS if asked.quick else BROKEN_RUNS
    places = [
        place for place, case in enumerate(CASES) if not asked.only or any(one in case.name for one in asked.only)
    ]
    tasks = [
        Task(place, first, min(first + CHUNK, count), asked.seed, broken)
        for broken, count in ((False, runs), (True, broken_runs))
        for first in range(0, count, CHUNK)
        for place in places
    ]
    results = spread(play, tasks, asked.jobs, "audits", lambda task: task.last - task.first)
    level = (1.0 - CONFIDENCE) / len(CASES)
    rows: list[Row] = []
    for place in places:
        case = CASES[place]
        sound, broken = (
            [one for task, some in zip(tasks, results, strict=True) if (task.place, task.broken) == key for one in some]
            for key in ((place, False), (place, True))
        )
        accused = Rate.of(sum(one.accused for one in sound), len(sound), level)
        findings = sum(one.finding for one in sound)
        rows.append(Row(case, accused, findings, sum(one.accused for one in broken), len(broken)))
    show(
        f"False alarms at the boundary, epsilon {EPSILON:g}, alpha {ALPHA:g}, {HORIZON:,} calls",
        ("answers", "numerics", "accused: runs and interval", "findings", "rules that have seen the answers", ""),
        [
            (
                row.case.name,
                row.case.numerics,
                str(row.accused),
                str(row.findings) if row.case.numerics == "real" else "",
                f"{row.broken}/{row.broken_runs}",
                "holds" if row.holds else "FAILS",
            )
            for row in rows
        ],
        left=2,
    )
    failed = sum(not row.holds for row in rows)
    print(f"{failed} of {len(rows)} paths break their rules")
    cells = [
        {
            "answers": row.case.name,
            "law": (row.case.answers.__doc__ or "").strip(),
            "numerics": row.case.numerics,
            **asdict(row.accused),
            "findings": row.findings,
            "broken": row.broken,
            "broken_runs": row.broken_runs,
            "verdict": "holds" if row.holds else "FAILS",
        }
        for row in rows
    ]
    settings_used = {"alpha": ALPHA, "epsilon": EPSILON, "horizon": HORIZON, "confidence": CONFIDENCE, "cells": cells}
    write_json(asked, began, failed == 0, settings_used)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
