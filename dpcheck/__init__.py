"""dpcheck: theorems about differentially private learning against running code, and running code against them.

>>> import dpcheck
>>> verdict = dpcheck.audit(lambda data, rng: sum(data) + rng.laplace(), 1.0, pairs=[([0], [1])],
...                         max_samples=5000, isolation="none")
>>> verdict.status
<Status.NO_VIOLATION_FOUND: 'no violation found'>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcheck import strategies as strategies
    from dpcheck.adapters.estimator import from_estimator as from_estimator
    from dpcheck.claims import ApproxDP as ApproxDP
    from dpcheck.claims import GaussianDP as GaussianDP
    from dpcheck.claims import PureDP as PureDP
    from dpcheck.claims import RenyiDP as RenyiDP
    from dpcheck.claims import ZeroConcentratedDP as ZeroConcentratedDP
    from dpcheck.data import Labelled as Labelled
    from dpcheck.data import SemiPrivate as SemiPrivate
    from dpcheck.errors import DpcheckError as DpcheckError
    from dpcheck.errors import DpViolation as DpViolation
    from dpcheck.errors import InvalidArgument as InvalidArgument
    from dpcheck.errors import LearnerDied as LearnerDied
    from dpcheck.errors import RecordCorrupt as RecordCorrupt
    from dpcheck.errors import TargetNotFound as TargetNotFound
    from dpcheck.law import IntegerScores as IntegerScores
    from dpcheck.law import Law as Law
    from dpcheck.learner import Learner as Learner
    from dpcheck.learner import by_calls as by_calls
    from dpcheck.learner import from_sampler as from_sampler
    from dpcheck.neighbours import AddRemove as AddRemove
    from dpcheck.neighbours import LabelsOnly as LabelsOnly
    from dpcheck.neighbours import PrivatePart as PrivatePart
    from dpcheck.neighbours import Records as Records
    from dpcheck.neighbours import ReplaceOne as ReplaceOne
    from dpcheck.run.audit import audit as audit
    from dpcheck.run.gate import assert_private as assert_private
    from dpcheck.run.measure import measure as measure
    from dpcheck.run.planning import Plan as Plan
    from dpcheck.run.planning import plan as plan
    from dpcheck.verdict import Measurement as Measurement
    from dpcheck.verdict import Status as Status
    from dpcheck.verdict import Verdict as Verdict

#: Where each public name lives: it is loaded when first used, so that importing dpcheck stays cheap.
_HOMES = {
    "AddRemove": "dpcheck.neighbours",
    "ApproxDP": "dpcheck.claims",
    "DpViolation": "dpcheck.errors",
    "DpcheckError": "dpcheck.errors",
    "GaussianDP": "dpcheck.claims",
    "InvalidArgument": "dpcheck.errors",
    "IntegerScores": "dpcheck.law",
    "Labelled": "dpcheck.data",
    "LabelsOnly": "dpcheck.neighbours",
    "Law": "dpcheck.law",
    "Learner": "dpcheck.learner",
    "LearnerDied": "dpcheck.errors",
    "Measurement": "dpcheck.verdict",
    "Plan": "dpcheck.run.planning",
    "PrivatePart": "dpcheck.neighbours",
    "PureDP": "dpcheck.claims",
    "RecordCorrupt": "dpcheck.errors",
    "Records": "dpcheck.neighbours",
    "RenyiDP": "dpcheck.claims",
    "ReplaceOne": "dpcheck.neighbours",
    "SemiPrivate": "dpcheck.data",
    "Status": "dpcheck.verdict",
    "TargetNotFound": "dpcheck.errors",
    "Verdict": "dpcheck.verdict",
    "ZeroConcentratedDP": "dpcheck.claims",
    "assert_private": "dpcheck.run.gate",
    "audit": "dpcheck.run.audit",
    "by_calls": "dpcheck.learner",
    "from_estimator": "dpcheck.adapters.estimator",
    "from_sampler": "dpcheck.learner",
    "measure": "dpcheck.run.measure",
    "plan": "dpcheck.run.planning",
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
