"""A survey's file: a list of environments and of learners in them, with what each promises; read and checked.

Its tables of subjects take what a table of ``[[tool.dpcheck.learners]]`` takes of an audit. What differs: paths start
at the file's folder; each subject says where its promise stands, for nothing is audited at a claim that nobody made;
and what is expected may differ by environment, since a mistake that was mended is expected in the older versions only.
A file may be made of others (``lists``); what was tried and could not be surveyed is listed too (``left-out``).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from dpcheck.cli.audit_arguments import KEYS as OF_AUDITS
from dpcheck.cli.audit_arguments import OF_BASELINES, arguments_of
from dpcheck.cli.options import FILE, OBJECT, Setting, is_what_it_wants
from dpcheck.cli.settings import MAX_BYTES
from dpcheck.model.errors import DpcheckError, InvalidArgument, nearest
from dpcheck.model.verdict import Status
from dpcheck.report.expected import expected_status

ENDING = ".toml"
#: The level of each audit, and its calls at most, where the file says nothing.
ALPHA = 1e-6
_TEXT = Setting("a text", (str,))
_TEXTS = Setting("a list of texts", (list,))
_NUMBER = Setting("a number", (int, float))
#: On how many of the seeds that are asked for a dear learner is audited at most.
_SEEDS = Setting("a whole number of at least 1", (int,))
_OF_SURVEY: Mapping[str, Setting] = {
    "title": _TEXT,
    "alpha": _NUMBER,
    "max-samples": OF_AUDITS["max-samples"],
    "max-seconds": OF_AUDITS["max-seconds"],
    "seeds": _SEEDS,
    "call-timeout": OF_AUDITS["call-timeout"],
    "lists": _TEXTS,
}
_OF_LEFT_OUT: Mapping[str, Setting] = {"package": _TEXT, "version": _TEXT, "why": _TEXT}
_OF_ENVIRONMENT: Mapping[str, Setting] = {
    "name": _TEXT,
    "requirements": _TEXTS,
    "python": Setting("a version such as '3.11'", (str,)),
    "lock": Setting("a file", (str,), FILE),
    "package": _TEXT,
    "version": _TEXT,
}
_OBJECT = Setting("a target such as 'mine.py:Learner'", (str,), OBJECT)
_OF_SUBJECT: Mapping[str, Setting] = {
    "name": _TEXT,
    "environments": _TEXTS,
    "target": _OBJECT,
    "expected": Setting("a verdict such as 'violated', or a table of such by environment", (str, dict)),
    "promise": _TEXT,
    "finding": _TEXT,
    "cause": _TEXT,
    "known": _TEXT,
    "mended": _OBJECT,
    "seeds": _SEEDS,
    **OF_AUDITS,
}
_TABLES = ("survey", "environment", "subject", "left-out")
# Names are those of folders and journals too.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")
_PINNED = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:==\s*([A-Za-z0-9.+!-]+))?")


@dataclass(frozen=True)
class AskedEnvironment:
    """An environment as the file has it; ``version`` is empty where only the environment itself can say it.

    ``start`` is the folder of the file that names it, where relative paths of its requirements start.
    """

    name: str
    requirements: tuple[str, ...]
    python: str
    lock: Path | None
    package: str
    version: str
    start: Path


@dataclass(frozen=True)
class LeftOut:
    """A package that was tried and could not be surveyed, and why."""

    package: str
    version: str
    why: str


@dataclass(frozen=True, eq=False)
class AskedSubject:
    """A learner as the file has it.

    ``cause`` says in a few words of what kind an error is, ``known`` what its package's tracker knows of it.
    ``target`` and ``mended`` are as they are written there, ``found_at`` and ``mended_at`` say where they are from
    anywhere; ``arguments`` are those of ``dpcheck audit``.
    """

    name: str
    environments: tuple[str, ...]
    target: str
    found_at: str
    mended: str
    mended_at: str
    expected: Mapping[str, Status]
    promise: str
    finding: str
    cause: str
    known: str
    arguments: tuple[str, ...]
    max_seconds: float | None
    most_seeds: int | None = None


@dataclass(frozen=True)
class AskedSurvey:
    """A survey as its file, with those that it lists, has it."""

    file: Path
    title: str
    alpha: float
    environments: tuple[AskedEnvironment, ...]
    subjects: tuple[AskedSubject, ...]
    left_out: tuple[LeftOut, ...] = ()

    def environment(self, name: str) -> AskedEnvironment:
        """The environment of this name."""
        return next(one for one in self.environments if one.name == name)


def read_survey(path: Path, *, listed_in: Path | None = None) -> AskedSurvey:
    """The survey of a file, and of the files that it lists.

    Budgets are those of the file that a subject stands in; the level is that of the file that was asked for.
    ``listed_in`` is the file whose list has this one.

    Raises
    ------
    InvalidArgument
        In one line that names the file, the table and the key: for what is unknown, missing, named twice, or of
        another type, and for files that are not there.
    """
    tables = _tables(path)
    place = str(path)
    _refuse_unknown(tables, _TABLES, place, "table")
    survey = _checked(tables.get("survey", {}), _OF_SURVEY, f"{place}: [survey]")
    alpha = float(survey.get("alpha", ALPHA))
    if not 0.0 < alpha < 1.0:
        raise InvalidArgument(f"{place}: alpha of [survey] must be a probability above 0 and below 1, got {alpha!r}")
    if listed_in is not None and "lists" in survey:
        raise InvalidArgument(f"{place}: a file that {listed_in} lists must have no lists of its own")
    folder = path.absolute().parent
    others: list[AskedSurvey] = []
    for name in _texts(survey, "lists", f"{place}: [survey]") if "lists" in survey else ():
        _there(folder, name, f"{place}: lists of [survey]")
        others.append(read_survey(path.parent / name, listed_in=path))
    own = _own(tables, survey, place, folder, needed=not others)
    whole = AskedSurvey(
        path,
        survey.get("title", path.stem.replace("_", " ")),
        alpha,
        tuple(dict.fromkeys([*own.environments, *(there for one in others for there in one.environments)])),
        own.subjects + tuple(subject for one in others for subject in one.subjects),
        own.left_out + tuple(left for one in others for left in one.left_out),
    )
    _refuse_twice([one.name for one in whole.environments], f"{place}: environments")
    _refuse_twice([one.name for one in whole.subjects], f"{place}: subjects")
    return whole


@dataclass(frozen=True)
class _Own:
    """What stands in a file itself."""

    environments: tuple[AskedEnvironment, ...]
    subjects: tuple[AskedSubject, ...]
    left_out: tuple[LeftOut, ...]


def _own(tables: Mapping[str, Any], survey: Mapping[str, Any], place: str, folder: Path, *, needed: bool) -> _Own:
    environments = tuple(
        _environment(one, f"{place}: environment {number}", folder)
        for number, one in enumerate(_listed(tables, "environment", place, needed=needed), start=1)
    )
    _refuse_twice([one.name for one in environments], f"{place}: environments")
    if (calls := survey.get("max-samples")) is not None and calls < 1:
        raise InvalidArgument(f"{place}: max-samples of [survey] must be at least 1, got {calls!r}")
    if "seeds" in survey:
        _at_least_one(survey["seeds"], f"{place}: seeds of [survey]")
    budget = {key: survey[key] for key in ("max-samples", "max-seconds", "call-timeout", "seeds") if key in survey}
    subjects = tuple(
        _subject(one, f"{place}: subject {number}", folder, environments, budget)
        for number, one in enumerate(_listed(tables, "subject", place, needed=needed), start=1)
    )
    left_out = tuple(
        _left_out(one, f"{place}: left-out {number}")
        for number, one in enumerate(_listed(tables, "left-out", place, needed=False), start=1)
    )
    return _Own(environments, subjects, left_out)


def chosen(
    survey: AskedSurvey, names: Sequence[str], only: Sequence[str] = ()
) -> tuple[tuple[AskedSubject, AskedEnvironment], ...]:
    """Each subject in each of its environments: those that one of the names fits, and of them those that ``only`` fits.

    A name, or a pattern, is of a subject, an environment or a package; none at all fits everything.

    Raises
    ------
    InvalidArgument
        For a name that fits nothing, naming the nearest.
    """
    pairs = [(subject, survey.environment(name)) for subject in survey.subjects for name in subject.environments]
    for given, of in ((names, "{}"), (only, "--only {}")):
        known = list(dict.fromkeys(word for pair in pairs for word in _words(pair)))
        for name in given:
            if not any(fnmatchcase(word, name) for word in known):
                raise InvalidArgument(
                    f"{of.format(name)} must fit a subject, an environment or a package of {survey.file}"
                    f"{nearest(name, known)}; see dpcheck survey {survey.file} --list"
                )
        if given:
            pairs = [pair for pair in pairs if any(fnmatchcase(word, name) for name in given for word in _words(pair))]
    return tuple(pairs)


def _words(pair: tuple[AskedSubject, AskedEnvironment]) -> tuple[str, str, str]:
    return pair[0].name, pair[1].name, pair[1].package


def _tables(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InvalidArgument(f"{path} must be at most {MAX_BYTES} bytes, got {path.stat().st_size}")
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise InvalidArgument(
            f"a survey's file must be one that can be read, got {str(path)!r} ({error.strerror or error})"
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:
        if isinstance(error, DpcheckError):
            raise
        raise InvalidArgument(f"{path} must be TOML, got: {error}") from error


def _listed(tables: Mapping[str, Any], name: str, place: str, *, needed: bool) -> list[Any]:
    found = tables.get(name, [])
    if not isinstance(found, list) or (needed and not found):
        raise InvalidArgument(f"{place}: [[{name}]] must be there at least once, got {found!r}")
    return found


def _refuse_unknown(table: Mapping[str, Any], known: Iterable[str], place: str, kind: str) -> None:
    known = list(known)
    for key in table:
        if key in OF_BASELINES:
            raise InvalidArgument(f"{place}: {key} is read by record and compare only: leave it out of a survey")
        if key not in known:
            raise InvalidArgument(f"{place} has no {kind} {key!r}{nearest(key, known)}")


def _refuse_twice(names: Sequence[str], place: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InvalidArgument(f"{place} must have different names, got {name!r} twice")


def _checked(table: Any, keys: Mapping[str, Setting], place: str) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise InvalidArgument(f"{place} must be a table, got {table!r}")
    said = {key.replace("_", "-"): value for key, value in table.items()}
    if len(said) < len(table):
        twice = next(key for key in table if "_" in key and key.replace("_", "-") in table)
        raise InvalidArgument(f"{place} names {twice!r} twice, with - and with _")
    _refuse_unknown(said, keys, place, "key")
    for key, value in said.items():
        wanted = keys[key]
        if not is_what_it_wants(wanted, value):
            raise InvalidArgument(f"{place}: {key} must be {wanted.wants}, got {value!r}")
        if value in ("", [], {}):
            raise InvalidArgument(f"{place}: {key} must not be empty, got {value!r}")
    return said


def _texts(said: Mapping[str, Any], key: str, place: str) -> tuple[str, ...]:
    found = said.get(key, [])
    if not found:
        raise InvalidArgument(f"{place} must have {key}, got none")
    for one in found:
        if not isinstance(one, str) or not one.strip() or "\n" in one:
            raise InvalidArgument(f"{place}: {key} must be {_TEXTS.wants}, got {one!r}")
    return tuple(found)


def _named(said: Mapping[str, Any], place: str) -> tuple[str, str]:
    """A table's name, and where lines of trouble say that it stands."""
    name = said.get("name", "")
    if not _NAME.fullmatch(name):
        wanted = "letters, digits and . _ + - (it names a folder)"
        raise InvalidArgument(f"{place}: name must be made of {wanted}, got {name!r}")
    return name, f"{place} ({name})"


def _environment(table: Any, place: str, folder: Path) -> AskedEnvironment:
    said = _checked(table, _OF_ENVIRONMENT, place)
    name, place = _named(said, place)
    requirements = _texts(said, "requirements", place)
    python = said.get("python", "")
    if python and not re.fullmatch(r"3\.\d+(\.\d+)?", python):
        raise InvalidArgument(f"{place}: python must be {_OF_ENVIRONMENT['python'].wants}, got {python!r}")
    if python and tuple(map(int, python.split(".")[:2])) < (3, 11):
        raise InvalidArgument(f"{place}: python must be at least 3.11, which dpcheck itself needs, got {python!r}")
    pinned = _PINNED.match(requirements[0])
    package = said.get("package", "" if pinned is None else pinned[1])
    if not package:
        raise InvalidArgument(f"{place} must have package, for {requirements[0]!r} does not tell it")
    version = said.get("version", "")
    if not version:
        pins = [found for found in map(_PINNED.match, requirements) if found and _same_package(found[1], package)]
        version = next((found[2] for found in pins if found[2]), "")
    lock = said.get("lock")
    return AskedEnvironment(
        name, requirements, python, None if lock is None else folder / lock, package, version, folder
    )


def _left_out(table: Any, place: str) -> LeftOut:
    said = _checked(table, _OF_LEFT_OUT, place)
    for key in ("package", "why"):
        if key not in said:
            raise InvalidArgument(f"{place} must have {key}, got none")
    return LeftOut(said["package"], said.get("version", ""), said["why"])


def _same_package(one: str, other: str) -> bool:
    return re.sub(r"[-_.]+", "-", one).lower() == re.sub(r"[-_.]+", "-", other).lower()


def _subject(
    table: Any, place: str, folder: Path, known: Sequence[AskedEnvironment], budget: Mapping[str, Any]
) -> AskedSubject:
    said = _checked(table, _OF_SUBJECT, place)
    name, place = _named(said, place)
    for key in ("target", "promise"):
        if key not in said:
            why = ": nothing is audited at a claim that nobody made" if key == "promise" else ""
            raise InvalidArgument(f"{place} must have {key}, got none{why}")
    names = [one.name for one in known]
    environments: list[str] = []
    for pattern in _texts(said, "environments", place):
        fitting = [one for one in names if fnmatchcase(one, pattern)]
        if not fitting:
            hint = nearest(pattern, names)
            raise InvalidArgument(f"{place}: environments names {pattern!r}, and there is no such environment{hint}")
        environments += fitting
    environments = list(dict.fromkeys(environments))
    for key in ("dataset", "pairs", "public"):
        if key in said and not said[key].startswith("sklearn:"):
            said[key] = str(_there(folder, said[key], f"{place}: {key}"))
    said |= {key: value for key, value in budget.items() if key not in said}
    if (limit := said.get("call-timeout")) is not None and not 0 < limit < math.inf:
        raise InvalidArgument(f"{place}: call-timeout must be a positive, finite number of seconds, got {limit!r}")
    if "columns" in said and ("dataset" in said or "pairs" in said):
        raise InvalidArgument(
            f"{place}: columns are those of data that are searched (bounds), and a dataset or pairs have their own: "
            "leave columns out, or write the columns that are meant to a file of their own"
        )
    seconds = said.get("max-seconds")
    if "seeds" in said:
        _at_least_one(said["seeds"], f"{place}: seeds")
    of_audit = {key: value for key, value in said.items() if key in OF_AUDITS and key != "max-seconds"}
    try:
        arguments = arguments_of(of_audit)
    except InvalidArgument as error:
        raise InvalidArgument(f"{place}: {error}") from error
    return AskedSubject(
        name,
        tuple(environments),
        said["target"],
        _found_at(folder, said["target"], f"{place}: target"),
        said.get("mended", ""),
        _found_at(folder, said["mended"], f"{place}: mended") if "mended" in said else "",
        _expected(said.get("expected", Status.NO_VIOLATION_FOUND.value), environments, place),
        said["promise"],
        said.get("finding", ""),
        said.get("cause", ""),
        said.get("known", ""),
        tuple(arguments),
        None if seconds is None else float(seconds),
        said.get("seeds"),
    )


def _at_least_one(seeds: int, place: str) -> None:
    if seeds < 1:
        raise InvalidArgument(f"{place} must be at least 1, got {seeds!r}")


def _expected(said: Any, environments: Sequence[str], place: str) -> dict[str, Status]:
    """The verdict expected in each environment."""
    if not isinstance(said, dict):
        return dict.fromkeys(environments, expected_status(f"{place}: expected", said))
    found = {}
    for pattern, words in said.items():
        status = expected_status(f"{place}: expected.{pattern}", words)
        fitting = [one for one in environments if fnmatchcase(one, pattern)]
        if not fitting:
            hint = nearest(pattern, environments)
            raise InvalidArgument(f"{place}: expected names {pattern!r}, which is none of its environments{hint}")
        found.update(dict.fromkeys(fitting, status))
    return {one: found.get(one, Status.NO_VIOLATION_FOUND) for one in environments}


def _there(folder: Path, name: str, place: str) -> Path:
    path = folder / name
    if not path.is_file():
        raise InvalidArgument(f"{place} must be a file that is there, got {name!r} (from {folder})")
    return path


def _found_at(folder: Path, target: str, place: str) -> str:
    """A target that is found from anywhere."""
    file, colon, name = target.rpartition(":")
    if not colon or not file or not name:
        raise InvalidArgument(f"{place} must be {_OBJECT.wants}, got {target!r}")
    return f"{_there(folder, file, place)}:{name}" if file.endswith(".py") else target
