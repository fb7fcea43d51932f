"""Broken versions of the learners of bassily2018."""

from __future__ import annotations

from mutants_bassily2018_answers import MUTANTS as MUTANTS_OF_ANSWERS
from mutants_bassily2018_composition import MUTANTS as MUTANTS_OF_COMPOSITION
from mutants_bassily2018_transfer import MUTANTS as MUTANTS_OF_TRANSFER

MUTANTS = (*MUTANTS_OF_ANSWERS, *MUTANTS_OF_COMPOSITION, *MUTANTS_OF_TRANSFER)
