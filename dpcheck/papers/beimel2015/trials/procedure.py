"""LabelBoostProcedure: what it does to privacy, exactly, on every small class."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.neighbours import Records, ReplaceEntry
from dpcheck.papers.beimel2015.learners import ExponentialLearner, LabelBoostProcedure
from dpcheck.papers.beimel2015.learners.label_count import NoisyLabelCount
from dpcheck.papers.beimel2015.trials.laws import (
    as_ball,
    delta_at,
    largest,
    largest_delta,
    largest_over_pairs,
    nats,
    precisely,
)
from dpcheck.papers.beimel2015.trials.mechanisms import Presence
from dpcheck.papers.beimel2015.trials.outcomes import EXACT, below, decided
from dpcheck.parts.classes import GridThresholds
from dpcheck.parts.mechanisms.amplification import ball
from dpcheck.trial.model import Outcome
from dpcheck.trial.page import Line, Page, Pivot, Plot
from dpcheck.trial.relations import all_true
from dpcheck.trial.rows import Findings, Row, exact, line

_LEARNER = "beimel2015.label_boost_procedure"
_FOUR_E = 4 * math.e
#: What is sharp for an entry of S.
_SHARP = (1 + math.exp(0.5)) ** 2
#: Weights in doubles are as near to the truth; the largest ratio is computed again in balls.
_ROUNDING = 1e-9
#: A database of the enumeration: entries of S, points of T.
_Database = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]


def small_classes(points: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All classes of functions on so many points.

    >>> sum(1 for _ in small_classes(2))
    15
    """
    functions = list(product((0, 1), repeat=points))
    for size in range(1, len(functions) + 1):
        yield from combinations(functions, size)


def weights_of(functions: Sequence[Sequence[int]], database: _Database) -> dict[tuple[tuple[int, int], ...], int]:
    """The correct labels on S of each dichotomy of the points of S o T, a tuple of (point, label)."""
    labelled, others = database
    points = sorted({x for x, _ in labelled} | set(others))
    found = {}
    for function in functions:
        key = tuple((x, function[x]) for x in points)
        found[key] = sum(function[x] == y for x, y in labelled)
    return found


def grouped(scores: Mapping[tuple[tuple[int, int], ...], int], common: set[int]) -> dict[Any, list[int]]:
    """The scores of the dichotomies that agree on the common points, by their labels there."""
    found: dict[Any, list[int]] = {}
    for key, score in scores.items():
        found.setdefault(tuple(each for each in key if each[0] in common), []).append(score)
    return found


def ratio_in_doubles(one: Mapping[Any, Sequence[int]], other: Mapping[Any, Sequence[int]]) -> float:
    """The largest ratio of the probabilities of a labelling of the common points, either way."""
    sums = [
        {key: sum(math.exp(score / 2) for score in scores) for key, scores in side.items()} for side in (one, other)
    ]
    totals = [sum(side.values()) for side in sums]
    quotients = [sums[0][key] / sums[1][key] for key in sums[0]]
    return max(max(quotients) * totals[1] / totals[0], totals[0] / totals[1] / min(quotients))


def ratio_in_balls(one: Mapping[Any, Sequence[int]], other: Mapping[Any, Sequence[int]]) -> Any:
    """The same, enclosed."""
    sums = [
        {key: sum((ball(Fraction(score, 2)).exp() for score in scores), ball(0)) for key, scores in side.items()}
        for side in (one, other)
    ]
    totals = [sum(side.values(), ball(0)) for side in sums]
    chances = [{key: each / total for key, each in side.items()} for side, total in zip(sums, totals, strict=True)]
    return largest(
        x for key in chances[0] for x in (chances[0][key] / chances[1][key], chances[1][key] / chances[0][key])
    )


def _databases(points: int, labelled: int) -> list[_Database]:
    entries = list(product(range(points), (0, 1)))
    return [(some, (other,)) for some in product(entries, repeat=labelled) for other in range(points)]


def neighbouring(databases: Sequence[_Database]) -> Iterator[tuple[_Database, _Database, bool, set[int]]]:
    """All pairs that differ in one entry: whether it is in S, and the points that both have."""
    for one, other in combinations(databases, 2):
        in_s = sum(a != b for a, b in zip(one[0], other[0], strict=True))
        in_t = sum(a != b for a, b in zip(one[1], other[1], strict=True))
        if in_s + in_t == 1:
            common = [{x for x, _ in each[0]} | set(each[1]) for each in (one, other)]
            yield one, other, in_s == 1, common[0] & common[1]


def splitting(bits: int) -> tuple[tuple[int, ...], ...]:
    """The class that attains the constant in the limit: one labelling is split by one point, the others by another."""
    return tuple(
        (*z, *((a, 0) if place == 0 else (0, a)))
        for place, z in enumerate(product((0, 1), repeat=bits))
        for a in (0, 1)
    )


@dataclass(frozen=True)
class _Ratios:
    """Ratios over all pairs, by whether the differing entry is in S; the largest of each again in balls."""

    found: Mapping[bool, Sequence[float]]
    certain: Mapping[bool, Any]

    @property
    def every(self) -> NDArray[np.float64]:
        """All of them, rising."""
        return np.sort(np.concatenate([*self.found.values()]))


def _all_ratios(most_labelled: int) -> _Ratios:
    """Every class of functions on three points, every neighbouring pair of databases."""
    found: dict[bool, list[float]] = {True: [], False: []}
    worst: dict[bool, Any] = {}
    for labelled in range(1, most_labelled + 1):
        databases = _databases(3, labelled)
        pairs = list(neighbouring(databases))
        for functions in small_classes(3):
            scores = {database: weights_of(functions, database) for database in databases}
            for one, other, in_s, common in pairs:
                sides = grouped(scores[one], common), grouped(scores[other], common)
                ratio = ratio_in_doubles(*sides)
                found[in_s].append(ratio)
                if in_s not in worst or ratio > worst[in_s][0]:
                    worst[in_s] = ratio, sides
    return _Ratios(found, {in_s: ratio_in_balls(*sides) for in_s, (_, sides) in worst.items()})


@precisely
def relabelling_privacy(seed: int, quick: bool) -> Findings:
    """Headline claim 3: the ratio of lem-4.1 over all neighbouring pairs of all small classes."""
    ratios = _all_ratios(1 if quick else 2)
    every = ratios.every
    sharp = {True: (1 + ball(Fraction(1, 2)).exp()) ** 2, False: ball(4)}
    bits = range(1, 8 if quick else 11)
    growing = {in_s: [as_ball(_splitting_ratio(number, in_s)) for number in bits] for in_s in (True, False)}
    reached = float(growing[True][0]), float(growing[True][-1])
    certain = ratios.certain
    end_rows, end_said, end_outcomes = _end_to_end()
    outcomes = (
        decided(
            "lem-4.1",
            "two choices differ by a factor of at most 4e, on every small class",
            None
            if every[-1] > max(map(float, certain.values())) + _ROUNDING
            else below(largest(certain.values()), 4 * ball(1).exp()),
            f"largest ratio {every[-1]:.6f} over {len(every):,} pairs",
            kind="privacy",
            learner=_LEARNER,
        ),
        decided(
            "lem-4.1",
            "sharper: at most (1 + sqrt(e))^2 for an entry of S, 4 for one of T",
            all_true(below(x, sharp[k]) for k in certain for x in (certain[k], *growing[k])),
            f"largest {float(certain[True]):.4f} and {float(certain[False]):.4f}; on the worst class "
            f"{reached[1]:.4f} and {float(growing[False][-1]):.4f}",
            kind="privacy",
            learner=_LEARNER,
        ),
        *end_outcomes,
    )
    told = (
        f"Over {len(every):,} pairs the ratio is at most {every[-1]:.4f}, where the proof has 4e = {_FOUR_E:.3f} and "
        f"the lemma e^3 = {math.exp(3):.3f}; half of the pairs are below {float(np.median(every)):.3f}. On the worst "
        f"class it grows from {reached[0]:.3f} to {reached[1]:.3f} towards (1 + sqrt(e))^2 = "
        f"{float(sharp[True]):.3f}. {end_said}"
    )
    rows = _ratio_rows(ratios, sharp)
    counts = [2**number for number in bits]
    rows += exact("entry in S, exact", growing[True], labellings=counts)
    rows += exact("entry in T, exact", growing[False], labellings=counts)
    return Findings([*rows, *end_rows], outcomes, told, {"entries": "one" if quick else "one or two"})


def _ratio_rows(ratios: _Ratios, sharp: Mapping[bool, Any]) -> list[Row]:
    """The largest ratios, and the distribution of all at 200 of them."""
    rows: list[Row] = []
    for in_s, name in ((True, "labelled, in S"), (False, "in T")):
        at = {"differing entry": name}
        rows += line({"pairs": len(ratios.found[in_s]), "largest": ratios.certain[in_s]}, at)
        rows += line({"sharp bound": sharp[in_s], "printed: 4e": _FOUR_E}, at, "bound")
    every = ratios.every
    thin = np.unique(np.linspace(0, len(every) - 1, 200).astype(int))
    return rows + exact("all pairs", (thin + 1) / len(every), ratio=every[thin])


PAGE = Page(
    "LabelBoostProcedure before a private algorithm: 4e is printed, 7.02 is the truth",
    "Every class of functions on three points, every pair of databases with {entries} labelled entries and one without "
    "that differ in one entry: the largest ratio of the probabilities with which two labellings that agree on the "
    "common points are chosen. Then a class built to be worst, and the procedure before finite private algorithms, end "
    "to end.",
    (
        Plot(
            "ratios",
            "Ratios over all neighbouring pairs of all classes on three points",
            "ratio",
            "share of pairs at most that",
            lines=(
                Line("4e, the proof", x=_FOUR_E),
                Line("e^3, the lemma", x=math.exp(3)),
                Line("(1 + sqrt(e))^2, sharp", x=_SHARP),
            ),
        ),
        Plot(
            "worst-class",
            "The class for which the constant is attained in the limit",
            "labellings",
            "ratio",
            x_label="labellings of the common points",
            scale="linear",
            lines=(Line("4e", y=_FOUR_E), Line("(1 + sqrt(e))^2", y=_SHARP), Line("4", y=4.0)),
        ),
    ),
    (
        Pivot("Largest ratio over all neighbouring pairs", ("differing entry",), digits=7),
        Pivot(
            "LabelBoostProcedure before a finite algorithm, thresholds on two points, 2 + 2 entries, every pair",
            ("algorithm",),
        ),
    ),
    evidence=f"{EXACT} Ratios of the enumeration are in doubles, right to 1e-9; the largest is computed again in "
    "balls.",
)


def _splitting_ratio(bits: int, in_s: bool) -> Any:
    functions, common = splitting(bits), tuple(range(bits))
    if in_s:
        sides = [(((bits + place, 1),), common) for place in (0, 1)]
    else:
        sides = [(((0, 0),), (*common[1:], bits + place)) for place in (0, 1)]
    shared = set(common)
    return ratio_in_balls(*(grouped(weights_of(functions, side), shared) for side in sides))


def _end_to_end() -> tuple[list[Row], str, list[Outcome]]:
    """The procedure before finite algorithms: laws of their outputs on every pair."""
    grid = GridThresholds(2)
    relation = ReplaceEntry(Records.labelled(features=[0, 1], labels=[0, 1]), 4, 2)
    rows: list[Row] = []
    pure_held, said = [], []
    for name, base in (
        ("exponential mechanism", ExponentialLearner(grid, 1)),
        ("noisy label count", NoisyLabelCount(1)),
    ):
        learner = LabelBoostProcedure(base, grid, 2, 1, "lowest")
        found, pairs = largest_over_pairs(learner.distribution, relation)
        pure_held.append(below(as_ball(found), ball(4).exp()))
        said.append(f"{nats(found):.4f}")
        at = {"algorithm": name}
        rows += line({"pairs": pairs, "its epsilon": 1, "loss": nats(found)}, at)
        sharp = 1 + 2 * math.log1p(math.exp(0.5))
        rows += line({"printed epsilon + 3": 4, "epsilon + 2 log(1 + sqrt(e))": sharp}, at, "bound")
    delta = Fraction(1, 100)
    leaking = LabelBoostProcedure(Presence(Fraction(27, 10), delta, of_points=True), grid, 2, 1, "lowest")
    at_printed, pairs = largest_delta(leaking.distribution, relation, ball(Fraction(27, 10)) * ball(3).exp())
    at_own, _ = largest_delta(leaking.distribution, relation, ball(Fraction(27, 10)))
    released = _released()
    losses = " and ".join(said)
    told = (
        f"Before an exponential mechanism and a noisy count of epsilon 1 the losses are {losses}, where 4 is printed. "
        "Releasing what the procedure puts out, instead of running a private algorithm on it, is private for no "
        f"epsilon: delta is {float(as_ball(released)):.3g} even at e^100."
    )
    claims = (
        (
            "(epsilon, 0) becomes (epsilon + 3, 0) end to end",
            all_true(pure_held),
            f"losses {losses} over all pairs, epsilon = 1",
        ),
        (
            "delta becomes at most 4e delta at epsilon + 3, end to end",
            below(as_ball(at_printed), 4 * ball(1).exp() * ball(delta)),
            f"delta {float(as_ball(at_printed)):.4g} at epsilon + 3 and {float(as_ball(at_own)):.4g} at epsilon over "
            f"{pairs} pairs, where 4e delta = {4 * math.e * float(delta):.4g} is printed",
        ),
        (
            "the relabelled database itself is private for no epsilon (why the lemma speaks of an algorithm run on it)",
            below(ball(Fraction(1, 2)), as_ball(released)),
            f"delta {float(as_ball(released)):.4g} at e^100 between two neighbouring databases",
        ),
    )
    outcomes = [
        decided("lem-4.1", claim, true, detail, kind="privacy", learner=_LEARNER) for claim, true, detail in claims
    ]
    return rows, told, outcomes


def _released() -> Any:
    """Delta of the relabelled database at e^100: the points are in the clear."""
    grid = GridThresholds(3)
    learner = LabelBoostProcedure(NoisyLabelCount(1), grid, 1, 1, "lowest")

    def law(database: list[tuple[int, int]]) -> Any:
        candidates, choice = learner.choice(database)
        law_of_h = choice.law(range(len(candidates)))
        outputs = [str(learner.relabelled(database, candidates[h])) for h in law_of_h.outputs]
        from dpcheck.model.law import Law

        return Law(outputs, exact=law_of_h.exact)

    return delta_at(law([(0, 0), (1, -1)]), law([(0, 0), (2, -1)]), ball(100).exp())
