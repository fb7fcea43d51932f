"""beimel2015 run: what is decided, against brute force, and broken versions that must be caught."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict, replace
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import ctx

from dpcheck.model.data import UNLABELLED
from dpcheck.model.neighbours import Records
from dpcheck.papers.beimel2015.learners import (
    GenericLearner,
    IndependentResampling,
    LabelBoostProcedure,
    TranscriptWrapper,
    boost_sizes,
)
from dpcheck.papers.beimel2015.learners.boost_sizes import PRINTED
from dpcheck.papers.beimel2015.learners.label_count import NoisyLabelCount
from dpcheck.papers.beimel2015.theorems import PAPER
from dpcheck.papers.beimel2015.trials import (
    NOT_RUN,
    RUNS,
    active_sampling,
    boosting,
    generalisation,
    generic,
    groups,
    labels,
    labels_needed,
    procedure,
    sampling,
    sanitiser,
    stretched_labels,
    transcripts,
)
from dpcheck.papers.beimel2015.trials.brute_force import compositions
from dpcheck.papers.beimel2015.trials.mechanisms import InOrder, Powers, Presence
from dpcheck.papers.beimel2015.trials.scaled_boosting import first_step_fails_at_most, scaled_learner
from dpcheck.papers.beimel2015.trials.two_bits import TwoBits
from dpcheck.parts.classes import GridThresholds, Intervals
from dpcheck.parts.mechanisms.mixtures import chances
from dpcheck.parts.mechanisms.sanitisers import BlumLigettRoth, interval_queries
from dpcheck.trial.coverage import entries_to_cover
from dpcheck.trial.measurements import make
from dpcheck.trial.model import Measurement
from dpcheck.trial.rows import Findings

#: Runs that take little time, with the number of contradictions that the errata explain.
CHEAP = {
    "generic-sizes": 1,
    "relabelling-privacy": 0,
    "stretching": 2,
    "exponential-choice": 0,
    "boost-sizes": 2,
    "comparisons": 1,
    "subsampling": 0,
    "resampling": 0,
    "groups": 0,
    "sanitiser": 1,
    "labels-needed": 1,
}


@pytest.fixture(scope="module")
def measured() -> dict[str, Measurement]:
    return {key: make("beimel2015", key, seed=5, quick=True) for key in CHEAP}


def words(found: Measurement, short: str) -> list[str]:
    return [each.word for each in found.outcomes if each.result == f"beimel2015:{short}"]


def test_every_entry_that_claims_something_is_run_or_has_a_reason() -> None:
    run = {each for one in RUNS for each in one.results}
    assert set(entries_to_cover(PAPER)) <= run | set(NOT_RUN)
    assert len({one.key for one in RUNS}) == len(RUNS)


@pytest.mark.turns(6)
def test_runs_say_what_they_are_about_and_only_the_errata_contradict(measured: dict[str, Measurement]) -> None:
    for one in RUNS:
        if one.key in measured:
            found = measured[one.key]
            assert found.key == one.key
            assert {each.result for each in found.outcomes} == set(found.results) == set(one.results)
            against = [each for each in found.outcomes if each.word == "contradicted"]
            assert len(against) == CHEAP[one.key]
            assert all(each.expected for each in against)
            assert {each.word for each in found.outcomes} <= {"holds", "contradicted", "not reachable"}
            json.dumps(asdict(found), allow_nan=False)
            for chart in found.charts:
                for series in chart.series:
                    assert len(series.x) == len(series.y) > 0
                    assert all(map(math.isfinite, (*series.x, *series.y)))


# --- numbers against brute force


def test_failure_on_four_points_is_that_of_the_learners_law() -> None:
    learner, labelled = GenericLearner.over(GridThresholds(4, "down"), 1.0, points=2), 2
    unlabelled, target = [0, 1, 2, 3], 2
    failing = 0.0
    for points in product(range(4), repeat=labelled):
        dataset = [(x, int(x < target)) for x in points] + [(x, UNLABELLED) for x in unlabelled]
        failing += sum(p for h, p in chances(learner.distribution(dataset)) if h != target) / 4**labelled
    assert generic.exact_failure(learner, unlabelled, labelled, target) == pytest.approx(failing, abs=1e-12)


def test_failure_of_the_sanitiser_is_that_of_its_law() -> None:
    queries, k, records, accuracy = interval_queries(3), 2, 4, Fraction(1, 4)
    made = BlumLigettRoth(queries, 1.0, k)
    worst = 0.0
    for counts in compositions(records, 3):
        dataset = [x for x, times in enumerate(counts) for _ in range(times)]
        given = np.asarray(queries) @ np.array(counts)
        wrong = 0.0
        for database, chance in chances(made.distribution(dataset)):
            answers = np.asarray(queries) @ np.bincount(database, minlength=3)
            wrong += chance * (np.abs(given * k - answers * records).max() > accuracy * k * records)
        worst = max(worst, wrong)
    found, count = sanitiser.sanitiser_failures(np.asarray(queries, dtype=np.int64), k, records, accuracy, 1.0)
    assert count == 15
    assert found == pytest.approx(worst, abs=1e-12)
    assert 0 < worst < 1


def test_mistakes_are_counted_as_the_procedure_scores_them() -> None:
    # S at 0, 1, 2, 3 with the label 0; T where one mistake more is one too many, and in the middle of S
    accuracy = Fraction(1, 4)
    for family, counted, stretched in (
        (Intervals(), stretched_labels.interval_counts(4, 3, accuracy), [1.2, 1.4, 1.6]),
        (GridThresholds(100, "down"), stretched_labels.threshold_counts(4, 3, accuracy), [21, 22, 23]),
    ):
        scale = 1 if isinstance(family, Intervals) else 10
        learner = LabelBoostProcedure(NoisyLabelCount(1), family)
        dataset = [(x * scale + (0 if scale == 1 else 5), 0) for x in range(4)]
        _, choice = learner.choice(dataset + [(x, UNLABELLED) for x in stretched])
        mistakes = 4 - choice.scores
        found = dict(zip(*np.unique(mistakes, return_counts=True), strict=True))
        assert {j: many for j, many in counted.items() if many} == found


def test_failure_of_the_best_learner_by_listing_samples() -> None:
    dimension, accuracy, labelled = 3, Fraction(1, 10), 2
    mass = [1 - 8 * accuracy, 4 * accuracy, 4 * accuracy]
    failing = Fraction(0)
    for sample in product(range(dimension), repeat=labelled):
        unseen = {1, 2} - set(sample)
        for wrong in product((0, 1), repeat=len(unseen)):
            if sum(w * 4 * accuracy for w in wrong) > accuracy:
                failing += math.prod((mass[x] for x in sample), start=Fraction(1)) / 2 ** len(unseen)
    found = labels_needed.optimal_failure(dimension, accuracy, labelled)
    assert abs(float(found) - float(failing)) < 1e-12


def test_bad_events_on_the_line_by_trying_thresholds() -> None:
    rng = np.random.default_rng(7)
    grid = np.linspace(0, 1, 401)
    for _ in range(20):
        x = np.sort(rng.random(12))
        below = np.searchsorted(x, grid) / 12
        at_target = np.searchsorted(x, 0.5) / 12
        tried = np.abs(np.abs(grid - 0.5) - np.abs(below - at_target)).max()
        # the supremum is near a point of the sample; a grid of 1/400 is no farther from it
        assert tried - 1e-12 <= generalisation.largest_deviation(x, 0.5) <= tried + 1 / 400 + 1e-12
        gaps = np.diff(np.concatenate([[0.0], x, [1.0]]))
        assert generalisation.sparse_interval(x, float(gaps.max()))
        assert not generalisation.sparse_interval(x, float(gaps.max()) + 1e-9)


# --- broken versions


def broken_words(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, value: Any, run: Callable[[int, bool], Findings]
) -> list[str]:
    monkeypatch.setattr(module, name, value)
    return [each.word for each in run(3, True).outcomes if not each.expected]


class LeakingPresence(Presence):
    """Claims its ratio and tells with the eighth power of it."""

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        return Presence(self.ratio**8, self.delta).distribution(dataset)

    @property
    def claim(self) -> Any:
        return Presence(self.ratio, self.delta).claim


def test_an_algorithm_that_leaks_is_caught_after_subsampling_and_in_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "contradicted" in broken_words(monkeypatch, sampling, "Presence", LeakingPresence, sampling.subsampling)
    assert "contradicted" in broken_words(monkeypatch, groups, "Presence", LeakingPresence, groups.groups)


def test_draws_that_all_are_one_record_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class OneRecord(IndependentResampling):
        def samples(self, dataset: Any) -> Any:
            return np.array([[row] * self.size for row in range(self.size)])

    found = broken_words(monkeypatch, sampling, "IndependentResampling", OneRecord, sampling.resampling)
    assert "contradicted" in found


def test_algorithms_with_too_loud_bits_are_caught_in_subsampling(monkeypatch: pytest.MonkeyPatch) -> None:
    class Louder(TwoBits):
        def distribution(self, dataset: Any) -> Any:
            return TwoBits(self.ratio**8, self.delta).distribution(dataset)

    monkeypatch.setattr(active_sampling, "TwoBits", Louder)
    assert "contradicted" in [each.word for each in active_sampling.active_subsampling(3, True).outcomes[:3]]


def test_a_choice_at_a_larger_epsilon_breaks_the_factor_of_relabelling(monkeypatch: pytest.MonkeyPatch) -> None:
    right = procedure.weights_of
    loud = lambda functions, database: {key: 8 * score for key, score in right(functions, database).items()}  # noqa: E731
    found = broken_words(monkeypatch, procedure, "weights_of", loud, procedure.relabelling_privacy)
    assert found[:2] == ["contradicted", "contradicted"]


def test_too_many_points_from_too_few_labels_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = stretched_labels.most_stretched
    far = lambda a, b, s, v: right(a, b, s, v) * 10**6  # noqa: E731
    assert (
        broken_words(monkeypatch, stretched_labels, "most_stretched", far, stretched_labels.stretching)[0]
        == "contradicted"
    )


def test_sizes_from_fewer_labels_break_claim_nine() -> None:
    half = Fraction(1, 2)
    enough = PRINTED.sufficient_labelled(half, half, 1)
    with ctx.workprec(256):
        for labelled, kept in ((enough, True), (enough // 2, False)):
            run = boosting.SizeRun(half, half, 1, 10**6, labelled, boost_sizes(labelled, 10**6, 1, half, half))
            assert all(boosting._claim_nine(run)) is kept
        shrinking = replace(run.sizes.iterations[0], stretched=30001 * 10**6)
        assert not boosting._growing(replace(run, sizes=replace(run.sizes, iterations=(shrinking,))))


def test_the_bound_on_the_first_step_is_too_large_with_few_labels() -> None:
    wanted = scaled_learner(Fraction(1, 23), Fraction(1, 4), Fraction(1, 3), 40)
    assert first_step_fails_at_most(wanted) < 1e-100
    first = replace(wanted.sizes.iterations[0], kept_labelled=100)
    sizes = replace(wanted.sizes, iterations=(first,))
    assert first_step_fails_at_most(SimpleNamespace(sizes=sizes)) == 1  # type: ignore[arg-type]


def test_questions_that_tell_labels_are_seen() -> None:
    class Curious(TranscriptWrapper):
        def questions(self, points: Any, oracle: Any) -> list[int]:
            return [1, 0]

    records = Records.labelled(features=[0, 1], labels=[0, 1])
    base = NoisyLabelCount(1)
    assert transcripts._same_law(TranscriptWrapper(base, 2, 0), records, 2)
    assert not transcripts._same_law(Curious(base, 2, 0), records, 2)


@pytest.mark.turns(6)
def test_a_search_in_all_of_a_sample_is_not_private(monkeypatch: pytest.MonkeyPatch) -> None:
    class Everything(labels.SearchInPart):
        def __init__(self, drawn: int) -> None:
            super().__init__(4)

    monkeypatch.setattr(labels, "SearchInPart", Everything)
    assert labels._constant_for_every_delta()[1].word == "contradicted"


# --- finite algorithms


def test_laws_sum_to_one_and_draws_follow_them() -> None:
    rng = np.random.default_rng(0)
    for algorithm, dataset in (
        (Presence(Fraction(3), Fraction(1, 10)), [(0, 0), (0, 1)]),
        (Powers(Fraction(2), 3), [(0, 1), (0, 1)]),
        (InOrder(Fraction(3)), [(0, 0), (2, 0)]),
        (TwoBits(Fraction(3), Fraction(1, 4)), [(0, 1), (1, -1)]),
    ):
        law: dict[Any, Fraction] = algorithm.distribution(dataset)
        assert sum(law.values()) == 1
        assert all(algorithm(dataset, rng) in law for _ in range(20))
