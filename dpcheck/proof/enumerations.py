"""Results of enumerations, kept beside the certificates: one counts while the source that gave it is the same."""

from __future__ import annotations

import functools
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import dpcheck
from dpcheck.proof.instances import Enumeration
from dpcheck.proof.statement import Paper, Theorem

Function = Callable[[], Enumeration]

_IMPORTS = re.compile(
    r"(?:^|[;:])[ \t]*"
    r"(?:from[ \t]+([\w.]+)[ \t]+import[ \t]*(\((?:[^)#]|#[^\n]*)*\)|[^\n#;]*)|import[ \t]+([\w., \t]+))",
    re.MULTILINE,
)


def enumerations_of(paper: Paper, theorem: Theorem | None = None) -> list[Function]:
    """Every function that a paper (one of its entries) is decided on, each once."""
    labels = None if theorem is None else set(theorem.steps)
    found: dict[Function, None] = {}
    for step in paper.steps:
        if labels is None or step.label in labels:
            for function in (step.instances, step.witness, step.repair.instances if step.repair else None):
                if function is not None:
                    found.setdefault(function)
    for entry in paper.theorems if theorem is None else (theorem,):
        if entry.witness is not None:
            found.setdefault(entry.witness)
    return list(found)


def name_of(function: Function) -> str | None:
    """The name under which a function's result is kept; None when no name says which function it is.

    Examples
    --------
    >>> name_of(enumerations_of), name_of(functools.partial(enumerations_of, 3)), name_of(lambda: None)
    ('dpcheck.proof.enumerations.enumerations_of', 'dpcheck.proof.enumerations.enumerations_of(3)', None)
    """
    if isinstance(function, functools.partial):
        inner = name_of(function.func)
        given = [*function.args, *function.keywords.values()]
        if inner is None or not all(_is_plain(value) for value in given):
            return None
        words = [*map(repr, function.args), *(f"{name}={value!r}" for name, value in function.keywords.items())]
        return f"{inner}({', '.join(words)})"
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if not module or not name or "<" in name:
        return None
    found: Any = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    # A method of an object, or what a decorator made, may have the name of something else.
    return f"{module}.{name}" if found is function else None


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, int | float | str | bool | Fraction)


def digest_of(function: Function, result: Enumeration) -> str | None:
    """A hash of a function's name, of the source that it runs, and of its result; None when that has no name."""
    name = name_of(function)
    while isinstance(function, functools.partial):
        function = function.func
    source = None if name is None else _source_of(function.__module__)
    if source is None:
        return None
    text = json.dumps([name, source, result.family, int(result.count), result.failure])
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def as_data(function: Function, result: Enumeration) -> dict[str, Any] | None:
    """What is kept of a result; None when it cannot be."""
    digest = digest_of(function, result)
    if digest is None:
        return None
    return {"family": result.family, "count": int(result.count), "failure": result.failure, "digest": digest}


def from_data(kept: Any) -> Enumeration | None:
    """The result that was kept, whether it counts or not; None when it is none."""
    if not isinstance(kept, Mapping):
        return None
    family, count, failure = (kept.get(name) for name in ("family", "count", "failure"))
    if isinstance(family, str) and isinstance(count, int) and isinstance(failure, str):
        return Enumeration(family, count, failure)
    return None


def counts(function: Function, kept: Any) -> Enumeration | None:
    """A kept result, where it is of this function and of the source as it is now."""
    result = from_data(kept)
    return result if result is not None and digest_of(function, result) == kept.get("digest") else None


@functools.cache
def _source_of(module: str) -> str | None:
    """A hash of a module's source and of all that it imports of its own package, of dpcheck, and from beside it."""
    found = sys.modules.get(module)
    file = getattr(found, "__file__", None)
    if not file or not Path(file).is_file():
        return None
    files = files_of(module, Path(file))
    texts = [(name, hashlib.sha256(path.read_bytes()).hexdigest()) for name, path in sorted(files.items())]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def files_of(module: str, file: Path) -> dict[str, Path]:
    """The files of a module and of what it imports, by the modules' names."""
    parts = module.split(".")
    depth = len(parts) - (file.name != "__init__.py")
    root = file.resolve().parents[depth]
    roots = {"dpcheck": Path(next(iter(dpcheck.__path__))).resolve().parent}
    if len(parts) > 1:
        roots[parts[0]] = root
    alone = root if len(parts) == 1 else None

    def locate(name: str) -> Path | None:
        folder = roots.get(name.partition(".")[0], alone)
        if folder is None or not name:
            return None
        path = folder.joinpath(*name.split("."))
        return next((p for p in (path.with_suffix(".py"), path / "__init__.py") if p.is_file()), None)

    found = {module: file}
    waiting = [(module, file)]
    while waiting:
        name, path = waiting.pop()
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for other in _imported(_text(path), package, lambda wanted: locate(wanted) is not None):
            place = locate(other)
            if place is not None and other not in found:
                found[other] = place
                waiting.append((other, place))
    return found


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace").replace("\\\n", " ")


def _imported(text: str, package: str, is_module: Callable[[str], bool]) -> Iterator[str]:
    """The modules that a text names in its import statements; a package only where a name of its own is taken."""
    for source, names, plain in _IMPORTS.findall(text):
        if plain:
            yield from (part.split(" as ")[0].strip() for part in plain.split(","))
            continue
        dots = len(source) - len(source.lstrip("."))
        base = source
        if dots:
            above = package.split(".")[: len(package.split(".")) - dots + 1]
            base = ".".join([*above, *filter(None, [source.lstrip(".")])])
        plainly = re.sub(r"#[^\n]*", "", names)
        taken = [part.split(" as ")[0].strip(" \t\n()") for part in plainly.split(",")]
        inner = [f"{base}.{name}" for name in taken if name]
        modules = [name for name in inner if is_module(name)]
        yield from modules
        if len(modules) < len(inner):
            yield base


def kept_for(functions: Iterable[Function], kept: Mapping[str, Any]) -> dict[str, Any]:
    """The part of what is kept that these functions have."""
    names = {name_of(function) for function in functions}
    return {name: data for name, data in kept.items() if name in names}
