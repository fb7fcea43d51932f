"""Words for counted failures: at every count what the binomial tail says, in fractions, and no level spent twice."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.trial.failures import counted, level_of, word_of_failures
from dpcheck.trial.model import CONTRADICTED_LEVEL, HOLDS_LEVEL, MEANINGS, Word
from dpcheck.trial.relations import word_between

HOLDS, CONTRADICTED = (Fraction(str(level)) for level in (HOLDS_LEVEL, CONTRADICTED_LEVEL))


def tails(trials: int, chance: Fraction) -> list[tuple[Fraction, Fraction]]:
    """The probabilities of at most, and of at least, 0, 1, ... failures."""
    masses = [math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(trials + 1)]
    few = list(itertools.accumulate(masses))
    return [(most, 1 - most + mass) for most, mass in zip(few, masses, strict=True)]


@pytest.mark.parametrize("trials", [0, 1, 7, 40, 90])
@pytest.mark.parametrize("claimed", [Fraction(1, 20), Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)])
def test_every_word_is_that_of_the_exact_tail(trials: int, claimed: Fraction) -> None:
    for failures, (few, many) in enumerate(tails(trials, claimed)):
        for sense, kept, broken in (("at most", few, many), ("at least", many, few)):
            word: Word = "holds" if kept <= HOLDS else "contradicted" if broken <= CONTRADICTED else "undecided"
            assert word_of_failures(failures, trials, float(claimed), sense=sense) == (word, level_of(word))


def test_a_count_that_is_the_best_of_several_pays_for_the_choice() -> None:
    def least(holds: int, contradicted: int) -> tuple[int, int]:
        among = {"holds_among": holds, "contradicted_among": contradicted}
        words = [word_of_failures(failures, 100, 0.1, sense="at most", **among)[0] for failures in range(40)]
        return words.index("undecided"), words.index("contradicted")

    few, many = least(1, 1)
    assert least(30, 1) == (few - 1, many)
    assert least(1, 1000) == (few, many + 4)


def test_only_two_words_can_be_wrong() -> None:
    assert {word: level_of(word) for word in MEANINGS if level_of(word)} == {"holds": 1e-3, "contradicted": 1e-9}


def test_an_outcome_of_trials_has_its_counts_and_what_else_was_found() -> None:
    made = counted("p:x", "c", 1_500, 2_000, 0.1, expected="e", detail="all at once", learner="l", size=7.0)
    assert (made.word, made.level, made.trials, made.expected) == ("contradicted", 1e-9, 2_000, "e")
    assert made.detail.startswith("1,500 of 2,000 trials failed; failure probability in [0.7")
    assert made.detail.endswith(" at level 0.002 (Clopper-Pearson), claimed at most 0.1; all at once")
    kept = counted("p:x", "c", 0, 200, Fraction(1, 10), expected="e", kind="number")
    assert (kept.word, kept.level, kept.expected, kept.kind) == ("holds", 1e-3, "", "number")
    often = counted("p:x", "c", 0, 200, 0.25, sense="at least")
    assert (often.word, often.detail[-21:]) == ("contradicted", "claimed at least 0.25")


@pytest.mark.parametrize("sense", ["above", "below", "around"])
def test_a_failure_probability_is_at_most_or_at_least_what_is_claimed(sense: str) -> None:
    with pytest.raises(InvalidArgument, match="sense must be 'at most' or 'at least'"):
        word_of_failures(0, 10, 0.1, sense=sense)


def test_ends_that_meet_the_limit_keep_what_is_not_strict() -> None:
    senses = ("at most", "below", "at least", "above")
    assert [word_between(1, 2, 2, sense) for sense in senses] == ["holds", "undecided", "undecided", "contradicted"]
    assert [word_between(2, 3, 2, sense) for sense in senses] == ["undecided", "contradicted", "holds", "undecided"]


def test_counts_of_other_libraries_are_counts_and_shares_are_none() -> None:
    assert counted("p:x", "c", np.int64(3), np.int64(200), 0.1) == counted("p:x", "c", 3, 200, 0.1)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match=r"failures must be a whole number, got 0\.5"):
        counted("p:x", "c", 0.5, 200, 0.1)  # type: ignore[arg-type]
