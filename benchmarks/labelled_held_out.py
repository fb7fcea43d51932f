"""What `labelled_data.py --held-out` audits: learners on which nothing was tried while that was made.

All claim epsilon = 1 for records with features in [0, 1] and labels 0 and 1, where one record is replaced. Of each pair
the second one breaks its claim in one place.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import dpcheck

EPSILON = 1.0


def naive_bayes(dataset: Any, rng: Any, *, scale: float) -> Any:
    """Counts of the features above a half, in each class, and of the classes."""
    x, y = dataset
    counts = [(x[y == label] > 0.5).sum(axis=0) for label in (0, 1)]
    sizes = [np.sum(y == label) for label in (0, 1)]
    table = np.concatenate([*counts, sizes]).astype(float)
    return table + rng.laplace(scale=scale, size=len(table))


def counts_of_bayes(dataset: Any, rng: Any) -> Any:
    """Right: a record is in its row of d counts and one size, before and after."""
    return naive_bayes(dataset, rng, scale=2.0 * (np.shape(dataset[0])[1] + 1) / EPSILON)


def counts_of_bayes_as_if_for_one(dataset: Any, rng: Any) -> Any:
    """Noise for one count only."""
    return naive_bayes(dataset, rng, scale=2.0 / EPSILON)


def _centroids(dataset: Any, rng: Any, *, shared: float) -> Any:
    sums, sizes = np.zeros((2, len(dataset[0][0]))), np.zeros(2)
    for x, label in dataset:
        sums[label] += np.clip(x, 0.0, 1.0)
        sizes[label] += 1
    width = sums.shape[1]
    noisy = sums + rng.laplace(scale=2.0 * width / (shared * EPSILON), size=sums.shape)
    return noisy / np.maximum(1.0, sizes + rng.laplace(scale=2.0 / ((1.0 - shared) * EPSILON), size=2))[:, None]


def nearest_centroid(dataset: Any, rng: Any) -> Any:
    """Right: noisy sums by noisy sizes, on rows."""
    return _centroids(dataset, rng, shared=0.5)


def nearest_centroid_with_exact_sizes(dataset: Any, rng: Any) -> Any:
    """The sizes of the classes are told beside the noisy sums."""
    labels = [label for _, label in dataset]
    return {"centroids": _centroids(dataset, rng, shared=0.9), "sizes": [labels.count(0), labels.count(1)]}


def _ridge(dataset: Any, rng: Any, *, bound: float) -> Any:
    table = np.asarray(dataset, dtype=float)
    x, y = table[:, :-1], table[:, -1]
    x = x / np.maximum(1.0, np.linalg.norm(x, axis=1))[:, None]
    half = EPSILON / 2.0
    # replacing a row of norm at most 1 moves the sum of products by at most 2 in the entries' Euclidean norm
    noise = rng.laplace(scale=bound * x.shape[1] / half, size=(x.shape[1], x.shape[1]))
    products = x.T @ x + (noise + noise.T) / 2.0
    targets = x.T @ y + rng.laplace(scale=2.0 * np.sqrt(x.shape[1]) / half, size=x.shape[1])
    return np.concatenate([products[np.triu_indices(x.shape[1])], targets])


def ridge(dataset: Any, rng: Any) -> Any:
    """Right: sufficient statistics with noise, from one table (and less private than it could be useful)."""
    return _ridge(dataset, rng, bound=4.0)


def ridge_without_noise_on_its_targets(dataset: Any, rng: Any) -> Any:
    """The products of features and targets are released as they are."""
    table = np.asarray(dataset, dtype=float)
    return np.concatenate([_ridge(dataset, rng, bound=2.0), table[:, :-1].T @ table[:, -1]])


def _rates(dataset: Any, rng: Any, scale: float) -> dict[str, float]:
    grouped = dataset.assign(old=dataset["age"] > 0.5).groupby("old")["outcome"].sum()
    return {str(old): float(grouped.get(old, 0) + rng.laplace(scale=scale)) for old in (False, True)}


def rates_by_group(dataset: Any, rng: Any) -> dict[str, float]:
    """Right: positive labels of two groups of a data frame; one record is in one of them, before and after."""
    return _rates(dataset, rng, 2.0 / EPSILON)


def rates_by_group_of_those_there_are(dataset: Any, rng: Any) -> dict[str, float]:
    """Groups that are empty are left out."""
    there = set(map(str, (dataset["age"] > 0.5).unique()))
    return {old: rate for old, rate in _rates(dataset, rng, 2.0 / EPSILON).items() if old in there}


class Prior:
    """An estimator: the share of label 1."""

    def __init__(self, scale: float = 1.0, random_state: Any = None) -> None:
        self.scale = scale
        self.random_state = random_state

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"scale": self.scale, "random_state": self.random_state}

    def set_params(self, **changes: Any) -> Prior:
        for name, value in changes.items():
            setattr(self, name, value)
        return self

    def fit(self, X: Any, y: Any) -> Prior:
        rng = np.random.RandomState(self.random_state)
        self.share_ = float(np.sum(y) + rng.laplace(scale=self.scale)) / len(y)
        return self


def prior() -> Any:
    """Right: one label moves the sum by one."""
    return dpcheck.from_estimator(Prior(1.0 / EPSILON), output="share_")


def prior_of_the_mean() -> Any:
    """Noise for the mean of ten, whatever the size."""
    return dpcheck.from_estimator(Prior(0.1 / EPSILON), output="share_")
