"""Claim 5: the private samples of theorems 4.2 and 4.3 and the remarks, with explicit constants, against their orders.

Nothing is sampled: sizes are the registry's explicit bounds, in rigorous arithmetic, or the same chain for the remarks.
What an O-tilde hides is written out, so that only constants are left: L1 = log(4mT/min(delta, beta/2)) of the number of
models, the logarithm of the public sample under a root (through T), and that of the chunks.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

import numpy as np

from dpcheck.papers.bassily2018.learners import Realisable, printed_scales
from dpcheck.papers.bassily2018.learners.choice_of_sizes import Agnostic, AgnosticFinite, OneSidedThresholds
from dpcheck.papers.bassily2018.theorems import transfer_instances
from dpcheck.papers.bassily2018.theorems.bounds import BOUNDS
from dpcheck.papers.bassily2018.theorems.tightness import TIGHTNESS
from dpcheck.papers.bassily2018.trials.rates import order_outcome
from dpcheck.papers.bassily2018.trials.transfer import ONE_EXAMPLE
from dpcheck.papers.bassily2018.trials.votes_drawn import TARGET
from dpcheck.proof.tightness import ratios
from dpcheck.trial.failures import counted
from dpcheck.trial.model import Outcome
from dpcheck.trial.opponents import at_most, set_against
from dpcheck.trial.page import EXACT, Page, Pivot, Plot
from dpcheck.trial.relations import compared, refuted_by
from dpcheck.trial.rows import Findings, Row, bound, line
from dpcheck.trial.run import Run
from dpcheck.utility.slopes import Slopes, compare_slopes

_LEARNER = "bassily2018.transfer"
#: What is drawn: the results whose sizes are as printed.
_SHOWN = ("thm-4.2", "thm-4.3", "rem-2", "rem-3")


_order_outcome = partial(order_outcome, learner=_LEARNER)


DELTA, FAILURE = 1e-6, 0.01
#: How often the labels of empirical minimisers are wrong.
_FLIPPED = 0.2
#: Sizes are held to their order with this room: the sum of two logarithms is taken for the larger.
_ROOM = Fraction(13, 10)
_LARGE = "no n below V/alpha is enough, however large epsilon is"


@dataclass(frozen=True)
class Chain:
    """A private sample n = k n0 with what it is made of."""

    accuracy: float
    vc: int
    epsilon: float
    public: float
    cutoff: float
    models: float
    each: float
    logarithms: float

    @property
    def private(self) -> float:
        """n."""
        return self.models * self.each


@lru_cache(maxsize=1024)
def chain(
    kind: str, accuracy: float, vc: int = 1, epsilon: float = 1.0, best_risk: float = 0.0, beta: float | None = None
) -> Chain:
    """The private sample of one of "thm-4.2", "thm-4.3", "rem-2", "rem-3" and "rem-3 repaired", rounded up.

    Examples
    --------
    >>> chain("rem-2", 0.01).private < chain("thm-4.2", 0.01).private < chain("thm-4.3", 0.01).private
    True
    """
    failure = min(FAILURE, accuracy) if beta is None else beta
    # logarithms are written out, not taken from the sizes: a wrong power would show
    uniform = vc * math.log(512 / accuracy**2)
    if kind.startswith("thm"):
        hidden = uniform + math.log(8 / failure)
        public = 256 / accuracy**2 * hidden
    else:
        hidden = max(4 * math.log2(2 / failure), 8 * vc * math.log2(13 / accuracy))
        public = float(Realisable(vc).size(accuracy, failure))
    cutoff = 1.0
    if not kind.startswith("rem-3"):
        risk = max(best_risk, accuracy) if kind == "thm-4.3" else 0.0
        cutoff = math.ceil(12 * (accuracy + risk) * public)
    models = printed_scales(epsilon, DELTA, failure, math.ceil(public), int(cutoff)).models
    first = math.log(4 * public * cutoff / min(DELTA, failure / 2))
    if kind == "thm-4.3":
        each = float(Agnostic(vc).size(accuracy, failure / models))
        last = uniform + math.log(8 * models / failure)
    else:
        target = {"rem-3": 1 / public, "rem-3 repaired": failure / (3 * public)}.get(kind, accuracy)
        each = float(Realisable(vc).size(target, failure / models))
        last = max(4 * math.log2(2 * models / failure), 8 * vc * math.log2(13 / target))
    # divided by V: what is left are logarithms
    root = math.sqrt(hidden / vc) if not kind.startswith("rem-3") else hidden / vc
    return Chain(accuracy, vc, epsilon, public, cutoff, models, each, first * root * last / vc)


#: The printed orders.
ORDERS: dict[str, Callable[[Chain], float]] = {
    "thm-4.2": lambda c: c.vc**1.5 / (c.epsilon * c.accuracy**1.5),
    "thm-4.3": lambda c: c.vc**1.5 / (c.epsilon * c.accuracy**2.5),
    "rem-2": lambda c: c.vc**1.5 / (c.epsilon * c.accuracy),
    "rem-3": lambda c: c.vc**2 / (c.epsilon * c.accuracy),
    "rem-3 repaired": lambda c: c.vc**2 / (c.epsilon * c.accuracy * min(FAILURE, c.accuracy)),
}
_WORDS = {
    "thm-4.2": "n = O~(V^(3/2)/(eps alpha^(3/2)))",
    "thm-4.3": "n = O~(V^(3/2)/(eps alpha^(5/2)))",
    "rem-2": "n = O~(V^(3/2)/(eps alpha))",
    "rem-3": "n = O~(V^2/(eps alpha))",
    "rem-3 repaired": "n = O~(V^2/(eps alpha beta)), accuracy beta/(3m)",
}


def order_of(kind: str, settings: Sequence[Chain], along: Callable[[Chain], float]) -> Slopes:
    """Sizes along a curve against the printed order times what it hides."""
    model = {Fraction(str(along(each))): ORDERS[kind](each) * each.logarithms for each in settings}
    sizes = [each.private for each in settings]
    return compare_slopes(list(model), sizes, sizes, model.__getitem__, factor=_ROOM)


def private_samples(seed: int, quick: bool) -> Findings:
    """The explicit private samples against V/alpha, V/alpha^2 and the factor sqrt(V/alpha)."""
    accuracies = [float(f"{each:.4g}") for each in np.geomspace(1e-4, 0.2, 7 if quick else 15)]
    orders, fitted = _orders(accuracies)
    risky = [chain("thm-4.3", a, 1, 1.0, 0.5) for a in accuracies]
    outcomes = [
        *orders,
        _order_outcome(
            "bassily2018:thm-4.3",
            "thm-4.3 read for all gamma, its own chain at gamma = 1/2: n = O~(V^(3/2)/(eps alpha^(5/2))), along alpha",
            order_of("thm-4.3", risky, lambda c: c.accuracy),
            expected="bassily2018:thm-4.3 (T4.3.n): T is of the order gamma m where gamma > alpha",
        ),
        _large_epsilon(),
        *_near_optimal(quick),
        compared(
            "bassily2018:obs-5.b",
            "the constant before gamma that the chain gives is above the best, which is 1",
            _of_gamma(Fraction(1)) > 1,
            f"alpha + gamma + 2(7 alpha + 3 gamma) has {_of_gamma(Fraction(1))} gamma",
        ),
    ]
    told = (
        "Fitted exponents of n in alpha, logarithms and all: "
        + ", ".join(f"{value:.2f} ({kind})" for kind, value in fitted.items())
        + ". Printed: -1.5, -2.5, -1, -1, and for the repair of rem-3 with beta = min(0.01, alpha) between -1 and -2. "
        f"{sum(each.word == 'compatible' for each in outcomes)} of "
        f"{sum(each.kind == 'order' for each in outcomes)} statements on orders are compatible."
    )
    return Findings([*_size_rows(accuracies), *_excess_rows()], outcomes, told)


def _orders(accuracies: Sequence[float]) -> tuple[list[Outcome], dict[str, float]]:
    """Each size along alpha, V and epsilon, and the exponents that are fitted along alpha."""
    outcomes: list[Outcome] = []
    fitted: dict[str, float] = {}
    for kind in ORDERS:
        curves = (
            ("alpha", [chain(kind, a) for a in accuracies], lambda c: c.accuracy),
            ("V", [chain(kind, 0.01, v) for v in (1, 3, 10, 30, 100)], lambda c: c.vc),
            ("epsilon", [chain(kind, 0.01, 1, e) for e in (0.05, 0.1, 0.2, 0.5, 1.0)], lambda c: c.epsilon),
        )
        for name, settings, along in curves:
            found = order_of(kind, settings, along)
            if name == "alpha" and found.fitted is not None:
                fitted[kind] = found.fitted.exponent
            claim = f"{kind}: {_WORDS[kind]}, along {name}, for epsilon <= 1"
            outcomes.append(_order_outcome(f"bassily2018:{kind.split()[0]}", claim, found))
            if kind.startswith("thm"):
                outcomes.append(_order_outcome("bassily2018:inf-1.2", f"inf-1.2: as {claim}", found))
    return outcomes, fitted


def _size_rows(accuracies: Sequence[float]) -> list[Row]:
    """Sizes against alpha, V = 1, beside learners without privacy."""
    sizes = {f"n, {kind}": [chain(kind, a).private for a in accuracies] for kind in _SHOWN}
    for name, learner in (("realisable", Realisable(1)), ("agnostic", Agnostic(1))):
        sizes[f"without privacy, {name}"] = [float(learner.size(a, FAILURE)) for a in accuracies]
    return [row for name, values in sizes.items() for row in bound(name, values, alpha=accuracies)]


def _excess_rows() -> list[Row]:
    """Sizes, and their excess over a learner without privacy."""
    rows = []
    for kind, vc, a in itertools.product(_SHOWN, (1, 3, 10), (0.2, 0.1, 0.01, 0.001, 0.0001)):
        each = chain(kind, a, vc)
        alone = float((Agnostic(vc) if kind == "thm-4.3" else Realisable(vc)).size(a, FAILURE))
        values = {
            "m": each.public,
            "k": each.models,
            "n": each.private,
            "n without privacy": alone,
            "quotient / sqrt(V/alpha)": each.private / alone / math.sqrt(vc / a),
        }
        rows += line(values, {"result": kind, "V": vc, "alpha": a}, "bound")
    return rows


PRIVATE_SAMPLES = Page(
    "What a private learner of threshold-like classes asks for",
    "The chain of the proofs with explicit constants: the public sample, T, k of the printed formulas, and k chunks of "
    "as many records as the base learner needs; epsilon = 1, delta = 10^-6, beta = min(0.01, alpha).",
    (
        Plot(
            "private-samples",
            "Private records for accuracy alpha, V = 1, epsilon = 1",
            "alpha",
            "records n",
            scale="log",
        ),
    ),
    (
        Pivot(
            "Sizes, and their excess over a learner without privacy and the factor sqrt(V/alpha)",
            ("result", "V", "alpha"),
        ),
    ),
    evidence=f'{EXACT} "Compatible" proves nothing about other sizes.',
)


def _of_gamma(gamma: Fraction, alpha: Fraction = Fraction(0)) -> Fraction:
    """The end of theorem 4.3's chain: err(hhat; P) <= (gamma + err(hpriv) + alpha) + err(hpriv)."""
    single = 7 * alpha + 3 * gamma
    return alpha + gamma + 2 * single


def _large_epsilon() -> Outcome:
    single = transfer_instances.one_example()
    return refuted_by(
        "bassily2018:rem-2",
        "rem-2 as printed, for every epsilon: n = O~(V^(3/2)/(eps alpha)), so 1 for large epsilon",
        single,
        ONE_EXAMPLE,
        kind="order",
        expected=f"bassily2018:rem-2: {_LARGE}",
    )


def _near_optimal(quick: bool) -> list[Outcome]:
    """obs-5.a: the registry's bounds, upper over lower, against sqrt(V/alpha) and the hidden logarithms."""
    outcomes = []
    for each in TIGHTNESS:
        kept = [one for one in ratios(each) if one.series == 10][:: 2 if quick else 1]
        kind = "thm-4.2" if each.upper is BOUNDS["realisable"] else "thm-4.3"
        model = {
            one.at: math.sqrt(10 / float(one.at)) * chain(kind, float(one.at), 10, beta=FAILURE).logarithms
            for one in kept
        }
        low, high = [one.ratio.low for one in kept], [one.ratio.high for one in kept]
        outcomes.append(
            _order_outcome(
                "bassily2018:obs-5.a",
                f"{each.name}: upper over necessary bound is O~(sqrt(V/alpha)), along alpha from 10^-2 to 10^-12, "
                "V = 10",
                compare_slopes(list(model), low, high, model.__getitem__, factor=_ROOM),
            )
        )
    return outcomes


# --- the base learners


def base_learners(seed: int, quick: bool) -> Findings:
    """obs-3.d: sample sizes of base learners, run at their own sizes."""
    runs = 400 if quick else 3000
    outcomes = [*_least_positive(), *_minimisers(runs, np.random.default_rng(seed)), *_accuracies()]
    words = [each.word for each in outcomes]
    told = (
        f"{words.count('holds')} of {len(words)} statements hold, {words.count('compatible')} on orders are compatible."
    )
    return Findings((), outcomes, told, {"runs": runs})


BASE_LEARNERS = Page(
    "What the base learners need, run at their own sizes",
    "Least positive examples: the exact failure probability (1 - alpha)^n at the sizes of two formulas. Empirical "
    "minimisers among 100 thresholds with 20% of the labels flipped, at the sizes of two agnostic formulas: {runs} "
    "runs, the numbers of records and of ones of each cell drawn by their exact law (multinomial and binomial).",
    evidence="A word that rests on runs is wrong with probability at most 0.001 (holds) or 1e-9 (contradicted); the "
    "rest is exact.",
)


def _least_positive() -> list[Outcome]:
    """Consistent thresholds: the failure probability is (1 - alpha)^n."""
    settings = [(Fraction(str(a)), Fraction(str(b))) for a in (0.2, 0.1, 0.01, 0.001) for b in (0.05, 1e-3, 1e-6)]
    outcomes = []
    for name, size in (("the exact size", OneSidedThresholds()), ("Blumer and others, V = 1", Realisable(1))):
        failing = [((1 - a) ** int(size.size(float(a), float(b))), b) for a, b in settings]
        spare = min(1.0, *(float(chance / b) or 1e-300 for chance, b in failing))
        kept = compared(
            "bassily2018:obs-3.d",
            f"least positive examples, realisable: {name} gives accuracy alpha except with probability beta",
            all(chance <= b for chance, b in failing),
            f"{len(settings)} settings, exact: (1 - alpha)^n is as little as {spare:.2g} beta",
            kind="upper bound",
        )
        outcomes.append(set_against(kept, at_most(max(a for a, _ in settings), largest=1)))
    return outcomes


def _minimisers(runs: int, rng: np.random.Generator) -> list[Outcome]:
    """Empirical minimisers of noisy labels, so many runs at each formula's size."""
    outcomes = []
    for name, learner, a in (
        ("finite class of 100 thresholds", AgnosticFinite(100), 0.1),
        ("uniform convergence, V = 1", Agnostic(1), 0.1),
        ("uniform convergence, V = 1", Agnostic(1), 0.02),
    ):
        n = int(learner.size(a, 0.05))
        excess = np.array([grid_minimiser(n, _FLIPPED, rng) for _ in range(runs)])
        kept = counted(
            "bassily2018:obs-3.d",
            f"empirical minimiser, agnostic, {name}: n = {n:,} gives accuracy {a:g} except with probability 0.05",
            int((excess > a).sum()),
            runs,
            0.05,
            detail=f"the largest excess error is {excess.max():.3g}",
            size=float(n),
        )
        worst = (1 - 2 * _FLIPPED) * max(TARGET, 1 - TARGET)
        opponents = at_most(a, largest=worst, coin=0.5 - _FLIPPED, what="has excess error")
        outcomes.append(set_against(kept, opponents))
    return outcomes


def _accuracies() -> list[Outcome]:
    """The accuracy on n records against its order, along n."""
    outcomes = []
    for name, learner, order in (("realisable", Realisable(3), "V/n"), ("agnostic", Agnostic(3), "sqrt(V/n)")):
        sizes = [round(n) for n in np.geomspace(1e4, 1e12, 9)]
        kept = {Fraction(n): a for n in sizes if (a := float(learner.accuracy(float(n), FAILURE))) < 1}
        model = {
            n: math.log2(13 / a) * 3 / float(n)
            if order == "V/n"
            else math.sqrt(3 * math.log(2 * math.e * float(n) / 3)) * math.sqrt(3 / float(n))
            for n, a in kept.items()
        }
        low, high = ([factor * a for a in kept.values()] for factor in (0.999, 1.001))
        outcomes.append(
            _order_outcome(
                "bassily2018:obs-3.d",
                f"{name}: alpha = O~({order}) on n records, V = 3, along n",
                compare_slopes(list(kept), low, high, model.__getitem__, factor=_ROOM),
            )
        )
    return outcomes


def grid_minimiser(records: int, noise: float, rng: np.random.Generator, cells: int = 99) -> float:
    """The excess error of an empirical minimiser among the thresholds 0, 1/99, ..., 1; the target is the middle cell's.

    Points are uniform on so many cells; a threshold's error depends on them alone, so that numbers of records in cells
    (multinomial) and of ones among them (binomial) are all that is drawn.

    Examples
    --------
    >>> 0 <= grid_minimiser(1000, 0.2, np.random.default_rng()) <= 1
    True
    """
    middle = math.ceil(TARGET * cells)
    held = rng.multinomial(records, np.full(cells, 1 / cells))
    chances = np.where(np.arange(cells) >= middle, 1 - noise, noise)
    ones = rng.binomial(held, chances)
    before = np.concatenate([[0], np.cumsum(ones)])
    zeros = np.concatenate([[0], np.cumsum(held - ones)])
    place = int((before + zeros[-1] - zeros).argmin())
    return (1 - 2 * noise) * abs(place - middle) / cells


RUNS: tuple[Run, ...] = (
    Run(
        "private-samples",
        ("bassily2018:thm-4.2", "bassily2018:thm-4.3", "bassily2018:inf-1.2", "bassily2018:rem-2", "bassily2018:rem-3",
         "bassily2018:obs-5.a", "bassily2018:obs-5.b"),
        private_samples,
        (3.0, 3.0),
        PRIVATE_SAMPLES,
    ),
    Run("base-learners", ("bassily2018:obs-3.d",), base_learners, (1.0, 1.0), BASE_LEARNERS),
)  # fmt: skip
