"""Beimel, Nissim & Stemmer 2015, "Learning Privately with Labeled and Unlabeled Examples"."""

from dpcheck.papers.beimel2015.theorems import active, appendix, boosting, generic, procedure
from dpcheck.papers.beimel2015.theorems.derivations import DERIVATIONS
from dpcheck.proof.statement import Paper, with_derivations

_PARTS = (generic, procedure, boosting, active, appendix)

PAPER = Paper(
    "beimel2015",
    "Learning Privately with Labeled and Unlabeled Examples",
    tuple(theorem for part in _PARTS for theorem in part.THEOREMS),
    with_derivations((step for part in _PARTS for step in part.STEPS), DERIVATIONS),
)
