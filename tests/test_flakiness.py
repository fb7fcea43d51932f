"""Tests that fail on some seeds are found, named with the seed, and repeated by it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import flakiness
import pytest

ROOT = Path(__file__).resolve().parent.parent
SOMETIMES = """
import pytest
from hypothesis import given, settings, strategies as st

@pytest.mark.parametrize("case", ["a", "b"])
def test_sometimes(case, seed):
    assert (seed >> 32) % 4 != 1 or case == "a"

def test_never(rng):
    assert rng.random() < 2

@given(st.integers())
@settings(max_examples=2)
def test_property(number):
    pass

class TestInAClass:
    def test_sometimes(self, seed):
        assert (seed >> 32) % 4 != 2

def test_that_draws_nothing():
    raise AssertionError("is not run")
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.pytest.ini_options]\naddopts = "--import-mode=importlib"\nmarkers = ["some(count)", "extra"]\n'
    )
    (tmp_path / "test_it.py").write_text(SOMETIMES)
    monkeypatch.setattr(flakiness, "ROOT", tmp_path)
    return tmp_path


def flaky(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["flakiness.py", "--jobs", "1", *arguments])
    return flakiness.main()


@pytest.mark.turns(6)
def test_a_test_that_fails_on_some_seeds_is_found_and_repeated(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = folder / "flakiness.json"
    options = ("--seeds", "12", "--minutes", "1", "--seed", "40", "--only", "test_it.py", "--json", str(report))
    assert flaky(monkeypatch, *options) == 1
    found = {one["name"].partition("::")[2]: one for one in json.loads(report.read_text())["tests"]}
    assert set(found) == {"test_sometimes", "test_never", "test_property", "TestInAClass::test_sometimes"}
    assert [one["rounds"] for one in found.values()] == [12, 12, 12, 12]
    assert found["test_sometimes"]["runs"] == 24
    assert {one["seed"] for one in found["test_sometimes"]["failures"]} == {"41", "45", "49"}
    assert {one["seed"] for one in found["TestInAClass::test_sometimes"]["failures"]} == {"42", "46", "50"}
    assert not found["test_never"]["failures"]
    assert not found["test_property"]["failures"]
    again = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py::test_sometimes", "--seed"]
    for seed, status in (("45", 1), ("46", 0)):
        assert subprocess.run([*again, seed], cwd=folder, capture_output=True, check=False).returncode == status


@pytest.mark.turns(6)
def test_rounds_add_up_from_run_to_run_until_the_text_changes_or_a_test_fails(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "test_it.py").write_text("def test_a(seed):\n    pass\n")
    (folder / "test_other.py").write_text("def test_b(seed):\n    assert (seed >> 32) % 8 != 3\n")
    kept = folder / "kept.json"

    def rounds() -> dict[str, int]:
        return {name: entry["rounds"] for name, entry in json.loads(kept.read_text())["tests"].items()}

    options = ("--minutes", "1", "--only", "test_it.py", "test_other.py", "--kept", str(kept))
    assert flaky(monkeypatch, "--seeds", "2", "--seed", "8", *options) == 0
    assert rounds() == {"test_it.py::test_a": 2, "test_other.py::test_b": 2}
    assert flaky(monkeypatch, "--seeds", "3", "--seed", "16", *options) == 0
    assert rounds() == {"test_it.py::test_a": 3, "test_other.py::test_b": 3}
    assert flaky(monkeypatch, "--seeds", "3", *options) == 0
    assert "the first round took 0 s" in capsys.readouterr().out
    # what failed begins anew, and so does a file with another text
    assert flaky(monkeypatch, "--seeds", "6", "--seed", "8", *options) == 1
    assert flaky(monkeypatch, "--seeds", "2", "--seed", "8", *options) == 0
    assert rounds() == {"test_it.py::test_a": 6, "test_other.py::test_b": 2}
    (folder / "test_it.py").write_text("def test_a(seed):\n    assert True\n")
    assert flaky(monkeypatch, "--seeds", "2", "--seed", "8", *options) == 0
    assert rounds() == {"test_it.py::test_a": 2, "test_other.py::test_b": 2}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tests": {"a::b": {"rounds": 1}}}', '{"tests": []}'])
def test_a_damaged_file_of_rounds_is_said_in_one_line(
    text: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = folder / "kept.json"
    kept.write_text(text)
    assert flaky(monkeypatch, "--kept", str(kept), "--only", "test_it.py") == 2
    said = capsys.readouterr().err
    assert said.startswith("--kept must be a file that a run of this benchmark wrote, got ")
    assert said.count("\n") == 1
    assert kept.read_text() == text


def test_a_folder_for_the_rounds_is_said_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flaky(monkeypatch, "--kept", str(folder), "--only", "test_it.py") == 2
    said = capsys.readouterr().err
    assert said.startswith("--kept must be a file that a run of this benchmark wrote, got ")
    assert said.count("\n") == 1


@pytest.mark.turns(6)
def test_files_without_such_tests_are_no_success(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "test_it.py").write_text("def test_that_draws_nothing():\n    pass\n")
    assert flaky(monkeypatch, "--only", "test_it.py") == 2


def test_a_file_that_is_not_there_is_said_in_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flaky(monkeypatch, "--only", "test_other.py") == 2
    assert capsys.readouterr().err == "--only must be files of tests, or folders, that exist, got test_other.py\n"


@pytest.mark.turns(6)
def test_a_file_that_hangs_is_a_failure(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "test_it.py").write_text(
        "import time\ndef test_it(seed):\n    time.sleep(60 if (seed >> 32) % 8 == 1 else 0)\n"
    )
    monkeypatch.setattr(flakiness, "GRACE", 4.0)
    report = folder / "flakiness.json"
    options = ("--seeds", "4", "--minutes", "1", "--seed", "8", "--only", "test_it.py", "--json", str(report))
    assert flaky(monkeypatch, *options) == 1
    assert "no end after" in report.read_text()
