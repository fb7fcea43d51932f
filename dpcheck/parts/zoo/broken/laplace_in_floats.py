"""A sum of numbers in [0, 1] with Laplace noise as textbooks draw it, in doubles."""

import math

from dpcheck.model.claims import PureDP
from dpcheck.model.neighbours import Records, ReplaceOne
from dpcheck.parts.mechanisms.laplace import Laplace
from dpcheck.parts.zoo.entry import Entry, Swap

#: 1 + noise is a multiple of 2^-53 wherever it is near 0, since the noise lies near -1; bare noise near 0 is the
#: logarithm of a double near 1, and hardly ever is one. So {|output| < 1/32, no multiple of 2^-53} has probability
#: 0 where the sum is 1 and about 0.03 where it is 0: no epsilon is enough for the doubles.


def laplace_in_floats() -> Laplace:
    """Scale 1, right for real numbers; near 0 the doubles that can come out depend on the sum."""
    return Laplace(scale=1.0)


ENTRY = Entry(
    name="laplace_in_floats",
    learner=laplace_in_floats,
    claim=PureDP(1.0),
    relation=ReplaceOne(Records.bounded(0, 1)),
    swap=Swap(before=1.0, after=0.0),
    correct=False,
    defect="which doubles can come out depends on the data (Mironov 2012, doi:10.1145/2382196.2382264)",
    aliases=("float_laplace",),
    numerics="exact",
    truth_of_doubles=math.inf,
)
