"""Claim 1: on the distributions of theorem 5 every private learner of thresholds fails, whatever the sample is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from dpcheck import Labelled
from dpcheck.model.bounds_shown import at_least
from dpcheck.papers.chaudhuri2011.hard_instances import ConcentratedThreshold, concentrated_thresholds
from dpcheck.papers.chaudhuri2011.learners import ReferenceLearner
from dpcheck.papers.chaudhuri2011.trials.less_loss import at_epsilon
from dpcheck.parts.classes import GridThresholds, Thresholds
from dpcheck.parts.classes.references import UniformLine
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.discovery import entries
from dpcheck.trial.lower import LowerBound, check_lower_bound
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import all_true, compared, decided
from dpcheck.trial.rows import Findings, exact, rates
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.failure import FailureRate, failure_rate

_ERROR, _HALF = Fraction(1, 5), Fraction(1, 2)
_RESULT = "chaudhuri2011:thm-5"
#: Learners of thresholds on finitely many points get these, and their hypotheses are read as thresholds on [0, 1].
_CELLS = 64
#: Records, and epsilon, of the runs by trials.
_BY_TRIALS = (10, 0.1)
#: Three records: what learners that are made for a fixed number of records expect.
_SAMPLE = Labelled(np.array([0.3, 0.6, 0.9]), np.array([0, 1, 1]))
#: What the family of the proof as printed lets through, and why.
_GAP = "T5.(2): samples of different sizes are no neighbours; the family is fine enough for one size at a time only"


def good_candidates(candidates: NDArray[np.float64], instance: ConcentratedThreshold) -> tuple[int, int]:
    """Which thresholds err by less than 1/5: those from the first number returned to before the second.

    Parameters
    ----------
    candidates : array of doubles, rising, shape (k,)
    instance : ConcentratedThreshold
        Its errors rise with the distance from the centre.

    Examples
    --------
    >>> good_candidates(np.array([0.1, 0.49, 0.5, 0.9]), ConcentratedThreshold(Fraction(1, 2), Fraction(1, 10)))
    (1, 3)
    """
    reach = _ERROR / instance.smoothness
    first = int(np.searchsorted(candidates, float(instance.centre - reach)))
    last = int(np.searchsorted(candidates, float(instance.centre + reach)))

    def errs(place: int) -> bool:
        return instance.error(float(candidates[place])) >= _ERROR

    while first > 0 and not errs(first - 1):
        first -= 1
    while first < len(candidates) and candidates[first] <= float(instance.centre) and errs(first):
        first += 1
    while last < len(candidates) and not errs(last):
        last += 1
    while last > first and errs(last - 1):
        last -= 1
    return first, max(first, last)


def most_success(below: int, good: int, above: int, rate: Fraction, size: int) -> flint.arb:
    """The largest probability, over all samples of a size from P_z, that a choice errs by less than 1/5; enclosed.

    The choice is among thresholds of which ``below`` lie left of those that err little, ``good`` are these, ``above``
    lie right of them, by weights ``exp(-rate mistakes)``. A sample without errors in its labels that has j of its
    points between the last threshold below and the first good one, and the others on the other side, gives each of
    those below j mistakes, each of those above the others, none to a good one; no sample gives them more.

    Examples
    --------
    >>> round(float(most_success(1, 1, 1, Fraction(0), 5).mid()), 12)
    0.333333333333
    """
    step = (-flint.arb(rate.numerator) / rate.denominator).exp()
    best = flint.arb(0)
    for left in range(size + 1):
        total = good + below * step**left + above * step ** (size - left)
        if not total > 0:
            return flint.arb(0)
        best = best.max(flint.arb(good) / total)
    return best


@dataclass(frozen=True)
class WorstCase:
    """Of a family of distributions the one that is hardest for a learner: its most probable success."""

    success: flint.arb
    centre: float
    candidates: int


def hardest(learner: Any, family: Sequence[ConcentratedThreshold], sizes: Sequence[int]) -> WorstCase:
    """The distribution on which even the best sample, of any of the sizes, gives the least success.

    The learner chooses by ``exp(-rate mistakes)`` from candidates that depend on the number of records alone.

    Examples
    --------
    >>> learner = ReferenceLearner(Thresholds(), UniformLine(), 0.5, accuracy=0.5, failure=0.9, constant=0.12)
    >>> found = hardest(learner, concentrated_thresholds(0.5, 3), [3])
    >>> found.candidates > 20, found.success < 0.5
    (True, True)
    """
    worst: WorstCase | None = None
    made = {}
    for size in sizes:
        sample = Labelled(np.full(size, 0.5), np.ones(size, dtype=np.int64))
        made[size] = np.sort(np.asarray(learner.candidates(sample), dtype=np.float64)), learner.rate(sample)
    for instance in family:
        success = flint.arb(0)
        for size, (candidates, rate) in made.items():
            first, last = good_candidates(candidates, instance)
            success = success.max(most_success(first, last - first, len(candidates) - last, rate, size))
        if worst is None or success < worst.success:
            worst = WorstCase(success, float(instance.centre), max(len(c) for c, _ in made.values()))
    assert worst is not None
    return worst


def all_sizes_family(epsilon: float, size: float) -> tuple[ConcentratedThreshold, ...]:
    """The family of the repaired proof, fine enough for all sizes up to M at once.

    The resolution is ``1/(6 + (M + 1)(1 + exp(alpha M)))``.

    Source: chaudhuri2011:thm-5, repair of T5.(2).

    Examples
    --------
    >>> len(all_sizes_family(0.5, 3)) > len(concentrated_thresholds(0.5, 3))
    True
    """
    resolution = Fraction(1 / (6 + (size + 1) * (1 + math.exp(epsilon * size))))
    return tuple(ConcentratedThreshold(k * resolution, resolution) for k in range(1, math.floor(1 / resolution)))


@dataclass(frozen=True)
class OutputBySize:
    """The threshold at ``size * resolution``, whatever the records are: 0-DP, as their number is public."""

    resolution: Fraction

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """The threshold."""
        return float(self.resolution * len(dataset[1]))


@dataclass(frozen=True)
class AmongCentres:
    """A choice by exponential weights among the centres of a family: a net made for these distributions.

    Examples
    --------
    >>> family = concentrated_thresholds(0.5, 3)
    >>> len(AmongCentres(family, Fraction(1, 2)).candidates(None)) == len(family)
    True
    """

    family: Sequence[ConcentratedThreshold]
    epsilon: Fraction

    def candidates(self, dataset: Any) -> NDArray[np.float64]:
        """The centres, rising."""
        return np.array([float(instance.centre) for instance in self.family])

    def rate(self, dataset: Any) -> Fraction:
        """Nats per mistake: half of epsilon."""
        return self.epsilon / 2


@dataclass(frozen=True)
class OnGrid:
    """A learner of thresholds on a grid, for points of [0, 1]: rounded down before, its threshold scaled after.

    Rounding does not depend on data, so that a loss of the inner learner is the loss of this one.
    """

    inner: Any
    cells: int = _CELLS

    def __call__(self, dataset: Any, rng: np.random.Generator) -> float:
        """A threshold from 0 to 1."""
        x, y = dataset
        places = np.minimum((np.asarray(x) * self.cells).astype(np.int64), self.cells - 1)
        return float(min(max(self.inner(Labelled(places, y), rng), 0), self.cells)) / self.cells


def private_learners(epsilon_at_most: float = 1.0) -> dict[str, Any]:
    """The learners of the project that are as private as claimed when a record is replaced and can learn thresholds.

    Those for the line are taken as they are, others on a grid.
    """
    from dpcheck.model.claims import PureDP
    from dpcheck.model.errors import InvalidArgument

    grid = ClassInstance("thresholds on a grid", GridThresholds(_CELLS), list(range(_CELLS)))
    line = ClassInstance("thresholds on the line", Thresholds(), [(2 * i + 1) / (2 * _CELLS) for i in range(_CELLS)])
    found = {}
    for entry in entries():
        if entry.for_class is None or entry.answers_queries or entry.as_printed:
            continue
        if entry.name.startswith("wang2016.generic"):  # its linear programs are for two or three points
            continue
        for instance in (line, grid):
            try:
                learner = entry.for_class(instance)
                claim = getattr(learner, "claim", None)
                private = isinstance(claim, PureDP) and claim.epsilon_value <= epsilon_at_most
                if not private or learner.neighbours.name != "replace-one":
                    continue
                given = learner if instance is line else OnGrid(learner)
                drawn = given(_SAMPLE, np.random.default_rng(0))
            except InvalidArgument:  # it learns other classes
                continue
            if isinstance(drawn, int | float | np.number):
                found[f"{entry.name} ({instance.name.removeprefix('thresholds ')})"] = given
    return found


def _fine(epsilon: float, size: int) -> ReferenceLearner:
    """A1 with a constant at which its net, for these records, resolves the family."""
    learner = ReferenceLearner(Thresholds(), UniformLine(), epsilon, accuracy=0.2, failure=0.1, constant=1.0)
    constant = size / (learner.requirement.per_nat * (math.log(4_000 / 0.2) + math.log(10)))
    return replace(learner, constant=constant)


def no_private_thresholds(seed: int, quick: bool) -> Findings:
    """Theorem 5: exact worst cases of A1, all other learners by trials, and what is not private as control."""
    products = (0.3, 1.0, 2.0, 3.0) if quick else (0.1, 0.3, 0.6, 1.0, 1.5, 2.0, 2.5, 3.0)
    sizes = (3, 10) if quick else (3, 5, 10, 20)
    rows, one_size = [], []
    for size in sizes:
        found = [hardest(_fine(p / size, size), concentrated_thresholds(p / size, size), [size]) for p in products]
        one_size += found
        at: dict[str, Any] = {"alpha M": products, "m = M": size}
        rows += exact("hypotheses in the net", [worst.candidates for worst in found], **at)
        rows += exact("z", [worst.centre for worst in found], **at)
        rows += exact("A1 fails", [1 - float(worst.success.mid()) for worst in found], **at)
    least = min(1 - float(worst.success.mid()) for worst in one_size)
    size = sizes[-1]
    families = [(product, concentrated_thresholds(product / size, size)) for product in products]
    informed = [hardest(AmongCentres(each, Fraction(p / size)), each, [size]) for p, each in families]
    among = [1 - float(worst.success.mid()) for worst in informed]
    rows += exact("a choice among the centres", among, **{"alpha M": products, "m = M": size})
    control = _control(sizes, seed, quick)
    rows += rates("empirical risk minimiser", control, records=sizes)
    outcomes = [
        compared(
            _RESULT,
            "thm-5 for each size by itself (m = M): on some P_z, whatever the sample of m records, A1 errs by 1/5 "
            "or more "
            f"with probability at least 1/2; alpha M = {min(products):g} to {max(products):g}, m = {sizes[0]} to "
            f"{sizes[-1]}",
            all_true(decided(worst.success, "at most", _HALF) for worst in one_size),
            f"the largest success over all samples, on the hardest P_z, is at most "
            f"{max(float(w.success.mid()) for w in one_size):.4f} in {len(one_size)} cases, computed in balls",
            kind="lower bound",
            learner="chaudhuri2011.A1",
        ),
        compared(
            _RESULT,
            f"thm-5 for m = M = {size}: the same for a choice by exponential weights among the centres themselves",
            all_true(decided(worst.success, "at most", _HALF) for worst in informed),
            f"largest success {max(float(worst.success.mid()) for worst in informed):.4f}, computed in balls",
            kind="lower bound",
            learner="choice among the centres",
        ),
        *_all_sizes(),
        *(by_trials := _by_trials(seed, quick)),
    ]
    failing = sum(each.word == "holds" for each in by_trials)
    told = (
        f"On the hardest P_z A1 fails with probability at least {at_least(least, '.3f')}, even on its best sample. "
        f"A choice among the centres, made for these distributions, still fails with {min(among):.3f}. Of the "
        f"{len(by_trials)} learners run by trials {failing} certainly fail as often as theorem 5 says. The "
        f"minimiser, which is not private, errs by 1/5 with probability {control[0].rate:.3f} from {sizes[0]} records "
        f"and {control[-1].rate:.3f} from {sizes[-1]}, at every alpha M."
    )
    return Findings(rows, outcomes, told)


PAGE = Page(
    "No private learner of thresholds succeeds on all of the distributions of theorem 5",
    "For every alpha and M theorem 5 has a family of distributions P_z, half uniform and half near z. A1 chooses "
    "from a net by exponential weights, so the sample on which it does best is known, and with it its largest "
    "success over all samples of m <= M records: computed for each z, and the worst z taken. The other learners that "
    "are private when a record is replaced are run on samples of each P_z. An empirical risk minimiser, which is not "
    "private, is run on the same distributions as control.",
    (
        Plot(
            "worst-failure",
            "Failure on the hardest P_z, on the sample best for the learner",
            "alpha M",
            "probability of an error of at least 1/5",
            by="m = M",
            only=("A1 fails", "a choice among the centres"),
            lines=(Line("theorem 5: at least 1/2", y=0.5),),
        ),
        Plot(
            "control",
            "The same without privacy",
            "records",
            "probability of an error above 1/5",
            x_label="records m",
            lines=(Line("what private learners cannot get below for m <= M", y=0.5),),
        ),
    ),
    (Pivot("A1 on the hardest P_z", ("m = M", "alpha M"), only=("hypotheses in the net", "z", "A1 fails")),),
    evidence="A1: computed in balls, nothing sampled. Others: each row at the level said. Control: {intervals}",
    left_out="Learners that are private in labels only, or with a delta: theorem 5 does not speak of them. "
    "Learners with an epsilon above 1 by default (wang2016.boost). Those on a grid of 256 cells round "
    "points down first.",
)


def _as_arb(value: Fraction) -> flint.arb:
    return flint.arb(value.numerator) / value.denominator


def _control(sizes: Sequence[int], seed: int, quick: bool) -> list[FailureRate]:
    """The failure of the minimiser on one P_z: it is the same for all but those at the ends."""
    return [
        failure_rate(
            EmpiricalRiskMinimiser(Thresholds()),
            concentrated_thresholds(3.0 / size, size)[40],
            sizes={"private": size},
            accuracy=_ERROR,
            trials=400 if quick else 2_000,
            level=0.05 / len(sizes),
            seed=seed + size,
            **IN_PLACE,
        )
        for size in sizes
    ]


def _all_sizes() -> tuple[Outcome, ...]:
    """One P for all sizes up to M: the printed family against a learner that looks at the size, and the repaired."""
    size, epsilon = 11, math.log(1.5) / 11
    printed, repaired = concentrated_thresholds(epsilon, size), all_sizes_family(epsilon, size)

    def failing(family: Sequence[ConcentratedThreshold], learner: OutputBySize) -> int:
        """Distributions on which no size up to M gives it a good output."""
        outputs = [learner.resolution * m for m in range(size + 1)]
        return sum(all(instance.error(w) >= _ERROR for w in outputs) for instance in family)

    told = [failing(family, OutputBySize(family[0].resolution)) for family in (printed, repaired)]
    a1 = hardest(_fine(epsilon, size), repaired, range(1, size + 1))
    common = f"alpha M = log(3/2), M = {size}"
    return (
        compared(
            _RESULT,
            f"thm-5 as its proof has it, one P_z for all sizes m <= M ({common}), against the learner that outputs m "
            "eta "
            "whatever the records are",
            told[0] > 0,
            f"it fails for all sizes on {told[0]} of the {len(printed)} distributions",
            kind="lower bound",
            expected=_GAP,
            learner="output by size",
        ),
        compared(
            _RESULT,
            f"thm-5 with the repaired family, one P_z for all sizes m <= M ({common}), against the same learner",
            told[1] > 0,
            f"it fails for all sizes on {told[1]} of the {len(repaired)} distributions",
            kind="lower bound",
            learner="output by size",
        ),
        compared(
            _RESULT,
            f"thm-5 with the repaired family, one P_z for all sizes m <= M ({common}): A1, whatever the sample",
            decided(a1.success, "at most", _HALF),
            f"its largest success on the hardest P_z is {float(a1.success.mid()):.4f}, computed in balls",
            kind="lower bound",
            learner="chaudhuri2011.A1",
        ),
    )


def theorem_5(learners: dict[str, Any]) -> LowerBound:
    """Theorem 5 at alpha = 0.1 and m = M = 10, where a minimiser, which is not private, succeeds."""
    size, epsilon = _BY_TRIALS
    # from the middle outwards: a fixed guess does best there, and the ends would be hard for uninteresting reasons
    order = sorted(concentrated_thresholds(epsilon, size), key=lambda one: abs(one.centre - _HALF))
    return LowerBound(
        _RESULT,
        f"thm-5 at alpha = {epsilon:g}, m = M = {size}",
        learners,
        order,
        {"private": size},
        accuracy=_ERROR,
        failure=_HALF,
        size=size,
    )


def _by_trials(seed: int, quick: bool) -> tuple[Outcome, ...]:
    """Every learner, by trials."""
    size, epsilon = _BY_TRIALS
    learners = {name: at_epsilon(learner, epsilon, size) for name, learner in private_learners().items()}
    return check_lower_bound(theorem_5(learners), seed=seed, trials=500 if quick else 5_000)
