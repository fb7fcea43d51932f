"""Finite private algorithms whose laws are fractions: with these the sampling claims of beimel2015 are decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.neighbours import ReplaceOne
from dpcheck.parts.learners.records import private_records


def _draw(law: Mapping[Any, Fraction], rng: np.random.Generator) -> Any:
    outputs = list(law)
    return outputs[int(rng.choice(len(outputs), p=[float(law[each]) for each in outputs]))]


def _ones(dataset: Any, *, of_points: bool = False) -> int:
    return int(np.count_nonzero(np.asarray(private_records(dataset)[0 if of_points else 1]) == 1))


@dataclass(frozen=True)
class Presence:
    """Whether a label (or a point) is 1: told with odds ``ratio`` to 1, and with probability ``delta`` beyond doubt.

    It is (log ratio, delta)-DP and no better, and of all such algorithms one that a random part of the records serves
    worst: the differing record alone decides.

    Examples
    --------
    >>> Presence(Fraction(3), Fraction(1, 10)).distribution([(0, 0), (0, 1)])
    {True: Fraction(27, 40), False: Fraction(9, 40), 'True for sure': Fraction(1, 10)}
    """

    ratio: Fraction
    delta: Fraction = Fraction(0)
    of_points: bool = False
    order_blind: ClassVar[bool] = True

    @property
    def claim(self) -> PureDP | ApproxDP:
        """(log ratio, delta)."""
        return ApproxDP(delta=self.delta, ratio=self.ratio) if self.delta else PureDP(ratio=self.ratio)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def distribution(self, dataset: Any) -> dict[Any, Fraction]:
        """The law, in fractions."""
        bit = _ones(dataset, of_points=self.of_points) > 0
        told = {bit: self.ratio / (1 + self.ratio), not bit: 1 / (1 + self.ratio)}
        law: dict[Any, Fraction] = {answer: (1 - self.delta) * chance for answer, chance in told.items()}
        if self.delta:
            law[f"{bit} for sure"] = self.delta
        return law

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One answer."""
        return _draw(self.distribution(dataset), rng)


@dataclass(frozen=True)
class Powers:
    """Says yes with probability ``ratio^(k - most) / 2``, k the labels 1 among at most ``most`` records.

    It is (log ratio)-DP: the probability of yes changes by the ratio, and that of no from 1/2 on by less. Where k is
    drawn, it keeps what ``E ratio^k`` says: resampling can do no worse to any algorithm.

    Examples
    --------
    >>> Powers(Fraction(2), 3).distribution([(0, 1), (0, 1)])
    {True: Fraction(1, 4), False: Fraction(3, 4)}
    """

    ratio: Fraction
    most: int
    order_blind: ClassVar[bool] = True

    @property
    def claim(self) -> PureDP:
        """(log ratio)-DP."""
        return PureDP(ratio=self.ratio)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def distribution(self, dataset: Any) -> dict[bool, Fraction]:
        """The law, in fractions."""
        yes = self.ratio ** (_ones(dataset) - self.most) / 2
        return {True: yes, False: 1 - yes}

    def __call__(self, dataset: Any, rng: np.random.Generator) -> bool:
        """One answer."""
        return bool(_draw(self.distribution(dataset), rng))


@dataclass(frozen=True)
class InOrder:
    """One bit of each place: is the point there above its place? Each is told truly with odds ``ratio`` to 1.

    It is (log ratio)-DP, for a record is in one place; it looks at the order of its records, and where these are drawn
    and kept sorted, an exchange of one record for another moves those between them by one place.

    Examples
    --------
    >>> InOrder(Fraction(3)).distribution([(0, 0), (2, 0)])[False, True]
    Fraction(9, 16)
    """

    ratio: Fraction
    order_blind: ClassVar[bool] = False

    @property
    def claim(self) -> PureDP:
        """(log ratio)-DP."""
        return PureDP(ratio=self.ratio)

    @property
    def neighbours(self) -> ReplaceOne:
        """One record replaced."""
        return ReplaceOne()

    def distribution(self, dataset: Any) -> dict[tuple[bool, ...], Fraction]:
        """The law, in fractions."""
        bits = [bool(point > place) for place, point in enumerate(private_records(dataset)[0])]
        true, wrong = self.ratio / (1 + self.ratio), 1 / (1 + self.ratio)
        law: dict[tuple[bool, ...], Fraction] = {(): Fraction(1)}
        for bit in bits:
            law = {
                (*told, each): p * (true if each == bit else wrong) for told, p in law.items() for each in (False, True)
            }
        return law

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """One answer."""
        return _draw(self.distribution(dataset), rng)
