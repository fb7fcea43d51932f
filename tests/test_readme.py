"""The README is short, its second command is what CI runs, and no file of the front names a machine."""

from __future__ import annotations

import re
from pathlib import Path

import numbers_of_benchmarks
import pytest

from docs.making.picture import PICTURE, drawn

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BENCHMARKS = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
#: Bytes: three screens, which is what somebody reads who does not know yet what this is.
SHORT = 8_000


def test_it_is_short() -> None:
    assert len(README.encode()) < SHORT


@pytest.mark.every_run
def test_the_numbers_of_the_benchmarks_are_those_of_the_reports() -> None:
    assert numbers_of_benchmarks.written(BENCHMARKS, ROOT / "reports") == BENCHMARKS


def test_stale_numbers_are_noticed() -> None:
    begin = BENCHMARKS.index("\n", BENCHMARKS.index(numbers_of_benchmarks.BEGIN))
    stale = BENCHMARKS[: begin + 1] + "| a number | 42 |\n" + BENCHMARKS[begin + 1 :]
    assert numbers_of_benchmarks.written(stale, ROOT / "reports") != stale


def test_ci_runs_exactly_its_second_command() -> None:
    commands = re.findall(r"```sh\n(python3 -m venv[^\n]*)\n```", README)
    assert len(commands) == 2
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert script[-1] == commands[1]


def test_the_picture_is_as_it_is_drawn() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "run: python -m docs.making.picture"


def test_no_machine_and_no_registry_is_named() -> None:
    for path in [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "pyproject.toml"]:
        text = path.read_text(encoding="utf-8")
        assert "/work/" not in text
        assert "/tmp/" not in text
