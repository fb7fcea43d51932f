"""Fixed horizon: a rule chosen on a first part of the calls, certified once, exactly, on the rest.

The first part may be looked at in any way. On the rest the outputs go into one histogram; from it come the bound on
epsilon (one statement at alpha) and, as a second statement at alpha of its own, a simultaneous region for the
probabilities of nested events, from which the privacy profile and the trade-off curve follow at every point.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.additive import fit_additive
from dpcheck.privacy.statistics.bank import (
    MAX_ANSWERS,
    SCORE_EDGES,
    Bins,
    Floats,
    Integers,
    centres_of,
    fit_bins,
    posteriors,
    repeated_values,
    value_sums,
    words_of,
)
from dpcheck.privacy.statistics.evidence import NUISANCE_SHARE, Graded, binomial_upper, staged_epsilon_lower
from dpcheck.privacy.statistics.game import Batch, Shape
from dpcheck.privacy.statistics.kinds import named_answers, told_kinds, with_kinds
from dpcheck.privacy.statistics.observations import Observations
from dpcheck.privacy.statistics.scores import Score, fit_boosted, fit_scores, score_names
from dpcheck.privacy.statistics.smooth import Curve, Kind, fit_curve, fit_curves, shrunk_answers
from dpcheck.privacy.statistics.sparse import NAMES, Parts, TakenApart, beside, fit_parts, fit_parts_score, part_names

#: A part of what was learned from: one of two halves, or both.
Half = Literal["one", "two", "whole"]

#: Integer weights of graded guesses: finer ones gain nothing measurable.
WEIGHTS = 8
#: Nested events of the simultaneous region: enough for a smooth curve, few enough for the union bound.
EVENTS = 24
#: Candidates for the epsilon that a graded rule is made for.
AIMS: Floats = np.concatenate([np.arange(0.0, 1.0, 0.01), np.arange(1.0, 12.0, 0.1)])
#: Rates of right guesses that are closer than this are one: of aims that rounding alone tells apart the first is taken.
STEP = (0.5 - 1e-12) / 2.0**40
#: Tables tried for numbers and for other answers.
TABLES = (
    "linear",
    "line",
    "cubic",
    "broken line",
    "blunt line",
    "rising",
    "falling",
    "parts-8",
    "parts-32",
    "parts-128",
)
SCORE_TABLES = ("score", "line", "cubic", "broken line", "blunt line", "rising", "parts-8", "parts-32")
FEW_TABLES = ("linear", "line", "cubic", "broken line", "blunt line", "rising", "falling", "parts-8")
ANSWER_TABLES = ("each", "shrunk")
#: Tables with standard errors: what is expected of them is read from the table, less some of those.
CURVES = ("line", "cubic", "broken line", "blunt line", "shrunk")
#: Standard errors by which right guesses may fall short of what the linear table predicts before it is dropped.
CREDIBLE = 3.0
#: Past outputs that boosted trees are fitted to at most.
MOST_BOOSTED = 20_000
#: Answers told apart one by one, at most.
MOST_ANSWERS = 2048
#: Answers that were all seen, this often each on average, say by themselves all that there is to say.
OFTEN = 500
#: Outputs on each dataset from which codes are looked at by themselves.
LEAST_APART = 50
#: Tables whose held-out log-loss is within this many nats of the best are judged by the bound they promise.
CLOSE = 3.0
#: The normal laws may lose so many nats where delta asks for rare events: a curve of two parameters more wins three in
#: every twentieth sample of normal outputs, and bends where nothing is known.
CLOSE_NORMAL = 10.0
#: The top level of graded guesses holds at least this many outputs: each level is charged for delta by itself.
TOP_LEVEL_OUTPUTS = 60
#: The probability of being more than one standard error below the mean.
ONE_STANDARD_ERROR = 0.16
#: Standard errors held against what was learned: of one number (small losses need them: many aims and tables are tried
#: on it), of a score of all coordinates, of one lens among some, and how many more for each e-fold of those: the best
#: of many is the luckiest.
CAUTION_ALONE, CAUTION_SCORE, CAUTION, CAUTION_PER_LENSES = 3.0, 0.5, 0.5, 0.4


@dataclass(frozen=True)
class Lens:
    """How outputs are told apart: one feature of the output and its bins; ``names`` are words for known tokens."""

    name: str
    column: int | None
    score: Score | None
    bins: Bins | None
    known: NDArray[np.uint64]
    of_forms: bool = False
    names: Mapping[int, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The number of bins."""
        return self.bins.count if self.bins is not None else len(self.known) + 1

    def histogram(self, seen: Observations, coins: NDArray[np.int8]) -> tuple[Integers, Floats]:
        """Outputs per bin on D' and on D, shape (B, 2), and the sum of values per bin."""
        values = self._values(seen)
        if values is None or self.bins is None:
            tokens = seen.kinds if self.of_forms else seen.tokens
            place = np.minimum(np.searchsorted(self.known, tokens), max(len(self.known) - 1, 0))
            hit = self.known[place] == tokens if len(self.known) else np.zeros(len(seen), bool)
            places = np.where(hit, place, len(self.known))
            sums = np.zeros(self.count)
        else:
            places = self.bins.place(values)
            sums = value_sums(places, values, self.count)
        table = np.bincount(places * 2 + coins, minlength=2 * self.count).reshape(self.count, 2)
        return table.astype(np.int64), sums

    def places(self, seen: Observations) -> Integers:
        """The bin of each output."""
        values = self._values(seen)
        if values is not None and self.bins is not None:
            return self.bins.place(values)
        tokens = seen.kinds if self.of_forms else seen.tokens
        place = np.minimum(np.searchsorted(self.known, tokens), max(len(self.known) - 1, 0))
        hit = self.known[place] == tokens if len(self.known) else np.zeros(len(seen), bool)
        return np.where(hit, place, len(self.known)).astype(np.int64)

    def _values(self, seen: Observations) -> Floats | None:
        if self.score is not None:
            return self.score.log_odds(seen.columns)
        if self.column is None:
            return None
        if self.column >= seen.columns.shape[1]:
            return np.full(len(seen), np.nan)
        return seen.columns[:, self.column]


@dataclass(frozen=True)
class Plan:
    """What will be certified: the lens, the posterior of D per bin (for the curve), signed weights per bin."""

    lens: Lens
    posterior: Floats
    weights: NDArray[np.int64]
    share: float
    predicted: float
    table: str


@dataclass(frozen=True)
class Certified:
    """The two statements made from one histogram of ``calls`` outputs, each at level alpha.

    ``epsilon_lower`` at delta; ``false_left`` and ``missed_left`` bound, simultaneously for nested events S, the
    probabilities P(M(D') in S) and P(M(D) not in S) from above.
    """

    epsilon_lower: float
    correct: int
    wrong: int
    calls: int
    events: Floats
    false_left: Floats
    missed_left: Floats


def learn_plan(batch: Batch, shape: Shape, delta: float, alpha: float, remaining: int, *, boosted: bool = True) -> Plan:
    """Choose what to certify from the learning part alone.

    Parameters
    ----------
    batch : Batch
        The learning part.
    shape : Shape
        What outputs look like.
    delta, alpha : float
        Of the statement to come.
    remaining : int
        Calls on which it will be certified.
    boosted : bool
        Whether boosted trees join (where scikit-learn is installed).
    """
    lenses = _lenses(batch, shape, boosted)
    one_number = len(lenses) == 1 and lenses[0][0].bins is not None
    caution = CAUTION_ALONE if one_number else CAUTION + CAUTION_PER_LENSES * math.log(len(lenses))
    pasts = [_past(lens, halves, few=shape.columns > 1) for lens, halves in lenses]
    _fit_curves([(past, table, half) for past in pasts for table in past.tables for half in ("one", "two")])
    close = [_close_tables(past, delta) for past in pasts]
    _fit_curves([(past, table, "whole") for past, tables in zip(pasts, close, strict=True) for table in tables])
    plans = []
    for (lens, _), past, tables in zip(lenses, pasts, close, strict=True):
        goal = Goal(delta, alpha, remaining, caution if lens.score is None else CAUTION_SCORE)
        plans.append(max((_table_plan(table, lens, past, goal) for table in tables), key=lambda plan: plan.predicted))
    return max(plans, key=lambda plan: plan.predicted)


def _lenses(batch: Batch, shape: Shape, boosted: bool) -> list[tuple[Lens, tuple[Integers, Integers, Floats]]]:
    """Every lens with the histograms of two halves of the learning part, each made without looking at itself."""
    seen, coins = batch.seen, batch.coins
    first = np.arange(len(coins)) % 2 == 0
    found: list[tuple[Lens, tuple[Integers, Integers, Floats]]] = []
    nothing = np.zeros(0, np.uint64)

    def add(lens: Lens) -> None:
        one, sums_one = lens.histogram(_part(seen, first), coins[first])
        two, sums_two = lens.histogram(_part(seen, ~first), coins[~first])
        found.append((lens, (one, two, sums_one + sums_two)))

    width = min(shape.columns, seen.columns.shape[1])
    known = _frequent(seen.tokens)
    answers = Lens("the answer", None, None, None, known, names=named_answers(known, seen))
    different = len(answers.known)
    if width > 1 and different < MOST_ANSWERS and different * OFTEN <= len(seen):
        add(answers)  # whatever else could be looked at is a function of it
        return found
    for j in range(width):
        add(Lens(shape.name(j), j, None, fit_bins(seen.columns[:, j]), nothing))
    if shape.others or shape.columns == 0 or shape.repeats:
        add(answers)
    kinds = _frequent(seen.kinds)
    if len(kinds) > 1:
        add(Lens("the kind of answer", None, None, None, kinds, of_forms=True, names=with_kinds({}, seen)))
    if shape.columns > 1:
        columns = seen.columns[:, :width]
        parts = fit_parts(columns[:, : seen.plain])
        whole = _scores(columns, coins, parts, boosted)
        halves = (
            _scores(columns[first], coins[first], parts, boosted),
            _scores(columns[~first], coins[~first], parts, boosted),
        )
        for kind, score in whole.items():
            if kind in halves[0] and kind in halves[1]:  # a half may be too short for some
                lens = Lens("a score of all coordinates", None, score, Bins(SCORE_EDGES), nothing)
                swapped = [Lens(lens.name, None, half[kind], lens.bins, nothing) for half in halves]
                one, sums_one = swapped[1].histogram(_part(seen, first), coins[first])
                two, sums_two = swapped[0].histogram(_part(seen, ~first), coins[~first])
                found.append((lens, (one, two, sums_one + sums_two)))
    return found


def _scores(columns: Floats, coins: NDArray[np.int8], parts: Parts | None, boosted: bool) -> dict[str, Score]:
    """Scores fitted to past outputs, by kind; where codes fill many places, what they are made of is looked at too."""
    left = int(coins.sum())
    least = min(left, len(coins) - left)
    if parts is None or least < LEAST_APART:
        names = score_names(boosted)
        found = dict(zip(names, fit_scores(columns, coins, boosted=boosted, most=MOST_BOOSTED), strict=False))
        return found | {"a sum over coordinates": fit_additive(columns, coins)} if found else found
    linear = fit_scores(columns, coins, boosted=False)
    found = dict(zip(score_names(False), linear, strict=True)) | {NAMES[0]: fit_parts_score(parts, columns, coins)}
    if len(part_names(boosted)) > 1:
        plain = columns[:MOST_BOOSTED, : parts.width]  # derived columns are what the parts say already
        found[NAMES[1]] = TakenApart(parts, fit_boosted(beside(plain, parts), coins[:MOST_BOOSTED]))
    return found


def _frequent(tokens: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The most frequent tokens, sorted."""
    known, times = np.unique(tokens, return_counts=True)
    if len(known) > MOST_ANSWERS:
        known = np.sort(known[np.argsort(-times, kind="stable")[:MOST_ANSWERS]])
    return np.asarray(known)


def _part(seen: Observations, rows: NDArray[np.bool_]) -> Observations:
    return Observations(seen.columns[rows], seen.tokens[rows], [], seen.kinds[rows])


@dataclass(frozen=True)
class Goal:
    """The statement to come: its delta and alpha, the calls it is certified on, and how far past counts are trusted."""

    delta: float
    alpha: float
    remaining: int
    caution: float


@dataclass(frozen=True)
class Past:
    """The learning part in the bins of a lens: histograms of two halves, the mean value per bin, and tables to try.

    ``known`` are the posteriors and curves that were fitted already.
    """

    one: Integers
    two: Integers
    whole: Integers
    centres: Floats
    bins: Bins | None
    tables: tuple[str, ...]
    known: dict[tuple[str, Half], Floats | Curve] = field(default_factory=dict, compare=False)

    def histogram(self, half: Half) -> Integers:
        """One half, or both."""
        return self.one if half == "one" else self.two if half == "two" else self.whole

    def alone(self) -> NDArray[np.bool_]:
        """Which bins have a level of their own in curves."""
        return repeated_values(self.bins) if self.bins is not None else np.zeros(len(self.whole), bool)

    def posterior(self, table: str, half: Half) -> Floats:
        """The probability per bin that the coin chose D, by a table fitted to one of the histograms."""
        if table in CURVES:
            return _probability(self.curve(table, half).log_odds)
        found = self.known.get((table, half))
        if not isinstance(found, np.ndarray):
            found = self.known[table, half] = posteriors(table, self.histogram(half), self.centres)
        return found

    def curve(self, table: str, half: Half) -> Curve:
        """Log-odds per bin and their standard errors."""
        found = self.known.get((table, half))
        if not isinstance(found, Curve):
            histogram = self.histogram(half)
            if table == "shrunk":
                found = shrunk_answers(histogram)
            else:
                found = fit_curve(histogram, self.centres, self.alone(), cast(Kind, table))
            self.known[table, half] = found
        return found


def _past(lens: Lens, halves: tuple[Integers, Integers, Floats], *, few: bool) -> Past:
    one, two, sums = halves
    whole = one + two
    centres = centres_of(lens.bins, whole, sums) if lens.bins is not None else np.full(lens.count, np.nan)
    few_values = lens.bins is None or int((whole.sum(axis=1) > 0).sum()) <= MAX_ANSWERS // 8
    tables: tuple[str, ...] = ANSWER_TABLES if lens.bins is None else FEW_TABLES if few else TABLES
    if lens.score is not None:
        tables = SCORE_TABLES  # a score is log-odds already: no law need be fitted to it
    if few_values and lens.bins is not None:
        tables = (*ANSWER_TABLES, *tables)
    return Past(one, two, whole, centres, lens.bins, tables)


def _fit_curves(wanted: list[tuple[Past, str, Half]]) -> None:
    """Fit smooth curves to the pasts of many lenses at once: one by one most of the time goes into starting."""
    for kind in CURVES[:-1]:
        some = [(past, half) for past, table, half in wanted if table == kind]
        if len(some) < 2:
            continue
        bins = max(len(past.centres) for past, _ in some)
        histograms = np.zeros((len(some), bins, 2), np.int64)
        centres, alone = np.full((len(some), bins), np.nan), np.ones((len(some), bins), bool)
        for row, (past, half) in enumerate(some):
            count = len(past.centres)
            histograms[row, :count], centres[row, :count] = past.histogram(half), past.centres
            alone[row, :count] = past.alone()
        curves = fit_curves(histograms, centres, alone, cast(Kind, kind))
        for (past, half), curve in zip(some, curves, strict=True):
            count = len(past.centres)
            past.known[kind, half] = Curve(curve.log_odds[:count], curve.errors[:count])


def _close_tables(past: Past, delta: float) -> list[str]:
    """The tables whose held-out loss is next to the least."""
    losses = {table: _held_out_loss(table, past) for table in past.tables}
    close = [table for table in past.tables if losses[table] <= min(losses.values()) + CLOSE]
    normal = losses.get("linear", math.inf) <= min(losses.values()) + CLOSE_NORMAL
    if delta > 0.0 and normal and _credible(past.posterior("linear", "whole"), past.whole):
        close = ["linear"]  # only fitted laws reach the rare events that matter here
    return close


def _table_plan(table: str, lens: Lens, past: Past, goal: Goal) -> Plan:
    """The best plan from one table."""
    whole, centres = past.whole, past.centres
    posterior = past.posterior(table, "whole")
    learned, fitted = int(whole.sum()), False
    if table == "linear" and goal.delta > 0.0 and _credible(posterior, whole):
        fitted, mass = True, _normal_mass(whole, centres, lens.bins)  # the fitted laws, not the few past outputs
        prospects = [Prospect(posterior, mass * posterior, mass * (1.0 - posterior))]
    elif table in CURVES and goal.delta == 0.0 and _credible(posterior, whole):
        fitted, mass = True, whole.sum(axis=1) / max(learned, 1)
        curve = past.curve(table, "whole")
        kept = np.maximum(0.0, np.abs(curve.log_odds) - goal.caution * curve.errors)
        sure = _probability(np.sign(curve.log_odds) * kept)
        prospects = [Prospect(posterior, mass * sure, mass * (1.0 - sure))]
    else:
        prospects = [
            Prospect(past.posterior(table, fit), judge[:, 1] / learned, judge[:, 0] / learned)
            for fit, judge in _fits_and_judges(past)
        ]
    weights, share, predicted = _best_weights(posterior, prospects, goal, learned, fitted)
    return Plan(lens, posterior, weights, share, predicted, table)


def _fits_and_judges(past: Past) -> tuple[tuple[Half, Integers], tuple[Half, Integers]]:
    """A half to fit to and the histogram of the other, both ways."""
    return ("one", past.two), ("two", past.one)


@dataclass(frozen=True)
class Prospect:
    """What to expect of weights made from ``posterior``: the probability of each bin jointly with D and with D'."""

    posterior: Floats
    on_left: Floats
    on_right: Floats


def _cap(prospects: list[Prospect], remaining: int) -> float:
    """The log-odds beyond which too few outputs fall to be worth a level of their own."""
    log_odds = np.concatenate([np.abs(_log_odds(prospect.posterior)) for prospect in prospects])
    mass = np.concatenate([prospect.on_left + prospect.on_right for prospect in prospects])
    order = np.argsort(-log_odds, kind="stable")
    reached = int(np.searchsorted(np.cumsum(mass[order]) * remaining, TOP_LEVEL_OUTPUTS))
    return float(log_odds[order[min(reached, len(order) - 1)]])


def _probability(log_odds: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(log_odds, -700.0, 700.0))))


def _log_odds(posterior: Floats) -> Floats:
    p = np.clip(posterior, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(p / (1 - p)))


def _one_sided(posterior: Floats, side: int) -> Floats:
    log_odds = _log_odds(posterior)
    return side * np.maximum(side * log_odds, 0.0) if side else log_odds


def _weights(posterior: Floats, levels: int, side: int, cap: float, aim: float) -> Floats:
    """Signed integer weights per bin: by log-odds beyond the aim, up to the cap."""
    log_odds = _one_sided(posterior, side)
    excess = np.maximum(0.0, np.minimum(np.abs(log_odds), cap) - aim)
    top = excess.max()
    return np.asarray(np.sign(log_odds) * np.ceil(levels * excess / (top if top > 0 else 1.0) - 1e-9))


def _reached(prospect: Prospect, levels: int, side: int, cap: float) -> tuple[Floats, Floats, Integers]:
    """What has at least each level of :func:`_weights`, for all aims: shape (levels + 1, aims), none above the last.

    The probability of these bins, that of a right guess there, and how many of them have any probability. Bins in the
    order of their log-odds are gone through once, whatever the number of aims.
    """
    log_odds = _one_sided(prospect.posterior, side)
    size = np.minimum(np.abs(log_odds), cap)
    order = np.argsort(-size, kind="stable")
    mass = (prospect.on_left + prospect.on_right)[order]
    right = np.where(log_odds > 0, prospect.on_left, prospect.on_right)[order]
    top = np.maximum(0.0, size[order[0]] - AIMS)
    least = AIMS + top * ((np.arange(float(levels)) + 1e-9) / levels)[:, None]
    count = len(size) - np.searchsorted(size[order[::-1]], least, side="right")
    count = np.concatenate([count, np.zeros((1, len(AIMS)), count.dtype)])
    sums = [np.concatenate([[0], np.cumsum(some)])[count] for some in (mass, right, mass > 0)]
    return sums[0], sums[1], sums[2]


def _best_weights(
    posterior: Floats, prospects: list[Prospect], goal: Goal, learned: int, fitted: bool
) -> tuple[NDArray[np.int64], float, float]:
    """The weights per bin that maximise the expected bound, their share of delta, and that bound."""
    best: tuple[NDArray[np.int64], float, float] = (np.zeros(len(posterior), np.int64), 1.0, -1.0)
    # Each level is charged for delta by itself, so that few levels are better the more delta matters.
    choices = [(1, 0), (WEIGHTS, 0)] if goal.delta == 0.0 else [(n, side) for n in (1, 2, 3, 4) for side in (0, 1, -1)]
    cap = _cap(prospects, goal.remaining) if goal.delta > 0.0 else math.inf
    for levels, side in choices:
        share = 1.0 if side == 0 else 0.5
        bound = _expected_bound(prospects, levels, side, cap, goal, goal.delta * share, learned, fitted)
        aim = int(np.argmax(bound))
        if bound[aim] > best[2]:
            weights = _weights(posterior, levels, side, cap, float(AIMS[aim]))
            best = (weights.astype(np.int64), share, float(bound[aim]))
    return best


def _expected_bound(
    prospects: list[Prospect],
    levels: int,
    side: int,
    cap: float,
    goal: Goal,
    charge: float,
    learned: int,
    fitted: bool,
) -> Floats:
    """The bound to expect for each aim, by the normal approximation.

    Where the prospects were counted on ``learned`` past outputs and not ``fitted`` to them as laws, their standard
    error is held against them: else the best of many aims is the luckiest, which is a rare event.
    """
    from scipy.special import ndtri

    alpha, remaining = goal.alpha, goal.remaining
    reached = [_reached(one, levels, side, cap) for one in prospects]
    mass, right, filled = (np.sum([one[k] for one in reached], axis=0) for k in range(3))
    got, at_most = right.sum(axis=0), mass.sum(axis=0)
    squares = (2.0 * np.arange(levels + 1.0) + 1.0) @ mass  # level k is k^2 = 1 + 3 + ... + (2k - 1)
    charged: Floats | float = 0.0
    if charge > 0:
        charged = charge * (np.arange(1.0, levels + 1.0) @ (filled[:-1] > filled[1:]))
    quantile = -float(ndtri(alpha * (1.0 - (NUISANCE_SHARE if charge > 0 else 0.0))))
    if not fitted:  # one more wrong guess than was seen: where none was, the rate of wrong ones is not known to be 0
        got = got - levels / learned
    widening = quantile + (0.0 if fitted else goal.caution * math.sqrt(remaining / learned))
    # The largest q at which ``remaining (got - at_most q - charged (1 - q))`` is above ``widening * sqrt(remaining *
    # squares * q (1 - q)) + levels / 2``, the root of a quadratic. Half a step of the lattice: what counts too small
    # to be normal lose to discreteness.
    have, fall = remaining * (got - charged) - 0.5 * levels, remaining * (at_most - charged)
    spread = widening**2 * remaining * squares
    sign = math.copysign(1.0, widening)
    known = have - 0.5 * fall > 0.5 * sign * np.sqrt(spread)
    apart = sign * np.sqrt(np.maximum(0.0, spread * (spread + 4.0 * have * (fall - have))))
    root = 2.0 * have * fall + spread - apart
    low = np.where(known, root / np.maximum(2.0 * (fall**2 + spread), 1e-300), 0.5)
    low = np.clip(0.5 + STEP * np.floor((low - 0.5) / STEP), 0.5, 1.0 - 1e-12)
    # so many guesses certify no more than when all of them are right, whatever the normal approximation says
    guesses = np.maximum(remaining * mass[0], 1e-9)
    all_right = np.exp(np.log(alpha) / guesses)
    if not fitted:  # ... and so few counted ones, all right, do not show a rate of 1
        all_right = np.minimum(all_right, np.exp(np.log(ONE_STANDARD_ERROR) * remaining / (guesses * learned)))
    low = np.minimum(low, np.maximum(all_right, 0.5))
    bound = np.log(low / (1.0 - low))
    # The best weights against a bound are made for that bound: an aim beyond its own bound lives on luck.
    # fitted laws reach beyond the past, but not to events of which it need not hold a single one
    seen = mass[0] * learned >= 1.0 - 1e-9
    return np.where((remaining * at_most >= 1.0) & ((bound >= AIMS) | fitted) & seen, bound, -1.0)


def _held_out_loss(table: str, past: Past) -> float:
    """The log-loss of a table fitted on one half and judged on the other, both ways."""
    loss = 0.0
    for fit, judge in _fits_and_judges(past):
        p = np.clip(past.posterior(table, fit), 1e-6, 1 - 1e-6)
        loss -= float((judge[:, 1] * np.log(p) + judge[:, 0] * np.log1p(-p)).sum())
    return loss


def _credible(posterior: Floats, histogram: Integers) -> bool:
    """Whether right guesses keep up with what the table predicts on the most confident tenth and fiftieth."""
    confident = np.argsort(-np.abs(posterior - 0.5), kind="stable")
    mass = histogram.sum(axis=1)[confident]
    predicted = np.maximum(posterior, 1.0 - posterior)[confident]
    right = np.where(posterior > 0.5, histogram[:, 1], histogram[:, 0])[confident]
    for part in (0.1, 0.02):
        top = np.cumsum(mass) - mass < part * mass.sum()
        expected = float((mass * predicted)[top].sum())
        spread = math.sqrt(max(float((mass * predicted * (1.0 - predicted))[top].sum()), 1.0))
        if float(right[top].sum()) < expected - CREDIBLE * spread:
            return False
    return True


def _normal_mass(histogram: Integers, centres: Floats, bins: Bins | None) -> Floats:
    """The probability of each bin under the two normal laws fitted to the past."""
    from scipy.special import ndtr

    edges = bins.edges if bins is not None else np.zeros(0)
    known = np.isfinite(centres)
    law = np.zeros(len(centres))
    for side in (0, 1):
        weight = histogram[known, side].astype(np.float64)
        if weight.sum() < 2:  # no law can be fitted to fewer
            return np.asarray(histogram.sum(axis=1) / max(histogram.sum(), 1))
        mean = float(np.average(centres[known], weights=weight))
        spread = math.sqrt(max(float(np.average((centres[known] - mean) ** 2, weights=weight)), 1e-300))
        law += 0.5 * np.diff(np.concatenate([[0.0], ndtr((edges - mean) / spread), [1.0, 1.0]]))
    return law


@dataclass(frozen=True)
class Early:
    """A first certified stage, whose calls are learned from before the second: its plan, its calls, its weight.

    ``weight`` (the part of the variance it gets) and ``tie`` (uniform on [0, 1]) are fixed before its first call.
    """

    plan: Plan
    batch: Batch
    weight: float
    tie: float


def certify_plan(plan: Plan, batch: Batch, delta: float, alpha: float, *, early: Early | None = None) -> Certified:
    """Certify a plan on calls that had no part in it: the bound on epsilon, and the simultaneous region.

    Parameters
    ----------
    plan, batch : Plan, Batch
    delta, alpha : float
    early : Early, optional
        Calls made before, certified by a plan of their own, that ``plan`` was learned from: they count in the bound.
    """
    table, late = _histogram_and_guesses(plan, batch, delta)
    before = _histogram_and_guesses(early.plan, early.batch, delta)[1] if early is not None else late
    bound = staged_epsilon_lower(
        before,
        late,
        alpha,
        weight=early.weight if early is not None else 0.0,
        tie=early.tie if early is not None else 1.0,
        delta=delta,
    )
    events, false_left, missed_left = _region(plan.posterior, table, alpha)
    correct, wrong = int(late.correct.sum()), int(late.wrong.sum())
    return Certified(bound, correct, wrong, len(batch.coins), events, false_left, missed_left)


def _histogram_and_guesses(plan: Plan, batch: Batch, delta: float) -> tuple[Integers, Graded]:
    """The histogram of a batch in the plan's bins, and its guesses.

    Where delta leaves few guesses, level k counts 9k - 4 instead of k: nearer the middle of what it holds, and with
    sums on a lattice so fine that its steps cost nothing.
    """
    table, _ = plan.lens.histogram(batch.seen, batch.coins)
    left, right = plan.weights > 0, plan.weights < 0
    correct = np.where(left, table[:, 1], np.where(right, table[:, 0], 0))
    wrong = np.where(left, table[:, 0], np.where(right, table[:, 1], 0))
    levels = np.abs(plan.weights)
    if delta > 0.0:
        levels = np.where(levels > 0, 9 * levels - 4, 0)
    return table, Graded(levels, correct, wrong, len(batch.coins), plan.share)


def _region(posterior: Floats, table: Integers, alpha: float) -> tuple[Floats, Floats, Floats]:
    """Simultaneous upper bounds on P(M(D') in S) and P(M(D) not in S) for nested events S = {posterior > t}.

    The thresholds are fixed by the plan (quantiles of the posterior over bins, both ends refined); each of the
    2 x EVENTS bounds is Clopper-Pearson at alpha / (2 EVENTS).
    """
    levels = np.unique(posterior)
    spread = 1.0 / (1.0 + np.exp(-np.linspace(-4.0, 4.0, EVENTS)))
    cuts = levels[np.minimum((spread * len(levels)).astype(np.int64), len(levels) - 1)]
    inside = posterior[None, :] > cuts[:, None]
    on_right, on_left = table[:, 0], table[:, 1]
    level = alpha / (2.0 * EVENTS)
    false_left = binomial_upper(inside @ on_right, on_right.sum(), level)
    missed_left = binomial_upper(~inside @ on_left, on_left.sum(), level)
    return cuts, false_left, missed_left


def profile_lower(certified: Certified, epsilons: Floats) -> Floats:
    """The certified lower bound on delta at each epsilon, simultaneously (part of the statement about the region)."""
    odds = np.exp(np.asarray(epsilons))[:, None]
    left = (1.0 - certified.missed_left) - odds * certified.false_left
    right = (1.0 - certified.false_left) - odds * certified.missed_left
    return np.asarray(np.maximum(0.0, np.maximum(left.max(axis=1), right.max(axis=1))))


def guesses_of_plan(plan: Plan, seen: Observations) -> NDArray[np.int8]:
    """What a plan guesses of outputs: 1 for D, -1 for D', 0 for nothing."""
    return np.sign(plan.weights[plan.lens.places(seen)]).astype(np.int8)


def event_of(plan: Plan) -> tuple[str, str]:
    """The certified event and its direction, in words."""
    sides = [side for side in (1, -1) if (np.sign(plan.weights) == side).any()]
    if plan.lens.bins is None or plan.lens.score is not None:
        return f"{plan.lens.name} (learned)", "likelier on the dataset named"
    texts = [words_of(plan.weights.astype(np.int8), plan.lens.bins.edges, plan.lens.name, side) for side in sides]
    if len(texts) == 2:
        return f"{texts[0]} (likelier on D) or {texts[1]} (likelier on D')", "likelier on the dataset named"
    return (texts[0] if texts else plan.lens.name), "likelier on D" if sides == [1] else "likelier on D'"


def told_event(plan: Plan) -> tuple[str, str]:
    """The certified event and its direction as :func:`event_of` says them, with answers and kinds of them by name."""
    if plan.lens.bins is not None or plan.lens.score is not None:
        return event_of(plan)
    others = "of another kind than any seen before" if plan.lens.of_forms else "one that was not seen before"
    return told_kinds(plan.lens.known, plan.weights, plan.lens.names, others)
