"""Measured sizes against formulas: what fits is compatible, what does not is refuted in fractions, never "proved"."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy

from dpcheck.model.errors import InvalidArgument
from dpcheck.utility import slopes as slopes_module
from dpcheck.utility.formulas import formula_of
from dpcheck.utility.slopes import MeasuredSize, compare_curve, compare_slopes, fitted_exponent
from tests.documents import check, our_schema, strict

A = sympy.Symbol("a")
X = [Fraction(2, 5), Fraction(1, 5), Fraction(1, 10), Fraction(1, 20), Fraction(1, 40)]


def around(law: Any, spread: float = 0.05) -> dict[str, Any]:
    """Intervals around a law at ``X``."""
    sizes = [float(law(float(x))) for x in X]
    return {"x": X, "y_low": [size * (1 - spread) for size in sizes], "y_high": [size * (1 + spread) for size in sizes]}


# --- verdicts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("power", [-2, -1, 1, 2])
def test_a_power_is_compatible_with_itself_and_with_no_other(power: int) -> None:
    given = around(lambda x: 7 * x**power)
    for other in (-2, -1, 0, 1, 2):
        found = compare_slopes(**given, model=A ** sympy.Integer(other) if other else sympy.Integer(3))
        assert found.verdict == ("compatible" if other == power else "not compatible")
    same = compare_slopes(**given, model=A**power)
    assert same.constants == (pytest.approx(7, rel=0.05),)
    low, high = same.excess
    assert -0.1 < low < 0 < high < 0.1
    # over a factor of 16 in x, ends 5% apart either way allow log(1.05 / 0.95) / log(16)
    assert high == pytest.approx(math.log(1.05 / 0.95) / math.log(16), rel=1e-3)


def test_lower_order_terms_belong_to_the_model() -> None:
    given = around(lambda x: 3 / x + 40)
    assert compare_slopes(**given, model=1 / A).verdict == "not compatible"
    assert compare_slopes(**given, model=3 / A + 40).verdict == "compatible"
    # with a constant for each term their ratio is free
    free = compare_slopes(**given, model=1 / A + 1, free="terms")
    assert free.verdict == "compatible"
    assert dict(zip(free.terms, free.constants, strict=True)) == {
        "1": pytest.approx(40, rel=0.3),
        "1/a": pytest.approx(3, rel=0.3),
    }
    # but not their sign: what falls short of a constant at the large end needs a negative one
    short = compare_slopes(**around(lambda x: 3 / x - 6, 0.01), model=1 / A + 1, free="terms")
    assert short.verdict == "not compatible"
    assert compare_slopes(**around(lambda x: 3 / x - 6, 0.01), model=1 / A - 2).verdict == "compatible"


def test_a_logarithm_is_told_from_a_constant() -> None:
    given = around(lambda x: 2 / x * math.log(9 / x))
    assert compare_slopes(**given, model=1 / A).verdict == "not compatible"
    assert compare_slopes(**given, model=sympy.log(9 / A) / A).verdict == "compatible"
    assert compare_slopes(**given, model=sympy.log(9 / A) / A, level=0.01).level == 0.01
    free = compare_slopes(**given, model=sympy.expand_log(sympy.log(1 / A), force=True) / A + 1 / A, free="terms")
    assert free.verdict == "compatible"


def test_the_factor_widens_the_intervals() -> None:
    given = around(lambda x: 1 / x)
    model = A ** Fraction(-4, 5)
    assert compare_slopes(**given, model=model).verdict == "not compatible"
    found = compare_slopes(**given, model=model, factor=Fraction(3, 2))
    assert found.verdict == "compatible"
    assert compare_slopes(**given, model=A**-2, factor=1.5).verdict == "not compatible"
    assert "widened by a factor of 1.5" in compare_slopes(**given, model=A**-2, factor=1.5).detail


def test_not_compatible_names_points_that_suffice() -> None:
    found = compare_slopes(**around(lambda x: 1 / x), model=A**-2, level=1e-3)
    left, right = found.against
    pair = {"x": [X[left], X[right]]} | {
        name: [around(lambda x: 1 / x)[name][left], around(lambda x: 1 / x)[name][right]]
        for name in ("y_low", "y_high")
    }
    assert compare_slopes(**pair, model=A**-2).verdict == "not compatible"
    assert "wrong with probability at most 0.001" in str(found)
    several = compare_slopes(**around(lambda x: 3 / x - 6, 0.01), model=1 / A + 1, free="terms")
    kept = {
        name: [column[place] for place in several.against] for name, column in around(lambda x: 3 / x - 6, 0.01).items()
    }
    assert compare_slopes(**kept, model=1 / A + 1, free="terms").verdict == "not compatible"


def test_exact_sizes_on_the_formula_are_compatible_and_next_to_it_are_not() -> None:
    sizes = [6 / x for x in X]
    assert compare_slopes(X, sizes, sizes, lambda x: 1 / x).verdict == "compatible"
    off = [*sizes[:-1], sizes[-1] * (1 + Fraction(1, 10**30))]
    assert compare_slopes(X, off, off, lambda x: 1 / x).verdict == "not compatible"
    # within the rounding of a float nothing is certain
    assert compare_slopes(X, off, off, lambda x: float(1 / x)).verdict == "undecided"


def test_too_few_points_are_undecided() -> None:
    one = compare_slopes([1], [3], [4], lambda x: x)
    assert (one.verdict, "too few points" in one.detail) == ("undecided", True)
    two = compare_slopes([1, 2], [3, 5], [4, 7], lambda x: (x, 1), free="terms")
    assert (two.verdict, "too few points" in two.detail) == ("undecided", True)
    close = compare_slopes([1, 1.1, 1.2], [3, 3, 3], [5, 5, 5], lambda x: x)
    assert close.verdict == "undecided"
    assert "would pass as well" in close.detail
    assert compare_slopes([1, 1.1, 1.2], [3, 3, 3], [5, 5, 5], lambda x: x, widest=8).verdict == "compatible"
    twice = compare_slopes([1, 1, 2, 2], [3, 3, 5, 5], [4, 4, 7, 7], lambda x: (x, 1), free="terms")
    assert (twice.verdict, "too few points: 2" in twice.detail) == ("undecided", True)
    again = compare_slopes([2, 2, 2], [3, 3, 3], [5, 5, 5], lambda x: x)
    assert (again.verdict, again.excess) == ("undecided", None)


def test_open_ends_still_refute_but_alone_say_nothing() -> None:
    falling = compare_slopes([1, 10], [50, None], [None, 20], lambda x: x)
    assert falling.verdict == "not compatible"
    assert falling.against == (0, 1)
    assert compare_slopes([1, 10], [50, 60], [math.inf, None], lambda x: x).verdict == "undecided"
    assert compare_slopes([1, 10, 100], [0, 0, 0], [5, 5, 5], lambda x: x).verdict == "undecided"


def test_it_never_says_proved() -> None:
    for spread, free in itertools.product((0.0, 0.1, 0.5), ("scale", "terms")):
        found = compare_slopes(**around(lambda x: 1 / x, spread), model=1 / A + 1, free=free)
        assert found.verdict in ("compatible", "not compatible", "undecided")
        assert "prove" not in str(found)


class WithoutLowerOrder(slopes_module._Problem):
    """A mistake: the formula is taken to be its leading term."""

    def __init__(self, points, values, factor) -> None:
        super().__init__(points, [(max(found, key=float),) for found in values], factor)


def test_leaving_out_the_lower_order_terms_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    given = around(lambda x: 3 / x + 40)
    formula = {"model": lambda x: (3 / x, 40), "free": "terms"}
    assert compare_slopes(**given, **formula).verdict == "compatible"
    monkeypatch.setattr(slopes_module, "_Problem", WithoutLowerOrder)
    assert compare_slopes(**given, **formula).verdict == "not compatible"


def test_a_certificate_that_is_none_is_not_believed() -> None:
    given = around(lambda x: 3 / x + 40)
    points = tuple(
        MeasuredSize(x, Fraction(low), Fraction(high))
        for x, low, high in zip(given["x"], given["y_low"], given["y_high"], strict=True)
    )
    formula = formula_of(1 / A + 1, variable=None, settings={}, terms=True)
    problem = slopes_module._Problem(points, [formula.at(x) for x in X], Fraction(1))
    weights = np.random.default_rng(0).random((200, 2, 5))
    assert not any(problem.refuted(lower, upper) for lower, upper in weights)
    assert not problem.passes((Fraction(0), Fraction(0)))
    assert not problem.passes((Fraction(100), Fraction(0)))
    assert problem.passes((Fraction(40), Fraction(3)))


# --- models ----------------------------------------------------------------------------------------------------------


def test_a_bound_of_a_theorem_is_a_model() -> None:
    from dpcheck.papers.alon2019.theorems.bounds import COVER_PUBLIC
    from dpcheck.proof.bounds import evaluate

    sizes = [evaluate(COVER_PUBLIC, accuracy=x, failure="0.05", vc=1) for x in X]
    found = compare_slopes(
        X,
        [size - 1 for size in sizes],
        sizes,
        COVER_PUBLIC,
        variable="accuracy",
        settings={"failure": 0.05, "vc": 1, "another": 3},
    )
    assert found.verdict == "compatible"
    assert found.constants == (pytest.approx(1, rel=1e-3),)


@pytest.mark.parametrize(
    "expression",
    [
        sympy.sqrt(A) + 1 / A**2,
        sympy.exp(-A) * sympy.log(9 / A) ** sympy.Rational(5, 2),
        sympy.Max(A, 1 / A) + sympy.Min(A, 2),
        sympy.ceiling(10 / A) + sympy.floor(A * 7) + 1,
        sympy.pi * A + sympy.E,
        A * 0.1 + sympy.Integer(2) ** A,
    ],
)
@pytest.mark.parametrize("at", [Fraction(1, 3), Fraction(7, 2)])
def test_enclosures_hold_the_value_and_are_narrow(expression: Any, at: Fraction) -> None:
    (found,) = formula_of(expression, variable=None, settings={}, terms=False).at(at)
    value = sympy.nsimplify(expression, rational=True).subs(A, sympy.Rational(at.numerator, at.denominator)).evalf(60)
    assert found.high - found.low <= abs(found.high) / 2**30
    near = Fraction(str(value))
    assert found.low - Fraction(1, 10**25) <= near <= found.high + Fraction(1, 10**25)


def test_a_jump_of_a_rounding_is_enclosed_on_both_sides() -> None:
    (found,) = formula_of(sympy.ceiling(10 * sympy.log(sympy.exp(A))), variable="a", settings={}, terms=False).at(
        Fraction(1, 10)
    )
    assert found.low <= 1 <= found.high


def test_terms_are_those_of_the_expanded_sum() -> None:
    b = sympy.Symbol("b")
    found = formula_of((1 + b / A) * A, variable="a", settings={"b": 3}, terms=True)
    assert found.names == ("3", "a")
    assert compare_slopes([1, 2, 3], [3, 4, 5], [5, 6, 7], lambda x: [x, 1, 0], free="terms").terms == (
        "<lambda>[0]",
        "<lambda>[1]",
        "<lambda>[2]",
    )


# --- what is shown beside it -----------------------------------------------------------------------------------------


def test_local_slopes_enclose_those_of_the_law() -> None:
    found = compare_slopes(**around(lambda x: 5 / x**2), model=A**-2)
    assert [(one.left, one.right) for one in found.local] == [(0.025, 0.05), (0.05, 0.1), (0.1, 0.2), (0.2, 0.4)]
    for one in found.local:
        assert one.low < -2 < one.high
        assert one.model == pytest.approx(-2)
    rough = compare_slopes([1, 2], [None, None], [4, None], lambda x: x).local[0]
    assert (rough.low, rough.high) == (-math.inf, math.inf)


def test_the_fitted_exponent_is_that_of_the_law_with_or_without_repetitions() -> None:
    noisy = [MeasuredSize(x, Fraction(9, 10) / x, Fraction(11, 10) / x * (1 + x)) for x in X]
    found = fitted_exponent(noisy, 0.95)
    assert found.low < found.exponent < found.high
    assert found.exponent == pytest.approx(-1, abs=0.1)
    wider = fitted_exponent(noisy, 0.999)
    assert wider.low < found.low < found.high < wider.high
    twice = fitted_exponent([*noisy, *noisy], 0.95)
    assert twice.exponent == pytest.approx(found.exponent)
    assert twice.points == 10
    # five points measured twice are five clusters: twice the sizes do not halve the squares of the errors
    assert twice.high - twice.low > 0.8 * (found.high - found.low)
    assert fitted_exponent(noisy[:2], 0.95) is None
    assert fitted_exponent([MeasuredSize(x, Fraction(0), Fraction(3)) for x in X], 0.95) is None


def test_what_is_written_fits_its_schema() -> None:
    for found in (
        compare_slopes(**around(lambda x: 1 / x), model=1 / A, level=0.01),
        compare_slopes(**around(lambda x: 1 / x), model=1 / A + 1, free="terms"),
        compare_slopes([1, 2], [None, 3], [4, None], lambda x: x),
    ):
        document = strict(found.to_json())
        check(our_schema("dpcheck-slopes/1"), document)
        assert document["verdict"] == found.verdict
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(found)


@pytest.mark.turns(4)
def test_curves_are_compared_at_their_level() -> None:
    from dpcheck.utility.distributions import UniformGrid
    from dpcheck.utility.size_curves import size_curve

    class Needs:
        def __init__(self, size: int) -> None:
            self.size = size

        def __call__(self, dataset, rng):
            return 0 if len(dataset.y) < self.size**2 else 5

    curve = size_curve(
        Needs,
        UniformGrid(10, threshold=5),
        along="size",
        values=[2, 4, 8, 16],
        accuracy=0.25,
        failure=0.3,
        options={"size": lambda value: value},
        most=1024,
        octaves=0,
    )
    square = compare_curve(curve, lambda x: x**2)
    assert (square.verdict, square.level) == ("compatible", 1e-3)
    assert compare_curve(curve, lambda x: x).verdict == "not compatible"


# --- bad input -------------------------------------------------------------------------------------------------------

FINE: dict[str, Any] = {"x": [1, 2, 4], "y_low": [1, 2, 4], "y_high": [2, 3, 5], "model": A}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"x": [1, 2]}, "x, y_low and y_high must be of one length, at least 1, got 2, 3 and 3"),
        ({"x": [], "y_low": [], "y_high": []}, "of one length, at least 1"),
        ({"x": 3}, "x must be a sequence of numbers"),
        ({"x": [1, 0, 2]}, r"x\[1\] must be above 0"),
        ({"x": [1, "2", 2]}, r"x\[1\] must be a finite number"),
        ({"y_low": [1, 9, 4]}, r"y_low\[1\] must be at least 0 and at most y_high\[1\]"),
        ({"y_low": [-1, 2, 4]}, r"y_low\[0\] must be at least 0"),
        ({"y_low": [0, 2, 4], "y_high": [0, 3, 5]}, r"y_high\[0\] must be above 0"),
        ({"y_high": [2, math.nan, 5]}, r"y_high\[1\] must be a finite number"),
        ({"model": 3}, "model must be a sympy expression, a Bound or a callable, got 3"),
        ({"model": -A}, "model must be above 0 at each point, got -1 at 1"),
        ({"model": sympy.sin(A)}, "model must be made of sums, products, powers"),
        ({"model": sympy.log(A - 2)}, "model must have a value at a = 1"),
        ({"model": 1 / (A - 2)}, "model must have a value at a = 2"),
        ({"model": A * sympy.Symbol("b")}, "variable must name the symbol that varies"),
        ({"model": A * sympy.Symbol("b"), "variable": "a"}, "settings must give each symbol but 'a' a number"),
        ({"settings": {"a": 3}, "variable": "a"}, "settings must give each symbol but 'a' a number"),
        ({"model": lambda x: "1"}, "what the model returns must be finite numbers, got '1'"),
        ({"model": lambda x: [1] * int(x), "free": "terms"}, "model must return as many terms at each point"),
        ({"model": lambda x: x, "settings": {"b": 1}}, "settings are for the symbols of an expression"),
        ({"settings": 3}, "settings must be a mapping of symbols' names to numbers, got 3"),
        ({"free": "both"}, "free must be 'scale' or 'terms'"),
        ({"factor": 0.5}, "factor must be a number of at least 1"),
        ({"widest": 0}, "widest must be a number above 0"),
        ({"level": 1}, "level must be a number between 0 and 1"),
        ({"confidence": 1}, "confidence must be a number between 0 and 1"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said) as caught:
        compare_slopes(**{**FINE, **wrong})
    assert "\n" not in str(caught.value)
