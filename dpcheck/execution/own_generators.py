"""Generators and caches that a learner owns: found in what it holds, without calling any of its code.

A learner that keeps ``self.rng = np.random.default_rng()`` is copied for each request, and its noise would start again
with each copy. So what is found is seeded anew for each request, from the request's own seed. Objects are followed as
the garbage collector sees them (attributes, slots, containers, cells, defaults, frames of generators), functions into
those globals that their code names.
"""

from __future__ import annotations

import dis
import functools
import gc
import os
import random
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numpy.random import BitGenerator, RandomState, SeedSequence

#: Objects looked at, and members of one container: what a learner draws from is near its surface, and a fitted model
#: or a dataset that it holds may be large.
MOST_OBJECTS, MOST_MEMBERS = 5_000, 500
#: Added to a request's spawn key for the seeds of generators that the learner owns.
_OWN_GENERATORS = 0x6F776E
#: Words of 32 bits that seed a generator that is not numpy's.
_SEED_WORDS = 4
#: So many values or bytes can be a list that noise is picked from; fewer show as answers that are few.
LEAST_STORED = 12
_SIZED = (list, tuple, dict, set, frozenset, deque, str, bytes, bytearray, memoryview)
#: What cannot hold a generator.
_LEAVES = (int, float, complex, str, bytes, bytearray, bool, type(None), np.generic, CodeType, range, slice)
_STORE_GLOBAL = dis.opmap["STORE_GLOBAL"]
#: Code of these is not gone into: what it keeps for itself is none of the learner's randomness.
_LIBRARIES = frozenset({"numpy", "scipy", "sklearn", "pandas", "joblib", "torch", "jax", "dpcheck"})
_FOREIGN = frozenset(sys.stdlib_module_names) | _LIBRARIES
#: Names of the interpreter that are also names of the files that people write.
_NOT_FOREIGN = frozenset({"__main__", "test", "code"})


#: Learners without a generator are looked through so many times; then their requests are spared it.
LOOKED_THROUGH = 2


@dataclass(frozen=True)
class Owned:
    """What was found: objects to seed, caches of answers, and whatever else can be changed and outlives a request.

    ``stores``: something holds so many values, or may, that noise can be picked from them.

    ``containers`` are those of the latter that can be emptied and filled again: also the globals that functions set,
    as pairs of a namespace and the names.
    """

    generators: tuple[Any, ...] = ()
    caches: tuple[Any, ...] = ()
    lasting: bool = False
    containers: tuple[Any, ...] = ()
    globals_set: tuple[tuple[dict[str, Any], tuple[str, ...]], ...] = ()
    stores: bool = False


class Holdings:
    """What a loaded learner owns, looked for before each request while something is found; and how it was at first.

    Examples
    --------
    >>> def learner(dataset, rng, answers={}): return answers.setdefault(len(dataset), rng.random())
    >>> holdings = Holdings()
    >>> owned = holdings.of(learner)
    >>> first = learner([1], np.random.default_rng())
    >>> with holdings.forgotten(owned):
    ...     learner([1], np.random.default_rng()) == first
    False
    >>> learner([1], np.random.default_rng()) == first
    True
    """

    def __init__(self) -> None:
        self._found: Owned | None = None
        self._times = 0
        self._first: dict[int, tuple[Any, Any]] = {}
        self._globals: list[tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]] = []

    def of(self, *roots: Any) -> Owned:
        """What these own; the first time also how it is before any call."""
        if self._found is not None and not self._found.generators and self._times >= LOOKED_THROUGH:
            return self._found
        try:
            found = owned_by(*roots)
        except Exception:  # a stranger's object may raise anything: its runs will tell whether they are fresh
            found = Owned()
        if self._found is None:
            for container in found.containers:
                with suppress(Exception):
                    self._first[id(container)] = (container, container.copy())
            for namespace, names in found.globals_set:
                values = {name: namespace[name] for name in names if name in namespace}
                self._globals.append((namespace, values, names))
        self._found = found
        self._times += 1
        return found

    @contextmanager
    def forgotten(self, owned: Owned) -> Iterator[None]:
        """Caches of answers empty, and containers and globals that outlive a request as they were at first."""
        now = [(container, container.copy()) for container, _ in self._first.values()]
        names_now = [
            (namespace, {name: namespace[name] for name in names if name in namespace}, names)
            for namespace, _, names in self._globals
        ]
        with forgotten(owned):
            try:
                _refill(list(self._first.values()), self._globals)
                yield
            finally:
                _refill(now, names_now)


def _refill(
    containers: list[tuple[Any, Any]], namespaces: list[tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]]
) -> None:
    """Give containers and globals these contents."""
    for container, contents in containers:
        with suppress(Exception):
            container.clear()
            container.extend(contents) if isinstance(container, list | deque) else container.update(contents)
    for namespace, values, names in namespaces:
        for name in names:
            if name not in values:
                namespace.pop(name, None)
        namespace.update(values)


def owned_by(*roots: Any) -> Owned:
    """The generators and caches that can be reached from these objects, in the order in which they are met.

    Examples
    --------
    >>> class Learner:
    ...     def __init__(self): self.sources = [np.random.default_rng(), random.Random()]
    >>> [type(found).__name__ for found in owned_by(Learner()).generators]
    ['PCG64', 'Random']
    """
    generators: list[Any] = []
    caches: list[Any] = []
    lasting = stores = False
    containers: list[Any] = []
    globals_set: list[tuple[dict[str, Any], tuple[str, ...]]] = []
    seen: set[int] = set()
    waiting: deque[tuple[Any, bool]] = deque((root, False) for root in roots)
    kept: list[Any] = []  # what is made on the way stays alive, so that no identity is used twice
    parts: list[Any]
    while waiting and len(seen) < MOST_OBJECTS:
        found, outlives = waiting.popleft()
        kind = type(found)  # not isinstance, which asks the object for its class
        stores |= _may_store(found, kind)
        if issubclass(kind, _LEAVES) or id(found) in seen:
            continue
        seen.add(id(found))
        source = _source(found)
        if source is not None:
            if id(source) not in _GLOBAL:
                seen.add(id(source))
                if all(source is not known for known in generators):
                    generators.append(source)
            continue
        if kind is functools._lru_cache_wrapper or _is_memorised(found):
            caches.append(found)
            waiting.extend((part, outlives) for part in _members(vars(found)))
            continue
        if issubclass(kind, ModuleType):
            continue  # only what code names in it is gone into, see _named
        if issubclass(kind, FunctionType):
            parts = _cells(found)
            kept_by_it = [part for part in (found.__defaults__, found.__kwdefaults__, found.__dict__) if part]
            waiting.extend((part, True) for part in kept_by_it)
            if not is_foreign(found.__module__):
                named, stored = _named(found)
                if stored:
                    lasting = True
                    globals_set.append((found.__globals__, stored))
                waiting.extend((part, True) for part in named)
        elif issubclass(kind, type):
            parts = []
            if not is_foreign(found.__module__):
                own = [part for name, part in vars(found).items() if not (name.startswith("__") and name != "__call__")]
                waiting.extend((part, True) for part in (*own, vars(found).get("__init__"), *found.__bases__))
        elif issubclass(kind, np.ndarray):
            lasting |= outlives
            parts = _members(list(found.flat)) if found.dtype.hasobject and found.size <= MOST_MEMBERS else []
        elif issubclass(kind, list | tuple | dict | set | frozenset | deque):
            if outlives and not issubclass(kind, tuple | frozenset):
                lasting = True
                if kind in _PLAIN_CONTAINERS and len(found) <= MOST_MEMBERS:
                    containers.append(found)
            parts = _members(found)
            if kind not in _PLAIN_CONTAINERS:
                parts += gc.get_referents(found)[:MOST_MEMBERS]
        else:
            if outlives and not is_foreign(kind.__module__):
                lasting = True
                attributes = plain_attributes(found)
                if attributes is not None:
                    containers.append(attributes)
            parts = gc.get_referents(found)[:MOST_MEMBERS]
        kept.append(parts)
        waiting.extend((part, outlives) for part in parts)
    stores |= bool(waiting)
    return Owned(tuple(generators), tuple(caches), lasting, tuple(containers), tuple(globals_set), stores)


def _may_store(found: Any, kind: type) -> bool:
    """Whether an object holds many values, or is of a library that may hold them out of sight."""
    if issubclass(kind, np.ndarray):
        return bool(found.size >= LEAST_STORED)
    if issubclass(kind, _SIZED):
        return len(found) >= LEAST_STORED
    plain = issubclass(kind, (*_LEAVES, ModuleType, FunctionType, BuiltinFunctionType, type))
    return not plain and kind.__module__ != "builtins" and is_foreign(kind.__module__) and _source(found) is None


@contextmanager
def seeded(owned: Owned, seed: SeedSequence, first: int = 0) -> Iterator[None]:
    """Generators seeded from ``seed``, one child each from number ``first`` on; put back as they were at the end.

    Examples
    --------
    >>> rng = np.random.default_rng()
    >>> draws = []
    >>> for _ in range(2):
    ...     with seeded(owned_by(rng), SeedSequence(7)):
    ...         draws.append(rng.random())
    >>> draws[0] == draws[1]
    True
    """
    undo: list[Callable[[], None]] = []
    try:
        for number, generator in enumerate(owned.generators, start=first):
            child = SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, _OWN_GENERATORS, number))
            with suppress(Exception):  # a subclass of somebody's may refuse: what it draws is then judged by its runs
                undo.append(_seed(generator, child))
        yield
    finally:
        for back in undo:
            with suppress(Exception):
                back()


@contextmanager
def forgotten(owned: Owned) -> Iterator[None]:
    """Caches of answers empty, as in a process that was just started; those on disk look elsewhere meanwhile.

    Examples
    --------
    >>> @functools.lru_cache
    ... def drawn(size): return np.random.default_rng().random()
    >>> first = drawn(1)
    >>> with forgotten(owned_by(drawn)):
    ...     drawn(1) == first
    False
    """
    undo: list[Callable[[], None]] = []
    with tempfile.TemporaryDirectory(prefix="dpcheck-") as directory:
        for number, cache in enumerate(owned.caches):
            with suppress(Exception):
                if isinstance(cache, functools._lru_cache_wrapper):
                    cache.cache_clear()
                else:
                    undo.append(_elsewhere(cache, os.path.join(directory, str(number))))
        try:
            yield
        finally:
            for back in undo:
                with suppress(Exception):
                    back()


def _source(found: Any) -> Any:
    """What is to be seeded in a generator: the bit generator of numpy's, or the object itself; None for the rest."""
    kind = type(found)
    if issubclass(kind, np.random.Generator):
        return found.bit_generator
    if issubclass(kind, BitGenerator):
        return found
    if issubclass(kind, RandomState):
        return found
    if issubclass(kind, random.Random) and not issubclass(kind, random.SystemRandom):
        return found
    if kind.__name__ == "Generator" and kind.__module__.partition(".")[0] == "torch":
        return found if callable(getattr(kind, "manual_seed", None)) else None
    return None


def _seed(generator: Any, child: SeedSequence) -> Callable[[], None]:
    """Seed it, and give what puts it back."""
    if isinstance(generator, BitGenerator):
        before, sequence = generator.state, generator.seed_seq
        _set(generator, type(generator)(child).state, child)
        return lambda: _set(generator, before, sequence)
    words = child.generate_state(_SEED_WORDS)
    if isinstance(generator, RandomState):
        state = generator.get_state(legacy=False)
        try:
            RandomState.seed(generator, words)
        except TypeError:  # not the Mersenne twister
            bits = generator._bit_generator
            _set(bits, type(bits)(child).state, child)
        return lambda: generator.set_state(state)
    if isinstance(generator, random.Random):
        old = random.Random.getstate(generator)
        random.Random.seed(generator, words.tobytes())
        return lambda: random.Random.setstate(generator, old)
    old_state = generator.get_state()
    generator.manual_seed(int(child.generate_state(1, np.uint64)[0] >> np.uint64(1)))
    return lambda: generator.set_state(old_state)


def _set(generator: BitGenerator, state: Any, sequence: Any) -> None:
    """State and seed sequence: children that it spawns must be new ones too."""
    try:
        generator.__setstate__((state, sequence))  # type: ignore[attr-defined]
    except Exception:  # numpy 1 keeps no sequence in it
        generator.state = state


def _elsewhere(cache: Any, directory: str) -> Callable[[], None]:
    """Let a function that joblib remembers keep its answers in another place."""
    memory = sys.modules["joblib"].Memory  # loaded, since the cache is one of its own

    before = cache.store_backend
    cache.store_backend = memory(directory, verbose=0).store_backend

    def back() -> None:
        cache.store_backend = before

    return back


def _is_memorised(found: Any) -> bool:
    kind = type(found)
    return kind.__module__ == "joblib.memory" and "Memorized" in kind.__name__ and hasattr(found, "store_backend")


_GLOBAL = frozenset(id(part) for part in (random._inst, np.random.mtrand._rand, np.random.mtrand._rand._bit_generator))
_PLAIN_CONTAINERS = frozenset({list, tuple, dict, set, frozenset, deque})


def _members(container: Any) -> list[Any]:
    """The first members, by the container's own type even where a subclass says otherwise."""
    if isinstance(container, dict):
        pairs = zip(range(MOST_MEMBERS), dict.items(container), strict=False)
        return [part for _, pair in pairs for part in pair]
    kinds: tuple[Any, ...] = (list, tuple, set, frozenset, deque)
    for kind in kinds:
        if isinstance(container, kind):
            return [part for _, part in zip(range(MOST_MEMBERS), kind.__iter__(container), strict=False)]
    return []


def _cells(function: FunctionType) -> list[Any]:
    cells = []
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # not filled yet
            cells.append(cell.cell_contents)
    return cells


def plain_attributes(found: Any) -> dict[str, Any] | None:
    """The attributes of an object, without asking the object."""
    with suppress(Exception):
        attributes = object.__getattribute__(found, "__dict__")
        return attributes if type(attributes) is dict else None
    return None


def _named(function: FunctionType) -> tuple[list[Any], tuple[str, ...]]:
    """What the code of a function names: globals, and what it may take from modules; and the globals it may set."""
    names: list[str] = []
    stored: list[str] = []
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        names += code.co_names
        if _STORE_GLOBAL in code.co_code[::2]:
            stored += [step.argval for step in dis.get_instructions(code) if step.opcode == _STORE_GLOBAL]
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    found: list[Any] = []
    for name in dict.fromkeys(names):
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            if not is_foreign(value.__name__):
                found += [vars(value)[other] for other in names if other in vars(value)]
        elif value is not None:
            found.append(value)
    return found, tuple(dict.fromkeys(stored))


def is_foreign(module: Any) -> bool:
    """Whether a module belongs to the interpreter or to a library whose own state is not the learner's."""
    if not isinstance(module, str):
        return True
    top = module.partition(".")[0]
    return top in _FOREIGN and top not in _NOT_FOREIGN


def described(owned: Owned) -> tuple[str, ...]:
    """The caches in words.

    >>> described(owned_by(functools.lru_cache(len)))
    ('functools.lru_cache of len',)
    """
    found = []
    for cache in owned.caches:
        library = "functools.lru_cache" if isinstance(cache, functools._lru_cache_wrapper) else "joblib.Memory"
        inner = vars(cache).get("__wrapped__", vars(cache).get("func"))
        name = getattr(inner, "__qualname__", "") if isinstance(inner, FunctionType | BuiltinFunctionType) else ""
        found.append(f"{library} of {name}" if name else library)
    return tuple(dict.fromkeys(found))
