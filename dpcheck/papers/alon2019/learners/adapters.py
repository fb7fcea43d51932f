"""Semi-private learners for other kinds of input: labels private only, or one public sample fixed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.model.data import Labelled, SemiPrivate
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import LabelsOnly, PrivatePart, Relation, ReplaceOne
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.inner import checked_learner, drawn, law_method


@dataclass(frozen=True)
class LabelPrivate:
    """A label-private learner made of a semi-private one: features are public, so they may be its public sample.

    Parameters
    ----------
    learner : semi-private learner with unlabelled public data
    public : int of at least 0, optional
        So many records, the first ones, give their features to the public sample and nothing else: the two samples
        are then independent, as the learner's accuracy theorem wants. When left out all features are public and all
        records private too.

    Raises
    ------
    InvalidArgument
        When learner is no callable, or public no such integer.

    Source: alon2019:obs-1.a.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.alon2019.learners import CoverLearner
    >>> learner = LabelPrivate(CoverLearner(GridThresholds(9)))
    >>> learner.distribution(([4, 2], [1, 0])).outputs, learner.neighbours.name
    ([0, 3, 5], 'labels-only')
    """

    learner: Any
    public: int | None = None

    def __post_init__(self) -> None:
        checked_learner(self.learner)
        value = self.public
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
            raise InvalidArgument(f"public must be a number of records of at least 0, got {value!r}")

    @property
    def claim(self) -> Any:
        """That of the semi-private learner."""
        return getattr(self.learner, "claim", None)

    @property
    def neighbours(self) -> LabelsOnly:
        """One label changed."""
        return LabelsOnly()

    @property
    def order_blind(self) -> bool:
        """Whether the order of the records is of no matter."""
        return self.public is None and getattr(self.learner, "order_blind", False) is True

    def split(self, dataset: Any) -> SemiPrivate:
        """The semi-private dataset that the learner is given."""
        x, y = private_records(dataset)
        if self.public is None:
            return SemiPrivate(Labelled(x, y), x)
        return SemiPrivate(Labelled(x[self.public :], y[self.public :]), x[: self.public])

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.learner(self.split(dataset), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs."""
        return drawn(self.learner, self.split(dataset), size, rng)

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``, where the semi-private learner declares its law."""
        law = law_method(self.learner)
        return lambda dataset: law(self.split(dataset))


@dataclass(frozen=True)
class FixedPublic:
    """A semi-private learner beside one public sample: a learner of the private part alone.

    Privacy is promised for every public sample, so each makes a private learner, and its pairs can be enumerated.

    Parameters
    ----------
    learner : semi-private learner
    public : its public part

    Raises
    ------
    InvalidArgument
        When learner is no callable.

    Source: alon2019:def-2.2, item 2.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.alon2019.learners import CoverLearner
    >>> FixedPublic(CoverLearner(GridThresholds(9)), public=[4]).distribution(([3], [1])).outputs
    [0, 5]
    """

    learner: Any
    public: Any

    def __post_init__(self) -> None:
        checked_learner(self.learner)

    @property
    def claim(self) -> Any:
        """That of the semi-private learner."""
        return getattr(self.learner, "claim", None)

    @property
    def neighbours(self) -> Relation:
        """The relation of the learner's private part."""
        relation = getattr(self.learner, "neighbours", None)
        return relation.of if isinstance(relation, PrivatePart) else ReplaceOne()

    @property
    def order_blind(self) -> bool:
        """Whether the order of the private records is of no matter."""
        return getattr(self.learner, "order_blind", False) is True

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One output."""
        return self.learner(SemiPrivate(dataset, self.public), rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        """``size`` independent outputs."""
        return drawn(self.learner, SemiPrivate(dataset, self.public), size, rng)

    @property
    def distribution(self) -> Callable[[Any], Any]:
        """``distribution(dataset)``, where the semi-private learner declares its law."""
        law = law_method(self.learner)
        return lambda dataset: law(SemiPrivate(dataset, self.public))
