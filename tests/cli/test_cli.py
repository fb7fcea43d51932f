"""The command line: exit statuses, documents, one clear line for every wrong argument."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcheck.cli import audit_command, demo_command, documents
from dpcheck.cli.app import run
from dpcheck.model.claims import PureDP
from dpcheck.model.errors import InvalidArgument, LearnerDied
from dpcheck.model.verdict import Status, Stop, Verdict
from dpcheck.privacy.run.limits import Limits
from dpcheck.report.formats import formats_of
from tests.handmade import verdict

LEARNERS = """
import numpy as np

def correct(dataset, rng):
    return float(np.sum(dataset)) + rng.laplace(scale=1.0)

def broken(dataset, rng):
    return float(np.sum(dataset)) + rng.laplace(scale=0.25)

class Scaled:
    claim = 1.0
    neighbours = "replace-one"
    def __init__(self, scale=1.0):
        self.scale = scale
    def __call__(self, dataset, rng):
        return float(np.sum(dataset)) + rng.laplace(scale=self.scale)

def dies(dataset, rng):
    import os
    os._exit(3)

def prints(dataset, rng):
    print("x" * 10)
    return float(np.sum(dataset)) + rng.laplace(scale=1.0)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of the user's, with learners and a pair."""
    (tmp_path / "mine.py").write_text(LEARNERS)
    np.savez(tmp_path / "pairs.npz", left=[[1.0, 0.5]], right=[[0.0, 0.5]])
    (tmp_path / "data.csv").write_text("age,ill\n0.5,1\n0.25,0\n1,1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("CI", "GITHUB_STEP_SUMMARY", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def verdicts(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any]], None]:
    """Lets targets have given verdicts (or raise), so that what is done with verdicts can be tested alone."""

    def give(by_target: dict[str, Any]) -> None:
        def prepared(name: str, *_: Any) -> Callable[[], Verdict]:
            def answer() -> Verdict:
                given = by_target[name]
                if isinstance(given, BaseException):
                    raise given
                assert isinstance(given, Verdict)
                return given

            return answer

        monkeypatch.setattr(audit_command, "_prepared", prepared)

    return give


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    """What was said on standard error, which must be one line; nothing on standard output."""
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("dpcheck: ")
    assert printed.err.count("\n") == 1
    return printed.err


def command(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    options.setdefault("timeout", 120)
    return subprocess.run(
        [sys.executable, "-m", "dpcheck", *arguments], capture_output=True, text=True, check=False, **options
    )


STATUSES = {
    Status.NO_VIOLATION_FOUND: 0,
    Status.VIOLATED: 1,
    Status.INCONCLUSIVE: 3,
    Status.LEARNER_FAILED: 4,
}


@pytest.mark.some(5)
@pytest.mark.parametrize("format", formats_of("run"))
@pytest.mark.parametrize(("status", "exit"), list(STATUSES.items()))
def test_the_exit_status_does_not_depend_on_the_format(
    folder: Path, verdicts: Any, capsys: pytest.CaptureFixture[str], status: Status, exit: int, format: str
) -> None:
    verdicts({"a": verdict(status, target="a")})
    assert run(["audit", "a", "--format", format]) == exit
    printed = capsys.readouterr().out
    assert run(["audit", "a", "--format", format, "--output", "out", "--json", "run.json", "--quiet"]) == exit
    aside = capsys.readouterr()
    assert aside.out == ""
    assert f"Exit status {exit} (" in aside.err
    assert (folder / "out").read_text() == printed
    assert json.loads((folder / "run.json").read_text())["exit_status"] == exit


ONE_MORE_FORMAT = """
import sys
from dpcheck.report.formats import FORMATS, Format
FORMATS["count"] = Format("count", {"run": lambda run: f"{len(run.results)} in all\\n"})
from dpcheck.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.turns(6)
def test_a_format_is_there_by_its_declaration_alone(tmp_path: Path) -> None:
    def ran(*argv: str) -> subprocess.CompletedProcess[str]:
        code = [sys.executable, "-c", ONE_MORE_FORMAT, *argv]
        return subprocess.run(code, capture_output=True, text=True, check=False, cwd=tmp_path)

    audited = ran("audit", "nowhere:a", "nowhere:b", "--epsilon", "1", "--format", "count")
    assert (audited.returncode, audited.stdout) == (2, "2 in all\n")
    (tmp_path / "pyproject.toml").write_text('[tool.dpcheck]\nformat = "count"\nepsilon = 1\n')
    assert ran("audit", "nowhere:a", "--output", "counted").returncode == 2
    assert (tmp_path / "counted").read_text() == "1 in all\n"
    assert "count" in ran("audit", "--help").stdout
    assert "Invalid value for '--format'" in ran("check", "--format", "count").stderr  # it writes no run of checks


@pytest.mark.parametrize(
    ("options", "status", "exit"),
    [
        (["--expect", "violated"], Status.VIOLATED, 0),
        (["--expect", "violated"], Status.NO_VIOLATION_FOUND, 1),
        (["--expect", "violated"], Status.INCONCLUSIVE, 3),
        (["--allow-inconclusive"], Status.INCONCLUSIVE, 0),
        (["--allow-inconclusive"], Status.VIOLATED, 1),
        (["--allow-inconclusive"], Status.LEARNER_FAILED, 4),
    ],
)
def test_what_is_expected_and_allowed(
    folder: Path, verdicts: Any, options: list[str], status: Status, exit: int
) -> None:
    verdicts({"a": verdict(status)})
    assert run(["audit", "a", *options]) == exit


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("given", "exit"),
    [
        ([Status.NO_VIOLATION_FOUND, Status.INCONCLUSIVE], 3),
        ([Status.INCONCLUSIVE, Status.VIOLATED], 1),
        ([Status.VIOLATED, Status.LEARNER_FAILED], 4),
        ([Status.LEARNER_FAILED, InvalidArgument("x must be y")], 4),
        ([InvalidArgument("x must be y"), Status.VIOLATED], 1),
        ([Status.INCONCLUSIVE, InvalidArgument("x must be y")], 2),
        ([InvalidArgument("x must be y"), ZeroDivisionError("division")], 70),
        ([LearnerDied("it hung on dataset 0", 0), Status.VIOLATED], 4),
    ],
)
@pytest.mark.parametrize("format", ["text", "json", "junit"])
def test_of_several_targets_the_gravest_decides_and_the_others_are_reported(
    folder: Path,
    verdicts: Any,
    capsys: pytest.CaptureFixture[str],
    given: list[Any],
    exit: int,
    format: str,
) -> None:
    made = [verdict(one) if isinstance(one, Status) else one for one in given]
    verdicts(dict(zip("ab", made, strict=True)))
    assert run(["audit", "a", "b", "--format", format]) == exit
    if format == "json":
        results = json.loads(capsys.readouterr().out)["results"]
        assert len(results) == 2


def test_an_internal_error_is_one_line_with_a_hint_and_a_traceback_when_asked(
    folder: Path, verdicts: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts({"a": ZeroDivisionError("division\nby zero")})
    assert run(["audit", "a"]) == 70
    line = one_line(capsys)
    assert "ZeroDivisionError: division by zero" in line
    assert "--traceback" in line
    assert run(["audit", "a", "--traceback"]) == 70
    assert "Traceback (most recent call last)" in capsys.readouterr().err


def test_an_interrupted_run_reports_what_is_finished(
    folder: Path, verdicts: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts({"a": verdict(target="a"), "b": KeyboardInterrupt(), "c": verdict()})
    assert run(["audit", "a", "b", "c", "--format", "json"]) == 130
    results = json.loads(capsys.readouterr().out)["results"]
    assert [result["status"] for result in results] == ["no violation found", "interrupted", "interrupted"]
    verdicts({"a": verdict(stop=Stop.INTERRUPTED), "b": verdict()})
    assert run(["audit", "a", "b"]) == 130


def test_no_targets_are_nothing_to_check(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit"]) == 5
    assert "TARGET" in one_line(capsys)
    assert run(["audit", "--format", "junit", "--output", "out.xml"]) == 5
    assert ElementTree.parse(folder / "out.xml").getroot().tag == "testsuites"


WRONG = {
    "unknown option": (["audit", "a:b", "--epsilom", "1"], ["--epsilom", "--epsilon"]),
    "unknown command": (["audti"], ["audti", "audit"]),
    "option without value": (["audit", "a:b", "--epsilon"], ["--epsilon"]),
    "no number": (["audit", "a:b", "--epsilon", "one"], ["--epsilon", "number", "'one'"]),
    "no double is so small": (["audit", "zoo:laplace", "--epsilon", "1e-400"], ["--epsilon", "'1e-400'"]),
    "no double is so large": (["audit", "zoo:laplace", "--max-samples", "1e999"], ["--max-samples", "'1e999'"]),
    "a file name of 5,000 characters": (
        ["audit", f"{'m' * 5_000}.py:correct"],
        ["name", "'mmmm", "mm'... of 5,003 characters: "],
    ),
    "an output of 5,000 characters": (["audit", "a:b", "--json", "m" * 5_000], ["name", "5,000 characters"]),
    "no whole number": (["audit", "a:b", "--max-samples", "1.5"], ["--max-samples", "whole", "'1.5'"]),
    "negative epsilon": (["audit", "zoo:laplace", "--epsilon", "-1"], ["epsilon must be", "-1"]),
    "delta alone": (["audit", "a:b", "--delta", "0.1"], ["--delta", "--epsilon"]),
    "delta above one": (["audit", "a:b", "--epsilon", "1", "--delta", "2"], ["delta must be", "2"]),
    "unknown relation": (["audit", "a:b", "--neighbours", "replace"], ["--neighbours", "replace-one"]),
    "unknown format": (["audit", "a:b", "--format", "sarf"], ["--format", "sarif", "junit"]),
    "two domains": (["audit", "a:b", "--records", "0,1", "--bounds", "0,1"], ["--records", "--bounds"]),
    "bounds upside down": (["audit", "a:b", "--bounds", "1,0"], ["--bounds", "LOW,HIGH", "'1,0'"]),
    "two data": (["audit", "a:b", "--dataset", "data.csv", "--pairs", "p.npz"], ["--dataset", "--pairs"]),
    "no such dataset": (["audit", "a:b", "--dataset", "dat.csv"], ["--dataset", "did you mean 'data.csv'"]),
    "no such kind of dataset": (["audit", "a:b", "--dataset", "x.parquet"], ["--dataset", "file.csv"]),
    "no such label": (["audit", "a:b", "--dataset", "data.csv", "--label", "il"], ["--label", "'ill'"]),
    "label alone": (["audit", "a:b", "--label", "ill"], ["--label", "--dataset"]),
    "no such pairs": (["audit", "a:b", "--pairs", "pears.npz"], ["--pairs", "did you mean 'pairs.npz'"]),
    "no such target": (["audit", "zoo:laplac"], ["did you mean 'laplace'"]),
    "no such file": (["audit", "min.py:correct"], ["did you mean 'mine.py'"]),
    "no such name": (["audit", "mine.py:corect"], ["did you mean 'correct'"]),
    "no claim": (["audit", "mine.py:correct", "--pairs", "pairs.npz"], ["--epsilon"]),
    "no data": (["audit", "mine.py:correct", "--epsilon", "1"], ["--dataset", "--pairs"]),
    "no such option": (["audit", "mine.py:Scaled", "--option", "scal=2"], ["did you mean 'scale'"]),
    "option without key": (["audit", "mine.py:Scaled", "--option", "2"], ["--option", "KEY=VALUE"]),
    "alpha above one": (["audit", "zoo:laplace", "--alpha", "1.5"], ["alpha must be", "1.5"]),
    "no budget": (["audit", "zoo:laplace", "--max-samples", "0"], ["--max-samples must be", "0"]),
    "no time": (["audit", "zoo:laplace", "--max-seconds", "-3"], ["--max-seconds must be", "-3"]),
    "no jobs of the zoo": (
        ["zoo", "--audit", "laplace", "laplace_half_scale", "--jobs", "0"],
        ["--jobs wants", "0"],
    ),
    "no jobs": (["audit", "zoo:laplace", "--jobs", "0"], ["--jobs wants", "0"]),
    "negative seed": (["audit", "zoo:laplace", "--seed", "-1"], ["seed must be", "-1"]),
    "no timeout": (["audit", "zoo:laplace", "--call-timeout", "0"], ["--call-timeout must be", "0"]),
    "output in no folder": (["audit", "a:b", "--output", "none/out"], ["--output", "folder"]),
    "output is a folder": (["audit", "a:b", "--json", "."], ["--json", "folder"]),
    "measure without target": (["measure"], ["TARGET"]),
    "measure at a delta of one": (["measure", "zoo:laplace", "--delta", "1"], ["delta must be", "1.0"]),
    "plot of another kind": (["measure", "zoo:laplace", "--plot", "plot.png"], ["--plot", ".svg"]),
    "measure without data": (["measure", "mine.py:correct"], ["--dataset", "--pairs"]),
    "zoo without entry": (["zoo", "laplac"], ["did you mean 'laplace'"]),
}


@pytest.mark.turns(6)
@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_argument_gives_one_clear_line_and_status_2(
    folder: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    arguments, words = WRONG[case]
    assert run(arguments) == 2
    line = one_line(capsys)
    for word in words:
        assert word in line


@pytest.mark.parametrize(
    "wrong", ["audit --jobs 0", "audit --alpha 2", "measure --max-samples 0", "plan --max-seconds -1", "plan --seed -1"]
)
def test_a_wrong_number_is_refused_before_a_target_is_imported(
    folder: Path, capsys: pytest.CaptureFixture[str], wrong: str
) -> None:
    (folder / "slow.py").write_text("raise RuntimeError('imported')")
    command, option, value = wrong.split()
    assert run([command, "slow.py:learner", option, value]) == 2
    line = one_line(capsys)
    assert option in line
    assert "imported" not in line


@pytest.mark.some(1)
@pytest.mark.parametrize("case", ["unknown option", "no such target", "alpha above one"])
def test_a_wrong_argument_gives_one_clear_line_from_a_process_too(folder: Path, case: str) -> None:
    arguments, words = WRONG[case]
    ran = command(*arguments, cwd=folder)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    for word in words:
        assert word in ran.stderr


def test_settings_in_pyproject_are_defaults_and_flags_win(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls: list[dict[str, Any]] = []

    def prepared(name: str, options: Any, asked: Any, limits: Limits, *_: Any) -> Callable[[], Verdict]:
        calls.append({"name": name, "claim": asked.claim, **vars(limits)})
        return verdict

    monkeypatch.setattr(audit_command, "_prepared", prepared)
    settings = "targets = ['a']\nepsilon = 2\nalpha = 1e-3\nmax-samples = 500\nquiet = true\nformat = 'text'\n"
    (folder / "pyproject.toml").write_text(f"[tool.dpcheck]\n{settings}")
    assert run(["audit", "--alpha", "0.01"]) == 0
    assert (calls[0]["name"], calls[0]["alpha"], calls[0]["max_samples"]) == ("a", 0.01, 500)
    assert calls[0]["claim"].epsilon_value == 2
    capsys.readouterr()
    (folder / "pyproject.toml").write_text("[tool.dpcheck]\nmax-sample = 5\n")
    assert run(["audit", "a"]) == 2
    assert "did you mean 'max-samples'" in one_line(capsys)
    (folder / "pyproject.toml").write_text("[tool.dpcheck]\nalpha = true\n")
    assert run(["audit", "a"]) == 2
    assert "--alpha" in one_line(capsys)


def test_github_gets_a_step_summary_appended(folder: Path, verdicts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "summary.md").write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    verdicts({"a": verdict(Status.VIOLATED)})
    assert run(["audit", "a", "--format", "github"]) == 1
    text = (folder / "summary.md").read_text()
    assert text.startswith("before\n## dpcheck")


class Terminal(io.StringIO):
    """Standard output as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_a_terminal_gets_colour_unless_it_wants_none(
    folder: Path, verdicts: Any, monkeypatch: pytest.MonkeyPatch, no_color: str, coloured: bool
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("NO_COLOR", no_color)
    verdicts({"a": verdict(Status.VIOLATED)})
    assert run(["audit", "a"]) == 1
    assert ("\x1b[1;31mVIOLATED" in terminal.getvalue()) == coloured
    assert "VIOLATED" in terminal.getvalue()


def test_a_run_without_verdicts_still_writes_the_documents_asked_for(folder: Path) -> None:
    assert run(["audit", "zoo:none", "--json", "run.json"]) == 2
    (result,) = results_of((folder / "run.json").read_text())
    assert result["status"] == "usage error"


def test_an_error_outside_all_targets_is_internal_and_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any) -> dict[str, Any]:
        raise RuntimeError("a bug")

    monkeypatch.setattr("dpcheck.cli.app.read_settings", broken)
    assert run(["zoo"]) == 70
    assert "RuntimeError: a bug" in one_line(capsys)
    assert run(["zoo", "--traceback"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_version_and_help(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("dpcheck ")
    for arguments in (["--help"], ["audit", "--help"], ["measure", "-h"], ["zoo", "-h"], ["demo", "-h"]):
        assert run(arguments) == 0
        assert "Usage: dpcheck" in capsys.readouterr().out
    assert run([]) == 2
    assert "Usage: dpcheck" in capsys.readouterr().out


def test_the_zoo_is_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["zoo"]) == 0
    listed = capsys.readouterr().out
    assert "randomised_response" in listed
    assert "laplace_with_half_the_scale" in listed
    assert run(["zoo", "laplace"]) == 0
    assert "gaussian" not in capsys.readouterr().out


def results_of(text: str) -> Iterable[dict[str, Any]]:
    document = json.loads(text)
    assert document["schema"] == "dpcheck-run/1"
    results: list[dict[str, Any]] = document["results"]
    return results


# From here on learners are really run: small, since what is found is tested elsewhere. At the level 1e-9 a
# correct learner is red by chance once in 10^9 runs, and a scale of 1/4 is caught in some hundred calls.
SURE = ["--alpha", "1e-9", "--max-samples", "20000"]


@pytest.mark.turns(4)
def test_a_broken_learner_is_violated_and_a_correct_one_is_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = ["audit", "mine.py:correct", "mine.py:broken", "--epsilon", "1", "--pairs", "pairs.npz", *SURE]
    assert run([*both, "--format", "json"]) == 1
    correct, broken = results_of(capsys.readouterr().out)
    assert correct["status"] == "no violation found"
    assert broken["status"] == "violated"


@pytest.mark.turns(4)
def test_a_target_with_a_claim_needs_no_epsilon_and_takes_options(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["audit", "mine.py:Scaled", "--dataset", "data.csv", "--bounds", "0,1", *SURE]
    assert run([*arguments, "--option", "scale=0.1", "--expect", "violated"]) == 0
    assert "VIOLATED" in capsys.readouterr().out


@pytest.mark.turns(6)
def test_declared_records_refine_a_targets_own_relation(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["audit", "mine.py:Scaled", "--dataset", "data.csv", "--format", "json", *SURE]
    assert run([*arguments, "--bounds", "0,0.5"]) == 2
    assert "inside the declared records" in capsys.readouterr().err
    # A row is two numbers up to 1 here, so that adding one changes the sum by up to 2.
    enough = ["--option", "scale=2", "--allow-inconclusive"]
    assert run([*arguments, *enough, "--bounds", "0,1", "--neighbours", "add-remove"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["records"][0]["verdict"]["relation"] == "add-remove"


def test_a_learner_that_dies_is_learner_failed_and_the_next_target_goes_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = ["--epsilon", "1", "--pairs", "pairs.npz", *SURE]
    assert run(["audit", "mine.py:dies", "mine.py:broken", *pairs, "--format", "json"]) == 4
    dead, broken = results_of(capsys.readouterr().out)
    assert (dead["status"], broken["status"]) == ("learner failed", "violated")


@pytest.mark.turns(6)
def test_what_a_learner_prints_stays_out_of_the_document(folder: Path) -> None:
    ran = command(
        "audit",
        "mine.py:prints",
        "--epsilon",
        "1",
        "--pairs",
        "pairs.npz",
        *SURE,
        "--format",
        "json",
        cwd=folder,
    )
    (result,) = results_of(ran.stdout)
    assert result["status"] == "no violation found"
    assert ran.returncode == 0


@pytest.mark.turns(4)
def test_the_document_holds_the_whole_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "zoo:randomised-response", *SURE, "--json", "run.json", "--seed", "5"]) == 0
    document = json.loads((folder / "run.json").read_text())
    assert document["seed"] == 5
    assert document["argv"][0] == "dpcheck"
    restored = Verdict.from_json(json.dumps(document["records"][0]))
    assert restored.status is Status.NO_VIOLATION_FOUND
    assert str(restored) in capsys.readouterr().out


@pytest.mark.turns(4)
def test_the_zoo_run_says_whether_verdicts_are_as_expected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["zoo", "--run", "laplace_with_half_the_scale", "randomised_response", *SURE]) == 0
    printed = capsys.readouterr().out
    assert "zoo:laplace_with_half_the_scale  violated, as expected" in printed
    assert "no violation found, as expected" in printed


@pytest.mark.extra
def test_the_zoo_is_audited_in_processes_side_by_side_and_compared_with_what_is_known(folder: Path) -> None:
    """As a user types it; the verdicts are those of one process, whatever --jobs says."""
    names = ["svt5_stoddard", "laplace_half_scale", "randresp"]
    found = {}
    for jobs in ("1", "2"):
        ran = command("zoo", "--audit", *names, *SURE, "--jobs", jobs, "--seed", "7", "--json", "run.json", cwd=folder)
        assert ran.returncode == 0, ran.stderr
        assert "3 of 3 verdicts are right" in ran.stdout
        assert "sparse_vector_without_query_noise" in ran.stdout
        records = json.loads((folder / "run.json").read_text())["records"]
        verdicts = [Verdict.from_json(json.dumps(record)) for record in records]
        found[jobs] = [(verdict.status, verdict.samples, verdict.log_evidence) for verdict in verdicts]
    assert found["1"] == found["2"]


@pytest.mark.turns(6)
def test_a_zoo_that_is_not_as_known_is_not_green(folder: Path) -> None:
    """Ten calls show nothing: what should be violated is not, and what should be silent is inconclusive."""
    ran = command("zoo", "--audit", "laplace_half_scale", "laplace", "--max-samples", "60", "--jobs", "2", cwd=folder)
    assert ran.returncode == 3
    assert "0 of 2 verdicts are right" in ran.stdout
    assert "not right" in ran.stdout


@pytest.mark.parametrize("name", ["svt4_lee_clifton", "zoo:svt4-lee-clifton"])
def test_an_alias_is_an_entry(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["zoo", name]) == 0
    printed = capsys.readouterr().out
    assert "above_threshold_with_little_query_noise (svt4_lee_clifton)" in printed
    assert run(["zoo", "svt4_lee_cliftn"]) == 2
    assert "did you mean 'svt4_lee_clifton'" in one_line(capsys)


@pytest.mark.turns(4)
def test_measure_prints_a_bound_and_a_profile(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["measure", "mine.py:broken", "--pairs", "pairs.npz", "--max-samples", "10000"]
    assert run([*arguments, "--plot", "profile.svg", "--json", "measured.json"]) == 0
    printed = capsys.readouterr().out
    # The truth is 4; certified is at most that but with probability 0.05, which is not what is tested here.
    assert "mine.py:broken: epsilon above " in printed
    assert "delta at least" in printed
    assert json.loads((folder / "measured.json").read_text())["measurement"]["samples"] == 10_000
    assert (folder / "profile.svg").read_text().lstrip().startswith("<?xml")


def test_measuring_a_learner_that_dies_is_learner_failed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["measure", "mine.py:dies", "--pairs", "pairs.npz", "--max-samples", "1000"]) == 4
    assert "LEARNER FAILED" in capsys.readouterr().out


@pytest.mark.turns(6)
def test_ctrl_c_ends_a_run_with_130_and_leaves_nothing_running(folder: Path) -> None:
    (folder / "own.py").write_text(
        "from pathlib import Path\n"
        "def counted(dataset, rng):\n"
        "    with Path('calls').open('a') as file:\n"
        "        file.write('x')\n"
        "    return float(dataset.sum()) + rng.laplace()\n"
    )
    arguments = ["audit", "own.py:counted", "--epsilon", "1", "--pairs", "pairs.npz", "--max-seconds", "1000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "dpcheck", *arguments, "--max-samples", "1000000000", "--detect", "1.001"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while process.poll() is None and not ((folder / "calls").exists() and (folder / "calls").stat().st_size > 1000):
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "Traceback" not in out + err
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("arguments", "exit"),
    [
        (["zoo"], 0),
        (["audit", "--help"], 0),
        (["audit", "mine.py:broken", "--epsilon", "1", "--pairs", "pairs.npz", "--quiet"], 1),
    ],
)
def test_the_exit_status_stays_when_nobody_reads_the_output(folder: Path, arguments: list[str], exit: int) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", *arguments], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (exit, b"")


@pytest.mark.turns(6)
def test_an_ascii_terminal_gets_its_results(folder: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "TERM": "dumb", "NO_COLOR": "1"}
    ran = command("zoo", cwd=folder, env=environment)
    assert ran.returncode == 0
    assert "laplace" in ran.stdout
    ran = command("audit", "zoo:é", cwd=folder, env=environment)
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1


class Subject:
    """Like the demonstration's, but fast."""

    claim = PureDP(1.0)
    relation = "replace-one"
    dataset = (0.5, 1.0, 0.0)

    def __init__(self, name: str, scale: float, expected: Status) -> None:
        self.name, self.scale, self.expected = name, scale, expected
        self.explanation = f"Noise of scale {scale}."

    def learner(self, dataset: Any, rng: Any) -> float:
        return float(np.sum(dataset) + rng.laplace(scale=self.scale))


@pytest.mark.some(1)
@pytest.mark.parametrize(("expected", "exit"), [(Status.VIOLATED, 0), (Status.NO_VIOLATION_FOUND, 1)])
def test_the_demo_explains_both_verdicts_and_judges_them(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    expected: Status,
    exit: int,
) -> None:
    subjects = (
        Subject("too little noise", 0.05, expected),
        Subject("enough noise", 1.0, Status.NO_VIOLATION_FOUND),
    )
    monkeypatch.setattr(demo_command, "_subjects", lambda: subjects)
    monkeypatch.setattr(demo_command, "MAX_SAMPLES", 20_000)
    assert run(["demo", "--json", "run.json"]) == exit
    printed = capsys.readouterr().out
    for words in ("Noise of scale 0.05.", "too little noise: VIOLATED", "enough noise: NO VIOLATION FOUND"):
        assert words in printed
    assert "dpcheck audit mylearner.py:Learner" in printed
    assert json.loads((folder / "run.json").read_text())["exit_status"] == exit


@pytest.mark.turns(12)
def test_the_demo_ends_by_its_calls_however_slow_the_machine(folder: Path) -> None:
    ran = command("demo", "--json", "run.json", "--quiet", cwd=folder, timeout=600)
    assert (ran.returncode, ran.stderr) == (0, "")
    first, second = results_of((folder / "run.json").read_text())
    assert (first["status"], second["status"]) == ("violated", "no violation found")
    assert "Stopped because the budget of calls (--max-samples) was used up." in ran.stdout


@pytest.mark.some(1)
@pytest.mark.parametrize("missing", ["sklearn", "diffprivlib"])
def test_the_demo_without_its_extras_says_what_to_install(folder: Path, missing: str) -> None:
    # None in sys.modules is Python's own way to say that a module cannot be imported.
    code = f"import sys; sys.modules[{missing!r}] = None; from dpcheck.cli.app import run; sys.exit(run(['demo']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder)
    assert ran.returncode == 2
    assert ran.stdout == ""
    assert ran.stderr.count("\n") == 1
    assert "pip install" in ran.stderr


PAIR = ["--epsilon", "1", "--pairs", "pairs.npz", *SURE]


@pytest.mark.some(1)
@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)], ids=str)
def test_closed_standard_streams_change_no_verdict(folder: Path, closed: tuple[int, ...]) -> None:
    # Closed by a shell, as people do it; the exit status is the shell's.
    redirections = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
    line = f'"$0" -m dpcheck "$@" {redirections}'
    arguments = ["audit", "mine.py:broken", *PAIR, "--json", "run.json"]
    ran = subprocess.run(
        ["sh", "-c", line, sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ("VIOLATED" in ran.stdout) == (1 not in closed)
    (result,) = results_of((folder / "run.json").read_text())
    assert result["status"] == "violated"


@pytest.mark.turns(6)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["audit", "mine.py:broken", *PAIR], ["zoo"], ["--help"], ["--version"]])
def test_a_full_disk_behind_standard_output_is_one_line(folder: Path, arguments: list[str]) -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [sys.executable, "-m", "dpcheck", *arguments],
            cwd=folder, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=buffered,
        )  # fmt: skip
    assert ran.returncode == 2
    assert ran.stderr.count("\n") == 1
    assert "No space left on device" in ran.stderr
    assert "internal error" not in ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk_behind_a_document_is_one_line_and_the_verdict_is_printed(
    folder: Path, verdicts: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts({"a": verdict()})
    assert run(["audit", "a", "--json", "/dev/full"]) == 2
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1
    assert "--json could not be written to '/dev/full': No space left on device" in printed.err
    assert "NO VIOLATION FOUND" in printed.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_document_that_is_lost_is_printed_and_the_others_are_written(
    folder: Path, verdicts: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts({"a": verdict()})
    assert run(["audit", "a", "--json", "run.json", "--format", "markdown", "--output", "/dev/full"]) == 2
    printed = capsys.readouterr()
    assert (
        printed.err.splitlines()[-1] == "dpcheck: --output could not be written to '/dev/full': No space left on device"
    )
    assert "1 no violation found" in printed.err
    assert printed.out.startswith("## dpcheck\n\n1 target: 1 no violation found.")
    (result,) = results_of((folder / "run.json").read_text())
    assert result["status"] == "no violation found"
    assert run(["audit", "a", "--json", "/dev/full", "--output", "run.txt"]) == 2
    assert "--json could not be written" in capsys.readouterr().err
    assert "NO VIOLATION FOUND" in (folder / "run.txt").read_text()


def test_a_working_directory_that_was_deleted_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    line = 'cd gone && rmdir ../gone && exec "$0" -m dpcheck "$@"'
    for arguments, status in ((["audit", "mine.py:broken"], 2), (["--version"], 0)):
        ran = subprocess.run(
            ["sh", "-c", line, sys.executable, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert ran.returncode == status
        assert ran.stderr.count("\n") == (status > 0)
        assert ("the working directory must exist, got one that was deleted" in ran.stderr) == (status > 0)
        gone.mkdir()


def test_what_cannot_be_written_is_refused_before_anything_is_run(
    folder: Path, verdicts: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(folder: Path) -> None:
        raise OSError(30, "Read-only file system")

    verdicts({"a": AssertionError("it was run")})
    monkeypatch.setattr(documents, "try_folder", refuses)
    assert run(["audit", "a", "--json", "run.json"]) == 2
    assert "--json must be a file that can be written" in one_line(capsys)


def test_all_targets_are_found_and_checked_before_the_first_is_run(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def audited(*_: Any, **__: Any) -> Verdict:
        said.append(capsys.readouterr().err)
        return verdict()

    monkeypatch.setattr("dpcheck.privacy.run.audit.audit", audited)
    assert run(["audit", "mine.py:correct", "mine.py:Scaled", "mine.py:non", *PAIR, "--option", "scale=1"]) == 2
    assert len(said) == 1
    assert "mine.py has no 'non'" in said[0]
    assert "option 'scale' was given, but mine.py:correct is a learner" in said[0]


def test_a_verdict_is_printed_as_soon_as_it_is_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    printed: list[str] = []

    def prepared(name: str, *_: Any) -> Callable[[], Verdict]:
        def answer() -> Verdict:
            printed.append(capsys.readouterr().out)
            if name == "b":
                raise InvalidArgument("x must be y")
            return verdict(target=name)

        return answer

    monkeypatch.setattr(audit_command, "_prepared", prepared)
    assert run(["audit", "b", "a", "c"]) == 2
    printed.append(capsys.readouterr().out)
    assert [text.partition(":")[0] for text in printed] == ["", "", "b", "c"]
    assert "a: NO VIOLATION FOUND" in printed[2]
    assert "x must be y" in printed[2]
    # All of it together is the document.
    assert run(["audit", "b", "a", "c", "--output", "out"]) == 2
    assert (folder / "out").read_text() == "".join(printed)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("expect", ["no-violation", "no violation found", "no_violation_found", "No-Violation-Found"])
def test_the_expected_verdict_may_be_spelt_as_it_is_printed(folder: Path, verdicts: Any, expect: str) -> None:
    verdicts({"a": verdict()})
    assert run(["audit", "a", "--expect", expect]) == 0


@pytest.mark.parametrize("spelling", ["learner-failed", "learner failed"])
def test_a_failure_can_be_expected(folder: Path, verdicts: Any, spelling: str) -> None:
    verdicts({"a": verdict(Status.LEARNER_FAILED)})
    assert run(["audit", "a", "--expect", spelling]) == 0
    verdicts({"a": verdict(Status.VIOLATED)})
    assert run(["audit", "a", "--expect", spelling]) == 1


def test_another_expectation_is_refused_with_the_nearest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", "a:b", "--expect", "violatd"]) == 2
    assert "--expect must be one of 'no violation found', 'inconclusive', 'violated', 'learner failed'" in (
        line := one_line(capsys)
    )
    assert "did you mean 'violated'" in line


def test_help_and_list_spell_the_names_of_the_zoo_alike(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from dpcheck.parts.zoo import entries

    names = {entry.name for entry in entries()}
    for arguments in (["audit", "--help"], ["measure", "--help"], ["zoo", "--help"], ["--help"]):
        run(arguments)
        shown = set(re.findall(r"zoo:([a-z_-]+)", capsys.readouterr().out)) - {"name"}
        assert shown <= names


@pytest.mark.turns(6)
def test_labels_may_be_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ill.csv").write_text("age,ill\n0.5,yes\n0.25,no\n1,yes\n")
    (folder / "counts.py").write_text(
        "def count(dataset, rng):\n    return sum(y == 'yes' for y in dataset[1]) + rng.laplace(scale=0.2)\n"
    )
    arguments = ["audit", "counts.py:count", "--epsilon", "1", "--dataset", "ill.csv", "--label", "ill", *SURE]
    assert run([*arguments, "--neighbours", "labels-only", "--labels", "yes,no"]) == 1
    assert "VIOLATED" in capsys.readouterr().out
    assert run([*arguments, "--bounds", "0,1"]) == 1


@pytest.mark.turns(6)
def test_sigterm_ends_a_run_like_ctrl_c_and_its_documents_are_written(folder: Path) -> None:
    arguments = [
        "audit",
        "mine.py:broken",
        "mine.py:correct",
        "--epsilon",
        "1",
        "--pairs",
        "pairs.npz",
        "--json",
        "r.json",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "dpcheck", *arguments, "--max-samples", "1000000000", "--detect", "1.001"],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    # The first verdict is printed while the second learner is run, which would take a minute.
    assert "VIOLATED" in process.stdout.readline()
    time.sleep(2.0)
    process.terminate()
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "SIGTERM" in err
    assert "Traceback" not in out + err
    statuses = [result["exit_status"] for result in results_of((folder / "r.json").read_text())]
    assert statuses == [1, 130]
