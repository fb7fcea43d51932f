"""The second judges see what is wrong: of what is called proved and fails, and of what is called refuted and holds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import second_judge
from solver_reading import Reading

from dpcheck.proof.prover.language import parse_formula
from dpcheck.proof.statement import Claim, Status

CASES = {
    "holds": (Claim("x in (0, 1)", "", "x^2 < x"), Status.PROVED, "agrees"),
    "fails at an end": (Claim("x in [0, 1]", "", "x^2 < x"), Status.PROVED, "disagrees"),
    "it rises": (
        Claim("x in (0, 1); y in (0, 1)", "x < y", "exp(x) < exp(y)"),
        Status.PROVED,
        "agrees",
    ),
    "a tangent the wrong way": (Claim("x in [1, 2]", "", "exp(x) <= 1 + x"), Status.PROVED, "disagrees"),
    "fails for unknown functions only": (Claim("x in [1, 2]", "", "exp(x) < 8"), Status.PROVED, "no answer"),
    "fractions that are negative": (Claim("x in [-1, 0]", "", "3*x > -2"), Status.PROVED, "disagrees"),
    "integers": (Claim("n in Z[1, inf)", "n < 2", "n = 1"), Status.PROVED, "agrees"),
    "rounded": (Claim("x in [0, 5]", "", "floor(x) + 1 > x >= ceil(x) - 1"), Status.PROVED, "agrees"),
    "choices": (Claim("x in [-1, 1]", "", "max(x, -x) = abs(x) >= min(x, 0)"), Status.PROVED, "agrees"),
    "refuted and holds": (Claim("x in (0, 1)", "", "x^2 < x"), Status.REFUTED, "disagrees"),
    "refuted": (Claim("x in [0, 1]", "", "x^2 < x"), Status.REFUTED, "agrees"),
    "refuted with functions": (Claim("x in [1, 2]", "", "exp(x) <= 1 + x"), Status.REFUTED, "agrees"),
    "refuted for unknown functions only": (Claim("x in [1, 2]", "", "exp(x) < 8"), Status.REFUTED, "no answer"),
    "vacuous": (Claim("x in [0, 1]", "x^2 > x", "x = 2"), Status.VACUOUS, "agrees"),
    "vacuous and not": (Claim("x in [0, 1]", "x^2 >= x", "x = 2"), Status.VACUOUS, "disagrees"),
    "vacuous and not, with functions": (Claim("x in [0, 1]", "exp(x) > 1", "x = 2"), Status.VACUOUS, "disagrees"),
    "a factorial": (Claim("n in Z[1, 5]", "", "fact(n) >= 1"), Status.PROVED, "not read"),
}


@pytest.fixture(params=second_judge.JUDGES)
def judge(request: pytest.FixtureRequest) -> second_judge.Judge:
    try:
        return second_judge.JUDGES[request.param]()
    except ImportError:
        pytest.skip(f"{request.param} is not installed (pip install -e '.[judges]')")


@pytest.mark.parametrize(("claim", "status", "answer"), CASES.values(), ids=list(CASES))
def test_it_agrees_or_not(judge: second_judge.Judge, claim: Claim, status: Status, answer: str) -> None:
    assert second_judge.judged(judge, claim, status, 2_000) == answer


@pytest.mark.parametrize(("value", "wrong"), [("2/3", True), ("2", True), ("-2/3", False), ("1/2", False)])
def test_the_point_of_a_model_is_looked_at_exactly(judge: second_judge.Judge, value: str, wrong: bool) -> None:
    claim = Claim("x in [-1, 3]", "", "exp(x) <= exp(1/2)")
    reading = Reading(parse_formula(claim.formula), judge.language)
    solver = judge.solver(2_000)
    # A model that a judge may have found, whatever it was told of the functions.
    solver.add(reading.names["x"] == judge.language.RealVal(value))
    assert solver.check() == judge.language.sat
    assert second_judge.fails(judge, claim, reading, solver.model()) is wrong


def test_a_point_that_is_no_fraction_is_one_where_there_are_no_unknown_functions() -> None:
    pytest.importorskip("z3", reason="z3 is not installed (pip install -e '.[judges]')")
    claim = Claim("x in [0, 2]", "x^2 = 2", "x > 3/2")
    assert second_judge.judged(second_judge.JUDGES["z3"](), claim, Status.PROVED, 2_000) == "disagrees"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "benchmarks/second_judge.py", *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_counts_what_a_judge_says(judge: second_judge.Judge, tmp_path: Path) -> None:
    written = tmp_path / "judged.json"
    done = run("--judge", judge.name, "--paper", "alon2019", "--milliseconds", "300", "--json", str(written))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{judge.name} {judge.version}\nalon2019: ")
    assert re.search(r"^all: \d+ agrees", done.stdout, re.MULTILINE)
    record = json.loads(written.read_text(encoding="utf-8"))
    assert record[judge.name] == judge.version
    assert record["disagreements"] == []
    assert record["counts"]["alon2019"]["agrees"] >= 100


def test_what_is_called_proved_and_fails_is_red(
    judge: second_judge.Judge, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    called = SimpleNamespace(claim=lambda _: SimpleNamespace(status=Status.PROVED))
    papers = {"mine": SimpleNamespace(key="mine")}
    monkeypatch.setattr(second_judge, "Registry", lambda: SimpleNamespace(papers=papers, evaluations={"mine": called}))
    monkeypatch.setattr(second_judge, "claims_of", lambda _: [CASES["holds"][0], CASES["fails at an end"][0]])
    monkeypatch.setattr(sys, "argv", ["second_judge.py", "--judge", judge.name])
    assert second_judge.main() == 1
    printed = capsys.readouterr().out
    assert "all: 1 agrees, 1 disagrees" in printed
    assert printed.endswith("mine: PROVED x in [0, 1] |  | x^2 < x\n")


REFUSED = {
    "a judge": (("--judge", "yices"), "argument --judge: invalid choice: 'yices' (choose from 'z3', 'cvc5')"),
    "no time": (("--milliseconds", "0"), "--milliseconds must be at least 1, got 0"),
    "a directory": (("--json", "nowhere/it.json"), "--json must be in a directory that exists, got nowhere/it.json"),
    "a part that is kept": (("--paper", "wang2016", "--keep"), "--keep must come without --paper"),
    "a paper": (("--paper", "wang"), "--paper: there is no paper 'wang'"),
    "no judge": (("--judge", "cvc5"), "cvc5 is not installed (pip install -e '.[judges]')"),
}


@pytest.mark.parametrize(("arguments", "words"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_asked_is_said_in_one_line(
    arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["second_judge.py", *arguments])
    monkeypatch.setitem(sys.modules, "z3", SimpleNamespace(get_version_string=lambda: "5"))
    monkeypatch.setitem(sys.modules, "cvc5.pythonic", None)
    with pytest.raises(SystemExit) as stopped:
        second_judge.main()
    assert stopped.value.code == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


def test_the_command_is_there_without_a_judge() -> None:
    done = run("--milliseconds", "many")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].endswith("argument --milliseconds: invalid int value: 'many'")
