"""JUnit XML: what CI servers show as tests."""

from __future__ import annotations

from typing import Any

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from dpcheck.model.harmless import one_line
from dpcheck.report.exit_status import Exit, exit_of
from dpcheck.report.finished import Audited, NotAudited, Run
from dpcheck.report.words import details_of, name_of, said_of, summary_of

SUITE = "dpcheck"
# Seconds with more decimals are no time to some readers (the schema of Jenkins).
_DECIMALS = 3


def render(run: Run) -> str:
    """One test case per target; not as expected and inconclusive are failures, all other trouble is an error.

    >>> "<testsuite name=\\"dpcheck\\"" in render(Run(()))
    True
    """
    suite = TestSuite(SUITE)
    suite.add_property("argv", one_line(" ".join(run.argv)))
    suite.add_property("seed", str(run.seed))
    suite.add_property("level", f"{run.level:.3g}")
    suite.add_property("summary", one_line(summary_of(run)))
    for result in run.results:
        suite.add_testcase(_case(result))
    suite.update_statistics()
    # Older versions of the library leave a sum of rounded seconds with as many decimals as a float can have.
    suite.time = round(sum(map(_seconds, run.results)), _DECIMALS)
    document = JUnitXml(SUITE)
    document.add_testsuite(suite)
    # Not by the library: its count of what was skipped is nothing that the schema of Jenkins has here.
    document.tests, document.failures, document.errors = suite.tests, suite.failures, suite.errors
    document.time = suite.time
    content: bytes | str = document.tostring()
    return content.decode("utf-8") if isinstance(content, bytes) else content


def _case(result: Audited | NotAudited) -> TestCase:
    case = TestCase(name_of(result), classname=f"{SUITE}.audit", time=_seconds(result))
    marks = _marks(exit_of(result))
    if marks is None:
        case.system_out = details_of(result)
    else:
        mark = marks(one_line(said_of(result)), said_of(result).split(",")[0].replace(" ", "-"))
        mark.text = details_of(result)
        case.result = [mark]
    return case


def _seconds(result: Audited | NotAudited) -> float:
    return round(result.verdict.seconds if isinstance(result, Audited) else 0.0, _DECIMALS)


def _marks(exit: Exit) -> Any:
    if exit is Exit.AS_EXPECTED:
        return None
    return Failure if exit in (Exit.NOT_AS_EXPECTED, Exit.INCONCLUSIVE) else Error
