"""How a trial's rows are shown: what its page says and draws, declared once, and the measurement made of both."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.trial.model import Chart, Mark, Measurement, Series, Shade, Table, Taken
from dpcheck.trial.rows import Findings, Row

#: What is said where nothing was sampled.
EXACT = "Exact: nothing was sampled. Probabilities are sums of fractions, or balls of as many bits as it takes."
#: The same where calls of a learner were compared with the law that it declares.
EXACT_OF_LAWS = "Exact: nothing was sampled but calls that are compared with the declared laws."
#: All intervals of one measurement hold together, save with this probability.
TOGETHER = 0.05
#: A probability's axis, with room for markers at 0 and 1.
_PROBABILITY = (-0.02, 1.04)
#: Above what is drawn, for other axes.
_ROOM = 1.08
#: The columns of an interval.
_ENDS = ("at least", "at most")


@dataclass(frozen=True)
class Line:
    """A straight line across a chart, with its words: at a number, or at one of the findings' settings by its name.

    Where that setting is None there is no line.
    """

    name: str
    x: float | str | None = None
    y: float | str | None = None

    def mark(self, colour: int, words: Mapping[str, Any]) -> Mark:
        """Where it stands."""
        return Mark(_filled(self.name, words), _end(self.x, words), _end(self.y, words), colour)


@dataclass(frozen=True)
class Band:
    """A shaded region of a chart, with its words: its ends as those of a :class:`Line`, None for the chart's edge.

    Where a setting that it names is None there is no region.
    """

    name: str
    x: tuple[float | str | None, float | str | None] = (None, None)
    y: tuple[float | str | None, float | str | None] = (None, None)

    def shade(self, words: Mapping[str, Any]) -> Shade:
        """Where it lies."""
        x, y = ((_end(low, words), _end(high, words)) for low, high in (self.x, self.y))
        return Shade(_filled(self.name, words), *(None if ends == (None, None) else ends for ends in (x, y)))


@dataclass(frozen=True)
class Plot:
    """The rows that have the setting ``x``, ``each`` where it is given, and no other but ``by``, drawn against it.

    Parameters
    ----------
    key, title : of the chart
    x : the setting of the horizontal axis; ``x_label`` says it in words, which may name the findings' settings too
    y : what the vertical axis is, in words
    by : a setting of which each value, a number or words, has a curve of its own
    each : a setting of which each value has a chart of its own. Its words, lines and shades may name the value; a
        setting of the findings that is a mapping gives what it has for that value
    only : the quantities that are drawn, where not all are
    x_log : whether the horizontal axis is logarithmic
    scale : of the vertical axis; "probability" is linear from 0 to 1
    least : the lower edge of the vertical axis, where values below it do not matter; a number or a setting's name
    lines, shades : what stands across the chart
    """

    key: str
    title: str
    x: str
    y: str
    by: str = ""
    each: str = ""
    only: tuple[str, ...] = ()
    x_label: str = ""
    x_log: bool = True
    scale: Literal["probability", "linear", "log"] = "probability"
    least: float | str | None = None
    lines: tuple[Line, ...] = ()
    shades: tuple[Shade | Band, ...] = ()


@dataclass(frozen=True)
class Pivot:
    """A table of the rows that have the settings ``index`` and no other: a line for each, a column for each quantity.

    A measured quantity has its interval beside it. ``only`` are the quantities, where not all are wanted; ``digits``
    are significant ones.
    """

    caption: str
    index: tuple[str, ...]
    only: tuple[str, ...] = ()
    digits: int = 4


@dataclass(frozen=True)
class Page:
    """What is said and drawn of a trial whatever it finds; words name the findings' settings in braces.

    ``evidence`` says what intervals mean where they are not only those of failure rates (``{intervals}``), ``about``
    are results that it concerns but makes no outcome of.
    """

    title: str
    asked: str
    plots: tuple[Plot, ...] = ()
    pivots: tuple[Pivot, ...] = ()
    evidence: str = "{intervals}"
    about: tuple[str, ...] = ()
    left_out: str = ""


def shown(key: str, results: Sequence[str], page: Page, found: Findings) -> Measurement:
    """The measurement that a page makes of findings.

    Parameters
    ----------
    key, results : of the run
    page : what is said and drawn
    found : what it is said and drawn of

    Raises
    ------
    InvalidArgument
        When the page names a setting that the findings do not have, draws or tabulates rows that are not there, or
        leaves it open what the intervals of sampled numbers mean; when the findings name fewer trials than were made.

    Examples
    --------
    >>> from dpcheck.trial.rows import exact
    >>> page = Page("Losses", "n = 1", (Plot("loss", "Loss", "n", "nats", scale="linear"),), (Pivot("Loss", ("n",)),))
    >>> made = shown("losses", ("mine:thm-1",), page, Findings(exact("loss", [0.5, 0.75], n=[1, 2]), (), "It grows."))
    >>> made.charts[0].series[0].y, made.tables[0].rows
    ((0.5, 0.75), (('1', '0.5'), ('2', '0.75')))
    """
    words = dict(found.settings)
    if "{intervals}" in page.evidence:
        words["intervals"] = _evidence(found)
    return Measurement(
        key,
        _filled(page.title, words),
        tuple(dict.fromkeys((*results, *page.about))),
        _filled(page.asked, words),
        found.found,
        _filled(page.evidence, words),
        tuple(chart for plot in page.plots for chart in _charts(plot, found.rows, words)),
        tuple(_table(pivot, found.rows, words) for pivot in page.pivots),
        tuple(found.outcomes),
        _filled(page.left_out, words),
        trials=_trials(found),
        settings=_settings(found),
    )


def _settings(found: Findings) -> tuple[Taken, ...]:
    """Every setting of the rows, and those that the words name, so that each number can be taken again."""
    taken: dict[str, dict[str, None]] = {}
    for settings in (found.settings, *(row.settings for row in found.rows)):
        for name, value in settings.items():
            if isinstance(value, str | bool | int | float | Fraction | np.number):
                taken.setdefault(name, {}).setdefault(written(value))
    return tuple(Taken(name, tuple(values)) for name, values in taken.items())


def written(value: Any) -> str:
    """A setting's value as pages and data have it.

    >>> written(0.1), written(Fraction(1, 3)), written(20)
    ('0.1', '1/3', '20')
    """
    return f"{float(value):.12g}" if isinstance(value, float | np.number) else str(value)


def _trials(found: Findings) -> int:
    """All runs: those of rows and outcomes, or as the findings have them where some are counted twice or by neither."""
    counts = [*(row.trials for row in found.rows), *(outcome.trials for outcome in found.outcomes)]
    if found.trials is None:
        return sum(counts)
    if found.trials < max(counts, default=0):
        raise InvalidArgument(
            f"trials of Findings must be all that were made, at least the {max(counts):,} of a row or an outcome, got "
            f"{found.trials:,}"
        )
    return found.trials


def _filled(text: str, words: Mapping[str, Any]) -> str:
    """The words with the settings that they name."""
    try:
        return text.format(**words)
    except (KeyError, IndexError, ValueError) as error:
        raise InvalidArgument(
            f"words must name settings of the findings ({', '.join(words)}) in braces, got {text!r}: {error!r}"
        ) from error


def _end(given: float | str | None, words: Mapping[str, Any]) -> float | None:
    """A number, or a setting of the findings by its name."""
    if not isinstance(given, str):
        return given
    if given not in words:
        raise InvalidArgument(
            f"a Line, a Band and least must stand at a number or at a setting ({', '.join(words)}), got {given!r}"
        )
    return None if words[given] is None else float(words[given])


def _stands(ends: Iterable[float | str | None], words: Mapping[str, Any]) -> bool:
    """Whether each setting that is named has a number, if there is such a setting."""
    return all(words.get(end, 0) is not None for end in ends if isinstance(end, str))


def _evidence(found: Findings) -> str:
    """What the intervals of measured rates mean: they hold together but for the sum of their levels."""
    drawn = [row for row in found.rows if row.role == "measured"]
    if not all(row.level for row in drawn) or (not drawn and any(outcome.trials for outcome in found.outcomes)):
        raise InvalidArgument("evidence of a Page must say what the intervals mean where they are not those of rates")
    if not drawn:
        return EXACT
    least, most = (end(row.trials for row in drawn) for end in (min, max))
    together, each = (
        math.floor(1000 * (1 - level) + 1e-6) / 10
        for level in (sum(row.level for row in drawn), max(row.level for row in drawn))
    )
    sure = (
        f"all {len(drawn)} of them hold together with probability at least {together:g}%"
        if together > 0
        else f"each of the {len(drawn)} holds with probability at least {each:g}%"
    )
    return f"Intervals are Clopper-Pearson, {least:,}{f' to {most:,}' * (most > least)} trials a point; {sure}."


def _charts(plot: Plot, rows: Sequence[Row], words: Mapping[str, Any]) -> Iterator[Chart]:
    """One chart, or one for each value of the setting that asks for it."""
    charts: dict[Any, list[Row]] = {}
    for row in rows:
        wanted = row.value is not None and (not plot.only or row.quantity in plot.only)
        if wanted and set(row.settings) - {plot.by} == {plot.x, plot.each} - {""}:
            charts.setdefault(row.settings.get(plot.each), []).append(row)
    if not charts:
        raise InvalidArgument(
            f"x, by and each of a Plot must be the settings of some rows, got {plot.x!r}, {plot.by!r} and {plot.each!r}"
        )
    if not plot.each:
        yield _chart(plot, charts[None], words)
        return
    for value, drawn in charts.items():
        at = {name: given.get(value, given) if isinstance(given, Mapping) else given for name, given in words.items()}
        yield _chart(replace(plot, key=f"{plot.key}-{said(value)}"), drawn, {**at, plot.each: value})


def _chart(plot: Plot, rows: Sequence[Row], words: Mapping[str, Any]) -> Chart:
    curves: dict[tuple[str, Any], list[Row]] = {}
    for row in rows:
        curves.setdefault((row.quantity, row.settings.get(plot.by)), []).append(row)
    colours: dict[tuple[str, Any], int] = {}
    bounded: set[Any] = set()
    series = []
    for (quantity, value), points in curves.items():
        # a bound has the colour of what it bounds, where both are of one value of the setting; a second has its own
        alike = [colours[key] for key in colours if value is not None and key[1] == value]
        shared = alike and points[0].role == "bound" and value not in bounded
        colour = alike[0] if shared else len(set(colours.values()))
        if points[0].role == "bound":
            bounded.add(value)
        colours.setdefault((quantity, value), colour)
        of = value if isinstance(value, str) else f"{plot.by} = {said(value)}"
        name = quantity if value is None else f"{quantity}, {of}"
        series.append(_series(name, colour, plot.x, points))
    label = _filled(plot.x_label, words) or plot.x
    lines = [line for line in plot.lines if _stands((line.x, line.y), words)]
    marks = tuple(line.mark(len(set(colours.values())) + place, words) for place, line in enumerate(lines))
    shades = tuple(
        each.shade(words) if isinstance(each, Band) else each
        for each in plot.shades
        if isinstance(each, Shade) or _stands((*each.x, *each.y), words)
    )
    return Chart(
        plot.key,
        _filled(plot.title, words),
        label,
        plot.y,
        tuple(series),
        marks,
        x_log=plot.x_log,
        y_log=plot.scale == "log",
        y_range=_vertical(plot, series, marks, shades, _end(plot.least, words)),
        alt=f"{plot.y} against {label}. {'; '.join(map(_course, series))}.",
        shades=shades,
    )


def _vertical(
    plot: Plot, series: Sequence[Series], marks: Sequence[Mark], shades: Sequence[Shade], least: float | None
) -> tuple[float, float] | None:
    """The ends of the vertical axis: a linear one begins at 0, so that heights can be compared."""
    if plot.scale == "probability":
        return _PROBABILITY
    tops = [*(value for one in series for value in (*one.y, *one.high)), *(mark.y or 0.0 for mark in marks)]
    tops += [end for shade in shades for end in shade.y or () if end is not None]
    if plot.scale == "linear" and min(value for one in series for value in (*one.y, *one.low)) >= 0:
        return 0.0, _ROOM * max(tops)
    return None if least is None else (least, _ROOM * max(tops))


def _series(name: str, colour: int, x: str, rows: Sequence[Row]) -> Series:
    ends = [row.interval for row in rows if row.interval is not None]
    if ends and len(ends) < len(rows):
        raise InvalidArgument(
            f"rows of a curve must all have an interval or none, got {len(ends)} of {len(rows)} in {name!r}"
        )
    return Series(
        name,
        rows[0].role,
        colour,
        tuple(float(row.settings[x]) for row in rows),
        tuple(row.value for row in rows if row.value is not None),
        tuple(low for low, _ in ends),
        tuple(high for _, high in ends),
        tuple(row.trials for row in rows) if any(row.trials for row in rows) else (),
    )


def _course(one: Series) -> str:
    """What a curve does, for those who do not see it."""
    return f"{one.name} ({one.role}): {one.y[0]:.3g} at {one.x[0]:.3g}, {one.y[-1]:.3g} at {one.x[-1]:.3g}"


def _table(pivot: Pivot, rows: Sequence[Row], words: Mapping[str, Any]) -> Table:
    taken = [
        row for row in rows if set(row.settings) == set(pivot.index) and (not pivot.only or row.quantity in pivot.only)
    ]
    if not taken:
        raise InvalidArgument(f"index of a Pivot must be the settings of some rows, got {pivot.index!r}")
    sampled = {row.quantity for row in taken if row.interval is not None}
    lines: dict[tuple[Any, ...], dict[str, Row]] = {}
    for row in taken:
        line = lines.setdefault(tuple(row.settings[name] for name in pivot.index), {})
        if row.quantity in line:
            raise InvalidArgument(f"rows must have a quantity once at the same settings, got twice {row!r}")
        line[row.quantity] = row
    quantities = dict.fromkeys(row.quantity for row in taken)

    def cells(row: Row | None, quantity: str) -> list[str]:
        ends = () if quantity not in sampled else (None, None) if row is None or row.interval is None else row.interval
        return [said(value, pivot.digits) for value in (None if row is None else row.value, *ends)]

    return Table(
        _filled(pivot.caption, words),
        (*pivot.index, *(name for each in quantities for name in (each, *_ENDS * (each in sampled)))),
        tuple(
            (*map(said, key), *(cell for each in quantities for cell in cells(line.get(each), each)))
            for key, line in lines.items()
        ),
    )


def said(value: Any, digits: int = 4) -> str:
    """A number or a word in a table: whole and large numbers with commas, others to so many significant digits.

    Examples
    --------
    >>> [said(each) for each in (12345, 0.123456, 123456.7, 1234.5, None, "thresholds")]
    ['12,345', '0.1235', '123,457', '1,234', '', 'thresholds']
    """
    if value is None or isinstance(value, str):
        return value or ""
    number = float(value)
    whole = abs(number) < 1e15 and (number.is_integer() or abs(number) >= 10**digits)
    return f"{number:,.0f}" if whole else f"{number:,.{digits}g}"
