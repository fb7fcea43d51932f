"""How often the words of bounds against reality are wrong, computed: the game of a learner that fails by chance.

A learner whose failure probability is p makes its trials fail like a coin. The law of where the game stands after n
trials is a vector of n + 1 numbers; what crosses a threshold is absorbed as a word. So the probability of each word is
a sum, not an estimate, and it is held against the level that the word names. That the code stops like this game is a
property of its own: scripted learners, whose failures are written down, get the word and the trials that it says.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcheck.trial import upper
from dpcheck.trial.exact_failure import exact_failure
from dpcheck.trial.lower import LowerBound, check_lower_bound
from dpcheck.trial.upper import CONTRADICTED_LEVEL, HOLDS_LEVEL, UpperBound, check_upper_bound
from dpcheck.utility.distributions import FiniteDistribution
from dpcheck.utility.evidence import fixed_interval, log_evidence_contradicted, log_evidence_holds, threshold

COIN = FiniteDistribution([0], [1], [Fraction(1, 10)], name="coin", best=Fraction(1, 10))
TRIALS = 300
Word = Callable[[np.ndarray, int], np.ndarray]


def words(failure: float, holds_level: float, contradicted_level: float) -> Word:
    """Which word each count of failures has reached: 0 none, 1 holds, 2 contradicted."""

    def of(failures: np.ndarray, trials: int) -> np.ndarray:
        kept = log_evidence_holds(failures, trials, failure) >= threshold(holds_level)
        broken = log_evidence_contradicted(failures, trials, failure) >= threshold(contradicted_level)
        return np.where(broken, 2, np.where(kept, 1, 0))

    return of


def chances(truth: float, word: Word, trials: int) -> tuple[float, float]:
    """The probabilities that the game ends with "holds" and with "contradicted" within so many trials."""
    alive, absorbed = np.array([1.0]), [0.0, 0.0]
    for number in range(1, trials + 1):
        alive = np.append(alive * (1 - truth), 0.0) + np.append(0.0, alive * truth)
        found = word(np.arange(number + 1), number)
        for which in (1, 2):
            absorbed[which - 1] += float(alive[found == which].sum())
        alive[found > 0] = 0.0
    return absorbed[0], absorbed[1]


def scripted(outcomes: list[bool]) -> Callable[..., int]:
    """A learner whose trials fail as written down, and never afterwards: 0 labels the point 1, which is mostly 0."""
    left = iter(outcomes)

    def learner(dataset: object, rng: object) -> int:
        return 0 if next(left, False) else 1

    return learner


def played(outcomes: list[bool], word: Word, limit: int) -> tuple[int, int]:
    """The word of the game on these outcomes (then none fails), and the number of trials."""
    failures = 0
    for number in range(1, limit + 1):
        failures += outcomes[number - 1] if number <= len(outcomes) else 0
        found = int(word(np.array([failures]), number)[0])
        if found:
            return found, number
    return 0, limit


CLAIMS = st.sampled_from([0.02, 0.05, 0.1, 0.25, 0.5])


@pytest.mark.parametrize("failure", [0.02, 0.1, 0.25, 0.5])
def test_words_of_upper_bounds_are_wrong_as_seldom_as_they_say(failure: float) -> None:
    # both are most likely to be wrong at the claim itself: just above it "holds" is wrong, at it "contradicted"
    holds, contradicted = chances(failure, words(failure, HOLDS_LEVEL, CONTRADICTED_LEVEL), TRIALS)
    assert holds <= HOLDS_LEVEL
    assert contradicted <= CONTRADICTED_LEVEL


@pytest.mark.parametrize("failure", [0.1, 0.25])
def test_words_of_upper_bounds_are_reached(failure: float) -> None:
    word = words(failure, HOLDS_LEVEL, CONTRADICTED_LEVEL)
    assert chances(failure / 5, word, TRIALS)[0] > 0.85
    assert chances(min(1.0, 3.5 * failure), word, TRIALS)[1] > 0.85


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("failure", [0.1, 0.25])
def test_words_of_lower_bounds_are_wrong_as_seldom_as_they_say(failure: float, count: int) -> None:
    # of the rate's own words, "holds" is success of the learner, and "contradicted" its failure
    success, failing = chances(failure, words(failure, CONTRADICTED_LEVEL, HOLDS_LEVEL / count), TRIALS)
    # the theorem is true: on some instance the learner fails often enough, on all others it may never fail; the row
    # is contradicted only where success is certified there too
    assert success <= CONTRADICTED_LEVEL
    # the theorem is wrong: on each instance it fails just less; one that looks like failure makes the row hold
    assert 1 - (1 - failing) ** count <= HOLDS_LEVEL


def test_a_rule_that_looks_again_and_again_at_a_fixed_interval_would_be_caught() -> None:
    # broken on purpose: an interval for a number of trials fixed in advance, looked at after every trial
    def peeking(failures: np.ndarray, trials: int) -> np.ndarray:
        ends = [fixed_interval(int(count), trials, 2 * HOLDS_LEVEL) for count in failures]
        return np.array([1 if high < 0.25 else 2 if low > 0.25 else 0 for low, high in ends])

    assert chances(0.25, peeking, 60)[0] > HOLDS_LEVEL
    assert chances(0.25, words(0.25, HOLDS_LEVEL, CONTRADICTED_LEVEL), 60)[0] <= HOLDS_LEVEL


@pytest.mark.turns(6)
@settings(max_examples=25, deadline=None)
@given(st.lists(st.booleans(), max_size=80), CLAIMS)
def test_upper_bounds_stop_where_the_game_stops(outcomes: list[bool], failure: float) -> None:
    declared = UpperBound("a:b", "c", scripted(outcomes), COIN, {"n": 1}, {"accuracy": "1/10", "failure": failure})
    with patch.object(upper, "_opponents", return_value=[]):  # a script knows no label: it would be set against itself
        found = check_upper_bound(declared, seed=0, trials=200)
    word, trials = played(outcomes, words(failure, HOLDS_LEVEL, CONTRADICTED_LEVEL), 200)
    assert found.word == ("undecided", "holds", "contradicted")[word]
    assert found.trials == trials
    assert found.level == (0.0, HOLDS_LEVEL, CONTRADICTED_LEVEL)[word]


@pytest.mark.turns(6)
@settings(max_examples=12, deadline=None)
@given(st.lists(st.booleans(), max_size=60), st.integers(1, 4), CLAIMS)
def test_lower_bounds_stop_where_the_game_stops(outcomes: list[bool], count: int, failure: float) -> None:
    # the first instance is scripted; on the later ones the learner never fails
    calls = 0
    script = scripted(outcomes)

    def learner(dataset: object, rng: object) -> int:
        nonlocal calls
        calls += 1
        return script(dataset, rng)

    limit = 1_500
    declared = LowerBound("a:b", "c", {"scripted": learner}, [COIN] * count, {"n": 1}, "1/10", failure)
    (found,) = check_lower_bound(declared, seed=0, trials=limit)
    word, trials = played(outcomes, words(failure, CONTRADICTED_LEVEL, HOLDS_LEVEL / count), limit)
    if word == 2:
        assert (found.word, found.trials, found.level) == ("holds", trials, HOLDS_LEVEL)
    elif word == 1 and count == 1:
        assert (found.word, found.trials, found.level) == ("contradicted", trials, CONTRADICTED_LEVEL)
    elif word == 1:  # success is certified on the others too, where it never fails
        assert (found.word, found.level) == ("contradicted", CONTRADICTED_LEVEL)
    else:
        assert (found.word, found.level) == ("undecided", 0.0)
    assert calls >= found.trials


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 12), st.integers(1, 9))
def test_exact_failures_are_binomial_tails(size: int, tenths: int) -> None:
    # the majority's law puts all mass on one output, so that failure is a tail of the number of ones
    from math import comb

    class Majority:
        def __call__(self, dataset: object, rng: object) -> int:
            return next(iter(self.distribution(dataset)))

        def distribution(self, dataset: object) -> dict[int, Fraction]:
            labels = dataset.y  # type: ignore[attr-defined]
            return {0 if 2 * int(sum(labels)) >= len(labels) else 1: Fraction(1)}

    ones = Fraction(tenths, 10)
    law = FiniteDistribution([0], [1], [ones], best=min(ones, 1 - ones))
    found = exact_failure(Majority(), law, sizes={"n": size}, accuracy=Fraction(1, 100), order_blind=True)
    wrong = (lambda k: 2 * k >= size) if ones < Fraction(1, 2) else (lambda k: 2 * k < size)
    tail = sum(comb(size, k) * ones**k * (1 - ones) ** (size - k) for k in range(size + 1) if wrong(k))
    expected = tail if ones != Fraction(1, 2) else Fraction(0)
    assert found.low <= expected <= found.high
    assert found.high - found.low < Fraction(1, 10**40)
