"""What a relation is about, in words: the first thing to read in a verdict, for it says where was looked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dpcheck.model.data import describe_record, size_of
from dpcheck.model.errors import DpcheckError
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, Drawn, LabelledDomain, Values

#: Values that are listed, columns that are, and characters of a strategy.
_VALUES, _COLUMNS, _STRATEGY = 6, 4, 60


def records_in_words(relation: Any, undeclared: str) -> str:
    """The records of a relation, of :class:`dpcheck.PrivatePart` with those of the public part.

    Parameters
    ----------
    relation : Relation or None
    undeclared : str
        What is said where it declares none.

    Examples
    --------
    >>> from dpcheck.model.neighbours import PrivatePart, Records, ReplaceOne
    >>> records_in_words(ReplaceOne(Records.labelled(features=([0] * 3, [1] * 3), labels=[0, 1])), "")
    'records with features 0 to 1 in each of 3 columns, labels 0 or 1'
    >>> records_in_words(PrivatePart(records=[0, 1], public=(0, 5)), "")
    'private records 0 or 1, public ones 0 to 5'
    """
    records, public = getattr(relation, "records", None), getattr(relation, "public", None)
    if records is None:
        return undeclared
    words = _words(records.domain)
    if public is not None:
        return f"private records {words}, public ones {_words(public.domain)}"
    return f"records {'with ' if isinstance(records.domain, LabelledDomain) else ''}{words}"


def sizes_in_words(sizes: int | range | Iterable[int], what: str = "records") -> str:
    """Sizes of datasets.

    >>> sizes_in_words(3), sizes_in_words(range(1, 9)), sizes_in_words([2, 2, 4])
    ('datasets of 3 records', 'datasets of 1 to 8 records', 'datasets of 2 or 4 records')
    """
    found: Sequence[int]
    if isinstance(sizes, range):  # as it is: it may be one of a thousand million
        found = sizes if sizes.step > 0 else sizes[::-1]
    else:
        found = [sizes] if isinstance(sizes, int) else sorted(set(sizes))
    if len(found) == 1:
        return f"datasets of {found[0]:,} {what if found[0] != 1 else what.removesuffix('s')}"
    together = found[-1] - found[0] == len(found) - 1
    if len(found) == 2 or (len(found) <= _VALUES and not together):
        return f"datasets of {_either([f'{size:,}' for size in found])} {what}"
    steps = "" if together else f" ({len(found):,} sizes)"
    return f"datasets of {found[0]:,} to {found[-1]:,} {what}{steps}"


def sizes_of(datasets: Iterable[Any]) -> list[int]:
    """The sizes of datasets, of those that have one."""
    found = []
    for dataset in datasets:
        try:
            found.append(size_of(dataset))
        except DpcheckError:
            continue
    return found


def columns_of(dataset: Any) -> int | None:
    """The columns of an array or table, of the features where there are labels; None for anything else.

    >>> import numpy as np
    >>> columns_of((np.zeros((5, 3)), np.zeros(5))), columns_of([1, 2])
    (3, None)
    """
    from dpcheck.model.data import features_and_labels, is_labelled, private_part

    records = private_part(dataset)
    if is_labelled(records):
        records = features_and_labels(records)[0]
    shape = getattr(records, "shape", None)
    return int(shape[1]) if isinstance(shape, tuple) and len(shape) == 2 else None


def _words(domain: Domain | None) -> str:
    if domain is None:
        return "not declared"
    if isinstance(domain, Values):
        return _values(domain.values)
    if isinstance(domain, Columns):
        return _columns(domain.columns)
    if isinstance(domain, LabelledDomain):
        without = "" if domain.missing is None else f", {domain.missing} for none"
        return f"features {_words(domain.features)}, labels {_words(domain.labels)}{without}"
    if isinstance(domain, Drawn):
        text = " ".join(repr(domain.strategy).split())
        return f"drawn from {text if len(text) <= _STRATEGY else text[: _STRATEGY - 3] + '...'}"
    return str(domain)


def _columns(columns: Sequence[Bounds | Values]) -> str:
    words = [_words(column) for column in columns]
    if len(set(words)) == 1:
        return f"{words[0]} in each of {len(words)} columns" if len(words) > 1 else f"{words[0]} in 1 column"
    told = [f"{text} in column {place}" for place, text in enumerate(words[:_COLUMNS])]
    more = f", and {len(words) - _COLUMNS} more columns" if len(words) > _COLUMNS else ""
    return ", ".join(told) + more


def _values(values: Sequence[Any]) -> str:
    if len(values) <= _VALUES:
        return _either([describe_record(value) for value in values])
    first = ", ".join(describe_record(value) for value in values[:3])
    return f"of {len(values):,} values: {first}, ..., {describe_record(values[-1])}"


def _either(words: Sequence[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
