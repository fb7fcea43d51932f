"""``dpcheck plan``, ``--dry-run``, ``--public`` and slow learners, through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dpcheck.cli.app import run
from dpcheck.model.claims import PureDP
from dpcheck.model.verdict import Status, Verdict
from dpcheck.model.verdict.record import claim_record, plain
from dpcheck.privacy.run.agreement_phase import OPENING_CALLS
from dpcheck.privacy.run.data_form import DATASETS_TRIED
from dpcheck.privacy.run.power_analysis import plan
from tests.clocks import only_sleeping_takes_time

LEARNERS = """
import time
from pathlib import Path

import numpy as np

def correct(dataset, rng):
    with Path("calls.txt").open("a") as file:
        file.write("x")
    return float(np.sum(dataset)) + rng.laplace(scale=1.0)

class Promises:
    claim = 0.5
    neighbours = "replace-one"
    def __call__(self, dataset, rng):
        return float(np.sum(dataset)) + rng.laplace(scale=2.0)

def slow(dataset, rng):
    time.sleep(0.05)
    return float(np.sum(dataset)) + rng.laplace(scale=1.0)

def slow_and_bare(dataset, rng):
    time.sleep(0.05)
    return float(np.sum(dataset))

def dies(dataset, rng):
    import os
    os._exit(3)

def semi_private(dataset, rng):
    return float(np.sum(dataset.private)) + float(np.sum(dataset.public)) + rng.laplace(scale=1.0)

def half_the_noise(dataset, rng):
    return float(np.sum(dataset.private)) + float(np.sum(dataset.public)) + rng.laplace(scale=0.5)
"""
AUDIT = ("audit", "--epsilon", "1", "--dataset", "data.csv", "--bounds", "0,1", "--quiet")
DRY = (*AUDIT, "--isolation", "none", "--dry-run")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of the user's, with learners and data."""
    (tmp_path / "mine.py").write_text(LEARNERS)
    (tmp_path / "data.csv").write_text("age\n0.5\n0.25\n1\n0\n")
    (tmp_path / "public.csv").write_text("age,ill\n7,1\n8,0\n")
    np.savez(tmp_path / "pairs.npz", left=[[1.0, 0.5]], right=[[0.0, 0.5]])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("CI", "GITHUB_STEP_SUMMARY", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dpcheck", *arguments], capture_output=True, text=True, check=False, timeout=120
    )


def verdict_in(path: Path) -> Verdict:
    (record,) = json.loads(path.read_text())["records"]
    return Verdict.from_json(json.dumps(record))


def calls_made(folder: Path) -> int:
    made = folder / "calls.txt"
    return len(made.read_text()) if made.exists() else 0


# --- plan


@pytest.mark.turns(6)
def test_a_plan_is_the_one_python_gives(folder: Path) -> None:
    ran = command("plan", "--epsilon", "1", "--seconds-per-call", "0.5", "--max-seconds", "600", "--pair-count", "2")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"{plan(1.0, seconds_per_call=0.5, max_seconds=600.0, pairs=2)}\n"


def test_a_plan_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["plan", "--epsilon", "1", "--delta", "0.1", "--detect", "3", "--coverage", "0.5", "--coverage", "1"]
    assert run([*asked, "--power", "0.8", "--alpha", "0.01", "--max-samples", "1e4", "--format", "json"]) == 0
    printed = capsys.readouterr().out
    assert [(row["epsilon"], row["coverage"]) for row in json.loads(printed)["leaks"]] == [(3.0, 0.5), (3.0, 1.0)]
    assert json.loads(printed)["budget"] == 10_000
    assert run([*asked, "--power", "0.8", "--alpha", "0.01", "--max-samples", "1e4", "--format", "json"]) == 0
    assert run([*asked, "--format", "json", "--output", "plan.json"]) == 0
    assert json.loads((folder / "plan.json").read_text())["power"] == 0.95


def test_a_target_is_timed_and_brings_its_claim(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["plan", "mine.py:Promises", "--pairs", "pairs.npz", "--isolation", "none", "--max-seconds", "60"]
    assert run(asked) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("mine.py:Promises: one call takes ")
    assert "claim of 0.5-DP" in printed
    assert run([*asked, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert 0 < told["seconds_per_call"] < 1
    assert told["budget"] > 60


def test_settings_for_audits_do_not_spoil_a_plan(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "pyproject.toml").write_text(
        '[tool.dpcheck]\nepsilon = 1.0\nmax-seconds = 30\nformat = "junit"\ndataset = "data.csv"\n'
    )
    assert run(["plan"]) == 0
    assert capsys.readouterr().out == f"{plan(1.0)}\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "a claim must be given (--epsilon or --ratio, and --delta; --rho; --mu; or --renyi), or a TARGET"),
        (["--epsilon", "1", "--max-seconds", "5"], "--max-seconds needs --seconds-per-call, or a TARGET"),
        (["--epsilon", "1", "--format", "junit"], "--format of a plan must be text or json, got junit"),
        (["--epsilon", "1", "--detect", "0.5"], "detect must be above the claimed epsilon 1"),
        (["--epsilon", "1", "--coverage", "2"], "coverage must be a part of the outputs"),
        (["--epsilon", "1", "--delta", "1"], "claim must have a delta below 1, for every learner keeps this one"),
        (["mine.py:slow", "--epsilon", "1"], "mine.py:slow brings no data"),
        (["mine.py:slow", "--pairs", "pairs.npz"], "mine.py:slow carries no claim: give --epsilon"),
        (["mine.py:nobody", "--epsilon", "1", "--pairs", "pairs.npz"], "has no 'nobody'"),
    ],
)
def test_a_plan_that_cannot_be_made_is_one_line_and_status_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert run(["plan", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert says in printed.err


@pytest.mark.turns(4)
def test_a_target_that_dies_while_it_is_timed_has_failed(folder: Path) -> None:
    ran = command("plan", "mine.py:dies", "--epsilon", "1", "--pairs", "pairs.npz")
    assert ran.returncode == 4
    assert "ended its process with exit status 3" in ran.stderr


@pytest.mark.turns(4)
def test_the_help_teaches() -> None:
    for name, words in (("plan", ("coverage", "--power", "Nothing is audited")), ("audit", ("--dry-run", "--public"))):
        ran = command(name, "--help")
        assert ran.returncode == 0
        for word in words:
            assert word in " ".join(ran.stdout.split())


@pytest.mark.parametrize("command_line", [["plan"], ["audit", "--dry-run"]])
def test_a_target_that_never_answers_has_failed_before_anything_is_planned(
    folder: Path, capsys: pytest.CaptureFixture[str], command_line: list[str]
) -> None:
    (folder / "never.py").write_text("def learn(data, rng):\n    raise ValueError('never')\n")
    (folder / "rarely.py").write_text("def learn(data, rng):\n    return 1 / len(set(data))\n")
    given = ["--epsilon", "1", "--bounds", "0,1", "--size", "0..3", "--isolation", "none"]
    assert run([*command_line, "never.py:learn", *given]) == 4
    printed = capsys.readouterr()
    assert "raises ValueError('never') on every dataset tried" in " ".join((printed.out + printed.err).split())
    assert "catch" not in printed.out
    assert run([*command_line, "rarely.py:learn", *given]) == 0


@pytest.mark.parametrize("command_line", [["plan"], ["audit", "--dry-run"]])
def test_what_an_audit_finds_out_to_have_answers_is_found_out_here_too(
    folder: Path, capsys: pytest.CaptureFixture[str], command_line: list[str]
) -> None:
    """A learner of twenty records and more, and one of data frames."""
    (folder / "many.py").write_text(
        "def learn(data, rng):\n    assert len(data) >= 20\n    return sum(data) + rng.laplace()\n"
        "def frames(data, rng):\n    return float(data[data.columns[-1]].sum()) + rng.laplace()\n"
    )
    given = ["--epsilon", "1", "--bounds", "0,1", "--isolation", "none"]
    assert run([*command_line, "many.py:learn", *given]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "one call takes" in printed or "on all datasets of fewer than 20 records" in printed
    assert run([*command_line, "many.py:frames", *given, "--labels", "0,1"]) == 0
    assert run([*command_line, "many.py:learn", *given, "--size", "3"]) == 4


# --- dry runs


def test_a_dry_run_shows_the_audit_and_does_not_make_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*DRY, "mine.py:correct", "--max-samples", "100000"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "mine.py:correct: DRY RUN, nothing is decided (claim: 1-DP, replace-one)" in shown
    assert "Budget: at most 100,000 calls and 60 s." in shown
    assert "Would explore 40 pairs" in shown
    assert "1. row 3: 0 replaced by 1 in [0, 0, 0, 0]" in shown
    assert "Would catch, with probability 0.95" in shown
    assert 0 < calls_made(folder) <= 1 + 2 * OPENING_CALLS + DATASETS_TRIED
    assert run([*AUDIT, "--isolation", "none", "mine.py:correct", "--max-samples", "1000"]) in (0, 3)
    assert calls_made(folder) > 1000  # so that calls would have been noticed


def test_a_dry_run_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [*DRY, "mine.py:correct", "mine.py:Promises", "--max-samples", "20000", "--alpha", "0.01"]
    assert run([*asked, "--format", "json", "--json", "also.json"]) == 0
    printed = capsys.readouterr().out
    assert (folder / "also.json").read_text() == printed
    told = json.loads(printed, parse_constant=pytest.fail)
    assert (told["schema"], told["exit_status"], told["problems"]) == ("dpcheck-dry-run/1", 0, [])
    first, second = told["targets"]
    assert first["claim"] == second["claim"] == plain(claim_record(PureDP(1.0)))
    assert (first["alpha"], first["max_samples"], first["detect"]) == (0.01, 20_000, 2.0)
    tried = [pair["tried"] for pair in first["pairs"]]
    assert tried == sorted(tried, reverse=True)
    assert first["pairs_tried"] == sum(tried) >= 1
    assert all(pair["change"].startswith("row") for pair in first["pairs"])
    assert [caught["coverage"] for caught in first["catches"]] == [1.0, 0.25, 0.05]


@pytest.mark.turns(6)
def test_an_audit_tries_the_pairs_its_dry_run_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["mine.py:correct", "--max-samples", "20000", "--alpha", "0.05", "--max-seconds", "100000"]
    asked += ["--size", "4"]  # its own: then pairs are made of the dataset alone, and none is searched
    assert run([*DRY, *asked, "--format", "json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["targets"]
    assert run([*AUDIT, "--isolation", "none", *asked, "--allow-inconclusive", "--json", "run.json"]) == 0
    verdict = verdict_in(folder / "run.json")
    assert verdict.record is not None
    assert verdict.pairs_tried == told["pairs_tried"] < len(told["pairs"])
    assert {pair.change for pair in verdict.record.pairs} < {pair["change"] for pair in told["pairs"]}
    assert f"{told['explored']} pairs explored" in str(verdict)


def test_a_dry_run_of_a_measurement(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["measure", "mine.py:correct", "--dataset", "data.csv", "--bounds", "0,1", "--isolation", "none"]
    assert run([*asked, "--dry-run", "--delta", "1e-3", "--json", "dry.json"]) == 0
    assert "DRY RUN, nothing is decided (measured at delta = 0.001" in capsys.readouterr().out
    (told,) = json.loads((folder / "dry.json").read_text())["targets"]
    assert (told["claim"], told["delta"], told["detect"]) == (None, 0.001, None)
    assert calls_made(folder) <= 1 + 2 * OPENING_CALLS + DATASETS_TRIED


@pytest.mark.turns(6)
def test_a_dry_run_says_what_stands_in_the_way(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*DRY, "mine.py:nobody", "mine.py:correct"]) == 2
    printed = capsys.readouterr()
    assert "has no 'nobody'" in printed.err
    assert "mine.py:correct: DRY RUN" in printed.out
    assert run([*DRY]) == 5
    assert run([*DRY, "mine.py:correct", "--format", "sarif"]) == 2
    assert run([*DRY, "mine.py:correct", "--format", "junit"]) == 2
    assert "--format with --dry-run must be text or json, got junit" in capsys.readouterr().err
    ran = command(*AUDIT, "--dry-run", "mine.py:dies")
    assert ran.returncode == 4
    assert "The learner failed in its first calls" in ran.stdout


# --- a private and a public part


@pytest.mark.some(1)
@pytest.mark.parametrize("relation", [[], ["--neighbours", "private-part"]])
def test_a_semi_private_learner_is_audited(folder: Path, relation: list[str]) -> None:
    asked = [*AUDIT, *relation, "--public", "public.csv", "--max-samples", "20000", "--alpha", "0.001", "--json", "r"]
    assert run([*asked, "mine.py:semi_private", "--allow-inconclusive"]) == 0
    verdict = verdict_in(folder / "r")
    assert verdict.record is not None
    assert verdict.relation == "private-part"
    assert "public: " in verdict.record.pairs[0].left
    assert run([*asked, "mine.py:half_the_noise", "--expect", "violated"]) == 0


@pytest.mark.turns(4)
def test_pairs_and_labels_may_have_a_public_part_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["audit", "mine.py:half_the_noise", "--epsilon", "1", "--quiet", "--alpha", "0.001"]
    assert run([*asked, "--pairs", "pairs.npz", "--public", "public.csv", "--expect", "violated"]) == 0
    dry = ["audit", "mine.py:dies", "--epsilon", "1", "--isolation", "process", "--dry-run", "--format", "json"]
    (folder / "labelled.csv").write_text("age,ill\n0.5,1\n0.25,0\n")
    with_labels = ["--dataset", "labelled.csv", "--label", "ill", "--public", "public.csv", "--public-label", "ill"]
    for relation, name in (("labels-only", "private-part:labels-only"), ("add-remove", "private-part:add-remove")):
        capsys.readouterr()
        run([*dry, *with_labels, "--neighbours", relation])
        (told,) = json.loads(capsys.readouterr().out)["targets"]
        assert told["relation"] == name


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--public", "public.csv"], "--public is the public part alone"),
        (["--public-label", "ill"], "--public-label ill names a column of a public part"),
        (["--dataset", "data.csv", "--neighbours", "private-part"], "private-part needs a public part: give --public"),
        (["--dataset", "data.csv", "--public", "no.csv"], "--public must be a file that exists"),
        (
            ["--dataset", "data.csv", "--public", "public.csv", "--public-label", "il"],
            "--public-label must be a column",
        ),
    ],
)
def test_half_a_semi_private_dataset_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert run(["audit", "mine.py:semi_private", "--epsilon", "1", *arguments]) == 2
    printed = capsys.readouterr()
    assert says in printed.err
    assert printed.err.count("\n") == 1


# --- slow learners


def test_a_slow_learner_gets_a_sensible_answer_in_its_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    only_sleeping_takes_time(monkeypatch)
    status = run([*AUDIT, "mine.py:slow", "--max-seconds", "4", "--isolation", "none", "--json", "run.json"])
    verdict = verdict_in(folder / "run.json")
    assert verdict.record is not None
    assert (status, verdict.status, verdict.pairs_tried) == (3, Status.INCONCLUSIVE, 1)
    assert verdict.pairs_not_tried == len(verdict.record.pairs) - 1 > 0
    assert 70 <= verdict.samples <= 80 + DATASETS_TRIED  # of 0.05 s each; its form is found before the time begins
    text = " ".join(capsys.readouterr().out.split())
    assert "Stopped because the time limit (max_seconds) was reached" in text
    assert f"1 pair tried, {verdict.pairs_not_tried} more not tried" in text
    assert (
        "even an unlimited privacy loss in 25% of outputs would have been caught with a probability below 0.95" in text
    )
    assert "Finding (too few calls): a privacy loss of 2" in text
    assert "dpcheck plan --epsilon 1" in text


@pytest.mark.turns(6)
def test_a_slow_learner_that_hides_nothing_is_caught_in_its_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The few calls are used: looks as large as a fast learner's would leave nothing to count."""
    only_sleeping_takes_time(monkeypatch)
    claimed = ("--epsilon", "0.1", "--alpha", "0.01", "--max-seconds", "8", "--isolation", "none")
    status = run([*AUDIT, "mine.py:slow_and_bare", *claimed, "--json", "run.json"])
    verdict = verdict_in(folder / "run.json")
    assert (status, verdict.status) == (1, Status.VIOLATED)
    assert verdict.samples <= 160


@pytest.mark.parametrize("count", ["-1", "0", "99999999999999999999"])
def test_a_number_of_pairs_that_is_none_is_named_by_its_option(count: str) -> None:
    ran = command("plan", "--epsilon", "1", f"--pair-count={count}")
    assert ran.returncode == 2
    assert ran.stderr.startswith("dpcheck: --pair-count must be a whole number from 1 to 1,000,000, got ")
    assert len(ran.stderr.splitlines()) == 1
