"""``dpcheck check``: exit statuses, documents, names, and learners with ugly ones."""

from __future__ import annotations

import inspect
import json
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpcheck.checks import CheckResult, CheckStatus, check_learner
from dpcheck.cli import app, check_command
from dpcheck.model.harmless import printable
from dpcheck.report.checks.finished import Checked, CheckRun, NotChecked, exit_of_result, exit_status
from dpcheck.report.exit_status import Exit
from dpcheck.report.finished import Trouble
from dpcheck.report.formats import FORMATS, JSON, TEXT, formats_of

LEARNERS = """
def tidy(dataset, rng):
    return float(rng.normal())

def careless(dataset, rng):
    return sum(dataset) / len(dataset) + 9 * rng.laplace()

def dies(dataset, rng):
    import os
    os._exit(3)

class Scaled:
    def __init__(self, epsilon=1.0):
        self.epsilon = epsilon
    def __call__(self, dataset, rng):
        return float(rng.laplace(scale=1 / self.epsilon))

def slow(dataset, rng):
    import time
    with open("calls.txt", "a") as file:
        file.write(".")
    time.sleep(0.05)
    return float(rng.normal())
"""

Ran = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ran:
    """Runs ``dpcheck check`` in this process, which saves the start of another one."""
    (tmp_path / "mine.py").write_text(LEARNERS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        capsys.readouterr()
        status = app.run(["check", *arguments])
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, said.out, said.err)

    return run


@pytest.fixture
def dpcheck(tmp_path: Path) -> Ran:
    """Runs ``dpcheck check`` as a user does, where the learners are."""
    (tmp_path / "mine.py").write_text(LEARNERS)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        assert arguments[0] != "check", "it would be a target"
        command = [sys.executable, "-m", "dpcheck", "check", *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)

    return run


DATA = ("--epsilon", "1", "--bounds", "0,1", "--quiet")


def only(*names: str) -> list[str]:
    return [word for name in names for word in ("--only", name)]


class TestThroughTheDoor:
    @pytest.mark.turns(4)
    def test_several_learners_and_every_document(self, dpcheck: Ran, tmp_path: Path) -> None:
        ran = dpcheck(
            "mine.py:tidy", "mine.py:careless", "mine.py:dies", *DATA, *only("empty_data", "order_of_records"),
            "--format", "junit", "--output", "out.xml", "--json", "out.json",
        )  # fmt: skip
        assert ran.returncode == 4, ran.stderr
        assert ran.stdout == ""
        cases = ElementTree.parse(tmp_path / "out.xml").getroot().findall(".//testcase")
        assert [(case.get("classname"), [child.tag for child in case][:1]) for case in cases] == [
            ("dpcheck.mine.py:tidy", ["skipped"]),
            ("dpcheck.mine.py:tidy", ["system-out"]),
            ("dpcheck.mine.py:careless", ["skipped"]),
            ("dpcheck.mine.py:careless", ["failure"]),
            ("dpcheck.mine.py:dies", ["skipped"]),
            ("dpcheck.mine.py:dies", ["error"]),
        ]
        document = json.loads((tmp_path / "out.json").read_text())
        assert document["schema"] == "dpcheck-checks/1"
        assert document["exit_status"] == 4
        statuses = [check["status"] for learner in document["learners"] for check in learner["checks"]]
        assert statuses == ["not applicable", "passed", "not applicable", "failed", "not applicable", "failed"]

    @pytest.mark.some(2)
    @pytest.mark.parametrize(
        ("arguments", "status", "words"),
        [
            (["mine.py:tidy", *DATA, *only("empty-data")], 0, "check_empty_data"),
            (["mine.py:careless", *DATA, *only("empty_data")], 1, "what to do: answer, or raise ValueError"),
            (["mine.py:careless", *DATA, *only("empty_data"), "--expected-failure", "empty_data=known"], 0, "known"),
            (["mine.py:tidy", *DATA, *only("empty_data"), "--expected-failure", "empty_data=was"], 1, "unexpectedly"),
            (["mine.py:tidy", *DATA, *only("order_of_records")], 5, "order_blind"),
            (
                ["mine.py:tidy", *DATA, *only("privacy_of_the_claim"), "--max-samples", "60"],
                3,
                "inconclusive",
            ),
            (
                ["mine.py:tidy", *DATA, *only("privacy_of_the_claim"), "--max-samples", "60", "--allow-inconclusive"],
                0,
                "inconclusive",
            ),
            (["mine.py:Scaled", *DATA, *only("refusal_of_an_impossible_epsilon")], 1, "epsilon = -1.0"),
        ],
    )
    def test_the_exit_status_follows_the_results(
        self, here: Ran, arguments: list[str], status: int, words: str
    ) -> None:
        ran = here(*arguments)
        assert ran.returncode == status, ran.stdout + ran.stderr
        assert words in ran.stdout

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["mine.py:tidy", *DATA, *only("emty_data")], "did you mean 'check_empty_data'"),
            (["mine.py:tidy", *DATA, "--expected-failure", "empty_data"], "--expected-failure must be NAME=REASON"),
            (["mine.py:tdy", *DATA], "did you mean 'tidy'"),
            (["mine.py:tidy", "--epsilon", "1"], "brings no data"),
            (["mine.py:tidy", *DATA, "--alpha", "2"], "alpha must be"),
            (["mine.py:tidy", *DATA, "--output", "nowhere/out.xml"], "folder that exists"),
        ],
    )
    def test_wrong_arguments_are_one_line_and_status_2(self, here: Ran, arguments: list[str], words: str) -> None:
        ran = here(*arguments)
        assert ran.returncode == 2, ran.stdout
        assert words in ran.stderr
        assert len(ran.stderr.splitlines()) == 1

    def test_nothing_named_is_nothing_to_check(self, here: Ran) -> None:
        ran = here(*DATA)
        assert ran.returncode == 5
        assert "name a TARGET" in ran.stderr

    def test_the_list_says_what_each_check_asks(self, here: Ran) -> None:
        ran = here("--list")
        assert ran.returncode == 0
        assert "check_empty_data\n    Data without records are answered" in ran.stdout
        listed = json.loads(here("--list", "--format", "json").stdout)
        assert len(listed) == ran.stdout.count("\ncheck_") + 1

    def test_a_claim_is_not_needed(self, here: Ran) -> None:
        ran = here("mine.py:tidy", "--bounds", "0,1", "--quiet", *only("privacy_of_the_claim", "empty_data"))
        assert ran.returncode == 0
        assert "nothing is claimed" in ran.stdout

    @pytest.mark.turns(6)
    def test_ctrl_c_keeps_what_is_done(self, tmp_path: Path, dpcheck: Ran) -> None:
        command = [
            sys.executable, "-m", "dpcheck", "check", "mine.py:slow", *DATA[:-1],
            *only("answers_on_ordinary_data", "privacy_of_the_claim"), "--max-seconds", "600",
        ]  # fmt: skip
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        calls, until = tmp_path / "calls.txt", time.monotonic() + 300
        # the first check makes 48 calls, the second goes on for minutes
        while (not calls.exists() or calls.stat().st_size < 60) and time.monotonic() < until:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=300)
        assert process.returncode == 130, stderr
        assert "check_answers_on_ordinary_data" in stdout
        assert "interrupted" in stdout


UGLY = "a\x1b[31m<script>alert(1)</script>\n\x00 ü|`x`"


def result(status: CheckStatus, **changes: Any) -> CheckResult:
    said = {"check": "check_x", "target": UGLY, "sentence": UGLY, "hint": UGLY, "expected": ""}
    return CheckResult(**{**said, "status": status, **changes})


class TestDocuments:
    RUNS = (
        CheckRun(()),
        CheckRun((NotChecked(UGLY, Trouble.USAGE, UGLY),)),
        *(CheckRun((Checked(UGLY, (result(status),)),), (UGLY,)) for status in CheckStatus),
        CheckRun((Checked(UGLY, (result(CheckStatus.FAILED, learner_failed=True),), interrupted=True),)),
        CheckRun((Checked(UGLY, (result(CheckStatus.EXPECTED_FAILURE, expected=UGLY),)),)),
    )

    @pytest.mark.parametrize("run", RUNS)
    def test_every_format_survives_ugly_names(self, run: CheckRun) -> None:
        written = {format: FORMATS[format].views["checks"](run) for format in formats_of("checks")}
        for text in written.values():
            assert "\x1b" not in text
            assert "\x00" not in text
        root = ElementTree.fromstring(written["junit"])
        assert root.tag == "testsuites"
        assert json.loads(written["json"])["exit_status"] == exit_status(run)
        assert "<script>" not in written["markdown"].replace("\\<script\\>", "")
        assert written["text"] == printable(written["text"])

    def test_the_exit_status_of_each_status(self) -> None:
        assert {status: exit_of_result(result(status)) for status in CheckStatus} == {
            CheckStatus.ERROR: Exit.INTERNAL_ERROR,
            CheckStatus.FAILED: Exit.NOT_AS_EXPECTED,
            CheckStatus.UNEXPECTEDLY_PASSED: Exit.NOT_AS_EXPECTED,
            CheckStatus.INCONCLUSIVE: Exit.INCONCLUSIVE,
            CheckStatus.EXPECTED_FAILURE: Exit.AS_EXPECTED,
            CheckStatus.NOT_APPLICABLE: None,
            CheckStatus.PASSED: Exit.AS_EXPECTED,
        }
        assert exit_of_result(result(CheckStatus.FAILED, learner_failed=True)) is Exit.LEARNER_FAILED
        assert exit_of_result(result(CheckStatus.INCONCLUSIVE), allow_inconclusive=True) is Exit.AS_EXPECTED

    def test_the_first_that_applies_wins(self) -> None:
        statuses = (CheckStatus.PASSED, CheckStatus.INCONCLUSIVE, CheckStatus.FAILED)
        run = CheckRun((Checked("a", tuple(map(result, statuses))),))
        assert exit_status(run) is Exit.NOT_AS_EXPECTED
        assert exit_status(CheckRun((*run.learners, NotChecked("b", Trouble.USAGE, "")))) is Exit.NOT_AS_EXPECTED
        assert exit_status(CheckRun((Checked("a", ()), NotChecked("b", Trouble.USAGE, "")))) is Exit.USAGE
        assert exit_status(CheckRun((Checked("a", (), interrupted=True),))) is Exit.INTERRUPTED

    def test_records_of_audits_are_in_the_json(self, seed: int) -> None:
        results = check_learner(
            lambda data, rng: 0.0, 1.0, pairs=[([0], [1])], checks=["privacy_of_the_claim"], max_samples=60, seed=seed
        )
        document = json.loads(JSON.views["checks"](CheckRun((Checked("a", results),))))
        assert document["learners"][0]["checks"][0]["record"] == 0
        assert document["records"][0]["record"]["target"] == results[0].target


def test_the_defaults_are_those_of_check_learner() -> None:
    defaults = {name: one.default for name, one in inspect.signature(check_learner).parameters.items()}
    options = inspect.signature(check_command.check).parameters
    for name in ("alpha", "max_samples", "max_seconds", "call_timeout", "numerics", "warnings", "seed"):
        assert options[name].default == defaults[name]


@pytest.mark.turns(6)
def test_it_ends_with_the_commands_to_go_on_with(dpcheck: Ran, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNERS)
    asked = ("mine.py:careless", "--epsilon", "1", "--bounds", "0,1", "--size", "2")

    first = dpcheck(*asked, "--only", "empty_data", "--only", "one_record", "--quiet")

    assert first.returncode == 1, first
    (step,) = [line for line in first.stdout.splitlines() if line.startswith("Next: ")]
    words, command = step.removeprefix("Next: ").split(": dpcheck ")
    assert words == "to run again what failed, alone"
    assert command == f"check {' '.join(asked)} --only empty_data"
    again = dpcheck(*command.split()[1:], "--quiet")
    assert again.returncode == 1
    assert "1 failed" in again.stdout
    assert "passed" not in again.stdout.splitlines()[0]


def test_too_few_calls_are_told_how_many_more() -> None:
    undecided = CheckResult("check_statelessness", "a.py:b", CheckStatus.INCONCLUSIVE, "too few calls")
    broken = CheckResult("check_privacy_of_the_claim", "a.py:b", CheckStatus.FAILED, "the claim is broken")
    run = CheckRun(
        (Checked("a.py:b", (broken, undecided)),),
        ("dpcheck", "check", "a.py:b", "--epsilon", "1", "--max-samples=1e3", "--only", "state", "--output", "x"),
        max_samples=1000,  # a setting says it as well as an option
    )

    steps = [line for line in TEXT.views["checks"](run).splitlines() if line.startswith("Next: ")]

    assert steps == [
        "Next: to see the event and how large the loss is: dpcheck audit a.py:b --epsilon 1 --max-samples 1e3",
        "Next: to run again what failed, alone: dpcheck check a.py:b --epsilon 1 --max-samples 1e3 "
        "--only privacy_of_the_claim",
        "Next: to give the undecided 4 times the calls and seconds: dpcheck check a.py:b --epsilon 1 "
        "--max-samples 4000 --max-seconds 120 --only statelessness",
    ]
    assert "Next: " not in TEXT.views["checks"](CheckRun(run.learners))  # from Python there is no command


@pytest.mark.turns(6)
def test_the_command_for_what_was_undecided_decides(dpcheck: Ran, tmp_path: Path) -> None:
    """A claim at distance 5 is weak: with the usual calls an unlimited loss would not have been caught."""
    (tmp_path / "mine.py").write_text(
        "def flips(dataset, rng):\n    return int(len(dataset) and round(dataset[0])) ^ int(rng.random() < 0.31)\n"
    )
    asked = ("mine.py:flips", "--epsilon", "1", "--bounds", "0,1", "--only", "group_privacy_at_distance_5", "--quiet")

    first = dpcheck(*asked)

    assert first.returncode == 3, first
    told = re.search(r"too few calls \(15,000 in .* s; it takes about ([\d,]+)\)", first.stdout)
    assert told is not None, first.stdout
    words, _, command = first.stdout.partition("Next: ")[2].splitlines()[0].partition(": dpcheck ")
    assert words == "to give the undecided the calls that they take"
    limits = re.search(r"--max-samples (\d+)", command)
    assert limits is not None
    assert int(limits[1]) >= 2 * int(told[1].replace(",", ""))  # for each of two pairs
    assert dpcheck(*command.split()[1:], "--quiet").returncode == 0


@pytest.mark.turns(4)
def test_what_was_undecided_is_given_more_than_the_settings_say(dpcheck: Ran, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNERS)
    settings = "[tool.dpcheck]\nepsilon = 1\nbounds = [0, 1]\nmax-samples = 100\nmax-seconds = 700\n"
    (tmp_path / "pyproject.toml").write_text(settings)

    first = dpcheck("mine.py:careless", "--only", "statelessness", "--quiet")

    (step,) = [line for line in first.stdout.splitlines() if line.startswith("Next: ")]
    words, _, command = step.removeprefix("Next: ").partition(": dpcheck ")
    assert words == "to give the undecided the calls that they take"
    given = re.fullmatch(r"check mine.py:careless --max-samples (\d+) --max-seconds 700 --only statelessness", command)
    assert given is not None, command
    assert int(given[1]) > 400


def test_a_learner_that_died_has_shown_no_event() -> None:
    died = CheckResult("check_privacy_of_the_claim", "a.py:b", CheckStatus.FAILED, "it died", learner_failed=True)
    run = CheckRun((Checked("a.py:b", (died,)),), ("dpcheck", "check", "a.py:b", "--epsilon", "1"))

    (step,) = [line for line in TEXT.views["checks"](run).splitlines() if line.startswith("Next: ")]

    assert step.startswith("Next: to run again what failed, alone: ")
