"""Distributions over labelled points whose risks are known exactly, among them the hard instances of the papers.

A distribution draws samples and says, as a fraction, what the risk of a hypothesis is and what the best risk in a class
is. It knows classes by what :mod:`dpcheck.parts.classes` asks of them: ``predict(hypotheses, points)``, labels of shape
(k, m) for k hypotheses, and for best risks ``representatives(points)``, a hypothesis for each dichotomy of the points.

Thresholds are ``h_t(x) = 1 iff x >= t`` throughout; a hypothesis that is a bare number is the threshold at it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.model.errors import InvalidArgument
from dpcheck.utility.arguments import between, exact, whole

#: Denominators up to here fit 64-bit integers with room for one addition.
LARGEST_DENOMINATOR = 2**62
#: Grids of at most as many points are enumerated where no closed form applies; beyond, risks are estimated.
LARGEST_TABLE = 100_000


@runtime_checkable
class Distribution(Protocol):
    """A law of labelled points ``(x, y)`` with ``y`` in {0, 1}."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def draw(self, size: int, rng: np.random.Generator, /) -> Labelled:
        """``size`` independent labelled points."""
        ...

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> Any:
        """``size`` independent points, without labels."""
        ...

    def has_exact_risk(self, family: Any, /) -> bool:
        """Whether :meth:`risk` can be asked of the hypotheses of this class."""
        ...

    def risk(self, family: Any, hypothesis: Any, /) -> Fraction:
        """The probability that the hypothesis mislabels a point, exactly."""
        ...

    def best_risk(self, family: Any, /) -> Fraction | None:
        """The infimum of the risks in the class, exactly; None where that is not known."""
        ...


def predictions(family: Any, hypothesis: Any, points: Any) -> NDArray[np.int64]:
    """The labels that a hypothesis gives to points.

    Parameters
    ----------
    family : class with ``predict(hypotheses, points)``, or None
        Without a class a hypothesis is a callable on points, or a number t, meaning ``x >= t``.
    hypothesis : Any
    points : array with n points on its first axis

    Returns
    -------
    integer array, shape (n,), of 0 and 1

    Raises
    ------
    InvalidArgument
        When what comes back is not that.

    Examples
    --------
    >>> predictions(None, 0.5, np.array([0.2, 0.5, 0.7])).tolist()
    [0, 1, 1]
    """
    if family is not None:
        labels = np.asarray(family.predict(np.asarray(hypothesis)[None], points))[0]
    elif callable(hypothesis):
        labels = hypothesis(points)
    else:
        t = _threshold(hypothesis)
        labels = np.asarray(points) >= (float(t) if isinstance(t, Fraction) else t)
    found = np.asarray(labels)
    if found.shape != (len(points),) or not ((found == 0) | (found == 1)).all():
        raise InvalidArgument(
            f"predictions must be 0 or 1 for each of {len(points)} points, got an array of shape {found.shape}"
        )
    return found.astype(np.int64)


def _threshold(hypothesis: Any) -> Any:
    """A bare number as a threshold; infinite ones label all points alike."""
    good = isinstance(hypothesis, int | float | Fraction | np.integer | np.floating)
    if not good or isinstance(hypothesis, bool) or hypothesis != hypothesis:
        raise InvalidArgument(f"hypothesis must be a threshold (a number), got {hypothesis!r}")
    if isinstance(hypothesis, np.integer):
        return int(hypothesis)  # numpy's would be rounded to doubles on the way to a fraction
    return float(hypothesis) if isinstance(hypothesis, np.floating) else hypothesis


def wrong_of_labellings(labels: NDArray[Any], of_zero: NDArray[Any], of_one: NDArray[Any]) -> NDArray[Any]:
    """What label vectors, a row each, get wrong of weights of points with label 0 and of points with label 1.

    >>> wrong_of_labellings(np.array([[0, 1], [1, 1]]), np.array([3, 0]), np.array([1, 2]))
    array([1, 3])
    """
    wrong: NDArray[Any] = labels @ (of_zero - of_one) + of_one.sum()
    return wrong


class FiniteDistribution:
    """A distribution on finitely many points, given by a table; it is drawn from and evaluated exactly.

    Parameters
    ----------
    points : array or sequence of k points, on the first axis
    masses : sequence of k numbers of at least 0 that sum to 1; floats by their shortest decimal
    ones : sequence of k probabilities of label 1, given the point
    name : str
    best : number, optional
        The best risk in any class it is used with, where that is known and its dichotomies are too many to list.

    Raises
    ------
    InvalidArgument
        When the lengths differ, or the numbers are no probabilities.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> coin = FiniteDistribution([0, 1], [half, half], [0, Fraction(9, 10)])
    >>> coin.risk(None, 1), coin.risk(None, 0)
    (Fraction(1, 20), Fraction(11, 20))
    """

    def __init__(
        self,
        points: Any,
        masses: Sequence[Any],
        ones: Sequence[Any],
        *,
        name: str = "finite distribution",
        best: Any = None,
    ) -> None:
        self.points: NDArray[Any] = np.asarray(points)
        self.name = name
        self.best = None if best is None else between("best", best, 0, 1, closed=True)
        size = len(self.points) if self.points.ndim else 0
        if size == 0 or len(masses) != size or len(ones) != size:
            raise InvalidArgument(
                f"points, masses and ones must be of one length, at least 1, got {size}, {len(masses)} and {len(ones)}"
            )
        weights = [between("masses", mass, 0, 1, closed=True) for mass in masses]
        chances = [between("ones", chance, 0, 1, closed=True) for chance in ones]
        if sum(weights) != 1:
            raise InvalidArgument(f"masses must sum to 1, got {sum(weights)}")
        of_one = [weight * chance for weight, chance in zip(weights, chances, strict=True)]
        of_zero = [weight - one for weight, one in zip(weights, of_one, strict=True)]
        self._set_cells(of_zero, of_one)

    def _set_cells(self, of_zero: Sequence[Fraction], of_one: Sequence[Fraction]) -> None:
        """The probabilities of (point, 0) and (point, 1) as integers over one denominator."""
        self.denominator = math.lcm(*(mass.denominator for mass in (*of_zero, *of_one)))
        kind = np.int64 if self.denominator <= LARGEST_DENOMINATOR else object

        def numerators(masses: Sequence[Fraction]) -> NDArray[Any]:
            return np.array([mass.numerator * (self.denominator // mass.denominator) for mass in masses], dtype=kind)

        self._of_zero, self._of_one = numerators(of_zero), numerators(of_one)

    @classmethod
    def uniform(
        cls, points: Any, ones: Any, *, name: str = "uniform distribution", best: Any = None
    ) -> FiniteDistribution:
        """Equal masses: the table of many points, without a list of fractions.

        Parameters
        ----------
        points : array with k points on its first axis
        ones : array (k,) of labels 0 and 1, the same at every draw of a point
        name, best : as for the class

        Examples
        --------
        >>> FiniteDistribution.uniform(np.arange(4), [0, 0, 1, 1]).risk(None, 3)
        Fraction(1, 4)
        """
        made = cls.__new__(cls)
        made.points, made.name = np.asarray(points), name
        made.best = None if best is None else between("best", best, 0, 1, closed=True)
        labels = np.asarray(ones)
        if made.points.ndim == 0 or labels.shape != (len(made.points),) or not ((labels == 0) | (labels == 1)).all():
            raise InvalidArgument(f"ones must be 0 or 1 for each point, got an array of shape {labels.shape}")
        made.denominator = len(labels)
        made._of_one = labels.astype(np.int64)
        made._of_zero = 1 - made._of_one
        return made

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.points)} points>"

    @cached_property
    def masses(self) -> tuple[Fraction, ...]:
        """The probability of each point."""
        return tuple(Fraction(int(total), self.denominator) for total in self._of_zero + self._of_one)

    @cached_property
    def cells(self) -> tuple[Fraction, ...]:
        """The probabilities of (point, 0) for all points, then of (point, 1): 2k numbers that sum to 1."""
        return tuple(Fraction(int(cell), self.denominator) for cell in (*self._of_zero, *self._of_one))

    @cached_property
    def _cumulative(self) -> NDArray[Any]:
        return np.cumsum(np.concatenate([self._of_zero, self._of_one]))

    def _cells(self, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Numbers of the cells drawn: point i with label 0 is cell i, with label 1 cell k + i."""
        if self.denominator <= LARGEST_DENOMINATOR:
            found = np.searchsorted(self._cumulative, rng.integers(self.denominator, size=size), side="right")
            return np.asarray(found, dtype=np.int64)
        # such fine probabilities are drawn as doubles: each is off by at most 2^-53
        levels = np.array([Fraction(int(c), self.denominator) for c in self._cumulative], dtype=np.float64)
        last = int(np.flatnonzero(np.concatenate([self._of_zero, self._of_one]) > 0)[-1])
        return np.minimum(np.searchsorted(levels, rng.random(size), side="right"), last).astype(np.int64)

    def draw(self, size: int, rng: np.random.Generator, /) -> Labelled:
        """``size`` independent labelled points."""
        label, place = np.divmod(self._cells(size, rng), len(self.points))
        return Labelled(self.points[place], label)

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[Any]:
        """``size`` independent points, without labels."""
        return self.points[self._cells(size, rng) % len(self.points)]

    def has_exact_risk(self, family: Any, /) -> bool:
        """Always: the points are few enough to be listed."""
        return True

    def risk(self, family: Any, hypothesis: Any, /) -> Fraction:
        """The exact risk, by enumeration of the points."""
        return self.risk_of_labels(predictions(family, hypothesis, self.points))

    def risk_of_labels(self, labels: Any) -> Fraction:
        """The exact risk of a label vector on the points.

        Examples
        --------
        >>> FiniteDistribution.uniform(np.arange(4), [0, 0, 1, 1]).risk_of_labels([0, 0, 0, 0])
        Fraction(1, 2)
        """
        wrong = np.where(np.asarray(labels) == 1, self._of_zero, self._of_one)
        return Fraction(int(wrong.sum()), self.denominator)

    def wrong_of_labellings(self, labels: NDArray[Any]) -> NDArray[Any]:
        """The exact risks of label vectors on the points, a row each, times the denominator.

        Examples
        --------
        >>> table = FiniteDistribution.uniform(np.arange(4), [0, 0, 1, 1])
        >>> table.wrong_of_labellings(np.array([[0, 0, 0, 0], [0, 0, 1, 1]])), table.denominator
        (array([2, 0]), 4)
        """
        return wrong_of_labellings(labels, self._of_zero, self._of_one)

    @cached_property
    def bayes_risk(self) -> Fraction:
        """The best risk of any hypothesis at all."""
        return Fraction(int(np.minimum(self._of_zero, self._of_one).sum()), self.denominator)

    def best_risk(self, family: Any, /) -> Fraction | None:
        """The best risk over the dichotomies of the class; None when it does not list them and none was given."""
        if self.best is not None:
            return self.best
        listed = getattr(family, "representatives", None)
        if not callable(listed):
            return None
        rows = np.asarray(family.predict(listed(self.points), self.points)).astype(np.int64)
        wrong = rows @ (self._of_zero - self._of_one)
        return Fraction(int(wrong.min()) + int(self._of_one.sum()), self.denominator)


@dataclass(frozen=True)
class LineDistribution(ABC):
    """Points on a line, labelled by the threshold ``x >= threshold`` with labels flipped with probability ``noise``.

    The risk of the threshold t is ``noise + (1 - 2 noise) |P(x < t) - P(x < threshold)|``, as a fraction.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What reports call it."""

    @property
    @abstractmethod
    def boundary(self) -> Fraction:
        """The true threshold."""

    @property
    @abstractmethod
    def flips(self) -> Fraction:
        """The probability that a label is flipped, at most 1/2."""

    @abstractmethod
    def below(self, t: Any) -> Fraction:
        """P(x < t), exactly, for any number t."""

    @abstractmethod
    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[Any]:
        """``size`` independent points, without labels."""

    def table(self) -> FiniteDistribution | None:
        """The same distribution as a table, where it has few enough points."""
        return None

    def draw(self, size: int, rng: np.random.Generator, /) -> Labelled:
        """``size`` independent labelled points."""
        points = self.draw_unlabelled(size, rng)
        true = self.boundary
        labels = points >= (int(true) if true.denominator == 1 else float(true))
        if self.flips:
            labels = labels ^ (rng.integers(self.flips.denominator, size=size) < self.flips.numerator)
        return Labelled(points, labels.astype(np.int64))

    def has_exact_risk(self, family: Any, /) -> bool:
        """For thresholds, and for every class where the points can be listed."""
        return are_thresholds(family) or self.table() is not None

    def risk(self, family: Any, hypothesis: Any, /) -> Fraction:
        """The exact risk: in closed form for thresholds, else by enumeration."""
        number = hypothesis if are_thresholds(family) and not callable(hypothesis) else None
        if number is not None:
            gap = abs(self.below(_threshold(number)) - self.below(self.boundary))
            return self.flips + (1 - 2 * self.flips) * gap
        table = self.table()
        if table is None:
            raise InvalidArgument(f"risk of {hypothesis!r} on {self.name} has no closed form: estimate it")
        return table.risk(family, hypothesis)

    def best_risk(self, family: Any, /) -> Fraction | None:
        """``noise`` for thresholds, the best of the class where the points can be listed, else None."""
        if has_threshold(family, self.boundary):
            return self.flips
        table = self.table()
        return None if table is None else table.best_risk(family)


def are_thresholds(family: Any) -> bool:
    """Whether the hypotheses of the class are numbers t that mean ``x >= t``; without a class they are.

    Examples
    --------
    >>> are_thresholds(None), are_thresholds("something else")
    (True, False)
    """
    if family is None:
        return True
    from dpcheck.parts.classes.thresholds import GridThresholds, Thresholds

    return isinstance(family, Thresholds | GridThresholds) and family.orientation == "up"


def has_threshold(family: Any, threshold: Fraction) -> bool:
    """Whether the class is one of thresholds with this one among them.

    Examples
    --------
    >>> has_threshold(None, Fraction(1, 2))
    True
    """
    if not are_thresholds(family):
        return False
    most = getattr(family, "size_of_domain", None)  # of a grid: its thresholds are 0, 1, ..., N
    return most is None or (threshold.denominator == 1 and threshold <= most)


@dataclass(frozen=True)
class UniformInterval(LineDistribution):
    """Uniform points on [0, 1], labelled by a threshold, with label noise.

    Parameters
    ----------
    threshold : number in [0, 1]
    noise : number in [0, 1/2], probability that a label is flipped

    Raises
    ------
    InvalidArgument
        When a number is out of its range.

    Examples
    --------
    >>> UniformInterval(0.5, noise=0.1).risk(None, 0.75)
    Fraction(3, 10)
    """

    threshold: Any = Fraction(1, 2)
    noise: Any = 0

    def __post_init__(self) -> None:
        between("threshold", self.threshold, 0, 1, closed=True)
        checked_noise(self.noise)

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"uniform on [0, 1], threshold {self.threshold}, noise {self.noise}"

    @property
    def boundary(self) -> Fraction:
        """The true threshold."""
        return exact("threshold", self.threshold)

    @property
    def flips(self) -> Fraction:
        """The probability that a label is flipped."""
        return exact("noise", self.noise)

    def below(self, t: Any) -> Fraction:
        """P(x < t), exactly."""
        return Fraction(0) if t <= 0 else Fraction(1) if t >= 1 else Fraction(t)

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[np.float64]:
        """``size`` independent points, doubles in [0, 1)."""
        return rng.random(size)


@dataclass(frozen=True)
class UniformGrid(LineDistribution):
    """Uniform points on {0, ..., size - 1}, labelled by a threshold in {0, ..., size}, with label noise.

    Parameters
    ----------
    size : int, at least 1 and at most 2^62
    threshold : int in {0, ..., size}; the middle by default
    noise : number in [0, 1/2]

    Raises
    ------
    InvalidArgument
        When a number is out of its range.

    Examples
    --------
    >>> UniformGrid(2**60, threshold=2**59).risk(None, 2**58)
    Fraction(1, 4)
    """

    size: int
    threshold: int | None = None
    noise: Any = 0

    def __post_init__(self) -> None:
        _checked_grid(self.size, self.threshold, 1)
        checked_noise(self.noise)

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"uniform on {{0..{self.size - 1}}}, threshold {self.boundary}, noise {self.noise}"

    @property
    def boundary(self) -> Fraction:
        """The true threshold."""
        return Fraction(int(self.size) // 2 if self.threshold is None else int(self.threshold))

    @property
    def flips(self) -> Fraction:
        """The probability that a label is flipped."""
        return exact("noise", self.noise)

    def below(self, t: Any) -> Fraction:
        """P(x < t), exactly."""
        return Fraction(_points_below(t, int(self.size)), int(self.size))

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[np.int64]:
        """``size`` independent points, integers."""
        return rng.integers(self.size, size=size)

    def table(self) -> FiniteDistribution | None:
        """The same distribution as a table, where it has few enough points."""
        return _as_table(self, int(self.size))


@dataclass(frozen=True)
class NeedleTail(LineDistribution):
    """An atom at 0 and a thin uniform tail on {1, ..., size - 1}: public samples see the tail rarely.

    The tail has mass ``factor * accuracy``, so that without a point near the threshold a learner misses by more than
    ``accuracy``, and fewer than ``1 / (factor * accuracy)`` public points often see nothing of it.

    Parameters
    ----------
    size : int, at least 2 and at most 2^62
    accuracy : number above 0, with ``factor * accuracy`` at most 1
    threshold : int in {0, ..., size}; the middle by default (see :func:`random_needle_tail` for a random one)
    factor : number above 0
    noise : number in [0, 1/2]

    Raises
    ------
    InvalidArgument
        When a number is out of its range.

    Examples
    --------
    >>> NeedleTail(5, 0.05, threshold=3).risk(None, 1)  # the points 1 and 2, each of mass 1/20
    Fraction(1, 10)
    """

    size: int
    accuracy: Any
    threshold: int | None = None
    factor: Any = 4
    noise: Any = 0

    def __post_init__(self) -> None:
        _checked_grid(self.size, self.threshold, 2)
        checked_noise(self.noise)
        mass = exact("accuracy", self.accuracy) * exact("factor", self.factor)
        if not 0 < mass <= 1:
            raise InvalidArgument(f"accuracy times factor must be above 0 and at most 1, got {mass}")

    @property
    def tail(self) -> Fraction:
        """The mass of the tail."""
        return exact("accuracy", self.accuracy) * exact("factor", self.factor)

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"needle-tail on {{0..{self.size - 1}}}, tail {self.tail}, threshold {self.boundary}, noise {self.noise}"

    @property
    def boundary(self) -> Fraction:
        """The true threshold."""
        return Fraction(int(self.size) // 2 if self.threshold is None else int(self.threshold))

    @property
    def flips(self) -> Fraction:
        """The probability that a label is flipped."""
        return exact("noise", self.noise)

    def below(self, t: Any) -> Fraction:
        """P(x < t), exactly."""
        seen = _points_below(t, int(self.size))
        return Fraction(0) if seen == 0 else 1 - self.tail + self.tail * Fraction(seen - 1, int(self.size) - 1)

    def draw_unlabelled(self, size: int, rng: np.random.Generator, /) -> NDArray[np.int64]:
        """``size`` independent points, integers."""
        in_tail = rng.integers(self.tail.denominator, size=size) < self.tail.numerator
        return np.where(in_tail, rng.integers(1, self.size, size=size), 0)

    def table(self) -> FiniteDistribution | None:
        """The same distribution as a table, where it has few enough points."""
        return _as_table(self, int(self.size))


@lru_cache(maxsize=16)
def _as_table(line: LineDistribution, size: int) -> FiniteDistribution | None:
    if size > LARGEST_TABLE:
        return None
    cumulative = [line.below(t) for t in range(size + 1)]
    masses = [high - low for low, high in pairwise(cumulative)]
    ones = [1 - line.flips if x >= line.boundary else line.flips for x in range(size)]
    return FiniteDistribution(np.arange(size), masses, ones, name=line.name)


def _points_below(t: Any, size: int) -> int:
    """How many of 0, ..., size - 1 are below t."""
    return 0 if t <= 0 else size if t >= size else math.ceil(t)


def _checked_grid(size: Any, threshold: Any, least: int) -> None:
    if whole("size", size, least) > LARGEST_DENOMINATOR:
        raise InvalidArgument(f"size must be at most 2^62, got {size}")
    if threshold is not None and whole("threshold", threshold, 0) > size:
        raise InvalidArgument(f"threshold must be in {{0, ..., {size}}}, got {threshold}")


def checked_noise(noise: Any) -> Fraction:
    """A probability of flipping labels: at most 1/2, as beyond it the other labels are the truer ones."""
    found = between("noise", noise, 0, 1, closed=True)
    if 2 * found > 1:
        raise InvalidArgument(f"noise must be at most 1/2, got {noise!r}")
    return found


def two_points(threshold: int = 1) -> FiniteDistribution:
    """Uniform on ``{threshold - 1, threshold}``, labelled by the threshold: only that threshold errs below 1/2.

    The instance on which private learners of thresholds need a sample that grows with the domain, and on which the
    learner made of a semi-private one is tried (``alon2019:lem-4.4``).

    Examples
    --------
    >>> two_points(7).risk(None, 7), two_points(7).risk(None, 8)
    (Fraction(0, 1), Fraction(1, 2))
    """
    t = whole("threshold", threshold, 1)
    return FiniteDistribution.uniform(np.array([t - 1, t]), [0, 1], name=f"uniform on {{{t - 1}, {t}}}, threshold {t}")


def all_functions(points: int, *, noise: Any = 0, labels: Sequence[int] | None = None) -> FiniteDistribution:
    """Uniform on ``{0, ..., points - 1}`` with any labels, for the class of all functions: its best risk is the noise.

    Parameters
    ----------
    points : int, at least 1
    noise : number in [0, 1/2]
    labels : sequence of 0 and 1, shape (points,); all 0 by default

    Examples
    --------
    >>> all_functions(3, noise=0.1).best_risk(None)
    Fraction(1, 10)
    """
    size, flips = whole("points", points, 1), checked_noise(noise)
    given = [0] * size if labels is None else list(labels)
    if len(given) != size or any(label not in (0, 1) for label in given):
        raise InvalidArgument(f"labels must be 0 or 1 for each of {size} points, got {labels!r}")
    ones = [1 - flips if label else flips for label in given]
    name = f"uniform on {size} points, noise {noise}"
    return FiniteDistribution(np.arange(size), [Fraction(1, size)] * size, ones, name=name, best=flips)


def finite_or_cofinite(points: int) -> FiniteDistribution:
    """Uniform on ``{0, ..., points - 1}``, all labels 0: for sets that are small or have small complements.

    On a public sample much smaller than the root of ``points`` every labelling is realised by a small set and by one
    of small complement; whoever represents it by the latter errs nearly everywhere. The empty set has risk 0.

    Examples
    --------
    >>> instance = finite_or_cofinite(1000)
    >>> instance.best_risk(None), instance.risk(None, 3)
    (Fraction(0, 1), Fraction(997, 1000))
    """
    size = whole("points", points, 1)
    labels = np.zeros(size, dtype=np.int64)
    return FiniteDistribution.uniform(np.arange(size), labels, name=f"uniform on {size} points, labels 0", best=0)


def fair_labels(points: Sequence[Any] = (0,)) -> FiniteDistribution:
    """Uniform on the points with fair, independent labels: the dummy distribution of ``alon2019:alg-2``.

    Examples
    --------
    >>> fair_labels([0]).bayes_risk
    Fraction(1, 2)
    """
    size = len(points)
    half = Fraction(1, 2)
    return FiniteDistribution(points, [Fraction(1, max(size, 1))] * size, [half] * size, name="fair labels", best=half)


@dataclass(frozen=True)
class RandomInstance:
    """A distribution that is itself drawn anew for every trial: failure rates are then averages over the instances.

    Parameters
    ----------
    instance : callable ``rng -> Distribution``
    name : str

    Examples
    --------
    >>> prior = RandomInstance(lambda rng: UniformGrid(10, int(rng.integers(11))), "grids with a random threshold")
    >>> prior.instance(np.random.default_rng(0)).threshold
    9
    """

    instance: Callable[[np.random.Generator], Distribution]
    name: str


def random_needle_tail(size: int, accuracy: Any, *, factor: Any = 4, noise: Any = 0) -> RandomInstance:
    """The needle-tail instance with a threshold drawn uniformly from the tail, anew for every trial.

    Examples
    --------
    >>> random_needle_tail(2**32, 0.02).instance(np.random.default_rng(0)).tail
    Fraction(2, 25)
    """
    NeedleTail(size, accuracy, factor=factor, noise=noise)  # complains now, not in the first trial

    def instance(rng: np.random.Generator) -> NeedleTail:
        return NeedleTail(size, accuracy, threshold=int(rng.integers(1, size)), factor=factor, noise=noise)

    return RandomInstance(instance, f"needle-tail on {{0..{size - 1}}}, random threshold, noise {noise}")
