"""The README is short, its second command is what CI runs, and no file of the front names a machine."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
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
    assert script.count(commands[1]) == 1
    assert script[script.index(commands[1]) - 1] == "second_command() {"
    assert script[-1] == 'exit "$status"'


def _made(file: Path, *lines: str) -> None:
    file.write_text("\n".join(["#!/bin/sh", *lines, ""]), encoding="utf-8")
    file.chmod(0o755)


@pytest.mark.parametrize(
    ("broken_off", "tests_end_with", "installed", "status"), [(0, 0, 1, 0), (2, 0, 3, 0), (3, 0, 3, 2), (0, 1, 1, 1)]
)
def test_ci_installs_again_where_the_network_broke_off_and_never_runs_failed_tests_again(
    tmp_path: Path, broken_off: int, tests_end_with: int, installed: int, status: int
) -> None:
    clone, tools = tmp_path / "clone", tmp_path / "tools"
    (clone / ".ci").mkdir(parents=True)
    tools.mkdir()
    shutil.copy(ROOT / ".ci" / "run", clone / ".ci" / "run")
    _made(tools / "sleep")
    _made(tools / "python3", "rm -rf .venv-check; mkdir -p .venv-check/bin; cp ../pip .venv-check/bin/pip")
    python = f"echo ran >> ../tests; exit {tests_end_with}"
    _made(
        tmp_path / "pip",
        "echo asked >> ../installed",
        f"[ $(wc -l < ../installed) -gt {broken_off} ] || exit 2",
        f"printf '#!/bin/sh\\n{python}\\n' > .venv-check/bin/python; chmod +x .venv-check/bin/python",
        "touch .venv-check/bin/dpcheck",
    )
    searched = os.pathsep.join([str(tools), os.environ["PATH"]])
    done = subprocess.run(["bash", ".ci/run"], cwd=clone, env={"PATH": searched}, capture_output=True, check=False)
    assert done.returncode == status, done.stderr
    assert len((tmp_path / "installed").read_text().splitlines()) == installed
    runs = (tmp_path / "tests").read_text().splitlines() if (tmp_path / "tests").exists() else []
    assert len(runs) == (broken_off < 3)


def test_the_picture_is_as_it_is_drawn() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "run: python -m docs.making.picture"


def test_no_machine_and_no_registry_is_named() -> None:
    for path in [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", ROOT / "pyproject.toml"]:
        text = path.read_text(encoding="utf-8")
        assert "/work/" not in text
        assert "/tmp/" not in text
