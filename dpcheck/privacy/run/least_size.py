"""The least number of records that a learner answers, where it says nothing of fewer and nobody declared a size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from dpcheck.execution.answers import Raised
from dpcheck.model.data import size_of
from dpcheck.model.errors import LearnerDied
from dpcheck.model.neighbours import AddRemove, LabelsOnly, Relation, ReplaceOne
from dpcheck.model.verdict import Finding
from dpcheck.privacy.pairs.changes import SIZES
from dpcheck.privacy.run.agreement_phase import Opening
from dpcheck.privacy.run.caller import Caller
from dpcheck.privacy.run.domain import domain_of
from dpcheck.privacy.run.question import Question, candidates_of, first_candidates
from dpcheck.privacy.statistics.observations import describe_answer

#: The first size that is tried, then twice as many, up to the last one: of more records most learners take long.
FIRST_SIZE, LAST_SIZE = 16, 1024
#: Datasets of each size that are tried, of so many at hand: a learner may refuse one whose records are all alike.
DATASETS_OF_SIZE, DATASETS_AT_HAND = 3, 16
#: Small datasets on which a learner must answer the same before it says nothing of small ones.
SMALL_DATASETS = 16
#: The part of all time that a call may take on datasets of a size that nobody asked for.
PART_OF_TIME = 0.01
#: First word of the keys of these streams.
LEAST_SIZE_KEY = 6_000_001

#: Whether a learner says something of one of some datasets.
Asked = Callable[[Sequence[Any]], bool]


def sizes_are_free(question: Question) -> bool:
    """Whether datasets of any size may be searched: none was declared, and there is no data beside."""
    relation = _resizable(question.relation)
    return question.searched and question.schema is None and relation is not None and relation.size is None


def enough_records(caller: Caller, opening: Opening) -> tuple[Question | None, int]:
    """The question of larger datasets, where a learner raises, or always answers the same, on small ones; and calls.

    None where it says something of small ones, or nothing of larger ones, or where a size was declared. The runner
    has the datasets of the question that goes on.
    """
    question = caller.question
    if not (opening.refused or opening.constant is not None) or not sizes_are_free(question):
        return None, 0
    says_something, calls = _by_calls(caller, opening.constant)
    found = None
    if opening.refused or not says_something(question.datasets[:SMALL_DATASETS]):
        found = with_enough_records(question, says_something, _in_words(opening))
    caller.runner.serve(question.handed((found or question).datasets))
    caller.noticed.forget_sides()  # numbers name other datasets now
    return found, calls()


def with_enough_records(question: Question, says_something: Asked, said: str) -> Question | None:
    """The question asked of the sizes from the least one on that a learner says something of; None where there is none.

    Sizes are doubled until it does, then halved towards the last one of which it did not.

    Parameters
    ----------
    question : Question
        Of which :func:`sizes_are_free`.
    says_something : callable, whether it answers (otherwise than always) on one of some datasets
    said : str
        What it does on fewer, for the finding: "raises ValueError('...')".
    """
    none, least, size = SIZES[-1], 0, FIRST_SIZE
    while not least and size <= LAST_SIZE:
        if says_something(datasets_of(question, size)):
            least = size
        else:
            none, size = size, 2 * size
    if not least:
        return None
    while least - none > 1:
        middle = (least + none) // 2
        if says_something(datasets_of(question, middle)):
            least = middle
        else:
            none = middle
    return _of_sizes(question, range(least, least + len(SIZES)), said)


def datasets_of(question: Question, size: int) -> list[Any]:
    """A few datasets of a size: of the candidates later ones, for the records of the first ones are all but alike."""
    relation = _of_size(question.relation, size)
    left = [pair.left for pair in islice(candidates_of(relation, question.limits.seed), DATASETS_AT_HAND)]
    return [dataset for dataset in reversed(left) if size_of(dataset) == size][:DATASETS_OF_SIZE]


def _resizable(relation: Relation | None) -> ReplaceOne | AddRemove | LabelsOnly | None:
    if isinstance(relation, ReplaceOne | AddRemove | LabelsOnly) and not hasattr(relation, "pair_strategy"):
        return relation
    return None


def _of_size(relation: Relation | None, size: int | range) -> Relation:
    known = _resizable(relation)
    assert known is not None
    return replace(known, size=size)


def _of_sizes(question: Question, sizes: range, said: str) -> Question:
    relation = _of_size(question.relation, sizes)
    chosen = first_candidates(relation, question.limits.seed, question.constants)
    words = (
        f"the learner {said} on all datasets of fewer than {sizes[0]} records that were tried: those of {sizes[0]} to "
        f"{sizes[-1]} are searched, since no size was declared (--size, or size= of neighbours, asks for others)"
    )
    looked = domain_of(relation, chosen, dataset=None, given=False, exhaustive=False, left_out=0)
    return replace(
        question, relation=relation, pairs=chosen, looked=looked, findings=(*question.findings, Finding("sizes", words))
    )


def _by_calls(caller: Caller, constant: int | None) -> tuple[Asked, Callable[[], int]]:
    """What asks a learner by a call on each dataset; and how many calls that took so far.

    ``constant``: the token of what it answers to small data, which says nothing.
    """
    calls = 0
    most = PART_OF_TIME * caller.question.max_seconds

    def says_something(datasets: Sequence[Any]) -> bool:
        nonlocal calls
        caller.runner.serve(caller.question.handed(datasets))
        for place in range(len(datasets)):
            began = caller.noticed.seconds
            calls += 1
            try:
                seen = caller.outputs(place, 1, (LEAST_SIZE_KEY, calls))
            except LearnerDied:
                return False
            if not isinstance(seen.answers[0], Raised) and int(seen.tokens[0]) != constant:
                return True
            if caller.noticed.seconds - began > most:
                break
        return False

    return says_something, lambda: calls


def _in_words(opening: Opening) -> str:
    said = describe_answer(opening.first, alone=True)
    return said if opening.refused else f"answers {said}, whatever the records are,"
