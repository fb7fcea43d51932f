"""An algorithm of one labelled entry and one without a label that attains what SubSampling may lose."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.neighbours import ReplaceEntry
from dpcheck.parts.learners.records import partly_labelled


@dataclass(frozen=True)
class TwoBits:
    """Is the labelled entry labelled 1, and is the point of the other one 1? Each told truly with odds ``ratio`` to 1.

    Each entry has a bit of its own, so it is (log ratio, delta)-DP and no better; with probability ``delta`` both bits
    are told beyond doubt.

    Examples
    --------
    >>> TwoBits(Fraction(3)).distribution([(0, 1), (1, -1)])[True, True]
    Fraction(9, 16)
    """

    ratio: Fraction
    delta: Fraction = Fraction(0)
    order_blind: ClassVar[bool] = True

    @property
    def claim(self) -> PureDP | ApproxDP:
        """(log ratio, delta)."""
        return ApproxDP(delta=self.delta, ratio=self.ratio) if self.delta else PureDP(ratio=self.ratio)

    @property
    def neighbours(self) -> ReplaceEntry:
        """One of two entries replaced, the first of them labelled."""
        return ReplaceEntry(size=2, labelled=1)

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        """The law, in fractions."""
        _, y, others = partly_labelled(dataset)
        bits = bool(y[0] == 1), bool(others[0] == 1)
        each = self.ratio / (1 + self.ratio), 1 / (1 + self.ratio)
        law: dict[Any, Fraction] = {
            pair: (1 - self.delta) * each[pair[0] != bits[0]] * each[pair[1] != bits[1]]
            for pair in product((False, True), repeat=2)
        }
        if self.delta:
            law[(*bits, "for sure")] = self.delta
        return law

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One answer."""
        law = self.distribution(dataset)
        outputs = list(law)
        return outputs[int(rng.choice(len(outputs), p=[float(law[output]) for output in outputs]))]
