"""Alon, Bassily & Moran 2019, "Limits of Private Learning with Access to Public Data"."""

from dpcheck.papers.alon2019.theorems.statements import STEPS, THEOREMS
from dpcheck.proof.statement import Paper

PAPER = Paper("alon2019", "Limits of Private Learning with Access to Public Data", THEOREMS, STEPS)
