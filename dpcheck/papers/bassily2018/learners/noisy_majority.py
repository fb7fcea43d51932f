"""What alg-2 is compared with: noisy majorities by composition, majorities without noise, and no data at all."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import AddRemove, Relation, ReplaceOne
from dpcheck.papers.bassily2018.learners.answers import decoded
from dpcheck.papers.bassily2018.learners.base_learners import checked_base, trained
from dpcheck.papers.bassily2018.learners.chunks import checked_split, chunk_numbers, goes_by_position, rows_of_chunks
from dpcheck.papers.bassily2018.learners.composition import composed_claim, scale_for
from dpcheck.papers.bassily2018.learners.noisy_votes import MOST_OUTPUTS, NoisyVotes
from dpcheck.papers.bassily2018.learners.vote_tables import declares_answers, drawn_answers, law_of_answers
from dpcheck.papers.bassily2018.learners.votes import (
    ConstantModel,
    Tie,
    check_tie,
    checked_classes,
    class_places,
    leading_label,
    votes_of,
)
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.parameters import count


@dataclass(frozen=True, eq=False)
class NoisyMajority:
    """Each of m public queries answered with the label of the largest noisy count of the votes of k models.

    The private records are split into k chunks, a model is trained on each, and its votes on the queries are counted.
    No query is left without an answer, and each costs privacy, whether the models agree on it or not: the paper's
    baseline (``k = Theta~(sqrt(m)/eps)`` chunks and advanced composition, section 1.1), and, with Laplace noise, the
    aggregation of Papernot et al. 2017, arXiv:1610.05755.

    One record changes the vote of one model (see :mod:`dpcheck.papers.bassily2018.learners.chunks` for which splits
    make that so under which relation); what m noisy labels cost then is in
    :mod:`dpcheck.papers.bassily2018.learners.composition`.

    Parameters
    ----------
    base : base learner
        An estimator with ``fit(x, y)`` and ``predict(x)``, or a function ``(x, y) -> model`` or ``(x, y, rng) ->
        model``. A chunk without records votes for the first class.
    queries : m points, at least 1
        Public.
    models : int, at least 1
        k.
    scale : float or Fraction, above 0
        The Laplace scale, or the standard deviation, of the noise on each count; ``for_privacy`` solves for it.
    noise : ``"laplace"`` or ``"gaussian"``
    accounting : ``"basic"``, ``"advanced"``, ``"pld"`` or, for Gaussian noise, ``"exact"``
        How the claim is computed. ``"pld"`` is dp-accounting's pessimistic bound, in doubles whose rounding the
        library does not bound; the others are rounded upwards.
    delta : float
        The delta of the claim; not used by basic composition of Laplace noise, which is pure.
    classes : labels, public
    split : ``"random"``, ``"by_record"``, ``"blocks"``, ``"round_robin"``, a function or an array of shape (n,)
    salt : int
        Public; another salt is another split "by_record".

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.base_learners import LeastPositive
    >>> rng = np.random.default_rng()
    >>> x = rng.random(100_000)
    >>> learner = NoisyMajority.for_privacy(
    ...     LeastPositive(), [0.2, 0.9], models=1000, epsilon=1.0, delta=1e-6, accounting="advanced"
    ... )
    >>> learner((x, (x >= 0.5).astype(int)), rng)
    (0, 1)
    >>> round(learner.scale, 2), learner.claim.epsilon_value <= 1.0, learner.neighbours.name
    (11.81, True, 'add-remove')
    """

    base: Any
    queries: Any
    models: int
    scale: float | Fraction
    noise: str = "gaussian"
    accounting: str = "pld"
    delta: float = 1e-6
    classes: Sequence[Hashable] = (0, 1)
    split: Any = "random"
    salt: int = 0

    def __post_init__(self) -> None:
        _check_committee(self)
        if not len(self.queries):
            raise InvalidArgument("queries must be at least 1 point, got none")
        NoisyVotes(np.zeros((1, len(self.classes)), dtype=np.int64), self.noise, self.scale)
        composed_claim(self.noise, self.scale, 1, self.accounting, self.delta, len(self.classes))

    @classmethod
    def for_privacy(
        cls,
        base: Any,
        queries: Any,
        *,
        models: int,
        epsilon: float,
        delta: float = 1e-6,
        noise: str = "gaussian",
        accounting: str = "pld",
        classes: Sequence[Hashable] = (0, 1),
        **options: Any,
    ) -> NoisyMajority:
        """The learner with the least noise whose claim is (epsilon, delta), or epsilon where that is pure."""
        scale = scale_for(
            epsilon, delta, len(queries), noise=noise, accounting=accounting, classes=len(checked_classes(classes))
        )
        return cls(base, queries, models, scale, noise, accounting, delta, classes, **options)

    @property
    def claim(self) -> PureDP | ApproxDP:
        """What m labels promise together at this scale.

        Raises
        ------
        AttributeError
            Where the accounting has no number for it: see ``accounting``.
        """
        m = len(self.queries)
        try:
            return composed_claim(self.noise, self.scale, m, self.accounting, self.delta, len(self.classes))
        except InvalidArgument as error:
            raise AttributeError(f"{type(self).__name__} has no claim: {error}") from error

    @property
    def neighbours(self) -> Relation:
        """One record added or removed; replaced, where a record's chunk goes by its position."""
        return ReplaceOne() if goes_by_position(self.split) else AddRemove()

    def assignment(self, dataset: Any, coins: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
        """The chunk of each of n records, shape (n,); ``coins``, one for each record, where it is random."""
        x, y = private_records(dataset)
        return chunk_numbers(x, y, self.models, self.split, coins, self.salt)

    def chunks(self, assignment: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """The rows of each of k chunks."""
        return rows_of_chunks(assignment, self.models)

    def model(self, x: Any, y: Any, seed: int = 0) -> Any:
        """The model of one chunk; without records that which always says the first class."""
        return trained(self.base, x, y, seed) if len(y) else ConstantModel(self.classes[0])

    def counts(self, models: Sequence[Any]) -> NDArray[np.int64]:
        """The votes for each label on each query, shape (m, c)."""
        return votes_of(models, self.queries, self.classes)

    def noise_scale(self, counts: NDArray[np.int64]) -> float | Fraction:
        """The scale of the noise on each count: the same whatever the counts are."""
        return self.scale

    def noisy_votes(self, counts: NDArray[np.int64]) -> Any:
        """The labels of the largest noisy counts, with ``sample(size, rng)`` and ``law(classes)``."""
        return NoisyVotes(counts, self.noise, self.noise_scale(counts))

    def answers(self, counts: NDArray[np.int64], size: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """``size`` runs on one table of votes: places of labels, shape (size, m)."""
        found: NDArray[np.int32] = self.noisy_votes(counts).sample(size, rng)
        return found

    def answers_law(self, counts: NDArray[np.int64]) -> Law:
        """The exact law of the output on one table of votes."""
        law: Law = self.noisy_votes(counts).law(self.classes)
        return law

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """A label for each query."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent runs; models are trained once where neither split nor base learner draws."""
        return decoded(drawn_answers(self, dataset, size, rng, self.answers), self.classes)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the output.

        Raises
        ------
        AttributeError
            Where there is none: the base learner draws, or there are more than 4096 outputs, or 8 chunks that are
            drawn.
        """
        declares_answers(self)
        outputs = len(self.classes) ** len(self.queries)
        if outputs > MOST_OUTPUTS:
            raise AttributeError(f"a law of {outputs:,} outputs is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        return law_of_answers(self, dataset, self.answers_law)


@dataclass(frozen=True, eq=False)
class Majority:
    """Each query answered with the label that most of k models vote for, without noise: it promises no privacy.

    With one model, the default, it is the base learner on all records.

    Parameters
    ----------
    base, queries, models, classes, split, salt
        As for :class:`NoisyMajority`.
    tie : ``"last"`` or ``"first"``
        Which of the labels with most votes leads.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority
    >>> Majority(ChunkMajority(), [0.2, 0.9])([(0.5, 1), (0.4, 1), (0.3, 0)], np.random.default_rng())
    (1, 1)
    """

    base: Any
    queries: Any
    models: int = 1
    classes: Sequence[Hashable] = (0, 1)
    split: Any = "random"
    tie: Tie = "last"
    salt: int = 0

    def __post_init__(self) -> None:
        _check_committee(self)
        check_tie(self.tie)

    @property
    def neighbours(self) -> Relation:
        """As for :class:`NoisyMajority`."""
        return ReplaceOne() if goes_by_position(self.split) else AddRemove()

    def assignment(self, dataset: Any, coins: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
        """The chunk of each of n records, shape (n,)."""
        x, y = private_records(dataset)
        return chunk_numbers(x, y, self.models, self.split, coins, self.salt)

    def chunks(self, assignment: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """The rows of each of k chunks."""
        return rows_of_chunks(assignment, self.models)

    def model(self, x: Any, y: Any, seed: int = 0) -> Any:
        """The model of one chunk; without records that which always says the first class."""
        return trained(self.base, x, y, seed) if len(y) else ConstantModel(self.classes[0])

    def counts(self, models: Sequence[Any]) -> NDArray[np.int64]:
        """The votes for each label on each query, shape (m, c)."""
        return votes_of(models, self.queries, self.classes)

    def answers(self, counts: NDArray[np.int64], size: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """The leading labels, ``size`` times; shape (size, m)."""
        return np.tile(leading_label(counts, self.tie).astype(np.int32), (size, 1))

    def answers_law(self, counts: NDArray[np.int64]) -> Law:
        """The leading labels, for certain."""
        output = tuple(self.classes[place] for place in leading_label(counts, self.tie).tolist())
        return Law([output], exact=[Fraction(1)])

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """A label for each query."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent runs."""
        return decoded(drawn_answers(self, dataset, size, rng, self.answers), self.classes)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the output, where the base learner draws nothing."""
        declares_answers(self)
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        return law_of_answers(self, dataset, self.answers_law)


@dataclass(frozen=True, eq=False)
class ConstantAnswers:
    """Every query answered with one public label, whatever the records are: 0-DP.

    Parameters
    ----------
    queries : m points
    label : one of the classes
    classes : labels

    Raises
    ------
    InvalidArgument
        When the label is not among the classes.

    Examples
    --------
    >>> learner = ConstantAnswers([0.2, 0.9], label=1)
    >>> learner([(0.5, 0)], np.random.default_rng()), learner.claim
    ((1, 1), PureDP(epsilon=0.0))
    """

    queries: Any
    label: Hashable = 0
    classes: Sequence[Hashable] = (0, 1)
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "classes", checked_classes(self.classes))
        class_places([self.label], self.classes, "label")

    @property
    def claim(self) -> PureDP:
        """Nothing is told about the records."""
        return PureDP(0.0)

    @property
    def neighbours(self) -> AddRemove:
        """One record added or removed; any other relation does as well."""
        return AddRemove()

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """The label, m times."""
        return (self.label,) * len(self.queries)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` times the same."""
        return [self(dataset, rng)] * size

    def distribution(self, dataset: Any) -> Law:
        """The one output, for certain."""
        return Law([(self.label,) * len(self.queries)], exact=[Fraction(1)])


def _check_committee(learner: Any) -> None:
    """What learners of several models are given, checked and made what it stands for."""
    checked_base(learner.base)
    if not hasattr(learner.queries, "__len__"):
        raise InvalidArgument(f"queries must be a list or array of points, got {learner.queries!r}")
    object.__setattr__(learner, "models", count("models", learner.models))
    object.__setattr__(learner, "classes", checked_classes(learner.classes))
    object.__setattr__(learner, "split", checked_split(learner.split))
