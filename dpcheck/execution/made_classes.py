"""Classes that a call makes on its way: what they hold is a part of the answer, unlike code that stands in a module."""

from __future__ import annotations

import functools
import hashlib
import sys
import types
from typing import Any

from dpcheck.execution.handover import DEEPEST_NESTING, MADE_BY_CODE, is_plain

#: What stands in the dictionary of every class, with or without its own words.
_OF_EVERY_CLASS = frozenset(("__module__", "__dict__", "__weakref__", "__doc__", "__firstlineno__"))
#: Names between double underscores that hold words and values of a class; the others are made from what is drawn.
_TOLD = frozenset(("__doc__", "__annotations__"))
#: What a class has for its slots and for what the interpreter does.
_OF_THE_INTERPRETER = (
    types.MemberDescriptorType,
    types.GetSetDescriptorType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    types.ClassMethodDescriptorType,
    types.BuiltinFunctionType,
)
_MRO = type.__dict__["__mro__"]
#: Where classes stand that name another module: by their identity, and looked up there each time.
_kept_in: dict[int, str] = {}


def made_by_code(kind: type) -> bool:
    """Whether a class statement or a call made a type, and not the interpreter.

    >>> made_by_code(dict), made_by_code(functools.cached_property)
    (False, True)
    """
    return bool(kind.__flags__ & MADE_BY_CODE)


def holds_memory(kind: type) -> bool:
    """Whether objects of a type, or of one that it comes of, have room that no attribute or slot stands for.

    What compiled code keeps there can only be asked for by its own words: not every compiled type is one that the
    interpreter made (:func:`made_by_code`).

    >>> holds_memory(list), holds_memory(type("Made", (), {})), holds_memory(type("Slotted", (), {"__slots__": "ab"}))
    (True, False, False)
    """
    for base in _MRO.__get__(kind)[:-1]:
        own = type.__dict__["__dict__"].__get__(base)
        slots = sum(type(member) is types.MemberDescriptorType for member in own.values()) if "__slots__" in own else 0
        told = tuple.__itemsize__ * (slots + ("__dict__" in own) + ("__weakref__" in own))
        if base.__basicsize__ - base.__base__.__basicsize__ > told or base.__itemsize__ != base.__base__.__itemsize__:
            return True
    return False


def at_home(kind: type) -> bool:
    """Whether a class is what its module has under its name, or built in: then it is code, and the same for all.

    >>> at_home(dict), at_home(type("Made", (), {}))
    (True, False)
    """
    if not made_by_code(kind):
        return True
    module = type.__dict__["__module__"].__get__(kind)
    if type(module) is not str:
        return False
    path = str.__str__(type.__dict__["__qualname__"].__get__(kind)).split(".")
    if _found(_kept_in.get(id(kind), module), path) is kind or _found(module, path) is kind:
        return True
    if "<locals>" in path:
        return False
    # a library may name another module of its own, which is loaded later or never
    package = module.partition(".")[0]
    for name in list(sys.modules):
        if (name == package or name.startswith(f"{package}.")) and _found(name, path) is kind:
            _kept_in[id(kind)] = name
            return True
    return False


def _found(module: str, path: list[str]) -> Any:
    """What stands under a path of names in a module that is loaded."""
    found: Any = sys.modules.get(module)
    for name in path:
        found = None if found is None else getattr(found, "__dict__", {}).get(name)
    return found


def parts_of_class(kind: type) -> list[tuple[str, Any]]:
    """What a class that is not at home holds, and so those that it comes of: data, words, functions that hold anything.

    Examples
    --------
    >>> parts_of_class(type("Made", (), {"slope": 0.5}))
    [('(class).slope', 0.5)]
    >>> parts_of_class(dict)
    []
    """
    if at_home(kind):
        return []
    found: list[tuple[str, Any]] = []
    for number, base in enumerate(_made(_MRO.__get__(kind))):
        found += _held(base, "(class)" if number == 0 else f"(class {number})")
    for base in _made(_MRO.__get__(type(kind))):
        found += _held(base, "(metaclass)")
    return found


def said_of_class(kind: type) -> str:
    """The module that a class says it is of, where it is not there, and a digest of its code; else nothing.

    >>> said_of_class(dict)
    ''
    """
    module = type.__dict__["__module__"].__get__(kind)
    if at_home(kind) or type(module) is not str:
        return ""
    own = type.__dict__["__dict__"].__get__(kind)
    names = sorted(name for name in own if type(name) is str and name not in _OF_EVERY_CLASS)
    codes = [
        code_of(part.__code__)
        for name in names
        for _, part in _behind(name, own[name])
        if type(part) is types.FunctionType
    ]
    digest = hashlib.blake2b(b"\0".join([repr(names).encode("utf-8", "replace"), *codes]), digest_size=8)
    return f"a class of {module} with code {digest.hexdigest()}"


def code_of(code: types.CodeType) -> bytes:
    """What a function does: its instructions, the constants in them, and how its arguments are called and counted."""
    names = (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    found = [code.co_code, repr((names, counts)).encode()]
    for constant in code.co_consts:
        if type(constant) is types.CodeType:
            found.append(code_of(constant))
        elif is_plain(constant, DEEPEST_NESTING):
            found.append(repr(constant).encode("utf-8", "replace"))
    return b"\0".join(found)


def _made(bases: tuple[type, ...]) -> list[type]:
    return [base for base in bases if not at_home(base)]


def _held(kind: type, prefix: str) -> list[tuple[str, Any]]:
    own = type.__dict__["__dict__"].__get__(kind)
    found: list[tuple[str, Any]] = []
    for name in sorted(name for name in own if type(name) is str):
        if name.startswith("_abc_") or own[name] is None:
            continue
        told = name in _TOLD or not (name.startswith("__") and name.endswith("__"))
        for suffix, part in _behind(name, own[name]):
            function = type(part) is types.FunctionType
            if _holds_anything(part) if function else (told and not isinstance(part, _OF_THE_INTERPRETER)):
                found.append((f"{prefix}.{suffix}", part))
    return found


def _behind(name: str, part: Any) -> list[tuple[str, Any]]:
    """A part of a class under its name; of methods and properties the functions behind them."""
    if type(part) in (classmethod, staticmethod):
        return [(name, part.__func__)]
    if type(part) is functools.cached_property:
        return [(name, part.func)]
    if type(part) is property:
        accessors = (("", part.fget), (" set", part.fset), (" deleted", part.fdel))
        return [(f"{name}{when}", function) for when, function in accessors if function is not None]
    return [(name, part)]


def _holds_anything(function: types.FunctionType) -> bool:
    """Whether somebody wrote a function that closes over something or has defaults.

    What ``namedtuple`` and ``dataclass`` write says the same as their fields.
    """
    written = function.__code__.co_filename != "<string>" and function.__globals__.get("__name__") != "collections"
    return written and bool(function.__closure__ or function.__defaults__ or function.__kwdefaults__)
