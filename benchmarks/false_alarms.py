"""How often is a learner accused that keeps its claim exactly? And how often is one caught that leaks 1.5 times it?

Every audit here is of a mechanism at the boundary of its claim, at alpha 0.05. Paths:

* engine: the phases of an audit (certify, learn) with the interim analyses of `dpcheck.audit`, fed by a vectorised law;
* audit: `dpcheck.audit` itself, on a given pair or on pairs made from a dataset, all of them at the boundary;
* adversary: rules added and dropped by somebody who sees everything and wants an accusation.

Rules. The interval of every path's false alarms lies below alpha. So does not have to, but may not lie above it, that
of the misses of `epsilon_lower` (audit and measure) and of measure's curves: exact tests sit at their level. A leak of
1.5 times the claim is caught in at least 90% of the runs. All intervals of a run are Clopper-Pearson and hold together
with confidence 99%, so a sound engine fails the rules for coverage in at most 1 run of 200.

As a check that can fail, the average over the rules *present*, renormalised, must exceed alpha.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np
from bench import Rate, Settings, child_seed, settings, show, spread, write_json
from boundary import (
    LEFT,
    RIGHT,
    GaussianSum,
    GeometricShift,
    LaplaceSum,
    LaplaceVector,
    Law,
    RevealingResponse,
    check_curve,
    learner_of,
    missed_at,
    outputs,
    title_of,
)
from laws import GaussianShift, LaplaceShift, RandomisedResponse

import dpcheck
from dpcheck.execution.answers import Answers
from dpcheck.privacy.run.agreement_phase import OPENING_CALLS
from dpcheck.privacy.run.allocation import interim_size  # the engine's own, not a copy
from dpcheck.privacy.run.caller import shape_of, usual_size
from dpcheck.privacy.statistics.evidence import Tally, epsilon_lower, full_stakes, log_e_processes, log_evidence
from dpcheck.privacy.statistics.game import Batch, certify, learn, new_game, tally
from dpcheck.privacy.statistics.observations import observe

ALPHA = 0.05
#: All intervals of one run hold together with this confidence.
CONFIDENCE = 0.99
#: Runs of the door on one given pair: where one audit in 90 accuses, the interval of 300 runs reaches the 5% that none
#: may reach in two of three benchmarks, and that of so many in one of a thousand.
AUDITS = 900
#: The share of leaks of 1.5 times the claim that must be caught.
POWER = 0.9
#: Calls of an audit at the boundary: rules have been refitted a dozen times, and interim analyses number about forty.
HORIZON = 4_000
#: Calls in which a leak must be caught; those of the Gaussian with delta 1e-5, whose events have mass 0.001 to 0.01.
LEAK_HORIZON, RARE_LEAK_HORIZON = 20_000, 400_000
LEAK = 1.5
#: Runs in one task of a worker.
CHUNK = 20
#: ``--quick`` makes one run in so many.
QUICK_PART = 40
#: Points of a curve may be above the exact one by rounding errors.
ROUNDING = 1e-9
#: The adversary has an interim analysis after so many calls, and finds meaning in three coin flips that have none.
ADVERSARY_INTERIM, CELLS = 40, 8

Path = Literal["engine", "audit", "adversary", "measure"]


@dataclass(frozen=True)
class Policy:
    """How an adversary plays: how many rules it may add, and the wealth at which it drops one.

    A patient one risks all the money there is; a restless one drops a rule as soon as it loses, so that only
    winners are present.
    """

    places: int
    dropped_at: float


POLICIES = {"patient": Policy(4, 0.3), "restless": Policy(64, 0.95)}


@dataclass(frozen=True)
class Case:
    """One row: what is audited against which claim, how, with how many calls, how often, and under which rule."""

    title: str
    path: Path
    law: Law
    epsilon: float
    delta: float
    horizon: int
    runs: int
    leaks: bool = False
    judged: bool = True
    subject: str = "record"


@dataclass(frozen=True)
class Outcome:
    """What one run said: an accusation; a bound above the truth; a point of the curves beyond it; calls made.

    ``renormalised``: the adversary's accusation by the average over rules present. ``failed``: the check that runs
    are fresh, which has a level of its own, was wrong.
    """

    accused: bool = False
    bound_missed: bool = False
    curve_missed: bool = False
    renormalised: bool = False
    failed: bool = False
    calls: int = 0
    pairs: int = 1


@cache
def cases() -> tuple[Case, ...]:
    """All rows, in the order of the tables; the runs at the boundary number more than 20,000."""
    pure: list[Law] = [RandomisedResponse(1.0), GeometricShift(1.0), LaplaceShift(1.0)]
    approximate: list[Law] = [
        RevealingResponse(1.0, 1e-2),
        RevealingResponse(1.0, 1e-3),
        GaussianShift(1.0, 1e-2),
        RevealingResponse(1.0, 1e-5),
        GaussianShift(1.0, 1e-5),
    ]
    rows = [_case(law, "engine", HORIZON, 1_200) for law in [*pure, LaplaceShift(0.1), *approximate]]
    rows.append(_case(GaussianShift(1.0, 1e-5), "engine", LEAK_HORIZON, 600))
    rows += [_case(law, "audit", HORIZON, AUDITS) for law in (pure[0], pure[2], RevealingResponse(1.0, 1e-2))]
    rows.append(
        replace(_case(LaplaceShift(1.0), "audit", HORIZON, 300), title="laplace 1, 3 columns", subject="vector")
    )
    made = [LaplaceShift(2.0), GaussianShift(2.0, 1e-2)]
    rows += [
        replace(_case(law, "audit", HORIZON, 300), title=f"sum, {title_of(law)}, pairs of a dataset", subject="sum")
        for law in made
    ]
    rows += [
        replace(_case(law, "adversary", HORIZON, 1_700), title=f"{title_of(law)}, {policy}", subject=policy)
        for law in (RandomisedResponse(1.0), RevealingResponse(1.0, 1e-2))
        for policy in POLICIES
    ]
    judged = [*pure, *(law for law in approximate if isinstance(law, RevealingResponse))]
    rows += [_leak(law, "engine", LEAK_HORIZON, 300, judged=law in judged) for law in [*pure, *approximate[:-1]]]
    rows.append(_leak(approximate[-1], "engine", RARE_LEAK_HORIZON, 100, judged=True))
    rows += [_leak(law, "audit", LEAK_HORIZON, 100, judged=True) for law in (pure[0], pure[2], approximate[0])]
    rows += [
        replace(
            _leak(law, "audit", LEAK_HORIZON, 50, judged=isinstance(law, LaplaceShift)),
            title=f"sum, {title_of(law)}, pairs of a dataset",
            subject="sum",
        )
        for law in made
    ]
    measured = [*pure, RevealingResponse(1.0, 1e-2), GaussianShift(1.0, 1e-2), GaussianShift(1.0, 1e-5)]
    rows += [_case(law, "measure", HORIZON, 800) for law in measured]
    return tuple(rows)


def _case(law: Law, path: Path, horizon: int, runs: int) -> Case:
    return Case(title_of(law), path, law, law.epsilon, law.delta, horizon, runs)


def _leak(law: Law, path: Path, horizon: int, runs: int, *, judged: bool) -> Case:
    worse = replace(law, epsilon=LEAK * law.epsilon)
    return Case(title_of(law), path, worse, law.epsilon, law.delta, horizon, runs, leaks=True, judged=judged)


def through_the_phases(case: Case, seed: int) -> Outcome:
    """One audit by the engine's phases: coins, outputs, certify, test, learn."""
    rng = np.random.default_rng(seed)
    opening = observe(Answers(outputs(case.law, np.repeat(np.int8([0, 1]), OPENING_CALLS), rng)), "real")
    scale = usual_size(opening)
    game = new_game(shape_of(opening), case.epsilon, case.delta)
    accused, made = False, 0
    while not accused and (size := interim_size(game.calls, case.horizon - made)):
        coins = rng.integers(0, 2, size).astype(np.int8)
        batch = Batch(observe(Answers(outputs(case.law, coins, rng)), "real", scale), coins)
        game, made = certify(game, batch), made + size
        accused = log_evidence(tally(game), case.epsilon, case.delta) >= -math.log(ALPHA)
        game = game if accused else learn(game, batch)
    bound = epsilon_lower(tally(game), case.delta, ALPHA)
    return Outcome(accused, bound_missed=bound > case.law.epsilon + ROUNDING, calls=made)


def through_the_door(case: Case, seed: int) -> Outcome:
    """One audit by `dpcheck.audit`."""
    law, where = case.law, {"pairs": [(LEFT, RIGHT)]}
    learner: Any = learner_of(law)
    if case.subject == "vector":
        learner = LaplaceVector(law.epsilon, 3)
    elif case.subject == "sum":
        learner = GaussianSum(law.sigma) if isinstance(law, GaussianShift) else LaplaceSum(1.0 / law.epsilon)
        records = dpcheck.Records.bounded(0.0, 1.0)
        where = {"dataset": np.tile([0.0, 1.0], 4), "neighbours": dpcheck.ReplaceOne(records)}
    claim = dpcheck.ApproxDP(case.epsilon, case.delta) if case.delta else dpcheck.PureDP(case.epsilon)
    verdict = dpcheck.audit(
        learner,
        claim,
        alpha=ALPHA,
        max_samples=case.horizon,
        max_seconds=math.inf,
        isolation="none",
        seed=seed,
        **where,
    )
    failed = verdict.status is dpcheck.Status.LEARNER_FAILED
    if failed and "are not fresh" not in verdict.failure:
        raise RuntimeError(f"seed {seed}: {verdict}")
    missed = verdict.epsilon_lower > law.epsilon + ROUNDING
    accused = verdict.status is dpcheck.Status.VIOLATED
    return Outcome(accused, missed, failed=failed, calls=verdict.samples, pairs=verdict.pairs_tried)


def against_an_adversary(case: Case, seed: int) -> Outcome:
    """One audit in which somebody who sees everything adds and drops rules to raise the average.

    A rule guesses the bit that came out, in some of the cells of a coin flip that has nothing to do with it. After
    each analysis the adversary drops rules that have lost, and adds one for the cells that did best. The engine's
    evidence: fixed weights, rules not yet added are wealth not staked, dropped ones keep their last value.
    """
    rng, policy = np.random.default_rng(seed), POLICIES[case.subject]
    masks = np.zeros((0, CELLS), dtype=np.int64)
    counts = np.zeros((0, 3), dtype=np.int64)
    present = np.zeros(0, dtype=bool)
    accused = renormalised = False
    made = 0
    threshold = -math.log(ALPHA)
    while size := min(ADVERSARY_INTERIM, case.horizon - made):
        coins = rng.integers(0, 2, size).astype(np.int8)
        right = outputs(case.law, coins, rng) % 2 == coins  # the last bit of a revealed answer is the coin
        cells = rng.integers(0, CELLS, size)
        good, bad = (np.bincount(cells[which], minlength=CELLS) for which in (right, ~right))
        made += size
        counts[present] += np.column_stack([masks @ good, masks @ bad, np.full(len(masks), size)])[present]
        if len(counts):
            one_each = full_stakes(*counts.T)
            logs = log_e_processes(one_each, case.epsilon, case.delta)
            fixed: Tally = replace(one_each, weight=np.full(len(counts), 1.0 / policy.places))
            accused |= log_evidence(fixed, case.epsilon, case.delta) >= threshold
            if present.any():
                renormalised |= bool(np.log(np.exp(logs[present]).mean()) >= threshold)
            present &= logs > math.log(policy.dropped_at)
        if len(counts) < policy.places:
            best = (good - math.exp(case.epsilon) * bad > 0).astype(np.int64)
            masks = np.vstack([masks, best if best.any() else np.ones(CELLS, dtype=np.int64)])
            counts = np.vstack([counts, np.zeros(3, dtype=np.int64)])
            present = np.append(present, True)
    return Outcome(accused, renormalised=renormalised, calls=made)


def measured(case: Case, seed: int) -> Outcome:
    """One `dpcheck.measure`: is its bound above the truth, is any point of its curves beyond the exact ones?"""
    found = dpcheck.measure(
        learner_of(case.law),
        delta=case.delta,
        pairs=[(LEFT, RIGHT)],
        alpha=ALPHA,
        max_samples=case.horizon,
        isolation="none",
        seed=seed,
    )
    if found.failure or not found.profile or not found.tradeoff:
        raise RuntimeError(f"seed {seed}: {found}")
    law = case.law
    above = any(point.y > law.delta_at(point.x) + ROUNDING for point in found.profile)
    false, missed = np.array([(point.x, point.y) for point in found.tradeoff]).T
    below = bool((missed < missed_at(law, false) - ROUNDING).any())
    return Outcome(
        bound_missed=found.epsilon_lower > law.epsilon + ROUNDING, curve_missed=above or below, calls=found.samples
    )


PATHS: dict[Path, Callable[[Case, int], Outcome]] = {
    "engine": through_the_phases,
    "audit": through_the_door,
    "adversary": against_an_adversary,
    "measure": measured,
}


@dataclass(frozen=True)
class Task:
    """Some runs of one case."""

    place: int
    first: int
    last: int
    seed: int


def play(task: Task) -> list[Outcome]:
    """The outcomes of a task; a run depends on the benchmark's seed, its case and its number alone."""
    case = cases()[task.place]
    run = PATHS[case.path]
    return [run(case, child_seed(task.seed, task.place, number)) for number in range(task.first, task.last)]


def collect(asked: Settings) -> list[list[Outcome]]:
    """All outcomes, case by case."""
    tasks: list[Task] = []
    for place, case in enumerate(cases()):
        runs = max(1, case.runs // QUICK_PART) if asked.quick else case.runs
        chunk = max(1, CHUNK // 10) if case.horizon == RARE_LEAK_HORIZON else CHUNK
        tasks += [Task(place, first, min(first + chunk, runs), asked.seed) for first in range(0, runs, chunk)]
    # The long ones first, so that no worker is left alone with one at the end.
    tasks.sort(key=lambda task: -cases()[task.place].horizon)
    results = spread(play, tasks, asked.jobs, "audits", lambda task: task.last - task.first)
    found: list[list[Outcome]] = [[] for _ in cases()]
    for task, outcomes in zip(tasks, results, strict=True):
        found[task.place] += outcomes
    return found


@dataclass(frozen=True)
class Statement:
    """One judged (or shown) rate of a case: its name, its rule in words, and whether it holds (None: not judged)."""

    case: Case
    what: str
    rate: Rate
    rule: str
    holds: bool | None


def statements(found: list[list[Outcome]], quick: bool) -> list[Statement]:
    """Every rate with its rule; the intervals share the confidence equally."""
    raw: list[tuple[Case, str, int, int]] = []
    for case, outcomes in zip(cases(), found, strict=True):
        runs = len(outcomes)
        if case.leaks:
            raw.append((case, "caught", sum(o.accused for o in outcomes), runs))
            continue
        if case.path != "measure":
            raw.append((case, "accused", sum(o.accused for o in outcomes), runs))
        if case.path != "adversary":
            raw.append((case, "bound above the truth", sum(o.bound_missed for o in outcomes), runs))
        elif case.subject == "restless":
            raw.append((case, "renormalised", sum(o.renormalised for o in outcomes), runs))
        if case.path == "measure":
            raw.append((case, "curve beyond the truth", sum(o.curve_missed for o in outcomes), runs))
    fresh = [o for case, outcomes in zip(cases(), found, strict=True) if case.path == "audit" for o in outcomes]
    doors = Case("all of the audits", "audit", RandomisedResponse(1.0), 1.0, 0.0, LEAK_HORIZON, len(fresh))
    raw.append((doors, "found not fresh", sum(o.failed for o in fresh), len(fresh)))
    level = (1.0 - CONFIDENCE) / len(raw)
    return [_judged(case, what, Rate.of(events, runs, level), quick) for case, what, events, runs in raw]


def _judged(case: Case, what: str, rate: Rate, quick: bool) -> Statement:
    """With ``quick`` runs are too few for the rules: one fails only when its interval proves the contrary."""
    if what in ("accused", "found not fresh"):
        return Statement(case, what, rate, f"below {ALPHA:.0%}", rate.low <= ALPHA if quick else rate.high < ALPHA)
    if what == "renormalised":
        return Statement(case, what, rate, f"above {ALPHA:.0%}", rate.high >= ALPHA if quick else rate.low > ALPHA)
    if what == "caught":
        reached = rate.high >= POWER if quick else rate.share >= POWER
        return Statement(case, what, rate, f"share at least {POWER:.0%}", reached if case.judged else None)
    return Statement(case, what, rate, f"not above {ALPHA:.0%}", rate.low <= ALPHA)


def verdict_of(statement: Statement) -> str:
    """The word in the last column."""
    return "shown" if statement.holds is None else "holds" if statement.holds else "FAILS"


def _table(title: str, chosen: list[Statement], calls: dict[Case, str]) -> None:
    rows = [
        (
            s.case.title,
            s.case.path,
            s.what,
            f"{s.case.horizon:,}",
            calls.get(s.case, ""),
            str(s.rate),
            s.rule,
            verdict_of(s),
        )
        for s in chosen
    ]
    headings = ("mechanism", "path", "event", "calls (median)", "runs and interval", "rule", "")
    show(title, headings, rows, left=3)


def main() -> int:
    """Run, print, write; 1 when a rule does not hold."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    for law in {case.law for case in cases()}:
        check_curve(law)
    found = collect(asked)
    judged = statements(found, asked.quick)
    of = dict(zip(cases(), found, strict=True))
    calls = {
        case: f"{np.median([o.calls for o in outcomes]):,.0f} of {case.horizon:,}" for case, outcomes in of.items()
    }
    boundary = [s for s in judged if not s.case.leaks]
    _table("False alarms at the boundary, alpha 0.05", [s for s in boundary if s.what == "accused"], calls)
    _table("The check that runs are fresh, with a level of its own", [s for s in judged if s.what[0] == "f"], calls)
    _table("Coverage", [s for s in boundary if s.what.endswith("truth")], calls)
    _table(f"Power against a leak of {LEAK:g} times the claim", [s for s in judged if s.case.leaks], calls)
    _table(
        "A check that can fail: experts present, renormalised", [s for s in boundary if s.what == "renormalised"], calls
    )
    audits = sum(s.rate.runs for s in boundary if s.what == "accused")
    failed = sum(s.holds is False for s in judged)
    print(f"{audits:,} audits at the boundary; the intervals hold together with confidence {CONFIDENCE:.0%}")
    print(f"{failed} of {len(judged)} rates break their rule")
    cells = [
        {
            **{key: value for key, value in asdict(s.case).items() if key != "law"},
            "law": {"name": s.case.law.name, "epsilon": s.case.law.epsilon, "delta": s.case.law.delta},
            "event": s.what,
            "median_calls": float(np.median([o.calls for o in of[s.case]])) if s.case in of else None,
            "median_pairs": float(np.median([o.pairs for o in of[s.case]])) if s.case in of else None,
            **asdict(s.rate),
            "share": s.rate.share,
            "rule": s.rule,
            "verdict": verdict_of(s),
        }
        for s in judged
    ]
    write_json(asked, began, failed == 0, {"alpha": ALPHA, "confidence": CONFIDENCE, "audits": audits, "cells": cells})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
