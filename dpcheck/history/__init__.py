"""Baselines: what a project's learners did when somebody last looked, and whether they still do.

``two_sample`` holds the exact tests; ``baseline`` the file (counts, never only decimals); ``views``, ``privacy``,
``risks`` and ``cost`` measure a learner; ``comparisons`` says what changed; ``store`` keeps the history in SQLite.
"""

from dpcheck.history.baseline import Baseline, Entry
from dpcheck.history.subject import Subject, Task

__all__ = ["Baseline", "Entry", "Subject", "Task"]
