"""What the measurements of bassily2018 compute, on arbitrary small tables and settings; no sampling decides."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.papers.bassily2018.learners import printed_scales
from dpcheck.papers.bassily2018.trials.hpriv import error_factor
from dpcheck.papers.bassily2018.trials.votes_drawn import best_threshold, wrong_votes_of
from dpcheck.papers.bassily2018.trials.wrong_votes import failing, most_bad_queries, repaired_cutoff

BITS = st.integers(1, 6).flatmap(
    lambda m: st.integers(1, 6).flatmap(
        lambda k: st.lists(st.lists(st.booleans(), min_size=k, max_size=k), min_size=m, max_size=m)
    )
)


@given(table=BITS, wrong=st.integers(1, 6))
def test_no_table_has_more_bad_queries_than_the_closed_form(table: list[list[bool]], wrong: int) -> None:
    mistakes = np.array(table)
    queries, models = mistakes.shape
    most = int(mistakes.sum(axis=0).max())
    if wrong <= models:
        bad = int((mistakes.sum(axis=1) >= wrong).sum())
        assert bad <= most_bad_queries(queries, models, most, wrong)


@settings(max_examples=40, deadline=None)
@given(
    error=st.integers(1, 400).map(lambda n: Fraction(n, 1000)),
    queries=st.integers(1, 3000),
    failure=st.sampled_from([0.05, 1e-3, 1e-6]),
)
def test_theorem_3_2_as_repaired_keeps_its_promise(error: Fraction, queries: int, failure: float) -> None:
    cutoff = repaired_cutoff(float(error), queries, failure)
    found = failing(error, queries, failure, float(cutoff), 3 * failure)
    assert found.low <= found.high <= 3 * failure


@settings(deadline=None)
@given(
    share=st.floats(0.01, 1.0),
    accuracy=st.sampled_from([0.2, 0.05, 0.01, 1e-3]),
    queries=st.integers(1, 10**6),
    failure=st.floats(1e-6, 0.2),
)
def test_the_error_of_hpriv_is_at_most_three_alpha_and_beta(
    share: float, accuracy: float, queries: int, failure: float
) -> None:
    factor, models = error_factor(accuracy, share, queries, failure)
    assert models == printed_scales(1.0, 1e-6, failure, queries, max(1, _cutoff(accuracy, queries, failure))).models
    assert factor * accuracy <= 3 * accuracy + failure


def _cutoff(accuracy: float, queries: int, failure: float) -> int:
    from math import ceil

    from dpcheck.papers.bassily2018.theorems.rates_instances import printed_cutoff

    return ceil(printed_cutoff(accuracy, queries, failure))


@given(
    points=st.lists(st.floats(0, 1), min_size=1, max_size=12, unique=True),
    labels=st.lists(st.integers(0, 1), min_size=12, max_size=12),
    thresholds=st.lists(st.floats(0, 1), min_size=1, max_size=9),
)
def test_thresholds_and_their_votes_are_those_of_the_definition(
    points: list[float], labels: list[int], thresholds: list[float]
) -> None:
    x, y, t = np.array(points), np.array(labels[: len(points)]), np.array(thresholds)
    mistakes = [int(((x >= w) != y).sum()) for w in (*x, 2.0)]
    found = best_threshold(x, y)
    assert int(((x >= found) != y).sum()) == min(mistakes) or (found == 1.0 and 1.0 in points)
    expected = [int(((point >= t) != (point >= 0.5)).sum()) for point in points]
    assert wrong_votes_of(t, x).tolist() == expected
