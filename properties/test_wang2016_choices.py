"""wang2016's exponential-mechanism learners on random small problems: exact losses, softmaxes, printed bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.papers.wang2016.learners.perturbation import PerturbedMinimiser
from dpcheck.papers.wang2016.learners.regularised import RegularisedExponential
from dpcheck.papers.wang2016.learners.subset import BestSubset
from dpcheck.parts.risk.losses import PowerLoss
from dpcheck.privacy.exact.declared import declared, float_logs

#: Log-probabilities of these small laws are right to far within this, in nats.
ROUNDING = 1e-9
_SENSITIVITIES = st.sampled_from(["exact", "paper_bound"])
_EPSILONS = st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(5)])
_QUARTERS = st.integers(0, 4).map(lambda k: k / 4)


@dataclass(frozen=True)
class Tabulated:
    """Any loss on finitely many hypotheses and records, both by number: entries are eighths from -1 to 1."""

    table: tuple[tuple[int, ...], ...]

    def bounds(self, hypotheses: Any) -> tuple[Fraction, Fraction]:
        found = np.array(self.table)[np.asarray(hypotheses)]
        return Fraction(int(found.min()), 8), Fraction(int(found.max()), 8)

    def swing(self, hypotheses: Any) -> Fraction:
        return Fraction(int(np.ptp(np.array(self.table)[np.asarray(hypotheses)], axis=1).max()), 8)

    def values(self, hypotheses: Any, dataset: Any) -> Any:
        return np.array(self.table)[np.asarray(hypotheses)][:, np.asarray(dataset)] / 8


@st.composite
def problems(draw: st.DrawFn) -> tuple[Tabulated, int, int]:
    hypotheses, records = draw(st.integers(1, 4)), draw(st.integers(2, 3))
    rows = st.lists(st.integers(-8, 8), min_size=records, max_size=records).map(tuple)
    table = draw(st.lists(rows, min_size=hypotheses, max_size=hypotheses).filter(lambda t: any(np.ptp(r) for r in t)))
    return Tabulated(tuple(table)), hypotheses, records


def logs_of(learner: Any, dataset: Any) -> dict[Any, float]:
    law = learner.distribution(dataset)
    return dict(zip(law.outputs, float_logs(declared(law))[0].tolist(), strict=True))


def largest_loss(learner: Any, records: Any, size: int) -> float:
    """Over all pairs of datasets that differ in their last record: order is of no matter."""
    laws = {data: logs_of(learner, list(data)) for data in product(records, repeat=size)}
    return max(
        abs(laws[(*rest, a)][output] - laws[(*rest, b)][output])
        for rest in product(records, repeat=size - 1)
        for a, b in product(records, repeat=2)
        for output in laws[(*rest, a)]
    )


@settings(max_examples=60)
@given(problems(), st.integers(1, 3), _EPSILONS, _SENSITIVITIES, st.lists(st.integers(-9, 9), min_size=4, max_size=4))
def test_algorithm_1_keeps_its_claim_for_any_bounded_loss(
    problem: Any, size: int, epsilon: Any, sensitivity: Any, penalties: Any
) -> None:
    loss, hypotheses, records = problem
    learner = RegularisedExponential(loss, range(hypotheses), epsilon, penalties[:hypotheses], sensitivity)
    assert largest_loss(learner, range(records), size) <= float(epsilon) + ROUNDING
    data = [i % records for i in range(size)]
    moved = float(loss.swing(range(hypotheses)))
    if sensitivity == "paper_bound":
        moved = 2 * float(max(map(abs, loss.bounds(range(hypotheses)))))
    objective = loss.values(range(hypotheses), data).mean(axis=1) + np.array(penalties[:hypotheses])
    rate = float(epsilon) * size / (2 * moved)
    brute = -rate * objective
    found = np.array(list(logs_of(learner, data).values()))
    np.testing.assert_allclose(found, brute - np.logaddexp.reduce(brute), atol=1e-7, rtol=1e-9)
    # Gibbs: the mean objective exceeds the least by at most log k / rate; and the printed tail bound, eq. (18)
    chance = np.exp(found)
    assert chance @ objective - objective.min() <= math.log(hypotheses) / rate + ROUNDING
    for t in (0.05, 0.5, 2.0):
        near = (objective <= objective.min() + t).sum()
        tail = chance[objective > objective.min() + 2 * t].sum()
        assert tail <= hypotheses / near * math.exp(-rate * t) + ROUNDING


@settings(max_examples=40)
@given(st.sets(_QUARTERS, min_size=1), st.integers(1, 3), st.integers(1, 3), _EPSILONS, _SENSITIVITIES)
def test_powers_of_distances_keep_the_claim(
    hypotheses: Any, power: int, size: int, epsilon: Any, sensitivity: Any
) -> None:
    learner = RegularisedExponential(PowerLoss(power), sorted(hypotheses), epsilon, None, sensitivity)
    assert largest_loss(learner, [0.0, 0.5, 1.0], size) <= float(epsilon) + ROUNDING


@settings(max_examples=100)
@given(
    st.sampled_from(["thresholds", "absolute"]),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1)), min_size=1, max_size=6),
    st.tuples(st.floats(0, 1), st.integers(0, 1)),
    _EPSILONS,
    _SENSITIVITIES,
    st.lists(st.tuples(_QUARTERS, st.floats(-2, 2)), max_size=3, unique_by=lambda pair: pair[0]),
)
def test_an_interval_of_hypotheses_keeps_the_claim(
    problem: Any, data: Any, other: Any, epsilon: Any, sensitivity: Any, penalties: Any
) -> None:
    learner = ExponentialOnInterval(problem, epsilon, 0.0, 1.0, tuple(penalties), sensitivity)
    left, right = (
        [x for x, _ in rows] if problem == "absolute" else ([x for x, _ in rows], [y for _, y in rows])
        for rows in (data, [other, *data[1:]])
    )
    assert learner.exact_loss(left, right) <= float(epsilon) + ROUNDING
    density = learner.density(left)
    assert abs(density.log_probability(0.0, 1.0)) < ROUNDING
    points = np.random.default_rng().random(5)  # what holds at every point may be looked at anywhere
    x, y = np.array([x for x, _ in data]), np.array([y for _, y in data])
    apart = np.abs(points[:, None] - x) if problem == "absolute" else (x > points[:, None]) != y
    objective = apart.mean(axis=1)
    if penalties:
        objective = objective + np.interp(points, *np.array(sorted(penalties)).T)
    rate = float(epsilon) * len(data) / (2 if sensitivity == "exact" else 4)
    relative = density.log_density(points) + rate * objective
    assert np.ptp(relative) < 1e-6 * (1 + rate)


@settings(max_examples=200)
@given(
    st.lists(st.floats(0, 1) | st.sampled_from([0.0, 1.0]), max_size=30),
    st.floats(0, 1),
    st.floats(0, 1),
    st.sampled_from([2, 4, 10]),
)
def test_no_record_moves_the_minimiser_farther_than_its_sensitivity(
    others: Any, one: float, other: float, power: int
) -> None:
    learner = PerturbedMinimiser(power=power)
    moved = abs(learner.minimiser([*others, one]) - learner.minimiser([*others, other]))
    assert moved <= learner.sensitivity(len(others) + 1) + ROUNDING
    assert learner.reached(len(others) + 1) <= learner.sensitivity(len(others) + 1) + ROUNDING
    assert learner.profile([*others, one], [*others, other]).epsilon(0.0) <= 1.0 + ROUNDING


@settings(max_examples=15)
@given(_EPSILONS, st.integers(1, 2), st.integers(1, 2), _SENSITIVITIES)
def test_two_stages_cost_at_most_twice_epsilon(epsilon: Any, support: int, size: int, sensitivity: Any) -> None:
    learner = BestSubset(2, support, epsilon, axis=(-1.0, 0.0, 0.5), sensitivity=sensitivity)
    records = list(product([(1.0, 0.0), (0.0, -1.0)], [-1.0, 1.0]))
    assert largest_loss(learner, records, size) <= 2 * float(epsilon) + ROUNDING
