"""What became of a claim of beimel2015: decided exactly, or out of reach."""

from __future__ import annotations

from typing import Any

from dpcheck.proof.bounds import Bound, evaluate
from dpcheck.trial.model import Kind, Outcome, Word

#: What measurements say of themselves that drew nothing.
EXACT = "Exact: nothing was sampled. Numbers are integers, fractions, or balls that enclose them."


def result(short: str) -> str:
    """The id of a result of this paper.

    >>> result("lem-4.1")
    'beimel2015:lem-4.1'
    """
    return f"beimel2015:{short}"


def size_named(bound: Bound, **settings: Any) -> int:
    """The size that a bound names at settings, rounded to the safe side."""
    found = evaluate(bound, **settings)
    assert isinstance(found, int)
    return found


def exactly(
    short: str,
    claim: str,
    true: bool,
    detail: str,
    *,
    kind: Kind = "number",
    expected: str = "",
    learner: str = "",
    size: float | None = None,
    measured: float | None = None,
) -> Outcome:
    """A claim that was decided without error: it holds where it is true."""
    return Outcome(
        "holds" if true else "contradicted",
        f"{short}: {claim}",
        detail,
        result(short),
        kind,
        learner=learner,
        size=size,
        measured=measured,
        expected="" if true else expected,
    )


def decided(
    short: str,
    claim: str,
    at_most: bool | None,
    detail: str,
    *,
    kind: Kind = "number",
    expected: str = "",
    learner: str = "",
    size: float | None = None,
    measured: float | None = None,
) -> Outcome:
    """A claim about numbers in balls: ``at_most`` is None where these do not tell."""
    if at_most is not None:
        return exactly(
            short, claim, at_most, detail, kind=kind, expected=expected, learner=learner, size=size, measured=measured
        )
    told = f"{detail}; the enclosures overlap"
    return Outcome("undecided", f"{short}: {claim}", told, result(short), kind, learner=learner)


def out_of_reach(
    short: str,
    claim: str,
    sizes: str,
    instead: str,
    word: Word,
    *,
    kind: Kind = "upper bound",
    learner: str = "",
    size: float | None = None,
    level: float = 0.0,
    trials: int = 0,
) -> Outcome:
    """A claim whose own sizes cannot be run, with the check that was made in place of it."""
    return Outcome(
        "not reachable",
        f"{short}: {claim}",
        f"its own size cannot be run: {sizes}",
        result(short),
        kind,
        instead,
        word,
        learner,
        size,
        level=level,
        trials=trials,
    )


def below(left: Any, right: Any) -> bool | None:
    """Whether one number in balls or fractions is at most another; None where enclosures overlap."""
    if left <= right:
        return True
    return False if left > right else None
