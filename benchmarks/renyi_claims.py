"""zCDP and Rényi DP tested for what they are: false alarms, bounds above the truth, calls to refute, certified rho.

Boundary: Gaussian noise, randomised response and lattice noise, compositions of them, and a family of laws made at
random, with claims of zCDP and of Rényi DP at three orders that hold with nothing to spare.

- *Audits*: the bets against divergences by themselves, at alpha 0.05, looked at after every interim analysis up to a
  horizon; an accusation is a bound on the parameter above the truth too. All runs of a row are played at once, by the
  engine's own bets (:func:`dpcheck.privacy.statistics.nearest_null.best_bets`) on histograms.
- *Measurements*: :func:`dpcheck.privacy.statistics.divergence_bounds.divergence_bounds` of a first part of 2,000
  outputs and 18,000 more: rho above the truth, or any of the ten divergences.
- *Leaks* of 30% more than claimed (of the rho, or of the divergence of the order), by the engine's phases as in an
  audit, at alpha 0.001: calls to refute beside those that a GDP claim takes of the same Gaussian, and beside the
  expectation ``log(1 / alpha) / KL`` of whoever knows the laws, KL their relative entropy from the nearest null. Those
  of which more than 60,000 are expected are not played: no test refutes them sooner.
- *Rho*: what ``learn_plan`` and ``certify_plan`` certify at 200,000 outputs, over the truth.

Rules: intervals of false alarms and of bounds above the truth (Clopper-Pearson, together with confidence 99%) do not
lie above alpha; leaks that can be refuted are in 20 of 20 runs; the median of rho over the truth is at least 0.9.
As a check that can fail, bets that were fitted to the very outputs that they are paid on must break it.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from bench import Rate, Settings, child_seed, settings, show, spread, write_json
from numpy.typing import NDArray
from renyi_laws import FinitePair, Floats, gaussian, generated, lattice, product, response

from dpcheck.execution.answers import Answers
from dpcheck.model.claims import Claim, GaussianDP, RenyiDP, ZeroConcentratedDP
from dpcheck.privacy.run.allocation import interim_size
from dpcheck.privacy.run.measure import parts_of
from dpcheck.privacy.statistics.claim_evidence import log_evidence_against
from dpcheck.privacy.statistics.divergence_bounds import divergence_bounds
from dpcheck.privacy.statistics.divergence_game import UNSEEN, View
from dpcheck.privacy.statistics.divergences import BoundedDivergences, divergences_bounded, power_divergence
from dpcheck.privacy.statistics.game import Batch, Shape, certify, game_against, learn, tally
from dpcheck.privacy.statistics.horizon import certify_plan, learn_plan
from dpcheck.privacy.statistics.nearest_null import best_bets
from dpcheck.privacy.statistics.observations import observe

ALPHA, LEAK_ALPHA = 0.05, 1e-3
CONFIDENCE = 0.99
RUNS, LEAK_RUNS, RHO_RUNS = 2_000, 20, 20
HORIZON, LEAK_HORIZON, OUTPUTS = 5_000, 400_000, 200_000
#: Outputs of a measurement at the boundary: learned from, and certified.
LEARNED, CERTIFIED = 2_000, 18_000
LEAK = 1.3
CHUNK, QUICK_PART = 100, 40
#: The truth is a supremum over orders, and rounded.
ROUNDING = 1e-9
#: Leaks that take more calls than this are said, and not played.
FEASIBLE = 60_000

Door = Literal["audit", "measure"]


@dataclass(frozen=True)
class Boundary:
    """A row at the boundary: the pair (None: a new one of the random family in each run), and the claim's order."""

    title: str
    pair: FinitePair | None
    order: float | None
    door: Door
    defect: bool = False


@cache
def boundaries() -> tuple[Boundary, ...]:
    """All rows at the boundary; order None is zCDP."""
    pairs = [
        gaussian(1.0),
        gaussian(0.3),
        response(1.0),
        lattice(1.0),
        product(response(0.5), response(0.5), response(0.5)),
        product(gaussian(0.5), response(0.5)),
    ]
    rows = [
        Boundary(pair.name, pair, order, "audit")
        for pair in pairs
        for order in ((None, 2.0, 4.0, 8.0) if pair in pairs[::2] else (None, 2.0))
    ]
    rows += [Boundary("random family", None, order, "audit") for order in (None, 2.0, 4.0, 8.0)]
    rows += [Boundary(pair.name, pair, None, "measure") for pair in pairs]
    rows.append(Boundary("random family", None, None, "measure"))
    rows.append(Boundary("fitted to the same outputs", lattice(0.3), None, "audit", defect=True))
    return tuple(rows)


def claim_of(pair: FinitePair, order: float | None, share: float = 1.0) -> Claim:
    """The claim that a pair keeps with nothing to spare, or a part of it."""
    if order is None:
        return ZeroConcentratedDP(share * pair.rho)
    return RenyiDP(order, share * float(pair.renyi(np.array([order]))[0]))


def at_the_boundary(row: Boundary, seed: int, runs: int) -> list[int]:
    """How many runs of a row accuse; or certify more than the true rho, and more than some true divergence."""
    rng = np.random.default_rng(seed)
    pairs = [row.pair if row.pair is not None else generated(rng) for _ in range(runs)]
    if row.door == "audit":
        return [_accused(pairs, row.order, rng, peeking=row.defect)]
    return [int(count) for count in np.sum([_measured_too_much(pair, rng) for pair in pairs], axis=0)]


def _accused(pairs: list[FinitePair], order: float | None, rng: np.random.Generator, *, peeking: bool) -> int:
    """Audits of many pairs at once, each with a claim of its own, by the bets against divergences alone."""
    runs, cells = len(pairs), max(len(pair.left) for pair in pairs)
    left, right = np.zeros((2, runs, cells))
    for run, pair in enumerate(pairs):
        left[run, : len(pair.left)], right[run, : len(pair.right)] = pair.left, pair.right
    claims = [claim_of(pair, order, 1.0 + ROUNDING) for pair in pairs]
    bounded = [found for claim in claims if (found := divergences_bounded(claim)) is not None]
    orders, weights = bounded[0].orders, bounded[0].weights
    allowed = np.stack([power_divergence(orders, one.bounds[:, one.claimed]) for one in bounded])
    past = np.zeros((runs, cells, 2))
    wealth = np.zeros((runs, 2, len(orders)))
    accused, made = np.zeros(runs, bool), 0
    while size := interim_size(made, HORIZON - made):
        on_left = rng.binomial(size, 0.5, runs)
        hits = np.stack([rng.multinomial(size - on_left, right), rng.multinomial(on_left, left)], axis=2)
        if made:
            learned = past + hits if peeking else past
            wealth += _paid(learned, hits, orders, allowed)
            evidence = np.logaddexp.reduce(wealth + np.log(0.5 * weights), axis=(1, 2))
            accused |= evidence >= -math.log(ALPHA)
        past, made = past + hits, made + size
    return int(accused.sum())


def _paid(past: Floats, hits: NDArray[np.int64], orders: Floats, allowed: Floats) -> Floats:
    """What the wealth is multiplied by, logarithms of shape (runs, directions, orders)."""
    runs, cells, _ = past.shape
    mass = past.sum(axis=2) + UNSEEN
    posterior = (past[:, :, 1] + 0.5) / (past.sum(axis=2) + 1.0)
    laws = [mass * posterior, mass * (1.0 - posterior)]
    laws = [np.repeat(law / law.sum(axis=1, keepdims=True), len(orders), axis=0) for law in laws]
    bets = [best_bets(laws[side], laws[1 - side], np.tile(orders, runs), allowed.ravel()) for side in (0, 1)]
    logs = []
    for side, bet in enumerate(bets):
        on_d, on_other = (bet.on_left, bet.on_right) if side == 0 else (bet.on_right, bet.on_left)
        each = [np.log1p(bets_on.reshape(runs, len(orders), cells)) for bets_on in (on_d, on_other)]
        logs.append(np.einsum("rok,rk->ro", each[0], hits[:, :, 1]) + np.einsum("rok,rk->ro", each[1], hits[:, :, 0]))
    return np.stack(logs, axis=1)


def _measured_too_much(pair: FinitePair, rng: np.random.Generator) -> tuple[bool, bool]:
    """Whether a measurement certifies more than the truth: of rho, and of any of its divergences."""
    past, hits = (
        np.stack([rng.multinomial(calls - there, pair.right), rng.multinomial(there, pair.left)], axis=1)
        for calls, there in ((calls, int(rng.binomial(calls, 0.5))) for calls in (LEARNED, CERTIFIED))
    )
    view = View(past, (past[:, 1] + 0.5) / (past.sum(axis=1) + 1.0))
    found = divergence_bounds([(view, hits)], ALPHA)
    above = found.lower > pair.renyi(found.orders) * (1.0 + ROUNDING)
    return found.rho_lower > pair.rho * (1.0 + ROUNDING), bool(above.any())


@dataclass(frozen=True)
class Leak:
    """A law that leaks 30% more than is claimed: who draws it, the claim, and its pair where it is finite."""

    title: str
    claim: Claim
    pair: FinitePair
    numbers: float = 0.0

    def draw(self, coins: NDArray[np.int8], rng: np.random.Generator) -> NDArray[Any]:
        """One output per coin: of a Gaussian a number, else the cell."""
        if self.numbers:
            return self.numbers * coins + rng.normal(size=len(coins))
        cells = [rng.choice(len(law), len(coins), p=law / law.sum()) for law in (self.pair.right, self.pair.left)]
        return np.where(coins == 1, cells[1], cells[0])

    @property
    def expected(self) -> float:
        """``log(1 / alpha) / KL`` of the best of all orders."""
        bounded = divergences_bounded(self.claim)
        return math.inf if bounded is None else expected_calls(self.pair, bounded)


def expected_calls(pair: FinitePair, bounded: BoundedDivergences) -> float:
    """The calls expected of whoever knows both laws and the order and direction that are best."""
    orders = np.tile(bounded.orders, 2)
    allowed = power_divergence(orders, np.tile(bounded.bounds[:, bounded.claimed], 2))
    laws = [np.repeat(law[None], len(orders) // 2, axis=0) for law in (pair.left, pair.right)]
    bets = best_bets(np.concatenate(laws), np.concatenate(laws[::-1]), orders, allowed)
    return -math.log(LEAK_ALPHA) / max(float(bets.growth.max()), 1e-300)


@cache
def leaks() -> tuple[Leak, ...]:
    """All leaks. A Gaussian against its GDP claim is what those of the same mu are compared with."""
    rows: list[Leak] = []
    for mu in (1.0, 0.3):
        worse, rho = math.sqrt(LEAK) * mu, 0.5 * mu**2
        claims: list[Claim] = [GaussianDP(mu), ZeroConcentratedDP(rho)]
        claims += [RenyiDP(order, order * rho) for order in (2.0, 4.0, 8.0)]
        rows += [Leak(f"Gaussian {mu:g}", claim, _fine(worse), worse) for claim in claims]
    for pair in (response(1.0), product(response(0.5), response(0.5), response(0.5))):
        for order in (None, 2.0, 4.0, 8.0):
            rows.append(Leak(pair.name, claim_of(pair, order, 1.0 / LEAK), pair))
    return tuple(rows)


def _fine(mu: float) -> FinitePair:
    """The Gaussian in cells so fine that nothing is lost."""
    from scipy.special import ndtr

    edges = np.concatenate([[-np.inf], np.linspace(-8.0, 8.0 + mu, 400), [np.inf]])
    left, right = np.diff(ndtr(edges - mu)), np.diff(ndtr(edges))
    seen = np.minimum(left, right) > 1e-18
    return FinitePair(f"Gaussian {mu:.3g}", left[seen] / left[seen].sum(), right[seen] / right[seen].sum())


def calls_to_refute(leak: Leak, seed: int) -> float:
    """The calls after which the evidence, all of it, refutes the claim; infinite within the horizon."""
    rng = np.random.default_rng(seed)
    game, made = game_against(Shape(1, repeats=not leak.numbers, others=False), leak.claim), 0
    while size := interim_size(game.calls, LEAK_HORIZON - made):
        coins = rng.integers(0, 2, size).astype(np.int8)
        batch = Batch(observe(Answers(leak.draw(coins, rng)), "real"), coins)
        game, made = certify(game, batch), made + size
        if log_evidence_against(tally(game), leak.claim) >= -math.log(LEAK_ALPHA):
            return made
        game = learn(game, batch)
    return math.inf


def certified_rho(leak: Leak, seed: int) -> float:
    """The rho that a measurement of 200,000 outputs certifies, over the truth."""
    rng = np.random.default_rng(seed)
    learned, _ = parts_of(OUTPUTS, 1)
    coins = rng.integers(0, 2, OUTPUTS).astype(np.int8)
    drawn = leak.draw(coins, rng)
    shape = Shape(1, repeats=not leak.numbers, others=False)
    first, rest = (
        Batch(observe(Answers(drawn[part]), "real"), coins[part]) for part in (slice(learned), slice(learned, None))
    )
    plan = learn_plan(first, shape, 0.0, ALPHA, OUTPUTS - learned)
    found = certify_plan(plan, rest, 0.0, ALPHA).divergences
    assert found is not None
    truth = leak.numbers**2 / 2.0 if leak.numbers else leak.pair.rho
    return found.rho_lower / truth


@dataclass(frozen=True)
class Task:
    """Some runs of one row."""

    what: Literal["boundary", "leak", "rho"]
    place: int
    first: int
    last: int
    seed: int


def play(task: Task) -> list[float]:
    """The outcomes of a task: counts of false ones, calls, or parts of rho."""
    if task.what == "boundary":
        seed = child_seed(task.seed, 0, task.place, task.first)
        return [float(count) for count in at_the_boundary(boundaries()[task.place], seed, task.last - task.first)]
    run = calls_to_refute if task.what == "leak" else certified_rho
    key = 1 if task.what == "leak" else 2
    return [run(leaks()[task.place], child_seed(task.seed, key, task.place, n)) for n in range(task.first, task.last)]


def collect(asked: Settings) -> dict[tuple[str, int], list[float]]:
    """All outcomes, by what and row."""
    part = QUICK_PART if asked.quick else 1
    tasks: list[Task] = []
    for place in range(len(boundaries())):
        runs = max(20, RUNS // part)
        tasks += [Task("boundary", place, n, min(n + CHUNK, runs), asked.seed) for n in range(0, runs, CHUNK)]
    for place, leak in enumerate(leaks()):
        runs = 2 if asked.quick else LEAK_RUNS
        if leak.expected <= FEASIBLE or isinstance(leak.claim, GaussianDP):
            tasks += [Task("leak", place, n, n + 1, asked.seed) for n in range(runs)]
        if isinstance(leak.claim, ZeroConcentratedDP):
            tasks += [Task("rho", place, n, n + 1, asked.seed) for n in range(2 if asked.quick else RHO_RUNS)]
    results = spread(play, tasks, asked.jobs, "runs", lambda task: task.last - task.first)
    found: dict[tuple[str, int], list[float]] = {}
    for task, outcomes in zip(tasks, results, strict=True):
        found.setdefault((task.what, task.place), []).extend(outcomes)
    return found


def _calls(calls: float) -> str:
    return "" if math.isinf(calls) else f"{calls:,.0f}" if calls < 1e9 else f"{calls:.0e}"


def main() -> int:
    """Run, print, write; 1 when a rule does not hold."""
    asked = settings(__doc__ or "")
    began = time.monotonic()
    found = collect(asked)
    cells: list[dict[str, Any]] = []
    rows: list[tuple[str, ...]] = []
    good = True
    level = (1.0 - CONFIDENCE) / (2 * len(boundaries()))
    runs = max(20, RUNS // (QUICK_PART if asked.quick else 1))
    for place, row in enumerate(boundaries()):
        counts = found["boundary", place]
        doors = {"audit": counts} if row.door == "audit" else {"rho": counts[::2], "divergences": counts[1::2]}
        for door, events in doors.items():
            rate = Rate.of(int(sum(events)), runs, level)
            holds = rate.low <= ALPHA if not row.defect else (rate.high if asked.quick else rate.low) > ALPHA
            claim = "zCDP" if row.order is None else f"order {row.order:g}"
            good &= holds
            rows.append((row.title, door, claim, str(rate), "holds" if holds else "FAILS"))
            cells.append({"what": "boundary", "mechanism": row.title, "door": door, "claim": claim, **asdict(rate)})
    show(
        f"Accused, or certified above the truth, at alpha {ALPHA}",
        ("mechanism", "door", "claim", "rate", ""),
        rows,
        left=3,
    )
    gdp = {
        leak.title: float(np.median(found["leak", place]))
        for place, leak in enumerate(leaks())
        if isinstance(leak.claim, GaussianDP)
    }
    rows = []
    for place, leak in enumerate(leaks()):
        calls = found.get(("leak", place))
        median = float(np.median(calls)) if calls else math.inf
        caught = sum(made < math.inf for made in calls) if calls else 0
        holds = calls is None or caught == len(calls)
        good &= holds or asked.quick
        told = f"{caught} of {len(calls)}" if calls else "not played"
        rows.append(
            (
                leak.title,
                str(leak.claim),
                _calls(leak.expected),
                told,
                _calls(median),
                f"{median / gdp[leak.title]:.2f}" if calls and leak.title in gdp else "",
            )
        )
        cells.append({"what": "leak", "mechanism": leak.title, "claim": str(leak.claim), "expected": leak.expected})
        cells[-1] |= {"caught": caught, "runs": len(calls or ()), "median_calls": median}
    headings = (
        "leak of 1.3 times the claim",
        "claim",
        "calls expected",
        "refuted",
        "calls (median)",
        "of the GDP claim's",
    )
    show(f"Calls to refute at alpha {LEAK_ALPHA}", headings, rows, left=2)
    rows = []
    for (what, place), parts in found.items():
        if what == "rho":
            share, least = float(np.median(parts)), float(np.min(parts))
            good &= share >= 0.9
            rows.append((leaks()[place].title, f"{share:.3f}", f"{least:.3f}", "holds" if share >= 0.9 else "FAILS"))
            cells.append({"what": "rho", "mechanism": leaks()[place].title, "median_share": share, "least": least})
    show(f"Certified rho over the truth, {OUTPUTS:,} outputs", ("law", "median", "least", ""), rows, left=1)
    plain = [{k: (None if v == math.inf else v) for k, v in cell.items()} for cell in cells]
    write_json(asked, began, good, {"alpha": ALPHA, "confidence": CONFIDENCE, "cells": plain})
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
