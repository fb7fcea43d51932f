"""Do measured sizes grow as a theorem's formula does, its lower-order terms included?

Each measured size is known only to lie between two numbers, all of them together save with some probability. The model
is the formula times a constant that the theorem leaves open (or with one for each of its terms). If no constant carries
it through all the intervals, that is proved in fractions, and the formula does not describe the sizes ("not
compatible"). If one does, the formula may describe them ("compatible"): that proves nothing about other points.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.bounds_shown import within
from dpcheck.model.errors import InvalidArgument
from dpcheck.utility.arguments import between, exact
from dpcheck.utility.formulas import Enclosed, Formula, formula_of
from dpcheck.utility.size_curves import SizeCurve

SCHEMA = "dpcheck-slopes/1"
#: A formula is compatible only if the points would tell it from itself times the variable to this power, or minus it.
WIDEST = 1.0
#: Room that an inexact certificate is given before it is checked exactly.
_ROOM = (Fraction(0), Fraction(1, 10**9), Fraction(1, 10**6), Fraction(1, 10**4))

Floats = NDArray[np.float64]
Free = Literal["scale", "terms"]


@dataclass(frozen=True)
class MeasuredSize:
    """A size that lies between ``low`` and ``high`` at ``x``; an end that is not known is 0, or None."""

    x: Fraction
    low: Fraction
    high: Fraction | None


@dataclass(frozen=True)
class LocalSlope:
    """Between two neighbours: the slopes on log-log axes that the intervals allow, and the formula's own."""

    left: float
    right: float
    low: float
    high: float
    model: float | None


@dataclass(frozen=True)
class FittedExponent:
    """A straight line on log-log axes through the middles of the intervals: for the eye, no verdict rests on it."""

    exponent: float
    low: float
    high: float
    confidence: float
    points: int


@dataclass(frozen=True)
class Slopes:
    """Whether sizes grow as a formula says; see :func:`compare_slopes`.

    ``verdict`` is "compatible", "not compatible" (wrong with probability at most ``level``, that of the intervals; None
    where that was not said) or "undecided", ``detail`` why. ``terms`` are the formula's, ``constants`` such as carry it
    through all intervals, in the middle as far as possible. ``excess`` holds the powers by which the formula could be
    multiplied and still pass (one constant only; None where none was looked for, an end of None: no end was found).
    ``against`` are the places of points that no constant serves at once.
    """

    verdict: str
    detail: str
    points: tuple[MeasuredSize, ...]
    terms: tuple[str, ...]
    free: Free
    factor: Fraction
    constants: tuple[float, ...] | None
    excess: tuple[float | None, float | None] | None
    against: tuple[int, ...]
    local: tuple[LocalSlope, ...]
    level: float | None
    confidence: float

    @property
    def fitted(self) -> FittedExponent | None:
        """The exponent of a straight line on log-log axes, None with fewer than three points that have both ends."""
        return fitted_exponent(self.points, self.confidence)

    def __bool__(self) -> bool:
        raise TypeError("a comparison of slopes is neither true nor false: look at its verdict")

    def __str__(self) -> str:
        told = f"{' + '.join(self.terms)}: {self.verdict} with {len(self.points)} sizes; {self.detail}."
        if (line := self.fitted) is not None:
            told += (
                f" Straight line through the middles: exponent {line.exponent:.3g} {within(line.low, line.high)} "
                f"at confidence {line.confidence:g}."
            )
        return told

    def to_json(self) -> str:
        """The result as JSON; fractions are strings such as "1/10"."""
        told = asdict(self)
        told["factor"] = str(self.factor)
        told["points"] = [
            {"x": str(one.x), "low": str(one.low), "high": None if one.high is None else str(one.high)}
            for one in self.points
        ]
        told["local"] = [
            {key: value if value is None or math.isfinite(value) else None for key, value in asdict(one).items()}
            for one in self.local
        ]
        told["fitted"] = None if (line := self.fitted) is None else asdict(line)
        return json.dumps({"schema": SCHEMA, **told}, indent=1, allow_nan=False) + "\n"


def compare_slopes(
    x: Sequence[Any],
    y_low: Sequence[Any],
    y_high: Sequence[Any],
    model: Any,
    *,
    variable: str | None = None,
    settings: Mapping[str, Any] | None = None,
    free: Free = "scale",
    factor: Any = 1,
    widest: float = WIDEST,
    level: float | None = None,
    confidence: float = 0.95,
) -> Slopes:
    """Whether some constant times a formula passes through all the intervals of measured sizes.

    Parameters
    ----------
    x : k numbers above 0
        Where sizes were measured; floats by their shortest decimal. A point may come more than once.
    y_low, y_high : k numbers each
        Between which each size lies: the largest too small (None or 0: none was) and enough (None: not reached). That
        ``enough`` is no less than the sample complexity takes for granted that no size above the tested ones fails.
    model : sympy expression, Bound, or callable
        The theorem's formula, lower-order terms included. A callable takes x (a fraction) and returns a number, or a
        sequence of terms.
    variable : str, optional
        The symbol that is x, where the expression has several.
    settings : mapping, optional
        Numbers for the expression's other symbols.
    free : "scale" or "terms"
        One free constant for the formula as a whole, or one of at least 0 for each of its additive terms.
    factor : number of at least 1
        By which every interval is widened on either side.
    widest : float
        With one constant: "compatible" needs points that would not also let through the formula times x to this power,
        or to minus it. Else there are too few.
    level : float, optional
        The probability that not all the intervals hold: that of a wrong "not compatible".
    confidence : float
        Of the interval of the fitted exponent.

    Returns
    -------
    Slopes
        Never more than "compatible".

    Raises
    ------
    InvalidArgument
        When an argument cannot be used, or the formula is not above 0 at a point.

    Source: Farkas's lemma, with the certificate checked in fractions.

    Examples
    --------
    >>> import sympy
    >>> a = sympy.Symbol("a")
    >>> sizes = {"x": [0.4, 0.2, 0.1, 0.05], "y_low": [8, 19, 45, 107], "y_high": [10, 23, 54, 128]}
    >>> compare_slopes(**sizes, model=sympy.log(20 / a) / a).verdict
    'compatible'
    >>> compare_slopes(**sizes, model=1 / a**2).verdict
    'not compatible'
    """
    points = _points(x, y_low, y_high)
    if free not in ("scale", "terms"):
        raise InvalidArgument(f"free must be 'scale' or 'terms', got {free!r}")
    wider = exact("factor", factor, "a number of at least 1")
    if wider < 1:
        raise InvalidArgument(f"factor must be a number of at least 1, got {factor!r}")
    if (wide := exact("widest", widest, "a number above 0")) <= 0:
        raise InvalidArgument(f"widest must be a number above 0, got {widest!r}")
    own = None if level is None else float(between("level", level, 0, 1))
    trusted = float(between("confidence", confidence, 0, 1))
    if settings is not None and not isinstance(settings, Mapping):
        raise InvalidArgument(f"settings must be a mapping of symbols' names to numbers, got {settings!r}")
    formula = formula_of(model, variable=variable, settings=settings or {}, terms=free == "terms")
    values = [formula.at(point.x) for point in points]
    names = _names(formula, values)
    for point, found in zip(points, values, strict=True):
        if sum((one.low for one in found), Fraction(0)) <= 0:
            raise InvalidArgument(f"model must be above 0 at each point, got {_total(found):g} at {float(point.x):g}")
    problem = _Problem(points, values, wider)
    blank = Slopes(
        "undecided",
        "",
        points,
        names,
        free,
        wider,
        constants=None,
        excess=None,
        against=(),
        local=_local(points, values if free == "scale" else None),
        level=own,
        confidence=trusted,
    )
    return _judged(blank, problem, float(wide))


def compare_curve(curve: SizeCurve, model: Any, **arguments: Any) -> Slopes:
    """:func:`compare_slopes` of the sizes of a curve against what was swept, at the curve's level.

    Parameters
    ----------
    curve : SizeCurve over numbers
    model : as for ``compare_slopes``
    **arguments
        All else that ``compare_slopes`` takes.

    Raises
    ------
    InvalidArgument
        As ``compare_slopes``.

    Examples
    --------
    >>> import sympy
    >>> from dpcheck.utility.distributions import UniformInterval
    >>> from dpcheck.utility.size_curves import size_curve
    >>> def smallest_one(dataset, rng):
    ...     x, y = dataset
    ...     return x[y == 1].min() if y.any() else 1.0
    >>> found = size_curve(smallest_one, UniformInterval(), along="accuracy", values=[0.4, 0.2, 0.1], failure=0.25,
    ...                    around=0, octaves=0, trials=1000)
    >>> compare_curve(found, 1 / sympy.Symbol("accuracy") ** 3).verdict
    'not compatible'
    """
    return compare_slopes(
        [point.value for point in curve.points],
        [point.result.too_small for point in curve.points],
        [point.result.enough for point in curve.points],
        model,
        **{"level": curve.level, **arguments},
    )


def log_log_slope(x: Any, y: Any) -> float:
    """The power of x with which y grows: least squares through the logarithms of exact values.

    >>> round(log_log_slope([1, 2, 4], [3, 12, 48]), 9)
    2.0
    """
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def fitted_exponent(points: Sequence[MeasuredSize], confidence: float) -> FittedExponent | None:
    """The slope of least squares on log-log axes, its interval robust to unequal errors, or clustered by points.

    Repeated measurements at one x are a cluster. None with fewer than three different points that have both ends.
    """
    closed = [(float(one.x), math.sqrt(float(one.low) * float(one.high))) for one in points if one.low and one.high]
    places = sorted({at for at, _ in closed})
    if len(places) < 3:
        return None
    import statsmodels.api

    at, size = np.log(np.array(closed)).T
    line = statsmodels.api.OLS(size, statsmodels.api.add_constant(at))
    groups = [places.index(one) for one, _ in closed]
    # HC3 divides by what a point does not determine by itself: with three points the ends would leave next to nothing
    robust = {"cov_type": "cluster", "cov_kwds": {"groups": groups}} if len(closed) > len(places) else {}
    fit = line.fit(**robust, use_t=True)
    low, high = fit.conf_int(1.0 - confidence)[1]
    return FittedExponent(float(fit.params[1]), float(low), float(high), confidence, len(closed))


class _Problem:
    """Intervals for sums of terms with free constants of at least 0: is there a choice that passes through all?"""

    def __init__(
        self, points: tuple[MeasuredSize, ...], values: Sequence[tuple[Enclosed, ...]], factor: Fraction
    ) -> None:
        self.values = values
        self.constants = len(values[0])
        # (place, what it must not be below) and (place, what it must not be above)
        self.lows = [(place, one.low / factor) for place, one in enumerate(points) if one.low > 0]
        self.highs = [(place, one.high * factor) for place, one in enumerate(points) if one.high is not None]
        #: Different places with both ends: what is measured twice at one place says nothing of the formula's shape.
        self.closed = len({one.x for one in points if one.low > 0 and one.high is not None})
        self._x = np.array([float(one.x) for one in points])
        self._terms = np.array([[float(one) for one in found] for found in values])

    def best(self) -> tuple[float, Floats, Floats, Floats]:
        """The largest margin s, the constants that reach it, and the weights of the lower and upper ends that bind.

        With constants c: sum >= (1 + s) low and sum <= (1 - s) high at all points; s < 0 where no choice passes.
        """
        from scipy.optimize import linprog

        scaled = self._terms
        unit = np.abs(scaled).max(axis=0)
        unit[unit == 0] = 1.0
        scaled = scaled / unit
        # The constants are measured in what the smallest upper end (or the largest lower one) allows.
        size = float(np.exp(np.mean([math.log(float(end)) for _, end in (*self.lows, *self.highs)])))
        above = [-scaled[place] * size / float(end) for place, end in self.lows]
        below = [scaled[place] * size / float(end) for place, end in self.highs]
        rows = np.array([[*row, 1.0] for row in (*above, *below)])
        right = np.array([-1.0] * len(above) + [1.0] * len(below))
        aim = np.array([0.0] * self.constants + [-1.0])
        bounds = [(0, None)] * self.constants + [(None, 1.0)]
        found = linprog(aim, A_ub=rows, b_ub=right, bounds=bounds, method="highs")
        if found.status != 0:
            raise InvalidArgument(f"model must be of a size that doubles can hold, got: {found.message}")
        weights = np.abs(found.ineqlin.marginals)
        return -float(found.fun), found.x[:-1] * size / unit, weights[: len(above)], weights[len(above) :]

    def of_one(self) -> tuple[tuple[int, ...], tuple[Fraction, ...] | None]:
        """One constant, in fractions: the places of two points that no constant serves, or one that serves all."""
        needed = max(end / self.values[place][0].low for place, end in self.lows)
        allowed = min(end / self.values[place][0].high for place, end in self.highs)
        if needed <= allowed:
            return (), ((needed + allowed) / 2,)
        least, first = max((end / self.values[place][0].high, place) for place, end in self.lows)
        most, second = min((end / self.values[place][0].low, place) for place, end in self.highs)
        return (tuple(sorted({first, second})), None) if least > most else ((), None)

    def of_several(self) -> tuple[tuple[int, ...], tuple[Fraction, ...] | None]:
        """Several constants, found by linear programming and checked in fractions: as :meth:`of_one`."""
        margin, constants, lower, upper = self.best()
        if margin < 0 and self.refuted(lower, upper):
            return self.binding(lower, upper), None
        exactly = tuple(Fraction(max(0.0, float(c))) for c in constants)
        return (), exactly if self.passes(exactly) else None

    def passes(self, constants: Sequence[Fraction]) -> bool:
        """Whether these constants carry the sum through all intervals, certainly."""
        return all(
            sum((c * one.low for c, one in zip(constants, self.values[place], strict=True)), Fraction(0)) >= end
            for place, end in self.lows
        ) and all(
            sum((c * one.high for c, one in zip(constants, self.values[place], strict=True)), Fraction(0)) <= end
            for place, end in self.highs
        )

    def refuted(self, lower: Floats, upper: Floats) -> bool:
        """Whether these weights prove that no constants do, certainly.

        If for every term the weighted sum over lower ends of term / low is at most that over upper ends of term / high,
        then with any constants that pass, the weights of the lower ends sum to at most those of the upper ends. So if
        they sum to more, none pass.
        """
        over = [Fraction(float(weight)) for weight in lower]
        under = [Fraction(float(weight)) for weight in upper]
        for room in _ROOM:
            wider = [weight * (1 + room) for weight in under]
            if sum(over) > sum(wider) and all(self._dominated(term, over, wider) for term in range(self.constants)):
                return True
        return False

    def _dominated(self, term: int, over: Sequence[Fraction], under: Sequence[Fraction]) -> bool:
        left = sum(
            (w * self.values[place][term].high / end for w, (place, end) in zip(over, self.lows, strict=True)),
            Fraction(0),
        )
        right = sum(
            (w * self.values[place][term].low / end for w, (place, end) in zip(under, self.highs, strict=True)),
            Fraction(0),
        )
        return left <= right

    def binding(self, lower: Floats, upper: Floats) -> tuple[int, ...]:
        """The places of the points with weight."""
        found = {place for (place, _), weight in zip(self.lows, lower, strict=True) if weight > 1e-9}
        found |= {place for (place, _), weight in zip(self.highs, upper, strict=True) if weight > 1e-9}
        return tuple(sorted(found))

    def powers(self) -> tuple[float | None, float | None]:
        """The powers of x by which a formula with one constant can be multiplied and pass; None: without end.

        For each lower end at i and upper end at j the constant between them must exist: a half-line of powers.
        """
        where = np.log(self._x)
        total = np.log(self._terms.sum(axis=1))
        lows = [(where[place], math.log(end) - total[place]) for place, end in self.lows]
        highs = [(where[place], math.log(end) - total[place]) for place, end in self.highs]
        ends = [((up - low) / (at - under), at > under) for under, low in lows for at, up in highs if at != under]
        smallest = max((end for end, is_most in ends if not is_most), default=None)
        largest = min((end for end, is_most in ends if is_most), default=None)
        return smallest if smallest is None else float(smallest), largest if largest is None else float(largest)


def _judged(blank: Slopes, problem: _Problem, widest: float) -> Slopes:
    """The verdict: what is certain first, then whether the points say enough."""
    if not problem.lows or not problem.highs:
        return replace(blank, detail="too few points: all intervals are open on one side, and a constant always passes")
    against, constants = problem.of_one() if problem.constants == 1 else problem.of_several()
    if against:
        named = ", ".join(f"{float(blank.points[place].x):g}" for place in against)
        level = "" if blank.level is None else f" (wrong with probability at most {blank.level:g})"
        widened = "" if blank.factor == 1 else f", widened by a factor of {float(blank.factor):g},"
        kind = "no constant carries" if problem.constants == 1 else "no constants of at least 0 carry"
        detail = f"{kind} the formula through the intervals{widened} at {named}{level}"
        return replace(blank, verdict="not compatible", detail=detail, against=against)
    if constants is None:
        return replace(blank, detail="the formula touches the ends of intervals, so that rounding would decide")
    found = replace(blank, constants=tuple(float(c) for c in constants))
    through = " and ".join(f"{c:.4g}" for c in found.constants or ())
    passing = f"times {through} it passes through all intervals"
    if problem.closed <= problem.constants:
        return replace(
            found, detail=f"too few points: {problem.closed} with both ends, for {problem.constants} free constants"
        )
    if blank.free == "terms":
        return replace(found, verdict="compatible", detail=passing)
    low, high = problem.powers()
    found = replace(found, excess=(low, high))
    if low is None or high is None or max(-low, high) > widest:
        power = widest if high is None or high > widest else -widest
        return replace(
            found, detail=f"too few points, or too wide intervals: the formula times x^{power:g} would pass as well"
        )
    return replace(
        found, verdict="compatible", detail=f"{passing}, as it would times x to a power in {within(low, high)}"
    )


def _points(x: Any, y_low: Any, y_high: Any) -> tuple[MeasuredSize, ...]:
    columns = {"x": x, "y_low": y_low, "y_high": y_high}
    for name, column in columns.items():
        if isinstance(column, str) or not isinstance(column, Sequence | np.ndarray):
            raise InvalidArgument(f"{name} must be a sequence of numbers, got {column!r}")
    if not len(x) == len(y_low) == len(y_high) > 0:
        raise InvalidArgument(
            f"x, y_low and y_high must be of one length, at least 1, got {len(x)}, {len(y_low)} and {len(y_high)}"
        )
    found = []
    for place, (at, low, high) in enumerate(zip(x, y_low, y_high, strict=True)):
        where = exact(f"x[{place}]", at)
        if where <= 0:
            raise InvalidArgument(f"x[{place}] must be above 0, got {at!r}")
        least = Fraction(0) if low is None else exact(f"y_low[{place}]", low)
        most = None if high is None or high == math.inf else exact(f"y_high[{place}]", high)
        if least < 0 or (most is not None and not least <= most):
            raise InvalidArgument(
                f"y_low[{place}] must be at least 0 and at most y_high[{place}], got {low!r}, {high!r}"
            )
        if most == 0:
            raise InvalidArgument(f"y_high[{place}] must be above 0, got {high!r}")
        found.append(MeasuredSize(where, least, most))
    return tuple(found)


def _names(formula: Formula, values: Sequence[tuple[Enclosed, ...]]) -> tuple[str, ...]:
    """A name for each term: a callable has only one name for all."""
    count = len(values[0])
    if any(len(found) != count for found in values) or count == 0:
        raise InvalidArgument("model must return as many terms at each point, at least one")
    if len(formula.names) == count:
        return formula.names
    return tuple(f"{formula.names[0]}[{place}]" for place in range(count))


def _total(found: Sequence[Enclosed]) -> float:
    return sum(float(one) for one in found)


def _local(points: Sequence[MeasuredSize], values: Sequence[tuple[Enclosed, ...]] | None) -> tuple[LocalSlope, ...]:
    """Slopes between neighbours, in the order of x; of repeated points the intersection is not taken, the first is."""
    order = sorted({one.x: place for place, one in reversed(list(enumerate(points)))}.items())
    found = []
    for (left, first), (right, second) in itertools.pairwise(order):
        step = math.log(float(right / left))
        one, two = points[first], points[second]
        low = math.log(two.low / one.high) / step if one.high and two.low else -math.inf
        high = math.log(two.high / one.low) / step if two.high and one.low else math.inf
        model = None if values is None else math.log(_total(values[second]) / _total(values[first])) / step
        found.append(LocalSlope(float(left), float(right), low, high, model))
    return tuple(found)
