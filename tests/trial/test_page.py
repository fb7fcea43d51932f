"""Rows and what a page makes of them: each number where it belongs, and nothing claimed that the rows do not bear."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from dpcheck.model.errors import InvalidArgument
from dpcheck.trial import measurements
from dpcheck.trial.model import Outcome, Shade
from dpcheck.trial.page import EXACT, Band, Line, Page, Pivot, Plot, shown
from dpcheck.trial.rows import Findings, Row, bound, exact, line
from dpcheck.trial.run import Run

ROWS = [
    *exact("loss", [0.5, 0.75], n=[1, 2], epsilon=1),
    *bound("at most", [1, 1], n=(1, 2), epsilon=1),
    *exact("loss", [0.25, None], n=range(1, 3), epsilon=2),
    *bound("at most", [2, 2], n=(1, 2), epsilon=2),
    *bound("limit", [0.1, 0.2], epsilon=[1, 2]),
]
PLOT = Plot("k", "Loss, {who}", "n", "loss", by="epsilon", scale="linear", lines=(Line("{most}", y="most"),))
PAGE = Page("Title", "Asked of {who}", (PLOT,), (Pivot("All", ("n", "epsilon")), Pivot("Limits", ("epsilon",))))
FOUND = Findings(ROWS, (Outcome("holds", "c", "d", "mine:a"),), "found", {"who": "us", "most": 3})


def rate(value: float, level: float, trials: int = 10, **settings: object) -> Row:
    return Row("failure", value, settings, "measured", (max(0.0, value - 0.1), value + 0.1), trials, level)


def test_each_row_is_in_its_curve_and_in_its_cell() -> None:
    made = shown("key", ("mine:a",), PAGE, FOUND)
    (chart,) = made.charts
    assert [(one.name, one.role, one.x, one.y) for one in chart.series] == [
        ("loss, epsilon = 1", "exact", (1, 2), (0.5, 0.75)),
        ("at most, epsilon = 1", "bound", (1, 2), (1, 1)),
        ("loss, epsilon = 2", "exact", (1,), (0.25,)),
        ("at most, epsilon = 2", "bound", (1, 2), (2, 2)),
    ]
    first, above, second, other = (one.colour for one in chart.series)
    assert (above, other) == (first, second)
    assert first != second
    assert (chart.title, chart.marks[0].name, chart.marks[0].y) == ("Loss, us", "3", 3)
    assert chart.y_range is not None
    assert chart.y_range[0] == 0
    assert chart.y_range[1] > 3
    whole, limits = made.tables
    assert whole.columns == ("n", "epsilon", "loss", "at most")
    assert whole.rows == (("1", "1", "0.5", "1"), ("2", "1", "0.75", "1"), ("1", "2", "0.25", "2"), ("2", "2", "", "2"))
    assert limits.rows == (("1", "0.1"), ("2", "0.2"))
    assert (made.asked, made.found, made.evidence, made.trials) == ("Asked of us", "found", EXACT, 0)


def test_only_what_is_named_is_drawn_and_a_value_in_words_names_its_curve() -> None:
    rows = [*exact("loss", [1, 2], n=[1, 2], who="A1"), *exact("cost", [3, 4], n=[1, 2], who="A1")]
    page = Page(
        "t", "a", (Plot("k", "c", "n", "p", by="who", only=("loss",)),), (Pivot("c", ("who", "n"), only=("cost",)),)
    )
    made = shown("key", (), page, Findings(rows, (), ""))
    assert [one.name for one in made.charts[0].series] == ["loss, A1"]
    assert made.tables[0].columns == ("who", "n", "cost")


def test_each_value_of_a_setting_has_a_chart_of_its_own() -> None:
    plot = Plot(
        "k",
        "Loss at {epsilon:g}",
        "n",
        "loss",
        each="epsilon",
        lines=(Line("from {least} on", x="least"), Line("epsilon", y="epsilon")),
        shades=(Band("below {least}", x=(None, "least")), Band("{who}", y=(1.0, None)), Shade("left", x=(None, 2.0))),
    )
    found = replace(FOUND, settings={"who": "us", "least": {1: 7, 2: 8}})
    first, second = shown("key", (), Page("t", "a", (plot,)), found).charts
    assert (first.key, first.title, second.key, second.title) == ("k-1", "Loss at 1", "k-2", "Loss at 2")
    assert [(one.name, one.x, one.y) for one in first.series] == [
        ("loss", (1, 2), (0.5, 0.75)),
        ("at most", (1, 2), (1, 1)),
    ]
    assert [(one.name, one.x, one.y) for one in second.series] == [("loss", (1,), (0.25,)), ("at most", (1, 2), (2, 2))]
    assert [(mark.name, mark.x, mark.y) for mark in second.marks] == [("from 8 on", 8, None), ("epsilon", None, 2)]
    assert second.shades == (
        Shade("below 8", x=(None, 8)), Shade("us", y=(1.0, None)), Shade("left", x=(None, 2.0)),
    )  # fmt: skip
    pairs = [*exact("loss", [1, 2], n=[1, 2], epsilon=1, who="A"), *exact("loss", [3], n=3, epsilon=1, who="B")]
    both = replace(plot, each="epsilon", by="who", lines=(), shades=())
    (chart,) = shown("key", (), Page("t", "a", (both,)), Findings(pairs, (), "")).charts
    assert [one.name for one in chart.series] == ["loss, A", "loss, B"]


def test_what_stands_at_no_number_is_not_drawn_and_an_axis_names_its_settings() -> None:
    plot = replace(
        PLOT,
        x_label="{who} records",
        scale="log",
        least="lowest",
        lines=(Line("{most:g}", x="most"), Line("here", y=1.0)),
        shades=(
            Band("up to {most:g}", x=(None, "most")),
            Band("low", y=(None, "lowest")),
            Shade("left", x=(None, 2.0)),
        ),
    )
    page = Page("t", "a", (plot,))
    (chart,) = shown("key", (), page, replace(FOUND, settings={"who": "our", "most": None, "lowest": 0.1})).charts
    assert ([mark.name for mark in chart.marks], [one.name for one in chart.shades]) == (["here"], ["low", "left"])
    assert (chart.x_label, chart.y_range) == ("our records", (0.1, 2.16))
    (open_end,) = shown("key", (), page, replace(FOUND, settings={"who": "our", "most": 7, "lowest": None})).charts
    assert ([mark.x for mark in open_end.marks], open_end.y_range) == ([7, None], None)
    with pytest.raises(InvalidArgument, match="'lowest'"):
        shown("key", (), page, replace(FOUND, settings={"who": "our", "most": 7}))


def test_two_bounds_of_one_curve_are_told_apart_and_a_shade_is_on_the_page() -> None:
    rows = [*exact("loss", [1, 2], n=[1, 2], epsilon=1), *exact("loss", [2, 3], n=[1, 2], epsilon=2)]
    for name, epsilon in (("printed", 1), ("proved", 1), ("printed", 2)):
        rows += bound(name, [4, 5], n=[1, 2], epsilon=epsilon)
    plot = replace(PLOT, title="Loss", lines=(), shades=(Shade("says nothing", y=(9.0, None)),))
    (chart,) = shown("key", (), Page("t", "a", (plot,)), Findings(rows, (), "")).charts
    colours = {one.name: one.colour for one in chart.series}
    assert colours["printed, epsilon = 1"] == colours["loss, epsilon = 1"]
    assert colours["printed, epsilon = 2"] == colours["loss, epsilon = 2"]
    assert len(set(colours.values())) == 3
    assert chart.y_range is not None
    assert chart.y_range[1] > 9


def test_a_line_of_a_table_has_its_empty_cells() -> None:
    rows = [*line({"loss": 0.5, "size": 3}, {"n": 1}), *line({"loss": 1.0, "size": None}, {"n": 2}, "measured")]
    made = shown("key", (), Page("t", "a", (), (Pivot("c", ("n",)),), "drawn"), Findings(rows, (), ""))
    assert made.tables[0].rows == (("1", "0.5", "3"), ("2", "1", ""))
    assert {row.role for row in rows} == {"exact", "measured"}


def test_a_measured_quantity_has_its_interval_and_its_trials() -> None:
    rows = [rate(0.5, 0.01, n=1), rate(0.25, 0.01, trials=20, n=2), *bound("limit", [0.5, 0.5], n=[1, 2])]
    made = shown(
        "key", (), Page("t", "a", (Plot("k", "c", "n", "p"),), (Pivot("all", ("n",)),)), Findings(rows, (), "")
    )
    assert made.trials == 30
    assert made.charts[0].series[0].low == (0.4, 0.15)
    assert made.charts[0].series[0].trials == (10, 20)
    assert made.tables[0].columns == ("n", "failure", "at least", "at most", "limit")
    assert made.tables[0].rows[1] == ("2", "0.25", "0.15", "0.35", "0.5")


def test_two_families_of_intervals_do_not_hold_together_at_the_level_of_one() -> None:
    rows = [*(rate(0.5, 0.05 / 12, n=n) for n in range(12)), *(rate(0.5, 0.05 / 3, trials=15, m=m) for m in range(3))]
    evidence = shown("key", (), Page("t", "a"), Findings(rows, (), "")).evidence
    assert "10 to 15 trials a point; all 15 of them hold together with probability at least 90%" in evidence
    one = shown("key", (), Page("t", "a"), Findings(rows[:12], (), "")).evidence
    assert "all 12 of them hold together with probability at least 95%" in one
    odd = shown("key", (), Page("t", "a"), Findings([rate(0.5, 0.0434)], (), "")).evidence
    assert "at least 95.6%" in odd  # 95.66 rounded down
    ended = shown("key", (), Page("t", "a"), Findings([rate(0.5, 0.001)], (), "", trials=17))
    assert ("at least 99.9%" in ended.evidence, ended.trials) == (True, 17)


@pytest.mark.parametrize(
    ("found", "page", "said"),
    [
        (replace(FOUND, outcomes=(Outcome("holds", "c", "d", trials=9),)), PAGE, "evidence"),
        (replace(FOUND, rows=[replace(row, role="measured") for row in ROWS]), PAGE, "evidence"),
        (replace(FOUND, outcomes=(Outcome("holds", "c", "d", trials=9),), trials=8), replace(PAGE, evidence="e"), "8"),
        (replace(FOUND, rows=[rate(0.5, 0.1)], trials=0), Page("t", "a"), "at least the 10 of a row"),
        (FOUND, replace(PAGE, asked="Asked of {whom}"), "whom"),
        (FOUND, replace(PAGE, asked="Asked of {"), "in braces"),
        (FOUND, replace(PAGE, plots=(replace(PLOT, x="m"),)), "'m'"),
        (FOUND, replace(PAGE, plots=(replace(PLOT, by=""),)), "''"),
        (FOUND, replace(PAGE, plots=(replace(PLOT, each="m"),)), "'m'"),
        (FOUND, replace(PAGE, plots=(replace(PLOT, lines=(Line("most", x="least"),)),)), "least"),
        (FOUND, replace(PAGE, plots=(replace(PLOT, shades=(Band("most", y=("least", None)),)),)), "least"),
        (FOUND, replace(PAGE, pivots=(Pivot("All", ("n",)),)), "('n',)"),
        (FOUND, replace(PAGE, pivots=(Pivot("All", ("n", "epsilon")),), plots=()), None),
        (replace(FOUND, rows=[*ROWS, ROWS[0]]), PAGE, "twice"),
    ],
)
def test_what_the_rows_do_not_bear_is_refused(found: Findings, page: Page, said: str | None) -> None:
    if said is None:
        assert shown("key", (), page, found).tables
        return
    with pytest.raises(InvalidArgument) as error:
        shown("key", (), page, found)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_intervals_that_need_not_hold_together_are_spoken_of_one_by_one() -> None:
    rows = [rate(0.5, 0.1, n=n) for n in range(1, 15)]
    made = shown("key", ("mine:a",), Page("t", "a", (Plot("k", "t", "n", "y"),)), Findings(rows, (), ""))
    assert made.evidence.endswith("each of the 14 holds with probability at least 90%.")


def test_an_interval_never_stands_at_another_point() -> None:
    rows = [replace(rate(0.5, 0.01, n=1), interval=None, trials=0), rate(0.5, 0.01, n=2)]
    with pytest.raises(InvalidArgument, match=r"must all have an interval or none, got 1 of 2 in 'failure'"):
        shown("key", ("mine:a",), Page("t", "a", (Plot("k", "t", "n", "y"),)), Findings(rows, (), ""))


def test_findings_without_a_page_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="needs a page"):
        Run("key", (), lambda seed, quick: FOUND).made(0, True)


FILE = """
from dpcheck.proof.statement import Paper, Theorem
from dpcheck.trial.measurements import Run
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import compared
from dpcheck.trial.rows import Findings, bound, exact
PAPER = Paper('mine', 'Mine', (Theorem('mine:a', 'A'),))
def squares(seed, quick):
    numbers = range(1, 6)
    rows = [*exact('square', [n * n for n in numbers], n=numbers), *bound('cube', [n**3 for n in numbers], n=numbers)]
    return Findings(rows, (compared('mine:a', 'squares are at most cubes', True, 'to 5'),), 'They are.')
RUNS = (Run('squares', ('mine:a',), squares, (1.0, 1.0), Page('Squares', 'n from 1 to 5',
    (Plot('squares', 'Squares below cubes', 'n', 'value', scale='log'),), (Pivot('Squares', ('n',)),))),)
"""


def test_a_run_of_ones_own_may_give_findings(tmp_path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    made = measurements.make(str(path), "squares", seed=0, quick=True)
    assert (made.key, made.results, made.found) == ("squares", ("mine:a",), "They are.")
    assert [one.y[-1] for one in made.charts[0].series] == [25, 125]


@pytest.mark.turns(6)
def test_the_report_draws_what_a_page_declares(tmp_path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(FILE)
    command = [sys.executable, "-m", "dpcheck", "report", str(path), "--quick", "--quiet", "--output", str(tmp_path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    (record,) = tmp_path.glob("mine/mine.json")
    (measured,) = json.loads(record.read_text())["measurements"]
    assert measured["tables"][0]["rows"][-1] == ["5", "25", "125"]
    assert 'href="squares.html"' in record.with_suffix(".html").read_text()
    for part in ("squares", "a"):  # the measurement's page, and that of the result it is about
        page = record.with_name(f"{part}.html").read_text()
        assert "Squares below cubes" in page
        assert '<svg class="chart"' in page
