"""A measurement as a person reads it: its paragraph, and its privacy profile as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpcheck.model.harmless import printable

if TYPE_CHECKING:
    from dpcheck.model.verdict import CurvePoint, Measurement

# A table that fits under its paragraph on a terminal of 24 lines.
_ROWS = 12


def render(measurement: Measurement) -> str:
    """The paragraph of a measurement and a table of its profile; both curves are whole in its JSON."""
    text = printable(str(measurement)) + "\n"
    if not measurement.profile or measurement.failure:
        return text
    rows = [f"  {'epsilon':>8}  {'delta at least':>14}"]
    rows += [f"  {point.x:>8.3f}  {point.y:>14.3g}" for point in _thinned(measurement.profile)]
    return text + "\nPrivacy profile, all rows together at the same confidence:\n" + "\n".join(rows) + "\n"


def _thinned(points: tuple[CurvePoint, ...]) -> list[CurvePoint]:
    """Evenly spread points up to the first at which nothing is certified any more; later ones say no more."""
    reaching = next((place for place, point in enumerate(points) if point.y <= 0), len(points) - 1) + 1
    step = max(1, -(-reaching // _ROWS))
    return list(points[:reaching:step])
