"""One run, or a few: canaries are put into the data, a model is trained, the canaries are scored."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import NDArray

from dpcheck.execution import Isolation
from dpcheck.execution.answers import Raised, Request, Runner
from dpcheck.execution.executor import Executor
from dpcheck.execution.handover import unmasked
from dpcheck.execution.kept_parts import Part
from dpcheck.model.claims import Claim
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.learner import Target
from dpcheck.model.verdict import Finding, Status
from dpcheck.privacy.one_run.canaries import Canaries, Maker, canaries
from dpcheck.privacy.one_run.values import OneRunVerdict
from dpcheck.privacy.one_run.verdict import ALPHA, checked_terms, judged, planned
from dpcheck.privacy.trainings import TRAIN_SECONDS, checked_timeout, training_name, trainings_kept, why_it_died

#: Canaries where nobody says how many.
COUNT = 1000
#: A clean verdict wants at least this part of the canaries to differ from each other.
DIFFERENT = 0.9
_TRAINING = 3


@dataclass(frozen=True)
class _Scored:
    """A learner whose output are the scores of the canaries: training and scoring in one place, a worker's."""

    train: Callable[[Any, Generator], Any]
    score: Callable[[Any, Any], Any]
    records: Any
    count: int

    def __call__(self, dataset: Any, rng: Generator) -> NDArray[np.float64]:
        found = np.asarray(self.score(self.train(dataset, rng), self.records))
        if found.shape != (self.count,) or found.dtype.kind not in "biuf":
            raise ValueError(
                f"score must give {self.count} numbers, one for each canary, got {found.dtype} of shape {found.shape}"
            )
        return found.astype(np.float64)


def one_run(
    train: Callable[[Any, Generator], Any],
    dataset: Any,
    claim: Claim | float,
    *,
    score: Callable[[Any, Any], Any],
    make: Maker = "mislabelled",
    count: int | None = None,
    runs: int = 1,
    neighbours: str = "add-remove",
    alpha: float = ALPHA,
    guesses: int | tuple[int, int] | None = None,
    detect: float | None = None,
    delta: float | None = None,
    control: OneRunVerdict | None = None,
    seed: int = 0,
    jobs: int = 1,
    isolation: Isolation = "auto",
    train_timeout: float = TRAIN_SECONDS,
    journal: str | Path | None = None,
) -> OneRunVerdict:
    """Audit a training that is too slow to be run often: by one run, or a few, with many canaries in the data.

    Parameters
    ----------
    train : callable ``(dataset, rng) -> model``
        The training; ``rng`` is numpy's, from ``seed``.
    dataset : dataset
        What it is trained on, beside the canaries.
    claim : Claim or float
        What the training promises. A number is an epsilon.
    score : callable ``(model, records) -> array of shape (count,)``
        How much a model looks as if each canary had been in: the higher the more (the less loss it has on it, say).
        ``records`` are the canaries as a dataset of the same kind as ``dataset``.
    make : str, records, or callable
        What the canaries are: see :func:`dpcheck.canaries`.
    count : int, optional
        How many canaries each run has: 1,000 by default, but no more than records that are mislabelled or replaced.
    runs : int
        Trainings, each with coins of its own for the same canaries.
    neighbours, alpha, guesses, detect, delta, control
        See :func:`dpcheck.one_run_verdict`.
    seed, jobs : int
        Nothing depends on ``jobs``, how many trainings run side by side.
    isolation : {"auto", "process", "container", "none"}
        Where models are trained and scored: see :func:`dpcheck.audit`.
    train_timeout : float
        Seconds that one training may take, its scores included.
    journal : path, optional
        A directory in which the scores of each training are kept as soon as it is done. The same audit with the same
        journal, after it was ended in whatever way, trains only what is left: with ``runs=1`` that is all of it, or
        nothing. What a training itself keeps (checkpoints) is its own affair.

    Returns
    -------
    OneRunVerdict
        With status "learner failed" where a training raised, died or hung, or gave no scores.

    Raises
    ------
    InvalidArgument
        When an argument cannot be used.

    Examples
    --------
    >>> def train(data, rng):  # the mean of the records, in each coordinate, with too little noise
    ...     return data.sum(axis=0) + rng.normal(size=data.shape[1])
    >>> def score(model, records):
    ...     return records @ model
    >>> directions = np.eye(500)  # each canary in a direction of its own
    >>> one_run(train, np.zeros((1, 500)), 0.5, make=directions, count=500, score=score, isolation="none").status
    <Status.VIOLATED: 'violated'>
    """
    for name, function in (("train", train), ("score", score)):
        if not callable(function):
            raise InvalidArgument(f"{name} must be callable, got {function!r}")
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise InvalidArgument(f"runs must be a number of trainings of at least 1, got {runs!r}")
    timeout = checked_timeout(train_timeout)
    name = training_name(train)
    terms = checked_terms(
        claim, alpha=alpha, guesses=guesses, detect=detect, delta=delta, neighbours=neighbours, target=name
    )
    if control is not None and not isinstance(control, OneRunVerdict):
        raise InvalidArgument(f"control must be a verdict of one_run_verdict or one_run, got {control!r}")
    if count is None:
        limited = neighbours == "replace-one" or (isinstance(make, str) and make == "mislabelled")
        count = min(COUNT, size_of(dataset)) if limited else COUNT
    planted = [canaries(dataset, count, make, neighbours=neighbours, seed=seed, run=run) for run in range(runs)]
    # all that can be refused is, before anything is trained
    plan = planned(terms, count * runs, count * runs)
    executor = Executor(jobs, isolation)
    began = time.monotonic()
    scored = Target(_Scored(train, score, planted[0].records, count), False, name)
    coins = np.array([one.included for one in planted])
    about = ("one run", planted[0].records, count, isolation, seed)
    try:
        with trainings_kept(journal, name, (train, score), *about) as kept:
            table = _trained(scored, planted, seed, executor, timeout, kept)
        known = int((~np.isnan(table)).sum())
        if known < plan.guesses:
            raise LearnerDied(f"its score is missing for {table.size - known:,} of {table.size:,} canaries")
    except LearnerDied as error:
        found = _failed(judged(terms, plan, np.zeros(coins.shape), coins), _why(error, runs))
    else:
        seen = control is not None and control.status is Status.VIOLATED
        found = _with_copies(judged(terms, plan, table, coins, shown_to_see=seen), planted[0].different, count)
    return replace(found, inclusion=planted[0].inclusion, seconds=time.monotonic() - began)


def _with_copies(verdict: OneRunVerdict, different: int, count: int) -> OneRunVerdict:
    """The verdict, undecided where it is clean and canaries are copies of one another: one that is out is in too."""
    if different == count:
        return verdict
    words = (
        f"only {different:,} of {count:,} canaries differ from each other: of one that is out a copy may be in, which "
        "hides what is learned of it"
    )
    clean = verdict.status is Status.NO_VIOLATION_FOUND and different < DIFFERENT * count
    status = Status.INCONCLUSIVE if clean else verdict.status
    return replace(verdict, status=status, findings=(*verdict.findings, Finding("canaries alike", words)))


def _trained(
    scored: Target, planted: list[Canaries], seed: int, executor: Executor, timeout: float, kept: Part | None
) -> NDArray[np.float64]:
    """The scores of each run, shape (runs, count)."""
    seeds = [SeedSequence(seed, spawn_key=(_TRAINING, place)) for place in range(len(planted))]
    requests = [Request(place, 1, one) for place, one in enumerate(seeds)]
    datasets = [one.dataset for one in planted]
    with executor.runner(scored, datasets, call_timeout=timeout) as inner:
        runner: Runner = inner if kept is None else kept.runner(inner, datasets)
        # of more than run side by side, some that hold what they are given would be trained again for the others
        some = len(requests) if kept is None else executor.jobs
        answers = [
            answer for start in range(0, len(requests), some) for answer in runner.run(requests[start : start + some])
        ]
    rows = []
    for place, answer in enumerate(answers):
        value = answer.values[0]
        if isinstance(value, Raised):
            raise LearnerDied(f"the training or its score raised {value.kind}: {unmasked(value)}", place)
        rows.append(np.asarray(value, dtype=np.float64))
    return np.array(rows)


def _why(error: LearnerDied, runs: int) -> str:
    """What became of a training, and of which."""
    what = why_it_died(error)
    which = f" (training {int(error.args[1]) + 1} of {runs})" if runs > 1 and len(error.args) > 1 else ""
    return f"{what[:1].upper()}{what[1:]}{which}."


def _failed(blank: OneRunVerdict, why: str) -> OneRunVerdict:
    """The verdict where there are no scores, from one on scores that say nothing."""
    return replace(
        blank,
        status=Status.LEARNER_FAILED,
        failure=why,
        scores=None,
        p_value=1.0,
        guesses_in=0,
        guesses_out=0,
        right_in=0,
        right_out=0,
        detectable_epsilon=math.inf,
        findings=(),
    )
