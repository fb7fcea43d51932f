"""Charts that can be asked: the same numbers as the still picture, for Vega-Lite, with what each point says of itself.

A page has the numbers and how they are drawn; the script that draws is one file beside all pages
(:data:`CHARTS_SCRIPT`), so that no page is heavy, and no request leaves the machine. Without script, on paper, and
where that file is not, the still picture stays.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.report.pages.axes import Edges, edges
from dpcheck.report.pages.chart_words import said
from dpcheck.trial.model import Chart, Series

#: What all points of a chart are called in it.
_NUMBERS = "numbers"
#: From the report's folder.
CHARTS_SCRIPT = "charts.js"
#: What the numbers of a page are rounded to: more than a reader sees.
_DIGITS = 6
_COLOURS = 8
_NUMBER = ",.4~g"
#: What the bundle leaves in the page.
_NAMED = "window.vegaEmbed=vegaEmbed; window.vega=vega; window.vegaLite=vegaLite;"
#: Numbers at the axes: written out where that is short.
_LABEL = (
    "datum.value != 0 && (abs(datum.value) >= 1e7 || abs(datum.value) < 1e-4) ? format(datum.value, '~e')"
    " : format(datum.value, ',~r')"
)
#: Powers of ten on an axis from which on only powers are labelled, and how many at most.
_FEW, _MANY = 2.2, 7
_ROLES = {"measured": "measured", "exact": "exact", "bound": "claimed"}
#: Hatched in the still picture; here a wash under all.
_WASH = 0.55


@lru_cache(maxsize=512)
def chart_spec(chart: Chart) -> dict[str, Any]:
    """The chart for Vega-Lite, with its numbers inside: intervals, the claim as a line, excluded regions shaded.

    A point says its series, both numbers with their units, its interval and its trials.

    Raises
    ------
    InvalidArgument
        When altair is not installed.

    Examples
    --------
    >>> one = Series("loss", "exact", 0, (1.0, 2.0), (0.5, 0.75))
    >>> spec = chart_spec(Chart("k", "t", "n", "loss", (one,)))
    >>> [row["y"] for row in spec["datasets"]["numbers"]]
    [0.5, 0.75]
    """
    try:
        import altair as alt
    except ImportError as error:
        raise InvalidArgument(f"report needs altair ({error}): pip install 'dpcheck[plot]'") from error
    ends = edges(chart)
    names = list(dict.fromkeys([one.name for one in chart.series] + [one.name for one in chart.marks]))
    colours = {one.name: one.colour for one in chart.marks} | {one.name: one.colour for one in chart.series}
    x_ends, y_ends = _domain_x(chart, ends), _domain_y(chart, ends)
    x_scale = alt.Scale(type="log" if ends.x_log else "linear", domain=x_ends, nice=False)
    y_scale = alt.Scale(type="log" if ends.y_log else "linear", domain=y_ends, nice=False)
    few = alt.Axis(title=said(chart.x_label), labelExpr=_LABEL, **_ticks(ends.x_log, x_ends))
    x = alt.X("x:Q", scale=x_scale, axis=few)
    y = alt.Y(
        "y:Q", scale=y_scale, axis=alt.Axis(title=said(chart.y_label), labelExpr=_LABEL, **_ticks(ends.y_log, y_ends))
    )
    colour = alt.Color(
        "name:N",
        sort=None,
        scale=alt.Scale(domain=names, range=[f"var(--series-{colours[name] % _COLOURS + 1})" for name in names]),
        legend=alt.Legend(title=None, orient="bottom", direction="vertical", columns=1 if _is_long(names) else 2),
    )
    rows = [row for one in chart.series for row in _rows(one, ends, y_ends)]
    base = alt.Chart(alt.NamedData(_NUMBERS))
    told = [
        alt.Tooltip("name:N", title="series"),
        alt.Tooltip("role:N", title="which is"),
        alt.Tooltip("x:Q", title=said(chart.x_label), format=_NUMBER),
        alt.Tooltip("value:Q", title=said(chart.y_label), format=_NUMBER),
        alt.Tooltip("interval:N", title="interval"),
        alt.Tooltip("trials:N", title="trials"),
    ]
    layers: list[Any] = []
    for shade in chart.shades:
        (left, right), (low, high) = _between(shade.x, x_ends), _between(shade.y, y_ends)
        region = alt.Chart(
            alt.Data(values=[{"left": left, "right": right, "low": low, "high": high, "said": shade.name}])
        )
        layers.append(
            region.mark_rect(opacity=_WASH, fill="var(--line)", clip=True).encode(
                x=alt.X("left:Q", scale=x_scale, axis=few), x2="right:Q", y=alt.Y("low:Q", scale=y_scale), y2="high:Q",
                tooltip=alt.Tooltip("said:N", title="excluded, or nothing said"),
            )
        )  # fmt: skip
    if any("low" in row for row in rows):
        banded = base.transform_filter("isValid(datum.low)")
        layers.append(
            banded.mark_area(opacity=0.16, clip=True).encode(
                x=x, y=alt.Y("low:Q", scale=y_scale), y2="high:Q", color=colour
            )
        )
        layers.append(
            banded.transform_filter("datum.role == 'measured'")
            .mark_rule(clip=True)
            .encode(x=x, y=alt.Y("low:Q", scale=y_scale), y2="high:Q", color=colour)
        )
    layers.append(
        base.mark_line(clip=True).encode(
            x=x, y=y, color=colour,
            strokeDash=alt.condition("datum.role == 'claimed'", alt.value([6, 3]), alt.value([1, 0])),
            detail="role:N",
        )
    )  # fmt: skip
    for mark in chart.marks:
        line = alt.Chart(alt.Data(values=[{"name": mark.name, "at": _rounded(mark.x if mark.y is None else mark.y)}]))
        across = (
            {"x": alt.X("at:Q", scale=x_scale, axis=few)} if mark.y is None else {"y": alt.Y("at:Q", scale=y_scale)}
        )
        layers.append(
            line.mark_rule(strokeDash=[2, 3], strokeWidth=1.8, clip=True).encode(
                **across, color=colour,
                tooltip=[alt.Tooltip("name:N", title="claim"), alt.Tooltip("at:Q", title="at", format=_NUMBER)],
            )
        )  # fmt: skip
    # large and hardly seen: what is pointed at; small and full where something was found
    layers.append(
        base.mark_point(filled=True, clip=True).encode(
            x=x, y=y, color=colour, tooltip=told,
            size=alt.condition("datum.role == 'claimed'", alt.value(60), alt.value(45)),
            opacity=alt.condition("datum.role == 'claimed'", alt.value(0.01), alt.value(1)),
            shape=alt.condition("datum.cut", alt.value("triangle-down"), alt.value("circle")),
        )
    )  # fmt: skip
    drawn = alt.layer(*layers, description=chart.alt or chart.title).properties(
        title=alt.TitleParams(said(chart.title), anchor="start", fontWeight="normal", fontSize=13),
        width=420,
        height=250,
    )
    made: dict[str, Any] = drawn.configure(**_CONFIG).to_dict()
    return {**made, "datasets": {_NUMBERS: rows}}


_CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--ink)", "titleColor": "var(--ink)", "tickColor": "var(--quiet)",
        "domainColor": "var(--quiet)", "gridColor": "var(--line)", "labelFontSize": 11.5, "titleFontSize": 12,
        "titleFontWeight": "normal", "labelOverlap": "greedy",
    },
    "legend": {
        "labelColor": "var(--ink)", "labelLimit": 480, "labelFontSize": 11.5, "symbolType": "stroke",
        "symbolOpacity": 1, "symbolStrokeWidth": 2.5,
    },
    "title": {"color": "var(--ink)"},
}  # fmt: skip


@cache
def charts_script() -> str:
    """The script that draws: Vega, Vega-Lite and their embedding as one file that asks for nothing, and its start.

    Raises
    ------
    InvalidArgument
        When vl-convert is not installed.
    """
    try:
        import vl_convert
    except ImportError as error:
        raise InvalidArgument(f"report needs vl-convert ({error}): pip install 'dpcheck[plot]'") from error
    start = (resources.files("dpcheck.report.pages") / "templates" / "charts.js").read_text(encoding="utf-8")
    bundle: str = vl_convert.javascript_bundle(_NAMED)
    return f"{bundle}\n{start}"


def _rows(series: Series, ends: Edges, y_ends: Sequence[float]) -> list[dict[str, Any]]:
    found = []
    for at, (x, value) in enumerate(zip(series.x, series.y, strict=True)):
        if not (math.isfinite(x) and math.isfinite(value)) or (ends.x_log and x <= 0):
            continue
        row: dict[str, Any] = {
            "name": series.name, "role": _ROLES[series.role], "x": _rounded(x), "y": _rounded(value),
        }  # fmt: skip
        row["value"] = row["y"]
        if ends.y_log and value < y_ends[0]:
            if series.role == "bound":
                continue
            row["y"], row["cut"] = y_ends[0], True
        row["interval"], row["trials"] = f"none ({row['role']})", "none"
        if series.low and series.high:
            low, high = series.low[at], series.high[at]
            row["interval"] = f"[{low:.4g}, {high:.4g}]"
            if math.isfinite(low) and math.isfinite(high):
                row["low"], row["high"] = max(_rounded(low), y_ends[0]), max(_rounded(high), y_ends[0])
        if series.trials:
            row["trials"] = f"{series.trials[at]:,}"
        found.append(row)
    return found


def _domain_x(chart: Chart, ends: Edges) -> list[float]:
    if chart.x_range is not None:
        return [*map(_rounded, chart.x_range)]
    x = [*(value for one in chart.series for value in one.x), *(one.x for one in chart.marks if one.x is not None)]
    return _domain(x, ends.x_log, 0.03)


def _domain_y(chart: Chart, ends: Edges) -> list[float]:
    y = [value for one in chart.series for value in (*one.y, *one.low, *one.high)]
    y += [one.y for one in chart.marks if one.y is not None]
    found = _domain([value for value in y if value >= ends.floor] if ends.y_log else y, ends.y_log, 0.05)
    if chart.y_range is None:
        return [max(found[0], ends.floor), found[1]] if ends.y_log else found
    return [_rounded(max(chart.y_range[0], ends.floor)), _rounded(chart.y_range[1])]


def _domain(values: Iterable[float], logarithmic: bool, room: float) -> list[float]:
    """The least and the largest with a little room; a whole unit, or power, about a single one."""
    known = [value for value in values if math.isfinite(value) and (value > 0 or not logarithmic)]
    if not known:
        return [1.0, 10.0] if logarithmic else [0.0, 1.0]
    low, high = min(known), max(known)
    if logarithmic:
        wide = (math.log10(high / low) if high > low else 1.0) * room
        return [_rounded(low / 10**wide), _rounded(high * 10**wide)]
    wide = ((high - low) or abs(high) or 1.0) * room
    # what begins at zero is drawn from there
    return [_rounded(0.0 if 0 <= low < wide else low - wide), _rounded(high + wide)]


def _ticks(logarithmic: bool, ends: Sequence[float]) -> dict[str, Any]:
    """Few places for numbers: of a long logarithmic axis powers of ten, of a short one 2 and 5 times them too."""
    if not logarithmic:
        return {"tickCount": 6}
    low, high = math.log10(ends[0]), math.log10(ends[1])
    every = math.ceil(max(1.0, (high - low) / _MANY))
    steps = (1.0,) if high - low >= _FEW else (1.0, 2.0, 5.0)
    places = [step * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1, every) for step in steps]
    shown = [_rounded(value) for value in places if ends[0] <= value <= ends[1]]
    return {"values": shown} if len(shown) > 1 else {"tickCount": 6}


def _between(given: tuple[float | None, float | None] | None, ends: Sequence[float]) -> tuple[float, float]:
    low, high = given or (None, None)
    return (ends[0] if low is None else low), (ends[1] if high is None else high)


def _rounded(value: float | None) -> float:
    return 0.0 if value is None else float(f"{value:.{_DIGITS}g}")


def _is_long(names: Sequence[str]) -> bool:
    return max(map(len, names), default=0) > 34
