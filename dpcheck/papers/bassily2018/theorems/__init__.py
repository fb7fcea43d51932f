"""Bassily, Thakkar & Thakurta 2018, "Model-Agnostic Private Learning"."""

from dpcheck.papers.bassily2018.theorems import answering, rates, transfer
from dpcheck.proof.statement import Paper

_PARTS = (answering, rates, transfer)

PAPER = Paper(
    "bassily2018",
    "Model-Agnostic Private Learning",
    tuple(theorem for part in _PARTS for theorem in part.THEOREMS),
    tuple(step for part in _PARTS for step in part.STEPS),
)
