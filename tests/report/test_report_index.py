"""A report of everything: its index, what it says of a run that was interrupted, and the benchmarks' page from it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import numbers_of_benchmarks
import pytest

from dpcheck.cli import report_run, report_targets
from dpcheck.cli.app import run
from dpcheck.proof.registry import Registry
from dpcheck.report.whole.encoding import encoded
from dpcheck.report.whole.units import Level, Unit
from dpcheck.report.whole.workers import Begun, Failed, Made
from dpcheck.trial.model import Measurement, Outcome
from tests.documents import check, our_schema
from tests.handmade_reports import LEARNER

pytest.importorskip("matplotlib")
from dpcheck.report.paper.parts import part_pages
from dpcheck.report.whole.records import whole_report

SURVEY = Path(__file__).parents[2] / "reports" / "survey.json"
LEARNERS = ("alon2019.cover", "alon2019.generic")
#: What a made-up run of each measurement comes to, in turn.
OUTCOMES = (
    Outcome("holds", "it is enough", "0 of 9 failed", "alon2019:thm-3.1", size=300.0, measured=100.0),
    Outcome("contradicted", "as printed", "1 > 0", "alon2019:lem-3.3", "number", expected="lem-3.3: a constant"),
    Outcome("not reachable", "n = 4e9", "too many records", "alon2019:thm-4.1", "lower bound"),
)


class OnePaper(Registry):
    """The registry with one of its papers: the others cost time."""

    def __init__(self, extra: Path | None = None) -> None:
        super().__init__(extra)
        self.papers = {"alon2019": self.papers["alon2019"]}


class MadeUp:
    """Units that take no time; ``last`` is how many are made before Ctrl-C."""

    def __init__(self, last: int | None, failing: str = "") -> None:
        self.last = last
        self.failing = failing
        self.asked: list[str] = []

    def __call__(
        self, units: Sequence[Unit], level: Level, *, jobs: int, make: Any
    ) -> Generator[Begun | Made | Failed | None, None, None]:
        for place, unit in enumerate(units):
            self.asked.append(unit.name)
            yield Begun(unit)
            if place == self.last:
                raise KeyboardInterrupt
            if unit.name == self.failing:
                yield Failed(unit, "ValueError", "no <i>number</i>", False, 0.1)
                continue
            made: Any = LEARNER
            if unit.kind == "learner":
                from dataclasses import replace

                made = replace(LEARNER, name=unit.name)
            else:
                outcome = OUTCOMES[place % len(OUTCOMES)]
                made = Measurement(unit.run, unit.words, unit.results, "a", "f", "e", outcomes=(outcome,), trials=7)
            yield Made(unit, encoded(made), 0.1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(report_run, "Registry", OnePaper)
    monkeypatch.setattr(report_targets, "learner_names", lambda: LEARNERS)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports").mkdir()
    shutil.copy(SURVEY, tmp_path / "reports" / "survey.json")
    return tmp_path / "reports"


def report(monkeypatch: pytest.MonkeyPatch, made_up: MadeUp, *options: str) -> int:
    monkeypatch.setattr(report_run, "run_units", made_up)
    return run(["report", "--seed", "4", "--jobs", "1", *options])


@pytest.mark.turns(6)
def test_everything_is_in_the_index_and_an_interrupted_one_says_what_is_missing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first = MadeUp(last=3)
    assert report(monkeypatch, first) == 130
    out, err = capsys.readouterr()
    whole = len(report_targets.runs_of("alon2019")) + len(LEARNERS)
    assert f"dpcheck: interrupted: 3 of {whole} are done and kept" in err
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    check(our_schema("dpcheck-report-index/1"), index)
    assert len(index["missing"]) == whole - 3
    assert {one["what"] for one in index["missing"]} >= set(LEARNERS)
    assert index["learners"] == []
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "alon2019.cover" in page
    assert "not complete" in (folder / "index.md").read_text(encoding="utf-8")
    # the next run asks for the rest only
    second = MadeUp(last=None)
    assert report(monkeypatch, second) == 0
    out, err = capsys.readouterr()
    assert len(second.asked) == whole - 3
    assert "3 of" in err
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    check(our_schema("dpcheck-report-index/1"), index)
    assert index["missing"] == []
    assert (index["seed"], index["quick"], index["command"]) == (4, False, "dpcheck report --full --seed 4")
    assert [one["name"] for one in index["learners"]] == list(LEARNERS)
    (paper,) = index["papers"]
    assert paper["instances"] == whole - len(LEARNERS)
    assert paper["slacks"][0] == 3.0
    assert {one["id"] for one in index["theorems"]} == {
        theorem.id for theorem in Registry().papers["alon2019"].theorems
    }
    assert all(one["outcome"]["expected"] for one in index["contradicted"])
    assert index["findings"]["subjects"] > 5
    (made,) = whole_report(folder).papers
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    pages = {"index", "alon2019/alon2019", "errata", "findings", *(f"learners/{name}" for name in LEARNERS)}
    assert names == {f"{page}.{kind}" for page in pages for kind in ("html", "md")} | {
        f"{page}.json" for page in pages - {"errata", "findings"}
    } | {"survey.json", "charts.js"} | set(part_pages(made))
    assert (folder / "findings.md").read_bytes() == (SURVEY.parent / "findings.md").read_bytes()
    # every page that the index names is there
    assert {one["page"] for kind in ("papers", "learners", "theorems") for one in index[kind]} <= names
    assert out.splitlines()[-1].startswith("learners: ")
    # the table of the benchmarks' page is made of the index alone
    table = numbers_of_benchmarks.reality(index)
    assert "| alon2019 | 3 | " in table
    assert "by its errata" in table
    assert "3 (3 to 3)" in table


@pytest.mark.turns(6)
def test_a_check_that_raises_is_in_the_index(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(monkeypatch, MadeUp(None, failing="alon2019/public-cost"), "--quick") == 70
    assert "alon2019/public-cost could not be made: ValueError: no <i>number</i>" in capsys.readouterr().err
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    check(our_schema("dpcheck-report-index/1"), index)
    (failed,) = index["failed"]
    assert failed["what"] == "alon2019/public-cost"
    assert index["quick"]
    html = (folder / "index.html").read_text(encoding="utf-8")
    assert "<i>number" not in html
    assert "quick" in html
    # what was made is kept, to go on from: only what failed is run again
    again = MadeUp(None)
    assert report(monkeypatch, again, "--quick", "--keep") == 0
    assert again.asked == ["alon2019/public-cost"]
    assert (folder / ".progress").is_dir()


@pytest.mark.turns(6)
def test_a_check_that_fails_among_others_is_in_the_index_and_on_stderr_and_is_no_success(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    second = Outcome("failed", "is 1-private", "its process died", "alon2019:thm-3.1", "privacy")
    third = Outcome("holds", "takes a record", "it does", "alon2019:thm-3.1", "lower bound", size=1.0, measured=9.0)
    monkeypatch.setattr("tests.report.test_report_index.OUTCOMES", (OUTCOMES[0],), raising=True)

    class OneFails(MadeUp):
        def __call__(self, *given: Any, **options: Any) -> Generator[Begun | Made | Failed | None, None, None]:
            for event in super().__call__(*given, **options):
                if isinstance(event, Made) and event.unit.name == "alon2019/public-cost":
                    run = event.unit.run
                    several = (OUTCOMES[0], second, third)
                    made = Measurement(run, run, event.unit.results, "a", "f", "e", outcomes=several)
                    event = Made(event.unit, encoded(made), 0.1)
                yield event

    assert report(monkeypatch, OneFails(None), "--quick") == 4
    err = capsys.readouterr().err
    assert "alon2019/public-cost: a check could not be made: its process died" in err
    assert "alon2019: nothing is said of alon2019:" in err
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    assert [one["what"] for one in index["failed"]] == ["alon2019/public-cost"]
    assert "Checks that could not be made: 1." in numbers_of_benchmarks.reality(index)
    assert "Entries of which nothing is said: " in numbers_of_benchmarks.reality(index)
    # a slack is how much more an upper bound asks for than is needed; a lower bound's sizes are none
    assert set(index["papers"][0]["slacks"]) == {3.0}
