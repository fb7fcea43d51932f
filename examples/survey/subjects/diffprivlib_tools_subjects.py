"""Statistics of diffprivlib's tools, as a survey audits them, and mended copies."""

import inspect

import diffprivlib.tools.histograms as their_histograms
import diffprivlib.tools.utils as their_tools
import numpy as np
from diffprivlib import tools

EPSILON = 1.0
WEIGHT = 10
OF_THE_MEAN = "sensitivity=(upper - lower) / array.size"
# One value is there at least (a public one), so that a mean of what is there changes by no more than this.
OF_THE_MEAN_MENDED = "sensitivity=(upper - lower)"
OF_THE_VARIANCE = "sensitivity=((upper - lower) / array.size) ** 2 * (array.size - 1)"
OF_THE_VARIANCE_MENDED = "sensitivity=((upper - lower) ** 2) / 4"
OF_THE_HISTOGRAM = "GeometricTruncated(epsilon=epsilon, sensitivity=1,"
OF_THE_HISTOGRAM_MENDED = f"GeometricTruncated(epsilon=epsilon, sensitivity={WEIGHT},"
# Read before anything is mended, since what is mended here has no source any more.
SOURCE_OF_MEAN = inspect.getsource(their_tools._mean)
SOURCE_OF_VARIANCE = inspect.getsource(their_tools._var)
SOURCE_OF_HISTOGRAM = inspect.getsource(their_histograms.histogram)


def _seed(rng):
    return int(rng.integers(2**31 - 1))


def _values(dataset):
    return np.ravel(np.asarray(dataset, dtype=np.float64))


def _with_missing(dataset):
    """Values of which those below 0 are missing, and a public one, so that not all are."""
    values = _values(dataset)
    return np.append(np.where(values < 0, np.nan, values), 0.0)


def _mend(module, source, as_it_is, as_it_should_be):
    if source.count(as_it_is) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    exec(source.replace(as_it_is, as_it_should_be), vars(module))


def mean_of_the_known():
    """The mean of values from 0 to 10 of which some are missing."""
    return lambda dataset, rng: float(
        tools.nanmean(_with_missing(dataset), epsilon=EPSILON, bounds=(0.0, 10.0), random_state=_seed(rng))
    )


def mean_of_the_known_mended():
    """The same, at the sensitivity of a mean of which only one value may be known."""
    _mend(their_tools, SOURCE_OF_MEAN, OF_THE_MEAN, OF_THE_MEAN_MENDED)
    return mean_of_the_known()


def variance_of_the_known():
    """The variance of values from 0 to 10 of which some are missing."""
    return lambda dataset, rng: float(
        tools.nanvar(_with_missing(dataset), epsilon=EPSILON, bounds=(0.0, 10.0), random_state=_seed(rng))
    )


def variance_of_the_known_mended():
    """The same, at the sensitivity of a variance of which only a few values may be known."""
    _mend(their_tools, SOURCE_OF_VARIANCE, OF_THE_VARIANCE, OF_THE_VARIANCE_MENDED)
    return variance_of_the_known()


def mean():
    """The mean of values from 0 to 50."""
    return lambda dataset, rng: float(
        tools.mean(_values(dataset), epsilon=EPSILON, bounds=(0.0, 50.0), random_state=_seed(rng))
    )


def variance():
    """The variance of values from 0 to 10."""
    return lambda dataset, rng: float(
        tools.var(_values(dataset), epsilon=EPSILON, bounds=(0.0, 10.0), random_state=_seed(rng))
    )


def median():
    """The median of values from 0 to 10."""
    return lambda dataset, rng: float(
        tools.median(_values(dataset), epsilon=EPSILON, bounds=(0.0, 10.0), random_state=_seed(rng))
    )


def histogram():
    """The counts of two bins."""

    def learner(dataset, rng):
        options = {"bins": 2, "range": (0.0, 2.0), "random_state": _seed(rng)}
        return np.asarray(tools.histogram(_values(dataset), epsilon=EPSILON, **options)[0], dtype=np.float64)

    return learner


def weighted_histogram():
    """The weights of two bins, of records that are a value and a weight from 0 to 10."""

    def learner(dataset, rng):
        rows = np.reshape(np.asarray(dataset, dtype=np.float64), (len(dataset), 2))
        options = {"bins": 2, "range": (0.0, 2.0), "weights": rows[:, 1], "random_state": _seed(rng)}
        return np.asarray(tools.histogram(rows[:, 0], epsilon=EPSILON, **options)[0], dtype=np.float64)

    return learner


def weighted_histogram_mended():
    """The same with noise for the largest weight."""
    _mend(their_histograms, SOURCE_OF_HISTOGRAM, OF_THE_HISTOGRAM, OF_THE_HISTOGRAM_MENDED)
    tools.histogram = their_histograms.histogram
    return weighted_histogram()
