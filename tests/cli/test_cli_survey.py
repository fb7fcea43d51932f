"""``dpcheck survey`` through the door: a list, audits, a missing library, the reports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dpcheck.cli import app

pytest.importorskip("diffprivlib.models")

CHEAP = "diffprivlib-naive-bayes-add-remove"


def run(*arguments: str, folder: Path, before: str = "") -> subprocess.CompletedProcess[str]:
    code = f"import sys\n{before}\nfrom dpcheck.cli.app import run\nsys.exit(run({list(arguments)!r}))"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=folder, timeout=300
    )


def test_the_list_names_every_subject_and_imports_no_library(tmp_path):
    from dpcheck.adapters.survey import subjects

    check = "import atexit; atexit.register(lambda: print('LOADED', 'opendp' in sys.modules, 'sklearn' in sys.modules))"
    ran = run("survey", "--list", folder=tmp_path, before=check)
    assert ran.returncode == 0, ran.stderr
    assert all(subject.name in ran.stdout for subject in subjects())
    assert "LOADED False False" in ran.stdout


@pytest.mark.extra
def test_audits_writes_the_reports_and_says_what_was_not_expected(tmp_path):
    ran = run(
        "survey", CHEAP, "--seeds", "2", "--seed", "3", "--jobs", "2", "--output", "out", "--json", "run.json",
        folder=tmp_path,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "violated 2 of 2" in ran.stdout
    assert "2 of 2 verdicts are as expected" in ran.stdout
    document = json.loads((tmp_path / "out" / "survey.json").read_text(encoding="utf-8"))
    (subject,) = document["subjects"]
    assert [result["seed"] for result in subject["results"]] == [3, 4]
    assert subject["source"]["line"] > 0
    report = (tmp_path / "out" / "findings.md").read_text(encoding="utf-8")
    assert f"dpcheck survey {CHEAP} --seed 3" in report
    assert str(tmp_path) not in report
    records = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert records["exit_status"] == 0
    # whatever the number of workers and whatever is expected, the verdict is the seed's; the status says what was not
    wrong = (
        "from dpcheck.adapters.survey.entries import diffprivlib_declared as d\n"
        "from dataclasses import replace\n"
        "from dpcheck.model.verdict import Status\n"
        "d.naive_bayes_size = replace(d.naive_bayes_size, expected=Status.NO_VIOLATION_FOUND)"
    )
    alone = run("survey", CHEAP, "--seed", "3", "--quiet", "--json", "alone.json", folder=tmp_path, before=wrong)
    assert alone.returncode == 1, alone.stdout + alone.stderr
    assert f"survey:{CHEAP} (seed 3): VIOLATED" in alone.stdout
    assert "not as" in alone.stdout
    counted = [
        json.loads((tmp_path / name).read_text(encoding="utf-8"))["records"][0]["verdict"]["witness"]["counts"]
        for name in ("run.json", "alone.json")
    ]
    assert counted[0] == counted[1]


@pytest.mark.turns(12)
def test_missing_libraries_are_named_and_nothing_is_left_to_check(tmp_path):
    missing = "sys.modules['opendp'] = None"
    ran = run("survey", "opendp", folder=tmp_path, before=missing)
    assert ran.returncode == 5
    assert "opendp-count: not here: install dpcheck[opendp" in ran.stderr
    assert "nothing to check" in ran.stderr
    some = run("survey", "opendp-count", CHEAP, "--quiet", folder=tmp_path, before=missing)
    assert some.returncode == 0, some.stderr
    assert "1 of 1 verdicts are as expected" in some.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["opendp-coun"], "did you mean 'opendp-count'"),
        (["--seeds", "0"], "--seeds must be at least 1, got 0"),
        (["--jobs", "0"], "--jobs wants a whole number of at least 1, got '0'"),
        (["--list", "--json"], "--json"),
    ],
)
def test_usage_errors_are_one_line_and_status_two(tmp_path, arguments, said, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert app.run(["survey", *arguments]) == 2
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert said in line


@pytest.mark.turns(6)
def test_objects_of_other_libraries_are_targets(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from diffprivlib.mechanisms import Laplace\nmechanism = Laplace(epsilon=1.0, sensitivity=1.0)\n"
    )
    ran = run("audit", "mine.py:mechanism", "--max-samples", "2000", "--quiet", folder=tmp_path)
    assert ran.returncode in (0, 3), ran.stdout + ran.stderr
    assert "claim: 1-DP, replace-one" in ran.stdout
