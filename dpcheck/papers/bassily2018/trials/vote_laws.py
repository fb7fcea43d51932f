"""Laws of alg-2 of bassily2018 on many vote tables at once, and the worst delta over all that one model can change.

The law of a run depends on the distances of the queries alone, so those of all tables come from one rule of quadrature
(Gauss-Legendre between the kinks, right to 1e-13 or so); the worst pair found is computed again in balls, from the
law that the learner declares.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.bassily2018.learners import Scales, answers_law, leading_label
from dpcheck.papers.bassily2018.learners.votes import Distance, as_distance
from dpcheck.parts.mechanisms.quadrature import laplace_expectation_rule

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

#: Rows whose stretches are integrated at once.
_ROWS = 500
#: Kinks farther from 0, in scales of the threshold's noise, are not seen by it: exp(-50) = 2e-22.
_FAR = 50.0
#: Of up to so many models all tables are enumerated; of more, so many consecutive numbers of votes.
MOST_MODELS, WINDOW = 7, 8
#: States of a query in a pattern.
ANSWERED, ABSTAINS, NOT_ASKED = 1, 0, -1


@cache
def patterns(queries: int, rounds: int) -> tuple[NDArray[np.int8], tuple[tuple[tuple[int, int, bool], ...], ...]]:
    """All patterns of answers, and the stretches each is made of: from, to, and whether it ends in an abstention.

    >>> patterns(2, 1)[0].tolist()
    [[0, -1], [1, 0], [1, 1]]
    """
    rows: list[list[int]] = []
    made: list[tuple[tuple[int, int, bool], ...]] = []

    def extend(row: list[int], stretches: tuple[tuple[int, int, bool], ...], left: int) -> None:
        start = len(row)
        if start == queries or left == 0:
            rows.append(row + [NOT_ASKED] * (queries - start))
            made.append(stretches)
            return
        for end in range(start, queries):
            longer = [*row, *[ANSWERED] * (end - start), ABSTAINS]
            extend(longer, (*stretches, (start, end + 1, True)), left - 1)
        rows.append(row + [ANSWERED] * (queries - start))
        made.append((*stretches, (start, queries, False)))

    extend([], (), rounds)
    return np.array(rows, dtype=np.int8).reshape(len(rows), queries), tuple(made)


def laws(distances: Floats, scales: Scales, rounds: int) -> Floats:
    """The probabilities of all patterns on N rows of m distances, shape (N, patterns).

    >>> found = laws(np.array([[3.0, 0.0]]), Scales(2.0, 1.0, 2.0), 1)
    >>> np.round(found, 6).tolist()
    [[0.343041, 0.487706, 0.169254]]
    """
    queries = distances.shape[1]
    _, made = patterns(queries, rounds)
    gaps = distances - scales.threshold
    values, places = np.unique(gaps, return_inverse=True)
    places = places.reshape(gaps.shape)
    near = values[np.abs(values) < _FAR * scales.threshold_scale]
    noise, weights = laplace_expectation_rule(scales.threshold_scale, near, scales.query_scale)
    behind = (noise[None, :] - values[:, None]) / scales.query_scale
    tail = np.exp(-np.abs(behind)) / 2
    answers, abstains = np.where(behind > 0, tail, 1 - tail), np.where(behind > 0, 1 - tail, tail)
    needed = {stretch for each in made for stretch in each}
    found = np.empty((len(gaps), len(made)))
    for begin in range(0, len(gaps), _ROWS):
        rows = places[begin : begin + _ROWS]
        chances: dict[tuple[int, int, bool], Floats] = {}
        for start in range(queries):
            run = np.broadcast_to(weights, (len(rows), len(weights)))
            for end in range(start, queries):
                if (start, end + 1, True) in needed:
                    chances[start, end + 1, True] = (run * abstains[rows[:, end]]).sum(axis=1)
                run = run * answers[rows[:, end]]
            if (start, queries, False) in needed:
                chances[start, queries, False] = run.sum(axis=1)
        for place, stretches in enumerate(made):
            found[begin : begin + _ROWS, place] = math.prod((chances[each] for each in stretches), start=np.ones(1))
    return found


@dataclass(frozen=True, eq=False)
class Mechanism:
    """Everything that the law on a table of binary votes depends on."""

    scales: Scales
    models: int
    rounds: int
    distance: str | Distance = "printed"

    def distances(self, ones: Counts) -> Floats:
        """The distances where so many of the models vote 1, of the same shape."""
        flat = np.asarray(as_distance(self.distance).of(self._counts(ones)), dtype=float)
        return flat.reshape(ones.shape)

    def labels(self, ones: Counts) -> NDArray[np.intp]:
        """The leading labels, of the same shape."""
        return leading_label(self._counts(ones)).reshape(ones.shape)

    def _counts(self, ones: Counts) -> Counts:
        return np.stack([self.models - ones.ravel(), ones.ravel()], axis=1)

    def law(self, ones: Sequence[int]) -> Any:
        """The law that the learner declares on one table, in balls."""
        strict = Scales(
            self.scales.threshold, self.scales.threshold_scale, self.scales.query_scale, self.models, self.rounds
        )
        return answers_law(self._counts(np.asarray(ones)), strict, "strict", distance=self.distance)


@dataclass(frozen=True)
class Worst:
    """The worst ordered pair of tables, each as how many models vote 1 on each query."""

    value: float
    left: tuple[int, ...]
    right: tuple[int, ...]


def neighbours(ones: Counts, lowest: int, highest: int) -> Iterator[tuple[NDArray[np.intp], Counts]]:
    """For each way in which one model's votes can change: which tables have such a neighbour, and their neighbours.

    One replaced model changes each count by -1, 0 or 1, and every combination of these has a table of votes where each
    count that falls is above 0, and each that rises below k.
    """
    for step in product((-1, 0, 1), repeat=ones.shape[1]):
        moved = ones + np.array(step, dtype=np.int64)
        kept = np.flatnonzero(((moved >= lowest) & (moved <= highest)).all(axis=1))
        if len(kept):
            yield kept, moved[kept]


def all_tables(values: Sequence[int], queries: int) -> Counts:
    """All tables of counts out of consecutive values, shape (values^queries, queries), in lexicographic order."""
    return np.array(list(product(values, repeat=queries)), dtype=np.int64).reshape(-1, queries)


def windows(scales: Scales) -> list[tuple[int, range]]:
    """Numbers of models, each with consecutive numbers of votes for 1, whose tables are enumerated for these scales.

    All tables of 1 to 7 models; and where the scales have many, 8 numbers of votes around the threshold.

    >>> windows(Scales(20.0, 1.0, 2.0, models=5))[-1]
    (7, range(0, 8))
    """
    found = [(models, range(models + 1)) for models in range(1, MOST_MODELS + 1)]
    centre = (scales.models + round(scales.threshold) + 1) // 2
    if scales.models - WINDOW > centre > scales.models // 2 + WINDOW:
        # two numbers of models, so that distances of either parity are there
        found += [(scales.models + more, range(centre - 4, centre - 4 + WINDOW)) for more in (0, 1)]
    return found


def worst_delta(mechanism: Mechanism, values: Sequence[int], queries: int, epsilons: Sequence[float]) -> list[Worst]:
    """For each epsilon the largest delta over all neighbouring tables of such counts, and the pair that has it."""
    ones = all_tables(values, queries)
    found, answered = _of_all(mechanism, ones)
    labels = mechanism.labels(ones)
    best = [Worst(0.0, (), ()) for _ in epsilons]
    for kept, moved in neighbours(ones, values[0], values[-1]):
        others = _numbers(moved, values)
        apart = ((labels[kept] != labels[others]).astype(float) @ answered.T) > 0
        one, other = found[kept], found[others]
        for place, epsilon in enumerate(epsilons):
            deltas = np.where(apart, one, np.maximum(one - math.exp(epsilon) * other, 0.0)).sum(axis=1)
            worst = int(deltas.argmax())
            if deltas[worst] > best[place].value:
                left, right = ones[kept[worst]].tolist(), moved[worst].tolist()
                best[place] = Worst(float(deltas[worst]), tuple(left), tuple(right))
    return best


def worst_loss(mechanism: Mechanism, values: Sequence[int], queries: int) -> Worst:
    """The largest |log p/p'| of a pattern whose labels agree, over all neighbouring tables of such counts."""
    ones = all_tables(values, queries)
    found, answered = _of_all(mechanism, ones)
    logs, labels = np.log(found), mechanism.labels(ones)
    best = Worst(0.0, (), ())
    for kept, moved in neighbours(ones, values[0], values[-1]):
        others = _numbers(moved, values)
        apart = ((labels[kept] != labels[others]).astype(float) @ answered.T) > 0
        losses = np.where(apart, 0.0, np.abs(logs[kept] - logs[others])).max(axis=1)
        worst = int(losses.argmax())
        if losses[worst] > best.value:
            best = Worst(float(losses[worst]), tuple(ones[kept[worst]].tolist()), tuple(moved[worst].tolist()))
    return best


def _of_all(mechanism: Mechanism, ones: Counts) -> tuple[Floats, Floats]:
    """The laws of all tables, and which queries each pattern answers."""
    distances, back = np.unique(mechanism.distances(ones), axis=0, return_inverse=True)
    found = laws(distances, mechanism.scales, mechanism.rounds)[back.ravel()]
    return found, (patterns(ones.shape[1], mechanism.rounds)[0] == ANSWERED).astype(float)


def _numbers(ones: Counts, values: Sequence[int]) -> NDArray[np.intp]:
    """The places of tables in the list of all."""
    powers = len(values) ** np.arange(ones.shape[1] - 1, -1, -1)
    return np.asarray((ones - values[0]) @ powers, dtype=np.intp)


def exact_delta(left: Any, right: Any, epsilon: float) -> Any:
    """``sum (p - e^epsilon p')_+`` of two laws in balls, as a ball; the outputs of the first law go through."""
    from flint import arb, ctx, fmpq

    exact = Fraction(epsilon)
    with ctx.workprec(256):
        factor = arb(fmpq(exact.numerator, exact.denominator)).exp()
        theirs = dict(zip(right.outputs, right.exact, strict=True))
        total = arb(0)
        for output, chance in zip(left.outputs, left.exact, strict=True):
            total += (chance - factor * theirs.get(output, arb(0))).max(arb(0))
        return total


def delta_of_pair(mechanism: Mechanism, worst: Worst, epsilon: float) -> float:
    """The delta of one ordered pair of tables, from the learner's own law in balls."""
    if not worst.left:
        return 0.0
    return float(exact_delta(mechanism.law(worst.left), mechanism.law(worst.right), epsilon).mid())
