"""How promising a pair of datasets looks after a few calls: a score that ranks pairs and enters no verdict."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.observations import Observations
from dpcheck.privacy.scores import fit_linear

Floats = NDArray[np.float64]

#: Equal parts in which the outputs are cut: events are the parts, and all outputs beyond a cut.
PARTS = 16
#: Columns looked at one by one; more are seen by their linear score and by the answers themselves.
COLUMNS = 64


def promise(left: Observations, right: Observations, epsilon: float, delta: float) -> float:
    """The most that any simple event speaks against (epsilon, delta), in nats; it ranks, and proves nothing.

    Events: parts and tails of each coordinate and of a linear score (fitted on one half, judged on the other), each
    answer, each kind of answer. An event seen k times on one side and l times on the other speaks with the
    log-likelihood ratio of its share k / (k + l) against the largest share the claim allows.

    Parameters
    ----------
    left, right : Observations
        Outputs on the two datasets.
    epsilon, delta : float
        The claim.

    Examples
    --------
    >>> from dpcheck.execution.answers import Answers
    >>> from dpcheck.privacy.observations import observe
    >>> rng = np.random.default_rng(0)
    >>> near, far = (observe(Answers(rng.laplace(gap, size=200)), "real") for gap in (0.0, 4.0))
    >>> again = observe(Answers(rng.laplace(size=200)), "real")
    >>> promise(near, far, 1.0, 0.0) > 10 > promise(near, again, 1.0, 0.0)
    True
    """
    best = max(
        _of_codes(left.tokens, right.tokens, epsilon, delta),
        _of_codes(left.kinds, right.kinds, epsilon, delta),
    )
    width = min(left.columns.shape[1], right.columns.shape[1])
    if width:
        table = np.concatenate([left.columns[:, :width], right.columns[:, :width]])
        sides = np.concatenate([np.ones(len(left), np.int8), np.zeros(len(right), np.int8)])
        if width > 1:
            table = np.column_stack([table[:, :COLUMNS], _cross_fitted(table, sides)])
        best = max(best, _of_columns(table, sides, epsilon, delta))
    return best


def _cross_fitted(table: Floats, sides: NDArray[np.int8]) -> Floats:
    """The linear score of each row, fitted on the rows of the other parity."""
    scored = np.zeros(len(table))
    even = np.arange(len(table)) % 2 == 0
    for fitted, judged in ((even, ~even), (~even, even)):
        count = int(sides[fitted].sum())
        if min(count, int(fitted.sum()) - count) >= 5:
            scored[judged] = fit_linear(table[fitted], sides[fitted]).log_odds(table[judged])
    return scored


def _of_columns(table: Floats, sides: NDArray[np.int8], epsilon: float, delta: float) -> float:
    """The best part or tail of any column: counts of all columns at once."""
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
    charge = delta * rows / 2
    return max(most_said(k, n, epsilon, charge) for k, n in events)


def _of_codes(left: NDArray[np.uint64], right: NDArray[np.uint64], epsilon: float, delta: float) -> float:
    known, places = np.unique(np.concatenate([left, right]), return_inverse=True)
    if len(known) > (len(left) + len(right)) // 2:  # nearly all different: none is an event
        known, places = known[:1], np.zeros(len(left) + len(right), np.int64)
    counts = [np.bincount(part, minlength=len(known)) for part in (places[: len(left)], places[len(left) :])]
    return most_said(counts[0], counts[1], epsilon, delta * len(left))


def most_said(left: NDArray[np.int64], right: NDArray[np.int64], epsilon: float, charge: float) -> float:
    """The largest log-likelihood ratio of either direction, over all events; ``charge`` outputs are delta's."""
    allowed = 1.0 / (1.0 + math.exp(-epsilon))
    best = 0.0
    for more, less in ((left, right), (right, left)):
        hits = np.maximum(more - charge, 0.0)
        seen = hits + less
        share = (hits + 0.5) / (seen + 1.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            nats = seen * (share * np.log(share / allowed) + (1 - share) * np.log((1 - share) / (1 - allowed)))
        best = max(best, float(np.where(share > allowed, nats, 0.0).max(initial=0.0)))
    return best
