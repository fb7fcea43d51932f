"""Learners whose ``distribution`` is not what it claims to be: the law of their calls."""

from __future__ import annotations

import time
from typing import Any


class _AnswersABit:
    """Reports the last record with probability 3/4, its opposite else."""

    def __call__(self, dataset: Any, rng: Any) -> int:
        """One report."""
        truth = int(dataset[-1])
        return truth if rng.random() < 0.75 else 1 - truth


class DeclaresAnotherLaw(_AnswersABit):
    """Declares a fair coin, which would hide its loss of log 3."""

    def distribution(self, dataset: Any) -> dict[int, float]:
        """Half and half."""
        return {0: 0.5, 1: 0.5}


class DeclaresTooFewOutputs(_AnswersABit):
    """Declares one of its two answers only."""

    def distribution(self, dataset: Any) -> dict[int, float]:
        """Always 0."""
        return {0: 1.0}


class DeclaresNoLaw(_AnswersABit):
    """Declares probabilities that do not sum to 1."""

    def distribution(self, dataset: Any) -> dict[int, float]:
        """Nine tenths in all."""
        return {0: 0.5, 1: 0.4}


class DeclaresANegativeProbability(_AnswersABit):
    """Declares probabilities that sum to 1, one of them negative."""

    def distribution(self, dataset: Any) -> dict[int, float]:
        """More than 1 and less than 0."""
        return {0: 1.25, 1: -0.25}


class DeclaresNotANumber(_AnswersABit):
    """Declares NaN."""

    def distribution(self, dataset: Any) -> dict[int, float]:
        """No number."""
        return {0: float("nan"), 1: 0.5}


class DeclaresAnythingElse(_AnswersABit):
    """Declares no mapping."""

    def distribution(self, dataset: Any) -> Any:
        """Two numbers without outputs."""
        return [0.5, 0.5]


class RaisesInDistribution(_AnswersABit):
    """Its ``distribution`` raises."""

    def distribution(self, dataset: Any) -> Any:
        """Nothing."""
        raise ValueError(f"no law for {len(dataset)} records")


class HangsInDistribution(_AnswersABit):
    """Its ``distribution`` never returns."""

    def distribution(self, dataset: Any) -> Any:
        """Nothing, in an hour."""
        time.sleep(3600)


class LeavesInDistribution(_AnswersABit):
    """Its ``distribution`` takes the process with it."""

    def distribution(self, dataset: Any) -> Any:
        """Nothing."""
        import os

        os._exit(3)
