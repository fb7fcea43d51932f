"""Adversarial vote tables for more queries and rounds than can be enumerated: searched tables, and endless streams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpcheck.papers.bassily2018.learners import Scales
from dpcheck.papers.bassily2018.trials.vote_laws import Floats, laws
from dpcheck.parts.mechanisms.quadrature import laplace_expectation_rule

#: Distances that a search tries, in scales of the threshold's noise from the threshold.
_PLACES = (-6.0, -4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
_STEPS = (-2, 0, 2)
#: A sweep that raises delta by less than this part of it is the last.
_WORTH = 1e-3
_MOST_SWEEPS = 6
#: Cells between no loss and the largest of one round.
_CELLS = 2000
#: Answers of a round that are told apart; a longer one is not counted.
_LONGEST = 48


@dataclass(frozen=True)
class Stream:
    """A pair of distances for each query, none of them where the leading labels differ, and its delta."""

    delta: float
    left: tuple[float, ...]
    right: tuple[float, ...]


def deltas(left: Floats, right: Floats, scales: Scales, rounds: int, epsilon: float) -> Floats:
    """``sum (p - e^epsilon p')_+`` for N pairs of rows of distances, shape (N,)."""
    both = laws(np.concatenate([left, right]), scales, rounds)
    one, other = both[: len(left)], both[len(left) :]
    found: Floats = np.maximum(one - math.exp(epsilon) * other, 0.0).sum(axis=1)
    return found


def searched(
    scales: Scales, rounds: int, queries: int, epsilon: float, rng: np.random.Generator, moves: Sequence[int] = _STEPS
) -> Stream:
    """Coordinate ascent: one query after the other gets the distance and the change with which delta is largest.

    It starts from a probe of every query but the last, which falls just below the threshold, and from a random table.
    Distances are whole numbers that one changed vote moves by 0 or 2 (the printed distance, where no label changes).
    """
    best = Stream(0.0, (), ())
    least = math.floor(scales.threshold - 8 * scales.threshold_scale)
    options = np.array(
        [
            (max(2, round(scales.threshold + place * scales.threshold_scale), least), step)
            for place in _PLACES
            for step in moves
        ],
        dtype=float,
    )
    options = np.unique(options, axis=0)
    structured = np.array([[scales.threshold + 2.0, moves[0]]] * (queries - 1) + [[scales.threshold, moves[-1]]])
    structured[:, 0] = np.maximum(2, np.round(structured[:, 0]))
    for table in (structured, options[rng.integers(len(options), size=queries)]):
        current = 0.0
        for _ in range(_MOST_SWEEPS):
            before = current
            for place in range(queries):
                tried = np.repeat(table[None], len(options), axis=0)
                tried[:, place] = options
                found = deltas(tried[:, :, 0], tried[:, :, 0] + tried[:, :, 1], scales, rounds, epsilon)
                table, current = tried[int(found.argmax())], float(found.max())
            if current <= before * (1 + _WORTH):
                break
        if current > best.delta:
            best = Stream(current, tuple(table[:, 0].tolist()), tuple((table[:, 0] + table[:, 1]).tolist()))
    return best


def endless_delta(scales: Scales, rounds: int, epsilon: float, step: float = 2.0) -> float:
    """A lower bound on delta for one distance, at the threshold, asked again and again until all rounds are used up.

    The two tables have the distances ``w - step/2`` and ``w + step/2`` throughout, so that the rounds are independent
    and alike: what they are composed of is the number of answers before an abstention. Rounds of more than 48 answers
    are not counted, and losses are rounded down to a grid before they are added up by a Fourier transform: both can
    only lower delta, but for the rounding of doubles (1e-12 or so).
    """
    best = 0.0
    for sign in (1.0, -1.0):
        one = _round_lengths(scales, sign * step / 2)
        other = _round_lengths(scales, -sign * step / 2)
        best = max(best, _composed(one, np.log(one / other), rounds, epsilon))
    return best


def _round_lengths(scales: Scales, gap: float) -> Floats:
    noise, weights = laplace_expectation_rule(scales.threshold_scale, [gap], scales.query_scale)
    behind = (noise - gap) / scales.query_scale
    tail = np.exp(-np.abs(behind)) / 2
    answers, abstains = np.where(behind > 0, tail, 1 - tail), np.where(behind > 0, 1 - tail, tail)
    found = []
    for _ in range(_LONGEST):
        found.append(float((weights * abstains).sum()))
        weights = weights * answers
    return np.array(found)


def _composed(chances: Floats, losses: Floats, rounds: int, epsilon: float) -> float:
    """``sum (p - e^epsilon p')_+`` of so many independent copies, the losses rounded down."""
    # so fine that all roundings together are a hundredth of the claim, where memory allows it
    cell = max(float(np.abs(losses).max()) / _CELLS, 1e-12)
    cell = min(cell, max(epsilon / (100 * rounds), float(np.ptp(losses)) * rounds / (1 << 23)))
    places: NDArray[np.int64] = np.floor(losses / cell).astype(np.int64)
    lowest = int(places.min())
    length = rounds * int(np.ptp(places)) + 1
    size = 1 << (length - 1).bit_length()
    spectrum = np.fft.rfft(np.bincount(places - lowest, chances, minlength=size)) ** rounds
    total = np.maximum(np.fft.irfft(spectrum, size)[:length], 0.0)
    sums = (np.arange(length) + rounds * lowest) * cell
    above = sums > epsilon
    return float((total[above] * -np.expm1(epsilon - sums[above])).sum())
