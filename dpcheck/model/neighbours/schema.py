"""The schema of a dataset: its containers, columns, bounds and labels, so that small datasets can be made like it.

A leak that hides among a hundred rows shows in a dataset of three. What records are allowed is declared; labels that
are not are those of the dataset. Where no bounds are declared, nothing is made up: the records are the dataset's own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcheck.model.data import SemiPrivate, features_and_labels, is_labelled, record_at, size_of
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, LabelledDomain, Values, flat, is_number
from dpcheck.model.neighbours.pairs_of_dataset import resolved
from dpcheck.model.neighbours.records import Records
from dpcheck.model.neighbours.relations import AddRemove, LabelsOnly, Relation, ReplaceOne
from dpcheck.model.neighbours.sizes import size_problem
from dpcheck.model.neighbours.table import columns_of, leverage, missed_by_rows, table_of

#: Sizes of the small datasets where none are declared: leaks show best in few records, and every record costs time.
SMALL_SIZES = range(1, 7)
#: Rows of the dataset that small ones are made of where no bounds are declared: those with most leverage.
ROWS_KEPT = 20
#: Of them so many miss a number, where there are others.
ROWS_WITH_HOLES = 6


@dataclass(frozen=True, eq=False)
class Schema:
    """What small datasets are made from: ``template`` lends its containers and types, ``relation`` records and sizes.

    ``own_rows`` says that no bounds are declared, so that records are rows of the dataset; ``own_labels`` that no
    labels are, so that they are the dataset's.
    """

    template: Any
    relation: ReplaceOne | AddRemove | LabelsOnly
    own_rows: bool = False
    own_labels: bool = False


def schema_of(dataset: Any, relation: Relation) -> Schema | None:
    """The schema of a dataset under a relation; None where small datasets cannot be made or are not in the claim.

    Parameters
    ----------
    dataset : dataset
    relation : Relation
        Its size, where declared, is that of the datasets made; else :data:`SMALL_SIZES`.

    Examples
    --------
    >>> data = (np.array([[0.5, 20.0], [0.1, 44.0]]), np.array([0, 1]))
    >>> found = schema_of(data, ReplaceOne(Records.labelled(features=Records.bounded([0, 18], [1, 99]))))
    >>> str(found.relation.records)
    'features (0 to 1, 18 to 99 in whole numbers), labels one of (0, 1)'
    """
    if not isinstance(relation, ReplaceOne | AddRemove | LabelsOnly) or isinstance(dataset, SemiPrivate):
        return None
    size = size_of(dataset)
    if size == 0 or (relation.size is not None and _least(relation.size) >= size):
        return None
    declared = relation.records.domain if relation.records is not None else None
    sizes = SMALL_SIZES if relation.size is None else relation.size
    if not is_labelled(dataset):
        found = _features(dataset, declared)
        if found is None or isinstance(relation, LabelsOnly):
            return None
        return Schema(dataset, replace(relation, records=Records(found), size=sizes), own_rows=declared is None)
    if declared is not None and not isinstance(declared, LabelledDomain | Bounds | Columns):
        return None
    parts = declared if isinstance(declared, LabelledDomain) else LabelledDomain(declared, None)
    x, _ = features_and_labels(dataset)
    features = _features(x, parts.features)
    labels = resolved(dataset, Records(replace(parts, features=parts.features or Bounds(0.0, 1.0)))).domain
    assert isinstance(labels, LabelledDomain)
    if features is None or labels.labels is None:
        return None
    records = Records(LabelledDomain(features, labels.labels))
    return Schema(
        dataset,
        replace(relation, records=records, size=sizes),
        own_rows=parts.features is None,
        own_labels=parts.labels is None,
    )


def _features(x: Any, declared: Domain | None) -> Domain | None:
    """The domain of the records of ``x``, a domain for each column where there are columns."""
    columns = columns_of(x)
    plain = all(is_number(value) for column in columns for value in column)
    if declared is None:
        held = all(
            value is None or isinstance(value, str) or is_number(value) for column in columns for value in column
        )
        return Values(tuple(_as_tuple(record_at(x, row)) for row in _telling(x))) if held else None
    scalar = not isinstance(record_at(x, 0), np.ndarray | list | tuple)
    if not plain or not isinstance(declared, Bounds | Columns):
        return declared
    each = declared.columns if isinstance(declared, Columns) else (declared,) * len(columns)
    if len(each) != len(columns):
        return None
    found = tuple(_column(bounds, column) for bounds, column in zip(each, columns, strict=True))
    return found[0] if scalar else Columns(found)


def _column(bounds: Bounds | Values, column: list[Any]) -> Bounds | Values:
    """Bounds of whole numbers where the column holds nothing else."""
    if not isinstance(bounds, Bounds) or math.ceil(bounds.low) > math.floor(bounds.high):
        return bounds
    whole = all(math.isfinite(value) and float(value).is_integer() for value in column)
    return replace(bounds, whole=True) if whole else bounds


def _telling(x: Any) -> list[int]:
    """Rows with most leverage in their order, not more than a part of them of those that miss numbers: the most."""
    by_weight = np.argsort(-leverage(table_of(x)), kind="stable")
    missed = missed_by_rows(x)[by_weight]
    whole = by_weight[missed == 0]
    holes = by_weight[np.argsort(-missed, kind="stable")][: len(by_weight) - len(whole)]
    holes = holes[: max(ROWS_WITH_HOLES, ROWS_KEPT - len(whole))]
    return sorted(map(int, [*whole[: ROWS_KEPT - len(holes)], *holes]))


def _as_tuple(record: Any) -> Any:
    return tuple(flat(record)) if isinstance(record, np.ndarray | list | tuple) else record


def _least(size: int | range) -> int:
    return size if isinstance(size, int) else min(size[0], size[-1])


def of_its_size(relation: Any, dataset: Any) -> Any:
    """A relation that speaks of datasets as large as this one, so that no small ones are searched beside it.

    What declares a size already, and what is no relation of single records, stays as it is.

    Examples
    --------
    >>> of_its_size(ReplaceOne(records=(0, 1)), [0.1, 0.2]).size
    2
    """
    if not isinstance(relation, ReplaceOne | AddRemove | LabelsOnly) or relation.size is not None:
        return relation
    size = size_of(dataset)
    return replace(relation, size=range(size, size + 2) if isinstance(relation, AddRemove) else size)


def in_declared_size(dataset: Any, relation: Relation) -> bool:
    """Whether a dataset has one of the sizes that a relation declares, so that its own pairs are in the claim."""
    return size_problem(relation.size, size_of(dataset)) is None
