"""wang2016: approximate privacy (section 6) and other routes to utility (appendix B).

Printed lines are in ``inventories/wang2016.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("L29"),
    Step("L30"),
    Step("L31.(12)"),
    Step("L31.(13)"),
    Step("L31.count"),
    Step("L31.low"),
    Step("L31.solve"),
    Step("L31.relax"),
    Step("L31.end"),
    Step("T32.if"),
    Step("T32.delta"),
    Step("P33.1"),
    Step("P33.group"),
    Step("P33.shift"),
    Step("P33.(4')"),
    Step("P33.(5')"),
    Step("P33.end"),
    Step("B.rate"),
    Step("B.chain"),
    Step("B.dp"),
    Step("B.moment"),
    Step("B.cor9"),
)

THEOREMS = (
    Theorem("wang2016:def-27", "", stated=True),
    Theorem("wang2016:def-28", "", stated=True),
    Theorem("wang2016:lem-29", ""),
    Theorem("wang2016:lem-30", ""),
    Theorem("wang2016:lem-31", ""),
    Theorem("wang2016:thm-32", ""),
    Theorem("wang2016:prop-33", ""),
    Theorem("wang2016:lem-38", ""),
    Theorem("wang2016:rem-B.rate", ""),
    Theorem("wang2016:rem-B.compare", ""),
)
