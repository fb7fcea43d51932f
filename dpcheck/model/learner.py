"""The black-box protocol: a learner is a callable ``(dataset, rng) -> output``, and nothing more is required.

Optional abilities are looked for, never demanded: ``sample(dataset, size, rng)`` draws many outputs at once,
``distribution(dataset)`` gives the exact output law, ``claim`` and ``neighbours`` say what is promised.
"""

from __future__ import annotations

import copy
import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from dpcheck.model.claims import Claim, claim_options
from dpcheck.model.errors import InvalidArgument, LearnerDied, nearest
from dpcheck.model.signatures import (
    GENERATORS,
    NO_GENERATOR,
    TakesGeneratorByName,
    generator_by,
    parameters_of,
    what_to_write,
)


@runtime_checkable
class Learner(Protocol):
    """A randomised algorithm on datasets, taken as a black box."""

    def __call__(self, dataset: Any, rng: Any, /) -> Any:
        """One run on ``dataset``, with its randomness from ``rng`` (a ``numpy.random.Generator``)."""
        ...


@runtime_checkable
class BulkSampler(Protocol):
    """The optional ability to draw many independent outputs at once."""

    def sample(self, dataset: Any, size: int, rng: Any, /) -> Any:
        """``size`` independent outputs: a sequence of that length or an array with that first axis."""
        ...


@dataclass(frozen=True)
class SamplerLearner:
    """The learner of a bulk sampler; made by :func:`from_sampler`."""

    sampler: Callable[[Any, int, Any], Any]

    def __call__(self, dataset: Any, rng: Any) -> Any:
        """One output: a draw of size 1."""
        return self.sampler(dataset, 1, rng)[0]

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """``size`` outputs of one call to the sampler."""
        return self.sampler(dataset, size, rng)


def from_sampler(sample: Callable[[Any, int, Any], Any]) -> SamplerLearner:
    """A learner made of a bulk sampler.

    Parameters
    ----------
    sample : callable ``(dataset, size, rng) -> outputs``
        Returns ``size`` independent outputs: a sequence of that length or an array with that first axis.

    Raises
    ------
    InvalidArgument
        When ``sample`` cannot be called.

    Examples
    --------
    >>> import numpy as np
    >>> learner = from_sampler(lambda data, size, rng: sum(data) + rng.laplace(size=size))
    >>> learner.sample([1, 2], 3, np.random.default_rng(0)).shape
    (3,)
    """
    if not callable(sample):
        raise InvalidArgument(f"sample must be a callable (dataset, size, rng) -> outputs, got {sample!r}")
    return SamplerLearner(sample)


@dataclass(frozen=True)
class Described:
    """What a learner said of itself where it was made: in another process, as plain data.

    ``values`` are the attributes that were asked for, ``problems`` the sentences about those that could not be had,
    ``law`` whether it declares its law, ``asked`` what it was asked. ``died`` says how it ended or hung its process;
    then there is nothing else.
    """

    values: Mapping[str, Any]
    problems: Mapping[str, str]
    law: bool
    died: str = ""
    asked: frozenset[str] = frozenset()

    def answers(self, wanted: Iterable[str]) -> bool:
        """Whether it need not be asked again to know all this.

        >>> Described({}, {}, law=False, asked=frozenset({"claim"})).answers(["claim", "neighbours"])
        False
        """
        return bool(self.died) or self.asked.issuperset(wanted)

    def value(self, name: str) -> Any:
        """The attribute, or None; None too where it was not asked for.

        Raises
        ------
        InvalidArgument
            When it could not be read, or not be handed over.
        LearnerDied
            When the learner died before it said anything.
        """
        if self.died:
            raise LearnerDied(self.died)
        if name in self.problems:
            raise InvalidArgument(self.problems[name])
        return self.values.get(name)


@dataclass(frozen=True)
class Target:
    """A learner to be audited, with the way to get a fresh one for each side and chunk of calls.

    ``original`` is what the user handed over, ``is_factory`` whether calling it makes a learner,
    ``options`` the arguments of that call, ``name`` how reports call it. ``by_calls``: its ``distribution`` is not
    asked, so that the audit is one of calls alone. ``undecided``: it has not been made yet to see whether it is a
    learner. ``generator``: the name that it takes its generator by, empty where by place.
    ``described``: what it said of itself in a worker process; then it is not made nor looked at in this one.
    """

    original: Any
    is_factory: bool
    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    by_calls: bool = False
    undecided: bool = False
    generator: str = ""
    described: Described | None = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What it said of itself stays here: where it is sent to it is made anew, and a strategy cannot be sent."""
        return {name: value for name, value in vars(self).items() if name != "described"}

    def make(self) -> Any:
        """A fresh learner from a factory; else a deep copy of the instance where it can be had, else itself.

        It is called by place, whatever name it takes its generator by.
        """
        made = self._made()
        return TakesGeneratorByName(made, self.generator) if self.generator else made

    def _made(self) -> Any:
        if self.is_factory:
            return self.original(**self.options)
        if _is_stateless(self.original):
            return self.original
        try:
            return copy.deepcopy(self.original)
        except Exception:
            return self.original

    @property
    def died(self) -> str:
        """How it ended or hung the process in which it was to say what it is; else empty."""
        return "" if self.described is None else self.described.died

    @property
    def maker(self) -> Any:
        """The factory with its options, or None for an instance: what all learners that it makes share."""
        return (self.original, dict(self.options)) if self.is_factory else None

    @property
    def can_be_copied(self) -> bool:
        """Whether :meth:`make` gives a learner that shares no state with earlier ones."""
        if self.is_factory:
            return True
        if _is_stateless(self.original):
            return getattr(self.original, "__closure__", None) is None
        try:
            copy.deepcopy(self.original)
        except Exception:
            return False
        return True


def _is_stateless(learner: Any) -> bool:
    """Whether it is a function, which a copy would share; a method of an object is copied with its object."""
    return inspect.isroutine(learner) and not inspect.ismethod(learner)


def by_calls(learner: Any, **options: Any) -> Target:
    """A learner (or a factory, with its ``options``) that is audited by its calls although it declares its law.

    It is made, and looked at, where it is audited: what is no learner is refused there.

    Raises
    ------
    InvalidArgument
        When it cannot be called.

    Examples
    --------
    >>> by_calls(lambda dataset, rng: 0).by_calls
    True
    """
    if type(learner) is Target:
        return replace(learner, by_calls=True)
    if not callable(learner):
        return as_target(learner)  # says in one line what is wanted
    is_class = issubclass(type(learner), type)
    factory = is_class or (type(learner) in _ROUTINES and generator_by(learner) is None)
    return Target(learner, factory, static_name(learner), options, by_calls=True, undecided=True)


def decided(target: Target, claim: Claim | float | None = None) -> Target:
    """The target, made once to see whether it is a learner, where that has not been done.

    Raises
    ------
    InvalidArgument
        As :func:`target_for`.

    Examples
    --------
    >>> decided(by_calls(lambda dataset, rng: 0)).undecided
    False
    """
    if not target.undecided:
        return target
    made = target_for(target.original, name=target.name, options=target.options, claim=claim)
    return replace(made, by_calls=target.by_calls)


_ROUTINES = (types.FunctionType, types.BuiltinFunctionType, types.MethodType)


def static_name(learner: Any) -> str:
    """What to call a learner that is not to be looked at: read in ways that run none of its code.

    >>> static_name(dict), static_name(static_name), static_name(3)
    ('dict', 'static_name', 'int')
    """
    if type(learner) in _ROUTINES:
        return str(learner.__qualname__)
    if issubclass(type(learner), type):
        return str(_qualified(learner))
    named = inspect.getattr_static(learner, "name", None)
    return named if type(named) is str and named else str(_qualified(type(learner)))


def _qualified(kind: type) -> Any:
    """The name of a class, past its metaclass."""
    return type.__dict__["__qualname__"].__get__(kind)


def declares_law(target: Target) -> bool:
    """Whether the learner has a ``distribution`` that one argument fits, and is not to be audited by calls alone."""
    if target.by_calls:
        return False
    if target.described is not None:
        return target.described.law
    try:
        learner = target.make() if target.is_factory else target.original
        distribution = getattr(learner, "distribution", None)
        if not callable(distribution):
            return False
        try:
            inspect.signature(distribution).bind(None)
        except ValueError:  # no signature to be had: built in, taken at its word
            return True
    except Exception:  # a stranger's object may raise anything when it is looked at
        return False
    return True


_WHAT_A_LEARNER_IS = (
    "a learner is a callable (dataset, rng) -> output; a factory is a class or a function "
    "that needs no positional argument and returns one"
)


def _is_factory_like(target: Any) -> bool:
    if inspect.isclass(target):
        return True
    parameters = parameters_of(target)
    if parameters is None or not inspect.isroutine(target):
        return False
    return not any(p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


def as_target(target: Any, *, name: str | None = None, options: Mapping[str, Any] | None = None) -> Target:
    """Decide whether ``target`` is a learner or a factory of learners.

    Parameters
    ----------
    target : callable
        A learner (parameters named dataset and rng, or two positional arguments needed), or a factory
        (a class, or a function that needs no positional argument).
    name : str, optional
        How reports call it; the callable's own name by default.
    options : mapping, optional
        Arguments for the factory.

    Raises
    ------
    InvalidArgument
        When it is neither, or when options are given for something that takes none.

    Examples
    --------
    >>> as_target(lambda dataset, rng: 0).is_factory
    False
    """
    if options is not None and not isinstance(options, Mapping):
        raise InvalidArgument(f"options must be a mapping of the factory's arguments, got {options!r}")
    given = dict(options or {})
    if isinstance(target, Target):
        return decided(target)
    if not callable(target):
        raise InvalidArgument(
            f"learner must be callable, got {target!r} of type {type(target).__name__}: {_what_is_wanted(target)}"
        )
    label = name or _own_name(target)
    if not inspect.isclass(target) and (named := generator_by(target)) is not None:
        if given:
            raise InvalidArgument(
                f"option {next(iter(given))!r} was given, but {label} is a learner, not a factory, and takes none"
            )
        return Target(target, False, label, generator=named)
    if _is_factory_like(target) and not _needs_names(target):
        _check_options(target, label, given)
        try:
            learner = target(**given)
        except InvalidArgument as error:  # says in one line which argument it is
            raise InvalidArgument(f"learner {label} could not be made: {error}") from error
        except Exception as error:  # a stranger's constructor may raise anything
            problem = f"{type(error).__name__}: {error}" if not isinstance(error, TypeError) else str(error)
            raise InvalidArgument(f"learner {label} could not be made: {problem}; {_WHAT_A_LEARNER_IS}") from error
        named = generator_by(learner) if callable(learner) else None
        if named is None:
            wanted = what_to_write(learner, f"{label}()") if callable(learner) else ""
            raise InvalidArgument(
                f"learner must be a learner or a factory of one; calling {label} gave {learner!r}: "
                f"{wanted or _what_is_wanted(learner)}"
            )
        return Target(target, True, label, given, generator=named)
    wanted = what_to_write(target, _called(target, label)) or _WHAT_A_LEARNER_IS
    if wanted.startswith(NO_GENERATOR):  # or it was to make a learner
        wanted = f"{wanted}; {_WHAT_A_LEARNER_IS}"
    raise InvalidArgument(f"learner must take (dataset, rng), got {label}{_signature(target)}: {wanted}")


def _called(target: Any, label: str) -> str:
    """The name that a line calls it by."""
    name = getattr(target, "__name__", label) if inspect.isroutine(target) else ""
    return name if name.isidentifier() else "it"


def _needs_names(target: Any) -> bool:
    """Whether a function needs arguments by name, of which one is a generator: it is no factory."""
    needed = {p.name for p in parameters_of(target) or () if p.kind is p.KEYWORD_ONLY and p.default is p.empty}
    return not inspect.isclass(target) and bool(needed & GENERATORS)


def _what_is_wanted(target: Any) -> str:
    """What to do about something that is no callable."""
    if not callable(target) and callable(getattr(target, "learn", None)):
        return (
            "an active learner is audited as dpcheck.parts.active.HypothesisOnly(learner), or with its questions as "
            "WithTranscript(learner)"
        )
    if not callable(target) and callable(getattr(target, "fit", None)):
        return _fitted_in_each_call(target)
    return _WHAT_A_LEARNER_IS


def _fitted_in_each_call(target: Any) -> str:
    """The line that makes a learner of a class with ``fit``: a new object of it is fitted in each call."""
    made = f"{type(target).__name__}(...)"
    if callable(getattr(target, "get_params", None)):
        return f"it has fit and get_params, as scikit-learn's have: write learner = dpcheck.from_estimator({made})"
    line = what_to_write(target.fit, f"{made}.fit")
    drawn = f"write def learner(dataset, rng): return {made}.fit(*dataset), if it draws from numpy.random or random"
    return f"it has fit; {line or drawn}"


def _own_name(target: Any) -> str:
    for attribute in ("__qualname__", "name"):
        found = getattr(target, attribute, None)
        if isinstance(found, str) and found:
            return found
    return type(target).__qualname__


def filled_from_claim(target: Any, options: Mapping[str, Any] | None, claim: Claim | float | None) -> dict[str, Any]:
    """The options of a factory, with epsilon, delta, rho, mu or order from the claim where it has such parameters.

    Examples
    --------
    >>> class Noisy:
    ...     def __init__(self, epsilon): ...
    ...     def __call__(self, dataset, rng): ...
    >>> filled_from_claim(Noisy, {}, 0.5)
    {'epsilon': 0.5}
    """
    given = dict(options or {})
    parameters = parameters_of(target)
    if claim is None or parameters is None or not _is_factory_like(target):
        return given
    names = {p.name for p in parameters}
    promised = claim_options(claim)
    if "order" in promised and "order" not in names:
        return given  # the epsilon of a Rényi claim means nothing to a factory that does not know its order
    return {**{name: value for name, value in promised.items() if name in names}, **given}


def target_for(
    target: Any,
    *,
    name: str | None = None,
    options: Mapping[str, Any] | None = None,
    claim: Claim | float | None = None,
) -> Target:
    """A target whose factory has its options and, from the claim, the parameters that the options leave open.

    Raises
    ------
    InvalidArgument
        As `as_target`; where the factory refuses, the message names what came from the claim.

    Examples
    --------
    >>> class Noisy:
    ...     def __init__(self, epsilon): ...
    ...     def __call__(self, dataset, rng): ...
    >>> target_for(Noisy, claim=0.5).options
    {'epsilon': 0.5}
    """
    filled = filled_from_claim(target, options, claim)
    taken = [f"{key} = {value}" for key, value in filled.items() if key not in (options or {})]
    try:
        return as_target(target, name=name, options=filled)
    except InvalidArgument as error:
        if not taken:
            raise
        raise InvalidArgument(f"{error} ({' and '.join(taken)} came from the claim)") from error


def _signature(target: Any) -> str:
    try:
        return str(inspect.signature(target))
    except Exception:
        return ""


def _check_options(target: Any, label: str, options: Mapping[str, Any]) -> None:
    parameters = parameters_of(target)
    if parameters is None or any(p.kind is p.VAR_KEYWORD for p in parameters):
        return
    known = [p.name for p in parameters]
    for option in options:
        if option not in known:
            raise InvalidArgument(
                f"option {option!r} is not one of {label}'s: {', '.join(known) or 'none'}{nearest(option, known)}"
            )


def attribute_of(target: Target, name: str) -> Any:
    """The learner's optional attribute (``claim``, ``neighbours``), or None.

    Raises
    ------
    InvalidArgument, LearnerDied
        As :meth:`Described.value`, where the learner was made in another process.
    """
    if target.described is not None:
        return target.described.value(name)
    found = getattr(target.original, name, None)
    if found is None and target.is_factory:
        found = getattr(target.make(), name, None)
    return found if not isinstance(found, property) else getattr(target.make(), name, None)
