"""The wager of a feature: from past outputs to the bets on the next ones.

Several tables estimate how likely the coin chose D, given the bin of an output. They are averaged with the weights that
their past forecasts earned (each look's, made before it was seen: the Bayesian mean under a uniform prior over tables).
The bets are those that grow fastest where the mean is true (:func:`dpcheck.privacy.statistics.wagers.best_bets`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

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


def all_fitted(
    wagers: Sequence[Wager],
    histograms: Integers,
    told: Mapping[str, Floats],
    epsilon: float,
    delta: float,
) -> list[Wager]:
    """Wagers on the same tables, each with the bets for what is now known of its feature's past.

    Parameters
    ----------
    wagers : F of them
    histograms : integers, shape (F, B, 2)
        Past outputs per bin on D' and on D.
    told : table to probabilities of D per bin, shape (F, B)
        What the bank's tables say (:func:`dpcheck.privacy.statistics.bank.posteriors`).
    epsilon, delta : float
        The claim at stake.
    """
    left, right = histograms[:, :, 1].astype(np.float64), histograms[:, :, 0].astype(np.float64)
    forecasts = np.stack([_forecast(table, histograms, told, epsilon, delta) for table in wagers[0].tables], axis=1)
    losses = np.stack([wager.losses for wager in wagers])
    earned = np.exp(losses.min(axis=1, keepdims=True) - losses)
    earned /= earned.sum(axis=1, keepdims=True)
    mean = (earned[:, None, :] @ forecasts)[:, 0]
    mass = left + right
    mass = (mass + 1.0 / mass.shape[1]) / (mass.sum(axis=1, keepdims=True) + 1.0)
    p, q = mass * mean, mass * (1.0 - mean)
    levels, terms = best_bets(p / p.sum(axis=1, keepdims=True), q / q.sum(axis=1, keepdims=True), epsilon, delta)
    kept = forecasts.astype(np.float16)
    return [
        replace(wager, forecasts=kept[row], levels=levels[row], terms=(lean, top, bottom))
        for row, (wager, (lean, top, bottom)) in enumerate(zip(wagers, terms.tolist(), strict=True))
    ]


def _forecast(table: str, histograms: Integers, told: Mapping[str, Floats], epsilon: float, delta: float) -> Floats:
    """The probability of D per bin by one table, (F, B); the last bin, of what is no number, is next to none."""
    if table != CUTTINGS:
        if delta > 0.0:
            return told[table]
        # without delta no output says more than the loss, which may be above what is claimed but not by far
        least = 1.0 / (1.0 + math.exp(min(max(REACH * epsilon, epsilon + LEAST_CLIPPED), FARTHEST)))
        return np.clip(told[table], least, 1.0 - least)
    prior = prior_strength(epsilon)
    last = (histograms[:, -1:, 1] + prior) / (histograms[:, -1:].sum(axis=2) + 2.0 * prior)
    return np.concatenate([over_cuttings(histograms[:, :-1, 1], histograms[:, :-1, 0], prior), last], axis=1)
