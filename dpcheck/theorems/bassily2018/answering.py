"""bassily2018: stability, the sparse vector over votes and its privacy (sections 2.1 and 3, theorem 3.1).

Printed lines are in ``inventories/bassily2018.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("S2.dti"),
    Step("T2.4"),
    Step("T2.5"),
    Step("A2.lam"),
    Step("A2.k"),
    Step("A2.w"),
    Step("A2.dist"),
    Step("A2.split"),
    Step("A2.guard"),
    Step("T3.1.idea"),
    Step("T3.1.total"),
)

THEOREMS = (
    Theorem("bassily2018:def-2.1", "", stated=True),
    Theorem("bassily2018:def-2.2", "", stated=True),
    Theorem("bassily2018:def-2.3", "", stated=True),
    Theorem("bassily2018:thm-2.4", ""),
    Theorem("bassily2018:thm-2.5", ""),
    Theorem("bassily2018:thm-3.1", ""),
    Theorem("bassily2018:rem-1", ""),
    Theorem("bassily2018:def-dti", "", stated=True),
    Theorem("bassily2018:obs-5.d", ""),
    Theorem("bassily2018:obs-3.c", ""),
)
