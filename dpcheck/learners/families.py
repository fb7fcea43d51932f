"""The checks that learners make of the hypothesis class they are given."""

from __future__ import annotations

from typing import Any

from dpcheck.classes import HypothesisClass
from dpcheck.classes.representatives import Adversarial, Rule, checked_rule
from dpcheck.errors import InvalidArgument


def checked_family(family: Any, rule: Rule = None) -> HypothesisClass:
    """A hypothesis class as given, whose representatives can be chosen by the rule.

    Raises
    ------
    InvalidArgument
        When it is none, or a Python class that was not called, or does not know the rule.

    Examples
    --------
    >>> from dpcheck.classes import Thresholds
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
