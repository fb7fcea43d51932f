"""A disk of which one operation fails: tests and benchmarks/faults.py put it in the place of ``DISK``.

    python tests/failing_disk.py killed 3 audit mine.py:Learner --epsilon 1 --json run.json

runs the command on such a disk: its third operation does not come to its end, for the process is killed.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from mmap import mmap
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dpcheck.model import disk
from dpcheck.model.disk import Disk

#: Every operation of the seam; one that is added to it fails here too.
OPERATIONS = frozenset(name for name in vars(Disk) if not name.startswith("_"))


class Killed(BaseException):
    """Ends a run where it stands, where a test cannot have its process killed."""


@dataclass(frozen=True)
class Fault:
    """What happens to an operation.

    ``number`` is the error's; ``lasting`` says whether all later operations that need room fail too; ``short`` that
    half is written, and no error told; ``killed`` that the process ends there, ``gently`` that an exception stands for
    that.
    """

    number: int = 0
    lasting: bool = False
    short: bool = False
    killed: bool = False
    gently: bool = False


FAULTS: Mapping[str, Fault] = MappingProxyType(
    {
        "full": Fault(errno.ENOSPC),
        "full from then on": Fault(errno.ENOSPC, lasting=True),
        "broken": Fault(errno.EIO),
        "read-only": Fault(errno.EROFS, lasting=True),
        "denied": Fault(errno.EACCES),
        "short": Fault(short=True),
        "killed": Fault(killed=True),
    }
)
#: What a full disk, or one that is read only, still does.
_NEEDS_NO_ROOM = frozenset({"read", "truncate", "remove", "open_device"})


class FailingDisk(Disk):
    """A disk whose operation number ``at`` fails; ``told`` has a 1 then, where other processes see it."""

    def __init__(self, at: int, fault: Fault, told: bytearray | mmap | None = None) -> None:
        self.at, self.fault, self.told = at, fault, told
        self.log: list[str] = []
        self.fired = False

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return partial(self._tried, name, found) if name in OPERATIONS else found

    def _tried(self, name: str, do: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        self.log.append(name)
        if not self._fails(name):
            return do(*arguments, **more)
        self.fired = True
        if self.told is not None:
            self.told[0] = 1
        if name == "write":
            file, data = arguments
            if data:
                do(file, data[: len(data) // 2 or 1] if self.fault.short else data[: len(data) // 2])
            if self.fault.short:
                return len(data) // 2 or len(data[:1])
        elif self.fault.short:
            return do(*arguments, **more)
        if self.fault.gently:
            raise Killed
        if self.fault.killed:
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(self.fault.number, os.strerror(self.fault.number))

    def _fails(self, name: str) -> bool:
        if self.fault.lasting:
            return len(self.log) >= self.at and name not in _NEEDS_NO_ROOM
        return len(self.log) == self.at


@contextmanager
def failing(at: int, fault: Fault) -> Iterator[FailingDisk]:
    """Everything that is written meanwhile is written to such a disk."""
    before, disk.DISK = disk.DISK, FailingDisk(at, fault)
    try:
        yield disk.DISK
    finally:
        disk.DISK = before


def main() -> None:
    """Run dpcheck on a disk that fails."""
    fault, at = FAULTS[sys.argv[1]], int(sys.argv[2])
    sys.argv[:] = [str(Path(sys.argv[0]).with_name("dpcheck")), *sys.argv[3:]]
    from dpcheck.cli import main as dpcheck

    with failing(at, fault):
        dpcheck()


if __name__ == "__main__":
    main()
