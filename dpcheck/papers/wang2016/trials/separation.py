"""What cannot be learnt privately: packed thresholds, and thresholds on a growing grid."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.data import Labelled
from dpcheck.papers.alon2019.learners import Dummies, FromSemiPrivate, GenericLearner
from dpcheck.papers.beimel2015.learners.entries import exponential as beimel_exponential
from dpcheck.papers.chaudhuri2011.learners import ReferenceLearner
from dpcheck.papers.wang2016.hard_instances import PackedThresholds
from dpcheck.papers.wang2016.learners import (
    BoostedLearner,
    CoverExponential,
    ExponentialOnInterval,
    OptimalPrivateLearner,
    RegularisedExponential,
    RepresentedExponential,
    SubsampledLearner,
    ZeroOneLoss,
    classification,
)
from dpcheck.papers.wang2016.theorems.separations_instances import two_intervals
from dpcheck.papers.wang2016.trials.exact import (
    tally,
    together,
)
from dpcheck.parts.classes import GridThresholds, Thresholds
from dpcheck.parts.classes.references import UniformLine
from dpcheck.parts.mechanisms.mixtures import chances
from dpcheck.trial.failures import word_of_failures
from dpcheck.trial.model import HOLDS_LEVEL, Outcome
from dpcheck.trial.page import EXACT, Page, Plot
from dpcheck.trial.relations import compared, enclosed, refuted_by
from dpcheck.trial.rows import Findings, Row, bound, exact
from dpcheck.trial.run import Run
from dpcheck.utility.evidence import fixed_interval

#: Probabilities computed in doubles are right to far less than this.
_DOUBLES = 1e-9
#: Datasets of a packing that are run where they decide.
MOST_DATASETS = 48


@dataclass(frozen=True)
class Fit:
    """How a learner does on a dataset of the packing: P(A(Z_i) in J_i), and its expected empirical risk on Z_i."""

    at_home: float
    risk: float


def fit(learner: Any, hard: PackedThresholds, place: int) -> Fit:
    """Both numbers from the density or the law."""
    dataset = hard.dataset(place)
    if isinstance(learner, ExponentialOnInterval):
        density, (low, high) = learner.density(dataset), hard.interval(place)
        edges = learner.edges(dataset)
        # between two points of the data all thresholds make the same mistakes
        risks = hard.empirical_risk(place, (edges[:-1] + edges[1:]) / 2)
        masses = [math.exp(density.log_probability(float(a), float(b))) for a, b in pairwise(edges)]
        return Fit(
            math.exp(density.log_probability(float(low), float(high))),
            math.fsum(p * float(risk) for p, risk in zip(masses, risks, strict=True)),
        )
    law = learner.distribution(dataset)
    outputs, shares = zip(*(law.items() if isinstance(law, dict) else chances(law)), strict=True)
    found = np.asarray(outputs, dtype=float)
    inside, wrong = hard.hits(place, found), hard.empirical_risk(place, found)
    return Fit(
        math.fsum(float(p) for p, hit in zip(shares, inside, strict=True) if hit),
        math.fsum(float(p) * float(risk) for p, risk in zip(shares, wrong, strict=True)),
    )


def fits(learner: Any, hard: PackedThresholds, most: int = MOST_DATASETS) -> tuple[Fit, ...]:
    """The same for the datasets of the packing, at most ``most`` of them, evenly spread, where those decide.

    The proposition is about the worst dataset: one that keeps the bounds shows that the worst does, whichever it is.
    Where none of those keeps them, all are run.
    """
    chosen = sorted(set(np.linspace(0, hard.number - 1, min(most, hard.number)).round().astype(int).tolist()))
    found = {place: fit(learner, hard, place) for place in chosen}
    kept = any(each.at_home < hard.packing_bound - _DOUBLES for each in found.values())
    if not (kept and any(each.risk > 0.1 + _DOUBLES for each in found.values())):
        found |= {place: fit(learner, hard, place) for place in range(hard.number) if place not in found}
    return tuple(found.values())


def least_at_home(learner: Any, hard: PackedThresholds) -> float:
    """The least probability of J_i over those datasets."""
    return min(each.at_home for each in fits(learner, hard))


#: The learner of least worst excess, from a linear program: on few records only.
_GENERIC = "wang2016.generic"


class _OnGrid:
    """A learner of thresholds of a grid, with the grid's thresholds in the middles of the packing's cells."""

    order_blind = True

    def __init__(self, learner: Any, hard: PackedThresholds) -> None:
        self.learner, self.number = learner, hard.number

    def on_grid(self, dataset: Any) -> Labelled:
        """The points by the cells of the grid: left of the middle of cell i of the packing i, right of it i + 1."""
        cells = np.floor(np.asarray(dataset.x) * self.number + 0.5).astype(int)
        return Labelled(np.clip(cells, 0, self.number), dataset.y)

    def distribution(self, dataset: Any) -> dict[float, float]:
        """The law of the threshold: place i of the grid stands for the middle of cell i, the last one for none."""
        found: dict[float, float] = {}
        for output, p in chances(self.learner.distribution(self.on_grid(dataset))):
            at = (float(output) - 0.5) / self.number
            found[at] = found.get(at, 0.0) + p
        return found

    def sample(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Some thresholds."""
        drawn = np.asarray(self.learner.sample(self.on_grid(dataset), size, rng), dtype=float)
        return np.asarray((drawn - 0.5) / self.number)


def _halves(number: int) -> tuple[tuple[int, ...], ...]:
    """All thresholds of the grid, and every second one: two sets to draw from."""
    return tuple(range(number + 2)), tuple(range(0, number + 2, 2))


def _reference(epsilon: float, hard: PackedThresholds) -> ReferenceLearner:
    """A1 with the constant that makes its net on n records as fine as the packing: it is private with any constant."""
    accuracy, failure = 0.25, 0.5
    plain = ReferenceLearner(Thresholds(), UniformLine(), epsilon, accuracy, failure)
    logarithms = float(plain.doubling_dimension or 1) * math.log(hard.number) + math.log(1 / failure)
    constant = hard.dataset_size / ((1 / (epsilon * accuracy) + accuracy**-2) * logarithms)
    return replace(plain, constant=constant)


def tried(epsilon: float, hard: PackedThresholds) -> Mapping[str, Any]:
    """The learners of thresholds that are run on the packing, each epsilon-DP."""
    grid = GridThresholds(hard.number + 1)
    half = math.isqrt(hard.dataset_size)
    inner = math.log1p(math.expm1(epsilon) * hard.dataset_size / half) * (1 - 1e-12)
    return {
        "wang2016.thresholds_on_interval": ExponentialOnInterval("thresholds", epsilon),
        "wang2016.thresholds_on_interval, the paper's sensitivity": ExponentialOnInterval(
            "thresholds", epsilon, sensitivity="paper_bound"
        ),
        "wang2016.cover": CoverExponential(Thresholds(), UniformLine(), Fraction(1, 4 * hard.number), epsilon),
        "wang2016.regularised": _OnGrid(RegularisedExponential(ZeroOneLoss(grid), None, epsilon), hard),
        "wang2016.represented": _OnGrid(
            RepresentedExponential(ZeroOneLoss(grid), _halves(hard.number), None, epsilon), hard
        ),
        "chaudhuri2011.A1": _reference(epsilon, hard),
        "alon2019.generic": _OnGrid(GenericLearner(grid, epsilon), hard),
        "beimel2015.exponential": _OnGrid(beimel_exponential(epsilon=epsilon, domain_size=hard.number + 1), hard),
        "wang2016.subsample": _OnGrid(
            SubsampledLearner(RegularisedExponential(ZeroOneLoss(grid), None, inner), hard.dataset_size, half), hard
        ),
    }


def packing_outcome(name: str, least: float, hard: PackedThresholds) -> Outcome:
    """Whether a learner keeps the packing bound: above it, it is not as private as it says."""
    return enclosed(
        "wang2016:prop-12",
        f"an epsilon-DP learner has min_i P(A(Z_i) in J_i) <= 1/(1 + (K - 1) e^(-eps n)), K = {hard.number:,}",
        max(0.0, least - _DOUBLES),
        min(1.0, least + _DOUBLES),
        hard.packing_bound,
        kind="lower bound",
        learner=name,
    )


def risk_outcome(name: str, most: float, hard: PackedThresholds) -> Outcome:
    """Whether a learner's largest expected empirical risk on the packing is what a private one must have."""
    return enclosed(
        "wang2016:prop-12",
        f"on some of the K = {hard.number:,} datasets the expected empirical risk is 0.1 or more",
        max(0.0, most - _DOUBLES),
        min(1.0, most + _DOUBLES),
        0.1,
        sense="at least",
        kind="lower bound",
        learner=name,
    )


def packing_by_calls(name: str, learner: Any, hard: PackedThresholds, trials: int, seed: int) -> Outcome:
    """The same for a learner without a law: every dataset is run, counts are enclosed together."""
    rng = np.random.default_rng(seed)
    counts = [
        int(hard.hits(place, learner.sample(hard.dataset(place), trials, rng)).sum()) for place in range(hard.number)
    ]
    # some dataset with few hits shows that the bound is kept, many hits on all of them that it is not
    least = min(counts)
    word, level = word_of_failures(least, trials, hard.packing_bound, holds_among=hard.number)
    high = fixed_interval(least, trials, 2 * HOLDS_LEVEL / hard.number)[1]
    return Outcome(
        word,
        f"an epsilon-DP learner has min_i P(A(Z_i) in J_i) <= 1/(1 + (K - 1) e^(-eps n)), K = {hard.number:,}",
        f"the least count is {least:,} of {trials:,}; its probability is at most {high:.4g}, the bound is "
        f"{hard.packing_bound:.4g}",
        "wang2016:prop-12",
        "lower bound",
        learner=name,
        level=level,
        trials=trials * hard.number,
    )


#: Records of the packings on which all learners are run, and what they are set against.
_RECORDS, _PRODUCT = 8, "epsilon n"


def packed(seed: int, quick: bool) -> Findings:
    """Claim 6: every learner of thresholds on the packed datasets."""
    products = (0.75, 2.0, 4.0) if quick else (0.75, 1.5, 3.0, 4.5, 6.0)
    cases: dict[str, list[Outcome]] = {}
    risks: dict[str, list[Outcome]] = {}
    shares: dict[str, list[float]] = {}
    worst: dict[str, list[float]] = {}
    rows: list[Row] = []
    for product in products:
        hard = PackedThresholds(product / _RECORDS, _RECORDS)
        for name, learner in tried(product / _RECORDS, hard).items():
            every = fits(learner, hard)
            least, most = min(each.at_home for each in every), max(each.risk for each in every)
            rows += exact(name, [least], **{_PRODUCT: product})
            shares.setdefault(name, []).append(least / hard.packing_bound)
            worst.setdefault(name, []).append(most)
            cases.setdefault(name, []).append(packing_outcome(name, least, hard))
            risks.setdefault(name, []).append(risk_outcome(name, most, hard))
        rows += bound("1/(1 + (K - 1) e^(-eps n))", [hard.packing_bound], **{_PRODUCT: product})
    outcomes = [_of_least_excess((0.75,) if quick else (0.75, 1.5)), *_by_calls(seed, 500 if quick else 2_000)]
    for name in cases:
        one = together(
            cases[name],
            "min_i P(A(Z_i) in J_i) is at most the packing bound 1/(1 + (K - 1) e^(-eps n)), eps n = "
            f"{products[0]:g} to {products[-1]:g}, n = {_RECORDS}",
            f"the largest share of the bound is {max(shares[name]):.3g}",
        )
        other = together(
            risks[name],
            "no private learner is always AERM: on some Z_i the expected empirical risk is 0.1 or more, where some "
            "threshold has 0",
            f"{min(worst[name]):.3g} or more on the worst dataset of each packing, exactly",
        )
        outcomes += [replace(one, learner=name), replace(other, learner=name, kind="lower bound")]
    outcomes.append(
        refuted_by(
            "wang2016:prop-12",
            "line (5) of its proof as printed: P(A(Z_1) not in J_1) >= K e^(-eps n) 0.9 >= 0.9",
            two_intervals(),
            "an epsilon-DP learner has 0.82 there",
            kind="lower bound",
            expected="P12.(5): the sum has K - 1 terms (the proposition holds)",
        )
    )
    told = f"The best of them reaches {max(map(max, shares.values())):.3g} of the packing bound. {tally(outcomes)}"
    return Findings(rows, outcomes, told)


PACKED = Page(
    "Thresholds on [0, 1] cannot be learnt privately",
    f"K = ceil(e^(eps n)) thresholds with a dataset of {_RECORDS} points each, which only thresholds in a short "
    "interval of their own fit. The learners of this project that are given labelled records alone and hide them "
    f"whole are run on all K datasets, or on {MOST_DATASETS} of them, evenly spread, where those show what the "
    "worst one must; a learner that beats the bound is not private.",
    (
        Plot(
            "packing",
            f"Fitting packed thresholds, n = {_RECORDS}",
            _PRODUCT,
            "least P(the learner's threshold is at home)",
            x_log=False,
            scale="log",
        ),
    ),
    evidence=EXACT + " Where the density is on an interval: doubles, right to 1e-9. Boosting and the reduction of "
    "alon2019 are run by their calls: a claim that holds is wrong with probability at most 1e-3, a contradiction with "
    "1e-9.",
    left_out="Learners that are given public or unlabelled records, ask for labels, hide only labels, are (epsilon, "
    "delta)-DP with a delta above 0, or have another task. Learners of a finite class run on the grid of the "
    "packing's own thresholds.",
)


def _of_least_excess(products: Sequence[float]) -> Outcome:
    """The packing bound for the learner of least worst excess, on two records."""
    cases, best = [], []
    for product in products:
        hard = PackedThresholds(product / 2, 2)
        problem = classification(GridThresholds(hard.number + 1), range(hard.number + 1))
        least = least_at_home(_OnGrid(OptimalPrivateLearner(problem, product / 2, 2), hard), hard)
        best.append(least / hard.packing_bound)
        cases.append(packing_outcome(_GENERIC, least, hard))
    one = together(
        cases,
        "min_i P(A(Z_i) in J_i) is at most the packing bound, eps n = "
        f"{' and '.join(f'{each:g}' for each in products)}, n = 2",
        f"of all private learners that of least worst excess: {max(best):.3g} of the bound",
    )
    return replace(one, learner=_GENERIC)


def _by_calls(seed: int, calls: int) -> list[Outcome]:
    """The packing bound for learners without a law."""
    hard = PackedThresholds(0.25, 8)
    grid = GridThresholds(hard.number + 1)
    loss = ZeroOneLoss(grid)
    boosted = BoostedLearner(RegularisedExponential(loss, None, 0.25), loss, 8, 0.5, validation_epsilon=0.25)
    # ten times as many positions as records, each asking for one with probability 1/4: most of the eight are used
    reduced = FromSemiPrivate(GenericLearner(grid, 0.25), 80, 1, Dummies([0]), probability=Fraction(1, 4))
    return [
        packing_by_calls("wang2016.boost", _OnGrid(boosted, hard), hard, calls, seed),
        packing_by_calls("alon2019.reduction", _OnGrid(reduced, hard), hard, calls, seed + 1),
    ]


#: The empirical risk that is asked for on a growing grid, at epsilon = 1.
_RISK = 0.1


def growing(seed: int, quick: bool) -> Findings:
    """Remark 4.3: VC dimension 1 throughout, and the size a private learner needs grows with the grid."""
    counts = [2**exponent for exponent in ((2, 4, 6, 8) if quick else range(2, 11))]
    needed = [_needed_on_grid(count) for count in counts]
    # a private learner with risk 0.1 on each has P(home) >= 0.8, so 0.8 <= 1/(1 + (K - 1) e^(-eps n)), K = count - 1
    least = [math.log(4 * (count - 2)) for count in counts]
    one = together(
        [
            compared(
                "wang2016:rem-4.3",
                f"K = {count - 1:,} datasets: expected empirical risk 0.1 on each packed dataset takes n >= log(4 (K "
                "- 1))/epsilon",
                size >= limit,
                f"the exponential mechanism at epsilon = 1 needs n = {size}; packing says {limit:.3g}",
                kind="lower bound",
            )
            for count, size, limit in zip(counts, needed, least, strict=True)
        ],
        "thresholds on a grid (VC dimension 1): risk 0.1 on each of K packed datasets takes n >= log(4 (K - "
        f"1))/epsilon, for grids of {counts[0]} to {counts[-1]:,} points",
        f"the exponential mechanism at epsilon = 1 needs n = {needed[0]} to {needed[-1]}",
    )
    grows = all(a <= b for a, b in pairwise(needed)) and needed[-1] > needed[0]
    ratios = [size / limit for size, limit in zip(needed, least, strict=True)]
    told = (
        f"The size needed {'grows' if grows else 'does not grow'} from {needed[0]} on {counts[0]} points to "
        f"{needed[-1]} on {counts[-1]:,}, {min(ratios):.3g} to {max(ratios):.3g} times the packing bound; the VC "
        "dimension is 1."
    )
    rows = exact("exponential mechanism, exact", needed, points=counts)
    rows += bound("log(4 (K - 1))/epsilon, K = points - 1", least, points=counts)
    return Findings(rows, (replace(one, learner="wang2016.regularised"),), told)


GROWING = Page(
    "A finite VC dimension is not enough for a private learner",
    "Thresholds on a grid: datasets that only one threshold fits, the exact expected empirical risk of the "
    "exponential mechanism, and the least even n at which it is 0.1.",
    (
        Plot(
            "growing-grid",
            "Records needed for risk 0.1, thresholds on a grid, epsilon = 1",
            "points",
            "n",
            x_label="points of the grid",
            scale="log",
        ),
    ),
    evidence="{intervals} Risks in doubles, right to 1e-9.",
    left_out="That uniform convergence is necessary is a statement about all problems, and open in general.",
)


def _needed_on_grid(count: int) -> int:
    """The least even number of records from which the mechanism keeps the risk on what only one threshold fits."""
    loss = ZeroOneLoss(GridThresholds(count))
    learner = RegularisedExponential(loss, None, 1.0)
    home = count // 2

    def risk(half: int) -> float:
        # half of the records on either side of the one threshold
        data = Labelled([home - 1] * half + [home] * half, [0] * half + [1] * half)
        values = loss.sums(learner.hypotheses, data).values
        law = chances(learner.distribution(data))
        return math.fsum(p * int(v) for (_, p), v in zip(law, values, strict=True)) / (2 * half)

    low, high = 1, 2
    while risk(high) > _RISK:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if risk(middle) <= _RISK else (middle, high)
    return 2 * high


RUNS = (
    Run("packed-thresholds", ("wang2016:prop-12",), packed, (1.5, 6.0), PACKED),
    Run("growing-grid", ("wang2016:rem-4.3",), growing, (0.1, 0.2), GROWING),
)
