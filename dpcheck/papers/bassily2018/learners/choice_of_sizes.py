"""The circular choice of cut-off, number of models and accuracy: T from the accuracy, k from T, the accuracy from k."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import describe_value
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.papers.bassily2018.learners.scales import Scales
from dpcheck.papers.bassily2018.learners.sizes import printed_scales
from dpcheck.parts.mechanisms.parameters import count, positive, real

#: How the mistakes of a model are bounded: as the paper prints it, or by Bernstein's inequality.
Bound = Literal["printed", "proved"]
_BOUNDS = ("printed", "proved")
#: Cut-offs that are looked at at once.
_BLOCK = 1 << 18
#: Steps of a bisection; doubles have no more.
_STEPS = 200


class SampleSize(Protocol):
    """How many records a base learner needs; both functions take arrays, and decrease in their first argument."""

    def size(self, accuracy: Any, failure: Any) -> NDArray[np.float64]:
        """The least number of records with which the excess risk is at most ``accuracy``, up to ``failure``."""
        ...

    def accuracy(self, size: Any, failure: Any) -> NDArray[np.float64]:
        """The accuracy, at most 1, that so many records are enough for."""
        ...


@dataclass(frozen=True)
class OneSidedThresholds:
    """``n0 = ceil(log beta/log(1 - alpha))``: upward thresholds by the least positive example, realisable; exact.

    Source: bassily2018 inventory 4.4: on a continuous marginal the error exceeds alpha with probability
    ``(1 - alpha)^n``.

    Examples
    --------
    >>> int(OneSidedThresholds().size(0.01, 1e-5))
    1146
    """

    def size(self, accuracy: Any, failure: Any) -> NDArray[np.float64]:
        """Records, whole numbers."""
        return np.asarray(np.ceil(np.log(failure) / np.log1p(-np.asarray(accuracy, dtype=float))))

    def accuracy(self, size: Any, failure: Any) -> NDArray[np.float64]:
        """``1 - beta^(1/n)``."""
        with np.errstate(divide="ignore"):
            return np.asarray(-np.expm1(np.log(failure) / np.asarray(size, dtype=float)))


@dataclass(frozen=True)
class Realisable:
    """``max((4/alpha) log2(2/beta), (8V/alpha) log2(13/alpha))``: any consistent learner of VC dimension V.

    Source: Blumer, Ehrenfeucht, Haussler & Warmuth 1989, doi:10.1145/76359.76371, theorem 2.1.

    Examples
    --------
    >>> int(Realisable(1).size(0.1, 0.05))
    562
    """

    vc_dimension: int

    def __post_init__(self) -> None:
        count("vc_dimension", self.vc_dimension)

    def size(self, accuracy: Any, failure: Any) -> NDArray[np.float64]:
        """Records, whole numbers."""
        a = np.asarray(accuracy, dtype=float)
        first, second = 4 / a * np.log2(2 / failure), 8 * self.vc_dimension / a * np.log2(13 / a)
        return np.asarray(np.ceil(np.maximum(first, second)))

    def accuracy(self, size: Any, failure: Any) -> NDArray[np.float64]:
        """Where the larger of the two is n: ``(8V/alpha) log2(13/alpha) = n`` by Lambert's function."""
        from scipy.special import lambertw

        n = np.asarray(size, dtype=float)
        with np.errstate(divide="ignore", invalid="ignore"):
            scaled = 13 * n * math.log(2) / (8 * self.vc_dimension)  # of u log u, u = 13/alpha
            second = np.where(n > 0, 13 * lambertw(scaled).real / scaled, np.inf)
            return np.asarray(np.minimum(1.0, np.maximum(4 * np.log2(2 / np.asarray(failure)) / n, second)))


@dataclass(frozen=True)
class AgnosticFinite:
    """``ceil(2 log(2|H|/beta)/alpha^2)``: empirical risk minimisation in a finite class.

    Source: Hoeffding's inequality for each hypothesis.

    Examples
    --------
    >>> int(AgnosticFinite(100).size(0.1, 0.05))
    1659
    """

    hypotheses: int

    def __post_init__(self) -> None:
        count("hypotheses", self.hypotheses)

    def size(self, accuracy: Any, failure: Any) -> NDArray[np.float64]:
        """Records, whole numbers."""
        return np.asarray(np.ceil(2 * np.log(2 * self.hypotheses / failure) / np.asarray(accuracy, dtype=float) ** 2))

    def accuracy(self, size: Any, failure: Any) -> NDArray[np.float64]:
        """``sqrt(2 log(2|H|/beta)/n)``, at most 1."""
        with np.errstate(divide="ignore"):
            found = np.sqrt(2 * np.log(2 * self.hypotheses / failure) / np.asarray(size, dtype=float))
        return np.asarray(np.minimum(1.0, found))


@dataclass(frozen=True)
class Agnostic:
    """The least n with ``8 (2 e n/V)^V exp(-n alpha^2/128) <= beta``: empirical risk minimisation, VC dimension V.

    Source: bassily2018 inventory 4.4; Vapnik & Chervonenkis's uniform convergence with explicit constants.

    Examples
    --------
    >>> int(Agnostic(1).size(0.1, 0.05))
    245496
    """

    vc_dimension: int

    def __post_init__(self) -> None:
        count("vc_dimension", self.vc_dimension)

    def size(self, accuracy: Any, failure: Any) -> NDArray[np.float64]:
        """Records, whole numbers: from where the left side decreases, at ``128 V/alpha^2``."""
        a, beta = np.broadcast_arrays(np.asarray(accuracy, dtype=float), np.asarray(failure, dtype=float))
        v = self.vc_dimension

        def enough(n: NDArray[np.float64]) -> NDArray[np.bool_]:
            return np.asarray(np.log(8) + v * np.log(2 * math.e * n / v) - n * a**2 / 128 <= np.log(beta))

        low = np.ceil(128 * v / a**2)
        high = 2 * low
        while not enough(high).all():
            high = np.where(enough(high), high, 2 * high)
        for _ in range(_STEPS):
            middle = np.floor((low + high) / 2)
            good = enough(middle)
            low, high = np.where(good, low, middle), np.where(good, middle, high)
            if (high - low <= np.maximum(1, high * 2.0**-52)).all():
                break
        return np.where(enough(low), low, high)

    def accuracy(self, size: Any, failure: Any) -> NDArray[np.float64]:
        """``sqrt(128 (log(8/beta) + V log(2en/V))/n)``, at most 1."""
        n, v = np.asarray(size, dtype=float), self.vc_dimension
        with np.errstate(divide="ignore"):
            found = np.sqrt(128 * (np.log(8 / np.asarray(failure)) + v * np.log(2 * math.e * np.maximum(n, v) / v)) / n)
        return np.asarray(np.minimum(1.0, found))


def mistakes_bound(accuracy: Any, queries: int, failure: float, models: Any = 1, bound: Bound = "printed") -> Any:
    """The most of m queries that one model of k gets wrong, up to a failure in all.

    Printed: ``a m + sqrt(a m log(m/beta)/2)``. Proved, by Bernstein's inequality at ``beta/k`` for each of k models:
    ``a m + sqrt(2 a m log(k/beta)) + log(k/beta)/3``.

    Source: bassily2018:thm-3.2, its step T3.2.chernoff; inventory 4.3.

    Examples
    --------
    >>> bounds = mistakes_bound(0.01, 1000, 0.05), mistakes_bound(0.01, 1000, 0.05, 99, "proved")
    >>> [round(float(each), 3) for each in bounds]
    [17.037, 24.852]
    """
    mean = np.asarray(accuracy, dtype=float) * queries
    root, rest = _bound_terms(queries, failure, models, bound)
    return mean + np.sqrt(mean) * root + rest


def _bound_terms(queries: int, failure: float, models: Any, bound: Bound) -> tuple[Any, Any]:
    """What stands before ``sqrt(a m)``, and what is added."""
    if bound not in _BOUNDS:
        raise InvalidArgument(f"bound must be one of {', '.join(_BOUNDS)}, got {bound!r}{nearest(str(bound), _BOUNDS)}")
    if bound == "printed":
        return math.sqrt(math.log(queries / failure) / 2), 0.0
    log = np.log(np.asarray(models, dtype=float) / failure)
    return np.sqrt(2 * log), log / 3


@dataclass(frozen=True)
class Sizes:
    """A cut-off, a number of models and an accuracy that fit each other; ``str`` tells how.

    Parameters
    ----------
    records, queries : int
        n and m.
    epsilon, delta, failure, best_risk : float
        The paper's eps, delta, beta and gamma.
    scales : Scales
        As printed, with T and k.
    per_model : int
        ``floor(n/k)``.
    accuracy : float
        The paper's alpha: that of a model, up to failure ``beta/k``.
    mistakes : float
        The most queries B that one model gets wrong: the cut-off is at least 3B.
    """

    records: int
    queries: int
    epsilon: float
    delta: float
    failure: float
    best_risk: float
    scales: Scales
    per_model: int
    accuracy: float
    mistakes: float

    def __str__(self) -> str:
        scales = self.scales
        risk = f"{self.best_risk:g} + {self.accuracy:.6g}" if self.best_risk else f"{self.accuracy:.6g}"
        return (
            f"{self.queries:,} queries, {self.records:,} records, ({self.epsilon:g}, {self.delta:g})-DP, failure "
            f"{self.failure:g}\n"
            f"T = {scales.cutoff:,} abstentions allowed\n"
            f"-> lambda = sqrt(32 T log(2/delta))/epsilon = {scales.threshold_scale:.6g}, threshold w = "
            f"{scales.threshold:.6g}\n"
            f"-> k = 34 sqrt(2) lambda log(4mT/min(delta, failure/2)) = {scales.models:,} models, of "
            f"{self.per_model:,} records each\n"
            f"-> risk of each model at most {risk}, up to failure/k\n"
            f"-> at most B = {self.mistakes:.6g} mistakes each, so at most 3B = {3 * self.mistakes:.6g} queries with a "
            f"third of the votes wrong\n"
            f"-> 3B <= T = {scales.cutoff:,}: consistent; misclassification rate at most T/m = "
            f"{scales.cutoff / self.queries:.6g}"
        )


def solve_sizes(
    records: int,
    queries: int,
    learner: SampleSize,
    *,
    epsilon: float,
    delta: float,
    failure: float,
    best_risk: float = 0.0,
    bound: Bound = "printed",
    largest_cutoff: int | None = None,
) -> Sizes:
    """The least cut-off T for which theorem 3.2 holds with its printed formulas: ``3 B(accuracy(T)) <= T``.

    T gives k(T), which leaves floor(n/k) records to each model, which gives its accuracy at confidence 1 - beta/k,
    which gives B and so the T that is needed. All T below m are looked at (with T = m nothing would be promised).

    Parameters
    ----------
    records : int
        n.
    queries : int, at least 1
        m.
    learner : SampleSize
        What the base learner needs; :class:`OneSidedThresholds`, :class:`Realisable`, ...
    epsilon, delta, failure : float
    best_risk : float from 0 to 1
        gamma.
    bound : "printed" or "proved"
        Which :func:`mistakes_bound` is B.
    largest_cutoff : int, optional
        The largest T allowed; m - 1 when left out. T/m is the misclassification rate that is promised.

    Raises
    ------
    InvalidArgument
        When no T fits; the message has the least number of records with which one does.

    Source: bassily2018:thm-3.2, obs-3.a.

    Examples
    --------
    >>> sizes = solve_sizes(10**8, 100, OneSidedThresholds(), epsilon=1.0, delta=1e-6, failure=0.05)
    >>> sizes.scales.cutoff, sizes.scales.models, round(sizes.accuracy, 7)
    (9, 68393, 0.0096174)
    """
    n, m = count("records", records, 0), count("queries", queries)
    gamma = real("best_risk", best_risk)
    if not 0 <= gamma <= 1:
        raise InvalidArgument(f"best_risk must be from 0 to 1, got {best_risk!r}")
    printed_scales(epsilon, delta, failure, m, 1)  # refuses what is no such argument
    epsilon, delta, failure = float(epsilon), float(delta), float(failure)
    _check_learner(learner)

    for cutoffs in _blocks(m, largest_cutoff):
        models = _models(cutoffs, epsilon, delta, failure, m)
        each = np.floor(n / models)
        accuracy = np.where(each >= 1, learner.accuracy(np.maximum(each, 1), failure / models), 1.0)
        needed = 3 * mistakes_bound(gamma + accuracy, m, failure, models, bound)
        good = (needed <= cutoffs) & (each >= 1)
        if good.any():
            first = int(good.argmax())
            scales = printed_scales(epsilon, delta, failure, m, int(cutoffs[first]))
            return Sizes(
                n,
                m,
                epsilon,
                delta,
                failure,
                gamma,
                replace(scales, models=int(models[first])),
                int(each[first]),
                float(accuracy[first]),
                float(needed[first] / 3),
            )
    least = least_records(
        m,
        learner,
        epsilon=epsilon,
        delta=delta,
        failure=failure,
        best_risk=gamma,
        bound=bound,
        largest_cutoff=largest_cutoff,
    )
    raise InvalidArgument(
        f"records must be at least {least:,} for {m:,} queries at epsilon {epsilon:g}, delta {delta:g}, failure "
        f"{failure:g}, got {n:,}: 3 B(accuracy of n/k(T) records) <= T fails for every T up to "
        f"{_last(m, largest_cutoff):,}"
    )


def least_records(
    queries: int,
    learner: SampleSize,
    *,
    epsilon: float,
    delta: float,
    failure: float,
    best_risk: float = 0.0,
    bound: Bound = "printed",
    largest_cutoff: int | None = None,
) -> int:
    """The least n for which :func:`solve_sizes` finds a cut-off: the minimum over T of ``k(T) n0(T)``.

    Raises
    ------
    InvalidArgument
        When there is none: the best risk alone makes more mistakes than any cut-off allows.

    Examples
    --------
    >>> n = least_records(100, OneSidedThresholds(), epsilon=1.0, delta=1e-6, failure=0.05)
    >>> solve_sizes(n, 100, OneSidedThresholds(), epsilon=1.0, delta=1e-6, failure=0.05).records == n
    True
    """
    m = count("queries", queries)
    printed_scales(epsilon, delta, failure, m, 1)  # refuses what is no such argument
    epsilon, delta, failure = float(epsilon), float(delta), float(failure)
    _check_learner(learner)
    best = math.inf
    for every in _blocks(m, largest_cutoff):
        models = _models(every, epsilon, delta, failure, m)
        root, rest = _bound_terms(m, failure, models, bound)
        # 3B = T, a quadratic equation in sqrt(a m)
        room = np.maximum(every / 3 - rest, 0.0)
        accuracy = (np.sqrt((root / 2) ** 2 + room) - root / 2) ** 2 / m - best_risk
        usable = accuracy > 0
        if usable.any():
            least = _records_for(
                learner, np.minimum(accuracy[usable], 1.0), every[usable], models[usable], m, failure, best_risk, bound
            )
            best = min(best, least)
    if math.isinf(best):
        raise InvalidArgument(
            f"best_risk must leave room for a cut-off of at most {_last(m, largest_cutoff):,} at {m:,} queries, got "
            f"{best_risk:g}: 3 B(best_risk) < T fails"
        )
    return int(best)


def _records_for(
    learner: SampleSize,
    accuracy: NDArray[np.float64],
    cutoffs: NDArray[np.float64],
    models: NDArray[np.float64],
    m: int,
    failure: float,
    best_risk: float,
    bound: Bound,
) -> float:
    """The least ``k n0`` where n0 records give each of k models the accuracy that is needed."""
    each = learner.size(accuracy, failure / models)
    for _ in range(_STEPS):  # the formula's size, as the accuracy that is computed of it sees it
        risk = best_risk + learner.accuracy(each, failure / models)
        short = 3 * mistakes_bound(risk, m, failure, models, bound) > cutoffs
        if not short.any():
            break
        each = np.where(short, each + np.maximum(1.0, each * 2.0**-50), each)
    return float((each * models).min())


def _check_learner(learner: Any) -> None:
    if isinstance(learner, type) or not all(callable(getattr(learner, name, None)) for name in ("size", "accuracy")):
        raise InvalidArgument(
            "learner must have size(accuracy, failure) and accuracy(size, failure), as Realisable(3) has, got "
            f"{describe_value(learner)}"
        )


def _last(m: int, largest_cutoff: int | None) -> int:
    """The largest cut-off that is looked at: m - 1 unless said otherwise, 1 for a single query."""
    return max(1, m - 1) if largest_cutoff is None else count("largest_cutoff", largest_cutoff)


def _blocks(m: int, largest_cutoff: int | None) -> Iterator[NDArray[np.float64]]:
    """All cut-offs, in blocks."""
    last = _last(m, largest_cutoff)
    for start in range(1, last + 1, _BLOCK):
        yield np.arange(start, min(start + _BLOCK, last + 1), dtype=float)


def _models(cutoffs: NDArray[np.float64], epsilon: float, delta: float, failure: float, m: int) -> NDArray[np.float64]:
    """k(T) as printed, for many T."""
    scale = np.sqrt(32 * cutoffs * math.log(2 / delta)) / positive("epsilon", epsilon)
    return np.ceil(34 * math.sqrt(2) * scale * np.log(4 * m * cutoffs / min(delta, failure / 2)))
