"""What a claim becomes when a learner sees a random part of the records only, or some of them several times."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from dpcheck.model.claims import ApproxDP, Claim, ExactPoint, ProfileDP, PureDP, exact_point
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import count

#: Bits of the balls in which bounds are computed before they are rounded up to a double.
_BITS = 256
#: The profile of any other kind of claim is taken at so many points, as far as delta is this part of that at epsilon 0.
_POINTS, _LEAST_PART = 256, 2.0**-48
#: Powers of ratios of more bits are not written down: they are rounded up to a double.
_MOST_BITS = 1 << 14
#: Profiles end here: the exponential of more is no double.
_LARGEST = 700.0


def subsampled_claim(claim: Claim, rate: Fraction) -> Claim:
    """The claim of a learner that is run on a uniformly random part of the records, drawn without replacement.

    With gamma the rate: pure epsilon becomes ``log(1 + gamma (e^epsilon - 1))``, and every point (epsilon, delta)
    becomes that with ``gamma delta``. It holds where replacing a record of the sample by any other record is one step
    of the learner's relation. A claim stated by its ratio ``e^epsilon`` stays exact; any other epsilon is rounded up to
    a double.

    Parameters
    ----------
    claim : Claim of the learner
    rate : Fraction from 0 to 1
        The part of the records that is drawn.

    Raises
    ------
    InvalidArgument
        When the rate is none.

    Source: Balle, Barthe & Gaboardi 2018, arXiv:1807.01647, theorem 9.

    Examples
    --------
    >>> subsampled_claim(PureDP(ratio=3), Fraction(1, 4))
    PureDP(ratio=Fraction(3, 2))
    >>> subsampled_claim(ApproxDP(1.0, 1e-6), Fraction(1, 10))
    ApproxDP(epsilon=0.15856507874042913, delta=1e-07)
    """
    if not isinstance(rate, Fraction) or not 0 <= rate <= 1:
        raise InvalidArgument(f"rate must be a Fraction from 0 to 1, got {rate!r}")
    if rate == 1:
        return claim
    if not isinstance(claim, PureDP | ApproxDP):
        points = [exact_point(subsampled_claim(ApproxDP(*point), rate)) for point in _points(claim)]
        return _profile(points, f"{claim}, subsampled at the rate {rate}")
    point = exact_point(claim)
    delta = rate * point.delta
    if point.ratio is not None:
        return _stated(claim, None, 1 + rate * (point.ratio - 1), delta)
    epsilon = rounded_up(lambda: (ball(rate) * ball(point.epsilon).expm1()).log1p())
    return _stated(claim, epsilon, None, delta)


def diluted_claim(claim: Claim, rate: Fraction) -> Claim:
    """The claim of a learner on a random part of the records, when no record can be exchanged for another.

    With probability ``1 - rate`` the differing record is not in the sample; with the rate it is, and one step of the
    learner's relation is left. Delta becomes ``rate delta``, and epsilon stays: what is learned from other samples is
    no cover, because it may be told apart from what is learned from this one. So it is for labels only, where the
    features tell the samples apart, and for learners that look at the order of sorted samples.

    Examples
    --------
    >>> diluted_claim(ApproxDP(1.0, 1e-6), Fraction(1, 10)), diluted_claim(PureDP(1.0), Fraction(1, 10))
    (ApproxDP(epsilon=1.0, delta=1e-07), PureDP(epsilon=1.0))
    """
    if not isinstance(claim, ApproxDP):
        return claim
    point = exact_point(claim)
    epsilon = point.epsilon if point.ratio is None else None
    return _stated(claim, epsilon, point.ratio, rate * point.delta)


def approximated_claim(claim: Claim, distance: float | Fraction) -> PureDP | ApproxDP:
    """The claim of a learner whose law is within a total variation of one that keeps a claim.

    Both sides of an inequality may be off by it: ``(epsilon, delta + (1 + e^epsilon) distance)``. Nothing pure is left.

    Parameters
    ----------
    claim : PureDP or ApproxDP
    distance : float or Fraction, from 0 to 1
        A bound on the total variation, on every dataset.

    Raises
    ------
    InvalidArgument
        When the claim is of another kind, or the distance is none.

    Examples
    --------
    >>> approximated_claim(PureDP(ratio=3), Fraction(1, 100))
    ApproxDP(ratio=Fraction(3, 1), delta=Fraction(1, 25))
    """
    if not isinstance(distance, float | int | Fraction) or not 0 <= distance <= 1:
        raise InvalidArgument(f"distance must be a total variation from 0 to 1, got {distance!r}")
    point, far = exact_point(claim), Fraction(distance)
    if not far:
        assert isinstance(claim, PureDP | ApproxDP)
        return claim
    if point.ratio is not None:
        delta = point.delta + (1 + point.ratio) * far
    else:
        delta = Fraction(
            rounded_up(lambda: (ball(point.delta) + (1 + ball(point.epsilon).exp()) * ball(far)).min(ball(1)))
        )
    epsilon = None if point.ratio is not None else point.epsilon
    return ApproxDP(epsilon, min(Fraction(1), delta), ratio=point.ratio)


def resampled_claim(claim: Claim, records: int, size: int) -> Claim:
    """The claim of a learner that is run on records drawn independently and uniformly, with replacement.

    With n records and m drawn, let ``R = E e^(K epsilon) = (1 + (e^epsilon - 1) / n)^m``, K ~ Bin(m, 1/n) the number of
    copies of the differing record. Then pure epsilon becomes ``log R``, and (epsilon, delta) becomes
    ``(log R, delta (R - 1) / (e^epsilon - 1))``; at epsilon 0 that delta is ``delta m / n``. It holds where replacing a
    record of the sample by any other is one step of the learner's relation.

    Proof. Let p_k and q_k be the probabilities of an event on the two datasets given K = k. Replacing one copy by a
    random other record leads from k copies to k - 1, so ``p_k <= e^epsilon p_(k-1) + delta``; exchanging all j copies
    leads from one dataset to the other. So ``p_k <= e^(k epsilon) q_j + delta (e^(k epsilon) - 1) / (e^epsilon - 1)``
    for each j <= k. The law of K weighted by ``e^(k epsilon) / R`` is stochastically larger than that of K, so there is
    a coupling of the two (Strassen) with j <= k; averaging over it gives ``sum b_k p_k <= R sum b_j q_j + delta'``.
    The bound log R is attained: by p_k = e^(k epsilon) c and q_k = c.

    Parameters
    ----------
    claim : Claim of the learner
    records : int, at least 1: n
    size : int, at least 1: m

    Source: beimel2015:clm-4.5 proves ``(log 244, 2467 delta)`` for epsilon at most 1 and m = n; this is below
    ``(e - 1, 2.67 delta)`` there.

    Examples
    --------
    >>> resampled_claim(PureDP(ratio=3), records=2, size=3)  # (1 + 2/2)^3
    PureDP(ratio=Fraction(8, 1))
    >>> resampled_claim(ApproxDP(1.0, 1e-6), records=10**6, size=10**6)
    ApproxDP(epsilon=1.7182803522145154, delta=2.662504613048736e-06)
    """
    whole, each = checked_counts(records, size)
    if not isinstance(claim, PureDP | ApproxDP):
        points = [exact_point(resampled_claim(ApproxDP(*point), whole, each)) for point in _points(claim)]
        return _profile(points, f"{claim}, resampled ({size} of {records})")
    point = exact_point(claim)
    if not point.nats:
        return _stated(claim, Fraction(0), None, min(Fraction(1), point.delta * Fraction(each, whole)))
    if point.ratio is not None and each * (whole * point.ratio).numerator.bit_length() <= _MOST_BITS:
        ratio = (1 + (point.ratio - 1) / whole) ** each
        return _stated(claim, None, ratio, min(Fraction(1), point.delta * (ratio - 1) / (point.ratio - 1)))

    def more() -> Any:
        """``e^epsilon - 1``."""
        return ball(point.epsilon).expm1() if point.ratio is None else ball(point.ratio - 1)

    def logarithm() -> Any:
        return each * (more() / whole).log1p()

    epsilon = rounded_up(logarithm)
    delta = rounded_up(lambda: (ball(point.delta) * logarithm().expm1() / more()).min(ball(1)))
    return _stated(claim, epsilon, None, min(Fraction(1), Fraction(delta)))


def repeated_claim(claim: Claim, records: int, size: int) -> Claim:
    """The claim of resampling where other samples are no cover, because only labels may change.

    Given K copies the claim of K steps holds, and nothing else can be said: epsilon becomes that of all m copies. Delta
    becomes ``E delta_K``, that of K steps on average.

    Examples
    --------
    >>> repeated_claim(PureDP(0.5), records=100, size=3)
    PureDP(epsilon=1.5)
    >>> repeated_claim(ApproxDP(delta=Fraction(1, 100), ratio=3), records=2, size=3)
    ApproxDP(ratio=Fraction(27, 1), delta=Fraction(7, 200))
    """
    whole, each = checked_counts(records, size)
    far = claim.at_distance(each)
    if not isinstance(claim, ApproxDP):
        return far
    point, average = exact_point(far), exact_point(resampled_claim(claim, whole, each))
    return _stated(claim, None if point.ratio is not None else point.epsilon, point.ratio, average.delta)


def checked_counts(records: int, size: int) -> tuple[int, int]:
    """Two numbers of records, each at least 1."""
    return count("records", records), count("size", size)


def worst_claim(claims: Sequence[Claim]) -> Claim:
    """What holds where one of several claims does, it is not known which: the largest epsilon, the largest delta.

    Raises
    ------
    AttributeError
        For different claims of a kind that has no order.

    Examples
    --------
    >>> worst_claim([PureDP(1.0), ApproxDP(0.5, 1e-6), PureDP(ratio=2)])
    ApproxDP(epsilon=1.0, delta=1e-06)
    """
    first = claims[0]
    if all(claim == first and repr(claim) == repr(first) for claim in claims):
        return first
    if not all(isinstance(claim, PureDP | ApproxDP) for claim in claims):
        raise AttributeError(f"claims of these kinds have no largest: {', '.join(map(str, claims))}")
    points = [exact_point(claim) for claim in claims]
    delta = max(point.delta for point in points)
    kind = first if all(isinstance(claim, PureDP) for claim in claims) else ApproxDP(0.0, 0.0)
    assert isinstance(kind, PureDP | ApproxDP)
    ratios = [point.ratio for point in points if point.ratio is not None]
    stated = [point.epsilon for point in points if point.ratio is None]
    if not ratios:
        return _stated(kind, max(stated), None, delta)
    if not stated:
        return _stated(kind, None, max(ratios), delta)
    ratio, epsilon = max(ratios), max(stated)
    if rounded_up(lambda: ball(ratio).log()) <= epsilon:
        return _stated(kind, epsilon, None, delta)
    return _stated(kind, rounded_up(lambda: ball(ratio).log().max(ball(epsilon))), None, delta)


def _stated(claim: PureDP | ApproxDP, epsilon: Any, ratio: Fraction | None, delta: Fraction) -> PureDP | ApproxDP:
    if isinstance(claim, PureDP):
        return PureDP(epsilon, ratio=ratio)
    return ApproxDP(epsilon, delta, ratio=ratio)


def _profile(points: Sequence[ExactPoint], source: str) -> ProfileDP:
    """A profile through points, each rounded up; of those at one epsilon the first."""
    found: dict[float, float] = {}
    for point in points:
        if point.nats <= _LARGEST:
            found.setdefault(point.nats, rounded_up(lambda point=point: ball(point.delta)))  # type: ignore[misc]
    return ProfileDP(found.items(), source)


def _points(claim: Claim) -> list[tuple[float, float]]:
    """Points of any claim's profile, from epsilon 0 to where delta is far below any that matters."""
    if isinstance(claim, ProfileDP):
        return list(claim.points)
    top = claim.delta(0.0)
    last = min(claim.epsilon(top * _LEAST_PART), _LARGEST) if top > 0 else 0.0
    epsilons = dict.fromkeys(last * i / _POINTS for i in range(_POINTS + 1))
    return [(epsilon, claim.delta(epsilon)) for epsilon in epsilons]


def ball(number: Fraction | int) -> Any:
    """A rational as a ball at the precision of the moment."""
    from flint import arb, fmpq

    return arb(fmpq(number.numerator, number.denominator))


def rounded_up(compute: Callable[[], Any]) -> float:
    """The least double that is surely not below what a computation in balls encloses.

    Raises
    ------
    OverflowError
        When no double is that large.

    Examples
    --------
    >>> rounded_up(lambda: ball(1).exp().log()) >= 1.0
    True
    """
    from flint import arb, ctx

    with ctx.workprec(_BITS):
        bound = compute()
        value = float(bound.upper()) if bound.is_finite() else math.inf
        while not math.isinf(value) and not arb(value) >= bound:
            value = math.nextafter(value, math.inf)
        if not math.isfinite(value):
            raise OverflowError(f"no double is as large as {bound}")
        return value
