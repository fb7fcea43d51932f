"""The paper's synthetic setting for `answers.py`: one-sided thresholds, whose votes are order statistics.

Points are uniform on [0, 1], labelled 1 from 1/2 on. A model trained on n/k records is the least point labelled 1; by
how much that exceeds 1/2 is drawn from its law, ``P(excess > t) = (1 - t)^(n/k)``, and no records are. With the
excesses of k models sorted, a query's number of wrong votes is j with the probability of the gap between two of them:
every expectation over queries is a finite sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from answers_methods import (
    COMPOSITIONS,
    PRINTED,
    PROVED,
    QUERIES,
    Leads,
    composed_queries,
    largest_at,
    share_at,
    sparse_scales,
    sparse_shares,
)
from bench import child_seed
from numpy.typing import NDArray

from dpcheck.papers.bassily2018.learners.noisy_votes import chance_of_lead
from dpcheck.papers.bassily2018.learners.scales import Scales

RECORDS = tuple(10**power for power in range(5, 10))
ACCURACIES = (0.99, 0.999, 0.9999)
CUTOFFS = (1, 4, 16, 64, 256, 1024, 4096, 16384)
#: Numbers of models that are tried: four for each factor of ten.
MODELS = tuple(round(10 ** (power / 4)) for power in range(4, 25))
#: Rounds that are drawn for an average, at least, and runs of them.
_ROUNDS, _LEAST_RUNS = 1024, 16
#: Where there are more models than this, numbers of wrong votes are put together in cells: leads within a hundredth of
#: each other, each cell at its mean. What noise does to a cell errs in the second order of that, far below an interval.
_EACH, _CELL = 1_000, 0.01


#: The law of the number of wrong votes on a query.
Votes: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64]]"


@dataclass(frozen=True)
class SyntheticTask:
    """A number of records at one epsilon: a draw to choose on, and fresh ones to judge by."""

    records: int
    epsilon: float
    delta: float
    repetitions: int
    seed: int


@dataclass(frozen=True)
class Chosen:
    """A method with what was chosen for it on the first draw, and the queries it answers on each fresh one."""

    records: int
    epsilon: float
    accuracy: float
    method: str
    models: int
    cutoff: int | None
    tuned: int | None
    queries: list[int | None]


def excesses(records: int, models: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """By how much each model's threshold exceeds 1/2, falling, shape (k,)."""
    found = -np.expm1(np.log(rng.random(models)) / (records // models))
    return -np.sort(-np.minimum(found, 0.5))


def wrong_votes(excess: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The law of the number of wrong votes on a query: numbers and their probabilities."""
    models = len(excess)
    mass = np.append(excess, 0.0)
    mass[:-1] -= mass[1:].copy()
    numbers, chances = np.arange(models + 1), np.concatenate([[1 - excess[0]], mass[:-1]])
    if models <= _EACH:
        return numbers.astype(float), chances
    lead = models - 2 * numbers
    width = np.floor(np.log1p(np.abs(lead)) / _CELL) + 1
    _, cell = np.unique(np.sign(lead) * width, return_inverse=True)
    total = np.bincount(cell, chances)
    kept = total > 0
    return np.bincount(cell, chances * numbers)[kept] / total[kept], total[kept]


def largest_scale(votes: Votes, models: int, noise: str, accuracy: float) -> float:
    """The largest scale at which the expected share of right answers of a noisy majority is at least this."""
    wrong, mass = votes
    return share_at(
        lambda scale: float(mass @ chance_of_lead(models - 2 * wrong, noise, scale)), accuracy, 2.0 * models
    )


def leads_of(wrong: NDArray[np.float64], mass: NDArray[np.float64], models: int) -> Leads:
    """The distances to instability, and whether the leading label is right: of a tie that is label 1, which is."""
    lead = models - 2 * wrong
    return Leads(np.maximum(np.abs(lead) - 1, 0), (lead >= 0).astype(float), mass)


def synthetic(task: SyntheticTask) -> list[Chosen]:
    """All methods at one size and epsilon."""
    rng = np.random.default_rng(task.seed)
    several = [k for k in MODELS if k <= task.records // 2]
    draws = {k: wrong_votes(excesses(task.records, k, rng)) for k in several}
    fresh = [np.random.default_rng(child_seed(task.seed, number)) for number in range(task.repetitions)]
    found = []
    for accuracy in ACCURACIES:
        for noise in ("laplace", "gaussian"):
            scales = {k: largest_scale(draws[k], k, noise, accuracy) for k in several}
            best = max(several, key=scales.__getitem__)
            votes = [wrong_votes(excesses(task.records, best, each)) for each in fresh]
            again = [largest_scale(each, best, noise, accuracy) for each in votes]
            for name, (kind, accounting) in COMPOSITIONS.items():
                if kind != noise or (kind, accounting) == ("gaussian", "pld"):
                    continue
                counts = [composed_queries(name, s, task.epsilon, task.delta, 2) for s in [scales[best], *again]]
                found.append(Chosen(task.records, task.epsilon, accuracy, name, best, None, counts[0], counts[1:]))
    return found + _sparse(task, draws, fresh, rng)


def _sparse(
    task: SyntheticTask, draws: dict[int, Votes], fresh: list[np.random.Generator], rng: np.random.Generator
) -> list[Chosen]:
    """Alg-2: the number of models and the cut-off that answer most on the first draw."""
    found = []
    for name in (PROVED, PRINTED):
        shares = {
            (k, cutoff): _shares(name, task, cutoff, k, draws[k], rng)
            for cutoff in CUTOFFS
            for k in draws
            if _fitting(name, task, cutoff, k) is not None
        }
        for accuracy in ACCURACIES:
            counts = {key: largest_at(each, QUERIES, accuracy) for key, each in shares.items()}
            if not counts or not max(counts.values()):
                found.append(Chosen(task.records, task.epsilon, accuracy, name, 0, None, 0, [0] * task.repetitions))
                continue
            k, cutoff = max(counts, key=counts.__getitem__)
            again: list[int | None] = []
            for each in fresh:
                votes = wrong_votes(excesses(task.records, k, each))
                again.append(largest_at(_shares(name, task, cutoff, k, votes, each), QUERIES, accuracy))
            found.append(Chosen(task.records, task.epsilon, accuracy, name, k, cutoff, counts[k, cutoff], again))
    return found


def _shares(
    name: str, task: SyntheticTask, cutoff: int, models: int, votes: Votes, rng: np.random.Generator
) -> NDArray[np.float64]:
    scales = _fitting(name, task, cutoff, models)
    assert scales is not None
    rounds = scales.rounds("strict" if name == PROVED else "printed")
    runs = max(_LEAST_RUNS, _ROUNDS // rounds)
    return sparse_shares(leads_of(*votes, models), scales, rounds, QUERIES, runs, rng)


def _fitting(name: str, task: SyntheticTask, cutoff: int, models: int) -> Scales | None:
    """The scales, where so many models can answer at all; the printed ones with the printed number of models only."""
    # the proved threshold does not depend on the number of queries; the printed one is for a million
    scales = sparse_scales(name, task.epsilon, task.delta, 10**6, cutoff)
    if name == PRINTED:
        return scales if models == min((k for k in MODELS if k >= scales.models), default=0) else None
    return scales if models > scales.threshold else None
