"""The checks that learners make of the hypothesis class they are given."""

from __future__ import annotations

from typing import Any

from dpcheck.model.errors import InvalidArgument
from dpcheck.parts.classes import HypothesisClass
from dpcheck.parts.classes.representatives import Adversarial, Rule, checked_rule


def checked_family(family: Any, rule: Rule = None) -> HypothesisClass:
    """A hypothesis class as given, whose representatives can be chosen by the rule.

    Raises
    ------
    InvalidArgument
        When it is none, or a Python class that was not called, or does not know the rule.

    Examples
    --------
    >>> from dpcheck.parts.classes import Thresholds
    >>> checked_family(Thresholds(), "middle")
    Thresholds(orientation='up')
    """
    if isinstance(family, type):
        raise InvalidArgument(f"family must be a hypothesis class such as {family.__name__}(...), got the Python class")
    if not isinstance(family, HypothesisClass):
        raise InvalidArgument(f"family must be a hypothesis class, got {family!r}")
    if not isinstance(rule, Adversarial):  # whether a class knows the worst is seen when it is asked
        checked_rule(rule, family.rules)
    return family


#: Learners of learners inside each other are looked into so far.
_MOST_INSIDE = 16


def refuse_strange_points(learner: Any, points: Any) -> None:
    """Nothing, where all points are of the domain that a learner, or the one inside it, says by its ``family``.

    For learners that are given a random part of the records: a record outside the domain is refused in every call then,
    and not only in those that draw it, which would tell that it was drawn.

    Raises
    ------
    InvalidArgument
        When one is not. A learner without a class cannot tell, and says so when it is given such a record.

    Examples
    --------
    >>> from dpcheck.parts.classes import GridThresholds
    >>> from dpcheck.papers.alon2019.learners import CoverLearner
    >>> refuse_strange_points(CoverLearner(GridThresholds(4)), [0, 7])
    Traceback (most recent call last):
    ...
    dpcheck.InvalidArgument: points must be integers from 0 to 3, got an array of int64 with [0, 7]
    """
    inside = learner
    for _ in range(_MOST_INSIDE):
        family = getattr(inside, "family", None)
        if isinstance(family, HypothesisClass) and not isinstance(family, type):
            if len(points):
                family.points(points)
            return
        inside = getattr(inside, "learner", None)
        if inside is None:
            return
