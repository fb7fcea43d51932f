"""The learners of Chaudhuri & Hsu 2011, "Sample Complexity Bounds for Differentially Private Learning".

``ReferenceLearner`` (alg-1, the paper's A1, and alg-1r, A1r, with ``realisable=True``) chooses from a net of the class
under a reference distribution; ``LabelPrivateLearner`` (alg-2, A2) from a net under the records' own points.
"""

from dpcheck.papers.chaudhuri2011.learners.label_private import LabelPrivateLearner
from dpcheck.papers.chaudhuri2011.learners.reference import ReferenceLearner

__all__ = ["LabelPrivateLearner", "ReferenceLearner"]
