"""A choice among weighted candidates: the law of the exponential mechanism, and draws from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.errors import InvalidArgument
from dpcheck.law import IntegerScores, Law
from dpcheck.mechanisms.parameters import exact_at_least_zero


@dataclass(frozen=True, eq=False)
class Choice:
    """Candidate i is chosen with probability proportional to ``multiplicity_i exp(rate score_i)``.

    The exponential mechanism after the scores are known: ``rate = epsilon / (2 sensitivity)``.

    Parameters
    ----------
    rate : Fraction or float (taken as the exact double), at least 0
        Nats per unit of the score.
    scores : array of integers or doubles (taken as exact), shape (k,), k at least 1
        Higher is better.
    multiplicities : array of integers of at least 1, shape (k,), optional
        How many equal candidates each place stands for; 1 by default.

    Raises
    ------
    InvalidArgument
        When the rate is negative, there is no candidate, or a score is no finite number.

    Source: McSherry & Talwar 2007, doi:10.1109/FOCS.2007.66.

    Examples
    --------
    >>> choice = Choice(Fraction(1, 2), [-3, 0, -1])
    >>> np.round(np.exp(choice.log_probabilities), 3).tolist()
    [0.122, 0.547, 0.331]
    >>> choice.sample(3, np.random.default_rng()).shape
    (3,)
    """

    rate: Fraction
    scores: NDArray[Any]
    multiplicities: NDArray[np.int64] | None

    def __init__(self, rate: float | Fraction, scores: Any, multiplicities: Any = None) -> None:
        array = np.asarray(scores)
        if array.ndim != 1 or not array.size or array.dtype.kind not in "iuf" or not np.isfinite(array).all():
            raise InvalidArgument(
                f"scores must be finite numbers in the shape (k,), k at least 1, got an array {array.dtype} of shape "
                f"{array.shape}"
            )
        times = None if multiplicities is None else np.asarray(multiplicities)
        if times is not None and (times.shape != array.shape or times.dtype.kind not in "iu" or times.min() < 1):
            raise InvalidArgument(
                f"multiplicities must be integers of at least 1, one per score ({array.size}), got {multiplicities!r}"
            )
        object.__setattr__(self, "rate", exact_at_least_zero("rate", rate))
        object.__setattr__(self, "scores", array)
        object.__setattr__(self, "multiplicities", times)

    @cached_property
    def log_probabilities(self) -> NDArray[np.float64]:
        """The logarithms of the probabilities, nats, shape (k,)."""
        weights = self._log_weights
        return np.asarray(weights - np.log(np.exp(weights).sum()))

    @cached_property
    def _log_weights(self) -> NDArray[np.float64]:
        """Log weights of which the largest is 0: a million mistakes do not underflow to 0/0."""
        weights = float(self.rate) * (self.scores - self.scores.max()).astype(np.float64)
        if self.multiplicities is not None:
            weights = weights + np.log(self.multiplicities.astype(np.float64))
        return np.asarray(weights - weights.max())

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """``size`` independent places of candidates."""
        limits = np.cumsum(np.exp(self._log_weights))
        # rounded up, a product may be the last limit itself; a place of weight 0 at the end is never the answer
        last = np.searchsorted(limits, limits[-1], side="left")
        return np.asarray(np.minimum(np.searchsorted(limits, rng.random(size) * limits[-1], side="right"), last))

    def law(self, outputs: Sequence[Any]) -> Law:
        """The exact law of the output that stands at the chosen place; outputs are distinct, one per candidate."""
        if self.scores.dtype.kind == "f":
            return Law(list(outputs), log_probabilities=self.log_probabilities)
        times = None if self.multiplicities is None else self.multiplicities.tolist()
        return Law(list(outputs), exact=IntegerScores(2 * self.rate, self.scores.tolist(), times))


def as_outputs(hypotheses: Any) -> list[Any]:
    """Rows of an array as outputs: plain numbers, or tuples of such.

    Examples
    --------
    >>> as_outputs(np.array([[1, 2], [3, 4]]))
    [(1, 2), (3, 4)]
    """
    values = np.asarray(hypotheses).tolist()
    return [tuple(value) if isinstance(value, list) else value for value in values]
