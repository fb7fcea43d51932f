"""The exponential mechanism with squared distances in [0, 1], drawn in doubles by rejection from an envelope."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.wang2016.learners.in_floats import DrawnInFloats
from dpcheck.papers.wang2016.learners.logconcave import LogConcaveExponential
from dpcheck.parts.zoo.entry import Entry, Swap

#: A piece of the envelope is drawn from its higher end. Of records at 0 the first piece falls, and a draw near 0 has as
#: many bits as a double holds: no multiple of 2^-58 with probability 0.016. Of records at 0 and 1 it rises to an edge
#: of at least 2^-7, and a draw is that edge less a length: a multiple of 2^-58, always.


def log_concave_in_floats() -> DrawnInFloats:
    """Rate 1/2, right for real numbers."""
    return DrawnInFloats(LogConcaveExponential(power=2, epsilon=1.0))


ENTRY = Entry(
    name="log_concave_in_floats",
    learner=log_concave_in_floats,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1), size=range(1, 1000)),
    swap=Swap(before=1.0, after=0.0, rest=(0.0,)),
    correct=False,
    defect="from which end a piece of the envelope is drawn depends on the data, and shows in the bits",
    numerics="exact",
    truth_of_doubles=math.inf,
)
