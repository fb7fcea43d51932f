"""From entries and comparisons to rows of the history, and from rows to a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dpcheck.history.baseline import Entry
from dpcheck.history.comparisons import Compared, Kind, State
from dpcheck.history.distinguishers import BEST_GUESS
from dpcheck.history.store import Row
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.harmless import one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Inches: a panel per quantity, as wide as a page.
_WIDTH, _HEIGHT = 8.0, 1.9
#: Panels beyond this would be a poster.
MOST_PANELS = 12
_LINE, _BAD = "#1f5fa8", "#b3331d"


def quantities_of_entry(entry: Entry) -> dict[str, float]:
    """The numbers of an entry, by the names that comparisons use.

    Returns
    -------
    dict
        Estimates, save "certified epsilon" (a bound) and exact ones.
    """
    privacy = entry.privacy
    sums = next((one.sums for one in privacy.told if one.what == BEST_GUESS), ())
    found = {"distinguishing advantage": sum(sums) / (len(sums) * privacy.block_calls)} if sums else {}
    found["certified epsilon"] = privacy.certified
    if entry.privacy.exact is not None:
        found["exact epsilon"] = entry.privacy.exact.epsilon
    found |= {f"risk at {task}": risk.mean for task, risk in entry.utility.items()}
    if entry.cost is not None:
        found["cost of a call"] = entry.cost.median
    return found


def row_of_entry(name: str, entry: Entry, commit: tuple[str, bool]) -> Row:
    """The row of an entry that was recorded."""
    return Row(name, "record", "recorded", quantities_of_entry(entry), *commit)


def row_of_compared(result: Compared, commit: tuple[str, bool]) -> Row | None:
    """The row of an entry that was compared; None where nothing was measured."""
    if result.state is State.NOT_PRODUCED:
        return None
    if result.state is State.NEW and result.fresh is not None:
        return Row(result.name, "compare", "new", quantities_of_entry(result.fresh), *commit)
    if result.state is State.FAILED:
        return Row(result.name, "compare", "failed", {}, *commit)
    kinds = [change.kind for change in result.changes]
    told = (Kind.WORSE, Kind.CHANGED, Kind.INCONCLUSIVE, Kind.BETTER)
    verdict = next((kind for kind in told if kind in kinds), Kind.UNCHANGED)
    now = {change.quantity: change.now for change in result.changes if not math.isnan(change.now) and change.level}
    now |= {change.quantity: change.now for change in result.changes if change.quantity == "exact epsilon"}
    worsened = tuple(change.quantity for change in result.of_kind(Kind.WORSE, Kind.CHANGED))
    return Row(result.name, "compare", verdict.value, now, *commit, worsened=worsened)


def history_figure(learner: str, rows: Sequence[Row]) -> Figure:
    """A learner's quantities over its runs, a panel each, with the commits below.

    Raises
    ------
    InvalidArgument
        When there is nothing to draw, or no matplotlib.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InvalidArgument(f"plot needs matplotlib ({error}): pip install 'dpcheck[plot]'") from error
    names = list(dict.fromkeys(name for row in rows for name in row.quantities))[:MOST_PANELS]
    if not names:
        raise InvalidArgument(f"history of {learner} must hold measurements to be drawn, got none")
    figure = Figure(figsize=(_WIDTH, 0.8 + _HEIGHT * len(names)), layout="constrained")
    panels = figure.subplots(len(names), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, names, strict=True):
        places = [place for place, row in enumerate(rows) if name in row.quantities]
        axes.plot(places, [rows[place].quantities[name] for place in places], "o-", color=_LINE, markersize=4.0)
        bad = [place for place in places if name in rows[place].worsened]
        axes.plot(bad, [rows[place].quantities[name] for place in bad], "o", color=_BAD, markersize=7.0)
        axes.set_title(_drawn(name), loc="left", fontsize="medium")
        axes.margins(y=0.3)
        axes.grid(axis="y", color="0.9")
    labels = [(row.commit[:7] + ("+" if row.dirty else "")) if row.commit else row.at[:10] for row in rows]
    step = max(1, len(rows) // 16)
    panels[-1].set_xticks(range(0, len(rows), step), labels[::step], rotation=60, ha="right", fontsize="small")
    panels[-1].set_xlabel("commit (+: with changes not committed)")
    figure.suptitle(f"{_drawn(learner)}: what it did, run by run (red: said to be worse or changed)", fontsize="medium")
    return figure


def _drawn(text: str) -> str:
    # a dollar sign would start mathematics
    return one_line(text).replace("$", r"\$")
