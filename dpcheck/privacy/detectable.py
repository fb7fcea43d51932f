"""What a run could have seen: the smallest leak, of the shape of its best guesses, that it would have caught."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcheck.claims import TestedPoint
from dpcheck.privacy.evidence import EPSILON_CEILING, Tally, expert_log_evidence_at, full_stakes

#: Probability with which a leak of the detectable size would have been caught.
POWER = 0.95
#: Experts whose evidence is within this many nats of the best are as good a guess at the shape of a leak.
AS_GOOD = 0.5
#: Nats an expert may have lost and still count as undecided: the mixture over 20 bets alone costs log 20 = 3.
NOT_LOST = 6.0
#: Where no expert has more evidence than luck gives, the leak asked about shows in at most this part of the outputs:
#: wider leaks are caught sooner, and the number of pairs is planned for this one.
ASSUMED_COVERAGE = 0.25
#: What learning the event, and looking only now and then, costs: calls are this many times those that watching the
#: right event would take. Measured (benchmarks/planning.py); of numbers the event must be found among them, and
#: each halving of its coverage makes that dearer.
LEARNING = 1.45
LEARNING_NUMBERS = 0.35
#: Rules that hardly ever guess have not been tried: they say nothing about the shape of a leak.
LEAST_COVERAGE = 0.02


@dataclass(frozen=True)
class Detectable:
    """A leak that would have been caught: its size, and the part of the outputs in which it shows."""

    epsilon: float
    coverage: float


def detectable_leak(
    tally: Tally,
    epsilon: float,
    delta: float,
    alpha: float,
    power: float = POWER,
    points: Sequence[TestedPoint] = (),
) -> Detectable:
    """The smallest leak of the shape of the best guesses that would have been caught with probability ``power``.

    With coverage c, weight w and N calls watched, a randomised response of e' diluted to coverage c makes c N guesses,
    of which a fraction 1 / (1 + e^e') is wrong; it counts as caught when w times the evidence of that expert alone
    reaches 1 / alpha. The shape is that of the expert with most evidence at the claim when its evidence is more than
    luck gives one among many; otherwise any shape is as good a guess, and the one taken is that of an expert which has
    not lost (where there is one that guessed in 2% of the calls), of coverage at most 0.25 where there is one. An
    estimate for leaks of that shape, never a bound.

    Parameters
    ----------
    tally : Tally
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
    >>> found = detectable_leak(full_stakes(7310, 2690, 10_000), 1.0, 0.0, 0.05)
    >>> 1.0 < found.epsilon < 1.3, found.coverage
    (True, 1.0)
    """
    guesses = (tally.correct + tally.wrong).sum(axis=1)
    live = np.flatnonzero((guesses > 0) & (tally.weight > 0))
    if len(live) == 0:
        return Detectable(math.inf, 1.0)
    tested = points or (TestedPoint(epsilon, delta, 1.0),)
    logs = expert_log_evidence_at(tally, tested)[live]
    coverage = guesses[live] / tally.calls[live]
    best = int(np.argmax(logs))
    if logs[best] + math.log(tally.weight[live[best]]) > 0.0:
        good = live[logs >= logs[best] - AS_GOOD]
    else:
        undecided = logs >= min(-NOT_LOST, float(logs[best]))
        tried = coverage >= LEAST_COVERAGE
        narrow = coverage <= ASSUMED_COVERAGE
        # Where every rule that was tried has lost, the pair leaks less than claimed in all of these shapes; a larger
        # leak of one of them would have been seen. Rules that guessed a dozen times cannot speak for the run.
        choices = (undecided & tried & narrow, undecided & tried, tried & narrow, tried, undecided)
        good = live[next(some for some in choices if some.any())]
    shapes = {(int(guesses[k]), int(tally.calls[k]), float(tally.weight[k]), float(tally.share[k])) for k in good}
    needed = math.log(1.0 / alpha)
    found = [
        Detectable(smallest_caught(g, n, epsilon, delta, needed - math.log(w), share, power, tested), g / n)
        for g, n, w, share in _undominated(shapes)
    ]
    return min(found, key=lambda leak: leak.epsilon)


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
