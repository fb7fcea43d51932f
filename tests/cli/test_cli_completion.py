"""Names at a press of Tab, as shells ask for them: quickly, all that there are, and whole where colons cut words."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dpcheck
from dpcheck.cli import completion

#: What no press of a key has time for.
HEAVY = ("numpy", "scipy", "sympy", "pandas", "sklearn", "hypothesis", "matplotlib", "dpcheck.parts", "dpcheck.proof")


def run_asked(folder: Path, **environment: str) -> tuple[list[str], set[str], str]:
    """The lines that a shell gets, what was loaded for them, and what was printed beside."""
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('LOADED', *sys.modules, file=sys.stderr))\n"
        "from dpcheck.cli import main\n"
        "sys.argv = ['dpcheck']\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder, timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(dpcheck.__file__).parents[1]), **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed, _, loaded = done.stderr.partition("LOADED")
    return done.stdout.splitlines(), set(loaded.split()), printed


def ask_bash(folder: Path, line: str) -> list[str]:
    """What bash shows for a line; the last word is not finished, and words are cut as bash cuts them."""
    words = re.split(r" |(:)", line)
    words = [word for word in words[:-1] if word] + ([words[-1]] if words[-1] or not line.endswith(":") else [])
    asked = {"_DPCHECK_COMPLETE": "complete_bash", "COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1)}
    shown, loaded, printed = run_asked(folder, **asked)
    assert printed == ""
    assert loaded & set(HEAVY) == set()
    return [line for line in shown if line]


@pytest.mark.some(5)
@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("dpcheck zoo stairc", ["staircase"]),
        ("dpcheck audit zoo:stairc", ["staircase"]),
        ("dpcheck audit learner:alon2019.cov", ["alon2019.cover"]),
        ("dpcheck learners alon2019.cov", ["alon2019.cover"]),
        ("dpcheck theorems alon2019:thm-3", ["thm-3.1"]),
        ("dpcheck theorems alon2019:", ["def-2.1", "def-2.2"]),
        ("dpcheck theorems --paper alo", ["alon2019"]),
        ("dpcheck theorems --status refu", ["refuted"]),
        ("dpcheck survey opendp-cou", ["opendp-count"]),
        ("dpcheck check mine.py:Learner --only empty", ["empty_data"]),
        ("dpcheck white-box trained:dp_sg", ["dp_sgd"]),
        ("dpcheck report alon2019.cov", ["alon2019.cover"]),
        ("dpcheck schema dpcheck-ru", ["dpcheck-run/1"]),
        ("dpcheck measure zoo:stairc", ["staircase"]),
        ("dpcheck zoo ", ["above_threshold"]),
        ("dpcheck audit no_such_file", []),
    ],
)
def test_bash_is_told_the_names(tmp_path: Path, line: str, first: list[str]) -> None:
    shown = ask_bash(tmp_path, line)
    assert shown[: len(first)] == first
    assert bool(shown) == bool(first)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_told_whole_words(tmp_path: Path, shell: str) -> None:
    shown, loaded, printed = run_asked(
        tmp_path,
        _DPCHECK_COMPLETE=f"complete_{shell}",
        _TYPER_COMPLETE_ARGS="dpcheck audit zoo:stairc",
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )
    assert "staircase" in " ".join(shown)
    assert "zoo" in " ".join(shown)
    assert loaded & set(HEAVY) == set()
    assert printed == ""


def test_the_names_are_those_that_there_are() -> None:
    kept = completion.NAMES.read_text(encoding="utf-8")
    assert kept == completion.written_names(), "python -m dpcheck.cli.completion brings them up to date"


def test_a_name_that_is_missing_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = json.loads(completion.NAMES.read_text(encoding="utf-8"))
    names["zoo"].remove("laplace")
    stale = tmp_path / "completion.json"
    stale.write_text(json.dumps(names, indent=1) + "\n")
    monkeypatch.setattr(completion, "NAMES", stale)
    assert "laplace" not in completion.zoo("laplace")
    with pytest.raises(AssertionError, match=r"dpcheck\.cli\.completion"):
        test_the_names_are_those_that_there_are()


def test_a_module_that_is_heavy_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import numpy\n")
    path = os.pathsep.join((str(tmp_path), str(Path(dpcheck.__file__).parents[1])))
    _, loaded, _ = run_asked(
        tmp_path, PYTHONPATH=path, _DPCHECK_COMPLETE="complete_bash", COMP_WORDS="dpcheck zoo l", COMP_CWORD="2"
    )
    assert loaded & set(HEAVY) == {"numpy"}


@pytest.mark.parametrize(
    "told", [{"COMP_WORDS": "dpcheck 'zoo", "COMP_CWORD": "1"}, {"COMP_WORDS": "dpcheck zoo", "COMP_CWORD": "x"}, {}]
)
def test_a_line_that_cannot_be_read_is_left_as_it_is(told: dict[str, str]) -> None:
    environment = {completion.COMPLETING: "complete_bash", **told}
    completion.join_cut_words(environment)
    assert environment == {completion.COMPLETING: "complete_bash", **told}


def test_help_says_how_completion_is_installed(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "dpcheck", "--help"], capture_output=True, text=True, check=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(dpcheck.__file__).parents[1]), "COLUMNS": "200"}, timeout=120,
    )  # fmt: skip
    assert "press of Tab: dpcheck --install-completion" in done.stdout
