"""The label of the largest noisy count: its probabilities, draws of many runs at once, and the exact law."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.papers.bassily2018.learners.composition import NOISES, known
from dpcheck.papers.bassily2018.learners.votes import checked_classes, checked_counts
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.parts.mechanisms.parameters import count, positive_as_given
from dpcheck.parts.mechanisms.quadrature import nodes_and_weights

#: The most outputs of an exact law.
MOST_OUTPUTS = 4096
#: Values that are formed at once: they stay within some tens of megabytes.
_CELLS = 1 << 22
#: How far beyond the counts integrals reach, in scales: what is left out has mass exp(-40) of either law at most.
_REACH = {"laplace": 40.0, "gaussian": 12.0}
#: Counts more than so many scales below the largest are taken for this: they win with probability below exp(-200).
_DEPTH = 200.0
#: Each probability is the integral of at most (12 + 200 + 80) 16 positive terms of relative error (c + 8 A) 2^-53, A at
#: most 300 the size of a logarithm; the rule's own error is far below.
_ERROR_OF_ONE = 2.0**-40


@dataclass(frozen=True, eq=False)
class NoisyVotes:
    """On each query the label whose count is largest after fresh noise is added to every count.

    Parameters
    ----------
    counts : integers of shape (m, c)
        How many votes each of c labels gets on each of m queries.
    noise : ``"laplace"`` or ``"gaussian"``
    scale : float or Fraction, above 0
        The Laplace scale, or the standard deviation, of the noise on each count.

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Examples
    --------
    >>> votes = NoisyVotes([[0, 3], [2, 1]], "laplace", 2.0)
    >>> votes.chances.round(4).tolist()
    [[0.1952, 0.8048], [0.6209, 0.3791]]
    >>> votes.sample(5, np.random.default_rng()).shape
    (5, 2)
    """

    counts: NDArray[np.int64]
    noise: str
    scale: float | Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", checked_counts(self.counts))
        known("noise", self.noise, NOISES)
        positive_as_given("scale", self.scale)

    @cached_property
    def chances(self) -> NDArray[np.float64]:
        """The probability of each label on each query, shape (m, c): closed forms for two labels, else integrals."""
        if self.counts.shape[1] == 2:
            first = chance_of_lead(self.counts[:, 0] - self.counts[:, 1], self.noise, float(self.scale))
            second = chance_of_lead(self.counts[:, 1] - self.counts[:, 0], self.noise, float(self.scale))
            return np.column_stack([first, second])
        # which label it is does not matter: tables of votes have few rows that differ but for the order of the labels
        order = np.argsort(self.counts, axis=1)
        rows, place = np.unique(np.take_along_axis(self.counts, order, axis=1), axis=0, return_inverse=True)
        found = np.empty(self.counts.shape)
        np.put_along_axis(found, order, _integrated(rows, self.noise, float(self.scale))[place.ravel()], axis=1)
        return found

    def sample(self, size: int, rng: np.random.Generator) -> NDArray[np.int32]:
        """``size`` independent runs: places of labels, integers of shape (size, m)."""
        runs, (queries, classes) = count("size", size, least=0), self.counts.shape
        found = np.empty((runs, queries), dtype=np.int32)
        draw = rng.laplace if self.noise == "laplace" else rng.normal
        # blocks of whole runs, or of queries where one run is too large
        step, width = max(1, _CELLS // max(1, queries * classes)), max(1, _CELLS // classes)
        for start, first in itertools.product(range(0, runs, step), range(0, queries, width)):
            some = self.counts[first : first + width]
            shape = (min(step, runs - start), *some.shape)
            noisy = some + draw(0.0, float(self.scale), shape)
            found[start : start + step, first : first + width] = noisy.argmax(axis=2)
        return found

    def law(self, classes: Sequence[Hashable] = (0, 1)) -> Law:
        """The exact law of the labels of all queries: in balls for two labels, else in doubles with their error.

        Parameters
        ----------
        classes : c labels

        Raises
        ------
        InvalidArgument
            When there are more than 4096 outputs, or counts of another number of labels than classes.
        """
        listed = checked_classes(classes)
        queries, several = self.counts.shape
        if several != len(listed):
            raise InvalidArgument(f"counts must have a column for each of {len(listed)} classes, got {several}")
        if several**queries > MOST_OUTPUTS:
            raise InvalidArgument(
                f"counts must be of few queries for an exact law (at most {MOST_OUTPUTS} outputs), got {queries} of "
                f"{several} labels"
            )
        outputs = list(itertools.product(listed, repeat=queries))
        if several == 2:
            exact = [math.prod(each, start=ball(1)) for each in itertools.product(*self._balls())]
            return Law(outputs, exact=exact)
        with np.errstate(divide="ignore"):
            logs = np.log(self.chances)
        together = logs[0] if queries else np.zeros(1)
        for row in logs[1:]:
            together = np.add.outer(together, row).ravel()
        return Law(outputs, log_probabilities=together, error=max(1, queries) * _ERROR_OF_ONE)

    def _balls(self) -> Iterator[tuple[Any, Any]]:
        """The probabilities of the two labels on each query, as balls of the precision of the moment."""
        scale = ball(Fraction(self.scale))
        for first, second in self.counts.tolist():
            lead = abs(first - second) / scale
            laplace = self.noise == "laplace"
            behind = (1 + lead / 2) * (-lead).exp() / 2 if laplace else (lead / 2).erfc() / 2
            yield (1 - behind, behind) if first >= second else (behind, 1 - behind)


def chance_of_lead(lead: NDArray[np.int64], noise: str, scale: float) -> NDArray[np.float64]:
    """The probability that a count that leads by so many votes still leads after noise on both."""
    far = np.abs(lead) / scale
    if noise == "laplace":
        behind = (1 + far / 2) * np.exp(-far) / 2
    else:
        from scipy.special import ndtr

        behind = ndtr(-far / math.sqrt(2))
    return np.asarray(np.where(lead >= 0, 1 - behind, behind))


def _integrated(rows: NDArray[np.int64], noise: str, scale: float) -> NDArray[np.float64]:
    """The probability that each count of each row is the largest after noise, shape (r, c).

    ``E prod_j F(x - q_j)`` over x = q_i + noise: Gauss-Legendre on panels no longer than a scale that end at all
    counts of the row, where the Laplace density has its kinks.
    """
    found = np.empty(rows.shape)
    places = np.maximum((rows - rows.max(axis=1, keepdims=True)) / scale, -_DEPTH)
    reach = _REACH[noise]
    # rows whose counts lie in a wide range need more panels: similar ones together
    spans = np.ceil(-places.min(axis=1)).astype(np.int64)
    for span in np.unique(spans).tolist():
        grid = np.arange(-reach - span, reach + 1)
        same = np.flatnonzero(spans == span)
        step = max(1, _CELLS // (len(grid) * 16 * rows.shape[1]))
        for start in range(0, len(same), step):
            some = same[start : start + step]
            found[some] = _row_integrals(places[some], grid, noise)
    return found


def _row_integrals(places: NDArray[np.float64], grid: NDArray[np.float64], noise: str) -> NDArray[np.float64]:
    edges = np.sort(np.concatenate([np.broadcast_to(grid, (len(places), len(grid))), places], axis=1), axis=1)
    nodes, weights = nodes_and_weights(np.array([0.0, 1.0]))
    widths = np.diff(edges)
    points = (edges[:, :-1, None] + widths[:, :, None] * nodes[0]).reshape(len(places), -1)
    mass = (widths[:, :, None] * weights[0]).reshape(len(places), -1)
    away = points[:, :, None] - places[:, None, :]
    below, density = _logs(away, noise)
    terms = np.exp(below.sum(axis=2, keepdims=True) - below + density)
    return np.asarray((terms * mass[:, :, None]).sum(axis=1))


def _logs(away: NDArray[np.float64], noise: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Logarithms of distribution function and density of the noise, with the scale as unit."""
    if noise == "laplace":
        far = np.abs(away)
        tail = np.exp(-far) / 2
        return np.where(away < 0, -far - math.log(2), np.log1p(-tail)), -far - math.log(2)
    from scipy.special import log_ndtr

    return log_ndtr(away), -(away**2) / 2 - math.log(math.sqrt(2 * math.pi))
