"""Noisy majorities: what their labels are, what m of them cost, and that no vote table costs more."""

from __future__ import annotations

import itertools
import math
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dpcheck
from dpcheck import AddRemove, Records, Status
from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners.base_learners import LeastPositive
from dpcheck.papers.bassily2018.learners.composition import (
    ACCOUNTINGS,
    NOISES,
    DifferenceProfile,
    composed_claim,
    scale_for,
)
from dpcheck.papers.bassily2018.learners.noisy_majority import ConstantAnswers, Majority, NoisyMajority
from dpcheck.papers.bassily2018.learners.noisy_votes import NoisyVotes, _integrated
from dpcheck.papers.bassily2018.learners.rounds import drawn_patterns
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.votes import ConstantModel
from dpcheck.parts.mechanisms.gaussian import GaussianProfile
from dpcheck.parts.mechanisms.profile import FiniteProfile
from tests.statistical_tests import LEVEL

EPSILONS = (0.0, 0.1, 0.4, 0.9)


def of_tables(left: Any, right: Any, noise: str, scale: float) -> FiniteProfile:
    """The profile of the labels of two vote tables: all outcomes of all queries."""
    laws = [NoisyVotes(np.asarray(table), noise, scale).chances for table in (left, right)]
    products = [np.array([math.prod(each) for each in itertools.product(*law.tolist())]) for law in laws]
    return FiniteProfile(*products)


def moved(counts: Any, votes: Any) -> Any:
    """The table after one model's votes changed: from label a to label b on each query."""
    found = np.array(counts)
    for row, (a, b) in enumerate(votes):
        if found[row, a]:
            found[row, a] -= 1
            found[row, b] += 1
    return found


# --- what one label costs


@pytest.mark.parametrize("scale", [0.3, 1.0, 5.0])
@pytest.mark.parametrize("noise", NOISES)
def test_a_binary_label_has_at_its_worst_counts_the_profile_of_the_difference(noise, scale):
    exact = DifferenceProfile(scale) if noise == "laplace" else GaussianProfile(math.sqrt(2) / scale)
    models = max(40, round(40 * scale))
    tables = [([[k, models - k]], [[k + 1, models - k - 1]]) for k in range(models)]
    for epsilon in EPSILONS:
        worst = max(
            FiniteProfile(p, q).delta(epsilon)
            for left, right in tables
            for one, other in ((left, right), (right, left))
            for p, q in [(NoisyVotes(one, noise, scale).chances[0], NoisyVotes(other, noise, scale).chances[0])]
        )
        assert worst <= exact.delta(epsilon) + 1e-14
    # real leads leave no room: the threshold may lie anywhere, not only at whole votes
    dense = np.linspace(-8 * scale, 8 * scale, 20_001)
    from dpcheck.papers.bassily2018.learners.noisy_votes import chance_of_lead

    one, other = (chance_of_lead(dense + step, noise, scale) for step in (2, 0))
    for epsilon in EPSILONS:
        assert np.maximum(one - math.exp(epsilon) * other, 0).max() == pytest.approx(exact.delta(epsilon), abs=1e-6)


def test_the_difference_is_less_than_its_pure_loss_and_as_much_in_the_limit():
    profile = DifferenceProfile(2.0)
    assert profile.epsilon(0.0) == 1.0
    assert 0.9 < profile.epsilon(1e-6) < 1.0
    assert profile.delta(profile.epsilon(1e-4)) == pytest.approx(1e-4)
    # below 0 it is that of the other direction: delta(-e) = 1 - exp(-e) + exp(-e) delta(e)
    e = np.array([0.05, 0.5, 0.99, 3.0])
    np.testing.assert_allclose(profile.deltas(-e), 1 - np.exp(-e) + np.exp(-e) * profile.deltas(e), rtol=0, atol=1e-14)


@pytest.mark.parametrize("noise", NOISES)
def test_integrals_agree_with_closed_forms_of_two_labels(noise):
    rows = np.array([[3, 10], [0, 60], [5, 5], [0, 1]])
    np.testing.assert_allclose(_integrated(rows, noise, 1.5), NoisyVotes(rows, noise, 1.5).chances, rtol=1e-13)


@pytest.mark.parametrize("noise", NOISES)
def test_integrals_of_several_labels(noise):
    rows = np.array([[4, 4, 4, 4], [0, 0, 3, 9], [2, 5, 5, 300]])
    found = NoisyVotes(rows, noise, 2.0).chances
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-13)
    np.testing.assert_allclose(found[0], 0.25, rtol=1e-13)
    assert found[1, 0] == found[1, 1] < found[1, 2] < found[1, 3]
    np.testing.assert_array_equal(NoisyVotes(rows[:, ::-1], noise, 2.0).chances, found[:, ::-1])


def test_three_labels_under_laplace_noise_by_hand():
    # all counts equal but one: P(it wins) = E F(x)^2 with x = lead + noise, a polynomial in exp(-lead)
    lead = 1.5
    found = NoisyVotes([[0, 0, 3]], "laplace", 2.0).chances[0, 2]
    t = math.exp(-lead)
    # pieces x < 0, 0 < x < lead, x > lead of E (1 - exp(-x)/2)^2 (or exp(2x)/4), x - lead of density exp(-|.|)/2
    left = t / 24
    middle = t / 2 * ((math.exp(lead) - 1) - lead + (1 - t) / 4)
    right = 0.5 - t / 4 + t**2 / 24
    assert found == pytest.approx(left + middle + right, abs=1e-14)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("counts", [[[2, 5], [4, 3]], [[1, 3, 3], [0, 2, 5]]], ids=["two", "three"])
def test_draws_have_the_declared_law(noise, counts):
    # null: draws of the declared law; level LEVEL by Hoeffding over all cells, both sides; power: cells of probability
    # p off by 0.02 are missed with probability exp(-2 n 0.01^2) < 1e-6
    size, votes = 100_000, NoisyVotes(counts, noise, 2.0)
    drawn = votes.sample(size, np.random.default_rng())
    classes = len(counts[0])
    law = dict(zip(votes.law(range(classes)).outputs, _probabilities(votes.law(range(classes))), strict=True))
    seen = np.bincount(drawn @ np.array([classes, 1]), minlength=classes**2) / size
    room = math.sqrt(math.log(2 * classes**2 / LEVEL) / (2 * size))
    assert room < 0.012
    for (first, second), chance in law.items():
        assert abs(seen[first * classes + second] - chance) <= room
    assert sum(law.values()) == pytest.approx(1.0, abs=1e-13)


def _probabilities(law: Any) -> list[float]:
    if law.exact is not None:
        return [float(each.mid()) for each in law.exact]
    return np.exp(law.log_probabilities).tolist()


def test_many_queries_are_drawn_in_blocks(monkeypatch):
    from dpcheck.papers.bassily2018.learners import noisy_votes

    monkeypatch.setattr(noisy_votes, "_CELLS", 10)
    drawn = NoisyVotes([[0, 1000], [1000, 0], [0, 900], [800, 0]], "laplace", 1.0).sample(7, np.random.default_rng())
    assert drawn.tolist() == [[1, 0, 1, 0]] * 7
    assert NoisyVotes([[0, 1]] * 12, "gaussian", 1.0).sample(3, np.random.default_rng()).shape == (3, 12)


# --- what many cost


@pytest.mark.parametrize("queries", [1, 3, 50, 2000])
def test_the_loss_distribution_of_gaussian_noise_is_above_the_exact_profile_and_near_it(queries):
    pytest.importorskip("dp_accounting")
    for shift in (0.2, 1.0):
        sigma = math.sqrt(2 * queries) / shift
        exact = GaussianProfile(shift).epsilon(1e-6)
        found = composed_claim("gaussian", sigma, queries, "pld", 1e-6).epsilon_value
        assert composed_claim("gaussian", sigma, queries, "exact", 1e-6).epsilon_value == pytest.approx(exact, rel=1e-9)
        assert exact * (1 - 1e-9) <= found <= exact * (1 + 2e-4)


def test_the_loss_distribution_of_one_binary_laplace_label_is_above_the_exact_profile_and_near_it():
    pytest.importorskip("dp_accounting")
    for scale in (0.5, 2.0, 30.0):
        for delta in (1e-2, 1e-4, 1e-6):
            exact = DifferenceProfile(scale).epsilon(delta)
            found = composed_claim("laplace", scale, 1, "pld", delta).epsilon_value
            assert exact <= found * (1 + 1e-12)
            assert found <= exact + 2e-3 / scale


def test_two_binary_laplace_labels_by_quadrature():
    # P - e^epsilon Q over pairs (z, z'), shifted by 2 both: the law of a sum of two losses
    pytest.importorskip("dp_accounting")
    scale, delta = 3.0, 1e-3
    z = np.linspace(-90, 90, 60_001)
    one = lambda at: (1 + np.abs(at) / scale) * np.exp(-np.abs(at) / scale) / (4 * scale)  # noqa: E731
    loss, mass = np.log(one(z - 2) / one(z)), one(z - 2) * (z[1] - z[0])
    cells = np.bincount(np.rint((loss + 2 / scale) / 1e-4).astype(int), mass)
    two = np.convolve(cells, cells)
    losses = (np.arange(len(two)) * 1e-4) - 4 / scale

    def exact(epsilon: float) -> float:
        return float((two * np.maximum(1 - np.exp(epsilon - losses), 0)).sum())

    found = composed_claim("laplace", scale, 2, "pld", delta).epsilon_value
    assert exact(found) == pytest.approx(delta, rel=2e-2)
    assert exact(found) <= delta * (1 + 1e-3)


def test_the_order_of_the_accountings():
    pytest.importorskip("dp_accounting")
    for noise, queries in itertools.product(NOISES, (1, 20, 1000)):
        found = [
            composed_claim(noise, 20.0 * math.sqrt(queries), queries, accounting, 1e-6).epsilon_value
            for accounting in ACCOUNTINGS[:3]
        ]
        assert found[0] * (1 + 1e-9) >= found[1] >= found[2] * (1 - 1e-4)  # dp-accounting rounds up to cells
    # two counts that change tell more than their difference
    assert composed_claim("laplace", 20.0, 50, "pld", 1e-6, classes=3) != composed_claim(
        "laplace", 20.0, 50, "pld", 1e-6
    )
    several, two = (composed_claim("laplace", 20.0, 50, "pld", 1e-6, classes=c).epsilon_value for c in (3, 2))
    assert 1.2 < several / two < 1.35


def test_advanced_composition_is_above_that_of_randomised_responses():
    # the exact profile of m randomised responses of e, which no (e, 0)-DP answers exceed: a binomial sum
    from scipy.stats import binom

    for queries, scale, delta in ((10, 8.0, 1e-2), (200, 100.0, 1e-6), (1000, 400.0, 1e-3)):
        each = 2 / scale
        epsilon = composed_claim("laplace", scale, queries, "advanced", delta).epsilon_value
        p = 1 / (1 + math.exp(-each))
        up = np.arange(queries + 1)
        loss = (2 * up - queries) * each
        exact = float((binom.pmf(up, queries, p) * np.maximum(-np.expm1(epsilon - loss), 0)).sum())
        assert exact <= delta
        spread = math.sqrt(2 * queries * math.log(1 / delta)) * each + queries * each * math.tanh(each / 2)
        assert epsilon == pytest.approx(min(spread, queries * each), rel=1e-12)
        assert epsilon >= min(spread, queries * each) * (1 - 1e-15)


TABLES = st.integers(2, 3).flatmap(
    lambda classes: st.lists(
        st.tuples(
            st.lists(st.integers(0, 6), min_size=classes, max_size=classes),
            st.tuples(st.integers(0, classes - 1), st.integers(0, classes - 1)),
        ),
        min_size=1,
        max_size=4,
    )
)


def each_accounting(noise: str) -> list[str]:
    """Those that are for a noise."""
    return [accounting for accounting in ACCOUNTINGS if (noise, accounting) != ("laplace", "exact")]


PAIRS = [(noise, accounting) for noise in NOISES for accounting in each_accounting(noise)]


@pytest.mark.turns(4)
@given(table=TABLES, scale=st.floats(0.5, 20.0), delta=st.sampled_from([1e-1, 1e-3, 1e-6]))
@settings(max_examples=12, deadline=None)
@pytest.mark.parametrize(("noise", "accounting"), PAIRS)
def test_no_vote_table_costs_more_than_the_claim(noise, accounting, table, scale, delta):
    if accounting == "pld":
        pytest.importorskip("dp_accounting")
    left = np.array([counts for counts, _ in table])
    right = moved(left, [votes for _, votes in table])
    claim = composed_claim(noise, scale, len(table), accounting, delta, left.shape[1])
    allowed = claim.delta_value if isinstance(claim, ApproxDP) else 0.0
    for one, other in ((left, right), (right, left)):
        assert of_tables(one, other, noise, scale).delta(claim.epsilon_value) <= allowed + 1e-13


@pytest.mark.parametrize("noise", NOISES)
def test_a_table_that_costs_more_than_a_claim_for_twice_the_noise(noise):
    # the check above can fail: what is claimed for twice the noise is not kept
    pytest.importorskip("dp_accounting")
    left, right = np.array([[2, 9]] * 3), np.array([[1, 10]] * 3)
    for accounting in each_accounting(noise) if noise == "laplace" else ("pld", "exact"):
        claim = composed_claim(noise, 4.0, 3, accounting, 1e-5)
        allowed = claim.delta_value if isinstance(claim, ApproxDP) else 0.0
        worst = max(of_tables(*pair, noise, 2.0).delta(claim.epsilon_value) for pair in ((left, right), (right, left)))
        assert worst > allowed


# --- the scale that a claim needs


@pytest.mark.turns(4)
@pytest.mark.parametrize(("noise", "accounting"), PAIRS)
@pytest.mark.parametrize("queries", [1, 40, 1000])
def test_scales_are_solved_and_checked_back(noise, accounting, queries):
    if accounting == "pld":
        pytest.importorskip("dp_accounting")
    for epsilon, delta in ((0.5, 1e-6), (2.0, 1e-3)):
        scale = scale_for(epsilon, delta, queries, noise=noise, accounting=accounting)
        kept = composed_claim(noise, scale, queries, accounting, delta)
        assert kept.epsilon_value <= epsilon
        assert composed_claim(noise, scale * (1 - 1e-5), queries, accounting, delta).epsilon_value > epsilon


def test_basic_composition_of_laplace_noise_is_exact():
    assert composed_claim("laplace", Fraction(20), 3, "basic") == PureDP(Fraction(3, 10))
    scale = scale_for(0.3, 0.0, 7, noise="laplace", accounting="basic")
    assert Fraction(14) / Fraction(scale) <= Fraction(0.3) < Fraction(14) / Fraction(math.nextafter(scale, 0))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("laplac", 1.0, 1, "basic"), "noise must be one of laplace, gaussian, got .laplac."),
        (("laplace", 0.0, 1, "basic"), "scale must be above 0"),
        (("laplace", 1.0, 0, "basic"), "queries must be at least 1"),
        (("laplace", 1.0, 1, "plld", 0.1), "accounting must be one of"),
        (("gaussian", 1.0, 1, "basic"), "delta must be above 0 and below 1 for accounting='basic' of gaussian"),
        (("laplace", 1.0, 1, "advanced"), "'basic' needs none"),
        (("laplace", 1.0, 1, "pld", 1e-13), "delta must be at least 1e-12"),
        (("laplace", 1e-6, 3, "pld", 1e-6), "scale must be larger for accounting='pld'"),  # 30 GB of cells
        (("gaussian", 1.0, 10**6, "pld", 1e-6), "scale must be larger for accounting='pld'"),
        (("gaussian", 1e-300, 1, "basic", 1e-6), "scale must be at least 1e-12"),
        (("laplace", 1.0, 1, "exact", 0.1), "accounting must be basic, advanced or pld for laplace noise"),
        (("laplace", 1.0, 1, "pld", 0.1, 1), "classes must be at least 2"),
    ],
)
def test_claims_refuse_in_a_line(arguments, says):
    with pytest.raises(InvalidArgument, match=says) as refused:
        composed_claim(*arguments)
    assert "\n" not in str(refused.value)


def test_without_dp_accounting_the_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "dp_accounting", None)
    learner = NoisyMajority(LeastPositive(), [0.5] * 3, 2, 1.4142, "laplace", "pld", 0.1)
    monkeypatch.setitem(sys.modules, "dp_accounting.pld", None)
    assert not hasattr(learner, "claim")
    with pytest.raises(InvalidArgument, match=r"install dpcheck\[accounting\]"):
        composed_claim("laplace", 1.2345, 1, "pld", 0.1)
    assert composed_claim("laplace", 1.0, 1, "basic") == PureDP(2.0)


def test_votes_refuse_in_a_line():
    with pytest.raises(InvalidArgument, match="counts must be integers"):
        NoisyVotes([[0.5, 1]], "laplace", 1.0)
    with pytest.raises(InvalidArgument, match="noise must be one of"):
        NoisyVotes([[1, 1]], "cauchy", 1.0)
    with pytest.raises(InvalidArgument, match="few queries"):
        NoisyVotes([[1, 1]] * 13, "laplace", 1.0).law()
    with pytest.raises(InvalidArgument, match="a column for each of 3"):
        NoisyVotes([[1, 1]], "laplace", 1.0).law((0, 1, 2))


# --- the learners


def learners_on(split: str, **options: Any) -> NoisyMajority:
    return NoisyMajority(LeastPositive(), [0.4, 0.9], 3, 2.0, "laplace", "basic", split=split, **options)


DATA = [(0.2, 1), (0.6, 0), (0.6, 1)]


def test_the_law_of_a_random_split_is_the_mixture_over_all_splits():
    learner = learners_on("random")
    law = dict(zip(learner.distribution(DATA).outputs, _probabilities(learner.distribution(DATA)), strict=True))
    expected: dict[Any, float] = {}
    for chunks in itertools.product(range(3), repeat=3):
        fixed = learners_on(np.array(chunks))  # type: ignore[arg-type]
        each = fixed.distribution(DATA)
        for output, chance in zip(each.outputs, _probabilities(each), strict=True):
            expected[output] = expected.get(output, 0.0) + chance / 27
    assert law == pytest.approx(expected, abs=1e-12)


@pytest.mark.turns(6)
@pytest.mark.parametrize("split", ["random", "by_record"])
def test_the_learner_keeps_its_claim_on_all_pairs_and_calls_agree_with_its_law(split):
    relation = AddRemove(Records.labelled(features=[0.2, 0.6], labels=[0, 1]), size=range(3))
    learner = learners_on(split)
    verdict = dpcheck.audit(learner, neighbours=relation, exhaustive=True, alpha=LEVEL, max_samples=1200)
    assert verdict.status is Status.NO_VIOLATION_FOUND
    assert verdict.exact is not None
    assert learner.claim == PureDP(2)


def test_the_relation_follows_the_split():
    assert learners_on("by_record").neighbours.name == "add-remove"
    assert learners_on("blocks").neighbours.name == "replace-one"


def test_a_random_split_or_a_base_learner_that_draws_trains_for_each_run():
    rng = np.random.default_rng()
    seen: list[int] = []

    def base(x: Any, y: Any, rng: Any) -> ConstantModel:
        seen.append(len(y))
        return ConstantModel(int(rng.integers(2)))

    learner = NoisyMajority(base, [0.5], 2, 1.0, accounting="advanced", split="by_record")
    assert len(learner.sample(DATA * 5, 4, rng)) == 4
    assert len(seen) in (4, 8)
    with pytest.raises(AttributeError, match="draws"):
        learner.distribution(DATA)


def test_scikit_learn_labels_and_several_classes():
    tree = pytest.importorskip("sklearn.tree").DecisionTreeClassifier(max_depth=2)
    rng = np.random.default_rng()
    x = rng.random((600, 1))
    y = np.array(["a", "b", "c"])[np.digitize(x[:, 0], [0.33, 0.66])]
    learner = NoisyMajority.for_privacy(
        tree, [[0.1], [0.5], [0.9]], models=60, epsilon=20.0, delta=1e-3, accounting="exact", classes=["a", "b", "c"]
    )
    # null: right code; each query is wrong with probability below 1e-12 at this scale (60 votes, noise below 1)
    assert learner.scale < 1
    assert learner((x, y), rng) == ("a", "b", "c")
    assert Majority(tree, [[0.1], [0.5], [0.9]], classes=["a", "b", "c"])((x, y), rng) == ("a", "b", "c")


def test_majorities_without_noise_and_without_data():
    rng = np.random.default_rng()
    plain = Majority(LeastPositive(), [0.4, 0.9], 3, split="by_record")
    assert plain.distribution(DATA).outputs == [plain(DATA, rng)]
    assert getattr(plain, "claim", None) is None
    constant = ConstantAnswers([0.4, 0.9], "b", ["a", "b"])
    assert constant(DATA, rng) == ("b", "b")
    assert constant.distribution([]).outputs == [("b", "b")]
    with pytest.raises(InvalidArgument, match="label must be among the classes"):
        ConstantAnswers([0.4], 2)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"models": 0}, "models must be at least 1"),
        ({"scale": -1.0}, "scale must be"),
        ({"queries": []}, "queries must be at least 1 point"),
        ({"queries": 3}, "queries must be a list or array"),
        ({"noise": "gausian"}, "noise must be one of laplace, gaussian"),
        ({"accounting": "advanced", "delta": 0.0}, "delta must be above 0"),
        ({"split": "randm"}, "split must be one of"),
        ({"classes": [0]}, "classes must be at least 2"),
        ({"base": 3}, "base must be an estimator"),
    ],
)
def test_learners_refuse_in_a_line(options, says):
    with pytest.raises(InvalidArgument, match=says):
        NoisyMajority(**{"base": LeastPositive(), "queries": [0.5], "models": 2, "scale": 1.0, **options})


def test_through_the_command_line(capsys):
    from dpcheck.cli import app

    arguments = ["audit", "learner:bassily2018.noisy_majority_classes", "--max-samples", "1200", "--format", "markdown"]
    assert app.run(arguments) == 0
    assert "no violation found" in capsys.readouterr().out.lower()


# --- the benchmark


def test_order_statistics_are_those_of_thresholds_trained_on_records():
    # null: both are draws of one law; a Kolmogorov-Smirnov test at LEVEL. Power: the law for twice the records is
    # refused with probability above 1 - 1e-9 (the distance of the two laws is 1/4)
    import answers_synthetic
    from scipy.stats import ks_2samp

    rng = np.random.default_rng()
    drawn = answers_synthetic.excesses(40_000, 1000, rng)
    x = rng.random((1000, 40))
    trained = np.where(x >= 0.5, x - 0.5, 0.5).min(axis=1)
    assert ks_2samp(drawn, trained).pvalue > LEVEL
    assert ks_2samp(answers_synthetic.excesses(80_000, 1000, rng), trained).pvalue < LEVEL


def test_wrong_votes_are_counted_exactly_and_cells_keep_the_expectation():
    import answers_synthetic

    numbers, mass = answers_synthetic.wrong_votes(np.array([0.4, 0.3, 0.1]))
    assert numbers.tolist() == [0, 1, 2, 3]
    np.testing.assert_allclose(mass, [0.6, 0.1, 0.2, 0.1])
    excess = answers_synthetic.excesses(10**6, 5000, np.random.default_rng())
    numbers, mass = answers_synthetic.wrong_votes(excess)
    assert len(numbers) < 5000
    assert mass.sum() == pytest.approx(1.0)
    assert mass @ numbers == pytest.approx(excess.sum())


def test_shares_of_the_sparse_vector_are_those_of_its_runs():
    # null: the conditional expectations average what runs of alg-2 do; both averages err by at most `room` at LEVEL / 2
    # each (Hoeffding). Power: a share off by 0.05 is seen but for a probability below 1e-9
    import answers_methods

    rng = np.random.default_rng()
    counts = np.array([[2, 40], [0, 42], [12, 30], [30, 12]])
    truth = np.array([1, 1, 1, 1])
    distances = np.maximum(np.abs(counts[:, 1] - counts[:, 0]) - 1, 0).astype(float)
    leads = answers_methods.Leads(distances, (counts.argmax(axis=1) == truth).astype(float), np.full(4, 0.25))
    scales, asked, runs = Scales(20.0, 3.0, 6.0, 42, 2), 12, 20_000
    found = answers_methods.sparse_shares(leads, scales, 2, np.array([asked]), runs, rng)[0]
    which = rng.integers(4, size=(runs, asked))
    patterns = drawn_patterns(distances[which], scales, 2, runs, rng)
    right = ((patterns == 1) & (leads.right[which] == 1)).mean(axis=1)
    room = math.sqrt(math.log(4 / LEVEL) / (2 * runs))
    assert room < 0.025
    assert abs(found - right.mean()) <= 2 * room


def test_the_largest_number_of_queries_has_the_claim_and_the_next_has_not():
    import answers_methods

    for name in ("Laplace, basic", "Laplace, advanced", "Gaussian, exact"):
        noise, accounting = answers_methods.COMPOSITIONS[name]
        found = answers_methods.composed_queries(name, 30.0, 1.0, 1e-6, 2)
        assert found is not None
        assert composed_claim(noise, 30.0, found, accounting, 1e-6).epsilon_value <= 1.0
        assert composed_claim(noise, 30.0, found + 1 + found // 500, accounting, 1e-6).epsilon_value > 1.0
    assert answers_methods.composed_queries("Laplace, basic", 0.5, 1.0, 1e-6, 2) == 0


@pytest.mark.turns(4)
def test_the_report_is_that_of_its_numbers_and_its_rules_are_kept():
    import json

    import answers
    import answers_views

    report = answers.REPORT
    document = json.loads(report.read_text(encoding="utf-8"))
    assert report.with_suffix(".md").read_text(encoding="utf-8") == answers_views.render(document)
    assert answers_views.digest(document) in report.with_suffix(".svg").read_text(encoding="utf-8")
    assert {rule["verdict"] for rule in document["rules"]} == {"holds"}
    assert not document["quick"]
    # what is judged can fail: fewer queries at more epsilon, a coarser accounting that answers more
    found = document["real"], document["synthetic"], [-1.0]
    assert {rule["verdict"] for rule in answers.rules(*found)} == {"holds"}
    (cell, *_) = [cell for cell in found[0] if cell["method"] == "Gaussian, basic" and cell["epsilon"] == 1.0]
    cell["queries_of_repetitions"] = [10**9] * 5
    broken = {rule["rule"] for rule in answers.rules(*found) if rule["verdict"] == "FAILS"}
    assert len(broken) == 2
