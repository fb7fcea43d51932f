"""Finds the checks: those of the catalogue by walking its package, those of others by their entry points."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dpcheck.execution.modules_in import modules_in
from dpcheck.execution.watch import watched
from dpcheck.model.errors import InvalidArgument, in_words, nearest

if TYPE_CHECKING:
    from dpcheck.checks.subject import Subject

#: Where the checks of this package live.
CATALOGUE = "dpcheck.checks.catalogue"
#: Under this entry point group other packages announce a check, or a module of checks.
ENTRY_POINTS = "dpcheck.checks"
#: The name of every check begins so.
PREFIX = "check_"


@dataclass(frozen=True)
class Check:
    """A named check.

    ``function`` takes a :class:`~dpcheck.checks.subject.Subject` and returns an
    :class:`~dpcheck.checks.outcome.Outcome`; ``origin`` names the module or the entry point it comes from.
    """

    name: str
    function: Callable[[Subject], Any]
    origin: str

    @property
    def sentence(self) -> str:
        """What it asks of a learner: the first sentence of its docstring."""
        text = inspect.getdoc(self.function) or ""
        return " ".join(text.split("\n\n")[0].split()).replace("``", "")


@cache
def all_checks() -> tuple[Check, ...]:
    """All checks, in a fixed order: the catalogue's by module and line, then those of others by entry point.

    Raises
    ------
    InvalidArgument
        When two checks have the same name, or an entry point cannot be loaded or holds no check.

    Examples
    --------
    >>> all_checks()[0].name
    'check_answers_on_ordinary_data'
    """
    return distinct([*checks_in(modules_in(CATALOGUE)), *_from_entry_points()])


def checks_named(names: Iterable[str] | None, argument: str = "checks") -> tuple[Check, ...]:
    """The checks of these names, in the fixed order; all of them for None. ``check_`` may be left out.

    ``argument`` is what the names stand in, for the message.

    Raises
    ------
    InvalidArgument
        For a name there is no check of, naming the nearest, and for no name at all.
    """
    if names is None:
        return all_checks()
    if isinstance(names, str):
        raise InvalidArgument(f"checks must be a list of names, got the string {names!r}: write [{names!r}]")
    wanted = {full_name(name, argument) for name in names}
    if not wanted:
        raise InvalidArgument("checks must name at least one check, got none; None runs all")
    return tuple(check for check in all_checks() if check.name in wanted)


def full_name(name: Any, argument: str) -> str:
    """The name of a check, with or without ``check_``, with blanks or hyphens for ``_``.

    Raises
    ------
    InvalidArgument
        When there is no such check.

    Examples
    --------
    >>> full_name("empty-data", "checks")
    'check_empty_data'
    """
    known = {check.name for check in all_checks()}
    if isinstance(name, str):
        spelt = name.strip().replace("-", "_").replace(" ", "_")
        full = spelt if spelt.startswith(PREFIX) else PREFIX + spelt
        if full in known:
            return full
        hint = nearest(full, sorted(known))
    else:
        hint = ""
    raise InvalidArgument(f"{argument} must name checks, got {name!r}{hint}; dpcheck check --list shows them all")


def checks_in(modules: Iterable[ModuleType]) -> list[Check]:
    """The checks that some modules define, in the order of their definition; imported ones do not count."""
    return [
        Check(name, value, module.__name__)
        for module in modules
        for name, value in vars(module).items()
        if name.startswith(PREFIX) and inspect.isfunction(value) and value.__module__ == module.__name__
    ]


def distinct(checks: Sequence[Check]) -> tuple[Check, ...]:
    """The checks as they are.

    Raises
    ------
    InvalidArgument
        When two have the same name.
    """
    known: dict[str, Check] = {}
    for check in checks:
        if check.name in known:
            raise InvalidArgument(
                f"a check's name must be its own, got {check.name} from {known[check.name].origin} and {check.origin}"
            )
        known[check.name] = check
    return tuple(checks)


def _from_entry_points() -> list[Check]:
    from importlib.metadata import entry_points

    found: list[Check] = []
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        origin = f"entry point {point.name} = {point.value}"
        try:
            with watched(f"{origin} was being loaded"):
                loaded = point.load()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a stranger's module may raise anything
            raise InvalidArgument(f"{origin} of {ENTRY_POINTS} cannot be loaded: {in_words(error)}") from error
        if isinstance(loaded, ModuleType):
            checks = [Check(check.name, check.function, origin) for check in checks_in([loaded])]
        elif callable(loaded):
            name = getattr(loaded, "__name__", point.name)
            checks = [Check(name if name.startswith(PREFIX) else PREFIX + name, loaded, origin)]
        else:
            checks = []
        if not checks:
            raise InvalidArgument(f"{origin} of {ENTRY_POINTS} must be a check or a module of checks, got {loaded!r}")
        found += checks
    return found
