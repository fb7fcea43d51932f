"""A theorem and a learner of your own, against reality.

    dpcheck report examples/my_bounds.py

``PAPER`` says what is claimed, ``CHECKS`` of whom and where it is to be run. The learner decides between two constant
hypotheses by a noisy count of the labels. Its size is derived below and holds, by an exact sum over all samples; a
second theorem forgets that labels are drawn at random, and the runs contradict it.
"""

from fractions import Fraction

import numpy as np
import sympy

from dpcheck import PureDP, Records, ReplaceOne
from dpcheck.proof.bounds import Bound, Range, symbol
from dpcheck.proof.statement import Paper, Theorem
from dpcheck.trial.lower import LowerBound
from dpcheck.trial.privacy import PrivacyCheck
from dpcheck.trial.upper import UpperBound
from dpcheck.utility.distributions import FiniteDistribution

ACCURACY, FAILURE, RATIO = symbol("accuracy"), symbol("failure"), symbol("ratio")
#: Ranges of the variables: a bound says where it holds.
DOMAIN = {
    "n": Range.integers(1),
    "accuracy": Range(Fraction(0), Fraction(1)),
    "failure": Range(Fraction(0), Fraction(1)),
    "ratio": Range(Fraction(1), None),
}


class NoisyMajority:
    """Returns the threshold 0 (all points are labelled 1) where a noisy count of ones is at least half, else 1.

    The noise is two-sided geometric: each value is three times less likely than the one nearer to zero, so that one
    record changes no probability by more than a factor of 3.
    """

    claim = PureDP(ratio=3)

    def __call__(self, dataset, rng):
        """A threshold: 0 labels every point 1, and 1 labels the only point 0."""
        noise = int(rng.geometric(2 / 3)) - int(rng.geometric(2 / 3))
        return 0 if 2 * (int(np.sum(dataset.y)) + noise) >= len(dataset.y) else 1

    def distribution(self, dataset):
        """The exact law of what it returns, so that its privacy is decided and not estimated."""
        missing = -(-len(dataset.y) // 2) - int(np.sum(dataset.y))  # what the noise must add
        yes = _at_least(missing) if missing > 0 else 1 - _at_least(1 - missing)
        return {0: yes, 1: 1 - yes}


def _at_least(number):
    """The probability that two-sided geometric noise is at least a number above 0."""
    return Fraction(1, 3) ** number / (1 + Fraction(1, 3))


def labels(ones):
    """One point, whose label is 1 with a given probability."""
    return FiniteDistribution([0], [1], [ones], name=f"labels, {ones} of them 1", best=min(ones, 1 - ones))


#: Count and noise each stay within n accuracy/4 of where they should be: Hoeffding, and the geometric tail.
ENOUGH = Bound(
    source="my-bounds:majority",
    size="n",
    sense="sufficient",
    expression=sympy.Max(
        8 * sympy.log(2 / FAILURE) / ACCURACY**2, 4 * sympy.log(2 / FAILURE) / (sympy.log(RATIO) * ACCURACY)
    ),
    domain=DOMAIN,
    derivation="Hoeffding at accuracy/4: exp(-n accuracy^2/8) <= failure/2; the noise: ratio^(-n accuracy/4) <= "
    "failure/2",
    letters={},
)
TOO_FEW = Bound(
    source="my-bounds:too-good",
    size="n",
    sense="sufficient",
    expression=4 * sympy.log(2 / FAILURE) / (sympy.log(RATIO) * ACCURACY),
    domain=DOMAIN,
    derivation="the noise alone, as if the labels were not drawn at random",
    letters={},
)

PAPER = Paper(
    key="my-bounds",
    title="A noisy majority",
    theorems=(
        Theorem(
            id="my-bounds:majority",
            title="What the noisy majority needs",
            kind="utility",
            statement="n >= max(8 log(2/beta)/alpha^2, 4 log(2/beta)/(log(r) alpha)) suffices",
        ),
        Theorem(
            id="my-bounds:too-good",
            title="A size that forgets the sample",
            kind="utility",
            statement="n >= 4 log(2/beta)/(log(r) alpha) suffices",
        ),
        Theorem(
            id="my-bounds:private",
            title="The noisy majority is private",
            kind="privacy",
            statement="one record changes no probability by more than a factor of 3",
        ),
        Theorem(
            id="my-bounds:least",
            title="What every learner needs",
            kind="lower bound",
            statement="at most 20 labels cannot tell 89/200 from 111/200 with failure below 1/4 (Le Cam)",
        ),
        Theorem(id="my-bounds:rate", title="In the limit", kind="utility", statement="n = O(1/alpha^2)"),
    ),
)

HARD = (labels(Fraction(89, 200)), labels(Fraction(111, 200)))
SETTINGS = {"accuracy": "1/10", "failure": "1/10", "ratio": 3}

CHECKS = (
    UpperBound(
        "my-bounds:majority",
        "the noisy majority finds the better constant",
        NoisyMajority,
        HARD[0],
        {"n": ENOUGH},
        SETTINGS,
        name="noisy majority",
        exactly=True,  # by the law that it declares, summed over all samples: nothing is drawn
    ),
    UpperBound(
        "my-bounds:too-good",
        "the noisy majority finds the better constant, says the second theorem",
        NoisyMajority,
        HARD[0],
        {"n": TOO_FEW},
        SETTINGS,
        name="noisy majority",
    ),
    PrivacyCheck(
        "my-bounds:private",
        "one record changes no probability by more than a factor of 3",
        NoisyMajority,
        PureDP(ratio=3),
        neighbours=ReplaceOne(records=Records.labelled(features=[0], labels=[0, 1]), size=6),
        name="noisy majority",
    ),
    LowerBound(
        "my-bounds:least",
        "20 labels do not tell the better constant",
        {"noisy majority": NoisyMajority},
        HARD,
        {"n": 20},
        accuracy="1/10",
        failure="1/4",
        size=21,
    ),
)

NOT_RUN = {"my-bounds:rate": "an order of growth: my-bounds:majority is run with its constants"}
