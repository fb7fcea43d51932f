"""Are runs with different seeds fresh? Three exact tests on blocks of outputs, each block from a fresh learner.

Fresh runs on one dataset are independent and alike, so that, given the outputs of a block but not their order, every
order is as likely as any other, whatever another block shows. Three things are bet on against that: that the i-th
output of a block equals the i-th of the other, or follows from it where there are few kinds (a generator, counter or
buffer that starts again with each learner; between two datasets, noise that they share); that it is foretold by those
at its place before (:mod:`.kept_noise`: the same under other noise); and that one block repeats outputs that the other
has not (answers that are remembered). Nothing rests on what the learner holds, and no evidence comes of constant
outputs: they are told from remembered answers elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.verdict import as_number
from dpcheck.privacy.statistics.kept_noise import BETS, ON_TWO, KeptNoise
from dpcheck.privacy.statistics.observations import Observations

Floats = NDArray[np.float64]
Tokens = NDArray[np.uint64]

#: The part of each stake that is kept: a bet on sameness that loses costs this factor at the worst.
KEPT = (0.05, 0.5)
#: Of outputs of at most so many kinds it is learned how they follow; the part of each such bet that is kept.
FEW, PRUDENT = 8, 0.2
#: Blocks shorter than this show nothing.
LEAST_BLOCK = 2


def same_places(first: Tokens, second: Tokens) -> tuple[Floats, float]:
    """Log evidence (one for each of ``KEPT``) that outputs at the same places are equal, and the most it could be.

    The first place is left out: a first call may warn, or load something, that later ones do not.

    Examples
    --------
    >>> noise = np.arange(20, dtype=np.uint64)
    >>> bool(same_places(noise, noise)[0].max() > 30.0)
    True
    >>> bool(same_places(noise, noise[::-1])[0].max() <= 0.0)
    True
    """
    size = min(len(first), len(second))
    places = np.arange(1, size)
    codes = np.unique(np.concatenate([first[:size], second[:size]]), return_inverse=True)[1].astype(np.int64)
    mine, theirs = codes[:size], codes[size:]
    keys = np.sort(theirs * (size + 1) + np.arange(size))
    base = mine[1:] * (size + 1)
    left = np.searchsorted(keys, base + size) - np.searchsorted(keys, base + places)
    chance = left / (size - places)
    met = mine[1:] == theirs[1:]
    open_ = (left > 0) & (left < size - places)
    chance, met = chance[open_], met[open_]
    found = [float(np.log(np.where(met, (1.0 - kept) / chance + kept, kept)).sum()) for kept in KEPT]
    # what a full repetition would have shown: of outputs all different, those that are left at each place
    numbers = np.unique(theirs, return_counts=True)[1] / size
    most = float(-(size - 1) * (numbers * np.log(numbers)).sum())
    return np.array(found), most


def prediction_evidence(before: NDArray[np.int64], codes: NDArray[np.int64]) -> float:
    """Log evidence that few-valued outputs follow from something known before each: how, is learned on the way.

    Whatever ``before`` is, all orders of the outputs are as likely when these are fresh: what is bet on is the next
    output, in odds of those that are left.

    Parameters
    ----------
    before, codes : whole numbers from 0 on, shape (n,)
        What is known before each output, and the output.

    Examples
    --------
    >>> coins = np.random.default_rng(0).integers(0, 2, 60)
    >>> prediction_evidence(coins, 1 - coins) > 20.0, prediction_evidence(coins, np.roll(coins, 7)) < 5.0
    (True, True)
    """
    size, kinds = len(codes), int(codes.max(initial=0)) + 1
    if kinds > FEW or kinds < 2:
        return 0.0
    is_it = np.zeros((size, kinds))
    is_it[np.arange(size), codes] = 1.0
    seen = np.empty((size, kinds))  # of each kind, how often it came before where the same was known
    for what in np.unique(before):
        rows = np.flatnonzero(before == what)
        seen[rows] = np.cumsum(is_it[rows], axis=0) - is_it[rows]
    here = np.arange(size)
    left = (is_it.sum(axis=0) - np.cumsum(is_it, axis=0) + is_it)[here, codes]
    guess = (seen[here, codes] + 0.5) / (seen.sum(axis=1) + 0.5 * kinds)
    return float(np.log((1.0 - PRUDENT) * guess * (size - here) / left + PRUDENT).sum())


def block_evidence(first: Tokens, second: Tokens, rng: np.random.Generator) -> float:
    """Log evidence that equal outputs stand in one block rather than in both: the block remembers.

    Outputs of both blocks are revealed in a random order; of each, the block is guessed from the equal ones before it.

    Examples
    --------
    >>> blocks = np.repeat(np.array([3, 4], dtype=np.uint64), 20)
    >>> block_evidence(blocks[:20], blocks[20:], np.random.default_rng(0)) > 15.0
    True
    """
    size = len(first) + len(second)
    order = rng.permutation(size)
    codes = np.unique(np.concatenate([first, second]), return_inverse=True)[1][order]
    mine = order < len(first)
    total = np.arange(size)
    left = size - total
    chance = (len(first) - (np.cumsum(mine) - mine)) / left
    by_code = np.argsort(codes, kind="stable")
    sorted_mine = mine[by_code].astype(np.int64)
    starts = np.flatnonzero(np.r_[True, np.diff(codes[by_code]) != 0])
    lengths = np.diff(np.r_[starts, size])
    before = np.cumsum(sorted_mine) - sorted_mine
    met, met_mine = np.empty(size, dtype=np.int64), np.empty(size, dtype=np.int64)
    met[by_code] = total - np.repeat(starts, lengths)
    met_mine[by_code] = before - np.repeat(before[starts], lengths)
    guess = (chance + met_mine) / (1.0 + met)
    open_ = (chance > 0.0) & (chance < 1.0)
    ratio = np.where(mine, guess, 1.0 - guess)[open_] / np.where(mine, chance, 1.0 - chance)[open_]
    return float(np.log(ratio).sum())


#: The bets, each with an equal share of what is staked: the same dataset, two datasets, answers that are remembered,
#: and noise that is kept under other noise.
_TOLD = len(KEPT) + 1
_ON_ONE, _ON_TWO, _REMEMBERED = slice(0, _TOLD), slice(_TOLD, 2 * _TOLD), 2 * _TOLD
_BETS = 2 * _TOLD + 1 + BETS


@dataclass
class Freshness:
    """Evidence against fresh runs, growing with each pair of blocks; ``shown`` is what a full repetition had given."""

    logs: Floats = field(default_factory=lambda: np.zeros(2 * _TOLD + 1))
    kept: KeptNoise = field(default_factory=KeptNoise)
    outputs: int = 0
    shown: float = 0.0

    @property
    def _all_logs(self) -> Floats:
        return np.concatenate([self.logs, self.kept.logs])

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence of all bets together."""
        return float(np.logaddexp.reduce(self._all_logs)) - math.log(_BETS)

    def see(self, blocks: Mapping[int, tuple[Observations, Observations]], rng: np.random.Generator) -> None:
        """One more interim analysis: of each dataset, by its number, two blocks of two fresh learners not yet seen.

        ``rng`` breaks ties; it must not depend on the outputs.
        """
        long = {dataset: two for dataset, two in blocks.items() if min(map(len, two)) >= LEAST_BLOCK}
        for one, other in long.values():
            self.logs[_ON_ONE] += self._compared(one, other, counted=True)
            self.logs[_REMEMBERED] += block_evidence(one.tokens, other.tokens, rng)
            self.outputs += len(one) + len(other)
        self.kept.see(long)
        if len(long) == 2:
            (one, _), (other, _) = long.values()
            self.logs[_ON_TWO] += self._compared(one, other, counted=False)

    def _compared(self, one: Observations, other: Observations, *, counted: bool) -> Floats:
        same, most = same_places(one.tokens, other.tokens)
        if counted:
            self.shown += most
        size = min(len(one), len(other))
        codes = [np.unique(block.tokens[:size], return_inverse=True)[1].astype(np.int64) for block in (one, other)]
        told = prediction_evidence(*codes) if codes[0].max() < FEW else 0.0
        return np.array([*same, told])

    def complaint(self) -> str:
        """What is said of a learner whose runs are not fresh."""
        which, foretold = int(np.argmax(self.logs)), self.kept.logs.max() > self.logs.max()
        sure = f"(evidence {as_number(self.evidence)})"
        if which == _REMEMBERED and not foretold:
            return (
                f"outputs of one fresh learner depend on each other {sure}: it remembers answers, so that its runs are "
                "not fresh; draw anew in each call, from the rng that the call is given."
            )
        shared = self.kept.logs.max() == self.kept.normal[ON_TWO].max() if foretold else which >= _ON_TWO.start
        where = "two datasets share their noise" if shared else "two fresh learners repeat each other"
        return (
            f"runs with different seeds depend on each other {sure}: {where}, call for call, so that its runs are not "
            "fresh; a generator, counter or buffer of its own starts again: draw from the rng that each call is given."
        )
