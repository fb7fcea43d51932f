"""Smooth log-odds: what a number says changes little from one value to the next.

A Gaussian process on the ranks of the values, with a line in the value itself for what lies beyond them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.posterior import DRAWS, LUCK, QUADRATURE_SEED, Floats, Integers, Posterior, expit

#: Bins are joined into at most about so many groups, finer where outputs are rare: as many as linear algebra works on
#: in one thread, for threads that wait for each other cost more than they save.
GROUPS, FEW_GROUPS = 64, 40
#: How much finer, in groups to each e-fold of rarity.
FINER = 0.02
#: The variance of the constant, and of the slope in spreads of the values.
CONSTANT, SLOPE = 4.0, 1.0
#: Variances of the slope of a line where outputs hardly tell the datasets apart, and the part of it that is that of the
#: log-odds in the middle: outputs on the two datasets are as many, for the coin is fair, so that it is all but known.
SMALL_SLOPES, MIDDLE = (0.003, 0.03, 0.3), 0.02
#: Values beyond so many spreads count as these.
FAR = 8.0
#: Variances, and lengths in parts of the outputs, of what bends.
VARIANCES = (0.02, 0.1, 0.5, 2.0)
ROUGH_LENGTHS, SMOOTH_LENGTHS = (0.02, 0.1, 0.5), (0.1, 0.5)
FEW_VARIANCES, FEW_ROUGH_LENGTHS, FEW_SMOOTH_LENGTHS = (0.03, 0.3), (0.3,), (0.3, 1.0)
#: Added to the diagonal, for the sake of rounding.
JITTER = 1e-6
#: Newton steps, the largest change of a log-odds in one of them, and the change at which they end.
STEPS, LONGEST_STEP, SETTLED = 20, 3.0, 3e-3


@dataclass(frozen=True)
class _Fit:
    """The normal approximation of a posterior at its mode: log-odds, the evidence, and what their covariance is of.

    ``factor`` is Cholesky's, of the identity and the kernel between the square roots ``root`` of the weights.
    """

    log_odds: Floats
    evidence: float
    kernel: Floats
    root: Floats
    factor: tuple[Floats, bool]

    def covariance(self) -> Floats:
        """The covariance of the log-odds."""
        from scipy.linalg import cho_solve

        explained = cho_solve(self.factor, self.root[:, None] * self.kernel, check_finite=False)
        return np.asarray(self.kernel - (self.kernel * self.root) @ explained)


def smooth(histogram: Integers, centres: Floats, *, few: bool = False, straight: bool = False) -> Posterior:
    """The posterior of bins in the order of a number, where their log-odds are smooth.

    Source: Rasmussen & Williams 2006, "Gaussian processes for machine learning", chapter 3 (Laplace's approximation);
    the kernel (Ornstein-Uhlenbeck or Matern 3/2) and its parameters are those of the largest evidence.

    Parameters
    ----------
    histogram : integers, shape (B, 2), each bin with an output at least: past outputs on D' (column 0) and on D
    centres : shape (B,), rising: the mean past value per bin
    few : bool
        Fewer groups and kernels: for one coordinate of many.
    straight : bool
        Whether a line through the middle, however flat, is likelier than what bends, which then has less evidence by
        what the best of so many kernels has by luck.

    Examples
    --------
    >>> counts = np.array([[90, 10], [60, 40], [40, 60], [10, 90]])
    >>> found = smooth(counts, np.arange(4.0)).log_odds
    >>> bool((np.diff(found) > 0.5).all())
    True
    """
    mass = histogram.sum(axis=1).astype(np.float64)
    group = _groups(mass, FEW_GROUPS if few else GROUPS)
    count = int(group[-1]) + 1
    both, left = (np.bincount(group, part, count).astype(np.float64) for part in (mass, histogram[:, 1]))
    places = (np.cumsum(both) - 0.5 * both) / both.sum()
    sized = _sized(np.bincount(group, mass * centres, count) / both, places)
    best: _Fit | None = None
    flat, steep, bent = _kernels(np.abs(places[:, None] - places), np.outer(sized, sized), few=few)
    lines = [*flat, *steep] if straight else steep
    for kernels, luck in ((lines, 0.0), (bent, LUCK * math.log(len(bent)) if straight else 0.0)):
        for kernel in kernels:
            fit = _laplace(kernel, both, left, None if best is None else best.log_odds)
            fit = replace(fit, evidence=fit.evidence - luck)
            if best is None or fit.evidence > best.evidence:
                best = fit
    assert best is not None
    covariance = best.covariance()
    spread = np.linalg.cholesky(covariance + 10.0 * JITTER * np.eye(count))
    drawn = best.log_odds + np.random.default_rng(QUADRATURE_SEED).normal(size=(DRAWS, count)) @ spread.T
    # the mean of a logistic of a normal variable (MacKay 1992)
    mean = expit(best.log_odds / np.sqrt(1.0 + np.pi * np.maximum(np.diag(covariance), 0.0) / 8.0))
    return Posterior("smooth", mean[group], drawn[:, group], mass / mass.sum(), best.evidence)


def _groups(mass: Floats, most: int) -> NDArray[np.int64]:
    """The group of each bin: equal steps in the part of the outputs reached, finer towards both ends."""
    if len(mass) <= most:
        return np.arange(len(mass))
    reached = (np.cumsum(mass) - 0.5 * mass) / mass.sum()
    scale = reached + FINER * np.log((reached + 1e-4) / (1.0 - reached + 1e-4))
    cell = np.floor((scale - scale[0]) / (scale[-1] - scale[0]) * most)
    return np.unique(cell, return_inverse=True)[1].astype(np.int64)


def _sized(values: Floats, places: Floats) -> Floats:
    """Values in spreads from their middle."""
    low, middle, high = np.interp((0.16, 0.5, 0.84), places, values)
    spread = 0.5 * (high - low)
    if not spread > 0.0 or not np.isfinite(spread):
        return np.zeros(len(values))
    return np.clip((values - middle) / spread, -FAR, FAR)


def _kernels(apart: Floats, products: Floats, *, few: bool) -> tuple[list[Floats], list[Floats], list[Floats]]:
    """The covariances of log-odds that are tried: flat lines through the middle, any lines, and what bends."""
    variances = FEW_VARIANCES if few else VARIANCES
    rough, smoother = (FEW_ROUGH_LENGTHS, FEW_SMOOTH_LENGTHS) if few else (ROUGH_LENGTHS, SMOOTH_LENGTHS)
    bends = [variance * np.exp(-apart / length) for variance, length in product(variances, rough)]
    for variance, length in product(variances, smoother):
        scaled = np.sqrt(3.0) * apart / length
        bends.append(variance * (1.0 + scaled) * np.exp(-scaled))
    still = JITTER * np.eye(len(apart))
    steep = [CONSTANT + slope * products + still for slope in (0.0, SLOPE)]
    flat = [slope * (MIDDLE + products) + still for slope in SMALL_SLOPES]
    return flat, steep, [line + bend for line in steep for bend in bends]


def _laplace(kernel: Floats, both: Floats, left: Floats, start: Floats | None) -> _Fit:
    """The mode of the posterior by Newton's method, with the evidence there."""
    from scipy.linalg import cho_factor, cho_solve

    log_odds = np.zeros(len(both)) if start is None else start
    identity = np.eye(len(both))
    settled = False
    for _ in range(STEPS):
        p = expit(log_odds)
        weight = np.maximum(both * p * (1.0 - p), 1e-10)
        root = np.sqrt(weight)
        factor = cho_factor(identity + root[:, None] * kernel * root, lower=True, check_finite=False)
        push = weight * log_odds + left - both * p
        pull = push - root * cho_solve(factor, root * (kernel @ push), check_finite=False)
        if settled:
            break
        step = kernel @ pull - log_odds
        largest = float(np.abs(step).max())
        log_odds = log_odds + step * min(1.0, LONGEST_STEP / max(largest, 1e-300))
        settled = largest < SETTLED
    likelihood = -float((left * np.logaddexp(0.0, -log_odds) + (both - left) * np.logaddexp(0.0, log_odds)).sum())
    evidence = likelihood - 0.5 * float(pull @ log_odds) - float(np.log(np.diag(factor[0])).sum())
    return _Fit(log_odds, evidence, kernel, root, factor)
