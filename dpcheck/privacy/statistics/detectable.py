"""What a run could have seen: the smallest leak of a shape planned beforehand that so many calls would have caught."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpcheck.model.claims import TestedPoint
from dpcheck.privacy.statistics.evidence import EPSILON_CEILING, Tally, expert_log_evidence_at, full_stakes

#: Probability with which a leak of the detectable size would have been caught.
POWER = 0.95
#: Experts whose evidence is within this many nats of the best are as good a guess at the shape of a leak.
AS_GOOD = 0.5
#: The leak asked about shows in this part of the outputs: wider leaks are caught sooner, and the number of pairs is
#: planned for this one. Which rules won or lost has no part in it: on a pair that leaks nearly what is claimed those
#: that have not lost are those that hardly guessed, and what such rules would have caught says nothing of the calls.
ASSUMED_COVERAGE = 0.25
#: What learning the event, and looking only now and then, costs: calls are this many times those that watching the
#: right event would take. Measured (benchmarks/planning.py); of numbers the event must be found among them, and
#: each halving of its coverage makes that dearer.
LEARNING = 1.45
LEARNING_NUMBERS = 0.35


@dataclass(frozen=True)
class Detectable:
    """A leak that would have been caught: its size, and the part of the outputs in which it shows."""

    epsilon: float
    coverage: float


def detectable_leak(
    tally: Tally,
    weight: float,
    epsilon: float,
    delta: float,
    alpha: float,
    power: float = POWER,
    points: Sequence[TestedPoint] = (),
) -> Detectable:
    """The smallest leak of the planned shape that so many calls would have caught with probability ``power``.

    With coverage c, weight w and N calls watched, a randomised response of e' diluted to coverage c makes c N guesses,
    of which a fraction 1 / (1 + e^e') is wrong; it counts as caught when w times the evidence of that expert alone
    reaches 1 / alpha. The shape is planned: c is 0.25, and w the weight of the rules that such a leak is guessed by, so
    that the answer follows from the number of calls. Where an expert has more evidence than luck gives one among many,
    the shape of its leak is known: it has to be caught as well, and the larger of both leaks is the answer. An
    estimate for leaks of that shape, never a bound.

    Parameters
    ----------
    tally : Tally
    weight : float
        Of the rules planned for, times that of the pair.
    epsilon, delta : float
        The claim.
    alpha : float
        Level of the audit.
    power : float
        Probability of catching.
    points : sequence of TestedPoint
        Where the claim is tested, if not at (epsilon, delta) alone: evidence is then their average.

    Examples
    --------
    >>> found = detectable_leak(full_stakes(7310, 2690, 40_000), 1.0, 1.0, 0.0, 0.05)
    >>> 1.0 < found.epsilon < 1.3, found.coverage
    (True, 0.25)
    """
    guesses = (tally.correct + tally.wrong).sum(axis=1)
    live = np.flatnonzero((guesses > 0) & (tally.weight > 0))
    if len(live) == 0:
        return Detectable(math.inf, 1.0)
    tested = points or (TestedPoint(epsilon, delta, 1.0),)
    needed = math.log(1.0 / alpha)

    def smallest(shapes: set[tuple[int, int, float, float]]) -> Detectable:
        found = [
            Detectable(smallest_caught(g, n, epsilon, delta, needed - math.log(w), share, power, tested), g / n)
            for g, n, w, share in _undominated(shapes)
        ]
        return min(found, key=lambda leak: leak.epsilon)

    calls = int(tally.calls[live].max())
    planned = replace(smallest({(int(ASSUMED_COVERAGE * calls), calls, weight, 1.0)}), coverage=ASSUMED_COVERAGE)
    logs = expert_log_evidence_at(tally, tested)[live]
    best = int(np.argmax(logs))
    if logs[best] + math.log(tally.weight[live[best]]) <= 0.0:
        return planned
    shown = smallest(
        {
            (int(guesses[k]), int(tally.calls[k]), float(tally.weight[k]), float(tally.share[k]))
            for k in live[logs >= logs[best] - AS_GOOD]
        }
    )
    return max((planned, shown), key=lambda leak: leak.epsilon)


def _undominated(shapes: set[tuple[int, int, float, float]]) -> list[tuple[int, int, float, float]]:
    kept: list[tuple[int, int, float, float]] = []
    for shape in sorted(shapes, key=lambda s: (-s[0], -s[2])):
        if not any(other[0] >= shape[0] and other[2] >= shape[2] and other[3] <= shape[3] for other in kept):
            kept.append(shape)
    return kept


def smallest_caught(
    guesses: int,
    calls: int,
    epsilon: float,
    delta: float,
    needed: float,
    share: float,
    power: float,
    points: Sequence[TestedPoint] = (),
) -> float:
    """The smallest leak whose ``power``-quantile of wrong guesses still gives ``needed`` nats of evidence."""

    tested = points or (TestedPoint(epsilon, delta, 1.0),)

    def caught(leak: float) -> bool:
        wrong = _quantile(power, guesses, 1.0 / (1.0 + math.exp(leak)))
        one = full_stakes(guesses - wrong, wrong, calls, share)
        return float(expert_log_evidence_at(one, tested)[0]) >= needed

    low, high = epsilon, EPSILON_CEILING
    if not caught(high):
        return math.inf
    while high - low > 1e-3:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if caught(middle) else (middle, high)
    return high


def _quantile(probability: float, trials: int, success: float) -> int:
    """The smallest k with P(Binomial(trials, success) <= k) >= probability."""
    from scipy.special import bdtr

    low, high = -1, trials
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if bdtr(middle, trials, success) >= probability else (middle, high)
    return high


def calls_to_catch(
    epsilon: float,
    delta: float,
    leak: float,
    alpha: float,
    weight: float,
    coverage: float,
    power: float = POWER,
    points: Sequence[TestedPoint] = (),
) -> int:
    """How many calls it takes to catch a leak of this size, coverage and weight with probability ``power``.

    Examples
    --------
    >>> 100 < calls_to_catch(1.0, 0.0, 2.0, 1e-6, 0.1, 0.5) < 2000
    True
    """
    needed = math.log(1.0 / alpha) - math.log(weight)
    share = 1.0
    low, high = 0, 16
    while smallest_caught(int(coverage * high), high, epsilon, delta, needed, share, power, points) > leak:
        low, high = high, 2 * high
        if high > 1 << 34:
            return high
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        found = smallest_caught(int(coverage * middle), middle, epsilon, delta, needed, share, power, points)
        enough = found <= leak
        low, high = (low, middle) if enough else (middle, high)
    return high


def learning(coverage: float, *, numbers: bool) -> float:
    """How many times the calls of the right event it takes when the event is to be learned, of numbers or otherwise.

    >>> learning(1.0, numbers=True), learning(0.25, numbers=True), learning(0.25, numbers=False)
    (1.45, 2.15, 1.45)
    """
    return LEARNING - (LEARNING_NUMBERS * math.log2(coverage) if numbers else 0.0)
