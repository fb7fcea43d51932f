"""LabelBoostProcedure and LabelBoost: sizes, claims along the steps, laws against brute force, refusals."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from dpcheck import ApproxDP, Labelled, PureDP, Records, ReplaceEntry, audit
from dpcheck.model.claims import ProfileDP, exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.beimel2015.learners import (
    BoostConstants,
    ExponentialLearner,
    GenericLearner,
    LabelBoost,
    LabelBoostProcedure,
    LabelledPart,
    SubsampledParts,
    UniformSubsampling,
    boost_sizes,
    claim_steps,
    relabelled_claim,
)
from dpcheck.papers.beimel2015.learners.boost_entries import TINY, label_boost, label_boost_procedure
from dpcheck.papers.beimel2015.learners.exponential import correct_labels
from dpcheck.papers.beimel2015.learners.interval_choice import interval_choice
from dpcheck.papers.beimel2015.learners.label_count import NoisyLabelCount
from dpcheck.parts.classes import FiniteClass, GridIntervals, GridThresholds, Intervals, PointFunctions, Rectangles
from dpcheck.parts.mechanisms.mixtures import chances, mixture

CONSTANT = (1 + math.exp(0.5)) ** 2
GRID = GridThresholds(2**20)
SCALED = BoostConstants.scaled(Fraction(1, 16))


# --- the constant of lem-4.1


def weights(family: Any, labelled: list[tuple[int, int]], stretched: list[int]) -> dict[tuple[int, ...], float]:
    """The probability of each relabelling of S o T, from the learner's own choice."""
    points = [x for x, _ in labelled] + stretched
    dataset = labelled + [(x, -1) for x in stretched]
    learner = LabelBoostProcedure(NoisyLabelCount(), family)
    candidates, choice = learner.choice(dataset)
    labels = family.predict(candidates, points)
    return {tuple(row): chance for row, chance in zip(labels.tolist(), np.exp(choice.log_probabilities), strict=True)}


def largest_ratio(family: Any, left: Any, right: Any) -> float:
    """``max w_1 / w_2`` over the labellings of the points that both sides have: of all other entries."""
    differing = [
        i
        for i, (one, other) in enumerate(zip([*left[0], *left[1]], [*right[0], *right[1]], strict=True))
        if one != other
    ]
    sums: list[dict[tuple[int, ...], float]] = []
    for labelled, stretched in (left, right):
        found: dict[tuple[int, ...], float] = {}
        for row, chance in weights(family, labelled, stretched).items():
            key = tuple(label for i, label in enumerate(row) if i not in differing)
            found[key] = found.get(key, 0.0) + chance
        sums.append(found)
    assert sums[0].keys() == sums[1].keys()
    return max(max(sums[0][key] / sums[1][key], sums[1][key] / sums[0][key]) for key in sums[0])


def small_classes() -> Iterator[FiniteClass]:
    """All classes on 3 points with 1 to 8 functions."""
    functions = list(product((0, 1), repeat=3))
    for size in range(1, 9):
        for some in combinations(functions, size):
            yield FiniteClass(some)


def test_the_ratio_of_two_choices_is_within_the_constant_on_all_small_classes() -> None:
    worst = 0.0
    for place, family in enumerate(small_classes()):
        # S is (0, 1), T is 1 or 2; the entry of S becomes any other, all classes being tried this is no restriction
        other_entry = [(x, y) for x in (1, 2) for y in (0, 1)][place % 4]
        worst = max(worst, largest_ratio(family, ([(0, 1)], [1]), ([other_entry], [1])))
        worst = max(worst, largest_ratio(family, ([(0, 1)], [0, 2]), ([(1, 0)], [0, 2])))
    assert 2 < worst <= CONSTANT + 1e-12 < 4 * math.e


def splitting(bits: int) -> FiniteClass:
    """The class for which the constant is attained: one labelling of K is split by p, all the others by p'."""
    rows = []
    for place, z in enumerate(product((0, 1), repeat=bits)):
        rows += [(*z, a, 0) if place == 0 else (*z, 0, a) for a in (0, 1)]
    return FiniteClass(rows)


def test_the_constant_is_attained_in_the_limit_and_four_is_that_of_an_unlabelled_entry() -> None:
    family, common = splitting(6), list(range(6))
    p, other = 6, 7
    found = largest_ratio(family, ([(p, 1)], common), ([(other, 1)], common))
    many = 63
    assert found == pytest.approx((1 + math.exp(0.5)) * (1 + many * (1 + math.exp(0.5))) / (1 + math.exp(0.5) + many))
    assert 6.7 < found < CONSTANT
    labelled = [(0, 0)]
    unlabelled = largest_ratio(family, (labelled, [*common[1:], p]), (labelled, [*common[1:], other]))
    assert 3.8 < unlabelled < 4


def test_claim_of_relabelling() -> None:
    claim = relabelled_claim(PureDP(1.0), 1)
    assert isinstance(claim, PureDP)
    assert claim.epsilon_value == pytest.approx(1 + math.log(CONSTANT), abs=1e-12)
    assert claim.epsilon_value < 1 + math.log(4) + 1 < 4  # lem-4.1, its exact constant and the printed one
    assert relabelled_claim(ApproxDP(1.0, 1e-6), 1).delta_value == 1e-6  # type: ignore[attr-defined]
    assert exact_point(relabelled_claim(PureDP(ratio=2), 0)).ratio == 8
    profile = relabelled_claim(ProfileDP([(0.5, 0.1), (1.0, 0.01)]), 0)
    assert isinstance(profile, ProfileDP)
    assert profile.points[0] == (pytest.approx(0.5 + math.log(4)), 0.1)


# --- sizes


def test_sizes_with_the_printed_constants() -> None:
    labelled = BoostConstants().sufficient_labelled(0.1, 0.1, 1)
    assert labelled == math.ceil(960000 * math.log(224000))
    for exponent in (4, 6, 9, 30, 100, 300, 1000):
        n = 10**exponent
        sizes = boost_sizes(labelled, n, 1, 0.1, 0.1)
        assert sizes.boosted >= 300 * n
        assert sizes.kept >= n
        assert sizes.unlabelled <= 90000 * n  # clm-4.8
        assert len(sizes.iterations) == (
            0 if exponent == 4 else 1 if exponent < 105 else 2
        )  # (14 / (a_1 b_1))^24 / 100
        for each in sizes.iterations:  # clm-4.9
            assert each.labelled >= 4800 / each.accuracy * math.log(14 / (each.accuracy * each.failure))
            assert max(each.labelled_rate, each.stretched_rate) <= Fraction(1, 100)
        assert sizes.last_rate <= Fraction(1, 300)


@pytest.mark.parametrize("dimension", [1, 3])
def test_sizes_against_a_calculation_with_many_digits(dimension: int) -> None:
    from mpmath import exp, floor, mp, mpf

    constants = BoostConstants.scaled(Fraction(1, 8), accuracy_divisor=1)
    start = 850 * dimension
    sizes = boost_sizes(start, 10**9, dimension, 0.5, 0.25, constants)
    assert len(sizes.iterations) == 3
    with mp.workdps(400):
        s = mpf(start)
        for i, each in enumerate(sizes.iterations, start=1):
            alpha, beta = mpf("0.5") / 2**i, mpf("0.25") / (4 * 2**i)
            v = min(mpf(64 * 10**9), floor(beta * dimension * exp(alpha * s / (16 * dimension)) - s))
            assert (each.labelled, each.stretched) == (int(s), int(v))
            s = floor(s / 8) + floor(v / 8)
    assert sizes.boosted == int(s)


def test_sizes_that_do_not_work_out_say_which_would() -> None:
    with pytest.raises(InvalidArgument, match=r"iteration 1 .* labelled = (\d+) would do, got 1000") as caught:
        boost_sizes(1000, 10**9, 1, 0.1, 0.1)
    enough = int(str(caught.value).split("labelled = ")[1].split(" ")[0])
    assert boost_sizes(enough, 10**9, 1, 0.1, 0.1).boosted >= 300 * 10**9
    with pytest.raises(InvalidArgument):
        boost_sizes(enough - 1, 10**9, 1, 0.1, 0.1)
    needed = boost_sizes(enough, 10**9, 1, 0.1, 0.1).unlabelled
    with pytest.raises(InvalidArgument, match=f"unlabelled must be at least {needed}"):
        boost_sizes(enough, 10**9, 1, 0.1, 0.1, unlabelled=needed - 1)
    assert boost_sizes(enough, 10**9, 1, 0.1, 0.1, unlabelled=needed).unlabelled == needed
    with pytest.raises(InvalidArgument, match="step 3 keeps none of 1 entries; labelled = 1000 would do"):
        boost_sizes(1, 1, 1, 0.1, 0.1, BoostConstants(enough=1, kept_last=Fraction(1, 1000)))


def test_sizes_at_the_ends() -> None:
    assert boost_sizes(300, 1, 1, 0.1, 0.1).iterations == ()  # m >= 300 n
    none = boost_sizes(0, 5, 0, 0.1, 0.1)  # one dichotomy on any points: no label is wanted
    assert [each.stretched for each in none.iterations] == [150_000]
    assert none.iterations[0].labelled_rate == 1
    up = boost_sizes(24_001, 2000, 1, 0.5, 0.5, SCALED, rounding="up")
    assert (
        up.iterations[0].labelled_rate
        > Fraction(1, 16)
        > boost_sizes(24_001, 2000, 1, 0.5, 0.5, SCALED).iterations[0].labelled_rate
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"kept": Fraction(0)}, "kept must be"),
        ({"shrinking": 1}, "shrinking must be"),
        ({"exponent_divisor": 0}, "exponent_divisor must be"),
    ],
)
def test_constants_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        BoostConstants(**arguments)


# --- claims


@pytest.mark.parametrize("exponent", [4, 9, 1000])
def test_the_printed_claim_is_kept_at_every_step(exponent: int) -> None:
    labelled = BoostConstants().sufficient_labelled(0.1, 0.1, 1)
    sizes = boost_sizes(labelled, 10**exponent, 1, 0.1, 0.1)
    for each in claim_steps(ApproxDP(1.0, 1e-9), sizes, 1):
        assert each.printed is not None
        epsilon = math.log(244) if isinstance(each.printed[0], str) else each.printed[0]
        assert each.claim.epsilon(each.printed[1] * 1e-9) <= epsilon
    assert all(isinstance(each.claim, PureDP) for each in claim_steps(PureDP(1.0), sizes, 1))  # rem-4.15


def test_the_claim_against_the_formulas_in_floats() -> None:
    learner = LabelBoost(ExponentialLearner(GRID, 1.0), GRID, 24_000, 2000, 0.5, 0.5, constants=SCALED)
    sizes, first = learner.sizes, learner.sizes.iterations[0]
    k = sizes.kept
    inside = math.log1p(k / sizes.boosted * math.expm1(k * math.log1p(math.expm1(1.0) / k)))
    labelled = math.log1p(1500 / 24_000 * (CONSTANT * math.exp(inside) - 1))
    stretched = math.log1p(first.kept_stretched / first.stretched * (4 * math.exp(inside) - 1))
    assert learner.claim.epsilon(0.0) == pytest.approx(max(labelled, stretched), abs=1e-12)


def test_no_claim_where_the_base_learner_has_none_for_such_databases() -> None:
    class Silent:
        def __call__(self, dataset: Any, rng: Any) -> int:
            return 0

    with pytest.raises(AttributeError, match="Silent has no claim"):
        _ = LabelBoostProcedure(Silent(), GRID).claim

    class Labels(NoisyLabelCount):
        neighbours = "labels-only"  # type: ignore[assignment]

    with pytest.raises(AttributeError, match="not about whole records"):
        _ = LabelBoost(Labels(), GRID, 24_000, 2000, 0.5, 0.5, constants=SCALED).claim


def test_relabelling_before_a_learner_of_partially_labelled_databases() -> None:
    inside = GenericLearner.over(GridThresholds(3), 1.0, points=1)
    learner = LabelBoostProcedure(inside, GridThresholds(3), stretched=1)
    assert learner.claim.epsilon(0.0) == pytest.approx(1 + math.log(CONSTANT))
    one, other = ([(0, y), (1, 1), (2, -1), (1, -1), (0, -1)] for y in (0, 1))
    laws = [dict(chances(learner.distribution(each))) for each in (one, other)]
    assert 0 < max(abs(math.log(laws[0][h] / laws[1][h])) for h in laws[0]) < learner.claim.epsilon(0.0)
    assert learner(one, np.random.default_rng()) in laws[0]

    class Fixed(NoisyLabelCount):
        neighbours = ReplaceEntry(None, 5, 3)  # type: ignore[assignment]

    inner = LabelBoostProcedure(Fixed(), GridThresholds(3), stretched=1)
    assert (inner.neighbours.size, inner.neighbours.labelled) == (5, 2)
    assert inner.claim.epsilon(0.0) == pytest.approx(1 + math.log(CONSTANT))
    with pytest.raises(AttributeError, match="about 3 labelled entries of 5, and it is given all of them labelled"):
        _ = LabelBoostProcedure(Fixed(), GridThresholds(3)).claim


def test_subsampling_in_front_makes_any_epsilon() -> None:  # thm-4.14
    inside = LabelBoost(ExponentialLearner(GRID, 1.0), GRID, 24_000, 2000, 0.5, 0.5, constants=SCALED)
    assert inside.unlabelled is not None
    whole = UniformSubsampling(inside, labelled=24_000, unlabelled=inside.unlabelled, epsilon=0.25)
    assert whole.claim.epsilon(0.0) <= 0.25
    assert whole.sizes[0] == math.ceil(24_000 / 0.25 * (3 + math.exp(inside.claim.epsilon(0.0))))


# --- laws


def brute_force(learner: LabelBoost, dataset: list[tuple[int, int]]) -> dict[int, float]:
    """The law of LabelBoost, step by step as printed, in floats."""
    sizes = learner.sizes
    (iteration,) = sizes.iterations
    family, m = learner.family, learner.labelled
    law: dict[int, float] = {}
    parts_s = list(combinations(dataset[:m], iteration.kept_labelled))
    parts_t = list(combinations([x for x, _ in dataset[m:]], iteration.kept_stretched))
    for s, t in product(parts_s, parts_t):
        points = [x for x, _ in s] + list(t)
        labellings = {tuple((x >= h) * 1 for x in points) for h in range(family.domain_size + 1)}  # type: ignore[attr-defined]
        scores = {z: sum(z[i] == y for i, (_, y) in enumerate(s)) for z in labellings}
        total = sum(math.exp(score / 2) for score in scores.values())
        for z, score in scores.items():
            again = list(zip(points, z, strict=True))
            lasts = list(combinations(again, sizes.kept))
            for last in lasts:
                for drawn in product(last, repeat=sizes.kept):
                    weight = math.exp(score / 2) / total / len(lasts) / sizes.kept**sizes.kept
                    weight /= len(parts_s) * len(parts_t)
                    for output, chance in chances(learner.learner.distribution(list(drawn))):
                        law[output] = law.get(output, 0.0) + weight * chance
    return law


@pytest.mark.parametrize("base", ["exponential", "count"])
def test_the_law_is_that_of_the_printed_steps(base: Any) -> None:
    learner = label_boost(base=base, domain_size=3)
    for dataset in ([(0, 1), (2, 0), (1, -1), (1, -1), (0, -1)], [(1, 1), (1, 1), (0, -1), (1, -1), (2, -1)]):
        wanted = brute_force(learner, dataset)
        found = dict(chances(learner.distribution(dataset)))
        assert found.keys() == wanted.keys()
        assert all(found[key] == pytest.approx(wanted[key], abs=1e-12) for key in wanted)


def test_relabelling_leaves_points_order_and_the_rest() -> None:
    learner = LabelBoostProcedure(ExponentialLearner(GRID), GRID, stretched=2)
    database = [(5, 0), (9, 1), (7, -1), (5, -1), (1, -1)]
    for candidate in learner.candidates(database):
        found = learner.relabelled(database, candidate)
        assert found.x.tolist() == [5, 9, 7, 5, 1]
        assert found.y.tolist() == [int(x >= candidate) for x in (5, 9, 7, 5)] + [-1]
    assert len(learner.candidates(database)) == 4  # of 5, 7 and 9


def test_corner_cases_of_the_procedure() -> None:
    learner = LabelBoostProcedure(ExponentialLearner(GRID), GRID)
    no_labels = [(3, -1), (8, -1)]
    candidates, choice = learner.choice(no_labels)
    assert len(candidates) == 3
    assert np.exp(choice.log_probabilities) == pytest.approx([1 / 3] * 3)  # S empty: uniform
    assert len(learner.candidates([(3, 1), (3, 0), (3, -1)])) == 2  # one distinct point
    rng = np.random.default_rng()
    assert 0 <= learner([], rng) <= 2**20
    with pytest.raises(InvalidArgument, match="at least stretched = 3 entries without a label, got 2"):
        LabelBoostProcedure(ExponentialLearner(GRID), GRID, stretched=3)(no_labels, rng)
    with pytest.raises(InvalidArgument, match="must have its labelled entries first"):
        learner([(3, -1), (4, 1)], rng)


def test_an_entry_that_is_never_drawn_has_no_influence() -> None:
    learner = LabelBoost(NoisyLabelCount(), GridThresholds(2), 2, 1, 1, 1, 5, TINY, rounding="up")
    laws = [
        learner.distribution([(0, 1), (1, 0), *[(0, -1)] * 3, (a, -1), (b, -1)]) for a, b in product((0, 1), (0, 1))
    ]
    assert all(dict(chances(law)) == dict(chances(laws[0])) for law in laws)


@pytest.mark.parametrize("family", [GRID, PointFunctions(2**20)], ids=["thresholds", "points"])
def test_a_hundred_thousand_points_in_an_iteration(family: Any) -> None:
    constants = BoostConstants.scaled(Fraction(1, 2))
    learner = LabelBoost(NoisyLabelCount(), family, 60_000, 40_000, 1, 1, constants=constants)
    (first,) = learner.sizes.iterations
    assert first.kept_labelled + first.kept_stretched >= 10**5
    rng = np.random.default_rng()
    assert learner.unlabelled is not None
    x = rng.integers(2**20, size=learner.labelled + learner.unlabelled)
    y = np.where(np.arange(len(x)) < learner.labelled, x >= 2**19, -1)
    assert 0 <= learner(Labelled(x, y), rng) <= learner.sizes.kept


def test_it_learns_and_its_output_is_of_the_class() -> None:
    learner = LabelBoost(ExponentialLearner(GRID, 1.0), GRID, 24_000, 2000, 0.5, 0.5, constants=SCALED)
    rng = np.random.default_rng()
    assert learner.unlabelled is not None
    x = rng.integers(2**20, size=learner.labelled + learner.unlabelled)
    y = np.where(np.arange(len(x)) < learner.labelled, x >= 2**19, -1)
    # 1500 kept labels choose among 33501 thresholds: an error of 0.06 on them has a probability below 33501 exp(-45),
    # and one of 0.15 at large is at most 0.06 on them with one below exp(-59) (Chernoff). The base learner: 2^20
    # exp(-62) for 0.06 on its 2093 draws; 0.2 at large is at most 0.11 of S, or 0.11 of S at most 0.06 of the draws,
    # with less than exp(-33). Together below 1e-13, and errors add up.
    assert abs(int(learner(Labelled(x, y), rng)) - 2**19) < 0.35 * 2**20
    noisy = np.where(y >= 0, rng.integers(2, size=len(y)), -1)  # no threshold fits: the agnostic use
    assert 0 <= learner(Labelled(x, noisy), rng) <= 2**20


@pytest.mark.parametrize("family", [Intervals(), Rectangles()], ids=["intervals", "rectangles"])
def test_other_classes(family: Any) -> None:
    points = [0.5, 1.5, 2.5, 0.5] if isinstance(family, Intervals) else [(0, 1), (1, 0), (2, 2), (0, 1)]
    learner = LabelBoostProcedure(NoisyLabelCount(), family, stretched=2)
    law = learner.distribution(list(zip(points, [1, 0, -1, -1], strict=True)))
    assert sum(chance for _, chance in chances(law)) == pytest.approx(1)


def test_learners_refused() -> None:
    with pytest.raises(InvalidArgument, match="constants must be BoostConstants"):
        LabelBoost(NoisyLabelCount(), GRID, 10, 1, 1, 1, constants=3)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="dataset must hold labelled = 2 entries with and unlabelled = 3"):
        label_boost()([(0, 1), (1, -1)], np.random.default_rng())
    with pytest.raises(InvalidArgument, match="base must be one of exponential, count, got 'cuont'"):
        label_boost_procedure(base="cuont")  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="more than 4096 samples"):
        _ = LabelBoost(NoisyLabelCount(), GRID, 24_000, 2000, 0.5, 0.5, constants=SCALED).distribution
    with pytest.raises(InvalidArgument, match="kept_labelled must be at most labelled = 2, got 3"):
        SubsampledParts(NoisyLabelCount(), 2, 3, 0, 0)


def test_the_labelled_part_reads_no_other_entry() -> None:
    learner = LabelledPart(ExponentialLearner(GridThresholds(3)))
    laws = [dict(chances(learner.distribution([(1, 1), (other, -1)]))) for other in range(3)]
    assert laws[0] == laws[1] == laws[2]


# --- the audit


@pytest.mark.turns(6)
def test_a_broken_version_is_caught() -> None:
    right = label_boost_procedure(base="count", base_epsilon=2.0, stretched=1)
    neighbours = ReplaceEntry(Records.labelled(features=[0], labels=[0, 1]), 3, 2)

    @dataclass(frozen=True)
    class Best(LabelBoostProcedure):
        def choice(self, dataset: Any) -> Any:
            candidates, choice = super().choice(dataset)
            best = choice.scores == choice.scores.max()
            return candidates[best], type(choice)(choice.rate, choice.scores[best])

    broken = Best(right.learner, right.family, right.stretched)
    verdict = audit(broken, neighbours=neighbours, alpha=1e-9, max_samples=20_000)
    assert str(verdict.status) == "violated"
    # all three labels change, in half of the cases where the labels tie
    assert verdict.epsilon_lower == pytest.approx(math.log((math.exp(6) + 1) / 2))


def test_weights_of_a_mixture_may_be_balls() -> None:
    from flint import arb

    third = arb(1) / 3
    law = mixture([third, 1 - third], [{"a": Fraction(1)}, {"a": Fraction(1, 4), "b": Fraction(3, 4)}])
    assert dict(chances(law)) == pytest.approx({"a": 0.5, "b": 0.5})
    with pytest.raises(InvalidArgument, match="weights must sum to 1"):
        mixture([third, third], [{"a": Fraction(1)}] * 2)
    with pytest.raises(InvalidArgument, match="weights must be Fractions of at least 0"):
        mixture([-third, 1 + third], [{"a": Fraction(1)}] * 2)


# --- intervals by runs


@pytest.mark.parametrize("seed", range(20))
def test_the_runs_hold_every_interval_once_with_its_correct_labels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = np.unique(rng.integers(40, size=rng.integers(1, 12)))
    x = rng.choice(points, rng.integers(0, 8))
    y = rng.integers(2, size=len(x))
    choice = interval_choice(rng.permutation(np.concatenate([points, x])), x, y, Fraction(1, 2))
    _, _, times, scores = choice.pairs
    pair = np.repeat(np.arange(len(times)), times)
    rows = choice.interval(pair, np.concatenate([np.arange(count) for count in times]))
    listed = [(1, 0), *map(tuple, rows.tolist())]
    family = GridIntervals(40)
    assert sorted(listed) == sorted(map(tuple, family.representatives(points, "smallest").tolist()))
    assert [choice.zeros, *scores[pair].tolist()] == correct_labels(family, listed, x, y).tolist()


@pytest.mark.turns(6)
def test_a_hundred_thousand_points_of_intervals() -> None:
    family, rng = GridIntervals(2**20), np.random.default_rng()
    learner = LabelBoostProcedure(NoisyLabelCount(30.0), family)
    x = rng.integers(2**20, size=100_000)
    inside = (x >= 2**18) & (x < 2**19)
    y = np.where(np.arange(len(x)) < 4000, inside, -1)
    # of about 5e9 intervals: one with an error of 0.05 on S has a probability below 5e9 exp(-100), and one of 0.2 on
    # all is at most 0.05 on S with one below 4 exp(-2 4000 0.075^2) < 1e-18 (DKW, for the two ends)
    assert abs(learner(Labelled(x, y), rng) - inside.sum()) < 0.2 * len(x)


@pytest.mark.parametrize("label", [0.7, "a", None, math.nan, -1.5, 5])
@pytest.mark.parametrize("points", [3, 2000], ids=["listed", "by_runs"])
def test_a_label_that_is_none_is_refused_in_one_line(label: Any, points: int) -> None:
    # by runs a label 5 weighed nine times as much as a label 1, and 0.7 was taken for 0
    family = GridIntervals(4096)
    learner = LabelBoostProcedure(NoisyLabelCount(1.0), family)
    with pytest.raises(InvalidArgument, match="labels must be"):
        learner([(0, 1), (1, label), *((x, -1) for x in range(2, points))], np.random.default_rng())


def test_whether_intervals_are_drawn_depends_on_how_many_entries_there_are_alone() -> None:
    learner = LabelBoostProcedure(NoisyLabelCount(1.0), Intervals())
    for x in (np.arange(6000), np.zeros(6000)):
        with pytest.raises(InvalidArgument, match=r"dataset must have at most 5,790 labelled entries .* got 6,000"):
            learner((x, np.zeros(6000, dtype=np.int64)), np.random.default_rng())
    on_grid = LabelBoostProcedure(NoisyLabelCount(1.0), GridIntervals(1000))
    assert on_grid((np.arange(6000) % 1000, np.ones(6000, dtype=np.int64)), np.random.default_rng()) in range(6001)


@pytest.mark.parametrize("strange", [(99, 0), (0, 2)])
def test_an_entry_outside_the_domain_is_refused_in_every_run(strange: Any) -> None:
    for _ in range(20):
        with pytest.raises(InvalidArgument, match="must be"):
            label_boost()([strange, (0, 0), (0, -1), (1, -1), (0, -1)], np.random.default_rng())
    with pytest.raises(InvalidArgument, match="points must be"):
        label_boost()([(0, 0), (1, 0), (0, -1), (1, -1), (99, -1)], np.random.default_rng())


def test_astronomical_numbers_are_no_accident() -> None:
    with pytest.raises(InvalidArgument, match=r"labelled must be larger: .* 3\.00e5002 are wanted"):
        boost_sizes(12, base_size=10**5000, dimension=1, accuracy=0.1, failure=0.1)
    with pytest.raises(InvalidArgument, match=r"unlabelled must be at least \d\.\d\de5004"):
        boost_sizes(12_000_000, base_size=10**5000, dimension=1, accuracy=0.1, failure=0.1, unlabelled=5)
    claim = relabelled_claim(PureDP(1.0), 1e308)
    assert isinstance(claim, PureDP)
    assert 1e308 <= claim.epsilon_value <= 1.0000001e308
    assert SubsampledParts(NoisyLabelCount(1.0), 0, 0, 0, 0).claim == PureDP(1.0)
    constants = BoostConstants(enough=np.int64(300))
    assert type(constants.enough) is int
