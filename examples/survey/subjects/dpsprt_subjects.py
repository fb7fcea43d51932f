"""Learners of dpsprt, as a survey audits them."""

import numpy as np
from dpsprt import DPSPRT, DPSPRTGaussian, DPSPRTSubsampled, OutsideInterval, run_sprt_on_batch

EPSILON = 1.0
SMALL_EPSILON = 0.1
DELTA = 0.01
HYPOTHESES = {"mu0": 0.3, "mu1": 0.7, "alpha": 0.3, "beta": 0.3}


def _stopping(test, **settings):
    def learner(dataset, rng):
        seed = int(rng.integers(2**32))
        sprt = test(**HYPOTHESES, **settings, random_seed=seed)
        decision, time, _ = run_sprt_on_batch(sprt, np.ravel(dataset).astype(int))
        return np.array([float(decision), float(time)])

    return learner


def laplace():
    """Decision and stopping time with Laplace noise."""
    return _stopping(DPSPRT, epsilon=EPSILON)


def gaussian():
    """Decision and stopping time with Gaussian noise."""
    return _stopping(DPSPRTGaussian, epsilon=EPSILON, delta=DELTA)


def subsampled():
    """Decision and stopping time of the test on a subsample."""
    return _stopping(DPSPRTSubsampled, epsilon=SMALL_EPSILON)


def outside_interval():
    """The first of a stream of numbers from 0 to 1 whose noisy value is outside -1 to 1."""

    def learner(dataset, rng):
        monitor = OutsideInterval(
            lower_threshold=lambda t: -1.0,
            upper_threshold=lambda t: 1.0,
            query_noise_scale=4.0 / EPSILON,
            threshold_noise_scale=2.0 / EPSILON,
            epsilon=EPSILON,
            random_seed=int(rng.integers(2**32)),
        )
        total = 0.0
        for time, value in enumerate(np.ravel(np.asarray(dataset, float)), start=1):
            total += value
            stopped, side = monitor.add_query(total)
            if stopped:
                return np.array([float(side), float(time)])
        return np.array([0.0, 0.0])

    return learner
