"""The axes of charts: which are logarithmic, where they end, and what their ticks say."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dpcheck.trial.model import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
#: Powers of ten between these are written out.
_WRITTEN_OUT = (-3, 5)
#: Less than so many powers of ten on an axis: 2 and 5 times a power are labelled too.
_FEW, _MANY = 2.2, 7
#: Less than so many powers of ten: round numbers at equal distances.
_LINEAR = 0.6
#: Intervals are drawn down to so much below the least number that is not zero, and end at the edge there.
_BELOW = 30


@dataclass(frozen=True)
class Edges:
    """Which axes are logarithmic, and the height at which values below the lower edge are drawn."""

    x_log: bool
    y_log: bool
    floor: float


def edges(chart: Chart) -> Edges:
    """What a chart's numbers allow: an axis that has no positive numbers, or an x that is not positive, is linear.

    Examples
    --------
    >>> from dpcheck.trial.model import Series
    >>> one = Series("failures", "measured", 0, (1.0, 2.0), (0.25, 0.0))
    >>> edges(Chart("k", "t", "n", "p", (one,), y_log=True)).floor
    0.125
    """
    x = list(_finite(value for series in chart.series for value in series.x))
    drawn = list(_finite(value for series in chart.series for value in series.y))
    y = [*drawn, *_finite(value for series in chart.series for value in (*series.low, *series.high))]
    positive = [value for value in y if value > 0]
    x_log = chart.x_log and bool(x) and min(x) > 0
    y_log = chart.y_log and bool(positive)
    if not y_log:
        return Edges(x_log, False, -math.inf)
    least = max(min(positive), min((value for value in drawn if value > 0), default=0.0) / _BELOW)
    if chart.y_range is not None and chart.y_range[0] > 0:
        # no empty powers of ten below everything that is drawn
        power = 10.0 ** math.floor(math.log10(0.999 * least))
        return Edges(x_log, True, max(chart.y_range[0], power) if min(y) > 0 else chart.y_range[0])
    return Edges(x_log, True, least / 2)


def _finite(values: Iterable[float]) -> Iterable[float]:
    return (value for value in values if math.isfinite(value))


def set_ticks(axes: Axes, x_log: bool, y_log: bool, x_whole: bool = False) -> None:
    """Few ticks, with numbers that a reader knows; whole ones where every x is a whole number."""
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    for axis, logarithmic, ends in ((axes.xaxis, x_log, axes.get_xlim()), (axes.yaxis, y_log, axes.get_ylim())):
        powers = abs(math.log10(ends[1] / ends[0])) if logarithmic else 0.0
        if powers > _LINEAR:
            subs = (1.0,) if powers >= _FEW else (1.0, 2.0, 5.0) if powers >= 1 else (1.0, 2.0, 3.0, 5.0, 7.0)
            axis.set_major_locator(LogLocator(subs=subs, numticks=_MANY if powers >= _FEW else 12))
            axis.set_minor_formatter(NullFormatter())
        else:
            whole = x_whole and axis is axes.xaxis
            axis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=whole))
            axis.set_minor_formatter(NullFormatter())
        axis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))


def tick(value: float) -> str:
    """A number at an axis.

    Examples
    --------
    >>> [tick(x) for x in (200000, 1e6, 5e-5, 0.25, 0)]
    ['200,000', '10⁶', '5·10⁻⁵', '0.25', '0']
    """
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    power = math.floor(math.log10(abs(value)) + 1e-9)
    if _WRITTEN_OUT[0] <= power <= _WRITTEN_OUT[1]:
        return f"{value:,.6g}" if abs(value) < 1 else f"{value:,.10g}"
    leading = value / 10.0**power
    raised = f"10{str(power).translate(_RAISED)}"
    return raised if abs(leading - 1) < 1e-9 else f"{leading:.3g}·{raised}"
