"""Pairs worth trying when only a relation is given: what leaks most often first, random ones beside it, without end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

from numpy.random import Generator

from dpcheck.model.data import SemiPrivate, same_dataset, size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import (
    AddRemove,
    EntryAndTranscript,
    LabelsOnly,
    Pair,
    PrivatePart,
    Relation,
    ReplaceEntry,
    ReplaceOne,
)
from dpcheck.model.neighbours.assembly import assembled
from dpcheck.model.neighbours.domains import Bounds, LabelledDomain, Values
from dpcheck.model.neighbours.draws import drawn
from dpcheck.privacy.pairs.changes import neighbouring_pair, sizes_tried
from dpcheck.privacy.pairs.constant_pairs import constant_pairs, more_pairs, most_of_constant_sizes
from dpcheck.privacy.pairs.extreme_pairs import extreme_pairs
from dpcheck.privacy.pairs.random_pairs import RandomRecords, random_pairs
from dpcheck.privacy.pairs.records import FEW_VALUES

#: So many extreme pairs come before the first random one.
EXTREME_FIRST = 6
#: After those so many random pairs before one extreme one, in turn. Of 40 pairs of labelled data some then show each of
#: 15 leaks that hang on mixed or on extreme records, in all but 2 of 870 draws; one more each misses 38, one less 8.
#: Other records have a column alone at its extreme among the extreme pairs. Beside them so many pairs of constants, and
#: so many where constants name counts of records, by which a block is longer.
RANDOM_BESIDE_LABELLED, RANDOM_BESIDE = (1, 2), (1,)
NAMED_BESIDE_LABELLED, NAMED_BESIDE = (0, 1), (1,)
COUNTED_BESIDE_LABELLED, COUNTED_BESIDE = (2, 2), (2,)
#: Of many values so many random pairs come before one extreme one: of categories none is extreme.
RANDOM_BESIDE_VALUES = (3,)
#: Rows of all datasets of a block together, beyond which it is cut short (to no fewer pairs than these): large datasets
#: take long to make, to tell apart and to send.
MOST_ROWS, FEWEST_FOUND = 100_000, 8
#: Datasets that are searched have at most so many records: one of more takes longer to make than most audits.
LARGEST_SEARCHED = 1_000_000
#: Pairs of a domain are counted up to so many: of more, no search looks at all.
MOST_COUNTED = 2**16
#: Rows of the public part of the first candidate; then one more each time, up to twice as many, and from 0 again.
PUBLIC_ROWS = 4
#: Pairs drawn from a stranger's relation at a time.
PAIRS_AT_ONCE = 64


def candidate_pairs(relation: Relation, rng: Generator, constants: Sequence[int | float | str] = ()) -> Iterator[Pair]:
    """Pairs under a relation, without end (unless there are few): boundary values and repetitions, and random ones.

    After the first few a half or more are random: what leaks on mixed data, or on values between the bounds, may leak
    on no extreme one. In between come pairs made of constants: what drops -999 leaks on -999, what answers from 10
    records on leaks on 10.

    Parameters
    ----------
    relation : ReplaceOne, AddRemove, LabelsOnly, ReplaceEntry, EntryAndTranscript or PrivatePart with records, or any
        with a method ``pair_strategy()``
    rng : numpy Generator, from which random pairs are drawn
    constants : numbers and texts, optional
        What stands in the learner's code, of which those that the relation allows are records, or numbers of them.

    Raises
    ------
    InvalidArgument
        When the relation does not declare its records.

    Examples
    --------
    >>> import numpy as np
    >>> first = next(candidate_pairs(ReplaceOne(records=(0, 10), size=3), np.random.default_rng(0)))
    >>> first.left, first.right, first.change
    ([0, 0, 0], [0, 0, 10], 'row 2: 0 replaced by 10')
    """
    if isinstance(relation, PrivatePart):
        return _beside_public_parts(relation, rng, constants)
    known = ReplaceOne | AddRemove | LabelsOnly | ReplaceEntry | EntryAndTranscript
    if hasattr(relation, "pair_strategy") or not isinstance(relation, known):
        return _strangers(relation, rng)
    if relation.records is None:
        raise InvalidArgument(
            f"neighbours must declare records for pairs to be searched: {type(relation).__name__}(records=(0, 1)); "
            "or give pairs=[(left, right)] or dataset=..."
        )
    domain = relation.records.domain
    ends = (relation.size[0], relation.size[-1]) if isinstance(relation.size, range) else (relation.size or 0,)
    if max(ends) > LARGEST_SEARCHED:
        raise InvalidArgument(
            f"size must be at most {LARGEST_SEARCHED:,} records for pairs to be searched, got {relation.size}; or give "
            "pairs=[(left, right)] or dataset=..."
        )
    if isinstance(relation, LabelsOnly | ReplaceEntry) and not (
        isinstance(domain, LabelledDomain) and domain.features is not None and domain.labels is not None
    ):
        name = type(relation).__name__
        raise InvalidArgument(
            f"neighbours must declare features and labels for pairs to be searched under {name}: "
            f"{name}(records=Records.labelled(features=(0, 1), labels=[0, 1]))"
        )
    counted = more_pairs(relation, constants) > 0
    beside: Sequence[int] = RANDOM_BESIDE
    named_beside: Sequence[int] = COUNTED_BESIDE if counted else NAMED_BESIDE
    if isinstance(domain, LabelledDomain):
        beside, named_beside = RANDOM_BESIDE_LABELLED, COUNTED_BESIDE_LABELLED if counted else NAMED_BESIDE_LABELLED
    if isinstance(domain, Values) and len(domain.values) > FEW_VALUES:
        beside = RANDOM_BESIDE_VALUES
    named = constant_pairs(relation, domain, constants)
    return _in_turn(
        extreme_pairs(relation, domain), random_pairs(relation, domain, rng, constants), named, beside, named_beside
    )


def _in_turn(
    extreme: Iterator[Pair],
    drawn_pairs: Iterator[Pair],
    named: Iterator[Pair],
    beside: Sequence[int],
    named_beside: Sequence[int],
) -> Iterator[Pair]:
    """Extreme pairs, after the first ones with so many drawn ones before each, in turn, and so many of constants."""
    yield from islice(extreme, EXTREME_FIRST)
    for pair, count, also in zip(extreme, cycle(beside), cycle(named_beside), strict=False):
        yield from islice(drawn_pairs, count)
        yield from islice(named, also)
        yield pair
    for count, also in zip(cycle(beside), cycle(named_beside), strict=False):  # one more has the extreme one's place
        yield from islice(drawn_pairs, count + 1)
        found = list(islice(named, also))
        yield from found
        if also and not found:
            break
    yield from drawn_pairs


def _beside_public_parts(
    relation: PrivatePart, rng: Generator, constants: Sequence[int | float | str]
) -> Iterator[Pair]:
    """Candidates of the private part, each beside a public part of another size."""
    declared = relation.public if relation.public is not None else relation.records
    if declared is None:
        raise InvalidArgument(
            "neighbours must declare records for pairs to be searched: PrivatePart(records=(0, 1)); "
            "or give pairs=[(left, right)] or dataset=..."
        )
    source = RandomRecords(declared.domain, rng)
    for number, pair in enumerate(candidate_pairs(relation.of, rng, constants)):
        public = assembled(source.rows((PUBLIC_ROWS + number) % (2 * PUBLIC_ROWS + 1)), declared)
        yield neighbouring_pair(SemiPrivate(pair.left, public), SemiPrivate(pair.right, public))


def _strangers(relation: Relation, rng: Generator) -> Iterator[Pair]:
    from dpcheck.strategies import neighbouring_pairs

    strategy = neighbouring_pairs(relation)
    while True:
        for left, right in drawn(strategy, PAIRS_AT_ONCE, int(rng.integers(2**32))):
            yield neighbouring_pair(left, right)


def most_pairs(relation: Relation, constants: Sequence[int | float | str] = ()) -> int | None:
    """At most so many different candidates come of a relation; None where they are many, or not to be counted.

    Searching for one more where all are found takes a quarter of a second, in each audit of a small domain.

    Parameters
    ----------
    relation : Relation
        Counted are those that replace, add or remove one of finitely many plain records.
    constants : numbers and texts, optional
        As for :func:`candidate_pairs`.

    Examples
    --------
    >>> most_pairs(ReplaceOne(records=[0, 1], size=2)), most_pairs(AddRemove(records=[0, 1, 2], size=1))
    (8, 3)
    >>> most_pairs(ReplaceOne(records=(0.5, 1))), most_pairs(AddRemove(records=[0], size=2))
    (None, 1)
    """
    domain = relation.records.domain if relation.records is not None else None
    if type(relation) not in (ReplaceOne, AddRemove):
        return None
    if isinstance(domain, Values) and all(isinstance(value, int | float | str) for value in domain.values):
        kinds = len(domain.values)
    elif isinstance(domain, Bounds) and domain.whole_ends:
        kinds = int(domain.high) - int(domain.low) + 1
    else:
        return None
    total = most_of_constant_sizes(relation, domain, constants, one_record=kinds == 1) if relation.size is None else 0
    for size in relation.size if isinstance(relation.size, range) else sizes_tried(relation):
        if size < 1:
            continue
        if total > MOST_COUNTED or size > MOST_COUNTED.bit_length():
            return None
        if isinstance(relation, AddRemove):  # of equal neighbouring rows it is one pair, whichever is removed
            total += kinds**size + (size - 1) * (kinds - 1) * kinds ** (size - 1)
        else:
            total += size * (kinds - 1) * kinds**size
    return total if total <= MOST_COUNTED else None


def distinct_pairs(pairs: Iterator[Pair], count: int, known: list[Pair], among: int | None = None) -> list[Pair]:
    """The next ``count`` pairs that differ and are not ``known``, fewer where the domain has no more.

    Parameters
    ----------
    pairs : iterator of Pair
    count : int
    known : list of Pair
    among : int, optional
        There are no more than so many pairs, of which the known ones are some: found all, it is looked for no more.

    Examples
    --------
    >>> import numpy as np
    >>> pairs = candidate_pairs(ReplaceOne(records=[0, 1], size=1), np.random.default_rng(0))
    >>> [(pair.left, pair.right) for pair in distinct_pairs(pairs, 5, [])]
    [([0], [1]), ([1], [0])]
    """
    found: list[Pair] = []
    seen = {_key(pair) for pair in known}
    rows = 0
    for _ in range(20 * count):
        if (rows > MOST_ROWS and len(found) >= FEWEST_FOUND) or (among is not None and len(seen) >= among):
            break
        pair = next(pairs, None)
        if pair is None:
            break
        key = _key(pair)
        if key in seen or same_dataset(pair.left, pair.right):
            continue
        seen.add(key)
        found.append(pair)
        rows += max(size_of(pair.left), size_of(pair.right))
        if len(found) == count:
            break
    return found


def _key(pair: Pair) -> tuple[str, str]:
    from dpcheck.model.data import digest

    left, right = digest(pair.left), digest(pair.right)
    return str(left["sha256"] or id(pair.left)), str(right["sha256"] or id(pair.right))
