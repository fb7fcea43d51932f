"""The exact probability that a public sample fails as a cover: without runs of a learner, without rounding.

A public sample cuts a class into dichotomies, and one hypothesis stands for each. They fail here when some hypothesis
is further than the accuracy from the one that stands for *it*: this is what the proofs bound, and with the lowest or
highest thresholds it is exactly the event Bad of alon2019:lem-3.3. Definition 2.7 asks less (any member of the cover
may be near), so this is never below the probability that there is no cover. For thresholds it is a statement about
the gaps between public points, whose law is known; on few points it is an enumeration of the sets of points seen.

Alternating sums are added up as fractions or as balls of as many bits as it takes: in doubles they lose every digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.utility.arguments import between, whole
from dpcheck.utility.distributions import FiniteDistribution

#: How the hypothesis that stands for a cell of thresholds is chosen, on the interval.
RULES = ("lowest", "highest", "middle", "inner middle")
#: Sets of points are listed up to here: 2^20 of them.
MOST_POINTS = 20
#: Bits of the first attempt with balls; doubled until the result is good to the last bit of a double.
FIRST_PRECISION = 128
#: Public samples beyond this are not searched: some accuracy or failure must be absurd.
LARGEST_SAMPLE = 2**30


def interval_cover_failure(public: int, accuracy: Any, rule: str = "lowest") -> Fraction:
    """The probability that uniform public points on [0, 1] leave a threshold far from its representative, exactly.

    The n points make n + 1 gaps. With the lowest or highest threshold of each cell that happens when a gap exceeds
    the accuracy a: ``sum_{k >= 1, k a < 1} (-1)^(k+1) C(n + 1, k) (1 - k a)^n``. This is also the probability that two
    thresholds at a distance above a agree on all public points, whatever the rule.

    Parameters
    ----------
    public : int, at least 0
    accuracy : number in (0, 1), floats by their shortest decimal
    rule : "lowest", "highest", "middle" or "inner middle"
        "middle" takes the middle of each gap, so that it is the same at twice the accuracy; "inner middle" does so
        between two public points only, and the threshold at -inf or inf beyond them (``Thresholds`` of
        :mod:`dpcheck.parts.classes`).

    Raises
    ------
    InvalidArgument
        When an argument is out of its range.

    Source: alon2019, hard instances; the law of spacings is in David & Nagaraja 2003, section 6.4.

    Examples
    --------
    >>> interval_cover_failure(1, 0.75)  # the one point is below 1/4 or above 3/4
    Fraction(1, 2)
    >>> interval_cover_failure(100, 0.05) < Fraction(3, 5) < interval_cover_failure(60, 0.05)
    True
    """
    n, a = whole("public", public, 0), between("accuracy", accuracy, 0, 1)
    total = Fraction(0)
    scale = a.denominator
    for count, steps in _terms(n, _checked_rule(rule), a):
        total += count * (scale - steps * a.numerator) ** n
    return Fraction(total, scale**n)


def interval_cover_failures(publics: ArrayLike, accuracy: Any, rule: str = "lowest") -> NDArray[np.float64]:
    """:func:`interval_cover_failure` for many sample sizes, as doubles that are right to the last bit or two.

    Parameters
    ----------
    publics : integers of at least 0, any shape
    accuracy, rule : as there

    Returns
    -------
    array of the same shape: estimates certified by ball arithmetic to 2^-50 relative (0.0 below 1e-300)

    Examples
    --------
    >>> interval_cover_failures([1, 10, 100, 1000], 0.05).round(6).tolist()
    [1.0, 1.0, 0.47761, 0.0]
    """
    sizes = np.asarray(publics)
    if sizes.size and (sizes.dtype.kind not in "iu" or sizes.min() < 0):
        raise InvalidArgument(f"publics must be integers of at least 0, got {publics!r}")
    a, chosen = between("accuracy", accuracy, 0, 1), _checked_rule(rule)
    return np.array([_as_double(int(n), chosen, a) for n in sizes.ravel()], dtype=np.float64).reshape(sizes.shape)


def _terms(n: int, rule: str, a: Fraction) -> list[tuple[int, int]]:
    """Integers (c, s) such that the probability of failure is the sum of ``c (1 - s a)^n`` over those with s a < 1.

    By inclusion and exclusion over the gaps that are too long: any k given gaps are longer than given lengths that sum
    to L with probability ``(1 - L)^n``.
    """
    most = math.ceil(1 / a) - 1
    if rule in ("lowest", "highest"):
        return [(-((-1) ** k) * math.comb(n + 1, k), k) for k in range(1, min(most, n + 1) + 1)]
    if rule == "middle":
        return [(-((-1) ** k) * math.comb(n + 1, k), 2 * k) for k in range(1, min(most // 2, n + 1) + 1)]
    if n == 0:  # one gap, and -inf stands for it
        return [(1, 1)]
    found = []
    for ends in range(3):
        for inner in range(min((most - ends) // 2, n - 1) + 1):
            if (ends, inner) != (0, 0) and 2 * inner + ends <= most:
                sign = -((-1) ** (ends + inner))
                found.append((sign * math.comb(2, ends) * math.comb(n - 1, inner), 2 * inner + ends))
    return found


def _as_double(n: int, rule: str, a: Fraction) -> float:
    """The probability as a double, from balls of as many bits as it takes."""
    from flint import arb, ctx, fmpq

    terms = _terms(n, rule, a)
    precision = FIRST_PRECISION
    while True:
        with ctx.workprec(precision):
            total = arb(0)
            for count, steps in terms:
                rest = 1 - steps * a
                total += arb(count) * arb(fmpq(rest.numerator, rest.denominator)) ** n
            if total.rad() <= abs(total.mid()) * arb(2) ** -50 or abs(total).upper() < arb("1e-300"):
                return min(1.0, max(0.0, float(total.mid())))
        precision *= 2


def _checked_rule(rule: Any) -> str:
    if rule not in RULES:
        hint = nearest(rule, RULES) if isinstance(rule, str) else ""
        raise InvalidArgument(f"rule must be one of {', '.join(RULES)}, got {rule!r}{hint}")
    return str(rule)


def grid_cover_failures(size: int, accuracy: Any, largest: int, rule: str = "lowest") -> list[Fraction]:
    """The probabilities that 0, 1, ..., ``largest`` uniform points of {0, ..., size - 1} give no cover of thresholds.

    The cover fails when a run of unseen points is longer than ``floor(accuracy * size)`` ("middle": than twice that).
    Counted in integers: the placements of m distinct points without such a run, times the sequences that see exactly
    m given points.

    Parameters
    ----------
    size : int, at least 1
    accuracy : number in (0, 1)
    largest : int, at least 0
        All sample sizes up to it come out of one recursion of ``largest * size`` steps.
    rule : "lowest", "highest" or "middle"

    Returns
    -------
    list of ``largest + 1`` fractions

    Raises
    ------
    InvalidArgument
        When an argument is out of its range.

    Source: alon2019, hard instances.

    Examples
    --------
    >>> grid_cover_failures(2, 0.4, 2)  # both points must be seen
    [Fraction(1, 1), Fraction(1, 1), Fraction(1, 2)]
    """
    probabilities = _grid_probabilities(size, accuracy, rule)
    return list(islice(probabilities, whole("largest", largest, 0) + 1))


def _grid_probabilities(size: Any, accuracy: Any, rule: Any) -> Iterator[Fraction]:
    """The probabilities for 0, 1, 2, ... public points, without end."""
    points, a = whole("size", size, 1), between("accuracy", accuracy, 0, 1)
    if rule not in ("lowest", "highest", "middle"):
        raise InvalidArgument(f"rule must be one of lowest, highest, middle, got {rule!r}")
    placements = _placements(points, math.floor(a * points) * (2 if rule == "middle" else 1))
    onto = np.zeros(points + 1, dtype=object)  # sequences of the current length onto m given points
    onto[0] = 1
    counts = np.arange(points + 1, dtype=object)
    total = 1
    while True:
        yield 1 - Fraction(int(placements @ onto), total)
        following = counts * onto
        following[1:] += counts[1:] * onto[:-1]
        onto, total = following, total * points


def grid_cover_failure(public: int, size: int, accuracy: Any, rule: str = "lowest") -> Fraction:
    """The probability that uniform points of {0, ..., size - 1} give no cover of the thresholds, as a fraction.

    See :func:`grid_cover_failures`.

    Examples
    --------
    >>> grid_cover_failure(2, 2, 0.4)
    Fraction(1, 2)
    """
    return grid_cover_failures(size, accuracy, whole("public", public, 0), rule)[-1]


def _placements(points: int, run: int) -> NDArray[Any]:
    """How many sets of 0, 1, ..., ``points`` seen points leave no run of more than ``run`` unseen ones."""
    # ways to put the m-th seen point at i: the one before it is at most run + 1 back; i = 0 and points + 1 are the ends
    ways = np.zeros(points + 2, dtype=object)
    ways[0] = 1
    found = np.zeros(points + 1, dtype=object)
    for seen in range(points + 1):
        before = np.concatenate([[0], np.cumsum(ways)])
        ways = before[:-1] - before[np.maximum(np.arange(points + 2) - run - 1, 0)]
        found[seen] = ways[-1]
        ways[-1] = 0
    return found


def two_agree_failures(
    family: Any, distribution: FiniteDistribution, accuracy: Any, publics: Sequence[int]
) -> list[Fraction]:
    """P[Bad]: that two hypotheses further apart than the accuracy agree on all public points; exact.

    Bad bounds the failure of every cover made of representatives, and is the failure of the worst.

    Parameters
    ----------
    family : class with ``representatives`` and ``predict``
    distribution : FiniteDistribution of at most 20 points
    accuracy : number in (0, 1)
    publics : sequence of sample sizes of at least 0

    Returns
    -------
    list of fractions, one per sample size

    Raises
    ------
    InvalidArgument
        When an argument is out of its range.

    Source: alon2019:lem-3.3-eq1 (its left side).

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> two_agree_failures(GridThresholds(2), UniformGrid(2).table(), 0.4, [0, 1, 2])
    [Fraction(1, 1), Fraction(1, 1), Fraction(1, 2)]
    """
    labels, masses = _table(family, distribution)
    far = _far_apart(labels, masses, between("accuracy", accuracy, 0, 1))
    return set_failures(masses, lambda seen: bool((far & seen == 0).any()), publics)


def representatives_failures(
    family: Any, distribution: FiniteDistribution, accuracy: Any, publics: Sequence[int], rule: Any = None
) -> list[Fraction]:
    """The probability that the class's own representatives on the public points are no cover; exact.

    Parameters
    ----------
    family, distribution, accuracy, publics : as for :func:`two_agree_failures`
    rule : a rule of the class for its representatives; its default if left out

    Returns
    -------
    list of fractions, one per sample size

    Source: alon2019:lem-3.3.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.utility.distributions import UniformGrid
    >>> table = UniformGrid(9).table()
    >>> found = representatives_failures(GridThresholds(9), table, 0.2, [7], "middle")
    >>> found == [grid_cover_failure(7, 9, 0.2, "middle")]
    True
    """
    labels, masses = _table(family, distribution)
    a = between("accuracy", accuracy, 0, 1)
    bits, weights = _as_bits(labels), _subset_masses(masses)
    allowed = a * weights[-1]
    near = np.array([weight <= allowed for weight in weights])

    def fails(seen: int) -> bool:
        chosen = family.representatives(distribution.points[_members(seen, len(masses))], rule)
        standing = _as_bits(np.asarray(family.predict(chosen, distribution.points)))
        # rows agree on what was seen with exactly one of those that stand for them
        place = np.searchsorted(np.sort(standing & seen), bits & seen)
        ordered = standing[np.argsort(standing & seen)]
        return bool((~near[bits ^ ordered[place]]).any())

    return set_failures(masses, fails, publics)


def set_failures(masses: Sequence[Fraction], fails: Callable[[int], bool], publics: Sequence[int]) -> list[Fraction]:
    """The probability that the set of points seen by a sample fails, for any property of sets; exact.

    Parameters
    ----------
    masses : sequence of k fractions that sum to 1, k at most 20
    fails : callable on sets of points
        Bit i of its argument says whether point i was seen.
    publics : sequence of sample sizes of at least 0

    Returns
    -------
    list of fractions, one per sample size

    Raises
    ------
    InvalidArgument
        When there are too many points, or a size is no such integer.

    Examples
    --------
    >>> half = Fraction(1, 2)
    >>> set_failures([half, half], lambda seen: seen != 0b11, [1, 2, 3])
    [Fraction(1, 1), Fraction(1, 2), Fraction(1, 4)]
    """
    points = len(masses)
    if not 1 <= points <= MOST_POINTS:
        raise InvalidArgument(f"masses must be those of 1 to {MOST_POINTS} points, got {points}")
    sizes = [whole("publics", size, 0) for size in publics]
    # P(seen = S) is an alternating sum of mass(U)^n over the subsets U of S: gather the coefficient of each U
    weights = np.array([fails(seen) for seen in range(2**points)], dtype=np.int64)
    for point in range(points):
        pairs = weights.reshape(-1, 2, 2**point)
        pairs[:, 0] -= pairs[:, 1]
    gathered: dict[int, int] = {}
    sums = _subset_masses(masses)
    for mass, weight in zip(sums, weights.tolist(), strict=True):
        if weight:
            gathered[mass] = gathered.get(mass, 0) + weight
    whole_mass = int(sums[-1])
    return [Fraction(sum(weight * mass**size for mass, weight in gathered.items()), whole_mass**size) for size in sizes]


def _table(family: Any, distribution: FiniteDistribution) -> tuple[NDArray[np.uint8], tuple[Fraction, ...]]:
    """The dichotomies of the class on all points, and the masses of these."""
    if not isinstance(distribution, FiniteDistribution) or len(distribution.points) > MOST_POINTS:
        raise InvalidArgument(f"distribution must be a FiniteDistribution of at most {MOST_POINTS} points")
    chosen = family.representatives(distribution.points)
    return np.asarray(family.predict(chosen, distribution.points)), distribution.masses


def _as_bits(labels: NDArray[Any]) -> NDArray[np.int64]:
    """Label vectors as integers: bit i is the label of point i."""
    return np.asarray(labels.astype(np.int64) @ (1 << np.arange(labels.shape[1], dtype=np.int64)))


def _members(seen: int, points: int) -> NDArray[np.intp]:
    return np.flatnonzero((seen >> np.arange(points)) & 1)


def _subset_masses(masses: Sequence[Fraction]) -> NDArray[Any]:
    """The masses of all sets of points, as integers over one denominator (the last entry)."""
    scale = math.lcm(*(mass.denominator for mass in masses))
    sums = np.zeros(1, dtype=object)
    for mass in masses:
        sums = np.concatenate([sums, sums + mass.numerator * (scale // mass.denominator)])
    return sums


def _far_apart(labels: NDArray[Any], masses: Sequence[Fraction], accuracy: Fraction) -> NDArray[np.int64]:
    """The sets on which two hypotheses differ whose mass exceeds the accuracy."""
    bits, sums = _as_bits(labels), _subset_masses(masses)
    differences = np.unique(np.concatenate([np.unique(bits ^ other) for other in bits]))
    allowed = accuracy * sums[-1]
    return np.array([d for d in differences.tolist() if sums[d] > allowed], dtype=np.int64)


def least_public(
    accuracy: Any, failure: Any, *, rule: str = "lowest", size: int | None = None, upto: int = LARGEST_SAMPLE
) -> int:
    """The least public sample with which a cover of the thresholds fails with at most the probability ``failure``.

    Parameters
    ----------
    accuracy : number in (0, 1)
    failure : number in (0, 1)
    rule : str, as for :func:`interval_cover_failure`
    size : int, optional
        Of a uniform grid {0, ..., size - 1}; the interval [0, 1] if left out.
    upto : int
        The largest sample that is tried.

    Returns
    -------
    int
        Certain: probabilities are compared as fractions wherever doubles are too close to tell. More points never hurt
        (they only split gaps), so that it is found by bisection.

    Raises
    ------
    InvalidArgument
        When no sample up to ``upto`` suffices, or an argument is out of its range.

    Source: alon2019:lem-3.3, headline claim 1.

    Examples
    --------
    >>> least_public(0.2, 0.1)
    25
    """
    allowed = between("failure", failure, 0, 1)
    if size is None:
        a = between("accuracy", accuracy, 0, 1)
        return _bisect(lambda n: _interval_suffices(n, a, _checked_rule(rule), allowed), upto)
    for public, probability in enumerate(_grid_probabilities(size, accuracy, rule)):
        if probability <= allowed:
            return public
        if public >= upto:
            break
    raise InvalidArgument(f"failure of {failure!r} needs more than upto = {upto} public points")


@lru_cache(maxsize=4096)
def _interval_suffices(n: int, a: Fraction, rule: str, allowed: Fraction) -> bool:
    near = _as_double(n, rule, a)
    if abs(near - float(allowed)) > 1e-12 * float(allowed):
        return near < float(allowed)
    return interval_cover_failure(n, a, rule) <= allowed


def _bisect(suffices: Callable[[int], bool], upto: int) -> int:
    """The least n at which a condition holds that, once true, stays true."""
    high = 1
    while not suffices(high):
        if high >= upto:
            raise InvalidArgument(f"failure wanted needs more than upto = {upto} public points")
        high = min(2 * high, upto)
    low = high // 2 if high > 1 else -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle, high)
    return high
