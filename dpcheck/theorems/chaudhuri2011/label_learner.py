"""chaudhuri2011: the label-private learner (section 6, appendix E).

Printed lines are in ``inventories/chaudhuri2011.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("T27.cover"),
    Step("T27.pack"),
    Step("T27.E"),
    Step("T27.E'"),
    Step("T27.a"),
    Step("T27.b"),
    Step("T27.c"),
    Step("T27.alg"),
    Step("T27.end"),
)

THEOREMS = (
    Theorem("chaudhuri2011:thm-26", ""),
    Theorem("chaudhuri2011:thm-27", ""),
    Theorem("chaudhuri2011:rem-28", ""),
)
