"""The sample sizes of Chaudhuri & Hsu's theorems with explicit constants, and step 1 of their algorithms.

The paper leaves its constants universal. With C = 40 theorem 8, and with C = 160 theorem 9, holds for epsilon up to 1
and accuracy and failure up to 1/2: the net has at most ``(16 kappa/accuracy)^d`` hypotheses, ``log 16 <= 4 log(kappa /
accuracy)`` there, and each of the proof's tails then asks for at most ``8 * 5`` (for theorem 9 ``32 * 5``) times the
theorem's expression.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpcheck.model.errors import InvalidArgument

#: C of theorem 8 and of theorem 9.
AGNOSTIC_CONSTANT, REALISABLE_CONSTANT = 40.0, 160.0
#: Up to here the two constants are derived.
LARGEST_EPSILON, LARGEST_ACCURACY, LARGEST_FAILURE = 1.0, 0.5, 0.5
#: Sizes beyond this are not searched.
_LARGEST_SIZE = 2**62


@dataclass(frozen=True)
class Requirement:
    """``n >= C (1/(alpha eps) + 1/eps^2) (d log(kappa/eps) + log(1/delta))``: theorem 8, read in both directions.

    Theorem 9 (``realisable``) lacks the second summand ``1/eps^2``.

    Parameters
    ----------
    epsilon : float, above 0
        The paper's alpha.
    accuracy : float, between 0 and 1
        The paper's epsilon.
    failure : float, between 0 and 1
        The paper's delta.
    doubling_dimension : float, at least 0
    constant : float, above 0
    realisable : bool

    Source: chaudhuri2011:thm-8, thm-9.

    Examples
    --------
    >>> requirement = Requirement(0.5, 0.1, 0.05, 1.0, 40.0)
    >>> requirement.least_size(math.log(8.0))
    35414
    >>> requirement.log_smoothness(35414) > math.log(8.0) > requirement.log_smoothness(35413)
    True
    """

    epsilon: float
    accuracy: float
    failure: float
    doubling_dimension: float
    constant: float
    realisable: bool = False

    @property
    def per_nat(self) -> float:
        """``C (1/(alpha eps) + 1/eps^2)``: records for each nat of ``d log(kappa/eps) + log(1/delta)``."""
        second = 0.0 if self.realisable else 1.0 / self.accuracy**2
        return self.constant * (1.0 / (self.epsilon * self.accuracy) + second)

    def log_ratio(self, size: float) -> float:
        """``log(kappa/eps)`` for the kappa at which the size is just enough; for d = 0 infinite, of either sign."""
        nats = size / self.per_nat + math.log(self.failure)
        if self.doubling_dimension > 0:
            return nats / self.doubling_dimension
        return math.copysign(math.inf, nats)

    def log_smoothness(self, size: float) -> float:
        """``log kappa`` for the kappa at which the size is just enough."""
        return math.log(self.accuracy) + self.log_ratio(size)

    def records(self, log_ratio: float) -> float:
        """The theorem's expression at ``log(kappa/eps)``: a number of records, not rounded."""
        return self.per_nat * (self.doubling_dimension * log_ratio - math.log(self.failure))

    def least_size(self, log_smoothness: float) -> int:
        """The least whole size for a distribution whose smoothness has this logarithm."""
        return math.ceil(self.records(log_smoothness - math.log(self.accuracy)))

    def largest_accuracy(self, size: float, log_ratio: float) -> float:
        """The accuracy below which the size gives no larger ``log(kappa/eps)`` than this: that of equality.

        Examples
        --------
        >>> requirement = Requirement(0.5, 0.1, 0.05, 1.0, 40.0)
        >>> round(requirement.largest_accuracy(requirement.records(3.0), 3.0), 9)
        0.1
        """
        wanted = size / (self.constant * (self.doubling_dimension * log_ratio - math.log(self.failure)))
        linear = 1.0 / self.epsilon
        if self.realisable:
            return linear / wanted
        return 2.0 / (math.sqrt(linear**2 + 4.0 * wanted) - linear)

    def least_constant(self, size: float, log_ratio: float) -> float:
        """The C above which the size gives no larger ``log(kappa/eps)`` than this: that of equality."""
        return self.constant * size / self.records(log_ratio)


def check_domain(epsilon: float, accuracy: float, failure: float) -> None:
    """Refuses what the explicit constants are not derived for.

    Raises
    ------
    InvalidArgument
        When one is above its limit; the inequality that fails is in the message.
    """
    for name, value, most in (
        ("epsilon", epsilon, LARGEST_EPSILON),
        ("accuracy", accuracy, LARGEST_ACCURACY),
        ("failure", failure, LARGEST_FAILURE),
    ):
        if value > most:
            raise InvalidArgument(
                f"{name} must be at most {most:g} for the explicit constant of the theorem, got {value!r}: "
                f"{name} <= {most:g} fails (a constant of your own is not checked)"
            )


def label_private_size(
    epsilon: float, accuracy: float, failure: float, vc_dimension: int, covering_number: float, best_risk: float = 0.0
) -> int:
    """The least size with which theorem 27 holds for A2, from its proof: no universal constant is left.

    The least integer ``m >= V/2`` with ``(8 V log(2em/V) + 4 log(16/delta))/m <= 1/(100 (eta/eps^2 + 1/eps))`` and
    ``2 log(2N/delta)/(alpha m) <= eps/8``; both left sides decrease in m from V/2 on.

    Parameters
    ----------
    epsilon, accuracy, failure : float
        The paper's alpha, epsilon, delta; accuracy and failure between 0 and 1.
    vc_dimension : int, at least 1
        V.
    covering_number : float, at least 1
        N: the mean over samples X of the least size of an ``accuracy/8``-cover of the class under rho_X.
    best_risk : float from 0 to 1
        eta: the infimum of the risks in the class.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or no size below 2^62 would do.

    Source: chaudhuri2011:thm-27.

    Examples
    --------
    >>> label_private_size(0.5, 0.2, 0.1, vc_dimension=1, covering_number=20) < label_private_size(0.5, 0.1, 0.1, 1, 20)
    True
    """
    if not (vc_dimension >= 1 and covering_number >= 1 and 0 <= best_risk <= 1):
        raise InvalidArgument(
            f"vc_dimension and covering_number must be at least 1 and best_risk from 0 to 1, got {vc_dimension!r}, "
            f"{covering_number!r} and {best_risk!r}"
        )
    limit = 1.0 / (100.0 * (best_risk / accuracy**2 + 1.0 / accuracy))

    def enough(size: int) -> bool:
        deviation = 8 * vc_dimension * math.log(2 * math.e * size / vc_dimension) + 4 * math.log(16 / failure)
        tail = 2 * math.log(2 * covering_number / failure) / epsilon
        return deviation <= limit * size and tail <= accuracy / 8 * size

    least = max(1, -(-vc_dimension // 2))
    low = high = least
    while not enough(high):
        low, high = high, 2 * high
        if high > _LARGEST_SIZE:
            raise InvalidArgument(f"accuracy must allow a size below 2^62, got {accuracy!r} with epsilon {epsilon!r}")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
