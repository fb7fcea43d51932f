"""A score of all coordinates where each is Gaussian noise, shifted on one dataset with one probability: steps with
subsampling, each of which a record takes part in or not.

As :mod:`.subsampled_laws` for one coordinate. Its log-odds add up over the coordinates, and their law under the fitted
model is known (a convolution), so that rare events are foretold that no past output has shown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.normal_laws import LEAST, of_laws, unlike
from dpcheck.privacy.statistics.posterior import DRAWS, QUADRATURE_SEED, Floats, Integers, Posterior, expit
from dpcheck.privacy.statistics.scores import fit_logistic

#: Coordinates beyond these are left to other scores.
MOST_STEPS = 64
#: Values are counted in cells of this width, out to so far (in spreads).
CELL, FAR = 0.1, 8.0
#: Rates from which the fit starts, the largest log-odds of a rate, and the largest shift (in spreads).
STARTS, MOST_LOG_ODDS, MOST_SHIFT = (0.05, 0.2, 0.6), 9.0, 8.0
#: The law of the sum is worked out on a grid of this spacing and of so many points, from so many values a coordinate.
SPACING, POINTS, VALUES = 0.01, 1 << 13, 6_401
#: Of the squares of the line that log-odds are on: next to nothing, where there are outputs on both sides.
LINE_PENALTY = 1e-3


@dataclass(frozen=True)
class StepsScore:
    """Independent normal coordinates, and on one dataset each shifted with probability ``rate``.

    ``middles``, ``spreads``, ``shifts`` (in spreads), each of shape (d,); ``sign`` is 1 where it is D that is shifted.
    """

    middles: Floats
    spreads: Floats
    shifts: Floats
    rate: float
    sign: float

    def log_odds(self, columns: Floats) -> Floats:
        """The log-odds that D was drawn, per row of ``columns`` (n, d); missing coordinates say nothing."""
        total = np.zeros(len(columns))
        for j in range(min(columns.shape[1], len(self.middles))):
            told = _log_ratio((columns[:, j] - self.middles[j]) / self.spreads[j], self.shifts[j], self.rate)
            total += np.where(np.isnan(told), 0.0, told)
        return self.sign * total

    def laws(self, edges: Floats) -> tuple[Floats, Floats]:
        """The probabilities of the cells between ``edges`` of the log-odds on D' and on D, each of shape (E + 1,)."""
        half = POINTS // 2
        values = np.linspace(-FAR - MOST_SHIFT, FAR + MOST_SHIFT, VALUES)
        # each side by itself: far out one of them is all rounding
        spectra = np.ones((2, half + 1), dtype=np.complex128)
        for shift, times in zip(*np.unique(self.shifts, return_counts=True), strict=True):
            told = _log_ratio(values, shift, self.rate)
            low = np.floor(told / SPACING).astype(np.int64)
            part = told / SPACING - low  # so that the mean of each term is kept
            places = np.clip(np.concatenate([low, low + 1]) + half, 0, POINTS - 1)
            for spectrum, weights in zip(spectra, (-0.5 * values**2, told - 0.5 * values**2), strict=True):
                masses = np.exp(weights)
                masses /= masses.sum()
                law = np.bincount(places, np.concatenate([masses * (1.0 - part), masses * part]), minlength=POINTS)
                spectrum *= np.fft.rfft(np.roll(law, -half)) ** times
        found = np.maximum(np.roll(np.fft.irfft(spectra, POINTS, axis=1), half, axis=1), 0.0)
        below = np.cumsum(found, axis=1) / found.sum(axis=1, keepdims=True)
        ends = SPACING * (np.arange(POINTS) - half + 0.5)
        reached = [np.interp(np.sort(self.sign * edges), ends, side) for side in below]
        on_plain, on_mixed = (np.diff(np.concatenate([[0.0], side, [1.0]]))[:: int(self.sign)] for side in reached)
        return (on_plain, on_mixed) if self.sign > 0.0 else (on_mixed, on_plain)


def _log_ratio(z: Floats, shift: float | Floats, rate: float) -> Floats:
    return np.asarray(np.logaddexp(np.log1p(-rate), np.log(rate) + shift * z - 0.5 * shift**2))


def fit_steps(columns: Floats, coins: NDArray[np.int8]) -> StepsScore | None:
    """Fit the model to past outputs: the same shift in all coordinates or one of each; None where there are too few.

    Examples
    --------
    >>> rng = np.random.default_rng(0); coins = rng.integers(0, 2, 20_000).astype(np.int8)
    >>> inside = (rng.random((20_000, 3)) < 0.3) & (coins[:, None] == 1)
    >>> found = fit_steps(rng.normal(size=(20_000, 3)) + 1.5 * inside, coins)
    >>> found.sign, bool(0.2 < found.rate < 0.4), bool(np.all(np.abs(found.shifts - 1.5) < 0.3))
    (1.0, True, True)
    """
    sides = [columns[coins == side][:, :MOST_STEPS] for side in (0, 1)]
    if min(map(len, sides)) < LEAST or not all(np.isfinite(side).all() for side in sides):
        return None
    fits = [_fit_one_way(sides[0], sides[1], 1.0), _fit_one_way(sides[1], sides[0], -1.0)]
    found = [fit for fit in fits if fit is not None]
    return max(found, key=lambda fit: fit[1])[0] if found else None


def _fit_one_way(plain: Floats, mixed: Floats, sign: float) -> tuple[StepsScore, float] | None:
    """Where the second side has the shifts: the score, and the evidence of both sides."""
    with np.errstate(over="ignore", invalid="ignore"):
        middles, spreads = plain.mean(axis=0), plain.std(axis=0)
    told = np.isfinite(spreads) & (spreads > 0.0)  # coordinates that are always the same say nothing
    if not told.any():
        return None
    sized = [(side[:, told] - middles[told]) / spreads[told] for side in (plain, mixed)]
    normal = sum(0.5 * float((side**2).sum()) + len(side) * float(np.log(spreads[told]).sum()) for side in sized)
    counts, values = _counted(sized[1])
    found = []
    for common in (True, False):
        rate, shifts, surprise = _fitted(counts, values, common=common)
        parameters = 2 if common else 1 + len(shifts)
        evidence = -surprise - normal - 0.5 * parameters * float(np.log(len(mixed)))
        of_all = np.zeros(len(spreads))
        of_all[told] = shifts
        found.append((StepsScore(middles, np.where(told, spreads, 1.0), of_all, rate, sign), evidence))
    return max(found, key=lambda fit: fit[1])


def _counted(sized: Floats) -> tuple[Floats, Floats]:
    """How many values of each coordinate lie in each cell, shape (d, C), and the middles of the cells."""
    cells = int(2 * FAR / CELL)
    width = sized.shape[1]
    place = np.clip((sized + FAR) / CELL, 0, cells - 1).astype(np.int64) + cells * np.arange(width)
    counts = np.bincount(place.ravel(), minlength=cells * width).reshape(width, cells).astype(np.float64)
    return counts, np.asarray(CELL * (np.arange(cells) + 0.5) - FAR, dtype=np.float64)


def _fitted(counts: Floats, values: Floats, *, common: bool) -> tuple[float, Floats, float]:
    """The rate and the shifts that explain the counts best, and how little they do (nats)."""
    from scipy.optimize import minimize

    means = counts @ values / counts.sum(axis=1)
    width = len(counts)

    def surprise(parameters: Floats) -> tuple[float, Floats]:
        rate, shifts = float(expit(parameters[:1])[0]), parameters[1:, None]
        ratio = _log_ratio(values, shifts, rate)
        moved = rate * np.exp(shifts * values - 0.5 * shifts**2 - ratio)  # the chance that a value was shifted
        by_shift = (counts * moved * (values - shifts)).sum(axis=1)
        slope = np.concatenate([[(counts * (moved - rate)).sum()], [by_shift.sum()] if common else by_shift])
        return -float((counts * ratio).sum()), -slope

    bounds = [(-MOST_LOG_ODDS, MOST_LOG_ODDS)] + [(-MOST_SHIFT, MOST_SHIFT)] * (1 if common else width)
    fits = []
    for rate in STARTS:
        start = np.clip(means / rate, -4.0, 4.0)
        first = np.concatenate([[np.log(rate / (1.0 - rate))], [start.mean()] if common else start])
        fits.append(minimize(surprise, first, jac=True, method="L-BFGS-B", bounds=bounds))
    best = min(fits, key=lambda fit: float(fit.fun))
    rate = float(expit(best.x[:1])[0])
    return rate, np.broadcast_to(best.x[1:], width).astype(np.float64), float(best.fun)


def laws_of_steps(score: StepsScore, histogram: Integers, centres: Floats, edges: Floats) -> list[Posterior]:
    """The posterior where log-odds are a line in the score and outputs come as its laws say; else nothing.

    Parameters
    ----------
    score : StepsScore
    histogram : integers, shape (B, 2): past outputs per bin of the score on D' (column 0) and on D (column 1)
    centres : shape (B,): the mean past score per bin, its middle where it has seen none; NaN last
    edges : shape (B - 2,): between the bins; the last bin is that of what is no number
    """
    right, left = histogram[:-1].sum(axis=0)
    if min(left, right) < LEAST or histogram[-1].any() or len(edges) < 2:
        return []
    on_right, on_left = score.laws(edges)
    mass = np.append((right * on_right + left * on_left) / (left + right), 0.0)
    if unlike(histogram[:-1].sum(axis=1), mass[:-1]):
        return []
    x = centres[:-1]
    times, features = histogram[:-1].sum(axis=1).astype(np.float64), np.column_stack([np.ones_like(x), x])
    line = fit_logistic(x[:, None], histogram[:-1, 1], LINE_PENALTY, times)
    chance = expit(features @ line)
    curvature = features.T @ (features * (times * chance * (1.0 - chance))[:, None]) + LINE_PENALTY * np.eye(2)
    around = np.random.default_rng(QUADRATURE_SEED).multivariate_normal(line, np.linalg.inv(curvature), size=DRAWS)
    drawn = around[:, :1] + around[:, 1:] * x
    return [of_laws("steps with subsampling", histogram, line[0] + line[1] * x, drawn, mass, 2)]
