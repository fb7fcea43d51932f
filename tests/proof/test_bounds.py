"""Bounds as symbolic objects: the numbers printed in the notes, exact rounding, inversion, comparison and errors."""

from __future__ import annotations

import dataclasses
import itertools
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import pytest
import sympy

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.alon2019.theorems.bounds import (
    BOUNDS,
    COMPOSED,
    COVER_FAILURE,
    COVER_PUBLIC,
    COVER_PUBLIC_PRINTED,
    COVER_PUBLIC_TIGHT,
    GENERIC,
    IMPROPER_PACKING,
    PRIVATE,
    PRIVATE_PRINTED,
    PRIVATE_SAUER,
    PROPER_PACKING,
    PUBLIC,
    PUBLIC_NECESSARY,
    PUBLIC_PRINTED,
    REDUCED,
    best_slack,
)
from dpcheck.proof.bounds import (
    Bound,
    Enclosure,
    Range,
    compare,
    evaluate,
    latex,
    solve,
    symbol,
    value_of,
)
from dpcheck.proof.inventory import load_inventory
from dpcheck.proof.spans import Span, Undefined, direction, enclose, point, precision

ACCURACIES = ("0.5", "0.499999", "0.4", "0.3", "0.1", "0.03", "0.001", "1e-5")
FAILURES = ("0.999999", "0.9", "0.5", "0.05", "1e-3", "1e-12")
DIMENSIONS = (1, 2, 3, 10, 1000, 100_000)
GRID = list(itertools.product(ACCURACIES, FAILURES, DIMENSIONS))
X = symbol("x")


def one(expression: Any, *, integer: bool = True, conditions: tuple[Any, ...] = ()) -> Bound:
    """A bound in one variable, for what the arithmetic does."""
    return Bound(
        source="made-up:lem-1",
        size="n",
        sense="sufficient",
        expression=expression,
        domain={"n": Range.integers(1) if integer else Range(None, None), "x": Range(Fraction(0), None)},
        derivation="none",
        letters={"xi": "x"},
        conditions=conditions,
    )


def printed(accuracy: str, failure: str, vc: int) -> float:
    """d log(1/alpha) + log(1/beta), the quantity of the paper's upper bounds."""
    return -vc * math.log(float(accuracy)) - math.log(float(failure))


# --- the numbers of the notes ------------------------------------------------------------------------------------


def test_public_size_by_the_tight_search_and_in_closed_form() -> None:
    assert solve(COVER_PUBLIC_TIGHT, for_="public", accuracy=0.1, failure=0.05, vc=1) == 820
    assert evaluate(COVER_PUBLIC, accuracy=0.1, failure=0.05, vc=1) == 1219


def test_printed_form_of_the_lemma_has_constant_105_and_not_104() -> None:
    worst = 0.0
    for accuracy, failure, vc in GRID:
        size = evaluate(COVER_PUBLIC, accuracy=accuracy, failure=failure, vc=vc)
        assert size <= evaluate(COVER_PUBLIC_PRINTED, accuracy=accuracy, failure=failure, vc=vc)
        worst = max(worst, float(size) * float(accuracy) / printed(accuracy, failure, vc))
    assert round(worst, 2) == 104.60


def test_printed_form_of_the_theorem_has_constant_257() -> None:
    worst = 0.0
    for accuracy, failure, vc in GRID:
        size = evaluate(PUBLIC, accuracy=accuracy, failure=failure, vc=vc)
        assert size <= evaluate(PUBLIC_PRINTED, accuracy=accuracy, failure=failure, vc=vc)
        worst = max(worst, float(size) * float(accuracy) / printed(accuracy, failure, vc))
    assert 256 <= worst < 257


@pytest.mark.turns(6)
def test_printed_form_of_the_private_size_has_constant_420() -> None:
    worst = 0.0
    for (accuracy, failure, vc), epsilon in itertools.product(GRID, (0.01, 0.5, 1, 10)):
        public = evaluate(PUBLIC_PRINTED, accuracy=accuracy, failure=failure, vc=vc)
        assert isinstance(public, int)
        given = {"accuracy": accuracy, "failure": failure, "vc": vc, "epsilon": epsilon}
        size = evaluate(PRIVATE_SAUER, public=public, **given)
        assert size <= evaluate(PRIVATE_PRINTED, **given)
        larger = max(float(accuracy) ** -2, 1 / (epsilon * float(accuracy)))
        worst = max(worst, float(size) / (printed(accuracy, failure, vc) * larger))
    assert round(worst, 1) == 413.7


def test_packing_bounds_for_private_thresholds() -> None:
    given = {"accuracy": "1/16", "failure": "1/16", "epsilon": "0.1", "bits": 20}
    assert round(float(evaluate(IMPROPER_PACKING, slack="1/16", **given)), 1) == 52.4
    slack, needed = best_slack(accuracy="1/16", failure="1/16", epsilon="0.1", bits=20)
    assert round(float(needed), 1) == 72.0
    assert round(float(slack), 3) == 0.003
    assert all(needed.low >= value_of(IMPROPER_PACKING, slack=b, **given).low for b in ("0.002", "0.005", "0.01"))


def test_upper_to_lower_bound_ratios() -> None:
    for accuracy, ratio in (("0.1", 4.4e5), ("0.0001", 7.9e5)):
        upper = float(value_of(PUBLIC, accuracy=accuracy, failure="1/18", vc=1))
        assert float(f"{upper * 1600 * float(accuracy):.1e}") == ratio
    with pytest.raises(InvalidArgument, match="accuracy must be in"):
        evaluate(PUBLIC_NECESSARY, accuracy="0.1")  # its proof reaches accuracies up to 1/16


def test_composed_bound_is_the_packing_bound_through_the_reduction() -> None:
    packing = evaluate(PROPER_PACKING, points=2**60, failure="1/16", epsilon=0.1)
    composed = evaluate(COMPOSED, points=2**60, public=3, accuracy="0.001", epsilon=0.1)
    assert isinstance(packing, Enclosure)
    assert isinstance(composed, Enclosure)
    assert abs(float(composed) - 30 * (float(packing) - 1)) < 1e-9
    # A private sample no larger than that is reduced to one that the packing bound forbids.
    assert float(evaluate(REDUCED, private=math.floor(composed.low), public=3)) < float(packing) + 1
    with pytest.raises(InvalidArgument, match="must satisfy"):
        evaluate(COMPOSED, points=2**60, public=5, accuracy="0.001", epsilon=0.1)


@pytest.mark.parametrize("name", BOUNDS)
def test_every_bound_makes_a_result_of_the_paper_explicit(name: str) -> None:
    bound = BOUNDS[name]
    assert load_inventory("alon2019").result(bound.source)
    assert bound.derivation
    assert str(bound).startswith(bound.source)
    assert set(bound.variables) <= set(bound.domain)
    assert latex(bound).split()[0] in ("n_{pub}", "n_{priv}", r"\beta", "n", r"\tilde{n}")


# --- exact evaluation --------------------------------------------------------------------------------------------


def test_whole_numbers_are_not_rounded_past() -> None:
    assert evaluate(one(10 / X), x=0.1) == 100
    assert evaluate(one(10 / X), x=Fraction(1, 3)) == 30
    assert evaluate(one(1 / X**2 + sympy.log(X) * 0), x="1e-20") == 10**40
    assert evaluate(one(sympy.log(X) + 7), x=1) == 7
    assert evaluate(one(sympy.exp(X - X**2)), x=1) == 1


def test_what_floats_cannot_tell_apart_is_told_apart() -> None:
    # 10^20 + log(1 + 10^-30) is a little above a whole number: floats see none of it.
    assert evaluate(one(10**20 + sympy.log(1 + X)), x="1e-30") == 10**20 + 1
    assert evaluate(one(10**20 - sympy.log(1 + X)), x="1e-30") == 10**20
    ramanujan = sympy.exp(sympy.pi * X ** sympy.Rational(1, 2))  # exp(pi sqrt 163) = 262537412640768743.99999999999925
    assert evaluate(one(ramanujan), x=163) == 262537412640768744


def test_what_cannot_be_settled_is_an_error_not_a_guess() -> None:
    with pytest.raises(InvalidArgument, match="could not be settled at 16384 bits"):
        evaluate(one(sympy.log(X**3) / sympy.log(X) + sympy.log(X + 1) * 0), x=2)
    with pytest.raises(InvalidArgument, match="no value with these arguments"):
        evaluate(one(sympy.log(X - 2)), x=1)
    with pytest.raises(InvalidArgument, match="too far from 1 to be written out"):
        value_of(one(sympy.exp(-(10**9) * X), integer=False), x=1)


def test_a_size_is_at_least_its_least_value() -> None:
    assert evaluate(one(sympy.log(X)), x="0.5") == 1


@pytest.mark.parametrize("given", [0.1, "0.1", "1/10", "1e-1", Fraction(1, 10), Decimal("0.1"), np.float64(0.1)])
def test_numbers_are_taken_as_written(given: Any) -> None:
    assert evaluate(one(1 / X), x=given) == 10


def test_enclosures_hold_the_value_at_the_digits_asked_for() -> None:
    value = value_of(COVER_PUBLIC, accuracy="0.1", failure="0.05", vc=1, digits=50)
    assert (value.high - value.low) * 10**50 <= value.low
    with precision(400):
        by_hand = 80 * (2 * flint.arb(320).log() + flint.arb(40).log())
        assert flint.arb(flint.fmpq(value.low.numerator, value.low.denominator)) < by_hand
        assert by_hand < flint.arb(flint.fmpq(value.high.numerator, value.high.denominator))
    assert str(value).startswith("1218.0417156561184")


# --- inversion ---------------------------------------------------------------------------------------------------


def test_integers_are_inverted_exactly() -> None:
    vc = solve(COVER_PUBLIC, for_="vc", public=10**9, accuracy=0.001, failure=0.05)
    assert isinstance(vc, int)
    given = {"accuracy": 0.001, "failure": 0.05}
    assert evaluate(COVER_PUBLIC, vc=vc, **given) <= 10**9 < evaluate(COVER_PUBLIC, vc=vc + 1, **given)
    assert solve(COVER_PUBLIC, for_="public", vc=vc, **given) == evaluate(COVER_PUBLIC, vc=vc, **given)
    assert solve(one(10 / X), for_="n", x=1) == 10


def test_reals_are_bracketed_from_both_sides() -> None:
    found = solve(COVER_PUBLIC, for_="accuracy", public=1219, failure=0.05, vc=1, digits=30)
    assert isinstance(found, Enclosure)
    assert (found.high - found.low) * 10**30 <= found.low
    assert value_of(COVER_PUBLIC, accuracy=found.high, failure=0.05, vc=1, digits=40).high <= 1219
    assert value_of(COVER_PUBLIC, accuracy=found.low, failure=0.05, vc=1, digits=40).low > 1219


def test_a_closed_end_that_meets_the_bound_is_the_answer() -> None:
    half = solve(COVER_PUBLIC_PRINTED, for_="failure", public=10**4, accuracy="0.5", vc=1)
    assert isinstance(half, Enclosure)
    bound = dataclasses.replace(one(1 / X), domain={"n": Range.integers(1), "x": Range(Fraction(1), None, False)})
    assert solve(bound, for_="x", n=3) == Enclosure(Fraction(1), Fraction(1))


def test_conditions_limit_what_is_searched() -> None:
    # Below 8 d/alpha the right side of (1) rises, so without the condition it is not monotone.
    assert solve(COVER_PUBLIC_TIGHT, for_="public", accuracy=0.5, failure="1e6", vc=1) == 16
    with pytest.raises(InvalidArgument, match="monotone; for 'public' that is not shown"):
        solve(COVER_FAILURE, for_="public", accuracy=0.5, failure=0.05, vc=1)
    assert solve(PRIVATE_SAUER, for_="vc", private=10**12, public=50, accuracy=0.1, failure=0.1, epsilon=1) == 50


def test_non_monotone_variables_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="monotone; for 'x' that is not shown"):
        solve(one(X + 100 / X), for_="x", n=50)
    with pytest.raises(InvalidArgument, match="monotone; for 'slack' that is not shown"):
        solve(IMPROPER_PACKING, for_="slack", n=30, failure=0.1, epsilon=1, accuracy=0.05, bits=20)


def test_nothing_or_everything_meeting_a_bound_is_said() -> None:
    with pytest.raises(InvalidArgument, match=r"no accuracy in \(0, 1\) meets"):
        solve(PUBLIC, for_="accuracy", public=1, failure=0.1, vc=1)
    with pytest.raises(InvalidArgument, match="no vc in the integers"):
        solve(PUBLIC, for_="vc", public=10, failure=0.1, accuracy=0.1)
    with pytest.raises(InvalidArgument, match=r"every failure in \(0, 1\) meets"):
        solve(COVER_PUBLIC, for_="failure", public=10**9, accuracy=0.1, vc=1)
    with pytest.raises(InvalidArgument, match="every x up to 2"):
        solve(
            dataclasses.replace(one(2 - 1 / X), domain={"n": Range.integers(1), "x": Range.integers(1)}),
            for_="x",
            n=2,
        )
    with pytest.raises(InvalidArgument, match="no value is"):
        solve(COMPOSED, for_="public", private=10**9, epsilon=0.1, points=2**60, accuracy=0.009)


# --- what is monotone --------------------------------------------------------------------------------------------


def test_directions_are_those_of_calculus() -> None:
    whole = {"x": Span(Fraction(0), math.inf)}
    assert direction(sympy.log(X) - 1 / X, "x", whole) == 1
    assert direction(-X * sympy.exp(X), "x", whole) == -1
    assert direction(sympy.Max(1 / X, 3), "x", whole) == -1
    assert direction(sympy.ceiling(X) ** 2, "x", whole) == 1
    assert direction(sympy.Integer(3), "x", whole) == 0
    assert direction(sympy.exp(-X) * X, "x", whole) is None
    assert direction(sympy.exp(-X) * X, "x", {"x": Span(Fraction(1), math.inf)}) == -1
    assert direction(X * sympy.log(X), "x", whole) is None
    assert direction(X - X**2, "x", {"x": Span(Fraction(0), Fraction(1, 2))}) == 1
    assert direction(X - X**2, "x", {"x": Span(Fraction(0), Fraction(51, 100))}) is None


@pytest.mark.parametrize(
    ("bound", "name", "expected"),
    [
        (COVER_PUBLIC, "accuracy", -1),
        (COVER_PUBLIC, "failure", -1),
        (COVER_PUBLIC, "vc", 1),
        (PRIVATE_SAUER, "public", 1),
        (PRIVATE_SAUER, "epsilon", -1),
        (PRIVATE_PRINTED, "accuracy", -1),
        (PRIVATE, "cover", 1),
        (GENERIC, "hypotheses", 1),
        (PROPER_PACKING, "points", 1),
        (PROPER_PACKING, "failure", -1),
        (PUBLIC_NECESSARY, "accuracy", -1),
    ],
)
def test_directions_of_the_bounds_on_a_whole_range(bound: Bound, name: str, expected: int) -> None:
    others = {"accuracy": "0.1", "failure": "0.3", "epsilon": "2", "vc": "9", "public": "1e6", "cover": "5"}
    others |= {"hypotheses": "5", "points": "1000"}
    box = {each: point(Fraction(others[each])) for each in bound.variables}
    whole = Range.integers(9) if name == "public" else bound.domain[name]
    assert direction(bound.expression, name, {**box, name: whole.span()}) == expected


# --- spans -------------------------------------------------------------------------------------------------------


def test_spans_keep_fractions_and_touch_zero_exactly() -> None:
    third = enclose(X / 3 + X**2, {"x": point(Fraction(1, 2))})
    assert third.exact == Fraction(5, 12)
    touching = enclose(2 / X - sympy.Rational(1, 10), {"x": Span(Fraction(20), math.inf)})
    assert touching.high == 0
    assert touching.low == Fraction(-1, 10)
    assert enclose(sympy.log(X), {"x": Span(Fraction(1), Fraction(2))}).low == 0


def test_spans_refuse_what_has_no_value() -> None:
    for expression, at in ((1 / X, 0), (sympy.log(X), 0), (sympy.log(X), -1), (sympy.sin(X), 1)):
        with pytest.raises(Undefined):
            enclose(expression, {"x": point(at)})
    with pytest.raises(Undefined):
        enclose(1 / X, {"x": Span(Fraction(-1), Fraction(1))})


# --- comparison --------------------------------------------------------------------------------------------------


def test_upper_and_lower_bounds_differ_by_a_logarithm() -> None:
    found = compare(PUBLIC, PUBLIC_NECESSARY, along="accuracy", failure="1/18", vc=1)
    assert found.verdict == "first is of higher order"
    assert found.limit == sympy.oo
    assert (
        compare(PUBLIC_NECESSARY, PUBLIC, along="accuracy", failure="1/18", vc=1).verdict == "first is of lower order"
    )


def test_same_order_with_its_limit() -> None:
    assert compare(PUBLIC, COVER_PUBLIC, along="accuracy", failure=0.05, vc=2).limit == 2
    found = compare(PUBLIC, PUBLIC_PRINTED, along="failure", accuracy=0.05, vc=2)
    assert (found.verdict, found.limit) == ("same order", sympy.Rational(16, 257))


def test_maxima_are_compared_by_the_member_that_matters() -> None:
    given = {"failure": 0.05, "vc": 2, "epsilon": 1}
    assert compare(PUBLIC, PRIVATE_PRINTED, along="accuracy", **given).verdict == "first is of lower order"
    assert compare(PRIVATE_SAUER, PRIVATE_PRINTED, along="public", towards=None, accuracy=0.1, **given).verdict == (
        "first is of higher order"
    )


def test_slow_growth_that_the_numbers_do_not_show_is_undecided() -> None:
    slow = compare(
        one(sympy.log(sympy.log(10 + 1 / X))), one(sympy.Integer(1) + X * 0), along="x"
    )  # grows without end, by less than a tenth from 10^-512 to 10^-1024
    assert slow.verdict == "undecided"
    assert slow.limit == sympy.oo
    with pytest.raises(InvalidArgument, match="towards must be a border"):
        compare(PUBLIC, PUBLIC_PRINTED, along="accuracy", towards="0.7", failure=0.1, vc=1)


# --- errors ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alpha": 0.1, "failure": 0.1, "vc": 1}, "alpha is the paper's letter for 'accuracy'"),
        ({"acuracy": 0.1, "failure": 0.1, "vc": 1}, "did you mean 'accuracy'"),
        ({"accuracy": 1.1, "failure": 0.1, "vc": 1}, r"accuracy must be in \(0, 1\), got 1.1"),
        ({"accuracy": 0, "failure": 0.1, "vc": 1}, r"accuracy must be in \(0, 1\), got 0"),
        ({"accuracy": 0.1, "vc": 1}, "failure must be given"),
        ({"accuracy": 0.1}, "failure and vc must be given"),
        ({"accuracy": 0.1, "failure": 0.1, "vc": 1.5}, r"vc must be in the integers in \[1, inf\), got 1.5"),
        ({"accuracy": True, "failure": 0.1, "vc": 1}, "accuracy must be a number"),
        ({"accuracy": float("nan"), "failure": 0.1, "vc": 1}, "finite and of at most 4,300 digits, got nan"),
        ({"accuracy": "1e-999999999", "failure": 0.1, "vc": 1}, "at most 4,300 digits, got '1e-999999999'"),
        ({"accuracy": "a tenth", "failure": 0.1, "vc": 1}, "got 'a tenth'"),
        ({"accuracy": "1/0", "failure": 0.1, "vc": 1}, "got '1/0'"),
        ({"accuracy": 0.1, "failure": 0.1, "vc": 1, "public": 3}, "public must not be given"),
    ],
)
def test_errors_are_one_line_that_says_what_to_do(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        evaluate(PUBLIC, **given)
    assert "\n" not in str(caught.value)


def test_errors_of_solving() -> None:
    with pytest.raises(InvalidArgument, match="did you mean 'accuracy'"):
        solve(PUBLIC, for_="acuracy", public=3, failure=0.1, vc=1)
    with pytest.raises(InvalidArgument, match="public must be given to solve for accuracy"):
        solve(PUBLIC, for_="accuracy", failure=0.1, vc=1)
    with pytest.raises(InvalidArgument, match="accuracy must not be given"):
        solve(PUBLIC, for_="accuracy", accuracy=0.1, public=9, failure=0.1, vc=1)
    with pytest.raises(InvalidArgument, match="on which it does not depend"):
        solve(PUBLIC_NECESSARY, for_="failure", public=3, accuracy=0.01)


def test_a_bound_whose_parts_do_not_belong_together_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="domain must have a range of y"):
        one(symbol("y"))
    with pytest.raises(InvalidArgument, match="must not contain the size"):
        one(symbol("n"))
    with pytest.raises(InvalidArgument, match="degree 1 in x"):
        one(X, conditions=(sympy.Ge(X**2, 2),))
    with pytest.raises(InvalidArgument, match="conditions must be"):
        one(X, conditions=(sympy.Le(X, 2),))
    with pytest.raises(InvalidArgument, match="strict"):
        dataclasses.replace(one(X), strict=True)
    with pytest.raises(InvalidArgument, match="below 1/2"):
        best_slack(accuracy="0.6", failure=0.1, epsilon=1, bits=20)
