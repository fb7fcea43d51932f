"""A normal law and the same with a part shifted, where the outputs look like that: a Gaussian step with subsampling.

Of a record that takes part in a step with probability r, Gaussian noise leaves the law N(m, s) on one dataset and
(1 - r) N(m, s) + r N(m + shift, s) on the other. As with :mod:`.normal_laws`, what matters under a delta happens where
past outputs are few, and laws that were fitted to all of them say what to expect there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from dpcheck.privacy.statistics.normal_laws import LEAST, of_laws, unlike
from dpcheck.privacy.statistics.posterior import DRAWS, QUADRATURE_SEED, Floats, Integers, Posterior, expit

#: Parts that are shifted, from which the fit starts.
STARTS = (0.05, 0.2, 0.6)
#: Of the middle and the logarithm of the spread (in spreads of what was seen), the log-odds of the part, the shift.
BOUNDS = ((-3.0, 3.0), (-2.0, 2.0), (-9.0, 9.0), (-12.0, 12.0))
#: Steps of the parameters (in spreads, and in log-odds of the part) by which curvature is measured.
STEP = 1e-3
#: Probabilities of bins are not below this.
LEAST_MASS = 1e-300


def subsampled_laws(histogram: Integers, centres: Floats, edges: Floats) -> list[Posterior]:
    """The posteriors where the law on D, or that on D', has the shifted part; those that the outputs are like.

    Parameters
    ----------
    histogram : integers, shape (B, 2): past outputs per bin on D' (column 0) and on D (column 1)
    centres : shape (B,): the mean past value per bin, its middle where it has seen none; NaN last
    edges : shape (B - 2,): between the bins; the last bin is that of what is no number

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> edges = np.linspace(-4.0, 6.0, 101)
    >>> inside = rng.random(20_000) < 0.2
    >>> sides = [np.histogram(rng.normal(size=20_000) + 2.0 * one, [-np.inf, *edges, np.inf])[0] for one in (0, inside)]
    >>> histogram = np.vstack([np.column_stack(sides), [[0, 0]]])
    >>> centres = np.concatenate([[-4.0], 0.5 * (edges[1:] + edges[:-1]), [6.0, np.nan]])
    >>> [found] = subsampled_laws(histogram, centres, edges)
    >>> bool(7.9 < found.log_odds[-2] < 8.9)  # 8.4 in truth
    True
    """
    right, left = histogram[:-1].sum(axis=0)
    if min(left, right) < LEAST or histogram[-1].any() or len(edges) < 4:
        return []
    found = [_fitted(histogram, centres, edges, mixed) for mixed in (0, 1)]
    return [posterior for posterior in found if posterior is not None]


def _fitted(histogram: Integers, centres: Floats, edges: Floats, mixed: int) -> Posterior | None:
    from scipy.optimize import minimize

    seen = histogram[:-1].astype(np.float64)
    plain, other = seen[:, 1 - mixed], seen[:, mixed]
    x = centres[:-1]
    with np.errstate(over="ignore", invalid="ignore"):
        middle = float(np.average(x, weights=plain))
        spread = float(np.sqrt(np.average((x - middle) ** 2, weights=plain)))
        gap = float(np.average(x, weights=other)) - middle
    if not (np.isfinite(spread) and spread > 0.0 and np.isfinite(gap)):
        return None
    at = (edges - middle) / spread  # in spreads, so that all parameters are of the size of 1
    surprise = partial(_surprise, at=at, plain=plain, other=other)
    fits = []
    for part in STARTS:
        shift = float(np.clip(gap / spread / part, -4.0, 4.0))
        start = np.array([0.0, 0.0, np.log(part / (1.0 - part)), shift or 1.0])
        fits.append(minimize(surprise, start, jac=True, method="L-BFGS-B", bounds=BOUNDS))
    parameters = np.asarray(min(fits, key=lambda fit: float(fit.fun)).x, dtype=np.float64)
    total = seen.sum()
    base, shifted = _masses(parameters, at)[:2]
    part = float(expit(parameters[2:3])[0])
    mass = np.append((plain.sum() * base + other.sum() * ((1.0 - part) * base + part * shifted)) / total, 0.0)
    if unlike(histogram[:-1].sum(axis=1), mass[:-1]):
        return None
    spreads = _spreads(surprise, parameters)
    if spreads is None:
        return None
    odds = float(np.log(other.sum() / plain.sum()))
    sign = 1.0 if mixed == 1 else -1.0
    scaled = (x - middle) / spread
    limits = np.array(BOUNDS).T
    around = np.random.default_rng(QUADRATURE_SEED).normal(size=(DRAWS, len(parameters))) @ spreads.T
    drawn = np.clip(parameters + around, *limits).T[:, :, None]
    name = "a normal law, and on D' with a part shifted" if mixed == 0 else "a normal law, and on D with a part shifted"
    log_odds, of_drawn = (sign * (odds + _log_ratio(some, scaled)) for some in (parameters, drawn))
    return of_laws(name, histogram, log_odds, of_drawn, mass, len(parameters))


def _surprise(parameters: Floats, at: Floats, plain: Floats, other: Floats) -> tuple[float, Floats]:
    """Minus the log-probability of the counts, and its slope."""
    base, shifted, slopes, moved = _masses(parameters, at)
    part = float(expit(parameters[2:3])[0])
    both = np.maximum((1.0 - part) * base + part * shifted, LEAST_MASS)
    of_base, of_both = plain / base, other / both
    slope = slopes @ (of_base + (1.0 - part) * of_both) + part * (moved @ of_both)
    slope[2] = part * (1.0 - part) * ((shifted - base) @ of_both)
    return -float(plain @ np.log(base) + other @ np.log(both)), -slope


def _masses(parameters: Floats, at: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The probabilities of the bins under the normal law and the shifted one, and their slopes by each parameter."""
    from scipy.special import ndtr

    middle, log_spread, _, shift = parameters
    points = (at - middle) * np.exp(-log_spread)
    found = []
    for reached, by_shift in ((points, 0.0), (points - shift, -1.0)):
        density = np.exp(-0.5 * reached**2) / np.sqrt(2.0 * np.pi)
        by = np.stack([-density * np.exp(-log_spread), -density * points, 0.0 * density, by_shift * density])
        mass = np.diff(np.concatenate([[0.0], ndtr(reached), [1.0]]))
        found += [np.maximum(mass, LEAST_MASS), np.diff(np.pad(by, ((0, 0), (1, 1))), axis=1)]
    base, of_base, shifted, of_shifted = found
    return base, shifted, of_base, of_shifted


def _log_ratio(parameters: Floats, scaled: Floats) -> Floats:
    """The logarithm of the mixed density over the plain one; parameters (4,), or (4, draws, 1) for many."""
    middle, log_spread, log_odds, shift = parameters
    exponent = shift * ((scaled - middle) * np.exp(-log_spread) - 0.5 * shift)
    return np.asarray(np.logaddexp(-np.logaddexp(0.0, log_odds), exponent - np.logaddexp(0.0, -log_odds)))


def _spreads(surprise: Callable[[Floats], tuple[float, Floats]], parameters: Floats) -> Floats | None:
    """A root of the covariance of the parameters: from the curvature of the surprise; None where it has none."""
    steps = STEP * np.eye(len(parameters))
    curvature = np.stack([surprise(parameters + step)[1] - surprise(parameters - step)[1] for step in steps])
    values, vectors = np.linalg.eigh((curvature + curvature.T) / (4.0 * STEP))
    if not np.isfinite(values).all() or values[0] <= 0.0:
        return None
    return np.asarray(vectors / np.sqrt(values))
