"""The explicit bounds of four papers against formulas written a second time, in mpmath."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.theorems.bounds import BOUNDS as BASSILY
from dpcheck.papers.beimel2015.theorems.bounds import BOUNDS as BEIMEL
from dpcheck.papers.chaudhuri2011.theorems.bounds import BOUNDS as CHAUDHURI
from dpcheck.papers.wang2016.theorems.bounds import BOUNDS as WANG
from dpcheck.proof.bounds import Bound, Range, value_of

#: The precision of the second opinion: well above what is compared.
MP = mpmath.MPContext()
MP.dps = 60
DIGITS = 30


def ln(value: Any) -> Any:
    return MP.log(value)


def cover(eps: Any, delta: Any, dimension: Any, kappa: Any) -> Any:
    return dimension * (ln(kappa) - ln(eps)) - ln(delta)


def sanitised(v: Any, a: Any) -> Any:
    return 1 + 5 * 10**4 * v * (ln(20) - ln(a)) / a / a


def generalise(v: Any, a: Any, b: Any) -> Any:
    return 2 * 625 * v * (ln(25) - ln(a) - ln(b)) / a / a


def models(eps: Any, delta: Any, beta: Any, cutoff: Any, m: Any) -> Any:
    scale = 4 * MP.sqrt(2 * cutoff * (ln(2) - ln(delta))) / eps
    return 34 * MP.sqrt(2) * scale * (ln(4 * m * cutoff) - ln(min(delta, beta / 2)))


def agnostic_size(v: Any, a: Any, b: Any) -> Any:
    return 256 * (v * (9 * ln(2) - 2 * ln(a)) + 3 * ln(2) - ln(b)) / a**2


def parts(a: Any, b: Any, eps: Any, delta: Any, v: Any, factor: int = 12) -> Any:
    m = agnostic_size(v, a, b)
    return models(eps, delta, b, factor * a * m, m)


#: Each bound once more, in the paper's letters and in another shape than there; its arguments by their names here.
REFERENCES: dict[str, tuple[Bound, Callable[..., Any], tuple[str, ...]]] = {
    "chaudhuri2011/agnostic": (
        CHAUDHURI["agnostic"],
        lambda e, d, a, dim, k: 40 * (1 / a + 1 / e) / e * cover(e, d, dim, k),
        ("accuracy", "failure", "epsilon", "doubling", "smoothness"),
    ),
    "chaudhuri2011/realisable": (
        CHAUDHURI["realisable"],
        lambda e, d, a, dim, k: 160 / a / e * cover(e, d, dim, k),
        ("accuracy", "failure", "epsilon", "doubling", "smoothness"),
    ),
    "chaudhuri2011/thresholds": (
        CHAUDHURI["thresholds"],
        lambda e, d, a, m: 40 * (e + a) / (a * e * e) * (ln((MP.exp(a * m) * 3 + 5) / e) - ln(d)),
        ("accuracy", "failure", "epsilon", "excluded"),
    ),
    "chaudhuri2011/thresholds_necessary": (CHAUDHURI["thresholds_necessary"], lambda m: m, ("excluded",)),
    "chaudhuri2011/label_packing": (
        CHAUDHURI["label_packing"],
        lambda a, d: ln(MP.mpf(2) ** (d - 1)) / a,
        ("epsilon", "doubling"),
    ),
    "chaudhuri2011/label_necessary": (
        CHAUDHURI["label_necessary"],
        lambda e, a, d: ln(MP.mpf(2) ** d / 2 - 1) / (32 * a * e),
        ("accuracy", "epsilon", "doubling"),
    ),
    "chaudhuri2011/separators": (
        CHAUDHURI["separators"],
        lambda e, d, a, n: 160 / a / e * (-(n - 1) * ln(5) / ln(2) * ln(e) - ln(d)),
        ("accuracy", "failure", "epsilon", "dimension"),
    ),
    "chaudhuri2011/separators_necessary": (
        CHAUDHURI["separators_necessary"],
        lambda e, a, n: ln(MP.mpf(2) ** (n - 3) - 1) / (32 * a * e),
        ("accuracy", "epsilon", "dimension"),
    ),
    "chaudhuri2011/label_learner": (
        CHAUDHURI["label_learner"],
        lambda e, d, a, v, n: -16500 * (v * ln(e) + ln(d)) / e + 32 * (ln(n) - ln(d)) / a / e,
        ("accuracy", "failure", "epsilon", "vc", "cover"),
    ),
    "beimel2015/generic_labelled": (
        BEIMEL["generic_labelled"],
        lambda a, b, e, v: max(generalise(v, a, b), 10 * (sanitised(v, a) * ln(2) + ln(5 / b)) / a / e),
        ("accuracy", "failure", "epsilon", "vc"),
    ),
    "beimel2015/generic_unlabelled": (
        BEIMEL["generic_unlabelled"],
        lambda a, b, e, v, d: max(generalise(v, a, b), 20 * (sanitised(v, a) * ln(2) * d + ln(5 / b)) / a / e),
        ("accuracy", "failure", "epsilon", "vc", "bits"),
    ),
    "beimel2015/base": (
        BEIMEL["base"],
        lambda a, b, e, h: 4 / a * max(1 / e, 2) * (ln(2 * h) - ln(b)),
        ("accuracy", "failure", "epsilon", "hypotheses"),
    ),
    "beimel2015/boost_labelled": (
        BEIMEL["boost_labelled"],
        lambda a, b, v: 96000 * v / (a / 11) * ln(2240 / ((a / 11) * (b / 2))),
        ("accuracy", "failure", "vc"),
    ),
    "beimel2015/boost_unlabelled": (BEIMEL["boost_unlabelled"], lambda n: 9 * 10**4 * n, ("base",)),
    "beimel2015/amplified_labelled": (
        BEIMEL["amplified_labelled"],
        lambda a, b, e, v: (3 + MP.e) / e * 96000 * v / (a / 11) * ln(2240 / ((a / 11) * (b / 2))),
        ("accuracy", "failure", "epsilon", "vc"),
    ),
    "beimel2015/labelled_necessary": (
        BEIMEL["labelled_necessary"],
        lambda a, v: (v - 1) / a / 16,
        ("accuracy", "vc"),
    ),
    "bassily2018/models": (
        BASSILY["models"], models, ("epsilon", "delta", "failure", "cutoff", "queries"),
    ),
    "bassily2018/public": (BASSILY["public"], agnostic_size, ("vc", "accuracy", "failure")),
    "bassily2018/realisable": (
        BASSILY["realisable"],
        lambda a, b, e, d, v: (
            (k := parts(a, b, e, d, v))
            * max(4 / a * MP.log(2 * k / b, 2), 8 * v / a * MP.log(13 / a, 2))
        ),
        ("accuracy", "failure", "epsilon", "delta", "vc"),
    ),
    "bassily2018/agnostic": (
        BASSILY["agnostic"],
        lambda a, b, e, d, v: (k := parts(a, b, e, d, v, 24)) * agnostic_size(v, a, b / k),
        ("accuracy", "failure", "epsilon", "delta", "vc"),
    ),
    "bassily2018/realisable_necessary": (
        BASSILY["realisable_necessary"], lambda a, v: (v - 1) / a / 32, ("accuracy", "vc"),
    ),
    "bassily2018/agnostic_necessary": (
        BASSILY["agnostic_necessary"], lambda a, v: v / a / a / 320, ("accuracy", "vc"),
    ),
    "wang2016/excess": (
        WANG["excess"],
        lambda n, e, k, r, z: 9 * ln(k * n ** (r + 2)) / n / e + 2 * (z + e),
        ("n", "epsilon", "volume", "exponent", "regulariser"),
    ),
    "wang2016/bits": (
        WANG["bits"], lambda n, e, m: 9 * ln(n * n * MP.mpf(2) ** m) / n / e + 2 * e, ("n", "epsilon", "bits"),
    ),
    "wang2016/confidence": (
        WANG["confidence"], lambda n, d: 54 * (ln(3) - ln(d)) / MP.sqrt(n), ("n", "failure"),
    ),
}  # fmt: skip


def inside(range_of: Range) -> st.SearchStrategy[Fraction]:
    """Numbers of a range, small ones and large ones alike."""
    low = range_of.low if range_of.low is not None else Fraction(0)
    if range_of.integer:
        return st.integers(int(low), int(low) + 10**5).map(Fraction)
    if range_of.high is None:
        return st.floats(1e-6, 300).map(lambda x: low + Fraction(repr(x)))
    high = range_of.high
    return st.floats(1e-9, 0.999).map(lambda x: low + (high - low) * Fraction(repr(x)))


def values_of(bound: Bound, names: tuple[str, ...]) -> st.SearchStrategy[dict[str, Fraction]]:
    return st.fixed_dictionaries({name: inside(bound.domain[name]) for name in names})


def test_every_bound_has_a_reference_of_its_own() -> None:
    everything = {"chaudhuri2011": CHAUDHURI, "beimel2015": BEIMEL, "bassily2018": BASSILY, "wang2016": WANG}
    assert set(REFERENCES) == {f"{paper}/{name}" for paper, bounds in everything.items() for name in bounds}
    for bound, _, names in REFERENCES.values():
        assert {free.name for free in bound.expression.free_symbols} <= set(names)


def disagreement(name: str, values: dict[str, Fraction], factor: Fraction = Fraction(1)) -> str:
    bound, reference, names = REFERENCES[name]
    usable: dict[str, Any] = {key: value for key, value in values.items() if key in bound.variables}
    value = value_of(bound, digits=DIGITS, **usable)
    middle = MP.mpf(value.low.numerator) / value.low.denominator
    expected = reference(*(MP.mpf(values[key].numerator) / values[key].denominator for key in names))
    expected *= MP.mpf(factor.numerator) / factor.denominator
    close = abs(middle - expected) <= abs(expected) * MP.mpf(10) ** -(DIGITS - 2)
    return "" if close else f"{values}: {middle}, not {expected}"


@pytest.mark.some(4)
@pytest.mark.parametrize("name", REFERENCES)
@settings(deadline=None, max_examples=20)
@given(data=st.data())
def test_bounds_agree_with_their_references(name: str, data: st.DataObject) -> None:
    bound, _, names = REFERENCES[name]
    values = data.draw(values_of(bound, names))
    if bound.conditions:  # 19 accuracy dimension <= 1
        values["accuracy"] /= 20 * values["dimension"]
    if name == "chaudhuri2011/thresholds":
        assume(values["epsilon"] * values["excluded"] < 200)
    try:
        assert disagreement(name, values) == ""
    except InvalidArgument as error:
        raise AssertionError(f"{values}: {error}") from error


def test_the_comparison_can_fail() -> None:
    values = {"accuracy": Fraction(1, 10), "vc": Fraction(7)}
    assert disagreement("beimel2015/labelled_necessary", values) == ""
    assert disagreement("beimel2015/labelled_necessary", values, 1 + Fraction(1, 10**12)) != ""
