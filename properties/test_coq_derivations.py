"""What is written for Coq of terms and facts means what they mean: read by few lines of its own, in finite models."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpcheck.proof.coq.equalities import sum_text
from dpcheck.proof.coq.objects import definedness, term_text
from dpcheck.proof.derivation.normal import Normal
from dpcheck.proof.derivation.reading import read_term
from dpcheck.proof.derivation.terms import DerivationFailed
from properties.coq_texts import read
from properties.finite_models import Model, model_of
from properties.test_derivations import OBJECTS, drawn_term

_SIGNS = {"+", "-", "*", "/", "^"}


def worth(part: Any, model: Model, at: Mapping[str, Any]) -> Any:
    """The value of what was read, in a model: numbers, names, functions, averages, sums, largest values, events."""
    if isinstance(part, str):
        if part in at:
            return at[part]
        if part[:2] in ("v_", "p_"):
            return model.numbers[part[2:]] if part.startswith("v_") else model.points[part[2:]]
        return Fraction(int(part))
    if len(part) == 1:
        return worth(part[0], model, at)
    head = part[0]
    if head in ("mean", "total", "largest", "smallest", "over"):
        kind, function = part[1], part[-1]
        name, inside = function[1], function[function.index("=>") + 1]
        kind = kind[1] if head == "over" else kind
        head = {"L_": "mean", "S_": "total"}[kind[:2]] if head == "over" else head
        values = [worth(inside, model, {**at, name: index}) for index in range(model.many(kind[2:]))]
        return model.over(head, kind[2:], values)
    if head == "is_at_most":
        return Fraction(int(worth(part[1], model, at) <= worth(part[2], model, at)))
    if head in ("Rmax", "Rmin"):
        return (max if head == "Rmax" else min)(worth(part[1], model, at), worth(part[2], model, at))
    if isinstance(head, str) and head.startswith("f_"):
        return model.functions[head[2:]][tuple(int(worth(each, model, at)) for each in part[1:])]
    if head in ("-", "/") and len(part) == 2:
        inner = worth(part[1], model, at)
        return -inner if head == "-" else (1 / inner if inner else Fraction(0))
    if len(part) == 5:  # a coefficient times a product, and the rest
        return worth(part[:3], model, at) + worth(part[4], model, at)
    left, sign, right = part
    assert sign in _SIGNS, part
    one, other = worth(left, model, at), worth(right, model, at)
    if sign == "/":
        return one / other if other else Fraction(0)  # as Coq has it
    return {"+": one + other, "-": one - other, "*": one * other, "^": one ** int(other) if sign == "^" else 0}[sign]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_the_text_of_a_term_and_of_its_normal_form_have_its_value(seed: int) -> None:
    draw = np.random.default_rng(seed)
    term = read_term(drawn_term(4, (), draw), OBJECTS)
    texts = [term_text(term, OBJECTS)]
    with contextlib.suppress(DerivationFailed):  # a denominator that is not seen not to be 0
        texts.append(sum_text(Normal(OBJECTS).of(term), OBJECTS))
    for _ in range(4):
        model = model_of(OBJECTS, draw)
        assert model is not None
        try:
            value = model.value(term, {})
        except ZeroDivisionError:
            continue
        for text in texts:
            assert worth(read(text), model, {}) == value, text


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**32 - 1))
def test_where_what_is_asked_holds_a_term_is_defined(seed: int) -> None:
    draw = np.random.default_rng(seed)
    term = read_term(f"1/({drawn_term(4, (), draw)})", OBJECTS)
    asked = definedness(term, OBJECTS)
    for _ in range(4):
        model = model_of(OBJECTS, draw)
        assert model is not None
        try:
            model.value(term, {})
            defined = True
        except ZeroDivisionError:
            defined = False
        assert all(holds(each, model) for each in asked) == defined, asked


def holds(asked: str, model: Model) -> bool:
    """Whether a condition holds: ``forall p_x : K, ...`` or ``a <> 0``."""
    bound = list[tuple[str, str]]()
    while asked.startswith("forall "):
        name, kind, asked = re.fullmatch(r"forall (\S+) : (\S+), (.*)", asked, re.DOTALL).groups()  # type: ignore[union-attr]
        bound.append((name, kind[2:]))
    term = read(asked.removesuffix(" <> 0"))
    places: list[dict[str, Any]] = [{}]
    for name, kind in bound:
        places = [{**at, name: index} for at in places for index in range(model.many(kind))]
    return all(worth(term, model, at) != 0 for at in places)
