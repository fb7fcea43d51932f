"""beimel2015: LabelBoost: subsampling, the recursion of sizes, learning (rest of section 4).

Printed lines are in ``inventories/beimel2015.json``; here stands what each amounts to. Nothing here decides.
"""

from __future__ import annotations

from dpcheck.theorems.statement import Step, Theorem

# fmt: off

STEPS = (
    Step("C43"),
    Step("C45"),
    Step("L46.N"),
    Step("L46.iid"),
    Step("L46.L0"),
    Step("L46.proc"),
    Step("L46.Lt"),
    Step("O47"),
    Step("C48.a"),
    Step("C48.b"),
    Step("C48.c"),
    Step("C49.base"),
    Step("C49.a"),
    Step("C49.b"),
    Step("C49.c"),
    Step("C49.d"),
    Step("C49.e"),
    Step("R410"),
    Step("C411.a"),
    Step("C411.b"),
    Step("C411.c"),
    Step("C411.d"),
    Step("C411.e"),
    Step("L412.a"),
    Step("L412.b"),
    Step("L412.c"),
    Step("L412.d"),
    Step("L412.e"),
    Step("L412.f"),
    Step("L412.g"),
    Step("T414.priv"),
    Step("T414.size"),
    Step("T416"),
    Step("XR"),
    Step("CMP.b"),
)

THEOREMS = (
    Theorem("beimel2015:clm-4.3", ""),
    Theorem("beimel2015:rem-4.4", ""),
    Theorem("beimel2015:clm-4.5", ""),
    Theorem("beimel2015:lem-4.6", ""),
    Theorem("beimel2015:obs-4.7", ""),
    Theorem("beimel2015:clm-4.8", ""),
    Theorem("beimel2015:clm-4.9", ""),
    Theorem("beimel2015:rem-4.10", ""),
    Theorem("beimel2015:clm-4.11", ""),
    Theorem("beimel2015:lem-4.12", ""),
    Theorem("beimel2015:thm-4.13", ""),
    Theorem("beimel2015:thm-4.14", ""),
    Theorem("beimel2015:rem-4.15", ""),
    Theorem("beimel2015:thm-4.16", ""),
    Theorem("beimel2015:ex-rect", ""),
    Theorem("beimel2015:cor-4.17", ""),
    Theorem("beimel2015:cmp-4.a", ""),
    Theorem("beimel2015:cmp-4.b", ""),
    Theorem("beimel2015:cor-4.18", ""),
)
