"""Alon, Bassily & Moran 2019, "Limits of Private Learning with Access to Public Data"."""

from dpcheck.papers.alon2019.theorems.derivations import DERIVATIONS, RESULTS
from dpcheck.papers.alon2019.theorems.statements import STEPS, THEOREMS
from dpcheck.proof.statement import Paper, with_derivations

PAPER = Paper(
    "alon2019",
    "Limits of Private Learning with Access to Public Data",
    with_derivations(THEOREMS, RESULTS),
    with_derivations(STEPS, DERIVATIONS),
)
