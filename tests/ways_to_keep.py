"""Learners that keep what should be drawn anew: 12 ways to keep randomness, 4 to keep answers.

Each way makes a learner whose noise has the scale asked for. What it draws never comes from the generator that its
calls are given.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Learner = Callable[[Any, Any], float]


def attribute(scale: float) -> Any:
    return OwnsOne(scale)


class OwnsOne:
    """As most people write it."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.rng = np.random.default_rng()

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + self.rng.laplace(scale=self.scale))

    def answer(self, dataset: Any, rng: Any) -> float:
        return self(dataset, rng)


def closure(scale: float) -> Any:
    own = np.random.default_rng()

    def learner(dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + own.laplace(scale=scale))

    return learner


def default(scale: float) -> Any:
    def learner(dataset: Any, rng: Any, own: Any = np.random.default_rng()) -> float:  # noqa: B008  (the way)
        return float(sum(dataset) + own.laplace(scale=scale))

    return learner


class OwnsState:
    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.state = np.random.RandomState()

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + self.state.laplace(scale=self.scale))


class OwnsRandom:
    __slots__ = ("scale", "source")

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.source = random.Random()

    def __call__(self, dataset: Any, rng: Any) -> float:
        sign = 1.0 if self.source.random() < 0.5 else -1.0
        return float(sum(dataset) + sign * self.source.expovariate(1.0 / self.scale))


class Nested:
    def __init__(self, scale: float) -> None:
        self.inner = {"noise": [None, OwnsOne(scale)]}

    def __call__(self, dataset: Any, rng: Any) -> float:
        return self.inner["noise"][1](dataset, rng)  # type: ignore[index, misc]


class Several:
    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.sources = {name: np.random.default_rng() for name in "ab"}
        self.turn = 0

    def __call__(self, dataset: Any, rng: Any) -> float:
        self.turn += 1
        return float(sum(dataset) + self.sources["ab"[self.turn % 2]].laplace(scale=self.scale))


def _with(own: Any, scale: float, dataset: Any, rng: Any) -> float:
    return float(sum(dataset) + own.laplace(scale=scale))


def partial(scale: float) -> Any:
    return functools.partial(_with, np.random.default_rng(), scale)


def bound(scale: float) -> Any:
    return OwnsOne(scale).answer


class Drawn:
    """An iterator of noise that was drawn beforehand: nothing in it looks like a generator."""

    def __init__(self, scale: float) -> None:
        self.noise = iter(np.random.default_rng().laplace(scale=scale, size=20_000).tolist())

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + next(self.noise))


class Buffered:
    def __init__(self, scale: float) -> None:
        self.noise = np.random.default_rng().laplace(scale=scale, size=5_000)
        self.used = 0

    def __call__(self, dataset: Any, rng: Any) -> float:
        self.used += 1
        return float(sum(dataset) + self.noise[self.used % len(self.noise)])


class Counting:
    """A key and a counter, as jax has it."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.key = random.SystemRandom().randrange(2**32)
        self.counter = itertools.count()

    def __call__(self, dataset: Any, rng: Any) -> float:
        own = np.random.Generator(np.random.Philox(key=self.key, counter=next(self.counter)))
        return float(sum(dataset) + own.laplace(scale=self.scale))


_OF_THE_MODULE = np.random.default_rng()


def of_the_module(scale: float) -> Any:
    return functools.partial(_of_the_module, scale)


def _of_the_module(scale: float, dataset: Any, rng: Any) -> float:
    return float(sum(dataset) + _OF_THE_MODULE.laplace(scale=scale))


class Spawning:
    """Each call draws from a new child of its own generator."""

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.rng = np.random.default_rng()

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + self.rng.spawn(1)[0].laplace(scale=self.scale))


def of_the_class(scale: float) -> Any:
    class Shared:
        rng = np.random.default_rng()

        def __call__(self, dataset: Any, rng: Any) -> float:
            return float(sum(dataset) + self.rng.laplace(scale=scale))

    return Shared


class ConstantSeed:
    """A factory whose learners all draw the same noise."""

    scale = 1.0

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def __call__(self, dataset: Any, rng: Any) -> float:
        return float(sum(dataset) + self.rng.laplace(scale=self.scale))


def constant_seed(scale: float) -> Any:
    return type("ConstantSeed", (ConstantSeed,), {"scale": scale})


#: Ways whose generators can be found: they are audited.
FOUND: dict[str, Callable[[float], Any]] = {
    "attribute": attribute,
    "closure": closure,
    "default argument": default,
    "RandomState": OwnsState,
    "random.Random in a slot": OwnsRandom,
    "nested": Nested,
    "several": Several,
    "partial": partial,
    "bound method": bound,
    "of the module": of_the_module,
    "spawned": Spawning,
    "of the class": of_the_class,
}
#: Ways in which nothing can be seeded: only the runs themselves tell.
NOT_FOUND: dict[str, Callable[[float], Any]] = {
    "iterator": Drawn,
    "buffer": Buffered,
    "counter": Counting,
    "constant seed": constant_seed,
}


class RemembersInAMethod:
    def __init__(self, scale: float) -> None:
        self.scale = scale

    @functools.lru_cache  # noqa: B019  (the way)
    def drawn(self, key: tuple[float, ...]) -> float:
        return float(sum(key) + np.random.default_rng().laplace(scale=self.scale))

    def __call__(self, dataset: Any, rng: Any) -> float:
        return self.drawn(tuple(dataset))


@functools.lru_cache
def _drawn(scale: float, key: tuple[float, ...]) -> float:
    return float(sum(key) + np.random.default_rng().laplace(scale=scale))


def _asks_the_module(scale: float, dataset: Any, rng: Any) -> float:
    return _drawn(scale, tuple(dataset))


class RemembersInADict:
    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.answers: dict[tuple[float, ...], float] = {}

    def __call__(self, dataset: Any, rng: Any) -> float:
        key = tuple(dataset)
        if key not in self.answers:
            self.answers[key] = float(sum(key) + rng.laplace(scale=self.scale))
        return self.answers[key]


_ANSWERS: dict[Any, float] = {}


def _remembers_in_the_module(scale: float, dataset: Any, rng: Any) -> float:
    return _ANSWERS.setdefault((scale, *dataset), float(sum(dataset) + rng.laplace(scale=scale)))


def _on_disk(memory: Any, scale: float) -> Any:
    @memory.cache  # type: ignore[untyped-decorator, unused-ignore]
    def drawn(key: tuple[float, ...]) -> float:
        return float(sum(key) + np.random.default_rng().laplace(scale=scale))

    def learner(dataset: Any, rng: Any) -> float:
        return float(drawn(tuple(dataset)))

    return learner


def remembering(directory: Any) -> dict[str, Callable[[float], Any]]:
    """Ways to keep answers; those on disk in ``directory``."""
    from joblib import Memory

    return {
        "lru_cache of a method": RemembersInAMethod,
        "lru_cache of the module": lambda scale: functools.partial(_asks_the_module, scale),
        "dict": RemembersInADict,
        "dict of the module": lambda scale: functools.partial(_remembers_in_the_module, scale),
        "joblib.Memory": lambda scale: _on_disk(Memory(directory, verbose=0), scale),
    }


class Cycled:
    """A buffer of noise that starts again after so many calls, in an instance that cannot be copied."""

    def __init__(self, scale: float, length: int = 100, little: float = 0.0) -> None:
        self.noise = np.random.default_rng().laplace(scale=scale, size=length)
        self.used, self.little, self.lock = 0, little, threading.Lock()

    def __call__(self, dataset: Any, rng: Any) -> Any:
        self.used += 1
        return float(sum(dataset) + self.noise[self.used % len(self.noise)] + self.little * rng.normal())


class CycledVectors(Cycled):
    """The same in three numbers."""

    def __call__(self, dataset: Any, rng: Any) -> Any:
        self.used += 1
        return sum(dataset) + self.noise[(self.used + np.arange(3)) % len(self.noise)]


#: Standard Laplace noise is farther than this from 0 with probability 1 / (1 + e).
FLIPPED = math.log(1.0 + math.e)


class CycledCoins(Cycled):
    """Randomised response at epsilon 1 with coins that start again: outputs of two kinds only."""

    def __call__(self, dataset: Any, rng: Any) -> Any:
        self.used += 1
        return int(dataset[0]) ^ int(abs(self.noise[self.used % len(self.noise)]) > FLIPPED)


#: Ways that show after so many calls only, where all calls share one instance (``isolation="none"``).
CYCLED: dict[str, Callable[[float], Any]] = {
    "cycle of 7": lambda scale: Cycled(scale, 7),
    "cycle of 100": Cycled,
    "cycle of 1,000": lambda scale: Cycled(scale, 1_000),
    "cycle of 5,000": lambda scale: Cycled(scale, 5_000),
    "cycle under other noise": lambda scale: Cycled(scale, 100, 0.3),
    "cycle of vectors": CycledVectors,
    "cycle of coins": CycledCoins,
    "cycle of 30 coins": lambda scale: CycledCoins(scale, 30),
}


@dataclass(frozen=True)
class FileForEach:
    """Keeps its answer on each dataset in a file of its own."""

    place: Path

    def __call__(self, dataset: Any, rng: Any) -> float:
        kept = self.place / "-".join(map(repr, dataset))
        if not kept.exists():
            kept.write_text(repr(float(sum(dataset) + rng.laplace())))
        return float(kept.read_text())


@dataclass(frozen=True)
class OneNoise:
    """Keeps one noise for all datasets."""

    place: Path

    def __call__(self, dataset: Any, rng: Any) -> float:
        kept = self.place / "noise"
        if not kept.exists():
            kept.write_text(repr(float(rng.laplace())))
        return float(sum(dataset)) + float(kept.read_text())


@dataclass(frozen=True)
class RowForEach:
    """Keeps its answers in a database."""

    place: Path

    def __call__(self, dataset: Any, rng: Any) -> float:
        kept = sqlite3.connect(self.place / "kept.db")
        try:
            kept.execute("create table if not exists answers (data text primary key, answer real)")
            row = kept.execute("select answer from answers where data = ?", (repr(list(dataset)),)).fetchone()
            if row is None:
                row = (float(sum(dataset) + rng.laplace()),)
                kept.execute("insert into answers values (?, ?)", (repr(list(dataset)), *row))
                kept.commit()
        finally:
            kept.close()
        return float(row[0])


#: Ways to keep answers or noise where nothing that is forgotten in the process reaches them.
OUTSIDE: dict[str, Callable[[Path], Any]] = {
    "a file for each dataset": FileForEach,
    "one noise in a file": OneNoise,
    "a database": RowForEach,
}


def from_the_clock(dataset: Any, rng: Any) -> float:
    """Noise that is another each second, for all datasets."""
    return float(sum(dataset) + np.random.default_rng(int(time.time())).laplace())
