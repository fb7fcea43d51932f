"""Bounds that are shown stay true: rounded to their own side, by less than a unit of the last digit."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpcheck.model.bounds_shown import at_least, at_most, within

NUMBERS = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15)
FORMS = st.sampled_from((".2g", ".3g", ".4g", ".6g", ".3f", ".4f", ",.0f"))


def _read(text: str) -> float:
    return float(text.replace(",", ""))


@given(NUMBERS, FORMS)
def test_no_bound_says_more_than_it_is(number: float, form: str) -> None:
    low, high = _read(at_least(number, form)), _read(at_most(number, form))
    noise = 1e-12 * abs(number)
    assert low - noise <= number <= high + noise
    assert _read(format(number, form)) in (low, high)
    assert within(number, number, form) == f"[{at_least(number, form)}, {at_most(number, form)}]"


@given(NUMBERS, FORMS)
def test_what_is_shown_is_shown_again_as_it_is(number: float, form: str) -> None:
    for rounded in (at_least, at_most):
        shown = rounded(number, form)
        assert rounded(_read(shown), form) == shown


@pytest.mark.parametrize("number", [math.inf, -math.inf, math.nan, 0.0])
def test_what_has_no_digits_is_shown_as_it_is(number: float) -> None:
    assert at_least(number) == at_most(number) == format(number, ".3g")


def test_rounding_to_the_nearest_is_caught() -> None:
    with pytest.raises(AssertionError):
        assert _read(format(1.1758, ".3g")) <= 1.1758
    assert _read(at_least(1.1758)) <= 1.1758
