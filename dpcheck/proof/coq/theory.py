"""Theories for Coq: the files that an export writes, and what all of them rest on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from dpcheck.model.disk import directory_whole, write_whole
from dpcheck.model.errors import InvalidArgument
from dpcheck.proof.coq.context import Shown
from dpcheck.proof.coq.derivations import derivation_statement, derivation_theorem
from dpcheck.proof.coq.terms import NotExported
from dpcheck.proof.coq.theorem import statement_of, theorem
from dpcheck.proof.derivation.lines import Derivation
from dpcheck.proof.prover.formula import Formula

PRELUDE_FILE, LAWS_FILE, LEMMAS_FILE = "prelude.v", "laws.v", "lemmas.v"
_LIBRARIES = """From Coq Require Import Reals Lra Psatz ZArith Lia.
From Interval Require Import Tactic.
From Coquelicot Require Import Coquelicot.
"""
#: How a file of theorems begins.
HEAD = f"{_LIBRARIES}From Dpcheck Require Import prelude laws lemmas.\nOpen Scope R_scope.\n"


def prelude_text() -> str:
    """The file with the meaning of operations, and the lemmas and tactics for rules."""
    return (resources.files("dpcheck.proof.coq") / PRELUDE_FILE).read_text(encoding="utf-8")


def laws_text() -> str:
    """The file with the meaning of laws and sets, and the lemmas and tactics for the rules of derivations."""
    return (resources.files("dpcheck.proof.coq") / LAWS_FILE).read_text(encoding="utf-8")


def digest_of(formula: Formula, answer: Mapping[str, Any]) -> str:
    """A digest of what a theorem says of a formula, and of what operations mean: all that is to be believed of it.

    Parameters
    ----------
    formula : Formula
    answer : what is kept of it

    >>> one, other = (Formula("x in [0, 1]", "", f"x <= {end}") for end in (1, 2))
    >>> digest_of(one, {"proof": {}}) == digest_of(other, {"proof": {}})
    False
    """
    return _digest(prelude_text().partition("(* Integers *)")[0], statement_of(formula, answer))


def _digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:12]


def assumed_of(answers: Mapping[Formula, Mapping[str, Any]]) -> dict[Formula, Shown]:
    """Formulas as what a theorem assumes: that each holds, or that nothing satisfies its premises.

    Parameters
    ----------
    answers : what is kept of each
    """
    return {
        formula: Shown(f"formula_{place}", "vacuous" in answer, statement_of(formula, answer))
        for place, (formula, answer) in enumerate(answers.items())
    }


def digest_of_derivation(derivation: Derivation, answers: Mapping[Formula, Mapping[str, Any]]) -> str:
    """A digest of what the theorem of a derivation says, and of what its objects and operations mean.

    Parameters
    ----------
    derivation : Derivation
    answers : what is kept of its formulas

    >>> from dpcheck.proof.derivation.lines import Line
    >>> one, other = (Derivation("x in [0, 1]", (Line("a", f"x <= {end}"),)) for end in (1, 2))
    >>> digest_of_derivation(one, {}) == digest_of_derivation(other, {})
    False
    """
    meanings = prelude_text().partition("(* Integers *)")[0], laws_text().partition("(* Sums *)")[0]
    return _digest(*meanings, derivation_statement(derivation, assumed_of(answers)))


def lemmas_text(lemmas: Mapping[str, tuple[Formula, Mapping[str, Any]]]) -> str:
    """The file of the named lemmas that proofs may use, each with its proof, in an order in which they may use others.

    Those that have what Coq is not told (factorials, binomials) are left out, as formulas that use them are.

    Parameters
    ----------
    lemmas : formulas, and what is kept of them, by name
    """
    formulas = {name: formula for name, (formula, _) in lemmas.items()}
    written = []
    for name, (formula, kept) in lemmas.items():
        try:
            written.append(theorem(formula, kept, formulas, f"lemma_{name}"))
        except NotExported:
            continue
    head = f"{_LIBRARIES}From Dpcheck Require Import prelude.\nOpen Scope R_scope.\n"
    return "\n\n".join([head, *written]) + "\n"


@dataclass(frozen=True)
class Unit:
    """What one file of an export is about.

    Parameters
    ----------
    name : the file's name, from the paper and the step's label or the result's id
    printed : the printed line or statement
    formulas : by the names of their theorems, each with what is kept of it
    derivations : by the names of their theorems
    """

    name: str
    printed: str
    formulas: Mapping[str, tuple[Formula, Mapping[str, Any]]]
    derivations: Mapping[str, Derivation] = field(default_factory=dict)


def file_name(paper: str, label: str) -> str:
    """The file of a step or result; its name is one that Coq takes for a library.

    >>> file_name("bassily2018", "T3.1.idea")
    'bassily2018_T3_1_idea.v'
    """
    stem = re.sub(r"\W", "_", f"{paper}_{label}", flags=re.ASCII)[:100]
    return f"{'' if stem[0].isalpha() else 'p_'}{stem}.v"


def unit_text(unit: Unit, lemmas: Mapping[str, Formula]) -> tuple[str, int]:
    """A file of theorems, and how many are in it; what is not told to Coq stands there in words."""
    pieces = [f"(* {_comment(unit.name)}\n   {_comment(unit.printed)} *)\n{HEAD}"]
    written = 0
    shown: dict[Formula, Shown] = {}
    for name, (formula, answer) in unit.formulas.items():
        try:
            pieces.append(theorem(formula, answer, lemmas, name))
            shown[formula] = Shown(name, "vacuous" in answer)
            written += 1
        except NotExported as why:
            pieces.append(f"(* {name} is not written: {_comment(str(why))}; {_comment(str(formula))} *)")
    for name, derivation in unit.derivations.items():
        try:
            words = f"what is given: {'; '.join(each.source for each in derivation.given) or 'nothing'}"
            pieces.append(f"(* {_comment(words)} *)\n{derivation_theorem(derivation, shown, name)}")
            written += 1
        except NotExported as why:
            pieces.append(f"(* {name}, what follows from these, is not written: {_comment(str(why))} *)")
    return "\n\n".join(pieces) + "\n", written


def _comment(text: str) -> str:
    """A text that stands in a comment of Coq's, which would read strings and comments in it."""
    return text.replace('"', "'").replace("(*", "( *").replace("*)", "* )")


def check_directory(directory: Path) -> None:
    """Raises InvalidArgument where a theory cannot be written there: something is there already.

    >>> check_directory(Path("a_new_one"))
    """
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise InvalidArgument(f"--to must be a new or empty directory, got {directory}")


def _new_name(name: str, taken: Iterable[str]) -> str:
    """A file's name that no other has, whatever a system makes of large letters."""
    others, stem, number = {each.lower() for each in taken}, name.removesuffix(".v"), 1
    while name.lower() in others:
        number += 1
        name = f"{stem}_{number}.v"
    return name


def write(
    directory: Path, units: Iterable[Unit], lemmas: Mapping[str, tuple[Formula, Mapping[str, Any]]]
) -> tuple[int, int]:
    """Write a theory: a file for each unit, what they rest on, and how Coq is given them.

    Parameters
    ----------
    directory : a new or empty one
    units : what the files are about
    lemmas : formulas and what is kept of them, by name

    Returns how many files and theorems were written: all, or the directory is not there. Raises InvalidArgument where
    the directory is not empty, or cannot be written.
    """
    check_directory(directory)
    formulas = {name: formula for name, (formula, _) in lemmas.items()}
    files: dict[str, str] = {}
    theorems = 0
    for unit in units:
        text, written = unit_text(unit, formulas)
        theorems += written
        files[_new_name(unit.name, files)] = text
    made = len(files)
    project = ["-R . Dpcheck", PRELUDE_FILE, LAWS_FILE, LEMMAS_FILE, *files]
    files |= {
        PRELUDE_FILE: prelude_text(),
        LAWS_FILE: laws_text(),
        LEMMAS_FILE: lemmas_text(lemmas),
        "_CoqProject": "\n".join(project) + "\n",
        "README.md": _README,
    }
    try:
        with directory_whole(directory) as fresh:
            for name, text in files.items():
                write_whole(fresh / name, text)
    except OSError as error:
        raise InvalidArgument(
            f"--to must be a directory that can be made, got {directory}: {error.strerror or error}"
        ) from error
    return made, theorems


_README = """# Lines of proofs, their formulas and derivations, for Coq

Each file is a step of a proof, or a statement. Its theorems are its formulas, each with a proof made of the certificate
that dpcheck keeps (that the formula holds, that it fails, or that nothing satisfies its premises), and, where the line
is derived, `line`, `repaired_line` or `statement`: for all laws, sets and functions that the derivation declares, what
it is given implies what it concludes. Read `prelude.v` and `laws.v` (what operations and objects mean) and the
statements; the proofs are for Coq, whose kernel has nothing of dpcheck's in it.

Coq 8.16 or later with Coquelicot and Interval (Debian: `coq libcoq-coquelicot libcoq-interval`):

    coq_makefile -f _CoqProject -o Makefile
    make -k -j2

A file that Coq refuses names the theorem: the certificate may hold all the same, if a tactic did not find what it says.
What a theorem rests on: `Print Assumptions NAME.` after it. That a theorem says what the printed line says is for
readers.
"""
