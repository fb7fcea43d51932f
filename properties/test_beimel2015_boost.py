"""LabelBoostProcedure and LabelBoost keep their claims on any class and database; sizes keep what the loop needs."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.beimel2015.learners import BoostConstants, LabelBoostProcedure, boost_sizes
from dpcheck.papers.beimel2015.learners.boost_entries import label_boost
from dpcheck.papers.beimel2015.learners.label_count import NoisyLabelCount
from dpcheck.parts.classes import FiniteClass
from dpcheck.parts.mechanisms.mixtures import chances

POINTS = 4
CLASSES = st.lists(st.lists(st.integers(0, 1), min_size=POINTS, max_size=POINTS), min_size=1, max_size=10)
ENTRIES = st.tuples(st.integers(0, POINTS - 1), st.integers(0, 1))
UNLABELLED = st.tuples(st.integers(0, POINTS - 1), st.just(-1))


@st.composite
def neighbours(draw: Any, points: int = POINTS, labelled: int | None = None, unlabelled: int | None = None) -> Any:
    """Two partially labelled databases that differ in one entry."""
    few = st.integers(0, 3)
    m = draw(few) if labelled is None else labelled
    n = m + (draw(st.integers(1 if m == 0 else 0, 4)) if unlabelled is None else unlabelled)
    one = [(x % points, y) for x, y in draw(st.tuples(*[ENTRIES] * m, *[UNLABELLED] * (n - m)))]
    place = draw(st.integers(0, n - 1))
    x, y = draw(ENTRIES if place < m else UNLABELLED)
    other = [*one[:place], (x % points, y), *one[place + 1 :]]
    return one, other


def loss(learner: Any, one: Any, other: Any) -> float:
    """The largest log ratio of the two laws, in either direction."""
    laws = [dict(chances(learner.distribution(each))) for each in (one, other)]
    assert laws[0].keys() == laws[1].keys()
    return max(abs(math.log(laws[0][key] / laws[1][key])) for key in laws[0])


@given(CLASSES, neighbours(), st.sampled_from([0.25, 1.0, 4.0]), st.sampled_from([0.5, 1.0, 3.0]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_the_procedure_keeps_its_claim(rows: Any, pair: Any, base_epsilon: float, epsilon: float, whole: bool) -> None:
    unlabelled = sum(label < 0 for _, label in pair[0])
    stretched = None if whole else unlabelled // 2
    learner = LabelBoostProcedure(NoisyLabelCount(base_epsilon), FiniteClass(rows), stretched, epsilon)
    assert loss(learner, *pair) <= learner.claim.epsilon(0.0) + 1e-9


@given(neighbours(points=2, labelled=2, unlabelled=3), st.sampled_from(["exponential", "count"]))
@settings(max_examples=15, deadline=None)
def test_label_boost_keeps_its_claim(pair: Any, base: Any) -> None:
    learner = label_boost(base=base, base_epsilon=3.0)
    assert loss(learner, *pair) <= learner.claim.epsilon(0.0) + 1e-9


@given(
    st.integers(0, 10**7),
    st.integers(0, 12).map(lambda k: 10**k),
    st.integers(0, 5),
    st.sampled_from([Fraction(1, 2), Fraction(1, 16), Fraction(1, 100)]),
    st.sampled_from(["down", "up"]),
)
@settings(deadline=None)
def test_sizes_are_what_the_loop_makes(labelled: int, n: int, dimension: int, rate: Fraction, rounding: Any) -> None:
    constants = BoostConstants.scaled(rate, accuracy_divisor=1)
    try:
        sizes = boost_sizes(labelled, n, dimension, 0.5, 0.5, constants, rounding=rounding)
    except InvalidArgument as error:
        would_do = int(str(error).split("labelled = ")[1].split(" ")[0])
        sizes = boost_sizes(would_do, n, dimension, 0.5, 0.5, constants, rounding=rounding)
        assert would_do > labelled
        labelled = would_do
    size = labelled
    for each in sizes.iterations:
        assert each.labelled == size < constants.enough * n
        assert 1 <= each.stretched <= constants.stretch * n
        exact = rate * each.labelled, rate * each.stretched
        kept = each.kept_labelled, each.kept_stretched
        assert all(
            (part - 1 < k <= part) if rounding == "down" else (part <= k < part + 1)
            for part, k in zip(exact, kept, strict=True)
        )
        size = sum(kept)
    assert size == sizes.boosted >= constants.enough * n
    assert 1 <= sizes.kept <= sizes.boosted
    assert np.isfinite(float(sizes.last_rate))
