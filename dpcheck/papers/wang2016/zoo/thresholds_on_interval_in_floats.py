"""The exponential mechanism for a threshold in [0, 1], drawn in doubles: where a piece ends shows in its bits."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.wang2016.learners.in_floats import DrawnInFloats
from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.parts.zoo.entry import Entry, Swap

#: Below a record at 0.5 a draw is half of rng.random(), a multiple of 2^-54. Below one at 0.3 it is rounded to as many
#: bits as it has room for: below 1/8 it hardly ever is such a multiple. Probability 0 against more than 0.1.


def thresholds_on_interval_in_floats() -> DrawnInFloats:
    """Rate 1/2, right for real numbers."""
    return DrawnInFloats(ExponentialOnInterval("thresholds", epsilon=1.0), label=1)


ENTRY = Entry(
    name="thresholds_on_interval_in_floats",
    learner=thresholds_on_interval_in_floats,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1), size=range(1, 1000)),
    swap=Swap(before=0.5, after=0.3),
    correct=False,
    defect="which doubles a piece gives depends on how long it is, and that on the data",
    numerics="exact",
    truth_of_doubles=math.inf,
)
