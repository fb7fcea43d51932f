"""Outputs in which a few codes fill most places, as a sparse vector's do: told apart by code, place and what is left.

A column that holds -1 for "not asked", or a number where there is one and a code elsewhere, is neither a number nor a
category; its parts are. The log-odds are a logistic regression on them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.scores import Score

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
STEPS = 12


@dataclass(frozen=True)
class Parts:
    """How outputs are taken apart: their codes, and the bends of the sum of the rest; NaN counts as a code."""

    codes: Floats
    bends: Floats
    width: int

    def pooled(self, columns: Floats) -> Floats:
        """Per code its count, then number and sum of the rest, and the sum beyond its bends, shape (n, f)."""
        padded, found = self._found(columns)
        rest = ~np.logical_or.reduce(found)
        total = np.where(rest & np.isfinite(padded), padded, 0.0).sum(axis=1, keepdims=True)
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
        return np.concatenate([pooled, *self._found(columns)[1]], axis=1)

    def _found(self, columns: Floats) -> tuple[Floats, list[NDArray[np.bool_]]]:
        """The columns that are taken apart, and where each code stands (NaN first)."""
        padded = np.full((len(columns), self.width), np.nan)
        padded[:, : min(columns.shape[1], self.width)] = columns[:, : self.width]
        return padded, [np.isnan(padded), *(padded == code for code in self.codes)]


def fit_parts(columns: Floats) -> Parts | None:
    """The codes of past outputs; None when there are none.

    Examples
    --------
    >>> fit_parts(np.array([[0.0, 0.0, 3.5], [0.0, 2.5, -1.0], [1.5, -1.0, -1.0]])).codes.tolist()
    [-1.0, 0.0]
    >>> fit_parts(np.random.default_rng(0).normal(size=(9, 3))) is None
    True
    """
    few = columns[:LOOKED_AT]
    values, times = np.unique(few[np.isfinite(few)], return_counts=True)
    common = times >= max(2.0, COMMON * few.size)
    if not common.any():
        return None
    most = np.argsort(-times[common], kind="stable")[:MOST_CODES]
    codes = np.sort(values[common][most])
    found = Parts(codes, np.zeros(0), columns.shape[1])
    total = found.pooled(columns)[:, -1]
    known = total[total != 0.0]
    bends = np.unique(np.quantile(known, BENDS)) if len(known) > len(BENDS) else np.zeros(0)
    return Parts(codes, bends, columns.shape[1])


@dataclass(frozen=True)
class PartsScore:
    """Logistic regression on the parts."""

    parts: Parts
    centre: Floats
    spread: Floats
    slope: Floats

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
    """Ridge-regularised logistic regression, by Newton's method."""
    features = parts.indicators(columns)
    centre, spread = features.mean(axis=0), features.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    sized = np.column_stack([np.ones(len(features)), (features - centre) / spread])
    slope = np.zeros(sized.shape[1])
    for _ in range(STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(sized @ slope, -30.0, 30.0)))
        hessian = sized.T @ (sized * (p * (1.0 - p))[:, None]) + RIDGE * np.eye(len(slope))
        step = np.linalg.solve(hessian, sized.T @ (coins - p) - RIDGE * slope)
        slope = slope + step
        if float(np.abs(step).max()) < 1e-5:
            break
    return PartsScore(parts, centre, spread, slope)
