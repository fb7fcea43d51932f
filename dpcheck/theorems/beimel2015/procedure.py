"""beimel2015: LabelBoostProcedure: its privacy and its utility (lemma 4.1, claim 4.2).

Printed lines are in ``inventories/beimel2015.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("L41.P"),
    Step("L41.H"),
    Step("L41.q1"),
    Step("L41.q2"),
    Step("L41.c1"),
    Step("L41.c2"),
    Step("L41.c3"),
    Step("L41.c4"),
    Step("L41.c5"),
    Step("L41.nb"),
    Step("L41.mix"),
    Step("L41.end"),
    Step("C42.a"),
    Step("C42.b"),
    Step("C42.c"),
    Step("C42.d"),
    Step("C42.e"),
    Step("C42.stmt"),
)

THEOREMS = (
    Theorem("beimel2015:lem-4.1", ""),
    Theorem("beimel2015:clm-4.2", ""),
)
