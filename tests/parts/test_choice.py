"""The choice among weighted candidates: its law in doubles, and draws that have exactly that law."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx, fmpq
from scipy.stats import chi2

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import IntegerScores
from dpcheck.parts.mechanisms.choice import Choice

#: Each statistical test here alarms falsely with at most this probability, whatever the seed.
LEVEL = 1e-9


def weights(choice: Choice) -> list[arb]:
    """The exact weights, relative to that of the best score."""
    best = Fraction(choice.scores.max().item())
    steps = [choice.rate * (Fraction(score) - best) for score in choice.scores.tolist()]
    times = [1] * len(steps) if choice.multiplicities is None else choice.multiplicities.tolist()
    return [m * arb(fmpq(step.numerator, step.denominator)).exp() for m, step in zip(times, steps, strict=True)]


CHOICES = [
    Choice(Fraction(1, 2), [-3, 0, -1]),
    Choice(Fraction(1, 3), [0] * 1000 + [-1]),
    Choice(2.0, [0, -10_000, -1_000_000]),
    Choice(0.1, np.linspace(-300.0, 7.0, 1000) ** 3),
    Choice(1, [0, -30, -800], [1, 2**60, 2**62]),
    Choice(Fraction(1, 7), [5, 5, 4, -1000], [10**18, 1, 10**15, 3]),
    Choice(0, [1, 2, 3]),
    Choice(1e-320, [0.0, 2.0**400, -(2.0**499)]),
    Choice(2.0**-700, [0.0, -(2.0**480), 2.0**499]),
    Choice(2.0**-63, np.array([2**63 - 1, 0, -(2**63)])),
    Choice(2.0**-63, np.array([2**64 - 1, 0, 2**63], dtype=np.uint64)),
    Choice(Fraction(1, 10), np.array([127, -128, 0], dtype=np.int8)),
    Choice(Fraction(10) ** 400, [0, 0]),
]


@pytest.mark.parametrize("choice", CHOICES, ids=range(len(CHOICES)))
def test_log_probabilities_are_within_their_error_of_the_exact_ones(choice: Choice) -> None:
    with ctx.workprec(4096):
        exact = weights(choice)
        total = sum(exact[1:], exact[0])
        for found, weight in zip(choice.log_probabilities.tolist(), exact, strict=True):
            truth = (weight / total).log()
            stated = 8 * abs(truth) * arb(2) ** -53 + arb(2) ** (-45 if choice.multiplicities is None else -43)
            assert abs(arb(found) - truth) <= stated
        assert choice.error >= float(stated.mid()) * (1 - 1e-9)


def test_an_overwhelming_candidate_keeps_the_logarithm_of_the_rest() -> None:
    logs = Choice(1, [0, -50]).log_probabilities
    assert logs[0] == pytest.approx(-math.exp(-50), rel=1e-12)


@pytest.mark.parametrize("choice", CHOICES, ids=range(len(CHOICES)))
def test_every_candidate_has_a_cell_no_shorter_than_its_weight_and_only_its_last_integers_are_longer(
    choice: Choice,
) -> None:
    # what the exactness of draws rests on, in exact arithmetic
    ends, shift = choice._cells
    assert 0 < int(ends[-1]) < 2**61 + len(ends) + 1
    with ctx.workprec(4096):
        for low, high, weight in zip([0, *ends[:-1].tolist()], ends.tolist(), weights(choice), strict=True):
            scaled = weight * arb(2) ** shift
            assert high - low >= 1
            assert arb(high - low) >= scaled
            assert arb(high - low - 2**20 - 3) <= scaled


class Scripted:
    """A generator that gives the integers it was given."""

    def __init__(self, *integers: int) -> None:
        self.left: Iterator[int] = iter(integers)

    def integers(self, below: Any, size: int | None = None, dtype: Any = np.int64) -> Any:
        if size is None:
            return next(self.left)
        return np.array([next(self.left) for _ in range(size)], dtype=dtype)


def bits_of(number: arb, words: int) -> list[int]:
    """The first bits of a number between 0 and 1, 64 at a time."""
    scaled = int((number * arb(2) ** (64 * words)).floor().unique_fmpz())
    return [(scaled >> (64 * (words - 1 - i))) % 2**64 for i in range(words)]


def naive(choice: Choice, uniform: float) -> int:
    """The usual sampler: doubles, a cumulative sum, one uniform double."""
    limits = np.cumsum(np.exp(float(choice.rate) * (choice.scores - choice.scores.max()).astype(float)))
    return int(min(np.searchsorted(limits, uniform * limits[-1], side="right"), len(limits) - 1))


@pytest.mark.parametrize("place", [0, 1])
def test_a_candidate_whose_weight_underflows_is_drawn_with_its_probability(place: int) -> None:
    # e^-800 is 0 in doubles: the usual sampler never gives it, whatever it draws
    choice, rare = Choice(1, [[-800, 0], [0, -800]][place]), place
    assert math.exp(-800) == 0.0
    assert {naive(choice, uniform) for uniform in (0.0, 2**-53, 0.5, 1 - 2**-53)} == {1 - rare}
    ends, shift = choice._cells
    low, high = (int(ends[rare - 1]) if rare else 0), int(ends[rare])
    assert high - low == 1  # the one integer of its cell is reached with probability 2^-61
    with ctx.workprec(4000):
        scaled = arb(-800).exp() * arb(2) ** shift
        words = bits_of(scaled, 20)
    assert words[:16] == [0] * 16  # e^-800 2^60 is below 2^-1024
    elsewhere = int(ends[0]) // 2 if rare else int(ends[1]) - 2**40
    just_below = [*words[:17], words[17] - 1]
    just_above = [*words[:17], words[17] + 1]
    assert choice.sample(1, Scripted(low, *just_below)).tolist() == [rare]  # type: ignore[arg-type]
    assert choice.sample(1, Scripted(low, *just_above, elsewhere)).tolist() == [1 - rare]  # type: ignore[arg-type]


def test_at_the_end_of_a_cell_the_exact_weight_decides() -> None:
    choice = Choice(Fraction(1, 2), [-1, 0])
    ends, shift = choice._cells
    with ctx.workprec(2000):
        scaled = arb(fmpq(-1, 2)).exp() * arb(2) ** shift
        whole = int(scaled.floor().unique_fmpz())
        words = bits_of(scaled - whole, 3)
    first, other = int(ends[0]), int(ends[0]) + 5
    assert whole < first
    for drawn, more, place in (
        (whole - 1, [], 0),
        (whole, [words[0] - 1], 0),
        (whole, [words[0] + 1, other], 1),
        (whole, [words[0], words[1] - 1], 0),
        (whole, [words[0], words[1], words[2] + 1, other], 1),
        (first - 1, [other], 1),
    ):
        scripted = Scripted(drawn, *more)
        assert choice.sample(1, scripted).tolist() == [place]  # type: ignore[arg-type]
        assert next(scripted.left, None) is None  # no bit more than it took


def test_exact_weights_of_equal_scores_have_whole_cells() -> None:
    choice = Choice(0, [0, 0])
    ends, shift = choice._cells
    last = 2**shift - 1
    assert choice.sample(1, Scripted(last)).tolist() == [0]  # type: ignore[arg-type]
    assert choice.sample(1, Scripted(last + 1, int(ends[0]) + 1)).tolist() == [1]  # type: ignore[arg-type]


def test_draws_have_the_law(rng: np.random.Generator) -> None:
    # null: the cells' frequencies are the law's; level 1e-9 each; power: 1% of a cell of 1/10 is 8 standard errors
    for choice in (
        Choice(Fraction(1, 3), [-3, 0, -1, -1, 2, 0]),
        Choice(0.5, [0.25, -1.5, 0.0], [3, 1, 2]),
        Choice(Fraction(1, 2), -(np.arange(1000) % 7)),
    ):
        size = 600_000
        seen = np.bincount(choice.sample(size, rng), minlength=len(choice.scores))
        expected = size * np.exp(choice.log_probabilities)
        assert ((seen - expected) ** 2 / expected).sum() < chi2.isf(LEVEL, len(seen) - 1)


def test_draws_are_those_of_the_seed_and_one_by_one_or_together_cost_no_more() -> None:
    choice = Choice(Fraction(1, 2), -np.arange(50))
    one, two = (choice.sample(1000, np.random.default_rng(5)) for _ in range(2))
    assert (one == two).all()
    assert choice.sample(0, np.random.default_rng(5)).shape == (0,)


def test_ten_million_candidates_take_no_more_than_a_few_arrays() -> None:
    import tracemalloc

    scores = -(np.arange(10**6) % 1013)
    tracemalloc.start()
    choice = Choice(Fraction(1, 20), scores)
    drawn = choice.sample(1000, np.random.default_rng(1))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert drawn.shape == (1000,)
    assert peak < 4 * 8 * len(scores)  # so 10^7 take 320 MB at most


def test_the_law_of_integer_scores_is_exact_and_of_doubles_states_its_error() -> None:
    law = Choice(Fraction(1, 4), np.array([3, 1], dtype=np.uint8), [1, 5]).law(["a", "b"])
    assert isinstance(law.exact, IntegerScores)
    assert (law.exact.epsilon, law.exact.scores, law.exact.multiplicities) == (Fraction(1, 2), (3, 1), (1, 5))
    assert Choice(1, [0.0, -1.0]).law([0, 1]).error == 2.0**-41
    assert Choice(1, [0.0, -1e9]).law([0, 1]).error > 8e9 * 2.0**-53


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((1, []), "scores must be finite numbers"),
        ((1, [[1, 2]]), "scores must be finite numbers"),
        ((1, [1.0, math.nan]), "scores must be finite numbers"),
        ((1, [1.0, math.inf]), "scores must be finite numbers"),
        ((1, [1.0, 2.0**501]), "of at most 2\\^500 in size"),
        ((1, ["a"]), "scores must be finite numbers"),
        ((1, [True, False]), "scores must be finite numbers"),
        ((-1, [1]), "rate must be a finite number of at least 0, got -1"),
        ((1, [1, 2], [1, 0]), "multiplicities must be integers of at least 1, one per score \\(2\\)"),
        ((1, [1, 2], [1]), "multiplicities must be integers of at least 1, one per score \\(2\\)"),
    ],
)
def test_what_is_no_choice_is_refused(arguments: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        Choice(*arguments)


def test_the_last_bits_of_exponentials_do_not_decide_which_random_bits_are_thrown_away() -> None:
    """They differ between processors: all draws after the first rejection differed too."""
    scores = np.random.default_rng(0).normal(size=50)
    one = Choice(Fraction(1, 7), scores)
    ends, shift = one._cells
    other = Choice(Fraction(1, 7), scores)
    moved = ends + np.arange(1, 51) * 977  # as another rounding of each weight moves them
    other.__dict__["_cells"] = moved, shift
    draws = [choice.sample(20_000, np.random.default_rng(1)).tolist() for choice in (one, other)]
    assert draws[0] == draws[1]
    by_numpy = [np.random.default_rng(1).integers(end, size=20_000).tolist() for end in (ends[-1], moved[-1])]
    places = [np.searchsorted(end, drawn).tolist() for end, drawn in zip((ends, moved), by_numpy, strict=True)]
    assert places[0] != places[1]
