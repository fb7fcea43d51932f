"""Classifiers of dp-learning-ff, as a survey audits them, and copies that are mended.

A dataset is a list of feature vectors; labels, where they are not the last column, are public and fixed.
"""

from __future__ import annotations

import contextlib
import inspect
import io

import dp_learning_ff.prototypes as theirs
import numpy as np
from dp_learning_ff import LeastSquaresClassifier
from dp_learning_ff.coinpress import algos
from dp_learning_ff.prototypes import CoinpressPrototyping

EPSILON, DELTA, RHO, SAMPLED = 1.0, 1e-5, 0.5, 0.5


def features_of(rows):
    """Rows as a matrix of one column or more."""
    return np.asarray(rows, dtype=float).reshape(len(rows), -1)


def prototype(rows, rng):
    """The private mean of one class, in two steps that spend half of rho each."""
    np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what the package draws from
    features = features_of(rows)
    return theirs.give_private_prototypes(features, np.zeros(len(features)), [RHO / 2, RHO / 2]).ravel()


def prototypes(rows, rng):
    """The prototypes of the classes that the last column names, in one step."""
    np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what the package draws from
    features = features_of(rows)
    return theirs.give_private_prototypes(features[:, :-1], np.round(features[:, -1]), [RHO]).ravel()


def prototypes_mended():
    """Classes and the size of a class are public, and not read from the data."""
    mend(theirs.give_private_prototypes, theirs, "targets = np.unique(train_targets)", "targets = np.array([0.0, 1.0])")
    mend(algos.multivariate_mean_step, algos, "n, d = X.shape", "n, d = 2, X.shape[1]")
    return prototypes


def mend(function, module, *changes):
    """Replace lines of a function's source."""
    if hasattr(function, "__wrapped__"):  # It is mended already, for a learner before.
        return
    source = inspect.getsource(function)
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        if source.count(old) != 1:
            raise RuntimeError("the line that is mended here is not in this version")
        source = source.replace(old, new)
    exec(source, vars(module))
    getattr(module, function.__name__).__wrapped__ = function


def sampled(rows, rng):
    """The prototype that CoinpressPrototyping makes of half of the data."""
    np.random.seed(int(rng.integers(2**32)))  # noqa: NPY002 - what the package draws from
    features = features_of(rows)
    return CALIBRATED.prototypes(features, np.zeros(len(features))).ravel()


def calibrated():
    """Calibrated as its constructor is asked to."""
    with contextlib.redirect_stdout(io.StringIO()):
        made = CoinpressPrototyping(EPSILON, DELTA, steps=1, dist="eq", p_sampling=SAMPLED)
        made.try_calibrate()
    return made


CALIBRATED = calibrated()


def sampled_mended():
    """Each record is taken once or not, by a generator that nobody knows the seed of."""
    mend(
        theirs.give_private_prototypes,
        theirs,
        "rng = np.random.default_rng(seed)",
        "rng = np.random.default_rng(np.random.randint(2**31))",
        "rng.poisson(lam=subsampling, size",
        "rng.binomial(1, subsampling, size",
    )
    return sampled


def least_squares(rows, rng):
    """One class' weights; the noise as a user gets it who does not say a seed."""
    return weights(rows)


def least_squares_mended(rows, rng):
    """The same with a seed that is drawn."""
    return weights(rows, seed=int(rng.integers(2**32)))


def weights(rows, **options):
    """The weights that the least squares problem with noise has; a column of ones keeps a row from being zero."""
    features = np.column_stack([features_of(rows), np.ones(len(rows))])
    return LeastSquaresClassifier.dp_least_squares(
        features, np.zeros(len(features)), 1.0, 100.0, 1.0, NOISE, **options
    ).ravel()


#: Three Gaussians of this multiplier, as LeastSquaresCDPM accounts them, are of mu 1.
NOISE = 3**0.5
