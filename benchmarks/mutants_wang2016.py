"""Broken versions of the learners of wang2016."""

from __future__ import annotations

from mutants_wang2016_choices import MUTANTS as MUTANTS_OF_CHOICES
from mutants_wang2016_reductions import MUTANTS as MUTANTS_OF_REDUCTIONS

MUTANTS = (*MUTANTS_OF_CHOICES, *MUTANTS_OF_REDUCTIONS)
