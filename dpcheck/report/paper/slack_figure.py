"""How loose bounds are, as one figure: a row for each measurement or paper, on a logarithmic axis of quotients."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from dpcheck.report.pages.axes import tick
from dpcheck.report.pages.numbers import shown_number
from dpcheck.report.paper.slack import Slack

_WIDTH, _ROW, _ABOVE = 940.0, 22.0, 26.0
#: The width of a letter of a name and of what is said behind a row, and how many letters of a name are shown.
_LETTER, _SAID_LETTER, _LETTERS = 7.0, 6.2, 40
#: Quotients beyond these are drawn at the edge, as an arrow: one row must not squeeze all others.
_FURTHEST = (1e-4, 1e8)
_MOST_TICKS = 9
#: So many bounds of a row are told where it is pointed at.
_TOLD = 12


@dataclass(frozen=True)
class SlackRow:
    """A row of the figure: its name, where that leads, its quotients, and what is said behind them (or their range)."""

    name: str
    title: str
    link: str
    slacks: tuple[Slack, ...]
    said: str = ""


def slack_svg(rows: Sequence[SlackRow]) -> str:
    """The figure as an ``svg`` element: names lead to their pages, a mark says its numbers when it is pointed at.

    "" when there is nothing to draw.
    """
    rows = [row for row in rows if row.slacks]
    if not rows:
        return ""
    low, high = _ends(rows)
    height = _ABOVE + _ROW * len(rows) + 8
    left = _LETTER * min(_LETTERS, max(len(row.name) for row in rows)) + 22
    right = _WIDTH - _SAID_LETTER * max(len(_said(row)) for row in rows) - 14

    def across(ratio: float) -> float:
        share = (math.log10(min(max(ratio, low), high)) - math.log10(low)) / math.log10(high / low)
        return left + share * (right - left)

    parts = [
        f'<svg class="slack" viewBox="0 0 {_WIDTH:g} {height:g}" style="min-width:{0.75 * _WIDTH:g}px" role="group" '
        'aria-label="How loose the bounds are: the bound over what was found, on a logarithmic axis">',
        f'<rect class="under" x="{left:g}" y="{_ABOVE:g}" width="{across(1.0) - left:.1f}" '
        f'height="{height - _ABOVE:g}"/>',
    ]
    powers = range(round(math.log10(low)), round(math.log10(high)) + 1)
    for power in list(powers)[:: math.ceil(len(powers) / _MOST_TICKS)]:
        x = across(10.0**power)
        parts.append(f'<path class="grid" d="M{x:.1f} {_ABOVE:g}V{height:g}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{_ABOVE - 8:g}">{tick(10.0**power)}×</text>')
    parts.append(f'<path class="one" d="M{across(1.0):.1f} {_ABOVE - 4:g}V{height:g}"/>')
    for number, row in enumerate(rows):
        parts.append(_row(row, left, _ABOVE + _ROW * (number + 0.5), across))
    return "".join(parts) + "</svg>"


def words_of(slack: Slack) -> str:
    """A quotient with what it is of, where it is least and where it is largest.

    Examples
    --------
    >>> words_of(Slack("claimed", "found", "risk", "n", (1.0, 2.0), (2.0, 10.0)))
    'claimed over found (risk): 2× at n = 1, 10× at n = 2'
    """
    said = f"{slack.bound} over {slack.found} ({slack.what}): "
    if not slack.at:
        return said + f"{shown_number(slack.least)}×"
    places = dict.fromkeys((slack.ratios.index(slack.least), slack.ratios.index(slack.most)))
    return said + ", ".join(f"{shown_number(slack.ratios[at])}× at {slack.along} = {slack.at[at]:g}" for at in places)


def loose_words(slacks: Sequence[Slack]) -> str:
    """How far the loosest bound is above what was found, or the nearest below it where none is above; "" of none.

    Examples
    --------
    >>> loose_words((Slack("b", "f", "risk", "n", (1.0, 2.0), (0.5, 10.0)),))
    'up to 10×'
    >>> loose_words((Slack("b", "f", "risk", "n", (1.0, 2.0), (0.1, 0.5)),))
    'below, 0.5× at most'
    """
    if not slacks:
        return ""
    most = max(one.most for one in slacks)
    return f"up to {shown_number(most)}×" if most >= 1 else f"below, {shown_number(most)}× at most"


def range_words(least: float, most: float) -> str:
    """A range of quotients in a few letters.

    Examples
    --------
    >>> range_words(2.0, 10.0), range_words(2.0, 2.001)
    ('2× to 10×', '2×')
    """
    low, high = shown_number(least), shown_number(most)
    return f"{low}×" if low == high else f"{low}× to {high}×"


def _ends(rows: Sequence[SlackRow]) -> tuple[float, float]:
    every = [ratio for row in rows for one in row.slacks for ratio in (one.least, one.most)]
    low = 10.0 ** math.floor(math.log10(max(_FURTHEST[0], min(*every, 1.0))))
    high = 10.0 ** math.ceil(math.log10(min(_FURTHEST[1], max(*every, 1.0))))
    return low, max(high, 10 * low)


def _said(row: SlackRow) -> str:
    return row.said or range_words(min(one.least for one in row.slacks), max(one.most for one in row.slacks))


def _row(row: SlackRow, left: float, y: float, across: Callable[[float], float]) -> str:
    name = row.name if len(row.name) <= _LETTERS else row.name[: _LETTERS - 1] + "…"
    text = f'<text class="name" x="{left - 10:g}" y="{y + 4:.1f}">{escape(name)}</text>'
    if row.link:
        text = f'<a href="{escape(row.link)}" aria-label="{escape(f"{row.title} ({row.name})")}">{text}</a>'
    more = [f"and {len(row.slacks) - _TOLD} more"] if len(row.slacks) > _TOLD else []
    title = escape("\n".join((f"{row.title}: {_said(row)}", *map(words_of, row.slacks[:_TOLD]), *more)))
    marks = "".join(
        f'<path class="span" d="M{across(one.least):.1f} {y:.1f}H{across(one.most):.1f}"/>'
        f'<circle r="4" cx="{across(one.middle):.1f}" cy="{y:.1f}"/>'
        for one in row.slacks
    )
    # what is pointed at is the row, not a mark of four pixels
    area = f'<rect class="area" x="{left:g}" y="{y - _ROW / 2:.1f}" width="{_WIDTH - left:g}" height="{_ROW:g}"/>'
    x = across(max(one.most for one in row.slacks)) + 9
    end = f'<text class="said" x="{x:.1f}" y="{y + 4:.1f}">{_said(row)}</text>'
    return f"{text}<g><title>{title}</title>{area}{marks}{end}</g>"
