"""The limits of a run: at what level it decides, how much it may call, and how the learner is run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from dpcheck.execution import ISOLATIONS
from dpcheck.execution.resources import LEAST_FILES, Resources, bytes_of
from dpcheck.model.disk import real_path
from dpcheck.model.errors import InvalidArgument, nearest
from dpcheck.privacy.run.warning_counts import WARNINGS

#: Fewer calls than this could show nothing: some show what outputs look like, the first ones are only learned from.
LEAST_SAMPLES = 48


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What :func:`dpcheck.audit` takes under these names, checked; None where the claim or the data decide.

    Raises
    ------
    InvalidArgument
        One line: which argument, what it got, what it wants.

    Examples
    --------
    >>> Limits(alpha=1e-6, jobs=0)
    Traceback (most recent call last):
    dpcheck.InvalidArgument: jobs must be a whole number of at least 1, got 0
    """

    alpha: float
    detect: float | None = None
    numerics: str = "real"
    warnings: str = "finding"
    max_samples: int | None = None
    max_seconds: float | None = None
    call_timeout: float = 10.0
    isolation: str = "auto"
    max_memory: int | str | None = None
    max_processes: int | None = None
    max_files: int | None = None
    seed: int = 0
    jobs: int = 1
    journal: Path | None = None
    executor: Any = None

    def __post_init__(self) -> None:
        checked = {
            "alpha": between("alpha", self.alpha, 0.0, 1.0, "a probability of false alarm such as 1e-6"),
            "detect": None if self.detect is None else positive("detect", self.detect, allow_infinite=False),
            "numerics": _one_of("numerics", self.numerics, ("real", "exact")),
            "max_samples": None if self.max_samples is None else whole("max_samples", self.max_samples, LEAST_SAMPLES),
            "max_seconds": None
            if self.max_seconds is None
            else positive("max_seconds", self.max_seconds, allow_infinite=True),
            "call_timeout": positive("call_timeout", self.call_timeout, allow_infinite=False),
            "isolation": _one_of("isolation", self.isolation, ISOLATIONS),
            "max_memory": None if self.max_memory is None else bytes_of("max_memory", self.max_memory),
            "max_processes": None if self.max_processes is None else whole("max_processes", self.max_processes, 1),
            "max_files": None if self.max_files is None else whole("max_files", self.max_files, LEAST_FILES),
            "seed": whole("seed", self.seed, 0),
            "jobs": whole("jobs", self.jobs, 1),
            "warnings": _one_of("warnings", self.warnings, WARNINGS),
            "journal": a_directory(self.journal),
            "executor": _an_executor(self.executor, self.isolation),
        }
        for name, value in checked.items():  # numpy's numbers become Python's
            object.__setattr__(self, name, value)
        if self.isolation == "none":
            for name in self.resources.given:
                raise InvalidArgument(
                    f"{name} must be None where isolation is 'none', got {getattr(self, name)!r}: it holds "
                    "for a process of the learner's own"
                )

    @property
    def resources(self) -> Resources:
        """What a worker of the learner may have at most."""
        assert not isinstance(self.max_memory, str)
        return Resources(memory=self.max_memory, processes=self.max_processes, files=self.max_files)


def _an_executor(executor: Any, isolation: str) -> Any:
    """What was given, once it is known to take calls."""
    if executor is None:
        return None
    from dpcheck.execution.backends import submitting

    found = submitting(executor)
    if isolation == "none":
        raise InvalidArgument("isolation must not be none with an executor, whose workers are other processes")
    return found


def refuse_what_all_keep(epsilon: float, delta: float) -> None:
    """Refuse a claim that every learner keeps.

    Raises
    ------
    InvalidArgument
        Where delta is 1.
    """
    if delta >= 1.0:
        raise InvalidArgument(
            f"claim must have a delta below 1, for every learner keeps this one, got epsilon = {epsilon:g}, "
            f"delta = {delta:g}: are the two in each other's place?"
        )


def a_directory(journal: object) -> Path | None:
    """What was given for a journal, as a path.

    Raises
    ------
    InvalidArgument
        Where it is none, or a file is there.

    Examples
    --------
    >>> a_directory(None), a_directory(7)
    Traceback (most recent call last):
    ...
    dpcheck.InvalidArgument: journal must be a directory, as a text or a path, got 7
    """
    if journal is None:
        return None
    if not isinstance(journal, str | PathLike) or not str(journal):
        raise InvalidArgument(f"journal must be a directory, as a text or a path, got {journal!r}")
    try:
        directory = Path(journal)
        is_file, has_place = directory.exists() and not directory.is_dir(), directory.absolute().parent.is_dir()
    except (OSError, ValueError, TypeError) as error:
        raise InvalidArgument(f"journal must be a directory that can be, got {str(journal)[:80]!r}: {error}") from error
    if is_file:
        raise InvalidArgument(f"journal must be a directory, got the file {str(directory)!r}")
    if not has_place:
        raise InvalidArgument(f"journal must be in a directory that exists, got {str(directory)!r}")
    return directory


def journal_to_go_on(journal: Path | None, resume: object) -> Path:
    """The directory of a journal that an earlier run has left, to go on from.

    Raises
    ------
    InvalidArgument
        Where there is none, or another one was named.

    Examples
    --------
    >>> journal_to_go_on(None, "verdict.json")
    Traceback (most recent call last):
    ...
    dpcheck.InvalidArgument: resume must be a verdict, a record, or a directory with a journal, got 'verdict.json'
    """
    kept = a_directory(resume) if isinstance(resume, str | PathLike) and str(resume) and Path(resume).is_dir() else None
    if kept is None or not any(kept.glob("*.calls")):
        said = repr(str(resume) if isinstance(resume, PathLike) else resume)[:120]
        raise InvalidArgument(f"resume must be a verdict, a record, or a directory with a journal, got {said}")
    if journal is not None and real_path(journal) != real_path(kept):
        raise InvalidArgument(f"journal must be that of resume, {str(kept)!r}, or left out, got {str(journal)!r}")
    return kept


def _number(name: str, value: Any, wanted: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        raise InvalidArgument(f"{name} must be {wanted}, got {value!r}")
    return float(value)


def positive(name: str, value: Any, *, allow_infinite: bool) -> float:
    """The number, above 0; its refusal names the argument."""
    wanted = "a positive number" if allow_infinite else "a positive finite number"
    number = _number(name, value, wanted)
    if not number > 0 or (math.isinf(number) and not allow_infinite):
        raise InvalidArgument(f"{name} must be {wanted}, got {value!r}")
    return number


def between(name: str, value: Any, low: float, high: float, what: str) -> float:
    """The number, strictly between two others; its refusal names the argument."""
    number = _number(name, value, what)
    if not low < number < high:
        raise InvalidArgument(f"{name} must be strictly between {low:g} and {high:g} ({what}), got {value!r}")
    return number


def whole(name: str, value: Any, least: int) -> int:
    """The whole number, at least so large; its refusal names the argument."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidArgument(f"{name} must be a whole number of at least {least}, got {value!r}")
    return int(value)


def _one_of(name: str, value: Any, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise InvalidArgument(
            f"{name} must be one of {', '.join(allowed)}, got {value!r}{nearest(str(value), allowed)}"
        )
    return str(value)
