"""What is computed from any hypothesis class: dichotomies, growth, mistakes, disagreements, covers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import distinct_rows, labels_of
from dpcheck.parts.classes.protocol import CountsMistakes, Dichotomies, HypothesisClass
from dpcheck.parts.classes.representatives import Rule, as_summable, integer_weights

#: Cells of the arrays of predictions that are worked on at once: they stay within some tens of megabytes.
_CELLS = 1 << 22

#: Labels of all pairs of dichotomies: to tell these apart takes a minute, and a gigabyte or two where all differ.
_MOST_DIFFERENT_CELLS = 1 << 30


def distinct_points(family: HypothesisClass, points: Any) -> NDArray[Any]:
    """The distinct ones among points, sorted; shape (m, ...).

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> distinct_points(GridThresholds(9), [4, 2, 4]).tolist()
    [2, 4]
    """
    found = family.points(points)
    if found.dtype == object:  # rows of Python's numbers, which numpy cannot sort
        return np.array(sorted(set(map(tuple, found.tolist()))), dtype=object).reshape(-1, *found.shape[1:])
    return np.unique(found, axis=0)


def dichotomies(family: HypothesisClass, points: Any, rule: Rule = None) -> Dichotomies:
    """The distinct label vectors of a class on the distinct ones among points, each with a representative.

    Parameters
    ----------
    family : HypothesisClass
    points : array or list of points of its domain, repetitions allowed
    rule : one of the class's ``rules`` or an ``Adversarial``, optional
        Which hypothesis represents a dichotomy.

    Raises
    ------
    InvalidArgument
        When a point is outside the domain, or the class does not know the rule.

    Source: alon2019:alg-1, steps 1-5.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> found = dichotomies(GridThresholds(9), [4, 2, 4])
    >>> found.labels.tolist(), found.hypotheses.tolist()
    ([[1, 1], [0, 1], [0, 0]], [0, 3, 5])
    """
    distinct = distinct_points(family, points)
    hypotheses = family.representatives(distinct, rule)
    return Dichotomies(distinct, family.predict(hypotheses, distinct), hypotheses)


def growth(family: HypothesisClass, points: Any) -> int:
    """How many dichotomies a class has on the distinct ones among points.

    Examples
    --------
    >>> from dpcheck.parts.classes import Intervals
    >>> growth(Intervals(), [1, 2, 3])  # 1 + m(m + 1)/2
    7
    """
    return len(family.representatives(points))


def xor_growth(family: HypothesisClass, points: Any) -> int:
    """How many dichotomies the class of the symmetric differences ``h1 xor h2`` has on points.

    At most the square of the growth; all pairs of dichotomies are formed.

    Source: alon2019:lem-3.3-growth.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> xor_growth(GridThresholds(9), [1, 2, 3])  # the intervals
    7
    """
    return len(different_pairs(dichotomies(family, points).labels))


def different_pairs(labels: NDArray[np.uint8]) -> NDArray[np.intp]:
    """The first pair of rows for each of their symmetric differences, shape (count, 2); of labels of shape (k, m).

    Raises
    ------
    InvalidArgument
        When all pairs have more than 2^30 labels.

    Examples
    --------
    >>> different_pairs(np.array([[0, 0], [0, 1], [1, 1], [1, 0]], dtype=np.uint8)).tolist()
    [[0, 0], [0, 1], [0, 2], [0, 3]]
    """
    k, m = labels.shape
    if k * (k + 1) // 2 * m > _MOST_DIFFERENT_CELLS:
        raise InvalidArgument(f"points must have fewer dichotomies for all pairs to be formed, got {m:,} with {k:,}")
    seen = np.zeros((0, m), dtype=np.uint8)
    pairs = np.zeros((0, 2), dtype=np.intp)
    more, more_pairs, count = [], [], 0
    rows = max(1, _CELLS // max(1, labels.size))
    for start in range(0, k, rows):
        one, other = np.triu_indices(min(rows, k - start), m=k - start)
        more.append(labels[start + one] ^ labels[start + other])
        more_pairs.append(start + np.stack([one, other], axis=1))
        count += len(one)
        if count < len(seen) and start + rows < k:  # those that are known are sorted as often as their number doubles
            continue
        seen, pairs = np.concatenate([seen, *more]), np.concatenate([pairs, *more_pairs])
        kept = distinct_rows(seen)
        seen, pairs = seen[kept], pairs[kept]
        more, more_pairs, count = [], [], 0
    return pairs


def mistakes(family: HypothesisClass, hypotheses: Any, x: Any, y: Any) -> NDArray[np.int64]:
    """How many of n labelled records each of k hypotheses gets wrong, shape (k,); exact integers.

    Parameters
    ----------
    family : HypothesisClass
    hypotheses : array of shape (k, ...)
    x : n points
    y : n labels, 0 or 1

    Raises
    ------
    InvalidArgument
        When the lengths differ, a label is neither, or a point is outside the domain.

    Source: the score of alon2019:alg-1, step 6, and of alon2019:alg-gen, times -n.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> mistakes(GridThresholds(9), [0, 3, 9], [2, 5, 5], [0, 1, 0]).tolist()
    [2, 1, 1]
    """
    points, labels = family.points(x), labels_of(y)
    if len(points) != len(labels):
        raise InvalidArgument(f"y must have a label per point, got {len(points)} points and {len(labels)} labels")
    if hasattr(family, "mistakes"):  # isinstance of a protocol takes longer than the counting
        return cast(CountsMistakes, family).mistakes(hypotheses, points, labels)
    # a prediction of 1 at a point costs its zeros and saves its ones
    cost = 1 - 2 * labels.astype(np.int64)
    if points.dtype != object:
        points, place = np.unique(points, axis=0, return_inverse=True)
        cost = np.bincount(place.reshape(-1), weights=cost, minlength=len(points)).astype(np.int64)
    return int(labels.sum(dtype=np.int64)) + _weighed(family, np.asarray(hypotheses), points, cost)


def _weighed(
    family: HypothesisClass, hypotheses: NDArray[Any], points: NDArray[Any], weights: NDArray[Any]
) -> NDArray[Any]:
    """The total weight of the points that each hypothesis labels 1."""
    rows = max(1, _CELLS // max(1, len(points)))
    parts = [
        family.predict(hypotheses[start : start + rows], points).astype(weights.dtype) @ weights
        for start in range(0, len(hypotheses), rows)
    ]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def disagreement(
    family: HypothesisClass, one: Any, other: Any, points: Any, weights: Sequence[Any] | None = None
) -> Fraction:
    """The probability, under a finite distribution, that two hypotheses predict differently; exact.

    Parameters
    ----------
    family : HypothesisClass
    one, other : hypothesis
    points : m points
    weights : m numbers of at least 0, optional
        Proportional to their probabilities (taken as exact); equal by default.

    Raises
    ------
    InvalidArgument
        When the weights are no such numbers, or a point is outside the domain.

    Source: alon2019 section 2, dis.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> disagreement(GridThresholds(4), 1, 3, [0, 1, 2, 3], [1, 2, 3, 4])
    Fraction(1, 2)
    """
    found = family.points(points)
    mass = as_summable(integer_weights(weights, len(found)))
    labels = family.predict(np.stack([np.asarray(one), np.asarray(other)]), found)
    return Fraction(int(mass[labels[0] != labels[1]].sum()), int(mass.sum()))


def sample_disagreement(family: HypothesisClass, one: Any, other: Any, sample: Any) -> Fraction:
    """The fraction of a sample, repetitions counted, on which two hypotheses predict differently.

    Raises
    ------
    InvalidArgument
        When the sample is empty, or a point is outside the domain.

    Source: alon2019 section 2, dishat.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> sample_disagreement(GridThresholds(4), 1, 3, [0, 1, 1, 3])
    Fraction(1, 2)
    """
    if len(family.points(sample)) == 0:
        raise InvalidArgument("sample must hold at least 1 point, got none")
    return disagreement(family, one, other, sample)


def cover_radius(
    family: HypothesisClass, cover: Any, points: Any, weights: Sequence[Any] | None = None, *, of: Any = None
) -> Fraction:
    """The least radius at which ``cover`` covers a class under a finite distribution: ``max_h min_c dis(h, c)``, exact.

    Parameters
    ----------
    family : HypothesisClass
    cover : array of k hypotheses, at least 1
    points : m points that carry the distribution
    weights : m numbers of at least 0, optional
        Proportional to their probabilities; equal by default.
    of : array of hypotheses, optional
        Those to be covered; one for each dichotomy of the points, that is all, when left out.

    Raises
    ------
    InvalidArgument
        When the cover is empty, or the weights are no such numbers.

    Source: alon2019:def-2.7.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> cover_radius(GridThresholds(9), [0, 3, 9], range(9))
    Fraction(1, 3)
    """
    centres = np.asarray(cover)
    if not len(centres):
        raise InvalidArgument("cover must hold at least 1 hypothesis, got none")
    found = family.points(points)
    mass = as_summable(integer_weights(weights, len(found)))
    covered = family.representatives(found) if of is None else np.asarray(of)
    near = family.predict(centres, found)
    near = near[distinct_rows(near)].astype(mass.dtype)
    weight_near = near @ mass
    worst = 0
    rows = max(1, _CELLS // max(1, len(found), len(near)))
    for start in range(0, len(covered), rows):
        far = family.predict(covered[start : start + rows], found).astype(mass.dtype)
        # |a xor b| = |a| + |b| - 2 |a and b|
        apart = (far @ mass)[:, None] + weight_near[None, :] - 2 * ((far * mass) @ near.T)
        worst = max(worst, int(apart.min(axis=1).max()))
    return Fraction(worst, int(mass.sum()))
