"""Sample complexities: right where the truth is known, right whatever the order, and what others get wrong is caught.

Learners that always or never fail at a size have one right answer. Error probabilities are summed exactly over the
walks of the counts (benchmarks/known_laws.py), never simulated.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import known_laws
import numpy as np
import pytest
from scipy.stats import binom

import dpcheck
from dpcheck.model.errors import InvalidArgument
from dpcheck.utility import sizes as sizes_module
from dpcheck.utility.curves import sweep
from dpcheck.utility.distributions import UniformGrid
from dpcheck.utility.evidence import anytime_interval, fixed_interval
from dpcheck.utility.failure import failure_rate
from dpcheck.utility.frontier import frontier
from dpcheck.utility.size_curves import size_curve
from dpcheck.utility.sizes import SampleComplexity, SizeSearch, sample_complexity, seed_of_size, size_grid
from dpcheck.utility.slopes import compare_slopes
from tests.documents import check, our_schema, strict

TEN = UniformGrid(10, threshold=5)


class FailsAt:
    """Always returns the worst threshold at some sizes, always the best one at the others."""

    def __init__(self, fails: Any) -> None:
        self.fails = fails

    def __call__(self, dataset, rng):
        return 0 if self.fails(len(dataset.y)) else 5


def search(fails: Any, **arguments: Any) -> SampleComplexity:
    given = {"accuracy": 0.25, "failure": 0.3, "most": 512, **arguments}
    return sample_complexity(FailsAt(fails), TEN, **given)


def untimed(found: SampleComplexity) -> Any:
    """All that must not depend on the machine."""
    points = [replace(point, result=replace(point.result, seconds=0.0)) for point in found.points]
    return replace(found, points=tuple(points), seconds=0.0)


# --- the grid --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("least", "most", "steps"), [(1, 1, 4), (1, 2, 4), (1, 1000, 1), (7, 100_000, 4), (3, 64, 12)])
def test_the_grid_has_both_ends_and_no_gap_larger_than_its_step(least: int, most: int, steps: int) -> None:
    grid = size_grid(least, most, steps)
    assert (grid[0], grid[-1]) == (least, most)
    for left, right in itertools.pairwise(grid):
        assert left < right <= max(left + 1, (left + 0.5) * 2 ** (1 / steps) + 0.5)


def test_the_seed_of_a_size_depends_on_the_seed_and_the_size_alone() -> None:
    assert len({seed_of_size(seed, size) for seed in range(4) for size in range(1, 50)}) == 4 * 49
    assert seed_of_size(3, 5) == seed_of_size(3, 5)


# --- one right answer ------------------------------------------------------------------------------------------------


@pytest.mark.some(2)
@pytest.mark.parametrize("needed", [1, 2, 3, 17, 50, 256, 512])
def test_the_sizes_on_either_side_of_the_truth_are_found(needed: int) -> None:
    found = search(lambda n: n < needed)
    grid = size_grid(1, 512, 4)
    assert found.too_small == max((size for size in grid if size < needed), default=None)
    assert found.enough == min(size for size in grid if size >= needed)
    assert found.monotone
    assert found.stop == "found"
    assert all(point.word == ("fails" if point.size < needed else "passes") for point in found.points)


def test_what_is_not_reached_is_a_value() -> None:
    found = search(lambda n: True)
    assert (found.too_small, found.enough) == (512, None)
    assert "enough are not reached up to 512" in str(found)


def test_the_largest_size_alone_may_be_enough() -> None:
    assert "(no larger size was tested)" in str(search(lambda n: n < 512))
    assert "no size tested is too small" in str(search(lambda n: False))


def test_larger_sizes_that_fail_move_the_search_up_and_are_shown() -> None:
    found = search(lambda n: n < 10 or 30 <= n < 90)
    grid = size_grid(1, 512, 4)
    assert found.too_small == max(size for size in grid if size < 90)
    assert found.enough == min(size for size in grid if size >= 90)
    (stretch,) = found.stretches
    assert stretch.passes < 30 <= stretch.first <= stretch.last == found.too_small
    assert stretch.again == found.enough
    assert not found.monotone
    assert "Not monotone" in str(found)


def test_a_stretch_up_to_the_end_has_no_size_that_passes_again() -> None:
    found = search(lambda n: n != 4 and n > 1)
    assert found.enough is None
    assert found.stretches[-1].again is None
    assert "none tested passes again" in str(found)


@pytest.mark.turns(4)
def test_sizes_that_stay_undecided_are_neither_too_small_nor_enough() -> None:
    coin = known_laws.Coin(lambda n: Fraction(1 if n < 20 else 3 if n < 60 else 0, 1 if n < 20 else 10))
    found = sample_complexity(coin, TEN, accuracy=0.25, failure=0.3, most=256, trials=60)
    undecided = [point.size for point in found.points if point.word == "undecided"]
    assert undecided
    assert max(undecided) < found.enough
    assert found.too_small < min(undecided)


def test_a_learner_that_raises_at_a_size_fails_there() -> None:
    def picky(dataset, rng):
        if len(dataset.y) < 30:
            raise ValueError("too few records")
        return 5

    found = sample_complexity(picky, TEN, accuracy=0.25, failure=0.3, most=128)
    assert found.too_small < 30 <= found.enough
    assert found.points[0].result.first_error == "ValueError: too few records"


def test_other_sizes_are_fixed_or_follow_and_options_may_depend_on_them() -> None:
    seen = set()

    class Learner:
        def __init__(self, wanted: int) -> None:
            self.wanted = wanted

        def __call__(self, dataset, rng):
            private, public = len(dataset.private.y), len(dataset.public)
            seen.add((private, public, self.wanted))
            return 5 if public >= 8 else 0

    found = sample_complexity(
        Learner,
        TEN,
        fixed={"public": lambda n: n // 2},
        accuracy=0.25,
        failure=0.3,
        most=64,
        options=lambda sizes: {"wanted": sizes["private"]},
    )
    assert all(public == private // 2 and wanted == private for private, public, wanted in seen)
    assert found.too_small < 16 <= found.enough
    assert found.fixed == {"public": "varies"}
    fixed = sample_complexity(
        Learner, TEN, fixed={"public": 9}, accuracy=0.25, failure=0.3, most=8, options={"wanted": 1}
    )
    assert (fixed.too_small, fixed.enough, fixed.fixed) == (None, 1, {"public": 9})
    assert "public 9" in str(fixed)


# --- nothing depends on the order ------------------------------------------------------------------------------------


@pytest.mark.turns(6)
def test_each_size_says_what_it_would_say_alone(seed: int) -> None:
    coin = known_laws.Coin(lambda n: Fraction(1, 1 + n))
    found = sample_complexity(coin, TEN, accuracy=0.25, failure=0.1, most=64, trials=150, seed=seed, level=0.01)
    share = 0.01 / (2 * found.grid)
    for point in found.points:
        alone = failure_rate(
            coin,
            TEN,
            sizes={"private": point.size},
            accuracy=0.25,
            failure=0.1,
            trials=150,
            level=share,
            holds_level=share,
            contradicted_level=share,
            seed=seed_of_size(seed, point.size),
        )
        assert replace(alone, seconds=0.0) == replace(point.result, seconds=0.0)


@pytest.mark.turns(4)
def test_the_answer_does_not_depend_on_the_number_of_processes() -> None:
    coin = known_laws.Coin(lambda n: Fraction(1, 1 + n))
    given: dict[str, Any] = {"accuracy": 0.25, "failure": 0.1, "most": 32, "trials": 120, "per_octave": 2}
    two = sample_complexity(coin, TEN, jobs=2, **given)
    rate = failure_rate(coin, TEN, sizes={"private": 9}, accuracy=0.25, trials=60, jobs=2)
    assert untimed(two) == untimed(sample_complexity(coin, TEN, **given))
    assert rate.failures == failure_rate(coin, TEN, sizes={"private": 9}, accuracy=0.25, trials=60).failures


def test_progress_is_told_and_time_ends_the_search_with_a_valid_answer() -> None:
    told: list[tuple[int, int, int]] = []
    search(lambda n: n < 50, on_progress=lambda *news: told.append(news))
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert [trials for _, _, trials in told] == sorted(trials for _, _, trials in told)
    found = search(lambda n: n < 50, budget=1e-9)
    assert (found.stop, len(found.points), found.enough) == ("time was up", 1, None)
    assert "ended early" in str(found)


# --- levels, exactly -------------------------------------------------------------------------------------------------

LEVEL, CLAIM, TRIALS = 0.05, Fraction(1, 10), 400
GRID = size_grid(1, 64, 4)


def wrong_anywhere(chances: list[Fraction], share: float) -> float:
    """The exact probability that a word on any of these sizes is wrong."""
    right = 1.0
    for chance in chances:
        law = known_laws.word_law(chance, float(CLAIM), share, TRIALS)
        right *= 1.0 - (law.fails if chance <= CLAIM else law.passes)
    return 1.0 - right


def test_all_words_are_right_together_even_when_all_sizes_are_at_the_claim() -> None:
    share = LEVEL / (2 * len(GRID))
    just_above = Fraction(1, 10) + Fraction(1, 10**9)
    assert wrong_anywhere([CLAIM] * len(GRID), share) <= LEVEL / 2
    assert wrong_anywhere([just_above] * len(GRID), share) <= LEVEL / 2
    # a whole level for each size would be too much: this test can fail
    assert wrong_anywhere([CLAIM] * len(GRID), LEVEL / 2) > 2 * LEVEL
    assert wrong_anywhere([just_above] * len(GRID), LEVEL / 2) > 2 * LEVEL


def test_each_size_gets_its_part_of_the_level() -> None:
    found = search(lambda n: n < 9, level=0.02)
    share = 0.02 / (2 * found.grid)
    for point in found.points:
        result = point.result
        assert (result.level, result.holds_level, result.contradicted_level) == (share, share, share)
    assert found.grid == len(size_grid(1, 512, 4))


def ever_missed(chance: float, level: float) -> float:
    below, above = known_laws.interval_misses(TRIALS, chance, level)
    found = known_laws.walk(chance, below, above)
    return found.below + found.above


@pytest.mark.parametrize("chance", [0.01, 0.1, 0.5])
def test_intervals_hold_at_a_stopping_time_and_those_for_a_fixed_number_do_not(
    chance: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert known_laws.anytime_interval is anytime_interval is dpcheck.utility.failure.anytime_interval
    assert ever_missed(chance, LEVEL) <= LEVEL

    def fixed(failed: int, trials: int, level: float) -> tuple[float, float]:  # as proved, quick enough for all counts
        from scipy.special import betaincinv

        low = betaincinv(failed, trials - failed + 1, level / 2) if failed else 0.0
        high = 1.0 - betaincinv(trials - failed, failed + 1, level / 2) if failed < trials else 1.0
        return low, high

    assert fixed(3, 50, LEVEL) == pytest.approx(fixed_interval(3, 50, LEVEL))
    monkeypatch.setattr(known_laws, "anytime_interval", fixed)
    assert ever_missed(chance, LEVEL) > 2 * LEVEL


class FirstPassing(SizeSearch):
    """A mistake: the search ends as soon as a size passes and the one below it does not."""

    def next(self) -> int | None:
        if not self.words:
            return 0
        last = max(self.words)
        return None if self.words[last] == "passes" or last == self.grid - 1 else last + 1


def is_right(found: SampleComplexity, fails: Any) -> bool:
    """Whether all sizes of the grid from ``enough`` on pass, and the one too small fails."""
    grid = size_grid(found.least, found.most, found.per_octave)
    return (found.too_small is None or fails(found.too_small)) and (
        found.enough is None or not any(fails(size) for size in grid if size >= found.enough)
    )


@pytest.mark.turns(6)
def test_taking_the_first_size_that_passes_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(n: int) -> bool:
        return n < 10 or 30 <= n < 90

    assert is_right(search(fails), fails)
    monkeypatch.setattr(sizes_module, "SizeSearch", FirstPassing)
    assert not is_right(search(fails), fails)


# --- the exact laws themselves ---------------------------------------------------------------------------------------


def test_the_walk_sums_what_going_through_all_sequences_finds() -> None:
    trials, chance = 9, 0.3
    low, high = np.array([-1, -1, -1, 0, 0, 0, 1, 1, 1, 1]), np.array([1, 2, 2, 3, 3, 4, 4, 4, 5, 5])
    below = above = 0.0
    stops = np.zeros(trials + 1)
    for outcome in itertools.product((0, 1), repeat=trials):
        weight = chance ** sum(outcome) * (1 - chance) ** (trials - sum(outcome))
        for n, failed in enumerate(itertools.accumulate(outcome), start=1):
            if failed <= low[n] or failed >= high[n]:
                below, above = below + weight * (failed <= low[n]), above + weight * (failed >= high[n])
                stops[n] += weight
                break
    found = known_laws.walk(chance, low, high)
    assert (found.below, found.above) == (pytest.approx(below), pytest.approx(above))
    assert found.stops == pytest.approx(stops)


def test_the_boundaries_are_where_the_evidence_first_suffices() -> None:
    from dpcheck.utility.evidence import log_evidence_contradicted, log_evidence_holds, threshold

    high, low = known_laws.contradicted_from(60, 0.2, 0.05), known_laws.holds_up_to(60, 0.2, 0.05)
    for n in range(61):
        k = np.arange(n + 1)
        bad = np.flatnonzero(log_evidence_contradicted(k, n, 0.2) >= threshold(0.05))
        good = np.flatnonzero(log_evidence_holds(k, n, 0.2) >= threshold(0.05))
        assert high[n] == (bad[0] if len(bad) else n + 1)
        assert low[n] == (good[-1] if len(good) else -1)
        assert list(bad) == list(range(high[n], n + 1))
        assert list(good) == list(range(low[n] + 1))


@pytest.mark.some(1)
@pytest.mark.parametrize("one", known_laws.known(), ids=lambda one: one.name)
def test_the_closed_forms_are_the_learners_failure_probabilities(one: known_laws.Known, seed: int) -> None:
    """Null: the closed form; size at most 1e-9 each, four of them; a tenth more or less at 9 records would be seen."""
    found = failure_rate(
        one.learner, one.distribution, sizes={"n": 9}, accuracy=one.accuracy, trials=2000, seed=seed, level=1e-9
    )
    assert found.errors == 0
    assert found.interval[0] <= one.chance(9) <= found.interval[1]


@pytest.mark.turns(4)
def test_the_exact_law_of_a_word_is_that_of_the_verdict(seed: int) -> None:
    """Null: the walk's law. Two-sided binomial test at 1e-9 of passes among 60 calls at a share level of 0.1."""
    chance, runs = Fraction(1, 20), 60
    law = known_laws.word_law(chance, 0.1, 0.1, 100)
    coin = known_laws.Coin(lambda n: chance)
    passes = sum(
        failure_rate(
            coin,
            TEN,
            sizes={"n": 1},
            accuracy=0.25,
            failure=0.1,
            trials=100,
            holds_level=0.1,
            contradicted_level=0.1,
            seed=(seed << 8) + run,
        ).verdict
        == "holds"
        for run in range(runs)
    )
    assert binom.ppf(5e-10, runs, law.passes) <= passes <= binom.isf(5e-10, runs, law.passes)


# --- curves and the frontier -----------------------------------------------------------------------------------------


@pytest.mark.turns(6)
def test_a_curve_shares_its_level_and_has_a_row_for_each_value() -> None:
    class Slow:
        def __init__(self, rate: int) -> None:
            self.rate = rate

        def __call__(self, dataset, rng):
            return 0 if len(dataset.y) < self.rate else 5

    told: list[tuple[int, int]] = []
    found = size_curve(
        Slow,
        TEN,
        along="rate",
        values=[4, 16, 64],
        accuracy=0.25,
        failure=0.3,
        options={"rate": lambda value: value},
        most=lambda value: 8 * value,
        level=0.03,
        on_progress=lambda *news: told.append(news),
    )
    assert found.column("rate") == [4, 16, 64]
    for row in found.rows():
        assert row["too_small"] < row["rate"] <= row["enough"]
    assert found.column("level") == [0.01, 0.01, 0.01]
    assert found.column("most") == [32, 128, 512]
    assert len(set(found.column("seed"))) == 3
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert found.to_csv().splitlines()[0].startswith("rate,over,distribution,accuracy,failure,too_small,enough")
    check(our_schema("dpcheck-size-curve/1"), strict(found.to_json()))
    assert "rate 16: 13 too few, 16 enough" in str(found)
    with pytest.raises(InvalidArgument, match="column must be one of"):
        found.column("sizes")


@pytest.mark.turns(4)
def test_curves_over_accuracy_failure_and_the_distribution() -> None:
    one = known_laws.SmallestOne(20)
    by_accuracy = size_curve(
        one, UniformGrid(20), along="accuracy", values=[0.4, 0.1], failure=0.4, octaves=0, around=0, most=64, trials=300
    )
    few, many = by_accuracy.column("enough")
    assert few <= many
    assert by_accuracy.column("accuracy") == [0.4, 0.1]
    by_failure = size_curve(
        one, UniformGrid(20), along="failure", values=[0.4], accuracy=0.3, octaves=0, most=64, trials=300
    )
    assert by_failure.column("failure") == [0.4]
    by_grid = size_curve(
        FailsAt(lambda n: n < 3),
        lambda size: UniformGrid(size, threshold=5),
        along="points",
        values=[10, np.int64(12)],
        accuracy=Fraction(1, 4),
        failure=0.3,
        most=8,
    )
    assert by_grid.column("points") == [10, 12]
    assert by_grid.column("enough") == [3, 3]


def both_count(dataset, rng):
    """Passes with at least 24 records in all, of which at least two are private."""
    private, public = len(dataset.private.y), len(dataset.public)
    return 5 if private >= 2 and private + public >= 24 else 0


@pytest.mark.turns(4)
def test_the_frontier_has_the_least_size_for_each_fixed_one() -> None:
    found = frontier(both_count, TEN, at=[0, 12, 20, 23, 64], accuracy=0.25, failure=0.3, most=64)
    assert found.too_small() == ((0, 23), (12, 11), (20, 3), (23, 1), (64, 1))
    # 64 public points buy nothing that 23 do not
    assert found.enough() == ((0, 27), (12, 13), (20, 4), (23, 2))
    assert [row["public"] for row in found.rows()] == [0, 12, 20, 23, 64]
    check(our_schema("dpcheck-frontier/1"), strict(found.to_json()))
    assert found.to_csv().startswith("public,over,")
    assert "public 12: 11 too few, 13 enough" in str(found)
    assert found.level == 1e-3
    other = frontier(both_count, TEN, over="public", against="private", at=[1, 8], accuracy=0.25, failure=0.3, most=64)
    assert [point.result.enough for point in other.points] == [None, 16]
    assert other.enough() == ((8, 16),)


# --- documents, words and bad input ----------------------------------------------------------------------------------


@pytest.mark.turns(4)
def test_what_is_written_fits_its_schema() -> None:
    for found in (search(lambda n: n < 10 or 30 <= n < 90), search(lambda n: True, most=2)):
        document = strict(found.to_json())
        check(our_schema("dpcheck-sample-complexity/1"), document)
        assert (document["accuracy"], document["failure"]) == ("1/4", "3/10")
        assert document["trials"] == sum(row["trials"] for row in found.rows()) == found.trials
        assert document["stretches"] == [asdict(one) for one in found.stretches]
    rate = failure_rate(FailsAt(lambda n: n < 3), TEN, sizes={"n": 2}, accuracy=0.25, failure=0.1)
    check(our_schema("dpcheck-failure-rate/1"), strict(rate.to_json()))
    swept = sweep(FailsAt(lambda n: n < 3), TEN, sizes={"n": [1, 9]}, accuracy=0.25, trials=30)
    check(our_schema("dpcheck-sweep/1"), strict(swept.to_json()))
    slopes = compare_slopes([1, 2, 4], [1, 2, None], [2, None, 5], lambda x: x, level=0.01)
    check(our_schema("dpcheck-slopes/1"), strict(slopes.to_json()))


def test_none_of_it_is_true_or_false() -> None:
    found = search(lambda n: n < 3, most=4)
    for one in (
        found,
        size_curve(FailsAt(lambda n: n < 3), TEN, along="failure", values=[0.3], accuracy=0.25, most=4),
        frontier(both_count, TEN, at=[30], accuracy=0.25, failure=0.3, most=4),
    ):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(one)


def test_the_public_names_are_these() -> None:
    assert dpcheck.sample_complexity is sample_complexity
    assert dpcheck.SampleComplexity is SampleComplexity
    assert dpcheck.failure_rate is failure_rate
    assert dpcheck.sweep is sweep
    assert {"sample_complexity", "SampleComplexity", "failure_rate", "FailureRate", "sweep"} <= set(dpcheck.__all__)


GOOD: dict[str, Any] = {"accuracy": 0.25, "failure": 0.3}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"over": 3}, "over must be the name of a size"),
        ({"fixed": [50]}, "fixed must be a mapping"),
        ({"fixed": {"private": 3}}, "fixed must hold the other sizes"),
        ({"fixed": {"public": -1}}, r"fixed\['public'\] must be an integer of at least 0"),
        ({"fixed": {"public": lambda n: n / 2}}, r"fixed\['public'\] at 1 must be an integer"),
        ({"accuracy": 2}, "accuracy must be a number between 0 and 1"),
        ({"failure": 1}, "failure must be a number between 0 and 1"),
        ({"least": 0}, "least must be an integer of at least 1"),
        ({"least": 20, "most": 10}, "most must be an integer of at least 20"),
        ({"per_octave": 0}, "per_octave must be an integer of at least 1"),
        ({"around": -1}, "around must be an integer of at least 0"),
        ({"octaves": 1.5}, "octaves must be an integer of at least 0"),
        ({"level": 0}, "level must be a number between 0 and 1"),
        ({"trials": 0}, "trials must be an integer of at least 1"),
        ({"budget": -1}, "budget must be a number of seconds above 0"),
        ({"jobs": 0}, "jobs must be an integer of at least 1"),
        ({"seed": -1}, "seed must be an integer of at least 0"),
        ({"options": 3}, "options must be a mapping, or a function of the sizes"),
        ({"on_progress": 3}, "on_progress must be callable"),
    ],
)
def test_arguments_that_cannot_be_used_are_named(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said) as caught:
        sample_complexity(FailsAt(lambda n: False), TEN, **{**GOOD, **wrong})
    assert "\n" not in str(caught.value)


def test_a_learner_that_always_raises_is_told_apart_from_one_that_fails() -> None:
    def broken(dataset, rng):
        raise RuntimeError("no")

    with pytest.raises(InvalidArgument, match=r"an error in every trial from 1 to 8 records: RuntimeError: no"):
        sample_complexity(broken, TEN, **GOOD, most=8)
    with pytest.raises(InvalidArgument, match="an error in each of 25 trials"):
        failure_rate(broken, TEN, sizes={"n": 3}, accuracy=0.1)
    assert failure_rate(broken, TEN, sizes={"n": 3}, accuracy=0.1, trials=30, tolerant=True).errors == 30


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"values": []}, "values must be a sequence of at least one value"),
        ({"values": "abc"}, "values must be a sequence of at least one value"),
        ({"along": ""}, "along must name what is swept"),
        ({"accuracy": None}, "accuracy must be a number, or a function of what is swept"),
        ({"failure": None}, "failure must be a number, or a function of what is swept"),
        ({"options": [1]}, "options must be a mapping"),
        ({"fixed": [1]}, "fixed must be a mapping"),
        ({"accuracy": 0.25}, "something must depend on points"),
        ({"level": 2}, "level must be a number between 0 and 1"),
    ],
)
def test_a_curve_needs_something_to_sweep(wrong: dict[str, Any], said: str) -> None:
    given = {"along": "points", "values": [1, 2], "accuracy": lambda value: 0.25, "failure": 0.3, **wrong}
    with pytest.raises(InvalidArgument, match=said):
        size_curve(FailsAt(lambda n: False), TEN, **given)


def test_a_frontier_needs_two_sizes() -> None:
    with pytest.raises(InvalidArgument, match="over and against must be two sizes"):
        frontier(both_count, TEN, over="public", at=[1], **GOOD)
    with pytest.raises(InvalidArgument, match=r"at\[1\] must be an integer of at least 0"):
        frontier(both_count, TEN, at=[1, -1], **GOOD)
    with pytest.raises(InvalidArgument, match="along is an argument of size_curve"):
        frontier(both_count, TEN, at=[1], along="failure", **GOOD)


# --- the benchmark ---------------------------------------------------------------------------------------------------


def test_the_committed_run_keeps_its_rules() -> None:
    report = json.loads((Path(__file__).parents[2] / "reports" / "coverage.json").read_text(encoding="utf-8"))
    assert report["passed"]
    assert not report["quick"]
    assert all(row["wrong"] <= row["level"] * (1 + 1e-9) for row in report["exact"] if not row["must_fail"])
    assert all(row["wrong"] > row["level"] for row in report["exact"] if row["must_fail"])
    assert sum(row["must_fail"] for row in report["exact"]) >= 2
    assert all(row["wrong"]["low"] <= row["level"] for row in report["calls"])


def test_what_is_no_mapping_and_no_function_is_refused_at_once() -> None:
    def never(dataset: Any, rng: Any) -> Any:
        raise AssertionError("nothing is run")

    law, wanted = UniformGrid(100), {"accuracy": 0.1, "trials": 10}
    with pytest.raises(InvalidArgument, match="options must be a mapping of names to several values each, got 3"):
        sweep(never, law, sizes={"private": 5}, options=3, **wanted)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="on_progress must be callable, got 3"):
        sweep(never, law, sizes={"private": 5}, on_progress=3, **wanted)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="on_progress must be callable, got 3"):
        size_curve(never, law, along="accuracy", values=[0.1], failure=0.1, on_progress=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="the keys of sizes must be names, such as 'private', got 1"):
        failure_rate(never, law, sizes={1: 5}, **wanted)  # type: ignore[dict-item, arg-type]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"at": 3}, "at must be a sequence of sizes, got 3"),
        ({"at": []}, "at must be a sequence of at least one size, got []"),
        ({"at": [1], "fixed": 3}, "fixed must be a mapping of names to numbers of records, got 3"),
        ({"at": [1], "against": 3}, "against must be the name of a size, such as 'public', got 3"),
    ],
)
def test_a_frontier_names_its_own_arguments(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        frontier(lambda dataset, rng: 0, UniformGrid(8), accuracy=0.1, failure=0.1, **wrong)
    assert str(caught.value) == said
