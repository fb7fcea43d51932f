"""What must hold of comparisons: exact levels by enumeration, and baselines that come back as they were written."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpcheck.history.baseline import Baseline, Cost, Entry, ExactLoss, Privacy, RiskCounts, Told, View
from dpcheck.history.two_sample import drift, drift_of_histograms, permutation_test, ranked_higher, risen
from dpcheck.history.views import counts_per_bin, places_of, right_and_wrong, table_of, with_counts
from dpcheck.model.errors import RecordCorrupt
from dpcheck.privacy.statistics.game import Batch
from dpcheck.privacy.statistics.observations import Observations

#: The first example loads libraries, and machines are busy.
unhurried = settings(deadline=None, max_examples=40)
#: Rounding of sums of probabilities in doubles.
ROUNDING = 1e-12


def binomial(calls: int, chance: Fraction) -> list[float]:
    return [float(math.comb(calls, k) * chance**k * (1 - chance) ** (calls - k)) for k in range(calls + 1)]


def assert_super_uniform(outcomes: list[tuple[float, float]]) -> None:
    """Of (probability, p-value): each p-value is met or undercut with at most that probability."""
    ordered = sorted(outcomes, key=lambda one: one[1])
    total = 0.0
    for place, (chance, p_value) in enumerate(ordered):
        total += chance
        last = place + 1 == len(ordered) or ordered[place + 1][1] > p_value
        assert not last or total <= p_value + ROUNDING


chances = st.fractions(0, 1, max_denominator=12)


@given(st.integers(0, 9), st.integers(0, 9), chances, chances)
@unhurried
def test_a_rise_is_super_uniform_where_nothing_rose(before: int, now: int, one: Fraction, two: Fraction) -> None:
    then, later = max(one, two), min(one, two)
    p_then, p_now = binomial(before, then), binomial(now, later)
    outcomes = [(p_then[a] * p_now[b], risen(a, before, b, now)) for a, b in product(range(before + 1), range(now + 1))]
    assert_super_uniform(outcomes)


@given(st.integers(1, 9), st.integers(1, 9), chances)
@unhurried
def test_a_drift_is_super_uniform_where_nothing_changed(before: int, now: int, chance: Fraction) -> None:
    p_then, p_now = binomial(before, chance), binomial(now, chance)
    outcomes = [
        (p_then[a] * p_now[b], drift(a, before, b, now).p_value) for a, b in product(range(before + 1), range(now + 1))
    ]
    assert_super_uniform(outcomes)


def histograms(calls: int, bins: int) -> Iterator[tuple[int, ...]]:
    if bins == 1:
        yield (calls,)
        return
    for first in range(calls + 1):
        for rest in histograms(calls - first, bins - 1):
            yield (first, *rest)


@pytest.mark.turns(6)
@given(st.integers(1, 5), st.integers(1, 5), st.lists(st.integers(0, 4), min_size=2, max_size=3))
@settings(deadline=None, max_examples=25)
def test_histograms_are_compared_within_the_level(before: int, now: int, weights: list[int]) -> None:
    assume(sum(weights) > 0)

    def chance(counts: tuple[int, ...]) -> float:
        ways = math.factorial(sum(counts)) / math.prod(map(math.factorial, counts))
        return ways * math.prod((w / sum(weights)) ** k for w, k in zip(weights, counts, strict=True))

    outcomes = [
        (chance(one) * chance(two), drift_of_histograms(one, two).p_value)
        for one in histograms(before, len(weights))
        for two in histograms(now, len(weights))
    ]
    assert_super_uniform(outcomes)


@given(st.lists(st.integers(0, 4), min_size=2, max_size=6), st.integers(1, 5))
@settings(deadline=None, max_examples=25)
def test_ranks_are_compared_within_the_level_ties_or_not(values: list[int], split: int) -> None:
    assume(split < len(values))
    orders = list(permutations(values))
    outcomes = [(1.0 / len(orders), ranked_higher(order[:split], order[split:])) for order in orders]
    assert_super_uniform(outcomes)


@given(st.lists(st.integers(-4, 4), min_size=2, max_size=6), st.integers(1, 5), st.sampled_from([1, 700]))
@settings(deadline=None, max_examples=25)
def test_sums_of_blocks_are_compared_within_the_level(values: list[int], split: int, size: int) -> None:
    """Large sums are rounded to a thousandth of their spread, which must not favour either version."""
    assume(split < len(values))
    orders = list(permutations([size * value + value**2 for value in values]))
    found = [permutation_test(order[:split], order[split:]) for order in orders]
    for one in ("rose", "fell", "p_value"):
        assert_super_uniform([(1.0 / len(orders), getattr(test, one)) for test in found])


@pytest.mark.parametrize("test", [lambda *_: 0.0, lambda a, n, b, m: risen(a, n, b, m) / 2.0])
def test_a_test_that_rejects_too_often_is_caught(test: Callable[..., float]) -> None:
    chance = binomial(5, Fraction(1, 2))
    outcomes = [(chance[a] * chance[b], test(a, 5, b, 5)) for a, b in product(range(6), repeat=2)]
    with pytest.raises(AssertionError):
        assert_super_uniform(outcomes)


@given(st.integers(0, 60), st.integers(0, 60), st.data())
@unhurried
def test_a_rise_is_fishers_exact_test(before: int, now: int, data: st.DataObject) -> None:
    from scipy.stats import fisher_exact

    hits_before, hits_now = data.draw(st.integers(0, before)), data.draw(st.integers(0, now))
    table = [[hits_now, now - hits_now], [hits_before, before - hits_before]]
    expected = fisher_exact(table, alternative="greater").pvalue
    assert risen(hits_before, before, hits_now, now) == pytest.approx(expected, rel=1e-4)


# --- baselines


numbers = st.floats(allow_nan=False, allow_infinity=False, width=32)
counts = st.integers(0, 10**12)
words = st.text(max_size=20)


@st.composite
def views(draw: st.DrawFn) -> View:
    kind = draw(st.sampled_from(["number", "score", "answer", "form"]))
    edges: tuple[float, ...] = ()
    score: tuple[tuple[float, ...], ...] = ()
    answers: tuple[str, ...] = ()
    if kind in ("answer", "form"):
        answers = tuple(f"{token:016x}" for token in sorted(draw(st.sets(st.integers(0, 2**64 - 1), max_size=4))))
        bins = len(answers) + 1
    else:
        edges = tuple(sorted(draw(st.sets(numbers, max_size=4))))
        bins = len(edges) + 2
    if kind == "score":
        width = draw(st.integers(1, 3))
        row = st.tuples(*[numbers] * width)
        spread = draw(st.tuples(*[st.floats(1e-3, 1e3)] * width))
        score = (draw(row), spread, draw(row), (draw(numbers),))
    guesses = draw(st.tuples(*[st.sampled_from([-1, 0, 1])] * bins))
    tables = [draw(st.tuples(*[counts] * bins)) for _ in range(2)]
    column = draw(st.integers(0, 3)) if kind == "number" else -1
    return View(draw(words), kind, column, edges, score, answers, guesses, tables[0], tables[1])


@st.composite
def risks(draw: st.DrawFn) -> RiskCounts:
    cuts = tuple(sorted(draw(st.sets(numbers, max_size=3))))
    return RiskCounts(cuts, draw(st.tuples(*[counts] * (len(cuts) + 2))), draw(numbers), draw(words))


losses = st.builds(ExactLoss, st.floats(0, allow_nan=False), st.floats(0, 1), words)
privacies = st.builds(
    Privacy,
    relation=words,
    pair=words,
    pair_number=st.integers(0, 400),
    pair_seed=st.integers(0, 2**128),
    left_digest=words,
    right_digest=words,
    delta=st.floats(0, 1, exclude_max=True),
    level=st.floats(0, 1, exclude_min=True, exclude_max=True),
    event=words,
    certified=numbers,
    layout=words,
    scale=st.lists(numbers, max_size=3).map(tuple),
    views=st.lists(views(), min_size=1, max_size=2).map(tuple),
    block_calls=st.integers(1, 10**12),
    told=st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=24).map(
        lambda sums: (Told("best guess", tuple(sums)),)
    ),
    kinds=st.dictionaries(words, st.tuples(counts, counts), max_size=2),
    exact=st.none() | losses,
)
entries = st.builds(
    Entry,
    learner=words,
    claim=words,
    seed=st.integers(0, 2**40),
    privacy=privacies,
    utility=st.dictionaries(words, risks(), max_size=2),
    cost=st.none() | st.builds(Cost, words, st.lists(st.floats(1e-9, 1e9, exclude_min=True), max_size=3).map(tuple)),
    notes=st.lists(words, max_size=2).map(tuple),
)


@pytest.mark.turns(6)
@given(st.dictionaries(words, entries, max_size=2))
@settings(deadline=None, max_examples=20)
def test_a_baseline_comes_back_as_it_was_written(learners: dict[str, Entry]) -> None:
    written = Baseline(learners).to_json()
    assert Baseline.from_json(written) == Baseline(learners)
    assert Baseline.from_json(written).to_json() == written


@given(st.dictionaries(words, entries, min_size=1, max_size=1), st.data())
@settings(deadline=None, max_examples=20)
def test_a_damaged_baseline_is_refused_in_one_line_or_read(learners: dict[str, Entry], data: st.DataObject) -> None:
    written = Baseline(learners).to_json()
    place = data.draw(st.integers(0, len(written) - 1))
    damaged = (
        written[:place] + data.draw(st.sampled_from(["", "9", '"', "}", "null", "-", "1e999"])) + written[place + 1 :]
    )
    complaint = ""
    try:
        Baseline.from_json(damaged)
    except RecordCorrupt as error:
        complaint = str(error)
    assert "\n" not in complaint


@given(views(), st.lists(st.floats(width=32), min_size=1, max_size=30), st.data())
@unhurried
def test_every_output_is_in_one_bin_of_every_view(view: View, values: list[float], data: st.DataObject) -> None:
    columns = np.array(values)[:, None]
    tokens = np.array(data.draw(st.tuples(*[st.integers(0, 2**64 - 1)] * len(values))), dtype=np.uint64)
    coins = np.array(data.draw(st.tuples(*[st.integers(0, 1)] * len(values))), dtype=np.int8)
    seen = Observations(columns, tokens, [], tokens)
    places = places_of(view, seen)
    assert ((places >= 0) & (places < len(view.guesses))).all()
    table = counts_per_bin(view, Batch(seen, coins))
    assert table.sum() == len(values)
    assert table[:, 1].sum() == coins.sum()
    assert Counter(places.tolist()) == {place: n for place, n in enumerate(table.sum(axis=1).tolist()) if n}
    again = with_counts(view, table)
    assert (table_of(again) == table).all()
    right, wrong = right_and_wrong(view.guesses, table)
    assert right + wrong == table[np.array(view.guesses) != 0].sum()
