"""The measurements of chaudhuri2011: what they compute against enumeration, and broken learners that must be caught."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import flint
import numpy as np
import pytest

import dpcheck
from dpcheck import Labelled, Records, ReplaceOne
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.chaudhuri2011.hard_instances import concentrated_thresholds, singletons
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner, ReferenceLearner
from dpcheck.papers.chaudhuri2011.theorems import PAPER
from dpcheck.papers.chaudhuri2011.trials import NOT_RUN, RUNS
from dpcheck.papers.chaudhuri2011.trials.bands_and_caps import band_measure, cap_measure
from dpcheck.papers.chaudhuri2011.trials.concentration import (
    _rarely,
    deviation,
    packings_stay,
    worst_of_pairs,
    worst_of_thresholds,
)
from dpcheck.papers.chaudhuri2011.trials.exact_privacy import _kept, losses
from dpcheck.papers.chaudhuri2011.trials.label_lower_bounds import LadderCase, label_private_learners, theorem_12
from dpcheck.papers.chaudhuri2011.trials.less_loss import at_epsilon
from dpcheck.papers.chaudhuri2011.trials.no_private_thresholds import (
    OnGrid,
    OutputBySize,
    all_sizes_family,
    good_candidates,
    hardest,
    private_learners,
    theorem_5,
)
from dpcheck.papers.chaudhuri2011.trials.rates import TwoOnThreePoints, exact_failure
from dpcheck.papers.chaudhuri2011.trials.separators import five_dimensions
from dpcheck.papers.chaudhuri2011.trials.singletons import mean_success
from dpcheck.papers.chaudhuri2011.trials.spheres import OppositeArcs, UniformDirections
from dpcheck.parts.classes import Atoms, GridThresholds, LinearSeparators, OriginHalfPlanes, PointFunctions, Thresholds
from dpcheck.parts.classes.circle import half_turns
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser
from dpcheck.trial.coverage import uncovered
from dpcheck.trial.lower import LowerBound, check_lower_bound
from dpcheck.trial.measurements import make
from dpcheck.utility.distributions import Distribution, FiniteDistribution
from dpcheck.utility.failure import failure_rate

CHEAP = ("bands-and-caps", "separators", "exact-privacy", "metric-lemmas", "concentration")


# --- all of them


def test_every_entry_that_claims_something_is_run_or_has_a_reason() -> None:
    assert uncovered(PAPER) == ()
    assert not set(NOT_RUN) & {result for run in RUNS for result in run.results}
    assert len({run.key for run in RUNS}) == len(RUNS)
    assert sum(run.seconds[0] for run in RUNS) <= 35
    assert sum(run.seconds[1] for run in RUNS) <= 240


@pytest.mark.some(1)
@pytest.mark.parametrize("key", CHEAP)
def test_a_quick_run_has_outcomes_for_what_it_announces_and_explains_contradictions(key: str) -> None:
    run = next(each for each in RUNS if each.key == key)
    found = make("chaudhuri2011", key, seed=1, quick=True)
    assert found.key == key
    assert set(found.results) == set(run.results) == {outcome.result for outcome in found.outcomes}
    assert found.charts
    assert found.evidence
    for outcome in found.outcomes:
        assert outcome.word != "not compatible"
        if outcome.word == "contradicted":  # printed statements that the errata refute
            assert outcome.expected
            assert outcome.level == 0
    refuted = {outcome.result for outcome in found.outcomes if outcome.word == "contradicted"}
    repaired = {outcome.result for outcome in found.outcomes if outcome.word in ("holds", "compatible")}
    assert refuted <= repaired


# --- theorem 5


def test_good_candidates_are_those_that_err_by_less_than_a_fifth() -> None:
    candidates = np.sort(np.random.default_rng(0).random(300))
    for instance in concentrated_thresholds(0.5, 3)[::6]:
        first, last = good_candidates(candidates, instance)
        good = [instance.error(float(w)) < Fraction(1, 5) for w in candidates]
        assert good == [first <= place < last for place in range(len(candidates))]


def test_a_learner_that_looks_at_the_size_passes_the_printed_family_and_not_the_repaired_one() -> None:
    size, epsilon = 11, math.log(1.5) / 11
    printed, repaired = concentrated_thresholds(epsilon, size), all_sizes_family(epsilon, size)
    learner = OutputBySize(printed[0].resolution)
    outputs = [learner(([0.5] * m, [1] * m), np.random.default_rng()) for m in range(size + 1)]
    assert all(min(instance.error(w) for w in outputs) < Fraction(1, 5) for instance in printed)
    assert any(min(instance.error(w) for w in outputs) >= Fraction(1, 5) for instance in repaired)
    assert repaired[0].resolution < printed[0].resolution / 2


def test_a_learner_that_is_not_private_contradicts_theorem_5() -> None:
    family = concentrated_thresholds(1.0, 3)[10:14]
    cheat = EmpiricalRiskMinimiser(Thresholds())
    declared = LowerBound("x:y", "as if it were private", {"cheat": cheat}, family, {"private": 30}, 0.2, 0.5)
    assert [outcome.word for outcome in check_lower_bound(declared, seed=0, trials=1_000)] == ["contradicted"]


def test_a_choice_that_ignores_privacy_is_seen_to_succeed() -> None:
    """With a rate of 40 nats per mistake the worst case over the family is a success: the exact check can fail."""
    family = concentrated_thresholds(0.5, 3)

    @dataclass(frozen=True)
    class Eager:
        steepness: Fraction

        def candidates(self, dataset: Any) -> Any:
            return np.array([float(instance.centre) for instance in family])

        def rate(self, dataset: Any) -> Fraction:
            return self.steepness

    assert hardest(Eager(Fraction(40)), family, [3]).success > 0.99
    assert hardest(Eager(Fraction(1, 4)), family, [3]).success < 0.5


def test_the_learners_of_thresholds_are_private_ones_of_several_papers() -> None:
    found = private_learners()
    assert {name.partition(".")[0] for name in found} == {"alon2019", "beimel2015", "chaudhuri2011", "wang2016"}
    assert not any("A2" in name or "label_private" in name or "unprivate" in name for name in found)
    on_grid = found["chaudhuri2011.A1 (on a grid)"]
    assert isinstance(on_grid, OnGrid)
    assert 0 <= on_grid(Labelled([0.0, 1.0, 0.5], [0, 1, 1]), np.random.default_rng(0)) <= 1


# --- separators in five dimensions


def test_a_choice_among_far_separators_fails_for_its_privacy_alone() -> None:
    assert five_dimensions(1e-6, 2_000, 12, 0).failures >= 10
    assert five_dimensions(100.0, 2_000, 12, 0).failures == 0


# --- singletons and ladders


@pytest.mark.parametrize("size", [0, 1, 3])
def test_the_mean_success_on_singletons_is_that_of_all_samples(size: int) -> None:
    points, epsilon = 4, 0.7
    family = PointFunctions(points)
    learners = {
        "A1": ReferenceLearner(family, Atoms(range(points)), epsilon, constant=1e-4),
        "A2": LabelPrivateLearner(family, epsilon, accuracy=0.01),
        "ERM": EmpiricalRiskMinimiser(family),
    }
    for name, learner in learners.items():
        total = 0.0
        for target, x in product(range(points), product(range(points), repeat=size)):
            data = Labelled(np.array(x, dtype=np.int64), np.array([int(v == target) for v in x], dtype=np.int64))
            if isinstance(learner, EmpiricalRiskMinimiser):
                total += learner(data, np.random.default_rng(0)) == target
            else:
                candidates, choice = learner.choice(data)
                total += float(np.exp(choice.log_probabilities)[np.asarray(candidates) == target].sum())
        expected = total / points ** (size + 1)
        if name == "ERM" and size == 0:
            continue  # no record at all: any singleton will do
        assert mean_success(points, epsilon, size, learner=name) == pytest.approx(expected, abs=1e-12)
        if size and name != "ERM":  # a rate that is twice too large is another number
            assert mean_success(points, 2 * epsilon, size, learner=name) != pytest.approx(expected, abs=1e-3)


def test_the_minimiser_breaks_theorem_12_where_a_private_learner_cannot() -> None:
    assert 1 - mean_success(4, 0.02, 34, learner="ERM") < 1e-6
    assert 1 - mean_success(4, 0.02, 34, learner="A1") > 0.5
    assert "chaudhuri2011.A2" in label_private_learners(8)


@pytest.mark.turns(6)
def test_a_minimiser_contradicts_theorems_5_and_12_where_private_learners_are_run() -> None:
    """The sizes and the nets are such that only privacy stands in the way."""
    for declared in (
        theorem_5({"minimiser": EmpiricalRiskMinimiser(Thresholds())}),
        theorem_12({"minimiser": EmpiricalRiskMinimiser(PointFunctions(64))}),
    ):
        assert [outcome.word for outcome in check_lower_bound(declared, seed=0, trials=500)] == ["contradicted"]


@pytest.mark.turns(6)
def test_learners_at_a_smaller_epsilon_have_all_hypotheses_to_choose_from(rng: np.random.Generator) -> None:
    data = Labelled(np.arange(40) % 8, (np.arange(40) % 8 == 3).astype(np.int64))
    for name, learner in label_private_learners(8).items():
        made = at_epsilon(learner, 0.02, 40)
        assert made.claim.epsilon_value <= 0.02
        assert len({int(made(data, rng)) for _ in range(400)}) >= 6, name
    with pytest.raises(InvalidArgument, match="epsilon"):
        at_epsilon(EmpiricalRiskMinimiser(PointFunctions(8)), 0.02, 40)


def test_ladders_meet_the_conditions_of_theorem_10_from_16_levels_on() -> None:
    assert [levels for levels in (8, 12, 15, 16, 20) if LadderCase.of(levels).applies] == [16, 20]
    case = LadderCase.of(16)
    assert case.success_at_most(case.excluded) < 0.875
    assert case.success_at_most(1e16) > 0.99  # with records enough the bound on success is no bound
    assert case.minimiser_fails_at_most(case.excluded) < 1e-9
    assert case.minimiser_fails_at_most(1.0) == 1.0


# --- rates


def test_two_hypotheses_fail_as_often_as_all_samples_say() -> None:
    for realisable, epsilon in product((False, True), (0.1, 1.0)):
        case = TwoOnThreePoints(Fraction(1, 10), realisable, smoothness=3)
        learner = ReferenceLearner(case.family, case.reference, epsilon, accuracy=0.1, constant=1e-6)
        for size in (1, 4):
            expected = exact_failure(learner, case.distribution, size, 0.1)
            assert case.failure(epsilon, size) == pytest.approx(expected, abs=1e-12)
            assert case.failure_at_most(epsilon, size) >= expected
        least = case.least_size(epsilon, 0.2)
        assert case.failure(epsilon, least) <= 0.2 < case.failure(epsilon, least - 1)


@pytest.mark.turns(4)
def test_the_enumerated_failure_is_that_of_runs() -> None:
    """An interval at 1e-9, so that a red test means a defect."""
    family, law = GridThresholds(3), FiniteDistribution.uniform(np.arange(3), [0, 0, 1])
    for learner in (
        ReferenceLearner(family, Atoms(range(3)), 1.0, accuracy=0.2, constant=1e-4),
        LabelPrivateLearner(family, 1.0, accuracy=0.2),
    ):
        low, high = failure_rate(
            learner, law, sizes={"private": 4}, accuracy=0.2, trials=2_000, level=1e-9, seed=3
        ).interval
        assert low <= exact_failure(learner, law, 4, 0.2) <= high
        assert not low <= exact_failure(learner, law, 1, 0.2) <= high


# --- privacy


def test_losses_are_those_of_the_audit() -> None:
    learner = ReferenceLearner(GridThresholds(3), Atoms(range(3)), 1.0, accuracy=0.25, constant=1e-4)
    for size in (1, 3):
        relation = ReplaceOne(Records.labelled(features=[0, 1, 2], labels=[0, 1]), size=size)
        verdict = dpcheck.audit(learner, neighbours=relation, exhaustive=True, isolation="none", max_samples=1200)
        assert verdict.exact is not None
        assert losses(learner, 3, size, labels_only=False).largest[1] == pytest.approx(verdict.exact.epsilon, abs=1e-9)


class WithoutTheHalf(ReferenceLearner):
    """A1 with the weights of ``exp(-alpha mistakes)``: it loses up to twice what it claims."""

    def rate(self, dataset: Any) -> Fraction:
        return Fraction(self.epsilon)


def test_weights_without_the_half_are_caught() -> None:
    for made, word in ((ReferenceLearner, "holds"), (WithoutTheHalf, "contradicted")):
        learner = made(GridThresholds(3), Atoms(range(3)), 1.0, accuracy=0.25, constant=1e-4)
        found = {("A1", 3): (learner, [losses(learner, 3, 2, labels_only=False)])}
        assert _kept("x:y", "private", "A1", found, 1.0).word == word


# --- spheres


def test_measures_of_bands_are_those_known() -> None:
    for width in ("0.1", "0.7"):
        assert float((band_measure(3, flint.arb(width)) - flint.arb(width)).abs_upper()) < 1e-12  # Archimedes
        arc = 2 * math.asin(float(width)) / math.pi
        assert float(band_measure(2, flint.arb(width)).mid()) == pytest.approx(arc, abs=1e-12)
        assert float(cap_measure(2, flint.arb(width)).mid()) == pytest.approx(1 - arc, abs=1e-12)


def test_distributions_on_spheres_draw_what_they_say(rng: np.random.Generator) -> None:
    band = OppositeArcs(math.asin(0.1), 0.03)
    assert isinstance(band, Distribution)
    x = band.draw_unlabelled(1_000, rng)
    assert (np.abs(x[:, 0]) <= 0.1 * np.linalg.norm(x, axis=1) + 2).all()
    family = OriginHalfPlanes()
    own = [round(1e6 * math.cos(0.03)), round(1e6 * math.sin(0.03))]
    assert float(band.risk(family, own)) == pytest.approx(0, abs=1e-5)
    assert float(band.risk(family, [-own[0], -own[1]])) == pytest.approx(1, abs=1e-5)
    data = band.draw(1_000, rng)
    assert (family.predict([own], data.x)[0] == data.y).mean() > 0.99
    assert float(OppositeArcs(math.pi / 2).risk(family, (0, 1))) == pytest.approx(0.5)
    everywhere = UniformDirections(5)
    assert isinstance(everywhere, Distribution)
    for w in ((1, 1, 0, 0, 0), (3, 0, 0, 0, 0), (-2, 1, 0, 0, 5)):
        turn = float(half_turns((1, 0, 0, 0, 0), w))
        assert float(everywhere.risk(LinearSeparators(5), w)) == pytest.approx(turn, abs=1e-12)
    with pytest.raises(InvalidArgument, match="half_width"):
        OppositeArcs(0.0)


def test_errors_on_arcs_are_the_mass_between(rng: np.random.Generator) -> None:
    """By counting: 20,000 draws are off by more than 0.05 with probability below 1e-40."""
    family = OriginHalfPlanes()
    for arcs in (OppositeArcs(0.4, 0.1), OppositeArcs(1.2, -0.5)):
        data = arcs.draw(20_000, rng)
        for w in ((5, 1), (1, -2), (-3, 1)):
            share = float((family.predict([w], data.x)[0] != data.y).mean())
            assert abs(share - float(arcs.risk(family, w))) < 0.05


# --- concentration


def test_the_worst_deviations_are_those_of_all_thresholds(rng: np.random.Generator) -> None:
    x = np.sort(rng.random(25))
    eps_m = 0.02
    ends = np.sort(np.concatenate([x, np.nextafter(x, 1), [0.0, 1.0], rng.random(200)]))
    above = (x[None, :] >= ends[:, None]).mean(axis=1)
    mass = 1 - ends
    first = above - mass - np.minimum(np.sqrt(above * eps_m), np.sqrt(mass * eps_m) + eps_m)
    second = mass - above - np.minimum(np.sqrt(mass * eps_m), np.sqrt(above * eps_m) + eps_m)
    assert np.allclose(worst_of_thresholds(x, eps_m), (first.max(), second.max()))
    a, b = np.meshgrid(ends, ends)
    a, b = a[a < b], b[a < b]
    share = ((x[None, :] >= a[:, None]) & (x[None, :] < b[:, None])).mean(axis=1)
    width = b - a
    found = worst_of_pairs(x, eps_m)
    pairs = share - width - np.minimum(np.sqrt(share * eps_m), np.sqrt(width * eps_m) + eps_m)
    missing = width - share - np.sqrt(width * eps_m)
    assert np.allclose(found, (pairs.max(), missing.max()), atol=1e-12)


def test_an_eps_that_is_far_too_small_is_contradicted(rng: np.random.Generator) -> None:
    trials, size = 120, 100
    samples = [np.sort(rng.random(size)) for _ in range(trials)]
    words = {}
    for name, eps_m in (("the lemma's", deviation(size, 0.1)), ("a thousandth", deviation(size, 0.1) / 1_000)):
        broken = (np.array([worst_of_thresholds(x, eps_m) for x in samples]) > 0).sum(axis=0).tolist()
        words[name] = _rarely("lem-16", size, eps_m, broken, trials, True).word
    assert words == {"the lemma's": "holds", "a thousandth": "contradicted"}
    assert _rarely("lem-17", 50, 1.2, [0, 0], trials, False).word == "says nothing"


def test_packings_do_not_stay_on_a_lopsided_sample() -> None:
    even = np.linspace(0.0005, 0.9995, 1_000)
    assert packings_stay(even, 0.05)
    assert not packings_stay(even**2, 0.05)  # too many points near 0, too few near 1


def test_singletons_are_what_the_distribution_says() -> None:
    one = singletons(8, 3)
    law = FiniteDistribution(one.points, one.masses, one.labels.tolist())
    assert [law.risk(one.family, h) for h in range(8)] == [one.error(h) for h in range(8)]
