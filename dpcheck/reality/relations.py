"""Claims about numbers that are computed, not sampled: relations of fractions, and numbers in rigorous enclosures."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpcheck.errors import InvalidArgument
from dpcheck.reality.model import Kind, Outcome, Word
from dpcheck.theorems.bounds import exact_number


def compared(
    result: str, claim: str, true: bool, detail: str, *, kind: Kind = "number", expected: str = "", learner: str = ""
) -> Outcome:
    """A relation between exact numbers, which is never undecided: its level is 0.

    Parameters
    ----------
    result : id of the registry's entry
    claim, detail : words
    true : whether it holds, decided without rounding
    kind : what kind of claim
    expected : the id of the erratum and why a contradiction is expected
    learner : name of the learner it is about

    Raises
    ------
    InvalidArgument
        When ``true`` is no bool: a float or an enclosure decides nothing.

    Examples
    --------
    >>> compared("mine:lem-1", "1/18 + 1/100 <= 1/17", Fraction(1, 18) + Fraction(1, 100) <= Fraction(1, 17), "").word
    'contradicted'
    """
    if not isinstance(true, bool):
        raise InvalidArgument(f"true must be True or False, got {true!r}")
    word: Word = "holds" if true else "contradicted"
    return Outcome(word, claim, detail, result, kind, learner=learner, expected="" if true else expected)


def enclosed(
    result: str,
    claim: str,
    low: Any,
    high: Any,
    limit: Any,
    *,
    sense: str = "at most",
    detail: str = "",
    kind: Kind = "number",
    expected: str = "",
    learner: str = "",
) -> Outcome:
    """A number that certainly lies in [low, high], against a limit.

    Parameters
    ----------
    result, claim, detail, kind, expected, learner : as in :func:`compared`; ``detail`` names the enclosure by default
    low, high : numbers, the ends of the enclosure
    limit : number; floats by their shortest decimal, as everywhere
    sense : "at most", "below", "at least" or "above"

    Raises
    ------
    InvalidArgument
        When the ends are in the wrong order, or the sense is none of these.

    Examples
    --------
    >>> enclosed("mine:lem-1", "a third is at most 0.34", 0.333, 0.334, 0.34).word
    'holds'
    >>> enclosed("mine:lem-1", "a third is above 0.3333", 0.333, 0.334, 0.3333, sense="above").word
    'undecided'
    """
    first, last, bar = (exact_number(n, v) for n, v in (("low", low), ("high", high), ("limit", limit)))
    if first > last:
        raise InvalidArgument(f"low must be at most high, got {low!r} and {high!r}")
    kept, broken = _sides(sense, first, last, bar)
    word: Word = "holds" if kept else "contradicted" if broken else "undecided"
    told = detail or f"in [{float(first):.6g}, {float(last):.6g}], against {float(bar):g}"
    return Outcome(
        word, claim, told, result, kind, learner=learner, expected=expected if word == "contradicted" else ""
    )


def _sides(sense: str, low: Fraction, high: Fraction, limit: Fraction) -> tuple[bool, bool]:
    if sense == "at most":
        return high <= limit, low > limit
    if sense == "below":
        return high < limit, low >= limit
    if sense == "at least":
        return low >= limit, high < limit
    if sense == "above":
        return low > limit, high <= limit
    raise InvalidArgument(f"sense must be 'at most', 'below', 'at least' or 'above', got {sense!r}")
