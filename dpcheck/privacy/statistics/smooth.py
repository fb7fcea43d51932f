"""Log-odds with standard errors: smooth ones over the bins of a number, and those of single answers, shrunk.

Tables that count bin by bin know little of the rare bins that matter most; a smooth curve borrows from its neighbours.
Values that occur again and again (a code for "no answer", say) have a level of their own.
"""

from __future__ import annotations

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
    variance = np.einsum("bi,ij,bj->b", features, np.linalg.inv(hessian), features)
    return Curve(features @ slope, np.sqrt(np.maximum(variance, 0.0)))


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
