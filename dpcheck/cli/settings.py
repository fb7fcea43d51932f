"""Defaults from ``[tool.dpcheck]`` in the nearest pyproject.toml; flags win over them."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpcheck.cli.numbers import NoDouble, double_of
from dpcheck.cli.options import OBJECT, Setting
from dpcheck.cli.values import ROWS
from dpcheck.model.errors import InvalidArgument, nearest

FILE = "pyproject.toml"
# Far above any pyproject.toml written by a person; a larger one is a mistake or worse.
MAX_BYTES = 4 * 1024 * 1024
# Datasets that are no files.
_SKLEARN = "sklearn:"
# What targets name is in such files, or (of a report) is one.
_TARGET_FILES = (".py", ".json")
# What record and compare are about: a table of its own, which is the default of no option.
LEARNERS = "learners"
# What the other commands run: several targets, or one. Where a project names them by one of these keys only, commands
# that take the other read it too; but of plan, which runs nothing where no target is named.
TARGETS, TARGET = "targets", "target"


def find_settings(folder: Path) -> Path | None:
    """The nearest pyproject.toml in a folder or above it, but not above the root of a git repository.

    Examples
    --------
    >>> find_settings(Path("/")) is None
    True
    """
    for place in (folder, *folder.parents):
        if (place / FILE).is_file():
            return place / FILE
        # In a work tree it is a file.
        if (place / ".git").exists():
            return None
    return None


def read_settings(folder: Path, known: Mapping[str, Mapping[str, Setting]]) -> dict[str, Any]:
    """The table ``[tool.dpcheck]``, with ``max-samples`` and ``max_samples`` both spelt ``max_samples``.

    Relative paths in it start at the folder of its file, wherever below it one stands. ``known`` are the settings of
    each command.

    Raises
    ------
    InvalidArgument
        When the file is no TOML, or names one setting twice.
    """
    path = find_settings(folder)
    if path is None:
        return {}
    table = table_of(path)
    places = {name: one.place for options in known.values() for name, one in options.items() if one.place}
    settings: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name in settings:
            raise InvalidArgument(f"[tool.dpcheck] in {FILE} names {key!r} twice, with - and with _")
        if name != LEARNERS:
            settings[name] = from_folder(places.get(name, ""), value, path.parent, folder)
    return settings


def table_of(path: Path) -> dict[str, Any]:
    """The table ``[tool.dpcheck]`` of a pyproject.toml, as it stands.

    Raises
    ------
    InvalidArgument
        When the file is no TOML, or has no such table but something else of that name.
    """
    if path.stat().st_size > MAX_BYTES:
        raise InvalidArgument(f"{FILE} must be at most {MAX_BYTES} bytes, got {path.stat().st_size}")
    try:
        tools = tomllib.loads(path.read_bytes().decode("utf-8"), parse_float=_float_of).get("tool", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError, ValueError) as error:  # also: far too long
        raise InvalidArgument(f"{FILE} must be TOML, got: {error}") from error
    table = tools.get("dpcheck", {}) if isinstance(tools, dict) else {}
    if not isinstance(table, dict):
        raise InvalidArgument(f"[tool.dpcheck] in {FILE} must be a table, got {table!r}")
    for key, value in table.items():
        found = _no_double(value)
        if found is not None:
            raise InvalidArgument(f"[tool.dpcheck] in {FILE}: {key} must be what a double holds, got {found.problem}")
        if value != value:  # in a list NaN may be a missing value
            raise InvalidArgument(f"[tool.dpcheck] in {FILE}: {key} must be a number, got {value}")
    return table


@dataclass(frozen=True)
class _Lost:
    """A number of the file that is no double: a mistake where it is ours, and another tool's business elsewhere."""

    problem: str


def _float_of(text: str) -> float | _Lost:
    try:
        return double_of(text)
    except NoDouble as error:
        return _Lost(str(error))


def _no_double(value: Any) -> _Lost | None:
    """The first number in a value of the file that is no double."""
    if isinstance(value, dict | list):
        inner = value.values() if isinstance(value, dict) else value
        return next((found for found in map(_no_double, inner) if found is not None), None)
    return value if isinstance(value, _Lost) else None


def from_folder(kind: str, value: Any, start: Path, folder: Path) -> Any:
    """The value with a path that starts at ``start`` written as one that starts at ``folder``.

    Examples
    --------
    >>> from_folder(OBJECT, ["mine.py:Mean", "zoo:laplace", "my_paper.py", "alon2019"], Path("a"), Path("a/b"))
    ['../mine.py:Mean', 'zoo:laplace', '../my_paper.py', 'alon2019']
    """
    if start == folder or not kind:
        return value
    if kind == OBJECT and isinstance(value, list):
        return [from_folder(kind, item, start, folder) for item in value]
    if not isinstance(value, str):
        return value
    place, colon, rest = value.rpartition(":") if kind == OBJECT and ":" in value else (value, "", "")
    is_path = place.endswith(_TARGET_FILES) if kind == OBJECT else not value.startswith(_SKLEARN)
    return os.path.relpath(start / place, folder) + colon + rest if is_path else value


def defaults_for(settings: Mapping[str, Any], known: Mapping[str, Mapping[str, Setting]]) -> dict[str, dict[str, Any]]:
    """The settings sorted by command, as typer's ``default_map``.

    Parameters
    ----------
    settings : mapping
        What :func:`read_settings` returned.
    known : mapping
        The settings of each command.

    Raises
    ------
    InvalidArgument
        For a setting that no command has, naming the nearest; for a table; for a list where one value goes.

    Examples
    --------
    >>> defaults_for({"alpha": 1e-9}, {"audit": {"alpha": Setting()}, "zoo": {}})
    {'audit': {'alpha': 1e-09}, 'zoo': {}}
    """
    of_any = {name: one for options in known.values() for name, one in options.items()}
    for name, value in settings.items():
        shown = name.replace("_", "-")
        if name not in of_any:
            candidates = [LEARNERS, *(option.replace("_", "-") for option in of_any)]
            raise InvalidArgument(f"[tool.dpcheck] in {FILE} has no setting {shown!r}{nearest(shown, candidates)}")
        if value == "" or (isinstance(value, list) and "" in value):
            raise InvalidArgument(f"[tool.dpcheck] in {FILE}: {shown} must not be empty, got {value!r}")
        if isinstance(value, list) and not (of_any[name].several or of_any[name].commas):
            raise InvalidArgument(f"[tool.dpcheck] in {FILE}: {shown} must be one value, got the list {value!r}")
        if not isinstance(value, str | int | float | bool | list):
            raise InvalidArgument(
                f"[tool.dpcheck] in {FILE}: {shown} must be a string, a number or a list, got {value!r}"
            )
    if TARGET in settings and TARGETS not in settings:
        settings = {**settings, TARGETS: [settings[TARGET]]}
    return {
        command: {name: _as_given(name, settings[name], one) for name, one in options.items() if name in settings}
        for command, options in known.items()
    }


def the_one_target(folder: Path, command: str) -> str:
    """The target of a command that takes one, and of which neither the command line nor ``target`` says it.

    Raises
    ------
    InvalidArgument
        When ``targets`` of the settings are none or several.
    """
    named = read_settings(folder, {command: {TARGETS: Setting(place=OBJECT)}}).get(TARGETS, [])
    targets = list(dict.fromkeys(map(str, named if isinstance(named, list) else [named])))
    if len(targets) == 1:
        return targets[0]
    if targets:
        first, *others = targets
        more = f"{first} and {len(others)} more" if len(others) > 1 else f"{first} and {others[0]}"
        raise InvalidArgument(
            f"{command} takes one TARGET, and targets in [tool.dpcheck] of {FILE} names {more}: name one on the "
            "command line"
        )
    raise InvalidArgument(
        f"{command} needs a TARGET, as in dpcheck {command} mylearner.py:Learner{or_in_settings(folder)}"
    )


def or_in_settings(folder: Path) -> str:
    """The end of a line that asks for a target, where the settings list learners that only other commands read."""
    path = find_settings(folder)
    if path is None or not table_of(path).get(LEARNERS):
        return ""
    return f"; or list targets in [tool.dpcheck] of {FILE}: only dpcheck record and compare read {LEARNERS}"


def said_by_settings(line: str, options: Sequence[Any], settings: Mapping[str, Any], argv: Sequence[str]) -> str:
    """What a line of trouble blames on an option or a target, with where that stands if nobody typed it.

    Parameters
    ----------
    line : the trouble, which names options as they are typed, or begins with one's name in Python or with a target
    options : the parameters of the command, as typer has them
    settings : what :func:`read_settings` returned
    argv : what was typed

    Examples
    --------
    >>> size = type("Option", (), {"name": "size", "opts": ["--size"], "secondary_opts": []})
    >>> said_by_settings("--size must be a number, got 'x'", [size], {"size": "x"}, ["audit"])
    "--size must be a number, got 'x' (size stands in [tool.dpcheck] of pyproject.toml)"
    >>> said_by_settings("--size must be a number, got 'x'", [size], {"size": 3}, ["audit", "--size", "x"])
    "--size must be a number, got 'x'"
    """
    typed = {token.partition("=")[0] for token in argv}
    blamed = []
    for option in options:
        flags = [flag for flag in (*option.opts, *option.secondary_opts) if flag.startswith("--")]
        name = option.name.replace("_", "-")
        if not flags:  # what stands without a flag is a target; see TARGETS
            blamed += [key for key in (TARGETS, TARGET) if key in settings and _names_target(line, settings[key], argv)]
        elif option.name in settings and not typed & set(flags) and blames(line, name, but=typed):
            blamed.append(name)
    return with_place(line, blamed)


# What a line begins with that is about one part of a value of several.
_PARTS = {"renyi": ("order", "epsilon"), "options": ("option",)}


def blames(line: str, name: str, *, but: Collection[str] = ()) -> bool:
    """Whether a line of trouble is about the option of this name; what ``but`` spells is said by another one.

    >>> blames("--records and --bounds both declare them", "bounds"), blames("max_seconds must be", "max-seconds")
    (True, True)
    >>> blames("option 'x' is not one of mine's: y", "option"), blames("order must be above 1, got 1", "renyi")
    (True, True)
    """
    if re.search(rf"(?<![\w-])--{re.escape(name)}(?![\w-])", line):
        return True
    parts = [part for part in _PARTS.get(name, ()) if f"--{part}" not in but]
    return any(re.match(rf"{re.escape(one)} (must |')", line) for one in (name, name.replace("-", "_"), *parts))


def _names_target(line: str, value: Any, argv: Sequence[str]) -> bool:
    """Whether a line is about a target that only the settings name."""
    targets = value if isinstance(value, list) else [value]
    return any(re.match(rf"target {re.escape(str(one))}(?![\w.])", line) and one not in argv for one in targets)


def with_place(line: str, blamed: Sequence[str], place: str = f"[tool.dpcheck] of {FILE}") -> str:
    """The line, with where the settings that it blames stand; as it is where it says so already, or blames none.

    >>> with_place("records must be a list, got 1", ["records"])
    'records must be a list, got 1 (records stands in [tool.dpcheck] of pyproject.toml)'
    """
    if not blamed or "[tool.dpcheck]" in line:
        return line
    stand = "stands" if len(blamed) == 1 else "stand"
    return f"{line} ({' and '.join(blamed)} {stand} in {place})"


def was_typed(context: Any, name: str) -> bool:
    """Whether an option stands on the command line itself, rather than in settings or nowhere."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def typed_options(context: Any) -> set[str]:
    """The options that stood on the command line (the others come from the settings, or are not there)."""
    return {name for name in context.params if was_typed(context, name)}


def _as_given(name: str, value: Any, setting: Setting) -> Any:
    if setting.commas and isinstance(value, list):
        given = value
        value = _between_commas(value)
        if not setting.several and isinstance(value, list):
            raise InvalidArgument(f"[tool.dpcheck] in {FILE}: {name} must be a list of values, got {given!r}{ROWS}")
    if setting.several:
        return [str(item) for item in value] if isinstance(value, list) else [str(value)]
    return value


def _between_commas(values: list[Any]) -> str | list[str]:
    """``[0, 1]`` as ``0,1``, and ``[[0, 1], [0, 5]]`` as ``0,1`` and ``0,5``; text that has commas as it stands."""
    if any(isinstance(value, list) or (isinstance(value, str) and "," in value) for value in values):
        return [",".join(map(str, value)) if isinstance(value, list) else str(value) for value in values]
    return ",".join(map(str, values))
