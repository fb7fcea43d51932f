"""JUnit XML: a test suite for each learner, a test case for each check."""

from __future__ import annotations

from typing import Any

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from dpcheck.checks.result import CheckResult, CheckStatus
from dpcheck.model.harmless import one_line
from dpcheck.report.checks.finished import Checked, CheckRun, NotChecked, exit_of_result
from dpcheck.report.checks.words import details_of, name_of, summary_of
from dpcheck.report.exit_status import Exit

SUITE = "dpcheck"


def render(run: CheckRun) -> str:
    """Failed, unexpectedly passed and inconclusive checks are failures, all other trouble is an error.

    What does not apply, and what was expected to fail and did, is skipped.

    >>> "<testsuites" in render(CheckRun(()))
    True
    """
    document = JUnitXml(SUITE)
    for one in run.learners:
        suite = TestSuite(name_of(one))
        suite.add_property("argv", one_line(" ".join(run.argv)))
        suite.add_property("seed", str(run.seed))
        suite.add_property("summary", one_line(summary_of(run)))
        for case in _cases(one, run):
            suite.add_testcase(case)
        document.add_testsuite(suite)
    document.update_statistics()
    content: bytes | str = document.tostring()
    return content.decode("utf-8") if isinstance(content, bytes) else content


def _cases(one: Checked | NotChecked, run: CheckRun) -> list[TestCase]:
    if isinstance(one, Checked):
        return [_case(result, one, run) for result in one.results]
    case = TestCase("checks", classname=f"{SUITE}.{name_of(one)}", time=0.0)
    mark = Error(one_line(one.problem), one.trouble.value.replace(" ", "-"))
    mark.text = one_line(one.problem)
    case.result = [mark]
    return [case]


def _case(result: CheckResult, one: Checked, run: CheckRun) -> TestCase:
    case = TestCase(one_line(result.check), classname=f"{SUITE}.{name_of(one)}", time=round(result.seconds, 3))
    marks = _marks(result, exit_of_result(result, allow_inconclusive=run.allow_inconclusive))
    if marks is None:
        case.system_out = details_of(result)
    else:
        mark = marks(one_line(result.expected or result.sentence), result.status.value.replace(" ", "-"))
        mark.text = details_of(result)
        case.result = [mark]
    return case


def _marks(result: CheckResult, exit: Exit | None) -> Any:
    if exit is None or result.status is CheckStatus.EXPECTED_FAILURE:
        return Skipped
    if exit is Exit.AS_EXPECTED:
        return None
    return Failure if exit in (Exit.NOT_AS_EXPECTED, Exit.INCONCLUSIVE) else Error
