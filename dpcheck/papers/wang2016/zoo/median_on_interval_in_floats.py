"""The exponential mechanism for a median in [0, 1], drawn in doubles: flat pieces have bits of their own."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.wang2016.learners.in_floats import DrawnInFloats
from dpcheck.papers.wang2016.learners.on_interval import ExponentialOnInterval
from dpcheck.parts.zoo.entry import Entry, Swap

#: Between records at 0 and 1 the density is flat, and a draw is rng.random(), a multiple of 2^-53. Of two records at 0
#: it falls, and a draw is a logarithm of a double: no multiple of 2^-53 with probability 0.43, against 0.


def median_on_interval_in_floats() -> DrawnInFloats:
    """Rate 1/2, right for real numbers."""
    return DrawnInFloats(ExponentialOnInterval("absolute", epsilon=1.0))


ENTRY = Entry(
    name="median_on_interval_in_floats",
    learner=median_on_interval_in_floats,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1), size=range(1, 1000)),
    swap=Swap(before=1.0, after=0.0, rest=(0.0,)),
    correct=False,
    defect="flat pieces of the density give multiples of 2^-53, steep ones do not",
    numerics="exact",
    truth_of_doubles=math.inf,
)
