"""Charts as SVG to stand inside a page: colours by the page's own variables, names of parts unique on it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from dpcheck.errors import InvalidArgument
from dpcheck.plots import as_svg
from dpcheck.reality.model import Chart, Mark, Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Inches; the page scales it.
_SIZE = (5.9, 4.0)
# Colours that stand for the page's variables: they are replaced in the SVG, so that the page's theme decides.
_INK, _QUIET, _GRID = "#0a0b01", "#0a0b02", "#0a0b03"
_COLOURS = tuple(f"#0a0c{number:02x}" for number in range(1, 9))
_VARIABLES = {
    _INK: "var(--ink)",
    _QUIET: "var(--quiet)",
    _GRID: "var(--line)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(_COLOURS, 1)},
}
_LETTERS = {"alpha": "α", "beta": "β", "epsilon": "ε", "delta": "δ"}
#: Names longer than this stand under each other in a legend.
_LONG = 34
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
_DASHES = {"measured": "-", "exact": "-", "bound": (0, (5, 2.5))}
_STYLE = {
    "font.family": "sans-serif",
    "font.size": 10.5,
    "axes.titlesize": 11.5,
    "text.color": _INK,
    "axes.labelcolor": _INK,
    "axes.edgecolor": _QUIET,
    "xtick.color": _QUIET,
    "ytick.color": _QUIET,
    "xtick.labelcolor": _INK,
    "ytick.labelcolor": _INK,
    "grid.color": _GRID,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
}


def chart_svg(chart: Chart) -> str:
    """The chart as an ``svg`` element for a page: no prolog, no links, labelled for readers who do not see it.

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InvalidArgument(f"report needs matplotlib ({error}): pip install 'dpcheck[plot]'") from error
    with rc_context(_STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        _draw(figure, chart)
        text = as_svg(figure)
    return for_page(text, chart.key, chart.title, chart.alt or chart.title)


def for_page(svg: str, key: str, title: str, alt: str) -> str:
    """A stand-alone SVG as part of a page: ids get the prefix ``key``, colours the page's variables."""
    from html import escape

    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg)
    svg = svg.replace("xlink:href", "href")
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{key}-\1"', svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{key}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{key}-\1)", svg)
    for colour, name in _VARIABLES.items():
        svg = svg.replace(colour, name)
    box = re.search(r'viewBox="[^"]+"', svg)
    head = f'<svg class="chart" {box.group() if box else ""} role="img" aria-labelledby="{key}-name {key}-text">'
    named = f'<title id="{key}-name">{escape(title)}</title><desc id="{key}-text">{escape(alt)}</desc>'
    return head + named + svg[svg.index(">") + 1 :]


def _draw(figure: Figure, chart: Chart) -> None:
    axes = figure.subplots()
    if chart.x_log:
        axes.set_xscale("log")
    if chart.y_log:
        axes.set_yscale("log")
    for series in chart.series:
        _draw_series(axes, series, chart)
    for mark in chart.marks:
        _draw_mark(axes, mark)
    axes.set_title(_said(chart.title), loc="left")
    axes.set_xlabel(_said(chart.x_label))
    axes.set_ylabel(_said(chart.y_label))
    if chart.x_range is not None:
        axes.set_xlim(*chart.x_range)
    if chart.y_range is not None:
        axes.set_ylim(*chart.y_range)
    axes.grid(True, linewidth=0.6)
    axes.set_axisbelow(True)
    names = [*(series.name for series in chart.series), *(mark.name for mark in chart.marks)]
    handles = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    figure.legend(
        [handles[_said(name)] for name in names],
        [_said(name) for name in names],
        loc="outside lower left",
        ncols=2 if max(map(len, names)) <= _LONG else 1,
    )


def _said(words: str) -> str:
    """Greek letters for their names."""
    return re.sub(r"(?<![A-Za-z])(alpha|beta|epsilon|delta)(?![A-Za-z])", lambda found: _LETTERS[found.group()], words)


def _draw_series(axes: Axes, series: Series, chart: Chart) -> None:
    colour = _COLOURS[series.colour % len(_COLOURS)]
    low = [y if math.isfinite(y) else math.nan for y in series.low]
    if series.role == "measured":
        marker = _MARKERS[series.colour % len(_MARKERS)]
        floor = chart.y_range[0] if chart.y_log and chart.y_range else 0.0
        shown = [max(y, floor) for y in series.y]
        axes.plot(series.x, shown, color=colour, linewidth=1.0, alpha=0.6)
        below = [max(0.0, y - max(bottom, floor)) for y, bottom in zip(shown, low, strict=True)]
        above = [max(0.0, top - y) for y, top in zip(shown, series.high, strict=True)]
        axes.errorbar(
            series.x, shown, yerr=(below, above), fmt=marker, color=colour, markersize=4.5, capsize=2.5,
            linewidth=1.2, label=_said(series.name), clip_on=True,
        )  # fmt: skip
        return
    axes.plot(
        series.x, series.y, color=colour, linestyle=_DASHES[series.role], linewidth=1.6, label=_said(series.name),
        marker=_MARKERS[series.colour % len(_MARKERS)] if len(series.x) <= 12 and series.role == "exact" else None,
        markersize=4.0,
    )  # fmt: skip


def _draw_mark(axes: Axes, mark: Mark) -> None:
    colour = _COLOURS[mark.colour % len(_COLOURS)]
    if mark.x is not None:
        axes.axvline(mark.x, color=colour, linestyle=(0, (1.5, 2)), linewidth=1.6, label=_said(mark.name))
    if mark.y is not None:
        axes.axhline(mark.y, color=colour, linestyle=(0, (1.5, 2)), linewidth=1.6, label=_said(mark.name))
