"""What beside a learner's own code may change what it answers: source files, versions of libraries, dpcheck itself."""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import sysconfig
from contextlib import suppress
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

#: Of folders with more source files than this only the files that are loaded are looked at.
MOST_FILES = 1_000


def digest_of_surrounding_code(learner: Any) -> str:
    """Of the source files of all modules that are loaded and of no library, of those beside them, and of versions.

    Files that are beside a module are those that a learner imports when it is called. What a learner takes from the
    environment, from files of data or from the network is not in it.
    """
    hashed = hashlib.sha256()
    for file in _files(learner):
        hashed.update(f"{file}\0".encode("utf-8", "surrogatepass"))
        try:
            hashed.update(file.read_bytes())
        except OSError:
            hashed.update(b"unreadable")
    found = sorted({f"{each.metadata['Name']} {each.version}" for each in distributions()})
    hashed.update("\n".join(found).encode("utf-8", "surrogatepass"))
    return hashed.hexdigest()


@cache
def source_digest() -> str:
    """A digest of dpcheck's own Python files and data: numbers of another version are never taken for this one's."""
    import dpcheck

    root = Path(str(dpcheck.__file__)).parent
    hashed = hashlib.sha256()
    for file in sorted(root.rglob("*")):
        if file.suffix in (".py", ".json") and file.is_file() and ".schema." not in file.name:
            hashed.update(str(file.relative_to(root)).encode())
            hashed.update(hashlib.sha256(file.read_bytes()).digest())
    return hashed.hexdigest()


def _files(learner: Any) -> list[Path]:
    loaded = {Path(file) for module in list(sys.modules.values()) if (file := _file_of(module))}
    for part in (learner, type(learner)):
        with suppress(TypeError, ValueError, OSError):
            loaded.add(Path(inspect.getfile(part)))
    paths = sysconfig.get_paths()
    libraries = [Path(paths[name]).resolve() for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    libraries.append(Path(__file__).resolve().parents[1])
    own = {_placed(file) for file in loaded if file.suffix == ".py"}
    own = {file for file in own if not any(file.is_relative_to(library) for library in libraries)}
    beside: set[Path] = set()
    for folder in {file.parent for file in own}:
        try:
            there = list(folder.glob("*.py"))
        except OSError:
            continue
        beside.update(there if len(there) <= MOST_FILES else ())
    return sorted(own | {_placed(file) for file in beside})


def _placed(file: Path) -> Path:
    """Where links of a file lead; where they lead in a circle, one of them: pathlib raises then."""
    return Path(os.path.realpath(file))


def _file_of(module: Any) -> str:
    try:
        file = module.__file__
    except Exception:  # modules may be anything
        return ""
    return file if isinstance(file, str) else ""
