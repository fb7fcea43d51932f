"""Theorems 3.4 and 3.5: the numeric fixed point T -> k -> alpha -> T of theorem 3.2 against the printed orders.

Nothing is sampled: the cut-off T is a whole number that the printed formulas of alg-2 and an explicit sample size of
the base learner determine. T is the least whole number that will do, so the real solution lies between T - 1 and T.
What an O-tilde hides is written out: L1 = log(4mT/min(delta, beta/2)), from k, and what the base learner's size has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners import Agnostic, Realisable, Sizes, printed_scales, solve_sizes
from dpcheck.papers.bassily2018.learners.choice_of_sizes import mistakes_bound
from dpcheck.papers.bassily2018.theorems import rates_instances
from dpcheck.papers.bassily2018.trials.outcomes import refuted
from dpcheck.trial.model import Chart, Measurement, Outcome, Series, Shade, Table
from dpcheck.trial.run import Run
from dpcheck.utility.slopes import Slopes, compare_slopes

DELTA, FAILURE = 1e-6, 0.05
#: More queries than 2 to this power are not looked at.
MOST = 60
#: What "T = O(1)" is taken to be.
CONSTANT = 10
#: A hidden second-order term (the square root in B) moves T by less than this factor where T is large.
ROOM = Fraction(13, 10)
_LARGE_EPSILON = "k is an integer of at least 1, so that large epsilon gains nothing"
_WHY_34 = f"bassily2018:thm-3.4: for m = 1 the rate is 0 or 1; {_LARGE_EPSILON}"
_WHY_35 = f"bassily2018:thm-3.5: for m = 1 the rate is 0 or 1; {_LARGE_EPSILON}"
FORMULA = (
    'The fixed point of the printed formulas: exact numbers, nothing was sampled. "Compatible" proves nothing about '
    "other sizes."
)


@dataclass(frozen=True)
class Setting:
    """What the fixed point depends on."""

    records: float
    queries: float
    vc: int = 1
    epsilon: float = 1.0
    best_risk: float = 0.0


@lru_cache(maxsize=4096)
def fixed_point(setting: Setting, agnostic: bool = False, largest: int | None = None) -> Sizes | None:
    """The least T that fits, with k and alpha; None where none does.

    Examples
    --------
    >>> found = fixed_point(Setting(1e10, 1e5))
    >>> found.scales.cutoff if found else None
    16739
    """
    learner = Agnostic(setting.vc) if agnostic else Realisable(setting.vc)
    try:
        return solve_sizes(
            int(setting.records),
            int(setting.queries),
            learner,
            epsilon=setting.epsilon,
            delta=DELTA,
            failure=FAILURE,
            best_risk=setting.best_risk,
            largest_cutoff=largest,
        )
    except InvalidArgument:
        return None


def hidden_logarithms(found: Sizes, vc: int, agnostic: bool) -> float:
    """What the formulas' logarithms are at a fixed point: L1, times that of the base learner's sample size."""
    first = math.log(4 * found.queries * found.scales.cutoff / min(DELTA, FAILURE / 2))
    if agnostic:
        each = found.per_model
        return first * (math.log(8 * found.scales.models / FAILURE) + vc * math.log(2 * math.e * each / vc)) / vc
    return first * max(math.log2(2 * found.scales.models / FAILURE) / (2 * vc), math.log2(13 / found.accuracy))


def order_of(
    settings: Sequence[Setting],
    along: Callable[[Setting], float],
    printed: Callable[[Setting], float],
    *,
    agnostic: bool = False,
    power: float = 2.0,
) -> Slopes:
    """T along a curve of settings, against the printed term times its hidden logarithms to a power."""
    found = [(each, fixed_point(each, agnostic)) for each in settings]
    kept = [(each, sizes) for each, sizes in found if sizes is not None]
    model = {
        Fraction(str(along(each))): printed(each) * hidden_logarithms(sizes, each.vc, agnostic) ** power
        for each, sizes in kept
    }
    return compare_slopes(
        list(model),
        [sizes.scales.cutoff - 1 for _, sizes in kept],
        [sizes.scales.cutoff for _, sizes in kept],
        model.__getitem__,
        factor=ROOM,
    )


def order_outcome(
    result: str, claim: str, found: Slopes, *, expected: str = "", learner: str = "bassily2018.A_binClas"
) -> Outcome:
    """The outcome of a claim about orders; what is expected is said only of one that is certified not to be kept."""
    words = {"compatible": "compatible", "not compatible": "not compatible"}
    fitted = f"; fitted exponent {found.fitted.exponent:.3f}" if found.fitted is not None else ""
    return Outcome(
        words.get(found.verdict, "undecided"),  # type: ignore[arg-type]
        claim,
        f"{found.detail}{fitted}",
        result,
        "order",
        learner=learner,
        expected=expected if found.verdict == "not compatible" else "",
    )


def some_cutoff_fits(setting: Setting, largest: int) -> bool:
    """Whether theorem 3.2's formulas fit for some T up to a largest one: those up to 10, and 60 between.

    Examples
    --------
    >>> some_cutoff_fits(Setting(1e10, 1e5), 20_000), some_cutoff_fits(Setting(1e10, 1e5), 2)
    (True, False)
    """
    between = np.geomspace(1, max(1, largest), 60).astype(int).tolist()
    m = int(setting.queries)
    for cutoff in sorted({*range(1, min(largest, CONSTANT) + 1), *between, largest}, reverse=True):
        models = printed_scales(setting.epsilon, DELTA, FAILURE, m, cutoff).models
        each = setting.records // models
        if each >= 1:
            accuracy = float(Realisable(setting.vc).accuracy(each, FAILURE / models))
            if 3 * mistakes_bound(accuracy, m, FAILURE) <= cutoff:
                return True
    return False


@lru_cache
def largest_queries(records: float, vc: int, epsilon: float, rate: float | None = None) -> int:
    """The most queries for which T stays at most 10, or T/m at most a rate; found by bisection.

    Examples
    --------
    >>> largest_queries(1e10, 1, 1.0) > 10 * largest_queries(1e8, 1, 1.0)
    True
    """

    def kept(m: int) -> bool:
        largest = CONSTANT if rate is None else math.floor(rate * m)
        return largest >= 1 and some_cutoff_fits(Setting(records, m, vc, epsilon), largest)

    # from above: with a rate, few queries may be worse than more, since T is at least 1
    low = next((1 << power for power in range(MOST, -1, -1) if kept(1 << power)), 0)
    high = 2 * low
    while high - low > max(1, low // 500):
        middle = (low + high) // 2
        low, high = (middle, high) if kept(middle) else (low, middle)
    return low


def _orders_34(quick: bool) -> tuple[tuple[str, Slopes], ...]:
    points = 5 if quick else 13
    base = Setting(1e12, 1e7)
    along_m = [replace(base, queries=float(round(m))) for m in np.geomspace(3e6, 3e7 if quick else 1e8, points)]
    along_v = [replace(base, vc=v) for v in (1, 2, 3, 5, 8, 12)]
    along_n = [replace(base, queries=3e7, records=float(round(n))) for n in np.geomspace(1e12, 1e13, points)]
    along_e = [replace(base, epsilon=round(float(e), 6)) for e in np.geomspace(0.3, 1.0, points)]
    return (
        ("m", order_of(along_m, lambda s: s.queries, lambda s: (s.queries * s.vc / (s.epsilon * s.records)) ** 2)),
        ("V", order_of(along_v, lambda s: s.vc, lambda s: (s.queries * s.vc / (s.epsilon * s.records)) ** 2)),
        ("n", order_of(along_n, lambda s: s.records, lambda s: (s.queries * s.vc / (s.epsilon * s.records)) ** 2)),
        (
            "epsilon",
            order_of(along_e, lambda s: s.epsilon, lambda s: (s.queries * s.vc / (s.epsilon * s.records)) ** 2),
        ),
    )


def _large_epsilon(agnostic: bool) -> Slopes:
    """The same where epsilon is so large that k is 1, or nearly: the printed order for all epsilon."""
    epsilons = (1e2, 1e3, 1e4, 1e5, 1e6)
    base = Setting(1e10 if agnostic else 1e6, 1e5)
    settings = [replace(base, epsilon=each) for each in epsilons]
    power = 2 / 3 if agnostic else 2.0

    def printed(s: Setting) -> float:
        if agnostic:
            return float(s.queries ** (4 / 3) * (s.vc / (s.epsilon * s.records)) ** (2 / 3))
        return (s.queries * s.vc / (s.epsilon * s.records)) ** 2

    return order_of(settings, lambda s: s.epsilon, printed, agnostic=agnostic, power=power)


def realisable_rates(seed: int, quick: bool) -> Measurement:
    """Claim 2: the rates of theorem 3.4."""
    orders = _orders_34(quick)
    records = (1e8, 1e10, 1e12, 1e14) if quick else (1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14)
    many = {n: largest_queries(n, 1, 1.0) for n in records}
    logs = {n: logs_at(n, m) for n, m in many.items()}
    model = {Fraction(n): n / logs[n] for n in records}
    most = compare_slopes(
        records, [many[n] for n in records], [many[n] * 1.003 + 1 for n in records], model.__getitem__, factor=ROOM
    )
    single = rates_instances.one_query()
    said = "thm-3.4 (ii): T = O~(m^2 V^2/(eps n)^2)"
    outcomes: list[Outcome] = []
    for name, found in orders:
        outcomes.append(order_outcome("bassily2018:thm-3.4", f"{said}, along {name}, for epsilon <= 1", found))
        outcomes.append(order_outcome("bassily2018:inf-1.1", f"inf-1.1, as {said}, along {name}", found))
    outcomes += [
        order_outcome(
            "bassily2018:thm-3.4",
            f"thm-3.4 (i): T <= {CONSTANT} up to M = Omega~(eps n/V) queries, so a rate of O~(V/(eps n)) at M, along n",
            most,
        ),
        order_outcome("bassily2018:inf-1.1", f"inf-1.1: about n/V queries with T <= {CONSTANT}, along n", most),
        refuted(
            "bassily2018:thm-3.4",
            "thm-3.4 (i) as printed: the rate O~(V/(eps n)) for every m <= M, so for m = 1 too",
            single.failure,
            single.family,
            kind="order",
            expected=_WHY_34,
        ),
        order_outcome(
            "bassily2018:thm-3.4",
            f"{said} as printed, for all epsilon: along epsilon from 100 to 10^6",
            _large_epsilon(False),
            expected=_WHY_34,
        ),
    ]
    fitted = {name: found.fitted.exponent for name, found in orders if found.fitted is not None}
    return Measurement(
        "realisable-rates",
        "How many queries go wrong: the realisable case",
        ("bassily2018:thm-3.4", "bassily2018:inf-1.1"),
        "T of the printed formulas (k, lambda, B) with the sample size of Blumer and others for the base learner, "
        "delta = 10^-6, beta = 0.05, against the printed order times the logarithms that it hides; and M, the largest "
        f"number of queries with T at most {CONSTANT}.",
        "Fitted exponents of T, logarithms and all: "
        + ", ".join(f"{value:.2f} in {name}" for name, value in fitted.items())
        + " (printed: 2, 2, -2, -2). With the hidden logarithms written out "
        + _share([found for _, found in orders])
        + f". M goes from {many[records[0]]:,} at n = {records[0]:.0e} to {many[records[-1]]:,} at n = "
        f"{records[-1]:.0e}: {many[records[0]] / records[0]:.2g} and {many[records[-1]] / records[-1]:.2g} of n.",
        FORMULA,
        (_rates_chart("realisable", quick, False), _most_chart(records, many)),
        (_point_table(quick, False),),
        tuple(outcomes),
        "Rates below 1 need so many records that nothing here is run on data; own sizes are run in the measurement of "
        "queries and abstentions.",
    )


def logs_at(records: float, queries: int) -> float:
    """What M hides: L1 times the learner's logarithm, over the mistakes x with 3(x + sqrt(x log(m/beta)/2)) = 10."""
    found = fixed_point(Setting(records, queries), False, CONSTANT)
    root = math.sqrt(math.log(queries / FAILURE) / 2)
    mistakes = (math.sqrt((root / 2) ** 2 + CONSTANT / 3) - root / 2) ** 2
    return hidden_logarithms(found, 1, False) / mistakes if found is not None else 1.0


def _share(found: Sequence[Slopes]) -> str:
    fine = sum(each.verdict == "compatible" for each in found)
    return f"{fine} of {len(found)} curves are compatible with the printed order"


def _rates_chart(name: str, quick: bool, agnostic: bool) -> Chart:
    queries = np.unique(np.geomspace(1, 1e6, 9 if quick else 19).astype(int)).astype(float)
    series = []
    risks = (0.0, 1e-4, 1e-2) if agnostic else (0.0,)
    numbers = (1e12, 1e14) if agnostic else (1e9, 1e10, 1e12)
    for place, (records, risk) in enumerate((n, g) for n in numbers for g in risks):
        kept: list[tuple[float, Sizes]] = []
        for m in queries[1:]:
            sizes = fixed_point(Setting(records, m, best_risk=risk), agnostic)
            if sizes is not None:
                kept.append((m, sizes))
            elif kept:
                break  # more queries at as many records fit no more
        if not kept:
            continue
        xs = tuple(m for m, _ in kept)
        also = f", gamma = {risk:g}" if agnostic else ""
        series.append(
            Series(f"T/m, n = {records:.0e}{also}", "exact", place, xs, tuple(s.scales.cutoff / m for m, s in kept))
        )
        if risk:
            continue
        every = tuple(queries.tolist())
        if agnostic:
            terms = tuple(float((m / records**2) ** (1 / 3)) for m in every)
            series.append(Series(f"m^(1/3) (V/(eps n))^(2/3), n = {records:.0e}", "bound", place, every, terms))
        else:
            series += [
                Series(f"m (V/(eps n))^2, n = {records:.0e}", "bound", place, every,
                       tuple(m / records**2 for m in every)),
                Series(f"sqrt(m) V/(eps n), n = {records:.0e}", "bound", place + 3, every,
                       tuple(math.sqrt(m) / records for m in every)),
            ]  # fmt: skip
    return Chart(
        f"rates-{name}",
        "T/m of the fixed point, and the printed terms without constants and logarithms",
        "queries m",
        "misclassification rate",
        tuple(series),
        (),
        y_log=True,
        y_range=(1e-16, 2.0),
        alt="Rates of the fixed point against the number of queries, beside the printed terms, whose constants and "
        "logarithms are left out.",
        shades=(Shade("a rate of 1 and more says nothing", y=(1.0, None)),),
    )


def _most_chart(records: Sequence[float], many: dict[float, int]) -> Chart:
    xs = tuple(records)
    return Chart(
        "most-queries",
        f"M: the largest number of queries with T at most {CONSTANT}, V = 1, epsilon = 1",
        "records n",
        "queries",
        (
            Series("M of the fixed point", "exact", 0, xs, tuple(float(many[n]) for n in records)),
            Series("eps n/V", "bound", 1, xs, xs),
        ),
        y_log=True,
        alt="M against n, beside eps n/V.",
        y_range=(1.0, 1e15),
    )


def _point_table(quick: bool, agnostic: bool) -> Table:
    rows = []
    sizes = (1e10, 1e12, 1e14) if agnostic else (1e8, 1e10, 1e12)
    for records in sizes:
        for vc in (1, 10) if quick else (1, 10, 100):
            for queries in (1e2, 1e4) if quick else (1e2, 1e4, 1e6):
                for risk in (0.0, 1e-2) if agnostic else (0.0,):
                    found = fixed_point(Setting(records, queries, vc, best_risk=risk), agnostic)
                    told = (
                        ("none fits", "", "", "")
                        if found is None
                        else (
                            f"{found.scales.cutoff:,}",
                            f"{found.scales.models:,}",
                            f"{found.accuracy:.3g}",
                            f"{found.scales.cutoff / queries:.3g}",
                        )
                    )
                    rows.append((f"{records:.0e}", str(vc), f"{queries:.0e}", f"{risk:g}", *told))
    columns = ("n", "V", "m", "gamma", "T", "k", "alpha", "T/m")
    return Table("The fixed point, epsilon = 1", columns, tuple(rows))


def agnostic_rates(seed: int, quick: bool) -> Measurement:
    """Claim 3: the rates of theorem 3.5."""
    points = 6 if quick else 12

    def printed(s: Setting) -> float:
        return float(s.queries ** (4 / 3) * (s.vc / (s.epsilon * s.records)) ** (2 / 3))

    base = Setting(1e15, 1e6)
    curves = (
        ("m", [replace(base, queries=float(round(m))) for m in np.geomspace(1e5, 1e7, points)], lambda s: s.queries),
        ("V", [replace(base, vc=v) for v in (1, 2, 4, 8, 16)], lambda s: s.vc),
        ("n", [replace(base, records=float(round(n))) for n in np.geomspace(1e14, 1e16, points)], lambda s: s.records),
        ("epsilon", [replace(base, epsilon=round(float(e), 6)) for e in np.geomspace(0.1, 1, points)],
         lambda s: s.epsilon),
    )  # fmt: skip
    orders = [(name, order_of(each, along, printed, agnostic=True, power=2 / 3)) for name, each, along in curves]
    risky = [replace(base, queries=float(round(m)), best_risk=0.01) for m in np.geomspace(1e5, 1e7, points)]
    found = [(each, fixed_point(each, True)) for each in risky]
    kept = [(each, sizes) for each, sizes in found if sizes is not None]
    model = {
        Fraction(each.queries): (each.queries * each.best_risk,
                                 printed(each) * hidden_logarithms(sizes, each.vc, True) ** (2 / 3))
        for each, sizes in kept
    }  # fmt: skip
    both = compare_slopes(
        list(model), [s.scales.cutoff - 1 for _, s in kept], [s.scales.cutoff for _, s in kept], model.__getitem__,
        free="terms", factor=ROOM,
    )  # fmt: skip
    single = rates_instances.one_noisy_query()
    said = "thm-3.5: T = O~(m^(4/3) V^(2/3)/(eps n)^(2/3)) at gamma = 0"
    outcomes = [
        *(order_outcome("bassily2018:thm-3.5", f"{said}, along {name}, for epsilon <= 1", each)
          for name, each in orders),
        order_outcome("bassily2018:thm-3.5", "thm-3.5: T = O(m gamma) + O~(...) at gamma = 0.01, along m", both),
        refuted(
            "bassily2018:thm-3.5",
            "thm-3.5 (i) as printed: the rate O(gamma) + O~(sqrt(V/(eps n))) for every m <= M, so for m = 1 too",
            single.failure,
            single.family,
            kind="order",
            expected=_WHY_35,
        ),
        order_outcome(
            "bassily2018:thm-3.5",
            "thm-3.5 (ii) as printed, for all epsilon: along epsilon from 100 to 10^6",
            _large_epsilon(True),
            expected=_WHY_35,
        ),
    ]  # fmt: skip
    fitted = {name: each.fitted.exponent for name, each in orders if each.fitted is not None}
    return Measurement(
        "agnostic-rates",
        "How many queries go wrong: the non-realisable case",
        ("bassily2018:thm-3.5",),
        "The same with the sample size of uniform convergence for the base learner, gamma = 0 and 0.01, against "
        "m^(4/3) V^(2/3)/(eps n)^(2/3) times hidden logarithms to the power 2/3.",
        "Fitted exponents of T: "
        + ", ".join(f"{value:.2f} in {name}" for name, value in fitted.items())
        + " (printed: 4/3, 2/3, -2/3, -2/3). With the hidden logarithms "
        + _share([each for _, each in orders])
        + f"; with gamma = 0.01 the sum of both terms is {both.verdict}.",
        FORMULA,
        (_rates_chart("agnostic", quick, True),),
        (_point_table(quick, True),),
        tuple(outcomes),
    )


RUNS: tuple[Run, ...] = (
    Run("realisable-rates", ("bassily2018:thm-3.4", "bassily2018:inf-1.1"), realisable_rates, (5.0, 10.0)),
    Run("agnostic-rates", ("bassily2018:thm-3.5",), agnostic_rates, (3.0, 9.0)),
)
