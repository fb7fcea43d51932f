"""Learners whose randomness is not what it should be: drawn elsewhere, kept, repeated."""

from __future__ import annotations

import random
from typing import Any

import numpy as np


def ignores_rng(dataset: Any, rng: Any) -> float:
    """Draws from numpy's global generator."""
    return float(np.random.random())  # noqa: NPY002  (the defect)


def draws_from_random(dataset: Any, rng: Any) -> float:
    """Draws from the ``random`` module."""
    return random.random()


def has_its_own_seed(dataset: Any, rng: Any) -> float:
    """Seeds a generator of its own with a constant."""
    return float(np.random.default_rng(0).random())


def spawns_its_generators(dataset: Any, rng: Any) -> float:
    """Draws from children of its generator: fine, and must not be taken for ignoring it."""
    return float(rng.spawn(1)[0].random())


class RemembersItsFirstAnswer:
    """Answers what it answered first."""

    def __init__(self) -> None:
        self.answer: float | None = None

    def __call__(self, dataset: Any, rng: Any) -> float:
        """The first draw, for ever."""
        if self.answer is None:
            self.answer = float(rng.random())
        return self.answer


class CountsItsCalls:
    """Answers how often it was called."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, dataset: Any, rng: Any) -> int:
        """The number of this call."""
        self.calls += 1
        return self.calls


class SpendsItsBudget:
    """Answers three times, and then refuses, as what keeps a privacy budget does."""

    def __init__(self) -> None:
        self.left = 3

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw while there is budget."""
        if self.left == 0:
            raise RuntimeError("the privacy budget is spent")
        self.left -= 1
        return float(rng.random())


class CarriesNoiseOver:
    """Adds to each answer half of the last one's noise."""

    def __init__(self) -> None:
        self.last = 0.0

    def __call__(self, dataset: Any, rng: Any) -> float:
        """Noise that depends on the call before."""
        self.last = 0.9 * self.last + float(rng.normal())
        return self.last
