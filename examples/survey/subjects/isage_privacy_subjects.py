"""Learners of isage-privacy, as a survey audits them, and a copy with the smallest change that mends one."""

import numpy as np
from sage_privacy.dp import GaussianMechanism, LaplaceMechanism
from sage_privacy.unlearning import laplace_unlearning as unlearning

EPSILON = 1.0
DELTA = 0.01
BOUNDS = (0.0, 10.0)


def _learner(release):
    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what their code draws from
        return release(np.ravel(np.asarray(dataset, float)))

    return learner


def total():
    """The sum of values from 0 to 10."""
    return _learner(lambda values: LaplaceMechanism(epsilon=EPSILON).private_sum(values, BOUNDS))


def mean():
    """The mean of values from 0 to 10."""
    return _learner(lambda values: LaplaceMechanism(epsilon=EPSILON).private_mean(values, BOUNDS))


def histogram():
    """How often each of three categories is (records: which)."""
    mechanism = LaplaceMechanism(epsilon=EPSILON)
    return _learner(lambda values: mechanism.perturb_histogram(np.bincount(values.astype(int), minlength=3)))


def gaussian():
    """A sum of values from 0 to 1 with Gaussian noise."""
    mechanism = GaussianMechanism(epsilon=EPSILON, delta=DELTA, sensitivity=1.0)
    return _learner(lambda values: float(values.sum()) + mechanism.compute_noise())


def clipped():
    """A sum of values from 0 to 1 with Laplace noise that is clipped."""
    mechanism = unlearning.LaplaceMechanism(epsilon=EPSILON, clip_bound=2.0)
    return _learner(lambda values: float(values.sum()) + mechanism.compute_noise())


def clipped_mended():
    """The same without the clipping."""
    mechanism = unlearning.LaplaceMechanism(epsilon=EPSILON)
    return _learner(lambda values: float(values.sum()) + mechanism.compute_noise())
