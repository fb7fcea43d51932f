"""The runs of one request, the same in this process and in a worker.

An audit makes a million calls of functions that take microseconds, so the loop makes no object per call: one
generator, one list of caught warnings and one heartbeat serve the whole request.
"""

from __future__ import annotations

import inspect
import os
import re
import time
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Protocol

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence

from dpcheck.execution.answers import Answers, Request
from dpcheck.execution.handover import PLAIN_TYPES, Passing, compact, masked_warning, packed_type, raised, settle
from dpcheck.execution.outside import opened_outside
from dpcheck.execution.own_generators import Holdings, Owned, described, seeded
from dpcheck.execution.resources import words_of_own_files, words_of_own_memory
from dpcheck.execution.returning_copies import looks_for_copies
from dpcheck.execution.surroundings import seed_global_generators, surroundings_kept
from dpcheck.model.data import copier, copy_dataset, same_dataset
from dpcheck.model.data.shared import shared_parts, state_of
from dpcheck.model.errors import InvalidArgument, LearnerDied

#: A learner that changes its input mostly does so at once: this many first calls are compared, and the last.
COMPARED_FIRST_CALLS = 3
#: Warnings kept per call: a learner that warns in a loop says nothing new after these.
KEPT_WARNINGS_PER_CALL = 8
#: A bulk call may take one time limit per this many draws ...
DRAWS_PER_TIME_LIMIT = 100
#: ... but a hang must be found in the time of an audit: at most so many limits in all.
MOST_TIME_LIMITS = 10

#: Set in a child that the learner forked: it must not go on with our work, least of all answer in our name.
_in_forked_child: list[bool] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=lambda: _in_forked_child.append(True))


class _WrongLength(Exception):
    """``sample`` gave another number of outputs; a learner may raise InvalidArgument itself."""


class Heartbeat(Protocol):
    """Two counters that somebody else watches: the call under way, and how many requests were finished."""

    def __getitem__(self, index: int, /) -> int:
        """Read one."""
        ...

    def __setitem__(self, index: int, value: int, /) -> None:
        """Write one."""
        ...


class Printed(Protocol):
    """Counts what the learner prints while it is entered."""

    count: int

    def __enter__(self) -> Any:
        """Start counting."""
        ...

    def __exit__(self, *_: object) -> None:
        """Stop."""
        ...


def patience(request: Request, call_timeout: float) -> float:
    """How long one call of a request may take without a sign of life, in seconds.

    A separate call has ``call_timeout``; one bulk call has as much per hundred draws, at most ten times as
    much.

    >>> separate, bulk = (Request(0, 500, SeedSequence(0), bulk) for bulk in (False, True))
    >>> patience(separate, 2.0), patience(bulk, 2.0)
    (2.0, 10.0)
    """
    if not request.bulk:
        return call_timeout
    return call_timeout * min(MOST_TIME_LIMITS, max(1.0, request.count / DRAWS_PER_TIME_LIMIT))


def where(request: Request, index: int) -> str:
    """Which call of a request, in words.

    >>> where(Request(1, 500, SeedSequence(0)), 2)
    'in call 3 of 500 on dataset 1'

    A learner may have written over the counter of calls:

    >>> where(Request(1, 500, SeedSequence(0)), 3336609322507306113)
    'in one of its calls on dataset 1'
    """
    if request.bulk:
        return f"in sample(dataset, {request.count}, rng) on dataset {request.dataset}"
    if not 0 <= index < request.count:
        return f"in one of its calls on dataset {request.dataset}"
    return f"in call {index + 1} of {request.count} on dataset {request.dataset}"


def without_place(error: LearnerDied) -> str:
    """What became of a learner, without the call and the dataset's number, which say nothing to a reader.

    >>> without_place(LearnerDied("the learner hung in one of its calls on dataset 1", 1))
    'the learner hung'
    """
    return re.split(r" in (?:call \d|one of its calls on )", str(error), maxsplit=1)[0].rstrip(".")


def out_of_memory(request: Request, index: int, bound: str | None = None) -> LearnerDied:
    """The error for a learner that ran out of memory; ``bound`` says how much it could have, that of this process."""
    bound = words_of_own_memory() if bound is None else bound
    return LearnerDied(f"the learner ran out of memory{bound} {where(request, index)}", request.dataset)


def _changed(shared: tuple[Any, ...], request: Request) -> LearnerDied:
    """The error for a learner that changed what no copy could be made of."""
    kinds = sorted({type(part).__qualname__ for part in shared})
    return LearnerDied(
        f"the learner changed dataset {request.dataset} itself: a copy of it holds the very same {', '.join(kinds)} "
        "(its __deepcopy__ or __reduce__ gives itself), so that every later call had other data; let it be copied, or "
        "let the learner change nothing",
        request.dataset,
    )


def offers_sample(learner: Any) -> bool:
    """Whether the learner has a ``sample`` that three arguments fit; never raises."""
    try:
        sample = getattr(learner, "sample", None)
        if not callable(sample):
            return False
        try:
            inspect.signature(sample).bind(None, 1, None)
        except ValueError:  # no signature to be had: built in, taken at its word
            return True
    except Exception:
        return False
    return True


def run_request(
    make: Callable[[], Any],
    dataset: Any,
    request: Request,
    *,
    heartbeat: Heartbeat,
    passing: Passing,
    carry: Callable[[Any], Any],
    printed: Printed | None = None,
    maker: Any = None,
    holdings: Holdings | None = None,
) -> Answers:
    """The answers of one request: a fresh learner, one generator, a fresh copy of the dataset per call.

    Parameters
    ----------
    make : callable
        Gives the fresh learner.
    dataset : any
        Dataset number ``request.dataset``; it is never handed out itself.
    heartbeat : Heartbeat
        Its first counter is set to the index of each call before the call.
    passing : tuple of exception types
        What is never an answer: KeyboardInterrupt and the alarm in process, nothing in a worker.
    carry : callable
        Hands over an answer that is not plain data, or raises.
    printed : context manager with a count, optional
        Counts what is printed where nobody else does.
    maker : any, optional
        The factory, where ``make`` calls one: what it holds is shared by the learners it makes.
    holdings : Holdings, optional
        What earlier requests of the same target have found it to own.

    Raises
    ------
    LearnerDied
        When the learner cannot be made, runs out of memory, or its ``sample`` raises.
    InvalidArgument
        When ``sample`` gives another number of outputs than asked for.
    """
    started = time.perf_counter()
    _in_forked_child.clear()
    heartbeat[0] = 0
    seed = SeedSequence(
        request.seed.entropy, spawn_key=request.seed.spawn_key, pool_size=request.seed.pool_size
    )  # a copy: a learner that spawns from its generator must not change the request
    rng = Generator(PCG64(seed))
    untouched = rng.bit_generator.state
    warned: dict[int, tuple[str, ...]] = {}
    outside: list[str] = []
    with ExitStack() as stack:
        caught = stack.enter_context(surroundings_kept())
        if printed is not None:
            stack.enter_context(printed)
        seed_global_generators(seed)
        holdings = Holdings() if holdings is None else holdings
        # what a factory makes is made now; the generators of a copy would all start where the original's stand
        owned = holdings.of(*maker) if maker is not None else Owned()
        if maker is not None:
            stack.enter_context(seeded(owned, seed))
        learner = _made(make, request, passing)
        if maker is None:
            owned = holdings.of(learner)
            stack.enter_context(seeded(owned, seed))
        making = time.perf_counter() - started
        if request.forgetting:
            stack.enter_context(holdings.forgotten(owned))
            outside = stack.enter_context(opened_outside())
        first = copy_dataset(dataset)
        comparable = same_dataset(first, dataset)
        shared = shared_parts(first, dataset)
        held = state_of(shared)
        del first
        if request.bulk:
            values, changed = _bulk(learner, dataset, request, rng, passing, carry, comparable)
            packed = ""  # what draws come in says nothing of the type of each
            if caught:
                warned[0] = _kept(caught)
        else:
            values, packed, changed = _separate(
                learner, dataset, request, rng, heartbeat, passing, carry, comparable, warned, caught
            )
        _leave_if_forked()  # what a call kept has been dropped by now, and may have forked
        if shared and held.has_changed():
            raise _changed(shared, request)
    used = rng.bit_generator.state != untouched or seed.n_children_spawned > 0
    return Answers(
        values=values,
        warned=warned,
        printed=0 if printed is None else printed.count,
        changed_input=changed,
        used_rng=used,
        seconds=time.perf_counter() - started,
        owned=len(owned.generators),
        caches=described(owned),
        lasting=owned.lasting,
        stores=owned.stores,
        packed=packed,
        outside=tuple(outside),
        making=making,
    )


@looks_for_copies
def _made(make: Callable[[], Any], request: Request, passing: Passing) -> Any:
    try:
        return make()
    except passing:
        raise
    except MemoryError:
        raise out_of_memory(request, 0) from None
    except BaseException as error:
        told = raised(error, passing)
        raise LearnerDied(
            f"the learner could not be made for dataset {request.dataset}: {told.kind}: {told.message}",
            request.dataset,
        ) from None
    finally:
        _leave_if_forked()


@looks_for_copies
def _separate(
    learner: Any,
    dataset: Any,
    request: Request,
    rng: Generator,
    heartbeat: Heartbeat,
    passing: Passing,
    carry: Callable[[Any], Any],
    comparable: bool,
    warned: dict[int, tuple[str, ...]],
    caught: list[warnings.WarningMessage],
) -> tuple[Any, str, bool]:
    values: list[Any] = []
    append = values.append
    forked = _in_forked_child
    plain = PLAIN_TYPES
    copied = copier(dataset)
    count = request.count
    changed = False
    first = 0
    # Stretches of calls, the input compared after the last call of each: 0, 1, 2, and the final one.
    for last in (*range(1, min(COMPARED_FIRST_CALLS, count) + 1), count):
        given = None
        for index in range(first, last):
            heartbeat[0] = index
            given = copied()
            if forked:  # by what the call before put into its input
                _leave_if_forked()
            try:
                value = learner(given, rng)
                if type(value) not in plain:
                    value = settle(value, passing, carry)
            except passing:
                raise
            except MemoryError:
                raise out_of_memory(request, index) from None
            except BaseException as error:
                if words := words_of_own_files(error):
                    raise LearnerDied(
                        f"the learner opened more files than it may{words} {where(request, index)}", request.dataset
                    ) from None
                value = raised(error, passing, carry)
            append(value)
            if caught:
                warned[index] = _kept(caught)
            if forked:
                _leave_if_forked()
        if comparable and last > first and not changed:
            changed = not same_dataset(given, dataset)
        first = last
    found = compact(values)
    return found, packed_type(values, found), changed


@looks_for_copies
def _bulk(
    learner: Any,
    dataset: Any,
    request: Request,
    rng: Generator,
    passing: Passing,
    carry: Callable[[Any], Any],
    comparable: bool,
) -> tuple[Any, bool]:
    given = copy_dataset(dataset)
    try:
        outputs = learner.sample(given, request.count, rng)
        values = _outputs(outputs, request, passing, carry)
    except passing:
        raise
    except _WrongLength as wrong:
        raise InvalidArgument(str(wrong)) from None
    except MemoryError:
        raise out_of_memory(request, 0) from None
    except BaseException as error:
        # Not an answer: one exception for many draws at once would be many equal answers that are not
        # independent.
        told = raised(error, passing)
        raise LearnerDied(
            f"sample raised {told.kind}: {told.message} {where(request, 0)}; separate calls may still work",
            request.dataset,
        ) from None
    finally:
        _leave_if_forked()
    return values, comparable and not same_dataset(given, dataset)


def _outputs(outputs: Any, request: Request, passing: Passing, carry: Callable[[Any], Any]) -> Any:
    wants = f"sample must return {request.count} outputs (a sequence of that length, or an array with that first axis)"
    if not isinstance(outputs, np.ndarray) and hasattr(outputs, "__array__"):
        outputs = np.asarray(outputs)
    try:
        got = len(outputs)
    except TypeError:
        raise _WrongLength(f"{wants}, got {type(outputs).__qualname__}, which has no length") from None
    if got != request.count:
        raise _WrongLength(f"{wants}, got {got} {where(request, 0)}")
    if type(outputs) is np.ndarray and outputs.dtype.kind in "biufc":
        return outputs.copy()
    if not isinstance(outputs, list | tuple | np.ndarray):
        outputs = [outputs[index] for index in range(got)]
    settled = [value if type(value) in PLAIN_TYPES else settle(value, passing, carry) for value in outputs]
    return compact(settled)


def _kept(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    """The texts of the warnings of one call; of a flood the first ones, and how many there were beside them."""
    kept = []
    beside = len(caught) - KEPT_WARNINGS_PER_CALL + 1 if len(caught) > KEPT_WARNINGS_PER_CALL else 0
    for warning in caught[: len(caught) - beside]:
        try:
            kept.append(f"{warning.category.__qualname__}: {masked_warning(str(warning.message))}")
        except Exception:
            kept.append(warning.category.__qualname__)
    if beside:
        kept.append(f"{beside} more warnings")
    caught.clear()
    return tuple(kept)


def _leave_if_forked() -> None:
    """End a child that the learner forked and that came back here as if it were us."""
    if _in_forked_child:
        os._exit(0)
