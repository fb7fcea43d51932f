"""Is it as private as it claims: between neighbours, and between datasets that are further apart?"""

from __future__ import annotations

import math
from typing import Any

from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import behaviour, judged_claim
from dpcheck.checks.needs import a_claim, declared_records, needs
from dpcheck.checks.outcome import Outcome, failed, not_applicable
from dpcheck.checks.rows import unlabelled_as_in
from dpcheck.checks.subject import Subject
from dpcheck.model.claims import claim_point
from dpcheck.model.data import (
    append_record,
    is_labelled,
    record_at,
    remove_record,
    replace_label,
    replace_record,
    same_record,
)
from dpcheck.model.data.rows import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import LabelsOnly, Pair, PrivatePart, ReplaceEntry, describe_change
from dpcheck.model.neighbours.entries import is_unlabelled
from dpcheck.model.neighbours.pairs import differing_rows, removed_row
from dpcheck.model.verdict import Status
from dpcheck.privacy.run.question import LARGEST_EPSILON

#: Extreme records that are tried: both ends of a domain, and with labels another one.
EXTREMES = 3
_MORE_NOISE = (
    "look for what the noise does not cover: a sensitivity that is too small, a scale from the data, an exception, an "
    "answer released beside the noisy one; dpcheck audit on this pair shows the event"
)


@must_fail("zoo:laplace_with_half_the_scale")
@needs(a_claim)
def check_privacy_of_the_claim(subject: Subject) -> Outcome:
    """Nothing is found against its claim on the pairs given, made or searched."""
    return judged_claim(subject.audit(), about="the claim", broken="the claim is broken", hint=_MORE_NOISE)


@must_fail("zoo:laplace_with_half_the_scale")
@needs(a_claim)
def check_group_privacy_at_distance_2(subject: Subject) -> Outcome:
    """Between datasets that differ in 2 records it is seen to leak no more than the claim implies for groups of 2."""
    return _at_distance(subject, 2)


@must_fail("zoo:one_seed_for_all_calls")
@needs(a_claim)
def check_group_privacy_at_distance_5(subject: Subject) -> Outcome:
    """Between datasets that differ in 5 records it is seen to leak no more than the claim implies for groups of 5."""
    return _at_distance(subject, 5)


@must_fail("zoo:outliers_refused")
@needs(a_claim, declared_records)
def check_extremes_of_the_domain(subject: Subject) -> Outcome:
    """Between datasets of nothing but the most extreme records of the claim's domain the claim holds."""
    assert subject.relation is not None
    assert subject.relation.records is not None
    from dpcheck.checks.catalogue.domain import with_every_record

    base = max((pair.left for pair in subject.candidates()[:8]), key=size_of)
    if size_of(base) == 0:
        return not_applicable("no dataset at hand holds a record")
    pairs: list[Pair] = []
    for extreme in subject.relation.records.extremes(record_at(base, 0)):
        try:
            dataset = with_every_record(base, extreme, labels_only=_labels_only(subject))
            dataset = unlabelled_as_in(base, dataset, subject.relation)
        except InvalidArgument:  # a bound that this kind of dataset cannot hold
            continue
        pairs += neighbours_of(subject, dataset)[:1]
        if len(pairs) == EXTREMES:
            break
    if not pairs:
        return not_applicable("the domain has no two different extreme records that fit these datasets")
    hint = "records at the ends of the domain belong to it: clip, do not refuse them, and let the noise cover them"
    verdict = subject.audit_each(pairs)
    if verdict.status is Status.LEARNER_FAILED:
        for pair in pairs:
            seen = behaviour(subject, pair.left)
            if seen.refuses:  # on purpose, in words: what it says is wrong, but it did not break
                return failed(f"it refuses datasets of extreme records ({seen.said})", hint, verdict)
    return judged_claim(
        verdict,
        about="the claim between datasets of extreme records",
        broken="the claim is broken between datasets of extreme records",
        hint=hint,
    )


def neighbours_of(subject: Subject, dataset: Any) -> list[Pair]:
    """Neighbours of a dataset inside the claim's domain: as its relation makes them, else with a record of its own."""
    import numpy as np

    relation = subject.relation
    if relation is not None:
        try:
            return list(relation.pairs_from(dataset, np.random.default_rng(0), 8).pairs)
        except InvalidArgument:
            return []
    found = []
    for pair in subject.candidates()[:8]:
        step = _step(pair)
        if step is None or size_of(dataset) == 0:
            continue
        if size_of(pair.left) != size_of(pair.right):  # a record replaced would be two steps away
            return [Pair(dataset, remove_record(dataset, 0), "a record removed")]
        other = replace_record(dataset, 0, step)
        if not same_record(record_at(dataset, 0), step):
            found.append(Pair(dataset, other, describe_change(dataset, other) or "a record replaced"))
    return found


def _step(pair: Pair) -> Any:
    """The record that one of the two datasets holds and the other does not; None where that cannot be told."""
    try:
        if size_of(pair.left) == size_of(pair.right):
            rows = differing_rows(pair.left, pair.right)
            return record_at(pair.right, rows[0]) if len(rows) == 1 else None
        longer, shorter = (
            (pair.left, pair.right) if size_of(pair.left) > size_of(pair.right) else (pair.right, pair.left)
        )
        row = removed_row(longer, shorter)
        return None if row is None else record_at(longer, row)
    except InvalidArgument:  # no datasets of records
        return None


def _at_distance(subject: Subject, steps: int) -> Outcome:
    assert subject.claim is not None
    claim = subject.claim.at_distance(steps)
    if claim_point(claim)[0] > LARGEST_EPSILON or claim_point(claim)[1] >= 1.0:
        return not_applicable(f"at distance {steps} the claim implies {claim}, which no runs can refute")
    pairs = []
    for pair in subject.candidates():
        found = apart(
            pair,
            steps,
            labels_only=_labels_only(subject),
            partly_labelled=isinstance(subject.relation, ReplaceEntry),
        )
        if found is not None and _is_inside(subject, found):
            pairs.append(found)
        if len(pairs) == 2:
            break
    if not pairs:
        return not_applicable(f"no pair at hand is large enough to have {steps} records changed")
    # No budget sees a leak of twice a claim as weak as this one: what is looked for is what breaks it grossly, and the
    # check of the claim itself says what would have been seen.
    return judged_claim(
        subject.audit_each(pairs, claim=claim, detect=math.inf),
        about=f"{claim}, which the claim implies at distance {steps}",
        broken=f"{claim}, which the claim implies at distance {steps}, is broken",
        hint="a claim that held between all neighbours would hold here too: " + _MORE_NOISE,
    )


def _is_inside(subject: Subject, far: Pair) -> bool:
    """Whether the claim is about every step between the two: the larger dataset of each is of a declared size."""
    fewer, more = sorted((size_of(far.left), size_of(far.right)))
    return all(subject.allows_size(size) for size in range(min(fewer + 1, more), more + 1))


def _labels_only(subject: Subject) -> bool:
    relation = subject.relation
    return isinstance(relation.of if isinstance(relation, PrivatePart) else relation, LabelsOnly)


def apart(pair: Pair, steps: int, *, labels_only: bool = False, partly_labelled: bool = False) -> Pair | None:
    """Two datasets that are so many steps apart, each step like the one between two neighbours; None where none are.

    Of partly labelled data the entries that are changed are labelled all, or none of them.

    >>> found = apart(Pair([0, 0, 0], [1, 0, 0], ""), 2)
    >>> found.left, found.right
    ([0, 0, 0], [1, 1, 0])
    >>> apart(Pair([0, 0], [0], ""), 2).right
    []
    """
    record = _step(pair)
    if record is None:
        return None
    if size_of(pair.left) != size_of(pair.right):
        longer = pair.left if size_of(pair.left) > size_of(pair.right) else pair.right
        while size_of(longer) < steps:
            longer = append_record(longer, record)
        shorter = longer
        for _ in range(steps):
            shorter = remove_record(shorter, size_of(shorter) - 1)
        return Pair(longer, shorter, f"{steps} records removed")
    other, changed = pair.left, 0
    for row in range(size_of(other)):
        if changed == steps:
            break
        before = record_at(other, row)
        if labels_only and is_labelled(other):
            if same_record(before[1], record[1]):
                continue
            other = replace_label(other, row, record[1])
        elif same_record(before, record) or (partly_labelled and is_unlabelled(before[1]) != is_unlabelled(record[1])):
            continue
        else:
            other = replace_record(other, row, record)
        changed += 1
    return Pair(pair.left, other, f"{steps} records replaced") if changed == steps else None
