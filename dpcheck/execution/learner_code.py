"""Which learner it is: a digest of its code and settings, the same in every process, another where they were edited."""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Iterator
from functools import lru_cache, partial
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from dpcheck.execution.made_code import digest_of, functions_behind, names_read
from dpcheck.execution.own_generators import is_foreign, members_of, plain_attributes
from dpcheck.model.learner import Target

_KeepsAnswers = type(lru_cache(len))
#: What cannot change while it is held, and says itself what it is.
_PLAIN = frozenset((int, float, complex, str, bytes, bool, type(None)))
#: What is code, of a module's names.
_MADE_OF_CODE = (FunctionType, partial, ModuleType, BuiltinFunctionType, _KeepsAnswers)
#: So many parts of a learner are looked at; of what is beyond them nothing is said.
MOST_PARTS = 5_000


def digest_of_learner(target: Target) -> str:
    """Of its code, and of the functions, classes and constants of its module that this names; of its settings.

    Of libraries only the names count. Left out is what may change while a learner is called: generators, and global
    lists and tables.

    Examples
    --------
    >>> from dpcheck.model.learner import as_target
    >>> one, same, other = (as_target(eval(code)) for code in (
    ...     "lambda data, rng: sum(data)", "lambda data, rng: sum(data)", "lambda data, rng: data[0]"))
    >>> digest_of_learner(one) == digest_of_learner(same), digest_of_learner(one) == digest_of_learner(other)
    (True, False)
    """
    parts = _Parts()
    parts.see(target.original)
    parts.see(dict(target.options))
    return parts.hashed.hexdigest()


class _Parts:
    """The parts of a learner in the order in which they are met, each once."""

    def __init__(self) -> None:
        self.hashed = hashlib.blake2b(digest_size=16)
        self.places: dict[int, int] = {}
        self.kept: list[Any] = []  # else another part could get the address of one that is gone

    def see(self, found: Any) -> None:
        """Take in a part, and what it is made of."""
        waiting = [iter((found,))]
        while waiting and len(self.places) < MOST_PARTS:
            part = next(waiting[-1], self)
            if part is self:
                waiting.pop()
            elif _is_plain(part):
                self.say(type(part).__name__, repr(part))
            elif id(part) in self.places:
                self.say("again", str(self.places[id(part)]))
            else:
                self.places[id(part)] = len(self.places)
                self.kept.append(part)
                waiting.append(self.within(part))

    def say(self, *words: str) -> None:
        self.hashed.update("\0".join((*words, "")).encode("utf-8", "surrogatepass"))

    def within(self, part: Any) -> Iterator[Any]:
        kind = type(part)  # not isinstance, which asks the object for its class
        self.say(str(kind.__module__), kind.__qualname__)
        if kind is FunctionType:
            return self.of_function(part)
        if kind is MethodType:
            return iter((part.__func__, part.__self__))
        if kind is partial:
            return iter((part.func, *part.args, part.keywords))
        if issubclass(kind, type):
            return self.of_class(part)
        if kind in (ModuleType, BuiltinFunctionType):
            self.say(part.__name__)
        elif kind is np.ndarray and not part.dtype.hasobject:
            self.say(str(part.dtype), str(part.shape), hashlib.blake2b(part.tobytes()).hexdigest())
        elif issubclass(kind, set | frozenset):
            self.say(*sorted(repr(one) for one in members_of(part) if _is_plain(one)))
        elif issubclass(kind, list | tuple | dict):
            return iter(members_of(part))
        elif kind is _KeepsAnswers:
            return iter((part.__wrapped__,))
        elif not is_foreign(kind.__module__):
            attributes = plain_attributes(part)
            return iter((kind, attributes) if attributes is not None else gc.get_referents(part))
        return iter(())

    def of_function(self, function: FunctionType) -> Iterator[Any]:
        self.say(str(function.__module__), function.__qualname__)
        if is_foreign(function.__module__):
            return iter(())
        self.say(digest_of(function.__code__))
        cells = [_held(cell) for cell in function.__closure__ or ()]
        return iter((*_named(function), *cells, function.__defaults__, function.__kwdefaults__))

    def of_class(self, kind: type) -> Iterator[Any]:
        self.say(str(kind.__module__), kind.__qualname__)
        if is_foreign(kind.__module__):
            return iter(())
        members = [(name, member) for name, member in sorted(vars(kind).items()) if name not in _OF_EVERY_CLASS]
        made = [one for _, member in members for one in functions_behind(member)]
        plain = [one for name, member in members if _is_plain(member) for one in (name, member)]
        return iter((*made, *plain, *kind.__bases__))


#: Members that say where a class was written, and what it says of itself.
_OF_EVERY_CLASS = ("__module__", "__doc__", "__dict__", "__weakref__", "__firstlineno__")


def _named(function: FunctionType) -> Iterator[Any]:
    """What the code of a function names of its module, but for what may change while it is held."""
    code: CodeType = function.__code__
    for name in names_read(code):
        held = function.__globals__.get(name, function)
        if _is_plain(held):
            yield from (name, held)
        elif held is not function and (type(held) in _MADE_OF_CODE or issubclass(type(held), type)):
            yield held


def _is_plain(part: Any) -> bool:
    return type(part) in _PLAIN or (issubclass(type(part), np.generic) and type(part).__module__ == "numpy")


def _held(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None
