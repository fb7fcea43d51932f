"""Which pairs are tried, which one next, how many calls lie between interim analyses: from earlier calls only."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpcheck.model.claims import TestedPoint, claim_point
from dpcheck.privacy.run.question import CHOICE_STREAM, Question
from dpcheck.privacy.statistics.claim_evidence import points_staked
from dpcheck.privacy.statistics.detectable import ASSUMED_COVERAGE, answers_planned, calls_to_catch
from dpcheck.privacy.statistics.game import Shape, planned_weight
from dpcheck.privacy.statistics.layout import Layout
from dpcheck.privacy.statistics.state import State

#: Calls before the first interim analysis: they are only learned from, so that few are, and what was learned from few
#: is soon learned anew.
FIRST_INTERIM = 20
#: With fewer calls than this in all, they are few: a slow learner's first 20 would be much of what there is.
FEW_CALLS = 256
SMALL_INTERIM = 8
#: Later, this part of the calls already made on the pair, so that rules are never much older than what they saw, and
#: an audit does not go on for long once it has seen enough: a sixth cost a twentieth more calls than a twelfth, which
#: took twice the time of a sixth. Once calls are thousands, what is learned anew changes little: then a sixth.
INTERIM_PART, MANY_MADE, PART_OF_MANY = 8, 1_000, 6
#: Of learners that are dear to make an analysis is dear, however few its calls: each has twice the calls of all before.
FIRST_OF_DEAR, TIMES_MADE = 100, 2
#: Never more: a person watching wants to see something, and memory stays small.
LARGEST_INTERIM = 10_000
#: ... nor than have so many numbers: 256 MiB of doubles.
NUMBERS_AT_ONCE = 1 << 25
#: Calls per pair in the round over all pairs, before the most promising ones are preferred.
ROUND_CALLS = 100
#: How often the most promising pair is run; else the one with the fewest calls. Half of the budget is thus spread
#: evenly, and the number of pairs is planned so that this half brings each of them to the leak asked for.
PREFERENCE = 0.5
#: The part of the seconds that pairs are planned for: looking at outputs takes time too, and machines get busier.
TIME_PLANNED = 0.7
#: Spread of the noise on log evidence when the most promising pair is chosen, so that ties and near-ties are shared.
CHOICE_NOISE = 0.7


def weighted(state: State, question: Question, per_call: float, shape: Shape) -> State:
    """Equal weights for as many pairs as the budget can bring to the leak asked for, the first ones; 0 for the rest.

    They sum to 1, or to a half where the other half is kept for a smaller pair.
    """
    if any(pair.weight > 0 for pair in state.pairs):
        return state  # resumed: weights were fixed before the first call
    count = affordable(question, calls_in_time(question, per_call), shape)
    each = pairs_share(question.shrinking) / count
    pairs = tuple(replace(pair, weight=each if i < count else 0.0) for i, pair in enumerate(state.pairs))
    return State(state.record, pairs)


def calls_in_time(question: Question, per_call: float) -> int:
    """The calls that pairs are planned for: those of the budget, or as many as fit into the seconds."""
    budget = question.max_samples
    return budget if per_call * budget <= question.max_seconds else int(TIME_PLANNED * question.max_seconds / per_call)


def pairs_share(shrinking: bool) -> float:
    """The part of alpha that goes to the pairs tried; the rest is kept for the smaller form of the one found."""
    return 0.5 if shrinking else 1.0


def affordable(question: Question, budget: int, shape: Shape) -> int:
    """The number of pairs that a budget of calls brings to the leak asked for (at least one)."""
    assert question.claim is not None
    epsilon, delta = claim_point(question.claim)
    most = len(question.pairs)
    alpha = question.limits.alpha * pairs_share(question.shrinking)
    points = points_staked(question.claim)
    return pairs_reached(epsilon, delta, question.detect, alpha, shape, budget=budget, most=most, points=points)


def pairs_reached(
    epsilon: float,
    delta: float,
    detect: float,
    alpha: float,
    shape: Shape,
    *,
    budget: int,
    most: int,
    points: Sequence[TestedPoint] = (),
) -> int:
    """How many of ``most`` pairs a budget of calls brings to a leak of ``detect`` (at least one)."""

    def enough(count: int) -> bool:
        return calls_to_reach(epsilon, delta, detect, alpha, shape, count, points) <= budget

    if enough(most):
        return most
    low, high = 1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return low


def calls_to_reach(
    epsilon: float,
    delta: float,
    detect: float,
    alpha: float,
    shape: Shape,
    count: int,
    points: Sequence[TestedPoint] = (),
) -> int:
    """The calls with which an audit tries so many pairs: they bring each of them to a leak of ``detect``."""
    weight = planned_weight(shape, epsilon, delta) / count
    answers = answers_planned(shape)
    needed = calls_to_catch(epsilon, delta, detect, alpha, weight, ASSUMED_COVERAGE, points=points, answers=answers)
    return needed if count == 1 else math.ceil(count * needed / (1.0 - PREFERENCE))


def next_pair(state: State, chosen: Sequence[int], evidences: dict[int, float], question: Question) -> int:
    """Every pair a first round; then mostly the most promising, sometimes the one with the fewest calls.

    The choice looks at earlier calls only, which leaves each pair's evidence valid.
    """
    calls = {i: (game.calls if (game := state.pairs[i].game) is not None else 0) for i in chosen}
    behind = [i for i in chosen if calls[i] < ROUND_CALLS]
    if behind:
        return behind[0]
    if len(chosen) == 1:
        return chosen[0]
    rng = np.random.default_rng(question.stream(CHOICE_STREAM, state.samples))
    if rng.random() < PREFERENCE:
        noise = CHOICE_NOISE * rng.standard_normal(len(chosen))
        return chosen[int(np.argmax(np.array([evidences[i] for i in chosen]) + noise))]
    return min(chosen, key=lambda i: calls[i])


def most_at_once(layout: Layout | None) -> int:
    """The most calls of one interim analysis of outputs with this layout, so that they fit into memory.

    >>> most_at_once(None)
    10000
    """
    numbers = layout.known_numbers if layout is not None else 0
    return min(LARGEST_INTERIM, max(FIRST_INTERIM, NUMBERS_AT_ONCE // max(numbers, 1)))


def interim_size(made: int, left: int, *, few: bool = False, most: int = LARGEST_INTERIM, dear: bool = False) -> int:
    """The calls up to a pair's next interim analysis, after ``made``, with ``left`` of the budget; 0 when none is left.

    ``few`` says that the whole budget is below :data:`FEW_CALLS`; ``most`` are as many as fit into memory.
    Where learners are ``dear`` to make, there are few analyses: each has twice the calls of all before it.

    >>> [interim_size(made, left) for made, left in ((0, 1000), (600, 1000), (600, 10), (600, 0))]
    [20, 75, 10, 0]
    >>> interim_size(0, 40, few=True)
    8
    >>> [interim_size(made, 100_000 - made, dear=True) for made in (0, 100, 300, 10_000)]
    [100, 200, 600, 10000]
    """
    first, least = (SMALL_INTERIM, SMALL_INTERIM) if few else (FIRST_INTERIM, FIRST_INTERIM // 2)
    if dear and not few:
        first = min(FIRST_OF_DEAR, most)
    if made == 0:
        return min(first, max(left, 0))
    part = made * TIMES_MADE if dear else made // (INTERIM_PART if made < MANY_MADE else PART_OF_MANY)
    return max(0, min(most, max(least, part), left))
