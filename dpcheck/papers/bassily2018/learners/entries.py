"""The learners of bassily2018 for ``dpcheck learners``."""

from __future__ import annotations

from dpcheck.papers.bassily2018.learners.entries_of_answers import ENTRIES as _ANSWERS
from dpcheck.papers.bassily2018.learners.entries_of_composition import ENTRIES as _COMPOSITION
from dpcheck.papers.bassily2018.learners.entries_of_transfer import ENTRIES as _TRANSFER

ENTRIES = (*_ANSWERS, *_COMPOSITION, *_TRANSFER)
