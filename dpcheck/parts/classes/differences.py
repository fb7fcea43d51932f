"""The symmetric differences of the hypotheses of a class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.combinatorics import dichotomies, different_pairs
from dpcheck.parts.classes.dimensions import littlestone_dimension_on, vc_dimension_on
from dpcheck.parts.classes.discrete import AllFunctions
from dpcheck.parts.classes.finite_subsets import FiniteSubsets
from dpcheck.parts.classes.grid_intervals import GridIntervals
from dpcheck.parts.classes.intervals import Intervals
from dpcheck.parts.classes.parities import Parities
from dpcheck.parts.classes.protocol import FiniteDomain, HypothesisClass
from dpcheck.parts.classes.representatives import Rule, checked_rule
from dpcheck.parts.classes.thresholds import GridThresholds, Thresholds

#: Dimensions are computed on domains of up to so many points, by up to so many pairs of dichotomies there.
_MOST_POINTS, _MOST_PAIRS = 64, 1 << 16


@dataclass(frozen=True)
class Xor:
    """``x -> g(x) xor h(x)`` for hypotheses g and h of a class: C^xor. A hypothesis is the row of g and then h.

    Rules are those of the class, for g and h.

    Parameters
    ----------
    family : HypothesisClass

    Raises
    ------
    InvalidArgument
        When it is no hypothesis class.

    Source: alon2019 section 3 (H_Delta).

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> family = Xor(GridThresholds(9))
    >>> family.representatives([4, 2]).tolist(), family.vc_dimension
    ([[0, 0], [0, 3], [0, 5], [3, 5]], 2)
    >>> family.predict([(3, 5)], range(6)).tolist()
    [[0, 0, 0, 1, 1, 0]]
    """

    family: HypothesisClass

    def __post_init__(self) -> None:
        if not isinstance(self.family, HypothesisClass):
            raise InvalidArgument(f"family must be a hypothesis class, got {self.family!r}")

    @property
    def rules(self) -> tuple[str, ...]:
        """Those of the class."""
        return self.family.rules

    @cached_property
    def vc_dimension(self) -> float | None:
        """That of a class known to have the same functions; by brute force on a small finite domain; else None."""
        if (known := _same_functions(self.family)) is not None:
            return known.vc_dimension
        if self.family.vc_dimension == inf:  # the differences from one hypothesis shatter what the class does
            return inf
        try:
            return None if (domain := self._small_domain()) is None else vc_dimension_on(self, domain)
        except InvalidArgument:  # too many sets of points
            return None

    @cached_property
    def littlestone_dimension(self) -> float | None:
        """Found as the VC dimension is; infinite where the class's is, for the same reason."""
        if (known := _same_functions(self.family)) is not None:
            return known.littlestone_dimension
        if self.family.littlestone_dimension == inf:
            return inf
        return None if (domain := self._small_domain()) is None else littlestone_dimension_on(self, domain)

    def _small_domain(self) -> Any:
        """The points of the class's domain, or None where these or their dichotomies are too many."""
        if not isinstance(self.family, FiniteDomain):
            return None
        try:
            domain = self.family.domain()
            few = len(domain) <= _MOST_POINTS and len(self.family.representatives(domain)) ** 2 <= _MOST_PAIRS
        except InvalidArgument:  # not to be listed
            return None
        return domain if few else None

    def points(self, values: Any) -> NDArray[Any]:
        """Points as the class's."""
        return self.family.points(values)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[Any]:
        """A pair for each dichotomy; all pairs of dichotomies of the class are formed."""
        found = dichotomies(self.family, points, checked_rule(rule, self.rules))
        pairs = different_pairs(found.labels)
        rows = found.hypotheses.reshape(len(found), -1)
        return np.concatenate([rows[pairs[:, 0]], rows[pairs[:, 1]]], axis=1)

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """Whether g and h differ, for each pair and point, shape (k, m)."""
        rows = np.asarray(hypotheses)
        half = rows.shape[1] // 2
        one, other = rows[:, :half], rows[:, half:]
        if self._numbered:
            one, other = one[:, 0], other[:, 0]
        return self.family.predict(one, points) ^ self.family.predict(other, points)

    @cached_property
    def _numbered(self) -> bool:
        """Whether a hypothesis of the class is a number, not a row."""
        return self.family.representatives([]).ndim == 1


def _same_functions(family: HypothesisClass) -> HypothesisClass | None:
    """A class that has the symmetric differences of one as its functions, where it is known."""
    if isinstance(family, Thresholds) and family.orientation != "both":
        return Intervals()
    if isinstance(family, GridThresholds) and family.orientation != "both":
        return GridIntervals(family.domain_size)
    if isinstance(family, FiniteSubsets):
        return FiniteSubsets(None if family.largest is None else 2 * family.largest)
    return family if isinstance(family, Parities | AllFunctions) else None
