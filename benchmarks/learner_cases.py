"""What `learners.py` measures: learners with a class, and the sizes along which they grow.

A setting is the making of a learner, which is part of what is measured, and a dataset of a size. Its dataset, or its
radius, is fresh each time, so that nothing remembered from one run serves the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpcheck import Labelled, SemiPrivate
from dpcheck.papers.alon2019.learners import CoverLearner, GenericLearner, LabelPrivate
from dpcheck.papers.bassily2018.learners.base_learners import LeastPositive
from dpcheck.papers.bassily2018.learners.noisy_majority import NoisyMajority
from dpcheck.papers.bassily2018.learners.private_answers import PrivateAnswers
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner, ReferenceLearner
from dpcheck.papers.chaudhuri2011.learners.sizes import Requirement
from dpcheck.papers.wang2016.learners.cover import CoverExponential
from dpcheck.papers.wang2016.learners.generic import OptimalPrivateLearner
from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.papers.wang2016.learners.perturbation import PerturbedMinimiser
from dpcheck.papers.wang2016.learners.regularised import RegularisedExponential
from dpcheck.parts.classes import (
    Atoms,
    Boxes,
    FiniteClass,
    GridThresholds,
    HalfPlanes,
    HypothesisClass,
    LinearSeparators,
    OriginHalfPlanes,
    Rectangles,
    Reference,
    Stumps,
    Thresholds,
    UniformLine,
    UniformSphere,
)
from dpcheck.parts.learners.baselines import EmpiricalRiskMinimiser
from dpcheck.parts.risk.losses import PowerLoss, ZeroOneLoss
from dpcheck.parts.risk.problems import absolute_loss

#: What makes the learner, its dataset, and what counts the hypotheses that it chooses among, afterwards.
Setting: TypeAlias = tuple[Callable[[], Any], Any, Callable[[], int]]

#: Half decades from 10^3 to 10^6.
SIZES = tuple(round(10 ** (k / 2)) for k in range(6, 13))
#: What is held fixed while something else grows.
RECORDS, PUBLIC = 100_000, 1_000
#: Hypotheses of the classes that are listed, and their points.
LIST, LISTED_POINTS = 1_000, 16
#: What chaudhuri2011's learners are asked for.
ACCURACY, FAILURE = 0.1, 0.05
#: The linear program has a variable for each hypothesis on each dataset: so many at the largest sizes.
MOST_VARIABLES = 5_000
PROGRAM = "wang2016.generic"
#: What answers public queries: the most that are asked, and the models that vote.
MOST_QUERIES, VOTERS = 1_000_000, 1_000
#: Labels are those of a hypothesis of the class, turned over with this probability.
NOISE = 0.1
#: Coordinates in the plane are integers below this: most of a million differ, and half-planes are exact in doubles.
SIDE = 1 << 20


@dataclass(frozen=True)
class Case:
    """A learner with a class along one kind of size.

    Parameters
    ----------
    learner : str, as ``dpcheck learners`` lists it, or nearly
    family : str, the class in words
    grows : str, what the sizes count: records, hypotheses, ...
    fixed : str, what does not grow
    sizes : increasing
    setting : callable (size, rng)
    order : str, the cost that the code promises in this size
    repeated : bool
        Whether many draws are compared with one: not where each draw is as long as the queries.
    """

    learner: str
    family: str
    grows: str
    fixed: str
    sizes: tuple[int, ...]
    setting: Callable[[int, Generator], Setting]
    order: str
    repeated: bool = True

    @property
    def name(self) -> str:
        """Learner, class and what grows: no two cases share it."""
        return f"{self.learner}, {self.family}, {self.grows}"


def line(size: int, rng: Generator) -> Labelled:
    """Points of [0, 1), labelled 1 from 1/2 on, with noise."""
    x = rng.random(size)
    return Labelled(x, _noisy(x >= 0.5, rng))


def grid(size: int, domain_size: int, rng: Generator) -> Labelled:
    """Points of a grid, labelled 1 in its upper half, with noise."""
    x = rng.integers(domain_size, size=size)
    return Labelled(x, _noisy(x >= domain_size // 2, rng))


def plane(size: int, rng: Generator, columns: int = 2) -> Labelled:
    """Points with integer coordinates, labelled 1 in the upper half of the first coordinate, with noise."""
    x = rng.integers(SIDE, size=(size, columns))
    return Labelled(x, _noisy(x[:, 0] >= SIDE // 2, rng))


def _noisy(labels: NDArray[np.bool_], rng: Generator) -> NDArray[np.uint8]:
    return (labels ^ (rng.random(len(labels)) < NOISE)).astype(np.uint8)


def cases() -> Iterator[Case]:
    """All of them, paper by paper."""
    yield from _generic()
    yield from _answers()
    yield from _cover("thresholds", Thresholds(), line, SIZES, "k log n")
    yield from _cover("stumps in the plane", Stumps(2), plane, SIZES[:5], "k log n", points=PUBLIC)
    for family, words, points, several in (
        (HalfPlanes(), "half-planes", 10, (10, 18, 32, 56, 100)),
        (Rectangles(), "rectangles", 6, (6, 8, 12, 18, 26)),
    ):
        yield from _cover(words, family, plane, several, "k n", points=points, records=1_000, in_records="k n")
    yield from _label_private_cover()
    for realisable in (False, True):
        yield from _reference(realisable)
    yield from _label_private()
    yield from _exponential()
    yield from _continuous()
    yield from _optimal()
    yield from _baselines()


def _generic() -> Iterator[Case]:
    def on_grid(records: int, domain_size: int, rng: Generator) -> Setting:
        family = GridThresholds(domain_size)
        return lambda: GenericLearner(family), grid(records, domain_size, rng), lambda: family.size

    name, words = "alon2019.generic", "thresholds on a grid"
    yield Case(
        name, words, "records", "a grid of 2^40", SIZES, lambda n, rng: on_grid(n, 1 << 40, rng), "n log n"
    )  # fmt: skip
    grids = tuple(1 << bits for bits in (20, 30, 40, 50, 60))
    yield Case(
        name, words, "hypotheses", f"{RECORDS:,} records", grids, lambda k, rng: on_grid(RECORDS, k, rng), "1, by runs"
    )  # fmt: skip

    def listed(records: int, hypotheses: int, rng: Generator) -> Setting:
        family = FiniteClass(rng.integers(0, 2, (hypotheses, LISTED_POINTS)))
        return lambda: GenericLearner(family), grid(records, LISTED_POINTS, rng), lambda: hypotheses

    words = f"a list, on {LISTED_POINTS} points"
    yield Case(name, words, "records", f"{LIST:,} hypotheses", SIZES, lambda n, rng: listed(n, LIST, rng), "n log n")
    yield Case(
        name, words, "hypotheses", f"{RECORDS:,} records", SIZES[:5], lambda k, rng: listed(RECORDS, k, rng), "k"
    )


def _answers() -> Iterator[Case]:
    """Votes of a thousand models on queries: thresholds, whose votes are counted by sorting, and trees one by one."""

    def sparse(base: Any, points: Any, records: Labelled) -> Setting:
        scales = Scales(threshold=150.0, threshold_scale=4.0, query_scale=8.0, models=VOTERS, cutoff=16)
        return lambda: PrivateAnswers(base, points, scales), records, lambda: VOTERS

    def noisy(base: Any, points: Any, records: Labelled) -> Setting:
        learner = NoisyMajority(base, points, VOTERS, 50.0, accounting="exact")
        return lambda: learner, records, lambda: VOTERS

    def records(rng: Generator) -> Labelled:
        x = rng.random(RECORDS)
        return Labelled(x, (x >= 0.5).astype(np.uint8))

    def trees(queries: int, rng: Generator) -> Setting:
        from sklearn.tree import DecisionTreeClassifier

        some = records(rng)
        return sparse(DecisionTreeClassifier(max_depth=3), rng.random((queries, 1)), Labelled(some.x[:, None], some.y))

    several = tuple(size for size in SIZES if size <= MOST_QUERIES)
    fixed = f"{VOTERS:,} voters, {RECORDS:,} records"
    yield Case(
        "bassily2018.answers", "thresholds", "queries", fixed, several,
        lambda m, rng: sparse(LeastPositive(), rng.random(m), records(rng)), "m log k", repeated=False,
    )  # fmt: skip
    yield Case(
        "bassily2018.noisy_majority", "thresholds", "queries", fixed, several,
        lambda m, rng: noisy(LeastPositive(), rng.random(m), records(rng)), "m log k", repeated=False,
    )  # fmt: skip
    yield Case("bassily2018.answers", "decision trees", "queries", fixed, several[:5], trees, "k m", repeated=False)


def _cover(
    words: str,
    family: HypothesisClass,
    records_of: Callable[[int, Generator], Labelled],
    public: tuple[int, ...],
    order: str,
    *,
    points: int = PUBLIC,
    records: int = RECORDS,
    in_records: str = "n log n",
) -> Iterator[Case]:
    def setting(private: int, public: int, rng: Generator) -> Setting:
        dataset = SemiPrivate(records_of(private, rng), records_of(public, rng).x)
        return lambda: CoverLearner(family), dataset, lambda: len(family.representatives(dataset.public))

    some = f"{points:,} public points"
    yield Case("alon2019.cover", words, "records", some, SIZES, lambda n, rng: setting(n, points, rng), in_records)
    yield Case(
        "alon2019.cover", words, "public points", f"{records:,} records", public,
        lambda m, rng: setting(records, m, rng), order,
    )  # fmt: skip


def _label_private_cover() -> Iterator[Case]:
    def setting(records: int, rng: Generator) -> Setting:
        return lambda: LabelPrivate(CoverLearner(Thresholds())), line(records, rng), lambda: records + 1

    fixed = "a hypothesis for each record"
    yield Case("alon2019.label_private", "thresholds", "records", fixed, SIZES, setting, "n log n")


def _reference(realisable: bool) -> Iterator[Case]:
    """A1 or A1r. The constant is such that the net has the same radius at all sizes."""
    name = "chaudhuri2011.A1r" if realisable else "chaudhuri2011.A1"

    def learner(family: HypothesisClass, reference: Reference, radius: float, records: int) -> Callable[[], Any]:
        asked = Requirement(1.0, ACCURACY, FAILURE, 1.0, 1.0, realisable)
        constant = asked.least_constant(records, -math.log(4 * radius))
        return lambda: ReferenceLearner(
            family, reference, 1.0, ACCURACY, FAILURE, doubling_dimension=1.0, constant=constant, realisable=realisable
        )

    def on_line(records: int, hypotheses: int, rng: Generator) -> Setting:
        # any radius in here has a net of so many
        radius = 1.0 / (2 * hypotheses - rng.uniform(0.1, 0.9))
        return learner(Thresholds(), UniformLine(), radius, records), line(records, rng), lambda: hypotheses

    def on_circle(records: int, hypotheses: int, rng: Generator) -> Setting:
        radius = 1.0 / (hypotheses - rng.uniform(0.1, 0.9))
        return learner(LinearSeparators(2), UniformSphere(2), radius, records), plane(records, rng), lambda: hypotheses

    def on_atoms(family: HypothesisClass, records: int, atoms: int, rng: Generator) -> Setting:
        reference = Atoms(plane(atoms, rng).x)
        made = learner(family, reference, 0.5 / atoms, records)
        return made, plane(records, rng), lambda: len(family.representatives(reference.points))

    words, fixed = "thresholds, uniform on the line", f"{PUBLIC:,} hypotheses"
    yield Case(name, words, "records", fixed, SIZES, lambda n, rng: on_line(n, PUBLIC, rng), "n log n")
    if realisable:  # what differs is the radius that a size is given, and nothing else
        return
    fixed = f"{RECORDS:,} records"
    yield Case(name, words, "hypotheses", fixed, SIZES, lambda k, rng: on_line(RECORDS, k, rng), "k log n")
    words, fixed = "separators, uniform on the circle", "100 hypotheses"
    yield Case(name, words, "records", fixed, SIZES, lambda n, rng: on_circle(n, 100, rng), "k n")
    fixed = "1,000 records"
    yield Case(name, words, "hypotheses", fixed, SIZES[:5], lambda k, rng: on_circle(1_000, k, rng), "k n")
    for family, words, atoms, several, order in (
        (Stumps(2), "stumps, on atoms", 100, (100, 178, 316, 562, 1_000), "n log n"),
        (Boxes(2), "boxes in the plane, on atoms", 6, (6, 8, 12, 18, 26), "k n"),
    ):
        yield Case(
            name, words, "records", f"{atoms:,} atoms", SIZES,
            lambda n, rng, family=family, atoms=atoms: on_atoms(family, n, atoms, rng), order,
        )  # fmt: skip
        yield Case(
            name, words, "atoms", "1,000 records", several,
            lambda m, rng, family=family: on_atoms(family, 1_000, m, rng), "k m",
        )  # fmt: skip


def _label_private() -> Iterator[Case]:
    """A2: with a net of a radius, and with all dichotomies of its points."""
    name = "chaudhuri2011.A2"

    def setting(
        family: HypothesisClass, records_of: Callable[[int, Generator], Labelled], accuracy: float, records: int,
        rng: Generator,
    ) -> Setting:  # fmt: skip
        dataset = records_of(records, rng)
        learner = LabelPrivateLearner(family, 1.0, accuracy)
        return lambda: learner, dataset, lambda: len(learner.candidates(dataset))

    def thresholds(accuracy: float, records: int, rng: Generator) -> Setting:
        return setting(Thresholds(), line, accuracy, records, rng)

    radius = f"a net of radius {ACCURACY:g}/4"
    yield Case(name, "thresholds", "records", radius, SIZES, lambda n, rng: thresholds(ACCURACY, n, rng), "n log n")
    yield Case(
        name, "thresholds, all dichotomies", "records", "a hypothesis for each record", SIZES,
        lambda n, rng: thresholds(1 / n, n, rng), "n log n",
    )  # fmt: skip
    nets = tuple(10**k for k in range(2, 6))
    yield Case(
        name, "thresholds", "hypotheses", f"{RECORDS:,} records", nets,
        lambda k, rng: thresholds(2 / k, RECORDS, rng), "k log n",
    )  # fmt: skip
    for family, words, sizes, order in (
        (Stumps(2), "stumps", (100, 178, 316, 562, 1_000), "n^2 (net)"),
        (HalfPlanes(), "half-planes", (20, 32, 56, 100, 178), "n^3 (net)"),
        (OriginHalfPlanes(), "half-planes through 0", (100, 178, 316, 562, 1_000), "n^2 (net)"),
    ):
        yield Case(
            name, words, "records", radius, sizes,
            lambda n, rng, family=family: setting(family, plane, ACCURACY, n, rng), order,
        )  # fmt: skip


def _exponential() -> Iterator[Case]:
    name = "wang2016.exponential"

    def thresholds(records: int, hypotheses: int, rng: Generator) -> Setting:
        steps = np.arange(hypotheses) / hypotheses
        return lambda: RegularisedExponential(ZeroOneLoss(Thresholds()), steps), line(records, rng), lambda: hypotheses

    words, fixed = "thresholds, a list", f"{PUBLIC:,} hypotheses"
    yield Case(name, words, "records", fixed, SIZES, lambda n, rng: thresholds(n, PUBLIC, rng), "n log n")
    fixed = f"{RECORDS:,} records"
    yield Case(name, words, "hypotheses", fixed, SIZES, lambda k, rng: thresholds(RECORDS, k, rng), "k log n")

    def distances(records: int, hypotheses: int, rng: Generator) -> Setting:
        steps = np.arange(hypotheses) / hypotheses
        return lambda: RegularisedExponential(PowerLoss(1), steps), rng.random(records), lambda: hypotheses

    words, fixed = "|h - z|, a list", f"{PUBLIC:,} hypotheses"
    yield Case(name, words, "records", fixed, SIZES, lambda n, rng: distances(n, PUBLIC, rng), "n log n")
    fixed = f"{RECORDS:,} records"
    yield Case(name, words, "hypotheses", fixed, SIZES[:5], lambda k, rng: distances(RECORDS, k, rng), "k log n")

    def of_net(records: int, hypotheses: int, rng: Generator) -> Setting:
        radius = 1.0 / (2 * hypotheses - rng.uniform(0.1, 0.9))
        return lambda: CoverExponential(Thresholds(), UniformLine(), radius), line(records, rng), lambda: hypotheses

    name, words = "wang2016.cover", "thresholds, uniform on the line"
    fixed = f"{PUBLIC:,} hypotheses"
    yield Case(name, words, "records", fixed, SIZES, lambda n, rng: of_net(n, PUBLIC, rng), "n log n")
    fixed = f"{RECORDS:,} records"
    yield Case(name, words, "hypotheses", fixed, SIZES, lambda k, rng: of_net(RECORDS, k, rng), "k log n")


def _continuous() -> Iterator[Case]:
    """Hypotheses of an interval: as many pieces of the density as records."""

    def thresholds(records: int, rng: Generator) -> Setting:
        return lambda: ExponentialOnInterval("thresholds"), line(records, rng), lambda: records + 1

    def distances(records: int, rng: Generator) -> Setting:
        return lambda: ExponentialOnInterval("absolute"), rng.random(records), lambda: records + 1

    name, fixed = "wang2016.on_interval", "a piece for each record"
    yield Case(name, "thresholds of [0, 1]", "records", fixed, SIZES, thresholds, "n log n")
    yield Case(name, "|h - z| on [0, 1]", "records", fixed, SIZES, distances, "n log n")

    def perturbed(records: int, rng: Generator) -> Setting:
        return lambda: PerturbedMinimiser(1.0), rng.random(records), lambda: 1

    yield Case("wang2016.laplace10", "(h - z)^10 on [0, 1]", "records", "one minimiser", SIZES, perturbed, "n")


def _optimal() -> Iterator[Case]:
    """The linear program: datasets of records 0 and 1, told apart by their number of ones."""

    def setting(records: int, hypotheses: int, rng: Generator) -> Setting:
        levels = [Fraction(place, hypotheses - 1) for place in range(hypotheses)]
        problem = absolute_loss(levels)
        dataset = rng.integers(0, 2, records).tolist()
        return lambda: OptimalPrivateLearner(problem, 1.0, records), dataset, lambda: hypotheses

    name, words = PROGRAM, "|h - z|, records 0 and 1"
    several = (10, 32, 100, 316, MOST_VARIABLES // 10 - 1)
    yield Case(name, words, "records", "10 hypotheses", several, lambda n, rng: setting(n, 10, rng), "a linear program")
    several = (5, 16, 50, MOST_VARIABLES // 31)
    yield Case(name, words, "hypotheses", "30 records", several, lambda k, rng: setting(30, k, rng), "a linear program")


def _baselines() -> Iterator[Case]:
    def setting(records: int, rng: Generator) -> Setting:
        return lambda: EmpiricalRiskMinimiser(Thresholds()), line(records, rng), lambda: records + 1

    fixed = "a hypothesis for each record"
    yield Case("baselines.ERM", "thresholds", "records", fixed, SIZES, setting, "n log n")
