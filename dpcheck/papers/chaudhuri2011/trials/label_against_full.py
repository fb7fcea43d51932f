"""Claim 7: A2 needs no reference and does not feel how concentrated data are, A1 does; theorem 27 at its own size."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
from dpcheck.trial.model import Chart, Mark, Measurement, Outcome, Series, Table
from dpcheck.trial.relations import compared
from dpcheck.trial.upper import UpperBound, check_upper_bound
from dpcheck.trial.where import IN_PLACE
from dpcheck.utility.distributions import UniformInterval
from dpcheck.utility.failure import failure_rate
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


def label_against_full(seed: int, quick: bool) -> Measurement:
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
    series = tuple(
        Series(
            name, "measured", colour, tuple(map(float, resolutions)), tuple(r.rate for r in found),
            tuple(r.interval[0] for r in found), tuple(r.interval[1] for r in found), tuple(r.trials for r in found),
        )
        for colour, (name, found) in enumerate(rates.items())
    )  # fmt: skip
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
    flat = max(r.interval[0] for r in rates["A2"]) <= min(r.interval[1] for r in rates["A2"])
    hurt = rates["A1, U uniform"][-1].interval[0] > rates["A2"][-1].interval[1]
    return Measurement(
        "label-against-full",
        "Label privacy does not need to know where the data are; full privacy does",
        ("chaudhuri2011:thm-27", "chaudhuri2011:ex-1"),
        f"P_z of theorem 5 with ever smaller eta, {size:,} records, alpha = {_EPSILON:g}, eps = {_ACCURACY:g}: how "
        "often A1 (U uniform, "
        "C = 20, half of what proves theorem 8) and A2 (which has no U) miss. Then A2 at the size of theorem 27's "
        "proof, for a "
        "concentrated distribution and for one with label noise.",
        f"At the largest and the smallest eta the failure rates are: {spoken}. "
        + (
            "A2's rates agree at all eta (by their intervals), and at the smallest eta A1 certainly fails more often."
            if flat and hurt
            else "The intervals do not separate the two learners everywhere."
        )
        + f" A1's size answers for kappa of the distributions with eta from {reach:.2g} on.",
        f"Intervals are Clopper-Pearson, {trials:,} trials a point; all {len(resolutions) * 2} of them hold together "
        "with "
        f"probability at least {1 - _TOGETHER:.1%}. Outcomes: each row at the level said.",
        (
            Chart(
                "failure-against-resolution",
                f"Excess risk above {_ACCURACY:g} at {size:,} records",
                "resolution eta",
                "probability of failure",
                series,
                (
                    Mark("theorem 8 speaks of A1 from this eta on, if its C were 20", x=reach, colour=4),
                    Mark("0.1", y=0.1, colour=5),
                ),
                y_range=(-0.02, 1.02),
                alt="A2 fails equally rarely at all eta; A1 fails nearly always once eta is small.",
            ),
        ),
        (
            Table(
                "Theorem 27 for thresholds, alpha = 0.5, no label errors: its proof's size and the closed form with "
                "16500 and 32",
                ("eps", "delta", "proof's size", "closed form"),
                tuple((f"{a:g}", f"{d:g}", f"{m:,}", f"{c:,}") for a, d, m, c in forms),
            ),
        ),
        (
            *own,
            compared(
                "chaudhuri2011:thm-27",
                "thm-27: the closed form with constants 16500 and 32 is at least the size of its proof, V = 1, eta = 0",
                all(m <= c for *_, m, c in forms),
                f"in {len(forms)} cases of eps and delta, alpha = 0.5",
            ),
            Outcome(
                "compatible" if flat else "not compatible",
                "thm-27 for data of any concentration: A2's failure rate does not depend on eta",
                f"the intervals at {len(resolutions)} values of eta have a common point"
                if flat
                else "some intervals are disjoint",
                "chaudhuri2011:thm-27",
                "order",
                learner="chaudhuri2011.A2",
                level=_TOGETHER,
            ),
            Outcome(
                "holds" if hurt else "undecided",
                f"ex-1: at the same {size:,} records A1 needs more for smaller eta: at eta = "
                f"{float(resolutions[-1]):g} it fails more often "
                "than A2",
                f"A1 at least {rates['A1, U uniform'][-1].interval[0]:.3f}, A2 at most "
                f"{rates['A2'][-1].interval[1]:.3f}",
                "chaudhuri2011:ex-1",
                "number",
                level=_TOGETHER,
                trials=2 * trials,
            ),
        ),
        trials=trials * len(resolutions) * 2 + search.trials + sum(each.trials for each in own),
    )


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
