"""Learners whose ``sample`` is not what it claims to be: many independent outputs of ``__call__``."""

from __future__ import annotations

from typing import Any

import numpy as np


class ReusesOneDraw:
    """Its ``sample`` repeats one draw."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """One draw, ``size`` times."""
        return np.full(size, rng.random())


class SamplesAnotherLaw:
    """Its ``sample`` draws from another distribution than its calls."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Squares of uniform draws."""
        return rng.random(size) ** 2


class SamplesTooFew:
    """Its ``sample`` gives one output less than asked for."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """One less."""
        return rng.random(size - 1)


class SamplesNothing:
    """Its ``sample`` gives a generator, which has no length."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """A generator."""
        return (rng.random() for _ in range(size))


class RaisesInSample:
    """Its ``sample`` raises."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Nothing."""
        raise ValueError(f"cannot draw {size}")
