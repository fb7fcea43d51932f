"""A label oracle: it answers by index, counts, remembers what it was asked, and stops at its limit."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.mechanisms.parameters import count


class LabelOracle:
    """The labels of a sample, given out one by one, by index.

    Questions are by index and not by value: two entries with one point may have two labels, and a question must be
    answered alike on two neighbouring samples but for the entry in which they differ (beimel2015:rem-5.2).

    Parameters
    ----------
    labels : sequence of n labels
    most_labels : int of at least 0, optional
        So many questions are answered, no more; all n labels when left out.
    repeats_cost : bool
        Whether a question asked before counts again, and stands in the transcript again, as a round of
        beimel2015:def-5.1 does. If not, the learner is taken to have kept the answer: nobody sees it look there.

    Raises
    ------
    InvalidArgument
        When the limit is no number of labels; and by ``ask`` for an index out of range, or beyond the limit.

    Source: beimel2015:def-5.1, def-5.4 (which count indices from 1).

    Examples
    --------
    >>> oracle = LabelOracle([1, 0, 0], most_labels=2)
    >>> oracle.ask(2), oracle.ask(0), oracle.transcript, oracle.left
    (0, 1, (2, 0), 0)
    >>> oracle.ask(1)
    Traceback (most recent call last):
    ...
    dpcheck.InvalidArgument: most_labels must be above 2 for another question, about index 1: 2 were answered
    """

    def __init__(self, labels: Sequence[Any], most_labels: int | None = None, *, repeats_cost: bool = True) -> None:
        self._labels = labels
        self.size = len(labels)
        self.most_labels = self.size if most_labels is None else count("most_labels", most_labels, least=0)
        self.repeats_cost = repeats_cost
        self._transcript: list[int] = []

    @property
    def transcript(self) -> tuple[int, ...]:
        """The indices asked for, in order, counted from 0."""
        return tuple(self._transcript)

    @property
    def asked(self) -> int:
        """How many questions were answered, those that cost nothing left out."""
        return len(self._transcript)

    @property
    def left(self) -> int:
        """How many more questions are answered."""
        return self.most_labels - self.asked

    def ask(self, index: int) -> Any:
        """The label of one entry.

        Raises
        ------
        InvalidArgument
            When there is no such entry, or as many labels were given out as may be.
        """
        place = self._place(index)
        if not self.repeats_cost and place in self._transcript:
            return self._labels[place]
        if self.left <= 0:
            raise InvalidArgument(
                f"most_labels must be above {self.most_labels} for another question, about index {place}: "
                f"{self.asked} were answered"
            )
        self._transcript.append(place)
        return self._labels[place]

    def ask_all(self, indices: Iterable[int]) -> list[Any]:
        """The labels of some entries, asked for one after the other."""
        return [self.ask(index) for index in indices]

    def _place(self, index: Any) -> int:
        try:
            place = -1 if isinstance(index, bool) else operator.index(index)
        except TypeError:
            place = -1
        if not 0 <= place < self.size:
            raise InvalidArgument(f"index must be an integer from 0 to {self.size - 1} (of {self.size}), got {index!r}")
        return place
