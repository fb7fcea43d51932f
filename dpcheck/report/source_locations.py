"""Where things are defined: the file and line that an annotation of a learner belongs to."""

from __future__ import annotations

import ast
import contextlib
import functools
import inspect
import sysconfig
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dpcheck.model.disk import real_path
from dpcheck.report.finished import Location

# Far above any module written by a person; a larger one is not searched for a line.
MAX_BYTES = 4 * 1024 * 1024
# Packages of strangers live in such folders, wherever those stand: an annotation there reaches nobody.
_INSTALLED = frozenset({"site-packages", "dist-packages"})
# A wrapper around a wrapper around ... : more than anyone writes, fewer than an endless chain.
_MOST_WRAPPERS = 50


def repository_root(folder: Path) -> Path:
    """The folder with ``.git`` at or above a folder; the folder itself where there is none.

    >>> repository_root(Path("/")) == Path("/")
    True
    """
    here = real_path(folder)
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), here)


def location_in(root: Path, file: Path, line: int) -> Location | None:
    """A place relative to the root of a repository; None outside it, or among installed packages."""
    resolved = real_path(file)
    installed = _INSTALLED.intersection(resolved.parts) or resolved.is_relative_to(sysconfig.get_path("stdlib"))
    if installed or not resolved.is_relative_to(root) or not resolved.is_file():
        return None
    return Location(resolved.relative_to(root).as_posix(), max(1, line))


def definition_of(found: Any, module: str, root: Path) -> Location | None:
    """The place in a repository where an object is defined, or None.

    A function, a class or a lambda is found where it stands, also behind ``functools.partial`` and
    ``functools.wraps``: what is innermost is what one edits. An instance is found at its class.

    Parameters
    ----------
    found : the object
    module : the name of the module that uses it
    root : the folder that locations are relative to

    Examples
    --------
    >>> definition_of(len, "mymodule", Path.cwd()) is None
    True
    """
    # Strangers' objects may raise anything when they are looked at, and an annotation is worth no trouble.
    with contextlib.suppress(Exception):
        chain = [found]
        while len(chain) < _MOST_WRAPPERS and (inner := _inside(chain[-1])) is not None:
            chain.append(inner)
        places = (_definition(one, module, root) for one in reversed(chain))
        return next((place for place in places if place is not None), None)
    return None


def _inside(found: Any) -> Any:
    """What an object wraps, or None; read past its own ``__getattribute__`` and ``__class__``: they may do anything."""
    kind = type(found)
    if issubclass(kind, functools.partial):
        return functools.partial.__dict__["func"].__get__(found)
    if kind is types.MethodType:
        return found.__func__
    try:
        own = (type if issubclass(kind, type) else object).__getattribute__(found, "__dict__")
    except AttributeError:
        return None
    if _package(_module(kind)) == "dpcheck":  # made by dpcheck for somebody
        return own.get("original", own.get("sampler", own.get("estimator")))
    return own.get("__wrapped__")


def _module(kind: type) -> str:
    """The module of a class, past its metaclass."""
    return str(type.__getattribute__(kind, "__module__"))


def _definition(found: Any, module: str, root: Path) -> Location | None:
    """The line of a function, a class, or the class of an instance; None when that is not in the repository."""
    if type(found) is types.FunctionType:
        return _headline(Path(found.__code__.co_filename), found.__code__.co_firstlineno, root)
    kind = found if issubclass(type(found), type) else type(found)
    # An adapter belongs to whoever binds its name.
    if _package(_module(kind)) == "dpcheck" and _package(module) != "dpcheck":
        return None
    try:
        _, above = inspect.findsource(kind)
        return _headline(Path(inspect.getfile(kind)), above + 1, root)
    except (OSError, TypeError):  # built in, or made by exec
        return None


def _package(module: str) -> str:
    return module.partition(".")[0]


def _headline(file: Path, first: int, root: Path) -> Location | None:
    """The line of ``def`` or ``class``: Python counts a definition from its first decorator."""
    place = location_in(root, file, first)
    if place is None:
        return None
    for node in ast.walk(_tree(file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            decorators = [decorator.lineno for decorator in node.decorator_list]
            if min([node.lineno, *decorators]) == first:
                return location_in(root, file, node.lineno)
    return place


def binding_of(file: Path, name: str, root: Path) -> Location | None:
    """The last line of a file that binds a name (a part of it, where the rest is found nowhere); the first for none."""
    line = 1
    if location_in(root, file, line) is None:
        return None
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, OSError):
        body: list[ast.stmt] = _tree(file).body
        for part in filter(None, name.split(".")):
            bound = [node for node in _statements(body) if part in _names_bound(node)]
            if not bound:
                break
            line, body = bound[-1].lineno, getattr(bound[-1], "body", [])
    return location_in(root, file, line)


def _tree(file: Path) -> ast.Module:
    if file.stat().st_size > MAX_BYTES:
        raise ValueError(f"{file} is too large")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what Python thinks of a stranger's file was said when it was imported
        return ast.parse(file.read_bytes())


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of one namespace: also those under if, try, with and for, none inside functions and classes."""
    for node in body:
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            # What is tried counts for more than what is done when it fails: the last one to bind a name is taken.
            for field in ("handlers", "body", "orelse", "finalbody"):
                for inner in getattr(node, field, []):
                    yield from _statements(inner.body if isinstance(inner, ast.ExceptHandler) else [inner])


def _names_bound(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {node.name}
        case ast.Import() | ast.ImportFrom():
            return {alias.asname or _package(alias.name) for alias in node.names}
        case ast.Assign(targets=targets):
            return {name for target in targets for name in _stored(target)}
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _stored(target)
        case _:
            return set()


def _stored(target: ast.expr) -> set[str]:
    return {inner.id for inner in ast.walk(target) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store)}
