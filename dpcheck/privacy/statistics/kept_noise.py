"""Is noise kept under noise that is fresh? Each output is foretold from those at its place in the blocks before.

A generator, buffer or counter that starts again with each learner gives the i-th output of every block the same noise,
be it under a shift (another dataset) or under a part that is drawn anew. Where runs are fresh, the outputs of a block
are independent and alike, so that, given which they are, every order of them is as likely as any other. So the outputs
of a block are revealed in turn: which of those that are left stands at the next place is bet on by how well each fits
what is foretold there, ``weight of the one that stands there / mean weight of those left``. Whatever is foretold, this
has mean 1.

Foretold is the normal law of an output whose noise is kept to a certain part, given the mean of those at its place
before: of the other learner on the same dataset, of the one on the other dataset, or of all blocks so far. Several
parts are bet on side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.observations import Observations

Floats = NDArray[np.float64]

#: Parts of the variance that is kept, each a bet of its own.
PARTS = np.array([0.1, 0.3, 0.6, 0.9, 0.99])
#: Places of a block that are looked at, and coordinates of an output: the work grows as the square of the first.
MOST_PLACES, MOST_COORDINATES = 64, 32
#: Outputs of each dataset from which their middle and spread are taken.
MOST_REMEMBERED = 256
#: Numbers are cut at so many spreads from their middle.
FAR = 4.0
#: The part of each stake that is kept: an output that nothing foretold costs this factor at the worst.
KEPT = 0.02


#: The part of the variance of which it is told what it would have shown, in blocks of so many outputs at least: what is
#: kept for fewer may by chance be nearly the same at all places, which shows little and is little noise besides.
TOLD_PART, LONG_BLOCK = 0.6, 24
#: What the outputs of a block are foretold from: another learner on the same dataset, one on the other dataset in the
#: same interim analysis, and all blocks before.
ON_ONE, ON_TWO, AGAIN = range(3)


@dataclass
class KeptNoise:
    """Evidence that noise comes back at the same place of each block, by what it is foretold from and by ``PARTS``.

    ``shown``: about what noise of which ``TOLD_PART`` is kept would have shown in the long blocks so far; None where no
    output had numbers that differ.
    """

    logs: Floats = field(default_factory=lambda: np.zeros((3, len(PARTS))))
    past: dict[int, list[Floats]] = field(default_factory=dict)
    sums: Floats = field(default_factory=lambda: np.zeros((MOST_PLACES, 0)))
    blocks: Floats = field(default_factory=lambda: np.zeros(MOST_PLACES))
    shown: float | None = None

    def see(self, blocks: Mapping[int, tuple[Observations, Observations]]) -> None:
        """Of each dataset, by its number, two blocks of two fresh learners; all bet on before they are remembered."""
        firsts = []
        for dataset, (one, other) in blocks.items():
            first, second = self._scores(one, dataset), self._scores(other, dataset)
            self._bet(ON_ONE, second, first)
            firsts.append(first)
            for block in (first, second):
                width = self.sums.shape[1]
                self.logs[AGAIN] += place_evidence(_wider(block, width, 0.0), self.sums, self.blocks)
                if block.any():
                    told = would_show(self.blocks[: len(block)]) if len(block) >= LONG_BLOCK else 0.0
                    self.shown = (self.shown or 0.0) + told
                self.sums[: len(block), : block.shape[1]] += block
                self.blocks[: len(block)] += 1.0
        if len(firsts) == 2:
            self._bet(ON_TWO, firsts[1], firsts[0])

    def _bet(self, kind: int, block: Floats, before: Floats) -> None:
        """On a block, foretold from one other."""
        size, width = min(len(block), len(before)), min(block.shape[1], before.shape[1])
        self.logs[kind] += place_evidence(block[:size, :width], before[:size, :width], np.ones(size))

    def _scores(self, seen: Observations, dataset: int) -> Floats:
        """A block of one dataset, in spreads from the middle of what was seen of it; it is remembered."""
        plain = seen.columns if seen.plain is None else seen.columns[:, : seen.plain]
        numbers = plain[:MOST_PLACES, :MOST_COORDINATES]
        self.sums = _wider(self.sums, numbers.shape[1], 0.0)
        past = self.past.setdefault(dataset, [])
        width = max(block.shape[1] for block in [numbers, *past])
        known = np.concatenate([_wider(block, width, np.nan) for block in [*past, numbers]])
        if sum(map(len, past)) < MOST_REMEMBERED:
            past.append(numbers)
        return _scores(numbers, known[:, : numbers.shape[1]])


def place_evidence(scores: Floats, sums: Floats, blocks: Floats) -> Floats:
    """Log evidence (one for each of ``PARTS``) that the outputs of a block stand where they were foretold.

    The first place is left out: a first call may warn, or load something, that later ones do not.

    Parameters
    ----------
    scores : floats, shape (n, d)
        The outputs of the block, in spreads from their middle.
    sums : floats, shape (N, d) with N >= n
        Of the scores at each place in the blocks before.
    blocks : floats, shape (N,)
        How many blocks these were.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> kept = rng.normal(size=(64, 1))
    >>> block = (kept + rng.normal(size=(64, 1))) / 2**0.5
    >>> bool(place_evidence(block, 3.0 * kept / 2**0.5, np.full(64, 3.0)).max() > 10.0)
    True
    >>> bool(place_evidence(block[::-1], 3.0 * kept / 2**0.5, np.full(64, 3.0)).max() < 3.0)
    True
    """
    size, width = scores.shape
    known = blocks[:size]
    if width == 0 or not known.any():
        return np.zeros(len(PARTS))
    part = PARTS[:, None]
    weight = known * part / (known * part + 1.0 - part)  # of the mean at a place: what is kept, and how sure that is
    middle = weight[:, :, None] * sums[:size, :width] / np.maximum(known, 1.0)[:, None]  # (parts, n, d)
    variance = 1.0 - part + part * (1.0 - weight)
    gaps = ((scores[None, None, :, :] - middle[:, :, None, :]) ** 2).sum(axis=3)  # (parts, place, output)
    # against the law of all outputs: one that is far out fits no place, but must stand at one of them
    fit = 0.5 * (scores**2).sum(axis=1) - 0.5 * gaps / variance[:, :, None]
    waiting = np.triu(np.ones((size, size), dtype=bool))
    fit = np.where(waiting, fit, -np.inf)
    left = np.logaddexp.reduce(fit, axis=2) - np.log(size - np.arange(size))
    own = np.diagonal(fit, axis1=1, axis2=2)
    ratios = np.log((1.0 - KEPT) * np.exp(own - left) + KEPT)
    return np.asarray(ratios[:, 1:].sum(axis=1))


def would_show(blocks: Floats) -> float:
    """About the evidence (nats) of a block, one number an output, where ``TOLD_PART`` of its variance is kept.

    Parameters
    ----------
    blocks : floats, shape (n,)
        How many blocks were seen before at each of its places.

    Examples
    --------
    >>> would_show(np.zeros(9)), round(would_show(np.full(9, 4.0)), 1), round(would_show(np.full(64, 4.0)), 1)
    (0.0, 1.9, 21.0)
    """
    left = len(blocks) - np.arange(1, len(blocks))  # the first place is left out, and the last can be but one output
    foretold = TOLD_PART * blocks[1:] * TOLD_PART / (blocks[1:] * TOLD_PART + 1.0 - TOLD_PART)
    return float((-0.5 * np.log1p(-foretold) * (1.0 - 1.0 / left)).sum())


def _scores(numbers: Floats, known: Floats) -> Floats:
    """Numbers in spreads from the middle of those known; what is no number stands in the middle."""
    finite = np.isfinite(known)
    count = finite.sum(axis=0)
    ordered, column = np.sort(np.where(finite, known, np.inf), axis=0), np.arange(known.shape[1])
    least = np.maximum(count, 1)

    def quantile(share: float) -> Floats:
        found = ordered[((least - 1) * share).astype(np.int64), column]
        return np.where(count > 0, found, 0.0)

    with np.errstate(over="ignore", invalid="ignore"):
        low, middle, high = quantile(0.16), quantile(0.5), quantile(0.84)
        spread = 0.5 * high - 0.5 * low
        spread = np.where((spread > 0.0) & np.isfinite(spread), spread, np.inf)
        scores = (numbers - middle) / spread
    return np.clip(np.nan_to_num(scores, nan=0.0, posinf=FAR, neginf=-FAR), -FAR, FAR)


def _wider(block: Floats, width: int, filled: float) -> Floats:
    more = width - block.shape[1]
    return np.pad(block, ((0, 0), (0, more)), constant_values=filled) if more > 0 else block
