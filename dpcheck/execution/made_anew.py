"""A learner made anew by its class: what that draws when it makes one is drawn again, what it was given stays."""

from __future__ import annotations

import copy
import inspect
import time
from collections.abc import Iterator, Sized
from dataclasses import dataclass, replace
from itertools import islice, product
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from dpcheck.execution.made_code import names_read
from dpcheck.execution.packed_code import packed_with_code
from dpcheck.model.learner import Target

#: Of so many choices of arguments for a class one must make such a learner.
MOST_TRIED = 50
#: Its class is called no more after so many seconds.
MOST_SECONDS = 2.0
#: Longest length that is tried as an argument.
LONGEST = 100_000
#: Names that say that files, other processes or the network may be touched.
_OUTSIDE = frozenset({
    "open", "fdopen", "close", "dup2", "Path", "pathlib", "shutil", "socket", "subprocess", "sqlite3", "connect", "run",
    "requests", "urllib", "tempfile", "logging", "FileHandler", "save", "savez", "savetxt", "dump", "to_csv", "write",
    "mkdir", "makedirs", "remove", "unlink", "rename", "replace", "rmdir", "chmod", "system", "Popen", "kill",
})  # fmt: skip
#: Slots that hold nothing of its own.
_NO_VALUES = ("__dict__", "__weakref__")
#: An argument keeps its default.
_KEPT = object()


@dataclass(frozen=True)
class MadeAnew:
    """A factory of the learners of a target whose learner is an object: see :func:`made_anew`."""

    target: Target

    def __call__(self) -> Any:
        """A fresh learner that holds what its class draws, drawn again."""
        return replace(self.target, original=made_anew(self.target.original)).make()


def is_an_object(target: Target) -> bool:
    """Whether its learner is an object that a class has made, or a method of one, not a function or a factory."""
    functions = (type, FunctionType, BuiltinFunctionType)
    return not target.is_factory and not isinstance(target.original, functions)


def made_anew(learner: Any) -> Any:
    """A learner like this one, with attributes that its class draws drawn again; itself where it is not to be had.

    The class is called twice, with the attributes that have the names of its arguments; for an argument that has none,
    real numbers and lengths that it holds are tried, where making one touches nothing outside. Attributes in which the
    two differ are drawn; the others must be those of ``learner``, for else it was not made so, or was changed
    afterwards.

    Examples
    --------
    >>> import os
    >>> class Keyed:
    ...     def __init__(self, scale=1.0):
    ...         self.scale, self.key = scale, os.urandom(8)
    >>> keyed = Keyed(2.0)
    >>> again = made_anew(keyed)
    >>> again.scale, again.key == keyed.key
    (2.0, False)
    >>> keyed.shift = 5
    >>> made_anew(keyed).key == keyed.key  # no class made that
    True
    """
    if isinstance(learner, MethodType):
        anew = made_anew(learner.__self__)
        return learner if anew is learner.__self__ else MethodType(learner.__func__, anew)
    until = time.monotonic() + MOST_SECONDS
    try:
        for given in islice(_given(learner), MOST_TRIED):
            drawn = _drawn(learner, given)
            if drawn:
                anew = copy.copy(learner)
                for name, value in drawn.items():
                    object.__setattr__(anew, name, value)
                return anew
            if time.monotonic() > until:
                return learner
    except Exception:  # whatever a stranger's attributes raise
        return learner
    return learner


def _attributes(learner: Any) -> dict[str, Any]:
    """What it holds by name, in slots too."""
    named = [vars(kind).get("__slots__", ()) for kind in type(learner).__mro__]
    slots = dict.fromkeys(name for some in named for name in ((some,) if isinstance(some, str) else some))
    held = {name: getattr(learner, name) for name in slots if name not in _NO_VALUES and hasattr(learner, name)}
    return held | getattr(learner, "__dict__", {})


def _drawn(learner: Any, given: dict[str, Any]) -> dict[str, Any]:
    """What its class draws, drawn again, where it makes such a learner of these arguments; else nothing."""
    held = _attributes(learner)
    try:
        one, other = _attributes(type(learner)(**given)), _attributes(type(learner)(**given))
    except Exception:  # whatever a stranger's class raises
        return {}
    if not set(one) == set(other) == set(held):
        return {}
    drawn = [name for name in held if packed_with_code(one[name]) != packed_with_code(other[name])]
    if any(_length(one[name]) != _length(held[name]) for name in drawn):
        return {}
    if any(packed_with_code(one[name]) != packed_with_code(held[name]) for name in held if name not in drawn):
        return {}
    return {name: one[name] for name in drawn}


def _given(learner: Any) -> Iterator[dict[str, Any]]:
    """Arguments of its class by name, likelier ones first; those that have a default may keep it."""
    held = _attributes(learner)
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = [some for some in inspect.signature(type(learner)).parameters.values() if some.kind in by_name]
    named = {some.name: held[some.name] for some in parameters if some.name in held}
    others = [some for some in parameters if some.name not in held]
    lengths = dict.fromkeys(_length(value) for value in held.values())
    # texts may be files, and whole numbers anything: of those only lengths, and where nothing outside is named
    numbers = [value for name, value in held.items() if name not in named and type(value) is float]
    values = [*numbers, *(some for some in lengths if 0 < some <= LONGEST)] if _keeps_to_itself(type(learner)) else []
    choices = [[*([_KEPT] if some.default is not some.empty else []), *values] for some in others]
    for chosen in product(*choices):
        yield named | {some.name: value for some, value in zip(others, chosen, strict=True) if value is not _KEPT}


def _keeps_to_itself(kind: type) -> bool:
    """Whether the code that makes an object of a class names nothing that reaches outside its process."""
    made = [vars(some).get("__init__") for some in kind.__mro__]
    named = {name for function in made if isinstance(function, FunctionType) for name in names_read(function.__code__)}
    return not named & _OUTSIDE


def _length(value: Any) -> int:
    return len(value) if isinstance(value, Sized) else 0
