"""One learner of another library, as it is to be audited: data, relation, claim, and the verdict expected."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from dpcheck.adapters.survey.source import SourceLine, source_line
from dpcheck.model.claims import Claim
from dpcheck.model.verdict import Status


@dataclass(frozen=True)
class Library:
    """A library: the distribution that installs it, the modules a subject imports, and what to install."""

    name: str
    modules: tuple[str, ...]
    install: str
    url: str
    license: str

    @property
    def version(self) -> str:
        """The installed version; empty when it is not there."""
        try:
            return version(self.name)
        except PackageNotFoundError:
            return ""

    def missing(self) -> str:
        """Why it cannot be used here, with what to install; empty when it can."""
        for module in self.modules:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # what an import warns of is no news of a subject
                    import_module(module)
            except ImportError as error:
                return f"not here: install {self.install} ({error})"
        return ""


@dataclass(frozen=True, eq=False)
class Prepared:
    """What an audit is given: a learner (or factory), its claim, and one of dataset, pairs or searched pairs."""

    learner: Any
    claim: Claim | float
    relation: Any
    dataset: Any = None


@dataclass(frozen=True, eq=False)
class Subject:
    """A learner of another library, and what is known of it.

    Parameters
    ----------
    name : str, what ``dpcheck survey NAME`` takes
    library : Library
    what : str, a line: which learner, with which arguments, seeing what
    data : str, a line: which data, from where
    prepare : makes the learner, claim, relation and dataset; imports the library
    expected : Status, from reading the library's code, confirmed by long audits
    why : str, a sentence or two: why this verdict is expected
    code, line : str, where that stands: ``package.module:function``, and part of the line (empty: nowhere)
    relation_note : str, what the library says, or does not, of its neighbouring relation
    upstream : str, the address of an issue, or empty
    max_samples : int, calls that suffice for the expected verdict
    shrink : bool, whether a violating pair is made smaller
    """

    name: str
    library: Library
    what: str
    data: str
    prepare: Callable[[], Prepared]
    expected: Status
    why: str
    code: str = ""
    line: str = ""
    relation_note: str = ""
    upstream: str = ""
    max_samples: int = 10_000
    shrink: bool = True

    def source(self) -> SourceLine | None:
        """The line in the installed library that decides the verdict; None where none is named."""
        return source_line(self.code, self.line) if self.code else None
