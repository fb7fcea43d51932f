"""How loose a paper's bounds are: what each claims over what was found, wherever the two were drawn together."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import geometric_mean

from dpcheck.trial.model import Chart, Measurement, Series

#: Two bounds, or two things found, at the same place within so much are at one place.
_SAME_PLACE = 1e-9
#: Of a measurement with these words and none that holds only orders are claimed: its curves are without constants.
_OF_ORDERS = frozenset({"compatible", "not compatible"})
#: How a curve's name says whose bound it is.
_KINDS = {
    "theorem": "thm", "lemma": "lem", "corollary": "cor", "claim": "clm", "proposition": "prop", "remark": "rem",
    "example": "ex", "observation": "obs",
}  # fmt: skip
_NAMED = re.compile(
    rf"\b({'|'.join((*_KINDS, *_KINDS.values(), 'eq', 'inf', 'int', 'cmp'))})[ -]([\w.]*\d[\w.]*)", re.I
)


@dataclass(frozen=True)
class Slack:
    """A bound over what was found: the quotients where both are known, and where the least and the most of them are.

    Above 1 the bound allows more than was found; below 1 it asks for less, as a lower bound should.

    Parameters
    ----------
    bound, found : what was compared, in words
    what : the quantity of both, with its unit
    along : what is varied, with its unit
    at : the places
    ratios : one for each place
    result : the id of the result whose bound it is
    """

    bound: str
    found: str
    what: str
    along: str
    at: tuple[float, ...]
    ratios: tuple[float, ...]
    result: str = ""

    @property
    def least(self) -> float:
        """The least quotient."""
        return min(self.ratios)

    @property
    def most(self) -> float:
        """The largest quotient."""
        return max(self.ratios)

    @property
    def middle(self) -> float:
        """Their geometric mean."""
        return geometric_mean(self.ratios)


def slacks_of(measurement: Measurement) -> tuple[Slack, ...]:
    """How loose the bounds of a measurement are: of sizes that claims name, and of curves in its charts.

    Curves of orders, without the constants that nobody has printed, are no bounds that a number could be compared with.

    Examples
    --------
    >>> found = Series("found", "exact", 0, (1.0, 2.0), (0.5, 0.1))
    >>> chart = Chart("k", "t", "n", "risk", (found, Series("claimed", "bound", 0, (1.0, 2.0), (1.0, 1.0))))
    >>> (one,) = slacks_of(Measurement("k", "t", (), "", "", "", (chart,)))
    >>> one.ratios
    (2.0, 10.0)
    """
    sizes = [
        Slack(
            one.claim, "measured", "size that the claim names over the measured one", "", (), (one.slack,), one.result
        )
        for one in measurement.outcomes
        if one.slack is not None and 0 < one.slack < math.inf
    ]
    words = {one.word for one in measurement.outcomes}
    if words & _OF_ORDERS and "holds" not in words:
        return tuple(sizes)
    return (*sizes, *(one for chart in measurement.charts for one in _of_chart(chart, measurement.results)))


def owner_of(name: str, results: Sequence[str]) -> str:
    """Whose bound a curve is, by its name; of one that names none the first result that the measurement is about.

    Examples
    --------
    >>> owner_of("lemma 18: #I exp(-t)", ("a:lem-16", "a:lem-18")), owner_of("promised", ("a:thm-8", "a:thm-9"))
    ('a:lem-18', 'a:thm-8')
    """
    first = next(iter(results), "")
    named = _NAMED.search(name)
    if named is None or not first:
        return first
    kind, number = named[1].lower(), named[2].rstrip(".")
    return f"{first.partition(':')[0]}:{_KINDS.get(kind, kind)}-{number}"


def spread_of(slacks: Sequence[Slack]) -> tuple[float, float] | None:
    """The least and the largest quotient of several; None of none.

    Examples
    --------
    >>> spread_of((Slack("b", "f", "risk", "n", (1.0, 2.0), (2.0, 10.0)),))
    (2.0, 10.0)
    """
    if not slacks:
        return None
    return min(one.least for one in slacks), max(one.most for one in slacks)


def _of_chart(chart: Chart, results: Sequence[str]) -> Iterator[Slack]:
    for bound, found in _pairs(chart.series):
        places = [
            (x, claimed / y)
            for x, y in zip(found.x, found.y, strict=True)
            if y > 0 and (claimed := _at(bound, x)) is not None
        ]
        if places:
            at, ratios = zip(*places, strict=True)
            owner = owner_of(bound.name, results)
            yield Slack(bound.name, found.name, chart.y_label, chart.x_label, tuple(at), tuple(ratios), owner)


def _pairs(series: Sequence[Series]) -> Iterable[tuple[Series, Series]]:
    """Which bound is about which curve: those of one colour; where colours tell nothing, the only one of its kind."""
    bounds = [one for one in series if one.role == "bound"]
    found = [one for one in series if one.role != "bound"]
    alike = [(bound, one) for bound in bounds for one in found if bound.colour == one.colour]
    if len({bound.name for bound, _ in alike}) == len(bounds):
        return alike
    if len(bounds) == 1 or len(found) == 1:
        return [(bound, one) for bound in bounds for one in found]
    return alike


def _at(bound: Series, x: float) -> float | None:
    """The bound at a place: as drawn, else between the two neighbours on logarithmic scales; None outside of it."""
    points = sorted((a, b) for a, b in zip(bound.x, bound.y, strict=True) if b > 0 and math.isfinite(b))
    for a, b in points:
        if math.isclose(a, x, rel_tol=_SAME_PLACE):
            return b
    for (a, low), (b, high) in itertools.pairwise(points):
        if 0 < a < x < b:
            share = math.log(x / a) / math.log(b / a)
            return math.exp(math.log(low) + share * math.log(high / low))
    return None
