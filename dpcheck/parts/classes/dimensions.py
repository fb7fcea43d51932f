"""Dimensions of any class on a finite set of points, by brute force, and the bound of Sauer's lemma."""

from __future__ import annotations

from math import inf
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.combinatorics import dichotomies
from dpcheck.parts.classes.finite import FiniteClass
from dpcheck.parts.classes.points import whole_number
from dpcheck.parts.classes.protocol import HypothesisClass


def vc_dimension_on(family: HypothesisClass, points: Any) -> int:
    """The size of the largest set among some points on which a class has all labellings.

    Never above the class's own, and equal to it on the whole of a finite domain.

    Raises
    ------
    InvalidArgument
        When there are too many sets of points to try, or a point is outside the domain.

    Source: Vapnik & Chervonenkis 1971, doi:10.1137/1116025.

    Examples
    --------
    >>> from dpcheck.parts.classes import Intervals
    >>> vc_dimension_on(Intervals(), [1, 2, 3]), vc_dimension_on(Intervals(), [1])
    (2, 1)
    """
    listed = _listed(family, points)
    return 0 if listed is None else listed.vc_dimension


def littlestone_dimension_on(family: HypothesisClass, points: Any) -> int | None:
    """The depth of the deepest mistake tree of a class whose nodes are among some points; None for over 64 dichotomies.

    Source: Littlestone 1988, doi:10.1007/BF00116827.

    Examples
    --------
    >>> from dpcheck.parts.classes import Thresholds
    >>> littlestone_dimension_on(Thresholds(), range(7))
    3
    """
    listed = _listed(family, points)
    return 0 if listed is None else listed.littlestone_dimension


def sauer_bound(vc_dimension: float, points: int) -> int:
    """``sum_{i <= d} C(m, i)``: no class of VC dimension d has more dichotomies on m points; exact.

    Parameters
    ----------
    vc_dimension : int of at least 0, or inf
    points : int, at least 0

    Raises
    ------
    InvalidArgument
        When one is no such number.

    Source: Sauer 1972, doi:10.1016/0097-3165(72)90019-2.

    Examples
    --------
    >>> sauer_bound(2, 4), sauer_bound(float("inf"), 4)
    (11, 16)
    """
    m = whole_number("points", points, 0, 2**20)
    if vc_dimension == inf:
        return 1 << m
    whole = isinstance(vc_dimension, float) and vc_dimension.is_integer()
    if not whole and (isinstance(vc_dimension, bool) or not hasattr(vc_dimension, "__index__")):
        raise InvalidArgument(f"vc_dimension must be an integer or inf, got {vc_dimension!r}")
    d = whole_number("vc_dimension", int(vc_dimension), 0, 2**62)
    if d >= m:
        return 1 << m
    term = total = 1
    for i in range(d):  # from one binomial coefficient to the next: each anew takes minutes for large ones
        term = term * (m - i) // (i + 1)
        total += term
    return total


def _listed(family: HypothesisClass, points: Any) -> FiniteClass | None:
    """The class on the distinct ones among points, as a list of its dichotomies; None without points."""
    labels = dichotomies(family, points).labels
    return FiniteClass(labels) if labels.shape[1] else None
