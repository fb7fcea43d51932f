"""Which learner learns which hypothesis class, found by making each for a small instance of each and drawing once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import (
    Boxes,
    FiniteClass,
    FiniteOrCofinite,
    FiniteSubsets,
    GridThresholds,
    HalfPlanes,
    Intervals,
    LinearSeparators,
    OriginHalfPlanes,
    Parities,
    PointFunctions,
    Rectangles,
    Stumps,
    Thresholds,
    Xor,
)
from dpcheck.parts.learners.class_instance import ClassInstance
from dpcheck.parts.learners.entry import LearnerEntry


def instances() -> tuple[ClassInstance, ...]:
    """The classes of the table, each small enough for every learner that can learn it at all.

    Examples
    --------
    >>> len(instances()), instances()[0].name
    (16, 'thresholds on the line')
    """
    line, grid, plane, space = [0.25, 0.75], [0, 1], [(1, 0), (1, 2)], [(1, 0, 1), (1, 2, 0)]
    return (
        ClassInstance("thresholds on the line", Thresholds(), line),
        ClassInstance("thresholds on a grid", GridThresholds(3), grid),
        ClassInstance("thresholds, both orientations", GridThresholds(3, "both"), grid),
        ClassInstance("intervals", Intervals(), line),
        ClassInstance("rectangles", Rectangles(), plane),
        ClassInstance("boxes in 3 dimensions", Boxes(3), space),
        ClassInstance("half-planes", HalfPlanes(), plane),
        ClassInstance("plane separators through 0", OriginHalfPlanes(), plane),
        ClassInstance("separators in 3 dimensions", LinearSeparators(3), space),
        ClassInstance("stumps", Stumps(), plane),
        ClassInstance("points", PointFunctions(3), grid),
        ClassInstance("parities", Parities(2), [1, 2]),
        ClassInstance("finite subsets", FiniteSubsets(2), line),
        ClassInstance("finite or cofinite sets", FiniteOrCofinite(1), grid),
        ClassInstance("explicit finite class", FiniteClass([[0, 0], [0, 1], [1, 0]]), grid),
        ClassInstance("xor of thresholds", Xor(GridThresholds(3)), grid),
    )


@dataclass(frozen=True)
class ClassRow:
    """A class, the instance of it that was tried, and for each learner why it does not learn it: empty if it does."""

    name: str
    instance: str
    cells: dict[str, str]


@dataclass(frozen=True)
class ClassTable:
    """Class against learner; ``apart`` are the learners that are about no class of hypotheses, and why."""

    learners: tuple[str, ...]
    rows: tuple[ClassRow, ...]
    apart: dict[str, str]


def class_table(entries: Sequence[LearnerEntry]) -> ClassTable:
    """The table of some entries, computed: each learner is made for each class, and draws once.

    An entry that neither makes learners of classes nor says why not is one with other defaults, or as printed, of an
    algorithm that another entry makes them for: it has no column. Errors other than ``InvalidArgument`` are defects and
    come through.

    Examples
    --------
    >>> from dpcheck.parts.learners.discovery import entry
    >>> table = class_table([entry("alon2019.generic")])
    >>> table.rows[0].name, table.rows[0].cells
    ('thresholds on the line', {'alon2019.generic': 'family must be a finite hypothesis class, got this one'})
    >>> table.rows[1].cells
    {'alon2019.generic': ''}
    """
    learning = [entry for entry in entries if entry.for_class is not None]
    rows = tuple(
        ClassRow(each.name, repr(each.family), {entry.name: why_not(entry, each) for entry in learning})
        for each in instances()
    )
    apart = {entry.name: entry.not_about_classes for entry in entries if entry.not_about_classes}
    return ClassTable(tuple(entry.name for entry in learning), rows, apart)


def why_not(entry: LearnerEntry, instance: ClassInstance) -> str:
    """Why a learner does not learn a class, in the words of its refusal; empty where it does.

    Raises
    ------
    InvalidArgument
        When the entry makes no learner of classes.
    """
    if entry.for_class is None:
        raise InvalidArgument(f"entry must make learners of classes, got {entry.name}")
    family, dataset = instance.family, instance.dataset
    try:
        drawn = entry.for_class(instance)(dataset, np.random.default_rng(0))
    except InvalidArgument as refusal:
        return str(refusal).replace(repr(family), "this one")  # the row says which, and one note is enough
    except Exception as defect:
        defect.add_note(f"{entry.name} was made for {instance.name}, and drew once")
        raise
    if entry.answers_queries:
        assert len(drawn) == len(instance.points), f"{entry.name} answers {len(drawn)} of the instance's points"
        return ""
    predicted = family.predict(np.asarray([drawn]), dataset.x)
    assert predicted.shape == (1, instance.size), f"{entry.name} answers no hypothesis of {family!r}: {drawn!r}"
    return ""
