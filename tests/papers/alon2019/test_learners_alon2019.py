"""The learners of alon2019: their exact laws, the audits that hold, and the mutants that audits must find."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

import dpcheck
from dpcheck import AddRemove, Labelled, LabelsOnly, Records, ReplaceOne, SemiPrivate, Status
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import IntegerScores, Law
from dpcheck.papers.alon2019.learners import (
    CoverLearner,
    Dummies,
    FixedPublic,
    FromSemiPrivate,
    GenericLearner,
    LabelPrivate,
    private_sample,
    public_sample,
)
from dpcheck.papers.alon2019.learners.sampling import UNFILLED, private_codes
from dpcheck.parts.classes import FiniteClass, GridThresholds, HalfPlanes, PointFunctions, Rectangles, Thresholds

# Each statistical test here alarms falsely with at most this probability, whatever the seed.
LEVEL = 1e-9
# Calls that an exact audit compares with the declared law: a test below compares many more.
CALLS = 1500
GRID = [(i, j) for i in range(3) for j in range(3)]
DATA = Labelled([1, 3, 3, 0], [0, 1, 1, 1])


def chances(law: Any) -> dict[Any, float]:
    """A declared law as floats."""
    if isinstance(law, Law):
        assert isinstance(law.exact, IntegerScores)
        scores = np.array(law.exact.scores, dtype=float)
        weights = np.array(law.exact.multiplicities) * np.exp(float(law.exact.epsilon) / 2 * (scores - scores.max()))
        return dict(zip(law.outputs, (weights / weights.sum()).tolist(), strict=True))
    return {output: float(chance) for output, chance in law.items()}


def assert_drawn_from(outputs: Any, law: dict[Any, float]) -> None:
    """A chi-squared test at LEVEL; outputs expected fewer than 20 times are taken together."""
    seen = [tuple(o) if isinstance(o, list) else o for o in np.asarray(outputs).tolist()]
    assert set(seen) <= set(law)
    expected = {output: chance * len(seen) for output, chance in law.items()}
    common = [output for output in law if expected[output] >= 20]
    found = [seen.count(output) for output in common]
    cells = [(n, expected[output]) for n, output in zip(found, common, strict=True)]
    rest = sum(expected.values()) - sum(e for _, e in cells)
    if rest >= 20:
        cells.append((len(seen) - sum(found), rest))
    statistic = sum((n - e) ** 2 / e for n, e in cells)
    assert chi2.sf(statistic, max(len(cells) - 1, 1)) > LEVEL


LEARNERS: list[tuple[Any, Any]] = [
    (CoverLearner(GridThresholds(5)), SemiPrivate(DATA, [2, 4, 2])),
    (CoverLearner(Thresholds(), Fraction(3, 2), "highest"), SemiPrivate(DATA, [2.5, 0.5])),
    (CoverLearner(Rectangles()), SemiPrivate(Labelled(GRID[:5], [0, 1, 1, 0, 1]), GRID[2:6])),
    (CoverLearner(HalfPlanes(), 0.5), SemiPrivate(Labelled(GRID[:5], [0, 1, 1, 0, 1]), GRID[3:6])),
    (GenericLearner(GridThresholds(5)), DATA),
    (GenericLearner(FiniteClass([[0, 1, 0, 1], [1, 1, 1, 1], [0, 0, 0, 1]]), 2.0), DATA),
    (FixedPublic(CoverLearner(GridThresholds(5)), [3]), DATA),
    (LabelPrivate(CoverLearner(GridThresholds(5))), DATA),
    (LabelPrivate(CoverLearner(GridThresholds(5)), public=2), DATA),
    (FromSemiPrivate(CoverLearner(GridThresholds(5)), 5, 2, Dummies([0, 4], [1, 3]), probability=Fraction(1, 2)), DATA),
    (FromSemiPrivate(GenericLearner(GridThresholds(5)), 6, 1, Dummies([2]), "printed", Fraction(2, 3)), DATA),
]


@pytest.mark.some(2)
@pytest.mark.parametrize(("learner", "dataset"), LEARNERS, ids=lambda value: type(value).__name__)
def test_calls_and_samples_have_the_declared_law(learner: Any, dataset: Any, rng: np.random.Generator) -> None:
    law = chances(learner.distribution(dataset))
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-12)
    assert_drawn_from(learner.sample(dataset, 20_000, rng), law)
    assert_drawn_from([np.asarray(learner(dataset, rng)).tolist() for _ in range(2000)], law)
    assert learner.claim == learner.claim
    assert learner.neighbours.name in ("private-part", "replace-one", "labels-only")


# --- the corners of alg-1


def test_no_public_point_makes_one_candidate() -> None:
    assert CoverLearner(GridThresholds(9)).distribution(SemiPrivate(DATA, [])).outputs == [0]


@pytest.mark.parametrize("nothing", [[], Labelled([], []), ([], [])])
def test_no_private_record_makes_all_candidates_equal(nothing: Any, rng: np.random.Generator) -> None:
    learner = CoverLearner(GridThresholds(9))
    law = learner.distribution(SemiPrivate(nothing, [4, 2, 4]))
    assert law.exact.scores == (0, 0, 0)
    assert_drawn_from(learner.sample(SemiPrivate(nothing, [4, 2]), 3000, rng), dict.fromkeys([0, 3, 5], 1 / 3))


def test_order_and_repetitions_of_public_points_do_not_matter() -> None:
    learner = CoverLearner(HalfPlanes())
    private = Labelled(GRID[:4], [0, 1, 1, 0])
    one = learner.distribution(SemiPrivate(private, GRID[2:7]))
    other = learner.distribution(SemiPrivate([*zip(GRID[:4], [0, 1, 1, 0], strict=True)][::-1], GRID[6:1:-1] * 2))
    labelled = learner.distribution(SemiPrivate(private, Labelled(GRID[2:7], [1] * 5)))
    assert (one.outputs, one.exact.scores) == (other.outputs, other.exact.scores)
    assert (one.outputs, one.exact.scores) == (labelled.outputs, labelled.exact.scores)


def test_a_million_mistakes_do_not_underflow(rng: np.random.Generator) -> None:
    many = 1_000_000
    x, y = np.zeros(many, dtype=int), np.ones(many, dtype=int)
    learner = CoverLearner(GridThresholds(3), 1.0)
    all_wrong = SemiPrivate(Labelled(np.append(x, 0), np.append(y, 0)), [0])
    assert learner.sample(all_wrong, 10, rng).tolist() == [0] * 10
    tied = SemiPrivate(Labelled(np.tile([0], 2 * many), np.append(y, 1 - y)), [0])
    assert_drawn_from(learner.sample(tied, 2000, rng), {0: 0.5, 1: 0.5})


@pytest.mark.parametrize(("epsilon", "smallest"), [(1e-9, 0.2499), (1e6, 0.0)])
def test_epsilon_from_uniform_to_the_minimisers(epsilon: float, smallest: float, rng: np.random.Generator) -> None:
    learner = CoverLearner(GridThresholds(4), epsilon)
    law = chances(learner.distribution(SemiPrivate(DATA, [0, 1, 2])))
    assert min(law.values()) >= smallest
    if smallest == 0.0:
        assert law == {0: 1 / 3, 1: 0.0, 2: 1 / 3, 3: 1 / 3}


def test_representatives_rule_the_outputs() -> None:
    for rule, expected in {"lowest": [0, 4], "highest": [3, 9], "middle": [1, 6]}.items():
        assert CoverLearner(GridThresholds(9), rule=rule).distribution(SemiPrivate(DATA, [3])).outputs == expected


# --- thresholds on a huge grid


@pytest.mark.parametrize("size", [5, 40])
def test_runs_have_the_law_of_the_thresholds_in_them(size: int, rng: np.random.Generator) -> None:
    x, y = rng.integers(0, size, 6), rng.integers(0, 2, 6)
    learner = GenericLearner(GridThresholds(size), 1.5)
    listed = chances(learner.distribution(Labelled(x, y)))
    for (low, high), chance in chances(learner.runs(Labelled(x, y), cuts=[0, size - 1])).items():
        assert chance == pytest.approx(sum(listed[t] for t in range(low, high + 1)), rel=1e-12)


def test_a_grid_of_2_to_the_60_is_drawn_by_runs(rng: np.random.Generator) -> None:
    size, at = 2**60, 2**59 + 12345
    learner = GenericLearner(GridThresholds(size), 1.0)
    assert not hasattr(learner, "distribution")  # so that audits go by calls
    data = Labelled([at - 1, at] * 40, [0, 1] * 40)  # 40 mistakes for all but one threshold
    weight = math.exp(20.0)
    drawn = learner.sample(data, 4000, rng)
    assert drawn.min() >= 0
    assert drawn.max() <= size
    expected = weight / (weight + size)
    assert_drawn_from((drawn == at).astype(int), {1: expected, 0: 1 - expected})
    assert learner.sample(Labelled(data.x * 5, data.y * 5), 100, rng).tolist() == [at] * 100
    wide = (learner.sample([], 4000, rng) >= size // 4).astype(int)
    assert_drawn_from(wide, {1: 0.75, 0: 0.25})


# --- exact audits over all neighbours

THRESHOLDS = ReplaceOne(records=Records.labelled(features=list(range(4)), labels=[0, 1]), size=1)
PLANE = ReplaceOne(records=Records.labelled(features=Records.of(GRID), labels=[0, 1]), size=1)
FAMILIES = [
    *((CoverLearner(GridThresholds(4), 1.0, rule), [1, 2], THRESHOLDS, 5) for rule in GridThresholds.rules),
    (CoverLearner(HalfPlanes(), 1.0), GRID, PLANE, 3),
    (CoverLearner(Rectangles(), 1.0), GRID, PLANE, 3),
    (GenericLearner(GridThresholds(4), 1.0), [], THRESHOLDS, 5),
]


@pytest.mark.some(1)
@pytest.mark.parametrize(("learner", "public", "relation", "most"), FAMILIES, ids=lambda v: type(v).__name__)
def test_the_exact_loss_grows_with_the_private_sample_and_stays_below_epsilon(
    learner: Any, public: Any, relation: Any, most: int, seed: int
) -> None:
    losses = []
    for size in range(1, most + 1):
        verdict = dpcheck.audit(
            FixedPublic(learner, public),
            neighbours=ReplaceOne(records=relation.records, size=size),
            exhaustive=True,
            max_samples=CALLS,
            alpha=LEVEL,
            isolation="none",
            seed=seed,
        )
        assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
        assert verdict.exact is not None
        assert verdict.exact.answer == "holds"
        losses.append(verdict.epsilon_lower)
    assert losses[0] > 0.0
    assert losses == sorted(set(losses))
    assert losses[-1] < 1.0


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("learner", "relation"),
    [
        (FixedPublic(CoverLearner(GridThresholds(4), 1.0), [1, 2]), AddRemove),
        (LabelPrivate(CoverLearner(GridThresholds(4), 1.0)), LabelsOnly),
    ],
)
def test_other_relations_exactly(learner: Any, relation: Any, seed: int) -> None:
    where = {
        "neighbours": relation(records=THRESHOLDS.records, size=range(1, 4)),
        "exhaustive": True,
        "max_samples": CALLS,
    }
    verdict = dpcheck.audit(learner, alpha=LEVEL, isolation="none", seed=seed, **where)
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert 0.0 < verdict.epsilon_lower < 1.0


@pytest.mark.some(1)
@pytest.mark.parametrize("mode", ["fill", "printed"])
@pytest.mark.parametrize("shape", [(25, 1, Dummies([0]), None), (6, 2, Dummies([0, 2]), Fraction(1, 2))])
def test_the_reduction_is_no_less_private_than_what_it_reduces_to(mode: Any, shape: Any, seed: int) -> None:
    private, public, dummies, probability = shape
    learner = FromSemiPrivate(CoverLearner(GridThresholds(4), 1.0), private, public, dummies, mode, probability)
    relation = ReplaceOne(records=Records.labelled(features=[0, 1, 3], labels=[0, 1]), size=2)
    verdict = dpcheck.audit(
        learner,
        neighbours=relation,
        exhaustive=True,
        max_samples=CALLS,
        alpha=LEVEL,
        isolation="none",
        seed=seed,
        max_seconds=math.inf,
    )
    assert verdict.status is Status.NO_VIOLATION_FOUND, str(verdict)
    assert verdict.exact is not None
    assert (verdict.exact.arithmetic, verdict.exact.answer) == ("balls", "holds")
    assert 0.0 < verdict.epsilon_lower < 1.0


# --- the reduction


def test_sizes_of_the_reduction_are_exact() -> None:
    learner = FromSemiPrivate(CoverLearner(GridThresholds(4)), 1001, 3, Dummies([0]))
    assert (learner.elements, learner.position_probability) == (34, Fraction(1, 300))
    assert learner.neighbours.size == 34
    assert not hasattr(learner, "distribution")


@pytest.mark.parametrize("mode", ["fill", "printed"])
def test_elements_are_used_in_order_and_once(mode: Any, rng: np.random.Generator) -> None:
    for available, chance in product((0, 1, 3, 9), (Fraction(0), Fraction(1, 3), Fraction(1))):
        codes = private_codes(available, 8, chance, Dummies([0, 1]), mode, 500, rng)
        for row in codes:
            used = row[(row >= 0) & (row < available)]
            assert used.tolist() == list(range(len(used)))
        ended = codes == UNFILLED
        assert (np.diff(ended, axis=1) >= 0).all()  # what is not filled is the end
        if mode == "fill":
            assert not ended.any()
        else:
            exhausted = ended.any(axis=1)
            assert (((codes < available) & ~ended).sum(axis=1)[exhausted] == available).all()


def test_the_printed_sample_is_short_and_the_filled_one_is_not(rng: np.random.Generator) -> None:
    data, dummies = ([5, 6], [1, 1]), Dummies([0])
    printed = private_sample(data, dummies, Fraction(1), 10, rng, "printed")
    assert printed == Labelled(np.array([5, 6]), np.array([1, 1], dtype=np.uint8))
    filled = private_sample(data, dummies, Fraction(1), 10, rng)
    assert filled.x.tolist() == [5, 6] + [0] * 8
    assert public_sample(dummies, 4, rng).x.tolist() == [0] * 4
    assert len(private_sample(([], []), dummies, Fraction(1, 2), 3, rng, "printed").y) == 0
    plane = private_sample(([(1, 2)], [1]), Dummies([(0, 0)]), Fraction(1), 2, rng)
    assert plane.x.tolist() == [[1, 2], [0, 0]]


@dataclass(frozen=True)
class Parrot:
    """Tells its whole input, in order or as a multiset: the law of B on it is the law of its samples."""

    order_blind: bool

    def __call__(self, dataset: Any, rng: Any) -> Any:
        records = [(int(x), int(label)) for x, label in zip(dataset.private.x, dataset.private.y, strict=True)]
        public = [int(x) for x in dataset.public]
        return repr((sorted(records), sorted(public)) if self.order_blind else (records, public))

    def distribution(self, dataset: Any) -> Any:
        return {self(dataset, None): Fraction(1)}


@pytest.mark.some(1)
@pytest.mark.parametrize("mode", ["fill", "printed"])
@pytest.mark.parametrize("order_blind", [True, False])
def test_the_law_of_the_samples_is_enumerated(mode: Any, order_blind: bool, rng: np.random.Generator) -> None:
    learner = FromSemiPrivate(Parrot(order_blind), 4, 1, Dummies([0, 1], [1, 2]), mode, Fraction(1, 3))
    data = ([7, 8], [1, 0])
    law = learner.distribution(data)
    assert sum(law.values()) == Fraction(1)
    assert all(isinstance(chance, Fraction) for chance in law.values())
    assert_drawn_from(learner.sample(data, 20_000, rng), chances(law))
    assert_drawn_from([learner(data, rng) for _ in range(5000)], chances(law))
    one = "[(7, 1), (8, 0)]"
    # both elements come first, and then nothing; or then two dummies
    short = [chance for output, chance in law.items() if one in output]
    assert sum(short, Fraction(0)) == (Fraction(1, 9) if mode == "printed" else 0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: CoverLearner(3), "family must be a hypothesis class, got 3"),
        (lambda: CoverLearner(Thresholds(), 0.0), "epsilon must be a finite number above 0, got 0.0"),
        (lambda: GenericLearner(Thresholds()), "family must be a finite hypothesis class, got"),
        (lambda: GenericLearner(PointFunctions(2**40)), "family must have at most 4,194,304 hypotheses, got"),
        (lambda: Dummies([]), "points must be different points, at least 1, got"),
        (lambda: FromSemiPrivate(3, 1, 1, Dummies([0])), "learner must be a callable"),
        (lambda: FromSemiPrivate(len, 0, 1, Dummies([0])), "private must be a number of records of at least 1, got 0"),
        (lambda: FromSemiPrivate(len, 1, 1, [0]), r"dummies must be Dummies\(\[points\]\), got \[0\]"),
        (lambda: FromSemiPrivate(len, 1, 1, Dummies([0]), "both"), "mode must be 'fill' or 'printed', got 'both'"),
        (lambda: FromSemiPrivate(len, 1, 1, Dummies([0]), probability=0.5), "probability must be a Fraction from 0"),
        (lambda: LabelPrivate(len, public=-1), "public must be a number of records of at least 0, got -1"),
        (lambda: FixedPublic(1, []), "learner must be a callable"),
        (lambda: CoverLearner(Thresholds()).distribution([1]), r"dataset must be SemiPrivate\(private, public\), got"),
        (lambda: CoverLearner(Thresholds()).distribution(SemiPrivate([1], [1])), "dataset must hold labelled records"),
        (lambda: GenericLearner(PointFunctions(3)).runs(DATA), "family must be GridThresholds for runs, got"),
    ],
)
def test_refusals_are_one_line(make: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^{message}") as caught:
        make()
    assert "\n" not in str(caught.value)
