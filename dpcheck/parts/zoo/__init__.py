"""Mechanisms with a known answer: correct ones that must stay silent, broken ones that must be caught.

Entries are found by walking ``zoo/correct`` and ``zoo/broken``: a new one is one file that holds an
:class:`~dpcheck.parts.zoo.entry.Entry`, and no list to extend.
"""

from dpcheck.parts.zoo.discovery import by_name, entries, entry
from dpcheck.parts.zoo.entry import Entry, Swap

__all__ = ["Entry", "Swap", "by_name", "entries", "entry"]
