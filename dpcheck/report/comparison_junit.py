"""A comparison as JUnit XML: what CI servers show as tests."""

from __future__ import annotations

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite

from dpcheck.history.comparisons import Compared, Comparison
from dpcheck.model.harmless import one_line
from dpcheck.report.comparison import details_of_compared, exit_of_compared, summary_of_comparison, word_of
from dpcheck.report.exit_status import Exit

SUITE = "dpcheck"


def render(comparison: Comparison) -> str:
    """One test case per learner; worse, changed, new and not produced are failures, all other trouble is an error.

    >>> "<testsuite name=\\"dpcheck\\"" in render(Comparison((), 1e-6, 0))
    True
    """
    suite = TestSuite(SUITE)
    suite.add_property("argv", one_line(" ".join(comparison.argv)))
    suite.add_property("seed", str(comparison.seed))
    suite.add_property("level", f"{comparison.level:.3g}")
    suite.add_property("summary", one_line(summary_of_comparison(comparison)))
    for result in comparison.results:
        suite.add_testcase(_case(result, comparison))
    document = JUnitXml(SUITE)
    document.add_testsuite(suite)
    document.update_statistics()
    content: bytes | str = document.tostring()
    return content.decode("utf-8") if isinstance(content, bytes) else content


def _case(result: Compared, comparison: Comparison) -> TestCase:
    case = TestCase(one_line(result.name), classname=f"{SUITE}.compare", time=round(result.seconds, 3))
    exit = exit_of_compared(result, comparison)
    details = details_of_compared(result, comparison.path)
    if exit is Exit.AS_EXPECTED:
        case.system_out = details
        return case
    kind = Failure if exit is Exit.NOT_AS_EXPECTED else Error
    mark = kind(one_line(word_of(result)), word_of(result).replace(" ", "-"))
    mark.text = details
    case.result = [mark]
    return case
