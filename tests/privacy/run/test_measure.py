"""Measurements through the front door: coverage, curves that hold together, and nothing certified when cut short."""

from __future__ import annotations

import json
import math
import time
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

import dpcheck
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import from_sampler
from dpcheck.model.verdict import Measurement, Stop
from dpcheck.parts.zoo.hostile import bulk, dying, hanging, raising, randomness
from dpcheck.privacy.run import measure as engine
from dpcheck.privacy.run.events import PhaseStarted, Progress, Started
from tests.clocks import only_sleeping_takes_time
from tests.statistical_tests import LEVEL, statistical_test

ONE_PAIR = [([0.0], [1.0])]
PAIR = [(np.array([0.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0]))]


def measured(learner: Any, **options: Any) -> Measurement:
    defaults = {"pairs": ONE_PAIR, "isolation": "none", "max_samples": 20_000, "max_seconds": 600.0}
    return dpcheck.measure(learner, **(defaults | options))


def bulk_laplace(scale: float = 1.0) -> Any:
    return from_sampler(lambda data, size, rng: sum(data) + rng.laplace(scale=scale, size=size))


def bulk_gauss(sigma: float = 1.0) -> Any:
    return from_sampler(lambda data, size, rng: sum(data) + rng.normal(scale=sigma, size=size))


def gauss_delta(epsilon: float, mu: float = 1.0) -> float:
    """Balle & Wang 2018, theorem 5."""
    return float(norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * norm.cdf(-mu / 2 - epsilon / mu))


def gauss_epsilon(delta: float) -> float:
    low, high = 0.0, 20.0
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gauss_delta(middle) > delta else (low, middle)
    return low


# --- coverage ----------------------------------------------------------------------------------------------------


@pytest.mark.extra
def test_a_pure_measurement_rarely_says_too_much(rng: np.random.Generator) -> None:
    line = statistical_test("measure: pure")
    above = sum(
        measured(bulk_laplace(), alpha=line.chance, max_samples=4000, seed=int(rng.integers(2**32))).epsilon_lower > 1.0
        for _ in range(line.runs)
    )
    assert line.passes(above)


@pytest.mark.extra
def test_an_approximate_measurement_rarely_says_too_much(rng: np.random.Generator) -> None:
    line = statistical_test("measure: approximate")
    delta = 0.01
    truth = gauss_epsilon(delta)
    above = sum(
        measured(
            bulk_gauss(), delta=delta, alpha=line.chance, max_samples=4000, seed=int(rng.integers(2**32))
        ).epsilon_lower
        > truth
        for _ in range(line.runs)
    )
    assert line.passes(above)


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("learner", "delta", "truth"),
    [(bulk_laplace(), 0.0, 1.0), (bulk_laplace(0.5), 0.0, 2.0), (bulk_gauss(), 0.01, gauss_epsilon(0.01))],
    ids=["laplace", "half the scale", "gauss"],
)
def test_at_level_1e9_it_says_most_of_the_truth_and_never_more(
    learner: Any, delta: float, truth: float, seed: int
) -> None:
    found = measured(learner, delta=delta, alpha=LEVEL, max_samples=100_000, seed=seed)
    assert 0.6 * truth < found.epsilon_lower <= truth


def test_profile_and_tradeoff_stay_on_their_side_of_the_truth(seed: int) -> None:
    """At level 1e-9 all points of both curves hold at once."""
    found = measured(bulk_laplace(), alpha=LEVEL, max_samples=100_000, seed=seed)
    assert [p.x for p in found.profile] == sorted(p.x for p in found.profile)
    for point in found.profile:
        assert 0.0 <= point.y <= max(0.0, -math.expm1((point.x - 1.0) / 2)) + 1e-12
    assert found.profile[0].y > 0.3  # 0.39 in truth
    assert [p.x for p in found.tradeoff] == sorted(p.x for p in found.tradeoff)
    for point in found.tradeoff:
        false, middle = point.x, math.exp(-1.0) / 2
        least = (
            1 - math.e * false if false < middle else 1 / (4 * math.e * false) if false < 0.5 else (1 - false) / math.e
        )
        assert least - 1e-12 <= point.y <= 1.0
    assert min(p.x + p.y for p in found.tradeoff) < 0.8  # nothing learned would be 1


@pytest.mark.turns(4)
def test_gaussian_profile_too(seed: int) -> None:
    found = measured(bulk_gauss(), delta=0.05, alpha=LEVEL, max_samples=100_000, seed=seed)
    assert all(point.y <= gauss_delta(point.x) + 1e-12 for point in found.profile)
    assert found.profile[0].y > 0.25  # 0.38 in truth


def test_what_does_not_leak_has_no_bound(seed: int) -> None:
    found = measured(lambda d, rng: rng.normal(), alpha=LEVEL, seed=seed, max_samples=3000)
    assert found.epsilon_lower == 0.0
    assert all(p.y == 0.0 for p in found.profile)
    assert all(p.x + p.y >= 1.0 - 1e-12 for p in found.tradeoff)


@pytest.mark.turns(4)
def test_what_leaks_everything_has_a_large_one(seed: int) -> None:
    found = measured(lambda d, rng: float(sum(d)), alpha=LEVEL, seed=seed, max_samples=5000)
    assert 4.0 < found.epsilon_lower < math.inf  # 4400 right guesses: log(4400/20.7) = 5.4
    assert found.profile[0].y > 0.9


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "learner",
    [
        raising.raises_on_one_neighbour,
        lambda d, rng: math.nan if d.sum() > 1 else float(rng.random()),
        lambda d, rng: None if d.sum() > 1 else float(rng.random()),
        lambda d, rng: "yes" if d.sum() > 1 else "no",
        lambda d, rng: 1 if d.sum() > 1 else 1.0,
        lambda d, rng: rng.normal(size=2 + int(d.sum())),
    ],
    ids=["raises", "NaN", "None", "word", "type", "length"],
)
@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_answers_of_any_kind_are_measured(learner: Any, delta: float, seed: int) -> None:
    found = measured(learner, pairs=PAIR, delta=delta, alpha=LEVEL, seed=seed, max_samples=4000)
    assert found.stop is Stop.MAX_SAMPLES
    assert found.epsilon_lower > 2.0


@pytest.mark.some(1)
@pytest.mark.parametrize("delta", [0.0, 0.01])
def test_answers_that_are_longer_now_and_then_are_measured(delta: float, seed: int) -> None:
    found = measured(lambda d, rng: rng.normal(size=2 + (rng.random() < 0.1)), delta=delta, seed=seed, max_samples=2000)
    assert found.stop is Stop.MAX_SAMPLES


# --- what is looked at -------------------------------------------------------------------------------------------


@pytest.mark.turns(6)
def test_every_plan_is_certified_on_calls_that_nothing_was_learned_from_before(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Every certified batch is disjoint from all that its plan, or any earlier one, was learned from."""
    seen: list[tuple[str, Any]] = []

    def learning(batch: Any, *arguments: Any, **options: Any) -> Any:
        seen.append(("learn", batch))
        return original_learn(batch, *arguments, **options)

    def certifying(plan: Any, batch: Any, *arguments: Any, earlier: Any = ()) -> Any:
        seen.extend(("earlier", made) for made in earlier)
        seen.append(("certify", batch))
        return original_certify(plan, batch, *arguments, earlier=earlier)

    original_learn, original_certify = engine.learn_plan, engine.certify_plan
    monkeypatch.setattr(engine, "learn_plan", learning)
    monkeypatch.setattr(engine, "certify_plan", certifying)
    pairs = [([0.0], [1.0]), ([5.0], [5.5])]

    def noisy(dataset: list[float], rng: np.random.Generator) -> list[float]:
        return [sum(dataset) + rng.laplace(), rng.normal()]

    found = measured(noisy, pairs=pairs, seed=seed, max_samples=15_000)
    kinds = [kind for kind, _ in seen]
    assert kinds == ["learn", "learn", "learn", "earlier", "certify"]  # two pairs, then the better one again
    batches = [set(batch.seen.columns[:, 0].tolist()) for kind, batch in seen if kind != "earlier"]
    early = seen[3][1]
    first = set(early.batch.seen.columns[:, 0].tolist())
    assert not first & (batches[0] | batches[1])
    assert first <= batches[2]  # it is learned from once it has been certified
    assert not batches[3] & (batches[0] | batches[1] | batches[2])
    calls = {p.phase: p.calls for p in found.phases}
    assert sum(len(batch.coins) for _, batch in seen[:2]) == calls["learn"]
    assert len(early.batch.coins) + len(seen[4][1].coins) == calls["certify"]
    assert found.witness is not None
    assert found.witness.counts.calls == len(seen[4][1].coins)
    assert sum(calls.values()) == found.samples == 15_000


def test_one_number_is_certified_in_stages_of_fixed_sizes(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    seen: list[Any] = []

    def certifying(plan: Any, batch: Any, *arguments: Any, earlier: Any = ()) -> Any:
        seen.append([*(len(made.batch.coins) for made in earlier), len(batch.coins)])
        return original_certify(plan, batch, *arguments, earlier=earlier)

    original_certify = engine.certify_plan
    monkeypatch.setattr(engine, "certify_plan", certifying)
    found = measured(lambda d, rng: sum(d) + rng.laplace(), pairs=[([0.0], [1.0])], seed=seed, max_samples=15_000)
    calls = {p.phase: p.calls for p in found.phases}
    assert seen == [engine.stages_of(calls["certify"])]
    assert len(seen[0]) == len(engine.STAGES)
    assert calls["learn"] == 1498  # a tenth of what the opening left


def test_the_pair_that_leaks_is_chosen_on_the_learning_part(seed: int) -> None:
    pairs = [([0.0], [0.1]), ([0.0], [2.0])]
    found = measured(bulk_laplace(), pairs=pairs, seed=seed, alpha=LEVEL, max_samples=40_000)
    assert found.witness is not None
    assert found.witness.change == "row 0: 0 replaced by 2"
    assert 1.0 < found.epsilon_lower <= 2.0


@pytest.mark.some(5)
@pytest.mark.parametrize("budget", [48, 60, 100, 1999, 2000, 2001, 5000])
@pytest.mark.parametrize("delta", [0.0, 0.01])
@pytest.mark.parametrize(
    "made", [lambda: bulk_laplace(), lambda: lambda d, rng: sum(d) + rng.laplace()], ids=["bulk", "calls"]
)
def test_any_number_of_calls_is_measured_and_kept(made: Any, delta: float, budget: int, seed: int) -> None:
    found = measured(made(), delta=delta, max_samples=budget, seed=seed, alpha=LEVEL)
    assert found.samples == budget
    assert found.epsilon_lower <= 1.0


def test_interrupted_it_certifies_nothing() -> None:
    def interrupt(event: Any) -> None:
        if isinstance(event, Progress) and event.calls > 15_000:
            raise KeyboardInterrupt

    found = measured(bulk_laplace(), max_samples=50_000, on_event=interrupt)
    assert found.stop is Stop.INTERRUPTED
    assert found.epsilon_lower == 0.0
    assert found.profile == found.tradeoff == ()
    assert found.witness is None
    assert "nothing is certified" in str(found)


def test_a_slow_learner_gets_fewer_calls_fixed_before_any_is_looked_at(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    only_sleeping_takes_time(monkeypatch)

    def slow(dataset: Any, rng: Any) -> float:
        time.sleep(0.005)
        return float(sum(dataset) + rng.laplace())

    found = measured(slow, max_samples=100_000, max_seconds=1.5, seed=seed)
    fixed = sum(phase.calls for phase in found.phases if phase.phase != "agreement")
    assert 299 <= fixed <= 300
    [note] = [f for f in found.findings if f.kind == "number of calls"]
    assert "would not fit into 1.5 s" in note.detail
    assert "were fixed before any was looked at" in note.detail


def test_no_time_limit_is_a_time_limit_too(seed: int) -> None:
    assert measured(bulk_laplace(), max_seconds=math.inf, seed=seed, max_samples=3000).samples == 3000


def test_a_time_limit_in_which_nothing_fits_is_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"max_seconds must leave time for 32 calls of .* got 1e-09 s"):
        measured(bulk_laplace(), max_seconds=1e-9)


# --- learners that fail ------------------------------------------------------------------------------------------


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("learner", "options"),
    [
        (raising.raises_always, {}),
        (hanging.hangs, {"call_timeout": 0.5}),
        (hanging.hangs_on_one_neighbour, {"call_timeout": 0.5}),
        (dying.dies_on_one_neighbour, {"isolation": "process"}),
        (bulk.ReusesOneDraw, {}),
        (bulk.SamplesAnotherLaw, {}),
        (bulk.SamplesTooFew, {}),
        (bulk.RaisesInSample, {}),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_a_learner_that_fails_has_nothing_certified(learner: Any, options: dict[str, Any], seed: int) -> None:
    found = measured(learner, pairs=PAIR, seed=seed, max_samples=40_000, **options)
    assert found.stop is Stop.LEARNER
    assert found.failure
    assert found.epsilon_lower == 0.0
    assert found.profile == found.tradeoff == ()
    assert "LEARNER FAILED" in str(found)


def test_state_carried_between_calls_is_a_failure_and_no_leak(seed: int) -> None:
    """Nothing leaks here, and no epsilon may be certified: its runs are not fresh."""
    found = measured(randomness.RemembersItsFirstAnswer, pairs=PAIR, seed=seed, alpha=LEVEL, max_samples=5000)
    assert found.epsilon_lower == 0.0
    assert found.stop is Stop.LEARNER


# --- determinism, words ------------------------------------------------------------------------------------------


def timeless(found: Measurement) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(found.to_json())
    document["measurement"]["seconds"] = 0
    document["measurement"]["findings"] = []
    return document


class Laplace:
    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + rng.laplace())


@pytest.mark.turns(4)
def test_one_seed_gives_one_measurement_whatever_the_number_of_workers(seed: int) -> None:
    one = measured(Laplace, seed=seed, max_samples=3000)
    assert timeless(one) == timeless(measured(Laplace, seed=seed, max_samples=3000))
    assert timeless(one) == timeless(measured(Laplace, seed=seed, max_samples=3000, isolation="process", jobs=2))
    assert timeless(one) != timeless(measured(Laplace, seed=seed + 1, max_samples=3000))


def test_listeners_hear_its_phases() -> None:
    heard: list[Any] = []
    measured(bulk_laplace(), on_event=heard.append)
    assert isinstance(heard[0], Started)
    assert heard[0].claim is None
    assert [e.phase for e in heard if isinstance(e, PhaseStarted)] == ["agreement", "learn", "certify"]


def test_a_measurement_says_what_it_is(seed: int) -> None:
    found = measured(bulk_laplace(), delta=0.01, name="mine", seed=seed)
    text = str(found)
    assert text.startswith("mine: epsilon at delta = 0.01 above ")
    assert "confidence 95%" in text
    assert "no number of calls bounds epsilon from above" in text
    assert json.loads(found.to_json(), parse_constant=pytest.fail)["schema"] == "dpcheck-measurement/1"
    assert "<pre>" in found._repr_html_()
    assert found.method.endswith("fixed horizon")
    assert (found.alpha, found.delta, found.seed) == (0.05, 0.01, seed)


@pytest.mark.parametrize("delta", [-0.1, 1.0, 1, math.nan, math.inf, "0", None, True])
def test_delta_is_a_probability_below_one(delta: Any) -> None:
    with pytest.raises(InvalidArgument, match="delta must be a probability of at least 0 and below 1, got"):
        measured(Laplace, delta=delta)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": 0}, "alpha must be strictly between 0 and 1"),
        ({"max_samples": 47}, "max_samples must be a whole number of at least 48, got 47"),
        ({"pairs": None}, "neighbours, dataset or pairs must be given"),
        ({"pairs": ([0], [1])}, "with the brackets"),
        ({"numerics": "fast"}, "numerics must be one of real, exact"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
)
def test_other_arguments_are_checked_as_those_of_an_audit(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        measured(Laplace, **arguments)


def test_the_learner_s_own_claim_is_not_needed() -> None:
    assert measured(bulk_laplace(), max_samples=100).relation == "neighbours on your word"
