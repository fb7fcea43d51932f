"""wang2016's separations and characterisations: the instances behind the registry, and its results on tiny problems."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

from dpcheck.papers.wang2016.hard_instances import PackedThresholds
from dpcheck.papers.wang2016.learners import FiniteProblem, OptimalPrivateLearner
from dpcheck.papers.wang2016.theorems import separations_instances as instances

ALL = (
    instances.half_is_wrong,
    instances.two_intervals,
    instances.each_distribution_is_learnt,
    instances.sample_is_not_enough,
    instances.stabbed_intervals,
)


@pytest.mark.parametrize("enumerate_all", ALL)
def test_instances_are_as_said(enumerate_all: Any) -> None:
    found = enumerate_all()
    assert not found.failure, found.failure
    assert found.count > 0
    assert enumerate_all() == found


def test_instances_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    assert instances.two_intervals(Fraction(1, 100)).failure  # then (5) as printed holds
    assert instances.two_intervals(Fraction(2, 10)).failure  # then Z_2 is not fit
    assert instances.each_distribution_is_learnt(Fraction(1, 2)).failure
    assert instances.sample_is_not_enough(Fraction(99, 100)).failure  # not private
    assert instances.stabbed_intervals(Fraction(1, 2)).failure  # longer records
    monkeypatch.setattr(instances, "risk_outside", lambda points, intervals: [(False, Fraction(1))])
    assert instances.half_is_wrong().failure


def test_an_odd_dataset_has_a_third_wrong_outside() -> None:
    for points in (3, 5, 7):
        outside = [risk for inside, risk in instances.risk_outside(points, 3) if not inside]
        assert min(outside) == Fraction(points - 1, 2 * points) >= Fraction(1, 3)


@pytest.mark.parametrize(("epsilon", "size"), [(0.25, 2), (0.5, 3), (1.0, 3), (0.1, 4)])
def test_packed_thresholds_leave_less_than_printed_and_enough(epsilon: float, size: int) -> None:
    hard = PackedThresholds(epsilon, size)
    terms = (hard.number - 1) * math.exp(-epsilon * size)
    assert 0.5 <= terms < 1  # (5): K - 1 terms
    assert terms * 0.7 * ((size - 1) / 2 if size % 2 else size / 2) / size > 0.1  # P12.risk as repaired


def test_the_best_private_learner_cannot_fit_all_but_one_and_that_one() -> None:
    # prop-12 for all eps-DP learners: two thresholds, two records each, e^(eps n) = 2
    problem = FiniteProblem(["z1", "z2"], [0, 1], [[0, Fraction(1, 2)], [Fraction(1, 2), 0]])
    learner = OptimalPrivateLearner(problem, math.log(2) / 2, 2)
    worst = 0.0
    for data, wrong in ((["z1"] * 2, 1), (["z2"] * 2, 0)):
        law = learner.distribution(data)
        worst = max(worst, float(law.get(wrong, 0)) / 2)
    assert worst >= 1 / 6 - 1e-9 > 0.1  # 1/3 outside, each at a risk of 1/2


def test_finite_sets_are_fit_only_as_well_as_privacy_lets_them_generalise() -> None:
    # ex-17: m points far more than records, all sets of one point: E Rhat >= e^-eps E R
    points, ratio = 6, 3
    for own in (Fraction(ratio, ratio + points - 1), Fraction(1, points)):
        other = (1 - own) / (points - 1)
        assert own <= ratio * other
        seen = 1 - own
        fresh = sum((own if z == drawn else other) for z, drawn in itertools.product(range(points), repeat=2))
        risk = 1 - Fraction(fresh, points**2)
        assert seen >= risk / ratio


@pytest.mark.parametrize(("cells", "size"), [(4, 1), (6, 1), (4, 2)])
def test_the_best_private_learner_over_many_cells_errs_nearly_always(cells: int, size: int) -> None:
    # thm-18 (7): records name the only hypothesis without loss; all eps-DP learners err on 1 - e^(n eps)/K or more
    problem = FiniteProblem(
        list(range(cells)), list(range(cells)), [[int(h != z) for z in range(cells)] for h in range(cells)]
    )
    for epsilon in (0.1, 0.5):
        learner = OptimalPrivateLearner(problem, epsilon, size)
        worst = 0.0
        for z in range(cells):
            law = learner.distribution([z] * size)
            worst = max(worst, 1 - float(law.get(z, 0)))
        assert worst >= 1 - math.exp(size * epsilon) / cells - 1e-9
        assert worst <= 1 - 1 / cells + 1e-9


def test_the_generic_learner_need_not_have_a_best_algorithm() -> None:
    # T18: P has losses 0, 1/2 and h_s s^2, (1-s)^2, s > 1/2: each net has a best algorithm, the next a better one
    values = []
    for parts in (4, 16, 64):
        net = [Fraction(1, 2) + Fraction(step, 2 * parts) for step in range(1, parts + 1)]
        rows = ((Fraction(0), Fraction(1, 2)), *((s**2, (1 - s) ** 2) for s in net))
        problem = FiniteProblem((0, 1), ("P", *map(str, net)), rows)
        objectives = {
            epsilon: epsilon + float(OptimalPrivateLearner(problem, epsilon, 1).excess)
            for epsilon in (0.0, 0.01, 0.1, 1.0)
        }
        assert min(objectives, key=objectives.__getitem__) == 0.0
        values.append(objectives[0.0])
    assert values[0] > values[1] > values[2] > 1 / 4
    assert values[2] < 1 / 4 + 1 / 64
