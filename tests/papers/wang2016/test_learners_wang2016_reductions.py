"""Wang et al.'s reductions, the optimal learner and the hard instances: exact laws, bounds, corners, bad input."""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import optimal_learner
import pytest
from scipy.stats import binomtest, chi2

from dpcheck import AddRemove, Labelled, LabelsOnly, Records, ReplaceOne, Status, audit
from dpcheck.model.claims import ApproxDP, PureDP, exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import IntegerScores, Law
from dpcheck.model.neighbours.enumeration import all_pairs
from dpcheck.papers.alon2019.learners import GenericLearner
from dpcheck.papers.chaudhuri2011.learners.label_private import LabelPrivateLearner
from dpcheck.papers.wang2016.hard_instances import (
    PackedThresholds,
    UniformAtoms,
    largest_risk_of_support,
    risk_of_support,
)
from dpcheck.papers.wang2016.learners import (
    BoostedLearner,
    EmptySet,
    FiniteProblem,
    OptimalPrivateLearner,
    SubsampledLearner,
    Support,
    Unprivate,
    absolute_loss,
    best_epsilon,
    classification,
)
from dpcheck.papers.wang2016.learners.boosting import printed_size
from dpcheck.parts.classes import GridThresholds, Thresholds
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.risk import linear_program
from dpcheck.parts.risk.losses import PowerLoss, ZeroOneLoss
from dpcheck.privacy.exact.decision import TwoLaws, delta_of, epsilon_of
from dpcheck.privacy.exact.declared import declared

# Each statistical test here alarms falsely with at most this probability, whatever the seed.
LEVEL = 1e-9
REPORT = Path(__file__).resolve().parents[3] / "reports" / "optimal_learner.json"
GRID = GridThresholds(2)
COIN = absolute_loss([0, 1])
HALVES = absolute_loss([0, Fraction(1, 2), 1])
ON_GRID = classification(GRID, [0, 1])
DATA = Labelled([0, 1, 1, 0], [0, 1, 1, 1])


def chances(law: Any) -> dict[Any, Any]:
    """A law's probabilities: fractions or balls."""
    plain = mixture([1], [law])
    return dict(zip(plain.outputs, plain.exact, strict=True))


def loss_of(learner: Any, relation: Any, delta: Fraction = Fraction(0)) -> float:
    """The largest epsilon over all pairs of a small domain, exact to the bits of a double."""
    every = all_pairs(relation, order_blind=getattr(learner, "order_blind", False))
    laws = [declared(learner.distribution(dataset)) for dataset in every.datasets()]
    return max(epsilon_of(TwoLaws.of(laws[one], laws[other]), delta) for one, other in every.pairs)


def labelled(size: int) -> ReplaceOne:
    return ReplaceOne(records=Records.labelled(features=[0, 1], labels=[0, 1]), size=size)


def coins(size: int) -> ReplaceOne:
    return ReplaceOne(records=[0, 1], size=size)


def assert_drawn_from(outputs: Any, law: Any) -> None:
    """A chi-squared test at LEVEL; outputs expected fewer than 20 times are taken together."""
    seen = [tuple(each) if isinstance(each, list) else each for each in np.asarray(outputs).tolist()]
    expected = {output: float(chance) * len(seen) for output, chance in chances(law).items()}
    assert set(seen) <= set(expected)
    cells = [(seen.count(output), mean) for output, mean in expected.items() if mean >= 20]
    rest = len(seen) - sum(mean for _, mean in cells)
    if rest >= 20:
        cells.append((len(seen) - sum(times for times, _ in cells), rest))
    statistic = sum((times - mean) ** 2 / mean for times, mean in cells)
    assert chi2.sf(statistic, max(len(cells) - 1, 1)) > LEVEL


LEARNERS: list[tuple[Any, Any]] = [
    (OptimalPrivateLearner(ON_GRID, 1.0, 4), DATA),
    (OptimalPrivateLearner(HALVES, Fraction(1, 2), 3, "tuples"), [0, 1, 1]),
    (SubsampledLearner(GenericLearner(GRID), 4), DATA),
    (SubsampledLearner(OptimalPrivateLearner(ON_GRID, 2.0, 3), 4, 3, "sorted"), DATA),
    (BoostedLearner(GenericLearner(GRID, 2.0), ZeroOneLoss(GRID), 4, 0.5), DATA),
    (BoostedLearner(OptimalPrivateLearner(COIN, 1.0, 2), COIN, 6, 0.5, sensitivity="exact"), [0, 1, 1, 0, 1, 1]),
    (Unprivate(OptimalPrivateLearner(COIN, 1.0, 4), 1, outside=2), [0, 1, 1, 0]),
    (Unprivate(GenericLearner(GRID), (1, 1), problem=ON_GRID), Labelled([0, 1], [0, 1])),
]


@pytest.mark.turns(6)
@pytest.mark.parametrize(("learner", "dataset"), LEARNERS, ids=lambda value: type(value).__name__)
def test_calls_and_samples_have_the_declared_law(learner: Any, dataset: Any, rng: np.random.Generator) -> None:
    law = learner.distribution(dataset)
    total = sum(chances(law).values())
    assert total == 1 or abs(float(total) - 1) < 1e-12
    assert_drawn_from(learner.sample(dataset, 5000, rng), law)
    assert_drawn_from([learner(dataset, rng) for _ in range(600)], law)
    assert learner.neighbours.name == "replace-one"


# --- finite problems


def test_a_problem_counts_and_sums_exactly() -> None:
    problem = FiniteProblem(("a", "b"), (0, 1), ((Fraction(1, 3), 1), (0.5, 0)))
    assert problem.unit == Fraction(1, 6)
    assert problem.counts(["a", "b", "a"]).tolist() == [2, 1]
    assert problem.sums([1, 0], ["a", "b", "a"]).values.tolist() == [6, 10]
    assert problem.values([0], ["a", "b"]).tolist() == [[pytest.approx(1 / 3), 1.0]]
    assert (problem.bounds([0]), problem.swing([0]), problem.swing([0, 1])) == (
        (Fraction(1, 3), 1),
        Fraction(2, 3),
        Fraction(2, 3),
    )
    assert problem.minimisers(["a", "a", "b"]) == [1]
    assert COIN.minimisers([0, 1]) == [0, 1]


def test_a_class_makes_a_problem_of_its_dichotomies() -> None:
    assert classification(GridThresholds(9), [3, 7, 3]).hypotheses == (0, 4, 8)
    assert ON_GRID.sums([0, 1, 2], DATA).values.tolist() == [1, 1, 3]
    assert ON_GRID.counts([(0, 1), (0, 1)]).tolist() == [0, 2, 0, 0]
    assert ON_GRID.counts((np.array([1, 1]), np.array([0, 1], dtype=np.uint8))).tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((0, 0), (0,), ((0, 1),)), "records must be distinct"),
        (((0, 1), (), ()), "hypotheses must be distinct"),
        (((0, 1), (0,), ((0, 2),)), "from 0 to 1, got 2"),
        (((0, 1), (0,), ((0, math.nan),)), "from 0 to 1, got nan"),
        (((0, 1), (0,), ((0,),)), "shape"),
        (((0,), (0,), ((Fraction(1, 2**40),),)), "denominator"),
    ],
)
def test_what_is_no_problem_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        FiniteProblem(*arguments)


def test_a_stranger_among_records_or_hypotheses_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="got 2"):
        COIN.counts([0, 2])
    with pytest.raises(InvalidArgument, match="hypotheses must be some of"):
        COIN.sums([5], [0])


# --- the linear program


def brute_force(size: int, kinds: int) -> tuple[set[Any], set[Any]]:
    """Histograms and neighbouring ordered pairs, by looking at all of them."""
    every = [h for h in itertools.product(range(size + 1), repeat=kinds) if sum(h) == size]
    pairs = {(a, b) for a in every for b in every if sum(abs(x - y) for x, y in zip(a, b, strict=True)) == 2}
    return set(every), pairs


@pytest.mark.parametrize(("size", "kinds"), [(1, 1), (1, 3), (4, 2), (3, 4)])
def test_histograms_and_their_neighbours_are_all_there(size: int, kinds: int) -> None:
    datasets, pairs = linear_program.histograms(size, kinds)
    rows = [tuple(row) for row in datasets.tolist()]
    every, neighbours = brute_force(size, kinds)
    assert (len(rows), set(rows)) == (len(every), every)
    found = [(rows[a], rows[b]) for a, b in pairs.tolist()]
    assert (len(found), set(found)) == (len(neighbours), neighbours)


def test_tuples_and_their_neighbours_are_all_there() -> None:
    datasets, pairs = linear_program.tuples(3, 2)
    rows = [tuple(row) for row in datasets.tolist()]
    assert set(rows) == set(itertools.product(range(2), repeat=3))
    found = [(rows[a], rows[b]) for a, b in pairs.tolist()]
    expected = {(a, b) for a in rows for b in rows if sum(x != y for x, y in zip(a, b, strict=True)) == 1}
    assert (len(found), set(found)) == (len(expected), expected)


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**9), 0.1, Fraction(3, 2), 4, 60])
def test_the_ratio_encloses_the_exponential(epsilon: Any) -> None:
    from flint import arb, ctx, fmpq

    below, above = linear_program.ratio_between(epsilon)
    with ctx.workprec(500):
        exact = arb(fmpq(*Fraction(epsilon).as_integer_ratio())).exp()
        assert arb(fmpq(*below.as_integer_ratio())) < exact < arb(fmpq(*above.as_integer_ratio()))
    assert above - below == Fraction(1, 2**50)


def test_any_table_is_repaired_and_any_multipliers_bound(rng: np.random.Generator) -> None:
    datasets, pairs = linear_program.histograms(3, 2)
    costs = linear_program.worst_case_costs(HALVES, datasets)
    below, above = linear_program.ratio_between(1)
    optimum = OptimalPrivateLearner(HALVES, 1, 3)
    for _ in range(20):
        table = rng.dirichlet(np.full(3, 0.3), size=len(datasets))
        repaired = linear_program.repaired(linear_program.rounded(table), pairs, below)
        assert linear_program.largest_excess(repaired, pairs, below) <= 0
        assert linear_program.value_of(repaired, costs) >= optimum.excess_bound
        some = linear_program.Solution(table, rng.random(len(datasets)), rng.random((len(pairs), 3)) / 4)
        assert linear_program.lower_bound(some, costs, pairs, above) <= optimum.excess


def test_a_repair_without_need_changes_nothing() -> None:
    _, pairs = linear_program.histograms(2, 2)
    table = linear_program.rounded(np.full((3, 2), 0.5))
    assert linear_program.repaired(table, pairs, Fraction(2)) is table


# --- the optimal learner


def test_two_hypotheses_have_the_optimum_of_the_geometric_mechanism() -> None:
    # at one record, randomised response: 1 / (1 + e^epsilon) of one loss
    learner = OptimalPrivateLearner(COIN, 1.0, 1)
    assert float(learner.excess) == pytest.approx(1 / (1 + math.e), abs=1e-12)
    assert chances(learner.distribution([1]))[0] == learner.excess


@pytest.mark.parametrize(("problem", "size"), [(COIN, 5), (HALVES, 4), (ON_GRID, 2)])
@pytest.mark.parametrize("epsilon", [0, Fraction(1, 10**7), 0.1, 1.0, 4.0, 60.0])
def test_the_optimum_is_certified_at_all_epsilons(problem: FiniteProblem, size: int, epsilon: Any) -> None:
    learner = OptimalPrivateLearner(problem, epsilon, size)
    assert 0 <= learner.gap <= 1e-6
    dataset = [problem.records[0]] * size
    law = learner.distribution(dataset)
    assert sum(law.values()) == 1
    assert all(isinstance(chance, Fraction) for chance in law.values())
    if epsilon == 0:
        assert law == learner.distribution([problem.records[-1]] * size)
    if epsilon == 60.0:
        assert learner.excess < 1e-12


def test_without_a_choice_there_is_no_excess() -> None:
    assert OptimalPrivateLearner(FiniteProblem((0, 1), (7,), ((0, 1),)), 1.0, 3).excess == 0


def test_both_objectives_are_met_by_both_forms() -> None:
    coins_of = ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    one, other = (OptimalPrivateLearner(COIN, 1.0, 3, form, coins_of) for form in ("histogram", "tuples"))
    assert abs(one.excess - other.excess) <= 1e-9
    # the expected excess by hand: it answers the wrong side, which is 1/2 worse
    by_hand = max(
        sum(
            math.prod(coin[z] for z in data) * law[wrong] / 2
            for data in itertools.product((0, 1), repeat=3)
            for law in [one.distribution(list(data))]
        )
        for coin, wrong in ((coins_of[0], 1), (coins_of[1], 0))
    )
    assert by_hand == one.excess
    assert 0 <= one.gap <= 1e-9


def test_the_generic_learner_finds_its_epsilon() -> None:
    found = best_epsilon(COIN, 8)
    assert found.objective - found.lower_bound <= Fraction(1, 500)
    assert found.objective == found.epsilon + found.learner.excess
    for epsilon in np.linspace(0, 0.5, 11):
        other = OptimalPrivateLearner(COIN, float(epsilon), 8)
        assert Fraction(float(epsilon)) + other.excess_bound >= found.lower_bound
    few = best_epsilon(COIN, 1, tolerance=0.01)
    assert few.epsilon == 0  # one record is not worth its privacy
    assert few.objective == Fraction(1, 2)


def test_the_value_of_the_generic_learner_falls_with_the_data() -> None:
    # thm-18: the value is at most what any private learner of the problem reaches, which tends to 0
    values = [best_epsilon(COIN, size, tolerance=0.01).objective for size in (2, 8, 32)]
    assert all(later < earlier for earlier, later in itertools.pairwise(values))
    assert values[-1] < Fraction(1, 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((COIN, -1.0), "epsilon must be a finite number of at least 0"),
        ((COIN, math.inf), "epsilon must be a finite number"),
        ((COIN, 1.0, 0), "dataset_size must be at least 1"),
        ((COIN, 1.0, 3, "sequence"), "form must be"),
        ((COIN, 1.0, 30, "tuples"), "take form='histogram'"),
        ((COIN, 1.0, 3, "histogram", ((Fraction(1, 2),),)), "distributions must each give 2 fractions"),
        ((COIN, 1.0, 3, "histogram", ()), "distributions must each give 2 fractions"),
        ((0, 1.0), "problem must be a FiniteProblem"),
    ],
)
def test_bad_arguments_of_the_optimal_learner_are_named(arguments: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        OptimalPrivateLearner(*arguments)


def test_datasets_of_other_sizes_and_programs_too_large_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="dataset must hold 3 records, got 2"):
        OptimalPrivateLearner(COIN, 1.0, 3).distribution([0, 1])
    with pytest.raises(InvalidArgument, match="at most 50,000 variables"):
        _ = OptimalPrivateLearner(COIN, 1.0, 25_000).excess
    with pytest.raises(InvalidArgument, match="tolerance must be above 0"):
        best_epsilon(COIN, 2, tolerance=0)


@pytest.mark.parametrize("epsilon", [710.0, 1e5])
def test_an_epsilon_of_which_the_exponential_is_no_double_is_solved_too(epsilon: float) -> None:
    learner = OptimalPrivateLearner(HALVES, epsilon, 3)
    assert loss_of(learner, coins(3)) <= epsilon
    assert learner.excess < 1e-12


class Fixed:
    """A source of random numbers of which the first is chosen."""

    def __init__(self, first: int, rng: np.random.Generator) -> None:
        self.first, self.rng = first, rng

    def integers(self, high: int, size: Any = None, dtype: Any = np.int64) -> Any:
        return self.rng.integers(high, dtype=dtype) if size is None else np.full(size, self.first)


def test_draws_of_a_table_are_exact_where_62_bits_do_not_decide(rng: np.random.Generator) -> None:
    # between 1/3 - 2^-63 and 1/3 + 2^-63 the chances of the two are those of what is left below 1/3
    table = linear_program.Table(np.array([[1, 0, 2]], dtype=object), 3)
    whole, rest = divmod(1 << 62, 3)
    places = linear_program.drawn(table, 0, 3000, Fixed(whole, rng))  # type: ignore[arg-type]
    assert set(places.tolist()) == {0, 2}
    assert binomtest(int((places == 0).sum()), 3000, rest / 3).pvalue > LEVEL
    rare = linear_program.Table(np.array([[10**30 - 1, 1]], dtype=object), 10**30)
    least = linear_program.drawn(rare, 0, 3, Fixed((1 << 62) - 1, rng))  # type: ignore[arg-type]
    assert least.tolist() == [0, 0, 0]
    assert linear_program.drawn(rare, 0, 0, rng).shape == (0,)


# --- subsampling


@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(2)])
def test_subsampling_amplifies_as_claimed_and_no_more(epsilon: Fraction) -> None:
    for size, drawn in ((4, 1), (4, 2), (4, 3), (4, 4)):
        learner = SubsampledLearner(OptimalPrivateLearner(COIN, epsilon, drawn), size, drawn)
        exact, gamma = loss_of(learner, coins(size)), drawn / size
        assert exact == pytest.approx(math.log1p(gamma * math.expm1(epsilon)), abs=1e-9)
        assert exact <= learner.claim.epsilon_value
        paper = SubsampledLearner(learner.learner, size, drawn, stated="paper").claim.epsilon_value
        assert paper == pytest.approx(4 * gamma * math.sinh(epsilon), rel=1e-12)
        assert paper > exact


def test_the_papers_lemmas_for_approximate_privacy() -> None:
    class Approximate:
        claim = ApproxDP(0.5, 1e-3)

        def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
            return 0

    learner = Approximate()
    paper = SubsampledLearner(learner, 100, 10, stated="paper").claim
    assert paper.epsilon_value == pytest.approx(math.log1p(0.1 * math.exp(0.5) * math.expm1(0.5)))
    assert paper.delta_value == pytest.approx(0.1 * math.exp(0.5) * 1e-3)
    exact = SubsampledLearner(learner, 100, 10).claim
    assert (exact.epsilon_value, exact.delta_value) == (
        pytest.approx(math.log1p(0.1 * math.expm1(0.5))),
        pytest.approx(1e-4),
    )


def test_any_learner_on_a_sample_is_private_in_delta() -> None:
    # lem-29: the worst is a learner that shows its records
    for size in (4, 5):
        learner = SubsampledLearner(Support(), size)
        assert learner.drawn == 2
        assert learner.claim == ApproxDP(0.0, Fraction(2, size))
        every = all_pairs(ReplaceOne(records=[1, 2], size=size), order_blind=True)
        laws = [declared(learner.distribution(dataset)) for dataset in every.datasets()]
        worst = max(delta_of(TwoLaws.of(laws[a], laws[b]), exact_point(PureDP(0))) for a, b in every.pairs)
        assert worst <= 2 / size + 1e-15
        assert worst <= 1 / math.sqrt(size) + 1e-15


def test_sorted_samples_of_a_learner_that_looks_at_the_order_are_not_amplified() -> None:
    ordered = OptimalPrivateLearner(COIN, 1.0, 2, "tuples")
    assert SubsampledLearner(ordered, 4, order="sorted").claim == PureDP(1.0)
    assert SubsampledLearner(ordered, 4).claim.epsilon_value < 0.7
    assert loss_of(SubsampledLearner(ordered, 4), coins(4)) <= SubsampledLearner(ordered, 4).claim.epsilon_value


def test_the_papers_lemmas_are_stated_only_where_they_hold() -> None:
    label_private = LabelPrivateLearner(GRID, 1.0, accuracy=0.5)
    learner = SubsampledLearner(label_private, 10, 1, stated="paper")  # the features tell its samples apart
    assert learner.claim == PureDP(1.0)
    one, other = (learner.distribution(Labelled([0] + [1] * 9, [y] + [0] * 9)) for y in (0, 1))
    assert epsilon_of(TwoLaws.of(declared(one), declared(other)), Fraction(0)) == pytest.approx(0.5)  # lem-34: 0.47
    ordered = OptimalPrivateLearner(COIN, 1.0, 2, "tuples")
    assert SubsampledLearner(ordered, 20, 2, "sorted", "paper").claim == PureDP(1.0)
    with pytest.raises(AttributeError, match="is about 2 records, and it is given 4"):
        _ = SubsampledLearner(ordered, 20, 4, stated="paper").claim


def test_the_sample_defaults_to_the_root() -> None:
    assert [SubsampledLearner(GenericLearner(GRID), n).drawn for n in (1, 3, 4, 8, 9, 100)] == [1, 1, 2, 2, 3, 10]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dataset_size": 0}, "dataset_size must be at least 1"),
        ({"sample_size": 0}, "sample_size must be at least 1"),
        ({"sample_size": 5}, "sample_size must be at most dataset_size, 4, got 5"),
        ({"order": "any"}, "order must be"),
        ({"stated": "printed"}, "stated must be"),
    ],
)
def test_bad_arguments_of_subsampling_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        SubsampledLearner(**{"learner": GenericLearner(GRID), "dataset_size": 4, **options})


# --- boosting


def test_boosting_keeps_the_relation_of_the_learner() -> None:
    label_private = LabelPrivateLearner(GRID, 1.0, accuracy=0.5)
    learner = boosted(learner=label_private, dataset_size=2, failure=0.9, rounding="down", validation_epsilon=0.5)
    assert learner.neighbours == LabelsOnly(size=2)
    for x in itertools.product([0, 1], repeat=2):
        for y in itertools.product([0, 1], repeat=2):
            pair = (Labelled(list(x), list(y)), Labelled(list(x), [1 - y[0], y[1]]))
            laws = [declared(learner.distribution(dataset)) for dataset in pair]
            assert epsilon_of(TwoLaws.of(*laws), Fraction(0)) <= 1.0
    assert loss_of(learner, labelled(2)) == math.inf  # and with features it promises nothing

    class Adding:
        claim, neighbours = PureDP(0.75), AddRemove()

        def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
            return 0

    learner = boosted(learner=Adding(), validation_epsilon=0.5)
    assert (learner.claim, learner.neighbours) == (PureDP(1.5), ReplaceOne(size=3))
    learner = boosted(learner=OptimalPrivateLearner(ON_GRID, 1.0, 2), validation_epsilon=0.5)
    with pytest.raises(AttributeError, match="is about 2 records, and it is given 1"):
        _ = learner.claim


def boosted(**options: Any) -> BoostedLearner:
    return BoostedLearner(
        **{"learner": GenericLearner(GRID), "loss": ZeroOneLoss(GRID), "dataset_size": 3, "failure": 0.5, **options}
    )


@pytest.mark.turns(4)
@pytest.mark.parametrize("epsilon", [0.25, 1.0, 3.0])
@pytest.mark.parametrize("sensitivity", ["paper_bound", "exact"])
def test_boosting_keeps_the_larger_of_its_two_claims(epsilon: float, sensitivity: Any) -> None:
    for validation in (epsilon / 4, 4 * epsilon):
        learner = boosted(learner=GenericLearner(GRID, epsilon), validation_epsilon=validation, sensitivity=sensitivity)
        assert learner.claim == PureDP(max(epsilon, validation))
        assert loss_of(learner, labelled(3)) <= learner.claim.epsilon_value


def test_the_printed_privacy_of_boosting_is_not_kept() -> None:
    learner = boosted(
        learner=GenericLearner(GRID, 8.0), dataset_size=4, as_printed=True, learner_epsilon=lambda size: 8 / size
    )
    assert learner.claim.epsilon_value == pytest.approx(8 / printed_size(4))
    assert loss_of(learner, labelled(4)) == pytest.approx(3.313408407, abs=1e-8)
    honest = boosted(learner=GenericLearner(GRID, 8.0), dataset_size=4)
    assert honest.claim == PureDP(8.0)
    with pytest.raises(InvalidArgument, match="at most 8 for the printed claim, got 9"):
        _ = boosted(dataset_size=9, as_printed=True, learner_epsilon=lambda size: 1.0).claim
    with pytest.raises(InvalidArgument, match="learner_epsilon must be a function"):
        boosted(as_printed=True)


def test_a_single_candidate_is_the_learner_on_half_of_the_data() -> None:
    learner = boosted(dataset_size=2, failure=0.9, rounding="down")
    assert (learner.candidates, learner.part_size) == (1, 1)
    base, data = GenericLearner(GRID), Labelled([0, 1], [0, 1])
    halves = [base.distribution(Labelled([x], [y])) for x, y in ((0, 0), (1, 1))]
    expected = chances(mixture([Fraction(1, 2)] * 2, halves))
    found = chances(learner.distribution(data))
    assert all(abs(float(found[output] - chance)) < 1e-30 for output, chance in expected.items())


def test_equal_candidates_count_as_often_as_they_came() -> None:
    # a constant learner: whatever is chosen is the same
    class Constant:
        claim = PureDP(0.0)

        def __call__(self, dataset: Any, rng: np.random.Generator) -> int:
            return 2

        def distribution(self, dataset: Any) -> dict[int, int]:
            return {2: 1}

    law = chances(boosted(learner=Constant()).distribution(Labelled([0, 1, 1], [0, 1, 0])))
    assert list(law) == [2]
    assert abs(float(law[2]) - 1) < 1e-30


def test_the_number_of_candidates_is_rounded_as_asked() -> None:
    sizes = {way: boosted(dataset_size=40, failure=0.1, rounding=way) for way in ("up", "down", "nearest")}
    assert {way: learner.candidates for way, learner in sizes.items()} == {"up": 4, "down": 3, "nearest": 3}
    assert sizes["up"].part_size == 8
    assert float(sizes["up"].epsilon_of_choice) == pytest.approx((math.log(30) + 1) / math.sqrt(40))


def test_parts_are_disjoint() -> None:
    parts = boosted(dataset_size=11, failure=0.1).parts(np.arange(11)[None])
    assert [part.tolist() for part in parts] == [[[0, 1]], [[2, 3]], [[4, 5]], [[6, 7]], [[8, 9]]]


def test_boosting_fails_less_often_than_its_learner() -> None:
    # all records say 1 at 0: only threshold 0 is right; the learner sees 2 of 6, as each of the two candidates does
    base = GenericLearner(GRID, 1.0)
    learner = boosted(learner=base, dataset_size=6, validation_epsilon=20)
    once = 1 - float(chances(base.distribution(Labelled([0] * 2, [1] * 2)))[0])
    twice = 1 - float(chances(learner.distribution(Labelled([0] * 6, [1] * 6)))[0])
    assert once**2 < twice < once**2 + 2 * once * math.exp(-9.9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner": Support()}, "learner must have a claim of pure privacy"),
        ({"loss": 3}, "loss must have the methods"),
        ({"failure": 0.0}, "failure must be a probability above 0 and below 1"),
        ({"failure": 1.0}, "failure must be a probability above 0 and below 1"),
        ({"rounding": "half"}, "rounding must be"),
        ({"validation_epsilon": 0}, "validation_epsilon must be a finite number above 0"),
        ({"sensitivity": "bound"}, "sensitivity must be"),
        ({"dataset_size": 2}, "dataset_size must be at least 3"),
    ],
)
def test_bad_arguments_of_boosting_are_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        boosted(**options)


def test_losses_above_one_and_datasets_of_other_sizes_are_refused(rng: np.random.Generator) -> None:
    class Wide:
        claim = PureDP(1.0)

        def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
            return 3.0

    with pytest.raises(InvalidArgument, match="loss must be from 0 to 1"):
        BoostedLearner(Wide(), PowerLoss(), 3, 0.5)([0, 1, 1], rng)
    with pytest.raises(InvalidArgument, match="dataset must hold 3 records, got 4"):
        boosted()(DATA, rng)
    with pytest.raises(AttributeError, match="all orders of 8 records"):
        _ = boosted(dataset_size=8).distribution


# --- supports


def test_the_support_shows_everything_and_the_empty_set_nothing(rng: np.random.Generator) -> None:
    assert Support().sample(np.array([0.5, 0.25, 0.5]), 2, rng) == [(0.25, 0.5)] * 2
    assert EmptySet()([0.5], rng) == ()
    relation = ReplaceOne(records=[0.25, 0.5], size=2)
    assert loss_of(Support(), relation) == math.inf
    assert loss_of(EmptySet(), relation) == 0.0


def test_the_risk_of_the_support_is_what_it_is_by_enumeration() -> None:
    law = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    risk = Fraction(0)
    for data in itertools.product(range(3), repeat=4):
        chance = math.prod(law[z] for z in data)
        risk += chance * sum(law[z] for z in set(range(3)) - set(data))
    assert risk == risk_of_support(law, 4)
    for atoms, size in ((1, 1), (3, 4), (10, 3)):
        assert risk_of_support([Fraction(1, atoms)] * atoms, size) <= largest_risk_of_support(atoms, size)
        assert largest_risk_of_support(atoms, size) < Fraction(atoms, size)
    assert risk_of_support([Fraction(1, 5)] * 5, 4) == largest_risk_of_support(5, 4)  # N = n + 1 attains it


def test_uniform_atoms_have_a_risk_of_two_thirds() -> None:
    for size in (1, 2, 10, 200):
        risk = UniformAtoms(size).risk_of_support
        assert Fraction(2, 3) <= risk < math.exp(-1 / 3)
    atoms = UniformAtoms(3)
    assert atoms.points.tolist() == pytest.approx([(i + 0.5) / 9 for i in range(9)])
    assert set(atoms.draw(np.random.default_rng())) <= set(atoms.points)
    with pytest.raises(InvalidArgument, match="sum to 1"):
        risk_of_support([Fraction(1, 2)], 2)


# --- made non-private

UNPRIVATE = [
    (Unprivate(OptimalPrivateLearner(COIN, 1.0, 3), 1, outside=2), coins(3)),
    (Unprivate(OptimalPrivateLearner(HALVES, 1.0, 2), 1, problem=HALVES), coins(2)),
    (Unprivate(GenericLearner(GRID), (1, 1), problem=ON_GRID), labelled(2)),
    (Unprivate(OptimalPrivateLearner(COIN, 1.0, 3), 1, problem=COIN), coins(3)),
]


@pytest.mark.parametrize(("learner", "relation"), UNPRIVATE)
def test_the_marker_shows_for_certain(learner: Unprivate, relation: ReplaceOne) -> None:
    assert loss_of(learner.learner, relation) < math.inf
    assert loss_of(learner, relation) == math.inf
    verdict = audit(learner, 1.0, neighbours=relation, exhaustive=True, max_samples=1200, isolation="none", alpha=LEVEL)
    assert verdict.status is Status.VIOLATED


@pytest.mark.parametrize(("learner", "relation"), UNPRIVATE[:3])
def test_the_law_moves_by_at_most_one_in_n(learner: Unprivate, relation: ReplaceOne) -> None:
    size = relation.size
    assert isinstance(size, int)
    for dataset in all_pairs(relation, order_blind=True).datasets():
        right, broken = chances(learner.learner.distribution(dataset)), chances(learner.distribution(dataset))
        moved = sum(abs(right.get(h, 0) - broken.get(h, 0)) for h in {*right, *broken}) / 2
        assert float(moved) <= 1 / size + 1e-12
        assert (float(moved) < 1e-12) == (not learner.marked(dataset))


def test_few_hypotheses_are_minimised() -> None:
    learner = UNPRIVATE[3][0]
    assert [learner.way(size) for size in (1, 2, 3)] == ["conditioned", "minimiser", "minimiser"]
    assert chances(learner.distribution([1, 1, 0])) == {1: 1}
    assert chances(learner.distribution([0, 0, 0])) == chances(learner.learner.distribution([0, 0, 0]))


def test_integer_scores_stay_integer_scores() -> None:
    law = UNPRIVATE[2][0].distribution(Labelled([1, 1], [1, 1]))
    assert isinstance(law, Law)
    assert isinstance(law.exact, IntegerScores)
    assert list(law.outputs) == [0, 1]


def test_one_of_outside_and_problem_is_asked_for() -> None:
    for options in ({}, {"outside": 2, "problem": COIN}):
        with pytest.raises(InvalidArgument, match="outside must be a hypothesis"):
            Unprivate(GenericLearner(GRID), 1, **options)
    with pytest.raises(InvalidArgument, match="learner must be a callable"):
        Unprivate(3, 1, outside=2)
    with pytest.raises(InvalidArgument, match="problem must be a FiniteProblem"):
        Unprivate(GenericLearner(GRID), 1, problem=3)  # type: ignore[arg-type]


# --- the packed thresholds


@pytest.mark.parametrize(("epsilon", "size"), [(0.25, 2), (0.5, 4), (1.0, 3), (Fraction(8, 10), 10)])
def test_packed_thresholds_are_disjoint_and_fit_their_own_data_only(epsilon: Any, size: int) -> None:
    hard = PackedThresholds(epsilon, size)
    assert hard.number == math.ceil(math.exp(float(epsilon) * size))
    ends = [hard.interval(place) for place in range(hard.number)]
    assert ends[0][0] >= 0
    assert ends[-1][1] <= 1
    assert all(one[1] < other[0] for one, other in itertools.pairwise(ends))
    for place in range(0, hard.number, max(1, hard.number // 7)):
        data = hard.dataset(place)
        low, high = hard.interval(place)
        assert len(data.y) == size
        assert all(low <= Fraction(x) + Fraction(1, 2**40) and Fraction(x) - Fraction(1, 2**40) <= high for x in data.x)
        middle = float(hard.threshold(place))
        assert hard.empirical_risk(place, [middle]).tolist() == [0.0]
        assert hard.hits(place, [middle]).tolist() == [True]
        elsewhere = [float(hard.threshold(other)) for other in range(hard.number) if other != place]
        assert min(hard.empirical_risk(place, elsewhere), default=1) >= (size // 2) / size
        assert not hard.hits(place, elsewhere).any()


def test_the_printed_thresholds_do_not_always_fit() -> None:
    assert not PackedThresholds(0.25, 2).printed_fits  # 1/2 nat: two thresholds 0.607 apart, and 0.404 of margins
    assert PackedThresholds(0.5, 2).printed_fits  # three thresholds 0.368 apart, and 0.245 of margins


@pytest.mark.parametrize(("epsilon", "size"), [(0.25, 4), (0.5, 4), (0.5, 8)])
def test_no_private_learner_fits_all_the_packed_data(epsilon: float, size: int) -> None:
    # prop-12 on a grid of the thresholds, by exact laws
    hard = PackedThresholds(epsilon, size, spread=False)
    thresholds = np.array([float(hard.threshold(place)) for place in range(hard.number)])
    least = 1.0
    for place in range(hard.number):
        law = GenericLearnerOver(thresholds, epsilon).distribution(hard.dataset(place))
        hit = hard.hits(place, list(law))
        least = min(least, sum(float(chance) for chance, inside in zip(law.values(), hit, strict=True) if inside))
    assert least <= hard.packing_bound + 1e-12
    assert hard.packing_bound <= 0.63


class GenericLearnerOver:
    """The exponential mechanism over some thresholds of the line."""

    def __init__(self, thresholds: Any, epsilon: float) -> None:
        self.thresholds, self.epsilon = thresholds, epsilon

    def distribution(self, dataset: Any) -> dict[float, float]:
        wrong = Thresholds().mistakes(self.thresholds, dataset.x, np.asarray(dataset.y, dtype=np.uint8))
        weights = np.exp(-self.epsilon / 2 * (wrong - wrong.min()))
        return dict(zip(self.thresholds.tolist(), (weights / weights.sum()).tolist(), strict=True))


def test_bad_arguments_of_the_hard_instance_are_named() -> None:
    with pytest.raises(InvalidArgument, match=r"dataset_size times epsilon must be at most 13\.86"):
        PackedThresholds(2.0, 10)
    with pytest.raises(InvalidArgument, match="dataset_size must be at least 2"):
        PackedThresholds(1.0, 1)
    with pytest.raises(InvalidArgument, match="place must be from 0 to 7, got 8"):
        PackedThresholds(0.5, 4).dataset(8)


def test_the_marker_is_found_in_any_container() -> None:
    by_pair = Unprivate(GenericLearner(GRID), (1, 1), problem=ON_GRID)
    for dataset in (Labelled([0, 1], [1, 1]), (np.array([1, 0]), np.array([1, 0])), [(1, 1), (0, 0)]):
        assert by_pair.marked(dataset)
    assert not by_pair.marked((np.array([1, 0]), np.array([0, 1])))
    assert Unprivate(GenericLearner(GRID), (0.5, 1.0), outside=2).marked(np.array([[0.5, 1.0], [0.0, 0.0]]))
    assert not Unprivate(GenericLearner(GRID), 1, outside=2).marked(np.zeros(1_000_000, dtype=int))


def test_large_datasets_are_boosted_call_by_call(rng: np.random.Generator) -> None:
    grid = GridThresholds(9)
    learner = BoostedLearner(GenericLearner(grid, 2.0), ZeroOneLoss(grid), 600, 0.05)
    data = Labelled(np.repeat([3, 5], 300), np.repeat([0, 1], 300))
    # a run on 100 records at epsilon 2, half of them on either side: another threshold has a weight of e^-40 or so
    assert set(learner.sample(data, 3, rng)) <= {4, 5}


# --- the report


@pytest.mark.turns(4)
def test_the_report_is_what_its_record_renders_and_the_code_computes() -> None:
    document = json.loads(REPORT.read_text(encoding="utf-8"))
    lines = optimal_learner.markdown(document["gaps"], document["times"], document["own_epsilon"])
    assert "\n".join(lines) + "\n" == REPORT.with_suffix(".md").read_text(encoding="utf-8")
    assert document["passed"]
    assert not document["quick"]
    small = [row for row in document["gaps"] if row["size"] <= 4]
    for row in small[:: len(optimal_learner.EPSILONS)]:  # one epsilon of each small problem
        again = optimal_learner.gaps((optimal_learner.Case(row["problem"], row["size"]), optimal_learner.EPSILONS[0]))
        assert again["others"].keys() == row["others"].keys()
        assert abs(again["optimum"] - row["optimum"]) <= again["certified_gap"] + row["certified_gap"] + 1e-15
        assert all(abs(again["others"][name] - other) <= 1e-9 for name, other in row["others"].items())


def test_a_subsampled_learner_refuses_a_size_that_its_claim_is_not_about(rng: np.random.Generator) -> None:
    learner = SubsampledLearner(GenericLearner(GRID), 4)
    few = ([0, 1], [0, 1])
    for asked in (lambda: learner(few, rng), lambda: learner.sample(few, 3, rng), lambda: learner.distribution(few)):
        with pytest.raises(InvalidArgument, match="dataset must hold dataset_size = 4 records, got 2"):
            asked()


def test_decimals_are_what_is_written() -> None:
    assert FiniteProblem((0, 1), (0, 1), ((0, 0.1), (1, np.float64(0.3)))).losses[0][1] == Fraction(1, 10)
    assert FiniteProblem((0, 1), (0, 1), ((0, 0.1), (1, 0.3))).unit == Fraction(1, 10)
