"""The noise, threshold, number of models and cut-off of alg-2: from the printed formulas, or given."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners.accounting import labels_delta, largest_rate, round_epsilon
from dpcheck.papers.bassily2018.learners.scales import Guard, Scales
from dpcheck.papers.bassily2018.learners.votes import Distance, as_distance
from dpcheck.parts.mechanisms.parameters import count, positive, real

#: Relative width at which a searched threshold is good enough.
_CLOSE = 1e-9
#: Larger noise is not computed with.
_LARGEST_SCALE = 1e300
#: More models than this are not searched.
_MOST_MODELS = 2**40


def printed_scales(epsilon: float, delta: float, failure: float, queries: int, cutoff: int) -> Scales:
    """The scales as the paper prints them.

    ``lambda = sqrt(32 T log(2/delta))/eps``, ``w = 2 lambda log(2m/delta)``, ``k = ceil(34 sqrt(2) lambda log(4mT/
    min(delta, beta/2)))``, the noise of a query Lap(2 lambda).

    Parameters
    ----------
    epsilon : float, above 0
    delta, failure : float, between 0 and 1
        The paper's delta and beta.
    queries : int, at least 1
        m, how many may be asked.
    cutoff : int, at least 1
        T.

    Raises
    ------
    InvalidArgument
        When one is none of these.

    Source: bassily2018:alg-2, steps 1-2.

    Examples
    --------
    >>> scales = printed_scales(1.0, 1e-6, 0.05, queries=100, cutoff=1)
    >>> round(scales.threshold_scale, 4), round(scales.threshold, 3), scales.models
    (21.5471, 823.695, 20522)
    """
    epsilon, delta, failure = _checked_probabilities(epsilon, delta, failure)
    m, limit = count("queries", queries), count("cutoff", cutoff)
    scale = math.sqrt(32 * limit * math.log(2 / delta)) / epsilon
    threshold = 2 * scale * math.log(2 * m / delta)
    if scale > _LARGEST_SCALE:
        raise InvalidArgument(
            f"epsilon must be such that lambda <= {_LARGEST_SCALE:g}, got {epsilon!r}: sqrt(32 T log(2/delta))/epsilon "
            f"is {scale:g}"
        )
    models = math.ceil(34 * math.sqrt(2) * scale * math.log(4 * m * limit / min(delta, failure / 2)))
    return Scales(threshold, scale, 2 * scale, models, limit)


def proved_scales(
    epsilon: float,
    delta: float,
    failure: float,
    queries: int,
    cutoff: int = 1,
    *,
    guard: Guard = "printed",
    distance: str | Distance = "printed",
    models: int | None = None,
    models_changed: int = 1,
) -> Scales:
    """The least noise and threshold of the paper's form for which the accounting proves (epsilon, delta).

    The noise of a query is twice that of a threshold, as in the paper. Half of delta is for the rounds, and sets the
    noise; half for the labels, and sets the threshold. Where ``models`` is not given it is so many that, with
    probability ``1 - failure`` over the noise, every query on which at most a third of the votes is wrong is answered:
    each of m + R noises fails with probability at most ``failure / (m + R)``.

    Parameters
    ----------
    epsilon : float, above 0
    delta, failure : float, between 0 and 1
    queries : int, at least 1
        m.
    cutoff : int, at least 1
        T.
    guard, distance, models_changed : as for :func:`~dpcheck.papers.bassily2018.learners.accounting.answering_claim`
    models : int, optional
        k.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Examples
    --------
    >>> scales = proved_scales(1.0, 1e-6, 0.05, queries=100, cutoff=1)
    >>> round(scales.threshold_scale, 3), round(scales.threshold, 1), scales.models
    (8.0, 237.7, 1218)
    """
    epsilon, delta, failure = _checked_probabilities(epsilon, delta, failure)
    rule, changed = as_distance(distance), count("models_changed", models_changed)
    m, limit = count("queries", queries), count("cutoff", cutoff)
    rounds = min(Scales(0.0, 1.0, 1.0, 1, limit).rounds(guard), m)
    rate = largest_rate(rounds, epsilon, delta / 2)
    sensitivity = rule.sensitivity(changed)
    scale = 2 * sensitivity / rate
    while round_epsilon(Scales(0.0, scale, 2 * scale), sensitivity) > rate:
        scale = math.nextafter(scale, math.inf)

    def low_enough(threshold: float) -> bool:
        worst = rule.where_labels_differ(changed)
        return 2 * Fraction(labels_delta(Scales(threshold, scale, 2 * scale), rounds, worst)) <= Fraction(delta)

    threshold = _least(low_enough, rule.where_labels_differ(changed))
    number = count("models", models) if models is not None else 0
    if models is None:
        noises = max(0.0, math.log((m + rounds) / (2 * failure)))
        number = _models_for(rule, threshold + 3 * scale * noises)
    return Scales(threshold, scale, 2 * scale, number, limit)


def _checked_probabilities(epsilon: float, delta: float, failure: float) -> tuple[float, float, float]:
    """The three as floats."""
    for name, value in (("delta", delta), ("failure", failure)):
        if not 0 < real(name, value) < 1:
            raise InvalidArgument(f"{name} must be above 0 and below 1, got {value!r}")
    return positive("epsilon", epsilon), float(delta), float(failure)


def _least(enough: Callable[[float], bool], start: float) -> float:
    """The least double, up to a part in 10^9, from a start on that is enough: larger ones are where one is."""
    low, step = float(start), 1.0
    if enough(low):
        return low
    while not enough(low + step):
        step *= 2
    high = low + step
    while high - low > _CLOSE * high:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _models_for(rule: Distance, needed: float) -> int:
    """The least multiple of 3 such that with a third of the votes wrong the distance exceeds what is needed."""

    def enough(thirds: int) -> bool:
        return bool(rule.of(np.array([[thirds, 2 * thirds]]))[0] > needed)

    high = 1
    while not enough(high):
        high *= 2
        if high > _MOST_MODELS:
            raise InvalidArgument(f"models must be given: no number below 2^40 makes the distance exceed {needed:g}")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return 3 * high
