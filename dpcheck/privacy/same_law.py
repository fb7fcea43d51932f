"""Have draws of ``sample`` the law of separate calls? Bets on where an output came from, in every cell of outputs.

A fair coin chooses for each slot whether a draw or a call fills it. Under one law the coin stays fair whatever the
output is, so that in any cell of outputs fixed beforehand draws and calls come as heads and tails do. Each cell is bet
on by the average over all chances of heads (with the weights of Jeffreys): its evidence is a function of two counts. The
bets on the cells of one partition multiply; partitions are averaged: the columns of the outputs in 2 to 64 parts, single
answers, answers drawn before, and the guesses of the rules that the audit would refute a claim with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.observations import Observations

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: The finest partition of a column; coarser ones join neighbouring parts.
PARTS = 64
#: Columns compared, spread evenly over all.
MOST_COLUMNS = 64
#: Answers told apart one by one; draws kept to see which come again.
MOST_ANSWERS, MOST_KNOWN = 64, 20_000
#: The power stated.
POWER = 0.95
#: Sides (D, D'), and where an output came from (call, draw).
SIDES, SOURCES = 2, 2
#: What a guess is: none, D, D'.
GUESSES = 3


@dataclass(frozen=True)
class Slots:
    """Outputs whose source a fair coin chose: ``drawn`` is 1 for draws of ``sample``, ``side`` 1 for D, 0 for D'.

    ``guesses`` are those of rules fitted before: 1 for D, -1 for D', 0 for none.
    """

    seen: Observations
    drawn: NDArray[np.int8]
    side: NDArray[np.int8]
    guesses: NDArray[np.int8]


@dataclass(frozen=True)
class SameLaw:
    """Counts of draws and calls in every cell; the first slots seen only fix the cells.

    ``columns`` has shape (columns, parts, sides, sources), the others (cells, sides, sources).
    """

    edges: tuple[Floats, ...] = ()
    places: NDArray[np.int64] | None = None
    answers: NDArray[np.uint64] | None = None
    known: NDArray[np.uint64] | None = None
    columns: Integers | None = None
    answered: Integers | None = None
    repeated: Integers | None = None
    guessed: Integers | None = None
    slots: int = 0
    event: str = ""

    def see(self, slots: Slots, event: str = "") -> SameLaw:
        """After more slots; ``event`` says in words what their guesses go by."""
        seen = slots.seen
        if self.places is None or self.answers is None or self.known is None:
            return self._begun(seen)
        assert self.columns is not None and self.answered is not None
        assert self.repeated is not None and self.guessed is not None
        code = slots.side.astype(np.int64) * SOURCES + slots.drawn
        columns = self.columns.copy()
        for row, (place, edges) in enumerate(zip(self.places, self.edges, strict=True)):
            values = seen.columns[:, place] if place < seen.columns.shape[1] else np.full(len(seen), np.nan)
            cell = np.searchsorted(edges, values, side="right")
            cell[np.isnan(values)] = PARTS
            columns[row] += _counted(cell, code, PARTS + 1)
        cell = np.minimum(np.searchsorted(self.answers, seen.tokens), max(len(self.answers) - 1, 0))
        told = self.answers[cell] == seen.tokens if len(self.answers) else np.zeros(len(seen), bool)
        again = np.isin(seen.tokens, self.known)
        known = self.known
        if len(known) < MOST_KNOWN:
            known = np.unique(np.concatenate([known, seen.tokens]))[:MOST_KNOWN]
        return replace(
            self,
            known=known,
            columns=columns,
            answered=self.answered + _counted(np.where(told, cell, MOST_ANSWERS), code, MOST_ANSWERS + 1),
            repeated=self.repeated + _counted(again.astype(np.int64), code, 2),
            guessed=self.guessed + _counted(slots.guesses.astype(np.int64) % GUESSES, code, GUESSES),
            slots=self.slots + len(seen),
            event=event or self.event,
        )

    def _begun(self, seen: Observations) -> SameLaw:
        width = seen.columns.shape[1]
        places = np.unique(np.linspace(0, width - 1, min(width, MOST_COLUMNS)).astype(np.int64))
        edges = []
        for place in places:
            values = np.sort(seen.columns[:, place][~np.isnan(seen.columns[:, place])])
            at = (np.arange(1, PARTS) / PARTS * len(values)).astype(np.int64)
            edges.append(values[at] if len(values) else np.zeros(PARTS - 1))
        tokens, times = np.unique(seen.tokens, return_counts=True)
        often = tokens[np.argsort(-times, kind="stable")][: min(MOST_ANSWERS, int((times > 1).sum()))]
        return SameLaw(
            tuple(edges),
            places,
            np.sort(often),
            tokens[:MOST_KNOWN],
            np.zeros((len(places), PARTS + 1, SIDES, SOURCES), np.int64),
            np.zeros((MOST_ANSWERS + 1, SIDES, SOURCES), np.int64),
            np.zeros((2, SIDES, SOURCES), np.int64),
            np.zeros((GUESSES, SIDES, SOURCES), np.int64),
        )

    @property
    def evidence(self) -> float:
        """The logarithm of the evidence against one law."""
        if self.slots == 0 or self.columns is None:
            return 0.0
        assert self.answered is not None and self.repeated is not None and self.guessed is not None
        kinds = [bets(self.guessed), bets(self.answered), bets(self.repeated)]
        if len(self.columns):
            kinds.append(_column_bets(self.columns))
        return float(np.logaddexp.reduce(kinds)) - math.log(len(kinds))

    @property
    def difference(self) -> str:
        """The most telling difference, in words: how often draws and calls fall into a cell."""
        if self.slots == 0 or self.columns is None:
            return ""
        assert self.answered is not None and self.repeated is not None and self.guessed is not None
        kinds: list[tuple[float, str, Integers]] = [
            (bets(self.guessed), "", self.guessed),
            (bets(self.answered), "one of the frequent answers", self.answered),
            (bets(self.repeated), "an answer given before", self.repeated),
        ]
        for row, place in enumerate(self.places if self.places is not None else ()):
            joined = _joined(self.columns[row], 4)
            for part in range(len(joined)):
                words = f"output[{place}] in its {part + 1}. quarter of 4" if part < 4 else f"output[{place}] no number"
                alone = np.stack([joined[part], joined.sum(axis=0) - joined[part]])
                kinds.append((bets(alone), words, np.stack([alone[1], alone[0]])))
        _, words, table = max(kinds, key=lambda kind: kind[0])
        if words:
            # of single answers, the one that differs most; of the others the second cell is the event
            place = 1
            if table is self.answered:
                place = int(np.argmax([bets(table[i : i + 1]) for i in range(len(table))]))
            cell, side = table[place], int(np.argmax([bets(table[:, s : s + 1]) for s in range(SIDES)]))
        else:
            place = 1 + int(np.argmax([bets(table[i : i + 1]) for i in (1, 2)]))
            cell, side = table[place], int(np.argmax([bets(table[:, s : s + 1]) for s in range(SIDES)]))
            words = f"guess {('D', chr(68) + chr(39))[place - 1]} by {self.event or 'the rule learned'}"
        whole = table.sum(axis=0)[side]
        return (
            f"{words}, on {'D' if side else chr(68) + chr(39)}: draws {cell[side, 1]:,} of {whole[1]:,}, "
            f"calls {cell[side, 0]:,} of {whole[0]:,}"
        )


def bets(table: Integers) -> float:
    """The logarithm of the evidence that sources are no fair coin in the cells of a partition, shape (..., sides, 2).

    Half of it bets on each side's cells apart, half on those of both sides together.

    >>> bets(np.array([[[50, 50], [50, 50]]])) < 0 < bets(np.array([[[80, 20], [20, 80]]]))
    True
    """
    apart = _coin(table).sum()
    together = _coin(table.sum(axis=-2)).sum()
    return float(np.logaddexp(apart, together) - math.log(2.0))


def _column_bets(columns: Integers) -> float:
    logs = []
    parts = 2
    while parts <= PARTS:
        joined = np.stack([_joined(column, parts) for column in columns])
        apart = _coin(joined).sum(axis=(1, 2))
        together = _coin(joined.sum(axis=-2)).sum(axis=1)
        logs += [apart, together]
        parts *= 2
    every = np.concatenate(logs)
    return float(np.logaddexp.reduce(every) - math.log(len(every)))


def _joined(column: Integers, parts: int) -> Integers:
    """A column's cells in fewer parts; the last cell, of what is no number, stays."""
    whole = column[:PARTS].reshape(parts, PARTS // parts, SIDES, SOURCES).sum(axis=1)
    return np.concatenate([whole, column[PARTS:]])


def _coin(table: NDArray[np.int64]) -> Floats:
    """The logarithm of the wealth of a bettor against a fair coin, with Jeffreys' weights over the coin's chances."""
    from scipy.special import betaln

    tails, heads = table[..., 0].astype(np.float64), table[..., 1].astype(np.float64)
    return np.asarray((tails + heads) * math.log(2.0) + betaln(heads + 0.5, tails + 0.5) - math.log(math.pi))


def _counted(cells: NDArray[np.int64], code: NDArray[np.int64], count: int) -> Integers:
    both = np.bincount(cells * (SIDES * SOURCES) + code, minlength=count * SIDES * SOURCES)
    return both.reshape(count, SIDES, SOURCES).astype(np.int64)


def smallest_seen(slots: int, needed: float) -> float:
    """The total variation between draws and calls that so many slots would have shown with probability 0.95.

    For a difference in an event of probability about a half that is one of those compared; ``needed`` are the nats of
    evidence at which the comparison fails, weights of partitions included.

    >>> 0.03 < smallest_seen(20_000, 25.0) < 0.1, smallest_seen(10, 25.0)
    (True, 1.0)
    """
    low, high = 0.0, 1.0
    if slots == 0 or _expected(slots, 1.0) < needed:
        return 1.0
    while high - low > 1e-4:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if _expected(slots, middle) >= needed else (middle, high)
    return high


def _expected(slots: int, difference: float) -> float:
    """The evidence that all but one in twenty runs exceed, where draws and calls differ by so much in two halves."""
    chance = 0.5 + 0.5 * difference
    heads = slots * chance - 1.645 * math.sqrt(slots * chance * (1.0 - chance))
    half = np.array([0.5 * (slots - heads), 0.5 * heads])
    return float(2.0 * _coin(half) if heads > 0.5 * slots else 0.0)
