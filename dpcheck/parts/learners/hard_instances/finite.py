"""A hard instance on finitely many points: a class, masses, and the labels that one hypothesis gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import HypothesisClass
from dpcheck.parts.classes.points import labels_of


@dataclass(frozen=True, eq=False)
class FiniteInstance:
    """Points with masses, labelled without noise.

    ``dpcheck.utility.distributions.FiniteDistribution(points, masses, labels)`` is the same as a distribution.

    Parameters
    ----------
    family : HypothesisClass
    points : array of k points
    masses : sequence of k numbers of at least 0 (taken as exact) that sum to 1
    labels : sequence of k labels, 0 or 1

    Raises
    ------
    InvalidArgument
        When the lengths differ, or the masses are no probabilities.

    Examples
    --------
    >>> from dpcheck.parts.classes import PointFunctions
    >>> instance = FiniteInstance(PointFunctions(3), [0, 1, 2], [0.5, 0.25, 0.25], labels=[0, 1, 0])
    >>> instance.error(0), instance.error(1), instance.draw(5, np.random.default_rng()).x.shape
    (Fraction(3, 4), Fraction(0, 1), (5,))
    """

    family: HypothesisClass
    points: NDArray[Any]
    masses: tuple[Fraction, ...]
    labels: NDArray[np.uint8]

    def __init__(self, family: HypothesisClass, points: Any, masses: Sequence[Any], labels: Any) -> None:
        found, exact, given = family.points(points), tuple(Fraction(mass) for mass in masses), labels_of(labels)
        if not len(found) == len(exact) == len(given) or sum(exact) != 1 or min(exact) < 0:
            raise InvalidArgument(
                f"masses must be {len(found)} numbers of at least 0 that sum to 1, one per point and label, got "
                f"{[str(mass) for mass in exact[:4]]}"
            )
        for name, value in (("family", family), ("points", found), ("masses", exact), ("labels", given)):
            object.__setattr__(self, name, value)

    def error(self, hypothesis: Any) -> Fraction:
        """The probability that a hypothesis of the class mislabels a point, exact."""
        wrong = self.family.predict(np.asarray(hypothesis)[None], self.points)[0] != self.labels
        return sum((mass for mass, missed in zip(self.masses, wrong, strict=True) if missed), Fraction(0))

    def draw(self, size: int, rng: np.random.Generator) -> Labelled:
        """``size`` independent labelled points; masses are rounded to doubles."""
        ends = np.cumsum(np.array([float(mass) for mass in self.masses]))
        last = int(np.flatnonzero([mass > 0 for mass in self.masses])[-1])
        place = np.minimum(np.searchsorted(ends, rng.random(size), side="right"), last)
        return Labelled(self.points[place], self.labels[place].astype(np.int64))
