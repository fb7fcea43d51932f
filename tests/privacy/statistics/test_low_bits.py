"""Low-order bits can write a finding, when they tell D from D', and are silent when they do not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck import Status
from dpcheck.execution.answers import Answers
from dpcheck.privacy.statistics.game import Batch
from dpcheck.privacy.statistics.layout import fit_layout
from dpcheck.privacy.statistics.low_bits import WATCHED, LowBits, SingleBits, pairs_of_one_number, pairs_of_one_size
from dpcheck.privacy.statistics.low_order import NO_BITS
from dpcheck.privacy.statistics.observations import observe
from dpcheck.privacy.statistics.places import UNSEEN
from tests.statistical_tests import LEVEL

#: The evidence that is reached with probability 1e-9 at most.
LEVEL_NATS = 20.8
ONE_PAIR = [([0.0], [1.0])]


def seen_by(outputs: Any, coins: np.ndarray, rng: np.random.Generator) -> LowBits:
    watch = LowBits()
    for part in np.array_split(np.arange(len(coins)), max(1, len(coins) // 200)):
        watch.see(Batch(observe(Answers(outputs[part]), "real"), coins[part]), rng)
    return watch


def coins_of(count: int, rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 2, count).astype(np.int8)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_textbook_noise_is_found_out(dtype: Any, rng: np.random.Generator) -> None:
    coins = coins_of(8000, rng)
    noise = rng.laplace(size=8000).astype(dtype)
    watch = seen_by(coins.astype(dtype) + noise, coins, rng)
    assert watch.told
    found = watch.finding()
    assert found is not None
    assert found.kind == "floating point"
    assert "the last bits" in found.detail
    assert "discrete" in found.detail
    assert "\n" not in found.detail


@pytest.mark.parametrize("width", [2, 5])
def test_in_vectors_too(width: int, rng: np.random.Generator) -> None:
    coins = coins_of(16_000, rng)
    assert seen_by(coins[:, None] + rng.laplace(size=(16_000, width)), coins, rng).told


@pytest.mark.parametrize(
    "law",
    [
        lambda coins, rng: coins + np.round(rng.laplace(size=len(coins)) * 2.0**45) * 2.0**-45,
        lambda coins, rng: np.round(coins + np.round(rng.laplace(size=len(coins)), 2), 2),
        lambda coins, rng: 4.0 * coins + np.round(8.0 * rng.laplace(size=len(coins))),
        lambda coins, rng: rng.laplace(size=len(coins)),
        lambda coins, rng: np.exp(0.1 * coins) * rng.laplace(size=len(coins)),
        lambda coins, rng: coins,
        lambda coins, rng: np.full(len(coins), np.nan),
    ],
    ids=["fine lattice", "two decimals", "whole numbers", "no leak", "another scale", "integers", "not a number"],
)
def test_noise_whose_low_order_bits_say_nothing_is_not_blamed(law: Any, rng: np.random.Generator) -> None:
    """Each of these blames with probability at most 1e-6."""
    coins = coins_of(20_000, rng)
    assert seen_by(law(coins, rng), coins, rng).finding() is None


def test_a_plain_leak_is_not_a_matter_of_bits(rng: np.random.Generator) -> None:
    """A leak that is plain to see on the reals is no finding: answers are compared with those of their own size."""
    coins = coins_of(20_000, rng)
    outputs = np.where(coins == 1, 4.0, 1.0) * (1 + np.round(rng.random(20_000) * 2.0**44) * 2.0**-44)
    assert seen_by(outputs, coins, rng).finding() is None


def test_pairs_hold_one_answer_of_each_side_once(rng: np.random.Generator) -> None:
    coins = coins_of(1000, rng)
    found = pairs_of_one_size(Batch(observe(Answers(coins + rng.laplace(size=1000)), "real"), coins), rng)
    assert found is not None
    assert 0 < len(found.coins) <= min(coins.sum(), 1000 - coins.sum())


def test_without_floats_there_is_nothing_to_watch(rng: np.random.Generator) -> None:
    for values in (np.arange(10), ["a"] * 10, [None, 1] * 5, np.zeros(10)):
        seen = observe(Answers(values), "real")
        assert seen.low is not None
        assert ((seen.low & NO_BITS) == NO_BITS).all()
        assert pairs_of_one_size(Batch(seen, coins_of(10, rng)), rng) is None


def test_it_stops_looking(rng: np.random.Generator) -> None:
    coins = coins_of(3 * WATCHED, rng)
    watch = seen_by(rng.laplace(size=len(coins)), coins, rng)
    assert watch.answers < WATCHED + 400


@pytest.mark.turns(6)
def test_a_finding_never_is_a_verdict_and_exact_numerics_make_it_one(seed: int) -> None:
    def textbook(data: Any, rng: np.random.Generator) -> float:
        return float(data[0] + rng.laplace())

    common: dict[str, Any] = {"pairs": ONE_PAIR, "alpha": LEVEL, "isolation": "none", "seed": seed}
    real = dpcheck.audit(textbook, 1.0, max_samples=8000, **common)
    assert real.status is not Status.VIOLATED
    assert "floating point" in {finding.kind for finding in real.findings}
    exact = dpcheck.audit(textbook, 1.0, max_samples=20_000, numerics="exact", **common)
    assert exact.status is Status.VIOLATED
    assert "floating point" not in {finding.kind for finding in exact.findings}
    assert exact.witness is not None
    found = dpcheck.measure(textbook, pairs=ONE_PAIR, max_samples=8000, isolation="none", seed=seed)
    assert "floating point" in {finding.kind for finding in found.findings}


@pytest.mark.turns(6)
def test_noise_on_a_lattice_passes_exact_numerics(seed: int) -> None:
    def discrete(data: Any, rng: np.random.Generator) -> float:
        stop = -np.expm1(-1 / 8)
        return float(data[0] + (rng.geometric(stop) - rng.geometric(stop)) / 8)

    verdict = dpcheck.audit(
        discrete, 1.0, pairs=ONE_PAIR, alpha=LEVEL, isolation="none", seed=seed, max_samples=4000, numerics="exact"
    )
    assert verdict.status is not Status.VIOLATED


# --- bits of doubles that real numerics keeps and no rule on numbers sees ------------------------------------------


def middle_bits_of(outputs: Any, coins: np.ndarray) -> SingleBits:
    watch = SingleBits(1.0, 0.0)
    for part in np.array_split(np.arange(len(coins)), 20):
        watch.see(Batch(observe(Answers(outputs[part]), "real"), coins[part]))
    return watch


@pytest.mark.parametrize("place", [13, 20, 39])
def test_a_record_in_a_middle_bit_of_a_double_is_found(place: int, rng: np.random.Generator) -> None:
    coins = coins_of(1000, rng)
    bits = rng.laplace(size=1000).view(np.uint64)
    one = np.uint64(1) << np.uint64(place)
    hidden = np.where(coins == 1, bits | one, bits & ~one).view(np.float64)
    watch = middle_bits_of(hidden, coins)
    finding = watch.finding()
    assert finding is not None
    assert finding.kind == UNSEEN
    assert watch.side.game.slots is None  # what was learned of the numbers is not kept when it is over
    assert not watch.side.waiting


@pytest.mark.parametrize("far", [0.0, 1e3, 1e6, 1e9])
def test_middle_bits_of_private_noise_are_not_blamed(far: float, rng: np.random.Generator) -> None:
    """Far from 0 they are the number itself, and the claim is all that may be asked of them."""
    coins = coins_of(6000, rng)
    assert middle_bits_of(far + coins + rng.laplace(size=6000), coins).evidence < LEVEL_NATS


@pytest.mark.some(1)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("lowest", [True, False])
@pytest.mark.parametrize(("width", "place"), [(3, 1), (40, 39), (300, 150)])
@pytest.mark.parametrize("made", [lambda found: found, lambda found: {"weights": found}], ids=["array", "dict"])
def test_a_record_in_one_bit_of_one_of_many_numbers_is_found(
    dtype: Any, lowest: bool, width: int, place: int, made: Any, seed: int
) -> None:
    """Of each number of an output: the lowest bit is a finding, one above those dropped leaves no clean verdict."""

    def learner(data: Any, rng: np.random.Generator) -> Any:
        found = rng.normal(size=width).astype(dtype)
        words = found.view(f"u{found.itemsize}")
        bit = words.dtype.type(1 << (0 if lowest else 13))
        words[place] = words[place] | bit if data[0] else words[place] & ~bit
        return made(found)

    verdict = dpcheck.audit(learner, 1.0, pairs=ONE_PAIR, isolation="none", max_samples=1500, detect=30.0, seed=seed)
    kinds = {finding.kind for finding in verdict.findings}
    assert ("floating point" if lowest else UNSEEN) in kinds
    assert not lowest or UNSEEN not in kinds
    assert lowest or verdict.status is Status.INCONCLUSIVE


@pytest.mark.parametrize(
    "made",
    [
        lambda one: {"a": one},
        lambda one: {"a": one, "n": 3, "b": 0.25},
        lambda one: [one],
        lambda one: (one, "text"),
        lambda one: {"m": {"c": [one, one * np.float32(2.0)]}},
    ],
    ids=["dict", "among others", "list", "tuple", "nested"],
)
@pytest.mark.some(1)
def test_low_bits_of_single_precision_in_containers_are_those_of_single_precision(made: Any, seed: int) -> None:
    """They are a finding, as alone and in arrays, and no bit of the double that holds them is "not looked at"."""

    def learner(data: Any, rng: np.random.Generator) -> Any:
        words = rng.normal(size=1).astype(np.float32).view(np.uint32)
        return made((words & ~np.uint32(1) | np.uint32(int(data[0]))).view(np.float32)[0])

    verdict = dpcheck.audit(learner, 1.0, pairs=ONE_PAIR, isolation="none", max_samples=1500, detect=30.0, seed=seed)
    assert {finding.kind for finding in verdict.findings} & {"floating point", UNSEEN} == {"floating point"}
    assert verdict.status is not Status.VIOLATED


def test_a_leak_in_a_length_is_none_of_single_bits(seed: int) -> None:
    def learner(data: Any, rng: np.random.Generator) -> Any:
        return {"weights": rng.normal(size=3).tolist(), "words": ["a"] * (3 + 2 * int(data[0])), "size": 3.0 + data[0]}

    verdict = dpcheck.audit(learner, 1.0, pairs=ONE_PAIR, isolation="none", max_samples=600, seed=seed)
    assert verdict.status is Status.VIOLATED
    assert not {finding.kind for finding in verdict.findings} & {UNSEEN, "floating point"}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_low_bits_of_vectors_of_private_noise_are_not_blamed(dtype: Any, rng: np.random.Generator) -> None:
    coins = coins_of(3000, rng)
    outputs = (coins[:, None] / 50.0 + rng.laplace(size=(3000, 50))).astype(dtype)
    layout = fit_layout(list(outputs[:12]), exact=False)
    for lowest in (False, True):
        watch = SingleBits(1.0, 0.0, lowest=lowest)
        for part in np.array_split(np.arange(3000), 10):
            watch.see(Batch(observe(Answers(outputs[part]), "real", None, layout), coins[part]))
        assert watch.evidence < LEVEL_NATS


def test_no_clean_verdict_stands_behind_a_bit_that_tells(seed: int) -> None:
    def learner(data: Any, rng: np.random.Generator) -> float:
        bits = np.array([rng.laplace()]).view(np.uint64) & ~np.uint64(1 << 30) | np.uint64(int(data[0]) << 30)
        return float(bits.view(np.float64)[0])

    verdict = dpcheck.audit(learner, 1.0, pairs=ONE_PAIR, isolation="none", max_samples=1500, detect=30.0, seed=seed)
    assert verdict.status is Status.INCONCLUSIVE


def laid_out(outputs: list[Any], coins: np.ndarray) -> Batch:
    layout = fit_layout(outputs[:20], exact=False)
    values = np.array(outputs) if isinstance(outputs[0], float) else outputs  # as a worker packs them
    return Batch(observe(Answers(values), "real", layout=layout), coins)


LATTICES = {
    "one of three": lambda rng, count: rng.integers(1, 4, count).astype(float),
    "tenths": lambda rng, count: 0.1 * rng.integers(1, 40, count),
    "one": lambda rng, count: np.ones(count),
    "large": lambda rng, count: 1e200 * rng.integers(1, 4, count),
    "clipped": lambda rng, count: np.clip(rng.laplace(scale=50.0, size=count), -1.0, 1.0),
}


@pytest.mark.some(4)
@pytest.mark.parametrize(
    "form",
    [lambda x: x, lambda x: {"a": x}, lambda x: [x, "text"], lambda x: np.array([x, -x]), lambda x: x if x else None],
)
@pytest.mark.parametrize("name", LATTICES)
def test_numbers_that_repeat_are_told_apart_by_their_last_bits(name: str, form: Any, rng: np.random.Generator) -> None:
    coins = coins_of(2_000, rng)
    values = LATTICES[name](rng, len(coins))
    bits = coins * rng.integers(1, 200, len(coins))
    leaking = (values.view(np.int64) + bits).view(np.float64)
    for given, tells in ((values, False), (leaking, True)):
        watch = LowBits()
        for part in np.split(np.arange(len(coins)), 5):
            watch.see(laid_out([form(float(value)) for value in given[part]], coins[part]), rng)
        found = watch.finding()
        assert (found is not None) == tells
        assert found is None or "rounded to one" in found.detail


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("form", [lambda x: x, lambda x: {"a": x}, lambda x: [x, x]])
def test_textbook_noise_is_not_taken_for_numbers_that_repeat(form: Any, dtype: Any, rng: np.random.Generator) -> None:
    coins = coins_of(10_000, rng)
    outputs = [form(dtype(value)) for value in coins + rng.laplace(size=len(coins))]
    for some in (outputs, outputs[:60]):
        assert pairs_of_one_number(laid_out(some, coins[: len(some)]), rng) is None


def test_noise_on_a_lattice_that_is_added_in_floating_point_is_found_out(rng: np.random.Generator) -> None:
    """1 + 0.29 is not the double nearest to 1.29."""
    coins = coins_of(20_000, rng)
    found = seen_by(coins + np.round(rng.laplace(size=len(coins)), 2), coins, rng).finding()
    assert found is not None
    assert "rounded to one" in found.detail


def test_bits_that_do_not_tell_are_no_finding(rng: np.random.Generator) -> None:
    coins = coins_of(10_000, rng)
    values = (rng.integers(1, 4, len(coins)) + 2.0**-50 * rng.integers(0, 2, len(coins))).astype(float)
    watch = seen_by(values, coins, rng)
    assert watch.equal.evidence < LEVEL_NATS
    assert watch.finding() is None


@pytest.mark.turns(4)
@pytest.mark.parametrize("noisy", [False, True])
def test_an_answer_whose_last_bit_is_the_record_is_told(noisy: bool, seed: int) -> None:
    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        label = np.nextafter(1.0, 1.0 + dataset[0])
        return [float(rng.laplace()), float(label)] if noisy else float(label)

    limits: dict[str, Any] = {"pairs": ONE_PAIR, "seed": seed, "isolation": "none"}
    verdict = dpcheck.audit(learner, 1.0, max_samples=20_000, **limits)
    kinds = {finding.kind for finding in verdict.findings}
    assert "floating point" in kinds
    assert "one output" not in kinds
    assert dpcheck.audit(learner, 1.0, max_samples=20_000, numerics="exact", **limits).status is Status.VIOLATED


@pytest.mark.some(1)
@pytest.mark.parametrize("held", [np.array, list])
@pytest.mark.parametrize("value", [0.7, 1.0])
def test_last_bits_of_one_number_of_many_are_a_finding_and_no_violation(value: float, held: Any) -> None:
    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        numbers = np.full(300, value)
        numbers[250] += dataset[0] * 2.0**-52
        return held(numbers)

    few: dict[str, Any] = {"pairs": [([0], [1])], "isolation": "none", "max_samples": 1_500, "seed": 2}
    real = dpcheck.audit(learner, 1.0, detect=30.0, **few)
    assert real.status is not Status.VIOLATED, str(real)
    assert "floating point" in [one.kind for one in real.findings]
    assert dpcheck.audit(learner, 1.0, numerics="exact", **few).status is Status.VIOLATED


@pytest.mark.turns(6)
@pytest.mark.parametrize("made", [lambda x: complex(x, 2.0), lambda x: np.array([x, 1j]), lambda x: np.array([x, 2.0])])
def test_the_last_bits_of_complex_numbers_and_arrays_are_told(made: Any, seed: int) -> None:
    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        return made(np.nextafter(1.0, 1.0 + dataset[0]))

    verdict = dpcheck.audit(learner, 1.0, pairs=ONE_PAIR, max_samples=8_000, isolation="none", seed=seed)
    kinds = {finding.kind for finding in verdict.findings}
    assert "floating point" in kinds
    assert "one output" not in kinds


@pytest.mark.some(1)
@pytest.mark.parametrize("shape", [complex, np.complex128, np.complex64])
def test_a_complex_number_is_two_numbers(shape: Any, seed: int) -> None:
    """Noise in its real part is no output of another kind than the first ones, and a record in the other is seen."""

    def learner(dataset: Any, rng: np.random.Generator) -> Any:
        return shape(complex(dataset[0] + rng.laplace(), 2.0))

    def leaking(dataset: Any, rng: np.random.Generator) -> Any:
        return shape(complex(rng.laplace(), rng.integers(0, 2) + 100 * dataset[0]))

    limits: dict[str, Any] = {"pairs": ONE_PAIR, "isolation": "none", "seed": seed}
    assert dpcheck.audit(learner, 1.0, max_samples=8_000, **limits).status is Status.NO_VIOLATION_FOUND
    assert dpcheck.audit(leaking, 1.0, max_samples=2_000, **limits).status is Status.VIOLATED
