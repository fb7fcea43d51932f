"""The prover is never wrong, on statements it was not written for, on mutants, and in its parts."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.prover.checker import CheckFailed, check_proof, check_refutation, check_vacuous
from dpcheck.proof.prover.decide import Answer, decide
from dpcheck.proof.prover.formula import Formula
from dpcheck.proof.prover.hints import parse_hint
from dpcheck.proof.prover.language import names_in, parse_domain, parse_expression, parse_formula
from dpcheck.proof.prover.linear import _solve, combine, squares
from dpcheck.proof.prover.normal import is_zero, linear_in, polynomials, simplify
from dpcheck.proof.prover.sampling import find_point, floats_of, refute
from tests.prover_statements import (
    KINDS,
    judge,
    makers,
    mutants,
    mutants_of_registry,
    named_lemmas,
    statements,
    try_mutant,
)

NAMES = {"x", "y", "n", "m"}


def tree(text: str) -> Any:
    return parse_expression(text, NAMES)


def proved(variables: str, assume: str, claim: str, *hints: str, seconds: float = 20.0) -> None:
    formula = Formula(variables, assume, claim)
    found = decide(formula, hints, named_lemmas(), seconds=seconds)
    assert found.answer is Answer.PROVED, f"{claim}: {found}"
    assert found.certificate is not None
    check_proof(formula, found.certificate, named_lemmas())


def refuted(variables: str, assume: str, claim: str) -> dict[str, str]:
    formula = Formula(variables, assume, claim)
    found = decide(formula, (), named_lemmas())
    assert found.answer is Answer.REFUTED, f"{claim}: {found}"
    assert found.witness is not None
    check_refutation(formula, found.witness)
    return dict(found.witness)


# goals that are 0 wherever two variables are equal

TWO = "p in (0, 1); q in (0, 1)"
APART = "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q))"


@pytest.mark.parametrize(
    ("variables", "claim"),
    [
        (TWO, f"{APART} >= 2*(p - q)^2"),
        (TWO, "p*log(p/q)/log(2) + (1 - p)*log((1 - p)/(1 - q))/log(2) >= 2*(p - q)^2/log(2)"),
        (TWO, f"{APART} >= 0"),
        ("x in (0, inf); y in (0, inf)", "x*log(x/y) >= x - y"),
        ("x in (-inf, inf); y in (-inf, inf)", "exp(x) >= exp(y)*(1 + x - y)"),
    ],
)
def test_what_is_0_where_two_variables_are_equal_is_proved_from_there(variables: str, claim: str) -> None:
    proved(variables, "", claim)


def test_pinsker_with_more_than_there_is_is_refuted() -> None:
    refuted(TWO, "", f"{APART} >= 2.1*(p - q)^2")


# statements that are true or false by construction


def test_every_template_gives_formulas_of_all_four_kinds(rng: np.random.Generator) -> None:
    for _, maker in makers():
        made = maker(rng)
        for kind in KINDS:
            assert parse_formula(made.formula(kind, rng)).claim


@pytest.mark.turns(6)
def test_no_statement_is_judged_wrongly(rng: np.random.Generator) -> None:
    wrong = []
    for statement in statements(12, rng):
        _, complaint = judge(statement, seconds=0.7, seed=int(rng.integers(2**31)))
        if complaint:
            wrong.append((complaint, statement))
    assert not wrong


@pytest.mark.turns(6)
def test_nothing_false_is_proved_by_a_search_without_a_refuter(rng: np.random.Generator) -> None:
    wrong = []
    for statement in statements(10, rng):
        if not statement.holds:
            answer, complaint = judge(statement, seconds=0.5, seed=int(rng.integers(2**31)), refuting=False)
            if complaint or answer == "PROVED":
                wrong.append((answer, complaint, statement))
    assert not wrong


@pytest.mark.turns(6)
def test_no_false_mutant_of_a_proved_claim_is_proved(rng: np.random.Generator) -> None:
    outcomes = [
        (try_mutant(mutant, seconds=0.4, seed=int(rng.integers(2**31))), mutant.formula)
        for mutant in mutants_of_registry(12, rng)
    ]
    assert not [pair for pair in outcomes if pair[0].startswith("WRONG")]


@pytest.mark.turns(6)
def test_certificates_of_true_claims_are_refused_for_false_neighbours(rng: np.random.Generator) -> None:
    for mutant in mutants_of_registry(40, rng):
        against = refute(parse_formula(mutant.formula), rng)
        if against is not None:
            with pytest.raises(CheckFailed):
                check_proof(mutant.formula, mutant.certificate, named_lemmas())


def test_mutants_change_constants_relations_and_assumptions() -> None:
    found = set(mutants(Formula("x in (0, 1)", "x <= 1/2; x > 0", "2*x <= 1")))
    assert Formula("x in (0, 1)", "x <= 1/2; x > 0", "(9/5)*x <= 1") in found
    assert Formula("x in (0, 1)", "x <= 1/2; x > 0", "2*x >= 1") in found
    assert Formula("x in (0, 1)", "x <= 1/2; x > 0", "2*x < 1") in found
    assert Formula("x in (0, 1)", " x > 0", "2*x <= 1") in found
    assert Formula("x in (0, 1)", "x <= (1)/2; x > 0", "2*x <= 1") not in found


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    ("variables", "assume", "claim"),
    [
        ("x in (-inf, inf)", "", "1 + x <= exp(x)"),
        ("x in (-inf, inf); y in (-inf, inf)", "", "(x - y)*(x - y) >= 0"),
        ("x in (0, inf)", "", "log(x) <= x - 1"),
        ("x in [0, 5]", "", "3*x*(5 - x) <= 75/4"),
        ("x in (-inf, inf); y in (-inf, inf)", "", "x^2 + y^2 >= 2*x*y"),
        ("x in (0, inf); y in (0, inf); z in (0, inf)", "", "x*y*z <= (x + y + z)^3/27"),
        ("x in [0, 1]", "", "x^2*(1 - x) <= 4/27"),
        ("x in [0, inf)", "", "(1 + x)^(7/3) >= 1 + 7/3*x"),
        ("x in [0, 4]", "", "sqrt(x) >= x/2"),
        ("", "", "sqrt(2)*sqrt(3) = sqrt(6)"),
        ("x in [1, inf)", "", "sqrt(x^2 + 3) > x"),
        ("x in [0, inf)", "", "exp(x) >= 1 + x + x^2/2"),
        ("n in Z[1, inf)", "", "(1 - 1/n)^n < 1/e"),
        ("n in Z(-inf, inf)", "", "(n - 2)*(n - 3) >= 0"),
        ("n in Z[1, inf)", "", "2^n >= 2*n"),
        ("x in [0, inf)", "", "ceil(3*x) < 3*x + 1"),
        ("x in (0, 1]; n in (0, inf)", "n >= 2*log(1/x)", "exp(-n/2) <= x"),
        ("s in [0, 1]; x in [0, 2]", "", "log(1 + s*(exp(x) - 1)) <= s*(exp(x) - 1)"),
        ("x in [0, 5]", "", "log(1 + x) >= log(6)/5*x"),  # a chord
        ("p in [0, 1]; q in [0, 1]; r in [0, 1]; d in [0, 1]; E in [1, 9]", "p <= E*q + d; q <= E*r + d",
         "p <= E^2*r + (1 + E)*d"),
    ],
)  # fmt: skip
def test_classical_inequalities_are_proved(variables: str, assume: str, claim: str) -> None:
    proved(variables, assume, claim)


@pytest.mark.parametrize(
    ("variables", "assume", "claim"),
    [
        ("x in [0, 1]", "", "x^2 < x"),  # at an included end only
        ("x in [0, 1]; y in [0, 1]", "", "x*y < x"),
        ("n in Z[1, inf)", "", "(1 - 1/n)^n <= 999999/1000000/e"),  # at infinity only
        ("x in (0, inf)", "", "x/(x + 1) <= 999999/1000000"),
        ("x in [1, 2]", "", "1/(x - 13/9)^2 > 0"),  # not defined inside
        ("x in [1, 2]", "", "log(x - 1) <= x"),  # not defined at an end
        ("x in [-1, 1]", "", "sqrt(x)^2 = x"),
        ("x in [0, 3]", "", "(x - 1)*(x - 2) >= 0"),  # true at integers only
        ("u in [0, 1]; a in [0, 1]; b in [0, 1]", "u <= a + b; a <= 3/10; b <= 2/5", "u <= 7/10*999999/1000000"),
    ],
)
def test_what_fails_is_refuted_by_a_point(variables: str, assume: str, claim: str) -> None:
    refuted(variables, assume, claim)


# decide


def test_the_same_claim_in_other_names_and_another_order_gets_the_same_answer() -> None:
    one = decide(Formula("x in [0, 1]; y in (0, 2]", "x <= y", "x/y <= 1"))
    other = decide(Formula("b in (0, 2]; a in [0, 1]", "a <= b", "a/b <= 1"))
    assert one.answer is other.answer is Answer.PROVED


def test_contradicting_assumptions_are_vacuous() -> None:
    formula = Formula("x in [0, 1]; y in [0, 1]", "x + y > 2; x <= 1", "x = 7")
    found = decide(formula)
    assert found.answer is Answer.VACUOUS
    assert found.vacuous is not None
    check_vacuous(formula, found.vacuous)


@pytest.mark.parametrize(
    ("variables", "assume"),
    [
        ("x in (-inf, inf)", "x <= 0; x > 0"),
        ("x in (0, 1)", "x <= 0"),
        ("x in [0, 1)", "x >= 1"),
        ("p in [0, 1]; q in [0, 1]", "p = q; p > q"),
        ("x in (-inf, inf); y in (-inf, inf); z in (-inf, inf)", "x < y; y < z; z < x"),
        ("x in (0, inf); y in (-inf, inf)", "y <= -x; y >= 0"),
    ],
)
def test_premises_that_only_their_strictness_sets_against_each_other_are_vacuous(variables: str, assume: str) -> None:
    formula = Formula(variables, assume, "1 = 2")
    found = decide(formula)
    assert found.answer is Answer.VACUOUS
    assert found.vacuous is not None
    check_vacuous(formula, found.vacuous)
    loosened = Formula(
        variables.replace("(0", "[0").replace("1)", "1]"),
        assume.replace("<", "<=").replace(">", ">=").replace("==", "="),
        "1 = 2",
    )
    assert decide(loosened).answer is Answer.REFUTED


def test_a_formula_without_variables_is_decided() -> None:
    proved("", "", "exp(1) <= e < 272/100")
    refuted("", "", "pi < 314159/100000")


def test_an_exponential_of_an_exponential_is_no_error() -> None:
    nested = Formula("p in [0, 1]; q in [0, 1]", "q <= exp(p*(exp(-1) - 1))", "p <= 1")
    assert decide(nested, (), named_lemmas(), seconds=10.0).answer in (Answer.UNDECIDED, Answer.PROVED)


def test_a_spent_budget_is_undecided_not_an_error() -> None:
    formula = Formula("x in (0, 1); y in (0, 1)", "", "exp(x*y) + log(1 + x) - sqrt(y) > exp(x) - 3/2 - x*y^7")
    began = time.monotonic()
    found = decide(formula, seconds=0.2, refuting=False)
    assert found.answer in (Answer.UNDECIDED, Answer.PROVED)
    assert time.monotonic() - began < 10


def test_what_is_left_is_named() -> None:
    found = decide(Formula("x in (0, 1)", "", "0 < x < 1/2"), seconds=2, refuting=False)
    assert found.answer is Answer.UNDECIDED
    assert found.stuck == ("link 1",)


def test_every_link_of_a_chain_is_proved() -> None:
    proved("x in (0, 1)", "", "0 < x^2 < x < 1")
    assert refuted("x in (0, 1]", "", "0 < x^2 <= x < 1") == {"x": "1"}


def test_points_outside_the_domain_do_not_matter() -> None:
    proved("x in [0, 1]", "", "x^2 <= x")
    proved("x in [0, 1/2]", "", "x^2 <= x")
    refuted("x in [0, 1.001]", "", "x^2 <= x")


# hints


@pytest.mark.parametrize(
    "hint",
    [
        "split x at 1/2",
        "case x - 1/3",
        "have x^2 <= x",
        "link 0: have x <= 1",
        "lemma log_below x = 1 + x",
        "substitute x = 1/t with t in [1, inf) as 1/x",
    ],
)
def test_hints_lead_to_certificates_that_replay(hint: str) -> None:
    proved("x in (0, 1]", "", "log(1 + x) <= x", hint)


@pytest.mark.parametrize("hint", ["", "prove it", "substitute x = t", "link x: have x <= 1", "have"])
def test_a_hint_of_no_known_kind_is_an_error(hint: str) -> None:
    with pytest.raises(InvalidArgument):
        decide(Formula("x in (0, 1]", "", "log(1 + x) <= x"), (hint,), named_lemmas(), refuting=False)


def test_false_hints_prove_nothing() -> None:
    false = Formula("x in [0, 1]", "", "x <= 1/2")
    for hint in ("have x <= 1/2", "have x < x", "substitute x = t with t in [0, 1/2] as x", "case x - 1/2"):
        assert decide(false, (hint,), named_lemmas(), seconds=2, refuting=False).answer is Answer.UNDECIDED


def test_hints_are_read_with_their_place() -> None:
    assert parse_hint("case x - y") == (None, "case", "x - y")
    assert parse_hint("link 2: split x at 1/2") == (2, "split", "x at 1/2")


# language


@pytest.mark.parametrize(
    "text", ["", "x +", "x y", "(x", "f(x)", "log(x, y)", "max(x)", "x << 1", "2x", "z", "__import__", "1e5", "x ** 2"]
)
def test_texts_that_are_no_expressions_are_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        tree(text)


@pytest.mark.parametrize(
    "text", ["x", "x in [1, 0]", "x in (0, 0)", "e in [0, 1]", "x in Z(0, 1)", "x in [0, a]", "x in [0, 1/0]"]
)
def test_domains_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        parse_domain(text)


def test_a_decimal_is_the_number_that_is_written() -> None:
    assert tree("0.1").value == Fraction(1, 10)
    assert proved("", "", "0.1 + 0.2 = 0.3") is None


def test_powers_bind_to_the_right_and_before_minus() -> None:
    assert is_zero(tree("2^3^2 - 512"))
    assert floats_of(tree("-x^2"), {"x": np.array([3.0])}).tolist() == [-9.0]
    assert floats_of(tree("1 - 2 - 3"), {}).tolist() == [-4.0]


def test_texts_of_trees_are_read_back_as_they_were(rng: np.random.Generator) -> None:
    texts = ["x", "y", "2", "1/3"]
    for _ in range(300):
        a, b = (texts[int(i)] for i in rng.integers(len(texts), size=2))
        made = [f"({a})+({b})", f"({a})-({b})", f"({a})*({b})", f"({a})/({b})", f"-({a})", f"({a})^2", f"max({a}, {b})"]
        text = made[int(rng.integers(len(made)))]
        if len(text) < 150:
            texts.append(text)
        values = {name: rng.uniform(0.5, 2, 5) for name in ("x", "y")}
        first, again = tree(text), tree(str(tree(text)))
        assert np.allclose(floats_of(first, values), floats_of(again, values), equal_nan=True)
        assert names_in(first) == names_in(again)


def test_deep_and_long_texts_are_refused_quickly() -> None:
    for text in ("(" * 500 + "x" + ")" * 500, "x+" * 3000 + "x", "9" * 100):
        with pytest.raises(InvalidArgument):
            tree(text)


# normal forms


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("x/(1 - x) - 1/(1 - x)", "-1"),
        ("exp(x + y)", "exp(x)*exp(y)"),
        ("exp(2*x) - 1", "(exp(x) - 1)*(exp(x) + 1)"),
        ("log(exp(x))", "x"),
        ("log(8)", "3*log(2)"),
        ("sqrt(x)*sqrt(x)", "x"),
        ("2^(n + 1)", "2*2^n"),
        ("(x + y)^3", "x^3 + 3*x^2*y + 3*x*y^2 + y^3"),
        ("e^x", "exp(x)"),
    ],
)
def test_equal_expressions_have_difference_0(left: str, right: str) -> None:
    assert is_zero(tree(f"{left} - ({right})"))


@pytest.mark.parametrize("text", ["sqrt(x^2) - x", "log(x*y) - log(x)", "x/x^2 - x", "floor(x) - x", "exp(x) - e*x"])
def test_different_expressions_are_not_taken_for_equal(text: str) -> None:
    assert not is_zero(tree(text))


def test_normal_forms_have_the_value_of_what_they_stand_for(rng: np.random.Generator) -> None:
    pieces = ["x", "y", "3/2", "exp(x)", "log(1 + y)", "sqrt(x)", "1/(x + y)", "2^n", "(x - y)^2", "x^(1/3)"]
    for _ in range(60):
        chosen = rng.choice(pieces, 4)
        made = tree(f"({chosen[0]}*({chosen[1]}) - {chosen[2]})/(1 + ({chosen[3]})^2)")
        values = {name: rng.uniform(0.5, 2, 8) for name in NAMES}
        assert np.allclose(floats_of(made, values), floats_of(simplify(made), values), rtol=1e-8)


def test_what_is_linear_in_an_atom_is_split() -> None:
    root = tree("sqrt(x)")
    assert linear_in(tree("sqrt(x)*y - x"), root) == (tree("y"), simplify(tree("-x")))
    assert linear_in(tree("sqrt(x)*y*sqrt(x)^2 + sqrt(x)*log(sqrt(x))"), root) is None
    assert linear_in(tree("y"), root) is None


# sums of products of premises


def test_combinations_add_up_exactly(rng: np.random.Generator) -> None:
    for _ in range(10):
        c = [Fraction(int(rng.integers(1, 9)), int(rng.integers(1, 9))) for _ in range(3)]
        goal = tree(f"{c[0]}*x*(1 - x) + {c[1]}*(1 - x)*y + {c[2]}")
        premises = [tree(text) for text in ("x", "1 - x", "y")]
        found = combine(goal, True, premises, [False, False, False], 2)
        assert found is not None
        total = tree("0*x")
        for value, chosen in found:
            assert value > 0
            product = tree(str(value))
            for i in chosen:
                product = tree(f"({product})*({premises[i]})")
            total = tree(f"({total}) + ({product})")
        assert is_zero(tree(f"({goal}) - ({total})"))


def test_coefficients_that_are_no_doubles_are_combined_all_the_same() -> None:
    x, large = tree("x"), 10**400
    assert combine(tree("x * 10^40"), False, [x], [False], 1) == [(Fraction(10**40), (0,))]
    generators, (unit,) = polynomials([x])
    assert len(generators) == 1
    assert unit is not None
    for size in (Fraction(large), Fraction(1, large)):
        product = dict.fromkeys(unit, size)
        assert _solve(unit, [((0,), product)], [False], dict.fromkeys(unit, 0), False) == [(1 / size, (0,))]
        assert _solve(product, [((0,), unit)], [False], dict.fromkeys(unit, 0), False) == [(size, (0,))]


def test_a_strict_goal_needs_a_strict_product() -> None:
    x = tree("x")
    assert combine(x, True, [x], [False], 1) is None
    assert combine(x, True, [x], [True], 1) == [(Fraction(1), (0,))]


def test_nothing_below_0_is_a_combination() -> None:
    assert combine(tree("x - 1/1000000"), False, [tree("x"), tree("1 - x")], [True, True], 3) is None


def test_squares_of_a_form_that_is_below_0_somewhere_are_not_offered() -> None:
    assert not squares(tree("x^2 - 3*x*y + 2*y^2"))
    assert not squares(tree("x*y"))
    assert not squares(tree("x + 1"))
    assert [str(found) for found in squares(tree("x^4 - 4*x^2 + 4"))]


# points


def test_points_satisfy_domain_and_assumptions(rng: np.random.Generator) -> None:
    problem = parse_formula(Formula("n in Z[3, inf); x in (0, 1)", "n*x >= 7; x < 1/100", "n >= 1"))
    point = find_point(problem, rng)
    assert point is not None
    assert point["n"].denominator == 1
    assert point["n"] * point["x"] >= 7
    assert 0 < point["x"] < Fraction(1, 100)


def test_floats_do_not_refute_what_only_rounding_breaks(rng: np.random.Generator) -> None:
    for claim in ("x/(1 + x) < 1", "(1 + 1/x)^x < e", "sqrt(1 + x^2) > x", "log(1 + 1/x) < 1/x"):
        assert refute(parse_formula(Formula("x in [1, inf)", "", claim)), rng) is None


# sums and products over an index

_SIZES = "k in Z[0, inf); n in Z[1, inf)"
_WEIERSTRASS = ("induct k", "have prod(i, 0, k-1, 1 - i/n) <= 1 by induct k")


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("variables", "assume", "claim", "hints"),
    [
        ("", "", "sum(i, 1, 10, i) = 55", ()),
        ("", "", "prod(i, 1, 5, i) = fact(5)", ()),
        ("", "", "prod(i, 1, 0, 1/(i - 1)) = 1", ()),
        ("n in Z[0, inf)", "", "sum(i, 1, n, i) = n*(n + 1)/2", ()),
        ("n in Z[0, inf)", "", "sum(i, 1, n, i^2) = n*(n + 1)*(2*n + 1)/6", ()),
        ("n in Z[0, inf)", "", "sum(i, 0, n, 2^i) = 2^(n + 1) - 1", ()),
        ("n in Z[0, inf)", "", "prod(i, 1, n, i) = fact(n)", ()),
        ("n in Z[0, inf); c in (-inf, inf)", "", "sum(i, 1, n, c) = n*c", ()),
        ("n in Z[0, inf); q in (0, 1)", "", "sum(i, 0, n, q^i) = (1 - q^(n + 1))/(1 - q)", ()),
        ("n in Z[1, inf)", "", "sum(i, 1, n, 1/i) <= 1 + log(n)",
         ("induct n", "lemma log_below x = n/(n + 1)", "lemma log_quotient_below x = n; y = n + 1")),
        (_SIZES, "k <= n", "prod(i, 0, k-1, 1 - i/n) >= 1 - sum(i, 0, k-1, i/n)", _WEIERSTRASS),
        (_SIZES, "k <= n", "prod(i, 0, k-1, 1 - i/n) <= exp(-sum(i, 0, k-1, i/n))",
         ("induct k", "lemma exp_above x = -k/n", "have 0 <= 1 - k/n")),
    ],
)  # fmt: skip
def test_sums_and_products_by_induction(variables: str, assume: str, claim: str, hints: tuple[str, ...]) -> None:
    proved(variables, assume, claim, *hints)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("variables", "assume", "claim", "hints"),
    [
        ("n in Z[0, inf)", "", "sum(i, 1, n, i) = n*(n + 2)/2", ()),
        ("n in Z[0, inf)", "", "sum(i, 1, n, i) < n*(n + 1)/2", ()),
        ("n in Z[0, inf)", "", "sum(i, 0, n, 2^i) = 2^(n + 1)", ()),
        ("n in Z[0, inf)", "", "sum(i, 0, n - 1, 1) = n - 1", ()),
        ("n in Z(-inf, inf)", "", "sum(i, 1, n, 1) = n", ()),
        ("n in Z[0, inf)", "", "sum(i, 0, n, 1/i) >= 0", ()),
        ("n in Z[0, inf)", "", "prod(i, 0, n, i) = fact(n)", ()),
        (_SIZES, "k <= n", "prod(i, 0, k-1, 1 - i/n) > 1 - sum(i, 0, k-1, i/n)", _WEIERSTRASS),
        (_SIZES, "k <= n", "prod(i, 0, k, 1 - i/n) >= 1 - sum(i, 0, k-1, i/n)", _WEIERSTRASS),
        (_SIZES, "k <= 2*n", "prod(i, 0, k-1, 1 - i/n) <= exp(-sum(i, 0, k-1, i/n)) - 1/9",
         ("induct k", "lemma exp_above x = -k/n")),
    ],
)  # fmt: skip
def test_false_sums_are_refuted_and_not_proved(variables: str, assume: str, claim: str, hints: tuple[str, ...]) -> None:
    refuted(variables, assume, claim)
    formula = Formula(variables, assume, claim)
    found = decide(formula, hints, named_lemmas(), seconds=2.0, refuting=False)
    if found.certificate is not None:
        with pytest.raises(CheckFailed):
            check_proof(formula, found.certificate, named_lemmas())


def test_hints_for_one_part_of_a_split_or_case() -> None:
    formula = ("x in [-1, 1]", "", "abs(x) + x^2 >= 2*x^2")
    proved(*formula, "split x at 0", "first: have x^2 <= -x", "second: have x^2 <= x")
    with pytest.raises(InvalidArgument, match="first must come after a split or case"):
        decide(Formula(*formula), ("first: have x^2 <= -x",))


def test_induction_is_on_an_integer_variable() -> None:
    with pytest.raises(InvalidArgument, match="induct is on an integer variable"):
        decide(Formula("x in [0, 1]", "", "x <= 1 + sum(i, 1, 0, x)"), ("induct x",))
    with pytest.raises(InvalidArgument, match="induct is on a variable"):
        decide(Formula("x in [0, 1]", "", "x <= 1 + sum(i, 1, 0, x)"), ("induct y",))


@pytest.mark.parametrize("text", ["sum(x, 1, 2, x)", "sum(exp, 1, 2, 1)", "sum(i, 1, 2)", "sum(i, i, 2, 1)", "sum"])
def test_sums_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InvalidArgument):
        parse_expression(text, {"x"})


# what encoders of the papers missed


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    ("variables", "assume", "claim", "hints"),
    [
        ("x in [0, inf); y in [0, inf)", "x^2 <= y^2", "x <= y", ()),
        ("x in [0, inf); L in [0, inf)", "", "3*(x + sqrt(x*L/2)) <= 6*x + 3*L", ()),
        ("T in Z[1, inf); G in (0, inf)", "", "sqrt(32*T*G) = 4*sqrt(2*T*G)", ()),
        ("V in (0, inf); eps in (0, inf); n in Z[1, inf)", "", "sqrt(V/(eps*n)) = sqrt(V/n)/sqrt(eps)", ()),
        ("y in [0, inf)", "", "sqrt(y^2) <= y", ()),
        ("g in Z(-inf, inf)", "", "abs(max(0, abs(g) - 1) - max(0, abs(g + 2) - 1)) <= 2", ()),
        ("n in Z[3, inf); s in (0, 1)", "", "s^(n - 2) > 0", ()),
        ("x in (0, inf)", "", "ceil(exp(x)) >= 2", ("lemma exp_above x = x", "integer ceil(exp(x)) >= 2")),
        ("x in [0, inf); y in [0, inf)", "x <= y", "sqrt(x) <= sqrt(y)", ()),
        ("b in (0, inf)", "", "fact(10)*(2*b)^10 > fact(10)*fact(2)*b^10", ()),
        ("", "", "binom(90000, 676)*(1/400)^676*(399/400)^89324 > 4*(46/125)^300/4", ()),
        ("balls in [1, inf); B in [1, inf); k in Z[0, inf)", "balls <= B^k", "balls*B <= B^(k + 1)", ()),
        ("d in Z[1, inf); s in Z[1, inf); count in Z[1, inf)", "count <= d^s", "1/count >= 1/d^s", ()),
        ("V in Z[1, inf); P in Z[0, inf)", "P <= V", "2^P <= (e*V/V)^V",
         ("have 2^P <= 2^V", "have log(2) <= 1", "have 2^V <= exp(V)")),
        ("p in (0, 1); q in (0, 1)", "p <= q", "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 2*(p - q)^2",
         ("substitute q = p + s*(1 - p) with s in [0, 1) as (q - p)/(1 - p)",)),
    ],
)  # fmt: skip
def test_statements_that_were_missed(variables: str, assume: str, claim: str, hints: tuple[str, ...]) -> None:
    proved(variables, assume, claim, *hints)


# binomials


def test_a_binomial_is_at_least_a_power() -> None:
    proved("n in Z[1, inf); k in Z[1, inf)", "k <= n", "binom(n, k) >= (n/k)^k")
    proved("a in Z[1, inf); b in Z[1, inf)", "b <= a", "(a/b)^b <= binom(a, b)")
    proved("n in Z[1, inf); k in Z[1, inf)", "k <= n", "binom(n, k) >= (n/k)^k/2")
    assert (
        decide(Formula("n in Z[1, inf); k in Z[1, inf)", "k <= n", "binom(n, k) >= 2*(n/k)^k")).answer is Answer.REFUTED
    )


def test_what_is_less_than_a_lemma_is_proved_from_it() -> None:
    coins = "p in (0, 1); q in (0, 1)"
    proved(coins, "", "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= (p - q)^2", seconds=60)
    refuted(coins, "", "p*log(p/q) + (1 - p)*log((1 - p)/(1 - q)) >= 3*(p - q)^2")
