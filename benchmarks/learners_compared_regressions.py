"""Logistic regressions as papers publish them, for `learners_compared.py`: what dpcheck has no learner of."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.parts.mechanisms.gaussian import calibrated_sigma
from dpcheck.parts.mechanisms.norm_noise import norm_noise
from dpcheck.parts.trained.gradient_steps import clipped_sum, poisson

Floats = NDArray[np.float64]
#: The second derivative of the logistic loss is at most this.
_CURVATURE = 0.25


def objective_perturbed(
    x: Floats, y: NDArray[np.int64], epsilon: float, regularisation: float, rng: np.random.Generator
) -> Floats:
    """Weights that minimise the regularised logistic loss with a random linear term: epsilon-DP under replace-one.

    Rows of x must be of a norm of at most 1. Source: Chaudhuri, Monteleoni & Sarwate 2011, arXiv:0912.0071,
    algorithm 2 and theorem 9, whose epsilon' and Delta these are.
    """
    n, d = x.shape
    share = _CURVATURE / (n * regularisation)
    left, more = epsilon - math.log(1 + 2 * share + share**2), 0.0
    if left <= 0:
        more = _CURVATURE / (n * math.expm1(epsilon / 4)) - regularisation
        left = epsilon / 2
    noise = norm_noise(d, 2 / left, 1, rng)[0]
    return minimised(x, y, regularisation + more, noise)


def minimised(x: Floats, y: NDArray[np.int64], regularisation: float, linear: Floats) -> Floats:
    """The w that minimises ``mean log(1 + exp(-y w.x)) + linear.w / n + regularisation |w|^2 / 2``."""
    from scipy.optimize import minimize

    signed = x * np.where(y > 0, 1.0, -1.0)[:, None]
    n = len(signed)

    def objective(w: Floats) -> tuple[float, Floats]:
        margins = signed @ w
        value = np.logaddexp(0.0, -margins).mean() + linear @ w / n + regularisation / 2 * w @ w
        slope = linear / n + regularisation * w - signed.T @ (1 / (1 + np.exp(np.clip(margins, -500, 500)))) / n
        return float(value), slope

    start = -linear / (n * regularisation)
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"gtol": 1e-7, "maxiter": 2000})
    return np.asarray(found.x, dtype=np.float64)


@dataclass(frozen=True)
class Steps:
    """The settings of DP-SGD: the rate at which records are sampled, how many steps, and how long they are."""

    rate: float
    steps: int
    length: float


def gradient_steps(
    x: Floats, y: NDArray[np.int64], noise_multiplier: float, settings: Steps, rng: np.random.Generator
) -> Floats:
    """The mean of the later half of the weights of DP-SGD; gradients are clipped to a norm of 1.

    Sums are divided by the expected number of records sampled, the number of all being public.
    Source: Abadi et al. 2016, arXiv:1607.00133, algorithm 1.
    """
    n, d = x.shape
    batches = poisson(n, settings.rate, rng)
    weights, kept = np.zeros(d), np.zeros(d)
    for step in range(settings.steps):
        rows = batches(step)
        wrong = 1 / (1 + np.exp(-np.clip(x[rows] @ weights, -50, 50))) - y[rows]
        total = clipped_sum(wrong[:, None] * x[rows], 1.0) + rng.normal(0.0, noise_multiplier, d)
        weights = weights - settings.length * total / (settings.rate * n)
        if 2 * step >= settings.steps:
            kept += weights
    return np.asarray(kept / (settings.steps - (settings.steps + 1) // 2))


@cache
def noise_for(epsilon: float, delta: float, rate: float, steps: int) -> float:
    """The noise multiplier with which so many steps are (epsilon, delta)-DP under add/remove.

    Without sampling it is exact, for steps of Gaussian noise are one of less noise; with sampling it is what
    dp-accounting's privacy loss distributions find, to a part in a hundred, never less.
    """
    if rate == 1:
        return calibrated_sigma(epsilon, delta) * math.sqrt(steps)
    import dp_accounting
    from dp_accounting.pld import PLDAccountant

    # the central limit of many sampled steps (Dong, Roth & Su 2022): where to look
    about = 1 / math.sqrt(math.log1p((calibrated_sigma(epsilon, delta) * rate) ** -2 / steps))

    def made(sigma: float) -> Any:
        step = dp_accounting.PoissonSampledDpEvent(rate, dp_accounting.GaussianDpEvent(sigma))
        return dp_accounting.SelfComposedDpEvent(step, steps)

    found = dp_accounting.calibrate_dp_mechanism(
        lambda: PLDAccountant(value_discretization_interval=1e-3 * min(1.0, epsilon)),
        made,
        epsilon,
        delta,
        dp_accounting.ExplicitBracketInterval(0.7 * about, 1.6 * about),
        tol=0.005 * about,
    )
    return float(found)
