"""What a learner answered, kept in a file as it comes, so that a run that was ended goes on from there.

A run's calls are numbered requests, each with randomness of its own, and what a learner answers to one is not to depend
on what came before. So a journal holds answers, by what was asked: the same run, begun again, finds those that it had
and asks the learner for the others, and comes to what it would have come to. A learner that keeps something from call
to call, which an audit reports, is asked again for all that is compared with one another.

The file is a line of JSON that says whose answers these are, and then entries: a mark, what was asked (a digest), the
length of what follows and a check of these; plain data (:mod:`dpcheck.execution.wire`: reading them runs nothing), and
a SHA-256 of it all.
Entries are only ever added. A last entry that was cut off by the end of a run is dropped when the file is opened again;
a file that is damaged, or of another learner, is set aside under another name, and never deleted. What was found of a
part of a longer run is kept in the same way (:mod:`dpcheck.execution.kept_parts`).
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import re
import struct
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, overload

from dpcheck.execution.answers import Answers, Heard, Request, Runner
from dpcheck.execution.wire import NotPlain, read_plain, write_plain
from dpcheck.model import disk
from dpcheck.model.errors import InvalidArgument

Kept = TypeVar("Kept")
#: What the first line of a journal says it is.
SCHEMA = "dpcheck-calls/1"
_MARK = b"call"
_HEAD, _CHECK, _SECONDS = struct.Struct("<4s32sQ"), struct.Struct("<I"), struct.Struct("<d")
_SUM = 32
#: Bytes of a first line, at most.
_LONGEST_LINE = 1 << 16
#: What is kept is given to the disk at least so often, in seconds of calls.
SYNCED = 1.0


class CallJournal:
    """The answers of one learner, in a file.

    Parameters
    ----------
    path : Path, a file in a directory that exists
    of : mapping of texts, whose answers these are: those of anything else are not taken for them

    Raises
    ------
    InvalidArgument
        Where another run has it, or it cannot be read or written.
    """

    def __init__(self, path: Path, of: Mapping[str, str]) -> None:
        self.path, self._disk, self._file = path, disk.DISK, -1
        self._known: dict[bytes, tuple[int, int]] = {}
        self._waiting, self._waiting_seconds = False, 0.0
        self.lost = ""
        self.set_aside: Path | None = None
        try:
            self._begin(dict(of))
        except OSError as error:
            raise InvalidArgument(f"journal could not be kept in {str(path)!r}: {error.strerror or error}") from error

    def __len__(self) -> int:
        """How many requests of earlier runs are kept."""
        return len(self._known)

    def __contains__(self, asked: object) -> bool:
        """Whether an earlier run has it."""
        return asked in self._known

    @property
    def trouble(self) -> tuple[str, ...]:
        """What became of the file where that is not as it should be, once all of it was given to the disk."""
        self._sync()
        said = [f"answers could not be kept in the journal: {self.lost}"] if self.lost else []
        if self.set_aside is not None:
            aside = str(self.set_aside)
            said.append(f"what the journal had is of something else, or damaged: it was set aside as {aside!r}")
        return tuple(said)

    @overload
    def find(self, asked: bytes) -> tuple[float, Answers] | None: ...
    @overload
    def find(self, asked: bytes, kind: type[Kept]) -> tuple[float, Kept] | None: ...
    def find(self, asked: bytes, kind: type[Any] = Answers) -> tuple[float, Any] | None:
        """The seconds that a request took, and what was answered; None where an earlier run has not got it.

        ``kind``: of what type that is; what is kept of any other is passed over.
        """
        if asked not in self._known:
            return None
        place, length = self._known[asked]
        try:
            body = self._disk.read(self._file, length, place)
            answers = read_plain(body[_SECONDS.size :]) if len(body) == length else None
        except (NotPlain, OSError):
            return None
        return (_SECONDS.unpack_from(body)[0], answers) if type(answers) is kind else None

    def add(self, asked: bytes, seconds: float, answers: Any) -> None:
        """Keep what was answered, plain data; where that cannot be done the run goes on, and ``lost`` says why."""
        if self.lost or self._file < 0:
            return
        try:
            plain = write_plain(answers)
        except NotPlain as error:
            self.lost = str(error)
            return
        body = _SECONDS.pack(seconds) + plain
        head = _headed(asked, len(body))
        try:
            self._write(head + body + hashlib.sha256(head + body).digest())
        except OSError as error:
            self.lost = error.strerror or str(error)
            return
        self._waiting_seconds += seconds
        if self._waiting_seconds >= SYNCED:
            self._sync()

    def close(self) -> None:
        """Give what is kept to the disk, and let others have the file."""
        if self._file < 0:
            return
        try:
            self._sync()
        finally:
            os.close(self._file)
            self._file = -1

    def _sync(self) -> None:
        """Give what was written to the disk; where it takes none ``lost`` says why."""
        if self._file < 0 or not self._waiting:
            return
        self._waiting, self._waiting_seconds = False, 0.0
        try:
            self._disk.sync(self._file)
        except OSError as error:
            self.lost = self.lost or error.strerror or str(error)

    def _begin(self, of: dict[str, str]) -> None:
        line = json.dumps({"schema": SCHEMA, "of": of}, sort_keys=True).encode() + b"\n"
        for _ in range(3):
            self._file = self._disk.open(self.path)
            try:
                self._lock()
                if self._is_in_its_place():
                    if self._read(line):
                        return
                    self.set_aside = self._away()
            except BaseException:
                os.close(self._file)
                self._file = -1
                raise
            os.close(self._file)
        raise InvalidArgument(f"journal could not be begun anew in {str(self.path)!r}")

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:  # a system without: two runs on one journal are then the user's affair
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InvalidArgument(
                f"journal must be nobody else's, got {str(self.path)!r}: another run has it"
            ) from None

    def _is_in_its_place(self) -> bool:
        """Whether no other run set the file aside before it was ours."""
        mine = os.fstat(self._file)
        try:
            there = os.stat(self.path)
        except FileNotFoundError:
            return False
        return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)

    def _read(self, line: bytes) -> bool:
        """Whether the file is ours: empty, or what was kept before; an end that was cut off is dropped."""
        with open(self._file, "rb", closefd=False) as file:
            file.seek(0)
            first = file.readline(_LONGEST_LINE)
            if not first or (line.startswith(first) and len(first) < len(line)):
                self._disk.truncate(self._file, 0)
                self._write(line)
                return True
            if first != line:
                return False
            place = len(first)
            size = os.fstat(self._file).st_size
            while place < size:
                head = file.read(_HEAD.size + _CHECK.size)
                if len(head) < _HEAD.size + _CHECK.size:
                    break
                _, asked, length = _HEAD.unpack_from(head)
                if head != _headed(asked, length):
                    return False
                if place + len(head) + length + _SUM > size:
                    break
                body, told = file.read(length), file.read(_SUM)
                following = place + len(head) + length + _SUM
                if hashlib.sha256(head + body).digest() != told or length < _SECONDS.size:
                    if following == size:  # not all of it came to the disk
                        break
                    return False
                self._known[asked] = (place + len(head), length)
                place = following
            if place < size:
                self._disk.truncate(self._file, place)
        return True

    def _away(self) -> Path:
        """Set the file aside, under the first name that is free."""
        self._known.clear()
        number = 1
        while True:
            aside = self.path.with_name(f"{self.path.name}.{number}")
            try:
                self._disk.rename(self.path, aside)
                return aside
            except FileExistsError:
                number += 1

    def _write(self, data: bytes) -> None:
        self._waiting = True
        view = memoryview(data)
        while view:
            view = view[self._disk.write(self._file, bytes(view)) :]


def digest_of_sent(dataset: Any) -> bytes | None:
    """Of a dataset as it is sent to a worker, indices and types included; None where it cannot be."""
    try:
        return hashlib.sha256(pickle.dumps(dataset, protocol=5)).digest()
    except Exception:  # a stranger's values may raise anything
        return None


def _holds(answers: Answers) -> bool:
    """Whether a learner was seen to hold something beyond a call, which another process would not have."""
    return answers.lasting or answers.stores or bool(answers.owned) or bool(answers.caches)


def _headed(asked: bytes, length: int) -> bytes:
    """What comes before an entry, with a check of its own: a damaged length is not to look like a file cut off."""
    head = _HEAD.pack(_MARK, asked, length)
    return head + _CHECK.pack(zlib.crc32(head))


class JournalledRunner:
    """A runner that asks another one only for what the journal has not.

    Parameters
    ----------
    inner : Runner
    journal : CallJournal
    datasets : those that requests name by number
    about : bytes, what else an answer depends on
    replayed : told the seconds that answers from the journal took when they were given
    others : bool, whether there are journals of other code of this learner
    """

    def __init__(
        self,
        inner: Runner,
        journal: CallJournal,
        datasets: Sequence[Any],
        about: bytes,
        replayed: Callable[[float], object] = lambda seconds: None,
        others: bool = False,
    ) -> None:
        self._inner, self._journal, self._about = inner, journal, about
        self._datasets = tuple(datasets)
        self._digests: dict[int, bytes | None] = {}
        self._replayed, self._since = replayed, 0.0
        self._others = others and not len(journal)

    def run(self, requests: list[Request], heard: Heard | None = None) -> list[Answers]:
        """Answers in the order of the requests; those that are not kept yet are kept as they come."""
        keys = [self._key(request) for request in requests]
        kept = [None if key is None else self._journal.find(key) for key in keys]
        if None in kept and any(one is not None and _holds(one[1]) for one in kept):
            kept = [None] * len(kept)  # what is compared comes from one process, or from none
        found: list[Answers | None] = [None if one is None else one[1] for one in kept]
        for request, one in zip(requests, kept, strict=True):
            if one is not None:
                self._replayed(one[0])
                if heard is not None:
                    heard(request, one[1])
        left = [place for place, answers in enumerate(found) if answers is None]
        if left:
            self._since = time.monotonic()

            def keep(request: Request, answers: Answers) -> None:
                now = time.monotonic()
                key = self._key(request)
                if key is not None:
                    self._journal.add(key, now - self._since, answers)
                self._since = now
                if heard is not None:
                    heard(request, answers)

            for place, answers in zip(left, self._inner.run([requests[place] for place in left], keep), strict=True):
                found[place] = answers
        return [answers for answers in found if answers is not None]

    def expect(self, requests: Sequence[Request]) -> None:
        """Let those be begun with that are not kept."""
        keys = [self._key(request) for request in requests]
        self._inner.expect([one for one, key in zip(requests, keys, strict=True) if key not in self._journal])

    def serve(self, datasets: Sequence[Any]) -> None:
        """Take other datasets."""
        self._datasets = tuple(datasets)
        self._digests.clear()
        self._inner.serve(datasets)

    @property
    def bulk_available(self) -> bool:
        """Whether the learner offers ``sample``."""
        return self._inner.bulk_available

    @property
    def notes(self) -> tuple[str, ...]:
        """How the learner was run, and what became of the journal where that is not as it should be."""
        said = [*self._journal.trouble]
        if self._others:
            said.append(
                "the journal has answers of other code, settings or libraries of this learner: they are not used"
            )
        return (*self._inner.notes, *said)

    def close(self) -> None:
        """End the workers, and the journal."""
        try:
            self._inner.close()
        finally:
            self._journal.close()

    def _key(self, request: Request) -> bytes | None:
        """A digest of what is asked; None where the dataset has none."""
        if request.dataset not in self._digests:
            self._digests[request.dataset] = digest_of_sent(self._datasets[request.dataset])
        data = self._digests[request.dataset]
        if data is None:
            return None
        seed = request.seed
        asked = (request.count, request.bulk, request.forgetting, seed.entropy, seed.spawn_key, seed.pool_size)
        return hashlib.sha256(self._about + data + repr(asked).encode()).digest()


def journal_file(directory: Path, name: str, settings: str) -> Path:
    """The file of a learner's answers in a directory: its name, as far as files can have it, and a digest of all of it.

    >>> journal_file(Path("kept"), "mine.py:Learner", "").name
    'mine.py_Learner-fbe085bc.calls'
    """
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", name)[-60:].lstrip(".") or "learner"
    told = hashlib.sha256(f"{name}\0{settings}".encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return directory / f"{plain}-{told}.calls"
