"""A learned score in words: the formula of a linear one, its heaviest terms first, so that a reader can compute it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpcheck.privacy.statistics.bank import Guesses, words_of
from dpcheck.privacy.statistics.distances import DistanceScore
from dpcheck.privacy.statistics.scores import Floats, LinearScore, Score

#: Terms that are written out; the others are counted.
MOST_TERMS = 3


def formula(score: LinearScore, name: Callable[[int], str], most: int = MOST_TERMS) -> str:
    """A linear score as a sum over coordinates, those that move it most first.

    Parameters
    ----------
    score : LinearScore
    name : function
        A coordinate's place to its name.
    most : int
        How many terms are written out.

    Examples
    --------
    >>> score = LinearScore(np.zeros(2), np.array([1.0, 2.0]), np.array([3.0, -1.0]), 0.5)
    >>> formula(score, lambda place: f"output[{place}]")
    '0.5 + 3 output[0] - 0.5 output[1]'
    """
    heaviest = [int(place) for place in np.argsort(-np.abs(score.slope), kind="stable") if score.slope[place] != 0]
    shown = heaviest[:most]
    constant = score.offset - float((score.slope * score.centre / score.spread)[shown].sum())
    words = f"{constant:.4g}"
    for place in shown:
        factor = score.slope[place] / score.spread[place]
        words += f" {'-' if factor < 0 else '+'} {abs(factor):.4g} {_factor(name(place))}"
    rest = len(heaviest) - len(shown)
    if not rest:
        return words
    lighter = f"{rest} term{'s' if rest > 1 else ''} of less weight, not shown"
    return f"{words} + {lighter} (each is 0 where its coordinate is at its median)"


def _factor(name: str) -> str:
    """A coordinate's name as a factor; what may or may not be there counts 1 where it is."""
    return f"({name})" if " " in name else name


def score_words(
    kind: str, score: Score | None, guesses: Guesses, edges: Floats, name: Callable[[int], str]
) -> tuple[str, str]:
    """The event of a rule that bets on a learned score, and what it guesses where.

    Parameters
    ----------
    kind : str
        What the score is called.
    score : Score or None
        As it was fitted last; None where it is not known.
    guesses, edges : arrays
        The rule's guess in each bin of the score, and where the bins end.
    name : function
        A coordinate's place to its name.
    """
    sides = [side for side in (1, -1) if (np.sign(guesses) == side).any()]
    texts = {side: words_of(guesses, edges, "s", side) for side in sides}
    if len(texts) == 2:
        event, direction = (
            f"{texts[1]} (likelier on D) or {texts[-1]} (likelier on D')",
            "likelier on the dataset named",
        )
    else:
        side = sides[0] if sides else 1
        event, direction = texts.get(side, "s"), "likelier on D" if side == 1 else "likelier on D'"
    if isinstance(score, LinearScore):
        return f"{event}, where s = {formula(score, name)}", direction
    if isinstance(score, DistanceScore):
        far = "how far all coordinates together lie from the middles of earlier outputs on D and on D'"
        return f"{event}, where s is the log-likelihood ratio by {far}", direction
    return (
        f"{event}, where s is the log-likelihood ratio by {kind} of all coordinates, fitted to earlier outputs",
        direction,
    )
