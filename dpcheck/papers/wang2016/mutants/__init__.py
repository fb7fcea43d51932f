"""Broken versions of the learners of wang2016."""

from __future__ import annotations

from dpcheck.papers.wang2016.mutants.choices import MUTANTS as MUTANTS_OF_CHOICES
from dpcheck.papers.wang2016.mutants.reductions import MUTANTS as MUTANTS_OF_REDUCTIONS

MUTANTS = (*MUTANTS_OF_CHOICES, *MUTANTS_OF_REDUCTIONS)
