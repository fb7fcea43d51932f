"""Learners of diffpriv-pure, as a survey audits them, and a copy with the smallest change that mends one."""

import inspect
import random

import diffpriv_pure as theirs
import numpy as np

EPSILON = 1.0
DELTA = 0.01
BOUNDS = (0.0, 10.0)
ONE_SIDED = "int(condition_count + geometric_noise(epsilon))"
TWO_SIDED = "int(condition_count + geometric_noise(epsilon) - geometric_noise(epsilon))"
THEIR_COUNT = inspect.getsource(theirs.private_count)


def _seeded(rng):
    random.seed(int(rng.integers(2**62)))


def _numbers(dataset):
    return [float(value) for value in np.ravel(dataset)]


def count():
    """How many records are 1."""

    def learner(dataset, rng):
        _seeded(rng)
        return theirs.private_count(int(sum(_numbers(dataset))), EPSILON)

    return learner


def count_mended():
    """The same with the difference of two of their draws."""
    if THEIR_COUNT.count(ONE_SIDED) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    exec(THEIR_COUNT.replace(ONE_SIDED, TWO_SIDED), vars(theirs))
    return count()


def total():
    """The sum of values from 0 to 10, with Laplace noise."""

    def learner(dataset, rng):
        _seeded(rng)
        return theirs.private_sum(_numbers(dataset), BOUNDS, EPSILON)

    return learner


def mean():
    """The mean of values from 0 to 10, with Laplace noise."""

    def learner(dataset, rng):
        _seeded(rng)
        return theirs.private_mean(_numbers(dataset), BOUNDS, EPSILON)

    return learner


def gaussian_total():
    """The sum of values from 0 to 10, with Gaussian noise."""

    def learner(dataset, rng):
        _seeded(rng)
        return theirs.private_sum(_numbers(dataset), BOUNDS, EPSILON, DELTA)

    return learner
