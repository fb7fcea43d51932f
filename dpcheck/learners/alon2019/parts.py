"""The parts of a semi-private dataset as the paper's learners read them, and the choice they all make."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.data import SemiPrivate, describe_value, features_and_labels, is_labelled, private_part
from dpcheck.errors import InvalidArgument
from dpcheck.law import IntegerScores, Law


def private_records(dataset: Any) -> tuple[Any, Any]:
    """The points and labels of a dataset's private part: labelled data, or a list of records (x, label).

    Raises
    ------
    InvalidArgument
        When it has no labels.

    Examples
    --------
    >>> private_records(SemiPrivate([(3, 1), (5, 0)], public=[4]))
    ([3, 5], [1, 0])
    """
    records = private_part(dataset)
    if is_labelled(records):
        return features_and_labels(records)
    if isinstance(records, list | tuple | np.ndarray):
        if len(records) == 0:
            return [], []
        if all(isinstance(record, tuple) and len(record) == 2 for record in records):
            return [x for x, _ in records], [label for _, label in records]
    raise InvalidArgument(
        f"dataset must hold labelled records: Labelled(x, y), (x, y) or a list of (x, label), got "
        f"{describe_value(records)}"
    )


def public_points(dataset: Any) -> Any:
    """The points of a dataset's public part; labels, where it has them, are dropped (alon2019:def-2.4).

    Raises
    ------
    InvalidArgument
        When it has no public part.

    Examples
    --------
    >>> public_points(SemiPrivate([], public=([4, 2], [0, 1])))
    [4, 2]
    """
    if not isinstance(dataset, SemiPrivate):
        raise InvalidArgument(f"dataset must be SemiPrivate(private, public), got {describe_value(dataset)}")
    return features_and_labels(dataset.public)[0] if is_labelled(dataset.public) else dataset.public


def positive_epsilon(value: Any) -> Any:
    """An epsilon as given, a float or a Fraction.

    Raises
    ------
    InvalidArgument
        When it is no finite number above 0.
    """
    number = isinstance(value, int | float | Fraction) and not isinstance(value, bool)
    if not number or not value > 0 or not math.isfinite(value):
        raise InvalidArgument(f"epsilon must be a finite number above 0, got {value!r}")
    return value


def chosen(log_weights: NDArray[Any], size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """``size`` independent places, each with probability proportional to the exponential of its log weight.

    A million mistakes do not underflow to 0/0: the largest weight is 1.
    """
    limits = np.cumsum(np.exp(log_weights - log_weights.max()))
    # rounded up, a product may be the last limit itself; a place of weight 0 at the end is never the answer
    last = np.searchsorted(limits, limits[-1], side="left")
    return np.asarray(np.minimum(np.searchsorted(limits, rng.random(size) * limits[-1], side="right"), last))


def law_of_scores(epsilon: Any, hypotheses: NDArray[Any], wrong: NDArray[np.int64]) -> Law:
    """The exact law that draws a hypothesis with probability proportional to ``exp(-(epsilon / 2) wrong)``."""
    return Law([*map(as_output, hypotheses)], exact=IntegerScores(Fraction(epsilon), (-wrong).tolist()))


def as_output(hypothesis: Any) -> Any:
    """A hypothesis as a plain number, or as a tuple of such."""
    values = np.asarray(hypothesis).tolist()
    return tuple(values) if isinstance(values, list) else values


def law_method(learner: Any) -> Callable[[Any], Any]:
    """A learner's ``distribution``.

    Raises
    ------
    AttributeError
        When it has none: a property that ends in this is then not there either, and audits go by calls.
    """
    method = getattr(learner, "distribution", None)
    if not callable(method):
        raise AttributeError(f"{type(learner).__name__} declares no law")
    found: Callable[[Any], Any] = method
    return found
