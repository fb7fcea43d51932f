"""The seventeen mechanisms on which dpcheck and its peers are compared, each with one fixed pair and its true loss.

A mechanism is a bulk sampler ``sample(answers, size, rng)``: ``answers`` are the answers of ``k`` queries, and it
returns ``size`` independent outputs, an array of shape ``(size,)`` or ``(size, k)``. Only numpy is needed, so that the
environment of any peer can import this file.

The sparse vectors are algorithms 1 to 6 of Lyu, Su & Li (2017), "Understanding the sparse vector technique for
differential privacy", for queries of sensitivity 1 and epsilon = 1. The Gaussian noise is calibrated as by
Balle & Wang (2018), and the maximum that is released with its value comes from Ding et al. (2018).

>>> rng = np.random.default_rng(0)
>>> by_name("laplace").on_first(3, rng).shape
(3,)
>>> by_name("svt6_chen").on_second(3, rng).shape
(3, 10)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Outputs = Floats | Integers
Sampler = Callable[[Floats, int, np.random.Generator], Outputs]

#: The threshold of every sparse vector.
THRESHOLD = 1.0
#: A sparse vector's answer to a query: above, below, or not asked any more since the cut-off was reached.
ABOVE, BELOW, UNASKED = 1, 0, -1
#: The same where the noisy answer itself is released instead of "above" (algorithm 3): far from any answer.
BELOW_RELEASED, UNASKED_RELEASED = -1000.0, -2000.0
#: The delta of the Gaussians' claim.
GAUSSIAN_DELTA = 1e-5
#: Bracket of the search for a Gaussian's standard deviation; bisection halves it until doubles have no room left.
SIGMA_LOW, SIGMA_HIGH, HALVINGS = 0.1, 100.0, 200


@dataclass(frozen=True)
class Mechanism:
    """A mechanism, its claim, the pair it is tried on, and the exact loss of that pair.

    Attributes
    ----------
    name : str
    sample : callable ``(answers, size, rng) -> outputs``
    first, second : tuple of float
        The answers on D and on D'.
    loss : float
        The exact epsilon of the pair at ``delta``, the larger of both directions.
    epsilon, delta : float
        The claim.
    numerics : str
        "exact" where the leak is in the outputs' low-order bits, else "real".
    """

    name: str
    sample: Sampler
    first: tuple[float, ...]
    second: tuple[float, ...]
    loss: float
    epsilon: float = 1.0
    delta: float = 0.0
    numerics: str = "real"

    @property
    def correct(self) -> bool:
        """Whether the claim holds on the pair."""
        return self.loss <= self.epsilon

    def on_first(self, size: int, rng: np.random.Generator) -> Outputs:
        """``size`` outputs on D."""
        return self.sample(np.asarray(self.first, dtype=np.float64), size, rng)

    def on_second(self, size: int, rng: np.random.Generator) -> Outputs:
        """``size`` outputs on D'."""
        return self.sample(np.asarray(self.second, dtype=np.float64), size, rng)


def laplace(answers: Floats, size: int, rng: np.random.Generator) -> Floats:
    """The answer plus Laplace noise of scale 1."""
    return answers[0] + rng.laplace(scale=1.0, size=size)


def laplace_half_scale(answers: Floats, size: int, rng: np.random.Generator) -> Floats:
    """The answer plus Laplace noise of half the scale it needs."""
    return answers[0] + rng.laplace(scale=0.5, size=size)


def randomised_response(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """A bit that is kept with probability e/(1+e)."""
    kept = rng.random(size) < math.e / (1.0 + math.e)
    return np.where(kept, int(answers[0]), 1 - int(answers[0]))


def geometric(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """The answer plus the difference of two geometric variables: discrete Laplace noise of scale 1."""
    p = 1.0 - math.exp(-1.0)
    return int(answers[0]) + rng.geometric(p, size) - rng.geometric(p, size)


def noisy_argmax(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """Which answer is largest after Laplace noise of scale 2."""
    return np.argmax(answers + rng.laplace(scale=2.0, size=(size, len(answers))), axis=1)


def noisy_max_value(answers: Floats, size: int, rng: np.random.Generator) -> Floats:
    """The largest answer after Laplace noise of scale 2, with its value: each answer pays, only one was paid for."""
    return np.max(answers + rng.laplace(scale=2.0, size=(size, len(answers))), axis=1)


def argmax_without_noise(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """Which answer is largest."""
    return np.full(size, int(np.argmax(answers)))


def mean_without_clipping(answers: Floats, size: int, rng: np.random.Generator) -> Floats:
    """The mean of records said to be in [0, 1], with noise for such records, and no clipping of others."""
    return float(np.mean(answers)) + rng.laplace(scale=1.0 / len(answers), size=size)


def gaussian_delta(epsilon: float, sigma: float) -> float:
    """The smallest delta of Gaussian noise on an answer of sensitivity 1 (Balle & Wang 2018, theorem 5)."""
    half = 0.5 / sigma
    return _normal_cdf(half - epsilon * sigma) - math.exp(epsilon) * _normal_cdf(-half - epsilon * sigma)


def gaussian_sigma(epsilon: float, delta: float) -> float:
    """The smallest standard deviation that is (epsilon, delta)-private.

    >>> round(gaussian_sigma(1.0, 1e-5), 3)
    3.73
    """
    low, high = SIGMA_LOW, SIGMA_HIGH
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if gaussian_delta(epsilon, middle) > delta else (low, middle)
    return high


def _normal_cdf(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


#: The standard deviation that (1, 1e-5) needs.
SIGMA = gaussian_sigma(1.0, GAUSSIAN_DELTA)


def gauss(answers: Floats, size: int, rng: np.random.Generator) -> Floats:
    """The answer plus Gaussian noise calibrated for (1, 1e-5)."""
    return answers[0] + rng.normal(scale=SIGMA, size=size)


def gauss_half_sigma(answers: Floats, size: int, rng: np.random.Generator) -> Floats:
    """The answer plus Gaussian noise of half the standard deviation it needs."""
    return answers[0] + rng.normal(scale=0.5 * SIGMA, size=size)


def _cut_off(above: NDArray[np.bool_], most: int) -> NDArray[np.bool_]:
    """Which queries are not asked any more: those after the ``most``-th one that was above."""
    before = np.cumsum(above, axis=1) - above
    return before >= most


def _coded(above: NDArray[np.bool_], unasked: NDArray[np.bool_]) -> Integers:
    return np.where(unasked, UNASKED, np.where(above, ABOVE, BELOW)).astype(np.int64)


def svt1_lyu(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """Algorithm 1, cut-off 1 (correct): threshold noise of scale 2, query noise of scale 4."""
    above = _noisy(answers, size, 4.0, rng) >= THRESHOLD + rng.laplace(scale=2.0, size=(size, 1))
    return _coded(above, _cut_off(above, 1))


def svt2_dwork_roth(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """Algorithm 2, cut-off 2 (correct): the threshold's noise, of scale 4, is drawn anew after each answer above."""
    noisy = _noisy(answers, size, 8.0, rng)
    thresholds = THRESHOLD + rng.laplace(scale=4.0, size=(size, 2))
    above = np.empty(noisy.shape, dtype=bool)
    passed = np.zeros(size, dtype=np.int64)
    for query in range(len(answers)):  # the threshold in force depends on the answers before
        now = thresholds[np.arange(size), np.minimum(passed, 1)]
        above[:, query] = noisy[:, query] >= now
        passed += above[:, query]
    return _coded(above, _cut_off(above, 2))


def svt3_roth(answers: Floats, size: int, rng: np.random.Generator) -> Floats:
    """Algorithm 3, cut-off 1: releases the noisy answer that was compared, instead of "above"."""
    noisy = _noisy(answers, size, 2.0, rng)
    above = noisy >= THRESHOLD + rng.laplace(scale=2.0, size=(size, 1))
    return np.where(_cut_off(above, 1), UNASKED_RELEASED, np.where(above, noisy, BELOW_RELEASED))


def svt4_lee_clifton(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """Algorithm 4, cut-off 1: threshold noise of scale 4, query noise of scale 4/3, which is too little."""
    above = _noisy(answers, size, 4.0 / 3.0, rng) >= THRESHOLD + rng.laplace(scale=4.0, size=(size, 1))
    return _coded(above, _cut_off(above, 1))


def svt5_stoddard(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """Algorithm 5: threshold noise of scale 2, no query noise, no cut-off."""
    return _coded(answers >= THRESHOLD + rng.laplace(scale=2.0, size=(size, 1)), np.zeros((1, 1), dtype=bool))


def svt6_chen(answers: Floats, size: int, rng: np.random.Generator) -> Integers:
    """Algorithm 6: threshold and query noise of scale 2, no cut-off."""
    above = _noisy(answers, size, 2.0, rng) >= THRESHOLD + rng.laplace(scale=2.0, size=(size, 1))
    return _coded(above, np.zeros((1, 1), dtype=bool))


def _noisy(answers: Floats, size: int, scale: float, rng: np.random.Generator) -> Floats:
    return answers + rng.laplace(scale=scale, size=(size, len(answers)))


_ONE, _ZERO = (1.0,), (0.0,)
_HIGH_LOW, _LOW_HIGH = (1.0,) * 5 + (0.0,) * 5, (0.0,) * 5 + (1.0,) * 5
_TWO_ZERO, _ALL_ONE = (2.0,) * 5 + (0.0,) * 5, (1.0,) * 10

MECHANISMS: tuple[Mechanism, ...] = (
    Mechanism("laplace", laplace, _ONE, _ZERO, loss=1.0),
    Mechanism("randresp", randomised_response, _ONE, _ZERO, loss=1.0),
    Mechanism("geometric", geometric, _ONE, _ZERO, loss=1.0),
    Mechanism("noisy_argmax", noisy_argmax, (2.0, 0.0, 0.0, 0.0, 0.0), (1.0,) * 5, loss=0.7786),
    Mechanism("svt1_lyu", svt1_lyu, _TWO_ZERO, _ALL_ONE, loss=0.9110),
    Mechanism("svt2_dwork_roth", svt2_dwork_roth, _HIGH_LOW, _LOW_HIGH, loss=0.5167),
    Mechanism("gauss", gauss, _ONE, _ZERO, loss=1.0, delta=GAUSSIAN_DELTA),
    Mechanism("laplace_half_scale", laplace_half_scale, _ONE, _ZERO, loss=2.0),
    Mechanism("svt3_roth", svt3_roth, (0.0,) * 10, (1.0,) * 9 + (0.0,), loss=4.5),
    Mechanism("svt4_lee_clifton", svt4_lee_clifton, _TWO_ZERO, _ALL_ONE, loss=1.7418),
    Mechanism("svt5_stoddard", svt5_stoddard, _HIGH_LOW, _LOW_HIGH, loss=math.inf),
    Mechanism("svt6_chen", svt6_chen, _HIGH_LOW, _LOW_HIGH, loss=4.0308),
    Mechanism("noisy_max_value", noisy_max_value, (1.0,) * 5, (2.0,) * 5, loss=2.5),
    Mechanism("float_laplace", laplace, _ONE, _ZERO, loss=math.inf, numerics="exact"),
    Mechanism("argmax_no_noise", argmax_without_noise, (1.0, 0.0), (0.0, 1.0), loss=math.inf),
    Mechanism("gauss_half_sigma", gauss_half_sigma, _ONE, _ZERO, loss=2.1547, delta=GAUSSIAN_DELTA),
    Mechanism("mean_no_clip", mean_without_clipping, (100.0,) + (0.0,) * 9, (0.0,) * 10, loss=100.0),
)


def by_name(name: str) -> Mechanism:
    """The mechanism of that name."""
    return next(mechanism for mechanism in MECHANISMS if mechanism.name == name)
