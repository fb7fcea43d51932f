"""The variables of bounds by the paper's letters and by the names here, and the commands that pages show."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from typing import NamedTuple

import pytest

from dpcheck.cli.app import run
from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.chaudhuri2011.theorems.bounds import BOUNDS
from dpcheck.proof.letters import evaluating, names_given, variables_in_words
from dpcheck.proof.registry import Registry

BOTH = [BOUNDS["agnostic"]]
#: Every result with bounds.
THEOREMS = {
    theorem.id: theorem for paper in Registry(None).papers.values() for theorem in paper.theorems if theorem.bounds
}


def _command(id: str) -> str:
    """What the page of a result shows."""
    return evaluating(id, THEOREMS[id].bounds())  # type: ignore[misc]


class _Answer(NamedTuple):
    """What a command said."""

    status: int
    stdout: str
    stderr: str


def _ran(command: str, capsys: pytest.CaptureFixture[str]) -> _Answer:
    """A command as the command line runs it, in this process."""
    program, *words = shlex.split(command)
    assert program == "dpcheck"
    capsys.readouterr()
    status = run(words)
    return _Answer(status, *capsys.readouterr())


def test_every_result_with_bounds_has_a_command() -> None:
    assert len(THEOREMS) >= 28
    assert all(map(_command, THEOREMS))


@pytest.mark.some(3)
@pytest.mark.parametrize("id", THEOREMS)
def test_the_command_of_a_page_evaluates_its_bounds(id: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = _ran(f"{_command(id)} --json", capsys)
    assert ran.status == 0, ran.stderr
    records = json.loads(ran.stdout)
    assert all(record["value"] for record in records)
    # and by the names here it is the same
    named = " ".join(f"{name}={value}" for record in records for name, value in record["given"].items())
    again = _ran(f"dpcheck theorems {id} --evaluate --json {' '.join(dict.fromkeys(named.split()))}", capsys)
    assert again.stdout == ran.stdout, again.stderr


def test_letters_and_names_are_one() -> None:
    wanted = {"accuracy": "0.1", "failure": "0.05", "epsilon": "1"}
    for given in (
        {"eps": "0.1", "delta": "0.05", "alpha": "1"},
        {"ε": "0.1", "δ": "0.05", "α": "1"},
        {"accuracy": "0.1", "failure": "0.05", "epsilon": "1"},
        {"eps": "0.1", "failure": "0.05", "epsilon": "1"},
        {"chaudhuri2011:eps": "0.1", "delta": "0.05", "epsilon": "1"},
        {"epsilon": "0.1", "delta": "0.05", "alpha": "1"},  # alpha is given: epsilon is the accuracy
    ):
        assert names_given(BOTH, "chaudhuri2011", given) == wanted


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"epsilon": "1"},
            "epsilon is the paper's letter for accuracy and the name here of what the paper calls alpha",
        ),
        ({"eps": "1", "accuracy": "1"}, "accuracy must be given once"),
        ({"gama": "1"}, "is no variable here"),
        ({"other:eps": "1"}, "must be a letter of chaudhuri2011"),
        ({"chaudhuri2011:x": "1"}, "must be one of the paper's letters"),
    ],
)
def test_what_may_be_either_is_refused_in_one_line(given: dict[str, str], words: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        names_given(BOTH, "chaudhuri2011", given)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_command_line_names_the_choices(capsys: pytest.CaptureFixture[str]) -> None:
    ran = _ran("dpcheck theorems chaudhuri2011:ex-5.2 --evaluate n=3 eps=0.1 delta=0.05 alpha=1", capsys)
    assert ran.status == 2
    assert len(ran.stderr.strip().splitlines()) == 1
    assert "give dimension=..., or m=..." in ran.stderr
    given = "m=100000 delta=0.05 alpha=1 d_U=1 kappa=1"
    solved = _ran(f"dpcheck theorems chaudhuri2011:thm-8 --solve eps --given {given}", capsys)
    assert solved.stdout.startswith("accuracy = "), solved.stderr
    twice = _ran("dpcheck theorems chaudhuri2011:thm-8 --solve eps --given eps=0.1", capsys)
    assert twice.status == 2
    assert "--solve eps must come without a value of eps" in twice.stderr


@pytest.mark.turns(6)
def test_a_result_shows_its_letters_and_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    ran = _ran("dpcheck theorems chaudhuri2011:thm-9", capsys)
    shown = " ".join(ran.stdout.replace("│", " ").replace("├", " ").split())
    assert variables_in_words([BOUNDS["realisable"]]) in shown
    assert _command("chaudhuri2011:thm-9") in shown


@pytest.mark.turns(6)
def test_the_command_of_a_page_runs_in_a_process_of_its_own() -> None:
    _, *words = shlex.split(_command("chaudhuri2011:thm-12"))
    ran = subprocess.run([sys.executable, "-m", "dpcheck", *words], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("n > ")
