"""The stability of private learners, exactly, on random problems: wang2016's lemma 8, theorem 35 and corollary 9."""

from __future__ import annotations

import math
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.papers.wang2016.learners import FiniteProblem, RegularisedExponential
from dpcheck.utility.stability import expected_losses


@st.composite
def problems(draw: st.DrawFn) -> FiniteProblem:
    """Two or three records, up to four hypotheses, losses in tenths; the loss depends on the record."""
    kinds, count = draw(st.integers(2, 3)), draw(st.integers(2, 4))
    rows = draw(
        st.lists(st.lists(st.integers(0, 10), min_size=kinds, max_size=kinds), min_size=count, max_size=count).filter(
            lambda rows: any(max(row) > min(row) for row in rows)
        )
    )
    return FiniteProblem(
        tuple(range(kinds)), tuple(range(count)), tuple(tuple(Fraction(v, 10) for v in row) for row in rows)
    )


@settings(max_examples=60)
@given(problems(), st.integers(1, 30), st.integers(1, 5), st.data())
def test_private_learners_are_stable_and_so_consistent(
    problem: FiniteProblem, tenths: int, size: int, data: st.DataObject
) -> None:
    epsilon = Fraction(tenths, 10)
    learner = RegularisedExponential(problem, list(problem.hypotheses), epsilon)
    table = expected_losses(learner, problem, size)
    stability = table.stability()
    assert stability.high <= Fraction(math.tanh(float(epsilon) / 2)) + Fraction(1, 10**12)
    assert stability.high <= Fraction(math.expm1(float(epsilon)))
    weights = data.draw(st.lists(st.integers(0, 5), min_size=len(problem.records), max_size=len(problem.records)))
    weights[0] += not sum(weights)
    risks = table.under([Fraction(w, sum(weights)) for w in weights])
    slack = Fraction(1, 10**12)
    assert risks.gap.magnitude().low <= stability.high + slack
    assert risks.excess.low <= stability.high + risks.above_minimum.high + slack
    assert risks.above_minimum.low <= table.always_above_minimum().high + slack
    assert risks.excess.high >= -slack
    assert risks.above_minimum.high >= -slack
