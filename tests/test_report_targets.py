"""`dpcheck report` through the door: each kind of target, its files, its commands and its exit status."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.documents import check, our_schema

pytest.importorskip("matplotlib")

#: A paper whose measurements take no time, and one learner that keeps its claim beside one that breaks it.
OWN_PAPER = '''
import os
from fractions import Fraction
from pathlib import Path

from dpcheck import PureDP, Records, ReplaceOne
from dpcheck.reality.measuring import Run
from dpcheck.reality.model import Measurement, Outcome, Table
from dpcheck.reality.privacy import PrivacyCheck
from dpcheck.theorems.statement import Paper, Theorem


class Response:
    """Tells one bit, and lies with probability 1/(1 + ratio)."""

    def __init__(self, ratio=3):
        self.ratio = ratio

    claim = PureDP(ratio=3)
    neighbours = ReplaceOne(records=Records.of([0, 1]), size=1)

    def __call__(self, dataset, rng):
        return int(dataset[0]) ^ int(rng.random() * (1 + self.ratio) < 1)

    def distribution(self, dataset):
        truth = Fraction(self.ratio, 1 + self.ratio)
        return {int(dataset[0]): truth, 1 - int(dataset[0]): 1 - truth}


class Broken(Response):
    """Lies less often than it says."""

    def __init__(self):
        super().__init__(9)


KEY = "own"
PAPER = Paper(
    key=KEY,
    title="A paper of one's own",
    theorems=(
        Theorem(id=f"{KEY}:private", title="Private", kind="privacy", statement="it is log(3)-private"),
        Theorem(id=f"{KEY}:number", title="A number", kind="number", statement="2 + 2 = 4"),
    ),
)


def number(seed, quick):
    if "LOG" in os.environ:
        with open(os.environ["LOG"], "a") as log:
            log.write("number\\n")
    return Measurement("number", "A number", (f"{KEY}:number",), "asked", "found", "exact",
                       tables=(Table("seed", ("seed",), ((str(seed),),)),),
                       outcomes=(Outcome("holds", "2 + 2 = 4", "4", f"{KEY}:number", "number"),))


RUNS = (Run("number", (f"{KEY}:number",), number, (1.0, 1.0)),)
CHECKS = (PrivacyCheck(f"{KEY}:private", "it is log(3)-private", LEARNER, PureDP(ratio=3),
                       neighbours=ReplaceOne(records=Records.of([0, 1]), size=1), name="response"),)
'''


def run(*arguments: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dpcheck", "report", *arguments]
    root = str(Path(__file__).parent.parent)
    known = {**os.environ, "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1", **environment}
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False, cwd=folder, env=known
    )


def own_paper(folder: Path, learner: str = "Response", name: str = "mine.py", key: str = "own") -> Path:
    path = folder / name
    path.write_text(OWN_PAPER.replace("LEARNER", learner).replace('KEY = "own"', f"KEY = {key!r}"), encoding="utf-8")
    return path


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(inner) for key, inner in value.items() if key != "seconds"}
    return [without_times(inner) for inner in value] if isinstance(value, list) else value


def test_an_entry_of_a_paper_and_its_command(tmp_path: Path) -> None:
    done = run("alon2019:lem-3.2", "--quick", "--out", "a", "--seed", "3", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    made = tmp_path / "a"
    assert files(made) == ["alon2019/lem-3.2.html", "alon2019/lem-3.2.json", "alon2019/lem-3.2.md"]
    record = read(made / "alon2019" / "lem-3.2.json")
    check(our_schema("dpcheck-paper-report/2"), record)
    assert [result["id"] for result in record["results"]] == ["alon2019:lem-3.2"]
    assert record["part"] == "lem-3.2"
    assert all("alon2019:lem-3.2" in one["results"] for one in record["measurements"])
    assert "alon2019 (lem-3.2): " in done.stdout
    # the command beside a measurement makes the same numbers again
    (measurement,) = record["measurements"]
    program, command, *arguments = shlex.split(measurement["command"])
    assert (program, command) == ("dpcheck", "report")
    again = run(*arguments, "--out", "b", "--quiet", folder=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    same = read(tmp_path / "b" / "alon2019" / f"{measurement['key']}.json")
    assert without_times(same["measurements"]) == without_times(record["measurements"])


def test_a_learner_of_a_paper(tmp_path: Path) -> None:
    done = run("alon2019.label-private", "wang2016.boost_as_printed", "--quick", "--jobs", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    made = tmp_path / "reports" / "learners"
    names = ("alon2019.label_private", "wang2016.boost_as_printed")
    assert files(made) == [f"{name}.{kind}" for name in names for kind in ("html", "json", "md")]
    good, bad = (read(made / f"{name}.json") for name in names)
    for record in (good, bad):
        check(our_schema("dpcheck-learner-report/1"), record)
        exact, claimed = record["curves"]["profile"]
        assert (exact["role"], claimed["role"]) == ("exact", "claimed")
    assert (good["status"], good["exact"], good["as_expected"]) == ("no violation found", True, True)
    assert 0 < good["loss"] < good["claimed_epsilon"] == 1
    assert good["quick"]
    assert (bad["status"], bad["expected"], bad["as_expected"]) == ("violated", "violated", True)
    assert "learners: 1 no violation found, 1 violated" in done.stdout
    below = [low <= high for low, high in zip(*(c["y"][:1] for c in good["curves"]["profile"]), strict=True)]
    assert all(below)


def test_a_users_own_paper_learner_and_records(tmp_path: Path) -> None:
    own_paper(tmp_path)
    done = run("mine.py", "mine.py:Response", "--out", "r", "--quick", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "own: 2 holds (100%)" in done.stdout
    paper = read(tmp_path / "r" / "own" / "own.json")
    check(our_schema("dpcheck-paper-report/2"), paper)
    assert paper["outcomes"] == [["holds", 2]]
    assert paper["uncovered"] == []
    learner = read(tmp_path / "r" / "learners" / "mine.py-Response.json")
    check(our_schema("dpcheck-learner-report/1"), learner)
    assert learner["law"]
    assert learner["loss"] == pytest.approx(1.0986, abs=1e-4)
    assert learner["claim"] == "log(3)-DP"
    # a trade-off curve of randomised response has one corner
    exact = learner["curves"]["tradeoff"][0]
    assert list(zip(exact["x"], exact["y"], strict=True)) == [(0.0, 1.0), (0.25, 0.25), (1.0, 0.0)]
    assert not (tmp_path / "r" / ".progress").exists()
    # the command of a measurement of one's own
    measurement = next(one for one in paper["measurements"] if one["key"] == "number")
    arguments = shlex.split(measurement["command"])[2:]
    again = run(*arguments, "--out", "s", folder=tmp_path)
    assert again.returncode == 0, again.stderr
    assert without_times(read(tmp_path / "s" / "own" / "number.json")["measurements"]) == without_times([measurement])


def test_a_broken_learner_is_contradicted(tmp_path: Path) -> None:
    own_paper(tmp_path, "Broken")
    done = run("mine.py", "--quick", "--quiet", folder=tmp_path)
    assert done.returncode == 1
    assert "own: 1 holds (50%), 1 contradicted (50%)" in done.stdout
    (line,) = done.stderr.splitlines()
    assert line.startswith("dpcheck: contradicted: own:private: it is log(3)-private")
    assert "no erratum says why; dpcheck report mine.py/private-privacy --quick --seed 0" in line
    # as an audit's target, too
    alone = run("mine.py:Broken", "--quick", "--quiet", folder=tmp_path)
    assert alone.returncode == 1
    assert "dpcheck: contradicted: mine.py:Broken: its claim of log(3)-DP is violated" in alone.stderr


def test_a_measurement_that_raises_or_dies_says_so(tmp_path: Path) -> None:
    path = own_paper(tmp_path)
    text = path.read_text(encoding="utf-8")
    raising = 'def number(seed, quick):\n    raise RuntimeError("no <b>number</b>")\n'
    dying = "def number(seed, quick):\n    os._exit(3)\n"
    for first, said in ((raising, "RuntimeError: no <b>number</b>"), (dying, "its process died (status 3)")):
        path.write_text(text.replace("def number(seed, quick):\n", first), encoding="utf-8")
        done = run("mine.py", "--quick", "--quiet", folder=tmp_path)
        assert done.returncode == 4
        assert done.stderr == f"dpcheck: own/number could not be made: {said}\n"
        record = read(tmp_path / "reports" / "own" / "own.json")
        check(our_schema("dpcheck-paper-report/2"), record)
        assert record["outcomes"] == [["holds", 1], ["failed", 1]]
        assert record["missing"] == []
        failed = next(one for one in record["measurements"] if one["key"] == "number")
        assert said in failed["outcomes"][0]["detail"]
    # what was made is kept, and what failed is run again
    assert (tmp_path / "reports" / ".progress").is_dir()
    path.write_text(text, encoding="utf-8")
    assert run("mine.py", "--quick", "--quiet", folder=tmp_path).returncode == 0
    assert not (tmp_path / "reports" / ".progress").exists()


def test_hostile_names_are_escaped(tmp_path: Path) -> None:
    hostile = "x\"'><script>alert(1)</script>\n## A `heading` | [a](javascript:b) ../../up"
    own_paper(tmp_path, key=hostile)
    text = (tmp_path / "mine.py").read_text(encoding="utf-8")
    text = text.replace("A paper of one's own", "<script>alert(2)</script> & \\n</title>").replace(
        "Tells one bit", "</pre><script>alert(3)</script>"
    )
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    done = run("mine.py", "mine.py:Response", "--quick", "--quiet", "--out", "r", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    made = tmp_path / "r"
    written = files(made)
    assert len(written) == 8
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.py", "r"]
    for name in written:
        if name.endswith(".html"):
            html = (made / name).read_text(encoding="utf-8")
            for number in (1, 2, 3):
                assert f"<script>alert({number})" not in html
        elif name.endswith(".md"):
            markdown = (made / name).read_text(encoding="utf-8")
            assert "<script>" not in markdown
            assert "\n## A `heading`" not in markdown


def audit(*arguments: str, folder: Path) -> None:
    command = [sys.executable, "-m", "dpcheck", *arguments]
    known = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    subprocess.run(command, cwd=folder, env=known, check=False, capture_output=True, timeout=300)


def test_records_of_audits_and_measurements(tmp_path: Path) -> None:
    few = ("--max-samples", "2000", "--quiet")
    audit("audit", "zoo:laplace", "zoo:laplace_with_half_the_scale", *few, "--json", "run.json", folder=tmp_path)
    audit("measure", "zoo:laplace", *few, "--json", "measured.json", folder=tmp_path)
    one = read(tmp_path / "run.json")["records"][0]
    (tmp_path / "alone.json").write_text(json.dumps(one), encoding="utf-8")
    done = run("run.json", "measured.json", "alone.json", "--out", "r", "--quiet", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    made = tmp_path / "r" / "audits"
    names = ["zoo-laplace", "zoo-laplace-2", "zoo-laplace-3", "zoo-laplace_with_half_the_scale"]
    assert files(made) == sorted(f"{name}.{kind}" for name in names for kind in ("html", "json", "md"))
    records = [read(made / f"{name}.json") for name in names]
    for record in records:
        check(our_schema("dpcheck-audit-report/1"), record)
    assert [record["kind"] for record in records] == ["audit", "measurement", "audit", "audit"]
    assert {curve["role"] for curve in records[1]["curves"]["tradeoff"]} == {"certified"}
    assert records[0]["command"].startswith("dpcheck audit zoo:laplace") or "audit zoo:laplace" in records[0]["command"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("alon2018",), "there is nothing to report named 'alon2018' (did you mean 'alon2019'?)"),
        (("alon2019:thm-3.2",), "alon2019 has no entry 'thm-3.2' (did you mean 'alon2019:thm-3.1'?)"),
        (("alon2019/privat-cost",), "alon2019 has no measurement 'privat-cost' (did you mean 'private-cost'?)"),
        (("alon2019.covr",), "there is nothing to report named 'alon2019.covr' (did you mean 'alon2019.cover'?)"),
        (("nothere.py",), "report must be a Python file that declares PAPER, got 'NOTHERE' (there is no such file)"),
        (("nothere.json",), "nothere.json must be what dpcheck audit --json or dpcheck measure --json wrote, and"),
        (("bad.json",), "bad.json must be what dpcheck audit --json or dpcheck measure --json wrote, got the schema"),
        (("zoo:laplac",), "target zoo:laplac: there is no entry 'laplac'"),
        (("alon2019", "--out", "file"), "--out must be a folder that can be written, got 'file'"),
    ],
)
def test_refusals_are_one_line(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run(*arguments, folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"dpcheck: {said.replace('NOTHERE', str(tmp_path.resolve() / 'nothere.py'))}")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir(mode=0o500)
    done = run("alon2019", "--out", "shut", folder=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("dpcheck: --out must be a folder that can be written, got 'shut'")
