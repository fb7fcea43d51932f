"""The learners of `learners_compared.py`: what each promises, its settings, and its test error on a split."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any, ClassVar

import numpy as np
from learners_compared_data import Split
from learners_compared_regressions import Steps, gradient_steps, noise_for, objective_perturbed
from numpy.typing import NDArray

from dpcheck import Labelled
from dpcheck.papers.alon2019.learners import CoverLearner, GenericLearner
from dpcheck.papers.bassily2018.learners import NoisyMajority
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner
from dpcheck.parts.classes import Stumps, mistakes
from dpcheck.parts.classes.representatives import Rule
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser
from dpcheck.parts.learners.logistic_regression import PerturbedLogisticRegression, minimiser
from dpcheck.parts.mechanisms.choice import Choice

Floats = NDArray[np.float64]
DELTA = 1e-5
#: The label-private learner's own parameter: its net has a quarter of this as radius.
ACCURACY = 0.1
#: Thresholds of each feature in the class that is declared: the inner ends of ten equal parts of its public range.
CUTS = 9
OURS, ELSEWHERE, OPEN = "dpcheck", "elsewhere", "not private"
LABELS, RECORDS, NOTHING = "labels", "records", "nothing"
A2, A_SSPP, DECLARED = "label-private stumps (A2)", "semi-private stumps (A_SSPP)", "exponential mechanism, stumps"
OUTPUT, STUDENT = "logistic, output perturbed", "noisy majority, student"
OBJECTIVE, SGD, RESPONSE = "logistic, objective perturbed", "DP-SGD logistic", "randomised labels, logistic"
THEIR_REGRESSION, THEIR_BAYES = "diffprivlib LogisticRegression", "diffprivlib GaussianNB"
THEIR_TREE, THEIR_FOREST = "diffprivlib DecisionTree", "diffprivlib RandomForest"
BEST_STUMP, REGRESSION, PUBLIC_ALONE, MAJORITY = (
    "best stump", "logistic regression", "public part alone, logistic", "majority class",
)  # fmt: skip
#: What a learner that is drawn from does of a split: the mean test error of so many draws.
Errors = Callable[[Split, float, Mapping[str, Any], np.random.Generator, int], float]


@dataclass(frozen=True)
class Method:
    """A learner, and what is said of it.

    ``protects`` is what of the private part its guarantee is about; ``relation`` says under which relation it is
    given. ``settings`` are what it may be run with, the first by its documentation or habit. ``drawn`` says whether
    test errors are means over draws: they are expectations otherwise.
    """

    name: str
    group: str
    protects: str
    relation: str
    error: Errors
    delta: float = 0.0
    settings: Sequence[Mapping[str, Any]] = field(default_factory=lambda: ({},))
    drawn: bool = True

    @property
    def private(self) -> bool:
        """Whether it has an epsilon."""
        return self.group != OPEN


@dataclass(frozen=True, eq=False)
class DeclaredStumps:
    """The stumps with one of some thresholds for each feature: a finite class, declared before records are seen."""

    low: Floats
    high: Floats
    littlestone_dimension: ClassVar[None] = None
    rules: ClassVar[tuple[str, ...]] = Stumps.rules

    @cached_property
    def stumps(self) -> Stumps:
        """The class of which this is a part."""
        return Stumps(len(self.low))

    @property
    def vc_dimension(self) -> None:
        """Not asked for."""

    @property
    def size(self) -> int:
        """Both signs of each threshold, and the two constants."""
        return 2 * CUTS * len(self.low) + 2

    def everything(self) -> Floats:
        """All of them, shape (size, 3)."""
        parts = np.arange(1, CUTS + 1) / (CUTS + 1)
        thresholds = self.low[:, None] + parts * (self.high - self.low)[:, None]
        column = np.repeat(np.arange(len(self.low), dtype=float), CUTS)
        rows = np.column_stack([column, thresholds.ravel()])
        rows = np.concatenate([[[0.0, -np.inf]], rows])
        return np.concatenate([np.column_stack([rows, np.full(len(rows), sign)]) for sign in (0.0, 1.0)])

    def points(self, values: Any) -> NDArray[Any]:
        """Points as an array."""
        return self.stumps.points(values)

    def representatives(self, points: Any, rule: Rule = None) -> Floats:
        """All of them: some may agree on the points."""
        return self.everything()

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """The labels that each stump gives to each point."""
        return self.stumps.predict(hypotheses, points)

    def mistakes(self, hypotheses: Any, x: Any, y: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Mistakes of each stump."""
        return self.stumps.mistakes(hypotheses, x, y)


# --- laws


@dataclass(frozen=True)
class Counted:
    """The candidates of a choice by mistakes: those of each on the private records, and its test error."""

    scores: NDArray[np.int64]
    test_errors: Floats

    def expected(self, rate: Fraction) -> float:
        """The expected test error of one that is chosen with so many nats per mistake."""
        return float(np.exp(Choice(rate, self.scores).log_probabilities) @ self.test_errors)


#: The candidates do not depend on epsilon: those of the split at hand are kept.
@lru_cache(maxsize=8)
def _counted(learner: str, parts: Split) -> Counted:
    stumps = Stumps(np.shape(parts.private.x)[1])
    declared = DeclaredStumps(parts.bounds.low, parts.bounds.high)
    if learner == A2:
        net = LabelPrivateLearner(stumps, 1.0, ACCURACY).candidates(parts.private)
        hypotheses, family = net, stumps
    elif learner == A_SSPP:
        hypotheses, family = CoverLearner(stumps, 1.0).cover(parts.public.x), stumps
    else:
        hypotheses, family = declared.everything(), declared
    wrong = mistakes(family, hypotheses, parts.test.x, parts.test.y) / len(parts.test.y)
    return Counted(-mistakes(family, hypotheses, parts.private.x, parts.private.y), wrong)


def label_private_stumps(
    parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int
) -> float:
    learner = LabelPrivateLearner(Stumps(np.shape(parts.private.x)[1]), epsilon, ACCURACY)
    return _counted(A2, parts).expected(learner.rate(parts.private))


def semi_private_stumps(
    parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int
) -> float:
    learner = CoverLearner(Stumps(np.shape(parts.private.x)[1]), epsilon)
    return _counted(A_SSPP, parts).expected(learner.rate(None))


def declared_stumps(
    parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int
) -> float:
    learner = GenericLearner(DeclaredStumps(parts.bounds.low, parts.bounds.high), epsilon)
    return _counted(DECLARED, parts).expected(learner.rate(None))


def best_stump(parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int) -> float:
    """The mean test error of the stumps that make the fewest mistakes on the private records."""
    family = Stumps(np.shape(parts.private.x)[1])
    law = EmpiricalRiskMinimiser(family, ties="uniform").distribution(parts.private)
    wrong = mistakes(family, np.array(law.outputs), parts.test.x, parts.test.y) / len(parts.test.y)
    return float(wrong.mean())


# --- linear models


@dataclass(frozen=True)
class Linear:
    """Records as a private regression wants them: standardised, a constant 1 appended, shortened to the unit ball.

    Before that they are divided by the root mean square of the norms of public records; means, deviations and ranges
    are public too.
    """

    parts: Split

    @cached_property
    def radius(self) -> float:
        """The root mean square of the norms of public records, their constants counted."""
        return float(np.sqrt((self._wide(self.parts.public.x) ** 2).sum(axis=1).mean()))

    def __call__(self, x: Any) -> Floats:
        """Rows of a norm of at most 1."""
        rows = self._wide(x) / self.radius
        return np.asarray(rows / np.maximum(1.0, np.linalg.norm(rows, axis=1))[:, None])

    def _wide(self, x: Any) -> Floats:
        return np.column_stack([self.parts.bounds.standardised(np.asarray(x, dtype=np.float64)), np.ones(len(x))])

    def test_error(self, weights: Floats) -> float:
        """Of the label that says on which side of a plane a record is."""
        return float(((self(self.parts.test.x) @ weights > 0) != (self.parts.test.y > 0)).mean())


def output_perturbation(
    parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int
) -> float:
    linear = Linear(parts)
    learner = PerturbedLogisticRegression(epsilon, setting["regularisation"])
    found = learner.sample((linear(parts.private.x), parts.private.y), draws, rng)
    return float(np.mean([linear.test_error(weights) for weights in found]))


def objective_perturbation(
    parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int
) -> float:
    linear = Linear(parts)
    x = linear(parts.private.x)
    return float(
        np.mean(
            [
                linear.test_error(objective_perturbed(x, parts.private.y, epsilon, setting["regularisation"], rng))
                for _ in range(draws)
            ]
        )
    )


def dp_sgd(parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int) -> float:
    linear, steps = Linear(parts), Steps(setting["rate"], setting["steps"], setting["length"])
    x, sigma = linear(parts.private.x), setting["noise"][epsilon]
    found = [gradient_steps(x, parts.private.y, sigma, steps, rng) for _ in range(draws)]
    return float(np.mean([linear.test_error(weights) for weights in found]))


def diffprivlib_regression(
    parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int
) -> float:
    from diffprivlib.models import LogisticRegression

    linear = Linear(parts)
    x, test = (linear(part.x)[:, :-1] for part in (parts.private, parts.test))  # it has a constant of its own

    def model(seed: int) -> Any:
        return LogisticRegression(epsilon=epsilon, data_norm=1.0, max_iter=1000, random_state=seed, **setting)

    return _fitted(model, x, parts.private.y, test, parts.test.y, rng, draws)


# --- diffprivlib's others


def _of_diffprivlib(name: str, *, classes: bool) -> Errors:
    def error(parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int) -> float:
        from diffprivlib import models

        bounds = parts.bounds
        more: dict[str, Any] = {"classes": [0, 1]} if classes else {}

        def model(seed: int) -> Any:
            low_high = (bounds.low, bounds.high)
            return getattr(models, name)(epsilon=epsilon, bounds=low_high, random_state=seed, **more, **setting)

        x, test = np.asarray(parts.private.x, dtype=float), np.asarray(parts.test.x, dtype=float)
        return _fitted(model, x, parts.private.y, test, parts.test.y, rng, draws)

    return error


def _fitted(
    model: Callable[[int], Any], x: Floats, y: Any, test: Floats, truth: Any, rng: np.random.Generator, draws: int
) -> float:
    """The mean test error of models of so many seeds."""
    found = []
    for _ in range(draws):
        with warnings.catch_warnings():  # of no convergence, which is theirs to have
            warnings.simplefilter("ignore")
            fitted = model(int(rng.integers(2**31))).fit(x, y)
            found.append(float((fitted.predict(test) != truth).mean()))
    return float(np.mean(found))


# --- labels


def _regression(inverse: float = 1.0) -> Any:
    """scikit-learn's, with the inverse of its regularisation: 1 by default there too."""
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=inverse, max_iter=1000)


def _or_constant(x: Floats, y: NDArray[np.int64], test: Floats, inverse: float = 1.0) -> NDArray[np.int64]:
    """The labels of a regression, or the only label that there is."""
    if y.min() == y.max():
        return np.full(len(test), y[0])
    return np.asarray(_regression(inverse).fit(x, y).predict(test))


def randomised_labels(
    parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int
) -> float:
    """Each label kept with probability ``e^epsilon / (1 + e^epsilon)`` and else the other one; then a regression."""
    bounds = parts.bounds
    x, test = bounds.standardised(np.asarray(parts.private.x, dtype=float)), bounds.standardised(parts.test.x)
    keep = 1 / (1 + np.exp(-epsilon))
    found = []
    for _ in range(draws):
        y = np.where(rng.random(len(x)) < keep, parts.private.y, 1 - parts.private.y)
        found.append(float((_or_constant(x, y, test, setting["C"]) != parts.test.y).mean()))
    return float(np.mean(found))


def student(parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int) -> float:
    """A regression trained on public records with the labels of a noisy majority of models of private ones."""
    linear = Linear(parts)
    x, queries = linear(parts.private.x), linear(parts.public.x)[: setting["queries"]]
    base = partial(BallRegression.fitted, radius=linear.radius)
    learner = NoisyMajority.for_privacy(
        base, queries, models=setting["models"], epsilon=epsilon, delta=DELTA, accounting="exact"
    )
    labelled = learner.sample((x, parts.private.y), draws, rng)
    return float(np.mean([linear.test_error(base(queries, np.array(labels)).weights) for labels in labelled]))


@dataclass(frozen=True)
class BallRegression:
    """A logistic regression of records in the unit ball, with the regularisation that scikit-learn has by default."""

    weights: Floats

    @classmethod
    def fitted(cls, x: Any, y: Any, radius: float) -> BallRegression:
        """That of some records, which were divided by a radius."""
        return cls(minimiser((np.asarray(x), np.asarray(y)), 1 / (radius**2 * len(x))))

    def predict(self, x: Any) -> NDArray[np.int64]:
        """On which side of a plane records are."""
        return (np.asarray(x) @ self.weights > 0).astype(np.int64)


# --- without privacy


def regression(parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int) -> float:
    return _not_private(parts.private, parts.test)


def public_alone(
    parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int
) -> float:
    return _not_private(parts.public, parts.test)


def _not_private(train: Labelled, test: Labelled) -> float:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), _regression()).fit(train.x, train.y)
    return float((model.predict(test.x) != test.y).mean())


def majority(parts: Split, epsilon: float, setting: Mapping[str, Any], rng: np.random.Generator, draws: int) -> float:
    often = int(2 * np.sum(parts.private.y) >= len(parts.private.y))
    return float((np.asarray(parts.test.y) != often).mean())


# --- the list

_REPLACE, _ADD = "replace-one", "add-remove"
_THEIRS = "as documented; no relation is named"
_REGULARISED = tuple({"regularisation": value} for value in (0.01, 0.001, 0.1))

METHODS: tuple[Method, ...] = (
    Method(A2, OURS, LABELS, "labels-only", label_private_stumps, drawn=False),
    Method(A_SSPP, OURS, RECORDS, _REPLACE, semi_private_stumps, drawn=False),
    Method(DECLARED, OURS, RECORDS, _REPLACE, declared_stumps, drawn=False),
    Method(OUTPUT, OURS, RECORDS, _REPLACE, output_perturbation, settings=_REGULARISED),
    Method(
        STUDENT, OURS, RECORDS, _ADD, student, DELTA,
        ({"models": 10, "queries": 40}, {"models": 10, "queries": 10}, {"models": 20, "queries": 20}),
    ),
    Method(
        THEIR_REGRESSION, ELSEWHERE, RECORDS, _THEIRS, diffprivlib_regression,
        settings=({"C": 1.0}, {"C": 0.01}, {"C": 0.1}, {"C": 10.0}),
    ),
    Method(
        THEIR_BAYES, ELSEWHERE, RECORDS, _THEIRS, _of_diffprivlib("GaussianNB", classes=False),
        settings=({"var_smoothing": 1e-9}, {"var_smoothing": 0.1}),
    ),
    Method(
        THEIR_TREE, ELSEWHERE, RECORDS, _THEIRS, _of_diffprivlib("DecisionTreeClassifier", classes=True),
        settings=({"max_depth": 5}, {"max_depth": 2}, {"max_depth": 8}),
    ),
    Method(
        THEIR_FOREST, ELSEWHERE, RECORDS, _THEIRS, _of_diffprivlib("RandomForestClassifier", classes=True),
        settings=(
            {"n_estimators": 10, "max_depth": 5}, {"n_estimators": 10, "max_depth": 2},
            {"n_estimators": 5, "max_depth": 4},
        ),
    ),
    Method(OBJECTIVE, ELSEWHERE, RECORDS, _REPLACE, objective_perturbation, settings=_REGULARISED),
    Method(
        SGD, ELSEWHERE, RECORDS, _ADD, dp_sgd, DELTA,
        (
            {"rate": 0.1, "steps": 100, "length": 4.0}, {"rate": 1.0, "steps": 30, "length": 8.0},
            {"rate": 1.0, "steps": 10, "length": 4.0}, {"rate": 1.0, "steps": 10, "length": 20.0},
        ),
    ),
    Method(RESPONSE, ELSEWHERE, LABELS, "labels-only", randomised_labels, settings=({"C": 1.0}, {"C": 0.01})),
    Method(REGRESSION, OPEN, NOTHING, "", regression, drawn=False),
    Method(BEST_STUMP, OPEN, NOTHING, "", best_stump, drawn=False),
    Method(PUBLIC_ALONE, OPEN, RECORDS, "reads no private record", public_alone, drawn=False),
    Method(MAJORITY, OPEN, NOTHING, "", majority, drawn=False),
)  # fmt: skip
BY_NAME = {method.name: method for method in METHODS}


def noise_of(epsilons: Sequence[float]) -> dict[tuple[float, int], dict[float, float]]:
    """The noise multipliers of DP-SGD by rate and steps, and by epsilon."""
    pairs = {(setting["rate"], setting["steps"]) for setting in BY_NAME[SGD].settings}
    return {pair: {epsilon: noise_for(epsilon, DELTA, *pair) for epsilon in epsilons} for pair in sorted(pairs)}
