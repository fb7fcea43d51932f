"""How promising a pair of datasets looks after a few calls: the leak they show, which ranks pairs and no more."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.evidence import EPSILON_CEILING
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.scores import fit_linear

Floats = NDArray[np.float64]
#: Events: how often each was seen on the side it is likelier on, and on the other.
Event = tuple[Floats, Floats]

#: Equal parts in which the outputs are cut: events are the parts, and all outputs beyond a cut.
PARTS = 16
#: Columns looked at one by one; more are seen by their linear score and by the answers themselves.
COLUMNS = 64
#: An event shows the largest leak that it speaks against with so many nats: 1.4 standard errors below the counts.
#: With more, rare events of large leaks are passed over for frequent ones that keep the claim; with fewer, luck wins.
NATS = 1.0
#: How exactly the leak is found.
PRECISION = 1e-3


@dataclass(frozen=True)
class Numbers:
    """The numbers of both sides: columns, of several their linear score as the last (fitted on one half, judged on the
    other), and 1 for each row of the left dataset."""

    table: Floats
    sides: NDArray[np.int8]


def numbers_of(left: Observations, right: Observations) -> Numbers:
    """What is looked at in the numbers of outputs: computed once, however many questions are asked of it."""
    width = min(left.columns.shape[1], right.columns.shape[1])
    table = np.concatenate([left.columns[:, :width], right.columns[:, :width]])
    sides = np.concatenate([np.ones(len(left), np.int8), np.zeros(len(right), np.int8)])
    if width > 1:
        table = np.column_stack([table[:, :COLUMNS], _cross_fitted(table, sides)])
    return Numbers(table, sides)


def promise(left: Observations, right: Observations, delta: float, numbers: Numbers | None = None) -> float:
    """The largest epsilon at this delta that any simple event shows, with its uncertainty; it proves nothing.

    Events: parts and tails of each coordinate and of a linear score (fitted on one half, judged on the other), each
    answer, each kind of answer. An event seen k times on one side and l times on the other shows the epsilon against
    which the share k / (k + l) speaks with one nat, so that of two alike the one seen more often shows more. Nothing
    is measured against the claim: where it is kept no pair would show anything, and chance would rank them.

    Parameters
    ----------
    left, right : Observations
        Outputs on the two datasets, equally many.
    delta : float
        The claim's.
    numbers : Numbers, optional
        Those of ``left`` and ``right``, where they are known.

    Examples
    --------
    >>> from dpcheck.execution.answers import Answers
    >>> from dpcheck.privacy.statistics.observations import observe
    >>> rng = np.random.default_rng(0)
    >>> near, far = (observe(Answers(rng.laplace(gap, size=200)), "real") for gap in (0.0, 1.0))
    >>> again = observe(Answers(rng.laplace(size=200)), "real")
    >>> promise(near, far, 0.0) > 0.6 > promise(near, again, 0.0)
    True
    """
    events = simple_events(left, right, delta, numbers)
    if not events:
        return 0.0
    return _largest_epsilon(np.concatenate([more for more, _ in events]), np.concatenate([less for _, less in events]))


def separation(numbers: Numbers) -> float:
    """How far apart the outputs of two datasets are on the whole: standard errors by which their ranks differ.

    A few calls measure this better than what any event shows, so that of pairs that shift numbers by more and by less
    the right ones are looked at longer. It sees the single column, or the linear score of several; 0 where there are
    no numbers.

    Examples
    --------
    >>> from dpcheck.execution.answers import Answers
    >>> from dpcheck.privacy.statistics.observations import observe
    >>> rng = np.random.default_rng(0)
    >>> near, far = (observe(Answers(rng.laplace(gap, size=200)), "real") for gap in (0.0, 1.0))
    >>> separation(numbers_of(near, far)) > 4.0, separation(numbers_of(near, near))
    (True, 0.0)
    """
    if not numbers.table.size:
        return 0.0
    known = ~np.isnan(numbers.table[:, -1])
    ranks, sides = mean_ranks(numbers.table[known, -1]), numbers.sides[known]
    more, less = ranks[sides == 1], ranks[sides == 0]
    if not len(more) or not len(less) or (spread := float(ranks.std())) == 0.0:
        return 0.0
    return abs(float(more.mean() - less.mean())) / (spread * math.sqrt(1.0 / len(more) + 1.0 / len(less)))


def mean_ranks(values: Floats) -> Floats:
    """The rank of each value, from 1; equal ones share theirs.

    As ``scipy.stats.rankdata``, which takes half a second to be imported, in every process that searches.

    >>> mean_ranks(np.array([0.5, 0.1, 0.5])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - 0.5 * (counts - 1))[place])


def simple_events(left: Observations, right: Observations, delta: float, numbers: Numbers | None = None) -> list[Event]:
    """The events that :func:`promise` looks at, in both directions."""
    events = [*_of_codes(left.tokens, right.tokens, delta), *_of_codes(left.kinds, right.kinds, delta)]
    numbers = numbers_of(left, right) if numbers is None else numbers
    return events + (_of_columns(numbers.table, numbers.sides, delta) if numbers.table.shape[1] else [])


def _cross_fitted(table: Floats, sides: NDArray[np.int8]) -> Floats:
    """The linear score of each row, fitted on the rows of the other parity."""
    scored = np.zeros(len(table))
    even = np.arange(len(table)) % 2 == 0
    for fitted, judged in ((even, ~even), (~even, even)):
        count = int(sides[fitted].sum())
        if min(count, int(fitted.sum()) - count) >= 5:
            scored[judged] = fit_linear(table[fitted], sides[fitted]).log_odds(table[judged])
    return scored


def _of_columns(table: Floats, sides: NDArray[np.int8], delta: float) -> list[Event]:
    """The parts and tails of all columns."""
    rows, width = table.shape
    order = np.argsort(table, axis=0, kind="stable")  # NaN last: a part of its own where there are many
    ordered = np.take_along_axis(table, order, axis=0)
    # a part begins at an equal share of the rows, or with the next different value: ties are never cut
    starts = np.unique(np.linspace(0, rows, PARTS + 1).astype(np.int64)[1:-1])
    part = np.zeros((rows, width), np.int64)
    if len(starts):
        fresh = np.ones((rows, width), bool)
        fresh[1:] = (ordered[1:] != ordered[:-1]) & ~(np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
        run = np.maximum.accumulate(np.where(fresh, np.arange(rows)[:, None], 0), axis=0)  # start of the run of ties
        part = np.searchsorted(starts, run, side="right")
    codes = part + (PARTS + 1) * np.arange(width)
    seen = sides[order]
    shape = (width, PARTS + 1)
    left = np.bincount(codes[seen == 1], minlength=width * (PARTS + 1)).reshape(shape)
    right = np.bincount(codes[seen == 0], minlength=width * (PARTS + 1)).reshape(shape)
    total_left, total_right = left.sum(axis=1, keepdims=True), right.sum(axis=1, keepdims=True)
    below_left, below_right = np.cumsum(left, axis=1), np.cumsum(right, axis=1)
    events = [(left, right), (below_left, below_right), (total_left - below_left, total_right - below_right)]
    return [both for k, n in events for both in either_way(k.ravel(), n.ravel(), delta * rows / 2)]


def _of_codes(left: NDArray[np.uint64], right: NDArray[np.uint64], delta: float) -> list[Event]:
    known, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    if len(known) > (len(left) + len(right)) // 2:  # nearly all different: none is an event
        return []
    counts = [np.bincount(part, minlength=len(known)) for part in (places[: len(left)], places[len(left) :])]
    return either_way(counts[0], counts[1], delta * len(left))


def either_way(left: NDArray[np.int64], right: NDArray[np.int64], charge: float) -> list[Event]:
    """Events in both directions: how often on the likelier side, less what is delta's, and on the other."""
    return [
        (np.asarray(np.maximum(more - charge, 0.0), dtype=np.float64), less.astype(np.float64))
        for more, less in ((left, right), (right, left))
    ]


def _largest_epsilon(more: Floats, less: Floats) -> float:
    """The largest epsilon that any of these events shows."""
    low, high = -PRECISION, EPSILON_CEILING
    while high - low > PRECISION:
        epsilon = 0.5 * (low + high) if low >= 0.0 else 0.0
        speaks = said(more, less, epsilon) >= NATS
        if speaks.any():
            low, more, less = epsilon, more[speaks], less[speaks]
        elif low < 0.0:
            return 0.0
        else:
            high = epsilon
    return low


def said(more: Floats, less: Floats, epsilon: float) -> Floats:
    """How much each event speaks against epsilon: the log-likelihood ratio (nats) of its share, 0 where it does not."""
    allowed = 1.0 / (1.0 + math.exp(-epsilon))
    seen = more + less
    share = (more + 0.5) / (seen + 1.0)
    with np.errstate(divide="ignore"):  # beyond an epsilon of 36 the share allowed is 1 in doubles
        nats = seen * (share * np.log(share / allowed) + (1.0 - share) * np.log((1.0 - share) / (1.0 - allowed)))
    return np.where(share > allowed, nats, 0.0)
