"""``--rho``, ``--mu`` and ``--renyi``: what a user types and reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dpcheck.cli import audit_command
from dpcheck.cli.app import run
from dpcheck.cli.asked import claim_of
from dpcheck.cli.options import Claimed
from dpcheck.model.bounds_shown import at_least
from dpcheck.model.claims import ApproxDP, GaussianDP, PureDP, RenyiDP, ZeroConcentratedDP
from dpcheck.model.errors import InvalidArgument
from tests.cli.test_cli import command

LEARNERS = """
class Noisy:
    def __init__(self, rho):
        self.sigma = (2.0 * rho) ** -0.5

    def __call__(self, dataset, rng):
        return float(sum(dataset)) + rng.normal(0.0, self.sigma)


class HalfTheNoise(Noisy):
    def __call__(self, dataset, rng):
        return float(sum(dataset)) + rng.normal(0.0, 0.5 * self.sigma)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(LEARNERS)
    (tmp_path / "data.csv").write_text("x\n0\n1\n1\n0\n")
    return tmp_path


@pytest.mark.turns(12)
def test_a_violated_claim_of_rho_from_a_process(folder: Path) -> None:
    """The factory gets its rho from the claim; every document has the bound on rho."""
    data = ("--dataset", "data.csv", "--bounds", "0,1", "--max-samples", "60000", "--max-seconds", "500")
    documents = ("--json", "out.json", "--format", "markdown", "--output", "out.md")
    ran = command("audit", "mine.py:HalfTheNoise", "--rho", "0.5", *data, *documents, cwd=folder)
    assert ran.returncode == 1, ran.stderr
    written = json.loads((folder / "out.json").read_text())
    text = json.dumps(written)
    assert '"kind": "zero-concentrated"' in text
    page = (folder / "out.md").read_text()
    assert "| 0.5-zCDP | violated, but expected: no violation found | rho 0.5" in page
    assert "any valid rho exceeds 0.5" in page
    assert "points it implies" in page
    divergence = written["records"][0]["verdict"]["divergence"]
    # so large a leak may be refuted by the points before the divergences lead
    said = (
        f"the Rényi divergence of order {divergence['order']:g} {divergence['direction']} is above"
        if divergence
        else ""
    )
    assert said in page


@pytest.mark.turns(6)
def test_a_measurement_certifies_divergences_and_rho(folder: Path) -> None:
    data = ("--dataset", "data.csv", "--bounds", "0,1", "--max-samples", "8000", "--option", "rho=0.5")
    ran = command("measure", "mine.py:Noisy", *data, "--json", "out.json", cwd=folder)
    assert ran.returncode == 0, ran.stderr
    measured = json.loads((folder / "out.json").read_text())["measurement"]
    assert "Rényi divergences: at least" in ran.stdout
    assert f"rho (zCDP) above {at_least(measured['rho_lower'], '.4g')}" in ran.stdout
    assert 0.3 < measured["rho_lower"] < 0.7
    assert [point["x"] for point in measured["renyi"]][:4] == [1.0, 1.25, 1.5, 2.0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rho", "0.5", "--mu", "1"], "the claim must be of one kind"),
        (["--rho", "0.5", "--epsilon", "1"], "got --epsilon and --rho"),
        (["--mu", "1", "--delta", "1e-5"], "got --delta and --mu"),
        (["--renyi", "1", "0.5"], "order must be a finite number above 1"),
        (["--renyi", "2", "x"], "--renyi"),
        (["--rho", "-1"], "rho must be a finite number, at least 0, got -1.0"),
        (["--mu", "x"], "--mu"),
        (["--mu", "60"], "claim must have an epsilon of at most 700"),
    ],
)
def test_a_wrong_claim_is_one_line_and_status_2(
    folder: Path, arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["audit", "mine.py:Noisy", "--option", "rho=1", "--dataset", "data.csv", "--bounds", "0,1", *arguments]
    assert run([*asked, "--quiet", "--format", "text"]) == 2
    captured = capsys.readouterr()
    assert words in captured.err + captured.out


def test_a_claim_on_the_command_line_replaces_another_kind_in_the_settings(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims: list[Any] = []

    def prepared(name: str, options: Any, asked: Any, *_: Any) -> Any:
        claims.append(asked.claim)
        raise InvalidArgument("seen")

    monkeypatch.setattr(audit_command, "_prepared", prepared)
    (folder / "pyproject.toml").write_text("[tool.dpcheck]\nepsilon = 2\ndelta = 1e-5\nquiet = true\n")
    for arguments in ([], ["--rho", "0.5"], ["--mu", "1"], ["--renyi", "8", "0.5"], ["--epsilon", "1"]):
        run(["audit", "mine.py:Noisy", *arguments])
    assert claims == [ApproxDP(2.0, 1e-5), ZeroConcentratedDP(0.5), GaussianDP(1.0), RenyiDP(8, 0.5), ApproxDP(1, 1e-5)]
    (folder / "pyproject.toml").write_text("[tool.dpcheck]\nrenyi = [8, 0.5]\nquiet = true\n")
    run(["audit", "mine.py:Noisy"])
    run(["audit", "mine.py:Noisy", "--epsilon", "1"])
    assert claims[-2:] == [RenyiDP(8, 0.5), PureDP(1.0)]


def test_two_kinds_in_the_settings_are_an_error() -> None:
    with pytest.raises(InvalidArgument, match="of one kind"):
        claim_of(Claimed(1.0, rho=0.5), set())
