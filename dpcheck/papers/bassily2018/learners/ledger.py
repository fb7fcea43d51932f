"""What was spent, on disk: written before an answer is given, held by one process, refused where it is an older copy.

A ledger is a directory with three files, for its owner's eyes only (modes 0700 and 0600):

``models.pickle``
    Written once: the private models.
``state.json``
    What was spent, and the noise in force. Each commit writes a new file, syncs it, renames it over the old one and
    syncs the directory: after a crash there is the old one or the new one, whole.
``mark``
    Locked as long as a process has the ledger open, and never replaced. Before an answer is computed the number that
    its state will have is written here and synced; after its commit, that it is done. So an answer that was begun and
    never committed is known after a crash, and a state older than the mark is known to be an older copy.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from dpcheck.model.errors import InvalidArgument, RecordCorrupt, StaleHandle

#: The version of the format; a reader refuses others.
VERSION = 1
_FORMAT = "dpcheck answers to queries"
_WARNING = (
    "PRIVATE: whoever reads this directory knows the models that were trained on private records and the noise in "
    "force. Do not share or publish it; resume it from one place only, and never from an older copy."
)
_MODELS, _STATE, _NEXT, _MARK = "models.pickle", "state.json", "state.json.new", "mark"
#: One line of one sector, which a disk writes whole or not at all.
_MARK_FORM = "{:020d} {:020d} {:<5}\n"
_BEGUN, _DONE = "begun", "done"
#: So much of a name is part of that under which a ledger is made.
_SHOWN = 32


@dataclass(frozen=True)
class Found:
    """What an opened ledger holds.

    Parameters
    ----------
    models : bytes, as they were given when it was made
    state : mapping, the last that was committed
    unfinished : int
        How many queries of an announced answer were never committed; 0 where none was.
    """

    models: bytes
    state: Mapping[str, Any]
    unfinished: int


class Ledger:
    """The state of an object on disk, open in one process.

    Made by :meth:`create` and :meth:`open`. An answer is announced, computed, committed, and only then given.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     ledger = Ledger.create(Path(directory) / "answers", b"models", {"asked": 0})
    ...     ledger.announce(1)
    ...     ledger.commit({"asked": 1})
    ...     ledger.close()
    ...     reopened, found = Ledger.open(ledger.path)
    ...     reopened.close()
    >>> found.state["asked"], found.unfinished
    (1, 0)
    """

    def __init__(self, path: Path, mark: int, models_digest: str, generation: int) -> None:
        self.path = path
        self._mark = mark
        self._models_digest = models_digest
        self._generation = generation
        self._owner = secrets.token_hex(16)
        self._process = os.getpid()
        self._written = b""
        self._closing = weakref.finalize(self, os.close, mark)

    @classmethod
    def create(cls, path: Any, models: bytes, state: Mapping[str, Any]) -> Ledger:
        """A new ledger in a directory that is not there yet; it appears whole or not at all.

        Raises
        ------
        InvalidArgument
            When there is something of that name already, or no directory to make it in.
        """
        place = _place(path)
        if os.path.lexists(place):
            raise InvalidArgument(
                f"path must be new: there is something at {str(place)!r}; resume() opens what was saved"
            )
        if not place.parent.is_dir():
            raise InvalidArgument(f"path must lie in a directory that is there, got {str(place)!r}")
        try:
            made = Path(tempfile.mkdtemp(prefix=f".{place.name[:_SHOWN]}.", dir=place.parent))
        except OSError as error:
            raise InvalidArgument(f"path must lie in a directory to write in, got {str(place)!r}: {error}") from None
        try:
            _write_synced(made / _MODELS, models)
            mark = os.open(made / _MARK, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
            ledger = cls(made, mark, hashlib.sha256(models).hexdigest(), 0)
            _lock(mark, place)
            ledger.announce(0)
            ledger.commit(state)
            _rename_new(made, place)
            ledger.path = place
            _sync_directory(place.parent)
        except BaseException:
            # the object goes on without a file: what could be resumed beside it may not stay
            shutil.rmtree(made, ignore_errors=True)
            with contextlib.suppress(OSError, UnboundLocalError):
                if os.path.samestat(os.stat(place / _MARK), os.fstat(mark)):
                    shutil.rmtree(place, ignore_errors=True)
            raise
        return ledger

    @classmethod
    def open(cls, path: Any, *, moved: bool = False) -> tuple[Ledger, Found]:
        """The ledger of a directory, with what it holds; whoever had it open before is refused from now on.

        Parameters
        ----------
        path : str or path of the directory
        moved : bool
            The word of the caller that it is no copy, though it has come to another disk.

        Raises
        ------
        InvalidArgument
            When there is none, or others than its owner may read it.
        StaleHandle
            When it is open, here or in another process, or an older copy or a copy of what was spent since.
        RecordCorrupt
            When a file of it is damaged or of another version.
        """
        place = _place(path)
        try:
            mark = os.open(place / _MARK, os.O_RDWR | os.O_NOFOLLOW)
        except OSError as error:
            raise InvalidArgument(f"path must be a directory that save() made, got {str(place)!r}: {error}") from None
        try:
            _lock(mark, place)
            _for_owner_only(place)
            ledger, found = cls._read(place, mark, moved)
        except BaseException:
            os.close(mark)
            raise
        return ledger, found

    @classmethod
    def _read(cls, place: Path, mark: int, moved: bool) -> tuple[Ledger, Found]:
        models = _bytes_of(place / _MODELS)
        body = _parsed(_bytes_of(place / _STATE), place)
        if hashlib.sha256(models).hexdigest() != body["models"]:
            raise RecordCorrupt(f"{place / _MODELS} must hold the models that were saved, and holds something else")
        if body["mark"] != os.fstat(mark).st_ino and not moved:
            raise StaleHandle(
                f"{place} is a copy of what was saved, or has been moved to another disk: resume the original, or say "
                f"moved=True if no other copy of it has answered since or ever will"
            )
        announced, pending, done = _parsed_mark(os.pread(mark, 256, 0), place)
        generation = int(body["generation"])
        begun = announced == generation + 1 and not done
        if announced > generation and not begun:  # an older mark beside a newer state forgets nothing
            raise StaleHandle(
                f"{place / _STATE} is an older copy: it is number {generation}, and number {announced} was written; "
                f"what was answered in between would be forgotten"
            )
        return cls(place, mark, body["models"], generation), Found(models, body["state"], pending if begun else 0)

    def announce(self, queries: int) -> None:
        """Say durably that an answer to so many queries is about to be computed."""
        self._marked(self._generation + 1, queries, _BEGUN)
        os.fsync(self._mark)

    def commit(self, state: Mapping[str, Any]) -> None:
        """Write a state durably; when this returns no crash can forget it."""
        number = self._generation + 1
        body = {
            "format": _FORMAT,
            "version": VERSION,
            "warning": _WARNING,
            "generation": number,
            "owner": self._owner,
            "mark": os.fstat(self._mark).st_ino,
            "models": self._models_digest,
            "state": dict(state),
        }
        data = _serialised(body)
        _write_synced(self.path / _NEXT, data)
        os.replace(self.path / _NEXT, self.path / _STATE)
        _sync_directory(self.path)
        self._generation, self._written = number, data
        # not synced: where a crash of the machine loses it the state is still the one that was announced
        self._marked(number, 0, _DONE)

    def problem(self) -> str | None:
        """Why this object may not write any more, or None."""
        if not self._closing.alive:
            return "it was closed"
        if self._process != os.getpid():
            return "its process was forked; only the parent may answer"
        try:
            same_mark = os.path.samestat(os.stat(self.path / _MARK), os.fstat(self._mark))
            same_state = _bytes_of(self.path / _STATE) == self._written
        except (OSError, RecordCorrupt) as error:
            return f"{self.path} cannot be read: {error}"
        return (
            None if same_mark and same_state else f"{self.path} is no longer what it wrote: it was resumed or replaced"
        )

    def close(self) -> None:
        """Give the ledger up: another process may open it."""
        self._closing()

    def _marked(self, number: int, queries: int, word: str) -> None:
        os.pwrite(self._mark, _MARK_FORM.format(number, queries, word).encode(), 0)


def _place(path: Any) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise InvalidArgument(f"path must be the path of a directory, got {path!r} of type {type(path).__name__}")
    return Path(path).absolute()


def _fcntl() -> ModuleType:
    try:
        import fcntl
    except ImportError:
        raise InvalidArgument("path must be left out where the system has no file locks (fcntl)") from None
    return fcntl


def _lock(mark: int, place: Path) -> None:
    fcntl = _fcntl()
    try:
        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StaleHandle(
            f"{place} is open already, here or in another process (or its forked child): close it"
        ) from None


def _for_owner_only(place: Path) -> None:
    for each in (place, *(place / name for name in (_MODELS, _STATE, _MARK))):
        with contextlib.suppress(FileNotFoundError):  # which reading it tells better
            found = os.stat(each)
            if found.st_mode & 0o077 or found.st_uid != os.geteuid():
                raise InvalidArgument(
                    f"path must be its owner's alone, for it holds private models and a pickle is run when it is read: "
                    f"chmod go= {str(each)!r}, or own it"
                )


def _write_synced(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_directory(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _rename_new(made: Path, place: Path) -> None:
    try:
        os.rename(made, place)
    except OSError as error:  # something has come there since it was looked
        raise InvalidArgument(f"path must be new, got {str(place)!r}: {error}") from None


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RecordCorrupt(f"{path} must be a readable file: {error}") from None


def _serialised(body: Mapping[str, Any]) -> bytes:
    text = json.dumps({**body, "digest": _digest(body)}, indent=1, allow_nan=False)
    return f"{text}\n".encode()


def _digest(body: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True, allow_nan=False).encode()).hexdigest()


def _parsed(data: bytes, place: Path) -> dict[str, Any]:
    file = place / _STATE
    try:
        body = json.loads(data)
        given = body.pop("digest")
        named = body["format"], body["version"]
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
        raise RecordCorrupt(f"{file} must be the state that was saved, and cannot be read") from None
    if named != (_FORMAT, VERSION):
        raise RecordCorrupt(f"{file} must be of version {VERSION} of {_FORMAT!r}, got {named[1]!r} of {named[0]!r}")
    if given != _digest(body):
        raise RecordCorrupt(f"{file} must be the state that was saved, and was changed or damaged")
    found: dict[str, Any] = body
    return found


def _parsed_mark(data: bytes, place: Path) -> tuple[int, int, bool]:
    try:
        number, queries, word = data.decode("ascii").split()
        if word not in (_BEGUN, _DONE):
            raise ValueError(word)
        return int(number), int(queries), word != _BEGUN
    except ValueError:
        raise RecordCorrupt(f"{place / _MARK} must be what was written there, and cannot be read") from None
