"""From Rényi divergences to delta: the largest hockey-stick divergence that bounds on Rényi divergences allow.

Let ``x`` be the likelihood ratio P/Q and ``E = exp(epsilon)``. Then ``delta = E_Q[(x - E)_+]``, ``E_Q[x] = 1`` and
``E_Q[x^order] <= M``. Every function ``a + b x + c x^order`` (c >= 0) that is nowhere below ``(x - E)_+`` gives the
bound ``delta <= a + b + c M``. The best ones touch ``(x - E)_+`` at two points, ``x1 < E < x2``; given the ratio
``x1 / x2`` all else follows in closed form (and where x1 = 0, b may be above 0). ``x1 = 0 = b`` is proposition 12 of
Canonne, Kamath & Steinke 2020 (arXiv:2004.00010), the optimum over the rest is the joint range of Asoodeh et al. 2020
(arXiv:2001.05990). Any ratio and any order give a *valid* bound, so that a search that stops early costs tightness
only, never validity.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

#: The search: a first grid of orders and gaps (or of gaps alone, for one order), then smaller and smaller windows
#: around the best: so many points a side, so many steps of the grid before to each side, so often.
_ORDERS, _GAPS, _GAPS_ALONE, _WINDOW, _STEPS, _ZOOMS = 41, 17, 61, 9, 1.5, 8
#: The least ``order - 1`` and ``log(x2 / x1)`` that are tried; below them all is 1 but for rounding.
_LEAST = 1e-7
#: ``(order - 1) log(x2 / x1)`` at which x1 counts as 0.
_FAR = 60.0
#: A delta too small for a double is rounded up to the smallest one.
SMALLEST = math.ulp(0.0)
#: Relative rounding of the closed form, from above; it grows with the exponents.
_ROUNDING = 1e-15
#: Halvings of a bracket for epsilon; a double has 53 bits.
_HALVINGS = 60


def delta_of_one_moment(log_moment: float, order: float, epsilon: float) -> float:
    """An upper bound on delta at ``epsilon`` from one on ``log E_Q[(P/Q)^order]``: the optimum, from above.

    Parameters
    ----------
    log_moment : float, at least 0
    order : float, above 1
    epsilon : float, nats
    """
    import numpy as np

    excess = order - 1.0
    low, high = math.log(_LEAST), math.log(1.0 + _FAR / excess)
    return _searched(lambda _: np.full((1, 1), log_moment), np.log([excess]), (low, high), _GAPS_ALONE, epsilon)


def delta_of_all_moments(rho: float, epsilon: float) -> float:
    """An upper bound on delta at ``epsilon`` from ``log E_Q[(P/Q)^order] <= rho order (order - 1)`` for all orders.

    Parameters
    ----------
    rho : float, above 0
    epsilon : float, nats
    """
    import numpy as np

    spread = math.sqrt(2.0 * rho)  # of the loss of a Gaussian with this rho: the scale of the gaps
    gaps = (max(math.log(0.01 * spread), math.log(_LEAST)), math.log(20.0 * spread * (1.0 + spread) + 1e-3))
    orders = np.linspace(math.log(_LEAST), math.log(min(8.0 * (1.0 + epsilon / rho), 1e15)), _ORDERS)
    return _searched(lambda excess: rho * (1.0 + excess) * excess, orders, gaps, _GAPS, epsilon)


def _searched(
    log_moment: Callable[[Floats], Floats], orders: Floats, reach: tuple[float, float], count: int, epsilon: float
) -> float:
    """The least bound found; ``orders`` are logarithms of ``order - 1``, ``reach`` those of the gaps' ends."""
    import numpy as np

    low, high = float(orders[0]), float(orders[-1])
    gaps = np.linspace(*reach, count)
    best = math.inf
    for _ in range(_ZOOMS + 1):
        bounds = _two_point_bounds(log_moment, np.exp(orders)[:, None], np.exp(gaps), epsilon)
        i, j = np.unravel_index(int(np.argmin(bounds)), bounds.shape)
        best = min(best, float(bounds[i, j]))
        orders, gaps = _around(orders, int(i), low, high), _around(gaps, int(j), *reach)
    return min(1.0, max(SMALLEST, best))


def _around(grid: Floats, place: int, low: float, high: float) -> Floats:
    """A finer grid around one of its points."""
    import numpy as np

    if len(grid) == 1:
        return grid
    reach = _STEPS * (grid[1] - grid[0])
    return np.linspace(max(low, grid[place] - reach), min(high, grid[place] + reach), _WINDOW)


def _two_point_bounds(log_moment: Callable[[Floats], Floats], excess: Floats, gap: Floats, epsilon: float) -> Floats:
    """The bound for each ``order - 1`` (excess) and each ``log(x2 / x1)`` (gap)."""
    import numpy as np

    order = 1.0 + excess
    ratio = excess * gap
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
        # x1 = 0 = a = b: proposition 12 of Canonne, Kamath & Steinke, which never overflows
        log_tail = moment - excess * epsilon + order * (np.log(excess) - np.log1p(excess)) - np.log(excess)
        rounding = _ROUNDING * (excess * (2.0 + epsilon) + moment)
        bounds = np.fmin(bounds, np.exp(log_tail) * (1.0 + 1e-10 + rounding))
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
