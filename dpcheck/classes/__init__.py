"""Hypothesis classes: their dichotomies with representatives, their predictions, their dimensions, all exact.

A class is a frozen dataclass that says which parameters its hypotheses have; what is computed from one are plain
functions. Hypotheses are parameters, so that they can be evaluated anywhere.
"""

from dpcheck.classes.counting import (
    cover_radius,
    dichotomies,
    disagreement,
    growth,
    mistakes,
    sample_disagreement,
    xor_growth,
)
from dpcheck.classes.discrete import AllFunctions, FiniteOrCofinite, PointFunctions
from dpcheck.classes.finite import FiniteClass
from dpcheck.classes.half_planes import HalfPlanes
from dpcheck.classes.intervals import Intervals
from dpcheck.classes.protocol import Dichotomies, FiniteHypothesisClass, HypothesisClass
from dpcheck.classes.rectangles import Rectangles
from dpcheck.classes.representatives import Adversarial
from dpcheck.classes.stumps import Stumps
from dpcheck.classes.thresholds import GridThresholds, Thresholds

__all__ = [
    "Adversarial",
    "AllFunctions",
    "Dichotomies",
    "FiniteClass",
    "FiniteHypothesisClass",
    "FiniteOrCofinite",
    "GridThresholds",
    "HalfPlanes",
    "HypothesisClass",
    "Intervals",
    "PointFunctions",
    "Rectangles",
    "Stumps",
    "Thresholds",
    "cover_radius",
    "dichotomies",
    "disagreement",
    "growth",
    "mistakes",
    "sample_disagreement",
    "xor_growth",
]
