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
from dpcheck.privacy.statistics.layout import Layout
from dpcheck.privacy.statistics.leaves import numbers_of
from dpcheck.privacy.statistics.low_bits import UNSEEN
from dpcheck.privacy.statistics.observations import Observations, Warned, describe_answer

#: So many outputs of such kinds that never came twice are not luck.
ENOUGH = 6
#: Of words of which this part comes a few times (not often), the others would come again too.
COME_AGAIN, FEW_TIMES = 0.1, 5
#: The numbers of a complex one.
COMPLEX = 2
#: So many different outputs are remembered.
MOST = 20_000


@dataclass
class LateKinds:
    """How often each output came that is of another kind than the first ones."""

    times: dict[int, int] = field(default_factory=dict)
    example: str = ""

    def see(self, seen: Observations, layout: Layout | None, *, longer: bool = True) -> None:
        """More outputs, of a learner with this layout; ``longer``: also those of more numbers than it covers."""
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

    def finding(self) -> Finding | None:
        """What is said of outputs that never came twice; None where there were hardly any.

        Examples
        --------
        >>> LateKinds({place: 1 for place in range(6)}, "[0.5, 1.0]").finding().kind
        'not looked at'
        >>> LateKinds({0: 600, 1: 90}).finding() is None
        True
        """
        once = sum(count == 1 for count in self.times.values())
        again = sum(1 < count <= FEW_TIMES for count in self.times.values())
        if once < ENOUGH or again > COME_AGAIN * once:
            return None
        return Finding(
            UNSEEN,
            f"{once:,} outputs of a kind that none of the first ones was, each another, such as {self.example}: they "
            "were looked at as a whole, and a leak in a part of them would not have been found",
        )


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
