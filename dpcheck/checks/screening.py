"""Which of many pairs tells most in its bits? Looked for on calls that count for nothing: the best is audited afresh.

One audit on each of many pairs has few calls for any; what one output in sixty tells takes some ten thousand on one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpcheck.checks.situations import plainly
from dpcheck.checks.subject import Subject
from dpcheck.model.claims import claim_point
from dpcheck.model.neighbours import Pair
from dpcheck.privacy.statistics.bit_promise import bit_promise
from dpcheck.privacy.statistics.observations import Observations, bare, join, observe

#: Of the pairs so many are left for each round, which has a third of the calls: rare events need more of them.
KEPT = (1.0, 0.4, 0.12)
#: With fewer calls on a pair than this in the first round, nothing of its bits could be seen.
LEAST_GLANCED = 48
#: The part of an audit's seconds that screening may take: slow learners have fewer pairs, or none, screened.
TIME_SCREENED = 0.5
#: First number of the streams of these calls.
SCREEN_STREAM = 2000


@dataclass(frozen=True)
class Screened:
    """The pair that told most, how many were looked at, and with how many calls."""

    best: Pair
    pairs: int
    calls: int


def most_promising(subject: Subject, pairs: Sequence[Pair], calls: int) -> Screened:
    """The pair whose outputs' bits speak most against the claim, by about so many calls that enter no verdict.

    Parameters
    ----------
    subject : Subject
    pairs : sequence of Pair, the most likely ones first
    calls : int
        Most calls; fewer where they would take more than their part of the seconds of an audit.

    Raises
    ------
    LearnerDied
        When a call hangs or takes its process along.
    """
    limit, before = TIME_SCREENED * subject.question.max_seconds, subject.spent.calls
    few = subject.answers([plainly(pairs[0].left)], stream=SCREEN_STREAM - 1)[0]  # the first calls load things
    calls = min(calls, int(limit * few.count / max(few.seconds, 1e-9)))
    each_round = calls // len(KEPT)
    chosen = list(range(min(len(pairs), each_round // LEAST_GLANCED)))
    if len(chosen) < 2:
        return Screened(pairs[0], 1, 0)
    assert subject.claim is not None
    point = claim_point(subject.claim)
    until = time.monotonic() + limit
    seen: dict[int, tuple[Observations, Observations]] = {}
    scores = np.zeros(len(chosen))
    count = len(chosen)
    for number, kept in enumerate(KEPT):
        size = max(1, round(kept * count))
        chosen = sorted(chosen, key=lambda place: -scores[place])[:size]
        for place in chosen:
            if time.monotonic() > until:
                break
            sides = _outputs(
                subject, pairs[place], max(1, each_round // (2 * size)), SCREEN_STREAM + 100 * number + place
            )
            if place in seen:
                sides = join([seen[place][0], sides[0]]), join([seen[place][1], sides[1]])
            seen[place] = sides
            scores[place] = bit_promise(*sides, *point)
    return Screened(pairs[int(np.argmax(scores))], len(seen), subject.spent.calls - before)


def _outputs(subject: Subject, pair: Pair, count: int, stream: int) -> tuple[Observations, Observations]:
    left, right = (
        observe(bare(answers), "exact")
        for answers in subject.answers([plainly(pair.left), plainly(pair.right)], count, stream=stream)
    )
    return left, right
