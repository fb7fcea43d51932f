"""Do the bits that real numerics rounds away tell D from D'? A finding, never a verdict.

Answers on D and on D' of one kind, sign and power of two are put into pairs, in an order that a coin decides. When
the low-order bits say nothing beyond the rounded number, no rule guesses the order better than a fair coin: that is
the game at (0, 0), with the trailing zeros of the two answers to guess from.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.verdict import Finding, as_number
from dpcheck.privacy.statistics.game import Batch, Game, Shape, new_game
from dpcheck.privacy.statistics.low_order import (
    ALIKE,
    DROPPED_BITS,
    MOST_WATCHED,
    NO_BITS,
    WATCHED_BITS,
    rounded,
    trailing_zeros,
)
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.side_game import SideGame
from dpcheck.privacy.statistics.whole import LARGEST_WHOLE
from dpcheck.privacy.statistics.wide import Block, Wide, slot_names

#: The kind of the finding on a part of outputs that no rule bets on; no clean verdict stands behind it.
UNSEEN = "not looked at"

#: The level of the finding: fixed, and none of the audit's own alpha.
LEVEL = 1e-6
#: Evidence (nats) of either comparison of low-order bits, which share the level.
_TOLD = math.log(2.0 / LEVEL)
#: Answers looked at; textbook noise in floating point shows in a thousand.
WATCHED = 20_000
#: Rounded answers of which fewer than this part are different lie on a lattice: their bits are functions of them.
LEAST_DIFFERENT = 0.9

#: Whether a number repeats when it is rounded is asked of so many outputs, or of more that have so many numbers in all;
#: it does where so many equal the next larger one. (Of a thousand doubles that lie on no lattice hardly ever two do.)
FIRST_ROUNDED, ROUNDED_IN_ALL, EQUAL = 64, 4096, 2
_LAST = np.uint64((1 << DROPPED_BITS) - 1)

#: Bits of a double's fraction, and of one in single precision.
MANTISSA_BITS, SINGLE_BITS = 52, 23
#: Of so many numbers bits are watched in as many outputs as of one; of more in as many as make so many numbers, but
#: never in fewer outputs than this.
NUMBERS_WATCHED, LEAST_OUTPUTS_WATCHED = 32, 2_000

#: What is guessed from: the trailing zeros of two answers, and those of their low-order bits that told most before.
_SLOTS = slot_names(0, 1)
_DIFFERENCE = Shape(
    1 + len(_SLOTS),
    repeats=True,
    others=False,
    names=("trailing zeros", *_SLOTS),
    shares=(0.8, *(0.2 / len(_SLOTS) for _ in _SLOTS)),
    slots=len(_SLOTS),
    single=True,
    whole_numbers=1,
)


#: Bits between those and what the rules on numbers see, each alone.
_EACH = Shape(
    len(_SLOTS),
    repeats=False,
    others=False,
    names=_SLOTS,
    shares=(1.0 / len(_SLOTS),) * len(_SLOTS),
    slots=len(_SLOTS),
    whole_numbers=1,
)


@dataclass
class LowBits:
    """The watch over low-order bits, until it has seen enough.

    ``side`` compares numbers of one size, whose bits textbook noise leaks; ``equal`` those that repeat when they are
    rounded: answers of a few kinds, and noise on a lattice that was added in floating point.
    """

    side: SideGame = field(
        default_factory=lambda: SideGame(new_game(_DIFFERENCE, 0.0, 0.0, boosted=False, wagers=False))
    )
    equal: SideGame = field(
        default_factory=lambda: SideGame(new_game(_DIFFERENCE, 0.0, 0.0, boosted=False, wagers=False))
    )
    answers: int = 0

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence that low-order bits tell D from D', of all outputs that do not wait."""
        return self.side.evidence

    @property
    def told(self) -> bool:
        """Whether low-order bits of numbers of one size tell D from D'."""
        return self.evidence >= _TOLD

    @property
    def done(self) -> bool:
        """Whether it has seen enough."""
        return self.told or self.answers >= WATCHED

    def see(self, batch: Batch, rng: np.random.Generator) -> None:
        """One more interim analysis; ``rng`` decides the order within pairs and nothing else."""
        if self.done or batch.seen.low is None:
            return
        self.answers += len(batch.coins)
        found = pairs_of_one_size(batch, rng)
        if found is not None:
            self.side = self.side.see(found)
        found = pairs_of_one_number(batch, rng)
        if found is not None:
            self.equal = self.equal.see(found)

    def finding(self) -> Finding | None:
        """What was seen and what to do; None when nothing was."""
        self.side, self.equal = self.side.settled(), self.equal.settled()
        which, side = (
            ("outputs of about one size", self.side) if self.told else ("numbers that are rounded to one", self.equal)
        )
        if side.evidence < _TOLD:
            return None
        return Finding(
            "floating point",
            f"{beside_the_verdict(_LAST_BITS)}: among {which} they tell D from D' (evidence "
            f"{as_number(side.evidence)} on {side.calls:,} pairs of outputs; by chance with probability at most "
            f"{LEVEL:g}). {_WHAT_TO_DO}",
        )


#: What the finding is about, and what whoever reads it does.
_LAST_BITS = "the last bits of the floating-point numbers that come out"
_WHAT_TO_DO = (
    "Whoever is given the full numbers can read these bits, so that the claim may fail for them: round the output "
    "to a coarse grid before it is released, or draw the noise on one (discrete Laplace or Gaussian). Whether the "
    "claim fails for the full numbers is asked by numerics 'exact' (--numerics exact)"
)


def beside_the_verdict(what: str) -> str:
    """That the verdict and this finding are about two things.

    >>> beside_the_verdict("the last bits")
    'apart from the verdict, which takes outputs for real numbers and rounds them, a leak was seen in the last bits'
    """
    return f"apart from the verdict, which takes outputs for real numbers and rounds them, a leak was seen in {what}"


def outputs_watched(numbers: int) -> int:
    """In how many outputs of so many numbers each is watched.

    >>> outputs_watched(1), outputs_watched(64), outputs_watched(4096)
    (20000, 10000, 2000)
    """
    return max(LEAST_OUTPUTS_WATCHED, WATCHED * NUMBERS_WATCHED // max(numbers, NUMBERS_WATCHED))


@dataclass
class SingleBits:
    """The watch over single bits of doubles, with which the claim's own game is played, at a level of its own.

    Middle bits are those that no rule on numbers sees and that a claim about real noise speaks of: no clean verdict
    stands behind the finding, and numerics ``exact`` bets on all bits. The ``lowest`` are those that real numerics
    drops; between outputs of one size :class:`LowBits` compares them, and here each is looked at alone, in every
    number of an output.
    """

    epsilon: float
    delta: float
    lowest: bool = False
    side: SideGame = field(init=False)
    answers: int = 0
    enough: int = WATCHED

    def __post_init__(self) -> None:
        self.side = SideGame(self._new_game())

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence that they tell D from D' better than allowed, of outputs that do not wait."""
        return self.side.evidence

    @property
    def told(self) -> bool:
        """Whether they tell D from D' better than the claim allows."""
        return self.evidence >= -math.log(LEVEL)

    @property
    def done(self) -> bool:
        """Whether it has seen enough."""
        return self.told or self.answers >= self.enough

    def see(self, batch: Batch) -> None:
        """One more interim analysis."""
        if self.done or batch.seen.low is None:
            return
        self.answers += len(batch.coins)
        words, coins = _bits_as_words(batch.seen, lowest=self.lowest), batch.coins
        if words is None or len(words) == 0:
            return
        if len(words) < len(coins):
            coins = coins[_with_bits(batch.seen.low)]
        self.enough = outputs_watched(words.shape[1])
        count = DROPPED_BITS if self.lowest else MANTISSA_BITS - DROPPED_BITS
        wide = Wide((Block(np.zeros((len(words), 0)), words),), count, exact=True)
        nothing = np.zeros(len(words), np.uint64)
        empty = np.full((len(words), len(_SLOTS)), np.nan)
        self.side = self.side.see(Batch(Observations(empty, nothing, nothing, wide=wide), coins))
        if self.done:  # what was learned of thousands of numbers is kept for no pair that is not watched any more
            self.side = replace(self.side.settled(), game=self._new_game())

    def _new_game(self) -> Game:
        return new_game(_EACH, self.epsilon, self.delta, boosted=False, wagers=False)

    def finding(self) -> Finding | None:
        """What was seen and what to do; None when nothing was."""
        self.side = self.side.settled()
        if not self.told:
            return None
        if self.lowest:
            return Finding(
                "floating point",
                f"{beside_the_verdict(f'one of the last {DROPPED_BITS} bits of a number')}: it tells D from D' better "
                f"than the claim allows (evidence {as_number(self.evidence)}; by chance with probability at most "
                f"{LEVEL:g}). {_WHAT_TO_DO}",
            )
        return Finding(
            UNSEEN,
            "single bits of doubles: one of the higher bits tells D from D' (evidence "
            f"{as_number(self.evidence)}, level {LEVEL:g}); numerics 'exact' tests the claim on each bit",
        )


def _with_bits(low: NDArray[np.uint64]) -> NDArray[np.int64]:
    return np.flatnonzero((low & NO_BITS) != NO_BITS)


def _bits_as_words(seen: Observations, *, lowest: bool) -> NDArray[np.uint64] | None:
    """The low-order bits, or those above them, of the numbers of each output; None where there are none.

    Of all numbers as they came where the outputs have more than one; of one as it came and after rounding, of the
    outputs that are floats.
    """
    assert seen.low is not None
    numbers = as_they_came(seen)
    if numbers is not None and numbers.shape[1] > 1:
        return _fraction_bits(numbers, lowest=lowest, singles=None if numbers is not seen.unrounded else seen.singles)
    if lowest:  # of one number they are compared between outputs of one size, which sees more
        return None
    usable = _with_bits(seen.low)
    one = (seen.low[usable] >> np.uint64(8 + DROPPED_BITS)) & np.uint64((1 << WATCHED_BITS - DROPPED_BITS) - 1)
    return np.column_stack([_fraction_bits(seen.columns[usable, : seen.plain], lowest=False), one])


def as_they_came(seen: Observations) -> NDArray[Any] | None:
    """The numbers of each output before rounding, shape (n, w); None where they are not known."""
    answers = seen.answers
    if isinstance(answers, np.ndarray) and answers.dtype.kind == "f" and answers.dtype.itemsize in (4, 8):
        return answers.reshape(len(answers), -1)[:, :MOST_WATCHED]
    return seen.unrounded


def _fraction_bits(
    numbers: NDArray[Any], *, lowest: bool, singles: NDArray[np.bool_] | None = None
) -> NDArray[np.uint64]:
    """The low-order bits of the fraction of each number, or those above them; 0 of what is whole or not finite.

    What is whole is a length, a code or a count as often as noise, and rules on digits see all of it. ``singles``:
    which of the numbers came in single precision.
    """
    raw: Any = np.ascontiguousarray(numbers).view(f"u{numbers.dtype.itemsize}").astype(np.uint64)
    count: Any = np.uint64(np.finfo(numbers.dtype).nmant)
    if singles is not None and singles.any():
        raw = np.where(singles, raw >> np.uint64(MANTISSA_BITS - SINGLE_BITS), raw)
        count = np.where(singles, np.uint64(SINGLE_BITS), count)
    dropped = np.uint64(DROPPED_BITS)
    some, count = (raw, dropped) if lowest else (raw >> dropped, count - dropped)
    seen = np.isfinite(numbers) & ((numbers != np.rint(numbers)) | (np.abs(numbers) >= LARGEST_WHOLE))
    return np.asarray(np.where(seen, some & ((np.uint64(1) << count) - np.uint64(1)), np.uint64(0)))


def pairs_of_one_size(batch: Batch, rng: np.random.Generator) -> Batch | None:
    """Pairs of one answer on D and one on D' that differ by low-order bits alone; None when there are none."""
    seen = batch.seen
    assert seen.low is not None
    usable = _with_bits(seen.low)[:WATCHED]
    if len(usable) < 2 or _repeat(seen.tokens[usable]):
        return None
    low = seen.low[usable]
    bits = (low >> np.uint64(8)) & _LAST
    return _paired(low >> ALIKE, bits, (low & NO_BITS).astype(np.int64), batch.coins[usable] == 1, rng)


def pairs_of_one_number(batch: Batch, rng: np.random.Generator) -> Batch | None:
    """Pairs of a double on D and one on D' that are rounded to the same and are not the same; None without any.

    Whoever is given two that differ in their last bits can tell them apart. (Of single precision too few bits are left
    to say what repeats.) Of each output with several numbers that repeat ``rng`` draws one.
    """
    seen = batch.seen
    assert seen.low is not None
    numbers = as_they_came(seen)
    if numbers is None or numbers.dtype.itemsize != 8:
        return None
    first = max(FIRST_ROUNDED, ROUNDED_IN_ALL // max(numbers.shape[1], 1))
    repeating = np.flatnonzero(_repeating(rounded(numbers[:first])))
    if not len(repeating):
        return None
    place = rng.integers(0, len(repeating), len(numbers))
    rows = np.arange(len(numbers))
    one = numbers[rows, repeating[place]]
    single = np.zeros(len(numbers), bool) if seen.singles is None else seen.singles[rows, repeating[place]]
    usable = np.flatnonzero(np.isfinite(one) & (one != 0) & ~single)[:WATCHED]
    if len(usable) < 2:
        return None
    one = np.ascontiguousarray(one[usable])
    _, kind = np.unique(rounded(one[:, None])[:, 0], return_inverse=True)
    bits = one.view(np.uint64) & _LAST
    kind = kind * len(repeating) + place[usable]
    return _paired(kind, bits, trailing_zeros(bits), batch.coins[usable] == 1, rng, apart=True)


def _repeating(numbers: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether values of each number of some outputs, shape (n, w), come again; what is not there is none."""
    ordered = np.sort(numbers, axis=0)
    return np.asarray((ordered[1:] == ordered[:-1]).sum(axis=0) >= EQUAL)


def _repeat(values: NDArray[Any]) -> bool:
    """Whether so few of them differ that they lie on a lattice."""
    return len(np.unique(values)) < LEAST_DIFFERENT * len(values)


def _paired(
    kind: NDArray[Any],
    bits: NDArray[np.uint64],
    zeros: NDArray[np.int64],
    on_left: NDArray[np.bool_],
    rng: np.random.Generator,
    *,
    apart: bool = False,
) -> Batch | None:
    """Answers on D and on D' of one kind in pairs, in an order that a coin decides; ``apart``: whose bits differ."""
    _, kind = np.unique(kind, return_inverse=True)
    numbers = _ranked(kind, on_left), _ranked(kind, ~on_left)
    _, left, right = np.intersect1d(*numbers, assume_unique=True, return_indices=True)
    if apart:
        differ = bits[on_left][left] != bits[~on_left][right]
        left, right = left[differ], right[differ]
    if len(left) == 0:
        return None
    coins = rng.integers(0, 2, len(left)).astype(np.int8)
    one, two = _in_order(bits[on_left][left], bits[~on_left][right], coins)
    wide = Wide((Block(np.zeros((len(coins), 0)), np.column_stack([one, two])),), DROPPED_BITS, exact=True)
    ours, theirs = _in_order(zeros[on_left][left], zeros[~on_left][right], coins)
    columns = np.full((len(coins), 1 + len(_SLOTS)), np.nan)
    columns[:, 0] = ours - theirs
    return Batch(Observations(columns, _token(ours, theirs), ours, wide=wide), coins)


def _in_order(ours: NDArray[Any], theirs: NDArray[Any], coins: NDArray[np.int8]) -> tuple[NDArray[Any], NDArray[Any]]:
    return np.where(coins == 1, ours, theirs), np.where(coins == 1, theirs, ours)


def _ranked(kind: NDArray[np.int64], chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """A number for each chosen answer: its kind and its place among the chosen ones of that kind."""
    some = kind[chosen]
    order = np.argsort(some, kind="stable")
    starts = np.flatnonzero(np.concatenate([[True], np.diff(some[order]) != 0])) if len(some) else np.zeros(0, int)
    rank = np.empty(len(some), np.int64)
    rank[order] = np.arange(len(some)) - np.repeat(starts, np.diff(np.append(starts, len(some))))
    return some * len(kind) + rank


def _token(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.uint64]:
    return (first * 16 + second).astype(np.uint64)
