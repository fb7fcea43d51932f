"""In which form a learner takes its data, found out by a few calls where nobody says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dpcheck.execution.answers import Raised, Request
from dpcheck.model.data import describe_dataset, features_and_labels, is_labelled, private_part, record_at, size_of
from dpcheck.model.data.forms import FORMS, PLAIN_FORMS, Form
from dpcheck.model.errors import DpcheckError, LearnerDied
from dpcheck.model.verdict import Finding
from dpcheck.privacy.run.least_size import sizes_are_free
from dpcheck.privacy.run.question import LEARNER_STREAM, Question, datasets_of_size
from dpcheck.privacy.statistics.observations import canonical, describe_answer

#: Datasets on which each form is tried: a learner may have to raise on one of them, even in its own form.
DATASETS_TRIED = 3
#: Calls on a dataset before it is said that a form raises there: a learner may raise now and then. Where a form is
#: answered on no dataset at all, which is how wrong ones are, these are the fewer.
TRIES, TRIES_WITHOUT_ANSWER = 16, 5
#: Datasets of at most so many records are tried, where there are such: a call on them is cheap.
FEW_RECORDS = 50
#: Sizes on which all forms are tried where none is answered on few records.
SIZES_OF_FORMS = (128, 1024)
#: Of the datasets at hand so many are looked at for those that tell forms apart best.
DATASETS_SEEN = 60
#: First word of the keys of these streams.
FORM_KEY = 5_000_001
#: What findings about forms are called.
FORM = "form"


@dataclass(frozen=True)
class FormFound:
    """A question whose form is settled, the calls that took, and what is wrong where no form will do."""

    question: Question
    calls: int = 0
    trouble: str = ""


@dataclass(frozen=True)
class _InForm:
    """Calls in one form: how many, on how many datasets one was answered, what became of the first other one.

    ``given``: the different answers, with the same noise on all datasets.
    """

    calls: int
    answered: int
    trouble: str
    given: frozenset[tuple[Any, ...]] = frozenset()


def find_form(question: Question) -> FormFound:
    """The question in the form in which its learner answers: the first one in which it answers on all datasets tried.

    Where it gives the same answer to all data there are, it may take them for few records, as the two parts of a pair
    are: the first form in which it gives this answer to some of them, and others to others, is then taken. Where it
    only raises on one of them in every form, the form in which it answers on most is taken, the first of equal ones.
    What is tried, and in which order, is fixed (:data:`dpcheck.model.data.forms.FORMS`); no call counts for or against
    a claim.

    Parameters
    ----------
    question : Question
        Its ``forms`` are those to be tried; none: data are handed over as they are.
    """
    if not question.forms or question.target.died:
        return FormFound(question)
    if len(question.forms) == 1:
        return FormFound(replace(question, form=question.forms[0]))
    tried = telling_datasets(question.datasets)
    calls, best, most = 0, question.forms[0], -1
    failed: list[str] = []
    alike: frozenset[tuple[Any, ...]] = frozenset()
    for form in question.forms:
        found = _calls_in_form(question, form, 0, tried, 1 if alike else TRIES_WITHOUT_ANSWER)
        calls += found.calls
        if found.answered > most:
            best, most = form, found.answered
        if found.answered == len(tried):
            if alike and alike < found.given:
                best = form
                break
            if not alike:
                made, alike = _alike_answer(question, form, found, tried)
                calls += made
                if not alike:
                    break
            continue
        failed.append(f"{_words(form, tried)}{_names(form, tried)}: {found.trouble}")
    if most == len(tried):
        made, best = _answering_to_one(question, best, tried)
        calls += made
    if most <= 0:
        made, more = _form_of_more(question)
        calls += made
        if more:
            best, most = more[0], 1
    settled = replace(question, form=best)
    if most <= 0:
        shown = describe_dataset(tried[0])
        more_too = ", nor of 128 or 1,024 records" if sizes_are_free(question) else ""
        words = f"It answers in no form of its data, such as {shown}{more_too}; tried were {'; '.join(failed)}."
        return FormFound(settled, calls, words)
    told = is_labelled(tried[0]) or (best is not None and _columns(tried[0]) > 1)
    if (best is None or best is question.forms[0]) and not told:  # as everybody expects
        return FormFound(settled, calls)
    before = [_name(form) for form in question.forms[: question.forms.index(best)]]
    why = f"it does not answer to {', '.join(before)}" if before else "which is tried first"
    if before and len(failed) < len(before):
        why = f"it does not answer to {', '.join(before)}, or always alike"
    others = ", ".join(form.kind for form in question.forms if form is not best and form is not None)
    asked = f"--form NAME, or form=NAME, asks for another: {others}"
    name = "" if best is None else f"form {best.kind!r}; "
    words = f"the learner is handed {_words(best, tried)} ({name}{why}; {asked})"
    return FormFound(replace(settled, findings=(*question.findings, Finding(FORM, words))), calls)


def _form_of_more(question: Question) -> tuple[int, list[Form | None]]:
    """Calls, and the first form in which a learner answers on more records, where it answers in none on few."""
    calls = 0
    for size in SIZES_OF_FORMS if sizes_are_free(question) else ():
        datasets = datasets_of_size(question, size, DATASETS_TRIED)
        for number, form in enumerate(question.forms):
            found = _calls_in_form(question, form, number, datasets, 1)
            calls += found.calls
            if found.answered:
                return calls, [form]
    return calls, []


def _answering_to_one(question: Question, found: Form | None, tried: Sequence[Any]) -> tuple[int, Form | None]:
    """The form that was found, or another that answers where this one does not: on the smallest dataset too; and calls.

    A learner of rows that picks ``row[1]`` answers to a pair of two records or more, wrongly, and raises on one of one.
    Each form is asked once there: one that the learner takes may raise on so few records. Another is taken where the
    form that was found raises there again and again: a learner may raise by chance.
    """
    smallest = _smallest_of(question.datasets)
    place = question.forms.index(found)
    if not is_labelled(tried[0]) or not smallest:
        return 0, found
    first = _calls_in_form(question, found, len(question.forms) + place, smallest, 1)
    calls = first.calls
    if first.answered:
        return calls, found
    for number, form in enumerate(question.forms[place + 1 :], place + 1):
        other = _calls_in_form(question, form, len(question.forms) + number, smallest, 1)
        calls += other.calls
        if other.answered:
            on_all = _calls_in_form(question, form, 0, tried)
            calls += on_all.calls
            if on_all.answered == len(tried):
                again = _calls_in_form(question, found, 2 * len(question.forms) + place, smallest, TRIES)
                return calls + again.calls, found if again.answered else form
    return calls, found


def _alike_answer(
    question: Question, form: Form | None, found: _InForm, tried: Sequence[Any]
) -> tuple[int, frozenset[tuple[Any, ...]]]:
    """Calls, and the one answer that a learner gives in a form whatever the data; none where two differ.

    Of two records a learner of pairs cannot be told from one of rows.
    """
    if len(found.given) > 1 or not is_labelled(tried[0]) or all(size_of(dataset) == 2 for dataset in tried):
        return 0, frozenset()
    more = _calls_in_form(question, form, 0, question.datasets[:DATASETS_SEEN:2], 1)
    return more.calls, found.given if more.given == found.given else frozenset()


def telling_datasets(datasets: Sequence[Any]) -> list[Any]:
    """Datasets on which forms differ: records of several kinds, and not as many as there are columns, or two.

    After them the largest: a learner may refuse few records.
    """

    def rank(dataset: Any) -> tuple[bool, bool, int]:
        size = size_of(dataset)
        kinds = {repr(record_at(dataset, row)) for row in range(min(size, FEW_RECORDS))}
        return size > FEW_RECORDS, size <= 2 or size == _columns(dataset), -len(kinds)

    ranked = sorted(datasets[:DATASETS_SEEN], key=rank)
    return ranked[: DATASETS_TRIED - 1] + sorted(ranked[DATASETS_TRIED - 1 :], key=size_of)[-1:]


def _smallest_of(datasets: Sequence[Any]) -> list[Any]:
    """The smallest dataset that has a record; in a list, empty where there is none."""
    return sorted((dataset for dataset in datasets[:DATASETS_SEEN] if size_of(dataset)), key=size_of)[:1]


def _columns(dataset: Any) -> int:
    records = private_part(dataset)
    x = features_and_labels(records)[0] if is_labelled(records) else records
    shape: tuple[int, ...] = getattr(x, "shape", ())
    return shape[1] if len(shape) == 2 else 1


def _calls_in_form(
    question: Question, form: Form | None, number: int, tried: Sequence[Any], retries: int = TRIES_WITHOUT_ANSWER
) -> _InForm:
    """Calls of a learner in one form; ``retries``: so many on each dataset where none is answered."""
    try:
        handed = [dataset if form is None else form.of(dataset) for dataset in tried]
    except DpcheckError as error:
        return _InForm(0, 0, str(error))
    calls, answered, trouble = 0, 0, ""
    given: set[tuple[Any, ...]] = set()
    raising = list(range(len(handed)))
    try:
        runner = question.executor.runner(
            question.target,
            handed,
            call_timeout=question.limits.call_timeout,
        )
        try:
            for again in range(TRIES):
                for place in raising[:] if again < retries or answered else ():
                    key = (place, again) if again else ()  # with the same noise alike answers heed no data
                    (answers,) = runner.run(
                        [Request(place, 1, question.stream(LEARNER_STREAM, FORM_KEY, number, *key))]
                    )
                    calls += 1
                    answer = answers.values[0]
                    if isinstance(answer, Raised):
                        trouble = trouble or describe_answer(answer)
                    else:
                        raising.remove(place)
                        answered += 1
                        given.add(canonical(answer))
        finally:
            runner.close()
    except LearnerDied as died:
        return _InForm(calls + 1, answered, trouble or str(died), frozenset(given))
    return _InForm(calls, answered, trouble, frozenset(given))


def _words(form: Form | None, tried: Sequence[Any]) -> str:
    if form is None and is_labelled(tried[0]):
        return f"(X, y) as made, {_container(features_and_labels(private_part(tried[0]))[0])} and a list"
    if form is None:
        return "data as they are made"
    return (FORMS if is_labelled(tried[0]) else PLAIN_FORMS)[form.kind]


def _container(x: Any) -> str:
    return "a list" if isinstance(x, list) else "an array" if isinstance(x, np.ndarray) else f"a {type(x).__name__}"


def _names(form: Form | None, tried: Sequence[Any]) -> str:
    """The names of a data frame's columns: a learner that asks for others raises nothing but the one it misses."""
    if form is None or form.kind != "frame":
        return ""
    try:
        columns = form.of(tried[0]).columns
    except DpcheckError:  # it has no such form, which is told beside it
        return ""
    return f" (columns {', '.join(map(str, columns))})"


def _name(form: Form | None) -> str:
    return "as made" if form is None else form.kind
