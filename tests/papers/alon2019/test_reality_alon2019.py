"""alon2019 against reality: its cheap runs say what they should, and broken learners are caught by what is run."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from dpcheck import Records, ReplaceOne
from dpcheck.model.data import Labelled
from dpcheck.papers.alon2019.learners import CoverLearner, Dummies, FixedPublic, FromSemiPrivate, GenericLearner
from dpcheck.papers.alon2019.theorems.bounds import BOUNDS
from dpcheck.papers.alon2019.trials import RUNS
from dpcheck.papers.alon2019.trials.dichotomy import HashedPoints, random_points
from dpcheck.papers.alon2019.trials.lower_bounds import packing_failure, random_two_points
from dpcheck.papers.alon2019.trials.reduction import InCounts
from dpcheck.papers.alon2019.trials.reduction import _at_its_size as reduction_outcomes
from dpcheck.papers.alon2019.trials.setting import own_size
from dpcheck.parts.classes import GridThresholds, Thresholds
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser
from dpcheck.proof.bounds import value_of
from dpcheck.proof.registry import Registry
from dpcheck.trial import measurements
from dpcheck.trial.lower import LowerBound, check_lower_bound
from dpcheck.trial.privacy import PrivacyCheck
from dpcheck.utility.distributions import UniformInterval

CHEAP = (
    "public-cost",
    "counting",
    "lower-against-upper",
    "numbers-in-the-reduction",
    "generic-learner",
    "hard-instances",
)


@pytest.mark.some(1)
@pytest.mark.parametrize("key", CHEAP)
def test_every_outcome_says_what_it_is_about(key):
    made = measurements.make("alon2019", key, seed=0, quick=True)
    run = next(run for run in RUNS if run.key == key)
    ids = {theorem.id for theorem in Registry().paper("alon2019").theorems}
    assert {outcome.result for outcome in made.outcomes} == set(run.results) <= ids
    assert set(made.results) <= ids
    for outcome in made.outcomes:
        assert outcome.detail
        assert outcome.word in ("holds", "contradicted")
        assert bool(outcome.expected) == (outcome.word == "contradicted")
        assert outcome.level == (0.0 if key != "hard-instances" else 1e-3)
    if key == "hard-instances":  # else any learner would fail on so few examples, and nothing would be shown
        assert "Without privacy as many examples suffice for each of the three" in made.found


def test_statements_are_run_as_printed_and_as_repaired():
    words = {
        (outcome.result.partition(":")[2], outcome.word)
        for key in ("counting", "numbers-in-the-reduction")
        for outcome in measurements.make("alon2019", key, seed=0, quick=True).outcomes
    }
    for refuted in ("lem-3.3-eq1", "lem-3.3-growth", "clm-4.6"):
        assert {(refuted, "contradicted"), (refuted, "holds")} <= words


def test_the_bound_on_bad_is_compared_where_it_is_below_one():
    (outcome,) = (each for each in measurements.make("alon2019", "counting", seed=0, quick=True).outcomes
                  if each.claim == "(1) for 2 n_pub >= d")  # fmt: skip
    assert "below 1 at 2 of them" in outcome.detail


# --- broken learners


@dataclass(frozen=True)
class _Blind(CoverLearner):
    """A_SSPP that does not look at its private labels."""

    def rate(self, dataset):
        return Fraction(1, 10**9)


@dataclass(frozen=True)
class _Leaky(CoverLearner):
    """A_SSPP that forgets that a record counts twice, in a weight and in their sum."""

    def rate(self, dataset):
        return Fraction(self.epsilon)


@pytest.mark.turns(4)
def test_a_learner_that_ignores_its_data_is_contradicted_at_its_own_size():
    said = {"accuracy": 0.1, "epsilon": 1.0, "said": "thresholds", "seed": 0}
    assert own_size(CoverLearner(Thresholds(), 1.0), UniformInterval(), **said).word == "holds"
    outcome = own_size(_Blind(Thresholds(), 1.0), UniformInterval(), **said)
    assert (outcome.word, outcome.level) == ("contradicted", 1e-9)


@pytest.mark.turns(6)
def test_a_learner_that_leaks_is_contradicted():
    records = ReplaceOne(records=Records.labelled(features=[0, 1, 2], labels=[0, 1]), size=2)
    right = FixedPublic(CoverLearner(GridThresholds(3), 1.0), [1])
    check = PrivacyCheck("alon2019:lem-3.2", "A_SSPP", right, 1.0, neighbours=records)
    assert check.check(0).word == "holds"
    leaky = replace(check, learner=FixedPublic(_Leaky(GridThresholds(3), 1.0), [1])).check(0)
    assert (leaky.word, leaky.level) == ("contradicted", 0.0)


def test_a_learner_without_privacy_is_too_good_for_the_lower_bound():
    family = GridThresholds(2**60)
    bound = LowerBound(
        "alon2019:thm-4.3",
        "no private learner",
        {"without privacy": EmpiricalRiskMinimiser(family)},
        (random_two_points(60),),
        {"private": 40},
        accuracy=Fraction(1, 16),
        failure=Fraction(1, 16),
        complete=True,  # the theorem is about the average over the thresholds
        arguments={"family": family, "best": 0},
    )
    (outcome,) = check_lower_bound(bound, seed=0, trials=5_000)
    assert (outcome.word, outcome.level) == ("contradicted", 1e-9)


# --- what the runs rest on


@pytest.mark.parametrize("failure", ["1/10", "1/16"])
def test_the_packing_bound_on_average_is_the_bound_solved_for_the_failure(failure):
    needed = value_of(BOUNDS["proper_packing"], points=2**20, failure=failure, epsilon=1)
    below, above = math.floor(needed.low), math.ceil(needed.high)
    assert packing_failure(above, 2**20) <= float(Fraction(failure)) <= packing_failure(below, 2**20)


def test_hashed_points_are_learnt_and_do_not_depend_on_the_domain():
    instance = random_points(60).instance(np.random.default_rng(0))
    rng = np.random.default_rng(1)
    right = [instance.risk(None, HashedPoints()(instance.draw(400, rng), rng)) == 0 for _ in range(20)]
    assert all(right)


def test_a_hashed_choice_is_private():
    # for any hash: the weights of two neighbouring samples, and so their laws, differ by at most exp(epsilon)
    rng = np.random.default_rng(0)
    learner = HashedPoints(1.0, 4)
    for _ in range(200):
        x, y = rng.integers(0, 50, 6), rng.integers(0, 2, 6)
        other_x, other_y = x.copy(), y.copy()
        other_x[0], other_y[0] = rng.integers(0, 50), rng.integers(0, 2)
        laws = [learner.weights(np.asarray(a) % 4, b) for a, b in ((x, y), (other_x, other_y))]
        assert np.abs(np.log(laws[0]) - np.log(laws[1])).max() <= 1.0 + 1e-9


def test_the_reduction_drawn_in_counts_has_the_law_of_the_reduction():
    private, points, x, y = 6, 3, [1, 2], [0, 1]
    drawn = InCounts(points, private)
    law = FromSemiPrivate(GenericLearner(GridThresholds(points), 1.0), private, 1, Dummies([0]), "fill")
    exact = law.distribution(Labelled(np.array(x[:1]), np.array(y[:1])))
    assert drawn.elements == law.elements == 1
    chances = np.zeros(points + 1)
    for used in (0, 1):
        asked = 0.99**private if used == 0 else 1 - 0.99**private
        for ones in range(private - used + 1):
            coin = math.comb(private - used, ones) / 2 ** (private - used)
            chances += asked * coin * drawn.weights(x[:1], y[:1], used, ones)
    assert [float(exact[t]) for t in range(points + 1)] == pytest.approx(chances.tolist(), abs=1e-12)


@pytest.mark.turns(4)
def test_the_reduction_that_uses_no_record_is_contradicted_at_its_own_size(monkeypatch):
    outcomes = {outcome.result: outcome for outcome in reduction_outcomes(0)}
    assert outcomes["alon2019:clm-4.6"].word == outcomes["alon2019:lem-4.4"].word == "holds"
    assert outcomes["alon2019:obs-4.a"].word == "not reachable"
    real = InCounts.weights
    monkeypatch.setattr(InCounts, "weights", lambda self, x, y, used, ones: real(self, x, y, 0, ones))
    broken = {outcome.result: outcome.word for outcome in reduction_outcomes(0)}
    assert broken["alon2019:clm-4.6"] == "contradicted"
