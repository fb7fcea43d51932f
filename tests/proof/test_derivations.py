"""Derivations: what follows is derived, what does not is refused, and premises and words are looked at."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpcheck.proof.derivation.check import Checker
from dpcheck.proof.derivation.lines import Derivation, Given, Line, checked, faults
from dpcheck.proof.derivation.normal import Normal
from dpcheck.proof.derivation.reading import read_fact, read_objects, read_term
from dpcheck.proof.derivation.terms import DerivationFailed
from dpcheck.proof.prover.decide import Answer, decide
from dpcheck.proof.records import source_words
from dpcheck.proof.statement import Claim, Paper, Repair, Status, Step
from dpcheck.proof.status import Evaluation, claims_of
from dpcheck.proof.store import Store, key_of
from properties.decided_lines import verdict
from properties.finite_models import model_of
from tests.false_derivations import bears_out

PRIVATE = (
    "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
    "mean(c: coins, F(A(d, c))) <= exp(eps)*mean(c: coins, F(A(dd, c))) + delta"
)
ALGORITHM = "eps in [0, inf); delta in [0, 1]; type D; near(D, D) in Z[0, 1]; type OUT; law coins; A(D, coins): OUT"


def one(objects: str, *lines: Line | tuple[str, str], given: tuple[tuple[str, str], ...] = ()) -> Derivation:
    """A derivation whose premises have no source that matters."""
    written = tuple(line if isinstance(line, Line) else Line(*line) for line in lines)
    return Derivation(objects, written, tuple(Given(name, fact, "definition: given") for name, fact in given))


TEXTBOOK = {
    "union of two": one(
        "law mu; A(mu) in Z[0, 1]; B(mu) in Z[0, 1]",
        ("each", "for x: mu: [A(x) or B(x)] <= A(x) + B(x)"),
        Line("all", "Pr(x: mu, A(x) or B(x)) <= Pr(x: mu, A(x)) + Pr(x: mu, B(x))", using=("mean of each over x",)),
    ),
    "complement": one("law mu; A(mu) in Z[0, 1]", ("not", "Pr(x: mu, not A(x)) = 1 - Pr(x: mu, A(x))")),
    "inclusion and exclusion": one(
        "law mu; A(mu) in Z[0, 1]; B(mu) in Z[0, 1]",
        ("both", "Pr(x: mu, A(x) or B(x)) = Pr(x: mu, A(x)) + Pr(x: mu, B(x)) - Pr(x: mu, A(x) and B(x))"),
    ),
    "total probability": one(
        "law mu; A(mu) in Z[0, 1]; B(mu) in Z[0, 1]",
        Line(
            "whole",
            "Pr(x: mu, A(x)) = Pr(x: mu, A(x) given B(x))*Pr(x: mu, B(x)) + "
            "Pr(x: mu, A(x) given not B(x))*Pr(x: mu, not B(x))",
            using=("some", "not_all"),
        ),
        given=(("some", "Pr(x: mu, B(x)) > 0"), ("not_all", "Pr(x: mu, not B(x)) > 0")),
    ),
    "independent draws": one(
        "law mu; law nu; A(mu) in Z[0, 1]; B(nu) in Z[0, 1]",
        ("both", "Pr(x: mu, y: nu, A(x) and B(y)) = Pr(x: mu, A(x))*Pr(y: nu, B(y))"),
    ),
    "draws may be swapped": one(
        "law mu; g(mu, mu) in [0, 1]",
        ("swap", "mean(x: mu, y: mu, g(x, y)) = mean(x: mu, y: mu, g(y, x))"),
    ),
    "variance of a sum": one(
        "law mu; law nu; X(mu) in [0, 1]; Y(nu) in [0, 1]",
        (
            "sum",
            "mean(x: mu, y: nu, (X(x) + Y(y))^2) - mean(x: mu, y: nu, X(x) + Y(y))^2 = mean(x: mu, X(x)^2) - "
            "mean(x: mu, X(x))^2 + mean(y: nu, Y(y)^2) - mean(y: nu, Y(y))^2",
        ),
    ),
    "Markov": one(
        "law mu; X(mu) in [0, inf); t in (0, inf)",
        ("each", "for x: mu: t*[X(x) >= t] <= X(x)"),
        Line("all", "Pr(x: mu, X(x) >= t) <= mean(x: mu, X(x))/t", using=("mean of each over x",)),
    ),
    "Chebyshev": one(
        "law mu; X(mu) in (-inf, inf); m in (-inf, inf); t in (0, inf)",
        ("each", "for x: mu: t^2*[abs(X(x) - m) >= t] <= (X(x) - m)^2"),
        Line(
            "all",
            "Pr(x: mu, abs(X(x) - m) >= t) <= (mean(x: mu, X(x)^2) - m^2)/t^2",
            using=("mean of each over x", "mean"),
        ),
        given=(("mean", "m = mean(x: mu, X(x))"),),
    ),
    "averaging": one(
        "law mu; X(mu) in [0, 1]; c in [0, 1]",
        Line("some", "X(x0) >= mean(x: mu, X(x))", "point x0: mu"),
        Line("good", "X(x0) >= c", using=("some", "enough")),
        given=(("enough", "mean(x: mu, X(x)) >= c"),),
    ),
    "union over a set": one(
        "N in Z[1, inf); beta in [0, 1]; law S; set H of N; bad(S, H) in Z[0, 1]",
        Line("each", "for s: S: [some(h: H, bad(s, h))] <= total(h: H, bad(s, h))", "sum"),
        Line("all", "Pr(s: S, some(h: H, bad(s, h))) <= beta", using=("mean of each over s", "total of one over h")),
        given=(("one", "for h: H: Pr(s: S, bad(s, h)) <= beta/N"),),
    ),
    "post-processing": one(
        f"{ALGORITHM}; type NEW; g(OUT): NEW",
        Line(
            "kept",
            "for F(NEW) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: mean(c: coins, F(g(A(d, c)))) "
            "<= exp(eps)*mean(c: coins, F(g(A(dd, c)))) + delta",
            using=("private at F(y) = F(g(y))",),
        ),
        given=(("private", PRIVATE),),
    ),
    "post-processing with coins of its own": one(
        f"{ALGORITHM}; type NEW; law more; g(OUT, more): NEW",
        Line(
            "kept",
            "for F(NEW) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: mean(c: coins, r: more, F(g(A(d, c), r))) "
            "<= exp(eps)*mean(c: coins, r: more, F(g(A(dd, c), r))) + delta",
            using=("functions F of private at F(y) = mean(r: more, F(g(y, r)))",),
        ),
        given=(("private", PRIVATE),),
    ),
    "composition": one(
        "eps in [0, inf); eta in [0, inf); type D; near(D, D) in Z[0, 1]; type OUT; type NEW; law c; law r; "
        "A(D, c): OUT; B(D, OUT, r): NEW",
        Line(
            "second",
            "for F(OUT, NEW) in Z[0, 1], d: D, dd: D, y: OUT if near(d, dd) = 1: "
            "mean(z: r, F(y, B(d, y, z))) <= exp(eta)*mean(z: r, F(y, B(dd, y, z)))",
            using=("B_private at F(u) = F(y, u)",),
        ),
        Line(
            "inner",
            "for F(OUT, NEW) in Z[0, 1], d: D, dd: D, x: c if near(d, dd) = 1: "
            "mean(z: r, F(A(d, x), B(d, A(d, x), z))) <= exp(eta)*mean(z: r, F(A(d, x), B(dd, A(d, x), z)))",
            using=("second at y = A(d, x)",),
        ),
        Line(
            "both",
            "for F(OUT, NEW) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
            "mean(x: c, z: r, F(A(d, x), B(d, A(d, x), z))) "
            "<= exp(eps + eta)*mean(x: c, z: r, F(A(dd, x), B(dd, A(dd, x), z)))",
            using=("mean of inner over x", "functions F of A_private at F(y) = mean(z: r, F(y, B(dd, y, z)))"),
        ),
        given=(
            (
                "A_private",
                "for F(OUT) in Z[0, 1], d: D, dd: D if near(d, dd) = 1: "
                "mean(x: c, F(A(d, x))) <= exp(eps)*mean(x: c, F(A(dd, x)))",
            ),
            (
                "B_private",
                "for F(NEW) in Z[0, 1], d: D, dd: D, y: OUT if near(d, dd) = 1: "
                "mean(z: r, F(B(d, y, z))) <= exp(eta)*mean(z: r, F(B(dd, y, z)))",
            ),
        ),
    ),
    "a pair of records": one(
        ALGORITHM,
        Line(
            "pair",
            "for F(OUT) in Z[0, 1], d: D, m: D, dd: D if near(d, m) = 1, near(m, dd) = 1: mean(c: coins, F(A(d, c))) "
            "<= exp(2*eps)*mean(c: coins, F(A(dd, c))) + (1 + exp(eps))*delta",
            using=("private at d = d, dd = m", "private at d = m, dd = dd"),
        ),
        given=(("private", PRIVATE),),
    ),
    "induction": one(
        "q in [0, 1]; p(Z) in [0, 1]",
        Line("first", "p(0) = q^0", using=("none",)),
        Line("step", "for k in Z[0, inf) if p(k) = q^k: p(k + 1) = q^(k + 1)", using=("more",)),
        Line("all", "for k in Z[0, inf): p(k) = q^k", "induction k", ("first", "step")),
        given=(("none", "p(0) = 1"), ("more", "for k in Z[0, inf): p(k + 1) = p(k)*q")),
    ),
}


#: Models that are drawn for a derivation.
MODELS = 40


def is_refuted(derivation: Derivation, seed: int, models: int = MODELS) -> bool:
    """Whether one of some drawn models has what is given, and not the conclusion."""
    draw = np.random.default_rng(seed)
    drawn = (model_of(read_objects(derivation.objects), draw) for _ in range(models))
    return any(model is not None and bears_out(derivation, model, draw) for model in drawn)


@pytest.mark.parametrize("derivation", TEXTBOOK.values(), ids=list(TEXTBOOK))
def test_what_textbooks_have_is_derived(derivation: Derivation) -> None:
    assert verdict(derivation, seconds=10.0) == "PROVED"


#: Of all numbers some are tried, so that a premise about them may only seem to hold.
TRIED_WHOLE = {name: each for name, each in TEXTBOOK.items() if name not in ("averaging", "induction")}


@pytest.mark.parametrize("derivation", TRIED_WHOLE.values(), ids=list(TRIED_WHOLE))
def test_what_textbooks_have_holds_in_finite_models(derivation: Derivation, seed: int) -> None:
    assert not is_refuted(derivation, seed)


FALSE = {
    "dependence taken for independence": one(
        "law mu; A(mu) in Z[0, 1]; B(mu) in Z[0, 1]",
        ("both", "Pr(x: mu, A(x) and B(x)) = Pr(x: mu, A(x))*Pr(x: mu, B(x))"),
    ),
    "a union bound the wrong way": one(
        "law mu; A(mu) in Z[0, 1]; B(mu) in Z[0, 1]",
        ("each", "for x: mu: [A(x) or B(x)] >= A(x) + B(x)"),
        Line("all", "Pr(x: mu, A(x) or B(x)) >= Pr(x: mu, A(x)) + Pr(x: mu, B(x))", using=("mean of each over x",)),
    ),
    "conditioning on what may never happen": one(
        "law mu; A(mu) in Z[0, 1]; B(mu) in Z[0, 1]",
        ("whole", "Pr(x: mu, A(x) given B(x)) <= 1"),
    ),
    "Markov without a sign": one(
        "law mu; X(mu) in (-inf, inf); t in (0, inf)",
        ("each", "for x: mu: t*[X(x) >= t] <= X(x)"),
        Line("all", "Pr(x: mu, X(x) >= t) <= mean(x: mu, X(x))/t", using=("mean of each over x",)),
    ),
    "half of the privacy for a pair": one(
        ALGORITHM,
        Line(
            "pair",
            "for F(OUT) in Z[0, 1], d: D, m: D, dd: D if near(d, m) = 1, near(m, dd) = 1: mean(c: coins, F(A(d, c))) "
            "<= exp(2*eps)*mean(c: coins, F(A(dd, c))) + 2*delta",
            using=("private at d = d, dd = m", "private at d = m, dd = dd"),
        ),
        given=(("private", PRIVATE),),
    ),
    "a variance that is not of independent terms": one(
        "law mu; X(mu) in [0, 1]; Y(mu) in [0, 1]",
        (
            "sum",
            "mean(x: mu, (X(x) + Y(x))^2) - mean(x: mu, X(x) + Y(x))^2 = mean(x: mu, X(x)^2) - "
            "mean(x: mu, X(x))^2 + mean(y: mu, Y(y)^2) - mean(y: mu, Y(y))^2",
        ),
    ),
}


@pytest.mark.parametrize("derivation", FALSE.values(), ids=list(FALSE))
def test_what_is_false_is_not_derived(derivation: Derivation) -> None:
    assert verdict(derivation, seconds=10.0) != "PROVED"


@pytest.mark.parametrize("name", [name for name in FALSE if "privacy" not in name])
def test_what_is_false_is_refuted_by_a_finite_model(name: str, seed: int) -> None:
    assert is_refuted(FALSE[name], seed, models=400)


REFUSED = {
    "law mu; x in mu": ("x <= 1", "a variable is declared as"),
    "law mu; law mu": ("1 <= 1", "'mu' is declared twice"),
    "law mean": ("1 <= 1", "none of the words of the language"),
    "set H": ("1 <= 1", "declared with its size"),
    "N in Z[0, inf); set H of N": ("1 <= 1", "the size of the set H must be an integer of at least 1, got N"),
    "law people; f(peeple) in [0, 1]": ("1 <= 1", "'peeple' is no law, set or type (did you mean 'people'?)"),
    "law mu; f(mu) in [0, 1]": ("mean(x: mu, f(y)) <= 1", "'y' is no number, point or function"),
    "type D; f(D) in [0, 1]": ("mean(d: D, f(d)) <= 1", "mean runs over a law, which D is not"),
    "law mu; g(mu) in [0, 1]": ("Pr(x: mu, g(x)) <= 1", "g(x) is no event"),
    "law mu; type D; h(D) in [0, 1]": ("mean(x: mu, h(x)) <= 1", "h wants a point of D, got x"),
    "p in [0, 1]": ("p <= 2 and p >= 0", "'and' is left over"),
    "q in [0, 1]": ("q", "a fact needs one of"),
}


@pytest.mark.parametrize(("objects", "fact", "said"), [(o, *rest) for o, rest in REFUSED.items()], ids=list(REFUSED))
def test_what_is_not_of_the_language_is_told(objects: str, fact: str, said: str) -> None:
    with pytest.raises(DerivationFailed) as caught:
        checked(one(objects, ("line", fact)))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


WRONG_RULES: dict[str, tuple[Derivation, str]] = {
    "an unknown rule": (one("p in [0, 1]", Line("a", "p <= 1", "magic")), "there is no rule 'magic'"),
    "an unknown fact": (one("p in [0, 1]", Line("a", "p <= 1", using=("b",))), "there is no fact 'b'"),
    "its premise": (
        one("p in [0, 1]; q in [0, 1]", Line("a", "q >= p", using=("b",)), given=(("b", "p <= q"),)),
        "the premise 'b' is the conclusion",
    ),
    "a fact that is not at a point": (
        one(
            "type D; f(D) in [0, 1]; point d: D",
            Line("a", "f(d) <= 1/2", using=("all",)),
            given=(("all", "for x: D: f(x) <= 1/2"),),
        ),
        "holds for every x: say which",
    ),
    "a mean over some": (
        one(
            "law mu; f(mu) in [0, 1]; good(mu) in Z[0, 1]",
            Line("a", "mean(x: mu, f(x)) <= 1/2", using=("mean of some over x",)),
            given=(("some", "for x: mu if good(x) = 1: f(x) <= 1/2"),),
        ),
        "holds for some x only",
    ),
    "a point that is good for two": (
        one(
            "law mu; f(mu) in [0, 1]; g(mu) in [0, 1]",
            Line("a", "f(w) >= mean(x: mu, f(x))", "point w: mu"),
            Line("b", "g(w) >= mean(x: mu, g(x))", "point w: mu"),
        ),
        "the point must have a new name",
    ),
    "a point from nothing": (
        one("law mu; f(mu) in [0, 1]", Line("a", "f(w) >= 1/2", "point w: mu")),
        "is neither the mean nor the largest or smallest value",
    ),
    "a function outside of its range": (
        one(
            f"{ALGORITHM}; g(OUT) in [0, 2]",
            Line(
                "a",
                "for d: D, dd: D if near(d, dd) = 1: mean(c: coins, g(A(d, c))) "
                "<= exp(eps)*mean(c: coins, g(A(dd, c))) + delta",
                using=("functions F of private at F(y) = g(y)",),
            ),
            given=(("private", PRIVATE),),
        ),
        "it is not seen that g(y) has values in [0, 1]",
    ),
    "functions of what is not linear": (
        one(
            "type OUT; law c; A(c): OUT; point y: OUT",
            Line("a", "for F(OUT) in [0, 1]: F(y) <= F(y)^2", using=("functions F of square",)),
            given=(("square", "for F(OUT) in Z[0, 1]: F(y) <= F(y)^2"),),
        ),
        "is not linear in F",
    ),
    "an induction whose step is another's": (
        one(
            "p(Z) in [0, 1]",
            Line("step", "for k in Z[0, inf) if p(k) <= 1/2: p(k + 2) <= 1/2", using=("two",)),
            Line("all", "for k in Z[0, inf): p(k) <= 1/2", "induction k", ("first", "step")),
            given=(("first", "p(0) <= 1/2"), ("two", "for k in Z[0, inf): p(k + 2) <= p(k)")),
        ),
        "the step of the induction must be",
    ),
    "a sum of what may be negative": (
        one("set H of 3; f(H) in [-1, 1]", Line("a", "for h: H: f(h) <= total(g: H, f(g))", "sum")),
        "it is not seen that f(g) is at least 0",
    ),
    "a quotient inside a mean": (
        one("law mu; f(mu) in [0, 1]", Line("a", "mean(x: mu, f(x)/f(x)) = 1")),
        "it is not seen that f(",
    ),
    "no such line": (
        Derivation("p in [0, 1]", (Line("a", "p <= 1"),), shows=("b",)),
        "shows must name lines, got 'b'",
    ),
}


@pytest.mark.parametrize(("derivation", "said"), WRONG_RULES.values(), ids=list(WRONG_RULES))
def test_a_rule_that_does_not_apply_says_why(derivation: Derivation, said: str) -> None:
    with pytest.raises(DerivationFailed) as caught:
        checked(derivation)
    assert said in str(caught.value)


CASES = "n in Z[0, inf); x in [0, inf); set H of 3; k(H) in Z[0, 9]; f(H) in [0, 1]"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("if n <= 3: x <= 1", "if 4 <= n: x <= 1"),
        ("if n < 3: x <= 1", "if 3 <= n: x <= 1"),
        ("if 3 < n: x <= 1", "if n <= 3: x <= 1"),
        ("if n = 0: x <= 1", "if n > 0: x <= 1"),
        ("if n <= 5: x <= 1", "if n >= 2: 2*x <= 2"),
    ],
)
def test_what_holds_in_two_cases_of_which_one_always_is_holds(first: str, second: str) -> None:
    whole = one(CASES, Line("whole", "x <= 1", "cases", using=("a", "b")), given=(("a", first), ("b", second)))
    assert verdict(whole, seconds=5.0) == "PROVED"


def test_cases_may_be_of_each_point() -> None:
    lines = (
        Line("few", "for h: H if k(h) <= n: f(h)*k(h) <= n", using=("all",)),
        Line("many", "for h: H if n < k(h): f(h)*k(h) <= n", using=("more",)),
        Line("each", "for h: H: f(h)*k(h) <= n", "cases", using=("few", "many")),
    )
    given = (("all", "for h: H: f(h) <= 1"), ("more", "for h: H if n < k(h): f(h) <= n/k(h)"))
    assert verdict(one(CASES, *lines, given=given), seconds=10.0) == "PROVED"


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("if n < 3: x <= 1", "if 3 < n: x <= 1", ""),
        ("if n <= 3: x <= 1", "if 5 <= n: x <= 1", ""),
        ("if n <= 3: x <= 1", "if 4 <= n: x <= 2", "say what it says"),
        ("if n <= 3, x <= 9: x <= 1", "if 4 <= n: x <= 1", "and one more"),
        ("x <= 1", "if 4 <= n: x <= 1", "and one more"),
        ("if n = 1: x <= 1", "if n = 2: x <= 1", "must be an inequality"),
        ("for h: H if k(h) <= 3: x <= 1", "if 4 <= n: x <= 1", "must have the binders"),
    ],
)
def test_cases_that_leave_something_out_do_not_do(first: str, second: str, said: str) -> None:
    whole = one(CASES, Line("whole", "x <= 1", "cases", using=("a", "b")), given=(("a", first), ("b", second)))
    if said:
        with pytest.raises(DerivationFailed, match=said):
            checked(whole)
    else:
        assert verdict(whole, seconds=3.0) in ("REFUTED", "UNDECIDED")


@pytest.mark.parametrize("size", ["2^100", "2^n", "n^3 + 1", "binom(n, k) + 1", "max(n, k)"])
def test_a_size_may_be_a_power_or_a_count(size: str) -> None:
    objects = f"n in Z[1, inf); k in Z[0, inf); set H of {size}; f(H) in [0, 1]"
    each = Line("each", "for h: H: f(h) <= 1")
    whole = Line("whole", f"total(h: H, f(h)) <= {size}", using=("total of each over h",))
    assert verdict(one(objects, each, whole), seconds=10.0) == "PROVED"


@pytest.mark.parametrize("size", ["n/2", "n - 1", "k", "2^(k - 1)", "exp(n)", "sqrt(n)"])
def test_a_size_that_may_be_none_is_refused(size: str) -> None:
    with pytest.raises(DerivationFailed, match="must be an integer of at least 1"):
        checked(one(f"n in Z[1, inf); k in Z[0, inf); set H of {size}", ("a", "1 <= 1")))


def test_a_false_relation_of_numbers_is_told_at_once() -> None:
    with pytest.raises(DerivationFailed, match="it is false that 2 <= 1"):
        checked(one("p in [0, 1]", ("a", "2 <= 1")))


def test_names_that_come_twice_are_not_mixed_up() -> None:
    objects = read_objects("type D; f(D, D) in [0, 1]; point d: D; point e0: D")
    checker = Checker(objects, {})
    checker.keep("all", read_fact("for x: D, y: D: f(x, y) <= f(y, x)/2", objects))
    result = checker.line("line", "for x: D, y: D: f(y, x) <= f(x, y)/2", using=("all at x = y, y = x",))
    assert [decide(each.formula).answer for each in result.obligations] == [Answer.PROVED]
    result = checker.line("other", "for x: D, y: D: f(x, y) <= f(x, y)/2", using=("all at x = y, y = x",))
    assert [decide(each.formula).answer for each in result.obligations] != [Answer.PROVED]


def test_bound_variables_are_not_captured() -> None:
    objects = read_objects("law mu; g(mu, mu) in [0, 1]; point z: mu")
    normal = Normal(objects)
    one_way = normal.of(read_term("mean(x: mu, mean(y: mu, g(x, y)))", objects))
    assert one_way == normal.of(read_term("mean(y: mu, mean(x: mu, g(y, x)))", objects))
    assert one_way != normal.of(read_term("mean(x: mu, g(x, x))", objects))
    assert normal.of(read_term("mean(x: mu, g(x, z))", objects)) != normal.of(
        read_term("mean(x: mu, g(z, x))", objects)
    )


def test_what_a_derivation_leaves_open_about_its_printed_line_is_told() -> None:
    derivation = Derivation(
        "p in [0, 1]; law mu; f(mu) in [0, 1]",
        (Line("a", "mean(x: mu, f(x)) <= 1"),),
        given=(Given("b", "p <= 1/2", "printed: not there"), Given("c", "p <= 1", "from nowhere")),
        notation=(("q", "nothing"), ("f", "")),
        says=("not in it",),
    )
    said = " | ".join(
        faults(derivation, "is at most 1", "the mean of f under mu is at most 1", frozenset(), frozenset())
    )
    for words in (
        "the source of b is not in the printed text",
        "the source of c must be one of printed: ..., line: ..., result: ..., definition: ...",
        "says must be a piece of the printed line, got 'not in it'",
        "notation must say what p is",
        "notation explains 'q', which is not declared",
        "notation must say what f is",
    ):
        assert words in said


def test_premises_that_contradict_each_other_prove_nothing() -> None:
    derivation = one(
        "p in [0, 1]; law mu; f(mu) in [0, 1]",
        Line("a", "for x: mu: [f(x) <= p] <= 0", using=("odd",)),
        given=(("odd", "p >= 2"),),
    )
    derivation = replace(derivation, says=("it is so",))
    paper = Paper("none", "none", (), (Step("s", printed="for p, mu, f: it is so", derivation=derivation),))
    answers = {}
    for claim in claims_of(paper):
        found = decide(claim.formula, seconds=10.0)
        answers[key_of(claim)] = {"vacuous": found.vacuous} if found.answer is Answer.VACUOUS else {"stuck": "open"}
    evaluation = Evaluation(paper, Store(Path("unused.json"), answers), Store(Path("unused.json")))
    assert evaluation.step("s").status in (Status.VACUOUS, Status.UNDECIDED)
    derived = evaluation.step("s").printed.derived
    assert derived is not None
    assert [line.status is Status.PROVED for line in derived.lines] == [False, True]


@pytest.mark.parametrize("mended", [True, False])
def test_a_premise_from_a_refuted_line_is_what_the_repaired_one_says(mended: bool) -> None:
    repair = Repair("x <= 1", "statement", (Claim("x in [0, 1]", "", "x <= 1"),)) if mended else None
    wrong = Step("wrong", claims=(Claim("x in [0, 1]", "", "x < 1"),), printed="x < 1", repair=repair)
    derivation = one("x in [0, 1]", Line("a", "x <= 2", using=("b",)))
    given = (Given("b", "x <= 1", "line: wrong"),)
    step = Step("s", printed="x <= 2", derivation=replace(derivation, given=given, says=("x <= 2",)))
    after = one("x in [0, 1]", Line("a", "x <= 3", using=("b",)))
    given = (Given("b", "x <= 2", "line: s"),)
    last = Step("t", printed="x <= 3", derivation=replace(after, given=given, says=("x <= 3",)))
    paper = Paper("none", "none", (), (wrong, step, last))
    answers = {}
    for claim in claims_of(paper):
        found = decide(claim.formula, seconds=10.0)
        proved = {"proof": found.certificate}
        answers[key_of(claim)] = proved if found.answer is Answer.PROVED else {"witness": found.witness}
    evaluation = Evaluation(paper, Store(Path("unused.json"), answers), Store(Path("unused.json")))
    derived = evaluation.step("s").printed.derived
    assert derived is not None
    if mended:
        assert evaluation.step("s").status is Status.PROVED
        assert source_words(derived.derivation.given[0], derived) == "line: wrong, as repaired"
        rests = evaluation.step("t").printed.derived
        assert rests is not None
        assert source_words(rests.derivation.given[0], rests) == "line: s, which rests on a repair"
    else:
        assert evaluation.step("s").status is Status.UNDECIDED
        assert "comes from the line wrong, which is refuted and not repaired" in derived.words
