"""``dpcheck one-run``: files of scores, statuses, documents, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dpcheck.cli.app import run


def write(folder: Path, mu: float, *, count: int = 1000, runs: int = 1, name: str = "scores.csv") -> Path:
    """A file of scores whose laws are normal and ``mu`` spreads apart."""
    rng = np.random.default_rng(7)
    included = rng.random((runs, count)) < 0.5
    scores = mu * included + rng.normal(size=included.shape)
    path = folder / name
    if path.suffix == ".npz":
        np.savez(path, scores=scores, included=included)
        return path
    lines = ["run,score,included"]
    lines += [f"{row},{scores[row, i]},{int(included[row, i])}" for i in range(count) for row in range(runs)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_leak_ends_with_status_1_and_a_document_through_a_process(tmp_path: Path) -> None:
    path = write(tmp_path, 3.0)
    asked = ["one-run", path.name, "--epsilon", "1", "--delta", "1e-5", "--json", "found.json"]
    ran = subprocess.run(
        [sys.executable, "-m", "dpcheck", *asked], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1, ran.stderr
    assert ran.stdout.startswith("scores.csv: VIOLATED")
    found = json.loads((tmp_path / "found.json").read_text())["verdict"]
    assert (found["status"], found["target"], found["canaries"]) == ("violated", "scores.csv", 1000)


@pytest.mark.parametrize(
    ("mu", "claim", "status"),
    [
        (3.0, ["--mu", "1"], 1),
        (1.0, ["--mu", "1", "--detect", "4"], 0),
        (1.0, ["--mu", "1"], 3),
        (3.0, ["--epsilon", "8", "--delta", "1e-5"], 3),
        (3.0, ["--epsilon", "8", "--delta", "1e-5", "--allow-inconclusive"], 0),
    ],
)
def test_statuses(mu: float, claim: list[str], status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["one-run", str(write(tmp_path, mu)), *claim]) == status
    assert capsys.readouterr().err == ""


def test_both_kinds_of_files_and_several_runs_say_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for name in ("scores.csv", "scores.npz"):
        run(["one-run", str(write(tmp_path, 2.0, runs=3, count=400, name=name)), "--mu", "0.5", "--format", "json"])
        found.append(json.loads(capsys.readouterr().out)["verdict"])
    assert found[0]["runs"] == 3
    assert [one["right_in"] for one in found] == [found[0]["right_in"]] * 2
    assert found[0]["p_value"] == found[1]["p_value"]


def test_a_plot_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    drawn = tmp_path / "one.svg"
    assert run(["one-run", str(write(tmp_path, 3.0)), "--mu", "1", "--plot", str(drawn)]) == 1
    assert "telling canaries apart" in drawn.read_text()
    assert run(["one-run", str(write(tmp_path, 3.0)), "--mu", "1", "--plot", "one.png"]) == 2
    assert "--plot must be a file that ends in .svg" in capsys.readouterr().err


def test_guesses_in_and_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["one-run", str(write(tmp_path, 2.0)), "--mu", "1", "--guesses", "60,40", "--format", "json"])
    found = json.loads(capsys.readouterr().out)["verdict"]
    assert (found["guesses_in"], found["guesses_out"]) == (60, 40)


TABLES: dict[str, tuple[str, str]] = {
    "no column of scores": ("scre,included\n1,0\n", "SCORES must have one column 'score' in its first line, got scre"),
    "two columns of scores": ("score,score,included\n1,1,0\n", "SCORES must have one column 'score'"),
    "no rows": ("score,included\n", "SCORES must have rows"),
    "nothing": ("", "SCORES must have one column 'score' in its first line, got nothing"),
    "two columns of runs": ("score,run,included,run\n1,1,0,2\n", "SCORES must have one column 'run'"),
    "a word for a score": ("score,included\n1,0\nhigh,1\n", "line 3: score must be a number, got 'high'"),
    "a word for a coin": ("score,included\n1,maybe\n", "line 2: included must be 1 or 0"),
    "a cell too few": ("score,included\n1\n", "line 2: it must have 2 cells like line 1, got 1"),
    "runs of other sizes": (
        "run,score,included\na,1,0\na,2,1\nb,1,0\n",
        "SCORES must have as many canaries in each run, got 1 in run 'b' and 2 in run 'a'",
    ),
}


@pytest.mark.parametrize("table", TABLES)
def test_what_is_no_table_of_scores_is_refused_in_a_line(
    table: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, words = TABLES[table]
    path = tmp_path / "scores.csv"
    path.write_text(content)
    assert run(["one-run", str(path), "--epsilon", "1"]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.csv", "--epsilon", "1"], "SCORES must be a file that exists, got 'nothing.csv'"),
        (["scores.csv"], "a claim must be given"),
        (["scores.csv", "--epsilon", "1", "--mu", "1"], "the claim must be of one kind"),
        (["scores.csv", "--epsilon", "1", "--guesses", "some"], "--guesses must be a whole number such as 100"),
        (["scores.csv", "--epsilon", "1", "--guesses", "100000"], "guesses must be at most 1,000"),
        (["scores.csv", "--epsilon", "1", "--format", "junit"], "'junit' is not one of 'text', 'json'"),
        (["scores.csv", "--epsilon", "1", "--json", "scores.csv"], "--json must be another file than SCORES"),
        (["scores.csv", "--epsilon", "1", "--output", "a", "--json", "a"], "--json must be another file than --output"),
        (["scores.csv", "--epsilon", "1", "--control", "no.csv"], "--control must be a file that exists"),
        (["scores.csv", "--epsilon", "1", "--alpha", "2"], "alpha must be a probability"),
        (["scores.txt", "--epsilon", "1"], "SCORES must be a file that ends in .csv or .npz"),
        (["other.npz", "--epsilon", "1"], "SCORES must hold the arrays scores and included, got a"),
        (["broken.npz", "--epsilon", "1"], "SCORES must be a file of numbers written by numpy"),
    ],
)
def test_wrong_arguments_are_refused_in_a_line(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, 1.0)
    (tmp_path / "scores.txt").write_text("score,included\n")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    (tmp_path / "broken.npz").write_bytes(b"PK")
    assert run(["one-run", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1


def test_a_control_that_is_caught_lets_scores_that_tell_little_pass(tmp_path: Path) -> None:
    write(tmp_path, 5.0, name="control.csv")
    path = write(tmp_path, 0.0)
    assert run(["one-run", str(path), "--epsilon", "1"]) == 3
    assert run(["one-run", str(path), "--epsilon", "1", "--control", str(tmp_path / "control.csv")]) == 0


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_and_spellings(separator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, 3.0)
    text = path.read_text().replace(",1\n", ",1.0\n").replace(",0\n", ",F\n").replace(",", separator)
    path.write_text(text)
    assert run(["one-run", str(path), "--mu", "1"]) == 1
    assert "VIOLATED" in capsys.readouterr().out


def test_the_claim_may_stand_in_the_settings_and_what_is_meant_for_audits_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = 'epsilon = 0.5\nalpha = 1e-9\ndetect = 0.6\nneighbours = "labels-only"\nformat = "junit"\n'
    (tmp_path / "pyproject.toml").write_text(f"[tool.dpcheck]\n{settings}")
    write(tmp_path, 3.0)
    assert run(["one-run", "scores.csv"]) == 1
    said = capsys.readouterr().out
    assert "claim: 0.5-DP" in said
    assert "alpha = 0.05" in said
