"""Who asks on the command line is answered with its options, who asks from Python with arguments."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from dpcheck.cli.app import app
from dpcheck.model import option_words
from dpcheck.model.option_words import COMMANDS, as_options, by_command
from dpcheck.model.verdict.parts import Stop

ROOT = Path(__file__).resolve().parents[2]
#: An argument of a call: a name with an underscore that an option has too, or any name that a value is given to.
PYTHON = re.compile(r"\b(max_samples|max_seconds|call_timeout|public_size|allow_inconclusive)\b|\b[a-z]+_?[a-z]+=")


def options() -> set[str]:
    group = get_command(app)
    found = [option for command in group.commands.values() for option in command.params]  # type: ignore[attr-defined]
    return {spelled for option in found for spelled in (*option.opts, *option.secondary_opts)}


#: A line, and what it is on the command line; what a stranger said, what is quoted, and names of files stay.
LINES = {
    "call_timeout must be a positive number, got 0": "--call-timeout must be a positive number, got 0",
    "detect must be above the claim, got 1": "--detect must be above the claim, got 1",
    "give it more (max_samples, max_seconds)": "give it more (--max-samples, --max-seconds)",
    "give max_samples of at least 4,000 to see": "give --max-samples of at least 4,000 to see",
    "exhaustive=True wants a learner that declares its law": "--exhaustive wants a learner that declares its law",
    "its factory raised ValueError: max_samples must be 1": "its factory raised ValueError: max_samples must be 1",
    "target max_samples.py:Learner is not there": "target max_samples.py:Learner is not there",
    "no setting 'max_samples', did you mean 'max-samples'": "no setting 'max_samples', did you mean 'max-samples'",
    "the size must be known": "the size must be known",
}


@pytest.mark.parametrize("said", LINES)
def test_arguments_become_options(said: str) -> None:
    assert as_options(said) == LINES[said]
    assert as_options(LINES[said]) == LINES[said]


def test_every_option_that_is_named_is_one() -> None:
    known = options()
    names = [*option_words._UNMISTAKEN, *re.findall(r"[a-z]+", option_words._BEGINNING.pattern.split("(?=")[0])]
    beside = {"--max-memory", *known}
    for name in names:
        assert f"--{name.replace('_', '-')}" in beside, name
    for _, option in option_words._PIECES:
        assert set(re.findall(r"--[a-z-]+", option)) <= known, option
    commands = get_command(app).commands  # type: ignore[attr-defined]
    assert commands.keys() >= COMMANDS


def test_the_pieces_are_what_the_code_says() -> None:
    """A sentence that is worded anew would pass by its piece unseen."""
    texts = []
    for path in (ROOT / "dpcheck").rglob("*.py"):
        if path.name != "option_words.py":
            tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            texts += [node.value for node in tree if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    whole = "\n".join(texts)
    assert [said for said, _ in option_words._PIECES if said not in whole] == []


@pytest.mark.parametrize("stop", Stop)
def test_why_an_audit_stopped_has_no_argument_in_it(stop: Stop) -> None:
    assert not PYTHON.search(as_options(stop.value))


def test_other_programs_are_no_door_of_ours() -> None:
    assert by_command(("__main__.py", "survey", "list.toml"))
    for argv in ((), ("dpcheck",), ("pytest", "audit"), ("__main__.py", "tests/model"), ("mine.py", "audit")):
        assert not by_command(argv)


LEARNERS = """
import time

def slow(dataset, rng):
    time.sleep(0.05)
    return sum(dataset) + rng.laplace(scale=1)

def quick(dataset, rng):
    return sum(dataset) + rng.laplace(scale=1)

def broken(dataset, rng):
    return sum(dataset) + rng.laplace(scale=0.2)
"""


@pytest.mark.parametrize(
    "line",
    [
        "audit mine.py:slow --epsilon 1 --bounds 0,1 --max-samples 60",
        "audit mine.py:slow --epsilon 1 --bounds 0,1 --max-seconds 1",
        "audit mine.py:slow --epsilon 1 --bounds 0,1 --exhaustive",
        "audit mine.py:slow --epsilon 1 --bounds 0,1 --max-samples 3",
        "audit mine.py:broken --epsilon 1 --bounds 0,1",
        "measure mine.py:slow --bounds 0,1 --max-seconds 0.01",
        "check mine.py:quick --epsilon 1 --bounds 0,1 --max-samples 60 --only dtype_of_the_input",
    ],
)
@pytest.mark.turns(4)
def test_what_the_command_line_prints_has_options_only(line: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(LEARNERS)
    command = [sys.executable, "-m", "dpcheck", *line.split(), "--quiet"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    said = ran.stdout + ran.stderr
    assert "--" in said
    assert not PYTHON.search(said), said
