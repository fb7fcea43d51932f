"""What is written for Coq means what the checker means: its text, read by few lines of its own, has the same values."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcheck.proof.coq.terms import NotExported, plain, text
from dpcheck.proof.prover.checker_intervals import Undefined, evaluate, point
from dpcheck.proof.prover.checker_syntax import CheckFailed, Tree, parse
from properties.coq_texts import read

NAMES = ("x", "y", "n")
ONE = {
    "exp": math.exp, "ln": math.log, "sqrt": math.sqrt, "Rabs": abs, "rounded_down": math.floor,
    "rounded_up": math.ceil, "-": lambda a: -a, "/": lambda a: 1 / a,
}  # fmt: skip
TWO: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "^": lambda a, b: a**b, "Rmax": max, "Rmin": min, "power": lambda a, b: a**b,
}  # fmt: skip


SHAPES = (
    "({} + {})", "({} - {})", "({})*({})", "({})/({})", "-({})", "exp(({})/9)", "log({})", "sqrt({})", "abs({})",
    "max({}, {})", "min({}, {})", "floor({})", "ceil({})", "({})^2", "({})^(-1)", "({})^(1/2)", "2^({})",
    "e^({})", "({})^n",
)  # fmt: skip


def value_of(written: str, values: dict[str, Any]) -> Any:
    """The value of a text of Coq: numbers, names, and in brackets a function with arguments or a sign between two."""

    def worth(part: Any) -> Any:
        if isinstance(part, str):
            if part == "PI":
                return math.pi
            return values[part.removeprefix("v_")] if part.startswith("v_") else int(part)
        if len(part) == 1:
            return worth(part[0])
        if len(part) == 2:
            return ONE[part[0]](worth(part[1]))
        first, middle, last = part
        if isinstance(middle, str) and middle in TWO and not (isinstance(first, str) and first in TWO):
            return TWO[middle](worth(first), worth(last))
        return TWO[first](worth(middle), worth(last))

    return worth(read(written))


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    """Texts of the language of formulas."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from([*NAMES, "2", "3", "1/2", "0.25", "e", "pi"]))
    inner = expressions(depth=depth - 1)
    shape = draw(st.sampled_from(SHAPES))
    return shape.format(*(draw(inner) for _ in range(shape.count("{}"))))


@settings(max_examples=1000)
@given(
    expressions(),
    st.fixed_dictionaries(
        {"x": st.sampled_from([Fraction(1, 3), Fraction(7, 4), Fraction(-2, 5)]),
         "y": st.sampled_from([Fraction(1), Fraction(9, 7)]), "n": st.sampled_from([Fraction(1), Fraction(3)])}
    ),
)  # fmt: skip
def test_the_text_has_the_value_that_the_checker_gives(written: str, values: dict[str, Fraction]) -> None:
    try:
        tree = parse(written, set(NAMES))
        enclosure = evaluate(tree, {name: point(value, 120) for name, value in values.items()}, 120)
        shown = [text(tree), text(plain(tree))]
    except (CheckFailed, Undefined, NotExported):
        assume(False)
    try:
        found = [value_of(each, {name: float(value) for name, value in values.items()}) for each in shown]
    except (ValueError, OverflowError, ZeroDivisionError):
        assume(False)  # doubles leave what is rounded at an integer on the other side
    middle = _middle(enclosure)
    assume(abs(middle) < 1e12 and not _near_a_step(tree, values))
    for each in found:
        assume(not isinstance(each, complex))
        assert math.isclose(each, middle, rel_tol=1e-6, abs_tol=1e-6), (written, each, middle)


def _middle(enclosure: Any) -> float:
    low, high = str(enclosure).strip("[]").split(", ")
    assume("inf" not in low + high)
    return (float(low) + float(high)) / 2


def _near_a_step(tree: Tree, values: dict[str, Fraction]) -> bool:
    """Whether something that is rounded lies so near an integer that doubles may take the other side."""
    if tree.head in ("floor", "ceil"):
        inside = evaluate(tree.parts[0], {name: point(value, 120) for name, value in values.items()}, 120)
        if abs(_middle(inside) - round(_middle(inside))) < 1e-6:
            return True
    return any(_near_a_step(part, values) for part in tree.parts)
