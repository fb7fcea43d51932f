"""A label-private learner of labelled records alone: part of them lose their labels and are the public points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import ApproxDP
from dpcheck.model.data import size_of, take_records
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import LabelsOnly
from dpcheck.papers.bassily2018.learners.base_learners import checked_base
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.transfer import KnowledgeTransfer, PrivateLabels, Runs
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.parameters import count


@dataclass(frozen=True, eq=False)
class LabelPrivateTransfer:
    """A_priv on one labelled sample: the first ``labelled`` records vote, the points of the others are labelled.

    The labels of the others are thrown away. Private are the labels of all records, and those alone: what is output is
    trained on the points of the others as they are. The claim is about ``LabelsOnly``. A changed label of one of the
    others changes nothing. One of the first changes the records of one chunk, because which chunk a record goes to does
    not depend on its label, and so the vote of one model: the claim is that of the labels, with nothing lost, for all
    the proof asks is that votes differ in one model. (A split by the record would let its label choose its chunk, and
    two models would differ: such are refused.) The points of the first records are private too, in that they show
    through votes only; the claim leaves that out.

    Parameters
    ----------
    base : base learner
        Trained on each chunk of the first records.
    scales : Scales
    final : base learner
        Trained on the points of the others.
    domain : points
        Public: where the classifier is described.
    records : int, at least 2
        How many records there are.
    labelled : int, optional
        How many of them vote; half of them, rounded up, when left out.
    runs : "one" or "separate", as for :class:`~dpcheck.papers.bassily2018.learners.transfer.PrivateLabels`
    split : "random", "blocks", "round_robin" or an array
        As for :class:`~dpcheck.papers.bassily2018.learners.private_answers.PrivateAnswers`, of the first records.
    options : mapping, optional
        The other options of ``PrivateAnswers``.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: bassily2018:obs-4.a, of alg-3.

    Examples
    --------
    >>> from dpcheck.parts.classes import Thresholds
    >>> from dpcheck.papers.bassily2018.learners.base_learners import EmpiricalMinimiser, LeastPositive
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> rng = np.random.default_rng()
    >>> x = rng.random(10_010)
    >>> scales = Scales(threshold=150.0, threshold_scale=4.0, query_scale=8.0, models=500, cutoff=9)
    >>> final = EmpiricalMinimiser(Thresholds())
    >>> learner = LabelPrivateTransfer(LeastPositive(), scales, final, [0.01, 0.99], records=10_010, labelled=10_000)
    >>> learner((x, (x >= 0.5).astype(int)), rng)[0], learner.neighbours.name
    (0, 'labels-only')
    """

    base: Any
    scales: Any
    final: Any
    domain: Any
    records: int
    labelled: int | None = None
    runs: Runs = "one"
    split: Any = "random"
    options: Any = None

    def __post_init__(self) -> None:
        count("records", self.records, least=2)
        if self.labelled is None:
            object.__setattr__(self, "labelled", (self.records + 1) // 2)
        elif not 1 <= count("labelled", self.labelled) < self.records:
            raise InvalidArgument(f"labelled must be below records, {self.records}, got {self.labelled}")
        if callable(self.split) or (isinstance(self.split, str) and self.split == "by_record"):
            raise InvalidArgument(
                f"split must not depend on labels: 'random', 'blocks', 'round_robin' or an array, got {self.split!r}"
            )
        if not hasattr(self.domain, "__len__"):
            raise InvalidArgument(f"domain must be a list or array of points, got {self.domain!r}")
        checked_base(self.final, "final")
        _ = self._transfer([None] * (self.records - self._voting))  # which refuses what is left to refuse

    @property
    def claim(self) -> ApproxDP:
        """That of the labels of so many public points.

        Raises
        ------
        AttributeError
            Where nothing is proved for these scales.
        """
        return self._transfer([None] * (self.records - self._voting)).claim

    @property
    def neighbours(self) -> LabelsOnly:
        """One label changed."""
        return LabelsOnly(size=self.records)

    @property
    def _voting(self) -> int:
        assert self.labelled is not None
        return self.labelled

    def voters(self, dataset: Any) -> Any:
        """The records that vote: the first ones."""
        return take_records(self._of_size(dataset), np.arange(self._voting))

    def points(self, dataset: Any) -> NDArray[Any]:
        """The public points: those of the other records."""
        x, _ = private_records(take_records(self._of_size(dataset), np.arange(self._voting, self.records)))
        return np.asarray(x)

    def transfer(self, dataset: Any) -> KnowledgeTransfer:
        """A_priv on these public points."""
        return self._transfer(self.points(dataset))

    def _transfer(self, points: Any) -> KnowledgeTransfer:
        answers = PrivateAnswers(self.base, points, self.scales, split=self.split, **(self.options or {}))
        return KnowledgeTransfer(PrivateLabels(answers, self.runs), self.final, self.domain)

    def _of_size(self, dataset: Any) -> Any:
        if size_of(dataset) != self.records:
            raise InvalidArgument(f"dataset must hold records = {self.records} records, got {size_of(dataset)}")
        return dataset

    def classifier(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One classifier, with its ``predict``."""
        return self.transfer(dataset).classifier(self.voters(dataset), rng)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[Any, ...]:
        """The labels of one classifier on the domain."""
        return self.transfer(dataset)(self.voters(dataset), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
        """``size`` independent outputs."""
        return self.transfer(dataset).sample(self.voters(dataset), size, rng)

    @property
    def distribution(self) -> Callable[[Any], Law]:
        """``distribution(dataset)``: the exact law of the labels on the domain, where A_priv declares one."""
        _ = self._transfer([None] * (self.records - self._voting)).distribution
        return self._distribution

    def _distribution(self, dataset: Any) -> Law:
        return self.transfer(dataset).distribution(self.voters(dataset))
