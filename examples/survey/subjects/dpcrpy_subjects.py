"""Learners of dpcrpy, as a survey audits them: the sums of a stream, each released as it comes."""

import dpcrpy
import numpy as np

EPSILON = 1.0
DELTA = 1e-3


def _stream(method, noise):
    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what their code draws from
        values = np.ravel(np.asarray(dataset, float))
        released = dpcrpy.dpCrFw(lambda _: method().setNoiMech(noise()).init())
        return np.array([float(released.dpRelease(value)[0]) for value in values])

    return learner


def _laplace():
    return dpcrpy.noiMech.LapNoiMech(EPSILON)


def tree():
    """The binary tree, with Laplace noise, for four times."""
    return _stream(lambda: dpcrpy.BinMech(kOrder=2), _laplace)


def two_levels():
    """Two levels of sums, with Laplace noise, for four times."""
    return _stream(lambda: dpcrpy.TwoLevel(kOrder=2), _laplace)


def honaker():
    """Honaker's tree, with Laplace noise, for four times."""
    return _stream(lambda: dpcrpy.Honaker(kOrder=2), _laplace)


def bits():
    """The adaptive bit method, with Laplace noise, for four times."""
    return _stream(lambda: dpcrpy.AuBCR(kOrder=2), _laplace)


def gaussian_bits():
    """The adaptive bit method, with Gaussian noise that is calibrated once, for four times."""
    calibrated = dpcrpy.noiMech.GaussNoiMech(EPSILON, DELTA).sigma0
    return _stream(lambda: dpcrpy.AuBCR(kOrder=2), lambda: dpcrpy.noiMech.GaussNoiMech(sigma0=calibrated))
