"""What a run of many parts has found, kept as it comes: each part that is done, and the answers of one that is not.

A part is a check of a learner, the audit of one of many learners, a training: what is found of it depends on nothing
but what its name, the learner and the settings say. So one file, open and locked for the whole run, holds what was
found, by a digest of all of that; a part that is not done keeps there what its learner answered, each of its runners
by its number, since a part may ask the same twice and is not to be told the same twice.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from dpcheck.execution.answers import Runner
from dpcheck.execution.call_journal import CallJournal, JournalledRunner, Kept, journal_file
from dpcheck.execution.learner_code import digest_of_learner
from dpcheck.execution.users_code import digest_of_surrounding_code, source_digest
from dpcheck.model import disk
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import Target


def made_directory(directory: Path) -> Path:
    """The directory of a journal, made where it is not there.

    Raises
    ------
    InvalidArgument
        Where it cannot be made.
    """
    try:
        disk.DISK.make_directory(directory, parents=False)
    except OSError as error:
        raise InvalidArgument(
            f"journal must be a directory that can be made, got {str(directory)!r}: {error.strerror or error}"
        ) from error
    return directory


def surroundings(original: Any = None) -> dict[str, str]:
    """What beside a learner what it answers depends on: files around it, libraries, dpcheck, Python."""
    return {
        "around": digest_of_surrounding_code(original),
        "dpcheck": source_digest(),
        "python": platform.python_version(),
    }


def whose(target: Target) -> dict[str, str]:
    """Whose answers a journal has: what tells a learner, its code and what is around that from others.

    Raises
    ------
    InvalidArgument
        Where its code cannot be told from another's.
    """
    code = digest_of_learner(target)
    if not code:
        raise InvalidArgument(
            f"journal must be None for {target.name}: its code cannot be told from another's, whose answers would be "
            "taken for its own"
        )
    return {"target": target.name, "learner": code, **surroundings(target.original)}


class Parts:
    """The journal of a run of many parts; another run has it only when this one is over.

    Parameters
    ----------
    directory : Path, made where it is not there
    name : str, what the run is of
    of : mapping of texts, what all parts depend on
    keeps : callable, whether something is to be kept: what may be otherwise the next time is not

    Raises
    ------
    InvalidArgument
        Where another run has it, or it cannot be read or written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for _ in range(2):
    ...         with Parts(Path(folder), "mine", {}) as parts:
    ...             part = parts.part("first", "seed 0")
    ...             print(part.found(str))
    ...             part.keep("what was found")
    None
    what was found
    """

    def __init__(
        self, directory: Path, name: str, of: Mapping[str, str], keeps: Callable[[Any], bool] = lambda found: True
    ) -> None:
        said = {"name": name, **of}
        file = journal_file(made_directory(directory), name, repr(sorted(said.items())))
        self._journal = _StaysOpen(file, said, keeps)

    def part(self, *about: str | bytes) -> Part:
        """A part, by all that what is found of it depends on beside what all parts do."""
        hashed = hashlib.sha256()
        for one in about:
            hashed.update(
                hashlib.sha256(one if isinstance(one, bytes) else one.encode("utf-8", "surrogatepass")).digest()
            )
        return Part(self._journal, hashed.digest())

    @property
    def trouble(self) -> tuple[str, ...]:
        """What became of the journal where that is not as it should be."""
        return self._journal.trouble

    def close(self) -> None:
        """Give all to the disk, and let others have it."""
        self._journal.end()

    def __enter__(self) -> Parts:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class Part:
    """A part of a run: what was found of it, or what its learner answered so far; made by :class:`Parts`."""

    def __init__(self, journal: CallJournal, about: bytes) -> None:
        self._journal, self._about, self._runners = journal, about, 0

    def found(self, kind: type[Kept]) -> Kept | None:
        """What an earlier run found of it, of this type; None where it did not come so far."""
        kept = self._journal.find(self._about, kind)
        return None if kept is None else kept[1]

    def keep(self, found: Any, seconds: float = 1.0) -> None:
        """Keep what was found, plain data."""
        self._journal.add(self._about, seconds, found)

    def runner(
        self,
        inner: Runner,
        datasets: Sequence[Any],
        told: bytes = b"",
        replayed: Callable[[float], object] = lambda seconds: None,
    ) -> Runner:
        """A runner that asks another only for what an earlier run has not got.

        Parameters
        ----------
        inner : Runner, of these datasets
        datasets : sequence
        told : bytes, what answers depend on that the part, and the requests, do not say
        replayed : told the seconds that answers took when they were given
        """
        self._runners += 1
        about = hashlib.sha256(self._about + self._runners.to_bytes(8, "big") + told).digest()
        return JournalledRunner(inner, self._journal, datasets, about, replayed)


class _StaysOpen(CallJournal):
    """A journal that runners do not close, of what is to be kept."""

    def __init__(self, path: Path, of: Mapping[str, str], keeps: Callable[[Any], bool]) -> None:
        super().__init__(path, of)
        self._keeps = keeps

    def add(self, asked: bytes, seconds: float, answers: Any) -> None:
        """Keep what is to be kept."""
        if self._keeps(answers):
            super().add(asked, seconds, answers)

    def close(self) -> None:
        """Nothing: others go on with it."""

    def end(self) -> None:
        """Close it."""
        super().close()
