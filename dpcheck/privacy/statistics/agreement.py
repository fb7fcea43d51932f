"""Do the learner's forms agree, and are its runs independent? The audit's own game, played at (0, 0).

``sample`` against separate calls: the coin chooses which of the two makes an output. Independence: the coin chooses
whether two outputs come from one run of the learner (one ``sample``, one instance) or from two; what is guessed from
is whether they are equal and how far they are apart. Under agreement no guess beats a fair coin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.evidence import log_evidence
from dpcheck.privacy.statistics.game import Game, Shape, new_game, tally
from dpcheck.privacy.statistics.observations import Observations

#: What a pair of outputs looks like: equal or not, and their distance.
TOGETHER = Shape(2, repeats=True, others=False)


def new_comparison(shape: Shape) -> Game:
    """A game that asks whether two ways of making outputs have one law."""
    return new_game(shape, 0.0, 0.0, boosted=False, wagers=False)


def new_independence() -> Game:
    """A game that asks whether outputs made together are as independent as outputs made apart."""
    return new_game(TOGETHER, 0.0, 0.0, boosted=False, wagers=False)


def mismatch(game: Game) -> float:
    """The logarithm of the evidence against agreement."""
    return log_evidence(tally(game), 0.0, 0.0)


def compared(first: Observations, second: Observations) -> Observations:
    """Two rows of outputs as pairs: equal or not, and the largest distance between their coordinates."""
    equal = (first.tokens == second.tokens).astype(np.float64)
    width = min(first.columns.shape[1], second.columns.shape[1])
    if first.plain is not None:  # columns made from others have no distance of their own
        width = min(width, first.plain)
    with np.errstate(invalid="ignore"):
        gaps = np.abs(first.columns[:, :width] - second.columns[:, :width])
    gap = np.where(np.isnan(gaps), 0.0, gaps).max(axis=1, initial=0.0)
    columns = np.column_stack([equal, gap])
    tokens = equal.astype(np.uint64)
    return Observations(columns, tokens, ["equal" if same else "different" for same in equal.astype(bool)])


def rows(
    seen: Observations, places: NDArray[np.int64], *, all_numbers: bool = False, named: bool = True
) -> Observations:
    """Some rows of observations; with ``all_numbers`` those that a game looks at together too.

    ``named``: whether the answers themselves are kept, to name events.
    """
    named = named and len(seen.answers) == len(seen)
    answers: Sequence[Any] | NDArray[Any] = []
    if named:
        answers = seen.answers[places] if isinstance(seen.answers, np.ndarray) else [seen.answers[i] for i in places]
    wide = seen.wide.rows(places) if all_numbers and seen.wide is not None else None
    columns, tokens, kinds = seen.columns[places], seen.tokens[places], seen.kinds[places]
    return Observations(columns, tokens, answers, kinds, plain=seen.plain, wide=wide)
