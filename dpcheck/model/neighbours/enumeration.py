"""All neighbouring pairs of a small finite domain, each unordered pair once.

Datasets are counted, not listed, before anything is made: n records of k kinds are k^n sequences, and
C(k + n - 1, n) multisets for a learner that does not look at the order of its records.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import UNLABELLED, Labelled, describe_record
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours.domains import Columns, Domain, LabelledDomain, Values, distinct
from dpcheck.model.neighbours.entries import ReplaceEntry
from dpcheck.model.neighbours.entries_and_transcripts import EntryAndTranscript
from dpcheck.model.neighbours.pairs import Pair
from dpcheck.model.neighbours.records import Records
from dpcheck.model.neighbours.relations import AddRemove, LabelsOnly, Relation, ReplaceOne

#: More datasets than this are not asked for their law: at 50 microseconds each it takes 10 s.
MOST_DATASETS = 200_000
#: More pairs than this are not compared: two numbers each, 160 MB.
MOST_PAIRS = 10_000_000
#: Datasets are numbered by their rows as digits, in 64 bits.
LARGEST_NUMBER = 2**62
#: Datasets of more records than this are not listed, of however few kinds.
LARGEST_LISTED = 10_000

#: So many sizes are named one by one.
_SIZES_SHOWN = 8
_WHAT_IS_FINITE = (
    "Records.of([...]), or Records.labelled(features=[...], labels=[...]); for whole numbers range(low, high)"
)


@dataclass(frozen=True, eq=False)
class Enumerated:
    """All datasets of a finite domain as rows of record kinds, and all neighbouring pairs of them.

    ``kinds`` are the records; ``blocks`` the datasets, an array of shape (datasets, size) of places in ``kinds`` per
    size; ``pairs`` (P, 2) are numbers of datasets, counted through the blocks; ``labelled`` whether records are
    (x, label) and datasets :class:`~dpcheck.model.data.Labelled`.
    """

    relation: Relation
    kinds: tuple[Any, ...]
    blocks: tuple[NDArray[np.int64], ...]
    pairs: NDArray[np.int64]
    labelled: bool
    order_blind: bool

    @property
    def size(self) -> int:
        """How many datasets there are."""
        return sum(len(block) for block in self.blocks)

    def dataset(self, number: int) -> Any:
        """One dataset: a list of records, or :class:`~dpcheck.model.data.Labelled`."""
        for block in self.blocks:
            if number < len(block):
                records = [self.kinds[kind] for kind in block[number].tolist()]
                if self.labelled:
                    return Labelled([x for x, _ in records], [label for _, label in records])
                return records
            number -= len(block)
        raise IndexError(number)

    def datasets(self) -> list[Any]:
        """All datasets."""
        if self.labelled:
            return [self.dataset(number) for number in range(self.size)]
        kinds = self.kinds
        return [[kinds[kind] for kind in row] for block in self.blocks for row in block.tolist()]

    def pair(self, place: int) -> Pair:
        """One pair, with what differs in words."""
        left, right = (int(number) for number in self.pairs[place])
        return Pair(self.dataset(left), self.dataset(right), self._change(left, right))

    def _change(self, left: int, right: int) -> str:
        one, other = self._kinds_of(left), self._kinds_of(right)
        gone = list(one)
        came = []
        for kind in other:
            if kind in gone:
                gone.remove(kind)
            else:
                came.append(kind)
        said = [describe_record(self.kinds[kind]) for kind in (*gone, *came)]
        if gone and came:
            return f"one record {said[0]} replaced by {said[1]}"
        return f"one record {said[0]} {'removed' if gone else 'added'}"

    def _kinds_of(self, number: int) -> list[int]:
        for block in self.blocks:
            if number < len(block):
                found: list[int] = block[number].tolist()
                return found
            number -= len(block)
        raise IndexError(number)


def all_pairs(relation: Relation, *, order_blind: bool = False) -> Enumerated:
    """All neighbouring pairs of a relation whose records and sizes are finite.

    Parameters
    ----------
    relation : ReplaceOne, AddRemove, LabelsOnly, ReplaceEntry or EntryAndTranscript
        With finite ``records`` and with ``size``.
    order_blind : bool
        Whether the learner takes a dataset as a multiset: then each is listed once, in one order. Under ReplaceEntry
        the labelled entries are one multiset, those without a label another.

    Raises
    ------
    InvalidArgument
        When records or sizes are not finite, when the relation is another, or when there are too many pairs (the
        message says how many).

    Examples
    --------
    >>> found = all_pairs(ReplaceOne(records=[0, 1], size=2))
    >>> found.size, len(found.pairs), found.dataset(1)
    (4, 4, [0, 1])
    >>> found = all_pairs(ReplaceOne(records=range(16), size=5), order_blind=True)
    >>> found.size, len(found.pairs)
    (15504, 465120)
    """
    if not isinstance(relation, ReplaceOne | AddRemove | LabelsOnly | ReplaceEntry | EntryAndTranscript):
        raise InvalidArgument(
            "exhaustive wants neighbours of ReplaceOne, AddRemove, LabelsOnly, ReplaceEntry or EntryAndTranscript with "
            f"finite records and a size, got {relation.name}"
        )
    kinds, labelled = _kinds(relation)
    sizes = _sizes(relation)
    if isinstance(relation, ReplaceEntry):
        return _pairs_of_entries(relation, kinds, sizes, order_blind)
    swaps = _swaps(relation, kinds)
    _check_counts(relation, len(kinds), len(swaps), sizes, order_blind)
    blocks: list[NDArray[np.int64]] = []
    pairs: list[NDArray[np.int64]] = []
    smaller_ones = {size - 1 for size in sizes} if isinstance(relation, AddRemove) else set()
    wanted = sorted({*sizes, *smaller_ones})
    starts = {}
    total = 0
    for size in wanted:
        blocks.append(_datasets(len(kinds), size, order_blind))
        starts[size] = total
        total += len(blocks[-1])
    for size in sizes:
        if isinstance(relation, AddRemove):
            rest = _datasets(len(kinds), size - 1, order_blind)
            inserted = starts[size] + _inserted(rest, len(kinds), order_blind)  # (places, rests, kinds)
            smaller = starts[size - 1] + np.broadcast_to(np.arange(len(rest))[None, :, None], inserted.shape)
            both = np.stack([inserted.reshape(-1), smaller.reshape(-1)], axis=1)
            pairs.append(both if order_blind else np.unique(both, axis=0))  # equal neighbours: one removal, two places
        else:
            pairs.append(starts[size] + _replaced_pairs(len(kinds), size, swaps, order_blind))
    found = np.concatenate(pairs)
    return Enumerated(relation, kinds, tuple(blocks), found, labelled, order_blind)


def all_datasets(records: Records | None, sizes: Iterable[int], *, order_blind: bool, most: int) -> list[Any]:
    """All datasets of finite records and some sizes, each once.

    Raises
    ------
    InvalidArgument
        When the records are not finite, or there are more datasets than ``most``.

    Examples
    --------
    >>> from dpcheck.model.neighbours.records import as_records
    >>> all_datasets(as_records([5, 6]), range(2), order_blind=False, most=100)
    [[], [5], [6]]
    """
    domain = records.domain if records is not None else None
    kinds = _listed(domain)
    labelled = isinstance(domain, LabelledDomain)
    wanted = list(sizes)
    count = sum(comb(len(kinds) + size - 1, size) if order_blind else len(kinds) ** size for size in wanted)
    if count > most:
        raise InvalidArgument(f"exhaustive can go through {most:,} public parts at most, got {count:,}")
    found: list[Any] = []
    for size in wanted:
        for row in _datasets(len(kinds), size, order_blind).tolist():
            rows = [kinds[kind] for kind in row]
            found.append(Labelled([x for x, _ in rows], [label for _, label in rows]) if labelled else rows)
    return found


def _pairs_of_entries(
    relation: ReplaceEntry, kinds: tuple[Any, ...], sizes: Sequence[int], order_blind: bool
) -> Enumerated:
    """Labelled parts times the others; a pair differs in one of the two."""
    points = distinct([x for x, _ in kinds])
    swaps = tuple(_swaps(relation, some) for some in (kinds, points))
    shapes = [
        (labelled, size - labelled)
        for size in sizes
        for labelled in (range(size + 1) if relation.labelled is None else [relation.labelled])
    ]
    _check_counts_of_entries(shapes, (len(kinds), len(points)), (len(swaps[0]), len(swaps[1])), order_blind)
    blocks, pairs, total = [], [], 0
    for shape in shapes:
        parts = [
            _datasets(count, size, order_blind) for count, size in zip((len(kinds), len(points)), shape, strict=True)
        ]
        # the labelled part slowly, the other fast
        first, second = (np.arange(len(part), dtype=np.int64) for part in parts)
        blocks.append(
            np.concatenate(
                [np.repeat(parts[0], len(second), axis=0), len(kinds) + np.tile(parts[1], (len(first), 1))], axis=1
            )
        )
        changed = [
            _replaced_pairs(*each, order_blind) for each in zip((len(kinds), len(points)), shape, swaps, strict=True)
        ]
        pairs.append(total + (changed[0][:, None, :] * len(second) + second[None, :, None]).reshape(-1, 2))
        pairs.append(total + (first[:, None, None] * len(second) + changed[1][None, :, :]).reshape(-1, 2))
        total += len(blocks[-1])
    every = (*kinds, *((x, UNLABELLED) for x in points))
    return Enumerated(relation, every, tuple(blocks), np.concatenate(pairs), True, order_blind)


def _replaced_pairs(kinds: int, size: int, swaps: NDArray[np.int64], order_blind: bool) -> NDArray[np.int64]:
    """The numbers of all pairs of datasets of a size that differ in one record, shape (P, 2)."""
    if size == 0:
        return np.zeros((0, 2), dtype=np.int64)
    inserted = _inserted(_datasets(kinds, size - 1, order_blind), kinds, order_blind)  # (places, rests, kinds)
    return np.stack([inserted[:, :, swaps[:, 0]], inserted[:, :, swaps[:, 1]]], axis=-1).reshape(-1, 2)


def _kinds(relation: Relation) -> tuple[tuple[Any, ...], bool]:
    """The records of the domain, and whether they carry labels."""
    domain = relation.records.domain if relation.records is not None else None
    if domain is None:
        raise InvalidArgument(f"records must be declared and finite for exhaustive, got none: {_WHAT_IS_FINITE}")
    listed = tuple(_listed(domain))
    labelled = isinstance(domain, LabelledDomain)
    if isinstance(relation, LabelsOnly | ReplaceEntry) and not labelled:
        raise InvalidArgument(
            f"records of {type(relation).__name__} must have features and labels, got {domain}: {_WHAT_IS_FINITE}"
        )
    return listed, labelled


def _listed(domain: Domain | None) -> list[Any]:
    if isinstance(domain, Values):
        return distinct(domain.values)
    if isinstance(domain, Columns):
        return list(itertools.product(*(_listed(column) for column in domain.columns)))
    if isinstance(domain, LabelledDomain):
        return list(itertools.product(_listed(domain.features), _listed(domain.labels)))
    raise InvalidArgument(
        f"records must be finite for exhaustive, got {domain if domain is not None else 'a part not declared'}: "
        f"{_WHAT_IS_FINITE}"
    )


def _sizes(relation: Relation) -> list[int]:
    if relation.size is None:
        raise InvalidArgument(
            "size must be declared for exhaustive, as an int or a range, got None: "
            f"{type(relation).__name__}(records=..., size=3)"
        )
    sizes = range(relation.size, relation.size + 1) if isinstance(relation.size, int) else relation.size
    largest = max(sizes[0], sizes[-1])
    if largest > LARGEST_LISTED:
        raise InvalidArgument(f"size must be at most {LARGEST_LISTED:,} records for exhaustive, got {relation.size}")
    return sorted(size for size in sizes if size >= 1)


def _swaps(relation: Relation, kinds: Sequence[Any]) -> NDArray[np.int64]:
    """The unordered pairs of records that may be replaced by each other, shape (A, 2)."""
    pairs: Iterable[tuple[int, int]] = itertools.combinations(range(len(kinds)), 2)
    if isinstance(relation, LabelsOnly):
        features = distinct([x for x, _ in kinds])
        labels = len(kinds) // len(features)  # a product: features slowly, labels fast
        pairs = ((a, b) for a, b in pairs if a // labels == b // labels)
    return np.array(list(pairs), dtype=np.int64).reshape(-1, 2)


def _check_counts(relation: Relation, kinds: int, swaps: int, sizes: Sequence[int], order_blind: bool) -> None:
    def count(size: int) -> int:
        return comb(kinds + size - 1, size) if order_blind else kinds**size

    _check_numbers(kinds, sizes)
    each = kinds if isinstance(relation, AddRemove) else swaps
    places = 1 if order_blind else None
    pairs = sum((places or size) * count(size - 1) * each for size in sizes)
    datasets = sum(
        count(size) for size in {*sizes, *((s - 1 for s in sizes) if isinstance(relation, AddRemove) else ())}
    )
    _check_some(pairs, kinds, sizes)
    _check_few(pairs, datasets, order_blind)


def _check_counts_of_entries(
    shapes: Sequence[tuple[int, int]], kinds: tuple[int, int], swaps: tuple[int, int], order_blind: bool
) -> None:
    def count(which: int, size: int) -> int:
        return comb(kinds[which] + size - 1, size) if order_blind else kinds[which] ** size

    def changes(which: int, size: int) -> int:
        return (1 if order_blind else size) * count(which, size - 1) * swaps[which] if size else 0

    _check_numbers(max(kinds), [max(shape) for shape in shapes])
    pairs = sum(changes(0, m) * count(1, rest) + count(0, m) * changes(1, rest) for m, rest in shapes)
    _check_some(pairs, max(kinds), [max(shape) for shape in shapes])
    _check_few(pairs, sum(count(0, m) * count(1, rest) for m, rest in shapes), order_blind)


def _check_some(pairs: int, kinds: int, sizes: Sequence[int]) -> None:
    if pairs == 0:
        shown = list(sizes) if len(sizes) <= _SIZES_SHOWN else f"{min(sizes)} to {max(sizes)}"
        raise InvalidArgument(
            f"neighbours must have at least one pair for exhaustive, got {kinds} kinds of records and sizes {shown}"
        )


def _check_numbers(kinds: int, sizes: Sequence[int]) -> None:
    """Before anything is counted: of what cannot be numbered not even the count is had in time."""
    if sizes and kinds > 1 and max(sizes) * math.log2(kinds) >= math.log2(LARGEST_NUMBER):
        raise InvalidArgument(
            f"exhaustive can number datasets of up to {int(math.log(LARGEST_NUMBER, max(kinds, 2)))} records of "
            f"{kinds} kinds, got size {max(sizes)}"
        )


def _check_few(pairs: int, datasets: int, order_blind: bool) -> None:
    if pairs > MOST_PAIRS or datasets > MOST_DATASETS:
        hint = (
            ""
            if order_blind
            else "; a learner that ignores the order of records says so with order_blind = True, and has far fewer"
        )
        raise InvalidArgument(
            f"exhaustive can go through {MOST_PAIRS:,} pairs of {MOST_DATASETS:,} datasets at most, got {pairs:,} "
            f"pairs of {datasets:,} datasets: take fewer records or smaller sizes{hint}"
        )


def _datasets(kinds: int, size: int, order_blind: bool) -> NDArray[np.int64]:
    """All datasets of a size in lexicographic order, shape (datasets, size)."""
    every = itertools.combinations_with_replacement(range(kinds), size) if order_blind else None
    if every is not None:
        flat = np.fromiter(itertools.chain.from_iterable(every), dtype=np.int64)
        return flat.reshape(comb(kinds + size - 1, size), size)
    return (
        np.stack(np.unravel_index(np.arange(kinds**size), (kinds,) * size), axis=1) if size else np.zeros((1, 0), int)
    )


def _inserted(rest: NDArray[np.int64], kinds: int, order_blind: bool) -> NDArray[np.int64]:
    """The number of each dataset that is ``rest`` and one record more, shape (places, rests, kinds)."""
    count, size = rest.shape[0], rest.shape[1] + 1
    weights = kinds ** np.arange(size - 1, -1, -1, dtype=np.int64)
    found = []
    for place in range(1 if order_blind else size):
        longer = np.empty((count, kinds, size), dtype=np.int64)
        longer[:, :, :place] = rest[:, None, :place]
        longer[:, :, place] = np.arange(kinds)
        longer[:, :, place + 1 :] = rest[:, None, place:]
        if order_blind:
            longer.sort(axis=2)
        found.append(longer @ weights)
    codes = np.stack(found)
    if order_blind:
        known = _datasets(kinds, size, True) @ weights  # lexicographic, so sorted
        return np.searchsorted(known, codes)
    return codes
