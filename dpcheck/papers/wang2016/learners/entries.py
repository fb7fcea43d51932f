"""The learners of wang2016 for ``dpcheck learners``."""

from __future__ import annotations

from dpcheck.papers.wang2016.learners.entries_of_choices import ENTRIES as _CHOICES
from dpcheck.papers.wang2016.learners.entries_of_reductions import ENTRIES as _REDUCTIONS

ENTRIES = (*_CHOICES, *_REDUCTIONS)
