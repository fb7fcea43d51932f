"""The exponential mechanism: its law in doubles and exactly, the sensitivity it is told, and one that is too small."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcheck
from dpcheck import PureDP, ReplaceOne, Status, by_calls
from dpcheck.model.claims import exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.exponential import ExponentialMechanism
from dpcheck.parts.mechanisms.sensitivity import check_sensitivity, observed_sensitivity
from dpcheck.privacy.exact.decision import TwoLaws, decide
from dpcheck.privacy.exact.declared import declared

#: Kinds of record, and records in a dataset, of which all pairs of neighbours are enumerated.
KINDS, SIZE = 3, 2
QUICK = settings(max_examples=40, deadline=None)

SCORES = st.one_of(
    st.lists(st.integers(-(2**62), 2**62), min_size=1, max_size=8),
    st.lists(st.integers(-50, 50), min_size=1, max_size=8),
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=8),
)
RATES = st.one_of(st.fractions(0, 20), st.floats(0, 1e3), st.just(2.0**-60))


@given(scores=SCORES, rate=RATES, data=st.data())
@QUICK
def test_log_probabilities_are_within_their_error_and_cells_hold_their_weights(scores, rate, data):
    """Exact, so it has no level: against balls of 2,000 bits."""
    times = data.draw(st.none() | st.lists(st.integers(1, 2**62), min_size=len(scores), max_size=len(scores)))
    choice = Choice(rate, scores, times)
    ends, shift = choice._cells
    best = Fraction(max(choice.scores.tolist()))
    with ctx.workprec(2000):
        steps = [choice.rate * (Fraction(score) - best) for score in choice.scores.tolist()]
        weights = [arb(fmpq(step.numerator, step.denominator)).exp() for step in steps]
        weights = [weight * m for weight, m in zip(weights, times or [1] * len(weights), strict=True)]
        total = sum(weights[1:], weights[0])
        for i, weight in enumerate(weights):
            assert abs(arb(float(choice.log_probabilities[i])) - (weight / total).log()) <= choice.error
            cell = int(ends[i]) - (int(ends[i - 1]) if i else 0)
            assert cell >= 1
            assert arb(cell) >= weight * arb(2) ** shift >= arb(cell - 2**20 - 4)


@dataclass(frozen=True)
class Table:
    """Scores that add up over records: a row of them for each kind of record."""

    rows: tuple[tuple[int, ...], ...]

    def __call__(self, dataset: Any) -> Any:
        return np.sum([self.rows[record] for record in dataset], axis=0)

    @property
    def sensitivity(self) -> int:
        return max(abs(a - b) for one in self.rows for other in self.rows for a, b in zip(one, other, strict=True))


TABLES = (
    st.integers(2, 4)
    .flatmap(lambda k: st.lists(st.tuples(*[st.integers(-5, 5)] * k), min_size=KINDS, max_size=KINDS))
    .map(lambda rows: Table(tuple(rows)))
)


def neighbours() -> list[tuple[list[int], list[int]]]:
    every = list(product(range(KINDS), repeat=SIZE))
    return [(list(a), list(b)) for a in every for b in every if sum(x != y for x, y in zip(a, b, strict=True)) == 1]


@pytest.mark.turns(4)
@given(table=TABLES, epsilon=st.sampled_from([Fraction(1, 10), 1.0, 3.0]))
@QUICK
def test_with_the_sensitivity_that_it_is_told_the_mechanism_keeps_its_epsilon(table, epsilon):
    """Exact, so it has no level: all pairs of neighbours, decided as polynomials."""
    pairs = neighbours()
    found = observed_sensitivity(table, pairs)
    assert found.distance == table.sensitivity
    assert found.pairs == len(pairs)
    if not table.sensitivity:
        return
    left, right = found.pair
    assert abs(table(left)[found.candidate] - table(right)[found.candidate]) == found.distance
    assert check_sensitivity(table, table.sensitivity, pairs).distance == table.sensitivity
    mechanism = ExponentialMechanism(epsilon, table.sensitivity, table)
    for left, right in pairs:
        laws = TwoLaws.of(*(declared(mechanism.distribution(side)) for side in (left, right)))
        assert decide(laws, exact_point(PureDP(epsilon))).answer == "holds"


@given(table=TABLES.filter(lambda table: table.sensitivity > 0), part=st.fractions(Fraction(1, 10), Fraction(99, 100)))
@QUICK
def test_a_sensitivity_that_is_too_small_is_named_with_the_pair(table, part):
    """Exact, so it has no level."""
    with pytest.raises(InvalidArgument, match=f"sensitivity must be at least {table.sensitivity}, got"):
        check_sensitivity(table, table.sensitivity * part, neighbours())


def opposite(dataset: Any) -> Any:
    """Two scores that move by 1, in opposite directions: with fair odds the loss is all of epsilon in the limit."""
    return [sum(dataset), -sum(dataset)]


@dataclass(frozen=True)
class TooSmall:
    """The exponential mechanism told that the scores move by half of what they do."""

    mechanism: Any = ExponentialMechanism(2.0, 0.5, opposite)  # noqa: RUF009
    claim: Any = PureDP(2.0)  # noqa: RUF009
    neighbours: Any = ReplaceOne([-1, 1], size=1)  # noqa: RUF009

    def __call__(self, dataset: Any, rng: Any) -> int:
        return self.mechanism(dataset, rng)

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        return self.mechanism.sample(dataset, size, rng)

    def distribution(self, dataset: Any) -> Any:
        return self.mechanism.distribution(dataset)


@pytest.fixture
def seed():
    """Another one in every run: seeds never decide."""
    return int(np.random.default_rng().integers(2**32))


@pytest.mark.turns(6)
@pytest.mark.parametrize("way", [lambda learner: learner, by_calls], ids=["by its law", "by calls"])
def test_a_sensitivity_that_is_too_small_is_caught_by_the_audit(way, seed):
    """Power: the loss is 8 where 2 is claimed, and both outputs are common on one side."""
    verdict = dpcheck.audit(way(TooSmall()), seed=seed, isolation="none", max_seconds=math.inf)
    assert verdict.status is Status.VIOLATED, str(verdict)
