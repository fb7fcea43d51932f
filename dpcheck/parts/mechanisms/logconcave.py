"""The exponential mechanism for concave utilities: rejection from an envelope, exact on an interval and in a box.

On an interval the envelope is made of chords, and can be as tight as asked for. In a box of two or more dimensions it
is a constant, and rejection costs ``exp`` of how much the utility varies, in each dimension: this is exact where it is
feasible, and refuses where it is not. It may be cut off after a number of trials: then, and only then, the law is not
quite the mechanism's, and the claim pays for the total variation (``amplification.approximated_claim``). No chain is
run whose mixing is not known.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.densities import LogLinearPieces, doubles
from dpcheck.parts.mechanisms.parameters import count, positive, real

Floats = NDArray[np.float64]

#: Points at which an envelope begins, and where it ends if it is not tight enough by then.
_FIRST_POINTS, _MOST_POINTS = 33, 1 << 16
#: Relative rounding that an envelope makes up for: a utility computed in doubles is concave to about this.
_ROUNDING = 2.0**-36
#: Proposals drawn and judged at once.
_BATCH = 1 << 16
#: A box of so many expected trials for each draw is refused: at a million trials a second, some seconds a draw.
MOST_TRIALS = 1e7
#: By how much the tangent at the best point found may rise over the box, nats.
_MOST_GAP = 1e-3


@dataclass(frozen=True, eq=False)
class LogConcave:
    """A density on an interval proportional to ``exp(log_density)``, a concave function that is only evaluated.

    Draws are exact (rejection: whatever the envelope, what is accepted has the density), in doubles as they are.
    Masses are known to lie between those of the chords below and of the envelope above, which are ``tolerance`` apart.

    Parameters
    ----------
    log_density : callable, array of shape (k,) -> array of shape (k,), nats
        Concave and finite on the interval; any constant may be added. ``rate * utility`` for the mechanism.
    low, high : float
        The interval.
    tolerance : float, nats, above 0
        How far apart the logarithms of the bounds of the normaliser may be: draws are rejected with about this
        probability.

    Raises
    ------
    InvalidArgument
        When the interval is none, or values of the function are not finite, not concave, or not bounded to the
        tolerance with 65,536 evaluations.

    Source: Gilks & Wild 1992, doi:10.2307/2347565 (adaptive rejection; here by chords alone); wang2016:alg-logconcave.

    Examples
    --------
    >>> bell = LogConcave(lambda x: -50.0 * (x - 0.3) ** 2, 0.0, 1.0)
    >>> least, most = bell.log_probability(0.2, 0.4)  # within one standard deviation
    >>> bool(math.exp(least) < 0.6836 < math.exp(most)), bool(most - least < 0.03)
    (True, True)
    >>> bell.sample(3, np.random.default_rng()).shape
    (3,)
    """

    log_density: Callable[[Floats], Any]
    low: float
    high: float
    tolerance: float = 0.01

    def __post_init__(self) -> None:
        if not real("low", self.low) < real("high", self.high):
            raise InvalidArgument(f"low must be below high, got {self.low!r} and {self.high!r}")
        if not callable(self.log_density):
            raise InvalidArgument(f"log_density must be a function of points, got {self.log_density!r}")
        for name in ("low", "high"):
            object.__setattr__(self, name, real(name, getattr(self, name)))
        positive("tolerance", self.tolerance)
        self.bounds  # noqa: B018  # refuses what has none

    def _values(self, x: Floats) -> Floats:
        values = np.asarray(self.log_density(x), dtype=np.float64)
        if values.shape != x.shape or not np.isfinite(values).all():
            raise InvalidArgument(f"log_density must give a finite number for each of {x.size} points, got {values!r}")
        return values

    @cached_property
    def bounds(self) -> tuple[LogLinearPieces, LogLinearPieces]:
        """The chords below the logarithm, and the envelope above it; neither is normalised to the other."""
        x = np.linspace(self.low, self.high, _FIRST_POINTS)
        g = self._values(x)
        while True:
            below, above = _below(x, g), _above(x, g)
            apart = above.log_normaliser - below.log_normaliser
            if apart <= self.tolerance:
                return below, above
            if len(x) > _MOST_POINTS:
                raise InvalidArgument(
                    f"tolerance must be one that {_MOST_POINTS:,} evaluations reach, got {self.tolerance}: the bounds "
                    f"of the normaliser are {apart:.3g} nats apart"
                )
            # halve the cells that hold nearly all of what lies between the two
            cell = np.clip(x.searchsorted((above.edges[:-1] + above.edges[1:]) / 2, side="right") - 1, 0, len(x) - 2)
            most = np.full(len(x) - 1, -np.inf)
            np.logaddexp.at(most, cell, above.log_masses)
            gap = np.exp(most - above.log_normaliser) - np.exp(below.log_masses - above.log_normaliser)
            worst = np.argsort(-gap)
            enough = int(np.searchsorted(np.cumsum(gap[worst]), 0.9 * gap.sum())) + 1
            middle = (x[:-1] + x[1:])[worst[:enough]] / 2
            more = np.setdiff1d(middle, x)
            if not more.size:
                raise InvalidArgument(f"tolerance must be one that doubles can reach, got {self.tolerance}")
            x, order = np.unique(np.concatenate([x, more]), return_index=True)
            g = np.concatenate([g, self._values(more)])[order]

    def log_probability(self, low: float, high: float) -> tuple[float, float]:
        """Bounds of the logarithm of the probability of [low, high], at most twice the tolerance and a chord apart."""
        below, above = self.bounds
        least = below.log_probability(low, high) + below.log_normaliser - above.log_normaliser
        most = above.log_probability(low, high) + above.log_normaliser - below.log_normaliser
        return least, min(0.0, most)

    def sample(self, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent points, shape (size,), whose low bits tell of the envelope's slopes.

        What must be private in every bit is a cell of a public grid
        (:class:`~dpcheck.parts.mechanisms.cells.PublicGrid`).

        Raises
        ------
        InvalidArgument
            When the function turns out not to be concave.
        """
        _, above = self.bounds
        parts: list[Floats] = [np.empty(0)]
        missing = size
        while missing:
            tried = above.sample(min(_BATCH, missing + missing // 8 + 8), rng)
            values = self._values(tried)
            ceiling = above.log_density(tried) + above.log_normaliser
            if (values > ceiling).any():
                place = int((values - ceiling).argmax())
                raise InvalidArgument(f"log_density must be concave, and is not near {tried[place]}")
            # an exponential variate exceeds the gap with the probability of acceptance
            kept = tried[rng.standard_exponential(len(tried)) >= ceiling - values][:missing]
            parts.append(kept)
            missing -= len(kept)
        return np.concatenate(parts)


def _slack(g: Floats) -> float:
    return _ROUNDING * (1.0 + float(np.abs(g).max()))


def _below(x: Floats, g: Floats) -> LogLinearPieces:
    """The chords, less what rounding may have added."""
    down = g - _slack(g)
    return LogLinearPieces(x, down[:-1], down[1:])


def _above(x: Floats, g: Floats) -> LogLinearPieces:
    """On each cell the lower of the chords of its two neighbours, extended; it is above any concave function.

    Source: the chords of a concave function, extended, lie above it.
    """
    slack = _slack(g)
    lengths = np.diff(x)
    slopes = np.diff(g) / lengths
    if (np.diff(slopes) * np.minimum(lengths[1:], lengths[:-1]) > 4 * slack).any():
        place = int(np.argmax(np.diff(slopes)))
        raise InvalidArgument(f"log_density must be concave, and is not near {x[place + 1]}")
    before, after = np.append(np.nan, slopes[:-1]), np.append(slopes[1:], np.nan)
    bend = before - after
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(bend > 0, np.clip((slopes - after) / bend, 0.0, 1.0), 0.5)
    share[0], share[-1] = 0.0, 1.0  # the first cell has a neighbour on its right only, the last on its left
    middle = x[:-1] + lengths * share
    from_left = g[:-1] + before * (middle - x[:-1])
    from_right = g[1:] - after * (x[1:] - middle)
    peak = np.where(np.isnan(before), from_right, np.where(np.isnan(after), from_left, np.fmax(from_left, from_right)))
    edges = np.append(np.column_stack([x[:-1], middle]).ravel(), x[-1])
    lefts = np.column_stack([g[:-1], peak]).ravel() + slack
    rights = np.column_stack([peak, g[1:]]).ravel() + slack
    return LogLinearPieces(np.maximum.accumulate(edges), lefts, rights)


@dataclass(frozen=True, eq=False)
class BoxRejection:
    """A density on a box proportional to ``exp(log_density)``, concave: uniform proposals, rejected.

    By concavity the function is nowhere above its tangent at the best point found, so the envelope is proved, not
    hoped for. With slopes of at most L_j over sides s_j at least ``exp(-gap) prod_j (1 - e^(-L_j s_j)) / (L_j s_j)`` of
    all proposals are accepted (gap: by how much that tangent rises), whatever the data: so many trials are expected at
    most, and a box where they are more than 10^7 is refused.

    Without a limit on ``trials`` draws are exact: no total variation, nothing for a claim to pay. With one, a draw that
    is still not accepted then is a uniform one, and ``distance`` bounds the total variation by
    ``(1 - acceptance)^trials``: claim ``approximated_claim(claim, distance)``.

    Parameters
    ----------
    log_density : callable, array of shape (k, d) -> array of shape (k,), nats
        Concave and finite on the box.
    gradient : callable, array of shape (d,) -> array of shape (d,)
        Its gradient, or any supergradient.
    lower, upper : arrays of shape (d,)
        The box.
    slopes : number or array of shape (d,), nats per unit, at least 0
        L_j, bounds on the absolute partial derivatives over the box: public, never computed from the data.
    trials : int, at least 1, optional
        The limit.

    Raises
    ------
    InvalidArgument
        When the box is none, or more than 10^7 trials may be expected.

    Examples
    --------
    >>> def log_density(points):
    ...     return -8.0 * ((points - 0.25) ** 2).sum(axis=1)
    >>> box = BoxRejection(log_density, lambda x: -16.0 * (x - 0.25), [0.0, 0.0], [1.0, 1.0], slopes=12.0)
    >>> box.sample(5, np.random.default_rng()).shape, round(box.expected_trials)
    ((5, 2), 144)
    """

    log_density: Callable[[Floats], Any]
    gradient: Callable[[Floats], Any]
    lower: Any
    upper: Any
    slopes: Any
    trials: int | None = None

    def __post_init__(self) -> None:
        low, high = (np.atleast_1d(doubles(name, getattr(self, name))) for name in ("lower", "upper"))
        if low.ndim != 1 or low.shape != high.shape or not np.isfinite(low).all() or not (low < high).all():
            raise InvalidArgument(
                f"lower must be below upper in each of d dimensions, got {self.lower} and {self.upper}"
            )
        steep = np.broadcast_to(doubles("slopes", self.slopes), low.shape)
        if not (np.isfinite(high) & np.isfinite(steep) & (steep >= 0)).all():
            raise InvalidArgument(f"slopes must be finite and at least 0, one for each dimension, got {self.slopes!r}")
        if self.trials is not None:
            count("trials", self.trials)
        for name, value in (("lower", low), ("upper", high), ("slopes", steep)):
            object.__setattr__(self, name, value)
        if self.trials is None and not self.expected_trials <= MOST_TRIALS:
            raise InvalidArgument(
                f"slopes over the box allow {self.expected_trials:.3g} expected trials for each draw, and "
                f"{MOST_TRIALS:g} are the most: fewer dimensions, a smaller box or a smaller rate would do, or a limit "
                f"on trials, at a total variation of up to {(1 - 1 / self.expected_trials) ** MOST_TRIALS:.3g}"
            )

    @property
    def acceptance(self) -> float:
        """A lower bound on the probability that a proposal is accepted, by slopes and sides alone.

        A thousandth is taken off for the gap between the best point found and the tangent's bound, which is checked.
        """
        steep = self.slopes * (self.upper - self.lower)
        with np.errstate(invalid="ignore", divide="ignore"):
            parts = np.where(steep > 0, -np.expm1(-steep) / steep, 1.0)
        return float(np.prod(parts)) * math.exp(-_MOST_GAP)

    @property
    def expected_trials(self) -> float:
        """At most so many proposals are expected for each draw."""
        return 1.0 / self.acceptance if self.acceptance > 0 else math.inf

    @property
    def distance(self) -> float:
        """A bound on the total variation between a draw and the density: 0 without a limit on trials."""
        return 0.0 if self.trials is None else math.exp(self.trials * math.log1p(-self.acceptance))

    @cached_property
    def ceiling(self) -> float:
        """An upper bound of the function on the box: its tangent at the best point found.

        Raises
        ------
        InvalidArgument
            When no point is found at which the tangent is within a thousandth of the value.
        """
        from scipy.optimize import minimize

        def falling(x: Floats) -> tuple[float, Floats]:
            value = float(np.asarray(self.log_density(x[None, :]), dtype=np.float64)[0])
            return -value, -np.asarray(self.gradient(x), dtype=np.float64)

        bounds = list(zip(self.lower, self.upper, strict=True))
        options = {"maxiter": 10_000, "ftol": 1e-15, "gtol": 1e-10}
        found = minimize(
            falling, (self.lower + self.upper) / 2, jac=True, bounds=bounds, method="L-BFGS-B", options=options
        )
        best = np.clip(found.x, self.lower, self.upper)
        value, slope = -falling(best)[0], -falling(best)[1]
        gap = float(np.maximum(slope * (self.upper - best), slope * (self.lower - best)).sum())
        if not gap <= _MOST_GAP:
            raise InvalidArgument(
                f"gradient must show the maximum to within {_MOST_GAP}, got a tangent that rises by {gap:.3g} from "
                f"the best point found, {best.tolist()}"
            )
        return value + gap

    def sample(self, size: int, rng: np.random.Generator) -> Floats:
        """``size`` independent points, shape (size, d).

        Raises
        ------
        InvalidArgument
            When the function exceeds its tangent: it is not concave, or the gradient not its own.
        """
        ceiling = self.ceiling + _ROUNDING * (1.0 + abs(self.ceiling))
        found = np.empty((size, len(self.lower)))
        waiting = np.arange(size)
        tried = 0
        while waiting.size:
            if self.trials is not None and tried >= self.trials:
                found[waiting] = rng.uniform(self.lower, self.upper, (waiting.size, len(self.lower)))
                break
            # proposals for each draw that is still waited for: about as many as it needs
            each = max(1, int(min(_BATCH // waiting.size, 2 * self.expected_trials)))
            if self.trials is not None:
                each = min(each, self.trials - tried)
            proposed = rng.uniform(self.lower, self.upper, (waiting.size * each, len(self.lower)))
            values = np.asarray(self.log_density(proposed), dtype=np.float64)
            if not (values <= ceiling).all():
                raise InvalidArgument("log_density must be concave, and is above the tangent at its best point")
            good = (rng.standard_exponential(len(values)) >= ceiling - values).reshape(waiting.size, each)
            which = good.argmax(axis=1)
            done = good[np.arange(waiting.size), which]
            rows = np.flatnonzero(done)
            found[waiting[rows]] = proposed.reshape(waiting.size, each, -1)[rows, which[rows]]
            waiting = waiting[~done]
            tried += each
        return found
