"""Datasets in the form learners expect, made of the records that were drawn or listed."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcheck.model.data import UNLABELLED
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, LabelledDomain
from dpcheck.model.neighbours.records import Records


def assembled(rows: list[Any], declared: Records) -> Any:
    """A dataset of these records in the form learners expect.

    Examples
    --------
    >>> assembled([([0.5], 1), ([0.7], 0)], Records.labelled(features=([0], [1]), labels=[0, 1]))
    (array([[0.5],
           [0.7]]), [1, 0])
    """
    domain = declared.domain
    if isinstance(domain, LabelledDomain):
        return _column([x for x, _ in rows], domain.features), [label for _, label in rows]
    return _column(rows, domain)


def _column(rows: list[Any], domain: Domain | None) -> Any:
    if isinstance(domain, Columns) and all(isinstance(column, Bounds) for column in domain.columns):
        return np.array(rows, dtype=np.float64).reshape(len(rows), len(domain.columns))
    return rows


def without_labels(rows: list[Any], labelled: int) -> list[Any]:
    """Records (x, label) of which those after the first ``labelled`` ones have no label.

    >>> without_labels([(5, 1), (7, 0)], 1)
    [(5, 1), (7, -1)]
    """
    return [*rows[:labelled], *((x, UNLABELLED) for x, _ in rows[labelled:])]
