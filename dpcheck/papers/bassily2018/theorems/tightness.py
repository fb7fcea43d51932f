"""Where Bassily, Thakkar and Thakurta (2018) compare their bounds with optimal ones."""

from __future__ import annotations

import sympy

from dpcheck.papers.bassily2018.theorems.bounds import AGNOSTIC, AGNOSTIC_NECESSARY, REALISABLE, REALISABLE_NECESSARY
from dpcheck.proof.bounds import Value, symbol
from dpcheck.proof.tightness import Tightness

_SAYS = "Our bounds are only a factor of Õ(√(V/α)) worse than the corresponding optimal non-private bounds."
_GAP = sympy.sqrt(symbol("vc") / symbol("accuracy"))
_HIDDEN = "the logarithms of the Õ; the privacy parameters"
_FIXED: dict[str, Value] = {"failure": "0.01", "epsilon": 1, "delta": "1e-6"}
_ACCURACIES = tuple(f"1e-{k}" for k in range(2, 13))
_CLASSES = ("vc", (2, 10, 100))

TIGHTNESS = (
    Tightness(
        source="bassily2018:obs-5.a",
        name="private records, some hypothesis has no error",
        says=_SAYS,
        upper=REALISABLE,
        lower=REALISABLE_NECESSARY,
        gap=_GAP,
        hidden=_HIDDEN,
        along="accuracy",
        values=_ACCURACIES,
        fixed=_FIXED,
        series=_CLASSES,
    ),
    Tightness(
        source="bassily2018:obs-5.a",
        name="private records, any labels",
        says=_SAYS,
        upper=AGNOSTIC,
        lower=AGNOSTIC_NECESSARY,
        gap=_GAP,
        hidden=_HIDDEN,
        along="accuracy",
        values=_ACCURACIES,
        fixed=_FIXED,
        series=_CLASSES,
    ),
)
"""The private learner's sample against what every learner needs, with and without assumptions on the labels."""
