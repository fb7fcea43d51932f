"""``--journal``: the same command again goes on from where a run was ended."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import killed
import pytest

from dpcheck.execution.kept_parts import Parts

ROOT = Path(__file__).resolve().parents[2]


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    whole = [sys.executable, "-m", "dpcheck", *arguments, "--quiet"]
    return subprocess.run(whole, cwd=folder, capture_output=True, text=True, check=False)


def _learner(folder: Path, scale: float = 1.0) -> Path:
    counted = folder / "calls"
    text = killed.LEARNER.format(counted=str(counted), pause=0).replace("laplace(0, 1.0)", f"laplace(0, {scale})")
    (folder / "learner.py").write_text(text)
    return counted


@pytest.mark.turns(6)
@pytest.mark.parametrize("command", killed.COMMANDS)
def test_a_run_that_is_killed_comes_to_the_same_record(command: str, seed: int) -> None:
    found = killed.killed(killed.COMMANDS[command], 1, 1, random.Random(seed))
    assert (found.trouble, found.same) == ("", found.ends)
    assert found.most <= killed.COMMANDS[command].lost
    assert found.again <= found.kills * killed.COMPARED


@pytest.mark.turns(6)
def test_a_run_that_ended_is_not_made_again_and_another_learner_is_told_apart(tmp_path: Path) -> None:
    counted = _learner(tmp_path)
    arguments = ("audit", "learner.py:noisy", "--epsilon", "1", "--bounds", "0,1", "--max-samples", "2000")
    first = _run(tmp_path, *arguments, "--journal", "kept")
    calls = counted.stat().st_size
    assert calls >= 2000
    again = _run(tmp_path, *arguments, "--journal", "kept")
    assert killed.TIMES.sub("", again.stdout) == killed.TIMES.sub("", first.stdout)
    assert counted.stat().st_size == calls
    _learner(tmp_path, scale=1.5)
    other = _run(tmp_path, *arguments, "--journal", "kept")
    assert counted.stat().st_size >= 2 * calls - 200
    assert "the journal has answers of other code, settings or libraries of this learner" in other.stdout
    assert len(list((tmp_path / "kept").iterdir())) == 2
    (tmp_path / "other.py").write_text("SCALE = 3\n")  # what it might import when it is called
    more = _run(tmp_path, *arguments, "--journal", "kept")
    assert counted.stat().st_size >= 3 * calls - 400
    assert "the journal has answers of other code" in more.stdout


@pytest.mark.turns(6)
def test_learners_that_were_audited_are_not_audited_again_and_two_runs_do_not_have_one_journal(tmp_path: Path) -> None:
    arguments = ("learners", "--audit", "wang2016.empty", "--json", "run.json", "--journal", "kept")
    assert _run(tmp_path, *arguments).returncode == 0
    first = json.loads((tmp_path / "run.json").read_text())
    (kept,) = (tmp_path / "kept").glob("dpcheck_learners-*")
    before = kept.read_bytes()
    assert _run(tmp_path, *arguments).returncode == 0
    assert json.loads((tmp_path / "run.json").read_text()) == first  # the seconds too
    assert kept.read_bytes() == before
    with Parts(tmp_path / "kept", "dpcheck learners", {}):
        ran = _run(tmp_path, *arguments)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.splitlines() == [
        f"dpcheck: journal must be nobody else's, got 'kept/{kept.name}': another run has it"
    ]
    assert _run(tmp_path, *arguments, "--seed", "1").returncode == 0
    assert kept.read_bytes().startswith(before)
    assert len(kept.read_bytes()) > len(before)


def test_a_journal_of_what_is_only_listed_is_refused(tmp_path: Path) -> None:
    for arguments in (("learners",), ("survey", "--list")):
        ran = _run(tmp_path, *arguments, "--journal", "kept")
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
        assert "--journal" in ran.stderr
        assert not (tmp_path / "kept").exists()


def test_a_journal_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    _learner(tmp_path)
    (tmp_path / "file").write_text("mine")
    for given, said in (("file", "got the file 'file'"), ("no/such", "must be in a directory that exists")):
        ran = _run(tmp_path, "measure", "learner.py:noisy", "--bounds", "0,1", "--journal", given)
        assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
        assert said in ran.stderr
        assert "journal" in ran.stderr
    assert (tmp_path / "file").read_text() == "mine"
