"""Certificates on disk: found once by the search, replayed by the checker whenever a status is asked for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpcheck.model import disk
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.written_json import read_json_file
from dpcheck.proof.statement import Claim

#: Raised whenever a rule, the language or an identity changes its meaning: older certificates are then stale.
VERSION = 1
#: A file of certificates larger than this is not read.
LARGEST_FILE = 50_000_000


def key_of(claim: Claim) -> str:
    """The name under which a claim's certificate is kept: a hash of its statement, its domain and the version.

    Examples
    --------
    >>> key_of(Claim("x in (0, 1)", "", "x^2 < x")) == key_of(Claim("x in (0, 1)", "", "x^2 < x", ("split x at 1/2",)))
    True
    """
    text = json.dumps([VERSION, claim.variables, claim.assume, claim.claim])
    return hashlib.sha256(text.encode()).hexdigest()[:20]


@dataclass
class Store:
    """The certificates of one paper: what the search answered, per claim; and what its enumerations gave, by name."""

    path: Path
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    enumerations: dict[str, dict[str, Any]] = field(default_factory=dict)

    def get(self, claim: Claim) -> dict[str, Any] | None:
        """The stored answer; None when there is none for just this claim."""
        return self.answers.get(key_of(claim))

    def put(self, claim: Claim, answer: Mapping[str, Any]) -> None:
        """Keep an answer, with the claim in words for whoever reads the file."""
        words = f"{claim.variables} | {claim.assume} | {claim.claim}"
        self.answers[key_of(claim)] = {"of": words, **answer}

    def save(self, used: Iterable[Claim] | None = None) -> None:
        """Write the file, without answers that no claim of ``used`` asks for.

        Raises
        ------
        InvalidArgument
            When it cannot be written: the one that is there is as it was.
        """
        if used is not None:
            keys = {key_of(claim) for claim in used}
            self.answers = {key: answer for key, answer in self.answers.items() if key in keys}
        text = f'{{"version": {VERSION}, "answers": {_lines(self.answers)}'
        text += f', "enumerations": {_lines(self.enumerations)}' if self.enumerations else ""
        text += "}\n"
        with self._said_plainly():
            disk.DISK.make_directory(self.path.parent)
            disk.write_whole(self.path, text)

    def check_writable(self) -> None:
        """Refuse, before anything is searched for, a place where what is found could not be kept.

        Raises
        ------
        InvalidArgument
            When no file can be made there.
        """
        with self._said_plainly():
            disk.DISK.make_directory(self.path.parent)
            disk.try_folder(self.path.parent)

    @contextmanager
    def _said_plainly(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise InvalidArgument(
                f"the certificates could not be written to {str(self.path)!r}: {error.strerror or error}"
            ) from error


def _lines(entries: Mapping[str, Any]) -> str:
    """A mapping as JSON, an entry a line."""
    lines = [f"{json.dumps(key)}: {json.dumps(entry, separators=(',', ':'))}" for key, entry in sorted(entries.items())]
    return "{\n" + ",\n".join(lines) + "\n}"


def open_store(path: Path) -> Store:
    """Read a file of certificates; an absent one is empty.

    Raises
    ------
    InvalidArgument
        When the file is not one of certificates.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise InvalidArgument(f"{path.name} is larger than a file of certificates may be ({LARGEST_FILE} bytes)")
        data = read_json_file(path)
        answers, enumerations = data["answers"], data.get("enumerations", {})
        if data["version"] != VERSION:
            return Store(path)
    except FileNotFoundError:
        return Store(path)
    except InvalidArgument:
        raise
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise InvalidArgument(f"{path.name} is not a file of certificates: {error}") from error
    for entries, words in ((answers, "answers"), (enumerations, "enumerations")):
        if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
            raise InvalidArgument(f"{path.name} is not a file of certificates: {words} are missing")
    return Store(path, answers, enumerations)
