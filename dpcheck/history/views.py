"""Views of outputs: learned once, then fixed, so that the same events can be counted on fresh outputs for years."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpcheck.history.baseline import View
from dpcheck.history.cuts import just_above, just_below
from dpcheck.privacy.statistics.bank import Bins
from dpcheck.privacy.statistics.evidence import graded_epsilon_lower
from dpcheck.privacy.statistics.game import Batch, Shape
from dpcheck.privacy.statistics.horizon import Plan, learn_plan
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.scores import LinearScore, fit_linear

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Coordinates looked at one by one; those beyond are part of the score of all.
MOST_COLUMNS = 12
#: Views kept, and the kind of answer beside them: a leak may move to another place, but a file is to be read.
MOST_VIEWS = 5
#: Bins of a view of numbers, about as many again as its event needs.
MOST_BINS = 16
#: Answers told apart, the most frequent ones.
MOST_ANSWERS = 48


def learn_views(batch: Batch, shape: Shape, delta: float, level: float, calls: int) -> tuple[View, ...]:
    """The views that tell the two datasets apart best, the best one first, its guesses the event to count.

    Parameters
    ----------
    batch : Batch
        Outputs that are learned from, and never counted.
    shape : Shape
        What outputs look like.
    delta, level : float
        Of the statement to come.
    calls : int
        How many calls will be counted.
    """
    found: list[tuple[float, View]] = []
    width = min(shape.columns, batch.seen.columns.shape[1])
    for column in range(min(width, MOST_COLUMNS)):
        name = shape.name(column)
        plan = _plan_of(batch, batch.seen.columns[:, column], name, shape, delta, level, calls)
        view = _view(plan, batch, name, column, None)
        found.append((plan.predicted, view))
        if view.kind != "number":  # answers may all be others one day, by their type alone
            found.append((-math.inf, _number(batch.seen.columns[:, column], name, column)))
    if width > 1:
        half = len(batch.coins) // 2
        first, second = _rows(batch, slice(None, half)), _rows(batch, slice(half, None))
        if min(first.coins.sum(), half - first.coins.sum()) > width:
            score = fit_linear(first.seen.columns[:, :width], first.coins)
            name = "a linear score of all coordinates"
            values = score.log_odds(second.seen.columns)
            plan = _plan_of(second, values, name, shape, delta, level, calls)
            found.append((plan.predicted, _view(plan, second, name, -1, score)))
    if width == 0:
        plan = learn_plan(batch, replace(shape, columns=0, names=(), shares=()), delta, level, calls, boosted=False)
        found.append((plan.predicted, _view(plan, batch, "the answer", -1, None)))
    # the same answers seen beside each column are one view
    best = {view: predicted for predicted, view in sorted(found, key=lambda one: one[0])}
    ranked = sorted(best, key=lambda view: (-best[view], view.what))
    kept = ranked[:MOST_VIEWS]
    return tuple(kept if any(view.kind == "form" for view in kept) else [*kept, _forms(batch)])


def _forms(batch: Batch) -> View:
    """Which kind of answer it is, where that tells nothing: it may some day, by a type or a length."""
    known = np.unique(batch.seen.kinds)
    known, guesses = _frequent(batch.seen.kinds, known, np.zeros(len(known) + 1, dtype=np.int_))
    answers = tuple(f"{int(token):016x}" for token in known)
    bins = (0,) * (len(known) + 1)
    return View("the kind of answer", "form", -1, (), (), answers, tuple(guesses), bins, bins)


def _number(values: Floats, name: str, column: int) -> View:
    """The number itself, where what tells the datasets apart is which answer it is."""
    finite = np.unique(values[np.isfinite(values)])
    gaps = np.unique(np.linspace(0, max(len(finite) - 1, 0), MOST_BINS - 1).astype(np.int64))
    edges = tuple(_short(float(0.5 * finite[gap - 1] + 0.5 * finite[gap]), finite) for gap in gaps if gap)
    edges, guesses = _with_ends(edges, [0] * (len(edges) + 2), values)
    bins = (0,) * (len(edges) + 2)
    return View(name, "number", column, edges, (), (), tuple(guesses), bins, bins)


def _plan_of(batch: Batch, values: Floats, name: str, shape: Shape, delta: float, level: float, calls: int) -> Plan:
    """The best plan on one number of the output, or on which answer it is."""
    seen = replace(batch.seen, columns=values[:, None], plain=None)
    alone = Shape(1, shape.repeats, shape.others, (name,), (1.0,))
    return learn_plan(Batch(seen, batch.coins), alone, delta, level, calls, boosted=False)


def _rows(batch: Batch, rows: slice) -> Batch:
    seen = batch.seen
    answers = seen.answers[rows]  # the words of a kind are those of one of its answers
    kept = Observations(seen.columns[rows], seen.tokens[rows], answers, seen.kinds[rows], packed=seen.packed)
    return Batch(kept, batch.coins[rows])


def _view(plan: Plan, batch: Batch, name: str, column: int, score: LinearScore | None) -> View:
    lens, guesses = plan.lens, np.sign(plan.weights).astype(int)
    if lens.bins is None:
        tokens = batch.seen.kinds if lens.of_forms else batch.seen.tokens
        known, kept = _frequent(tokens, lens.known, guesses)
        bins = (0,) * (len(known) + 1)
        kind = "form" if lens.of_forms else "answer"
        answers = tuple(f"{int(token):016x}" for token in known)
        view = View(lens.name, kind, -1, (), (), answers, tuple(kept), bins, bins)
    else:
        values = score.log_odds(batch.seen.columns) if score is not None else batch.seen.columns[:, column]
        edges, kept = _merged(lens.bins.edges, guesses, values)
        edges, kept = _with_ends(edges, kept, values)
        bins = (0,) * (len(edges) + 2)
        parts: tuple[tuple[float, ...], ...] = ()
        if score is not None:
            parts = tuple(tuple(map(float, part)) for part in (score.centre, score.spread, score.slope))
            parts += ((float(score.offset),),)
        kind = "number" if score is None else "score"
        view = View(name, kind, column if score is None else -1, edges, parts, (), tuple(kept), bins, bins)
    return view


def _frequent(
    tokens: NDArray[np.uint64], known: NDArray[np.uint64], guesses: NDArray[np.int_]
) -> tuple[NDArray[np.uint64], list[int]]:
    """The most frequent of the known answers, sorted, with their guesses and that of all others."""
    place = np.minimum(np.searchsorted(known, tokens), max(len(known) - 1, 0))
    hit = known[place] == tokens if len(known) else np.zeros(len(tokens), bool)
    times = np.bincount(place[hit], minlength=len(known))
    kept = np.sort(np.argsort(-times, kind="stable")[:MOST_ANSWERS])
    other = int(guesses[-1]) if len(kept) == len(known) else 0
    return known[kept], [*guesses[kept].tolist(), other]


def _merged(edges: Floats, guesses: NDArray[np.int_], values: Floats) -> tuple[tuple[float, ...], list[int]]:
    """Fewer bins: those where the guess changes, and quantiles between them; guesses of each."""
    inside = guesses[:-1]
    changes = {float(edge) for edge in edges[inside[1:] != inside[:-1]]}
    if len(changes) > 2 * MOST_BINS:  # a rule that changes its mind so often has learned noise: its outermost changes
        ordered = sorted(changes)
        changes = {*ordered[:MOST_BINS], *ordered[-MOST_BINS:]}
    finite = np.sort(values[np.isfinite(values)])
    wanted = set(changes)
    if len(finite) and len(edges):
        for quantile in np.linspace(0.0, 1.0, MOST_BINS + 1)[1:-1]:
            value = finite[min(int(quantile * len(finite)), len(finite) - 1)]
            wanted.add(float(edges[np.argmin(np.abs(edges - value))]))
    kept = np.array(sorted(wanted), dtype=np.float64)
    shown = np.unique([_short(edge, finite) for edge in kept])
    # the guess of a merged bin is that of the fine bin at its lower end
    lower = np.searchsorted(edges, kept, side="left") + 1
    kept = shown if len(shown) == len(kept) else kept
    return tuple(kept.tolist()), [int(inside[0]), *inside[lower].tolist(), int(guesses[-1])]


def _with_ends(edges: tuple[float, ...], guesses: list[int], values: Floats) -> tuple[tuple[float, ...], list[int]]:
    """A bin of their own for numbers beyond all that were seen: a rare leak lands where nothing ever did."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return edges, guesses
    low, high = just_below(float(finite.min())), just_above(float(finite.max()))
    if not edges or low < edges[0]:
        edges, guesses = (low, *edges), [guesses[0], *guesses]
    if edges[-1] < high:
        edges, guesses = (*edges, high), [*guesses[:-1], guesses[-2], guesses[-1]]
    return edges, guesses


def _short(edge: float, values: Floats) -> float:
    """The edge with fewer digits to read, where no value that was seen lies between."""
    short = float(f"{edge:.5g}")
    return short if np.searchsorted(values, short) == np.searchsorted(values, edge) else float(edge)


def places_of(view: View, seen: Observations) -> Integers:
    """The bin of each output; outputs without such a number are in the last one.

    Parameters
    ----------
    view : View
    seen : Observations of n outputs

    Returns
    -------
    integers, shape (n,)
    """
    if view.kind in ("answer", "form"):
        known = np.array([int(answer, 16) for answer in view.answers], dtype=np.uint64)
        tokens = seen.kinds if view.kind == "form" else seen.tokens
        if not len(known):
            return np.zeros(len(tokens), dtype=np.int64)
        place = np.minimum(np.searchsorted(known, tokens), len(known) - 1)
        return np.where(known[place] == tokens, place, len(known)).astype(np.int64)
    if view.kind == "score":
        centre, spread, slope, (offset,) = view.score
        width = len(centre)
        columns = np.full((len(seen), width), np.nan)
        shared = min(width, seen.columns.shape[1])
        columns[:, :shared] = seen.columns[:, :shared]
        values = LinearScore(np.array(centre), np.array(spread), np.array(slope), offset).log_odds(columns)
    elif view.column < seen.columns.shape[1]:
        values = seen.columns[:, view.column]
    else:
        values = np.full(len(seen), np.nan)
    return Bins(np.array(view.edges, dtype=np.float64)).place(values)


def counts_per_bin(view: View, batch: Batch) -> Integers:
    """Outputs per bin on D' and on D, shape (bins, 2)."""
    bins = len(view.guesses)
    table = np.bincount(places_of(view, batch.seen) * 2 + batch.coins, minlength=2 * bins)
    return table.reshape(bins, 2).astype(np.int64)


def table_of(view: View) -> Integers:
    """The counts of a view as :func:`counts_per_bin` gives them."""
    return np.stack([np.array(view.on_right), np.array(view.on_left)], axis=1).astype(np.int64)


def with_counts(view: View, table: Integers) -> View:
    """The view with these counts.

    >>> import numpy as np
    >>> view = View("output", "number", 0, (0.5,), (), (), (-1, 1, 0), (), ())
    >>> with_counts(view, np.array([[3, 1], [1, 3], [0, 0]])).on_left
    (1, 3, 0)
    """
    return replace(view, on_left=tuple(table[:, 1].tolist()), on_right=tuple(table[:, 0].tolist()))


def right_and_wrong(guesses: Sequence[int], table: Integers) -> tuple[int, int]:
    """Right and wrong guesses: D is right for outputs on D.

    >>> import numpy as np
    >>> right_and_wrong((-1, 1, 0), np.array([[3, 1], [1, 4], [9, 9]]))
    (7, 2)
    """
    signs = np.asarray(guesses)
    left, right = table[signs > 0], table[signs < 0]
    return int(left[:, 1].sum() + right[:, 0].sum()), int(left[:, 0].sum() + right[:, 1].sum())


def certified_epsilon(guesses: Sequence[int], table: Integers, delta: float, level: float) -> float:
    """The lower bound on epsilon at ``delta`` that guesses fixed beforehand certify from these counts.

    >>> import numpy as np
    >>> 0.9 < certified_epsilon((-1, 1, 0), np.array([[30_000, 10_000], [10_000, 30_000], [0, 0]]), 0.0, 1e-6) < 1.1
    True
    """
    signs = np.asarray(guesses)
    correct, wrong = right_and_wrong(guesses, table)
    if correct + wrong == 0:
        return 0.0
    one_sided = not ((signs > 0).any() and (signs < 0).any())
    return graded_epsilon_lower(
        np.array([1]),
        np.array([correct]),
        np.array([wrong]),
        level,
        calls=int(table.sum()),
        delta=delta,
        share=0.5 if one_sided and delta > 0.0 else 1.0,
    )
