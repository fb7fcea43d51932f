"""Outputs in which a few codes fill most places, as a sparse vector's do: told apart by code, place and what is left.

A column that holds -1 for "not asked", or a number where there is one and a code elsewhere, is neither a number nor a
category; its parts are. The log-odds are a logistic regression on them, and boosted trees that see them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.scores import Score, boosting_installed, fit_boosted, fit_logistic

Floats = NDArray[np.float64]

#: A value that fills at least this part of all places is a code; at most so many codes are told apart.
COMMON, MOST_CODES = 0.05, 4
#: Outputs looked at to find the codes.
LOOKED_AT = 2000
#: More indicators than this (places times codes) are not formed: what is left are counts and sums.
MOST_INDICATORS = 128
#: Where the sum of what is not a code may bend, as quantiles.
BENDS = (0.1, 0.3, 0.5, 0.7, 0.9)
#: The penalty of a squared coefficient (of features of size 1): a few outputs' worth.
RIDGE = 1.0
#: Numbers farther out count as this: squares of their sums are still doubles.
LARGEST = 1e100
#: Of a game's past, scores of the parts learn from the first so many outputs (events of codes are rare: trees that saw
#: 5,000 miss them); before that, from a half of them, a quarter, ... It is what a game keeps over the growth for which
#: it waits before it fits anew: so it is always reached.
MOST_LEARNED = 16_000
#: Past outputs, and outputs on each dataset, below which nothing is taken apart.
LEAST_LEARNED, LEAST_EACH = 125, 25
#: Names of the scores of the parts.
NAMES = ("a score of the codes and numbers", "boosted trees of the codes and numbers")


@dataclass(frozen=True)
class Parts:
    """How outputs are taken apart: their codes, and the bends of the sum of the rest; NaN counts as a code."""

    codes: Floats
    bends: Floats
    width: int

    def pooled(self, columns: Floats) -> Floats:
        """Per code its count, then number and sum of the rest, and the sum beyond its bends, shape (n, f)."""
        padded, found = self._width_and_codes(columns)
        rest = ~np.logical_or.reduce(found)
        numbers = np.where(rest & np.isfinite(padded), np.clip(padded, -LARGEST, LARGEST), 0.0)
        total = numbers.sum(axis=1, keepdims=True)
        counts = [hit.sum(axis=1, keepdims=True) for hit in found]
        parts = [*counts, rest.sum(axis=1, keepdims=True), np.maximum(0.0, total - self.bends), total]
        return np.concatenate(parts, axis=1).astype(np.float64)

    def indicators(self, columns: Floats) -> Floats:
        """The pooled features, their products, and where each code stands, shape (n, f)."""
        pooled = self.pooled(columns)
        codes = len(self.codes) + 1
        # what a number says may depend on how many codes came before it
        both = pooled[:, 1:codes, None] * pooled[:, None, codes + 1 :]
        pooled = np.concatenate([pooled, both.reshape(len(pooled), both.shape[1] * both.shape[2])], axis=1)
        if self.width * (len(self.codes) + 1) > MOST_INDICATORS:
            return pooled
        return np.concatenate([pooled, *self._width_and_codes(columns)[1]], axis=1)

    def _width_and_codes(self, columns: Floats) -> tuple[Floats, list[NDArray[np.bool_]]]:
        """The columns that are taken apart, and where each code stands (NaN first)."""
        padded = np.full((len(columns), self.width), np.nan)
        padded[:, : min(columns.shape[1], self.width)] = columns[:, : self.width]
        return padded, [np.isnan(padded), *(padded == code for code in self.codes)]


def codes_of(columns: Floats) -> Floats:
    """The values that fill many places and come again in another output, sorted: the most frequent where many do.

    Examples
    --------
    >>> codes_of(np.array([[-1.0, -1.0, 3.5], [-1.0, 2.5, 2.5]])).tolist()
    [-1.0]
    """
    few = columns[:LOOKED_AT]
    values, times = np.unique(few[np.isfinite(few)], return_counts=True)
    common = times >= max(2.0, COMMON * few.size)
    values, times = values[common], times[common]
    again = np.array([(few == value).any(axis=1).sum() >= 2 for value in values], dtype=bool)
    values, times = values[again], times[again]
    most = np.argsort(-times, kind="stable")[:MOST_CODES]
    return np.sort(values[most])


def holds_codes(columns: Floats) -> bool:
    """Whether some places hold codes and others numbers that are none.

    Outputs of nothing but codes have counts and places, which rules on single coordinates and their sums see.

    Examples
    --------
    >>> holds_codes(np.array([[0.0, 2.5], [0.0, 3.5]])), holds_codes(np.array([[0.0, 1.0], [1.0, 0.0]]))
    (True, False)
    """
    codes = codes_of(columns)
    return len(codes) > 0 and bool((np.isfinite(columns) & ~np.isin(columns, codes)).any())


def fit_parts(columns: Floats) -> Parts | None:
    """The codes of past outputs; None when there are none.

    Examples
    --------
    >>> fit_parts(np.array([[0.0, 0.0, 3.5], [0.0, 2.5, -1.0], [1.5, -1.0, -1.0]])).codes.tolist()
    [-1.0, 0.0]
    >>> fit_parts(np.random.default_rng(0).normal(size=(9, 3))) is None
    True
    """
    codes = codes_of(columns)
    if len(codes) == 0:
        return None
    found = Parts(codes, np.zeros(0), columns.shape[1])
    total = found.pooled(columns)[:, -1]
    known = total[total != 0.0]
    bends = np.unique(np.quantile(known, BENDS)) if len(known) > len(BENDS) else np.zeros(0)
    return Parts(codes, bends, columns.shape[1])


@dataclass(frozen=True)
class PartsScore:
    """Logistic regression on the parts, learned from ``past`` outputs."""

    parts: Parts
    centre: Floats
    spread: Floats
    slope: Floats
    past: int

    def log_odds(self, columns: Floats) -> Floats:
        """The log-odds, per row."""
        sized = (self.parts.indicators(columns) - self.centre) / self.spread
        return np.asarray(sized @ self.slope[1:] + self.slope[0])


@dataclass(frozen=True)
class TakenApart:
    """A score of the columns with their parts beside them."""

    parts: Parts
    score: Score

    def log_odds(self, columns: Floats) -> Floats:
        """The log-odds, per row."""
        return self.score.log_odds(beside(columns, self.parts))


def beside(columns: Floats, parts: Parts) -> Floats:
    """The columns with the pooled features before them."""
    return np.concatenate([parts.pooled(columns), columns], axis=1)


def fit_parts_score(parts: Parts, columns: Floats, coins: NDArray[np.int8]) -> PartsScore:
    """Ridge-regularised logistic regression on the parts."""
    features = parts.indicators(columns)
    centre, spread = features.mean(axis=0), features.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    slope = fit_logistic((features - centre) / spread, coins, RIDGE)
    return PartsScore(parts, centre, spread, slope, len(coins))


def part_names(boosted: bool) -> tuple[str, ...]:
    """The scores of the parts that a bank has: fixed before the first call."""
    return NAMES if boosted and boosting_installed() else NAMES[:1]


def fit_part_scores(
    columns: Floats, coins: NDArray[np.int8], *, boosted: bool, known: tuple[Score, ...] = ()
) -> tuple[Score, ...]:
    """Fit every score of :func:`part_names` to past outputs; none while there are few, or where they hold no codes.

    They learn from :func:`learned_from` outputs, so that the ``known`` ones stay until twice as many are there, and
    all fits together cost two of the last. They are functions of the past alone.
    """
    past = learned_from(len(coins))
    if known and isinstance(known[0], PartsScore) and known[0].past == past:
        return known
    columns, coins = columns[:past], coins[:past]
    left = int(coins.sum())
    parts = fit_parts(columns) if min(left, past - left) >= LEAST_EACH else None
    if parts is None:
        return ()
    score = fit_parts_score(parts, columns, coins)
    if len(part_names(boosted)) == 1:
        return (score,)
    return score, TakenApart(parts, fit_boosted(beside(columns, parts), coins))


def learned_from(past: int) -> int:
    """Of how many past outputs scores of the parts are made.

    >>> [learned_from(past) for past in (100, 300, 15_999, 16_000, 10**6)]
    [0, 250, 8000, 16000, 16000]
    """
    learned = MOST_LEARNED
    while learned > past:
        learned //= 2
    return learned if learned >= LEAST_LEARNED else 0
