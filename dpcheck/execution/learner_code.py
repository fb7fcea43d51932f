"""Which learner it is: a digest of its code and settings, the same in every process, another where they were edited."""

from __future__ import annotations

import dis
import gc
import hashlib
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache, partial, partialmethod
from pathlib import PurePath
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from dpcheck.execution.made_code import digest_of, functions_behind, names_read
from dpcheck.execution.own_generators import is_foreign, plain_attributes
from dpcheck.model.learner import Target

#: What says by its text what it is, and runs nothing of a learner's for it.
_PLAIN = frozenset((int, float, complex, str, bytes, bytearray, bool, type(None), range, type(Ellipsis))) | frozenset(
    (Decimal, Fraction, date, time, timedelta)
)
_KeepsAnswers = type(lru_cache(len))
#: Of a module's names those that are code, and containers that nothing changes.
_KEPT_AS_THEY_ARE = (FunctionType, partial, ModuleType, BuiltinFunctionType, _KeepsAnswers, np.ufunc, tuple, frozenset)
#: So many parts of a learner are looked at, and so many numbers of an array; of what is beyond them nothing is said.
MOST_PARTS, MOST_NUMBERS = 100_000, 1_000_000
#: Members that say where a class was written, and what it says of itself.
_OF_EVERY_CLASS = ("__module__", "__doc__", "__dict__", "__weakref__", "__firstlineno__")
_STORED = frozenset(("STORE_GLOBAL", "STORE_DEREF", "DELETE_GLOBAL", "DELETE_DEREF"))


def digest_of_learner(target: Target) -> str:
    """Of its code, and of the functions, classes and constants of its module that this names; of its settings.

    Of libraries that are known as such only names and settings count. Left out is what may change while a learner is
    called: generators, what functions store, lists and tables that they keep. Empty where it cannot be said.

    Examples
    --------
    >>> from dpcheck.model.learner import as_target
    >>> one, same, other = (as_target(eval(f"lambda data, rng: {code}", {"__name__": "mine"})) for code in (
    ...     "sum(data)", "sum(data)", "data[0]"))
    >>> digest_of_learner(one) == digest_of_learner(same), digest_of_learner(one) == digest_of_learner(other)
    (True, False)
    """
    parts = _Parts()
    try:
        parts.see((target.original, dict(target.options)))
    except Exception:  # a stranger's objects may be anything
        return ""
    return parts.hashed.hexdigest()


class _Parts:
    """The parts of a learner in the order in which they are met, each once; short ones before what is in long ones."""

    def __init__(self) -> None:
        self.hashed = hashlib.blake2b(digest_size=16)
        self.met: set[int] = set()
        self.kept: list[Any] = []  # else another part could get the address of one that is gone
        self.seen = 0

    def see(self, found: Any) -> None:
        """Take in a part, and what it is made of."""
        waiting = deque([iter((found,))])
        while waiting and self.seen < MOST_PARTS:
            for part in waiting.popleft():
                self.seen += 1
                if _is_plain(part):
                    self.say(*_named_as(type(part)), repr(part))
                elif id(part) in self.met:
                    self.say("again")
                else:
                    self.met.add(id(part))
                    self.kept.append(part)
                    waiting.append(self.within(part))
                if self.seen >= MOST_PARTS:
                    self.say("cut")
                    break

    def say(self, *words: str) -> None:
        self.hashed.update("\0".join((*words, "")).encode("utf-8", "surrogatepass"))

    def within(self, part: Any) -> Iterator[Any]:
        kind = type(part)  # not isinstance, which asks the object for its class
        module, name = _named_as(kind)
        self.say(module, name)
        if kind is FunctionType:
            return self.of_function(part)
        if kind is MethodType:
            return iter((part.__func__, part.__self__))
        if issubclass(kind, partial):
            return iter((partial.func.__get__(part), *partial.args.__get__(part), partial.keywords.__get__(part)))
        if issubclass(kind, type):
            return self.of_class(part)
        if kind is ModuleType:
            named = object.__getattribute__(part, "__dict__").get("__name__")
            return iter((named if type(named) is str else "",))
        if kind in (BuiltinFunctionType, np.ufunc):
            return iter((part.__name__,))
        if kind is _KeepsAnswers:
            return iter((part.__wrapped__,))
        return iter((*self.held(part, kind), *self.beside(part, kind, module)))

    def held(self, part: Any, kind: type) -> Sequence[Any]:
        """What a container holds, by its own type even where a subclass says otherwise."""
        if issubclass(kind, np.ndarray):
            plain = np.ndarray.view(part, np.ndarray)
            if plain.dtype.hasobject:
                return plain.reshape(-1).tolist()
            some = plain.reshape(-1)[:: max(1, plain.size // MOST_NUMBERS)]
            fields = [some[field] for field in plain.dtype.names] if plain.dtype.names else [some]
            self.say(
                str(plain.dtype), str(plain.shape), *(hashlib.blake2b(one.tobytes()).hexdigest() for one in fields)
            )
        elif issubclass(kind, set | frozenset):
            base: Any = set if issubclass(kind, set) else frozenset
            self.say(*sorted(repr(one) for one in base.__iter__(part) if _is_plain(one)))
        elif issubclass(kind, dict):
            return [one for item in dict.items(part) for one in item]
        else:
            for sequence in (list, tuple, deque):
                if issubclass(kind, sequence):
                    return list(sequence.__iter__(part))
        return ()

    def beside(self, part: Any, kind: type, module: str) -> Sequence[Any]:
        """Of an object its class and its attributes; of a library's those of them that are settings."""
        attributes = plain_attributes(part)
        if module == "builtins":
            return ()
        if _is_of_a_library(module) and module.partition(".")[0] != "dpcheck":
            return [
                one for item in sorted((attributes or {}).items(), key=_first) if _is_plain(item[1]) for one in item
            ]
        if attributes is not None:
            return (kind, *(one for item in sorted(attributes.items(), key=_first) for one in item))
        return (kind, *(one for one in gc.get_referents(part) if one is not kind))

    def of_function(self, function: FunctionType) -> Iterator[Any]:
        self.say(str(function.__module__), function.__qualname__)
        if _is_of_a_library(function.__module__):
            return iter(())
        self.say(digest_of(function.__code__))
        stored = _stored(function.__code__)
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        held = [_held(cell) for name, cell in cells if name not in stored]
        given = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
        return iter((*_named(function, stored), *held, *(one for one in given if type(one) not in (list, dict, set))))

    def of_class(self, kind: type) -> Iterator[Any]:
        module, name = _named_as(kind)
        self.say(module, name)
        if _is_of_a_library(module):
            return iter(())
        members = type.__dict__["__dict__"].__get__(kind).items()
        named = sorted(item for item in members if type(item[0]) is str and item[0] not in _OF_EVERY_CLASS)
        made = [one for _, member in named for one in (*functions_behind(member), *_behind(member))]
        plain = [one for name, member in named if _is_constant(member) for one in (name, member)]
        return iter((*made, *plain, *type.__dict__["__bases__"].__get__(kind)))


def _named_as(kind: type) -> tuple[str, str]:
    """Where a class says it was made, and its name, without asking its metaclass."""
    module = type.__dict__["__module__"].__get__(kind)
    return module if type(module) is str else "", type.__dict__["__qualname__"].__get__(kind)


def _is_of_a_library(module: Any) -> bool:
    return type(module) is str and is_foreign(module)


def _first(item: tuple[Any, Any]) -> str:
    return item[0] if type(item[0]) is str else ""


def _named(function: FunctionType, stored: frozenset[str]) -> Iterator[Any]:
    """What the code of a function names of its module, but for what may change while it is held."""
    for name in names_read(function.__code__):
        if name in function.__globals__ and name not in stored:
            value = function.__globals__[name]
            if _is_constant(value) or type(value) in _KEPT_AS_THEY_ARE or issubclass(type(value), type):
                yield from (name, value)


def _behind(member: Any) -> list[Any]:
    """What a member of a class is made of that is no function of its own."""
    if type(member) is _KeepsAnswers:
        return [member.__wrapped__]
    if type(member) is partialmethod:
        return [member.func, *member.args, member.keywords]
    if type(member) in (staticmethod, classmethod) and type(member.__func__) is not FunctionType:
        return [member.__func__]
    return []


def _stored(code: CodeType) -> frozenset[str]:
    """The names outside itself that code sets, and the functions that it makes."""
    inner = [constant for constant in code.co_consts if type(constant) is CodeType]
    own = {step.argval for step in dis.get_instructions(code) if step.opname in _STORED}
    return frozenset(own.union(*(_stored(one) for one in inner)))


def _is_plain(part: Any) -> bool:
    kind = type(part)
    if kind in _PLAIN:
        return True
    if issubclass(kind, np.generic) and not issubclass(kind, np.void):
        return _named_as(kind)[0] == "numpy"
    return issubclass(kind, PurePath) and _named_as(kind)[0] == "pathlib"


def _is_constant(value: Any) -> bool:
    return _is_plain(value) or type(value) in (tuple, frozenset)


def _held(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not filled yet
        return None
