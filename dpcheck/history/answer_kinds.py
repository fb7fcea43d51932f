"""What kinds of answers there are, in words: exceptions by type, None, NaN, and types."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from dpcheck.execution.answers import Opaque, Portrait, Raised
from dpcheck.model.harmless import one_line
from dpcheck.privacy.statistics.game import Batch
from dpcheck.privacy.statistics.observations import Warned

#: What the kind of an exception begins with.
RAISES = "raises "
#: Kinds that answer as little as an exception does.
NOTHING = ("None", "NaN")
#: Kinds beyond so many are counted together, and so long are their names.
MOST_KINDS, LONGEST = 24, 60
OTHERS = "any other kind"


def kind_of(answer: Any) -> str:
    """The kind of one answer.

    >>> kind_of(1.5), kind_of(float("nan")), kind_of(None), kind_of(Raised("ValueError", "no"))
    ('float', 'NaN', 'None', 'raises ValueError')
    """
    if type(answer) is Warned:
        answer = answer.answer
    if type(answer) is Raised:
        return one_line(RAISES + answer.kind)[:LONGEST]
    if answer is None:
        return "None"
    if isinstance(answer, float | np.floating) and math.isnan(answer):
        return "NaN"
    if type(answer) in (Opaque, Portrait):
        return one_line(answer.kind)[:LONGEST]
    kind = type(answer)
    return one_line(kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}")[:LONGEST]


def gives_nothing(kind: str) -> bool:
    """Whether a kind is no answer: an exception, None, NaN.

    >>> gives_nothing("raises ValueError"), gives_nothing("None"), gives_nothing("NoneType of mine")
    (True, True, False)
    """
    return kind.startswith(RAISES) or kind in NOTHING


def kinds_of(batch: Batch) -> tuple[Counter[str], Counter[str]]:
    """How many answers are of each kind, on D and on D'."""
    answers, coins = batch.seen.answers, batch.coins
    found = []
    for side in (1, 0):
        if isinstance(answers, np.ndarray):  # numbers of one type, or arrays of one shape: alike but for NaN
            part = answers[coins == side]
            kind = batch.seen.packed or ("numpy.ndarray" if part.ndim > 1 else f"numpy.{part.dtype.type.__name__}")
            lost = int(np.isnan(part).sum()) if part.ndim == 1 and part.dtype.kind == "f" else 0
            found.append(Counter({kind: len(part) - lost, "NaN": lost}))
        else:
            found.append(Counter(kind_of(answers[place]) for place in np.flatnonzero(coins == side).tolist()))
    return found[0], found[1]


def known_kinds(batch: Batch) -> tuple[str, ...]:
    """The most frequent kinds of a batch, which is learned from and never counted."""
    on_left, on_right = kinds_of(batch)
    return tuple(kind for kind, _ in (on_left + on_right).most_common(MOST_KINDS))


def table_of_kinds(
    known: Iterable[str], on_left: Mapping[str, int], on_right: Mapping[str, int]
) -> dict[str, tuple[int, int]]:
    """Counts on D and on D' of known kinds, and of all others together.

    >>> table_of_kinds(["float"], {"float": 3}, {"float": 2, "None": 1})
    {'any other kind': (0, 1), 'float': (3, 2)}
    """
    table = {kind: (on_left.get(kind, 0), on_right.get(kind, 0)) for kind in sorted({*known} - {OTHERS})}
    rest = [sum(side.values()) - sum(side.get(kind, 0) for kind in table) for side in (on_left, on_right)]
    return {OTHERS: (rest[0], rest[1])} | table
