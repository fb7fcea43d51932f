"""wang2016: private learnability, stability and subsampling (sections 2 and 3, appendices A.1 and A.2).

Printed lines are in ``inventories/wang2016.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("L4.gamma"),
    Step("L4.priv"),
    Step("L4.rate"),
    Step("L34.mix"),
    Step("L34.tower"),
    Step("L34.swap"),
    Step("L34.ratio"),
    Step("L34.loss"),
    Step("L34.rng"),
    Step("L34.logup"),
    Step("L34.loglo"),
    Step("L34.end"),
    Step("L8.1"),
    Step("L8.2"),
    Step("L8.3"),
    Step("T35.a"),
    Step("T35.b"),
    Step("T35.c"),
    Step("T35.d"),
    Step("T35.e"),
    Step("C9.O"),
    Step("L10.a"),
    Step("L10.b"),
    Step("L10.c"),
    Step("L10.d"),
    Step("L10.e"),
    Step("L10.f"),
    Step("L10.stmt"),
)

THEOREMS = (
    Theorem("wang2016:def-0.risk", "", stated=True),
    Theorem("wang2016:def-1", "", stated=True),
    Theorem("wang2016:tab-1", ""),
    Theorem("wang2016:def-2", "", stated=True),
    Theorem("wang2016:def-3", "", stated=True),
    Theorem("wang2016:lem-4", ""),
    Theorem("wang2016:def-5", "", stated=True),
    Theorem("wang2016:def-6", "", stated=True),
    Theorem("wang2016:thm-7", ""),
    Theorem("wang2016:lem-8", ""),
    Theorem("wang2016:cor-9", ""),
    Theorem("wang2016:lem-10", ""),
    Theorem("wang2016:lem-34", ""),
    Theorem("wang2016:thm-35", ""),
)
