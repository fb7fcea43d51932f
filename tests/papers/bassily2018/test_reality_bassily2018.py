"""The claims of bassily2018 where they are run: what is exact by other ways, and broken versions that must be seen."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpcheck.papers.bassily2018.learners import (
    EmpiricalMinimiser,
    HypothesisModels,
    LeastPositive,
    Scales,
    printed_scales,
    votes_of,
)
from dpcheck.papers.bassily2018.theorems import PAPER
from dpcheck.papers.bassily2018.trials import (
    NOT_RUN,
    RUNS,
    budget,
    composition,
    hpriv,
    privacy,
    rates,
    sample_sizes,
    transfer,
    wrong_votes,
)
from dpcheck.papers.bassily2018.trials.votes_drawn import (
    best_threshold,
    labels_of_one_run,
    noisy_chunks,
    wrong_votes_of,
    wrong_votes_of_thresholds,
)
from dpcheck.parts.classes import Thresholds
from dpcheck.trial.coverage import entries_to_cover, uncovered

#: Probability that a test fails by chance.
LEVEL = 1e-9


def test_every_entry_has_a_run_or_a_reason():
    named = {result for run in RUNS for result in run.results}
    assert set(entries_to_cover(PAPER)) <= named | set(NOT_RUN)
    assert not named & set(NOT_RUN)
    assert len({run.key for run in RUNS}) == len(RUNS)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    "key",
    ["conservative-budget", "few-are-misclassified", "counting-mistakes", "chosen-cutoff",
     "base-learners", "transfer-scaled", "error-of-hpriv", "noisy-labels"],
)  # fmt: skip
def test_quick_runs_are_sound(key):
    run = next(run for run in RUNS if run.key == key)
    found = run.made(3, True)
    assert found.outcomes
    for outcome in found.outcomes:
        assert outcome.result in run.results
        assert outcome.word not in ("contradicted", "not compatible") or outcome.expected
    assert {each.result for each in found.outcomes} <= set(run.results)
    for chart in found.charts:
        assert chart.series
        for series in chart.series:
            assert all(math.isfinite(value) for value in (*series.x, *series.y))
            if series.role == "measured":  # an interval for each point, around it
                ends = zip(series.low, series.y, series.high, strict=True)
                assert all(low <= middle <= high for low, middle, high in ends)


def test_an_expected_contradiction_is_only_marked_where_there_is_one():
    run = next(run for run in RUNS if run.key == "counting-mistakes")
    found = run.made(0, True)
    words = {outcome.claim: outcome for outcome in found.outcomes}
    assert words["as printed, fewer than B/xi, for all B >= 0"].word == "contradicted"
    assert all(outcome.expected for outcome in found.outcomes if outcome.word == "contradicted")
    assert not any(outcome.expected for outcome in found.outcomes if outcome.word == "holds")
    assert uncovered(PAPER, (found,))


# --- theorem 3.2 and lemma 3.3


def _failing_by_hand(mass: Fraction, queries: int, more: int) -> Fraction:
    return sum(
        (math.comb(queries, n) * mass**n * (1 - mass) ** (queries - n) for n in range(more, queries + 1)), Fraction(0)
    )


def test_failure_probabilities_are_binomial_sums():
    error = Fraction(1, 10)
    found = wrong_votes.failing(error, 10, 0.05, 1.0, 0.1)
    half = _failing_by_hand(2 * error, 10, 2)
    assert found.family == "halves"
    assert found.low <= half <= found.high
    assert found.high - found.low < 1e-5


def test_the_repaired_cutoff_is_kept_and_a_smaller_one_is_not():
    error, queries = Fraction(1, 100), 1000
    cutoff = wrong_votes.repaired_cutoff(0.01, queries, 0.05)
    assert wrong_votes.failing(error, queries, 0.05, cutoff, 0.15).high <= 0.15
    broken = wrong_votes.failing(error, queries, 0.05, 10, 0.15)  # T of a repair that forgot the logarithm
    assert broken.low > 0.15


def test_the_most_bad_queries_are_those_of_all_tables():
    for (mistakes, wrong), most in wrong_votes.enumerated_bad_queries(3, 4).items():
        assert most == wrong_votes.most_bad_queries(3, 4, mistakes, wrong)
    # a maximum that ignored that a model errs at most once on a query would be too large
    assert wrong_votes.most_bad_queries(4, 2, 3, 2) == 3


def test_votes_that_are_too_often_wrong_are_seen_at_own_size():
    rng = np.random.default_rng()
    kept = budget.play("half against half", 0.001, 100, 1.0, 50, False, rng)
    scales = kept.scales
    broken = budget.half_votes(scales.models, 0.2, 100, 50, rng)
    assert (np.abs(scales.models - 2 * broken) < scales.threshold).any(axis=1).all()


# --- privacy


def test_the_exact_delta_breaks_the_claim_at_large_epsilon_and_keeps_it_at_small():
    assert privacy.worst_row("printed", 30.0, 0.1, 1, 1).exact > 0.1
    kept = privacy.worst_row("printed", 1.0, 1e-6, 1, 2)
    assert kept.exact <= 1e-6
    assert kept.exact <= kept.proved * (1 + 1e-9)


def test_too_little_noise_is_contradicted(monkeypatch):
    # the printed noise is 21 votes, not 1
    monkeypatch.setattr(privacy, "printed_scales", lambda *_: Scales(328.0, 1.0, 2.0, 700, 1))
    rows = [privacy.worst_row("printed", 1.0, 1e-6, 1, 2)]
    assert privacy._holds(rows, "broken").word == "contradicted"


# --- rates and sizes


def test_a_wrong_power_is_not_compatible():
    settings = [rates.Setting(1e12, float(round(m))) for m in np.geomspace(3e6, 3e7, 5)]
    right = rates.order_of(settings, lambda s: s.queries, lambda s: (s.queries / s.records) ** 2)
    wrong = rates.order_of(settings, lambda s: s.queries, lambda s: s.queries / s.records)
    assert right.verdict == "compatible"
    assert wrong.verdict == "not compatible"


def test_a_cutoff_fits_where_the_solver_finds_one():
    for queries in (1e2, 1e4):
        found = rates.fixed_point(rates.Setting(1e10, queries))
        assert found is not None
        assert rates.some_cutoff_fits(rates.Setting(1e10, queries), found.scales.cutoff)
    assert rates.fixed_point(rates.Setting(1e7, 1e4)) is None
    assert not rates.some_cutoff_fits(rates.Setting(1e7, 1e4), 9999)


def test_composed_models_are_the_least():
    from dpcheck.papers.bassily2018.learners.composition import scale_for

    scale = scale_for(1.0, 1e-6, 100, noise="laplace", accounting="advanced")
    models = composition.composed_models(100, 1.0)

    def missed(lead: float) -> float:
        return 100 * (1 + lead / scale / 2) * math.exp(-lead / scale) / 2

    assert missed(models / 3) <= 0.05 < missed(models / 3 - 1)


@pytest.mark.parametrize("kind", ["thm-4.2", "thm-4.3", "rem-2", "rem-3"])
def test_sizes_of_another_order_are_not_compatible(kind, monkeypatch):
    settings = [sample_sizes.chain(kind, a) for a in (0.1, 0.01, 0.001)]
    assert sample_sizes.order_of(kind, settings, lambda c: c.accuracy).verdict == "compatible"
    right = sample_sizes.ORDERS[kind]
    monkeypatch.setitem(sample_sizes.ORDERS, kind, lambda c: right(c) / math.sqrt(c.accuracy))
    assert sample_sizes.order_of(kind, settings, lambda c: c.accuracy).verdict == "not compatible"


# --- hpriv and transfer


def test_the_wrong_label_of_one_query_is_that_of_the_exact_law():
    from dpcheck.papers.bassily2018.learners import answers_law

    scales = Scales(4.0, 1.0, 2.0, 9, 1)
    for wrong in range(10):
        law = answers_law([[wrong, 9 - wrong]], scales)  # label 1 is right
        assert law.exact is not None
        chances = {output[0]: float(chance.mid()) for output, chance in zip(law.outputs, law.exact, strict=True)}
        exact = chances.get(0, 0.0) + (1 - chances.get(0, 0.0) - chances.get(1, 0.0)) / 2
        assert hpriv.wrong_label(9, wrong, scales) == pytest.approx(exact, abs=1e-12)
        assert hpriv.wrong_label(9, wrong, scales) >= exact - 1e-15


def test_the_error_of_hpriv_is_at_most_three_alpha_and_no_bound_below_two_would_hold():
    factors = [hpriv.error_factor(0.01, share, 3685, 0.01)[0] for share in (0.34, 0.4, 0.45, 0.51, 0.6, 1.0)]
    assert max(factors) <= 3
    assert max(factors) > 1.5  # so that a claim of 1.5 alpha would be contradicted


def test_drawn_votes_are_those_of_thresholds_trained_on_records():
    # null: both are means of counts in [0, k] with one expectation; Hoeffding at LEVEL/2 each. Power: half the records
    # move the mean by far more
    rng = np.random.default_rng()
    models, each, runs = 20, 30, 3000
    points = np.array([0.3, 0.505, 0.52, 0.6])
    drawn = np.mean([wrong_votes_of_thresholds(points, each, models, rng) for _ in range(runs)], axis=0) / models
    exact = np.where(points < 0.5, 0.0, (1 - (points - 0.5)) ** each)
    room = math.sqrt(math.log(2 * len(points) / LEVEL) / (2 * runs))
    assert (np.abs(drawn - exact) <= room).all()
    assert abs(exact[2] - (1 - 0.02) ** (each / 2)) > 2 * room or room > 0.05
    x = rng.random((models, each))
    trained = [LeastPositive()(row, (row >= 0.5).astype(int)).hypothesis for row in x]
    counts = votes_of(HypothesisModels(Thresholds(), np.array(trained)), points, (0, 1))
    assert wrong_votes_of(np.array(trained), points).tolist() == [counts[0, 1], *counts[1:, 0]]


def test_the_best_threshold_has_the_fewest_mistakes():
    rng = np.random.default_rng()
    for _ in range(50):
        points, labels = rng.random(9), rng.integers(2, size=9)
        found = best_threshold(points, labels)
        mistakes = [int(((points >= w) != labels).sum()) for w in (*points, 1.0)]
        assert int(((points >= found) != labels).sum()) == min(mistakes)
        model = EmpiricalMinimiser(Thresholds())(points, labels)
        assert int((np.asarray(model.predict(points)) != labels).sum()) == min(mistakes)


def test_noisy_chunks_are_minimised_as_single_ones_are():
    rng = np.random.default_rng()
    found = noisy_chunks(200, 60, 0.0, rng)
    assert ((found >= 0.5) | (found == 1.0)).all()  # without noise each is consistent


def test_labels_of_one_run_are_right_where_all_votes_are_and_coins_after_the_end():
    rng = np.random.default_rng()
    scales = printed_scales(1.0, 1e-9, 0.05, 400, 1)
    half = scales.models // 2
    wrong = np.concatenate([np.zeros(100), np.full(10, half), np.zeros(290)]).astype(int)
    truth = np.ones(400, dtype=int)
    labels, pattern = labels_of_one_run(wrong, truth, scales, rng)
    assert (labels[:100] == 1).all()  # but for a probability below 1e-100
    assert (pattern[100:102] == 0).all()  # at distance 0: but for a probability of 3e-10 each
    assert (pattern[102:] == -1).all()
    assert 0 < labels[110:].sum() < 290  # 290 coins: all alike with probability 2^-289


def test_the_bound_on_transfer_says_nothing_where_many_points_are_split():
    size = transfer.own_size(0.05)
    assert transfer.certain_failure(size, 0.05, 0.05) < 1e-30
    # as many split points as there are abstentions: alg-2 would stop
    assert transfer.certain_failure(size, 0.7, 0.05) == 1.0


def test_an_outcome_that_a_coin_keeps_too_says_nothing():
    words = [transfer._own("p:x", *transfer.exact_transfer(a), "models") for a in (0.06, 0.05, 0.03)]
    assert [one.word for one in words] == ["says nothing", "says nothing", "holds"]
    assert "a coin for each label keeps it too: it errs by 0.5" in words[1].against
    assert "it errs by up to 0.85" in words[2].against
    assert transfer._own("p:x", *transfer.exact_agnostic_transfer(0.03, 0.01), "models").word == "says nothing"
    assert transfer._own("p:x", transfer.own_size(0.03), 0.2, "models").word != "holds"


def test_families_are_those_of_their_law():
    rng = np.random.default_rng()
    for family, shape in itertools.product(budget.FAMILIES.values(), [(3, 40)]):
        votes = family(99, 0.05, shape[1], shape[0], rng)
        assert votes.shape == shape
        assert votes.min() >= 0
        assert votes.max() <= 99


def test_models_of_composition_are_more_from_the_named_number_of_queries_on():
    rows, crossing = budget._models_for_queries(True)
    models = {(row.quantity, row.settings["m"]): row.value for row in rows}
    for (name, m), ours in models.items():
        if name == "alg-2, printed formulas":
            assert ours < models["every query answered, advanced composition", m] or m < crossing


def test_the_worst_threshold_can_break_each_promise_at_own_size():
    made = transfer.own_size(0.05)
    assert made.limit < transfer.largest_error(0.0)
    # a learner with the worst threshold: its error is that of no promise made here
    assert transfer._own("p:x", made, 1.0, "the worst threshold").word != "holds"
