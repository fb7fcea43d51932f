"""wang2016: the exponential mechanism for empirical risk and its examples (section 4, appendix A.5).

Printed lines are in ``inventories/wang2016.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("T19.(16)"),
    Step("T19.priv"),
    Step("L36.low"),
    Step("L36.(18)"),
    Step("L36.(19)"),
    Step("L36.t"),
    Step("L36.gamma"),
    Step("L36.tail"),
    Step("L36.e1"),
    Step("L36.e2"),
    Step("L36.e3"),
    Step("L36.e4"),
    Step("L37.a"),
    Step("L37.b"),
    Step("L37.c"),
    Step("L37.stmt"),
    Step("T19.rate"),
    Step("A2.g"),
    Step("X20.rate"),
    Step("X21.cone"),
    Step("X21.vol"),
    Step("X21.rate"),
    Step("X22.count"),
    Step("X22.rho"),
    Step("X22.rate"),
    Step("P26.exp"),
    Step("P26.tv"),
)

THEOREMS = (
    Theorem("wang2016:thm-19", ""),
    Theorem("wang2016:asm-A1", "", stated=True),
    Theorem("wang2016:asm-A2", "", stated=True),
    Theorem("wang2016:ex-20", ""),
    Theorem("wang2016:ex-21", ""),
    Theorem("wang2016:ex-22", ""),
    Theorem("wang2016:ex-23", ""),
    Theorem("wang2016:ex-24", ""),
    Theorem("wang2016:rem-4.3", ""),
    Theorem("wang2016:prop-26", ""),
    Theorem("wang2016:rem-5.3", ""),
    Theorem("wang2016:lem-36", ""),
    Theorem("wang2016:lem-37", ""),
    Theorem("wang2016:eq-18", ""),
)
