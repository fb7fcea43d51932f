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
#: Libraries that dpcheck calls and that call the stranger again and again, as a pickler does at each part of an object:
#: a copy that came back to them would be copied at the next part.
_BETWEEN = frozenset(
    {"cloudpickle", "hypothesis", "joblib", "numpy", "pandas", "pluggy", "pytest", "_pytest", "scipy", "sklearn"}
)
#: The module of multiprocessing, and of what is made like it, where its copies begin: they end there too, whatever they
#: run, and are not to lose speed by a tracer.
_NEVER_RETURNS = "popen_fork"


def looks_for_copies(function: _Function) -> _Function:
    """Mark a function that ends the copies of what it calls: they are not traced, and lose no speed.

    What its variables held is dropped when it returns, and may fork then: whoever calls it looks once more.

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

    That dpcheck came to it by way of a library, as ``inspect.signature`` asks for one attribute after the other, makes
    no difference: it would ask for the next one. Whoever traces this process (coverage, a debugger) does not follow
    the copy: one that is not ended is worse.
    """
    frame: FrameType | None = sys._getframe(1)
    entered = first = None
    while frame is not None and not _is_ours(frame):
        first = frame
        if _name(frame).rpartition(".")[2] == _NEVER_RETURNS:
            return
        if not _is_between(frame):
            entered = frame
        frame = frame.f_back
    entered = entered or first
    if frame is None or entered is None or frame.f_code in _looks_itself:
        return

    def ends(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "return":  # by an exception too
            os._exit(0)
        return ends

    sys.settrace(lambda frame, event, argument: None)
    entered.f_trace_lines = False
    entered.f_trace = ends


def _is_ours(frame: FrameType) -> bool:
    name = _name(frame)
    if name == "__main__":  # python -m dpcheck, or a program of dpcheck's
        name = getattr(frame.f_globals.get("__spec__"), "name", None) or ""
    return f"{name}.".startswith("dpcheck.")


def _is_between(frame: FrameType) -> bool:
    top = _name(frame).partition(".")[0]
    return top in sys.stdlib_module_names or top in _BETWEEN


def _name(frame: FrameType) -> str:
    """The name of the module that a frame's code is of; empty where it has none."""
    name = frame.f_globals.get("__name__")
    return name if isinstance(name, str) else ""


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_end_where_it_returns)
