"""chaudhuri2011: lower bounds under label privacy (section 5, appendix D).

Printed lines are in ``inventories/chaudhuri2011.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("L22.chain"),
    Step("L22.tele"),
    Step("L22.end"),
    Step("L23.1"),
    Step("L23.2a"),
    Step("L23.2b"),
    Step("T12.pack"),
    Step("T12.disj"),
    Step("T12.sum"),
    Step("T12.group"),
    Step("T12.int"),
    Step("T12.end"),
    Step("L11.good"),
    Step("L11.sum"),
    Step("L11.tri"),
    Step("L11.group"),
    Step("L11.c1"),
    Step("L11.c2"),
    Step("L11.end"),
    Step("L24.pack"),
    Step("L24.s"),
    Step("L24.e"),
    Step("L24.(10)"),
    Step("L24.(11)"),
    Step("L24.avg"),
    Step("T10.assume"),
    Step("T10.pair"),
    Step("T10.coll"),
    Step("T10.case1"),
    Step("T10.r"),
    Step("T10.rmax"),
    Step("T10.alpha"),
    Step("T10.m"),
    Step("T10.case3"),
    Step("L25.p1"),
    Step("L25.p2"),
    Step("L25.ratio"),
    Step("L25.M"),
    Step("L25.N"),
    Step("L25.ddim"),
)

THEOREMS = (
    Theorem("chaudhuri2011:thm-10", ""),
    Theorem("chaudhuri2011:obs-5.1", ""),
    Theorem("chaudhuri2011:lem-11", ""),
    Theorem("chaudhuri2011:thm-12", ""),
    Theorem("chaudhuri2011:ex-5.2", ""),
    Theorem("chaudhuri2011:lem-22", ""),
    Theorem("chaudhuri2011:lem-23", ""),
    Theorem("chaudhuri2011:lem-24", ""),
    Theorem("chaudhuri2011:lem-25", ""),
)
