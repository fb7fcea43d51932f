"""Outcomes that say the same of several learners, told together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from dpcheck.trial.model import Outcome


def together(outcomes: Iterable[Outcome]) -> list[list[Outcome]]:
    """Neighbouring outcomes with one word and one claim, each of a learner that it names; others by themselves.

    Examples
    --------
    >>> made = [Outcome("holds", "c", "1 of 9", learner=name) for name in "ab"] + [Outcome("holds", "d", "all")]
    >>> [[one.learner for one in group] for group in together(made)]
    [['a', 'b'], ['']]
    """
    groups = []
    for key, group in groupby(outcomes, _alike):
        found = list(group)
        groups += [found] if key[-1] else [[one] for one in found]
    return groups


def _alike(one: Outcome) -> tuple[str, str, str, str, bool]:
    return one.result, one.word, one.claim, one.expected, bool(one.learner) and not one.instead
