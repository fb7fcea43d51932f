"""A hypothesis class on a few points, for which a paper's learner is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dpcheck.model.data import Labelled
from dpcheck.parts.classes import HypothesisClass


@dataclass(frozen=True, eq=False)
class ClassInstance:
    """A hypothesis class with two points of its domain: they are public, and the records lie on them.

    Parameters
    ----------
    name : str
        What the class is called in the table.
    family : HypothesisClass
    points : two distinct points of its domain

    Examples
    --------
    >>> from dpcheck.parts.classes import PointFunctions
    >>> ClassInstance("points", PointFunctions(4), [0, 1]).dataset
    Labelled(x=array([0, 1, 1]), y=array([0, 1, 1]))
    """

    name: str
    family: HypothesisClass
    points: list[Any]

    @property
    def dataset(self) -> Labelled:
        """Three records: the first point labelled 0, the second labelled 1, twice."""
        return Labelled(self.family.points([self.points[0], self.points[1], self.points[1]]), np.array([0, 1, 1]))

    @property
    def size(self) -> int:
        """The number of records."""
        return len(self.dataset.y)
