"""beimel2015: the generic learner and the tools of the appendices (sections 2 and 3, appendices A and B).

Printed lines are in ``inventories/beimel2015.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("O32.proj"),
    Step("O32.sq"),
    Step("O32.sauer"),
    Step("O32.need"),
    Step("O32.ten"),
    Step("O32.end"),
    Step("T33.priv"),
    Step("T33.k"),
    Step("T33.hstar"),
    Step("T33.a"),
    Step("T33.b"),
    Step("T33.c"),
    Step("T33.B6"),
    Step("T33.const"),
    Step("T33.E3"),
    Step("T33.n1"),
    Step("T33.san"),
    Step("T33.(4)"),
    Step("T33.tri"),
    Step("T33.em"),
    Step("T33.H"),
    Step("T33.m"),
    Step("T33.all"),
    Step("T33.sum"),
    Step("C34"),
)

THEOREMS = (
    Theorem("beimel2015:def-2.1", "", stated=True),
    Theorem("beimel2015:def-2.2", "", stated=True),
    Theorem("beimel2015:def-2.3", "", stated=True),
    Theorem("beimel2015:def-2.4", "", stated=True),
    Theorem("beimel2015:def-2.5", "", stated=True),
    Theorem("beimel2015:def-2.6", "", stated=True),
    Theorem("beimel2015:def-3.1", "", stated=True),
    Theorem("beimel2015:obs-3.2", ""),
    Theorem("beimel2015:thm-3.3", ""),
    Theorem("beimel2015:rem-3.a", ""),
    Theorem("beimel2015:ex-thresh", ""),
    Theorem("beimel2015:cor-3.4", ""),
    Theorem("beimel2015:int-1", ""),
    Theorem("beimel2015:int-2", ""),
    Theorem("beimel2015:int-3", ""),
    Theorem("beimel2015:int-4", ""),
    Theorem("beimel2015:int-5", ""),
    Theorem("beimel2015:int-6", ""),
)
