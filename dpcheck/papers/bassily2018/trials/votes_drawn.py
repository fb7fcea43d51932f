"""Votes on public queries by their exact law, without drawing a record: thresholds on [0, 1], and models made to err.

Points are uniform on [0, 1], labelled 1 from 1/2 on. The least positive of n0 examples exceeds 1/2 by more than t with
probability ``(1 - t)^n0`` (t below 1/2; with probability ``2^-n0`` there is none, and all is labelled 0). Of k
independent models the numbers that fall between consecutive queries are multinomial: that is the law of the votes, and
what is drawn. So sizes of 10^10 records can be run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.bassily2018.learners.rounds import ANSWERED, drawn_patterns
from dpcheck.papers.bassily2018.learners.scales import Scales

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
#: The place from which points are labelled 1.
TARGET = 0.5


def wrong_votes_of_thresholds(points: Floats, each: int, models: int, rng: np.random.Generator) -> Counts:
    """How many of k consistent thresholds, each of ``each`` records, are wrong on each point; shape (m,).

    Examples
    --------
    >>> rng = np.random.default_rng()
    >>> wrong_votes_of_thresholds(np.array([0.2, 0.5001, 0.99]), 200, 1000, rng).shape
    (3,)
    """
    found = np.zeros(len(points), dtype=np.int64)
    above = np.flatnonzero(points >= TARGET)
    order = above[np.argsort(points[above])]
    gaps = points[order] - TARGET
    with np.errstate(divide="ignore"):
        survives = np.exp(each * np.log1p(-gaps))
    starts = np.concatenate([[1.0], survives])
    between = np.append(starts[:-1] - starts[1:], starts[-1])
    reached = rng.multinomial(models, between / between.sum())[:-1]
    found[order] = models - np.cumsum(reached)
    return found


def labels_of_one_run(
    wrong: Counts, truth: Counts, scales: Scales, rng: np.random.Generator, rounds: int | None = None
) -> tuple[Counts, NDArray[np.int8]]:
    """The labels of one run of alg-2 on all queries, a fair coin where there is none; and which were answered.

    Parameters
    ----------
    wrong : wrong votes out of ``scales.models``, shape (m,)
    truth : the true labels
    rounds : abstentions after which nothing is answered; those of the printed guard when left out

    Returns
    -------
    (labels, pattern): answered (1), abstained (0), not asked any more (-1)

    Examples
    --------
    >>> rng = np.random.default_rng()
    >>> scales = Scales(20.0, 1.0, 2.0, models=300)
    >>> labels_of_one_run(np.array([0, 300]), np.array([1, 1]), scales, rng)[0].tolist()
    [1, 0]
    """
    lead = scales.models - 2 * wrong
    distances = np.maximum(np.abs(lead) - 1, 0)
    stops = scales.rounds("printed") if rounds is None else rounds
    pattern = drawn_patterns(distances, scales, stops, 1, rng)[0]
    # of a tie the last label leads, which is 1
    right = np.where(lead == 0, truth == 1, lead > 0)
    labels = np.where(right, truth, 1 - truth)
    coins = rng.integers(2, size=len(labels))
    return np.where(pattern == ANSWERED, labels, coins), pattern


def best_threshold(points: Floats, labels: Counts) -> float:
    """A threshold with the fewest mistakes: the empirical minimiser; a point, or above all points.

    Examples
    --------
    >>> best_threshold(np.array([0.1, 0.4, 0.6, 0.9]), np.array([0, 0, 1, 1]))
    0.6
    """
    order = np.argsort(points)
    ones = labels[order]
    # mistakes of the threshold at the i-th point: ones before it and zeros from it on
    before = np.concatenate([[0], np.cumsum(ones)])
    zeros = np.concatenate([[0], np.cumsum(1 - ones)])
    place = int((before + zeros[-1] - zeros).argmin())
    return float(points[order[place]]) if place < len(points) else 1.0


def noisy_chunks(models: int, each: int, noise: float, rng: np.random.Generator) -> Floats:
    """The empirical minimisers among thresholds of k chunks of records whose labels are flipped with this probability.

    Examples
    --------
    >>> noisy_chunks(3, 500, 0.05, np.random.default_rng()).shape
    (3,)
    """
    points = np.sort(rng.random((models, each)), axis=1)
    labels = (points >= TARGET) ^ (rng.random((models, each)) < noise)
    before = np.concatenate([np.zeros((models, 1), dtype=np.int64), np.cumsum(labels, axis=1)], axis=1)
    zeros = np.concatenate([np.zeros((models, 1), dtype=np.int64), np.cumsum(~labels, axis=1)], axis=1)
    place = (before + zeros[:, -1:] - zeros).argmin(axis=1)
    ends = np.concatenate([points, np.ones((models, 1))], axis=1)
    return np.asarray(ends[np.arange(models), place])


def wrong_votes_of(thresholds: Floats, points: Floats) -> Counts:
    """How many of these thresholds are wrong on each point.

    Examples
    --------
    >>> wrong_votes_of(np.array([0.4, 0.5, 0.7]), np.array([0.45, 0.6, 0.9])).tolist()
    [1, 1, 0]
    """
    ones = np.searchsorted(np.sort(thresholds), points, side="right")
    return np.where(points >= TARGET, len(thresholds) - ones, ones)
