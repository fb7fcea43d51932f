"""Broken versions of the learners of alon2019, one defect each: an audit with its defaults must find them all."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck import AddRemove, PrivatePart, PureDP, Records, ReplaceOne
from dpcheck.classes import GridThresholds, mistakes
from dpcheck.learners.alon2019 import CoverLearner, Dummies, FromSemiPrivate, GenericLearner
from dpcheck.learners.records import private_records, public_points
from dpcheck.mechanisms.choice import Choice

POINTS = list(range(4))
RECORDS = Records.labelled(features=POINTS, labels=[0, 1])
COVER = CoverLearner(GridThresholds(len(POINTS)), 1.0)
SEMI_PRIVATE = PrivatePart(records=RECORDS, public=POINTS)
GROWING = PrivatePart(of=AddRemove(records=RECORDS), public=POINTS)
#: The paper's p would need thousands of positions to show anything; the claim is the same for any.
REDUCED = {
    "learner": GenericLearner(GridThresholds(2), 1.0),
    "private": 8,
    "public": 1,
    "dummies": Dummies([0]),
    "probability": Fraction(3, 4),
}
FEW = ReplaceOne(records=Records.labelled(features=[0, 1], labels=[0, 1]), size=6)


def choice(hypotheses: Any, log_weights: Any, size: int, rng: np.random.Generator) -> Any:
    return hypotheses[Choice(1, log_weights).sample(size, rng)]


@dataclass(frozen=True)
class OfCover:
    """A_SSPP with a defect in ``sample``; what it promises is what A_SSPP does."""

    right: CoverLearner = COVER

    @property
    def claim(self) -> PureDP:
        return self.right.claim

    @property
    def half(self) -> float:
        return float(self.right.epsilon) / 2

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self.sample(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        raise NotImplementedError


class WeightsWithoutTheHalf(OfCover):
    """``exp(-epsilon mistakes)``."""

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        hypotheses, wrong = self.right.scored(dataset)
        return choice(hypotheses, -2 * self.half * wrong, size, rng)


class CoverOfPrivatePointsToo(OfCover):
    """Candidates for the dichotomies of all points."""

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        x, y = private_records(dataset)
        hypotheses = self.right.cover([*public_points(dataset), *x])
        return choice(hypotheses, -self.half * mistakes(self.right.family, hypotheses, x, y), size, rng)


class RepresentativeByPrivateData(OfCover):
    """Of the thresholds of a cell the one with the fewest mistakes on private data."""

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        lows, highs = self.right.family.cells(public_points(dataset))  # type: ignore[attr-defined]
        x, y = private_records(dataset)
        every = np.arange(len(POINTS) + 1)
        wrong = mistakes(self.right.family, every, x, y)
        inside = (every[None, :] >= lows[:, None]) & (every[None, :] <= highs[:, None])
        best = np.where(inside, wrong, len(y) + 1).argmin(axis=1)
        return choice(every[best], -self.half * wrong[best], size, rng)


class ScoreNotDivided(OfCover):
    """Mistakes where their fraction belongs, beside the fraction's sensitivity 1/n."""

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        hypotheses, wrong = self.right.scored(dataset)
        return choice(hypotheses, -self.half * wrong * len(private_records(dataset)[1]), size, rng)


class SometimesTheMinimiser(OfCover):
    """One time in four the candidate with the fewest mistakes, without noise."""

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        hypotheses, wrong = self.right.scored(dataset)
        best = hypotheses[int(wrong.argmin())]
        return np.where(rng.random(size) < 0.25, best, choice(hypotheses, -self.half * wrong, size, rng))


class SizeLeaksThroughTheFraction(OfCover):
    """Fractions by the actual size, beside the sensitivity of the planned one (8): records are added and removed."""

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        hypotheses, wrong = self.right.scored(dataset)
        return choice(hypotheses, -self.half * 8 * wrong / max(len(private_records(dataset)[1]), 1), size, rng)


class TiesBrokenByData(OfCover):
    """Of candidates with as many mistakes as the one drawn, that nearest to the mean of the private points."""

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        hypotheses, wrong = self.right.scored(dataset)
        x, _ = private_records(dataset)
        far = np.abs(hypotheses - float(np.mean(x)))
        first = np.array([np.where(wrong == mark, far, np.inf).argmin() for mark in wrong])
        return choice(hypotheses[first], -self.half * wrong, size, rng)


class OfReduction(FromSemiPrivate):
    """B with a defect; its law is not declared."""

    distribution = None  # type: ignore[assignment]


class ElementsTwice(OfReduction):
    """Each element is put into the next position as well."""

    def _codes(self, available: int, size: int, rng: np.random.Generator) -> Any:
        private, public = super()._codes(available, size, rng)
        private[:, 1:] = np.where(private[:, :-1] < available, private[:, :-1], private[:, 1:])
        return private, public


class PrivatePointInThePublicSample(OfReduction):
    """The first element stands in the public sample."""

    def _codes(self, available: int, size: int, rng: np.random.Generator) -> Any:
        private, public = super()._codes(available, size, rng)
        public[:, 0] = 0
        return private, public


class PositionsByValues(OfReduction):
    """Every position asks for an element when the last one is labelled 1, else none does."""

    def _by(self, dataset: Any) -> FromSemiPrivate:
        chance = Fraction(1) if private_records(dataset)[1][-1] else Fraction(0)
        return FromSemiPrivate(self.learner, self.private, self.public, self.dummies, probability=chance)

    def __call__(self, dataset: Any, rng: np.random.Generator) -> Any:
        return self._by(dataset)(dataset, rng)

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> Any:
        return self._by(dataset).sample(dataset, size, rng)


class DummiesByLabels(OfReduction):
    """Dummies have the label of the last element."""

    def _pool(self, dataset: Any) -> Any:
        x, y = super()._pool(dataset)
        available = len(y) - self.dummies.outcomes
        return x, np.append(y[:available], [y[available - 1]] * self.dummies.outcomes)


#: Each with the relation under which it is audited.
MUTANTS: list[tuple[Any, Any]] = [
    (WeightsWithoutTheHalf(), SEMI_PRIVATE),
    (CoverOfPrivatePointsToo(), SEMI_PRIVATE),
    (RepresentativeByPrivateData(), SEMI_PRIVATE),
    (ScoreNotDivided(), SEMI_PRIVATE),
    (SometimesTheMinimiser(), SEMI_PRIVATE),
    (SizeLeaksThroughTheFraction(), GROWING),
    (TiesBrokenByData(), SEMI_PRIVATE),
    (ElementsTwice(**REDUCED), FEW),
    (PrivatePointInThePublicSample(**{**REDUCED, "learner": CoverLearner(GridThresholds(2), 1.0)}), FEW),
    (PositionsByValues(**REDUCED), FEW),
    (DummiesByLabels(**REDUCED), FEW),
]
#: The learners that they are broken versions of.
RIGHT: list[tuple[Any, Any]] = [
    (COVER, SEMI_PRIVATE),
    (COVER, GROWING),
    (GenericLearner(GridThresholds(len(POINTS)), 1.0), FEW),
    (FromSemiPrivate(**REDUCED), FEW),
    (FromSemiPrivate(**{**REDUCED, "learner": CoverLearner(GridThresholds(2), 1.0)}), FEW),
    (FromSemiPrivate(**REDUCED, mode="printed"), FEW),
]
