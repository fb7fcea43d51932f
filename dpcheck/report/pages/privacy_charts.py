"""Privacy profiles and trade-off curves as charts: what was found beside what is claimed."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from dpcheck.report.pages.charts import chart_svg
from dpcheck.report.whole.model import Curve, PrivacyCurves
from dpcheck.trial.model import Chart, Role, Series

#: The same colour means the same on all these charts: what was found is blue, what is claimed is orange.
_COLOURS = {"certified": 0, "exact": 2, "claimed": 1}


def privacy_charts(curves: PrivacyCurves) -> tuple[Chart, ...]:
    """The charts of the curves that there are: the profile, then the trade-off."""
    found = []
    if curves.profile:
        found.append(
            Chart(
                "profile",
                "Privacy profile: what delta is at each epsilon",
                "epsilon (nats)",
                "delta (probability)",
                tuple(_series(curve, None) for curve in curves.profile),
                x_log=False,
                alt=_alt("The privacy profile", curves.profile, "delta against epsilon"),
            )
        )
    if curves.tradeoff:
        found.append(
            Chart(
                "tradeoff",
                "Trade-off: how well two neighbours can be told apart",
                "probability of a false alarm",
                "least probability of a miss",
                (
                    *(_series(curve, 0.0) for curve in curves.tradeoff),
                    Series("guessing blindly", "bound", 5, (0.0, 1.0), (1.0, 0.0)),
                ),
                x_log=False,
                x_range=(0.0, 1.0),
                y_range=(0.0, 1.0),
                alt=_alt("The trade-off curve", curves.tradeoff, "misses against false alarms"),
            )
        )
    return tuple(found)


def drawn(curves: PrivacyCurves) -> tuple[tuple[Chart, Markup], ...]:
    """The charts with their pictures."""
    return tuple((chart, Markup(chart_svg(chart))) for chart in privacy_charts(curves))


def _series(curve: Curve, certified_from: float | None) -> Series:
    """A curve as a series; a certified one has the region in which the learner's own curve lies as its band."""
    name = {"certified": "certified", "exact": "exact", "claimed": "claimed"}[curve.role]
    words = curve.name if name in curve.name.lower() else f"{curve.name} ({name})"
    band: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    if curve.role == "certified":
        if certified_from is None:
            band = (curve.y, tuple(max((1.0, *curve.y)) for _ in curve.y))
        else:
            band = (tuple(certified_from for _ in curve.y), curve.y)
        words += "; the learner's own lies in the coloured region"
    role: Role = "bound" if curve.role == "claimed" else "exact"
    return Series(words, role, _COLOURS[curve.role], curve.x, curve.y, *band)


def _alt(what: str, curves: Sequence[Curve], axes: str) -> str:
    return f"{what}, {axes}: {', '.join(curve.name for curve in curves)}. The numbers are in the table below it."
