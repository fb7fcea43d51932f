"""Claims where they are run: every word is reached by what deserves it, and broken learners are caught."""

from __future__ import annotations

import dataclasses
import itertools
import math
import os
import time
from fractions import Fraction

import numpy as np
import pytest
import sympy

from dpcheck import PureDP, Records, ReplaceOne
from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.papers.alon2019.learners import CoverLearner, GenericLearner
from dpcheck.parts.classes import GridThresholds
from dpcheck.proof.bounds import Bound, Range, symbol
from dpcheck.proof.instances import Enumeration
from dpcheck.proof.inventory import papers
from dpcheck.proof.registry import Registry
from dpcheck.report.whole.index import unexpected
from dpcheck.trial import coverage, lower, measurements, privacy, upper
from dpcheck.trial.exact_failure import exact_failure, listed_samples
from dpcheck.trial.lower import LowerBound, check_lower_bound, measure_lower_bound
from dpcheck.trial.model import MEANINGS, Measurement, Outcome
from dpcheck.trial.page import shown
from dpcheck.trial.privacy import PrivacyCheck, check_privacy, measure_privacy
from dpcheck.trial.relations import all_true, compared, decided, enclosed, refuted_by
from dpcheck.trial.upper import UpperBound, check_upper_bound, measure_upper_bound, own_sizes
from dpcheck.utility.distributions import FiniteDistribution, two_points

_UNIT = Range(Fraction(0), Fraction(1))
_ACCURACY, _FAILURE = symbol("accuracy"), symbol("failure")
#: n >= log(2/failure)/accuracy suffices to see both points of the two-point law, generously.
ENOUGH = Bound(
    "mine:thm-1",
    "n",
    "sufficient",
    40 * sympy.log(2 / _FAILURE) / _ACCURACY,
    {"n": Range.integers(1), "accuracy": _UNIT, "failure": _UNIT},
    "made up",
    {},
)
FAMILY = GridThresholds(4)
SETTINGS = {"accuracy": "1/4", "failure": "1/10"}


def ignores_its_data(dataset, rng):
    """A threshold drawn at random."""
    return int(rng.integers(5))


def promise(learner=None, **changed):
    """A promise about thresholds on four points under the two-point law at 2."""
    made = UpperBound(
        "mine:thm-1",
        "thresholds are learnt",
        GenericLearner(FAMILY) if learner is None else learner,
        two_points(2),
        {"n": ENOUGH},
        SETTINGS,
        name="generic",
        arguments={"family": FAMILY},
    )
    return dataclasses.replace(made, **changed)


# --- upper bounds


def test_an_upper_bound_is_run_at_its_own_size():
    outcome = check_upper_bound(promise(), seed=0)
    assert outcome.word == "holds"
    assert outcome.level == 1e-3
    assert outcome.size == own_sizes(promise())["n"] == 480
    assert outcome.kind == "upper bound"
    assert outcome.result == "mine:thm-1"
    assert outcome.trials > 0


@pytest.mark.turns(6)
def test_the_slack_is_the_own_size_over_the_measured_one():
    outcome = check_upper_bound(promise(), seed=0, search=True)
    assert outcome.measured is not None
    assert outcome.measured < 480
    assert outcome.slack == 480 / outcome.measured


def test_a_learner_that_ignores_its_data_is_contradicted():
    outcome = check_upper_bound(promise(ignores_its_data, expected="not the learner"), seed=0)
    assert outcome.word == "contradicted"
    assert outcome.level == 1e-9
    assert outcome.expected == "not the learner"


def test_few_trials_decide_nothing():
    outcome = check_upper_bound(promise(), seed=0, trials=10)
    assert outcome.word == "undecided"
    assert outcome.level == 0.0


def test_a_size_out_of_reach_names_the_size_and_the_check_made_instead():
    outcome = check_upper_bound(promise(reach=100, scaled={"failure": "9/10", "accuracy": "2/5"}), seed=0)
    assert outcome.word == "not reachable"
    assert "n = 480" in outcome.detail
    assert outcome.instead.startswith("scaled check, failure = 0.9 for 0.1, accuracy = 0.4 for 0.25: with n 80")
    assert "excess risk above 0.4 has probability at most 0.9" in outcome.instead
    assert outcome.instead_word == "says nothing"  # one hypothesis in ten suffices for a claim of 0.9
    assert "keeps it too" in outcome.against
    smaller = promise(reach=470, scaled={"accuracy": "2/5"})
    found = check_upper_bound(smaller, seed=0)
    assert (found.word, found.instead_word, found.level) == ("not reachable", "holds", 1e-3)


def test_a_broken_learner_is_contradicted_in_the_scaled_check_too():
    declared = promise(ignores_its_data, reach=100, scaled={"failure": "1/5", "accuracy": "99/100"})
    declared = dataclasses.replace(declared, sizes={"n": lambda s: 50 if s["failure"] == "1/5" else 1000})
    always_wrong = dataclasses.replace(declared, learner=lambda dataset, rng: 0, scaled={"failure": "1/5"})
    outcome = check_upper_bound(always_wrong, seed=0)
    assert (outcome.word, outcome.instead_word, outcome.level) == ("not reachable", "contradicted", 1e-9)
    assert outcome.broken
    assert unexpected(outcome)
    said = check_upper_bound(dataclasses.replace(always_wrong, expected="not the learner"), seed=0)
    assert said.expected == "not the learner"
    assert not unexpected(said)


@pytest.mark.parametrize("scaled", [{"failure": "1/20"}, {"accuracy": 1}])
def test_a_scaled_check_that_cannot_be_made_has_no_word(scaled):
    declared = promise(reach=100, scaled=scaled, sizes={"n": 480})
    outcome = check_upper_bound(declared, seed=0)
    assert outcome.instead_word is None
    assert "out of reach too" in outcome.instead or "says nothing" in outcome.instead


def test_a_vacuous_promise_says_nothing():
    outcome = check_upper_bound(promise(settings={"accuracy": 1, "failure": "1/10"}, sizes={"n": 5}), seed=0)
    assert outcome.word == "says nothing"


def test_sizes_are_evaluated_in_order_and_feed_the_next():
    declared = promise(sizes={"public": 7, "private": lambda settings: 10 * settings["public"]})
    assert own_sizes(declared) == {"public": 7, "private": 70}


@pytest.mark.turns(6)
def test_a_measured_upper_bound_has_its_claim_and_what_is_measured_on_one_chart():
    made = shown("k", (), upper.PAGE, measure_upper_bound(promise(), seed=0, quick=True))
    (chart,) = made.charts
    assert [series.role for series in chart.series] == ["measured", "bound"]
    assert {mark.x for mark in chart.marks} == {480.0, None}
    assert chart.shades
    assert chart.x_log
    assert chart.y_log
    assert made.outcomes[0].word == "holds"
    assert all(low <= y <= high for s in chart.series[:1] for low, y, high in zip(s.low, s.y, s.high, strict=True))
    assert (chart.title, chart.x_label) == ("generic: excess risk above 0.25 has this probability", "n records")
    assert (made.title, made.trials) == ("thresholds are learnt", made.outcomes[0].trials + 6 * 200)
    assert made.tables[0].columns == ("records", "failure", "at least", "at most")
    assert len(made.tables[0].rows) == len(chart.series[0].x)


@pytest.mark.turns(4)
def test_a_promise_that_speaks_everywhere_or_nowhere_has_no_shade_and_no_curve():
    found = measure_upper_bound(promise(sizes={"n": 20}), seed=0, quick=True)
    (chart,) = shown("k", (), upper.PAGE, found).charts
    assert [one.name for one in chart.series] == ["failure"]
    assert chart.shades == ()


# --- exactly


def test_an_exact_failure_is_the_sum_over_all_samples():
    # n = 2 on {1, 2}, threshold 2: the generic learner on {0, 1, 2}: by hand from its law
    learner, law = GenericLearner(GridThresholds(3)), two_points(2)
    found = exact_failure(learner, law, sizes={"n": 2}, accuracy="1/4")
    by_hand = 0.0
    for x, y, weight in (([1, 1], [0, 0], 0.25), ([1, 2], [0, 1], 0.5), ([2, 2], [1, 1], 0.25)):
        answer = learner.distribution((x, y))
        logs = answer.exact
        weights = [m * __import__("math").exp(s / 2) for s, m in zip(logs.scores, logs.multiplicities, strict=True)]
        by_hand += weight * sum(w for h, w in zip(answer.outputs, weights, strict=True) if h != 2) / sum(weights)
    assert found.low <= found.high
    assert abs(float(found) - by_hand) < 1e-12


def test_meeting_the_accuracy_is_no_failure():
    # risks on two points are 0, 1/2 and 1: excess 1/2 meets an accuracy of 1/2, and the threshold at 2 never errs by 1
    half = exact_failure(GenericLearner(GridThresholds(2)), two_points(1), sizes={"n": 3}, accuracy="1/2")
    below = exact_failure(GenericLearner(GridThresholds(2)), two_points(1), sizes={"n": 3}, accuracy="49/100")
    assert half.high == 0
    assert below.low > 0


class Declared:
    """A learner that is nothing but its law."""

    order_blind = True

    def __init__(self, law):
        self.law = law

    def __call__(self, dataset, rng):
        raise NotImplementedError

    def distribution(self, dataset):
        return self.law(dataset)


def test_floats_of_a_law_are_enclosed_with_their_error():
    # 0.1 as a double is above a tenth: a failure probability of a tenth is no contradiction of "at most a tenth"
    law = FiniteDistribution([0], [1], [1], best=0)
    learner = Declared(lambda dataset: {1: 0.1, 0: 0.9})
    found = exact_failure(learner, law, sizes={"n": 1}, accuracy="1/4")
    assert found.low < Fraction(1, 10) < found.high
    assert found.high - found.low < Fraction(1, 10**12)
    declared = promise(learner, distribution=law, sizes={"n": 1}, exactly=True, arguments={})
    assert check_upper_bound(declared, seed=0).word == "undecided"


class Hostile:
    """A learner whose law is asked for in vain."""

    order_blind = True

    def __init__(self, does):
        self.does = does

    def __call__(self, dataset, rng):
        raise NotImplementedError

    def distribution(self, dataset):
        if self.does == "hangs":
            time.sleep(1000)
        if self.does == "ends":
            os._exit(0)
        if self.does == "raises":
            raise RuntimeError("no law today")
        return {0: Fraction(1)}


@pytest.mark.turns(6)
@pytest.mark.parametrize(
    ("does", "said"),
    [("hangs", "no sign of life for 2 s"), ("ends", "In its distribution"), ("raises", "RuntimeError: no law today")],
)
def test_a_law_of_a_strangers_learner_is_asked_for_in_a_worker(does, said):
    law = FiniteDistribution([0], [1], [1], best=0)
    given = {"sizes": {"n": 2}, "exactly": True, "arguments": {"isolation": "auto", "trial_timeout": 2.0}}
    declared = promise(Hostile(does), distribution=law, **given)
    with pytest.raises(LearnerDied, match=said) as caught:
        check_upper_bound(declared, seed=0)
    assert "distribution" in str(caught.value)


def test_a_law_asked_for_in_a_worker_is_the_one_asked_for_here():
    learner, law = GenericLearner(GridThresholds(3)), two_points(2)
    here, apart = (
        exact_failure(learner, law, sizes={"n": 12}, accuracy="1/4", isolation=where) for where in ("none", "process")
    )
    assert here == apart


def first_label(dataset):
    """Order matters: the label of the first record decides."""
    return {0: Fraction(1)} if dataset.y[0] else {9: Fraction(1)}


def test_a_learner_that_looks_at_the_order_is_found_out():
    # sorted samples begin with a label 0 unless all are 1: one order alone would give 37/64, and it is 1/4
    learner = Declared(first_label)
    learner.order_blind = None
    given = {"sizes": {"n": 3}, "accuracy": "1/4", "best": Fraction(1, 2) - Fraction(1, 4), "order_blind": True}
    law = FiniteDistribution([0], [1], [Fraction(3, 4)])
    with pytest.raises(InvalidArgument, match="order of records"):
        exact_failure(learner, law, **given)
    learner.order_blind = False
    with pytest.raises(InvalidArgument, match="order_blind"):
        exact_failure(learner, law, **given)


def test_the_words_beside_a_chart_are_decided_before_rounding():
    # above a tenth by less than the doubles near it can tell
    learner = Declared(
        lambda dataset: {1: Fraction(1, 10) + Fraction(1, 10**30), 0: Fraction(9, 10) - Fraction(1, 10**30)}
    )
    law = FiniteDistribution([0], [1], [1], best=0)
    declared = promise(learner, distribution=law, sizes={"n": 2}, exactly=True, arguments={})
    point = upper._point(declared, "n", {"n": 2}, 0, 0.05, 0)
    assert (point.row.value, point.passes, point.fails) == (0.1, False, True)
    made = shown("k", (), upper.PAGE, measure_upper_bound(declared, seed=0, quick=True))
    assert made.outcomes[0].word == "contradicted"
    assert "at most that often" not in made.found


def test_outputs_of_other_shapes_are_other_outputs():
    class Rows:
        """The hypothesis (1, 1) labels a point x by x >= 1; ((1, 1),) labels all points 0."""

        def predict(self, hypotheses, points):
            return np.array([points >= 1 if np.ndim(each) == 1 else 0 * points for each in hypotheses])

    law = FiniteDistribution([0, 1], [Fraction(1, 2), Fraction(1, 2)], [0, 1], best=0)
    learner = Declared(lambda dataset: {(1, 1): Fraction(1, 3), ((1, 1),): Fraction(2, 3)})
    found = exact_failure(learner, law, sizes={"n": 2}, accuracy="1/4", family=Rows())
    assert found.low <= Fraction(2, 3) <= found.high


def brute_failure(learner, law, private, public, bar):
    """The same in fractions: all samples in all orders."""
    count, total = len(law.points), Fraction(0)
    for cells in itertools.product(range(2 * count), repeat=private):
        labels, places = np.divmod(np.array(cells, dtype=int), count)
        for others in itertools.product(range(count), repeat=public or 0):
            weight = math.prod((law.cells[cell] for cell in cells), start=Fraction(1))
            weight *= math.prod((law.masses[place] for place in others), start=Fraction(1))
            dataset = Labelled(law.points[places], labels)
            if public is not None:
                dataset = SemiPrivate(private=dataset, public=law.points[list(others)])
            wrong = sum(p for h, p in learner.distribution(dataset).items() if weight and law.risk(None, h) > bar)
            total += weight * wrong
    return total


def weighed(dataset):
    """A threshold among 0, 2 and the public points, drawn by one more than the private records it labels rightly."""
    private, public = getattr(dataset, "private", dataset), getattr(dataset, "public", ())
    thresholds = {0, 2, *(int(point) for point in public)}
    weights = {t: 1 + sum(int((x >= t) == y) for x, y in zip(private.x, private.y, strict=True)) for t in thresholds}
    return {t: Fraction(weight, sum(weights.values())) for t, weight in weights.items()}


@pytest.mark.parametrize("sizes", [{"n": 0}, {"n": 3}, {"private": 2, "public": 2}, {"public": 0, "private": 2}])
@pytest.mark.parametrize("zero", [False, True])
def test_exact_failures_are_sums_over_all_orders(sizes, zero):
    half, third, sixth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
    masses = [half, 0, half] if zero else [half, third, sixth]
    law = FiniteDistribution([1, 2, 4], masses, [Fraction(1, 10), Fraction(2, 5), 1], best=Fraction(1, 10))
    for accuracy in (Fraction(0), Fraction(1, 6), Fraction(1, 4)):
        found = exact_failure(Declared(weighed), law, sizes=sizes, accuracy=accuracy)
        private = sizes.get("private", sizes.get("n"))
        truth = brute_failure(Declared(weighed), law, private, sizes.get("public"), accuracy + law.best)
        assert found.low <= truth <= found.high
        assert found.high - found.low < Fraction(1, 10**40)


@pytest.mark.turns(4)
def test_exact_failures_are_inside_the_intervals_of_trials():
    from dpcheck.utility.distributions import UniformGrid
    from dpcheck.utility.failure import failure_rate

    learner, law = CoverLearner(GridThresholds(3)), UniformGrid(3, threshold=1, noise=0.1)
    sizes = {"private": 4, "public": 2}
    found = exact_failure(learner, law, sizes=sizes, accuracy="1/5")
    low, high = failure_rate(learner, law, sizes=sizes, accuracy=0.2, trials=2_000, level=1e-9).interval
    assert low <= float(found) <= high
    assert listed_samples(law, sizes) == 126 * 6


def test_an_exact_answer_has_level_zero_and_knows_its_slack():
    declared = promise(GenericLearner(FAMILY), exactly=True, arguments={})
    outcome = check_upper_bound(declared, seed=0, search=True)
    assert (outcome.word, outcome.level, outcome.trials) == ("holds", 0.0, 0)
    assert outcome.measured is not None
    at = exact_failure(GenericLearner(FAMILY), two_points(2), sizes={"n": int(outcome.measured)}, accuracy="1/4")
    assert at.high <= Fraction(1, 10)
    assert outcome.measured < 40  # so small that the size below it was computed too, and is too few
    short = dataclasses.replace(declared, sizes={"n": int(outcome.measured) - 1})
    assert check_upper_bound(short, seed=0).word == "contradicted"
    made = shown("k", (), upper.PAGE, measure_upper_bound(declared, seed=0, quick=True))
    assert made.charts[0].series[0].role == "exact"
    assert made.trials == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"learner": ignores_its_data}, "must declare its law"),
        ({"most": 3}, "at most 3 samples"),
        ({"order_blind": False}, "order_blind"),
    ],
)
def test_what_cannot_be_computed_is_refused(change, said):
    given = {"learner": GenericLearner(FAMILY), "sizes": {"n": 5}, "accuracy": "1/4", "family": FAMILY, **change}
    with pytest.raises(InvalidArgument, match=said):
        exact_failure(given.pop("learner"), two_points(2), **given)


# --- lower bounds


def labels(ones):
    """One point, labelled 1 with this probability."""
    return FiniteDistribution([0], [1], [ones], name=f"{ones} ones", best=min(ones, 1 - ones))


def majority(dataset, rng):
    """The threshold 0 labels the point 1, the threshold 1 labels it 0."""
    return 0 if 2 * int(sum(dataset.y)) >= len(dataset.y) else 1


CLOSE = (labels(Fraction(89, 200)), labels(Fraction(111, 200)))
FAR = (labels(Fraction(1, 10)), labels(Fraction(9, 10)))


def impossible(instances=CLOSE, **changed):
    """20 labels do not tell two laws apart: failure of at least 1/4 on one of them."""
    made = LowerBound(
        "mine:thm-2", "20 labels are too few", {"majority": majority}, instances, {"n": 20}, "1/10", "1/4"
    )
    return dataclasses.replace(made, **changed)


def test_a_lower_bound_holds_where_the_learner_certainly_fails_on_one_instance():
    (outcome,) = check_lower_bound(impossible(), seed=0)
    assert (outcome.word, outcome.kind, outcome.learner, outcome.level) == ("holds", "lower bound", "majority", 1e-3)


def test_one_hard_instance_among_easy_ones_is_enough():
    (outcome,) = check_lower_bound(impossible((*FAR, CLOSE[0])), seed=0)
    assert outcome.word == "holds"


def test_a_learner_that_is_too_good_contradicts_the_bound():
    # it is handed a hundred times the records that the theorem allows it
    cheat = impossible(dataset=lambda law, sizes, rng: law.draw(100 * sizes["n"], rng), expected="it cheats")
    (outcome,) = check_lower_bound(cheat, seed=0)
    assert (outcome.word, outcome.level, outcome.expected) == ("contradicted", 1e-9, "it cheats")


def test_a_bound_that_is_wrong_is_contradicted():
    (outcome,) = check_lower_bound(impossible(FAR), seed=0)
    assert outcome.word == "contradicted"


def test_success_on_instances_that_are_not_all_contradicts_nothing():
    (outcome,) = check_lower_bound(impossible(FAR, complete=False), seed=0)
    assert (outcome.word, outcome.level) == ("undecided", 0.0)
    assert "may speak of others" in outcome.detail


def test_a_small_average_over_random_instances_contradicts_no_theorem_about_some_instance():
    from dpcheck.utility.distributions import RandomInstance

    # it errs on every sample of one instance in a hundred: it does fail on some instance
    law = RandomInstance(lambda rng: labels(Fraction(int(rng.integers(100) == 0))), "one in a hundred")
    declared = impossible((law,), learners={"zero": lambda dataset, rng: 1}, arguments={"best": 0})
    (outcome,) = check_lower_bound(declared, seed=0)
    assert (outcome.word, outcome.level) == ("undecided", 0.0)
    # a theorem about the average says so, and is contradicted
    (outcome,) = check_lower_bound(dataclasses.replace(declared, complete=True), seed=0)
    assert outcome.word == "contradicted"


def test_success_above_the_bound_is_no_news():
    with pytest.raises(InvalidArgument, match="at most the bound's 21, got 22"):
        check_lower_bound(impossible(FAR, size=21, sizes={"n": 22}), seed=0)


def test_every_learner_is_run_and_has_an_outcome_of_its_own():
    found = check_lower_bound(impossible(learners={"majority": majority, "zero": lambda dataset, rng: 0}), seed=0)
    assert [outcome.learner for outcome in found] == ["majority", "zero"]
    assert {outcome.word for outcome in found} == {"holds"}


@pytest.mark.turns(6)
def test_a_measured_lower_bound_shows_where_learning_begins():
    made = shown("k", (), lower.PAGE, measure_lower_bound(impossible(size=21), seed=0, quick=True))
    assert made.charts[0].series[0].x[-1] >= 160
    assert {mark.x for mark in made.charts[0].marks} == {None, 21}
    bare = shown("k", (), lower.PAGE, measure_lower_bound(impossible(), seed=0, quick=True))
    assert [(mark.x, mark.y) for mark in bare.charts[0].marks] == [(None, 0.25)]
    assert made.trials == made.outcomes[0].trials + 2 * 4 * 100


# --- privacy


def flip(keep):
    """Randomised response with this probability of the truth, and its law."""

    class Flip:
        claim = PureDP(ratio=3)

        def __call__(self, dataset, rng):
            return int(dataset[0]) if rng.random() < keep else 1 - int(dataset[0])

        def distribution(self, dataset):
            share = Fraction(keep)
            return {int(dataset[0]): share, 1 - int(dataset[0]): 1 - share}

    return Flip()


BITS = ReplaceOne(records=Records.of([0, 1]), size=1)


def test_privacy_is_decided_exactly_from_the_law():
    outcome = check_privacy("mine:thm-3", "flips", flip(0.75), PureDP(ratio=3), neighbours=BITS, name="flip", seed=0)
    assert (outcome.word, outcome.level, outcome.kind) == ("holds", 0.0, "privacy")
    assert "1.09861" in outcome.detail


def test_a_leaking_learner_is_contradicted():
    outcome = check_privacy("mine:thm-3", "flips", flip(0.8125), PureDP(ratio=3), neighbours=BITS, seed=0)
    assert (outcome.word, outcome.level) == ("contradicted", 0.0)


@pytest.mark.turns(6)
def test_a_learner_whose_law_lies_is_contradicted_by_its_calls():
    honest = flip(0.75)
    lying = type("Lying", (), {"distribution": lambda self, dataset: honest.distribution(dataset)})
    lying.__call__ = lambda self, dataset, rng: int(dataset[0])
    outcome = check_privacy("mine:thm-3", "flips", lying(), PureDP(ratio=3), neighbours=BITS, seed=0)
    assert outcome.word == "contradicted"
    assert 0 < outcome.level <= 1e-9
    assert "without it" in outcome.detail


def test_a_learner_that_cannot_be_run_is_no_outcome_of_its_privacy():
    def raises(dataset, rng):
        raise ValueError("no")

    outcome = check_privacy("mine:thm-3", "flips", raises, PureDP(ratio=3), pairs=[([0], [1])], seed=0)
    assert (outcome.word, outcome.level) == ("failed", 0.0)


def test_calls_alone_never_show_that_a_claim_holds():
    outcome = check_privacy(
        "mine:thm-3",
        "flips",
        lambda dataset, rng: int(dataset[0]) ^ int(rng.random() < 0.25),
        PureDP(ratio=3),
        pairs=[([0], [1])],
        seed=0,
        max_samples=5_000,
    )
    assert (outcome.word, outcome.level) == ("undecided", 0.0)


def test_a_measured_claim_of_privacy_says_that_nothing_was_sampled():
    check = PrivacyCheck("mine:thm-3", "flips", flip(0.75), PureDP(ratio=3), neighbours=BITS, name="flip")
    made = shown("k", (), privacy.PAGE, measure_privacy(check, seed=0, quick=True))
    assert made.evidence.startswith("Exact")
    assert made.outcomes[0].word == "holds"


# --- relations


def test_relations_decide_and_name_what_was_expected():
    assert compared("a:b", "c", True, "d", expected="e").expected == ""
    assert compared("a:b", "c", False, "d", expected="e").expected == "e"
    with pytest.raises(InvalidArgument, match="must be True, False or None"):
        compared("a:b", "c", 1, "d")  # type: ignore[arg-type]


def test_balls_that_overlap_contradict_nothing():
    import flint

    third = flint.arb(1) / 3
    assert not third <= third  # which alone would have made it a contradiction
    for sense in ("at most", "below", "at least", "above"):
        assert decided(third, sense, third) is None
        assert decided(third, sense, Fraction(1, 3)) is None
    outcome = compared("a:b", "c", decided(third, "at most", third), "d", expected="e")
    assert (outcome.word, outcome.level, outcome.expected) == ("undecided", 0.0, "")
    assert "decides nothing" in outcome.detail


@pytest.mark.parametrize(
    ("left", "sense", "right", "found"),
    [
        (1, "at most", 1, True),
        (1, "below", 1, False),
        (1, "at least", 1, True),
        (1, "above", 1, False),
        (0.1, "at most", Fraction(1, 10), True),
        (Fraction(1, 3), "above", Fraction(1, 4), True),
        (Fraction(1, 3), "at least", Fraction(1, 2), False),
    ],
)
def test_relations_of_fractions_are_always_decided(left, sense, right, found):
    assert decided(left, sense, right) is found


def test_relations_of_enclosures_ask_both_sides():
    import flint

    from dpcheck.proof.bounds import Enclosure

    wide = Enclosure(Fraction(1, 4), Fraction(1, 2))
    assert [decided(wide, "at most", limit) for limit in (Fraction(1, 5), Fraction(1, 3), Fraction(1, 2))] == [
        False,
        None,
        True,
    ]
    assert decided(wide, "above", flint.arb(1) / 5) is True
    assert decided(flint.arb("nan"), "at most", 1) is None
    with pytest.raises(InvalidArgument, match="sense"):
        decided(1, "around", 2)


def test_all_true_has_three_answers():
    assert (all_true([True, None]), all_true([None, False]), all_true([True, True])) == (None, False, True)


def test_an_instance_that_refutes_nothing_does_not_show_the_claim():
    stands = refuted_by("a:b", "c", Enumeration("n = 1", 1), "d", expected="e", learner="l")
    assert (stands.word, stands.detail, stands.expected, stands.learner) == ("contradicted", "d (n = 1)", "e", "l")
    assert refuted_by("a:b", "c", Enumeration("n = 1", 1)).detail == "n = 1"
    falls = refuted_by("a:b", "c", Enumeration("n = 1", 1, "equal"), "d", expected="e")
    assert (falls.word, falls.expected) == ("undecided", "")
    assert "equal" in falls.detail


@pytest.mark.parametrize(
    ("low", "high", "limit", "sense", "word"),
    [
        (1, 2, 2, "at most", "holds"),
        (1, 2, 2, "below", "undecided"),
        (2, 3, 2, "below", "contradicted"),
        (1, 2, "3/2", "at most", "undecided"),
        (2, 3, "3/2", "at most", "contradicted"),
        (2, 3, 2, "at least", "holds"),
        (2, 3, 2, "above", "undecided"),
        (1, 2, 2, "above", "contradicted"),
        (1, "3/2", 2, "at least", "contradicted"),
    ],
)
def test_enclosures_are_held_against_limits_rigorously(low, high, limit, sense, word):
    assert enclosed("a:b", "c", low, high, limit, sense=sense).word == word


def test_an_enclosure_must_be_one():
    with pytest.raises(InvalidArgument, match="low must be at most high"):
        enclosed("a:b", "c", 2, 1, 3)
    with pytest.raises(InvalidArgument, match="sense must be"):
        enclosed("a:b", "c", 1, 2, 3, sense="around")


# --- coverage


def test_an_entry_without_a_run_and_without_a_reason_is_found(monkeypatch):
    paper = Registry().paper("alon2019")
    wanted = coverage.entries_to_cover(paper)
    made = [
        Measurement("k", "t", (), "", "", "", outcomes=tuple(Outcome("holds", "c", "d", id) for id in wanted[1:])),
    ]
    monkeypatch.setattr(coverage, "not_run", lambda name: {})
    assert coverage.uncovered(paper, made) == wanted[:1]
    monkeypatch.setattr(coverage, "not_run", lambda name: {wanted[0]: "a reason"})
    assert coverage.uncovered(paper, made) == ()


@pytest.mark.turns(6)
@pytest.mark.parametrize("key", [key for key in papers() if measurements.runs_of(key)])
def test_no_entry_of_a_paper_is_left_out(key):
    paper = Registry().paper(key)
    assert coverage.uncovered(paper) == ()
    ids = {theorem.id for theorem in paper.theorems}
    announced = {id for run in measurements.runs_of(key) for id in run.results}
    assert announced <= ids
    assert set(measurements.not_run(key)) <= ids
    assert not announced & set(measurements.not_run(key))
    keys = [run.key for run in measurements.runs_of(key)]
    assert len(keys) == len(set(keys))


def test_every_word_has_its_meaning():
    from typing import get_args

    from dpcheck.trial.model import Word

    assert set(get_args(Word)) == set(MEANINGS)
