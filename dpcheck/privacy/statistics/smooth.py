"""Log-odds with standard errors: smooth ones over the bins of a number, and those of single answers, shrunk.

Tables that count bin by bin know little of the rare bins that matter most; a smooth curve borrows from its neighbours.
Values that occur again and again (a code for "no answer", say) have a level of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Kind = Literal["line", "cubic", "broken line", "blunt line"]

#: The curve is constant beyond these quantiles of the past: what is farther out is too rare to say more.
ENDS = (0.0005, 0.9995)
#: No value is farther from the middle than this many spreads: one that is, is rarer than the quantiles, and powers of
#: it would drown the ridge in rounding.
FARTHEST = ENDS[0] ** -0.5
#: Values above this are measured by the largest of them: their squares would overflow.
LARGEST = 1e100
#: Where a broken line may bend, as quantiles of the past: densest where the rare events are.
BENDS = (0.003, 0.01, 0.03, 0.1, 0.3, 0.7, 0.9, 0.97, 0.99, 0.997)
#: A blunt line is a broken line that is constant beyond these quantiles, with its bends: where the log-odds of rare
#: outputs are all the same, as next to Laplace noise, their level is known from all of these.
BLUNT_ENDS = (0.01, 0.99)
BLUNT_BENDS = (0.02, 0.05, 0.1, 0.3, 0.7, 0.9, 0.95, 0.98)
#: Keeps slopes finite where one dataset never gave some values: half an output each way for every coefficient.
RIDGE = 0.25
#: Newton steps, and the largest change of a log-odds in one of them.
STEPS, LONGEST_STEP = 25, 4.0
#: Numbers fitted at once (their features stay in the processor's cache); one with more bins alone is fitted by itself.
AT_ONCE, MOST_ALONE = 32, 4
#: Variances that the log-odds of single answers may have among themselves.
VARIANCES: Floats = np.geomspace(1e-6, 30.0, 80)


@dataclass(frozen=True)
class Curve:
    """Log-odds that the coin chose D, per bin, and their standard errors, shape (B,) each."""

    log_odds: Floats
    errors: Floats


def fit_curve(histogram: Integers, centres: Floats, alone: NDArray[np.bool_], kind: Kind) -> Curve:
    """Logistic regression of the coin on the value of a bin.

    Parameters
    ----------
    histogram : integers, shape (B, 2): past outputs per bin on D' (column 0) and on D (column 1)
    centres : shape (B,): the value of each bin; NaN has a level of its own
    alone : shape (B,): bins with a level of their own
    kind : "line", "cubic", "broken line" or "blunt line"

    Examples
    --------
    >>> counts = np.array([[90, 10], [60, 40], [40, 60], [10, 90]])
    >>> curve = fit_curve(counts, np.arange(4.0), np.zeros(4, bool), "line")
    >>> np.round(curve.log_odds / curve.log_odds[-1], 1)
    array([-1. , -0.3,  0.3,  1. ])
    """
    mass = histogram.sum(axis=1).astype(np.float64)
    features = _features(mass, centres, alone | ~np.isfinite(centres), kind)
    left = histogram[:, 1].astype(np.float64)
    size = features.shape[1]
    slope = np.zeros(size)
    hessian = np.eye(size)
    for _ in range(STEPS):
        p = 1.0 / (1.0 + np.exp(-features @ slope))
        hessian = features.T @ (features * (mass * p * (1.0 - p))[:, None]) + RIDGE * np.eye(size)
        step = np.linalg.solve(hessian, features.T @ (left - mass * p) - RIDGE * slope)
        change = float(np.abs(features @ step).max(initial=0.0))
        slope = slope + step * min(1.0, LONGEST_STEP / max(change, 1e-300))
        if change < 1e-6:
            break
    variance = np.einsum("bi,bi->b", features @ np.linalg.inv(hessian), features)
    # row by row, so that bins of one value have one posterior: a matrix product may round equal rows in two ways
    return Curve(np.einsum("bi,i->b", features, slope), np.sqrt(np.maximum(variance, 0.0)))


def fit_curves(histograms: Integers, centres: Floats, alone: NDArray[np.bool_], kind: Kind) -> list[Curve]:
    """What :func:`fit_curve` fits to each of many numbers, all of them at once.

    Parameters
    ----------
    histograms : integers, shape (G, B, 2); numbers with fewer bins have empty ones that are alone at the end
    centres, alone : shape (G, B)
    kind : as for :func:`fit_curve`

    Examples
    --------
    >>> counts = np.array([[90, 10], [60, 40], [40, 60], [10, 90]])
    >>> both = fit_curves(np.stack([counts, counts[::-1]]), np.tile(np.arange(4.0), (2, 1)), np.zeros((2, 4), bool),
    ...                   "line")
    >>> bool(np.allclose(both[0].log_odds, -both[1].log_odds))
    True
    """
    alone = alone | ~np.isfinite(centres)
    own = (alone & (histograms.sum(axis=2) > 0)).sum(axis=1)
    found: list[Curve | None] = [None] * len(centres)
    for place in np.flatnonzero(own > MOST_ALONE):  # a column for each: no company to wait for
        found[place] = fit_curve(histograms[place], centres[place], alone[place], kind)
    rest = np.flatnonzero(own <= MOST_ALONE)
    for first in range(0, len(rest), AT_ONCE):
        some = rest[first : first + AT_ONCE]
        for place, curve in zip(
            some, _fitted_together(histograms[some], centres[some], alone[some], kind), strict=True
        ):
            found[place] = curve
    return [curve for curve in found if curve is not None]


def _fitted_together(histograms: Integers, centres: Floats, alone: NDArray[np.bool_], kind: Kind) -> list[Curve]:
    mass = histograms.sum(axis=2).astype(np.float64)
    features = _features_together(mass, centres, alone, kind)
    turned = features.transpose(0, 2, 1)
    left = histograms[:, :, 1].astype(np.float64)
    size = features.shape[2]
    ridge = RIDGE * np.eye(size)
    slopes = np.zeros((len(mass), size))
    hessians = np.tile(np.eye(size), (len(mass), 1, 1))
    going = np.ones(len(mass), bool)
    for _ in range(STEPS):
        p = 1.0 / (1.0 + np.exp(-np.matmul(features, slopes[:, :, None])[:, :, 0]))
        curved = np.matmul(turned, features * (mass * p * (1.0 - p))[:, :, None]) + ridge
        rise = np.matmul(turned, (left - mass * p)[:, :, None])[:, :, 0] - RIDGE * slopes
        steps = np.linalg.solve(curved, rise[:, :, None])[:, :, 0]
        changes = np.abs(np.matmul(features, steps[:, :, None])[:, :, 0]).max(axis=1, initial=0.0)
        moved = slopes + steps * np.minimum(1.0, LONGEST_STEP / np.maximum(changes, 1e-300))[:, None]
        slopes = np.where(going[:, None], moved, slopes)
        hessians = np.where(going[:, None, None], curved, hessians)
        going &= changes >= 1e-6
        if not going.any():
            break
    variance = np.einsum("gbi,gbi->gb", np.matmul(features, np.linalg.inv(hessians)), features)
    log_odds = np.einsum("gbi,gi->gb", features, slopes)
    errors = np.sqrt(np.maximum(variance, 0.0))
    return [Curve(*both) for both in zip(log_odds, errors, strict=True)]


def _features_together(mass: Floats, centres: Floats, alone: NDArray[np.bool_], kind: Kind) -> Floats:
    """The columns of :func:`_features` of each number, shape (G, B, k): of zeros where a number has fewer."""
    count, bins = mass.shape
    own = alone & (mass > 0)
    columns: list[Floats] = []
    most = int(own.sum(axis=1).max(initial=0))
    if most:
        single = np.zeros((count, bins, most))
        which, place = np.nonzero(own)
        single[which, place, (np.cumsum(own, axis=1) - 1)[which, place]] = 1.0
        columns += [single[:, :, k] for k in range(most)]
    seen = ~alone & (mass > 0)
    amount = seen.sum(axis=1)
    known = amount > 0
    there = np.where(alone, 0.0, centres)
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        largest = np.abs(there).max(axis=1, initial=0.0)
        values = there / np.where(largest > LARGEST, largest, 1.0)[:, None]
        order = np.argsort(np.where(seen, values, np.inf), axis=1, kind="stable")
        values = values - np.take_along_axis(values, order[:, :1], axis=1)
        x, weight = (
            np.take_along_axis(values, order, axis=1),
            np.take_along_axis(np.where(seen, mass, 0.0), order, axis=1),
        )
        total = np.where(known, weight.sum(axis=1), 1.0)
        reached = (np.cumsum(weight, axis=1) - 0.5 * weight) / total[:, None]
        blunt = kind == "blunt line"
        ends = _interpolated(BLUNT_ENDS if blunt else ENDS, reached, x, amount)
        low, high = ends[:, :1], ends[:, 1:]
        middle = ((x * weight).sum(axis=1) / total)[:, None]
        squares = np.where(weight > 0, (np.clip(x, low, high) - middle) ** 2, 0.0)
        spread = np.sqrt((squares * weight).sum(axis=1) / total)[:, None]
        wide = known[:, None] & (spread > 0.0) & (high > low)
        inside = np.where(alone | ~known[:, None], 0.0, 1.0)
        safe = np.where(wide, spread, 1.0)
        z = np.clip((np.clip(values, low, high) - middle) / safe, -FARTHEST, FARTHEST)
        z = np.where(alone | ~wide, 0.0, z)
        columns += [inside, z]
        if kind == "cubic":
            columns += [z**2, z**3]
        if kind in ("broken line", "blunt line"):
            bends = (_interpolated(BLUNT_BENDS if blunt else BENDS, reached, x, amount) - middle) / safe
            for k in range(bends.shape[1]):
                bend = bends[:, k : k + 1]
                again = bend == bends[:, k - 1 : k] if k else np.zeros((count, 1), bool)
                columns.append(np.where(wide & ~again, inside * np.maximum(0.0, z - bend), 0.0))
    return np.stack(columns, axis=2)


def _interpolated(at: Sequence[float], reached: Floats, x: Floats, amount: Integers) -> Floats:
    """``np.interp`` of each row, of which the first ``amount`` places are known; shape (G, len(at))."""
    last = np.maximum(amount - 1, 0)
    known = np.arange(reached.shape[1]) < amount[:, None]
    found = []
    for point in at:
        place = np.clip((known & (reached <= point)).sum(axis=1) - 1, 0, np.maximum(last - 1, 0))
        rows = np.arange(len(place))
        after = np.minimum(place + 1, last)
        one, two = reached[rows, place], reached[rows, after]
        slope = (x[rows, after] - x[rows, place]) / np.where(two > one, two - one, 1.0)
        between = slope * (point - one) + x[rows, place]
        between = np.where(point <= reached[rows, 0], x[rows, 0], between)
        found.append(np.where(point >= reached[rows, last], x[rows, last], between))
    return np.stack(found, axis=1)


def shrunk_answers(histogram: Integers) -> Curve:
    """The log-odds of each answer, drawn towards those of all: the best of many rare answers are the luckiest.

    Normal log-odds with counted errors (empirical Bayes: Efron & Morris 1975, "Data analysis using Stein's estimator
    and its generalizations"); their mean and variance are the likeliest.

    Parameters
    ----------
    histogram : integers, shape (B, 2): past outputs per answer on D' (column 0) and on D (column 1)

    Examples
    --------
    >>> rare = np.array([[500, 500], [480, 520], [2, 6], [515, 485]])
    >>> counted = np.log(6.5 / 2.5)
    >>> bool(0.0 < shrunk_answers(rare).log_odds[2] < 0.2 * counted)
    True
    """
    right, left = histogram[:, 0] + 0.5, histogram[:, 1] + 0.5
    counted, errors = np.log(left / right), 1.0 / left + 1.0 / right
    seen = histogram.sum(axis=1) > 0
    precisions = seen / (VARIANCES[:, None] + errors)
    means = (precisions * counted).sum(axis=1) / np.maximum(precisions.sum(axis=1), 1e-300)
    fits = np.log(np.where(seen, precisions, 1.0)) - precisions * (counted - means[:, None]) ** 2
    best = int(np.argmax(fits.sum(axis=1)))
    variance, mean = VARIANCES[best], means[best]
    log_odds = (variance * counted + errors * mean) / (variance + errors)
    return Curve(np.where(seen, log_odds, 0.0), np.sqrt(variance * errors / (variance + errors)))


def _features(mass: Floats, centres: Floats, alone: NDArray[np.bool_], kind: Kind) -> Floats:
    """Columns: one for each bin alone that has been seen; for the others a constant, the value, and its bends."""
    own = np.flatnonzero(alone & (mass > 0))
    columns = [np.zeros(len(mass)) for _ in own]
    for column, place in zip(columns, own, strict=True):
        column[place] = 1.0
    others = np.flatnonzero(~alone)
    if len(others) and mass[others].sum() > 0:
        order = others[np.argsort(centres[others], kind="stable")]
        largest = max(-centres[order[0]], centres[order[-1]])
        values = np.where(alone, 0.0, centres / largest if largest > LARGEST else centres)
        order = order[mass[order] > 0]
        # From the first value seen: as far as values are apart, and not of what rounding makes of large ones alike.
        values = values - values[order[0]]
        x, weight = values[order], mass[order]
        reached = (np.cumsum(weight) - 0.5 * weight) / weight.sum()
        blunt = kind == "blunt line"
        low, high = np.interp(BLUNT_ENDS if blunt else ENDS, reached, x)
        middle = float(np.average(x, weights=weight))
        spread = float(np.sqrt(np.average((np.clip(x, low, high) - middle) ** 2, weights=weight)))
        inside = np.where(alone, 0.0, 1.0)
        columns.append(inside)
        if spread > 0.0 and high > low:
            z = np.where(alone, 0.0, np.clip((np.clip(values, low, high) - middle) / spread, -FARTHEST, FARTHEST))
            columns.append(z)
            if kind == "cubic":
                columns += [z**2, z**3]
            if kind in ("broken line", "blunt line"):
                bends = np.unique((np.interp(BLUNT_BENDS if blunt else BENDS, reached, x) - middle) / spread)
                columns += [inside * np.maximum(0.0, z - bend) for bend in bends]
    return np.column_stack(columns) if columns else np.zeros((len(mass), 1))
