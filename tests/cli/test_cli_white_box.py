"""``dpcheck white-box``: trainings in files and our own, statuses, documents, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dpcheck.cli.app import run

TRAINING = """
import numpy as np


def train(data, rng, transcript):
    x, y = data
    model = np.zeros(2)
    for _ in range(30):
        batch = transcript.batch(np.flatnonzero(rng.random(len(x)) < 0.2))
        gradients = (1 / (1 + np.exp(-x[batch] @ model)) - y[batch])[:, None] * x[batch]
        norms = np.linalg.norm(gradients, axis=1, keepdims=True)
        total = (gradients / np.maximum(1.0, norms)).sum(axis=0)
        noisy = total + rng.normal(0.0, NOISE, 2)
        model = model - 0.05 * transcript.release(total, noisy)
    return model
"""
CLAIM = ["--epsilon", "6", "--delta", "1e-5"]
ACCOUNTED = ["--noise-multiplier", "1.5", "--clipping-norm", "1", "--sampling-rate", "0.2", "--steps", "30"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = [f"{(3 * i % 11) - 5},{(5 * i % 7) - 3},{i % 2}" for i in range(80)]
    (tmp_path / "data.csv").write_text("\n".join(["height,weight,outcome", *rows]) + "\n")
    for name, noise in (("right.py", 1.5), ("wrong.py", 0.5)):
        (tmp_path / name).write_text(TRAINING.replace("NOISE", str(noise)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(name: str) -> list[str]:
    return ["white-box", f"{name}:train", "--dataset", "data.csv", "--label", "outcome", *CLAIM, *ACCOUNTED]


def test_through_a_process_a_mistake_ends_with_status_1_and_a_document(folder: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", *asked("wrong.py"), "--json", "found.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("wrong.py:train: NOT AS ACCOUNTED")
    assert "noise       broken: the noise is 0.3" in ran.stdout
    found = json.loads((folder / "found.json").read_text())["verdict"]
    assert (found["status"], found["target"]) == ("not as accounted", "wrong.py:train")


def test_a_correct_training_ends_with_status_0(folder: Path, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*asked("right.py"), "--seed", str(seed), "--alpha", "1e-9", "--isolation", "none"]
    assert run(arguments) == 0, capsys.readouterr().out
    assert run([*arguments, "--output", "out.txt"]) == 0
    assert (folder / "out.txt").read_text().startswith("right.py:train: AS ACCOUNTED")


def test_our_own_bring_what_was_accounted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["white-box", "trained:batches-shuffled", "--isolation", "none", "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["verdict"]
    assert [each["name"] for each in found["premises"] if each["status"] == "broken"] == ["sampling"]


def test_an_undecided_one_ends_with_status_3_unless_that_is_allowed(folder: Path) -> None:
    far = [*asked("right.py"), "--isolation", "none"]
    far[far.index("--clipping-norm") + 1] = "100"
    far[far.index("--noise-multiplier") + 1] = "0.015"
    far[far.index("--epsilon") + 1] = "1e6"
    assert run(far) == 3
    assert run([*far, "--allow-inconclusive"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trained:dp-sgb"], "target trained:dp-sgb: there is no training 'dp_sgb' (did you mean 'dp_sgd'?)"),
        (["nowhere.py:train"], "nowhere.py"),
        (["right.py:train", "--dataset", "data.csv"], "what was accounted must be given (--noise-multiplier, "),
        (["right.py:train", *ACCOUNTED], "--dataset must be given, got none"),
        (["right.py:train", "--dataset", "data.csv", *ACCOUNTED[:-1], "0"], "--steps wants a whole number of at least"),
        (["trained:dp_sgd", "--canaries", "none.csv"], "--canaries must be a file that exists, got 'none.csv'"),
        (["right.py:np", "--dataset", "data.csv", *ACCOUNTED], "target right.py:np must be a training"),
        (["needs.py:Needs", "--dataset", "data.csv", *ACCOUNTED], "target needs.py:Needs could not be made: TypeError"),
        (["trained:dp_sgd", "--output", "x.txt", "--json", "x.txt"], "--json must be another file than --output"),
    ],
)
def test_what_cannot_be_used_is_one_line_and_status_2(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "needs.py").write_text("class Needs:\n    def __init__(self, depth):\n        pass\n")
    assert run(["white-box", *arguments]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_a_training_that_raises_ends_with_status_4(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "raising.py").write_text("def train(data, rng, transcript):\n    raise ValueError('no')\n")
    assert run([*asked("raising.py"), "--isolation", "none"]) == 4
    assert "The training raised ValueError: no" in capsys.readouterr().out


def test_epochs_of_shuffled_records_are_named_where_a_record_is_gone(capsys: pytest.CaptureFixture[str]) -> None:
    asked_for = ["white-box", "trained:dp_sgd_in_epochs", "--neighbours", "add-remove"]
    assert run(asked_for) == 1
    told = capsys.readouterr().out
    assert "sampling    broken: whoever is gone" in told
    assert "whoever else is there" in told
