"""Broken versions of the papers' learners: one step of a right learner replaced by a broken one."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpcheck.learners.discovery import entry
from dpcheck.neighbours import Relation

#: The papers with a module ``mutants_NAME`` beside this one.
PAPERS = ("chaudhuri2011", "wang2016")


@dataclass(frozen=True, eq=False)
class Mutant:
    """A learner with one step broken; what it promises is what the right one does.

    Parameters
    ----------
    entry : str, name of the right learner, as ``dpcheck learners`` lists it
    defect : str, what is wrong, in a few words
    field : str, the name of the method or property that is replaced
    broken : callable or property, what it is replaced by; a method's first argument is the learner
    options : mapping, arguments of the right learner's factory
    relation : callable without arguments, optional
        The relation it is audited under; the entry's by default.
    """

    entry: str
    defect: str
    field: str
    broken: Any
    options: Mapping[str, Any] = field(default_factory=dict)
    relation: Callable[[], Relation] | None = None

    def learner(self) -> Any:
        """The broken learner."""
        return mutated(entry(self.entry).learner(**self.options), self.field, self.broken)

    def neighbours(self) -> Relation:
        """The relation it is audited under."""
        return (self.relation or entry(self.entry).relation)()


def mutated(learner: Any, field: str, broken: Any) -> Any:
    """A learner (a frozen dataclass) of which one method or property is replaced.

    Raises
    ------
    AttributeError
        When there is nothing of that name to be replaced: a mutant without a defect would never be caught.
    """
    right = type(learner)
    if not hasattr(right, field):
        raise AttributeError(f"{right.__name__} has no {field!r} to be broken")
    broken_class = type(f"{right.__name__}Broken", (right,), {field: broken})
    values = {each.name: getattr(learner, each.name) for each in dataclasses.fields(learner) if each.init}
    return broken_class(**values)


def mutants() -> tuple[Mutant, ...]:
    """All mutants, paper by paper."""
    return tuple(one for paper in PAPERS for one in importlib.import_module(f"mutants_{paper}").MUTANTS)
