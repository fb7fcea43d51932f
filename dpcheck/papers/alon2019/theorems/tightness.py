"""Where Alon, Bassily and Moran (2019) call bounds tight or nearly matching."""

from __future__ import annotations

import sympy

from dpcheck.papers.alon2019.theorems.bounds import PUBLIC, PUBLIC_NECESSARY
from dpcheck.proof.bounds import symbol
from dpcheck.proof.tightness import Tightness

TIGHTNESS = (
    Tightness(
        source="alon2019:obs-1.b",
        name="public records for thresholds",
        says="This class has VC dimension 1, and therefore demonstrates that the upper and lower bounds above nearly "
        "match.",
        upper=PUBLIC,
        lower=PUBLIC_NECESSARY,
        gap=sympy.log(1 / symbol("accuracy")),
        hidden="the failure probability (1/18 in the lower bound)",
        along="accuracy",
        values=tuple(f"1e-{k}" for k in range(2, 13)),
        fixed={"failure": "1/18", "vc": 1},
    ),
)
"""One claim: the public sample of thresholds."""
