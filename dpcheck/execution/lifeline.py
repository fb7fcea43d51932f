"""A process that ends when another does: killed when the other's end of a pipe closes, however the other ended."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

#: Names the end of a pipe that a command of ours was started with, by a command of ours that waits for it.
STARTED_WITH = "DPCHECK_LIFELINE"


@contextmanager
def lifeline_for_command() -> Iterator[tuple[int, dict[str, str]]]:
    """What a command of dpcheck is started with, so that it ends when this process does, however this one ends.

    Gives a file to be passed on (``pass_fds``), and variables that name it there.
    """
    lifeline, held = os.pipe()
    try:
        yield lifeline, {STARTED_WITH: str(lifeline)}
    finally:
        os.close(lifeline)
        os.close(held)


def end_with_starter() -> None:
    """Let this process be killed when the command that started it ends; nothing where none of ours did.

    Its own children are told of nothing: the variable is taken out.
    """
    named = os.environ.pop(STARTED_WITH, "")
    if not named.isdigit():
        return
    lifeline = int(named)
    with suppress(OSError):  # the variable was handed on by who did not hand on the file
        os.set_inheritable(lifeline, False)
        if killed_by_kernel(lifeline, os.getpid()):
            with suppress(BlockingIOError):
                if os.read(lifeline, 1) == b"":  # closed before we listened
                    os.kill(os.getpid(), signal.SIGKILL)
        else:
            threading.Thread(target=_end_after, args=(lifeline,), daemon=True).start()


def _end_after(lifeline: int) -> None:
    with suppress(OSError):
        while os.read(lifeline, 1):
            pass
    os.kill(os.getpid(), signal.SIGKILL)


def end_group_with(lifeline: int) -> None:
    """Let this process group be killed when the other end of this pipe, to which nobody writes, is closed."""
    # 0 in a container, whose processes are in a group of one outside: with this one, which is waited for, all end
    group = os.getpgrp()
    if killed_by_kernel(lifeline, -group if group else os.getpid()):
        with suppress(BlockingIOError):
            if os.read(lifeline, 1) == b"":  # closed before we listened
                os.killpg(os.getpgrp(), signal.SIGKILL)
    else:
        threading.Thread(target=_wait_for_end, args=(lifeline,), daemon=True).start()


def killed_by_kernel(lifeline: int, owner: int) -> bool:
    """Have the kernel kill a process, or minus a group, when the pipe's other end closes; whether it can.

    It does so even while C code holds the interpreter's lock; and a thread, harmless as it is, makes ``os.fork`` warn
    in later Pythons.
    """
    import fcntl

    if not hasattr(fcntl, "F_SETSIG"):
        return False
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, owner)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC | os.O_NONBLOCK)
    return True


def _wait_for_end(lifeline: int) -> None:
    with suppress(OSError):
        while os.read(lifeline, 1):
            pass
    os.killpg(os.getpgrp(), signal.SIGKILL)
