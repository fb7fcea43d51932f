"""What each check is there to find: a learner with that defect, declared beside the check, which must fail it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

#: Where a check keeps its defective learner.
ATTRIBUTE = "__dpcheck_must_fail__"

_Check = TypeVar("_Check", bound=Callable[..., Any])


@dataclass(frozen=True)
class Defective:
    """A learner with one defect, and on what it shows.

    Parameters
    ----------
    learner : callable or str
        The learner or its factory. As text, since checks do not load the zoo: ``zoo:NAME`` is an entry of it, and
        ``hostile.MODULE:NAME`` a learner of a module beside them.
    claim : claim or float, optional
        What it claims; 1-DP by default, and of an entry of the zoo what it has there.
    data : mapping
        The other arguments of :func:`~dpcheck.checks.check_learner`: neighbours or pairs. Without them an entry of the
        zoo is run under its relation, a learner beside them on four doubles, another on records between 0 and 1.
    """

    learner: Any
    claim: Any
    data: Mapping[str, Any]


def must_fail(learner: Any, claim: Any = None, **data: Any) -> Callable[[_Check], _Check]:
    """Declare the learner that a check must fail.

    Examples
    --------
    >>> @must_fail("zoo:laplace_with_half_the_scale")
    ... def check_something(subject): ...
    >>> defective_of(check_something).learner
    'zoo:laplace_with_half_the_scale'
    """

    def attach(check: _Check) -> _Check:
        setattr(check, ATTRIBUTE, Defective(learner, claim, data))
        return check

    return attach


def defective_of(check: Callable[..., Any]) -> Defective | None:
    """The learner that must fail a check, where one is declared."""
    found: Defective | None = getattr(check, ATTRIBUTE, None)
    return found
