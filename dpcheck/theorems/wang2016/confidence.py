"""wang2016: high confidence by boosting (section 5.1, appendix A.6).

Printed lines are in ``inventories/wang2016.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("T25.markov"),
    Step("T25.(20)"),
    Step("T25.(21)"),
    Step("T25.sens"),
    Step("T25.(22)"),
    Step("T25.comb"),
    Step("T25.sub"),
    Step("T25.C"),
    Step("T25.priv"),
)

THEOREMS = (
    Theorem("wang2016:thm-25", ""),
)
