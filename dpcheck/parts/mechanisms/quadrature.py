"""Integrals against Laplace noise with kinks at known points: Gauss-Legendre between the kinks."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

#: Points per panel. On a panel no longer than the shortest scale the integrands here are sums of exponentials
#: exp(a u), u in [0, 1], a up to about the number of queries: at a = 10 16 points err by less than 1e-18.
_POINTS = 16

#: How far beyond the outermost kink to go, in scales: what is left out has mass exp(-60) = 9e-27.
_REACH = 60.0


def panels(kinks: Iterable[float], width: float, reach: float) -> NDArray[np.float64]:
    """Ends of panels no longer than ``width`` from ``reach`` below the kinks to ``reach`` above them.

    Examples
    --------
    >>> panels([0.0, 1.0], 0.5, 1.0).tolist()
    [-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0]
    """
    inner = sorted(set(kinks))
    ends = [inner[0] - reach, *inner, inner[-1] + reach]
    pieces = [np.linspace(a, b, int(np.ceil((b - a) / width)) + 1)[:-1] for a, b in itertools.pairwise(ends)]
    return np.append(np.concatenate(pieces), ends[-1])


def nodes_and_weights(
    edges: NDArray[np.float64], points: int = _POINTS
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Gauss-Legendre points and weights on each panel.

    Parameters
    ----------
    edges : array of shape (m + 1,), increasing
    points : int, at least 1, per panel

    Returns
    -------
    nodes, weights : arrays of shape (m, points)
        ``(weights * f(nodes)).sum(axis=1)`` is the integral of f over each panel.

    Examples
    --------
    >>> nodes, weights = nodes_and_weights(np.array([0.0, 1.0, 3.0]))
    >>> np.round((weights * nodes).sum(axis=1), 12).tolist()
    [0.5, 4.0]
    """
    places, mass = np.polynomial.legendre.leggauss(points)
    half = np.diff(edges)[:, None] / 2
    return edges[:-1, None] + half * (places[None, :] + 1), half * mass[None, :]


def laplace_expectation_rule(
    scale: float, kinks: Iterable[float], shortest: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points and weights such that ``(weights * g(points)).sum()`` is ``E g(noise)`` for Laplace noise.

    Parameters
    ----------
    scale : float, of the noise, at least 0 (0: no noise, one point)
    kinks : where g is not smooth
    shortest : float, the shortest scale on which g changes between kinks (0: g is constant there)

    Returns
    -------
    points, weights : arrays of shape (m,)

    Examples
    --------
    >>> points, weights = laplace_expectation_rule(2.0, [1.0], 2.0)
    >>> bool(abs((weights * (points > 1.0)).sum() - np.exp(-0.5) / 2) < 1e-14)
    True
    """
    if scale == 0:
        return np.zeros(1), np.ones(1)
    width = min(scale, shortest) if shortest > 0 else scale
    nodes, weights = nodes_and_weights(panels([0.0, *kinks], width, _REACH * scale))
    return nodes.ravel(), (weights * np.exp(-np.abs(nodes) / scale) / (2 * scale)).ravel()


def exponential_expectation_rule(
    scale: float, kinks: Iterable[float], shortest: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points and weights such that ``(weights * g(points)).sum()`` is ``E g(noise)`` for exponential noise.

    Parameters
    ----------
    scale : float, of the noise, above 0
    kinks : where g is not smooth
    shortest : float, above 0, the shortest scale on which g changes between kinks

    Returns
    -------
    points, weights : arrays of shape (m,)

    Examples
    --------
    >>> points, weights = exponential_expectation_rule(2.0, [1.0], 2.0)
    >>> bool(abs((weights * (points > 1.0)).sum() - np.exp(-0.5)) < 1e-14)
    True
    """
    edges = panels([0.0, *(kink for kink in kinks if kink > 0)], min(scale, shortest), _REACH * scale)
    nodes, weights = nodes_and_weights(edges[edges >= 0])
    return nodes.ravel(), (weights * np.exp(-nodes / scale) / scale).ravel()


def running_integral(
    edges: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The integral from the first edge up to each Gauss-Legendre point, and up to the last edge.

    Parameters
    ----------
    edges : array of shape (m + 1,), increasing
    values : array of shape (m, points), the integrand at the points of :func:`nodes_and_weights`

    Returns
    -------
    up_to_points : array of shape (m, points)
    whole : array of shape (), the integral over all panels

    Examples
    --------
    >>> edges = np.array([0.0, 1.0, 3.0])
    >>> nodes, _ = nodes_and_weights(edges, 3)
    >>> up_to, whole = running_integral(edges, 2 * nodes)
    >>> bool(np.allclose(up_to, nodes**2)), round(float(whole), 12)
    (True, 9.0)
    """
    points = values.shape[1]
    places, mass = np.polynomial.legendre.leggauss(points)
    # Row k integrates the polynomial through the points from -1 to point k.
    powers = np.vander(places, points, increasing=True)
    orders = np.arange(1, points + 1)
    integrals = (places[:, None] ** orders - (-1.0) ** orders) / orders
    inside = integrals @ np.linalg.inv(powers)
    half = np.diff(edges)[:, None] / 2
    panel = (half * mass * values).sum(axis=1)
    before = np.concatenate([[0.0], np.cumsum(panel)])
    return before[:-1, None] + half * (values @ inside.T), np.asarray(before[-1])


def laplace_mass(low: float, high: float, centre: float, scale: float) -> float:
    """``P(low < centre + noise <= high)`` for Laplace noise, from the tail where it lies, so that no digit is lost.

    Examples
    --------
    >>> round(laplace_mass(-math.inf, 1.0, 1.0, 2.0), 12), laplace_mass(2.0, 2.0, 0.0, 1.0)
    (0.5, 0.0)
    """
    if high <= low:
        return 0.0
    a, b = (low - centre) / scale, (high - centre) / scale
    if a >= 0:
        return 0.5 * (math.exp(-a) - math.exp(-b))
    if b <= 0:
        return 0.5 * (math.exp(b) - math.exp(a))
    return 1.0 - 0.5 * math.exp(a) - 0.5 * math.exp(-b)


def laplace_cdf(x: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
    """``P(noise <= x)`` for Laplace noise; for scale 0 whether ``x >= 0``.

    Examples
    --------
    >>> laplace_cdf(np.array([-1.0, 0.0]), 0.0).tolist(), laplace_cdf(np.array([0.0]), 1.0).tolist()
    ([0.0, 1.0], [0.5])
    """
    if scale == 0:
        return np.asarray(x >= 0, dtype=float)
    tail = 0.5 * np.exp(-np.abs(x) / scale)
    return np.where(x < 0, tail, 1.0 - tail)
