"""Checks as tests of pytest: one for each learner and check."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dpcheck.checks.discovery import Check, checks_named
from dpcheck.checks.result import CheckFailed, CheckResult, CheckStatus
from dpcheck.checks.runner import (
    ALPHA,
    CALL_TIMEOUT,
    MAX_SAMPLES,
    MAX_SECONDS,
    checked_expectations,
    run_check,
    trouble_of,
)
from dpcheck.checks.subject import subject_of
from dpcheck.model.data.forms import Form
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import Target, static_name
from dpcheck.privacy.run.limits import Limits

#: What a test's name may hold without being escaped by pytest.
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_.=+-]+")


@dataclass(frozen=True, eq=False, kw_only=True)
class _Effort:
    """The limits of a case; those of :func:`~dpcheck.checks.check_learner`."""

    alpha: float = ALPHA
    max_samples: int = MAX_SAMPLES
    max_seconds: float = MAX_SECONDS
    call_timeout: float = CALL_TIMEOUT
    isolation: str = "auto"
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Case(_Effort):
    """A learner to be checked in tests, with all that :func:`~dpcheck.checks.check_learner` takes.

    Parameters
    ----------
    learner, claim : the learner (or a factory) and what it promises
    neighbours, dataset, pairs : where the data come from
    id : str, optional
        How test names call it; the learner's own name when left out.
    checks : list of str, optional; those to run, all by default
    expected_failures : dict of name to reason, optional; these tests are strict xfails
    allow_inconclusive : bool; whether an inconclusive check passes (default: its test fails)
    options : dict, optional; arguments for a factory
    form, numerics, warnings : as for :func:`dpcheck.audit`
    alpha, max_samples, max_seconds, call_timeout, isolation, seed : as for ``check_learner``

    Examples
    --------
    >>> Case(lambda dataset, rng: 0.0, 1.0, pairs=[([0], [1])], id="constant").name
    'constant'
    """

    learner: Any
    claim: Any = None
    neighbours: Any = field(default=None, kw_only=True)
    dataset: Any = field(default=None, kw_only=True)
    pairs: Any = field(default=None, kw_only=True)
    id: str | None = field(default=None, kw_only=True)
    checks: Sequence[str] | None = field(default=None, kw_only=True)
    expected_failures: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    allow_inconclusive: bool = field(default=False, kw_only=True)
    options: dict[str, Any] | None = field(default=None, kw_only=True)
    form: Form | str | None = field(default=None, kw_only=True)
    numerics: str = field(default="real", kw_only=True)
    warnings: str = field(default="finding", kw_only=True)

    @property
    def name(self) -> str:
        """How test names call it."""
        return _NOT_IN_A_NAME.sub("_", self.id if self.id is not None else _own_name(self)).strip("_")

    def run(self, check: Check) -> CheckResult:
        """The result of one check."""
        subject = subject_of(
            self.learner,
            self.claim,
            neighbours=self.neighbours,
            dataset=self.dataset,
            pairs=self.pairs,
            limits=Limits(
                alpha=self.alpha,
                numerics=self.numerics,
                warnings=self.warnings,
                max_samples=self.max_samples,
                max_seconds=self.max_seconds,
                call_timeout=self.call_timeout,
                isolation=self.isolation,
                seed=self.seed,
            ),
            options=self.options,
            name=self.id,
            form=self.form,
        )
        return run_check(subject, check)


@dataclass(frozen=True)
class CaseCheck:
    """A check as a test calls it: ``check(case)``."""

    check: Check

    @property
    def __name__(self) -> str:
        return self.check.name

    def __call__(self, case: Case) -> CheckResult:
        """Run it; a test that is not applicable is skipped.

        Raises
        ------
        CheckFailed, CheckInconclusive
            When it does not pass.
        """
        __tracebackhide__ = True
        result = case.run(self.check)
        if result.status is CheckStatus.NOT_APPLICABLE:
            import pytest

            pytest.skip(f"{result.check} is not applicable: {result.sentence}")
        trouble = trouble_of(result, allow_inconclusive=case.allow_inconclusive)
        if trouble is not None:
            raise trouble
        return result


def parametrize_with_checks(cases: Sequence[Case]) -> Any:
    """A decorator that makes of ``def test_learner(case, check): check(case)`` a test for each learner and check.

    The names of the tests are made of the cases' and the checks' names alone, so that they are the same in every
    process (pytest-xdist) and run. Expected failures are strict xfails, which fail where the check passes; checks that
    do not apply are skipped, with the reason.

    Parameters
    ----------
    cases : list of Case

    Raises
    ------
    InvalidArgument
        When there is no case, one is no ``Case``, or two have the same name.

    Examples
    --------
    >>> from dpcheck import Case, PureDP, ReplaceOne
    >>> learner = lambda data, rng: min(max(sum(data), 0), 9) + rng.laplace(scale=9)
    >>> @parametrize_with_checks([Case(learner, PureDP(1.0), neighbours=ReplaceOne(records=(0, 1)), id="sum")])
    ... def test_learner(case, check):
    ...     check(case)
    """
    import pytest

    if isinstance(cases, Case) or not isinstance(cases, Sequence) or isinstance(cases, str):
        raise InvalidArgument("cases must be a list of Case(learner, claim, ...), with the brackets")
    if not cases:
        raise InvalidArgument("cases must hold at least one Case(learner, claim, ...), got none")
    names: set[str] = set()
    parameters = []
    for case in cases:
        if not isinstance(case, Case):
            raise InvalidArgument(f"cases must hold Case(learner, claim, ...), got {case!r}")
        if case.name in names:
            raise InvalidArgument(f"cases must have a name each, got {case.name!r} twice: give them an id=")
        names.add(case.name)
        expected = checked_expectations(case.expected_failures)
        for check in checks_named(case.checks):
            reason = expected.get(check.name)
            marks = [] if reason is None else [pytest.mark.xfail(reason=reason, strict=True, raises=CheckFailed)]
            parameters.append(pytest.param(case, CaseCheck(check), id=f"{case.name}-{check.name}", marks=marks))
    return pytest.mark.parametrize(("case", "check"), parameters)


def _own_name(case: Case) -> str:
    """Its own name, read in ways that run none of its code: names are wanted where tests are collected."""
    found = case.learner.name if type(case.learner) is Target else static_name(case.learner)
    return found.replace("<lambda>", "lambda").replace("<locals>", "")
