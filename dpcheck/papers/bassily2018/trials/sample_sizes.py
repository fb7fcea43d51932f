"""Claim 5: the private samples of theorems 4.2 and 4.3 and the remarks, with explicit constants, against their orders.

Nothing is sampled: sizes are the registry's explicit bounds, in rigorous arithmetic, or the same chain for the remarks.
What an O-tilde hides is written out, so that only constants are left: L1 = log(4mT/min(delta, beta/2)) of the number of
models, the logarithm of the public sample under a root (through T), and that of the chunks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpcheck.papers.bassily2018.learners import Realisable, printed_scales
from dpcheck.papers.bassily2018.learners.choice_of_sizes import Agnostic, AgnosticFinite, OneSidedThresholds
from dpcheck.papers.bassily2018.theorems import transfer_instances
from dpcheck.papers.bassily2018.theorems.bounds import BOUNDS
from dpcheck.papers.bassily2018.theorems.tightness import TIGHTNESS
from dpcheck.papers.bassily2018.trials.outcomes import EXACT, ONE_EXAMPLE, counted, refuted
from dpcheck.papers.bassily2018.trials.votes_drawn import TARGET
from dpcheck.proof.tightness import ratios
from dpcheck.trial.model import Chart, Measurement, Outcome, Series, Table, Word
from dpcheck.trial.relations import compared
from dpcheck.trial.run import Run
from dpcheck.utility.slopes import Slopes, compare_slopes

DELTA, FAILURE = 1e-6, 0.01
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


def _outcome(result: str, claim: str, found: Slopes, expected: str = "") -> Outcome:
    words: dict[str, Word] = {"compatible": "compatible", "not compatible": "not compatible"}
    fitted = f"; fitted exponent {found.fitted.exponent:.3f}" if found.fitted is not None else ""
    return Outcome(
        words.get(found.verdict, "undecided"), claim, f"{found.detail}{fitted}", result, "order",
        learner="bassily2018.transfer", expected=expected if found.verdict == "not compatible" else "",
    )  # fmt: skip


def private_samples(seed: int, quick: bool) -> Measurement:
    """The explicit private samples against V/alpha, V/alpha^2 and the factor sqrt(V/alpha)."""
    accuracies = [float(f"{each:.4g}") for each in np.geomspace(1e-4, 0.2, 7 if quick else 15)]
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
            outcomes.append(_outcome(f"bassily2018:{kind.split()[0]}", claim, found))
            if kind.startswith("thm"):
                outcomes.append(_outcome("bassily2018:inf-1.2", f"inf-1.2: as {claim}", found))
    risky = [chain("thm-4.3", a, 1, 1.0, 0.5) for a in accuracies]
    outcomes += [
        _outcome(
            "bassily2018:thm-4.3",
            "thm-4.3 read for all gamma, its own chain at gamma = 1/2: n = O~(V^(3/2)/(eps alpha^(5/2))), along alpha",
            order_of("thm-4.3", risky, lambda c: c.accuracy),
            "bassily2018:thm-4.3 (T4.3.n): T is of the order gamma m where gamma > alpha",
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
    rows = []
    for kind in ("thm-4.2", "thm-4.3", "rem-2", "rem-3"):
        for vc in (1, 3, 10):
            for a in (0.2, 0.1, 0.01, 0.001, 0.0001):
                each = chain(kind, a, vc)
                alone = float((Agnostic(vc) if kind == "thm-4.3" else Realisable(vc)).size(a, FAILURE))
                rows.append((kind, str(vc), f"{a:g}", f"{each.public:.3g}", f"{each.models:.3g}", f"{each.private:.3g}",
                             f"{alone:.3g}", f"{each.private / alone / math.sqrt(vc / a):.3g}"))  # fmt: skip
    return Measurement(
        "private-samples",
        "What a private learner of threshold-like classes asks for",
        ("bassily2018:thm-4.2", "bassily2018:thm-4.3", "bassily2018:inf-1.2", "bassily2018:rem-2", "bassily2018:rem-3",
         "bassily2018:obs-5.a", "bassily2018:obs-5.b"),
        "The chain of the proofs with explicit constants: the public sample, T, k of the printed formulas, and k "
        "chunks of "
        "as many records as the base learner needs; epsilon = 1, delta = 10^-6, beta = min(0.01, alpha).",
        "Fitted exponents of n in alpha, logarithms and all: "
        + ", ".join(f"{value:.2f} ({kind})" for kind, value in fitted.items())
        + ". Printed: -1.5, -2.5, -1, -1, and for the repair of rem-3 with beta = min(0.01, alpha) between -1 and -2. "
        f"{sum(each.word == 'compatible' for each in outcomes)} of "
        f"{sum(each.kind == 'order' for each in outcomes)} statements on orders are compatible.",
        f"{EXACT} \"Compatible\" proves nothing about other sizes.",
        (_chart(accuracies),),
        (Table("Sizes, and their excess over a learner without privacy and the factor sqrt(V/alpha)",
               ("result", "V", "alpha", "m", "k", "n", "n without privacy", "quotient / sqrt(V/alpha)"), tuple(rows)),),
        tuple(outcomes),
    )  # fmt: skip


def _of_gamma(gamma: Fraction, alpha: Fraction = Fraction(0)) -> Fraction:
    """The end of theorem 4.3's chain: err(hhat; P) <= (gamma + err(hpriv) + alpha) + err(hpriv)."""
    single = 7 * alpha + 3 * gamma
    return alpha + gamma + 2 * single


def _large_epsilon() -> Outcome:
    single = transfer_instances.one_example()
    return refuted(
        "bassily2018:rem-2",
        "rem-2 as printed, for every epsilon: n = O~(V^(3/2)/(eps alpha)), so 1 for large epsilon",
        single.failure,
        ONE_EXAMPLE.format(single.family),
        kind="order",
        expected=f"bassily2018:rem-2: {_LARGE}",
    )


def _near_optimal(quick: bool) -> tuple[Outcome, ...]:
    """obs-5.a: the registry's bounds, upper over lower, against sqrt(V/alpha) and the hidden logarithms."""
    outcomes = []
    for each in TIGHTNESS:
        found = [one for one in ratios(each) if one.series == 10]
        kept = found[:: 2 if quick else 1]
        model = {}
        for one in kept:
            kind = "thm-4.2" if each.upper is BOUNDS["realisable"] else "thm-4.3"
            hidden = chain(kind, float(one.at), 10, beta=FAILURE).logarithms
            model[one.at] = math.sqrt(10 / float(one.at)) * hidden
        slopes = compare_slopes(
            list(model),
            [one.ratio.low for one in kept],
            [one.ratio.high for one in kept],
            model.__getitem__,
            factor=_ROOM,
        )
        outcomes.append(
            _outcome(
                "bassily2018:obs-5.a",
                f"{each.name}: upper over necessary bound is O~(sqrt(V/alpha)), along alpha from 10^-2 to 10^-12, "
                "V = 10",
                slopes,
            )
        )
    return tuple(outcomes)


def _chart(accuracies: Sequence[float]) -> Chart:
    xs = tuple(accuracies)
    series = [
        Series(f"n, {kind}", "bound", place, xs, tuple(chain(kind, a).private for a in accuracies))
        for place, kind in enumerate(("thm-4.2", "thm-4.3", "rem-2", "rem-3"))
    ]
    series += [
        Series("without privacy, realisable", "bound", 4, xs,
               tuple(float(Realisable(1).size(a, FAILURE)) for a in accuracies)),
        Series("without privacy, agnostic", "bound", 5, xs,
               tuple(float(Agnostic(1).size(a, FAILURE)) for a in accuracies)),
    ]  # fmt: skip
    return Chart(
        "private-samples", "Private records for accuracy alpha, V = 1, epsilon = 1", "alpha", "records n",
        tuple(series),
        y_log=True, alt="Sizes of two theorems and two remarks against alpha, beside learners without privacy.",
    )  # fmt: skip


# --- the base learners


def base_learners(seed: int, quick: bool) -> Measurement:
    """obs-3.d: sample sizes of base learners, run at their own sizes."""
    settings = [(a, b) for a in (0.2, 0.1, 0.01, 0.001) for b in (0.05, 1e-3, 1e-6)]
    outcomes: list[Outcome] = []
    for name, size in (("the exact size", OneSidedThresholds()), ("Blumer and others, V = 1", Realisable(1))):
        held, spare = True, 1.0
        for a, b in settings:
            n = int(size.size(a, b))
            failing = (1 - Fraction(str(a))) ** n
            held &= failing <= Fraction(str(b))
            spare = min(spare, float(failing / Fraction(str(b))) or 1e-300)
        outcomes.append(
            compared(
                "bassily2018:obs-3.d",
                f"least positive examples, realisable: {name} gives accuracy alpha except with probability beta",
                bool(held),
                f"{len(settings)} settings, exact: (1 - alpha)^n is as little as {spare:.2g} beta",
                kind="upper bound",
            )
        )
    rng = np.random.default_rng(seed)
    runs = 400 if quick else 3000
    for name, n, a, b in (
        ("finite class of 100 thresholds", int(AgnosticFinite(100).size(0.1, 0.05)), 0.1, 0.05),
        ("uniform convergence, V = 1", int(Agnostic(1).size(0.1, 0.05)), 0.1, 0.05),
        ("uniform convergence, V = 1", int(Agnostic(1).size(0.02, 0.05)), 0.02, 0.05),
    ):
        excess = np.array([grid_minimiser(n, 0.2, rng) for _ in range(runs)])
        failures = int((excess > a).sum())
        outcomes.append(
            counted(
                "bassily2018:obs-3.d",
                f"empirical minimiser, agnostic, {name}: n = {n:,} gives accuracy {a:g} except with probability {b:g}",
                failures,
                runs,
                b,
                detail=f"the largest excess error is {excess.max():.3g}",
                size=float(n),
            )
        )
    sizes = [float(round(n)) for n in np.geomspace(1e4, 1e12, 9)]
    for name, learner, power in (("realisable", Realisable(3), 1.0), ("agnostic", Agnostic(3), 0.5)):
        found = [float(learner.accuracy(n, FAILURE)) for n in sizes]
        kept = [(Fraction(n), a) for n, a in zip(sizes, found, strict=True) if a < 1]
        hidden = {
            n: math.log2(13 / a) if power == 1.0 else math.sqrt(3 * math.log(2 * math.e * float(n) / 3))
            for n, a in kept
        }
        slopes = compare_slopes(
            [n for n, _ in kept], [0.999 * a for _, a in kept], [1.001 * a for _, a in kept],
            lambda n, hidden=hidden, power=power: hidden[n] * (3 / float(n)) ** power, factor=_ROOM,
        )  # fmt: skip
        outcomes.append(
            _outcome(
                "bassily2018:obs-3.d",
                f"{name}: alpha = O~({'V/n' if power == 1.0 else 'sqrt(V/n)'}) on n records, V = 3, along n",
                slopes,
            )
        )
    words = [each.word for each in outcomes]
    return Measurement(
        "base-learners",
        "What the base learners need, run at their own sizes",
        ("bassily2018:obs-3.d",),
        "Least positive examples: the exact failure probability (1 - alpha)^n at the sizes of two formulas. Empirical "
        "minimisers among 100 thresholds with 20% of the labels flipped, at the sizes of two agnostic formulas: "
        f"{runs} "
        "runs, the numbers of records and of ones of each cell drawn by their exact law (multinomial and binomial).",
        f"{words.count('holds')} of {len(words)} statements hold, {words.count('compatible')} on orders are "
        "compatible.",
        "A word that rests on runs is wrong with probability at most 0.001 (holds) or 1e-9 (contradicted); the rest is "
        "exact.",
        (),
        (Table("What was run", ("claim", "word", "found"),
               tuple((each.claim, each.word, each.detail) for each in outcomes)),),
        tuple(outcomes),
        trials=3 * runs,
    )  # fmt: skip


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
    ),
    Run("base-learners", ("bassily2018:obs-3.d",), base_learners, (1.0, 1.0)),
)  # fmt: skip
