"""beimel2015: the exponential mechanism, sanitising and generalisation (appendices A and B).

Printed lines are in ``inventories/beimel2015.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("PA1.i"),
    Step("PA1.ii"),
    Step("TB2"),
    Step("TB3"),
    Step("TB456"),
    Step("TA3"),
)

THEOREMS = (
    Theorem("beimel2015:prop-A.1", ""),
    Theorem("beimel2015:def-A.2", "", stated=True),
    Theorem("beimel2015:thm-A.3", ""),
    Theorem("beimel2015:def-B.1", "", stated=True),
    Theorem("beimel2015:thm-B.2", ""),
    Theorem("beimel2015:thm-B.3", ""),
    Theorem("beimel2015:thm-B.4", ""),
    Theorem("beimel2015:thm-B.5", ""),
    Theorem("beimel2015:thm-B.6", ""),
)
