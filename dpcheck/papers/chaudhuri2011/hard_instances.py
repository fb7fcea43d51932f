"""The hard instances of Chaudhuri & Hsu 2011: distributions of thresholds, singletons, the ladder, two hypotheses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import FiniteClass, PointFunctions, Thresholds
from dpcheck.parts.classes.points import whole_number, whole_points
from dpcheck.parts.classes.representatives import Rule, checked_rule
from dpcheck.parts.learners.hard_instances.finite import FiniteInstance
from dpcheck.parts.mechanisms.parameters import count, positive

#: Families of more distributions, and ladders of more listed hypotheses, are not made.
MOST_LISTED = 1 << 20
#: Theorem 5 wants its bound on the size above this.
_LEAST_BOUND = 2


@dataclass(frozen=True)
class ConcentratedThreshold:
    """P_z: half the points uniform on [0, 1], half on the interval of radius ``eta/3`` around z; label 1 from z on.

    The density is ``1/2 + 3/(4 eta)`` on the interval and 1/2 elsewhere, so the distribution is as smooth as that
    with respect to the uniform one. The error of a threshold w is the mass between w and z: at least 1/4 outside the
    interval. It has what ``dpcheck.utility.distributions.Distribution`` asks for.

    Parameters
    ----------
    centre : number (taken as exact), from ``resolution`` to ``1 - resolution``
        The paper's z.
    resolution : number (taken as exact), above 0, at most 1/2
        The paper's eta.

    Raises
    ------
    InvalidArgument
        When one is outside its range.

    Source: chaudhuri2011:thm-5, ex-1.

    Examples
    --------
    >>> instance = ConcentratedThreshold(Fraction(1, 2), Fraction(1, 10))
    >>> instance.smoothness, instance.error(0.5), instance.error(Fraction(8, 15)), instance.error(1)
    (Fraction(8, 1), Fraction(0, 1), Fraction(4, 15), Fraction(1, 2))
    """

    centre: Fraction
    resolution: Fraction

    def __post_init__(self) -> None:
        for name in ("centre", "resolution"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float | Fraction) or not math.isfinite(value):
                raise InvalidArgument(f"{name} must be a finite number, got {value!r}")
            object.__setattr__(self, name, Fraction(value))
        if not 0 < self.resolution <= Fraction(1, 2):
            raise InvalidArgument(f"resolution must be above 0 and at most 1/2, got {self.resolution}")
        if not self.resolution <= self.centre <= 1 - self.resolution:
            raise InvalidArgument(
                f"centre must be from {self.resolution} to {1 - self.resolution} at this resolution, got {self.centre}"
            )

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"half uniform, half near {float(self.centre):g}, resolution {float(self.resolution):g}"

    @property
    def interval(self) -> tuple[Fraction, Fraction]:
        """The paper's G_z: its ends."""
        return self.centre - self.resolution / 3, self.centre + self.resolution / 3

    @property
    def smoothness(self) -> Fraction:
        """The paper's kappa, with respect to the uniform distribution on [0, 1]: the largest density.

        Source: chaudhuri2011:ex-1.
        """
        return Fraction(1, 2) + 3 / (4 * self.resolution)

    def density(self, points: Any) -> NDArray[np.float64]:
        """The density at each point, shape (m,)."""
        x = np.asarray(points, dtype=np.float64)
        low, high = map(float, self.interval)
        return np.where((x >= low) & (x <= high), float(self.smoothness), np.where((x >= 0) & (x <= 1), 0.5, 0.0))

    def below(self, t: Any) -> Fraction:
        """The mass of ``(-inf, t)``, exact; t any number, infinities included."""
        low, high = self.interval
        return (_share(t, Fraction(0), Fraction(1)) + _share(t, low, high)) / 2

    def error(self, threshold: Any) -> Fraction:
        """The probability that ``x >= threshold`` mislabels a point: the mass between it and the centre, exact."""
        return abs(self.below(threshold) - self.below(self.centre))

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[np.float64]:
        """``size`` independent points, shape (size,)."""
        low, high = map(float, self.interval)
        return np.where(rng.random(size) < 0.5, rng.random(size), rng.uniform(low, high, size))

    def draw(self, size: int, rng: np.random.Generator, /) -> Labelled:
        """``size`` independent labelled points."""
        x = self.draw_unlabelled(size, rng)
        first = float(self.centre)
        if Fraction(first) < self.centre:  # the least double that is labelled 1
            first = math.nextafter(first, math.inf)
        return Labelled(x, (x >= first).astype(np.int64))

    def has_exact_risk(self, family: Any, /) -> bool:
        """For thresholds that label 1 from themselves on; without a class hypotheses are such."""
        return family is None or (isinstance(family, Thresholds) and getattr(family, "orientation", "up") == "up")

    def risk(self, family: Any, hypothesis: Any, /) -> Fraction:
        """The error of a threshold, exact."""
        if not self.has_exact_risk(family):
            raise InvalidArgument(f"family must be Thresholds for an exact risk, got {family!r}")
        return self.error(hypothesis)

    def best_risk(self, family: Any, /) -> Fraction | None:
        """0: the threshold at the centre; where the class is another one it is not known."""
        return Fraction(0) if self.has_exact_risk(family) else None

    def worst_risk(self, family: Any, /) -> Fraction | None:
        """The error of the threshold that is farther: below all points, or above them."""
        below = self.below(self.centre)
        return max(below, 1 - below) if self.has_exact_risk(family) else None


def _share(t: Any, low: Fraction, high: Fraction) -> Fraction:
    """How much of an interval lies below a number."""
    if t <= low:
        return Fraction(0)
    return Fraction(1) if t >= high else (Fraction(t) - low) / (high - low)


def resolution_excluding(epsilon: float, size: float) -> Fraction:
    """The resolution at which no epsilon-DP learner of thresholds succeeds with so many records: a double.

    ``1/(6 + 4 exp(alpha M))``.

    Source: chaudhuri2011:thm-5.

    Examples
    --------
    >>> resolution = resolution_excluding(0.1, 10)
    >>> round(excluded_size(0.1, resolution), 9)
    10.0
    """
    exponent = positive("epsilon", epsilon) * positive("size", size)
    if exponent > 600:
        raise InvalidArgument(f"epsilon times size must be at most 600, got {exponent:g}: the resolution underflows")
    return Fraction(1.0 / (6.0 + 4.0 * math.exp(exponent)))


def excluded_size(epsilon: float, resolution: Any) -> float:
    """The largest M of theorem 5 at a resolution below 1/10: ``log((1/eta - 6)/4) / alpha``.

    Raises
    ------
    InvalidArgument
        When the resolution is not above 0 and below 1/10, or epsilon not above 0.

    Source: chaudhuri2011:thm-5.
    """
    exact = Fraction(resolution)
    if not 0 < exact < Fraction(1, 10):
        raise InvalidArgument(f"resolution must be above 0 and below 1/10, got {resolution!r}")
    return math.log((1 / exact - 6) / 4) / positive("epsilon", epsilon)


def concentrated_thresholds(epsilon: float, size: float) -> tuple[ConcentratedThreshold, ...]:
    """The family of theorem 5: for every epsilon-DP learner of thresholds one of them is hard.

    Given at most ``size`` records from it, whatever they are, the learner's output has error at least 1/5 with
    probability at least 1/2. There are ``floor(1/eta) - 1`` of them, at the multiples of the resolution eta.

    Parameters
    ----------
    epsilon : float, above 0
        The paper's alpha.
    size : float, above 2
        The paper's M.

    Raises
    ------
    InvalidArgument
        When one is outside its range, or there are too many to be listed.

    Source: chaudhuri2011:thm-5.

    Examples
    --------
    >>> family = concentrated_thresholds(0.1, 10)
    >>> len(family), round(float(family[0].resolution), 4), round(float(family[0].smoothness), 2)
    (15, 0.0593, 13.15)
    """
    if not size > _LEAST_BOUND:
        raise InvalidArgument(f"size must be above {_LEAST_BOUND}, got {size!r}")
    resolution = resolution_excluding(epsilon, size)
    listed = math.floor(1 / resolution) - 1
    if listed > MOST_LISTED:
        raise InvalidArgument(
            f"epsilon times size must be smaller: a family of {listed:,} distributions, more than {MOST_LISTED:,}, is "
            f"not listed, got {epsilon!r} and {size!r}"
        )
    return tuple(ConcentratedThreshold(k * resolution, resolution) for k in range(1, listed + 1))


def singletons(points: int, target: int) -> FiniteInstance:
    """Point functions under the uniform distribution on N points: any two differ on 2/N.

    At scales from 2/N to below 4/N the doubling dimension is log2 N, and a label-private learner whose accuracy is
    from 1/(2N) to below 1/N fails with probability at least 1/2 for some target up to :func:`singletons_size`.

    Parameters
    ----------
    points : int, at least 2
        N.
    target : int from 0 to N - 1
        The point that is labelled 1.

    Source: chaudhuri2011:thm-12.

    Examples
    --------
    >>> singletons(4, 2).error(0), singletons(4, 2).error(2)
    (Fraction(1, 2), Fraction(0, 1))
    """
    family = PointFunctions(points)
    whole_number("target", target, 0, family.size - 1)
    every = family.everything()
    return FiniteInstance(family, every, [Fraction(1, points)] * points, every == target)


def singletons_size(points: int, epsilon: float) -> float:
    """Up to so many records theorem 12 excludes success on singletons: ``(log2 N - 1) log 2 / alpha``.

    Source: chaudhuri2011:thm-12.

    Examples
    --------
    >>> round(singletons_size(16, 0.5), 3)
    4.159
    """
    return (math.log2(whole_number("points", points, 2, 2**62)) - 1) * math.log(2) / positive("epsilon", epsilon)


def singleton_datasets(size: int) -> tuple[Labelled, ...]:
    """The datasets of lemma 11: m distinct points, labelled by each of the m point functions in turn.

    Any two functions differ on 2/m of the points, and all are within ``4 s`` of each other for scales s from 1/(2m).

    Source: chaudhuri2011:lem-11.

    Examples
    --------
    >>> [data.y.tolist() for data in singleton_datasets(3)]
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    points = np.arange(count("size", size, least=2))
    return tuple(Labelled(points, (points == target).astype(np.int64)) for target in points)


def lemma_applies(size: int, scale: float, epsilon: float) -> bool:
    """Whether lemma 11 speaks of :func:`singleton_datasets`: ``m < log(m/2 - 1)/(8 alpha s)``, s a scale it allows.

    Then every label-private learner, for half of the m targets, gives with probability at least 1/2 a function that
    differs from the target on more than ``s/2`` of the points, which is any other.

    Source: chaudhuri2011:lem-11.

    Examples
    --------
    >>> lemma_applies(16, scale=1 / 32, epsilon=0.1), lemma_applies(16, scale=1 / 32, epsilon=0.5)
    (True, False)
    """
    m = count("size", size, least=2)
    allowed = 1 / (2 * m) <= scale < 2 / m
    return allowed and m > 4 and m * 8 * positive("epsilon", epsilon) * scale < math.log(m / 2 - 1)


@dataclass(frozen=True)
class Ladder:
    """Classes with a doubling dimension above 2 over a long range of scales: a point on each of K levels.

    Level k = 1, ..., K has b points of mass ``c 2^-k / 2`` each, numbered from ``(k - 1) b`` on; one more point, the
    last, carries the rest. A hypothesis is a row of K numbers from 0 to b - 1: the point of each level that it labels
    1. Two differ by the sum of ``c 2^-k`` over the levels where their rows do. Rules: ``lowest`` and ``highest``, the
    unseen point that stands for "none of those seen".

    Parameters
    ----------
    levels : int, 1 to 50
        K.
    branches : int, at least 2
        b; the doubling dimension is above 2 from 5 on.
    mass : number (taken as exact), above 0; ``branches * mass`` at most 2
        c.

    Raises
    ------
    InvalidArgument
        When an argument is outside its range.

    Source: chaudhuri2011:thm-10 wants such classes; the paper names none.

    Examples
    --------
    >>> ladder = Ladder(3)
    >>> ladder.diameter, ladder.distance([0, 0, 0], [0, 1, 4]), ladder.vc_dimension
    (Fraction(7, 20), Fraction(3, 20), 3)
    >>> ladder.representatives([1, 6]).tolist()
    [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]]
    """

    levels: int
    branches: int = 5
    mass: Fraction = Fraction(2, 5)
    rules: ClassVar[tuple[str, ...]] = ("lowest", "highest")

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", whole_number("levels", self.levels, 1, 50))
        object.__setattr__(self, "branches", whole_number("branches", self.branches, 2, 2**20))
        object.__setattr__(self, "mass", Fraction(self.mass))
        if not 0 < self.mass * self.branches <= 2:
            raise InvalidArgument(f"mass must be above 0 and at most 2/branches, got {self.mass}")

    @property
    def vc_dimension(self) -> int:
        """K: one point of each level; two of one level are never both labelled 1."""
        return self.levels

    @property
    def littlestone_dimension(self) -> int:
        """K: predicting 0 wherever a level's point is not known errs once for each level."""
        return self.levels

    @property
    def size(self) -> int:
        """``b^K``."""
        return int(self.branches**self.levels)

    def everything(self) -> NDArray[np.int64]:
        """All hypotheses, shape (size, levels).

        Raises
        ------
        InvalidArgument
            When there are more than 2^20.
        """
        if self.size > MOST_LISTED:
            raise InvalidArgument(f"levels must be fewer: {self.size:,} hypotheses are not listed, got {self.levels}")
        return np.stack(np.unravel_index(np.arange(self.size), (self.branches,) * self.levels), axis=1)

    @property
    def masses(self) -> tuple[Fraction, ...]:
        """Of the points 0, ..., K b in turn."""
        levels = [self.mass / 2 ** (k + 1) for k in range(1, self.levels + 1) for _ in range(self.branches)]
        return (*levels, 1 - sum(levels))

    @property
    def diameter(self) -> Fraction:
        """``c (1 - 2^-K)``."""
        return self.mass * (1 - Fraction(1, 2**self.levels))

    def distance(self, one: Any, other: Any) -> Fraction:
        """The mass on which two hypotheses differ, exact."""
        apart = np.flatnonzero(np.asarray(one) != np.asarray(other))
        return self.mass * sum((Fraction(1, 2 ** (int(level) + 1)) for level in apart), Fraction(0))

    def doubling_dimension_from_below(self, scale: Any) -> float:
        """What the doubling dimension at a scale is at least: log2 b from ``c 2^-K`` to below c, else 0.

        The b hypotheses that differ at one level k with ``c 2^-k <= scale < c 2^(1-k)`` lie in one ball; a ball of
        half the radius, less than ``c 2^-k``, holds those alone that agree with its centre at that level, so b are
        needed.
        """
        inside = self.mass / 2**self.levels <= Fraction(scale) < self.mass
        return math.log2(self.branches) if inside else 0.0

    def points(self, values: Any) -> NDArray[np.int64]:
        """Points as integers, shape (m,)."""
        return whole_points(values, self.levels * self.branches + 1)

    def representatives(self, points: Any, rule: Rule = None) -> NDArray[np.int64]:
        """One hypothesis for each dichotomy: on each level a point seen, or one for all that are not; shape (k, K)."""
        chosen = checked_rule(rule, self.rules)
        seen = np.unique(self.points(points))
        choices = []
        for level in range(self.levels):
            of_level = set((seen[seen // self.branches == level] % self.branches).tolist())
            unseen = [i for i in range(self.branches) if i not in of_level]
            stand_in = unseen[:1] if chosen == "lowest" else unseen[-1:]
            choices.append(sorted([*of_level, *stand_in]))
        total = math.prod(map(len, choices))
        if total > MOST_LISTED:
            raise InvalidArgument(f"points must have at most {MOST_LISTED:,} dichotomies, got {total:,}")
        return np.array([*product(*choices)], dtype=np.int64).reshape(-1, self.levels)

    def predict(self, hypotheses: Any, points: Any) -> NDArray[np.uint8]:
        """Whether each hypothesis has each point as that of its level, shape (k, m)."""
        rows = np.asarray(hypotheses, dtype=np.int64).reshape(-1, self.levels)
        x = self.points(points)
        level = np.minimum(x // self.branches, self.levels - 1)
        chosen = rows[:, level] + level * self.branches
        return np.asarray(chosen == x).astype(np.uint8)

    def instance(self, hypothesis: Any) -> FiniteInstance:
        """The points with their masses, labelled by one hypothesis."""
        every = np.arange(self.levels * self.branches + 1)
        return FiniteInstance(self, every, self.masses, self.predict([hypothesis], every)[0])


def two_hypotheses(distance: Any) -> FiniteInstance:
    """Case 1 of theorem 10: two hypotheses at a distance, which a sample separates only if it hits where they differ.

    Point 0 has the distance as its mass; hypothesis 0, which labels, and 1 differ there.

    Raises
    ------
    InvalidArgument
        When the distance is not above 0 and at most 1.

    Source: chaudhuri2011:thm-10.

    Examples
    --------
    >>> two_hypotheses(Fraction(1, 8)).error(1), unseparated(Fraction(1, 8), 2)
    (Fraction(1, 8), Fraction(49, 64))
    """
    exact = _distance(distance)
    return FiniteInstance(FiniteClass([[0, 0], [1, 0]]), [0, 1], [exact, 1 - exact], [0, 0])


def unseparated(distance: Any, size: int) -> Fraction:
    """The probability that a sample does not tell the two apart: ``(1 - distance)^m``, exact.

    Source: chaudhuri2011:thm-10, case 1.
    """
    return (1 - _distance(distance)) ** count("size", size, least=0)


def _distance(value: Any) -> Fraction:
    exact = Fraction(value)
    if not 0 < exact <= 1:
        raise InvalidArgument(f"distance must be above 0 and at most 1, got {value!r}")
    return exact
