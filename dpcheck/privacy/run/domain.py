"""The domain of a run: what its pairs are made of, and how many there are, for the first lines of a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dpcheck.model.neighbours import AddRemove, Pair, Relation
from dpcheck.model.neighbours.domain_words import columns_of, records_in_words, sizes_in_words, sizes_of
from dpcheck.model.neighbours.domains import Bounds, LabelledDomain
from dpcheck.model.neighbours.schema import Schema
from dpcheck.model.verdict import Looked
from dpcheck.privacy.pairs.changes import SIZES


def domain_of(
    relation: Relation | None,
    pairs: Sequence[Pair],
    *,
    dataset: Any,
    given: bool,
    exhaustive: bool,
    left_out: int,
    schema: Schema | None = None,
    own: bool = False,
    larger: range | None = None,
) -> Looked:
    """The domain before the first call.

    Parameters
    ----------
    relation : Relation or None
    pairs : sequence of Pair
        Those given or made; of a search the first ones.
    dataset : any
        Where the pairs were made from, or None.
    given : bool
        Whether the pairs were given.
    exhaustive : bool
        Whether all pairs of the relation are made where they are compared.
    left_out : int
        Pairs that were not made of the dataset, since there are enough.
    schema : Schema, optional
        What small datasets are made from beside the dataset.
    own : bool
        Whether pairs are made of the dataset itself, too.
    larger : range, optional
        Sizes that are searched beside those tried anyway.
    """
    if schema is not None:
        records = _records_of(schema) + _drawn_whole(schema.relation)
        return Looked("candidates", records, _sizes_beside(schema, dataset, own), len(pairs))
    if given:
        sizes = sizes_of(side for pair in pairs for side in (pair.left, pair.right))
        records = records_in_words(relation, "records as in the pairs given (no domain was declared)")
        return Looked("pairs", records, sizes_in_words(sizes) if sizes else "datasets of no known size", len(pairs))
    if dataset is not None:
        records = records_in_words(relation, "records as in the dataset (no domain was declared)")
        return Looked("dataset", records, f"a {_dataset_in_words(dataset)}", len(pairs), left_out)
    declared = None if relation is None else relation.size
    sizes_words = sizes_in_words(SIZES if declared is None else declared)
    records = records_in_words(relation, "records as the relation draws them") + _drawn_whole(relation)
    if declared is None:
        sizes_words += f"{_larger(relation, pairs, larger)} (no size was declared)"
    elif isinstance(getattr(relation, "of", relation), AddRemove):
        sizes_words += " on the larger side"
    return Looked("exhaustive" if exhaustive else "candidates", records, sizes_words, len(pairs))


def _larger(relation: Relation | None, pairs: Sequence[Pair], answered: range | None) -> str:
    """Sizes beyond those tried anyway, which a search takes from the learner's constants, or from what it answers."""
    if hasattr(relation, "pair_strategy"):
        return ""
    larger = [size for size in sizes_of(side for pair in pairs for side in (pair.left, pair.right)) if size > SIZES[-1]]
    if not larger:
        return ""
    words = f", {sizes_in_words(larger).removeprefix('datasets ')} too"
    constants = "by numbers in the learner's code or settings"
    return f"{words}, {constants}" if answered is None else f"{words}, by what it answers, or {constants}"


def searched_domain(
    looked: Looked, relation: Relation | None, pairs: Sequence[Pair], *, schema: bool, larger: range | None = None
) -> Looked:
    """The domain of a search after it: of the pairs that were looked at."""
    found = replace(looked, source="search", pairs=len(pairs))
    if schema or (relation is not None and relation.size is not None):
        return found
    return replace(found, sizes=f"{sizes_in_words(SIZES)}{_larger(relation, pairs, larger)} (no size was declared)")


def _drawn_whole(relation: Relation | None) -> str:
    """That records between bounds are whole numbers, where the bounds do not say so themselves (next steps read it)."""
    records = None if relation is None else relation.records
    domain = None if records is None else records.domain
    bounds = domain.features if isinstance(domain, LabelledDomain) else domain
    if not isinstance(bounds, Bounds) or bounds.whole or not bounds.whole_ends:
        return ""
    return f" (in whole numbers, as the bounds are: {bounds.low}.0 and {bounds.high}.0 have all between)"


def _dataset_in_words(dataset: Any) -> str:
    columns, size = columns_of(dataset), sizes_of([dataset])
    wide = "" if columns is None else f" of {columns} column{'' if columns == 1 else 's'}"
    return sizes_in_words(size, "rows").replace("datasets of", "dataset of") + wide if size else "dataset"


def _records_of(schema: Schema) -> str:
    """The records of small datasets: what of them is not declared is the dataset's, and said to be."""
    if schema.own_rows:
        return "records as in the dataset (no domain was declared)"
    words = records_in_words(schema.relation, "")
    return f"{words} (the labels as in the dataset: none were declared)" if schema.own_labels else words


def _sizes_beside(schema: Schema, dataset: Any, own: bool) -> str:
    small = sizes_in_words(schema.relation.size if schema.relation.size is not None else ())
    whole = _dataset_in_words(dataset)
    return f"{small} made like the {whole}, and that one" if own else f"{small} made like the {whole}"
