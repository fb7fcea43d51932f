"""How many calls does it take to refute a claim, and how many would it take whoever knew the laws?

Pairs of laws are drawn at random (:mod:`drawn_pairs`), and claims are made of them that they break: their true epsilon
is 1.5 or 2 times the claimed one. Against the null nearest to the laws (:mod:`limit`) one call is worth KL(truth ||
null) nats, so that refuting at level alpha takes about ln(1/alpha) / KL calls: *the expectation*. Reported are the
calls of an audit, its opening calls included, over the expectation; by kind the median over pairs and runs.

Where the calls go, in parts that sum to that number (means over the runs, each in calls over the expectation, of runs
that ended):

* opening: calls that only show what outputs look like;
* first look: those up to the first interim analysis, which only teach;
* looks: evidence beyond what was needed at the interim analysis that ended it;
* weights: how much less evidence there is than the best rule's: the price of not knowing which rule that is (below 0
  where wagers, which pay neither this price nor the next two, have more evidence than any rule);
* stakes: how much less that rule has than with the best bet in hindsight: the price of not knowing how much to bet;
* grades: what the best of the bank's rules would lack of KL if it knew the laws;
* learning: the rest: rules were fitted to few calls (and luck).

Paths: *engine* plays the phases of an audit (certify, learn) with its interim analyses; *audit* is ``dpcheck.audit``.
"""

from __future__ import annotations

import math
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from bench import Settings, child_seed, settings, show, spread, write_json
from drawn_pairs import APART, FITTED, KINDS, DrawnPair, drawn_pair
from limit import least_favourable, statistic_of

import dpcheck
from dpcheck.execution.answers import Answers
from dpcheck.privacy.run.agreement_phase import OPENING_CALLS, REPEATED_CALLS
from dpcheck.privacy.run.allocation import interim_size
from dpcheck.privacy.run.caller import shape_of, usual_size
from dpcheck.privacy.statistics.bank import COVERAGES, guesses_of, rules_for
from dpcheck.privacy.statistics.evidence import (
    BETS,
    GRADE_STAKES,
    Tally,
    log_e_processes,
    log_evidence,
)
from dpcheck.privacy.statistics.game import Batch, Game, certify, learn, new_game, tally
from dpcheck.privacy.statistics.observations import observe

ALPHA = 1e-3
LEAKS = (1.5, 2.0)
#: Pairs are drawn again until the expectation lies between these.
LEAST, MOST = 40.0, 6_000.0
#: A run ends after so many times the expectation.
CAP = 12.0
#: The ratio that is to be reached, by the median over kinds.
GOAL = 2.0
#: Calls before the game: six a side, three of them repeated, and one that may load things.
OPENING = 1 + 2 * OPENING_CALLS + REPEATED_CALLS
#: Outputs that stand for the laws when the rules' loss by grades is worked out.
MANY = 1e9
PARTS = ("opening", "first look", "looks", "weights", "stakes", "grades", "learning")


@dataclass(frozen=True)
class Task:
    """Some runs on one pair, with one leak."""

    kind: str
    number: int
    leak: float
    runs: int
    seed: int
    path: str


@dataclass(frozen=True)
class Outcome:
    """Calls of a run over the expectation (infinite: not refuted), and where they went; ``rule``: the best one."""

    kind: str
    leak: float
    expected: float
    ratio: float
    parts: tuple[float, ...]
    rule: str


def hard_pair(kind: str, number: int, seed: int) -> DrawnPair:
    """A pair whose expectation lies between the limits for both leaks."""
    for attempt in range(1000):
        pair = drawn_pair(kind, np.random.default_rng(child_seed(seed, list(KINDS).index(kind), number, attempt)))
        if all(LEAST <= expectation(pair, leak) <= MOST for leak in LEAKS):
            return pair
    raise RuntimeError(f"no {kind} within the limits")


def worth(pair: DrawnPair, leak: float) -> float:
    """KL(truth || nearest null) of one call, in nats, where the true epsilon is ``leak`` times the claimed one."""
    try:
        return statistic_of(pair.atoms, least_favourable(pair.atoms, pair.epsilon / leak, pair.delta)).mean
    except ArithmeticError:
        return 0.0


def expectation(pair: DrawnPair, leak: float) -> float:
    """ln(1/alpha) / KL."""
    return -math.log(ALPHA) / max(worth(pair, leak), 1e-12)


def best_growth(pair: DrawnPair, epsilon: float) -> float:
    """Nats a call of the best of the bank's rules, and its best bet, where the rule knows the laws."""
    rules = rules_for(("each",), COVERAGES, pair.delta, 1.0)
    masses = np.stack([pair.atoms.q, pair.atoms.p], axis=1)
    histogram = np.append(np.round(MANY * masses), [[0, 0]], axis=0).astype(np.int64)
    centres = np.append(np.arange(len(masses), dtype=np.float64), np.nan)
    guesses = guesses_of(rules, histogram, centres, epsilon)[:, :-1].astype(np.int64)
    best = 0.0
    for row, share in zip(guesses, rules.shares, strict=True):
        charge, odds = pair.delta * share, math.exp(epsilon)
        stake = BETS / (odds + charge)
        grade = np.append(0.0, GRADE_STAKES)[np.abs(row)][:, None]
        right = np.where(row[:, None] == 0, np.log1p(-stake * charge), np.log1p(stake * (grade - charge)))
        wrong = np.where(row[:, None] == 0, np.log1p(-stake * charge), np.log1p(-stake * (odds * grade + charge)))
        told = np.where(row >= 0, masses[:, 1], masses[:, 0]), np.where(row >= 0, masses[:, 0], masses[:, 1])
        best = max(best, float((0.5 * (told[0] @ right + told[1] @ wrong)).max()))
    return best


def hindsight(counts: Tally, rule: int, epsilon: float, delta: float) -> float:
    """The logarithm of one rule's wealth with the bet that would have been best."""
    charge, odds = delta * float(counts.share[rule]), math.exp(epsilon)
    stake = BETS / (odds + charge)
    right = np.log1p(stake * (GRADE_STAKES[:, None] - charge))
    wrong = np.log1p(-stake * (odds * GRADE_STAKES[:, None] + charge))
    silent = counts.calls[rule] - counts.correct[rule].sum() - counts.wrong[rule].sum()
    logs = counts.correct[rule] @ right + counts.wrong[rule] @ wrong + silent * np.log1p(-stake * charge)
    return float(logs.max())


def rule_names(game: Game) -> list[str]:
    """What each place of the tally is: feature, table, coverage."""
    found = []
    for feature in game.features:
        if feature.guesses.shape[1]:
            found += [f"{feature.kind} {rule.table} {rule.coverage or 'graded'} {rule.side}" for rule in feature.rules]
    return found + ["atom"] * (2 * len(game.atoms))


def through_the_phases(pair: DrawnPair, task: Task, seed: int, growth: float) -> Outcome:
    """One audit by the engine's phases."""
    rng = np.random.default_rng(seed)
    epsilon, delta = pair.epsilon / task.leak, pair.delta
    expected = expectation(pair, task.leak)
    opening = observe(Answers(pair.sample(rng, np.repeat(np.array([0, 1], np.int8), OPENING_CALLS))), "real")
    scale, game = usual_size(opening), new_game(shape_of(opening), epsilon, delta)
    made, first, cap = 0, 0, math.ceil(CAP * expected)
    while size := interim_size(made, cap - made):
        coins = rng.integers(0, 2, size).astype(np.int8)
        batch = Batch(observe(Answers(pair.sample(rng, coins)), "real", scale), coins)
        game, made, first = certify(game, batch), made + size, first or size
        counts = tally(game)
        evidence = log_evidence(counts, epsilon, delta)
        if evidence >= -math.log(ALPHA):
            break
        game = learn(game, batch)
    else:
        return Outcome(task.kind, task.leak, expected, math.inf, (), "")
    total = (OPENING + made) / expected
    logs, nats = log_e_processes(counts, epsilon, delta), -math.log(ALPHA)
    best = int(np.argmax(logs + np.log(counts.weight)))
    known = hindsight(counts, best, epsilon, delta)
    parts = [
        OPENING / expected,
        first / expected,
        evidence / nats - 1.0,
        (logs[best] - evidence) / nats,
        (known - logs[best]) / nats,
        (1.0 - growth * expected / nats) * (made - first) / expected,
    ]
    return Outcome(task.kind, task.leak, expected, total, (*parts, total - 1.0 - sum(parts)), rule_names(game)[best])


def through_the_door(pair: DrawnPair, task: Task, seed: int) -> Outcome:
    """One ``dpcheck.audit``."""
    epsilon, delta, expected = pair.epsilon / task.leak, pair.delta, expectation(pair, task.leak)

    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        return pair.sample(rng, np.array([dataset[0]], np.int8))[0]

    verdict = dpcheck.audit(
        learner,
        dpcheck.ApproxDP(epsilon, delta) if delta else dpcheck.PureDP(epsilon),
        pairs=[(np.array([1]), np.array([0]))],
        alpha=ALPHA,
        max_samples=math.ceil(CAP * expected),
        max_seconds=math.inf,
        isolation="none",
        seed=seed,
    )
    ended = verdict.status is dpcheck.Status.VIOLATED
    return Outcome(task.kind, task.leak, expected, verdict.samples / expected if ended else math.inf, (), "")


def play(task: Task) -> list[Outcome]:
    """The outcomes of a task."""
    pair = hard_pair(task.kind, task.number, task.seed)
    keys = [
        (task.seed, 1000 + list(KINDS).index(task.kind), task.number, int(10 * task.leak), run)
        for run in range(task.runs)
    ]
    if task.path == "audit":
        return [through_the_door(pair, task, child_seed(*key)) for key in keys]
    growth = best_growth(pair, pair.epsilon / task.leak)
    return [through_the_phases(pair, task, child_seed(*key), growth) for key in keys]


def row_of(title: str, found: list[Outcome]) -> list[str]:
    ratios = np.array([one.ratio for one in found])
    ended = [one.parts for one in found if one.parts]
    low, middle, high = np.quantile(ratios, [0.1, 0.5, 0.9], method="closest_observation")
    means = np.mean(ended, axis=0) if ended else np.full(len(PARTS), math.nan)
    return [title, f"{np.median([one.expected for one in found]):,.0f}", *(f"{x:.2f}" for x in (low, middle, high))] + [
        f"{x:.2f}" for x in means
    ]


def report(asked: Settings, path: str, outcomes: list[Outcome]) -> dict[str, Any]:
    """Print the tables, and give their numbers."""
    cells: dict[str, Any] = {}
    groups: dict[tuple[float, str], list[Outcome]] = defaultdict(list)
    for one in outcomes:
        groups[one.leak, one.kind].append(one)
    for title, kinds in (("fitted", FITTED), ("kept apart", APART)):
        for leak in LEAKS:
            rows = {kind: row_of(kind, groups[leak, kind]) for kind in kinds if groups[leak, kind]}
            if not rows:
                continue
            medians = [float(np.median([one.ratio for one in groups[leak, kind]])) for kind in rows]
            every = row_of("all", [one for kind in rows for one in groups[leak, kind]])
            show(
                f"{path}: {leak:g} times the claim, kinds {title}: median over kinds {np.median(medians):.2f}",
                ("kind", "expected", "10%", "median", "90%", *(PARTS if path == "engine" else ())),
                [row if path == "engine" else row[: -len(PARTS)] for row in (*rows.values(), every)],
            )
            cells[f"{path} {title} {leak:g}"] = {
                "median over kinds": float(np.median(medians)),
                "kinds": {
                    kind: [None if math.isinf(one.ratio) else one.ratio for one in groups[leak, kind]] for kind in rows
                },
                "parts": {
                    kind: dict(zip(PARTS, np.mean(p, axis=0).tolist(), strict=True))
                    for kind in rows
                    if (p := [one.parts for one in groups[leak, kind] if one.parts])
                },
            }
    return cells


def main() -> int:
    """Run the kinds asked for and print the tables."""
    asked = settings(
        __doc__ or "",
        only="kinds, or one of: fitted, apart",
        numbers={"pairs": (8, "pairs of each kind"), "runs": (3, "runs on each"), "audits": (1, "of them by audit")},
    )
    began = time.monotonic()
    wanted = [
        kind
        for kind in KINDS
        if not asked.only
        or kind in asked.only
        or ("fitted" in asked.only and kind in FITTED)
        or ("apart" in asked.only and kind in APART)
    ]
    pairs, runs = (2, 1) if asked.quick else (int(asked.numbers["pairs"]), int(asked.numbers["runs"]))
    cells: dict[str, Any] = {}
    audits = 1 if asked.quick else int(asked.numbers["audits"])
    for path, count in (("engine", runs), ("audit", audits)):
        tasks = [
            Task(kind, number, leak, count, asked.seed, path)
            for kind in wanted
            for leak in LEAKS
            for number in range(pairs if path == "engine" else 2)
        ]
        outcomes = [one for part in spread(play, tasks, asked.jobs, path, lambda task: task.runs) for one in part]
        cells |= report(asked, path, outcomes)
        if path == "engine":
            winners: dict[str, int] = defaultdict(int)
            for one in outcomes:
                winners[one.rule] += 1
            ranked = sorted(winners.items(), key=lambda item: -item[1])
            show("the rule with most evidence", ("rule", "runs"), [[name, str(n)] for name, n in ranked[:25]])
    passed = all(cell["median over kinds"] <= GOAL for cell in cells.values())
    write_json(asked, began, passed, {"results": cells})
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
