"""What checks need of a learner: asked before a check runs, so that "not applicable" says why.

A need is a function of the subject that gives the reason why it is not met, or an empty text. :func:`needs` attaches
needs to a check; the first that is not met decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from dpcheck.execution.introspection import IS_FUNCTION, OFFERS_SAMPLE, ORDER_BLIND
from dpcheck.model.learner import declares_law

if TYPE_CHECKING:
    from dpcheck.checks.subject import Subject

Need = Callable[["Subject"], str]
#: Where a check keeps its needs.
ATTRIBUTE = "__dpcheck_needs__"

_Check = TypeVar("_Check", bound=Callable[..., Any])


def needs(*wanted: Need) -> Callable[[_Check], _Check]:
    """Attach needs to a check: it is not applicable where one of them is not met.

    >>> @needs(a_claim)
    ... def check_something(subject): ...
    >>> [need.__name__ for need in needs_of(check_something)]
    ['a_claim']
    """

    def attach(check: _Check) -> _Check:
        setattr(check, ATTRIBUTE, wanted)
        return check

    return attach


def needs_of(check: Callable[..., Any]) -> tuple[Need, ...]:
    """The needs of a check."""
    found: tuple[Need, ...] = getattr(check, ATTRIBUTE, ())
    return found


def unmet(check: Callable[..., Any], subject: Subject) -> str:
    """Why a check does not apply to a subject; empty where it does."""
    return next((reason for need in needs_of(check) if (reason := need(subject))), "")


def a_claim(subject: Subject) -> str:
    """A privacy claim."""
    return "" if subject.claim is not None else "nothing is claimed: give claim=, or a learner with a claim"


def declared_records(subject: Subject) -> str:
    """A relation that declares the claim's records."""
    relation = subject.relation
    if relation is not None and relation.records is not None:
        return ""
    return "the claim's records are not declared: give neighbours=ReplaceOne(records=(low, high)), for one"


def a_sample(subject: Subject) -> str:
    """A method ``sample``."""
    return "" if subject.said(OFFERS_SAMPLE) is True else "the learner has no sample(dataset, size, rng)"


def a_distribution(subject: Subject) -> str:
    """A method ``distribution``."""
    if subject.target.by_calls:
        return "the learner is to be judged by its calls alone"
    return "" if declares_law(subject.target) else "the learner has no distribution(dataset)"


def a_factory(subject: Subject) -> str:
    """A factory of learners, whose parameters can be tried."""
    if subject.target.is_factory:
        return ""
    return "it is a learner, not a factory of learners: it has no parameters to be tried"


def an_object(subject: Subject) -> str:
    """A learner that is an object with attributes, not a function."""
    return "it is a function, which is pickled by its name" if subject.said(IS_FUNCTION) is True else ""


def data_as_they_are(subject: Subject) -> str:
    """A learner that is handed its data as they are, in no form that was chosen for it."""
    form = subject.question.form
    return "" if form is None else f"it is handed its data in one form: {form.kind}"


def blind_to_order(subject: Subject) -> str:
    """A learner that says it does not look at the order of records."""
    if subject.said(ORDER_BLIND) is True:
        return ""
    return "the learner does not claim it (order_blind = True claims it)"
