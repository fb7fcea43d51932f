"""Trainings whose answer is known: correct ones are as accounted, each mistake is found and named."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from dpcheck import ApproxDP, GaussianDP, GaussianSteps, WhiteBoxStatus, white_box
from dpcheck.parts.trained import TrainedEntry, entries
from dpcheck.parts.trained.gradient_steps import GradientSteps, clipped_sum
from dpcheck.parts.trained.votes import Votes, by_place
from dpcheck.privacy.white_box.values import PremiseStatus

ENTRIES = {entry.name: entry for entry in entries()}


def audited(entry: TrainedEntry, seed: int, **more: Any) -> Any:
    return white_box(
        entry.train,
        entry.dataset(),
        entry.claim,
        entry.accounted,
        neighbours=entry.neighbours,
        seed=seed,
        isolation="none",
        **more,
    )


@pytest.mark.some(3)
@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if not entry.broken])
def test_a_correct_training_is_as_accounted(name: str, seed: int) -> None:
    verdict = audited(ENTRIES[name], seed, alpha=1e-9)
    assert verdict.status is WhiteBoxStatus.AS_ACCOUNTED, str(verdict)
    assert verdict.epsilon_seen == verdict.epsilon_accounted


@pytest.mark.some(6)
@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.broken])
def test_a_mistake_is_found_and_named(name: str, seed: int) -> None:
    verdict = audited(ENTRIES[name], seed)
    assert verdict.status is WhiteBoxStatus.NOT_AS_ACCOUNTED
    assert verdict.broken == (ENTRIES[name].broken,), str(verdict)
    assert verdict.epsilon_seen >= verdict.epsilon_accounted


def test_there_are_as_many_as_are_said() -> None:
    broken = [entry for entry in entries() if entry.broken]
    assert len(ENTRIES) == len(entries())
    assert sum(bool(entry.seen_in) for entry in broken) >= 15
    assert {entry.broken for entry in broken} == {
        "clipping", "noise", "sampling", "steps", "leftovers", "accounting"
    }  # fmt: skip


def test_without_its_transcript_a_training_is_a_learner(rng: Generator) -> None:
    entry = ENTRIES["dp_sgd"]
    assert entry.train(entry.dataset(), rng).shape == (7,)


def test_it_depends_on_the_seed_alone(seed: int) -> None:
    entry = ENTRIES["dp_sgd_of_layers"]
    one, two = (audited(entry, seed, jobs=jobs) for jobs in (1, 2))
    assert one.premises == two.premises
    assert one.largest == two.largest


def test_clipping_that_had_nothing_to_do_is_not_said_to_hold(seed: int) -> None:
    far = GradientSteps(accounted=GaussianSteps(1.2, 1000.0, 60, sampling_rate=0.1))
    entry = ENTRIES["dp_sgd"]
    verdict = white_box(far, entry.dataset(), entry.claim, far.accounted, seed=seed, isolation="none")
    assert verdict.status is WhiteBoxStatus.INCONCLUSIVE
    (clipping,) = (each for each in verdict.premises if each.name == "clipping")
    assert clipping.status is PremiseStatus.UNDECIDED
    assert "clipping had nothing to do" in clipping.words


def test_canaries_that_are_given_are_tried(seed: int) -> None:
    """Gradients are as long as records: only one that is longer shows that nothing is clipped."""
    accounted = GaussianSteps(noise_multiplier=2.0, clipping_norm=1.0, steps=5)

    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        for _ in range(5):
            total = data[transcript.batch(range(len(data)))].sum(axis=0)
            model = transcript.release(total, total + rng.normal(0.0, 2.0, 3))
        return model

    short = np.eye(3)[np.arange(40) % 3]
    claim = GaussianDP(1.2)
    found = white_box(train, short, claim, accounted, seed=seed, isolation="none")
    assert found.status is WhiteBoxStatus.AS_ACCOUNTED
    found = white_box(train, short, claim, accounted, canaries=4.0 * short[:3], seed=seed, isolation="none")
    assert found.broken == ("clipping",)
    assert found.largest == pytest.approx(4.0)


def test_public_sizes_may_be_used(seed: int) -> None:
    entry = ENTRIES["divided_by_data_size"]
    verdict = audited(entry, seed, public_size=True)
    assert verdict.status is WhiteBoxStatus.AS_ACCOUNTED
    assert "the number of records is used, and taken for public" in str(verdict)


def test_randomness_of_its_own_makes_replays_undecided(seed: int) -> None:
    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        model = np.zeros(2)
        for _ in range(10):
            pulls = (data[transcript.batch(range(len(data)))] - model) * (1.0 + 0.002 * int.from_bytes(os.urandom(1)))
            total = clipped_sum(pulls, 1.0)
            model = model + 0.01 * transcript.release(total, total + rng.normal(0.0, 6.0, 2))
        return model

    accounted = GaussianSteps(noise_multiplier=6.0, clipping_norm=1.0, steps=10)
    verdict = white_box(train, np.eye(2)[np.arange(40) % 2], None, accounted, seed=seed, isolation="none")
    assert verdict.status is WhiteBoxStatus.INCONCLUSIVE
    assert "it has randomness of its own" in str(verdict)
    assert verdict.claim is None


def test_a_claim_that_does_not_follow_is_told_from_steps_that_are_not_as_accounted(seed: int) -> None:
    entry = ENTRIES["dp_sgd"]
    verdict = white_box(entry.train, entry.dataset(), ApproxDP(0.5, 1e-5), entry.accounted, seed=seed, isolation="none")
    assert verdict.broken == ("accounting",)
    assert "The steps are as accounted, but the claim does not follow from them." in str(verdict)


Train = Any


def clipped_steps(
    *,
    steps: int = 60,
    draw: Any = lambda rng, size: np.flatnonzero(rng.random(size) < 0.1),
    prepare: Any = lambda x: x,
    look: Any = lambda rng, x: x,
    total: Any = lambda given, x, y: clipped_sum(given, 1.0),
    noise: Any = lambda rng, batch, total: rng.normal(0.0, 1.2, total.size),
    give: Any = lambda model, x, rng: model,
) -> Train:
    """A training by clipped steps, one part of which is another's."""

    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        x, y = data
        x = prepare(x)
        model = np.zeros(x.shape[1])
        for _ in range(steps):
            batch = transcript.batch(draw(rng, len(x)))
            seen = look(rng, x[batch])
            wrong = 1.0 / (1.0 + np.exp(-np.clip(seen @ model, -50.0, 50.0))) - (y[batch] == 1)
            sums = total(wrong[:, None] * seen, x[batch], y[batch])
            model = model - 0.02 * transcript.release(sums, sums + noise(rng, batch, sums))
        return give(model, x, rng)

    return train


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("train", "given"),
    [
        (clipped_steps(look=lambda rng, x: x * (rng.random(x.shape) < 0.8)), {}),
        (clipped_steps(look=lambda rng, x: x + 0.3 * rng.normal(size=x.shape)), {}),
        (clipped_steps(give=lambda model, x, rng: model + rng.normal(0.0, 0.01, 6)), {}),
        (clipped_steps(noise=lambda rng, batch, total: rng.normal(0.0, 1.2, 6) * [1, 1, 1, 1, 1, 30.0]), {}),
        (clipped_steps(draw=lambda rng, size: rng.random(size) < 0.1), {}),
    ],
    ids=["dropout", "augmentation", "noise at the end", "more noise on one", "masks"],
)
def test_what_ordinary_people_do_is_as_accounted(train: Train, given: dict[str, Any], seed: int) -> None:
    entry = ENTRIES["dp_sgd"]
    verdict = white_box(
        train, entry.dataset(), entry.claim, entry.accounted, seed=seed, isolation="none", alpha=1e-9, **given
    )
    assert verdict.status is WhiteBoxStatus.AS_ACCOUNTED, str(verdict)


def test_a_generator_of_its_own_is_no_mistake(seed: int) -> None:
    """What it draws for others is another with one record more: that is not told as what the record gave."""

    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        own = np.random.default_rng(rng.integers(2**63))
        given = clipped_steps(
            look=lambda rng, x: x * (own.random(x.shape) < 0.8),
            give=lambda model, x, rng: model + own.normal(0.0, 0.01, 6),
        )
        return given(data, rng, transcript)

    entry = ENTRIES["dp_sgd"]
    verdict = white_box(train, entry.dataset(), entry.claim, entry.accounted, seed=seed, isolation="none", alpha=1e-9)
    assert verdict.broken == (), str(verdict)


def test_labels_that_are_all_different_are_read(seed: int) -> None:
    x, _ = ENTRIES["dp_sgd"].dataset()
    records = np.tile(x, (25, 1))
    targets = np.arange(len(records)) / 3.0
    train = clipped_steps(steps=3)
    accounted = GaussianSteps(noise_multiplier=1.2, clipping_norm=1.0, steps=3, sampling_rate=0.1)
    verdict = white_box(train, (records, targets), None, accounted, seed=seed, isolation="none", alpha=1e-9, count=2)
    assert verdict.broken == (), str(verdict)


def test_one_number_of_discrete_noise_is_not_the_same_by_chance(seed: int) -> None:
    points = np.arange(-12, 13)
    law = np.exp(-(points**2) / 2.0) / np.exp(-(points**2) / 2.0).sum()

    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        total = np.clip(data[transcript.batch(range(len(data)))], -1, 1).sum()
        return transcript.release(total, total + float(rng.choice(points, p=law)))

    accounted = GaussianSteps(noise_multiplier=1.0, clipping_norm=1.0, steps=1)
    data = np.round(np.linspace(-3.0, 3.0, 30))
    verdict = white_box(train, data, None, accounted, seed=seed, isolation="none", alpha=1e-9, public_size=True)
    assert verdict.broken == (), str(verdict)

    def silent(data: Any, rng: Generator, transcript: Any) -> Any:
        total = np.clip(data[transcript.batch(range(len(data)))], -1, 1).sum()
        return transcript.release(total, total)

    verdict = white_box(silent, data, None, accounted, seed=seed, isolation="none", public_size=True)
    assert verdict.broken == ("noise",)
    assert "there is no noise" in str(verdict)


def rare(y: Any) -> Any:
    return np.where(y == 2, 5.0, 1.0)[:, None]


@pytest.mark.some(4)
@pytest.mark.parametrize(
    ("train", "broken"),
    [
        (clipped_steps(prepare=lambda x: 3.0 * x / np.linalg.norm(x, axis=1).max()), "leftovers"),
        (clipped_steps(give=lambda model, x, rng: (model, np.linalg.norm(x, axis=1).max())), "leftovers"),
        (clipped_steps(give=lambda model, x, rng: model + x[-1]), "leftovers"),
        (clipped_steps(noise=lambda rng, batch, total: np.tile(rng.normal(0.0, 1.2, 3), 2)), "noise"),
        (clipped_steps(noise=lambda rng, batch, total: rng.normal(0.0, 0.12 * max(10, len(batch)), 6)), "noise"),
        (
            clipped_steps(
                noise=lambda rng, batch, total: np.random.default_rng(int(abs(total.sum()) * 1e9)).normal(0, 1.2, 6)
            ),
            "noise",
        ),
        (clipped_steps(draw=lambda rng, size: np.flatnonzero(np.tile(rng.random(200) < 0.1, 2))), "sampling"),
        (clipped_steps(draw=lambda rng, size: rng.integers(size, size=rng.binomial(size, 0.1))), "sampling"),
        (clipped_steps(total=lambda given, x, y: (given / 1.0).sum(axis=0)), "clipping"),
        (
            clipped_steps(
                look=lambda rng, x: x * (rng.random(x.shape) < 0.8), total=lambda given, x, y: given.sum(axis=0)
            ),
            "clipping",
        ),
    ],
    ids=[
        "largest", "largest told", "last record", "layers share", "size of batch", "seed of sums", "pairs", "twice",
        "not clipped", "not clipped, dropout",
    ],
)  # fmt: skip
def test_other_mistakes_are_named_too(train: Train, broken: str, seed: int) -> None:
    entry = ENTRIES["dp_sgd"]
    verdict = white_box(train, entry.dataset(), entry.claim, entry.accounted, seed=seed, isolation="none", count=4)
    assert broken in verdict.broken, str(verdict)


def test_a_weight_of_a_rare_label_is_found(seed: int) -> None:
    x, _ = ENTRIES["dp_sgd"].dataset()
    y = np.where(np.arange(len(x)) < 3, 2, (x[:, 0] > 0).astype(int))
    train = clipped_steps(total=lambda given, x, y: clipped_sum(given, 1.0) + ((rare(y) - 1.0) * given).sum(axis=0))
    verdict = white_box(train, (x, y), None, ENTRIES["dp_sgd"].accounted, seed=seed, isolation="none")
    assert "clipping" in verdict.broken


def test_batches_without_records_must_be_released_too(seed: int) -> None:
    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        model = np.zeros(2)
        for _ in range(60):
            batch = transcript.batch(np.flatnonzero(rng.random(len(data)) < 0.02))
            if not len(batch):
                continue
            total = clipped_sum(data[batch] - model, 1.0)
            model = model + 0.01 * transcript.release(total, total + rng.normal(0.0, 2.0, 2))
        return model

    accounted = GaussianSteps(noise_multiplier=2.0, clipping_norm=1.0, steps=60, sampling_rate=0.02)
    verdict = white_box(train, np.eye(2)[np.arange(40) % 2] * 3.0, None, accounted, seed=seed, isolation="none")
    assert "leftovers" in verdict.broken


@pytest.mark.parametrize("ignored", ["batch", "release"])
def test_what_the_transcript_gives_back_must_be_used(ignored: str, seed: int) -> None:
    def train(data: Any, rng: Generator, transcript: Any) -> Any:
        model = np.zeros(2)
        for _ in range(20):
            own = np.flatnonzero(rng.random(len(data)) < 0.3)
            batch = transcript.batch(own)
            total = clipped_sum(data[own if ignored == "batch" else batch] - model, 1.0)
            noisy = total + rng.normal(0.0, 2.0, 2)
            released = transcript.release(total, noisy)
            model = model + 0.01 * (noisy if ignored == "release" else released)
        return model

    accounted = GaussianSteps(noise_multiplier=2.0, clipping_norm=1.0, steps=20, sampling_rate=0.3)
    verdict = white_box(train, np.eye(2)[np.arange(40) % 2] * 3.0, None, accounted, seed=seed, isolation="none")
    assert verdict.status is WhiteBoxStatus.TRAINING_FAILED
    assert f"transcript.{ignored} gives back" in verdict.failure


def test_records_that_are_told_apart_by_their_place_are_found(seed: int) -> None:
    """PATE whose teachers have records in turn: one record less, and all after it are at other teachers."""
    entry = next(each for each in entries() if each.name == "votes_of_teachers")
    for train, broken in ((Votes(), ()), (Votes(teachers=by_place), ("clipping",))):
        verdict = white_box(
            train, entry.dataset(), entry.claim, entry.accounted, seed=seed, isolation="none", alpha=1e-9
        )
        assert verdict.broken == broken, str(verdict)
    assert "what a record gives depends on its place" in str(verdict)
    known = white_box(
        train, entry.dataset(), None, entry.accounted, seed=seed, isolation="none", alpha=1e-9, public_size=True
    )
    assert known.broken == ()
