"""Labels for public points (hpriv), the classifier trained on them (alg-3), and both on labelled records alone.

Laws are exact; what is drawn is compared with them at the level of all statistical tests here.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcheck.cli import app
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.papers.bassily2018.learners.accounting import answering_claim
from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority, EmpiricalMinimiser, LeastPositive
from dpcheck.papers.bassily2018.learners.label_private import LabelPrivateTransfer
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.separate_runs import separate_runs_claim
from dpcheck.papers.bassily2018.learners.transfer import KnowledgeTransfer, PrivateLabels
from dpcheck.papers.bassily2018.learners.votes import ABSTAINED, UNANSWERED
from dpcheck.parts.classes import Thresholds
from dpcheck.parts.mechanisms.mixtures import chances
from tests.statistical_tests import LEVEL

POINTS = (0.3, 0.5, 0.9)
#: Both answers and abstentions are likely.
SCALES = Scales(threshold=2.0, threshold_scale=1.0, query_scale=2.0, models=3, cutoff=1)
RECORDS = [(0.2, 1), (0.4, 0), (0.6, 1), (0.7, 1)]


def answers(queries: Any = POINTS, *, split: Any = "round_robin", scales: Scales = SCALES, **options: Any) -> Any:
    return PrivateAnswers(LeastPositive(), queries, scales, split=split, guard="strict", **options)


def transfer(labels: PrivateLabels) -> KnowledgeTransfer:
    return KnowledgeTransfer(labels, EmpiricalMinimiser(Thresholds()), (0.1, 0.4, 0.6, 1.0))


def label_private(**options: Any) -> LabelPrivateTransfer:
    given = {"records": 5, "labelled": 3, "split": "round_robin", "options": {"guard": "strict"}} | options
    return LabelPrivateTransfer(LeastPositive(), SCALES, EmpiricalMinimiser(Thresholds()), (0.1, 0.4, 0.6), **given)


# --- what is said where there is no answer


@pytest.mark.parametrize("classes", [(0, 1), ("a", "b", "c")])
def test_abstentions_and_what_comes_after_the_last_are_uniform_coins(classes: tuple[Any, ...]) -> None:
    inside = PrivateAnswers(ChunkMajority(classes), (0, 1), SCALES, classes=classes, split="random", guard="strict")
    dataset = [(0, classes[0]), (0, classes[1]), (0, classes[1])]
    expected: Counter[tuple[Any, ...]] = Counter()
    for output, chance in chances(inside.distribution(dataset)):
        choices = [classes if answer in (ABSTAINED, UNANSWERED) else (answer,) for answer in output]
        for labels in itertools.product(*choices):
            expected[labels] += chance / math.prod(map(len, choices))
    found = dict(chances(PrivateLabels(inside).distribution(dataset)))
    assert found.keys() == expected.keys()
    assert max(abs(found[labels] - expected[labels]) for labels in found) < 1e-14
    assert sum(found.values()) == pytest.approx(1, abs=1e-14)


LEARNERS = {
    "one run": PrivateLabels(answers()),
    "separate runs": PrivateLabels(answers(), "separate"),
    "random split": PrivateLabels(answers(split="random"), "separate"),
    "transfer": transfer(PrivateLabels(answers())),
    "label private": label_private(),
}
RUNS = 20_000


@pytest.mark.parametrize("learner", LEARNERS.values(), ids=LEARNERS)
def test_what_is_drawn_has_the_declared_law(learner: Any, rng: np.random.Generator) -> None:
    dataset = [*RECORDS, (0.5, 1)] if isinstance(learner, LabelPrivateTransfer) else RECORDS
    law = dict(chances(learner.distribution(dataset)))
    drawn = Counter(learner.sample(dataset, RUNS, rng))
    # Hoeffding's inequality for each output; null: the law is the one declared
    gap = math.sqrt(math.log(2 * len(law) / LEVEL) / (2 * RUNS))
    assert drawn.keys() <= law.keys()
    assert max(abs(drawn[output] / RUNS - chance) for output, chance in law.items()) < gap
    assert learner(dataset, rng) in law


# --- what the two implementations of hpriv are (obs-4.d)


def dependence(learner: PrivateLabels, dataset: Any) -> float:
    """The largest gap, over labels of the first two points, between the joint law and the product of its marginals."""
    from flint import ctx

    with ctx.workprec(256):
        return _dependence(learner.distribution(dataset))


def _dependence(law: Law) -> float:
    joint: dict[tuple[Any, Any], Any] = {}
    for output, chance in zip(law.outputs, law.exact, strict=True):
        joint[output[:2]] = joint.get(output[:2], 0) + chance

    def marginal(place: int, label: Any) -> Any:
        return sum(chance for pair, chance in joint.items() if pair[place] == label)

    gaps = (abs(chance - marginal(0, pair[0]) * marginal(1, pair[1])) for pair, chance in joint.items())
    return max(float(gap.upper()) if hasattr(gap, "upper") else float(gap) for gap in gaps)


def test_labels_of_one_run_depend_on_each_other_and_those_of_separate_runs_do_not() -> None:
    assert dependence(PrivateLabels(answers()), RECORDS) > 0.01
    assert dependence(PrivateLabels(answers(), "separate"), RECORDS) < 1e-30
    # given the models, that is: a split drawn for all points ties them together
    assert dependence(PrivateLabels(answers(split="random"), "separate"), [(0.1, 1), (0.2, 1), (0.25, 1)]) > 0.005


@pytest.mark.parametrize(("runs", "depends"), [("one", True), ("separate", False)])
def test_what_a_points_label_is_depends_on_the_points_before_it(runs: Any, depends: bool) -> None:
    def of_the_last(points: tuple[float, ...]) -> float:
        law = chances(PrivateLabels(answers(points), runs).distribution(RECORDS))
        return sum(chance for labels, chance in law if labels[-1] == 1)

    alone, behind_a_clear_one, behind_a_split_one = map(of_the_last, [(0.9,), (0.1, 0.9), (0.5, 0.9)])
    assert (abs(alone - behind_a_split_one) > 1e-3) is depends
    assert (abs(behind_a_clear_one - behind_a_split_one) > 1e-3) is depends


# --- claims


def test_the_claims_are_those_of_one_run_and_of_the_composition() -> None:
    scales = Scales(90.0, 4.0, 8.0, models=100, cutoff=1)
    one = PrivateLabels(answers(scales=scales, delta=1e-3))
    separate = PrivateLabels(answers(scales=scales, delta=1e-3), "separate")
    assert one.claim == answering_claim(scales, 3, delta=1e-3, guard="strict")
    assert separate.claim == separate_runs_claim(scales, 3, delta=1e-3)
    assert transfer(one).claim == one.claim
    assert transfer(separate).claim == separate.claim
    # one run costs rounds, whatever the number of points; separate ones cost each
    few, many = (PrivateLabels(answers((0.3,) * m, scales=scales, delta=0.01), "separate") for m in (3, 30))
    assert many.claim.epsilon_value > 3 * few.claim.epsilon_value
    assert getattr(PrivateLabels(answers(), "separate"), "claim", None) is None  # labels without consensus are likely


def tables(models: int, queries: int) -> list[np.ndarray]:
    votes = itertools.product(range(models + 1), repeat=queries)
    return [np.array([[models - ones, ones] for ones in each]) for each in votes]


@pytest.mark.parametrize("runs", ["one", "separate"])
def test_no_pair_of_vote_tables_has_more_than_is_claimed(runs: Any) -> None:
    models, epsilons = 4, (0.0, 0.5, 1.0, 2.0, 4.0)
    scales = Scales(6.0, 1.0, 2.0, models=models, cutoff=1)
    learner = PrivateLabels(answers((0.4, 0.9), scales=scales), runs)
    laws = {tuple(table[:, 1]): dict(chances(learner.labels_law(table))) for table in tables(models, 2)}
    worst = dict.fromkeys(epsilons, 0.0)
    for one, other in itertools.permutations(laws, 2):
        if max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 1:  # one model votes otherwise
            for epsilon in epsilons:
                excess = sum(max(0.0, p - math.exp(epsilon) * laws[other][output]) for output, p in laws[one].items())
                worst[epsilon] = max(worst[epsilon], excess)
    claim = answering_claim if runs == "one" else separate_runs_claim
    guard = {"guard": "strict"} if runs == "one" else {}
    for delta in (0.15, 0.3, 0.5):
        promised = claim(scales, 2, delta=delta, **guard)
        within = [epsilon for epsilon in epsilons if epsilon >= promised.epsilon_value]
        assert all(worst[epsilon] <= delta for epsilon in within)
    assert worst[0.0] > 0.02  # something is lost


def test_the_claim_of_separate_runs_is_nearly_attained() -> None:
    # far above the threshold the chance of an abstention changes by e^(2/8) with each vote, at each of the points
    scales = Scales(185.0, 4.0, 8.0, models=200)
    learner = PrivateLabels(answers((0.9,) * 4, scales=scales), "separate")
    laws = [dict(chances(learner.labels_law(np.array([[200 - ones, ones]] * 4)))) for ones in (0, 1)]
    loss = max(abs(math.log(laws[0][output] / laws[1][output])) for output in laws[0])
    assert 0.94 < loss / separate_runs_claim(scales, 4, delta=1e-6).epsilon_value <= 1


def test_a_claim_that_is_not_proved_says_which_inequality_fails() -> None:
    with pytest.raises(InvalidArgument, match=r"delta must be at least 1\.\d+ .*queries \* P\(an open query"):
        separate_runs_claim(SCALES, 3, delta=1e-6)
    with pytest.raises(InvalidArgument, match=r"epsilon must be at least 0\.\d+ at delta 1e-06 .* 3 runs of 0\.25"):
        separate_runs_claim(Scales(200.0, 4.0, 8.0), 3, epsilon=0.5, delta=1e-6)
    assert separate_runs_claim(Scales(200.0, 4.0, 8.0), 3, epsilon=0.8, delta=1e-6).epsilon_value == 0.8


# --- alg-3


def test_the_law_of_the_classifier_is_that_of_its_labels() -> None:
    labels = PrivateLabels(answers())
    final = EmpiricalMinimiser(Thresholds())
    domain = np.array([0.1, 0.4, 0.6, 1.0])
    expected: Counter[tuple[int, ...]] = Counter()
    for said, chance in chances(labels.distribution(RECORDS)):
        expected[tuple(final(np.array(POINTS), np.array(said)).predict(domain).tolist())] += chance
    found = dict(chances(transfer(labels).distribution(RECORDS)))
    assert found.keys() == expected.keys()
    assert max(abs(found[output] - expected[output]) for output in found) < 1e-14


def test_a_classifier_is_learned_from_noisy_records(rng: np.random.Generator) -> None:
    # 300 models of about 100 records: on points 0.2 from the true threshold nearly all agree. A twentieth of the labels
    # is wrong, so the base learner minimises mistakes.
    x = rng.random(30_000)
    y = (x >= 0.5).astype(int) ^ (rng.random(30_000) < 0.05)
    scales = Scales(threshold=120.0, threshold_scale=5.0, query_scale=10.0, models=300, cutoff=10)
    points = np.concatenate([np.linspace(0, 0.3, 100), np.linspace(0.7, 1, 100)])
    base = EmpiricalMinimiser(Thresholds())
    learner = KnowledgeTransfer(PrivateLabels(PrivateAnswers(base, points, scales, delta=1e-3)), base, [0.2, 0.8])
    model = learner.classifier((x, y), rng)
    assert model.predict(np.array([0.1, 0.29, 0.71, 0.9])).tolist() == [0, 0, 1, 1]
    assert learner((x, y), rng) == (0, 1)
    assert learner.claim.epsilon_value < 10


@pytest.mark.turns(4)
def test_estimators_are_base_and_final_learners(rng: np.random.Generator) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    x = rng.normal(size=(2000, 2))
    dataset = (x, np.where(x[:, 0] > 0, "yes", "no"))
    points = rng.normal(size=(60, 2)) + np.array([[4.0, 0.0]]) * rng.choice([-1, 1], size=60)[:, None] * 2
    scales = Scales(threshold=8.0, threshold_scale=0.2, query_scale=0.4, models=20, cutoff=3)
    inside = PrivateAnswers(LogisticRegression(), points, scales, classes=("no", "yes"))
    learner = KnowledgeTransfer(PrivateLabels(inside), DecisionTreeClassifier(), np.array([[-8.0, 0.0], [8.0, 0.0]]))
    assert learner(dataset, rng) == ("no", "yes")
    assert learner.sample(dataset, 2, rng) == [("no", "yes")] * 2
    assert not hasattr(learner, "distribution")  # a tree draws, and there are too many labellings


# --- labelled records alone


def test_the_labels_of_the_others_change_nothing_and_each_vote_little() -> None:
    learner = label_private()
    dataset = [*RECORDS, (0.5, 1)]
    right = dict(chances(learner.distribution(dataset)))
    for row in (3, 4):
        changed = [(x, 1 - y) if place == row else (x, y) for place, (x, y) in enumerate(dataset)]
        assert dict(chances(learner.distribution(changed))) == right
    votes = [(x, 1 - y) if place == 0 else (x, y) for place, (x, y) in enumerate(dataset)]
    assert dict(chances(learner.distribution(votes))) != right
    assert learner.neighbours.name == "labels-only"
    # but the points of the others are shown
    moved = [*dataset[:3], (0.35, 1), dataset[4]]
    assert dict(chances(learner.distribution(moved))) != right


def test_half_of_the_records_vote_unless_said_otherwise() -> None:
    learner = label_private(labelled=None)
    assert learner.labelled == 3
    assert learner.points([*RECORDS, (0.5, 1)]).tolist() == [0.7, 0.5]
    scales = Scales(90.0, 4.0, 8.0, models=100)
    learner = LabelPrivateTransfer(LeastPositive(), scales, ChunkMajority(), [0.5], 100, options={"delta": 0.01})
    assert learner.claim == answering_claim(scales, 50, delta=0.01)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"split": "by_record"}, "split must not depend on labels"),
        ({"split": lambda record: 0}, "split must not depend on labels"),
        ({"labelled": 5}, "labelled must be below records, 5, got 5"),
        ({"records": 1}, "records must be at least 2"),
        ({"runs": "many"}, "runs must be one of one, separate"),
    ],
)
def test_what_would_not_be_label_private_is_refused(options: dict[str, Any], what: str) -> None:
    with pytest.raises(InvalidArgument, match=what):
        label_private(**options)


def test_arguments_are_refused_in_one_line() -> None:
    with pytest.raises(InvalidArgument, match="answers must be PrivateAnswers"):
        PrivateLabels(SCALES)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="labels must be PrivateLabels"):
        KnowledgeTransfer(answers(), ChunkMajority())
    with pytest.raises(InvalidArgument, match="final must be"):
        KnowledgeTransfer(PrivateLabels(answers()), "tree")
    with pytest.raises(InvalidArgument, match="dataset must hold records = 5 records, got 4"):
        label_private()(RECORDS, np.random.default_rng())


def test_coins_are_fair_fractions() -> None:
    assert PrivateLabels(answers()).coins(np.zeros((2, 3), dtype=int)).tolist() == [[Fraction(1, 3)] * 3] * 2


def test_an_estimator_is_not_trained_on_no_points() -> None:
    from sklearn.tree import DecisionTreeClassifier

    nothing = PrivateLabels(answers([]))
    with pytest.raises(InvalidArgument, match="at least 1 point"):
        KnowledgeTransfer(nothing, DecisionTreeClassifier(), [0.5])
    assert KnowledgeTransfer(nothing, ChunkMajority(), [0.5])(RECORDS, np.random.default_rng()) == (0,)


@pytest.mark.turns(6)
def test_hpriv_is_audited_through_the_door(capsys: pytest.CaptureFixture[str]) -> None:
    status = app.run(["learners", "bassily2018.labels", "--audit", "--max-samples", "1200"])
    said = capsys.readouterr().out
    assert status == 0, said
    assert "no violation found" in said
