"""Random pairs of finite laws whose loss is known exactly, with a claim exactly there and one just below it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpcheck.model.claims import ApproxDP, PureDP
from dpcheck.model.law import IntegerScores, Law

#: By how much, relatively, the smaller claim is below the loss: a double could not tell either at the boundary.
HAIR = Fraction(1, 10**12)
#: The same for laws in floats, whose author vouches for 2^-41 of each logarithm only.
FLOAT_HAIR = Fraction(1, 10**11)
KINDS = ("fractions", "scores", "balls", "floats", "delta")


@dataclass(frozen=True)
class Case:
    """Two laws, the claim that they keep with equality, and one a hair smaller that they break."""

    left: Any
    right: Any
    claim: Any
    smaller: Any


def cases(kind: str, count: int, rng: np.random.Generator) -> Iterator[Case]:
    """``count`` random cases of one kind of law."""
    make = {"fractions": _fractions, "scores": _scores, "balls": _balls, "floats": _floats, "delta": _delta}[kind]
    return (make(rng) for _ in range(count))


def _two_rational_laws(rng: np.random.Generator) -> tuple[list[Fraction], list[Fraction]]:
    size = int(rng.integers(2, 8))
    one, other = ([int(n) for n in rng.integers(1, 10**6, size)] for _ in range(2))
    return [Fraction(n, sum(one)) for n in one], [Fraction(n, sum(other)) for n in other]


def _largest_ratio(one: list[Fraction], other: list[Fraction]) -> Fraction:
    return max(max(p / q, q / p) for p, q in zip(one, other, strict=True))


def _fractions(rng: np.random.Generator) -> Case:
    one, other = _two_rational_laws(rng)
    ratio = _largest_ratio(one, other)
    left, right = dict(enumerate(one)), dict(enumerate(other))
    return Case(left, right, PureDP(ratio=ratio), PureDP(ratio=1 + (ratio - 1) * (1 - HAIR)))


def _delta(rng: np.random.Generator) -> Case:
    """A rational law, with delta exactly what it is at a random ratio."""
    while True:
        one, other = _two_rational_laws(rng)
        ratio = 1 + (_largest_ratio(one, other) - 1) * Fraction(int(rng.integers(1, 9)), 10)
        delta = max(
            sum((max(p - ratio * q, Fraction(0)) for p, q in zip(a, b, strict=True)), Fraction(0))
            for a, b in ((one, other), (other, one))
        )
        if delta > 0:
            left, right = dict(enumerate(one)), dict(enumerate(other))
            smaller = ApproxDP(ratio=ratio, delta=delta * (1 - HAIR))
            return Case(left, right, ApproxDP(ratio=ratio, delta=delta), smaller)


def _mirrored(rng: np.random.Generator) -> tuple[Fraction, list[int], list[int], int]:
    """Scores that are the same ones on both sides: the loss is exactly half the largest gap, times epsilon."""
    epsilon = Fraction(int(rng.integers(1, 1000)), int(rng.integers(100, 1000)))
    size = int(rng.integers(2, 8))
    scores = [int(score) for score in rng.integers(0, 6, size)]
    order = rng.permutation(size)
    moved = [scores[place] for place in order]
    if moved == scores:
        scores[0] = scores[-1] + 1
        moved = scores[::-1]
    gap = max(abs(a - b) for a, b in zip(scores, moved, strict=True))
    return epsilon, scores, moved, gap


def _scores(rng: np.random.Generator) -> Case:
    epsilon, one, other, gap = _mirrored(rng)
    left, right = (Law(range(len(one)), exact=IntegerScores(epsilon, scores)) for scores in (one, other))
    loss = epsilon * gap / 2
    return Case(left, right, PureDP(loss), PureDP(loss * (1 - HAIR)))


def _balls(rng: np.random.Generator) -> Case:
    """The same laws as balls of 256 bits: equality cannot be decided, a hair can."""
    from flint import arb, ctx, fmpq

    epsilon, one, other, gap = _mirrored(rng)
    laws = []
    with ctx.workprec(256):
        for scores in (one, other):
            half = epsilon / 2
            weights = [(arb(fmpq(half.numerator, half.denominator)) * score).exp() for score in scores]
            total = sum(weights, arb(0))
            laws.append({place: weight / total for place, weight in enumerate(weights)})
    loss = epsilon * gap / 2
    return Case(*laws, PureDP(loss), PureDP(loss * (1 - HAIR)))


def _floats(rng: np.random.Generator) -> Case:
    epsilon, one, other, gap = _mirrored(rng)
    laws = []
    for scores in (one, other):
        weights = np.exp(float(epsilon) / 2 * np.array(scores, dtype=float))
        laws.append(dict(enumerate((weights / weights.sum()).tolist())))
    loss = epsilon * gap / 2
    return Case(*laws, PureDP(loss), PureDP(loss - max(loss, Fraction(1)) * FLOAT_HAIR))
