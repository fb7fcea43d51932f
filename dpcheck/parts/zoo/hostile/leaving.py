"""Learners that change what is around them, or leave something behind."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
import warnings
from typing import Any

import numpy as np

_LONGER_THAN_ANY_TEST = 100_000
_GIGABYTE = 1 << 30
_MUCH = 1 << 20
_KEPT: list[list[int]] = []


def forks_and_both_return(dataset: Any, rng: Any) -> float:
    """Forks, and the child goes on as if it were the parent."""
    os.fork()
    return float(rng.random())


def leaves_children(dataset: Any, rng: Any) -> float:
    """Leaves a sleeping child behind in every call."""
    if os.fork() == 0:
        try:
            time.sleep(_LONGER_THAN_ANY_TEST)
        finally:
            os._exit(0)
    return float(rng.random())


def leaves_threads(dataset: Any, rng: Any) -> float:
    """Leaves a sleeping thread behind in every call."""
    threading.Thread(target=time.sleep, args=(_LONGER_THAN_ANY_TEST,), daemon=True).start()
    return float(rng.random())


def prints_much(dataset: Any, rng: Any) -> float:
    """Prints a megabyte in every call."""
    sys.stdout.write("x" * _MUCH)
    return float(rng.random())


def prints_a_gigabyte(dataset: Any, rng: Any) -> float:
    """Prints a gigabyte past Python's own streams, as C code does."""
    block = b"x" * _MUCH
    for _ in range(_GIGABYTE // _MUCH):
        os.write(1, block)
    return float(rng.random())


def warns(dataset: Any, rng: Any) -> float:
    """Warns in every call."""
    warnings.warn(f"the sum is {dataset.sum()}", RuntimeWarning, stacklevel=1)
    return float(rng.random())


def replaces_the_streams(dataset: Any, rng: Any) -> float:
    """Sets ``sys.stdout`` and ``sys.stderr`` to None."""
    sys.stdout = sys.stderr = None
    return float(rng.random())


def changes_its_surroundings(dataset: Any, rng: Any) -> tuple[Any, ...]:
    """Changes directory, environment, numpy's error state, warning filters, path; answers what it found."""
    found = (
        os.getcwd() == os.sep,
        os.environ.get("HOSTILE"),
        np.geterr()["divide"] == "raise",
        any(action == "error" for action, *_ in warnings.filters[:1]),
        "/hostile" in sys.path,
    )
    os.chdir(os.sep)
    os.environ["HOSTILE"] = "was here"
    os.environ.pop("HOME", None)
    np.seterr(all="raise")
    warnings.simplefilter("error")
    sys.path.insert(0, "/hostile")
    sys.setrecursionlimit(5000)
    return found


def mutates_its_dataset(dataset: Any, rng: Any) -> float:
    """Writes into the dataset it was given, and answers what was in it."""
    answer = float(dataset[0])
    dataset[:] = 99
    return answer


def seeds_the_global_generators(dataset: Any, rng: Any) -> float:
    """Seeds ``numpy.random`` and ``random`` with a constant."""
    np.random.seed(0)  # noqa: NPY002  (the defect)
    random.seed(0)
    return float(rng.random())


def sets_an_alarm(dataset: Any, rng: Any) -> float:
    """Leaves a timer behind that will end the process."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, _LONGER_THAN_ANY_TEST)
    return float(rng.random())


def opens_all_files(dataset: Any, rng: Any) -> float:
    """Opens files until there are no more to be had, and keeps them."""
    kept = []
    try:
        while True:
            kept.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        _KEPT.append(kept)
    return float(rng.random())


def patches_numpy(dataset: Any, rng: Any) -> float:
    """Replaces ``numpy.random.default_rng``, as tests that want no randomness do."""
    np.random.default_rng = lambda *seed: np.random.Generator(np.random.PCG64(0))
    return float(rng.random())


def rewinds_its_generator(dataset: Any, rng: Any) -> float:
    """Puts the generator it is given back to one state: all its draws are one."""
    rng.bit_generator.state = np.random.PCG64(0).state
    return float(rng.random())
