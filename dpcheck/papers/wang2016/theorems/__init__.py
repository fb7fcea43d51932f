"""Wang, Lei & Fienberg 2016.

"Learning with Differential Privacy: Stability, Learnability and the Sufficiency and Necessity of ERM Principle".
"""

from dpcheck.papers.wang2016.theorems import approximate, confidence, mechanism, separations, stability
from dpcheck.papers.wang2016.theorems.derivations import DERIVATIONS
from dpcheck.proof.statement import Paper, with_derivations

_PARTS = (stability, separations, mechanism, confidence, approximate)

PAPER = Paper(
    "wang2016",
    "Learning with Differential Privacy: Stability, Learnability and the Sufficiency and Necessity of ERM Principle",
    tuple(theorem for part in _PARTS for theorem in part.THEOREMS),
    with_derivations((step for part in _PARTS for step in part.STEPS), DERIVATIONS),
)
