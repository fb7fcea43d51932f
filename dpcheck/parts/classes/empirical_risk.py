"""Empirical risk minimisation: the fewest mistakes a class makes on a sample, and the hypotheses that make them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.combinatorics import mistakes
from dpcheck.parts.classes.grid_intervals import GridIntervals
from dpcheck.parts.classes.intervals import Intervals
from dpcheck.parts.classes.points import labels_of
from dpcheck.parts.classes.protocol import HypothesisClass
from dpcheck.parts.classes.representatives import Rule

#: More intervals that all make the fewest mistakes are not listed.
MOST_LISTED = 1 << 24
_TIES = ("all", "first")


def least_mistakes(family: HypothesisClass, x: Any, y: Any) -> int:
    """The fewest of n labelled records that a hypothesis of a class gets wrong; exact.

    O(n log n) for thresholds, stumps (for each coordinate) and intervals; else by counting for each dichotomy.

    Parameters
    ----------
    family : HypothesisClass
    x : n points
    y : n labels, 0 or 1

    Raises
    ------
    InvalidArgument
        When the lengths differ, a label is neither, or a point is outside the domain.

    Source: inf_h err(h, S) of chaudhuri2011:def-rho, times n.

    Examples
    --------
    >>> least_mistakes(Intervals(), [1, 2, 3, 4], [0, 1, 0, 1])
    1
    """
    if isinstance(family, Intervals | GridIntervals):
        points, labels = _records(family, x, y)
        _, sums = _sums(points, labels)
        return int(labels.sum(dtype=np.int64)) - max(0, _largest(sums))
    return int(mistakes(family, family.representatives(family.points(x)), x, y).min())


def empirical_minimisers(
    family: HypothesisClass, x: Any, y: Any, *, ties: str = "all", rule: Rule = None
) -> NDArray[Any]:
    """The hypotheses that get the fewest of n labelled records wrong, one for each dichotomy that does.

    Parameters
    ----------
    family : HypothesisClass
    x : n points
    y : n labels, 0 or 1
    ties : "all" (the default) or "first"
        Whether all such dichotomies are represented or the first, in the order of the class, alone.
    rule : one of the class's ``rules`` or an ``Adversarial``, optional
        Which hypothesis represents a dichotomy.

    Returns
    -------
    array of hypotheses, shape (k, ...), k = 1 for "first"

    Raises
    ------
    InvalidArgument
        When the lengths differ, a label is neither, a point is outside the domain, or ties is something else.

    Source: empirical risk minimisation, wang2016 section 2.

    Examples
    --------
    >>> empirical_minimisers(Intervals(), [1, 2, 3, 4], [0, 1, 0, 1]).tolist()
    [[2.0, 2.0], [2.0, 4.0], [4.0, 4.0]]
    >>> empirical_minimisers(Intervals(), [1, 2, 3, 4], [0, 1, 0, 1], ties="first").tolist()
    [[2.0, 2.0]]
    """
    if ties not in _TIES:
        raise InvalidArgument(f"ties must be one of {', '.join(_TIES)}, got {ties!r}")
    if isinstance(family, Intervals | GridIntervals) and rule in (None, family.rules[0]):
        return _intervals(family, *_records(family, x, y), ties == "first")
    points = family.points(x)
    every = family.representatives(points, rule)
    wrong = mistakes(family, every, points, y)
    return np.asarray(every[int(wrong.argmin())][None] if ties == "first" else every[wrong == wrong.min()])


def _records(family: HypothesisClass, x: Any, y: Any) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    points, labels = family.points(x), labels_of(y)
    if len(points) != len(labels):
        raise InvalidArgument(f"y must have a label per point, got {len(points)} points and {len(labels)} labels")
    return points, labels


def _sums(points: NDArray[Any], labels: NDArray[np.uint8]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """The m distinct points, sorted, and 0 and the ones minus the zeros at the first 1, 2, ... of them, (m + 1,)."""
    order = np.argsort(points, kind="stable")
    ordered, gain = points[order], 2 * labels[order].astype(np.int64) - 1
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)[: len(ordered)])
    return ordered[last], np.concatenate([[0], np.cumsum(gain)[last]])


def _largest(sums: NDArray[np.int64]) -> int:
    """The largest sum over consecutive points, at least one of them; of no points a negative number."""
    if len(sums) == 1:
        return -1
    return int((sums[1:] - np.minimum.accumulate(sums[:-1])).max())


def _intervals(family: Any, points: NDArray[Any], labels: NDArray[np.uint8], first_alone: bool) -> NDArray[Any]:
    """The intervals between points with the largest sum, in the order of the class: empty, then by first and last."""
    distinct, sums = _sums(points, labels)
    largest = _largest(sums)
    empty = family.representatives(points[:0])
    if largest < 0 or (largest == 0 and first_alone):
        return np.asarray(empty)
    lowest = np.minimum.accumulate(sums[:-1])
    ends = np.flatnonzero(sums[1:] - lowest == largest)
    # an interval that ends there begins at any earlier place of the same lowest sum
    by_value = np.lexsort((np.arange(len(sums) - 1), sums[:-1]))
    values = sums[:-1][by_value]
    begin = np.searchsorted(values, lowest[ends], side="left")
    if first_alone:
        starts = by_value[begin]
        chosen = np.lexsort((ends, starts))[:1]
        return np.stack([distinct[starts[chosen]], distinct[ends[chosen]]], axis=1)
    # within a value the places are in order: those up to the end, by the rank of (value, place)
    m = len(distinct)
    count = np.searchsorted(values * m + by_value, lowest[ends] * m + ends, side="right") - begin
    if int(count.sum()) > MOST_LISTED:
        raise InvalidArgument(
            f"ties must be 'first' where so many intervals make the fewest mistakes, got {int(count.sum()):,}"
        )
    offset = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    starts, stops = by_value[np.repeat(begin, count) + offset], np.repeat(ends, count)
    order = np.lexsort((stops, starts))
    found = np.stack([distinct[starts[order]], distinct[stops[order]]], axis=1)
    return np.concatenate([empty, found]) if largest == 0 else found
