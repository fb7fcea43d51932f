"""Theorems about private learning against running code, and back.

>>> import dpcheck
>>> verdict = dpcheck.audit(lambda data, rng: sum(data) + rng.laplace(),
...     1.0, pairs=[([0], [1])], max_samples=20_000, isolation="none")
>>> verdict.status
<Status.NO_VIOLATION_FOUND: 'no violation found'>

What there is, in the order in which one needs it; of each more is said by,
for example, ``help(dpcheck.audit)``.

Is it private?
  audit            runs a learner: is its claim violated? A Verdict
  measure          how much it leaks at least, claimed or not: a Measurement
  assert_private   audit for a test: raises DpViolation, DpInconclusive or
                   LearnerFailed (UnexpectedVerdict)
  plan             what an audit can find in how many calls: a Plan
  one_run          a slow training, by one run with canaries: OneRunVerdict
  one_run_verdict  the same of scores that were made elsewhere, ...
  canaries         ... for the Canaries that this put into a dataset
  white_box        is a training what was accounted for it (GaussianSteps)?
                   A WhiteBoxVerdict: its WhiteBoxStatus, and each premise
                   of the proof; Transcript, UNRECORDED: what it tells
  Status           the words of a verdict

What is claimed
  PureDP, ApproxDP, ZeroConcentratedDP, RenyiDP, GaussianDP, ProfileDP
  claim_from_dp_event, steps_from_dp_event   of an event of dp-accounting

What counts as neighbours
  ReplaceOne, AddRemove, LabelsOnly, PrivatePart, ReplaceEntry,
  EntryAndTranscript
  Records          the set of records a claim is about

Data and learners
  Labelled, SemiPrivate, Form   labelled data, data with a public part, and
                                the form in which a learner gets it
  Learner, Law, IntegerScores   a learner, and the law of its output
  from_sampler, by_calls        a bulk sampler; one audited by calls though
                                it declares a law
  from_estimator, from_diffprivlib, from_opendp   of other libraries
  from_opacus, record_opacus, from_jax_privacy, record_jax_privacy
                                trainings, and loops of one's own over them,
                                for a white box

Beyond privacy
  check_learner            all checks of a learner: a CheckResult each; a
                           Case is its learner in tests
  parametrize_with_checks  the same as tests of pytest
  failure_rate             how often it misses its accuracy: a FailureRate
  sample_complexity        how many records it needs: a SampleComplexity
  sweep                    failure rates along one setting
  record_baseline          what a learner was measured at, ...
  compare_baseline         ... and whether it still is
  strategies               datasets and neighbours for hypothesis

What is raised
  InvalidArgument, TargetNotFound, LearnerDied, RecordCorrupt: each a
  DpcheckError

On the command line: ``dpcheck --help``; its words: ``dpcheck glossary``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpcheck import strategies as strategies
    from dpcheck.adapters.accounting import claim_from_dp_event as claim_from_dp_event
    from dpcheck.adapters.accounting import steps_from_dp_event as steps_from_dp_event
    from dpcheck.adapters.diffprivlib import from_diffprivlib as from_diffprivlib
    from dpcheck.adapters.estimator import from_estimator as from_estimator
    from dpcheck.adapters.jax_privacy import from_jax_privacy as from_jax_privacy
    from dpcheck.adapters.jax_privacy import record_jax_privacy as record_jax_privacy
    from dpcheck.adapters.opacus import from_opacus as from_opacus
    from dpcheck.adapters.opacus import record_opacus as record_opacus
    from dpcheck.adapters.opendp import from_opendp as from_opendp
    from dpcheck.checks import Case as Case
    from dpcheck.checks import CheckResult as CheckResult
    from dpcheck.checks import check_learner as check_learner
    from dpcheck.checks import parametrize_with_checks as parametrize_with_checks
    from dpcheck.history.baseline_runs import compare_baseline as compare_baseline
    from dpcheck.history.baseline_runs import record_baseline as record_baseline
    from dpcheck.model.claims import ApproxDP as ApproxDP
    from dpcheck.model.claims import GaussianDP as GaussianDP
    from dpcheck.model.claims import ProfileDP as ProfileDP
    from dpcheck.model.claims import PureDP as PureDP
    from dpcheck.model.claims import RenyiDP as RenyiDP
    from dpcheck.model.claims import ZeroConcentratedDP as ZeroConcentratedDP
    from dpcheck.model.data import Labelled as Labelled
    from dpcheck.model.data import SemiPrivate as SemiPrivate
    from dpcheck.model.data.forms import Form as Form
    from dpcheck.model.errors import DpcheckError as DpcheckError
    from dpcheck.model.errors import InvalidArgument as InvalidArgument
    from dpcheck.model.errors import LearnerDied as LearnerDied
    from dpcheck.model.errors import RecordCorrupt as RecordCorrupt
    from dpcheck.model.errors import TargetNotFound as TargetNotFound
    from dpcheck.model.law import IntegerScores as IntegerScores
    from dpcheck.model.law import Law as Law
    from dpcheck.model.learner import Learner as Learner
    from dpcheck.model.learner import by_calls as by_calls
    from dpcheck.model.learner import from_sampler as from_sampler
    from dpcheck.model.neighbours import AddRemove as AddRemove
    from dpcheck.model.neighbours import EntryAndTranscript as EntryAndTranscript
    from dpcheck.model.neighbours import LabelsOnly as LabelsOnly
    from dpcheck.model.neighbours import PrivatePart as PrivatePart
    from dpcheck.model.neighbours import Records as Records
    from dpcheck.model.neighbours import ReplaceEntry as ReplaceEntry
    from dpcheck.model.neighbours import ReplaceOne as ReplaceOne
    from dpcheck.model.training import UNRECORDED as UNRECORDED
    from dpcheck.model.training import GaussianSteps as GaussianSteps
    from dpcheck.model.training import Transcript as Transcript
    from dpcheck.model.unexpected import DpInconclusive as DpInconclusive
    from dpcheck.model.unexpected import DpViolation as DpViolation
    from dpcheck.model.unexpected import LearnerFailed as LearnerFailed
    from dpcheck.model.unexpected import UnexpectedVerdict as UnexpectedVerdict
    from dpcheck.model.verdict import Measurement as Measurement
    from dpcheck.model.verdict import Status as Status
    from dpcheck.model.verdict import Verdict as Verdict
    from dpcheck.privacy.one_run.canaries import Canaries as Canaries
    from dpcheck.privacy.one_run.canaries import canaries as canaries
    from dpcheck.privacy.one_run.training import one_run as one_run
    from dpcheck.privacy.one_run.values import OneRunVerdict as OneRunVerdict
    from dpcheck.privacy.one_run.verdict import one_run_verdict as one_run_verdict
    from dpcheck.privacy.run.audit import audit as audit
    from dpcheck.privacy.run.gate import assert_private as assert_private
    from dpcheck.privacy.run.measure import measure as measure
    from dpcheck.privacy.run.power_analysis import Plan as Plan
    from dpcheck.privacy.run.power_analysis import plan as plan
    from dpcheck.privacy.white_box.premises import white_box as white_box
    from dpcheck.privacy.white_box.values import WhiteBoxStatus as WhiteBoxStatus
    from dpcheck.privacy.white_box.values import WhiteBoxVerdict as WhiteBoxVerdict
    from dpcheck.utility.curves import sweep as sweep
    from dpcheck.utility.failure import FailureRate as FailureRate
    from dpcheck.utility.failure import failure_rate as failure_rate
    from dpcheck.utility.sizes import SampleComplexity as SampleComplexity
    from dpcheck.utility.sizes import sample_complexity as sample_complexity

#: Where each public name lives: it is loaded when first used, so that importing dpcheck stays cheap.
_HOMES = {
    "AddRemove": "dpcheck.model.neighbours",
    "ApproxDP": "dpcheck.model.claims",
    "Canaries": "dpcheck.privacy.one_run.canaries",
    "Case": "dpcheck.checks",
    "CheckResult": "dpcheck.checks",
    "DpInconclusive": "dpcheck.model.unexpected",
    "DpViolation": "dpcheck.model.unexpected",
    "DpcheckError": "dpcheck.model.errors",
    "EntryAndTranscript": "dpcheck.model.neighbours",
    "FailureRate": "dpcheck.utility.failure",
    "Form": "dpcheck.model.data.forms",
    "GaussianDP": "dpcheck.model.claims",
    "GaussianSteps": "dpcheck.model.training",
    "IntegerScores": "dpcheck.model.law",
    "InvalidArgument": "dpcheck.model.errors",
    "Labelled": "dpcheck.model.data",
    "LabelsOnly": "dpcheck.model.neighbours",
    "Law": "dpcheck.model.law",
    "Learner": "dpcheck.model.learner",
    "LearnerDied": "dpcheck.model.errors",
    "LearnerFailed": "dpcheck.model.unexpected",
    "Measurement": "dpcheck.model.verdict",
    "OneRunVerdict": "dpcheck.privacy.one_run.values",
    "Plan": "dpcheck.privacy.run.power_analysis",
    "PrivatePart": "dpcheck.model.neighbours",
    "ProfileDP": "dpcheck.model.claims",
    "PureDP": "dpcheck.model.claims",
    "RecordCorrupt": "dpcheck.model.errors",
    "Records": "dpcheck.model.neighbours",
    "RenyiDP": "dpcheck.model.claims",
    "ReplaceEntry": "dpcheck.model.neighbours",
    "ReplaceOne": "dpcheck.model.neighbours",
    "SampleComplexity": "dpcheck.utility.sizes",
    "SemiPrivate": "dpcheck.model.data",
    "Status": "dpcheck.model.verdict",
    "TargetNotFound": "dpcheck.model.errors",
    "Transcript": "dpcheck.model.training",
    "UNRECORDED": "dpcheck.model.training",
    "UnexpectedVerdict": "dpcheck.model.unexpected",
    "Verdict": "dpcheck.model.verdict",
    "WhiteBoxStatus": "dpcheck.privacy.white_box.values",
    "WhiteBoxVerdict": "dpcheck.privacy.white_box.values",
    "ZeroConcentratedDP": "dpcheck.model.claims",
    "assert_private": "dpcheck.privacy.run.gate",
    "audit": "dpcheck.privacy.run.audit",
    "by_calls": "dpcheck.model.learner",
    "canaries": "dpcheck.privacy.one_run.canaries",
    "check_learner": "dpcheck.checks",
    "claim_from_dp_event": "dpcheck.adapters.accounting",
    "compare_baseline": "dpcheck.history.baseline_runs",
    "failure_rate": "dpcheck.utility.failure",
    "from_diffprivlib": "dpcheck.adapters.diffprivlib",
    "from_estimator": "dpcheck.adapters.estimator",
    "from_jax_privacy": "dpcheck.adapters.jax_privacy",
    "from_opacus": "dpcheck.adapters.opacus",
    "from_opendp": "dpcheck.adapters.opendp",
    "from_sampler": "dpcheck.model.learner",
    "measure": "dpcheck.privacy.run.measure",
    "one_run": "dpcheck.privacy.one_run.training",
    "one_run_verdict": "dpcheck.privacy.one_run.verdict",
    "parametrize_with_checks": "dpcheck.checks",
    "plan": "dpcheck.privacy.run.power_analysis",
    "record_jax_privacy": "dpcheck.adapters.jax_privacy",
    "record_opacus": "dpcheck.adapters.opacus",
    "record_baseline": "dpcheck.history.baseline_runs",
    "sample_complexity": "dpcheck.utility.sizes",
    "steps_from_dp_event": "dpcheck.adapters.accounting",
    "sweep": "dpcheck.utility.curves",
    "white_box": "dpcheck.privacy.white_box.premises",
}


class _Names(list[str]):
    """The names of ``from dpcheck import *``; pydoc, which asks what is *in* them, finds none.

    What it found ``help(dpcheck)`` would write out at length: 5,000 lines, where the documentation above names all.
    """

    def __contains__(self, name: object) -> bool:
        return False


__all__ = _Names([*_HOMES, "strategies"])


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "strategies":
        return import_module("dpcheck.strategies")
    if name == "__version__":
        from importlib.metadata import version

        return version("dpcheck")
    if name not in _HOMES:
        from dpcheck.model.errors import nearest

        raise AttributeError(f"module 'dpcheck' has no attribute {name!r}{nearest(name, _HOMES)}")
    value = _loaded(_HOMES[name], name)
    globals()[name] = value
    return value


def _loaded(module: str, name: str) -> Any:
    """A name of a module, which may compute when it is loaded: not under what a user has set for numpy's errors."""
    import sys
    from importlib import import_module

    if "numpy" not in sys.modules:  # then nothing is set
        return getattr(import_module(module), name)
    from dpcheck.execution.undisturbed import undisturbed

    with undisturbed():
        return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
