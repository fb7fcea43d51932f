"""What a learner may change around itself, put back after each request, and the global generators it may use.

State that has no place to be read from and written back (loaded modules, threads, C libraries) is not
covered.
"""

from __future__ import annotations

import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
from numpy.random import SeedSequence

from dpcheck.execution.undisturbed import as_the_user_set

#: Added to a request's spawn key for the seeds of the global generators, so that they are independent of
#: ``rng``.
_GLOBAL_GENERATORS = 0x6C65676163
#: Words of 32 bits that seed each global generator: as many as numpy's own entropy pool holds.
_SEED_WORDS = 4

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def threads_of_a_worker() -> dict[str, str]:
    """Variables for one thread a process; a user's own values win.

    Threads of several workers wait for each other on few cores, which costs more than they win.
    """
    return dict.fromkeys(_THREADS, "1")


@contextmanager
def surroundings_kept() -> Iterator[list[warnings.WarningMessage]]:
    """Put back, at the end, what a learner may have changed in the process around it.

    That is: the directory, the environment, numpy's error state, warning filters, the import path, the
    recursion limit and the standard streams. The global generators are seeded for each request, so that
    :func:`generators_kept` puts them back once for many: reading and writing them takes longer than a short request.

    Gives the list in which warnings arrive, each time one is given.
    """
    environment = _variables()
    directory = _directory()
    path = sys.path[:]
    streams = sys.stdout, sys.stderr
    onceregistry: dict[Any, Any] = getattr(warnings, "onceregistry", {})
    shown_once = dict(onceregistry)
    recursion = sys.getrecursionlimit()
    try:
        with as_the_user_set(), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            # what was shown "once" is remembered beside the filters: one request must not silence the next
            onceregistry.clear()
            yield caught
    finally:
        onceregistry.clear()
        onceregistry.update(shown_once)
        sys.stdout, sys.stderr = streams
        if sys.getrecursionlimit() != recursion:
            sys.setrecursionlimit(recursion)
        if sys.path != path:
            sys.path[:] = path
        if _variables() != environment:
            restore_environment({os.fsdecode(name): os.fsdecode(value) for name, value in environment.items()})
        if directory is not None and _directory() != directory:
            with suppress(OSError):
                os.chdir(directory)


@contextmanager
def generators_kept() -> Iterator[None]:
    """Put back, at the end, the states of ``numpy.random`` and ``random``.

    Examples
    --------
    >>> before = random.getstate()
    >>> with generators_kept():
    ...     seed_global_generators(SeedSequence(0))
    >>> random.getstate() == before
    True
    """
    states = generator_states()
    try:
        yield
    finally:
        restore_generators(states)


def generator_states() -> tuple[Any, Any]:
    """The states of ``numpy.random`` and ``random``."""
    return np.random.get_state(), random.getstate()  # noqa: NPY002  (a learner may use it)


def restore_generators(states: tuple[Any, Any]) -> None:
    """Make the states of ``numpy.random`` and ``random`` these."""
    np.random.set_state(states[0])  # noqa: NPY002  (as above)
    random.setstate(states[1])


def restore_environment(environment: dict[str, str]) -> None:
    """Make the environment exactly this one."""
    for name in [name for name in os.environ if name not in environment]:
        del os.environ[name]
    os.environ.update(environment)


def _variables() -> dict[Any, Any]:
    # os.environ decodes each variable anew; what it holds is copied a hundred times faster, which is a third
    # of the time of a short request.
    return dict(getattr(os.environ, "_data", os.environ))


def _directory() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # the directory was removed under us
        return None


def seed_global_generators(seed: SeedSequence) -> None:
    """Seed ``numpy.random`` and ``random``: who draws from them must not repeat itself across requests."""
    key = (*seed.spawn_key, _GLOBAL_GENERATORS)
    words = SeedSequence(seed.entropy, spawn_key=key).generate_state(2 * _SEED_WORDS)
    np.random.seed(words[:_SEED_WORDS])  # noqa: NPY002  (as above)
    random.seed(words[_SEED_WORDS:].tobytes())
