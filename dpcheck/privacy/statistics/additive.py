"""A score that adds up what each coordinate says by itself: right where coordinates carry noise of their own.

Boosted trees are steps, which blur the plateau that Laplace noise leaves its log-odds on; a linear score has none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.bank import Bins, centres_of, fit_bins, repeated_values, value_sums
from dpcheck.privacy.statistics.smooth import fit_curve

Floats = NDArray[np.float64]

#: Coordinates beyond these are left to other scores.
MOST_ADDED = 64
#: A coordinate counts only by what it says beyond so many standard errors: many that say nothing must not add up.
BEYOND = 1.0


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
    """Fit the curve of every coordinate to past outputs, each shrunk by its standard errors.

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
        curve = fit_curve(histogram, centres, repeated_values(bins), "broken line")
        sure = np.sign(curve.log_odds) * np.maximum(0.0, np.abs(curve.log_odds) - BEYOND * curve.errors)
        fitted.append(bins)
        tables.append(sure)
    return AdditiveScore(tuple(fitted), tuple(tables))
