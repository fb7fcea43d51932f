"""chaudhuri2011: the learners that choose from a cover, agnostic and realisable (section 4, appendices A to C).

Printed lines are in ``inventories/chaudhuri2011.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("T7.sens"),
    Step("A1.exists"),
    Step("X1.ddim"),
    Step("X1.kappa"),
    Step("X1.req"),
    Step("X2.rate"),
    Step("X3.rate"),
    Step("L15"),
    Step("L17.sauer"),
    Step("L17.eps"),
    Step("L18.1"),
    Step("L18.2"),
    Step("L19"),
    Step("T8.khat"),
    Step("T8.size"),
    Step("T8.(6)"),
    Step("T8.hoeff"),
    Step("T8.unif"),
    Step("T8.c1"),
    Step("T8.c2"),
    Step("T8.c3"),
    Step("T8.c4"),
    Step("T8.c5"),
    Step("T8.c6"),
    Step("T9.(7)"),
    Step("T9.chern1"),
    Step("T9.union"),
    Step("T9.(8)"),
    Step("T9.chern2"),
    Step("T9.c2a"),
    Step("T9.c2b"),
    Step("T9.(9)"),
    Step("T9.d1"),
    Step("T9.d2"),
    Step("T9.d3"),
    Step("T9.d4"),
    Step("T9.d5"),
    Step("T9.d6"),
    Step("L20.measure"),
    Step("L20.div"),
    Step("L21.measure"),
    Step("L21.div"),
)

THEOREMS = (
    Theorem("chaudhuri2011:def-6", "", stated=True),
    Theorem("chaudhuri2011:obs-4.a", ""),
    Theorem("chaudhuri2011:obs-4.b", ""),
    Theorem("chaudhuri2011:thm-7", ""),
    Theorem("chaudhuri2011:thm-8", ""),
    Theorem("chaudhuri2011:thm-9", ""),
    Theorem("chaudhuri2011:ex-1", ""),
    Theorem("chaudhuri2011:ex-2", ""),
    Theorem("chaudhuri2011:ex-3", ""),
    Theorem("chaudhuri2011:lem-13", ""),
    Theorem("chaudhuri2011:lem-14", ""),
    Theorem("chaudhuri2011:lem-15", ""),
    Theorem("chaudhuri2011:lem-16", ""),
    Theorem("chaudhuri2011:lem-17", ""),
    Theorem("chaudhuri2011:lem-18", ""),
    Theorem("chaudhuri2011:lem-19", ""),
    Theorem("chaudhuri2011:lem-20", ""),
    Theorem("chaudhuri2011:lem-21", ""),
)
