"""Mechanisms made of mechanisms: a function of the output, a coin between two, two datasets behind a bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from dpcheck.parts.mechanisms.parameters import probability


@dataclass(frozen=True)
class PostProcessed:
    """A function of a mechanism's output: as private as the mechanism.

    Parameters
    ----------
    mechanism : a learner with ``sample``
    function : callable, output -> output, that sees neither the dataset nor the mechanism

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.laplace import Laplace
    >>> PostProcessed(Laplace(1.0), round).sample([1], 4, np.random.default_rng(0)).dtype.kind
    'i'
    """

    mechanism: Any
    function: Callable[[Any], Any]

    def __call__(self, dataset: Any, rng: Generator) -> Any:
        """One output, processed."""
        return self.function(_plain(self.mechanism(dataset, rng)))

    def sample(self, dataset: Any, size: int, rng: Generator) -> Any:
        """``size`` independent outputs, each processed."""
        return _together([self.function(output) for output in _each(self.mechanism.sample(dataset, size, rng))])


@dataclass(frozen=True)
class Mixture:
    """One of two mechanisms, by a coin that does not look at the data: as private as the worse of the two.

    Parameters
    ----------
    first, second : learners with ``sample``
    weight : float, the probability of the first

    Examples
    --------
    >>> from dpcheck.parts.mechanisms.randomised_response import RandomisedResponse
    >>> coin = Mixture(RandomisedResponse(1.0), RandomisedResponse(2.0), 0.5)
    >>> len(coin.sample([1], 4, np.random.default_rng(0)))
    4
    """

    first: Any
    second: Any
    weight: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "weight", probability("weight", self.weight))

    def __call__(self, dataset: Any, rng: Generator) -> Any:
        """One output of the mechanism that the coin chooses."""
        return _plain((self.first if rng.random() < self.weight else self.second)(dataset, rng))

    def sample(self, dataset: Any, size: int, rng: Generator) -> Any:
        """``size`` independent outputs, each with a coin of its own."""
        heads = rng.random(size) < self.weight
        chosen = int(heads.sum())
        first = iter(_each(self.first.sample(dataset, chosen, rng)))
        second = iter(_each(self.second.sample(dataset, size - chosen, rng)))
        return _together([next(first) if head else next(second) for head in heads])


@dataclass(frozen=True)
class OnPair:
    """A mechanism on a pair of datasets, named by one bit: dataset ``[0]`` is ``left``, ``[1]`` is ``right``.

    It brings mechanisms that take different kinds of records to one kind, so that they can be mixed.
    """

    mechanism: Any
    left: Any
    right: Any

    def __call__(self, dataset: Any, rng: Generator) -> Any:
        """One output on the dataset that the bit names."""
        return self.mechanism(self._named(dataset), rng)

    def sample(self, dataset: Any, size: int, rng: Generator) -> Any:
        """``size`` independent outputs on the dataset that the bit names."""
        return self.mechanism.sample(self._named(dataset), size, rng)

    def _named(self, dataset: Any) -> Any:
        return self.right if int(np.asarray(dataset).ravel()[0]) else self.left


def _plain(output: Any) -> Any:
    """An output as a bulk draw holds it: an array as a list."""
    return output.tolist() if isinstance(output, np.ndarray) else output


def _each(outputs: Any) -> list[Any]:
    """Outputs one by one, as the plain values that a separate call gives."""
    return outputs.tolist() if isinstance(outputs, np.ndarray) else list(outputs)


def _together(outputs: list[Any]) -> Any:
    """Numbers of one type as an array, which is faster to learn from; anything else as it is."""
    kinds = {type(output) for output in outputs}
    return np.array(outputs) if len(kinds) == 1 and kinds <= {int, float} else outputs
