"""One run of a training: canaries go in, scores come out, and a training that fails is no verdict on its claim."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from dpcheck import ApproxDP, GaussianDP, InvalidArgument, Status, one_run, one_run_verdict

DIRECTIONS = np.eye(400)
NOTHING = np.zeros((1, 400))


def noisy_sum(spread: float) -> Any:
    """A training that gives the sum of its records, each in a direction of its own, with normal noise."""

    def train(data: Any, rng: Generator) -> Any:
        return data.sum(axis=0) + spread * rng.normal(size=data.shape[1])

    return train


def alignment(model: Any, records: Any) -> Any:
    """How much of each canary is in the sum."""
    return records @ model


def run(train: Any, claim: Any, **options: Any) -> Any:
    return one_run(train, NOTHING, claim, make=DIRECTIONS, count=400, **{"score": alignment, **options})


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_noise_of_a_quarter_is_refuted_and_the_claimed_one_is_not(isolation: Any, seed: int) -> None:
    broken = run(noisy_sum(1 / 4), GaussianDP(1.0), isolation=isolation, seed=seed)
    correct = run(noisy_sum(1.0), GaussianDP(1.0), isolation=isolation, seed=seed, alpha=1e-9, guesses=100)
    assert broken.status is Status.VIOLATED
    assert correct.status is not Status.VIOLATED
    assert "drawn by dpcheck from seed" in str(broken)
    assert broken.target == "train"


def test_jobs_change_nothing() -> None:
    one, two = (run(noisy_sum(0.5), ApproxDP(1.0, 1e-5), runs=3, jobs=jobs, isolation="process") for jobs in (1, 2))
    assert (one.right, one.p_value, one.runs) == (two.right, two.p_value, 3)


def raises(data: Any, rng: Generator) -> Any:
    raise ValueError("no such optimiser")


def dies(data: Any, rng: Generator) -> Any:
    os._exit(0)


def hangs(data: Any, rng: Generator) -> Any:
    time.sleep(600)


@pytest.mark.parametrize(
    ("train", "words"),
    [
        (raises, "The training or its score raised ValueError: no such optimiser (training 1 of 2)."),
        (dies, "The training ended its process with exit status 0"),
        (hangs, "The training gave no sign of life for 2 s"),
    ],
)
def test_a_training_that_fails_decides_nothing(train: Any, words: str) -> None:
    verdict = run(train, 1.0, train_timeout=2.0, runs=2)
    assert verdict.status is Status.LEARNER_FAILED
    assert words in verdict.failure
    assert words in str(verdict)


def test_scores_of_another_number_are_told() -> None:
    verdict = run(noisy_sum(1.0), 1.0, score=lambda model, records: model[:3])
    assert verdict.status is Status.LEARNER_FAILED
    assert "score must give 400 numbers, one for each canary, got float64 of shape (3,)" in verdict.failure


def test_a_training_that_keeps_its_records_is_caught_by_default_and_copies_clear_nothing() -> None:
    x = np.random.default_rng(0).normal(size=(300, 1))
    dataset = (x, (x[:, 0] > 0).astype(int))

    def memory(data: Any, rng: Generator) -> Any:
        return {(float(a[0]), int(b)) for a, b in zip(*data, strict=True)}

    def held(model: Any, records: Any) -> Any:
        return np.array([float((float(a[0]), int(b)) in model) for a, b in zip(*records, strict=True)])

    assert one_run(memory, dataset, 1.0, score=held).status is Status.VIOLATED
    copies = one_run(memory, dataset, 1.0, score=held, make="extreme", count=500)
    assert copies.status is Status.INCONCLUSIVE
    assert any("only 4 of 500 canaries differ" in finding.detail for finding in copies.findings)


def test_scores_are_kept_with_the_verdict_and_not_in_its_json() -> None:
    verdict = run(noisy_sum(1.0), 1.0, runs=2)
    assert verdict.scores.shape == verdict.coins.shape == (2, 400)
    assert '"scores"' not in verdict.to_json()
    assert one_run_verdict(verdict.scores, verdict.coins, 1.0).right == verdict.right


def test_scores_that_are_missing_for_too_many_fail() -> None:
    verdict = run(noisy_sum(1.0), 1.0, score=lambda model, records: np.full(400, np.nan))
    assert verdict.status is Status.LEARNER_FAILED
    assert "its score is missing for 400 of 400 canaries" in str(verdict).lower()
    assert (verdict.guesses, verdict.right) == (0, 0)


@pytest.mark.parametrize("options", [{"alpha": 2}, {"claim": "x"}, {"guesses": 500}, {"detect": 0.1}, {"delta": 1}])
def test_nothing_is_trained_for_arguments_that_are_refused(options: dict[str, Any]) -> None:
    def never(data: Any, rng: Generator) -> Any:
        raise AssertionError("trained")

    with pytest.raises(InvalidArgument):
        run(never, isolation="none", **{"claim": 1.0, **options})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"runs": 0}, "runs must be a number of trainings of at least 1, got 0"),
        ({"score": "loss"}, "score must be callable, got 'loss'"),
        ({"isolation": "proces"}, "isolation must be one of"),
        ({"jobs": 0}, "jobs must be"),
        ({"train_timeout": -1}, "train_timeout must be a positive"),
    ],
)
def test_wrong_arguments(options: dict[str, Any], words: str) -> None:
    with pytest.raises(InvalidArgument, match=words):
        run(noisy_sum(1.0), 1.0, **options)
