"""Pages of reports are built of the committed records, and are not committed themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest

from dpcheck.cli.app import run
from dpcheck.report import errata, findings
from dpcheck.report.errata import SEVERITIES
from dpcheck.report.packages import markdown as packages_markdown
from dpcheck.report.paper import markdown as paper_markdown
from dpcheck.report.paper.parts import part_pages
from dpcheck.report.whole import index_markdown, learner_markdown
from dpcheck.report.whole.paths import learner_path, part_path
from dpcheck.report.whole.records import whole_report
from tests.page_checks import faults_of

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "reports"


def test_no_built_page_is_tracked() -> None:
    tracked = subprocess.run(["git", "ls-files", "reports"], capture_output=True, text=True, check=True, cwd=ROOT)
    assert [name for name in tracked.stdout.split() if name.endswith(".html")] == []


def test_links_of_the_list_of_reports_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", (REPORTS / "README.md").read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (REPORTS / link).exists()] == []


@pytest.mark.turns(6)
def test_pages_are_built_of_records(tmp_path: Path) -> None:
    records = tmp_path / "records"
    (records / "learners").mkdir(parents=True)
    for name in ("index.json", "survey.json", "learners/alon2019.cover.json"):
        shutil.copy(REPORTS / name, records / name)
    done = build(records, tmp_path / "pages")
    assert done.returncode == 0, done.stderr
    made = sorted(path.relative_to(tmp_path / "pages").as_posix() for path in (tmp_path / "pages").rglob("*.*"))
    assert made == ["charts.js", "findings.html", "index.html", "learners/alon2019.cover.html"]


@pytest.mark.extra  # a part of the check of its own: half a minute
def test_every_committed_document_has_its_page_and_none_has_a_fault(tmp_path: Path) -> None:
    done = build(REPORTS, tmp_path)
    assert done.returncode == 0, done.stderr
    pages = {path.relative_to(tmp_path).as_posix(): path.read_text("utf-8") for path in tmp_path.rglob("*.html")}
    there = {**pages, "charts.js": ""}
    assert {name: found for name, text in pages.items() if (found := faults_of(text, name, there))} == {}
    documents = {path.relative_to(REPORTS).with_suffix(".html").as_posix() for path in REPORTS.glob("*/*.md")}
    parts = {path for paper in whole_report(REPORTS).papers for path in part_pages(paper)}
    assert len(parts) > 200
    assert set(pages) == {"index.html", "errata.html", "findings.html", *documents, *parts}


def stale(folder: Path) -> list[str]:
    """Markdown of a report that is not what its records render."""
    report = whole_report(folder)
    made = {part_path(one.paper, one.part, "md"): paper_markdown.render(one) for one in report.papers}
    made |= {learner_path(one.name, "md"): learner_markdown.render(one) for one in report.learners}
    made |= {f"{folder}/errata.md".lstrip("/"): errata.render(papers) for folder, papers in report.errata}
    if report.findings is not None:
        made["findings.md"] = findings.render(report.findings)
    assert report.packages is not None
    assert report.index is not None
    made["packages/survey.md"] = packages_markdown.render(report.packages)
    made["index.md"] = index_markdown.render(report.index, report.packages)
    return [name for name, text in made.items() if (folder / name).read_text(encoding="utf-8") != text]


def test_every_committed_text_is_what_its_record_renders(tmp_path: Path) -> None:
    assert stale(REPORTS) == []
    # a number of the survey of packages that was written by hand is caught
    (tmp_path / "packages").mkdir()
    for suffix in ("json", "md"):
        shutil.copy(REPORTS / "packages" / f"survey.{suffix}", tmp_path / "packages")
    shutil.copy(REPORTS / "index.json", tmp_path)
    shutil.copy(REPORTS / "index.md", tmp_path)
    assert stale(tmp_path) == []
    text = tmp_path / "packages" / "survey.md"
    text.write_text(text.read_text(encoding="utf-8").replace("| 0.230 |", "| 0.229 |", 1), encoding="utf-8")
    assert stale(tmp_path) == ["packages/survey.md"]


def test_every_formula_of_a_record_is_drawn_again(tmp_path: Path) -> None:
    """Records have their text alone; one bound of this paper has the constant e in it."""
    (tmp_path / "beimel2015").mkdir()
    shutil.copy(REPORTS / "beimel2015" / "beimel2015.json", tmp_path / "beimel2015")
    drawn = list(formulas(whole_report(tmp_path)))
    assert any("(e + 3)" in getattr(formula, "text", "") for formula in drawn)
    assert [formula for formula in drawn if not formula.mathml] == []


def formulas(part: Any) -> Iterator[Any]:
    """Everything in a report that is drawn as mathematics."""
    if is_dataclass(part):
        if hasattr(part, "mathml"):
            yield part
        for field in fields(part):
            yield from formulas(getattr(part, field.name))
    elif isinstance(part, tuple):
        for inner in part:
            yield from formulas(inner)


@pytest.mark.turns(4)
def test_a_damaged_record_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text('{"schema": "dpcheck-report-index/1"}', encoding="utf-8")
    done = build(tmp_path, tmp_path / "pages")
    assert done.returncode == 2
    assert "index.json is no such record" in done.stderr
    assert not (tmp_path / "pages").exists()


@pytest.mark.parametrize("option", [["--quick"], ["--seed", "3"], ["--jobs", "2"], ["--keep"], ["alon2019"]])
def test_what_a_run_would_read_is_refused(
    option: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", "--from", str(REPORTS), "--out", str(tmp_path / "pages"), *option]) == 2
    line = capsys.readouterr().err
    assert "--from" in line
    assert option[0] in line
    assert line.count("\n") == 1
    assert not (tmp_path / "pages").exists()


def build(records: Path, out: Path) -> subprocess.CompletedProcess[str]:
    """``dpcheck report --from RECORDS --out OUT``."""
    command = [sys.executable, "-m", "dpcheck", "report", "--from", str(records), "--out", str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_errata_begin_with_what_a_reader_loses_most_by() -> None:
    text = (REPORTS / "errata.md").read_text(encoding="utf-8")
    found = set()
    for section in text.split("\n### ")[1:]:
        heads = re.findall(r"^#### \d+\. (.*) \((\w+)\)$", section, re.MULTILINE)
        order = [(list(SEVERITIES).index(word), not name.endswith("the statement")) for name, word in heads]
        assert order == sorted(order)
        found |= {word for _, word in heads}
    assert found == set(SEVERITIES)
