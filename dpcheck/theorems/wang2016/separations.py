"""wang2016: what cannot be learned privately, and characterisations (sections 3.3 and 3.4).

Printed lines are in ``inventories/wang2016.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("P11.supp"),
    Step("P11.pigeon"),
    Step("P11.risk"),
    Step("P12.pack"),
    Step("P12.zero"),
    Step("P12.disj"),
    Step("P12.(4)"),
    Step("P12.markov"),
    Step("P12.(5)"),
    Step("P12.risk"),
    Step("X16.lb"),
    Step("X16.ub"),
    Step("X16.def13"),
    Step("X17"),
    Step("T7.21"),
    Step("T18"),
    Step("L14.(14)"),
    Step("L14.(15)"),
    Step("L14.sum"),
)

THEOREMS = (
    Theorem("wang2016:prop-11", ""),
    Theorem("wang2016:prop-12", ""),
    Theorem("wang2016:def-13", "", stated=True),
    Theorem("wang2016:lem-14", ""),
    Theorem("wang2016:thm-15", ""),
    Theorem("wang2016:ex-16", ""),
    Theorem("wang2016:ex-17", ""),
    Theorem("wang2016:thm-18", ""),
    Theorem("wang2016:rem-33.a", ""),
)
