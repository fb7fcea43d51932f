"""Premises that contradict each other by their strictness alone are seen to, and what holds somewhere never is."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.proof.prover.checker import check_vacuous
from dpcheck.proof.prover.decide import Answer, decide
from dpcheck.proof.prover.formula import Formula

NAMES = ("a", "b", "c", "d", "f")
VARIABLES = "; ".join(f"{name} in (-inf, inf)" for name in NAMES)


@st.composite
def circles(draw: st.DrawFn) -> tuple[list[str], int]:
    """Premises ``a <= b + 1``, ``b < c - 2``, ... round a circle, and the sum of what is added: one is strict."""
    names = draw(st.permutations(NAMES))[: draw(st.integers(1, 4))]
    steps = draw(st.lists(st.integers(-3, 3), min_size=len(names), max_size=len(names)))
    strict = draw(st.integers(0, len(names) - 1))
    scale = [draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(1, 3)])) for _ in names]
    premises = [
        f"{times}*{name} {'<' if place == strict else '<='} {times}*({following} + ({step}))"
        for place, (name, following, step, times) in enumerate(
            zip(names, [*names[1:], names[0]], steps, scale, strict=True)
        )
    ]
    return draw(st.permutations(premises)), sum(steps)


@settings(max_examples=40)
@given(circles())
def test_a_circle_is_a_contradiction_where_what_is_added_is_at_most_0(drawn: tuple[list[str], int]) -> None:
    premises, added = drawn
    formula = Formula(VARIABLES, "; ".join(premises), "a = a + 1")
    found = decide(formula, seconds=10.0)
    if added > 0:
        assert found.answer is not Answer.VACUOUS
        return
    assert found.answer is Answer.VACUOUS, premises
    assert found.vacuous is not None
    check_vacuous(formula, found.vacuous)
