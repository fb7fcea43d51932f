"""Is noise kept under noise that is fresh? Each output is foretold from those at its place in the blocks before.

A generator, buffer or counter that starts again with each learner gives the i-th output of every block the same noise,
be it under a shift (another dataset) or under a part that is drawn anew. Where runs are fresh, the outputs of a block
are independent and alike, so that, given which they are, every order of them is as likely as any other. So the outputs
of a block are revealed in turn: which of those that are left stands at the next place is bet on by how well each fits
what is foretold there, ``weight of the one that stands there / mean weight of those left``. Whatever is foretold, this
has mean 1.

Foretold are

* the normal law of an output whose noise is kept to a certain part, given the mean of those at its place before: of the
  other learner on the same dataset, of the one on the other dataset, or of all blocks so far;
* what stood at its place before, as often as it did (answers of any kind, on their own dataset; a Dirichlet law), or
  near that (numbers of which the noise is kept now and then).

Several parts, strengths and widths are bet on side by side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.observations import Observations

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Tokens = NDArray[np.uint64]

#: Parts of the variance that is kept, each a bet of its own.
PARTS = np.array([0.1, 0.3, 0.6, 0.9, 0.99])
#: How many outputs at a place weigh as much as all that were seen anywhere, each a bet of its own.
STRENGTHS = np.array([0.5, 2.0, 8.0])
#: Numbers so many spreads apart are near each other, each a bet of its own; and the strength of these.
WIDTHS, NEAR_STRENGTH = np.array([0.1, 0.4]), np.array([2.0])
#: Places of a block that are looked at, and coordinates of an output: the work grows as the square of the first.
MOST_PLACES, MOST_COORDINATES = 64, 32
#: Blocks of which the answers, and the numbers, are remembered: the last ones.
MOST_BLOCKS, MOST_NEAR = 64, 16
#: Outputs of each dataset from which their middle and spread are taken.
MOST_REMEMBERED = 256
#: Numbers are cut at so many spreads from their middle.
FAR = 4.0
#: The part of each stake that is kept: an output that nothing foretold costs this factor at the worst.
KEPT = 0.02
#: A bet that has lost so much (nats) is given up: it would not come back in time.
GIVEN_UP = -20.0
#: The part of the variance of which it is told what it would have shown, in blocks of so many outputs at least: what is
#: kept for fewer may by chance be nearly the same at all places, which shows little and is little noise besides.
TOLD_PART, LONG_BLOCK = 0.6, 24
#: Outputs of so many kinds are few.
FEW_KINDS = 8
#: What the normal law is foretold from: another learner on the same dataset, one on the other dataset in the same
#: interim analysis, all blocks before, and all of them with those of the other dataset turned around (kept coins that
#: turn around a record).
ON_ONE, ON_TWO, AGAIN, AGAIN_TURNED = range(4)
#: How many bets there are.
BETS = 4 * len(PARTS) + len(STRENGTHS) + len(WIDTHS)


@dataclass
class KeptNoise:
    """Evidence that noise comes back at the same place of each block.

    ``normal`` (4, PARTS) by what is foretold from, ``answers`` (STRENGTHS,), ``near`` (WIDTHS,); ``shown``: about what
    noise of which ``TOLD_PART`` is kept would have shown in the long blocks so far; None where all outputs were alike.
    """

    normal: Floats = field(default_factory=lambda: np.zeros((4, len(PARTS))))
    answers: Floats = field(default_factory=lambda: np.zeros(len(STRENGTHS)))
    near: Floats = field(default_factory=lambda: np.zeros(len(WIDTHS)))
    numbers: dict[int, list[Floats]] = field(default_factory=dict)
    tokens: dict[int, list[Tokens]] = field(default_factory=dict)
    scores: list[Floats] = field(default_factory=list)
    sums: Floats = field(default_factory=lambda: np.zeros((MOST_PLACES, 0)))
    turned: Floats = field(default_factory=lambda: np.zeros((MOST_PLACES, 0)))
    blocks: Floats = field(default_factory=lambda: np.zeros(MOST_PLACES))
    shown: float | None = None

    @property
    def logs(self) -> Floats:
        """The logarithm of what each bet came to, shape (BETS,)."""
        return np.concatenate([self.normal.ravel(), self.answers, self.near])

    @property
    def few(self) -> bool:
        """Whether the outputs seen are of few kinds, so that by luck those at many places may be alike."""
        seen = [tokens for blocks in self.tokens.values() for tokens in blocks]
        return bool(seen) and len(np.unique(np.concatenate(seen))) <= FEW_KINDS

    def see(self, blocks: Mapping[int, tuple[Observations, Observations]]) -> None:
        """Of each dataset, by its number, two blocks of two fresh learners; all bet on before they are remembered."""
        firsts = []
        for side, (dataset, (one, other)) in enumerate(blocks.items()):
            first, second = self._scores(one, dataset), self._scores(other, dataset)
            self._bet(ON_ONE, second, first)
            firsts.append(first)
            for seen, block in ((one, first), (other, second)):
                self._bet_on_all_before(seen.tokens[:MOST_PLACES], block, dataset, -1.0 if side else 1.0)
        if len(firsts) == 2:
            self._bet(ON_TWO, firsts[1], firsts[0])

    def _bet_on_all_before(self, tokens: Tokens, block: Floats, dataset: int, sign: float) -> None:
        size, width = len(block), self.sums.shape[1]
        now = _wider(block, width, 0.0)
        past = self.tokens.setdefault(dataset, [])
        self._bet_normal([AGAIN, AGAIN_TURNED], now, np.stack([self.sums, sign * self.turned]), self.blocks)
        alive = self.answers > GIVEN_UP
        if past and alive.any():
            before, there = _at_places(past, size)
            times = ((before[:, :, None] == tokens) & there[:, :, None]).sum(axis=0)
            if times.any():  # else each output is as likely at each place
                own = tokens[:, None] == tokens
                self.answers[alive] += table_evidence(times, there.sum(axis=0), own.sum(axis=0), STRENGTHS[alive])
        alive = self.near > GIVEN_UP
        if self.scores and width and alive.any():
            before, there = _at_places([_wider(some, width, 0.0) for some in self.scores], size)
            gaps, own_gaps = _gaps(before, now), _gaps(now, now)
            for place in np.flatnonzero(alive):
                spread = WIDTHS[place]
                near = (np.exp(-0.5 / spread**2 * gaps) * there[:, :, None]).sum(axis=0)
                alone = np.exp(-0.5 / spread**2 * own_gaps).sum(axis=0)
                self.near[place] += table_evidence(near, there.sum(axis=0), alone, NEAR_STRENGTH)[0]
        if (tokens != tokens[0]).any():
            told = would_show(self.blocks[:size]) if size >= LONG_BLOCK else 0.0
            self.shown = (self.shown or 0.0) + told
        past.append(tokens)
        self.scores.append(block)
        del past[:-MOST_BLOCKS], self.scores[:-MOST_NEAR]
        self.sums[:size] += now
        self.turned[:size] += sign * now
        self.blocks[:size] += 1.0

    def _bet(self, kind: int, block: Floats, before: Floats) -> None:
        """On a block, foretold from one other."""
        size, width = min(len(block), len(before)), min(block.shape[1], before.shape[1])
        self._bet_normal([kind], block[:size, :width], before[None, :size, :width], np.ones(size))

    def _bet_normal(self, kinds: list[int], block: Floats, sums: Floats, blocks: Floats) -> None:
        """On a block, foretold for each kind from sums of its own, shape (kinds, N, d)."""
        row, part = np.nonzero(self.normal[kinds] > GIVEN_UP)
        if len(row):
            kind = np.asarray(kinds)[row]
            self.normal[kind, part] += place_evidence(block, sums[row], blocks, PARTS[part])

    def _scores(self, seen: Observations, dataset: int) -> Floats:
        """A block of one dataset, in spreads from the middle of what was seen of it; it is remembered."""
        plain = seen.columns if seen.plain is None else seen.columns[:, : seen.plain]
        numbers = plain[:MOST_PLACES, :MOST_COORDINATES]
        self.sums, self.turned = (_wider(some, numbers.shape[1], 0.0) for some in (self.sums, self.turned))
        past = self.numbers.setdefault(dataset, [])
        width = max(block.shape[1] for block in [numbers, *past])
        known = np.concatenate([_wider(block, width, np.nan) for block in [*past, numbers]])
        if sum(map(len, past)) < MOST_REMEMBERED:
            past.append(numbers)
        return _scores(numbers, known[:, : numbers.shape[1]])


def place_evidence(scores: Floats, sums: Floats, blocks: Floats, parts: Floats = PARTS) -> Floats:
    """Log evidence (one for each part that may be kept) that the outputs of a block stand where they were foretold.

    The first place is left out: a first call may warn, or load something, that later ones do not.

    Parameters
    ----------
    scores : floats, shape (n, d)
        The outputs of the block, in spreads from their middle.
    sums : floats, shape (N, d) or (P, N, d), with N >= n
        Of the scores at each place in the blocks before; for all parts, or for each of them.
    blocks : floats, shape (N,)
        How many blocks these were.
    parts : floats, shape (P,)
        Parts of the variance that is kept.

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
        return np.zeros(len(parts))
    part = parts[:, None]
    weight = known * part / (known * part + 1.0 - part)  # of the mean at a place: what is kept, and how sure that is
    middle = weight[:, :, None] * sums[..., :size, :width] / np.maximum(known, 1.0)[:, None]  # (parts, n, d)
    variance = 1.0 - part + part * (1.0 - weight)
    squares = (scores**2).sum(axis=1)
    gaps = squares + (middle**2).sum(axis=2)[:, :, None] - 2.0 * (middle @ scores.T)  # (parts, place, output)
    # against the law of all outputs: one that is far out fits no place, but must stand at one of them
    fit = 0.5 * squares - 0.5 * gaps / variance[:, :, None]
    return _revealed(fit)


def table_evidence(times: NDArray[Any], seen: Integers, own: NDArray[Any], strengths: Floats) -> Floats:
    """Log evidence (one for each strength) that at each place stands what stood there before.

    Foretold of an output is how often those before it at its place were like it, beside how often all were.

    Parameters
    ----------
    times : numbers, shape (n, n)
        How many outputs at each place (n) in the blocks before were like each output of this block (n); one that is
        nearly like it may count in part.
    seen : integers, shape (n,)
        How many blocks before had this place.
    own : numbers, shape (n,)
        How many outputs of this block each is like, with itself.
    strengths : floats, shape (S,)

    Examples
    --------
    >>> coins = np.random.default_rng(0).integers(0, 2, 64)
    >>> def told(now):
    ...     return table_evidence(
    ...         3 * (coins[:, None] == now), np.full(64, 3), (now[:, None] == now).sum(axis=0), STRENGTHS
    ...     )
    >>> bool(told(coins).max() > 20.0), bool(told(np.roll(coins, 5)).max() < 3.0)
    (True, True)
    """
    anywhere = (times.sum(axis=0) + own) / (seen.sum() + len(own))
    strength = strengths[:, None, None]
    return _revealed(np.log((times / anywhere + strength) / (seen[:, None] + strength)))


def _revealed(fit: Floats) -> Floats:
    """Log evidence, shape (S,), of weights with logarithms ``fit`` (S, place, output), one output after another."""
    size = fit.shape[1]
    waiting = np.triu(np.ones((size, size), dtype=bool))
    fit = np.where(waiting, fit, -np.inf)
    left = np.logaddexp.reduce(fit, axis=2) - np.log(size - np.arange(size))
    own = np.diagonal(fit, axis1=1, axis2=2)
    ratios = np.log((1.0 - KEPT) * np.exp(own - left) + KEPT)
    return np.asarray(ratios[:, 1:].sum(axis=1))


def _at_places(blocks: list[NDArray[Any]], size: int) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The outputs at the first places of all blocks, shape (H, size, ...), and which there are."""
    found = np.zeros((len(blocks), size, *blocks[0].shape[1:]), dtype=blocks[0].dtype)
    for row, block in zip(found, blocks, strict=True):
        row[: len(block)] = block[:size]
    return found, np.arange(size) < np.array([[len(block)] for block in blocks])


def _gaps(first: Floats, second: Floats) -> Floats:
    """The mean squares of the differences of outputs over their coordinates, shape (..., n, n)."""
    squares = (first**2).mean(axis=-1)[..., :, None] + (second**2).mean(axis=-1)
    return np.asarray(np.maximum(squares - 2.0 * first @ second.T / second.shape[1], 0.0))


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
