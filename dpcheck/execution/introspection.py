"""What a learner says of itself, asked where its calls run: made, and looked at, in a worker process.

A constructor, a property or a ``__getattr__`` may do anything to the process that runs it. So the worker makes the
learner and sends back plain data: its claim, its relation, which abilities it has. Here nothing that the learner made
is called.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpcheck.execution import APART, not_isolated
from dpcheck.execution.calls import offers_sample
from dpcheck.execution.declared_parts import claim_of, claim_parts, is_own, relation_of, relation_parts
from dpcheck.execution.import_limit import import_seconds
from dpcheck.execution.resources import UNLIMITED, Resources, wanting_a_process
from dpcheck.execution.watch import watched
from dpcheck.execution.wire import NotPlain, write_plain
from dpcheck.model.claims import Claim, claim_options
from dpcheck.model.errors import InvalidArgument, LearnerDied, in_words
from dpcheck.model.learner import Described, Target, attribute_of, decided, declares_law, static_name, target_for

#: What a learner may say of itself; ``unread`` is what an adapter could not read of another library's object.
CLAIM, NEIGHBOURS, ORDER_BLIND, RELEASES, UNREAD = (
    "claim", "neighbours", "order_blind", "releases_transcript", "unread"
)  # fmt: skip
#: How much dearer it says its calls get with the records: exponents.
TIME_EXPONENT, MEMORY_EXPONENT = "time_exponent", "memory_exponent"
#: What is seen of it: whether it draws many outputs at once, whether it is a function, and its factory's parameters,
#: each with whether None is its default.
OFFERS_SAMPLE, IS_FUNCTION, PARAMETERS = "offers_sample", "is_function", "parameters"
#: What an audit asks, and all that there is.
OF_AUDITS = (CLAIM, NEIGHBOURS, ORDER_BLIND, RELEASES, UNREAD, OFFERS_SAMPLE)
EVERYTHING = (*OF_AUDITS, TIME_EXPONENT, MEMORY_EXPONENT, IS_FUNCTION, PARAMETERS)


@dataclass(frozen=True)
class Asked:
    """What is sent to a worker: the learner, factory or target, how it is made, and what is to be read of it."""

    original: Any
    name: str | None
    options: Any
    claim: Any
    wanted: tuple[str, ...]

    def describe(self) -> dict[str, Any]:
        """The learner made, and what it says of itself, as plain data; raises for lack of memory only."""
        try:
            target = _target(self.original, self.name, self.options, self.claim)
        except MemoryError:
            raise
        except InvalidArgument as invalid:
            if _came_of_memory(invalid):
                raise MemoryError from None
            return {"invalid": str(invalid)}
        except BaseException as error:
            return {"invalid": f"learner {self.name or 'given'} could not be made: {in_words(error)}"}
        said: dict[str, Any] = {}
        problems: dict[str, str] = {}
        foreign: list[str] = []
        for name in self.wanted:
            try:
                found = _parts(name, _looked_at(target, name))
                write_plain(found)
                said[name] = found
            except MemoryError:
                raise
            except NotPlain:
                foreign.append(name)
            except InvalidArgument as invalid:
                problems[name] = str(invalid)
            except BaseException as error:
                problems[name] = f"{name} of {target.name} could not be read: {in_words(error)}"
        given = self.original.options if type(self.original) is Target else self.options or {}
        return {
            "factory": target.is_factory,
            "generator": target.generator,
            "name": str(target.name),
            "filled": [key for key in target.options if key not in given],
            "said": said,
            "problems": problems,
            "foreign": foreign,
            "law": declares_law(replace(target, by_calls=False)),
        }


def _came_of_memory(error: BaseException) -> bool:
    """Whether a refusal says in other words that the memory ran out."""
    cause = error.__cause__
    return cause is not None and (isinstance(cause, MemoryError) or _came_of_memory(cause))


def _made_here(learner: Any, name: str | None, options: Any, claim: Any) -> Target:
    with watched(f"the learner {name or static_name(learner)} was being made and looked at"):
        return _target(learner, name, options, claim)


def _target(learner: Any, name: str | None, options: Any, claim: Any) -> Target:
    if type(learner) is Target:
        return decided(learner, claim)
    return target_for(learner, name=name, options=options, claim=claim)


def said_of(target: Target, name: str) -> Any:
    """What a target's learner says of itself, or what is seen of it: one of the names of this module.

    Parameters
    ----------
    target : Target
        Where it was described in another process, that is what is told; else its learner is looked at here.
    name : str

    Raises
    ------
    InvalidArgument, LearnerDied
        As :meth:`dpcheck.model.learner.Described.value`.

    Examples
    --------
    >>> from dpcheck.model.learner import as_target
    >>> said_of(as_target(lambda dataset, rng: 0), IS_FUNCTION)
    True
    """
    return target.described.value(name) if target.described is not None else _looked_at(target, name)


def _looked_at(target: Target, name: str) -> Any:
    """What is seen of a learner in the process that this is."""
    if name == PARAMETERS:
        return _parameters(target.original)
    if name not in (OFFERS_SAMPLE, IS_FUNCTION):
        return attribute_of(target, name)
    learner = target.make() if target.is_factory else target.original
    return offers_sample(learner) if name == OFFERS_SAMPLE else inspect.isroutine(learner)


def _parameters(factory: Any) -> dict[str, bool]:
    try:
        return {name: one.default is None for name, one in inspect.signature(factory).parameters.items()}
    except (TypeError, ValueError):
        return {}


def _parts(name: str, found: Any) -> Any:
    """What a learner says, as plain data."""
    if name == CLAIM:
        return claim_parts(found)
    if name == NEIGHBOURS:
        if found is None:
            return None
        from dpcheck.model.neighbours import as_relation  # loaded where a learner declares one

        return relation_parts(as_relation(found))
    if name == UNREAD:
        return [text for text in found if type(text) is str] if isinstance(found, tuple) else []
    if name in (TIME_EXPONENT, MEMORY_EXPONENT):
        return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None
    return found if name == PARAMETERS else found is True


def _said(name: str, parts: Any) -> Any:
    """What the parts say; the other way round."""
    if name == CLAIM:
        return claim_of(parts)
    if name == NEIGHBOURS:
        return None if parts is None else relation_of(parts)
    if name == UNREAD:
        return tuple(map(str, parts))
    if name == PARAMETERS:
        return {str(key): default is True for key, default in parts.items()}
    if name in (TIME_EXPONENT, MEMORY_EXPONENT):
        return float(parts) if type(parts) is float else None
    return parts is True


def described(
    learner: Any,
    *,
    isolation: Any,
    resources: Resources = UNLIMITED,
    wanted: Sequence[str],
    name: str | None = None,
    options: Any = None,
    claim: Claim | float | None = None,
) -> Target:
    """A target, with what its learner says of itself, made and looked at in a worker process where that can be.

    Parameters
    ----------
    learner : learner, factory, or Target
    isolation : "auto", "process", "container" or "none"
        With "none", or where it cannot be sent to another process (auto), the learner is made and looked at here.
    resources : Resources, optional
        What that process may have at most.
    wanted : sequence of str
        What is read of it: those of this module.
    name, options, claim : optional
        As for :func:`dpcheck.model.learner.target_for`.

    Returns
    -------
    Target
        ``described`` is None where it is looked at in this process; its ``died`` says how the worker ended.

    Raises
    ------
    InvalidArgument
        When it is no learner, cannot be made, or with "process" or "container" cannot be sent to one.

    Examples
    --------
    >>> class Noisy:
    ...     claim = 0.5
    ...     def __call__(self, dataset, rng): ...
    >>> described(Noisy, isolation="none", wanted=["claim"]).described is None
    True
    """
    if type(learner) is Target and learner.described is not None and learner.described.answers(wanted):
        return learner
    if isolation not in ("auto", *APART) or os.name != "posix":
        return _made_here(learner, name, options, claim)
    from dpcheck.execution.confinement import confinement_of
    from dpcheck.execution.shipment import CannotShip
    from dpcheck.execution.worker_pool import described_in_worker

    asked = Asked(learner, name, options, claim, tuple(wanted))
    original = learner.original if type(learner) is Target else learner
    try:
        told = described_in_worker(
            asked, original, import_seconds(), confinement_of(isolation, resources), from_files=isolation in APART
        )
        return _as_told(told, learner, options, claim, frozenset(wanted))
    except CannotShip as error:
        if wanting := wanting_a_process(isolation, resources):
            raise not_isolated(wanting, str(error)) from None
        return _made_here(learner, name, options, claim)
    except LearnerDied as died:
        why = str(died)
    except (NotPlain, KeyError, TypeError, AttributeError):  # a message that no worker of ours writes
        why = "the learner wrote into dpcheck's own pipe while it was made and looked at"
    target = learner if type(learner) is Target else Target(learner, True, name or static_name(learner))
    return replace(target, described=Described({}, {}, law=False, died=why))


def _as_told(told: Any, learner: Any, options: Any, claim: Any, asked: frozenset[str]) -> Target:
    """The target that a worker's message describes."""
    if "invalid" in told:
        raise InvalidArgument(str(told["invalid"]))
    label, is_factory = str(told["name"]), told["factory"] is True
    named = str(told["generator"])
    original = learner.original if type(learner) is Target else learner
    values = {key: _said(key, parts) for key, parts in told["said"].items()}
    problems = {key: str(text) for key, text in told["problems"].items()}
    for key in told["foreign"]:
        static = inspect.getattr_static(original, key, None)
        if key == NEIGHBOURS and is_own(static):
            values[key] = static  # made by the user's own module here: as if it had been given as the argument
        else:
            problems[key] = f"{key} of {label} cannot be handed over by a worker process: give it as the argument {key}"
    described = Described(values, problems, law=told["law"] is True, asked=asked)
    promised = claim_options(claim) if told["filled"] else {}
    filled = {key: promised[key] for key in told["filled"]}
    if type(learner) is Target:
        made = replace(
            learner, is_factory=is_factory, name=label, options={**filled, **learner.options}, generator=named
        )
        return replace(made, undecided=False, described=described)
    return Target(original, is_factory, label, {**filled, **(options or {})}, generator=named, described=described)
