"""Statements that are true or false by construction, for the prover; and mutants of statements that are proved.

A template gives a claim with a threshold: it holds exactly when a parameter is on one side of a number that is known
(by hand, exactly). From it come four kinds of statements: ``true`` with room, ``tight`` (true with equality somewhere:
inside, at a corner, at an integer or at infinity), ``false``, and ``narrow``, false by one millionth or by nothing but
strictness.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Literal

import numpy as np

from dpcheck.model.errors import DpcheckError
from dpcheck.proof.lemmas import LEMMAS
from dpcheck.proof.prover.checker import CheckFailed, check_proof, check_refutation
from dpcheck.proof.prover.decide import Answer, decide
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.prover.language import parse_formula
from dpcheck.proof.prover.sampling import refute
from dpcheck.proof.registry import Registry
from dpcheck.proof.status import Status, claims_of

Rng = np.random.Generator
Kind = Literal["true", "tight", "false", "narrow"]
KINDS: tuple[Kind, ...] = ("true", "tight", "false", "narrow")
HAIR = Fraction(1, 1_000_000)


@dataclass(frozen=True)
class Bound:
    """A claim with ``{t}`` in it that holds just when t is at least (at most, for ``up=False``) ``best``, above 0.

    ``strict`` says when the strict claim holds: "loose", with room; "always", at ``best`` too (nothing attains it);
    "never" (there is a point of equality for every t).
    """

    variables: str
    claim: str
    best: Fraction | int | str
    up: bool = True
    strict: Literal["loose", "always", "never"] = "loose"
    assume: str = ""

    def formula(self, kind: Kind, rng: Rng) -> Formula:
        factor, strictly = Fraction(1), False
        margin = Fraction(1, int(rng.choice([1000, 100, 10, 2])))
        if kind == "true":
            factor = 1 + margin if self.up else 1 / (1 + margin)
            strictly = self.strict != "never" and rng.random() < 0.5
        elif kind == "tight":
            strictly = self.strict == "always" and rng.random() < 0.5
        elif kind == "false":
            factor = 1 / (1 + margin) if self.up else 1 + margin
            strictly = rng.random() < 0.3
        elif self.strict != "always" and rng.random() < 0.3:
            strictly = True
        else:
            factor = 1 - HAIR if self.up else 1 + HAIR
        if isinstance(self.best, str):
            t = f"({self.best})" if factor == 1 else f"({factor})*({self.best})"
        else:
            t = f"({self.best * factor})"
        claim = self.claim.replace("{t}", t)
        if strictly:
            claim = claim.replace("<=", "<").replace(">=", ">")
        return Formula(self.variables, self.assume, claim)


@dataclass(frozen=True)
class Given:
    """A statement of each kind, written out."""

    true: tuple[str, str, str]
    tight: tuple[str, str, str]
    false: tuple[str, str, str]
    narrow: tuple[str, str, str]

    def formula(self, kind: Kind, rng: Rng) -> Formula:
        return Formula(*getattr(self, kind))


@dataclass(frozen=True)
class Statement:
    family: str
    kind: Kind
    formula: Formula

    @property
    def holds(self) -> bool:
        return self.kind in ("true", "tight")


Maker = Callable[[Rng], Bound | Given]
FAMILIES: dict[str, list[Maker]] = {}


def family(name: str) -> Callable[[Maker], Maker]:
    def keep(maker: Maker) -> Maker:
        FAMILIES.setdefault(name, []).append(maker)
        return maker

    return keep


def some(rng: Rng, low: int = 1, high: int = 6, below: int = 5) -> Fraction:
    """A rational number between ``low`` and ``high``, of a small denominator."""
    bottom = int(rng.integers(1, below + 1))
    return Fraction(int(rng.integers(low * bottom, high * bottom + 1)), bottom)


def whole(rng: Rng, low: int, high: int) -> int:
    return int(rng.integers(low, high + 1))


def either(rng: Rng) -> bool:
    return bool(rng.random() < 0.5)


# polynomials


@family("parabolas")
def parabola(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    return Bound(f"x in [0, {b}]", f"{a}*x*({b} - x) <= {{t}}", a * b * b / 4)


@family("parabolas")
def vertex(rng: Rng) -> Bound:
    a, b, m = some(rng), some(rng), some(rng)
    domain = "(-inf, inf)" if either(rng) else f"[{b - 1}, inf)"
    return Bound(f"x in {domain}", f"{a}*x^2 - {2 * a * b}*x + {a * b * b + m} >= {{t}}", m, up=False)


@family("parabolas")
def edge_of_a_parabola(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    opened = either(rng)
    domain = f"{'(' if opened else '['}{b}, inf)"
    return Bound(f"x in {domain}", f"x^2 + {a}*x >= {{t}}", b * b + a * b, False, "always" if opened else "loose")


@family("sums of squares")
def two_squares(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    closed = either(rng)
    domain = "(-inf, inf)" if closed else "(0, inf)"
    return Bound(
        f"x in {domain}; y in {domain}",
        f"{a * a}*x^2 + {b * b}*y^2 >= {{t}}*x*y",
        2 * a * b,
        False,
        "never" if closed else "loose",
    )


@family("sums of squares")
def bowl(rng: Rng) -> Bound:
    p, q, m, a = some(rng), some(rng), some(rng), some(rng)
    # (x - p)^2 + a (y - q)^2 + m
    text = f"x^2 - {2 * p}*x + {a}*y^2 - {2 * a * q}*y + {p * p + a * q * q + m} >= {{t}}"
    return Bound("x in (-inf, inf); y in (-inf, inf)", text, m, False)


@family("sums of squares")
def quartic(rng: Rng) -> Bound:
    a = some(rng)
    domain = "(-inf, inf)" if either(rng) else "[0, inf)"
    return Bound(f"x in {domain}", f"x^4 + {a * a} >= {{t}}*x^2", 2 * a, False)


@family("sums of squares")
def three_products(rng: Rng) -> Bound:
    domain = "x in (-inf, inf); y in (-inf, inf); z in (-inf, inf)"
    return Bound(domain, "x^2 + y^2 + z^2 >= {t}*(x*y + y*z + z*x)", 1, False, "never")


@family("sums of squares")
def cauchy_schwarz(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    return Bound(
        "x in [0, inf); y in [0, inf)", f"({a}*x + {b}*y)^2 <= {{t}}*(x^2 + y^2)", a * a + b * b, strict="never"
    )


@family("means")
def two_means(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in [0, inf); y in [0, inf)", f"{a}*x*y <= {{t}}*(x + y)^2", a / 4, strict="never")


@family("means")
def three_means(rng: Rng) -> Bound:
    return Bound("x in (0, inf); y in (0, inf); z in (0, inf)", "x*y*z <= {t}*(x + y + z)^3", Fraction(1, 27))


@family("means")
def roots_of_products(rng: Rng) -> Bound:
    return Bound("x in [0, inf); y in [0, inf)", "sqrt(x*y) <= {t}*(x + y)", Fraction(1, 2), strict="never")


@family("means")
def weighted_means(rng: Rng) -> Bound:
    w = Fraction(whole(rng, 1, 4), 5)
    return Bound("x in (0, inf); y in (0, inf)", f"x^({w})*y^({1 - w}) <= {{t}}*({w}*x + {1 - w}*y)", 1)


@family("means")
def young(rng: Rng) -> Bound:
    s = some(rng)
    return Bound("x in [0, inf); y in [0, inf)", f"x*y <= {s / 2}*x^2 + {{t}}*y^2", 1 / (2 * s), strict="never")


@family("means")
def number_and_inverse(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    return Bound("x in (0, inf)", f"{a * a}*x + {b * b}/x >= {{t}}", 2 * a * b, False)


@family("products of powers")
def peak(rng: Rng) -> Bound:
    a, b = whole(rng, 1, 4), whole(rng, 1, 4)
    return Bound("x in [0, 1]", f"x^{a}*(1 - x)^{b} <= {{t}}", Fraction(a**a * b**b, (a + b) ** (a + b)))


@family("products of powers")
def one_success(rng: Rng) -> Bound:
    return Bound("p in [0, 1]; n in Z[1, inf)", "n*p*(1 - p)^(n - 1) <= {t}", 1)


@family("products of powers")
def central_term(rng: Rng) -> Bound:
    k = whole(rng, 1, 3)
    best = Fraction(int(np.prod(range(k + 1, 2 * k + 1))), int(np.prod(range(1, k + 1)))) / 4**k
    return Bound("p in [0, 1]", f"binom({2 * k}, {k})*p^{k}*(1 - p)^{k} <= {{t}}", best)


# exponentials and logarithms


@family("tangents")
def falling_exponential(rng: Rng) -> Bound:
    a, opened = some(rng), either(rng)
    domain = f"{'(' if opened else '['}0, {'inf)' if either(rng) else '2]'}"
    return Bound(f"x in {domain}", f"exp(-{a}*x) >= 1 - {{t}}*x", a, strict="always" if opened else "never")


@family("tangents")
def rising_exponential(rng: Rng) -> Bound:
    a, opened = some(rng), either(rng)
    return Bound(
        f"x in {'(' if opened else '['}0, inf)", f"exp({a}*x) >= 1 + {{t}}*x", a, False, "always" if opened else "never"
    )


@family("tangents")
def logarithm(rng: Rng) -> Bound:
    a, opened = some(rng), either(rng)
    return Bound(
        f"x in {'(' if opened else '['}0, inf)", f"log(1 + {a}*x) <= {{t}}*x", a, True, "always" if opened else "never"
    )


@family("tangents")
def everywhere(rng: Rng) -> Bound:
    a, m = some(rng), some(rng)
    return Bound("x in (-inf, inf)", f"exp({a}*x) + {m} >= {a}*x + {{t}}", 1 + m, False)


@family("tangents")
def line_through_0(rng: Rng) -> Bound:
    return Bound("x in (-inf, inf)", "exp(x) >= {t}*x", "e", False)


@family("tangents")
def logarithm_of_x(rng: Rng) -> Bound:
    c = some(rng)
    return Bound("x in (0, inf)", f"log(x) - log({c}) + 2 <= x/({c}) + {{t}}", 1)


@family("chords")
def chord_of_log(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    return Bound(f"x in [0, {b}]", f"log(1 + {a}*x) >= {{t}}*x", f"log({1 + a * b})/({b})", False, "never")


@family("chords")
def chord_of_exp(rng: Rng) -> Bound:
    b = some(rng, 1, 3)
    return Bound(f"x in [0, {b}]", "exp(x) <= 1 + {t}*x", f"(exp({b}) - 1)/({b})", True, "never")


@family("chords")
def chord_of_falling_exp(rng: Rng) -> Bound:
    b = some(rng, 1, 3)
    return Bound(f"x in [0, {b}]", "1 - exp(-x) >= {t}*x", f"(1 - exp(-({b})))/({b})", False, "never")


@family("second order")
def exp_above_square(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in [0, inf)", f"exp({a}*x) >= 1 + {a}*x + {{t}}*x^2", a * a / 2, False, "never")


@family("second order")
def exp_below_square(rng: Rng) -> Bound:
    b = some(rng, 1, 2)
    return Bound(f"x in (0, {b}]", "exp(x) <= 1 + x + {t}*x^2", f"(exp({b}) - 1 - {b})/({b * b})")


@family("second order")
def log_below_square(rng: Rng) -> Bound:
    opened = either(rng)
    strict: Literal["always", "never"] = "always" if opened else "never"
    return Bound(f"x in {'(' if opened else '['}0, inf)", "log(1 + x) >= x - {t}*x^2", Fraction(1, 2), True, strict)


@family("second order")
def cosh(rng: Rng) -> Bound:
    domain = "(-inf, inf)" if either(rng) else "[0, inf)"
    return Bound(f"x in {domain}", "exp(x) + exp(-x) <= 2*exp({t}*x^2)", Fraction(1, 2), True, "never")


@family("second order")
def tanh(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in (0, inf)", f"(exp({a}*x) - 1)/(exp({a}*x) + 1) <= {{t}}*x", a / 2, strict="always")


@family("second order")
def log_and_pade(rng: Rng) -> Bound:
    if either(rng):
        return Bound("x in (1, inf)", "log(x) >= {t}*(x - 1)/(x + 1)", 2, False, "always")
    return Bound("x in (1, inf)", "log(x) <= {t}*(x - 1/x)", Fraction(1, 2), True, "always")


@family("peaks of exponentials")
def gamma_density(rng: Rng) -> Bound:
    a, k = some(rng), whole(rng, 1, 3)
    power = "x" if k == 1 else f"x^{k}"
    return Bound("x in [0, inf)", f"{power}*exp(-{a}*x) <= {{t}}", f"({Fraction(k) / a})^{k}/e^{k}")


@family("peaks of exponentials")
def entropy_of_one(rng: Rng) -> Bound:
    return Bound("x in (0, 1]", "x*log(1/x) <= {t}", "1/e")


@family("peaks of exponentials")
def entropy(rng: Rng) -> Bound:
    return Bound("x in (0, 1)", "x*log(1/x) + (1 - x)*log(1/(1 - x)) <= {t}", "log(2)")


@family("peaks of exponentials")
def log_over_x(rng: Rng) -> Bound:
    return Bound("x in (0, inf)", "log(x)/x <= {t}", "1/e")


# powers


@family("sums over an index")
def arithmetic_sum(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    return Bound("n in Z[1, inf)", f"sum(i, 1, n, {a}*i + {b}) <= {{t}}*n^2", a + b)


@family("sums over an index")
def constant_terms(rng: Rng) -> Bound:
    low = whole(rng, -3, 3)
    variables = f"n in Z[{low - 1}, inf); c in [0, inf)"
    return Bound(variables, f"sum(i, {low}, n, c) <= {{t}}*c*(n - {low} + 1)", 1, strict="never")


@family("sums over an index")
def geometric_sum(rng: Rng) -> Bound:
    r = Fraction(1, whole(rng, 2, 5))
    return Bound("n in Z[0, inf)", f"sum(i, 0, n, ({r})^i) <= {{t}} - ({r})^(n + 1)/(1 - {r})", 1 / (1 - r))


@family("sums over an index")
def square_numbers(rng: Rng) -> Bound:
    return Bound("n in Z[1, inf)", "sum(i, 1, n, i^2) >= {t}*n^3", Fraction(1, 3), up=False, strict="always")


@family("products over an index")
def telescope(rng: Rng) -> Bound:
    k = whole(rng, 1, 5)
    return Bound("n in Z[0, inf)", f"prod(i, {k}, n, 1 + 1/i) <= {{t}}*max(1, (n + 1)/{k})", 1, strict="never")


@family("products over an index")
def no_success(rng: Rng) -> Bound:
    return Bound("n in Z[0, inf); p in [0, 1]", "prod(i, 1, n, 1 - p) >= 1 - {t}*n*p", 1, strict="never")


@family("products over an index")
def ascending(rng: Rng) -> Bound:
    k = whole(rng, 1, 3)
    return Bound("n in Z[1, inf)", f"prod(i, 1, n, i + {k}) >= {{t}}*fact(n)", k + 1, up=False)


@family("Bernoulli")
def bernoulli(rng: Rng) -> Bound:
    a, opened = some(rng, 1, 5) + Fraction(1, 3), either(rng)
    return Bound(
        f"x in {'(' if opened else '['}0, inf)",
        f"(1 + x)^({a}) >= 1 + {{t}}*x",
        a,
        False,
        "always" if opened else "never",
    )


@family("Bernoulli")
def concave_bernoulli(rng: Rng) -> Bound:
    a = Fraction(whole(rng, 1, 6), 7)
    return Bound("x in [0, inf)", f"(1 + x)^({a}) <= 1 + {{t}}*x", a, True, "never")


@family("Bernoulli")
def integer_bernoulli(rng: Rng) -> Bound:
    return Bound("x in [0, inf); n in Z[1, inf)", "(1 + x)^n >= 1 + {t}*n*x", 1, False, "never")


@family("Bernoulli")
def failures(rng: Rng) -> Bound:
    opened = either(rng)
    domain = "(0, 1)" if opened else "[0, 1]"
    claim = "1 - (1 - p)^n <= {t}*n*p" if either(rng) else "(1 - p)^n >= 1 - {t}*n*p"
    return Bound(f"p in {domain}; n in Z[1, inf)", claim, 1, True, "loose" if opened else "never")


@family("Bernoulli")
def powers_below_exponentials(rng: Rng) -> Bound:
    return Bound("p in [0, 1); n in Z[1, inf)", "(1 - p)^n <= {t}*exp(-n*p)", 1)


@family("powers of n")
def limit_of_one_minus(rng: Rng) -> Bound:
    low = whole(rng, 1, 3)
    return Bound(f"n in Z[{low}, inf)", "(1 - 1/n)^n <= {t}", "1/e", True, "always")


@family("powers of n")
def first_of_one_minus(rng: Rng) -> Bound:
    low = whole(rng, 2, 5)
    return Bound(f"n in Z[{low}, inf)", "(1 - 1/n)^n >= {t}", (1 - Fraction(1, low)) ** low, False)


@family("powers of n")
def limit_of_one_plus(rng: Rng) -> Bound:
    a = some(rng, 1, 3)
    return Bound("n in Z[1, inf)", f"(1 + {a}/n)^n <= {{t}}", f"exp({a})", True, "always")


@family("powers of n")
def first_of_one_plus(rng: Rng) -> Bound:
    low = whole(rng, 1, 4)
    return Bound(f"n in Z[{low}, inf)", "(1 + 1/n)^n >= {t}", (1 + Fraction(1, low)) ** low, False)


@family("powers of n")
def geometric(rng: Rng) -> Bound:
    a = Fraction(1, whole(rng, 2, 5))
    return Bound("n in Z[0, inf)", f"(1 - ({a})^(n + 1))/(1 - {a}) <= {{t}}", 1 / (1 - a), True, "always")


@family("powers of n")
def log_of_powers(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("n in Z[1, inf)", f"n*log(1 + {a}/n) <= {{t}}", a, True, "always")


# ratios, and contact at infinity


@family("ratios")
def linear_fraction(rng: Rng) -> Bound:
    a, b, c, d = some(rng), some(rng), some(rng), some(rng)
    if a * d == b * c:
        a += 1
    rising = a * d > b * c
    return Bound(
        "x in [0, inf)", f"({a}*x + {b})/({c}*x + {d}) <= {{t}}", a / c if rising else b / d, True,
        "always" if rising else "loose",
    )  # fmt: skip


@family("ratios")
def square_fraction(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in [0, inf)", f"x/(x^2 + {a * a}) <= {{t}}", 1 / (2 * a))


@family("ratios")
def two_shares(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in (0, inf); y in (0, inf)", f"{a}*x/(x + y) <= {{t}}", a, True, "always")


@family("ratios")
def increasing_share(rng: Rng) -> Bound:
    # (x + z)/(y + z) >= x/y for x <= y
    return Bound(
        "x in (0, inf); y in (0, inf); z in [0, inf)", "(x + z)/(y + z) >= {t}*x/y", 1, False, "never", "x <= y"
    )


@family("contact at infinity")
def log_ratio(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in (0, inf)", f"x*log(1 + {a}/x) <= {{t}}", a, True, "always")


@family("contact at infinity")
def log_ratio_below(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in (0, inf)", f"log(x + {a}) - log(x) >= {{t}}/(x + {a})", a, False, "always")


@family("contact at infinity")
def exp_ratio(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in [1, inf)", f"x*(exp({a}/x) - 1) >= {{t}}", a, False, "always")


@family("contact at infinity")
def hyperbola(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in [1, inf)", f"sqrt(x^2 + {a}) >= {{t}}*x", 1, False, "always")


@family("contact at infinity")
def difference_of_roots(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in [1, inf)", f"sqrt(x + {a}) - sqrt(x) <= {{t}}/sqrt(x)", a / 2, True, "always")


@family("contact at infinity")
def saturation(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in (-inf, inf)", f"exp(x)/({a} + exp(x)) <= {{t}}", 1, True, "always")


# roots, absolute values, maxima


@family("roots")
def root_of_sum(rng: Rng) -> Bound:
    return Bound("x in [0, inf); y in [0, inf)", "sqrt(x + y) <= {t}*(sqrt(x) + sqrt(y))", 1, True, "never")


@family("roots")
def sum_of_roots(rng: Rng) -> Bound:
    return Bound("x in [0, inf); y in [0, inf)", "sqrt(x) + sqrt(y) <= {t}*sqrt(x + y)", "sqrt(2)", True, "never")


@family("roots")
def norm(rng: Rng) -> Bound:
    return Bound("x in [0, inf); y in [0, inf)", "sqrt(x^2 + y^2) <= {t}*(x + y)", 1, True, "never")


@family("roots")
def tangent_of_root(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in (0, inf)", f"sqrt(1 + {a}*x) <= 1 + {{t}}*x", a / 2, True, "always")


@family("roots")
def root_above_chord(rng: Rng) -> Bound:
    b = some(rng)
    return Bound(f"x in [0, {b * b}]", "sqrt(x) >= {t}*x", 1 / b, False, "never")


@family("absolute values")
def triangle(rng: Rng) -> Bound:
    return Bound("x in (-inf, inf); y in (-inf, inf)", "abs(x + y) <= {t}*(abs(x) + abs(y))", 1, True, "never")


@family("absolute values")
def distance(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in (-inf, inf)", f"abs(x) + abs(x - {a}) >= {{t}}", a, False)


@family("absolute values")
def larger(rng: Rng) -> Bound:
    return Bound("x in [0, inf); y in [0, inf)", "max(x, y) >= {t}*(x + y)", Fraction(1, 2), False, "never")


@family("absolute values")
def smaller(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    return Bound("x in (0, inf)", f"min({a}*x, {b}/x) <= {{t}}", f"sqrt({a * b})")


# integers


@family("rounding")
def rounded_up(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in [0, inf)", f"ceil({a}*x) <= {a}*x + {{t}}", 1, True, "always")


@family("rounding")
def rounded_down(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("x in [0, inf)", f"floor({a}*x) >= {a}*x - {{t}}", 1, True, "always")


@family("rounding")
def ceiling_ratio(rng: Rng) -> Bound:
    m = whole(rng, 1, 5)
    return Bound(f"x in [{m}, inf)", "ceil(x) <= {t}*x", Fraction(m + 1, m), True, "always")


@family("rounding")
def floor_ratio(rng: Rng) -> Bound:
    m = whole(rng, 1, 5)
    return Bound(f"x in [{m}, inf)", "floor(x) >= {t}*x", Fraction(m, m + 1), False, "always")


@family("rounding")
def shares_of_n(rng: Rng) -> Bound:
    k = whole(rng, 2, 5)
    return Bound("n in Z[1, inf)", f"ceil(n/{k}) <= (n + {{t}})/{k}", k - 1)


@family("rounding")
def ceiling_of_log(rng: Rng) -> Bound:
    c = some(rng)
    return Bound("d in (0, 1)", f"exp(-ceil({c}*log(1/d))/({c})) <= {{t}}*d", 1)


@family("integers")
def between_integers(rng: Rng) -> Given:
    k = whole(rng, -3, 5)
    claim = f"(n - {k})*(n - {k + 1}) >= " if k >= 0 else f"(n + {-k})*(n + {-k - 1}) >= "
    return Given(
        ("n in Z(-inf, inf)", "", claim + "-1/10"),
        ("n in Z(-inf, inf)", "", claim + "0"),
        ("n in [-20, 20]", "", claim + "0"),
        ("n in Z(-inf, inf)", "", claim + "1/1000000"),
    )


@family("integers")
def powers_of_two(rng: Rng) -> Bound:
    if either(rng):
        return Bound("n in Z[1, inf)", "2^n >= {t}*n", 2, False)
    return Bound("n in Z[4, inf)", "2^n >= {t}*n^2", 1, False)


@family("integers")
def best_integer(rng: Rng) -> Bound:
    k = whole(rng, 2, 30)
    return Bound("n in Z[1, inf)", f"n + {k}/n >= {{t}}", min(n + Fraction(k, n) for n in range(1, 40)), False)


@family("integers")
def factorials(rng: Rng) -> Bound:
    top, base = whole(rng, 4, 7), whole(rng, 2, 3)
    ratios = [Fraction(int(np.prod(range(1, n + 1)))) / base**n for n in range(1, top + 1)]
    return Bound(f"n in Z[1, {top}]", f"fact(n) >= {{t}}*{base}^n", min(ratios), False)


@family("integers")
def pairs(rng: Rng) -> Bound:
    return Bound("n in Z[2, inf)", "n*(n - 1)/2 <= {t}*n^2", Fraction(1, 2), True, "always")


@family("integers")
def open_integer_ends(rng: Rng) -> Bound:
    low, high = whole(rng, 0, 4), whole(rng, 6, 9)
    # Z(low, high) is low + 1 .. high - 1
    return Bound(f"n in Z({low}, {high})", f"({high} - n)*(n - {low}) >= {{t}}", high - low - 1, False)


@family("integers")
def products_of_integers(rng: Rng) -> Bound:
    return Bound("m in Z[1, inf); n in Z[1, inf)", "m + n <= m*n + {t}", 1)


@family("integers")
def ratios_of_integers(rng: Rng) -> Bound:
    k = whole(rng, 1, 4)
    return Bound(f"n in Z[{k + 1}, inf); m in Z[{k}, inf)", "n/m >= 1 + {t}/m", 1, False, "loose", "m < n")


# assumptions


@family("assumptions")
def product_under_sum(rng: Rng) -> Bound:
    s = some(rng)
    return Bound("x in [0, inf); y in [0, inf)", "x*y <= {t}", s * s / 4, assume=f"x + y <= {s}")


@family("assumptions")
def sum_over_product(rng: Rng) -> Bound:
    a, b, c = some(rng), some(rng), some(rng)
    return Bound(
        "x in (0, inf); y in (0, inf)",
        f"{a * a}*x + {b * b}*y >= {{t}}",
        2 * a * b * c,
        False,
        assume=f"x*y >= {c * c}",
    )


@family("assumptions")
def linear_program(rng: Rng) -> Bound:
    a, b, p, q = some(rng), some(rng), some(rng), some(rng)
    r = (p + q) * Fraction(3, 4)
    corners = [(x, y) for x in (Fraction(0), p) for y in (Fraction(0), q) if x + y <= r]
    corners += [(p, r - p)] * (0 <= r - p <= q) + [(r - q, q)] * (0 <= r - q <= p)
    corners += [(r, Fraction(0))] * (r <= p) + [(Fraction(0), r)] * (r <= q)
    best = max(a * x + b * y for x, y in corners)
    return Bound(f"x in [0, {p}]; y in [0, {q}]", f"{a}*x + {b}*y <= {{t}}", best, assume=f"x + y <= {r}")


@family("assumptions")
def enough_samples(rng: Rng) -> Bound:
    c = some(rng)
    return Bound(
        "n in (0, inf); d in (0, 1)", f"exp(-n/({c})) <= {{t}}*d", 1, True, "loose", f"n >= {c}*log(1/d)"
    )  # fmt: skip


@family("assumptions")
def enough_samples_with_epsilon(rng: Rng) -> Bound:
    return Bound(
        "n in Z[1, inf); eps in (0, 1]; d in (0, 1); h in Z[1, inf)",
        "h*exp(-n*eps/2) <= {t}*d",
        1,
        assume="n >= 2*log(h/d)/eps",
    )


@family("assumptions")
def chain_of_bounds(rng: Rng) -> Bound:
    a, b = some(rng), some(rng)
    return Bound(
        "x in [0, inf); y in [0, 9]; z in [0, inf)", "z <= {t}*x", a * b, True, "never", f"y <= {a}*x; z <= {b}*y"
    )


@family("assumptions")
def equation(rng: Rng) -> Bound:
    s = some(rng)
    return Bound("x in (-inf, inf); y in (-inf, inf)", "x^2 + y^2 >= {t}", s * s / 2, False, assume=f"x + y = {s}")


# probabilities and privacy


@family("privacy")
def two_steps(rng: Rng) -> Bound:
    return Bound(
        "p in [0, 1]; q in [0, 1]; r in [0, 1]; d in (0, 1/100]; E in [1, 3]",
        "p <= E^2*r + {t}*(1 + E)*d",
        1,
        assume="p <= E*q + d; q <= E*r + d",
    )


@family("privacy")
def two_steps_with_epsilon(rng: Rng) -> Bound:
    return Bound(
        "p in [0, 1]; q in [0, 1]; r in [0, 1]; d in (0, 1/100]; eps in (0, 1]",
        "p <= exp(2*eps)*r + {t}*(1 + exp(eps))*d",
        1,
        assume="p <= exp(eps)*q + d; q <= exp(eps)*r + d",
    )


@family("privacy")
def mixture(rng: Rng) -> Bound:
    return Bound(
        "w in [0, 1]; p in [0, 1]; q in [0, 1]; a in [0, 1]; b in [0, 1]; E in [1, 5]",
        "w*p + (1 - w)*q <= {t}*E*(w*a + (1 - w)*b)",
        1,
        True,
        "never",
        "p <= E*a; q <= E*b",
    )


@family("privacy")
def amplification(rng: Rng) -> Bound:
    if either(rng):
        return Bound("s in [0, 1]; x in [0, 2]", "log(1 + s*(exp(x) - 1)) <= {t}*s*(exp(x) - 1)", 1, True, "never")
    return Bound("s in [0, 1]; x in [0, 2]", "log(1 + s*(exp(x) - 1)) >= {t}*s*x", 1, False, "never")


@family("privacy")
def randomized_response(rng: Rng) -> Bound:
    a = some(rng)
    return Bound("eps in (0, inf)", f"{a}*exp(eps)/(1 + exp(eps)) <= {{t}}", a, True, "always")


@family("privacy")
def sampled_mixture(rng: Rng) -> Bound:
    return Bound(
        "s in (0, 1]; p in [0, 1]; q in [0, 1]; r in [0, 1]; d in (0, 1/10]",
        "s*p + (1 - s)*r <= s*q + (1 - s)*r + {t}*s*d",
        1,
        assume="p <= q + d",
    )


@family("union bounds")
def two_events(rng: Rng) -> Bound:
    w = Fraction(whole(rng, 1, 4), 5)
    return Bound(
        "u in [0, 1]; a in [0, 1]; b in [0, 1]; d in (0, 1]",
        "u <= {t}*d",
        1,
        assume=f"u <= a + b; a <= {w}*d; b <= {1 - w}*d",
    )


@family("union bounds")
def many_events(rng: Rng) -> Bound:
    return Bound("u in [0, 1]; p in [0, 1]; d in (0, 1]; n in Z[1, inf)", "u <= {t}*d", 1, assume="u <= n*p; p <= d/n")


@family("union bounds")
def intersection(rng: Rng) -> Bound:
    a, b = Fraction(whole(rng, 11, 19), 20), Fraction(whole(rng, 11, 19), 20)
    return Bound(
        "p in [0, 1]; q in [0, 1]; r in [0, 1]; u in [0, 1]",
        "r >= {t}",
        a + b - 1,
        False,
        assume=f"u = p + q - r; p >= {a}; q >= {b}",
    )


@family("union bounds")
def markov(rng: Rng) -> Bound:
    a = some(rng)
    # the mean of a non-negative variable is at least a times the probability of a or more
    return Bound("m in [0, inf); p in [0, 1]; k in (0, inf)", "p <= {t}*m/k", 1 / a, True, "never", f"m >= {a}*k*p")


# definedness


@family("definedness")
def denominators(rng: Rng) -> Given:
    low = some(rng)
    high = low + some(rng)
    claim = "1/((x - {c})^2) > 0"
    return Given(
        (f"x in [{low}, {high}]", "", claim.replace("{c}", str(low / 2))),
        (f"x in ({low}, {high}]", "", claim.replace("{c}", str(low))),
        (f"x in [{low}, {high}]", "", claim.replace("{c}", str((low + high) / 2))),
        (f"x in [{low}, {high}]", "", claim.replace("{c}", str(low))),
    )


@family("definedness")
def logarithms(rng: Rng) -> Given:
    low = some(rng)
    claim = "log(x - {c}) <= x - {c} - 1"
    return Given(
        (f"x in [{low}, inf)", "", claim.replace("{c}", str(low / 2))),
        (f"x in ({low}, inf)", "", claim.replace("{c}", str(low))),
        (f"x in [{low}, inf)", "", claim.replace("{c}", str(low + 1))),
        (f"x in [{low}, inf)", "", claim.replace("{c}", str(low))),
    )


@family("definedness")
def square_roots(rng: Rng) -> Given:
    low = some(rng)
    claim = "sqrt(x - {c}) <= x - {c} + 1/4"
    return Given(
        (f"x in [{low}, inf)", "", claim.replace("{c}", str(low / 2))),
        (f"x in [{low}, inf)", "", claim.replace("{c}", str(low))),
        (f"x in [{low}, inf)", "", claim.replace("{c}", str(low + 1))),
        (f"x in [{low}, inf)", "", claim.replace("{c}", str(low * (1 + HAIR)))),
    )


@family("definedness")
def two_denominators(rng: Rng) -> Given:
    a = some(rng)
    return Given(
        (f"x in [0, 1]; y in [0, {a}]", "", f"x/(x + y + {a}) <= 1"),
        (f"x in (0, 1]; y in [0, {a}]", "", f"x/(x + {a}*y) <= 1"),
        (f"x in [0, 1]; y in [0, {a}]", "", f"x/(x - y/({2 * a})) >= -1000000"),
        (f"x in [0, 1]; y in [0, {a}]", "", f"x/(x + {a}*y) <= 1"),
    )


@family("definedness")
def under_assumptions(rng: Rng) -> Given:
    a = some(rng)
    return Given(
        ("x in [0, 10]; y in [0, 10]", f"x >= y + {a}", "1/(x - y) > 0"),
        ("x in [0, 10]; y in [0, 10]", "x > y", "(x - y)/(x - y) = 1"),
        ("x in [0, 10]; y in [0, 10]", f"x >= y - {a}", "1/(x - y)^2 > 0"),
        ("x in [0, 10]; y in [0, 10]", "x >= y", "(x - y)/(x - y) = 1"),
    )


@family("ends")
def square_below(rng: Rng) -> Given:
    b = some(rng)
    return Given(
        (f"x in (0, {b})", "", f"x^2 < {b * Fraction(11, 10)}*x"),
        (f"x in (0, {b})", "", f"x^2 < {b}*x"),
        (f"x in (0, {b})", "", f"x^2 < {b * Fraction(9, 10)}*x"),
        (f"x in (0, {b}]", "", f"x^2 < {b}*x"),
    )


@family("ends")
def product_below(rng: Rng) -> Given:
    return Given(
        ("x in [0, 1]; y in [0, 1]", "", "x*y <= x + 1/100"),
        ("x in (0, 1); y in (0, 1)", "", "x*y < x"),
        ("x in (0, 1); y in (0, 2)", "", "x*y < x"),
        ("x in (0, 1); y in (0, 1]", "", "x*y < x"),
    )


@family("ends")
def strict_exponential(rng: Rng) -> Given:
    a = some(rng)
    return Given(
        (f"x in [0, {a}]", "", "exp(x) - 1 <= x*exp(x) + 1/100"),
        (f"x in (0, {a}]", "", "exp(x) - 1 < x*exp(x)"),
        (f"x in [-1, {a}]", "", "exp(x) - 1 < x*exp(x) - 1/100"),
        (f"x in [0, {a}]", "", "exp(x) - 1 < x*exp(x)"),
    )


@family("identities")
def squares(rng: Rng) -> Given:
    a, b = some(rng), some(rng)
    right = f"{a * a}*x^2 + {{c}}*x*y + {b * b}*y^2"
    domain = "x in (-inf, inf); y in (-inf, inf)"
    left = f"({a}*x + {b}*y)^2 = "
    good, bad = str(2 * a * b), str(2 * a * b * (1 + HAIR))
    return Given(
        (domain, "", left.replace("=", "<=") + right.replace("{c}", good) + " + 1"),
        (domain, "", left + right.replace("{c}", good)),
        (domain, "", left + right.replace("{c}", str(3 * a * b))),
        (domain, "", left + right.replace("{c}", bad)),
    )


@family("identities")
def logarithms_of_products(rng: Rng) -> Given:
    a = some(rng, 2, 6)
    domain = "x in (0, inf); y in (0, inf)"
    return Given(
        (domain, "", f"log({a}*x) <= log(x) + log({a}) + 1/10"),
        (domain, "", f"log({a}*x) = log(x) + log({a})"),
        (domain, "", "log(x + y) = log(x) + log(y)"),
        (domain, "", f"log({a}*x) = log(x) + {1 + HAIR}*log({a})"),
    )


@family("identities")
def exponentials_of_sums(rng: Rng) -> Given:
    a = some(rng)
    domain = "x in [0, inf); y in [0, inf)"
    return Given(
        (domain, "", f"exp({a}*x + y) <= 11/10*exp({a}*x)*exp(y)"),
        (domain, "", f"exp({a}*x + y) = exp({a}*x)*exp(y)"),
        (domain, "", f"exp({a}*x + y) = exp({a}*x) + exp(y)"),
        (domain, "", f"exp({a}*x + y) = {1 + HAIR}*exp({a}*x)*exp(y)"),
    )


@family("identities")
def partial_fractions(rng: Rng) -> Given:
    a = some(rng)
    domain = "x in (0, inf)"
    return Given(
        (domain, "", f"1/(x*(x + {a})) < {Fraction(11, 10) / a}*(1/x - 1/(x + {a})) + 1"),
        (domain, "", f"1/(x*(x + {a})) = {1 / a}*(1/x - 1/(x + {a}))"),
        (domain, "", f"1/(x*(x + {a})) = {2 / a}*(1/x - 1/(x + {a}))"),
        (domain, "", f"1/(x*(x + {a})) = {(1 + HAIR) / a}*(1/x - 1/(x + {a}))"),
    )


@family("constants")
def numbers(rng: Rng) -> Bound:
    a = some(rng)
    return [
        Bound("", f"exp({a}) <= {{t}}", f"exp({a}/2)^2"),
        Bound("", f"log({a + 1}) <= {{t}}", f"2*log(sqrt({a + 1}))"),
        Bound("", f"sqrt({a}) <= {{t}}", f"exp(log({a})/2)"),
    ][whole(rng, 0, 2)]


# moments, as in the proofs of concentration


@family("moments")
def hoeffding_lemma(rng: Rng) -> Bound:
    return Bound("x in [0, inf)", "(exp(x/2) + exp(-x/2))/2 <= exp({t}*x^2)", Fraction(1, 8), True, "never")


@family("moments")
def chernoff(rng: Rng) -> Bound:
    # (1 + d) log(1 + d) - d >= d^2/3 on (0, 1]; the best constant is at d = 1
    return Bound("d in (0, 1]", "(1 + d)*log(1 + d) - d >= {t}*d^2", "2*log(2) - 1", False)


@family("moments")
def lower_chernoff(rng: Rng) -> Bound:
    return Bound("d in (0, 1)", "(1 - d)*log(1 - d) + d >= {t}*d^2", Fraction(1, 2), False, "always")


@family("moments")
def bernstein(rng: Rng) -> Bound:
    return Bound("u in [0, inf)", "(1 + u)*log(1 + u) - u >= {t}*u^2/(1 + u/3)", Fraction(1, 2), False, "never")


@family("moments")
def one_record(rng: Rng) -> Bound:
    return Bound("p in [0, 1]; x in [0, inf)", "log(1 + p*(exp(x) - 1)) <= {t}*p*(exp(x) - 1)", 1, True, "never")


def makers() -> list[tuple[str, Maker]]:
    """Every template with its family, families in turn."""
    rows = itertools.zip_longest(*([(name, maker) for maker in listed] for name, listed in FAMILIES.items()))
    return [pair for row in rows for pair in row if pair is not None]


def statements(count: int, rng: Rng) -> Iterator[Statement]:
    """``count`` statements of each kind, every template in turn from a random one on."""
    listed = makers()
    for kind in KINDS:
        start = int(rng.integers(len(listed)))
        for i in range(count):
            name, maker = listed[(start + i) % len(listed)]
            yield Statement(name, kind, maker(rng).formula(kind, rng))


# mutants of formulas

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?(?![A-Za-z0-9_.])")
_RELATION = re.compile(r"<=|>=|<|>|=")
_REVERSED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<", "=": "<"}
_STRICTER = {"<=": "<", ">=": ">", "<": "<", ">": ">", "=": "="}
FACTORS = (Fraction(9, 10), Fraction(11, 10), Fraction(2), Fraction(1, 2))


def _at(text: str, found: re.Match[str], new: str) -> str:
    return text[: found.start()] + new + text[found.end() :]


def mutants(formula: Formula) -> Iterator[Formula]:
    """The formula with one constant of it changed, or one relation of its claim reversed or made strict."""
    for part in ("claim", "assume"):
        text = getattr(formula, part)
        for found in _NUMBER.finditer(text):
            for factor in FACTORS:
                yield _with(formula, part, _at(text, found, f"({Fraction(found.group()) * factor})"))
    for found in _RELATION.finditer(formula.claim):
        for table in (_REVERSED, _STRICTER):
            new = table[found.group()]
            if new != found.group():
                yield _with(formula, "claim", _at(formula.claim, found, new))
    chains = [chain for chain in formula.assume.split(";") if chain.strip()]
    for i in range(len(chains)):  # an assumption forgotten
        yield _with(formula, "assume", ";".join(chains[:i] + chains[i + 1 :]))


def _with(formula: Formula, part: str, text: str) -> Formula:
    parts = {"variables": formula.variables, "assume": formula.assume, "claim": formula.claim, part: text}
    return Formula(**parts)


# judging


@cache
def named_lemmas() -> dict[str, Formula]:
    """The named lemmas, which the registry's tests check."""
    return {name: claim.formula for name, claim in LEMMAS.items()}


def judge(statement: Statement, *, seconds: float, seed: int, refuting: bool = True) -> tuple[str, str]:
    """The prover's answer, and what is wrong with it (nothing: an empty text)."""
    found = decide(statement.formula, (), named_lemmas(), seconds=seconds, seed=seed, refuting=refuting)
    complaint = ""
    try:
        if found.answer is Answer.PROVED:
            complaint = "" if statement.holds else "FALSE PROOF"
            check_proof(statement.formula, found.certificate or {}, named_lemmas())
        elif found.answer is Answer.REFUTED:
            complaint = "" if not statement.holds else "FALSE REFUTATION"
            check_refutation(statement.formula, found.witness or {})
        elif found.answer is Answer.VACUOUS:
            complaint = "FALSE VACUITY"
    except CheckFailed as failed:
        complaint = f"{complaint or found.answer.value}, not accepted by the checker ({failed})"
    return found.answer.value, complaint


@dataclass(frozen=True)
class Mutant:
    """A changed formula, with the hints and the certificate of the one that is proved."""

    formula: Formula
    hints: tuple[str, ...]
    certificate: Mapping[str, Any]


@cache
def _proved_claims() -> list[tuple[Formula, tuple[str, ...], Mapping[str, Any]]]:
    evaluation = Registry().evaluations["alon2019"]
    found = []
    for claim in claims_of(evaluation.paper):
        if evaluation.claim(claim).status is Status.PROVED:
            stored = evaluation.store.get(claim)
            assert stored is not None
            found.append((claim.formula, claim.hints, stored["proof"]))
    return found


def mutants_of_registry(count: int, rng: Rng) -> Iterator[Mutant]:
    """Random mutants of random proved claims."""
    proved = _proved_claims()
    for _ in range(count):
        formula, hints, certificate = proved[int(rng.integers(len(proved)))]
        changed = list(mutants(formula))
        yield Mutant(changed[int(rng.integers(len(changed)))], hints, certificate)


def try_mutant(mutant: Mutant, *, seconds: float, seed: int) -> str:
    """What became of a mutant; anything wrong begins with WRONG."""
    try:
        problem = parse_formula(mutant.formula)
        against = refute(problem, np.random.default_rng(seed))
    except DpcheckError:
        return "not a formula"
    if against is None:
        return "no counterexample"
    try:
        check_refutation(mutant.formula, {name: str(value) for name, value in against[0].items()})
    except CheckFailed as failed:
        return f"WRONG counterexample ({failed})"
    lemmas = named_lemmas()
    try:
        check_proof(mutant.formula, mutant.certificate, lemmas)
        return "WRONG: the old certificate replays"
    except CheckFailed:
        pass
    for hints in dict.fromkeys((mutant.hints, ())):
        found = decide(mutant.formula, hints, lemmas, seconds=seconds, seed=seed, refuting=False)
        if found.answer is Answer.PROVED:
            try:
                check_proof(mutant.formula, found.certificate or {}, lemmas)
                return "WRONG: proved, accepted by the checker"
            except CheckFailed as failed:
                return f"WRONG: proved, not accepted by the checker ({failed})"
    return "false, not proved"
