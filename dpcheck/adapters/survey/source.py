"""Where in a library a line stands: found in the installed code, not written down."""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path


@dataclass(frozen=True)
class SourceLine:
    """A line of an installed library: ``file`` below its folder of packages, ``line`` counted from 1 (0: not there)."""

    file: str
    function: str
    line: int
    text: str


def source_line(function: str, fragment: str) -> SourceLine:
    """The line of an installed function that holds a fragment, as it stands there now.

    Parameters
    ----------
    function : str
        ``package.module:Class.method``.
    fragment : str
        Part of the line; the first line that has it is taken.

    Returns
    -------
    SourceLine
        With line 0 and no text where the function is there and the fragment is not: the library has changed. For
        what Python did not write (compiled code) the line is 0 too.

    Raises
    ------
    ImportError, AttributeError
        When there is no such module or function.

    Examples
    --------
    >>> found = source_line("dpcheck.adapters.survey.discovery:by_name", "def by_name")
    >>> found.file, found.text
    ('dpcheck/adapters/survey/discovery.py', 'def by_name() -> dict[str, Subject]:')
    """
    module, _, name = function.partition(":")
    owner = import_module(module)
    for part in name.split("."):
        owner = getattr(owner, part)
    try:
        lines, first = inspect.getsourcelines(inspect.unwrap(owner))  # type: ignore[arg-type]
        file = _below_packages(Path(inspect.getsourcefile(inspect.unwrap(owner)) or ""), module)  # type: ignore[arg-type]
    except (OSError, TypeError):
        return SourceLine(module.replace(".", "/"), name, 0, "")
    for number, line in enumerate(lines, start=first):
        if fragment in line:
            return SourceLine(file, name, number, line.strip())
    return SourceLine(file, name, 0, "")


def _below_packages(path: Path, module: str) -> str:
    """The path from the package's folder on, without this machine's part."""
    package = module.partition(".")[0]
    top = getattr(sys.modules[package], "__file__", None)
    folder = Path(top).parent.parent if top else path.parent
    try:
        return path.relative_to(folder).as_posix()
    except ValueError:
        return path.name
