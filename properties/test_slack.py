"""How loose a bound is: so many times what was found as it is, at each place where both are known, and nowhere else."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

from hypothesis import assume, given
from hypothesis import strategies as st

from dpcheck.report.paper.slack import owner_of, slacks_of
from dpcheck.trial.model import Chart, Measurement, Outcome, Series

factors = st.floats(1e-6, 1e6)
places = st.lists(st.floats(1.0, 1e9), min_size=1, max_size=8, unique=True)


def measurement(*series: Series) -> Measurement:
    return Measurement("k", "t", (), "", "", "", (Chart("k", "t", "n", "risk", series),))


@given(factors, factors, st.floats(-2.0, 2.0), places, places)
def test_a_power_law_is_as_loose_between_its_places_as_at_them(
    factor: float, size: float, power: float, at: list[float], found_at: list[float]
) -> None:
    drawn = sorted({*at, 1.0, 1e9})
    assume(all(later / earlier > 1 + 1e-6 for earlier, later in itertools.pairwise(drawn)))
    bound = Series("claimed", "bound", 0, tuple(drawn), tuple(factor * size * x**power for x in drawn))
    found = Series("found", "exact", 0, tuple(found_at), tuple(size * x**power for x in found_at))
    (one,) = slacks_of(measurement(bound, found))
    assert one.at == found.x
    for ratio in one.ratios:
        assert math.isclose(ratio, factor, rel_tol=1e-6)
    assert one.least <= one.middle * (1 + 1e-9)
    assert one.middle <= one.most * (1 + 1e-9)


@given(factors, places)
def test_outside_of_what_is_drawn_nothing_is_said(factor: float, at: list[float]) -> None:
    bound = Series("claimed", "bound", 0, (2e9, 3e9), (factor, factor))
    assert slacks_of(measurement(bound, Series("found", "exact", 0, tuple(at), tuple(1.0 for _ in at)))) == ()


@given(factors, factors)
def test_several_bounds_and_curves_are_paired_by_their_colours_alone(first: float, second: float) -> None:
    series = [
        Series(f"{kind} {colour}", role, colour, (1.0,), (value,))
        for colour, factor in ((0, first), (1, second))
        for kind, role, value in (("bound", "bound", factor), ("found", "exact", 1.0))
    ]
    found = {one.bound: one for one in slacks_of(measurement(*series))}  # type: ignore[arg-type]
    assert {name: one.found for name, one in found.items()} == {"bound 0": "found 0", "bound 1": "found 1"}
    assert math.isclose(found["bound 0"].middle, first, rel_tol=1e-9)
    assert math.isclose(found["bound 1"].middle, second, rel_tol=1e-9)


KINDS = {"theorem": "thm", "lemma": "lem", "thm": "thm", "cor": "cor", "Example": "ex"}


@given(st.sampled_from(sorted(KINDS)), st.integers(1, 60), st.sampled_from([" ", "-"]), st.text("ab ,:(", max_size=6))
def test_a_bound_is_that_of_the_result_that_its_name_has(kind: str, number: int, sign: str, before: str) -> None:
    results = ("paper:lem-99", f"paper:{KINDS[kind]}-{number}")
    name = f"{before} {kind}{sign}{number}: n exp(-t)"
    assert owner_of(name, results) == results[1]
    assert owner_of(before, results) == results[0]
    bound = Series(name, "bound", 0, (1.0,), (2.0,))
    found = measurement(bound, Series("found", "exact", 0, (1.0,), (1.0,)))
    (one,) = slacks_of(replace(found, results=results))
    assert (one.result, one.ratios) == (results[1], (2.0,))


@given(st.sampled_from(["compatible", "not compatible"]), st.booleans())
def test_curves_of_orders_are_no_bounds(word: str, some_holds: bool) -> None:
    curves = measurement(Series("m", "bound", 0, (1.0,), (2.0,)), Series("found", "exact", 0, (1.0,), (1.0,)))
    outcomes = [Outcome(word, "an order", ""), *([Outcome("holds", "a bound", "")] if some_holds else [])]  # type: ignore[arg-type]
    assert bool(slacks_of(replace(curves, outcomes=tuple(outcomes)))) == some_holds
