"""Few records, and records that are all the same."""

from __future__ import annotations

import numpy as np

from dpcheck.checks import careless
from dpcheck.checks.catalogue.privacy import neighbours_of
from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import odd_data
from dpcheck.checks.outcome import Outcome, not_applicable
from dpcheck.checks.rows import rows_taken, unlabelled_as_in
from dpcheck.checks.subject import Subject
from dpcheck.model.data.rows import size_of
from dpcheck.model.neighbours import AddRemove, Pair, PrivatePart, ReplaceEntry

#: Copies of one record, unless the data at hand say how many: some of them stay when one is replaced.
COPIES = 6


@must_fail(careless.divides_by_the_number_of_records)
def check_empty_data(subject: Subject) -> Outcome:
    """Data without records are answered, or refused in words; where they have neighbours, within the claim."""
    empty = rows_taken(subject.dataset, [])
    relation = subject.relation.of if isinstance(subject.relation, PrivatePart) else subject.relation
    neighbours = []
    if isinstance(relation, AddRemove) and subject.allows_size(1):
        one = rows_taken(subject.dataset, [0])
        neighbours = [Pair(one, empty, "the only record removed")]
    return odd_data(
        subject,
        empty,
        "data without records",
        'answer, or raise ValueError("dataset must hold at least one record")',
        neighbours=neighbours,
    )


@must_fail(careless.divides_by_one_less_than_the_number_of_records)
def check_one_record(subject: Subject) -> Outcome:
    """Data of one record are answered, or refused in words; where the claim is about them, within the claim."""
    if size_of(subject.dataset) == 0:
        return not_applicable("no dataset at hand holds a record")
    one = rows_taken(subject.dataset, [0])
    inside = subject.relation is not None and subject.allows_size(1)
    return odd_data(
        subject,
        one,
        "data of one record",
        'answer, or raise ValueError("dataset must hold at least ... records") whatever the record',
        neighbours=neighbours_of(subject, one)[:1] if inside else [],
    )


@must_fail(careless.refuses_equal_records)
def check_duplicates(subject: Subject) -> Outcome:
    """Data whose records are all equal are answered, and within the claim."""
    if size_of(subject.dataset) == 0:
        return not_applicable("no dataset at hand holds a record")
    declared = subject.relation.size if subject.relation is not None else None
    # where no sizes are declared, those of the data at hand are the ones that are surely meant
    entries = isinstance(subject.relation, ReplaceEntry)
    size = size_of(subject.dataset) if entries or (declared is None and size_of(subject.dataset) > 2) else COPIES
    if not subject.allows_size(size):
        size = declared if isinstance(declared, int) else max(declared or range(1), default=0)
    if size < 2:
        return not_applicable("the claim is about fewer than two records")
    same = rows_taken(subject.dataset, np.zeros(size, dtype=np.int64).tolist())
    if entries:
        same = unlabelled_as_in(subject.dataset, same, subject.relation)
    return odd_data(
        subject,
        same,
        "data whose records are all equal",
        "people may be alike: an exception, or another way of answering, tells that they are",
        neighbours=neighbours_of(subject, same)[:2],
        refusal_is_fine=False,
    )
