"""SARIF: where learners are found, what GitHub takes, and the doors that write it."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import hypothesis.strategies as st
import pytest
from hypothesis import given

from dpcheck.cli.locations import location_of
from dpcheck.cli.targets import resolve
from dpcheck.model.verdict import Finding, Status, Stop
from dpcheck.report import github, run_json, sarif
from dpcheck.report.finished import Audited, Location, NotAudited, Run, Trouble
from dpcheck.report.sarif_rules import RULES, rule_of_result
from tests.documents import check, is_sarif, sarif_schema
from tests.handmade import verdict

pytest_plugins = ["pytester"]

# Each name with the line where somebody would edit it: "# name" at the end of the line says which.
MODULE = '''
import functools
from functools import partial

from sklearn.linear_model import LogisticRegression

import dpcheck
from elsewhere import imported


def decorated(function):
    @functools.wraps(function)
    def inner(dataset, rng):
        return function(dataset, rng)

    return inner


def function(dataset, rng):  # function
    return 0.0


@decorated
@decorated
def wrapped(dataset, rng):  # wrapped
    return 0.0


@functools.lru_cache
def cached(dataset, rng):  # cached
    return 0.0


def make(scale=1.0):  # make
    return function


class Learner:  # Learner
    """A learner."""

    def __call__(self, dataset, rng):
        return 0.0

    def method(self, dataset, rng):  # Learner.method
        return 0.0

    class Inner:  # Learner.Inner
        def __call__(self, dataset, rng):
            return 0.0


def scaled(dataset, rng, scale):  # scaled part deeper
    return 0.0


part = partial(scaled, scale=2)
deeper = partial(partial(scaled), scale=2)
small = lambda dataset, rng: 0.0  # small
instance = Learner()
bound = Learner().method
estimator = LogisticRegression()  # estimator
adapted = dpcheck.from_estimator(  # adapted
    estimator
)
sampler = dpcheck.from_sampler(lambda dataset, size, rng: [0.0] * size)  # sampler
if True:
    try:
        pair = under, _ = dpcheck.from_estimator(LogisticRegression()), 0  # under
    except ImportError:
        under = None
annotated: object = dpcheck.by_calls(function)
built_in = max  # built_in
rebound = 1
rebound = LogisticRegression()  # rebound
'''
SAME_AS = {"instance": "Learner", "bound": "Learner.method", "annotated": "function"}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "a repository"
    (root / "sub folder" / "ε").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "sub folder" / "ε" / "my learners.py").write_text(MODULE, encoding="utf-8")
    (root / "sub folder" / "ε" / "elsewhere.py").write_text("\n\ndef imported(dataset, rng):\n    return 0.0\n")
    monkeypatch.chdir(root / "sub folder")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "elsewhere", raising=False)
    return root


def line_of(name: str) -> int:
    (line,) = (
        number for number, text in enumerate(MODULE.splitlines(), start=1) if name in text.partition("  # ")[2].split()
    )
    return line


NAMES = [word for text in MODULE.splitlines() for word in text.partition("  # ")[2].split()]


@pytest.mark.turns(6)
@pytest.mark.parametrize("name", [*NAMES, *SAME_AS])
def test_a_learner_is_found_where_somebody_would_edit_it(repository: Path, name: str) -> None:
    target = f"ε/my learners.py:{name}"
    try:
        resolve(target, {})
    except Exception:  # no learner by itself, or not to be sent to a worker; where it stands is known all the same
        assert name in ("cached", "estimator", "rebound", "built_in", "scaled", "Learner.method")
    expected = Location("sub folder/ε/my learners.py", line_of(SAME_AS.get(name, name)))
    assert location_of(target) == expected


def test_what_is_imported_is_found_where_it_is_defined(repository: Path) -> None:
    resolve("ε/my learners.py:imported", {})
    assert location_of("ε/my learners.py:imported") == Location("sub folder/ε/elsewhere.py", 3)


def test_a_target_of_a_module_is_found_as_well(repository: Path) -> None:
    (repository / "sub folder" / "named.py").write_text("class Learner:\n    def __call__(self, dataset, rng): ...\n")
    resolve("named:Learner", {})
    try:
        assert location_of("named:Learner") == Location("sub folder/named.py", 1)
    finally:
        del sys.modules["named"]


def test_a_target_that_cannot_be_imported_is_found_by_reading_its_file(repository: Path) -> None:
    file = repository / "sub folder" / "broken.py"
    file.write_text("import no_such_module\n\nclass Learner:\n    inner = 1\n")
    assert location_of("broken.py:Learner") == Location("sub folder/broken.py", 3)
    assert location_of("broken.py:Learner.inner") == Location("sub folder/broken.py", 4)
    assert location_of("broken.py:Nothing") == Location("sub folder/broken.py", 1)
    file.write_text("def broken(:\n")
    assert location_of("broken.py:Learner") == Location("sub folder/broken.py", 1)
    file.write_bytes(b"\x00\xff")
    assert location_of("broken.py:Learner") == Location("sub folder/broken.py", 1)


@pytest.mark.parametrize(
    "target", ["", ":", "no.module:name", "missing.py:name", "sklearn.linear_model:LogisticRegression", "json:loads",
               "zoo:laplace", "zoo:no_such_entry", "../outside.py:name"]
)  # fmt: skip
def test_what_is_not_in_the_repository_has_no_place(repository: Path, target: str) -> None:
    (repository.parent / "outside.py").write_text("name = 1\n")
    assert location_of(target) is None


def test_installed_packages_inside_the_repository_have_no_place(repository: Path) -> None:
    folder = repository / ".venv" / "lib" / "site-packages"
    folder.mkdir(parents=True)
    (folder / "theirs.py").write_text("name = 1\n")
    assert location_of(f"{folder}/theirs.py:name") is None


def test_an_entry_of_the_zoo_is_found_in_this_repository() -> None:
    place = location_of("zoo:above_threshold")
    assert place is not None
    assert place.file == "dpcheck/parts/zoo/correct/above_threshold.py"
    assert (Path(__file__).parents[2] / place.file).read_text().splitlines()[place.line - 1].startswith("def ")


class Trap:
    """An object that raises whenever it is looked at, or goes on for ever."""

    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


def test_strange_objects_are_survived(repository: Path) -> None:
    (repository / "sub folder" / "strange.py").write_text(
        "class Endless:\n"
        "    @property\n"
        "    def __wrapped__(self): return Endless()\n"
        "    def __call__(self, dataset, rng): ...\n"
        "class Trap:\n"
        "    def __getattribute__(self, name): raise RuntimeError(name)\n"
        "endless = Endless()\n"
        "circle = lambda dataset, rng: 0\n"
        "circle.__wrapped__ = circle\n"
        "made = eval('lambda dataset, rng: 0')\n"
        "exec('class Made: pass')\n"
        "trap = Trap()\n"
    )
    resolve("strange.py:endless", {})
    lines = {"endless": 1, "circle": 8, "made": 10, "Made": 1, "trap": 5}
    assert {name: (location_of(f"strange.py:{name}") or Location("", 0)).line for name in lines} == lines


def result_of(log: str, rule: str = "dpcheck/violated") -> dict[str, Any]:
    (found,) = (result for result in json.loads(log)["runs"][0]["results"] if result["ruleId"] == rule)
    return dict(found)


def test_a_result_says_where_what_and_how_sure() -> None:
    violated = Audited(verdict(Status.VIOLATED), location=Location("a b/ε.py", 12))
    result = result_of(sarif.render(Run((violated,), ("dpcheck", "audit"), 7)))
    assert result["level"] == "error"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a%20b/%CE%B5.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 12},
    }
    known = result["properties"]
    assert (known["epsilon_lower"], known["claim"], known["alpha"], known["calls"], known["seed"]) == (
        1.3, "1-DP", 1e-6, 900, 0
    )  # fmt: skip
    assert "Expected: no violation found." in result["message"]["text"]


def test_a_result_without_a_place_is_shown_where_a_project_says_what_it_audits() -> None:
    for place in (None, Location("/etc/passwd", 1), Location("../other/x.py", 1), Location("", 1)):
        result = result_of(sarif.render(Run((Audited(verdict(Status.VIOLATED), location=place),))))
        where = result["locations"][0]["physicalLocation"]
        assert (where["artifactLocation"]["uri"], where["region"]["startLine"]) == ("pyproject.toml", 1)


def test_each_kind_of_result_has_its_rule_and_what_is_as_expected_has_none() -> None:
    def rule(result: Audited | NotAudited) -> str | None:
        found = rule_of_result(result)
        return None if found is None else found.id.removeprefix("dpcheck/")

    assert [rule(Audited(verdict(status))) for status in Status] == ["learner-failed", "violated", "inconclusive", None]
    assert [rule(Audited(verdict(status), status)) for status in Status] == [None, None, None, None]
    assert rule(Audited(verdict(), Status.VIOLATED)) == "not-as-expected"
    assert rule(Audited(verdict(Status.INCONCLUSIVE), allow_inconclusive=True)) == "inconclusive"
    assert rule(Audited(verdict(Status.VIOLATED, stop=Stop.INTERRUPTED))) == "interrupted"
    troubles = [rule(NotAudited("a:b", trouble, "x")) for trouble in Trouble]
    assert troubles == ["usage-error", "learner-failed", "internal-error", "interrupted"]


def test_rules_are_documented_and_their_ids_stay() -> None:
    assert [rule.id for rule in RULES] == [
        "dpcheck/violated", "dpcheck/not-as-expected", "dpcheck/inconclusive", "dpcheck/learner-failed",
        "dpcheck/usage-error", "dpcheck/internal-error", "dpcheck/interrupted", "dpcheck/finding/floating-point",
        "dpcheck/finding/terminates-differently", "dpcheck/finding/ignores-rng", "dpcheck/finding/changes-its-input",
        "dpcheck/finding/prints", "dpcheck/finding/warns", "dpcheck/finding/opaque-outputs",
        "dpcheck/finding/one-output",
    ]  # fmt: skip
    for rule in RULES:
        assert rule.level in ("error", "warning", "note")
        assert rule.short
        assert rule.full.endswith(".")
        assert rule.advice.endswith(".")
        assert 0 < len(rule.tags) <= 20


def test_what_is_allowed_is_a_note_and_what_fails_is_not() -> None:
    inconclusive = verdict(Status.INCONCLUSIVE)
    for allowed, level in ((False, "warning"), (True, "note")):
        log = sarif.render(Run((Audited(inconclusive, allow_inconclusive=allowed),)))
        assert result_of(log, "dpcheck/inconclusive")["level"] == level


def test_findings_about_the_learner_are_results_and_those_about_the_run_are_not() -> None:
    findings = (Finding("floating point", "low bits"), Finding("search", "24 pairs"), Finding("warns", "often"))
    log = sarif.render(Run((Audited(verdict(findings=findings)),)))
    results = json.loads(log)["runs"][0]["results"]
    assert [(one["ruleId"], one["level"]) for one in results] == [
        ("dpcheck/finding/floating-point", "warning"), ("dpcheck/finding/warns", "note")
    ]  # fmt: skip
    assert "search: 24 pairs" in results[0]["properties"]["findings"]


def test_the_run_says_how_it_ended() -> None:
    def invocation(*results: Audited | NotAudited) -> dict[str, Any]:
        log = json.loads(sarif.render(Run(results, ("dpcheck", "audit", "a b"))))
        return dict(log["runs"][0]["invocations"][0])

    violated = invocation(Audited(verdict(Status.VIOLATED)))
    # Of the tool: that it found something is a success.
    assert (violated["exitCode"], violated["executionSuccessful"]) == (1, True)
    assert violated["exitCodeDescription"] == "not as expected"
    misspelt = invocation(NotAudited("a:b", Trouble.USAGE, "no module"))
    assert (misspelt["exitCode"], misspelt["executionSuccessful"]) == (2, False)
    assert misspelt["toolConfigurationNotifications"][0]["message"]["text"] == "a:b: no module"
    broken = invocation(NotAudited("a:b", Trouble.INTERNAL, "division"))
    assert (broken["exitCode"], broken["executionSuccessful"]) == (70, False)
    assert broken["toolExecutionNotifications"]


def test_an_alert_stays_the_same_while_rule_learner_and_relation_do() -> None:
    def fingerprint(result: Audited) -> Any:
        return result_of(sarif.render(Run((result,))))["partialFingerprints"]

    first = Audited(verdict(Status.VIOLATED), location=Location("x.py", 3))
    later = Audited(verdict(Status.VIOLATED, samples=12, epsilon_lower=2.0, seed=5), location=Location("x.py", 30))
    assert fingerprint(first) == fingerprint(later)
    others = [
        replace(first, verdict=verdict(Status.VIOLATED, target="other")),
        replace(first, verdict=verdict(Status.VIOLATED, relation="add-remove")),
        replace(first, origin="test_it.py::test_other"),
    ]
    assert len({json.dumps(fingerprint(one)) for one in [first, *others]}) == 4
    # GitHub reads one name only, and in the form hash:count.
    assert set(fingerprint(first)) == {"dpcheck/v1", "primaryLocationLineHash"}
    assert fingerprint(first)["primaryLocationLineHash"].endswith(":1")


def test_github_takes_no_more_results_than_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (sarif.MOST_RESULTS, sarif.MOST_BYTES) == (25_000, 10_000_000)
    monkeypatch.setattr(sarif, "MOST_RESULTS", 25)
    run = Run(tuple(Audited(verdict(Status.VIOLATED, target=f"t{number}")) for number in range(40)))
    text = sarif.render(run)
    is_sarif(text, run)
    log = json.loads(text)["runs"][0]
    # Targets come before findings, and the log says how much is missing: 40 targets and as many findings.
    assert [one["properties"]["target"] for one in log["results"]] == [f"t{number}" for number in range(25)]
    assert "55 results did not fit" in log["invocations"][0]["toolExecutionNotifications"][-1]["message"]["text"]


@pytest.mark.parametrize("most", [30_000, 60_000])
def test_github_takes_no_larger_file_than_it_says(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MOST_BYTES", most)
    run = Run(tuple(Audited(verdict(Status.VIOLATED, target="ε" * number)) for number in range(500)))
    text = sarif.render(run)
    assert 0.8 * most < len(text.encode()) <= most
    check(sarif_schema(), json.loads(text))


def test_targets_without_a_verdict_cannot_make_the_file_too_large() -> None:
    # Each of these would be some 24 KB in the results and as much beside them.
    run = Run(tuple(NotAudited(f"{number}", Trouble.LEARNER, "ε" * 5_000) for number in range(1_000)))
    assert 0.9 * sarif.MOST_BYTES < len(sarif.render(run)) <= sarif.MOST_BYTES


@given(st.text())
def test_a_uri_holds_the_name_and_nothing_that_means_anything_else(name: str) -> None:
    uri = sarif.uri_of(name)
    assert uri.isascii()
    assert not set(uri) & set(" \"<>\\^`{|}?#[]@!$&'()*+,;=:\n\r\t")
    if not any("\ud800" <= character <= "\udfff" for character in name):
        assert unquote(uri) == name


def test_annotations_and_the_run_document_say_where_too() -> None:
    violated = Audited(verdict(Status.VIOLATED), location=Location("a,b:c/%\n.py", 12))
    assert github.render(Run((violated,))).startswith("::error file=a%2Cb%3Ac/%25%0A.py,line=12,title=dpcheck%3A ")
    assert json.loads(run_json.render(Run((violated,))))["results"][0]["location"] == {
        "file": "a,b:c/%\n.py", "line": 12
    }  # fmt: skip
    assert "file=" not in github.render(Run((Audited(verdict(Status.VIOLATED)),)))


BROKEN = "\n\ndef broken(dataset, rng):\n    return sum(dataset) + rng.laplace(scale=0.25)\n"


@pytest.mark.turns(6)
def test_the_command_writes_sarif_to_a_file_or_to_standard_output(repository: Path) -> None:
    (repository / "sub folder" / "mine.py").write_text(BROKEN)
    asked = ["audit", "mine.py:broken", "missing.py:x", "--epsilon=1", "--bounds=0,1", "--size=1",
             "--max-samples=3000", "--isolation=none"]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", *asked, "--format", "sarif", "--sarif", "beside.sarif"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr  # the violation is not hidden by the target that is missing
    log = json.loads(done.stdout)
    assert json.loads(Path("beside.sarif").read_text()) == log
    check(sarif_schema(), log)
    violated = result_of(done.stdout)
    place = violated["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "sub%20folder/mine.py"
    assert place["region"]["startLine"] == 3
    assert result_of(done.stdout, "dpcheck/usage-error")["properties"]["located"] is False
    assert log["runs"][0]["invocations"][0]["exitCode"] == 1


TESTS = """
import dpcheck
from learners import broken

class Lonely:
    pass

def test_theirs(dp_audit):
    dp_audit(broken, 1.0, pairs=[([1.0], [0.0])], max_samples=3_000)

def test_built(dp_audit):
    made = eval("lambda dataset, rng: sum(dataset) + rng.laplace(scale=0.25)")
    dp_audit(made, 1.0, pairs=[([1.0], [0.0])], max_samples=3_000)
"""


@pytest.mark.turns(6)
def test_the_plugin_writes_sarif_also_out_of_a_worker_of_xdist(pytester: pytest.Pytester) -> None:
    pytester.mkdir(".git")
    (pytester.path / "learners.py").write_text(BROKEN)
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--dpcheck-sarif", "out.sarif", "-n", "1")
    result.assert_outcomes(failed=2)
    text = (pytester.path / "out.sarif").read_text()
    log = json.loads(text)
    check(sarif_schema(), log)
    violated = [one for one in log["runs"][0]["results"] if one["ruleId"] == "dpcheck/violated"]
    places = [one["locations"][0]["physicalLocation"] for one in violated]
    found = {(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places}
    # The learner's line; of one that has none, the test's.
    assert found == {("learners.py", 3), ("test_it.py", 10)}
    assert {one["properties"]["origin"] for one in violated} == {"test_it.py::test_theirs", "test_it.py::test_built"}


def test_the_plugin_refuses_a_file_it_could_not_write(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(): pass")
    result = pytester.runpytest_subprocess("--dpcheck-sarif", "no/such/folder/out.sarif")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--dpcheck-sarif must be a file in a folder that exists*"])
