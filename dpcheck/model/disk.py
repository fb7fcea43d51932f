"""What is written to the disk: files whole or not at all, and every request to the system in one place.

A file is written beside its place, given to the disk, and then takes the place of the one that was there: whoever
reads sees the old file or the new one, and whatever fails leaves the old one. There is no library for it that is kept
and does all of this (``atomicwrites`` is archived; ``boltons`` gives nothing to the disk before the rename).

All of it asks :data:`DISK`, which tests and ``benchmarks/faults.py`` replace by one that fails.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

#: What a file that was set aside is called after.
EARLIER = ".earlier"
#: How the names of files end that are not whole yet.
UNFINISHED = ".new"
#: Bytes of a name, at most, on the file systems that there are.
_LONGEST_NAME = 255
#: Names of what this process has open: a file behind them is not replaced, for others go on writing to it.
_OPEN = re.compile(r"/(?:dev|proc/self)/fd/(\d+)")
_STANDARD = {"/dev/stdin": 0, "/dev/stdout": 1, "/dev/stderr": 2}
#: What a file system says that cannot give a file to the disk: there is nothing to wait for.
_NO_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOSYS})
_CLOSED_ON_EXEC = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def real_path(path: str | Path) -> Path:
    """The path without links; of one that links to itself the path as it is, which nothing can open.

    ``Path.resolve`` raises RuntimeError of the latter before Python 3.13.
    """
    return Path(os.path.realpath(path))


class Disk:
    """What is asked of the system, in one place: tests make it fail."""

    def open(self, path: Path) -> int:
        """A file for reading and adding, made where there is none."""
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _CLOSED_ON_EXEC, 0o666)

    def create(self, path: Path) -> int:
        """A new file for writing, readable for whom the umask allows."""
        return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _CLOSED_ON_EXEC, 0o666)

    def open_device(self, path: Path) -> int:
        """What is no file, for writing."""
        return os.open(path, os.O_WRONLY | _CLOSED_ON_EXEC)

    def write(self, file: int, data: bytes) -> int:
        """Add bytes, perhaps not all."""
        return os.write(file, data)

    def read(self, file: int, size: int, place: int) -> bytes:
        """So many bytes from a place on, or fewer at the end."""
        return os.pread(file, size, place)

    def sync(self, file: int) -> None:
        """Give all to the disk."""
        os.fsync(file)

    def truncate(self, file: int, size: int) -> None:
        """Cut a file off."""
        os.ftruncate(file, size)

    def allow(self, path: Path, mode: int) -> None:
        """Who may do what with a file."""
        os.chmod(path, mode)

    def rename(self, old: Path, new: Path) -> None:
        """Another name for a file; one that is there stays."""
        try:
            os.link(old, new)
        except FileExistsError:
            raise
        except OSError:  # a file system without such links
            if new.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(new)) from None
            os.rename(old, new)
        else:
            os.unlink(old)

    def replace(self, old: Path, new: Path) -> None:
        """Another name for a file or a folder, in the place of a file or an empty folder that is there."""
        os.replace(old, new)

    def remove(self, path: Path) -> None:
        """Take a file away."""
        os.unlink(path)

    def make_directory(self, path: Path, *, parents: bool = True) -> None:
        """A folder, with those that it is in where so asked; one that is there is as good."""
        path.mkdir(parents=parents, exist_ok=True)


DISK = Disk()


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a file, as a whole or not at all; a link stays, and so does who may read a file that was there.

    Parameters
    ----------
    path : Path, a file in a folder that exists; what is no file (a pipe, ``/dev/stdout``) is written as it is
    text : str, written as UTF-8, or bytes

    Raises
    ------
    OSError
        Where it cannot be written: what was there is as it was.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "record.json"
    ...     write_whole(file, "{}")
    ...     file.read_text(), [each.name for each in Path(folder).iterdir()]
    ('{}', ['record.json'])
    """
    data = _encoded(text) if isinstance(text, str) else text
    if is_of_the_system(path):
        _write_on(path, data)
        return
    target = _target(path)
    file, fresh = _created(target)
    try:
        try:
            _write_all(file, data)
            _sync(file)
        finally:
            os.close(file)
        mode = _mode_before(target)
        if mode is not None and mode != stat.S_IMODE(fresh.stat().st_mode):
            DISK.allow(fresh, mode)
        DISK.replace(fresh, target)
    except BaseException:
        with suppress(OSError):
            DISK.remove(fresh)
        raise


def try_folder(folder: Path) -> None:
    """Make a file in a folder, and take it away: permissions do not tell what a file system refuses.

    Raises
    ------
    OSError
        Where no file can be made there.
    """
    file, made = _created(folder / "dpcheck")
    os.close(file)
    DISK.remove(made)


def append(path: Path, text: str) -> None:
    """Add to the end of a file, all of it or nothing.

    Raises
    ------
    OSError
        Where it cannot be: what was there is as it was.
    """
    file = DISK.open(path)
    try:
        before = os.fstat(file)
        try:
            _write_all(file, _encoded(text))
        except OSError:
            if stat.S_ISREG(before.st_mode):
                with suppress(OSError):
                    DISK.truncate(file, before.st_size)
            raise
    finally:
        os.close(file)


def is_of_the_system(path: Path) -> bool:
    """Whether a path is none of a file that can be replaced: a device, a pipe, or what this process has open.

    >>> is_of_the_system(Path("/dev/null")), is_of_the_system(Path("a_new_one.json"))
    (True, False)
    """
    return _open_number(path) is not None or (path.exists() and not path.is_file())


def set_aside(path: Path) -> Path:
    """Give a file the first free name of those of earlier files, beside it; the name that it has then.

    Raises
    ------
    OSError
        Where it stays what and where it is.
    """
    target, number = _target(path), 1
    while True:
        aside = _beside(target, EARLIER if number == 1 else f"{EARLIER}-{number}")
        try:
            DISK.rename(target, aside)
        except FileExistsError:
            number += 1
        else:
            return aside


def put_back(aside: Path, path: Path) -> None:
    """Give a file that was set aside its name again, unless there is another one by now.

    Raises
    ------
    OSError
        Where it keeps the name that it has: FileExistsError where there is another file.
    """
    DISK.rename(aside, _target(path))


@contextmanager
def directory_whole(directory: Path) -> Iterator[Path]:
    """A folder to be filled: it is given its name when all is in it, so that it is there as a whole or not at all.

    Parameters
    ----------
    directory : Path, one that does not exist, or an empty one

    Raises
    ------
    OSError
        Where it cannot be made, or something is there by now.
    """
    target = real_path(directory)
    DISK.make_directory(target.parent)
    fresh = _beside(target, f".{secrets.token_hex(4)}{UNFINISHED}", hidden=True)
    DISK.make_directory(fresh)
    try:
        yield fresh
        DISK.replace(fresh, target)
    except BaseException:
        for each in fresh.iterdir():
            with suppress(OSError):
                DISK.remove(each)
        with suppress(OSError):
            fresh.rmdir()
        raise


def _target(path: Path) -> Path:
    """The file that a link leads to, which need not be there."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _created(target: Path) -> tuple[int, Path]:
    """A new file beside a place, under a name that nobody has."""
    while True:
        fresh = _beside(target, f".{secrets.token_hex(4)}{UNFINISHED}", hidden=True)
        try:
            return DISK.create(fresh), fresh
        except FileExistsError:
            continue


def _beside(target: Path, ending: str, *, hidden: bool = False) -> Path:
    """A name beside that of a file, cut where it would be longer than names may be."""
    begun = os.fsencode(target.name)[: _LONGEST_NAME - len(ending) - hidden]
    return target.with_name("." * hidden + os.fsdecode(begun) + ending)


def _mode_before(target: Path) -> int | None:
    """Who may do what with the file that is replaced, or with the one that was set aside for it; None for none."""
    for before in (target, _beside(target, EARLIER)):
        with suppress(OSError):
            return stat.S_IMODE(before.stat().st_mode)
    return None


def _open_number(path: Path) -> int | None:
    """The number of what this process has open, where the path is a name of one."""
    name = str(path.absolute())
    found = _OPEN.fullmatch(name)
    return int(found[1]) if found else _STANDARD.get(name)


def _write_on(path: Path, data: bytes) -> None:
    """Write to what is no file of its own: it is neither cut off nor replaced."""
    number = _open_number(path)
    if number is not None:
        _write_all(number, data)
        return
    file = DISK.open_device(path)
    try:
        _write_all(file, data)
    finally:
        os.close(file)


def _encoded(text: str) -> bytes:
    """UTF-8; bytes of a file's name that are no text are shown as JSON has them, and not what a document is lost by."""
    return text.encode("utf-8", "backslashreplace")


def _write_all(file: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[DISK.write(file, bytes(left)) :]


def _sync(file: int) -> None:
    try:
        DISK.sync(file)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
