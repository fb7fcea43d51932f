"""The papers that are installed: a folder each, dpcheck's own five and those of other packages, through one door.

An entry point of the group ``dpcheck.papers`` names a package. What stands in it is found by its name: ``theorems``
declares ``PAPER``, ``learners`` its ``ENTRIES``, ``trials`` its ``RUNS`` or ``CHECKS`` and ``NOT_RUN``, ``zoo`` entries
of the zoo; ``inventory.json`` says what the paper prints, and ``certificates.json`` is what ``--prove`` found. All but
``theorems`` may be missing. A small paper may be one module that declares all of it, with its certificates beside it.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from dpcheck.execution.import_place import line_in
from dpcheck.execution.modules_in import modules_in
from dpcheck.execution.watch import watched
from dpcheck.model.errors import InvalidArgument, in_words

#: Entry points of this group name a paper's package.
GROUP = "dpcheck.papers"


@dataclass(frozen=True)
class PaperFolder:
    """A paper's package, of which nothing is imported before it is asked for.

    Parameters
    ----------
    name : of its entry point, the paper's key
    module : the package's full name

    Examples
    --------
    >>> found = paper_folder("alon2019")
    >>> found.module, found.file("inventory.json").name, found.part("no_such_part")
    ('dpcheck.papers.alon2019', 'inventory.json', None)
    """

    name: str
    module: str

    @cached_property
    def root(self) -> ModuleType:
        """The package itself.

        Raises
        ------
        InvalidArgument
            When it cannot be imported.
        """
        return self._imported(self.module)

    @property
    def is_folder(self) -> bool:
        """Whether it is a package, and not one module."""
        return hasattr(self.root, "__path__")

    def part(self, name: str) -> ModuleType | None:
        """A part of the paper; None where the package has none of this name.

        Raises
        ------
        InvalidArgument
            When it cannot be imported.
        """
        full = self.module
        for each in name.split("."):
            parent = self._imported(full)
            full = f"{full}.{each}"
            if not hasattr(parent, "__path__") or importlib.util.find_spec(full) is None:
                return None
        return self._imported(full)

    def parts(self, name: str) -> list[ModuleType]:
        """The modules of a part that is a package, in the order of their names; none where there is none."""
        if self.part(name) is None:
            return []
        with self._importing():
            return modules_in(f"{self.module}.{name}")

    def file(self, name: str) -> Path | None:
        """The file of this name in the folder, or beside a paper that is one module; None where there is none."""
        found = self.place(name)
        return found if found.is_file() else None

    def place(self, name: str) -> Path:
        """Where a file of this name is, or would be: certificates are written there."""
        if self.is_folder:
            return Path(next(iter(self.root.__path__))) / name
        return Path(str(self.root.__file__)).with_suffix(f".{name}")

    def _imported(self, module: str) -> ModuleType:
        with self._importing():
            return importlib.import_module(module)

    @contextmanager
    def _importing(self) -> Iterator[None]:
        try:
            with watched(f"the paper {self.name} was being imported"):
                yield
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            where = line_in(error, self.module)
            raise InvalidArgument(f"the paper {self.name} could not be imported: {in_words(error)}{where}") from error


@cache
def paper_folders() -> tuple[PaperFolder, ...]:
    """The papers of all installed packages, in the order of their names.

    Raises
    ------
    InvalidArgument
        When two packages have a paper of the same name.

    Examples
    --------
    >>> [folder.name for folder in paper_folders()][:3]
    ['alon2019', 'bassily2018', 'beimel2015']
    """
    found: dict[str, PaperFolder] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        module = point.value.partition(":")[0].strip()
        if point.name in found and found[point.name].module != module:
            raise InvalidArgument(
                f"two installed packages have a paper {point.name!r}: {found[point.name].module} and {module}"
            )
        found[point.name] = PaperFolder(point.name, module)
    return tuple(found.values())


def paper_folder(name: str) -> PaperFolder | None:
    """The paper of this name; None where there is none."""
    return next((folder for folder in paper_folders() if folder.name == name), None)
