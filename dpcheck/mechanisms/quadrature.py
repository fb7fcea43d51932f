"""Integrals against Laplace noise with kinks at known points: Gauss-Legendre between the kinks."""

from __future__ import annotations

import itertools
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
