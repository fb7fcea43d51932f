"""Bytes made in a copy of this process, so that what makes them may end or hang without taking this one along.

An object that lives in a script or a test is packed by its own code (``__reduce_ex__``, ``__getstate__``), and a
process that such code ends with status 0 looks like a run that was finished. On Linux a copy is made in a few
milliseconds; where copies are not safe (other threads, libraries with threads of their own) there is none.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress

#: Their threads hold locks that a copy would wait for in vain.
_NOT_COPIED = frozenset({"jax", "tensorflow", "grpc", "pyspark"})
#: What the copy begins with: bytes follow, or they must be made in this process.
_MADE, _HERE = b"made", b"here"
_LENGTH = 8
_AT_ONCE = 1 << 20


class CopyEnded(Exception):
    """The copy ended, or was ended after its time, before it gave bytes; the text says which."""


def can_be_copied() -> bool:
    """Whether this process may be copied safely: on Linux, from its only thread."""
    alone = threading.active_count() == 1 and threading.current_thread() is threading.main_thread()
    return sys.platform == "linux" and alone and not _NOT_COPIED & sys.modules.keys()


def bytes_of_copy(make: Callable[[], bytes], seconds: float) -> bytes | None:
    """What ``make`` gives in a copy of this process; None where it raises, and must be called here to see what.

    Raises
    ------
    CopyEnded
        When the copy ends in the middle of it, or takes longer than ``seconds``.

    Examples
    --------
    >>> bytes_of_copy(lambda: b"some bytes", 10.0)
    b'some bytes'
    """
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of linear algebra that wait for work
        child = os.fork()
    if child == 0:
        _give(make, reading, writing)
    os.close(writing)
    ended = False
    try:
        told, ended = _read(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        if not ended:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
    if told[: len(_MADE)] == _MADE:
        start = len(_MADE) + _LENGTH
        if len(told) - start >= _length(told):
            return bytes(told[start : start + _length(told)])
    if told[: len(_HERE)] == _HERE:
        return None
    if not ended:
        raise CopyEnded(f"gave no sign of life for {seconds:g} s")
    code = os.waitstatus_to_exitcode(status)
    raise CopyEnded(f"ended its process with {f'signal {-code}' if code < 0 else f'status {code}'}")


def _length(told: bytearray) -> int:
    return int.from_bytes(told[len(_MADE) : len(_MADE) + _LENGTH], "big")


def _read(pipe: int, until: float) -> tuple[bytearray, bool]:
    """What the copy says, and whether it ended by itself: a process that it started may hold the pipe open."""
    told = bytearray()
    while (left := until - time.monotonic()) > 0:
        if not select.select([pipe], [], [], left)[0]:
            break
        part = os.read(pipe, _AT_ONCE)
        told += part
        if not part:
            return told, True
        if told[: len(_HERE)] == _HERE:
            break
        if len(told) >= len(_MADE) + _LENGTH and len(told) - len(_MADE) - _LENGTH >= _length(told):
            break
    return told, False


def _give(make: Callable[[], bytes], reading: int, writing: int) -> None:
    """In the copy: tell what was made, and end without what a process does at its end."""
    try:
        os.close(reading)
        if "torch" in sys.modules:
            sys.modules["torch"].set_num_threads(1)  # its other threads are not in the copy
        try:
            data = make()
            told = _MADE + len(data).to_bytes(_LENGTH, "big") + data
        except BaseException:
            told = _HERE
        view = memoryview(told)
        while view:
            view = view[os.write(writing, view) :]
    finally:
        os._exit(0)
