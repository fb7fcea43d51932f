"""Learners of binomialdpy, as a survey audits them."""

import math

import numpy as np
from binomialdpy import tulap, ump, umpu

EPSILON = 1.0
DELTA = 0.05


def _ones(dataset):
    return int(np.sum(np.asarray(dataset, float)))


def noisy_count():
    """The number of successes with Tulap noise: what their p-values and intervals are made of."""

    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what their code draws from
        return float(tulap.random(1, m=_ones(dataset), b=math.exp(-EPSILON), q=0)[0])

    return learner


def _test(rejection, delta):
    found = {}

    def learner(dataset, rng):
        size = np.size(dataset)
        if size not in found:
            found[size] = rejection(0.5, size, 0.1, EPSILON, delta)
        return float(rng.random() < found[size][_ones(dataset)])

    return learner


def one_sided():
    """Whether the one-sided test rejects."""
    return _test(ump.left, 0.0)


def one_sided_approximate():
    """Whether the one-sided test rejects, with a delta."""
    return _test(ump.left, DELTA)


def two_sided():
    """Whether the asymptotically unbiased two-sided test rejects."""
    return _test(umpu.approx, 0.0)
