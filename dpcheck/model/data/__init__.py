"""What a dataset is: whatever the learner takes, seen as a sequence of records.

Datasets are arrays, lists and tuples of records, pandas DataFrames (pandas itself is never imported here),
pairs ``(X, y)`` of equal length, :class:`Labelled` and :class:`SemiPrivate`. The functions that change a
record want one of these; copying, comparing, describing and digesting work for anything, because given pairs
may hold anything.
"""

from dpcheck.model.data.containers import (
    UNLABELLED,
    Labelled,
    SemiPrivate,
    features_and_labels,
    is_labelled,
    private_part,
)
from dpcheck.model.data.copies import copier, copy_dataset
from dpcheck.model.data.descriptions import describe_dataset, digest
from dpcheck.model.data.distinct import distinct_datasets
from dpcheck.model.data.equality import same_dataset, same_record
from dpcheck.model.data.kinds import describe_record, describe_value, is_frame, is_pandas, is_series
from dpcheck.model.data.rows import append_record, record_at, remove_record, replace_label, replace_record, size_of
from dpcheck.model.data.selection import take_records

__all__ = [
    "UNLABELLED",
    "Labelled",
    "SemiPrivate",
    "append_record",
    "copier",
    "copy_dataset",
    "describe_dataset",
    "describe_record",
    "describe_value",
    "digest",
    "distinct_datasets",
    "features_and_labels",
    "is_frame",
    "is_labelled",
    "is_pandas",
    "is_series",
    "private_part",
    "record_at",
    "remove_record",
    "replace_label",
    "replace_record",
    "same_dataset",
    "same_record",
    "size_of",
    "take_records",
]
