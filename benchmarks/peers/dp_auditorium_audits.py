"""dp_auditorium's testers: a histogram of a score written by hand, and the hockey-stick divergence by a network.

They test an (epsilon, delta) and give no bound on epsilon: they are asked along a grid, on the same outputs. Each
tests one direction, the better one, which is told.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import tensorflow as tf
from dp_auditorium.configs import privacy_property, property_tester_config
from dp_auditorium.testers import histogram_tester, hockey_stick_tester

from peers.mechanisms import Mechanism, Outputs
from peers.runner import ALPHA, SIDE, Draws, largest_rejected, main
from peers.scores import REVERSED, atom_score, flagged

#: The range of the histogram of continuous scores, and its cells: by hand, a few scales about both centres.
RANGES = {"svt3_roth": (0.0, 10.0), "noisy_max_value": (-2.0, 14.0), "mean_no_clip": (-1.0, 11.0)}
OTHER_RANGE = (-3.0, 4.0)
CELLS = 14
#: Training one network takes seconds: a coarse grid.
COARSE = (0.25, 0.5, 0.75, 0.9, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


def _pair(mechanism: Mechanism, draws: Draws) -> tuple[Outputs, Outputs]:
    first, second = draws.first(SIDE), draws.second(SIDE)
    return (second, first) if mechanism.name in REVERSED else (first, second)


def histogram(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """Gilbert and McMillan's tester, as dp_auditorium improved it."""
    score = atom_score(mechanism.name)
    first, second = (score(outputs) for outputs in _pair(mechanism, draws))
    discrete = np.issubdtype(first.dtype, np.integer)
    low, high = RANGES.get(mechanism.name, OTHER_RANGE)
    size = CELLS
    if discrete:
        least = min(first.min(), second.min())
        first, second = first - least, second - least
        size = int(max(first.max(), second.max())) + 1

    kept: dict[int, Any] = {}

    def once(estimate: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The histogram does not depend on epsilon: made once."""

        def estimated(samples: Any) -> Any:
            if id(samples) not in kept:
                kept[id(samples)] = estimate(samples)
            return kept[id(samples)]

        return estimated

    def rejects(epsilon: float) -> bool:
        claim = privacy_property.ApproximateDp(epsilon=epsilon, delta=mechanism.delta)
        config = property_tester_config.HistogramPropertyTesterConfig(
            test_discrete_mechanism=discrete,
            histogram_size=size,
            min_value=low,
            max_value=high,
            approximate_dp=claim,
        )
        tester = histogram_tester.HistogramTester(config)
        tester._estimate_distribution = once(tester._estimate_distribution)
        return bool(tester.reject_property(tester.estimate_lower_bound(first, second, ALPHA)))

    return largest_rejected(rejects)


@cache
def _model() -> tf.keras.Model:
    return hockey_stick_tester.make_default_hs_base_model()


def hockey_stick(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """A network estimates the divergence; codes in vectors come to it as flags, all features standardised."""
    tf.keras.utils.set_random_seed(seed)
    first, second = (flagged(mechanism.name, outputs) for outputs in _pair(mechanism, draws))
    centre, spread = np.mean([first.mean(axis=0), second.mean(axis=0)], axis=0), first.std(axis=0) + second.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    first, second = (first - centre) / spread, (second - centre) / spread

    def rejects(epsilon: float) -> bool:
        claim = privacy_property.ApproximateDp(epsilon=epsilon, delta=mechanism.delta)
        config = property_tester_config.HockeyStickPropertyTesterConfig(
            training_config=hockey_stick_tester.make_default_hs_training_config(), approximate_dp=claim
        )
        tester = hockey_stick_tester.HockeyStickPropertyTester(config=config, base_model=_model())
        return bool(tester.reject_property(tester.estimate_lower_bound(first, second, ALPHA)))

    return largest_rejected(rejects, COARSE)


TOOLS = {"dp_auditorium histogram": histogram, "dp_auditorium hockey-stick": hockey_stick}

if __name__ == "__main__":
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    sys.exit(main(TOOLS))
