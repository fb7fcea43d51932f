"""The data sets of `learners_compared.py`, their splits, and what is public of them; and made-up ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck import Labelled

Floats = NDArray[np.float64]
#: The parts of a data set that are public and private; the rest is for tests.
PUBLIC, PRIVATE = 0.2, 0.5
#: Of larger data sets so many records are taken, the same for all splits, at random.
MOST_RECORDS = 2000
_SAMPLED_BY = 20271
#: Diabetes: what counts as a high progression of the disease, a year later. About the middle of its range of 25 to 346.
_PROGRESSION = 150


@dataclass(frozen=True)
class DataSet:
    """Where it comes from and what is learnt."""

    source: str
    question: str
    load: Callable[[], tuple[Floats, NDArray[np.int64]]]


@dataclass(frozen=True)
class Bounds:
    """What is public of the features, taken from those of the public part: ranges, means and deviations by feature."""

    low: Floats
    high: Floats
    mean: Floats
    deviation: Floats

    @staticmethod
    def of(x: Floats) -> Bounds:
        """Those of some records. A feature that is constant there has a range and deviation of 1."""
        low, high, deviation = x.min(axis=0), x.max(axis=0), x.std(axis=0)
        flat = high == low
        return Bounds(low - 0.5 * flat, high + 0.5 * flat, x.mean(axis=0), np.where(flat, 1.0, deviation))

    def clipped(self, x: Floats) -> Floats:
        """Records moved into the ranges."""
        return np.clip(x, self.low, self.high)

    def standardised(self, x: Floats) -> Floats:
        """Records moved into the ranges, with the public mean taken off, in public deviations."""
        return np.asarray((self.clipped(x) - self.mean) / self.deviation)


@dataclass(frozen=True, eq=False)
class Split:
    """The three parts of the records: each with its labels, of the public part only one learner may read them."""

    public: Labelled
    private: Labelled
    test: Labelled

    @cached_property
    def bounds(self) -> Bounds:
        """What the private learners know of the features."""
        return Bounds.of(np.asarray(self.public.x, dtype=np.float64))


def _scikit(name: str, label: Callable[[Any], Any]) -> tuple[Floats, NDArray[np.int64]]:
    from sklearn import datasets

    x, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    if name == "iris":  # versicolor and virginica: setosa is told from both by any feature
        x, y = x[y > 0], y[y > 0]
    return np.asarray(x, dtype=np.float64), np.asarray(label(y), dtype=np.int64)


def _statsmodels(name: str, column: str, label: Callable[[Any], Any]) -> tuple[Floats, NDArray[np.int64]]:
    from statsmodels import datasets

    table = getattr(datasets, name).load_pandas().data
    x = table.drop(columns=column).to_numpy(dtype=np.float64)
    y = np.asarray(label(table[column].to_numpy()), dtype=np.int64)
    if len(y) > MOST_RECORDS:
        kept = np.random.default_rng(_SAMPLED_BY).permutation(len(y))[:MOST_RECORDS]
        x, y = x[kept], y[kept]
    return x, y


DATA: dict[str, DataSet] = {
    "breast cancer": DataSet("scikit-learn", "benign", lambda: _scikit("breast_cancer", lambda y: y)),
    "wine": DataSet("scikit-learn", "the first cultivar", lambda: _scikit("wine", lambda y: y == 0)),
    "digits": DataSet("scikit-learn", "5 or more", lambda: _scikit("digits", lambda y: y >= 5)),
    "iris": DataSet("scikit-learn", "virginica, of it and versicolor", lambda: _scikit("iris", lambda y: y == 2)),
    "diabetes": DataSet(
        "scikit-learn", f"progression above {_PROGRESSION}", lambda: _scikit("diabetes", lambda y: y > _PROGRESSION)
    ),
    "fair": DataSet("statsmodels", "any affairs", lambda: _statsmodels("fair", "affairs", lambda y: y > 0)),
    "anes96": DataSet("statsmodels", "vote for Dole", lambda: _statsmodels("anes96", "vote", lambda y: y == 1)),
    "randhie": DataSet("statsmodels", "any visits", lambda: _statsmodels("randhie", "mdvis", lambda y: y > 0)),
}
#: Records, features and informative ones of the problems that settings are chosen on.
MADE_UP = ((200, 8, 4), (600, 30, 10), (2000, 10, 5))


@cache
def records(name: str) -> tuple[Floats, NDArray[np.int64]]:
    """The features and labels of a data set."""
    return DATA[name].load()


def split(name: str, seed: int) -> Split:
    """The records of a data set in a random order, cut in three."""
    return _cut(*records(name), seed)


def made_up(number: int, seed: int) -> Split:
    """A split of a problem that scikit-learn makes up; each seed makes another one."""
    from sklearn.datasets import make_classification

    size, features, informative = MADE_UP[number]
    x, y = make_classification(
        n_samples=size, n_features=features, n_informative=informative, flip_y=0.05, random_state=seed % 2**32
    )
    return _cut(x, y.astype(np.int64), seed)


def _cut(x: Floats, y: NDArray[np.int64], seed: int) -> Split:
    order = np.random.default_rng(seed).permutation(len(x))
    parts = np.split(order, [round(PUBLIC * len(x)), round((PUBLIC + PRIVATE) * len(x))])
    return Split(*(Labelled(x[part], y[part]) for part in parts))
