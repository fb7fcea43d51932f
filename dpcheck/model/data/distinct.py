"""Datasets by value: each once, whatever objects hold it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data.descriptions import digest
from dpcheck.model.data.equality import same_dataset


def distinct_datasets(datasets: Iterable[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    """Each dataset once, in the order of first use, and the place of each that was given among these.

    Two are one where both their values and the types of these are the same: a learner may tell 1 from 1.0. Those whose
    values have no text of their own (:func:`digest`) are told apart as objects.

    Examples
    --------
    >>> datasets, places = distinct_datasets([[0, 1], [1, 1], [0, 1]])
    >>> datasets, places.tolist()
    ([[0, 1], [1, 1]], [0, 1, 0])
    """
    found: list[Any] = []
    alike: dict[tuple[Any, ...], list[int]] = {}  # the places of those with one digest
    places: dict[int, int] = {}
    given = list(datasets)
    for dataset in given:
        if id(dataset) in places:
            continue
        key = tuple(digest(dataset).values())
        some = alike.setdefault(key if key[-1] is not None else (id(dataset),), [])
        place = next((one for one in some if same_dataset(found[one], dataset)), len(found))
        if place == len(found):
            found.append(dataset)
            some.append(place)
        places[id(dataset)] = place
    return found, np.array([places[id(dataset)] for dataset in given], dtype=np.int64)
