"""Charts as SVG to stand inside a page: colours by the page's own variables, names of parts unique on it."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.verdict.plots import as_svg
from dpcheck.report.pages.axes import Edges, edges, set_ticks
from dpcheck.report.pages.chart_words import raised_and_lowered, said, wrapped
from dpcheck.trial.model import Chart, Mark, Series, Shade

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Inches, without the legend, of which each line has its height; the page scales it.
_WIDTH, _HEIGHT, _LINE = 5.9, 3.45, 0.185
# Colours that stand for the page's variables: they are replaced in the SVG, so that the page's theme decides.
_INK, _QUIET, _GRID = "#0a0b01", "#0a0b02", "#0a0b03"
_COLOURS = tuple(f"#0a0c{number:02x}" for number in range(1, 9))
_VARIABLES = {
    _INK: "var(--ink)",
    _QUIET: "var(--quiet)",
    _GRID: "var(--line)",
    **{colour: f"var(--series-{number})" for number, colour in enumerate(_COLOURS, 1)},
}
#: Names longer than this stand under each other in a legend; longer than a line's letters, on several lines.
_LONG, _LETTERS_OF_A_LINE, _LETTERS_OF_A_TITLE, _LETTERS_OF_HEIGHT = 34, 74, 66, 34
#: What was found below a logarithmic axis is a mark of its own at its edge, with these words in the legend.
_OUTSIDE = 1e-3
_CUT, _AT_EDGE = 11, "at the lower edge: this or less"
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
#: Bounds of different colours have different dashes too.
_BOUNDS = ((0, (5, 2.5)), (0, (8, 2, 2, 2)), (0, (3, 2)), (0, (8, 2, 2, 2, 2, 2)))
_MARK = (0, (1.5, 2))
#: So many markers tell an exact curve apart from others.
_MARKED = 9
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
    "hatch.linewidth": 0.7,
}


def chart_svg(chart: Chart, within: str = "") -> str:
    """The chart as an ``svg`` element for a page: no prolog, no links, labelled for readers who do not see it.

    Parameters
    ----------
    chart : Chart
    within : what the chart belongs to; with the chart's key it makes the ids of its parts unique on the page

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
    names = [*(one.name for one in chart.series), *(one.name for one in chart.marks), *(s.name for s in chart.shades)]
    names += [_AT_EDGE] if _is_cut(chart, edges(chart)) else []
    columns = 2 if max(map(len, names), default=0) <= _LONG else 1
    lines = sum(wrapped(name, _LETTERS_OF_A_LINE).count("\n") + 1 for name in dict.fromkeys(names))
    title = wrapped(chart.title, _LETTERS_OF_A_TITLE)
    height = _HEIGHT + _LINE * (math.ceil(lines / columns) + 1.1 * title.count("\n"))
    with rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        _draw(figure, chart, title, columns)
        text = as_svg(figure)
    key = re.sub(r"[^\w-]+", "-", "-".join(part for part in ("chart", within, chart.key) if part))
    return for_page(text, key, chart.title, chart.alt or chart.title)


def for_page(svg: str, key: str, title: str, alt: str) -> str:
    """A stand-alone SVG as part of a page: ids get the prefix ``key``, colours the page's variables."""
    from html import escape

    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    # the page's own style sheet says it: no other one is allowed on a page
    svg = re.sub(r"<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", svg)
    svg = svg.replace("xlink:href", "href")
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{key}-\1"', svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{key}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{key}-\1)", svg)
    for colour, name in _VARIABLES.items():
        svg = svg.replace(colour, name)
    svg = raised_and_lowered(svg)
    box = re.search(r'viewBox="[^"]+"', svg)
    head = f'<svg class="chart" {box.group() if box else ""} role="img" aria-labelledby="{key}-name {key}-text">'
    named = f'<title id="{key}-name">{escape(title)}</title><desc id="{key}-text">{escape(alt)}</desc>'
    return head + named + svg[svg.index(">") + 1 :]


def _draw(figure: Figure, chart: Chart, title: str, columns: int) -> None:
    axes = figure.subplots()
    ends = edges(chart)
    if ends.x_log:
        axes.set_xscale("log")
    if ends.y_log:
        axes.set_yscale("log")
    handles: dict[str, Any] = {}
    for place, series in enumerate(chart.series):
        hidden = any(_same(series, other) for other in chart.series[place + 1 :])
        handles[series.name] = _draw_series(axes, series, ends.floor, hidden)
    for mark in chart.marks:
        handles[mark.name] = _draw_mark(axes, mark)
    if _is_cut(chart, ends):
        handles[_AT_EDGE] = axes.plot([], [], color=_INK, linestyle="none", marker=_CUT, markersize=6.0)[0]
    # from the figure's edge: above the axes alone there is less room than words need
    figure.suptitle(title, x=0.01, horizontalalignment="left", fontsize=_STYLE["axes.titlesize"])
    axes.set_xlabel(said(chart.x_label))
    axes.set_ylabel(wrapped(chart.y_label, _LETTERS_OF_HEIGHT))
    if chart.x_range is not None:
        axes.set_xlim(*chart.x_range)
    if chart.y_range is not None:
        axes.set_ylim(max(chart.y_range[0], ends.floor), chart.y_range[1])
    elif ends.y_log and any(value < ends.floor for series in chart.series for value in (*series.y, *series.low)):
        axes.set_ylim(bottom=ends.floor)
    x = [value for series in chart.series for value in series.x]
    set_ticks(axes, ends.x_log, ends.y_log, all(float(value).is_integer() for value in x))
    for shade in chart.shades:
        handles[shade.name] = _draw_shade(axes, shade)
    axes.grid(True, which="major", linewidth=0.6)
    axes.set_axisbelow(True)
    if handles:
        words = [wrapped(name, _LETTERS_OF_A_LINE) for name in handles]
        figure.legend(list(handles.values()), words, loc="outside lower left", ncols=columns)


def _is_cut(chart: Chart, ends: Edges) -> bool:
    """Whether a number that was found, not one that is claimed, lies below the lower edge of a logarithmic axis."""
    return ends.y_log and any(_cut(series, ends.floor) for series in chart.series)


def _cut(series: Series, floor: float) -> list[float]:
    """Where a curve that was found is below the lower edge."""
    if series.role == "bound":
        return []
    return [x for x, y in zip(series.x, series.y, strict=True) if y <= floor]


def _same(one: Series, other: Series) -> bool:
    """Whether the second would hide the first: both were found, and are the same to the eye."""
    if "bound" in (one.role, other.role) or one.x != other.x:
        return False
    return all(math.isclose(left, right, rel_tol=0.01) for left, right in zip(one.y, other.y, strict=True))


def _draw_series(axes: Axes, series: Series, floor: float, hidden: bool) -> Any:
    """A curve or points, its intervals as a band, whiskers where each is of trials of its own; returns its handle.

    One that another would hide is drawn broader, and shows around it.
    """
    colour = _COLOURS[series.colour % len(_COLOURS)]
    marker = _MARKERS[series.colour % len(_MARKERS)]
    # what is claimed leaves the chart; what was found stays at its edge, marked
    y = [_within_axes(value, floor * _OUTSIDE if series.role == "bound" else floor) for value in series.y]
    broad, large = (3.6, 6.5) if hidden else (1.6, 4.0)
    cut = _cut(series, floor)
    if cut:
        axes.plot(cut, [floor] * len(cut), color=colour, linestyle="none", marker=_CUT, markersize=7.0, clip_on=False)
    if series.low and series.high:
        low, high = ([_within_axes(value, floor) for value in ends] for ends in (series.low, series.high))
        axes.fill_between(series.x, low, high, color=colour, alpha=0.16, linewidth=0)
    if series.role == "measured":
        axes.plot(series.x, y, color=colour, linewidth=1.0, alpha=0.7)
        whiskers = None
        if series.low and series.high:
            whiskers = (
                [max(0.0, value - end) for value, end in zip(y, low, strict=True)],
                [max(0.0, end - value) for value, end in zip(y, high, strict=True)],
            )
        return axes.errorbar(
            series.x, y, yerr=whiskers, fmt=marker, color=colour, markersize=large + 0.5, capsize=2.5, linewidth=1.2,
        )  # fmt: skip
    marked = series.role == "exact"
    (line,) = axes.plot(
        series.x, y, color=colour, linewidth=broad if marked else 1.6,
        linestyle="-" if marked else _BOUNDS[series.colour % len(_BOUNDS)],
        marker=marker if marked else None, markersize=large, markevery=max(1, len(y) // _MARKED),
    )  # fmt: skip
    return line


def _within_axes(value: float, floor: float) -> float:
    """The value, or the lower edge where it is below; not drawn where it is no number."""
    return max(value, floor) if math.isfinite(value) else math.nan


def _draw_mark(axes: Axes, mark: Mark) -> Any:
    colour = _COLOURS[mark.colour % len(_COLOURS)]
    line = None
    if mark.x is not None:
        line = axes.axvline(mark.x, color=colour, linestyle=_MARK, linewidth=1.6)
    if mark.y is not None:
        line = axes.axhline(mark.y, color=colour, linestyle=_MARK, linewidth=1.6)
    return line


def _draw_shade(axes: Axes, shade: Shade) -> Any:
    """A hatched region up to the edges of the chart, which stay where they are."""
    x_ends, y_ends = axes.get_xlim(), axes.get_ylim()
    x = [end if given is None else given for given, end in zip(shade.x or (None, None), x_ends, strict=True)]
    y = [end if given is None else given for given, end in zip(shade.y or (None, None), y_ends, strict=True)]
    region = axes.fill_between(
        x, [y[0]] * 2, [y[1]] * 2, facecolor=_GRID, alpha=0.55, edgecolor=_QUIET, hatch="///", linewidth=0, zorder=0.5
    )
    axes.set_xlim(*x_ends)
    axes.set_ylim(*y_ends)
    return region
