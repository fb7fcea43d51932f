"""The four probabilities inside the reduction from semi-private to private learning, exactly.

A semi-private learner with sizes (private, public) is run on dummies mixed with real records: each of the private
positions gets a real record with probability ``p = 1 / (100 public)``, of which ``ceil(private / (10 public))`` are
at hand. Whether the mixture looks like a sample depends on binomial tails, which are computed here and not bounded.

Source: alon2019:alg-2, alon2019:alg-3, alon2019:clm-4.6.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.utility.arguments import between, exact, whole

#: Bits of the first attempt with balls, doubled until the enclosure is narrow.
FIRST_PRECISION = 128
#: Relative width of an enclosure: about an eighth of a double's last place, before its ends are rounded outwards.
NARROW = 2.0**-56
#: Terms of a binomial sum that are added up as fractions; beyond, the numbers have too many digits to be of use.
MOST_TERMS = 20_000
#: Samples that are listed by how often each cell occurs, for the total variation of products.
MOST_TYPES = 1_000_000


@dataclass(frozen=True)
class Enclosure:
    """A number between two doubles, both included.

    Examples
    --------
    >>> (Enclosure(0.1, 0.2) <= 0.2, Enclosure(0.1, 0.2) > 0.15, Enclosure(0.1, 0.2) <= 0.15)
    (True, False, False)
    """

    low: float
    high: float

    def __le__(self, bound: float | Fraction) -> bool:
        """Certainly at most the bound."""
        return self.high <= bound

    def __gt__(self, bound: float | Fraction) -> bool:
        """Certainly above the bound; False too where the enclosure does not tell."""
        return self.low > bound

    @property
    def middle(self) -> float:
        """A double inside."""
        return 0.5 * (self.low + self.high)


def binomial_tail(trials: int, chance: Any, least: int) -> Enclosure:
    """P(Binomial(trials, chance) >= least), enclosed by neighbouring doubles.

    Parameters
    ----------
    trials : int, at least 0
    chance : number in [0, 1], taken as exact (floats by their shortest decimal)
    least : int

    Returns
    -------
    Enclosure
        From the regularised incomplete beta function in ball arithmetic, at as many bits as it takes.

    Raises
    ------
    InvalidArgument
        When an argument is out of its range.

    Examples
    --------
    >>> binomial_tail(10, Fraction(1, 2), 8).middle  # 56 / 1024
    0.0546875
    """
    from flint import arb, ctx, fmpq

    n, p = whole("trials", trials, 0), between("chance", chance, 0, 1, closed=True)
    if least <= 0 or p == 1:
        return Enclosure(1.0, 1.0) if least <= n or least <= 0 else Enclosure(0.0, 0.0)
    if least > n or p == 0:
        return Enclosure(0.0, 0.0)
    precision = FIRST_PRECISION
    while True:
        with ctx.workprec(precision):
            tail = arb(fmpq(p.numerator, p.denominator)).beta_lower(arb(least), arb(n - least + 1), regularized=1)
            if tail.rad() <= abs(tail.mid()) * arb(NARROW):
                return _outwards(tail)
        precision *= 2


def exact_binomial_tail(trials: int, chance: Any, least: int) -> Fraction:
    """P(Binomial(trials, chance) >= least) as a fraction, for up to 20,000 trials.

    Raises
    ------
    InvalidArgument
        When an argument is out of its range.

    Examples
    --------
    >>> exact_binomial_tail(10, Fraction(1, 2), 8)
    Fraction(7, 128)
    """
    n, p = whole("trials", trials, 0), between("chance", chance, 0, 1, closed=True)
    if n > MOST_TERMS:
        raise InvalidArgument(f"trials must be at most {MOST_TERMS} for a fraction, got {n}: use binomial_tail")
    yes, no = p.numerator, p.denominator - p.numerator
    # the shorter of the two sums
    few = least <= n // 2
    counts = range(max(0, min(least, n + 1))) if few else range(least, n + 1)
    total = sum(math.comb(n, count) * yes**count * no ** (n - count) for count in counts)
    part = Fraction(total, p.denominator**n)
    return 1 - part if few else part


def _outwards(ball: Any) -> Enclosure:
    """The doubles around a ball, clipped to probabilities."""
    low, high = float(ball.lower()), float(ball.upper())
    return Enclosure(max(0.0, math.nextafter(low, -1.0)), min(1.0, math.nextafter(high, 2.0)))


@dataclass(frozen=True)
class ReductionNumbers:
    """The numbers in the reduction for one pair of sizes.

    ``available`` real records are at hand, each position wants one with probability ``chance``. ``leaves_early``: the
    loop of the printed algorithm ends before the last position is filled (all records are used up before the last
    position). ``runs_out``: one more record is wanted than there is. ``no_real_public``: a public sample of the
    mixture would hold no real record. ``public_distance``: total variation between that sample and the dummies handed
    over instead, for disjoint supports (its largest value).
    """

    private: int
    public: int
    available: int
    chance: Fraction
    leaves_early: Enclosure
    runs_out: Enclosure
    no_real_public: Enclosure
    public_distance: Enclosure

    def to_row(self) -> dict[str, Any]:
        """A flat row for a table: an enclosure becomes two columns."""
        row: dict[str, Any] = {}
        for name, value in asdict(self).items():
            if isinstance(value, dict):
                row[f"{name}_low"], row[f"{name}_high"] = value["low"], value["high"]
            else:
                row[name] = str(value) if isinstance(value, Fraction) else value
        return row


def reduction_numbers(private: int, public: int) -> ReductionNumbers:
    """The four probabilities of the reduction for a semi-private learner with these sizes.

    Parameters
    ----------
    private, public : int, at least 1

    Raises
    ------
    InvalidArgument
        When a size is less.

    Source: alon2019:lem-4.4.

    Examples
    --------
    >>> numbers = reduction_numbers(1000, 1)
    >>> numbers.available, numbers.chance, numbers.runs_out <= 1e-60
    (100, Fraction(1, 100), True)
    """
    n, m = whole("private", private, 1), whole("public", public, 1)
    chance = Fraction(1, 100 * m)
    available = -(-n // (10 * m))
    real = binomial_tail(m, chance, 1)
    none = binomial_tail(m, 1 - chance, m)
    return ReductionNumbers(
        private=n,
        public=m,
        available=available,
        chance=chance,
        leaves_early=binomial_tail(n - 1, chance, available),
        runs_out=binomial_tail(n, chance, available + 1),
        no_real_public=none,
        public_distance=real,
    )


def reduction_table(ratios: Sequence[Any], publics: Sequence[int]) -> list[ReductionNumbers]:
    """:func:`reduction_numbers` over the ratios private / public (rounded up) and the public sizes.

    Parameters
    ----------
    ratios : sequence of numbers above 0
    publics : sequence of int, at least 1

    Examples
    --------
    >>> [numbers.private for numbers in reduction_table([0.1, 10], [1, 100])]
    [1, 10, 10, 1000]
    """
    found = []
    for public in publics:
        for ratio in ratios:
            if (wanted := exact("ratios", ratio, "numbers above 0")) <= 0:
                raise InvalidArgument(f"ratios must be numbers above 0, got {ratio!r}")
            found.append(reduction_numbers(math.ceil(wanted * whole("publics", public, 1)), public))
    return found


def product_distance(first: Sequence[Any], second: Sequence[Any], size: int) -> Fraction:
    """The total variation distance of two samples of independent draws, as a fraction.

    Samples are listed by how often each cell occurs, as both laws depend on nothing else.

    Parameters
    ----------
    first, second : sequences of k probabilities over the same cells, each summing to 1
        The :attr:`~dpcheck.utility.distributions.FiniteDistribution.cells` of two distributions, say.
    size : int, at least 0, the number of draws

    Raises
    ------
    InvalidArgument
        When these are no probabilities over the same cells, or there are too many samples to list.

    Examples
    --------
    >>> product_distance([Fraction(1, 2), Fraction(1, 2)], [1, 0], 3)
    Fraction(7, 8)
    """
    n = whole("size", size, 0)
    given = {"first": first, "second": second}
    laws = [[between(name, mass, 0, 1, closed=True) for mass in law] for name, law in given.items()]
    if len(laws[0]) != len(laws[1]) or any(sum(law) != 1 for law in laws):
        raise InvalidArgument("first and second must be probabilities of the same cells, each summing to 1")
    cells = [pair for pair in zip(*laws, strict=True) if pair != (0, 0)]
    if math.comb(n + len(cells) - 1, len(cells) - 1) > MOST_TYPES:
        raise InvalidArgument(f"size must make at most {MOST_TYPES} samples to list, got {n} over {len(cells)} cells")
    scales = [math.lcm(*(mass.denominator for mass in law)) for law in laws]
    numbers = [tuple(int(mass * scale) for mass, scale in zip(pair, scales, strict=True)) for pair in cells]
    joint = scales[0] ** n * scales[1] ** n
    total = 0
    for counts in _compositions(n, len(cells)):
        ways, left = 1, n
        weights = [scales[1] ** n, scales[0] ** n]
        for count, pair in zip(counts, numbers, strict=True):
            ways *= math.comb(left, count)
            left -= count
            weights = [weight * number**count for weight, number in zip(weights, pair, strict=True)]
        total += ways * abs(weights[0] - weights[1])
    return Fraction(total, 2 * joint)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as an ordered sum of so many numbers of at least 0."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)
