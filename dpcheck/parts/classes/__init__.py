"""Hypothesis classes: their dichotomies with representatives, their predictions, their dimensions, all exact.

A class is a frozen dataclass that says which parameters its hypotheses have; what is computed from one are plain
functions. Hypotheses are parameters, so that they can be evaluated anywhere.
"""

from dpcheck.parts.classes.boxes import Boxes, GridBoxes
from dpcheck.parts.classes.combinatorics import (
    cover_radius,
    dichotomies,
    disagreement,
    growth,
    mistakes,
    sample_disagreement,
    xor_growth,
)
from dpcheck.parts.classes.covers_and_packings import ball, covering_number, is_cover, is_packing, packing_number
from dpcheck.parts.classes.differences import Xor
from dpcheck.parts.classes.dimensions import littlestone_dimension_on, sauer_bound, vc_dimension_on
from dpcheck.parts.classes.discrete import AllFunctions, FiniteOrCofinite, PointFunctions
from dpcheck.parts.classes.distances import distance
from dpcheck.parts.classes.doubling import Doubling, doubling_dimension
from dpcheck.parts.classes.empirical_risk import empirical_minimisers, least_mistakes
from dpcheck.parts.classes.finite import FiniteClass
from dpcheck.parts.classes.finite_subsets import FiniteSubsets
from dpcheck.parts.classes.grid_intervals import GridIntervals
from dpcheck.parts.classes.half_planes import HalfPlanes
from dpcheck.parts.classes.intervals import Intervals
from dpcheck.parts.classes.linear_separators import LinearSeparators
from dpcheck.parts.classes.nets import Net, net
from dpcheck.parts.classes.origin_half_planes import OriginHalfPlanes
from dpcheck.parts.classes.parities import Parities
from dpcheck.parts.classes.points import numbers_of_bits
from dpcheck.parts.classes.protocol import Dichotomies, FiniteHypothesisClass, HypothesisClass
from dpcheck.parts.classes.rectangles import Rectangles
from dpcheck.parts.classes.references import Atoms, LineLaw, Product, Reference, UniformGrid, UniformLine, UniformSphere
from dpcheck.parts.classes.representatives import Adversarial
from dpcheck.parts.classes.stumps import Stumps
from dpcheck.parts.classes.thresholds import GridThresholds, Thresholds

__all__ = [
    "Adversarial",
    "AllFunctions",
    "Atoms",
    "Boxes",
    "Dichotomies",
    "Doubling",
    "FiniteClass",
    "FiniteHypothesisClass",
    "FiniteOrCofinite",
    "FiniteSubsets",
    "GridBoxes",
    "GridIntervals",
    "GridThresholds",
    "HalfPlanes",
    "HypothesisClass",
    "Intervals",
    "LineLaw",
    "LinearSeparators",
    "Net",
    "OriginHalfPlanes",
    "Parities",
    "PointFunctions",
    "Product",
    "Rectangles",
    "Reference",
    "Stumps",
    "Thresholds",
    "UniformGrid",
    "UniformLine",
    "UniformSphere",
    "Xor",
    "ball",
    "cover_radius",
    "covering_number",
    "dichotomies",
    "disagreement",
    "distance",
    "doubling_dimension",
    "empirical_minimisers",
    "growth",
    "is_cover",
    "is_packing",
    "least_mistakes",
    "littlestone_dimension_on",
    "mistakes",
    "net",
    "numbers_of_bits",
    "packing_number",
    "sample_disagreement",
    "sauer_bound",
    "vc_dimension_on",
    "xor_growth",
]
