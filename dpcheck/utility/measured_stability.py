"""Stability, generalisation gap and empirical risk by trials, with intervals that hold whatever the learner does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator, SeedSequence, default_rng
from numpy.typing import NDArray

from dpcheck.execution.fresh_learners import FreshLearners
from dpcheck.model.data import size_of
from dpcheck.model.errors import InvalidArgument
from dpcheck.model.learner import as_target
from dpcheck.parts.mechanisms.choice import as_outputs
from dpcheck.parts.risk.losses import Loss
from dpcheck.utility.arguments import between, whole
from dpcheck.utility.bounded_means import mean_interval


@dataclass(frozen=True)
class MeasuredStability:
    """The largest change of an expected loss over the pairs and records tried.

    ``interval`` encloses it, save with probability ``level``. Its lower end is a lower bound of the stability itself;
    its upper end is about these pairs and records only. ``pair`` and ``record`` are the places of the largest.
    """

    interval: tuple[float, float]
    level: float
    pair: int
    record: int
    trials: int

    def breaks(self, bound: float) -> bool:
        """Whether the stability is above the bound, which is wrong with probability at most ``level``."""
        return self.interval[0] > bound


@dataclass(frozen=True)
class MeasuredGaps:
    """Intervals that hold together, save with probability ``level``.

    ``gap`` is the expected risk of the output minus its expected risk on the sample, ``above_minimum`` the latter
    above the least risk on the sample (None where there are no candidates to minimise over).
    """

    gap: tuple[float, float]
    above_minimum: tuple[float, float] | None
    level: float
    trials: int


def measured_stability(
    learner: Any,
    loss: Loss,
    pairs: Sequence[tuple[Any, Any]],
    records: Any,
    *,
    trials: int = 2_000,
    level: float = 1e-9,
    seed: int = 0,
) -> MeasuredStability:
    """By how much the expected loss changes between the datasets of some pairs, from independent outputs.

    Parameters
    ----------
    learner : learner or factory of learners
        A fresh one serves each output, or one draws all of them where it has ``sample(dataset, size, rng)``.
    loss : Loss with values from 0 to 1; a ``FiniteProblem`` is one
    pairs : sequence of 2-tuples of datasets, neighbours on your word
    records : dataset of the records at which the loss is taken
    trials : int, outputs on each dataset
    level : float, probability that the interval misses
    seed : int

    Raises
    ------
    InvalidArgument
        When there is no pair or record, or an argument is none of these.

    Source: wang2016:def-6; intervals as in :func:`~dpcheck.utility.bounded_means.mean_interval`.

    Examples
    --------
    >>> from dpcheck.papers.wang2016.learners import RegularisedExponential, absolute_loss
    >>> coin = absolute_loss([0, 1])
    >>> learner = RegularisedExponential(coin, [0, 1], epsilon=0.1)
    >>> found = measured_stability(learner, coin, [([0, 0], [0, 1])], [0, 1], trials=500)
    >>> found.interval[0] <= 0.05 <= found.interval[1]
    True
    """
    trials, level = whole("trials", trials, 1), float(between("level", level, 0, 1))
    if not len(pairs) or not size_of(records):
        raise InvalidArgument("pairs and records must hold at least one pair and one record")
    each = level / (2 * len(pairs) * size_of(records))
    low, high, best = 0.0, 0.0, (0, 0)
    learners = FreshLearners(as_target(learner))
    for place, pair in enumerate(pairs):
        means = []
        for side, dataset in enumerate(pair):
            outputs = _outputs(learners, dataset, trials, SeedSequence([seed, place, side]))
            means.append(_values(loss, outputs, records).mean(axis=0))
        for record in range(size_of(records)):
            (a, b), (c, d) = (mean_interval(float(mean[record]), trials, each) for mean in means)
            if max(a - d, c - b, 0.0) > low:
                low, best = max(a - d, c - b), (place, record)
            high = max(high, b - c, d - a)
    return MeasuredStability((low, min(1.0, high)), level, *best, trials)


def measured_gaps(
    learner: Any,
    loss: Loss,
    draw: Callable[[int, Generator], Any],
    size: int,
    *,
    hypotheses: Any = None,
    fresh: int = 20,
    trials: int = 2_000,
    level: float = 1e-9,
    seed: int = 0,
) -> MeasuredGaps:
    """The generalisation gap and the excess empirical risk, averaged over samples and the learner's coins.

    Each trial draws a sample, runs the learner on it and takes its loss on the sample and on fresh records; no risk
    has to be known.

    Parameters
    ----------
    learner : learner or factory of learners
    loss : Loss with values from 0 to 1
    draw : callable (size, rng) -> dataset of independent records
    size : int, records of a sample
    hypotheses : what the least empirical risk is taken over, as the loss takes them, optional
    fresh : int, fresh records per trial
    trials : int
    level : float, probability that an interval misses
    seed : int

    Raises
    ------
    InvalidArgument
        When an argument is none of these.

    Source: wang2016:def-5, def-6, thm-35.

    Examples
    --------
    >>> from dpcheck.papers.wang2016.learners import RegularisedExponential, absolute_loss
    >>> coin = absolute_loss([0, 1])
    >>> learner = RegularisedExponential(coin, [0, 1], epsilon=0.1)
    >>> found = measured_gaps(learner, coin, lambda n, rng: rng.integers(2, size=n), 5, hypotheses=[0, 1], trials=300)
    >>> found.gap[0] <= 0.05 <= found.gap[1]
    True
    """
    size, trials, fresh = whole("size", size, 1), whole("trials", trials, 1), whole("fresh", fresh, 1)
    level = float(between("level", level, 0, 1))
    gaps, above = np.zeros(trials), np.zeros(trials)
    learners = FreshLearners(as_target(learner))
    for trial in range(trials):
        stream = SeedSequence([seed, trial])
        rng = default_rng(stream)
        sample, others = draw(size, rng), draw(fresh, rng)
        output = _outputs(learners, sample, 1, stream, rng)
        seen = float(_values(loss, output, sample).mean())
        gaps[trial] = float(_values(loss, output, others).mean()) - seen
        if hypotheses is not None:
            above[trial] = seen - float(_values(loss, hypotheses, sample).mean(axis=1).min())
    each = level if hypotheses is None else level / 2
    minimum = None
    if hypotheses is not None:
        minimum = mean_interval(float(above.mean()), trials, each, low=-1.0)
    return MeasuredGaps(mean_interval(float(gaps.mean()), trials, each, low=-1.0), minimum, level, trials)


def _outputs(
    learners: FreshLearners, dataset: Any, size: int, stream: SeedSequence, rng: Generator | None = None
) -> list[Any]:
    rng = default_rng(stream) if rng is None else rng
    outputs: list[Any] = []
    # a fresh learner for each output: one that keeps something from call to call would make them depend on each other
    while len(outputs) < size:
        seed = SeedSequence(stream.entropy, spawn_key=(*stream.spawn_key, len(outputs)))
        with learners.of_trial(seed) as learner:
            if callable(getattr(learner, "sample", None)):
                return as_outputs(learner.sample(dataset, size, rng))
            outputs.append(learner(dataset, rng))
    return outputs


def _values(loss: Loss, hypotheses: Any, records: Any) -> NDArray[np.float64]:
    """The losses, shape (hypotheses, records), checked to be from 0 to 1."""
    found = np.asarray(loss.values(hypotheses, records), dtype=np.float64)
    if not ((found >= 0) & (found <= 1)).all():
        raise InvalidArgument(f"loss must have values from 0 to 1, got {found.min()} to {found.max()}")
    return found
