"""beimel2015's choices by correct labels on random small classes: exact losses, printed tails, what may not matter."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import Labelled, Records, ReplaceEntry
from dpcheck.model.data import take_records
from dpcheck.model.neighbours.entries import opposite_order
from dpcheck.papers.beimel2015.learners import ExponentialLearner, GenericLearner
from dpcheck.parts.classes import FiniteClass
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.strategies import datasets, neighbouring_pairs

_POINTS = 3
_ENTRIES = ReplaceEntry(Records.labelled(features=range(_POINTS), labels=[0, 1]), size=range(1, 7))
_EPSILONS = st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(5)])


def classes() -> st.SearchStrategy[FiniteClass]:
    """Any functions on three points, each once."""
    row = st.tuples(*[st.integers(0, 1)] * _POINTS)
    return st.lists(row, min_size=1, max_size=8, unique=True).map(lambda rows: FiniteClass([*map(list, rows)]))


def probabilities(law: Any) -> dict[Any, Any]:
    """A law in balls (or fractions)."""
    found = mixture([1], [law])
    return dict(zip(found.outputs, found.exact, strict=True))


def assert_within(one: Any, other: Any, epsilon: Fraction) -> None:
    """Every probability of either law is at most ``exp(epsilon)`` times the other's: surely not more, in balls."""
    from flint import arb, fmpq

    factor = arb(fmpq(epsilon.numerator, epsilon.denominator)).exp()
    left, right = probabilities(one), probabilities(other)
    assert set(left) == set(right)
    for output in left:
        assert not left[output] > factor * right[output]
        assert not right[output] > factor * left[output]


@settings(max_examples=80)
@given(family=classes(), pair=neighbouring_pairs(_ENTRIES), epsilon=_EPSILONS)
def test_the_choice_from_a_list_keeps_its_claim(family: Any, pair: Any, epsilon: Fraction) -> None:
    learner = ExponentialLearner(family, epsilon)
    left, right = (learner.distribution(Labelled(*dataset)) for dataset in pair)
    assert_within(left, right, epsilon)


@settings(max_examples=80)
@given(family=classes(), pair=neighbouring_pairs(_ENTRIES), epsilon=_EPSILONS, points=st.integers(1, 3))
def test_the_generic_learner_keeps_its_claim(family: Any, pair: Any, epsilon: Fraction, points: int) -> None:
    # beimel2015:thm-3.3: epsilon, not twice epsilon, whichever part the entry is in
    learner = GenericLearner.over(family, epsilon, points=points)
    left, right = (learner.distribution(Labelled(*dataset)) for dataset in pair)
    assert_within(left, right, epsilon)


@settings(max_examples=80)
@given(family=classes(), dataset=datasets(_ENTRIES), epsilon=_EPSILONS)
def test_the_printed_tail_holds(family: Any, dataset: Any, epsilon: Fraction) -> None:
    # beimel2015:prop-A.1 (ii): Pr[error_S(h) > e + Delta] <= #H exp(-epsilon Delta m / 2), at each error there is
    from flint import arb, fmpq

    learner = ExponentialLearner(family, epsilon)
    size, law = len(dataset[1]), learner.distribution(dataset)
    wrong = [size - score for score in law.exact.scores]
    chance = list(probabilities(law).values())
    for more in set(wrong):
        steps = more - min(wrong)  # Delta m, just below it: the event is an error of at least as many mistakes
        tail = sum((p for p, w in zip(chance, wrong, strict=True) if w >= more), start=arb(0))
        exponent = -epsilon * steps / 2
        assert not tail > len(wrong) * arb(fmpq(exponent.numerator, exponent.denominator)).exp()


@settings(max_examples=40)
@given(family=classes(), dataset=datasets(_ENTRIES), points=st.integers(1, 3))
def test_the_order_within_either_part_is_of_no_matter(family: Any, dataset: Any, points: int) -> None:
    learner = GenericLearner.over(family, points=points)
    turned = take_records(dataset, opposite_order(dataset, _ENTRIES))
    one, other = probabilities(learner.distribution(dataset)), probabilities(learner.distribution(turned))
    assert set(one) == set(other)
    assert all(one[output].overlaps(other[output]) for output in one)
