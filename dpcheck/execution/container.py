"""A worker that is shut in by bubblewrap: it sees the files of the machine, changes none, and reaches nobody.

bubblewrap (``bwrap``) is what Flatpak shuts programs in with. firejail was looked at and left out: it is set up by
profiles in the system's and the user's folders, so that what it does to a worker is not said here, and its program runs
as root whoever starts it.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from dpcheck.model.errors import InvalidArgument

#: What is empty in there, and the worker's own: where everybody writes, and where the sockets of the system are, behind
#: which somebody may do what a learner asks for.
PRIVATE = ("/tmp", "/run")
#: What fits into one of these, in bytes: it is memory.
_PRIVATE_BYTES = 1 << 30
#: Said of no container: it takes milliseconds.
_TRIAL_SECONDS = 20.0
_INSTEAD = "isolation='process' (--isolation process) runs the learner without one"


def command_of_container(memory: int | None = None) -> tuple[str, ...]:
    """What a worker's command begins with, to be run in a container; ``memory``: bytes that a process there may have.

    Raises
    ------
    InvalidArgument
        Where there is no bubblewrap, or it does not work here: one line, which says what is missing.
    """
    trouble = missing()
    if trouble:
        raise InvalidArgument(f"isolation='container' needs bubblewrap, and {trouble}; {_INSTEAD}")
    room = _PRIVATE_BYTES if memory is None else min(_PRIVATE_BYTES, memory)
    return (*_shut_in(room), *_shown(needed_places()), "--")


def missing() -> str:
    """Why no container can be had here, in words that follow "and"; empty where it can."""
    if not sys.platform.startswith("linux"):
        return "that is for Linux alone"
    program = shutil.which("bwrap")
    if program is None:
        return "bwrap is not installed (apt install bubblewrap, dnf install bubblewrap)"
    return _trouble_of(program)


@functools.cache
def _trouble_of(program: str) -> str:
    command = [*_shut_in(_PRIVATE_BYTES), "--", sys.executable, "-I", "-S", "-c", ""]
    shown = [*command[: command.index("--")], *_shown(needed_places()), *command[command.index("--") :]]
    try:
        done = subprocess.run(shown, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TRIAL_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{program} cannot be run: {' '.join(str(error).split())}"
    if done.returncode == 0:
        return ""
    said = " ".join(done.stderr.decode("utf-8", "replace").split())[:200]
    return f"{program} does not work here: {said or f'it ended with status {done.returncode}'}"


@functools.cache
def _offers(program: str) -> str:
    done = subprocess.run([program, "--help"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return (done.stdout + done.stderr).decode("utf-8", "replace")


def _shut_in(room: int) -> tuple[str, ...]:
    """All but what is shown of the private folders."""
    program = shutil.which("bwrap") or "bwrap"
    private = [folder for folder in (*PRIVATE, "/dev/shm") if os.path.isdir(folder)]
    offered = _offers(program)
    size = ("--size", str(room)) if "--size" in offered else ()  # since 0.7
    return (
        program,
        "--unshare-all",  # network, processes, users, and what programs share by other names
        *(("--unshare-user", "--disable-userns") if "--disable-userns" in offered else ()),  # since 0.8
        "--cap-drop",
        "ALL",
        "--die-with-parent",
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--proc",
        "/proc",
        *(one for folder in private for one in (*size, "--tmpfs", folder)),
    )


def needed_places() -> tuple[str, ...]:
    """What Python, dpcheck and the modules that are loaded are read from, and the working directory."""
    loaded = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    files = [os.path.dirname(file) for file in loaded if isinstance(file, str) and _private(file)]
    directory = ""
    with suppress(OSError):
        directory = os.getcwd()
    given = [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.executable, directory, *sys.path, *files]
    named = [os.path.abspath(one) for one in given if isinstance(one, str) and one]
    return tuple(sorted({*named, *map(os.path.realpath, named)}))


def _shown(places: Iterable[str]) -> tuple[str, ...]:
    """What makes those of the places that lie in private folders seen there too, to be read."""
    hidden = sorted({place for place in places if _private(place) and os.path.exists(place)})
    kept: list[str] = []
    for place in hidden:  # those above come first
        if place in PRIVATE:  # it stays private: of it what can be imported is seen
            kept += sorted(
                map(str, (*Path(place).glob("*.py"), *(one.parent for one in Path(place).glob("*/__init__.py"))))
            )
        elif not any(place.startswith(f"{above}/") for above in kept):
            kept.append(place)
    return tuple(one for place in dict.fromkeys(kept) for one in ("--ro-bind-try", place, place))


def _private(place: str) -> bool:
    return any(place == folder or place.startswith(f"{folder}/") for folder in PRIVATE)
