"""beimel2015: active learners and transcripts (section 5).

Printed lines are in ``inventories/beimel2015.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("T56.n"),
    Step("T56.b"),
    Step("T56.34"),
    Step("T56.c1"),
    Step("T56.c2"),
    Step("T56.c3"),
    Step("T56.star"),
    Step("T56.swap"),
    Step("T56.dp"),
    Step("T56.fin"),
    Step("T56.solve"),
    Step("C57.util"),
    Step("C57.eq"),
    Step("C57.count"),
    Step("C57.two"),
    Step("C57.sum"),
    Step("C57.up"),
    Step("C57.lo"),
    Step("C57.end"),
    Step("C57.stmt"),
    Step("T58"),
)

THEOREMS = (
    Theorem("beimel2015:def-5.1", "", stated=True),
    Theorem("beimel2015:rem-5.2", ""),
    Theorem("beimel2015:def-5.3", "", stated=True),
    Theorem("beimel2015:def-5.4", "", stated=True),
    Theorem("beimel2015:thm-5.5", ""),
    Theorem("beimel2015:rem-5.a", ""),
    Theorem("beimel2015:thm-5.6", ""),
    Theorem("beimel2015:clm-5.7", ""),
    Theorem("beimel2015:thm-5.8", ""),
)
