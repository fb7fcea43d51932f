"""The label game played on laws that are drawn from directly: no learner, no runner, only the statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from dpcheck.execution.answers import Answers
from dpcheck.privacy.run.allocation import interim_size
from dpcheck.privacy.statistics.evidence import log_evidence
from dpcheck.privacy.statistics.game import Batch, Game, Shape, certify, learn, new_game, tally
from dpcheck.privacy.statistics.observations import observe

Coins = NDArray[np.int8]
#: Outputs for coins: 1 draws from D, 0 from D'.
Law = Callable[[np.random.Generator, Coins], NDArray[np.float64]]

NUMBERS = Shape(1, repeats=False, others=False)
FEW_VALUES = Shape(1, repeats=True, others=False)


def laplace(epsilon: float) -> Law:
    """Loss ``epsilon``: sensitivity 1, scale 1/epsilon."""
    return lambda rng, coins: coins + rng.laplace(scale=1.0 / epsilon, size=len(coins))


def response(epsilon: float) -> Law:
    """The coin itself with odds ``e^epsilon``, else the other one."""
    truth = 1.0 / (1.0 + math.exp(-epsilon))
    return lambda rng, coins: np.where(rng.random(len(coins)) < truth, coins, 1 - coins).astype(np.float64)


def revealing(epsilon: float, delta: float) -> Law:
    """The extremal (epsilon, delta) mechanism: with probability delta the coin in clear, else a response."""
    rest = response(epsilon)
    return lambda rng, coins: np.where(rng.random(len(coins)) < delta, 10.0 + coins, rest(rng, coins))


def one_sided(epsilon: float, rare: float) -> Law:
    """An event of probability ``rare`` on D' and ``e^epsilon`` times that on D."""
    return lambda rng, coins: (rng.random(len(coins)) < rare * np.exp(epsilon * coins)).astype(np.float64)


def among_codes(places: int) -> Law:
    """A number at one place, a code before it and another after: on D the number is smaller where it comes late."""

    def law(rng: np.random.Generator, coins: Coins) -> NDArray[np.float64]:
        first = rng.integers(0, places, len(coins))
        columns = np.where(np.arange(places) < first[:, None], -1000.0, -2000.0)
        columns[np.arange(len(coins)), first] = rng.normal(size=len(coins)) - 1.5 * coins * (2 * first >= places)
        return columns

    return law


def independent(rng: np.random.Generator, coins: Coins) -> NDArray[np.float64]:
    """Outputs that have nothing to do with the coins."""
    return rng.normal(size=len(coins))


def batch_of(outputs: NDArray[np.float64], coins: Coins) -> Batch:
    return Batch(observe(Answers(outputs), "real"), coins)


def interim_sizes(calls: int) -> Iterator[int]:
    """Looks as an audit makes them."""
    made = 0
    while size := interim_size(made, calls - made):
        yield size
        made += size


def batches(law: Law, calls: int, rng: np.random.Generator) -> list[Batch]:
    made = []
    for size in interim_sizes(calls):
        coins = rng.integers(0, 2, size).astype(np.int8)
        made.append(batch_of(law(rng, coins), coins))
    return made


def play(game: Game, interims: list[Batch], *, peeking: bool = False) -> tuple[Game, float]:
    """The game after all interim analyses, and the most evidence against its claim at any of them.

    ``peeking`` plays it wrongly: rules learn from a batch before they guess on it.
    """
    most = -math.inf
    for interim in interims:
        game = certify(learn(game, interim), interim) if peeking else learn(certify(game, interim), interim)
        most = max(most, log_evidence(tally(game), game.epsilon, game.delta))
    return game, most


def most_evidence(
    law: Law, shape: Shape, claim: tuple[float, float], calls: int, rng: np.random.Generator, *, peeking: bool = False
) -> float:
    return play(new_game(shape, *claim), batches(law, calls, rng), peeking=peeking)[1]
