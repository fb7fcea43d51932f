"""StatDP on the given pair: it selects an event on a quarter of the outputs and tests it on the others.

It tests an epsilon and gives no bound: it is asked along a grid, on the same outputs. A score written by hand stands
for vectors. It calls its algorithm once for each output; here these come from a stock drawn in bulk, which saves most
of its time. Its p-value is taken at its word.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import numba
import numpy as np
from statdp import core, hypotest, selectors

from peers.mechanisms import Mechanism
from peers.runner import ALPHA, Draws, largest_rejected, main
from peers.scores import atom_score

#: Outputs a side for selecting and for testing. Each of both also makes one call to see what kind of output it is.
SELECTING, TESTING = 25_000, 74_999


@numba.njit
def _seed(seed: int) -> None:
    np.random.seed(seed)  # noqa: NPY002 (in compiled code, whose generator StatDP draws from)


class InThisProcess:
    """The part of a pool of processes that StatDP uses, without processes."""

    _processes = 1

    def imap_unordered(self, function: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        return map(function, tasks)


class Stock:
    """Outputs drawn beforehand, that can be handed out one a call, again and again."""

    def __init__(self, mechanism: Mechanism, draws: Draws, size: int) -> None:
        score = atom_score(mechanism.name)
        self.queries = list(mechanism.second)
        self.first, self.second = score(draws.first(size + 1)), score(draws.second(size))

    def algorithm(self) -> Callable[..., Any]:
        """A mechanism as StatDP wants it, that begins at the first output of either side."""
        first, second = iter(self.first), iter(self.second)
        return lambda prng, queries, epsilon: next(second if queries == self.queries else first)


def bound(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """The last epsilon of the grid before the first that is not rejected."""
    _seed(seed)
    first, second, claim = list(mechanism.first), list(mechanism.second), {"epsilon": mechanism.epsilon}
    pool, pairs = InThisProcess(), [(first, second, claim)]
    selecting, testing = Stock(mechanism, draws, SELECTING), Stock(mechanism, draws, TESTING)

    @cache
    def counts(event: Any, iterations: int) -> Any:
        stock = selecting if event is None else testing
        return core.run_algorithm(stock.algorithm(), first, second, claim, event, iterations)

    def counted(algorithm: Any, d1: Any, d2: Any, kwargs: Any, event: Any, iterations: int) -> Any:
        """``run_algorithm`` for each epsilon: the outputs are the same, and so are its counts."""
        return counts(event, iterations)

    selectors.run_algorithm = hypotest.run_algorithm = counted

    def rejects(epsilon: float) -> bool:
        *_, event = selectors.select_event(counted, pairs, epsilon, SELECTING, pool, quiet=True)
        p = hypotest.hypothesis_test(counted, first, second, claim, event, epsilon, TESTING, pool, report_p2=False)
        return bool(p <= ALPHA)

    return largest_rejected(rejects)


TOOLS = {"statdp": bound}

if __name__ == "__main__":
    sys.exit(main(TOOLS))
