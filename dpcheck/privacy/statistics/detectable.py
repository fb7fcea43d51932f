"""What a run could have seen: the smallest leak of a shape planned beforehand that so many calls would have caught."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpcheck.model.claims import TestedPoint
from dpcheck.privacy.statistics.evidence import EPSILON_CEILING, Tally, full_stakes, log_e_processes_at
from dpcheck.privacy.statistics.game import Game, Shape

#: Probability with which a leak of the detectable size would have been caught.
POWER = 0.95
#: Experts whose evidence is within this many nats of the best are as good a guess at the shape of a leak.
AS_GOOD = 0.5
#: Odds that a rule has to show against the claim before a verdict takes the shape of a leak from it. A claim that holds
#: just so reaches them with probability at most 1/20, and in none of 6,000 audits of 20,000 calls; in 7 of them it
#: reached more than 1 to one, and a correct learner was called inconclusive for an event of 2% of its outputs.
SHOWN_ODDS = 20.0
#: Sizes of leaks are found this well.
PRECISION = 1e-3
#: The leak asked about shows in this part of the outputs: wider leaks are caught sooner, and the number of pairs is
#: planned for this one. Which rules won or lost has no part in it: on a pair that leaks nearly what is claimed those
#: that have not lost are those that hardly guessed, and what such rules would have caught says nothing of the calls.
ASSUMED_COVERAGE = 0.25
#: The search for a number of calls ends here: the claim's delta hides so small a leak in so few outputs.
NO_NUMBER_OF_CALLS = 1 << 34
#: Different answers that are few, and the most that are told apart as single answers: beyond, outputs are numbers.
FEW_ANSWERS, MANY_ANSWERS = 10, 64
#: What learning the event, and looking only now and then, costs: calls are this many times those that watching the
#: right event would take; see :func:`learning`.
LEARNING_FEW = 1.5
LEARNING_ANSWERS, HALVED_ANSWERS, MOST_ANSWERS = 1.3, 0.75, 2.8
LEARNING_NUMBERS, HALVED_NUMBERS = 1.8, 1.1
#: The rarest event that learning was measured for.
RAREST = 0.05


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
    *,
    answers: float | None,
    odds: float = SHOWN_ODDS,
) -> Detectable:
    """The smallest leak of the planned shape that so many calls would have caught with probability ``power``.

    Of N calls watched, N / :func:`learning` count: so many would do for an audit that knew the event. With coverage c
    and weight w a randomised response of e' diluted to coverage c makes c guesses in each of these, of which a fraction
    1 / (1 + e^e') is wrong; it counts as caught when w times the evidence of that rule alone reaches 1 / alpha. The
    shape is planned: c is 0.25, and w the weight of the rules that such a leak is guessed by, so
    that the answer follows from the number of calls. Where a rule has more evidence than luck gives one among many,
    ``odds`` to one, the shape of its leak is known: it has to be caught as well, and the larger of both leaks is the
    answer. An estimate for leaks of that shape, never a bound.

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
    answers : float or None
        How many different answers there are (``inf``: numbers); None where the event is known beforehand.
    odds : float
        What is more evidence than luck.

    Examples
    --------
    >>> found = detectable_leak(full_stakes(7310, 2690, 40_000), 1.0, 1.0, 0.0, 0.05, answers=3)
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
        found = []
        for g, n, w, share in _undominated(shapes):
            bare = n / learning(g / n, answers)
            size = smallest_caught(
                int(bare * g / n), int(bare), epsilon, delta, needed - math.log(w), share, power, tested
            )
            found.append(Detectable(size, g / n))
        return min(found, key=lambda leak: leak.epsilon)

    calls = int(tally.calls[live].max())
    planned = replace(smallest({(int(ASSUMED_COVERAGE * calls), calls, weight, 1.0)}), coverage=ASSUMED_COVERAGE)
    logs = log_e_processes_at(tally, tested)[live]
    best = int(np.argmax(logs))
    if logs[best] + math.log(tally.weight[live[best]]) <= math.log(odds):
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
    low, high = epsilon, EPSILON_CEILING
    if not _caught(high, guesses, calls, needed, share, power, tested):
        return math.inf
    while high - low > PRECISION:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if _caught(middle, guesses, calls, needed, share, power, tested) else (middle, high)
    return high


def _caught(
    leak: float,
    guesses: int,
    calls: int,
    needed: float,
    share: float,
    power: float,
    points: Sequence[TestedPoint],
) -> bool:
    """Whether the ``power``-quantile of wrong guesses of a leak still gives ``needed`` nats of evidence."""
    if guesses < 1:
        return False
    wrong = _quantile(power, guesses, 1.0 / (1.0 + math.exp(leak)))
    one = full_stakes(guesses - wrong, wrong, calls, share)
    return float(log_e_processes_at(one, points)[0]) >= needed


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
    *,
    answers: float | None,
) -> int:
    """How many calls it takes to catch a leak of this size, coverage and weight with probability ``power``.

    ``leak`` may be infinite: an event that never comes on one of the datasets. ``answers`` is as in
    :func:`detectable_leak`: how many different ones there are (``inf``: numbers), None where the event is known. No
    number of calls does where it is :data:`NO_NUMBER_OF_CALLS`.

    Examples
    --------
    >>> known, learned = (calls_to_catch(1.0, 0.0, 2.0, 1e-6, 0.1, 0.5, answers=n) for n in (None, math.inf))
    >>> 100 < known < learned < 4000
    True
    >>> calls_to_catch(1.0, 0.0, math.inf, 1e-6, 0.1, 0.5, answers=None) < known
    True
    """
    needed, share = math.log(1.0 / alpha) - math.log(weight), 1.0
    if leak <= epsilon:
        return NO_NUMBER_OF_CALLS
    leak = min(leak, EPSILON_CEILING)  # no larger one takes fewer calls
    leak = max(leak - PRECISION, 0.5 * (epsilon + leak))  # so that the smallest one caught is seen to be no larger
    tested = points or (TestedPoint(epsilon, delta, 1.0),)
    low, high = 0, 16
    while not _caught(leak, int(coverage * high), high, needed, share, power, tested):
        low, high = high, 2 * high
        if high > NO_NUMBER_OF_CALLS:
            return NO_NUMBER_OF_CALLS
    while high - low > max(1, low // 50):
        middle = (low + high) // 2
        enough = _caught(leak, int(coverage * middle), middle, needed, share, power, tested)
        low, high = (low, middle) if enough else (middle, high)
    return math.ceil(learning(coverage, answers) * high)


def learning(coverage: float, answers: float | None) -> float:
    """How many times the calls of an audit that knows the event it takes one that has to learn it.

    Measured, and held by ``benchmarks/stated_power.py``, on learners drawn at random (``benchmarks/drawn_leaks.py``)
    with a leak of exactly the size and coverage asked for: in numbers of six laws, where the event is in one tail, in
    both, in the middle, a mode, of one side only, or up to three intervals for each dataset; in 3, 10 and 50 labels; in
    a coordinate of vectors of 2 to 5 numbers. The calls that 95% of the runs of a kind needed were divided by those
    that the event takes where it is known; the factor is near the largest such quotient of any kind, claim and level,
    so that most leaks take fewer calls. It grows with each halving of the coverage, down to 0.05, the rarest event
    measured. Not foretold are events that no single coordinate shows.

    Draws of a ``sample`` teach too, and nothing is taken off for them: calls that came before the draws had not learned
    from them, and where the draws come late as many calls are needed as without any.

    Parameters
    ----------
    coverage : float
        The part of the outputs in which the leak shows.
    answers : float or None
        How many different answers there are (``inf``: numbers); None where the event is known beforehand.

    >>> [round(learning(0.25, answers), 2) for answers in (None, 3, 50, math.inf)]
    [1.0, 1.5, 2.8, 4.0]
    """
    if answers is None:
        return 1.0
    halvings = -math.log2(max(coverage, RAREST))
    if answers <= FEW_ANSWERS:
        return LEARNING_FEW
    if answers <= MANY_ANSWERS:
        return min(LEARNING_ANSWERS + HALVED_ANSWERS * halvings, MOST_ANSWERS)
    return LEARNING_NUMBERS + HALVED_NUMBERS * halvings


def answers_planned(shape: Shape) -> float:
    """How many different answers are planned for: as many as are told apart where some repeat, else ``inf``.

    >>> answers_planned(Shape(1, repeats=True, others=False)), answers_planned(Shape(1, repeats=False, others=False))
    (64, inf)
    """
    return MANY_ANSWERS if shape.repeats or not shape.columns else math.inf


def answers_seen(game: Game) -> float:
    """How many different answers a game saw where they repeat; ``inf`` of numbers."""
    planned = answers_planned(game.shape)
    if math.isinf(planned):
        return planned
    for feature in game.features:
        if feature.kind == "answer" and len(feature.known):
            return len(feature.known)
        if feature.kind == "column" and game.shape.fixed == 1 and feature.bins is not None:
            return feature.bins.count - 1  # the last bin is that of NaN
    return planned
