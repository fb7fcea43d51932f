"""The sparse vector of alg-2 one query at a time: what is drawn, what an answer costs, and the law step by step."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcheck.model.errors import InvalidArgument
from dpcheck.model.law import Law
from dpcheck.papers.bassily2018.learners.rounds import ABSTAINS, ANSWERED, NOT_ASKED
from dpcheck.papers.bassily2018.learners.scales import Guard, Scales, check_guard
from dpcheck.papers.bassily2018.learners.votes import ABSTAINED, UNANSWERED
from dpcheck.parts.mechanisms.quadrature import laplace_cdf, laplace_expectation_rule

#: How far the logarithm of a probability that is integrated here may be from the truth: measured against the exact
#: law it is below 1e-12.
_ERROR = 1e-11
#: Laws of more outputs are not declared: each is an integral.
MOST_OUTPUTS = 1 << 12
#: How many queries of a batch are looked at first, and then twice as many until one is not answered.
_FIRST_BLOCK = 64


@dataclass(frozen=True)
class Steps:
    """The steps of alg-2 after the votes are counted, each a method.

    Parameters
    ----------
    scales : Scales
    guard : "printed" or "strict"
        Whether the abstention number T + 1 is still given.

    Raises
    ------
    InvalidArgument
        When the guard is neither.

    Source: bassily2018:alg-2, steps 2, 5, 8 and 9.

    Examples
    --------
    >>> steps = Steps(Scales(threshold=4.0, threshold_scale=1.0, query_scale=2.0))
    >>> answered, abstained = steps.chances(np.array([4.0, 10.0]), 4.0)
    >>> answered.round(4).tolist(), steps.charge(answered=False), steps.redraws(answered=True)
    ([0.5, 0.9751], 1, False)
    """

    scales: Scales
    guard: Guard = "printed"

    def __post_init__(self) -> None:
        check_guard(self.guard)

    @property
    def limit(self) -> int:
        """The number of abstentions after which nothing is answered."""
        return self.scales.rounds(self.guard)

    def bars(self, size: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Fresh noisy thresholds, ``w + Lap(lambda)``, shape (size,)."""
        return self.scales.threshold + rng.laplace(0.0, self.scales.threshold_scale, size)

    def chances(
        self, distances: NDArray[Any], bars: NDArray[np.float64] | float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How likely ``distance + Lap(2 lambda) > bar`` is, and how likely it is not: each from its own tail."""
        gaps = np.asarray(distances - np.asarray(bars), dtype=float)
        return laplace_cdf(gaps, self.scales.query_scale), laplace_cdf(-gaps, self.scales.query_scale)

    def charge(self, *, answered: bool) -> int:
        """What an answer costs of the limit: nothing for a label, 1 for an abstention."""
        return 0 if answered else 1

    def redraws(self, *, answered: bool) -> bool:
        """Whether the threshold gets fresh noise: after an abstention only."""
        return not answered

    def run(
        self, distances: NDArray[Any], bar: float, spent: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.bool_], float, int]:
        """As many of m queries as the limit allows, one after the other.

        Parameters
        ----------
        distances : array of shape (m,)
        bar : float, the noisy threshold in force
        spent : int, the abstentions so far
        rng : numpy Generator

        Returns
        -------
        answered : booleans of shape (j,), j at most m
        bar, spent : the threshold in force and the abstentions afterwards
        """
        noise = rng.random(len(distances))
        answered = np.ones(len(distances), dtype=bool)
        # labels that cost nothing and change nothing are looked at many at once
        free = not self.redraws(answered=True) and self.charge(answered=True) == 0
        place, block = 0, _FIRST_BLOCK
        while place < len(distances) and spent < self.limit:
            end = place + (block if free else 1)
            below = noise[place:end] >= self.chances(distances[place:end], bar)[0]
            first = int(below.argmax())
            label = not below[first]
            if label and free:
                place, block = place + len(below), 2 * block
                continue
            place, block = place + first + 1, _FIRST_BLOCK
            answered[place - 1] = label
            spent += self.charge(answered=label)
            if self.redraws(answered=label):
                bar = float(self.bars(1, rng)[0])
        return answered[: min(place, len(distances))], bar, spent

    def patterns(self, distances: NDArray[Any], size: int, rng: np.random.Generator) -> NDArray[np.int8]:
        """``size`` independent runs over m queries: answered (1), abstained (0), not asked any more (-1), (size, m)."""
        found = np.empty((size, len(distances)), dtype=np.int8)
        bars, spent = self.bars(size, rng), np.zeros(size, dtype=np.int64)
        for i, distance in enumerate(distances):
            goes_on = spent < self.limit
            answered = rng.random(size) < self.chances(distance, bars)[0]
            found[:, i] = np.where(goes_on, np.where(answered, ANSWERED, ABSTAINS), NOT_ASKED)
            for label, runs in ((True, goes_on & answered), (False, goes_on & ~answered)):
                spent[runs] += self.charge(answered=label)
                if self.redraws(answered=label):
                    bars[runs] = self.bars(int(runs.sum()), rng)
        return found

    def law(self, distances: NDArray[Any], labels: Sequence[Hashable]) -> Law:
        """The law of the answers to m queries, integrated over the threshold's noise step by step.

        Parameters
        ----------
        distances : array of shape (m,)
        labels : the m leading labels

        Raises
        ------
        InvalidArgument
            When there are more than 4096 outputs.

        Examples
        --------
        >>> law = Steps(Scales(2.0, 1.0, 2.0), "strict").law(np.array([3, 0]), (1, 1))
        >>> dict(zip(law.outputs, np.exp(law.log_probabilities).round(6).tolist()))
        {('⊥', None): 0.343041, (1, '⊥'): 0.487706, (1, 1): 0.169254}
        """
        m = len(distances)
        kinks = set((np.asarray(distances, dtype=float) - self.scales.threshold).tolist())
        points, fresh = laplace_expectation_rule(self.scales.threshold_scale, kinks, self.scales.query_scale)
        found: dict[tuple[Any, ...], float] = {}
        open_ends: list[tuple[tuple[Any, ...], int, NDArray[np.float64]]] = [((), 0, fresh)]
        while open_ends:
            output, spent, mass = open_ends.pop()
            if len(found) == MOST_OUTPUTS:
                raise InvalidArgument(f"queries must have at most {MOST_OUTPUTS} outputs for a law, got {m} queries")
            if len(output) == m or spent >= self.limit:
                found[output + (UNANSWERED,) * (m - len(output))] = float(mass.sum())
                continue
            chances = self.chances(distances[len(output)], self.scales.threshold + points)
            for label, chance in zip((True, False), chances, strict=True):
                rest = mass * chance
                after = rest.sum() * fresh if self.redraws(answered=label) else rest
                said = labels[len(output)] if label else ABSTAINED
                open_ends.append(((*output, said), spent + self.charge(answered=label), after))
        with np.errstate(divide="ignore"):
            return Law(list(found), log_probabilities=np.log(list(found.values())), error=_ERROR)
