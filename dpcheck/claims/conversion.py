"""From Rényi divergences to delta: the largest hockey-stick divergence that bounds on Rényi divergences allow.

Let ``x`` be the likelihood ratio P/Q and ``E = exp(epsilon)``. Then ``delta = E_Q[(x - E)_+]``, ``E_Q[x] = 1`` and
``E_Q[x^order] <= M``. Every function ``a + b x + c x^order`` (c >= 0) that is nowhere below ``(x - E)_+`` gives the
bound ``delta <= a + b + c M``. The best ones touch ``(x - E)_+`` at two points, ``x1 < E < x2``; given the ratio
``x1 / x2`` all else follows in closed form (and where x1 = 0, b may be above 0). ``x1 = 0 = b`` is proposition 12 of Canonne, Kamath & Steinke 2020
(arXiv:2004.00010), the optimum over the rest is the joint range of Asoodeh et al. 2020 (arXiv:2001.05990). Any ratio
and any order give a *valid* bound, so that a search that stops early costs tightness only, never validity.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: First grid of the search: orders and ratios; then windows around the best with so many points a side.
_ORDERS, _RATIOS, _WINDOW = 61, 31, 13
#: Times the window shrinks (each to a sixth of its width): the last one is 1e-6 wide.
_ZOOMS = 6
#: The least ``order - 1`` that is tried; below it the moments are 1 but for rounding.
_LEAST = 1e-7
#: ``(order - 1) log(x2 / x1)`` from two points that are nearly one to ``x1 = 0``.
_NEAR, _FAR = 1e-11, 60.0
#: Relative rounding of the closed form, from above; it grows with the exponents.
_ROUNDING = 1e-15
#: Halvings of a bracket for epsilon; a double has 53 bits.
_HALVINGS = 60


def delta_of_moments(
    log_moment: Callable[[Floats], Floats], epsilon: float, *, order: float | None, largest: float = 0.0
) -> float:
    """An upper bound on delta at ``epsilon`` from bounds on ``log E_Q[(P/Q)^order]``, tight up to the search.

    Parameters
    ----------
    log_moment : callable, order - 1 (array) -> the bound on the logarithm of the moment, at least 0
    epsilon : float, nats
    order : float or None
        The one order with a bound; None when there is one at every order above 1.
    largest : float
        Where every order has a bound, the largest ``order - 1`` that is worth trying.
    """
    near, far = math.log(_NEAR), math.log(_FAR)
    if order is not None:
        low = high = math.log(order - 1.0)
    else:
        low, high = math.log(_LEAST), math.log(max(1.0, min(largest, 1e15)))
    orders = np.linspace(low, high, 1 if order is not None else _ORDERS)
    ratios = np.linspace(near, far, _RATIOS)
    best = math.inf
    for _ in range(_ZOOMS + 1):
        bounds = _two_point_bounds(log_moment, np.exp(orders)[:, None], np.exp(ratios), epsilon)
        i, j = np.unravel_index(int(np.argmin(bounds)), bounds.shape)
        best = min(best, float(bounds[i, j]))
        orders = _around(orders, int(i), low, high)
        ratios = _around(ratios, int(j), near, far)
    return min(1.0, max(0.0, best))


def _around(grid: Floats, place: int, low: float, high: float) -> Floats:
    """A finer grid between the neighbours of one of its points."""
    if len(grid) == 1:
        return grid
    step = grid[1] - grid[0]
    return np.linspace(max(low, grid[place] - step), min(high, grid[place] + step), _WINDOW)


def _two_point_bounds(
    log_moment: Callable[[Floats], Floats], excess: Floats, ratio: Floats, epsilon: float
) -> Floats:
    """The bound for each ``order - 1`` (excess) and each ``(order - 1) log(x2 / x1)`` (ratio); inf where unusable."""
    order = 1.0 + excess
    gap = ratio / excess  # log(x2 / x1)
    with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
        upper = epsilon + np.log(order / excess) + np.log(np.expm1(-ratio) / np.expm1(-order * gap))  # log x2
        lower = upper - gap  # log x1
        log_scale = -excess * upper - np.log(-order * np.expm1(-ratio))  # log c
        moment = log_moment(excess)
        # a + b + c M = c [(order - 1) (x1^order - 1) - order (x1^(order - 1) - 1) + (M - 1)], all parts at least 0
        touching = np.maximum(excess * np.expm1(order * lower) - order * np.expm1(excess * lower), 0.0)
        inner = np.where(moment > 50.0, np.logaddexp(np.log(touching), moment), np.log(touching + np.expm1(moment)))
        whole = np.exp(log_scale + inner)
        slack = 1.0 + 1e-10 + _ROUNDING * (order * (2.0 + epsilon + np.abs(upper)) + moment)
        bounds = whole * slack
        # a = 0 and b > 0: touching at 0 and at x2; the best b gives 1 - exp(epsilon - divergence), where it is above 0
        divergence = moment / excess
        inside = epsilon - divergence + np.log(order / excess) < 0.0
        bounds = np.minimum(bounds, np.where(inside, -np.expm1(epsilon - divergence) * (1.0 + 1e-10), math.inf))
    return np.where(np.isfinite(bounds), bounds, math.inf)


def smallest_valid_epsilon(delta_at: Callable[[float], float], delta: float, enough: float) -> float:
    """The smallest epsilon at which a decreasing profile is at most ``delta``, from the safe side.

    ``enough`` is an epsilon known to do.
    """
    if not math.isfinite(enough):
        return math.inf
    if delta_at(0.0) <= delta:
        return 0.0
    low, high = 0.0, enough
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high or high - low <= 1e-13 * high:
            break
        low, high = (low, middle) if delta_at(middle) <= delta else (middle, high)
    return high
