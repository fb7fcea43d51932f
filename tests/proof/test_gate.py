"""``dpcheck theorems --strict``: what fails a build, what is not decided, and what a paper's file owns up to."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpcheck.cli.app import run
from dpcheck.proof import gate
from dpcheck.proof.gate import NOT_DECIDED, Judged, judged
from dpcheck.proof.registry import Registry
from dpcheck.proof.statement import Erratum, Repair, Status, Step, Theorem
from dpcheck.proof.status import PartResult, StepResult, TheoremResult

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "my_theorems.py"
ERRATUM = Erratum("a line", "it fails", "slip")
REPAIR = Repair("another line", "constant")
STANDING = [status for status in Status if status not in {*NOT_DECIDED, Status.REFUTED, Status.STATED}]


def line(status: Status, erratum: Erratum | None = None, instead: Status | None = None) -> StepResult:
    repair = None if instead is None else PartResult(instead)
    return StepResult(Step("a", erratum=erratum, repair=repair and REPAIR), PartResult(status), repair)


def statement(status: Status, erratum: Erratum | None = None, instead: Status | None = None) -> TheoremResult:
    said = "" if instead is None else "another statement"
    return TheoremResult(
        Theorem("mine:t", "t", erratum=erratum, repaired_statement=said), status, status, instead or status
    )


def outcome(found: Judged) -> str:
    if not found.objections:
        return "known" if found.known else "passes"
    (one,) = found.objections
    return "fails" if one.decided else "open"


@pytest.mark.parametrize("status", Status)
@pytest.mark.parametrize("instead", [None, *Status])
@pytest.mark.parametrize("erratum", [None, ERRATUM])
def test_every_line_and_statement_passes_fails_or_is_open(
    status: Status, instead: Status | None, erratum: Erratum | None
) -> None:
    for found in (judged([line(status, erratum, instead)], ()), judged((), [statement(status, erratum, instead)])):
        if status is Status.STATED:
            expected = "passes"  # a definition is not judged
        elif status in STANDING:
            expected = "fails" if erratum else "passes"
        elif erratum is None or instead is None:
            expected = "fails" if status is Status.REFUTED else "open"
        elif instead is Status.REFUTED:
            expected = "fails"
        else:
            expected = "open" if instead in NOT_DECIDED else "known"
        assert outcome(found) == expected
        assert found.lines + found.statements == (status is not Status.STATED)


def test_a_gate_that_takes_an_erratum_for_a_repair_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "_NOT_STANDING", frozenset({Status.REFUTED}))
    assert outcome(judged([line(Status.REFUTED, ERRATUM, Status.UNDECIDED)], ())) == "known"  # it must be "open"
    with pytest.raises(AssertionError):
        test_every_line_and_statement_passes_fails_or_is_open(Status.REFUTED, Status.UNDECIDED, ERRATUM)


def test_a_paper_whose_errata_are_all_declared_passes() -> None:
    registry = Registry()
    paper, evaluation = registry.papers["alon2019"], registry.evaluations["alon2019"]
    found = judged([evaluation.step(step.label) for step in paper.steps], evaluation.everything())
    assert not found.objections
    assert found.known > 0


def theorems(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dpcheck", "theorems", "--from", "mine.py", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.turns(6)
def test_the_status_of_a_paper_of_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = Path("mine.py")
    shutil.copy(EXAMPLE, mine)

    def gated(*arguments: str) -> tuple[int, str]:
        status = run(["theorems", "--from", "mine.py", *arguments])
        return status, capsys.readouterr().err

    status, said = gated("--strict")
    assert status == 3
    assert "line compose is UNDECIDED (no certificate for it: run `dpcheck theorems --prove`)" in said
    assert gated("--prove", "--quiet") == (0, "")  # a refuted line alone changes no status
    status, said = gated("--strict")
    assert status == 3
    assert "proved_by='repaired' offers the repaired one" in said
    assert gated("--strict", "--allow-inconclusive", "--json", "--quiet")[0] == 0
    written = mine.read_text().replace(
        'steps=("compose", "error"),', 'steps=("compose", "error"), proved_by="repaired",'
    )
    mine.write_text(written)
    status, said = gated("two-means", "--strict")
    assert (status, "1 known by an erratum with what holds instead" in said) == (0, True), said
    before, _, after = written.partition("            erratum=Erratum(")
    mine.write_text(before + after[after.index("            repair=Repair(") :])
    failed = theorems(tmp_path, "--strict", "--allow-inconclusive", "--quiet", "--witness")
    assert failed.returncode == 1
    assert failed.stderr.startswith("dpcheck: line error is REFUTED (")
    assert "no erratum owns up to it" in failed.stderr


def test_a_file_with_nothing_to_judge_is_status_5(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from dpcheck.proof.statement import Paper\nPAPER = Paper('mine', 'Mine', (), ())\n"
    )
    ran = theorems(tmp_path, "--strict")
    assert ran.returncode == 5
    assert "nothing to judge" in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--allow-inconclusive"], "--allow-inconclusive is read only with --strict"),
        (["--strict", "--status", "refuted"], "--strict must come without --status"),
    ],
)
def test_strict_refuses_what_it_cannot_join(tmp_path: Path, arguments: list[str], words: str) -> None:
    shutil.copy(EXAMPLE, tmp_path / "mine.py")
    ran = theorems(tmp_path, *arguments)
    assert ran.returncode == 2
    assert words in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1
