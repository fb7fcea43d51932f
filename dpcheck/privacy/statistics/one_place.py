"""Log-odds that differ in one place alone: one answer of many, or one stretch of a line.

Where nearly all answers are alike, what most have in common says that none differs, long after the counts of a single
one began to speak. Here one place differs, and it is asked which: the answer is a law over places, which says what to
guess while none is sure.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpcheck.privacy.statistics.posterior import (
    DRAWS,
    QUADRATURE_SEED,
    REACH,
    Floats,
    Integers,
    Posterior,
    expit,
    offsets,
)

#: Spreads of the difference, each as likely.
SPREADS: Floats = np.array([0.5, 1.0, 2.0])
#: Bins that a stretch of a line may have; each length is as likely, and so is each place of one length.
LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
#: What the model is called.
NAME = "one place"


def in_one_place(histogram: Integers, order: NDArray[np.intp] | None = None) -> Posterior:
    """The posterior of bins of which one differs, or one stretch of bins that follow each other.

    Parameters
    ----------
    histogram : integers, shape (B, 2): past outputs per bin on D' (column 0) and on D (column 1)
    order : places of bins, optional: those of a number, from the least to the largest; others differ alone

    Examples
    --------
    >>> counts = np.array([[20, 20]] * 30 + [[2, 28]] + [[20, 20]] * 30)
    >>> found = in_one_place(counts)
    >>> int(np.argmax(found.probability)), found.probability[[3, 30]].round(1).tolist()
    (30, [0.5, 0.9])
    """
    count = len(histogram)
    line = np.zeros(0, np.intp) if order is None else order
    # the bins of the line first, so that each candidate is a stretch of what follows
    places = np.concatenate([line, np.setdiff1d(np.flatnonzero(histogram.sum(axis=1) > 0), line)]).astype(np.intp)
    starts, ends, prior = _stretches(len(line), len(places))
    reached = np.concatenate([np.zeros((1, 2), np.int64), np.cumsum(histogram[places], axis=0)])
    held = reached[ends] - reached[starts]
    grid = offsets(held, REACH)
    slab = np.exp(-0.5 * (grid / SPREADS[:, None]) ** 2)
    slab = (slab / slab.sum(axis=1, keepdims=True)).mean(axis=0)
    gained = math.log(2.0) * held.sum(axis=1, keepdims=True) - held @ np.logaddexp(0.0, np.stack([grid, -grid]))
    top = gained.max(axis=1)
    after = np.exp(gained - top[:, None]) * slab
    size = after.sum(axis=1)
    after /= size[:, None]
    logs = np.log(prior) + top + np.log(size)
    whole = float(np.logaddexp.reduce(logs))
    law = np.exp(logs - whole)
    steps = np.zeros(len(places) + 1)
    moved = law * (after @ expit(grid) - 0.5)
    np.add.at(steps, starts, moved)
    np.subtract.at(steps, ends, moved)
    probability = np.full(count, 0.5)
    probability[places] += np.cumsum(steps)[:-1]
    evidence = whole - math.log(2.0) * float(histogram.sum())
    draws = _drawn(law, after, grid, (starts, ends), places, count)
    mass = histogram.sum(axis=1).astype(np.float64)
    return Posterior(NAME, probability, draws, mass / max(mass.sum(), 1.0), evidence)


def _stretches(line: int, all_of_them: int) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats]:
    """Where candidates start and end, and their prior: stretches of the line, and each other bin by itself."""
    lengths = [length for length in LENGTHS if length <= max(1, line // 2)] if line else []
    starts = [np.arange(line - length + 1) for length in lengths]
    ends = [start + length for start, length in zip(starts, lengths, strict=True)]
    prior = [np.full(len(start), 1.0 / len(start)) for start in starts]
    others = np.arange(line, all_of_them)
    if len(others):
        starts, ends = [*starts, others], [*ends, others + 1]
        prior.append(np.full(len(others), 1.0 / len(others)))
    laws = np.concatenate(prior) / len(prior)
    return np.concatenate(starts).astype(np.intp), np.concatenate(ends).astype(np.intp), laws


def _drawn(
    law: Floats,
    after: Floats,
    log_odds: Floats,
    stretches: tuple[NDArray[np.intp], NDArray[np.intp]],
    places: NDArray[np.intp],
    count: int,
) -> Floats:
    """Log-odds drawn: a stretch each, evenly over their law, and what it differs by, shape (DRAWS, B)."""
    chances = np.random.default_rng(QUADRATURE_SEED).random((2, DRAWS))
    evenly = (np.arange(DRAWS) + chances[0]) / DRAWS
    which = np.minimum(np.searchsorted(np.cumsum(law), evenly), len(law) - 1)
    reached = np.cumsum(after[which], axis=1)
    by = np.minimum((reached < chances[1][:, None]).sum(axis=1), len(log_odds) - 1)
    draws = np.zeros((DRAWS, count))
    for number, stretch in enumerate(which):
        draws[number, places[stretches[0][stretch] : stretches[1][stretch]]] = log_odds[by[number]]
    return draws
