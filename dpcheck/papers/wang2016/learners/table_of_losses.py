"""The losses of the paper's Table 1, each with a bounded domain as a parameter, because its theorems want 0 <= l <= 1.

Records beyond the domain are moved into it: that is what makes the ranges true for all datasets. A hypothesis is a row
of an array whose shape each class states, or a callable where Table 1 has functions. Ranges that are called bounds
from above may be larger than the supremum; a sensitivity computed from one is too large, never too small.

Source: wang2016:tab-1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import describe_value, private_part
from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.learners.records import private_records
from dpcheck.parts.mechanisms.parameters import at_least_zero, count, positive, real

Array = NDArray[np.float64]
#: Inner minimisations stop at this gap between a value and a lower bound on the least one, relative to 1 + value.
_GAP = 1e-10
#: And after so many rounds at the latest.
_ROUNDS = 100_000
#: How far a projection may be from its own square and transpose.
_PROJECTION = 1e-8


def in_ball(rows: Any, radius: float, columns: int | None = None) -> Array:
    """Rows of numbers, those longer than the radius shortened to it; shape (n, columns).

    Examples
    --------
    >>> in_ball([[3.0, 4.0], [0.5, 0.0]], 1.0).tolist()
    [[0.6000000000000001, 0.8], [0.5, 0.0]]
    """
    array = np.asarray(rows, dtype=np.float64)
    if array.ndim != 2 or not np.isfinite(array).all() or columns not in (None, array.shape[1]):
        wanted = "columns" if columns is None else columns
        raise InvalidArgument(f"dataset must hold rows of numbers of shape (n, {wanted}), got {describe_value(rows)}")
    length = np.linalg.norm(array, axis=1, keepdims=True)
    return np.asarray(array * np.minimum(1.0, radius / np.maximum(length, np.finfo(float).tiny)))


def _predictions(hypotheses: Sequence[Callable[[Any], Any]], points: Any) -> Array:
    return np.stack([np.asarray(h(np.asarray(points)), dtype=np.float64).reshape(-1) for h in hypotheses])


def _projections(hypotheses: Any, axes: int = 3) -> Array:
    """Orthogonal projections, shape (..., d, d)."""
    found = np.asarray(hypotheses, dtype=np.float64)
    right = found.ndim == axes and found.shape[-1] == found.shape[-2]
    if (
        not right
        or not np.allclose(found @ found, found, atol=_PROJECTION)
        or not np.allclose(np.swapaxes(found, -1, -2), found, atol=_PROJECTION)
    ):
        raise InvalidArgument(f"hypotheses must be orthogonal projections, {axes} axes, got shape {found.shape}")
    return found


def _ranks(projections: Array) -> Array:
    return np.asarray(np.rint(np.trace(projections, axis1=-2, axis2=-1)))


@dataclass(frozen=True)
class Classification:
    """``1(h(x) != y)``: hypotheses are callables from points, shape (n, d), to labels 0 and 1.

    Examples
    --------
    >>> Classification().values([lambda x: x[:, 0] > 0], ([[1.0], [-1.0]], [1, 1])).tolist()
    [[0.0, 1.0]]
    """

    def bounds(self, hypotheses: Any) -> tuple[int, int]:
        """0 and 1."""
        return 0, 1

    def swing(self, hypotheses: Any) -> int:
        """1: another label."""
        return 1

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        x, y = private_records(dataset)
        return np.asarray(_predictions(hypotheses, x) != np.asarray(y)[None, :], dtype=np.float64)


@dataclass(frozen=True)
class Regression:
    """``|h(x) - y|^2``: hypotheses are callables from points, shape (n, d), to numbers.

    Predictions and labels are moved into [low, high]; infinite ends leave the loss unbounded.

    Examples
    --------
    >>> Regression().values([lambda x: x[:, 0]], ([[0.5], [1.0]], [1.0, 1.0])).tolist()
    [[0.25, 0.0]]
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise InvalidArgument(f"low must be below high, got low {self.low!r} and high {self.high!r}")

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """0 and ``(high - low)^2``, a bound from above."""
        return 0.0, (self.high - self.low) ** 2

    def swing(self, hypotheses: Any) -> float:
        """The range."""
        return self.bounds(hypotheses)[1]

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        x, y = private_records(dataset)
        labels = np.clip(np.asarray(y, dtype=np.float64), self.low, self.high)
        return np.asarray((np.clip(_predictions(hypotheses, x), self.low, self.high) - labels[None, :]) ** 2)


@dataclass(frozen=True)
class DensityEstimation:
    """``-log h(z)``: hypotheses are callables from records to densities, moved into [least, most].

    With ``least`` 0 the loss is unbounded. Negative where the density is above 1.

    Examples
    --------
    >>> DensityEstimation(0.5, 2.0).swing([])  # log 4
    1.3862943611198906
    """

    least: float
    most: float

    def __post_init__(self) -> None:
        if not at_least_zero("least", self.least) < positive("most", self.most):
            raise InvalidArgument(f"least must be below most, got {self.least!r} and {self.most!r}")

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """``-log most`` and ``-log least``."""
        return -math.log(self.most), -math.log(self.least) if self.least > 0 else math.inf

    def swing(self, hypotheses: Any) -> float:
        """``log(most / least)``, a bound from above."""
        low, high = self.bounds(hypotheses)
        return high - low

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        with np.errstate(divide="ignore"):
            return -np.log(np.clip(_predictions(hypotheses, private_part(dataset)), self.least, self.most))


@dataclass(frozen=True)
class KMeans:
    """``min_{c in h} ||c - z||^2``: hypotheses of shape (k, centres, d), records in the ball of the radius.

    Examples
    --------
    >>> KMeans().values([[[0.0, 0.0], [1.0, 0.0]]], [[0.5, 0.0], [1.0, 0.0]]).tolist()
    [[0.25, 0.0]]
    """

    radius: float = 1.0

    def __post_init__(self) -> None:
        positive("radius", self.radius)

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """0 and ``max_h min_c (||c|| + radius)^2``, a bound from above."""
        far = np.linalg.norm(np.asarray(hypotheses, dtype=np.float64), axis=2).min(axis=1) + self.radius
        return 0.0, float(far.max() ** 2)

    def swing(self, hypotheses: Any) -> float:
        """The range."""
        return self.bounds(hypotheses)[1]

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        centres = np.asarray(hypotheses, dtype=np.float64)
        z = in_ball(private_part(dataset), self.radius, centres.shape[2])
        found = np.full((len(centres), len(z)), np.inf)
        for place in range(centres.shape[1]):
            apart = centres[:, None, place, :] - z[None, :, :]
            found = np.minimum(found, (apart**2).sum(axis=2))
        return found


@dataclass(frozen=True)
class KernelClassification:
    """``max(0, 1 - y <x, h>)``: hypotheses (k, d) and points (n, d) as vectors of the RKHS, in balls.

    Parameters
    ----------
    radius : float, of the ball of points
    norm : float, of the ball of hypotheses
    labels : "printed" (y is 0 or 1, as Table 1 has it: records labelled 0 cost 1) or "signed" (0 stands for -1)

    Examples
    --------
    >>> KernelClassification().values([[0.5, 0.0]], ([[1.0, 0.0], [1.0, 0.0]], [1, 0])).tolist()
    [[0.5, 1.0]]
    """

    radius: float = 1.0
    norm: float = 1.0
    labels: Literal["printed", "signed"] = "printed"

    def __post_init__(self) -> None:
        positive("radius", self.radius)
        positive("norm", self.norm)
        if self.labels not in ("printed", "signed"):
            raise InvalidArgument(f"labels must be 'printed' or 'signed', got {self.labels!r}")

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """0 (or ``1 - radius norm`` where that is above) and ``1 + radius norm``."""
        far = self.radius * float(np.linalg.norm(_inside(hypotheses, self.norm), axis=1).max())
        return max(0.0, 1 - far), 1 + far

    def swing(self, hypotheses: Any) -> float:
        """The range: it is reached by ``x = +-radius h / ||h||`` with label 1."""
        low, high = self.bounds(hypotheses)
        return high - low

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        x, y = private_records(dataset)
        h = _inside(hypotheses, self.norm)
        labels = np.asarray(y, dtype=np.float64)
        signs = labels if self.labels == "printed" else 2 * labels - 1
        return np.maximum(0.0, 1 - signs[None, :] * (h @ in_ball(x, self.radius, h.shape[1]).T))


@dataclass(frozen=True)
class KernelRegression:
    """``|<x, h> - y|^2``: hypotheses (k, d) and points (n, d) as vectors of the RKHS, in balls; |y| at most ``labels``.

    Parameters
    ----------
    radius : float, of the ball of points
    norm : float, of the ball of hypotheses
    labels : float, labels beyond [-labels, labels] are moved to its ends

    Examples
    --------
    >>> KernelRegression().values([[0.5, 0.0]], ([[1.0, 0.0]], [-1.0])).tolist()
    [[2.25]]
    """

    radius: float = 1.0
    norm: float = 1.0
    labels: float = 1.0

    def __post_init__(self) -> None:
        positive("radius", self.radius)
        positive("norm", self.norm)
        at_least_zero("labels", self.labels)

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """0 and ``(radius max ||h|| + labels)^2``."""
        far = self.radius * float(np.linalg.norm(_inside(hypotheses, self.norm), axis=1).max())
        return 0.0, (far + self.labels) ** 2

    def swing(self, hypotheses: Any) -> float:
        """The range: 0 at x = 0 and y = 0, the largest at ``x = radius h / ||h||`` and y = -labels."""
        return self.bounds(hypotheses)[1]

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        x, y = private_records(dataset)
        h = _inside(hypotheses, self.norm)
        labels = np.clip(np.asarray(y, dtype=np.float64), -self.labels, self.labels)
        return np.asarray((h @ in_ball(x, self.radius, h.shape[1]).T - labels[None, :]) ** 2)


def _inside(hypotheses: Any, norm: float) -> Array:
    found = np.asarray(hypotheses, dtype=np.float64)
    if found.ndim != 2 or np.linalg.norm(found, axis=1).max() > norm * (1 + 1e-12):
        raise InvalidArgument(f"hypotheses must be rows of norm at most {norm:g}, got an array of shape {found.shape}")
    return found


@dataclass(frozen=True)
class SparsePCA:
    """``||h z - z||^2 + weight ||h||_1``: hypotheses are orthogonal projections, shape (k, d, d).

    Examples
    --------
    >>> SparsePCA(weight=0.5).values([[[1.0, 0.0], [0.0, 0.0]]], [[0.0, 1.0]]).tolist()
    [[1.5]]
    """

    weight: float = 0.0
    radius: float = 1.0

    def __post_init__(self) -> None:
        at_least_zero("weight", self.weight)
        positive("radius", self.radius)

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """From ``weight ||h||_1`` to ``radius^2`` more, where the projection is not the identity."""
        h = _projections(hypotheses)
        extra = self.weight * np.abs(h).sum(axis=(1, 2))
        far = np.where(_ranks(h) < h.shape[1], self.radius**2, 0.0)
        return float(extra.min()), float((extra + far).max())

    def swing(self, hypotheses: Any) -> float:
        """``radius^2``, for a record in the kernel; 0 for the identity alone."""
        h = _projections(hypotheses)
        return self.radius**2 if (_ranks(h) < h.shape[1]).any() else 0.0

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        h = _projections(hypotheses)
        apart = _left_over(h, in_ball(private_part(dataset), self.radius, h.shape[1]))
        return np.asarray(apart + self.weight * np.abs(h).sum(axis=(1, 2))[:, None])


def _left_over(projections: Array, z: Array) -> Array:
    """``||P z - z||^2``, shape (..., n)."""
    return np.asarray(((z @ projections - z) ** 2).sum(axis=-1))


@dataclass(frozen=True)
class RobustPCA:
    """``||P_h z - z||_1 + weight rank(h)``: subspaces by their orthogonal projections, shape (k, d, d).

    Examples
    --------
    >>> RobustPCA(weight=0.5).values([[[1.0, 0.0], [0.0, 0.0]]], [[0.6, -0.8]]).tolist()
    [[1.3]]
    """

    weight: float = 0.0
    radius: float = 1.0

    def __post_init__(self) -> None:
        at_least_zero("weight", self.weight)
        positive("radius", self.radius)

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """From ``weight rank`` to ``sqrt(d) radius`` more, a bound from above."""
        extra = self.weight * _ranks(_projections(hypotheses))
        return float(extra.min()), float(extra.max() + self.swing(hypotheses))

    def swing(self, hypotheses: Any) -> float:
        """``sqrt(d) radius``, a bound from above; 0 for the identity alone."""
        h = _projections(hypotheses)
        return math.sqrt(h.shape[1]) * self.radius if (_ranks(h) < h.shape[1]).any() else 0.0

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        h = _projections(hypotheses)
        z = in_ball(private_part(dataset), self.radius, h.shape[1])
        return np.asarray(np.abs(z @ h - z).sum(axis=2) + self.weight * _ranks(h)[:, None])


@dataclass(frozen=True)
class MatrixCompletion:
    """``min_{b in h} ||y o (b - x)||^2 + weight rank(h)``: records (x, y), y a mask of 0 and 1 of the shape of x.

    Subspaces by their orthogonal projections, shape (k, d, d).

    Examples
    --------
    >>> diagonal = [[[0.5, 0.5], [0.5, 0.5]]]  # what is seen of (0.6, ?) is fitted by (0.6, 0.6)
    >>> MatrixCompletion().values(diagonal, ([[0.6, -0.8]], [[1, 0]])).round(12).tolist()
    [[0.0]]
    """

    weight: float = 0.0
    radius: float = 1.0

    def __post_init__(self) -> None:
        at_least_zero("weight", self.weight)
        positive("radius", self.radius)

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """From ``weight rank`` to ``radius^2`` more, where the subspace is not everything (b = 0 is in every one)."""
        h = _projections(hypotheses)
        extra = self.weight * _ranks(h)
        return float(extra.min()), float((extra + np.where(_ranks(h) < h.shape[1], self.radius**2, 0.0)).max())

    def swing(self, hypotheses: Any) -> float:
        """``radius^2``, for a fully seen record orthogonal to the subspace."""
        h = _projections(hypotheses)
        return self.radius**2 if (_ranks(h) < h.shape[1]).any() else 0.0

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        h = _projections(hypotheses)
        x, y = private_records(dataset)
        seen = np.asarray(y, dtype=np.float64)
        z = in_ball(x, self.radius, h.shape[1])
        if seen.shape != z.shape or not np.isin(seen, (0.0, 1.0)).all():
            raise InvalidArgument(f"dataset must have a mask of 0 and 1 per record, got {describe_value(y)}")
        found = np.empty((len(h), len(z)))
        for place, projection in enumerate(h):
            values, vectors = np.linalg.eigh(projection)
            basis = vectors[:, values > 0.5]  # the eigenvalues of a projection are 0 and 1
            for row in range(len(z)):
                rows = basis[seen[row] == 1]
                target = z[row, seen[row] == 1]
                fitted = rows @ np.linalg.lstsq(rows, target, rcond=None)[0] if basis.shape[1] else 0.0
                found[place, row] = ((fitted - target) ** 2).sum()
        return found + self.weight * _ranks(h)[:, None]


@dataclass(frozen=True)
class DictionaryLearning:
    """``min_b ||h b - z||^2 + weight ||b||_1``: dictionaries of shape (k, d, r).

    Examples
    --------
    >>> DictionaryLearning(weight=0.5).values([[[1.0], [0.0]]], [[1.0, 0.0]]).round(9).tolist()  # at b = 3/4
    [[0.4375]]
    """

    weight: float = 0.1
    radius: float = 1.0

    def __post_init__(self) -> None:
        at_least_zero("weight", self.weight)
        positive("radius", self.radius)

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """0 and ``radius^2``, at b = 0: a bound from above."""
        return 0.0, self.radius**2

    def swing(self, hypotheses: Any) -> float:
        """The range."""
        return self.radius**2

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        h = np.asarray(hypotheses, dtype=np.float64)
        z = in_ball(private_part(dataset), self.radius, h.shape[1])
        found = np.stack([_lasso(dictionary, z, self.weight) for dictionary in h])
        # a record put on the sphere may be longer than the radius by rounding
        return np.asarray(np.minimum(found, self.radius**2))


def _lasso(dictionary: Array, z: Array, weight: float) -> Array:
    """``min_b ||D b - z||^2 + weight ||b||_1`` for each record, by coordinate descent until the duality gap closes."""
    if weight == 0:
        return _least_squares(dictionary, z)
    codes = np.zeros((dictionary.shape[1], len(z)))
    rest = z.T.copy()
    squares = (dictionary**2).sum(axis=0)
    used = np.flatnonzero(squares > 0)
    for _ in range(_ROUNDS):
        for j in used.tolist():
            column = dictionary[:, j]
            pull = column @ rest + squares[j] * codes[j]
            moved = np.sign(pull) * np.maximum(np.abs(pull) - weight / 2, 0.0) / squares[j]
            rest -= np.outer(column, moved - codes[j])
            codes[j] = moved
        value = (rest**2).sum(axis=0) + weight * np.abs(codes).sum(axis=0)
        # the dual: any u with |D'u| <= weight / 2 gives the lower bound ||z||^2 - ||z - u||^2
        most = np.abs(dictionary.T @ rest).max(axis=0)
        dual = rest * np.minimum(1.0, weight / 2 / np.maximum(most, np.finfo(float).tiny))
        least = (z.T**2).sum(axis=0) - ((z.T - dual) ** 2).sum(axis=0)
        if (value - least <= _GAP * (1 + value)).all():
            break
    return np.asarray(value)


def _least_squares(dictionary: Array, z: Array) -> Array:
    codes = np.linalg.lstsq(dictionary, z.T, rcond=None)[0]
    return np.asarray(((dictionary @ codes - z.T) ** 2).sum(axis=0))


@dataclass(frozen=True)
class NonNegativeFactorisation:
    """``min_{b >= 0} ||h b - z||^2``: dictionaries of numbers of at least 0, shape (k, d, r).

    Examples
    --------
    >>> NonNegativeFactorisation().values([[[1.0], [0.0]]], [[1.0, 0.0], [-1.0, 0.0]]).tolist()
    [[0.0, 1.0]]
    """

    radius: float = 1.0

    def __post_init__(self) -> None:
        positive("radius", self.radius)

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """0 and ``radius^2``, reached by records without a positive coordinate."""
        return 0.0, self.radius**2

    def swing(self, hypotheses: Any) -> float:
        """``radius^2``."""
        return self.radius**2

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        from scipy.optimize import nnls

        h = np.asarray(hypotheses, dtype=np.float64)
        if h.ndim != 3 or (h < 0).any():
            raise InvalidArgument(f"hypotheses must be dictionaries of numbers of at least 0, got shape {h.shape}")
        z = in_ball(private_part(dataset), self.radius, h.shape[1])
        found = np.array([[nnls(dictionary, record)[1] ** 2 for record in z] for dictionary in h])
        return np.asarray(np.minimum(found, self.radius**2))


@dataclass(frozen=True)
class SubspaceClustering:
    """``min_{b in h} ||P_b z - z||^2``: sets of subspaces by orthogonal projections, shape (k, subspaces, d, d).

    Examples
    --------
    >>> axes = [[[[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 1.0]]]]
    >>> SubspaceClustering().values(axes, [[0.5, 0.25]]).tolist()
    [[0.0625]]
    """

    radius: float = 1.0

    def __post_init__(self) -> None:
        positive("radius", self.radius)

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """0 and ``radius^2``, a bound from above."""
        return 0.0, self.radius**2

    def swing(self, hypotheses: Any) -> float:
        """The range."""
        return self.radius**2

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        h = _projections(hypotheses, axes=4)
        z = in_ball(private_part(dataset), self.radius, h.shape[-1])
        return np.asarray(_left_over(h, z).min(axis=1))


@dataclass(frozen=True)
class TopicModel:
    """``-max_b sum_{w in z} log P_{b,h}(w)``, ``P_{b,h}(w) = sum_t b_t h[t, w]``: latent Dirichlet allocation.

    Hypotheses are words' probabilities by topic, shape (k, topics, vocabulary), records counts of words, shape
    (n, vocabulary). The maximum over mixtures b of topics is found by expectation maximisation (the objective is
    concave) until the largest partial derivative proves it.

    Parameters
    ----------
    words : int, the longest document: counts of longer ones are scaled down to it
    least : float, above 0: no word is less likely in a topic, which is what bounds the loss

    Examples
    --------
    >>> topics = [[[0.75, 0.25], [0.25, 0.75]]]
    >>> round(float(TopicModel(4, 0.1).values(topics, [[2, 2]])[0, 0]), 6)  # 4 log 2
    2.772589
    """

    words: int
    least: float

    def __post_init__(self) -> None:
        count("words", self.words)
        if not 0 < real("least", self.least) < 1:
            raise InvalidArgument(f"least must be a probability above 0 and below 1, got {self.least!r}")

    def bounds(self, hypotheses: Any) -> tuple[float, float]:
        """0 (no word) and ``-words log least``, a bound from above."""
        return 0.0, -self.words * math.log(self.least)

    def swing(self, hypotheses: Any) -> float:
        """The range."""
        return self.bounds(hypotheses)[1]

    def values(self, hypotheses: Any, dataset: Any) -> Array:
        """Shape (hypotheses, records)."""
        h = np.asarray(hypotheses, dtype=np.float64)
        counts = np.asarray(private_part(dataset), dtype=np.float64)
        if h.ndim != 3 or (h < self.least).any() or not np.allclose(h.sum(axis=2), 1.0):
            raise InvalidArgument(
                f"hypotheses must be probabilities of at least {self.least:g} of shape (k, topics, vocabulary), got "
                f"shape {h.shape}"
            )
        if counts.ndim != 2 or counts.shape[1] != h.shape[2] or not (counts >= 0).all():
            raise InvalidArgument(f"dataset must hold counts of {h.shape[2]} words, got {describe_value(dataset)}")
        long = counts.sum(axis=1, keepdims=True)
        counts = counts * np.minimum(1.0, self.words / np.maximum(long, 1.0))
        return np.stack([_least_surprise(topics, counts) for topics in h])


def _least_surprise(topics: Array, counts: Array) -> Array:
    """``-max_b sum_w counts_w log (b topics)_w`` over probability vectors b, for each document."""
    total = counts.sum(axis=1, keepdims=True)
    mixed = np.full((len(counts), len(topics)), 1 / len(topics))
    for _ in range(_ROUNDS):
        slopes = (counts / (mixed @ topics)) @ topics.T
        # a concave function lies below its tangents: it grows by at most the largest slope minus the mean one, total
        if (slopes.max(axis=1, keepdims=True) - total <= _GAP * (1 + total)).all():
            break
        mixed = np.where(total > 0, mixed * slopes / np.maximum(total, np.finfo(float).tiny), mixed)
    return np.asarray(-(counts * np.log(mixed @ topics)).sum(axis=1))
