"""A score that adds up what each coordinate says by itself: right where coordinates carry noise of their own.

Boosted trees are steps, which blur the plateau that Laplace noise leaves its log-odds on; a linear score has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.bank import Bins, centres_of, fit_bins, repeated_values, value_sums
from dpcheck.privacy.statistics.ordered_posteriors import by_number
from dpcheck.privacy.statistics.posterior import shrunken_answers

Floats = NDArray[np.float64]

#: Coordinates beyond these are left to other scores.
MOST_ADDED = 64


@dataclass(frozen=True)
class AdditiveScore:
    """Log-odds per bin of each coordinate, that are added."""

    bins: tuple[Bins, ...]
    tables: tuple[Floats, ...]

    def log_odds(self, columns: Floats) -> Floats:
        """The log-odds that D was drawn, per row of ``columns`` (n, d); missing coordinates say nothing."""
        total = np.zeros(len(columns))
        for j, (bins, table) in enumerate(zip(self.bins, self.tables, strict=True)):
            if j < columns.shape[1] and table.any():
                total += table[bins.place(columns[:, j])]
        return total


def fit_additive(columns: Floats, coins: NDArray[np.int8]) -> AdditiveScore:
    """Fit the log-odds of every coordinate to past outputs: their posterior, drawn towards what all of them share.

    Examples
    --------
    >>> rng = np.random.default_rng(0); coins = rng.integers(0, 2, 5_000).astype(np.int8)
    >>> columns = rng.laplace(size=(5_000, 3)); columns[:, :2] += coins[:, None]
    >>> score = fit_additive(columns, coins)
    >>> one, other = score.log_odds(np.array([[3.0, 3.0, 0.0], [-2.0, -2.0, 0.0]]))
    >>> bool(one > 1.2), bool(other < -1.2)
    (True, True)
    """
    fitted: list[Bins] = []
    tables: list[Floats] = []
    for j in range(min(columns.shape[1], MOST_ADDED)):
        bins = fit_bins(columns[:, j])
        places = bins.place(columns[:, j])
        histogram = np.bincount(2 * places + coins, minlength=2 * bins.count).reshape(bins.count, 2)
        centres = centres_of(bins, histogram, value_sums(places, columns[:, j], bins.count))
        models = by_number(histogram, centres, repeated_values(bins), few=True, pieces=False)
        best = max([*models, shrunken_answers(histogram)], key=lambda model: model.evidence)
        fitted.append(bins)
        seen = histogram.sum(axis=1) > 0  # what was never seen says nothing
        tables.append(np.where(seen, best.log_odds, 0.0))
    return AdditiveScore(tuple(fitted), tuple(tables))
