"""What a learner opens outside its process while it answers: files, databases, sockets, other processes.

Only there can an answer be kept where no forgetting reaches it. Seen by Python's own audit events, so that it rests on
no library's name; what compiled code opens by itself gives no event, and is not seen.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

#: Events that name something outside the process, and what is said of each.
_EVENTS = {
    "open": "opens",
    "sqlite3.connect": "connects to the database",
    "socket.connect": "connects to a socket",
    "mmap.__new__": "maps memory",
    "os.mkdir": "makes the directory",
    "os.rename": "renames",
    "os.remove": "removes",
    "os.link": "links",
    "os.symlink": "links",
    "os.truncate": "cuts",
    "os.utime": "marks",
    "os.fork": "forks",
    "os.system": "runs a command",
    "subprocess.Popen": "runs a command",
}
#: Those whose first argument is a path.
_OF_PATHS = frozenset({"open", "sqlite3.connect", "os.mkdir", "os.rename", "os.remove", "os.truncate", "os.utime"})
#: What an import opens, and what keeps nothing.
_CODE, _NOTHING_KEPT = (".py", ".pyc", ".so", ".pyd"), ("/dev/urandom", "/dev/random", "/dev/null", "/proc/", "/sys/")
#: So many different ones are told, with names of at most so many characters.
_MOST_TOLD, _LONGEST_NAME = 3, 40

#: The lists that are being written: an audit hook cannot be taken away again, so it is told when nobody listens.
_listening: list[list[str]] = []
_hooked: list[bool] = []


@contextmanager
def opened_outside() -> Iterator[list[str]]:
    """What is opened outside the process while this is entered, in words, each once.

    Examples
    --------
    >>> with opened_outside() as seen:
    ...     _ = open(os.path.join(os.curdir, "README.md")).close()
    >>> seen
    ["opens 'README.md'"]
    """
    if not _hooked:
        sys.addaudithook(_heard)
        _hooked.append(True)
    seen: list[str] = []
    _listening.append(seen)
    try:
        yield seen
    finally:
        _listening.remove(seen)


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    if not _listening or event not in _EVENTS:
        return
    words = _EVENTS[event]
    if event in _OF_PATHS:
        if isinstance(arguments[0], int):
            return  # a file that is open already
        try:
            name = os.fsdecode(arguments[0])
        except Exception:  # a path of the learner's own making
            name = "?"
        if name.endswith(_CODE) or name.startswith((*_NOTHING_KEPT, sys.prefix + os.sep, sys.base_prefix + os.sep)):
            return
        words += f" {os.path.basename(name)[:_LONGEST_NAME]!r}"
    for seen in _listening:
        if words not in seen and len(seen) < _MOST_TOLD:
            seen.append(words)
