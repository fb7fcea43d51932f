"""The privacy of alg-2, proved for the scales at hand: what they give, rounded up, and the noise that a claim needs.

**From records to votes.** One record changes one chunk (under the relation that goes with the split), and with all
coins of the split and of the training fixed, the same on both sides, one model. What holds given these coins holds on
average.

**Setting.** Two datasets of which the votes on each query differ in at most v models. A distance to instability moves
by at most s, and where the leading labels differ it is at most f on either side (``Distance.sensitivity`` and
``where_labels_differ``). For the printed distance s = 2v and f = 2v - 1, since a changed vote moves the first and the
second count by one each; the paper's analysis takes s = 1. The threshold is w, its noise Lap(b1), that of a query
Lap(b2). At most T + 1 (or, with the strict guard, T) rounds begin, each at a query of its own: let R be that number or
the number m of queries, whichever is less. Queries may be chosen adaptively by who sees all outputs so far.

**The pattern.** Let the pattern be which queries are answered and which abstained from, without the labels. A round,
from its fresh threshold to its abstention, is pure eps0-DP with ``eps0 = s/b1 + 2s/b2``. Fix the outcome of a round (j
answers, then an abstention), and compare noise r of the threshold on one side with r - s on the other: each of the j
distances is at least that of the first side less s, so that each is answered at least as likely; the last distance less
its threshold grows by at most 2s, so that its abstention was at most ``e^(2s/b2)`` times likelier; and the density of r
is at most ``e^(s/b1)`` times that of r - s. (A round that the queries end before an abstention costs s/b1.) Rounds draw
fresh noise, so they are R adaptively chosen eps0-DP mechanisms, and their composition has at most the privacy profile
of R randomised responses (Kairouz, Oh & Viswanath 2015, arXiv:1311.0776, theorem 3.3): with ``p = e^eps0/(1 +
e^eps0)``,

    ``delta_rounds(eps) = sum_j C(R,j) max(0, p^j (1-p)^(R-j) - e^eps p^(R-j) (1-p)^j)``.

**The labels.** Call a query open where the leading labels of the two tables differ, and let B be the event that an open
query is answered. Until B occurs the outputs are the pattern with labels that are the same on both sides, so that for a
set S of outputs ``P(S) <= P(S - B) + P(B) <= e^eps Q(S - B) + delta_rounds(eps) + P(B)``.

*The chance of B.* All outputs of a round before its last are answers, whose labels are known beforehand: the queries of
the round, as far as it may go, and which of them is the first open one, are fixed when it begins (given the past and
the asker's coins). That query, if the round comes to it, ends the round or is answered, which is B. So until B occurs
each round tests at most one open query; and since the noise of its threshold is fresh given all that fixed that query,
it is reached and answered with probability at most

    ``P(f + Lap(b2) > w + Lap(b1))``,

its distance being at most f, whatever the rounds before were. (That answers on the way make low thresholds likelier is
counted: the chance to reach it is left out, not the noise conditioned on it.) At most R rounds test one query each:

    ``P(B) <= delta_labels = 1 - (1 - P(Lap(b2) - Lap(b1) > w - f))^R``.

The number of queries does not enter beyond R: the paper's threshold, with its log(2m/delta), is higher than it need be.
It is attained by R open queries that are all at distance f on one side, where epsilon is so large that delta_rounds is
0.

All numbers are computed in balls and rounded up to doubles.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from dpcheck.model.bounds_shown import at_most
from dpcheck.model.claims import ApproxDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners.scales import Guard, Scales
from dpcheck.papers.bassily2018.learners.votes import Distance, as_distance
from dpcheck.parts.mechanisms.amplification import ball, rounded_up
from dpcheck.parts.mechanisms.parameters import at_least_zero, count, positive, probability

#: The tail of the composition is summed until what is left is below this part of it.
_LEAST_PART = 2.0**-60
#: Relative width at which a searched bound is good enough.
_CLOSE = 1e-9
#: Steps of a bisection; doubles have no more.
_STEPS = 200
#: Balls hold no exponential of much more than this.
_LARGEST_RATE = 1e30


def answering_claim(
    scales: Scales,
    queries: int,
    *,
    epsilon: float | None = None,
    delta: float = 1e-6,
    guard: Guard = "printed",
    distance: str | Distance = "printed",
    models_changed: int = 1,
) -> ApproxDP:
    """What alg-2 is proved to keep with these scales: (epsilon, delta) if it does, or the least epsilon at delta.

    Parameters
    ----------
    scales : Scales
    queries : int
        m, the most that are asked.
    epsilon : float, optional
        The epsilon of the claim; the least that is proved when left out.
    delta : float
        The delta of the claim.
    guard : "printed" or "strict"
    distance : "printed", "votes" or a Distance
    models_changed : int, at least 1
        v, how many models one record may change.

    Raises
    ------
    InvalidArgument
        When no epsilon, or not this one, is proved at this delta; the inequality that fails is in the message.

    Source: the proof above; bassily2018:thm-3.1 claims it of the printed scales.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.sizes import printed_scales
    >>> scales = printed_scales(1.0, 1e-6, 0.05, queries=100, cutoff=10)
    >>> answering_claim(scales, 100, epsilon=1.0, delta=1e-6)
    ApproxDP(epsilon=1.0, delta=1e-06)
    >>> answering_claim(scales, 100, delta=1e-6).epsilon_value < 0.96
    True
    """
    target = probability("delta", delta)
    rounds, rate, tail = _accounted(scales, queries, guard, distance, models_changed)
    left = Fraction(target) - Fraction(tail)
    if left < 0:
        raise InvalidArgument(
            f"delta must be at least {at_most(tail, '.4g')} for threshold {scales.threshold:g} and query_scale "
            f"{scales.query_scale:g}, got {target:g}: P(an open query is answered in one of {rounds} rounds) <= delta "
            "fails"
        )
    if epsilon is None:
        return ApproxDP(least_epsilon(rounds, rate, left), target)
    asked = positive("epsilon", epsilon)
    if Fraction(composed_delta(rounds, rate, asked)) > left:
        least = least_epsilon(rounds, rate, left)
        raise InvalidArgument(
            f"epsilon must be at least {at_most(least, '.6g')} at delta {target:g} for these scales, got {asked:g}: "
            f"{rounds} rounds of {rate:.4g} each compose to more"
        )
    return ApproxDP(asked, target)


def answering_delta(
    scales: Scales,
    queries: int,
    epsilon: float,
    *,
    guard: Guard = "printed",
    distance: str | Distance = "printed",
    models_changed: int = 1,
) -> float:
    """The delta that is proved at this epsilon: ``delta_rounds(epsilon) + delta_labels``, at most 1.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> answering_delta(Scales(40.0, 4.0, 8.0, cutoff=1), 10, 2.0, guard="strict") < 0.006
    True
    """
    asked = at_least_zero("epsilon", epsilon)
    rounds, rate, tail = _accounted(scales, queries, guard, distance, models_changed)
    return min(1.0, math.nextafter(composed_delta(rounds, rate, asked) + tail, math.inf))


def round_epsilon(scales: Scales, sensitivity: float) -> float:
    """``s/b1 + 2s/b2``: the pure epsilon of one round, rounded up.

    Raises
    ------
    InvalidArgument
        When it is above 1e30.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> round_epsilon(Scales(40.0, 4.0, 8.0), 2)
    1.0
    """
    exact = Fraction(sensitivity)
    return as_rate(exact / Fraction(scales.threshold_scale) + 2 * exact / Fraction(scales.query_scale))


def as_rate(epsilon: Fraction) -> float:
    """The pure epsilon of one of many rounds, rounded up to a double.

    Raises
    ------
    InvalidArgument
        When it is above 1e30: what many such rounds cost is not computed.

    Examples
    --------
    >>> as_rate(Fraction(1, 4))
    0.25
    """
    if epsilon > _LARGEST_RATE:
        raise InvalidArgument(
            f"threshold_scale and query_scale must be such that a round costs at most {_LARGEST_RATE:g}, got smaller "
            "ones"
        )
    return rounded_up(lambda: ball(epsilon))


def open_answer_chance(scales: Scales, distance: float) -> float:
    """``P(distance + Lap(b2) > w + Lap(b1))``, rounded up: that a query this unstable is answered in a fresh round.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> open_answer_chance(Scales(5.0, 1.0, 1.0), 5)
    0.5
    """
    first, second = Fraction(scales.threshold_scale), Fraction(scales.query_scale)
    gap = Fraction(scales.threshold) - Fraction(distance)

    def tail(x: Fraction) -> Any:
        if first == second:
            return (ball(-x / first)).exp() * ball(2 + x / first) / 4
        large, small = ball(second**2) * ball(-x / second).exp(), ball(first**2) * ball(-x / first).exp()
        return (large - small) / (2 * ball(second**2 - first**2))

    return rounded_up(lambda: tail(gap) if gap >= 0 else 1 - tail(-gap))


def labels_delta(scales: Scales, rounds: int, distance: float) -> float:
    """``delta_labels``: that in one of R rounds a query this unstable is answered; rounded up.

    Examples
    --------
    >>> from dpcheck.papers.bassily2018.learners.scales import Scales
    >>> round(labels_delta(Scales(5.0, 1.0, 1.0), 2, 5), 12)
    0.75
    """
    chance = Fraction(open_answer_chance(scales, distance))
    if chance >= 1 or rounds == 0:
        return float(rounds > 0)
    return min(1.0, rounded_up(lambda: -(rounds * (-ball(chance)).log1p()).expm1()))


def composed_delta(rounds: int, rate: float, epsilon: float) -> float:
    """``delta_rounds(epsilon)`` of R adaptive eps0-DP mechanisms, optimal and rounded up.

    Parameters
    ----------
    rounds : int, at least 0
        R.
    rate : float, at least 0
        eps0.
    epsilon : float, at least 0

    Source: Kairouz, Oh & Viswanath 2015, arXiv:1311.0776, theorem 3.3.

    Examples
    --------
    >>> composed_delta(3, 0.5, 1.5), round(composed_delta(1, 1.0, 0.0), 6)  # (e - 1)/(e + 1)
    (0.0, 0.462117)
    """
    number = count("rounds", rounds, 0)
    step, asked = Fraction(at_least_zero("rate", rate)), Fraction(at_least_zero("epsilon", epsilon))
    if number * step <= asked:
        return 0.0
    # the terms that are positive: (2j - R) eps0 > eps
    first = max(0, math.floor((asked / step + number) / 2) + 1)
    return rounded_up(lambda: _tail(number, step, asked, first))


def _tail(rounds: int, step: Fraction, epsilon: Fraction, first: int) -> Any:
    """``sum_(j >= first) C(R,j) (p^j q^(R-j) - e^eps q^j p^(R-j))``, or a little more."""
    from flint import arb

    ratio = ball(step).exp()
    log_q = -(1 + ratio).log()  # not the logarithm of 1 - p, which is 0 to all digits for large steps
    log_p = ball(step) + log_q
    binomial = arb(rounds + 1).lgamma() - arb(first + 1).lgamma() - arb(rounds - first + 1).lgamma()
    one = (binomial + first * log_p + (rounds - first) * log_q).exp()
    loss = (ball(epsilon) - (2 * first - rounds) * ball(step)).exp()  # e^eps Q/P of the term
    shrink = (-2 * ball(step)).exp()
    total = arb(0)
    for j in range(first, rounds + 1):
        total += one * (1 - loss)
        further = ratio * (rounds - j) / (j + 1)
        one, loss = one * further, loss * shrink
        if j % 16 == 0 and further < 1:
            # the terms left shrink at least by this factor each, and what is subtracted from them is left out
            rest = one / (1 - further)
            if rest < total * _LEAST_PART:
                return total + rest
    return total


def _accounted(
    scales: Scales, queries: int, guard: Guard, distance: str | Distance, models_changed: int
) -> tuple[int, float, float]:
    """The number of rounds that may begin, eps0, and the delta of the labels."""
    rule, changed = as_distance(distance), count("models_changed", models_changed)
    rounds = min(scales.rounds(guard), count("queries", queries, 0))
    rate = round_epsilon(scales, rule.sensitivity(changed))
    return rounds, rate, labels_delta(scales, rounds, rule.where_labels_differ(changed))


def least_epsilon(rounds: int, rate: float, delta: Fraction) -> float:
    """The least epsilon, up to a part in 10^9, at which the rounds are proved to have this delta."""
    high = rounded_up(lambda: ball(rounds * Fraction(rate)))
    low = 0.0
    if Fraction(composed_delta(rounds, rate, 0.0)) <= delta:
        return 0.0
    for _ in range(_STEPS):
        if high - low <= _CLOSE * high:
            break
        middle = (low + high) / 2
        low, high = (low, middle) if Fraction(composed_delta(rounds, rate, middle)) <= delta else (middle, high)
    return high


def largest_rate(rounds: int, epsilon: float, delta: float) -> float:
    """The largest eps0, up to a part in 10^9, of which so many rounds are proved (epsilon, delta)-private.

    Raises
    ------
    InvalidArgument
        When epsilon is above 1e30.

    Examples
    --------
    >>> largest_rate(1, 0.5, 0.0), round(largest_rate(10, 1.0, 1e-3), 4)
    (0.5, 0.1293)
    """
    if positive("epsilon", epsilon) > _LARGEST_RATE:
        raise InvalidArgument(f"epsilon must be at most {_LARGEST_RATE:g}, got {epsilon:g}")
    low = float(epsilon) / rounds
    while rounds * Fraction(low) > Fraction(epsilon):
        low = math.nextafter(low, 0.0)
    high, target = float(epsilon) + 64.0, Fraction(delta)
    for _ in range(_STEPS):
        if high - low <= _CLOSE * low:
            break
        middle = (low + high) / 2
        low, high = (middle, high) if Fraction(composed_delta(rounds, middle, epsilon)) <= target else (low, middle)
    return low
