"""Alon, Bassily & Moran 2019, "Limits of Private Learning with Access to Public Data"."""

from dpcheck.theorems.alon2019.statements import STEPS, THEOREMS
from dpcheck.theorems.statement import Paper

PAPER = Paper("alon2019", "Limits of Private Learning with Access to Public Data", THEOREMS, STEPS)
