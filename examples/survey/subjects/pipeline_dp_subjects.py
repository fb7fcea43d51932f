"""Aggregations of pipeline-dp on its local backend, as a survey audits them; each record is another user's."""

import inspect

import numpy as np
import pipeline_dp
from pipeline_dp import dp_computations as theirs
from pipeline_dp.aggregate_params import NormKind

EPSILON = 1.0
# At this epsilon fewer calls show a third of it.
OF_VARIANCE = 3.0
DELTA = 0.05
METRICS = pipeline_dp.Metrics
# The squares that are summed are of values less the middle of their range; the bounds of squares must be so too.
AS_IT_IS = """squares_min_value, squares_max_value = compute_squares_interval(
        dp_params.min_value, dp_params.max_value)"""
AS_IT_SHOULD_BE = """half = (dp_params.max_value - dp_params.min_value) / 2
    squares_min_value, squares_max_value = -half**2, half**2"""
THEIR_SOURCE = inspect.getsource(theirs.compute_dp_var)


def _aggregated(rows, metrics, *, epsilon=EPSILON, delta=0.0, partitions=("all",), **parameters):
    """What an aggregation says, by partition, for rows of (user, partition, value)."""
    accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=epsilon, total_delta=delta)
    engine = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend())
    bounds = {"max_partitions_contributed": 1, "max_contributions_per_partition": 1}
    # Nobody in a partition that is not asked for: an empty list is refused.
    result = engine.aggregate(
        [*rows, ("nobody", "elsewhere", np.zeros(2))],
        pipeline_dp.AggregateParams(
            metrics=list(metrics), noise_kind=pipeline_dp.NoiseKind.LAPLACE, **(bounds | parameters)
        ),
        pipeline_dp.DataExtractors(
            privacy_id_extractor=lambda row: row[0],
            partition_extractor=lambda row: row[1],
            value_extractor=lambda row: row[2],
        ),
        public_partitions=None if partitions is None else list(partitions),
    )
    accountant.compute_budgets()
    return dict(result)


def _of_users(dataset):
    return [(user, "all", float(value)) for user, value in enumerate(np.ravel(np.asarray(dataset, dtype=np.float64)))]


def _one(metrics, read, **parameters):
    def learner(dataset, rng):
        return read(_aggregated(_of_users(dataset), metrics, **parameters)["all"])

    return learner


def count():
    """Counts of users and of their contributions, half of epsilon each."""
    return _one([METRICS.COUNT, METRICS.PRIVACY_ID_COUNT], lambda all: np.array([all.count, all.privacy_id_count]))


def bounded_sum():
    """The sum of numbers from -2 to 5."""
    return _one([METRICS.SUM], lambda all: float(all.sum), min_value=-2.0, max_value=5.0)


def mean():
    """Mean, count and sum of numbers from 0 to 50."""
    return _one(
        [METRICS.MEAN, METRICS.COUNT, METRICS.SUM],
        lambda all: np.array([all.mean, all.count, all.sum]),
        min_value=0.0,
        max_value=50.0,
    )


def percentile():
    """The median of numbers from 0 to 5, in hundredths.

    A few of its medians are ends of intervals, dyadic numbers: what those tell by their digits is not looked at.
    """
    return _one([METRICS.PERCENTILE(50)], lambda all: round(float(all.percentile_50), 2), min_value=0.0, max_value=5.0)


def variance():
    """Variance, mean and count of numbers from -1 to 1, as the noisy count and the two noisy sums that they tell."""

    def sums(all):
        divisor = max(1.0, all.count)
        return np.array([all.count, all.mean * divisor, (all.variance + all.mean**2) * divisor])

    return _one(
        [METRICS.VARIANCE, METRICS.MEAN, METRICS.COUNT], sums, epsilon=OF_VARIANCE, min_value=-1.0, max_value=1.0
    )


def variance_mended():
    """The same with the bounds of the squares that are summed."""
    if THEIR_SOURCE.count(AS_IT_IS) != 1:
        raise RuntimeError("the lines that are mended here are not in this version")
    exec(THEIR_SOURCE.replace(AS_IT_IS, AS_IT_SHOULD_BE), vars(theirs))
    return variance()


def vector_sum():
    """The sum of vectors of two coordinates, each no longer than 1 in the sum of absolute values, and of public ones.

    A public partition would have to be filled with vectors of its own, which fails; so the partition is selected.
    """

    def learner(dataset, rng):
        rows = np.reshape(np.asarray(dataset, dtype=np.float64), (len(dataset), 2))
        users = [(user, "all", row.copy()) for user, row in enumerate(rows)]
        users += [(f"public {user}", "all", np.zeros(2)) for user in range(20)]
        limits = {"vector_norm_kind": NormKind.L1, "vector_max_norm": 1.0, "vector_size": 2}
        found = _aggregated(users, [METRICS.VECTOR_SUM], delta=DELTA, partitions=None, **limits)
        return np.asarray(found["all"].vector_sum if "all" in found else [-1e9, -1e9])

    return learner


def selected_partitions():
    """Which of three partitions are kept, and their noisy counts, when the users' partitions are not public."""

    def learner(dataset, rng):
        rows = [(user, int(value), 0.0) for user, value in enumerate(np.ravel(np.asarray(dataset)))]
        kept = _aggregated(rows, [METRICS.COUNT], delta=DELTA, partitions=None)
        return np.array([kept[key].count if key in kept else -1e9 for key in (0, 1, 2)])

    return learner
