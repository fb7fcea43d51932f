"""Functions that dpcheck's own work rests on, and a learner that replaces them in the process that both are in.

These are, by one rule: what dpcheck's loaded modules hold (functions, classes and what these hold, constants), and what
their code uses of the modules that they import; of the few modules of ``_WHOLE``, all.
"""

from __future__ import annotations

import builtins
import copy
import hashlib
import json
import math
import pickle
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

#: Modules whose functions and classes must all stay what they are: what dpcheck calls calls more of them.
_WHOLE: tuple[ModuleType, ...] = (np, np.random, np.linalg, builtins, copy, hashlib, json, math, pickle, random)
#: Those that people replace without any harm to dpcheck's work: what is printed, read and shown.
_FREE = frozenset({"print", "input", "open", "exit", "quit", "help", "breakpoint", "_", "__import__"})
#: Rooms of learners, on which no audit rests; and the room in which learners are run.
_LEARNERS = ("dpcheck.parts.", "dpcheck.papers.")
_NEAR = "dpcheck.execution."
#: What libraries replace, whoever imports them, by functions that answer alike for all but their own objects.
_OF_LIBRARIES = frozenset({("inspect", "getfile", "torch.package.package_importer")})
#: What a class holds that Python itself writes.
_WRITTEN = frozenset({"__doc__", "__annotations__", "__dict__", "__weakref__", "__abstractmethods__", "__module__"})
#: So many are named.
_MOST_NAMED = 3


@dataclass(frozen=True)
class _Rule:
    """What is guarded: dpcheck's modules, their classes, the code of their functions, and what that uses of others."""

    own: tuple[ModuleType, ...] = ()
    classes: tuple[type, ...] = ()
    codes: tuple[tuple[FunctionType, CodeType, Any, Any], ...] = ()
    used: tuple[tuple[ModuleType, str], ...] = ()


@dataclass(frozen=True)
class _Holdings:
    """What the modules and classes of a rule hold, as it is at any time, and as it was when this was made."""

    rule: _Rule
    now: list[Any]
    then: list[dict[str, Any]]


#: By whether it is that of the room of execution alone: the rule, and what was held when it was looked at last.
_rules: dict[bool, _Rule] = {}
#: How many modules were loaded when the rule was found.
_modules: dict[bool, int] = {}
_last: dict[bool, _Holdings] = {}


class Originals:
    """The functions and classes as they are when this is made (grows by those that are loaded later).

    ``near``: those of the room in which learners are run alone, beside the modules of others, which takes little time.
    """

    def __init__(self, *, near: bool = False) -> None:
        rule = _rule_now(near)
        self._rule = rule
        self._loaded = {module.__name__: module for module in (*_WHOLE, *rule.own)}
        self._holdings = _holdings(rule, near)
        then = self._holdings.then
        self._kept = list(zip(self._loaded.values(), then, strict=False))
        self._classes = list(zip(rule.classes, then[len(self._kept) :], strict=True))
        self._used = [(module, name, vars(module).get(name)) for module, name in rule.used]

    def put_back(self) -> tuple[str, ...]:
        """Put back what was replaced since, and return the names.

        >>> originals = Originals()
        >>> before, np.tril = np.tril, None
        >>> originals.put_back(), np.tril is before
        (('numpy.tril',), True)
        """
        found = []
        for name, module in self._loaded.items():
            if sys.modules.get(name) is not module:  # what is imported next would fail, or be another module
                sys.modules[name] = module
                found.append(f"the module {name}")
        if not _same(self._holdings.now, self._holdings.then):
            found += self._put_back_held()
        found += self._put_back_code()
        for module, name, original in self._used:
            if vars(module).get(name) is not original and not _of_a_library(module, name):
                vars(module)[name] = original
                found.append(f"{module.__name__}.{name}")
        return tuple(dict.fromkeys(found))

    def _put_back_held(self) -> list[str]:
        """Put back what modules and classes held."""
        found = []
        for module, kept in self._kept:
            space = vars(module)
            if _same(space, kept):  # of one object with itself nothing is compared: this takes microseconds
                continue
            for name, original in list(kept.items()):
                if _guarded(module, name, original) and space.get(name) is not original:
                    space[name] = original
                    found.append(f"{module.__name__}.{name}")
            kept.update({name: value for name, value in space.items() if name not in kept or not callable(kept[name])})
        for kind, held in self._classes:
            if _same(vars(kind), held):
                continue
            for name, original in held.items():
                if name not in _WRITTEN and vars(kind).get(name) is not original:
                    type.__setattr__(kind, name, original)
                    found.append(f"{kind.__module__}.{kind.__qualname__}.{name}")
        return found

    def _put_back_code(self) -> list[str]:
        """Put back the code of functions."""
        found = []
        for function, code, defaults, named in self._rule.codes:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                function.__code__, function.__defaults__, function.__kwdefaults__ = code, defaults, named
                found.append(f"{function.__module__}.{function.__qualname__}")
        return found


def _rule_now(near: bool) -> _Rule:
    """The rule for the modules that are loaded now; found out anew only where there are more of them."""
    loaded = len(sys.modules)
    if near in _rules and _modules.get(near) == loaded:
        return _rules[near]
    _modules[near] = loaded
    own = tuple(
        module
        for name, module in list(sys.modules.items())
        if name.startswith(_NEAR if near else "dpcheck.")
        and not name.startswith(_LEARNERS)
        and type(module) is ModuleType
    )
    if near not in _rules or own != _rules[near].own:
        looked = [_looked(module) for module in own]
        _rules[near] = _Rule(
            own,
            tuple(kind for kinds, _, _ in looked for kind in kinds),
            tuple((f, f.__code__, f.__defaults__, f.__kwdefaults__) for _, functions, _ in looked for f in functions),
            _used_by(own, [names for _, _, names in looked]),
        )
    return _rules[near]


def _of_a_library(module: ModuleType, name: str) -> bool:
    """Whether a function is what a known library puts there."""
    found = vars(module).get(name)
    by = getattr(found, "__module__", "")
    return (module.__name__, name, by) in _OF_LIBRARIES and vars(sys.modules.get(by, module)).get(
        getattr(found, "__name__", "")
    ) is found


def _guarded(module: ModuleType, name: str, value: Any) -> bool:
    """Whether a name of a module must stay: functions and classes, of dpcheck's own also constants and modules."""
    if module in _WHOLE:
        return callable(value) and name not in _FREE
    return not name.startswith("__") and (callable(value) or name.isupper() or isinstance(value, ModuleType))


def _holdings(rule: _Rule, near: bool) -> _Holdings:
    """What all modules and classes of a rule hold now."""
    known = _last.get(near)
    if known is None or known.rule is not rule or not _same(known.now, known.then):
        now = [vars(holder) for holder in (*_WHOLE, *rule.own, *rule.classes)]
        known = _last[near] = _Holdings(rule, now, [dict(space) for space in now])
    return known


def _same(space: Any, kept: Any) -> bool:
    try:
        return bool(space == kept)
    except Exception:  # two arrays cannot be compared so: they are two, where one was
        return False


def _looked(module: ModuleType) -> tuple[tuple[type, ...], tuple[FunctionType, ...], frozenset[str]]:
    """A module's own classes and functions, and the names that their code uses."""
    values = list(vars(module).values())
    kinds = tuple(v for v in values if isinstance(v, type) and v.__module__ == module.__name__)
    functions = [v for v in values if type(v) is FunctionType]
    for kind in kinds:
        for held in vars(kind).values():
            inner = getattr(held, "__func__", None) or getattr(held, "fget", None) or held
            if type(inner) is FunctionType:
                functions.append(inner)
    own = tuple(function for function in functions if function.__module__ == module.__name__)
    names = frozenset(name for function in own for code in _codes(function.__code__) for name in code.co_names)
    return kinds, own, names


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _used_by(own: Sequence[ModuleType], names: Sequence[frozenset[str]]) -> tuple[tuple[ModuleType, str], ...]:
    """What the code of dpcheck's modules uses of the other modules that they hold, where it can be called."""
    used: dict[tuple[str, str], tuple[ModuleType, str]] = {}
    whole = {module.__name__ for module in _WHOLE}
    for module, names_used in zip(own, names, strict=True):
        for other in list(vars(module).values()):
            if type(other) is not ModuleType or other.__name__ in whole or other.__name__.startswith("dpcheck"):
                continue
            for name in names_used & vars(other).keys():
                if callable(vars(other)[name]):
                    used[other.__name__, name] = other, name
    return tuple(used.values())


def words_of_replaced(names: tuple[str, ...]) -> str:
    """What is said of a learner that replaced these.

    >>> words_of_replaced(("numpy.sum", "numpy.exp")).partition(" for ")[0]
    'replaces numpy.exp, numpy.sum'
    """
    shown = sorted(names)[:_MOST_NAMED]
    more = len(names) - len(shown)
    listed = ", ".join(shown) + (f" and {more} more" if more else "")
    return (
        f"replaces {listed} for the whole process, which dpcheck's own work rests on: nothing that it measures beside "
        "that could be believed; give the function of your own another name"
    )
