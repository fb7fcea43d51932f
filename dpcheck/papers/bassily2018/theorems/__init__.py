"""Bassily, Thakkar & Thakurta 2018, "Model-Agnostic Private Learning"."""

from dpcheck.papers.bassily2018.theorems import answering, rates, transfer
from dpcheck.papers.bassily2018.theorems.derivations import DERIVATIONS
from dpcheck.proof.statement import Paper, with_derivations

_PARTS = (answering, rates, transfer)

PAPER = Paper(
    "bassily2018",
    "Model-Agnostic Private Learning",
    tuple(theorem for part in _PARTS for theorem in part.THEOREMS),
    with_derivations((step for part in _PARTS for step in part.STEPS), DERIVATIONS),
)
