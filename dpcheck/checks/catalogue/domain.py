"""Records from outside the claim's domain: too large, not a number, infinite."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import MORE_TIME, behaviour, judged_claim
from dpcheck.checks.needs import a_claim, declared_records, needs
from dpcheck.checks.outcome import Outcome, failed, inconclusive, not_applicable, passed
from dpcheck.checks.rows import rows_taken
from dpcheck.checks.subject import Subject
from dpcheck.model.data import (
    Labelled,
    SemiPrivate,
    append_record,
    features_and_labels,
    is_frame,
    is_labelled,
    is_series,
    record_at,
    remove_record,
    replace_label,
    replace_record,
)
from dpcheck.model.data.rows import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import AddRemove, LabelsOnly, Pair, PrivatePart, describe_change
from dpcheck.model.neighbours.domains import Bounds, Columns, Domain, LabelledDomain, Values, is_number
from dpcheck.model.verdict import Status, as_number

#: So many widths of the domain beyond its end: nobody would call this rounding.
FAR = 1000.0


@must_fail("zoo:laplace")
@needs(a_claim, declared_records)
def check_outside_the_domain(subject: Subject) -> Outcome:
    """A record from far outside the claim's domain is refused or clipped, and does not leak.

    Refused: every call raises, in words. Clipped, or otherwise covered: nothing is found against the claim between the
    data with it and the same data without it. Everything else leaks: what the caller did not check, the learner gives
    away.
    """
    assert subject.relation is not None
    assert subject.relation.records is not None
    records = _far_records(subject.relation.records.domain, record_at(subject.dataset, 0))
    if not records:
        return not_applicable("no record outside the declared domain can be made: it holds no numbers or labels")
    return _with_odd_record(subject, records, "a record from far outside the domain", "clip records to the domain")


@must_fail("zoo:sum_with_clipping")
def check_nan_in(subject: Subject) -> Outcome:
    """A NaN among the data is refused in words, or answered within the claim; it does not come out as NaN."""
    return _with_odd_number(subject, [math.nan], "a record that is NaN")


@must_fail("zoo:laplace")
def check_infinity_in(subject: Subject) -> Outcome:
    """An infinity among the data is refused in words, or answered within the claim."""
    return _with_odd_number(subject, [math.inf, -math.inf], "a record that is infinite")


def _with_odd_number(subject: Subject, numbers: list[float], what: str) -> Outcome:
    dataset = subject.dataset
    if size_of(dataset) == 0:
        return not_applicable("no dataset at hand holds a record")
    record = record_at(dataset, 0)
    odd = [_with_number(record, number) for number in numbers]
    if any(changed is None for changed in odd):
        return not_applicable("the records hold no numbers")
    return _with_odd_record(subject, odd, what, "refuse it (ValueError), or clip it, before anything is computed")


def _with_odd_record(subject: Subject, odd: list[Any], what: str, mend: str) -> Outcome:
    """Each odd record in the place of the first one: refused, or within the claim; else a leak."""
    ordinary = _as_floats(subject.dataset)
    datasets = []
    for record in odd:
        try:
            datasets.append(replace_record(ordinary, 0, record))
        except InvalidArgument:
            return not_applicable("these datasets cannot hold such a record")
    pairs = []
    said: set[str] = set()
    answers = False
    for record, dataset in zip(odd, datasets, strict=True):
        seen = behaviour(subject, dataset, types_refused=True)
        if seen.accidents:
            return failed(f"it breaks on {what} ({seen.said}), which is neither an answer nor a refusal", mend)
        if seen.nan:
            return failed(f"it leaks: {what} comes out as NaN, so that everybody sees that there was one", mend)
        if seen.refuses:
            said.add(f"refuses ({seen.said})")
        elif seen.refusals:
            return failed(f"it refuses {what} in some calls and answers in others ({seen.said})", mend)
        else:
            pairs += _with_and_without(subject, dataset, ordinary, record, what)
            answers = True
    if answers and not pairs:
        return passed(f"{what}: it answers; no neighbour is without it, so that nothing was audited")
    if not pairs:
        return passed(f"{what}: it {' and '.join(sorted(said))}")
    if subject.claim is None:
        return passed(f"{what}: it answers; whether it leaks cannot be said without a claim")
    verdict = subject.audit_each(pairs)
    if verdict.status is Status.VIOLATED:
        return failed(
            f"{what} is not protected (evidence {as_number(verdict.log_evidence)}): the learner takes it as it comes",
            mend + "; the claim is about records of the domain only",
            verdict,
        )
    if verdict.status is Status.LEARNER_FAILED:
        return failed(f"with {what}: {verdict.failure}", mend, verdict, learner_failed=True)
    if verdict.status is Status.INCONCLUSIVE:
        return inconclusive(
            f"{what}: {verdict.samples:,} calls were too few to say whether it leaks", MORE_TIME, verdict
        )
    said.add("answers (clipping, or covering it otherwise)")
    return judged_claim(
        verdict,
        about="the claim between such data and their neighbours",
        broken="the claim is broken",
        hint=mend,
        first=f"{what}: it {' and '.join(sorted(said))}, and ",
    )


def _with_and_without(subject: Subject, dataset: Any, ordinary: Any, record: Any, what: str) -> list[Pair]:
    """The data with the odd record and a neighbour without it; none where only labels are private."""
    relation = subject.relation.of if isinstance(subject.relation, PrivatePart) else subject.relation
    if isinstance(relation, LabelsOnly):
        return []
    by_size = size_of(subject.pair.left) != size_of(subject.pair.right)
    if isinstance(relation, AddRemove) or (relation is None and by_size):  # one replaced would be two steps away
        without = remove_record(ordinary, 0) if subject.allows_size(size_of(dataset)) else ordinary
        with_it = dataset if without is not ordinary else append_record(ordinary, record)
        return [Pair(with_it, without, f"{what} removed")]
    return [Pair(dataset, ordinary, describe_change(dataset, ordinary) or what)]


def _with_number(record: Any, number: float) -> Any:
    """The record with a number in the place of its first number; None where it has none."""
    if is_number(record) and not isinstance(record, bool | np.bool_):
        return number
    if isinstance(record, np.ndarray) and record.dtype.kind in "iuf" and record.size:
        changed = record.astype(np.float64)
        changed.flat[0] = number
        return changed
    if isinstance(record, list | tuple) and record:
        first = _with_number(record[0], number)
        return None if first is None else type(record)([first, *record[1:]])
    return None


def _as_floats(dataset: Any) -> Any:
    """The same dataset with room for numbers that are not whole: arrays of integers as arrays of doubles."""
    if isinstance(dataset, SemiPrivate):
        return SemiPrivate(_as_floats(dataset.private), dataset.public)
    if is_labelled(dataset):
        x, y = features_and_labels(dataset)
        return Labelled(_as_floats(x), y) if isinstance(dataset, Labelled) else (_as_floats(x), y)
    if isinstance(dataset, np.ndarray) and dataset.dtype.kind in "iub":
        return dataset.astype(np.float64)
    if is_frame(dataset) or is_series(dataset):
        try:
            return dataset.astype(np.float64)
        except (TypeError, ValueError):  # text columns
            return dataset
    return dataset


def _far_records(domain: Domain, template: Any) -> list[Any]:
    """Records far above and far below a domain, in the template's form; none where there are none."""
    if isinstance(domain, Bounds):
        width = max(domain.high - domain.low, 1.0)
        ends = [domain.high + FAR * width, domain.low - FAR * width]
        if isinstance(template, int | np.integer) and all(end.is_integer() for end in ends):
            ends = [int(end) for end in ends]
        if not isinstance(template, np.ndarray | list | tuple):
            return list(ends)
        return [_filled(template, end) for end in ends]
    if isinstance(domain, Columns):
        each = [_far_records(column, 0.0) for column in domain.columns]
        if any(len(ends) != 2 for ends in each):
            return []
        return [_like(template, [float(ends[place]) for ends in each]) for place in range(2)]
    if isinstance(domain, LabelledDomain):
        x, label = template
        return [(far, label) for far in _far_records(domain.features, x)] if domain.features is not None else []
    if isinstance(domain, Values) and all(
        isinstance(value, int | float | np.number) and not isinstance(value, bool) for value in domain.values
    ):
        low, high = min(domain.values), max(domain.values)
        step = max(1, math.ceil(high - low)) * int(FAR)
        return [high + step, low - step]
    return []


def _filled(template: Any, value: float) -> Any:
    if isinstance(template, np.ndarray):
        return np.full(template.shape, value)
    return type(template)([value] * len(template))


def _like(template: Any, values: list[float]) -> Any:
    return np.array(values).reshape(np.shape(template)) if isinstance(template, np.ndarray) else type(template)(values)


def with_every_record(dataset: Any, record: Any, *, labels_only: bool = False) -> Any:
    """The dataset with all its records replaced by one.

    Raises
    ------
    InvalidArgument
        When the record does not fit.
    """
    if labels_only:
        for row in range(size_of(dataset)):
            dataset = replace_label(dataset, row, record[1])
        return dataset
    return rows_taken(replace_record(dataset, 0, record), [0] * size_of(dataset))
