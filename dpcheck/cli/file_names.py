"""Names that no file can have, and what stands where a file should."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from dpcheck.model.disk import real_path
from dpcheck.model.errors import InvalidArgument

# A name that is longer than a file's may be, or links that lead in a circle.
NO_NAME = frozenset({errno.ENAMETOOLONG, errno.ELOOP})
# Of such a name no more characters are shown.
_LONGEST = 60


def shown_name(name: str) -> str:
    """A name as it is shown: all of it, or how it begins and how long it is.

    >>> shown_name("data.csv"), shown_name("a" * 5000)[-27:]
    ("'data.csv'", "aaa'... of 5,000 characters")
    """
    return repr(name) if len(name) <= _LONGEST else f"{name[:_LONGEST]!r}... of {len(name):,} characters"


def check_name(option: str, path: Path) -> None:
    """Refuse a name that no file can have, whether or not there is one.

    Raises
    ------
    InvalidArgument
        Naming the option, with the start of the name.
    """
    try:
        path.stat()
    except OSError as error:
        if error.errno in NO_NAME:
            raise InvalidArgument(
                f"{option} must be a name that a file can have, got {shown_name(str(path))}: {error.strerror}"
            ) from error


def check_apart(read: Mapping[str, Path | str | None], written: Mapping[str, Path | None]) -> None:
    """Refuse to write over what is read, or two documents into one file.

    Parameters
    ----------
    read : what is read, by the option that names it; of a target (``file.py:name``) its file
    written : what is written, by its option

    Raises
    ------
    InvalidArgument
        Naming both options.

    Examples
    --------
    >>> check_apart({"--dataset": "data.csv", "--pairs": None}, {"--json": Path("run.json"), "--output": None})
    """
    files = {name: _file_of(str(path)) for name, path in read.items() if path is not None}
    for name, path in written.items():
        if path is None:
            continue
        place = os.path.realpath(path)
        for other, same in files.items():
            # a terminal or a pipe takes as many documents as come
            if place == same and (os.path.isfile(place) or not os.path.exists(place)):
                raise InvalidArgument(f"{name} must be another file than {other}, got {shown_name(path.name)} for both")
        files[name] = place


def _file_of(text: str) -> str:
    file, colon, _ = text.rpartition(":")
    return os.path.realpath(file if colon and file.endswith(".py") else text)


def no_file(path: Path) -> str:
    """What is there that is no file, with its name; empty for a file, and where there is nothing.

    Raises
    ------
    OSError
        When it cannot be looked at.

    >>> no_file(Path("/")), no_file(Path("/nowhere/x"))
    ("the folder '/'", '')
    """
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    kinds = {stat.S_IFREG: "", stat.S_IFDIR: "the folder", stat.S_IFIFO: "the pipe", stat.S_IFSOCK: "the socket"}
    kind = kinds.get(stat.S_IFMT(mode), "the device")
    return f"{kind} {shown_name(str(path))}" if kind else ""


def check_database(option: str, path: Path) -> None:
    """Refuse, before anything is run, a place where SQLite can neither open a file nor make one.

    Raises
    ------
    InvalidArgument
        Naming the option.
    """
    check_name(option, path)
    try:
        found = no_file(path)
        folder = real_path(path).parent if path.is_symlink() and not path.exists() else path.absolute().parent
        while not folder.exists():  # they are made where they are missing, but of a link that leads nowhere
            if path.is_symlink():
                raise InvalidArgument(f"{option} must be a file, got {str(path)!r}, a link to what is not there")
            folder = folder.parent
    except OSError as error:
        raise InvalidArgument(f"{option} must be a file, got {shown_name(str(path))}: {error.strerror}") from error
    if not found and not folder.is_dir():
        raise InvalidArgument(f"{option} must be in a folder, got {str(path)!r}: {str(folder)!r} is none")
    if found:
        raise InvalidArgument(f"{option} must be a file, got {found}")
