"""How much memory, how many processes and how many open files a learner's worker may have, and how that is kept.

Set by the kernel's limits of a process, which its children inherit. They count each process by itself, and of memory
what is the process's own (its heap, its stacks, its private pages): address space that is only reserved is free, for
libraries reserve much more than they use. What one process alone cannot be held to, the number of all that it starts,
is counted by whoever waits for it (:mod:`dpcheck.execution.started_processes`).
"""

from __future__ import annotations

import errno
import math
import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dpcheck.execution import APART
from dpcheck.model.errors import InvalidArgument

#: A worker has this much of its own once numpy, scikit-learn and pandas are loaded (232 MiB; jax: 244 MiB).
LEAST_MEMORY = 256 << 20
#: Of the machine's memory, or what a container was given of it, what a worker may take when nobody says: more than what
#: is there helps nobody, and the rest lets a machine go on that ran full.
SHARE_OF_MEMORY = 0.9
#: Processes beside itself, when nobody says: one per core of a large machine, and what a machine survives.
PROCESSES = 512
#: Interpreter, libraries and pipes have some open; a learner that reads its data needs others.
LEAST_FILES = 64
#: The kernel counts threads, and all of the user's, as processes: what it allows beside those that are counted here.
_TASKS_BESIDE = 1024
_UNITS = {"": 1, **{f"{letter}iB": 1 << 10 * power for power, letter in enumerate("KMGT", 1)}}
_UNITS |= {f"{letter}B": 1000**power for power, letter in enumerate("KMGT", 1)}
_SPELT = re.compile(r"(\d+(?:\.\d+)?) ?([kmgt]?)(|b|ib)", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Resources:
    """What a worker may have at most; None where nobody says.

    Parameters
    ----------
    memory : bytes of each of its processes
    processes : how many it may start, beside itself
    files : how many each of its processes may have open

    Examples
    --------
    >>> Resources(memory=2 << 30).given
    ('max_memory',)
    """

    memory: int | None = None
    processes: int | None = None
    files: int | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """The names of those that somebody asked for."""
        asked = {"max_memory": self.memory, "max_processes": self.processes, "max_files": self.files}
        return tuple(name for name, value in asked.items() if value is not None)


UNLIMITED = Resources()


def wanting_a_process(isolation: str, resources: Resources) -> str:
    """The argument for which a learner may not run in this process; empty where it may.

    >>> wanting_a_process("container", UNLIMITED), wanting_a_process("auto", Resources(files=99))
    ("isolation='container'", 'max_files')
    """
    return f"isolation={isolation!r}" if isolation in APART else next(iter(resources.given), "")


def bytes_of(name: str, value: Any) -> int:
    """A number of bytes, or one that is spelt: 2GiB, 500MB; 2g is 2GiB, as docker has it.

    Raises
    ------
    InvalidArgument
        For anything else, and for less than a worker takes for itself.

    Examples
    --------
    >>> bytes_of("max_memory", "2GiB"), bytes_of("max_memory", "1.5g"), bytes_of("max_memory", 500_000_000)
    (2147483648, 1610612736, 500000000)
    >>> bytes_of("max_memory", "12 parsecs")
    Traceback (most recent call last):
    dpcheck.InvalidArgument: max_memory must be bytes such as 2GiB or 500MB, at least 256 MiB, got '12 parsecs'
    """
    wrong = f"{name} must be bytes such as 2GiB or 500MB, at least {in_bytes(LEAST_MEMORY)}, got {value!r}"
    found = math.nan
    if isinstance(value, str):
        spelt = _SPELT.fullmatch(value.strip())
        if spelt:
            number, letter, unit = spelt.groups()
            kind = "B" if unit.lower() == "b" and letter else "iB" if letter else ""
            found = float(number) * _UNITS[letter.upper() + kind]
    elif isinstance(value, int) and not isinstance(value, bool):
        found = value
    if not LEAST_MEMORY <= found < sys.maxsize:
        raise InvalidArgument(wrong)
    return int(found)


def in_bytes(number: int) -> str:
    """A number of bytes for a reader.

    >>> in_bytes(2 << 30), in_bytes(500_000_000), in_bytes(3 << 29), in_bytes(999_500 << 20)
    ('2 GiB', '477 MiB', '1.5 GiB', '976 GiB')
    """
    for power, unit in ((30, "GiB"), (20, "MiB")):
        if number >= 1 << power:
            size = number / (1 << power)
            return f"{size:.3g} {unit}" if size < 999.5 else f"{size:.0f} {unit}"
    return f"{number} bytes"


def settled(resources: Resources) -> Resources:
    """What a worker may have, with what holds where nobody says.

    Raises
    ------
    InvalidArgument
        Where one is asked for that the system does not keep.
    """
    if not sys.platform.startswith("linux"):
        for name in resources.given:
            if name != "max_files":
                raise InvalidArgument(f"{name} must be None here: only Linux keeps workers to it")
        return resources
    return Resources(
        memory=_of_the_machine() if resources.memory is None else resources.memory,
        processes=PROCESSES if resources.processes is None else resources.processes,
        files=resources.files,
    )


def _of_the_machine() -> int:
    """What a worker may take of the memory that the machine has, or the container in which dpcheck runs."""
    there = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(file, encoding="ascii") as held:
            there.append(int(held.read()))
    return max(LEAST_MEMORY, int(SHARE_OF_MEMORY * min(there)))


def as_argument(resources: Resources, tasks: int | None) -> str:
    """Resources on a worker's command line; ``tasks`` is how many threads the whole system has, where that is known.

    >>> as_argument(Resources(memory=1000, processes=3), 100), as_argument(Resources(), None)
    ('1000,1127,', ',,')
    """
    limit = None if tasks is None or resources.processes is None else tasks + resources.processes + _TASKS_BESIDE
    return ",".join("" if value is None else str(value) for value in (resources.memory, limit, resources.files))


#: What this process was held to, in words, for the message where it runs out of it.
_held: dict[str, str] = {}


def keep_to(argument: str) -> None:
    """Hold this process, and all that it starts, to what its command line says: for good, as nobody may raise it."""
    import resource

    memory, tasks, files = (int(value) if value else None for value in argument.split(","))
    for which, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_DATA, memory),
        (getattr(resource, "RLIMIT_NPROC", None), tasks),
        (resource.RLIMIT_NOFILE, files),
    ):
        if which is None or value is None:
            continue
        _, most = resource.getrlimit(which)
        least = value if most == resource.RLIM_INFINITY else min(value, most)
        with suppress(OSError, ValueError):  # a system that does not know it
            resource.setrlimit(which, (least, least))
    _held["memory"] = memory_words(memory)
    if files is not None:
        _held["files"] = f" (max_files = {files})"


def memory_words(memory: int | None) -> str:
    """What is said of it behind "ran out of memory".

    >>> memory_words(2 << 30), memory_words(None)
    (' (max_memory = 2 GiB)', '')
    """
    return "" if memory is None else f" (max_memory = {in_bytes(memory)})"


def words_of_own_memory() -> str:
    """The same of what this process was held to."""
    return _held.get("memory", "")


def words_of_own_files(error: BaseException) -> str:
    """What is said behind "opened more files than it may", of an error that says so in a process held to some."""
    return _held.get("files", "") if isinstance(error, OSError) and error.errno == errno.EMFILE else ""
