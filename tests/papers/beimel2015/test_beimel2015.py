"""The exponential mechanism and the generic learner of beimel2015: exact laws, exact privacy, sizes, refusals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

import dpcheck
from dpcheck import AddRemove, ApproxDP, Labelled, PureDP, Records, ReplaceEntry, ReplaceOne, Status, ZeroConcentratedDP
from dpcheck.cli import app
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.alon2019.learners import GenericLearner as LearnerByMistakes
from dpcheck.papers.beimel2015.learners import ExponentialLearner, GenericLearner, generic_sizes, points_for_thresholds
from dpcheck.papers.beimel2015.learners.exponential import correct_labels
from dpcheck.parts.classes import (
    FiniteClass,
    GridBoxes,
    GridThresholds,
    Intervals,
    Parities,
    PointFunctions,
    Thresholds,
)
from dpcheck.parts.mechanisms.mixtures import chances, mixture
from dpcheck.parts.mechanisms.sanitisers import BlumLigettRoth, ThresholdSanitiser, interval_queries

# Each statistical test here alarms falsely with at most this probability, whatever the seed.
LEVEL = 1e-9
NONE = -1
RECORDS = Records.labelled(features=[0, 1, 2], labels=[0, 1])
# Three labelled entries on a grid of 4 points, four without a label.
DATA = Labelled([1, 3, 0, 2, 2, 3, 0], [0, 1, 0, NONE, NONE, NONE, NONE])


def assert_drawn_from(outputs: Any, law: Any) -> None:
    """A chi-squared test at LEVEL; outputs expected fewer than 20 times are taken together."""
    known, seen = dict(chances(law)), Counter(np.asarray(outputs).tolist())
    assert set(seen) <= set(known)
    size = sum(seen.values())
    cells = [(seen[output], size * chance) for output, chance in known.items()]
    rare = [cell for cell in cells if cell[1] < 20]
    cells = [cell for cell in cells if cell[1] >= 20]
    if sum(expected for _, expected in rare) >= 20:
        cells.append((sum(found for found, _ in rare), sum(expected for _, expected in rare)))
    assert len(cells) > 1
    statistic = sum((found - expected) ** 2 / expected for found, expected in cells)
    assert chi2.sf(statistic, len(cells) - 1) > LEVEL


def exactly(learner: Any, relation: Any) -> Any:
    """The audit over all pairs of the relation; calls are compared with the law at LEVEL, a few only."""
    return dpcheck.audit(
        learner, neighbours=relation, exhaustive=True, alpha=LEVEL, max_samples=1200, max_seconds=600, isolation="none"
    )


# --- the exponential mechanism (alg-5)


def test_its_law_is_the_formula() -> None:
    learner = ExponentialLearner(GridThresholds(4), epsilon=Fraction(3, 2))
    x, y = [0, 1, 1, 3, 2], [0, 1, 1, 0, NONE]
    right = [sum(int(point >= h) == label for point, label in zip(x, y, strict=True)) for h in range(5)]
    weights = [math.exp(0.75 * q) for q in right]
    law = learner.distribution((x, y))
    assert law.outputs == [0, 1, 2, 3, 4]
    assert law.exact.scores == tuple(right)
    assert [chance for _, chance in chances(law)] == pytest.approx([w / sum(weights) for w in weights], rel=1e-12)
    assert_drawn_from(learner.sample((x, y), 4000, np.random.default_rng(5)), law)


def test_without_records_or_labels_it_is_uniform() -> None:
    learner = ExponentialLearner(PointFunctions(3))
    for dataset in ([], [(0, NONE), (2, NONE)]):
        assert set(learner.distribution(dataset).exact.scores) == {0}


def test_a_missing_label_is_a_mistake_of_every_hypothesis() -> None:
    learner = ExponentialLearner(GridThresholds(4))
    some, more = learner.distribution(([1, 3], [0, 1])), learner.distribution(([1, 0, 3], [0, NONE, 1]))
    assert some.exact.scores == more.exact.scores
    assert correct_labels(GridThresholds(4), [0, 4], [2], [NONE]).tolist() == [0, 0]
    with pytest.raises(InvalidArgument, match="a label per point, got 2 points and 1 labels"):
        correct_labels(GridThresholds(4), [0], [1, 2], [0])


def test_it_is_the_mechanism_that_counts_mistakes() -> None:
    ours = ExponentialLearner(GridThresholds(9), 0.7).distribution(([1, 5, 5], [0, 1, 1]))
    theirs = LearnerByMistakes(GridThresholds(9), 0.7).distribution(([1, 5, 5], [0, 1, 1]))
    assert dict(chances(ours)) == pytest.approx(dict(chances(theirs)), rel=1e-12)


def test_a_list_is_chosen_from_in_any_class() -> None:
    learner = ExponentialLearner(Thresholds(), 40, hypotheses=[0.0, 0.5, 1.0])
    assert learner.size == 3
    assert learner(([0.2, 0.3, 0.7], [0, 0, 1]), np.random.default_rng(0)) in (0.0, 0.5, 1.0)
    assert learner.distribution(([0.2, 0.3, 0.7], [0, 0, 1])).exact.scores == (1, 3, 2)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: ExponentialLearner(GridThresholds(4), hypotheses=[]), "a list of at least 1"),
        (lambda: ExponentialLearner(GridThresholds(4), hypotheses=[1, 2, 1]), "one for each function, got 3 of which"),
        # the two constants of both orientations are the same two functions
        (lambda: ExponentialLearner(GridThresholds(2, "both"), hypotheses=[(0, 0), (2, 1)]), "one for each function"),
        (lambda: ExponentialLearner(Thresholds()), "family must be a finite hypothesis class"),
        (lambda: ExponentialLearner(GridThresholds(2**40)), "at most 4,194,304 hypotheses"),
        (lambda: ExponentialLearner(GridThresholds(4), 0), "epsilon must be"),
        (lambda: ExponentialLearner(GridThresholds), "family must be"),
    ],
)
def test_what_it_cannot_choose_from_is_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        make()


def test_large_lists_are_drawn_from_and_declare_no_law() -> None:
    learner = ExponentialLearner(GridThresholds(2**16), 2.0)
    assert not hasattr(learner, "distribution")
    drawn = learner.sample(([2**15 - 1] * 99 + [2**15] * 99, [0] * 99 + [1] * 99), 5, np.random.default_rng(0))
    assert drawn.tolist() == [2**15] * 5  # all others together are 10^-37 times as likely


@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 2])
def test_its_loss_stays_below_epsilon_and_comes_near(epsilon: Any) -> None:
    relation = ReplaceOne(Records.labelled(features=[0, 1], labels=[0, 1, NONE]), size=4)
    verdict = exactly(ExponentialLearner(GridThresholds(2), epsilon), relation)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert 0.8 * float(epsilon) < verdict.epsilon_lower < float(epsilon)


# --- the generic learner (alg-1)


def brute_force(family: Any, domain: Sequence[Any], dataset: Any, epsilon: float, points: int) -> dict[Any, float]:
    """The law of alg-1 by all k-tuples of the domain and all pairs of functions of the class there, in doubles."""
    x, y = dataset
    labelled = [(p, c) for p, c in zip(x, y, strict=True) if c != NONE]
    rest = [p for p, c in zip(x, y, strict=True) if c == NONE]
    functions = family.predict(family.representatives(domain), domain)
    place = {p: i for i, p in enumerate(domain)}
    differences = [f ^ g for f in functions for g in functions]

    def part(query: Any, sample: Sequence[Any]) -> float:
        return sum(int(query[place[p]]) for p in sample) / len(sample)

    weights: dict[tuple[Any, ...], float] = {}
    for each in product(domain, repeat=points):
        error = max(abs(part(query, rest) - part(query, each)) for query in differences)
        weights[each] = math.exp(-epsilon * len(rest) / 2 * error)
    law: dict[Any, float] = {}
    for each, weight in weights.items():
        candidates = family.representatives(sorted(set(each))).tolist()
        right = [sum(int(family.predict(np.asarray([h]), [p])[0, 0]) == c for p, c in labelled) for h in candidates]
        total = sum(math.exp(epsilon / 2 * q) for q in right)
        for h, q in zip(candidates, right, strict=True):
            key = tuple(h) if isinstance(h, list) else h
            law[key] = law.get(key, 0.0) + weight / sum(weights.values()) * math.exp(epsilon / 2 * q) / total
    return law


@pytest.mark.parametrize("points", [1, 3])
def test_its_law_is_that_of_brute_force(points: int) -> None:
    learner = GenericLearner.over(GridThresholds(4), 1.25, points=points)
    expected = brute_force(GridThresholds(4), range(4), DATA, 1.25, points)
    law = learner.distribution(DATA)
    assert dict(chances(law)) == pytest.approx(expected, rel=1e-11)
    assert_drawn_from(learner.sample(DATA, 4000, np.random.default_rng(1)), law)


def test_a_class_on_chosen_points_has_the_law_of_brute_force() -> None:
    domain = [0.25, 0.5, 0.75]
    learner = GenericLearner.over(Intervals(), 1, points=2, domain=domain)
    dataset = ([0.5, 0.25, 0.75, 0.75], [1, 0, NONE, NONE])
    expected = brute_force(Intervals(), domain, dataset, 1.0, 2)
    assert dict(chances(learner.distribution(dataset))) == pytest.approx(expected, rel=1e-11)


def test_both_sanitisers_of_thresholds_make_one_law() -> None:
    listed = GenericLearner(GridThresholds(4), BlumLigettRoth(interval_queries(4), 2, 3), 2)
    layered = GenericLearner(GridThresholds(4), ThresholdSanitiser(4, 2, 3), 2)
    one, other = dict(chances(listed.distribution(DATA))), dict(chances(layered.distribution(DATA)))
    assert one == pytest.approx(other, rel=1e-11)


@pytest.mark.turns(6)
@pytest.mark.parametrize("epsilon", [Fraction(1, 2), 1, 2])
@pytest.mark.parametrize("labelled", [0, 1, 3])
def test_its_loss_in_either_part_is_below_epsilon(epsilon: Any, labelled: int) -> None:
    # all pairs: those that differ in S, those that differ in D; with one point nothing hides what D lets through
    for points in (1, 3):
        learner = GenericLearner.over(GridThresholds(3), epsilon, points=points)
        verdict = exactly(learner, ReplaceEntry(RECORDS, size=3, labelled=labelled))
        assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
        assert 0.05 * float(epsilon) < verdict.epsilon_lower < float(epsilon)


@dataclass(frozen=True)
class WithDatabase:
    """The generic learner that puts out its sanitised database beside the hypothesis: post-processing hides neither."""

    inner: GenericLearner

    @property
    def claim(self) -> Any:
        return self.inner.claim

    def distribution(self, dataset: Any) -> Any:
        databases = mixture([1], [self.inner.law_of_databases(dataset)])
        joint = []
        for database in databases.outputs:
            law = mixture([1], [self.inner._law_of_choice(dataset, self.inner.basis(dataset, database))])
            joint.append({(database, h): chance for h, chance in zip(law.outputs, law.exact, strict=True)})
        return mixture(databases.exact, joint)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        law = chances(self.distribution(dataset))
        return law[int(rng.choice(len(law), p=np.array([c for _, c in law]) / sum(c for _, c in law)))][0]


@pytest.mark.turns(6)
def test_the_sanitised_database_and_the_hypothesis_together_cost_epsilon() -> None:
    learner = WithDatabase(GenericLearner.over(GridThresholds(2), 1, points=2))
    relation = ReplaceEntry(Records.labelled(features=[0, 1], labels=[0, 1]), size=4, labelled=2)
    verdict = exactly(learner, relation)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert 0.5 < verdict.epsilon_lower < 1


FAMILIES = {
    "points": PointFunctions(3),
    "parities": Parities(2),
    "rectangles": GridBoxes(2, 2),
    "finite": FiniteClass([[0, 0, 1], [0, 1, 1], [1, 0, 0]]),
    "both orientations": GridThresholds(3, "both"),
}


@pytest.mark.turns(4)
@pytest.mark.parametrize("name", FAMILIES)
def test_other_classes_over_bits_keep_the_claim(name: str) -> None:
    family = FAMILIES[name]
    learner = GenericLearner.over(family, 1, points=2)
    domain = [tuple(p) if isinstance(p, list) else p for p in family.domain().tolist()][-3:]
    relation = ReplaceEntry(Records.labelled(features=Records.of(domain), labels=[0, 1]), size=3, labelled=1)
    verdict = exactly(learner, relation)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert 0.2 < verdict.epsilon_lower < 1


def test_what_is_put_out_stands_for_a_dichotomy_of_sanitised_points() -> None:
    lowest = GenericLearner.over(GridThresholds(2**20), 50, points=4)
    highest = GenericLearner.over(GridThresholds(2**20), 50, points=4, rule="highest")
    points = np.repeat([10, 20, 2**19, 2**19 + 7], 200)
    dataset = (np.concatenate([[20, 2**19], points]), np.concatenate([[0, 1], np.full(len(points), NONE)]))
    assert isinstance(lowest.sanitiser, ThresholdSanitiser)
    # at epsilon 50 the database is the four points, and all labels are right, but with probability below e^-20
    assert lowest.sample(dataset, 6, np.random.default_rng(3)).tolist() == [21] * 6
    assert highest.sample(dataset, 6, np.random.default_rng(3)).tolist() == [2**19] * 6


def test_empty_parts_are_no_trouble() -> None:
    learner = GenericLearner.over(GridThresholds(3), points=2)
    for dataset in ([], ([1], [1]), ([1], [NONE])):
        assert learner(dataset, np.random.default_rng(0)) in (0, 1, 2, 3)
    assert len(learner.sample(([1], [NONE]), 0, np.random.default_rng(0))) == 0
    with pytest.raises(InvalidArgument, match="labelled entries first"):
        learner(([1, 2], [NONE, 1]), np.random.default_rng(0))


@dataclass(frozen=True)
class Promising:
    """A sanitiser with another promise."""

    claim: Any
    size: int = 2
    neighbours: Any = field(default_factory=ReplaceOne)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[int, ...]:
        return (0, 1)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        return np.zeros((size, 2), dtype=np.int64)


def test_the_claim_is_the_weaker_of_two_and_not_their_sum() -> None:
    def claim(epsilon: Any, promised: Any) -> Any:
        return GenericLearner(GridThresholds(2), Promising(promised), epsilon).claim

    assert claim(1.0, PureDP(1.0)) == PureDP(1.0)
    assert claim(1.0, PureDP(0.5)) == PureDP(1.0)
    assert claim(0.5, PureDP(1.0)) == PureDP(1.0)
    assert claim(1.0, ApproxDP(0.5, 1e-6)) == ApproxDP(1.0, Fraction(1e-6))
    assert claim(0.5, ApproxDP(1.0, 1e-6)) == ApproxDP(1.0, 1e-6)
    learner = GenericLearner(GridThresholds(2), Promising(ZeroConcentratedDP(0.1)))
    assert not hasattr(learner, "claim")
    other_relation = Promising(PureDP(1.0), neighbours=AddRemove())
    assert not hasattr(GenericLearner(GridThresholds(2), other_relation), "claim")
    assert not hasattr(learner, "distribution")
    assert learner.order_blind is False
    assert learner.neighbours == ReplaceEntry()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: GenericLearner(GridThresholds(3), None), "sanitiser must be one"),
        (lambda: GenericLearner(GridThresholds(3), BlumLigettRoth), "sanitiser must be one"),
        (lambda: GenericLearner.over(GridThresholds(3), -1, points=2), "epsilon must be"),
        (lambda: GenericLearner.over(GridThresholds(3), points=0), "points must be"),
        (lambda: GenericLearner.over(GridThresholds(3), points=1, rule="best"), "rule must be"),
        (lambda: GenericLearner.over(Intervals(), points=1), "domain must be given"),
        (lambda: GenericLearner.over(Parities(10), points=1), "at most 64 points"),
    ],
)
def test_what_it_cannot_be_made_of_is_refused(make: Callable[[], Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        make()


# --- sizes (thm-3.3)


def test_sizes_are_those_of_the_formulas() -> None:
    accuracy, failure, epsilon = 0.1, 1e-100, 0.25
    for d in (4, 16, 64):
        sizes = generic_sizes(Thresholds(), 2**d, epsilon=epsilon, accuracy=accuracy, failure=failure)
        k = math.ceil(5000 * 2 / accuracy**2 * math.log(20 / accuracy))  # C^xor are the intervals, V' = 2
        assert sizes.points == k
        sample = 1250 / accuracy**2 * (math.log(25 / accuracy) - math.log(failure))
        sanitised = 20 / (accuracy * epsilon) * (k * d * math.log(2) + math.log(5) - math.log(failure))
        choice = 10 / (accuracy * epsilon) * (k * math.log(2) + math.log(5) - math.log(failure))
        assert sizes.unlabelled == pytest.approx(max(sample, sanitised), rel=1e-9)
        assert sizes.labelled == pytest.approx(max(sample, choice), rel=1e-9)


def test_labelled_sizes_do_not_grow_with_the_domain_and_unlabelled_ones_do_so_linearly() -> None:
    def sizes(d: int) -> Any:
        return generic_sizes(Thresholds(), 2**d, epsilon=1, accuracy=0.05, failure=0.01)

    assert len({sizes(d).labelled for d in (4, 8, 16, 32, 64)}) == 1
    assert sizes(64).unlabelled / sizes(4).unlabelled == pytest.approx(16, rel=1e-6)


def test_fewer_points_and_candidates_need_less() -> None:
    k = points_for_thresholds(Fraction(1, 50))
    assert k == 100
    arguments: dict[str, Any] = {"epsilon": 1, "accuracy": Fraction(1, 10), "failure": 0.1, "points": k}
    proof = generic_sizes(GridThresholds(2**20), 2**20, **arguments)
    sauer = generic_sizes(GridThresholds(2**20), 2**20, **arguments, candidates="sauer")
    needs = {(need.part, need.purpose): need.size for need in sauer.needs}
    assert needs["labelled", "a choice near the best"] == math.ceil(100 * (1 + math.log(100) + math.log(50)))
    assert proof.points == sauer.points == k
    assert sum(need.size for need in sauer.needs) < sum(need.size for need in proof.needs)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_so_many_quantiles_answer_all_intervals(n: int) -> None:
    # the proof of points_for_thresholds, on all datasets of n points of a grid of 4
    k = 3
    for dataset in product(range(4), repeat=n):
        chosen = sorted(dataset)
        database = [chosen[-((-(2 * i - 1) * n) // (2 * k)) - 1] for i in range(1, k + 1)]
        below = [Fraction(sum(p < t for p in dataset), n) - Fraction(sum(p < t for p in database), k) for t in range(5)]
        assert max(below) - min(below) <= Fraction(1, k)


def test_too_few_entries_are_refused_with_the_inequality() -> None:
    arguments: dict[str, Any] = {"accuracy": 0.1, "failure": 0.1, "points": 100, "candidates": "sauer"}
    learner = GenericLearner.for_accuracy(GridThresholds(2**20), 0.5, **arguments, labelled=10**6, unlabelled=10**6)
    assert (learner.sanitiser.size, learner.claim) == (100, PureDP(0.5))
    with pytest.raises(InvalidArgument, match=r"labelled must be at least 978,006, got 10: labelled >= \(1250 / acc"):
        GenericLearner.for_accuracy(GridThresholds(2**20), **arguments, labelled=10, unlabelled=10**6)
    with pytest.raises(InvalidArgument, match=r"unlabelled must be at least 2,780,413, got 1,000,000: .*points ln"):
        GenericLearner.for_accuracy(GridThresholds(2**20), 0.1, **arguments, labelled=10**6, unlabelled=10**6)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"accuracy": 0.6}, "accuracy must be above 0 and at most 1/2, got 0.6"),
        ({"failure": 0}, "failure must be"),
        ({"epsilon": math.inf}, "epsilon must be"),
        ({"candidates": "few"}, "candidates must be 'all' or 'sauer'"),
        ({"points": 0}, "points must be"),
    ],
)
def test_sizes_of_nothing_sensible_are_refused(changed: dict[str, Any], said: str) -> None:
    arguments: dict[str, Any] = {"epsilon": 1, "accuracy": 0.1, "failure": 0.1, **changed}
    with pytest.raises(InvalidArgument, match=said):
        generic_sizes(GridThresholds(4), 4, **arguments)


# --- through the door


@pytest.mark.turns(4)
def test_the_command_line_audits_it_under_its_relation(capsys: pytest.CaptureFixture[str]) -> None:
    common = ["audit", "learner:beimel2015.generic", "--exhaustive", "--max-samples", "1200"]
    assert app.run(common) == 0
    said = capsys.readouterr().out
    assert "replace-entry" in said
    assert "over all 333 pairs" in said
    assert app.run([*common, "--epsilon", "0.1", "--option", "epsilon=1"]) == 1  # it promises less
    assert "one record" in capsys.readouterr().out
    assert app.run(["audit", "learner:beimel2015.genric"]) == 2
    assert "beimel2015.generic" in capsys.readouterr().err
