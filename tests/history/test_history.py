"""Baselines: what is measured, what a comparison names, what it leaves alone, and files from others."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcheck.cli.baseline_files import keep, read_baseline, write_baseline
from dpcheck.history import Baseline, Entry, Subject, Task, comparisons, distinguishers
from dpcheck.history import cost as costs
from dpcheck.history import store as stores
from dpcheck.history.baseline import Cost, Privacy, RiskCounts, Told, View
from dpcheck.history.baseline_runs import (
    compare_baseline,
    compare_entry,
    cut_by_time,
    record_baseline,
    record_entry,
)
from dpcheck.history.comparisons import (
    Change,
    Compared,
    Comparison,
    Kind,
    State,
    compare_cost,
    compare_exact,
    compare_privacy,
    compare_risk,
)
from dpcheck.history.distinguishers import ITSELF, ONE_ONLY, SUMMED
from dpcheck.history.privacy import COMPARE, RECORD, Counted, calls_of, seed_for
from dpcheck.history.risks import counts_of, cuts_of
from dpcheck.history.rows import history_figure, row_of_compared
from dpcheck.history.store import STEPS, Row, Store, commit_of
from dpcheck.history.two_sample import Drift, detectable_shift, drift_of_histograms, permutation_test, risen
from dpcheck.history.views import table_of, with_counts
from dpcheck.model import disk
from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument, LearnerDied, RecordCorrupt
from dpcheck.model.verdict.plots import as_svg
from dpcheck.privacy.statistics.game import Batch, Shape
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.report import comparison as comparison_text
from dpcheck.report import comparison_json, comparison_junit, comparison_markdown
from dpcheck.utility.distributions import UniformGrid
from tests.clocks import only_sleeping_takes_time
from tests.failing_disk import FAULTS, FailingDisk
from tests.statistical_tests import statistical_test

PAIR = [(np.array([1.0, 0.5]), np.array([0.0, 0.5]))]
SMALL: dict[str, Any] = {
    "isolation": "none",
    "calls": 12_000,
    "learn_calls": 2_000,
    "trials": 2_000,
    "cost": False,
    "max_seconds": 600.0,
}


def noisy(scale: float) -> Callable[[Any, Any], float]:
    return lambda dataset, rng: float(np.sum(dataset)) + rng.laplace(scale=scale)


def missed(output: Any, dataset: Any) -> float:
    return abs(output - float(np.sum(dataset)))


TASK = (Task("n = 2", dataset=PAIR[0][0], risk=missed),)


def subject(learner: Any, **more: Any) -> Subject:
    return Subject("one", learner, **{"pairs": PAIR, **SMALL, **more})


@pytest.fixture(scope="module")
def baseline() -> Baseline:
    """Of a Laplace mechanism at epsilon 1."""
    return record_baseline([subject(noisy(1.0), tasks=TASK)])


def kinds(changes: tuple[Change, ...]) -> dict[str, Kind]:
    return {change.quantity: change.kind for change in changes}


# --- what is named


@pytest.mark.turns(4)
def test_an_unchanged_learner_is_left_alone(baseline: Baseline, seed: int) -> None:
    changes = compare_entry(subject(noisy(1.0), tasks=TASK), baseline.learners["one"], seed=seed, alpha=1e-9)
    assert set(kinds(changes).values()) == {Kind.UNCHANGED}
    assert sum(change.level for change in changes) == pytest.approx(5e-9)


def test_what_leaks_more_is_worse_and_what_errs_less_is_better(baseline: Baseline, seed: int) -> None:
    changes = compare_entry(subject(noisy(0.5), tasks=TASK), baseline.learners["one"], seed=seed)
    found = kinds(changes)
    assert found["distinguishing advantage"] is Kind.WORSE
    assert found["outputs"] is Kind.CHANGED
    assert found["risk at n = 2"] is Kind.BETTER
    words = {change.quantity: change.sentence for change in changes}
    assert "rose from" in words["distinguishing advantage"]
    assert "p = " in words["distinguishing advantage"]
    assert words["risk at n = 2"].startswith("risk at n = 2 fell from")


def test_what_leaks_less_and_errs_more_is_named_so(baseline: Baseline, seed: int) -> None:
    found = kinds(compare_entry(subject(noisy(2.0), tasks=TASK), baseline.learners["one"], seed=seed))
    assert found["distinguishing advantage"] is found["outputs"] is Kind.BETTER
    assert found["risk at n = 2"] is Kind.WORSE


@pytest.mark.turns(6)
def test_a_leak_of_another_shape_is_seen_by_what_is_learned_anew(seed: int) -> None:
    def quiet(dataset: Any, rng: Any) -> tuple[float, float]:
        return float(np.sum(dataset)) + rng.laplace(), rng.normal()

    def loud(dataset: Any, rng: Any) -> tuple[float, float]:
        first, second = quiet(dataset, rng)
        return first, second + 3.0 * dataset[0]

    entry = record_entry(subject(quiet), seed=seed)
    found = kinds(compare_entry(subject(loud), entry, seed=seed))
    assert found["distinguishing advantage"] is Kind.WORSE


ALWAYS = {
    "a number": (lambda dataset, rng: 5.0, lambda dataset, rng: 5.0 + dataset[0]),
    "a type": (lambda dataset, rng: int(rng.integers(3)), lambda dataset, rng: (int, float)[int(dataset[0])](2)),
    "a length": (lambda dataset, rng: np.zeros(3), lambda dataset, rng: np.zeros(3 + int(dataset[0]))),
}


@pytest.mark.turns(4)
def test_a_rare_leak_far_out_is_seen_without_a_claim(seed: int) -> None:
    """Of 20,000 calls about 400 say which dataset it was: none did before."""

    def rarely(dataset: Any, rng: Any) -> float:
        return float(np.sum(dataset) + rng.laplace()) if rng.random() > 0.02 else 1000.0 * (2.0 * dataset[0] - 1.0)

    effort = {"calls": 20_000, "learn_calls": 4_000}
    entry = record_entry(subject(noisy(1.0), **effort), seed=seed)
    found = kinds(compare_entry(subject(rarely, **effort), entry, seed=seed))
    assert found["share that gives a record away"] is Kind.WORSE


@pytest.mark.turns(4)
@pytest.mark.parametrize("case", ALWAYS)
def test_a_leak_where_nothing_ever_varied_is_seen_without_a_claim(case: str, seed: int) -> None:
    quiet, loud = ALWAYS[case]
    few = {"calls": 2_000, "learn_calls": 1_000}
    entry = record_entry(subject(quiet, **few), seed=seed)
    same = kinds(compare_entry(subject(quiet, **few), entry, seed=seed, alpha=1e-9))
    assert set(same.values()) == {Kind.UNCHANGED}
    found = kinds(compare_entry(subject(loud, **few), entry, seed=seed))
    assert found["distinguishing advantage"] is Kind.WORSE


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "learner",
    [
        lambda dataset, rng: np.array([float(np.sum(dataset)) + rng.laplace()] * 3),
        lambda dataset, rng: "a word",
        lambda dataset, rng: {"sum": float(np.sum(dataset)) + rng.laplace()},
        lambda dataset, rng: None,
    ],
)
def test_an_output_of_another_form_is_a_change(baseline: Baseline, learner: Any, seed: int) -> None:
    changes = compare_entry(subject(learner), baseline.learners["one"], seed=seed)
    assert not set(kinds(changes).values()) <= {Kind.UNCHANGED, Kind.BETTER}


@pytest.mark.turns(4)
def test_a_learner_of_several_numbers_and_several_kinds_of_answers_is_recorded(seed: int) -> None:
    """Beside its numbers the kind of an answer is looked at, and named by an answer."""

    def now_and_then(dataset: Any, rng: Any) -> Any:
        return None if rng.random() < 0.3 else coordinates(dataset, rng)

    entry = record_entry(subject(now_and_then, calls=2_000, learn_calls=800), seed=seed)
    assert set(entry.privacy.kinds) == {"any other kind", "None", "numpy.ndarray"}


def test_a_learner_of_words_is_compared_by_its_answers(seed: int) -> None:
    def says(chance: float) -> Any:
        return lambda dataset, rng: "yes" if rng.random() < 0.5 + chance * (dataset[0] - 0.5) else "no"

    entry = record_entry(subject(says(0.4)), seed=seed)
    assert entry.privacy.views[0].kind == "answer"
    assert set(kinds(compare_entry(subject(says(0.4)), entry, seed=seed, alpha=1e-9)).values()) == {Kind.UNCHANGED}
    assert kinds(compare_entry(subject(says(0.7)), entry, seed=seed))["distinguishing advantage"] is Kind.WORSE


class Coin:
    """A randomised response that declares its law."""

    def __init__(self, odds: int = 3) -> None:
        self.odds = odds

    def __call__(self, dataset: Any, rng: Any) -> int:
        return int(dataset[0] > 0) ^ int(rng.random() < 1.0 / (1.0 + self.odds))

    def distribution(self, dataset: Any) -> dict[int, Fraction]:
        one = Fraction(self.odds if dataset[0] > 0 else 1, 1 + self.odds)
        return {0: 1 - one, 1: one}


@pytest.mark.turns(4)
def test_declared_laws_are_compared_exactly(seed: int) -> None:
    entry = record_entry(subject(Coin()), seed=seed)
    assert entry.privacy.exact is not None
    assert entry.privacy.exact.epsilon == pytest.approx(np.log(3.0))
    same = compare_entry(subject(Coin()), entry, seed=seed, alpha=1e-9)
    assert kinds(same)["exact epsilon"] is Kind.UNCHANGED
    assert kinds(same)["certified epsilon"] is Kind.UNCHANGED
    found = kinds(compare_entry(subject(Coin(9)), entry, seed=seed))
    assert found["exact epsilon"] is Kind.WORSE
    assert found["distinguishing advantage"] is Kind.WORSE
    assert compare_exact(entry.privacy.exact, None)[0].kind is Kind.CHANGED


@pytest.mark.turns(4)
def test_a_risk_on_fresh_samples_is_counted_exactly(seed: int) -> None:
    def threshold(shift: int) -> Any:
        def learn(dataset: Any, rng: Any) -> int:
            x, y = dataset
            return int(np.clip((x[y == 1].min() if np.any(y) else 100) + shift + rng.integers(-3, 4), 0, 100))

        return learn

    points = np.array([10, 50, 80])
    pairs = [(Labelled(points, np.array([0, 1, 1])), Labelled(points, np.array([0, 0, 1])))]
    grid = (Task("n = 50", UniformGrid(100), {"n": 50}),)
    entry = record_entry(subject(threshold(0), pairs=pairs, tasks=grid), seed=seed)
    assert entry.utility["n = 50"].kind == "exact"
    assert entry.utility["n = 50"].trials == SMALL["trials"]
    found = compare_entry(subject(threshold(2), pairs=pairs, tasks=grid), entry, seed=seed)
    assert kinds(found)["risk at n = 50"] is Kind.WORSE


@pytest.mark.turns(4)
def test_trials_without_a_risk_are_counted_as_the_worst(baseline: Baseline, seed: int) -> None:
    def fails(dataset: Any, rng: Any) -> float:
        if rng.random() < 0.1:
            raise ValueError("no")
        return noisy(1.0)(dataset, rng)

    changes = compare_entry(subject(fails, tasks=TASK), baseline.learners["one"], seed=seed)
    (risk,) = (change for change in changes if change.quantity == "risk at n = 2")
    assert risk.kind is Kind.WORSE
    assert "without a risk" in risk.sentence


def test_risks_are_seen_to_rise_where_they_have_few_values_or_a_long_tail(rng: np.random.Generator) -> None:
    """Each null is far from true: the largest p-value that could be expected is below 1e-12."""
    spread = rng.exponential(size=30_000)
    for before, now in (
        (np.full(1_000, 0.3), np.full(1_000, 0.6)),
        (0.5 * rng.integers(2, size=1_000), 1.0 * rng.integers(2, size=1_000)),
        (np.where(rng.random(2_000) < 0.05, 0.0, 0.5), np.full(2_000, 0.5)),
        (spread, np.where(spread > 4.6, 2.0, 1.0) * spread),
        (spread, np.where(rng.random(30_000) < 0.01, np.inf, spread)),
    ):
        cuts = cuts_of(before[: len(before) // 5])
        change = compare_risk("n", counts_of(before, cuts, "given"), counts_of(now, cuts, "given"), 1e-6)
        assert change.kind is Kind.WORSE, change.sentence


def test_rounding_of_a_risk_that_is_always_the_same_is_no_change() -> None:
    cuts = cuts_of(np.full(100, 0.3))
    found = [counts_of(np.full(1_000, risk), cuts, "given").counts for risk in (0.3, 0.1 + 0.2, np.nextafter(0.3, 0))]
    assert found == [(0, 1_000, 0, 0)] * 3


def test_it_is_said_that_other_pairs_than_the_baselines_are_not_compared() -> None:
    def leaks_elsewhere(data: Any, rng: Any) -> float:
        return float(data[0] + rng.laplace() + 100 * (data[0] == 0.25))

    def pairs(*replacements: float) -> list[Any]:
        return [([0.0], [value]) for value in replacements]

    for given, others in (((1.0,), ""), ((1.0, 0.25), "the other pair: "), ((1.0, 0.5, 0.25), "the 2 other pairs: ")):
        asked = subject(noisy(1.0), claim=1.5, pairs=pairs(*given), cost=False)
        entry = record_entry(asked)
        assert entry.privacy.pair_number == 0
        changes = compare_entry(replace(asked, learner=leaks_elsewhere), entry, alpha=1e-9)
        assert set(kinds(changes).values()) <= {Kind.UNCHANGED, Kind.NOT_COMPARED}
        assert [change.sentence[: len(others)] for change in changes if change.quantity == "other pairs"] == (
            [others] if others else []
        )


@pytest.mark.turns(4)
def test_a_violation_that_the_baseline_knows_is_no_change(seed: int) -> None:
    broken = subject(noisy(1.0), claim=0.2)
    entry = record_entry(broken)
    assert any(note.startswith("the claim is violated: epsilon is above ") for note in entry.notes)
    changes = compare_entry(broken, entry, seed=seed, alpha=1e-9)
    assert kinds(changes)["certified epsilon"] is Kind.NOT_COMPARED
    assert not {Kind.WORSE, Kind.CHANGED} & set(kinds(changes).values())


def test_a_risk_that_is_no_longer_asked_for_or_new_is_a_change(baseline: Baseline, seed: int) -> None:
    other = (Task("n = 2, again", dataset=PAIR[0][0], risk=missed),)
    found = kinds(compare_entry(subject(noisy(1.0), tasks=other), baseline.learners["one"], seed=seed))
    assert found["risk at n = 2"] is Kind.CHANGED
    assert found["risk at n = 2, again"] is Kind.CHANGED


def test_a_pair_that_is_gone_and_another_claim_are_changes(baseline: Baseline, seed: int) -> None:
    pairs = [(np.array([1.0, 0.25]), np.array([0.0, 0.25]))]
    found = kinds(compare_entry(subject(noisy(1.0), pairs=pairs, claim=1.0), baseline.learners["one"], seed=seed))
    assert found["pair"] is Kind.CHANGED
    assert found["claim"] is Kind.CHANGED


@pytest.mark.turns(4)
def test_a_claim_that_is_broken_now_is_named(seed: int) -> None:
    entry = record_entry(subject(noisy(1.0), claim=1.0), seed=seed)
    found = kinds(compare_entry(subject(noisy(0.5), claim=1.0), entry, seed=seed))
    assert found["certified epsilon"] is Kind.WORSE


@pytest.mark.turns(4)
def test_many_pairs_are_searched_and_the_best_is_counted(seed: int) -> None:
    pairs = [(np.array([0.0, float(k)]), np.array([0.001, float(k)])) for k in range(5)]
    pairs.insert(2, (np.array([0.0, 1.0]), np.array([2.0, 1.0])))
    entry = record_entry(subject(noisy(1.0), pairs=pairs, learn_calls=6_000), seed=seed)
    assert entry.privacy.pair_number == 2
    assert entry.privacy.certified > 1.0


def test_twice_the_cost_is_named_and_the_same_is_not(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """The processor's clock is one that the work itself moves on, with blocks as uneven as on a busy machine."""
    uneven = np.random.default_rng(seed)
    clock = [0.0]

    def pass_time(seconds: float) -> None:
        clock[0] += seconds * uneven.uniform(0.9, 1.1)

    class Works:
        def __init__(self, work: int) -> None:
            self.work = work

        def __call__(self, dataset: Any, rng: Any) -> float:
            pass_time(1e-3 * self.work)
            return 0.0

    monkeypatch.setattr(costs, "time", SimpleNamespace(process_time=lambda: clock[0], monotonic=time.monotonic))
    monkeypatch.setattr(costs, "reference_computation", lambda: pass_time(5e-4))

    def costly(work: int) -> Cost:
        return costs.measure_cost(subject(Works(work)), PAIR[0][0], 1)

    before, same, double = costly(1), costly(1), costly(2)
    assert len(before.ratios) == costs.BLOCKS
    assert 1.5 < before.median < 2.5
    assert 3.0 < double.median < 5.0

    def compared(one: Cost, other: Cost, again: Cost) -> Kind:
        return compare_cost(one, other, 1e-6, lambda: again).kind

    assert compared(before, same, same) is Kind.UNCHANGED
    assert compared(before, double, double) is Kind.WORSE
    assert compared(double, before, before) is Kind.BETTER
    assert compared(before, double, same) is Kind.UNCHANGED  # one bad run is not enough
    assert compared(replace(before, machine="another"), double, double) is Kind.NOT_COMPARED
    assert compared(replace(before, ratios=before.ratios[:5]), double, double) is Kind.NOT_COMPARED


def test_the_cost_of_work_is_counted_by_the_processors_clock() -> None:
    def works(dataset: Any, rng: Any) -> float:
        return float(sum(costs.reference_computation() for _ in range(1_000)))

    (least, *_) = sorted(costs.measure_cost(subject(works), PAIR[0][0], 1).ratios)
    assert least > 50.0  # a thousand times the reference computation, on a machine however busy


# --- a privacy that is the same, and one that is not

WIDE = {"calls": 60_000, "learn_calls": 3_000}


def coordinates(dataset: Any, rng: Any) -> Any:
    return np.array([dataset[0], dataset[1], 0.0]) + rng.laplace(size=3)


def category(dataset: Any, rng: Any) -> str:
    return "ab"[int(dataset[0]) ^ int(rng.random() < 0.27)]


#: Bijections of the outputs: whatever was told is told, and no more.
BIJECTIONS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "a shift": (noisy(1.0), lambda output: output + 5.0),
    "a change of sign": (noisy(1.0), lambda output: -output),
    "another unit": (noisy(1.0), lambda output: 1e6 * output - 3.0),
    "a unit far smaller": (noisy(1.0), lambda output: 1e-15 * output),
    "a monotone map": (noisy(1.0), lambda output: float(np.sinh(output))),
    "other places": (coordinates, lambda output: output[[2, 0, 1]]),
    "other words": (category, lambda output: {"a": "b", "b": "none"}[output]),
    "numbers for words": (category, lambda output: {"a": 2.5, "b": -1.0}[output]),
}


@pytest.mark.some(2)
@pytest.mark.parametrize("case", BIJECTIONS)
def test_a_bijection_of_the_outputs_is_a_change_and_never_worse(case: str, seed: int) -> None:
    learner, renamed = BIJECTIONS[case]
    effort = {"calls": 12_000, "learn_calls": 2_000}
    entry = record_entry(subject(learner, **effort), seed=seed)
    other = subject(lambda dataset, rng: renamed(learner(dataset, rng)), **effort)
    found = kinds(compare_entry(other, entry, seed=seed, alpha=1e-9))
    assert not {Kind.WORSE, Kind.BETTER} & set(found.values())
    assert found["outputs"] is Kind.CHANGED


def sometimes(share: float, otherwise: Callable[[Any], Any]) -> Any:
    return lambda dataset, rng: otherwise(dataset) if rng.random() < share else noisy(1.0)(dataset, rng)


def no_more(dataset: Any) -> float:
    raise ValueError("no")


#: What leaks more, or fails: the quantity that says so.
REGRESSIONS: dict[str, tuple[Any, Any, str]] = {
    "a fifth less noise, and a change of sign": (
        noisy(1.0),
        lambda dataset, rng: -noisy(0.8)(dataset, rng),
        "distinguishing advantage",
    ),
    "it raises in 1% of the calls": (noisy(1.0), sometimes(0.01, no_more), "kinds of answers"),
    "it answers None in 1% of the calls": (noisy(1.0), sometimes(0.01, lambda _: None), "kinds of answers"),
    "it reveals the record in 0.3% of the calls": (
        noisy(1.0),
        sometimes(0.003, lambda dataset: float(dataset[0])),
        "share that gives a record away",
    ),
    "a coordinate without noise": (
        coordinates,
        lambda dataset, rng: np.array([dataset[0], *coordinates(dataset, rng)[1:]]),
        "distinguishing advantage",
    ),
    "the same noise on all coordinates": (
        coordinates,
        lambda dataset, rng: np.array([dataset[0], dataset[1], 0.0]) + rng.laplace(),
        "distinguishing advantage",
    ),
}


@pytest.mark.turns(6)
@pytest.mark.parametrize("case", REGRESSIONS)
def test_what_leaks_or_fails_more_is_worse(case: str, seed: int) -> None:
    before, after, quantity = REGRESSIONS[case]
    entry = record_entry(subject(before, **WIDE), seed=seed)
    assert kinds(compare_entry(subject(after, **WIDE), entry, seed=seed))[quantity] is Kind.WORSE


# --- whole comparisons


def test_the_first_comparison_records_and_says_so(seed: int) -> None:
    found = compare_baseline([subject(noisy(1.0))], Baseline({}), seed=seed)
    (result,) = found.results
    assert result.state is State.NEW
    assert isinstance(result.fresh, Entry)
    assert comparison_text.exit_of_comparison(found) == 1


def test_an_entry_that_nothing_produces_fails(baseline: Baseline) -> None:
    found = compare_baseline([], baseline)
    assert [result.state for result in found.results] == [State.NOT_PRODUCED]
    assert comparison_text.exit_of_comparison(found) == 1
    assert comparison_text.exit_of_comparison(compare_baseline([], baseline, whole=False)) == 5


def test_a_learner_that_dies_is_learner_failed(baseline: Baseline) -> None:
    def dies(dataset: Any, rng: Any) -> float:
        raise ValueError("never")

    found = compare_baseline([subject(dies)], baseline)
    assert found.results[0].trouble == "learner failed"
    assert comparison_text.exit_of_comparison(found) == 4
    with pytest.raises(LearnerDied):
        record_entry(subject(dies))


@pytest.mark.turns(4)
def test_the_same_seed_records_the_same_counts_and_comparisons_draw_others() -> None:
    one, two = (record_entry(subject(noisy(1.0), tasks=TASK), seed=5) for _ in range(2))
    assert one == two
    assert record_entry(subject(noisy(1.0), tasks=TASK), seed=6).privacy.views != one.privacy.views
    seeds = {seed_for(name, seed, purpose) for name in "ab" for seed in range(3) for purpose in (RECORD, COMPARE)}
    assert len(seeds) == 12


def test_other_entries_stay_as_they_are(baseline: Baseline) -> None:
    other = replace(subject(noisy(2.0)), name="two")
    both = record_baseline([other], baseline)
    assert both.learners["one"] == baseline.learners["one"]
    before, after = baseline.to_json().splitlines(), both.to_json().splitlines()
    assert set(before) - set(after) <= {"  }"}  # where a comma follows now


@pytest.mark.turns(4)
def test_cost_that_has_not_changed_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([1.0, 1.01, 3.0, 3.0])

    def measured(*_: Any, **__: Any) -> Cost:
        level = next(blocks)
        return Cost("here", tuple(level + 0.001 * k for k in range(24)))

    monkeypatch.setattr("dpcheck.history.baseline_runs.measure_cost", measured)
    first = record_entry(subject(noisy(1.0), cost=True))
    again = record_entry(subject(noisy(1.0), cost=True), before=first)
    assert again == first
    assert record_entry(subject(noisy(1.0), cost=True), before=first).cost != first.cost


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"calls": 10}, "calls must be a whole number of at least 1,000"),
        ({"trials": 1.5}, "trials must be"),
        ({"tasks": (Task("a"),)}, "must have a distribution"),
        ({"tasks": (Task("a", dataset=[1]),)}, "must have a risk"),
        ({"tasks": (Task("a", UniformGrid(9), {"n": -1}),)}, "sizes must be"),
        ({"tasks": (Task("a", 3, {"n": 1}),)}, "distribution must draw"),
        ({"tasks": (*TASK, *TASK)}, "different names"),
        (
            {"tasks": (Task("a", dataset=[1], risk=lambda output, dataset: float("nan")),)},
            "finite number in some trial",
        ),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(change: dict[str, Any], word: str) -> None:
    with pytest.raises(InvalidArgument, match=word):
        record_entry(subject(noisy(1.0), **change))


# --- tests that could not fail would be caught


def view(left: tuple[int, ...], right: tuple[int, ...]) -> View:
    return View("output", "number", 0, (0.0, 1.0), (), (), (-1, 0, 1, 0), left, right)


def privacy_of(frozen: View) -> Privacy:
    told = tuple(Told(what, EVEN) for what in SUMMED)
    answers = {"float": (10_000, 10_000), "any other kind": (0, 0)}
    return Privacy("r", "p", 0, 0, "", "", 0.0, 1e-6, "", 0.0, "", (), (frozen,), 100, told, answers)


#: Sums of blocks that are no better than chance.
EVEN = (-1, 1) * 12


def named(
    now: View, before: View, level: float = 1e-6, new: dict[str, int] | None = None, **sums: tuple[int, ...]
) -> dict[str, Kind]:
    """What is said of counts, of sums of blocks by quantity, and of so many calls on D of new kinds."""
    told = {what: sums.get(what.replace(",", "").replace(" ", "_"), EVEN) for what in SUMMED}
    left = {"float": 10_000 - sum((new or {}).values()), **(new or {})}
    again = Counted((table_of(now),), told, left, {"float": 10_000})
    return kinds(compare_privacy(privacy_of(before), again, level))


MORE = tuple(one + 9 for one in EVEN)
LESS = tuple(one - 9 for one in EVEN)


def test_blocks_too_small_for_any_rise_of_the_advantage_say_so() -> None:
    def said(per_block: int) -> str:
        frozen = replace(privacy_of(BEFORE), block_calls=per_block)
        again = Counted((table_of(BEFORE),), dict.fromkeys(SUMMED, EVEN), {"float": 10_000}, {"float": 10_000})
        return compare_privacy(frozen, again, 1e-6)[0].sentence

    assert said(1).endswith("; not even a rise to 1 would be caught")
    assert re.search(r"; a rise to 0\.\d+ would be caught$", said(100))


def test_what_could_not_be_seen_is_said_with_the_calls_that_it_takes() -> None:
    def said(per_block: int, cut_at: float | None) -> str:
        frozen = replace(privacy_of(BEFORE), block_calls=per_block)
        again = Counted((table_of(BEFORE),), dict.fromkeys(SUMMED, EVEN), {"float": 10_000}, {"float": 10_000})
        return compare_privacy(frozen, again, 1e-6, cut_at)[1].sentence

    enough = said(20_000, None)
    assert re.search(r"in 0\.000\d+ of the calls on one dataset only would be caught with these 480,000 calls$", enough)
    few = re.search(
        r"in (0\.\d+) of .* with these 24,000 calls, and one given in 0\.001 of them takes about ([\d,]+) calls "
        r"\(record and compare with max-seconds = (\d+)\)$",
        said(1_000, 20.0),
    )
    assert few is not None
    assert float(few[1]) > 0.001
    calls = int(few[2].replace(",", ""))
    assert 20.0 * calls / 24_000 == pytest.approx(float(few[3]), rel=0.1)
    then = re.search(r"in (0\.\d+) of", said(calls // 24, None))
    assert then is not None
    assert float(then[1]) <= 0.001
    assert "max-seconds" not in said(1_000, None)  # more of it would give no more calls


@pytest.mark.turns(6)
def test_a_rare_answer_of_one_dataset_shows_beside_differences_that_come_again(rng: np.random.Generator) -> None:
    """A constant less noise is counted in coarse steps, which come again by chance; the noise itself does not."""
    sums: dict[str, list[list[int]]] = {ITSELF: [], ONE_ONLY: []}
    for share in (0.0, 0.001):
        found: dict[str, list[int]] = {what: [] for what in sums}
        for _ in range(24):
            coins = rng.integers(0, 2, 12_500).astype(np.int8)
            values = rng.laplace(scale=0.25, size=len(coins)) + 0.5
            values[(rng.random(len(coins)) < share) & (coins == 1)] = 0.73
            gaps = np.round((4.0 - values) * 2.0**21) / 2.0**21
            seen = Observations(
                np.column_stack([np.full(len(coins), 4.0), values, gaps]), values.view(np.uint64), [], plain=2
            )
            block = distinguishers.block_sums(Batch(seen, coins), Shape(3, False, True))
            for what, one in found.items():
                one.append(block[what])
        for what, blocks in found.items():
            sums[what].append(blocks)
    assert permutation_test(*sums[ITSELF]).rose < 1e-6
    assert sum(sums[ITSELF][0]) == 0
    assert min(sums[ONE_ONLY][0]) > 0


def test_blocks_too_few_to_show_anything_decide_nothing() -> None:
    found = named(BEFORE, BEFORE, best_guess=MORE[:5])
    assert found["distinguishing advantage"] is Kind.INCONCLUSIVE
    assert named(BEFORE, BEFORE, outermost=())["share that gives a record away"] is Kind.INCONCLUSIVE
    few = replace(privacy_of(BEFORE), told=tuple(Told(what, EVEN[:5]) for what in SUMMED))
    again = Counted((table_of(BEFORE),), dict.fromkeys(SUMMED, EVEN), {"float": 10_000}, {"float": 10_000})
    changes = compare_privacy(few, again, 1e-6)
    assert kinds(changes)["distinguishing advantage"] is Kind.NOT_COMPARED, "more time now shows no more"
    assert "record it again with more of max-seconds" in changes[0].sentence


def test_a_machine_that_is_busy_makes_as_many_calls_as_the_baseline_has(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time cuts a recording, which says so; a comparison makes as many calls and trials, and where it may not, says so.

    It compared what fitted, said "no change shown" and ended with 0 where that was too little to show any.
    """
    only_sleeping_takes_time(monkeypatch)
    called = [0]

    def slow(seconds: float) -> Any:
        def learner(dataset: Any, rng: np.random.Generator) -> float:
            called[0] += 1
            time.sleep(seconds)
            return noisy(1.0)(dataset, rng)

        return subject(learner, tasks=TASK, max_seconds=10.0)

    recorded = slow(0.01)
    entry = record_entry(recorded, seed=seed)
    counted = calls_of(entry.privacy)
    assert 800 <= counted <= 1_000
    trials = entry.utility["n = 2"].trials
    calls, of_risk = cut_by_time(recorded, entry)
    assert calls.startswith(f"{counted} of 12,000 calls fitted into max-seconds = 10; all take about max-seconds = 1")
    assert of_risk.startswith(f"{trials} of 2,000 trials of the risk at n = 2 fitted into max-seconds = 10")
    assert cut_by_time(replace(recorded, calls=counted, trials=trials), entry) == ()

    busy = slow(0.04)
    called[0] = 0
    changes = compare_entry(busy, entry, seed=seed, alpha=1e-9)
    assert set(kinds(changes).values()) == {Kind.UNCHANGED}
    assert "of the baseline's" not in str(changes)
    assert called[0] >= counted + trials

    changes = compare_entry(replace(busy, patience=1.0), entry, seed=seed, alpha=1e-9)
    told = {change.quantity: change for change in changes}
    advantage, risk = told["distinguishing advantage"], told["risk at n = 2"]
    assert advantage.kind is Kind.INCONCLUSIVE
    assert re.search(
        rf"; 2\d\d of the baseline's {counted} calls were made: all take about max-seconds = \d\d$", advantage.sentence
    )
    assert re.search(rf"; 2\d\d of the baseline's {trials} trials were made: all take about", risk.sentence)
    assert comparison_text.exit_of_comparison(comparison(Compared("one", State.COMPARED, changes))) == 3


BEFORE = view((1000, 6000, 3000, 0), (3000, 6000, 1000, 0))
LEAKS_MORE = view((500, 6000, 3500, 0), (3500, 6000, 500, 0))
#: Guessed as before, but some of those that were not guessed are no numbers.
LOST = view((1000, 5900, 3000, 100), (3000, 6000, 1000, 0))
#: As likely to be guessed right, but on D' seldom guessed at all.
OTHER_SIDE = view((1000, 6000, 3000, 0), (1500, 8000, 500, 0))


def names_what_changed() -> bool:
    """What every comparison must do; run with right code and with broken."""
    return (
        named(LEAKS_MORE, BEFORE)["outputs"] is Kind.CHANGED
        and named(BEFORE, LEAKS_MORE, best_guess=LESS)["outputs"] is Kind.BETTER
        and named(OTHER_SIDE, BEFORE)["outputs"] is Kind.CHANGED
        and named(LOST, BEFORE)["outputs"] is Kind.CHANGED
        and set(named(BEFORE, BEFORE).values()) == {Kind.UNCHANGED}
        and named(BEFORE, BEFORE, best_guess=MORE)["distinguishing advantage"] is Kind.WORSE
        and named(BEFORE, BEFORE, best_guess=LESS)["distinguishing advantage"] is Kind.BETTER
        and named(BEFORE, BEFORE, one_dataset_only=MORE)["share that gives a record away"] is Kind.WORSE
        and named(BEFORE, BEFORE, outermost=MORE)["share that gives a record away"] is Kind.WORSE
        and named(BEFORE, BEFORE, outermost=LESS)["share that gives a record away"] is Kind.BETTER
        and named(BEFORE, BEFORE, one_dataset_only_the_answer_itself=MORE)["share that gives a record away"]
        is Kind.WORSE
        and all(
            named(BEFORE, BEFORE, new={kind: 100, **beside})["kinds of answers"] is Kind.WORSE
            for kind in ("raises ValueError", "None", "NaN")
            for beside in ({}, {"str": 5_000})
        )
        and named(BEFORE, BEFORE, new={"str": 100})["kinds of answers"] is Kind.CHANGED
        and compare_risk("n", RISKS, MORE_RISK, 1e-6).kind is Kind.WORSE
        and compare_risk("n", MORE_RISK, RISKS, 1e-6).kind is Kind.BETTER
        and compare_risk("n", RISKS, RISKS, 1e-6).kind is Kind.UNCHANGED
        and compare_risk("n", RISKS, SPREAD, 1e-6).kind is Kind.CHANGED
    )


RISKS = RiskCounts((0.1, 0.2), (3000, 4000, 3000, 0), 0.15, "exact")
MORE_RISK = RiskCounts((0.1, 0.2), (2500, 4000, 3500, 0), 0.16, "exact")
SPREAD = RiskCounts((0.1, 0.2), (4000, 2000, 4000, 0), 0.15, "exact")


def only_upwards(before: Any, now: Any) -> Drift:
    found = drift_of_histograms(before, now)
    return Drift(found.rose, 1.0)


def only_one_way(before: Any, now: Any) -> Drift:
    return Drift(permutation_test(before, now).rose, 1.0)


def one_sum_only(then: Any, now: Any, calls: int, level: float, cut_at: float | None) -> Change:
    return comparisons._advantage(then[ONE_ONLY], now[ONE_ONLY], calls, level)


sides = comparisons._sides
BROKEN: dict[str, tuple[str, Any]] = {
    "a test that never rejects": ("drift", lambda *_: Drift(1.0, 1.0)),
    "a test that always rejects": ("drift", lambda *_: Drift(0.0, 1.0)),
    "a comparison that looks at the event alone": ("_law", lambda *_: (1.0, "")),
    "a comparison of blocks that never rejects": ("permutation_test", lambda *_: Drift(1.0, 1.0)),
    "a comparison of blocks that looks one way": ("permutation_test", only_one_way),
    "a comparison that ignores outermost numbers": ("_given_away", one_sum_only),
    "a comparison that takes exceptions for answers": ("gives_nothing", lambda *_: False),
    "a comparison that takes what is new for no answer": ("gives_nothing", lambda *_: True),
    "a comparison of risks that never rejects": ("drift_of_histograms", lambda *_: Drift(1.0, 1.0)),
    "a comparison of risks that looks one way": ("drift_of_histograms", only_upwards),
}


@pytest.mark.turns(4)
def test_right_code_names_what_changed() -> None:
    assert names_what_changed()


@pytest.mark.turns(6)
@pytest.mark.parametrize("defect", BROKEN)
def test_a_broken_comparison_is_caught(defect: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, broken = BROKEN[defect]
    monkeypatch.setattr(comparisons, name, broken)
    assert not names_what_changed()


@pytest.mark.turns(6)
def test_unchanged_counts_are_said_to_have_changed_within_the_level(rng: np.random.Generator) -> None:
    test = statistical_test("baselines: unchanged outputs")
    sizes, chances = 800, ((0.1, 0.6, 0.3, 0.0), (0.3, 0.6, 0.1, 0.0))

    def drawn() -> View:
        left, right = (tuple(rng.multinomial(sizes, one).tolist()) for one in chances)
        return view(left, right)

    def changed() -> bool:
        before, now = privacy_of(drawn()), [table_of(drawn())]
        return comparisons._outputs(before, now, test.chance, set()).kind is not Kind.UNCHANGED

    assert test.passes(sum(changed() for _ in range(test.runs)))


@pytest.mark.turns(6)
def test_unchanged_risks_are_said_to_have_changed_within_the_level(rng: np.random.Generator) -> None:
    test = statistical_test("baselines: an unchanged risk")

    def drawn() -> RiskCounts:
        return RiskCounts((0.1,) * 6, tuple(rng.multinomial(500, [0.125] * 8).tolist()), 0.1, "exact")

    wrong = sum(compare_risk("n", drawn(), drawn(), test.chance).kind is not Kind.UNCHANGED for _ in range(test.runs))
    assert test.passes(wrong)


def test_small_numbers() -> None:
    assert detectable_shift([3], 4, 1e-6) == detectable_shift([], 4, 1e-6) == np.inf
    assert permutation_test([], [1]).p_value == permutation_test([4, 4], [4]).p_value == 1.0
    assert risen(0, 0, 0, 0) == risen(3, 3, 3, 3) == 1.0
    assert with_counts(BEFORE, table_of(BEFORE)) == BEFORE
    with pytest.raises(ValueError, match="same bins"):
        drift_of_histograms([1], [1, 2])


# --- the file


def test_the_file_is_one_to_review(baseline: Baseline) -> None:
    text = baseline.to_json()
    assert json.loads(text)["schema"] == "dpcheck-baseline/2"
    assert list(json.loads(text)["learners"]["one"]) == sorted(json.loads(text)["learners"]["one"])
    assert max(map(len, text.splitlines())) < 600
    assert len(text.splitlines()) < 90


HOSTILE = {
    "nested too deep": "[" * 100_000,
    "a huge integer": '{"schema": ' + "9" * 5_000 + "}",
    "no object": "[]",
    "no JSON": "{'a': 1}",
    "NaN": '{"schema": "dpcheck-baseline/2", "learners": NaN}',
    "no schema": '{"learners": {}}',
    "another schema": '{"schema": "something/1", "learners": {}}',
    "a schema of digits that are none": '{"schema": "dpcheck-baseline/²", "learners": {}}',
    "no learners": '{"schema": "dpcheck-baseline/2"}',
    "learners that are none": '{"schema": "dpcheck-baseline/2", "learners": {"a": {"privacy": 3}}}',
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_is_no_baseline_is_refused_in_one_line(case: str, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(HOSTILE[case])
    with pytest.raises(RecordCorrupt) as caught:
        read_baseline(tmp_path / "b.json")
    assert "\n" not in str(caught.value)
    assert "b.json" in str(caught.value)


def test_an_older_schema_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text('{"schema": "dpcheck-baseline/1", "written_by": "dpcheck 0.1.0", "learners": {}}')
    with pytest.raises(RecordCorrupt, match="move the file away and write it again with dpcheck record") as caught:
        read_baseline(tmp_path / "b.json")
    assert "\n" not in str(caught.value)
    assert "upgrade" not in str(caught.value)


def test_a_newer_schema_says_who_wrote_it() -> None:
    with pytest.raises(RecordCorrupt, match=r"written by dpcheck 9\.9, this is dpcheck"):
        Baseline.from_json('{"schema": "dpcheck-baseline/7", "written_by": "dpcheck 9.9", "learners": {}}')


def test_files_too_large_or_no_text_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "b.json"
    assert read_baseline(file) is None
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordCorrupt, match="UTF-8"):
        read_baseline(file)
    monkeypatch.setattr("dpcheck.history.baseline.MAX_CHARACTERS", 10)
    file.write_text("x" * 100)
    with pytest.raises(RecordCorrupt, match="at most"):
        read_baseline(file)
    with pytest.raises(RecordCorrupt, match="at most"):
        Baseline.from_json("x" * 100)
    with pytest.raises(InvalidArgument, match="folder"):
        read_baseline(tmp_path)


def damaged(entry: Entry, **changes: Any) -> Entry:
    first = replace(entry.privacy.views[0], **changes)
    return replace(entry, privacy=replace(entry.privacy, views=(first,)))


@pytest.mark.parametrize(
    "changes",
    [
        {"guesses": (1,)},
        {"kind": "other"},
        {"kind": "score"},
        {"kind": "score", "score": ((1.0,), (0.0,), (1.0,), (0.0,))},
        {"on_left": (-1,) * 4},
        {"on_right": (10**13,) * 4},
        {"guesses": (2, 0, 0, 0)},
        {"edges": (1.0, 0.0)},
        {"kind": "answer", "answers": ("zz" * 8,) * 3},
        {"kind": "answer", "answers": ("ab" * 8,) * 3},
    ],
)
def test_counts_that_do_not_belong_together_are_refused(baseline: Baseline, changes: dict[str, Any]) -> None:
    entry = replace(baseline.learners["one"], privacy=privacy_of(BEFORE))
    assert Baseline.from_json(Baseline({"a": entry}).to_json())
    with pytest.raises(RecordCorrupt, match="baseline entry 'a'"):
        Baseline.from_json(Baseline({"a": damaged(entry, **changes)}).to_json())


def test_a_layout_that_is_none_is_one_line(baseline: Baseline) -> None:
    entry = baseline.learners["one"]
    bad = replace(entry, privacy=replace(entry.privacy, layout="[" * 50_000))
    found = compare_baseline([subject(noisy(1.0))], Baseline({"one": bad}))
    assert "layout" in found.results[0].problem
    assert comparison_text.exit_of_comparison(found) == 2


def test_whatever_fails_while_writing_the_file_is_old_or_new(
    baseline: Baseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, old, new = tmp_path / "b.json", Baseline({}).to_json(), baseline.to_json()
    for at in range(1, 20):
        file.write_text(old)
        failing = FailingDisk(at, FAULTS["full"])
        problem = ""
        with monkeypatch.context() as patched:
            patched.setattr(disk, "DISK", failing)
            try:
                write_baseline(file, baseline)
            except InvalidArgument as error:
                problem = str(error)
        assert bool(problem) == failing.fired
        assert not problem or "--baseline could not be written to" in problem
        assert file.read_text() == (old if problem else new)
        assert [found.name for found in tmp_path.iterdir()] == ["b.json"]
        if not failing.fired:
            break
    assert at == 5  # made, written, given to the disk, named
    assert not write_baseline(file, baseline)  # as it is


# --- the history


def test_rows_come_back_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / ".dpcheck" / "history.sqlite3"
    with Store(path) as store:
        store.add([Row("a", "record", "recorded", {"x": 1.5, "y": float("inf")}, "c1", True)])
        store.add(
            [
                Row("b", "compare", "worse", {}, "c2", worsened=("x", "y")),
                Row("a", "compare", "better", {"x": 2.0}, "c2"),
            ]
        )
    assert (path.parent / ".gitignore").read_text().endswith("*\n")
    with Store(path) as store:
        assert [row.learner for row in store.rows()] == ["a", "b", "a"]
        assert [row.quantities for row in store.rows("a")] == [{"x": 1.5}, {"x": 2.0}]
        assert [row.dirty for row in store.rows("a")] == [True, False]
        assert [row.learner for row in store.rows(limit=1)] == ["a"]
        assert [row.worsened for row in store.rows("b")] == [("x", "y")]
        assert store.learners() == ["a", "b"]
        assert store._connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        assert store._connection.execute("PRAGMA synchronous").fetchone()[0] == 2


@pytest.mark.parametrize("version", range(len(STEPS)))
def test_an_older_history_is_brought_up_to_date(version: int, tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    old = sqlite3.connect(path)
    for step in STEPS[:version]:
        old.execute(step)
    if version:
        old.execute(
            "INSERT INTO runs (at, command, learner, commit_id, verdict, quantities) "
            "VALUES ('2026', 'record', 'a', 'c', 'recorded', '{\"x\": 1}')"
        )
    old.execute(f"PRAGMA user_version = {version}")
    old.commit()
    old.close()
    with Store(path) as store:
        assert store.rows() == ([Row("a", "record", "recorded", {"x": 1.0}, "c", False, "2026")] if version else [])
        assert store._connection.execute("PRAGMA user_version").fetchone()[0] == len(STEPS)


def test_a_newer_history_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    new = sqlite3.connect(path)
    new.execute("PRAGMA user_version = 99")
    new.close()
    with pytest.raises(InvalidArgument, match=r"written by a newer dpcheck; this is dpcheck"):
        Store(path)


@pytest.mark.parametrize("damage", ["text", "torn"])
def test_a_damaged_history_is_set_aside_and_never_deleted(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    for attempt in (1, 2):
        if damage == "text":
            path.write_text("no database at all" * 100)
        else:
            with Store(path) as store:
                store.add([Row(f"learner {k}", "record", "recorded", {"x": float(k)}) for k in range(500)])
            content = bytearray(path.read_bytes())
            content[4096:-100] = os.urandom(len(content) - 4196)
            path.write_bytes(content)
        before = path.read_bytes()
        with Store(path) as store:
            assert store.set_aside == tmp_path / f"h.sqlite3.damaged-{attempt}"
            assert store.rows() == []
            store.add([Row("a", "record", "recorded")])
        assert (tmp_path / f"h.sqlite3.damaged-{attempt}").read_bytes() == before


def test_a_full_disk_and_a_folder_that_cannot_be_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "h.sqlite3"
    with Store(path) as store:
        pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(InvalidArgument, match="full"):
            store.add([Row("a", "record", "x" * 1000) for _ in range(1000)])
        assert store.rows() == []
    (tmp_path / "file").write_text("")
    keep(tmp_path / "file" / "h.sqlite3", [Row("a", "record", "recorded")])
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert "this run is not kept" in printed


HOLD = (
    "import sqlite3, sys, time\n"
    "held = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
    "held.execute('BEGIN IMMEDIATE')\n"
    "print('held', flush=True)\n"
    "sys.stdin.read()\n"
    "held.execute('COMMIT')\n"
)


def test_two_processes_wait_for_each_other_or_say_who_holds_it(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    Store(path).close()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "held\n"
        with Store(path, patience=0.1) as store, pytest.raises(InvalidArgument) as caught:
            store.add([Row("a", "record", "recorded")])
        assert "is in use by" in str(caught.value)
        if sys.platform == "linux":
            assert f"process {other.pid}" in str(caught.value)
        other.stdin.close()
    with Store(path) as store:
        store.add([Row("a", "record", "recorded")])
        assert len(store.rows()) == 1


def test_rows_of_others_are_data(tmp_path: Path) -> None:
    path = tmp_path / "h.sqlite3"
    with Store(path) as store:
        for text in ("[" * 100_000, "9" * 5_000, "[]", '{"x": true, "y": "1", "z": 2}', "x" * 1_000_001):
            store._connection.execute(
                "INSERT INTO runs (at, command, learner, commit_id, verdict, quantities) "
                "VALUES ('', '', 'a', '', '', ?)",
                (text,),
            )
        assert [row.quantities for row in store.rows()] == [{}, {}, {}, {"z": 2.0}, {}]


def test_commits_are_read_from_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)

    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert commit_of(tmp_path) == ("", False)
    git("init", "-q")
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("commit", "-q", "-m", "one")
    commit, dirty = commit_of(tmp_path)
    assert (len(commit), dirty) == (40, False)
    (tmp_path / "a").write_text("2")
    assert commit_of(tmp_path) == (commit, True)
    monkeypatch.setattr(stores.subprocess, "run", lambda *_, **__: (_ for _ in ()).throw(OSError()))
    assert commit_of(tmp_path) == ("", False)


@pytest.mark.turns(4)
def test_a_plot_is_text_and_the_same_every_time() -> None:
    rows = [
        Row("l$a<script>", "record", "recorded", {"epsilon of the event": 1.0, "risk at n = 2": 0.1}, "a" * 40),
        Row("l$a<script>", "compare", "worse", {"epsilon of the event": 1.3, "risk at n = 2": 0.1}, "b" * 40, True),
    ]
    assert "#b3331d" not in as_svg(history_figure("l$a<script>", rows)).lower()
    rows[1] = replace(rows[1], worsened=("epsilon of the event",))
    drawn = as_svg(history_figure("l$a<script>", rows))
    assert drawn == as_svg(history_figure("l$a<script>", rows))
    for word in ("epsilon of the event", "aaaaaaa", "bbbbbbb+", "&lt;script&gt;"):
        assert word in drawn
    with pytest.raises(InvalidArgument, match="must hold measurements"):
        history_figure("a", [Row("a", "compare", "failed")])


# --- views


def comparison(*results: Compared, strict: bool = False) -> Comparison:
    return Comparison(results, 1e-6, 0, strict, ("dpcheck", "compare"), "b.json")


def changed(kind: Kind) -> Change:
    return Change("risk at n = 9", kind, 0.081, float("nan"), 2e-7, 1e-6, "risk rose | <script>\x1b[31m\n")


STRANGE = "nämé\x00<script>\nx|`"
RESULTS = {
    0: Compared(STRANGE, State.COMPARED, (changed(Kind.UNCHANGED), changed(Kind.NOT_COMPARED), changed(Kind.BETTER))),
    1: Compared(STRANGE, State.COMPARED, (changed(Kind.UNCHANGED), changed(Kind.WORSE))),
    2: Compared(STRANGE, State.FAILED, problem="no\nsuch", trouble="usage error"),
    4: Compared(STRANGE, State.FAILED, problem="died", trouble="learner failed"),
    70: Compared(STRANGE, State.FAILED, problem="bug", trouble="internal error"),
    130: Compared(STRANGE, State.FAILED, problem="not run", trouble="interrupted"),
    3: Compared(STRANGE, State.COMPARED, (changed(Kind.BETTER), changed(Kind.INCONCLUSIVE))),
}


@pytest.mark.parametrize("status", RESULTS)
def test_every_view_says_what_the_exit_status_says(status: int) -> None:
    import xml.etree.ElementTree as ElementTree

    whole = comparison(RESULTS[status])
    assert comparison_text.exit_of_comparison(whole) == status
    text = comparison_text.render(whole)
    assert "\x1b" not in text
    assert "\x00" not in text
    assert f"Exit status {status} " in text
    document = json.loads(comparison_json.render(whole), parse_constant=lambda _: pytest.fail("NaN in JSON"))
    assert document["schema"] == "dpcheck-comparison/1"
    assert document["exit_status"] == document["results"][0]["exit_status"] == status
    assert document["results"][0]["learner"] == STRANGE
    suite = ElementTree.fromstring(comparison_junit.render(whole))
    failed = suite.findall(".//failure"), suite.findall(".//error")
    assert (len(failed[0]), len(failed[1])) == ((0, 0) if status == 0 else (1, 0) if status == 1 else (0, 1))
    written = comparison_markdown.render(whole)
    assert "<script>" not in written
    rows = [line for line in written.splitlines() if line.startswith("| n")]
    assert rows
    assert all(row.replace("\\|", "").count("|") == 7 for row in rows)


def test_the_first_status_that_applies_wins_and_strict_counts_what_got_better() -> None:
    assert comparison_text.exit_of_comparison(comparison(*RESULTS.values())) == 130
    assert comparison_text.exit_of_comparison(comparison(RESULTS[0], RESULTS[1])) == 1
    assert comparison_text.exit_of_comparison(comparison(RESULTS[0], strict=True)) == 1
    assert comparison_text.exit_of_comparison(comparison(RESULTS[3], RESULTS[0])) == 3
    assert comparison_text.exit_of_comparison(comparison(RESULTS[3], RESULTS[1])) == 1
    allowed = replace(comparison(RESULTS[3]), allow_inconclusive=True)
    assert comparison_text.exit_of_comparison(allowed) == 0
    assert "INCONCLUSIVE" in comparison_text.render(allowed)
    for state in (State.NEW, State.NOT_PRODUCED):
        assert comparison_text.exit_of_comparison(comparison(Compared("a", state))) == 1
        assert comparison_text.render(comparison(Compared("a", state)))
    assert row_of_compared(Compared("a", State.NOT_PRODUCED), ("", False)) is None


def test_all_kinds_have_a_meaning() -> None:
    assert all(kind.meaning.endswith(".") for kind in Kind)


def test_the_benchmark_in_the_reports_kept_its_rules() -> None:
    file = Path(__file__).resolve().parents[2] / "reports" / "baselines.json"
    document = json.loads(file.read_text(encoding="utf-8"))
    assert document["passed"] is True
    assert document["quick"] is False
    assert document["comparisons"] >= 1_000
    assert all(row["named"] == row["seeds"] >= 20 for row in document["power"])


def test_a_few_numbers_far_out_of_one_dataset_show_beside_noise(rng: np.random.Generator) -> None:
    """In few of the calls the record, far out and under noise of its own; no run of noise of one side is so long."""
    sums = []
    for share in (0.0, 0.004):
        found = []
        for _ in range(24):
            coins = rng.integers(0, 2, 12_500).astype(np.int8)
            values = rng.laplace(size=len(coins)) + (coins == 0)
            revealed = rng.random(len(coins)) < share
            values[revealed] += 20.0 * np.where(coins[revealed] == 0, 1, -1)
            found.append(distinguishers._outermost(values, coins, len(coins)))
        sums.append(found)
    assert permutation_test(*sums).rose < 1e-6
