# ruff: noqa: NPY002 (what is audited draws from the generators of NumPy and Python themselves)
"""Mechanisms of trasgoDP, as a survey audits them, and copies with the smallest change that mends them."""

import inspect

import numpy as np
import pandas as pd
from trasgodp.categorical import _randomized_response
from trasgodp.geoindis import _geo_metric_privacy
from trasgodp.numerical import _gaussian, _laplace

EPSILON = 1.0
LOW, HIGH = 0.0, 10.0
LABELS = np.array(["a", "b", "c", "d"])
#: Three users whose values stay; the fourth is the one whose value changes.
OTHERS = ("a", "b", "c")
PLACES = ((45.0, 9.0), (45.001, 9.001))
PER_METRE = 0.01


def learner_of(release):
    """The learner of a release that draws from NumPy's own generator."""

    def learner(dataset, rng):
        np.random.seed(int(rng.integers(2**31)))
        return release(np.asarray(dataset))

    return learner


def changed(module, function, as_it_is, as_it_should_be):
    """A function of theirs with one place of its source changed."""
    source = inspect.getsource(getattr(module, function))
    if source.count(as_it_is) != 1:
        raise RuntimeError("the line that is mended here is not in this version")
    names = dict(vars(module))
    exec(source.replace(as_it_is, as_it_should_be), names)
    return names[function]


def laplace():
    """The Laplace mechanism on a column, bounds given."""
    return learner_of(
        lambda rows: _laplace.dp_clip_laplace_array(
            np.ravel(rows).astype(float), EPSILON, lower_bound=LOW, upper_bound=HIGH
        )
    )


def laplace_without_bounds():
    """The same without bounds, which versions before 2.0.3 allow."""
    return learner_of(lambda rows: _laplace.dp_clip_laplace_array(np.ravel(rows).astype(float), EPSILON))


def gaussian():
    """The Gaussian mechanism at epsilon 1, bounds given."""
    return learner_of(
        lambda rows: _gaussian.dp_clip_gaussian_array(
            np.ravel(rows).astype(float), EPSILON, lower_bound=LOW, upper_bound=HIGH, delta=1e-3
        )
    )


def labelled(rows):
    """The four users' labels: three that stay, and that of the dataset's one record."""
    return np.array([*OTHERS, LABELS[int(np.ravel(rows)[0])]])


def numbers(labels):
    """Labels as numbers."""
    return tuple(int(number) for number in np.searchsorted(LABELS, labels))


def randomized_response():
    """The k-ary randomized response on a column of labels."""
    theirs = _randomized_response.dp_randomized_response_kary_array
    return learner_of(lambda rows: numbers(theirs(labelled(rows), EPSILON)))


def randomized_response_mended():
    """The same with the labels given."""
    name = "dp_randomized_response_kary_array"
    mended = changed(_randomized_response, name, "np.unique(data)", "np.array(['a', 'b', 'c', 'd'])")
    return learner_of(lambda rows: numbers(mended(labelled(rows), EPSILON)))


def binary_response():
    """The binary randomized response; both labels are those of other users too."""
    theirs = _randomized_response.dp_randomized_response_binary_array
    return learner_of(lambda rows: numbers(theirs(np.array(["a", "b", LABELS[int(np.ravel(rows)[0])]]), EPSILON)))


def places_of(rows):
    """Users' places as a data frame: records say which of two it is."""
    return pd.DataFrame([PLACES[int(which)] for which in np.ravel(rows)], columns=["lat", "lon"])


def place():
    """A user's place made private as the README does it: no seed is given."""
    return learner_of(
        lambda rows: _geo_metric_privacy.metric_privacy(places_of(rows), "lat", "lon", PER_METRE)[
            ["lat", "lon"]
        ].to_numpy()
    )


def place_mended():
    """The same without a seed."""
    mended = changed(_geo_metric_privacy, "metric_privacy", "seed=42", "seed=None")
    return learner_of(lambda rows: mended(places_of(rows), "lat", "lon", PER_METRE)[["lat", "lon"]].to_numpy())


def two_places():
    """Two users' places, each of two; no fixed seed."""

    def release(rows):
        seed = int(np.random.randint(2**31))
        found = _geo_metric_privacy.metric_privacy(places_of(rows), "lat", "lon", PER_METRE, seed=seed)
        return found[["lat", "lon"]].to_numpy()

    return learner_of(release)


def two_places_mended():
    """The same with noise of its own for each row."""
    source = inspect.getsource(_geo_metric_privacy.metric_privacy)
    for as_it_is, as_it_should_be in (
        (".drop_duplicates()", ".copy()"),
        (
            'df.merge(unique_coords, on=[column_lat, column_lon], how="left")',
            "df.join(unique_coords[['lat_dp', 'lon_dp', 'radius_m']])",
        ),
    ):
        if source.count(as_it_is) != 1:
            raise RuntimeError("the line that is mended here is not in this version")
        source = source.replace(as_it_is, as_it_should_be)
    names = dict(vars(_geo_metric_privacy))
    exec(source, names)

    def release(rows):
        seed = int(np.random.randint(2**31))
        return names["metric_privacy"](places_of(rows), "lat", "lon", PER_METRE, seed=seed)[["lat", "lon"]].to_numpy()

    return learner_of(release)
