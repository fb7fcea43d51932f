"""wang2016, section 5.1: the instances behind refuted lines stand, broken ones do not; the repaired bound holds."""

from __future__ import annotations

import math

import pytest

from dpcheck.papers.wang2016.theorems import confidence_instances as instances


@pytest.mark.parametrize(
    "broken",
    [
        lambda: instances.three_fair_coins(4),  # two coins: the root is above 1/2
        lambda: instances.one_validation_record(2),  # the choice is then near uniform, and the threshold above 1
        lambda: instances.boosted_randomised_response(1),
        lambda: instances.boosting_as_printed(candidates=4),  # C sqrt(L) is still large enough
        lambda: instances.boosting_as_printed(part=3),  # the gap would be above 1
    ],
)
def test_broken_instances_do_not_stand(broken) -> None:  # type: ignore[no-untyped-def]
    assert broken().failure


def test_the_two_terms_of_the_repaired_bound_are_at_most_54_of_the_unit() -> None:
    worst = 0.0
    for tenth in range(1, 400):
        failure = math.exp(-tenth / 10)
        length = math.log(3 / failure)
        candidates = math.ceil(length)
        for records in (candidates + 1, 2 * candidates + 1, 100 * candidates, 10**6):
            part = records // (candidates + 1)
            root = 2 * math.sqrt(math.log(6 * candidates / failure) / (2 * part))
            last = 8 * (length + math.log(candidates)) / ((length + 1) / math.sqrt(records) * part)
            worst = max(worst, (root + last) / (length / math.sqrt(records)))
    assert 15 < worst < 54
