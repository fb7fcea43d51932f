"""Units of work in processes of their own: one that raises, hangs up or dies does not take the others along."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from dpcheck.execution import function_calls
from dpcheck.execution.executor import Executor
from dpcheck.report.whole.units import Level, Unit


@dataclass(frozen=True)
class Begun:
    """A unit begins."""

    unit: Unit


@dataclass(frozen=True)
class Made:
    """A unit is done; ``text`` is its record as JSON, ``seconds`` how long it took."""

    unit: Unit
    text: str
    seconds: float


@dataclass(frozen=True)
class Failed:
    """A unit raised (``kind`` is the exception's name) or its process died; ``usage`` for what dpcheck refused.

    ``overdue``: it took longer than it may, and was ended.
    """

    unit: Unit
    kind: str
    message: str
    usage: bool
    seconds: float
    overdue: bool = False


def run_units(
    units: Sequence[Unit],
    level: Level,
    *,
    jobs: int,
    make: Callable[[Unit, Level], str],
) -> Generator[Begun | Made | Failed | None, None, None]:
    """Run units, longest first, in ``jobs`` processes; what each gives is told as it comes, and None every half second.

    A unit that takes longer than its limit is ended.

    ``make`` gives a unit's record as JSON; it can be pickled. Closing the iterator ends the processes.
    """
    longest_first = sorted(units, key=lambda unit: -unit.seconds)
    calls = [function_calls.Call(_result_of, (unit, level, make), unit.name, unit.limit) for unit in longest_first]
    with contextlib.closing(Executor(jobs, "process").run(calls)) as events:
        for event in events:
            if event is None:
                yield None
            elif isinstance(event, function_calls.Begun):
                yield Begun(longest_first[event.place])
            else:
                yield _told(longest_first[event.place], event)


def _told(unit: Unit, ended: function_calls.Ended) -> Made | Failed:
    if isinstance(ended.value, str):
        return Made(unit, ended.value, ended.seconds)
    if ended.lost:
        overdue = ended.seconds > unit.limit
        more = " (--part-timeout gives it longer)" if overdue else ""
        return Failed(unit, "", f"{ended.lost}{more}", False, ended.seconds, overdue)
    kind, message, usage = _words(ended.error) if ended.error is not None else ended.value
    return Failed(unit, kind, message, usage, ended.seconds)


def _result_of(unit: Unit, level: Level, make: Callable[[Unit, Level], str]) -> str | tuple[str, str, bool]:
    """A unit's record; or what it raised, in words, for a stranger's exception is not to be read elsewhere."""
    from dpcheck.execution.processes import told_to_end

    try:
        return make(unit, level)
    except SystemExit as error:
        if told_to_end(error):
            raise
        return "SystemExit", f"it ended the process with sys.exit({error.code!r})", False
    except Exception as error:
        return _words(error)


def _words(error: BaseException) -> tuple[str, str, bool]:
    from dpcheck.model.harmless import one_line

    return type(error).__name__, one_line(str(error)), _is_usage(error)


def _is_usage(error: BaseException) -> bool:
    """Whether dpcheck refused what it was given; a learner that always raises is not refused, it fails."""
    from dpcheck.model.errors import DpcheckError, LearnerDied, NoHypothesis

    return isinstance(error, DpcheckError) and not isinstance(error, LearnerDied | NoHypothesis)
