"""Code that a call makes on its way (by ``eval``, ``exec``, ``compile``): what it holds is a part of the answer.

Code that stands in the source of a module is the same for all; of it a digest says which one it is.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import sys
import types
from collections import deque
from collections.abc import Iterator
from typing import Any

#: Functions wrapped in each other are followed so far.
_MOST_WRAPPINGS = 16
_LOCAL = "<locals>"
#: Of what a learner is made of, so many objects are gone through for their code.
_MOST_OBJECTS = 20_000
#: Code, and names of classes, that were there before the first call: whatever it came from, it is the same for all.
_known_code: set[types.CodeType] = set()
_known_names: set[str] = set()


def found_in(module: str, path: list[str]) -> Any:
    """What stands under a path of names in a module that is loaded; None where there is nothing."""
    found: Any = sys.modules.get(module)
    for name in path:
        found = None if found is None else getattr(found, "__dict__", {}).get(name)
    return found


def know_code_of(target: Any) -> None:
    """Take note of the code and classes that a learner has before it is called, as one that was sent as code has.

    >>> made = eval("lambda known: known")
    >>> know_code_of([made]); stands_in("nowhere", made.__code__)
    True
    """
    homes = {id(vars(module)) for module in list(sys.modules.values()) if type(module) is types.ModuleType}
    waiting, seen = deque([target]), {id(target)}
    while waiting and len(seen) < _MOST_OBJECTS:
        found = waiting.popleft()  # what is near comes first
        if type(found) is types.CodeType:
            for code in _within([found]):
                _known_code.add(code)
                _known_names.add(code.co_qualname)
            continue
        if issubclass(type(found), type):
            names = type.__dict__
            module, name = names["__module__"].__get__(found), str(names["__qualname__"].__get__(found))
            if type(module) is not str or found_in(module, name.split(".")) is found:
                continue
            _known_names.add(name)
        for part in gc.get_referents(found):
            if id(part) not in seen and id(part) not in homes and type(part) is not types.ModuleType:
                seen.add(id(part))
                waiting.append(part)


def stands_in(module: Any, code: types.CodeType) -> bool:
    """Whether code is that of a function of a module, or stands within one.

    >>> stands_in(__name__, stands_in.__code__), stands_in(__name__, eval("lambda x: x").__code__)
    (True, False)
    """
    return code in _known_code or written_by(module, code)


def written_by(module: Any, code: types.CodeType) -> bool:
    """Whether it is this module whose function code is of, or stands within: a learner's own code is of its module.

    >>> written_by(__name__, stands_in.__code__), written_by("collections", stands_in.__code__)
    (True, False)
    """
    path = code.co_qualname.split(".")
    return type(module) is str and any(part is code for part in _within(_roots(module, path)))


def written_in(module: Any, qualified: str) -> bool:
    """Whether the source of a module's functions names a class or function of this qualified name.

    >>> written_in(__name__, "written_in.<locals>.Class")
    False
    """
    path = qualified.split(".")
    if qualified in _known_names:
        return True
    if type(module) is not str or _LOCAL not in path:
        return False
    return any(part.co_qualname == qualified for part in _within(_roots(module, path)))


def _roots(module: str, path: list[str]) -> list[types.CodeType]:
    """The code of what a module has under the names before the first that is local to a function."""
    top = path[: path.index(_LOCAL)] if _LOCAL in path else path
    found, codes = found_in(module, top), list[types.CodeType]()
    for _ in range(_MOST_WRAPPINGS):
        codes += [part.__code__ for part in functions_behind(found)]
        found = getattr(found, "__dict__", {}).get("__wrapped__")
        if found is None:
            break
    return codes


def functions_behind(part: Any) -> list[types.FunctionType]:
    """The functions that a member of a module or class is, or is made of."""
    if type(part) in (classmethod, staticmethod):
        part = part.__func__
    parts = (part.fget, part.fset, part.fdel) if type(part) is property else (part,)
    if type(part) is functools.cached_property:
        parts = (part.func,)
    return [one for one in parts if type(one) is types.FunctionType]


def _within(codes: list[types.CodeType]) -> Iterator[types.CodeType]:
    waiting = list(codes)
    while waiting:
        code = waiting.pop()
        yield code
        waiting += [constant for constant in code.co_consts if type(constant) is types.CodeType]


def names_read(code: types.CodeType) -> list[str]:
    """The names that code, and the functions that it makes, look up where it was made."""
    return sorted({name for part in _within([code]) for name in part.co_names})


def parts_of_code(code: types.CodeType) -> list[tuple[str, Any]]:
    """All that code is made of.

    >>> dict(parts_of_code(eval("lambda x: 3 * x").__code__))["constants"]
    (3,)
    """
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags, code.co_stacksize)
    return [
        ("instructions", code.co_code),
        ("constants", tuple(one for one in code.co_consts if one is not None)),
        ("names", code.co_names),
        ("variables", code.co_varnames),
        ("cells", code.co_cellvars),
        ("free", code.co_freevars),
        ("counts", counts),
        ("name", code.co_name),
        ("qualified", code.co_qualname),
        ("file", code.co_filename),
        ("line", code.co_firstlineno),
        ("lines", code.co_linetable),
        ("exceptions", code.co_exceptiontable),
    ]


def digest_of(code: types.CodeType) -> str:
    """Which code it is: its instructions, the constants in them, and how its arguments are called and counted."""
    return hashlib.blake2b(_spelled(code), digest_size=8).hexdigest()


def _spelled(code: types.CodeType) -> bytes:
    names = (code.co_names, code.co_varnames, code.co_cellvars, code.co_freevars)
    counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
    return b"\0".join([code.co_code, repr((names, counts)).encode(), *map(_constant, code.co_consts)])


def _constant(constant: Any) -> bytes:
    """A constant as bytes, the same in every process: the order of a set is made from hashes."""
    if type(constant) is types.CodeType:
        return _spelled(constant)
    if type(constant) is tuple:
        return b"(" + b",".join(map(_constant, constant)) + b")"
    if type(constant) is frozenset:
        return b"{" + b",".join(sorted(map(_constant, constant))) + b"}"
    return repr(constant).encode("utf-8", "replace")
