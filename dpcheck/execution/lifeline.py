"""A process that ends when another does: killed when the other's end of a pipe closes, however the other ended."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress


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
