"""The exact instances that go with refuted lines of section 5 of beimel2015."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np

from dpcheck.papers.beimel2015.theorems.boosting_instances import one_example
from dpcheck.proof.instances import Enumeration

__all__ = ["one_example", "private_search", "three_of_eight"]

Entry = tuple[int, int]


def three_of_eight(d: int = 4, targets: int = 8) -> Enumeration:
    """Every hypothesis on {0, ..., 15} against the targets c_1, ..., c_8, at alpha = 1/16."""
    points = 2**d
    concepts = np.array([(1 << t) - 1 for t in range(1, targets + 1)], dtype=np.uint32)
    hypotheses = np.arange(1 << points, dtype=np.uint32)
    good = sum((np.bitwise_count(hypotheses ^ concept) <= 1).astype(int) for concept in concepts)
    best = int(np.max(good))
    middle = int(good[(1 << (targets // 2)) - 1])
    failure = (
        "" if middle == 3 and Fraction(targets - middle, targets) < Fraction(3, 4) else f"c_4 is good for {middle}"
    )
    return Enumeration(
        f"d = {d}, alpha = 1/{points}, B = {{1, ..., {targets}}}: all {len(hypotheses)} hypotheses; "
        f"c_{targets // 2} is alpha-good for {middle} of the targets, none for more than {best}", len(hypotheses), failure,
    )  # fmt: skip


def searched(dataset: tuple[Entry, ...], chosen: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """The threshold found by halving among the chosen entries, and the indices whose labels were asked for."""
    order = sorted(chosen, key=lambda index: (dataset[index][0], index))
    low, high, asked = 0, len(order), list[int]()
    while low < high:
        middle = (low + high) // 2
        asked.append(order[middle])
        low, high = (middle + 1, high) if dataset[order[middle]][1] else (low, middle)
    return (dataset[order[low - 1]][0] + 1 if low else 0), tuple(asked)


def private_search(size: int = 4, drawn: int = 2, points: int = 3, delta: Fraction | None = None) -> Enumeration:
    """Binary search in a random part: the exact law of (hypothesis, transcript) on all samples, all neighbours.

    The two laws of a pair are at most drawn/size apart in total variation; and on uniform i.i.d. points the error exceeds alpha
    with probability at most (1 - alpha)^drawn, for every target.
    """
    promised = Fraction(drawn, size) if delta is None else delta
    entries = list(itertools.product(range(points), (0, 1)))
    parts = list(itertools.combinations(range(size), drawn))
    laws = {
        dataset: Counter(searched(dataset, chosen) for chosen in parts)
        for dataset in itertools.product(entries, repeat=size)
    }
    count, failure, most = 0, "", 0
    for dataset, law in laws.items():
        for place in range(size):
            for entry in entries:
                if entry > dataset[place]:
                    count += 1
                    apart = (law - laws[(*dataset[:place], entry, *dataset[place + 1 :])]).total()
                    most = max(most, apart)
                    if Fraction(apart, len(parts)) > promised:
                        failure = f"{dataset}, entry {place} replaced by {entry}"
    if any(len(asked) > drawn.bit_length() for law in laws.values() for _, asked in law):
        failure = "more labels asked for than a binary search needs"
    for target in range(points + 1):
        for wrong in range(1, points):  # alpha just below wrong/points
            fails = 0
            for sample in itertools.product(range(points), repeat=drawn):
                found = searched(tuple((x, int(x < target)) for x in sample), tuple(range(drawn)))[0]
                fails += abs(found - target) >= wrong
            if Fraction(fails, points**drawn) > Fraction(points - wrong, points) ** drawn:
                failure = f"target {target}, alpha {wrong}/{points}"
    return Enumeration(
        f"X = {{0, ..., {points - 1}}}, all {len(laws)} samples of {size} labelled entries, {drawn} of them drawn, "
        "all neighbours: the laws of (hypothesis, transcript) are "
        f"at most {Fraction(most, len(parts))} apart, delta = {promised} and eps = 0", count, failure,
    )  # fmt: skip
