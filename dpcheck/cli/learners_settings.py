"""``[tool.dpcheck] learners``: what ``record`` and ``compare`` are about, read from pyproject.toml and checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from fnmatch import fnmatchcase
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dpcheck.cli.options import (
    OBJECT,
    Called,
    Claimed,
    Forms,
    Given,
    LearnerOptions,
    MaxSeconds,
    Neighbours,
    Setting,
    is_what_it_wants,
    setting_of,
    settings_of,
)
from dpcheck.cli.origin import with_origin
from dpcheck.cli.settings import FILE, LEARNERS, blames, find_settings, from_folder, table_of, with_place
from dpcheck.cli.time_limit import limited
from dpcheck.cli.values import ROWS
from dpcheck.model.errors import DpcheckError, InvalidArgument, in_words, nearest
from dpcheck.model.written_numbers import fraction_of

if TYPE_CHECKING:
    from dpcheck.history.subject import Subject, Task

_WHERE = f"[tool.dpcheck] {LEARNERS} in {FILE}"
_COUNT = Setting("a whole number", (int,))


def _spelt(group: type) -> dict[str, Setting]:
    """What an entry may say of a group of options."""
    return {name.replace("_", "-"): setting for name, setting in settings_of(group).items() if setting.types}


#: What an entry may say.
KEYS: Mapping[str, Setting] = {
    "target": Setting("a target such as 'mine.py:Learner'", (str,), OBJECT),
    "name": Setting("a text", (str,)),
    **_spelt(Claimed),
    **_spelt(Given),
    "options": Setting("a table of arguments for the factory", (dict,)),
    "option": setting_of(LearnerOptions),
    **_spelt(Called),
    "distribution": Setting("a target such as 'mine.py:DISTRIBUTION'", (str,), OBJECT),
    "sizes": Setting("a list of numbers, or of tables such as {private = 500, public = 50}", (list,)),
    "risk": Setting("a callable (output, dataset) -> float such as 'mine.py:risk'", (str,), OBJECT),
    "calls": _COUNT,
    "learn-calls": _COUNT,
    "trials": _COUNT,
    "max-seconds": setting_of(MaxSeconds),
    "cost": Setting("true or false", (bool,)),
}
_ALONE = ("form", "neighbours", "numerics", "warnings")
#: Settings of the whole table that hold for each of its learners as they do for every other command, unless the
#: learner's own entry says anything of the group: a claim is one thing, and so is where the data come from.
SHARED: tuple[tuple[str, ...], ...] = (
    tuple(_spelt(Claimed)),
    tuple(name for name in _spelt(Given) if name not in _ALONE),
    ("options", "option"),
    *((name,) for name in _ALONE),
)
_HOW = (
    "give it bounds or records (pairs are searched), a dataset (pairs are made from it) or pairs, in [tool.dpcheck] "
    f"in {FILE}: for all learners, as in bounds = [0, 1], or in its entry of {LEARNERS}, as in "
    '{target = "mine.py:Learner", bounds = [0, 1]}'
)
_Known = TypeVar("_Known", bound=StrEnum)


@dataclass(frozen=True)
class Configured:
    """One learner of the settings: its name, its target, and what else is said of it.

    ``place`` is where its entry stands (empty for one that was named on the command line), and ``taken`` are the keys
    that the table says of all learners.
    """

    name: str
    target: str
    said: Mapping[str, Any]
    place: str = ""
    taken: frozenset[str] = frozenset()


def read_learners(folder: Path) -> tuple[Configured, ...]:
    """The learners that pyproject.toml names, in its order; none where it names none.

    What the table says of the claim and the data (:data:`SHARED`) holds for those whose entries say nothing of it.
    Relative paths start at the folder of the file, wherever below it one stands.

    Raises
    ------
    InvalidArgument
        For an unknown setting, naming the nearest; for one of the wrong type; for a name used twice.
    """
    path = find_settings(folder)
    if path is None:
        return ()
    listed, shared = table_of(path).get(LEARNERS, []), shared_settings(folder)
    if not isinstance(listed, list):
        raise InvalidArgument(f"{_WHERE} must be a list of targets or tables, got {listed!r}")
    found = [
        with_shared(_configured(one, number, path.parent, folder), shared) for number, one in enumerate(listed, start=1)
    ]
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidArgument(f"{_WHERE} must have different names, got {name!r} twice: give one of them a name")
    return tuple(found)


def shared_settings(folder: Path) -> Mapping[str, Any]:
    """What the table itself says of claims and data, for its learners and those named on the command line.

    Raises
    ------
    InvalidArgument
        For a value of the wrong type.
    """
    path = find_settings(folder)
    if path is None:
        return {}
    known = {key for group in SHARED for key in group}
    found: dict[str, Any] = {}
    for key, value in table_of(path).items():
        spelt = key.replace("_", "-")
        if spelt in known:
            found[spelt] = _checked(spelt, value, f"[tool.dpcheck] in {FILE}: {spelt}", path.parent, folder)
    return found


def with_shared(one: Configured, shared: Mapping[str, Any]) -> Configured:
    """A learner with what the table says of groups of settings that its own entry is silent on.

    >>> one = Configured("mean", "mine.py:Mean", {"records": [0, 1]})
    >>> with_shared(one, {"epsilon": 1.0, "bounds": [0, 5]}).said
    {'epsilon': 1.0, 'records': [0, 1]}
    """
    taken = {
        key: shared[key]
        for group in SHARED
        if not any(key in one.said for key in group)
        for key in group
        if key in shared
    }
    return replace(one, said={**taken, **one.said}, taken=frozenset(taken))


def _checked(key: str, value: Any, name: str, start: Path, folder: Path) -> Any:
    """A value of the right type, its path one that starts where the command was typed."""
    setting = KEYS[key]
    if not is_what_it_wants(setting, value):
        raise InvalidArgument(f"{name} must be {setting.wants}, got {value!r}")
    return from_folder(setting.place, value, start, folder)


def _configured(one: Any, number: int, start: Path, folder: Path) -> Configured:
    if isinstance(one, str):
        one = {"target": one}
    if not isinstance(one, dict):
        raise InvalidArgument(f"{_WHERE}: entry {number} must be a target or a table, got {one!r}")
    said: dict[str, Any] = {}
    for key, value in one.items():
        spelt = key.replace("_", "-")
        if spelt not in KEYS:
            raise InvalidArgument(f"{_WHERE}: entry {number} has no setting {key!r}{nearest(spelt, KEYS)}")
        if spelt in said:
            raise InvalidArgument(f"{_WHERE}: entry {number} names {key!r} twice, with - and with _")
        said[spelt] = _checked(spelt, value, f"{_WHERE}: {spelt} of entry {number}", start, folder)
    target = said.pop("target", "")
    if not target:
        raise InvalidArgument(f"{_WHERE}: entry {number} must have a target, got none")
    if said.get("name") == "":
        raise InvalidArgument(f"{_WHERE}: name of entry {number} must not be empty")
    # the name in the baseline must not depend on the folder that the command was typed in
    own = one["target"] if isinstance(one.get("target"), str) else target
    return Configured(said.pop("name", own), target, said, f"entry {number} of {_WHERE}")


def chosen(
    configured: Sequence[Configured], names: Sequence[str], only: Sequence[str], shared: Mapping[str, Any] | None = None
) -> tuple[Configured, ...]:
    """Those asked for: by name or target on the command line (others are taken as targets), or by a pattern.

    What the table says of claims and data (``shared``) holds for the others too.

    Raises
    ------
    InvalidArgument
        For a pattern that no learner fits, and for a name that is no learner's and no target.

    Examples
    --------
    >>> one = Configured("mean", "mine.py:Mean", {})
    >>> [found.name for found in chosen([one], ["mine.py:Mean", "zoo:laplace"], [])]
    ['mean', 'zoo:laplace']
    >>> chosen([one], [], ["m*"]) == (one,)
    True
    """
    by_name = {**{one.target: one for one in configured}, **{one.name: one for one in configured}}
    for name in names:
        if configured and name not in by_name and ":" not in name:
            raise InvalidArgument(f"{_WHERE} must have a learner {name!r}{nearest(name, by_name)}, or name a target")
    others = {name: with_shared(Configured(name, name, {}), shared or {}) for name in names}
    asked = [by_name.get(name, others[name]) for name in dict.fromkeys(names)] if names else configured
    if not only:
        return tuple(asked)
    for pattern in only:
        if not any(fnmatchcase(one.name, pattern) for one in asked):
            raise InvalidArgument(f"--only {pattern} must fit a learner{nearest(pattern, [one.name for one in asked])}")
    return tuple(one for one in asked if any(fnmatchcase(one.name, pattern) for pattern in only))


def subject_of(one: Configured, effort: Mapping[str, Any]) -> Subject:
    """The learner found, with its claim, data and tasks.

    Parameters
    ----------
    one : Configured
    effort : mapping
        What the command line says of how learners are run (``isolation``, ``jobs``, ``call_timeout``, ...), which the
        entry's own settings win over.

    Raises
    ------
    DpcheckError
        In one line that names the entry.
    """
    with told_with_place(one):
        return _subject(one, effort)


@contextmanager
def told_with_place(one: Configured) -> Iterator[None]:
    """What goes wrong with a learner names it, and where in the settings the value stands that is to blame."""
    try:
        yield
    except DpcheckError as error:
        line = with_origin(told_of(one, str(error)))
        if one.name not in line:
            line = f"{one.name}: {line}"
        if line == str(error):
            raise
        raise type(error)(line) from error


def told_of(one: Configured, line: str) -> str:
    """What a line of trouble blames on the settings of a learner, as they are spelt there and with where that is.

    >>> told_of(Configured("mean", "mine.py:Mean", {"size": "x"}, "entry 1"), "--size must be a number, got 'x'")
    "size must be a number, got 'x' (size stands in entry 1)"
    """
    said = {"target": one.target, **one.said} if one.place else one.said
    own = [key for key in said if key not in one.taken and _blames(line, key, one)]
    shared = [key for key in said if key in one.taken and _blames(line, key, one)]
    # record and compare have no such options: what is spelt as one is a setting here
    spelt = re.sub(r"(?<![\w-])--([a-z-]+)", lambda found: found[1] if found[1] in KEYS else found[0], line)
    return with_place(spelt, own, one.place) if own and one.place else with_place(spelt, shared)


def _blames(line: str, key: str, one: Configured) -> bool:
    return line.startswith(f"target {one.target}") if key == "target" else blames(line, key)


def _subject(one: Configured, effort: Mapping[str, Any]) -> Subject:
    from dpcheck.cli.asked import asked_of, claim_of
    from dpcheck.cli.targets import resolve
    from dpcheck.history.subject import Subject

    said = dict(one.said)
    renyi = said.get("renyi")
    if renyi is not None and not (len(renyi) == 2 and all(type(number) in (int, float) for number in renyi)):
        raise InvalidArgument(f"renyi must be [order, epsilon], got {renyi!r}")
    claim = claim_of(
        Claimed(
            said.get("epsilon"),
            said.get("delta"),
            said.get("rho"),
            said.get("mu"),
            None if renyi is None else (float(renyi[0]), float(renyi[1])),
            _ratio(said.get("ratio")),
        )
    )
    given = Given(
        neighbours=_one_of("neighbours", said.get("neighbours"), Neighbours),
        records=spelt_values("records", said.get("records")),
        bounds=spelt_bounds(said.get("bounds")),
        labels=spelt_values("labels", said.get("labels")),
        columns=spelt_columns(said.get("columns")),
        size=_text(said.get("size")),
        dataset=said.get("dataset"),
        label=_text(said.get("label")),
        form=_one_of("form", said.get("form"), Forms),
        pairs=None if "pairs" not in said else Path(said["pairs"]),
        public=said.get("public"),
        public_label=_text(said.get("public-label")),
    )
    asked = replace(asked_of(claim, given), how=_HOW)
    found = resolve(one.target, _options(said), claim, isolation=effort.get("isolation", "process"))
    arguments = asked.arguments_for(found)
    own = {key.replace("-", "_"): said[key] for key in _EFFORT if key in said}
    subject = Subject(
        name=one.name,
        learner=replace(found.target, name=one.name),
        target=one.target,
        claim=found.claim,
        neighbours=arguments.get("neighbours"),
        dataset=arguments.get("dataset"),
        pairs=arguments.get("pairs"),
        form=arguments.get("form"),
        **{**effort, **({"patience": 1.0} if "max_seconds" in own else {}), **own},
    )
    return replace(subject, tasks=_tasks(said, subject))


_EFFORT = ("calls", "learn-calls", "trials", "max-seconds", "call-timeout", "cost", "numerics", "warnings")


def _one_of(key: str, name: str | None, known: type[_Known]) -> _Known | None:
    names = [one.value for one in known]
    if name is not None and name not in names:
        raise InvalidArgument(f"{key} must be one of {', '.join(names)}, got {name!r}{nearest(name, names)}")
    return None if name is None else known(name)


def _ratio(value: Any) -> Fraction | None:
    try:
        return None if value is None else fraction_of(str(value))
    except (ValueError, ZeroDivisionError):
        raise InvalidArgument(f"ratio must be {KEYS['ratio'].wants}, got {value!r}") from None


def spelt_columns(value: Any) -> str | None:
    """Columns as they are spelt on the command line.

    >>> spelt_columns(["age", "income"]), spelt_columns(3)
    ('age,income', '3')
    """
    return ",".join(map(str, value)) if isinstance(value, list) else _text(value)


def _options(said: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of the factory: a table, or as they are spelt on the command line."""
    from dpcheck.cli.values import parse_options

    given = said.get("option", [])
    spelt = parse_options([given] if isinstance(given, str) else [str(one) for one in given])
    return {**spelt, **said.get("options", {})}


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def spelt_values(key: str, values: Any) -> str | None:
    """Values as they are spelt on the command line.

    Raises
    ------
    InvalidArgument
        For values that are rows.

    Examples
    --------
    >>> spelt_values("records", [0, 1])
    '0,1'
    """
    if values is None or isinstance(values, str):
        return values
    if any(isinstance(value, list | dict) or (isinstance(value, str) and "," in value) for value in values):
        raise InvalidArgument(f"{key} must be a list of values, got {values!r}{ROWS}")
    return ",".join(map(str, values))


def spelt_bounds(values: Any) -> list[str]:
    """Bounds as they are spelt on the command line, once a column.

    >>> spelt_bounds([[0, 1], [18, 99]]), spelt_bounds([0, 1])
    (['0,1', '18,99'], ['0,1'])
    """
    if values is None or isinstance(values, str):
        return [] if values is None else [values]
    if values and all(isinstance(value, list) for value in values):
        return [",".join(map(str, value)) for value in values]
    return [",".join(map(str, values))]


def _tasks(said: Mapping[str, Any], subject: Subject) -> tuple[Task, ...]:
    """What the entry's risk is measured on."""
    from dpcheck.cli.targets import find_object
    from dpcheck.history.subject import Task

    risk = None if "risk" not in said else find_object(said["risk"], "risk")
    if "distribution" in said:
        distribution = find_object(said["distribution"], "distribution")
        if isinstance(distribution, type) or not hasattr(distribution, "draw"):
            try:
                with limited(f"distribution {said['distribution']} was being made"):
                    distribution = distribution()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                raise InvalidArgument(
                    f"distribution {said['distribution']} could not be made: {in_words(error)}"
                ) from error
        if not said.get("sizes"):
            raise InvalidArgument("distribution needs sizes, such as sizes = [100, 1000]")
        return tuple(Task(_size_words(sizes), distribution, sizes, None, risk) for sizes in map(_sizes, said["sizes"]))
    if "sizes" in said:
        raise InvalidArgument("sizes needs a distribution, such as distribution = 'mine.py:DISTRIBUTION'")
    if risk is None:
        return ()
    dataset = subject.dataset
    if dataset is None:
        from dpcheck.history.privacy import question_of

        dataset = question_of(subject, 0, 0.5).pairs[0].left
    return (Task(f"n = {_records(dataset)}", None, {}, dataset, risk),)


def _records(dataset: Any) -> str:
    from dpcheck.model.data import size_of

    try:
        return str(size_of(dataset))
    except DpcheckError:
        return "?"


def _sizes(one: Any) -> dict[str, int]:
    sizes = one if isinstance(one, dict) else {"n": one}
    if not sizes or not all(type(size) is int and size >= 0 for size in sizes.values()):
        raise InvalidArgument(f"sizes must be whole numbers of at least 0, or tables of them, got {one!r}")
    return sizes


def _size_words(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {size}" for name, size in sizes.items())
