"""Claims about numbers that are computed, not sampled: relations of fractions, and numbers in rigorous enclosures."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.bounds import exact_number
from dpcheck.proof.instances import Enumeration
from dpcheck.trial.model import Kind, Outcome, Word


def decided(left: Any, sense: str, right: Any) -> bool | None:
    """Whether one number stands in a relation to another; None where their enclosures overlap and do not tell.

    A ball's own ``<=`` is False where it cannot tell, which is no refutation: this asks both sides.

    Parameters
    ----------
    left, right : numbers (floats by their shortest decimal), flint balls, or enclosures with ``low`` and ``high``
    sense : "at most", "below", "at least" or "above"

    Raises
    ------
    InvalidArgument
        When the sense is none of these, or a number is none.

    Examples
    --------
    >>> import flint
    >>> from fractions import Fraction
    >>> third = flint.arb(1) / 3
    >>> decided(third, "at most", Fraction(1, 2)), decided(third, "above", 1), decided(third, "at most", third)
    (True, False, None)
    """
    (low, high), (least, most) = _ends("left", left), _ends("right", right)
    if any(hasattr(end, "rad") for end in (low, least)):
        low, high, least, most = (_ball(end) for end in (low, high, least, most))
    if sense in ("at least", "above"):
        low, high, least, most = least, most, low, high
    elif sense not in ("at most", "below"):
        raise InvalidArgument(f"sense must be 'at most', 'below', 'at least' or 'above', got {sense!r}")
    strict = sense in ("below", "above")
    if bool(high < least) if strict else bool(high <= least):
        return True
    return False if (bool(low >= most) if strict else bool(low > most)) else None


def all_true(found: Iterable[bool | None]) -> bool | None:
    """Whether all are true; None where none is false and some are not known.

    Examples
    --------
    >>> all_true([True, None]), all_true([True, None, False]), all_true([])
    (None, False, True)
    """
    known = list(found)
    return False if False in known else None if None in known else True


def compared(
    result: str,
    claim: str,
    true: bool | None,
    detail: str,
    *,
    kind: Kind = "number",
    expected: str = "",
    learner: str = "",
) -> Outcome:
    """A relation between numbers that was decided without rounding, or that enclosures leave open: its level is 0.

    Parameters
    ----------
    result : id of the registry's entry
    claim, detail : words
    true : whether it holds; None where that is open: enclosures overlap (:func:`decided`)
    kind : what kind of claim
    expected : the id of the erratum and why a contradiction is expected
    learner : name of the learner it is about

    Raises
    ------
    InvalidArgument
        When ``true`` is neither a bool nor None: a float or an enclosure decides nothing.

    Examples
    --------
    >>> from fractions import Fraction
    >>> compared("mine:lem-1", "1/18 + 1/100 <= 1/17", Fraction(1, 18) + Fraction(1, 100) <= Fraction(1, 17), "").word
    'contradicted'
    >>> compared("mine:lem-1", "two balls that overlap", None, "").word
    'undecided'
    """
    if not (true is None or isinstance(true, bool)):
        raise InvalidArgument(f"true must be True, False or None, got {true!r}")
    if true is None:
        told = f"{detail}: this decides nothing" if detail else "this decides nothing"
        return Outcome("undecided", claim, told, result, kind, learner=learner)
    word: Word = "holds" if true else "contradicted"
    return Outcome(word, claim, detail, result, kind, learner=learner, expected="" if true else expected)


def refuted_by(
    result: str,
    claim: str,
    instance: Enumeration,
    shown: str = "",
    *,
    kind: Kind = "number",
    expected: str = "",
    learner: str = "",
) -> Outcome:
    """A claim that an instance of the registry contradicts, computed again.

    An instance that does not refute a claim does not show it either: then the word is "undecided".

    Parameters
    ----------
    result, claim, kind, expected, learner : as in :func:`compared`
    instance : which cases it is made of, and why it shows nothing where it does not
    shown : what it shows, before its cases

    Examples
    --------
    >>> found = refuted_by("mine:thm-1", "for every n", Enumeration("n = 1", 1), "it errs", expected="n = 1")
    >>> found.word, found.detail
    ('contradicted', 'it errs (n = 1)')
    >>> refuted_by("mine:thm-1", "for every n", Enumeration("n = 1", 1, "equal"), "it errs").word
    'undecided'
    """
    if instance.failure:
        told = f"the instance shows nothing: {instance.failure}"
        return Outcome("undecided", claim, told, result, kind, learner=learner)
    detail = f"{shown} ({instance.family})" if shown else instance.family
    return compared(result, claim, False, detail, kind=kind, expected=expected, learner=learner)


def word_between(low: Any, high: Any, limit: Any, sense: str = "at most") -> Word:
    """The word for a number that lies between two ends, against a limit.

    Parameters
    ----------
    low, high, limit : numbers that can be compared with each other
    sense : "at most", "below", "at least" or "above"

    Raises
    ------
    InvalidArgument
        When the sense is none of these.

    Examples
    --------
    >>> word_between(0.1, 0.2, 0.2), word_between(0.1, 0.2, 0.15), word_between(0.1, 0.2, 0.3, "at least")
    ('holds', 'undecided', 'contradicted')
    """
    if sense == "at most":
        kept, broken = high <= limit, low > limit
    elif sense == "below":
        kept, broken = high < limit, low >= limit
    elif sense == "at least":
        kept, broken = low >= limit, high < limit
    elif sense == "above":
        kept, broken = low > limit, high <= limit
    else:
        raise InvalidArgument(f"sense must be 'at most', 'below', 'at least' or 'above', got {sense!r}")
    return "holds" if kept else "contradicted" if broken else "undecided"


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
    word = word_between(first, last, bar, sense)
    told = detail or f"in [{float(first):.6g}, {float(last):.6g}], against {float(bar):g}"
    return Outcome(
        word, claim, told, result, kind, learner=learner, expected=expected if word == "contradicted" else ""
    )


def _ends(name: str, value: Any) -> tuple[Any, Any]:
    """The ends of an enclosure; a ball is both, since its comparisons are certain when they are true."""
    if hasattr(value, "rad"):
        return value, value
    if hasattr(value, "low") and hasattr(value, "high"):
        return value.low, value.high
    number = exact_number(name, value)
    return number, number


def _ball(value: Any) -> Any:
    from flint import arb, fmpq

    return value if hasattr(value, "rad") else arb(fmpq(value.numerator, value.denominator))
