"""Numbers that are whole or rounded where hardly any of the first ones was: said, since no rule looks at their digits.

Which digits are looked at is fixed by the first outputs (:mod:`dpcheck.privacy.statistics.layout`). Where those were
real numbers, or small whole ones, a record can stand in the digits of numbers that come later.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.verdict import Finding
from dpcheck.privacy.statistics.columns import digits_of
from dpcheck.privacy.statistics.layout import FEW_WHOLE_NUMBERS, Layout
from dpcheck.privacy.statistics.low_bits import UNSEEN, as_they_came, outputs_watched
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.whole import at_places

#: So many different ones are not luck; this part of them came at most so often, for else each is an answer of its own.
ENOUGH, MOSTLY, FEW_TIMES = 6, 0.5, 5
#: Of numbers that are not whole at most this part is rounded where that is not what all of them are.
NO_RULE = 0.75
#: Places that numbers are rounded to (to fewer, too), of those that a double of usual size holds.
ROUNDED_TO = (6, 9)
#: Where most numbers are whole, and small, the tails of noise on them reach far; so far only what is none of it.
FAR = 1024.0
#: So many different numbers of all columns are remembered.
MOST = 20_000

Counts = NDArray[np.int64]


@dataclass
class LateDigits:
    """Of each column without digits: how many numbers, whole and rounded ones it had, how often each of these came."""

    outputs: int = 0
    numbers: Counts = field(default_factory=lambda: np.zeros(0, np.int64))
    whole: Counts = field(default_factory=lambda: np.zeros(0, np.int64))
    rounded: Counts = field(default_factory=lambda: np.zeros(0, np.int64))
    times: dict[int, dict[float, int]] = field(default_factory=dict)
    kept: int = 0

    def see(self, seen: Observations, layout: Layout | None) -> None:
        """More outputs, of a learner with this layout."""
        as_given = as_they_came(seen)
        numbers = seen.columns if as_given is None and layout is None else as_given
        if numbers is None or numbers.shape[1] == 0 or self.outputs >= outputs_watched(numbers.shape[1]):
            return
        if numbers.shape[1] != len(self.numbers):
            self.numbers, self.whole, self.rounded = np.zeros((3, numbers.shape[1]), np.int64)
            self.times = {}
        self.outputs += len(numbers)
        open_ones = np.setdiff1d(np.arange(numbers.shape[1]), columns_with_digits(layout))
        some = numbers[:, open_ones]
        whole = at_places(some, 0)
        rounded = np.zeros_like(whole)
        # what was cut to fewer bits is no rounded number, and of single precision one in a hundred is by chance
        for places in ROUNDED_TO if as_given is not None and some.dtype.itemsize == 8 else ():
            rounded |= at_places(some, places) & ~whole
        if seen.singles is not None and as_given is seen.unrounded:
            rounded &= ~seen.singles[:, open_ones]
        self.numbers[open_ones] += np.isfinite(some).sum(axis=0)
        self.whole[open_ones] += whole.sum(axis=0)
        self.rounded[open_ones] += rounded.sum(axis=0)
        least = np.where(2 * self.whole[open_ones] > self.numbers[open_ones], FAR, FEW_WHOLE_NUMBERS)
        self._remember(some, open_ones, rounded | (whole & (np.abs(some) >= least)))

    def _remember(self, numbers: NDArray[np.floating], columns: NDArray[np.intp], chosen: NDArray[np.bool_]) -> None:
        rows, places = np.nonzero(chosen)
        values = numbers[rows, places]
        order = np.lexsort((values, places))
        values, places = values[order], columns[places[order]]
        first = np.flatnonzero(np.append(True, (np.diff(values) != 0) | (np.diff(places) != 0))[: len(values)])
        times = np.diff(np.append(first, len(values)))
        for column, value, count in zip(places[first].tolist(), values[first].tolist(), times.tolist(), strict=True):
            known = self.times.setdefault(column, {})
            if value in known or self.kept < MOST:
                self.kept += value not in known
                known[value] = known.get(value, 0) + count

    def finding(self) -> Finding | None:
        """What is said of them; None where there were hardly any, or all the first ones were of their kind.

        Examples
        --------
        >>> seldom = {0: {100.0 + place: 1 for place in range(9)}}
        >>> LateDigits(100, np.array([100]), np.array([9]), np.array([0]), seldom).finding().kind
        'not looked at'
        >>> LateDigits(100, np.array([100]), np.array([99]), np.array([0]), seldom).finding() is None
        True
        """
        for column, times in self.times.items():
            least = FAR if 2 * self.whole[column] > self.numbers[column] else 0.0
            whole = {value: count for value, count in times.items() if value == math.floor(value)}
            large = {value: count for value, count in whole.items() if abs(value) >= least}
            rounded = {value: count for value, count in times.items() if value not in whole}
            others = self.numbers[column] - self.whole[column]
            found = large if _are_many(large) and max(large) - min(large) >= least else {}
            found = found or (rounded if _are_many(rounded) and self.rounded[column] <= NO_RULE * others else {})
            if found:
                return Finding(
                    UNSEEN,
                    f"{len(found):,} different numbers that are whole or rounded, such as {min(found, key=abs):.16g}, "
                    "as hardly any of the first ones in their place was: a leak in their digits, or in that they are "
                    "so, would not have been found",
                )
        return None


def _are_many(times: dict[float, int]) -> bool:
    """Whether they are too many for each to be an answer of its own, and no luck."""
    return sum(count <= FEW_TIMES for count in times.values()) >= max(ENOUGH, MOSTLY * len(times))


def columns_with_digits(layout: Layout | None) -> list[int]:
    """The columns of numbers, as they come, whose digits have rules.

    >>> from dpcheck.privacy.statistics.layout import fit_layout
    >>> columns_with_digits(fit_layout([np.array([k / 3, 300.0 * k]) for k in (1, 2, 4, 5)], exact=False))
    [1]
    """
    if layout is None:
        return []
    first = {path: start for path, start, _ in layout.wide or layout.numbers}
    found = []
    for path, _, size, decimals in digits_of(layout):
        places = [*decimals, *[decimals[-1]] * max(0, size - len(decimals))][:size]
        found += [first[path] + place for place, rounded in enumerate(places) if path in first and rounded >= 0]
    return found
