"""Properties of sample complexities and slopes: against exact truths, whatever the learner's law and the intervals.

Each statistical property has a null that right code satisfies and a level of 1e-9 for all of its examples together; the
rest is exact.
"""

from __future__ import annotations

import itertools
from fractions import Fraction

import known_laws
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.utility.distributions import UniformGrid
from dpcheck.utility.failure import failure_rate
from dpcheck.utility.sizes import (
    SizePoint,
    SizeSearch,
    enough_of,
    sample_complexity,
    seed_of_size,
    size_grid,
    stretches_of,
    too_small_of,
)
from dpcheck.utility.slopes import compare_slopes

LEVEL = 1e-9
EXAMPLES = 15
TEN = UniformGrid(10, threshold=5)
GRID = UniformGrid(20)

seeds = st.integers(min_value=0, max_value=2**32)
chances = st.fractions(min_value=0, max_value=1, max_denominator=40)


class ByTable:
    """Fails with the probability that a table has for the number of records; with more than it has, with its last."""

    def __init__(self, table: list[Fraction]) -> None:
        self.table = table

    def chance(self, records: int) -> Fraction:
        return self.table[min(records, len(self.table)) - 1]

    def __call__(self, dataset, rng):
        return 0 if rng.random() < float(self.chance(len(dataset.y))) else 5


class RiskByTable:
    """Returns the threshold with the risk that a table has for the number of records, without any chance."""

    def __init__(self, table: list[int]) -> None:
        self.table = table

    def __call__(self, dataset, rng):
        return 10 + self.table[min(len(dataset.y), len(self.table)) - 1]


# --- what is said is true --------------------------------------------------------------------------------------------


@pytest.mark.turns(6)
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(chances, min_size=1, max_size=8), st.fractions(Fraction(1, 10), Fraction(9, 10)), seeds)
def test_all_that_is_said_is_true_of_the_exact_law(table, claimed, seed) -> None:
    learner = ByTable(table)
    found = sample_complexity(
        learner,
        TEN,
        accuracy=Fraction(1, 4),
        failure=claimed,
        most=16,
        trials=150,
        level=LEVEL / EXAMPLES,
        seed=seed,
        around=1,
        octaves=1,
    )
    for point in found.points:
        truth, (low, high) = learner.chance(point.size), point.result.interval
        assert low <= truth <= high
        assert point.word != ("fails" if truth <= claimed else "passes")
    # and the answer follows from the points, by the definition
    largest = max((point.size for point in found.points if point.word == "fails"), default=None)
    assert found.too_small == largest
    passing = list(itertools.takewhile(lambda point: point.word == "passes", reversed(found.points)))
    assert found.enough == (passing[-1].size if passing else None)


@pytest.mark.turns(6)
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(1, 30), st.integers(1, 10), seeds)
def test_each_size_is_measured_as_if_it_were_the_only_one(size, seed, records) -> None:
    learner = known_laws.SmallestOne(20)
    found = sample_complexity(
        learner, GRID, accuracy=0.2, failure=0.4, least=size, most=size, trials=40, level=0.1, seed=seed
    )
    share = 0.1 / 2
    alone = failure_rate(
        learner,
        GRID,
        sizes={"private": size},
        accuracy=0.2,
        failure=0.4,
        trials=40,
        level=share,
        holds_level=share,
        contradicted_level=share,
        seed=seed_of_size(seed, size),
    )
    (point,) = found.points
    assert (point.result.failures, point.result.trials) == (alone.failures, alone.trials)
    assert (point.result.interval, point.result.verdict) == (alone.interval, alone.verdict)


# --- monotone in the accuracy ----------------------------------------------------------------------------------------


@pytest.mark.turns(6)
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.lists(st.integers(0, 10), min_size=1, max_size=40), st.integers(0, 8), st.integers(0, 2))
def test_with_more_accuracy_allowed_no_more_records_are_needed(risks, accuracy, more) -> None:
    table = sorted(risks, reverse=True)  # risks of 20ths that fall with the number of records

    def needed(allowed: int) -> tuple[int, int | None]:
        found = sample_complexity(
            RiskByTable(table), GRID, accuracy=Fraction(allowed, 20), failure=0.5, most=64, around=0, octaves=0
        )
        return found.too_small or 0, found.enough

    few, enough = needed(accuracy + more)
    strict_few, strict_enough = needed(accuracy)
    assert few <= strict_few
    assert strict_enough is None or (enough is not None and enough <= strict_enough)


@pytest.mark.turns(6)
@settings(max_examples=EXAMPLES, deadline=None)
@given(st.integers(1, 8), st.integers(1, 8), seeds)
def test_sizes_that_pass_pass_with_more_accuracy_allowed(accuracy, more, seed) -> None:
    """The learner is a function of the data, and the data of the seed and the size: failures can only become fewer."""
    given_ = {"failure": 0.3, "most": 24, "trials": 60, "seed": seed, "level": 0.1, "around": 3}
    learner = known_laws.SmallestOne(20)
    words = []
    for allowed in (accuracy, accuracy + more):
        found = sample_complexity(learner, GRID, accuracy=Fraction(allowed, 20), **given_)
        words.append({point.size: point.word for point in found.points})
    order = ["fails", "undecided", "passes"]
    for size in set(words[0]) & set(words[1]):
        assert order.index(words[0][size]) <= order.index(words[1][size])


# --- the search ------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["fails", "undecided", "passes"]), min_size=1, max_size=40),
    st.integers(1, 6),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_the_search_ends_next_to_a_boundary_whatever_is_found(words, per_octave, around, octaves) -> None:
    search = SizeSearch(len(words), per_octave, around, octaves)
    while (place := search.next()) is not None:
        assert 0 <= place < len(words)
        assert place not in search.words  # nothing is looked at twice
        search.words[place] = words[place]
    points = tuple(SizePoint(place, search.words[place], None) for place in sorted(search.words))
    few, enough = too_small_of(points), enough_of(points)
    if enough is None:
        assert search.words[len(words) - 1] != "passes"
    else:
        # the place below the answer was looked at, and does not pass
        assert enough == 0 or search.words[enough - 1] != "passes"
        for step in range(1, around + 1):
            assert min(enough + step, len(words) - 1) in search.words
        for octave in range(1, octaves + 1):
            assert min(enough + octave * per_octave, len(words) - 1) in search.words
    if few is not None and few + 1 < len(words):
        assert search.words[few + 1] != "fails"
    for one in stretches_of(points):
        assert words[one.passes] == "passes"
        assert words[one.first] == words[one.last] == "fails"
        assert one.passes < one.first <= one.last
        assert one.again is None or (one.again > one.last and words[one.again] == "passes")
    monotone = words == sorted(words, key=["fails", "undecided", "passes"].index)
    if monotone:
        assert not stretches_of(points)
        assert few == max((place for place, word in enumerate(words) if word == "fails"), default=None)
        assert enough == next((place for place, word in enumerate(words) if word == "passes"), None)


@settings(deadline=None)
@given(st.integers(1, 500), st.integers(1, 8), st.integers(0, 5000))
def test_the_grid_rises_from_end_to_end(least, per_octave, more) -> None:
    grid = size_grid(least, least + more, per_octave)
    assert (grid[0], grid[-1]) == (least, least + more)
    assert all(a < b <= max(a + 1, 2 ** (1 / per_octave) * (a + 0.5) + 0.5) for a, b in itertools.pairwise(grid))


# --- slopes against an oracle ----------------------------------------------------------------------------------------

sizes = st.fractions(min_value=Fraction(1, 8), max_value=50, max_denominator=8)


@st.composite
def measured(draw: st.DrawFn) -> tuple[list[Fraction], list[Fraction], list[Fraction], list[tuple[Fraction, Fraction]]]:
    """2 to 6 points with intervals and the values of two terms."""
    count = draw(st.integers(2, 6))
    low = [draw(sizes) for _ in range(count)]
    high = [one * (1 + draw(st.fractions(0, 2, max_denominator=6))) for one in low]
    terms = [(draw(sizes), draw(sizes)) for _ in range(count)]
    return [Fraction(place + 1) for place in range(count)], low, high, terms


@pytest.mark.turns(4)
@settings(max_examples=50, deadline=None)
@given(measured())
def test_one_constant_fits_exactly_when_the_largest_need_is_at_most_the_least_room(drawn) -> None:
    x, low, high, terms = drawn
    model = dict(zip(x, terms, strict=True))
    found = compare_slopes(x, low, high, lambda at: sum(model[at]))
    fits = max(a / sum(t) for a, t in zip(low, terms, strict=True)) <= min(
        b / sum(t) for b, t in zip(high, terms, strict=True)
    )
    assert (found.verdict != "not compatible") == fits
    assert (found.constants is not None) == fits


def some_vertex_fits(low, high, terms) -> bool:
    """Whether constants (c, d) of at least 0 pass through all intervals: the bounded set's vertices, in fractions."""
    edges = [(Fraction(1), Fraction(0), Fraction(0)), (Fraction(0), Fraction(1), Fraction(0))]
    edges += [(*t, end) for t, a, b in zip(terms, low, high, strict=True) for end in (a, b)]
    for (a, b, e), (c, d, f) in itertools.combinations(edges, 2):
        det = a * d - b * c
        if det == 0:
            continue
        one, two = (e * d - b * f) / det, (a * f - e * c) / det
        if (
            one >= 0
            and two >= 0
            and all(a <= one * t[0] + two * t[1] <= b for t, a, b in zip(terms, low, high, strict=True))
        ):
            return True
    return False


@pytest.mark.turns(4)
@settings(max_examples=50, deadline=None)
@given(measured())
def test_two_constants_are_judged_as_going_through_all_vertices_does(drawn) -> None:
    x, low, high, terms = drawn
    model = dict(zip(x, terms, strict=True))
    found = compare_slopes(x, low, high, lambda at: model[at], free="terms")
    fits = some_vertex_fits(low, high, terms)
    assert found.verdict != ("not compatible" if fits else "compatible")
    if found.constants is not None:
        sums = [np.dot(found.constants, [float(one) for one in t]) for t in terms]
        assert all(
            float(a) * (1 - 1e-9) <= one <= float(b) * (1 + 1e-9) for one, a, b in zip(sums, low, high, strict=True)
        )
        assert fits
    # what is left undecided is left for a reason: too few points, or a fit that only just is one, or just is not
    if found.verdict == "undecided" and "touches" in found.detail:
        room = Fraction(1, 10**6)
        assert some_vertex_fits([a * (1 - room) for a in low], [b * (1 + room) for b in high], terms)
        assert not some_vertex_fits([a * (1 + room) for a in low], [b * (1 - room) for b in high], terms)


@pytest.mark.turns(6)
@settings(max_examples=50, deadline=None)
@given(measured(), st.fractions(1, 3, max_denominator=10))
def test_wider_intervals_fit_more(drawn, factor) -> None:
    x, low, high, terms = drawn
    model = dict(zip(x, terms, strict=True))
    for free in ("scale", "terms"):
        tight = compare_slopes(x, low, high, lambda at: model[at], free=free)
        wide = compare_slopes(x, low, high, lambda at: model[at], free=free, factor=factor)
        assert not (tight.constants is not None and wide.verdict == "not compatible")
