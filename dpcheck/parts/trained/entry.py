"""A training whose answer is known."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from dpcheck.model.claims import Claim
from dpcheck.model.training import GaussianSteps

Data = tuple[NDArray[np.float64], NDArray[np.int64]]
RECORDS, FEATURES = 400, 6


@dataclass(frozen=True)
class TrainedEntry:
    """A training, what was accounted for it and what it claims.

    ``broken`` names the premise that does not hold (empty: all do), ``seen_in`` where the mistake was seen in public
    (empty: nowhere that we know).
    """

    name: str
    summary: str
    train: Callable[..., Any]
    claim: Claim
    accounted: GaussianSteps
    dataset: Callable[[], Data]
    neighbours: str = "add-remove"
    broken: str = ""
    seen_in: str = ""


def two_classes() -> Data:
    """400 records of 6 numbers and a label that follows the first two, the same each time.

    >>> x, y = two_classes()
    >>> x.shape, sorted(set(y.tolist()))
    ((400, 6), [0, 1])
    """
    rng = default_rng(11)
    x = 1.5 * rng.normal(size=(RECORDS, FEATURES))
    y = (x[:, 0] - x[:, 1] + rng.normal(size=RECORDS) > 0).astype(np.int64)
    return x, y
