"""Broken versions of the papers' learners: one step of a right learner replaced by a broken one."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from dpcheck.execution.paper_folders import paper_folders
from dpcheck.model.neighbours import Relation
from dpcheck.parts.learners.discovery import entry


@dataclass(frozen=True, eq=False)
class Mutant:
    """A learner with one step broken; what it promises is what the right one does.

    Parameters
    ----------
    entry : str, name of the right learner, as ``dpcheck learners`` lists it
    defect : str, what is wrong, in a few words
    field : str, the name of the method or property that is replaced; ``learner.scored`` is that of the learner inside
    broken : callable or property, what it is replaced by; a method's first argument is the learner
    options : mapping, arguments of the right learner's factory
    relation : callable without arguments, optional
        The relation it is audited under; the entry's by default.
    also : mapping, name -> what is replaced with it
        Where one step is several methods, such as its draws and its law.
    """

    entry: str
    defect: str
    field: str
    broken: Any
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    relation: Callable[[], Relation] | None = None
    also: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def learner(self) -> Any:
        """The broken learner."""
        return mutated(entry(self.entry).learner(**self.options), self.field, self.broken, also=self.also)

    def neighbours(self) -> Relation:
        """The relation it is audited under."""
        return (self.relation or entry(self.entry).relation)()


def mutated(
    learner: Any, field: str, broken: Any, *, also: Mapping[str, Any] = MappingProxyType({}), order_seen: bool = True
) -> Any:
    """A learner (a frozen dataclass) of which one method or property is replaced, and those that go with it.

    Where the field has a dot, what stands before it is the learner inside that is broken. A learner that takes its
    records as a multiset promises that no more: the broken step may look at their order.

    Raises
    ------
    AttributeError
        When there is nothing of that name to be replaced: a mutant without a defect would never be caught.
    """
    inside, dot, rest = field.partition(".")
    if dot:
        # what is made of a multiset's learner is told of no order
        part = mutated(getattr(learner, inside), rest, broken, also=also, order_seen=False)
        return dataclasses.replace(learner, **{inside: part})
    right = type(learner)
    changed = {field: broken, **also}
    for name in changed:
        if not hasattr(right, name):
            raise AttributeError(f"{right.__name__} has no {name!r} to be broken")
    if getattr(learner, "order_blind", False) is True and order_seen:
        changed["order_blind"] = False
    broken_class = type(f"{right.__name__}Broken", (right,), changed)
    values = {each.name: getattr(learner, each.name) for each in dataclasses.fields(learner) if each.init}
    return broken_class(**values)


def mutants() -> tuple[Mutant, ...]:
    """All mutants, paper by paper: what the ``mutants`` of a paper's folder declares.

    Examples
    --------
    >>> mutants()[0].entry
    'alon2019.generic'
    """
    return tuple(one for folder in paper_folders() for one in getattr(folder.part("mutants"), "MUTANTS", ()))
