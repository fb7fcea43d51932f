"""DP-Sniper on the given pair: a classifier chooses the event, two Clopper-Pearson bounds on fresh outputs judge it.

It attacks in one direction (the better one, told) and ignores delta. Its search for pairs, which the pair makes
superfluous, is left out, and with it the outputs that it costs.
"""

from __future__ import annotations

import random
import sys
import tempfile
from typing import Any

import numpy as np
import torch
from dpsniper.attack.dpsniper import DPSniper
from dpsniper.classifiers.classifier_factory import LogisticRegressionFactory, MultiLayerPerceptronFactory
from dpsniper.classifiers.feature_transformer import BitPatternFeatureTransformer, FlagsFeatureTransformer
from dpsniper.classifiers.torch_optimizer_factory import AdamOptimizerFactory, SGDOptimizerFactory
from dpsniper.mechanisms.abstract import Mechanism as Attacked
from dpsniper.probability.estimators import EpsEstimator, PrEstimator
from dpsniper.search.ddconfig import DDConfig
from dpsniper.utils.paths import set_output_directory
from dpsniper.utils.torch import torch_initialize

from peers.mechanisms import Mechanism, Outputs
from peers.runner import ALPHA, Draws, main
from peers.scores import REVERSED, special_values

#: Outputs a side for training and for judging, and on one side for the threshold: 2 x 20 + 20 + 2 x 70 thousand.
TRAINING, THRESHOLD, JUDGING = 20_000, 20_000, 70_000
#: With its default of 100,000 there would be one batch, and ten steps of gradient descent in all.
TRAINING_BATCH = 1_000


class Bulk(Attacked):
    """A mechanism as DP-Sniper wants it: ``m(answers, n_samples)``."""

    def __init__(self, mechanism: Mechanism, draws: Draws) -> None:
        self.mechanism, self.draws = mechanism, draws

    def m(self, a: Any, n_samples: int = 1) -> Outputs:
        is_first = np.array_equal(a, self.mechanism.first)
        return self.draws.first(n_samples) if is_first else self.draws.second(n_samples)


def _factory(mechanism: Mechanism, width: int, network: bool) -> Any:
    """The settings of its authors' experiments: a linear model, or a network of two hidden layers."""
    special = special_values(mechanism.name)
    transform = FlagsFeatureTransformer(list(special)) if special else None
    if network and mechanism.numerics == "exact":
        transform, width = BitPatternFeatureTransformer(), 64
    else:
        width *= 1 + len(special)
    if network:
        adam = AdamOptimizerFactory(learning_rate=0.1, step_size=500)
        return MultiLayerPerceptronFactory(
            in_dimensions=width, feature_transform=transform, optimizer_factory=adam, regularization_weight=0.0001
        )
    descent = SGDOptimizerFactory(learning_rate=0.3, momentum=0.3, step_size=500)
    return LogisticRegressionFactory(
        in_dimensions=width, feature_transform=transform, optimizer_factory=descent, regularization_weight=0.001
    )


def _bound(mechanism: Mechanism, draws: Draws, seed: int, network: bool) -> float:
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 (DP-Sniper draws from it)
    torch.manual_seed(seed)
    with tempfile.TemporaryDirectory() as logs:
        set_output_directory(logs)
        config = DDConfig(
            n_train=TRAINING,
            n=THRESHOLD,
            n_check=JUDGING,
            n_final=JUDGING,
            training_batch_size=TRAINING_BATCH,
            n_processes=1,
            confidence=1.0 - ALPHA,
        )
        bulk = Bulk(mechanism, draws)
        width = np.atleast_2d(mechanism.on_first(1, np.random.default_rng(0))).shape[1]  # a shape, not an output
        pair = [np.asarray(mechanism.first), np.asarray(mechanism.second)]
        first, second = reversed(pair) if mechanism.name in REVERSED else pair
        attack = DPSniper(bulk, _factory(mechanism, width, network), config).best_attack(first, second)
        estimator = EpsEstimator(PrEstimator(bulk, config.n_final, config))
        _, bound = estimator.compute_eps_estimate(first, second, attack)
    return max(0.0, float(bound))


def linear(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """With logistic regression, its default."""
    return _bound(mechanism, draws, seed, network=False)


def network(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """With its network; on the bits of the output where the leak is there."""
    return _bound(mechanism, draws, seed, network=True)


TOOLS = {"dp-sniper regression": linear, "dp-sniper network": network}

if __name__ == "__main__":
    torch_initialize(torch_threads=1)
    sys.exit(main(TOOLS))
