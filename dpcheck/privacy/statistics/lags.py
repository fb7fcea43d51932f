"""Do outputs come back after so many calls? Buffers of noise that start again, at whatever lag, with or without shift.

What is looked at are all outputs of a run in the order in which the learner was called, on both datasets. Two exact
questions and one of large samples:

* of each dataset, does an output equal the one so many calls before? The lags are found on the first half of the
  outputs, and bet on with the second, of which every order is as likely as any other;
* where there are few different outputs: do they follow, however, from those so many calls before, of either dataset?
* are the ranks of the outputs, each among those of its own dataset, correlated at *any* lag, on one dataset or across
  the two (noise that comes back under a shift, under other noise, or as coins)?
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.dependence import TAIL_PART, random_ranks
from dpcheck.privacy.statistics.freshness import FEW, prediction_evidence
from dpcheck.privacy.statistics.observations import Observations

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Outputs that are remembered: buffers up to half as long are seen to start again.
MOST_REMEMBERED = 1 << 18
#: Columns remembered of each, spread over all.
REMEMBERED_COLUMNS = 4
#: Lags that are bet on, those that bring back most of the first half.
LAGS_BET_ON = 4
#: The part of each stake that is kept: a bet that loses costs this factor.
KEPT = 0.2
#: Outputs of which this part is equal are nearly alike.
MOSTLY = 0.7
#: Of outputs that come again, among many: so many different ones at the least, and this part of all at the most.
MANY_KINDS, COMING_AGAIN = 12, 0.8
#: Where these first lags all have this part of the best one's correlation, numbers drift, and do not come back.
FIRST_LAGS, DRIFTS = 3, 0.5
#: Pairs of outputs that a lag must have for its correlation to be looked at.
LEAST_PAIRS = 48


@dataclass
class History:
    """Outputs with the dataset (0 or 1) and the number of the call that each came from, block by block.

    ``places``: the columns that are remembered, of all blocks those that are spread over the columns of the first.
    ``drifts``: whether the evidence that was found last is that outputs lie near those of the calls just before.
    """

    firsts: list[int] = field(default_factory=list)
    sides: list[int] = field(default_factory=list)
    tokens: list[NDArray[np.uint64]] = field(default_factory=list)
    columns: list[Floats] = field(default_factory=list)
    outputs: int = 0
    places: Integers | None = None
    drifts: bool = False

    def add(self, seen: Observations, side: int, first: int) -> None:
        """Outputs of calls with the numbers from ``first`` on, in their order."""
        self.outputs += len(seen)
        self.firsts.append(first)
        self.sides.append(side)
        self.tokens.append(seen.tokens)
        width = seen.columns.shape[1] if seen.plain is None else min(seen.plain, seen.columns.shape[1])
        if self.places is None:
            spread = np.linspace(0, max(width - 1, 0), REMEMBERED_COLUMNS if width else 0)
            self.places = np.unique(spread.astype(np.int64))
        columns = np.full((len(seen), len(self.places)), np.nan)
        there = self.places < width  # a rare answer with more numbers makes its block wider, not other columns of it
        columns[:, there] = seen.columns[:, self.places[there]]
        self.columns.append(columns)

    def alike(self, after: int = 0) -> tuple[NDArray[np.uint64], NDArray[np.uint64]] | None:
        """The outputs on each dataset (0, 1), or their later half, if equal; None if they differ, or one has none.

        The first half may be others: of a clock that went on meanwhile. Of each block the first ``after`` are left out.
        """
        found = []
        for side in (0, 1):
            tokens = self._outputs_on(side, after)
            if len(tokens) > 0 and bool((tokens != tokens[0]).any()):
                tokens = tokens[len(tokens) // 2 :]
            if len(tokens) == 0 or bool((tokens != tokens[0]).any()):
                return None
            found.append(tokens)
        return found[0], found[1]

    def nearly_alike(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]] | None:
        """The outputs on each dataset (0, 1) but the first of each block, where most of each are equal; else None."""
        one, other = self._outputs_on(0, 1), self._outputs_on(1, 1)
        for tokens in (one, other):
            if len(tokens) == 0 or np.unique(tokens, return_counts=True)[1].max() < MOSTLY * len(tokens):
                return None
        return one, other

    def come_again(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]] | None:
        """The outputs on each dataset (0, 1) where most of each came before, and there are many of them; else None."""
        one, other = self._outputs_on(0, 0), self._outputs_on(1, 0)
        for tokens in (one, other):
            kinds = len(np.unique(tokens))
            if kinds < MANY_KINDS or kinds > COMING_AGAIN * len(tokens):
                return None
        return one, other

    def _outputs_on(self, side: int, after: int) -> NDArray[np.uint64]:
        """Those of one dataset in the order of their calls, of each block without the first ``after``."""
        parts = [tokens[after:] for tokens, owner in zip(self.tokens, self.sides, strict=True) if owner == side]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.uint64)

    def evidence(self, rng: np.random.Generator) -> float:
        """The logarithm of the evidence that outputs come back; ``rng`` breaks ties of ranks."""
        if self.outputs < LEAST_PAIRS:
            return 0.0
        sizes = [len(part) for part in self.tokens]
        tokens, sides = np.concatenate(self.tokens), np.repeat(np.array(self.sides, np.int8), sizes)
        ends = np.cumsum(sizes)
        places = np.arange(len(tokens)) + np.repeat(np.array(self.firsts) - (ends - sizes), sizes)
        order = np.argsort(places, kind="stable")
        places, sides, tokens = places[order], sides[order], tokens[order]
        codes = np.unique(tokens, return_inverse=True)[1].astype(np.int64)
        told = transition_evidence(places, sides, codes) if codes.max() < FEW else 0.0
        equal = sum(repetition_evidence(places[sides == side], tokens[sides == side]) for side in (0, 1))
        width = self.columns[0].shape[1]
        correlated, drifts = 0.0, False
        if width:
            columns = np.concatenate(self.columns)[order]
            found = [autocorrelation(places, sides, columns[:, place], rng) for place in range(width)]
            correlated, drifts = max(found)
            correlated -= math.log(width)
        self.drifts = drifts and correlated > max(equal, told)
        return float(np.logaddexp.reduce([equal, correlated, told]) - math.log(3.0))


def repetition_evidence(places: Integers, tokens: NDArray[np.uint64]) -> float:
    """Log evidence that outputs of one dataset equal those a certain number of calls before.

    Parameters
    ----------
    places : integers, ascending
        The number of the call that each output came from.
    tokens : one for each output

    Examples
    --------
    >>> noise = np.random.default_rng(0).integers(0, 2**60, 50).astype(np.uint64)
    >>> repetition_evidence(np.arange(200), np.tile(noise, 4)) > 100.0
    True
    >>> repetition_evidence(np.arange(200), np.arange(200).astype(np.uint64))
    0.0
    """
    half = len(tokens) // 2
    codes = np.unique(tokens, return_inverse=True)[1].astype(np.int64)
    by_code = np.lexsort((places[:half], codes[:half]))
    again = codes[:half][by_code][1:] == codes[:half][by_code][:-1]
    gaps = np.diff(places[:half][by_code])[again]
    if len(gaps) == 0:
        return 0.0
    lags, times = np.unique(gaps, return_counts=True)
    chosen = lags[np.argsort(-times, kind="stable")[:LAGS_BET_ON]]
    rest, size = codes[half:], len(codes) - half
    keys = np.sort(rest * (size + 1) + np.arange(size))
    here = np.arange(size)
    logs = []
    for lag in chosen.tolist():
        before = np.minimum(np.searchsorted(places, places[half:] - lag), len(places) - 1)
        known = places[before] == places[half:] - lag
        guess = codes[before]
        left = np.searchsorted(keys, guess * (size + 1) + size) - np.searchsorted(keys, guess * (size + 1) + here)
        open_ = known & (left > 0) & (left < size - here)
        chance, met = left[open_] / (size - here[open_]), (guess == rest)[open_]
        logs.append(float(np.log(np.where(met, (1.0 - KEPT) / chance + KEPT, KEPT)).sum()))
    return float(np.logaddexp.reduce(logs) - math.log(len(logs)))


def transition_evidence(places: Integers, sides: NDArray[np.int8], codes: Integers) -> float:
    """Log evidence that outputs of few kinds follow from those a certain number of calls before, of either dataset.

    The lags are found on the first half of the outputs, and bet on with the second.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> sides, coins = rng.integers(0, 2, 300).astype(np.int8), np.tile(rng.integers(0, 4, 30) == 0, 10)
    >>> transition_evidence(np.arange(300), sides, (sides ^ coins).astype(np.int64)) > 20.0
    True
    """
    half = len(codes) // 2
    length = int(places[half - 1] - places[0]) + 1
    if length > 4 * MOST_REMEMBERED:
        return 0.0
    found = np.zeros((2, length))
    for side in (0, 1):
        mine = np.flatnonzero(sides[:half] == side)
        if len(mine):
            found[side, places[mine] - places[0]] = codes[mine] - codes[mine].mean()
    size = 1 << (2 * length - 1).bit_length()
    spectra = np.fft.rfft(found, size)
    within = np.fft.irfft((np.abs(spectra) ** 2).sum(axis=0), size)[1 : length // 2 + 1]
    across = np.fft.irfft((spectra.conj() * spectra[::-1]).sum(axis=0), size)[1 : length // 2 + 1]
    chosen = 1 + np.argsort(-(np.abs(within) + np.abs(across)), kind="stable")[:LAGS_BET_ON]
    rest = np.arange(half, len(codes))
    logs = []
    for lag in chosen.tolist():
        before = np.minimum(np.searchsorted(places, places - lag), len(places) - 1)
        known = np.where(places[before] == places - lag, 2 * codes[before] + sides[before] + 1, 0)
        apart = [rest[sides[rest] == side] for side in (0, 1)]
        logs.append(sum(prediction_evidence(known[some], codes[some]) for some in apart))
    return float(np.logaddexp.reduce(logs) - math.log(len(logs)))


def autocorrelation(
    places: Integers, sides: NDArray[np.int8], values: Floats, rng: np.random.Generator
) -> tuple[float, bool]:
    """Log evidence that ranks of outputs, each among those of its dataset, are correlated at some lag; and whether the
    first lags are too, as where numbers drift, and not where they come back.

    Parameters
    ----------
    places : integers, ascending
        The number of the call that each output came from.
    sides : which dataset each came from, 0 or 1
    values : a number of each output
    rng : breaks ties

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> sides = rng.integers(0, 2, 600).astype(np.int8)
    >>> shared = np.tile(rng.laplace(size=100), 6) + 5.0 * sides + 0.3 * rng.normal(size=600)
    >>> evidence, drifts = autocorrelation(np.arange(600), sides, shared, rng)
    >>> evidence > 20.0, drifts
    (True, False)
    >>> evidence, drifts = autocorrelation(np.arange(600), sides, np.cumsum(rng.normal(size=600)), rng)
    >>> evidence > 20.0, drifts
    (True, True)
    >>> autocorrelation(np.arange(600), sides, rng.laplace(size=600), rng)[0] < 10.0
    True
    """
    from scipy.special import log_ndtr

    start, length = int(places[0]), int(places[-1] - places[0]) + 1
    if length > 4 * MOST_REMEMBERED:
        return 0.0, False
    scores = np.zeros((2, 2, length))  # kind of score, dataset, place
    there = np.zeros((2, length))
    for side in (0, 1):
        mine = np.flatnonzero(sides == side)
        if len(mine) < 2:
            continue
        ranks = random_ranks(values[mine], rng) - 0.5
        for kind, some in enumerate((ranks, ranks**2)):
            some = some - some.mean()
            scores[kind, side, places[mine] - start] = some / math.sqrt(float((some**2).mean()))
        there[side, places[mine] - start] = 1.0
    size = 1 << (2 * length - 1).bit_length()
    known = np.fft.rfft(there, size)
    spectra = np.fft.rfft(scores, size, axis=2)
    most, drifts = 0.0, False
    looked = 0
    for one, other in ((slice(None), slice(None)), (slice(None), slice(None, None, -1))):
        # products within each dataset, then across the two
        pairs = np.fft.irfft((known[one].conj() * known[other]).sum(axis=0), size)[1:length]
        enough = pairs > LEAST_PAIRS - 0.5
        looked += 2 * int(enough.sum())
        for kind in (0, 1):
            sums = np.fft.irfft((spectra[kind, one].conj() * spectra[kind, other]).sum(axis=0), size)[1:length]
            scaled = np.where(enough, np.abs(sums) / np.sqrt(np.maximum(pairs, 1.0)), 0.0)
            best = int(np.argmax(scaled)) if len(scaled) else 0
            if len(scaled) and scaled[best] > most:
                most = float(scaled[best])
                drifts = len(scaled) >= FIRST_LAGS and bool((scaled[:FIRST_LAGS] >= DRIFTS * most).all())
    if looked == 0:
        return 0.0, False
    return -TAIL_PART * min(0.0, float(log_ndtr(-most)) + math.log(2.0 * looked)), drifts
