"""Totals agree: a headline is the sum of its rows, on the index and on a paper's page, in JSON and in every view."""

from __future__ import annotations

import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpcheck.report.paper import markdown as paper_markdown
from dpcheck.report.paper.model import PaperReport
from dpcheck.report.paper.summary import checked_sentence, outcomes_sentence
from dpcheck.report.whole import index_markdown, index_page
from dpcheck.report.whole.index import index_report
from dpcheck.report.whole.index_summary import sentences
from dpcheck.report.whole.model import IndexReport
from dpcheck.report.whole.papers import words_counted
from dpcheck.report.whole.units import Level
from dpcheck.trial.model import Outcome, Word
from tests.handmade_reports import MEASUREMENT, PAPER

REPORTS = Path(__file__).parents[2] / "reports"
PAPERS = ("alon2019", "bassily2018", "beimel2015", "chaudhuri2011", "wang2016")


def _paper(key: str, *words_of_claims: str) -> PaperReport:
    """A paper with a claim for each string: the words of its outcomes, by their first letters."""
    words: dict[str, Word] = {"h": "holds", "c": "contradicted", "s": "says nothing", "n": "not compatible"}
    results, why = ("toy2026:thm-2", "toy2026:rem-3"), "toy2026:thm-2: why"
    outcomes = tuple(
        Outcome(words[letter], f"claim {place}", f"instance {at}", results[place % 2], expected=why)
        for place, letters in enumerate(words_of_claims)
        for at, letter in enumerate(letters)
    )
    made = replace(MEASUREMENT, outcomes=outcomes)
    return replace(
        PAPER, paper=key, paper_steps=5, measurements=(made,), outcomes=words_counted(outcomes),
        instances=len(outcomes),
    )  # fmt: skip


def _index(*papers: PaperReport) -> IndexReport:
    return index_report(papers, (), (), None, level=Level(1, True), command="dpcheck report", errata_page="")


BOTH = (_paper("toy2026", "hhh", "hs", "ss", "chh", "n"), _paper("toy2027", "h", "c"))


def _numbers(text: str) -> dict[str, int]:
    """The counts of words in a text such as "3 holds" or "holds 3"."""
    words = "(holds|contradicted|says nothing|not compatible)"
    found = re.findall(rf"{words} (\d+)|(\d+) {words}", text)
    return {one or other: int(count or more) for one, count, more, other in found}


def test_a_claim_on_several_instances_is_one_in_every_total() -> None:
    report = _index(*BOTH)
    assert {one.word: one.count for one in report.outcomes} == {
        "holds": 3, "contradicted": 2, "not compatible": 1, "says nothing": 1,
    }  # fmt: skip
    assert [line.instances for line in report.papers] == [11, 2]
    said = " ".join(sentences(report))
    assert "7 claims of the papers set against running code on 13 instances: holds 3, contradicted 2," in said
    assert "3 claims contradicted or not compatible" in said
    assert "5 claims were run against code on 11 instances: holds 2" in outcomes_sentence(
        BOTH[0].measurements[0].outcomes
    )


def test_the_totals_of_the_index_are_the_sums_of_its_rows() -> None:
    _agree(_record(_index(*BOTH)))


def test_the_views_of_the_index_say_its_totals() -> None:
    report = _index(*BOTH)
    total = {one.word: one.count for one in report.outcomes}
    markdown, page = index_markdown.render(report), html.unescape(index_page.render(report))
    assert f"All together: {index_markdown.counted(report.outcomes)}." in markdown
    rows = [_numbers(line) for line in markdown.splitlines() if line.startswith("| toy202")][:2]
    assert {word: sum(row.get(word, 0) for row in rows) for word in ("holds", "contradicted", "says nothing")} == {
        word: total[word] for word in ("holds", "contradicted", "says nothing")
    }
    for sentence in sentences(report):
        assert sentence in markdown.replace("\\", "")
        assert sentence in page
    claims = [int(key) for key in re.findall(r'data-of="claims where they were run" data-key="(\d+)"', page)]
    assert sum(claims) == sum(total.values()) == 7
    steps = [int(key) for key in re.findall(r'data-of="steps of its proofs" data-key="(\d+)"', page)]
    assert f"{sum(steps)} lines of their proofs (and 4 definitions)" in sentences(report)[0]


def test_a_papers_page_counts_its_lines_without_definitions() -> None:
    (paper, _) = BOTH
    shares = sum(count for _, count in paper.shares)
    assert checked_sentence(paper).startswith(f"Each of the {shares} printed lines")
    assert checked_sentence(paper).endswith("; 2 lines are definitions.")
    shown = paper_markdown.render(paper)
    table = [_numbers(f"{line.split('|')[1].strip()} {line.split('|')[2].strip()}") for line in shown.splitlines()
             if re.fullmatch(r"\| (holds|contradicted|says nothing|not compatible) \| \d+ \|", line)]  # fmt: skip
    assert {word: count for row in table for word, count in row.items()} == dict(paper.outcomes)


def test_a_total_that_counts_instances_is_caught() -> None:
    record = _record(_index(*BOTH))
    record["outcomes"][0]["count"] += 1
    with pytest.raises(AssertionError):
        _agree(record)
    record = _record(_index(*BOTH))
    record["papers"][0]["steps"] += record["papers"][0]["definitions"]
    with pytest.raises(AssertionError):
        _agree(record)


def test_the_totals_of_the_committed_reports_agree() -> None:
    index = json.loads((REPORTS / "index.json").read_text(encoding="utf-8"))
    if "instances" not in index["papers"][0]:
        pytest.skip("the committed reports are of before claims were counted once")
    _agree(index)
    for line in index["papers"]:
        paper = json.loads((REPORTS / line["paper"] / f"{line['paper']}.json").read_text(encoding="utf-8"))
        outcomes = [one for each in paper["measurements"] for one in each["outcomes"]]
        assert len(outcomes) == paper["instances"] == line["instances"]
        claims = {(one["result"], one["claim"]) for one in outcomes}
        assert len(claims) == sum(count for _, count in paper["outcomes"])
        assert {word: count for word, count in paper["outcomes"] if count} == _counts(line["outcomes"])
        assert sum(count for _, count in paper["shares"]) == line["steps"] == paper["paper_steps"] - line["definitions"]


def _record(report: IndexReport) -> dict[str, Any]:
    from dataclasses import asdict

    found: dict[str, Any] = json.loads(json.dumps(asdict(report)))
    return found


def _counts(counts: list[dict[str, Any]]) -> dict[str, int]:
    return {one["word"]: one["count"] for one in counts if one["count"]}


def _agree(index: dict[str, Any]) -> None:
    """Every total of an index's record is the sum of its rows."""
    total = _counts(index["outcomes"])
    for rows in (index["papers"], index["theorems"]):
        counts = [_counts(row["outcomes"]) for row in rows]
        summed = {word: sum(count.get(word, 0) for count in counts) for count in counts for word in count}
        assert summed == total
    for line in index["papers"]:
        assert sum(_counts(line["proofs"]).values()) == line["steps"]
        own = [row for row in index["theorems"] if row["paper"] == line["paper"]]
        assert sum(count for row in own for count in _counts(row["outcomes"]).values()) == sum(
            _counts(line["outcomes"]).values()
        )
    bad = {
        (one["paper"], one["outcome"]["result"], one["outcome"]["claim"])
        for one in index["contradicted"]
        if one["outcome"]["word"] == "contradicted"
    }
    assert len(bad) == total.get("contradicted", 0)
