"""Class against learner as people read it: a table for each paper, the reasons of its empty cells numbered below."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from dpcheck.parts.learners.table_of_classes import ClassTable

#: The cell of a learner that learns a class.
LEARNS = "yes"


@dataclass(frozen=True)
class PaperTable:
    """The learners of a paper by the names they have there, and a row for each class: its name, then the cells."""

    paper: str
    learners: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class PaperTables:
    """The tables, the reasons that their cells number from 1, and what is said of learners that are in none."""

    papers: tuple[PaperTable, ...]
    reasons: tuple[str, ...]
    apart: tuple[str, ...]


def paper_tables(table: ClassTable) -> PaperTables:
    """The table as one for each paper: a cell says yes, or has the number of the reason why not.

    Examples
    --------
    >>> from dpcheck.parts.learners.discovery import entry
    >>> from dpcheck.parts.learners.table_of_classes import class_table
    >>> made = paper_tables(class_table([entry("alon2019.generic"), entry("chaudhuri2011.A2")]))
    >>> [(each.paper, each.learners, each.rows[0]) for each in made.papers]  # doctest: +NORMALIZE_WHITESPACE
    [('alon2019', ('generic',), ('thresholds on the line', '(1)')),
     ('chaudhuri2011', ('A2',), ('thresholds on the line', 'yes'))]
    >>> made.reasons
    ('family must be a finite hypothesis class, got this one',)
    """
    numbers: dict[str, int] = {}

    def cell(reason: str) -> str:
        return f"({numbers.setdefault(reason, len(numbers) + 1)})" if reason else LEARNS

    papers = []
    for paper, names in groupby(table.learners, key=_paper):
        listed = tuple(names)
        rows = tuple((row.name, *(cell(row.cells[name]) for name in listed)) for row in table.rows)
        papers.append(PaperTable(paper, tuple(_short(name) for name in listed), rows))
    silent: dict[str, list[str]] = {}
    for name, reason in table.apart.items():
        silent.setdefault(reason, []).append(name)
    apart = tuple(f"{', '.join(names)}: {reason}" for reason, names in silent.items())
    return PaperTables(tuple(papers), tuple(numbers), apart)


def _paper(name: str) -> str:
    return name.partition(".")[0]


def _short(name: str) -> str:
    """The name without its paper, in words, which narrow columns can break."""
    return name.partition(".")[2].replace("_", " ")
