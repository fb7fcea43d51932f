"""The bank of guessing rules: bins, posteriors, weights fixed for ever, and tables that keep to their side."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from dpcheck.privacy.statistics.bank import (
    COVERAGES,
    FEW_COVERAGES,
    MAX_ANSWERS,
    MAX_ATOMS,
    NO_NUMBER,
    SCORE_EDGES,
    Bins,
    Rules,
    atom_weights,
    centres_of,
    fit_bins,
    guesses_of,
    guesses_of_leans,
    leans_of,
    posteriors,
    rules_for,
    value_sums,
    words_of,
)
from dpcheck.privacy.statistics.distances import DISTANCES
from dpcheck.privacy.statistics.evidence import GRADES
from dpcheck.privacy.statistics.game import CODED_SHARE, DISTANCE_SHARE, Shape, new_game
from dpcheck.privacy.statistics.scores import fit_scores, score_names
from dpcheck.privacy.statistics.sparse import part_names

TABLES = ("parts-8", "parts-32", "parts-128", "rising", "falling", "linear", "each", "each-cautious", "spikes")
DELTAS = pytest.mark.parametrize("delta", [0.0, 1e-5, 0.1])
SHAPES = [
    Shape(columns, repeats, others)
    for columns in (0, 1, 2, 30, 256)
    for repeats in (False, True)
    for others in (False, True)
]
CODED = [Shape(columns, repeats, False, coded=2) for columns in (2, 7) for repeats in (False, True)]
MEASURED = [Shape(7, False, False, coded=coded, measured=measured) for coded in (0, 2) for measured in (2, 7)]


# --- bins --------------------------------------------------------------------------------------------------------


@example(np.array([5e-324, 0.0, -5e-324]), np.array([-5e-324, 0.0, 5e-324]))
@given(
    hnp.arrays(np.float64, st.integers(0, 400), elements=st.floats(allow_nan=True, allow_infinity=True)),
    hnp.arrays(np.float64, st.integers(0, 50), elements=st.floats(allow_nan=True, allow_infinity=True)),
)
def test_every_value_has_one_bin_in_order(past: np.ndarray, values: np.ndarray) -> None:
    with np.errstate(all="ignore"):
        bins = fit_bins(past)
    assert (np.diff(bins.edges) > 0).all()
    places = bins.place(values)
    assert ((places >= 0) & (places < bins.count)).all()
    missing = np.isnan(values)
    assert (places[missing] == bins.count - 1).all()
    assert (places[~missing] < bins.count - 1).all()
    ordered = np.argsort(values[~missing], kind="stable")
    assert (np.diff(places[~missing][ordered]) >= 0).all()
    for value, place in zip(values[~missing], places[~missing], strict=True):
        assert place == 0 or bins.edges[place - 1] <= value
        assert place == len(bins.edges) or value < bins.edges[place]


def test_few_different_values_have_a_bin_each() -> None:
    values = np.repeat([-1.0, 0.0, 2.5, 1e300], [5, 1, 7, 2])
    bins = fit_bins(np.concatenate([values, [np.nan, np.inf]]))
    assert bins.count == 4 + 1
    assert len(set(bins.place(np.array([-1.0, 0.0, 2.5, 1e300])).tolist())) == 4
    assert fit_bins(np.array([np.nan, np.inf])).count == 2


def test_a_frequent_value_among_many_has_a_bin_of_its_own(rng: np.random.Generator) -> None:
    values = np.concatenate([rng.normal(size=5000), np.full(100, 0.123)])
    bins = fit_bins(rng.permutation(values))
    place = bins.place(np.array([0.123]))[0]
    assert bins.edges[place - 1] == 0.123
    assert bins.edges[place] == np.nextafter(0.123, 1)


def test_sums_and_centres() -> None:
    bins = Bins(np.array([0.0, 1.0]))
    values = np.array([-2.0, -1.0, 0.5, np.inf, np.nan])
    places = bins.place(values)
    assert places.tolist() == [0, 0, 1, 2, 3]
    sums = value_sums(places, values, bins.count)
    assert sums.tolist() == [-3.0, 0.5, 0.0, 0.0]
    histogram = np.array([[1, 1], [1, 0], [0, 0], [1, 0]])
    centres = centres_of(bins, histogram, sums)
    assert centres[:3].tolist() == [-1.5, 0.5, 1.0]
    assert np.isnan(centres[3])


# --- posteriors --------------------------------------------------------------------------------------------------


def histograms(bins: int = 12) -> st.SearchStrategy[np.ndarray]:
    return hnp.arrays(np.int64, (bins, 2), elements=st.integers(0, 200) | st.just(0))


@given(histograms(), st.sampled_from(TABLES))
def test_posteriors_are_probabilities_and_mirror_when_the_sides_are_exchanged(
    histogram: np.ndarray, table: str
) -> None:
    centres = np.append(np.linspace(-3, 3, len(histogram) - 1), np.nan)
    found = posteriors(table, histogram, centres)
    assert found.shape == (len(histogram),)
    assert ((found >= 0) & (found <= 1)).all()
    mirror = {"rising": "falling", "falling": "rising"}.get(table, table)
    np.testing.assert_allclose(posteriors(mirror, histogram[:, ::-1], centres), 1.0 - found, atol=1e-9)


@given(histograms())
def test_isotonic_posteriors_are_monotone_up_to_their_smoothing(histogram: np.ndarray) -> None:
    """Half a guess is added to each side of a block, which pulls small blocks towards a half."""
    mass = histogram.sum(axis=1)
    slack = np.where(mass > 0, 0.5 / np.maximum(mass, 1), 0.5)
    step = np.maximum(slack[1:], slack[:-1]) + 1e-9
    centres = np.zeros(len(histogram))
    # the last bin is that of NaN, which is not next to any number
    assert (np.diff(posteriors("rising", histogram, centres)[:-1]) >= -step[:-1]).all()
    assert (np.diff(posteriors("falling", histogram, centres)[:-1]) <= step[:-1]).all()


@pytest.mark.parametrize("table", ["parts-8", "rising", "falling", "spikes"])
def test_not_a_number_is_looked_at_by_itself(table: str) -> None:
    """A missing key of one side must not be diluted with the largest numbers."""
    histogram = np.array([[50, 50]] * 10 + [[0, 20]])
    centres = np.append(np.linspace(-3, 3, 10), np.nan)
    found = posteriors(table, histogram, centres)
    assert found[-1] > 0.9
    np.testing.assert_allclose(found[:-1], 0.5, atol=0.02)


def test_spikes_are_the_bins_that_hold_much() -> None:
    histogram = np.array([[1, 2]] * 90 + [[30, 0]] + [[0, 0]])
    found = posteriors("spikes", histogram, np.append(np.arange(91.0), np.nan))
    assert found[90] < 0.05
    assert (found[:90] == 0.5).all()


@pytest.mark.parametrize("table", TABLES)
def test_nothing_known_is_a_half(table: str) -> None:
    found = posteriors(table, np.zeros((5, 2), np.int64), np.full(5, np.nan))
    assert found.tolist() == [0.5] * 5


@pytest.mark.parametrize("table", [t for t in TABLES if t != "falling"])
def test_a_leak_is_learned(table: str) -> None:
    left = np.array([5, 10, 50, 100, 200, 0])
    found = posteriors(table, np.column_stack([left[[4, 3, 2, 1, 0, 5]], left]), np.array([-2.0, -1, 0, 1, 2, np.nan]))
    assert found[4] > 0.9 or table == "parts-8"
    assert found[4] > 0.6
    assert found[0] < 0.4


def test_a_score_is_its_own_log_odds() -> None:
    found = posteriors("score", np.zeros((3, 2), np.int64), np.array([-1.0, 0.0, math.log(3.0)]))
    np.testing.assert_allclose(found, [1 / (1 + math.e), 0.5, 0.75])


# --- weights -----------------------------------------------------------------------------------------------------


@DELTAS
@pytest.mark.parametrize("coverages", [COVERAGES, FEW_COVERAGES], ids=len)
@pytest.mark.parametrize("tables", [("each",), ("parts-8", "linear"), TABLES], ids=len)
def test_the_weights_of_a_feature_sum_to_its_weight(
    tables: tuple[str, ...], coverages: tuple[float, ...], delta: float
) -> None:
    rules = rules_for(tables, coverages, delta, 0.3)
    assert sum(rule.weight for rule in rules) == pytest.approx(0.3, rel=1e-12)
    assert all(rule.weight > 0 for rule in rules)
    assert len({(rule.table, rule.coverage, rule.side) for rule in rules}) == len(rules)
    if delta == 0.0:
        assert {rule.side for rule in rules} == {"either"}
    else:
        assert {rule.side for rule in rules} == {"either", "left", "right"}


def test_the_weights_of_single_answers_sum_to_theirs() -> None:
    weights = atom_weights(0.4)
    assert len(weights) == MAX_ATOMS
    assert 2 * weights.sum() == pytest.approx(0.4)
    assert (np.diff(weights) < 0).all()


@DELTAS
@pytest.mark.parametrize("boosted", [False, True])
@pytest.mark.parametrize("shape", [*SHAPES, *CODED, *MEASURED], ids=str)
def test_the_weights_of_a_game_never_exceed_one(shape: Shape, delta: float, boosted: bool) -> None:
    game = new_game(shape, 1.0, delta, boosted=boosted)
    total = (
        sum(rule.weight for feature in game.features for rule in feature.rules)
        + sum(feature.wager.weight for feature in game.features if feature.wager)
        + 2 * atom_weights(game.atom_weight).sum()
    )
    assert total == pytest.approx(1.0, rel=1e-12)


@DELTAS
@pytest.mark.parametrize("boosted", [False, True])
def test_scores_of_codes_take_their_weight_from_the_other_scores_alone(delta: float, boosted: bool) -> None:
    plain, coded = (new_game(Shape(7, False, False, coded=coded), 1.0, delta, boosted=boosted) for coded in (0, 2))
    weights = [{f.name: sum(rule.weight for rule in f.rules) for f in game.features} for game in (plain, coded)]
    names = score_names(boosted)
    assert set(weights[1]) - set(weights[0]) == set(part_names(boosted))
    for name, weight in weights[0].items():
        assert weights[1][name] == pytest.approx((1 - CODED_SHARE if name in names else 1) * weight)
    given = sum(weights[1][name] for name in part_names(boosted))
    assert given == pytest.approx(CODED_SHARE * sum(weights[0][name] for name in names))


@DELTAS
@pytest.mark.parametrize("coded", [0, 2])
def test_the_score_of_distances_takes_its_weight_from_the_other_scores_alone(delta: float, coded: int) -> None:
    shapes = (Shape(7, False, False, coded=coded, measured=measured) for measured in (0, 5))
    games = [new_game(shape, 1.0, delta) for shape in shapes]
    plain, measured = ({f.name: sum(rule.weight for rule in f.rules) for f in game.features} for game in games)
    names = score_names(boosted=True)
    for name, weight in plain.items():
        assert measured[name] == pytest.approx((1 - DISTANCE_SHARE if name in names else 1) * weight)
    assert measured[DISTANCES] == pytest.approx(DISTANCE_SHARE * sum(plain[name] for name in names))
    assert [f.place for f in games[1].features if f.kind == "score"] == list(range(len(names) + 1 + 2 * bool(coded)))


# --- tables of guesses -------------------------------------------------------------------------------------------


@pytest.mark.turns(4)
@given(histograms(20), st.sampled_from([0.0, 1e-5]), st.sampled_from([0.0, 0.5, 1.0, 5.0, 40.0]))
def test_rules_keep_to_their_side_and_to_the_grades(histogram: np.ndarray, delta: float, epsilon: float) -> None:
    """What they are charged rests on it: one that may only ever guess one dataset pays half of delta."""
    rules = rules_for(TABLES, COVERAGES, delta, 1.0)
    centres = np.append(np.linspace(-3, 3, len(histogram) - 1), np.nan)
    guesses = guesses_of(rules, histogram, centres, epsilon)
    assert guesses.shape == (len(rules), len(histogram))
    for rule, row in zip(rules, guesses.astype(int), strict=True):
        assert np.abs(row).max() <= GRADES
        if rule.side == "left":
            assert (row >= 0).all()
        if rule.side == "right":
            assert (row <= 0).all()
        if rule.coverage is not None:
            assert set(np.abs(row)) <= {0, GRADES}
        posterior = posteriors(rule.table, histogram, centres)
        assert (row * (posterior - 0.5) >= 0).all()  # it guesses the likelier side


@given(histograms(20))
def test_a_rule_covers_its_part_of_the_past_and_no_bin_more(histogram: np.ndarray) -> None:
    rules = Rules(rule for rule in rules_for(("each",), COVERAGES, 0.0, 1.0) if rule.coverage is not None)
    guesses = guesses_of(rules, histogram, np.zeros(len(histogram)), 1.0)
    mass = histogram.sum(axis=1)
    confidence = np.abs(posteriors("each", histogram, np.zeros(len(histogram))) - 0.5)
    for rule, row in zip(rules, guesses, strict=True):
        assert rule.coverage is not None
        guessed = row != 0
        if not guessed.any():
            continue
        weakest = np.flatnonzero(guessed)[np.argmin(confidence[guessed])]
        assert mass[guessed].sum() - mass[confidence <= confidence[weakest] + 1e-12][
            guessed[confidence <= confidence[weakest] + 1e-12]
        ].sum() < rule.coverage * max(mass.sum(), 1)
        assert confidence[guessed].min() >= confidence[~guessed & (confidence > 0)].max(initial=0.0) - 1e-12


def test_graded_rules_stake_more_where_they_know_more() -> None:
    rules = Rules(rule for rule in rules_for(("each",), COVERAGES, 0.0, 1.0) if rule.coverage is None)
    left = np.array([0, 10, 50, 90, 100])
    row = guesses_of(rules, np.column_stack([100 - left, left]), np.zeros(5), 0.5)[0].tolist()
    assert row == sorted(row)
    assert row[2] == 0
    assert row[-1] == -row[0] == GRADES
    assert 0 < row[3] < GRADES
    assert guesses_of(rules, np.full((5, 2), 100), np.zeros(5), 0.5).max() == 0  # nothing to gain: nothing staked


# --- words -------------------------------------------------------------------------------------------------------


def test_events_in_words() -> None:
    edges = np.array([0.0, 1.0, 2.5])
    assert words_of(np.array([0, 0, 0, 8, 0], np.int8), edges, "output", 1) == "output >= 2.5"
    assert words_of(np.array([-3, 0, 0, 8, 0], np.int8), edges, "output", -1) == "output < 0"
    assert words_of(np.array([0, 8, 8, 0, 0], np.int8), edges, "output", 1) == "0 <= output < 2.5"
    assert words_of(np.array([8, 0, 8, 0, 0], np.int8), edges, "output", 1) == "output < 0 or 1 <= output < 2.5"
    assert words_of(np.array([0, 0, 0, 0, 8], np.int8), edges, "output", 1) == f"output is {NO_NUMBER}"
    assert words_of(np.array([8, 0], np.int8), np.zeros(0), "output", 1) == "output is a number"
    many = np.tile([8, 0], 6)[:11].astype(np.int8)
    assert words_of(np.append(many, 0), np.arange(10.0), "output", 1).endswith(" or 3 more intervals")
    assert words_of(np.append(many[:7], 0), np.arange(6.0), "output", 1).endswith(" or 1 more interval")


def test_words_say_when_not_a_number_belongs_to_the_event() -> None:
    text = words_of(np.array([8, 0, 8], np.int8), np.array([0.0]), "output", 1)
    assert "output < 0" in text
    assert "not a number" in text


def test_constants_fit_together() -> None:
    assert 0.0 in SCORE_EDGES
    assert MAX_ANSWERS > MAX_ATOMS
    assert list(COVERAGES) == sorted(COVERAGES, reverse=True)
    assert COVERAGES[0] == FEW_COVERAGES[0] == 1.0


# --- scores of several coordinates -------------------------------------------------------------------------------


def columns_of(kind: str, rng: np.random.Generator) -> np.ndarray:
    plain = rng.normal(size=(400, 3))
    if kind == "constant":
        plain[:, 1] = 7.0
    if kind == "mostly zero":
        plain[:, 1] = np.where(rng.random(400) < 0.1, plain[:, 1], 0.0)
    if kind == "mostly missing":
        plain[:, 1] = np.where(rng.random(400) < 0.1, plain[:, 1], np.nan)
    if kind == "missing":
        plain[:, 1] = np.nan
    if kind == "infinite":
        plain[rng.random(400) < 0.1, 1] = np.inf
    if kind == "huge":
        plain[:, 1] *= 1e200
    if kind == "tiny":
        plain[:, 1] *= 1e-200
    return plain


KINDS = ("plain", "constant", "mostly zero", "mostly missing", "missing", "infinite", "huge", "tiny")


@pytest.mark.parametrize("boosted", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_scores_of_any_coordinates_are_numbers_of_a_usual_size(
    kind: str, boosted: bool, rng: np.random.Generator
) -> None:
    coins = rng.integers(0, 2, 400).astype(np.int8)
    past = columns_of(kind, rng)
    past[:, 0] += 2.0 * coins
    scores = fit_scores(past, coins, boosted=boosted)
    assert len(scores) == len(score_names(boosted))
    for score in scores:
        for columns in (past, columns_of(kind, rng), columns_of("plain", rng)):
            found = score.log_odds(columns)
            assert found.shape == (400,)
            assert np.isfinite(found).all()
        known = score.log_odds(past)
        assert known[coins == 1].mean() > known[coins == 0].mean() + 1.0
        assert np.abs(known).max() < 1e6  # a log-odds: what is beyond is no longer told apart by any bin


def test_the_middle_of_two_huge_values_is_no_warning() -> None:
    """Suites turn warnings into errors, and 2^1023 + 2^1023 is no double."""
    columns = np.full((10, 2), np.nan)
    columns[-1] = 2.0**1023
    columns[:, 1] = np.arange(10.0)
    (score,) = fit_scores(columns, (np.arange(10) % 2).astype(np.int8), boosted=False)
    assert np.isfinite(score.log_odds(columns)).all()


@pytest.mark.parametrize("width", [1, 2, 3, 5])
def test_scores_take_answers_of_any_width(width: int, rng: np.random.Generator) -> None:
    coins = rng.integers(0, 2, 400).astype(np.int8)
    for score in fit_scores(rng.normal(size=(400, 3)) + coins[:, None], coins, boosted=True):
        assert score.log_odds(rng.normal(size=(10, width))).shape == (10,)


def test_with_too_little_past_there_are_no_scores(rng: np.random.Generator) -> None:
    assert fit_scores(rng.normal(size=(400, 2)), np.zeros(400, np.int8), boosted=True) == ()
    assert fit_scores(np.zeros((0, 2)), np.zeros(0, np.int8), boosted=False) == ()


@DELTAS
def test_tables_made_together_are_those_of_each(delta: float, rng: np.random.Generator) -> None:
    """Features with fewer bins have empty ones in front; their tables stand behind these."""
    rules = rules_for(("parts-8", "spikes", "rising", "falling", "linear"), FEW_COVERAGES, delta, 0.5)
    past = []
    for size, values in (
        (9, rng.integers(0, 3, 9).astype(float)),
        (400, rng.laplace(size=400)),
        (30, np.full(30, np.nan)),
        (2000, np.where(rng.random(2000) < 0.3, 0.0, rng.normal(size=2000))),
    ):
        bins = fit_bins(values)
        places = bins.place(values)
        coins = (rng.random(size) < 0.5 + 0.3 * np.sign(np.nan_to_num(values))).astype(np.int64)
        histogram = np.bincount(2 * places + coins, minlength=2 * bins.count).reshape(-1, 2)
        past.append((histogram, centres_of(bins, histogram, value_sums(places, values, bins.count))))
    most = max(len(histogram) for histogram, _ in past)
    leans, mass = np.zeros((len(past), len(rules.families), most)), np.zeros((len(past), most))
    for row, (histogram, centres) in enumerate(past):
        start = most - len(histogram)
        leans[row, :, start:], mass[row, start:] = leans_of(rules, histogram, centres), histogram.sum(axis=1)
    found = guesses_of_leans(rules, leans, mass, 0.7)
    for row, (histogram, centres) in enumerate(past):
        start = most - len(histogram)
        assert (found[row, :, start:] == guesses_of(rules, histogram, centres, 0.7)).all()
        assert not found[row, :, :start].any()
