"""The hard instances of Wang, Lei & Fienberg 2016: thresholds that no private learner fits, supports no one learns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import count, positive_as_given

#: More thresholds than this are not made: ``e^(epsilon n)`` datasets of n records each.
MOST_THRESHOLDS = 1 << 20


@dataclass(frozen=True)
class PackedThresholds:
    """K thresholds on [0, 1] and for each a dataset that only thresholds in its own short interval fit.

    ``K = ceil(e^(epsilon n))``; threshold i is the middle of the i-th of K cells of width eta = 1/K, its interval J_i
    is ``[h_i - eta/3, h_i + eta/3]``, and dataset Z_i has half of its n points on either side of h_i within J_i,
    labelled ``x > h_i``. Any two datasets are n replacements apart, so of an epsilon-DP learner
    ``min_i P[A(Z_i) in J_i]`` is at most :attr:`packing_bound`; a threshold outside J_i gets one half of Z_i wrong.

    The paper has ``eta = e^(-epsilon n)`` and its thresholds eta apart in [0, 1]. K of them with their intervals do
    not always fit (:attr:`printed_fits`: at epsilon n = 1/2 they do not); 1/K is no more than that eta, and fits.

    Parameters
    ----------
    epsilon : float or Fraction, nats, above 0
    dataset_size : int, at least 2
        The paper's n.
    spread : bool
        Whether the points of a half are spread evenly; else all are at a distance of eta/6.

    Raises
    ------
    InvalidArgument
        When an argument is none of these, or there would be more than 2^20 thresholds.

    Source: wang2016:alg-hard-3.3, prop-12.

    Examples
    --------
    >>> hard = PackedThresholds(epsilon=0.5, dataset_size=4)
    >>> hard.number, hard.interval(0), round(hard.packing_bound, 6)
    (8, (Fraction(1, 48), Fraction(5, 48)), 0.513519)
    >>> hard.dataset(0).y.tolist()
    [0, 0, 1, 1]
    """

    epsilon: float | Fraction
    dataset_size: int
    spread: bool = True

    def __post_init__(self) -> None:
        positive_as_given("epsilon", self.epsilon)
        object.__setattr__(self, "dataset_size", count("dataset_size", self.dataset_size, least=2))
        if float(self.epsilon) * self.dataset_size > math.log(MOST_THRESHOLDS):
            raise InvalidArgument(
                f"dataset_size times epsilon must be at most {math.log(MOST_THRESHOLDS):.4g}, for 2^20 thresholds, "
                f"got {float(self.epsilon) * self.dataset_size:.4g}"
            )

    @cached_property
    def number(self) -> int:
        """The paper's K: ``ceil(e^(epsilon n))``, exact."""
        from flint import arb, fmpq

        exponent = Fraction(self.epsilon) * self.dataset_size
        # irrational: an enclosure in which no integer lies has one ceiling
        ceiling = arb(fmpq(exponent.numerator, exponent.denominator)).exp().ceil().unique_fmpz()
        if ceiling is None:
            raise InvalidArgument(f"epsilon must not make e^(epsilon n) so near to an integer, got {self.epsilon!r}")
        return int(ceiling)

    @property
    def width(self) -> Fraction:
        """eta: the distance of neighbouring thresholds, 1/K."""
        return Fraction(1, self.number)

    @property
    def printed_fits(self) -> bool:
        """Whether K thresholds ``e^(-epsilon n)`` apart have room in [0, 1] with their intervals."""
        eta = math.exp(-float(self.epsilon) * self.dataset_size)
        return (self.number - 1) * eta + 2 * eta / 3 <= 1

    @property
    def packing_bound(self) -> float:
        """``1 / (1 + (K - 1) e^(-epsilon n))``: no epsilon-DP learner fits all datasets with a larger probability."""
        return 1 / (1 + (self.number - 1) * math.exp(-float(self.epsilon) * self.dataset_size))

    def threshold(self, place: int) -> Fraction:
        """h_i, for i from 0."""
        return (2 * self._checked(place) + 1) * self.width / 2

    def interval(self, place: int) -> tuple[Fraction, Fraction]:
        """The ends of J_i; both belong to it."""
        middle = self.threshold(place)
        return middle - self.width / 3, middle + self.width / 3

    def dataset(self, place: int) -> Labelled:
        """Z_i: the points, increasing, and their labels; an odd point more is on the right."""
        left = self.dataset_size // 2
        right = self.dataset_size - left
        middle = self.threshold(place)
        steps = [self._steps(left)[::-1], self._steps(right)]
        points = [float(middle - step) for step in steps[0]] + [float(middle + step) for step in steps[1]]
        return Labelled(np.array(points), np.repeat([0, 1], [left, right]))

    def hits(self, place: int, outputs: Any) -> NDArray[np.bool_]:
        """Which of some thresholds are in J_i."""
        low, high = self.interval(place)
        values = np.asarray(outputs, dtype=float)
        return np.asarray((values >= float(low)) & (values <= float(high)))

    def empirical_risk(self, place: int, outputs: Any) -> NDArray[np.float64]:
        """The fraction of Z_i that some thresholds, ``label = (x >= t)``, get wrong, shape (k,)."""
        dataset = self.dataset(place)
        predicted = np.asarray(dataset.x)[None, :] >= np.asarray(outputs, dtype=float)[:, None]
        return np.asarray((predicted != np.asarray(dataset.y, dtype=bool)[None, :]).mean(axis=1))

    def _steps(self, points: int) -> list[Fraction]:
        """Distances from the threshold, above 0 and at most eta/3, increasing."""
        return [
            self.width * (step if self.spread else Fraction(points, 2)) / (3 * points) for step in range(1, points + 1)
        ]

    def _checked(self, place: int) -> int:
        if not 0 <= place < self.number:
            raise InvalidArgument(f"place must be from 0 to {self.number - 1}, got {place!r}")
        return place


@dataclass(frozen=True)
class UniformAtoms:
    """The uniform distribution over ``3n`` points of [0, 1], which n records cannot have seen a third of.

    The set of what was seen (wang2016:alg-support), the minimiser of the empirical risk, has the risk
    ``(1 - 1/(3n))^n``, which is between 2/3 and ``e^(-1/3)``.

    Parameters
    ----------
    dataset_size : int, at least 1
    atoms : int, at least 1, optional
        How many points; 3n when left out.

    Source: wang2016:ex-16.

    Examples
    --------
    >>> UniformAtoms(2).risk_of_support, float(UniformAtoms(1000).risk_of_support) > 2 / 3
    (Fraction(25, 36), True)
    """

    dataset_size: int
    atoms: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "dataset_size", count("dataset_size", self.dataset_size))
        object.__setattr__(self, "atoms", 3 * self.dataset_size if self.atoms is None else count("atoms", self.atoms))

    @property
    def points(self) -> NDArray[np.float64]:
        """The atoms, the middles of equal cells of [0, 1], shape (atoms,)."""
        assert self.atoms is not None
        return (np.arange(self.atoms) + 0.5) / self.atoms

    def draw(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """A dataset, shape (dataset_size,)."""
        return self.points[rng.integers(len(self.points), size=self.dataset_size)]

    @property
    def risk_of_support(self) -> Fraction:
        """The expected risk of the set of what was seen, exact."""
        assert self.atoms is not None
        return risk_of_support([Fraction(1, self.atoms)] * self.atoms, self.dataset_size)


def risk_of_support(chances: Sequence[Fraction], dataset_size: int) -> Fraction:
    """The expected risk of the set of what was seen: ``sum_j p_j (1 - p_j)^n``, exact.

    Parameters
    ----------
    chances : probabilities of the atoms, of sum 1
    dataset_size : int
        n.

    Source: wang2016:ex-16.

    Examples
    --------
    >>> risk_of_support([Fraction(1, 2)] * 2, 3)
    Fraction(1, 8)
    """
    if sum(chances) != 1 or min(chances, default=-1) < 0:
        raise InvalidArgument(f"chances must be fractions of at least 0 that sum to 1, got {list(chances)!r}")
    terms = Counter(chances).items()
    return sum((times * chance * (1 - chance) ** dataset_size for chance, times in terms), Fraction(0))


def largest_risk_of_support(atoms: int, dataset_size: int) -> Fraction:
    """What the risk of the set of what was seen is at the most, over all distributions on N atoms.

    ``N/(n+1) (n/(n+1))^n``: each atom adds at most ``max_p p (1 - p)^n``, which is at p = 1/(n + 1). It is below the
    paper's N/n.

    Source: wang2016:ex-16.

    Examples
    --------
    >>> largest_risk_of_support(2, 3)
    Fraction(27, 128)
    """
    size = count("dataset_size", dataset_size)
    return count("atoms", atoms) * Fraction(size**size, (size + 1) ** (size + 1))
