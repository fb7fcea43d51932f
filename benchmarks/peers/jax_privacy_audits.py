"""jax-privacy's auditor of canary scores: Clopper-Pearson at the best threshold of a score written by hand."""

from __future__ import annotations

import sys

from jax_privacy import auditing

from peers.mechanisms import Mechanism
from peers.runner import ALPHA, SIDE, Draws, main
from peers.scores import threshold_score


def _bound(mechanism: Mechanism, draws: Draws, strategy: auditing.ThresholdStrategy) -> float:
    score = threshold_score(mechanism.name)
    auditor = auditing.CanaryScoreAuditor(score(draws.first(SIDE)), score(draws.second(SIDE)))
    found = auditor.epsilon_clopper_pearson(ALPHA, mechanism.delta, one_sided=False, threshold_strategy=strategy)
    return float(found)


def bonferroni(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """Every threshold is tried, and corrected for."""
    return _bound(mechanism, draws, auditing.Bonferroni())


def split(mechanism: Mechanism, draws: Draws, seed: int) -> float:
    """The threshold is chosen on one half of the scores and tested on the other."""
    return _bound(mechanism, draws, auditing.Split(seed=seed))


TOOLS = {"jax-privacy bonferroni": bonferroni, "jax-privacy split": split}

if __name__ == "__main__":
    sys.exit(main(TOOLS))
