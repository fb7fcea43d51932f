"""Alg-1: the value of a function, released where it is far from changing; distances to instability by brute force."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.claims import ApproxDP
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.model.neighbours import AddRemove
from dpcheck.papers.bassily2018.learners.votes import ABSTAINED
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.parts.mechanisms.mixtures import LEAST_BITS
from dpcheck.parts.mechanisms.parameters import count, positive, probability, real

#: Datasets that are looked at for one distance: some seconds.
MOST_DATASETS = 1 << 18
#: Thresholds and noise scales are doubles.
_LEAST_EPSILON = 1e-300


@dataclass(frozen=True)
class StableRelease:
    """A_stab: ``f(D)`` where ``distance(D) + Lap(1/epsilon) > log(1/delta)/epsilon``, else an abstention.

    It is (epsilon, delta)-DP where the distance is the distance to instability (thm-2.4): it moves by at most 1 from a
    dataset to its neighbour, and is 0 on both where f differs, so that ``f(D)`` is released there with probability
    ``delta/2``. *That it is this distance is your promise*: any other function given here is accounted as if it were.
    :func:`distance_to_instability` computes it on small universes.

    Parameters
    ----------
    function : callable, dataset -> output
        The paper's f. Outputs must differ from "⊥".
    distance : callable, dataset -> number, ``inf`` for a constant function
    epsilon : float, above 0
    delta : float, above 0 and at most 1

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: bassily2018:alg-1, thm-2.4.

    Examples
    --------
    >>> learner = StableRelease(max, lambda data: data.count(max(data)) - 1, epsilon=1.0, delta=0.01)
    >>> law = learner.distribution([3, 3, 3, 1])
    >>> dict(zip(law.outputs, [round(float(chance.mid()), 4) for chance in law.exact]))
    {3: 0.0369, '⊥': 0.9631}
    """

    function: Callable[[Any], Any]
    distance: Callable[[Any], Any]
    epsilon: float = 1.0
    delta: float = 1e-6

    def __post_init__(self) -> None:
        for name in ("function", "distance"):
            if not callable(getattr(self, name)):
                raise InvalidArgument(f"{name} must be a callable of a dataset, got {getattr(self, name)!r}")
        if isinstance(self.epsilon, np.generic):
            object.__setattr__(self, "epsilon", self.epsilon.item())
        if positive("epsilon", self.epsilon) < _LEAST_EPSILON:
            raise InvalidArgument(f"epsilon must be at least {_LEAST_EPSILON:g}, got {self.epsilon!r}")
        if probability("delta", self.delta) == 0:
            raise InvalidArgument("delta must be above 0, got 0: no threshold is high enough")

    @property
    def claim(self) -> ApproxDP:
        """(epsilon, delta), under your promise about the distance."""
        return ApproxDP(self.epsilon, self.delta)

    @property
    def neighbours(self) -> AddRemove:
        """One record added or removed."""
        return AddRemove()

    def threshold(self) -> float:
        """``Gamma = log(1/delta)/epsilon``."""
        return -math.log(self.delta) / self.epsilon

    def scale(self) -> float:
        """``1/epsilon``, of the noise; rounded up."""
        found = 1 / self.epsilon
        return found if Fraction(found) * Fraction(self.epsilon) >= 1 else math.nextafter(found, math.inf)

    def distance_of(self, dataset: Any) -> float:
        """Step 1: the distance to instability, at least 0.

        Raises
        ------
        InvalidArgument
            When it is not a number, or negative.
        """
        given = self.distance(dataset)
        try:
            found = float(given) if given == math.inf else real("distance", given)
        except OverflowError:
            raise InvalidArgument("distance must be a number that a double holds, or inf, got a larger one") from None
        if found < 0:
            raise InvalidArgument(f"distance must be at least 0, got {given!r}")
        return found

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """``f(D)`` or "⊥"."""
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> list[Any]:
        """``size`` independent outputs."""
        released = self.distance_of(dataset) + rng.laplace(0.0, self.scale(), size) > self.threshold()
        value = self.function(dataset)
        return [value if each else ABSTAINED for each in released.tolist()]

    def distribution(self, dataset: Any) -> Law:
        """The exact law of the output, in balls."""
        from flint import arb, ctx

        value, far = self.function(dataset), self.distance_of(dataset)
        if math.isinf(far):
            return Law([value], exact=[Fraction(1)])
        with ctx.workprec(max(ctx.prec, LEAST_BITS)):
            gap = (Fraction(self.threshold()) - Fraction(far)) / Fraction(self.scale())
            tail = ball(-abs(gap)).exp() / 2
            rest = arb(1) - tail
            chances = [tail, rest] if gap >= 0 else [rest, tail]
        return Law([value, ABSTAINED], exact=chances)


def required_stability(epsilon: float, delta: float, failure: float) -> float:
    """``(log(1/delta) + log(1/beta))/epsilon``: a function this stable on D is released with probability 1 - beta.

    Source: bassily2018:thm-2.5.

    Examples
    --------
    >>> round(required_stability(1.0, 1e-6, 0.05), 2)
    16.81
    """
    return (-math.log(delta) - math.log(failure)) / positive("epsilon", epsilon)


def datasets_within(dataset: Sequence[Any], universe: Sequence[Any], distance: int) -> Iterator[tuple[Any, ...]]:
    """The datasets at exactly this distance: so many records added and removed, as multisets, each once.

    Parameters
    ----------
    dataset : sequence of records of the universe
    universe : distinct hashable records
    distance : int, at least 0

    Examples
    --------
    >>> sorted(datasets_within((0,), (0, 1), 1))
    [(), (0, 0), (0, 1)]
    """
    held = Counter(dataset)
    ways = count("distance", distance, 0)
    # a step of each kind of record: by how much its number moves
    for steps in itertools.product(*(range(-min(held[record], ways), ways + 1) for record in universe)):
        if sum(map(abs, steps)) == ways:
            counts = (held[record] + step for record, step in zip(universe, steps, strict=True))
            yield tuple(itertools.chain.from_iterable(map(itertools.repeat, universe, counts)))


def largest_stability(
    function: Callable[[Any], Any], dataset: Sequence[Any], universe: Sequence[Any], most: int
) -> int:
    """``max{k : f is k-stable on D}``: f is the same on all datasets within k records added or removed.

    Parameters
    ----------
    function : callable, tuple of records -> output, blind to their order
    dataset : sequence of records of the universe
    universe : distinct hashable records
    most : int
        Where to stop: the answer is then ``most``, and the truth at least that.

    Raises
    ------
    InvalidArgument
        When a record is not of the universe, or there are too many datasets to look at.

    Source: bassily2018:def-2.3 and thm-2.4.

    Examples
    --------
    >>> majority = lambda data: int(2 * sum(data) > len(data))
    >>> largest_stability(majority, (1, 1, 1), (0, 1), most=9)
    2
    """
    _check_universe(dataset, universe, most)
    value = function(_sorted_as(dataset, universe))
    for away in range(1, most + 1):
        if any(function(each) != value for each in datasets_within(dataset, universe, away)):
            return away - 1
    return most


def distance_to_instability(
    function: Callable[[Any], Any], dataset: Sequence[Any], universe: Sequence[Any], most: int
) -> int:
    """How many records must be added or removed to reach a dataset on which f is not stable (not 1-stable).

    The other wording of def-2.3; it is :func:`largest_stability`: on a shortest way to a dataset where f differs the
    last one before it is unstable, and no dataset nearer has a neighbour where f differs.

    Parameters and errors are those of :func:`largest_stability`.

    Source: bassily2018:def-2.3.

    Examples
    --------
    >>> majority = lambda data: int(2 * sum(data) > len(data))
    >>> distance_to_instability(majority, (1, 1, 1), (0, 1), most=9)
    2
    """
    _check_universe(dataset, universe, most)
    for away in range(most):
        for each in datasets_within(dataset, universe, away):
            value = function(each)
            if any(function(other) != value for other in datasets_within(each, universe, 1)):
                return away
    return most


def _check_universe(dataset: Sequence[Any], universe: Sequence[Any], most: int) -> None:
    strangers = [record for record in dataset if record not in universe]
    if strangers:
        raise InvalidArgument(f"dataset must hold records of the universe, got {strangers[0]!r}")
    if (2 * count("most", most, 0) + 1) ** len(universe) > MOST_DATASETS:
        raise InvalidArgument(
            f"most must be such that at most {MOST_DATASETS:,} datasets are looked at, got {most} for a universe of "
            f"{len(universe)} records"
        )


def _sorted_as(dataset: Sequence[Any], universe: Sequence[Any]) -> tuple[Any, ...]:
    held = Counter(dataset)
    return tuple(itertools.chain.from_iterable(itertools.repeat(record, held[record]) for record in universe))
