"""OpenDP's measurements: counts, means, selection, histograms, quantiles, and a regression of its extras."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcheck.adapters.survey.data import columns
from dpcheck.adapters.survey.libraries import OPENDP
from dpcheck.adapters.survey.subject import Prepared, Subject
from dpcheck.model.neighbours import AddRemove, Records
from dpcheck.model.verdict import Status

READ = "Read from the measurement: its input metric, at the distance of one record, and its domain."
_CALLS = 10_000


def _prelude() -> Any:
    import opendp.prelude as dp

    dp.enable_features("contrib", "honest-but-curious")
    return dp


def _adapted(make: Any, dataset: Any, **arguments: Any) -> Prepared:
    from dpcheck.adapters.opendp import from_opendp

    learner = from_opendp(make, **arguments)
    return Prepared(learner, learner.claim, learner.neighbours, dataset)


def make_count() -> Any:
    """A count with Laplace noise."""
    dp = _prelude()
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    return space >> dp.t.then_count() >> dp.m.then_laplace(1.0)


def _count() -> Prepared:
    _, target = columns("breast_cancer", "mean radius", rows=slice(10, 22))
    return _adapted(make_count, target, records=[0, 1])


count = Subject(
    name="opendp-count",
    library=OPENDP,
    what="then_count() >> then_laplace(1)",
    data="breast cancer, the diagnosis of 12 patients",
    prepare=_count,
    expected=Status.NO_VIOLATION_FOUND,
    why="A record moves a count by 1.",
    relation_note=READ,
    max_samples=_CALLS,
)


def make_mean() -> Any:
    """A mean of 12 numbers from 0 to 50 with Laplace noise."""
    dp = _prelude()
    space = dp.vector_domain(dp.atom_domain(bounds=(0.0, 50.0)), size=12), dp.symmetric_distance()
    return space >> dp.t.then_mean() >> dp.m.then_laplace(50.0 / 12.0)


def _mean() -> Prepared:
    return _adapted(make_mean, columns("breast_cancer", "mean radius", rows=slice(0, 12))[0][:, 0])


mean = Subject(
    name="opendp-mean",
    library=OPENDP,
    what="then_mean() >> then_laplace(50/12), of 12 numbers from 0 to 50",
    data="breast cancer, the mean radius of 12 patients",
    prepare=_mean,
    expected=Status.NO_VIOLATION_FOUND,
    why="Replacing one of n records moves a mean by the width of the bounds over n.",
    relation_note=READ + " The domain fixes the size, so a neighbour replaces a record (distance 2).",
    max_samples=_CALLS,
)


def make_noisy_max() -> Any:
    """The index of the largest of three scores, with exponential noise."""
    dp = _prelude()
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    return dp.m.make_noisy_max(*space, dp.max_divergence(), scale=2.0)


def _noisy_max() -> Prepared:
    return _adapted(make_noisy_max, None, dimension=3)


noisy_max = Subject(
    name="opendp-noisy-max",
    library=OPENDP,
    what="make_noisy_max(scale=2) of three scores",
    data="no data: pairs of score vectors searched, each score within 1",
    prepare=_noisy_max,
    expected=Status.NO_VIOLATION_FOUND,
    why="Exponential noise of scale 2 for scores that move by 1 each is the permute-and-flip mechanism at epsilon 1.",
    relation_note=READ + " Under the l-infinity distance every score may move by 1.",
    max_samples=20_000,
)

SPECIES = ("0", "1", "2")


def make_histogram() -> Any:
    """Counts by category with Laplace noise."""
    dp = _prelude()
    space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    return space >> dp.t.then_count_by_categories(categories=list(SPECIES)) >> dp.m.then_laplace(1.0)


def _histogram() -> Prepared:
    _, target = columns("iris", "petal width (cm)", rows=slice(0, 150, 12))
    return _adapted(make_histogram, [str(species) for species in target], records=[*SPECIES, "other"])


histogram = Subject(
    name="opendp-histogram",
    library=OPENDP,
    what='then_count_by_categories(["0", "1", "2"]) >> then_laplace(1)',
    data="iris, the species of 13 flowers",
    prepare=_histogram,
    expected=Status.NO_VIOLATION_FOUND,
    why="A record moves one of the counts by 1.",
    relation_note=READ,
    max_samples=_CALLS,
)


def make_quantile() -> Any:
    """The median among 11 candidates."""
    dp = _prelude()
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    candidates = [float(candidate) for candidate in range(0, 55, 5)]
    return space >> dp.m.then_private_quantile(dp.max_divergence(), candidates=candidates, alpha=0.5, scale=1.0)


def _quantile() -> Prepared:
    rows, _ = columns("breast_cancer", "mean radius", rows=slice(0, 8))
    return _adapted(make_quantile, rows[:, 0], records=(0.0, 50.0))


quantile = Subject(
    name="opendp-quantile",
    library=OPENDP,
    what="then_private_quantile(alpha=0.5, scale=1) with candidates 0, 5, ..., 50",
    data="breast cancer, the mean radius of 8 patients",
    prepare=_quantile,
    expected=Status.NO_VIOLATION_FOUND,
    why="A record moves the scores of all candidates by at most 1, in the unit of the scale that the map takes.",
    relation_note=READ,
    max_samples=10_000,
)


def make_histogram_of_predictions() -> Any:
    """How many of the pairs' predictions at x = 20 are below 0 and above, with Laplace noise."""
    dp = _prelude()
    from opendp.extras.sklearn.linear_model._make_private_theil_sen import make_pairwise_predict, make_select_column

    return (
        make_pairwise_predict(np.array([20.0, 20.0]))
        >> make_select_column(0)
        >> dp.t.then_drop_null()
        >> dp.t.then_find_bin([0.0])
        >> dp.t.then_count_by_categories(categories=[0, 1], null_category=False)
        >> dp.m.then_laplace(0.5)
    )


def as_points(dataset: Any) -> Any:
    """A dataset as the array of points, shape (n, 2), that the measurement takes, in an array of its own."""
    return np.array(dataset, dtype=np.float64).reshape(-1, 2)


def _pairwise_predict() -> Prepared:
    rows, _ = columns("iris", "petal width (cm)", "petal length (cm)", rows=[0, 60, 98])
    relation = AddRemove(Records.bounded([0.0, 0.0], [3.0, 7.0]), size=3)
    return _adapted(make_histogram_of_predictions, rows, neighbours=relation, convert=as_points)


pairwise_predict = Subject(
    name="opendp-pairwise-predict",
    library=OPENDP,
    what="make_pairwise_predict(), the first step of its Theil-Sen regression, at x = 20, then a histogram with "
    "then_laplace(0.5)",
    data="iris, petal width and length, 3 flowers",
    prepare=_pairwise_predict,
    expected=Status.VIOLATED,
    why="Rows are paired, and one left over is dropped: when one row is removed, another moves in or out, so that two "
    "predictions differ where the stability map says one.",
    code="opendp.extras.sklearn.linear_model._make_private_theil_sen:pairwise_predict",
    line="len(data) // 2 * 2",
    relation_note=READ,
    upstream="https://github.com/opendp/opendp/issues/2950",
    max_samples=20_000,
)
