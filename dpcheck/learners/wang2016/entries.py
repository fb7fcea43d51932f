"""The learners of wang2016 for ``dpcheck learners``."""

from __future__ import annotations

from dpcheck.learners.wang2016.entries_of_choices import ENTRIES as _CHOICES
from dpcheck.learners.wang2016.entries_of_reductions import ENTRIES as _REDUCTIONS

ENTRIES = (*_CHOICES, *_REDUCTIONS)
