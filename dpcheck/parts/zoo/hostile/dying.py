"""Learners that take their process with them."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
from typing import Any, NoReturn

_ROOM_LEFT_BYTES = 1 << 27
_EXIT_STATUS = 3


def leaves_without_a_word(dataset: Any, rng: Any) -> NoReturn:
    """Ends the process with ``os._exit``."""
    os._exit(_EXIT_STATUS)


def leaves_as_if_all_were_well(dataset: Any, rng: Any) -> NoReturn:
    """Ends the process with status 0."""
    os._exit(0)


def segfaults(dataset: Any, rng: Any) -> Any:
    """Reads address 0."""
    return ctypes.string_at(0)


def aborts(dataset: Any, rng: Any) -> NoReturn:
    """Calls ``abort``, after some last words."""
    os.write(2, b"free(): invalid pointer\n")
    os.abort()


def kills_itself(dataset: Any, rng: Any) -> NoReturn:
    """Sends itself SIGKILL, as the kernel does to what takes too much memory."""
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")


def dies_on_one_neighbour(dataset: Any, rng: Any) -> float:
    """Ends the process where the data add up to more than one."""
    if dataset.sum() > 1:
        os._exit(_EXIT_STATUS)
    return float(rng.random())


def dies_and_leaves_a_child(dataset: Any, rng: Any) -> NoReturn:
    """Ends the process while a child holds all its open files."""
    if os.fork() == 0:
        signal.pause()
    os._exit(_EXIT_STATUS)


def eats_memory(dataset: Any, rng: Any) -> Any:
    """Takes memory until its limit (which it lowers first, for the machine's sake) is reached."""
    with open("/proc/self/statm") as statm:
        used = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + _ROOM_LEFT_BYTES, resource.RLIM_INFINITY))
    kept = []
    while True:
        kept.append(bytearray(1 << 20))


def closes_every_file(dataset: Any, rng: Any) -> float:
    """Closes all files of the process, as daemons do."""
    os.closerange(0, 256)
    return float(rng.random())


def writes_into_every_pipe(dataset: Any, rng: Any) -> float:
    """Writes to all open files of the process."""
    for number in range(3, 32):
        try:
            os.write(number, b"hello, whoever you are: here is some text")
        except OSError:
            continue
    return float(rng.random())
