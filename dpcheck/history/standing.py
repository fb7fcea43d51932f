"""Where each learner of a history stands: what its last run found, since when, and its numbers by run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpcheck.history.store import Row

#: Verdicts that somebody has to look into, the gravest first; the last of them says that too little was seen.
TROUBLED = ("failed", "worse", "changed", "inconclusive")


@dataclass(frozen=True)
class Trend:
    """A quantity of a learner over its runs: places among ``rows`` of its standing, with what was found there."""

    quantity: str
    places: tuple[int, ...]
    values: tuple[float, ...]
    worsened: tuple[bool, ...]


@dataclass(frozen=True)
class Standing:
    """One learner: its runs, the last of which says how it stands.

    ``since`` is the first of the runs without interruption that found trouble, ``before`` the one just before these;
    both are None where there is no trouble, and ``before`` where it was there from the first run on.
    """

    learner: str
    rows: tuple[Row, ...]
    since: Row | None
    before: Row | None

    @property
    def last(self) -> Row:
        """Its last run."""
        return self.rows[-1]

    @property
    def troubled(self) -> bool:
        """Whether somebody has to look into it."""
        return self.last.verdict in TROUBLED

    def trends(self) -> tuple[Trend, ...]:
        """Its quantities, in the order in which they first came."""
        names = dict.fromkeys(name for row in self.rows for name in row.quantities)
        return tuple(self._trend(name) for name in names)

    def _trend(self, name: str) -> Trend:
        places = tuple(place for place, row in enumerate(self.rows) if name in row.quantities)
        values = tuple(self.rows[place].quantities[name] for place in places)
        return Trend(name, places, values, tuple(name in self.rows[place].worsened for place in places))


def standings(rows: Sequence[Row]) -> tuple[Standing, ...]:
    """Where each learner stands, those that somebody has to look into first, the gravest first.

    Parameters
    ----------
    rows : in the order in which they were written

    Examples
    --------
    >>> night = [Row("a", "compare", "unchanged"), Row("b", "compare", "unchanged"), Row("a", "compare", "better")]
    >>> found = standings([*night, Row("b", "compare", "worse", at="1st"), Row("b", "compare", "failed", at="2nd")])
    >>> [(one.learner, one.last.verdict, one.since and one.since.at) for one in found]
    [('b', 'failed', '1st'), ('a', 'better', None)]
    """
    runs: dict[str, list[Row]] = {}
    for row in rows:
        runs.setdefault(row.learner, []).append(row)
    found = [_standing(name, some) for name, some in runs.items()]
    return tuple(sorted(found, key=lambda one: (_gravity(one.last.verdict), one.learner)))


def _standing(learner: str, rows: Sequence[Row]) -> Standing:
    good = next((place for place in reversed(range(len(rows))) if rows[place].verdict not in TROUBLED), -1)
    since = rows[good + 1] if good + 1 < len(rows) else None
    return Standing(learner, tuple(rows), since, rows[good] if since is not None and good >= 0 else None)


def _gravity(verdict: str) -> int:
    return TROUBLED.index(verdict) if verdict in TROUBLED else len(TROUBLED)
