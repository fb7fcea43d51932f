"""The false alarms and the power of audits of zCDP, Rényi and Gaussian DP, at alpha 0.05.

Mechanisms that keep such a claim with nothing to spare: a Gaussian at its mu and its rho, Laplace noise and
randomised response at their Rényi divergence (randomised response is the extremal mechanism of a Rényi claim: at one
epsilon it reaches all the delta the claim implies). Beside them mechanisms that leak: 1.5 times the mu; 1.5 times the
spread of a Gaussian against its rho; 1.5 times the epsilon of Laplace and randomised response.

Two paths: events known beforehand (thresholds of the exact loss, watched from the first call on, evidence after every
50 calls: nothing is closer to its boundary), and the engine's phases with what they learn. A third is `dpcheck.audit`.

Rules. The interval of every row's false alarms lies below alpha; that of the verdicts' bounds on the claim's own
parameter (audit) above the truth does not lie above alpha. A leak is caught in at least 90% of the runs. All intervals
are Clopper-Pearson and hold together with confidence 99%.

As a check that can fail, a claim read as half of what it is (half the mu) must be refuted more often than alpha.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import asdict, dataclass, replace
from functools import cache
from typing import Any, Literal

import numpy as np
from bench import Rate, Settings, child_seed, settings, show, spread, write_json
from boundary import LEFT, RIGHT, Law, learner_of, outputs
from laws import GaussianShift, LaplaceShift, RandomisedResponse

import dpcheck
from dpcheck.execution.answers import Answers
from dpcheck.model.claims import CurveClaim, GaussianDP, RenyiDP, ZeroConcentratedDP, points_tested
from dpcheck.privacy.run.agreement_phase import OPENING_CALLS
from dpcheck.privacy.run.allocation import interim_size
from dpcheck.privacy.run.caller import shape_of, usual_size
from dpcheck.privacy.statistics.claim_evidence import log_evidence_against
from dpcheck.privacy.statistics.evidence import full_stakes, log_e_processes_at
from dpcheck.privacy.statistics.game import Batch, certify, game_against, learn, tally
from dpcheck.privacy.statistics.observations import observe

ALPHA = 0.05
CONFIDENCE = 0.99
POWER = 0.9
#: Calls of an audit at the boundary, and those in which a leak must be caught.
HORIZON, LEAK_HORIZON = 4_000, 40_000
LEAK = 1.5
CHUNK = 20
#: Runs with known events are made together, so many at a time, with evidence after so many calls each.
TOGETHER, INTERIM = 100, 50
#: Runs of the smaller rows: one false alarm in 200, where 10 are allowed, left the interval above the level.
FEWER = 400
#: Parts of the outputs on which the known events guess.
COVERAGES = (1.0, 0.5, 0.25, 0.1, 0.05, 0.02)
QUICK_PART = 40
ROUNDING = 1e-6

Path = Literal["events", "engine", "audit"]
Role = Literal["boundary", "leak", "misread"]


@dataclass(frozen=True)
class Case:
    """One row: a law, the claim about it, the true parameter (None for leaks) and how often it is audited."""

    title: str
    path: Path
    law: Law
    claim: CurveClaim
    truth: float
    role: Role
    horizon: int
    runs: int


@dataclass(frozen=True)
class Outcome:
    """Was the claim refuted, was the verdict's bound on the parameter above the truth, and how many calls it took."""

    accused: bool
    missed: bool
    calls: int


def gaussian(mu: float) -> GaussianShift:
    """The normal law whose shift is ``mu`` standard deviations."""
    return GaussianShift(mu, GaussianDP(mu).delta(mu))


def renyi_of_laplace(epsilon: float, order: float) -> float:
    """The Rényi divergence of two Laplace laws ``epsilon`` scales apart (Mironov 2017, arXiv:1702.07476, table II)."""
    near, far = order / (2 * order - 1), (order - 1) / (2 * order - 1)
    return math.log(near * math.exp(epsilon * (order - 1)) + far * math.exp(-epsilon * order)) / (order - 1)


def renyi_of_response(epsilon: float, order: float) -> float:
    """That of randomised response (Mironov 2017, table II)."""
    p = 1.0 / (1.0 + math.exp(-epsilon))
    return math.log(p**order * (1 - p) ** (1 - order) + (1 - p) ** order * p ** (1 - order)) / (order - 1)


def runs_of(title: str) -> int:
    """A thousand audits of each kind of claim, fewer of the others."""
    return 1_000 if title in ("gaussian, mu 1", "gaussian, rho 0.5", "laplace 1, order 2", "RR 1, order 8") else FEWER


@cache
def cases() -> tuple[Case, ...]:
    """All rows."""
    kept: list[tuple[str, Law, CurveClaim, float, Law]] = []
    for mu in (1.0, 0.3):
        law = gaussian(mu)
        exact = 1.0 / law.sigma
        kept.append((f"gaussian, mu {mu:g}", law, GaussianDP(exact), exact, gaussian(LEAK * mu)))
    law = gaussian(1.0)
    rho = 0.5 / law.sigma**2
    kept.append(("gaussian, rho 0.5", law, ZeroConcentratedDP(rho), rho, gaussian(LEAK)))
    for order in (2.0, 8.0):
        divergence = renyi_of_laplace(1.0, order)
        worse = LaplaceShift(LEAK)
        kept.append((f"laplace 1, order {order:g}", LaplaceShift(1.0), RenyiDP(order, divergence), divergence, worse))
    for order in (2.0, 8.0):
        divergence = renyi_of_response(1.0, order)
        claim = RenyiDP(order, divergence)
        kept.append((f"RR 1, order {order:g}", RandomisedResponse(1.0), claim, divergence, RandomisedResponse(LEAK)))
    rows = [
        Case(title, "engine", law, claim, truth, "boundary", HORIZON, runs_of(title))
        for title, law, claim, truth, _ in kept
    ]
    doors = [row for row in rows if row.title in ("gaussian, mu 1", "gaussian, rho 0.5")]
    rows += [replace(row, path="events", runs=4_000) for row in rows]
    rows += [replace(row, path="audit", runs=FEWER) for row in doors]
    rows += [
        Case(title, "engine", worse, claim, math.inf, "leak", LEAK_HORIZON, 60) for title, _, claim, _, worse in kept
    ]
    halved = gaussian(1.0)
    rows.append(
        Case("gaussian, mu 1, half claimed", "engine", halved, GaussianDP(0.5), math.inf, "misread", HORIZON, 200)
    )
    return tuple(rows)


def with_known_events(case: Case, seed: int, runs: int) -> list[Outcome]:
    """Audits whose rules guess by the sign of the exact loss, where it is large; all runs at once."""
    rng = np.random.default_rng(seed)
    points = points_tested(case.claim)
    typical = np.abs(case.law.loss(outputs(case.law, np.repeat(np.int8([0, 1]), 50_000), rng).astype(float)))
    cuts = np.quantile(typical, 1.0 - np.array(COVERAGES)) * (1.0 - 1e-9)
    coins = rng.integers(0, 2, runs * case.horizon).astype(np.int8)
    loss = case.law.loss(outputs(case.law, coins, rng).astype(float))
    right = (loss > 0) == (coins == 1)
    guessed = np.abs(loss)[:, None] >= cuts
    analyses = case.horizon // INTERIM
    counts = [
        (guessed & which[:, None]).reshape(runs, analyses, INTERIM, -1).sum(axis=2).cumsum(axis=1)
        for which in (right, ~right)
    ]
    calls = np.broadcast_to(INTERIM * np.arange(1, analyses + 1)[None, :, None], counts[0].shape)
    logs = np.concatenate(
        [
            log_e_processes_at(full_stakes(v.ravel(), w.ravel(), n.ravel()), points)
            for v, w, n in zip(*counts, calls, strict=True)
        ]
    ).reshape(runs, analyses, -1)
    evidence = np.logaddexp.reduce(logs, axis=2) - math.log(len(COVERAGES))
    accused = evidence >= -math.log(ALPHA)
    first = np.where(accused.any(axis=1), INTERIM * (accused.argmax(axis=1) + 1), case.horizon)
    return [Outcome(bool(hit), False, int(made)) for hit, made in zip(accused.any(axis=1), first, strict=True)]


def through_the_phases(case: Case, seed: int) -> Outcome:
    """One audit by the engine's phases: coins, outputs, certify, test, learn."""
    rng = np.random.default_rng(seed)
    opening = observe(Answers(outputs(case.law, np.repeat(np.int8([0, 1]), OPENING_CALLS), rng)), "real")
    scale = usual_size(opening)
    game = game_against(shape_of(opening), case.claim)
    accused, made = False, 0
    while not accused and (size := interim_size(game.calls, case.horizon - made)):
        coins = rng.integers(0, 2, size).astype(np.int8)
        batch = Batch(observe(Answers(outputs(case.law, coins, rng)), "real", scale), coins)
        game, made = certify(game, batch), made + size
        accused = log_evidence_against(tally(game), case.claim) >= -math.log(ALPHA)
        game = game if accused else learn(game, batch)
    return Outcome(accused, False, made)


def through_the_door(case: Case, seed: int) -> Outcome:
    """One audit by `dpcheck.audit`."""
    verdict = dpcheck.audit(
        learner_of(case.law),
        case.claim,
        pairs=[(LEFT, RIGHT)],
        alpha=ALPHA,
        max_samples=case.horizon,
        max_seconds=math.inf,
        isolation="none",
        seed=seed,
    )
    if verdict.status is dpcheck.Status.LEARNER_FAILED:
        raise RuntimeError(f"seed {seed}: {verdict}")
    missed = verdict.parameter_lower > case.truth * (1.0 + ROUNDING)
    return Outcome(verdict.status is dpcheck.Status.VIOLATED, missed, verdict.samples)


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
    if case.path == "events":
        return with_known_events(case, child_seed(task.seed, task.place, task.first), task.last - task.first)
    run = through_the_phases if case.path == "engine" else through_the_door
    return [run(case, child_seed(task.seed, task.place, number)) for number in range(task.first, task.last)]


def collect(asked: Settings) -> list[list[Outcome]]:
    """All outcomes, case by case."""
    tasks: list[Task] = []
    for place, case in enumerate(cases()):
        runs = max(1, case.runs // QUICK_PART) if asked.quick else case.runs
        chunk = TOGETHER if case.path == "events" else CHUNK
        tasks += [Task(place, first, min(first + chunk, runs), asked.seed) for first in range(0, runs, chunk)]
    tasks.sort(key=lambda task: -cases()[task.place].horizon)
    results = spread(play, tasks, asked.jobs, "audits", lambda task: task.last - task.first)
    found: list[list[Outcome]] = [[] for _ in cases()]
    for task, outcomes in zip(tasks, results, strict=True):
        found[task.place] += outcomes
    return found


@dataclass(frozen=True)
class Statement:
    """One judged rate of a case: its name, its rule in words, and whether it holds."""

    case: Case
    what: str
    rate: Rate
    rule: str
    holds: bool


def statements(found: list[list[Outcome]], quick: bool) -> list[Statement]:
    """Every rate with its rule; the intervals share the confidence equally. Quick runs fail only on a proof."""
    raw: list[tuple[Case, str, int, int]] = []
    for case, outcomes in zip(cases(), found, strict=True):
        raw.append((case, "accused", sum(o.accused for o in outcomes), len(outcomes)))
        if case.role == "boundary" and case.path == "audit":
            raw.append((case, "bound above the truth", sum(o.missed for o in outcomes), len(outcomes)))
    level = (1.0 - CONFIDENCE) / len(raw)
    judged = []
    for case, what, events, runs in raw:
        rate = Rate.of(events, runs, level)
        if case.role == "leak":
            rule, holds = f"share at least {POWER:.0%}", (rate.high if quick else rate.share) >= POWER
        elif case.role == "misread":
            rule, holds = f"above {ALPHA:.0%}", (rate.high if quick else rate.low) > ALPHA
        elif what == "accused":
            rule, holds = f"below {ALPHA:.0%}", (rate.low if quick else rate.high) < ALPHA
        else:
            rule, holds = f"not above {ALPHA:.0%}", rate.low <= ALPHA
        judged.append(Statement(case, what, rate, rule, holds))
    return judged


def main() -> int:
    """Run, print, write; 1 when a rule does not hold."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    found = collect(asked)
    judged = statements(found, asked.quick)
    calls = {case: float(np.median([o.calls for o in outcomes])) for case, outcomes in zip(cases(), found, strict=True)}
    rows = [
        (
            s.case.title,
            s.case.path,
            str(s.case.claim),
            s.case.role,
            s.what,
            f"{calls[s.case]:,.0f} of {s.case.horizon:,}",
            str(s.rate),
            s.rule,
            "holds" if s.holds else "FAILS",
        )
        for s in judged
    ]
    headings = ("mechanism", "path", "claim", "role", "event", "calls (median)", "runs and interval", "rule", "")
    show("zCDP, Rényi and Gaussian DP at alpha 0.05", headings, rows, left=5)
    failed = sum(not s.holds for s in judged)
    print(f"{failed} of {len(judged)} rates break their rule; intervals hold together with confidence {CONFIDENCE:.0%}")
    cells: list[dict[str, Any]] = [
        {
            "mechanism": s.case.title,
            "path": s.case.path,
            "claim": str(s.case.claim),
            "role": s.case.role,
            "event": s.what,
            "horizon": s.case.horizon,
            "median_calls": calls[s.case],
            **asdict(s.rate),
            "share": s.rate.share,
            "rule": s.rule,
            "holds": s.holds,
        }
        for s in judged
    ]
    write_json(asked, began, failed == 0, {"alpha": ALPHA, "confidence": CONFIDENCE, "cells": cells})
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
