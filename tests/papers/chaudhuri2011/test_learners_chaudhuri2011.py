"""The learners of chaudhuri2011: their sizes and nets, exact laws and losses, mutants, hard instances, baselines."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import chi2

import dpcheck
from dpcheck import Labelled, LabelsOnly, PureDP, Records, ReplaceOne, SemiPrivate, Status
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.alon2019.learners import FixedPublic
from dpcheck.papers.chaudhuri2011.hard_instances import (
    ConcentratedThreshold,
    Ladder,
    concentrated_thresholds,
    excluded_size,
    lemma_applies,
    resolution_excluding,
    singleton_datasets,
    singletons,
    singletons_size,
    two_hypotheses,
    unseparated,
)
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner, ReferenceLearner
from dpcheck.papers.chaudhuri2011.learners.entries import ENTRIES
from dpcheck.papers.chaudhuri2011.learners.reference import MOST_CANDIDATES
from dpcheck.papers.chaudhuri2011.learners.sizes import label_private_size
from dpcheck.papers.chaudhuri2011.mutants import MUTANTS
from dpcheck.parts.classes import (
    Atoms,
    FiniteClass,
    FiniteOrCofinite,
    GridThresholds,
    HalfPlanes,
    Intervals,
    LinearSeparators,
    LineLaw,
    OriginHalfPlanes,
    Parities,
    PointFunctions,
    Rectangles,
    Stumps,
    Thresholds,
    UniformGrid,
    UniformLine,
    UniformSphere,
    covering_number,
    doubling_dimension,
    is_cover,
    is_packing,
    mistakes,
)
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser, PublicOnly, UniformChoice
from dpcheck.parts.learners.hard_instances.finite import FiniteInstance
from dpcheck.utility.distributions import Distribution, FiniteDistribution

# Each statistical test here alarms falsely with at most this probability, whatever the seed.
LEVEL = 1e-9
# An exact audit compares so many calls with the declared law: a test below compares many more.
WHERE = {"alpha": LEVEL, "max_samples": 1200, "isolation": "none"}
LINE = ReferenceLearner(Thresholds(), UniformLine())
GRID = [*product(range(3), repeat=2)]


def chances(learner: Any, dataset: Any) -> dict[Any, float]:
    """A learner's law as doubles."""
    candidates, choice = learner.choice(dataset)
    outputs = [tuple(c) if isinstance(c, list) else c for c in np.asarray(candidates).tolist()]
    return dict(zip(outputs, np.exp(choice.log_probabilities).tolist(), strict=True))


def assert_drawn_from(outputs: Any, law: dict[Any, float]) -> None:
    """A chi-squared test at LEVEL on outputs that are each expected at least 20 times."""
    seen = [tuple(o) if isinstance(o, list) else o for o in np.asarray(outputs).tolist()]
    assert set(seen) <= set(law)
    assert min(law.values()) * len(seen) >= 20
    statistic = sum((seen.count(o) - c * len(seen)) ** 2 / (c * len(seen)) for o, c in law.items())
    assert chi2.sf(statistic, max(len(law) - 1, 1)) > LEVEL


# --- sizes


def expression(learner: ReferenceLearner, log_smoothness: float) -> float:
    """The right side of theorem 8, or 9, as printed."""
    alpha, eps, delta = float(learner.epsilon), learner.accuracy, learner.failure
    rate = 1 / (alpha * eps) + (0 if learner.realisable else 1 / eps**2)
    nats = learner.doubling_dimension * (log_smoothness - math.log(eps)) + math.log(1 / delta)
    return learner.constant * rate * nats


@pytest.mark.parametrize("realisable", [False, True])
@pytest.mark.parametrize(("epsilon", "accuracy", "failure"), [(1.0, 0.5, 0.5), (0.1, 0.05, 0.01), (0.5, 0.2, 0.1)])
def test_the_required_size_is_the_least_of_the_theorem(
    realisable: bool, epsilon: float, accuracy: float, failure: float
) -> None:
    learner = ReferenceLearner(Thresholds(), UniformLine(), epsilon, accuracy, failure, realisable=realisable)
    assert learner.constant == (160 if realisable else 40)
    for smoothness in (1.0, 3.7, 1e6):
        size = learner.required_size(smoothness)
        assert size - 1 < expression(learner, math.log(smoothness)) <= size
        assert learner.log_smoothness(size) >= math.log(smoothness) > learner.log_smoothness(size - 1)
    assert expression(learner, learner.log_smoothness(1234)) == pytest.approx(1234)


@pytest.mark.parametrize(("name", "value"), [("epsilon", 1.5), ("accuracy", 0.6), ("failure", 0.7)])
def test_the_explicit_constant_is_not_used_outside_its_domain(name: str, value: float) -> None:
    learner = ReferenceLearner(Thresholds(), UniformLine(), **{name: value})
    with pytest.raises(InvalidArgument, match=f"^{name} must be at most .* <= .* fails"):
        learner.required_size(2.0)
    assert ReferenceLearner(Thresholds(), UniformLine(), constant=7.0, **{name: value}).required_size(2.0) > 0
    with pytest.raises(InvalidArgument, match=r"^smoothness must be at least 1"):
        LINE.required_size(0.5)


def test_the_size_of_theorem_27_is_the_least() -> None:
    for alpha, eps, delta, eta, vc, cover in product(
        (0.1, 1.0), (0.05, 0.5), (0.01, 0.5), (0.0, 0.3), (1, 10), (1, 99)
    ):
        size = label_private_size(alpha, eps, delta, vc, cover, eta)

        def enough(m: int, *, alpha=alpha, eps=eps, delta=delta, eta=eta, vc=vc, cover=cover) -> bool:
            deviation = (8 * vc * math.log(2 * math.e * m / vc) + 4 * math.log(16 / delta)) / m
            tail = 2 * math.log(2 * cover / delta) / (alpha * m)
            return deviation <= 1 / (100 * (eta / eps**2 + 1 / eps)) and tail <= eps / 8

        assert enough(size)
        assert not enough(size - 1)
    learner = LabelPrivateLearner(GridThresholds(8), 0.5, 0.2, 0.1)
    cover = covering_number(GridThresholds(8), Atoms(range(8)), Fraction(1, 40))
    assert learner.required_size(cover) == label_private_size(0.5, 0.2, 0.1, 1, cover)


# --- step 1 and the net of A1


def test_the_radius_is_a_quarter_of_the_accuracy_over_kappa() -> None:
    learner = ReferenceLearner(Thresholds(), UniformLine(), 0.5, 0.2, 0.1)
    for size in (4000, 8000, 12_000):
        assert learner.radius(size) == pytest.approx(0.2 / (4 * math.exp(learner.log_smoothness(size))))
        assert len(learner.net(size)) in (k := math.ceil(1 / (2 * learner.radius(size))), k + 1)


@pytest.mark.parametrize("size", [0, 1, 10_000])
def test_samples_too_small_for_any_kappa_leave_one_hypothesis(size: int) -> None:
    assert LINE.log_smoothness(size) < math.log(LINE.accuracy)  # kappa below the accuracy
    assert LINE.radius(size) == 1.0 if size < 10_000 else LINE.radius(size) > 0.25
    dataset = ([0.5] * size, [1] * size)
    assert LINE.distribution(dataset).outputs == ([0.5] if size < 10_000 else LINE.net(size).hypotheses.tolist())


def test_no_records_are_a_uniform_choice(rng: np.random.Generator) -> None:
    learner = ReferenceLearner(Thresholds(), UniformLine(), failure=0.9)
    found = learner.distribution([])
    assert len(found.outputs) > 1
    assert set(found.exact.scores) == {0}
    assert_drawn_from(learner.sample([], 4000, rng), dict.fromkeys(found.outputs, 1 / len(found.outputs)))
    one = LabelPrivateLearner(GridThresholds(9))
    assert one.distribution(([], [])).outputs == [0]


def test_one_hypothesis_up_to_distance_0_has_dimension_0() -> None:
    learner = ReferenceLearner(FiniteClass([[0, 1], [0, 0]]), Atoms([0]))
    assert learner.doubling_dimension == 0
    assert learner.distribution(([0, 1], [1, 1])).outputs == [0]
    assert learner.radius(1) == 1.0
    assert math.isinf(learner.log_smoothness(10**9))
    assert len(learner.net(10**9)) == 1
    assert learner.required_size(5.0) == learner.required_size(1.0)


def test_a_net_too_large_is_refused_and_each_advice_would_do() -> None:
    learner = ReferenceLearner(Thresholds(), UniformLine(), 0.5)
    with pytest.raises(InvalidArgument, match=r"eps/\(4 kappa\) >= 5e-08 fails for 1,000,000 records") as refused:
        learner.net(1_000_000)
    text = str(refused.value)
    size = int(text.split("net_size=")[1].split(",")[0])
    assert f"a size up to {size:,} (or" in text
    accuracy = float(text.split("an accuracy up to ")[1].split()[0])
    constant = float(text.split("a constant from ")[1].split()[0])
    assert learner.radius(size) * 2 * MOST_CANDIDATES >= 1 > learner.radius(size + 1) * 2 * MOST_CANDIDATES
    for adapted in ({"accuracy": accuracy}, {"constant": constant}):
        allowed = ReferenceLearner(Thresholds(), UniformLine(), 0.5, **adapted)
        assert allowed.radius(1_000_000) * 2 * MOST_CANDIDATES >= 1
        assert allowed.radius(1_100_000) * 2 * MOST_CANDIDATES < 1
    with pytest.raises(InvalidArgument, match="fails for"):
        learner.net(10**300)  # the radius underflows
    kept = ReferenceLearner(Thresholds(), UniformLine(), 0.5, net_size=size)
    assert kept.radius(10**300) == kept.radius(size) == learner.radius(size)
    circle = ReferenceLearner(OriginHalfPlanes(), UniformSphere(2), 0.5)
    with pytest.raises(InvalidArgument, match=r">= 1e-07 fails for"):
        circle.net(1_000_000)
    huge = ReferenceLearner(GridThresholds(2**40), UniformGrid(2**40), 0.5, doubling_dimension=1.0)
    with pytest.raises(InvalidArgument, match="fails for"):
        huge.net(1_000_000)
    # finite references have a net at any radius: one hypothesis for each dichotomy
    assert len(ReferenceLearner(GridThresholds(5), Atoms(range(5)), 0.5).net(10**300)) == 6


def test_more_records_than_net_size_use_the_net_of_that_size(rng: np.random.Generator) -> None:
    """A million records were refused: the paper's net grows with them past any memory."""
    learner = ReferenceLearner(Thresholds(), UniformLine(), net_size=25_000)
    plain = ReferenceLearner(Thresholds(), UniformLine())
    for size in (24_999, 25_000, 25_001, 10**6):
        assert learner.net(size).hypotheses.tolist() == plain.net(min(size, 25_000)).hypotheses.tolist()
    x = rng.random(10**6)
    assert abs(learner((x, (x >= 0.5).astype(int)), rng) - 0.5) < 0.1  # the accuracy it is made for
    assert learner.required_size(1.0) == plain.required_size(1.0) <= 25_000
    with pytest.raises(InvalidArgument, match=r"net_size = 25,000 records suffice for, got 2\.0, which takes 26,"):
        learner.required_size(2.0)
    with pytest.raises(InvalidArgument, match="net_size must be at least 1, got 0"):
        ReferenceLearner(Thresholds(), UniformLine(), net_size=0)


@pytest.mark.turns(4)
def test_the_net_of_fewer_records_is_as_private() -> None:
    records = Records.labelled(features=[0.1, 0.4, 0.9], labels=[0, 1])
    learner = ReferenceLearner(Thresholds(), UniformLine(), accuracy=0.25, constant=0.01, net_size=2)
    for size in (2, 4):
        assert len(learner.net(size)) == len(learner.net(2)) > 1
        where = {"neighbours": ReplaceOne(records, size=size), "exhaustive": True}
        exact = dpcheck.audit(learner, **where, **WHERE).exact
        assert exact is not None
        assert exact.answer == "holds"
        assert 0.0 < exact.epsilon < 1.0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"family": "thresholds"}, "^family must be a hypothesis class"),
        ({"epsilon": 0}, "^epsilon must be a finite number above 0"),
        ({"accuracy": 1.0}, "^accuracy must be between 0 and 1"),
        ({"failure": 0.0}, "^failure must be between 0 and 1"),
        ({"constant": -1.0}, "^constant must be above 0"),
        ({"doubling_dimension": -1}, "^doubling_dimension must be at least 0"),
        ({"family": LinearSeparators(3), "reference": UniformSphere(3)}, "^doubling_dimension must be given here"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        ReferenceLearner(**{"family": Thresholds(), "reference": UniformLine(), **arguments})
    shared = {key: value for key, value in arguments.items() if key in ("family", "epsilon", "accuracy", "failure")}
    if shared == arguments:
        with pytest.raises(InvalidArgument, match=message):
            LabelPrivateLearner(**{"family": Thresholds(), **arguments})


@pytest.mark.parametrize(
    ("family", "reference", "dimension", "point"),
    [
        (Thresholds(), UniformLine(), None, 0.3),
        (Thresholds(), LineLaw(lambda t: np.clip(t, 0, 1) ** 2, np.sqrt), None, 0.3),
        (Thresholds(), Atoms([0.1, 0.5, 0.7], weights=[1, 2, 3]), None, 0.3),
        (GridThresholds(64), UniformGrid(64), 1.0, 5),
        (OriginHalfPlanes(), UniformSphere(2), None, (1, 2)),
        (LinearSeparators(2), UniformSphere(2), None, (1, 2)),
        (Rectangles(), Atoms(GRID[:5]), None, (1, 2)),
        (FiniteClass([[0, 0, 1], [0, 1, 1], [1, 1, 1]]), Atoms([0, 1, 2]), None, 2),
    ],
    ids=lambda value: type(value).__name__,
)
def test_nets_are_packings_and_covers_and_the_law_is_over_them(
    family: Any, reference: Any, dimension: float | None, point: Any
) -> None:
    learner = ReferenceLearner(family, reference, accuracy=0.25, doubling_dimension=dimension)
    if dimension is None:
        assert learner.doubling_dimension == doubling_dimension(family, reference).dimension
    for size in (1500, 3000):
        net = learner.net(size)
        assert is_packing(family, net.hypotheses, reference, net.radius)
        assert is_cover(family, net.hypotheses, reference, net.radius)
        dataset = ([point] * size, [1] * size)
        wrong = mistakes(family, net.hypotheses, *dataset)
        assert learner.distribution(dataset).exact.scores == tuple((-wrong).tolist())
    assert len(net) > 1


# --- the classes that both learn

CLASSES: dict[str, tuple[Any, list[Any]]] = {
    "thresholds": (Thresholds(), [0.1, 0.5, 0.5]),
    "thresholds on a grid": (GridThresholds(9), [1, 5, 5]),
    "intervals": (Intervals(), [0.1, 0.5, 0.5]),
    "rectangles": (Rectangles(), GRID[:3]),
    "half-planes": (HalfPlanes(), GRID[:3]),
    "separators": (LinearSeparators(3), [(1, 0, 0), (0, 1, 0), (1, 1, 2)]),
    "stumps": (Stumps(2), GRID[:3]),
    "point functions": (PointFunctions(9), [1, 5, 5]),
    "parities": (Parities(3), [1, 4, 7]),
    "finite": (FiniteClass([[0, 1, 0], [1, 1, 1]]), [0, 1, 2]),
    "finite or cofinite sets": (FiniteOrCofinite(1), [1, 5, 7]),
}


@pytest.mark.parametrize("name", CLASSES)
def test_each_class_is_learned(name: str, rng: np.random.Generator) -> None:
    family, points = CLASSES[name]
    dataset = (points, [0, 1, 1])
    for learner in (ReferenceLearner(family, Atoms(points), constant=1e-3), LabelPrivateLearner(family)):
        law = learner.distribution(dataset)
        assert len(law.outputs) > 1
        drawn = np.asarray(learner.sample(dataset, 5, rng)).tolist()
        assert {tuple(o) if isinstance(o, list) else o for o in drawn} <= set(law.outputs)


# --- privacy, exactly


@pytest.mark.some(2)
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_each_learner_keeps_its_claim_over_all_pairs_and_its_law_in_calls(entry: Any, rng: np.random.Generator) -> None:
    learner, relation = entry.learner(), entry.relation()
    assert learner.claim == PureDP(1.0)
    assert learner.neighbours.name == relation.name
    verdict = dpcheck.audit(learner, neighbours=relation, exhaustive=True, **WHERE)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.exact is not None
    assert verdict.exact.answer == "holds"
    assert 0.5 < verdict.exact.epsilon < 1.0
    points = {"A1": [0.2, 0.2, 0.8], "A1r": [0.2, 0.2, 0.8], "A1_boxes": GRID[:2]}
    points["A1_separators"] = [(1, 0), (1, 0), (0, 1)]
    x = points.get(entry.name.partition(".")[2], [0, 0, 2])
    dataset = (x, [0, 1, 1][: len(x)])
    law = chances(learner, dataset)
    assert len(law) > 2
    assert_drawn_from(learner.sample(dataset, 4000, rng), law)
    assert_drawn_from([np.asarray(learner(dataset, rng)).tolist() for _ in range(2000)], law)


@pytest.mark.turns(4)
def test_the_exact_loss_is_below_epsilon_and_grows_with_the_number_of_records() -> None:
    """Headline claim 8: at a net that is the same for all sizes, the printed algorithms are as private as claimed."""
    records = Records.labelled(features=[0, 1, 2], labels=[0, 1])
    fixed = ReferenceLearner(GridThresholds(3), Atoms(range(3)), accuracy=0.25, constant=1e-3)
    every_dichotomy = LabelPrivateLearner(GridThresholds(3), accuracy=0.01)
    for learner, relation in ((fixed, ReplaceOne), (every_dichotomy, LabelsOnly)):
        losses = []
        for size in range(1, 7):
            where = {"neighbours": relation(records, size=size), "exhaustive": True}
            exact = dpcheck.audit(learner, **where, **WHERE).exact
            assert exact is not None
            assert exact.answer == "holds"
            losses.append(exact.epsilon)
        assert losses == sorted(losses)
        assert losses[0] >= 0.5
        assert 0.95 < losses[-1] < 1


@pytest.mark.some(4)
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.entry}: {mutant.defect}")
def test_every_mutant_is_caught(mutant: Any) -> None:
    verdict = dpcheck.audit(mutant.learner(), neighbours=mutant.neighbours(), exhaustive=True, **WHERE)
    assert verdict.status is Status.VIOLATED
    assert verdict.epsilon_lower > 1.1  # on the worst of all pairs: 3 of 60 seeds had made others only


@pytest.mark.turns(4)
def test_a_mutant_is_caught_by_its_calls_alone() -> None:
    mutant = next(one for one in MUTANTS if one.defect == "cover from private data")
    pair = (Labelled([0.2, 0.2, 0.2], [1, 1, 1]), Labelled([0.2, 0.2, 0.8], [1, 1, 1]))
    verdict = dpcheck.audit(
        dpcheck.by_calls(mutant.learner()), neighbours=ReplaceOne(), pairs=[pair], alpha=LEVEL, isolation="none"
    )
    assert verdict.status is Status.VIOLATED


def test_the_order_of_records_does_not_matter_and_repetitions_do() -> None:
    one = LabelPrivateLearner(Rectangles(), accuracy=0.9).distribution((GRID, [0, 1, 1, 0, 1, 0, 0, 0, 1]))
    other = LabelPrivateLearner(Rectangles(), accuracy=0.9).distribution((GRID[::-1], [1, 0, 0, 0, 1, 0, 1, 1, 0]))
    assert (one.outputs, one.exact.scores) == (other.outputs, other.exact.scores)
    twice = LabelPrivateLearner(GridThresholds(9), accuracy=0.01).distribution(([2, 2, 5], [1, 1, 0]))
    assert twice.exact.scores == (-1, -3, -2)
    # the distance counts repetitions: four of five points are one dichotomy apart, the fifth within the radius
    assert len(LabelPrivateLearner(GridThresholds(9), accuracy=0.9).distribution(([2] * 4 + [5], [1] * 5)).outputs) == 2


@pytest.mark.turns(4)
def test_a_million_records_are_fitted_without_underflow(rng: np.random.Generator) -> None:
    many = 1_000_000
    x = rng.random(many)
    dataset = Labelled(x, (x < 0.5).astype(np.int64))  # every threshold is wrong on about half of them or more
    for learner in (
        ReferenceLearner(Thresholds(), UniformLine(), accuracy=0.015),
        LabelPrivateLearner(Thresholds(), accuracy=0.1),
    ):
        drawn = learner.sample(dataset, 5, rng)
        assert drawn.shape == (5,)
        assert (mistakes(Thresholds(), drawn, *[dataset.x, dataset.y]) < 0.55 * many).all()


# --- the hard instances


def test_the_density_of_theorem_5_has_the_masses_of_its_closed_forms() -> None:
    for instance in concentrated_thresholds(0.5, 3)[::7]:
        low, high = map(float, instance.interval)
        for t in (0.0, 0.1, low, float(instance.centre), high, 0.9, 1.0):
            breaks = [b for b in (low, high) if 0 < b < t] or None
            mass, _ = quad(lambda x, of=instance: float(of.density([x])[0]), 0, t, points=breaks, limit=200)
            assert mass == pytest.approx(float(instance.below(t)), abs=1e-9)
        assert instance.below(-math.inf) == 0
        assert instance.below(math.inf) == 1
        assert float(instance.smoothness) == pytest.approx(instance.density([float(instance.centre)])[0])
        assert instance.error(instance.centre) == 0
        for outside in (instance.interval[0], instance.interval[1], Fraction(0), Fraction(1)):
            assert instance.error(outside) >= Fraction(1, 4)


def test_the_family_of_theorem_5_is_as_the_proof_wants_it() -> None:
    for epsilon, size in ((0.1, 3), (0.5, 4), (1.0, 2.5)):
        family = concentrated_thresholds(epsilon, size)
        resolution = family[0].resolution
        assert excluded_size(epsilon, resolution) == pytest.approx(size)
        assert resolution == resolution_excluding(epsilon, size)
        assert len(family) == math.floor(1 / resolution) - 1 >= 5
        assert all(one.interval[0] >= 0 and one.interval[1] <= 1 for one in family)
        pairs = pairwise(family)
        assert all(one.interval[1] < other.interval[0] for one, other in pairs)
        assert math.exp(-epsilon * size) * (1 / resolution - 2) / 2 > 0.5
    for bad in ((0.1, 2), (1.0, 1000), (1.0, 20)):
        with pytest.raises(InvalidArgument, match="size"):
            concentrated_thresholds(*bad)
    with pytest.raises(InvalidArgument, match=r"^centre must be from 1/10 to 9/10"):
        ConcentratedThreshold(Fraction(1, 20), Fraction(1, 10))


def test_one_of_the_family_is_hard_for_a1_whatever_the_sample(rng: np.random.Generator) -> None:
    """chaudhuri2011:thm-5: as it holds for all samples, those that are drawn here cannot turn this red."""
    family = concentrated_thresholds(0.5, 3)
    learner = ReferenceLearner(Thresholds(), UniformLine(), 0.5, accuracy=0.5, failure=0.9, constant=0.12)
    assert len(learner.net(3)) > 20
    successes = []
    for instance in family:
        good = [instance.error(t) < Fraction(1, 5) for t in learner.net(3).hypotheses.tolist()]
        centred = Labelled([float(instance.centre)] * 3, [1] * 3)
        samples = [centred, *(instance.draw(3, rng) for _ in range(5))]
        successes.append(max(sum(np.array([*chances(learner, s).values()])[good]) for s in samples))
    assert min(successes) <= 0.5


def test_draws_have_the_masses_and_labels_of_the_instance(rng: np.random.Generator) -> None:
    instance = ConcentratedThreshold(Fraction(1, 3), Fraction(1, 5))
    assert isinstance(instance, Distribution)
    assert instance.risk(Thresholds(), 0.9) == instance.error(0.9)
    assert instance.best_risk(Thresholds()) == 0
    assert instance.best_risk(Intervals()) is None
    drawn = instance.draw(20_000, rng)
    assert all((Fraction(x) >= instance.centre) == bool(y) for x, y in zip(drawn.x[:2000], drawn.y[:2000], strict=True))
    low, high = map(float, instance.interval)
    cell = np.searchsorted([low, high], drawn.x)
    ends = [Fraction(0), instance.below(low), instance.below(high), Fraction(1)]
    assert_drawn_from(cell, {i: float(after - before) for i, (before, after) in enumerate(pairwise(ends))})
    finite = FiniteInstance(
        PointFunctions(4), range(4), [Fraction(1, 2), 0, Fraction(1, 4), Fraction(1, 4)], [0, 0, 1, 0]
    )
    seen = finite.draw(4000, rng)
    assert_drawn_from(seen.x, {0: 0.5, 2: 0.25, 3: 0.25})
    assert (seen.y == (seen.x == 2)).all()
    with pytest.raises(InvalidArgument, match=r"^masses must be 2 numbers"):
        FiniteInstance(PointFunctions(4), [0, 1], [0.5, 0.6], [0, 1])


def test_singletons_are_hard_up_to_the_size_of_theorem_12() -> None:
    """The mean failure over targets and samples, exactly: at least 1/2 for A1 and for A2."""
    points, epsilon = 4, 0.2
    size = math.floor(singletons_size(points, epsilon))
    assert size == 3
    family, every = PointFunctions(points), Atoms(range(points))
    assert doubling_dimension(family, every, Fraction(2, points)).dimension == math.log2(points)
    a1 = ReferenceLearner(family, every, epsilon, constant=1e-3)
    for learner in (a1, LabelPrivateLearner(family, epsilon, accuracy=0.2)):
        failures = []
        for target in range(points):
            instance = singletons(points, target)
            table = FiniteDistribution(instance.points, instance.masses, instance.labels)
            assert [table.risk(family, h) for h in range(points)] == [instance.error(h) for h in range(points)]
            for x in product(range(points), repeat=size):
                law = chances(learner, (list(x), [int(v == target) for v in x]))
                failures.append(sum(c for h, c in law.items() if instance.error(h) > Fraction(1, points * 2)))
        assert np.mean(failures) >= 0.5


def test_lemma_11_finds_half_of_the_targets_hard() -> None:
    assert lemma_applies(16, 1 / 32, 0.1)
    assert not lemma_applies(16, 1 / 8, 0.1)
    assert not lemma_applies(4, 1 / 8, 0.1)
    learner = LabelPrivateLearner(PointFunctions(16), 0.1, accuracy=0.01)
    failing = [1 - chances(learner, data)[target] >= 0.5 for target, data in enumerate(singleton_datasets(16))]
    assert sum(failing) >= 8


def test_the_ladder_is_what_its_closed_forms_say() -> None:
    for levels, branches in ((1, 5), (2, 5), (3, 3)):
        ladder = Ladder(levels, branches)
        every, atoms = ladder.everything(), Atoms(range(levels * branches + 1), ladder.masses)
        table = FiniteClass(ladder.predict(every, range(levels * branches + 1)))
        assert len(np.unique(table.matrix, axis=0)) == ladder.size == branches**levels
        assert table.vc_dimension == ladder.vc_dimension
        if ladder.size <= 64:
            assert table.littlestone_dimension == ladder.littlestone_dimension
        assert sum(ladder.masses) == 1
        apart = [ladder.distance(every[0], other) for other in every]
        assert max(apart) == ladder.diameter
        instance = ladder.instance(every[0])
        assert [instance.error(other) for other in every] == apart
        for scale in (ladder.mass / 2**levels, ladder.mass / 2, ladder.mass * Fraction(99, 100)):
            exact = doubling_dimension(ladder, atoms, scale).dimension
            assert exact >= ladder.doubling_dimension_from_below(scale) == math.log2(branches)
        assert ladder.doubling_dimension_from_below(ladder.mass) == 0
        for points in ([0], [0, branches - 1, levels * branches], list(range(levels * branches + 1))):
            for rule in ladder.rules:
                found = ladder.predict(ladder.representatives(points, rule), points)
                assert len(np.unique(found, axis=0)) == len(found)
                assert len(found) == len(np.unique(ladder.predict(every, points), axis=0))
    with pytest.raises(InvalidArgument, match=r"^mass must be"):
        Ladder(2, 6)
    with pytest.raises(InvalidArgument, match=r"^levels must be fewer"):
        Ladder(20).everything()


def test_two_hypotheses_are_told_apart_only_where_they_differ() -> None:
    instance = two_hypotheses(Fraction(1, 5))
    assert instance.error(0) == 0
    assert instance.error(1) == Fraction(1, 5)
    for size in (0, 1, 3):
        samples = [(s, math.prod(instance.masses[i] for i in s)) for s in product((0, 1), repeat=size)]
        assert sum(mass for s, mass in samples if 0 not in s) == unseparated(Fraction(1, 5), size)
    with pytest.raises(InvalidArgument, match=r"^distance must be above 0"):
        two_hypotheses(0)


# --- the baselines


def test_the_minimiser_minimises_and_is_not_private() -> None:
    learner = EmpiricalRiskMinimiser(GridThresholds(4), ties="uniform")
    dataset = Labelled([0, 1, 3, 3], [0, 1, 0, 1])
    wrong = mistakes(GridThresholds(4), range(5), [*dataset.x], [*dataset.y])
    law = learner.distribution(dataset)
    assert law.outputs == np.flatnonzero(wrong == wrong.min()).tolist() or len(law.outputs) == 1
    assert mistakes(GridThresholds(4), law.outputs, [*dataset.x], [*dataset.y]).tolist() == [wrong.min()] * len(
        law.outputs
    )
    assert len(EmpiricalRiskMinimiser(GridThresholds(4)).distribution(dataset).outputs) == 1
    records = Records.labelled(features=[0, 1], labels=[0, 1])
    verdict = dpcheck.audit(learner, 5.0, neighbours=ReplaceOne(records, size=2), **WHERE)
    assert verdict.status is Status.VIOLATED
    assert math.isinf(verdict.epsilon_lower)
    with pytest.raises(InvalidArgument, match=r"^ties must be one of first, uniform, got 'unifrom'"):
        EmpiricalRiskMinimiser(GridThresholds(4), ties="unifrom")


@pytest.mark.turns(6)
def test_public_data_alone_and_no_data_are_0_private() -> None:
    records = Records.labelled(features=[0, 1], labels=[0, 1])
    public = Labelled([0, 1, 1], [0, 1, 0])
    relation = ReplaceOne(records, size=2)
    for ties in ("first", "uniform"):
        learner = FixedPublic(PublicOnly(GridThresholds(2), ties), public)
        verdict = dpcheck.audit(learner, neighbours=relation, exhaustive=True, **WHERE)
        assert verdict.status is Status.NO_VIOLATION_FOUND
        assert verdict.exact is not None
        assert verdict.exact.epsilon == 0
    with pytest.raises(InvalidArgument, match="with public labels"):
        PublicOnly(GridThresholds(2)).distribution(SemiPrivate([(0, 1)], [0, 1]))
    for hypotheses in (GridThresholds(2), [0, 2], [[1, 0], [0, 1]]):
        verdict = dpcheck.audit(
            UniformChoice(hypotheses), neighbours=ReplaceOne(records, size=2), exhaustive=True, **WHERE
        )
        assert verdict.exact is not None
        assert (verdict.exact.answer, verdict.exact.epsilon) == ("holds", 0)
    with pytest.raises(InvalidArgument, match=r"^hypotheses must be an array of at least 1"):
        UniformChoice([])
