"""Learners that raise."""

from __future__ import annotations

import sys
from typing import Any, NoReturn


def raises_always(dataset: Any, rng: Any) -> NoReturn:
    """Raises the same exception in every call."""
    raise ValueError("row 3 is bad")


def raises_sometimes(dataset: Any, rng: Any) -> float:
    """Raises in a third of the calls, whatever the data."""
    if rng.random() < 1 / 3:
        raise ArithmeticError(f"drew {rng.random()}")
    return float(rng.random())


def raises_on_one_neighbour(dataset: Any, rng: Any) -> float:
    """Raises exactly where the data add up to more than one: a leak."""
    if dataset.sum() > 1:
        raise ValueError("too much")
    return float(rng.random())


def raises_what_cannot_be_read(dataset: Any, rng: Any) -> NoReturn:
    """Raises an exception whose own message raises."""

    class Unreadable(Exception):
        def __str__(self) -> str:
            raise RuntimeError("no message for you")

    raise Unreadable


def exits(dataset: Any, rng: Any) -> NoReturn:
    """Calls ``sys.exit``."""
    sys.exit("done here")


def recurses_forever(dataset: Any, rng: Any) -> Any:
    """Calls itself until the interpreter has enough."""
    return recurses_forever(dataset, rng)


def raises_keyboard_interrupt(dataset: Any, rng: Any) -> NoReturn:
    """Raises what Ctrl-C raises."""
    raise KeyboardInterrupt


def raises_what_is_no_exception(dataset: Any, rng: Any) -> NoReturn:
    """Raises a class that ``except Exception`` does not catch."""

    class Escaping(BaseException):
        pass

    raise Escaping("caught by nobody")


class RaisesOnce:
    """Raises in its first call only, as what connects to a server late does."""

    def __init__(self) -> None:
        self.called = False

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw, from the second call on."""
        if not self.called:
            self.called = True
            raise ConnectionError("not yet")
        return float(rng.random())
