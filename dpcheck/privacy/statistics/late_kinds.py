"""Outputs of a kind that none of the first ones was, where these were plain numbers or words: said, not looked into.

Where the first answers were structured, late parts have columns (:mod:`dpcheck.privacy.statistics.late`). Where they
were numbers, arrays or plain words there are none, and an output of another kind that comes now and then is told as a
whole only. That says enough where it comes again; where it never does, no clean verdict stands behind it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dpcheck.model.verdict import Finding
from dpcheck.privacy.statistics.layout import FEW_WHOLE_NUMBERS, Layout
from dpcheck.privacy.statistics.leaves import numbers_of
from dpcheck.privacy.statistics.low_bits import UNSEEN, as_they_came
from dpcheck.privacy.statistics.observations import Observations, Warned, describe_answer
from dpcheck.privacy.statistics.whole import at_places

#: So many outputs of such kinds that never came twice are not luck.
ENOUGH = 6
#: Of words of which this part comes a few times (not often), the others would come again too.
COME_AGAIN, FEW_TIMES = 0.1, 5
#: Where this part of the numbers that were rounded came a few times, they are too many to be answers of their own.
MOSTLY_FEW = 0.5
#: The numbers of a complex one.
COMPLEX = 2
#: Places that numbers are rounded to (to fewer, too), of those that a double of usual size holds.
ROUNDED_TO = (6, 9)
#: So many different outputs are remembered.
MOST = 20_000


@dataclass
class LateKinds:
    """How often each output came that is of another kind than the first ones."""

    times: dict[int, int] = field(default_factory=dict)
    example: str = ""
    rounded: dict[int, int] = field(default_factory=dict)
    rounded_example: str = ""
    rounded_in_all: int = 0
    numbers: int = 0

    def see(self, seen: Observations, layout: Layout | None, *, longer: bool = True) -> None:
        """More outputs, of a learner with this layout; ``longer``: also those of more numbers than it covers."""
        if layout is None:
            self._see_rounded(seen)
        if layout is not None and layout.late:
            return
        covered: float = 1 if layout is None else covered_numbers(layout)
        covered = covered if longer else math.inf
        if isinstance(seen.answers, np.ndarray):
            if int(np.prod(seen.answers.shape[1:])) <= covered:
                return
            places = list(range(len(seen)))
        else:
            places = [place for place, answer in enumerate(seen.answers) if _is_other(answer, covered)]
        for place in places:
            token = int(seen.tokens[place])
            if token in self.times:
                self.times[token] += 1
            elif len(self.times) < MOST:
                self.times[token] = 1
                self.example = describe_answer(seen.answer(place))

    def _see_rounded(self, seen: Observations) -> None:
        """Numbers that are whole and large, or were rounded to some places: their digits are looked at by no rule."""
        as_given = as_they_came(seen)
        numbers = seen.columns if as_given is None else as_given
        if numbers.shape[1] != 1:
            return
        one = numbers[:, 0]
        self.numbers += len(one)
        whole = at_places(one, 0)
        short = whole & (np.abs(one) >= FEW_WHOLE_NUMBERS)
        # what was cut to fewer bits is no rounded number, and of single precision one in a hundred is by chance
        for places in ROUNDED_TO if as_given is not None and one.dtype.itemsize == 8 else ():
            short |= at_places(one, places) & ~whole
        places_of = np.flatnonzero(short)
        self.rounded_in_all += int((short | whole).sum())
        if self.rounded_in_all > self.numbers / 2:
            return  # the first ones were of their kind, too
        tokens, first, times = np.unique(seen.tokens[places_of], return_index=True, return_counts=True)
        for token, place, count in zip(tokens.tolist(), places_of[first].tolist(), times.tolist(), strict=True):
            if token in self.rounded:
                self.rounded[token] += count
            elif len(self.rounded) < MOST:
                self.rounded[token] = count
                self.rounded_example = self.rounded_example or describe_answer(seen.answer(place))

    def finding(self) -> Finding | None:
        """What is said of outputs that never came twice; None where there were hardly any.

        Examples
        --------
        >>> LateKinds({place: 1 for place in range(6)}, "[0.5, 1.0]").finding().kind
        'not looked at'
        >>> LateKinds({0: 600, 1: 90}).finding() is None
        True
        """
        once = _never_again(self.times)
        if once:
            return Finding(
                UNSEEN,
                f"{once:,} outputs of a kind that none of the first ones was, each another, such as {self.example}: "
                "they were looked at as a whole, and a leak in a part of them would not have been found",
            )
        few = sum(count <= FEW_TIMES for count in self.rounded.values())
        if few >= max(ENOUGH, MOSTLY_FEW * len(self.rounded)) and self.rounded_in_all <= self.numbers / 2:
            return Finding(
                UNSEEN,
                f"{len(self.rounded):,} different numbers that are whole or rounded, as hardly any of the first ones "
                f"was, such as {self.rounded_example}: a leak in their digits, or in that they are, would not have "
                "been found",
            )
        return None


def _never_again(times: dict[int, int]) -> int:
    """How many of them came once, where that is no luck; else 0."""
    once = sum(count == 1 for count in times.values())
    again = sum(1 < count <= FEW_TIMES for count in times.values())
    return 0 if once < ENOUGH or again > COME_AGAIN * once else once


def covered_numbers(layout: Layout) -> int:
    """Of how many numbers of an array a layout has columns or scores.

    >>> from dpcheck.privacy.statistics.layout import fit_layout
    >>> covered_numbers(fit_layout([np.zeros(3), np.ones(3)], exact=False))
    3
    """
    return max((size for path, _, size in (*layout.numbers, *layout.wide) if path == ""), default=0)


def _is_other(answer: Any, covered: float) -> bool:
    if isinstance(answer, Warned):
        answer = answer.answer
    if answer is None:
        return False
    if isinstance(answer, complex | np.complexfloating):
        return covered < COMPLEX
    numbers = numbers_of(answer)
    return numbers is None or numbers.size > covered
