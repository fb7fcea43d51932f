"""Algorithms and mechanisms of python-dp (PyDP), as a survey audits them, and a mechanism with what mends it."""

import inspect
import textwrap

import numpy as np
import pydp.ml.mechanisms.geometric as theirs
from pydp.algorithms.laplacian import (
    BoundedMean,
    BoundedStandardDeviation,
    BoundedSum,
    BoundedVariance,
    Count,
    Max,
    Median,
)
from pydp.algorithms.partition_selection import create_partition_strategy
from pydp.ml.mechanisms.geometric import Geometric

EPSILON = 1.0
LARGEST = 2**31 - 1
# Their sample is of one side only, and its size grows with epsilon; two of them, one against the other, are the
# two-sided geometric noise of the paper that the class names.
AS_IT_IS = """    lambda_ = -1.0 * math.log(1 - self._probability)
    dist = GeometricDistribution(lambda_=lambda_)
    sample = dist.sample(-self._scale)
"""
AS_IT_SHOULD_BE = """    dist = GeometricDistribution(lambda_=-self._scale)
    sample = dist.sample(1.0) - dist.sample(1.0)
"""
THEIR_SOURCE = textwrap.dedent(inspect.getsource(Geometric.randomise))


def _numbers(dataset):
    return [float(value) for value in np.ravel(np.asarray(dataset, dtype=np.float64))]


def _algorithm(kind, **arguments):
    def learner(dataset, rng):
        return float(kind(epsilon=EPSILON, dtype="float", **arguments).quick_result(_numbers(dataset)))

    return learner


def count():
    """How many there are."""
    return _algorithm(Count)


def bounded_sum():
    """The sum of numbers from -2 to 5."""
    return _algorithm(BoundedSum, lower_bound=-2.0, upper_bound=5.0)


def bounded_mean():
    """The mean of numbers from 0 to 50."""
    return _algorithm(BoundedMean, lower_bound=0.0, upper_bound=50.0)


def bounded_variance():
    """The variance of numbers from -5 to 5."""
    return _algorithm(BoundedVariance, lower_bound=-5.0, upper_bound=5.0)


def bounded_deviation():
    """The standard deviation of numbers from -5 to 5."""
    return _algorithm(BoundedStandardDeviation, lower_bound=-5.0, upper_bound=5.0)


def largest():
    """The largest of numbers from 0 to 5."""
    return _algorithm(Max, lower_bound=0.0, upper_bound=5.0)


def median():
    """The median of numbers from 0 to 5."""
    return _algorithm(Median, lower_bound=0.0, upper_bound=5.0)


def sum_of_integers():
    """The sum of integers that are as large as its 32 bits hold: three of them do not fit."""

    def learner(dataset, rng):
        numbers = [int(value) for value in _numbers(dataset)]
        return int(BoundedSum(epsilon=EPSILON, lower_bound=0, upper_bound=LARGEST, dtype="int").quick_result(numbers))

    return learner


def partition_selection(strategy="truncated_geometric"):
    """Whether a partition of so many users is kept."""
    selection = create_partition_strategy(strategy, EPSILON, 0.05, 1)

    def learner(dataset, rng):
        return bool(selection.should_keep(len(dataset)))

    return learner


def geometric():
    """How many there are, with the noise that their GaussianNB gives its class counts (probability=1e-2)."""

    def learner(dataset, rng):
        mechanism = Geometric().set_epsilon(EPSILON).set_sensitivity(1).set_probability(1e-2)
        return int(mechanism.randomise(len(dataset)))

    return learner


def geometric_mended():
    """The same, with noise of both sides, as wide as epsilon says."""
    if THEIR_SOURCE.count(AS_IT_IS) != 1:
        raise RuntimeError("the lines that are mended here are not in this version")
    made = {}
    exec(THEIR_SOURCE.replace(AS_IT_IS, AS_IT_SHOULD_BE), vars(theirs), made)
    mended = type("Mended", (Geometric,), made)

    def learner(dataset, rng):
        return int(mended().set_epsilon(EPSILON).set_sensitivity(1).set_probability(1e-2).randomise(len(dataset)))

    return learner
