"""Environments for packages of others: versions locked, each in a folder of its own, with this dpcheck in it.

What runs there is the code that runs here: dpcheck's own files are copied, whichever way they came to this machine (an
index, a folder, an editable installation), so that no second build of them may differ; what they depend on is resolved
together with what is wanted, and locked with it. An environment is used again while its lock, its Python and dpcheck
are what it was made of. What makes it is uv where it is to be had, which is fast and gets other Pythons, else venv and
pip.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from typing import Any, Protocol

from dpcheck.execution.users_code import source_digest
from dpcheck.model import disk
from dpcheck.model.disk import real_path
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.harmless import one_line

#: What an environment is made of, in its folder; written last, so that one which is not whole has none.
NOTE = "dpcheck-environment.json"
#: Ends the name of a file that stands beside an environment while it is made: what was ended on the way is ours.
BEGUN = ".begun"
#: What is held while environments are made and used.
_IN_USE = "in-use"
#: A package that is built from its source may take long; one that takes longer hangs.
MAX_SECONDS = 3600.0
#: Of what a tool says about its failure no more characters are shown.
_MOST_SAID = 400
_MARK = "# Locked by dpcheck survey"
#: Variables that would let this process's packages into an environment.
_OF_THIS_ONE = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX", "__PYVENV_LAUNCHER__")
_PORTRAIT = """
import json, platform, sys
from importlib import metadata
import dpcheck
from dpcheck.cli import app
found = {f"{one.name}=={one.version}" for one in metadata.distributions() if one.name}
print(json.dumps({"python": platform.python_version(), "packages": sorted(found, key=str.lower)}))
"""
_SITE = "import sysconfig; print(sysconfig.get_path('purelib'))"


class NotMade(RuntimeError):
    """An environment that could not be made, and why, in one line."""


@dataclass(frozen=True)
class Wanted:
    """An environment that is wanted.

    Parameters
    ----------
    name : its folder's name
    requirements : as pip takes them, such as ``diffprivlib==0.6.6``
    python : a version such as ``3.11``; that of this process where it is empty
    lock : the file of its versions, made where it is not there; beside the environment where none is named
    start : the folder at which relative paths of requirements start
    """

    name: str
    requirements: tuple[str, ...]
    python: str = ""
    lock: Path | None = None
    start: Path = Path()


@dataclass(frozen=True)
class Made:
    """An environment: its interpreter, its versions, and a digest of what it was made of.

    ``seconds`` is what its making took; 0.0 where it was there.
    """

    name: str
    interpreter: Path
    python: str
    packages: tuple[str, ...]
    digest: str
    seconds: float


class Tool(Protocol):
    """What makes virtual environments and fills them; each method raises :class:`NotMade`."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def create(self, place: Path, python: str) -> None:
        """An empty environment, in the place of what is there."""
        ...

    def locked(self, interpreter: Path, requirements: Sequence[str], start: Path) -> str:
        """The versions to install for these requirements, as a file of requirements."""
        ...

    def install(self, interpreter: Path, lock: Path, start: Path) -> None:
        """Install just these versions."""
        ...


@dataclass(frozen=True)
class Uv:
    """Environments by uv."""

    program: str
    name: str = "uv"

    def create(self, place: Path, python: str) -> None:
        """An empty environment, in the place of what is there."""
        _ran([self.program, "venv", "--quiet", "--clear", "--no-project", "--python", python or sys.executable, place])

    def locked(self, interpreter: Path, requirements: Sequence[str], start: Path) -> str:
        """The versions to install, with hashes."""
        options: list[str | Path] = [
            "--quiet",
            "--no-header",
            "--no-annotate",
            "--generate-hashes",
            "--python",
            interpreter,
        ]
        return _ran([self.program, "pip", "compile", *options, "-"], start, "\n".join(requirements))

    def install(self, interpreter: Path, lock: Path, start: Path) -> None:
        """Install just these versions."""
        options: list[str | Path] = ["--quiet", "--link-mode", "copy", "--python", interpreter]
        _ran([self.program, "pip", "sync", *options, lock], start)


@dataclass(frozen=True)
class Pip:
    """Environments by venv and pip, of the Pythons that are here."""

    name: str = "pip"

    def create(self, place: Path, python: str) -> None:
        """An empty environment, in the place of what is there."""
        _ran([_python_here(python), "-m", "venv", "--clear", place])

    def locked(self, interpreter: Path, requirements: Sequence[str], start: Path) -> str:
        """The versions to install; no hashes, which pip would want of every line."""
        asked = ["--quiet", "--dry-run", "--ignore-installed", "--report", "-", *requirements]
        report = json.loads(_ran([interpreter, "-m", "pip", "install", *asked], start))
        pins = {f"{one['metadata']['name']}=={one['metadata']['version']}" for one in report["install"]}
        return "".join(f"{pin}\n" for pin in sorted(pins, key=str.lower))

    def install(self, interpreter: Path, lock: Path, start: Path) -> None:
        """Install just these versions."""
        _ran([interpreter, "-m", "pip", "install", "--quiet", "--no-deps", "-r", lock], start)


def tool_here() -> Tool:
    """uv where it is to be had (beside this Python, or on the path), else pip.

    >>> tool_here().name in ("uv", "pip")
    True
    """
    if util.find_spec("uv") is not None:
        from importlib import import_module

        try:
            return Uv(str(import_module("uv").find_uv_bin()))
        except FileNotFoundError:
            pass
    program = shutil.which("uv")
    return Pip() if program is None else Uv(program)


@contextmanager
def environments_in(folder: Path) -> Iterator[Path]:
    """The folder, made where it is not there, for one process at a time.

    Raises
    ------
    InvalidArgument
        Where it cannot be made or written to, or another process has it.
    """
    try:
        disk.DISK.make_directory(folder)
        mark = disk.DISK.open(folder / _IN_USE)
    except OSError as error:
        why = error.strerror or error
        raise InvalidArgument(f"--environments must be a folder, got {str(folder)!r} ({why})") from error
    try:
        try:
            import fcntl

            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # not on Windows
            pass
        except OSError as error:
            holder = _holder(folder)
            raise InvalidArgument(
                f"--environments must be free, got {str(folder)!r}, which another survey has{holder}: wait, or name "
                "another"
            ) from error
        with suppress(OSError):  # only told to whoever waits
            disk.DISK.truncate(mark, 0)
            disk.DISK.write(mark, f"{os.getpid()}\n".encode())
        yield folder.absolute()
    finally:
        os.close(mark)


def _holder(folder: Path) -> str:
    """Which process has the folder, where that can be read."""
    try:
        number = (folder / _IN_USE).read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
    return f" (process {number})" if number.isdigit() else ""


def made(wanted: Wanted, folder: Path, tool: Tool) -> Made:
    """The environment in this folder, made where it is not there or was made of something else.

    Raises
    ------
    NotMade
        In one line: what could not be resolved, installed or started.
    """
    place = folder / wanted.name
    lock = wanted.lock if wanted.lock is not None else folder / f"{wanted.name}.txt"
    found = _as_noted(wanted, place, lock)
    if found is not None:
        return found
    began = time.monotonic()
    renewed = _with_new_dpcheck(wanted, place, lock, began)
    if renewed is not None:
        return renewed
    begun = folder / f"{wanted.name}{BEGUN}"
    if place.exists() and not (place / "pyvenv.cfg").is_file() and not begun.exists():
        raise NotMade(f"{place} is there and is no environment: take it away, or name another folder")
    try:
        disk.write_whole(begun, "")
        if place.exists():
            shutil.rmtree(place)
        tool.create(place, wanted.python)
        interpreter = interpreter_of(place)
        _lock(wanted, lock, tool, interpreter)
        tool.install(interpreter, lock, wanted.start)
        return _noted(wanted, place, lock, began)
    except OSError as error:
        raise NotMade(one_line(f"{error.strerror or error}: {error.filename or place}")) from error
    finally:
        if not place.exists() or (place / "pyvenv.cfg").is_file():  # what is there says for itself what it is
            begun.unlink(missing_ok=True)


def _noted(wanted: Wanted, place: Path, lock: Path, began: float) -> Made:
    """dpcheck put into an environment whose packages are there, and a note of what it was made of."""
    interpreter = interpreter_of(place)
    (place / NOTE).unlink(missing_ok=True)  # what is ended on the way is made again
    site = Path(_ran([interpreter, "-P", "-c", _SITE]).strip())
    if not real_path(site).is_relative_to(real_path(place)):
        raise NotMade(f"{place} has its packages elsewhere, in {site}: take it away to have it made again")
    _copy_dpcheck(site)
    portrait = json.loads(_ran([interpreter, "-P", "-c", _PORTRAIT]).splitlines()[-1])
    packages = [one for one in portrait["packages"] if not one.startswith("dpcheck==")]
    seconds = time.monotonic() - began
    noted = {
        "digest": _digest(wanted, lock),
        "packages_digest": _digest_of_packages(wanted, lock),
        "python": portrait["python"],
        "packages": packages,
    }
    disk.write_whole(place / NOTE, json.dumps(noted, indent=1) + "\n")
    return Made(wanted.name, interpreter, portrait["python"], tuple(packages), _digest(wanted, lock), seconds)


def _with_new_dpcheck(wanted: Wanted, place: Path, lock: Path, began: float) -> Made | None:
    """The environment that is there with this dpcheck in it, where nothing else of it has changed."""
    try:
        noted = json.loads((place / NOTE).read_text(encoding="utf-8"))
        if noted["packages_digest"] != _digest_of_packages(wanted, lock):
            return None
        return _noted(wanted, place, lock, began)
    except (OSError, ValueError, KeyError, TypeError, NotMade):
        return None


def interpreter_of(place: Path) -> Path:
    """The Python of an environment."""
    return place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def variables_there(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of a process that runs in an environment: nothing of this one's packages.

    >>> "PYTHONPATH" in variables_there()
    False
    """
    kept = {name: value for name, value in os.environ.items() if name not in _OF_THIS_ONE}
    return {**kept, "PYTHONNOUSERSITE": "1", **(more or {})}


def _as_noted(wanted: Wanted, place: Path, lock: Path) -> Made | None:
    """The environment that is there, where it is whole and made of what is wanted."""
    try:
        noted: dict[str, Any] = json.loads((place / NOTE).read_text(encoding="utf-8"))
        if not lock.is_file() or noted["digest"] != _digest(wanted, lock) or not interpreter_of(place).exists():
            return None
        return Made(
            wanted.name,
            interpreter_of(place),
            str(noted["python"]),
            tuple(map(str, noted["packages"])),
            str(noted["digest"]),
            0.0,
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _digest(wanted: Wanted, lock: Path) -> str:
    return hashlib.sha256(f"{_digest_of_packages(wanted, lock)} {source_digest()}".encode()).hexdigest()


def _digest_of_packages(wanted: Wanted, lock: Path) -> str:
    parts = [lock.read_text(encoding="utf-8"), wanted.python or platform.python_version(), *wanted.requirements]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _lock(wanted: Wanted, lock: Path, tool: Tool, interpreter: Path) -> None:
    """Write the lock where it is not there; one that was made for something else is refused."""
    head = _head(wanted.requirements)
    if lock.is_file():
        first = lock.read_text(encoding="utf-8").partition("\n")[0]
        if first.startswith(_MARK) and first != head:
            raise NotMade(
                f"lock {lock.name} was made for {first.removeprefix(_MARK).strip(' :')}, and not for "
                f"{', '.join(wanted.requirements)}: take it away to have it made again"
            )
        return
    pins = tool.locked(interpreter, [*wanted.requirements, *_own_requirements()], wanted.start)
    disk.DISK.make_directory(lock.parent)
    disk.write_whole(
        lock, f"{head}\n# with what dpcheck itself needs; take this file away to have it made again\n{pins}"
    )


def _head(requirements: Sequence[str]) -> str:
    return f"{_MARK}: {', '.join(requirements)}"


def _own_requirements() -> list[str]:
    """What dpcheck needs wherever it runs."""
    return [one for one in metadata.requires("dpcheck") or [] if not re.search(r";.*\bextra\s*==", one)]


def _copy_dpcheck(site: Path) -> None:
    """dpcheck as it runs here, with what tells others its version and entry points."""
    import dpcheck

    source = Path(str(dpcheck.__file__)).parent
    if (site / "dpcheck").exists():  # that of another version
        shutil.rmtree(site / "dpcheck")
    shutil.copytree(source, site / "dpcheck", ignore=shutil.ignore_patterns("__pycache__"))
    own = metadata.distribution("dpcheck")
    described = site / f"dpcheck-{own.version}.dist-info"
    disk.DISK.make_directory(described)
    for name in ("METADATA", "entry_points.txt"):
        disk.write_whole(described / name, own.read_text(name) or "")
    disk.write_whole(described / "INSTALLER", "dpcheck survey\n")


def _python_here(version: str) -> str:
    if not version or platform.python_version().startswith(f"{version}.") or platform.python_version() == version:
        return sys.executable
    found = shutil.which(f"python{version}")
    if found is None:
        raise NotMade(f"there is no Python {version} here, and pip gets none: pip install uv, which does")
    return found


def _ran(command: Sequence[str | Path], folder: Path | None = None, given: str | None = None) -> str:
    """What a command printed.

    Raises
    ------
    NotMade
        Where it fails, with its last words.
    """
    spelt = [str(part) for part in command]
    try:
        ran = subprocess.run(
            spelt,
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd=folder,
            env=variables_there(),
            timeout=MAX_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise NotMade(f"{Path(spelt[0]).name} {spelt[1]} took longer than {MAX_SECONDS:,.0f} s") from None
    except OSError as error:
        raise NotMade(f"{spelt[0]} cannot be run: {error.strerror or error}") from error
    if ran.returncode:
        said = one_line(" ".join((ran.stderr.strip() or ran.stdout.strip() or "no word").split()))
        short = said if len(said) <= _MOST_SAID else f"... {said[-_MOST_SAID:]}"
        raise NotMade(f"{Path(spelt[0]).name} {' '.join(spelt[1:3])} ended with {ran.returncode}: {short}")
    return ran.stdout
