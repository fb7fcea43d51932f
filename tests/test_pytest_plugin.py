"""The pytest plugin: what makes a test pass and fail, the marker, the options, and pytest-xdist."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["pytester"]

# The scale that 1-DP needs here is 1: at 1/4 some hundred calls show the leak, and at 1 no number of calls
# shows one, but with probability 1e-9.
LEARNERS = """
import pytest

PAIRS = [([1.0, 0.5], [0.0, 0.5])]
FEW = {"pairs": PAIRS, "max_samples": 20_000}

def correct(dataset, rng):
    return sum(dataset) + rng.laplace(scale=1.0)

def broken(dataset, rng):
    return sum(dataset) + rng.laplace(scale=0.25)

def dies(dataset, rng):
    import os
    os._exit(3)
"""

Outcomes = Callable[..., pytest.RunResult]


@pytest.fixture
def outcomes(pytester: pytest.Pytester) -> Outcomes:
    """Runs pytest on a test module that starts with the learners above."""

    def run(tests: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(test_it=LEARNERS + tests)
        installed = any(point.value == "dpcheck.pytest_plugin" for point in entry_points(group="pytest11"))
        plugin = [] if installed else ["-p", "dpcheck.pytest_plugin"]
        # A process of its own, as in real life: this one has imported everything already.
        return pytester.runpytest_subprocess(*plugin, "-p", "no:cacheprovider", *arguments)

    return run


@pytest.mark.turns(4)
def test_a_pass_says_that_every_output_was_the_same(outcomes: Outcomes) -> None:
    result = outcomes(
        """
def test_nothing(dp_audit):
    dp_audit(lambda dataset, rng: None, 1.0, **FEW)
""",
        "-v",
    )
    result.stdout.fnmatch_lines(["*::test_nothing PASSED (would have caught *, but every output was the same)*"])


@pytest.mark.turns(6)
def test_the_fixture_passes_fails_and_reports(outcomes: Outcomes, tmp_path: Path) -> None:
    result = outcomes(
        """
def test_correct(dp_audit):
    verdict = dp_audit(correct, 1.0, **FEW)
    assert verdict.status == "no violation found"
    assert verdict.alpha == 1e-9

def test_broken(dp_audit):
    dp_audit(broken, 1.0, **FEW)

def test_broken_as_expected(dp_audit):
    assert dp_audit(broken, 1.0, expect="violated", **FEW).status == "violated"

def test_correct_but_expected_violated(dp_audit):
    dp_audit(correct, 1.0, expect="violated", **FEW)

def test_two_audits(dp_audit):
    dp_audit(correct, 1.0, **FEW)
    dp_audit(correct, 2.0, alpha=1e-8, **FEW)
""",
        "-v",
        "--dpcheck-json",
        str(tmp_path / "run.json"),
    )
    result.assert_outcomes(passed=3, failed=2)
    result.stdout.fnmatch_lines(
        [
            "dpcheck: *, alpha 1e-09 per audit, seed 0",
            "*::test_correct PASSED (would have caught a privacy loss of * in * outputs)*",
            "*::test_broken FAILED*",
            "*::test_broken_as_expected PASSED (violated, as expected)*",
            "*::test_two_audits PASSED (would have caught a privacy loss of *; would have caught a privacy loss of *)*",
            "*DpViolation: broken: VIOLATED*",
            "*dpcheck: violated, but expected: no violation found*",
            "*UnexpectedVerdict: correct: NO VIOLATION FOUND*",
            "*dpcheck: no violation found, but expected: violated*",
            "dpcheck: 6 audits: 4 no violation found, 2 violated; probability of any false alarm of the 6 dp_audit "
            "audits: at most 1.5e-08",
        ]
    )
    document = json.loads((tmp_path / "run.json").read_text())
    assert document["schema"] == "dpcheck-run/1"
    assert document["exit_status"] == 1
    assert len(document["records"]) == 6
    assert [result["origin"] for result in document["results"]][:2] == [
        "test_it.py::test_correct",
        "test_it.py::test_broken",
    ]


@pytest.mark.turns(6)
def test_inconclusive_fails_unless_allowed_by_name(outcomes: Outcomes) -> None:
    result = outcomes(
        """
SMALL = {"pairs": PAIRS, "max_samples": 50, "detect": 1.01}

def test_inconclusive(dp_audit):
    dp_audit(correct, 1.0, **SMALL)

def test_allowed(dp_audit):
    assert dp_audit(correct, 1.0, allow_inconclusive=True, **SMALL).status == "inconclusive"

@pytest.mark.dpcheck(allow_inconclusive=True)
def test_allowed_by_the_marker(dp_audit):
    dp_audit(correct, 1.0, **SMALL)
"""
    )
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(["*dpcheck: inconclusive*", "FAILED *::test_inconclusive*DpInconclusive: correct*"])


@pytest.mark.turns(6)
def test_a_learner_that_dies_fails_its_test_only(outcomes: Outcomes) -> None:
    result = outcomes(
        """
def test_dies(dp_audit):
    dp_audit(dies, 1.0, **FEW)

def test_dies_whatever_is_expected(dp_audit):
    dp_audit(dies, 1.0, expect="violated", **FEW)

def test_correct(dp_audit):
    dp_audit(correct, 1.0, **FEW)
"""
    )
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*LEARNER FAILED*", "FAILED *::test_dies*LearnerFailed: dies*"])


@pytest.mark.turns(6)
def test_the_nearest_marker_wins_and_the_call_wins_over_it(outcomes: Outcomes) -> None:
    result = outcomes(
        """
pytestmark = pytest.mark.dpcheck(alpha=1e-3, seed=3, max_samples=500, allow_inconclusive=True)

@pytest.mark.dpcheck(alpha=1e-4, expect="violated")
def test_marked(dp_audit):
    verdict = dp_audit(broken, 1.0, pairs=PAIRS, max_samples=20_000)
    assert (verdict.alpha, verdict.seed) == (1e-4, 3)
    assert dp_audit(broken, 1.0, pairs=PAIRS, max_samples=20_000, alpha=1e-5).alpha == 1e-5

def test_module(dp_audit):
    verdict = dp_audit(correct, 1.0, pairs=PAIRS)
    assert (verdict.alpha, verdict.samples) == (1e-3, 500)
"""
    )
    result.assert_outcomes(passed=2)


@pytest.mark.turns(6)
def test_options_set_defaults_and_the_header(outcomes: Outcomes) -> None:
    result = outcomes(
        """
def test_defaults(dp_audit):
    verdict = dp_audit(correct, 1.0, **FEW)
    assert (verdict.alpha, verdict.seed) == (1e-7, 11)
""",
        "--dpcheck-alpha=1e-7",
        "--dpcheck-seed=11",
    )
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["dpcheck: *, alpha 1e-07 per audit, seed 11"])


@pytest.mark.turns(6)
def test_runs_without_audits_say_nothing(outcomes: Outcomes) -> None:
    result = outcomes("def test_nothing(): pass")
    result.assert_outcomes(passed=1)
    assert "dpcheck:" not in result.stdout.str()


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("marker", "words"),
    [
        ("alhpa=1e-3", "has no argument 'alhpa' (did you mean 'alpha'?)"),
        ("1e-3", "takes arguments by name only, got 0.001"),
        ("expect='broken'", "expect must be one of 'no violation found', 'inconclusive', 'violated'"),
        ("allow_inconclusive=1", "allow_inconclusive must be True or False, got 1"),
        ("alpha=3", "alpha must be"),
        ("max_samples='many'", "max_samples must be a whole number"),
        ("numerics='reel'", "did you mean 'real'"),
        ("detect=-1", "detect must be"),
        ("isolation='all'", "isolation must be one of"),
        ("max_memory='12 parsecs'", "max_memory must be bytes such as 2GiB"),
    ],
)
def test_a_wrong_marker_stops_the_run(outcomes: Outcomes, marker: str, words: str) -> None:
    result = outcomes(f"@pytest.mark.dpcheck({marker})\ndef test_it(dp_audit): pass")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str() + result.stdout.str()


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("--dpcheck-alpha=2", "must be a probability between 0 and 1, got '2'"),
        ("--dpcheck-alpha=x", "must be a probability between 0 and 1, got 'x'"),
        ("--dpcheck-seed=x", "--dpcheck-seed"),
        ("--dpcheck-json=none/run.json", "--dpcheck-json must be a file in a folder that exists"),
        ("--dpcheck-json=/proc/run.json", "--dpcheck-json must be a file that can be written"),
    ],
)
def test_a_wrong_option_stops_the_run(outcomes: Outcomes, option: str, words: str) -> None:
    result = outcomes("def test_it(): pass", option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert words in result.stderr.str()


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("expect='volated'", "did you mean 'violated'"),
        ("allow_inconclusive=1", "allow_inconclusive must be True or False, got 1"),
        ("alpha=3", "alpha must be"),
    ],
)
def test_a_wrong_argument_fails_the_test_with_one_line(outcomes: Outcomes, arguments: str, words: str) -> None:
    result = outcomes(f"def test_it(dp_audit): dp_audit(correct, 1.0, {arguments}, **FEW)")
    result.assert_outcomes(failed=1)
    assert words in result.stdout.str()


@pytest.mark.turns(6)
def test_a_file_that_cannot_be_written_in_the_end_is_one_line_and_not_green(outcomes: Outcomes) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    result = outcomes("def test_it(dp_audit): dp_audit(correct, 1.0, **FEW)", "--dpcheck-json=/dev/full")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    result.stdout.fnmatch_lines(["dpcheck: --dpcheck-json could not be written to '/dev/full': No space left*"])


@pytest.mark.turns(4)
def test_checking_the_file_leaves_none_behind_and_spoils_none(outcomes: Outcomes, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("old")
    # Stopped before the end, where the file is written.
    for name in ("new.json", "old.json"):
        outcomes("def test_it(): pass", f"--dpcheck-json={tmp_path / name}", "--dpcheck-alpha=2")
        outcomes("@pytest.mark.dpcheck(1)\ndef test_it(): pass", f"--dpcheck-json={tmp_path / name}", "--version")
    assert not (tmp_path / "new.json").exists()
    assert (tmp_path / "old.json").read_text() == "old"


def test_what_an_earlier_run_wrote_does_not_outlive_a_run_that_dies(outcomes: Outcomes, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text("old")
    outcomes("import os\ndef test_it(): os._exit(0)", f"--dpcheck-json={tmp_path / 'old.json'}")
    assert not (tmp_path / "old.json").exists()
    assert (tmp_path / "old.json.earlier").read_text() == "old"
    outcomes("def test_it(): pass", f"--dpcheck-json={tmp_path / 'old.json'}")
    assert json.loads((tmp_path / "old.json").read_text())["results"] == []


@pytest.mark.turns(6)
def test_a_marked_test_that_audits_nothing_fails(outcomes: Outcomes) -> None:
    result = outcomes(
        """
@pytest.mark.dpcheck(max_samples=500)
def test_forgot_the_fixture(): pass

@pytest.mark.dpcheck(max_samples=500)
def test_forgot_the_call(dp_audit): pass

@pytest.mark.dpcheck(max_samples=500)
def test_skipped(): pytest.skip("not here")

@pytest.mark.dpcheck(max_samples=500)
def test_audits(dp_audit): dp_audit(correct, 1.0, pairs=PAIRS, allow_inconclusive=True)

@pytest.mark.dpcheck(max_samples=500)
class TestDefaults:
    def test_of_something_else(self): pass
    def test_forgot_the_call(self, dp_audit): pass
"""
    )
    result.assert_outcomes(passed=2, skipped=1, failed=3)
    said = [line for line in result.stdout.lines if line.startswith("marked dpcheck, but made no audit")]
    assert len(said) == 3


@pytest.mark.turns(6)
def test_the_expected_verdict_may_be_spelt_in_every_way(outcomes: Outcomes) -> None:
    result = outcomes(
        """
@pytest.mark.dpcheck(expect="no-violation")
def test_marker(dp_audit): dp_audit(correct, 1.0, **FEW)

@pytest.mark.parametrize("expect", ["no-violation-found", "no violation found"])
def test_argument(dp_audit, expect): dp_audit(correct, 1.0, expect=expect, **FEW)

@pytest.mark.dpcheck(expect="learner-failed")
def test_failure(dp_audit): dp_audit(dies, 1.0, **FEW)
"""
    )
    result.assert_outcomes(passed=4)


@pytest.mark.turns(6)
def test_a_wrong_marker_is_an_error_of_its_test_under_xdist(outcomes: Outcomes) -> None:
    """Each process ended with a traceback of pytest-xdist's own."""
    result = outcomes("@pytest.mark.dpcheck(alhpa=1)\ndef test_it(dp_audit): pass\n\ndef test_other(): pass", "-n2")
    result.assert_outcomes(passed=1, errors=1)
    words = result.stderr.str() + result.stdout.str()
    assert "has no argument 'alhpa' (did you mean 'alpha'?)" in words
    assert "INTERNALERROR" not in words
    assert "During handling" not in words


@pytest.mark.turns(6)
def test_with_xdist_the_records_of_all_workers_are_in_one_file(outcomes: Outcomes, tmp_path: Path) -> None:
    result = outcomes(
        """
@pytest.mark.parametrize("number", range(4))
def test_correct(dp_audit, number):
    dp_audit(correct, 1.0, pairs=PAIRS, max_samples=2_000, allow_inconclusive=True)

def test_broken(dp_audit):
    dp_audit(broken, 1.0, **FEW)
""",
        "-n2",
        f"--dpcheck-json={tmp_path / 'run.json'}",
    )
    result.assert_outcomes(passed=4, failed=1)
    result.stdout.fnmatch_lines(["dpcheck: 5 audits: *; *of the 5 dp_audit audits: at most 5e-09"])
    document: dict[str, Any] = json.loads((tmp_path / "run.json").read_text())
    assert len(document["records"]) == 5
    assert sorted(result["status"] for result in document["results"])[-1] == "violated"


@pytest.mark.turns(6)
def test_the_marker_and_the_fixture_are_documented(outcomes: Outcomes) -> None:
    assert "@pytest.mark.dpcheck(" in outcomes("", "--markers").stdout.str()
    assert "dp_audit" in outcomes("", "--fixtures").stdout.str()
