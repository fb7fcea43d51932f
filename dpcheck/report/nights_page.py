"""A history as a page: which learners somebody has to look into, since when, what to do, and their numbers by run."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata

from dpcheck.history.standing import TROUBLED, Standing, Trend, standings
from dpcheck.history.store import Row
from dpcheck.model.harmless import one_line
from dpcheck.report.pages.layout import Place, page
from dpcheck.report.pages.numbers import shown_number

#: A line of a trend, in the units of its picture.
WIDTH, HEIGHT, MARGIN = 240.0, 36.0, 4.0
#: Runs before the latest ones that a table of a learner's runs does not list.
MOST_LISTED = 30
_MEANINGS = {
    "failed": "the learner died, hung or could not be compared",
    "worse": "it leaks more, errs more or costs more than its baseline, at the level of the comparison",
    "changed": "what it puts out has another law than in its baseline, and does not leak or err more",
    "inconclusive": "too little was seen to compare it",
    "better": "it leaks less, errs less or costs less than its baseline",
    "unchanged": "nothing that the calls could show has changed",
    "new": "it is not in the baseline yet",
    "recorded": "it was measured for the baseline",
}


@dataclass(frozen=True)
class Mark:
    """A run in the picture of a trend: where, what is said of it, and whether it was called worse or changed there."""

    across: float
    down: float
    said: str
    worsened: bool


@dataclass(frozen=True)
class Line:
    """A trend as it is drawn: its marks, and its numbers in words."""

    quantity: str
    marks: tuple[Mark, ...]
    path: str
    last: str
    least: str
    most: str


@dataclass(frozen=True)
class Card:
    """A learner as it is shown."""

    learner: str
    verdict: str
    meaning: str
    facts: tuple[tuple[str, str], ...]
    steps: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    runs: tuple[tuple[str, ...], ...]
    left_out: int


def nights_page(rows: Sequence[Row], history: str) -> str:
    """The page of a history's rows, in the order in which they were written.

    Examples
    --------
    >>> text = nights_page([Row("mean", "compare", "worse", {"certified epsilon": 1.25})], "history.sqlite3")
    >>> "1 of 1 learner has to be looked into" in text
    True
    """
    found = standings(rows)
    counts = Counter(one.last.verdict for one in found)
    words = [*TROUBLED, *sorted(set(counts) - set(TROUBLED))]
    troubled = sum(one.troubled for one in found)
    return page(
        "nights.html",
        Place(),
        history=one_line(history),
        troubled=troubled,
        learners=len(found),
        counts=[{"word": word, "count": counts[word]} for word in words if counts[word]],
        meanings=[(word, _MEANINGS[word]) for word in words if counts[word] and word in _MEANINGS],
        cards=[_card(one) for one in found],
        first=_when(rows[0]) if rows else "",
        last=_when(rows[-1]) if rows else "",
        runs=len(rows),
        version=metadata.version("dpcheck"),
    )


def _card(standing: Standing) -> Card:
    last, since, before = standing.last, standing.since, standing.before
    facts = [("last run", _when(last))]
    if since is not None:
        facts.append(("since", _when(since) if before is not None else f"{_when(since)}, its first run"))
    if before is not None:
        facts.append(("last without trouble", _when(before)))
    if last.worsened:
        facts.append(("what is worse or changed", ", ".join(map(one_line, last.worsened))))
    listed = standing.rows[-MOST_LISTED:]
    return Card(
        one_line(standing.learner),
        one_line(last.verdict),
        _MEANINGS.get(last.verdict, ""),
        tuple(facts),
        _steps(standing) if standing.troubled else (),
        tuple(_line(trend, standing.rows) for trend in standing.trends() if trend.places),
        tuple(_run(row) for row in reversed(listed)),
        len(standing.rows) - len(listed),
    )


def _steps(standing: Standing) -> tuple[tuple[str, str], ...]:
    """What to do, and the command."""
    only = f"dpcheck compare --only {shlex.quote(one_line(standing.learner))}"
    since, before = standing.since, standing.before
    steps = []
    if since is not None and before is not None and since.commit and before.commit and since.commit != before.commit:
        steps.append(("What changed in between", f"git log --oneline {before.commit[:12]}..{since.commit[:12]}"))
    if standing.last.verdict == "failed":
        steps.append(("See why it failed", only))
    elif standing.last.verdict == "inconclusive":
        steps.append(("Look again, with fresh calls", only))
    else:
        steps.append(("See it again, with the numbers and what they mean", only))
        recorded = f"dpcheck record --only {shlex.quote(one_line(standing.learner))}"
        steps.append(("Only where it is meant: make it the baseline", recorded))
    return tuple(steps)


def _line(trend: Trend, rows: Sequence[Row]) -> Line:
    least, most = min(trend.values), max(trend.values)
    across = WIDTH - 2 * MARGIN
    marks = tuple(
        Mark(
            round(MARGIN + across * place / max(len(rows) - 1, 1), 1),
            round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * _part(value, least, most), 1),
            f"{shown_number(value)}: {_when(rows[place])}, {one_line(rows[place].verdict)}",
            worse,
        )
        for place, value, worse in zip(trend.places, trend.values, trend.worsened, strict=True)
    )
    return Line(
        one_line(trend.quantity),
        marks,
        " ".join(f"{mark.across:g},{mark.down:g}" for mark in marks),
        shown_number(trend.values[-1]),
        shown_number(least),
        shown_number(most),
    )


def _part(value: float, least: float, most: float) -> float:
    """Where a value lies between the least and the most; halves first, for their distance may be beyond all doubles."""
    width = most / 2 - least / 2
    return 0.5 if width == 0.0 else (value / 2 - least / 2) / width


def _run(row: Row) -> tuple[str, ...]:
    numbers = ", ".join(f"{one_line(name)} {shown_number(value)}" for name, value in row.quantities.items())
    return _when(row), one_line(row.command), one_line(row.verdict), numbers


def _when(row: Row) -> str:
    commit = f"commit {one_line(row.commit[:10])}{' with changes not committed' if row.dirty else ''}"
    return ", ".join(part for part in (one_line(row.at[:16]).replace("T", " "), commit if row.commit else "") if part)
