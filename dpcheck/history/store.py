"""The history of a project: a row per learner and run of ``record`` or ``compare``, in SQLite.

Written ahead and synchronised fully, so that a row is there when the command has ended, whatever happens next. A file
that is no database is set aside by renaming it, never deleted.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dpcheck.model import disk
from dpcheck.model.disk import real_path
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.harmless import one_line

#: Where the history is, from the folder the command runs in.
DEFAULT_PATH = Path(".dpcheck") / "history.sqlite3"
#: How long another process is waited for, in seconds.
PATIENCE = 10.0
#: A commit is asked for so long.
GIT_SECONDS = 5.0
#: Texts of a row beyond this are no row that dpcheck wrote.
MOST_CHARACTERS = 1_000_000
#: How a file of SQLite's begins.
_BEGINS = b"SQLite format 3\0"
#: Each step takes the schema from its place in this list to the next; none is ever changed, new ones are added.
STEPS = (
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, at TEXT NOT NULL, command TEXT NOT NULL, learner TEXT NOT NULL, "
    "commit_id TEXT NOT NULL, verdict TEXT NOT NULL, quantities TEXT NOT NULL)",
    # whether what ran was what the commit holds
    "ALTER TABLE runs ADD COLUMN dirty INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX runs_by_learner ON runs (learner, id)",
    # which quantities a comparison said to be worse or changed
    "ALTER TABLE runs ADD COLUMN worsened TEXT NOT NULL DEFAULT '[]'",
)


@dataclass(frozen=True)
class Row:
    """One learner in one run.

    ``quantities`` are numbers by name, ``worsened`` names those that a comparison said to be worse or changed;
    ``commit`` is empty outside of git.
    """

    learner: str
    command: str
    verdict: str
    quantities: Mapping[str, float] = field(default_factory=dict)
    commit: str = ""
    dirty: bool = False
    at: str = ""
    worsened: tuple[str, ...] = ()


class Store:
    """An open history; use it as a context manager.

    Parameters
    ----------
    path : Path
        The file; its folder is made where it does not exist, and told to git as not to be kept.
    patience : float, seconds
        How long to wait for another process.
    to_read : bool
        Nothing will be added: what is no history is refused and left alone, and where the disk is full or read-only,
        rows are read as they stand.

    Raises
    ------
    InvalidArgument
        When it cannot be opened, or was written by a newer dpcheck; one line.
    """

    def __init__(self, path: Path, *, patience: float = PATIENCE, to_read: bool = False) -> None:
        self.path = path
        self.set_aside: Path | None = None
        self._patience = patience
        self._to_read = to_read
        with self._said_plainly():
            _made_folder(path.parent)
            try:
                self._connection = self._opened()
            except _NoDatabase as damaged:
                if to_read:
                    raise InvalidArgument(
                        f"history {path} is none of dpcheck's, or damaged ({one_line(str(damaged))}): it is left as it "
                        "is; give --history another file, or dpcheck record sets it aside and begins a new one"
                    ) from damaged
                self.set_aside = _set_aside(path, damaged.file)
                self._connection = self._opened()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def add(self, rows: Sequence[Row]) -> None:
        """Append rows, all or none.

        Raises
        ------
        InvalidArgument
            When they cannot be written, such as on a full disk.
        """
        with self._said_plainly(), _transaction(self._connection):
            self._connection.executemany(
                "INSERT INTO runs (at, command, learner, commit_id, dirty, verdict, quantities, worsened) "
                "VALUES (?,?,?,?,?,?,?,?)",
                [
                    (
                        row.at or datetime.now(UTC).isoformat(timespec="seconds"),
                        row.command,
                        row.learner,
                        row.commit,
                        int(row.dirty),
                        row.verdict,
                        json.dumps(_finite(row.quantities), sort_keys=True, allow_nan=False),
                        json.dumps(list(row.worsened)),
                    )
                    for row in rows
                ],
            )

    def rows(self, learner: str | None = None, limit: int | None = None) -> list[Row]:
        """The latest rows, in the order in which they were written.

        Raises
        ------
        InvalidArgument
            When the file cannot be read.
        """
        with self._said_plainly():
            found = self._connection.execute(
                "SELECT at, command, learner, commit_id, dirty, verdict, quantities, worsened FROM runs "
                "WHERE ?1 IS NULL OR learner = ?1 ORDER BY id DESC LIMIT ?2",
                (learner, -1 if limit is None else limit),
            ).fetchall()
        return [_row(one) for one in reversed(found)]

    def learners(self) -> list[str]:
        """The names that there are rows of."""
        with self._said_plainly():
            found = self._connection.execute("SELECT DISTINCT learner FROM runs ORDER BY learner").fetchall()
        return [str(name) for (name,) in found]

    def _opened(self) -> sqlite3.Connection:
        if not _may_be_database(self.path):
            raise _NoDatabase("it does not begin as one", _identity(self.path))
        file = _identity(self.path)
        connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(self.path, timeout=self._patience, isolation_level=None)
            _prepare(connection)
        except sqlite3.OperationalError as error:
            if connection is not None:
                connection.close()
            standing = None if not self._to_read or "locked" in str(error) else _as_it_stands(self.path)
            if standing is None:
                raise
            return standing
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # names of damaged tables are no text
            if connection is not None:
                connection.close()
            raise _NoDatabase(str(error), file) from error
        except BaseException:
            if connection is not None:
                connection.close()
            raise
        return connection

    @contextlib.contextmanager
    def _said_plainly(self) -> Iterator[None]:
        """What SQLite or the file system raises as one line."""
        try:
            yield
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise InvalidArgument(
                    f"history {self.path} is in use by {_holder(self.path)} for more than {self._patience:g} s: "
                    "try again, or give --history another file"
                ) from error
            raise InvalidArgument(f"history {self.path} cannot be used: {one_line(str(error))}") from error
        except UnicodeDecodeError as error:
            raise InvalidArgument(
                f"history {self.path} cannot be used: it is damaged ({one_line(str(error))})"
            ) from error
        except OSError as error:
            raise InvalidArgument(f"history {self.path} cannot be used: {error.strerror or error}") from error


class _NoDatabase(Exception):
    """The file is none of SQLite's, or damaged; which file it was that was opened."""

    def __init__(self, message: str, file: tuple[int, int] | None) -> None:
        super().__init__(message)
        self.file = file


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise


def _prepare(connection: sqlite3.Connection) -> None:
    """Check the file, and bring its schema up to date."""
    # reading the header is what tells a database from another file
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > len(STEPS):
        from dpcheck.model.verdict.record import environment

        raise InvalidArgument(
            f"history has schema {found}, written by a newer dpcheck; this is dpcheck {environment().dpcheck}, which "
            f"reads up to {len(STEPS)}: upgrade dpcheck, or give --history another file"
        )
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise sqlite3.DatabaseError("quick_check found damage")
    if found == len(STEPS):
        connection.execute("PRAGMA synchronous = FULL")
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    with _transaction(connection):
        # another process may have done it meanwhile
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        for number, step in enumerate(STEPS[found:], start=found + 1):
            connection.execute(step)
            connection.execute(f"PRAGMA user_version = {number}")


def _as_it_stands(path: Path) -> sqlite3.Connection | None:
    """A database read without anything written beside it; None where it is not whole so, or has another schema."""
    ahead = path.with_name(f"{path.name}-wal")
    try:
        if ahead.exists() and ahead.stat().st_size:
            return None  # rows of it may be there alone
        connection = sqlite3.connect(f"{real_path(path).as_uri()}?immutable=1", uri=True, isolation_level=None)
    except (OSError, sqlite3.Error):
        return None
    try:
        if connection.execute("PRAGMA user_version").fetchone()[0] == len(STEPS):
            return connection
    except sqlite3.Error:
        pass
    connection.close()
    return None


def _row(found: tuple[Any, ...]) -> Row:
    at, command, learner, commit, dirty, verdict, *texts = found
    quantities, worsened = map(_read, texts)
    numbers = {
        str(name): float(value)
        for name, value in (quantities.items() if isinstance(quantities, dict) else ())
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
    }
    names = tuple(name for name in worsened if isinstance(name, str)) if isinstance(worsened, list) else ()
    return Row(str(learner), str(command), str(verdict), numbers, str(commit), bool(dirty), str(at), names)


def _read(text: Any) -> Any:
    """JSON that somebody may have changed; None where it is none."""
    with contextlib.suppress(ValueError, RecursionError, TypeError):
        return json.loads(text) if len(text) <= MOST_CHARACTERS else None
    return None


def _finite(quantities: Mapping[str, float]) -> dict[str, float]:
    return {name: value for name, value in quantities.items() if abs(value) < float("inf")}


def _made_folder(folder: Path) -> None:
    if folder.is_dir():
        return
    if folder.name != DEFAULT_PATH.parent.name:
        disk.DISK.make_directory(folder)
        return
    try:
        with disk.directory_whole(folder) as fresh:  # what git is told is there with the folder, or neither is
            disk.write_whole(fresh / ".gitignore", "# what dpcheck keeps on this machine only\n*\n")
    except OSError:
        if not folder.is_dir():  # another process was quicker
            raise


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file from another one of its name; None where there is none."""
    with contextlib.suppress(OSError):
        found = path.stat()
        return found.st_dev, found.st_ino
    return None


def _may_be_database(path: Path) -> bool:
    """Whether there is nothing yet, or what begins as SQLite's files do: it throws away what is beside another one."""
    with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
        begun = file.read(len(_BEGINS))
        return not begun or begun == _BEGINS
    return True


def _set_aside(path: Path, file: tuple[int, int] | None) -> Path | None:
    """Rename a damaged file to the first free name; None where another process has done so already.

    What SQLite keeps beside it goes first: beside a new file it would be taken for the new one's, and thrown away.
    """
    path, number = real_path(path) if path.is_symlink() else path, 1
    while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    if _identity(path) != file:
        return None
    for suffix in ("-wal", "-shm", ""):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            disk.DISK.replace(beside, aside.with_name(aside.name + suffix))
    return aside


def _holder(path: Path) -> str:
    """Who has the file open, where the system tells."""
    found = []
    with contextlib.suppress(OSError):
        wanted = real_path(path)
        for process in Path("/proc").iterdir():
            if process.name.isdigit() and int(process.name) != os.getpid():
                with contextlib.suppress(OSError):
                    if any(real_path(link) == wanted for link in (process / "fd").iterdir()):
                        found.append(process.name)
    return f"process {', '.join(found)}" if found else "another process"


def commit_of(folder: Path) -> tuple[str, bool]:
    """The commit that a folder is at, and whether files that git knows differ from it; ("", False) outside of git."""
    commit = _git(folder, "rev-parse", "HEAD")
    if not commit:
        return "", False
    return commit, bool(_git(folder, "status", "--porcelain", "--untracked-files=no"))


def _git(folder: Path, *arguments: str) -> str:
    try:
        ran = subprocess.run(
            ["git", *arguments], capture_output=True, text=True, cwd=folder, timeout=GIT_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return ran.stdout.strip() if ran.returncode == 0 else ""
