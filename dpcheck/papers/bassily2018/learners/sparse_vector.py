"""The sparse vector of alg-2 as a mechanism of its own: which of a sequence of statistics lie above a threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import AddRemove
from dpcheck.papers.bassily2018.learners.rounds import NOT_ASKED, drawn_patterns, pattern_law
from dpcheck.papers.bassily2018.learners.scales import Guard, Scales, check_guard
from dpcheck.papers.bassily2018.learners.votes import UNANSWERED
from dpcheck.parts.mechanisms.amplification import ball, rounded_up
from dpcheck.parts.mechanisms.parameters import positive


def column_sums(dataset: Any) -> NDArray[Any]:
    """The sum of each column of records that are rows.

    Raises
    ------
    InvalidArgument
        When there are no columns: so also without records, of which nothing says how many columns there are.

    Examples
    --------
    >>> column_sums([(1, 0), (1, 1)]).tolist()
    [2, 1]
    """
    rows = np.asarray(dataset)
    if rows.ndim != 2:
        raise InvalidArgument(
            f"dataset must hold at least one record, rows of numbers, to sum its columns, got an array of shape "
            f"{rows.shape}: give statistics that know how many they are"
        )
    return np.asarray(rows.sum(axis=0))


@dataclass(frozen=True, eq=False)
class SparseVector:
    """For each statistic whether it lies above a noisy threshold (1) or below (0), until R lie below.

    Above is answered for nothing; each 0 ends a round, and the threshold gets fresh noise. So alg-2 uses it, with the
    distances to instability for statistics. A round is pure ``s/b1 + 2s/b2``-DP (the proof stands in
    :mod:`dpcheck.papers.bassily2018.learners.accounting`), b1 and b2 the scales of the threshold's noise and of a
    query's, and R rounds are R times that.

    Parameters
    ----------
    scales : Scales
        Threshold and noise; ``models`` means nothing here.
    statistics : callable, dataset -> vector of shape (m,)
        The sums of the columns by default. It takes the dataset as a multiset of records. The claim is about datasets
        of which there are equally many: for the default those of at least one record (an array of shape (0, m) has m
        columns too).
    sensitivity : float, above 0
        By how much one record moves a statistic at most: your promise.
    guard : "printed" (T + 1 statistics below end it) or "strict" (T)

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: bassily2018:alg-2, steps 1-2, 5 and 8-9; Dwork & Roth 2014, doi:10.1561/0400000042, section 3.6.

    Examples
    --------
    >>> learner = SparseVector(Scales(threshold=1.0, threshold_scale=4.0, query_scale=8.0, cutoff=1))
    >>> learner.claim
    PureDP(epsilon=1.0)
    >>> law = learner.distribution([(1, 1), (1, 0)])
    >>> {output: round(float(chance.mid()), 3) for output, chance in zip(law.outputs, law.exact)}
    {(1, 1): 0.312, (1, 0): 0.229, (0, 1): 0.229, (0, 0): 0.229}
    """

    scales: Scales
    statistics: Callable[[Any], Any] = column_sums
    sensitivity: float = 1.0
    guard: Guard = "printed"
    order_blind: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.scales, Scales):
            raise InvalidArgument(f"scales must be Scales, got {self.scales!r}")
        if not callable(self.statistics):
            raise InvalidArgument(f"statistics must be a callable of a dataset, got {self.statistics!r}")
        object.__setattr__(self, "sensitivity", positive("sensitivity", self.sensitivity))
        check_guard(self.guard)

    @property
    def claim(self) -> PureDP:
        """``R (s/b1 + 2s/b2)``, rounded up."""
        first, second = Fraction(self.scales.threshold_scale), Fraction(self.scales.query_scale)
        round_loss = Fraction(self.sensitivity) * (1 / first + 2 / second)
        return PureDP(rounded_up(lambda: ball(self.scales.rounds(self.guard) * round_loss)))

    @property
    def neighbours(self) -> AddRemove:
        """One record added or removed."""
        return AddRemove()

    def values(self, dataset: Any) -> NDArray[Any]:
        """The statistics, shape (m,)."""
        return np.asarray(self.statistics(dataset))

    def noise(self) -> Scales:
        """Threshold and noise."""
        return self.scales

    def rounds(self) -> int:
        """R, the number of statistics below after which nothing is answered."""
        return self.scales.rounds(self.guard)

    def patterns(self, values: NDArray[Any], size: int, rng: np.random.Generator) -> NDArray[np.int8]:
        """``size`` runs: 1, 0, and -1 for what is not answered any more, shape (size, m)."""
        return drawn_patterns(values, self.noise(), self.rounds(), size, rng)

    def patterns_law(self, values: NDArray[Any]) -> dict[tuple[int, ...], Any]:
        """The exact law of a run, in balls."""
        return pattern_law(values, self.noise(), self.rounds())

    def __call__(self, dataset: Any, rng: np.random.Generator) -> tuple[int | None, ...]:
        """For each statistic 1, 0, or None where it is not answered any more."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[tuple[int | None, ...]]:
        """``size`` independent runs."""
        return [_said(row) for row in self.patterns(self.values(dataset), size, rng).tolist()]

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the output, in balls: at most 4096 outputs."""
        found = self.patterns_law(self.values(dataset))
        return Law([_said(pattern) for pattern in found], exact=list(found.values()))


def _said(pattern: Any) -> tuple[int | None, ...]:
    return tuple(UNANSWERED if state == NOT_ASKED else state for state in pattern)
