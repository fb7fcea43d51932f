"""By how much a score really moves between neighbours: a declared sensitivity held against pairs of datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import positive_as_given

#: Of candidates that move equally far, to rounding, so many are measured exactly.
_MOST_MEASURED = 64


@dataclass(frozen=True, eq=False)
class Movement:
    """How far one score moved between two datasets: the farthest of all that were looked at.

    Parameters
    ----------
    distance : Fraction, exact difference of the scores, which are taken as the exact numbers they are
    candidate : int, the score's place; None where nothing was compared
    pair : the two datasets; None where nothing was compared
    pairs : int, how many pairs were looked at
    """

    distance: Fraction
    candidate: int | None
    pair: tuple[Any, Any] | None
    pairs: int


def observed_sensitivity(query: Callable[[Any], Any], pairs: Iterable[Any]) -> Movement:
    """The farthest that any score moves between the two datasets of any pair.

    A lower bound on the sensitivity; equal to it when the pairs are all that there are.

    Parameters
    ----------
    query : callable, dataset -> score or vector of scores, shape (k,)
    pairs : iterable of 2-tuples of neighbouring datasets
        Such as ``dpcheck.model.neighbours`` enumerates, or hypothesis draws.

    Raises
    ------
    InvalidArgument
        When the number of candidates differs between the two, or a score is no finite number.

    Examples
    --------
    >>> found = observed_sensitivity(sum, [([1, 0], [1, 1]), ([5, 0], [2, 0])])
    >>> found.distance, found.pair, found.pairs
    (Fraction(3, 1), ([5, 0], [2, 0]), 2)
    """
    best, looked = Movement(Fraction(0), None, None, 0), 0
    for left, right in pairs:
        looked += 1
        one, other = _scores(query, left), _scores(query, right)
        if one.shape != other.shape:
            raise InvalidArgument(
                f"query must answer with as many scores on both sides of a pair, got {one.size} and {other.size}"
            )
        # doubles find the candidates, fractions measure them: a difference of doubles rounds
        rough = np.abs(one.astype(np.float64) - other.astype(np.float64))
        near = np.flatnonzero(rough >= rough.max(initial=0.0) * (1 - 2.0**-40))
        for place in near[:_MOST_MEASURED].tolist():
            distance = abs(Fraction(one[place].item()) - Fraction(other[place].item()))
            if distance > best.distance:
                best = Movement(distance, place, (left, right), 0)
    return Movement(best.distance, best.candidate, best.pair, looked)


def check_sensitivity(query: Callable[[Any], Any], sensitivity: float | Fraction, pairs: Iterable[Any]) -> Movement:
    """Hold a declared sensitivity against pairs of neighbours.

    Parameters
    ----------
    query : callable, dataset -> score or vector of scores, shape (k,)
    sensitivity : float or Fraction, above 0, as declared
    pairs : iterable of 2-tuples of neighbouring datasets

    Returns
    -------
    Movement
        The farthest movement seen, which is no more than declared.

    Raises
    ------
    InvalidArgument
        When a score moves by more; the message names the pair.

    Examples
    --------
    >>> check_sensitivity(sum, 1, [([1, 0], [1, 1])]).distance
    Fraction(1, 1)
    >>> check_sensitivity(sum, 1, [([1, 0], [1, 3])])
    Traceback (most recent call last):
    ...
    dpcheck.InvalidArgument: sensitivity must be at least 3, got 1: score 0 moves by that from [1, 0] to [1, 3]
    """
    from dpcheck.model.data import describe_dataset

    declared = Fraction(positive_as_given("sensitivity", sensitivity))
    found = observed_sensitivity(query, pairs)
    if found.distance > declared:
        assert found.pair is not None
        left, right = (describe_dataset(side) for side in found.pair)
        raise InvalidArgument(
            f"sensitivity must be at least {float(found.distance):g}, got {sensitivity}: score {found.candidate} moves "
            f"by that from {left} to {right}"
        )
    return found


def _scores(query: Callable[[Any], Any], dataset: Any) -> np.ndarray[Any, Any]:
    scores = np.atleast_1d(np.asarray(query(dataset)))
    if scores.dtype.kind not in "iuf" or not np.isfinite(scores).all():
        raise InvalidArgument(f"query must answer with finite scores, got {scores!r}")
    return scores.reshape(-1)
