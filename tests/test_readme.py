"""The README is true: its numbers are those of the reports, its second command is what CI runs, its code works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import numbers_of_readme
import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.every_run
def test_its_numbers_are_those_of_the_reports() -> None:
    assert numbers_of_readme.written(README, ROOT / "reports") == README


def test_stale_numbers_are_noticed() -> None:
    begin = README.index("\n", README.index(numbers_of_readme.BEGIN))
    stale = README[: begin + 1] + "| a number | 42 |\n" + README[begin + 1 :]
    assert numbers_of_readme.written(stale, ROOT / "reports") != stale


def test_ci_runs_exactly_its_second_command() -> None:
    commands = re.findall(r"```sh\n(python3 -m venv[^\n]*)\n```", README)
    assert len(commands) == 2
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert script[-1] == commands[1]


def test_an_answer_typed_by_hand_is_noticed() -> None:
    typed = README.replace("noisy_sum: VIOLATED", "noisy_sum: PRIVATE", 1)
    assert typed != README
    assert numbers_of_readme.written(typed, ROOT / "reports") == README


def test_no_machine_and_no_registry_is_named() -> None:
    for path in [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "pyproject.toml"]:
        text = path.read_text(encoding="utf-8")
        assert "/work/" not in text
        assert "/tmp/" not in text


@pytest.mark.turns(6)
def test_its_pytest_example_passes(tmp_path: Path) -> None:
    assert "2 passed" in run_example("dp_audit", tmp_path)


@pytest.mark.turns(6)
def test_its_example_of_checks_passes_and_its_expected_failure_fails(tmp_path: Path) -> None:
    said = run_example("parametrize_with_checks", tmp_path, "-k", "floating_point or input_unchanged or empty_data")
    assert re.search(r"\b2 passed\b.*\b1 xfailed\b", said)


@pytest.mark.turns(4)
def test_its_example_of_the_best_private_learner_runs(tmp_path: Path) -> None:
    code = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "OptimalPrivate" in block)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("no violation found\n")
    assert "worst excess risk 0.0989, at most " in ended.stdout


@pytest.mark.turns(4)
def test_its_example_of_a_white_box_runs(tmp_path: Path) -> None:
    code = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "UNRECORDED" in block)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert ended.returncode == 0, ended.stderr


def run_example(word: str, tmp_path: Path, *arguments: str) -> str:
    """What pytest says of the example that has this word in it, in a folder of its own."""
    code = next(block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if word in block)
    (tmp_path / "test_example.py").write_text(code, encoding="utf-8")
    installed = any(point.value == "dpcheck.pytest_plugin" for point in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "dpcheck.pytest_plugin"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, "-q", "-p", "no:cacheprovider", str(tmp_path), *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
