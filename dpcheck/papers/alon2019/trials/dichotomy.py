"""The dichotomy for pure privacy: point functions, whose need does not grow with the domain, beside thresholds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.claims import PureDP
from dpcheck.papers.alon2019.learners import GenericLearner
from dpcheck.papers.alon2019.theorems.bounds import BOUNDS
from dpcheck.papers.alon2019.trials.lower_bounds import random_two_points
from dpcheck.papers.alon2019.trials.setting import FAILURE, size_of
from dpcheck.parts.classes import GridThresholds
from dpcheck.proof.bounds import value_of
from dpcheck.trial.lower import LowerBound, check_lower_bound
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import TOGETHER, Page, Pivot, Plot
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.upper import UpperBound, check_upper_bound
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.distributions import FiniteDistribution, RandomInstance
from dpcheck.utility.sizes import SampleComplexity, sample_complexity

#: Points are hashed modulo this prime, which is above every point.
PRIME = 2**61 - 1
_ACCURACY = Fraction(1, 4)


@dataclass(frozen=True)
class HashedPoints:
    """An improper, purely private learner of point functions: which of few buckets of a random hash holds the ones.

    The hash is drawn without looking at the data, so that the choice of a bucket by the exponential mechanism is all
    that costs privacy. The bucket of the true point errs on what collides with it: at most 1/buckets of the mass, on
    average over the hash. So with 4/(alpha beta) buckets it errs by more than alpha/2 with probability at most beta/2,
    and the rest is the generic learner's: the size does not depend on the number of points.

    Source: Beimel, Kasiviswanathan & Nissim 2010 (improper private learning of point functions).
    """

    epsilon: float = 1.0
    buckets: int = 160

    @property
    def claim(self) -> PureDP:
        """Pure differential privacy at epsilon."""
        return PureDP(self.epsilon)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        """A hypothesis: which points fall in the chosen bucket."""
        factor, shift = int(rng.integers(1, PRIME)), int(rng.integers(PRIME))

        def codes(points: Any) -> Any:
            return np.array([((factor * int(x) + shift) % PRIME) % self.buckets for x in points], dtype=np.int64)

        chosen = int(rng.choice(self.buckets, p=self.weights(codes(dataset.x), dataset.y)))
        return lambda points: (codes(points) == chosen).astype(np.int64)

    def weights(self, codes: Any, labels: Any) -> Any:
        """The probability of each bucket, shape (buckets,), where records fall in the buckets ``codes``."""
        # a bucket is wrong on the ones outside it and on the zeros in it: minus its mistakes, up to a constant
        gains = np.bincount(codes, weights=2 * np.asarray(labels, dtype=np.int64) - 1, minlength=self.buckets)
        weights = np.exp((gains - gains.max()) * (self.epsilon / 2))
        return weights / weights.sum()


def random_points(bits: int) -> RandomInstance:
    """One point with label 1 and another with label 0, of 2^bits, each with half of the mass."""

    def instance(rng: np.random.Generator) -> FiniteDistribution:
        one = int(rng.integers(2**bits))
        other = (one + int(rng.integers(1, 2**bits))) % 2**bits
        half = Fraction(1, 2)
        return FiniteDistribution([one, other], [half, half], [1, 0], name="two points", best=0)

    return RandomInstance(instance, f"a point of 2^{bits} against another")


def _needed(learner: Any, law: Any, family: Any, seed: int, quick: bool) -> SampleComplexity:
    return sample_complexity(
        learner,
        law,
        accuracy=_ACCURACY,
        failure=FAILURE,
        most=1_000,
        per_octave=2 if quick else 4,
        around=1,
        octaves=1,
        level=TOGETHER / 8,
        trials=1_000 if quick else 5_000,
        family=family,
        best=0,
        seed=seed,
        **IN_PLACE,
    )


def dichotomy(seed: int, quick: bool) -> Findings:
    """Claim 8: what pure learners need against the size of the domain, for point functions and for thresholds."""
    bits = (8, 60) if quick else (8, 16, 32, 60)
    points = [_needed(HashedPoints(), random_points(size), None, seed + size, quick) for size in bits]
    lines = [
        _needed(
            GenericLearner(GridThresholds(2**size), 1.0), random_two_points(size), GridThresholds(2**size), seed, quick
        )
        for size in bits
    ]
    packing = {n: float(value_of(BOUNDS["proper_packing"], points=2**n, failure=FAILURE, epsilon=1)) for n in bits}
    rows = [*_rows("point functions, hashed", points, bits), *_rows("thresholds, generic learner", lines, bits)]
    rows += bound("thresholds: at least (packing, pure and proper)", packing.values(), L=bits)
    domains = [f"L = {size}" for size in bits]
    for name, each in (("point functions", points), ("thresholds", lines)):
        rows += exact(f"{name}: too few", [one.too_small for one in each], domain=domains)
        rows += exact(f"{name}: enough", [one.enough for one in each], domain=domains)
    rows += bound("packing, at least", packing.values(), domain=domains)
    grows = min(each.too_small or 0 for each in lines[-1:]) >= max(each.enough or math.inf for each in lines[:1])
    found = (
        f"Point functions take {_span(points[0])} at L = {bits[0]} and {_span(points[-1])} at L = {bits[-1]}; "
        f"thresholds take {_span(lines[0])} and {_span(lines[-1])}. "
        + (
            "What thresholds need grows: the largest L is certified to fail at sizes that suffice for the smallest."
            if grows
            else "That the need of thresholds grows is not certified by these trials."
        )
        + f" The packing bound rises from {packing[bits[0]]:.1f} to {packing[bits[-1]]:.1f}."
    )
    return Findings(rows, (_own_size(seed), _order(points, bits), *_below(packing, seed)), found)


DICHOTOMY = Page(
    "Point functions beside thresholds: one class whose need does not grow, and one whose does",
    f"Pure private learners without public data, epsilon = 1, error at most {float(_ACCURACY):g} with failure "
    f"{float(FAILURE):g}, on two points of 2^L: an improper learner of point functions, that hashes them, and the "
    "generic learner of thresholds. What each needs is searched, against L; beside it the packing bound.",
    (
        Plot(
            "dichotomy",
            "Records needed without public data, epsilon = 1",
            "L",
            "private records",
            x_label="L: domains of 2^L points",
            x_log=False,
            scale="log",
        ),
    ),
    (Pivot("Too few, and enough (empty: not reached)", ("domain",)),),
    evidence="Of each point the lower end is the largest size tested that is certified to fail, the upper end the "
    f"smallest from which all tested pass; everything is right together save with probability {TOGETHER:g}.",
)


def _rows(name: str, found: list[SampleComplexity], bits: tuple[int, ...]) -> list[Row]:
    """What was needed, in the middle between too few and enough, or the most that was tried."""
    rows = []
    for size, each in zip(bits, found, strict=True):
        low, high = float(each.too_small or 0), float(each.enough or each.most)
        rows.append(Row(name, math.sqrt(max(low, 1.0) * high), {"L": size}, "measured", (low, high), each.trials))
    return rows


def _span(found: SampleComplexity) -> str:
    low = "no size tested is too few" if found.too_small is None else f"more than {found.too_small:,}"
    return low + (", not reached" if found.enough is None else f", at most {found.enough:,}")


def _order(points: list[SampleComplexity], bits: tuple[int, ...]) -> Outcome:
    """Item 1: the need of point functions is the same for every L, as far as the searches tell."""
    low = max(each.too_small or 0 for each in points)
    high = min(math.inf if each.enough is None else each.enough for each in points)
    return Outcome(
        "compatible" if low < high else "not compatible",
        "item 1, point functions: what a pure learner needs does not depend on the number of points",
        f"one size above {low:,} and at most {high:,} fits all of L = {', '.join(map(str, bits))}"
        if low < high
        else f"{low:,} records are too few for one L, and {high:,} enough for another",
        "alon2019:thm-4.2",
        "order",
        learner="hashed points",
        level=TOGETHER if low >= high else 0.0,
        trials=sum(each.trials for each in points),
    )


def _own_size(seed: int) -> Outcome:
    buckets = 160  # 4/(alpha beta)
    declared = UpperBound(
        "alon2019:thm-4.2",
        f"item 1, point functions on 2^60 points without public data: a hash into {buckets} buckets, and a private "
        "choice of one",
        HashedPoints(1.0, buckets),
        random_points(60),
        {
            "private": lambda settings: int(
                size_of(
                    "generic", accuracy=_ACCURACY / 2, failure=FAILURE / 2, epsilon=1, hypotheses=settings["buckets"]
                )
            )
        },
        {"accuracy": _ACCURACY, "failure": FAILURE, "buckets": buckets},
        name="hashed points",
    )
    return check_upper_bound(declared, seed=seed, trials=2_000, search=False)


def _below(packing: dict[int, float], seed: int) -> tuple[Outcome, ...]:
    """Item 2 without public data: just below the packing bound pure, proper learners of thresholds fail."""
    found: list[Outcome] = []
    for size, least in packing.items():
        family = GridThresholds(2**size)
        found += check_lower_bound(
            LowerBound(
                "alon2019:thm-4.2",
                f"item 2, thresholds on 2^{size} points: pure, proper learners need {least:.1f} records (epsilon = 1, "
                "on average over the two-point laws)",
                {"alon2019.generic": GenericLearner(family, 1.0)},
                (random_two_points(size),),
                {"private": math.ceil(least) - 1},
                accuracy=_ACCURACY,
                failure=FAILURE,
                complete=True,
                size=least,
                arguments={"family": family, "best": 0},
            ),
            seed=seed + size,
            trials=5_000,
        )
    return tuple(found)
