"""The numbers and texts that stand in a learner's code and settings: what it treats apart, it most often names."""

from __future__ import annotations

import dis
import gc
import math
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from itertools import islice
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from dpcheck.execution.made_code import functions_behind, names_read
from dpcheck.execution.own_generators import is_foreign, plain_attributes
from dpcheck.model.learner import Target

#: So many different numbers are told, and so many texts: the first that are met.
MOST_NUMBERS, MOST_TEXTS = 64, 1000
#: So many objects are looked at, and so many members of each container; none of larger sets, which must be sorted.
MOST_OBJECTS, MOST_MEMBERS, LARGEST_SET = 2000, 200, 10_000
#: Characters of a text that is a number.
LONGEST_NUMBER = 40
_KeepsAnswers = type(lru_cache(len))
_CONTAINERS = (list, tuple, set, frozenset, deque, dict)


def constants_of_learner(target: Target) -> tuple[int | float | str, ...]:
    """The numbers and texts of a learner's code and settings, each once, those of code and of attributes first.

    Looked at are its functions and classes, what they name of its modules, and what it holds; of libraries nothing,
    nor of long arrays. Numbers are finite and no truth values, texts of numbers are both. Nothing is called.

    Examples
    --------
    >>> from dpcheck.model.learner import as_target
    >>> code = "lambda data, rng, low=0.5: [x for x in data if x not in (-999, 'no') and x > low]"
    >>> sorted(constants_of_learner(as_target(eval(code, {"__name__": "mine"}))), key=str)
    [-999, 0.5, 'no']
    """
    found = _Constants()
    with suppress(Exception):  # a stranger's objects may be anything: what was met is told
        found.look(target.original, *target.options.values())
    numbers = dict.fromkeys(
        (*found.near, *(number for number in found.held if isinstance(number, int) or math.isfinite(number)))
    )
    return (*islice(numbers, MOST_NUMBERS), *islice(found.texts, MOST_TEXTS))


class _Constants:
    """Constants in the order in which they are met: ``near`` are numbers of their own, ``held`` those of containers."""

    def __init__(self) -> None:
        self.near: dict[int | float, None] = {}
        self.held: dict[int | float, None] = {}
        self.texts: dict[str, None] = {}
        self.met: set[int] = set()
        self.waiting: deque[Any] = deque()

    def look(self, *parts: Any) -> None:
        """Take in objects, and what they are made of."""
        self.take(parts, self.near)
        while self.waiting and len(self.met) < MOST_OBJECTS:
            part = self.waiting.popleft()
            if id(part) not in self.met:  # all are held by the learner meanwhile
                self.met.add(id(part))
                self.take_apart(part)

    def take(self, parts: Iterable[Any], numbers: dict[int | float, None]) -> None:
        """Tell of what is plain, and have the others wait."""
        for part in parts:
            kind = type(part)  # not isinstance, which asks the object for its class
            if issubclass(kind, np.generic) and kind.__module__ == "numpy" and part.dtype.kind in "iufU":
                part = part.item()
                kind = type(part)
            if kind is str:
                self.texts[part] = None
                with suppress(ValueError):  # what is read from text
                    self.held[float(part[:LONGEST_NUMBER])] = None
            elif kind is int or (kind is float and math.isfinite(part)):
                numbers[part] = None
            elif kind not in (bool, float, bytes, type(None)):
                self.waiting.append(part)

    def take_apart(self, part: Any) -> None:
        kind = type(part)
        if kind is FunctionType:
            if not is_foreign(part.__module__):
                self.take(_constants_in(part.__code__), self.near)
                self.take(_named(part), self.near)
        elif kind is MethodType:
            self.take((part.__func__, part.__self__), self.near)
        elif kind is _KeepsAnswers:
            self.take((part.__wrapped__,), self.near)
        elif issubclass(kind, partial):
            own = (partial.func.__get__(part), *partial.args.__get__(part), *partial.keywords.__get__(part).values())
            self.take(own, self.near)
        elif issubclass(kind, type):
            if not is_foreign(type.__dict__["__module__"].__get__(part)):
                self.take(_of_class(part), self.near)
        elif issubclass(kind, _CONTAINERS):
            self.take(_members(part, kind), self.held)
            if kind not in _CONTAINERS:
                self.take(_attributes(part), self.near)
        elif issubclass(kind, np.ndarray):
            if kind is np.ndarray and part.dtype.kind in "iuf" and part.size <= MOST_MEMBERS:
                self.take(part.reshape(-1).tolist(), self.held)
        elif kind is not ModuleType and not is_foreign(type.__dict__["__module__"].__get__(kind)):
            self.take((*_attributes(part), kind), self.near)


def _constants_in(code: CodeType) -> Iterator[Any]:
    """What stands in code, and in the functions that it makes; members of tuples and of sets one by one."""
    waiting: deque[Any] = deque(code.co_consts)
    waiting.extend(step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_SMALL_INT")
    while waiting:
        constant = waiting.popleft()
        if type(constant) is CodeType:
            yield from _constants_in(constant)
        elif type(constant) in (tuple, frozenset):
            waiting.extend(_members(constant, type(constant)))
        else:
            yield constant


def _named(function: FunctionType) -> Iterator[Any]:
    """What a function is given, keeps from where it was made, and names of its module and of others of its user's."""
    yield from (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not filled yet
            continue
    names = names_read(function.__code__)
    for name in names:
        value = function.__globals__.get(name)
        if type(value) is not ModuleType:
            yield value
        elif not is_foreign(value.__name__):
            yield from (vars(value)[other] for other in names if other in vars(value))


def _of_class(kind: type) -> Iterator[Any]:
    for name, member in sorted(type.__dict__["__dict__"].__get__(kind).items(), key=lambda item: str(item[0])):
        if not (type(name) is str and name.startswith("__") and name != "__init__" and name != "__call__"):
            behind = functions_behind(member)
            yield from behind or (member,)
    yield from type.__dict__["__bases__"].__get__(kind)


def _members(part: Any, kind: type) -> list[Any]:
    """The first members of a container, by its own type even where a subclass says otherwise."""
    if issubclass(kind, dict):
        return [one for item in islice(dict.items(part), MOST_MEMBERS) for one in item]
    for unordered in (set, frozenset):
        if issubclass(kind, unordered):  # their order is that of this process
            plain = [one for one in islice(unordered.__iter__(part), LARGEST_SET + 1) if type(one) in (int, float, str)]
            if len(plain) > LARGEST_SET:
                return []
            return sorted(plain, key=lambda one: (str(type(one)), one))[:MOST_MEMBERS]
    base = next(one for one in (list, tuple, deque) if issubclass(kind, one))
    return list(islice(base.__iter__(part), MOST_MEMBERS))


def _attributes(part: Any) -> list[Any]:
    attributes = plain_attributes(part)
    if attributes is not None:
        return [value for _, value in sorted(attributes.items(), key=lambda item: str(item[0]))]
    return [one for one in gc.get_referents(part) if one is not type(part)]
