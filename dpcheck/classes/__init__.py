"""Hypothesis classes: their dichotomies with representatives, their predictions, their dimensions, all exact.

A class is a frozen dataclass that says which parameters its hypotheses have; what is computed from one are plain
functions. Hypotheses are parameters, so that they can be evaluated anywhere.
"""

from dpcheck.classes.boxes import Boxes, GridBoxes
from dpcheck.classes.counting import (
    cover_radius,
    dichotomies,
    disagreement,
    growth,
    mistakes,
    sample_disagreement,
    xor_growth,
)
from dpcheck.classes.covering import ball, covering_number, is_cover, is_packing, packing_number
from dpcheck.classes.differences import Xor
from dpcheck.classes.dimensions import littlestone_dimension_on, sauer_bound, vc_dimension_on
from dpcheck.classes.discrete import AllFunctions, FiniteOrCofinite, PointFunctions
from dpcheck.classes.distances import distance
from dpcheck.classes.doubling import Doubling, doubling_dimension
from dpcheck.classes.finite import FiniteClass
from dpcheck.classes.finite_subsets import FiniteSubsets
from dpcheck.classes.grid_intervals import GridIntervals
from dpcheck.classes.half_planes import HalfPlanes
from dpcheck.classes.intervals import Intervals
from dpcheck.classes.linear_separators import LinearSeparators
from dpcheck.classes.minimising import empirical_minimisers, least_mistakes
from dpcheck.classes.nets import Net, net
from dpcheck.classes.origin_half_planes import OriginHalfPlanes
from dpcheck.classes.parities import Parities
from dpcheck.classes.points import numbers_of_bits
from dpcheck.classes.protocol import Dichotomies, FiniteHypothesisClass, HypothesisClass
from dpcheck.classes.rectangles import Rectangles
from dpcheck.classes.references import Atoms, LineLaw, Product, Reference, UniformGrid, UniformLine, UniformSphere
from dpcheck.classes.representatives import Adversarial
from dpcheck.classes.stumps import Stumps
from dpcheck.classes.thresholds import GridThresholds, Thresholds

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
