"""Noise that is as accounted is never said not to be; each way in which it is not is found, and named."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck.privacy.white_box.noise import least_noise_seen, noise_broken
from dpcheck.privacy.white_box.replays import TELLING

Floats = NDArray[np.float64]
#: So that a red test means a defect.
ALPHA = 1e-9
RUNS, STEPS, NUMBERS = 2, 60, 20


def test_normal_noise_of_any_shape_is_as_accounted(rng: Generator) -> None:
    for _ in range(20):
        shape = tuple(int(rng.integers(1, most)) for most in (4, 60, 30))
        assert noise_broken(rng.normal(size=shape), ALPHA / 20) is None


def test_more_noise_than_accounted_is_no_mistake(rng: Generator) -> None:
    noise = rng.normal(size=(RUNS, STEPS, NUMBERS))
    assert noise_broken(3.0 * noise, ALPHA) is None
    assert noise_broken(np.linspace(1.0, 9.0, STEPS)[:, None] * noise, ALPHA) is None
    assert noise_broken(np.linspace(1.0, 9.0, NUMBERS) * noise, ALPHA) is None


@pytest.mark.parametrize("deviation", [1.0, 3.0, 10.0, 1000.0])
@pytest.mark.parametrize("shape", [(2, 60, 20), (2, 30, 1), (2, 60, 2), (2, 1, 50)])
def test_noise_on_a_grid_is_as_good(shape: tuple[int, ...], deviation: float, rng: Generator) -> None:
    points = np.arange(-12 * int(deviation) - 3, 12 * int(deviation) + 4)
    law = np.exp(-(points**2) / (2.0 * deviation**2))
    noise = rng.choice(points, size=shape, p=law / law.sum()) / deviation
    assert noise_broken(noise, ALPHA) is None


@pytest.mark.parametrize("deviation", [0.7, 1.0, 2.0])
def test_a_few_numbers_on_a_coarse_grid_are_as_good(deviation: float, rng: Generator) -> None:
    points = np.arange(-30, 31)
    law = np.exp(-(points**2) / 2.0 / deviation**2)
    for _ in range(50):
        few = rng.choice(points, p=law / law.sum(), size=(TELLING, 1, 1)) / deviation
        assert noise_broken(few, ALPHA / 50) is None
    for values in ([0.0], [0.0, 1.3], [1.3]):  # one number of noise for all, or none
        silent = np.tile(np.resize(values, (1, TELLING, 1)), (2, 1, 1))
        assert noise_broken(silent, ALPHA) is not None


def test_noise_in_single_precision_is_as_good(rng: Generator) -> None:
    for sums in (1.0, 100.0, 1e6):
        noise = (sums + rng.normal(size=(RUNS, STEPS, 7))).astype(np.float32).astype(np.float64) - sums
        assert noise_broken(noise, ALPHA, 2.0**-23 * sums) is None


def test_layers_and_steps_with_more_noise_are_no_mistake(rng: Generator) -> None:
    noise = rng.normal(size=(2, 60, 200))
    noise[:, :, 100:] *= 1.3
    assert noise_broken(noise, ALPHA) is None
    assert noise_broken(noise * np.linspace(1.5, 1.0, 60)[:, None], ALPHA) is None
    assert noise_broken(noise + rng.uniform(-1.0, 1.0, size=noise.shape), ALPHA) is None
    noise[:, :, 7] *= 30.0
    assert noise_broken(noise, ALPHA) is None


def test_numbers_without_noise_and_layers_that_share_it_are_found(rng: Generator) -> None:
    noise = rng.normal(size=(RUNS, STEPS, NUMBERS))
    noise[rng.random(noise.shape) < 0.1] = 0.0
    broken = noise_broken(noise, ALPHA)
    assert broken is not None
    assert "numbers have no noise" in broken.words
    broken = noise_broken(np.tile(rng.normal(size=(RUNS, STEPS, 5)), 4), ALPHA)
    assert broken is not None
    assert broken.words == "coordinates share their noise"


def test_noise_that_comes_again_at_another_size_is_found_by_its_signs(rng: Generator) -> None:
    noise = rng.normal(size=(RUNS, STEPS, NUMBERS))
    noise[:, 30:] = 1.7 * noise[:, :30]
    broken = noise_broken(noise, ALPHA)
    assert broken is not None
    assert broken.words.startswith("steps that are 30 apart have noise of the same signs")


def repeated(noise: Floats) -> Floats:
    noise[:, STEPS // 2 :] = noise[:, : STEPS // 2]
    return noise


def two_steps(noise: Floats) -> Floats:
    noise[0, 7] = noise[0, 3]
    return noise


def mirrored(noise: Floats) -> Floats:
    noise[:, 1::2] = -noise[:, 0::2]
    return noise


def same_in_both_runs(noise: Floats) -> Floats:
    noise[1] = noise[0]
    return noise


def silent_step(noise: Floats) -> Floats:
    noise[:, -1] = 0.0
    return noise


def silent_coordinate(noise: Floats) -> Floats:
    noise[:, :, 4] = 0.0
    return noise


def quiet_step(noise: Floats) -> Floats:
    noise[:, 9] *= 0.02
    return noise


def quiet_coordinate(noise: Floats) -> Floats:
    noise[:, :, 4] *= 0.2
    return noise


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda noise: 0.0 * noise, "there is no noise"),
        (lambda noise: 0.75 * noise, "times as large as accounted"),
        (lambda noise: noise * np.linspace(1.0, 0.1, STEPS)[:, None], "times as large as accounted"),
        (repeated, "the noise comes again after 30 steps"),
        (two_steps, "step 4 and step 8 have the same noise"),
        (mirrored, "the noise comes again after 1 step"),
        (same_in_both_runs, "two runs with different seeds have the same noise"),
        (lambda noise: noise[:, :, :1] * np.ones(NUMBERS), "coordinates share their noise"),
        (silent_step, "the last step has no noise"),
        (silent_coordinate, "coordinate 5 and no other have no noise"),
        (quiet_step, "the noise of step 10 is"),
        (quiet_coordinate, "the noise of coordinate 5 is"),
    ],
)
def test_what_is_wrong_is_found_and_named(change: Callable[[Floats], Floats], words: str, rng: Generator) -> None:
    broken = noise_broken(change(rng.normal(size=(RUNS, STEPS, NUMBERS))), ALPHA)
    assert broken is not None
    assert words in broken.words
    assert broken.p_value <= ALPHA


@pytest.mark.parametrize("law", ["uniform", "laplace", "two values"])
def test_another_law_of_the_same_deviation_is_found(law: str, rng: Generator) -> None:
    shape = (RUNS, STEPS, 60)
    drawn = {
        "uniform": rng.uniform(-np.sqrt(3.0), np.sqrt(3.0), size=shape),
        "laplace": rng.laplace(size=shape) / np.sqrt(2.0),
        "two values": rng.choice([-1.0, 1.0], size=shape) * (1.0 + 1e-3 * rng.random(shape)),
    }
    broken = noise_broken(drawn[law], ALPHA)
    assert broken is not None
    assert broken.words in ("the noise is not Gaussian", "the same noise comes again")


def test_one_number_a_step_is_looked_at_too(rng: Generator) -> None:
    noise = rng.normal(size=(2, 200, 1))
    assert noise_broken(noise, ALPHA) is None
    noise[:, 100:] = noise[:, :100]
    broken = noise_broken(noise, ALPHA)
    assert broken is not None
    assert "the noise comes again after 100 steps" in broken.words


def test_a_high_level_is_kept(rng: Generator) -> None:
    """Of 200 correct ones at alpha 0.2, more than 90 are accused with probability below 1e-10."""
    accused = sum(noise_broken(rng.normal(size=(2, 10, 5)), 0.2) is not None for _ in range(200))
    assert accused <= 90


def test_the_noise_that_is_promised_to_be_seen_is_seen(rng: Generator) -> None:
    """Of 200 trainings with so little noise 190 are expected to be found; below 160 has probability below 1e-9."""
    part = least_noise_seen(2 * 10 * 5, 1e-3)
    found = sum(noise_broken(part * rng.normal(size=(2, 10, 5)), 1e-3) is not None for _ in range(200))
    assert found >= 160
