"""A learner of a paper as ``dpcheck learners`` lists it: how it is made, what promises its privacy, a small domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Relation
from dpcheck.parts.learners.class_instance import ClassInstance


@dataclass(frozen=True, eq=False)
class LearnerEntry:
    """One learner of a paper.

    Parameters
    ----------
    name : str, ``paper.name``
        What stands behind ``learner:`` on the command line.
    learner : callable without positional arguments
        Makes the learner. All arguments have defaults, with which it runs on the small domain; ``--option`` sets them.
    relation : callable without arguments
        The neighbouring relation of its claim, with records and a size so small that all pairs can be enumerated.
    algorithm : str, id of the algorithm in the paper's inventory
    theorem : str, id of the result that promises its privacy; empty where the paper claims none
    summary : str, one line on what it does
    as_printed : bool
        Whether it is the algorithm as printed, kept beside a repaired one, because it does not keep its claim.
    for_class : callable, ClassInstance -> learner, optional
        Makes the learner for a hypothesis class, with the public input that it wants; refuses classes that it cannot
        learn. Left out by variants of an algorithm that another entry gives it for.
    not_about_classes : str
        Why there is none, where the algorithm learns no hypothesis class.
    answers_queries : bool
        Whether what it outputs is not a hypothesis but an answer to each of its public queries, the instance's points.

    Raises
    ------
    InvalidArgument
        When the name is not of the form ``paper.name``, an id not one of that paper, or both of the last two are given.
    """

    name: str
    learner: Callable[..., Any]
    relation: Callable[[], Relation]
    algorithm: str
    summary: str
    theorem: str = ""
    as_printed: bool = False
    for_class: Callable[[ClassInstance], Any] | None = None
    not_about_classes: str = ""
    answers_queries: bool = False

    def __post_init__(self) -> None:
        paper, dot, short = self.name.partition(".")
        if not dot or not short:
            raise InvalidArgument(f"name must be paper.name, got {self.name!r}")
        for what, identifier in (("algorithm", self.algorithm), ("theorem", self.theorem)):
            if identifier and not identifier.startswith(f"{paper}:"):
                raise InvalidArgument(f"{what} of {self.name} must be an id of {paper}, got {identifier!r}")
        if self.for_class is not None and self.not_about_classes:
            raise InvalidArgument(f"not_about_classes must be empty beside for_class, got {self.not_about_classes!r}")

    @property
    def paper(self) -> str:
        """The paper's short name."""
        return self.name.partition(".")[0]
