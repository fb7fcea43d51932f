"""A copy of the process that a stranger's code forked ends where it would come back into the middle of dpcheck.

It may do what it was forked for, as multiprocessing's copies do, which never come back. One that comes back would go on
with the run, hold the output open, and fork again at the next question: twenty attributes are asked for, and a
``__getattr__`` that forks is a million processes.

Whoever imports this module is guarded. It imports only what Python has loaded anyway.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])
_looks_itself: set[CodeType] = set()


def looks_for_copies(function: _Function) -> _Function:
    """Mark a function that ends the copies of what it calls itself: they are not traced, and lose no speed.

    Examples
    --------
    >>> @looks_for_copies
    ... def double(number):
    ...     return 2 * number
    >>> double(21)
    42
    """
    _looks_itself.add(function.__code__)
    return function


def _end_where_it_returns() -> None:
    """In the copy: let it end when the first function of the stranger's that dpcheck came to returns or raises.

    That dpcheck came to it by way of the standard library, as ``inspect.signature`` asks for one attribute after the
    other, makes no difference: it would ask for the next one.
    """
    frame: FrameType | None = sys._getframe(1)
    entered = first = None
    while frame is not None and not _is_ours(frame):
        first = frame
        if not _is_of_python(frame):
            entered = frame
        frame = frame.f_back
    entered = entered or first
    if frame is None or entered is None or frame.f_code in _looks_itself or sys.gettrace() is not None:
        return

    def ends(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return":  # by an exception too
            os._exit(0)
        return ends

    sys.settrace(lambda frame, event, argument: None)
    entered.f_trace_lines = False
    entered.f_trace = ends


def _is_ours(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__")
    if name == "__main__":  # python -m dpcheck, or a program of dpcheck's
        name = getattr(frame.f_globals.get("__spec__"), "name", None)
    return isinstance(name, str) and f"{name}.".startswith("dpcheck.")


def _is_of_python(frame: FrameType) -> bool:
    name = frame.f_globals.get("__name__")
    return isinstance(name, str) and name.partition(".")[0] in sys.stdlib_module_names


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_end_where_it_returns)
