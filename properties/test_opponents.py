"""Bad learners on random finite instances: what is said of the worst and of coins, and when a claim says nothing."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.parts.classes.finite import FiniteClass
from dpcheck.trial.model import Outcome
from dpcheck.trial.opponents import Opponent, on_instance, set_against
from dpcheck.utility.distributions import FiniteDistribution
from dpcheck.utility.worst_risk import tossed_failures, worst_risk

FRACTIONS = st.fractions(min_value=0, max_value=1, max_denominator=20)


@st.composite
def instances(draw: st.DrawFn) -> tuple[FiniteDistribution, FiniteClass]:
    """A law of up to four points, and a class of functions on them."""
    size = draw(st.integers(1, 4))
    weights = draw(st.lists(st.integers(1, 9), min_size=size, max_size=size))
    ones = draw(st.lists(FRACTIONS, min_size=size, max_size=size))
    rows = draw(st.lists(st.lists(st.integers(0, 1), min_size=size, max_size=size), min_size=1, max_size=6))
    law = FiniteDistribution(range(size), [Fraction(each, sum(weights)) for each in weights], ones)
    return law, FiniteClass([list(row) for row in dict.fromkeys(map(tuple, rows))])


@given(instances())
def test_nothing_of_the_class_errs_by_more_than_the_worst(instance: tuple[FiniteDistribution, FiniteClass]) -> None:
    law, family = instance
    listed = family.representatives(law.points)
    risks = [law.risk(family, one) for one in listed]
    assert worst_risk(law, family) == max(risks)
    any_function = worst_risk(law, None)
    assert any_function is not None
    assert any_function >= max(risks)


@given(instances(), FRACTIONS, FRACTIONS)
def test_an_opponent_keeps_a_claim_just_where_it_does(
    instance: tuple[FiniteDistribution, FiniteClass], accuracy: Fraction, failure: Fraction
) -> None:
    law, family = instance
    best = law.best_risk(family)
    assert best is not None
    worst, coin, one_coin = on_instance(law, family, accuracy, failure)
    risks = [law.risk(family, each) for each in family.representatives(law.points)]
    assert worst.keeps == (failure == 1 or all(risk - best <= accuracy for risk in risks))
    every = [law.risk_of_labels(row) - best > accuracy for row in product((0, 1), repeat=len(law.points))]
    assert coin.keeps == (Fraction(sum(every), len(every)) <= failure)
    same = [law.risk_of_labels([label] * len(law.points)) - best > accuracy for label in (0, 1)]
    assert one_coin.keeps == (Fraction(sum(same), 2) <= failure)
    failing, many = tossed_failures(law, best + accuracy, np.random.default_rng(0))
    assert Fraction(failing, many) == Fraction(sum(every), len(every))


@given(st.lists(st.booleans(), max_size=4), st.sampled_from(["holds", "contradicted", "undecided", "not run"]))
def test_only_what_holds_and_is_kept_says_nothing(keeps: list[bool], word: str) -> None:
    opponents = [Opponent(f"learner {place}", "so often", each) for place, each in enumerate(keeps)]
    found = set_against(Outcome(word, "c", "d", measured=3.0, level=1e-3), opponents)  # type: ignore[arg-type]
    assert (found.word == "says nothing") == (word == "holds" and any(keeps))
    if found.word == word:
        assert (found.measured, found.level) == (3.0, 1e-3)
