"""The numbers of a chart as rows of a table, for those who do not see it, and which columns of a table are words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dpcheck.model.bounds_shown import within
from dpcheck.trial.model import Chart, Role, Series, Table

#: Of longer curves that were not measured by trials every few points are shown, about so many.
_POINTS = 13
_NUMBER = re.compile(r"[\[(<>≤≥~≈]*\s*[-−+]?(\.?\d|inf|nan)")


@dataclass(frozen=True)
class ChartRow:
    """A point of a chart in words; ``interval`` and ``trials`` are empty where nothing was sampled."""

    name: str
    role: Role
    x: str
    y: str
    interval: str
    trials: str


def rows_of(chart: Chart) -> tuple[ChartRow, ...]:
    """The points of a chart: all that were measured, and of long curves every few, the first and the last with them.

    Examples
    --------
    >>> one = Series("loss", "exact", 0, (1.0, 2.0), (0.5, 0.75))
    >>> [(row.x, row.y) for row in rows_of(Chart("k", "t", "n", "loss", (one,)))]
    [('1', '0.5'), ('2', '0.75')]
    """
    return tuple(row for series in chart.series for row in _rows(series))


def columns_of_words(table: Table) -> frozenset[int]:
    """The places of the columns in which some cell does not begin with a number; cells that are empty do not count.

    Examples
    --------
    >>> sorted(columns_of_words(Table("c", ("n", "least", "said"), (("10", "1,200", "far above"), ("9", "", "2.5")))))
    [2]
    """
    return frozenset(place for row in table.rows for place, cell in enumerate(row) if cell and not _NUMBER.match(cell))


def is_thinned(chart: Chart) -> bool:
    """Whether points were left out."""
    return any(len(_chosen(series)) < len(series.x) for series in chart.series)


def _rows(series: Series) -> list[ChartRow]:
    ends = bool(series.low and series.high)
    return [
        ChartRow(
            series.name,
            series.role,
            f"{series.x[at]:,g}" if abs(series.x[at]) < 1e6 else f"{series.x[at]:g}",
            f"{series.y[at]:.4g}",
            within(series.low[at], series.high[at], ".4g") if ends else "",
            f"{series.trials[at]:,}" if series.trials else "",
        )
        for at in _chosen(series)
    ]


def _chosen(series: Series) -> list[int]:
    last = len(series.x) - 1
    if series.trials or last < _POINTS:
        return list(range(last + 1))
    return sorted({round(place * last / (_POINTS - 1)) for place in range(_POINTS)})
