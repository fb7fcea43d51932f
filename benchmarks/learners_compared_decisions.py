"""Which of the learners of `learners_compared.py` to take: the rule, and what it says of many data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

#: Of every interval.
LEVEL = 0.95
NO_DIFFERENCE = "no difference seen"


@dataclass(frozen=True)
class Interval:
    """A mean over splits, and Student's interval for what it estimates."""

    mean: float
    low: float
    high: float

    @staticmethod
    def of(values: ArrayLike) -> Interval:
        """That of independent values, at least two."""
        from scipy.stats import t

        some = np.asarray(values, dtype=np.float64)
        if some.ndim != 1 or len(some) < 2:
            raise ValueError(f"values must be at least 2 numbers, got an array of shape {some.shape}")
        mean = float(some.mean())
        half = float(t.ppf((1 + LEVEL) / 2, len(some) - 1) * some.std(ddof=1) / math.sqrt(len(some)))
        return Interval(mean, mean - half, mean + half)

    @property
    def contains_zero(self) -> bool:
        """Whether no difference is seen."""
        return self.low <= 0 <= self.high


@dataclass(frozen=True)
class Decision:
    """The learner of the lowest mean error, what the next has above it, and all that are not told from it.

    ``alike`` are those whose errors, less the best one's, split by split, have an interval that contains 0.
    """

    best: str
    error: Interval
    following: str
    above: Interval
    alike: tuple[str, ...]

    @property
    def seen(self) -> bool:
        """Whether the best one is told from the next."""
        return not self.above.contains_zero


def difference(one: ArrayLike, other: ArrayLike) -> Interval:
    """One less the other, split by split: what makes a split easy is common to both."""
    first, second = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    if first.shape != second.shape:
        raise ValueError(f"both must be of the same splits, got {first.shape} and {second.shape}")
    return Interval.of(first - second)


def best_other(name: str, errors: Mapping[str, Sequence[float]]) -> str:
    """Of all but one the one with the lowest mean error; of equal ones the first."""
    return min((other for other in errors if other != name), key=lambda other: float(np.mean(errors[other])))


def decide(errors: Mapping[str, Sequence[float]]) -> Decision:
    """Which to take, by the test errors of at least two learners on the same splits."""
    best = min(errors, key=lambda name: float(np.mean(errors[name])))
    following = best_other(best, errors)
    alike = tuple(name for name in errors if name != best and difference(errors[name], errors[best]).contains_zero)
    above = difference(errors[following], errors[best])
    return Decision(best, Interval.of(errors[best]), following, above, alike)


@dataclass(frozen=True)
class Between:
    """The best of one group beside the best of another: what the first has less than the second."""

    ours: str
    theirs: str
    lead: Interval

    @property
    def word(self) -> str:
        """Ahead, behind, or no difference seen."""
        if self.lead.contains_zero:
            return NO_DIFFERENCE
        return "ahead" if self.lead.mean > 0 else "behind"


def between(ours: Mapping[str, Sequence[float]], theirs: Mapping[str, Sequence[float]]) -> Between:
    """The best of each group by its mean error, and the difference of these two."""
    one, other = (min(group, key=lambda name: float(np.mean(group[name]))) for group in (ours, theirs))
    return Between(one, other, difference(theirs[other], ours[one]))
