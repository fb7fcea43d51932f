"""A report that is interrupted: what is there is written, and the next run goes on, to the same numbers."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from dpcheck.model import errors
from dpcheck.report.pages.layout import Place, page
from dpcheck.report.whole.journal import FOLDER, Journal
from dpcheck.report.whole.units import Level, Unit, digest_of_file
from dpcheck.report.whole.workers import _result_of
from tests.documents import check, our_schema
from tests.report.test_report_targets import own_paper, read, run, without_times

pytest.importorskip("matplotlib")

#: A measurement that waits until it is let go, so that an interruption always meets it.
SLOW = """
def slow(seed, quick):
    import time
    while not Path(os.environ["GO"]).exists():
        time.sleep(0.05)
    return Measurement("slow", "Slow", (f"{KEY}:number",), "asked", "found", "exact",
                       outcomes=(Outcome("holds", "it ends", str(seed), f"{KEY}:number", "number"),))


CHECKS = ()
NOT_RUN = {f"{KEY}:private": "it is left out"}
RUNS = (*RUNS, Run("slow", (f"{KEY}:number",), slow, (0.5, 0.5)))
"""


def paper_with_a_slow_run(folder: Path) -> None:
    path = own_paper(folder)
    path.write_text(path.read_text(encoding="utf-8") + SLOW, encoding="utf-8")


def interrupted(folder: Path, kept: int) -> tuple[int, str, str]:
    """Start a report, and interrupt it when so many files of units are there: status, standard output and error."""
    command = [sys.executable, "-m", "dpcheck", "report", "mine.py", "--quick", "--jobs", "1", "--seed", "5"]
    known = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[2]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "GO": str(folder / "go"),
        "LOG": str(folder / "log"),
    }
    started = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=known
    )
    progress = folder / "reports" / FOLDER
    while started.poll() is None and len(list(progress.glob("*.json"))) < kept:
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    stdout, stderr = started.communicate(timeout=300)
    return started.returncode, stdout, stderr


@pytest.mark.turns(6)
def test_an_interrupted_report_is_written_and_gone_on_with(tmp_path: Path) -> None:
    paper_with_a_slow_run(tmp_path)
    status, stdout, stderr = interrupted(tmp_path, 1)
    assert status == 130, stderr
    assert "dpcheck: interrupted: 1 of 2 are done and kept; the report says what is missing" in stderr
    assert "Traceback" not in stderr
    assert "own: 1 holds (100%)" in stdout
    page = tmp_path / "reports" / "own" / "own.html"
    partial = read(page.with_suffix(".json"))
    check(our_schema("dpcheck-paper-report/2"), partial)
    assert partial["missing"] == [{"key": "slow", "results": ["own:number"]}]
    assert len(partial["measurements"]) == 1
    assert "slow" in page.read_text(encoding="utf-8")
    assert "interrupted before slow" in page.with_suffix(".md").read_text(encoding="utf-8")
    # one of the kept files is spoilt: that one is run again, and said to be
    (spoilt,) = (tmp_path / "reports" / FOLDER).glob("*.json")
    spoilt.write_text(spoilt.read_text(encoding="utf-8").replace("asked", "asked!"), encoding="utf-8")
    (tmp_path / "go").touch()
    environment = {"GO": str(tmp_path / "go"), "LOG": str(tmp_path / "log")}
    done = run("mine.py", "--quick", "--jobs", "2", "--seed", "5", folder=tmp_path, **environment)
    assert done.returncode == 0, done.stderr
    assert f"reports/{FOLDER}/{spoilt.name} cannot be used (it was changed): own/number is run again" in done.stderr
    assert "2 to run in 2 processes" in done.stderr
    assert (tmp_path / "log").read_text(encoding="utf-8") == "number\nnumber\n"
    whole = read(page.with_suffix(".json"))
    assert whole["missing"] == []
    assert [one["key"] for one in whole["measurements"]] == ["number", "slow"]
    assert not (tmp_path / "reports" / FOLDER).exists()
    # in one go, in one process, it is the same report
    again = run("mine.py", "--quick", "--jobs", "1", "--seed", "5", "--out", "o", folder=tmp_path, **environment)
    assert again.returncode == 0
    assert without_times(read(tmp_path / "o" / "own" / "own.json")) == without_times(whole)


# --- the journal itself

UNIT = Unit("measurement", "own/number", paper="own", run="number")


def journal(folder: Path, *, seed: int = 0, quick: bool = True, source: str = "s", said: Any = print) -> Journal:
    return Journal(folder, Level(seed, quick), source=source, complain=said)


def test_what_is_kept_is_of_the_same_unit_level_and_code(tmp_path: Path) -> None:
    journal(tmp_path).write(UNIT, '{"a": 1.5, "b": "\\udc80 é"}')
    assert json.loads(journal(tmp_path).read(UNIT, json.loads) or "") == {"a": 1.5, "b": "\udc80 é"}
    for other in ({"seed": 1}, {"quick": False}, {"source": "t"}):
        assert journal(tmp_path, **other).read(UNIT, json.loads) is None  # type: ignore[arg-type]
    changed = Unit("measurement", "own/number", paper="own", run="number", digest="changed")
    assert journal(tmp_path).read(changed, json.loads) is None
    journal(tmp_path).remove([UNIT])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("spoilt", ["", "{", "[]", "null", '{"schema": "x"}', "[" * 100_000])
def test_what_is_spoilt_is_run_again_and_said_in_one_line(spoilt: str, tmp_path: Path) -> None:
    said: list[str] = []
    kept = journal(tmp_path, said=said.append)
    kept.write(UNIT, "{}")
    kept.path(UNIT).write_text(spoilt, encoding="utf-8")
    assert kept.read(UNIT, json.loads) is None
    (line,) = said
    assert line.startswith(f"{kept.path(UNIT)} cannot be used (")
    assert line.endswith("): own/number is run again")


def test_what_fits_no_record_is_run_again(tmp_path: Path) -> None:
    said: list[str] = []
    kept = journal(tmp_path, said=said.append)
    kept.write(UNIT, '{"other": 1}')

    def no_record(text: str) -> None:
        raise ValueError("no record")

    assert kept.read(UNIT, no_record) is None
    assert len(said) == 1


def test_removing_leaves_what_is_not_ours(tmp_path: Path) -> None:
    kept = journal(tmp_path)
    kept.write(UNIT, "{}")
    (tmp_path / FOLDER / "notes.txt").write_text("mine", encoding="utf-8")
    kept.remove([UNIT])
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == ["notes.txt"]


def test_a_run_that_ends_leaves_what_other_runs_have_kept(tmp_path: Path) -> None:
    other = Unit("measurement", "own/other", paper="own", run="other")
    journal(tmp_path).write(other, "{}")
    journal(tmp_path, quick=False).write(UNIT, "{}")
    journal(tmp_path, source="earlier version").write(UNIT, "{}")
    journal(tmp_path).write(UNIT, "{}")
    journal(tmp_path).remove([UNIT])
    assert journal(tmp_path).read(UNIT, json.loads) is None
    assert journal(tmp_path).read(other, json.loads) == "{}"
    assert journal(tmp_path, quick=False).read(UNIT, json.loads) == "{}"
    assert not journal(tmp_path, source="earlier version").path(UNIT).exists()


def test_what_cannot_be_kept_is_said_and_stops_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / FOLDER).write_text("a file where the folder should be", encoding="utf-8")
    journal(tmp_path, said=said.append).write(UNIT, "{}")
    (line,) = said
    assert line.startswith("own/number is done, and cannot be kept in")


def test_what_is_no_file_beside_a_users_file_is_passed_over(tmp_path):
    own = tmp_path / "own.py"
    own.write_text("1\n")
    alone = digest_of_file(own)
    (tmp_path / "folder.py").mkdir()
    (tmp_path / ".#own.py").symlink_to("nobody@nowhere")  # as editors lock a file
    assert digest_of_file(own) == alone
    (tmp_path / "beside.py").write_text("2\n")
    assert digest_of_file(own) != alone


@pytest.mark.parametrize(
    ("error", "usage"), [("InvalidArgument", True), ("NoHypothesis", False), ("LearnerDied", False)]
)
def test_a_learner_that_always_raises_is_not_what_the_user_asked_wrongly(error: str, usage: bool) -> None:
    def make(unit: Unit, level: Level) -> str:
        raise getattr(errors, error)("why")

    assert _result_of(UNIT, Level(0, True), make) == (error, "why", usage)


def test_pages_have_no_control_characters_and_turn_no_words_around() -> None:
    text = page(
        "errata.html",
        Place("own/errata.html", ()),
        papers=(),
        introduction=("a\x1b[31m\u202eb\udc80",),
        severities=(),
        severities_shown=(),
        worst=(),
    )
    assert "\\x1b[31m\\u202eb\\udc80" in text
    assert not re.search("[\x1b\u202e\udc80]", text)


@pytest.mark.turns(4)
def test_a_part_that_never_ends_is_ended_and_the_others_have_their_pages(tmp_path: Path) -> None:
    paper_with_a_slow_run(tmp_path)
    assert interrupted(tmp_path, 1)[0] == 130  # the other part is done, however slow the machine
    known = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "GO": str(tmp_path / "no"), "LOG": "log"}
    command = [sys.executable, "-m", "dpcheck", "report", "mine.py", "--quick", "--quiet", "--seed", "5"]
    command += ["--part-timeout", "0.5"]
    done = subprocess.run(command, cwd=tmp_path, env=known, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 4, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if "could not be made" in line]
    assert line == (
        "dpcheck: own/slow could not be made: it took longer than 0.5 s and was ended (--part-timeout gives it longer)"
    )
    made = read(tmp_path / "reports" / "own" / "own.json")
    assert [one["outcomes"][0]["word"] for one in made["measurements"]] == ["holds", "failed"]
    assert "it took longer than " in (tmp_path / "reports" / "own" / "own.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("value", ["0", "-1"])
def test_no_time_at_all_is_refused(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    from dpcheck.cli.app import run as run_here

    assert run_here(["report", "alon2019", "--part-timeout", value]) == 2
    assert f"--part-timeout must be a number of seconds above 0, got {value}" in capsys.readouterr().err


def test_every_part_has_a_time_after_which_it_is_ended() -> None:
    from dpcheck.cli.report_targets import plan_of
    from dpcheck.cli.report_units import learner_units
    from dpcheck.proof.registry import Registry
    from dpcheck.report.whole.papers import units_of

    level = Level(0, True)
    plan = plan_of((), Registry())
    units = [*learner_units(plan.learners, level), *(unit for one in plan.papers for unit in units_of(one, level))]
    assert len(units) > 50
    assert all(unit.limit < float("inf") for unit in units)
