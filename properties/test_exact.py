"""What exact answers must satisfy whatever the laws: they agree with plain fractions, and with what privacy means."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import ApproxDP, IntegerScores, Law, PureDP
from dpcheck.model.claims import exact_point
from dpcheck.privacy.exact.decision import TwoLaws, decide, delta_of, epsilon_of
from dpcheck.privacy.exact.declared import declared

FEW = settings(max_examples=150, deadline=None)

WEIGHTS = st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any)
RATIOS = st.fractions(min_value=1, max_value=20, max_denominator=50)
DELTAS = st.fractions(min_value=0, max_value=1, max_denominator=40)
SCORES = st.lists(st.integers(-5, 5), min_size=3, max_size=3)
EPSILONS = st.fractions(min_value=Fraction(1, 50), max_value=4, max_denominator=60)


def law(weights: list[int]) -> dict[int, Fraction]:
    return {place: Fraction(weight, sum(weights)) for place, weight in enumerate(weights)}


def both(left: Any, right: Any) -> TwoLaws:
    return TwoLaws.of(declared(left), declared(right))


def holds(laws: TwoLaws, claim: Any) -> bool:
    answer = decide(laws, exact_point(claim)).answer
    assert answer in ("holds", "violated")
    return answer == "holds"


def delta_by_hand(one: dict[int, Fraction], other: dict[int, Fraction], ratio: Fraction) -> Fraction:
    return max(
        sum((max(a[k] - ratio * b[k], Fraction(0)) for k in a), Fraction(0)) for a, b in ((one, other), (other, one))
    )


@given(WEIGHTS, WEIGHTS, RATIOS, DELTAS)
@FEW
def test_rational_laws_are_decided_as_by_hand(
    one: list[int], other: list[int], ratio: Fraction, delta: Fraction
) -> None:
    left, right = law(one), law(other)
    exact = delta_by_hand(left, right, ratio)
    laws = both(left, right)
    assert holds(laws, ApproxDP(ratio=ratio, delta=delta)) == (exact <= delta)
    assert holds(laws, PureDP(ratio=ratio)) == (exact == 0)
    assert holds(laws, ApproxDP(ratio=ratio, delta=exact))
    assert abs(delta_of(laws, exact_point(PureDP(ratio=ratio))) - exact) <= 1e-15


@given(WEIGHTS, WEIGHTS, RATIOS)
@FEW
def test_merging_outputs_breaks_no_claim(one: list[int], other: list[int], ratio: Fraction) -> None:
    merged = [law([w[0] + w[1], *w[2:]]) for w in (one, other)]
    assert not holds(both(law(one), law(other)), PureDP(ratio=ratio)) or holds(both(*merged), PureDP(ratio=ratio))


@pytest.mark.turns(6)
@given(SCORES, SCORES, EPSILONS, EPSILONS)
@FEW
def test_larger_claims_hold_where_smaller_ones_do_and_the_loss_is_between(
    one: list[int], other: list[int], epsilon: Fraction, claim: Fraction
) -> None:
    laws = both(*(Law(range(3), exact=IntegerScores(epsilon, scores)) for scores in (one, other)))
    swapped = TwoLaws.of(laws.right, laws.left)
    loss = Fraction(epsilon_of(laws, Fraction(0)))
    assert holds(laws, PureDP(claim)) == holds(swapped, PureDP(claim))
    assert holds(laws, PureDP(loss + Fraction(1, 10**13)))
    assert loss < Fraction(1, 10**12) or not holds(laws, PureDP(loss - Fraction(1, 10**13)))
    # the exponential mechanism's theorem: scores that move by at most s lose at most epsilon * s
    assert holds(laws, PureDP(epsilon * max(abs(a - b) for a, b in zip(one, other, strict=True))))


@given(WEIGHTS, WEIGHTS, WEIGHTS, RATIOS, RATIOS)
@FEW
def test_claims_compose_along_a_path(
    one: list[int], middle: list[int], other: list[int], first: Fraction, second: Fraction
) -> None:
    """Group privacy: two steps of ratios r and s are one of ratio r s."""
    laws = [law(weights) for weights in (one, middle, other)]
    steps = holds(both(*laws[:2]), PureDP(ratio=first)) and holds(both(*laws[1:]), PureDP(ratio=second))
    assert not steps or holds(both(laws[0], laws[2]), PureDP(ratio=first * second))
