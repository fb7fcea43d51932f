"""Broken versions of the sanitisers, one defect each."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.neighbours import Records, Relation, ReplaceOne
from dpcheck.parts.learners.mutants import Mutant
from dpcheck.parts.mechanisms.choice import Choice
from dpcheck.parts.mechanisms.sanitisers import BlumLigettRoth, ThresholdSanitiser
from dpcheck.parts.mechanisms.sanitisers.bands import Reference
from dpcheck.parts.mechanisms.sanitisers.layers import Layers

LISTED, LARGE = "beimel2015.sanitiser", "beimel2015.threshold_sanitiser"
THRESHOLDS = {"queries": "thresholds"}


def four_records() -> Relation:
    """More records than there are points for them."""
    return ReplaceOne(records=Records.of([0, 1]), size=4)


# --- the rate and the points, which both have


def whole_epsilon(self: Any, dataset: Any) -> Any:
    """``exp(-epsilon n error)``: no factor 1/2."""
    return Fraction(self.epsilon) / self.size


def rate_of_counts(self: Any, dataset: Any) -> Any:
    """Errors in numbers of points, n times as large, beside the sensitivity of their parts."""
    return Fraction(self.epsilon) * max(len(dataset), 1) / (2 * self.size)


def rate_by_the_distinct_points(self: Any, dataset: Any) -> Any:
    """Epsilon for each distinct point."""
    return Fraction(self.epsilon) * len(np.unique(dataset)) / (2 * self.size)


def largest_counted_three_times(self: Any, dataset: Any) -> NDArray[np.int64]:
    """The largest point is there twice more."""
    right: Any = type(self).__mro__[1]
    points = right.points(self, dataset)
    return np.sort(np.concatenate([points, np.repeat(points.max(initial=0), 2)]))


# --- the one that lists databases


def databases_of_its_points(self: BlumLigettRoth, dataset: Any) -> NDArray[np.int64]:
    """The domain is what the dataset has."""
    databases = BlumLigettRoth.databases(self, dataset)
    return np.asarray(databases[np.isin(databases, self.points(dataset)).all(axis=1)])


def as_many_as_distinct_points(self: BlumLigettRoth, dataset: Any) -> NDArray[np.int64]:
    """k is the number of distinct points."""
    other = dataclasses.replace(self, size=max(1, len(np.unique(dataset))))
    return BlumLigettRoth.databases(other, dataset)


def queries_that_hold_all_or_none(self: BlumLigettRoth, dataset: Any) -> NDArray[np.bool_]:
    """Errors only in the queries in which all points of the dataset lie, or none."""
    queries = BlumLigettRoth.queries_asked(self, dataset)
    of_points = queries[:, self.points(dataset)]
    return np.asarray(queries[of_points.all(axis=1) | ~of_points.any(axis=1)])


def choice_by_distinct_points(self: BlumLigettRoth, dataset: Any, databases: NDArray[np.int64]) -> Choice:
    """Duplicates dropped, and the errors beside what is left taken n times."""
    distinct = np.unique(dataset)
    rate = self.rate(dataset) * len(dataset) / max(len(distinct), 1)
    return Choice(rate, -self.errors(distinct, databases), self.multiplicities(dataset, databases))


def orders_of_its_points(self: BlumLigettRoth, dataset: Any, databases: NDArray[np.int64]) -> NDArray[np.int64]:
    """All orders, ten times each where all points are of the dataset."""
    times = BlumLigettRoth.multiplicities(self, dataset, databases)
    assert times is not None
    return np.asarray(np.where(np.isin(databases, self.points(dataset)).all(axis=1), 10 * times, times))


# --- the one for large domains


def domain_up_to_the_largest(self: ThresholdSanitiser, dataset: Any) -> Reference:
    """The domain ends where the dataset does."""
    whole = ThresholdSanitiser.reference(self, dataset)
    return dataclasses.replace(whole, domain_size=int(whole.points.max(initial=0)) + 1)


def size_of_distinct_points(self: ThresholdSanitiser, dataset: Any) -> Reference:
    """k is the number of distinct points."""
    whole = ThresholdSanitiser.reference(self, dataset)
    return dataclasses.replace(whole, size=max(1, len(np.unique(whole.points))))


def layers_of_distinct_points(self: ThresholdSanitiser, dataset: Any) -> Layers:
    """Duplicates dropped, and the errors beside what is left taken n times."""
    layers = ThresholdSanitiser.layers(self, np.unique(dataset))
    return dataclasses.replace(layers, rate=layers.rate * len(dataset) / max(len(layers.reference.points), 1))


def orders_where_there_are_duplicates(self: ThresholdSanitiser, dataset: Any) -> Reference:
    """Tuples are drawn where a point is there twice, multisets elsewhere."""
    whole = ThresholdSanitiser.reference(self, dataset)
    return dataclasses.replace(whole, ordered=len(np.unique(whole.points)) < len(whole.points))


MUTANTS = (
    Mutant(LISTED, "no factor 1/2", "rate", whole_epsilon),
    Mutant(LISTED, "score not divided by n", "rate", rate_of_counts),
    Mutant(LISTED, "duplicates dropped", "choice", choice_by_distinct_points, relation=four_records),
    Mutant(LISTED, "largest point counted three times", "points", largest_counted_three_times),
    Mutant(LISTED, "domain of the dataset's points", "databases", databases_of_its_points),
    Mutant(LISTED, "as many points as distinct ones", "databases", as_many_as_distinct_points),
    Mutant(LISTED, "queries that hold all points or none", "queries_asked", queries_that_hold_all_or_none),
    Mutant(LISTED, "multiplicities by the dataset", "multiplicities", orders_of_its_points),
    Mutant(LARGE, "no factor 1/2", "rate", whole_epsilon),
    Mutant(LARGE, "score not divided by n", "rate", rate_of_counts, THRESHOLDS),
    Mutant(LARGE, "epsilon for each distinct point", "rate", rate_by_the_distinct_points),
    Mutant(LARGE, "duplicates dropped", "layers", layers_of_distinct_points, THRESHOLDS, four_records),
    Mutant(LARGE, "largest point counted three times", "points", largest_counted_three_times),
    Mutant(LARGE, "domain up to the largest point", "reference", domain_up_to_the_largest),
    Mutant(LARGE, "as many points as distinct ones", "reference", size_of_distinct_points, THRESHOLDS),
    Mutant(LARGE, "tuples where there are duplicates", "reference", orders_where_there_are_duplicates, {"points": 4}),
)
