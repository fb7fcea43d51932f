"""What the curves and the journal of a report must satisfy, whatever the laws, the claims and the words in them."""

from __future__ import annotations

import json
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck import ApproxDP
from dpcheck.privacy.exact.declared import declared
from dpcheck.privacy.exact.table import table_of
from dpcheck.privacy.run.events import Compared
from dpcheck.report.whole.curves import exact_curves
from dpcheck.report.whole.index_markdown import cells, said
from dpcheck.report.whole.journal import Journal
from dpcheck.report.whole.paths import file_name
from dpcheck.report.whole.units import Level, Unit

FEW = settings(max_examples=100, deadline=None)
WEIGHTS = st.lists(st.integers(0, 50), min_size=4, max_size=4).filter(any)
WORDS = st.text(max_size=120)


def law(weights: list[int]) -> dict[int, Fraction]:
    return {place: Fraction(weight, sum(weights)) for place, weight in enumerate(weights)}


@pytest.mark.turns(6)
@given(WEIGHTS, WEIGHTS, st.floats(0.1, 3), st.floats(0, 0.5))
@FEW
def test_exact_curves_are_those_of_the_two_laws(one: list[int], other: list[int], epsilon: float, delta: float) -> None:
    left, right = law(one), law(other)
    table = table_of([declared(left), declared(right)])
    compared = Compared(table, np.array([[0, 1]]), (0, 1), "one replaced by the other")
    found = exact_curves(compared, ApproxDP(epsilon, delta), 1.0)
    profile, tradeoff = found.profile[0], found.tradeoff[0]
    p, q = (np.array([float(each[k]) for k in range(4)]) for each in (left, right))
    for x, y in zip(profile.x, profile.y, strict=True):
        ways = [np.maximum(a - np.exp(x) * b, 0).sum() for a, b in ((p, q), (q, p))]
        assert abs(y - max(ways)) < 1e-9
    # a curve from (0, at most 1) down to (1, 0), convex, and nowhere above that of a coin
    points = list(zip(tradeoff.x, tradeoff.y, strict=True))
    assert points[0] == (0.0, 1.0)
    assert abs(points[-1][0] - 1) < 1e-9
    assert abs(points[-1][1]) < 1e-9
    assert list(tradeoff.x) == sorted(tradeoff.x)
    assert list(tradeoff.y) == sorted(tradeoff.y, reverse=True)
    assert all(y <= 1 - x + 1e-9 for x, y in points)
    # each test lies on it or above it: every set of outputs says "left" there
    for chosen in range(16):
        takes = np.array([bool(chosen >> k & 1) for k in range(4)])
        alarm, miss = float(q[takes].sum()), float(p[~takes].sum())
        assert miss >= np.interp(alarm, tradeoff.x, tradeoff.y) - 1e-9 or alarm in tradeoff.x


#: What records are made of: a number that JSON has not is a text in them.
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@given(st.recursive(WORDS | NUMBERS | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3)), WORDS)
@FEW
def test_what_is_kept_is_read_back(value: Any, name: str) -> None:
    unit = Unit("measurement", name)
    with tempfile.TemporaryDirectory() as folder:
        journal = Journal(Path(folder), Level(0, True), source="")
        text = json.dumps(value)
        journal.write(unit, text)
        assert journal.read(unit, json.loads) == text
        journal.remove([unit])
        assert list(Path(folder).iterdir()) == []


@given(WORDS)
@FEW
def test_names_are_fit_for_files_and_words_for_markdown(words: str) -> None:
    name = file_name(words)
    assert name == Path(name).name
    assert name.isascii()
    assert 0 < len(name) < 100
    assert not name.startswith(".")
    for line in (said(words), *cells(("a",), [(words,)])):
        assert "\n" not in line
        assert "<" not in line
