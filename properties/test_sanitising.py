"""What beimel2015:thm-A.3 says of sanitisers, and that the one for large domains draws from the same law."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import PureDP
from dpcheck.model.claims import exact_point
from dpcheck.parts.mechanisms.sanitisers import (
    BlumLigettRoth,
    ThresholdSanitiser,
    interval_queries,
    symmetric_differences,
    threshold_queries,
)
from dpcheck.privacy.exact.decision import TwoLaws, decide
from dpcheck.privacy.exact.declared import declared

EPSILONS = st.fractions(Fraction(1, 10), 4, max_denominator=10)
KINDS: Any = st.sampled_from(["intervals", "thresholds"])


@st.composite
def neighbours(draw: Any, domain_size: int) -> tuple[list[int], list[int]]:
    """Two datasets that differ in one point."""
    point = st.integers(0, domain_size - 1)
    left = draw(st.lists(point, min_size=1, max_size=6))
    right = list(left)
    right[draw(st.integers(0, len(left) - 1))] = draw(point)
    return left, right


def within(sanitiser: Any, pair: tuple[list[int], list[int]]) -> bool:
    """Whether the claim holds exactly for two datasets, both ways round."""
    left, right = (declared(sanitiser.distribution(dataset)) for dataset in pair)
    return decide(TwoLaws.of(left, right), exact_point(PureDP(sanitiser.epsilon))).answer == "holds"


@settings(max_examples=12, deadline=None)
@given(st.data(), EPSILONS, st.integers(1, 3), st.booleans())
def test_the_sanitiser_keeps_its_claim_for_any_queries(data: Any, epsilon: Any, size: int, ordered: bool) -> None:
    domain_size = data.draw(st.integers(1, 4))
    row = st.lists(st.booleans(), min_size=domain_size, max_size=domain_size)
    queries = data.draw(st.lists(row, min_size=1, max_size=4))
    pair = data.draw(neighbours(domain_size))
    assert within(BlumLigettRoth(queries, epsilon, size, ordered), pair)
    assert within(BlumLigettRoth(symmetric_differences(queries), epsilon, size, ordered), pair)


@settings(max_examples=12, deadline=None)
@given(st.data(), EPSILONS, st.integers(1, 3), KINDS, st.booleans())
def test_that_for_large_domains_has_the_same_law_and_draws_from_its_support(
    data: Any, epsilon: Any, size: int, kind: Any, ordered: bool
) -> None:
    domain_size = data.draw(st.integers(1, 6))
    left, right = data.draw(neighbours(domain_size))
    matrix = interval_queries(domain_size) if kind == "intervals" else threshold_queries(domain_size)
    listed = BlumLigettRoth(matrix, epsilon, size, ordered)
    large = ThresholdSanitiser(domain_size, epsilon, size, kind, ordered)
    for dataset in (left, right):
        one, other = listed.distribution(dataset), large.distribution(dataset)
        assert one.outputs == other.outputs
        assert one.exact.epsilon == other.exact.epsilon
        assert one.exact.scores == other.exact.scores
        assert one.exact.multiplicities == other.exact.multiplicities
        drawn = large.sample(dataset, 5, np.random.default_rng())
        assert {tuple(row) for row in drawn.tolist()} <= set(other.outputs)
    assert within(large, (left, right))


@settings(max_examples=25, deadline=None)
@given(st.data(), st.integers(2, 2**30), st.integers(1, 12), st.booleans())
def test_bands_grow_with_their_sides_and_the_widest_holds_everything(
    data: Any, domain_size: int, size: int, ordered: bool
) -> None:
    points = data.draw(st.lists(st.integers(0, domain_size - 1), max_size=12))
    reference = ThresholdSanitiser(domain_size, 1.0, size, ordered=ordered).reference(points)
    most = reference.widest
    above, under = (data.draw(st.integers(0, most)) for _ in range(2))
    count = reference.table(above, under).count
    assert count <= reference.table(min(above + 1, most), under).count
    assert count <= reference.table(above, min(under + 1, most)).count
    whole = ThresholdSanitiser(domain_size, 1.0, size).outputs if not ordered else domain_size**size
    assert reference.table(most, most).count == whole
    logarithms, error = reference.log_counts(np.array([above, most]), np.array([under, most]))
    assert abs(logarithms[1] - float(np.log(float(whole)))) <= error + 1e-9
    if count:
        assert abs(logarithms[0] - float(np.log(float(count)))) <= error + 1e-9
        drawn = reference.table(above, under).sample(3, np.random.default_rng())
        high, low = reference.extremes(drawn)
        assert high.max() <= above
        assert low.max() <= under
    else:
        assert logarithms[0] == -np.inf
