"""A dataset in a few words, and as a digest that tells whether it is the same one."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from dpcheck.model.data.containers import Labelled, SemiPrivate
from dpcheck.model.data.kinds import describe_record, is_frame, is_series
from dpcheck.model.data.rows import record_at, size_of
from dpcheck.model.errors import InvalidArgument

_SHOWN_RECORDS = 8
_SHOWN_TEXT = 40


def describe_dataset(dataset: Any) -> str:
    """A dataset in one short line: its values if they are few, else its size and first record.

    Examples
    --------
    >>> describe_dataset([0, 1, 1])
    '[0, 1, 1]'
    >>> describe_dataset(np.zeros((569, 4)))
    '569 records, the first (0, 0, 0, 0)'
    """
    if isinstance(dataset, SemiPrivate):
        return f"private: {describe_dataset(dataset.private)}; public: {describe_dataset(dataset.public)}"
    try:
        size = size_of(dataset)
    except InvalidArgument:
        return describe_record(dataset)
    if size == 0:
        return "no records"
    if size <= _SHOWN_RECORDS:
        shown = f"[{', '.join(describe_record(record_at(dataset, row)) for row in range(size))}]"
        if len(shown) <= 2 * _SHOWN_TEXT:
            return shown
    return f"{size} record{'' if size == 1 else 's'}, the first {describe_record(record_at(dataset, 0))}"


def digest(dataset: Any) -> dict[str, Any]:
    """What identifies a dataset, as JSON data: its kind, number of records and a SHA-256 of its values.

    The same values give the same digest in every process. ``sha256`` is None where the values have no text of
    their own to digest, and ``records`` where it is no dataset.

    Examples
    --------
    >>> digest([1, 2])["records"], digest([1, 2]) == digest([1, 2]), digest([1, 2]) == digest([1, 3])
    (2, True, False)
    """
    try:
        records: int | None = size_of(dataset)
    except InvalidArgument:
        records = None
    state = hashlib.sha256()
    try:
        _feed(state, dataset)
        sha: str | None = state.hexdigest()
    except Exception:
        sha = None
    return {"kind": type(dataset).__name__, "records": records, "sha256": sha}


def _feed(state: Any, value: Any) -> None:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        state.update(f"array {value.dtype.str} {value.shape}:".encode())
        state.update(np.ascontiguousarray(value).tobytes())
    elif isinstance(value, np.generic):
        _feed(state, np.asarray(value))
    elif isinstance(value, np.ndarray):
        state.update(f"objects {value.shape}:".encode())
        _feed(state, value.ravel().tolist())
    elif is_frame(value):
        state.update(f"frame {list(map(str, value.columns))}:".encode())
        for j in range(value.shape[1]):
            _feed(state, value.iloc[:, j])
    elif is_series(value):
        _feed(state, value.to_numpy())
    elif isinstance(value, Labelled | SemiPrivate):
        state.update(f"{type(value).__name__}:".encode())
        _feed(state, list(vars(value).values()))
    elif isinstance(value, list | tuple):
        state.update(f"{type(value).__name__} {len(value)}:".encode())
        for item in value:
            _feed(state, item)
    else:
        text = repr(value)
        if " at 0x" in text:
            raise TypeError("its text holds an address, which differs from process to process")
        state.update(f"{type(value).__name__} {text};".encode())
