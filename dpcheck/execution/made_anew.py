"""A learner made anew by its class: what that draws when it makes one is drawn again, what it was given stays."""

from __future__ import annotations

import copy
import inspect
from dataclasses import dataclass, replace
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from dpcheck.execution.packed_code import packed_with_code
from dpcheck.model.learner import Target


@dataclass(frozen=True)
class MadeAnew:
    """A factory of the learners of a target whose learner is an object: see :func:`made_anew`."""

    target: Target

    def __call__(self) -> Any:
        """A fresh learner that holds what its class draws, drawn again."""
        return replace(self.target, original=made_anew(self.target.original)).make()


def is_an_object(target: Target) -> bool:
    """Whether its learner is an object that a class has made, rather than a function or a factory."""
    functions = (type, FunctionType, BuiltinFunctionType, MethodType)
    return not target.is_factory and not isinstance(target.original, functions)


def made_anew(learner: Any) -> Any:
    """A learner like this one, with attributes that its class draws drawn again; itself where it is not to be had.

    The class is called twice, with the attributes that have the names of its arguments. Attributes in which the two
    differ are drawn; the others must be those of ``learner``, for else it was changed after it was made.

    Examples
    --------
    >>> import os
    >>> class Keyed:
    ...     def __init__(self, scale=1.0):
    ...         self.scale, self.key = scale, os.urandom(8)
    >>> keyed = Keyed(2.0)
    >>> again = made_anew(keyed)
    >>> again.scale, again.key == keyed.key
    (2.0, False)
    >>> keyed.shift = 5
    >>> made_anew(keyed).key == keyed.key  # no class made that
    True
    """
    try:
        held, given = vars(learner), _given(learner)
        one, other = vars(type(learner)(**given)), vars(type(learner)(**given))
        if not set(one) == set(other) == set(held):
            return learner
        drawn = [name for name in held if packed_with_code(one[name]) != packed_with_code(other[name])]
        if any(packed_with_code(one[name]) != packed_with_code(held[name]) for name in held if name not in drawn):
            return learner
        anew = copy.copy(learner)
        vars(anew).update({name: one[name] for name in drawn})
    except Exception:  # whatever a stranger's class raises
        return learner
    return anew


def _given(learner: Any) -> dict[str, Any]:
    """Arguments of its class by name, from its attributes; those that have none keep their defaults."""
    held = vars(learner)
    parameters = inspect.signature(type(learner)).parameters.values()
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return {some.name: held[some.name] for some in parameters if some.kind in by_name and some.name in held}
