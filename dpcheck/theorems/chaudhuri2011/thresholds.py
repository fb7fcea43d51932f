"""chaudhuri2011: no distribution-free private learner for thresholds (sections 2 and 3).

Printed lines are in ``inventories/chaudhuri2011.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("T5.eta"),
    Step("T5.disjoint"),
    Step("T5.K"),
    Step("T5.real"),
    Step("T5.(1)"),
    Step("T5.(2)"),
    Step("T5.quarter"),
    Step("T5.(3)"),
    Step("T5.comb"),
    Step("T5.count"),
    Step("T5.final"),
)

THEOREMS = (
    Theorem("chaudhuri2011:def-1", "", stated=True),
    Theorem("chaudhuri2011:def-2", "", stated=True),
    Theorem("chaudhuri2011:def-3", "", stated=True),
    Theorem("chaudhuri2011:obs-2.3", ""),
    Theorem("chaudhuri2011:def-ddim", "", stated=True),
    Theorem("chaudhuri2011:def-rho", "", stated=True),
    Theorem("chaudhuri2011:def-4", "", stated=True),
    Theorem("chaudhuri2011:thm-5", ""),
)
