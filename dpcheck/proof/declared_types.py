"""Whether each field of a declared paper is of its type: no type checker has read a stranger's file before it runs."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.model.harmless import one_line
from dpcheck.proof import statement
from dpcheck.proof.derivation.lines import Derivation, Given, Line
from dpcheck.proof.statement import Claim, Paper, Step, Theorem

#: The field by which messages call an entry, and the word before it.
_NAMED = {Step: ("label", "step "), Theorem: ("id", "")}
#: Fields by which a paper and its results are told apart.
_NOT_BLANK = {Paper: ("key", "title"), Theorem: ("id", "title")}
#: Of a value that is refused no more characters are shown.
_LONGEST = 100
#: Named in types only; what a function returns is looked at when it is called.
_RETURNED = dict.fromkeys(("Bound", "Enumeration", "Tightness"), object) | {
    "Derivation": Derivation,
    "Given": Given,
    "Line": Line,
}


def check_types(paper: Paper, name: str) -> None:
    """Refuse a paper of which a field, however deep, is not of the type that its class declares.

    Parameters
    ----------
    paper : Paper
    name : str, the file or entry point it comes from, for the message

    Raises
    ------
    InvalidArgument
        For the first fault: the step or result, the field, what it got and what it wants.

    Examples
    --------
    >>> check_types(Paper("mine", "Mine", (), (Step("a", reading=3),)), "mine.py")
    Traceback (most recent call last):
        ...
    dpcheck.InvalidArgument: mine.py: step a: reading must be text, got 3
    """
    _check_entry(paper, Paper, f"{name}: PAPER", name)


def _check_entry(entry: Any, kind: type, where: str, file: str) -> None:
    for field in _NOT_BLANK.get(kind, ()):
        value = getattr(entry, field)
        if not isinstance(value, str) or not value.strip():
            raise InvalidArgument(f"{where}: {field} must be text, got {_shown(value)}")
    # A formula is a key of tables, and a derivation too, which a list cannot be part of.
    sequence = tuple if kind in (Claim, Derivation, Line, Given) else (tuple, list)
    for field, wanted, default in _fields(kind):
        value = getattr(entry, field)
        if value is not default and type(value) is not wanted:
            _check(value, wanted, f"{where}: {field}", file, sequence)


def _check(value: Any, kind: Any, where: str, file: str, sequence: Any) -> None:
    """Refuse a value that is not of the type; ``sequence`` is what may stand where the type says tuple."""
    if not _is(value, kind, sequence):
        hint = ""
        if get_origin(kind) is tuple and get_args(kind)[-1] is ... and _is(value, get_args(kind)[0], sequence):
            hint = "; one alone is written with a comma after it: (...,)"
        elif get_origin(kind) is Literal and isinstance(value, str):
            hint = nearest(value, get_args(kind))
        raise InvalidArgument(f"{where} must be {_words(kind)}, got {_shown(value)}{hint}")
    if isinstance(value, sequence):
        inside = get_args(kind)[0]
        for number, each in enumerate(value):
            if inside is not str or type(each) is not str:
                _check(each, inside, _place(each, where, number, file), file, sequence)
    for each in get_args(kind) or (kind,):
        if isinstance(each, type) and dataclasses.is_dataclass(each) and isinstance(value, each):
            _check_entry(value, each, where, file)


def _shown(value: Any) -> str:
    """A stranger's value in a message, whatever its ``__repr__`` does; of one of dpcheck's classes its name says it."""
    try:
        if isinstance(value, type):
            return f"the class {value.__name__}"
        if dataclasses.is_dataclass(value) or callable(value):
            return f"a {type(value).__name__}"
        return one_line(repr(value))[:_LONGEST]
    except BaseException:
        return "what cannot be shown"


def _is(value: Any, kind: Any, sequence: Any) -> bool:
    """Whether a value is of a type, whatever is inside it."""
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return any(_is(value, each, sequence) for each in inside)
    if origin is Literal:
        return isinstance(value, str) and value in inside
    if origin is tuple:
        return isinstance(value, sequence) and (inside[-1] is ... or len(value) == len(inside))
    if origin is Callable:
        return callable(value)
    return isinstance(value, kind)


def _place(value: Any, where: str, number: int, file: str) -> str:
    """How messages call one of several: a step by its label, a result by its id, all else by its number."""
    for kind, (field, word) in _NAMED.items():
        name = getattr(value, field) if isinstance(value, kind) else None
        if isinstance(name, str) and name.strip():
            return f"{file}: {word}{name}"
    return f"{where}[{number}]"


def _words(kind: Any) -> str:
    origin, inside = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return " or ".join(_words(each) for each in inside)
    if origin is Literal:
        return "one of " + ", ".join(map(repr, inside))
    if origin is tuple:
        of = "texts" if inside[0] is str else "pairs" if get_origin(inside[0]) is tuple else inside[0].__name__
        return f"a tuple of {of}" if inside[-1] is ... else f"a pair of {of}"
    if origin is Callable:
        return "a function"
    named = {str: "text", bool: "True or False", type(None): "None", statement.Erratum: "an Erratum"}
    return named.get(kind) or f"a {kind.__name__}"


@cache
def _fields(kind: type) -> tuple[tuple[str, Any, Any], ...]:
    """The fields of a class, their types and defaults."""
    hints = get_type_hints(kind, vars(statement) | _RETURNED)
    return tuple((field.name, hints[field.name], field.default) for field in dataclasses.fields(kind))
