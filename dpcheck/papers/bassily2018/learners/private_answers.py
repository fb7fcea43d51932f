"""Alg-2: public queries answered by the votes of models trained on disjoint chunks, through a sparse vector."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import AddRemove, Relation, ReplaceOne
from dpcheck.papers.bassily2018.learners.accounting import answering_claim
from dpcheck.papers.bassily2018.learners.answers import coded, decoded, law_of_patterns
from dpcheck.papers.bassily2018.learners.base_learners import checked_base, draws_nothing, trained
from dpcheck.papers.bassily2018.learners.chunks import (
    checked_split,
    chunk_numbers,
    goes_by_position,
    rows_of_chunks,
)
from dpcheck.papers.bassily2018.learners.rounds import MOST_PATTERNS, drawn_patterns, number_of_patterns, pattern_law
from dpcheck.papers.bassily2018.learners.scales import Guard, Scales, check_guard
from dpcheck.papers.bassily2018.learners.sizes import printed_scales, proved_scales
from dpcheck.papers.bassily2018.learners.vote_tables import (
    MOST_SPLITS,
    all_tables,
    declares_answers,
    drawn_models,
    number_of_splits,
)
from dpcheck.papers.bassily2018.learners.votes import (
    ConstantModel,
    Distance,
    Tie,
    as_distance,
    check_tie,
    checked_classes,
    leading_label,
    votes_of,
)
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.mixtures import mixture
from dpcheck.parts.mechanisms.parameters import count, positive, probability


@dataclass(frozen=True, eq=False)
class PrivateAnswers:
    """A_binClas: labels for m public queries, by the votes of k models, with an abstention where these disagree.

    The private records are split into k chunks, and a model is trained on each. The queries are asked in their order.
    A query is answered with its leading label when ``distance + Lap(query_scale)`` exceeds a noisy threshold; else the
    output is an abstention, and the threshold gets fresh noise. After ``scales.rounds(guard)`` abstentions nothing is
    answered any more. More than two classes are the paper's remark (obs-3.c): the margin is then that of the first
    label over the second.

    Whatever the base learner does, one record changes the vote of one model only, and so the claim is about the votes;
    its proof is in :mod:`dpcheck.papers.bassily2018.learners.accounting`. The claim is what the scales are proved to
    give, not what the paper says of them: (epsilon, delta) where that is proved, and without ``epsilon`` the least
    epsilon at delta. The relation follows from the split: to add or remove a record for "random", "by_record" and
    functions; to replace one for splits by position, which are not private when a record more moves all others (the
    paper splits "arbitrarily", into chunks of size n/k, under add/remove: no claim is made for that).

    Parameters
    ----------
    base : base learner
        An estimator with ``fit(x, y)`` and ``predict(x)``, or a function ``(x, y) -> model`` or ``(x, y, rng) ->
        model`` that keeps nothing between its calls. A chunk without records votes for the first class. A vote outside
        the classes, or a chunk on which training fails, is an error, which is an output that no claim is about.
    queries : m points
        Public. The paper's Q.
    scales : Scales
        Noise, threshold, number of models and cut-off; ``for_privacy`` and ``as_printed`` make learners with them.
    classes : labels, public
        Records with other labels are refused.
    split : "random", "by_record", "blocks", "round_robin", a function (record -> integer) or an array of shape (n,)
    tie : "last" or "first"
        Which of the labels with most votes leads.
    guard : "printed" (T + 1 abstentions) or "strict" (T)
    distance : "printed", "votes" or a Distance
    epsilon : float, optional
        The epsilon of the claim.
    delta : float
        The delta of the claim.
    salt : int
        Public; another salt is another split "by_record".

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: bassily2018:alg-2, thm-3.1.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.base_learners import LeastPositive
    >>> rng = np.random.default_rng()
    >>> x = rng.random(100_000)
    >>> learner = PrivateAnswers.for_privacy(LeastPositive(), [0.2, 0.9], epsilon=1.0, delta=1e-6)
    >>> learner((x, (x >= 0.5).astype(int)), rng)
    (0, 1)
    >>> learner.claim, learner.neighbours.name
    (ApproxDP(epsilon=1.0, delta=1e-06), 'add-remove')
    """

    base: Any
    queries: Any
    scales: Scales
    classes: Sequence[Hashable] = (0, 1)
    split: Any = "random"
    tie: Tie = "last"
    guard: Guard = "printed"
    distance: str | Distance = "printed"
    epsilon: float | None = None
    delta: float = 1e-6
    salt: int = 0

    def __post_init__(self) -> None:
        checked_base(self.base)
        _check_queries(self.queries)
        if not isinstance(self.scales, Scales):
            raise InvalidArgument(f"scales must be Scales, got {self.scales!r}")
        object.__setattr__(self, "classes", checked_classes(self.classes))
        object.__setattr__(self, "split", checked_split(self.split))
        check_tie(self.tie)
        check_guard(self.guard)
        as_distance(self.distance)
        if self.epsilon is not None:
            positive("epsilon", self.epsilon)
        probability("delta", self.delta)

    @classmethod
    def for_privacy(
        cls,
        base: Any,
        queries: Any,
        *,
        epsilon: float,
        delta: float,
        cutoff: int = 1,
        failure: float = 0.05,
        models: int | None = None,
        records: int | None = None,
        **options: Any,
    ) -> PrivateAnswers:
        """The learner with the least noise that is proved to be (epsilon, delta)-private: see ``proved_scales``.

        Parameters
        ----------
        base, queries : as for the learner
        epsilon, delta : float
        cutoff : int
            How many abstentions are allowed: T.
        failure : float
            The probability with which a query on which a third of the votes is wrong may go unanswered.
        models : int, optional
            k; by default so many that such queries are answered. Look at ``scales.models`` of what is made, and have
            many times as many records: chunks without any vote for the first class, and where most have none that is
            the answer to every query.
        records : int, optional
            How many records there will be, where that is public (or a public number that is not above it): so few
            that a third of the chunks would be empty are refused. What is refused depends on no dataset.
        options : the learner's other arguments

        Raises
        ------
        InvalidArgument
            When an argument is none of these, no noise is proved to do it, or ``records`` are too few.

        Examples
        --------
        >>> from dpcheck.papers.bassily2018.learners.base_learners import ChunkMajority
        >>> made = PrivateAnswers.for_privacy
        >>> made(ChunkMajority(), [0.5], epsilon=1.0, delta=1e-6, records=2000).models
        453
        >>> made(ChunkMajority(), [0.5], epsilon=1.0, delta=1e-6, records=100)  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        dpcheck.InvalidArgument: records must be at least 498 for 453 models, or a third of them is ...
        """
        _check_queries(queries)
        scales = proved_scales(
            epsilon,
            delta,
            failure,
            len(queries),
            cutoff,
            guard=options.get("guard", "printed"),
            distance=options.get("distance", "printed"),
            models=models,
        )
        made = cls(base, queries, scales, epsilon=epsilon, delta=delta, **options)
        if records is not None:
            why = f"epsilon {epsilon:g}, delta {delta:g} and {len(queries):,} queries" if models is None else "models"
            _check_records(count("records", records), made, why)
        return made

    @classmethod
    def as_printed(
        cls,
        base: Any,
        queries: Any,
        *,
        epsilon: float,
        delta: float,
        cutoff: int = 1,
        failure: float = 0.05,
        **options: Any,
    ) -> PrivateAnswers:
        """The learner with the paper's formulas; it claims (epsilon, delta) where the accounting proves it."""
        _check_queries(queries)
        scales = printed_scales(epsilon, delta, failure, len(queries), cutoff)
        return cls(base, queries, scales, epsilon=epsilon, delta=delta, **options)

    @property
    def models(self) -> int:
        """k, the number of chunks and of models."""
        return self.scales.models

    @property
    def claim(self) -> ApproxDP:
        """(epsilon, delta) as proved for these scales; without ``epsilon`` the least that is.

        Raises
        ------
        AttributeError
            When it is not proved, so that there is no claim.
        """
        try:
            return answering_claim(
                self.scales,
                len(self.queries),
                epsilon=self.epsilon,
                delta=self.delta,
                guard=self.guard,
                distance=self.distance,
            )
        except InvalidArgument as error:
            raise AttributeError(f"{type(self).__name__} has no claim: {error}") from error

    @property
    def neighbours(self) -> Relation:
        """One record added or removed; replaced, where a record's chunk goes by its position."""
        return ReplaceOne() if goes_by_position(self.split) else AddRemove()

    def assignment(self, dataset: Any, coins: NDArray[np.intp] | None = None) -> NDArray[np.intp]:
        """Step 3: the chunk of each of n records, shape (n,); ``coins``, one for each record, where it is random."""
        x, y = private_records(dataset)
        return chunk_numbers(x, y, self.scales.models, self.split, coins, self.salt)

    def chunks(self, assignment: NDArray[np.intp]) -> list[NDArray[np.intp]]:
        """Step 3: the rows of each of k chunks."""
        return rows_of_chunks(assignment, self.scales.models)

    def model(self, x: Any, y: Any, seed: int = 0) -> Any:
        """Step 4: the model of one chunk; without records that which always says the first class."""
        return trained(self.base, x, y, seed) if len(y) else ConstantModel(self.classes[0])

    def counts(self, models: Sequence[Any]) -> NDArray[np.int64]:
        """Step 6: the votes for each label on each query, shape (m, c)."""
        return votes_of(models, self.queries, self.classes)

    def distances(self, counts: NDArray[np.int64]) -> NDArray[Any]:
        """Step 7: what is compared with the threshold, shape (m,)."""
        return as_distance(self.distance).of(counts)

    def labels(self, counts: NDArray[np.int64]) -> NDArray[np.intp]:
        """Step 7: the place of the leading label in the list of classes, shape (m,)."""
        return leading_label(counts, self.tie)

    def noise(self) -> Scales:
        """Steps 1, 2, 8 and 9: threshold and noise."""
        return self.scales

    def rounds(self) -> int:
        """Step 5: the number of abstentions after which nothing is answered."""
        return self.scales.rounds(self.guard)

    def answers(self, counts: NDArray[np.int64], size: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """Steps 5 to 10: ``size`` runs on one table of votes; places of labels, -1 and -2, shape (size, m)."""
        patterns = drawn_patterns(self.distances(counts), self.noise(), self.rounds(), size, rng)
        return coded(patterns, self.labels(counts))

    def answers_law(self, counts: NDArray[np.int64]) -> Law:
        """Steps 5 to 10: the exact law of the output on one table of votes, in balls."""
        labels = [self.classes[place] for place in self.labels(counts).tolist()]
        return law_of_patterns(pattern_law(self.distances(counts), self.noise(), self.rounds()), labels)

    def trained_models(self, dataset: Any, rng: np.random.Generator) -> list[Any]:
        """Steps 3 and 4: the k models of one run."""
        return drawn_models(self, dataset, rng)

    def vote_table(self, dataset: Any, rng: np.random.Generator) -> NDArray[np.int64]:
        """Steps 3, 4 and 6: the counts of one run, shape (m, c)."""
        return self.counts(self.trained_models(dataset, rng))

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """For each query a label, "⊥" or None."""
        return decoded(self.answers(self.vote_table(dataset, rng), 1, rng), self.classes)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent runs.

        Where the split is a function of the records and the base learner draws nothing, the models are trained once;
        where the splits can be enumerated, once for each; else for each run.
        """
        tables, which = self.drawn_tables(dataset, size, rng)
        found = np.empty((size, len(self.queries)), dtype=np.int32)
        for table in np.unique(which).tolist():
            runs = np.flatnonzero(which == table)
            found[runs] = self.answers(tables[table], len(runs), rng)
        return decoded(found, self.classes)

    def drawn_tables(
        self, dataset: Any, size: int, rng: np.random.Generator
    ) -> tuple[list[NDArray[np.int64]], NDArray[np.intp]]:
        """Steps 3, 4 and 6 of ``size`` runs: tables of votes, and which of them each run has, shape (size,)."""
        if not draws_nothing(self.base) or number_of_splits(self, dataset) > MOST_SPLITS:
            return [self.vote_table(dataset, rng) for _ in range(size)], np.arange(size)
        tables, weights = self.vote_tables(dataset)
        return tables, rng.choice(len(tables), size, p=np.array(weights, dtype=float))

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the output.

        Raises
        ------
        AttributeError
            Where there is none: the base learner draws, or there are more than 4096 patterns of answers, or 8 chunks
            that are drawn.
        """
        declares_answers(self)
        patterns = number_of_patterns(len(self.queries), self.rounds())
        if patterns > MOST_PATTERNS:
            raise AttributeError(f"a law of {patterns:,} patterns of answers is not declared")
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        tables, weights = self.vote_tables(dataset)
        return mixture(weights, map(self.answers_law, tables))

    def vote_tables(self, dataset: Any) -> tuple[list[NDArray[np.int64]], list[Fraction]]:
        """The tables of votes of all splits, each once, with their probabilities.

        Models are told by their chunks alone, and a table by its models in any order: few are trained.
        """
        tables, times = all_tables(self, dataset)
        return tables, [Fraction(each, sum(times)) for each in times]


def _check_queries(queries: Any) -> None:
    """Refuse what is no list or array of points, before they are counted."""
    if not hasattr(queries, "__len__") or isinstance(queries, str | bytes):
        raise InvalidArgument(f"queries must be a list or array of points, got {queries!r}")


def _check_records(records: int, learner: PrivateAnswers, why: str) -> None:
    """Refuses so few records that a third of the chunks is empty: a query is only promised an answer up to there."""
    k = learner.models
    by_position = goes_by_position(learner.split)
    # of k chunks that records choose at random k (1 - 1/k)^n are empty
    enough = math.ceil(2 * k / 3) if by_position or k == 1 else math.ceil(math.log(1 / 3) / math.log1p(-1 / k))
    if records < enough:
        raise InvalidArgument(
            f"records must be at least {enough:,} for {k:,} models, or a third of them is trained on nothing, got "
            f"{records:,}: so many models come of {why}"
        )
