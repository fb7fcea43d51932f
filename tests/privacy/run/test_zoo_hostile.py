"""Every hostile learner through the front door: the audit ends, with the right status, and the next one is right too.

The level of each audit is 1e-9, and its budget is many times what the leaks and failures here need (some hundred
calls; 1,300 for noise carried over), so that no seed decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dpcheck
from dpcheck.parts.zoo.hostile import HOSTILE, Hostile

LEVEL = 1e-9
#: For what must be caught; an audit stops as soon as it is.
CATCH_CALLS = 40_000
#: For what must not be: enough to meet the defect a hundred times.
QUIET_CALLS = 150
#: A hang is waited for this long, what answers slowly (a gigabyte, a megabyte of lists) far longer.
HANG_SECONDS, PATIENT_SECONDS = 1.0, 60.0


def count(dataset: Any, rng: np.random.Generator) -> float:
    """Not private at all, and caught in a hundred calls."""
    return float(dataset.sum()) + rng.laplace(scale=0.01)


def audited(learner: Any, entry: Hostile, calls: int, seed: int, call_timeout: float) -> dpcheck.Verdict:
    return dpcheck.audit(
        learner,
        1.0,
        pairs=[entry.pair],
        alpha=LEVEL,
        max_samples=calls,
        max_seconds=600.0,
        call_timeout=call_timeout,
        isolation="process",
        seed=seed,
    )


# A gigabyte a call takes seconds: it has a test of its own in test_execution_hostile.py.
@pytest.mark.some(4)
@pytest.mark.parametrize("entry", [e for e in HOSTILE if e.name != "prints_a_gigabyte"], ids=lambda e: e.name)
def test_the_audit_of_a_hostile_learner_ends_with_the_right_status(entry: Hostile, seed: int) -> None:
    """Null: no false alarm, level 1e-9 an audit. Power: what must be caught needs a tenth of its budget at most."""
    hangs = entry.expected == "learner failed" and not entry.in_sample
    calls = QUIET_CALLS if entry.audited == "quiet" or hangs else CATCH_CALLS
    verdict = audited(
        entry.factory,
        entry,
        calls,
        seed,
        HANG_SECONDS if entry.name.startswith(("hangs", "stops", "prints_for")) else PATIENT_SECONDS,
    )
    if entry.audited == "quiet":
        assert verdict.status in (dpcheck.Status.NO_VIOLATION_FOUND, dpcheck.Status.INCONCLUSIVE)
    else:
        assert verdict.status.value == entry.audited
    if verdict.status is dpcheck.Status.LEARNER_FAILED:
        assert verdict.failure
        assert "\n" not in verdict.failure
        assert verdict.epsilon_lower == 0.0  # a failure says nothing about privacy
    after = audited(count, entry, 2_000, seed, PATIENT_SECONDS)
    assert after.status is dpcheck.Status.VIOLATED


def test_each_defect_has_a_status_and_no_name_of_a_status_is_unknown() -> None:
    """The sets of names in the zoo name entries that there are."""
    from dpcheck.parts.zoo import hostile

    names = {entry.name for entry in HOSTILE}
    assert names >= hostile._LEAKS | hostile._FAIL_IN_AN_AUDIT
    assert {entry.audited for entry in HOSTILE} == {"violated", "learner failed", "quiet"}
