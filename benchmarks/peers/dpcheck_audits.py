"""dpcheck's ``measure``: no score, both directions, learning included."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

import dpcheck
from peers.mechanisms import Mechanism
from peers.runner import ALPHA, BUDGET, Draws, main


def measure(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """The lower bound of ``dpcheck.measure`` on the pair; it draws its outputs itself, from the seed."""

    def sample(answers: Any, size: int, rng: np.random.Generator) -> Any:
        return mechanism.sample(np.asarray(answers, dtype=np.float64), size, rng)

    found = dpcheck.measure(
        dpcheck.from_sampler(sample),
        delta=mechanism.delta,
        pairs=[(list(mechanism.first), list(mechanism.second))],
        alpha=ALPHA,
        numerics=mechanism.numerics,
        max_samples=BUDGET,
        max_seconds=math.inf,  # the number of outputs is what is compared: not fewer on a busy machine
        isolation="none",
        seed=seed,
    )
    if found.failure:
        raise RuntimeError(f"{mechanism.name}: {found.failure}")
    draws.count(found.samples)
    return float(found.epsilon_lower)


TOOLS = {"dpcheck": measure}

if __name__ == "__main__":
    sys.exit(main(TOOLS))
