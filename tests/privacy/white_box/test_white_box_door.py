"""The door: what is refused, what a training did wrong with its transcript, and what is written."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from dpcheck import ApproxDP, GaussianSteps, InvalidArgument, WhiteBoxStatus, white_box
from dpcheck.privacy.white_box.recording import filled, flat

STEPS = GaussianSteps(noise_multiplier=5.0, clipping_norm=1.0, steps=4)
DATA = np.linspace(-2.0, 2.0, 40).reshape(20, 2)
CLAIM = ApproxDP(3.0, 1e-5)


def train(data: Any, rng: Generator, transcript: Any) -> Any:
    model = np.zeros(2)
    for _ in range(4):
        batch = transcript.batch(list(range(len(data))))
        pulls = data[batch] - model
        total = (pulls / np.maximum(1.0, np.linalg.norm(pulls, axis=1, keepdims=True))).sum(axis=0)
        model = model + 0.01 * transcript.release(total, total + rng.normal(0.0, 5.0, 2))
    return model


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"train": 3}, "train must be callable, got 3"),
        ({"accounted": 1.0}, "accounted must be a GaussianSteps, got 1.0"),
        ({"neighbours": "labels-only"}, "neighbours must be one of add-remove, replace-one, got 'labels-only'"),
        ({"runs": 0}, "runs must be an integer of at least 1, got 0"),
        ({"count": 0}, "count must be an integer of at least 1, got 0"),
        ({"alpha": 0.0}, "alpha must be between 0 and 1, got 0.0"),
        ({"delta": 1.5}, "delta must be between 0 and 1, got 1.5"),
        ({"train_timeout": -1.0}, "train_timeout must be a positive, finite number of seconds, got -1.0"),
        ({"dataset": DATA[:1]}, "dataset must have at least two records, got 1"),
        ({"canaries": DATA}, "canaries must be between 1 record and half as many as the dataset has"),
        ({"claim": "3"}, "claim must be"),
        ({"jobs": 0}, "jobs must be an integer of at least 1, got 0"),
    ],
)
def test_what_cannot_be_used_is_refused(given: dict[str, Any], message: str) -> None:
    asked = {"train": train, "dataset": DATA, "claim": CLAIM, "accounted": STEPS} | given
    positional = [asked.pop(name) for name in ("train", "dataset", "claim", "accounted")]
    with pytest.raises(InvalidArgument, match=message.replace("(", r"\(")):
        white_box(*positional, **asked)


def raises(data: Any, rng: Generator, transcript: Any) -> Any:
    raise RuntimeError("no data for 7 of 9")


def releases_nothing(data: Any, rng: Generator, transcript: Any) -> Any:
    return 0.0


def has_no_batch(data: Any, rng: Generator, transcript: Any) -> Any:
    return transcript.release(1.0, 2.0)


def has_other_numbers_after(data: Any, rng: Generator, transcript: Any) -> Any:
    transcript.batch([0])
    return transcript.release(np.zeros(2), np.zeros(3))


def changes_its_shape(data: Any, rng: Generator, transcript: Any) -> Any:
    for size in (2, 3):
        transcript.batch([0])
        transcript.release(np.zeros(size), rng.normal(size=size))


def hands_words(data: Any, rng: Generator, transcript: Any) -> Any:
    transcript.batch([0])
    return transcript.release("one", "two")


def hands_a_batch_of_words(data: Any, rng: Generator, transcript: Any) -> Any:
    return transcript.batch(["first"])


@pytest.mark.parametrize(
    ("training", "words"),
    [
        (raises, "RuntimeError: no data for 7 of 9 (training 1 of 2)."),
        (releases_nothing, "it must call transcript.release in each step"),
        (has_no_batch, "release 1 has no batch: call transcript.batch before each release"),
        (has_other_numbers_after, "release 1 has 2 numbers before the noise and 3 after it"),
        (changes_its_shape, "release 2 has 3 numbers, the first 2: all must be alike"),
        (hands_words, "a release must be numbers or arrays of them, got str"),
        (hands_a_batch_of_words, "transcript.batch takes positions of records or a mask"),
    ],
)
def test_a_training_that_fails_is_told_why(training: Any, words: str) -> None:
    verdict = white_box(training, DATA, CLAIM, STEPS, isolation="none")
    assert verdict.status is WhiteBoxStatus.TRAINING_FAILED
    assert words in str(verdict)
    assert json.loads(verdict.to_json())["verdict"]["status"] == "training failed"


def test_what_fails_in_replays_alone_is_undecided(seed: int) -> None:
    def picky(data: Any, rng: Generator, transcript: Any) -> Any:
        if not (data == DATA).all():
            raise ValueError("these are not the data")
        return train(data, rng, transcript)

    verdict = white_box(picky, DATA, CLAIM, STEPS, canaries=DATA[:3] + 1.0, seed=seed, isolation="none", alpha=1e-9)
    assert verdict.status is WhiteBoxStatus.INCONCLUSIVE
    assert "these are not the data" in str(verdict)


def test_it_runs_in_a_process_of_its_own_and_is_written_down(seed: int) -> None:
    verdict = white_box(train, DATA, CLAIM, STEPS, seed=seed, alpha=1e-9)
    assert verdict.status is WhiteBoxStatus.AS_ACCOUNTED, str(verdict)
    found = json.loads(verdict.to_json())
    assert found["schema"] == "dpcheck-white-box/1"
    assert [each["name"] for each in found["verdict"]["premises"]] == [
        "clipping", "noise", "sampling", "steps", "leftovers", "accounting"
    ]  # fmt: skip
    with pytest.raises(TypeError, match="a verdict is neither true nor false"):
        bool(verdict)
    assert "as accounted" in verdict._repr_html_()


def test_who_listens_is_told_of_each_training() -> None:
    told: list[tuple[int, int]] = []
    verdict = white_box(train, DATA, CLAIM, STEPS, isolation="none", listener=lambda *done: told.append(done))
    assert [done for done, _ in told] == list(range(1, verdict.trainings + 1))
    assert told[-1][1] == verdict.trainings


def test_releases_of_any_form_keep_it() -> None:
    form = {"layers": [np.zeros((2, 2), dtype=np.float32), (np.zeros(1), 0.5)], "bias": 1}
    row = np.arange(7.0)
    made = filled(form, row)
    assert flat(made).tolist() == row.tolist()
    assert made["layers"][0].dtype == np.float32
    assert isinstance(made["layers"][1], tuple)
