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


class RepeatsEachDraw:
    """Its ``sample`` gives each draw twice."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Half as many draws, each twice."""
        return np.repeat(rng.random(size // 2 + 1), 2)[:size]


class SamplesAnotherDataset:
    """Its ``sample`` forgets the dataset."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """Noise around the dataset's size, which neighbours share."""
        return len(dataset) + 0.1 * float(rng.random())

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Noise around the size of an empty one."""
        return 0.1 * rng.random(size)


class _Uniform:
    """One uniform draw a call; ``sample`` has that law too, but its draws depend on each other."""

    def __call__(self, dataset: Any, rng: Any) -> float:
        """One uniform draw."""
        return float(rng.random())


class TilesItsDraws(_Uniform):
    """Its ``sample`` draws half as many and gives them again, in the same order."""

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Draws, and the same draws."""
        return np.tile(rng.random(size // 2 + 1), 2)[:size]


class ShufflesCopies(_Uniform):
    """Its ``sample`` gives each draw twice, in random order."""

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Half as many draws, each twice, shuffled."""
        return rng.permutation(np.repeat(rng.random(size // 2 + 1), 2))[:size]


class DrawsAntitheticHalves(_Uniform):
    """Its ``sample`` mirrors its first half."""

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Draws, then one minus each of them."""
        half = rng.random(size // 2 + 1)
        return np.concatenate([half, 1.0 - half])[:size]


class DrawsStrata(_Uniform):
    """Its ``sample`` gives one draw from each of as many equal parts, in random order."""

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """A stratified sample."""
        return rng.permutation((np.arange(size) + rng.random(size)) / size)


class SortsItsDraws(_Uniform):
    """Its ``sample`` sorts."""

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Sorted draws."""
        return np.sort(rng.random(size))


class SharesAShift(_Uniform):
    """The draws of one ``sample`` have a part in common."""

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """Uniform draws from one half of the circle, which one uniform draw chooses."""
        return (rng.random() + 0.5 * rng.random(size)) % 1.0


class DrawsAChain(_Uniform):
    """Its ``sample`` walks: each draw is near the one before."""

    def sample(self, dataset: Any, size: int, rng: Any) -> Any:
        """A random walk on the circle."""
        return (rng.random() + np.cumsum(0.3 * rng.random(size))) % 1.0
