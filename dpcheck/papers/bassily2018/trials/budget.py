"""Abstentions and wrong labels of alg-2 at its own sizes, run (theorem 3.2), beside answering every query with "
"noise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.bassily2018.learners import Realisable, Scales, printed_scales, proved_scales, scale_for
from dpcheck.papers.bassily2018.learners.noisy_votes import chance_of_lead
from dpcheck.papers.bassily2018.learners.rounds import drawn_patterns
from dpcheck.papers.bassily2018.theorems.rates_instances import printed_cutoff
from dpcheck.papers.bassily2018.trials.composition import composed_models
from dpcheck.papers.bassily2018.trials.votes_drawn import wrong_votes_of_thresholds
from dpcheck.papers.bassily2018.trials.wrong_votes import repaired_cutoff
from dpcheck.trial.failures import counted
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import TOGETHER, Page, Pivot, Plot
from dpcheck.trial.relations import compared
from dpcheck.trial.rows import Findings, Row, bound, line
from dpcheck.trial.run import Run
from dpcheck.utility.evidence import fixed_interval

_Setting = tuple[str, float, int, float]


DELTA, FAILURE = 1e-6, 0.05
_LEARNER = "bassily2018.A_binClas"
_WHY = "bassily2018:thm-3.2: T is too small by constants where (gamma + alpha) m is small against log(m/beta)"
Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Played:
    """Runs of alg-2 on votes of one law: abstentions, wrong labels and whether it halted, of each run."""

    scales: Scales
    abstentions: Counts
    wrong: Counts
    halted: NDArray[np.bool_]
    composed: float

    @property
    def failures(self) -> int:
        """Runs in which more than T queries were abstained from, or more than T misclassified, or some not asked."""
        limit = self.scales.cutoff
        return int(((self.abstentions > limit) | (self.abstentions + self.wrong > limit) | self.halted).sum())


def coin_votes(models: int, error: float, queries: int, runs: int, rng: np.random.Generator) -> Counts:
    """Wrong votes of models that err on each query by a coin of their own: Bin(k, a), exactly; shape (runs, m)."""
    return rng.binomial(models, error, (runs, queries))


def half_votes(models: int, error: float, queries: int, runs: int, rng: np.random.Generator) -> Counts:
    """On a part 2a of the points each model errs by a coin of its own: Bin(k, 1/2) there, exactly; shape (runs, m)."""
    bad = rng.random((runs, queries)) < 2 * error
    found = np.zeros((runs, queries), dtype=np.int64)
    found[bad] = rng.binomial(models, 0.5, int(bad.sum()))
    return found


def threshold_votes(models: int, error: float, queries: int, runs: int, rng: np.random.Generator) -> Counts:
    """Consistent thresholds, each trained on as many records as accuracy a at beta/k asks for; shape (runs, m)."""
    each = int(Realisable(1).size(error, FAILURE / models))
    return np.stack([wrong_votes_of_thresholds(rng.random(queries), each, models, rng) for _ in range(runs)])


FAMILIES = {"a coin for each vote": coin_votes, "half against half": half_votes, "thresholds": threshold_votes}


def play(
    family: str, error: float, queries: int, epsilon: float, runs: int, repaired: bool, rng: np.random.Generator
) -> Played:
    """Alg-2 at its own k, lambda and threshold, and T of theorem 3.2, so many times.

    Also the expected number of queries that noisy votes of the same models get wrong where each is answered: Laplace
    noise by advanced composition at the same epsilon and delta.

    Examples
    --------
    >>> found = play("half against half", 0.01, 100, 1.0, 20, True, np.random.default_rng())
    >>> found.failures, len(found.abstentions)
    (0, 20)
    """
    if repaired:
        cutoff = repaired_cutoff(error, queries, FAILURE, epsilon, DELTA)
    else:
        cutoff = max(1, math.ceil(printed_cutoff(error, queries, FAILURE)))
    scales = printed_scales(epsilon, DELTA, FAILURE, queries, cutoff)
    wrong = FAMILIES[family](scales.models, error, queries, runs, rng)
    lead = scales.models - 2 * wrong
    distances = np.maximum(np.abs(lead) - 1, 0)
    pattern = drawn_patterns(distances, scales, scales.rounds("printed"), runs, rng)
    noise = scale_for(epsilon, DELTA, queries, noise="laplace", accounting="advanced")
    missed = 1 - chance_of_lead(lead.ravel(), "laplace", noise)
    return Played(
        scales,
        (pattern == 0).sum(axis=1),
        ((pattern == 1) & (lead < 0)).sum(axis=1),
        (pattern == -1).any(axis=1),
        float(missed.sum() / runs),
    )


def conservative_budget(seed: int, quick: bool) -> Findings:
    """Claim 1: abstentions and wrong labels against m, alg-2 beside advanced composition."""
    rng = np.random.default_rng(seed)
    runs = 100 if quick else 200
    queries = (10, 100, 1000) if quick else (10, 100, 1000, 10_000)
    errors = (1e-3, 1e-2) if quick else (1e-4, 1e-3, 1e-2)
    epsilons = (1.0,) if quick else (0.5, 1.0, 2.0)
    settings = [(f, a, m, e) for f in FAMILIES for a in errors for m in queries for e in epsilons]
    played = {at: play(*at, runs, False, rng) for at in settings}
    repaired = [play(family, a, queries[-1], 1.0, runs, True, rng) for family in FAMILIES for a in errors]
    models, crossing = _models_for_queries(quick)
    outcomes = [
        *(_worst_outcome(family, played, runs) for family in FAMILIES),
        counted(
            "bassily2018:thm-3.2",
            "thm-3.2 as repaired, run at its own k and T: more than T queries go wrong with probability at most 3 beta "
            f"on average over three laws of votes, m = {queries[-1]:,}",
            sum(each.failures for each in repaired),
            sum(len(each.abstentions) for each in repaired),
            3 * FAILURE,
            learner=_LEARNER,
        ),
        compared(
            "bassily2018:obs-3.b",
            "with one abstention alg-2 takes fewer models than answering every query by advanced composition, from "
            "some number of queries on (what the rates rest on)",
            crossing is not None,
            f"printed formulas, T = 1, epsilon = 1: from m = {crossing:,} on" if crossing else "not up to 10^9 queries",
            kind="order",
            learner=_LEARNER,
        ),
    ]
    failed = sum(each.failures for each in played.values())
    most = max(float(each.abstentions.mean()) / each.scales.cutoff for each in played.values())
    told = (
        f"Of {len(played) * runs:,} runs {failed:,} had more than T queries go wrong. The mean number of abstentions "
        f"is at most {most:.3f} T. "
        + (
            f"With T = 1 alg-2 takes fewer models than advanced composition from m = {crossing:,} on."
            if crossing
            else "With T = 1 alg-2 does not take fewer models, up to 10^9 queries."
        )
    )
    return Findings(
        [*_means(played), *_some_abstention(played, runs), *models],
        outcomes,
        told,
        {"runs": runs},
        runs * (len(settings) + len(repaired)),
    )


PAGE = Page(
    "Abstentions and wrong labels against the number of queries",
    "Alg-2 with the printed k, lambda, threshold and T (rounded up), {runs} runs a setting, for three laws of votes: a "
    "coin for each vote of each model (Bin(k, a) wrong votes: its exact law), coins on a part 2a of the points only "
    "(Bin(k, 1/2) there: its exact law), and thresholds trained on as many records as the accuracy asks for (their "
    "votes are multinomial). No record is drawn. Beside it the wrong labels of noisy votes on every query, by the same "
    "models at the same privacy.",
    (
        Plot(
            "some-abstention",
            "Runs with an abstention, epsilon = 1",
            "m",
            "share of the runs",
            by="votes",
            only=("some abstention",),
            x_label="queries m",
        ),
        Plot(
            "models-for-queries",
            "Models that vote, for m queries with at most a third of the votes wrong, epsilon = 1, T = 1",
            "m",
            "models k",
            x_label="queries m",
            scale="log",
        ),
    ),
    (Pivot("Means of the {runs} runs", ("votes", "a", "m", "epsilon")),),
    evidence="Clopper-Pearson intervals for the share of runs with an abstention; all of a chart hold together with "
    f"probability at least {1 - TOGETHER:.0%}. A word is wrong with probability at most 0.001 (holds).",
)


def _means(played: Mapping[_Setting, Played]) -> list[Row]:
    """What each setting has, and the means of its runs."""
    rows = []
    for (family, a, m, epsilon), found in played.items():
        at = {"votes": family, "a": a, "m": m, "epsilon": epsilon}
        means = {
            "abstentions": found.abstentions.mean(),
            "wrong labels": found.wrong.mean(),
            "runs with more than T wrong": found.failures,
        }
        rows += line({"T": found.scales.cutoff, "k": found.scales.models}, at)
        rows += line(means, at, "measured")
        rows += line({"wrong by composition": found.composed}, at)
    return rows


def _some_abstention(played: Mapping[_Setting, Played], runs: int) -> list[Row]:
    """How many runs abstain at all: whole runs are independent of each other, queries of a run are not."""
    shown = {at: found for at, found in played.items() if at[3] == 1.0}
    level = TOGETHER / len(shown)
    rows = []
    for (family, a, m, _), found in shown.items():
        count = int((found.abstentions > 0).sum())
        at = {"m": m, "votes": f"{family}, a = {a:g}"}
        ends = fixed_interval(count, runs, level)
        rows.append(Row("some abstention", count / runs, at, "measured", ends, runs, level))
    return rows


def _worst_outcome(family: str, played: Mapping[_Setting, Played], runs: int) -> Outcome:
    """A family at its worst setting: the word for that one, whose number of runs was fixed before."""
    every = [(at, found) for at, found in played.items() if at[0] == family]
    (_, a, m, e), worst = max(every, key=lambda each: each[1].failures)
    return counted(
        "bassily2018:thm-3.2",
        "thm-3.2 as printed, beta = 0.05, run at its own k and T: more than T queries go wrong with probability "
        f"at most 2 beta; votes: {family}, the worst of {len(every)} settings",
        worst.failures,
        runs,
        2 * FAILURE,
        detail=f"a = {a:g}, m = {m:,}, epsilon = {e:g}, k = {worst.scales.models:,}, T = {worst.scales.cutoff:,}",
        learner=_LEARNER,
        expected=_WHY,
        contradicted_among=len(every),
    )


def _models_for_queries(quick: bool) -> tuple[list[Row], int | None]:
    """How many models each way takes for m queries, and from where on the printed formulas take fewer."""
    queries = [round(m) for m in np.geomspace(10, 1e9, 9 if quick else 17)]
    printed = [printed_scales(1.0, DELTA, FAILURE, m, 1).models for m in queries]
    composed = [composed_models(m, 1.0) for m in queries]
    # the end of the list in which there are fewer throughout
    more = [place for place, (ours, theirs) in enumerate(zip(printed, composed, strict=True)) if ours >= theirs]
    fewer = queries[max(more) + 1 :] if more else queries
    proved = [proved_scales(1.0, DELTA, FAILURE, m, 1).models for m in queries]
    rows = [
        *bound("alg-2, printed formulas", printed, m=queries),
        *bound("alg-2, the least noise that is proved", proved, m=queries),
        *bound("every query answered, advanced composition", composed, m=queries),
    ]
    return rows, (min(fewer) if fewer else None)


RUNS: tuple[Run, ...] = (
    Run("conservative-budget", ("bassily2018:thm-3.2", "bassily2018:obs-3.b"), conservative_budget, (0.5, 8.0), PAGE),
)
