"""Broken versions of the learners of bassily2018."""

from __future__ import annotations

from dpcheck.papers.bassily2018.mutants.answers import MUTANTS as MUTANTS_OF_ANSWERS
from dpcheck.papers.bassily2018.mutants.composition import MUTANTS as MUTANTS_OF_COMPOSITION
from dpcheck.papers.bassily2018.mutants.transfer import MUTANTS as MUTANTS_OF_TRANSFER

MUTANTS = (*MUTANTS_OF_ANSWERS, *MUTANTS_OF_COMPOSITION, *MUTANTS_OF_TRANSFER)
