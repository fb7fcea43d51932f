"""The wager of a feature: from past outputs to the bets on the next ones.

Several tables estimate how likely the coin chose D, given the bin of an output. They are averaged with the weights that
their past forecasts earned (each look's, made before it was seen: the Bayesian mean under a uniform prior over tables).
The bets are those that grow fastest where the mean is true (:func:`dpcheck.privacy.statistics.wagers.best_bets`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.bank import posteriors
from dpcheck.privacy.statistics.cuttings import REACH, over_cuttings, prior_strength
from dpcheck.privacy.statistics.wagers import BET_LEVELS, NO_TERMS, Bets, best_bets

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Forecasts are kept this far from 0 and 1 when they are scored: no table is ruled out for good by one output.
SURE = 1e-3
#: The table of :mod:`dpcheck.privacy.statistics.cuttings`; others are those of the bank.
CUTTINGS = "cuttings"
#: The bank's tables that forecast for a wager: quantile tables are among the cuttings, cautious ones are for rules.
FORECASTING = ("linear", "rising", "falling", "score", "each", "spikes")
#: Forecasts of tables other than the cuttings are kept within so much above a small claim.
LEAST_CLIPPED = 0.5
#: Log-odds beyond this are as good as certain.
FARTHEST = 30.0


@dataclass(frozen=True)
class Wager:
    """A feature's wager: its weight among all, its tables with the log-loss of their forecasts, the bets, their wealth.

    ``forecasts`` (T, B), ``levels`` (B,): of the bins as they are now. Half precision is more than forecasts have, and
    a record holds them.
    """

    weight: float
    tables: tuple[str, ...]
    losses: Floats
    forecasts: NDArray[np.float16]
    levels: NDArray[np.int8]
    terms: tuple[int, int, int]
    bets: Bets

    @staticmethod
    def new(weight: float, tables: tuple[str, ...]) -> Wager:
        """A wager before its first call."""
        nothing = np.zeros((len(tables), 0), np.float16)
        return Wager(weight, tables, np.zeros(len(tables)), nothing, np.zeros(0, np.int8), NO_TERMS, Bets.none())

    @property
    def born(self) -> bool:
        """Whether it bets."""
        return len(self.levels) > 0

    def with_bets(self, bets: Bets) -> Wager:
        """The same bets on what comes, with this past."""
        return replace(self, bets=bets)

    def settled(self, hits: Integers) -> Wager:
        """After outputs in these bins, (B, 2) by coin, were bet on."""
        counts = np.zeros((2 * BET_LEVELS + 1, 2), np.int64)
        np.add.at(counts, self.levels.astype(np.int64) + BET_LEVELS, hits)
        return replace(self, bets=self.bets.and_also(self.terms, counts))

    def scored(self, hits: Integers) -> Wager:
        """With the forecasts of these outputs judged."""
        if not self.born:
            return self
        told = np.clip(self.forecasts.astype(np.float64), SURE, 1.0 - SURE)
        return replace(self, losses=self.losses - np.log(told) @ hits[:, 1] - np.log1p(-told) @ hits[:, 0])

    def fitted(self, histogram: Integers, centres: Floats, epsilon: float, delta: float) -> Wager:
        """With the bets for what is now known of the past."""
        left, right = histogram[:, 1].astype(np.float64), histogram[:, 0].astype(np.float64)
        forecasts = np.stack([_forecast(table, histogram, centres, epsilon, delta) for table in self.tables])
        earned = np.exp(self.losses.min() - self.losses)
        mean = (earned / earned.sum()) @ forecasts
        mass = left + right
        mass = (mass + 1.0 / len(mass)) / (mass.sum() + 1.0)
        p, q = mass * mean, mass * (1.0 - mean)
        levels, terms = best_bets(p / p.sum(), q / q.sum(), epsilon, delta)
        return replace(self, forecasts=forecasts.astype(np.float16), levels=levels, terms=terms)


def _forecast(table: str, histogram: Integers, centres: Floats, epsilon: float, delta: float) -> Floats:
    """The probability of D per bin by one table; the last bin, of what is no number, is next to none."""
    if table != CUTTINGS:
        found = posteriors(table, histogram, centres)
        if delta > 0.0:
            return found
        # without delta no output says more than the loss, which may be above what is claimed but not by far
        least = 1.0 / (1.0 + math.exp(min(max(REACH * epsilon, epsilon + LEAST_CLIPPED), FARTHEST)))
        return np.clip(found, least, 1.0 - least)
    left, right = histogram[:, 1].astype(np.float64), histogram[:, 0].astype(np.float64)
    prior = prior_strength(epsilon)
    last = (left[-1:] + prior) / (left[-1:] + right[-1:] + 2.0 * prior)
    return np.concatenate([over_cuttings(left[:-1], right[:-1], prior), last])
