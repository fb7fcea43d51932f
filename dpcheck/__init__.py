"""dpcheck: theorems about differentially private learning against running code, and running code against them.

>>> import dpcheck
>>> verdict = dpcheck.audit(lambda data, rng: sum(data) + rng.laplace(), 1.0, pairs=[([0], [1])],
...                         max_samples=20_000, isolation="none")
>>> verdict.status
<Status.NO_VIOLATION_FOUND: 'no violation found'>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcheck import strategies as strategies
    from dpcheck.adapters.accounting import claim_from_dp_event as claim_from_dp_event
    from dpcheck.adapters.diffprivlib import from_diffprivlib as from_diffprivlib
    from dpcheck.adapters.estimator import from_estimator as from_estimator
    from dpcheck.adapters.opendp import from_opendp as from_opendp
    from dpcheck.checks import Case as Case
    from dpcheck.checks import CheckResult as CheckResult
    from dpcheck.checks import check_learner as check_learner
    from dpcheck.checks import parametrize_with_checks as parametrize_with_checks
    from dpcheck.claims import ApproxDP as ApproxDP
    from dpcheck.claims import GaussianDP as GaussianDP
    from dpcheck.claims import ProfileDP as ProfileDP
    from dpcheck.claims import PureDP as PureDP
    from dpcheck.claims import RenyiDP as RenyiDP
    from dpcheck.claims import ZeroConcentratedDP as ZeroConcentratedDP
    from dpcheck.data import Labelled as Labelled
    from dpcheck.data import SemiPrivate as SemiPrivate
    from dpcheck.data.forms import Form as Form
    from dpcheck.errors import DpcheckError as DpcheckError
    from dpcheck.errors import DpInconclusive as DpInconclusive
    from dpcheck.errors import DpViolation as DpViolation
    from dpcheck.errors import InvalidArgument as InvalidArgument
    from dpcheck.errors import LearnerDied as LearnerDied
    from dpcheck.errors import LearnerFailed as LearnerFailed
    from dpcheck.errors import RecordCorrupt as RecordCorrupt
    from dpcheck.errors import TargetNotFound as TargetNotFound
    from dpcheck.errors import UnexpectedVerdict as UnexpectedVerdict
    from dpcheck.history.running import compare_baseline as compare_baseline
    from dpcheck.history.running import record_baseline as record_baseline
    from dpcheck.law import IntegerScores as IntegerScores
    from dpcheck.law import Law as Law
    from dpcheck.learner import Learner as Learner
    from dpcheck.learner import by_calls as by_calls
    from dpcheck.learner import from_sampler as from_sampler
    from dpcheck.neighbours import AddRemove as AddRemove
    from dpcheck.neighbours import EntryAndTranscript as EntryAndTranscript
    from dpcheck.neighbours import LabelsOnly as LabelsOnly
    from dpcheck.neighbours import PrivatePart as PrivatePart
    from dpcheck.neighbours import Records as Records
    from dpcheck.neighbours import ReplaceEntry as ReplaceEntry
    from dpcheck.neighbours import ReplaceOne as ReplaceOne
    from dpcheck.run.audit import audit as audit
    from dpcheck.run.gate import assert_private as assert_private
    from dpcheck.run.measure import measure as measure
    from dpcheck.run.planning import Plan as Plan
    from dpcheck.run.planning import plan as plan
    from dpcheck.utility.curves import sweep as sweep
    from dpcheck.utility.failure import FailureRate as FailureRate
    from dpcheck.utility.failure import failure_rate as failure_rate
    from dpcheck.utility.sizes import SampleComplexity as SampleComplexity
    from dpcheck.utility.sizes import sample_complexity as sample_complexity
    from dpcheck.verdict import Measurement as Measurement
    from dpcheck.verdict import Status as Status
    from dpcheck.verdict import Verdict as Verdict

#: Where each public name lives: it is loaded when first used, so that importing dpcheck stays cheap.
_HOMES = {
    "AddRemove": "dpcheck.neighbours",
    "ApproxDP": "dpcheck.claims",
    "Case": "dpcheck.checks",
    "CheckResult": "dpcheck.checks",
    "DpInconclusive": "dpcheck.errors",
    "DpViolation": "dpcheck.errors",
    "DpcheckError": "dpcheck.errors",
    "EntryAndTranscript": "dpcheck.neighbours",
    "FailureRate": "dpcheck.utility.failure",
    "GaussianDP": "dpcheck.claims",
    "InvalidArgument": "dpcheck.errors",
    "IntegerScores": "dpcheck.law",
    "Form": "dpcheck.data.forms",
    "Labelled": "dpcheck.data",
    "LabelsOnly": "dpcheck.neighbours",
    "Law": "dpcheck.law",
    "Learner": "dpcheck.learner",
    "LearnerDied": "dpcheck.errors",
    "LearnerFailed": "dpcheck.errors",
    "Measurement": "dpcheck.verdict",
    "Plan": "dpcheck.run.planning",
    "PrivatePart": "dpcheck.neighbours",
    "ProfileDP": "dpcheck.claims",
    "PureDP": "dpcheck.claims",
    "RecordCorrupt": "dpcheck.errors",
    "Records": "dpcheck.neighbours",
    "RenyiDP": "dpcheck.claims",
    "ReplaceEntry": "dpcheck.neighbours",
    "ReplaceOne": "dpcheck.neighbours",
    "SampleComplexity": "dpcheck.utility.sizes",
    "SemiPrivate": "dpcheck.data",
    "Status": "dpcheck.verdict",
    "TargetNotFound": "dpcheck.errors",
    "UnexpectedVerdict": "dpcheck.errors",
    "Verdict": "dpcheck.verdict",
    "ZeroConcentratedDP": "dpcheck.claims",
    "assert_private": "dpcheck.run.gate",
    "audit": "dpcheck.run.audit",
    "by_calls": "dpcheck.learner",
    "check_learner": "dpcheck.checks",
    "claim_from_dp_event": "dpcheck.adapters.accounting",
    "compare_baseline": "dpcheck.history.running",
    "failure_rate": "dpcheck.utility.failure",
    "from_diffprivlib": "dpcheck.adapters.diffprivlib",
    "from_estimator": "dpcheck.adapters.estimator",
    "from_opendp": "dpcheck.adapters.opendp",
    "from_sampler": "dpcheck.learner",
    "measure": "dpcheck.run.measure",
    "parametrize_with_checks": "dpcheck.checks",
    "plan": "dpcheck.run.planning",
    "record_baseline": "dpcheck.history.running",
    "sample_complexity": "dpcheck.utility.sizes",
    "sweep": "dpcheck.utility.curves",
}

__all__ = [*_HOMES, "strategies"]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "strategies":
        return import_module("dpcheck.strategies")
    if name == "__version__":
        from importlib.metadata import version

        return version("dpcheck")
    if name not in _HOMES:
        from dpcheck.errors import nearest

        raise AttributeError(f"module 'dpcheck' has no attribute {name!r}{nearest(name, _HOMES)}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
