"""The bank of guessing rules: how past outputs become rules that guess the coin, and the weights fixed for them.

Every rule is a table over finitely many bins of one *feature* of the output (a coordinate, a learned score, which
answer it is): guess D, guess D', or abstain. So a batch of outputs enters the counts through a histogram, whatever
its size, and refitting never looks at single outputs again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.evidence import GRADES

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Guesses = NDArray[np.int8]
Side = Literal["either", "left", "right"]

#: Parts of the most confident past outputs on which a rule guesses (all, half, ... the top 0.1%).
COVERAGES = (1.0, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
#: For a coordinate among many, fewer rules: the price of looking at more of them is paid in weight.
FEW_COVERAGES = (1.0, 0.5, 0.25, 0.1, 0.05)
#: Quantile levels of the finest binning: 256 equal parts, the outermost refined down to 1 in 16,384.
LEVELS: Floats = np.unique(
    np.concatenate([np.arange(1, 256) / 256, 2.0 ** -np.arange(9.0, 15.0), 1 - 2.0 ** -np.arange(9.0, 15.0)])
)
#: Bins beyond the quantiles, in standard deviations from the mean: where past outputs are too few for quantiles.
TAIL_STEPS: Floats = np.concatenate([-np.arange(1.5, 8.01, 0.1)[::-1], np.arange(1.5, 8.01, 0.1)])
#: A value this frequent (1 in so many) in the past gets a bin of its own.
HEAVY = 512
#: A bin that holds this part of the past is looked at by itself: a value given again and again.
SPIKE = 1 / 64
#: Weight of graded guesses within a feature. They win where the leak varies with the output, and most of all when
#: delta > 0; plain thresholds learn sooner.
GRADED_SHARE_PURE = 0.2
GRADED_SHARE_APPROXIMATE = 0.6
#: How much more weight graded guesses of the linear table get than those of others when delta > 0.
LINEAR_PREFERENCE = 20.0
#: Bins of a learned score, which is a log-odds: finer than any threshold needs.
SCORE_EDGES: Floats = np.concatenate([np.linspace(-12.0, 12.0, 97)])
#: At most this many different answers are told apart one by one.
MAX_ANSWERS = 256
#: At most this many single answers are bet on by themselves.
MAX_ATOMS = 32


@dataclass(frozen=True)
class Rule:
    """One guessing rule of a feature: which table, which part of the outputs, which sides; and its fixed weight.

    ``coverage`` None grades the guesses: the stake grows with how far the table leans beyond the claim.
    """

    table: str
    coverage: float | None
    side: Side
    weight: float


@dataclass(frozen=True)
class Family:
    """The rules of one feature that share a table and a side: their rows and coverages, and the row that grades."""

    table: str
    side: Side
    rows: NDArray[np.intp]
    coverages: Floats
    graded: int | None


class Rules(tuple[Rule, ...]):
    """The rules of one feature, and what every interim analysis needs of them, worked out once.

    Examples
    --------
    >>> rules = rules_for(("each",), (1.0, 0.5), 0.0, 1.0)
    >>> [rule.coverage for rule in rules], rules.weights.round(2).tolist(), rules.graded.tolist()
    ([1.0, 0.5, None], [0.4, 0.4, 0.2], [2])
    """

    @cached_property
    def weights(self) -> Floats:
        """The weight of each."""
        return np.array([rule.weight for rule in self])

    @cached_property
    def shares(self) -> Floats:
        """The part of delta that each is charged: half of it where only one side is ever guessed."""
        return np.array([1.0 if rule.side == "either" else 0.5 for rule in self])

    @cached_property
    def graded(self) -> NDArray[np.intp]:
        """The places of the rules that grade their guesses."""
        return np.flatnonzero([rule.coverage is None for rule in self])

    @cached_property
    def tables(self) -> tuple[str, ...]:
        """The tables used."""
        return tuple(dict.fromkeys(rule.table for rule in self))

    @cached_property
    def alike(self) -> tuple[tuple[str, float | None, Side], ...]:
        """All but the weights: features whose rules are alike have their tables made together."""
        return tuple((rule.table, rule.coverage, rule.side) for rule in self)

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """Rules of one table and one side, together."""
        found: dict[tuple[str, Side], list[int]] = {}
        for row, rule in enumerate(self):
            found.setdefault((rule.table, rule.side), []).append(row)
        families = []
        for (table, side), rows in found.items():
            plain = {row: coverage for row in rows if (coverage := self[row].coverage) is not None}
            graded = [row for row in rows if row not in plain]
            families.append(
                Family(
                    table,
                    side,
                    np.array(list(plain), dtype=np.intp),
                    np.array(list(plain.values())),
                    graded[0] if graded else None,
                )
            )
        return tuple(families)


@dataclass(frozen=True)
class Bins:
    """A binning of the line by ``edges`` (bin i holds ``edges[i-1] <= x < edges[i]``), and a last bin for NaN."""

    edges: Floats

    @property
    def count(self) -> int:
        """How many bins there are, the one for NaN included."""
        return len(self.edges) + 2

    def place(self, values: Floats) -> Integers:
        """The bin of each value."""
        places = np.searchsorted(self.edges, values, side="right")
        missing = np.isnan(values)
        if missing.any():
            places[missing] = len(self.edges) + 1
        return places


def fit_bins(values: Floats) -> Bins:
    """Bins from past values: one each for few different values, else fine quantiles with bins for frequent values.

    Examples
    --------
    >>> fit_bins(np.array([0.0, 1.0, 1.0])).edges.tolist()
    [0.5]
    >>> fit_bins(np.random.default_rng(0).normal(size=10_000)).count > 250
    True
    """
    return bins_of_sorted(np.sort(values[np.isfinite(values)]))


def bins_of_sorted(known: Floats) -> Bins:
    """What :func:`fit_bins` makes of finite values in ascending order."""
    if len(known) == 0:
        return Bins(np.zeros(0))
    new = np.ones(len(known), bool)
    np.not_equal(known[1:], known[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    different, times = known[starts], np.diff(np.append(starts, len(known)))
    if len(different) <= MAX_ANSWERS:
        middles = 0.5 * different[:-1] + 0.5 * different[1:]
        return Bins(np.where(middles > different[:-1], middles, different[1:]))  # next to 0 the middle is no double
    edges = known[np.minimum((LEVELS * len(known)).astype(np.int64), len(known) - 1)]
    heavy = different[times >= max(3, len(known) // HEAVY)]
    with np.errstate(over="ignore", invalid="ignore"):  # of huge values there are no tails
        tails = known.mean() + TAIL_STEPS * known.std()
    return Bins(np.unique(np.concatenate([edges, heavy, np.nextafter(heavy, np.inf), tails[np.isfinite(tails)]])))


def repeated_values(bins: Bins) -> NDArray[np.bool_]:
    """Which bins hold one double only: a value that occurs again and again.

    >>> repeated_values(Bins(np.array([0.0, 1.0, np.nextafter(1.0, 2.0)]))).tolist()
    [False, False, True, False, False]
    """
    edges = bins.edges
    alone = np.zeros(bins.count, bool)
    if len(edges) > 1:
        alone[1 : len(edges)] = edges[1:] == np.nextafter(edges[:-1], np.inf)
    return alone


def value_sums(places: Integers, values: Floats, count: int) -> Floats:
    """The sum of the finite values in each bin."""
    finite = np.where(np.isfinite(values), values, 0.0)
    return np.asarray(np.bincount(places, weights=finite, minlength=count), dtype=np.float64)


def centres_of(bins: Bins, histogram: Integers, sums: Floats) -> Floats:
    """The mean past value per bin; the middle of a bin that has seen none (NaN for the bin of NaN)."""
    mass = histogram.sum(axis=1)
    edges = bins.edges
    if len(edges) == 0:
        middle = np.array([0.0, np.nan])
    else:
        halves = 0.5 * edges  # the sum of two huge edges would be no double
        middle = np.concatenate([edges[:1], halves[:-1] + halves[1:], edges[-1:], [np.nan]])
    centres = np.where(mass > 0, sums / np.maximum(mass, 1), middle)
    centres[-1] = np.nan
    return np.asarray(centres)


@lru_cache(maxsize=256)
def rules_for(tables: tuple[str, ...], coverages: tuple[float, ...], delta: float, weight: float) -> Rules:
    """The rules of one feature and their weights, which sum to ``weight``.

    For delta = 0 only rules that guess either side are kept, and coverages below 2% have halving weights. For
    delta > 0 the events that matter are rare: graded guesses get half the weight (most of it the linear table's,
    which extrapolates into the tails), and one-sided rules (half the charge) join.
    """
    shares: dict[tuple[str, float | None, Side], float] = {}
    for table in tables:
        discount = 1.0
        for coverage in coverages:
            if delta == 0.0 and coverage < 0.02:
                discount /= 2.0
            shares[table, coverage, "either"] = discount
            if delta > 0.0 and coverage <= 0.5:
                shares[table, coverage, "left"] = shares[table, coverage, "right"] = discount / 2.0
    thresholds = sum(shares.values())
    graded: dict[tuple[str, float | None, Side], float] = {}
    for table in tables:
        preferred = LINEAR_PREFERENCE if table == "linear" and delta > 0.0 else 1.0
        graded[table, None, "either"] = preferred
        if delta > 0.0:
            graded[table, None, "left"] = graded[table, None, "right"] = 0.125
    total_graded = sum(graded.values())
    part = GRADED_SHARE_APPROXIMATE if delta > 0.0 else GRADED_SHARE_PURE
    return Rules(
        [
            *(
                Rule(table, coverage, side, weight * (1.0 - part) * share / thresholds)
                for (table, coverage, side), share in shares.items()
            ),
            *(
                Rule(table, None, side, weight * part * share / total_graded)
                for (table, _, side), share in graded.items()
            ),
        ]
    )


def posteriors(table: str, histogram: Integers, centres: Floats) -> Floats:
    """The estimated probability, per bin, that the coin chose D; 0.5 where nothing is known.

    Parameters
    ----------
    table : "parts-8", "parts-32", "parts-128", "rising", "falling", "linear", "each", "each-cautious", "spikes"
        (each bin that holds much of the past, or NaN) or "score"
    histogram : integers, shape (..., B, 2): past outputs per bin on D' (column 0) and on D (column 1)
    centres : shape (..., B): the mean past value per bin (NaN where there is none)

    Returns
    -------
    shape (..., B)
    """
    right, left = histogram[..., 0].astype(np.float64), histogram[..., 1].astype(np.float64)
    mass = right + left
    if table.startswith("parts-") or table in ("rising", "falling"):
        rows = zip(left.reshape(-1, left.shape[-1]), mass.reshape(-1, left.shape[-1]), strict=True)
        return np.array([_row(table, *row) for row in rows]).reshape(left.shape)
    if table == "linear":
        return _linear(left, right, centres)
    if table == "score":
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(np.nan_to_num(centres), -700, 700))))
    smoothed = (left + 0.5) / (mass + 1.0)
    if table == "spikes":
        spike = mass >= np.maximum(3.0, SPIKE * mass.sum(axis=-1, keepdims=True))
        spike[..., -1] = True
        return np.asarray(np.where(spike, smoothed, 0.5))
    if table == "each":
        return np.asarray(smoothed)
    slack = 0.5 / np.sqrt(mass + 1.0)  # one standard error of a fair coin's share
    return np.asarray(0.5 + np.sign(smoothed - 0.5) * np.maximum(0.0, np.abs(smoothed - 0.5) - slack))


def _row(table: str, left: Floats, mass: Floats) -> Floats:
    if table.startswith("parts-"):
        return _parts(left, mass, int(table.removeprefix("parts-")))
    return _isotonic(left, mass, rising=table == "rising")


def _parts(left: Floats, mass: Floats, parts: int) -> Floats:
    total = mass[:-1].sum()
    middle = (np.cumsum(mass) - 0.5 * mass) / max(total, 1.0)
    part = np.minimum((middle * parts).astype(np.int64), parts - 1)
    part[-1] = parts  # NaN is not next to any number
    grouped_left = np.bincount(part, weights=left, minlength=parts)
    grouped = np.bincount(part, weights=mass, minlength=parts)
    return np.asarray(((grouped_left + 1.0) / (grouped + 2.0))[part])


def _isotonic(left: Floats, mass: Floats, *, rising: bool) -> Floats:
    from scipy.optimize import isotonic_regression

    seen = mass > 0
    seen[-1] = False  # NaN is not next to any number
    some_left, some_mass = left[seen], mass[seen]
    if not len(some_mass):
        return np.full(len(mass), 0.5)
    blocks = isotonic_regression(some_left / some_mass, weights=some_mass, increasing=rising).blocks
    block_left = np.add.reduceat(some_left, blocks[:-1])
    block_mass = np.add.reduceat(some_mass, blocks[:-1])
    smoothed = np.repeat((block_left + 0.5) / (block_mass + 1.0), np.diff(blocks))
    nearest = np.minimum(np.cumsum(seen) - seen, len(smoothed) - 1)  # the next bin that has seen any
    found = smoothed[nearest]
    found[-1] = (left[-1] + 0.5) / (mass[-1] + 1.0)
    return np.asarray(found)


def _linear(left: Floats, right: Floats, centres: Floats) -> Floats:
    """Two normal laws of one spread: the log-odds are linear in the value."""
    finite = np.isfinite(centres)
    known = finite & (left + right > 0)  # extrapolated to bins that have seen nothing
    left, right = np.where(known, left, 0.0), np.where(known, right, 0.0)
    all_left, all_right = left.sum(axis=-1, keepdims=True), right.sum(axis=-1, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore"):  # values whose squares are no doubles: then no law is fitted
        # From the first value seen: values that are all alike are then 0 apart, and not as far as rounding takes them.
        centres = centres - np.take_along_axis(centres, known.argmax(axis=-1)[..., None], axis=-1)
        x = np.where(known, centres, 0.0)
        mean_left = (x * left).sum(axis=-1, keepdims=True) / np.maximum(all_left, 1.0)
        mean_right = (x * right).sum(axis=-1, keepdims=True) / np.maximum(all_right, 1.0)
        spread = (((x - mean_left) ** 2) * left).sum(axis=-1, keepdims=True) / np.maximum(all_left, 1.0)
        spread += (((x - mean_right) ** 2) * right).sum(axis=-1, keepdims=True) / np.maximum(all_right, 1.0)
        usable = (all_left >= 2) & (all_right >= 2) & (spread > 0) & np.isfinite(spread)
        slope = 2.0 * (mean_left - mean_right) / np.where(usable, spread, 1.0)
        middle = 0.5 * (mean_left + mean_right)
        log_odds = slope * (np.where(finite, centres, middle) - middle)
        return np.where(usable, 1.0 / (1.0 + np.exp(-np.clip(np.nan_to_num(log_odds), -700, 700))), 0.5)


def guesses_of(rules: Rules, histogram: Integers, centres: Floats, epsilon: float) -> Guesses:
    """The tables of all rules: the sign is the dataset guessed (+ for D), the size the grade, 0 abstains; (K, B).

    A rule of coverage c guesses, at full grade, on the most confident bins that hold a part c of the past outputs
    (one bin at least). A graded rule stakes in proportion to the growth-optimal bet against a claim of ``epsilon``:
    its grades are those of ``1 - (1 - r)/(1 - q)`` where the posterior r of the dataset guessed exceeds q.

    Examples
    --------
    >>> rules = rules_for(("each",), (1.0, 0.5), 0.0, 1.0)
    >>> guesses_of(rules, np.array([[0, 9], [5, 4], [0, 0]]), np.array([0.0, 1.0, np.nan]), 0.0).tolist()
    [[8, -8, 0], [8, 0, 0], [8, -1, 0]]
    """
    leans = leans_of(rules, histogram, centres)
    mass = histogram.sum(axis=1).astype(np.float64)
    return np.asarray(guesses_of_leans(rules, leans[None], mass[None], epsilon)[0])


def leans_of(rules: Rules, histogram: Integers, centres: Floats, told: Mapping[str, Floats] | None = None) -> Floats:
    """How far the posterior of each family of rules is from a half, per bin, shape (..., families, B).

    ``told``: the posteriors of the rules' tables, where they are known.
    """
    if told is None:
        told = {table: posteriors(table, histogram, centres) for table in rules.tables}
    lean = np.stack([_sided(told[family.table] - 0.5, family.side) for family in rules.families], axis=-2)
    # answers of a kind never seen: nothing is known of them
    unknown = np.isnan(centres) & (histogram.sum(axis=-1) == 0)
    return np.where(unknown[..., None, :], 0.0, lean)


def guesses_of_leans(rules: Rules, lean: Floats, mass: Floats, epsilon: float) -> Guesses:
    """The tables of the same rules for many features at once, shape (F, K, B).

    Parameters
    ----------
    rules : Rules
        Those of one of the features; of the others only the weights may differ.
    lean : shape (F, families, B): :func:`leans_of` of each; a feature with fewer bins has empty ones in front
    mass : shape (F, B): past outputs per bin
    epsilon : float
    """
    total = mass.sum(axis=1)
    surest, signs = np.abs(lean), np.sign(lean)
    order = np.argsort(-surest, axis=2, kind="stable")
    sorted_mass = np.take_along_axis(np.broadcast_to(mass[:, None, :], lean.shape), order, axis=2)
    reached = np.cumsum(sorted_mass, axis=2)
    before = np.empty_like(lean)
    np.put_along_axis(before, order, reached - sorted_mass, axis=2)
    before /= np.maximum(total, 1.0)[:, None, None]
    # The scale of grades is the bet at the top 0.1% of the past: beyond it the posterior is mostly extrapolation.
    wrong_allowed = 1.0 / (1.0 + math.exp(epsilon))
    bets = np.maximum(0.0, 1.0 - (0.5 - surest) / wrong_allowed)
    top = np.minimum((reached <= 0.001 * total[:, None, None]).sum(axis=2), mass.shape[1] - 1)[:, :, None]
    scale = np.take_along_axis(bets, np.take_along_axis(order, top, axis=2), axis=2)
    scale = np.where(scale > 0, scale, bets.max(axis=2, keepdims=True))
    scale = np.where(scale > 0, scale, np.inf)
    grades = (signs * np.round(GRADES * np.minimum(bets / scale, 1.0))).astype(np.int8)
    full = (signs * GRADES).astype(np.int8)
    tables = np.empty((len(lean), len(rules), mass.shape[1]), dtype=np.int8)
    for place, family in enumerate(rules.families):
        chosen = before[:, place, None, :] < family.coverages[:, None]
        tables[:, family.rows] = chosen * full[:, place, None, :]
        if family.graded is not None:
            tables[:, family.graded] = grades[:, place]
    return tables


def _sided(lean: Floats, side: Side) -> Floats:
    if side == "either":
        return lean
    return np.maximum(lean, 0.0) if side == "left" else np.minimum(lean, 0.0)


def atom_weights(weight: float) -> Floats:
    """Weights of the j-th single answer to be bet on (each of its two directions): they sum to ``weight``."""
    j = np.arange(1.0, MAX_ATOMS + 1.0)
    shares = 1.0 / ((j + 4.0) * (j + 5.0))
    return np.asarray(0.5 * weight * shares / shares.sum())


#: What an output is that has no place on a line of numbers.
NO_NUMBER = "not a number (NaN, an exception, another type)"


def words_of(guesses: Guesses, edges: Floats, name: str, guess: int) -> str:
    """The outputs on which a rule makes this guess, in words: ``output > 3.2``, ``output in [0, 1) or ...``."""
    hit = np.sign(guesses[:-1]) == guess
    if not hit.any():
        return f"{name} is {NO_NUMBER}"
    bounds = np.concatenate([[-math.inf], edges, [math.inf]])
    change = np.flatnonzero(np.diff(np.concatenate([[False], hit, [False]]).astype(np.int8)))
    spans = [(bounds[a], bounds[b]) for a, b in zip(change[::2], change[1::2], strict=True)]
    spoken = [_span(name, low, high) for low, high in spans[:3]]
    if np.sign(guesses[-1]) == guess:
        spoken.insert(0, f"{name} is {NO_NUMBER}")
    more = len(spans) - 3
    if more > 0:
        spoken.append(f"{more} more interval{'s' if more > 1 else ''}")
    return " or ".join(spoken)


def _span(name: str, low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return f"{name} is a number"
    if math.isinf(low):
        return f"{name} < {high:.6g}"
    if math.isinf(high):
        return f"{name} >= {low:.6g}"
    return f"{low:.6g} <= {name} < {high:.6g}"
