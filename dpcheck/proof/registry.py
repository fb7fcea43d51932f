"""The registry of theorems: the papers of installed packages, dpcheck's own among them, and a user's own modules."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from dpcheck.execution.import_place import line_in
from dpcheck.execution.paper_folders import PaperFolder, paper_folders
from dpcheck.execution.watch import watched
from dpcheck.model.errors import InvalidArgument, in_words, nearest
from dpcheck.proof.declared import check_declared, check_derivations, check_names
from dpcheck.proof.statement import Paper, Theorem
from dpcheck.proof.status import Evaluation
from dpcheck.proof.store import Store, open_store

#: Certificates of lemmas that several papers rest on.
_LEMMAS = Path(__file__).with_name("lemmas.json")


def installed() -> Iterator[tuple[Paper, Path]]:
    """The papers of installed packages, in the order of their names, with the files of their certificates.

    Raises
    ------
    InvalidArgument
        When one cannot be imported, or declares no paper.
    """
    for folder in paper_folders():
        yield paper_in(folder), folder.place("certificates.json")


def paper_in(folder: PaperFolder) -> Paper:
    """The paper that a folder declares.

    Raises
    ------
    InvalidArgument
        When it cannot be imported, declares none, or one of another name: its trials would not be found.
    """
    paper = paper_of(folder.part("theorems") or folder.root, folder.name)
    if paper.key != folder.name:
        raise InvalidArgument(
            f"the entry point of {folder.module} must be called as its paper is, {paper.key!r}, got {folder.name!r}"
        )
    return paper


def from_file(path: Path) -> tuple[Paper, Path]:
    """The paper that a user's module declares as ``PAPER``; its certificates stand beside it.

    Raises
    ------
    InvalidArgument
        When there is no such file, it cannot be imported, or declares no paper.
    """
    paper = paper_of(module_of(path, "--from"), path.name)
    check_derivations(paper, path.name)
    return paper, path.with_suffix(".certificates.json")


def module_of(path: Path, argument: str) -> ModuleType:
    """A user's file, imported; ``argument`` is what it was given as, for messages.

    Raises
    ------
    InvalidArgument
        When there is no such file, or it cannot be imported.
    """
    if not path.is_file():
        why = "it is a folder" if path.is_dir() else "there is no such file"
        raise InvalidArgument(f"{argument} must be a Python file that declares PAPER, got {str(path)!r} ({why})")
    spec = importlib.util.spec_from_file_location(f"dpcheck_user_theorems_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InvalidArgument(f"{argument} must be a Python file, got {str(path)!r}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        with watched(f"{path.name} was being imported"):
            spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        where = line_in(error, spec.name)
        raise InvalidArgument(f"{path.name} could not be imported: {in_words(error)}{where}") from error
    return module


def paper_of(module: object, name: str) -> Paper:
    """The paper that a module declares; ``name`` is the file or entry point, for messages.

    Raises
    ------
    InvalidArgument
        When it declares none, or one with a fault.
    """
    paper = getattr(module, "PAPER", None)
    if not isinstance(paper, Paper):
        raise InvalidArgument(
            f"{name} must declare PAPER = Paper(key, title, theorems, steps), got {type(paper).__name__}"
        )
    check_declared(paper, name)
    return paper


class Registry:
    """All declared papers, with their statuses."""

    def __init__(self, extra: Path | None = None) -> None:
        found = [*installed(), *([from_file(extra)] if extra is not None else [])]
        self.lemmas: Store = open_store(_LEMMAS)
        self.papers: dict[str, Paper] = {}
        self.evaluations: dict[str, Evaluation] = {}
        owners: dict[str, str] = {}
        for paper, path in found:
            if paper.key in self.papers:
                raise InvalidArgument(f"two papers are declared under the name {paper.key!r}")
            for theorem in paper.theorems:
                if theorem.id in owners:
                    raise InvalidArgument(f"the id {theorem.id!r} is declared twice")
                owners[theorem.id] = paper.key
            check_names(paper)
            self.papers[paper.key] = paper
            self.evaluations[paper.key] = Evaluation(paper, open_store(path), self.lemmas)

    def paper(self, key: str) -> Paper:
        """A paper by its name.

        Raises
        ------
        InvalidArgument
            When there is none; the nearest name is suggested.
        """
        if key not in self.papers:
            raise InvalidArgument(
                f"there is no paper {key!r}{nearest(key, self.papers)}; there are {', '.join(self.papers)}"
            )
        return self.papers[key]

    def find(self, id: str) -> tuple[Paper, Theorem]:
        """An entry by its id, or by the part after the colon where that is unambiguous.

        Raises
        ------
        InvalidArgument
            When there is none, and the nearest id is suggested; or several, and all are named.
        """
        if id in self.papers:
            raise InvalidArgument(f"{id!r} is a paper: dpcheck theorems --paper {id}")
        everything = [(paper, theorem) for paper in self.papers.values() for theorem in paper.theorems]
        exact = [pair for pair in everything if pair[1].id == id]
        short = exact or [pair for pair in everything if pair[1].id.partition(":")[2] == id]
        if len(short) > 1:
            raise InvalidArgument(
                f"{id!r} is the id of {len(short)} results: {', '.join(theorem.id for _, theorem in short)}"
            )
        if not short:
            proofs = [theorem.id for _, theorem in everything if id in theorem.steps]
            if proofs:
                raise InvalidArgument(f"{id!r} is a line of the proof of {proofs[0]}: dpcheck theorems {proofs[0]}")
            ids = [theorem.id for _, theorem in everything]
            hint = nearest(id, ids)
            for tail in difflib.get_close_matches(id, [i.partition(":")[2] for i in ids], n=1, cutoff=0.7):
                same = [repr(i) for i in ids if i.partition(":")[2] == tail]
                hint = hint or f" (did you mean {' or '.join(same)}?)"
            raise InvalidArgument(f"there is no theorem {id!r}{hint}; `dpcheck theorems` lists all {len(ids)}")
        return short[0]
