"""`dpcheck report` through the door: each kind of target, its files, its commands and its exit status."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.documents import check, our_schema

pytest.importorskip("matplotlib")
from dpcheck.report.paper.parts import part_pages
from dpcheck.report.whole.records import whole_report

#: A paper whose measurements take no time, and one learner that keeps its claim beside one that breaks it.
OWN_PAPER = '''
import os
from fractions import Fraction
from pathlib import Path

from dpcheck import PureDP, Records, ReplaceOne
from dpcheck.trial.run import Run
from dpcheck.trial.model import Measurement, Outcome, Table
from dpcheck.trial.privacy import PrivacyCheck
from dpcheck.proof.statement import Paper, Theorem


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
    root = str(Path(__file__).parents[2])
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
        return {key: without_times(inner) for key, inner in value.items() if key not in ("seconds", "seconds_per_call")}
    return [without_times(inner) for inner in value] if isinstance(value, list) else value


def audit(*arguments: str, folder: Path) -> None:
    command = [sys.executable, "-m", "dpcheck", *arguments]
    known = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run(command, cwd=folder, env=known, check=False, capture_output=True, timeout=300)


HOSTILE = "x\"'><script>alert(1)</script>\n## A `heading` | [a](javascript:b) ../../up"


@dataclass(frozen=True)
class Made:
    """A report of one target of each kind, made by one process."""

    folder: Path
    out: Path
    stdout: str
    stderr: str


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("targets")
    own_paper(folder)
    text = own_paper(folder, name="hostile.py", key=HOSTILE).read_text(encoding="utf-8")
    text = text.replace("A paper of one's own", "<script>alert(2)</script> & \\n</title>")
    text = text.replace("Tells one bit", "</pre><script>alert(3)</script>")
    (folder / "hostile.py").write_text(text, encoding="utf-8")
    few = ("--max-samples", "1000", "--quiet")
    audit("audit", "zoo:laplace", "zoo:laplace_with_half_the_scale", *few, "--json", "run.json", folder=folder)
    audit("measure", "zoo:laplace", *few, "--json", "measured.json", folder=folder)
    one = read(folder / "run.json")["records"][0]
    (folder / "alone.json").write_text(json.dumps(one), encoding="utf-8")
    targets = ("alon2019:lem-3.2", "alon2019.label-private", "wang2016.boost_as_printed", "mine.py", "mine.py:Response")
    hostile, records = ("hostile.py", "hostile.py:Response"), ("run.json", "measured.json", "alone.json")
    done = run(*targets, *hostile, *records, "--quick", "--jobs", "2", "--seed", "3", folder=folder)
    assert done.returncode == 0, done.stderr
    return Made(folder, folder / "reports", done.stdout, done.stderr)


@pytest.mark.turns(6)
def test_each_target_has_its_files(made: Made) -> None:
    written = files(made.out)
    listed = [line for line in made.stdout.splitlines() if line.startswith("reports/")]
    assert sorted(f"reports/{name}" for name in written) == sorted(listed)
    pages = {name.removesuffix(".html") for name in written if name.endswith(".html")}
    assert {"alon2019/lem-3.2", "own/own", "learners/mine.py-Response", "audits/zoo-laplace"} <= pages
    # each result and measurement of a whole paper has a page; its record is the paper's
    own = {path.removesuffix(".html") for paper in whole_report(made.out).papers for path in part_pages(paper)}
    assert {"own/number"} <= own <= pages
    for page in pages - own:
        assert f"{page}.md" in written
        assert page.endswith("/errata") or f"{page}.json" in written
    # nothing is left of what was kept to go on from, and nothing is written elsewhere
    assert {path.name for path in made.folder.iterdir()} == {
        "mine.py", "hostile.py", "run.json", "measured.json", "alone.json", "reports",
    }  # fmt: skip
    assert "to run in 2 processes, about " in made.stderr


@pytest.mark.turns(6)
def test_each_record_follows_its_schema(made: Made) -> None:
    kinds = {"learners": "dpcheck-learner-report/1", "audits": "dpcheck-audit-report/1"}
    for name in files(made.out):
        if name.endswith(".json"):
            check(our_schema(kinds.get(name.partition("/")[0], "dpcheck-paper-report/2")), read(made.out / name))


@pytest.mark.turns(12)
def test_an_entry_of_a_paper(made: Made) -> None:
    record = read(made.out / "alon2019" / "lem-3.2.json")
    assert [result["id"] for result in record["results"]] == ["alon2019:lem-3.2"]
    assert (record["part"], record["quick"], record["seed"]) == ("lem-3.2", True, 3)
    assert all("alon2019:lem-3.2" in one["results"] for one in record["measurements"])
    assert record["command"] == "dpcheck report alon2019:lem-3.2 --quick --seed 3"
    assert "alon2019 (lem-3.2): " in made.stdout


@pytest.mark.turns(6)
def test_learners_with_their_curves(made: Made) -> None:
    good, bad, own = (
        read(made.out / "learners" / f"{name}.json")
        for name in ("alon2019.label_private", "wang2016.boost_as_printed", "mine.py-Response")
    )
    for record in (good, bad, own):
        for curves in (record["curves"]["profile"], record["curves"]["tradeoff"]):
            assert [one["role"] for one in curves] == ["exact", "claimed"]
        assert record["law"]
        assert record["exact"]
    assert (good["status"], good["as_expected"]) == ("no violation found", True)
    assert 0 < good["loss"] < good["claimed_epsilon"] == 1
    exact, claimed = good["curves"]["profile"]
    assert exact["y"][0] < claimed["y"][0]
    assert (bad["status"], bad["expected"], bad["as_expected"]) == ("violated", "violated", True)
    assert bad["curves"]["profile"][0]["y"][10] > 0
    assert own["claim"] == "log(3)-DP"
    assert own["loss"] == pytest.approx(math.log(3), abs=1e-9)
    # the trade-off curve of randomised response has one corner
    corners = own["curves"]["tradeoff"][0]
    assert list(zip(corners["x"], corners["y"], strict=True)) == [(0.0, 1.0), (0.25, 0.25), (1.0, 0.0)]
    assert "learners: 3 no violation found, 1 violated" in made.stdout


def test_a_paper_of_ones_own(made: Made) -> None:
    paper = read(made.out / "own" / "own.json")
    assert paper["outcomes"] == [["holds", 2]]
    assert (paper["uncovered"], paper["missing"]) == ([], [])
    assert "own: 2 holds (100%)" in made.stdout
    assert [one["command"] for one in paper["measurements"]] == [
        "dpcheck report mine.py/private-privacy --quick --seed 3",
        "dpcheck report mine.py/number --quick --seed 3",
    ]
    # a theorem of one's own is found in one's own file only
    assert {one["command"] for one in paper["results"]} == {
        f"dpcheck theorems --from mine.py {one['id']}" for one in paper["results"]
    }
    page = (made.out / "own" / "own.html").read_text(encoding="utf-8")
    assert "dpcheck theorems --from mine.py --paper own --recheck" in page
    assert '<a href="own.json">' in page
    assert "dpcheck theorems --paper own" not in page


def test_records_of_audits_and_measurements(made: Made) -> None:
    names = ("zoo-laplace", "zoo-laplace_with_half_the_scale", "zoo-laplace-2", "zoo-laplace-3")
    run_, other, measured, alone = (read(made.out / "audits" / f"{name}.json") for name in names)
    assert [one["kind"] for one in (run_, other, measured, alone)] == ["audit", "audit", "measurement", "audit"]
    for name in names:
        assert f'<a href="{name}.json">' in (made.out / "audits" / f"{name}.html").read_text(encoding="utf-8")
    assert {curve["role"] for curve in measured["curves"]["tradeoff"]} == {"certified"}
    assert 0 < measured["curves"]["level"] < 1
    assert run_["samples"] <= 1000
    assert "audit zoo:laplace zoo:laplace_with_half_the_scale" in run_["command"]
    assert {**run_, "name": "", "file": "", "record": "", "command": ""} == {
        **alone, "name": "", "file": "", "record": "", "command": "",
    }  # fmt: skip


def test_hostile_names_are_escaped(made: Made) -> None:
    for name in files(made.out):
        text = (made.out / name).read_text(encoding="utf-8")
        if name.endswith(".html"):
            for number in (1, 2, 3):
                assert f"<script>alert({number})" not in text
        elif name.endswith(".md"):
            # as code it is safe
            assert "<script>" not in re.sub(r"(`+)[^\n]*?\1", "", text)
            assert "\n## A `heading`" not in text
    (folder,) = {name.partition("/")[0] for name in files(made.out) if name.startswith("x-")}
    assert ".." not in folder


@pytest.mark.extra
def test_the_command_beside_a_number_makes_it_again(made: Made) -> None:
    records = [read(made.out / "alon2019" / "lem-3.2.json"), read(made.out / "own" / "own.json")]
    beside = [one for record in records for one in record["measurements"] if one["key"] != "private-privacy"]
    learner = read(made.out / "learners" / "mine.py-Response.json")
    options, targets = set(), []
    for one in (*beside, learner):
        program, command, target, *level = shlex.split(one["command"])
        assert (program, command) == ("dpcheck", "report")
        targets.append(target)
        options.add(tuple(level))
    (level,) = options
    done = run(*targets, *level, "--out", "again", "--jobs", "1", "--quiet", folder=made.folder)
    assert (done.returncode, done.stderr) == (0, "")
    again = made.folder / "again"
    for one, paper in zip(beside, ("alon2019", "own"), strict=True):
        same = read(again / paper / f"{one['key']}.json")["measurements"]
        assert without_times(same) == without_times([one])
    assert without_times(read(again / "learners" / "mine.py-Response.json")) == without_times(learner)
    shutil.rmtree(again)


@pytest.mark.extra
def test_what_is_contradicted_raises_or_dies(tmp_path: Path) -> None:
    own_paper(tmp_path, "Broken", "broken.py", "broken")
    for name, instead in (("raising", 'raise RuntimeError("no <b>number</b>")'), ("dying", "os._exit(3)")):
        path = own_paper(tmp_path, name=f"{name}.py", key=name)
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("def number(seed, quick):\n", f"def number(seed, quick):\n    {instead}\n"))
    done = run("broken.py", "broken.py:Broken", "--quick", "--quiet", folder=tmp_path)
    assert done.returncode == 1
    assert "broken: 1 holds (50%), 1 contradicted (50%)" in done.stdout
    of_paper, of_learner = done.stderr.splitlines()
    assert of_paper.startswith("dpcheck: contradicted: broken:private: it is log(3)-private")
    assert "no erratum says why; dpcheck report broken.py/private-privacy --quick --seed 0" in of_paper
    assert of_learner.startswith("dpcheck: contradicted: broken.py:Broken: its claim of log(3)-DP is violated")
    done = run("raising.py", "dying.py", "--quick", "--quiet", folder=tmp_path)
    assert done.returncode == 4
    assert sorted(done.stderr.splitlines()) == [
        "dpcheck: dying/number could not be made: its process died (status 3)",
        "dpcheck: raising/number could not be made: RuntimeError: no <b>number</b>",
    ]
    for name, said in (("raising", "RuntimeError: no <b>number</b>"), ("dying", "its process died (status 3)")):
        record = read(tmp_path / "reports" / name / f"{name}.json")
        check(our_schema("dpcheck-paper-report/2"), record)
        assert record["outcomes"] == [["holds", 1], ["failed", 1]]
        assert record["missing"] == []
        failed = next(one for one in record["measurements"] if one["key"] == "number")
        assert said in failed["outcomes"][0]["detail"]
        assert "no <b>number</b>" not in (tmp_path / "reports" / name / f"{name}.html").read_text(encoding="utf-8")
    # what was made is kept: the next run goes on with what failed
    assert (tmp_path / "reports" / ".progress").is_dir()


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("alon2018",), "there is nothing to report named 'alon2018' (did you mean 'alon2019'?)"),
        (("alon2019:thm-3.2",), "alon2019 has no entry 'thm-3.2' (did you mean 'alon2019:thm-4.2'?)"),
        (("alon2019/privat-cost",), "alon2019 has no measurement 'privat-cost' (did you mean 'private-cost'?)"),
        (("alon2019.covr",), "there is nothing to report named 'alon2019.covr' (did you mean 'alon2019.cover'?)"),
        (("nothere.py",), "report must be a Python file that declares PAPER, got 'NOTHERE' (there is no such file)"),
        (("nothere.json",), "nothere.json must be what dpcheck audit --json or dpcheck measure --json wrote, and"),
        (("bad.json",), "bad.json must be what dpcheck audit --json or dpcheck measure --json wrote, got the schema"),
        (("zoo:laplac",), "target zoo:laplac: there is no entry 'laplac'"),
        (("alon2019", "--out", "/proc/none"), "--out must be a folder that can be written, got '/proc/none'"),
        (("alon2019", "--out", "file"), "--out must be a folder that can be written, got 'file'"),
    ],
)
def test_refusals_are_one_line(
    arguments: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from dpcheck.cli.app import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run(["report", *arguments]) == 2
    out, err = capsys.readouterr()
    assert err.startswith(f"dpcheck: {said.replace('NOTHERE', str(tmp_path.resolve() / 'nothere.py'))}")
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from dpcheck.cli.app import run

    monkeypatch.chdir(tmp_path)
    (tmp_path / "shut").mkdir(mode=0o500)
    assert run(["report", "alon2019", "--out", "shut"]) == 2
    assert capsys.readouterr().err.startswith("dpcheck: --out must be a folder that can be written, got 'shut'")
