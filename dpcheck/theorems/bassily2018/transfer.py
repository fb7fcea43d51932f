"""bassily2018: a private learner from private answers (section 4 and the remarks).

Printed lines are in ``inventories/bassily2018.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("C4.1.err"),
    Step("C4.1.iid"),
    Step("C4.1.tail"),
    Step("C4.1.mean"),
    Step("C4.1.final"),
    Step("C4.1.noise"),
    Step("C4.1.end"),
    Step("C4.1.O"),
    Step("T4.2.m"),
    Step("T4.2.k"),
    Step("T4.2.n"),
    Step("T4.2.h"),
    Step("T4.2.iid"),
    Step("T4.2.agn"),
    Step("T4.2.hs"),
    Step("T4.2.8"),
    Step("T4.2.15"),
    Step("T4.2.budget"),
    Step("R2"),
    Step("R3"),
    Step("T4.3.n"),
    Step("T4.3.err"),
    Step("obs-5.a"),
)

THEOREMS = (
    Theorem("bassily2018:obs-4.a", ""),
    Theorem("bassily2018:obs-4.b", ""),
    Theorem("bassily2018:obs-4.c", ""),
    Theorem("bassily2018:obs-4.d", ""),
    Theorem("bassily2018:clm-4.1", ""),
    Theorem("bassily2018:thm-4.2", ""),
    Theorem("bassily2018:rem-2", ""),
    Theorem("bassily2018:rem-3", ""),
    Theorem("bassily2018:thm-4.3", ""),
    Theorem("bassily2018:inf-1.2", ""),
    Theorem("bassily2018:obs-5.a", ""),
    Theorem("bassily2018:obs-5.b", ""),
    Theorem("bassily2018:obs-5.c", ""),
)
