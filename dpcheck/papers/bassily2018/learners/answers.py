"""What alg-2 outputs for a table of votes: draws of many runs at once, and the exact law."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.papers.bassily2018.learners.rounds import ABSTAINS, ANSWERED, NOT_ASKED, drawn_patterns, pattern_law
from dpcheck.papers.bassily2018.learners.scales import Guard, Scales
from dpcheck.papers.bassily2018.learners.votes import (
    ABSTAINED,
    UNANSWERED,
    Distance,
    Tie,
    as_distance,
    checked_classes,
    checked_counts,
    leading_label,
)
from dpcheck.parts.mechanisms.parameters import count

#: Abstentions, and what is not answered, in tables of integers; an answer is the place of its label among the classes.
ABSTAINED_CODE, UNANSWERED_CODE = -1, -2


def answer_table(
    counts: Any,
    scales: Scales,
    guard: Guard = "printed",
    size: int = 1,
    rng: np.random.Generator | None = None,
    *,
    tie: Tie = "last",
    distance: str | Distance = "printed",
) -> NDArray[np.int32]:
    """``size`` independent runs of alg-2 on one table of votes.

    Parameters
    ----------
    counts : integers of shape (m, c)
        How many votes each of c labels gets on each of m queries, in the order in which they are asked.
    scales : Scales
    guard : "printed" or "strict"
    size : int
    rng : numpy Generator
    tie : "last" or "first"
        Which of the labels with most votes leads.
    distance : "printed", "votes" or a Distance

    Returns
    -------
    array of shape (size, m)
        The place of the label in the list of classes, -1 for an abstention, -2 for a query after the last of them.

    Source: bassily2018:alg-2, steps 5-10.

    Examples
    --------
    >>> scales = Scales(threshold=400.0, threshold_scale=1.0, query_scale=2.0)
    >>> rng = np.random.default_rng()
    >>> answer_table([[0, 900], [450, 450], [900, 0], [450, 450], [900, 0]], scales, "printed", 1, rng).tolist()
    [[1, -1, 0, -1, -2]]
    """
    found = checked_counts(counts)
    labels = leading_label(found, tie)
    rule = as_distance(distance)
    generator = np.random.default_rng() if rng is None else rng
    patterns = drawn_patterns(rule.of(found), scales, scales.rounds(guard), count("size", size, 0), generator)
    return coded(patterns, labels)


def coded(patterns: NDArray[np.int8], labels: NDArray[Any]) -> NDArray[np.int32]:
    """Places of labels, -1 and -2 for patterns of shape (size, m) and leading labels of shape (m,) or (size, m)."""
    found = np.where(patterns == ANSWERED, labels, ABSTAINED_CODE)
    return np.where(patterns == NOT_ASKED, UNANSWERED_CODE, found).astype(np.int32)


def decoded(table: NDArray[np.integer[Any]], classes: Sequence[Hashable] = (0, 1)) -> list[tuple[Any, ...]]:
    """Rows of such a table as outputs: tuples of labels, "⊥" and None.

    Examples
    --------
    >>> decoded(np.array([[1, -1, -2]]))
    [(1, '⊥', None)]
    """
    listed = checked_classes(classes)
    values = np.empty(len(listed) + 2, dtype=object)
    values[:] = [*listed, UNANSWERED, ABSTAINED]  # the codes -2 and -1 are the places from the end
    return [tuple(row) for row in values[table].tolist()]


def answers_law(
    counts: Any,
    scales: Scales,
    guard: Guard = "printed",
    *,
    classes: Sequence[Hashable] = (0, 1),
    tie: Tie = "last",
    distance: str | Distance = "printed",
) -> Law:
    """The exact law of a run of alg-2 on one table of votes, in balls: at most 4096 outputs.

    Parameters
    ----------
    counts : integers of shape (m, c)
    scales, guard, tie, distance : as for :func:`answer_table`
    classes : c labels

    Returns
    -------
    Law of tuples of m labels, "⊥" and None

    Raises
    ------
    InvalidArgument
        When there are more outputs, or counts of another number of labels than classes.

    Source: bassily2018:alg-2, steps 5-10.

    Examples
    --------
    >>> law = answers_law([[0, 4], [2, 2]], Scales(2.0, 1.0, 2.0), "strict")
    >>> [(output, round(float(chance.mid()), 4)) for output, chance in zip(law.outputs, law.exact)]
    [((1, 1), 0.1693), ((1, '⊥'), 0.4877), (('⊥', None), 0.343)]
    """
    found = checked_counts(counts)
    listed = checked_classes(classes)
    if found.shape[1] != len(listed):
        raise InvalidArgument(f"counts must have a column for each of {len(listed)} classes, got {found.shape[1]}")
    labels = [listed[place] for place in leading_label(found, tie).tolist()]
    return law_of_patterns(pattern_law(as_distance(distance).of(found), scales, scales.rounds(guard)), labels)


def law_of_patterns(patterns: dict[tuple[int, ...], Any], labels: Sequence[Any]) -> Law:
    """The law of the output where the leading labels are known."""
    outputs = [tuple(map(_said, pattern, labels)) for pattern in patterns]
    return Law(outputs, exact=list(patterns.values()))


def _said(state: int, label: Any) -> Any:
    return label if state == ANSWERED else ABSTAINED if state == ABSTAINS else UNANSWERED
