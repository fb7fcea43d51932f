"""The paper's learner, as ``dpcheck learners`` lists it."""

from fractions import Fraction

import numpy as np

from dpcheck import PureDP, Records, ReplaceOne
from dpcheck.parts.learners.entry import LearnerEntry


class NoisyMajority:
    """0 where a noisy count of the labels 1 is at least half of them, else 1.

    The noise is two-sided geometric: each value is three times less likely than the one nearer to zero.
    """

    claim = PureDP(ratio=3)

    def __call__(self, dataset, rng):
        """A threshold: 0 labels every point 1, and 1 labels the only point 0."""
        noise = int(rng.geometric(2 / 3)) - int(rng.geometric(2 / 3))
        return 0 if 2 * (int(np.sum(dataset.y)) + noise) >= len(dataset.y) else 1

    def distribution(self, dataset):
        """The exact law of what it returns."""
        missing = -(-len(dataset.y) // 2) - int(np.sum(dataset.y))
        yes = _at_least(missing) if missing > 0 else 1 - _at_least(1 - missing)
        return {0: yes, 1: 1 - yes}


def _at_least(number):
    """The probability that the noise is at least a number above 0."""
    return Fraction(1, 3) ** number / (1 + Fraction(1, 3))


def few_labels():
    """Six records of one point: all pairs of neighbours can be tried."""
    return ReplaceOne(records=Records.labelled(features=[0], labels=[0, 1]), size=6)


ENTRIES = (
    LearnerEntry(
        name="majority2026.majority",
        learner=NoisyMajority,
        relation=few_labels,
        algorithm="majority2026:alg-1",
        theorem="majority2026:thm-1",
        summary="the label of a noisy majority",
        not_about_classes="it learns a constant",
    ),
)
