"""Which pairs are tried, which one next, and how many calls a look makes: always from earlier calls only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from dpcheck.claims import claim_point, points_tested
from dpcheck.privacy.detectable import ASSUMED_COVERAGE, calls_to_catch
from dpcheck.privacy.game import Shape, new_game
from dpcheck.privacy.state import State
from dpcheck.run.question import CHOICE_STREAM, Question

#: The first look: enough for tables of 8 bins, little enough to be lost without harm (it is only learned from).
FIRST_LOOK = 32
#: A look is this part of the calls already made on the pair, so that rules are never much older than what they saw.
LOOK_PART = 6
#: No look is larger: a person watching wants to see something, and memory stays small.
LARGEST_LOOK = 10_000
#: Calls per pair in the round over all pairs, before the most promising ones are preferred.
ROUND_CALLS = 100
#: How often the most promising pair is run; else the one with the fewest calls. Half of the budget is thus spread
#: evenly, and the number of pairs is planned so that this half brings each of them to the leak asked for.
PREFERENCE = 0.5
#: Spread of the noise on log evidence when the most promising pair is chosen, so that ties and near-ties are shared.
CHOICE_NOISE = 0.7


def weighted(state: State, question: Question, per_call: float, shape: Shape) -> State:
    """Equal weights for as many pairs as the budget can bring to the leak asked for, the first ones; 0 for the rest."""
    if any(pair.weight > 0 for pair in state.pairs):
        return state  # resumed: weights were fixed before the first call
    budget = question.max_samples
    if per_call * budget > question.max_seconds:
        budget = int(question.max_seconds / per_call)
    count = affordable(question, budget, shape)
    pairs = tuple(replace(pair, weight=1.0 / count if i < count else 0.0) for i, pair in enumerate(state.pairs))
    return State(state.record, pairs)


def affordable(question: Question, budget: int, shape: Shape) -> int:
    """The number of pairs that a budget of calls brings to the leak asked for (at least one)."""
    assert question.claim is not None
    epsilon, delta = claim_point(question.claim)
    points = points_tested(question.claim)
    game = new_game(shape, epsilon, delta)
    weight = max(rule.weight for feature in game.features for rule in feature.rules)

    def enough(count: int) -> bool:
        needed = calls_to_catch(
            epsilon, delta, question.detect, question.alpha, weight / count, ASSUMED_COVERAGE, points=points
        )
        return count * needed <= (budget if count == 1 else (1.0 - PREFERENCE) * budget)

    if enough(len(question.pairs)):
        return len(question.pairs)
    low, high = 1, len(question.pairs)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(middle) else (low, middle)
    return low


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


def look_size(made: int, left: int) -> int:
    """The calls of the next look on a pair that has had ``made``, with ``left`` of the budget; 0 when it is used up.

    >>> look_size(0, 1000), look_size(600, 1000), look_size(600, 10), look_size(600, 0)
    (32, 100, 10, 0)
    """
    if made == 0:
        return min(FIRST_LOOK, max(left, 0))
    return max(0, min(LARGEST_LOOK, max(FIRST_LOOK // 2, made // LOOK_PART), left))
