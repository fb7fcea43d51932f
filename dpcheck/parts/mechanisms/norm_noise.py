"""Noise for vectors whose neighbours are close in Euclidean distance: density as exp(-|b| / scale).

Its length has the Gamma law of shape d, its direction is uniform. Adding it to a vector of L2 sensitivity s
gives epsilon-DP for ``scale = s / epsilon``. Source: Chaudhuri, Monteleoni & Sarwate 2011, arXiv:0912.0071,
algorithm 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import features_and_labels, is_labelled, private_part
from dpcheck.model.errors import InvalidArgument


def norm_noise(dimension: int, scale: float, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Independent vectors of density proportional to ``exp(-|b| / scale)``.

    Parameters
    ----------
    dimension : int, at least 1
    scale : float, above 0, of the vector's unit; the mean length is ``dimension * scale``
    size : int, how many
    rng : numpy.random.Generator

    Returns
    -------
    array of shape (size, dimension)

    Examples
    --------
    >>> norm_noise(3, 1.0, 2, np.random.default_rng(0)).shape
    (2, 3)
    """
    # A Gaussian vector has a uniform direction; its length is replaced.
    direction = rng.standard_normal((size, dimension))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    length = rng.gamma(dimension, scale, size=(size, 1))
    noise: NDArray[np.float64] = direction * length
    return noise


def in_unit_ball(rows: Any) -> NDArray[np.float64]:
    """The rows, those longer than 1 shortened to length 1; shape (n, d), d = 1 for rows of one number.

    What holds a row is not the other rows' business: no centring and no scaling by the data.

    Raises
    ------
    InvalidArgument
        When a value is not a finite number.

    Examples
    --------
    >>> in_unit_ball([[3.0, 4.0], [0.0, 0.5]])
    array([[0.6, 0.8],
           [0. , 0.5]])
    """
    try:
        table = np.asarray(rows, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"dataset must hold rows of numbers: {error}") from error
    table = table.reshape(len(table), -1)
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    if not np.all(np.isfinite(lengths)):
        raise InvalidArgument("dataset must hold finite numbers, got NaN or an infinity")
    shortened: NDArray[np.float64] = table / np.maximum(lengths, 1.0)
    return shortened


def features_of(dataset: Any) -> NDArray[np.float64]:
    """The features of a labelled dataset, or all of any other, in the unit ball; shape (n, d).

    Raises
    ------
    InvalidArgument
        When there is no record, or a value is not a finite number.
    """
    data = private_part(dataset)
    rows = features_and_labels(data)[0] if is_labelled(data) else data
    if len(rows) == 0:
        raise InvalidArgument("dataset must hold at least one record, got none")
    return in_unit_ball(rows)
