"""The README is true: its numbers are those of the reports, its second command is what CI runs, its code works."""

from __future__ import annotations

import re
from pathlib import Path

import numbers_of_readme

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


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
