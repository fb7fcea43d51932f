"""Chaudhuri & Hsu 2011, "Sample Complexity Bounds for Differentially Private Learning"."""

from dpcheck.papers.chaudhuri2011.theorems import label_learner, label_privacy, selection, thresholds
from dpcheck.papers.chaudhuri2011.theorems.derivations import DERIVATIONS
from dpcheck.proof.statement import Paper, with_derivations

_PARTS = (thresholds, selection, label_privacy, label_learner)

PAPER = Paper(
    "chaudhuri2011",
    "Sample Complexity Bounds for Differentially Private Learning",
    tuple(theorem for part in _PARTS for theorem in part.THEOREMS),
    with_derivations((step for part in _PARTS for step in part.STEPS), DERIVATIONS),
)
