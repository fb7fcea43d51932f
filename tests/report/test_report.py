"""`dpcheck report`: the files it writes, what is on the page, and that the same seed gives the same numbers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dpcheck.proof.inventory import load_inventory
from dpcheck.report.whole.model import WORDS

pytest.importorskip("matplotlib")
VOID = {"meta", "link", "br", "col", "input", "hr", "img", "wbr"}
# What the running time says is the machine's.
TIMES = {"seconds", "seconds_per_call"}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dpcheck", "report", *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, check=False)


class Page(HTMLParser):
    """Collects what the tests ask about; complains of tags that do not match."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.text: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        assert len(found) == len(attrs), f"an attribute twice in <{tag}>"
        self.tags.append((tag, found))
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found[name] or "" for name in ("src", "href", "data", "action", "xlink:href") if name in found]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@dataclass
class Made:
    folder: Path
    record: dict[str, Any]
    html: str
    page: Page
    told: str


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    out = tmp_path_factory.mktemp("report")
    done = run("alon2019", "--quick", "--output", str(out), "--seed", "5")
    assert done.returncode == 0, done.stderr
    written = sorted(str(path) for path in out.rglob("*") if path.is_file())
    assert sorted(line for line in done.stdout.splitlines() if line.startswith(str(out))) == written
    folder = out / "alon2019"
    html = (folder / "alon2019.html").read_text(encoding="utf-8")
    page = Page()
    page.feed(html)
    page.close()
    assert page.open == []
    record = json.loads((folder / "alon2019.json").read_text(encoding="utf-8"))
    return Made(folder, record, html, page, done.stderr)


@pytest.mark.extra
def test_the_files_are_written_and_nothing_else(made: Made) -> None:
    parts = {one["short"] for one in made.record["results"]} | {one["key"] for one in made.record["measurements"]}
    assert {path.name for path in made.folder.iterdir()} == {
        "alon2019.html", "alon2019.json", "alon2019.md", *(f"{part}.html" for part in parts)
    }  # fmt: skip
    there = sorted(path.name for path in made.folder.parent.iterdir())
    assert there == ["alon2019", "charts.js", "errata.html", "errata.md"]
    assert re.search(r"\d+ to run in \d+ process(es)?, about \d+ ", made.told)


@pytest.mark.extra
def test_the_page_needs_nothing_from_elsewhere(made: Made) -> None:
    others = {link.partition("#")[0] for link in made.page.links if not link.startswith("#") and link != "data:,"}
    # links lead to pages beside it, and to those that are there only
    assert all(link.endswith((".html", ".json")) and (made.folder / link).is_file() for link in others)
    assert "alon2019.json" in others  # all numbers of the page
    assert re.findall(r"url\((?!#)[^)]*\)|@import", made.html) == []
    assert re.findall(r"(?:https?:)?//[\w.-]+\.\w+", made.html) == []
    scripts = [attributes for tag, attributes in made.page.tags if tag == "script"]
    assert scripts == [{}]


@pytest.mark.extra
def test_ids_are_unique_and_links_lead_somewhere(made: Made) -> None:
    assert len(made.page.ids) == len(set(made.page.ids))
    inside = set(made.page.ids)
    assert [link for link in made.page.links if link.startswith("#") and link[1:] not in inside] == []
    named = [
        name
        for _, attributes in made.page.tags
        for attribute in ("aria-labelledby", "for")
        for name in (attributes.get(attribute) or "").split()
    ]
    assert set(named) <= inside
    assert set(re.findall(r"url\(#([^)]+)\)", made.html)) <= inside


@pytest.mark.extra
def test_every_result_and_step_is_there(made: Made) -> None:
    inventory = load_inventory("alon2019")
    text = "".join(made.page.text)
    for result in inventory.results:
        assert result.id.partition(":")[2] in text
        assert result.id.partition(":")[2] in made.page.ids
    for step in inventory.steps:
        assert f"step-{step.label}" in made.page.ids
    assert [result["id"] for result in made.record["results"]] == [result.id for result in inventory.results]
    labels = {step["label"]: step for result in made.record["results"] for step in result["steps"]}
    assert set(labels) == {step.label for step in inventory.steps}
    for step in inventory.steps:
        assert labels[step.label]["printed"] == step.printed


@pytest.mark.extra
def test_the_page_is_accessible_by_structure(made: Made) -> None:
    headings = made.page.headings
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))
    assert ("html", {"lang": "en"}) in made.page.tags
    charts = []
    for measurement in made.record["measurements"]:
        page = Page()
        page.feed((made.folder / f"{measurement['key']}.html").read_text(encoding="utf-8"))
        charts += [found for tag, found in page.tags if tag == "svg" and found.get("class") == "chart"]
    assert len(charts) == sum(len(measurement["charts"]) for measurement in made.record["measurements"]) >= 8
    assert all(chart.get("role") == "img" and chart.get("aria-labelledby") for chart in charts)
    assert all("scope" in attributes for tag, attributes in made.page.tags if tag == "th")


@pytest.mark.extra
def test_shares_and_statuses_are_those_of_the_steps(made: Made) -> None:
    shares = dict(made.record["shares"])
    steps = {step["label"]: step["status"] for result in made.record["results"] for step in result["steps"]}
    assert sum(shares.values()) == made.record["paper_steps"] == len(steps) == 55
    assert {status: list(steps.values()).count(status) for status in shares} == shares
    assert shares["UNDECIDED"] <= 0.05 * 55
    shown = {one["id"]: one["class"] for _, one in made.page.tags if str(one.get("id")).startswith("step-")}
    assert shown == {f"step-{label}": f"line {status.split()[0].lower()}" for label, status in steps.items()}


@pytest.mark.extra
def test_measured_numbers_have_intervals_and_trials(made: Made) -> None:
    measured = 0
    for measurement in made.record["measurements"]:
        assert measurement["evidence"]
        for chart in measurement["charts"]:
            roles = {series["role"] for series in chart["series"]}
            assert chart["x_label"]
            assert chart["y_label"]
            assert len(roles) > 1 or chart["marks"] or measurement["outcomes"]
            for series in chart["series"]:
                assert len(series["x"]) == len(series["y"]) > 0
                if series["role"] == "measured":
                    measured += len(series["y"])
                    ends = zip(series["low"], series["y"], series["high"], strict=True)
                    assert all(float(low) <= float(y) <= float(high) for low, y, high in ends)
                    # of sizes that a search found the trials are many searches': the evidence counts them
                    assert all(trials >= 20 for trials in series["trials"])
                    assert series["trials"] or measurement["trials"] >= 20
        for outcome in measurement["outcomes"]:
            assert outcome["word"] in WORDS
            assert outcome["word"] not in ("failed", "not compatible")
            assert outcome["word"] != "contradicted" or outcome["expected"]
            assert outcome["detail"]
    assert measured > 20
    words = [outcome["word"] for measurement in made.record["measurements"] for outcome in measurement["outcomes"]]
    assert "holds" in words


@pytest.mark.extra
def test_no_exact_loss_is_above_the_claim(made: Made) -> None:
    chart = next(one for one in made.record["measurements"] if one["key"] == "exact-privacy")["charts"][0]
    for series in chart["series"]:
        assert series["y"] == sorted(series["y"])
        assert 0 < series["y"][-1] < chart["marks"][0]["y"]


@pytest.mark.extra
def test_every_refutation_is_among_the_errata_with_its_repair(made: Made) -> None:
    text = (made.folder.parent / "errata.md").read_text(encoding="utf-8").replace("\\*", "*").replace("&lt;", "<")
    for result in made.record["results"]:
        if result["status"] == "REFUTED":
            assert f" {result['short']}: the statement" in text
            assert result["erratum"]["quotes"] in text
            assert f"`dpcheck theorems {result['id']} --witness`" in text
        for step in result["steps"]:
            if step["status"] == "REFUTED":
                assert step["witness"]
                witness = step["against"][0]["claim"] if step["against"] else step["witness"]
                for said in (step["erratum"]["quotes"], step["erratum"]["explanation"], witness):
                    assert said in text
                assert step["repair"]["statement"] in text
    clean, _, readings = text.partition("### Readings")
    for result in made.record["results"]:
        for step in result["steps"]:
            if step["status"] == "REFUTED":
                part = clean if step["erratum"]["quality"] == "clean" else readings
                assert re.search(
                    rf"^#### \d+\. {re.escape(step['label'])} \({step['erratum']['severity']}\)", part, re.M
                )


@pytest.mark.extra
def test_the_markdown_has_the_same_statuses(made: Made) -> None:
    text = (made.folder / "alon2019.md").read_text(encoding="utf-8")
    for result in made.record["results"]:
        row = (
            f"| {result['short']} | {result['title']} | {result['status']} | {result['proof']} | {result['repaired']} |"
        )
        assert row in text


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(inner) for key, inner in value.items() if key not in TIMES}
    return [without_times(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.extra
@pytest.mark.extra
def test_the_same_seed_gives_the_same_numbers(made: Made, tmp_path: Path) -> None:
    quickest = sorted(made.record["measurements"], key=lambda one: one["seconds"])[:4]
    done = run(
        *(f"alon2019/{one['key']}" for one in quickest),
        *("--quick", "--output", str(tmp_path), "--seed", "5", "--quiet", "--jobs", "2"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    for one in quickest:
        again = json.loads((tmp_path / "alon2019" / f"{one['key']}.json").read_text(encoding="utf-8"))
        assert without_times(again["measurements"]) == without_times([one])


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("alon2018",), "there is nothing to report named 'alon2018' (did you mean 'alon2019'?)"),
        (("alon2019", "--jobs", "0"), "--jobs wants a whole number of at least 1, got '0'"),
        (("alon2019", "--seed", "-1"), "--seed must be at least 0, got -1"),
        (("alon2019", "--output", __file__), "--out must be a folder that can be written, got"),
    ],
)
def test_refusals_are_one_line(arguments: tuple[str, ...], said: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"dpcheck: {said}")
    assert done.stderr.count("\n") == 1


def test_help_is_quick() -> None:
    code = (
        "import sys; from dpcheck.cli.app import run; run(['report', '--help']); "
        "print([name for name in ('numpy', 'sympy', 'scipy', 'jinja2', 'matplotlib') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip().endswith("[]")
    assert "TARGET" in done.stdout


@pytest.mark.turns(6)
def test_the_graph_draws_apart_what_errata_touch() -> None:
    from dpcheck.proof.registry import Registry
    from dpcheck.report.paper.graph import graph_svg, nodes_of
    from dpcheck.report.paper.results import results_of
    from dpcheck.report.paper.summary import resting_on, touching

    registry = Registry()
    results = results_of(registry.papers["alon2019"], registry.evaluations["alon2019"])
    assert "alon2019:thm-3.1" in resting_on(results, "alon2019:lem-3.3-growth")
    assert resting_on(results, "alon2019:obs-1.b") == ()
    touched = touching(results)
    assert "lem-3.3" in touched["alon2019:thm-3.1"]
    assert touched["alon2019:lem-3.2"] == ()
    drawn = graph_svg(nodes_of(results))
    assert 'class="arrow touched"' in drawn
    assert 'class="arrow"' in drawn
    assert "Rests on what has errata: lem-3.3" in drawn
    # nothing refuted: nothing is drawn apart
    clean = [replace(result, status="PROVED", steps=()) for result in results]
    assert "touched" not in graph_svg(nodes_of(clean))
