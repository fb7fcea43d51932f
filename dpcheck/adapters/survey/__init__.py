"""Learners of other libraries on real data, each with its claim and the verdict that its code lets one expect.

Subjects are found by walking ``survey/entries``: a new one is a :class:`~dpcheck.adapters.survey.subject.Subject` in
one of its modules, and no list to extend. Nothing of another library is imported before a subject is made.
"""

from dpcheck.adapters.survey.discovery import by_name, subjects
from dpcheck.adapters.survey.source import SourceLine
from dpcheck.adapters.survey.subject import Library, Prepared, Subject

__all__ = ["Library", "Prepared", "SourceLine", "Subject", "by_name", "subjects"]
