"""The exact instances that the lines on stability, votes and the privacy of alg-2 are decided on."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dpcheck.proof.instances import Enumeration

if TYPE_CHECKING:
    from dpcheck.model.law import Law

#: What an exact law and a formula of doubles may differ by, relatively.
_CLOSE = 1e-9


def hockey_stick(first: Law, second: Law, epsilon: float) -> float:
    """``sum over outputs of max(0, P - e^epsilon Q)``, from exact laws; the larger of the two directions."""
    one, other = _chances(first), _chances(second)
    factor = math.exp(epsilon)
    return max(
        sum(max(0.0, here.get(output, 0.0) - factor * there.get(output, 0.0)) for output in {*here, *there})
        for here, there in ((one, other), (other, one))
    )


def _chances(law: Law) -> dict[Any, float]:
    assert law.exact is not None
    return {output: float(chance.mid()) for output, chance in zip(law.outputs, law.exact, strict=True)}


def label_chance(u: float) -> float:
    """The chance of a label at ``u = delta/(2m) exp(d/(2 lam))``: ``(4u - u^2)/6`` up to 1, and by symmetry above.

    >>> label_chance(1.0)
    0.5
    """
    return (4 * u - u**2) / 6 if u <= 1 else 1 - label_chance(1 / u)


def noise(epsilon: float, delta: float, cutoff: float = 1.0) -> float:
    """The printed lambda."""
    return math.sqrt(32 * cutoff * math.log(2 / delta)) / epsilon


def _same(found: float, expected: float) -> bool:
    return abs(found - expected) <= _CLOSE * max(abs(found), abs(expected))


def stability_below_one() -> Enumeration:
    """A_stab of a function that changes with one record, at epsilon = 10, delta = beta = exp(-9/2)."""
    from dpcheck.papers.bassily2018.learners.stability import StableRelease, largest_stability, required_stability

    epsilon, delta = 10.0, math.exp(-4.5)

    def parity(dataset: Any) -> int:
        return len(dataset) % 2

    def distance(dataset: Any) -> int:
        return largest_stability(parity, tuple(dataset), (0, 1), 3)

    failure, count = "", 0
    learner = StableRelease(parity, distance, epsilon=epsilon, delta=delta)
    for ones in range(4):
        for zeros in range(4):
            count += 1
            dataset = (0,) * zeros + (1,) * ones
            chance = _chances(learner.distribution(dataset)).get(parity(dataset), 0.0)
            if distance(dataset) != 0 or not _same(chance, delta / 2) or chance >= 1 - delta:
                failure = f"{dataset}: released with probability {chance}"
    if not required_stability(epsilon, delta, delta) < 1:
        failure = "the stability that is asked for is not below 1"
    return Enumeration(
        "the parity of the number of records, at most 3 of each of two kinds, epsilon = 10, delta = beta = exp(-4.5): "
        "0.9-stable, and released with probability delta/2", count, failure,
    )  # fmt: skip


def three_votes() -> Enumeration:
    """Three chunks, each voting 1 unless a record labelled 0 is in it: printed distance 2, two records reverse it."""
    from dpcheck.papers.bassily2018.learners.stability import distance_to_instability, largest_stability
    from dpcheck.papers.bassily2018.learners.votes import printed_distance

    universe = tuple((chunk, label) for chunk in range(3) for label in (0, 1))

    def ones(dataset: Any) -> int:
        return sum(not any(record == (chunk, 0) for record in dataset) for chunk in range(3))

    def majority(dataset: Any) -> int:
        return int(ones(dataset) >= 2)

    start = tuple((chunk, 1) for chunk in range(3))
    printed = int(printed_distance(np.array([[3 - ones(start), ones(start)]]))[0])
    stable = largest_stability(majority, start, universe, 3)
    away = distance_to_instability(majority, start, universe, 3)
    failure = "" if (printed, stable, away) == (2, 1, 1) else f"printed {printed}, stable {stable}, distance {away}"
    return Enumeration(
        "three chunks with one record each, all votes for 1; all datasets within three records", 1, failure
    )


def _votes(ones: int) -> tuple[Any, Any]:
    """Records labelled 1, each in a chunk of its own; chunks without a record vote 0."""
    return np.arange(ones), np.ones(ones, dtype=int)


def _own_chunk(record: Any) -> int:
    return int(record[0])


def _law_of_votes(ones: int, models: int, lam: float, threshold: float) -> Law:
    from dpcheck.papers.bassily2018.learners import ChunkMajority, PrivateAnswers, Scales

    scales = Scales(threshold, lam, 2 * lam, models, 1)
    return PrivateAnswers(ChunkMajority(), [0], scales, split=_own_chunk).distribution(_votes(ones))


def large_epsilon() -> Enumeration:
    """T = 1, m = 1, (30, 0.1), the printed scales: 40 records in chunks of their own against 39, through alg-2."""
    from dpcheck.papers.bassily2018.learners import printed_scales

    epsilon, delta = 30.0, 0.1
    scales = printed_scales(epsilon, delta, 0.05, 1, 1)
    lam = scales.threshold_scale
    laws = [_law_of_votes(ones, scales.models, lam, scales.threshold) for ones in (40, 39)]
    exact = hockey_stick(laws[0], laws[1], epsilon)
    formula = label_chance(delta / 2 * math.exp(1 / (2 * lam)))
    failure = ""
    if scales.models != 80 or not _same(exact, formula) or exact <= delta:
        failure = f"k = {scales.models}, exact delta {exact}, formula {formula}"
    return Enumeration(
        f"T = 1, m = 1, epsilon = 30, delta = 0.1, k = 80, one record removed: exact delta {exact:.4f}", 1, failure
    )


def small_cutoff() -> Enumeration:
    """T = 1/1000, m = 1, (1, 10^-6), 125 records in chunks of their own against 124, through alg-2."""
    epsilon, delta, cutoff = 1.0, 1e-6, 1e-3
    lam = noise(epsilon, delta, cutoff)
    models = math.ceil(34 * math.sqrt(2) * lam * math.log(4 * cutoff / delta))
    threshold = 2 * lam * math.log(2 / delta)
    first, second = (_law_of_votes(ones, models, lam, threshold) for ones in (125, 124))
    exact = hockey_stick(first, second, epsilon)
    none = [1 - label_chance(delta / 2 * math.exp(d / (2 * lam))) for d in (21, 23)]
    formula = none[0] - math.e * none[1]
    failure = ""
    if models != 272 or not _same(exact, formula) or exact <= delta:
        failure = f"k = {models}, exact delta {exact}, formula {formula}"
    return Enumeration(
        f"T = 1/1000, m = 1, epsilon = 1, delta = 10^-6, k = 272, one record removed: exact delta {exact:.4f}",
        1,
        failure,
    )


def blocks() -> Enumeration:
    """15750 blocks of two records, labels 1 1 0 0 1 1 0 0 ..., the first record removed; the law of their votes."""
    from dpcheck.papers.bassily2018.learners import answers_law, printed_scales
    from dpcheck.papers.bassily2018.learners.chunks import chunk_numbers

    epsilon, delta = 1.0, 1e-6
    scales = printed_scales(epsilon, delta, 0.05, 1, 1)
    labels = np.tile([1, 1, 0, 0], scales.models // 2 + 1)[: 2 * scales.models]
    laws, ones = [], []
    for each in (labels, labels[1:]):
        numbers = chunk_numbers(np.zeros(len(each)), each, scales.models, "blocks")
        held = np.bincount(numbers, minlength=scales.models)
        votes = (np.bincount(numbers, weights=each, minlength=scales.models) == 2) & (held == 2)
        ones.append(int(votes.sum()))
        laws.append(answers_law([[scales.models - ones[-1], ones[-1]]], scales))
    exact = hockey_stick(laws[0], laws[1], epsilon)
    failure = ""
    if scales.models != 15750 or ones != [7875, 0] or exact <= 1 - delta:
        failure = f"k = {scales.models}, votes for 1: {ones}, exact delta {exact}"
    return Enumeration(
        f"k = 15750 blocks of two records, votes for 1: {ones[0]} and {ones[1]}; exact delta {exact!r}", 1, failure
    )


def answers_cost() -> Enumeration:
    """Leads of 602 and 600 of 15750 votes at (1, 10^-6): the chances of the label, from the exact laws."""
    from dpcheck.papers.bassily2018.learners import answers_law, printed_scales

    delta = 1e-6
    scales = printed_scales(1.0, delta, 0.05, 1, 1)
    half = scales.models // 2
    laws = [answers_law([[half + lead // 2, half - lead // 2]], scales) for lead in (602, 600)]
    exact = hockey_stick(laws[0], laws[1], 0.0)
    lam = scales.threshold_scale
    first, second = (label_chance(delta / 2 * math.exp(d / (2 * lam))) for d in (601, 599))
    failure = "" if _same(exact, first - second) and exact > delta else f"{exact} against {first - second}"
    return Enumeration(f"votes 8176 to 7574 and 8175 to 7575: delta at epsilon = 0 is {exact:.4f}", 1, failure)


def _together(*witnesses: Callable[[], Enumeration]) -> Enumeration:
    found = [witness() for witness in witnesses]
    return Enumeration(
        "; ".join(each.family for each in found), sum(each.count for each in found),
        "; ".join(each.failure for each in found if each.failure),
    )  # fmt: skip


def printed_scales_are_not_private() -> Enumeration:
    """Large epsilon, and a cutoff below 1; and the closed form that both use."""
    return _together(large_epsilon, small_cutoff, tail_of_the_difference)


def not_private_as_printed() -> Enumeration:
    """Large epsilon, blocks under add/remove, and a cutoff below 1."""
    return _together(large_epsilon, blocks, small_cutoff)


def tail_of_the_difference() -> Enumeration:
    """``P[Lap(2 lam) - Lap(lam) > x]`` is ``(4 exp(-x/(2 lam)) - exp(-x/lam))/6``: against the law of alg-2, x >= 0.

    Distances 0..39, thresholds 0..24 above them: the law integrates over the threshold's noise piece by piece.
    """
    from dpcheck.papers.bassily2018.learners import Scales, answers_law

    failure, count = "", 0
    for gap in range(25):
        for lam in (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10)):
            for distance in range(10):
                count += 1
                scales = Scales(float(distance + gap), float(lam), float(2 * lam))
                law = answers_law([[0, distance + 1]], scales)
                found = _chances(law).get((1,), 0.0)
                expected = label_chance(math.exp(-gap / (2 * lam)))
                if not _same(found, expected):
                    failure = f"gap {gap}, lam {lam}, d {distance}: {found} against {expected}"
    return Enumeration("thresholds 0..24 above distances 0..9, lam in {1/2, 1, 3, 10}", count, failure)
