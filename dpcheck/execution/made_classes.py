"""Classes that a call makes on its way: what they hold is a part of the answer, unlike code that stands in a module."""

from __future__ import annotations

import functools
import hashlib
import re
import sys
import types
from typing import Any

from dpcheck.execution.handover import MADE_BY_CODE
from dpcheck.execution.made_code import digest_of, found_in, functions_behind, stands_in, written_by, written_in

#: What stands in the dictionary of every class, with or without its own words.
_OF_EVERY_CLASS = frozenset(("__module__", "__dict__", "__weakref__", "__doc__", "__firstlineno__"))
#: Names between double underscores that hold words and values of a class; the others are made from what is drawn.
_TOLD = frozenset(("__doc__", "__annotations__"))
#: What enumerations keep for themselves in their classes.
_OF_ENUMERATIONS = frozenset(
    {"_generate_next_value_", "_new_member_", "_use_args_", "_member_names_", "_member_map_", "_value2member_map_"}
    | {"_unhashable_values_", "_hashable_values_", "_unhashable_values_map_", "_member_type_", "_value_repr_"}
    | {"_flag_mask_", "_singles_mask_", "_all_bits_", "_boundary_", "_inverted_", "_missing_", "_iter_member_"}
)
#: Words in methods that ``dataclass`` writes, beside the names of its fields; and what stands between them.
_WRITTEN_WORDS = frozenset(("cannot", "assign", "delete", "to", "field"))
_WORD, _NOT_WRITTEN = re.compile(r"\w+"), re.compile(r"[^\w(=, )]")
#: What a class has for its slots and for what the interpreter does.
_COMPILED = (
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
    if found_in(_kept_in.get(id(kind), module), path) is kind or found_in(module, path) is kind:
        return True
    if "<locals>" in path:
        return False
    # a library may name another module of its own, which is loaded later or never
    package = module.partition(".")[0]
    for name in list(sys.modules):
        if (name == package or name.startswith(f"{package}.")) and found_in(name, path) is kind:
            _kept_in[id(kind)] = name
            return True
    return False


def parts_of_class(kind: type) -> list[tuple[str, Any]]:
    """What a class that is not at home holds, and so those that it comes of: data, words, functions that hold anything.

    Examples
    --------
    >>> parts_of_class(type("Made", (), {"slope": 0.5}))[-2:]
    [('(class) name', 'Made'), ('(class).slope', 0.5)]
    >>> parts_of_class(dict)
    []
    """
    if at_home(kind):
        return []
    found: list[tuple[str, Any]] = []
    for number, base in enumerate(_made(_MRO.__get__(kind))):
        name = "(class)" if number == 0 else f"(class {number})"
        found += _named(base, name) + _held(base, name)
    for base in _made(_MRO.__get__(type(kind))):
        found += _named(base, "(metaclass)") + _held(base, "(metaclass)")
    return found


def _named(kind: type, prefix: str) -> list[tuple[str, Any]]:
    """The names of a class that no source has: they may say anything."""
    own = type.__dict__
    module, name = own["__module__"].__get__(kind), own["__name__"].__get__(kind)
    qualified = own["__qualname__"].__get__(kind)
    if written_in(module, qualified) and qualified.rpartition(".")[2] == name:
        return []
    names = ((f"{prefix} module", module), (f"{prefix} qualified name", qualified), (f"{prefix} name", name))
    return [(said, part) for said, part in names if type(part) is str]


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
    codes = [digest_of(part.__code__) for name in names for _, part in _behind(name, own[name]) if _is_function(part)]
    digest = hashlib.blake2b(repr((names, codes)).encode("utf-8", "replace"), digest_size=8)
    return f"a class of {module} with code {digest.hexdigest()}"


def _is_function(part: Any) -> bool:
    return type(part) is types.FunctionType


def _made(bases: tuple[type, ...]) -> list[type]:
    return [base for base in bases if not at_home(base)]


def _held(kind: type, prefix: str) -> list[tuple[str, Any]]:
    own = type.__dict__["__dict__"].__get__(kind)
    members = own.get("_member_map_")  # an enumeration's own, which is drawn as such
    enumerated = set(members) if type(members) is dict else set()
    found: list[tuple[str, Any]] = []
    for name in sorted(name for name in own if type(name) is str and name not in enumerated):
        if name.startswith("_abc_") or own[name] is None or (enumerated and _is_sunder(name)):
            continue
        for suffix, part in _behind(name, own[name]):
            told = name in _TOLD or not _is_dunder(name)
            if _holds_anything(part, kind) if _is_function(part) else told and not isinstance(part, _COMPILED):
                found.append((f"{prefix}.{suffix}", part))
    fields = own.get("__dataclass_fields__")
    for name, field in fields.items() if type(fields) is dict else ():
        for said in ("default_factory", "metadata"):  # what no method and no attribute of the class says
            part = getattr(field, said, None)
            if part and type(part).__module__ != "dataclasses":
                found.append((f"{prefix}.{name} {said}", part))
    return found


def _is_dunder(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _is_sunder(name: str) -> bool:
    """Whether ``enum`` keeps a name for itself."""
    return name in _OF_ENUMERATIONS


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


def _holds_anything(function: types.FunctionType, kind: type) -> bool:
    """Whether somebody wrote a function that closes over something, has defaults, or was made on the way itself.

    What ``namedtuple`` and ``dataclass`` write says the same as their fields.
    """
    code, home = function.__code__, function.__globals__.get("__name__")
    if written_by("collections", code) or _generated(function, kind):
        return False
    return bool(function.__closure__ or function.__defaults__ or function.__kwdefaults__) or not stands_in(home, code)


def _generated(function: types.FunctionType, kind: type) -> bool:
    """Whether a method is as ``namedtuple`` and ``dataclass`` write them: without a constant of its own."""
    own = type.__dict__["__dict__"].__get__(kind)
    fields = own.get("__dataclass_fields__", own.get("_field_defaults"))
    if type(fields) is not dict or not _is_dunder(function.__name__):
        return False
    behind = function.__dict__.get("__wrapped__", function)  # a __repr__ that notices circles
    words = _WRITTEN_WORDS.union(map(str, fields))
    return all(
        written_by("dataclasses", one.__code__)
        or (one.__code__.co_filename == "<string>" and all(_says(part, words) for part in one.__code__.co_consts))
        for one in functions_behind(behind)
    )


def _says(constant: Any, words: frozenset[str]) -> bool:
    """Whether a constant says nothing but these words."""
    if type(constant) is tuple:
        return all(_says(part, words) for part in constant)
    if type(constant) is str:
        return words.issuperset(_WORD.findall(constant)) and not _NOT_WRITTEN.search(constant)
    return constant is None
