"""Scores and coins as they are given, checked: what is no number or no fair coin is refused in a line."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument

Floats = NDArray[np.float64]
Coins = NDArray[np.bool_]

#: So improbable a number of canaries that are in, or of those that two runs agree on, is not that of fair coins.
UNFAIR = 1e-9
#: Integers beyond this are not told apart by doubles.
WHOLE = 2**53


def checked_scores(scores: Any, included: Any) -> tuple[Floats, Coins]:
    """Scores and coins as tables of shape (runs, m).

    Raises
    ------
    InvalidArgument
        When they are not that, or the coins are not fair, or those of two runs the same.

    Examples
    --------
    >>> checked_scores([0.5, 1.0, 2.0], [0, 1, 1])[0].shape
    (1, 3)
    """
    if _index_of(scores) is not None and _index_of(included) is not None:
        same = _index_of(scores).equals(_index_of(included))
        if not same:
            raise InvalidArgument("included must have the index of scores, got another: align them first")
    table, coins = _numbers(scores), _bits(included)
    if table.ndim == 2 and table.shape[1] == 1:  # a column is one run
        table = table.ravel()
    if coins.ndim == 2 and coins.shape[1] == 1:
        coins = coins.ravel()
    if table.shape != coins.shape:
        raise InvalidArgument(
            f"included must have a coin for each score, got shape {coins.shape} beside scores of shape {table.shape}"
        )
    if table.ndim not in (1, 2) or table.size < 2:
        raise InvalidArgument(f"scores must be of shape (m,) or (runs, m) with at least 2 canaries, got {table.shape}")
    table, coins = np.atleast_2d(table), np.atleast_2d(coins)
    if len(table) > table.shape[1]:
        raise InvalidArgument(
            f"scores must have a row for each run and a column for each canary, got {table.shape[0]:,} rows of "
            f"{table.shape[1]:,}: transpose them"
        )
    if np.isnan(table).all():
        raise InvalidArgument("scores must be numbers, got NaN for every canary")
    _check_fair(coins)
    return table, coins


def _check_fair(coins: Coins) -> None:
    from scipy.stats import binomtest

    count, size = int(coins.sum()), int(coins.size)
    if binomtest(count, size, 0.5).pvalue < UNFAIR:
        raise InvalidArgument(
            f"included must be fair coins, one for each canary, got {count:,} in of {size:,}: "
            "draw them with dpcheck.canaries, or rng.random(m) < 0.5"
        )
    runs, canaries = coins.shape
    level = UNFAIR / max(1, runs * (runs - 1) // 2)
    for one, other in combinations(range(runs), 2):
        agreed = int((coins[one] == coins[other]).sum())
        if binomtest(agreed, canaries, 0.5).pvalue < level:
            raise InvalidArgument(
                f"included must have coins of its own for each run, got runs {one + 1} and {other + 1} that agree on "
                f"{agreed:,} of {canaries:,} canaries: draw each anew (dpcheck.canaries(..., run=1)), the canaries "
                "in one order"
            )


def _index_of(values: Any) -> Any:
    """The index of a pandas column, None of anything else."""
    index = getattr(values, "index", None)
    return index if hasattr(index, "equals") else None


def _numbers(scores: Any) -> Floats:
    wrong = InvalidArgument(f"scores must be numbers, an array of shape (m,) or (runs, m), got {_shown(scores)}")
    if isinstance(scores, np.ma.MaskedArray):
        scores = np.ma.filled(scores.astype(np.float64), np.nan)
    try:
        found = np.asarray(scores)
        if found.dtype == object:
            found = np.asarray(found.tolist())
    except (ValueError, TypeError):
        raise wrong from None
    if found.dtype.kind not in "biuf":
        raise wrong
    if found.dtype.kind in "iu" and found.size and max(-int(found.min()), int(found.max())) > WHOLE:
        found = np.unique(found, return_inverse=True)[1].reshape(found.shape)  # their order is what matters
    return found.astype(np.float64)


def _bits(included: Any) -> Coins:
    try:
        found = np.asarray(included)
        if found.dtype == object:
            found = np.asarray(found.tolist())
    except (ValueError, TypeError):
        found = np.asarray([""])
    if found.dtype.kind == "b":
        return found.astype(np.bool_)
    if found.dtype.kind in "iuf" and np.isin(found, (0, 1)).all():
        return found.astype(np.bool_)
    raise InvalidArgument(f"included must be True or False (or 1 or 0) for each canary, got {_shown(included)}")


def _shown(values: Any) -> str:
    text = " ".join(repr(values).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
