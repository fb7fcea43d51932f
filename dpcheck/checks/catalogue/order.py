"""The order of records, for learners that say they do not look at it."""

from __future__ import annotations

from dpcheck.checks import careless
from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import judged_equality
from dpcheck.checks.needs import blind_to_order, needs
from dpcheck.checks.outcome import Outcome, not_applicable
from dpcheck.checks.rows import different_records, rows_taken
from dpcheck.checks.situations import plainly
from dpcheck.checks.subject import Subject
from dpcheck.model.neighbours.entries import opposite_order


@must_fail(careless.looks_at_the_first_record)
@needs(blind_to_order)
def check_order_of_records(subject: Subject) -> Outcome:
    """Where it claims ``order_blind = True``, the same records in another order give the same law."""
    dataset = subject.dataset
    if different_records(dataset) < 2:
        return not_applicable("no dataset at hand holds two different records")
    turned = rows_taken(dataset, opposite_order(dataset, subject.relation))
    return judged_equality(
        subject.compare(plainly(dataset, "the records as they are"), plainly(turned, "the records turned round")),
        between="the laws of the records as they are and turned round",
        differs="the records turned round give another law, though order_blind = True is claimed",
        hint="look for what depends on the place of a record: the first ones, batches, ties; or drop order_blind",
    )
