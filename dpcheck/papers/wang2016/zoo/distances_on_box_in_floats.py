"""The exponential mechanism with coordinates' distances on [0, 1]^2, each coordinate drawn in doubles by rejection."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.papers.wang2016.learners.boxes import LogConcaveOnBox
from dpcheck.papers.wang2016.learners.convex_losses import CoordinateDistances
from dpcheck.papers.wang2016.learners.in_floats import DrawnInFloats
from dpcheck.parts.zoo.entry import Entry, Swap

#: Along each coordinate as log_concave_in_floats: of records at 0 alone the density falls, and a draw is no multiple of
#: 2^-58 with probability 0.013; of records at 0 and 1 it is flat, and drawn from an edge that is one.


def distances_on_box_in_floats() -> DrawnInFloats:
    """Rate 1/4 for two coordinates, right for real numbers."""
    return DrawnInFloats(LogConcaveOnBox(CoordinateDistances(dimension=2, power=1), epsilon=1.0))


ENTRY = Entry(
    name="distances_on_box_in_floats",
    learner=distances_on_box_in_floats,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded([0.0, 0.0], [1.0, 1.0]), size=range(1, 1000)),
    swap=Swap(before=(1.0, 1.0), after=(0.0, 0.0), rest=((0.0, 0.0),)),
    correct=False,
    defect="from which end a piece of the envelope is drawn depends on the data, and shows in the bits",
    numerics="exact",
    truth_of_doubles=math.inf,
)
