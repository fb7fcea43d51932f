"""The hard instance of Beimel, Nissim & Stemmer 2015 for active learners whose questions are seen: rare thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball, rounded_up
from dpcheck.parts.mechanisms.parameters import at_least_zero, count, positive, probability

#: What thm-5.6 wants of accuracy and failure.
LARGEST_ACCURACY, LARGEST_FAILURE = Fraction(1, 9), Fraction(1, 4)
#: Grids of more bits have points beyond the integers of :class:`~dpcheck.parts.classes.GridThresholds`.
_MOST_BITS = 61


@dataclass(frozen=True)
class UniformThreshold:
    """Points uniform on the grid {0, ..., 2^d - 1}, labelled 1 below a target.

    It has what ``dpcheck.utility.distributions.Distribution`` asks for.

    Parameters
    ----------
    bits : int, 1 to 61
        The paper's d.
    target : int, 0 to 2^d
        The paper's t: ``c_t(x) = 1 iff x < t``.

    Raises
    ------
    InvalidArgument
        When one is no such integer.

    Source: beimel2015:thm-5.6.

    Examples
    --------
    >>> instance = UniformThreshold(bits=4, target=3)
    >>> instance.error(5), instance.draw(6, np.random.default_rng()).y.shape
    (Fraction(1, 8), (6,))
    """

    bits: int
    target: int

    def __post_init__(self) -> None:
        if count("bits", self.bits) > _MOST_BITS:
            raise InvalidArgument(f"bits must be at most {_MOST_BITS}, got {self.bits}")
        if count("target", self.target, least=0) > self.domain_size:
            raise InvalidArgument(f"target must be at most 2^{self.bits}, got {self.target}")

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"uniform on 2^{self.bits} points, labelled 1 below {self.target}"

    @property
    def domain_size(self) -> int:
        """2^d."""
        return 1 << self.bits

    @property
    def family(self) -> GridThresholds:
        """The class of the target."""
        return GridThresholds(self.domain_size, "down")

    def error(self, threshold: Any) -> Fraction:
        """The probability that the threshold mislabels a point, exact."""
        return Fraction(abs(int(threshold) - self.target), self.domain_size)

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[np.int64]:
        """``size`` independent points, shape (size,)."""
        return rng.integers(self.domain_size, size=size)

    def draw(self, size: int, rng: np.random.Generator, /) -> Labelled:
        """``size`` independent labelled points."""
        x = self.draw_unlabelled(size, rng)
        return Labelled(x, (x < self.target).astype(np.int64))

    def has_exact_risk(self, family: Any, /) -> bool:
        """For thresholds of this grid that label 1 below themselves; without a class hypotheses are such."""
        return family is None or family == self.family

    def risk(self, family: Any, hypothesis: Any, /) -> Fraction:
        """The error of a threshold, exact."""
        if not self.has_exact_risk(family):
            raise InvalidArgument(f"family must be {self.family!r} for an exact risk, got {family!r}")
        return self.error(hypothesis)

    def best_risk(self, family: Any, /) -> Fraction | None:
        """0: the target; where the class is another one it is not known."""
        return Fraction(0) if self.has_exact_risk(family) else None

    def worst_risk(self, family: Any, /) -> Fraction | None:
        """The error of the threshold that is farther: 0, or 2^d."""
        return max(self.error(0), self.error(self.domain_size)) if self.has_exact_risk(family) else None


@dataclass(frozen=True)
class RareThresholds:
    """The distribution over targets of thm-5.6: uniform on the ``8 alpha 2^d`` lowest of a grid.

    Points that tell targets apart are rare: a point is among the ``8 alpha 2^d`` lowest with that probability. A
    learner that is right must ask for the label of one of them; one whose questions are private asks for this entry
    little oftener than for any other, and so for about ``1 / alpha`` labels in all.

    Parameters
    ----------
    bits : int, 1 to 61
        The paper's d.
    accuracy : float or Fraction (taken as exact), above 0, at most 1/9
        The paper's alpha; ``8 alpha 2^d`` is rounded down, and must be at least 1.

    Raises
    ------
    InvalidArgument
        When one is outside its range.

    Source: beimel2015:thm-5.6.

    Examples
    --------
    >>> hard = RareThresholds(bits=10, accuracy=Fraction(1, 64))
    >>> hard.largest, len(list(hard.instances())), hard.inside([0, 1, 128, 129]).tolist()
    (128, 128, [False, True, True, False])
    """

    bits: int
    accuracy: float | Fraction

    def __post_init__(self) -> None:
        positive("accuracy", self.accuracy)
        if Fraction(self.accuracy) > LARGEST_ACCURACY:
            raise InvalidArgument(f"accuracy must be at most {LARGEST_ACCURACY} for thm-5.6, got {self.accuracy!r}")
        UniformThreshold(self.bits, 0)  # which refuses other numbers of bits
        if self.largest < 1:
            raise InvalidArgument(
                f"accuracy must be at least 2^-{self.bits + 3} on 2^{self.bits} points, got {self.accuracy!r}"
            )

    @property
    def largest(self) -> int:
        """``8 alpha 2^d``, rounded down: the largest target, and the largest point of the paper's B."""
        return floor(8 * Fraction(self.accuracy) * (1 << self.bits))

    def inside(self, points: Any) -> NDArray[np.bool_]:
        """Which points are in B = {1, ..., 8 alpha 2^d}, shape (m,)."""
        x = np.asarray(points)
        return np.asarray((x >= 1) & (x <= self.largest))

    def instances(self) -> Iterator[UniformThreshold]:
        """All targets, each as likely as any other."""
        return (UniformThreshold(self.bits, target) for target in range(1, self.largest + 1))

    def draw_instance(self, rng: np.random.Generator) -> UniformThreshold:
        """One target, drawn."""
        return UniformThreshold(self.bits, int(rng.integers(1, self.largest, endpoint=True)))


def least_labels(
    accuracy: float | Fraction,
    failure: float,
    epsilon: float | Fraction,
    delta: float | Fraction = 0,
    examples: int = 0,
) -> float:
    """``e^(-2 epsilon) (1 - 25 beta / 9) / (9 alpha) - n delta (1 + e^-epsilon)``: labels that thm-5.6 asks for.

    The proof's last inequality solved for m, as printed, rounded down: the labels that an active learner of thresholds
    asks for whose hypothesis and questions are (epsilon, delta)-DP together. Where n delta is above about
    ``1 / (9 alpha)`` the bound is negative and says nothing: the theorem's Omega(1 / alpha) is for small n delta.

    Parameters
    ----------
    accuracy : float or Fraction, above 0, at most 1/9
        alpha.
    failure : float, 0 to 1/4
        beta.
    epsilon : float or Fraction, at least 0
    delta : float or Fraction, 0 to 1
    examples : int, at least 0
        n; of no matter where delta is 0.

    Raises
    ------
    InvalidArgument
        When an argument is outside its range.

    Source: beimel2015:thm-5.6, T56.fin.

    Examples
    --------
    >>> round(least_labels(0.001, 0.25, 0.1), 2), round(least_labels(0.01, 0.0, 1.0, 1e-6, 10**6), 2)
    (27.8, 0.14)
    """
    positive("accuracy", accuracy)
    if Fraction(accuracy) > LARGEST_ACCURACY:
        raise InvalidArgument(f"accuracy must be at most {LARGEST_ACCURACY} for thm-5.6, got {accuracy!r}")
    if Fraction(probability("failure", failure)) > LARGEST_FAILURE:
        raise InvalidArgument(f"failure must be at most {LARGEST_FAILURE} for thm-5.6, got {failure!r}")
    at_least_zero("epsilon", epsilon)
    probability("delta", delta)
    size = count("examples", examples, least=0)

    def below() -> Any:
        shrink = (-ball(Fraction(epsilon))).exp()
        share = (1 - Fraction(25, 9) * Fraction(failure)) / (9 * Fraction(accuracy))
        return ball(size * Fraction(delta)) * (1 + shrink) - shrink**2 * ball(share)

    return -rounded_up(below)
