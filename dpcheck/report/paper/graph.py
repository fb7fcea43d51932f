"""The graph of results, what rests on what, as SVG: a column for each level, statuses by colour, sign and outline.

Arrows that start from a result with errata, or from one that rests on such, are drawn apart: what errata touch.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol, TypeAlias, TypeVar

from dpcheck.report.pages.layout import Place
from dpcheck.report.paper.model import ResultShown
from dpcheck.report.paper.summary import SIGNS, faults_of, touching

_WIDTH, _HEIGHT, _ACROSS, _DOWN, _EDGE, _LANE = 148.0, 50.0, 52.0, 16.0, 8.0, 14.0
#: A page may make the graph so much smaller before it scrolls.
_LEGIBLE = 0.75
#: How often the order within columns is improved.
_SWEEPS = 24


@dataclass(frozen=True)
class Node:
    """A box of the graph.

    ``touched`` names the results with errata that it rests on, ``spreading`` says whether arrows from it are drawn as
    such that errata reach through; ``link`` is where a click leads.
    """

    id: str
    short: str
    title: str
    status: str
    repaired: str
    rests_on: tuple[str, ...]
    used_by: tuple[str, ...]
    touched: tuple[str, ...] = ()
    spreading: bool = False
    link: str = ""


def nodes_of(results: Sequence[ResultShown], place: Place | None = None) -> tuple[Node, ...]:
    """The results of a paper as boxes that lead to their pages by a place, else to their parts of this page."""
    touched = touching(results)
    faulty = {fault.result.id for fault in faults_of(results)}
    return tuple(
        Node(
            one.id, one.short, one.title, one.status, one.repaired, one.rests_on, one.used_by, touched[one.id],
            one.id in faulty or bool(touched[one.id]), (place.to_result(one.id) if place else "") or f"#{one.short}",
        )
        for one in results
    )  # fmt: skip


def levels_of(results: Sequence[Node]) -> dict[str, int]:
    """The column of each result: one more than the furthest of those it rests on."""
    by_id = {result.id: result for result in results}
    found: dict[str, int] = {}

    def level(id: str) -> int:
        if id not in found:
            below = [level(other) for other in by_id[id].rests_on if other in by_id]
            found[id] = 1 + max(below) if below else 0
        return found[id]

    for result in results:
        level(result.id)
    return found


class Connected(Protocol):
    """What rests on others and is rested on, by ids."""

    @property
    def id(self) -> str: ...  # noqa: D102

    @property
    def rests_on(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def used_by(self) -> tuple[str, ...]: ...  # noqa: D102


Shown = TypeVar("Shown", bound=Connected)


def unconnected(results: Sequence[Shown]) -> tuple[Shown, ...]:
    """The results that rest on nothing here and that nothing here rests on."""
    here = {one.id for one in results}
    return tuple(one for one in results if here.isdisjoint((*one.rests_on, *one.used_by)))


def graph_svg(results: Sequence[Node], key: str = "graph") -> str:
    """The graph as an ``svg`` element whose nodes are links to the results; "" when nothing rests on anything.

    ``key`` makes the ids of its parts unique on the page.
    """
    alone = {result.id for result in unconnected(results)}
    shown = [result for result in results if result.id not in alone]
    if not shown:
        return ""
    levels = _pulled(shown, levels_of(shown))
    routes = {
        (below, result.id): tuple(_Turn(below, result.id, at) for at in range(levels[below] + 1, levels[result.id]))
        for result in shown
        for below in result.rests_on
        if below in levels
    }
    columns: list[list[_Place]] = [[] for _ in range(max(levels.values()) + 1)]
    for result in shown:
        columns[levels[result.id]].append(result.id)
    for route in routes.values():
        for turn in route:
            columns[turn.level].append(turn)
    _order(columns, routes)
    height = max(sum(map(_room, column)) for column in columns) - _DOWN + 2 * _EDGE
    width = len(columns) * (_WIDTH + _ACROSS) - _ACROSS + 2 * _EDGE
    places = _placed(columns, height)
    parts = [
        f'<svg class="graph" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'style="min-width:{_LEGIBLE * width:g}px" role="group" '
        f'aria-label="What rests on what: results as boxes, arrows from each to those that rest on it">',
        f'<defs><marker id="{key}-arrow" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path class="tip" d="M0 0.8 L8 4 L0 7.2 Z"/></marker></defs>',
    ]
    spreading = {result.id for result in results if result.spreading}
    parts += [_arrow(below, above, route, places, below in spreading, key) for (below, above), route in routes.items()]
    parts += [_node(result, *places[result.id]) for result in shown]
    return "".join(parts) + "</svg>"


@dataclass(frozen=True)
class _Turn:
    """Where an arrow passes through a column that it does not end in."""

    below: str
    above: str
    level: int


_Place: TypeAlias = str | _Turn


def _room(place: _Place) -> float:
    """The height that a box, or an arrow passing, takes in its column."""
    return _HEIGHT + _DOWN if isinstance(place, str) else _LANE


def _pulled(shown: Sequence[Node], levels: Mapping[str, int]) -> dict[str, int]:
    """Results that rest on nothing stand just left of the first that rests on them."""
    found = dict(levels)
    for result in shown:
        if not result.rests_on:
            above = [levels[other] for other in result.used_by if other in levels]
            found[result.id] = max(0, min(above) - 1) if above else 0
    return found


def _order(columns: list[list[_Place]], routes: Mapping[tuple[str, str], tuple[_Turn, ...]]) -> None:
    """Fewer crossings: each box and turn near the middle of its neighbours, again and again."""
    before: dict[_Place, list[_Place]] = {}
    after: dict[_Place, list[_Place]] = {}
    for (below, above), route in routes.items():
        stops: list[_Place] = [below, *route, above]
        for one, other in itertools.pairwise(stops):
            after.setdefault(one, []).append(other)
            before.setdefault(other, []).append(one)
    place: dict[_Place, float] = {}

    def number(column: list[_Place]) -> None:
        place.update({one: (index + 0.5) / len(column) for index, one in enumerate(column)})

    for column in columns:
        number(column)
    for sweep in range(_SWEEPS):
        near = before if sweep % 2 == 0 else after
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            middles = {
                one: sum(place[other] for other in near[one]) / len(near[one]) if one in near else place[one]
                for one in column
            }
            column.sort(key=middles.__getitem__)
            number(column)


def _placed(columns: list[list[_Place]], height: float) -> dict[_Place, tuple[float, float]]:
    """The upper left corner of each box and the height of each turn: columns centred, spread a little."""
    found: dict[_Place, tuple[float, float]] = {}
    for level, column in enumerate(columns):
        taken = sum(map(_room, column)) - _DOWN
        spread = min(1.5 * _HEIGHT, (height - 2 * _EDGE - taken) / (len(column) + 1))
        y = (height - taken - spread * (len(column) - 1)) / 2
        for one in column:
            found[one] = (_EDGE + level * (_WIDTH + _ACROSS), y if isinstance(one, str) else y + _LANE / 2)
            y += _room(one) + spread
    return found


def _arrow(
    below: str,
    above: str,
    route: tuple[_Turn, ...],
    places: Mapping[_Place, tuple[float, float]],
    touched: bool,
    key: str,
) -> str:
    """A curve from box to box through the gaps that were kept for it; another one where it comes from an erratum."""
    x, y = places[below][0] + _WIDTH, places[below][1] + _HEIGHT / 2
    drawn = [f"M{x:.1f} {y:.1f}"]
    stops = [(places[turn][0], places[turn][1], True) for turn in route]
    stops.append((places[above][0] - 1, places[above][1] + _HEIGHT / 2, False))
    for to_x, to_y, through in stops:
        bend = (to_x - x) / 2
        drawn.append(f"C{x + bend:.1f} {y:.1f} {to_x - bend:.1f} {to_y:.1f} {to_x:.1f} {to_y:.1f}")
        x, y = to_x, to_y
        if through:
            x += _WIDTH
            drawn.append(f"H{x:.1f}")
    kind = "arrow touched" if touched else "arrow"
    return f'<path class="{kind}" d="{" ".join(drawn)}" marker-end="url(#{key}-arrow)"/>'


def _node(result: Node, x: float, y: float) -> str:
    refuted = result.status == "REFUTED"
    kind = result.status.split(" ")[0].lower()
    if refuted:  # cut corners, so that shape says it too
        cut, right, bottom = 11.0, x + _WIDTH, y + _HEIGHT
        points = [
            (x + cut, y), (right - cut, y), (right, y + cut), (right, bottom - cut), (right - cut, bottom),
            (x + cut, bottom), (x, bottom - cut), (x, y + cut),
        ]  # fmt: skip
        outline = f'<polygon points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in points)}"/>'
    else:
        outline = f'<rect x="{x:.1f}" y="{y:.1f}" width="{_WIDTH:g}" height="{_HEIGHT:g}" rx="9"/>'
    said = f"{SIGNS.get(result.status, '')} {result.status.lower()}"
    if result.repaired not in (result.status, "STATED"):
        said += f" → {result.repaired.lower()}"
    label = (
        f"{result.short}: {result.title}. Statement {result.status.lower()}, repaired proof {result.repaired.lower()}"
    )
    if result.touched:
        label += f". Rests on what has errata: {', '.join(result.touched)}"
    middle = x + _WIDTH / 2
    said_whole = f'aria-label="{escape(label)}"><title>{escape(label)}</title>'
    begin, end = (f'<a class="node {kind}" href="{escape(result.link)}" ', "</a>") if result.link else (
        f'<g class="node {kind}" role="img" ', "</g>"
    )  # fmt: skip
    return (
        f"{begin}{said_whole}"
        f'{outline}<text class="name" x="{middle:.1f}" y="{y + 21:.1f}">{escape(result.short)}</text>'
        f'<text class="said" x="{middle:.1f}" y="{y + 38:.1f}">{escape(said)}</text>{end}'
    )
