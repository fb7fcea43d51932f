"""How a callable takes a dataset and a generator: by place or by name; and what to write where it takes them otherwise.

A callable is called as ``(dataset, rng)`` where two arguments fit by place, and as ``(dataset, rng=rng)`` where one is
needed by place and a parameter elsewhere is named as a generator is. All else is refused with what to write.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

#: Names of parameters that take a ``numpy.random.Generator``.
GENERATORS = frozenset({"rng", "generator", "random_generator"})
#: Names of parameters that take a seed, which is drawn for them.
SEEDS = frozenset({"seed", "random_state", "random_seed"})
#: Names of parameters that are a part of a dataset beside its features.
PARTS = frozenset({"y", "Y", "label", "labels", "target", "targets", "classes", "ys", "weights"})
#: Names of parameters that take a number: a generator handed to one of these would be a mistake.
NUMBERS = frozenset({"epsilon", "eps", "delta", "rho", "sigma", "scale", "sensitivity", "noise_multiplier"})
#: How it begins what is said of a callable without a generator.
NO_GENERATOR = "it takes no generator"

_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def parameters_of(target: Any) -> Sequence[inspect.Parameter] | None:
    """The parameters of a callable, None where they cannot be had."""
    try:
        return list(inspect.signature(target).parameters.values())
    except Exception:  # a stranger's object may raise anything when it is looked at
        return None


def generator_by(target: Any) -> str | None:
    """How a callable takes its generator: "" by place, else the name; None where it is no learner.

    Examples
    --------
    >>> generator_by(lambda dataset, rng: 0), generator_by(lambda dataset, *, rng: 0)
    ('', 'rng')
    >>> generator_by(lambda dataset, epsilon, rng: 0), generator_by(lambda dataset, epsilon: 0)
    (None, None)
    """
    parameters = parameters_of(target)
    if parameters is None:
        return ""
    places = [p for p in parameters if p.kind in _BY_PLACE]
    needed = [p for p in places if p.default is p.empty]
    if any(p.kind is p.KEYWORD_ONLY and p.default is p.empty and p.name not in GENERATORS for p in parameters):
        return None
    first_two = [p.name for p in places[:2]]
    if first_two == ["dataset", "rng"] or (len(needed) in (1, 2) and first_two[1:] and first_two[1] in GENERATORS):
        return "" if len(needed) <= 2 else None
    if first_two[:1] and first_two[0] in GENERATORS | SEEDS:
        return None
    named = [p.name for p in parameters if p.name in GENERATORS]
    variadic = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if named:
        others = [p for p in needed if p.name not in GENERATORS]
        fits = len(others) == 1 or (not others and variadic)
        return named[0] if fits and others == needed[: len(others)] else None
    if len(needed) == 2 and needed[1].name not in NUMBERS:
        seeded = any(p.name in SEEDS for p in parameters if p is not needed[1])
        return None if seeded else ""
    return "" if len(needed) < 2 and variadic else None


@dataclass(frozen=True)
class TakesGeneratorByName:
    """A learner whose generator is given to it by its name; it has all else that the learner has."""

    learner: Any
    parameter: str

    def __call__(self, dataset: Any, rng: Any) -> Any:
        """One run."""
        return self.learner(dataset, **{self.parameter: rng})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "learner":
            raise AttributeError(name)
        return getattr(self.learner, name)


def what_to_write(target: Any, name: str) -> str:
    """What is amiss with a callable's parameters, and the line that makes a learner of it; empty where that is unclear.

    Examples
    --------
    >>> def noisy(data, epsilon, rng): ...
    >>> what_to_write(noisy, "noisy")
    'epsilon needs a value; write def learner(dataset, rng): return noisy(dataset, epsilon=..., rng=rng)'
    """
    parameters = parameters_of(target)
    if parameters is None or inspect.isclass(target):
        return ""
    needed = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    drawn = [p for p in parameters if p.name in GENERATORS | SEEDS][:1]
    others = [p for p in needed if p.name not in GENERATORS | SEEDS]
    if not others:
        fixed = "" if drawn and any(p.kind in _BY_PLACE for p in drawn) else " and no generator"
        return f"it takes no dataset{fixed}" if drawn else ""
    if len(others) == 1 and not drawn:
        if any(p.kind is p.VAR_KEYWORD for p in parameters):
            return f"write def learner(dataset, rng): return {name}({_given(others[0], 'dataset')}, rng=rng)"
        return (
            f"{NO_GENERATOR}; write def learner(dataset, rng): return "
            f"{name}({_given(others[0], 'dataset')}), if it draws from numpy.random or random"
        )
    if not drawn and not any(p.name in NUMBERS for p in others[1:]):
        return ""  # names that tell nothing
    if not drawn:
        arguments = [_given(others[0], "dataset"), *(f"{p.name}=..." for p in others[1:])]
        given = ", ".join(p.name for p in others[1:])
        return (
            f"{NO_GENERATOR}, and {given} {'needs a value' if len(others) == 2 else 'need values'}; write "
            f"def learner(dataset, rng): return {name}({', '.join(arguments)}), if it draws from numpy.random or random"
        )
    rng = _generator(drawn[0])
    apart = all(p.kind in _BY_PLACE for p in others) and drawn[0] not in parameters[: len(others)]
    if apart and len(others) > 1 and (others[1].name in PARTS or others[0].name in ("x", "X")):
        by_place = parameters[len(others)] is drawn[0] and drawn[0].kind in _BY_PLACE
        given = rng.partition("=")[2] if by_place and "=" in rng else rng
        first = ", ".join(p.name for p in others)
        return f"dataset is ({first}); write def learner(dataset, rng): return {name}(*dataset, {given})"
    if parameters[0] in drawn and others[0].kind in _BY_PLACE:
        return f"write def learner(dataset, rng): return {name}(rng, dataset)"
    missing = others[1:]
    arguments = [_given(others[0], "dataset"), *(f"{p.name}=..." for p in missing), rng]
    line = f"write def learner(dataset, rng): return {name}({', '.join(arguments)})"
    if not missing:
        return line
    values = " and ".join(p.name for p in missing)
    return f"{values} {'needs a value' if len(missing) == 1 else 'need values'}; {line}"


def _given(parameter: inspect.Parameter, value: str) -> str:
    return value if parameter.kind in _BY_PLACE else f"{parameter.name}={value}"


def _generator(parameter: inspect.Parameter) -> str:
    value = "rng" if parameter.name in GENERATORS else "int(rng.integers(2**31))"
    return value if parameter.kind is parameter.POSITIONAL_ONLY else f"{parameter.name}={value}"
