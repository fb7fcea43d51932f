"""StatDP on the given pair: it selects an event on a quarter of the outputs and tests it on the others.

It tests an epsilon and gives no bound: it is asked along a grid, on the same outputs. A score written by hand stands
for vectors. It calls its algorithm once for each output; here these come from a stock drawn in bulk, which saves most
of its time. Its p-value is taken at its word.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numba
import numpy as np
from statdp import core, hypotest, selectors

from peers.mechanisms import Mechanism
from peers.runner import ALPHA, Draws, largest_rejected, main
from peers.scores import atom_score

#: Outputs a side for selecting and for testing. Each of both also makes one call to see what kind of output it is.
SELECTING, TESTING = 25_000, 74_999


@numba.njit  # type: ignore[misc]
def _seed(seed: int) -> None:
    np.random.seed(seed)  # noqa: NPY002 (in compiled code, whose generator StatDP draws from)


class InThisProcess:
    """The part of a pool of processes that StatDP uses, without processes."""

    _processes = 1

    def imap_unordered(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        return map(function, tasks)


class Stock:
    """Outputs drawn beforehand, handed out one a call."""

    def __init__(self, mechanism: Mechanism, draws: Draws, size: int) -> None:
        score = atom_score(mechanism.name)
        self._second_is = list(mechanism.second)
        self._first, self._second = iter(score(draws.first(size + 1))), iter(score(draws.second(size)))

    def __call__(self, prng: np.random.Generator, queries: list[float], epsilon: float) -> Any:
        return next(self._second if queries == self._second_is else self._first)


def bound(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """The last epsilon of the grid before the first that is not rejected."""
    _seed(seed)
    first, second, claim = list(mechanism.first), list(mechanism.second), {"epsilon": mechanism.epsilon}
    pool, pairs = InThisProcess(), [(first, second, claim)]
    selecting, testing = Stock(mechanism, draws, SELECTING), Stock(mechanism, draws, TESTING)
    seen: dict[Any, Any] = {}
    counts = core.run_algorithm(selecting, first, second, claim, None, SELECTING)
    tested = [_column(testing, queries, claim, TESTING, extra) for queries, extra in ((first, 1), (second, 0))]

    def counted(algorithm: Any, d1: Any, d2: Any, kwargs: Any, event: Any, iterations: int) -> Any:
        """``run_algorithm``, that counts the same outputs again for each epsilon, with its answers kept."""
        if event is None:
            return counts
        if event not in seen:
            again = {0: iter(tested[0]), 1: iter(tested[1])}
            replay = lambda prng, queries, epsilon: next(again[int(queries == second)])  # noqa: E731
            seen[event] = core.run_algorithm(replay, d1, d2, kwargs, event, iterations)
        return seen[event]

    selectors.run_algorithm = hypotest.run_algorithm = counted

    def rejects(epsilon: float) -> bool:
        *_, event = selectors.select_event(selecting, pairs, epsilon, SELECTING, pool, quiet=True)
        p = hypotest.hypothesis_test(testing, first, second, claim, event, epsilon, TESTING, pool, report_p2=False)
        return bool(p <= ALPHA)

    return largest_rejected(rejects)


def _column(stock: Stock, queries: list[float], claim: dict[str, float], size: int, extra: int) -> list[Any]:
    return [stock(np.random.default_rng(), queries, **claim) for _ in range(size + extra)]


TOOLS = {"statdp": bound}

if __name__ == "__main__":
    sys.exit(main(TOOLS))
