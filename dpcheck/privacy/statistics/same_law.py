"""Have draws of ``sample`` the law of separate calls? Bets on where an output came from, in every cell of outputs.

A fair coin chooses for each slot whether a draw or a call fills it. Under one law the coin stays fair whatever the
output is, so that in any cell of outputs fixed beforehand draws and calls come as heads and tails do. Each cell is bet
on by the average over all chances of heads (with the weights of Jeffreys): its evidence is a function of two counts.
The bets on the cells of one partition multiply; partitions are averaged: the columns of the outputs in 2 to 64 parts,
single answers, answers given before, and the guesses of the rules that the audit would refute a claim with.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.observations import Observations

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
SIDE_NAMES = ("D'", "D")
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
    places: tuple[int, ...] = ()
    answers: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    known: NDArray[np.uint64] = field(default_factory=lambda: np.zeros(0, np.uint64))
    columns: Integers = field(default_factory=lambda: _no_counts(0, PARTS + 1))
    answered: Integers = field(default_factory=lambda: _no_counts(MOST_ANSWERS + 1))
    repeated: Integers = field(default_factory=lambda: _no_counts(2))
    guessed: Integers = field(default_factory=lambda: _no_counts(GUESSES))
    begun: bool = False
    slots: int = 0
    event: str = ""

    def see(self, slots: Slots, event: str = "") -> SameLaw:
        """After more slots; ``event`` says in words what their guesses go by."""
        seen = slots.seen
        if not self.begun:
            return self._with_partitions(seen)
        code = slots.side.astype(np.int64) * SOURCES + slots.drawn
        columns = self.columns.copy()
        for row, (place, edges) in enumerate(zip(self.places, self.edges, strict=True)):
            values = seen.columns[:, place] if place < seen.columns.shape[1] else np.full(len(seen), np.nan)
            cell = np.searchsorted(edges, values, side="right")
            cell[np.isnan(values)] = PARTS
            columns[row] += _counted(cell, code, PARTS + 1)
        cell = np.minimum(np.searchsorted(self.answers, seen.tokens), max(len(self.answers) - 1, 0))
        told = self.answers[cell] == seen.tokens if len(self.answers) else np.zeros(len(seen), bool)
        at = np.minimum(np.searchsorted(self.known, seen.tokens), len(self.known) - 1)
        again = self.known[at] == seen.tokens if len(self.known) else np.zeros(len(seen), bool)
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

    def _with_partitions(self, seen: Observations) -> SameLaw:
        width = seen.columns.shape[1]
        places = np.unique(np.linspace(0, width - 1, min(width, MOST_COLUMNS)).astype(np.int64))
        edges = []
        for place in places:
            values = np.sort(seen.columns[:, place][~np.isnan(seen.columns[:, place])])
            at = (np.arange(1, PARTS) / PARTS * len(values)).astype(np.int64)
            edges.append(values[at] if len(values) else np.zeros(PARTS - 1))
        tokens, times = np.unique(seen.tokens, return_counts=True)
        often = tokens[np.argsort(-times, kind="stable")][: min(MOST_ANSWERS, int((times > 1).sum()))]
        return replace(
            self,
            edges=tuple(edges),
            places=tuple(int(place) for place in places),
            answers=np.sort(often),
            known=tokens[:MOST_KNOWN],
            columns=_no_counts(len(places), PARTS + 1),
            begun=True,
        )

    @cached_property
    def evidence(self) -> float:
        """The logarithm of the evidence against one law."""
        if self.slots == 0:
            return 0.0
        kinds = [bets(self.guessed), bets(self.answered), bets(self.repeated)]
        if len(self.columns):
            kinds.append(_column_bets(self.columns))
        return float(np.logaddexp.reduce(kinds)) - math.log(len(kinds))

    def difference(self, name: Callable[[int], str]) -> str:
        """The most telling difference in words: how often draws and calls fall into a cell; ``name`` names columns."""
        if self.slots == 0:
            return ""
        cells = [
            (f"guessed D by {self.event}", self.guessed[1], self.guessed),
            (f"guessed D' by {self.event}", self.guessed[2], self.guessed),
            ("an answer given before", self.repeated[1], self.repeated),
        ]
        cells += [("one of the most frequent answers", answer, self.answered) for answer in self.answered[:-1]]
        for row, place in enumerate(self.places):
            quarters, edges = _joined(self.columns[row], 4), self.edges[row][PARTS // 4 - 1 :: PARTS // 4]
            for part, words in enumerate(_quarters(name(place), edges)):
                cells.append((words, quarters[part], quarters))

        def telling(cell: Integers, whole: Integers, side: int) -> float:
            return bets(np.stack([cell[side : side + 1], (whole.sum(axis=0) - cell)[side : side + 1]]))

        found = [
            (telling(cell, whole, side), number, side)
            for number, (_, cell, whole) in enumerate(cells)
            for side in (1, 0)
        ]
        _, number, side = max(found)
        words, cell, whole = cells[number]
        of = whole.sum(axis=0)[side]
        return (
            f"{words}, on {SIDE_NAMES[side]}: draws of sample {cell[side, 1]:,} of {of[1]:,}, "
            f"calls {cell[side, 0]:,} of {of[0]:,}"
        )


def _quarters(name: str, edges: Floats) -> list[str]:
    """The quarters of a column in words, and what is no number.

    >>> _quarters("output", np.array([1.0, 2.0, 3.0]))[0::3]
    ['output < 1', 'output >= 3']
    """
    low, middle, high = (f"{edge:.4g}" for edge in edges)
    inner = [f"{low} <= {name} < {middle}", f"{middle} <= {name} < {high}"]
    return [f"{name} < {low}", *inner, f"{name} >= {high}", f"{name} is no number"]


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


def _no_counts(*cells: int) -> Integers:
    return np.zeros((*cells, SIDES, SOURCES), np.int64)


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
