"""Counted failures against a claimed probability: the word for them, how likely it is wrong, and a sentence."""

from __future__ import annotations

import operator
from fractions import Fraction

from dpcheck.model.bounds_shown import within
from dpcheck.model.errors import InvalidArgument
from dpcheck.trial.model import CONTRADICTED_LEVEL, HOLDS_LEVEL, Kind, Outcome, Word
from dpcheck.trial.relations import word_between
from dpcheck.utility.evidence import fixed_interval


def level_of(word: Word) -> float:
    """How likely at most a word that rests on trials is wrong: only two words can be.

    Examples
    --------
    >>> level_of("holds"), level_of("contradicted"), level_of("undecided")
    (0.001, 1e-09, 0.0)
    """
    return {"holds": HOLDS_LEVEL, "contradicted": CONTRADICTED_LEVEL}.get(word, 0.0)


def _count(name: str, number: object) -> int:
    """A whole number of any library as Python's."""
    try:
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidArgument(f"{name} must be a whole number, got {number!r}") from None


def word_of_failures(
    failures: int,
    trials: int,
    claimed: float | Fraction,
    *,
    sense: str = "at most",
    holds_among: int = 1,
    contradicted_among: int = 1,
) -> tuple[Word, float]:
    """What a fixed number of independent trials says of a claimed failure probability, and its level.

    Each word rests on one end of a Clopper-Pearson interval, which has the whole of the word's level.

    Parameters
    ----------
    failures, trials : the count, and of how many
    claimed : the probability
    sense : "at most" or "at least": on which side of it the failure probability is claimed to be
    holds_among, contradicted_among : where the count is one of several, of how many it is the one that speaks most for
        the word: the word pays for the choice

    Raises
    ------
    InvalidArgument
        When the sense is neither.

    Examples
    --------
    >>> word_of_failures(0, 100, 0.1), word_of_failures(0, 10, 0.1), word_of_failures(60, 100, 0.1)
    (('holds', 0.001), ('undecided', 0.0), ('contradicted', 1e-09))
    >>> word_of_failures(30, 30, 0.25, sense="at least"), word_of_failures(0, 100, 0.25, sense="at least")
    (('holds', 0.001), ('contradicted', 1e-09))
    """
    if sense not in ("at most", "at least"):
        raise InvalidArgument(f"sense must be 'at most' or 'at least', got {sense!r}")
    failures, trials = (_count(name, number) for name, number in (("failures", failures), ("trials", trials)))
    # each end of an interval has half of its level
    holds = fixed_interval(failures, trials, 2 * HOLDS_LEVEL / holds_among)
    against = fixed_interval(failures, trials, 2 * CONTRADICTED_LEVEL / contradicted_among)
    low, high = (holds[0], against[1]) if sense == "at least" else (against[0], holds[1])
    word = word_between(low, high, claimed, sense)
    return word, level_of(word)


def failures_in_words(failures: int, trials: int, interval: tuple[float, float], level: float, method: str) -> str:
    """How many trials failed, and what encloses the failure probability, by which method (its words to a comma).

    Examples
    --------
    >>> failures_in_words(3, 1000, (0.001, 0.0083), 0.002, "Clopper-Pearson")
    '3 of 1,000 trials failed; failure probability in [0.001, 0.0083] at level 0.002 (Clopper-Pearson)'
    """
    low, high = interval
    return (
        f"{failures:,} of {trials:,} trials failed; failure probability in {within(low, high)} at level {level:g} "
        f"({method.partition(',')[0]})"
    )


def counted(
    result: str,
    claim: str,
    failures: int,
    trials: int,
    claimed: float | Fraction,
    *,
    sense: str = "at most",
    detail: str = "",
    kind: Kind = "upper bound",
    learner: str = "",
    size: float | None = None,
    expected: str = "",
    contradicted_among: int = 1,
) -> Outcome:
    """The outcome of independent trials, of a number fixed before, of which so many failed.

    Parameters
    ----------
    result, claim, kind, learner, size, expected : as for :class:`~dpcheck.trial.model.Outcome`
    failures, trials, claimed, sense, contradicted_among : as for :func:`word_of_failures`
    detail : what else was found

    Raises
    ------
    InvalidArgument
        When the sense is neither "at most" nor "at least".

    Examples
    --------
    >>> found = counted("p:thm-1", "fails with probability at most 0.1", 0, 100, 0.1)
    >>> found.word, found.detail.partition(" at level")[0]
    ('holds', '0 of 100 trials failed; failure probability in [0, 0.0668]')
    """
    failures, trials = (_count(name, number) for name, number in (("failures", failures), ("trials", trials)))
    word, level = word_of_failures(failures, trials, claimed, sense=sense, contradicted_among=contradicted_among)
    both = 2 * HOLDS_LEVEL
    said = failures_in_words(failures, trials, fixed_interval(failures, trials, both), both, "Clopper-Pearson")
    said += f", claimed {sense} {float(claimed):g}"
    return Outcome(
        word,
        claim,
        f"{said}; {detail}" if detail else said,
        result,
        kind,
        learner=learner,
        size=size,
        level=level,
        expected=expected if word == "contradicted" else "",
        trials=trials,
    )
