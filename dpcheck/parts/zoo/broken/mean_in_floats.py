"""A mean of numbers in [0, 1] with Laplace noise as textbooks draw it, in doubles."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.in_floats import MeanInFloats
from dpcheck.parts.zoo.entry import Entry, Swap

#: Of one record the mean is the record, and its noise that of the sum: see laplace_in_floats.


def mean_in_floats() -> MeanInFloats:
    """Scale 1/n, right for real numbers; near 0 the doubles that can come out depend on the mean."""
    return MeanInFloats(epsilon=1.0)


ENTRY = Entry(
    name="mean_in_floats",
    learner=mean_in_floats,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1), size=range(1, 1000)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="which doubles can come out depends on the data (Mironov 2012, doi:10.1145/2382196.2382264)",
    numerics="exact",
    truth_of_doubles=math.inf,
)
