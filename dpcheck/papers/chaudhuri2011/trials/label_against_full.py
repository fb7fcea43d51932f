"""Claim 7: A2 needs no reference and does not feel how concentrated data are, A1 does; theorem 27 at its own size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpcheck.papers.chaudhuri2011.hard_instances import ConcentratedThreshold
from dpcheck.papers.chaudhuri2011.learners import LabelPrivateLearner, ReferenceLearner
from dpcheck.papers.chaudhuri2011.learners.sizes import label_private_size
from dpcheck.papers.chaudhuri2011.theorems.bounds import BOUNDS
from dpcheck.parts.classes import Thresholds
from dpcheck.parts.classes.references import UniformLine
from dpcheck.proof.bounds import evaluate
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import compared
from dpcheck.trial.rows import Findings, exact
from dpcheck.trial.rows import rates as measured
from dpcheck.trial.upper import UpperBound, check_upper_bound
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.distributions import UniformInterval
from dpcheck.utility.failure import FailureRate, failure_rate
from dpcheck.utility.sizes import sample_complexity

_EPSILON, _ACCURACY, _FAILURE = 0.5, 0.2, 0.1
#: All intervals of the chart are right together, save with this probability: outcomes are read off them.
_TOGETHER = 1e-3
_CENTRE = Fraction(2718, 10_000)


def threshold_cover(size: int, radius: Fraction) -> int:
    """The smallest cover of thresholds under m distinct points at a radius: the dichotomies are m + 1 places on a line.

    Examples
    --------
    >>> from dpcheck.parts.classes import Atoms, covering_number
    >>> threshold_cover(40, Fraction(1, 40)) == covering_number(Thresholds(), Atoms(range(40)), Fraction(1, 40))
    True
    """
    return math.ceil(Fraction(size + 1, 2 * math.floor(radius * size) + 1))


def own_size(accuracy: float, best_risk: float) -> int:
    """Theorem 27's size for thresholds, from its proof: the mean cover depends on the size, which is iterated.

    Examples
    --------
    >>> own_size(0.2, 0.1) > own_size(0.2, 0.0)
    True
    """
    cover = math.ceil(4 / accuracy) + 1  # at radius accuracy/8 each member covers at least accuracy/4 of the line
    size = label_private_size(_EPSILON, accuracy, _FAILURE, 1, cover, best_risk)
    assert threshold_cover(size, Fraction(str(accuracy)) / 8) <= cover
    return size


def label_against_full(seed: int, quick: bool) -> Findings:
    """The failure rates of both as eta falls, and A2 at theorem 27's size with and without label noise."""
    size, trials = 6_000, 60 if quick else 400
    resolutions = (
        [Fraction(1, 10), Fraction(1, 100), Fraction(1, 10_000)] if quick else [Fraction(1, 10**k) for k in range(1, 7)]
    )
    learners: Mapping[str, Any] = {
        "A1, U uniform": ReferenceLearner(Thresholds(), UniformLine(), _EPSILON, _ACCURACY, _FAILURE, constant=20.0),
        "A2": LabelPrivateLearner(Thresholds(), _EPSILON, _ACCURACY, _FAILURE),
    }
    level = _TOGETHER / (len(resolutions) * len(learners))
    rates = {
        name: [
            failure_rate(
                learner, ConcentratedThreshold(_CENTRE, eta), sizes={"private": size}, accuracy=_ACCURACY,
                trials=trials, level=level, seed=seed + place, **IN_PLACE,
            )
            for place, eta in enumerate(resolutions)
        ]
        for name, learner in learners.items()
    }  # fmt: skip
    etas = [float(eta) for eta in resolutions]
    a1 = learners["A1, U uniform"]
    reach = 3 / (4 * (math.exp(a1.log_smoothness(size)) - 0.5))
    own = [
        _own("thresholds, P_z with eta = 1e-6", ConcentratedThreshold(_CENTRE, Fraction(1, 10**6)), 0.0, seed),
        *(
            []
            if quick
            else [
                _own(
                    "thresholds, uniform points, 10% of labels flipped",
                    UniformInterval(Fraction(1, 4), noise=0.1),
                    0.1,
                    seed + 1,
                )
            ]
        ),
    ]
    search = sample_complexity(
        LabelPrivateLearner(Thresholds(), _EPSILON, _ACCURACY, _FAILURE),
        ConcentratedThreshold(_CENTRE, Fraction(1, 100)),
        over="private",
        accuracy=_ACCURACY,
        failure=_FAILURE,
        least=10,
        most=2_000,
        per_octave=2,
        around=0 if quick else 1,
        octaves=1,
        trials=600 if quick else 3_000,
        seed=seed + 2,
        **IN_PLACE,
    )
    own[0] = replace(own[0], measured=None if search.enough is None else float(search.enough))
    forms = [_form(accuracy, failure) for accuracy in (0.5, 0.2, 0.05) for failure in (0.5, 0.1, 0.01)]
    first, last = (found[0] for found in rates.values()), (found[-1] for found in rates.values())
    spoken = ", ".join(f"{name} {a.rate:.3f} and {b.rate:.3f}" for name, a, b in zip(rates, first, last, strict=True))
    flat = _agree(rates["A2"])
    hurt = rates["A1, U uniform"][-1].interval[0] > rates["A2"][-1].interval[1]
    rows = [row for name, found in rates.items() for row in measured(name, found, eta=etas)]
    rows += exact(
        "proof's size", [size for *_, size, _ in forms], eps=[a for a, *_ in forms], delta=[d for _, d, *_ in forms]
    )
    rows += exact(
        "closed form", [size for *_, size in forms], eps=[a for a, *_ in forms], delta=[d for _, d, *_ in forms]
    )
    told = (
        f"At the largest and the smallest eta the failure rates are: {spoken}. "
        + (
            "A2's rates agree at all eta (by their intervals), and at the smallest eta A1 certainly fails more often."
            if flat and hurt
            else "The intervals do not separate the two learners everywhere."
        )
        + f" A1's size answers for kappa of the distributions with eta from {reach:.2g} on."
    )
    outcomes = (*own, _closed_form(forms), *_read_off(etas, rates["A1, U uniform"], rates["A2"], size))
    made = trials * len(etas) * len(rates) + search.trials + sum(each.trials for each in own)
    return Findings(rows, outcomes, told, {"reach": reach}, made)


PAGE = Page(
    "Label privacy does not need to know where the data are; full privacy does",
    f"P_z of theorem 5 with ever smaller eta, 6,000 records, alpha = {_EPSILON:g}, eps = {_ACCURACY:g}: how often A1 "
    "(U uniform, C = 20, half of what proves theorem 8) and A2 (which has no U) miss. Then A2 at the size of theorem "
    "27's proof, for a concentrated distribution and for one with label noise.",
    (
        Plot(
            "failure-against-resolution",
            f"Excess risk above {_ACCURACY:g} at 6,000 records",
            "eta",
            "probability of failure",
            x_label="resolution eta",
            lines=(Line("theorem 8 speaks of A1 from this eta on, if its C were 20", x="reach"), Line("0.1", y=0.1)),
        ),
    ),
    (
        Pivot(
            "Theorem 27 for thresholds, alpha = 0.5, no label errors: its proof's size and the closed form with "
            "16500 and 32",
            ("eps", "delta"),
        ),
    ),
    evidence="{intervals} Outcomes: each row at the level said.",
)


def _closed_form(forms: Sequence[tuple[float, float, int, int]]) -> Outcome:
    return compared(
        "chaudhuri2011:thm-27",
        "thm-27: the closed form with constants 16500 and 32 is at least the size of its proof, V = 1, eta = 0",
        all(m <= c for *_, m, c in forms),
        f"in {len(forms)} cases of eps and delta, alpha = 0.5",
    )


def _read_off(etas: Sequence[float], a1: Sequence[FailureRate], a2: Sequence[FailureRate], size: int) -> list[Outcome]:
    """What the intervals of both learners say: of A2 at all eta, and of the two at the smallest."""
    flat = _agree(a2)
    hurt = a1[-1].interval[0] > a2[-1].interval[1]
    return [
        Outcome(
            "compatible" if flat else "not compatible",
            "thm-27 for data of any concentration: A2's failure rate does not depend on eta",
            f"the intervals at {len(etas)} values of eta have a common point"
            if flat
            else "some intervals are disjoint",
            "chaudhuri2011:thm-27",
            "order",
            learner="chaudhuri2011.A2",
            level=_TOGETHER,
        ),
        Outcome(
            "holds" if hurt else "undecided",
            f"ex-1: at the same {size:,} records A1 needs more for smaller eta: at eta = {etas[-1]:g} it fails more "
            "often than A2",
            f"A1 at least {a1[-1].interval[0]:.3f}, A2 at most {a2[-1].interval[1]:.3f}",
            "chaudhuri2011:ex-1",
            "number",
            level=_TOGETHER,
            trials=a1[-1].trials + a2[-1].trials,
        ),
    ]


def _agree(found: Sequence[FailureRate]) -> bool:
    """Whether all intervals have a point in common."""
    return max(each.interval[0] for each in found) <= min(each.interval[1] for each in found)


def _own(said: str, distribution: Any, best_risk: float, seed: int) -> Outcome:
    size = own_size(_ACCURACY, best_risk)
    return check_upper_bound(
        UpperBound(
            "chaudhuri2011:thm-27",
            f"thm-27 at the size of its proof: A2 for {said}",
            LabelPrivateLearner(Thresholds(), _EPSILON, _ACCURACY, _FAILURE),
            distribution,
            {"private": size},
            {"accuracy": _ACCURACY, "failure": _FAILURE, "epsilon": _EPSILON},
            name="chaudhuri2011.A2",
        ),
        seed=seed,
        trials=2_000,
    )


def _form(accuracy: float, failure: float) -> tuple[float, float, int, int]:
    cover = math.ceil(4 / accuracy) + 1
    closed = evaluate(BOUNDS["label_learner"], accuracy=accuracy, failure=failure, epsilon=_EPSILON, vc=1, cover=cover)
    size = closed if isinstance(closed, int) else math.ceil(closed.high)
    return accuracy, failure, label_private_size(_EPSILON, accuracy, failure, 1, cover, 0.0), size
