"""Figures of measurements: vectors, the same bytes on every run, text that stays text."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING

from dpcheck.model.bounds_shown import at_least
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.harmless import one_line
from dpcheck.model.verdict.parts import confidence

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from dpcheck.model.verdict.values import Measurement

# Inches: two square plots beside each other on a page.
_SIZE = (9.0, 4.2)
# Names of elements in an SVG are hashes of this and their content; without it they would differ from run to run.
_SALT = "dpcheck"
_CERTIFIED, _FORBIDDEN, _MARK = "#1f5fa8", "#c8d8ea", "#b3331d"
_NOTHING = "nothing certified"


def two_panels() -> tuple[Figure, Axes, Axes]:
    """A figure, bound to no window or global state, and its two panels beside each other.

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InvalidArgument(f"plot needs matplotlib ({error}): pip install 'dpcheck[plot]'") from error
    figure = Figure(figsize=_SIZE, layout="constrained")
    left, right = figure.subplots(1, 2)
    return figure, left, right


def measurement_figure(measurement: Measurement) -> Figure:
    """The certified privacy profile and trade-off curve of a measurement, side by side.

    Parameters
    ----------
    measurement : Measurement

    Returns
    -------
    matplotlib.figure.Figure
        Not bound to any window or global state.

    Raises
    ------
    InvalidArgument
        When matplotlib is not installed.
    """
    figure, left, right = two_panels()
    _draw_profile(left, measurement)
    _draw_tradeoff(right, measurement)
    at = f" at delta = {measurement.delta:g}" if measurement.delta else ""
    # A dollar sign would start mathematics.
    name = one_line(measurement.target).replace("$", r"\$")
    said = f"epsilon{at} above {at_least(measurement.epsilon_lower)} "
    said += f"(confidence {confidence(measurement.alpha)}, {measurement.samples:,} calls)"
    figure.suptitle(f"{name}: {'LEARNER FAILED, nothing was measured' if measurement.failure else said}")
    return figure


def _draw_profile(axes: Axes, measurement: Measurement) -> None:
    epsilons = [point.x for point in measurement.profile]
    deltas = [point.y for point in measurement.profile]
    axes.fill_between(epsilons, deltas, color=_FORBIDDEN, linewidth=0)
    axes.plot(epsilons, deltas, color=_CERTIFIED, label="certified delta, at all points together")
    if not any(delta > 0 for delta in deltas):
        _say_nothing_certified(axes)
    if measurement.epsilon_lower > 0:
        at = f" at delta = {measurement.delta:g}" if measurement.delta else ""
        label = f"certified: epsilon above {at_least(measurement.epsilon_lower)}{at}"
        axes.axvline(measurement.epsilon_lower, color=_MARK, linestyle="--", linewidth=1.0)
        axes.plot([measurement.epsilon_lower], [measurement.delta], "o", color=_MARK, clip_on=False, label=label)
    if measurement.profile:
        axes.legend(loc="upper right")
    axes.set_title("privacy profile: delta is at least this")
    axes.set_xlabel("epsilon (nats)")
    axes.set_ylabel("delta (probability)")
    axes.set_xlim(left=0.0)
    axes.set_ylim(bottom=0.0)
    axes.margins(x=0.0)


def _draw_tradeoff(axes: Axes, measurement: Measurement) -> None:
    points = [point for point in measurement.tradeoff if math.isfinite(point.x) and math.isfinite(point.y)]
    false_positives = [0.0, *(point.x for point in points), 1.0]
    false_negatives = [1.0, *(point.y for point in points), 0.0]
    axes.fill_between(false_positives, false_negatives, 1.0, color=_FORBIDDEN, linewidth=0)
    axes.plot(false_positives, false_negatives, color=_CERTIFIED, label="certified, at all points together")
    axes.plot([0.0, 1.0], [1.0, 0.0], color="0.6", linestyle=":", linewidth=1.0, label="guessing blindly")
    if points:
        axes.legend(loc="upper right")
    if not any(point.x + point.y < 1 for point in points):
        _say_nothing_certified(axes)
    axes.set_title("trade-off: telling neighbours apart is this easy")
    axes.set_xlabel("false positive rate (probability)")
    axes.set_ylabel("false negative rate (probability)")
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.0)
    axes.set_aspect("equal")


def _say_nothing_certified(axes: Axes) -> None:
    # In parts of the panel, whatever its units are; above the diagonal of the trade-off.
    axes.text(0.62, 0.75, _NOTHING, transform=axes.transAxes, ha="center", va="center", color="0.4")


def as_svg(figure: Figure) -> str:
    """The figure as SVG: the same text for the same figure, its words selectable."""
    import matplotlib

    stream = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": _SALT, "svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()
