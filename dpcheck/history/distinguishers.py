"""How well two datasets are told apart, whatever outputs look like: rules learned anew in each block of calls.

The dataset of each output of a block is guessed by a rule learned on the block's other outputs. What a rule is made of
(which outputs came again, their kinds, quantiles of numbers, a linear score) moves with the outputs: shifted, negated,
scaled, relabelled or permuted outputs are guessed just as well. So the sums of the blocks have the same law wherever
the outputs of two versions are a bijection apart, and an exact permutation test of blocks
(:func:`dpcheck.history.two_sample.permutation_test`) says whether one version tells more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.bank import Bins
from dpcheck.privacy.statistics.game import Batch, Shape
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.scores import LinearScore, fit_linear

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: What is summed in a block: right guesses less wrong ones by the best feature (of the calls: the distinguishing
#: advantage, or total variation distance), outputs that came again and of one dataset only, and outermost numbers that
#: are nearly all of one dataset.
#: The outermost run of one dataset alone is summed apart: it is short where noise has light or exponential tails, so
#: that a few numbers far out show, which the spread of the other sum would hide.
#: What came again is summed apart for the answer and its own numbers: differences, which are counted in coarse steps,
#: come again by chance, and the spread of that would hide a rare answer.
BEST_GUESS, ONE_ONLY, OUTERMOST, FARTHEST = "best guess", "one dataset only", "outermost", "farthest out"
ITSELF = "one dataset only, the answer itself"
SUMMED = (BEST_GUESS, ONE_ONLY, ITSELF, OUTERMOST, FARTHEST)
#: An outermost number of the other dataset weighs so much: of odds below that nothing is told.
ODDS = 4
#: Blocks of a version: as many labels can be permuted in 3e13 ways, far more than any level asks for.
BLOCKS = 24
#: Coordinates looked at one by one; those beyond are part of the score of all.
MOST_COLUMNS = 12
#: Answers, and values of a coordinate, that came again and are told apart, the most frequent ones; kinds of answers.
MOST_REPEATED, MOST_KINDS = 512, 64
#: Bins of numbers that did not come again.
QUANTILES = 32
#: Bins of scores.
SCORE_EDGES: Floats = np.linspace(-6.0, 6.0, 25)
#: Times a bin is seen, on average, at least.
LEAST_IN_BIN = 20


def block_sums(batch: Batch, shape: Shape) -> dict[str, int]:
    """Each of :data:`SUMMED` of the calls of one block.

    Parameters
    ----------
    batch : Batch
    shape : Shape
        What outputs look like.

    Returns
    -------
    dict
        Whole numbers. No output has a part in the rule by which the best guess of it is made, so that this one is an
        estimate; the others count what is in the block, and are compared only.
    """
    seen, coins = batch.seen, batch.coins
    width = min(shape.fixed, seen.columns.shape[1])
    numbers = [seen.columns[:, column] for column in range(min(width, MOST_COLUMNS))]
    score = _score(seen.columns[:, :width], coins) if width > 1 else None
    features = [_answer(seen), *map(_number, numbers)]
    if score is not None:
        features.append(_Feature(Bins(SCORE_EDGES).place(score), len(SCORE_EDGES) + 2, apart=True))
        numbers.append(score)
    alike = [seen.tokens, seen.kinds, *(np.where(np.isfinite(one), one, np.nan) for one in numbers[:width])]
    own = 2 + (width if seen.plain is None else min(width, seen.plain))
    again = [_one_only(values, coins) for values in alike]
    return {
        BEST_GUESS: _best_guess(features, coins),
        ONE_ONLY: max(again),
        ITSELF: max(again[:own]),
        OUTERMOST: max((_outermost(values, coins, ODDS) for values in numbers), default=0),
        FARTHEST: max((_outermost(values, coins, len(coins)) for values in numbers), default=0),
    }


@dataclass(frozen=True)
class _Feature:
    """The bin of each output, of so many; ``apart``: halves are not comparable, and a rule learns on its own half."""

    places: Integers
    count: int
    apart: bool = False


def _best_guess(features: Sequence[_Feature], coins: NDArray[np.int8]) -> int:
    """Right guesses less wrong ones; which feature to go by is learned on the other half."""
    half = np.arange(len(coins)) % 2
    total = 0
    for part in (0, 1):
        rows = half != part

        def promise(one: _Feature, rows: NDArray[np.bool_] = rows) -> int:
            return _sum(_guesses(_Feature(one.places[rows], one.count), coins[rows]), coins[rows])

        guess = _guesses(max(features, key=promise), coins)
        total += _sum(guess[half == part], coins[half == part])
    return total


def _sum(guess: Integers, coins: NDArray[np.int8]) -> int:
    return int((guess * (2 * coins.astype(np.int64) - 1)).sum())


def _guesses(feature: _Feature, coins: NDArray[np.int8]) -> Integers:
    """The guess of each output (1: D, -1: D', 0: none), from all others in its bin."""
    if feature.apart:
        guess = np.zeros(len(coins), dtype=np.int64)
        for start in (0, 1):
            guess[start::2] = _guesses(_Feature(feature.places[start::2], feature.count), coins[start::2])
        return guess
    table = np.bincount(feature.places * 2 + coins, minlength=2 * feature.count).reshape(-1, 2).astype(np.int64)
    lean = (table[:, 1] - table[:, 0])[feature.places]
    return np.asarray(np.sign(lean - (2 * coins.astype(np.int64) - 1)))


def _answer(seen: Observations) -> _Feature:
    """Which answer it is, where it came again; else its kind."""
    known, kinds = _repeated(seen.tokens), np.unique(seen.kinds)[:MOST_KINDS]
    answer = _index(known, seen.tokens)
    places = np.where(answer < len(known), answer, len(known) + _index(kinds, seen.kinds))
    return _Feature(places, len(known) + len(kinds) + 1)


def _number(values: Floats) -> _Feature:
    """Which number it is, where it came again; else between which quantiles."""
    alike, bins = _repeated(values[np.isfinite(values)]), _quantiles(values)
    same = _index(alike, values)
    return _Feature(np.where(same < len(alike), same, len(alike) + bins.place(values)), len(alike) + bins.count)


def _score(columns: Floats, coins: NDArray[np.int8]) -> Floats | None:
    """A linear score of all coordinates, of each half by a fit to the other; None for too few outputs."""
    halves = [coins[start::2] for start in (0, 1)]
    if min((part == side).sum() for part in halves for side in (0, 1)) <= columns.shape[1]:
        return None
    values = np.empty(len(coins))
    for start in (0, 1):
        fit: LinearScore = fit_linear(columns[1 - start :: 2], halves[1 - start])
        values[start::2] = fit.log_odds(columns[start::2])
    return values


def _one_only(values: NDArray[np.generic], coins: NDArray[np.int8]) -> int:
    """How many are equal to another one, and to none of the other dataset; NaN is equal to nothing."""
    _, places, times = np.unique(values, return_inverse=True, return_counts=True, equal_nan=False)
    on_left = np.bincount(places, weights=coins, minlength=len(times))
    return int(times[(times > 1) & ((on_left == 0) | (on_left == times))].sum())


def _outermost(values: Floats, coins: NDArray[np.int8], weight: int) -> int:
    """At either end: of one dataset, less ``weight`` times those of the other, as far inwards as it grows."""
    known = np.isfinite(values)
    order = np.argsort(values[known], kind="stable")
    ranked, of_left = values[known][order], coins[known][order] == 1
    total = 0
    for numbers, lefts in ((ranked, of_left), (ranked[::-1], of_left[::-1])):
        last = np.append(numbers[1:] != numbers[:-1], True)[: len(numbers)]  # equal numbers go together
        ends = (np.cumsum(np.where(lefts == side, 1, -weight))[last] for side in (True, False))
        total += max(int(sums.max(initial=0)) for sums in ends)
    return total


def _repeated(values: NDArray[np.generic]) -> NDArray[np.generic]:
    """The values that came again, sorted; of many the most frequent."""
    known, times = np.unique(values, return_counts=True)
    known, times = known[times > 1], times[times > 1]
    return np.asarray(known[np.sort(np.argsort(-times, kind="stable")[:MOST_REPEATED])])


def _index(known: NDArray[np.generic], values: NDArray[np.generic]) -> Integers:
    """The place of each value among the known ones; their number for any other."""
    if not len(known):
        return np.zeros(len(values), dtype=np.int64)
    place = np.minimum(np.searchsorted(known, values), len(known) - 1)
    return np.where(known[place] == values, place, len(known)).astype(np.int64)


def _quantiles(values: Floats) -> Bins:
    """Bins of about equally many values."""
    known = np.sort(values[np.isfinite(values)])
    count = len(known)
    if count < 2:
        return Bins(np.zeros(0))
    wanted = max(2, min(QUANTILES, count // LEAST_IN_BIN))
    ranks = sorted({count * part // wanted for part in range(1, wanted)})
    middles = [0.5 * known[rank - 1] + 0.5 * known[rank] for rank in ranks]
    return Bins(np.unique(np.array(middles, dtype=np.float64)))
