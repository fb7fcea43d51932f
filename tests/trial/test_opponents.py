"""What a bad learner keeps too says nothing: the worst of a class, coins, and a learner whose labels are tossed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import GridThresholds, Thresholds
from dpcheck.trial import opponents, upper
from dpcheck.trial.claims import claims_run
from dpcheck.trial.model import Outcome
from dpcheck.trial.opponents import TossedLabels, drawn_threshold, on_instance, on_instances, set_against
from dpcheck.trial.upper import UpperBound, check_upper_bound
from dpcheck.utility.distributions import (
    FiniteDistribution,
    NeedleTail,
    RandomInstance,
    UniformGrid,
    UniformInterval,
    random_needle_tail,
    two_points,
)
from dpcheck.utility.worst_risk import constant_risks, tossed_failures, worst_risk

HALF = Fraction(1, 2)


def minimiser(dataset, rng):
    """The threshold with the fewest mistakes."""
    x, y = dataset
    order = np.argsort(x)
    ones = np.concatenate([[0], np.cumsum(np.asarray(y)[order])])
    zeros = np.concatenate([[0], np.cumsum(1 - np.asarray(y)[order])])
    place = int((ones + zeros[-1] - zeros).argmin())
    return float(np.concatenate([np.asarray(x)[order], [1.0]])[place])


def promise(accuracy, distribution, *, failure="1/10", learner=minimiser, size=2_000):
    settings = {"accuracy": accuracy, "failure": failure}
    return UpperBound("mine:thm-1", "it learns", learner, distribution, {"n": size}, settings)


LINES = (UniformGrid(9, 3, Fraction(1, 10)), NeedleTail(7, Fraction(1, 10), 5), UniformGrid(4))


@pytest.mark.parametrize("line", LINES)
def test_the_worst_risk_of_a_line_is_the_largest_of_its_thresholds(line):
    every = [line.risk(None, t) for t in range(-1, int(line.size) + 2)]
    assert worst_risk(line, None) == max(every)
    assert constant_risks(line) == (every[-1], every[0])
    table, family = line.table(), GridThresholds(int(line.size))
    assert worst_risk(table, family) == max(every)
    assert worst_risk(table, None) >= max(every)  # any function


def test_a_distribution_may_say_its_worst_risk_itself():
    class Mine:
        def worst_risk(self, family):
            return Fraction(1, 3)

    assert worst_risk(Mine(), None) == Fraction(1, 3)
    assert worst_risk(object(), None) is None
    assert constant_risks(object()) is None


@pytest.mark.parametrize("bar", [0, Fraction(1, 4), Fraction(3, 5), 1])
def test_tossed_labels_fail_as_often_as_all_labellings_do(bar):
    rng = np.random.default_rng()
    table = FiniteDistribution(range(3), [HALF, Fraction(1, 4), Fraction(1, 4)], [1, 0, Fraction(1, 3)])
    risks = [table.risk_of_labels([a, b, c]) for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    assert tossed_failures(table, bar, rng) == (sum(risk > bar for risk in risks), 8)


def test_a_risk_just_at_the_bar_does_not_exceed_it():
    """Of 20 points of equal mass more than half are wrong in 41.2% of labellings, half or more in 58.8%."""
    table = FiniteDistribution(range(20), [Fraction(1, 20)] * 20, [Fraction(1, 10**19 + place) for place in range(20)])
    failing, many = tossed_failures(table, HALF, np.random.default_rng())
    assert abs(failing / many - 0.5) < 0.06  # labels that are hardly ever 1 break the ties evenly
    even = FiniteDistribution(range(20), [Fraction(1, 20)] * 20, [0] * 20)
    failing, many = tossed_failures(even, HALF, np.random.default_rng())
    assert abs(failing / many - 0.412) < 0.06


def test_where_no_point_has_a_mass_that_shows_a_coin_errs_by_a_half():
    rng = np.random.default_rng()
    for law in (UniformInterval(), UniformGrid(1 << 40)):
        assert tossed_failures(law, HALF, rng) == (0, 1)
        assert tossed_failures(law, Fraction(49, 100), rng) == (1, 1)
    # nearly all of the needle's mass is on one point: its label decides
    failing, many = tossed_failures(NeedleTail(1 << 40, Fraction(1, 100)), HALF, rng)
    assert 0.4 < failing / many < 0.6


def test_an_excess_that_no_threshold_has_says_nothing():
    """alon2019:thm-3.1 at accuracy 1/2: with 10% label noise no threshold has an excess risk above 0.4."""
    outcome = check_upper_bound(promise("1/2", UniformInterval(noise=0.1)), seed=0)
    assert outcome.word == "says nothing"
    assert "the worst of its class keeps it too: it has excess risk up to 0.4" in outcome.against
    assert outcome.measured is None
    assert outcome.level == 0.0


def test_a_promise_that_can_fail_holds_and_says_who_breaks_it():
    outcome = check_upper_bound(promise("1/5", UniformInterval(noise=0.1)), seed=0)
    assert outcome.word == "holds"
    assert "it has excess risk up to 0.4" in outcome.against
    assert "on labels tossed by a coin" in outcome.against
    assert "keeps it too" not in outcome.against


def test_a_learner_without_data_that_keeps_a_promise_says_so():
    """A learner that ignores its labels, on an instance where what it answers is good."""
    outcome = check_upper_bound(promise("1/10", UniformInterval(HALF), learner=lambda dataset, rng: 0.5), seed=0)
    assert outcome.word == "says nothing"
    assert outcome.against.startswith("the learner itself on labels tossed by a coin keeps it too: 0 of ")


def test_a_broken_promise_stays_contradicted_where_opponents_keep_it():
    def often_nothing(dataset, rng):
        if rng.random() < 0.6:
            raise ValueError("no")
        return 0.5

    outcome = check_upper_bound(promise("1/2", UniformInterval(noise=0.1), learner=often_nothing), seed=0)
    assert outcome.word == "contradicted"
    for word in ("contradicted", "undecided", "failed", "compatible", "not run"):
        assert set_against(Outcome(word, "c", "d"), opponents.at_most(1, largest=0.5)).word == word


def test_opponents_are_what_makes_it_say_nothing(monkeypatch):
    """A version that knows no worst of its class and no coin says that it holds."""
    monkeypatch.setattr(upper, "on_instance", lambda *_, **__: [])
    monkeypatch.setattr(upper, "on_tossed_labels", lambda *_, **__: [])
    assert check_upper_bound(promise("1/2", UniformInterval(noise=0.1)), seed=0).word == "holds"


def test_a_fair_coin_between_two_hypotheses_breaks_a_hard_instance():
    """A coin for each label of a single point is a coin between its two labels, not an error of a half."""
    hard = FiniteDistribution([0], [1], [Fraction(89, 200)], best=Fraction(89, 200))
    found = on_instance(hard, None, Fraction(1, 10), Fraction(1, 10))
    assert [one.keeps for one in found] == [False, False, False]


def test_instances_that_are_met_equally_often_share_the_failure():
    both = [UniformInterval(HALF), UniformInterval(Fraction(1, 16))]
    assert [one.keeps for one in on_instances(both, Thresholds(), HALF, HALF)] == [True, True, True]
    worst = on_instances(both, Thresholds(), HALF, Fraction(2, 5))[0]
    assert not worst.keeps
    assert "fails on 0.5 of the instances" in worst.found
    random = random_needle_tail(1 << 20, Fraction(1, 50))
    assert not any(one.keeps for one in on_instance(random, None, Fraction(1, 50), Fraction(1, 10)))
    assert on_instance(RandomInstance(lambda rng: two_points(), "one"), None, 1, Fraction(1, 10), best=0)[0].keeps


def test_a_threshold_drawn_uniformly_fails_as_often_as_it_is_far():
    rng = np.random.default_rng()
    places = rng.random(40_000)
    found = float(np.mean([np.abs(places - t) > 0.3 for t in (0.5, 0.1)]))
    assert abs(found - float(drawn_threshold([0.5, 0.1], 0.3, 0).found.rpartition(" ")[2])) < 0.02


def test_tossed_labels_leave_points_and_the_public_part():
    rng = np.random.default_rng()
    law = UniformInterval()
    made = TossedLabels()(law, {"private": 400, "public": 7}, rng)
    assert isinstance(made, SemiPrivate)
    assert len(made.public) == 7
    assert 100 < made.private.y.sum() < 300
    assert abs(np.corrcoef(made.private.x, made.private.y)[0, 1]) < 0.4
    assert isinstance(TossedLabels()(law, {"n": 5}, rng), Labelled)
    with pytest.raises(InvalidArgument, match="labels to toss"):
        TossedLabels(lambda *_: np.zeros(3))(law, {"n": 3}, rng)


def test_a_claim_is_counted_once_and_is_what_its_worst_instance_is():
    def made(*words):
        return [Outcome(word, "c", str(place), "p:1") for place, word in enumerate(words)]

    (one,) = claims_run(made("holds", "says nothing", "holds"))
    assert (one.word, len(one.outcomes)) == ("holds", 3)
    assert claims_run(made("holds", "undecided"))[0].word == "undecided"
    assert claims_run(made("holds", "contradicted", "undecided"))[0].word == "contradicted"
    assert len(claims_run([*made("holds"), Outcome("holds", "c", "", "p:2"), Outcome("holds", "d", "", "p:1")])) == 3
