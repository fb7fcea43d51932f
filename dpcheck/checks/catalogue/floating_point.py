"""The doubles that come out, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from dpcheck.checks.defects import must_fail
from dpcheck.checks.judgement import behaviour, judged_claim
from dpcheck.checks.needs import a_claim, needs
from dpcheck.checks.outcome import Outcome, not_applicable, passed
from dpcheck.checks.screening import Screened, most_promising
from dpcheck.checks.situations import plainly
from dpcheck.checks.subject import LEAST_SHARED_CALLS, Subject
from dpcheck.execution.answers import Portrait, Raised
from dpcheck.model.data import record_at, remove_record, replace_record
from dpcheck.model.data.rows import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.neighbours import Pair, Relation, describe_change
from dpcheck.model.neighbours.pairs import differing_rows
from dpcheck.model.verdict import Status, Verdict
from dpcheck.privacy.run.question import first_candidates

#: Of the subject's own pairs so many, with half of the calls.
OWN_PAIRS = 2
#: Of each small size so many pairs. Bits tell most where there is least noise on top of them, of one to three records,
#: and between flat and steep pieces of a density, which so few records make; ten alike make a piece that is steeper.
PAIRS_OF_A_SIZE, SMALL_SIZES = 4, (1, 2, 3, 10)
#: Small pairs are screened with this part of an audit's calls, and the most promising has an audit of its own.
SCREENED_PART = 0.8


@must_fail("zoo:laplace_in_floats")
@needs(a_claim)
def check_floating_point(subject: Subject) -> Outcome:
    """No breach of the claim is found in the bits of the doubles that come out, on small datasets and usual ones."""
    given = subject.answers([plainly(subject.pair.left)])[0]
    values = [value for value in given.values if not isinstance(value, Raised)]
    if not values:
        return not_applicable("it gives no answer")
    if not any(map(_holds_floats, values)):
        return passed("its outputs hold no floating-point numbers")
    own, small = subject.pairs[:OWN_PAIRS], small_pairs(subject)
    verdicts: list[Verdict] = []
    screened: Screened | None = None
    if small:
        calls = int(SCREENED_PART * subject.question.max_samples)
        screened = most_promising(subject, small, calls)
        verdicts.append(subject.audit(pairs=[screened.best], numerics="exact", share=0.5))
    if not verdicts or verdicts[0].status is not Status.VIOLATED:
        few = None if not small else max(LEAST_SHARED_CALLS, subject.question.max_samples // 2)
        verdicts.append(subject.audit(pairs=own, numerics="exact", share=0.5 if small else 1.0, calls=few))
    bad = [verdict for verdict in verdicts if verdict.status is Status.VIOLATED]
    said = bad[0] if bad else verdicts[-1]
    # a refusal of small datasets is no breach, but too few calls on them are no pass
    if not bad and screened is not None and verdicts[0].status is not Status.NO_VIOLATION_FOUND:
        said = said if _refused(subject, screened.best) else verdicts[0]
    judged = judged_claim(
        said,
        about=f"the claim in the bits of the outputs on {_words(subject, screened)}, the only ones looked at",
        broken="the claim is broken by the low-order bits of the outputs",
        hint="noise in doubles gives away what it was added to (Mironov 2012): round to a grid that does not depend on "
        "the data, or use discrete noise; where the claim is about real numbers, announce it as an expected failure",
    )
    if judged.evidence is None or bad or not small or verdicts[0].status is not Status.NO_VIOLATION_FOUND:
        return judged
    seen = verdicts[0]
    return replace(
        judged,
        sentence=f"{judged.sentence}; on the small one, {seen.samples:,} calls, one of "
        f"{seen.detectable_epsilon:.2g} in {seen.detectable_coverage:.2g} would have",
    )


def _refused(subject: Subject, pair: Pair) -> bool:
    return all(behaviour(subject, side).always_raises for side in (pair.left, pair.right))


def small_pairs(subject: Subject) -> list[Pair]:
    """Neighbours of one to ten records inside the claim's domain: of declared records, else cut from the subject's.

    None where pairs were given on the user's word: which others are neighbours is not known.
    """
    if subject.relation is None:
        return []
    found: list[Pair] = []
    for size in SMALL_SIZES:
        if subject.allows_size(size):
            found += list(_pairs_of(subject, subject.relation, size))[:PAIRS_OF_A_SIZE]
    return found


def _pairs_of(subject: Subject, relation: Relation, size: int) -> Sequence[Pair]:
    if relation.records is not None:
        try:
            found = first_candidates(_sized(relation, size), subject.question.limits.seed)[: PAIRS_OF_A_SIZE // 2]
            inner = list(inner_pairs(relation, found))
            return [*found[:1], *inner[:1], *found[1:], *inner[1:]]
        except (InvalidArgument, TypeError):  # declared in part, or of a size that is not its to set
            pass
    return tuple(_cut(subject, relation, size))


def _sized(relation: Relation, size: int) -> Relation:
    return cast(Relation, replace(cast(Any, relation), size=size))


def _cut(subject: Subject, relation: Relation, size: int) -> Iterator[Pair]:
    """The subject's own pairs without all but a few records, where what is left are neighbours."""
    for pair in subject.pairs[:PAIRS_OF_A_SIZE]:
        if size_of(pair.left) != size_of(pair.right) or size_of(pair.left) <= size:
            continue
        rows = differing_rows(pair.left, pair.right)
        if not 0 < len(rows) <= size:
            continue
        left, right = pair.left, pair.right
        kept = [*rows, *(row for row in range(size_of(left)) if row not in rows)][:size]
        for row in reversed(range(size_of(left))):
            if row not in kept:
                left, right = remove_record(left, row), remove_record(right, row)
        if relation.distance_problem(left, right) is None:
            yield Pair(left, right, describe_change(left, right) or pair.change)


def inner_pairs(relation: Relation, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Pairs with a record inside the domain: at the middle of what it was and became, and at three tenths of the way.

    A half has few bits and three tenths has many, and both part the domain into pieces.
    """
    for pair in pairs:
        if relation.records is None or size_of(pair.left) != size_of(pair.right):
            continue
        rows = differing_rows(pair.left, pair.right)
        if len(rows) != 1:
            continue
        before, after = (record_at(data, rows[0]) for data in (pair.left, pair.right))
        try:
            left, right = (replace_record(pair.left, rows[0], _between(before, after, share)) for share in (0.5, 0.3))
            records = [record_at(side, rows[0]) for side in (left, right)]
        except (InvalidArgument, TypeError, ValueError):  # words, or arrays of whole numbers that hold no halves
            continue
        change = describe_change(left, right)
        if change and all(map(relation.records.contains, records)) and relation.distance_problem(left, right) is None:
            yield Pair(left, right, change)


def _between(before: Any, after: Any, share: float) -> Any:
    """A record so far from one to another: its numbers, while a label stays."""
    if isinstance(before, tuple) and len(before) == 2:
        return _between(before[0], after[0], share), before[1]
    if isinstance(before, list | tuple):
        return type(before)(_between(one, other, share) for one, other in zip(before, after, strict=True))
    return before * (1 - share) + after * share


def _words(subject: Subject, screened: Screened | None) -> str:
    """The pairs that are looked at, in words."""
    own = len(subject.pairs[:OWN_PAIRS])
    shown = f"{own} pair{'s' if own > 1 else ''} of its usual size"
    if screened is None:
        return shown
    sizes = sorted({size_of(screened.best.left), size_of(screened.best.right)})
    small = f"one of {' and '.join(map(str, sizes))} record{'s' if sizes != [1] else ''}"
    if not screened.calls:
        return f"{shown} and {small}"
    return f"{shown} and {small} (of {screened.pairs} small ones, by {screened.calls:,} calls, the most promising)"


def _holds_floats(value: object) -> bool:
    import numpy as np

    if isinstance(value, list | tuple):
        return any(map(_holds_floats, value))
    if isinstance(value, dict):
        return any(map(_holds_floats, value.values()))
    if type(value) is Portrait:
        return any(_holds_floats(part) for _, part in value.parts)
    return np.asarray(value).dtype.kind in "fcO"
