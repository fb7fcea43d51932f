"""The samples that the reduction hands to a semi-private learner: elements of its own input hidden among dummies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes.points import labels_of
from dpcheck.parts.classes.representatives import integer_weights
from dpcheck.parts.learners.records import private_records

#: ``printed``: the list ends where the last element was placed, as the loop is printed; ``fill``: dummies follow.
Mode: TypeAlias = Literal["fill", "printed"]
#: The code of a position that the printed loop leaves undefined.
UNFILLED = -1
#: Random integers are drawn below this, exactly.
_LARGEST_RANGE = 2**63


@dataclass(frozen=True)
class Dummies:
    """A distribution D_0 of labelled points: a finite one of points, and a fair label independent of them.

    Its outcomes are numbered 2 i + label for point i.

    Parameters
    ----------
    points : sequence of k different points (numbers, or tuples of such), k at least 1
    weights : sequence of k numbers of at least 0, optional
        Proportional to the probabilities, taken as exact; equal by default.

    Raises
    ------
    InvalidArgument
        When there is no point, or the weights are no such numbers.

    Source: alon2019:alg-2, step 1.

    Examples
    --------
    >>> Dummies([0]).outcomes
    2
    """

    points: tuple[Any, ...]
    weights: tuple[int, ...]

    def __init__(self, points: Sequence[Any], weights: Sequence[Any] | None = None) -> None:
        listed = tuple(tuple(point) if isinstance(point, list) else point for point in np.asarray(points).tolist())
        if not listed or len(set(listed)) < len(listed):
            raise InvalidArgument(f"points must be different points, at least 1, got {list(listed)[:4]}")
        whole = integer_weights(weights, len(listed))
        if 2 * sum(whole) >= _LARGEST_RANGE:
            raise InvalidArgument("weights must have a common denominator below 2^62, got a larger one")
        object.__setattr__(self, "points", listed)
        object.__setattr__(self, "weights", whole)

    @property
    def outcomes(self) -> int:
        """How many labelled points: 2 k."""
        return 2 * len(self.points)

    @property
    def chances(self) -> tuple[Fraction, ...]:
        """The probability of each point, shape (k,)."""
        return tuple(Fraction(weight, sum(self.weights)) for weight in self.weights)

    @cached_property
    def labelled(self) -> tuple[NDArray[Any], NDArray[np.uint8]]:
        """The points (2 k, ...) and labels (2 k,) of the outcomes."""
        points = np.asarray(self.points)
        return np.repeat(points, 2, axis=0), np.tile(np.array([0, 1], dtype=np.uint8), len(points))

    def draw(self, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
        """Independent outcomes by number, exactly distributed."""
        limits = self._limits
        drawn = rng.integers(0, limits[-1], shape)  # an even number of equal chances: the lowest bit is the label
        return np.asarray(2 * np.searchsorted(limits, drawn, side="right") + drawn % 2, dtype=np.int64)

    @cached_property
    def _limits(self) -> NDArray[np.int64]:
        """Where the chances of each point end, of twice the sum of the weights: all even."""
        return 2 * np.cumsum(np.array(self.weights, dtype=np.int64))


def private_codes(
    available: int,
    length: int,
    probability: Fraction,
    dummies: Dummies,
    mode: Mode,
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """What ``size`` runs of alg-3 put in each position: an element's number, ``available`` plus a dummy's, or nothing.

    Elements are used in their order, each at most once: element j where the (j + 1)-th coin shows 1. No value of any
    element is looked at.

    Parameters
    ----------
    available, length : int
        How many elements there are, and n_priv.
    probability : Fraction
        With which a position asks for an element.
    dummies : Dummies
    mode : "fill" or "printed"
    size : int

    Returns
    -------
    Integers of shape (size, length); :data:`UNFILLED` where the printed loop had ended.

    Source: alon2019:alg-3.

    Examples
    --------
    >>> private_codes(2, 3, Fraction(1), Dummies([0]), "printed", 1, np.random.default_rng(0)).tolist()
    [[0, 1, -1]]
    """
    asked = rng.integers(0, probability.denominator, (size, length)) < probability.numerator
    before: NDArray[np.int64] = np.cumsum(asked, axis=1, dtype=np.int64) - asked
    element = asked & (before < available)
    codes = np.where(element, before, available + dummies.draw((size, length), rng))
    if mode == "printed":
        codes[before >= available] = UNFILLED
    return np.asarray(codes, dtype=np.int64)


def private_sample(
    dataset: Any, dummies: Dummies, probability: Fraction, length: int, rng: np.random.Generator, mode: Mode = "fill"
) -> Labelled:
    """PrivSamp: elements of the dataset at random positions, in their order, among dummies.

    Parameters
    ----------
    dataset : labelled dataset of ntilde elements
    dummies : Dummies
    probability : Fraction
        p, with which a position asks for an element.
    length : int
        n_priv.
    mode : "fill" or "printed"
        The printed loop ends when the last element has been placed, and leaves the rest undefined: its list is then
        shorter than ``length``. "fill" goes on with dummies.

    Source: alon2019:alg-3.

    Examples
    --------
    >>> some = private_sample(([5, 6], [1, 1]), Dummies([0]), Fraction(1, 2), 40, np.random.default_rng(), "fill")
    >>> len(some.y)
    40
    """
    x, y = pool(dataset, dummies)
    codes = private_codes(len(y) - dummies.outcomes, length, probability, dummies, mode, 1, rng)[0]
    codes = codes[codes != UNFILLED]
    return Labelled(x[codes], y[codes])


def public_sample(dummies: Dummies, length: int, rng: np.random.Generator) -> Labelled:
    """PubSamp: independent dummies; reads no data.

    Source: alon2019:alg-4.

    Examples
    --------
    >>> public_sample(Dummies([7]), 3, np.random.default_rng()).x.tolist()
    [7, 7, 7]
    """
    x, y = dummies.labelled
    codes = dummies.draw((length,), rng)
    return Labelled(x[codes], y[codes])


def pool(dataset: Any, dummies: Dummies) -> tuple[NDArray[Any], NDArray[np.uint8]]:
    """The points and labels that codes stand for: those of the dataset, then those of the dummies.

    Raises
    ------
    InvalidArgument
        When points of the two have different shapes, or a label is neither 0 nor 1.
    """
    x, y = private_records(dataset)
    dummy_x, dummy_y = dummies.labelled
    points = np.asarray(x) if len(y) else dummy_x[:0]
    if points.shape[1:] != dummy_x.shape[1:]:
        raise InvalidArgument(
            f"dataset must hold points like the dummies', of shape {dummy_x.shape[1:]}, got {points.shape[1:]}"
        )
    return np.concatenate([points, dummy_x]), np.concatenate([labels_of(y), dummy_y])
