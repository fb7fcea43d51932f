"""The explicit bounds against formulas written a second time, in mpmath, and inversion against evaluation."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcheck.papers.alon2019.theorems.bounds import BOUNDS
from dpcheck.proof.bounds import Bound, Enclosure, evaluate, solve, symbol, value_of
from dpcheck.proof.spans import Span, direction, enclose, point

DIGITS = 30
Values = Mapping[str, Fraction]
#: The precision of the second opinion: well above what is compared.
MP = mpmath.mp.clone() if hasattr(mpmath.mp, "clone") else mpmath.MPContext()
MP.dps = 60


def ln(value: Any) -> Any:
    return MP.log(value)


def two_to_the_information(a: Any, bits: Any) -> Any:
    """2 to the power (1 - H2(a)) bits, with the entropy as a logarithm of powers."""
    return (2 * a**a * (1 - a) ** (1 - a)) ** bits


#: Each bound once more, in the paper's letters and in another shape than there, so that a slip is not made twice.
REFERENCES: dict[str, Callable[..., Any]] = {
    "cover_failure": lambda n, d, a: MP.exp(ln(2) + 2 * d * (ln(2 * n) + 1 - ln(d)) - a * n / 4),
    "cover_public_tight": lambda n, d, a: MP.exp(ln(2) + 2 * d * (ln(2 * n) + 1 - ln(d)) - a * n / 4),
    "cover_public": lambda a, b, d: (16 * d * (ln(32) - ln(a)) + 8 * ln(2) - 8 * ln(b)) / a,
    "cover_public_printed": lambda a, b, d: -105 * ln(a**d * b) / a,
    "public": lambda a, b, d: (32 * d * (ln(64) - ln(a)) + 16 * ln(4) - 16 * ln(b)) / a,
    "public_printed": lambda a, b, d: -257 * ln(a**d * b) / a,
    "generic": lambda a, b, e, f: max(8 * (ln(4 * f) - ln(b)) / a / a, 4 * (ln(2 * f) - ln(b)) / e / a),
    "private": lambda a, b, e, c: max(32 * (ln(8 * c) - ln(b)) / a / a, 8 * (ln(4 * c) - ln(b)) / e / a),
    "private_sauer": lambda a, b, e, d, n: max(
        32 * ln(8 * (MP.e * n / d) ** d / b) / a / a, 8 * ln(4 * (MP.e * n / d) ** d / b) / e / a
    ),
    "private_printed": lambda a, b, e, d: -420 * ln(a**d * b) / a / min(a, e),
    "reduced": lambda n, m: n / (10 * m),
    "public_necessary": lambda a: 1 / (1600 * a),
    "public_necessary_pure": lambda a: 1 / (1600 * a),
    "proper_packing": lambda n, b, e: (ln(n - 2) + ln(1 / b - 1)) / e,
    "improper_packing": lambda a, b, e, bits, s: (
        (ln(two_to_the_information(a + s, bits) - 1) + ln(1 - b) - ln(-ln(s))) / e
    ),
    "composed": lambda n, a, e, points: 10 * n * (ln(15 * (points - 2)) / e - 1),
}
#: The arguments of each reference, in its order, under their names here.
NAMES = {
    "cover_failure": ("public", "vc", "accuracy"),
    "cover_public_tight": ("public", "vc", "accuracy"),
    "cover_public": ("accuracy", "failure", "vc"),
    "cover_public_printed": ("accuracy", "failure", "vc"),
    "public": ("accuracy", "failure", "vc"),
    "public_printed": ("accuracy", "failure", "vc"),
    "generic": ("accuracy", "failure", "epsilon", "hypotheses"),
    "private": ("accuracy", "failure", "epsilon", "cover"),
    "private_sauer": ("accuracy", "failure", "epsilon", "vc", "public"),
    "private_printed": ("accuracy", "failure", "epsilon", "vc"),
    "reduced": ("private", "public"),
    "public_necessary": ("accuracy",),
    "public_necessary_pure": ("accuracy",),
    "proper_packing": ("points", "failure", "epsilon"),
    "improper_packing": ("accuracy", "failure", "epsilon", "bits", "slack"),
    "composed": ("public", "accuracy", "epsilon", "points"),
}
VALUES: dict[str, tuple[str, ...]] = {
    "accuracy": ("1e-6", "0.001", "0.01", "0.05", "0.1", "0.5", "0.99"),
    "failure": ("1e-12", "0.05", "0.5", "0.999999"),
    "epsilon": ("0.001", "0.1", "7"),
    "vc": ("1", "3", "1000"),
    "public": ("1", "40", "8000", "123456"),
    "private": ("1", "1001", "1000000"),
    "cover": ("1", "2", "1000000000000"),
    "hypotheses": ("1", "17", "1000000000000"),
    "points": ("4", "1000", "1152921504606846976"),
    "bits": ("1", "20", "60"),
    "slack": ("0.0001", "0.003", "0.0625", "0.4"),
}
RANDOM: dict[str, st.SearchStrategy[Fraction]] = {
    "accuracy": st.floats(1e-9, 0.999).map(lambda x: Fraction(repr(x))),
    "failure": st.floats(1e-30, 0.999).map(lambda x: Fraction(repr(x))),
    "epsilon": st.floats(1e-6, 50).map(lambda x: Fraction(repr(x))),
    "slack": st.floats(1e-9, 0.45).map(lambda x: Fraction(repr(x))),
    "points": st.integers(4, 2**70).map(Fraction),
    "bits": st.integers(1, 200).map(Fraction),
    "vc": st.integers(1, 10**4).map(Fraction),
    **{name: st.integers(1, 10**12).map(Fraction) for name in ("public", "private", "cover", "hypotheses")},
}


def inside(bound: Bound, values: Values) -> bool:
    box = {name: point(value) for name, value in values.items()}
    met = all(
        (enclose(c.lhs - c.rhs, box).low > 0) or (isinstance(c, sympy.Ge) and enclose(c.lhs - c.rhs, box).low == 0)
        for c in bound.conditions
    )
    # A probability bound of exp(-10^9) has too many digits to be written out.
    small = bound.size != "failure" or values["public"] * values["accuracy"] < 10**4
    return met and small and all(value in bound.domain[name] for name, value in values.items())


def disagreements(name: str, bound: Bound, points: Iterable[Values]) -> list[str]:
    """Where a bound and its reference differ, in the enclosed value or in the integer that suffices."""
    found = []
    for values in points:
        expected = REFERENCES[name](*(MP.mpf(v.numerator) / v.denominator for v in (values[n] for n in NAMES[name])))
        value = value_of(bound, digits=DIGITS, **values)
        middle = MP.mpf(value.low.numerator) / value.low.denominator
        if abs(middle - expected) > abs(expected) * MP.mpf(10) ** -(DIGITS - 2):
            found.append(f"{dict(values)}: {middle}, not {expected}")
        elif bound.sense == "sufficient" and bound.domain[bound.size].integer:
            size, least = evaluate(bound, **values), max(int(MP.ceil(expected)), 1)
            if size != least:
                found.append(f"{dict(values)}: {size}, not {least}")
    return found


def grid(name: str) -> list[Values]:
    rows = (
        dict(zip(NAMES[name], map(Fraction, row), strict=True))
        for row in itertools.product(*(VALUES[n] for n in NAMES[name]))
    )
    return [row for row in rows if inside(BOUNDS[name], row)]


def test_every_bound_has_a_reference_of_its_own() -> None:
    assert set(REFERENCES) == set(NAMES) == set(BOUNDS)
    for name, bound in BOUNDS.items():
        assert {free.name for free in bound.expression.free_symbols} <= set(NAMES[name])


@pytest.mark.some(3)
@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_agree_with_their_references_on_a_grid(name: str) -> None:
    points = grid(name)
    assert len(points) >= 4
    assert disagreements(name, BOUNDS[name], points[:: max(1, len(points) // 120)]) == []


@pytest.mark.turns(4)
@pytest.mark.parametrize("name", BOUNDS)
@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_bounds_agree_with_their_references_anywhere(name: str, data: st.DataObject) -> None:
    values = data.draw(drawn(name))
    assume(inside(BOUNDS[name], values))
    assert disagreements(name, BOUNDS[name], [values]) == []


def nudged(name: str, values: dict[str, Fraction]) -> dict[str, Fraction]:
    """The values moved into the bound's domain where that takes one step, so that few are thrown away."""
    bound = BOUNDS[name]
    high = bound.domain["accuracy"].high if "accuracy" in bound.domain else None
    if "accuracy" in values and high is not None and values["accuracy"] >= high:
        values["accuracy"] /= 64
    if name == "improper_packing":
        values |= {"accuracy": values["accuracy"] / 3, "slack": values["slack"] / 3}
    if name == "composed":
        values["public"] = Fraction(max(1, int(values["public"]) % 100))
        values["accuracy"] /= 10**4
    if name.startswith("cover_") and "public" in values:
        values["public"] = Fraction(math.ceil(8 * values["vc"] / values["accuracy"]) + int(values["public"]) % 1000)
    return values


def drawn(name: str) -> st.SearchStrategy[dict[str, Fraction]]:
    return st.fixed_dictionaries({each: RANDOM[each] for each in NAMES[name]}).map(lambda row: nudged(name, row))


ALPHA, BETA, VC = symbol("accuracy"), symbol("failure"), symbol("vc")


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("cover_public", 8 / ALPHA * (2 * VC * sympy.log(16 / ALPHA) + sympy.log(2 / BETA))),
        ("cover_public", 7 / ALPHA * (2 * VC * sympy.log(32 / ALPHA) + sympy.log(2 / BETA))),
        ("cover_public_printed", 104 * (VC * sympy.log(1 / ALPHA) + sympy.log(1 / BETA)) / ALPHA),
        ("public", BOUNDS["public"].expression + sympy.Rational(1, 10**20)),
        ("private", sympy.Add(*BOUNDS["private"].expression.args)),
        ("private", sympy.Min(*BOUNDS["private"].expression.args)),
        ("public_necessary", 1 / (1000 * ALPHA)),
        ("improper_packing", BOUNDS["improper_packing"].expression.subs(symbol("slack"), symbol("slack") / 2)),
        ("reduced", sympy.floor(BOUNDS["reduced"].expression)),
    ],
)
def test_a_wrong_expression_is_caught_by_the_same_comparison(name: str, wrong: Any) -> None:
    points = grid(name)
    bound = dataclasses.replace(BOUNDS[name], expression=wrong)
    assert disagreements(name, bound, points[:: max(1, len(points) // 40)]) != []


# --- inversion ---------------------------------------------------------------------------------------------------

#: Which variables a bound is solved for, and whether its expression grows (1) or falls (-1) with each.
SOLVABLE = [
    ("cover_public", "accuracy", -1),
    ("cover_public", "failure", -1),
    ("cover_public", "vc", 1),
    ("cover_public_printed", "accuracy", -1),
    ("public", "accuracy", -1),
    ("generic", "epsilon", -1),
    ("generic", "hypotheses", 1),
    ("private", "cover", 1),
    ("private_sauer", "accuracy", -1),
    ("private_sauer", "vc", 1),
    ("private_sauer", "public", 1),
    ("private_printed", "accuracy", -1),
    ("private_printed", "vc", 1),
    ("reduced", "private", 1),
    ("reduced", "public", -1),
    ("public_necessary", "accuracy", -1),
    ("proper_packing", "points", 1),
    ("proper_packing", "epsilon", -1),
    ("improper_packing", "bits", 1),
    ("cover_public_tight", "public", -1),
    ("cover_public_tight", "vc", 1),
    ("composed", "public", 1),
]


@pytest.mark.some(4)
@pytest.mark.parametrize(("name", "variable", "trend"), SOLVABLE)
@settings(deadline=None, max_examples=6)
@given(data=st.data())
def test_solving_inverts_evaluating(name: str, variable: str, trend: int, data: st.DataObject) -> None:
    """From values to the size, and back: the value found meets the bound, and just beyond it none does."""
    bound = BOUNDS[name]
    values = data.draw(drawn(name))
    assume(inside(bound, values))
    asked = value_of(bound, **values).high
    size = Fraction(math.ceil(asked)) if bound.domain[bound.size].integer else asked
    assume(size in bound.domain[bound.size])
    others = {each: value for each, value in values.items() if each != variable}
    found = solve(bound, for_=variable, **{bound.size: size}, **others)

    def meets(value: Fraction) -> bool:
        return value_of(bound, digits=40, **others, **{variable: value}).high <= size

    if isinstance(found, Enclosure):
        met, unmet = (found.high, found.low) if trend < 0 else (found.low, found.high)
        assert meets(met)
        assert met == unmet or not meets(unmet)
        assert trend * (values[variable] - unmet) <= 0
    else:
        assert meets(Fraction(found))
        assert trend * (values[variable] - found) <= 0
        beyond = Fraction(found + trend)
        if inside(bound, {**others, variable: beyond}):
            assert not meets(beyond)


@settings(deadline=None, max_examples=40)
@given(
    st.integers(-5, 5),
    st.integers(-5, 5),
    st.integers(-3, 3),
    st.fractions(Fraction(1, 20), 20, max_denominator=50),
    st.fractions(Fraction(1, 20), 20, max_denominator=50),
)
def test_a_direction_that_is_shown_is_true(a: int, b: int, power: int, one: Fraction, other: Fraction) -> None:
    """A function shown to grow between two places is no smaller at the larger one."""
    x = symbol("x")
    expression = a * sympy.log(x) + b * x**power + sympy.exp(-x) * x
    low, high = sorted((one, other))
    shown = direction(expression, "x", {"x": Span(low, high)})
    if shown is not None and low < high:
        values = [
            MP.mpf(sympy.N(expression.subs(x, sympy.Rational(v.numerator, v.denominator)), 40)) for v in (low, high)
        ]
        assert shown * (values[1] - values[0]) >= -(MP.mpf(10) ** -30)
