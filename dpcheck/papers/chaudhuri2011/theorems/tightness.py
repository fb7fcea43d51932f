"""Where Chaudhuri and Hsu (2011) call bounds tight or matching."""

from __future__ import annotations

import sympy

from dpcheck.papers.chaudhuri2011.theorems.bounds import (
    SEPARATORS,
    SEPARATORS_NECESSARY,
    THRESHOLDS,
    THRESHOLDS_NECESSARY,
)
from dpcheck.proof.bounds import symbol
from dpcheck.proof.tightness import Tightness

TIGHTNESS = (
    Tightness(
        source="chaudhuri2011:ex-1",
        name="thresholds from peaked distributions",
        says="which is Õ(M) for constant ε, matching the lower bound from Theorem 5 up to constants",
        upper=THRESHOLDS,
        lower=THRESHOLDS_NECESSARY,
        gap=1,
        hidden="the accuracy, the failure probability and the privacy parameter, all constant",
        along="excluded",
        values=(3, 10, 30, 100, 300, 1000, 3000, 10**4, 10**5, 10**6),
        fixed={"accuracy": "0.1", "failure": "0.1"},
        series=("epsilon", ("0.1", "0.5", "1")),
    ),
    Tightness(
        source="chaudhuri2011:ex-5.2",
        name="separators through the origin",
        says="We also observe that this bound is tight (except for a log(1/δ) factor)",
        upper=SEPARATORS,
        lower=SEPARATORS_NECESSARY,
        gap=sympy.log(1 / symbol("failure")),
        hidden="the Õ of the upper bound: log(1/ε)",
        along="dimension",
        values=(5, 10, 20, 50, 100, 200, 500, 1000),
        fixed={"accuracy": "1e-5", "epsilon": "1e-6"},
        series=("failure", ("0.1", "1e-3", "1e-6")),
    ),
)
"""Two claims: thresholds under pure privacy, separators under label privacy."""
