"""Labels for public points by private votes (hpriv), and a classifier that is trained on them (alg-3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP
from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.law import Law
from dpcheck.model.neighbours import Relation
from dpcheck.papers.bassily2018.learners.answers import coded, decoded
from dpcheck.papers.bassily2018.learners.base_learners import checked_base, draws_nothing, is_estimator, trained
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.rounds import drawn_patterns
from dpcheck.papers.bassily2018.learners.separate_runs import separate_runs_claim
from dpcheck.papers.bassily2018.learners.votes import ABSTAINED, UNANSWERED, class_places, label_array
from dpcheck.parts.mechanisms.mixtures import mixture, product_law

#: Whether the labels come of one run on all points, or each of a run of its own.
Runs = Literal["one", "separate"]
_RUNS = ("one", "separate")
#: Laws over more label vectors are not declared.
MOST_LABELLINGS = 1 << 12
_SEEDS = 2**63 - 1


@dataclass(frozen=True, eq=False)
class PrivateLabels:
    """hpriv: a label for each public point, by the votes of models trained on private records.

    A point that gets no label from alg-2, because it abstains or has stopped, gets a fair coin; with more classes a
    uniform one. ``runs`` says which of two mechanisms the paper's ``hpriv(x)`` is:

    - ``"one"``: one run of alg-2 on all points in their order. Its claim is that of alg-2. Its labels are *not*
      independent of each other given the records: points of one round share a threshold, and after the last abstention
      all labels are coins. What label a point gets depends on the points before it.
    - ``"separate"``: a run of alg-2 for each point, all on the same models, as the paper defines ``hpriv``. Given the
      models the labels are independent of each other, and that of a point does not depend on the others
      (bassily2018:obs-4.d). The claim is the composition over all points: it grows with their number.

    Parameters
    ----------
    answers : PrivateAnswers
        The base learner, the points (``queries``), the scales, and what else alg-2 wants.
    runs : "one" or "separate"

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: bassily2018:hpriv, obs-4.b, obs-4.d.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.base_learners import LeastPositive
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> rng = np.random.default_rng()
    >>> x = rng.random(10_000)
    >>> scales = Scales(threshold=150.0, threshold_scale=4.0, query_scale=8.0, models=500, cutoff=1)
    >>> learner = PrivateLabels(PrivateAnswers(LeastPositive(), [0.2, 0.9], scales))
    >>> learner((x, (x >= 0.5).astype(int)), rng)
    (0, 1)
    >>> one, separate = learner.claim, PrivateLabels(learner.answers, "separate").claim
    >>> round(one.epsilon_value, 3), round(separate.epsilon_value, 3)  # of two points
    (2.0, 0.5)
    """

    answers: PrivateAnswers
    runs: Runs = "one"

    def __post_init__(self) -> None:
        if not isinstance(self.answers, PrivateAnswers):
            raise InvalidArgument(f"answers must be PrivateAnswers, got {describe_value(self.answers)}")
        if self.runs not in _RUNS:
            raise InvalidArgument(
                f"runs must be one of {', '.join(_RUNS)}, got {self.runs!r}{nearest(self.runs, _RUNS)}"
            )

    @property
    def points(self) -> Any:
        """The public points."""
        return self.answers.queries

    @property
    def classes(self) -> tuple[Hashable, ...]:
        """The labels."""
        return tuple(self.answers.classes)

    @property
    def claim(self) -> ApproxDP:
        """That of alg-2 on all points, or the composition of as many runs on one point.

        Raises
        ------
        AttributeError
            Where nothing is proved for these scales.

        Source: bassily2018:obs-4.c; :mod:`dpcheck.papers.bassily2018.learners.separate_runs`.
        """
        if self.runs == "one":
            return self.answers.claim
        inside = self.answers
        try:
            return separate_runs_claim(
                inside.scales, len(self.points), epsilon=inside.epsilon, delta=inside.delta, distance=inside.distance
            )
        except InvalidArgument as error:
            raise AttributeError(f"{type(self).__name__} has no claim: {error}") from error

    @property
    def neighbours(self) -> Relation:
        """That of alg-2."""
        return self.answers.neighbours

    def coins(self, counts: NDArray[np.int64]) -> NDArray[Any]:
        """What is said where nothing is answered: for each point the probability of each class, Fractions (m, c).

        The same for all, whatever the votes are.
        """
        return np.full(counts.shape, Fraction(1, counts.shape[1]), dtype=object)

    def answered(self, counts: NDArray[np.int64], size: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """``size`` times the m answers of alg-2 on one table of votes: places of labels, -1 and -2, shape (size, m)."""
        inside, m = self.answers, len(counts)
        if self.runs == "one" or not m:
            return inside.answers(counts, size, rng)
        alone = np.tile(inside.distances(counts), size)[:, None]
        patterns = drawn_patterns(alone, inside.noise(), inside.rounds(), size * m, rng)
        return coded(patterns.reshape(size, m), inside.labels(counts))

    def labels(self, counts: NDArray[np.int64], size: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """``size`` labellings on one table of votes: places of labels, shape (size, m)."""
        found = self.answered(counts, size, rng)
        runs, points = np.nonzero(found < 0)
        below = np.cumsum(self.coins(counts).astype(float), axis=1)[:, :-1]
        found[runs, points] = (rng.random(len(runs))[:, None] >= below[points]).sum(axis=1)
        return found

    def labels_law(self, counts: NDArray[np.int64]) -> Law:
        """The exact law of the labelling on one table of votes: the mixture over all coins of what alg-2 answers."""
        coins = self.coins(counts)
        if self.runs == "one":
            return _filled(self.answers.answers_law(counts), coins, self.classes)
        each = [slice(place, place + 1) for place in range(len(counts))]
        alone = [_filled(self.answers.answers_law(counts[one]), coins[one], self.classes) for one in each]
        together = product_law(alone)
        return Law(
            [tuple(label for (label,) in output) for output in together.outputs],
            log_probabilities=together.log_probabilities,
            exact=together.exact,
            error=together.error,
        )

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """A label for each point."""
        return decoded(self.labels(self.answers.vote_table(dataset, rng), 1, rng), self.classes)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent labellings."""
        return decoded(self.drawn(dataset, size, rng), self.classes)

    def drawn(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """``size`` independent labellings as places of labels, shape (size, m)."""
        tables, which = self.answers.drawn_tables(dataset, size, rng)
        found = np.empty((size, len(self.points)), dtype=np.int32)
        for table in np.unique(which).tolist():
            runs = np.flatnonzero(which == table)
            found[runs] = self.labels(tables[table], len(runs), rng)
        return found

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the labelling.

        Raises
        ------
        AttributeError
            Where ``answers`` declares none, or there are more than 4096 labellings.
        """
        _ = self.answers.distribution
        labellings = len(self.classes) ** len(self.points)
        if labellings > MOST_LABELLINGS:
            raise AttributeError(f"a law of {labellings:,} labellings is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        tables, weights = self.answers.vote_tables(dataset)
        return mixture(weights, map(self.labels_law, tables))


def _filled(law: Law, coins: NDArray[Any], classes: Sequence[Hashable]) -> Law:
    """The law of answers of which those that are no labels are replaced by coins of the probabilities given, (m, c)."""

    def said(output: tuple[Any, ...], faces: tuple[Hashable, ...]) -> tuple[Any, ...]:
        missing = (answer is UNANSWERED or answer is ABSTAINED for answer in output)
        return tuple(face if none else answer for none, face, answer in zip(missing, faces, output, strict=True))

    weights: list[Fraction] = []
    laws: list[Law] = []
    for faces in product(range(len(classes)), repeat=len(coins)):
        weight = math.prod((coins[place, face] for place, face in enumerate(faces)), start=Fraction(1))
        if weight:
            weights.append(weight)
            shown = tuple(classes[face] for face in faces)
            outputs = [said(output, shown) for output in law.outputs]
            laws.append(Law(outputs, law.log_probabilities, law.exact, law.error))
    return mixture(weights, laws)


@dataclass(frozen=True, eq=False)
class KnowledgeTransfer:
    """A_priv: a classifier trained on public points with private labels; it may be published, and asked for ever.

    Its output is the classifier's labels on ``domain``; ``classifier`` gives the classifier itself. Its claim is that
    of the labels, since it sees nothing else of the records.

    Parameters
    ----------
    labels : PrivateLabels
        hpriv on the public unlabelled points.
    final : base learner
        An estimator with ``fit(x, y)`` and ``predict(x)``, or a function ``(x, y) -> model`` or ``(x, y, rng) ->
        model``, such as ``EmpiricalMinimiser(family)``. An agnostic learner: labels need not be consistent.
    domain : points, optional
        Where the classifier is described; the public points when left out.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: bassily2018:alg-3, thm-4.2, thm-4.3, obs-4.c.

    Examples
    --------
    >>> from dpcheck.parts.classes import Thresholds
    >>> from dpcheck.papers.bassily2018.learners.base_learners import EmpiricalMinimiser, LeastPositive
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> rng = np.random.default_rng()
    >>> x = rng.random(10_000)
    >>> scales = Scales(threshold=150.0, threshold_scale=4.0, query_scale=8.0, models=500, cutoff=4)
    >>> answers = PrivateAnswers(LeastPositive(), np.linspace(0.0, 0.9, 10), scales)
    >>> learner = KnowledgeTransfer(PrivateLabels(answers), EmpiricalMinimiser(Thresholds()), [0.1, 0.3, 0.7, 1.0])
    >>> learner((x, (x >= 0.45).astype(int)), rng)
    (0, 0, 1, 1)
    """

    labels: PrivateLabels
    final: Any
    domain: Any = None

    def __post_init__(self) -> None:
        if not isinstance(self.labels, PrivateLabels):
            raise InvalidArgument(f"labels must be PrivateLabels, got {describe_value(self.labels)}")
        checked_base(self.final, "final")
        if is_estimator(self.final) and not len(self.labels.points):
            raise InvalidArgument("labels must be of at least 1 point to train a final estimator on, got none")
        if self.domain is not None and not hasattr(self.domain, "__len__"):
            raise InvalidArgument(f"domain must be a list or array of points, got {self.domain!r}")

    @property
    def claim(self) -> ApproxDP:
        """That of the labels: the classifier is a function of them and of public points."""
        return self.labels.claim

    @property
    def neighbours(self) -> Relation:
        """That of the labels."""
        return self.labels.neighbours

    def training_set(self, dataset: Any, labels: tuple[Any, ...]) -> tuple[Any, Any]:
        """Step 3: what the classifier is trained on: public points with these labels, and nothing of the records."""
        points = self.labels.points
        return (np.asarray(points) if isinstance(points, list | tuple) else points), label_array(labels)

    def trained(self, dataset: Any, labels: tuple[Any, ...], seed: int = 0) -> Any:
        """Step 3: the classifier of one labelling."""
        return trained(self.final, *self.training_set(dataset, labels), seed)

    def described(self, model: Any) -> tuple[Any, ...]:
        """The labels of a classifier on the domain."""
        points = self.labels.points if self.domain is None else self.domain
        said = label_array(model.predict(points) if hasattr(model, "predict") else model(points))
        return tuple(self.labels.classes[place] for place in class_places(said, self.labels.classes).tolist())

    def classifier(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One classifier, with its ``predict``."""
        return self.trained(dataset, self.labels(dataset, rng), int(rng.integers(_SEEDS)))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """The labels of one classifier on the domain."""
        return self.described(self.classifier(dataset, rng))

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent outputs; a final learner that draws nothing is trained once for each labelling."""
        drawn = self.labels.sample(dataset, size, rng)
        if not draws_nothing(self.final):
            seeds = rng.integers(_SEEDS, size=size).tolist()
            return [self.described(self.trained(dataset, *each)) for each in zip(drawn, seeds, strict=True)]
        known = {labels: self.described(self.trained(dataset, labels)) for labels in dict.fromkeys(drawn)}
        return [known[labels] for labels in drawn]

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the labels on the domain.

        Raises
        ------
        AttributeError
            Where the labels declare none, or the final learner draws.
        """
        _ = self.labels.distribution
        if not draws_nothing(self.final):
            raise AttributeError("a law through a final learner that draws is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        law = self.labels.distribution(dataset)
        outputs = [self.described(self.trained(dataset, labels)) for labels in law.outputs]
        return mixture([1], [Law(outputs, law.log_probabilities, law.exact, law.error)])
