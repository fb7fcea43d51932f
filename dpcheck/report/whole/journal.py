"""What an interrupted report has done so far: one file a unit, so that the next run goes on from there."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path

from dpcheck.execution.users_code import source_digest
from dpcheck.model import disk
from dpcheck.model.written_json import read_json_file
from dpcheck.report.whole.units import Level, Unit

#: The folder in the report's folder.
FOLDER = ".progress"
_SCHEMA = "dpcheck-report-progress/1"


class Journal:
    """The units that are done, in a folder of the report's folder.

    Parameters
    ----------
    folder : the report's folder
    level : seed and quick or full: those of another level are other units
    source : digest of the code that made them
    complain : told in one line of a file that cannot be read
    """

    def __init__(
        self, folder: Path, level: Level, *, source: str | None = None, complain: Callable[[str], object] = print
    ) -> None:
        self.folder = folder / FOLDER
        self._level = level
        self._source = source_digest() if source is None else source
        self._complain = complain

    def path(self, unit: Unit) -> Path:
        """The file of a unit; its name tells seed, level, unit and code apart."""
        level = "quick" if self._level.quick else "full"
        text = f"{unit.key}\n{unit.digest}\n{unit.file}\n{self._level.seed}\n{level}\n{self._source}"
        safe = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in unit.name)[-60:]
        return self.folder / f"{safe}.{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}.json"

    def read(self, unit: Unit, readable: Callable[[str], object]) -> str | None:
        """The record of a unit that is done; None where it is not.

        ``readable`` is called with the record, and raises ValueError where it is none: the unit is then run again.
        """
        path = self.path(unit)
        try:
            found = read_json_file(path)
            if not isinstance(found, dict) or found.get("schema") != _SCHEMA or found.get("unit") != unit.key:
                raise ValueError("it is no record of this unit")
            text = json.dumps(found["made"])
            if found.get("digest") != _digest(text):
                raise ValueError("it was changed")
            readable(text)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, RecursionError) as error:
            why = str(error).splitlines()[0] if str(error) else type(error).__name__
            self._complain(f"{path} cannot be used ({why}): {unit.name} is run again")
            return None
        return text

    def write(self, unit: Unit, text: str) -> None:
        """Keep a unit's record; the file is there as a whole or not at all.

        Where it cannot be kept (the disk is full, another run took the folder away), that is said: the report goes on.
        """
        try:
            try:
                self._write(unit, text)
            except FileNotFoundError:  # another run into the same folder has just ended
                self._write(unit, text)
        except OSError as error:
            self._complain(f"{unit.name} is done, and cannot be kept in {self.folder} ({error.strerror or error})")

    def _write(self, unit: Unit, text: str) -> None:
        disk.DISK.make_directory(self.folder, parents=False)
        ignored = self.folder / ".gitignore"
        if not ignored.exists():
            disk.write_whole(ignored, "*\n")
        made = json.loads(text)
        # what is read back is dumped again to be compared: it has to be dumped in the same way here
        digest = _digest(json.dumps(made))
        document = {"schema": _SCHEMA, "unit": unit.key, "digest": digest, "source": self._source, "made": made}
        disk.write_whole(self.path(unit), json.dumps(document))

    def remove(self, units: Iterable[Unit]) -> None:
        """Take away what is kept of these units, and what no run of this code can use.

        What other runs have kept (another paper's, another level's, one that goes on beside this one) stays, and what
        is no record at all.
        """
        if not self.folder.is_dir() or self.folder.is_symlink():
            return
        own = {self.path(unit) for unit in units}
        for file in self.folder.glob("*.json"):
            if file in own or self._is_useless(file):
                file.unlink(missing_ok=True)
        if any(self.folder.glob("*.json")):
            return
        for file in (self.folder / ".gitignore", *self.folder.glob(f".*{disk.UNFINISHED}")):
            file.unlink(missing_ok=True)  # where another run is just writing, it writes again
        with contextlib.suppress(OSError):  # something else is in it
            self.folder.rmdir()

    def _is_useless(self, file: Path) -> bool:
        try:
            found = read_json_file(file)
        except (OSError, ValueError):
            return True
        return not isinstance(found, dict) or (found.get("schema"), found.get("source")) != (_SCHEMA, self._source)


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
