"""bassily2018: how many queries are answered, and how well (theorems 3.2, 3.4 and 3.5).

Printed lines are in ``inventories/bassily2018.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("T3.2.union"),
    Step("T3.2.chernoff"),
    Step("T3.2.count"),
    Step("T3.2.T"),
    Step("T3.2.suff"),
    Step("T3.2.k"),
    Step("T3.2.maj"),
    Step("T3.2.budget"),
    Step("T3.2.rate"),
    Step("T3.2.halt"),
    Step("L3.3"),
    Step("T3.4.alpha"),
    Step("T3.4.T"),
    Step("T3.4.small"),
    Step("T3.4.large"),
    Step("T3.4.cmp"),
    Step("obs-1.a"),
    Step("T3.5.T"),
    Step("T3.5.small"),
    Step("T3.5.large"),
    Step("T3.5.opt"),
)

THEOREMS = (
    Theorem("bassily2018:thm-3.2", ""),
    Theorem("bassily2018:lem-3.3", ""),
    Theorem("bassily2018:obs-3.a", ""),
    Theorem("bassily2018:thm-3.4", ""),
    Theorem("bassily2018:obs-3.b", ""),
    Theorem("bassily2018:thm-3.5", ""),
    Theorem("bassily2018:inf-1.1", ""),
    Theorem("bassily2018:obs-1.a", ""),
    Theorem("bassily2018:obs-1.b", ""),
    Theorem("bassily2018:obs-3.d", ""),
    Theorem("bassily2018:obs-1.c", ""),
)
