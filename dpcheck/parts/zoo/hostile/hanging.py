"""Learners that never come back."""

from __future__ import annotations

import atexit
import ctypes
import os
import re
import signal
import time
from typing import Any, NoReturn

_LONGER_THAN_ANY_TEST = 100_000


def hangs(dataset: Any, rng: Any) -> NoReturn:
    """Loops in Python."""
    while True:
        pass


def hangs_on_one_neighbour(dataset: Any, rng: Any) -> float:
    """Sleeps forever where the data add up to more than one."""
    if dataset.sum() > 1:
        time.sleep(_LONGER_THAN_ANY_TEST)
    return float(rng.random())


def hangs_in_the_third_call(dataset: Any, rng: Any, calls: list[int] = []) -> float:  # noqa: B006  (the defect)
    """Comes back twice."""
    calls.append(1)
    if len(calls) % 3 == 0:
        time.sleep(_LONGER_THAN_ANY_TEST)
    return float(rng.random())


def hangs_with_sigterm_ignored(dataset: Any, rng: Any) -> NoReturn:
    """Can be ended by SIGKILL only."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(1)


def hangs_in_a_regular_expression(dataset: Any, rng: Any) -> Any:
    """Backtracks for longer than the universe lasts."""
    return re.match(r"(a+)+$", "a" * 100 + "b")


def hangs_in_c(dataset: Any, rng: Any) -> Any:
    """Sleeps in C with the interpreter's lock held and all signals blocked."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    return ctypes.PyDLL(None).sleep(_LONGER_THAN_ANY_TEST)


def hangs_in_sample(dataset: Any, rng: Any) -> float:
    """Draws one at once, many never."""
    return float(rng.random())


def _never(dataset: Any, size: int, rng: Any) -> NoReturn:
    while True:
        time.sleep(1)


hangs_in_sample.sample = _never  # type: ignore[attr-defined]


def stops_itself(dataset: Any, rng: Any) -> NoReturn:
    """Sends itself SIGSTOP: nothing but SIGKILL (or SIGCONT) reaches it any more."""
    os.kill(os.getpid(), signal.SIGSTOP)
    while True:
        time.sleep(1)


def prints_for_ever(dataset: Any, rng: Any) -> NoReturn:
    """Never stops printing."""
    while True:
        print("still here")


def hangs_at_exit(dataset: Any, rng: Any) -> float:
    """Answers, and lets its process not end when it is asked to."""
    if not getattr(hangs_at_exit, "registered", False):
        hangs_at_exit.registered = True  # type: ignore[attr-defined]
        atexit.register(time.sleep, _LONGER_THAN_ANY_TEST)
    return float(rng.random())
