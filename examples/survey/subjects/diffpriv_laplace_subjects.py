"""Learners of diff-priv-laplace-python, as a survey audits them, and copies that mend them."""

import diffpriv_laplace.anonymizer.max as of_maxima
import numpy as np
from diffpriv_laplace import DiffPrivLaplaceMechanism
from diffpriv_laplace.global_sensitivity.base import GlobalSensitivity
from diffpriv_laplace.statistics import DiffPrivStatistics

EPSILON = 1.0
LOWER, UPPER = 0.0, 50.0


def _learner(release):
    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what their code draws from
        return float(release(np.ravel(np.asarray(dataset, float))))

    return learner


def maximum():
    """The largest value."""
    return _learner(lambda values: DiffPrivStatistics.max(values, EPSILON))


def maximum_mended():
    """The same with the sensitivity of values from 0 to 50."""
    of_maxima.MaxGlobalSensitivity = lambda: GlobalSensitivity(UPPER - LOWER)
    return maximum()


def total():
    """The sum."""
    return _learner(lambda values: DiffPrivStatistics.sum(values, EPSILON))


def total_mended():
    """The same with declared bounds: their mechanism takes them."""
    return _learner(
        lambda values: DiffPrivLaplaceMechanism.anonymize_sum_with_budget(values.sum(), LOWER, UPPER, EPSILON)
    )


def mean():
    """The mean."""
    return _learner(lambda values: DiffPrivStatistics.mean(values, EPSILON))


def mean_mended():
    """The same with declared bounds: their mechanism takes them."""
    return _learner(
        lambda values: DiffPrivLaplaceMechanism.anonymize_mean_with_budget(
            values.mean(), LOWER, UPPER, values.size, EPSILON
        )
    )


def variance_with_bounds():
    """The variance, with declared bounds."""
    return _learner(
        lambda values: DiffPrivLaplaceMechanism.anonymize_variance_with_budget(
            values.var(), LOWER, UPPER, values.size, EPSILON
        )
    )


def count():
    """How many values are above 25."""
    return _learner(lambda values: DiffPrivStatistics.count(values, EPSILON, condition=lambda data: data > 25.0))


def proportion():
    """Which share of values is above 25."""
    return _learner(lambda values: DiffPrivStatistics.proportion(values, EPSILON, condition=lambda data: data > 25.0))
