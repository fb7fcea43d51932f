"""Are the draws of one ``sample`` independent? Whatever they depend by: order, copies, evenness, a common part.

Two samples of one dataset are looked at together. If all their draws are independent and of one law, then

* each order of the draws of one sample is equally likely: the autocorrelation of their ranks at *every* lag is noise
  (blocks, tiles, antithetic halves, sorted draws, chains);
* each way of dealing the pooled draws to the two samples is equally likely: the two differ neither less (stratified,
  antithetic, moment-matched, drawn without replacement) nor more (a common shift, copies in any order) than that;
* equal draws sit in one sample or in two by chance (copies at any distance; none in one sample but some across two).

Ranks break ties at random, so that discrete outputs have a continuous law of ranks. Evidence is that of e-processes
that may start at any time (a dependence that only large samples have is seen when they come).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.observations import Observations

Floats = NDArray[np.float64]

#: Fewer draws in one sample than these say nothing of their order or evenness.
LEAST_DRAWS, LEAST_ORDERED = 16, 128
#: Columns looked at, spread evenly over all; outputs without numbers are put into the order of their tokens.
MOST_COLUMNS = 6
#: Polynomials of the ranks in which two samples are compared.
DEGREES = 6
#: Values are compared as they are, cut off at these quantiles, where so many of them are different.
CUT_OFF, MOSTLY = (0.02, 0.98), 0.9
#: Standard deviations that the differences of two samples may have instead of 1.
SCALES: Floats = np.array([0.02, 0.1, 0.3, 0.6, 1.5, 3.0, 10.0, 40.0])
#: The lags whose evidence adds up over interim analyses; any other one must be seen within one sample.
LAGS_FOLLOWED = 4
#: Chances that two equal draws come from one sample.
CHANCES: Floats = np.array([0.001, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 0.999])
#: Part of the logarithm of a normal tail that counts: the tails of finite samples are not quite normal.
TAIL_PART = 0.8
#: Rules that start at interim analysis t have weight 6 / (pi^2 t^2), which sums to 1.
FIRST_START = 6.0 / math.pi**2
#: Ways of depending, and what is said of each.
WORDS = {
    "order": "their order matters",
    "spread": "two samples differ less or more than independent draws do",
    "copies": "equal draws come together",
    "ends": "the first or the last draw is another kind of draw",
}


@dataclass(frozen=True)
class Dependence:
    """The evidence so far that draws of one sample depend on each other, by way of depending."""

    analyses: int = 0
    spread: Floats = field(default_factory=lambda: np.full((MOST_COLUMNS, DEGREES + 2, len(SCALES)), -np.inf))
    copies: Floats = field(default_factory=lambda: np.full(len(CHANCES), -np.inf))
    ends: Floats = field(default_factory=lambda: np.full((MOST_COLUMNS, 2, len(SCALES)), -np.inf))
    lags: Floats = field(default_factory=lambda: np.full((MOST_COLUMNS, LAGS_FOLLOWED, len(SCALES)), -np.inf))
    order: float = 0.0

    def see(self, one: Observations, other: Observations, rng: np.random.Generator) -> Dependence:
        """After two more samples of one dataset."""
        if min(len(one), len(other)) < LEAST_DRAWS:
            return self
        analyses = self.analyses + 1
        start = math.log(FIRST_START) - 2.0 * math.log(analyses)
        spread, ends, tails = self.spread, self.ends, self.order
        spread_logs, end_logs, lag_logs = np.zeros_like(spread), np.zeros_like(ends), np.zeros_like(self.lags)
        columns = [(_chosen(one, place), _chosen(other, place)) for place in range(_width(one, other))]
        for place, (first, second) in enumerate(columns):
            spread_logs[place] = _scale_logs(differences(np.concatenate([first, second]), len(first), rng))
            ends_of = np.array([_end(first, 0, rng), _end(second, -1, rng)])
            end_logs[place] = _scale_log(ends_of)
            for values in (first, second):
                sizes = autocorrelations(values, rng)
                lag_logs[place] += _scale_log(sizes[0, :LAGS_FOLLOWED]) if sizes.size else 0.0
                tails = max(tails, -TAIL_PART * order_tail(sizes) - math.log(2.0 * len(columns)) + start)
        copies_logs = _copies_logs(one, other, rng)
        return replace(
            self,
            analyses=analyses,
            spread=np.logaddexp(spread, start) + spread_logs,
            copies=np.logaddexp(self.copies, start) + copies_logs,
            ends=np.logaddexp(ends, start) + end_logs,
            lags=np.logaddexp(self.lags, start) + lag_logs,
            order=tails,
        )

    @cached_property
    def evidences(self) -> dict[str, float]:
        """The logarithm of the evidence for each way of depending; the average of all four is one e-process."""
        if self.analyses == 0:
            return dict.fromkeys(WORDS, 0.0)
        return {
            "order": max(self.order, _mean_of(self.lags)) - math.log(2.0),
            "spread": _mean_of(self.spread),
            "copies": _mean_of(self.copies),
            "ends": _mean_of(self.ends),
        }

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence against independence, all ways together."""
        return max(self.evidences.values()) - math.log(len(WORDS))

    @property
    def words(self) -> str:
        """How draws depend, for the way with most evidence."""
        found = self.evidences
        return WORDS[max(found, key=lambda way: found[way])]


def random_ranks(values: Floats, rng: np.random.Generator) -> Floats:
    """Ranks between 0 and 1, equal values in random order; NaN last.

    >>> random_ranks(np.array([3.0, 1.0, 2.0]), np.random.default_rng(0)).round(3).tolist()
    [0.833, 0.167, 0.5]
    """
    order = np.lexsort((rng.random(len(values)), values))
    ranks = np.empty(len(values))
    ranks[order] = (np.arange(len(values)) + 0.5) / len(values)
    return ranks


def differences(values: Floats, first: int, rng: np.random.Generator) -> Floats:
    """The difference of two samples in each polynomial of the pooled ranks, and at last in the values themselves (cut
    off where they are extreme; where values come again and again, in their ranks), in standard deviations under chance.
    """
    ranks = random_ranks(values, rng)
    plain = ranks
    if len(np.unique(values)) > MOSTLY * len(values) and np.isfinite(values).all():
        plain = np.clip(values, *np.quantile(values, CUT_OFF))
    scores = np.column_stack([np.polynomial.legendre.legvander(2.0 * ranks - 1.0, DEGREES)[:, 1:], plain])
    scores = scores - scores.mean(axis=0)
    variance = (scores**2).sum(axis=0) / (len(ranks) - 1)
    rest = len(ranks) - first
    gap = scores[:first].mean(axis=0) - scores[first:].mean(axis=0)
    spread = np.sqrt(variance * (1.0 / first + 1.0 / rest))
    return np.asarray(np.divide(gap, spread, out=np.ones_like(gap), where=spread > 0.0))


def autocorrelations(values: Floats, rng: np.random.Generator) -> Floats:
    """Autocorrelations at every lag up to half the length, in standard deviations under chance: of the ranks, and of
    their distance from the middle; shape (2, lags), without lags for too few draws.
    """
    count = len(values)
    if count < LEAST_ORDERED:
        return np.zeros((2, 0))
    ranks = random_ranks(values, rng) - 0.5
    scores = np.stack([ranks, ranks**2])
    scores -= scores.mean(axis=1, keepdims=True)
    scores /= np.sqrt((scores**2).mean(axis=1, keepdims=True))
    power = np.abs(np.fft.rfft(scores, axis=1)) ** 2
    lags = np.fft.irfft(power, n=count, axis=1)[:, 1 : count // 2 + 1] / count
    sizes = (lags + 1.0 / (count - 1)) * math.sqrt(count)
    if count % 2 == 0:
        sizes[:, -1] /= math.sqrt(2.0)  # at half the length every product is counted twice
    return np.asarray(sizes)


def order_tail(sizes: Floats) -> float:
    """The logarithm of the chance of so large an autocorrelation at any lag, among all orders of the draws."""
    from scipy.special import log_ndtr

    if not sizes.size:
        return 0.0
    return min(0.0, float(log_ndtr(-np.abs(sizes).max())) + math.log(2.0 * sizes.size))


def _scale_log(sizes: Floats) -> Floats:
    """The log-likelihood ratio of each size for each scale against 1; one more axis, at the end."""
    return np.asarray(0.5 * sizes[..., None] ** 2 * (1.0 - SCALES**-2.0) - np.log(SCALES))


def _scale_logs(sizes: Floats) -> Floats:
    """Those of each difference alone, and of all polynomials together (which chance makes independent)."""
    each = _scale_log(sizes)
    return np.concatenate([each, each[:DEGREES].sum(axis=0, keepdims=True)])


def _end(values: Floats, place: int, rng: np.random.Generator) -> float:
    """The rank of the first or last draw among all of its sample, as a standard normal number."""
    from scipy.special import ndtri

    missing = np.isnan(values)  # they come last, as in ``random_ranks``, and are equal to each other
    if missing[place]:
        below, equal = int((~missing).sum()), int(missing.sum())
    else:
        below, equal = int((values < values[place]).sum()), int((values == values[place]).sum())
    return float(ndtri((below + rng.random() * equal) / len(values)).clip(-8.0, 8.0))


def _copies_logs(one: Observations, other: Observations, rng: np.random.Generator) -> Floats:
    """Of each value that occurs more than once, two of its draws at random: in one sample, or in two?"""
    tokens = np.concatenate([one.tokens, other.tokens])
    shuffled = rng.permutation(len(tokens))
    order = shuffled[np.argsort(tokens[shuffled], kind="stable")]
    ordered = tokens[order]
    same = ordered[1:] == ordered[:-1]
    begins = same.copy()
    begins[1:] &= ~same[:-1]
    places = np.flatnonzero(begins)
    pairs = len(places)
    if pairs == 0:
        return np.zeros(len(CHANCES))
    side = order < len(one)
    within = int((side[places] == side[places + 1]).sum())
    first, second, whole = len(one), len(other), len(tokens)
    chance = (first * (first - 1) + second * (second - 1)) / (whole * (whole - 1))
    # few values among many draws say nothing of copies, and are not independent of each other
    if pairs * 8 > whole and pairs < 8:
        return np.zeros(len(CHANCES))
    return np.asarray(within * np.log(CHANCES / chance) + (pairs - within) * np.log((1 - CHANCES) / (1 - chance)))


def _width(one: Observations, other: Observations) -> int:
    return max(1, min(MOST_COLUMNS, _plain(one), _plain(other)))


def _plain(seen: Observations) -> int:
    width = int(seen.columns.shape[1])
    return width if seen.plain is None else min(seen.plain, width)


def _chosen(seen: Observations, place: int) -> Floats:
    """One of the columns spread over all; where there is none, the tokens in their order."""
    width = _plain(seen)
    if width == 0:
        return seen.tokens.astype(np.float64)
    among = np.unique(np.linspace(0, width - 1, min(MOST_COLUMNS, width)).astype(np.int64))
    return seen.columns[:, among[min(place, len(among) - 1)]]


def _mean_of(logs: Floats) -> float:
    """The logarithm of the average over all rules, those of columns that are not there counting as lost."""
    live = logs[np.isfinite(logs)]
    return float(np.logaddexp.reduce(live) - math.log(logs.size)) if live.size else 0.0
