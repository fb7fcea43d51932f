"""What sampling does to a claim, as beimel2015 prints it: sizes and constants of clm-4.3, clm-4.5 and clm-5.7."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Literal

from dpcheck.model.claims import ApproxDP, Claim, ExactPoint, PureDP, exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.amplification import ball, rounded_up
from dpcheck.parts.mechanisms.parameters import count, positive_as_given

#: The largest epsilon of clm-4.3 and clm-4.5.
LARGEST_EPSILON = 1
#: What clm-4.5 prints for the ratio ``e^epsilon`` and the factor of delta.
RESAMPLED_RATIO, RESAMPLED_FACTOR = 244, 2467
#: Bits in which a size is computed, doubled until it is one integer.
_BITS, _MOST_BITS = 256, 1 << 16


def printed_entries(size: int, epsilon: float | Fraction, claim: Claim, *, steps: Literal[1, 2] = 1) -> int:
    """``t = ceil((n / epsilon)(3 + exp(steps epsilon*)))``: of how many entries n are drawn for a claim at epsilon.

    Parameters
    ----------
    size : int, at least 0
        n, how many are drawn.
    epsilon : float or Fraction, above 0
        That wanted.
    claim : PureDP or ApproxDP
        That of the learner inside: epsilon*.
    steps : 1 or 2
        1 for uniform subsampling (clm-4.3), 2 for ``SubSampling`` (clm-5.7).

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: beimel2015:clm-4.3, beimel2015:clm-5.7.

    Examples
    --------
    >>> printed_entries(100, 1, PureDP(1.0)), printed_entries(100, 1, PureDP(1.0), steps=2)
    (572, 1039)
    """
    drawn, wanted = count("size", size, least=0), Fraction(positive_as_given("epsilon", epsilon))
    point = pointed(claim)
    if steps not in (1, 2):
        raise InvalidArgument(f"steps must be 1 or 2, got {steps!r}")
    if point.ratio is not None or not point.nats:
        power = 1 if point.ratio is None else point.ratio**steps
        return math.ceil(drawn / wanted * (3 + power))
    from flint import ctx

    bits = _BITS
    while bits <= _MOST_BITS:
        with ctx.workprec(bits):
            # no integer: the exponential of a fraction other than 0 is irrational
            found = (ball(drawn / wanted) * (3 + _ratio(point) ** steps)).ceil().unique_fmpz()
        if found is not None:
            return int(found)
        bits *= 2
    raise InvalidArgument(f"epsilon must be such that the size can be computed, got {epsilon!r} for {claim}")


def shifted_rate(rate: Fraction, claim: Claim) -> Fraction:
    """``gamma e^epsilon / (1 + gamma (e^epsilon - 1))``: the rate that ``SubSampling`` counts for, rounded up.

    Where the sample holds the differing entry with probability gamma, and a sample without it is *two* steps of the
    learner's relation away, the claim is that of plain subsampling at this rate.

    Proof. Let E = e^epsilon; p0 the probability of an event given that the entry is not drawn (the same on both
    datasets), p1 and q1 those given that it is. Then ``p1 <= E q1 + delta`` (one entry differs) and ``p1 <= E^2 p0 +
    (1 + E) delta`` (two do). With lambda times the first and 1 - lambda times the second,

    ``(1 - gamma) p0 + gamma p1 <= (1 - gamma + gamma (1 - lambda) E^2) p0 + gamma lambda E q1 +
    gamma (1 + (1 - lambda) E) delta``.

    At ``lambda = (1 - gamma + gamma E^2) / (E (1 - gamma + gamma E))``, which is at most 1, both factors are
    ``R = lambda E`` times those of ``(1 - gamma) p0 + gamma q1``: the ratio is ``R = 1 + gamma' (E - 1)`` and the rest
    ``gamma' delta``, with ``gamma' = gamma E / (1 + gamma (E - 1))``.

    Examples
    --------
    >>> shifted_rate(Fraction(1, 4), PureDP(ratio=3)), shifted_rate(Fraction(1), PureDP(1.0))
    (Fraction(1, 2), Fraction(1, 1))
    """
    point = pointed(claim)
    if rate == 1:
        return rate
    if point.ratio is not None:
        return rate * point.ratio / (1 + rate * (point.ratio - 1))
    return min(
        Fraction(1), Fraction(rounded_up(lambda: ball(rate) * _ratio(point) / (1 + ball(rate) * (_ratio(point) - 1))))
    )


def printed_subsampled_claim(claim: Claim, epsilon: float | Fraction) -> PureDP | ApproxDP:
    """``(epsilon, 4 epsilon delta / (3 + exp(epsilon*)))``: what clm-4.3 promises at its size.

    Raises
    ------
    InvalidArgument
        When epsilon is above 1, or the claim of another kind.

    Source: beimel2015:clm-4.3.

    Examples
    --------
    >>> printed_subsampled_claim(ApproxDP(1.0, 1e-6), 1)
    ApproxDP(epsilon=1.0, delta=6.995108181084378e-07)
    """
    return _printed(claim, epsilon, lambda ratio, epsilon_star: 4 / (3 + ratio), most=LARGEST_EPSILON)


def printed_sub_sampling_claim(
    claim: Claim, epsilon: float | Fraction, version: Literal["proof", "statement"] = "proof"
) -> PureDP | ApproxDP:
    """``(epsilon, ((7 + e^epsilon*) / (3 + e^(2 epsilon*))) epsilon delta)``: what clm-5.7 promises at its size.

    The statement prints ``7 + epsilon*``, the proof ends with ``7 + e^epsilon*``. The second is proved, for every
    epsilon and epsilon*: :func:`shifted_rate` gives less, ``e^epsilon* epsilon delta / (3 + e^(2 epsilon*))`` at most.
    The first follows from the same bound where ``e^epsilon* <= 7 + epsilon*``, that is up to epsilon* = 2.22; above
    nothing printed or proved here implies it.

    Source: beimel2015:clm-5.7.

    Examples
    --------
    >>> printed_sub_sampling_claim(ApproxDP(1.0, 1e-6), 1)
    ApproxDP(epsilon=1.0, delta=9.354345318685258e-07)
    >>> printed_sub_sampling_claim(ApproxDP(1.0, 1e-6), 1, "statement").delta_value
    7.70...e-07
    """
    if version not in ("proof", "statement"):
        raise InvalidArgument(f"version must be 'proof' or 'statement', got {version!r}")
    if version == "proof":
        return _printed(claim, epsilon, lambda ratio, epsilon_star: (7 + ratio) / (3 + ratio**2))
    return _printed(claim, epsilon, lambda ratio, epsilon_star: (7 + epsilon_star) / (3 + ratio**2))


def printed_resampled_claim(claim: Claim) -> PureDP | ApproxDP:
    """``(log 244, 2467 delta)``: what clm-4.5 promises for epsilon at most 1 and as many draws as there are entries.

    Raises
    ------
    InvalidArgument
        When the claim is of another kind, or its epsilon above 1.

    Source: beimel2015:clm-4.5. The bound that holds is far smaller, ``(e - 1, 2.67 delta)``:
    :func:`dpcheck.parts.mechanisms.amplification.resampled_claim`.

    Examples
    --------
    >>> printed_resampled_claim(ApproxDP(1.0, Fraction(1, 10**6)))
    ApproxDP(ratio=Fraction(244, 1), delta=Fraction(2467, 1000000))
    """
    point = pointed(claim)
    if point.nats > LARGEST_EPSILON:
        raise InvalidArgument(f"claim must have an epsilon of at most {LARGEST_EPSILON} for clm-4.5, got {claim}")
    if isinstance(claim, PureDP):
        return PureDP(ratio=RESAMPLED_RATIO)
    return ApproxDP(delta=min(Fraction(1), RESAMPLED_FACTOR * point.delta), ratio=RESAMPLED_RATIO)


def pointed(claim: Claim) -> ExactPoint:
    """The epsilon and delta of a claim that has them.

    Raises
    ------
    InvalidArgument
        When it is of another kind.
    """
    if not isinstance(claim, PureDP | ApproxDP):
        raise InvalidArgument(f"claim must be PureDP or ApproxDP, got {claim!r}")
    return exact_point(claim)


def _ratio(point: ExactPoint) -> Any:
    return ball(point.ratio) if point.ratio is not None else ball(point.epsilon).exp()


def _printed(claim: Claim, epsilon: float | Fraction, factor: Any, most: int | None = None) -> PureDP | ApproxDP:
    """A claim at epsilon, whose delta is ``factor epsilon delta``, rounded up."""
    point, wanted = pointed(claim), Fraction(positive_as_given("epsilon", epsilon))
    if most is not None and wanted > most:
        raise InvalidArgument(f"epsilon must be at most {most}, got {epsilon!r}")
    if isinstance(claim, PureDP):
        return PureDP(epsilon)

    def delta() -> Any:
        ratio = _ratio(point)
        epsilon_star = ratio.log() if point.ratio is not None else ball(point.epsilon)
        return (factor(ratio, epsilon_star) * ball(wanted) * ball(point.delta)).min(ball(1))

    return ApproxDP(epsilon, min(1.0, rounded_up(delta)))
