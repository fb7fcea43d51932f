"""Failure rates against exact failure probabilities, verdicts against their error probabilities, covers by counting.

Statistical tests compare counts with binomial quantiles at ``LEVEL``: right code fails one with at most that
probability, whatever the seed. What can be summed exactly (error probabilities of the sequential tests, failure
probabilities on a few points) is summed and not simulated.
"""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binom

from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.alon2019.learners import CoverLearner, Dummies, FromSemiPrivate, GenericLearner
from dpcheck.parts.classes import AllFunctions, FiniteOrCofinite, GridThresholds, Intervals, PointFunctions, Thresholds
from dpcheck.utility import covers, evidence, reduction
from dpcheck.utility.curves import sweep
from dpcheck.utility.distributions import (
    Distribution,
    FiniteDistribution,
    NeedleTail,
    RandomInstance,
    UniformGrid,
    UniformInterval,
    all_functions,
    fair_labels,
    finite_or_cofinite,
    predictions,
    random_needle_tail,
    two_points,
)
from dpcheck.utility.failure import FailureRate, failure_rate, labelled_public

#: False alarms per statistical test.
LEVEL = 1e-9


class Coin:
    """Returns the worst threshold with probability ``chance``, else the best one."""

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def __call__(self, dataset, rng):
        return 0 if rng.random() < self.chance else 5


TEN = UniformGrid(10, threshold=5)


def coin_rate(chance: float, **arguments) -> FailureRate:
    """Runs in which the excess risk is 1/2 with probability ``chance``, else 0."""
    return failure_rate(Coin(chance), TEN, sizes={"private": 1}, accuracy=0.25, **arguments)


# --- intervals -------------------------------------------------------------------------------------------------------


def exact_tail(trials: int, chance: Fraction, least: int) -> Fraction:
    return sum(
        (math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(least, trials + 1)), Fraction(0)
    )


@pytest.mark.parametrize("level", [0.05, 1e-9])
@pytest.mark.parametrize(("failures", "trials"), [(0, 1), (1, 1), (0, 40), (1, 40), (20, 40), (39, 40), (40, 40)])
def test_the_ends_of_the_fixed_interval_are_proved_and_tight(failures: int, trials: int, level: float) -> None:
    low, high = evidence.fixed_interval(failures, trials, level)
    half = Fraction(level) / 2
    assert 0.0 <= low <= failures / trials <= high <= 1.0
    if failures:
        assert exact_tail(trials, Fraction(low), failures) <= half
        assert exact_tail(trials, Fraction(low) * Fraction(1 + 1e-6), failures) > half
    if failures < trials:
        assert 1 - exact_tail(trials, Fraction(high), failures + 1) <= half
        assert 1 - exact_tail(trials, Fraction(high) - Fraction(1, 1000) * (1 - Fraction(high)), failures + 1) > half


def test_the_fixed_interval_is_proved_for_many_trials_too() -> None:
    from flint import arb, ctx

    with ctx.workprec(300):
        for failures, trials in ((1, 10**6), (1000, 10**6), (500_000, 10**6), (3, 10**9)):
            low, high = evidence.fixed_interval(failures, trials, 1e-9)
            assert arb(low).beta_lower(failures, trials - failures + 1, regularized=1) <= arb(1e-9) / 2
            rest = 1 - arb(high)
            assert rest.beta_lower(trials - failures, failures + 1, regularized=1) <= arb(1e-9) / 2


def crossing(chance: float, trials: int, rejected: np.ndarray) -> float:
    """The exact probability that counts (trials, failures) ever enter ``rejected``, of shape (trials + 1,) * 2."""
    law, out = np.zeros(trials + 1), 0.0
    law[0] = 1.0
    for n in range(1, trials + 1):
        law[1:] = law[1:] * (1 - chance) + law[:-1] * chance
        law[0] *= 1 - chance
        out += law[rejected[n]].sum()
        law[rejected[n]] = 0.0
    return float(out)


def counts(trials: int) -> tuple[np.ndarray, np.ndarray]:
    """All (failures, trials) as arrays indexed [trials, failures]; impossible ones have no failures."""
    n, k = np.meshgrid(np.arange(trials + 1), np.arange(trials + 1), indexing="ij")
    return np.where(k <= n, k, 0), n


@pytest.mark.turns(4)
@pytest.mark.parametrize("chance", [0.001, 0.05, 0.3, 0.5, 0.97])
def test_the_confidence_sequence_ever_misses_the_truth_with_at_most_its_level(chance: float) -> None:
    trials, level = 60, 0.05
    missed = np.zeros((trials + 1, trials + 1), dtype=bool)
    for n in range(1, trials + 1):
        for k in range(n + 1):
            low, high = evidence.anytime_interval(k, n, level)
            missed[n, k] = not low <= chance <= high
    assert crossing(chance, trials, missed) <= level


@pytest.mark.parametrize("claimed", [0.5, 0.1, 0.01, 1e-4])
def test_both_kinds_of_evidence_have_mean_one_at_the_claim_and_less_where_the_null_holds(claimed: float) -> None:
    for trials in (1, 7, 300):
        k = np.arange(trials + 1)
        holds = evidence.log_evidence_holds(k, trials, claimed)
        contradicted = evidence.log_evidence_contradicted(k, trials, claimed)

        def mean(logs: np.ndarray, chance: float, k=k, trials=trials) -> float:
            return float(np.exp(logs + binom.logpmf(k, trials, chance)).sum())

        assert mean(holds, claimed) == pytest.approx(1.0, abs=1e-8)
        assert mean(contradicted, claimed) == pytest.approx(1.0, abs=1e-8)
        assert mean(contradicted, 0.7 * claimed) < 1.0
        assert mean(holds, 1.3 * claimed) < 1.0


def test_a_wrong_verdict_has_at_most_its_probability_however_long_one_looks() -> None:
    trials, level, claimed = 600, 0.05, 0.1
    failed, n = counts(trials)
    limit = evidence.threshold(level)
    holds = evidence.log_evidence_holds(failed, n, claimed) >= limit
    contradicted = evidence.log_evidence_contradicted(failed, n, claimed) >= limit
    assert 0.001 < crossing(claimed, trials, holds) <= level  # not vacuous either
    assert 0.001 < crossing(claimed, trials, contradicted) <= level
    # and right ones are reached
    assert crossing(claimed / 4, trials, holds) > 0.999
    assert crossing(2 * claimed, trials, contradicted) > 0.999


# --- verdicts by simulation ------------------------------------------------------------------------------------------


@pytest.mark.turns(6)
def test_wrong_verdicts_at_the_claim_are_as_rare_as_stated(seed: int) -> None:
    """Null: the claim is met with equality, so that either verdict is wrong; size at most LEVEL by Ville's inequality.

    Power: were the claim read as half of what was said (or as twice that), wrong verdicts would be so many that fewer
    than one test in a thousand would stay green; how many is summed exactly.
    """
    runs, level, claimed, trials = 60, 0.05, 0.1, 200
    verdicts = [
        coin_rate(
            claimed,
            failure=claimed,
            trials=trials,
            holds_level=level,
            contradicted_level=level,
            seed=(seed << 8) + run,
        ).verdict
        for run in range(runs)
    ]
    failed, n = counts(trials)
    misread = {
        "holds": evidence.log_evidence_holds(failed, n, 2 * claimed),
        "contradicted": evidence.log_evidence_contradicted(failed, n, claimed / 2),
    }
    limit = int(binom.isf(LEVEL, runs, level))
    for kind, logs in misread.items():
        assert verdicts.count(kind) <= limit
        assert binom.cdf(limit, runs, crossing(claimed, trials, logs >= evidence.threshold(level))) < 1e-3


def test_a_learner_that_is_wrong_in_a_fifth_of_its_runs_is_contradicted(seed: int) -> None:
    found = coin_rate(0.2, failure=0.1, trials=5000, seed=seed)
    assert found.verdict == "contradicted"  # missed with a probability below 1e-9: see the next line
    failed = np.arange(5001)
    enough = failed[evidence.log_evidence_contradicted(failed, 5000, 0.1) >= evidence.threshold(1e-9)].min()
    assert binom.cdf(enough - 1, 5000, 0.2) < LEVEL
    assert found.stop == "decided"
    assert found.trials < 5000
    assert "contradicted (wrong with probability at most 1e-09)" in str(found)


def test_a_learner_that_never_fails_holds_after_few_trials(seed: int) -> None:
    found = coin_rate(0.0, failure=0.05, seed=seed)
    assert (found.verdict, found.failures, found.stop) == ("holds", 0, "decided")
    assert found.trials == 158  # decided by the counts alone
    assert found.evidence is not None
    assert found.evidence.holds >= found.evidence.holds_threshold > found.evidence.contradicted


def test_a_claim_that_is_nearly_met_stays_undecided(seed: int) -> None:
    found = coin_rate(0.1, failure=0.1, trials=100, seed=seed)
    assert found.verdict == "undecided"  # 100 trials cannot contradict at 1e-9 unless 39 failed
    assert binom.sf(38, 100, 0.1) < LEVEL
    assert found.trials == 100 or found.verdict == "holds"


# --- failure rates against enumeration --------------------------------------------------------------------------------


def exact_failure(learner, table: FiniteDistribution, private: int, public: int, accuracy: Fraction) -> float:
    """The probability that the learner misses, by enumeration of all samples and its law on each."""
    points, cells = len(table.points), table.cells
    best = table.best_risk(learner.family)
    total = 0.0
    missed: dict[object, bool] = {}
    for drawn in itertools.product(range(2 * points), repeat=private):
        weight = math.prod((cells[cell] for cell in drawn), start=Fraction(1))
        sample = Labelled(table.points[[cell % points for cell in drawn]], np.array([cell // points for cell in drawn]))
        for seen in itertools.product(range(points), repeat=public):
            both = weight * math.prod((table.masses[point] for point in seen), start=Fraction(1))
            if both == 0:
                continue
            law = learner.distribution(SemiPrivate(sample, table.points[list(seen)]))
            scores = np.array(law.exact.scores, dtype=float) * float(law.exact.epsilon) / 2
            chances = np.exp(scores - scores.max()) * np.array(law.exact.multiplicities)
            chances /= chances.sum()
            for output, chance in zip(law.outputs, chances, strict=True):
                if output not in missed:
                    missed[output] = table.risk(learner.family, output) - best > accuracy
                total += float(both) * chance * missed[output]
    return total


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("masses", "ones", "accuracy"),
    [
        ([0.25, 0.25, 0.5], [0.1, 0.9, 0.9], Fraction(1, 10)),
        ([0.7, 0.2, 0.1], [0, 1, 1], Fraction(1, 5)),
        ([0.1, 0.2, 0.3, 0.4], [0.3, 0.3, 0.3, 0.7], Fraction(3, 25)),
    ],
)
def test_the_interval_encloses_the_failure_probability_found_by_enumeration(masses, ones, accuracy, seed: int) -> None:
    """Size LEVEL (Clopper-Pearson). Power: at 3,000 trials the interval is 0.11 wide at most."""
    table = FiniteDistribution(np.arange(len(masses)), masses, ones)
    learner = CoverLearner(GridThresholds(len(masses)), epsilon=2.0)
    truth = exact_failure(learner, table, 2, 2, accuracy)
    found = failure_rate(
        learner, table, sizes={"private": 2, "public": 2}, accuracy=accuracy, trials=3000, level=LEVEL, seed=seed
    )
    assert found.interval[0] <= truth <= found.interval[1]
    assert 0.05 < truth < 0.95
    assert found.interval[1] - found.interval[0] < 0.12
    assert found.risk == "exact"
    assert found.errors == 0
    assert "fixed in advance" in found.interval_method


@pytest.mark.turns(4)
def test_an_estimated_risk_never_claims_what_the_exact_one_denies(seed: int) -> None:
    arguments = {"sizes": {"private": 40}, "accuracy": 0.1, "trials": 300, "level": LEVEL, "seed": seed}
    learner = GenericLearner(GridThresholds(50), 1.0)
    exactly = failure_rate(learner, UniformGrid(50, noise=0.1), **arguments)
    sampled = failure_rate(learner, UniformGrid(50, noise=0.1), risk="sampled", risk_sample=4000, **arguments)
    # the same samples and runs: an estimate errs with probability 1e-4 a trial, so 12 or more errors have 1e-28
    assert sampled.failures <= exactly.failures + 12
    assert sampled.failures + sampled.unclear >= exactly.failures - 12
    assert 0 < sampled.unclear < 200
    assert sampled.risk.startswith("sampled: 4000 fresh points")
    assert sampled.interval[0] <= exactly.rate <= sampled.interval[1]


def test_a_hypothesis_without_a_class_may_be_a_callable_judged_on_fresh_points(seed: int) -> None:
    found = failure_rate(
        lambda dataset, rng: lambda points: points >= 0.52,
        UniformInterval(0.5),
        sizes={"private": 1},
        accuracy=0.05,
        failure=0.1,
        risk="sampled",
        risk_sample=2000,
        seed=seed,
    )
    assert found.verdict == "holds"


# --- what a run is ----------------------------------------------------------------------------------------------------


def without_time(result: FailureRate) -> dict:
    told = json.loads(result.to_json())
    told.pop("seconds")
    return told


def test_results_depend_on_the_seed_alone(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    learner = CoverLearner(GridThresholds(100), epsilon=1.0)
    arguments = {"sizes": {"private": 30, "public": 10}, "accuracy": 0.1, "trials": 150}
    first = failure_rate(learner, UniformGrid(100), seed=seed, **arguments)
    monkeypatch.setattr("dpcheck.utility.failure.CHUNK_SECONDS", 1e-6)
    assert without_time(failure_rate(learner, UniformGrid(100), seed=seed, **arguments)) == without_time(first)
    monkeypatch.undo()
    assert without_time(failure_rate(learner, UniformGrid(100), seed=seed, jobs=2, **arguments)) == without_time(first)


def test_two_jobs_stop_at_the_same_trial_as_one(seed: int) -> None:
    learner = CoverLearner(GridThresholds(100), epsilon=1.0)
    arguments = {"sizes": {"private": 20, "public": 3}, "accuracy": 0.1, "failure": 0.1, "seed": seed}
    one = failure_rate(learner, UniformGrid(100), **arguments)
    assert one.verdict == "contradicted"
    assert without_time(failure_rate(learner, UniformGrid(100), jobs=2, **arguments)) == without_time(one)


class Counting:
    """Fails from its third run on: state that must not outlive a trial."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self, dataset, rng):
        self.runs += 1
        return 5 if self.runs < 3 else 0


@pytest.mark.parametrize("learner", [Counting, Counting()], ids=["factory", "instance"])
def test_each_trial_has_a_fresh_learner(learner) -> None:
    assert failure_rate(learner, TEN, sizes={"private": 1}, accuracy=0.1, trials=50).failures == 0


def test_the_learner_is_handed_the_sizes_it_was_promised() -> None:
    seen = []

    def learner(dataset, rng):
        seen.append(dataset)
        return 5

    here = {"accuracy": 0.1, "trials": 1, "isolation": "none"}
    failure_rate(learner, TEN, sizes={"private": 7, "public": 3}, **here)
    failure_rate(learner, TEN, sizes={"n": 4}, **here)
    failure_rate(learner, TEN, sizes={"private": 7, "public": 0}, dataset=labelled_public, **here)
    assert isinstance(seen[0], SemiPrivate)
    assert isinstance(seen[0].private, Labelled)
    assert (len(seen[0].private.x), len(seen[0].private.y), len(seen[0].public)) == (7, 7, 3)
    assert isinstance(seen[1], Labelled)
    assert len(seen[1].x) == 4
    assert isinstance(seen[2].public, Labelled)
    assert len(seen[2].public.y) == 0


def test_an_accuracy_that_is_met_exactly_is_no_failure() -> None:
    for accuracy, failures in ((0.3, 0), (0.29, 3), (Fraction(3, 10), 0)):  # the double 0.3 is below 3/10
        found = failure_rate(lambda d, rng: 8, TEN, sizes={"private": 1}, accuracy=accuracy, trials=3)
        assert found.failures == failures


def test_a_learner_that_raises_or_returns_no_hypothesis_has_failed(seed: int) -> None:
    def moody(dataset, rng):
        draw = rng.random()
        if draw < 0.2:
            raise RuntimeError("not today")
        return math.nan if draw < 0.4 else None if draw < 0.6 else 5

    found = failure_rate(moody, TEN, sizes={"private": 1}, accuracy=0.1, trials=200, level=LEVEL, seed=seed)
    assert found.failures == found.errors
    assert found.interval[0] <= 0.6 <= found.interval[1]
    assert found.first_error is not None
    assert "by an error" in str(found)


def test_a_learner_that_always_raises_is_an_error() -> None:
    def broken(dataset, rng):
        raise KeyError("x")

    with pytest.raises(InvalidArgument, match=r"learner must return a hypothesis, got an error in each of 25 trials"):
        failure_rate(broken, TEN, sizes={"private": 1}, accuracy=0.1)


def test_the_budget_ends_a_run_and_is_named() -> None:
    told = []
    found = failure_rate(
        Coin(0.5), TEN, sizes={"private": 1}, accuracy=0.1, budget=1e-6, on_progress=lambda *counts: told.append(counts)
    )
    assert (found.trials, found.stop) == (25, "time was up")
    assert told == [(25, found.failures)]
    assert "any stopping time" in found.interval_method
    assert found.verdict is None


def test_a_result_is_no_truth_value_and_speaks() -> None:
    found = coin_rate(0.0, trials=30)
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(found)
    assert "the excess risk exceeded 0.25 in 0 of 30 trials" in str(found)
    assert json.loads(found.to_json())["accuracy"] == "1/4"
    assert found.rate == 0.0


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sizes": {}}, "sizes must be a mapping"),
        ({"sizes": {"private": -1}}, r"sizes\['private'\] must be an integer of at least 0, got -1"),
        ({"sizes": {"private": 1, "unlabelled": 1}}, "other parts need dataset="),
        ({"accuracy": 1.5}, "accuracy must be a number between 0 and 1"),
        ({"accuracy": math.nan}, "accuracy must be"),
        ({"failure": 0}, "failure must be a number between 0 and 1, both excluded"),
        ({"failure": 1e-4, "risk": "sampled"}, "failure must be above 0.001 where risks are estimated"),
        ({"trials": 0}, "trials must be an integer of at least 1, got 0"),
        ({"budget": 0}, "budget must be a number of seconds above 0"),
        ({"level": 0}, "level must be"),
        ({"holds_level": 1}, "holds_level must be"),
        ({"contradicted_level": 2}, "contradicted_level must be"),
        ({"risk": "guessed"}, "risk must be 'auto', 'exact' or 'sampled'"),
        ({"risk_sample": 0}, "risk_sample must be"),
        ({"dataset": 3}, "dataset must be callable"),
        ({"on_progress": 3}, "on_progress must be callable"),
        ({"best": 2}, "best must be"),
        ({"seed": -1}, "seed must be"),
        ({"jobs": 0}, "jobs must be"),
    ],
)
def test_arguments_that_cannot_be_used(arguments, message) -> None:
    usable = {"sizes": {"private": 1}, "accuracy": 0.1}
    with pytest.raises(InvalidArgument, match=message):
        failure_rate(Coin(0.1), TEN, **{**usable, **arguments})


def test_what_is_no_distribution_or_has_no_known_risk() -> None:
    with pytest.raises(InvalidArgument, match="distribution must draw samples"):
        failure_rate(Coin(0.1), "uniform", sizes={"private": 1}, accuracy=0.1)
    arguments = {"sizes": {"private": 1}, "accuracy": 0.1, "family": Intervals()}
    with pytest.raises(InvalidArgument, match="best must be given: the best risk of Intervals"):
        failure_rate(Coin(0.1), UniformInterval(), **arguments)
    with pytest.raises(InvalidArgument, match="risk='exact' needs a distribution with exact risks"):
        failure_rate(Coin(0.1), UniformInterval(), risk="exact", best=0, **arguments)


# --- distributions ----------------------------------------------------------------------------------------------------

SHAPES = [
    FiniteDistribution([3, 5, 9], [0.2, 0.3, 0.5], [0, 0.25, 1]),
    FiniteDistribution([0, 1], [Fraction(1, 3**45), 1 - Fraction(1, 3**45)], [0.5, 0.25]),
    UniformGrid(4, threshold=1, noise=0.25),
    NeedleTail(5, 0.05, threshold=2, noise=0.1),
    two_points(3),
    all_functions(3, noise=0.25, labels=[0, 1, 1]),
    fair_labels([0, 1]),
]


@pytest.mark.turns(4)
@pytest.mark.parametrize("distribution", SHAPES, ids=lambda d: d.name)
def test_samples_have_the_law_of_the_table(distribution, rng) -> None:
    """Size LEVEL: every cell's count against its exact probability. Power: a cell off by 0.04 would be seen."""
    table = distribution if isinstance(distribution, FiniteDistribution) else distribution.table()
    draws, points = 20_000, len(table.points)
    x, y = distribution.draw(draws, rng)
    alone = distribution.draw_unlabelled(draws, rng)
    for place, point in enumerate(table.points):
        for count, mass in (
            (((x == point) & (y == 0)).sum(), table.cells[place]),
            (((x == point) & (y == 1)).sum(), table.cells[points + place]),
            ((alone == point).sum(), table.masses[place]),
        ):
            low, high = evidence.fixed_interval(int(count), draws, LEVEL / (3 * points))
            assert low <= mass <= high
    assert isinstance(distribution, Distribution)


def test_uniform_points_on_the_interval_are_labelled_by_the_threshold_with_noise(rng) -> None:
    x, y = UniformInterval(0.3, noise=0.2).draw(20_000, rng)
    flipped = int((y != (x >= 0.3)).sum())
    low, high = evidence.fixed_interval(flipped, 20_000, LEVEL / 2)
    assert low <= 0.2 <= high
    low, high = evidence.fixed_interval(int((x < 0.3).sum()), 20_000, LEVEL / 2)
    assert low <= 0.3 <= high


@pytest.mark.parametrize(
    "line",
    [UniformGrid(7, threshold=3, noise=0.2), UniformGrid(6, threshold=6), NeedleTail(6, 0.1, threshold=4, noise=0.1)],
)
def test_the_closed_form_of_a_threshold_s_risk_is_that_of_the_table(line) -> None:
    family = GridThresholds(line.size)
    for t in range(line.size + 1):
        assert line.risk(family, t) == line.risk(None, np.int64(t)) == line.table().risk(None, t)
        assert line.table().risk(family, t) == line.risk(family, t)
    assert line.best_risk(family) == line.table().best_risk(family) == line.flips
    assert line.risk(None, math.inf) == line.table().risk(None, math.inf)


def test_risks_on_a_huge_grid_lose_no_digit() -> None:
    grid = UniformGrid(2**60, threshold=2**59)
    assert grid.risk(GridThresholds(2**60), np.int64(2**59 + 1)) == Fraction(1, 2**60)
    assert grid.table() is None
    assert not grid.has_exact_risk(PointFunctions(2**60))


def test_the_best_risk_is_the_least_of_all_risks() -> None:
    table = FiniteDistribution(np.arange(4), [0.1, 0.2, 0.3, 0.4], [0.9, 0.2, 0.6, 0.3])
    for family in (GridThresholds(4), PointFunctions(4), AllFunctions(4)):
        every = family.everything()
        assert table.best_risk(family) == min(table.risk(family, h) for h in every)
    assert table.best_risk(AllFunctions(4)) == table.bayes_risk
    assert table.best_risk(None) is None
    assert UniformGrid(9).best_risk(GridThresholds(3)) is None or UniformGrid(9).boundary > 3


def test_hard_instances_have_the_risks_they_are_made_for() -> None:
    assert [two_points(4).risk(None, t) for t in (3, 4, 5)] == [Fraction(1, 2), 0, Fraction(1, 2)]
    needle = NeedleTail(101, 0.02, threshold=51)
    assert needle.below(1) == Fraction(92, 100)
    assert needle.risk(None, 1) == Fraction(4, 100)
    instance = finite_or_cofinite(1000)
    assert instance.best_risk(FiniteOrCofinite(2, 1000)) == 0
    assert all_functions(5, noise=0.1).best_risk(AllFunctions(5)) == Fraction(1, 10)
    assert fair_labels([1, 2]).risk(None, 2) == Fraction(1, 2)


def test_a_random_instance_is_drawn_for_every_trial() -> None:
    seen = []

    def learner(dataset, rng):
        seen.append(int(dataset.y[0]))
        return 5

    prior = RandomInstance(lambda rng: UniformGrid(10, threshold=10 * int(rng.integers(2))), "all or nothing")
    found = failure_rate(learner, prior, sizes={"private": 1}, accuracy=0.4, trials=60, isolation="none")
    assert set(seen) == {0, 1}  # missed with probability 2^-59
    assert found.failures == 60
    assert found.distribution == "all or nothing"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: FiniteDistribution([], [], []), "points, masses and ones must be of one length, at least 1"),
        (lambda: FiniteDistribution([0], [0.5], [0]), "masses must sum to 1, got 1/2"),
        (lambda: FiniteDistribution([0], [1], [2]), "ones must be a number between 0 and 1"),
        (lambda: FiniteDistribution.uniform([0, 1], [0]), "ones must be 0 or 1 for each point"),
        (lambda: UniformInterval(2), "threshold must be"),
        (lambda: UniformInterval(noise=0.6), "noise must be at most 1/2"),
        (lambda: UniformGrid(0), "size must be an integer of at least 1"),
        (lambda: UniformGrid(2**63), r"size must be at most 2\^62"),
        (lambda: UniformGrid(3, threshold=4), "threshold must be in"),
        (lambda: NeedleTail(10, 0.3), "accuracy times factor must be above 0 and at most 1"),
        (lambda: random_needle_tail(1, 0.1), "size must be"),
        (lambda: all_functions(2, labels=[1]), "labels must be 0 or 1 for each of 2 points"),
        (lambda: predictions(None, "x", [1]), "hypothesis must be a threshold"),
        (lambda: predictions(None, lambda x: [2], [1]), "predictions must be 0 or 1"),
        (lambda: UniformInterval().risk(Intervals(), (0, 1)), "has no closed form"),
    ],
)
def test_distributions_that_cannot_be(make, message) -> None:
    with pytest.raises(InvalidArgument, match=message):
        make()


# --- covers -----------------------------------------------------------------------------------------------------------


def test_spacings_by_hand() -> None:
    third = Fraction(1, 3)
    assert covers.interval_cover_failure(0, third) == 1
    assert covers.interval_cover_failure(1, third) == 1  # one of two gaps is at least a half
    assert covers.interval_cover_failure(1, Fraction(3, 4)) == Fraction(1, 2)
    assert covers.interval_cover_failure(2, third) == 1  # three gaps that sum to 1
    assert covers.interval_cover_failure(1, Fraction(3, 8), "middle") == Fraction(1, 2)
    assert covers.interval_cover_failure(5, Fraction(1, 2), "middle") == 0
    assert covers.interval_cover_failure(0, third, "inner middle") == 1


@pytest.mark.some(1)
@pytest.mark.parametrize("rule", covers.RULES)
def test_the_cover_fails_as_often_as_drawn_public_samples_do(rule: str, rng) -> None:
    """Size LEVEL over four cells a rule; power: a probability off by 0.05 would be seen."""
    draws, family = 20_000, Thresholds()
    for n, accuracy in ((3, 0.3), (10, 0.15)):
        points = np.sort(rng.random((draws, n)), axis=1)
        edges = np.concatenate([np.zeros((draws, 1)), points, np.ones((draws, 1))], axis=1)
        if rule == "middle":  # of the domain [0, 1]; the class's own rule has infinite ends
            far = np.diff(edges, axis=1).max(axis=1) / 2
        else:
            standing = np.array([np.clip(family.representatives(row, rule.split()[-1]), 0, 1) for row in points])
            far = np.maximum(standing - edges[:, :-1], edges[:, 1:] - standing).max(axis=1)
        low, high = evidence.fixed_interval(int((far > accuracy).sum()), draws, LEVEL / 2)
        assert low <= covers.interval_cover_failure(n, accuracy, rule) <= high


@pytest.mark.parametrize("rule", covers.RULES)
def test_doubles_of_the_cover_s_failure_are_the_fractions(rule: str) -> None:
    sizes = [0, 1, 2, 10, 57, 200, 400]
    found = covers.interval_cover_failures(sizes, 0.03, rule)
    exactly = [covers.interval_cover_failure(n, 0.03, rule) for n in sizes]
    assert found == pytest.approx([float(p) for p in exactly], rel=1e-14)
    assert all(0 <= p <= 1 for p in exactly)
    assert covers.interval_cover_failures(np.array([[10, 20]]), 0.2, rule).shape == (1, 2)


def test_the_alternating_sum_would_be_lost_in_doubles() -> None:
    terms = [(-1) ** (k + 1) * math.comb(201, k) * (1 - 0.005 * k) ** 200 for k in range(1, 200)]
    assert abs(sum(terms)) > 2 or abs(sum(terms) - 1) > 1e-6  # so far off is the formula as it is printed
    assert covers.interval_cover_failures(200, 0.005) == pytest.approx(1.0)


@pytest.mark.parametrize("rule", ["lowest", "highest", "middle"])
@pytest.mark.parametrize(("size", "accuracy"), [(1, 0.5), (3, 0.3), (4, 0.25), (5, 0.5)])
def test_covers_of_grid_thresholds_by_enumeration(size: int, accuracy: float, rule: str) -> None:
    family, table = GridThresholds(size), UniformGrid(size).table()
    assert table is not None
    found = covers.grid_cover_failures(size, accuracy, 4, rule)
    a = Fraction(str(accuracy))
    for public in range(5):
        failing = 0
        for seen in itertools.product(range(size), repeat=public):
            standing = family.representatives(seen, rule).tolist()
            agree = [[t for t in standing if all((x >= t) == (x >= h) for x in seen)] for h in range(size + 1)]
            failing += any(Fraction(abs(t - h), size) > a for h, (t,) in enumerate(agree))
        assert found[public] == Fraction(failing, size**public)
    assert covers.representatives_failures(family, table, accuracy, range(5), rule) == found
    if rule == "lowest":
        assert covers.two_agree_failures(family, table, accuracy, range(5)) == found
        assert covers.grid_cover_failure(3, size, accuracy) == found[3]


def test_the_grid_tends_to_the_interval() -> None:
    fine, limit = covers.grid_cover_failure(20, 2000, 0.2), covers.interval_cover_failure(20, 0.2)
    assert abs(fine - limit) < Fraction(2, 100)


def test_two_that_agree_bound_every_choice_of_representatives() -> None:
    table = FiniteDistribution(np.arange(5), [0.1, 0.3, 0.2, 0.15, 0.25], [0] * 5)
    for family in (GridThresholds(5), PointFunctions(5), Intervals(), AllFunctions(5)):
        bad = covers.two_agree_failures(family, table, 0.2, [1, 3, 6])
        for rule in family.rules:
            own = covers.representatives_failures(family, table, 0.2, [1, 3, 6], rule)
            assert all(left <= right for left, right in zip(own, bad, strict=True))
        assert bad == sorted(bad, reverse=True)


def test_the_headline_the_public_sample_grows_like_one_over_the_accuracy() -> None:
    accuracies = [0.2, 0.1, 0.05, 0.02, 0.01, 0.005]
    least = [covers.least_public(a, 0.1) for a in accuracies]
    assert least == [25, 61, 141, 410, 902, 1963]
    slope = np.polyfit(np.log(accuracies), np.log(least), 1)[0]
    assert -1.25 < slope < -1.0  # 1/alpha and a logarithm; 1/alpha^2 would be -2
    for a, n in zip(accuracies, least, strict=True):
        assert covers.interval_cover_failure(n, a) <= Fraction(1, 10) < covers.interval_cover_failure(n - 1, a)
    assert [covers.least_public(a, 0.1, rule="middle") for a in (0.1, 0.05)] == least[:1] + least[1:2]


@pytest.mark.parametrize("size", [None, 60])
def test_the_least_public_sample_is_the_least(size: int | None) -> None:
    for rule in ("lowest", "middle"):
        n = covers.least_public(0.1, 0.2, rule=rule, size=size)
        before, after = (
            [covers.interval_cover_failure(m, 0.1, rule) for m in (n - 1, n)]
            if size is None
            else covers.grid_cover_failures(size, 0.1, n, rule)[-2:]
        )
        assert after <= Fraction(1, 5) < before


def test_the_least_public_sample_where_the_probability_is_met_exactly() -> None:
    exactly = covers.interval_cover_failure(10, 0.2)
    assert covers.least_public(0.2, exactly) == 10
    assert covers.least_public(0.6, 0.99, rule="middle") == 0


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: covers.interval_cover_failure(-1, 0.1), "public must be an integer of at least 0, got -1"),
        (lambda: covers.interval_cover_failure(1, 1), "accuracy must be a number between 0 and 1"),
        (lambda: covers.interval_cover_failure(1, 0.1, "lowst"), "did you mean 'lowest'"),
        (lambda: covers.interval_cover_failures([-1], 0.1), "publics must be integers of at least 0"),
        (lambda: covers.grid_cover_failures(3, 0.1, 3, "inner middle"), "rule must be one of lowest, highest, middle"),
        (lambda: covers.least_public(0.001, 0.1, upto=100), "needs more than upto = 100"),
        (lambda: covers.least_public(0.001, 0.1, upto=100, size=1000), "needs more than upto = 100"),
        (lambda: covers.set_failures([Fraction(1, 30)] * 30, bool, [1]), "masses must be those of 1 to 20 points"),
        (lambda: covers.two_agree_failures(Thresholds(), "x", 0.1, [1]), "distribution must be a FiniteDistribution"),
    ],
)
def test_covers_that_cannot_be_asked_for(ask, message) -> None:
    with pytest.raises(InvalidArgument, match=message):
        ask()


# --- the reduction ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("private", "public"), [(1, 1), (7, 2), (10, 1), (1000, 1), (400, 10), (5000, 100)])
def test_the_four_probabilities_of_the_reduction_are_the_fractions(private: int, public: int) -> None:
    found = reduction.reduction_numbers(private, public)
    p, available = Fraction(1, 100 * public), math.ceil(Fraction(private, 10 * public))
    assert (found.chance, found.available) == (p, available)
    for enclosure, truth in (
        (found.leaves_early, reduction.exact_binomial_tail(private - 1, p, available)),
        (found.runs_out, reduction.exact_binomial_tail(private, p, available + 1)),
        (found.no_real_public, (1 - p) ** public),
        (found.public_distance, 1 - (1 - p) ** public),
    ):
        assert enclosure.low <= truth <= enclosure.high
        assert enclosure.high <= enclosure.low * (1 + 1e-14) + 5e-324


def test_the_loop_leaves_early_as_often_as_its_coins_say() -> None:
    private, chance, available = 6, Fraction(1, 3), 2
    early = wanted = Fraction(0)
    for coins in itertools.product((0, 1), repeat=private):
        weight = math.prod((chance if coin else 1 - chance for coin in coins), start=Fraction(1))
        position, left = 0, available
        while left and position < private:  # alg-3 as printed
            left -= coins[position]
            position += 1
        early += weight * (position < private)
        wanted += weight * (sum(coins) > available)
    assert early == reduction.exact_binomial_tail(private - 1, chance, available)
    assert wanted == reduction.exact_binomial_tail(private, chance, available + 1)


def test_binomial_tails_at_the_edges_and_far_out() -> None:
    for trials, chance, least in ((5, 0, 1), (5, 1, 5), (5, 1, 6), (0, 0.5, 0), (5, 0.5, -1), (5, 0.5, 6)):
        truth = reduction.exact_binomial_tail(trials, chance, least)
        assert reduction.binomial_tail(trials, chance, least) == reduction.Enclosure(float(truth), float(truth))
    far = reduction.binomial_tail(10**7, Fraction(1, 1000), 10**6)
    assert far <= 1e-300
    assert reduction.binomial_tail(10**8, Fraction(1, 2), 5 * 10**7).middle == pytest.approx(0.5, abs=1e-4)


def test_the_distance_of_samples_by_enumeration() -> None:
    p = Fraction(1, 10)
    assert reduction.product_distance([1 - p, p], [1, 0], 5) == 1 - (1 - p) ** 5
    first, second = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)], [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    by_hand = sum(
        abs(math.prod(first[i] for i in drawn) - math.prod(second[i] for i in drawn))
        for drawn in itertools.product(range(3), repeat=4)
    )
    assert reduction.product_distance(first, second, 4) == by_hand / 2
    assert reduction.product_distance(first, second, 0) == 0
    # the two-point instance shares a cell with the dummies only where they share a point and its label
    chance, half = Fraction(1, 100), Fraction(1, 2)
    dummy = {(0, 0): half, (0, 1): half}
    for t, disjoint in ((1, False), (5, True)):
        real = {(t - 1, 0): half, (t, 1): half}
        cells = sorted({*dummy, *real})
        mixed = [chance * real.get(cell, 0) + (1 - chance) * dummy.get(cell, 0) for cell in cells]
        found = reduction.product_distance(mixed, [dummy.get(cell, 0) for cell in cells], 3)
        assert (found == 1 - (1 - chance) ** 3) is disjoint


def test_the_table_of_the_reduction_is_flat() -> None:
    rows = [numbers.to_row() for numbers in reduction.reduction_table([0.1, 1, 100], [1, 10])]
    assert [row["private"] for row in rows] == [1, 1, 100, 1, 10, 1000]
    assert rows[2]["chance"] == "1/100"
    assert rows[2]["leaves_early_low"] <= rows[2]["leaves_early_high"]


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: reduction.reduction_numbers(0, 1), "private must be an integer of at least 1"),
        (lambda: reduction.reduction_table([0], [1]), "ratios must be numbers above 0"),
        (lambda: reduction.binomial_tail(3, 2, 1), "chance must be"),
        (lambda: reduction.exact_binomial_tail(10**6, 0.5, 1), "trials must be at most 20000"),
        (lambda: reduction.product_distance([1], [0.5, 0.5], 1), "probabilities of the same cells"),
        (lambda: reduction.product_distance([0.1] * 10, [0.1] * 10, 1000), "size must make at most"),
    ],
)
def test_the_reduction_of_impossible_sizes(ask, message) -> None:
    with pytest.raises(InvalidArgument, match=message):
        ask()


def test_the_learner_made_of_a_semi_private_one_runs_on_the_two_point_instance(seed: int) -> None:
    inner = CoverLearner(GridThresholds(16), epsilon=1.0)
    learner = FromSemiPrivate(inner, private=200, public=1, dummies=Dummies([0]))
    found = failure_rate(learner, two_points(8), sizes={"n": learner.elements}, accuracy=0.25, trials=50, seed=seed)
    assert found.errors == 0
    assert found.failures > 25  # 2 records in 200 tell nothing: all but one of 17 thresholds err


# --- curves -----------------------------------------------------------------------------------------------------------


def test_a_sweep_gives_flat_rows_in_order_whose_intervals_share_the_level() -> None:
    told = []
    found = sweep(
        Coin,
        lambda accuracy: UniformGrid(10, threshold=5),
        sizes={"private": [1, 2]},
        accuracy=[0.1, 0.6],
        options={"chance": [0.0, 1.0]},
        trials=20,
        level=0.08,
        on_progress=lambda *counts: told.append(counts),
    )
    rows = found.rows()
    assert [(row["chance"], row["private"], row["accuracy"], row["rate"]) for row in rows] == [
        (0.0, 1, 0.1, 0.0),
        (0.0, 1, 0.6, 0.0),
        (0.0, 2, 0.1, 0.0),
        (0.0, 2, 0.6, 0.0),
        (1.0, 1, 0.1, 1.0),
        (1.0, 1, 0.6, 0.0),
        (1.0, 2, 0.1, 1.0),
        (1.0, 2, 0.6, 0.0),
    ]
    assert {row["level"] for row in rows} == {0.01}
    assert len({row["seed"] for row in rows}) == 8
    assert told[-1] == (8, 8)
    assert found.to_csv().splitlines()[0].startswith("chance,private,distribution,accuracy,trials,failures,rate,low")
    assert len(found.to_csv().splitlines()) == 9
    assert json.loads(found.to_json())["rows"][0]["failures"] == 0
    assert found.column("failures")[4] == 20


def test_sweeps_that_cannot_be() -> None:
    with pytest.raises(InvalidArgument, match="sizes must be a mapping"):
        sweep(Coin(0.1), TEN, sizes=[1], accuracy=0.1)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="each have at least one value"):
        sweep(Coin(0.1), TEN, sizes={"private": []}, accuracy=0.1)
    with pytest.raises(InvalidArgument, match="distribution must draw samples"):
        sweep(Coin(0.1), 3, sizes={"private": 1}, accuracy=0.1)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="name must be one of"):
        sweep(Coin(0.1), TEN, sizes={"private": 1}, accuracy=0.1, trials=1).column("rats")


def test_more_public_points_help_and_the_domain_does_not_matter(seed: int) -> None:
    """The learner of alon2019:alg-1 on the needle-tail; each comparison holds save with LEVEL."""
    rates = {}
    for bits in (8, 60):
        learner = CoverLearner(GridThresholds(2**bits), epsilon=1.0)
        found = sweep(
            learner,
            lambda accuracy, size=2**bits: random_needle_tail(size, accuracy),
            sizes={"private": 2000, "public": [5, 500]},
            accuracy=0.02,
            trials=200,
            level=LEVEL,
            seed=seed,
        )
        rates[bits] = [(row["low"], row["high"]) for row in found.rows()]
    for few, many in rates.values():
        assert many[1] < few[0]
    assert rates[8][0][0] <= rates[60][0][1]
    assert rates[60][0][0] <= rates[8][0][1]
