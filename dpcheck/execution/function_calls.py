"""Calls of functions that modules have, and what becomes of them: what an executor is given, and what it tells."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


class CallLost(RuntimeError):
    """A call's process died, or was ended after its time: nothing is known of what it would have given."""


@dataclass(frozen=True)
class Call:
    """A function that a module has, and what it is called with; all of it can be pickled.

    Parameters
    ----------
    function : callable
    arguments : tuple
    name : what it is called where it is lost
    limit : seconds after which its process is ended; a call in this process is not
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    name: str = ""
    limit: float = math.inf


@dataclass(frozen=True)
class Begun:
    """The call at this place begins."""

    place: int


@dataclass(frozen=True)
class Ended:
    """What became of the call at this place, after so many seconds.

    It gave ``value``, or it raised ``error``, or it was ``lost``, which is why.
    """

    place: int
    seconds: float
    value: Any = None
    error: BaseException | None = None
    lost: str = ""


def value_of(ended: Ended, calls: Sequence[Call]) -> Any:
    """What a call gave; raises what it raised.

    Raises
    ------
    CallLost
        With the call's name.
    """
    if ended.error is not None:
        raise ended.error
    if ended.lost:
        name = calls[ended.place].name
        raise CallLost(f"{name}: {ended.lost}" if name else ended.lost)
    return ended.value
