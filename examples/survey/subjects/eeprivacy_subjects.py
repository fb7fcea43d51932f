# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""Operations of eeprivacy, as a survey audits them, and copies with the smallest change that mends them."""

import inspect
import textwrap

import numpy as np
from eeprivacy import operations
from eeprivacy.operations import (
    PrivateClampedMean,
    PrivateClampedSum,
    PrivateHistogram,
    PrivateQuantile,
    PrivateVectorClampedMeanGaussian,
    PrivateVectorClampedMeanLaplace,
)

EPSILON = 1.0


def learner_of(release):
    """The learner of a release that draws from NumPy's own generator."""

    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**31)))
        return release(np.asarray(dataset, dtype=float))

    return learner


def mended(kind, *changes):
    """A class of theirs with its execute changed, each change being a pair of texts."""
    source = textwrap.dedent(inspect.getsource(kind.execute))
    for as_it_is, as_it_should_be in changes:
        if source.count(as_it_is) != 1:
            raise RuntimeError("the line that is mended here is not in this version")
        source = source.replace(as_it_is, as_it_should_be)
    found = {}
    exec(source, vars(operations), found)
    return type("Mended", (kind,), {"execute": found["execute"]})


def clamped_sum():
    """The sum of values clamped to 0 to 1."""
    sum_of = PrivateClampedSum(lower_bound=0.0, upper_bound=1.0)
    return learner_of(lambda rows: sum_of.execute(values=np.ravel(rows), epsilon=EPSILON))


def clamped_mean(kind=PrivateClampedMean):
    """The mean of values clamped to 0 to 1."""
    mean = kind(lower_bound=0.0, upper_bound=1.0)
    return learner_of(lambda rows: float(mean.execute(values=np.ravel(rows), epsilon=EPSILON)))


def clamped_mean_mended():
    """The same with its values clamped."""
    clamped = "S = np.sum(np.clip(values, self.lower_bound, self.upper_bound))"
    return clamped_mean(mended(PrivateClampedMean, ("S = np.sum(values)", clamped)))


def histogram():
    """A histogram of three bins."""
    counts = PrivateHistogram(bins=[0.0, 1.0, 2.0, 3.0])
    return learner_of(lambda rows: counts.execute(values=np.ravel(rows), epsilon=EPSILON))


def quantile():
    """The median, one of four options."""
    median = PrivateQuantile(options=[0.5, 1.5, 2.5, 3.5])
    return learner_of(lambda rows: float(median.execute(values=np.ravel(rows), epsilon=EPSILON, quantile=0.5)))


def vector_mean(kind=PrivateVectorClampedMeanLaplace):
    """The mean of two vectors of two numbers from 0 to 1, by the Laplace mechanism; their number is public."""
    mean = kind(lower_bound=0.0, upper_bound=1.0, k=2, N=2)
    return learner_of(lambda rows: mean.execute(vectors=rows, epsilon=EPSILON, delta=0.0))


def vector_mean_mended():
    """The same with noise of its own for each coordinate."""
    batch = ("LaplaceMechanism.execute(", "LaplaceMechanism.execute_batch("), ("value=exact_sum", "values=exact_sum")
    return vector_mean(mended(PrivateVectorClampedMeanLaplace, *batch))


def vector_mean_by_gauss():
    """The same by the Gaussian mechanism, at epsilon 1 and delta 1e-3."""
    mean = PrivateVectorClampedMeanGaussian(lower_bound=0.0, upper_bound=1.0, k=2, N=2)
    return learner_of(lambda rows: mean.execute(vectors=rows, epsilon=EPSILON, delta=1e-3))


def clamped_mean_of_few(kind=PrivateClampedMean):
    """The mean of values from 0 to 1 at a small epsilon."""
    mean = kind(lower_bound=0.0, upper_bound=1.0)
    return learner_of(lambda rows: float(mean.execute(values=np.ravel(rows), epsilon=0.2)))


def clamped_mean_of_few_mended():
    """The same with half of epsilon for the sum, and half for the count."""
    quotient = "(S + np.random.laplace(0, 2 * max(abs(a), abs(b)) / epsilon)) / (C + np.random.laplace(0, 2 / epsilon))"
    as_it_is = "S / C + np.random.laplace(0, (b - a) / epsilon) / C"
    return clamped_mean_of_few(mended(PrivateClampedMean, (as_it_is, quotient)))
