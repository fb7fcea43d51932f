"""``dpcheck record``, ``compare`` and ``history`` as a project uses them: real files, statuses, one-line errors."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcheck.cli import compare_command, record_command
from dpcheck.cli.app import run
from dpcheck.cli.learners_settings import Configured, chosen, read_learners, shared_settings, subject_of
from dpcheck.model.claims import ZeroConcentratedDP
from dpcheck.model.errors import DpcheckError, InvalidArgument
from dpcheck.report.formats import formats_of

LEARNERS = """
import numpy as np
from dpcheck.utility.distributions import UniformGrid

SCALE = 1.0

class Noisy:
    claim = 4.0
    neighbours = "replace-one"
    def __init__(self, scale=None):
        self.scale = SCALE if scale is None else scale
    def __call__(self, dataset, rng):
        return float(np.sum(dataset)) + rng.laplace(scale=self.scale)

def missed(output, dataset):
    return abs(output - float(np.sum(dataset)))

def coin(dataset, rng):
    return int(dataset[0]) ^ int(rng.random() < 0.25)

def dies(dataset, rng):
    raise ValueError("no")

def threshold(dataset, rng):
    x, y = dataset
    return int(x[y == 1].min()) if np.any(y) else 20

GRID = UniformGrid(20)
"""
SUM = (
    '{target = "mine.py:Noisy", name = "noisy sum", pairs = "p.npz", risk = "mine.py:missed", '
    "calls = 3000, learn-calls = 1500, trials = 1000, max-seconds = 600, cost = false}"
)
COIN = (
    '{target = "mine.py:coin", name = "coin", records = [0, 1], size = 1, epsilon = 1.2, calls = 2000, '
    "learn-calls = 1000, max-seconds = 600, cost = false}"
)


def settings(*learners: str) -> str:
    return "[tool.dpcheck]\nquiet = true\nisolation = 'none'\nlearners = [\n" + ",\n".join(learners) + "\n]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two learners."""
    (tmp_path / "mine.py").write_text(LEARNERS)
    (tmp_path / "pyproject.toml").write_text(settings(SUM, COIN))
    np.savez(tmp_path / "p.npz", left=np.zeros((1, 2)), right=np.array([[1.0, 0.0]]))
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


def again(folder: Path, scale: float) -> None:
    """Another version of the learners; modules of files are kept by path, so that they are forgotten first."""
    (folder / "mine.py").write_text(LEARNERS.replace("SCALE = 1.0", f"SCALE = {scale}"))
    # Of the same size and within the same second it is taken for the one that was compiled before.
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)
    for name in [name for name in sys.modules if name.startswith("dpcheck_target_")]:
        del sys.modules[name]


def entries(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "dpcheck-baseline.json").read_text())["learners"]
    return read


@pytest.mark.turns(6)
def test_a_learner_that_answers_nothing_now_and_then_is_worse(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["record", "--only", "noisy sum"]) == 0
    again(folder, 1.0)
    source = (folder / "mine.py").read_text()
    rare = "        if rng.random() < 0.05:\n            return None\n        return float("
    (folder / "mine.py").write_text(source.replace("        return float(", rare))
    capsys.readouterr()
    assert run(["compare", "--only", "noisy sum"]) == 1
    said = capsys.readouterr().out
    assert "noisy sum: WORSE" in said
    assert re.search(r"worse: share of answers of a new kind \(mostly None\) on D'? went from 0 to 0\.0", said)
    assert re.search(
        r"would be caught with these [\d,]+ calls|one given in 0\.001 of them takes about [\d,]+ calls", said
    )


@pytest.mark.turns(6)
def test_the_life_of_a_baseline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare"]) == 1  # the first run writes and fails
    said = capsys.readouterr().out
    assert "noisy sum: NEW" in said
    assert "review it and commit it" in said
    written = (folder / "dpcheck-baseline.json").read_text()
    assert set(entries(folder)) == {"noisy sum", "coin"}

    assert run(["compare"]) == 0
    said = capsys.readouterr().out
    assert "noisy sum: NO CHANGE SHOWN" in said
    assert re.search(r"risk at n = \d 0?\.?\d.*p = ", said)
    assert (folder / "dpcheck-baseline.json").read_text() == written

    assert run(["record"]) == 0  # unchanged learners: the same counts from the same seed
    assert (folder / "dpcheck-baseline.json").read_text() == written
    assert "is as it was" in capsys.readouterr().out

    again(folder, 0.5)
    assert run(["compare", "--json", "c.json", "--format", "markdown", "--output", "c.md"]) == 1
    assert capsys.readouterr().out == ""
    found = json.loads((folder / "c.json").read_text())
    kinds = {change["quantity"]: change["kind"] for change in found["results"][0]["changes"]}
    assert kinds["distinguishing advantage"] == "worse"
    assert "better" in {kind for quantity, kind in kinds.items() if quantity.startswith("risk")}
    assert found["results"][1]["verdict"] == "no change shown"
    assert "worse" in (folder / "c.md").read_text()
    assert (folder / "dpcheck-baseline.json").read_text() == written

    assert run(["record", "coin"]) == 0  # what was not asked for stays
    assert (folder / "dpcheck-baseline.json").read_text() == written
    assert run(["record", "--new-only"]) == 0
    assert (folder / "dpcheck-baseline.json").read_text() == written
    capsys.readouterr()
    assert run(["record", "--only", "noisy*"]) == 0
    assert "noisy sum: recorded again" in capsys.readouterr().out
    assert entries(folder)["coin"] == json.loads(written)["learners"]["coin"]
    assert entries(folder)["noisy sum"] != json.loads(written)["learners"]["noisy sum"]
    assert run(["compare", "--only", "noisy*"]) == 0

    again(folder, 1.0)  # less leaks again: better, with a note, unless strict; the risk rose, which is worse
    capsys.readouterr()
    assert run(["compare", "--only", "noisy*"]) == 1
    said = capsys.readouterr().out
    assert "better: distinguishing advantage fell" in said
    assert "worse: risk at n = " in said

    (folder / "pyproject.toml").write_text(settings(COIN))
    assert run(["compare"]) == 1  # nothing produces an entry
    said = capsys.readouterr().out
    assert "noisy sum: NOT PRODUCED ANY MORE" in said
    assert "coin: NO CHANGE SHOWN" in said
    assert run(["record", "--prune"]) == 0
    assert set(entries(folder)) == {"coin"}
    assert run(["compare"]) == 0

    capsys.readouterr()
    assert run(["history", "noisy sum", "--plot", "h.svg"]) == 0
    shown = capsys.readouterr().out
    assert "noisy sum" in shown
    assert "worse" in shown
    assert "distinguishing advantage" in (folder / "h.svg").read_text()
    assert run(["history", "--json", "--limit", "2"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert rows["schema"] == "dpcheck-history/1"
    assert len(rows["rows"]) == 2
    assert run(["history", "noisy sun"]) == 2
    assert "did you mean 'noisy sum'" in capsys.readouterr().err


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpcheck", *arguments], capture_output=True, text=True, cwd=folder, timeout=300
    )


@pytest.mark.turns(6)
def test_from_a_process_in_a_folder_below(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pyproject.toml").write_text(settings(COIN).replace("isolation = 'none'\n", ""))
    below = folder / "a folder"
    below.mkdir()
    first = command(below, "compare")
    assert (first.returncode, first.stderr) == (1, "")
    assert "coin: NEW" in first.stdout
    assert set(entries(folder)) == {"coin"}
    assert run(["compare", "--format", "json"]) == 0  # from the folder itself
    second = capsys.readouterr()
    assert second.err == ""
    document = json.loads(second.out)
    assert (document["schema"], document["exit_status"]) == ("dpcheck-comparison/1", 0)
    assert {".dpcheck", "dpcheck-baseline.json"} <= {found.name for found in folder.iterdir()}
    assert not list(below.iterdir())


@pytest.mark.parametrize("format", formats_of("comparison"))
def test_the_exit_status_does_not_depend_on_the_format(folder: Path, format: str) -> None:
    (folder / "pyproject.toml").write_text(settings())
    empty = '{"schema": "dpcheck-baseline/2", "learners": {}}'
    (folder / "dpcheck-baseline.json").write_text(empty)
    assert run(["compare", "--format", format]) == 5
    assert run(["compare", "mine.py:dies", "--format", format]) == 2  # it brings no data
    assert (folder / "dpcheck-baseline.json").read_text() == empty


def test_a_learner_that_fails_lets_the_others_go_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dies = '{target = "mine.py:dies", records = [0, 1], size = 1}'
    (folder / "pyproject.toml").write_text(settings(dies, COIN))
    assert run(["record"]) == 4
    printed = capsys.readouterr()
    assert printed.err.count("\n") == 1
    assert "mine.py:dies" in printed.err
    assert "1 recorded" in printed.out
    assert set(entries(folder)) == {"coin"}
    assert run(["compare"]) == 4


def test_where_nothing_is_recorded_no_file_is_said_to_be_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["record", "mine.py:dies"]) == 2
    assert capsys.readouterr().out == "Nothing was recorded: there is no dpcheck-baseline.json.\n"


@pytest.mark.turns(4)
def test_a_target_of_the_zoo_needs_no_settings(folder: Path) -> None:
    (folder / "pyproject.toml").unlink()
    quick = ["zoo:randomised_response", "--isolation", "none", "--quiet", "--no-history"]
    assert run(["record", *quick]) == 0
    assert run(["compare", *quick, "--seed", "3"]) == 0
    assert not (folder / ".dpcheck").exists()


@pytest.mark.parametrize("commanded", ["record", "compare"])
def test_ctrl_c_keeps_what_is_finished(commanded: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "pyproject.toml").write_text(settings(COIN, SUM))
    from dpcheck.history import baseline_runs

    right: Callable[..., Any] = baseline_runs.record_entry

    def interrupted(subject: Any, **more: Any) -> Any:
        if subject.name == "noisy sum":
            raise KeyboardInterrupt
        return right(subject, **more)

    monkeypatch.setattr(baseline_runs, "record_entry", interrupted)
    assert run([commanded]) == 130
    assert set(entries(folder)) == {"coin"}


@pytest.mark.turns(4)
@pytest.mark.parametrize("commanded", ["record", "compare"])
def test_what_another_process_wrote_meanwhile_is_kept(
    commanded: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["record", "coin"]) == 0
    other = (folder / "dpcheck-baseline.json").read_text().replace('"coin"', '"written meanwhile"')
    (folder / "dpcheck-baseline.json").unlink()
    from dpcheck.history import baseline_runs

    right: Callable[..., Any] = baseline_runs.record_entry

    def overtaken(subject: Any, **more: Any) -> Any:
        (folder / "dpcheck-baseline.json").write_text(other)
        return right(subject, **more)

    monkeypatch.setattr(baseline_runs, "record_entry", overtaken)
    assert run([commanded, "coin"]) == (0 if commanded == "record" else 1)
    assert set(entries(folder)) == {"coin", "written meanwhile"}


def test_a_bug_is_an_internal_error_and_no_verdict(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("dpcheck.history.baseline_runs.record_entry", broken)
    assert run(["record", "coin"]) == 70
    assert run(["compare", "coin"]) == 70
    assert "internal error: ZeroDivisionError" in capsys.readouterr().err
    assert not (folder / "dpcheck-baseline.json").exists()


WRONG: dict[str, tuple[str, list[str], str]] = {
    "unknown setting": (settings('{target = "mine.py:coin", epsilom = 1}'), ["compare"], "did you mean 'epsilon'"),
    "misspelt learners": ("[tool.dpcheck]\nlearner = []\n", ["compare"], "did you mean 'learners'"),
    "a table": ("[tool.dpcheck.learners]\na = 1\n", ["compare"], "must be a list of targets or tables"),
    "a number": (settings("3"), ["record"], "entry 1 must be a target or a table"),
    "no target": (settings('{name = "a"}'), ["record"], "entry 1 must have a target"),
    "an empty name": (
        settings('{target = "mine.py:coin", name = ""}'),
        ["record"],
        "name of entry 1 must not be empty",
    ),
    "a wrong type": (settings('{target = "mine.py:coin", epsilon = "1"}'), ["record"], "epsilon of entry 1 must be"),
    "a truth value": (settings('{target = "mine.py:coin", calls = true}'), ["record"], "calls of entry 1 must be"),
    "a key twice": (settings('{target = "a", max-seconds = 1, max_seconds = 2}'), ["record"], "twice, with - and"),
    "a name twice": (settings('"mine.py:coin"', '"mine.py:coin"'), ["record"], "'mine.py:coin' twice"),
    "no such target": (settings('"mine.py:coim"'), ["record"], "did you mean 'coin'"),
    "no data": (settings('"mine.py:coin"'), ["record"], "brings no data: give it bounds or records"),
    "a shared wrong type": ("[tool.dpcheck]\nepsilon = '1'\n", ["record", "a:b"], "epsilon must be a number, got '1'"),
    "no such relation": (
        settings('{target = "mine.py:coin", neighbours = "replace-on"}'),
        ["record"],
        "did you mean 'replace-one'",
    ),
    "sizes alone": (
        settings('{target = "mine.py:coin", records = [0, 1], sizes = [3]}'),
        ["record"],
        "sizes needs a distribution",
    ),
    "a distribution alone": (
        settings('{target = "mine.py:threshold", bounds = [0, 1], distribution = "mine.py:GRID"}'),
        ["record"],
        "distribution needs sizes",
    ),
    "no such risk": (
        settings('{target = "mine.py:coin", records = [0, 1], risk = "mine.py:mised"}'),
        ["record"],
        "did you mean 'missed'",
    ),
    "no such learner": (settings(COIN), ["record", "coim"], "must have a learner 'coim' (did you mean 'coin'?)"),
    "a pattern that fits nothing": (settings(COIN), ["compare", "--only", "x*"], "--only x* must fit a learner"),
    "prune with a target": (settings(COIN), ["record", "coin", "--prune"], "--prune drops"),
    "alpha above one": (settings(COIN), ["compare", "--alpha", "2"], "--alpha must be strictly between"),
    "another format": (settings(COIN), ["compare", "--format", "github"], "--format of compare must be"),
    "a plot of another kind": (settings(COIN), ["history", "--plot", "a.png"], ".svg"),
    "a limit of none": (settings(COIN), ["history", "--limit", "0"], "--limit must be at least 1"),
}


@pytest.mark.turns(4)
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("record --history D", "--history must be a file, got the folder 'D'"),
        ("compare --history D", "--history must be a file, got the folder 'D'"),
        ("history --history D", "--history must be a file, got the folder 'D'"),
        ("record --history F", "--history must be a file, got the pipe 'F'"),
        ("record --history gone", "--history must be a file, got 'gone', a link to what is not there"),
        ("record --history mine.py/h", "--history must be in a folder"),
        ("record --baseline D", "--baseline must be a file, got the folder 'D'"),
        ("record --baseline F", "--baseline must be a file, got the pipe 'F'"),
        ("compare --baseline F", "--baseline must be a file, got the pipe 'F'"),
        ("audit mine.py:coin --epsilon 1 --dataset F.csv", "--dataset must be a file, got the pipe 'F.csv'"),
        ("audit mine.py:coin --epsilon 1 --pairs D", "--pairs must be a file, got the folder 'D'"),
        ("audit F.py:coin --epsilon 1", "it must be in a file, got the pipe 'F.py'"),
        ("report F.json", "F.json must be what dpcheck audit --json or dpcheck measure --json wrote, and is no file"),
    ],
)
def test_what_is_no_file_is_said_before_anything_is_run(
    arguments: str, says: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder as a history lost the run's rows, after all calls, with status 0; what reads a pipe waited for ever."""
    (folder / "D").mkdir()
    (folder / "gone").symlink_to(folder / "nowhere" / "h")
    for name in ("F", "F.csv", "F.py", "F.json"):
        os.mkfifo(folder / name)
    before = sorted(folder.iterdir())
    with within_a_minute():
        assert run(arguments.split()) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert sorted(folder.iterdir()) == before


@contextmanager
def within_a_minute() -> Iterator[None]:
    """Waiting for a pipe ends in an error, not in a run of all tests that never ends."""

    def late(*_: object) -> None:
        raise TimeoutError

    handler = signal.signal(signal.SIGALRM, late)
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler)


def test_a_history_behind_a_link_is_made(folder: Path) -> None:
    (folder / "kept").mkdir()
    (folder / "h").symlink_to(folder / "kept" / "h")
    assert run(["record", "--only", "coin", "--history", "h"]) == 0
    assert (folder / "kept" / "h").is_file()


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_in_one_line(case: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, arguments, words = WRONG[case]
    (folder / "pyproject.toml").write_text(text)
    assert run(arguments) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert words in error
    assert not (folder / "dpcheck-baseline.json").exists()


@pytest.mark.parametrize("commanded", ["record", "compare"])
def test_a_file_that_is_no_baseline_is_never_overwritten(
    commanded: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "dpcheck-baseline.json").write_text("mine")
    assert run([commanded]) == 2
    assert "must be JSON written by dpcheck record" in capsys.readouterr().err
    assert (folder / "dpcheck-baseline.json").read_text() == "mine"


def test_nothing_to_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for commanded in ("record", "compare", "history"):
        assert run([commanded]) == 5
        assert capsys.readouterr().err.count("\n") == 1
    assert not [found for found in tmp_path.iterdir() if found.name != ".git"]


def test_learners_of_settings_become_subjects(folder: Path) -> None:
    grid = (
        '{target = "mine.py:threshold", epsilon = 1, bounds = [0, 20], labels = [0, 1], size = 3, '
        'distribution = "mine.py:GRID", sizes = [10, {private = 5, public = 3}]}'
    )
    scaled = '{target = "mine.py:Noisy", name = "b", options = {scale = 2.0}, bounds = [0, 1], rho = 0.5, calls = 7000}'
    (folder / "pyproject.toml").write_text(settings(grid, scaled))
    first, second = (subject_of(one, {"jobs": 1}) for one in read_learners(folder))
    assert [task.name for task in first.tasks] == ["n = 10", "private = 5, public = 3"]
    assert second.claim == ZeroConcentratedDP(0.5)
    assert (second.calls, second.learner.make().scale, second.name) == (7000, 2.0, "b")
    with pytest.raises(InvalidArgument, match="renyi must be"):
        subject_of(Configured("c", "mine.py:coin", {"renyi": [1]}), {})
    with pytest.raises(DpcheckError, match="records must be a list of values"):
        subject_of(Configured("c", "mine.py:coin", {"records": [[1]]}), {})


def test_what_the_table_says_of_claims_and_data_holds_for_its_learners(folder: Path) -> None:
    """As it does for the other commands; an entry that says anything of the claim, or of the data, says all of it."""
    shared = "[tool.dpcheck]\nepsilon = 1\nbounds = [0, 20]\nlabels = [0, 1]\nsize = 3\nneighbours = 'labels-only'\n"
    entries = (
        '"mine.py:threshold", {target = "mine.py:coin", name = "c", rho = 0.5}, {target = "mine.py:coin", name = "r", '
    )
    (folder / "pyproject.toml").write_text(
        f"{shared}learners = [{entries}records = [0, 1], neighbours = 'replace-one'}}]\n"
    )
    first, second, third = read_learners(folder)
    data = {"bounds": [0, 20], "labels": [0, 1], "size": 3}
    assert first.said == {"epsilon": 1, **data, "neighbours": "labels-only"}
    assert second.said == {"rho": 0.5, **data, "neighbours": "labels-only"}
    assert third.said == {"epsilon": 1, "records": [0, 1], "neighbours": "replace-one"}
    assert subject_of(second, {"jobs": 1}).claim == ZeroConcentratedDP(0.5)
    (other,) = chosen((first,), ["mine.py:coin"], [], shared_settings(folder))
    assert other.said == first.said


def test_paths_start_at_the_folder_of_the_settings(folder: Path) -> None:
    below = folder / "below"
    below.mkdir()
    (folder / "pyproject.toml").write_text(settings('{target = "mine.py:coin", dataset = "d.csv", pairs = "p.npz"}'))
    (one,) = read_learners(below)
    assert (one.target, one.said["dataset"], one.said["pairs"]) == ("../mine.py:coin", "../d.csv", "../p.npz")
    assert one.name == "mine.py:coin"
    assert chosen([one], ["mine.py:coin"], []) == (one,)


def test_the_defaults_of_both_commands_are_the_same() -> None:
    assert compare_command.ALPHA == record_command.ALPHA == 1e-6
