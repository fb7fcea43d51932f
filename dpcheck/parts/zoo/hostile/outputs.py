"""Learners whose outputs misbehave when they are looked at: every special method with every misdeed.

Each output has one method of its own, and no attribute. What an audit asks of a strange object it asks where the
learner runs; what it never asks can do nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

Misdeed = Literal["exits", "leaves", "interrupts", "hangs", "spins", "allocates", "prints", "raises", "lies"]

#: Larger than any pipe holds.
_PRINTED = 1 << 22
#: More than dpcheck keeps of one text, little enough for any machine.
_LONG_TEXT = 1 << 24
#: Ten gigabytes of numbers that take no memory until somebody reads them.
_HUGE_ARRAY = (10 << 30) // 8

#: What is asked of a strange object: its state, its array, what a table, matrix or model is asked, and its text.
ASKED: tuple[str, ...] = (
    "__repr__",
    "__getstate__",
    "__array__",
    "toarray",
    "to_numpy",
    "__getattr__",
    "__getattribute__",
)
#: What is never asked: numbers, lengths and members are read from what is plain data already.
NEVER_ASKED: tuple[str, ...] = (
    "__str__", "__len__", "__float__", "__int__", "__index__", "__bool__", "__complex__", "__iter__", "__contains__",
    "__getitem__", "__eq__", "__ne__", "__lt__", "__hash__", "__format__", "__sizeof__", "__reduce__", "__reduce_ex__",
    "__copy__", "__deepcopy__", "__class__", "__call__", "__enter__", "__array_interface__", "__fspath__", "__bytes__",
)  # fmt: skip


def _exits(*_: Any) -> Any:
    os._exit(0)


def _leaves(*_: Any) -> Any:
    sys.exit(0)


def _interrupts(*_: Any) -> Any:
    raise KeyboardInterrupt


def _hangs(*_: Any) -> Any:
    time.sleep(3600)


def _spins(*_: Any) -> Any:
    while True:
        pass


def _raises(*_: Any) -> Any:
    raise RuntimeError("not to be looked at")


#: What each method gives that allocates, and what it gives that lies; for others a long text, and itself.
_HUGE: dict[str, Callable[[], Any]] = {
    "__array__": lambda: np.zeros(_HUGE_ARRAY),
    "toarray": lambda: np.zeros(_HUGE_ARRAY),
    "to_numpy": lambda: np.zeros(_HUGE_ARRAY),
    "__len__": lambda: sys.maxsize,
}
_LIES: dict[str, Callable[[], Any]] = {
    "__repr__": lambda: 1,
    "__array__": lambda: "no array",
    "toarray": lambda: [[1.0], [1.0, 2.0]],
    "to_numpy": lambda: object(),
    "__getstate__": lambda: {"a": object(), 1: object},
    "__len__": lambda: -1,
    "__class__": lambda: int,
    "__eq__": lambda: True,
    "__hash__": lambda: "no number",
    "__iter__": lambda: iter(int, 1),
    "__getattr__": lambda: 0,
    "__getattribute__": lambda: 0,
}


@dataclass(frozen=True)
class AnswersWith:
    """Answers an object one of whose special methods does something that it should not.

    ``method`` is the name of the method, ``misdeed`` what it does: it ends its process as if all were well, raises
    SystemExit, KeyboardInterrupt or RuntimeError, sleeps for an hour, never ends, gives more than fits, prints
    megabytes, or gives what no such method may give.
    """

    method: str
    misdeed: Misdeed

    @property
    def __name__(self) -> str:
        return f"answers_what_{self.misdeed}_in_{self.method.strip('_')}"

    def __call__(self, dataset: Any, rng: Any) -> Any:
        """One such object."""
        return output_class(self.method, self.misdeed)()


def output_class(method: str, misdeed: Misdeed) -> type:
    """A class one of whose methods does something that it should not.

    >>> output_class("__len__", "lies").__name__
    'LiesInLen'
    """
    body = _body(method, misdeed)
    name = f"{misdeed.capitalize()}In{method.strip('_').replace('_', ' ').title().replace(' ', '')}"
    held: dict[str, Any] = {method: property(body) if method == "__class__" else body}
    if method == "__eq__":
        held["__hash__"] = object.__hash__
    if method == "to_numpy":
        held["index"], held["columns"] = property(body), ("a",)
    if method == "toarray":
        held["shape"] = (2,)
    return type(name, (), held)


def _body(method: str, misdeed: Misdeed) -> Callable[..., Any]:
    plain = {"exits": _exits, "leaves": _leaves, "interrupts": _interrupts, "hangs": _hangs, "spins": _spins,
             "raises": _raises}  # fmt: skip
    if misdeed in plain:
        return plain[misdeed]
    if misdeed == "lies":
        lie = _LIES.get(method, object)
        return lambda *_, **__: lie()
    if misdeed == "allocates":
        huge = _HUGE.get(method, lambda: "x" * _LONG_TEXT)
        return lambda *_, **__: huge()

    def prints(*_: Any, **__: Any) -> Any:
        print("x" * _PRINTED)
        print("x" * _PRINTED, file=sys.stderr)
        raise RuntimeError("no more paper")

    return prints


#: What each misdeed in a method that is asked comes to.
FATAL: frozenset[str] = frozenset({"exits", "hangs", "spins"})
MISDEEDS: tuple[Misdeed, ...] = (
    "exits", "leaves", "interrupts", "hangs", "spins", "allocates", "prints", "raises", "lies",
)  # fmt: skip
