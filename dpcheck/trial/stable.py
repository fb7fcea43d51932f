"""Claims of stability and of small empirical risk where they are run: exactly where the learner declares its law."""

from __future__ import annotations

from typing import Any

from dpcheck.model.bounds_shown import within
from dpcheck.parts.risk import linear_program
from dpcheck.parts.risk.problems import FiniteProblem
from dpcheck.proof.bounds import exact_number
from dpcheck.trial.model import CONTRADICTED_LEVEL, Outcome, Word
from dpcheck.trial.relations import word_between
from dpcheck.utility.measured_stability import measured_stability
from dpcheck.utility.stability import expected_losses

#: Pairs of neighbours that are tried where there is no law.
MOST_PAIRS = 200


def check_stability(
    result: str,
    claim: str,
    learner: Any,
    problem: FiniteProblem,
    size: int,
    limit: Any,
    *,
    name: str = "",
    expected: str = "",
    trials: int = 2_000,
    seed: int = 0,
) -> Outcome:
    """Whether the expected loss at any record changes by at most ``limit`` when one record of the data is replaced.

    Where the learner declares its law, the answer is exact, over all datasets of the size. Else it is run on pairs of
    neighbours, which can contradict the claim (at level 1e-9) and never show it.

    Parameters
    ----------
    result : id of the registry's entry
    claim : what is claimed, in words
    learner : learner over hypotheses of the problem
    problem : FiniteProblem
    size : int, records of a dataset
    limit : number; floats by their shortest decimal
    name, expected : as in :func:`~dpcheck.trial.relations.compared`
    trials, seed : for a learner without a law

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: wang2016:def-6, lem-8.

    Examples
    --------
    >>> from dpcheck.papers.wang2016.learners import RegularisedExponential, absolute_loss
    >>> coin = absolute_loss([0, 1])
    >>> learner = RegularisedExponential(coin, [0, 1], epsilon=0.5)
    >>> check_stability("mine:lem-1", "0.5-DP, so 0.649-stable", learner, coin, 6, 0.649).word
    'holds'
    >>> check_stability("mine:lem-1", "not so stable", learner, coin, 6, 0.01).word
    'contradicted'
    """
    bar = exact_number("limit", limit)
    if callable(getattr(learner, "distribution", None)):
        found = expected_losses(learner, problem, size).stability()
        detail = f"the stability on {size} records is {float(found):.6g}, against {float(bar):g}"
        return _outcome(word_between(found.low, found.high, bar), claim, detail, result, name, expected)
    counts, neighbours = linear_program.histograms(size, len(problem.records))
    chosen = neighbours[neighbours[:, 0] < neighbours[:, 1]]
    chosen = chosen[:: -(-len(chosen) // MOST_PAIRS)]
    pairs = [tuple(_dataset(problem, counts[row]) for row in pair) for pair in chosen.tolist()]
    records = _dataset(problem, [1] * len(problem.records))
    measured = measured_stability(
        learner,
        problem,
        pairs,
        records,
        trials=trials,
        level=CONTRADICTED_LEVEL,
        seed=seed,
    )
    broken = measured.breaks(float(bar))
    low, high = measured.interval
    return _outcome(
        "contradicted" if broken else "undecided",
        claim,
        f"over {len(pairs):,} pairs of neighbours the largest change is in {within(low, high, '.4g')}, against "
        f"{float(bar):g}; runs cannot show that a claim holds",
        result,
        name,
        expected,
        CONTRADICTED_LEVEL if broken else 0.0,
        2 * trials * len(pairs),
    )


def check_always_aerm(
    result: str,
    claim: str,
    learner: Any,
    problem: FiniteProblem,
    size: int,
    limit: Any,
    *,
    name: str = "",
    expected: str = "",
) -> Outcome:
    """Whether on every dataset the expected empirical risk is within ``limit`` of the least one: exact.

    Parameters
    ----------
    result, claim, problem, size, limit, name, expected : as in :func:`check_stability`
    learner : learner that declares its law

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or the learner declares no law.

    Source: wang2016:def-5.

    Examples
    --------
    >>> from dpcheck.papers.wang2016.learners import OptimalPrivateLearner, absolute_loss
    >>> coin = absolute_loss([0, 1])
    >>> learner = OptimalPrivateLearner(coin, epsilon=1.0, dataset_size=3)
    >>> check_always_aerm("mine:lem-2", "the best there is", learner, coin, 3, 0.0990).word
    'holds'
    """
    bar = exact_number("limit", limit)
    found = expected_losses(learner, problem, size).always_above_minimum()
    detail = f"the largest excess on {size} records is {float(found):.6g}, against {float(bar):g}"
    return _outcome(word_between(found.low, found.high, bar), claim, detail, result, name, expected)


def _outcome(
    word: Word,
    claim: str,
    detail: str,
    result: str,
    name: str,
    expected: str,
    level: float = 0.0,
    trials: int = 0,
) -> Outcome:
    said = expected if word == "contradicted" else ""
    return Outcome(word, claim, detail, result, "stability", learner=name, level=level, expected=said, trials=trials)


def _dataset(problem: FiniteProblem, counts: Any) -> Any:
    from dpcheck.model.data import Labelled

    records = [record for record, times in zip(problem.records, counts, strict=True) for _ in range(int(times))]
    return Labelled([x for x, _ in records], [y for _, y in records]) if problem.labelled else records
