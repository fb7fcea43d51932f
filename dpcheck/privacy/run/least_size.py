"""The least number of records that a learner answers, where it says nothing of fewer and nobody declared a size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dpcheck.execution.answers import Raised
from dpcheck.model.data import size_of
from dpcheck.model.errors import LearnerDied
from dpcheck.model.neighbours.domains import Drawn, LabelledDomain
from dpcheck.model.verdict import Finding
from dpcheck.privacy.pairs.changes import SIZES
from dpcheck.privacy.run.agreement_phase import Opening
from dpcheck.privacy.run.caller import Caller
from dpcheck.privacy.run.domain import domain_of
from dpcheck.privacy.run.question import Question, datasets_of_size, first_pairs, of_size
from dpcheck.privacy.statistics.observations import describe_answer

#: The first size that is tried, then twice as many, up to the last one: of more records most learners take long.
FIRST_SIZE, LAST_SIZE = 16, 1024
#: Datasets of each size that are tried.
DATASETS_OF_SIZE = 3
#: With fewer calls in all none are made for this; and the part of all time that they may take together.
FEWEST_CALLS, PART_OF_TIME = 1_000, 0.05
#: First word of the keys of these streams.
LEAST_SIZE_KEY = 6_000_001


def sizes_are_free(question: Question) -> bool:
    """Whether datasets of any size may be searched: none was declared, no data are beside, records are made quickly."""
    if not question.searched or question.schema is not None or question.max_samples < FEWEST_CALLS:
        return False
    relation = of_size(question.relation, None)
    if relation is None or question.relation is None or question.relation.size is not None:
        return False
    domain = relation.records.domain if relation.records is not None else None
    parts = (domain.features, domain.labels) if isinstance(domain, LabelledDomain) else (domain,)
    return not any(isinstance(part, Drawn) for part in parts)


def enough_records(caller: Caller, opening: Opening) -> tuple[Question | None, int]:
    """The question with larger datasets beside, of a learner that says nothing of small ones; and the calls it took.

    That is where it raises, or gives one and the same answer, on all of up to eight records. A pair of which it says
    something comes first. None where it does so of small ones without more, or of none at all, or where a size was
    declared. The runner then has the datasets of the question that goes on.
    """
    question = caller.question
    if not (opening.refused or opening.constant is not None) or not sizes_are_free(question):
        return None, 0
    asking = _Asking(caller, opening.constant)
    found = None
    if (heard := asking.first_heard(question.datasets)) is not None and size_of(heard) <= SIZES[-1]:
        found = _with_first(question, heard) if opening.refused else None
    elif not asking.ended and (least := least_size(question, asking)):
        found = _with_larger(question, least if heard is None else min(least, size_of(heard)), opening)
        heard = asking.first_heard(found.datasets)
        found = found if heard is None else _with_first(found, heard)
    elif heard is not None and opening.refused:  # of some sizes only, which its code names
        found = _with_first(question, heard)
    caller.runner.serve(question.handed((found or question).datasets))
    caller.noticed.forget_sides()  # numbers name other datasets now
    return found, asking.calls


def least_size(question: Question, asking: _Asking) -> int:
    """The least size of which a learner says something: doubled until it does, then halved towards where it did not.

    0 where it says nothing up to :data:`LAST_SIZE`, or where calls take too long before it does.
    """
    silent, least, size = SIZES[-1], 0, FIRST_SIZE
    while not least and size <= LAST_SIZE and not asking.ended:
        if asking.says_something(datasets_of_size(question, size, DATASETS_OF_SIZE)):
            least = size
        else:
            silent, size = size, 2 * size
    while least - silent > 1 and not asking.ended:
        middle = (least + silent) // 2
        if asking.says_something(datasets_of_size(question, middle, DATASETS_OF_SIZE)):
            least = middle
        else:
            silent = middle
    return least


def _with_first(question: Question, dataset: Any) -> Question:
    """The question whose first pair is one of this dataset: what outputs look like is seen there."""
    first = [pair for pair in question.pairs if dataset is pair.left or dataset is pair.right][:1]
    return replace(question, pairs=(*first, *(pair for pair in question.pairs if pair is not first[0])))


def _with_larger(question: Question, least: int, opening: Opening) -> Question:
    said = describe_answer(opening.first, alone=True)
    sizes = range(least, least + len(SIZES))
    words = (
        f"the learner {'' if opening.refused else 'answers '}{said} on all datasets of fewer than {least} records that "
        f"were tried: those of {sizes[0]} to {sizes[-1]} are searched too, since no size was declared (--size, or "
        "size= of neighbours, asks for others)"
    )
    larger = replace(question, larger=sizes, findings=(*question.findings, Finding("sizes", words)))
    chosen = first_pairs(larger)
    looked = domain_of(question.relation, chosen, dataset=None, given=False, exhaustive=False, left_out=0, larger=sizes)
    return replace(larger, pairs=chosen, looked=looked)


@dataclass
class _Asking:
    """Asks a learner by a call on each dataset; ``ended`` once calls take too long, or one does not end."""

    caller: Caller
    constant: int | None
    calls: int = 0
    ended: bool = False
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.caller.noticed.seconds

    def says_something(self, datasets: Sequence[Any]) -> bool:
        """Whether it answers one of them otherwise than always."""
        return self.first_heard(datasets) is not None

    def first_heard(self, datasets: Sequence[Any]) -> Any:
        """The first of them that it answers otherwise than always; None where there is none."""
        caller = self.caller
        caller.runner.serve(caller.question.handed(datasets))
        for place in range(len(datasets)):
            self.calls += 1
            try:
                seen = caller.outputs(place, 1, (LEAST_SIZE_KEY, self.calls))
            except LearnerDied:
                self.ended = True
                return None
            if not isinstance(seen.answers[0], Raised) and int(seen.tokens[0]) != self.constant:
                return datasets[place]
            if caller.noticed.seconds - self.began > PART_OF_TIME * caller.question.max_seconds:
                self.ended = True
                return None
        return None
