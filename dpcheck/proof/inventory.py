"""What each paper prints: its numbered results, the steps of its proofs and its algorithms, as plain data.

The data are ``inventories/<paper>.json``, one file per paper. They were made once, by a script, from the project's
reading notes of the papers (conversion errors undone, misprints of the papers kept): the tables of results, the
numbered lines ``lhs REL rhs | domain | label`` of the proofs, and the headings of the algorithms, letter for letter.
They are the project's own data from there on: ids and labels are the names under which everything else refers to a
result or a step, and what is parsed to be checked is compared with what is printed here.

Nothing printed here is endorsed: whether a step holds is for the prover to say.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass

from dpcheck.execution.paper_folders import paper_folder, paper_folders
from dpcheck.model.errors import InvalidArgument, nearest

#: What a paper prints, as a file in its folder.
_FILE = "inventory.json"


@dataclass(frozen=True)
class PrintedResult:
    """A definition, lemma, theorem, claim, example or remark: its id, its kind, and its statement in words."""

    id: str
    kind: str
    statement: str


@dataclass(frozen=True)
class PrintedStep:
    """One line of a proof, as printed.

    ``printed`` keeps the backticks that set formulas apart from words; ``domain`` is empty where the paper states
    none; ``note`` is what a reader must know where the conversion of the paper to text lost something.
    """

    number: int
    section: str
    printed: str
    domain: str
    label: str
    note: str = ""


@dataclass(frozen=True)
class PrintedAlgorithm:
    """An algorithm: its id and its title."""

    id: str
    title: str


@dataclass(frozen=True)
class Inventory:
    """All that one paper prints; ``notation`` holds the abbreviations its proof steps use, where there are any."""

    paper: str
    title: str
    authors: tuple[str, ...]
    venue: str
    year: int
    notation: str
    results: tuple[PrintedResult, ...]
    steps: tuple[PrintedStep, ...]
    algorithms: tuple[PrintedAlgorithm, ...]

    def result(self, id: str) -> PrintedResult:
        """The result of an id, in full (``alon2019:lem-3.3``) or within the paper (``lem-3.3``).

        Raises
        ------
        InvalidArgument
            When the paper has no such result; the message suggests the nearest id.

        Examples
        --------
        >>> load_inventory("alon2019").result("lem-3.2").statement
        'for all T_pub, A_SSPP(.,T_pub) is eps-DP in S_priv'
        """
        full = id if ":" in id else f"{self.paper}:{id}"
        for result in self.results:
            if result.id == full:
                return result
        hint = nearest(full, (result.id for result in self.results))
        raise InvalidArgument(f"id must name a result of {self.paper}, got {id!r}{hint}")

    def step(self, label: str) -> PrintedStep:
        """The proof step of a label.

        Raises
        ------
        InvalidArgument
            When the paper has no such step; the message suggests the nearest label.

        Examples
        --------
        >>> load_inventory("alon2019").step("L33.(1)").printed
        '(1) `P[Bad] <= 2 (2 e n_pub/d)^{2d} exp(-alpha n_pub/4)`'
        """
        for step in self.steps:
            if step.label == label:
                return step
        hint = nearest(label, (step.label for step in self.steps))
        raise InvalidArgument(f"label must name a step of {self.paper}, got {label!r}{hint}")


@functools.cache
def papers() -> tuple[str, ...]:
    """The papers there are data of, in alphabetical order; a new one is a new file, and no list grows.

    Examples
    --------
    >>> papers()
    ('alon2019', 'bassily2018', 'beimel2015', 'chaudhuri2011', 'wang2016')
    """
    return tuple(folder.name for folder in paper_folders() if folder.file(_FILE) is not None)


@functools.cache
def load_inventory(paper: str) -> Inventory:
    """What a paper prints, read from the package's data when first asked for.

    Parameters
    ----------
    paper
        One of `papers`.

    Raises
    ------
    InvalidArgument
        For a paper there are no data of; the message suggests the nearest.

    Examples
    --------
    >>> inventory = load_inventory("alon2019")
    >>> inventory.title, len(inventory.results), len(inventory.steps)
    ('Limits of Private Learning with Access to Public Data', 28, 55)
    """
    folder = paper_folder(paper)
    file = None if folder is None else folder.file(_FILE)
    if file is None:
        raise InvalidArgument(f"paper must be one of {', '.join(papers())}, got {paper!r}{nearest(paper, papers())}")
    data = json.loads(file.read_text(encoding="utf-8"))
    return Inventory(
        paper=data["paper"],
        title=data["title"],
        authors=tuple(data["authors"]),
        venue=data["venue"],
        year=data["year"],
        notation=data["notation"],
        results=tuple(PrintedResult(**row) for row in data["results"]),
        steps=tuple(PrintedStep(**row) for row in data["steps"]),
        algorithms=tuple(PrintedAlgorithm(**row) for row in data["algorithms"]),
    )
