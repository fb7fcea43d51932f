"""Normal forms of terms, and lines that are derived, against finite models that share nothing with the rules."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpcheck.proof.derivation.check import Checker
from dpcheck.proof.derivation.normal import Normal
from dpcheck.proof.derivation.reading import read_fact, read_objects, read_term
from dpcheck.proof.derivation.terms import DerivationFailed
from dpcheck.proof.statement import Status
from properties.decided_lines import line_status
from properties.finite_models import Model, model_of

OBJECTS = read_objects(
    "p in [0, 1]; n in Z[1, 3]; law mu; law nu; set H of n; set G of 2; f(mu) in [0, 1]; b(mu) in Z[0, 1]; "
    "c(nu) in Z[0, 1]; g(mu, nu) in [-1, 1]; k(H) in Z[-1, 2]; m(mu, H) in Z[0, 1]; r(H, G) in (0, 2]; s(mu): H; "
    "point h0: H; point g0: G"
)
#: Functions with the types that they take, and what a term may be instead.
_VALUES = {
    "f({})": ("mu",), "b({})": ("mu",), "k(s({}))": ("mu",), "c({})": ("nu",), "g({}, {})": ("mu", "nu"),
    "k({})": ("H",), "m({}, {})": ("mu", "H"), "r({}, {})": ("H", "G"),
}  # fmt: skip
_POINTS = {"H": ["h0"], "G": ["g0"]}


def drawn_term(depth: int, bound: tuple[tuple[str, str], ...], draw: np.random.Generator) -> str:
    """A term as text, in which bound points may stand."""

    def one(options: list[str]) -> str:
        return options[int(draw.integers(len(options)))]

    def points(kind: str) -> list[str]:
        return [name for name, of in bound if of == kind] + _POINTS.get(kind, [])

    def smaller(more: tuple[tuple[str, str], ...] = ()) -> str:
        return drawn_term(depth - 1, (*bound, *more), draw)

    choice = int(draw.integers(100))
    if depth <= 0 or choice < 25:
        options = ["p", "0", "1", "2", "1/2"]
        for text, kinds in _VALUES.items():
            if all(points(kind) for kind in kinds):
                options += [text.format(*(one(points(kind)) for kind in kinds))] * 2
        return one(options)
    if choice < 50:
        return f"({smaller()} {one(['+', '-', '*'])} {smaller()})"
    if choice < 75:
        kind = one(["mu", "nu", "H", "G"])
        head = "mean" if kind in ("mu", "nu") else one(["total", "total", "largest", "smallest"])
        name = f"v{len(bound)}"
        return f"{head}({name}: {kind}, {smaller(((name, kind),))})"
    if choice < 85:
        return f"[{smaller()} {one(['<=', '<', '>=', '>', '='])} {smaller()}]"
    if choice < 90:
        return f"({smaller()})^{int(draw.integers(4))}"
    if choice < 94:
        return f"({smaller()}/({smaller()}))"
    return f"{one(['max', 'min'])}({smaller()}, {smaller()})"


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_a_term_and_its_normal_form_are_one_number_in_its_range(seed: int) -> None:
    draw = np.random.default_rng(seed)
    term = read_term(drawn_term(4, (), draw), OBJECTS)
    normal = Normal(OBJECTS)
    try:
        total = normal.of(term)
    except DerivationFailed:
        return  # a denominator that is not seen not to be 0
    bounds = normal.range_of_sum(total)
    for _ in range(4):
        model = model_of(OBJECTS, draw)
        assert model is not None
        value = model.value(term, {})
        assert value == model.sum_value(total, {}), str(term)
        assert bounds.low is None or value >= bounds.low, str(term)
        assert bounds.high is None or value <= bounds.high, str(term)
        assert not (bounds.nonzero and value == 0), str(term)
        assert not (bounds.integer and value.denominator != 1), str(term)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_a_term_is_what_it_is_when_it_is_written_and_read_again(seed: int) -> None:
    term = read_term(drawn_term(4, (), np.random.default_rng(seed)), OBJECTS)
    assert str(read_term(str(term), OBJECTS)) == str(term)


def holds_everywhere(model: Model, checker: Checker, name: str) -> bool:
    """Whether a premise is defined and holds at all points of its binders, which are one of mu and one of H."""
    fact = checker.facts[name]
    places = itertools.product(*(range(model.many(str(binder.of))) for binder in fact.binders))
    names = [binder.name for binder in fact.binders]
    try:
        return all(all(model.holds(link, dict(zip(names, at, strict=True))) for link in fact.claim) for at in places)
    except ZeroDivisionError:
        return False


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_a_drawn_line_that_is_proved_holds_in_all_models_of_its_premises(seed: int) -> None:
    draw = np.random.default_rng(seed)
    bound = (("x", "mu"), ("h", "H"))
    over = "for x: mu, h: H: "
    checker = Checker(OBJECTS, {})
    using = []
    for_all = bool(draw.integers(2))
    try:
        for number in range(int(draw.integers(3))):
            everywhere = bool(draw.integers(2))
            sides = [drawn_term(2, bound if everywhere else (), draw) for _ in range(2)]
            checker.keep(f"g{number}", read_fact(f"{over if everywhere else ''}{sides[0]} <= {sides[1]}", OBJECTS))
            averaged = [f"mean of {head} of g{number} over h over x" for head in ("total", "largest", "smallest")]
            at = [f"g{number}", f"g{number} at h = h0"] if for_all else averaged
            using.append(at[int(draw.integers(len(at)))] if everywhere else f"g{number}")
        sides = [drawn_term(3, bound if for_all else (), draw) for _ in range(2)]
        relation = ("<=", "<", "=")[int(draw.integers(3))]
        goal = f"{over if for_all else ''}{sides[0]} {relation} {sides[1]}"
        result = checker.line("goal", goal, "arithmetic", using)
    except DerivationFailed:
        return
    for _ in range(10 if line_status(result) is Status.PROVED else 0):
        model = model_of(OBJECTS, draw)
        assert model is not None
        if all(holds_everywhere(model, checker, name) for name in checker.facts if name != "goal"):
            assert model.fact_holds(result.fact, draw), f"{goal} from {using}"
