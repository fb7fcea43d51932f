"""The base learner: the exponential mechanism over a finite class, at the size that its proposition names."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpcheck.papers.beimel2015.hard_instances import UniformThreshold
from dpcheck.papers.beimel2015.learners import ExponentialLearner
from dpcheck.papers.beimel2015.theorems.bounds import BASE
from dpcheck.papers.beimel2015.trials.outcomes import result
from dpcheck.parts.classes import GridThresholds
from dpcheck.trial import upper
from dpcheck.trial.rows import Findings
from dpcheck.trial.upper import UpperBound, measure_upper_bound

#: Thresholds on points of so many bits, the target in the middle.
_BITS = 8


def base_size() -> UpperBound:
    """What proposition A.1 promises of the exponential mechanism over thresholds on a grid."""
    family = GridThresholds(1 << _BITS, "down")
    return UpperBound(
        result("prop-A.1"),
        "prop-A.1 with a Chernoff bound: the exponential mechanism over a finite class learns from "
        "max(4/(alpha epsilon), 8/alpha) ln(2 #C/beta) examples",
        ExponentialLearner(family, 1.0),
        UniformThreshold(_BITS, 1 << (_BITS - 1)),
        {"private": BASE},
        {"accuracy": Fraction(1, 10), "failure": Fraction(1, 10), "epsilon": 1, "hypotheses": family.size},
        name="beimel2015.exponential",
    )


def base_learner(seed: int, quick: bool) -> Findings:
    """The base learner that LabelBoost and SubSampling are run with, at its own size and below."""
    return measure_upper_bound(base_size(), seed=seed, quick=quick)


PAGE = replace(upper.PAGE, title="The exponential mechanism at its own size")
