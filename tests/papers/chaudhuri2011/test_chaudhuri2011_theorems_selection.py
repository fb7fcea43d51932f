"""The exact instances behind chaudhuri2011's sections 3, 4 and appendices A to C, and its learner A1 at the corners."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcheck.papers.chaudhuri2011.learners import ReferenceLearner
from dpcheck.papers.chaudhuri2011.theorems import selection_instances as selection
from dpcheck.papers.chaudhuri2011.theorems import thresholds_instances as thresholds
from dpcheck.parts.classes import FiniteClass, GridThresholds
from dpcheck.parts.classes.references import Atoms
from dpcheck.proof.instances import Enumeration

STANDING: list[tuple[Callable[[], Enumeration], int]] = [
    (thresholds.output_told_by_the_size, 110),
    (selection.radius_beyond_the_diameter, 27),
    (selection.one_record_meets_the_conditions, 1000),
    (selection.one_mistake_is_too_many, 300),
    (selection.too_many_mistakes, 1),
    (selection.a_hypothesis_and_its_complement, 100),
    (selection.a_third_of_the_circle, 12),
    (selection.a_density_without_bound, 1000),
    (selection.singletons_in_blocks, 4),
    (selection.a_packing_of_one, 1),
]


@pytest.mark.parametrize(("witness", "count"), STANDING, ids=lambda value: getattr(value, "__name__", None))
def test_witnesses_stand(witness: Callable[[], Enumeration], count: int) -> None:
    found = witness()
    assert found.failure == ""
    assert found.count == count


@pytest.mark.parametrize(
    "broken",
    [
        lambda: thresholds.output_told_by_the_size(spacing=0),
        lambda: selection.radius_beyond_the_diameter(Fraction(1)),
        lambda: selection.one_record_meets_the_conditions(closeness=4),
        lambda: selection.one_mistake_is_too_many(inverse_mean=200),  # a mistake is rarer than delta/4
        lambda: selection.one_mistake_is_too_many(inverse_mean=5),  # one mistake is allowed
        lambda: selection.too_many_mistakes(mistakes=675),  # not too many
        lambda: selection.too_many_mistakes(mistakes=700),  # rarer than delta/4
        lambda: selection.too_many_mistakes(m=80_000),  # fewer records than the line asks for
        lambda: selection.a_hypothesis_and_its_complement(records_times_alpha=10),
        lambda: selection.a_hypothesis_and_its_complement(records_times_alpha=1),  # (5) does not hold
        lambda: selection.a_third_of_the_circle(angle=30),
        lambda: selection.a_density_without_bound(divisor=1),
        lambda: selection.singletons_in_blocks(scale=1),
    ],
)
def test_witnesses_can_fail(broken: Callable[[], Enumeration]) -> None:
    assert broken().failure


def _logs(law: Any, rate: Fraction) -> np.ndarray[Any, Any]:
    exponents = float(rate) * np.array(law.exact.scores, dtype=float)
    return np.asarray(exponents - np.logaddexp.reduce(exponents))


@pytest.mark.parametrize("realisable", [False, True])
@pytest.mark.parametrize("alpha", [Fraction(1, 10), Fraction(1, 2), Fraction(99, 100)])
def test_a1_keeps_alpha_end_to_end_for_all_neighbours_of_a_small_domain(alpha: Fraction, realisable: bool) -> None:
    """thm-7: nets of one and of several hypotheses; one, two and three records."""
    records = list(product(range(3), range(2)))
    sizes = set()
    for constant, size in product((0.01, 0.1, 5.0), (1, 2, 3)):
        learner = ReferenceLearner(
            GridThresholds(3), Atoms([0, 1, 2]), alpha, 0.25, 0.5, constant=constant, realisable=realisable
        )
        sizes.add(len(learner.net(size).hypotheses))
        laws = {}
        for data in product(records, repeat=size):
            dataset = [x for x, _ in data], [y for _, y in data]
            laws[data] = _logs(learner.distribution(dataset), learner.rate(dataset))
        for data, last in product(laws, records):
            loss = np.abs(laws[data] - laws[(*data[:-1], last)]).max()
            assert loss <= float(alpha) + 1e-12
    assert len(sizes) > 1


@pytest.mark.parametrize("size", [1, 2, 5])
def test_what_changes_by_one_is_the_number_of_mistakes(size: int) -> None:
    """T7.sens: with the average error in place of the mistakes, a change by 1 would lose alpha times the size."""
    alpha, averages = 0.5, np.array([[0.0, 1.0], [1.0, 0.0]])
    logs = -alpha * size * averages / 2
    logs = logs - np.logaddexp.reduce(logs, axis=1, keepdims=True)
    assert np.abs(logs[0] - logs[1]).max() == pytest.approx(alpha * size / 2)


@pytest.mark.parametrize("constant", [1, 40, 1000])
@pytest.mark.parametrize("alpha", [0.01, 0.5, 0.99])
def test_the_statement_of_theorem_8_holds_where_its_proof_fails(constant: int, alpha: float) -> None:
    """One record, eps and delta near 1: the one hypothesis that errs too much is chosen with less than delta."""
    accuracy = math.exp(-alpha / (16 * constant))
    failure = accuracy
    learner = ReferenceLearner(FiniteClass([[0], [1]]), Atoms([0]), alpha, accuracy, failure, constant=float(constant))
    assert learner.requirement.least_size(0.0) == 1
    law = _logs(learner.distribution(([0], [0])), learner.rate(([0], [0])))
    chosen = np.exp(law)[1]
    assert len(law) == 2
    assert chosen == pytest.approx(1 / (1 + math.exp(alpha / 2)))
    assert chosen <= min(failure, math.exp(-alpha / 8) / 2)
    assert 2 * len(law) * math.exp(-(accuracy**2) / 32) > failure / 2  # T8.hoeff
    learner.distribution(([], []))  # no records: uniform
