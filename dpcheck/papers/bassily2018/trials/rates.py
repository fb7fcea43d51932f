"""Theorems 3.4 and 3.5: the numeric fixed point T -> k -> alpha -> T of theorem 3.2 against the printed orders.

Nothing is sampled: the cut-off T is a whole number that the printed formulas of alg-2 and an explicit sample size of
the base learner determine. T is the least whole number that will do, so the real solution lies between T - 1 and T.
What an O-tilde hides is written out: L1 = log(4mT/min(delta, beta/2)), from k, and what the base learner's size has.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.papers.bassily2018.learners import Agnostic, Realisable, Sizes, printed_scales, solve_sizes
from dpcheck.papers.bassily2018.learners.choice_of_sizes import mistakes_bound
from dpcheck.papers.bassily2018.theorems import rates_instances
from dpcheck.trial.model import Outcome, Shade, Word
from dpcheck.trial.page import Page, Pivot, Plot
from dpcheck.trial.relations import refuted_by
from dpcheck.trial.rows import Findings, Row, bound, exact, line
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
    words: dict[str, Word] = {"compatible": "compatible", "not compatible": "not compatible"}
    fitted = f"; fitted exponent {found.fitted.exponent:.3f}" if found.fitted is not None else ""
    return Outcome(
        words.get(found.verdict, "undecided"),
        claim,
        f"{found.detail}{fitted}",
        result,
        "order",
        learner=learner,
        expected=expected if found.verdict == "not compatible" else "",
    )


def _printed_34(s: Setting) -> float:
    """T of theorem 3.4 (ii), without what O~ hides."""
    return (s.queries * s.vc / (s.epsilon * s.records)) ** 2


def _printed_35(s: Setting) -> float:
    """T of theorem 3.5 (ii) at gamma = 0, without what O~ hides."""
    return float(s.queries ** (4 / 3) * (s.vc / (s.epsilon * s.records)) ** (2 / 3))


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


def _orders_34(quick: bool) -> dict[str, Slopes]:
    points = 5 if quick else 13
    base = Setting(1e12, 1e7)
    along_m = [replace(base, queries=float(round(m))) for m in np.geomspace(3e6, 3e7 if quick else 1e8, points)]
    along_v = [replace(base, vc=v) for v in (1, 2, 3, 5, 8, 12)]
    along_n = [replace(base, queries=3e7, records=float(round(n))) for n in np.geomspace(1e12, 1e13, points)]
    along_e = [replace(base, epsilon=round(float(e), 6)) for e in np.geomspace(0.3, 1.0, points)]
    return {
        "m": order_of(along_m, lambda s: s.queries, _printed_34),
        "V": order_of(along_v, lambda s: s.vc, _printed_34),
        "n": order_of(along_n, lambda s: s.records, _printed_34),
        "epsilon": order_of(along_e, lambda s: s.epsilon, _printed_34),
    }


def _large_epsilon(agnostic: bool) -> Slopes:
    """The same where epsilon is so large that k is 1, or nearly: the printed order for all epsilon."""
    base = Setting(1e10 if agnostic else 1e6, 1e5)
    settings = [replace(base, epsilon=each) for each in (1e2, 1e3, 1e4, 1e5, 1e6)]
    printed, power = (_printed_35, 2 / 3) if agnostic else (_printed_34, 2.0)
    return order_of(settings, lambda s: s.epsilon, printed, agnostic=agnostic, power=power)


def realisable_rates(seed: int, quick: bool) -> Findings:
    """Claim 2: the rates of theorem 3.4."""
    orders = _orders_34(quick)
    records = (1e8, 1e10, 1e12, 1e14) if quick else (1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14)
    many = [largest_queries(n, 1, 1.0) for n in records]
    model = {Fraction(n): n / logs_at(n, m) for n, m in zip(records, many, strict=True)}
    most = compare_slopes(records, many, [m * 1.003 + 1 for m in many], model.__getitem__, factor=ROOM)
    single = rates_instances.one_query()
    said = "thm-3.4 (ii): T = O~(m^2 V^2/(eps n)^2)"
    outcomes: list[Outcome] = []
    for name, found in orders.items():
        outcomes.append(order_outcome("bassily2018:thm-3.4", f"{said}, along {name}, for epsilon <= 1", found))
        outcomes.append(order_outcome("bassily2018:inf-1.1", f"inf-1.1, as {said}, along {name}", found))
    outcomes += [
        order_outcome(
            "bassily2018:thm-3.4",
            f"thm-3.4 (i): T <= {CONSTANT} up to M = Omega~(eps n/V) queries, so a rate of O~(V/(eps n)) at M, along n",
            most,
        ),
        order_outcome("bassily2018:inf-1.1", f"inf-1.1: about n/V queries with T <= {CONSTANT}, along n", most),
        refuted_by(
            "bassily2018:thm-3.4",
            "thm-3.4 (i) as printed: the rate O~(V/(eps n)) for every m <= M, so for m = 1 too",
            single,
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
    told = (
        f"Fitted exponents of T, logarithms and all: {_exponents(orders)} (printed: 2, 2, -2, -2). With the hidden "
        f"logarithms written out {_share(orders)}. M goes from {many[0]:,} at n = {records[0]:.0e} to {many[-1]:,} at "
        f"n = {records[-1]:.0e}: {many[0] / records[0]:.2g} and {many[-1] / records[-1]:.2g} of n."
    )
    rows = [
        *_rate_rows(quick, False),
        *_point_rows(quick, False),
        *exact("M of the fixed point", many, n=records),
        *bound("eps n/V", records, n=records),
    ]
    return Findings(rows, outcomes, told)


def _rate_plot(name: str) -> Plot:
    return Plot(
        f"rates-{name}",
        "T/m of the fixed point, and the printed terms without constants and logarithms",
        "m",
        "misclassification rate",
        by="at",
        x_label="queries m",
        scale="log",
        least=1e-16,
        shades=(Shade("a rate of 1 and more says nothing", y=(1.0, None)),),
    )


_FIXED_POINT = Pivot("The fixed point, epsilon = 1; empty where no T fits", ("n", "V", "m", "gamma"))


REALISABLE = Page(
    "How many queries go wrong: the realisable case",
    "T of the printed formulas (k, lambda, B) with the sample size of Blumer and others for the base learner, "
    "delta = 10^-6, beta = 0.05, against the printed order times the logarithms that it hides; and M, the largest "
    f"number of queries with T at most {CONSTANT}.",
    (
        _rate_plot("realisable"),
        Plot(
            "most-queries",
            f"M: the largest number of queries with T at most {CONSTANT}, V = 1, epsilon = 1",
            "n",
            "queries",
            x_label="records n",
            scale="log",
            least=1.0,
        ),
    ),
    (_FIXED_POINT,),
    evidence=FORMULA,
    left_out="Rates below 1 need so many records that nothing here is run on data; own sizes are run in the "
    "measurement of queries and abstentions.",
)


def _exponents(orders: Mapping[str, Slopes]) -> str:
    return ", ".join(
        f"{found.fitted.exponent:.2f} in {name}" for name, found in orders.items() if found.fitted is not None
    )


def logs_at(records: float, queries: int) -> float:
    """What M hides: L1 times the learner's logarithm, over the mistakes x with 3(x + sqrt(x log(m/beta)/2)) = 10."""
    found = fixed_point(Setting(records, queries), False, CONSTANT)
    root = math.sqrt(math.log(queries / FAILURE) / 2)
    mistakes = (math.sqrt((root / 2) ** 2 + CONSTANT / 3) - root / 2) ** 2
    return hidden_logarithms(found, 1, False) / mistakes if found is not None else 1.0


def _share(orders: Mapping[str, Slopes]) -> str:
    fine = sum(each.verdict == "compatible" for each in orders.values())
    return f"{fine} of {len(orders)} curves are compatible with the printed order"


def _rate_rows(quick: bool, agnostic: bool) -> list[Row]:
    """T/m of the fixed point against m, and the printed terms where gamma is 0."""
    queries = np.unique(np.geomspace(1, 1e6, 9 if quick else 19).astype(int)).astype(float)
    rows: list[Row] = []
    for n, risk in itertools.product((1e12, 1e14) if agnostic else (1e9, 1e10, 1e12), _risks(agnostic)):
        found = ((m, fixed_point(Setting(n, m, best_risk=risk), agnostic)) for m in queries[1:])
        # more queries at as many records fit no more
        fits = itertools.takewhile(lambda each: each[1], itertools.dropwhile(lambda each: not each[1], found))
        kept = [(m, sizes.scales.cutoff / m) for m, sizes in fits if sizes is not None]
        if not kept:
            continue
        at = f"n = {n:.0e}" + (f", gamma = {risk:g}" if agnostic else "")
        rows += exact("T/m", [rate for _, rate in kept], m=[m for m, _ in kept], at=at)
        for name, term in _TERMS[agnostic].items() if not risk else ():
            rows += bound(name, [term(m, n) for m in queries], m=queries, at=at)
    return rows


#: The printed terms of T/m, by whether labels have errors.
_TERMS: dict[bool, dict[str, Callable[[float, float], float]]] = {
    False: {"m (V/(eps n))^2": lambda m, n: m / n**2, "sqrt(m) V/(eps n)": lambda m, n: math.sqrt(m) / n},
    True: {"m^(1/3) (V/(eps n))^(2/3)": lambda m, n: float((m / n**2) ** (1 / 3))},
}


def _risks(agnostic: bool) -> tuple[float, ...]:
    return (0.0, 1e-4, 1e-2) if agnostic else (0.0,)


def _point_rows(quick: bool, agnostic: bool) -> list[Row]:
    rows: list[Row] = []
    for n, vc, m, risk in itertools.product(
        (1e10, 1e12, 1e14) if agnostic else (1e8, 1e10, 1e12),
        (1, 10) if quick else (1, 10, 100),
        (1e2, 1e4) if quick else (1e2, 1e4, 1e6),
        (0.0, 1e-2) if agnostic else (0.0,),
    ):
        found = fixed_point(Setting(n, m, vc, best_risk=risk), agnostic)
        sizes = () if found is None else (found.scales.cutoff, found.scales.models, found.accuracy)
        values = dict(itertools.zip_longest(("T", "k", "alpha", "T/m"), (*sizes, sizes[0] / m) if sizes else ()))
        rows += line(values, {"n": n, "V": vc, "m": m, "gamma": risk})
    return rows


def _orders_35(quick: bool) -> dict[str, Slopes]:
    points = 6 if quick else 12
    base = Setting(1e15, 1e6)
    along_m = [replace(base, queries=float(round(m))) for m in np.geomspace(1e5, 1e7, points)]
    along_v = [replace(base, vc=v) for v in (1, 2, 4, 8, 16)]
    along_n = [replace(base, records=float(round(n))) for n in np.geomspace(1e14, 1e16, points)]
    along_e = [replace(base, epsilon=round(float(e), 6)) for e in np.geomspace(0.1, 1, points)]
    order = partial(order_of, printed=_printed_35, agnostic=True, power=2 / 3)
    return {
        "m": order(along_m, lambda s: s.queries),
        "V": order(along_v, lambda s: s.vc),
        "n": order(along_n, lambda s: s.records),
        "epsilon": order(along_e, lambda s: s.epsilon),
    }


def _both_terms(quick: bool) -> Slopes:
    """T along m at gamma = 0.01, against a constant for each of the two terms of theorem 3.5."""
    settings = [Setting(1e15, float(round(m)), best_risk=0.01) for m in np.geomspace(1e5, 1e7, 6 if quick else 12)]
    kept = [(each, sizes) for each in settings if (sizes := fixed_point(each, True)) is not None]
    model = {
        Fraction(s.queries): (s.queries * s.best_risk, _printed_35(s) * hidden_logarithms(sizes, s.vc, True) ** (2 / 3))
        for s, sizes in kept
    }
    cutoffs = [sizes.scales.cutoff for _, sizes in kept]
    return compare_slopes(
        list(model), [cutoff - 1 for cutoff in cutoffs], cutoffs, model.__getitem__, free="terms", factor=ROOM
    )


def agnostic_rates(seed: int, quick: bool) -> Findings:
    """Claim 3: the rates of theorem 3.5."""
    orders, both = _orders_35(quick), _both_terms(quick)
    single = rates_instances.one_noisy_query()
    said = "thm-3.5: T = O~(m^(4/3) V^(2/3)/(eps n)^(2/3)) at gamma = 0"
    outcomes = [
        *(
            order_outcome("bassily2018:thm-3.5", f"{said}, along {name}, for epsilon <= 1", each)
            for name, each in orders.items()
        ),
        order_outcome("bassily2018:thm-3.5", "thm-3.5: T = O(m gamma) + O~(...) at gamma = 0.01, along m", both),
        refuted_by(
            "bassily2018:thm-3.5",
            "thm-3.5 (i) as printed: the rate O(gamma) + O~(sqrt(V/(eps n))) for every m <= M, so for m = 1 too",
            single,
            kind="order",
            expected=_WHY_35,
        ),
        order_outcome(
            "bassily2018:thm-3.5",
            "thm-3.5 (ii) as printed, for all epsilon: along epsilon from 100 to 10^6",
            _large_epsilon(True),
            expected=_WHY_35,
        ),
    ]
    told = (
        f"Fitted exponents of T: {_exponents(orders)} (printed: 4/3, 2/3, -2/3, -2/3). With the hidden logarithms "
        f"{_share(orders)}; with gamma = 0.01 the sum of both terms is {both.verdict}."
    )
    return Findings([*_rate_rows(quick, True), *_point_rows(quick, True)], outcomes, told)


AGNOSTIC = Page(
    "How many queries go wrong: the non-realisable case",
    "The same with the sample size of uniform convergence for the base learner, gamma = 0 and 0.01, against "
    "m^(4/3) V^(2/3)/(eps n)^(2/3) times hidden logarithms to the power 2/3.",
    (_rate_plot("agnostic"),),
    (_FIXED_POINT,),
    evidence=FORMULA,
)


RUNS: tuple[Run, ...] = (
    Run("realisable-rates", ("bassily2018:thm-3.4", "bassily2018:inf-1.1"), realisable_rates, (5.0, 10.0), REALISABLE),
    Run("agnostic-rates", ("bassily2018:thm-3.5",), agnostic_rates, (3.0, 9.0), AGNOSTIC),
)
