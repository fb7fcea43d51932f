"""Stability, generalisation gap and AERM rate: exact ones against brute force, measured ones against exact ones."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.wang2016.learners import (
    EmptySet,
    FiniteProblem,
    OptimalPrivateLearner,
    RegularisedExponential,
    SubsampledLearner,
    Support,
    absolute_loss,
)
from dpcheck.trial.stable import check_always_aerm, check_stability
from dpcheck.utility.bounded_means import divergence, mean_interval
from dpcheck.utility.measured_stability import measured_gaps, measured_stability
from dpcheck.utility.stability import Bounds, expected_losses

COIN = absolute_loss([0, 1])
THREE = absolute_loss([0, Fraction(1, 2), 1])


class Majority:
    """The minimiser of a bit: not private, and as unstable as can be."""

    order_blind = True

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        return {int(2 * sum(map(int, dataset)) > len(dataset)): Fraction(1)}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
        return int(2 * sum(map(int, dataset)) > len(dataset))


class First:
    """The first record: the order of the records matters."""

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        return {int(dataset[0]): Fraction(3, 4), 1 - int(dataset[0]): Fraction(1, 4)}


def brute_force(learner: Any, problem: FiniteProblem, size: int, law: list[Fraction]) -> dict[str, float]:
    """All quantities by their definitions, over all datasets in order."""
    places = {h: i for i, h in enumerate(problem.hypotheses)}
    losses: dict[tuple[Any, ...], list[float]] = {}
    for data in itertools.product(problem.records, repeat=size):
        answer = learner.distribution(list(data))
        pairs = (
            answer.items()
            if isinstance(answer, dict)
            else zip(answer.outputs, answer.log_probabilities or np.log(_chances(answer)), strict=True)
        )
        chances = {h: float(p) if isinstance(answer, dict) else math.exp(p) for h, p in pairs}
        losses[data] = [
            sum(p * float(problem.losses[places[h]][z]) for h, p in chances.items())
            for z in range(len(problem.records))
        ]
    index = {z: i for i, z in enumerate(problem.records)}
    found = {"stability": 0.0, "always": 0.0, "risk": 0.0, "empirical": 0.0, "least": 0.0}
    for data, row in losses.items():
        for i, z in itertools.product(range(size), problem.records):
            other = losses[(*data[:i], z, *data[i + 1 :])]
            found["stability"] = max(found["stability"], *(abs(a - b) for a, b in zip(row, other, strict=True)))
        empirical = sum(row[index[z]] for z in data) / size
        least = min(sum(float(each[index[z]]) for z in data) / size for each in problem.losses)
        found["always"] = max(found["always"], empirical - least)
        weight = float(math.prod(law[index[z]] for z in data))
        found["risk"] += weight * sum(float(p) * e for p, e in zip(law, row, strict=True))
        found["empirical"] += weight * empirical
        found["least"] += weight * least
    return found


def _chances(law: Any) -> list[float]:
    from dpcheck.parts.mechanisms.mixtures import chances

    return [p for _, p in chances(law)]


@pytest.mark.parametrize(
    ("learner", "problem", "size"),
    [
        (RegularisedExponential(COIN, [0, 1], 1.0), COIN, 4),
        (RegularisedExponential(THREE, [0.0, 0.5, 1.0], 2.0, [0.1, 0.0, -0.1]), THREE, 3),
        (OptimalPrivateLearner(COIN, 0.5, 3), COIN, 3),
        (Majority(), COIN, 4),
        (First(), COIN, 3),
    ],
)
def test_exact_numbers_are_those_of_the_definitions(learner: Any, problem: FiniteProblem, size: int) -> None:
    law = [Fraction(1, 3), Fraction(2, 3)]
    table = expected_losses(learner, problem, size)
    wanted = brute_force(learner, problem, size, law)
    risks = table.under(law)
    assert float(table.stability()) == pytest.approx(wanted["stability"], abs=1e-9)
    assert float(table.always_above_minimum()) == pytest.approx(wanted["always"], abs=1e-9)
    assert float(risks.risk) == pytest.approx(wanted["risk"], abs=1e-9)
    assert float(risks.empirical) == pytest.approx(wanted["empirical"], abs=1e-9)
    assert float(risks.gap) == pytest.approx(wanted["risk"] - wanted["empirical"], abs=1e-9)
    assert float(risks.above_minimum) == pytest.approx(wanted["empirical"] - wanted["least"], abs=1e-9)
    for value in (table.stability(), risks.excess, risks.gap):
        assert value.low <= value.high <= value.low + Fraction(1, 10**9)


def test_fractions_stay_fractions_and_both_forms_agree() -> None:
    table = expected_losses(Majority(), COIN, 5)
    assert table.stability().exact
    assert table.stability().high == 1
    learner = SubsampledLearner(OptimalPrivateLearner(COIN, 1.0, 2), 4)
    one, other = (expected_losses(learner, COIN, 4, form=form) for form in ("histogram", "tuples"))  # type: ignore[arg-type]
    assert one.stability() == other.stability()
    assert one.under([Fraction(1, 4), Fraction(3, 4)]) == other.under([Fraction(1, 4), Fraction(3, 4)])
    assert sum(one.weights) == len(other.weights) == 16


def test_the_largest_excess_is_above_a_grid_and_not_by_much() -> None:
    for learner, problem in ((Majority(), COIN), (RegularisedExponential(THREE, [0.0, 0.5, 1.0], 1.0), THREE)):
        table = expected_losses(learner, problem, 5)
        found = table.largest_excess(Fraction(1, 10**6))
        grid = max(table.under([1 - Fraction(i, 200), Fraction(i, 200)]).excess.high for i in range(201))
        assert found.high >= grid
        assert found.high - found.low <= Fraction(1, 10**6)
        assert float(found.high) <= float(grid) + 1e-3
    fair = expected_losses(Majority(), COIN, 1).largest_excess()
    assert fair.low <= Fraction(1, 8) <= fair.high  # (2q - 1)(1 - q) at q = 3/4


def test_a_learner_that_is_not_private_is_caught() -> None:
    epsilon = 0.5
    limit = Fraction(math.expm1(epsilon))
    assert expected_losses(RegularisedExponential(COIN, [0, 1], epsilon), COIN, 6).stability().high <= limit
    assert expected_losses(Majority(), COIN, 6).stability().low > limit
    # twice the epsilon that is claimed, on one record: tanh(1/2) above tanh(1/4)
    loud = expected_losses(RegularisedExponential(COIN, [0, 1], 4 * epsilon), COIN, 1).stability()
    assert loud.low > Fraction(math.tanh(epsilon / 2))
    pairs = [([0, 0, 1], [0, 1, 1])]
    found = measured_stability(Majority(), COIN, pairs, [0, 1], trials=200)
    assert found.breaks(math.expm1(epsilon))
    assert found.interval[0] > 0.5


def test_measured_numbers_enclose_exact_ones() -> None:
    # level 1e-9 each: a red run is a defect
    learner = RegularisedExponential(THREE, [0.0, 0.5, 1.0], 2.0)
    table = expected_losses(learner, THREE, 4)
    pairs = [([0] * (4 - j) + [1] * j, [0] * (3 - j) + [1] * (j + 1)) for j in range(4)]
    found = measured_stability(learner, THREE, pairs, [0, 1], trials=3_000, seed=1)
    assert found.interval[0] <= float(table.stability()) <= found.interval[1]
    assert found.trials == 3_000
    risks = table.under([Fraction(1, 2)] * 2)
    gaps = measured_gaps(
        learner, THREE, lambda n, rng: rng.integers(2, size=n), 4, hypotheses=[0.0, 0.5, 1.0], trials=1_000, seed=2
    )
    assert gaps.gap[0] <= float(risks.gap) <= gaps.gap[1]
    assert gaps.above_minimum is not None
    assert gaps.above_minimum[0] <= float(risks.above_minimum) <= gaps.above_minimum[1]


def test_a_learner_that_does_not_generalise_is_seen() -> None:
    class Outside:
        """The loss of a set: 1 outside it."""

        def bounds(self, hypotheses: Any) -> tuple[int, int]:
            return 0, 1

        def swing(self, hypotheses: Any) -> int:
            return 1

        def values(self, hypotheses: Any, dataset: Any) -> Any:
            return np.array([[float(z not in set(h)) for z in dataset] for h in hypotheses])

    for learner, low, high in ((Support(), 0.5, 1.0), (EmptySet(), -0.5, 0.5)):
        found = measured_gaps(learner, Outside(), lambda n, rng: rng.random(n), 5, trials=300)
        assert low <= found.gap[0] <= found.gap[1] <= high
        assert found.above_minimum is None


@pytest.mark.parametrize("level", [0.1, 1e-3])
@pytest.mark.parametrize("trials", [1, 7, 40])
def test_intervals_of_means_hold_at_their_level_for_coins(trials: int, level: float) -> None:
    ends = [mean_interval(k / trials, trials, level) for k in range(trials + 1)]
    for chance in np.linspace(0, 1, 41):
        masses = binom.pmf(np.arange(trials + 1), trials, chance)
        missed = sum(
            m for m, (low, high) in zip(masses, ends, strict=True) if not low - 1e-12 <= chance <= high + 1e-12
        )
        assert missed <= level


def test_intervals_of_means_are_narrow_and_scale() -> None:
    low, high = mean_interval(0.5, 10_000, 0.05)
    assert 0.47 < low < 0.5 < high < 0.53
    assert mean_interval(0.0, 0, 0.05, low=-1.0) == (-1.0, 1.0)
    scaled = mean_interval(0.0, 10_000, 0.05, low=-1.0)
    assert scaled[0] == pytest.approx(2 * low - 1)
    assert divergence(1.0, 0.5) == pytest.approx(math.log(2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: expected_losses(lambda data, rng: 0, COIN, 3), "learner must declare its law"),
        (lambda: expected_losses(Majority(), COIN, 0), "size must be"),
        (lambda: expected_losses(First(), COIN, 30), "size must give at most"),
        (lambda: expected_losses(Majority(), absolute_loss([0, 0.5]), 2), "hypotheses of the problem"),
        (lambda: expected_losses(Majority(), COIN, 3).under([Fraction(1, 2)]), "distribution must give"),
        (lambda: expected_losses(Majority(), COIN, 2, form="other"), "form must be"),  # type: ignore[arg-type]
        (lambda: expected_losses(Majority(), COIN, 2).largest_excess(0), "tolerance must be"),
        (lambda: mean_interval(0.5, 10, 0.0), "level must be"),
        (lambda: mean_interval(2.0, 10, 0.1), "mean must be"),
        (lambda: measured_stability(Majority(), COIN, [], [0]), "pairs and records"),
    ],
)
def test_what_cannot_be_is_refused(call: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        call()


def test_bounds_know_their_order() -> None:
    one = Bounds(Fraction(-1, 2), Fraction(1, 4))
    assert one.magnitude() == Bounds(Fraction(0), Fraction(1, 2))
    assert one - Bounds(Fraction(1), Fraction(2)) == Bounds(Fraction(-5, 2), Fraction(-3, 4))


def test_claims_of_stability_are_checked_exactly_or_by_calls() -> None:
    private = RegularisedExponential(COIN, [0, 1], 0.5)
    limit = math.expm1(0.5)
    assert check_stability("r", "c", private, COIN, 5, limit).word == "holds"
    broken = check_stability("r", "c", Majority(), COIN, 5, limit, expected="lem-8: not private")
    assert (broken.word, broken.level, broken.expected) == ("contradicted", 0.0, "lem-8: not private")

    class Calls:
        """The minimiser without its law."""

        def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
            return int(2 * sum(map(int, dataset)) > len(dataset))

    seen = check_stability("r", "c", Calls(), COIN, 3, limit, trials=300)
    assert (seen.word, seen.level) == ("contradicted", 1e-9)
    assert seen.trials == 1_800
    fine = check_stability("r", "c", lambda dataset, rng: 0, COIN, 3, limit, trials=100)
    assert fine.word == "undecided"
    assert check_always_aerm("r", "c", Majority(), COIN, 4, 0).word == "holds"
    assert check_always_aerm("r", "c", private, COIN, 4, 0).word == "contradicted"


class Sticky:
    """A fair coin, which is thrown once and kept."""

    def __init__(self):
        self.kept = None

    def __call__(self, dataset, rng):
        if self.kept is None:
            self.kept = int(rng.integers(2))
        return self.kept


def test_a_learner_that_keeps_its_first_output_is_no_less_stable():
    # its law does not depend on the data: outputs of one copy are equal, and look like two different laws
    for seed in range(4):
        found = check_stability("r", "c", Sticky(), COIN, 3, 0, trials=300, seed=seed)
        assert found.word == "undecided"
